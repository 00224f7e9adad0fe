"""Wilcoxon's signed-rank test of every pair of methods, and Holm's correction for testing many.

Wilcoxon 1945, zero differences as in Pratt 1959; Holm 1979.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata, wilcoxon

from holdfast.evaluate.friedman import checked_table

Array = npt.NDArray[Any]

# Values of which more digits agree than a double carries after a few operations are the same value.
_SAME = 1e-12
_MOST_EXACT = 100


@dataclass(frozen=True)
class PairResult:
    """What Wilcoxon's test says about two of several methods.

    Use ``wilcoxon_holm`` to make one for each pair.

    Parameters
    ----------
    a : str
        One method.
    b : str
        The other.
    difference : float
        Mean over the blocks of the value of A less that of B.
    statistic : float
        The smaller of the sums of ranks for A and for B.
    p_value : float
        Chance of a statistic at least as small for two equal methods.
    p_holm : float
        The same, corrected for the number of pairs.

    Examples
    --------
    >>> from holdfast.evaluate.pairs import wilcoxon_holm
    >>> (pair,) = wilcoxon_holm([[9, 8], [8, 6], [9, 6], [9, 5], [8, 3]], ["mrmr", "cfs"])
    >>> pair.a, pair.b, pair.difference, pair.p_value
    ('mrmr', 'cfs', 3.0, 0.0625)
    """

    a: str
    b: str
    difference: float
    statistic: float
    p_value: float
    p_holm: float


def wilcoxon_holm(values: Any, methods: Sequence[str] | None = None) -> list[PairResult]:
    """Test every pair of methods over the same blocks.

    Use it after ``friedman`` to say which methods differ, or for two methods. Splits of one data set share samples, so
    the p-values are then too small.

    Parameters
    ----------
    values : array-like of shape (n_blocks, n_methods)
        One value per block and method, such as an accuracy; at least two of each.
    methods : sequence of str, default=None
        Names of the methods; None takes the column names of a data frame, or "m1", "m2" and so on.

    Returns
    -------
    pairs : list of PairResult
        Every pair once, in the order of the columns. Blocks without a difference are ranked and then left out (Pratt);
        without any difference the p-value is 1. With up to 100 differing blocks the p-values are exact, ties included,
        and from the normal approximation beyond.

    Examples
    --------
    >>> from holdfast.evaluate.pairs import wilcoxon_holm
    >>> values = [[9, 8, 7], [8, 6, 7], [9, 6, 6], [9, 5, 5], [8, 3, 4], [9, 2, 3]]
    >>> for pair in wilcoxon_holm(values, ["mrmr", "cfs", "relieff"]):
    ...     print(pair.a, pair.b, pair.p_value, pair.p_holm)
    mrmr cfs 0.03125 0.09375
    mrmr relieff 0.03125 0.09375
    cfs relieff 0.625 0.625
    """
    table, names = checked_table(values, methods)
    pairs = list(combinations(range(len(names)), 2))
    tests = [_signed_ranks(table[:, i], table[:, j]) for i, j in pairs]
    corrected = holm([p for _, p in tests]).tolist()
    return [
        PairResult(names[i], names[j], float((table[:, i] - table[:, j]).mean()), statistic, p, p_holm)
        for (i, j), (statistic, p), p_holm in zip(pairs, tests, corrected, strict=True)
    ]


def holm(p_values: Any) -> Array:
    """Correct p-values for the number of tests.

    Use it when several tests are read together: the chance of any false alarm among those below a level then stays
    below that level, however the tests depend on each other.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        NaN for a test that could not be done; it stays NaN and does not count.

    Returns
    -------
    corrected : ndarray of shape (n_tests,)
        In the same order, at least as large, and at most 1.

    Examples
    --------
    >>> from holdfast.evaluate.pairs import holm
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    if p.ndim != 1 or not (np.isnan(p) | ((p >= 0) & (p <= 1))).all():
        raise ValueError("p_values must be a list of numbers from 0 to 1, or NaN for a test that could not be done.")
    corrected = np.full(len(p), np.nan)
    done = np.flatnonzero(~np.isnan(p))
    order = done[np.argsort(p[done], kind="stable")]
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)))
    return corrected


def _signed_ranks(a: Array, b: Array) -> tuple[float, float]:
    size, sign = _ordered_sizes(a, b)
    ranks, differs = rankdata(size), sign != 0
    statistic = float(min(ranks[sign > 0].sum(), ranks[sign < 0].sum()))
    if not differs.any():
        return statistic, 1.0
    if differs.sum() > _MOST_EXACT:
        return statistic, float(wilcoxon(sign * size, zero_method="pratt", correction=True).pvalue)
    # Twice the ranks are whole numbers, so sums of ranks are places in a list of their chances under random signs.
    steps = (2 * ranks[differs]).astype(np.int64)
    chance = np.zeros(steps.sum() + 1)
    chance[0] = 1.0
    for step in steps.tolist():
        chance[step:] += chance[:-step]
        chance /= 2
    return statistic, min(1.0, 2 * float(chance[: int(2 * statistic) + 1].sum()))


def _ordered_sizes(a: Array, b: Array) -> tuple[Array, Array]:
    """Differences as 0, 1, 2, ... by their size, and their signs; 0.9 - 0.8 and 0.8 - 0.7 are of one size."""
    difference = a - b
    doubt = _SAME * np.maximum(np.abs(a), np.abs(b))
    sign = np.where(np.abs(difference) <= doubt, 0.0, np.sign(difference))
    size = np.where(sign == 0, 0.0, np.abs(difference))
    order = np.argsort(size, kind="stable")
    is_new = (sign[order] != 0) & (np.diff(size[order], prepend=0.0) > doubt[order])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(is_new)
    return number, sign
