"""Rankings by how far apart the classes sit on a measured feature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt
from sklearn.utils import ClassifierTags

from holdfast._parameters import Rule, yes_or_no
from holdfast.measures.separation import f_statistic, fisher_score, relative_entropy, t_statistic
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class _TwoClassRanker(Ranker):
    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


class TTest(_TwoClassRanker):
    """Rank features by the difference of two class means over its standard error.

    Use it for two classes and measured values, as a quick and well-understood first look.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    equal_var : bool, default=False
        Pool the two variances (Student) instead of keeping them apart (Welch).

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Absolute t of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import TTest
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> TTest(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {**Ranker.allowed, "equal_var": yes_or_no()}

    def __init__(self, n_features_to_select: int | float = 50, *, equal_var: bool = False) -> None:
        self.n_features_to_select = n_features_to_select
        self.equal_var = equal_var

    def _score(self, problem: Problem) -> Array:
        return t_statistic(problem.X, problem.target, equal_var=self.equal_var)


class FTest(Ranker):
    """Rank features by the F statistic of one-way analysis of variance.

    Use it for two or more classes and measured values; it is the usual baseline.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        F of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import FTest
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> FTest(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    def __init__(self, n_features_to_select: int | float = 50) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, problem: Problem) -> Array:
        return f_statistic(problem.X, problem.target)


class FisherScore(Ranker):
    """Rank features by between-class over within-class scatter.

    Use it for two or more classes; it ranks as F does, on a scale that does not grow with the samples.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Fisher score of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import FisherScore
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> FisherScore(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    def __init__(self, n_features_to_select: int | float = 50) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, problem: Problem) -> Array:
        return fisher_score(problem.X, problem.target)


class RelativeEntropy(_TwoClassRanker):
    """Rank features by the relative entropy between Gaussian models of two classes.

    Use it for two classes that may differ in spread as well as in mean.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Relative entropy of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import RelativeEntropy
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> RelativeEntropy(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    def __init__(self, n_features_to_select: int | float = 50) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, problem: Problem) -> Array:
        return relative_entropy(problem.X, problem.target)
