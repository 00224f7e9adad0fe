"""Verdicts on what a thesis says of one number, and numbers with the names of their sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import wilcoxon

from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

# "Around" a number: within this factor of it.
AROUND = 1.5
RATIOS = (
    f"A claim that something is so many times as fast holds within a factor of {AROUND:g}, and in part if it is more "
    "than that, or at least the square root of it."
)
# Chance of a false alarm of a signed-rank test.
LEVEL = 0.05


def by_set(values: Mapping[str, float], digits: str = ".3g") -> str:
    """Numbers with the names of their sets; what is not known is a dash."""
    return ", ".join(f"{data} {'–' if np.isnan(value) else format(value, digits)}" for data, value in values.items())


def at_least(value: float, wanted: float) -> str:
    """Of a claim that something is more than so many times as fast."""
    return HOLDS if value > wanted else _in_part(value, wanted)


def around(value: float | None, wanted: float) -> str:
    """Of a claim that something is so many times as fast."""
    return between(value, wanted, wanted)


def between(value: float | None, low: float, high: float) -> str:
    """Of a claim that something is about low to high times as fast."""
    if value is None:
        return NOT_TESTED
    return HOLDS if low / AROUND <= value <= high * AROUND else _in_part(value, low)


def _in_part(value: float, wanted: float) -> str:
    return IN_PART if value > np.sqrt(wanted) else FAILS


def p_of_gains(gains: Sequence[float]) -> float:
    """Chance of gains at least as large where there are none: Wilcoxon's signed ranks, one side; 1 if nothing moves."""
    known = np.round(np.asarray(gains, dtype=np.float64), 12)
    return float(wilcoxon(known, alternative="greater").pvalue) if known.any() else 1.0
