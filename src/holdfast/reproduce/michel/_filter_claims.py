"""What chapters 5 and 11 of Michel 2018 say of the delta test and of stopping rules with it, tested.

Remarks A9, A16 and A17 are explained in the protocol of the plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import ENTROPY, MAXIMUM, PAIRING, Arm
from holdfast.reproduce.michel._claims import CLOSE, Pairs, claim, gain, is_above, is_less, middle, said, shared
from holdfast.reproduce.michel._rules import RULES
from holdfast.reproduce.plan import Claim

Array = npt.NDArray[Any]


def filter_claims(pairs: Pairs) -> list[Claim]:
    """Of DT and DT-CV, by table."""
    return [*_on_filters(pairs), *_on_rules(pairs)]


def _on_filters(pairs: Pairs) -> list[Claim]:
    def noise(arm: Arm) -> str:
        """ϑ by that of one feature."""
        part = arm.scores / arm.scores[0]
        return f"1, least {part.min():.2f} with {part.argmin() + 1}, {part[-1]:.2f} with all"

    def falls_by(arm: Arm) -> float:
        """Share of the whole fall of ϑ that three features bring; 0 where it does not fall."""
        whole = arm.scores.max() - arm.scores[0]
        return float((arm.scores[2] - arm.scores[0]) / whole) if whole > 0 else 0.0

    def r2(arm: Arm) -> str:
        most = f"at most {arm.tests.max():.3f} with {arm.tests.argmax() + 1}"
        return f"{arm.tests[0]:.3f}, {most}, {arm.tests[-1]:.3f} with all"

    def beyond_two(arm: Arm) -> Array:
        """Test R² of three and more features, of Boston as long as it does not fall."""
        last = max(int(arm.tests.argmax()) + 1, 3) if arm.name == "Boston" else arm.n_features
        found: Array = arm.tests[2:last]
        return found

    def from_to(values: Array) -> str:
        return f"{values.min():.3f} to {values.max():.3f} with 3 to {len(values) + 2}"

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
        claim("5.2", "test R² of DT-CV is stable beyond two features (within 0.05; Boston up to its best)", pairs,
              lambda a, b: np.ptp(beyond_two(b)) <= 0.05,
              lambda a, b: from_to(beyond_two(b))),
        claim("5.2", "Boston: test R² of DT-CV falls at the end (by more than 0.01)", pairs,
              lambda a, b: b.tests[-1] < b.tests.max() - CLOSE, lambda a, b: r2(b), ["Boston"]),
        claim("5.2, conclusion", "CV helps the filter, if less visibly (test R², mean over all sizes)", pairs,
              lambda a, b: is_above(gain(a, b)), lambda a, b: said(gain(a, b), 4)),
        claim("5.3–5.6", "few features first and last, random in the middle (max of first, middle and last step)",
              pairs, lambda a, b: all(min(ends(one)[0], ends(one)[2]) > ends(one)[1] for one in (a, b)),
              lambda a, b: "DT {:.2f}, {:.2f}, {:.2f}, DT-CV {:.2f}, {:.2f}, {:.2f}".format(*ends(a), *ends(b))),
        claim("5.3–5.6", "the three features that come first most often differ between DT and DT-CV", pairs,
              lambda a, b: shared(a, b, 3) < 3, lambda a, b: f"{shared(a, b, 3)} shared"),
        claim("5.3–5.6", "max of DT falls to 0 (it cannot: at least one in d takes the most frequent feature)", pairs,
              lambda a, b: a.stability[MAXIMUM].min() < 0.01, lambda a, b: f"least {a.stability[MAXIMUM].min():.2f}"),
        claim("5.3–5.6", "entropy of DT rises after two features (more with 4 than with 2)", pairs,
              lambda a, b: is_less(a, ENTROPY, 2, 4),
              lambda a, b: ", ".join(f"{one:.1f}" for one in a.stability[ENTROPY][:5]) + " with 1 to 5"),
        claim("5.3–5.6", "DT-CV stays above DT in stability (pairing, mean over sizes, by more than 0.01)", pairs,
              lambda a, b: paired(a, b) > CLOSE, lambda a, b: f"{paired(a, b):+.3f}"),
    ]  # fmt: skip


def _on_rules(pairs: Pairs) -> list[Claim]:
    def keeps_all(arm: Arm, *readings: str) -> bool:
        return all(arm.sizes(one).mean() >= arm.n_features - 1 for one in readings)

    def refusals(arm: Arm, reading: str) -> str:
        return f"refuses the first feature in {(arm.sizes(reading) == 0).sum()} of {len(arm.runs)} repetitions"

    def told(arm: Arm, *readings: str) -> str:
        return f"of {arm.n_features}: " + ", ".join(f"{one} {arm.sizes(one).mean():.1f}" for one in readings)

    def reached(arm: Arm, rule: str) -> float:
        return float(arm.stop_tests(rule).mean())

    def most(arm: Arm, reading: str) -> float:
        return arm.read_when_stopped(MAXIMUM, reading)

    def is_low(arm: Arm, reading: str) -> bool:
        return reached(arm, reading) < float(arm.tests.max()) - CLOSE

    def is_stable(arm: Arm, reading: str) -> bool:
        """Whether the most frequent feature comes as often as that of the first step."""
        return most(arm, reading) >= arm.read(MAXIMUM, 1)

    def both(arm: Arm, *readings: str) -> str:
        best = f"{arm.tests.max():.3f} at best, {arm.stability[MAXIMUM][0]:.2f} at first; "
        return best + ", ".join(f"{one} {reached(arm, one):.3f}, {most(arm, one):.2f}" for one in readings)

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
              lambda a, b: bool((b.sizes("P") == 1).all()), lambda a, b: told(b, "P")),
        claim("11.1–11.6 (A17)", "P keeps exactly one feature if larger ϑ counts as better", pairs,
              lambda a, b: bool((b.sizes("P, mirrored") == 1).all()),
              lambda a, b: f"{told(b, 'P, mirrored')}; it {refusals(b, 'P, mirrored')}, which is one feature only "
              "if one is always kept"),
        claim("11.1–11.6 (A17)", "CW, WM, H2S and HP: low test R² (by more than 0.01) and low stability (max below "
              "that of the first step)", pairs,
              lambda a, b: all(is_low(b, one) and not is_stable(b, one) for one in four), lambda a, b: both(b, *four)),
        claim("11.1–11.6 (A17)", "H: good test R² (within 0.01 of the best), low stability", pairs,
              lambda a, b: not is_low(b, "H") and not is_stable(b, "H"), lambda a, b: both(b, "H")),
        claim("11.1–11.6 (A17)", "P: high stability (max no less than that of the first step), low test R²", pairs,
              lambda a, b: is_stable(b, "P") and is_low(b, "P"), lambda a, b: both(b, "P", "P, mirrored")),
        claim("11, conclusion", "no rule suits the filter: each is 0.01 or more below the best test R²", pairs,
              lambda a, b: all(reached(b, rule) < b.tests.max() - CLOSE for rule in RULES),
              lambda a, b: f"{b.tests.max():.3f}; " + ", ".join(f"{rule} {reached(b, rule):.3f}" for rule in RULES)),
    ]  # fmt: skip
