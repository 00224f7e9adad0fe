"""Distance correlation of features, alone or together, with classes or with a measured target."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.measures._distances import (
    BIASED,
    SQUARED,
    UNBIASED,
    Dependence,
    Distances,
    SubsetDistances,
    check_fewest,
)
from holdfast.measures._values import checked_values

Array = npt.NDArray[Any]


def distance_correlation(
    X: Any,
    y: Any,
    unbiased: bool = False,
    *,
    subsets: Any = None,
    feature_weights: Any = None,
    y_is: str = "auto",
    squared: bool = False,
) -> Any:
    """How far features, each alone or some together, depend on y in any way, not just along a line.

    Use it for features whose effect is not monotone, and for sets of features, which it judges as one. Features judged
    together must be in comparable units; each alone, the unit does not matter.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples,)
        Measured values, none missing.
    y : array-like of shape (n_samples,)
        Classes, which are all equally far apart (as one column of 0 and 1 for each class makes them), or numbers.
    unbiased : bool, default=False
        Correct for the bias that grows with the number of features (U-centred). The index is then an estimate of the
        square, may be negative, and needs four samples.
    subsets : None, "all", list of lists or bool array of shape (n_subsets, n_features), default=None
        Sets of features to judge together, by column; "all" for all of them as one set. None judges each alone, at the
        cost of sorting it.
    feature_weights : array-like of shape (n_features,), default=None
        How much the squared difference of each feature counts in a set; a feature alone has the same index with any
        weight above 0.
    y_is : {"auto", "classes", "numbers"}, default="auto"
        What y holds. "auto" takes words, True and False, and whole numbers for classes.
    squared : bool, default=False
        Leave the root of the biased index out.

    Returns
    -------
    index : ndarray of shape (n_features,) or (n_subsets,), or float
        From 0 to 1, unbiased from -1 to 1; 0 for constants and empty sets. A float for a single feature of one
        dimension, and for "all".

    Examples
    --------
    >>> X = [[0, 2], [1, 0], [3, 1], [4, 5], [8, 4]]
    >>> distance_correlation(X, [0, 0, 0, 1, 1]).round(6)
    array([0.823651, 0.944545])
    >>> round(distance_correlation(X, [0, 0, 0, 1, 1], unbiased=True, subsets="all"), 6)
    0.908696
    """
    values, target, kind = checked_values(X, y, y_is)
    index = UNBIASED if unbiased else SQUARED if squared else BIASED
    if unbiased and squared:
        raise ValueError("squared=True goes with the biased index; the unbiased one is on that scale already.")
    check_fewest(len(values), index)
    weights = _checked_weights(feature_weights, values.shape[1])
    if subsets is None:
        answer = Distances(target, kind).each(values, index)
        answer[weights == 0] = 0.0
        return float(answer[0]) if np.ndim(X) == 1 else answer
    lists = _as_lists(subsets, values.shape[1])
    distances = SubsetDistances(values * np.sqrt(weights), target, kind, index)
    answer = distances.of_lists(lists)
    return float(answer[0]) if isinstance(subsets, str) else answer


def distance_dependence(X: Any, y: Any, *, y_is: str = "auto") -> Dependence:
    """Test of every feature for any dependence on y.

    Use it to drop, before a search, the features that give no sign of having to do with y. The test is conservative,
    and its p-values are valid up to 0.215 only.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Measured values, none missing.
    y : array-like of shape (n_samples,)
        Classes, or numbers.
    y_is : {"auto", "classes", "numbers"}, default="auto"
        What y holds. "auto" takes words, True and False, and whole numbers for classes.

    Returns
    -------
    dependence : Dependence
        With ``statistic`` and ``p_value``, each of shape (n_features,); 0 and 1 for a constant feature.

    Examples
    --------
    >>> found = distance_dependence([[0, 2], [1, 0], [3, 1], [4, 5], [8, 4]], [0, 0, 0, 1, 1])
    >>> found.statistic.round(7), found.p_value.round(5)
    (array([2.3684211, 3.2371795]), array([0.12381, 0.07198]))
    """
    values, target, kind = checked_values(X, y, y_is)
    return Distances(target, kind).dependence(values)


def _checked_weights(weights: Any, n_features: int) -> Array:
    if weights is None:
        return np.ones(n_features)
    checked: Array = np.asarray(weights, dtype=np.float64)
    if checked.shape != (n_features,) or not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError(
            f"feature_weights must be {n_features} numbers of at least 0, one a feature; got the shape {checked.shape}"
            + ("." if checked.shape != (n_features,) else " with negative or infinite ones.")
        )
    # Only their proportions count.
    return checked / (checked.max(initial=0.0) or 1.0)


def _as_lists(subsets: Any, n_features: int) -> list[Array]:
    if isinstance(subsets, str):
        if subsets != "all":
            raise ValueError(
                f"subsets={subsets!r} is not allowed: it must be None, 'all' or a list of lists of columns."
            )
        return [np.arange(n_features)]
    try:
        return [_columns_of(subset, n_features) for subset in subsets]
    except TypeError:
        raise ValueError(
            f"subsets={subsets!r} is not allowed: it must be None, 'all' or a list of lists of columns."
        ) from None


def _columns_of(subset: Any, n_features: int) -> Array:
    """Columns of one set, ascending, given as numbers or as a mask."""
    given = np.asarray(list(subset))
    if given.dtype == bool:
        if given.shape != (n_features,):
            raise ValueError(f"A mask in subsets has {given.size} values, but X has {n_features} features.")
        return np.flatnonzero(given)
    if given.size and (given.ndim != 1 or given.dtype.kind not in "iu"):
        raise ValueError(f"subsets holds {given[:3].tolist()}, but a set is a list of column numbers or a mask.")
    columns = np.unique(given.astype(np.int64))
    outside = columns[(columns < 0) | (columns >= n_features)]
    if len(outside):
        raise ValueError(f"subsets names column {outside[0]}, but X has {n_features}.")
    if len(columns) < len(given) and n_features == len(given) and set(columns) <= {0, 1}:
        raise ValueError("subsets holds a row of 0 and 1 for all features. If it is a mask, make it True and False.")
    return columns
