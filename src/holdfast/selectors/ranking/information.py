"""Rankings by what a binned feature tells about the class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule
from holdfast.measures.information import mutual_information, symmetrical_uncertainty
from holdfast.prepare.codes import Codes
from holdfast.prepare.encode import DISCRETIZER
from holdfast.selectors._base import Problem
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class _CountingRanker(Ranker):
    allowed: ClassVar[Mapping[str, Rule]] = {**Ranker.allowed, "discretizer": DISCRETIZER}

    def __init__(self, n_features_to_select: int | float = 50, *, discretizer: Any = "mdl") -> None:
        self.n_features_to_select = n_features_to_select
        self.discretizer = discretizer

    def _score(self, problem: Problem) -> Array:
        return self._measure(*codes_and_target(problem, self.discretizer))

    def _measure(self, codes: Codes, target: Codes) -> Array:
        raise NotImplementedError


class InformationGain(_CountingRanker):
    """Rank features by how many bits they tell about the class.

    Use it for any relation, not only linear ones; features are binned where the classes change.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Information gain of each feature in bits.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import InformationGain
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 0]]
    >>> InformationGain(n_features_to_select=1, discretizer=None).fit(X, [0, 0, 1, 1]).scores_
    array([1., 0.])
    """

    def _measure(self, codes: Codes, target: Codes) -> Array:
        information: Array = mutual_information(codes, target)
        return information


class SymmetricalUncertainty(_CountingRanker):
    """Rank features by symmetrical uncertainty, mutual information scaled to 0 … 1.

    Use it as information gain, without its favour for features of many levels.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import SymmetricalUncertainty
    >>> X = [[0, 1], [0, 0], [1, 1], [1, 0]]
    >>> SymmetricalUncertainty(n_features_to_select=1, discretizer=None).fit(X, [0, 0, 1, 1]).scores_
    array([1., 0.])
    """

    def _measure(self, codes: Codes, target: Codes) -> Array:
        uncertainty: Array = symmetrical_uncertainty(codes, target)
        return uncertainty
