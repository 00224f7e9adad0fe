"""The smallest subset that is good enough, found by trying all of one feature, of two, of three and so on.

Subsets of a size are tried in lexicographic order of features by falling relevance. A feature that never varies, or
that splits the samples as a more relevant one does, is in no smallest subset that is the first of its size. So
``DistinctSubsets`` leaves both out, which makes small numbers of large ones: most genes have one level after MDL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels import exhaustive, partitions
from holdfast.kernels.information import MAX_LEVELS
from holdfast.search.called import CalledSubsets
from holdfast.search.counted import CountedSubsets
from holdfast.search.removal import Removal

Array = npt.NDArray[Any]

# So many samples are looked at between two reports.
_REPORTED = 2**24
# The work by masks grows with (levels - 1) × classes; past this, going through the samples is less, measured.
_MOST_MASKS = 16


class TooManySubsets(Exception):
    """The next size has too many subsets; what was tried so far, and the best value among it."""

    def __init__(self, size: int, n_tried: int, n_next: int, n_features: int, best: float) -> None:
        super().__init__(size, n_tried, n_next, n_features, best)
        self.size = size
        self.n_tried = n_tried
        self.n_next = n_next
        self.n_features = n_features
        self.best = best


@dataclass(frozen=True)
class Tried:
    """How many subsets of a size were tried, the places of the first good enough or None, the lowest value so far."""

    n_tried: int
    places: tuple[int, ...] | None
    best: Any


class _Sizes(Protocol):
    """Subsets of ``n`` places, by size."""

    n: int

    def first(self, size: int, limit: Any, best: Any) -> Iterator[Tried]:
        """Try subsets of a size in order, and say now and then how far it is."""


def smallest(
    sizes: _Sizes, limit: Any, value_of_none: Any, max_subsets: int, start: int = 1
) -> tuple[tuple[int, ...], Any, int]:
    """Places of the smallest subset of a value up to ``limit``, its value, and how many subsets were tried.

    ``start`` is a size below which no subset is known to be good enough, but for the empty one.
    """
    n_tried, best = sum(comb(sizes.n, size) for size in range(start)), value_of_none
    if best <= limit:
        return (), best, 1
    for size in range(start, sizes.n + 1):
        n_next = comb(sizes.n, size)
        if n_tried + n_next > max_subsets:
            raise TooManySubsets(size, n_tried, n_next, sizes.n, best)
        tried = Tried(0, None, best)
        for tried in sizes.first(size, limit, best):
            report("Subsets tried", n_tried + tried.n_tried, n_tried + n_next)
            if tried.places is not None:
                return tried.places, tried.best, n_tried + tried.n_tried
        n_tried += tried.n_tried
        best = tried.best
    raise ValueError(
        "The measure gave all features together a lower value before; it must depend on its arguments only."
    )


class DistinctSubsets(CountedSubsets):
    """Values of subsets by counting, and the search for the smallest."""

    def smallest(self, limit: int, max_subsets: int) -> Removal:
        """FOCUS; columns in increasing relevance."""
        varied = self._order[~self._codes.is_constant[self._order]]
        columns, sizes = self._distinct(varied)
        at_most, value_of_none = limit + self.slack, int(self._values[0])
        places, value, n_tried = smallest(sizes, at_most, value_of_none, max_subsets)
        # Ties may be many and take longer to settle than a search that finds nothing: who is first matters only now.
        if places and len(np.unique(self._group[varied])) < len(varied):
            settled = self._precedence.sort_some(varied, self._relevance[varied], len(varied))
            columns, sizes = self._distinct(settled)
            places, value, n_tried = smallest(sizes, at_most, value_of_none, max_subsets, start=len(places))
        return Removal(tuple(columns[list(places)][::-1].tolist()), value, n_tried)

    def _distinct(self, columns: Array) -> tuple[Array, _Sizes]:
        """The first of the columns that split the samples alike, and their subsets."""
        levels = self._codes.as_bytes(columns)
        n_levels = np.empty(len(columns), dtype=np.int64)
        exhaustive.renumber(levels, np.full(MAX_LEVELS + 1, -1), n_levels)
        first: dict[bytes, int] = {}
        for place, row in enumerate(levels):
            first.setdefault(row.tobytes(), place)
        places = list(first.values())
        levels, n_levels = levels[places], n_levels[places]
        is_masked = (n_levels - 1).sum() * self._n_classes <= _MOST_MASKS * len(places)
        # Of 0 and 1 only 0 is worth looking for, and that is no sample outside its majority.
        kind = partitions.RISK if self.kind == partitions.BINARY else self.kind
        sizes = (_ByMasks if is_masked else _BySamples)(levels, n_levels, self._y, self._n_classes, kind, self._table)
        return columns[places], sizes


class CalledInTurn(CalledSubsets):
    """Values of subsets by a function, and the search for the smallest; no feature is left out."""

    def smallest(self, limit: float, max_subsets: int) -> Removal:
        """FOCUS; columns in increasing relevance."""
        empty = self.value_of(np.zeros(0, dtype=np.int64))
        places, value, n_tried = smallest(_ByCalls(self), limit + self.slack, empty, max_subsets)
        return Removal(tuple(self.best_columns()[list(places)][::-1].tolist()), value, n_tried)


class _ByCalls:
    def __init__(self, subsets: CalledSubsets) -> None:
        self.n = subsets.n_features
        self._columns = subsets.best_columns()
        self._value_of = subsets.value_of

    def first(self, size: int, limit: float, best: float) -> Iterator[Tried]:
        for n_tried, places in enumerate(combinations(range(self.n), size), 1):
            value = self._value_of(self._columns[list(places)])
            if value <= limit:
                yield Tried(n_tried, places, value)
            best = min(best, value)
            yield Tried(n_tried, None, best)


class _Compiled:
    """Subsets tried in portions by a kernel, between which the user may interrupt."""

    def __init__(self, levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, table: Array) -> None:
        self.n, self._n_samples = levels.shape
        self._levels = levels
        self._n_levels = n_levels
        self._y = y
        self._n_classes = n_classes
        self._kind = kind
        self._table = table

    def first(self, size: int, limit: int, best: int) -> Iterator[Tried]:
        beginning = np.arange(size - 1)
        state = np.zeros(exhaustive.N_STATE, dtype=np.int64)
        state[exhaustive.BEST] = best
        state[exhaustive.LAST] = -1
        scratch = self._scratch(size)
        n_tried = 0
        while not state[exhaustive.IS_OVER]:
            n_tried += self._try(limit, max(1, _REPORTED // self._n_samples), beginning, state, scratch)
            last = int(state[exhaustive.LAST])
            places = (*beginning.tolist(), last) if last >= 0 else None
            yield Tried(n_tried, places, int(state[exhaustive.BEST]))

    def _scratch(self, size: int) -> tuple[Array, ...]:
        raise NotImplementedError

    def _try(self, limit: int, n_tries: int, beginning: Array, state: Array, scratch: tuple[Array, ...]) -> int:
        raise NotImplementedError


class _ByMasks(_Compiled):
    def __init__(self, levels: Array, n_levels: Array, y: Array, n_classes: int, kind: int, table: Array) -> None:
        super().__init__(levels, n_levels, y, n_classes, kind, table)
        together = np.lexsort((y, *levels[:16][::-1]))
        self._starts = np.concatenate([[0], np.cumsum(n_levels)])
        self._bits = _masks(levels[:, together], self._starts)
        self._class_bits = _masks(y[np.newaxis, together], np.array([0, n_classes]))

    def _scratch(self, size: int) -> tuple[Array, ...]:
        """All samples in one block at depth 0, and room for blocks at each depth below."""
        m, n_classes, n_words = self._n_samples, self._n_classes, self._class_bits.shape[1]
        words = np.zeros((size, m + 1), dtype=np.int64)
        masks = np.zeros((size, (m + 1) * n_classes), dtype=np.uint64)
        ends = np.zeros((size, m // 2 + 1), dtype=np.int64)
        sizes = np.zeros((size, (m // 2 + 1) * n_classes), dtype=np.int64)
        n_blocks = np.zeros(size, dtype=np.int64)
        words[0, :n_words] = np.arange(n_words)
        masks[0, : n_words * n_classes] = self._class_bits.T.ravel()
        ends[0, 0] = n_words
        sizes[0, :n_classes] = np.bincount(self._y, minlength=n_classes)
        n_blocks[0] = 1
        return words, masks, ends, sizes, n_blocks, np.zeros(n_classes, dtype=np.int64)

    def _try(self, limit: int, n_tries: int, beginning: Array, state: Array, scratch: tuple[Array, ...]) -> int:
        return exhaustive.try_subsets(
            self._bits, self._starts, self._n_classes, self._kind, self._table,
            limit, n_tries, beginning, state, *scratch,
        )  # fmt: skip


class _BySamples(_Compiled):
    def _scratch(self, size: int) -> tuple[Array, ...]:
        most = int(self._n_levels.max(initial=1))
        work, lookup, counts, at = partitions.scratch(self._n_samples, most, self._n_classes)
        partitions.start(self._y, self._n_classes, self._kind, self._table, work, counts, at)
        return (
            np.repeat(work[np.newaxis], size + 1, axis=0),
            lookup,
            counts,
            np.repeat(at[np.newaxis], size + 1, axis=0),
        )

    def _try(self, limit: int, n_tries: int, beginning: Array, state: Array, scratch: tuple[Array, ...]) -> int:
        return exhaustive.try_subsets_by_samples(
            self._levels, self._n_levels, self._y, self._n_classes, self._kind, self._table,
            limit, n_tries, beginning, state, *scratch,
        )  # fmt: skip


def _masks(levels: Array, starts: Array) -> Array:
    """Mask of the samples at each level of each feature, that of its level 0 in the row where the feature starts."""
    n_levels = np.diff(starts)
    masks = np.zeros((starts[-1], (levels.shape[1] + 63) // 64), dtype="<u8")
    as_bytes = masks.view(np.uint8)
    for level in range(int(n_levels.max(initial=0))):
        has_it = np.flatnonzero(n_levels > level)
        packed = np.packbits(levels[has_it] == level, axis=1, bitorder="little")
        as_bytes[starts[has_it] + level, : packed.shape[1]] = packed
    return masks.astype(np.uint64)
