"""Hyb-Seq: a t-test filter, then forward selection by a classifier (Ben Brahim 2015, §2.4.3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, seed, whole_number
from holdfast.measures.cross_validation import CrossValidation
from holdfast.search.forward import forward, never
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem, Selector, ranking_of
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS, class_separation, cross_validation, spent, varies

Array = npt.NDArray[Any]


class HybridSequential(Selector):
    """Keep the features that separate the classes best, then add one at a time whichever helps a classifier most.

    Use it as the wrapper to compare others with, or when a handful of features is to serve one classifier. With few
    samples many features help equally; then the better separation decides.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Number of features, or share of all; None for the size of the smallest error, the first if several have it.
    prefilter_size : int, default=150
        So many features of the largest t (two classes) or F (more) take part in the search.
    max_features : int, default=100
        How far to search when ``n_features_to_select`` is None.
    estimator : classifier or None, default=None
        Any scikit-learn classifier; None for the nearest neighbour on features standardised by the training part.
    cv : int, splitter, list of (train, test) or None, default=10
        How errors are estimated: so many stratified folds (at most the size of the smallest class), or any splits.
    random_state : int, Generator or None, default=0
        Seed of the folds.
    n_jobs : int or None, default=None
        Candidates evaluated in parallel, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns in order of picking.
    scores_ : ndarray of shape (n_features,)
        Share of samples classified correctly when each chosen feature joined; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        Separation of the classes by each feature: Welch's t for two classes, F for more.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.
    errors_ : ndarray of shape (n_searched,)
        Share of samples misclassified with 1, 2, … features, cross-validated on the samples they were chosen on.
    error_ : float
        The same with the chosen features.
    n_evaluations_ : Evaluations
        ``subset`` counts subsets given an error, ``classifier`` the classifiers trained for them.
    n_cache_hits_ : int
        Subsets met again, whose error was known; a forward search meets none.

    Examples
    --------
    >>> from holdfast import HybridSequential
    >>> X = [[0, 5, 1], [1, 3, 1], [2, 4, 0], [8, 3, 1], [9, 5, 0], [7, 4, 0]]
    >>> found = HybridSequential(cv=3).fit(X, [0, 0, 0, 1, 1, 1])
    >>> found.indices_, found.error_
    (array([0]), 0.0)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "prefilter_size": whole_number(at_least=1),
        "max_features": whole_number(at_least=1),
        "estimator": CLASSIFIER,
        "cv": SPLITS,
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        prefilter_size: int = 150,
        max_features: int = 100,
        estimator: Any = None,
        cv: Any = 10,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.prefilter_size = prefilter_size
        self.max_features = max_features
        self.estimator = estimator
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_candidates = min(self.prefilter_size, n_features)
        n_searched = self._n_searched(n_features, n_candidates)
        separation = class_separation(problem)
        precedence = problem.precedence(separation)
        pool = precedence.sort(separation, n_candidates)
        validation = cross_validation(self, problem, pool, self.random_state)
        candidates = ClassifiedCandidates(validation, pool, varies(problem, pool))
        path = forward(candidates, precedence, n_searched, never)
        errors = candidates.errors
        n_select = int(np.argmin(errors)) + 1 if self.n_features_to_select is None else n_searched
        indices = path.features[:n_select]
        scores = np.full(n_features, np.nan)
        scores[indices] = path.merits[:n_select]
        return Found(
            indices,
            scores,
            ranking_of(indices, n_features),
            spent(problem, validation),
            precedence.n_ties,
            {
                "relevance_": separation,
                "errors_": np.array(errors),
                "error_": errors[n_select - 1],
                "n_cache_hits_": validation.n_cache_hits,
            },
        )

    def _n_searched(self, n_features: int, n_candidates: int) -> int:
        if self.n_features_to_select is None:
            return min(self.max_features, n_candidates)
        n_select = self._n_select(n_features)
        if n_select > n_candidates:
            raise ValueError(
                f"n_features_to_select={self.n_features_to_select} comes to {n_select} features, but the search has "
                f"prefilter_size={self.prefilter_size} to choose from. Raise prefilter_size, or ask for fewer features."
            )
        return n_select


class ClassifiedCandidates:
    """Candidates of a forward search whose merit is the share of samples classified correctly.

    Constant features change no classifier, so they are open only when nothing else is.
    """

    def __init__(self, validation: CrossValidation, pool: Array, varies: Array) -> None:
        self.errors: list[float] = []
        self._subset = validation.growing()
        self._pool = pool
        self._varies = varies
        self._is_open = np.ones(len(pool), dtype=bool)
        self._least = 1.0

    def best(self) -> tuple[Array, float]:
        """Give the features of the smallest error next to those taken so far, and their merit."""
        places = np.flatnonzero(self._is_open & self._varies)
        if len(places) == 0:
            places = np.flatnonzero(self._is_open)
        errors = self._subset.errors_with(places)
        self._least = float(errors.min())
        return self._pool[places[errors == self._least]], 1.0 - self._least

    def take(self, feature: int) -> None:
        """Move a candidate to the chosen features."""
        place = int(np.flatnonzero(self._pool == feature)[0])
        self._is_open[place] = False
        self._subset.add(place)
        self.errors.append(self._least)
