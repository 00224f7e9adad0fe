"""A dual problem of support vectors solved from inside its box (Mehrotra 1992): the same effort whatever the cost C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError

from holdfast.measures._products import Products

Array = npt.NDArray[Any]

_MAX_STEPS = 100
_SHORTENED = 0.995


@dataclass
class _Inside:
    """A point inside the box: duals, their distances to both bounds, multipliers of these, and the intercept."""

    above: Array
    below: Array
    low: Array
    high: Array
    intercept: float

    def moved(self, length: float, step: tuple[Array, Array, Array, float]) -> _Inside:
        change, change_low, change_high, change_intercept = step
        return _Inside(
            self.above + length * change,
            self.below - length * change,
            self.low + length * change_low,
            self.high + length * change_high,
            self.intercept + length * change_intercept,
        )

    def complementarity(self) -> float:
        return float(self.above @ self.low + self.below @ self.high) / (2 * len(self.above))

    def room(self, step: tuple[Array, Array, Array, float]) -> float:
        """Length of a step, at most 1, after which everything is still positive."""
        change, change_low, change_high, _ = step
        longest = 1.0 / _SHORTENED
        for value, moves in (
            (self.above, change), (self.below, -change), (self.low, change_low), (self.high, change_high),
        ):  # fmt: skip
            falls = moves < 0
            if falls.any():
                longest = min(longest, float((value[falls] / -moves[falls]).min()))
        return min(1.0, _SHORTENED * longest)


def interior_dual(products: Products, label: Array, lowest: Array, highest: Array, unit: float) -> Array:
    """Duals of the widest margin to about ten digits, those at a bound put on it; ``unit`` is their usual size."""
    start = np.minimum((highest - lowest) / 2, unit)
    above = np.where(highest > 0, start, highest - lowest - start)
    point = _Inside(above, highest - lowest - above, np.ones_like(label), np.ones_like(label), 0.0)
    for _ in range(_MAX_STEPS):
        dual = lowest + point.above
        decisions = products.times(dual)
        residual = label - decisions - point.intercept + point.low - point.high
        excess = dual.sum()
        remaining = point.complementarity()
        size = float(np.abs(dual).mean())
        # Where errors cost little, decisions are small against the labels, and must be known to as many digits.
        spread = min(1.0, float(np.ptp(decisions)))
        is_near = remaining <= 1e-13 * size * spread and np.abs(residual).max() <= 1e-9 * spread
        if is_near and abs(excess) <= 1e-9 * size:
            break
        with np.errstate(all="ignore"):
            following = _step(products, point, residual, excess, remaining)
        if following is None or not following.complementarity() > 0:
            break
        point = following
    is_low, is_high = point.above / unit < point.low, point.below / unit < point.high
    return np.where(is_low, lowest, np.where(is_high, highest, lowest + point.above))


def _step(products: Products, point: _Inside, residual: Array, excess: float, remaining: float) -> _Inside | None:
    """Predict how far complementarity can fall, then correct towards the middle; None when rounding takes over."""
    try:
        solve = products.plus_diagonal(point.low / point.above + point.high / point.below)
    except LinAlgError:
        return None
    ones = solve(np.ones_like(residual))
    total = ones.sum()
    if not total > 0:
        return None

    def towards(low_target: Array | float, high_target: Array | float) -> tuple[Array, Array, Array, float]:
        pull_low, pull_high = low_target / point.above - point.low, high_target / point.below - point.high
        free = solve(residual + pull_low - pull_high)
        intercept = float((free.sum() + excess) / total)
        change = free - intercept * ones
        return (
            change,
            pull_low - point.low / point.above * change,
            pull_high + point.high / point.below * change,
            intercept,
        )

    predicted = towards(0.0, 0.0)
    reached = point.moved(point.room(predicted), predicted).complementarity()
    centre = remaining * (max(reached, 0.0) / remaining) ** 3
    corrected = towards(centre - predicted[0] * predicted[1], centre + predicted[0] * predicted[2])
    following = point.moved(point.room(corrected), corrected)
    is_inside = all(
        np.isfinite(values).all() and (values > 0).all()
        for values in (following.above, following.below, following.low, following.high)
    )
    return following if is_inside else None
