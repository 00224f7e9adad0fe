"""Weights of samples by how typical their margin vectors are (Han 2012, chapter 4).

The margin vector of a sample holds, for each feature, how much farther the samples of other classes lie than those of
its own (Eq. 4.1–4.5). A sample whose vector lies far from the others is an outlier to the task and weighs little (4.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.margins import sample_margins
from holdfast.measures.neighbours import Distances, Space, in_threads
from holdfast.measures.relief import nearest

Array = npt.NDArray[Any]

NEIGHBOURS = ("all", "nearest", "inverse-distance")
AGGREGATES = ("sum", "mean")
_COLUMNS = 256
_DOUBTFUL = 1e-6


@dataclass(frozen=True)
class Weighing:
    """Weights of all samples, the sum 1, and how they came about."""

    weights: Array
    n_iter: int
    converged: bool


def weigh_samples(
    space: Space,
    *,
    neighbours: str = "all",
    aggregate: str = "sum",
    metric: str = "manhattan",
    iterate: bool = False,
    max_iter: int = 100,
    tol: float = 1e-6,
) -> Weighing:
    """Weights by the mean distance of each margin vector to all others; fed back into the vectors if asked for."""
    counts = _neighbour_counts(space, neighbours, aggregate, metric)
    weights = _by_typicality(margin_vectors(space, counts))
    if not iterate:
        return Weighing(weights, 1, True)
    for n_iter in range(2, max_iter + 1):
        before = weights
        weights = _by_typicality(margin_vectors(space, counts * before))
        if np.abs(weights - before).max() < tol:
            return Weighing(weights, n_iter, True)
    return Weighing(weights, max_iter, False)


def margin_vectors(space: Space, counts: Array) -> Array:
    """Σ counts[i, t] · (what i and t differ by) for every sample i, in every feature (features × samples)."""
    n_samples, n_features = space.X.shape
    rows, others = np.nonzero(counts)
    starts = np.searchsorted(rows, np.arange(n_samples + 1))
    listed = counts[rows, others]
    vectors = np.empty((n_samples, n_features))

    def fill(columns: slice) -> None:
        block = np.empty((n_samples, _COLUMNS))
        for first in range(columns.start, columns.stop, _COLUMNS):
            last = min(first + _COLUMNS, columns.stop)
            sample_margins(space.X, first, last, starts, others, listed, space.factor, block)
            vectors[:, first:last] = block[:, : last - first]

    in_threads(fill, space)
    return vectors.T


def _neighbour_counts(space: Space, neighbours: str, aggregate: str, metric: str) -> Array:
    """What every other sample counts in the margin vector of a sample: misses above 0, hits below."""
    target = space.target
    is_hit = target[:, np.newaxis] == target
    hits, misses = is_hit.astype(np.float64), (~is_hit).astype(np.float64)
    np.fill_diagonal(hits, 0.0)
    if neighbours == "all" and aggregate == "sum":
        counts: Array = misses - hits
        return counts
    if neighbours == "nearest":
        near = nearest(Distances.of(space, metric), target, 1, pooled=True)
        hits, misses = hits * near, misses * near
    elif neighbours == "inverse-distance":
        distances = Distances.of(space, metric)
        hits, misses = (_by_inverse_distance(side, distances) for side in (hits, misses))
    return _to_unit_sums(misses) - _to_unit_sums(hits)


def _by_inverse_distance(side: Array, distances: Distances) -> Array:
    """One over the distance; samples at no distance leave nothing to the others of their side."""
    is_same: Array = (side > 0) & (distances.matrix <= distances.tie)
    shares: Array = np.divide(side, distances.matrix, out=np.zeros_like(side), where=(side > 0) & ~is_same)
    has_same = is_same.any(axis=1)
    shares[has_same] = is_same[has_same]
    return shares


def _to_unit_sums(side: Array) -> Array:
    total = side.sum(axis=1, keepdims=True)
    scaled: Array = np.divide(side, total, out=np.zeros_like(side), where=total > 0)
    return scaled


def _by_typicality(vectors: Array) -> Array:
    """One over the mean distance to all other vectors (columns), scaled to the sum 1."""
    n_samples = vectors.shape[1]
    totals = np.sort(_distances(vectors), axis=1).sum(axis=1)
    if not totals.any():
        return np.full(n_samples, 1.0 / n_samples)
    inverse = 1.0 / totals
    weights: Array = inverse / np.sort(inverse).sum()
    return weights


def _distances(vectors: Array) -> Array:
    """Euclidean distances between columns."""
    products = vectors.T @ vectors
    own = np.diagonal(products)
    sizes = own[:, np.newaxis] + own
    squares = sizes - 2.0 * products
    # Where little is left of large squares most of it is rounding: those few are taken by differences.
    for i, t in zip(*np.nonzero(np.triu(squares <= _DOUBTFUL * sizes, 1)), strict=True):
        difference = vectors[:, i] - vectors[:, t]
        squares[i, t] = squares[t, i] = difference @ difference
    np.fill_diagonal(squares, 0.0)
    distances: Array = np.sqrt(np.maximum(squares, 0.0))
    return distances
