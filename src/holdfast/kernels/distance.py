"""Sums of distances between samples, from which distance correlation is made (Székely, Rizzo and Bakirov 2007).

Distances a of a feature, or of a set of them, meet distances b of the target. The five sums of one feature are those of
a·b, of its row sums times those of b, of a, of its squared row sums, and of a². All are over ordered pairs.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from holdfast.kernels._jit import Array, kernel


@kernel
def class_distance_sums(
    columns: Array, order: Array, target: Array, sizes: Array, of_class: Array, sums: Array
) -> None:
    """The five sums of every row of ``columns``; b is 1 between samples of different classes and 0 within one.

    ``of_class`` is 2 × classes: how many samples of a class were met, and the sum of their values.
    """
    n_features, n = columns.shape
    n_classes = sizes.shape[0]
    for f in range(n_features):
        # Values are taken from the middle one, so that a common offset costs no digits.
        middle = columns[f, order[f, n // 2]]
        total = 0.0
        squares = 0.0
        for i in range(n):
            value = columns[f, i] - middle
            total += value
            squares += value * value
        for c in range(n_classes):
            of_class[0, c] = 0.0
            of_class[1, c] = 0.0
        before = 0.0
        within = 0.0
        with_target = 0.0
        all_rows = 0.0
        squared_rows = 0.0
        for place in range(n):
            i = order[f, place]
            c = target[i]
            value = columns[f, i] - middle
            row = value * (2 * place - n + 1) - before + (total - before - value)
            before += value
            within += 2.0 * (value * of_class[0, c] - of_class[1, c])
            of_class[0, c] += 1.0
            of_class[1, c] += value
            with_target += row * (n - sizes[c])
            all_rows += row
            squared_rows += row * row
        sums[f, 0] = all_rows - within
        sums[f, 1] = with_target
        sums[f, 2] = all_rows
        sums[f, 3] = squared_rows
        sums[f, 4] = 2.0 * (n * squares - total * total)


@kernel
def number_distance_sums(
    columns: Array, order: Array, target: Array, place_of: Array, rows_of_target: Array, tree: Array, sums: Array
) -> None:
    """The five sums of every row of ``columns``; b is the distance between numbers.

    Samples are met in the order of the feature; ``tree`` (4 × n + 1) adds up, by the place of their target from 1 on,
    how many there were, their targets, values and products (Fenwick 1994), so that a feature costs O(n log n).
    """
    n_features, n = columns.shape
    for f in range(n_features):
        middle = columns[f, order[f, n // 2]]
        total = 0.0
        squares = 0.0
        for i in range(n):
            value = columns[f, i] - middle
            total += value
            squares += value * value
        for part in range(4):
            for place in range(n + 1):
                tree[part, place] = 0.0
        before = 0.0
        targets_before = 0.0
        products_before = 0.0
        products = 0.0
        with_target = 0.0
        all_rows = 0.0
        squared_rows = 0.0
        for number in range(n):
            i = order[f, number]
            value = columns[f, i] - middle
            y = target[i]
            count = 0.0
            targets = 0.0
            values = 0.0
            both = 0.0
            place = place_of[i]
            while place > 0:
                count += tree[0, place]
                targets += tree[1, place]
                values += tree[2, place]
                both += tree[3, place]
                place -= place & -place
            # Samples met before whose target is not above count with a plus, the others with a minus.
            below = value * y * count - value * targets - y * values + both
            every = value * y * number - value * targets_before - y * before + products_before
            products += 2.0 * below - every
            place = place_of[i]
            while place <= n:
                tree[0, place] += 1.0
                tree[1, place] += y
                tree[2, place] += value
                tree[3, place] += value * y
                place += place & -place
            row = value * (2 * number - n + 1) - before + (total - before - value)
            before += value
            targets_before += y
            products_before += value * y
            with_target += row * rows_of_target[i]
            all_rows += row
            squared_rows += row * row
        sums[f, 0] = 2.0 * products
        sums[f, 1] = with_target
        sums[f, 2] = all_rows
        sums[f, 3] = squared_rows
        sums[f, 4] = 2.0 * (n * squares - total * total)


@kernel
def subset_distance_sums(
    values: Array, spread: Array, members: Array, starts: Array, target: Array,
    twice: Array, distances: Array, rows: Array, sums: Array,
) -> None:  # fmt: skip
    """Four sums of every set of features: of a·b for b as given, of a, of its squared row sums, and of a².

    ``values`` has a feature per row, ``spread`` the sum of squared differences of each. Set s has the features
    ``members[starts[s]:starts[s + 1]]``. Pairs are met by how many places their samples lie apart, so that every loop
    runs over neighbouring numbers: ``target[d - 1, k]`` is b of samples k and k + d, places going round. ``twice``
    holds the features of the largest set, each twice in a row; ``distances`` is n long, ``rows`` 3 × 2n.
    """
    n = values.shape[1]
    for s in range(starts.shape[0] - 1):
        first = starts[s]
        size = starts[s + 1] - first
        squares = 0.0
        for j in range(size):
            f = members[first + j]
            squares += spread[f]
            for k in range(n):
                twice[j, k] = values[f, k]
                twice[j, n + k] = values[f, k]
        near = rows[0]
        far = rows[1]
        products = rows[2]
        for k in range(2 * n):
            near[k] = 0.0
            far[k] = 0.0
            products[k] = 0.0
        for apart in range(1, n // 2 + 1):
            # Half of the samples have met all that lie half way round.
            n_met = n if 2 * apart < n else n // 2
            b = target[apart - 1]
            for k in range(n_met):
                distances[k] = 0.0
            j = 0
            while j + 4 <= size:
                x0 = twice[j]
                x1 = twice[j + 1]
                x2 = twice[j + 2]
                x3 = twice[j + 3]
                for k in range(n_met):
                    d0 = x0[k] - x0[k + apart]
                    d1 = x1[k] - x1[k + apart]
                    d2 = x2[k] - x2[k + apart]
                    d3 = x3[k] - x3[k + apart]
                    distances[k] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
                j += 4
            while j < size:
                x0 = twice[j]
                for k in range(n_met):
                    d0 = x0[k] - x0[k + apart]
                    distances[k] += d0 * d0
                j += 1
            for k in range(n_met):
                distances[k] = sqrt(distances[k])
            for k in range(n_met):
                near[k] += distances[k]
                products[k] += distances[k] * b[k]
            for k in range(n_met):
                far[k + apart] += distances[k]
        product = 0.0
        total = 0.0
        squared_rows = 0.0
        for k in range(n):
            row = near[k] + (far[k] + far[n + k])
            product += products[k]
            total += row
            squared_rows += row * row
        sums[s, 0] = 2.0 * product
        sums[s, 1] = total
        sums[s, 2] = squared_rows
        sums[s, 3] = squares


@kernel
def index_from_sums(
    sums: Array, rows: float, all_: float, variance_of_target: float, squares_of_target: float, rounding: float,
    few_digits: float, is_signed: bool, is_root: bool, answer: Array,
) -> None:  # fmt: skip
    """Distance correlation from the four sums of every set of features; 0 where it is nothing but rounding.

    ``rows`` and ``all_`` are what row sums and the sum of all are multiplied with to centre distances. An index may be
    negative if ``is_signed``, and is then NaN where the variance is less than the share ``few_digits`` of the squares.
    """
    for s in range(sums.shape[0]):
        product = sums[s, 0]
        squares = sums[s, 3]
        variance = squares - 2.0 * rows * sums[s, 2] + all_ * sums[s, 1] * sums[s, 1]
        answer[s] = 0.0
        if is_signed and squares > 0.0 and not variance >= few_digits * squares:
            answer[s] = np.nan
            continue
        if variance <= rounding * squares or variance_of_target <= 0.0:
            continue
        if abs(product) <= rounding * sqrt(squares * squares_of_target):
            continue
        ratio = min(product / sqrt(variance * variance_of_target), 1.0)
        if is_signed:
            answer[s] = max(ratio, -1.0)
        elif ratio > 0.0:
            answer[s] = sqrt(ratio) if is_root else ratio
