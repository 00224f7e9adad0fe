"""Pearson and Spearman correlation of every feature with one variable."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.correlation import correlate, standardise
from holdfast.kernels.moments import BLOCK
from holdfast.prepare.moments import mean_and_length
from holdfast.prepare.ranks import ranks

Array = npt.NDArray[Any]


class Standardised:
    """Columns centred and of length 1, without a copy of the matrix."""

    def __init__(self, X: Any) -> None:
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.centre, length = mean_and_length(self.X)
        self.scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)

    def column(self, feature: int) -> Array:
        """One column, centred and of length 1 (of zeros if it is constant)."""
        values: Array = (self.X[:, feature] - self.centre[feature]) * self.scale[feature]
        return values

    def all_columns(self) -> Array:
        """Every column, centred and of length 1, as rows."""
        columns = np.empty(self.X.T.shape)
        standardise(self.X, self.centre, self.scale, columns)
        return columns

    def with_column(self, other: Array) -> Array:
        """Correlation of every column with one that is centred and of length 1."""
        result = np.empty(self.X.shape[1])
        partial = np.empty((8, BLOCK))
        correlate(self.X, self.centre, self.scale, np.ascontiguousarray(other), result, partial)
        return result


def pearson(X: Any, y: Any) -> Array:
    """Linear correlation of every feature with y.

    Use it for a measured target, or two classes coded 0 and 1.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Measured target.

    Returns
    -------
    r : ndarray of shape (n_features,)
        From -1 to 1; 0 for a constant feature.

    Examples
    --------
    >>> pearson([[1, 0], [2, 1], [3, 0]], [10, 20, 30]).round(6)
    array([1., 0.])
    """
    other = Standardised(np.asarray(y, dtype=np.float64).reshape(-1, 1)).column(0)
    return np.clip(Standardised(X).with_column(other), -1.0, 1.0)


def spearman(X: Any, y: Any) -> Array:
    """Rank correlation of every feature with y.

    Use it where only the order of the values is to be trusted.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Measured target.

    Returns
    -------
    rho : ndarray of shape (n_features,)
        From -1 to 1; 0 for a constant feature.

    Examples
    --------
    >>> spearman([[1], [2], [30]], [1, 8, 9]).round(6)
    array([1.])
    """
    return pearson(ranks(X), ranks(np.asarray(y, dtype=np.float64).reshape(-1, 1))[:, 0])
