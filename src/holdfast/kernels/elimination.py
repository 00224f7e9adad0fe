"""Rounds of SVM-RFE in one compiled call, for as long as nothing unusual happens in one."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel
from holdfast.kernels.svm import approach

LANES = 8
DONE, NOT_SETTLED, TIED = 0, 1, 2


@kernel
def weigh(values: Array, left: Array, n_left: int, dual: Array, lanes: Array, weights: Array) -> None:
    """Absolute weights of some features (rows of values): |Σ dual · value|, in lanes whose order is fixed."""
    n_samples = len(dual)
    n_whole = n_samples - n_samples % LANES
    for k in range(n_left):
        row = values[left[k]]
        for lane in range(LANES):
            lanes[lane] = 0.0
        for i in range(0, n_whole, LANES):
            for lane in range(LANES):
                lanes[lane] += row[i + lane] * dual[i + lane]
        total = 0.0
        for lane in range(LANES):
            total += lanes[lane]
        for i in range(n_whole, n_samples):
            total += row[i] * dual[i]
        weights[k] = abs(total)


@kernel
def nth_largest(values: Array, n_values: int, n: int, scratch: Array) -> float:
    """The n-th largest of some values, 1 for the largest."""
    for k in range(n_values):
        scratch[k] = values[k]
    low, high = 0, n_values - 1
    place = n - 1
    while low < high:
        pivot = scratch[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while scratch[i] > pivot:
                i += 1
            while scratch[j] < pivot:
                j -= 1
            if i <= j:
                scratch[i], scratch[j] = scratch[j], scratch[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            break
    return float(scratch[place])


@kernel
def add_products(values: Array, features: Array, n_features: int, sign: float, gram: Array) -> None:
    """Add the products of samples in some features to all inner products, or subtract them; four features at a time."""
    n_samples = gram.shape[0]
    n_whole = n_features - n_features % 4
    for k in range(0, n_whole, 4):
        a, b = values[features[k]], values[features[k + 1]]
        c, d = values[features[k + 2]], values[features[k + 3]]
        for i in range(n_samples):
            row = gram[i]
            ai, bi, ci, di = sign * a[i], sign * b[i], sign * c[i], sign * d[i]
            for j in range(row.shape[0]):
                row[j] += ai * a[j] + bi * b[j] + ci * c[j] + di * d[j]
    for k in range(n_whole, n_features):
        a = values[features[k]]
        for i in range(n_samples):
            row = gram[i]
            ai = sign * a[i]
            for j in range(row.shape[0]):
                row[j] += ai * a[j]


@kernel
def eliminate(
    values: Array, is_constant: Array, gram: Array, label: Array, lowest: Array, highest: Array, dual: Array,
    left: Array, sizes: Array, slack: Array, free: Array, factor: Array, sums: Array, lanes: Array,
    weights: Array, scratch: Array, dropped: Array, state: Array, formed: Array,
    strength: Array, rounds: Array, notes: Array,
    loose: float, steps_per_sample: int, exact: float, rounding: float, max_changes: int, max_refined: int,
    noise: float, tie: float, form_anew: float,
) -> int:  # fmt: skip
    """Fit and drop from ``sizes[0]`` features down to the last size, or to a round that someone else must do.

    ``state[0]`` counts the rounds done; ``left``, ``gram`` and ``dual`` are those of the next one. ``formed`` is the
    trace of the matrix when it was last formed from the features. For every feature, ``rounds`` counts the rounds it
    took part in, and ``strength`` is its weight over the largest in the last of them (-1 for a constant). For every
    round, ``notes`` hold what is noise in that and the largest weight over the sum of all.
    """
    n_samples = len(dual)
    for step in range(len(sizes) - 1):
        n_left, n_keep = sizes[step], sizes[step + 1]
        state[0] = step
        trace = 0.0
        for i in range(n_samples):
            trace += gram[i, i]
        mean_square = trace / n_samples
        gap = approach(
            gram, label, lowest, highest, dual, slack, free, factor, sums,
            loose, steps_per_sample * n_samples, exact, rounding * mean_square, max_changes, max_refined,
        )  # fmt: skip
        if gap < 0.0:
            return NOT_SETTLED
        weigh(values, left, n_left, dual, lanes, weights)
        total = 0.0
        for i in range(n_samples):
            total += abs(dual[i])
        floor = noise * total * np.sqrt(mean_square) / np.sqrt(n_left)
        largest = 0.0
        for k in range(n_left):
            if weights[k] <= floor:
                weights[k] = 0.0
            largest = max(largest, weights[k])
        if largest == 0.0:
            return TIED
        total = 0.0
        for k in range(n_left):
            total += weights[k]
            weights[k] = -1.0 if is_constant[left[k]] else weights[k] / largest
        last = nth_largest(weights, n_left, n_keep, scratch)
        reach = last - max(tie, floor / largest)
        n_dropped = 0
        for k in range(n_left):
            if weights[k] < reach:
                dropped[n_dropped] = left[k]
                n_dropped += 1
        if n_left - n_dropped != n_keep:
            return TIED
        n_left = 0
        notes[step, 0] = floor / largest
        notes[step, 1] = largest / total
        for k in range(sizes[step]):
            strength[left[k]] = weights[k]
            rounds[left[k]] = step + 1
            if weights[k] >= reach:
                left[n_left] = left[k]
                n_left += 1
        add_products(values, dropped, n_dropped, -1.0, gram)
        trace = 0.0
        for i in range(n_samples):
            trace += gram[i, i]
        if trace * form_anew < formed[0]:
            gram[:, :] = 0.0
            add_products(values, left, n_left, 1.0, gram)
            formed[0] = 0.0
            for i in range(n_samples):
                formed[0] += gram[i, i]
    state[0] = len(sizes) - 1
    return DONE
