"""What chapters 4 and 10 of Michel 2018 say of wrappers and of their stopping rules, tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import MAXIMUM, PAIRING, Arm
from holdfast.reproduce.michel._claims import CLOSE, Pairs, claim, gain, is_above, middle, said, shared
from holdfast.reproduce.michel._rules import RULES
from holdfast.reproduce.plan import Claim

Array = npt.NDArray[Any]

FULL = 0.995
FIRST = 5


def wrapper_claims(pairs: Pairs) -> list[Claim]:
    """Of FS-Train and FS-CV, by table."""
    return [*_on_scores(pairs), *_on_orders(pairs), *_on_rules(pairs)]


def _is_early_and_long(arm: Arm, level: float) -> bool:
    """Whether a level is reached within few features and kept until the last fifth."""
    sizes = np.flatnonzero(arm.scores >= level) + 1
    is_whole = len(sizes) > 0 and len(sizes) == sizes[-1] - sizes[0] + 1
    return is_whole and bool(sizes[0] <= FIRST and sizes[-1] >= 0.8 * arm.n_features)


def _plateau(curve: Array, level: float) -> str:
    sizes = np.flatnonzero(curve >= level) + 1
    if len(sizes) == 0:
        return f"never, at most {curve.max():.3f}"
    least = curve[sizes[0] - 1 : sizes[-1]].min()
    return f"from {sizes[0]} to {sizes[-1]} features, not below {least:.3f} there"


def _rise(curve: Array) -> float:
    return float(curve[FIRST - 1] - curve[0])


def _on_scores(pairs: Pairs) -> list[Claim]:
    others = [name for name in pairs if name != "Breast"]
    return [
        claim("4.2–4.4", "FS-Train is at 100 % within five features and leaves it for the last fifth only", pairs,
              lambda a, b: _is_early_and_long(a, FULL),
              lambda a, b: f"{_plateau(a.scores, FULL)}, {a.scores[-1]:.3f} with all",
              others),
        claim("4.2–4.4", "Breast: the same shape below 100 %", pairs,
              lambda a, b: a.scores.max() < FULL and _is_early_and_long(a, a.scores.max() - CLOSE),
              lambda a, b: f"{a.scores[0]:.3f}, at most {a.scores.max():.3f}, {a.scores[-1]:.3f} with all",
              ["Breast"]),
        claim("4.2–4.4", "FS-CV starts lower", pairs, lambda a, b: b.scores[0] < a.scores[0],
              lambda a, b: f"{b.scores[0]:.3f}, FS-Train {a.scores[0]:.3f}"),
        claim("4.2–4.4", "FS-CV rises to 90–95 %", pairs, lambda a, b: 0.895 <= b.scores.max() < 0.955,
              lambda a, b: f"{b.scores.max():.3f} with {b.scores.argmax() + 1}"),
        claim("4.2–4.4", "then FS-CV falls slowly (no step by more than 0.02)", pairs,
              lambda a, b: b.scores[-1] < b.scores.max() and np.diff(b.scores).min() > -0.02,
              lambda a, b: f"{b.scores[-1]:.3f} with all, largest fall {-np.diff(b.scores).min():.3f}"),
        claim("4.5–4.7", "test accuracy starts higher with FS-CV", pairs, lambda a, b: is_above(gain(a, b, 1)),
              lambda a, b: said(gain(a, b, 1))),
        claim("4.5–4.7", "it rises faster with FS-Train, over the first five features", pairs,
              lambda a, b: _rise(a.tests) > _rise(b.tests),
              lambda a, b: f"by {_rise(a.tests):.3f}, FS-CV by {_rise(b.tests):.3f}"),
        claim("4.5–4.7, conclusion", "FS-CV is better overall (test accuracy, mean over all sizes)", pairs,
              lambda a, b: is_above(gain(a, b)), lambda a, b: said(gain(a, b))),
    ]  # fmt: skip


def by_default(arm: Arm) -> float:
    """Share of steps that take the first feature of the table that is left, while more than one is."""
    shares = []
    for one in arm.runs:
        left = list(range(arm.n_features))
        for feature in one.order[:-1]:
            shares.append(feature == left[0])
            left.remove(feature)
    return float(np.mean(shares))


def _on_orders(pairs: Pairs) -> list[Claim]:
    def pairing(arm: Arm, share: float) -> float:
        return arm.read(PAIRING, max(1, round(share * arm.n_features)))

    def largest(arm: Arm) -> tuple[float, float]:
        return float(arm.stability[MAXIMUM][0]), middle(arm.stability[MAXIMUM])

    return [
        claim("4.8–4.16", "FS-Train takes features in the order of the table (more than half of the steps)", pairs,
              lambda a, b: by_default(a) > 0.5,
              lambda a, b: f"{by_default(a):.2f} of the steps, FS-CV {by_default(b):.2f}"),
        claim("4.8–4.16", "FS-CV: few features first, then random (max of the first step twice that of the middle)",
              pairs, lambda a, b: largest(b)[0] > 2 * largest(b)[1],
              lambda a, b: "{:.2f}, {:.2f}".format(*largest(b))),
        claim("4.8–4.16", "some features are common to both (of the five that come first most often)", pairs,
              lambda a, b: shared(a, b, FIRST) > FIRST**2 / a.n_features,
              lambda a, b: f"{shared(a, b, FIRST)} ({FIRST**2 / a.n_features:.1f} by chance)"),
        claim("4.9–4.17", "FS-Train: pairing low, then rising with size", pairs,
              lambda a, b: pairing(a, 0.75) > a.read(PAIRING, 2) + 0.1,
              lambda a, b: f"{a.read(PAIRING, 2):.2f} with 2, {pairing(a, 0.75):.2f} with three quarters",
              ["Sonar", "Wine", "Parkinson"]),
        claim("4.9–4.17", "FS-Train: Breast and Ionosphere stay low (pairing below 0.3)", pairs,
              lambda a, b: a.stability[PAIRING].max() < 0.3,
              lambda a, b: f"at most {a.stability[PAIRING].max():.2f}", ["Breast", "Ionosphere"]),
        claim("4.9–4.17", "FS-CV: pairing high at first (best of three sizes), then half of it or less", pairs,
              lambda a, b: b.stability[PAIRING][:3].max() >= 2 * pairing(b, 0.5),
              lambda a, b: f"{b.stability[PAIRING][:3].max():.2f}, {pairing(b, 0.5):.2f} with half of the features"),
    ]  # fmt: skip


def _on_rules(pairs: Pairs) -> list[Claim]:
    def sizes(arm: Arm, *rules: str) -> str:
        return ", ".join(f"{rule} {arm.sizes(rule).mean():.1f}" for rule in rules)

    def more(arm: Arm, rule: str, other: Arm, than: str) -> Array:
        return arm.sizes(rule) - other.sizes(than)

    def short(arm: Arm, rule: str) -> float:
        return float(arm.tests.max() - arm.stop_tests(rule).mean())

    def at(arm: Arm, rule: str) -> float:
        return arm.read_when_stopped(PAIRING, rule)

    def apart(arm: Arm, rule: str) -> float:
        return float(abs(more(arm, "P", arm, rule).mean()))

    return [
        claim("10.1–10.3", "FS-CV: CW stops near the top of the curve (its score within 0.01)", pairs,
              lambda a, b: b.scores[b.kept("CW") - 1] > b.scores.max() - CLOSE,
              lambda a, b: f"{b.scores[b.kept('CW') - 1]:.3f} of {b.scores.max():.3f}"),
        claim("10.1–10.3", "CW is less stable than H2S (pairing)", pairs, lambda a, b: at(b, "CW") < at(b, "H2S"),
              lambda a, b: f"{at(b, 'CW'):.2f}, H2S {at(b, 'H2S'):.2f}"),
        claim("10.1–10.3", "CW keeps more with FS-Train than with FS-CV", pairs,
              lambda a, b: is_above(more(a, "CW", b, "CW")), lambda a, b: said(more(a, "CW", b, "CW"), 1)),
        claim("10.1–10.3", "WM keeps as many as CW or a few more (up to 3)", pairs,
              lambda a, b: 0 <= more(b, "WM", b, "CW").mean() <= 3, lambda a, b: said(more(b, "WM", b, "CW"), 1)),
        claim("10.1–10.3", "H keeps few (up to 4) with both", pairs,
              lambda a, b: max(a.sizes("H").mean(), b.sizes("H").mean()) <= 4,
              lambda a, b: f"{b.sizes('H').mean():.1f}, FS-Train {a.sizes('H').mean():.1f}"),
        claim("10.1–10.3", "H is below the best test accuracy (by more than 0.01)", pairs,
              lambda a, b: short(b, "H") > CLOSE, lambda a, b: f"by {short(b, 'H'):.3f}"),
        claim("10.1–10.3", "H2S keeps more than H", pairs, lambda a, b: is_above(more(b, "H2S", b, "H")),
              lambda a, b: said(more(b, "H2S", b, "H"), 1)),
        claim("10.1–10.3", "H2S: test accuracy near the maximum (within 0.01)", pairs,
              lambda a, b: short(b, "H2S") <= CLOSE, lambda a, b: f"below by {short(b, 'H2S'):.3f}"),
        claim("10.1–10.3", "HP keeps all or nearly all, FS-CV", pairs,
              lambda a, b: b.sizes("HP").mean() >= b.n_features - 1, lambda a, b: f"{b.sizes('HP').mean():.1f}"),
        claim("10.1–10.3", "HP keeps all or nearly all, FS-Train", pairs,
              lambda a, b: a.sizes("HP").mean() >= a.n_features - 1, lambda a, b: f"{a.sizes('HP').mean():.1f}"),
        claim("10.1–10.3", "P is near CW with training accuracy (within 2 features)", pairs,
              lambda a, b: apart(a, "CW") <= 2, lambda a, b: sizes(a, "P", "CW", "H2S")),
        claim("10.1–10.3", "P is near H or H2S with FS-CV (within 2 features)", pairs,
              lambda a, b: min(apart(b, "H"), apart(b, "H2S")) <= 2, lambda a, b: sizes(b, "P", "H", "H2S", "CW")),
        claim("conclusion", "H2S with FS-CV is the best compromise: no rule is as accurate and more stable (pairing)",
              pairs, lambda a, b: not _beaten(b), lambda a, b: f"{_beaten(b) or 'none'} (H2S {_both(b, 'H2S')})"),
    ]  # fmt: skip


def _both(arm: Arm, rule: str) -> str:
    return f"{arm.stop_tests(rule).mean():.3f}, {arm.read_when_stopped(PAIRING, rule):.2f}"


def _beaten(arm: Arm) -> str:
    """Rules that are more stable than H2S, and not less accurate by more than two standard errors."""
    pairing = {rule: arm.read_when_stopped(PAIRING, rule) for rule in RULES}
    found = []
    for rule in RULES:
        lost = arm.stop_tests("H2S") - arm.stop_tests(rule)
        if pairing[rule] > pairing["H2S"] + CLOSE and not is_above(lost):
            found.append(f"{rule} {_both(arm, rule)}")
    return ", ".join(found)
