"""Correlation-based feature selection (Hall 2000), FCFS and CFS+ (Pino Angulo 2019, Algorithms 7 and 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, one_of, whole_number
from holdfast.kernels import lazy
from holdfast.measures.information import symmetrical_uncertainty
from holdfast.prepare.codes import Codes
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.best_first import best_first
from holdfast.search.forward import Path, forward, when_merit_stops_rising
from holdfast.search.recompute import RecomputingCandidates
from holdfast.search.shared import ExhaustiveCandidates, Formula, LazyCandidates, SharedInformation
from holdfast.search.ties import Precedence
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors.pairwise._greedy import found_on, open_relevance

Array = npt.NDArray[Any]


class CFS(Selector):
    """Grow a subset while its merit rises: what it tells about the class over what its features share.

    Use it when the method should decide how many features are enough. All forward searches give the same subset:
    ``"lazy"`` (CFS+) counts only the pairs that can matter, ``"incremental"`` (FCFS) each pair once, ``"naive"``
    every sum anew. ``"best-first"`` is Weka's search, which goes back to earlier subsets.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them; None leaves the number to the merit.
    search : {"lazy", "incremental", "naive", "best-first"}, default="lazy"
        How the subsets are walked through.
    max_stale : int, default=5
        How many expansions in vain end the best-first search.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Merit of the subset when each chosen feature joined it; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each feature and the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import CFS
    >>> X = [[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> CFS(discretizer=None).fit(X, [0, 0, 1, 1, 0, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "search": one_of("lazy", "incremental", "naive", "best-first"),
        "max_stale": whole_number(at_least=1),
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        search: str = "lazy",
        max_stale: int = 5,
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.search = search
        self.max_stale = max_stale
        self.discretizer = discretizer

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_select = self._n_select(n_features)
        codes, target = codes_and_target(problem, self.discretizer)
        relevance = symmetrical_uncertainty(codes, target)
        precedence = problem.precedence(relevance)
        path, evaluations = self._walk(codes, target, relevance, precedence, n_select)
        return found_on(path, relevance, precedence, evaluations)

    def _walk(
        self, codes: Codes, target: Codes, relevance: Array, precedence: Precedence, n_select: int
    ) -> tuple[Path, Evaluations]:
        n_features = len(relevance)
        searched = open_relevance(relevance, codes.is_constant)
        shared_by = SharedInformation(codes, scaled=True)
        if self.search == "best-first":
            path, n_subsets, n_pairs = best_first(
                searched, shared_by.with_feature, precedence, n_select, self.max_stale
            )
            return path, Evaluations(relevance=n_features, pair=n_pairs, subset=n_subsets)
        if self.search == "naive":
            recomputing = RecomputingCandidates(codes, target, searched)
            path = forward(recomputing, precedence, n_select, when_merit_stops_rising)
            return path, Evaluations(
                relevance=recomputing.n_relevances, pair=recomputing.n_pairs, subset=recomputing.n_subsets
            )
        kind = LazyCandidates if self.search == "lazy" else ExhaustiveCandidates
        candidates = kind(searched, shared_by, Formula(lazy.SUBSET))
        path = forward(candidates, precedence, n_select, when_merit_stops_rising)
        return path, Evaluations(relevance=n_features, pair=candidates.n_pairs)
