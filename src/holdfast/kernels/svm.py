"""The dual of a linear SVM on a Gram matrix, by sequential minimal optimisation, and features laid out for it.

A sample's dual variable carries the sign of its class here: it lies between 0 and C for one class, between -C and 0
for the other, and all of them add up to 0.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel

_TILE = 64


@kernel
def lay_out_features(X: Array, shift: Array, factor: Array, features: Array) -> None:
    """Turn rows of samples into rows of features, each shifted and scaled; in tiles, so that both sides stay cached."""
    n_samples, n_features = X.shape
    for start in range(0, n_features, _TILE):
        stop = min(start + _TILE, n_features)
        for i in range(n_samples):
            for f in range(start, stop):
                features[f, i] = (X[i, f] - shift[f]) * factor[f]


@kernel
def optimise(
    gram: Array, lowest: Array, highest: Array, dual: Array, slack: Array, tolerance: float, max_steps: int
) -> tuple[int, float]:
    """Improve the pair of dual variables that promises most, until no pair violates the optimum by the tolerance.

    ``slack`` is label - gram·dual, kept up to date. Returns the steps taken and the largest violation left.
    """
    n_samples = len(dual)
    for step in range(max_steps):
        up, best_up = -1, -1e308
        lowest_down = 1e308
        for i in range(n_samples):
            if dual[i] < highest[i] and slack[i] > best_up:
                up, best_up = i, slack[i]
            if dual[i] > lowest[i] and slack[i] < lowest_down:
                lowest_down = slack[i]
        gap = best_up - lowest_down
        if up < 0 or gap <= tolerance:
            return step, max(gap, 0.0)
        down, best_gain = -1, -1.0
        for i in range(n_samples):
            if dual[i] > lowest[i] and slack[i] < best_up:
                curvature = max(gram[up, up] + gram[i, i] - 2.0 * gram[up, i], 1e-300)
                difference = best_up - slack[i]
                gain = difference * difference / curvature
                if gain > best_gain:
                    down, best_gain = i, gain
        curvature = gram[up, up] + gram[down, down] - 2.0 * gram[up, down]
        room_up, room_down = highest[up] - dual[up], dual[down] - lowest[down]
        room = min(room_up, room_down)
        change = room
        if (best_up - slack[down]) < room * curvature:
            change = (best_up - slack[down]) / curvature
        dual[up] = highest[up] if change >= room_up else dual[up] + change
        dual[down] = lowest[down] if change >= room_down else dual[down] - change
        for i in range(n_samples):
            slack[i] -= change * (gram[up, i] - gram[down, i])
    return max_steps, gap


@inlined
def _find_slack(gram: Array, label: Array, dual: Array, slack: Array) -> None:
    """What the label of each sample exceeds its decision value by."""
    for i in range(len(dual)):
        slack[i] = label[i]
    for j in range(len(dual)):
        if dual[j] != 0.0:
            row = gram[j]
            value = dual[j]
            for i in range(len(slack)):
                slack[i] -= value * row[i]


@inlined
def _factorise(gram: Array, free: Array, n_free: int, factor: Array) -> bool:
    """Cholesky factor of the inner products of the free samples, row j of it in row j; whether it is that exactly.

    Where a sample depends on the others, a small number is added: most of what it distorts is taken out by solving
    again, and a dual that could change for ever goes to its bound at once.
    """
    is_exact = True
    for j in range(n_free):
        row, source = factor[j], gram[free[j]]
        for k in range(j, n_free):
            row[k] = source[free[k]]
    for j in range(n_free):
        row = factor[j]
        own = gram[free[j], free[j]]
        if not row[j] > 1e-12 * own:
            row[j] = 1e-6 * own if own > 0.0 else 1.0
            is_exact = False
        scale = 1.0 / np.sqrt(row[j])
        for k in range(j, n_free):
            row[k] *= scale
        for i in range(j + 1, n_free):
            other = factor[i]
            share = row[i]
            for k in range(i, n_free):
                other[k] -= share * row[k]
    return is_exact


@inlined
def _solve_factored(factor: Array, n_free: int, sums: Array) -> None:
    """Solve for two right sides in place."""
    for which in range(2):
        right = sums[which]
        for j in range(n_free):
            row = factor[j]
            right[j] /= row[j]
            value = right[j]
            for k in range(j + 1, n_free):
                right[k] -= value * row[k]
        for j in range(n_free - 1, -1, -1):
            row = factor[j]
            value = right[j]
            for k in range(j + 1, n_free):
                value -= row[k] * right[k]
            right[j] = value / row[j]


@kernel
def settle(
    gram: Array, label: Array, lowest: Array, highest: Array, dual: Array, slack: Array,
    free: Array, factor: Array, sums: Array, exact: float, rounding: float, max_changes: int, max_refined: int,
) -> float:  # fmt: skip
    """Go from nearby to the optimum: solve for the free duals, let one variable in or out, and solve again.

    Returns the violation left, which is rounding, or -1 if samples on the margin depend on each other, so that the last
    digits are missing, or if the changes do not come to an end. ``free``, ``factor``
    (n × n) and ``sums`` (2 × n) are scratch.
    """
    n_samples = len(dual)
    released = -1
    n_refined = 0
    is_exact = True
    for _ in range(max_changes):
        _find_slack(gram, label, dual, slack)
        n_free = 0
        for i in range(n_samples):
            if (lowest[i] < dual[i] < highest[i]) or i == released:
                free[n_free] = i
                n_free += 1
        if n_free > 0:
            is_exact = _factorise(gram, free, n_free, factor)
            excess = 0.0
            for i in range(n_samples):
                excess += dual[i]
            for k in range(n_free):
                sums[0, k] = slack[free[k]]
                sums[1, k] = 1.0
            _solve_factored(factor, n_free, sums)
            total, ones = excess, 0.0
            for k in range(n_free):
                total += sums[0, k]
                ones += sums[1, k]
            shift = total / ones
            length, first = 1.0, -1
            for k in range(n_free):
                i = free[k]
                change = sums[0, k] - shift * sums[1, k]
                sums[0, k] = change
                if change != 0.0:
                    bound = highest[i] if change > 0.0 else lowest[i]
                    room = (bound - dual[i]) / change
                    if room < length:
                        length, first = room, k
            for k in range(n_free):
                dual[free[k]] += length * sums[0, k]
            if first >= 0:
                i = free[first]
                dual[i] = highest[i] if sums[0, first] > 0.0 else lowest[i]
                if i == released:
                    released = -1
                continue
            _find_slack(gram, label, dual, slack)
        up, down = -1e308, 1e308
        least, most, total, excess = 1e308, -1e308, 0.0, 0.0
        for i in range(n_samples):
            if dual[i] < highest[i]:
                up = max(up, slack[i])
            if dual[i] > lowest[i]:
                down = min(down, slack[i])
            decision = label[i] - slack[i]
            least, most = min(least, decision), max(most, decision)
            total += abs(dual[i])
            excess += dual[i]
        gap = up - down
        tolerance = max(exact * (most - least), rounding * total)
        if gap <= tolerance and abs(excess) <= 1e-12 * total:
            return max(gap, 0.0) if is_exact else -1.0
        intercept = (up + down) / 2.0
        if n_free > 0:
            intercept = 0.0
            for k in range(n_free):
                intercept += slack[free[k]]
            intercept /= n_free
        released, best = -1, tolerance / 2.0
        for i in range(n_samples):
            gain = 0.0
            if dual[i] <= lowest[i]:
                gain = slack[i] - intercept
            elif dual[i] >= highest[i]:
                gain = intercept - slack[i]
            if gain > best:
                released, best = i, gain
        if released < 0:
            n_refined += 1
            if n_refined > max_refined:
                return -1.0
    return -1.0


@kernel
def approach(
    gram: Array, label: Array, lowest: Array, highest: Array, dual: Array, slack: Array,
    free: Array, factor: Array, sums: Array,
    loose: float, max_steps: int, exact: float, rounding: float, max_changes: int, max_refined: int,
) -> float:  # fmt: skip
    """Improve pairs until little is left to gain, then settle the rest.

    Returns what ``settle`` does, or -2 if the pairs took too many steps.
    """
    _find_slack(gram, label, dual, slack)
    steps, _ = optimise(gram, lowest, highest, dual, slack, loose, max_steps)
    least, most = 1e308, -1e308
    for i in range(len(dual)):
        decision = label[i] - slack[i]
        least, most = min(least, decision), max(most, decision)
    if steps < max_steps and most - least < 1.0:
        steps, _ = optimise(gram, lowest, highest, dual, slack, loose * (most - least), max_steps)
    if steps == max_steps:
        return -2.0
    return settle(
        gram, label, lowest, highest, dual, slack, free, factor, sums, exact, rounding, max_changes, max_refined
    )
