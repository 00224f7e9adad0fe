"""How often each feature is chosen when the selection is repeated on half of the samples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend as joblib_backend
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
    inside each half. Methods that go by neighbours measure distances once, and SVM-RFE inner products, on the scales of
    all samples: put a scaler before a selector with ``scale="none"`` into a Pipeline to scale each half by itself.

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
    if n_runs < 1:
        raise ValueError(f"n_runs={n_runs} gives nothing to count. Pass a whole number of at least 1, such as 50.")
    if isinstance(X, Table):
        y = X.target if y is None else y
    elif not hasattr(X, "columns"):
        X = np.asarray(X)
    n_samples = len(X)
    # Without a target all samples are halved alike.
    y = None if y is None else np.asarray(y)
    strata = np.zeros(n_samples, dtype=np.int64) if y is None else y
    if len(strata) != n_samples:
        raise ValueError(f"X has {n_samples} samples but y has {len(strata)}; give one label for each sample.")
    final = selector[-1] if isinstance(selector, Pipeline) else selector
    takes_measures = getattr(final, "_takes", None) == "measures" and strata.dtype.kind in "iuf"
    if is_measured(strata) or (takes_measures and len(np.unique(strata)) > 2):
        strata = strata > np.median(strata)
    else:
        _require_halves(strata)
    drawn = half_samples(strata, n_runs, random_state)
    backend = joblib_backend()[0]
    runs = []
    # Filters of warnings belong to the process, not to a thread, so they are set once around all runs.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        choose = _resampler(selector, X, y)
        tasks = (delayed(choose)(rows) for rows in drawn)
        gives = "generator" if backend.supports_return_generator else "list"
        for support in Parallel(n_jobs=n_jobs, prefer="threads", return_as=gives)(tasks):
            runs.append(support)
            if progress is not None:
                progress(len(runs))
    return Frequency(np.array(runs))


def _require_halves(y: Array) -> None:
    """Refuse classes of which every half is the whole, and warn of those that leave little."""
    classes, sizes = np.unique(y, return_counts=True)
    smallest = int(sizes.min())
    if smallest < 3:
        raise DataError(
            f"The class {str(classes[sizes.argmin()])!r} has {smallest} sample(s), and half of it would be all of it: "
            "at least 3 are needed. Drop that class, or join it to another."
        )
    if (smallest + 1) // 2 < _SMALL_CLASS:
        warnings.warn(
            f"The smallest class has {smallest} samples, so a half has {(smallest + 1) // 2} of it: "
            "how often a feature is chosen is a rough guess.",
            SmallSampleWarning,
            stacklevel=3,
        )


def _resampler(selector: Any, X: Any, y: Array | None) -> Callable[[Array], Array]:
    """A function from rows to what is chosen from them; a selector may share work between them."""
    shared: Callable[[Array], Array] | None = None
    if hasattr(selector, "resampler"):
        shared = clone(selector).resampler(X, y)
    return shared or partial(_choose, selector, X, y)


def _choose(selector: Any, X: Any, y: Array | None, rows: Array) -> Array:
    half = _some_rows(X, rows)
    if isinstance(selector, Pipeline) and isinstance(half, Table):
        half = half.X
    fitted = clone(selector).fit(half, None if y is None else y[rows])
    if not isinstance(fitted, Pipeline):
        support: Array = fitted.get_support()
        return support
    return _traced_support(fitted, half)


def _traced_support(pipeline: Pipeline, X: Any) -> Array:
    """Which columns of X come out of a pipeline of selectors and transformers that keep their columns."""
    n_features = X.shape[1]
    inputs = [str(name) for name in X.columns] if hasattr(X, "columns") else [f"x{i}" for i in range(n_features)]
    kept = [str(name) for name in pipeline.get_feature_names_out(np.array(inputs, dtype=object))]
    place_of = {name: i for i, name in enumerate(inputs)}
    if len(place_of) < len(inputs) or not set(kept) <= set(place_of):
        raise ValueError(
            "The features that come out of the pipeline cannot be traced back to columns of X: its steps must keep or "
            "drop columns under their (unique) names, as imputers, scalers and selectors do."
        )
    support = np.zeros(n_features, dtype=bool)
    support[[place_of[name] for name in kept]] = True
    return support


def _some_rows(X: Any, rows: Array) -> Any:
    """Some samples of a Table, a data frame (pandas or polars) or an array; names come along."""
    if isinstance(X, Table):
        return X.take(rows)
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
