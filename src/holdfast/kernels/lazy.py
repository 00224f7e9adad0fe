"""One round of greedy forward search that sums redundancy only while a feature can still win.

Redundancy terms are never negative, so the merit with only some of them summed bounds the merit with all. This is the
idea of MRMR+ and CFS+ (Pino Angulo 2019, Algorithms 9 and 10). Unlike the printed algorithms a round begins with the
feature of the highest bound, which leaves little for the others to do; the pick is the same in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.correlation import column_product
from holdfast.kernels.information import joint_sum

# What a pair of features shares.
MUTUAL_INFORMATION, SYMMETRICAL_UNCERTAINTY, CORRELATION = 0, 1, 2
# How relevance and shared information become a merit.
DIFFERENCE, QUOTIENT, SUBSET = 0, 1, 2
# Merits closer than this (relative above 1) are ties; a shared information below it is rounding noise.
TIE = 1e-12


@inlined
def reaches(value: float, best: float) -> bool:
    """Whether a merit is at least as good as the best one, ties included."""
    return value >= best or (best < np.inf and best - value <= TIE * max(1.0, abs(best)))


@inlined
def merit_of(
    formula: int, relevance: float, shared: float, n_summed: int, n_chosen: int, weight: float, floor: float,
    chosen_relevance: float, chosen_shared: float,
) -> Any:  # fmt: skip
    """Merit of a feature next to ``n_chosen`` others, or its upper bound when fewer are summed."""
    if formula == 0:
        return relevance - weight * shared / n_chosen
    if formula == 1:
        mean = (shared + floor * (n_chosen - n_summed)) / n_chosen
        if mean > 0.0:
            return relevance / mean
        return np.inf if relevance > 0.0 else relevance
    return (chosen_relevance + relevance) / np.sqrt(n_chosen + 1 + 2.0 * (chosen_shared + shared))


@inlined
def _shared(
    pair: int, f: int, g: int, floor: float,
    bits: Array, sizes: Array, n_levels: Array, levels: Array, margins: Array,
    table: Array, unit: float, scratch: Array,
    columns: Array, partial: Array,
) -> Any:  # fmt: skip
    """What features f and g share."""
    if pair == 2:
        return max(abs(column_product(columns, f, g, partial)), floor)
    joint = joint_sum(bits, sizes, n_levels, levels, f, bits, sizes, n_levels, levels, g, table, scratch)
    whole = table[table.shape[0] - 1]
    information = (whole - margins[f] - margins[g] + joint) * unit
    if information < 1e-12:
        return 0.0
    if pair == 0:
        return information
    return 2.0 * information / ((whole - margins[f] + whole - margins[g]) * unit)


@kernel
def lazy_round(
    pair: int, formula: int, weight: float, floor: float, relevance: Array, by_relevance: Array,
    chosen: Array, n_chosen: int, chosen_relevance: float, chosen_shared: float,
    shared: Array, n_summed: Array, opened: Array, bounds: Array, counters: Array, tied: Array, best_merit: Array,
    bits: Array, sizes: Array, n_levels: Array, levels: Array, margins: Array,
    table: Array, unit: float, scratch: Array,
    columns: Array, partial: Array,
) -> None:  # fmt: skip
    """Find every feature of the best merit next to the chosen ones.

    ``n_summed`` is -1 for a chosen feature. ``opened`` lists the features with at least one term summed, and ``bounds``
    is scratch beside it. ``counters`` holds how many those are, how many of ``by_relevance`` were looked at, the
    pairs evaluated so far, and the number of ties found in this round.
    """
    n_opened = counters[0]
    cursor = counters[1]
    n_pairs = counters[2]
    best = -np.inf
    # First the feature of the highest bound, then the opened ones, then unopened ones by falling relevance.
    start = -1
    for position in range(n_opened):
        f = opened[position]
        if n_summed[f] >= 0:
            bounds[position] = merit_of(
                formula, relevance[f], shared[f], n_summed[f], n_chosen, weight, floor,
                chosen_relevance, chosen_shared,
            )  # fmt: skip
            if start < 0 or bounds[position] > bounds[start]:
                start = position
    step = -1 if start >= 0 else 0
    n_before = n_opened
    while True:
        if step < n_before:
            position = start if step < 0 else step
            step += 1
            f = opened[position]
            bound = bounds[position]
            if n_summed[f] < 0 or not reaches(bound, best):
                continue
        else:
            while cursor < by_relevance.shape[0] and n_summed[by_relevance[cursor]] < 0:
                cursor += 1
            if cursor >= by_relevance.shape[0]:
                break
            f = by_relevance[cursor]
            bound = merit_of(
                formula, relevance[f], 0.0, 0, n_chosen, weight, floor, chosen_relevance, chosen_shared
            )  # fmt: skip
            if not reaches(bound, best):
                break
            position = n_opened
            opened[position] = f
            n_opened += 1
            cursor += 1
        while n_summed[f] < n_chosen and reaches(bound, best):
            shared[f] += _shared(
                pair, f, chosen[n_summed[f]], floor, bits, sizes, n_levels, levels, margins, table, unit, scratch,
                columns, partial,
            )  # fmt: skip
            n_summed[f] += 1
            n_pairs += 1
            bound = merit_of(
                formula, relevance[f], shared[f], n_summed[f], n_chosen, weight, floor,
                chosen_relevance, chosen_shared,
            )  # fmt: skip
        bounds[position] = bound
        if n_summed[f] == n_chosen and bound > best:
            best = bound
    n_tied = 0
    for position in range(n_opened):
        f = opened[position]
        if n_summed[f] == n_chosen and reaches(bounds[position], best):
            tied[n_tied] = f
            n_tied += 1
    counters[0] = n_opened
    counters[1] = cursor
    counters[2] = n_pairs
    counters[3] = n_tied
    best_merit[0] = best
