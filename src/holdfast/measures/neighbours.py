"""Distances between all samples, formed once: for every method that asks who is near whom, and for every resample.

Manhattan distances are exact sums of whole numbers (each value rounded to about 50 - log2(p) bits of its range), so
neither the order of the features nor the number of threads can change them, and features can be taken out again
without a trace. Distances that differ by no more than that rounding are ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, log2
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs

from holdfast._errors import DataError
from holdfast._progress import report, watcher
from holdfast.kernels.incomplete import sample_differences
from holdfast.kernels.neighbours import (
    LANES,
    TOGETHER,
    add_smaller,
    add_weighted_differences,
    count_pairs,
    list_pairs,
    mark_varying,
    scale_columns,
    smaller_to_distances,
)
from holdfast.prepare.scaling import Ranges

Array = npt.NDArray[Any]

METRICS = ("manhattan", "euclidean")
SCALES = ("range", "none")
_BITS = 50
_COLUMNS = 256
_REPORTED = 64 * _COLUMNS
_EUCLIDEAN_TIE = 1e-10
_DOUBTFUL = 1e-6
_VALUES_IN_CACHE = 1 << 17
_VALUES_AT_ONCE = 1 << 19


@dataclass(frozen=True)
class Space:
    """Samples, and what a difference in each feature counts; a constant feature counts nothing."""

    X: Array
    target: Array
    lowest: Array
    width: Array
    factor: Array
    is_nominal: Array
    has_missing: Array
    n_jobs: int | None

    @classmethod
    def of(
        cls,
        X: Array,
        target: Array,
        *,
        scale: str = "range",
        is_nominal: Array | None = None,
        n_jobs: int | None = None,
    ) -> Space:
        """Look at float32 or float64 rows, in which NaN is a missing value."""
        if np.bincount(target).max() < 2:
            raise DataError(
                "Every class of y has one sample only, so no sample has a nearest hit. Join classes, or use 'f-test'."
            )
        ranges = Ranges.of(X)
        n_features = X.shape[1]
        nominal = np.zeros(n_features, dtype=bool) if is_nominal is None else is_nominal
        width = np.where(nominal & (ranges.width > 0), 1.0, ranges.width)
        varies = width > 0
        factor = np.zeros(n_features)
        factor[varies] = 1.0 / width[varies] if scale == "range" else 1.0
        return cls(X, target, ranges.lowest, width, factor, nominal, ranges.has_missing, n_jobs)

    @property
    def is_constant(self) -> Array:
        """Features whose known values are all equal."""
        is_constant: Array = self.width == 0
        return is_constant

    @property
    def plain_factor(self) -> Array:
        """What a difference counts in features of known numbers; 0 in the others."""
        return np.where(self.is_nominal | self.has_missing, 0.0, self.factor)

    def take(self, features: Array) -> Space:
        """The same samples in these features alone."""
        return replace(
            self,
            X=read_only(np.ascontiguousarray(self.X[:, features])),
            lowest=self.lowest[features],
            width=self.width[features],
            factor=self.factor[features],
            is_nominal=self.is_nominal[features],
            has_missing=self.has_missing[features],
        )

    def varies_among(self, rows: Array) -> Array:
        """Which features have more than one known value among some samples."""
        varies = np.zeros(self.X.shape[1], dtype=bool)
        mark_varying(self.X, rows, varies)
        for f in np.flatnonzero(self.has_missing):
            known = self.X[rows, f]
            known = known[~np.isnan(known)]
            varies[f] = len(known) > 0 and bool((known != known[0]).any())
        return varies

    def indicators(self) -> Iterator[tuple[Array, Array]]:
        """Nominal features without gaps, some at a time: a 0/1 column for each value, and the feature of each column.

        Samples that differ in a feature differ in two of its columns, so each column counts one half.
        """
        waiting: list[Array] = []
        owners: list[Array] = []
        n_waiting = 0
        features = np.flatnonzero(self.is_nominal & ~self.has_missing & (self.factor > 0))
        for f in features:
            values = self.X[:, f]
            columns = (values[:, np.newaxis] == np.unique(values)).astype(np.float64)
            waiting.append(columns)
            owners.append(np.full(columns.shape[1], f))
            n_waiting += columns.shape[1]
            if n_waiting >= _COLUMNS or f == features[-1]:
                yield np.concatenate(owners), read_only(np.hstack(waiting))
                waiting, owners, n_waiting = [], [], 0

    def incomplete(self) -> Iterator[tuple[int, Array]]:
        """Features with gaps, one at a time: the feature, and what every two samples differ by in it."""
        n_samples, n_classes = len(self.X), int(self.target.max(initial=0)) + 1
        scratch = (np.empty((n_samples, n_classes)), np.empty((n_classes, n_classes)), np.empty(n_classes, np.int64))
        differences = np.empty((n_samples, n_samples))
        for f in np.flatnonzero(self.has_missing & (self.factor > 0)):
            column = np.ascontiguousarray(self.X[:, f], dtype=np.float64)
            sample_differences(column, bool(self.is_nominal[f]), self.target, *scratch, differences)
            yield int(f), differences * self.factor[f]


@dataclass(frozen=True)
class Distances:
    """Distances between all samples; those no more than ``tie`` apart are taken for equal."""

    matrix: Array
    tie: float
    unit: float = 0.0

    @classmethod
    def of(cls, space: Space, metric: str = "manhattan", unit: float | None = None) -> Distances:
        """Measure in the features that count; the unit of another measurement makes the two comparable to the bit."""
        if metric == "euclidean":
            return _euclidean(space)
        widest = float((space.width * space.factor).max(initial=0.0)) or 1.0
        if unit is None:
            unit = 2.0 ** (ceil(log2(space.X.shape[1])) + ceil(log2(widest)) - _BITS)
        return cls(_manhattan(space, unit), 2 * space.X.shape[1] * unit, unit)

    def take(self, rows: Array) -> Distances:
        """Distances within a resample: a list of rows, which may repeat."""
        return replace(self, matrix=np.ascontiguousarray(self.matrix[np.ix_(rows, rows)]))

    def without(self, space: Space) -> Distances:
        """Distances with the features of a space taken out again (Manhattan distances only)."""
        return replace(self, matrix=self.matrix - Distances.of(space, unit=self.unit).matrix)


def _manhattan(space: Space, unit: float) -> Array:
    n_samples = len(space.X)
    n_padded = -(-n_samples // LANES) * LANES
    factor = space.plain_factor / unit
    tick = watcher()

    def sums_over(columns: slice) -> Array:
        sums, scaled = aligned_zeros(n_padded, n_padded), aligned_zeros(_COLUMNS, n_padded)
        for first in range(columns.start, columns.stop, _COLUMNS):
            last = min(first + _COLUMNS, columns.stop)
            n_rows = -(-(last - first) // TOGETHER) * TOGETHER
            scaled[last - first : n_rows] = 0.0
            if factor[first:last].any():
                scale_columns(space.X, first, last, space.lowest, factor, scaled)
                add_smaller(scaled[:n_rows], sums)
            if columns.start == 0:
                tick("Distances", last, columns.stop)
        return sums

    sums, *more = in_threads(sums_over, space)
    for other in more:
        sums += other
    for _, columns in space.indicators():
        scaled = np.zeros((-(-columns.shape[1] // TOGETHER) * TOGETHER, n_padded))
        scaled[: columns.shape[1], :n_samples] = columns.T * (0.5 / unit)
        add_smaller(scaled, sums)
    smaller_to_distances(sums, np.diagonal(sums).copy())
    matrix = np.ascontiguousarray(sums[:n_samples, :n_samples])
    for _, differences in space.incomplete():
        matrix += np.rint(differences / unit)
    matrix *= unit
    return matrix


def aligned_zeros(n_rows: int, n_columns: int) -> Array:
    """Zeros that start at a cache line, which numpy does not promise and an eighth of the time depends on."""
    line = 64
    memory = np.zeros(8 * n_rows * n_columns + line, dtype=np.uint8)
    start = -memory.ctypes.data % line
    return memory[start : start + 8 * n_rows * n_columns].view(np.float64).reshape(n_rows, n_columns)


def _euclidean(space: Space) -> Distances:
    """The matrix product does the work here; its rounding is what the tie allows for."""
    n_samples = len(space.X)
    squares, own = np.zeros((n_samples, n_samples)), np.zeros(n_samples)
    columns = np.flatnonzero(space.plain_factor)
    # Products of few columns cost more in starting threads than in multiplying.
    width = max(_COLUMNS, _VALUES_AT_ONCE // n_samples)
    for first in range(0, len(columns), width):
        block = columns[first : first + width]
        values = (space.X[:, block] - space.lowest[block]) * space.factor[block]
        squares += _squares(values)
        own += np.einsum("if,if->i", values, values)
        report("Distances", int(block[-1]) + 1, space.X.shape[1])
    # Where little is left of large squares most of it is rounding: those few are taken by differences.
    is_doubtful = np.triu(squares < _DOUBTFUL * (own[:, np.newaxis] + own), 1)
    for i in np.flatnonzero(is_doubtful.any(axis=1)):
        others = np.flatnonzero(is_doubtful[i])
        squares[i, others] = squares[others, i] = _squares_by_differences(space, columns, int(i), others)
    np.fill_diagonal(squares, 0.0)
    for _, indicators in space.indicators():
        squares += _squares(indicators * np.sqrt(0.5))
    for _, differences in space.incomplete():
        squares += differences**2
    matrix = np.sqrt(np.maximum(squares, 0.0))
    return Distances(matrix, _EUCLIDEAN_TIE * float(matrix.max()))


def _squares(Z: Array) -> Array:
    products = Z @ Z.T
    own = np.diagonal(products)
    squares: Array = own[:, np.newaxis] + own - 2.0 * products
    return squares


def _squares_by_differences(space: Space, columns: Array, i: int, others: Array) -> Array:
    squares = np.zeros(len(others))
    for first in range(0, len(columns), _COLUMNS):
        block = columns[first : first + _COLUMNS]
        differences = (space.X[np.ix_(others, block)].astype(np.float64) - space.X[i, block]) * space.factor[block]
        squares += np.einsum("tf,tf->t", differences, differences)
    return squares


def read_only(X: Array) -> Array:
    """So that a kernel is compiled for one kind of table."""
    X = X.view()
    X.flags.writeable = False
    return X


def in_threads(work: Callable[[slice], Any], space: Space) -> list[Any]:
    """Do the work on as many runs of features as there are threads."""
    n_features = space.X.shape[1]
    n_threads = max(1, min(effective_n_jobs(space.n_jobs), n_features // _COLUMNS))
    edges = np.linspace(0, -(-n_features // _COLUMNS), n_threads + 1).astype(int) * _COLUMNS
    parts = [slice(int(a), min(int(b), n_features)) for a, b in pairwise(edges)]
    if n_threads == 1:
        return [work(parts[0])]
    # Work may write into arrays of the caller, which a process would have copies of.
    done: list[Any] = Parallel(n_jobs=n_threads, require="sharedmem")(delayed(work)(part) for part in parts)
    return done


def weighted_differences(space: Space, weights: Array) -> Array:
    """Σ weights[i, t] · (what i and t differ by) for every feature; -inf for a constant one."""
    n_samples, n_features = space.X.shape
    starts = np.empty(n_samples + 1, dtype=np.int64)
    count_pairs(weights, starts)
    others, both = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1])
    list_pairs(weights, starts, others, both)
    width = max(64, min(_COLUMNS, _VALUES_IN_CACHE // n_samples // 64 * 64))
    totals = np.zeros(n_features)
    tick = watcher()

    def add(columns: slice) -> None:
        rows = np.empty((n_samples, width))
        for first in range(columns.start, columns.stop, _REPORTED):
            last = min(first + _REPORTED, columns.stop)
            add_weighted_differences(space.X, first, last, starts, others, both, rows, totals)
            if columns.start == 0:
                tick("Features scored", last, columns.stop)

    in_threads(add, space)
    totals *= space.factor
    for owners, indicators in space.indicators():
        sums = np.zeros(len(owners))
        rows = np.empty((n_samples, width))
        add_weighted_differences(indicators, 0, len(owners), starts, others, both, rows, sums)
        features, first = np.unique(owners, return_index=True)
        totals[features] = np.add.reduceat(sums, first) / 2
    firsts = None
    for f, differences in space.incomplete():
        if firsts is None:
            firsts = np.repeat(np.arange(n_samples), np.diff(starts))
        totals[f] = both @ differences[firsts, others]
    totals[space.is_constant] = -np.inf
    return totals
