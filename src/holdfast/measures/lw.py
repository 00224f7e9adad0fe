"""The LW index: how far apart classes lie, beyond their radii (Pino Angulo 2019, Eq. 2.15 and 2.16)."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast._errors import DataError
from holdfast.measures._distances import CLASSES
from holdfast.measures._values import checked_values
from holdfast.measures.growing.centroids import RADII, SeparationScore


def lw_index(X: Any, y: Any, *, radius: str = "max") -> float:
    """How far apart the classes lie in a set of features: between centroids, and beyond the radii of both classes.

    Use it to compare sets of features for classes that form clouds of their own. Features must be in comparable units.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples,)
        The set of features, none missing.
    y : array-like of shape (n_samples,)
        Classes.
    radius : {"max", "mean", "rms"}, default="max"
        Radius of a class: distance of its farthest sample from the centroid, the mean distance, or the root of the mean
        square.

    Returns
    -------
    index : float
        Mean over the classes of the least separation from another; above 0 where the clouds are apart.

    Examples
    --------
    >>> lw_index([0, 1, 2, 8, 9, 10], ["a", "a", "a", "b", "b", "b"])
    6.0
    """
    values, target, _ = checked_values(X, y, CLASSES)
    if radius not in RADII:
        raise ValueError(f"radius={radius!r} is not allowed: it must be one of {', '.join(map(repr, RADII))}.")
    if target.max(initial=0) == 0:
        raise DataError(f"y has one class only, {str(np.asarray(y)[0])!r}; a separation needs at least two.")
    score = SeparationScore(np.ascontiguousarray(values.T), target.astype(np.int64), radius)
    return score.value(range(values.shape[1]))
