"""Every sample proposes the features that set it apart most: the candidate lists of the instance-based methods."""

from __future__ import annotations

from dataclasses import dataclass
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
    largest = np.maximum(np.abs(best[:, 0]), np.abs(least))
    # Margins that differ by rounding alone are all equal.
    spread[spread <= TIE * largest] = 0.0
    slack = TIE * size * np.where(spread > 0, spread, largest)
    threshold = np.full(n_samples, np.inf)
    threshold[samples] = (best[:, -1] - slack)[samples]
    rows, features, values = _reaching(margins, space, threshold)
    low, times = least[rows], np.divide(1.0, spread, out=np.zeros(n_samples), where=spread > 0)[rows]
    precedence = problem.precedence(totals)
    chosen, weights = _cut(rows, features, (values - low) * times, size, precedence)
    return Candidates(chosen, weights, samples, totals, precedence.n_ties)


def _cut(rows: Array, features: Array, weights: Array, size: int, precedence: Precedence) -> tuple[Array, Array]:
    """The first ``size`` features of every sample, and their weights; ``rows`` says which sample, in order."""
    order = np.lexsort((-weights, rows))
    rows, features, weights = rows[order], features[order], weights[order]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    within = starts[:, np.newaxis] + np.arange(size)
    # Lists in which nothing ties need no rule; with few samples that is all of them but a few.
    follows = np.append(np.diff(rows) == 0, False)
    ties_with_next = np.append(weights[:-1] - weights[1:] <= TIE, False) & follows
    chosen, chosen_weights = features[within], weights[within]
    for place in np.flatnonzero(np.logical_or.reduceat(ties_with_next, starts)):
        own = slice(starts[place], starts[place + 1] if place + 1 < len(starts) else len(rows))
        chosen[place] = precedence.sort_some(features[own], weights[own], size)
        by_feature = np.argsort(features[own])
        found = by_feature[np.searchsorted(features[own][by_feature], chosen[place])]
        chosen_weights[place] = weights[own][found]
    return chosen, chosen_weights


def _reaching(margins: Margins, space: Space, threshold: Array) -> tuple[Array, Array, Array]:
    """Sample, feature and margin wherever a varying feature reaches the threshold of the sample, sample by sample."""
    rows, features, values = [], [], []
    for run, block in margins.blocks():
        found, column = np.nonzero((block >= threshold[:, np.newaxis]) & (space.factor[run] > 0))
        rows.append(found)
        features.append(column + run.start)
        values.append(block[found, column])
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    return row[order], np.concatenate(features)[order], np.concatenate(values)[order]
