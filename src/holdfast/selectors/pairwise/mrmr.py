"""Minimum redundancy, maximum relevance (Peng et al. 2005), and MRMR+ (Pino Angulo 2019, Algorithm 9).

Prior knowledge raises the relevance: PK-mRMR (Ben Brahim 2015, Eq. 4.2–4.5).
"""

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
from holdfast.search.ties import Precedence
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, Selector
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors._prior import PRIOR, PRIOR_SCALE, prior_gain, prior_weights
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
    prior : array, mapping, list or None, default=None
        What is known beforehand: a positive number for every feature, {name: weight} (others 1), names of features
        known to be relevant (10, others 1), or True and False for every feature (10 and 1). It is added to the
        relevance. A feature tells at most a few bits about the class, so 10 puts known features before all others; a
        smaller ``prior_scale`` lets the data speak too.
    prior_scale : float, default=1.0
        Factor of the prior. In the differences a part that all features have in common changes nothing; in the
        quotients it does.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Merit of each chosen feature when it was picked; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the class, without the prior.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.
    prior_ : ndarray of shape (n_features,) or None
        Weight of each feature in the prior.

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
        "prior": PRIOR,
        "prior_scale": PRIOR_SCALE,
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        objective: str = "mid",
        alpha: float = 0.5,
        search: str = "lazy",
        discretizer: Any = "mean-sigma",
        prior: Any = None,
        prior_scale: float = 1.0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.objective = objective
        self.alpha = alpha
        self.search = search
        self.discretizer = discretizer
        self.prior = prior
        self.prior_scale = prior_scale

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        relevance, candidates, precedence = self._begin(problem)
        path = forward(candidates, precedence, n_select, never)
        evaluations = Evaluations(relevance=problem.n_features, pair=candidates.n_pairs)
        return found_on(path, relevance, precedence, evaluations)

    def _begin(self, problem: Problem) -> tuple[Array, LazyCandidates | ExhaustiveCandidates, Precedence]:
        """Relevance, and what a forward search needs."""
        self.prior_ = prior_weights(self.prior, problem.names, problem.n_features)
        gain = prior_gain(self.prior_, self.prior_scale)
        relevance, searched, shared_by = self._measure(problem)
        if self.objective.endswith("d"):
            formula = Formula(lazy.DIFFERENCE, weight=2.0 * self.alpha)
        else:
            formula = Formula(lazy.QUOTIENT, floor=getattr(shared_by, "floor", 0.0))
        kind = LazyCandidates if self.search == "lazy" else ExhaustiveCandidates
        # A constant feature has -inf, which no prior raises.
        return relevance, kind(searched + gain, shared_by, formula), problem.precedence(relevance + gain)

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
