"""SURF and MultiSURF: as many neighbours as lie within a distance, so that no number of neighbours has to be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, one_of, yes_or_no
from holdfast.measures.neighbours import Distances
from holdfast.measures.relief import (
    MISS_WEIGHTS,
    NEIGHBOUR_WEIGHTS,
    relief_weights,
    within_mean,
    within_own_mean,
)
from holdfast.selectors.neighbours._neighbour_ranker import NeighbourRanker

Array = npt.NDArray[Any]


class SURF(NeighbourRanker):
    """Rank features by all samples closer than the mean distance between two samples.

    Use it where features act in pairs and the right number of neighbours is unknown; MultiSURF is the later, usually
    better rule.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    star : bool, default=False
        Let samples farther than the mean distance count with the opposite sign (SURF*).
    miss_weights : {"prior", "equal", "pooled"}, default="prior"
        With more than two classes, misses of a class count by its share of the samples (Kononenko 1994), alike for each
        class, or without regard to their class.
    neighbour_weights : {"normalized", "raw"}, default="normalized"
        With sample weights: those of the neighbours divided by their sum, or as they are.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is near.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    nominal : None, "all" or list, default=None
        Features whose values are names, so that two values are either equal or not: their names, column numbers, or
        True and False for every feature.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Mean difference to near misses minus mean difference to near hits; -inf for a constant feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import SURF
    >>> X = [[1, 5], [2, 3], [3, 4], [7, 5], [8, 3], [9, 4]]
    >>> SURF(n_features_to_select=1).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        **NeighbourRanker.allowed,
        "star": yes_or_no(),
        "miss_weights": one_of(*MISS_WEIGHTS),
        "neighbour_weights": one_of(*NEIGHBOUR_WEIGHTS),
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        star: bool = False,
        miss_weights: str = "prior",
        neighbour_weights: str = "normalized",
        metric: str = "manhattan",
        scale: str = "range",
        nominal: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.star = star
        self.miss_weights = miss_weights
        self.neighbour_weights = neighbour_weights
        self.metric = metric
        self.scale = scale
        self.nominal = nominal
        self.n_jobs = n_jobs

    def _neighbours(self, distances: Distances, *, far: bool) -> Array:
        return within_mean(distances, far=far)

    def pair_weights(self, distances: Distances, target: Array, sample_weight: Array | None) -> Array:
        """What the difference between every two samples counts."""
        weights = self._weights(self._neighbours(distances, far=False), target, sample_weight)
        if self.star:
            weights -= self._weights(self._neighbours(distances, far=True), target, sample_weight)
        return weights

    def _weights(self, near: Array, target: Array, sample_weight: Array | None) -> Array:
        return relief_weights(
            near,
            target,
            miss_weights=self.miss_weights,
            sample_weight=sample_weight,
            neighbour_weights=self.neighbour_weights,
        )


class MultiSURF(SURF):
    """Rank features by all samples clearly closer than a sample's own mean distance to the others.

    Use it where features act in pairs and the right number of neighbours is unknown: near is what lies more than half a
    standard deviation below the mean distance from that sample.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    star : bool, default=False
        Let samples more than half a deviation beyond the mean count with the opposite sign (MultiSURF*).
    miss_weights : {"prior", "equal", "pooled"}, default="prior"
        With more than two classes, misses of a class count by its share of the samples (Kononenko 1994), alike for each
        class, or without regard to their class.
    neighbour_weights : {"normalized", "raw"}, default="normalized"
        With sample weights: those of the neighbours divided by their sum, or as they are.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is near.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    nominal : None, "all" or list, default=None
        Features whose values are names, so that two values are either equal or not: their names, column numbers, or
        True and False for every feature.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Mean difference to near misses minus mean difference to near hits; -inf for a constant feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.

    Examples
    --------
    >>> from holdfast import MultiSURF
    >>> X = [[1, 5], [2, 3], [3, 4], [7, 5], [8, 3], [9, 4]]
    >>> MultiSURF(n_features_to_select=1).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    def _neighbours(self, distances: Distances, *, far: bool) -> Array:
        return within_own_mean(distances, far=far)
