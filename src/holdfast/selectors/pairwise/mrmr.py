"""Minimum redundancy, maximum relevance (Peng et al. 2005), and MRMR+ (Pino Angulo 2019, Algorithm 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, one_of, real_number
from holdfast.kernels import lazy
from holdfast.measures.information import mutual_information
from holdfast.measures.separation import f_statistic
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.forward import forward, never
from holdfast.search.shared import (
    ExhaustiveCandidates,
    Formula,
    LazyCandidates,
    SharedBy,
    SharedCorrelation,
    SharedInformation,
)
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, Selector
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors.pairwise._greedy import found_on, open_relevance

Array = npt.NDArray[Any]

# Without a floor one pair that happens to be uncorrelated would outweigh any relevance.
_LEAST_CORRELATION = 1e-3


class MRMR(Selector):
    """Pick features that tell about the class and repeat each other little.

    Use it for a short list of features that complement each other; it is the first choice for gene expression. Both
    searches give the same list: ``"lazy"`` (MRMR+) counts only the pairs that can matter.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    objective : {"mid", "miq", "fcd", "fcq"}, default="mid"
        Mutual information on binned values (mi…) or F statistic and absolute correlation on measured ones (fc…),
        combined by difference (…d) or quotient (…q).
    alpha : float, default=0.5
        Weight of redundancy in the difference: relevance - 2·alpha·mean redundancy. The original has 0.5.
    search : {"lazy", "exhaustive"}, default="lazy"
        MRMR+, or the original that counts every pair.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mean-sigma"
        How values become levels for "mid" and "miq"; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Merit of each chosen feature when it was picked; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import MRMR
    >>> X = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1]]
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> MRMR(n_features_to_select=2, discretizer=None).fit(X, y).indices_
    array([0, 2])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "objective": one_of("mid", "miq", "fcd", "fcq"),
        "alpha": real_number(at_least=0.0),
        "search": one_of("lazy", "exhaustive"),
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        objective: str = "mid",
        alpha: float = 0.5,
        search: str = "lazy",
        discretizer: Any = "mean-sigma",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.objective = objective
        self.alpha = alpha
        self.search = search
        self.discretizer = discretizer

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_select = self._n_select(n_features)
        relevance, searched, shared_by = self._measure(problem)
        if self.objective.endswith("d"):
            formula = Formula(lazy.DIFFERENCE, weight=2.0 * self.alpha)
        else:
            formula = Formula(lazy.QUOTIENT, floor=getattr(shared_by, "floor", 0.0))
        kind = LazyCandidates if self.search == "lazy" else ExhaustiveCandidates
        candidates = kind(searched, shared_by, formula)
        precedence = problem.precedence(relevance)
        path = forward(candidates, precedence, n_select, never)
        evaluations = Evaluations(relevance=n_features, pair=candidates.n_pairs)
        return found_on(path, relevance, precedence, evaluations)

    def _measure(self, problem: Problem) -> tuple[Array, Array, SharedBy]:
        """Relevance, the relevance to search by, and what pairs share."""
        if self.objective.startswith("mi"):
            codes, target = codes_and_target(problem, self.discretizer)
            relevance = mutual_information(codes, target)
            return (
                relevance,
                open_relevance(relevance, codes.is_constant),
                SharedInformation(codes, scaled=False),
            )
        relevance = f_statistic(problem.X, problem.target)
        floor = _LEAST_CORRELATION if self.objective == "fcq" else 0.0
        return relevance, relevance, SharedCorrelation(problem.X, floor)
