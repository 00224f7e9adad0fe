"""TuRF: drop the worst features, measure distances anew without them, and so on."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._parameters import Rule, check_parameters, nothing, real_number
from holdfast._progress import report
from holdfast.measures.neighbours import Distances, weighted_differences
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, ranking_of
from holdfast.selectors._weighted import WeightedSelector
from holdfast.selectors.neighbours._neighbour_ranker import NeighbourRanker
from holdfast.selectors.neighbours.relief import ReliefF

Array = npt.NDArray[Any]


class TuRF(WeightedSelector):
    """Rank by a method of the Relief family, drop the worst features, and repeat on the rest.

    Use it when thousands of features say nothing: they decide who is near whom as much as the others do, and dropping
    them lets the neighbours of the rest emerge.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    estimator : Relief, ReliefF, SURF, MultiSURF or None, default=None
        The method that ranks; None is ReliefF with its defaults.
    drop : float, default=0.1
        Share of the remaining features dropped in each round, at least one.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Score of each feature in the last round it took part in; -inf for a constant feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; features not chosen share the rank behind.
    rounds_ : ndarray of shape (n_features,)
        Number of rounds each feature took part in.

    Examples
    --------
    >>> from holdfast import TuRF
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> TuRF(n_features_to_select=1, drop=0.5).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "estimator": Rule(
            lambda value: isinstance(value, NeighbourRanker), "a Relief, ReliefF, SURF or MultiSURF", ("relieff", 3)
        )
        | nothing(),
        "drop": real_number(above=0.0, below=1.0),
    }
    _takes_missing: ClassVar[bool] = True

    def __init__(
        self, n_features_to_select: int | float = 50, *, estimator: NeighbourRanker | None = None, drop: float = 0.1
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.drop = drop

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        ranker = ReliefF() if self.estimator is None else clone(self.estimator)
        check_parameters(ranker)
        space = ranker.space_of(problem)
        distances = Distances.of(space, ranker.metric)
        features = np.arange(problem.n_features)
        scores, rounds = np.empty(problem.n_features), np.zeros(problem.n_features, dtype=np.int64)
        gain = np.broadcast_to(ranker.gain(ranker.take_prior(problem), len(problem.target)), problem.n_features)
        n_scored = n_ties = 0
        while True:
            weights = ranker.pair_weights(distances, problem.target, problem.sample_weight)
            scores[features] = weighted_differences(space, weights) + gain[features]
            rounds[features] += 1
            n_scored += len(features)
            # The slack takes 0.07 · 100 for 7.
            n_keep = max(n_select, len(features) - max(1, ceil(self.drop * len(features) - 1e-9)))
            report("Features left", n_keep, problem.n_features)
            precedence = problem.precedence(scores)
            if n_keep >= len(features):
                kept = precedence.sort_some(features, scores[features], n_keep)
                n_ties += precedence.n_ties
                break
            kept = precedence.top(features, scores[features], n_keep)
            n_ties += precedence.n_ties
            is_kept = np.isin(features, kept)
            if ranker.metric == "manhattan":
                distances = distances.without(space.take(np.flatnonzero(~is_kept)))
            space = space.take(np.flatnonzero(is_kept))
            features = features[is_kept]
            if ranker.metric != "manhattan":
                distances = Distances.of(space, ranker.metric)
        return Found(
            kept,
            scores,
            ranking_of(kept, problem.n_features),
            Evaluations(relevance=n_scored),
            n_ties,
            {"rounds_": rounds},
        )
