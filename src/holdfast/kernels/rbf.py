"""Test samples that support vector machines with a radial kernel get right, for many sets of features.

Samples are columns here: ``columns`` is features × samples. Splits lie one after the other in ``train`` and ``test``;
split s is ``starts[s]`` to ``starts[s + 1]``, its training rows sorted by class. A value counts as (value - centre) ·
factor of its split. Rounded to whole numbers, squared differences and their sums are exact, so that a set may be
reached from any other by adding and taking away features: its distances are the same to the last bit.

Machines are one against one, as in LIBSVM (Chang and Lin 2011): every pair of classes has a machine and every machine a
vote; of classes with as many votes the first wins.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, bits_of, float_of, inlined, kernel

# Scaled values are cut here; the square of what two differ by is then below 2**53.
FARTHEST = float(2**25)

_TO_BASE_2 = 1.4426950408889634
_LOG_2_HIGH = 6.93147180369123816490e-01
_LOG_2_LOW = 1.90821492927058770002e-10
# Added to a small number and taken off again it leaves the nearest whole number, whose bits are then the lowest.
_SHIFTER = 6755399441055744.0
_LOWEST = -708.0
# Samples that are copies of each other differ in nothing; a step between them is as long as it may be.
_LEAST_CURVATURE = 1e-12
_TILE = 32
_LOOSE = 1e-3
_MOST_STEPS = 10_000_000
_MOST = 2**63 - 1
_LEAST = -(2**63)


@kernel
def decay(distances: Array, gamma: float) -> None:
    """Turn distances into exp(-gamma · distance) in place, by powers of two and a polynomial, several at a time."""
    for i in range(distances.shape[0]):
        exponent = -gamma * distances[i]
        exponent = exponent if exponent > _LOWEST else _LOWEST
        shifted = exponent * _TO_BASE_2 + _SHIFTER
        power = shifted - _SHIFTER
        rest = (exponent - power * _LOG_2_HIGH) - power * _LOG_2_LOW
        # The exponential series up to the 12th power, in pairs, so that few operations wait for each other.
        square = rest * rest
        fourth = square * square
        low = (1.0 + rest) + square * (1.0 / 2.0 + rest * (1.0 / 6.0))
        middle = (1.0 / 24.0 + rest * (1.0 / 120.0)) + square * (1.0 / 720.0 + rest * (1.0 / 5040.0))
        high = (1.0 / 40320.0 + rest * (1.0 / 362880.0)) + square * (1.0 / 3628800.0 + rest * (1.0 / 39916800.0))
        value = low + fourth * (middle + fourth * (high + fourth * (1.0 / 479001600.0)))
        distances[i] = value * float_of((bits_of(shifted) + 1023) << 52)


@inlined
def _lay_out(
    columns: Array, features: Array, centres: Array, factors: Array, is_rounded: bool,
    train: Array, test: Array, values: Array,
) -> None:  # fmt: skip
    """Values of features in one split, training samples first."""
    n_train = train.shape[0]
    for k in range(features.shape[0]):
        f = features[k]
        column, centre, factor, out = columns[f], centres[f], factors[f], values[k]
        for i in range(n_train):
            out[i] = (column[train[i]] - centre) * factor
        for i in range(test.shape[0]):
            out[n_train + i] = (column[test[i]] - centre) * factor
        if is_rounded:
            for i in range(n_train + test.shape[0]):
                out[i] = min(max(np.rint(out[i]), -FARTHEST), FARTHEST)


@inlined
def _move(values: Array, n_added: int, n_features: int, sample: int, first: int, n_train: int, row: Array) -> None:
    """Add the squared differences of one sample to the training samples from ``first`` on, or take them away."""
    n = n_train - first
    k = 0
    while k + 4 <= n_added:
        one, two = values[k, first:n_train], values[k + 1, first:n_train]
        three, four = values[k + 2, first:n_train], values[k + 3, first:n_train]
        of_one, of_two = values[k, sample], values[k + 1, sample]
        of_three, of_four = values[k + 2, sample], values[k + 3, sample]
        for j in range(n):
            by_one, by_two, by_three, by_four = one[j] - of_one, two[j] - of_two, three[j] - of_three, four[j] - of_four
            row[j] += (by_one * by_one + by_two * by_two) + (by_three * by_three + by_four * by_four)
        k += 4
    while k < n_features:
        one = values[k, first:n_train]
        of_one = values[k, sample]
        sign = 1.0 if k < n_added else -1.0
        for j in range(n):
            row[j] += sign * ((one[j] - of_one) * (one[j] - of_one))
        k += 1


@inlined
def _find_row(
    values: Array, n_added: int, n_features: int, n_train: int, sample: int, base: Array, has_base: bool, out: Array
) -> Array:
    """Squared distances of a training sample to itself and those behind it, or of a test sample to all of them."""
    first = sample if sample < n_train else 0
    row = out[sample * n_train + first : (sample + 1) * n_train]
    if has_base:
        before = base[sample * n_train + first : (sample + 1) * n_train]
        for j in range(n_train - first):
            row[j] = before[j]
    else:
        for j in range(n_train - first):
            row[j] = 0.0
    _move(values, n_added, n_features, sample, first, n_train, row)
    return row


@kernel
def keep_distances(
    columns: Array, centres: Array, factors: Array, is_rounded: bool,
    train: Array, train_starts: Array, test: Array, test_starts: Array,
    features: Array, base_starts: Array, base: Array, values: Array,
) -> None:  # fmt: skip
    """Squared distances of one set in every split, laid out one after the other from ``base_starts`` on."""
    for s in range(centres.shape[0]):
        rows, tested = train[train_starts[s] : train_starts[s + 1]], test[test_starts[s] : test_starts[s + 1]]
        _lay_out(columns, features, centres[s], factors[s], is_rounded, rows, tested, values)
        kept = base[base_starts[s] : base_starts[s + 1]]
        n_features = features.shape[0]
        for sample in range(rows.shape[0] + tested.shape[0]):
            _find_row(values, n_features, n_features, rows.shape[0], sample, kept, False, kept)


@inlined
def _mirror(gram: Array, n_train: int) -> None:
    """Fill what lies before the diagonal; in tiles, so that both sides stay cached."""
    for top in range(0, n_train, _TILE):
        bottom = min(top + _TILE, n_train)
        for left in range(0, bottom, _TILE):
            for i in range(top, bottom):
                for j in range(left, min(left + _TILE, i)):
                    gram[i * n_train + j] = gram[j * n_train + i]


@inlined
def _ordered(value: float) -> int:
    """A whole number that is larger for larger numbers."""
    bits: int = bits_of(value)
    return bits ^ ((bits >> 63) & _MOST)


@inlined
def _improve(
    gram: Array, n: int, lowest: Array, highest: Array, dual: Array, slack: Array, rises: Array, falls: Array,
    tolerance: float, patience: int,
) -> float:  # fmt: skip
    """Improve the pair of duals that promises most, until none violates the optimum by the tolerance; the intercept.

    After so many steps as ``patience`` says the tolerance is that of LIBSVM: with one feature duals may creep for long.
    As ``kernels.svm.optimise``, for a matrix with ones on its diagonal and without a branch for each sample: numbers
    are compared as whole numbers that end in the sample. ``rises`` and ``falls`` are -1 for samples whose dual may do
    so, and 0 for others.
    """
    low = 1
    while low < n:
        low *= 2
    low -= 1
    reach = limit = 0.0
    for step in range(_MOST_STEPS):
        most, least = _LEAST, _MOST
        for i in range(n):
            key = _ordered(slack[i])
            most = max(most, (((key & ~low) | i) & rises[i]) | (_LEAST & ~rises[i]))
            least = min(least, (key & falls[i]) | (_MOST & ~falls[i]))
        if most == _LEAST or least == _MOST:
            break
        up = most & low
        reach, limit = slack[up], float_of(least ^ ((least >> 63) & _MOST))
        if reach - limit <= (tolerance if step < patience else max(tolerance, _LOOSE)):
            break
        row = gram[up * n : (up + 1) * n]
        most = 0
        for i in range(n):
            over = max(reach - slack[i], 0.0)
            gain = over * over / max(1.0 - row[i], _LEAST_CURVATURE)
            most = max(most, ((bits_of(gain) & ~low) | i) & falls[i])
        down = most & low
        room_up, room_down = highest[up] - dual[up], dual[down] - lowest[down]
        change = min(min(room_up, room_down), (reach - slack[down]) / (2.0 * max(1.0 - row[down], _LEAST_CURVATURE)))
        dual[up] = highest[up] if change >= room_up else dual[up] + change
        dual[down] = lowest[down] if change >= room_down else dual[down] - change
        for i in (up, down):
            rises[i] = -1 if dual[i] < highest[i] else 0
            falls[i] = -1 if dual[i] > lowest[i] else 0
        other = gram[down * n : (down + 1) * n]
        for i in range(n):
            slack[i] -= change * (row[i] - other[i])
    return (reach + limit) / 2.0


@inlined
def _machine(
    gram: Array, n_train: int, n_test: int, bounds: Array, one: int, two: int, costs: Array,
    part: Array, lowest: Array, highest: Array, dual: Array, slack: Array, rises: Array, falls: Array, votes: Array,
    tolerance: float, patience: int,
) -> None:  # fmt: skip
    """Train on two classes and let every test sample vote for one of them."""
    n_classes = costs.shape[0]
    n_one, n_two = bounds[one + 1] - bounds[one], bounds[two + 1] - bounds[two]
    n = n_one + n_two
    # Training rows are sorted by class, so that two classes that are all there are lie as they should.
    matrix = gram if n == n_train else part
    for i in range(n if n < n_train else 0):
        row = bounds[one] + i if i < n_one else bounds[two] + i - n_one
        source = gram[row * n_train : (row + 1) * n_train]
        target = part[i * n : (i + 1) * n]
        for j in range(n_one):
            target[j] = source[bounds[one] + j]
        for j in range(n_two):
            target[n_one + j] = source[bounds[two] + j]
    for i in range(n):
        lowest[i] = 0.0 if i < n_one else -costs[two]
        highest[i] = costs[one] if i < n_one else 0.0
        dual[i] = 0.0
        slack[i] = 1.0 if i < n_one else -1.0
        rises[i] = -1 if i < n_one else 0
        falls[i] = 0 if i < n_one else -1
    intercept = _improve(matrix, n, lowest, highest, dual, slack, rises, falls, tolerance, patience * n)
    for t in range(n_test):
        source = gram[(n_train + t) * n_train : (n_train + t + 1) * n_train]
        decision = intercept
        for j in range(n_one):
            decision += dual[j] * source[bounds[one] + j]
        for j in range(n_two):
            decision += dual[n_one + j] * source[bounds[two] + j]
        votes[t * n_classes + (one if decision > 0.0 else two)] += 1


@kernel
def count_hits(
    columns: Array, target: Array, centres: Array, factors: Array, is_rounded: bool,
    means: Array, squares: Array, gamma: float, unit: float, costs: Array,
    train: Array, train_starts: Array, test: Array, test_starts: Array,
    n_base: int, base_means: Array, base_squares: Array, base_starts: Array, base: Array,
    features: Array, starts: Array, n_added: Array, tolerance: float, patience: int, hits: Array,
    values: Array, gram: Array, part: Array, lowest: Array, highest: Array, dual: Array, slack: Array,
    rises: Array, falls: Array, bounds: Array, votes: Array,
) -> None:  # fmt: skip
    """Test samples of each class that are classified correctly with each set.

    Set i differs from the base by ``features[starts[i]:starts[i + 1]]``, of which the first ``n_added[i]`` join it and
    the others leave. ``unit`` is what a distance of 1 stands for. A ``gamma`` of 0 is one over the number of features
    times the variance of all training values, whose sums over features ``means`` and ``squares`` give.
    """
    n_splits, n_classes = costs.shape
    for i in range(hits.shape[0]):
        for c in range(n_classes):
            hits[i, c] = 0
    for s in range(n_splits):
        rows, tested = train[train_starts[s] : train_starts[s + 1]], test[test_starts[s] : test_starts[s + 1]]
        n_train, n_test = rows.shape[0], tested.shape[0]
        for c in range(n_classes + 1):
            bounds[c] = 0
        for r in rows:
            bounds[target[r] + 1] += 1
        for c in range(n_classes):
            bounds[c + 1] += bounds[c]
        for i in range(hits.shape[0]):
            changed = features[starts[i] : starts[i + 1]]
            n_changed = changed.shape[0]
            _lay_out(columns, changed, centres[s], factors[s], is_rounded, rows, tested, values)
            kept = base[base_starts[s] : base_starts[s + 1]]
            size, mean, square = float(n_base), base_means[s], base_squares[s]
            for k in range(n_changed):
                sign = 1.0 if k < n_added[i] else -1.0
                size += sign
                mean += sign * means[s, changed[k]]
                square += sign * squares[s, changed[k]]
            spread = square - mean * mean / size
            width = gamma
            if gamma == 0.0:
                width = 1.0 / spread if spread > 0.0 else 1.0
            for sample in range(n_train + n_test):
                decay(_find_row(values, n_added[i], n_changed, n_train, sample, kept, n_base > 0, gram), width * unit)
            _mirror(gram, n_train)
            for t in range(n_test * n_classes):
                votes[t] = 0
            for one in range(n_classes):
                for two in range(one + 1, n_classes):
                    if bounds[one] < bounds[one + 1] and bounds[two] < bounds[two + 1]:
                        _machine(
                            gram, n_train, n_test, bounds, one, two, costs[s], part, lowest, highest, dual, slack,
                            rises, falls, votes, tolerance, patience,
                        )  # fmt: skip
            for t in range(n_test):
                best = 0
                for c in range(1, n_classes):
                    if votes[t * n_classes + c] > votes[t * n_classes + best]:
                        best = c
                if best == target[tested[t]]:
                    hits[i, best] += 1
