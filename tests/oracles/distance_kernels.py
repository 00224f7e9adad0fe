"""Slow twins of the kernels that add up distances: every pair by itself."""

from __future__ import annotations

from math import sqrt

import numpy as np

from holdfast.kernels import distance


def _sums(column, apart):
    """The five sums of one feature, distances of the target given."""
    n = len(column)
    own = [[abs(a - b) for b in column] for a in column]
    rows, of_target = [sum(row) for row in own], [sum(row) for row in apart]
    return [
        sum(own[k][m] * apart[k][m] for k in range(n) for m in range(n)),
        sum(a * b for a, b in zip(rows, of_target, strict=True)),
        sum(rows),
        sum(row**2 for row in rows),
        sum(d**2 for row in own for d in row),
    ]


def _columns(rng):
    n_samples = int(rng.choice([2, 3, 7, 20, 33]))
    columns = rng.normal(size=(int(rng.integers(1, 5)), n_samples)) if rng.random() < 0.5 else (
        rng.integers(0, 4, size=(int(rng.integers(1, 5)), n_samples)).astype(float)
    )  # fmt: skip
    return columns + rng.choice([0.0, 100.0])


def compare_class_distance_sums(rng):
    columns = _columns(rng)
    target = rng.integers(0, 3, size=columns.shape[1])
    sums = np.empty((len(columns), 5))
    sizes = np.bincount(target, minlength=3)
    distance.class_distance_sums(columns, np.argsort(columns, axis=1), target, sizes, np.empty((2, 3)), sums)
    apart = [[float(a != b) for b in target] for a in target]
    return sums, [_sums(column, apart) for column in columns.tolist()]


def compare_number_distance_sums(rng):
    columns = _columns(rng)
    n = columns.shape[1]
    target = rng.normal(size=n) if rng.random() < 0.5 else rng.integers(0, 4, size=n).astype(float)
    apart = [[abs(a - b) for b in target.tolist()] for a in target.tolist()]
    places = np.unique(target, return_inverse=True)[1] + 1
    rows = np.array([sum(row) for row in apart])
    sums = np.empty((len(columns), 5))
    distance.number_distance_sums(
        columns, np.argsort(columns, axis=1), target, places, rows, np.empty((4, n + 1)), sums
    )
    return sums, [_sums(column, apart) for column in columns.tolist()]


def compare_subset_distance_sums(rng):
    n, n_features = int(rng.choice([2, 3, 4, 9, 16, 17])), 11
    values = rng.normal(size=(n_features, n))
    b = rng.normal(size=(n, n))
    b += b.T
    sets = [rng.choice(n_features, size=int(rng.integers(0, n_features)), replace=False) for _ in range(4)]
    starts = np.cumsum([0, *map(len, sets)])
    spread = np.array([sum((a - c) ** 2 for a in row for c in row) for row in values.tolist()])
    by_lag = np.array([[b[k, (k + d) % n] for k in range(n)] for d in range(1, n // 2 + 1)])
    sums = np.empty((len(sets), 4))
    distance.subset_distance_sums(
        values, spread, np.concatenate(sets).astype(np.int64), starts, by_lag,
        np.empty((n_features, 2 * n)), np.empty(n), np.empty((3, 2 * n)), sums,
    )  # fmt: skip
    slow = []
    for features in sets:
        points = values[features].T.tolist()
        apart = [[sqrt(sum((u - v) ** 2 for u, v in zip(p, q, strict=True))) for q in points] for p in points]
        rows = [sum(row) for row in apart]
        slow.append([
            sum(apart[k][m] * b[k, m] for k in range(n) for m in range(n)),
            sum(rows),
            sum(row**2 for row in rows),
            sum(d**2 for row in apart for d in row),
        ])  # fmt: skip
    return sums, slow


COMPARISONS = {
    "distance.class_distance_sums": (compare_class_distance_sums, 1e-10),
    "distance.number_distance_sums": (compare_number_distance_sums, 1e-10),
    "distance.subset_distance_sums": (compare_subset_distance_sums, 1e-10),
}
