"""Clusters of features around medoids, on a table of what every pair of features shares.

The table holds whole numbers: symmetrical uncertainty in steps so fine that no tie depends on them, 0 on the diagonal.
A sum of whole numbers is the same in any order, so that sums over clusters can be kept while features come and go.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.information import joint_sum
from holdfast.kernels.lazy import TIE

# Rows and columns of the table that are filled together, so that both halves of it are written from the cache.
_TILE = 64


@kernel
def fill_uncertainties(
    bits: Array, sizes: Array, n_levels: Array, levels: Array, margins: Array, table: Array, unit: float,
    first: int, last: int, scale: float, scratch: Array, entries: Array,
) -> None:  # fmt: skip
    """Symmetrical uncertainty times ``scale`` of variables first … last-1 with all before them, on both sides."""
    whole = table[table.shape[0] - 1]
    for start in range(0, last, _TILE):
        for f in range(max(first, start), last):
            for g in range(start, min(start + _TILE, f)):
                joint = joint_sum(bits, sizes, n_levels, levels, f, bits, sizes, n_levels, levels, g, table, scratch)
                information = (whole - margins[f] - margins[g] + joint) * unit
                entry = np.int64(0)
                if information >= TIE:
                    total = (whole - margins[f] + whole - margins[g]) * unit
                    entry = np.int64(np.rint(min(1.0, 2.0 * information / total) * scale))
                entries[f, g] = entry
                entries[g, f] = entry


@inlined
def _distance(entries: Array, unit: float, relevance: Array, f: int, medoid: int) -> Any:
    return 0.5 * (1.0 - np.int64(entries[medoid, f]) * unit + abs(relevance[f] - relevance[medoid]))


@kernel
def nearest_medoids(
    entries: Array, unit: float, relevance: Array, medoids: Array, numbers: Array,
    labels: Array, own: Array, other: Array,
) -> Any:  # fmt: skip
    """Label every feature with the number of its nearest medoid, the lowest of equally near ones; count such ties.

    ``medoids`` ascend. ``own`` becomes the distance to that medoid, ``other`` to the nearest of the others, infinite if
    there are none. A medoid belongs to itself.
    """
    n_ties = 0
    n_passed = 0
    for f in range(labels.shape[0]):
        is_medoid = n_passed < medoids.shape[0] and medoids[n_passed] == f
        nearest = second = np.inf
        chosen = n_passed
        for c in range(medoids.shape[0]):
            distance = _distance(entries, unit, relevance, f, medoids[c])
            if is_medoid and c == n_passed:
                continue
            if distance < nearest:
                second = nearest
                nearest = distance
                chosen = c
            elif distance < second:
                second = distance
        if is_medoid:
            chosen = n_passed
            n_passed += 1
            second = nearest
            nearest = 0.0
        elif second <= nearest + TIE:
            n_ties += 1
            limit = nearest + TIE
            least = nearest
            for c in range(chosen):
                distance = _distance(entries, unit, relevance, f, medoids[c])
                if distance <= limit:
                    second = least
                    nearest = distance
                    chosen = c
                    break
        labels[f] = numbers[chosen]
        own[f] = nearest
        other[f] = second
    return n_ties


@kernel
def share_in_clusters(entries: Array, before: Array, labels: Array, members: Array, starts: Array, sums: Array) -> None:
    """Bring the sum of each feature's entries with its own cluster from the labels before to those of now.

    ``members`` lists the features cluster by cluster, cluster c from ``starts[c]`` on. A feature that was in no cluster
    had the label -1, and clusters of before may be gone. Only the rows of features that moved are read, for the table
    is larger than any cache.
    """
    for g in range(labels.shape[0]):
        old, new = before[g], labels[g]
        if old == new:
            continue
        total = np.int64(0)
        for position in range(starts[new], starts[new + 1]):
            f = members[position]
            entry = np.int64(entries[g, f])
            total += entry
            if before[f] == new:
                sums[f] += entry
        sums[g] = total
        if 0 <= old < starts.shape[0] - 1:
            for position in range(starts[old], starts[old + 1]):
                f = members[position]
                if before[f] == old:
                    sums[f] -= np.int64(entries[g, f])
