"""Ranking by correlation with a measured target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, yes_or_no
from holdfast.measures.correlation import pearson, spearman
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class Correlation(Ranker):
    """Rank features by the size of their correlation with a measured target.

    Use it for a dose, a survival time or another number to be explained, or for two classes coded as numbers.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    ranks : bool, default=False
        Correlate ranks (Spearman) instead of values (Pearson).

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Absolute correlation of each feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import Correlation
    >>> X = [[1.0, 7.0], [2.0, 3.0], [8.0, 4.0], [9.0, 6.0]]
    >>> Correlation(n_features_to_select=1).fit(X, [0.1, 0.2, 0.7, 0.9]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {**Ranker.allowed, "ranks": yes_or_no()}
    _takes: ClassVar[str] = "measures"

    def __init__(self, n_features_to_select: int | float = 50, *, ranks: bool = False) -> None:
        self.n_features_to_select = n_features_to_select
        self.ranks = ranks

    def _score(self, problem: Problem) -> Array:
        correlation = spearman if self.ranks else pearson
        return np.abs(correlation(problem.X, problem.measured_target))
