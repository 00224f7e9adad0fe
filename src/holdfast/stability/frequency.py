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
from sklearn.pipeline import Pipeline

from holdfast._errors import DataError, NothingSelected, SmallSampleWarning
from holdfast.data import Table, is_measured
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
    y: Any = None,
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
        Any selector, or a Pipeline that ends in one; it is cloned, not changed.
    X : array-like of shape (n_samples, n_features), data frame or Table
        Data.
    y : array-like of shape (n_samples,), default=None
        Classes, whose shares every half keeps, or a measured target; a Table brings its own.
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
    >>> from holdfast import FTest, selection_frequency
    >>> from holdfast.data import copies
    >>> made = copies(n_features=30, n_relevant=2, n_copies=3, random_state=0)
    >>> selection_frequency(FTest(n_features_to_select=5), made.X, made.y, n_runs=10).runs.shape
    (10, 30)
    """
    if isinstance(X, Table):
        y = X.target if y is None else y
    elif not hasattr(X, "columns"):
        X = np.asarray(X)
    y = np.asarray(y)
    measured = is_measured(y)
    smallest = len(y) // 2 if measured else np.unique(y, return_counts=True)[1].min(initial=len(y))
    if smallest < 2:
        raise DataError("A class has one sample only, which cannot be halved. Drop that class, or join it to another.")
    drawn = half_samples(y, n_runs, random_state)
    if not measured and (smallest + 1) // 2 < _SMALL_CLASS:
        warnings.warn(
            f"The smallest class has {smallest} samples, so a half has {max(2, (smallest + 1) // 2)} of it: "
            "how often a feature is chosen is a rough guess.",
            SmallSampleWarning,
            stacklevel=2,
        )
    runs = []
    # Filters of warnings belong to the process, not to a thread, so they are set once around all runs.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        tasks = (delayed(_choose)(selector, X, y, rows) for rows in drawn)
        for support in Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(tasks):
            runs.append(support)
            if progress is not None:
                progress(len(runs))
    return Frequency(np.array(runs))


def _choose(selector: Any, X: Any, y: Array, rows: Array) -> Array:
    fitted = clone(selector).fit(_some_rows(X, rows), y[rows])
    support: Array = (fitted[-1] if isinstance(fitted, Pipeline) else fitted).get_support()
    return support


def _some_rows(X: Any, rows: Array) -> Any:
    """Some samples of a Table, a data frame (pandas or polars) or an array; names come along."""
    if isinstance(X, Table):
        return X.take(rows)
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
