"""Laplacian score: how well a feature keeps neighbouring samples together, without any class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

Array = npt.NDArray[Any]


def laplacian_score(
    X: Any,
    *,
    n_neighbors: int = 5,
    bandwidth: float = 1.0,
    squared: bool = False,
    weighted_mean: bool = False,
) -> Array:
    """Variation of a feature between neighbouring samples over its variation at large.

    Use it when there are no classes: features that follow the shape of the data score low.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    n_neighbors : int, default=5
        Samples are joined when either is among the nearest neighbours of the other.
    bandwidth : float, default=1.0
        Scale t of the weights exp(-distance / t).
    squared : bool, default=False
        Use the squared distance in the weights, as He et al. (2005) do.
    weighted_mean : bool, default=False
        Measure variation at large around the degree-weighted mean, as He et al. (2005) do.

    Returns
    -------
    score : ndarray of shape (n_features,)
        Smaller is better; +inf for a constant feature.

    Examples
    --------
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> laplacian_score(X, n_neighbors=2).round(6)
    array([0.193507, 2.756561, 2.84499 ])
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    X = X - X.mean(axis=0)
    distance = cdist(X, X)
    is_near = _are_neighbours(distance, n_neighbors)
    if squared:
        distance = distance**2
    # A common factor of the weights cancels; taking out the largest keeps them from vanishing on wide data.
    weight = np.zeros_like(distance)
    weight[is_near] = np.exp((distance[is_near].min(initial=np.inf) - distance[is_near]) / bandwidth)
    degree = weight.sum(axis=1)
    between_neighbours = 2 * np.maximum(degree @ X**2 - np.einsum("ij,ij->j", X, weight @ X), 0.0)
    centre = degree @ X / degree.sum() if weighted_mean else 0.0
    at_large = degree @ (X - centre) ** 2
    answer = np.full(X.shape[1], np.inf)
    np.divide(between_neighbours, at_large, out=answer, where=np.ptp(X, axis=0) > 0)
    return answer


def _are_neighbours(distance: Array, n_neighbors: int) -> Array:
    """Pairs of samples of which one is among the nearest of the other; those equally near all count."""
    n_samples = len(distance)
    distance = distance + np.diag(np.full(n_samples, np.inf))
    reach = np.sort(distance, axis=1)[:, min(n_neighbors, n_samples - 1) - 1]
    is_near: Array = distance <= reach[:, np.newaxis] * (1 + 1e-12)
    return is_near | is_near.T
