"""Means and sums of squares, over all samples and by class.

The matrix is read in blocks of columns that stay in the cache, row by row, so one pass over memory does and the
inner loops run over neighbouring features. They run over slices that start at 0: an index that numba cannot prove
to be non-negative costs it the vector instructions, and eight times the time.
"""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel

BLOCK = 256


@kernel
def column_moments(X: Array, means: Array, squares: Array) -> None:
    """Mean of every column and sum of squared deviations from it."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = means[first:last]
        square = squares[first:last]
        for f in range(mean.shape[0]):
            mean[f] = 0.0
            square[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                mean[f] += row[f]
        for f in range(mean.shape[0]):
            mean[f] /= n_samples
        # The second sum takes out what rounding left in the first.
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                square[f] += row[f] - mean[f]
        for f in range(mean.shape[0]):
            mean[f] += square[f] / n_samples
            square[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                deviation = row[f] - mean[f]
                square[f] += deviation * deviation


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
