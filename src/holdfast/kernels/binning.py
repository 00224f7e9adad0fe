"""Cut values into levels: mean ± σ/2 straight to bit masks, and given cut points to byte codes.

The matrix is read in blocks of columns that stay in the cache, row by row, so one pass over memory does and the
inner loops run over neighbouring features. They run over slices that start at 0: an index that numba cannot prove
to be non-negative costs it the vector instructions, and eight times the time.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel, popcount

BLOCK = 256
# A value this close to a threshold, in units of σ or of a bin, counts as on it: rounding must not decide its level.
SLACK = 1e-9


@kernel
def mean_sigma_limits(X: Array, width: float, centre: Array, reach: Array) -> None:
    """Mean of each feature and width·σ (n - 1 in σ); a feature without spread gets an infinite reach."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        spread = reach[first:last]
        for f in range(mean.shape[0]):
            mean[f] = 0.0
            spread[f] = 0.0
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
                spread[f] += row[f] - mean[f]
        for f in range(mean.shape[0]):
            mean[f] += spread[f] / n_samples
            spread[f] = 0.0
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                deviation = row[f] - mean[f]
                spread[f] += deviation * deviation
        for f in range(mean.shape[0]):
            sigma = np.sqrt(spread[f] / (n_samples - 1))
            if sigma > 1e-14 * abs(mean[f]):
                spread[f] = sigma * (width + SLACK)
            else:
                spread[f] = np.inf


@kernel
def three_levels(X: Array, centre: Array, reach: Array, bits: Array, sizes: Array, spare: Array) -> None:
    """Masks and sizes of the middle (level 1) and the high values (level 2); below is level 0."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        mean = centre[first:last]
        limit = reach[first:last]
        above = spare[0, : last - first]
        high = spare[1, : last - first]
        for w in range(bits.shape[2]):
            for f in range(mean.shape[0]):
                above[f] = np.uint64(0)
                high[f] = np.uint64(0)
            for r in range(64 * w, min(64 * w + 64, n_samples)):
                row = X[r, first:last]
                shift = np.uint64(r & 63)
                for f in range(row.shape[0]):
                    deviation = row[f] - mean[f]
                    above[f] |= np.uint64(deviation >= -limit[f]) << shift
                    high[f] |= np.uint64(deviation > limit[f]) << shift
            for f in range(mean.shape[0]):
                middle = above[f] & ~high[f]
                bits[first + f, 0, w] = middle
                bits[first + f, 1, w] = high[f]
                sizes[first + f, 0] += popcount(middle)
                sizes[first + f, 1] += popcount(high[f])


@kernel
def column_range(X: Array, lowest: Array, highest: Array) -> None:
    """Smallest and largest value of each feature."""
    for f in range(lowest.shape[0]):
        lowest[f] = X[0, f]
        highest[f] = X[0, f]
    for r in range(1, X.shape[0]):
        row = X[r]
        for f in range(lowest.shape[0]):
            lowest[f] = min(lowest[f], row[f])
            highest[f] = max(highest[f], row[f])


@kernel
def whole_levels(X: Array, most: int, levels: Array) -> bool:
    """Write byte codes (features × samples) if all values are whole and from 0 to below ``most``; else say False."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        n_wrong = 0
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                n_wrong += (row[f] < 0.0) | (row[f] >= most) | (row[f] != np.floor(row[f]))
        if n_wrong:
            return False
        block = levels[first:last]
        for r in range(n_samples):
            row = X[r, first:last]
            for f in range(row.shape[0]):
                block[f, r] = np.uint8(row[f])
    return True


@kernel
def assign_levels(X: Array, cuts: Array, first_cut: Array, levels: Array) -> None:
    """Byte codes (features × samples): how many of a feature's cut points lie below the value."""
    n_samples, n_features = X.shape
    for first in range(0, n_features, BLOCK):
        for f in range(first, min(first + BLOCK, n_features)):
            start = first_cut[f]
            end = first_cut[f + 1]
            if start == end:
                levels[f, :] = 0
                continue
            for r in range(n_samples):
                value = X[r, f]
                level = 0
                while start + level < end and value > cuts[start + level]:
                    level += 1
                levels[f, r] = level
