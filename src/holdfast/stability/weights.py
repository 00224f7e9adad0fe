"""How far weights or ranks of features agree between runs (Ben Brahim 2015, eqs 1.26 and 1.27; Han 2012, 3.1.2)."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.stability._runs import per_feature

Array = npt.NDArray[Any]

_CELLS_AT_ONCE = 2**20


def pearson(weights: Any) -> float:
    """Correlation of the weights of features, averaged over all pairs of runs.

    Use it when weights mean something by their size, such as coefficients. Range: from -1 to 1; 1 for weights that are
    equal up to scale and shift. Chance level: 0. Undefined: NaN if any run gives all features one weight.

    Parameters
    ----------
    weights : array-like of shape (n_runs, n_features), or list of fitted selectors
        One weight per feature and run; of selectors, their ``scores_``.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> round(pearson([[3.0, 2.0, 1.0], [6.0, 4.0, 2.0]]), 6)
    1.0
    """
    return _mean_correlation(_finite(weights), as_ranks=False)


def spearman(weights: Any) -> float:
    """Correlation of the ranks of features, averaged over all pairs of runs.

    Use it when only the order of the features counts. Equal values share their mean rank; infinite ones are first or
    last. Range: from -1 to 1; 1 for one order. Chance level: 0. Undefined: NaN if any run ranks all features alike.

    Parameters
    ----------
    weights : array-like of shape (n_runs, n_features), or list of fitted selectors
        One rank or weight per feature and run, in one direction for all runs; of selectors, their ``ranking_``, or
        their ``scores_`` if any of them has no ranks.

    Returns
    -------
    stability : float
        Mean over all pairs of runs.

    Examples
    --------
    >>> round(spearman([[1, 2, 3, 4], [2, 1, 3, 4]]), 6)
    0.8
    """
    return _mean_correlation(_without_missing(weights, "ranking_", "scores_"), as_ranks=True)


def pairwise_weights(weights: Any, *, index: str = "pearson") -> Array:
    """Correlation of the weights or ranks of every run with every other, for heat maps.

    Use it to see which runs, or which methods, think alike.

    Parameters
    ----------
    weights : array-like of shape (n_runs, n_features), or list of fitted selectors
        As for ``pearson`` and ``spearman``.
    index : str, default="pearson"
        "pearson" or "spearman".

    Returns
    -------
    agreement : ndarray of shape (n_runs, n_runs)
        Correlation of each pair; NaN for a run that gives all features one value.

    Examples
    --------
    >>> pairwise_weights([[1, 2, 3, 4], [2, 1, 3, 4]], index="spearman").round(6)
    array([[1. , 0.8],
           [0.8, 1. ]])
    """
    if index not in ("pearson", "spearman"):
        raise ValueError(f"index={index!r} is not known. Pass 'pearson' or 'spearman'.")
    as_ranks = index == "spearman"
    values = _without_missing(weights, "ranking_", "scores_") if as_ranks else _finite(weights)
    rows = np.concatenate([_unit_rows(block, as_ranks) for block in _blocks(values)])
    agreement: Array = np.clip(rows @ rows.T, -1.0, 1.0)
    return agreement


def average_variance(weights: Any) -> float:
    """Variance of each feature's weight over the runs, averaged over the features.

    Use it to compare methods whose weights are on one scale, such as weights that add up to 1. Range: from 0, which
    means the same weights in all runs, without an upper end. Chance level: none; it depends on the scale. Never
    undefined. The divisor is the number of runs, as in the decomposition of the error into bias and variance.

    Parameters
    ----------
    weights : array-like of shape (n_runs, n_features), or list of fitted selectors
        One weight per feature and run; 0 for features that were dropped. Of selectors, their ``scores_``.

    Returns
    -------
    instability : float
        Smaller means more stable.

    Examples
    --------
    >>> round(average_variance([[0.6, 0.4, 0.0], [0.4, 0.5, 0.1], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]), 6)
    0.01
    """
    values = _finite(weights)
    n_columns = max(1, _CELLS_AT_ONCE // len(values))
    blocks = (values[:, start : start + n_columns] for start in range(0, values.shape[1], n_columns))
    return float(np.concatenate([block.var(axis=0) for block in blocks]).mean())


def _finite(weights: Any) -> Array:
    values = _without_missing(weights, "scores_")
    is_infinite = np.isinf(values)
    if is_infinite.any():
        run, feature = np.argwhere(is_infinite)[0]
        raise ValueError(
            f"Run {run} gives feature {feature} an infinite weight, as selectors do for constant features. Leave out "
            "the features that any run has as infinite, give them a weight such as 0, or use spearman."
        )
    return values


def _without_missing(weights: Any, *attributes: str) -> Array:
    """A matrix of numbers, one run per row."""
    values = _read(weights, attributes)
    if len(values) < 2:
        raise ValueError(f"{len(values)} run cannot be compared with itself: at least 2 runs are needed.")
    is_missing = np.isnan(values)
    if is_missing.any():
        run, feature = np.argwhere(is_missing)[0]
        raise ValueError(
            f"Run {run} has no weight for feature {feature} (NaN). Give every feature a weight, such as 0 for one that "
            "was dropped; of selectors that score only what they choose, use spearman, which reads their ranks."
        )
    return values


def _read(weights: Any, attributes: tuple[str, ...]) -> Array:
    if isinstance(weights, (list, tuple)) and len(weights) and hasattr(weights[0], "get_support"):
        for attribute in attributes:
            if all(hasattr(selector, attribute) for selector in weights):
                return per_feature(weights, attrgetter(attribute))[0].astype(np.float64)
        raise ValueError(
            f"Not all of the selectors have {' or '.join(attributes)}. "
            "Fit them first, or pass the weights as a matrix with one run per row."
        )
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"weights cannot be read as numbers with one run per row and one column per feature ({error})."
        ) from error
    if values.ndim != 2 or values.shape[1] == 0:
        raise ValueError(f"weights has the shape {values.shape}; it must be (n_runs, n_features).")
    return values


def _blocks(values: Array) -> list[Array]:
    """A few runs at a time, so that little memory is needed beside the weights themselves."""
    n_rows = max(1, _CELLS_AT_ONCE // values.shape[1])
    return [values[start : start + n_rows] for start in range(0, len(values), n_rows)]


def _unit_rows(values: Array, as_ranks: bool) -> Array:
    """Rows of mean 0 and length 1; NaN where all values are equal."""
    if as_ranks:
        values = np.array([_mean_ranks(row) for row in values])
    largest = np.abs(values).max(axis=1, keepdims=True)
    is_constant = values.max(axis=1) == values.min(axis=1)
    # Divided by the largest first, so that squares neither overflow nor vanish.
    rows: Array = values / np.where(largest > 0.0, largest, 1.0)
    rows -= rows.mean(axis=1, keepdims=True)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    length[is_constant] = np.nan
    rows /= length
    return rows


def _mean_ranks(row: Array) -> Array:
    """Rank of each value; equal values share the mean of their ranks."""
    order = np.argsort(row)
    in_order = row[order]
    starts = np.flatnonzero(np.r_[True, in_order[1:] != in_order[:-1]])
    n_equal = np.diff(np.r_[starts, len(row)])
    ranks = np.empty(len(row))
    ranks[order] = np.repeat(starts + (n_equal + 1) / 2, n_equal)
    return ranks


def _mean_correlation(values: Array, *, as_ranks: bool) -> float:
    """Mean over all pairs from the sum of all rows: its squared length adds up the products of all pairs."""
    n_runs = len(values)
    together = np.zeros(values.shape[1])
    for block in _blocks(values):
        together += _unit_rows(block, as_ranks).sum(axis=0)
    mean = (float(together @ together) - n_runs) / (n_runs * (n_runs - 1))
    return float(np.clip(mean, -1.0, 1.0))
