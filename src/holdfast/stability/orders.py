"""Stability of the order in which features are taken, step by step (Michel 2018, section 3).

Orders are looked at as a list of who enters at which step, so that all sizes together cost no more than one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.stability._orders import Orders, as_orders
from holdfast.stability.nogueira import interval

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class OrderStability:
    """Michel's three measures for every size, and what a colour matrix shows.

    Parameters
    ----------
    sizes : ndarray of shape (n_steps,)
        1, 2, … up to the number of steps.
    entropy : ndarray of shape (n_steps,)
        Effective number of features that compete for each step; 1 if all runs agree.
    pairing : ndarray of shape (n_steps,)
        Agreement beyond chance of the first 1, 2, … features.
    maximum : ndarray of shape (n_steps,)
        Share of runs that take the most frequent feature of each step.
    features : ndarray of shape (n_taken,)
        Names or column numbers of the features that any run takes, those of the earliest steps first.
    colours : ndarray of shape (n_taken, n_steps)
        Share of runs that take each of ``features`` at each step.

    Examples
    --------
    >>> by_size([[0, 1, 2], [0, 2, 1]], n_features=9).features.tolist()
    [0, 1, 2]
    """

    sizes: Array
    entropy: Array
    pairing: Array
    maximum: Array
    features: Array
    colours: Array


@dataclass(frozen=True)
class StabilityBySize:
    """Stability with its confidence interval for every size.

    Parameters
    ----------
    sizes : ndarray of shape (n_steps,)
        1, 2, … up to the number of steps.
    value : ndarray of shape (n_steps,)
        Stability of the first 1, 2, … features; NaN if these are all features.
    low : ndarray of shape (n_steps,)
        Lower ends of the intervals.
    high : ndarray of shape (n_steps,)
        Upper ends of the intervals.
    level : float
        Confidence of each interval by itself.
    n_runs : int
        Number of orders behind them.
    std_error : ndarray of shape (n_steps,)
        Standard errors of the values.

    Examples
    --------
    >>> nogueira_by_size([[0, 1, 2], [0, 2, 1]], n_features=9).sizes.tolist()
    [1, 2, 3]
    """

    sizes: Array
    value: Array
    low: Array
    high: Array
    level: float
    n_runs: int
    std_error: Array


def colour_matrix(orders: Any, *, n_features: int | None = None) -> Array:
    """Share of runs that take each feature at each step.

    Use it to see where runs agree: agreement shows as dark cells, disagreement as pale columns. It says which feature
    is added at a step, not which are held by then. Every column adds up to 1.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.
    n_features : int or None, default=None
        Number of features to choose from; needed for column numbers. Selectors know theirs.

    Returns
    -------
    shares : ndarray of shape (n_features, n_steps)
        A row for each column of the data; for names, a row for each name that occurs, sorted.

    Examples
    --------
    >>> colour_matrix([[0, 1], [0, 2]], n_features=3)
    array([[1. , 0. ],
           [0. , 0.5],
           [0. , 0.5]])
    """
    given = as_orders(orders, n_features)
    if given.names is None:
        total = given.total("colour_matrix")
        places = given.features
    else:
        total, places = len(given.features), np.arange(len(given.features))
    shares = np.zeros((total, given.n_steps))
    shares[places[given.feature], given.step] = given.n_entering / given.n_runs
    return shares


def entropy(orders: Any) -> Array:
    """Effective number of features that compete for each step.

    Use it as a measure of instability. Range: from 1, which means that all runs agree on the step, to the number of
    runs or of features, whichever is smaller. Chance level: near that upper end. Never undefined.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.

    Returns
    -------
    entropy : ndarray of shape (n_steps,)
        Exponential of the entropy of each column of the colour matrix.

    Examples
    --------
    >>> entropy([[0, 1, 2], [0, 2, 1]]).round(6)
    array([1., 2., 2.])
    """
    return _entropy(as_orders(orders))


def pairing(orders: Any, *, n_features: int | None = None, when_all_chosen: float = 0.0) -> Array:
    """Agreement beyond chance of the first 1, 2, … features.

    Use it to see at which size a selection holds; it is ``kuncheva`` of the first features of each order, for every
    size. Range: from -1 to 1; 1 for one order. Chance level: 0. Undefined: all features chosen leave nothing to agree
    on and give ``when_all_chosen``.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.
    n_features : int or None, default=None
        Number of features to choose from; needed unless selectors are given.
    when_all_chosen : float, default=0.0
        The value at the size that takes every feature.

    Returns
    -------
    pairing : ndarray of shape (n_steps,)
        Mean over all pairs of runs, for each size.

    Examples
    --------
    >>> pairing([[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 2, 3], [0, 1, 3, 2]], n_features=4).round(6)
    array([0.333333, 0.5     , 0.333333, 0.      ])
    """
    given = as_orders(orders, n_features)
    return _pairing(given, given.total("pairing"), when_all_chosen)


def maximum(orders: Any) -> Array:
    """Share of runs that take the most frequent feature of each step.

    Use it beside ``entropy``. Range: from 1 / n_runs to 1; 1 if all runs agree on the step. Chance level: near the
    lower end. Never undefined.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.

    Returns
    -------
    maximum : ndarray of shape (n_steps,)
        Largest value of each column of the colour matrix.

    Examples
    --------
    >>> maximum([[0, 1, 2], [0, 2, 1]])
    array([1. , 0.5, 0.5])
    """
    return _maximum(as_orders(orders))


def by_size(orders: Any, *, n_features: int | None = None) -> OrderStability:
    """All that Michel shows of repeated orders, for every size.

    Use it to plot; ``features`` and ``colours`` are the colour matrix without the features that no run takes.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.
    n_features : int or None, default=None
        Number of features to choose from; needed unless selectors are given.

    Returns
    -------
    stability : OrderStability
        With ``sizes``, ``entropy``, ``pairing``, ``maximum``, ``features`` and ``colours``.

    Examples
    --------
    >>> found = by_size([["MYC", "TP53"], ["MYC", "EGFR"]], n_features=100)
    >>> found.features.tolist(), found.maximum.tolist()
    (['MYC', 'EGFR', 'TP53'], [1.0, 0.5])
    """
    given = as_orders(orders, n_features)
    colours = np.zeros((len(given.features), given.n_steps))
    colours[given.feature, given.step] = given.n_entering / given.n_runs
    # A run that does not take a feature counts as one that takes it after the last step.
    earliness = colours @ (given.n_steps - np.arange(given.n_steps))
    rows = np.argsort(-earliness, kind="stable")
    return OrderStability(
        sizes=np.arange(1, given.n_steps + 1),
        entropy=_entropy(given),
        pairing=_pairing(given, given.total("by_size"), 0.0),
        maximum=_maximum(given),
        features=given.labels[rows],
        colours=colours[rows],
    )


def nogueira_by_size(orders: Any, *, n_features: int | None = None, level: float = 0.95) -> StabilityBySize:
    """Stability with a confidence interval of the first 1, 2, … features.

    Use it to choose a size that holds. The values are those of ``pairing``, the intervals those of
    ``nogueira_interval``; each has its level by itself. Undefined: NaN at the size that takes every feature.

    Parameters
    ----------
    orders : array-like of shape (n_runs, n_steps), or list of fitted selectors
        Columns or names in the order in which each run took them; of selectors, their ``indices_``.
    n_features : int or None, default=None
        Number of features to choose from; needed unless selectors are given.
    level : float, default=0.95
        Confidence, between 0 and 1.

    Returns
    -------
    stability : StabilityBySize
        With ``sizes``, ``value``, ``low``, ``high`` and ``std_error`` of each size.

    Examples
    --------
    >>> nogueira_by_size([[0, 1, 2], [0, 2, 1], [0, 1, 3]], n_features=9).value.round(2)
    array([1.  , 0.57, 0.67])
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level={level!r} is no confidence. Pass a number between 0 and 1, such as 0.95.")
    given = as_orders(orders, n_features)
    total = given.total("nogueira_by_size")
    sizes = np.arange(1, given.n_steps + 1)
    value = _pairing(given, total, np.nan)
    spread = _agreement_spread(given)
    scale = sizes * (total - sizes) / total
    std_error = np.full(given.n_steps, np.nan)
    np.divide(2.0 * spread, scale * given.n_runs**2, out=std_error, where=scale > 0)
    low, high = interval(value, std_error, level, given.n_runs)
    return StabilityBySize(sizes, value, low, high, level, given.n_runs, std_error)


