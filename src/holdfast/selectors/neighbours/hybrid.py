"""HIB-SBS and HIB-CSS: lists that the samples propose, judged by a classifier (Ben Brahim 2015, §2.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, real_number, seed, whole_number, yes_or_no
from holdfast.measures.cross_validation import CrossValidation
from holdfast.measures.margins import NEIGHBOURS
from holdfast.measures.neighbours import METRICS, SCALES
from holdfast.search.lists import backward_by_lists, cooperate
from holdfast.search.ties import Precedence
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem, Selector, ranking_of
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS, cross_validation, spent
from holdfast.selectors.neighbours._lists import Candidates, candidate_lists

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class _Judged:
    """Lists in an order of their own, and a classifier to judge subsets of their features."""

    features: Array
    weights: Array
    validation: CrossValidation
    place: Array

    def errors(self, subsets: Iterable[Array]) -> Array:
        """Cross-validated error with each subset of columns."""
        return self.validation.errors(self.place[subset] for subset in subsets)


@dataclass(frozen=True)
class _Outcome:
    """Features a search found and the score of each, an error per list, and what else there is to say."""

    features: Array
    scores: Array
    errors: Array
    extra: Mapping[str, Any]


class _ListWrapper(Selector):
    """What the two searches over lists share."""

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "candidate_size": whole_number(at_least=1),
        "estimator": CLASSIFIER,
        "cv": SPLITS,
        "metric": one_of(*METRICS),
        "scale": one_of(*SCALES),
        "neighbours": one_of(*NEIGHBOURS),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_select = self._n_select(n_features)
        lists = candidate_lists(problem, self)
        precedence = problem.precedence(lists.totals)
        judged, order = self._judged(problem, lists)
        outcome = self._search(judged, precedence)
        found = outcome.features
        if len(found):
            found = precedence.sort_some(found, outcome.scores, len(found))
        scores = np.full(n_features, np.nan)
        scores[outcome.features] = outcome.scores
        errors = np.empty(len(order))
        errors[order] = outcome.errors
        indices = found[:n_select]
        error = float(judged.errors([indices])[0]) if len(indices) else np.nan
        return Found(
            indices,
            scores,
            ranking_of(found, n_features),
            spent(problem, judged.validation),
            lists.n_ties + precedence.n_ties,
            {
                "candidates_": lists.features,
                "candidate_samples_": lists.samples,
                "errors_": errors,
                "error_": error,
                "n_cache_hits_": judged.validation.n_cache_hits,
                **outcome.extra,
            },
        )

    def _search(self, judged: _Judged, precedence: Precedence) -> _Outcome:
        raise NotImplementedError

    def _judged(self, problem: Problem, lists: Candidates) -> tuple[_Judged, Array]:
        """Lists sorted by content, so that no order of the samples decides between equals; and that order."""
        pool = problem.precedence(lists.totals).order(np.unique(lists.features))
        place = np.full(problem.n_features, -1)
        place[pool] = np.arange(len(pool))
        order = np.lexsort(np.hstack([place[lists.features], lists.weights])[:, ::-1].T)
        validation = cross_validation(self, problem, pool, self.random_state)
        return _Judged(lists.features[order], lists.weights[order], validation, place), order


class HIBSBS(_ListWrapper):
    """Take away whole lists, each proposed by a sample, as long as a classifier does better without them.

    Use it when every sample should have a say but the classifier the last word. Each sample proposes the features
    by which its nearest sample of another class differs most from its nearest of the same.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many of the features found, or this share of all features; None for all found.
    candidate_size : int, default=5
        Features that each sample proposes.
    estimator : classifier or None, default=None
        Any scikit-learn classifier; None for the nearest neighbour on features standardised by the training part.
    cv : int, splitter, list of (train, test) or None, default=10
        How errors are estimated: so many stratified folds (at most the size of the smallest class), or any splits.
    recompute : bool, default=False
        Compare with the error of the features left after each round, instead of the smallest error of the round.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        How far apart two samples are.
    scale : {"range", "none"}, default="range"
        Whether differences are taken in units of a feature's range.
    neighbours : {"sample", "feature"}, default="sample"
        Whether the nearest samples are sought over all features, or in each feature by itself.
    random_state : int, Generator or None, default=0
        Seed of the folds.
    n_jobs : int or None, default=None
        Lists judged in parallel, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Summed weight of each feature in the lists that stayed; NaN for features in none.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … by score for the features found; the others share the rank behind.
    error_ : float
        Share of samples misclassified with the chosen features, cross-validated on the samples they were chosen on.
    candidates_ : ndarray of shape (n_lists, candidate_size)
        The list of every sample: columns, best first.
    candidate_samples_ : ndarray of shape (n_lists,)
        The sample each list is of; a sample alone in its class has none.
    errors_ : ndarray of shape (n_lists,)
        Error without each list, in the last round in which it was there.
    trace_ : tuple of Pass
        For every round the lists and features there were, the error to beat and how many lists went.
    n_evaluations_ : Evaluations
        ``subset`` counts subsets given an error, ``classifier`` the classifiers trained for them.
    n_cache_hits_ : int
        Subsets met again, whose error was known.

    Examples
    --------
    >>> from holdfast import HIBSBS
    >>> X = [[0, 5, 1], [1, 3, 1], [2, 4, 0], [8, 3, 1], [9, 5, 0], [7, 4, 0]]
    >>> HIBSBS(candidate_size=1, cv=3).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {**_ListWrapper.allowed, "recompute": yes_or_no()}

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        candidate_size: int = 5,
        estimator: Any = None,
        cv: Any = 10,
        recompute: bool = False,
        metric: str = "manhattan",
        scale: str = "range",
        neighbours: str = "sample",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.candidate_size = candidate_size
        self.estimator = estimator
        self.cv = cv
        self.recompute = recompute
        self.metric = metric
        self.scale = scale
        self.neighbours = neighbours
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _search(self, judged: _Judged, precedence: Precedence) -> _Outcome:
        walked = backward_by_lists(judged.features, judged.errors, recompute=self.recompute)
        features, place = np.unique(judged.features[walked.kept], return_inverse=True)
        scores = np.bincount(place.ravel(), judged.weights[walked.kept].ravel(), len(features))
        return _Outcome(features, scores, walked.errors, {"trace_": walked.passes})


