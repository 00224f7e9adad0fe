"""Margin-based instance weighting (Han 2012, chapter 4, Algorithm 1): samples count by how typical they are."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from holdfast._errors import DataError
from holdfast._parameters import Rule, check_parameters, jobs, one_of, real_number, whole_number, yes_or_no
from holdfast.data import Table
from holdfast.measures.neighbours import METRICS, SCALES, Space, read_only
from holdfast.measures.weighing import AGGREGATES, NEIGHBOURS, Weighing, weigh_samples
from holdfast.selectors._base import refuse_unusable

Array = npt.NDArray[Any]


class InstanceWeighting(BaseEstimator):
    """Give every sample a weight: little to one that lies unlike all others with respect to the classes.

    Use it before a selector that takes ``sample_weight``, so that outliers decide less about what is chosen. A sample
    is described by how much farther each feature puts the samples of other classes than those of its own; its weight
    is one over its mean distance to all other samples in that description.

    Parameters
    ----------
    neighbours : {"all", "nearest", "inverse-distance"}, default="all"
        Which samples describe a sample: all alike (the published form), the nearest hit and the nearest miss (equally
        near ones share the place), or all by one over their distance.
    aggregate : {"sum", "mean"}, default="sum"
        Sum over misses less sum over hits (the published form, in which classes of different size drift apart), or
        their means; the other kinds of neighbours always take means.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance that decides who is near.
    scale : {"range", "none"}, default="range"
        Divide each feature by its range first, or take the values as they are.
    iterate : bool, default=False
        Let the weights count in the description of the samples, and weigh again until they stay.
    max_iter : int, default=100
        Most rounds of that.
    tol : float, default=1e-6
        Largest change of a weight at which they stay.
    n_jobs : int or None, default=None
        Threads; the result does not depend on it.

    Attributes
    ----------
    weights_ : ndarray of shape (n_samples,)
        Weight of every sample of the training data; their sum is 1.
    n_iter_ : int
        Rounds of weighing.
    converged_ : bool
        Whether the weights stayed; True without iteration.
    classes_ : ndarray of shape (n_classes,)
        Names of the classes.

    Examples
    --------
    >>> from holdfast import InstanceWeighting
    >>> X = [[0, 0], [1, 0.5], [3.5, 4.5], [4, 4], [5, 3], [3, 5.5]]
    >>> InstanceWeighting(scale="none").fit_transform(X, [0, 0, 0, 1, 1, 1]).round(3)
    array([0.17 , 0.211, 0.071, 0.216, 0.17 , 0.163])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "neighbours": one_of(*NEIGHBOURS),
        "aggregate": one_of(*AGGREGATES),
        "metric": one_of(*METRICS),
        "scale": one_of(*SCALES),
        "iterate": yes_or_no(),
        "max_iter": whole_number(at_least=1),
        "tol": real_number(above=0.0),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        neighbours: str = "all",
        *,
        aggregate: str = "sum",
        metric: str = "manhattan",
        scale: str = "range",
        iterate: bool = False,
        max_iter: int = 100,
        tol: float = 1e-6,
        n_jobs: int | None = None,
    ) -> None:
        self.neighbours = neighbours
        self.aggregate = aggregate
        self.metric = metric
        self.scale = scale
        self.iterate = iterate
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Weigh samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Measured values, none missing.
        y : array-like of shape (n_samples,), default=None
            The classes; a Table brings its own.

        Returns
        -------
        self : InstanceWeighting
            With ``weights_``.
        """
        check_parameters(self)
        if isinstance(X, Table):
            X, y = X.X, X.target if y is None else y
        options = {"dtype": [np.float64, np.float32], "order": "C", "ensure_all_finite": False, "ensure_min_samples": 2}
        X, y = validate_data(self, X, y, **options)
        refuse_unusable(X, getattr(self, "feature_names_in_", None), nan_is_allowed=False)
        check_classification_targets(y)
        self.classes_, target = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise DataError(f"y has one class only, {str(self.classes_[0])!r}; a margin lies between classes.")
        found = self.weigh(read_only(X), target.astype(np.int64))
        self.weights_, self.n_iter_, self.converged_ = found.weights, found.n_iter, found.converged
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Weigh samples, and give their weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Measured values, none missing.
        y : array-like of shape (n_samples,), default=None
            The classes; a Table brings its own.

        Returns
        -------
        weights : ndarray of shape (n_samples,)
            Weight of every sample, the sum 1: pass them on as ``sample_weight``.
        """
        return self.fit(X, y).weights_

    def weigh(self, X: Array, target: Array) -> Weighing:
        """Weights for checked rows and classes 0, 1, …; warns if they do not stay."""
        check_parameters(self)
        space = Space.of(X, target, scale=self.scale, n_jobs=self.n_jobs)
        found = weigh_samples(
            space,
            neighbours=self.neighbours,
            aggregate=self.aggregate,
            metric=self.metric,
            iterate=self.iterate,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        if not found.converged:
            warnings.warn(
                f"The weights still change after max_iter={self.max_iter} rounds. Raise it, or tol={self.tol:g}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
