"""How often each feature is chosen when the selection is repeated on resamples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline

from holdfast._errors import DataError, SmallSampleWarning
from holdfast._parameters import jobs, whole_number
from holdfast.data import Table, is_measured
from holdfast.stability._draw import PERTURB, draw
from holdfast.stability._members import SMALL_CLASS
from holdfast.stability._repeat import SELECTOR, members_of, supports
from holdfast.stability.nogueira import Stability, nogueira_interval

Array = npt.NDArray[Any]
_ALLOWED = {"selector": SELECTOR, "n_runs": whole_number(at_least=1), "perturb": PERTURB, "n_jobs": jobs()}


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

    @property
    def stability(self) -> Stability:
        """How far the runs agree beyond chance (Nogueira), with a 95 % interval."""
        return nogueira_interval(self.runs)


def selection_frequency(
    selector: Any,
    X: Any,
    y: Any = None,
    *,
    n_runs: int = 50,
    perturb: Any = "half-samples",
    groups: Any = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Frequency:
    """Repeat a selection on resamples and count what it chooses.

    Use it to see which features of a list would be found again. Binning and everything else that looks at y happens
    inside each run. Methods that go by neighbours measure distances once, and SVM-RFE inner products, on the scales of
    all samples: put a scaler before a selector with ``scale="none"`` into a Pipeline to scale each run by itself.

    Parameters
    ----------
    selector : str or estimator
        A method's name, any selector, or a Pipeline that ends in one; it is cloned, not changed.
    X : array-like of shape (n_samples, n_features), data frame or Table
        Data.
    y : array-like of shape (n_samples,), default=None
        Classes, whose shares every run keeps, or a measured target; a Table brings its own.
    n_runs : int, default=50
        Number of runs (of folds, for "folds"; leaving one out has as many as samples or groups).
    perturb : str, splitter, function or list, default="half-samples"
        "half-samples", "complementary-pairs", "subsample", "bootstrap", "folds", "leave-one-out" or "feature-noise";
        a splitter, whose training parts are taken; a function of (target, n_runs, random_state); or lists of rows.
    groups : array-like of shape (n_samples,), default=None
        Samples that stay together, such as those of one patient.
    random_state : int, Generator or None, default=0
        Seed of the draws; run i depends on it and on i only.
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
    given = {"selector": selector, "n_runs": n_runs, "perturb": perturb, "n_jobs": n_jobs}
    for name, value in given.items():
        if not _ALLOWED[name].accepts(value):
            raise ValueError(f"{name}={value!r} is not allowed: it must be {_ALLOWED[name].words}.")
    if hasattr(X, "toarray"):
        raise TypeError("X is sparse, but selectors take dense tables. Convert it with X.toarray().")
    (selector,) = members_of(selector)
    if isinstance(X, Table):
        y = X.target if y is None else y
    elif not hasattr(X, "columns"):
        X = np.asarray(X)
    n_samples = len(X)
    # Without a target all samples are drawn alike.
    y = None if y is None else np.asarray(y)
    strata = np.zeros(n_samples, dtype=np.int64) if y is None else y
    if len(strata) != n_samples:
        raise ValueError(f"X has {n_samples} samples but y has {len(strata)}; give one label for each sample.")
    final = selector[-1] if isinstance(selector, Pipeline) else selector
    takes_measures = getattr(final, "_takes", None) == "measures" and strata.dtype.kind in "iuf"
    if is_measured(strata) or (takes_measures and len(np.unique(strata)) > 2):
        strata = strata > np.median(strata)
    elif perturb == "half-samples":
        _require_halves(strata)
    drawn = draw(perturb, strata, n_runs, random_state, groups)
    tick = progress or (lambda done: None)
    return Frequency(supports(selector, X, y, drawn, n_jobs=n_jobs, tick=tick))


def _require_halves(y: Array) -> None:
    """Refuse classes of which every half is the whole, and warn of those that leave little."""
    classes, sizes = np.unique(y, return_counts=True)
    smallest = int(sizes.min())
    if smallest < 3:
        raise DataError(
            f"The class {str(classes[sizes.argmin()])!r} has {smallest} sample(s), and half of it would be all of it: "
            "at least 3 are needed. Drop that class, or join it to another."
        )
    if (smallest + 1) // 2 < SMALL_CLASS:
        warnings.warn(
            f"The smallest class has {smallest} samples, so a half has {(smallest + 1) // 2} of it: "
            "how often a feature is chosen is a rough guess.",
            SmallSampleWarning,
            stacklevel=3,
        )
