"""How often each feature is chosen when the selection is repeated on half of the samples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.base import clone

from holdfast._errors import DataError, NothingSelected, SmallSampleWarning
from holdfast.stability.perturb import half_samples

Array = npt.NDArray[Any]
_SMALL_CLASS = 8


@dataclass(frozen=True)
class Frequency:
    """What repeated selections chose.

    Parameters
    ----------
    runs : ndarray of shape (n_runs, n_features), dtype=bool
        One selection per row.

    Examples
    --------
    >>> import numpy as np
    >>> Frequency(np.array([[True, False], [True, True]])).frequency
    array([1. , 0.5])
    """

    runs: Array

    @property
    def frequency(self) -> Array:
        """Share of runs that chose each feature."""
        share: Array = self.runs.mean(axis=0)
        return share


def selection_frequency(
    selector: Any,
    X: Any,
    y: Any,
    *,
    n_runs: int = 50,
    random_state: Any = 0,
    n_jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Frequency:
    """Repeat a selection on random halves of the samples and count what it chooses.

    Use it to see which features of a list would be found again. Binning and everything else that looks at y happens
    inside each half.

    Parameters
    ----------
    selector : estimator
        Any selector; it is cloned, not changed.
    X : array-like of shape (n_samples, n_features)
        Data.
    y : array-like of shape (n_samples,)
        Classes; every half keeps their shares.
    n_runs : int, default=50
        Number of halves.
    random_state : int, Generator or None, default=0
        Seed of the halves; run i depends on it and on i only.
    n_jobs : int or None, default=None
        Parallel threads, as in joblib; no result depends on it.
    progress : callable, default=None
        Called with the number of finished runs.

    Returns
    -------
    frequency : Frequency
        With ``runs`` and ``frequency``.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import FTest, selection_frequency
    >>> X = np.array([[1.0, 7.0], [2.0, 3.0], [1.5, 5.0], [2.5, 4.0], [8.0, 4.0], [9.0, 6.0], [8.5, 5.0], [9.5, 3.5]])
    >>> selection_frequency(FTest(n_features_to_select=1), X, [0, 0, 0, 0, 1, 1, 1, 1], n_runs=4).frequency
    array([1., 0.])
    """
    y = np.asarray(y)
    smallest = np.unique(y, return_counts=True)[1].min(initial=len(y))
    if smallest < 2:
        raise DataError("A class has one sample only, which cannot be halved. Drop that class, or join it to another.")
    X = X if hasattr(X, "iloc") else np.asarray(X)
    drawn = half_samples(y, n_runs, random_state)
    if (smallest + 1) // 2 < _SMALL_CLASS:
        warnings.warn(
            f"The smallest class has {smallest} samples, so a half has {max(2, (smallest + 1) // 2)} of it: "
            "how often a feature is chosen is a rough guess.",
            SmallSampleWarning,
            stacklevel=2,
        )
    finished = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
        delayed(_choose)(selector, X, y, rows) for rows in drawn
    )
    runs = []
    for support in finished:
        runs.append(support)
        if progress is not None:
            progress(len(runs))
    return Frequency(np.array(runs))


def _choose(selector: Any, X: Any, y: Array, rows: Array) -> Array:
    half = X.iloc[rows] if hasattr(X, "iloc") else X[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        support: Array = clone(selector).fit(half, y[rows]).get_support()
    return support
