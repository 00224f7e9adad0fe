"""Ranking of counts and frequencies by χ²."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from holdfast.measures.counts import chi2
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class Chi2(Ranker):
    """Rank non-negative features by the χ² statistic of their totals per class.

    Use it for counts, frequencies, presence or absence: texts, reads, mutations.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        χ² of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import Chi2
    >>> X = [[3, 1], [4, 1], [0, 1], [1, 1]]
    >>> Chi2(n_features_to_select=1).fit(X, [0, 0, 1, 1]).indices_
    array([0])
    """

    def __init__(self, n_features_to_select: int | float = 50) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, problem: Problem) -> Array:
        return chi2(problem.X, problem.target)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags
