"""Distances between all samples, who is near whom, and what the features differ by between them.

A Manhattan distance is a sum of the smaller of two values: Σ|a - b| = Σa + Σb - 2 Σmin(a, b). The values come as whole
numbers held in floats, small enough that every such sum is exact, so the identity costs nothing and neither the order
of the features nor the number of threads can change a distance.

Loops run over samples (distances) or over features (differences), never into one running sum, because a sum that may
not be reordered cannot use vector instructions.
"""

from __future__ import annotations

from holdfast.kernels._jit import Array, inlined, kernel

# Samples side by side in the inner loop: rows of distances are filled from a multiple of LANES on, and padded to one.
LANES = 8
# Features taken together, so that a distance is loaded and stored once for all of them.
TOGETHER = 8
_TILE_ROWS = 32
_TILE_COLUMNS = 256


@inlined
def _smaller(a: float, b: float) -> float:
    return a if a < b else b


@kernel
def scale_columns(X: Array, first: int, last: int, lowest: Array, factor: Array, scaled: Array) -> None:
    """Whole numbers (x - lowest) · factor of features first to last, one per row of ``scaled``; factor 0 gives zeros.

    Rows and samples beyond those there are stay as they are.
    """
    low = lowest[first:last]
    times = factor[first:last]
    # Adding and taking away 1.5 · 2^52 rounds to a whole number.
    to_whole = 6755399441055744.0
    for r in range(X.shape[0]):
        row = X[r, first:last]
        for f in range(row.shape[0]):
            value = ((row[f] - low[f]) * times[f] + to_whole) - to_whole
            scaled[f, r] = value if times[f] > 0.0 else 0.0


