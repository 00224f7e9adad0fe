"""Backward searches under a limit on the value of what is left, for any value that never falls as features go.

Positions 0 … n-1 are features in increasing relevance. Every search takes ``value``, a function of a tuple of kept
positions, ascending, and says how often it asked for one, as the literature counts: the value of all features is not
counted. ``search.counted`` has the same searches on codes, compiled.

Sources: Zhao and Liu 2007 (INTERACT); Shin and Xu 2009 (SDCC, LCC); Shin et al. 2015 (SUPER-LCC);
Pino Angulo 2019, §3.2 (FSDCC), §3.3 (ASDCC), §3.5 (corrected SDCC, SWCFS).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from holdfast.kernels.lazy import TIE

Value = Callable[[tuple[int, ...]], float]


@dataclass(frozen=True)
class Removal:
    """Positions kept, ascending; their value; and how many values were asked for."""

    kept: tuple[int, ...]
    value: float
    n_evaluations: int


def loss_weight(value: float, delta: float, alpha: float) -> float:
    """What one unit of lost value weighs in ϑ and IR: nothing where only features that cost nothing may go."""
    room = delta - value
    return (1.0 - alpha) / room if room > TIE * max(1.0, abs(delta)) else 0.0


def interact(value: Value, n: int, delta: float) -> Removal:
    """INTERACT: one pass, taking away whatever loses at most ``delta``."""
    return _one_pass(value, n, lambda current: current + delta)


def linear(value: Value, n: int, limit: float) -> Removal:
    """LCC: one pass, taking away whatever leaves a value of at most ``limit``."""
    return _one_pass(value, n, lambda current: limit)


def _one_pass(value: Value, n: int, most_allowed: Callable[[float], float]) -> Removal:
    counting = _Counting(value)
    kept = list(range(n))
    current = value(tuple(kept))
    for f in range(n):
        without = counting(_without(kept, f))
        if without <= most_allowed(current) + TIE:
            kept.remove(f)
            current = without
    return Removal(tuple(kept), current, counting.n_evaluations)


def binary(value: Value, n: int, limit: float) -> Removal:
    """SUPER-LCC: what LCC keeps, each next one found by halving."""
    counting = _Counting(value)

    def is_enough(kept: Sequence[int], first: int) -> bool:
        return counting((*kept, *range(first, n))) <= limit + TIE

    kept = keep_by_halving(is_enough, n)
    return Removal(kept, value(kept), counting.n_evaluations)


def keep_by_halving(is_enough: Callable[[Sequence[int], int], bool], n: int) -> tuple[int, ...]:
    """Positions LCC keeps; ``is_enough(kept, first)`` says whether they and all from ``first`` on will do."""
    kept: list[int] = []
    done = 0
    while done < n:
        removable = last_true(lambda first: is_enough(kept, first), done, n)
        if removable < n:
            kept.append(removable)
        done = removable + 1
    return tuple(kept)


def last_true(is_true: Callable[[int], bool], low: int, high: int) -> int:
    """The largest number from ``low`` to ``high`` for which a claim holds that holds at ``low``, then never again."""
    while low < high:
        middle = (low + high + 1) // 2
        if is_true(middle):
            low = middle
        else:
            high = middle - 1
    return low


def steepest(value: Value, n: int, limit: float, scan: Iterable[int] | None = None) -> Removal:
    """SDCC: each round looks at every feature and takes away the first of those that lose least.

    Looked at in increasing relevance, as by default, it is the corrected SDCC.
    """
    counting = _Counting(value)
    order = list(range(n)) if scan is None else list(scan)
    kept = list(range(n))
    current = value(tuple(kept))
    while kept:
        best, best_value = -1, inf
        for f in order:
            if f in kept:
                without = counting(_without(kept, f))
                if without <= limit + TIE and without < best_value - TIE:
                    best, best_value = f, without
        if best < 0:
            break
        kept.remove(best)
        current = best_value
    return Removal(tuple(kept), current, counting.n_evaluations)


def lazy(value: Value, relevance: Any, limit: float, delta: float, alpha: float = 0.0) -> Removal:
    """FSDCC (alpha = 0) and ASDCC: steepest descent on ϑ that asks only for values that can matter.

    ``delta`` is the threshold before it was rounded down to ``limit``.
    """
    counting = _Counting(value)
    kept = list(range(len(relevance)))
    current = value(tuple(kept))
    known = [min(0.0, current)] * len(kept)
    while True:
        best, best_cost, least, has_seen = -1, inf, limit, False
        weight = loss_weight(current, delta, alpha)
        for f in kept:
            if known[f] >= least - TIE if has_seen else known[f] > limit + TIE:
                continue
            without = known[f] = counting(_without(kept, f))
            if without > limit + TIE:
                continue
            cost = alpha * relevance[f] + weight * (without - current)
            if without <= current + TIE and cost < best_cost - TIE:
                best = f
                break
            if not has_seen or without < least - TIE:
                least, has_seen = without, True
                if cost < best_cost - TIE:
                    best, best_cost = f, cost
        if best < 0:
            return Removal(tuple(kept), current, counting.n_evaluations)
        kept.remove(best)
        current = known[best]


def windowed(
    value: Value, relevance: Any, limit: float, delta: float, alpha: float, window: float, growth: float
) -> Removal:
    """SWCFS: drop the least relevant while that loses nothing, then descend on IR within a window that grows."""
    counting = _Counting(value)
    n = len(relevance)
    all_value = current = value(tuple(range(n)))
    first = last_true(lambda first: counting(tuple(range(first, n))) <= all_value + TIE, 0, n)
    kept = list(range(first, n))
    weight = loss_weight(all_value, delta, alpha)
    span = relevance[-1] - relevance[0]
    known = [min(0.0, current)] * n
    for edge in window_edges(relevance[first:], window, growth):
        best, best_cost = -1, inf
        for f in kept:
            if relevance[f] > edge + TIE or known[f] > limit + TIE:
                continue
            without = known[f] = counting(_without(kept, f))
            if without > limit + TIE:
                continue
            if without <= current + TIE:
                best = f
                break
            cost = (alpha * (relevance[f] - relevance[0]) / span if span > TIE else 0.0) + weight * (
                without - all_value
            )
            if cost < best_cost - TIE:
                best, best_cost = f, cost
        if best < 0 and edge >= relevance[-1]:
            break
        if best >= 0:
            kept.remove(best)
            current = known[best]
    return Removal(tuple(kept), current, counting.n_evaluations)


def window_edges(relevance: Any, window: float, growth: float) -> Iterable[float]:
    """The largest relevance looked at in round 1, 2, …; it grows until it is the largest there is, and stays so."""
    if not len(relevance):
        return
    least, most = float(relevance[0]), float(relevance[-1])
    by = growth * (most - least) / (len(relevance) - 1) if len(relevance) > 1 else 0.0
    edge = least + window * (most - least) if window < 1.0 else most
    while True:
        yield edge
        # A step too small to be felt would never arrive.
        edge = min(edge + by, most) if edge + by > edge else most


def _without(kept: Sequence[int], f: int) -> tuple[int, ...]:
    return tuple(g for g in kept if g != f)


class _Counting:
    """A value that counts how often it was asked for."""

    def __init__(self, value: Value) -> None:
        self.n_evaluations = 0
        self._value = value

    def __call__(self, kept: Any) -> float:
        self.n_evaluations += 1
        return self._value(tuple(kept))
