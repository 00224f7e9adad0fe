"""Entropy and its relatives, from counts, in bits.

Plug-in estimates (Pino Angulo 2019, Eq. 2.2, 2.6, 2.7). A value below 1e-12 is rounding noise and becomes 0, so
that independence is exactly 0. Every function takes Codes of many variables, or one plain array of discrete values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.information import MAX_LEVELS, joint_scratch, log_table, shared_with_others
from holdfast.kernels.lazy import TIE
from holdfast.prepare.codes import Codes, combine

Array = npt.NDArray[Any]


def as_codes(values: Any) -> Codes:
    """Codes of one plain array of discrete values; Codes pass through."""
    if isinstance(values, Codes):
        return values
    plain = np.asarray(values)
    if plain.ndim != 1 or len(plain) == 0:
        raise ValueError(f"One discrete value per sample is needed, but an array of shape {plain.shape} came.")
    distinct, levels = np.unique(plain, return_inverse=True)
    if len(distinct) > MAX_LEVELS:
        raise ValueError(
            f"The variable has {len(distinct)} distinct values; at most {MAX_LEVELS} can be counted. Bin it first, for "
            "example with holdfast.MDLDiscretizer or holdfast.EqualFrequencyDiscretizer."
        )
    return Codes.of(levels.reshape(1, -1))


def _in_bits(units: Array, n_samples: int) -> Array:
    bits: Array = units * log_table(n_samples)[1]
    bits[bits < TIE] = 0.0
    return bits


def _answer(values: Array, asked: Any) -> Any:
    return values if isinstance(asked, Codes) else float(values[0])


def information_with(codes: Codes, other: Codes, candidates: Array | None = None) -> Array:
    """Mutual information of each candidate (all variables, if none are given) with one other variable."""
    whole = log_table(codes.n_samples)[0][-1]
    margins = codes.margins if candidates is None else codes.margins[candidates]
    return _in_bits(whole - margins - other.margins[0] + codes.joint_sums(other, candidates), codes.n_samples)


def information_with_others(codes: Codes) -> Array:
    """Sum of the mutual information of each variable with every other."""
    totals = np.zeros(len(codes))
    table, _ = log_table(codes.n_samples)
    shared_with_others(*codes.arrays, codes.margins, table, joint_scratch(), totals)
    return _in_bits(totals, codes.n_samples)


def information_about_itself(codes: Codes) -> Array:
    """Entropy of each variable."""
    return _in_bits(log_table(codes.n_samples)[0][-1] - codes.margins, codes.n_samples)


def uncertainty_with(codes: Codes, other: Codes, candidates: Array | None = None) -> Array:
    """Symmetrical uncertainty of each candidate (all variables, if none are given) with one other variable."""
    table, unit = log_table(codes.n_samples)
    margins = codes.margins if candidates is None else codes.margins[candidates]
    information = information_with(codes, other, candidates)
    total = ((table[-1] - margins) + (table[-1] - other.margins[0])) * unit
    scaled: Array = np.divide(2.0 * information, total, out=np.zeros_like(information), where=information > 0)
    return scaled


def entropy(x: Any) -> Any:
    """How uncertain a discrete variable is, in bits.

    Use it to see how much a binned feature can tell at most.

    Parameters
    ----------
    x : Codes or array-like of shape (n_samples,)
        The variables, or one.

    Returns
    -------
    entropy : ndarray of shape (n_variables,) or float
        0 for a constant, log2(k) for k levels of equal size.

    Examples
    --------
    >>> entropy([0, 0, 1, 1])
    1.0
    """
    codes = as_codes(x)
    whole = log_table(codes.n_samples)[0][-1]
    return _answer(_in_bits(whole - codes.margins, codes.n_samples), x)


def mutual_information(x: Any, y: Any) -> Any:
    """How much two discrete variables tell about each other, in bits.

    Use it to rank binned features by what they say about the classes; it favours features with many levels.

    Parameters
    ----------
    x : Codes or array-like of shape (n_samples,)
        The variables, or one.
    y : Codes of one variable or array-like of shape (n_samples,)
        The other variable, such as the class.

    Returns
    -------
    information : ndarray of shape (n_variables,) or float
        0 for independent variables.

    Examples
    --------
    >>> mutual_information([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _answer(information_with(as_codes(x), as_codes(y)), x)


def conditional_mutual_information(x: Any, y: Any, given: Any) -> Any:
    """How much two variables tell about each other once a third is known, in bits.

    Use it to see what a feature adds to one already chosen.

    Parameters
    ----------
    x : Codes or array-like of shape (n_samples,)
        The variables, or one.
    y : Codes of one variable or array-like of shape (n_samples,)
        The other variable.
    given : Codes of one variable or array-like of shape (n_samples,)
        The variable that is known.

    Returns
    -------
    information : ndarray of shape (n_variables,) or float
        Above the plain mutual information when x and ``given`` interact.

    Examples
    --------
    >>> conditional_mutual_information([0, 0, 1, 1], [0, 1, 1, 0], given=[0, 1, 0, 1])
    1.0
    """
    codes, other, known = as_codes(x), as_codes(y), as_codes(given)
    both = combine(known, other)
    # I(X;Y|Z) = H(X,Z) + H(Y,Z) - H(X,Y,Z) - H(Z)
    units = -codes.joint_sums(known) - both.margins[0] + codes.joint_sums(both) + known.margins[0]
    return _answer(_in_bits(units, codes.n_samples), x)


def symmetrical_uncertainty(x: Any, y: Any) -> Any:
    """Mutual information on a scale from 0 to 1: 2·I(x;y) / (H(x) + H(y)).

    Use it to compare features that have different numbers of levels.

    Parameters
    ----------
    x : Codes or array-like of shape (n_samples,)
        The variables, or one.
    y : Codes of one variable or array-like of shape (n_samples,)
        The other variable.

    Returns
    -------
    uncertainty : ndarray of shape (n_variables,) or float
        0 for independent variables, 1 when each determines the other, 0 when both are constant.

    Examples
    --------
    >>> symmetrical_uncertainty([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """
    return _answer(uncertainty_with(as_codes(x), as_codes(y)), x)
