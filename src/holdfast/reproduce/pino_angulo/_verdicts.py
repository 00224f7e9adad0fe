"""Verdicts on what a thesis says of one number, and numbers with the names of their sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.stats import wilcoxon

from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

# "Around" a number: within this factor of it.
AROUND = 1.5
# Chance of a false alarm of a signed-rank test.
LEVEL = 0.05


def by_set(values: Mapping[str, float], digits: str = ".3g") -> str:
    """Numbers with the names of their sets; what is not known is a dash."""
    return ", ".join(f"{data} {'–' if np.isnan(value) else format(value, digits)}" for data, value in values.items())


def at_least(value: float, wanted: float, some: float = 1.0) -> str:
    """Of a claim that something is more than so many times as fast: in part if it is faster at all."""
    return HOLDS if value > wanted else IN_PART if value > some else FAILS


def around(value: float | None, wanted: float, factor: float = AROUND, some: float = 1.0) -> str:
    """Of a claim that something is so many times as fast: in part if it is faster, by more than ``some``, at all."""
    return between(value, wanted, wanted, factor, some)


def between(value: float | None, low: float, high: float, factor: float = AROUND, some: float = 1.0) -> str:
    """Of a claim that something is about low to high times as fast: in part if it is faster at all."""
    if value is None:
        return NOT_TESTED
    return HOLDS if low / factor <= value <= high * factor else IN_PART if value > some else FAILS


def p_of_gains(gains: Sequence[float]) -> float:
    """Chance of gains at least as large where there are none: Wilcoxon's signed ranks, one side; 1 if nothing moves."""
    known = np.round(np.asarray(gains, dtype=np.float64), 12)
    return float(wilcoxon(known, alternative="greater").pvalue) if known.any() else 1.0
