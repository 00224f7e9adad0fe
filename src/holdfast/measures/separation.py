"""How far apart the classes sit on a measured feature: t, F, Fisher, relative entropy.

A constant feature has no statistic and gets -inf, so that it ranks last. A feature that is constant within every class
but differs between them separates the classes perfectly and gets +inf.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.kernels.moments import class_moments
from holdfast.prepare.moments import NO_SPREAD

Array = npt.NDArray[Any]


class Moments:
    """Sizes, means and sums of squares of every class, each feature read once."""

    def __init__(self, X: Any, y: Any) -> None:
        X = np.ascontiguousarray(X, dtype=np.float64)
        _, target = np.unique(np.asarray(y), return_inverse=True)
        self.sizes = np.bincount(target)
        shape = (len(self.sizes), X.shape[1])
        self.means, self.squares = np.empty(shape), np.empty(shape)
        class_moments(X, target, self.sizes, self.means, self.squares)
        magnitude = np.abs(self.means).max(axis=0)
        self.squares[self.squares <= (NO_SPREAD * magnitude) ** 2 * self.sizes[:, np.newaxis]] = 0.0
        self.grand = self.sizes @ self.means / self.sizes.sum()
        between = self.means - self.grand
        between[np.abs(between) <= NO_SPREAD * magnitude] = 0.0
        self.between = self.sizes @ between**2
        self.within = self.squares.sum(axis=0)

    def two_classes(self, what: str, n_each: int = 2) -> None:
        """Refuse anything but two classes of at least so many samples."""
        if len(self.sizes) != 2:
            raise DataError(
                f"{what} compares two classes but y has {len(self.sizes)}. "
                "Use 'f-test', 'fisher' or 'information-gain' for more, or keep the samples of two classes."
            )
        if self.sizes.min() < n_each:
            raise DataError(
                f"{what} needs at least {n_each} samples of each class, but one class has {self.sizes.min()}. "
                "Add samples, or use 'f-test' or 'information-gain'."
            )

    def ratio(self, above: Array, below: Array) -> Array:
        """Quotient with -inf where nothing varies and +inf where only the classes do."""
        answer = np.full(above.shape, -np.inf)
        answer[(above > 0) & (below == 0)] = np.inf
        np.divide(above, below, out=answer, where=below > 0)
        return answer


def t_statistic(X: Any, y: Any, *, equal_var: bool = False) -> Array:
    """Absolute difference of two class means in units of its standard error.

    Use it to rank features for two classes; Welch's form does not assume that the classes spread alike.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Two classes.
    equal_var : bool, default=False
        Pool the variances (Student) instead of keeping them apart (Welch).

    Returns
    -------
    t : ndarray of shape (n_features,)
        Larger is better; -inf for a constant feature.

    Examples
    --------
    >>> float(t_statistic([[1], [2], [3], [5], [6], [9]], [0, 0, 0, 1, 1, 1])[0].round(6))
    3.5
    """
    moments = Moments(X, y)
    moments.two_classes("The pooled t-test" if equal_var else "The t-test", n_each=1 if equal_var else 2)
    sizes = moments.sizes[:, np.newaxis]
    difference = np.where(moments.between > 0, np.abs(moments.means[0] - moments.means[1]), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if equal_var:
            error = moments.within / (moments.sizes.sum() - 2) * (1 / sizes).sum()
        else:
            error = (moments.squares / (sizes - 1) / sizes).sum(axis=0)
    return _undefined_last(moments.ratio(difference, np.sqrt(error)))


def _undefined_last(values: Array) -> Array:
    """Replace what cannot be computed (a class of one sample) by -inf."""
    values[np.isnan(values)] = -np.inf
    return values


def f_statistic(X: Any, y: Any) -> Array:
    """One-way analysis of variance: between-class over within-class mean square.

    Use it to rank measured features for two or more classes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Classes.

    Returns
    -------
    F : ndarray of shape (n_features,)
        Larger is better; -inf for a constant feature.

    Examples
    --------
    >>> float(f_statistic([[1], [2], [3], [5], [6], [9]], [0, 0, 0, 1, 1, 1])[0].round(6))
    12.25
    """
    moments = Moments(X, y)
    n_classes, n_samples = len(moments.sizes), moments.sizes.sum()
    if n_samples == n_classes:
        return np.full(moments.within.shape, -np.inf)
    return moments.ratio(moments.between / max(n_classes - 1, 1), moments.within / (n_samples - n_classes))


def fisher_score(X: Any, y: Any) -> Array:
    """Between-class scatter over within-class scatter (population variances).

    Use it as the scale-free relative of F; both rank features alike.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Classes.

    Returns
    -------
    score : ndarray of shape (n_features,)
        Larger is better; -inf for a constant feature.

    Examples
    --------
    >>> float(fisher_score([[1], [2], [3], [5], [6], [9]], [0, 0, 0, 1, 1, 1])[0].round(6))
    3.0625
    """
    moments = Moments(X, y)
    return moments.ratio(moments.between, moments.within)


def relative_entropy(X: Any, y: Any) -> Array:
    """Symmetric relative entropy between Gaussian models of two classes.

    Use it where the classes differ in spread as well as in mean.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values.
    y : array-like of shape (n_samples,)
        Two classes.

    Returns
    -------
    entropy : ndarray of shape (n_features,)
        Larger is better; -inf for a constant feature, +inf when one class has no spread.

    Examples
    --------
    >>> float(relative_entropy([[1], [2], [3], [5], [6], [9]], [0, 0, 0, 1, 1, 1])[0].round(6))
    14.683761
    """
    moments = Moments(X, y)
    moments.two_classes("The relative entropy")
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = moments.squares / (moments.sizes[:, np.newaxis] - 1)
        difference = np.where(moments.between > 0, moments.means[0] - moments.means[1], 0.0)
        answer = 0.5 * (first / second + second / first - 2) + 0.5 * difference**2 * (1 / first + 1 / second)
    has_no_spread = (first == 0) | (second == 0)
    is_constant = (moments.within == 0) & (moments.between == 0)
    answer = np.where(has_no_spread, np.inf, answer)
    return _undefined_last(np.where(is_constant, -np.inf, answer))
