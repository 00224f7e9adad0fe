"""Intervals: of metrics by drawing samples again or leaving them out, of agreement by leaving out runs.

Percentile bootstrap: Efron and Tibshirani 1993, chapter 13. Jackknife: Tukey 1958; of a mean over pairs: Arvesen 1969.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import t

from holdfast._parameters import real_number
from holdfast._random import generator
from holdfast.evaluate.metrics import METRICS, weighted_metrics
from holdfast.stability._doubt import in_order_of_appearance
from holdfast.stability.perturb import group_numbers

Array = npt.NDArray[Any]

# A table of weights of this many entries still fits the caches of most machines.
_ENTRIES_AT_ONCE = 2**18


@dataclass(frozen=True)
class Predictions:
    """Predictions for the test part of one split.

    Parameters
    ----------
    rows : ndarray of shape (n_test,), dtype=int
        Which samples of the study were tested; a pooled test part may hold a sample more than once.
    truth : ndarray of shape (n_test,), dtype=int
        Their classes.
    predicted : ndarray of shape (n_test,), dtype=int
        The predicted classes.
    scores : ndarray of shape (n_test,) or (n_test, n_classes), default=None
        As in ``weighted_metrics``.
    is_probability : bool, default=False
        Whether the scores are probabilities.
    """

    rows: Array
    truth: Array
    predicted: Array
    scores: Array | None = None
    is_probability: bool = False


@dataclass(frozen=True)
class MetricInterval:
    """One metric of a study: the mean over its splits, with an interval for other samples.

    Parameters
    ----------
    value : float
        Mean over the splits for which the metric is defined; NaN if there is none.
    low : float
        Lower end of the interval.
    high : float
        Upper end.
    per_split : ndarray of shape (n_splits,)
        The metric in each split, NaN where undefined.
    """

    value: float
    low: float
    high: float
    per_split: Array


def bootstrap_weights(n_samples: int, n_draws: int = 1000, seed: Any = 0, groups: Any = None) -> Array:
    """How often each sample is in each bootstrap draw.

    Parameters
    ----------
    n_samples : int
        Samples of the study.
    n_draws : int, default=1000
        Draws with replacement.
    seed : int, Generator or None, default=0
        Draw i depends on the seed and on i only.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, such as the patient; groups are then drawn, whole, instead of samples.

    Returns
    -------
    weights : ndarray of shape (n_draws, n_samples), dtype=int
        Numbers of times; the number of units drawn is that of samples, or of groups.

    Examples
    --------
    >>> from holdfast.evaluate._bootstrap import bootstrap_weights
    >>> bootstrap_weights(4, n_draws=3).sum(axis=1).tolist()
    [4, 4, 4]
    """
    numbers, n_units = _units(n_samples, groups)
    drawn = generator(seed).integers(n_units, size=(n_draws, n_units))
    places = drawn + n_units * np.arange(n_draws)[:, None]
    times = np.bincount(places.ravel(), minlength=n_draws * n_units).reshape(n_draws, n_units)
    weights: Array = np.take(times.astype(np.int32), numbers, axis=1)
    return weights


def _units(n_samples: int, groups: Any) -> tuple[Array, int]:
    """Number of the group of each sample, in the order in which they are met, so that no group is known by its name."""
    if groups is None:
        return np.arange(n_samples), n_samples
    numbers = in_order_of_appearance(group_numbers(groups, n_samples))
    return numbers, int(numbers.max()) + 1


def intervals(
    splits: Iterable[Predictions], n_classes: int, weights: Array, *, level: float = 0.95
) -> dict[str, MetricInterval]:
    """All metrics of a study with percentile intervals over drawn samples.

    In each draw, every split is judged anew on its test samples as often as they were drawn, and the splits are
    averaged; those in which the metric is undefined are left out. For leave-one-out, pool the test samples of all
    splits in one. The interval is about the samples tested; how much the training parts matter is not in it. Use
    ``jackknife_intervals`` for small test parts: with m samples in each, this interval is too short by about 1 / m, and
    by more where a class has few of them.

    Parameters
    ----------
    splits : iterable of Predictions
        One for each split.
    n_classes : int
        Classes of the study.
    weights : ndarray of shape (n_draws, n_samples)
        From ``bootstrap_weights``; without any draw the ends are NaN.
    level : float, default=0.95
        Share of the draws inside the interval.

    Returns
    -------
    found : dict of str to MetricInterval
        One for each name in ``METRICS``.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast.evaluate._bootstrap import Predictions, bootstrap_weights, intervals
    >>> truth, predicted = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    >>> found = intervals([Predictions(np.arange(5), truth, predicted)], 2, bootstrap_weights(5))["accuracy"]
    >>> found.value, found.low, found.high
    (0.8, 0.4, 1.0)
    """
    _check_confidence(level)
    judged = [_metrics(split, n_classes, np.take(weights, split.rows, axis=1)) for split in splits]
    tables = {name: np.array([one[name] for one in judged]).reshape(len(judged), len(weights) + 1) for name in METRICS}
    return {name: _interval(table, level) for name, table in tables.items()}


def _metrics(split: Predictions, n_classes: int, weights: Array) -> dict[str, Array]:
    """Plain metrics first, then those of every row of weights for the test samples."""
    table = np.concatenate([np.ones((1, len(split.rows))), weights])
    step = max(1, _ENTRIES_AT_ONCE // max(1, len(split.rows)))
    parts = [
        weighted_metrics(
            split.truth, split.predicted, split.scores, split.is_probability, n_classes, table[start : start + step]
        )
        for start in range(0, len(table), step)
    ]
    return {name: np.concatenate([part[name] for part in parts]) for name in METRICS}


def _interval(table: Array, level: float) -> MetricInterval:
    is_defined = ~np.isnan(table)
    n_defined = is_defined.sum(axis=0)
    means = np.divide(
        np.where(is_defined, table, 0.0).sum(axis=0), n_defined, out=np.full(table.shape[1], nan), where=n_defined > 0
    )
    draws = means[1:][n_defined[1:] > 0]
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]).tolist() if len(draws) else (nan, nan)
    return MetricInterval(float(means[0]), low, high, table[:, 0].copy())


def jackknife_intervals(
    splits: Iterable[Predictions], n_classes: int, n_samples: int, *, groups: Any = None, level: float = 0.95
) -> dict[str, MetricInterval]:
    """All metrics of a study with intervals by leaving out one sample after the other.

    As ``intervals``, without draws and with the right length for test parts of a few samples: the mean over splits is
    found without each sample in turn, and its spread gives a standard error for Student's t.

    Parameters
    ----------
    splits : iterable of Predictions
        One for each split.
    n_classes : int
        Classes of the study.
    n_samples : int
        Samples of the study.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, such as the patient; groups are then left out, whole.
    level : float, default=0.95
        Chance that the interval covers the value for other samples.

    Returns
    -------
    found : dict of str to MetricInterval
        One for each name in ``METRICS``, cut at 0 and 1; where all was right or all wrong, the interval of Clopper and
        Pearson. The ends are NaN if fewer than two samples (or groups) were tested, or if the metric is undefined
        without one of them.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast.evaluate._bootstrap import Predictions, jackknife_intervals
    >>> truth, predicted = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    >>> found = jackknife_intervals([Predictions(np.arange(5), truth, predicted)], 2, 5)["accuracy"]
    >>> found.value, round(found.low, 3), found.high
    (0.8, 0.245, 1.0)
    """
    _check_confidence(level)
    numbers, n_units = _units(n_samples, groups)
    is_tested = np.zeros((n_classes, n_units), dtype=bool)
    plain = []
    # What leaving out a unit adds to the sum of a metric over splits, and to the number of splits with a value.
    more = np.zeros((2, len(METRICS), n_units))
    for split in splits:
        units, place = np.unique(numbers[split.rows], return_inverse=True)
        is_tested[split.truth, numbers[split.rows]] = True
        judged = _metrics(split, n_classes, (np.arange(len(units))[:, None] != place).astype(float))
        values = np.array([judged[name] for name in METRICS])
        value_and_count = np.array([np.nan_to_num(values), ~np.isnan(values)])
        more[:, :, units] += value_and_count[:, :, 1:] - value_and_count[:, :, :1]
        plain.append(values[:, 0])
    per_split = np.array(plain).reshape(-1, len(METRICS)).T
    more = more[:, :, is_tested.any(axis=0)]
    n_behind = _units_behind(is_tested.sum(axis=1), more.shape[2])
    return {name: _left_out(per_split[i], more[:, i], n_behind[name], level) for i, name in enumerate(METRICS)}


def _units_behind(of_class: Array, n_units: int) -> dict[str, int]:
    """How many units each metric rests on: all, those of one class, or those of the smallest."""
    rests_on = dict.fromkeys(METRICS, int(of_class.min()))
    rests_on |= dict.fromkeys(("accuracy", "error", "brier"), n_units)
    if len(of_class) == 2:
        rests_on |= {"specificity": int(of_class[0]), "sensitivity": int(of_class[1])}
    return rests_on


def _left_out(per_split: Array, more: Array, n_behind: int, level: float) -> MetricInterval:
    defined = per_split[~np.isnan(per_split)]
    if not len(defined):
        return MetricInterval(nan, nan, nan, per_split)
    value, counts = float(defined.mean()), more[1] + len(defined)
    if len(counts) < 2 or not counts.all():
        return MetricInterval(value, nan, nan, per_split)
    if value in (0.0, 1.0) and n_behind > 0:
        # Nothing varies, yet n cases without an exception leave room for some: Clopper and Pearson 1934.
        room = ((1 - level) / 2) ** (1 / n_behind)
        return MetricInterval(value, room if value else 0.0, 1.0 if value else 1 - room, per_split)
    low, high = _around(value, (more[0] + defined.sum()) / counts, level)
    return MetricInterval(value, max(low, 0.0), min(high, 1.0), per_split)


def _around(value: float, without: Array, level: float) -> tuple[float, float]:
    """Ends of Student's interval from the values found without each of n units."""
    n = len(without)
    error = float(np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum()))
    reach = float(t.ppf((1 + level) / 2, n - 1)) * error
    return value - reach, value + reach


