"""What chapters 5 and 11 of Michel 2018 say of the delta test and of stopping rules with it, tested.

Remarks A9, A16 and A17 are explained in the protocol of the plan.
"""

from __future__ import annotations

import numpy as np

from holdfast.reproduce.michel._arms import MAXIMUM, PAIRING, Arm
from holdfast.reproduce.michel._claims import CLOSE, Pairs, claim, gain, is_above, middle, said, shared
from holdfast.reproduce.michel._rules import RULES
from holdfast.reproduce.plan import Claim


def filter_claims(pairs: Pairs) -> list[Claim]:
    """Of DT and DT-CV, by table."""
    return [*_on_filters(pairs), *_on_rules(pairs)]


def _on_filters(pairs: Pairs) -> list[Claim]:
    def noise(arm: Arm) -> str:
        """ϑ by that of one feature."""
        part = arm.scores / arm.scores[0]
        return f"1, least {part.min():.2f} with {part.argmin() + 1}, {part[-1]:.2f} with all"

    def falls_by(arm: Arm) -> float:
        """Share of the whole fall of ϑ that three features bring."""
        return float((arm.scores[2] - arm.scores[0]) / (arm.scores.max() - arm.scores[0]))

    def r2(arm: Arm) -> str:
        most = f"at most {arm.tests.max():.3f} with {arm.tests.argmax() + 1}"
        return f"{arm.tests[0]:.3f}, {most}, {arm.tests[-1]:.3f} with all"

    def ends(arm: Arm) -> tuple[float, float, float]:
        largest = arm.stability[MAXIMUM]
        return float(largest[0]), middle(largest), float(largest[-1])

    def paired(a: Arm, b: Arm) -> float:
        return float((b.stability[PAIRING] - a.stability[PAIRING])[:-1].mean())

    return [
        claim("5.1 (A9)", "ϑ of DT rises from the first feature on", pairs, lambda a, b: a.scores.argmax() == 0,
              lambda a, b: noise(a)),
        claim("5.1", "ϑ of DT-CV starts high, falls, and flattens near three features (80 % of the fall)", pairs,
              lambda a, b: b.scores.argmax() > 0 and falls_by(b) >= 0.8,
              lambda a, b: f"{noise(b)}; {falls_by(b):.0%} of the fall with 3"),
        claim("5.1", "Boston: ϑ of DT-CV rises again at the end", pairs,
              lambda a, b: b.scores[-1] < 1.05 * b.scores.max(), lambda a, b: noise(b), ["Boston"]),
        claim("5.2", "test R² of DT starts low, rises, and falls at the end (by more than 0.01)", pairs,
              lambda a, b: a.tests.max() > max(a.tests[0], a.tests[-1]) + CLOSE, lambda a, b: r2(a)),
        claim("5.2", "test R² of DT-CV starts higher than that of DT", pairs, lambda a, b: is_above(gain(a, b, 1)),
              lambda a, b: said(gain(a, b, 1))),
        claim("5.2", "test R² of DT-CV is stable beyond two features (within 0.05); Boston falls at the end", pairs,
              lambda a, b: b.tests[-1] < b.tests.max() - CLOSE if b.name == "Boston" else np.ptp(b.tests[1:]) <= 0.05,
              lambda a, b: r2(b)),
        claim("5.2, conclusion", "CV helps the filter, if less visibly (test R², mean over all sizes)", pairs,
              lambda a, b: is_above(gain(a, b)), lambda a, b: said(gain(a, b), 4)),
        claim("5.3–5.6", "few features first and last, random in the middle (max of first, middle and last step)",
              pairs, lambda a, b: all(min(ends(one)[0], ends(one)[2]) > ends(one)[1] for one in (a, b)),
              lambda a, b: "DT {:.2f}, {:.2f}, {:.2f}, DT-CV {:.2f}, {:.2f}, {:.2f}".format(*ends(a), *ends(b))),
        claim("5.3–5.6", "the three features that come first most often differ between DT and DT-CV", pairs,
              lambda a, b: shared(a, b, 3) < 3, lambda a, b: f"{shared(a, b, 3)} shared"),
        claim("5.3–5.6", "max of DT falls to 0 (it cannot: at least one in d takes the most frequent feature)", pairs,
              lambda a, b: a.stability[MAXIMUM].min() < 0.01, lambda a, b: f"least {a.stability[MAXIMUM].min():.2f}"),
        claim("5.3–5.6", "DT-CV stays above DT in stability (pairing, mean over sizes, by more than 0.01)", pairs,
              lambda a, b: paired(a, b) > CLOSE, lambda a, b: f"{paired(a, b):+.3f}"),
    ]  # fmt: skip


def _on_rules(pairs: Pairs) -> list[Claim]:
    def keeps_all(arm: Arm, *readings: str) -> bool:
        return all(arm.sizes(one).mean() >= arm.n_features - 1 for one in readings)

    def told(arm: Arm, *readings: str) -> str:
        return f"of {arm.n_features}: " + ", ".join(f"{one} {arm.sizes(one).mean():.1f}" for one in readings)

    def reached(arm: Arm, rule: str) -> float:
        return float(arm.stop_tests(rule).mean())

    four = ("CW", "WM", "H2S", "HP")
    as_it_is = ("H2S, y as it is", "HP, y as it is")
    return [
        claim("11.1–11.6 (A17)", "CW, WM, H2S and HP keep all features", pairs, lambda a, b: keeps_all(b, *four),
              lambda a, b: told(b, *four)),
        claim("11.1–11.6 (A16)", "H2S and HP keep all features with δ = 0.05 if y is not brought to 0 … 1", pairs,
              lambda a, b: keeps_all(b, *as_it_is), lambda a, b: told(b, *as_it_is)),
        claim("11.1–11.6 (A17)", "H keeps fewer than all", pairs, lambda a, b: not keeps_all(b, "H"),
              lambda a, b: told(b, "H", "H, δ = 0.05", "H, y as it is")),
        claim("11.1–11.6 (A17)", "P keeps exactly one feature", pairs,
              lambda a, b: bool((b.sizes("P", 1) == 1).all()), lambda a, b: told(b, "P")),
        claim("11.1–11.6 (A17)", "P keeps exactly one feature (at least one) if larger ϑ counts as better", pairs,
              lambda a, b: bool((b.sizes("P, mirrored", 1) == 1).all()), lambda a, b: told(b, "P, mirrored")),
        claim("11, conclusion", "no rule suits the filter: each is 0.01 or more below the best test R²", pairs,
              lambda a, b: all(reached(b, rule) < b.tests.max() - CLOSE for rule in RULES),
              lambda a, b: f"{b.tests.max():.3f}; " + ", ".join(f"{rule} {reached(b, rule):.3f}" for rule in RULES)),
    ]  # fmt: skip
