"""Relief and ReliefF: features that differ between a sample and its nearest of other classes, but not of its own.

Prior knowledge is added to the scores: PK-Relief (Ben Brahim 2015, Algorithm 3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule, nothing, one_of, real_number, whole_number
from holdfast.measures.neighbours import Distances
from holdfast.measures.relief import MISS_WEIGHTS, NEIGHBOUR_WEIGHTS, TIES, nearest, relief_weights
from holdfast.selectors.neighbours._neighbour_ranker import PriorRanker, visits

Array = npt.NDArray[Any]


class Relief(PriorRanker):
    """Rank features by the nearest sample of another class and the nearest of the same.

    Use it for features that matter together, which a test of one feature at a time cannot see. ReliefF averages over
    more neighbours and is less easily misled by noise.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is nearest.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    nominal : None, "all" or list, default=None
        Features whose values are names, so that two values are either equal or not: their names, column numbers, or
        True and False for every feature.
    ties : {"share", "first"}, default="share"
        Samples equally near share the place of the nearest, or the first row takes it.
    n_samples : int or None, default=None
        Look at so many samples drawn at random; None looks at all.
    random_state : int, Generator or None, default=0
        Seed of that draw.
    prior : array, mapping, list or None, default=None
        What is known beforehand: a positive number for every feature, {name: weight} (others 1), names of features
        known to be relevant (10, others 1), or True and False for every feature (10 and 1). It is added to the sum over
        the samples looked at, so the score gets it divided by their number. With ``scale="none"`` it counts little
        beside large values.
    prior_scale : float, default=1.0
        Factor of the prior.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Mean difference to the nearest miss minus mean difference to the nearest hit, and the prior over the number
        of samples looked at; -inf for a constant feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.
    prior_ : ndarray of shape (n_features,) or None
        Weight of each feature in the prior.

    Examples
    --------
    >>> from holdfast import Relief
    >>> X = [[1, 5], [2, 3], [3, 4], [7, 5], [8, 3], [9, 4]]
    >>> Relief(n_features_to_select=1).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {**PriorRanker.allowed, "ties": one_of(*TIES)}

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        metric: str = "manhattan",
        scale: str = "range",
        nominal: Any = None,
        ties: str = "share",
        n_samples: int | None = None,
        random_state: Any = 0,
        prior: Any = None,
        prior_scale: float = 1.0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.metric = metric
        self.scale = scale
        self.nominal = nominal
        self.ties = ties
        self.n_samples = n_samples
        self.random_state = random_state
        self.prior = prior
        self.prior_scale = prior_scale
        self.n_jobs = n_jobs

    def pair_weights(self, distances: Distances, target: Array, sample_weight: Array | None) -> Array:
        """What the difference between every two samples counts."""
        return relief_weights(
            nearest(distances, target, 1, pooled=True, ties=self.ties),
            target,
            miss_weights="pooled",
            visits=visits(self.n_samples, self.random_state, distances),
            sample_weight=sample_weight,
        )


class ReliefF(PriorRanker):
    """Rank features by the k nearest samples of each other class and the k nearest of the same.

    Use it for features that matter together, in two or more classes, with noise, names and missing values. A missing
    value differs from a known one by as much as the known values of its class do on average (Kononenko 1994).

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    n_neighbors : int, default=10
        Neighbours of each class; a smaller class gives all it has.
    sigma : float or None, default=None
        Let the r-th nearest (from 0) count exp(-(r / sigma)²), as Weka does; None lets all count alike.
    miss_weights : {"prior", "equal", "pooled"}, default="prior"
        With more than two classes, misses of a class count by its share of the samples (Kononenko 1994), alike for each
        class (scikit-rebate), or without regard to their class.
    neighbour_weights : {"raw", "normalized"}, default="raw"
        With sample weights (which are divided by their sum): those of the neighbours as they are, or divided by theirs.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is nearest.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    nominal : None, "all" or list, default=None
        Features whose values are names, so that two values are either equal or not: their names, column numbers, or
        True and False for every feature.
    ties : {"share", "first"}, default="share"
        Samples equally near share the last places, or the first rows take them.
    n_samples : int or None, default=None
        Look at so many samples drawn at random; None looks at all.
    random_state : int, Generator or None, default=0
        Seed of that draw.
    prior : array, mapping, list or None, default=None
        What is known beforehand: a positive number for every feature, {name: weight} (others 1), names of features
        known to be relevant (10, others 1), or True and False for every feature (10 and 1). It is added to the sum over
        the samples looked at, so the score gets it divided by their number. With ``scale="none"`` it counts little
        beside large values.
    prior_scale : float, default=1.0
        Factor of the prior.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Mean difference to the misses minus mean difference to the hits, and the prior over the number of samples
        looked at; -inf for a constant feature.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.
    prior_ : ndarray of shape (n_features,) or None
        Weight of each feature in the prior.

    Examples
    --------
    >>> from holdfast import ReliefF
    >>> X = [[1, 5], [2, 3], [3, 4], [7, 5], [8, 3], [9, 4]]
    >>> ReliefF(n_features_to_select=1, n_neighbors=2).fit(X, [0, 0, 0, 1, 1, 1]).scores_.round(6)
    array([ 0.572917, -0.416667])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        **PriorRanker.allowed,
        "n_neighbors": whole_number(at_least=1),
        "sigma": real_number(above=0.0) | nothing(),
        "miss_weights": one_of(*MISS_WEIGHTS),
        "neighbour_weights": one_of(*NEIGHBOUR_WEIGHTS),
        "ties": one_of(*TIES),
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        n_neighbors: int = 10,
        sigma: float | None = None,
        miss_weights: str = "prior",
        neighbour_weights: str = "raw",
        metric: str = "manhattan",
        scale: str = "range",
        nominal: Any = None,
        ties: str = "share",
        n_samples: int | None = None,
        random_state: Any = 0,
        prior: Any = None,
        prior_scale: float = 1.0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.miss_weights = miss_weights
        self.neighbour_weights = neighbour_weights
        self.metric = metric
        self.scale = scale
        self.nominal = nominal
        self.ties = ties
        self.n_samples = n_samples
        self.random_state = random_state
        self.prior = prior
        self.prior_scale = prior_scale
        self.n_jobs = n_jobs

    def pair_weights(self, distances: Distances, target: Array, sample_weight: Array | None) -> Array:
        """What the difference between every two samples counts."""
        near = nearest(
            distances,
            target,
            self.n_neighbors,
            pooled=self.miss_weights == "pooled",
            sigma=self.sigma,
            ties=self.ties,
        )
        return relief_weights(
            near,
            target,
            miss_weights=self.miss_weights,
            visits=visits(self.n_samples, self.random_state, distances),
            sample_weight=sample_weight,
            neighbour_weights=self.neighbour_weights,
            n_neighbors=self.n_neighbors,
        )
