"""Margins of single samples: how much farther a feature puts the nearest miss than the nearest hit."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel


@kernel
def sample_margins(
    X: Array, first: int, last: int, starts: Array, others: Array, counts: Array, factor: Array, margins: Array
) -> None:
    """Σ count · |x_i - x_t| · factor over the neighbours t of every sample i, for features first to last.

    Neighbours of sample i are ``starts[i]`` to ``starts[i + 1]`` in ``others`` and ``counts``.
    """
    times = factor[first:last]
    for i in range(X.shape[0]):
        own = X[i, first:last]
        margin = margins[i, : last - first]
        for f in range(margin.shape[0]):
            margin[f] = 0.0
        for place in range(starts[i], starts[i + 1]):
            other = X[others[place], first:last]
            count = counts[place]
            for f in range(margin.shape[0]):
                # In 64 bits also for a table of 32.
                margin[f] += count * abs(np.float64(own[f]) - np.float64(other[f]))
        for f in range(margin.shape[0]):
            margin[f] *= times[f]


@kernel
def feature_margins(columns: Array, order: Array, target: Array, factor: Array, nearest: Array, margins: Array) -> None:
    """Margins with neighbours sought in each feature by itself; a sample without hit or miss has none worth reading.

    ``columns`` and ``order`` hold one feature per row. ``nearest`` is scratch: distances to hit and miss of each
    sample, then the last value of each class, so 3 × the larger of samples and classes.
    """
    n_features, n_samples = columns.shape
    nothing = 1e300
    hit = nearest[0]
    miss = nearest[1]
    of_class = nearest[2]
    for f in range(n_features):
        column = columns[f]
        for r in range(n_samples):
            hit[r] = nothing
            miss[r] = nothing
        for sweep in range(2):
            for c in range(of_class.shape[0]):
                of_class[c] = nothing
            last_class = -1
            last_value = nothing
            other_value = nothing
            for place in range(n_samples):
                r = order[f, place] if sweep == 0 else order[f, n_samples - 1 - place]
                own = target[r]
                value = column[r]
                if of_class[own] != nothing:
                    hit[r] = min(hit[r], abs(value - of_class[own]))
                seen = other_value if own == last_class else last_value
                if seen != nothing:
                    miss[r] = min(miss[r], abs(value - seen))
                if own != last_class:
                    other_value = last_value
                    last_class = own
                last_value = value
                of_class[own] = value
        for r in range(n_samples):
            margins[r, f] = (miss[r] - hit[r]) * factor[f]


@kernel
def track_margins(margins: Array, factor: Array, best: Array, least: Array, totals: Array) -> None:
    """Keep the best margins of every sample (falling), its least, and add to the total of every feature.

    Features of factor 0 do not take part.
    """
    size = best.shape[1]
    for i in range(best.shape[0]):
        row = margins[i, : factor.shape[0]]
        leading = best[i]
        lowest = least[i]
        for f in range(row.shape[0]):
            value = row[f]
            totals[f] += value
            if factor[f] > 0.0:
                if value < lowest:
                    lowest = value
                if value > leading[size - 1]:
                    place = size - 1
                    while place > 0 and leading[place - 1] < value:
                        leading[place] = leading[place - 1]
                        place -= 1
                    leading[place] = value
        least[i] = lowest
