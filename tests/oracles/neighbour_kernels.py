"""Slow twins of the kernels that measure distances, mark neighbours and sum differences, and the comparisons.

Values are whole numbers and weights eighths, so that every sum is exact and the answers agree to the last bit.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np

from holdfast.kernels import incomplete, margins, neighbours
from oracles import neighbours as slow


def _rows(rng, n_samples, n_features, most=9):
    """A read-only table of small whole numbers, as float32 or float64."""
    X = rng.integers(0, most, size=(n_samples, n_features)).astype(rng.choice([np.float32, np.float64]))
    X.flags.writeable = False
    return X


def _eighths(rng, shape, *, share_of_zeros=0.0):
    values = rng.integers(-16, 17, size=shape) / 8
    return np.where(rng.random(shape) < share_of_zeros, 0.0, values)


def _run(rng, n_features):
    """From which feature to which."""
    first, last = np.sort(rng.choice(n_features + 1, 2, replace=False)).tolist()
    return first, last


def scale_columns(X, first, last, lowest, factor, scaled):
    """(x - lowest) · factor rounded half to even in place of what was there; 0 where the factor is."""
    for f in range(first, last):
        for r, row in enumerate(X):
            scaled[f - first][r] = float(round((row[f] - lowest[f]) * factor[f])) if factor[f] else 0.0
    return scaled


def compare_scale_columns(rng):
    n_features = int(rng.choice([1, 6, 40]))
    X = _rows(rng, int(rng.choice([1, 7, 33])), n_features, most=1000).copy()
    factor = rng.choice([0.0, 0.5, 1 / 3, 0.7, 2.0**41 / 3], size=n_features)
    X[rng.random(X.shape) < 0.1 * (factor == 0)] = nan
    X.flags.writeable = False
    lowest = rng.integers(-3, 1, size=n_features).astype(float)
    first, last = _run(rng, n_features)
    scaled = np.full((n_features + 2, len(X) + 3), -7.0)
    answer = scale_columns(X.tolist(), first, last, lowest.tolist(), factor.tolist(), scaled.tolist())
    neighbours.scale_columns(X, first, last, lowest, factor, scaled)
    return scaled.tolist(), answer


def add_smaller(scaled, sums):
    """Each sum plus Σ min(a, b) over the features, for samples i ≤ t."""
    n = len(sums)
    columns = list(zip(*scaled, strict=True))
    return [[sums[i][t] + sum(map(min, columns[i], columns[t])) for t in range(i, n)] for i in range(n)]


def _upper(matrix):
    return [row[i:] for i, row in enumerate(matrix)]


def compare_add_smaller(rng):
    # Tiles are 32 × 256 samples; samples come in lanes and features together, eight of each.
    n_samples = int(rng.choice([8, 40, 104, 264], p=[0.4, 0.3, 0.2, 0.1]))
    scaled = rng.integers(0, 2**40, size=(int(rng.choice([8, 24])), n_samples)).astype(float)
    sums = rng.integers(0, 2**40, size=(n_samples, n_samples)).astype(float)
    answer = add_smaller(scaled.tolist(), sums.tolist())
    neighbours.add_smaller(scaled, sums)
    return _upper(sums.tolist()), answer


def compare_smaller_to_distances(rng):
    n_samples = int(rng.choice([1, 5, 32, 70]))
    sums = rng.integers(0, 2**40, size=(n_samples, n_samples)).astype(float)
    own = rng.integers(0, 2**40, size=n_samples).astype(float)
    smaller, ends = sums.tolist(), own.tolist()
    answer = [[a + b - 2 * smaller[min(i, t)][max(i, t)] for t, b in enumerate(ends)] for i, a in enumerate(ends)]
    neighbours.smaller_to_distances(sums, own)
    return sums.tolist(), answer


def _grouped(rng):
    """Distances with many equal ones up to a tenth, and what every sample is to every other."""
    n_samples, n_groups = int(rng.choice([2, 9, 24])), int(rng.integers(1, 4))
    distances = rng.integers(0, 6, size=(n_samples, n_samples)) + rng.choice([-0.1, 0.0, 0.1], size=(n_samples,) * 2)
    group = rng.integers(0, n_groups, size=(n_samples, n_samples)).astype(np.int16)
    return distances, group, n_groups, int(rng.integers(1, 7))


def _members(group, i, g):
    return [t for t, own in enumerate(group[i]) if t != i and own == g]


def reaches(distances, group, n_groups, k):
    """The k-th smallest distance to each group, or the largest; -1 for a group with nobody."""
    rows = []
    for i, row in enumerate(distances):
        ordered = [sorted(row[t] for t in _members(group, i, g)) for g in range(n_groups)]
        rows.append([own[:k][-1] if own else -1.0 for own in ordered])
    return rows


def compare_group_reach(rng):
    distances, group, n_groups, k = _grouped(rng)
    reach = np.empty((len(distances), n_groups))
    neighbours.group_reach(distances, group, k, np.empty((n_groups, k)), reach)
    return reach.tolist(), reaches(distances.tolist(), group.tolist(), n_groups, k)


def compare_mark_nearest(rng):
    distances, group, n_groups, k = _grouped(rng)
    tie, ties = 0.25, str(rng.choice(["share", "first"]))
    reach = np.array(reaches(distances.tolist(), group.tolist(), n_groups, k))
    near = np.empty(distances.shape)
    counts = np.empty((2, n_groups), dtype=np.int64)
    neighbours.mark_nearest(distances, group, reach, k, tie, ties == "first", counts, near)
    answer = []
    for i, row in enumerate(distances.tolist()):
        found = {}
        for g in range(n_groups):
            found |= slow.nearest(row, _members(group.tolist(), i, g), k, tie, ties=ties)
        answer.append([found.get(t, 0.0) for t in range(len(row))])
    return near.tolist(), answer


def compare_mark_beyond(rng):
    n_samples = int(rng.choice([1, 8, 30]))
    distances, limit = rng.integers(0, 9, size=(n_samples,) * 2) / 2, rng.integers(0, 9, size=n_samples) / 2
    sign = float(rng.choice([-1.0, 1.0]))
    marked = np.empty(distances.shape)
    neighbours.mark_beyond(distances, limit, sign, marked)

    def is_marked(i, t):
        return i != t and (distances[i, t] > limit[i] if sign > 0 else distances[i, t] < limit[i])

    return marked.tolist(), [[float(is_marked(i, t)) for t in range(n_samples)] for i in range(n_samples)]


def compare_weigh_neighbours(rng):
    n_samples, n_classes = int(rng.choice([1, 8, 30])), 3
    near, coefficient = rng.random((n_samples, n_samples)), rng.normal(size=(n_samples, n_classes))
    number = rng.integers(0, n_classes, size=n_samples)
    answer = [[near[i, t] * coefficient[i, number[t]] for t in range(n_samples)] for i in range(n_samples)]
    neighbours.weigh_neighbours(near, coefficient, number)
    return near.tolist(), answer


def _listed_pairs(rng, n_samples):
    """For every sample some others, and what each of them counts."""
    lists = [rng.choice(n_samples, int(rng.integers(0, n_samples + 1)), replace=False) for _ in range(n_samples)]
    starts = np.cumsum([0, *map(len, lists)])
    others = np.concatenate(lists).astype(np.int64)
    return starts, others, _eighths(rng, len(others))


def _pair_sums(X, feature, starts, others, counts):
    """Σ count · |x_i - x_t| over the listed others t, for every sample i."""
    column = X[:, feature].tolist()
    places = [range(starts[i], starts[i + 1]) for i in range(len(column))]
    return [sum(counts[q] * abs(column[i] - column[others[q]]) for q in own) for i, own in enumerate(places)]


def compare_add_weighted_differences(rng):
    n_features = int(rng.choice([1, 9, 150]))
    X = _rows(rng, int(rng.choice([2, 9, 25])), n_features)
    pairs = _listed_pairs(rng, len(X))
    first, last = _run(rng, n_features)
    sums = _eighths(rng, n_features)
    answer = [s + (sum(_pair_sums(X, f, *pairs)) if first <= f < last else 0.0) for f, s in enumerate(sums.tolist())]
    rows = np.empty((len(X), int(rng.choice([1, 4, 64]))))
    neighbours.add_weighted_differences(X, first, last, *pairs, rows, sums)
    return sums.tolist(), answer


def pairs_that_count(weights):
    """For every sample the later ones for which either weight is not 0, and the sum of the two weights."""
    n = len(weights)
    return [
        {t: weights[i][t] + weights[t][i] for t in range(i + 1, n) if weights[i][t] or weights[t][i]} for i in range(n)
    ]


def _pair_weights(rng):
    n_samples = int(rng.choice([1, 2, 9, 30]))
    weights = _eighths(rng, (n_samples, n_samples), share_of_zeros=0.6)
    found = pairs_that_count(weights.tolist())
    return weights, found, np.cumsum([0, *map(len, found)])


def compare_count_pairs(rng):
    weights, _, answer = _pair_weights(rng)
    starts = np.empty(len(weights) + 1, dtype=np.int64)
    neighbours.count_pairs(weights, starts)
    return starts.tolist(), answer.tolist()


def compare_list_pairs(rng):
    weights, found, starts = _pair_weights(rng)
    others, both = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1])
    neighbours.list_pairs(weights, starts, others, both)
    pairs = [pair for own in found for pair in own.items()]
    return list(zip(others.tolist(), both.tolist(), strict=True)), pairs


def compare_sample_margins(rng):
    n_features = int(rng.choice([1, 9, 40]))
    X = _rows(rng, int(rng.choice([2, 9, 25])), n_features)
    pairs, factor = _listed_pairs(rng, len(X)), rng.choice([0.0, 0.5, 2.0], size=n_features)
    first, last = _run(rng, n_features)
    found = np.full((len(X), last - first + 2), -7.0)
    margins.sample_margins(X, first, last, *pairs, factor, found)
    columns = [[s * factor[f] for s in _pair_sums(X, f, *pairs)] for f in range(first, last)]
    rest = [[-7.0] * len(X)] * 2
    return found.T.tolist(), columns + rest


def compare_feature_margins(rng):
    n_samples, n_features = int(rng.choice([3, 8, 30])), 5
    columns = np.ascontiguousarray(_rows(rng, n_samples, n_features, most=int(rng.choice([2, 6, 1000]))).T)
    target, factor = rng.integers(0, 3, size=n_samples), rng.choice([0.0, 0.5, 2.0], size=n_features)
    found = np.empty((n_samples, n_features))
    order = np.argsort(columns, axis=1)
    margins.feature_margins(columns, order, target, factor, np.empty((3, max(n_samples, 3))), found)
    fast, answer = [], []
    for i, own in enumerate(target.tolist()):
        hits = [t for t in range(n_samples) if t != i and target[t] == own]
        misses = [t for t in range(n_samples) if target[t] != own]
        if hits and misses:
            fast.append(found[i].tolist())
            answer.append(
                [
                    (min(abs(c[i] - c[t]) for t in misses) - min(abs(c[i] - c[t]) for t in hits)) * f
                    for c, f in zip(columns.tolist(), factor.tolist(), strict=True)
                ]
            )
    return fast, answer


def compare_track_margins(rng):
    """Two blocks of features, one after the other."""
    n_samples, size = int(rng.choice([1, 6])), int(rng.integers(1, 5))
    widths = rng.integers(1, 8, size=2).tolist()
    margin, factor = _eighths(rng, (n_samples, sum(widths))), rng.choice([0.0, 0.5], size=sum(widths), p=[0.2, 0.8])
    best, least = np.full((n_samples, size), -inf), np.full(n_samples, inf)
    totals = _eighths(rng, sum(widths))
    answer = [t + sum(margin[:, f].tolist()) for f, t in enumerate(totals.tolist())]
    for run in (slice(0, widths[0]), slice(widths[0], sum(widths))):
        block = np.column_stack([margin[:, run], np.full(n_samples, 99.0)])
        margins.track_margins(block, factor[run], best, least, totals[run])
    kept = [[m for m, f in zip(row, factor, strict=True) if f] for row in margin.tolist()]
    leading = [(sorted(row, reverse=True) + [-inf] * size)[:size] for row in kept]
    lowest = [min(row, default=inf) for row in kept]
    return [best.tolist(), least.tolist(), totals.tolist()], [leading, lowest, answer]


def compare_sample_differences(rng):
    n_samples, n_classes = int(rng.choice([3, 8, 20])), int(rng.integers(2, 4))
    target, is_nominal = rng.integers(0, n_classes, size=n_samples), bool(rng.integers(2))
    column = rng.integers(0, 4, size=n_samples).astype(float)
    column[:2] = rng.permutation([1.0, 3.0])
    column[2:][rng.random(n_samples - 2) < rng.choice([0.0, 0.3, 0.8])] = nan
    scratch = np.empty((n_samples, n_classes)), np.empty((n_classes, n_classes)), np.empty(n_classes, np.int64)
    found = np.empty((n_samples, n_samples))
    incomplete.sample_differences(column, is_nominal, target, *scratch, found)
    return found, slow.differences(column.tolist(), target.tolist(), scale="none", nominal=is_nominal)