class HIBCSS(_ListWrapper):
    """Weigh lists, each proposed by a sample, by how well a classifier does with them; one round, no search.

    Use it as the quicker and steadier of the two hybrids. Features of lists with a small error are kept, those of lists
    with a large one dropped, the rest ranked by their weights over the errors.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many of the features found, or this share of all features; None for all found.
    candidate_size : int, default=5
        Features that each sample proposes.
    estimator : classifier or None, default=None
        Any scikit-learn classifier; None for the nearest neighbour on features standardised by the training part.
    cv : int, splitter, list of (train, test) or None, default=10
        How errors are estimated: so many stratified folds (at most the size of the smallest class), or any splits.
    low : float, default=0.25
        Lists of a smaller error than this, the best quarter, are good: all their features are kept.
    high : float, default=0.75
        Lists of a larger error than this, the worst quarter, are bad: their features go, unless a good list has them.
    thresholds : {"quantile", "absolute"}, default="quantile"
        Whether ``low`` and ``high`` are shares of the lists, ties at ``low`` included, or errors.
    preselect : int or None, default=100
        So many features by weight before those of bad lists go and those of good ones come; None for all.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        How far apart two samples are.
    scale : {"range", "none"}, default="range"
        Whether differences are taken in units of a feature's range.
    neighbours : {"sample", "feature"}, default="sample"
        Whether the nearest samples are sought over all features, or in each feature by itself.
    random_state : int, Generator or None, default=0
        Seed of the folds.
    n_jobs : int or None, default=None
        Lists judged in parallel, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Weight of each feature found, summed over the lists that are not bad, each divided by the list's error; NaN for
        features not found.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … by score for the features found; the others share the rank behind.
    error_ : float
        Share of samples misclassified with the chosen features, cross-validated on the samples they were chosen on.
    candidates_ : ndarray of shape (n_lists, candidate_size)
        The list of every sample: columns, best first.
    candidate_samples_ : ndarray of shape (n_lists,)
        The sample each list is of; a sample alone in its class has none.
    errors_ : ndarray of shape (n_lists,)
        Error with the features of each list alone.
    thresholds_ : tuple of float
        The errors below which a list is good and above which it is bad.
    n_evaluations_ : Evaluations
        ``subset`` counts subsets given an error, ``classifier`` the classifiers trained for them.
    n_cache_hits_ : int
        Subsets met again, whose error was known.

    Examples
    --------
    >>> from holdfast import HIBCSS
    >>> X = [[0, 5, 1], [1, 3, 1], [2, 4, 0], [8, 3, 1], [9, 5, 0], [7, 4, 0]]
    >>> HIBCSS(candidate_size=1, cv=3).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        **_ListWrapper.allowed,
        "low": real_number(at_least=0.0, at_most=1.0),
        "high": real_number(at_least=0.0, at_most=1.0),
        "thresholds": one_of("quantile", "absolute"),
        "preselect": whole_number(at_least=1) | nothing(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        candidate_size: int = 5,
        estimator: Any = None,
        cv: Any = 10,
        low: float = 0.25,
        high: float = 0.75,
        thresholds: str = "quantile",
        preselect: int | None = 100,
        metric: str = "manhattan",
        scale: str = "range",
        neighbours: str = "sample",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.candidate_size = candidate_size
        self.estimator = estimator
        self.cv = cv
        self.low = low
        self.high = high
        self.thresholds = thresholds
        self.preselect = preselect
        self.metric = metric
        self.scale = scale
        self.neighbours = neighbours
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _search(self, judged: _Judged, precedence: Precedence) -> _Outcome:
        if self.low >= self.high:
            raise ValueError(f"low={self.low} must be below high={self.high}: lists below are good, lists above bad.")
        errors = judged.errors(judged.features)
        low, high = self.low, self.high
        if self.thresholds == "quantile":
            low, high = (float(value) for value in np.quantile(errors, [low, high]))
            # Errors are few and tie: below the quartile there is often none, and least when the classifier does best.
            is_good = errors <= low
        else:
            is_good = errors < low
        # A list without error counts as one with half a sample's.
        least_error = 0.5 / len(errors)
        features, scores = cooperate(
            judged.features,
            judged.weights,
            errors,
            is_good,
            errors > high,
            least_error,
            precedence.sort_some,
            self.preselect,
        )
        return _Outcome(features, scores, errors, {"thresholds_": (low, high)})
