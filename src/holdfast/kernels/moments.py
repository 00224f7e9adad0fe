"""Means and sums of squares by class, in one pass over memory."""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel
from holdfast.kernels.binning import BLOCK


@kernel
def class_moments(X: Array, target: Array, sizes: Array, means: Array, squares: Array) -> None:
    """Mean of every class (classes × features) and sum of squared deviations from it."""
    n_samples, n_features = X.shape
    n_classes = means.shape[0]
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        for c in range(n_classes):
            mean = means[c, first:last]
            square = squares[c, first:last]
            for f in range(mean.shape[0]):
                mean[f] = 0.0
                square[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            mean = means[target[r], first:last]
            for f in range(row.shape[0]):
                mean[f] += row[f]
        for c in range(n_classes):
            mean = means[c, first:last]
            for f in range(mean.shape[0]):
                mean[f] /= sizes[c]
        for r in range(n_samples):
            row = X[r, first:last]
            mean = means[target[r], first:last]
            square = squares[target[r], first:last]
            for f in range(row.shape[0]):
                deviation = row[f] - mean[f]
                square[f] += deviation * deviation
