"""Bias and variance of the weights that a selector gives to features (Han 2012, sections 3.1 and 6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from holdfast._errors import DataError
from holdfast._parameters import jobs, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast.data import Synthetic, blocks
from holdfast.stability._repeat import in_parallel, members_of

Array = npt.NDArray[Any]

_COUNT = whole_number(at_least=2)
_JOBS = jobs()
# Weights of so many sets are in memory at a time.
_BATCH = 32


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """Error of feature weights, split into what is wrong on average and what changes from sample to sample.

    Use ``bias_variance`` to make one. Error is bias plus variance; bias is squared. The smaller the variance, the more
    stable the weights.

    Parameters
    ----------
    variance : float
        How much the weight of a feature scatters around its mean, averaged over features.
    bias : float or None
        Squared distance of the mean weight from the truth, averaged over features; None without a truth.
    error : float or None
        Squared distance of a weight from the truth, averaged over runs and features; None without a truth.
    mean : ndarray of shape (n_features,)
        Mean weight of each feature.
    feature_variance : ndarray of shape (n_features,)
        Variance of each feature.
    feature_bias : ndarray of shape (n_features,) or None
        Squared bias of each feature.
    feature_error : ndarray of shape (n_features,) or None
        Mean squared error of each feature.

    Examples
    --------
    >>> from holdfast.stability.bias_variance import bias_variance
    >>> found = bias_variance([[0.7, 0.3], [0.5, 0.5]], truth=[1, 0])
    >>> round(found.error, 3), round(found.bias, 3), round(found.variance, 3)
    (0.17, 0.16, 0.01)
    """

    variance: float
    bias: float | None
    error: float | None
    mean: Array
    feature_variance: Array
    feature_bias: Array | None
    feature_error: Array | None


@dataclass(frozen=True, eq=False)
class BiasVariancePath:
    """Bias and variance of a selector's weights in each of its rounds.

    Use ``bias_variance_on`` to make one. A selector without rounds has one.

    Parameters
    ----------
    rounds : tuple of BiasVariance
        One for each round of the selector.
    sizes : ndarray of shape (n_rounds,)
        Mean number of features that have a weight in each round.
    frequency : ndarray of shape (n_rounds, n_features)
        Share of the training sets in which each feature has a weight.
    truth : ndarray of shape (n_features,)
        The true weights; the relevant features come first.
    n_sets : int
        Number of training sets.
    weights : ndarray of shape (n_sets, n_rounds, n_features) or None
        All weights, if they were kept.

    Examples
    --------
    >>> from functools import partial
    >>> from holdfast import SVMRFE
    >>> from holdfast.data import blocks
    >>> from holdfast.stability.bias_variance import bias_variance_on
    >>> small = partial(blocks, n_features=40, n_relevant=10)
    >>> found = bias_variance_on(SVMRFE(10), n_sets=5, n_samples=30, data=small)
    >>> found.sizes[:4].tolist(), bool(found.variance[0] < found.error[0])
    ([40.0, 36.0, 32.0, 28.0], True)
    """

    rounds: tuple[BiasVariance, ...]
    sizes: Array
    frequency: Array
    truth: Array
    n_sets: int
    weights: Array | None = None

    @property
    def variance(self) -> Array:
        """Average variance in each round."""
        return np.array([one.variance for one in self.rounds])

    @property
    def bias(self) -> Array:
        """Average squared bias in each round."""
        return np.array([one.bias for one in self.rounds])

    @property
    def error(self) -> Array:
        """Average squared error in each round."""
        return np.array([one.error for one in self.rounds])


def normalised(weights: Any) -> Array:
    """Share of each feature in the sum of absolute weights.

    Use it before ``bias_variance``, so that weights of different runs and methods are on one scale.

    Parameters
    ----------
    weights : array-like of shape (n_features,) or (n_runs, n_features)
        Weights or scores; those of a run that are all 0 stay 0.

    Returns
    -------
    shares : ndarray of the same shape
        Absolute weights that sum to 1 in each run.

    Examples
    --------
    >>> from holdfast.stability.bias_variance import normalised
    >>> normalised([[3, -1, 0], [0, 0, 0]]).tolist()
    [[0.75, 0.25, 0.0], [0.0, 0.0, 0.0]]
    """
    given: Array = np.abs(_numbers(weights))
    _require_finite(given)
    # Divided by the largest first, so that no sum overflows.
    largest = given.max(axis=-1, keepdims=True, initial=0.0)
    scaled = given / np.where(largest > 0, largest, 1.0)
    total = scaled.sum(axis=-1, keepdims=True)
    shares: Array = scaled / np.where(total > 0, total, 1.0)
    return shares


def bias_variance(weights: Any, truth: Any = None) -> BiasVariance:
    """Split the error of feature weights from several training sets into bias and variance.

    Use it with a known truth to see whether a method is wrong on average or merely unsteady; without a truth the
    variance alone measures instability. Features that a run eliminated have the weight 0. The bias is that of the mean
    over the runs at hand, so it holds the variance divided by their number on top; with few runs say so.

    Parameters
    ----------
    weights : array-like of shape (n_runs, n_features)
        Weights of each run on a common scale; see ``normalised``.
    truth : array-like of shape (n_features,), default=None
        True weights, on the same scale.

    Returns
    -------
    found : BiasVariance
        Averages over features, and values of each.

    Examples
    --------
    >>> from holdfast.stability.bias_variance import bias_variance
    >>> runs = [[0.6, 0.4, 0], [0.4, 0.5, 0.1], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    >>> found = bias_variance(runs, truth=[0.5, 0.5, 0])
    >>> round(found.error, 6), round(found.bias, 6), round(found.variance, 6)
    (0.021667, 0.011667, 0.01)
    """
    given = _numbers(weights)
    if given.ndim != 2 or given.size == 0:
        raise ValueError(
            f"weights has shape {given.shape}. Pass a matrix with one run per row, one feature per column."
        )
    _require_finite(given)
    mean = given.mean(axis=0)
    # The divisor is the number of runs, so that error is exactly bias plus variance.
    variance = ((given - mean) ** 2).mean(axis=0)
    return _split(mean, variance, None if truth is None else _checked_truth(truth, len(mean)))


def bias_variance_on(
    selector: Any,
    *,
    n_sets: int = 500,
    n_samples: int = 100,
    random_state: Any = 0,
    data: Callable[..., Synthetic] = blocks,
    weights_of: Callable[[Any], Any] | None = None,
    n_jobs: int | None = None,
    keep: bool = False,
) -> BiasVariancePath:
    """Bias and variance of a selector's weights over training sets drawn from data with a known truth.

    Use it to compare selectors: the one with the smaller variance is more stable, and the one with the smaller error
    closer to the truth. The truth gives equal weights to all relevant features.

    Parameters
    ----------
    selector : str or estimator
        A method's name, or a selector with ``weight_path_`` (weights of each round, as SVM-RFE has) or ``scores_``,
        where more is better, alone or in a Pipeline that keeps all columns before it; it is cloned, not changed.
    n_sets : int, default=500
        Number of training sets.
    n_samples : int, default=100
        Samples in each.
    random_state : int, Generator or None, default=0
        Seed; set i depends on it and on i only.
    data : callable, default=holdfast.data.blocks
        Makes a training set from ``n_samples`` and ``random_state``; use functools.partial for other options.
    weights_of : callable, default=None
        Takes weights, of one or of several rounds, from the fitted selector; None for ``weight_path_`` or ``scores_``.
        What it gives is divided by the sum of absolute weights. NaN, as for features a method never came to, is 0.
    n_jobs : int or None, default=None
        Parallel threads, as in joblib; no result depends on it.
    keep : bool, default=False
        Whether to keep all weights, which takes n_sets × n_rounds × n_features numbers.

    Returns
    -------
    found : BiasVariancePath
        With ``error``, ``bias`` and ``variance`` of each round.

    Examples
    --------
    >>> from functools import partial
    >>> from holdfast import FTest
    >>> from holdfast.data import blocks
    >>> from holdfast.stability.bias_variance import bias_variance_on
    >>> small = partial(blocks, n_features=40, n_relevant=10)
    >>> few, many = (bias_variance_on(FTest(10), n_sets=20, n_samples=n, data=small) for n in (20, 200))
    >>> bool(many.variance[0] < few.variance[0])
    True
    """
    for name, value, rule in (("n_sets", n_sets, _COUNT), ("n_samples", n_samples, _COUNT), ("n_jobs", n_jobs, _JOBS)):
        if not rule.accepts(value):
            raise ValueError(f"{name}={value!r} is not allowed: it must be {rule.words}.")
    member = _with_path(selector)
    draw = partial(_weights_on_one, member, partial(data, n_samples=n_samples), weights_of)
    tasks = [partial(draw, rng) for rng in generators(random_state, n_sets)]

    def results() -> Iterator[tuple[Array, Array]]:
        for start in range(0, n_sets, _BATCH):
            tick = partial(_report, start, n_sets)
            yield from in_parallel(tasks[start : start + _BATCH], n_jobs, tick)

    found = results()
    relevant, weights = next(found)
    moments = _Moments(relevant, weights, keep)
    moments.add(relevant, weights)
    for relevant, weights in found:
        moments.add(relevant, weights)
    return moments.path()


class _Moments:
    """Sums over training sets, of differences from the first, so that equal weights have exactly no variance."""

    def __init__(self, relevant: Array, first: Array, keep: bool) -> None:
        self.relevant, self.first = relevant, first
        self.n_sets = 0
        self.sum, self.squares, self.present = np.zeros_like(first), np.zeros_like(first), np.zeros_like(first)
        self.kept: list[Array] | None = [] if keep else None

    def add(self, relevant: Array, weights: Array) -> None:
        if not np.array_equal(relevant, self.relevant) or weights.shape != self.first.shape:
            raise ValueError(
                "The training sets have different relevant features, or the selector different numbers of rounds, so "
                "there is no common truth. Let data make the same kind of set every time, and give step and "
                "n_features_to_select as fixed values."
            )
        self.n_sets += 1
        difference = weights - self.first
        self.sum += difference
        self.squares += difference**2
        self.present += weights > 0
        if self.kept is not None:
            self.kept.append(weights)

    def path(self) -> BiasVariancePath:
        truth = np.where(self.relevant, 1.0 / self.relevant.sum(), 0.0)
        shift = self.sum / self.n_sets
        variance = np.maximum(self.squares / self.n_sets - shift**2, 0.0)
        rounds = tuple(_split(m, v, truth) for m, v in zip(self.first + shift, variance, strict=True))
        frequency = self.present / self.n_sets
        weights = None if self.kept is None else np.array(self.kept)
        sizes = self.present.sum(axis=1) / self.n_sets
        return BiasVariancePath(rounds, sizes, frequency, truth, self.n_sets, weights)


def _report(before: int, total: int, done: int) -> None:
    report("Training sets", before + done, total)


def _split(mean: Array, variance: Array, truth: Array | None) -> BiasVariance:
    if truth is None:
        return BiasVariance(float(variance.mean()), None, None, mean, variance, None, None)
    bias = (truth - mean) ** 2
    error = bias + variance
    return BiasVariance(float(variance.mean()), float(bias.mean()), float(error.mean()), mean, variance, bias, error)


def _weights_on_one(
    selector: Any, data: Callable[..., Synthetic], weights_of: Callable[[Any], Any] | None, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Which features are relevant, and the weights of each round, both in the order before the shuffle of columns."""
    made = data(random_state=rng)
    fitted = clone(selector).fit(made.X, made.y)
    found = (_own_weights if weights_of is None else weights_of)(fitted)
    weights = normalised(
        np.nan_to_num(np.atleast_2d(np.asarray(found, dtype=np.float64)), posinf=np.inf, neginf=-np.inf)
    )
    n_features = made.X.shape[1]
    if weights.shape[-1] != n_features:
        raise ValueError(
            f"The selector gives {weights.shape[-1]} weights for {n_features} features. It must weigh every feature; "
            "take it alone, or say with weights_of how to read its weights."
        )
    relevant = np.zeros(n_features, dtype=bool)
    relevant[made.origin[made.relevant]] = True
    in_order = np.empty_like(weights)
    in_order[:, made.origin] = weights
    return relevant, in_order


def _own_weights(fitted: Any) -> Any:
    last = fitted[-1] if isinstance(fitted, Pipeline) else fitted
    for holder in (last, getattr(last, "selector_", last)):
        if hasattr(holder, "weight_path_"):
            return holder.weight_path_
    if not hasattr(last, "scores_"):
        raise ValueError(
            f"{type(last).__name__} has neither weight_path_ nor scores_. Say with weights_of how to read its weights."
        )
    if getattr(last, "_smaller_is_better", False):
        raise ValueError(
            f"Scores of {type(last).__name__} are better the smaller they are, so they are no weights. Say with "
            "weights_of how to turn them around."
        )
    return last.scores_


def _with_path(selector: Any) -> Any:
    """A clone that keeps its weights of every round, if it can."""
    (member,) = members_of(selector)
    inner = member.get_params(deep=False).get("selector")
    if isinstance(inner, str):
        member.set_params(selector=members_of(inner)[0])
    keeping = [name for name in member.get_params() if name.rpartition("__")[2] == "keep_path"]
    return member.set_params(**dict.fromkeys(keeping, True))


def _checked_truth(truth: Any, n_features: int) -> Array:
    given: Array = np.asarray(truth, dtype=np.float64)
    if given.shape != (n_features,):
        raise ValueError(
            f"truth has shape {given.shape}, but there are {n_features} features: one true weight for each."
        )
    _require_finite(given)
    return given


def _numbers(weights: Any) -> Array:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"weights are not a matrix of numbers: {error}. Pass one run per row, all alike.") from error


def _require_finite(weights: Array) -> None:
    if not np.isfinite(weights).all():
        raise DataError(
            "Some weights are NaN or infinite, so they have no mean. Give eliminated features the weight 0; an "
            "infinite score means that a feature separates the classes without error."
        )
