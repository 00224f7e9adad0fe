"""The order-blind rule: one total order between features that a merit cannot tell apart.

With few samples merits tie in dozens, and ``argmax`` would let the position of a column choose. Two merits are tied
when they differ by less than 1e-12 (relative to the larger where that exceeds 1). Ties go

1. to the higher relevance,
2. to the feature whose classes sit farther apart in rank,
3. by the sequence of classes along the sorted values, read in the direction that comes first and with the classes
   numbered by their ranks, so that neither negating a feature nor renaming a class matters,
4. by name,
5. without names, or among equal ones, by a fingerprint of which samples lie how far from the middle rank, which depends
   neither on the order of samples or columns nor on the direction or scale of a feature; then by the sorted values
   and a fingerprint of which samples have which value,
6. by column, which only identical columns ever reach (or columns that are mirror images of each other in the whole
   table, samples and all).

The keys are computed for tied features only, so a search without ties pays nothing.
"""

from __future__ import annotations

from functools import cached_property
from itertools import groupby
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast.kernels.fingerprints import add_column_fingerprints, add_row_fingerprints
from holdfast.kernels.lazy import TIE
from holdfast.kernels.ranks import rank_profiles
from holdfast.prepare.ranks import ranks, sorted_blocks

Array = npt.NDArray[Any]


# So many features tell samples apart; taking all of 25,000 would cost more than the search.
_N_REFERENCES = 256
# So many rounds of telling samples apart by the samples around them; more told no more apart in trials.
_ROUNDS = 3


def tied_together(values: Array, tolerance: float) -> Array:
    """Values of which those closer than a tolerance are equal: for values known less well than to a tie."""
    if not tolerance > TIE:
        return values
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    starts = np.concatenate([[True], ordered[:-1] - ordered[1:] > tolerance])
    merged = np.empty_like(values)
    merged[order] = ordered[np.maximum.accumulate(np.where(starts, np.arange(len(values)), 0))]
    return merged


def tie_groups(values: Array) -> Array:
    """Number of the group of tied values each value belongs to, 0 for the largest."""
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    with np.errstate(invalid="ignore"):
        gap = ordered[:-1] - ordered[1:]
        starts = (gap > TIE * np.maximum(1.0, np.abs(ordered[:-1]))) | ~np.isfinite(gap) & (ordered[:-1] != ordered[1:])
    groups = np.empty(len(values), dtype=np.int64)
    groups[order] = np.concatenate([[0], np.cumsum(starts)]) if len(values) else []
    return groups


def best_tied(values: Array) -> Array:
    """Positions of the largest value and of all that tie with it."""
    best = values.max()
    if not np.isfinite(best):
        return np.flatnonzero(values == best)
    return np.flatnonzero(values >= best - TIE * max(1.0, abs(best)))


class HasRows(Protocol):
    """Something whose values are there as float64 when asked for; only a tie asks."""

    @property
    def X(self) -> Array:
        """Samples × features."""

    def columns(self, columns: Array) -> Array:
        """Samples × some features, in an array of its own."""


