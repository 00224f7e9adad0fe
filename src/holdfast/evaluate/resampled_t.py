"""The t test of two methods over splits that share samples.

Nadeau and Bengio 2003 for random splits; Bouckaert and Frank 2004 for repeated cross-validation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, inf, nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from holdfast._errors import DataError
from holdfast._parameters import real_number
from holdfast.evaluate.friedman import check_level

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class ResampledTResult:
    """What the corrected resampled t test says about two methods.

    Use ``corrected_resampled_t`` to make one.

    Parameters
    ----------
    statistic : float
        Student's t; NaN for a single split, infinite if all splits differ alike.
    p_value : float
        Chance of a t at least as far from 0 for two equal methods; NaN for a single split.
    difference : float
        Mean difference over the splits.
    std_error : float
        Its standard error, corrected for samples that training parts share; NaN for a single split.
    low : float
        Lower end of the interval of the difference.
    high : float
        Upper end.
    degrees_of_freedom : int
        Number of splits less one.
    level : float
        The interval misses the difference with this chance.

    Examples
    --------
    >>> from holdfast.evaluate.resampled_t import corrected_resampled_t
    >>> result = corrected_resampled_t([0.1, 0.1, 0.0, 0.2, 0.1], n_train=80, n_test=20)
    >>> result.degrees_of_freedom, result.low < 0 < result.high
    (4, True)
    """

    statistic: float
    p_value: float
    difference: float
    std_error: float
    low: float
    high: float
    degrees_of_freedom: int
    level: float


def corrected_resampled_t(differences: Any, n_train: float, n_test: float, *, level: float = 0.05) -> ResampledTResult:
    """Test whether two methods are equally good over resamples of one data set.

    Use it for two methods run on the same splits of random subsampling or of (repeated) cross-validation. Training
    parts overlap, which makes the plain t test far too sure; this one allows for it.

    Parameters
    ----------
    differences : array-like of shape (n_splits,)
        Value of one method less that of the other in each split.
    n_train : float
        Mean number of training samples of a split.
    n_test : float
        Mean number of test samples of a split.
    level : float, default=0.05
        The interval misses the difference with this chance.

    Returns
    -------
    result : ResampledTResult
        Statistic, p-value, mean difference and its interval. If all splits differ alike, the p-value is 1 for no
        difference and 0 for any other. A single split tells nothing: NaN.

    Examples
    --------
    >>> from holdfast.evaluate.resampled_t import corrected_resampled_t
    >>> result = corrected_resampled_t([0.1, 0.1, 0.0, 0.2, 0.1], n_train=80, n_test=20)
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (2.1082, 0.1027)
    """
    d = _values(differences, "differences", n_train, n_test)
    check_level(level)
    mean, error, freedom = float(d.mean()), _standard_error(d, n_train, n_test), len(d) - 1
    statistic = mean / error if error else copysign(inf, mean) if mean else 0.0
    low, high = _interval(mean, error, freedom, level)
    p_value = float(2 * t.sf(abs(statistic), freedom))
    return ResampledTResult(statistic, p_value, mean, error, low, high, freedom, float(level))


def resampled_interval(values: Any, n_train: float, n_test: float, level: float = 0.05) -> tuple[float, float]:
    """Interval of a mean over splits that share samples.

    Use it for the accuracy of one method over random subsampling or (repeated) cross-validation.

    Parameters
    ----------
    values : array-like of shape (n_splits,)
        One value per split.
    n_train : float
        Mean number of training samples of a split.
    n_test : float
        Mean number of test samples of a split.
    level : float, default=0.05
        The interval misses the mean with this chance.

    Returns
    -------
    low, high : float
        Ends of the interval; NaN for a single split. They may lie outside the range of the values.

    Examples
    --------
    >>> from holdfast.evaluate.resampled_t import resampled_interval
    >>> low, high = resampled_interval([0.8, 0.9, 0.8, 0.7, 0.8], n_train=80, n_test=20)
    >>> round(low, 3), round(high, 3)
    (0.668, 0.932)
    """
    numbers = _values(values, "values", n_train, n_test)
    check_level(level)
    return _interval(float(numbers.mean()), _standard_error(numbers, n_train, n_test), len(numbers) - 1, level)


def _standard_error(values: Array, n_train: float, n_test: float) -> float:
    if len(values) == 1:
        return nan
    # Rounding gives equal values a variance that is not quite 0.
    variance = float(values.var(ddof=1)) if np.ptp(values) else 0.0
    return sqrt((1 / len(values) + n_test / n_train) * variance)


def _interval(mean: float, error: float, freedom: int, level: float) -> tuple[float, float]:
    if not error:
        return mean, mean
    reach = float(t.isf(level / 2, freedom)) * error
    return mean - reach, mean + reach


_SIZE = real_number(above=0)


def _values(values: Any, name: str, n_train: Any, n_test: Any) -> Array:
    for size_name, size in (("n_train", n_train), ("n_test", n_test)):
        if not _SIZE.accepts(size):
            raise ValueError(f"{size_name}={size!r} is not allowed: it must be {_SIZE.words}, a number of samples.")
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim != 1 or len(numbers) == 0:
        raise DataError(f"{name} has the shape {numbers.shape}, but a list with one number per split is needed.")
    if not np.isfinite(numbers).all():
        raise DataError(
            f"{name} has {int((~np.isfinite(numbers)).sum())} missing or infinite entries. Leave these splits out."
        )
    return numbers
