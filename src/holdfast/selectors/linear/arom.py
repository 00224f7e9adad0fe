"""AROM (Weston et al. 2003): few features by rescaling, towards the smallest number of weights that separate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, nothing, one_of, real_number, whole_number
from holdfast.measures.hyperplanes import MULTICLASS, Hyperplanes
from holdfast.prepare.features import FEATURE_SCALES, FeatureRows
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem
from holdfast.selectors._prior import PRIOR, prior_factors
from holdfast.selectors._weighted import WeightedSelector, only_counted
from holdfast.selectors.linear._absolute import AbsoluteMargins
from holdfast.selectors.linear._rescaling import SCALE, Fit, SoftMargins, found_by_rescaling, rescale, to_weights

Array = npt.NDArray[Any]


class AROM(WeightedSelector):
    """Separate the classes with as few features as can be, by rescaling each feature with its weight again and again.

    Use it for a list that is as short as the classes allow, or to let known features have an advantage
    (``prior``). It approximates the smallest number of weights that separate the classes, which nothing finds exactly.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=50
        How many features to keep, or which share of them; None keeps all that are left in the end, with scales above
        ``tol`` times the largest.
    norm : {"l2", "l1"}, default="l2"
        What is smallest in every fit: the squares of the weights, or their absolute values, which leaves few at once.
    C : float or None, default=1e4
        What an error costs; a sample's weight multiplies it. None allows no error at all.
    prior : None, array, mapping or list, default=None
        What is known beforehand: a positive weight for every feature, {name: weight}, or names of relevant features.
    scale : {"standard", "range", "none"}, default="standard"
        Divide each feature by its standard deviation or its range first, or take the values as they are.
    multiclass : {"ovo", "ovr"}, default="ovo"
        One hyperplane for every pair of classes, or for every class against the rest.
    tol : float, default=1e-4
        Largest relative change of the weights at which to stop.
    max_iter : int, default=100
        Largest number of fits.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Scale of each feature in the last iterate that left enough features; 0 if it vanished.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scales share a rank.
    n_iter_ : int
        Number of fits.
    n_survivors_ : ndarray of shape (n_iter_ + 1,)
        Number of features left before the first fit and after each.
    converged_ : bool
        Whether the weights stopped changing, or the features ran out before.

    Examples
    --------
    >>> from holdfast import AROM
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> AROM(n_features_to_select=None).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "norm": one_of("l2", "l1"),
        "C": real_number(above=0.0) | nothing(),
        "prior": PRIOR,
        "scale": one_of(*FEATURE_SCALES),
        "multiclass": one_of(*MULTICLASS),
        "tol": real_number(above=0.0),
        "max_iter": whole_number(at_least=1),
    }

    _score_means = SCALE

    def __init__(
        self,
        n_features_to_select: int | float | None = 50,
        *,
        norm: str = "l2",
        C: float | None = 1e4,
        prior: Any = None,
        scale: str = "standard",
        multiclass: str = "ovo",
        tol: float = 1e-4,
        max_iter: int = 100,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.norm = norm
        self.C = C
        self.prior = prior
        self.scale = scale
        self.multiclass = multiclass
        self.tol = tol
        self.max_iter = max_iter

    def _choose(self, problem: Problem) -> Found:
        problem = only_counted(problem)
        n_select = None if self.n_features_to_select is None else self._n_select(problem.n_features)
        prior = prior_factors(self.prior, problem.names, problem.n_features)
        features = FeatureRows.of(problem.rows, self.scale)
        weights = np.ones(problem.n_features) if prior is None else prior
        planes = Hyperplanes(problem.target, costs(self.C, problem), self.multiclass)
        fit: Fit = SoftMargins(planes) if self.norm == "l2" else AbsoluteMargins(planes, problem)
        rescaled = rescale(features, fit, weights, weights, n_select or 1, to_weights(weights, self.tol), self.max_iter)
        return found_by_rescaling(rescaled, problem, features, planes, n_select, prior, least_share=self.tol)


def costs(C: float | None, problem: Problem) -> Array:
    """What an error of each sample costs; infinitely much without a C."""
    cost = np.full(len(problem.target), np.inf if C is None else float(C))
    return cost if problem.sample_weight is None else cost * problem.sample_weight
