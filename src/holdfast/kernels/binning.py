"""Cut values into levels: a middle and its sides straight to bit masks, given cut points or whole numbers to bytes."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel, popcount
from holdfast.kernels.moments import BLOCK


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
    """Smallest and largest value of each feature; NaN if any value is."""
    for f in range(lowest.shape[0]):
        lowest[f] = X[0, f]
        highest[f] = X[0, f]
    for r in range(1, X.shape[0]):
        row = X[r]
        for f in range(lowest.shape[0]):
            value = row[f]
            # A comparison with NaN is false, so these are kept once there, and taken when they come.
            lowest[f] = lowest[f] if not lowest[f] > value and value == value else value
            highest[f] = highest[f] if not highest[f] < value and value == value else value


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
