"""The dual of a linear SVM on a Gram matrix, by sequential minimal optimisation, and features laid out for it.

A sample's dual variable carries the sign of its class here: it lies between 0 and C for one class, between -C and 0
for the other, and all of them add up to 0.
"""

from __future__ import annotations

from holdfast.kernels._jit import Array, kernel

LANES = 8
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
def project(features: Array, chosen: Array, dual: Array, lanes: Array, weights: Array) -> None:
    """Weights of some features: Σ dual · value, in lanes whose order is fixed."""
    n_samples = len(dual)
    n_whole = n_samples - n_samples % LANES
    for k in range(len(chosen)):
        f = chosen[k]
        for lane in range(LANES):
            lanes[lane] = 0.0
        for i in range(0, n_whole, LANES):
            for lane in range(LANES):
                lanes[lane] += features[f, i + lane] * dual[i + lane]
        total = 0.0
        for lane in range(LANES):
            total += lanes[lane]
        for i in range(n_whole, n_samples):
            total += features[f, i] * dual[i]
        weights[k] = total


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
