"""Instance-based filters: every sample proposes a list of features, and the lists are merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, one_of, real_number, whole_number, yes_or_no
from holdfast.measures.information import information_about_itself, information_with_others
from holdfast.measures.margins import NEIGHBOURS
from holdfast.measures.neighbours import METRICS, SCALES
from holdfast.prepare.encode import DISCRETIZER, encode
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors.neighbours._lists import Candidates, candidate_lists

Array = npt.NDArray[Any]


class InstanceBased(Selector):
    """Let every sample propose the features that set it apart most, and merge the lists.

    Use it when classes are heterogeneous: a feature that matters for a part of a class only gets as many votes as that
    part has samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to keep at most, or which share of them; None keeps every feature that is in a list.
    candidate_size : int, default=10
        Length of the list each sample proposes.
    aggregate : {"occurrence", "mean_weight", "rank", "redundancy"}, default="occurrence"
        Rank features by how many lists hold them (IB-OF), by their mean weight (IB-WMA), by the sum of their places
        (IB-RA), or by the sum of their weights less the mean information shared with the features in lists (IB-RedE).
    neighbours : {"sample", "feature"}, default="sample"
        Seek the nearest hit and miss over all features together, or in each feature by itself.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is nearest.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    discretizer : str, transformer or None, default="mean-sigma"
        Levels on which shared information is counted (``aggregate="redundancy"`` only).
    redundancy_weight : float, default=1.0
        What the mean shared information counts (``aggregate="redundancy"`` only).
    include_self : bool, default=True
        Count what a feature shares with itself in that mean, as the formula is printed; else the others only.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Number of lists, mean weight, sum of (candidate_size + 1 - place), or summed weight less redundancy; larger is
        better, NaN for a feature in no list.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; features not chosen share the rank behind.
    candidates_ : ndarray of shape (n_lists, candidate_size)
        The list of every sample, best first.
    candidate_weights_ : ndarray of shape (n_lists, candidate_size)
        The weights of these features for that sample, from 0 to 1.
    candidate_samples_ : ndarray of shape (n_lists,)
        The sample each list is of; a sample alone in its class has none.

    Examples
    --------
    >>> from holdfast import InstanceBased
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> fitted = InstanceBased(candidate_size=1).fit(X, [0, 0, 0, 1, 1, 1])
    >>> fitted.indices_
    array([0, 2, 1])
    >>> fitted.candidates_.ravel()
    array([2, 0, 0, 1, 0, 0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "candidate_size": whole_number(at_least=1),
        "aggregate": one_of("occurrence", "mean_weight", "rank", "redundancy"),
        "neighbours": one_of(*NEIGHBOURS),
        "metric": one_of(*METRICS),
        "scale": one_of(*SCALES),
        "discretizer": DISCRETIZER,
        "redundancy_weight": real_number(at_least=0.0),
        "include_self": yes_or_no(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        candidate_size: int = 10,
        aggregate: str = "occurrence",
        neighbours: str = "sample",
        metric: str = "manhattan",
        scale: str = "range",
        discretizer: Any = "mean-sigma",
        redundancy_weight: float = 1.0,
        include_self: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.candidate_size = candidate_size
        self.aggregate = aggregate
        self.neighbours = neighbours
        self.metric = metric
        self.scale = scale
        self.discretizer = discretizer
        self.redundancy_weight = redundancy_weight
        self.include_self = include_self
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        lists = candidate_lists(problem, self)
        listed = np.unique(lists.features)
        scores = np.full(problem.n_features, np.nan)
        scores[listed] = self._scores(lists, listed, problem)
        summed = np.bincount(lists.features.ravel(), lists.weights.ravel(), problem.n_features)
        precedence = problem.precedence(summed / len(lists.samples))
        chosen = precedence.sort_some(listed, scores[listed], min(n_select, len(listed)))
        n_pairs = len(listed) * (len(listed) - 1) // 2 if self.aggregate == "redundancy" else 0
        return Found(
            chosen,
            scores,
            ranking_of(chosen, problem.n_features),
            Evaluations(relevance=problem.n_features, pair=n_pairs),
            lists.n_ties + precedence.n_ties,
            {
                "candidates_": lists.features,
                "candidate_weights_": lists.weights,
                "candidate_samples_": lists.samples,
            },
        )

    def _scores(self, lists: Candidates, listed: Array, problem: Problem) -> Array:
        """Score of every feature that is in a list."""
        n_lists, size = lists.features.shape
        if self.aggregate == "occurrence":
            votes = np.ones(lists.features.shape)
        elif self.aggregate == "rank":
            votes = np.broadcast_to(size - np.arange(size), lists.features.shape)
        else:
            votes = lists.weights
        total: Array = np.bincount(lists.features.ravel(), np.ravel(votes), problem.n_features)[listed]
        if self.aggregate == "mean_weight":
            total /= n_lists
        if self.aggregate == "redundancy":
            return total - self.redundancy_weight * self._redundancy(listed, problem)
        return total

    def _redundancy(self, listed: Array, problem: Problem) -> Array:
        """Mean information in bits that each listed feature shares with the listed ones."""
        names = None if problem.names is None else problem.names[listed]
        codes = encode(problem.X[:, listed], problem.target, self.discretizer, names)
        shared = information_with_others(codes)
        if self.include_self:
            return (shared + information_about_itself(codes)) / len(listed)
        return shared / max(1, len(listed) - 1)