class Precedence:
    """Who goes first among features of one data set that a merit cannot tell apart."""

    def __init__(self, data: HasRows, target: Array, relevance: Array, names: Array | None) -> None:
        self.data = data
        self.target = target
        self.relevance = relevance
        self.names = names
        self.n_ties = 0
        self._known_rows: dict[int, tuple[Array, Array]] = {}

    def first(self, tied: Array) -> int:
        """The feature that goes first; counts a tie when there was a choice."""
        if len(tied) == 1:
            return int(tied[0])
        self.n_ties += 1
        tied = np.sort(tied)
        tied = tied[best_tied(self.relevance[tied])]
        if len(tied) > 1:
            separation, _ = self._profiles(tied, with_sequences=False)
            tied = tied[best_tied(separation)]
        return int(tied[0] if len(tied) == 1 else self._by_sequence(tied)[0])

    def order(self, tied: Array, n_needed: int | None = None) -> Array:
        """The first ``n_needed`` of tied features (all, if None), in order; counts a tie when there was a choice."""
        if len(tied) == 1:
            return tied
        self.n_ties += 1
        tied = np.sort(tied)
        n_needed = len(tied) if n_needed is None else n_needed
        ordered: list[Array] = []
        for equal in _split(tied, self.relevance[tied]):
            if n_needed <= 0:
                break
            if len(equal) == 1:
                ordered.append(equal)
                n_needed -= 1
                continue
            separation, _ = self._profiles(equal, with_sequences=False)
            for same in _split(equal, separation):
                if n_needed <= 0:
                    break
                ordered.append(self._by_sequence(same))
                n_needed -= len(same)
        return np.concatenate(ordered)

    def sort(self, values: Array, n_best: int) -> Array:
        """The ``n_best`` features of the largest values, ties settled, also across the cut."""
        n_features = len(values)
        if n_best < n_features // 4:
            # Everything tied with the last place must take part, so the threshold is a value, not a count.
            last = np.partition(values, n_features - n_best)[n_features - n_best]
            slack = TIE * max(1.0, abs(last)) * n_best if np.isfinite(last) else 0.0
            candidates = np.flatnonzero(values >= last - slack)
        else:
            candidates = np.arange(n_features)
        return self.sort_some(candidates, values[candidates], n_best)

    def top(self, candidates: Array, values: Array, n_best: int) -> Array:
        """The ``n_best`` of some features in no order, so that only ties at the cut need settling."""
        last = np.partition(values, len(values) - n_best)[len(values) - n_best]
        slack = TIE * max(1.0, abs(last)) if np.isfinite(last) else 0.0
        above = values > last + slack
        tied = candidates[~above & (values >= last - slack)]
        room = n_best - int(above.sum())
        return np.concatenate([candidates[above], self.order(tied, room)[:room] if len(tied) > room else tied])

    def sort_some(self, candidates: Array, values: Array, n_best: int) -> Array:
        """The ``n_best`` of some features by their values, ties settled."""
        chosen: list[Array] = []
        n_chosen = 0
        for tied in _split(candidates, values):
            chosen.append(self.order(tied, n_best - n_chosen))
            n_chosen += len(tied)
            if n_chosen >= n_best:
                break
        return np.concatenate(chosen)[:n_best]

    def sample_order(self, measured: Array | None = None) -> tuple[Array, Array]:
        """Samples in an order of their own, and classes by a number of their own, for draws that know neither by name.

        Neither the order of samples or features nor the scale or direction of a feature changes it. Samples that are
        equal in every feature go by class, then by what was measured of them.
        """
        keys = self._row_keys_by(self._reference_sets[-1])[1]
        if _are_shared(keys).any():
            keys = self._keys_by_pairs(keys)
        n_classes = int(self.target.max(initial=0)) + 1
        by_keys = sorted(range(n_classes), key=lambda c: tuple(np.sort(keys[self.target == c]).tolist()))
        number = np.empty(n_classes, dtype=np.int64)
        number[by_keys] = np.arange(n_classes)
        own = number[self.target]
        return np.lexsort((own, keys) if measured is None else (measured, own, keys)), own

    def _keys_by_pairs(self, keys: Array) -> Array:
        """Keys that also tell apart samples on opposite sides of the middle: by how far they are from which others."""
        places = ranks(self._columns(self._reference_sets[-1]))
        words = np.abs(2 * places - (len(places) + 1)).view(np.uint64)
        columns = np.zeros(words.shape[1], dtype=np.uint64)
        add_column_fingerprints(words, keys, columns)
        apart = np.zeros((len(keys), len(keys)), dtype=np.uint64)
        for i, own in enumerate(places):
            apart[i] = self.target == self.target[i]
            add_row_fingerprints(np.abs(places - own).view(np.uint64), columns, apart[i])
        for _ in range(_ROUNDS):
            refined = keys.copy()
            add_row_fingerprints(apart, keys, refined)
            keys = refined
        return keys

    def feature_order(self) -> Array:
        """Features in an order of their own: by their values and the samples that have them, then by the rule."""
        keys = self._value_fingerprints
        order = np.argsort(keys, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)
        return np.concatenate([group if len(group) == 1 else self.order(group) for group in groups])

    def _by_sequence(self, tied: Array) -> Array:
        if len(tied) == 1:
            return tied
        _, sequences = self._profiles(tied, with_sequences=True)
        names = [""] * len(tied) if self.names is None else [str(self.names[f]) for f in tied]
        # Whole numbers with their highest byte first compare as the numbers do, and much faster than tuples.
        keys = [(sequence.tobytes(), name) for sequence, name in zip(sequences.astype(">u4"), names, strict=True)]
        order: list[int] = []
        for _, equal in groupby(sorted(range(len(tied)), key=keys.__getitem__), key=keys.__getitem__):
            columns = tied[list(equal)]
            order.extend(columns if len(columns) == 1 else self._by_content(columns))
        return np.array(order, dtype=np.int64)

    def _columns(self, columns: Array) -> Array:
        """Some features; a missing value is put at the median of the known ones, which no order or scale changes."""
        X = self.data.columns(columns)
        for f in np.flatnonzero(np.isnan(X).any(axis=0)):
            known = ~np.isnan(X[:, f])
            X[~known, f] = np.median(X[known, f]) if known.any() else 0.0
        return X

    def _by_content(self, columns: Array, n_tried: int = 0) -> list[int]:
        """Order features of the same class sequence and name; so many sets of references did not tell them apart."""
        if self._are_one(columns):
            return sorted(columns)
        if n_tried == len(self._reference_sets):
            return self._by_values(columns)
        parts = self._parted(columns, self._reference_sets[n_tried])
        return [f for part in parts for f in self._by_content(part, n_tried + 1)]

    def _are_one(self, columns: Array) -> bool:
        """Whether features are copies of one another, or a single one."""
        if len(columns) == 1:
            return True
        values = self._columns(columns)
        return bool((values == values[:, :1]).all())

    def _parted(self, columns: Array, references: Array) -> list[Array]:
        """Groups of features that lie alike on the samples, as far as these are known by the references."""
        words = self._distances_from_middle(columns)
        known_by = np.zeros(len(columns), dtype=np.uint64)
        for row_keys in self._row_keys_by(references):
            add_column_fingerprints(words, row_keys, known_by)
        order = np.argsort(known_by, kind="stable")
        return np.split(columns[order], np.flatnonzero(np.diff(known_by[order])) + 1)

    def _by_values(self, columns: Array) -> list[int]:
        """Order features whose samples lie equally far from the middle: mirror images, other scales."""
        values = self._columns(columns).T
        keys = {
            f: (tuple(np.sort(own)), self._value_fingerprints[f], f) for f, own in zip(columns, values, strict=True)
        }
        return sorted(columns, key=keys.__getitem__)

    def _distances_from_middle(self, columns: Array) -> Array:
        """How far each sample lies from the middle rank, which no scale or direction changes, as words to mix."""
        distances: Array = np.abs(2 * ranks(self._columns(columns)) - (len(self.target) + 1))
        return distances.view(np.uint64)

    def _row_keys_by(self, references: Array) -> tuple[Array, Array]:
        """What tells samples apart: their places in some features, then in which of these."""
        if len(references) not in self._known_rows:
            self._known_rows[len(references)] = self._refined_rows(self._distances_from_middle(references))
        return self._known_rows[len(references)]

    @cached_property
    def _reference_sets(self) -> tuple[Array, ...]:
        """The most relevant features, to know samples by; first without those that tie for the last place, if many."""
        n_features = len(self.relevance)
        if n_features <= _N_REFERENCES:
            return (np.arange(n_features),)
        least = np.partition(self.relevance, n_features - _N_REFERENCES)[n_features - _N_REFERENCES]
        every = np.flatnonzero(self.relevance >= least)
        slack = TIE * max(1.0, abs(least)) if np.isfinite(least) else 0.0
        above = np.flatnonzero(self.relevance > least + slack)
        return (above, every) if len(above) and len(every) > 4 * _N_REFERENCES else (every,)

    @cached_property
    def _value_fingerprints(self) -> Array:
        words = self.data.X.view(np.uint64)
        fingerprints = np.zeros(words.shape[1], dtype=np.uint64)
        for row_keys in self._refined_rows(words):
            add_column_fingerprints(words, row_keys, fingerprints)
        return fingerprints

    def _refined_rows(self, words: Array) -> tuple[Array, Array]:
        """Keys of the samples before and after a round in which the columns, too, are known by their content."""
        first = np.bincount(self.target)[self.target].astype(np.uint64)
        add_row_fingerprints(words, np.zeros(words.shape[1], dtype=np.uint64), first)
        columns = np.zeros(words.shape[1], dtype=np.uint64)
        add_column_fingerprints(words, first, columns)
        second = first.copy()
        add_row_fingerprints(words, columns, second)
        return first, second

    def _profiles(self, columns: Array, *, with_sequences: bool) -> tuple[Array, Array]:
        n_samples = len(self.target)
        n_classes = int(self.target.max(initial=0)) + 1
        separation = np.empty(len(columns))
        sequences = np.zeros((len(columns) if with_sequences else 0, n_samples), dtype=np.int64)
        labels = np.empty((2, n_samples), dtype=np.int64)
        scratch = (np.empty(n_samples), labels[0], np.zeros((5, n_classes), dtype=np.int64), labels[1])
        for block, values, order in sorted_blocks(self._columns(columns)):
            rank_profiles(values, order, self.target, separation[block], sequences[block], *scratch)
        return separation, sequences


def _are_shared(keys: Array) -> Array:
    """Which keys occur more than once."""
    _, number, count = np.unique(keys, return_inverse=True, return_counts=True)
    is_shared: Array = count[number] > 1
    return is_shared


def _split(features: Array, values: Array) -> list[Array]:
    """Groups of tied features, largest value first."""
    groups = tie_groups(values)
    order = np.argsort(groups, kind="stable")
    return np.split(features[order], np.flatnonzero(np.diff(groups[order])) + 1)
