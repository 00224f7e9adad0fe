"""Rounds of recursive elimination: fit, drop the features of the smallest weights, subtract them, and fit again."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels.elimination import LANES, eliminate
from holdfast.kernels.lazy import TIE
from holdfast.measures.hyperplanes import ROUNDING, Hyperplanes
from holdfast.measures.svm import SETTINGS, Features, Gram, bounds_of, keeps_matrix
from holdfast.prepare.features import FeatureRows
from holdfast.search.ties import HasRows, Precedence, tied_together
from holdfast.selectors._base import Evaluations, Found

Array = npt.NDArray[Any]

# A Gram matrix that lost so much of itself is formed anew: what is left of it would be rounding too soon.
_FORM_ANEW = 16.0
# With a smaller share of them left, features are put together anew: what is dropped need not be read again.
_WORTH_READING = 0.6


class Elimination:
    """Rounds of fitting and dropping."""

    def __init__(
        self,
        features: FeatureRows,
        target: Array,
        box: Array,
        gram: Array | None,
        *,
        multiclass: str,
        keep_path: bool = False,
    ) -> None:
        self.keep_path = keep_path
        self.is_constant = features.is_constant
        self.target = target
        self.gram = gram
        self.formed = 0.0 if gram is None else float(np.trace(gram))
        self.planes = Hyperplanes(target, box, multiclass)
        self.left = np.arange(len(features.values))
        # Rows of features, and which of them belong to the features that are left.
        self.values = features.values
        self.inside = self.ids = self.left

    def choose(
        self,
        data: HasRows,
        names: Array | None,
        n_select: int,
        prior: Array | None,
        sizes: list[int],
        *,
        in_order: bool = True,
    ) -> Array:
        """Fit on so many features in every round; the chosen features, last survivors first, or in no order."""
        n_features = len(self.left)
        self.scores, self.strength, self.noise = np.zeros(n_features), np.empty(n_features), np.zeros(n_features)
        self.rounds = np.zeros(n_features, dtype=np.int64)
        self.path: list[Array] = []
        self.n_ties = 0
        chosen: list[Array] = []
        number = -1
        while (number := number + 1) < len(sizes):
            if prior is None and not self.keep_path:
                n_done = self._go_on(sizes[number:])
                if in_order:
                    chosen += self._noted(
                        n_done, number, sizes, n_select, Precedence(data, self.target, self.strength, names)
                    )
                number += n_done
            n_keep = [*sizes[1:], 0][number]
            left, strength = self.left, self.strength
            report("Features left", len(left), n_features)
            weights = self._weights()
            self.scores[left] = weights / max(weights.sum(), np.finfo(float).tiny)
            self.rounds[left] += 1
            if self.keep_path:
                self.path.append(np.zeros(n_features))
                self.path[-1][left] = self.scores[left]
            criterion = weights if prior is None else weights * prior[left]
            largest = float(criterion.max()) or 1.0
            strength[left] = tied_together(criterion / largest, self.planes.noise / largest)
            strength[left[self.is_constant[left]]] = -1.0
            precedence = Precedence(data, self.target, strength, names)
            kept, ranked = _cut(precedence, left, strength[left], n_keep, n_select - n_keep)
            self.n_ties += precedence.n_ties
            chosen.append(ranked)
            if n_keep:
                self._keep(kept)
        return np.concatenate(chosen[::-1])

    def found(self, data: HasRows, names: Array | None, n_select: int, prior: Array | None, sizes: list[int]) -> Found:
        """Choose, and say how it came to it."""
        chosen = self.choose(data, names, n_select, prior, sizes)
        extra: dict[str, Any] = {"rounds_": self.rounds, "sizes_": np.array(sizes), "prior_": prior}
        if self.path:
            extra["weight_path_"] = np.array(self.path)
        evaluations = Evaluations(relevance=sum(sizes), classifier=len(sizes) * len(self.planes.planes))
        ranking = _ranking(chosen, self.rounds, self.strength)
        return Found(chosen, self.scores, ranking, evaluations, self.n_ties, extra)

    def _go_on(self, sizes: list[int]) -> int:
        """Do as many rounds as go in one compiled call: with two classes, until one has ties or is hard to solve."""
        if self.gram is None or len(self.planes.planes) > 1 or len(sizes) < 2:
            return 0
        report("Features left", len(self.left), len(self.strength))
        plane = self.planes.planes[0]
        n_features, n = len(self.inside), len(self.target)
        places, formed, done = self.inside.copy(), np.array([self.formed]), np.zeros(1, dtype=np.int64)
        start = self.planes.duals[0]
        dual = np.zeros(n) if start is None else start.copy()
        self.gram = self.gram.copy()
        scratch = np.empty(n), np.empty(n, dtype=np.int64), np.empty((n, n)), np.empty((2, n)), np.empty(LANES)
        by_feature = np.empty(n_features), np.empty(n_features), np.empty(n_features, dtype=np.int64)
        n_rows = len(self.values)
        noted = np.zeros(n_rows), np.zeros(n_rows, dtype=np.int64), np.empty((len(sizes) - 1, 2))
        arguments: tuple[Any, ...] = (
            self.values, self.is_constant[self.ids], self.gram, *bounds_of(plane.side, plane.box), dual,
            places, np.array(sizes), *scratch, *by_feature, done, formed, *noted, *SETTINGS, ROUNDING, TIE, _FORM_ANEW,
        )  # fmt: skip
        eliminate(*arguments)
        self.formed = float(formed[0])
        self.planes.duals[0] = dual
        self._note(*noted)
        self.inside = places[: sizes[done[0]]]
        self.left = self.ids[self.inside]
        return int(done[0])

    def _note(self, strength: Array, rounds: Array, notes: Array) -> None:
        """Take over what the compiled rounds say about the features that took part."""
        took_part = np.flatnonzero(rounds)
        features, n_rounds, found = self.ids[took_part], rounds[took_part], strength[took_part]
        self.scores[features] = np.maximum(found, 0.0) * notes[n_rounds - 1, 1]
        self.strength[features] = found
        self.noise[features] = notes[n_rounds - 1, 0]
        self.rounds[features] += n_rounds

    def _noted(self, n_done: int, first: int, sizes: list[int], n_select: int, precedence: Precedence) -> list[Array]:
        """What the compiled rounds dropped of the chosen features, in order, one round after the other."""
        is_left = np.zeros(len(self.rounds), dtype=bool)
        is_left[self.left] = True
        ranked = []
        for number in range(first, first + n_done):
            dropped = np.flatnonzero((self.rounds == number + 1) & ~is_left)
            self.strength[dropped] = tied_together(self.strength[dropped], float(self.noise[dropped].max()))
            n_ranked = n_select - sizes[number + 1]
            ranked.append(
                precedence.sort_some(dropped, self.strength[dropped], n_ranked) if n_ranked > 0 else dropped[:0]
            )
        self.n_ties += precedence.n_ties
        return ranked

    def _weights(self) -> Array:
        if self.gram is not None:
            give = None if len(self.left) >= len(self.gram) else lambda: self._rows(self.inside)
            self.planes.solve(Gram(self.gram, len(self.left), give))
            return self.planes.weights(self.values, self.inside)
        features = self._rows(self.inside)
        self.planes.solve(Features(features))
        return self.planes.weights(features, np.arange(len(features)))

    def _rows(self, places: Array) -> Array:
        return self.values if len(places) == len(self.values) else self.values[places]

    def _keep(self, kept: Array) -> None:
        """Drop all other features, also from the inner products."""
        is_kept = np.zeros(len(self.is_constant), dtype=bool)
        is_kept[kept] = True
        is_kept = is_kept[self.left]
        dropped, self.left, self.inside = self.inside[~is_kept], kept, self.inside[is_kept]
        if self.gram is not None:
            gone = self.values[dropped]
            self.gram = self.gram - gone.T @ gone
        if len(self.inside) < _WORTH_READING * len(self.values):
            self.values = self.values[self.inside]
            self.inside, self.ids = np.arange(len(self.values)), self.left
        if self.gram is not None and np.trace(self.gram) * _FORM_ANEW < self.formed:
            values = self._rows(self.inside)
            self.gram = values.T @ values
            self.formed = float(np.trace(self.gram))


def _cut(precedence: Precedence, left: Array, strength: Array, n_keep: int, n_ranked: int) -> tuple[Array, Array]:
    """The features to keep, and the best of the others in order, as many as belong to the chosen ones."""
    kept = np.sort(precedence.top(left, strength, n_keep)) if n_keep else left[:0]
    if n_ranked <= 0:
        return kept, left[:0]
    is_open = np.ones(len(precedence.relevance), dtype=bool)
    is_open[kept] = False
    dropped = left[is_open[left]]
    return kept, precedence.sort_some(dropped, precedence.relevance[dropped], n_ranked)


def _ranking(chosen: Array, rounds: Array, strength: Array) -> Array:
    """Places in the order of elimination, which equal weights of one round share; the chosen ones have their own."""
    order = np.lexsort((-strength, -rounds))
    starts = (np.diff(rounds[order]) != 0) | (np.diff(strength[order]) < -TIE)
    first_of_group = np.maximum.accumulate(np.where(np.concatenate([[True], starts]), np.arange(len(order)), 0))
    ranking = np.empty(len(order), dtype=np.int64)
    ranking[order] = first_of_group + 1
    ranking[ranking <= len(chosen)] = len(chosen) + 1
    ranking[chosen] = np.arange(1, len(chosen) + 1)
    return ranking


def gram_of(features: FeatureRows) -> Array | None:
    """Inner products of all samples; None for many samples of fewer features, which then take less room."""
    values = features.values
    return values.T @ values if keeps_matrix(*values.shape) else None
