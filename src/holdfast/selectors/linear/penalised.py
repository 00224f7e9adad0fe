"""Rankings by the penalty at which a feature enters a penalised linear model.

Lasso: Tibshirani 1996; elastic net: Zou and Hastie 2005; the path of penalties: Friedman, Hastie and Tibshirani 2010.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from holdfast._parameters import Rule, one_of, real_number, whole_number
from holdfast.prepare.features import FeatureRows, copies_of
from holdfast.search.ties import tie_groups
from holdfast.selectors._base import Evaluations, Found, Problem
from holdfast.selectors._ranker import Ranker
from holdfast.selectors.linear._penalty_path import Path, logistic, squared, walk

Array = npt.NDArray[Any]


class ElasticNet(Ranker):
    """Rank features by the penalty at which they enter a lasso or elastic-net model.

    Use it as the embedded baseline that readers expect: a linear model of few features, all looked at together. Of
    features that nearly repeat each other a lasso takes one early and the rest late; a lower ``l1_ratio`` takes them
    together.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them. The path ends once so many have entered.
    loss : {"logistic", "squared"}, default="logistic"
        What the model minimises: the logistic loss of the class, or the squared error of a class coded as -1 and 1 and
        brought to unit spread. Three or more classes are set one against the rest, at common penalties.
    l1_ratio : float, default=1.0
        Share of the penalty on absolute values; the rest is on squares. 1 is the lasso, 0.5 the usual elastic net.
    n_penalties : int, default=100
        Number of penalties, each smaller than the one before by the same factor.
    smallest_penalty : float, default=0.01
        The last penalty as a share of the largest, at which no feature is in the model.
    scale : {"standard", "none"}, default="standard"
        Bring features to unit variance first, so that units do not matter, or take them as they are.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first: by the penalty at which they entered, among those of one penalty by the size of
        their coefficient there.
    scores_ : ndarray of shape (n_features,)
        The penalty at which each feature entered, as a share of the largest. One that has not entered by the end of
        the path has the penalty at which it would if nothing else changed, a constant one minus infinity.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal ones share a rank.
    penalties_ : ndarray of shape (n_steps,)
        The penalties gone through, the largest first.
    n_entered_ : int
        Features that entered on the way; exact copies enter together and share their coefficient.

    Examples
    --------
    >>> from holdfast import ElasticNet
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> ElasticNet(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        **Ranker.allowed,
        "loss": one_of("logistic", "squared"),
        "l1_ratio": real_number(above=0.0, at_most=1.0),
        "n_penalties": whole_number(at_least=2),
        "smallest_penalty": real_number(above=0.0, below=1.0),
        "scale": one_of("standard", "none"),
    }

    _score_means = "penalty at which the feature enters the model, as a share of the largest"

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        loss: str = "logistic",
        l1_ratio: float = 1.0,
        n_penalties: int = 100,
        smallest_penalty: float = 0.01,
        scale: str = "standard",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.loss = loss
        self.l1_ratio = l1_ratio
        self.n_penalties = n_penalties
        self.smallest_penalty = smallest_penalty
        self.scale = scale

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        features = FeatureRows.of(problem.rows, self.scale)
        path, n_fits = self._path(features.values, problem, n_select)
        scores, merit = _judge(path, self.l1_ratio, features.is_constant)
        found = self.rank(merit, problem, problem.target, problem.names)
        extra = {"penalties_": path.penalties, "n_entered_": int((path.step >= 0).sum())}
        evaluations = Evaluations(relevance=problem.n_features, classifier=n_fits)
        return replace(found, scores=scores, evaluations=evaluations, extra=extra)

    def _targets(self, codes: Array) -> tuple[Array, Array]:
        """One row per hyperplane, and the intercept of each empty model."""
        n_classes = int(codes.max()) + 1
        is_class = np.arange(n_classes)[:, np.newaxis] == codes
        targets = (is_class if n_classes > 2 else is_class[1:]).astype(np.float64)
        share = targets.mean(axis=1)
        if self.loss == "logistic":
            return targets, logit(share)
        return (targets - share[:, np.newaxis]) / np.sqrt(share * (1 - share))[:, np.newaxis], np.zeros(len(share))

    def _path(self, features: Array, problem: Problem, n_select: int) -> tuple[Path, int]:
        # Of a lasso any split between copies is a solution; an even one is what the elastic net tends to.
        group = copies_of(features) if self.l1_ratio == 1 else np.arange(len(features))
        leaders, members, copies = np.unique(group, return_inverse=True, return_counts=True)
        targets, starts = self._targets(problem.target)
        precedence = problem.precedence(np.zeros(len(features)))
        places = np.empty(len(features), dtype=np.int64)
        places[leaders] = np.arange(len(leaders))
        path = walk(
            features if len(leaders) == len(features) else features[leaders],
            targets,
            logistic if self.loss == "logistic" else squared,
            starts,
            self.smallest_penalty ** np.linspace(0.0, 1.0, self.n_penalties),
            self.l1_ratio,
            n_select,
            copies,
            lambda tied: int(places[precedence.first(leaders[tied])]),
        )
        n_fits = len(targets) * (len(path.penalties) - 1)
        return Path(path.penalties, path.step[members], path.size[members], path.gradient[members]), n_fits


def _judge(path: Path, l1_ratio: float, is_constant: Array) -> tuple[Array, Array]:
    """Score of every feature, and its merit: steps first, then coefficients, then gradients, less rounding."""
    shares = path.penalties / path.penalties[0] if path.penalties[0] > 0 else np.ones(1)
    has_entered = path.step >= 0
    scores = np.where(has_entered, shares[path.step], -np.inf)
    if path.penalties[0] > 0:
        would_enter = np.round(path.gradient / (l1_ratio * path.penalties[0]), 10)
    else:
        would_enter = np.zeros(len(scores))
    is_next = ~has_entered & ~is_constant
    scores[is_next] = np.minimum(would_enter[is_next], shares[-1])
    merit = np.empty(len(scores))
    entered = np.flatnonzero(has_entered)
    n_places = 0
    if len(entered):
        largest = np.zeros(len(shares))
        np.maximum.at(largest, path.step[entered], path.size[entered])
        size = np.round(path.size[entered] / largest[path.step[entered]], 9)
        _, place = np.unique(np.column_stack([path.step[entered], -size]), axis=0, return_inverse=True)
        merit[entered] = -place.ravel()
        n_places = int(place.max()) + 1
    merit[~has_entered] = -n_places - tie_groups(scores[~has_entered])
    return scores, merit
