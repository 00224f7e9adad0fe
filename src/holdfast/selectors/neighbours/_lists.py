"""Every sample proposes the features that set it apart most: the candidate lists of the instance-based methods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.kernels.lazy import TIE
from holdfast.kernels.margins import track_margins
from holdfast.measures.margins import Margins
from holdfast.measures.neighbours import Space
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Problem

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Candidates:
    """One list of features per sample, best first, with their weights from 0 to 1.

    ``samples`` are the rows that have a list (a sample alone in its class has none); ``totals`` is the sum of each
    feature's margins over all samples, -inf for a constant feature.
    """

    features: Array
    weights: Array
    samples: Array
    totals: Array
    n_ties: int


class ProposesLists(Protocol):
    """What a selector says about the lists of its samples."""

    candidate_size: int
    metric: str
    scale: str
    neighbours: str
    n_jobs: int | None


def candidate_lists(problem: Problem, asked: ProposesLists) -> Candidates:
    """The features of the largest margins of every sample; constant features are in no list."""
    space = Space.of(problem.rows, problem.target, scale=asked.scale, n_jobs=asked.n_jobs)
    size = min(asked.candidate_size, int((~space.is_constant).sum()))
    if size == 0:
        raise DataError("Every feature of X is constant, so no sample differs from another.")
    margins = Margins(space, asked.neighbours, asked.metric)
    samples = margins.samples
    n_samples, n_features = space.X.shape
    best, least = np.full((n_samples, size), -np.inf), np.full(n_samples, np.inf)
    totals = np.zeros(n_features)
    for run, block in margins.blocks():
        block[np.bincount(space.target)[space.target] == 1] = 0.0
        track_margins(block, space.factor[run], best, least, totals[run])
    totals[space.is_constant] = -np.inf
    spread = best[:, 0] - least
    # Margins that differ by what rounding of their terms could make are all equal.
    widest = float((space.width * space.factor).max())
    spread[spread <= TIE * widest] = 0.0
    slack = TIE * size * np.where(spread > 0, spread, widest)
    cut = _Cut(best, slack, problem.precedence(totals))
    rows, features, values = cut.apply(margins, space)
    weights = (values - least[rows]) * np.divide(1.0, spread, out=np.zeros(n_samples), where=spread > 0)[rows]
    features, weights, n_ties = _in_order(rows, features, weights, cut.precedence)
    shape = len(samples), size
    return Candidates(features.reshape(shape), weights.reshape(shape), samples, totals, n_ties)


class _Cut:
    """Which features reach the list of each sample: those above its last value, and the first of those tied with it."""

    def __init__(self, best: Array, slack: Array, precedence: Precedence) -> None:
        self.last = best[:, -1]
        self.slack = slack
        self.size = best.shape[1]
        self.n_above = (best > (self.last + slack)[:, np.newaxis]).sum(axis=1)
        self.precedence = precedence

    @cached_property
    def _places_of_all(self) -> Array:
        return _places(self.precedence, np.arange(len(self.precedence.relevance)))

    def _places(self, features: Array) -> Array:
        """Place of some features in the order of precedence; the order of all, once found, serves any."""
        if "_places_of_all" in vars(self) or len(features) > len(self.precedence.relevance) // 4:
            return self._places_of_all
        return _places(self.precedence, features)

    def apply(self, margins: Margins, space: Space) -> tuple[Array, Array, Array]:
        """Sample, feature and margin of every place in a list, sample by sample."""
        threshold = np.full(len(self.last), np.inf)
        threshold[margins.samples] = (self.last - self.slack)[margins.samples]
        found = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
        waiting = [found]
        for run, block in margins.blocks():
            row, column = np.nonzero((block >= threshold[:, np.newaxis]) & (space.factor[run] > 0))
            waiting.append((row, column + run.start, block[row, column]))
            # Ties may be as many as the table has cells; what is kept is not.
            if sum(len(part[0]) for part in waiting) > 8 * self.size * len(self.last):
                waiting = [self._kept(waiting)]
        return self._kept(waiting)

    def _kept(self, waiting: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
        rows, features, values = (np.concatenate(parts) for parts in zip(*waiting, strict=True))
        is_tied = np.abs(values - self.last[rows]) <= self.slack[rows]
        room = self.size - self.n_above
        if (np.bincount(rows[is_tied], minlength=len(room)) > room).any():
            tied = np.flatnonzero(is_tied)
            place = self._places(np.unique(features[tied]))
            tied = tied[np.lexsort((place[features[tied]], rows[tied]))]
            number = np.arange(len(tied)) - np.searchsorted(rows[tied], rows[tied])
            is_kept = ~is_tied
            is_kept[tied[number < room[rows[tied]]]] = True
            rows, features, values = rows[is_kept], features[is_kept], values[is_kept]
        order = np.argsort(rows, kind="stable")
        return rows[order], features[order], values[order]


def _in_order(rows: Array, features: Array, weights: Array, precedence: Precedence) -> tuple[Array, Array, int]:
    """Features and weights of every list, best first, and the number of lists in which some tie."""
    order = np.lexsort((-weights, rows))
    rows, features, weights = rows[order], features[order], weights[order]
    is_tied = (np.diff(rows) == 0) & (weights[:-1] - weights[1:] <= TIE)
    if is_tied.any():
        group = np.cumsum(np.concatenate([[True], ~is_tied]))
        among = np.unique(features[np.concatenate([[False], is_tied]) | np.concatenate([is_tied, [False]])])
        order = np.lexsort((_places(precedence, among)[features], group))
        features, weights = features[order], weights[order]
    return features, weights, len(np.unique(rows[:-1][is_tied]))


def _places(precedence: Precedence, features: Array) -> Array:
    """Place of some features in the order of precedence, 0 for all others."""
    place = np.zeros(len(precedence.relevance), dtype=np.int64)
    place[precedence.order(features)] = np.arange(len(features))
    return place