def _entropy(given: Orders) -> Array:
    share = given.n_entering / given.n_runs
    return np.exp(np.bincount(given.step, weights=-share * np.log(share), minlength=given.n_steps))


def _maximum(given: Orders) -> Array:
    largest = np.zeros(given.n_steps, dtype=np.int64)
    np.maximum.at(largest, given.step, given.n_entering)
    return largest / given.n_runs


def _pairing(given: Orders, total: int, when_all_chosen: float) -> Array:
    """Runs that enter a feature now pair with those that hold it already, and with each other."""
    new = given.n_entering * given.n_before + given.n_entering * (given.n_entering - 1) // 2
    n_shared = np.cumsum(np.bincount(given.step, weights=new, minlength=given.n_steps))
    n_pairs = given.n_runs * (given.n_runs - 1) / 2
    sizes = np.arange(1.0, given.n_steps + 1)
    agreement = np.full(given.n_steps, float(when_all_chosen))
    above = n_shared * total - n_pairs * sizes**2
    np.divide(above, n_pairs * sizes * (total - sizes), out=agreement, where=sizes < total)
    return agreement


def _agreement_spread(given: Orders) -> Array:
    """For each size, the spread over the runs of how many features a run shares with all runs."""
    holds = np.zeros((len(given.features), given.n_runs), dtype=bool)
    shared = np.zeros(given.n_runs)
    spread = np.empty(given.n_steps)
    bounds = np.searchsorted(given.step, np.arange(given.n_steps + 1))
    everyone = np.arange(given.n_runs)
    for step in range(given.n_steps):
        entering = slice(bounds[step], bounds[step + 1])
        features, n_entering = given.feature[entering], given.n_entering[entering]
        # Runs that hold a feature share it with those that enter it; these share it with all that hold it then.
        shared += n_entering.astype(np.float64) @ holds[features]
        n_holding = np.zeros(len(given.features))
        n_holding[features] = given.n_before[entering] + n_entering
        taken = given.codes[:, step]
        shared += n_holding[taken]
        holds[taken, everyone] = True
        spread[step] = np.linalg.norm(shared - shared.mean())
    return spread
