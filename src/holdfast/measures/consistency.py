"""How well features determine the class together, and what one of them adds to that.

A set of features is consistent when samples that agree in all of them are of one class. Every measure here falls, or
stays, as features join, and is 0 for a consistent set (Pino Angulo 2019, §2.2.3, Eq. 3.1, 3.3).
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels import partitions
from holdfast.kernels.information import MAX_LEVELS, log_table
from holdfast.kernels.lazy import TIE
from holdfast.measures.information import as_codes
from holdfast.prepare.codes import Codes

Array = npt.NDArray[Any]

COUNTED = {
    "bayesian-risk": partitions.RISK,
    "conditional-entropy": partitions.ENTROPY,
    "binary": partitions.BINARY,
}


def inconsistency_count(X: Any, y: Any) -> int:
    """How many samples are outside the majority class of those that agree with them in every feature.

    Use it when whole numbers are wanted; over the number of samples it is ``bayesian_risk``.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.

    Returns
    -------
    count : int
        0 for a consistent set.

    Examples
    --------
    >>> inconsistency_count([[0, 0], [0, 1], [1, 0], [0, 0]], [0, 1, 1, 1])
    1
    """
    return _value(X, y, partitions.RISK)


def bayesian_risk(X: Any, y: Any) -> float:
    """Share of samples outside the majority class of those that agree with them in every feature.

    Use it to see how far a set of discrete features is from determining the class. Also called inconsistency rate.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.

    Returns
    -------
    risk : float
        0 for a consistent set; without features, the share of samples outside the largest class.

    Examples
    --------
    >>> bayesian_risk([[0, 0], [0, 1], [1, 0], [0, 0]], [0, 1, 1, 1])
    0.25
    """
    return inconsistency_count(X, y) / as_codes(y).n_samples


def binary_consistency(X: Any, y: Any) -> int:
    """Whether features leave the class undecided: 0 if they determine it, 1 if not.

    Use it as the strictest measure, when only full consistency counts.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.

    Returns
    -------
    inconsistency : int
        0 for a consistent set, 1 for any other.

    Examples
    --------
    >>> binary_consistency([[0], [0], [1]], [0, 1, 1])
    1
    """
    return _value(X, y, partitions.BINARY)


def conditional_entropy(X: Any, y: Any) -> float:
    """How uncertain the class is once all features are known, in bits.

    Use it as a measure that also tells apart sets of equal risk: two samples against one are less certain than nine
    against one.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.

    Returns
    -------
    entropy : float
        0 for a consistent set; without features, the entropy of the class.

    Examples
    --------
    >>> conditional_entropy([[0], [0], [1], [1]], [0, 1, 1, 1])
    0.5
    """
    return _value(X, y, partitions.ENTROPY) / units_in_one(partitions.ENTROPY, as_codes(y).n_samples)


def consistency_contribution(X: Any, y: Any, feature: int) -> float:
    """How much the risk of a set rises when one of its features goes.

    Use it to see which features of a chosen set carry it.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.
    feature : int
        Column of the feature that goes.

    Returns
    -------
    contribution : float
        0 for a feature the others make up for.

    Examples
    --------
    >>> consistency_contribution([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], feature=1)
    0.5
    """
    with_it, without_it = _both(X, y, feature)
    return (without_it - with_it) / as_codes(y).n_samples


def interacts(X: Any, y: Any, feature: int, delta: float = 0.0) -> bool:
    """Whether a feature is what brings a set below a risk.

    Use it to find features that tell nothing alone and everything together.

    Parameters
    ----------
    X : Codes or array-like of shape (n_samples, n_features)
        Discrete features, taken together, the one in question among them.
    y : Codes of one variable or array-like of shape (n_samples,)
        The class.
    feature : int
        Column of the feature in question.
    delta : float, default=0.0
        The risk.

    Returns
    -------
    answer : bool
        True if the risk is at most ``delta`` with the feature and above it without.

    Examples
    --------
    >>> interacts([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], feature=1)
    True
    """
    if not 0.0 <= delta < 1.0:
        raise ValueError(f"delta={delta!r} is not allowed: a risk is a number of at least 0 and below 1.")
    with_it, without_it = _both(X, y, feature)
    return with_it <= most_allowed(delta, as_codes(y).n_samples) < without_it


def theta(relevance: float, risk_without: float, risk: float, delta: float, alpha: float = 0.75) -> float:
    """Cost ϑ of taking a feature away, by its relevance and by the share of the room below ``delta`` that it uses up.

    Use it to see why ASDCC took away one feature before another: it takes the cheapest.

    Parameters
    ----------
    relevance : float
        Symmetrical uncertainty of the feature and the class.
    risk_without : float
        Risk of the set without the feature.
    risk : float
        Risk of the set.
    delta : float
        Largest risk allowed.
    alpha : float, default=0.75
        Weight of the relevance, 0 to 1.

    Returns
    -------
    cost : float
        From 0 to 1 for features that may go.

    Examples
    --------
    >>> theta(0.4, risk_without=0.05, risk=0.0, delta=0.1, alpha=0.5)
    0.45
    """
    room = delta - risk
    return alpha * relevance + ((1.0 - alpha) * (risk_without - risk) / room if room > TIE else 0.0)


def inter_relevance(
    relevance: float,
    risk_without: float,
    risk_of_all: float,
    delta: float,
    least: float,
    most: float,
    alpha: float = 0.5,
) -> float:
    """Cost IR of taking a feature away, both parts on the scale of the whole table.

    Use it to see why SWCFS took away one feature before another: within its window it takes the cheapest.

    Parameters
    ----------
    relevance : float
        Symmetrical uncertainty of the feature and the class.
    risk_without : float
        Risk of the set without the feature.
    risk_of_all : float
        Risk of all features together.
    delta : float
        Largest risk allowed.
    least : float
        Smallest relevance of any feature.
    most : float
        Largest relevance of any feature.
    alpha : float, default=0.5
        Weight of the relevance, 0 to 1.

    Returns
    -------
    cost : float
        From 0 to 1 for features that may go.

    Examples
    --------
    >>> inter_relevance(0.3, risk_without=0.05, risk_of_all=0.0, delta=0.1, least=0.1, most=0.5)
    0.5
    """
    room = delta - risk_of_all
    loss = (risk_without - risk_of_all) / room if room > TIE else risk_without - risk_of_all
    place = (relevance - least) / (most - least) if most - least > TIE else 0.0
    return (1.0 - alpha) * loss + alpha * place


def most_allowed(delta: float, scale: float) -> int:
    """The largest whole number of units that a threshold allows, so many units to one."""
    return int(np.floor(delta * scale + 1e-9))


def units_in_one(kind: int, n_samples: int) -> float:
    """How many units a value is counted in are one of what the measure is said in."""
    return {partitions.RISK: n_samples, partitions.BINARY: 1, partitions.ENTROPY: 1.0 / log_table(n_samples)[1]}[kind]


def _both(X: Any, y: Any, feature: int) -> tuple[int, int]:
    """Counts with and without one feature."""
    levels = _levels_of(X)
    n_features = len(levels)
    feature = index(feature)
    if not -n_features <= feature < n_features:
        raise ValueError(f"feature={feature} but X has {n_features} feature(s), numbered from 0 to {n_features - 1}.")
    return _value_of(levels, y, partitions.RISK), _value_of(np.delete(levels, feature, axis=0), y, partitions.RISK)


def _value(X: Any, y: Any, kind: int) -> int:
    return _value_of(_levels_of(X), y, kind)


def _value_of(levels: Array, y: Any, kind: int) -> int:
    target = as_codes(y)
    n_features, n_samples = levels.shape
    if len(target) != 1:
        raise ValueError(f"y has {len(target)} variables; the class is one.")
    if n_samples != target.n_samples:
        raise ValueError(f"X has {n_samples} samples and y has {target.n_samples}; they must be the same.")
    n_levels = levels.max(axis=1, initial=0).astype(np.int64) + 1
    n_classes = int(target.n_levels[0])
    scratch = partitions.scratch(n_samples, int(n_levels.max(initial=1)), n_classes)
    table, every = log_table(n_samples)[0], np.arange(n_features)
    return int(partitions.value_of(levels, n_levels, target.as_bytes()[0], n_classes, kind, table, every, -1, *scratch))


def _levels_of(X: Any) -> Array:
    """Levels as bytes, one row a feature, of Codes or of a plain table of discrete values, one row a sample."""
    if isinstance(X, Codes):
        return X.as_bytes()
    plain = np.asarray(X)
    if plain.ndim != 2 or len(plain) == 0:
        raise ValueError(
            f"A table of discrete values, one row a sample, is needed, but an array of shape {plain.shape} came."
        )
    if plain.dtype.kind in "iub" and plain.min(initial=0) >= 0 and plain.max(initial=0) < MAX_LEVELS:
        return np.ascontiguousarray(plain.T, dtype=np.uint8)
    return np.array([as_codes(column).as_bytes()[0] for column in plain.T], dtype=np.uint8).reshape(-1, len(plain))