@kernel
def add_smaller(scaled: Array, sums: Array) -> None:
    """Add Σ min(a, b) over the features (rows, a multiple of TOGETHER) for all pairs of samples i ≤ t."""
    n_samples = sums.shape[0]
    for top in range(0, n_samples, _TILE_ROWS):
        bottom = min(top + _TILE_ROWS, n_samples)
        for left in range(top // LANES * LANES, n_samples, _TILE_COLUMNS):
            right = min(left + _TILE_COLUMNS, n_samples)
            for f in range(0, scaled.shape[0], TOGETHER):
                v0, v1, v2, v3 = scaled[f], scaled[f + 1], scaled[f + 2], scaled[f + 3]
                v4, v5, v6, v7 = scaled[f + 4], scaled[f + 5], scaled[f + 6], scaled[f + 7]
                for i in range(top, bottom):
                    a0, a1, a2, a3, a4, a5, a6, a7 = v0[i], v1[i], v2[i], v3[i], v4[i], v5[i], v6[i], v7[i]
                    first = max(left, i // LANES * LANES)
                    total = sums[i, first:right]
                    b0, b1, b2, b3 = v0[first:right], v1[first:right], v2[first:right], v3[first:right]
                    b4, b5, b6, b7 = v4[first:right], v5[first:right], v6[first:right], v7[first:right]
                    for t in range(total.shape[0]):
                        total[t] += (
                            (_smaller(a0, b0[t]) + _smaller(a1, b1[t])) + (_smaller(a2, b2[t]) + _smaller(a3, b3[t]))
                        ) + ((_smaller(a4, b4[t]) + _smaller(a5, b5[t])) + (_smaller(a6, b6[t]) + _smaller(a7, b7[t])))


@kernel
def smaller_to_distances(sums: Array, own: Array) -> None:
    """Put distances in the place of the sums of smaller values; ``own`` is each sample's own sum."""
    n_samples = sums.shape[0]
    for top in range(0, n_samples, _TILE_ROWS):
        for left in range(top, n_samples, _TILE_ROWS):
            for i in range(top, min(top + _TILE_ROWS, n_samples)):
                for t in range(max(left, i), min(left + _TILE_ROWS, n_samples)):
                    distance = (own[i] + own[t]) - 2.0 * sums[i, t]
                    sums[i, t] = distance
                    sums[t, i] = distance


@kernel
def group_reach(distances: Array, group: Array, k: int, nearest: Array, reach: Array) -> None:
    """Distance from each sample to its k-th nearest in each group, or its farthest if there are fewer.

    A sample is not its own neighbour. ``group`` is samples × samples: what t is to i. ``reach`` is samples × groups, -1
    where a group has nobody; ``nearest`` is scratch, groups × k.
    """
    n_samples, n_groups = reach.shape
    for i in range(n_samples):
        row = distances[i]
        filled = reach[i]
        for g in range(n_groups):
            filled[g] = 0.0
        for t in range(n_samples):
            if t == i:
                continue
            g = group[i, t]
            count = int(filled[g])
            best = nearest[g]
            distance = row[t]
            if count == k:
                if distance >= best[k - 1]:
                    continue
                count -= 1
            place = count
            while place > 0 and best[place - 1] > distance:
                best[place] = best[place - 1]
                place -= 1
            best[place] = distance
            filled[g] = count + 1
        for g in range(n_groups):
            count = int(filled[g])
            filled[g] = nearest[g, count - 1] if count > 0 else -1.0


@kernel
def mark_nearest(
    distances: Array, group: Array, reach: Array, k: int, tie: float, in_order: bool, counts: Array, near: Array
) -> None:
    """1 for each of the k nearest in each group; those tied for the last places share them, or take them in order.

    ``counts`` is scratch, 2 × groups: the strictly nearer and the tied ones.
    """
    n_samples, n_groups = reach.shape
    for i in range(n_samples):
        row = distances[i]
        nearer = counts[0]
        tied = counts[1]
        for g in range(n_groups):
            nearer[g] = 0
            tied[g] = 0
        for t in range(n_samples):
            if t != i:
                g = group[i, t]
                beyond = row[t] - reach[i, g]
                if beyond < -tie:
                    nearer[g] += 1
                elif beyond <= tie:
                    tied[g] += 1
        for t in range(n_samples):
            near[i, t] = 0.0
            if t == i:
                continue
            g = group[i, t]
            beyond = row[t] - reach[i, g]
            if beyond < -tie:
                near[i, t] = 1.0
            elif beyond <= tie:
                places = k - nearer[g]
                if places >= tied[g]:
                    near[i, t] = 1.0
                elif not in_order:
                    near[i, t] = places / tied[g]
                elif places > 0:
                    near[i, t] = 1.0
                    nearer[g] += 1
                    tied[g] -= 1


@kernel
def mark_beyond(distances: Array, limit: Array, sign: float, marked: Array) -> None:
    """1 for samples farther than the limit of each sample (sign 1), or closer (sign -1)."""
    for i in range(marked.shape[0]):
        row = distances[i]
        answer = marked[i]
        for t in range(row.shape[0]):
            answer[t] = sign * (row[t] - limit[i]) > 0.0
        answer[i] = 0.0


@kernel
def weigh_neighbours(near: Array, coefficient: Array, number: Array) -> None:
    """Turn how near a neighbour is into what it counts: times what the sample makes of its class."""
    for i in range(near.shape[0]):
        row = near[i]
        counts = coefficient[i]
        for t in range(row.shape[0]):
            row[t] *= counts[number[t]]


@kernel
def add_weighted_differences(
    X: Array, first: int, last: int, starts: Array, others: Array, weights: Array, rows: Array, sums: Array
) -> None:
    """Add Σ weight · |x_i - x_t| over pairs of samples to the sums of features first to last.

    Pairs are listed by their first sample: those of sample i are ``starts[i]`` to ``starts[i + 1]`` in ``others`` and
    ``weights``. ``rows`` is scratch for all samples × a block of features, which sets the width of the blocks.
    """
    n_samples = X.shape[0]
    width = rows.shape[1]
    for left in range(first, last, width):
        right = min(left + width, last)
        for r in range(n_samples):
            source = X[r, left:right]
            target = rows[r, : right - left]
            for f in range(source.shape[0]):
                target[f] = source[f]
        total = sums[left:right]
        for i in range(n_samples):
            a = rows[i, : right - left]
            pair = starts[i]
            end = starts[i + 1]
            while pair + 8 <= end:
                w0, w1, w2, w3 = weights[pair], weights[pair + 1], weights[pair + 2], weights[pair + 3]
                w4, w5, w6, w7 = weights[pair + 4], weights[pair + 5], weights[pair + 6], weights[pair + 7]
                b0, b1 = rows[others[pair]], rows[others[pair + 1]]
                b2, b3 = rows[others[pair + 2]], rows[others[pair + 3]]
                b4, b5 = rows[others[pair + 4]], rows[others[pair + 5]]
                b6, b7 = rows[others[pair + 6]], rows[others[pair + 7]]
                for f in range(a.shape[0]):
                    total[f] += (
                        (w0 * abs(a[f] - b0[f]) + w1 * abs(a[f] - b1[f]))
                        + (w2 * abs(a[f] - b2[f]) + w3 * abs(a[f] - b3[f]))
                    ) + (
                        (w4 * abs(a[f] - b4[f]) + w5 * abs(a[f] - b5[f]))
                        + (w6 * abs(a[f] - b6[f]) + w7 * abs(a[f] - b7[f]))
                    )
                pair += 8
            while pair < end:
                w0 = weights[pair]
                b0 = rows[others[pair]]
                for f in range(a.shape[0]):
                    total[f] += w0 * abs(a[f] - b0[f])
                pair += 1


@kernel
def count_pairs(weights: Array, starts: Array) -> None:
    """Where the pairs i < t that count for either begin, listed by i; the last entry is their number."""
    n_samples = weights.shape[0]
    starts[0] = 0
    for i in range(n_samples):
        count = 0
        for t in range(i + 1, n_samples):
            count += (weights[i, t] != 0.0) | (weights[t, i] != 0.0)
        starts[i + 1] = starts[i] + count


@kernel
def list_pairs(weights: Array, starts: Array, others: Array, both: Array) -> None:
    """The second sample of every pair, and what the difference between them counts for both."""
    n_samples = weights.shape[0]
    for i in range(n_samples):
        place = starts[i]
        for t in range(i + 1, n_samples):
            if (weights[i, t] != 0.0) | (weights[t, i] != 0.0):
                others[place] = t
                both[place] = weights[i, t] + weights[t, i]
                place += 1


@kernel
def mark_varying(X: Array, rows: Array, varies: Array) -> None:
    """True for features that differ between the first of some samples and any other."""
    first = X[rows[0]]
    for place in range(1, rows.shape[0]):
        row = X[rows[place]]
        for f in range(varies.shape[0]):
            varies[f] |= row[f] != first[f]
