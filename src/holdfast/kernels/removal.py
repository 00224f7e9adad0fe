"""What is lost by taking one feature away from a set, for every feature of it that a backward search looks at.

Features are rows of ``levels``, least relevant first. The set is ``is_in``; ``chain`` holds a few features of it that
have the value of the whole set between them (``in_chain`` marks them, ``at[N_CHAIN]`` counts them). Values never fall
when a feature goes, so without a feature outside the chain the value stays what it is, and nothing need be counted: of
thousands of features only those in the chain are. Their own values start from the rest of the chain, which nearly has
the value already.

Two values are equal when they differ by no more than ``slack``: 0 for counts, rounding noise for entropies.
"""

from __future__ import annotations

from holdfast.kernels._jit import Array, inlined, kernel
from holdfast.kernels.lazy import TIE
from holdfast.kernels.partitions import MIXED, N_AT, VALUE, split, start

N_CHAIN = N_AT
N_STATE = N_AT + 1
STEEPEST, LAZY, WINDOWED = 0, 1, 2


@kernel
def _value_without(
    left_out: int, enough: int,
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, slack: int, table: Array,
    is_in: Array, in_chain: Array, chain: Array, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """Value of the set without one feature; ``enough`` is known to be the least it can be."""
    start(y, n_classes, kind, table, work, counts, at)
    for place in range(at[N_CHAIN]):
        f = chain[place]
        if f != left_out and at[VALUE] > enough + slack:
            split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at)
    for f in range(levels.shape[0] - 1, -1, -1):
        if at[VALUE] <= enough + slack or at[MIXED] == 0:
            break
        if is_in[f] and not in_chain[f] and f != left_out:
            split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at)
    value: int = at[VALUE]
    return value


@kernel
def find_chain(
    enough: int,
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, slack: int, table: Array,
    is_in: Array, in_chain: Array, chain: Array, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """Make a chain whose value is at most ``enough``, from what is left of the old one and then the most relevant.

    A feature that splits nothing now never will: what the others split only gets finer.
    """
    start(y, n_classes, kind, table, work, counts, at)
    n_kept = 0
    n_old = at[N_CHAIN]
    for place in range(n_old):
        f = chain[place]
        in_chain[f] = False
        if not is_in[f] or at[VALUE] <= enough + slack:
            continue
        if split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at):
            chain[n_kept] = f
            in_chain[f] = True
            n_kept += 1
    for f in range(levels.shape[0] - 1, -1, -1):
        if at[VALUE] <= enough + slack or at[MIXED] == 0:
            break
        if not is_in[f] or in_chain[f]:
            continue
        if split(levels[f], n_levels[f], y, n_classes, kind, table, work, lookup, counts, at):
            chain[n_kept] = f
            in_chain[f] = True
            n_kept += 1
    at[N_CHAIN] = n_kept
    value: int = at[VALUE]
    return value


@kernel
def one_pass(
    first: int, last: int, value: int, threshold: int,
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, slack: int, table: Array,
    is_in: Array, in_chain: Array, chain: Array, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """Take away each feature in turn if the value then rises by at most ``threshold``; the value at the end.

    The chain has at most the given value. With a threshold of 0 any value up to the given one will do.
    """
    for f in range(first, last):
        if not is_in[f]:
            continue
        without = value
        if in_chain[f]:
            without = _value_without(
                f, value, levels, n_levels, y, n_classes, kind, slack, table,
                is_in, in_chain, chain, work, lookup, counts, at,
            )  # fmt: skip
            if without <= value + slack:
                without = value
        if without > value + threshold + slack:
            continue
        is_in[f] = False
        value = without
        if in_chain[f]:
            find_chain(
                value, levels, n_levels, y, n_classes, kind, slack, table,
                is_in, in_chain, chain, work, lookup, counts, at,
            )  # fmt: skip
    return value


@inlined
def _is_smaller(score: float, best: float) -> bool:
    return score < best - TIE


@kernel
def best_removal(
    rule: int, scan: Array, n_looked_at: int, value: int, limit: int, base: int, loss_weight: float,
    costs: Array, known: Array, found: Array,
    levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, slack: int, table: Array,
    is_in: Array, in_chain: Array, chain: Array, work: Array, lookup: Array, counts: Array, at: Array,
) -> int:  # fmt: skip
    """The feature to take away next, or -1; ``found`` gets the value without it and how many values were asked for.

    ``scan`` is the order in which features are looked at, ``known`` the least that the value without each can be, and
    ``costs[f] + loss_weight * (value without f - base)`` is made as small as the rule looks for it:

    - STEEPEST looks at all and takes the first of the smallest value, whatever it costs;
    - LAZY (FSDCC, ASDCC) passes by what is known not to beat the smallest value seen, and ends at a feature that costs
      no value and is the cheapest so far;
    - WINDOWED (SWCFS) looks at the first ``n_looked_at``, and ends at a feature that costs no value.
    """
    best = -1
    best_cost = 0.0
    best_value = limit
    n_asked = 0
    is_settled = False
    has_seen = False
    for place in range(n_looked_at):
        f = scan[place]
        if not is_in[f]:
            continue
        if rule == STEEPEST:
            n_asked += 1
            if is_settled:
                continue
        elif rule == LAZY and has_seen:
            if known[f] >= best_value - slack:
                continue
        elif known[f] > limit + slack:
            continue
        without = value
        if in_chain[f]:
            without = _value_without(
                f, max(value, known[f]), levels, n_levels, y, n_classes, kind, slack, table,
                is_in, in_chain, chain, work, lookup, counts, at,
            )  # fmt: skip
        known[f] = without
        if rule != STEEPEST:
            n_asked += 1
        if without > limit + slack:
            continue
        costs_nothing = without <= value + slack
        if rule == STEEPEST:
            if best < 0 or without < best_value - slack:
                best, best_value, is_settled = f, without, costs_nothing
            continue
        cost = costs[f] + loss_weight * (without - base)
        is_cheapest = best < 0 or _is_smaller(cost, best_cost)
        if costs_nothing and (is_cheapest or rule == WINDOWED):
            best, best_value = f, without
            break
        if rule == WINDOWED:
            if is_cheapest:
                best, best_cost, best_value = f, cost, without
        elif not has_seen or without < best_value - slack:
            has_seen = True
            best_value = without
            if is_cheapest:
                best, best_cost = f, cost
    found[1] = n_asked
    if best < 0:
        return -1
    # The smallest value seen is not that of the cheapest removal.
    found[0] = known[best]
    return best
