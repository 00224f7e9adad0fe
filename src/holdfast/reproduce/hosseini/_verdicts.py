"""Verdicts on claims about tables of which some are not the print's, and words on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.hosseini._tables import OTHER_DATA
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.verdicts import on_all


def on_tables(holds: Mapping[str, bool], told: str) -> tuple[str, str]:
    """A verdict on all tables, and the numbers, with that on the tables that are the print's own if some are not."""
    others = [name for name in holds if name in OTHER_DATA]
    if not others:
        return on_all(holds.values()), told
    own = on_all(is_so for name, is_so in holds.items() if name not in OTHER_DATA)
    return on_all(holds.values()), f"{told}; {not_the_prints(others)} (without: {own})"


def not_the_prints(names: Sequence[str]) -> str:
    """A warning about tables."""
    return f"{' and '.join(names)}: not the print's data"


def fastest(name: str, seconds: Mapping[str, Sequence[float]]) -> str:
    """Whether one takes the least time: in every run, or just in the median."""
    others = [one for one in seconds if one != name]
    if name not in seconds or not others:
        return NOT_TESTED
    if all(max(seconds[name]) < min(seconds[one]) for one in others):
        return HOLDS
    return IN_PART if all(np.median(seconds[name]) < np.median(seconds[one]) for one in others) else FAILS


def listed(numbers: Mapping[str, float], form: str = "g") -> str:
    """Names with their numbers."""
    return ", ".join(f"{name} {number:{form}}" for name, number in numbers.items())
