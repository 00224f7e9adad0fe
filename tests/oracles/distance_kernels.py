"""Slow twins of the kernels that add up distances: every pair by itself."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np

from holdfast.kernels import distance, sampling
from holdfast.search.known_sets import KnownSets
from oracles.distance import centred, index_of


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


def compare_index_from_sums(rng):
    n, index = int(rng.integers(4, 9)), str(rng.choice(["biased", "biased-squared", "unbiased"]))
    points = rng.integers(0, 4, size=(n, int(rng.integers(1, 4)))).astype(float)
    y = rng.permutation(np.arange(n) % 2).tolist()
    is_signed = index == "unbiased"
    matrices = [
        [
            [sqrt(sum((u - v) ** 2 for u, v in zip(p, q, strict=True))) for q in points.tolist()]
            for p in points.tolist()
        ],
        [[float(a != b) for b in y] for a in y],
    ]
    own, other = (np.array(centred(matrix, is_signed)) for matrix in matrices)
    apart, of_target = map(np.array, matrices)
    sums = np.array([[(apart * other).sum(), apart.sum(), (apart.sum(axis=1) ** 2).sum(), (apart**2).sum()]])
    answer = np.empty(1)
    rows, all_ = (1 / (n - 2), 1 / ((n - 1) * (n - 2))) if is_signed else (1 / n, 1 / n**2)
    distance.index_from_sums(
        sums, rows, all_, (other**2).sum(), (of_target**2).sum(), 1e-14, 1e-5, is_signed, index == "biased", answer
    )
    if is_signed and (apart**2).sum() > 0 and (own**2).sum() < 1e-9:
        return [np.isnan(answer[0])], [True]
    return answer, [index_of(points.tolist(), y, index)]


def compare_draw_sets(rng):
    uniforms, inclusion = rng.random((int(rng.integers(1, 6)), 7)), rng.random(7)
    slow = [[j for j in range(7) if row[j] < inclusion[j]] for row in uniforms.tolist()]
    n_members = sum(map(len, slow))
    room = n_members if rng.random() < 0.7 else n_members // 2
    members, starts = np.full(room, -1), np.empty(len(uniforms) + 1, dtype=np.int64)
    told = sampling.draw_sets(uniforms, inclusion, members, starts)
    flat = [j for one in slow for j in one]
    return (
        [told, members.tolist(), starts.tolist()],
        [n_members, flat[:room], [sum(map(len, slow[:s])) for s in range(len(slow) + 1)]],
    )


def compare_look_up(rng):
    sets, known, fast = KnownSets(), {(): 0}, []
    slow = []
    for _ in range(4):
        drawn = [np.flatnonzero(rng.random(9) < 0.3) for _ in range(int(rng.choice([1, 20, 900])))]
        fast += sets.numbers(np.concatenate(drawn), np.cumsum([0, *map(len, drawn)])).tolist()
        slow += [known.setdefault(tuple(one.tolist()), len(known)) for one in drawn]
    members, starts = sets.since(1)
    kept = [tuple(members[a:b].tolist()) for a, b in pairwise(starts)]
    return [fast, kept], [slow, list(known)[1:]]


def compare_move_probabilities(rng):
    n, n_sets = 6, int(rng.integers(2, 9))
    sets = [[j for j in range(n) if rng.random() < p] for p in rng.choice([0.0, 0.2, 1.0], size=n_sets)]
    values, mu = rng.random(n_sets), rng.random(n)
    is_skipped, (low, high) = bool(rng.integers(2)), [(0.0, 1.0), (0.1, 0.8)][rng.integers(2)]
    moved, told = mu.copy(), np.empty(5)
    members = np.array([j for one in sets for j in one], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sets)])
    sampling.move_probabilities(
        members, starts, values, moved, 7.0, 0.1, low, high, is_skipped, np.empty(n, dtype=np.int64), np.empty(n), told
    )
    step = 1 / (7 * (max(values) - sum(values) / n_sets) + 0.1)
    slow = []
    for j in range(n):
        own = [v for one, v in zip(sets, values, strict=True) if j in one]
        others = [v for one, v in zip(sets, values, strict=True) if j not in one]
        if is_skipped and not (own and others):
            slow.append(mu[j])
            continue
        importance = sum(own) / (len(own) or 1) - sum(others) / (len(others) or 1)
        slow.append(min(max(mu[j] + step * importance, low), high))
    change = max(abs(a - b) for a, b in zip(slow, mu, strict=True))
    return [*moved, *told], [*slow, max(values), sum(values) / n_sets, step, sum(slow), change]


COMPARISONS = {
    "distance.class_distance_sums": (compare_class_distance_sums, 1e-10),
    "distance.index_from_sums": (compare_index_from_sums, 1e-10),
    "distance.number_distance_sums": (compare_number_distance_sums, 1e-10),
    "distance.subset_distance_sums": (compare_subset_distance_sums, 1e-10),
    "sampling.draw_sets": (compare_draw_sets,),
    "sampling.look_up": (compare_look_up,),
    "sampling.move_probabilities": (compare_move_probabilities, 1e-12),
}
