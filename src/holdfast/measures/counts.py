"""The χ² statistic of non-negative features and classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError

Array = npt.NDArray[Any]


def chi2(X: Any, y: Any) -> Array:
    """How far the total of each feature is from being spread over the classes as the samples are.

    Use it for counts and frequencies: words in texts, reads, presence or absence.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Counts, frequencies or 0/1; never negative.
    y : array-like of shape (n_samples,)
        Classes.

    Returns
    -------
    chi2 : ndarray of shape (n_features,)
        Larger is better; -inf for a feature that is 0 everywhere.

    Examples
    --------
    >>> chi2([[1, 0], [1, 0], [0, 0], [0, 0]], [0, 0, 1, 1])
    array([  2., -inf])
    """
    X = np.ascontiguousarray(X, dtype=np.float64)
    if X.min(initial=0.0) < 0:
        raise DataError(
            f"Negative values in data: the smallest is {X.min():g}, and χ² takes counts or frequencies only. "
            "Use 'f-test' or 'information-gain' for measured values."
        )
    _, target = np.unique(np.asarray(y), return_inverse=True)
    is_of_class = (target == np.arange(target.max(initial=0) + 1)[:, np.newaxis]).astype(np.float64)
    observed = is_of_class @ X
    expected = np.outer(is_of_class.mean(axis=1), observed.sum(axis=0))
    answer = np.full(X.shape[1], -np.inf)
    np.sum((observed - expected) ** 2 / np.where(expected > 0, expected, 1.0), axis=0, out=answer)
    answer[observed.sum(axis=0) == 0] = -np.inf
    return answer
