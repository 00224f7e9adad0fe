"""The largest upper tail that a share can have, given its mean and the shape of its distribution.

A share is a number of steps from 0 to ``n_steps``; means and thresholds are counted in steps too. The shapes are those
of Shah and Samworth 2013: unimodal (Theorem 2), and r-concave for r below 0, where the r-th power of the probabilities
is convex over the steps that have any.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, minimize_scalar

Array = npt.NDArray[Any]

# Logarithm of a start from which on probabilities are equal to rounding.
_FLATTEST = 30.0
_PER_PIECE = 5
_REFINED = 4


@lru_cache(maxsize=4096)
def unimodal_tail(mean: float, least: int, n_steps: int) -> float:
    """Largest chance of at least ``least`` steps under any unimodal distribution of a mean no larger than ``mean``.

    Distributions with a given mode are mixtures of uniform ones over runs of steps around it. With one constraint on
    the mean a mixture of two suffices, so for each mode the answer lies on the upper hull of (mean, tail) points.
    """
    if mean >= least:
        return 1.0
    best = 0.0
    for mode in range(int(min(2 * mean, n_steps)) + 1):
        first, last = np.meshgrid(np.arange(mode + 1), np.arange(mode, n_steps + 1))
        tail = np.maximum(last + 1 - np.maximum(first, least), 0) / (last - first + 1)
        # Of all runs with the same middle only the one with the largest tail matters.
        tails = np.zeros(n_steps + 1)
        np.maximum.at(tails, (first + last - mode).ravel(), tail.ravel())
        middles = (mode + np.arange(n_steps + 1)) / 2
        is_low = middles <= mean
        low, high = middles[is_low][:, None], middles[~is_low]
        share = (mean - low) / (high - low)
        mixed = (1 - share) * tails[is_low][:, None] + share * tails[~is_low]
        best = max(best, float(tails[is_low].max()), float(mixed.max(initial=0.0)))
    return best


@lru_cache(maxsize=4096)
def concave_tail(mean: float, least: int, n_steps: int, r: float) -> float:
    """Largest chance of at least ``least`` steps under any r-concave distribution (r < 0) of this mean.

    If the mean is at most half of the threshold, the largest tail belongs to probabilities in proportion to
    ``(a + i) ** (1 / r)`` on the steps from 0 to k, and any that is left on step k + 1. Else the unimodal answer, which
    is no smaller, is taken.
    """
    if mean <= 0:
        return 0.0
    if 2 * mean > least:
        return unimodal_tail(mean, least, n_steps)
    return _PowerFamily(mean, least, n_steps, 1 / r).largest_tail()


class _PowerFamily:
    """Probabilities in proportion to a falling power of the step, cut off at some step, of a given mean."""

    def __init__(self, mean: float, least: int, n_steps: int, power: float) -> None:
        self.mean, self.least, self.power = mean, least, power
        self.steps = np.arange(n_steps + 1)

    def largest_tail(self) -> float:
        """Try every cut that leaves room for a tail; between two full cuts the best start is searched."""
        n_steps = int(self.steps[-1])
        starts = [_FLATTEST]
        for last in range(self.least, n_steps + 1):
            starts.append(self._start(last, starts[-1]))
        ends = np.array(starts)
        inner = np.linspace(0.0, 1.0, _PER_PIECE)
        pieces = ends[1:, None] + (ends[:-1] - ends[1:])[:, None] * inner
        rough = np.array([self._tails(piece, last) for last, piece in enumerate(pieces, start=self.least)])
        best = float(rough.max())
        for i, j in zip(*np.unravel_index(np.argsort(rough, axis=None)[-_REFINED:], rough.shape), strict=True):
            low, high = pieces[i, max(j - 1, 0)], pieces[i, min(j + 1, _PER_PIECE - 1)]
            if high > low:
                last = int(i) + self.least
                found = minimize_scalar(
                    lambda start, last=last: -self._tails(np.array([start]), last)[0],
                    bounds=(low, high),
                    method="bounded",
                    options={"xatol": 1e-10},
                )
                best = max(best, -float(found.fun))
        return min(best, 1.0)

    def _weights(self, log_starts: Array, last: int) -> Array:
        # Divided by the weight of step 0, so that no power overflows.
        return (1.0 + self.steps[: last + 1] * np.exp(-log_starts)[:, None]) ** self.power

    def _start(self, last: int, highest: float) -> float:
        """Logarithm of the start with which steps 0 to ``last``, all full, have the mean."""
        steps = self.steps[: last + 1]

        def surplus(log_start: float) -> float:
            weights = self._weights(np.array([log_start]), last)[0]
            return float(weights @ steps / weights.sum() - self.mean)

        if surplus(highest) <= 0:
            return highest
        lowest = highest - 1.0
        while surplus(lowest) > 0:
            lowest -= 2.0 * (highest - lowest)
        return float(brentq(surplus, lowest, highest, xtol=1e-13))

    def _tails(self, log_starts: Array, last: int) -> Array:
        """Chance of the tail if steps below ``last`` are full, and ``last`` holds what gives the mean."""
        weights = self._weights(log_starts, last - 1)
        per_weight = (last - self.mean) / (weights @ (last - self.steps[:last]))
        tails: Array = 1.0 - per_weight * weights[:, : self.least].sum(axis=1)
        return tails
