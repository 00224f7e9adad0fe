"""Backward searches by counting, compiled: those of ``search.removal`` on codes, feature for feature.

The least relevant features mostly go at once: what the most relevant ones leave undecided, they leave undecided
whether the others are there or not. So the table is first split by the most relevant features until the value of all
is reached, and only these, the tail of the order, take part in a search. Their ties alone need settling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels import partitions, removal
from holdfast.kernels.information import log_table
from holdfast.kernels.lazy import TIE
from holdfast.measures.consistency import COUNTED, most_allowed, units_in_one
from holdfast.prepare.codes import Codes
from holdfast.search.removal import Removal, keep_by_halving, last_true, loss_weight, window_edges
from holdfast.search.ties import Precedence, tie_groups

Array = npt.NDArray[Any]
_BLOCK = 1024
_REPORTED = 4096


class CountedSubsets:
    """Values of subsets of features of one table, and the searches that take features away.

    Every search gives columns in increasing relevance. Values are whole numbers; ``scale`` of them are one
    of what the measure is said in.
    """

    def __init__(self, codes: Codes, target: Codes, relevance: Array, precedence: Precedence, measure: str) -> None:
        self.kind = COUNTED[measure]
        self.n_features = len(codes)
        self.scale, self.slack = scale_and_slack(self.kind, codes.n_samples)
        self._codes = codes
        self._relevance = relevance
        self._precedence = precedence
        self._y = target.as_bytes()[0]
        self._n_classes = int(target.n_levels[0])
        self._table = log_table(codes.n_samples)[0]
        # Best first; features that tie stand as they came until a search needs to know who goes first.
        self._group = tie_groups(relevance)
        self._order = np.argsort(self._group, kind="stable")
        self._settled_groups: dict[int, Array] = {}
        self._values = self._values_of_the_best()
        self.value_of_all = int(self._values[-1])

    def interact(self, threshold: int) -> Removal:
        """INTERACT, with the loss allowed to each feature."""
        tail = self._tail(self.value_of_all)
        value = tail.one_pass(self.value_of_all, threshold)
        return self._removal(tail, value, self.n_features)

    def linear(self, limit: int) -> Removal:
        """LCC."""
        tail = self._tail(limit)
        tail.one_pass(limit, 0)
        return self._removal(tail, tail.value(), self.n_features)

    def binary(self, limit: int) -> Removal:
        """SUPER-LCC."""
        tail = self._tail(limit)
        asked = 0

        def is_enough(kept: Sequence[int], first: int) -> bool:
            nonlocal asked
            asked += 1
            # What was kept is all in the tail: before it, everything can go.
            return first <= tail.first or tail.value_of(kept, first - tail.first, limit) <= limit + self.slack

        kept = keep_by_halving(lambda kept, first: is_enough([f - tail.first for f in kept], first), self.n_features)
        tail.keep([f - tail.first for f in kept])
        return self._removal(tail, tail.value(), asked)

    def steepest(self, limit: int, scan: Array | None = None) -> Removal:
        """SDCC; ``scan`` is the order in which places in increasing relevance are looked at."""
        tail = self._tail(self.value_of_all) if scan is None else self._whole()
        places = np.arange(len(tail)) if scan is None else np.asarray(scan, dtype=np.int64)
        n = self.n_features
        n_asked = tail.first * (2 * n - tail.first + 1) // 2
        value, more = tail.descend(
            self.value_of_all, lambda value: (removal.STEEPEST, places, len(places), limit, 0, 0.0)
        )
        return self._removal(tail, value, n_asked + more)

    def lazy(self, limit: int, delta: float, alpha: float = 0.0) -> Removal:
        """FSDCC (alpha = 0) and ASDCC; ``delta`` is the threshold before it was rounded down to ``limit``."""
        tail = self._tail(self.value_of_all, alpha * self._relevance)
        places = np.arange(len(tail))

        def rule(value: int) -> tuple[Any, ...]:
            return removal.LAZY, places, len(places), limit, value, loss_weight(value, delta, alpha)

        value, n_asked = tail.descend(self.value_of_all, rule)
        return self._removal(tail, value, tail.first + n_asked)

    def windowed(self, limit: int, delta: float, alpha: float, window: float, growth: float) -> Removal:
        """SWCFS."""
        least, most = float(self._relevance.min()), float(self._relevance.max())
        share = (self._relevance - least) / (most - least) if most - least > TIE else np.zeros(self.n_features)
        tail = self._tail(self.value_of_all, alpha * share)
        n_halvings = 0

        def loses_nothing(first: int) -> bool:
            nonlocal n_halvings
            n_halvings += 1
            at_most = self.value_of_all
            return first <= tail.first or tail.value_of([], first - tail.first, at_most) <= at_most + self.slack

        first = last_true(loses_nothing, 0, self.n_features) - tail.first
        tail.keep(range(first, len(tail)))
        if first == len(tail):
            return self._removal(tail, self.value_of_all, n_halvings)
        relevance = tail.in_order(self._relevance)
        edges = iter(window_edges(relevance[first:], window, growth))
        places = np.arange(len(tail))
        weight = loss_weight(self.value_of_all, delta, alpha)
        is_whole = False

        def rule(value: int) -> tuple[Any, ...]:
            nonlocal is_whole
            edge = next(edges)
            is_whole = edge >= relevance[-1]
            n_looked_at = int(np.searchsorted(relevance, edge + TIE, side="right"))
            return removal.WINDOWED, places, n_looked_at, limit, self.value_of_all, weight

        value, n_asked = tail.descend(self.value_of_all, rule, is_over=lambda: is_whole)
        return self._removal(tail, value, n_halvings + n_asked)

    @property
    def resolution(self) -> float:
        """Differences below this are none."""
        return max(1, 4 * self.slack) / self.scale

    def most_allowed(self, delta: float) -> int:
        """The largest value that a threshold allows."""
        return most_allowed(delta, self.scale)

    def shown(self, value: Any) -> Any:
        """A value, or several, as the measure is said."""
        return value / self.scale

    def places_in_table(self) -> Array:
        """Places in increasing relevance, in the order of the columns."""
        return np.argsort(self._whole().columns)

    def best_columns(self) -> Array:
        """Columns that have the value of all between them, most relevant first; LCC keeps no other at any limit."""
        return self._tail(self.value_of_all).columns[::-1]

    def value_of(self, columns: Array) -> int:
        """Value of any subset, in no order."""
        if len(columns) == 0:
            return int(self._values[0])
        return _Tail(self, columns, 0, np.zeros(len(columns))).value()

    def contributions(self, columns: Array) -> tuple[int, Array]:
        """Value of a subset, and what it loses without each of its features."""
        if len(columns) == 0:
            return self.value_of(columns), np.zeros(0, dtype=np.int64)
        tail = _Tail(self, columns, 0, np.zeros(len(columns)))
        value = tail.value()
        return value, np.array([tail.value_without(f) for f in range(len(columns))]) - value

    def _values_of_the_best(self) -> Array:
        """Value of no feature, of the best, of the best two and so on."""
        codes = self._codes
        scratch = self._scratch(codes.n_levels)
        work, _, counts, at = scratch
        partitions.start(self._y, self._n_classes, self.kind, self._table, work, counts, at)
        values = np.full(self.n_features + 1, at[partitions.VALUE], dtype=np.int64)
        for first in range(0, self.n_features, _BLOCK):
            block = self._order[first : first + _BLOCK]
            after = np.empty(len(block), dtype=np.int64)
            partitions.split_by_each(
                codes.as_bytes(block), codes.n_levels[block], self._y, self._n_classes, self.kind, self._table,
                *scratch, after,
            )  # fmt: skip
            values[first + 1 : first + 1 + len(block)] = after
            if at[partitions.MIXED] == 0:
                values[first + 1 + len(block) :] = at[partitions.VALUE]
                break
        return values

    def _scratch(self, n_levels: Array) -> tuple[Array, Array, Array, Array]:
        most = int(n_levels.max(initial=1))
        return partitions.scratch(self._codes.n_samples, most, self._n_classes, removal.N_STATE)

    def _tail(self, enough: int, costs: Array | None = None) -> _Tail:
        """The most relevant features that have a value of at most ``enough`` between them, in their final order."""
        n_best = int(np.argmax(self._values <= enough + self.slack))
        if n_best:
            n_best = int(np.searchsorted(self._group[self._order], self._group[self._order[n_best - 1]], side="right"))
        return self._settled(n_best, costs)

    def _whole(self) -> _Tail:
        return self._settled(self.n_features)

    def _settled(self, n_best: int, costs: Array | None = None) -> _Tail:
        best = self._order[:n_best]
        groups = np.split(best, np.flatnonzero(np.diff(self._group[best])) + 1) if n_best else []
        settled = [group if len(group) == 1 else self._settled_group(group) for group in groups]
        columns = np.concatenate(settled)[::-1] if settled else best
        costs = np.zeros(self.n_features) if costs is None else costs
        return _Tail(self, np.ascontiguousarray(columns), self.n_features - n_best, costs[columns])

    def _settled_group(self, tied: Array) -> Array:
        number = int(self._group[tied[0]])
        if number not in self._settled_groups:
            self._settled_groups[number] = self._precedence.order(tied)
        return self._settled_groups[number]

    def _removal(self, tail: _Tail, value: int, n_evaluations: int) -> Removal:
        return Removal(tuple(tail.columns[tail.is_in].tolist()), value, n_evaluations)


class _Tail:
    """The most relevant features in increasing relevance, from place ``first`` on, and which of them are still in."""

    def __init__(self, subsets: CountedSubsets, columns: Array, first: int, costs: Array) -> None:
        codes = subsets._codes
        n_levels = codes.n_levels[columns]
        n = len(columns)
        self.columns = columns
        self.first = first
        self._costs = costs
        self._slack = subsets.slack
        self._data = codes.as_bytes(columns), n_levels, subsets._y, subsets._n_classes, subsets.kind
        self._table = subsets._table
        self.is_in = np.ones(n, dtype=bool)
        self._chain = np.zeros(n, dtype=bool), np.zeros(n, dtype=np.int64)
        self._scratch = subsets._scratch(n_levels)
        self._known = np.zeros(n, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def _arguments(self) -> Any:
        return *self._data, self._slack, self._table, self.is_in, *self._chain, *self._scratch

    def in_order(self, values: Array) -> Array:
        """Values of the columns, never falling: what ties is one value."""
        risen: Array = np.maximum.accumulate(values[self.columns])
        return risen

    def keep(self, places: Sequence[int]) -> None:
        """Take away all but these."""
        self.is_in[:] = False
        self.is_in[list(places)] = True

    def value(self) -> int:
        """Value of what is in."""
        return self._value_of(np.flatnonzero(self.is_in)[::-1], -1)

    def value_of(self, kept: Sequence[int], first: int, enough: int) -> int:
        """Value of some places and of all from ``first`` on."""
        members = np.concatenate([np.arange(len(self) - 1, first - 1, -1), np.asarray(kept, dtype=np.int64)])
        return self._value_of(members, enough)

    def value_without(self, place: int) -> int:
        """Value of what is in, but for one."""
        rest = np.flatnonzero(self.is_in)[::-1]
        return self._value_of(rest[rest != place], -1)

    def _value_of(self, members: Array, enough: int) -> int:
        return int(partitions.value_of(*self._data, self._table, np.ascontiguousarray(members), enough, *self._scratch))

    def one_pass(self, value: int, threshold: int) -> int:
        """Take away each feature in turn if that loses at most the threshold; the value then."""
        removal.find_chain(value, *self._arguments)
        for first in range(0, len(self), _REPORTED):
            last = min(first + _REPORTED, len(self))
            value = int(removal.one_pass(first, last, value, threshold, *self._arguments))
            report("Features looked at", self.first + last, self.first + len(self))
        return value

    def descend(
        self, value: int, rule: Callable[[int], tuple[Any, ...]], is_over: Callable[[], bool] = lambda: True
    ) -> tuple[int, int]:
        """Take away what the rule finds, round by round, until it finds nothing; the value, and how many were asked.

        ``is_over`` says whether a round that finds nothing is the last.
        """
        removal.find_chain(value, *self._arguments)
        n_asked = n_removed = 0
        found = np.zeros(2, dtype=np.int64)
        while True:
            kind, scan, n_looked_at, limit, base, weight = rule(value)
            place = removal.best_removal(
                kind, scan, n_looked_at, value, limit, base, weight, self._costs, self._known, found, *self._arguments
            )
            n_asked += int(found[1])
            if place < 0:
                if is_over():
                    return value, n_asked
                continue
            self.is_in[place] = False
            value = int(found[0])
            if self._chain[0][place]:
                removal.find_chain(value, *self._arguments)
            n_removed += 1
            if n_removed % 64 == 0:
                report("Features removed", self.first + n_removed)


def scale_and_slack(kind: int, n_samples: int) -> tuple[float, int]:
    """How many units of a value are one, and up to which difference two values are equal."""
    scale = units_in_one(kind, n_samples)
    # Every entry of the table of entropies is rounded once, and a value adds up to two entries a sample.
    return scale, max(4 * n_samples, round(TIE * scale)) if kind == partitions.ENTROPY else 0
