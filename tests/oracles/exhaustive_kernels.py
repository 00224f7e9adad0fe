"""Slow twins of the kernels that try all subsets of a size, and the comparisons."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from holdfast.kernels import exhaustive
from holdfast.kernels.information import log_table
from holdfast.kernels.partitions import ENTROPY, RISK
from holdfast.search.exhaustive import _ByMasks, _BySamples


def renumber(row):
    """Levels by the order in which they appear."""
    first = {}
    return [first.setdefault(level, len(first)) for level in row]


def compare_renumber(rng):
    most = int(rng.choice([1, 2, 3, 16, 255]))
    levels = rng.integers(0, most, size=(int(rng.integers(0, 6)), int(rng.choice([1, 20, 300])))).astype(np.uint8)
    slow = [renumber(row) for row in levels.tolist()]
    number, n_levels = np.full(256, -1), np.zeros(len(levels), dtype=np.int64)
    exhaustive.renumber(levels, number, n_levels)
    assert (number == -1).all()
    return [levels.tolist(), n_levels.tolist()], [slow, [len(set(row)) for row in slow]]


def value(rows, y, kind, table):
    """The value of a partition, in the kernels' whole numbers."""
    total = 0
    for block, size in Counter(rows).items():
        counts = Counter(c for row, c in zip(rows, y, strict=True) if row == block).values()
        total += size - max(counts) if kind == RISK else table[size] - sum(table[count] for count in counts)
    return total


def try_subsets(levels, y, kind, table, size, limit, best):
    """After each subset tried: how many it are, and the lowest value so far; and the subset it ended with, or None."""
    for n_tried, subset in enumerate(combinations(range(len(levels)), size), 1):
        found = value(list(zip(*(levels[f] for f in subset), strict=True)), y, kind, table)
        best = min(best, found)
        if found <= limit:
            return n_tried, best, list(subset)
    return n_tried, best, None


def _compare(rng, kind_of_search, most_levels):
    n_samples, n_features = int(rng.choice([2, 9, 40, 64, 65, 130])), int(rng.integers(1, 9))
    n_levels = rng.integers(1, most_levels + 1, size=n_features)
    y = rng.permutation(np.arange(n_samples) % int(rng.integers(2, 5))).astype(np.uint8)
    levels = np.array([renumber(rng.integers(0, k, size=n_samples).tolist()) for k in n_levels], dtype=np.uint8)
    copies = rng.random(n_samples) < 0.8
    levels[0] = renumber(np.where(copies, y, levels[0]).tolist())
    kind = int(rng.choice([RISK, ENTROPY]))
    table = log_table(n_samples)[0]
    size = int(rng.integers(1, n_features + 1))
    values = [
        value([tuple(levels[list(subset), r]) for r in range(n_samples)], y.tolist(), kind, table.tolist())
        for subset in combinations(range(n_features), size)
    ]
    limit = int(rng.choice([-1, 0, min(values), *values]))
    best = int(max([limit + 1, *values])) + int(rng.integers(0, 2))
    n_classes = int(y.max()) + 1
    search = kind_of_search(levels, levels.max(axis=1).astype(np.int64) + 1, y, n_classes, kind, table)
    beginning, state = np.arange(size - 1), np.zeros(exhaustive.N_STATE, dtype=np.int64)
    state[exhaustive.BEST], state[exhaustive.LAST] = best, -1
    scratch = search._scratch(size)
    n_tried = 0
    while not state[exhaustive.IS_OVER] and state[exhaustive.LAST] < 0:
        n_tried += search._try(limit, int(rng.integers(1, 12)), beginning, state, scratch)
    last = int(state[exhaustive.LAST])
    fast = n_tried, int(state[exhaustive.BEST]), [*beginning.tolist(), last] if last >= 0 else None
    return fast, try_subsets(levels.tolist(), y.tolist(), kind, table.tolist(), size, limit, best)


def compare_try_subsets(rng):
    return _compare(rng, _ByMasks, int(rng.choice([2, 3, 6])))


def compare_try_subsets_by_samples(rng):
    return _compare(rng, _BySamples, int(rng.choice([2, 3, 6, 40])))


COMPARISONS = {
    "exhaustive.renumber": (compare_renumber, 0.0),
    "exhaustive.try_subsets": (compare_try_subsets, 0.0),
    "exhaustive.try_subsets_by_samples": (compare_try_subsets_by_samples, 0.0),
}
