"""Pearson correlation of one column with many, summed in one order so that every search sees the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.binning import BLOCK


@kernel
def centre_and_scale(X: Array, centre: Array, scale: Array) -> None:
    """Mean of each column and one over the length of the centred column, 0 for a constant one."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        length = scale[first:last]
        for f in range(mean.shape[0]):
            mean[f] = 0.0
            length[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                mean[f] += row[f]
        for f in range(mean.shape[0]):
            mean[f] /= n_samples
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                deviation = row[f] - mean[f]
                length[f] += deviation * deviation
        for f in range(mean.shape[0]):
            norm = np.sqrt(length[f])
            is_constant = norm <= 1e-14 * np.sqrt(n_samples) * abs(mean[f])
            length[f] = 0.0 if is_constant else 1.0 / norm


@kernel
def correlate(X: Array, centre: Array, scale: Array, other: Array, result: Array, partial: Array) -> None:
    """Correlation of every column of X with ``other``, which is centred and of length 1 already.

    Summed as ``column_product`` does, over many columns at once; ``partial`` is 4 × BLOCK of scratch.
    """
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        factor = scale[first:last]
        for part in range(4):
            total = partial[part, : last - first]
            for f in range(total.shape[0]):
                total[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            total = partial[r & 3, : last - first]
            weight = other[r]
            for f in range(row.shape[0]):
                total[f] += (row[f] - mean[f]) * factor[f] * weight
        answer = result[first:last]
        for f in range(answer.shape[0]):
            answer[f] = (partial[0, f] + partial[1, f]) + (partial[2, f] + partial[3, f])


@inlined
def column_product(columns: Array, f: int, g: int) -> Any:
    """Σ of the products of two rows of ``columns``, in four sums that do not wait for each other."""
    a = b = c = d = 0.0
    n_samples = columns.shape[1]
    n_whole = n_samples & ~3
    for r in range(0, n_whole, 4):
        a += columns[f, r] * columns[g, r]
        b += columns[f, r + 1] * columns[g, r + 1]
        c += columns[f, r + 2] * columns[g, r + 2]
        d += columns[f, r + 3] * columns[g, r + 3]
    if n_samples > n_whole:
        a += columns[f, n_whole] * columns[g, n_whole]
    if n_samples > n_whole + 1:
        b += columns[f, n_whole + 1] * columns[g, n_whole + 1]
    if n_samples > n_whole + 2:
        c += columns[f, n_whole + 2] * columns[g, n_whole + 2]
    return (a + b) + (c + d)
