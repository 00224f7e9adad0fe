"""Greedy filters on three-way information: JMI, CMIM and DISR, as Brown et al. (2012) set them side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule
from holdfast.kernels.information import log_table
from holdfast.kernels.lazy import TIE
from holdfast.measures.information import mutual_information
from holdfast.prepare.codes import Codes, combine
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.forward import ScoredCandidates, forward, never
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, Selector
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors.pairwise._greedy import found_on, open_relevance

Array = npt.NDArray[Any]


class _TripleCandidates(ScoredCandidates):
    """Candidates judged by what they tell about the class together with each pick."""

    def __init__(self, codes: Codes, target: Codes, relevance: Array, join: Any) -> None:
        super().__init__(relevance)
        self.codes = codes
        self.target = target
        self.is_constant = np.isneginf(relevance)
        self.join = join
        self.n_chosen = 0
        self.n_pairs = 0
        self.last: int | None = None

    def best(self) -> tuple[Array, float]:
        """Give the open features of the best merit, and that merit."""
        if self.last is not None:
            self.n_pairs += int(self.is_open.sum())
            pick = self.codes.one(self.last)
            both = combine(pick, self.target)
            table, unit = log_table(self.codes.n_samples)
            with_pick = self.codes.joint_sums(pick)
            with_both = self.codes.joint_sums(both)
            triple_entropy = (table[-1] - with_both) * unit
            # I(f,s;C) = H(f,s) + H(C) - H(f,s,C), and I(f;C|s) is what it exceeds I(s;C) by.
            joint = ((table[-1] - with_pick) - self.target.margins[0] + with_both) * unit
            joint[joint < TIE] = 0.0
            alone = max(0.0, float((table[-1] - pick.margins[0] - self.target.margins[0] + both.margins[0]) * unit))
            self.merits = self.join(self.merits, joint, joint - alone, triple_entropy, self.n_chosen)
            self.merits[self.is_constant] = -np.inf
            self.last = None
        return super().best()

    def update(self, feature: int) -> None:
        """Remember the pick."""
        self.last = feature
        self.n_chosen += 1


class _TripleSelector(Selector):
    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "discretizer": DISCRETIZER,
    }

    def __init__(self, n_features_to_select: int | float = 50, *, discretizer: Any = "mean-sigma") -> None:
        self.n_features_to_select = n_features_to_select
        self.discretizer = discretizer

    @staticmethod
    def _join(merits: Array, joint: Array, conditional: Array, triple_entropy: Array, n_chosen: int) -> Array:
        raise NotImplementedError

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_select = self._n_select(n_features)
        codes, target = codes_and_target(problem, self.discretizer)
        relevance = mutual_information(codes, target)
        candidates = _TripleCandidates(codes, target, open_relevance(relevance, codes.is_constant), self._join)
        precedence = problem.precedence(relevance)
        path = forward(candidates, precedence, n_select, never)
        evaluations = Evaluations(relevance=n_features, pair=candidates.n_pairs)
        return found_on(path, relevance, precedence, evaluations)


class JMI(_TripleSelector):
    """Pick features that together with each chosen one tell most about the class.

    Use it when features may only speak in pairs; it is steady on small samples.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mean-sigma"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Joint information, summed over the earlier picks, of each chosen feature; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import JMI
    >>> X = [[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> len(JMI(n_features_to_select=2, discretizer=None).fit(X, [0, 0, 1, 1, 0, 0]).indices_)
    2
    """

    @staticmethod
    def _join(merits: Array, joint: Array, conditional: Array, triple_entropy: Array, n_chosen: int) -> Array:
        return joint if n_chosen == 1 else merits + joint


class DISR(_TripleSelector):
    """Pick features as JMI does, each pair's information scaled by its joint entropy.

    Use it when features have different numbers of levels.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mean-sigma"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Symmetrical relevance, summed over the earlier picks, of each chosen feature; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import DISR
    >>> X = [[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> len(DISR(n_features_to_select=2, discretizer=None).fit(X, [0, 0, 1, 1, 0, 0]).indices_)
    2
    """

    @staticmethod
    def _join(merits: Array, joint: Array, conditional: Array, triple_entropy: Array, n_chosen: int) -> Array:
        scaled = np.divide(joint, triple_entropy, out=np.zeros_like(joint), where=triple_entropy > 0)
        return scaled if n_chosen == 1 else merits + scaled


class CMIM(_TripleSelector):
    """Pick the feature whose information about the class survives knowing any one chosen feature.

    Use it when no chosen feature should explain away another.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mean-sigma"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Smallest conditional information of each chosen feature when it was picked; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        What each feature alone tells about the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of picking; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import CMIM
    >>> X = [[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
    >>> len(CMIM(n_features_to_select=2, discretizer=None).fit(X, [0, 0, 1, 1, 0, 0]).indices_)
    2
    """

    @staticmethod
    def _join(merits: Array, joint: Array, conditional: Array, triple_entropy: Array, n_chosen: int) -> Array:
        return np.minimum(merits, np.maximum(conditional, 0.0))
