"""Ranking by distance correlation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import Rule, one_of
from holdfast.measures._distances import INDICES, KINDS, NUMBERS, Distances, check_fewest
from holdfast.prepare.scaling import Ranges
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class DistanceCorrelation(Ranker):
    """Rank features by their distance correlation with the target.

    Use it where a feature may depend on the target in any way, not just along a line: classes that differ in spread, a
    dose of which little and much do the same.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    index : {"biased", "biased-squared", "unbiased"}, default="biased"
        Form of the index; the unbiased one is on the scale of squares, and below 0 where there is no dependence.
    y_is : {"classes", "numbers"}, default="classes"
        What the target holds. Classes are all equally far apart.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Distance correlation of each feature; -inf for a constant.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import DistanceCorrelation
    >>> X = [[1, 5], [9, 4], [2, 6], [8, 5], [5, 4], [4, 6], [6, 5], [5, 4]]
    >>> DistanceCorrelation(n_features_to_select=1).fit(X, ["wide"] * 4 + ["narrow"] * 4).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {**Ranker.allowed, "index": one_of(*INDICES), "y_is": one_of(*KINDS)}

    def __init__(self, n_features_to_select: int | float = 50, *, index: str = "biased", y_is: str = "classes") -> None:
        self.n_features_to_select = n_features_to_select
        self.index = index
        self.y_is = y_is

    @property
    def _takes(self) -> str:  # type: ignore[override]
        return "measures" if self.y_is == NUMBERS else "classes"

    def _score(self, problem: Problem) -> Array:
        check_fewest(len(problem.target), self.index)
        target = problem.measured_target if self.y_is == NUMBERS else problem.target
        if target is None:
            raise DataError("y is missing; distance correlation needs a target.")
        scores = Distances(target, self.y_is).each(problem.X, self.index)
        scores[Ranges.of(problem.X).width == 0] = -np.inf
        return scores