def jackknife_interval(agreement: Any, level: float = 0.95) -> tuple[float, float]:
    """Interval of the mean agreement over all pairs of runs.

    Every pair shares its runs with others, so the pairs are not independent; the runs are, and are left out one by one.

    Parameters
    ----------
    agreement : array-like of shape (n_runs, n_runs)
        Agreement of each pair of runs, such as their Jaccard index; what is on the diagonal does not matter.
    level : float, default=0.95
        Chance that the interval covers the mean over pairs of new runs.

    Returns
    -------
    low, high : float
        Ends of the interval, not cut at those of the range; NaN for fewer than three runs or where any agreement is
        NaN.

    Examples
    --------
    >>> from holdfast.evaluate._bootstrap import jackknife_interval
    >>> low, high = jackknife_interval([[1, 0.5, 0.6, 0.5], [0.5, 1, 0.4, 0.5], [0.6, 0.4, 1, 0.6], [0.5, 0.5, 0.6, 1]])
    >>> round(low, 3), round(high, 3)
    (0.358, 0.676)
    """
    _check_confidence(level)
    table = np.array(agreement, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"agreement has the shape {table.shape}, but one row and one column per run is needed.")
    n = len(table)
    np.fill_diagonal(table, 0.0)
    if n < 3 or np.isnan(table).any():
        return nan, nan
    of_run = (table.sum(axis=0) + table.sum(axis=1)) / 2
    mean = float(of_run.sum()) / (n * (n - 1))
    without = (of_run.sum() - 2 * of_run) / ((n - 1) * (n - 2))
    return _around(mean, without, level)


_CONFIDENCE = real_number(at_least=0.5, below=1)


def _check_confidence(level: Any) -> None:
    """Refuse what is no confidence, above all the chance of a false alarm 0.05."""
    if not _CONFIDENCE.accepts(level):
        raise ValueError(f"level={level!r} is not allowed: it must be {_CONFIDENCE.words}, such as 0.95.")
