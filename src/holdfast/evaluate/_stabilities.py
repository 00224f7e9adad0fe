"""Every stability index of repeated lists, each with an interval."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from holdfast.data import Table
from holdfast.evaluate._bootstrap import jackknife_interval
from holdfast.stability._pairs import mean_over_pairs, shared_features
from holdfast.stability._runs import as_runs
from holdfast.stability.adjusted import adjusted_without_each, nogueira_adjusted
from holdfast.stability.correlated import Similarity, correlated_pairs, similarity
from holdfast.stability.index import FORMULAS
from holdfast.stability.nogueira import nogueira_interval
from holdfast.stability.overlap import matched, overlap_beyond_chance, overlap_of_pairs

Array = npt.NDArray[Any]
Found = dict[str, float | None]

PAIRWISE = ("kuncheva", "jaccard", "dice", "ochiai", "percentage_overlap", "lustgarten")
INDICES = ("nogueira", "nogueira_adjusted", *PAIRWISE, "pogr", "npogr")
# Beyond these, summing all correlations, or finding all significant ones, takes longer than most studies.
_MOST_ALIKE, _MOST_LINKED = 30_000, 5_000
_ALIKE = 0.5
_FEWEST_RUNS = 2


class StabilityIndices:
    """The indices for lists from one table; those that know correlated features look at it once."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def of(self, runs: Array) -> dict[str, Found]:
        """Value and interval of each index, by name; None where it is undefined, or too dear for the table."""
        if len(runs) < _FEWEST_RUNS:
            return {name: _found(math.nan, math.nan, math.nan) for name in INDICES}
        stability = nogueira_interval(runs)
        found = {"nogueira": _found(stability.value, stability.low, stability.high)}
        sizes = runs.sum(axis=1).astype(np.float64)
        shared = shared_features(runs[:, runs.any(axis=0)])
        for name in PAIRWISE:
            if name != "kuncheva" or sizes.min() == sizes.max():
                found[name] = _of_pairs(FORMULAS[name](shared, sizes[:, None], sizes[None, :], runs.shape[1]))
        return {**dict.fromkeys(INDICES, _found(math.nan, math.nan, math.nan)), **found, **self._among_alike(runs)}

    def _among_alike(self, runs: Array) -> dict[str, Found]:
        X = self.table.X
        if len(X) <= 3 or X.shape[1] > _MOST_ALIKE or not np.isfinite(X).all():
            return {}
        found = {"nogueira_adjusted": self._adjusted(runs)}
        if X.shape[1] <= _MOST_LINKED:
            given, linked = as_runs(runs), self._linked
            found["pogr"] = _of_pairs(overlap_of_pairs(given, linked))
            found["npogr"] = _of_pairs(overlap_beyond_chance(given, linked))
        return found

    @cached_property
    def _similarity(self) -> Similarity:
        return similarity(self.table.X, threshold=_ALIKE)

    @cached_property
    def _linked(self) -> Any:
        empty = np.zeros((_FEWEST_RUNS, self.table.n_features), dtype=bool)
        return matched(empty, correlated_pairs(self.table.X))[1]

    def _adjusted(self, runs: Array) -> Found:
        """By leaving out each run in turn, as for the means over pairs."""
        value = nogueira_adjusted(runs, self._similarity)
        n_runs, used = len(runs), np.flatnonzero(runs.any(axis=0))
        if n_runs <= _FEWEST_RUNS or len(used) == 0:
            return _found(value, math.nan, math.nan)
        among = self._similarity.among(used)
        without = adjusted_without_each(runs[:, used], among, runs.shape[1], self._similarity.total)
        error = math.sqrt((n_runs - 1) / n_runs * float(((without - without.mean()) ** 2).sum()))
        reach = float(t.ppf(0.975, n_runs - 1)) * error
        return _found(value, value - reach, max(value, min(1.0, value + reach)))


def _of_pairs(agreement: Array) -> Found:
    value, (low, high) = mean_over_pairs(agreement), jackknife_interval(agreement)
    if not math.isfinite(low):
        return _found(value, low, high)
    # None of these goes beyond 1, and rounding must not put a value outside of its interval.
    return _found(value, min(low, value), max(min(high, 1.0), value))


def _found(value: float, low: float, high: float) -> Found:
    return {
        name: float(x) if math.isfinite(x) else None for name, x in (("value", value), ("low", low), ("high", high))
    }
