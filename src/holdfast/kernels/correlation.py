"""Pearson correlation of one column with many, summed in sample order so that every search sees the same bits."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel
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
def correlate(X: Array, centre: Array, scale: Array, other: Array, result: Array) -> None:
    """Correlation of every column of X with ``other``, which is centred and of length 1 already."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        factor = scale[first:last]
        total = result[first:last]
        for f in range(total.shape[0]):
            total[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            weight = other[r]
            for f in range(row.shape[0]):
                total[f] += (row[f] - mean[f]) * factor[f] * weight
