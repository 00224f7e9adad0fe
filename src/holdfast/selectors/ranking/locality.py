"""Ranking without classes, by the Laplacian score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, real_number, whole_number, yes_or_no
from holdfast.measures.locality import laplacian_score
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker

Array = npt.NDArray[Any]


class LaplacianScore(Ranker):
    """Rank features by how well they keep neighbouring samples together.

    Use it when there are no labels, or when they must not be looked at. Scale the features first if their units differ.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    n_neighbors : int, default=5
        Samples are joined when either is among the nearest neighbours of the other.
    bandwidth : float, default=1.0
        Scale t of the weights exp(-distance / t).
    squared : bool, default=False
        Use the squared distance in the weights, as He et al. (2005) do.
    weighted_mean : bool, default=False
        Measure variation at large around the degree-weighted mean, as He et al. (2005) do.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Laplacian score of each feature; here smaller is better.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import LaplacianScore
    >>> X = [[1, 5], [2, 3], [3, 4], [7, 5], [8, 3], [9, 4]]
    >>> LaplacianScore(n_features_to_select=1, n_neighbors=2).fit(X).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        **Ranker.allowed,
        "n_neighbors": whole_number(at_least=1),
        "bandwidth": real_number(above=0.0),
        "squared": yes_or_no(),
        "weighted_mean": yes_or_no(),
    }
    _takes: ClassVar[str] = "anything"
    _smaller_is_better: ClassVar[bool] = True

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        n_neighbors: int = 5,
        bandwidth: float = 1.0,
        squared: bool = False,
        weighted_mean: bool = False,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.bandwidth = bandwidth
        self.squared = squared
        self.weighted_mean = weighted_mean

    def _score(self, problem: Problem) -> Array:
        return laplacian_score(
            problem.X,
            n_neighbors=self.n_neighbors,
            bandwidth=self.bandwidth,
            squared=self.squared,
            weighted_mean=self.weighted_mean,
        )
