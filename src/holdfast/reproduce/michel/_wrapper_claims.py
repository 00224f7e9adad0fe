"""What chapter 4 of Michel 2018 says of wrappers, tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import ENTROPY, MAXIMUM, PAIRING, Arm
from holdfast.reproduce.michel._claims import CLOSE, Pairs, claim, gain, is_above, is_less, middle, said, shared
from holdfast.reproduce.plan import Claim

Array = npt.NDArray[Any]

FULL = 0.995
FIRST = 5
STAYS_LOW = ("Breast", "Ionosphere")
RISES = ("Sonar", "Wine", "Parkinson")


def wrapper_claims(pairs: Pairs) -> list[Claim]:
    """Of FS-Train and FS-CV, by table."""
    return [*_on_scores(pairs), *_on_orders(pairs)]


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
    def part(arm: Arm, share: float) -> int:
        return max(1, round(share * arm.n_features))

    def pairing(arm: Arm, share: float) -> float:
        return arm.read(PAIRING, part(arm, share))

    def entropy(arm: Arm) -> str:
        least = arm.stability[ENTROPY][:3].min()
        at = [f"{arm.read(ENTROPY, part(arm, share)):.1f}" for share in (0.5, 0.75)]
        first = f"{arm.read(ENTROPY, 2):.1f} with 2 (least of three sizes {least:.1f})"
        return f"{first}, {' and '.join(at)} with half and three quarters"

    def falls(arm: Arm) -> bool:
        return is_less(arm, ENTROPY, part(arm, 0.75), 2)

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
              RISES),
        claim("4.9–4.17", "FS-Train: Breast and Ionosphere stay low (pairing below 0.3)", pairs,
              lambda a, b: a.stability[PAIRING].max() < 0.3,
              lambda a, b: f"at most {a.stability[PAIRING].max():.2f}", STAYS_LOW),
        claim("4.9–4.17", "FS-CV: pairing high at first (best of three sizes), then half of it or less", pairs,
              lambda a, b: b.stability[PAIRING][:3].max() >= 2 * pairing(b, 0.5),
              lambda a, b: f"{b.stability[PAIRING][:3].max():.2f}, {pairing(b, 0.5):.2f} with half of the features"),
        claim("4.9–4.17", "FS-Train: entropy high, then falling with size (less with three quarters than with 2)",
              pairs, lambda a, b: falls(a), lambda a, b: entropy(a), RISES),
        claim("4.9–4.17", "FS-Train: for Breast and Ionosphere the entropy does not fall", pairs,
              lambda a, b: not falls(a), lambda a, b: entropy(a), STAYS_LOW),
        claim("4.9–4.17", "FS-CV: entropy low at first (least of three sizes), then twice as much or more", pairs,
              lambda a, b: b.read(ENTROPY, part(b, 0.5)) >= 2 * b.stability[ENTROPY][:3].min(),
              lambda a, b: entropy(b)),
    ]  # fmt: skip
