"""Relief and its kin: every one of them is a weight for the difference between two samples.

A rule says who is near whom; the neighbours of each class are averaged; those of the own class count against a
feature and those of the others for it. What is left is one weighted sum of differences per feature, which
``weighted_differences`` takes for all features at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.moments import column_moments
from holdfast.kernels.neighbours import group_reach, mark_beyond, mark_nearest, weigh_neighbours
from holdfast.measures.neighbours import Distances

Array = npt.NDArray[Any]

MISS_WEIGHTS = ("prior", "equal", "pooled")
NEIGHBOUR_WEIGHTS = ("raw", "normalized")
TIES = ("share", "first")


def nearest(
    distances: Distances,
    target: Array,
    n_neighbors: int,
    *,
    pooled: bool = False,
    sigma: float | None = None,
    ties: str = "share",
) -> Array:
    """How much each sample (column) is one of the nearest of its class to each sample (row): 0 to 1.

    Samples tied for the last places share them, or take them in the order of the rows (``ties="first"``). With
    ``pooled`` all samples of other classes are one class. With ``sigma`` the r-th nearest (from 0) counts
    exp(-(r / sigma)²).
    """
    n_samples = len(target)
    n_groups = 2 if pooled else int(target.max()) + 1
    if pooled:
        group = (target != target[:, np.newaxis]).astype(np.int16)
    else:
        group = np.tile(target.astype(np.int16), (n_samples, 1))
    k = min(n_neighbors, n_samples)
    reach = np.empty((n_samples, n_groups))
    group_reach(distances.matrix, group, k, np.empty((n_groups, k)), reach)
    near = np.empty((n_samples, n_samples))
    counts = np.empty((2, n_groups), dtype=np.int64)
    mark_nearest(distances.matrix, group, reach, k, distances.tie, ties == "first", counts, near)
    if sigma is not None:
        _fade(near, distances, group, k, sigma, in_order=ties == "first")
    return near


def _fade(near: Array, distances: Distances, group: Array, k: int, sigma: float, *, in_order: bool) -> None:
    """Let neighbours count less with their rank; tied ones count alike, or in the order of the rows."""
    by_rank = np.exp(-((np.arange(k) / sigma) ** 2))
    for i in range(len(near)):
        for g in np.unique(group[i, near[i] > 0]):
            chosen = np.flatnonzero((near[i] > 0) & (group[i] == g))
            distance = distances.matrix[i, chosen]
            order = np.argsort(distance, kind="stable")
            block = np.cumsum(np.diff(distance[order], prepend=distance[order[0]]) > distances.tie)
            # Ranks beyond the k-th have weight 0, so a group tied across the cut shares what is left of its places.
            weights = np.pad(by_rank, (0, len(chosen)))[: len(chosen)]
            if in_order:
                order = order[np.lexsort((chosen[order], block))]
            else:
                weights = (np.bincount(block, weights) / np.bincount(block))[block]
            near[i, chosen[order]] = weights


def within_mean(distances: Distances, *, far: bool = False) -> Array:
    """1 for samples closer (or farther) than the mean distance of all pairs: the rule of SURF."""
    n_samples = len(distances.matrix)
    mean = distances.matrix.sum() / (n_samples * (n_samples - 1))
    return _beyond(distances, np.full(n_samples, mean), np.zeros(n_samples), far=far)


def within_own_mean(distances: Distances, *, far: bool = False) -> Array:
    """1 for samples half a deviation closer (or farther) than a sample's own mean distance: the rule of MultiSURF."""
    n_samples = len(distances.matrix)
    mean, square = np.empty(n_samples), np.empty(n_samples)
    # The matrix is symmetric: its columns are its rows. The zero on the diagonal is taken out of both sums again.
    column_moments(distances.matrix, mean, square)
    square -= mean**2 * n_samples / (n_samples - 1)
    mean *= n_samples / (n_samples - 1)
    return _beyond(distances, mean, np.sqrt(np.maximum(square, 0.0) / (n_samples - 1)) / 2, far=far)


def _beyond(distances: Distances, centre: Array, band: Array, *, far: bool) -> Array:
    marked = np.empty_like(distances.matrix)
    sign = 1.0 if far else -1.0
    mark_beyond(distances.matrix, centre + sign * (band + distances.tie), sign, marked)
    return marked


def relief_weights(
    near: Array,
    target: Array,
    *,
    miss_weights: str = "prior",
    visits: Array | None = None,
    sample_weight: Array | None = None,
    neighbour_weights: str = "raw",
    n_neighbors: int = 1,
) -> Array:
    """What the difference between a sample (row) and a neighbour (column) counts.

    Hits count against a feature and misses for it. Misses of a class c count P(c) / (1 - P(own class)) ("prior"), alike
    for all classes ("equal"), or are averaged without regard to class ("pooled"). ``visits`` says how often each sample
    is looked at, all of them once if None. Weights of samples are those of Han's Eq. 5.3: the sample's own times its
    neighbour's, summed over ``n_neighbors`` ("raw"; fewer are scaled up to as many) or divided by their sum
    ("normalized"). Weights are scaled to the sum 1 first. What ``near`` held is overwritten by the answer.
    """
    n_samples = len(target)
    classes, number, sizes = np.unique(target, return_inverse=True, return_counts=True)
    is_own = number[:, np.newaxis] == np.arange(len(classes))
    is_raw = sample_weight is not None and neighbour_weights == "raw"
    if sample_weight is not None:
        sample_weight = sample_weight / sample_weight.max()
        sample_weight /= sample_weight.sum()
    if is_raw:
        total = near @ is_own.astype(np.float64) / n_neighbors
    if sample_weight is not None:
        near *= sample_weight
    if not is_raw:
        total = near @ is_own.astype(np.float64)
    if miss_weights == "pooled":
        total = np.where(is_own, total, np.where(is_own, 0.0, total).sum(axis=1, keepdims=True))
    counts = np.where(is_own, -1.0, _counts_of_misses(sizes, is_own, miss_weights))
    counts = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    view = np.full(n_samples, 1.0 / n_samples) if visits is None else visits / visits.sum()
    if sample_weight is not None:
        view = view * n_samples * sample_weight
    weigh_neighbours(near, counts * view[:, np.newaxis], number)
    return near


def _counts_of_misses(sizes: Array, is_own: Array, miss_weights: str) -> Array:
    """What the misses of each class count for each sample."""
    if miss_weights == "prior":
        others = sizes.sum() - sizes[is_own.argmax(axis=1)]
        counts: Array = sizes / others[:, np.newaxis]
        return counts
    return np.full(is_own.shape, 1.0 if miss_weights == "pooled" else 1.0 / (len(sizes) - 1))


def spread_over(rows: Array, weights: Array, n_samples: int) -> Array:
    """Weights between the samples of a resample as weights between the rows it was drawn from."""
    spread = np.zeros((n_samples, n_samples))
    np.add.at(spread, (rows[:, np.newaxis], rows[np.newaxis, :]), weights)
    return spread
