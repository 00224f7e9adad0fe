"""MRMR+ and CFS+ in the order of print (Pino Angulo 2019, Algorithms 9 and 10), for the pairs that they measure.

The library looks at features in another order, which gives the same picks from other counts. Repaired where the print
cannot be followed: a feature that was picked leaves its bucket, CFS+ stops and keeps its sums, and of equal merits the
first column wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE
from holdfast.search.forward import when_merit_stops_rising

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Walk:
    """The picks in order, and the pairs measured until each of them was known."""

    features: list[int]
    pairs: list[int]
    n_pairs: int


@dataclass
class _Rounds:
    """Relevance, what was summed so far, and the merit that follows of it."""

    relevance: Array
    is_subset: bool
    n_chosen: int = 1
    chosen_relevance: float = 0.0
    chosen_shared: float = 0.0

    def merit(self, relevance: Any, shared: Any) -> Any:
        """Of a feature next to the chosen ones, or its bound while terms are missing."""
        if self.is_subset:
            below = self.n_chosen + 1 + 2.0 * (self.chosen_shared + shared)
            return (self.chosen_relevance + relevance) / below**0.5
        return relevance - shared / self.n_chosen


def walk(relevance: Array, shared_with: Callable[[int], Array], n_picked: int, *, is_subset: bool) -> Walk:
    """Pick features one after the other and count pairs.

    Parameters
    ----------
    relevance : ndarray of shape (n_features,)
        What each feature tells about the class; -inf for one that must not be picked.
    shared_with : callable
        From a feature to what it shares with every other.
    n_picked : int
        At most so many.
    is_subset : bool
        Whether the merit is that of CFS, which also ends the search; else that of MRMR with α = 1/2.
    """
    rounds = _Rounds(relevance, is_subset)
    first = int(np.argmax(relevance))
    if is_subset and not relevance[first] > 0:
        return Walk([], [], 0)
    features, merits, pairs = [first], [float(relevance[first])], [0]
    rounds.chosen_relevance = merits[0]
    shared = np.zeros(len(relevance))
    buckets: list[list[int]] = [[f for f in range(len(relevance)) if f != first]]
    terms: list[Array] = []
    n_pairs = 0
    while len(features) < n_picked:
        terms.append(shared_with(features[-1]))
        buckets.append([])
        rounds.n_chosen = len(features)
        best, merit, n_new = _round(rounds, buckets, shared, terms)
        n_pairs += n_new
        if best < 0 or (is_subset and when_merit_stops_rising(merit, merits)):
            break
        buckets[len(features)].remove(best)
        rounds.chosen_relevance += float(relevance[best])
        rounds.chosen_shared += float(shared[best])
        features.append(best)
        merits.append(merit)
        pairs.append(n_pairs)
    return Walk(features, pairs, n_pairs)


def _round(rounds: _Rounds, buckets: list[list[int]], shared: Array, terms: list[Array]) -> tuple[int, float, int]:
    """Find the best feature, moving those that gain terms to the bucket of as many; -1 where none may be picked."""
    chosen, best, n_new = -1, -np.inf, 0
    n_chosen = rounds.n_chosen
    for n_before in range(n_chosen - 1, -1, -1):
        bucket = np.array(buckets[n_before], dtype=np.int64)
        # Who cannot win now cannot win later in the round either.
        hopeful = bucket[rounds.merit(rounds.relevance[bucket], shared[bucket]) >= best - _slack(best)]
        moved = set()
        for f in hopeful.tolist():
            relevance, total, n_summed = float(rounds.relevance[f]), float(shared[f]), n_before
            bound = rounds.merit(relevance, total)
            while n_summed < n_chosen and _is_ahead(bound, f, best, chosen):
                total += float(terms[n_summed][f])
                n_summed += 1
                bound = rounds.merit(relevance, total)
            if n_summed == n_chosen and _is_ahead(bound, f, best, chosen):
                chosen, best = f, bound
            if n_summed > n_before:
                n_new += n_summed - n_before
                shared[f] = total
                buckets[n_summed].append(f)
                moved.add(f)
        if moved:
            buckets[n_before] = [f for f in buckets[n_before] if f not in moved]
    return chosen, best, n_new


def _is_ahead(bound: float, f: int, best: float, chosen: int) -> bool:
    slack = _slack(best)
    return bool(bound > best + slack or (f < chosen and bound >= best - slack))


def _slack(best: float) -> float:
    return TIE * max(1.0, abs(best)) if best > -np.inf else 0.0
