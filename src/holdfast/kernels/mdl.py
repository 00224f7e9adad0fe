"""Fayyad and Irani's supervised cut points under the minimum description length rule (IJCAI 1993).

The best cut of a range minimises the class entropy; it is kept when its gain exceeds
[log2(N-1) + log2(3^c - 2) - (c·H - c1·H1 - c2·H2)] / N, and both sides are cut again.

Equal cuts are common on few samples. The rule here does not care in which direction the values run: the more even cut
wins, then the one on the side from which the class labels read first (see ``_first_side``). A range that reads alike
from both ends is cut on both sides.
"""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel
from holdfast.kernels.classes import number_by_appearance

# Sums of the table differ by a few units through rounding where the entropies are equal.
_SAME = 256


@kernel
def _entropy_terms(counts: Array, size: int, table: Array) -> tuple[int, int]:
    """n·entropy in table units, and the number of classes present."""
    total = table[size]
    present = 0
    for c in range(counts.shape[0]):
        if counts[c] > 0:
            total -= table[counts[c]]
            present += 1
    return total, present


@kernel
def _next_group(
    values: Array, labels: Array, number: Array, start: int, step: int, low: int, high: int, counts: Array
) -> int:
    """Count the classes of the equal values that begin at ``start`` and return where the next ones begin."""
    for c in range(counts.shape[0]):
        counts[c] = 0
    position = start
    while low <= position < high and values[position] == values[start]:
        counts[number[labels[position]]] += 1
        position += step
    return position


@kernel
def _first_side(values: Array, labels: Array, low: int, high: int, counts: Array) -> int:
    """1 if the class sequence read upwards precedes the one read downwards, -1 if it follows, 0 if they are alike.

    Classes are numbered by appearance in each direction; the smaller group of equal values precedes, then the one
    with more of an earlier class.
    """
    number_by_appearance(values, labels, low, 1, high - low, counts[2])
    number_by_appearance(values, labels, high - 1, -1, high - low, counts[3])
    up = low
    down = high - 1
    while up < high:
        next_up = _next_group(values, labels, counts[2], up, 1, low, high, counts[0])
        next_down = _next_group(values, labels, counts[3], down, -1, low, high, counts[1])
        if next_up - up != down - next_down:
            return 1 if next_up - up < down - next_down else -1
        for c in range(counts.shape[1]):
            if counts[0, c] != counts[1, c]:
                return 1 if counts[0, c] > counts[1, c] else -1
        up = next_up
        down = next_down
    return 0


@kernel
def _best_cut(
    values: Array, labels: Array, low: int, high: int, table: Array, counts: Array, left: Array, right: Array
) -> tuple[int, bool]:
    """Position behind which the range is best cut (-1: all its values are equal), and whether its mirror image ties."""
    n_classes = left.shape[0]
    for c in range(n_classes):
        left[c] = 0
        right[c] = 0
    for i in range(low, high):
        right[labels[i]] += 1
    within_left = np.int64(0)
    within_right = np.int64(0)
    for c in range(n_classes):
        within_right += table[right[c]]
    best = -1
    mirrored = False
    best_sum = np.int64(0)
    for i in range(low, high - 1):
        label = labels[i]
        within_left += table[left[label] + 1] - table[left[label]]
        within_right += table[right[label] - 1] - table[right[label]]
        left[label] += 1
        right[label] -= 1
        if values[i] < values[i + 1]:
            n_left = i + 1 - low
            n_right = high - i - 1
            purity = within_left - table[n_left] + within_right - table[n_right]
            better = best < 0 or purity > best_sum + _SAME
            if not better and purity >= best_sum - _SAME:
                here = abs(n_left - n_right)
                there = abs(2 * (best + 1 - low) - (high - low))
                better = here < there
                if here == there:
                    side = _first_side(values, labels, low, high, counts)
                    better = side < 0
                    mirrored = side == 0
            if better:
                best = i
                best_sum = purity
                mirrored = False
    return best, mirrored


@kernel
def _accepted(
    labels: Array, low: int, cut: int, high: int, table: Array, unit: float, left: Array, right: Array
) -> bool:
    for c in range(left.shape[0]):
        left[c] = 0
        right[c] = 0
    for i in range(low, cut + 1):
        left[labels[i]] += 1
    for i in range(cut + 1, high):
        right[labels[i]] += 1
    n = high - low
    sum_left, classes_left = _entropy_terms(left, cut + 1 - low, table)
    sum_right, classes_right = _entropy_terms(right, high - cut - 1, table)
    for c in range(left.shape[0]):
        left[c] += right[c]
    sum_all, classes = _entropy_terms(left, n, table)
    # ``unit`` is worth one table unit per sample of the whole feature; entropies here are per sample of the range.
    bit = unit * (table.shape[0] - 1)
    h_all = sum_all * bit / n
    h_left = sum_left * bit / (cut + 1 - low)
    h_right = sum_right * bit / (high - cut - 1)
    gain = (sum_all - sum_left - sum_right) * bit / n
    if gain <= 0.0:
        return False
    encoding = classes * np.log2(3.0) + np.log2(1.0 - 2.0 * 3.0 ** (-1.0 * classes))
    delta = encoding - (classes * h_all - classes_left * h_left - classes_right * h_right)
    return bool(gain > (np.log2(n - 1.0) + delta) / n)


@kernel
def _insert_cut(values: Array, cut: int, cuts: Array, n_cuts: int) -> None:
    """Add the cut point behind a position to those of a feature, which stay in ascending order."""
    middle = 0.5 * values[cut] + 0.5 * values[cut + 1]
    if middle >= values[cut + 1]:
        middle = values[cut]
    place = n_cuts
    while place > 0 and cuts[place - 1] > middle:
        cuts[place] = cuts[place - 1]
        place -= 1
    cuts[place] = middle


@kernel
def mdl_cuts(
    columns: Array, order: Array, target: Array, table: Array, unit: float, max_cuts: int,
    cuts: Array, n_cuts: Array, values: Array, labels: Array, stack: Array, counts: Array, left: Array, right: Array,
) -> None:  # fmt: skip
    """Cut points of each feature, ascending, in the first ``n_cuts`` places of its row of ``cuts``.

    ``columns`` holds a feature per row and ``order`` the samples of each by rising value.
    """
    n_features, n_samples = columns.shape
    for f in range(n_features):
        for i in range(n_samples):
            values[i] = columns[f, order[f, i]]
            labels[i] = target[order[f, i]]
        found = 0
        depth = 1
        stack[0, 0] = 0
        stack[0, 1] = n_samples
        while depth > 0 and found < max_cuts:
            depth -= 1
            low = stack[depth, 0]
            high = stack[depth, 1]
            cut, mirrored = _best_cut(values, labels, low, high, table, counts, left, right)
            if cut < 0 or not _accepted(labels, low, cut, high, table, unit, left, right):
                continue
            if mirrored and found + 2 > max_cuts:
                continue
            _insert_cut(values, cut, cuts[f], found)
            found += 1
            other = low + high - 2 - cut if mirrored else cut
            if mirrored:
                _insert_cut(values, other, cuts[f], found)
                found += 1
            # The mirror image of the first best cut lies above it.
            stack[depth, 0] = low
            stack[depth, 1] = cut + 1
            stack[depth + 1, 0] = other + 1
            stack[depth + 1, 1] = high
            depth += 2
            if mirrored:
                stack[depth, 0] = cut + 1
                stack[depth, 1] = other + 1
                depth += 1
        n_cuts[f] = found
