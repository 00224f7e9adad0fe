"""What the claims of Michel 2018 share: a verdict over several tables, and differences with their standard errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import Arm
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all

Array = npt.NDArray[Any]
# Two searches by table: without cross-validation and with it.
Pairs = Mapping[str, tuple[Arm, Arm]]

CLOSE = 0.01


def claim(
    source: str,
    text: str,
    pairs: Pairs,
    test: Callable[[Arm, Arm], Any],
    tell: Callable[[Arm, Arm], str],
    among: Sequence[str] | None = None,
    *,
    printed: str = "",
    one_is_enough: bool = False,
) -> Claim:
    """Whether a claim holds on all tables that were run, or on those among them that it speaks of.

    With ``one_is_enough`` it says "sometimes", and one table where it is true will do.
    """
    pairs = {name: pair for name, pair in pairs.items() if among is None or name in among}
    if not pairs:
        return Claim(source, text, NOT_TESTED, "none of its tables was run", printed)
    holds = [bool(test(*pair)) for pair in pairs.values()]
    verdict = (HOLDS if any(holds) else FAILS) if one_is_enough else on_all(holds)
    return Claim(source, text, verdict, "; ".join(f"{name} {tell(*pair)}" for name, pair in pairs.items()), printed)


def said(values: Array, digits: int = 3) -> str:
    """Mean over repetitions with two standard errors."""
    mean, error = _mean(values)
    return f"{mean:+.{digits}f} ± {error:.{digits}f}"


def is_above(values: Array) -> bool:
    """Whether the mean over repetitions is above 0 by more than two standard errors."""
    mean, error = _mean(values)
    return mean > error


def _mean(values: Array) -> tuple[float, float]:
    return float(values.mean()), float(2 * values.std(ddof=1) / np.sqrt(len(values)))


def gain(one: Arm, other: Arm, size: int | None = None) -> Array:
    """How much better the test part is with the other, by repetition: at a size, or over all sizes."""
    difference = np.array([run.tests for run in other.runs]) - np.array([run.tests for run in one.runs])
    found: Array = difference.mean(axis=1) if size is None else difference[:, size - 1]
    return found


def is_less(arm: Arm, measure: str, size: int, other_size: int) -> bool:
    """Whether a measure of stability is less at a size than at another, by more than two standard errors."""
    noise = 2 * float(np.hypot(arm.errors[measure][size - 1], arm.errors[measure][other_size - 1]))
    return arm.read(measure, other_size) - arm.read(measure, size) > noise


def shared(one: Arm, other: Arm, n: int) -> int:
    """How many of the features that are most often among so many first ones are the same."""
    return len(_earliest(one, n) & _earliest(other, n))


def _earliest(arm: Arm, n: int) -> set[int]:
    counts = np.bincount([feature for one in arm.runs for feature in one.order[:n]], minlength=arm.n_features)
    return set(np.argsort(-counts, kind="stable")[:n].tolist())


def middle(values: Array) -> float:
    """Median of the middle third of the sizes."""
    third = len(values) // 3
    return float(np.median(values[third : len(values) - third]))
