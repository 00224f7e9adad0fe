"""Pearson correlation of one column with many, summed in one order so that every search sees the same bits."""

from __future__ import annotations

from typing import Any

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.moments import BLOCK


@kernel
def correlate(X: Array, centre: Array, scale: Array, other: Array, result: Array, partial: Array) -> None:
    """Correlation of every column of X with ``other``, which is centred and of length 1 already.

    Summed as ``column_product`` does, over many columns at once; ``partial`` is 8 × BLOCK of scratch.
    """
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        factor = scale[first:last]
        for part in range(8):
            total = partial[part, : last - first]
            for f in range(total.shape[0]):
                total[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            total = partial[r & 7, : last - first]
            weight = other[r]
            for f in range(row.shape[0]):
                total[f] += (row[f] - mean[f]) * factor[f] * weight
        answer = result[first:last]
        for f in range(answer.shape[0]):
            left = (partial[0, f] + partial[1, f]) + (partial[2, f] + partial[3, f])
            right = (partial[4, f] + partial[5, f]) + (partial[6, f] + partial[7, f])
            answer[f] = left + right


@kernel
def standardise(X: Array, centre: Array, scale: Array, columns: Array) -> None:
    """Columns of X, centred and of length 1, as rows."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        factor = scale[first:last]
        # Eight samples at a time fill one cache line of a row of the result.
        for start in range(0, n_samples, 8):
            rows = X[start : min(start + 8, n_samples), first:last]
            block = columns[first:last, start : min(start + 8, n_samples)]
            for f in range(rows.shape[1]):
                for r in range(rows.shape[0]):
                    block[f, r] = (rows[r, f] - mean[f]) * factor[f]


@inlined
def column_product(columns: Array, f: int, g: int, partial: Array) -> Any:
    """Σ of the products of two rows of ``columns``, in eight sums that need not wait for each other."""
    left = columns[f]
    right = columns[g]
    n_whole = left.shape[0] & ~7
    for part in range(8):
        partial[part] = 0.0
    for r in range(0, n_whole, 8):
        for part in range(8):
            partial[part] += left[r + part] * right[r + part]
    for r in range(n_whole, left.shape[0]):
        partial[r - n_whole] += left[r] * right[r]
    low = (partial[0] + partial[1]) + (partial[2] + partial[3])
    high = (partial[4] + partial[5]) + (partial[6] + partial[7])
    return low + high
