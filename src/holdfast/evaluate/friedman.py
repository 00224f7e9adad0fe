"""Friedman's test of several methods over blocks, with the differences of mean ranks that matter.

Friedman 1937, corrected for ties; F: Iman and Davenport 1980; all pairs: Nemenyi 1963; against a control: Dunn 1961. As
put together by Demsar 2006, section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2, f, norm, rankdata, studentized_range

from holdfast._errors import DataError
from holdfast._parameters import Rule, nearest, real_number

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class FriedmanResult:
    """What Friedman's test says about several methods.

    Use ``friedman`` to make one; read ``f_p_value`` first, and the differences only where it is small.

    Parameters
    ----------
    methods : tuple of str
        Names, in the order of the columns.
    mean_ranks : tuple of float
        Mean rank of each method over the blocks; 1 is best.
    n_blocks : int
        Data sets or splits the methods were ranked on.
    level : float
        Chance of a false alarm that the differences allow.
    control : str
        Method the others are compared with.
    statistic : float
        Friedman's χ² of ``len(methods) - 1`` degrees of freedom, corrected for ties.
    tie_correction : float
        What the uncorrected χ² was divided by; 1 without ties, 0 if all methods tie in every block.
    p_value : float
        Chance of a χ² at least as large among equal methods.
    f_statistic : float
        F of Iman and Davenport, less cautious than χ²; infinite if every block ranks the methods alike.
    f_p_value : float
        Chance of an F at least as large among equal methods.
    nemenyi_difference : float
        Two methods differ if their mean ranks are at least this far apart (all pairs; Nemenyi).
    bonferroni_dunn_difference : float
        A method differs from the control if their mean ranks are at least this far apart (Bonferroni-Dunn).
    groups : tuple of tuple of str
        Largest sets of two or more methods of which no two differ by Nemenyi; best first, in the groups and among them.

    Examples
    --------
    >>> from holdfast.evaluate.friedman import friedman
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.6, 0.7], [0.9, 0.8, 0.7]])
    >>> result.different_from("m1")
    ('m3',)
    """

    methods: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n_blocks: int
    level: float
    control: str
    statistic: float
    tie_correction: float
    p_value: float
    f_statistic: float
    f_p_value: float
    nemenyi_difference: float
    bonferroni_dunn_difference: float
    groups: tuple[tuple[str, ...], ...]

    def different_from(self, control: str | None = None) -> tuple[str, ...]:
        """Methods that differ from a control by Bonferroni-Dunn.

        Parameters
        ----------
        control : str, default=None
            Name of a method; None takes the control of the test.

        Returns
        -------
        different : tuple of str
            Better or worse than the control; best first.
        """
        rank = dict(zip(self.methods, self.mean_ranks, strict=True))
        own = rank[_control(self.control if control is None else control, self.methods)]
        return tuple(
            name
            for name in sorted(self.methods, key=lambda name: rank[name])
            if abs(rank[name] - own) >= self.bonferroni_dunn_difference
        )


def friedman(
    values: Any,
    methods: Sequence[str] | None = None,
    *,
    larger_is_better: bool = True,
    level: float = 0.05,
    control: str | None = None,
) -> FriedmanResult:
    """Test whether several methods are equally good over the same blocks.

    Use it for methods compared on several data sets. Splits of one data set may be blocks too, but they share samples,
    so the p-values are then too small.

    Parameters
    ----------
    values : array-like of shape (n_blocks, n_methods)
        One value per block and method, such as an accuracy; at least two of each.
    methods : sequence of str, default=None
        Names of the methods; None takes the column names of a data frame, or "m1", "m2" and so on.
    larger_is_better : bool, default=True
        Whether the largest value of a block gets rank 1. Equal values share the mean of their ranks.
    level : float, default=0.05
        Chance of a false alarm that the critical differences allow.
    control : str, default=None
        Method to compare the others with; None takes the one of the best mean rank.

    Returns
    -------
    result : FriedmanResult
        Mean ranks, both tests, both critical differences and the groups of methods that do not differ.

    Examples
    --------
    >>> from holdfast.evaluate.friedman import friedman
    >>> values = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.6, 0.7], [0.9, 0.8, 0.7]]
    >>> result = friedman(values, ["mrmr", "cfs", "relieff"])
    >>> result.mean_ranks, result.statistic, round(result.p_value, 4)
    ((1.0, 2.25, 2.75), 6.5, 0.0388)
    >>> result.groups
    (('mrmr', 'cfs'), ('cfs', 'relieff'))
    """
    table, names = checked_table(values, methods)
    check_level(level)
    n, k = table.shape
    # Values equal to 12 decimals are ties: rounding must not rank.
    ranks = rankdata(np.round(-table if larger_is_better else table, 12), axis=1)
    # Ranks are multiples of one half, so both sums are exact, and so are their extremes.
    spread = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    most = float((ranks**2).sum() - n * k * (k + 1) ** 2 / 4)
    statistic = (k - 1) * spread / most if most else 0.0
    f_statistic = _iman_davenport(spread, most, n)
    mean_ranks = tuple((ranks.sum(axis=0) / n).tolist())
    step = sqrt(k * (k + 1) / (6 * n))
    nemenyi = float(studentized_range.ppf(1 - level, k, np.inf)) / sqrt(2) * step
    best = names[int(np.argmin(mean_ranks))]
    return FriedmanResult(
        methods=names,
        mean_ranks=mean_ranks,
        n_blocks=n,
        level=float(level),
        control=best if control is None else _control(control, names),
        statistic=statistic,
        tie_correction=most / (n * k * (k * k - 1) / 12),
        p_value=float(chi2.sf(statistic, k - 1)),
        f_statistic=f_statistic,
        f_p_value=float(f.sf(f_statistic, k - 1, (k - 1) * (n - 1))),
        nemenyi_difference=nemenyi,
        bonferroni_dunn_difference=float(norm.isf(level / (2 * (k - 1)))) * step,
        groups=_groups(names, mean_ranks, nemenyi),
    )


def _iman_davenport(spread: float, most: float, n_blocks: int) -> float:
    """F of the ranks: (n - 1) χ² / (n (k - 1) - χ²) with χ² = (k - 1) spread / most."""
    if not spread:
        return 0.0
    rest = n_blocks * most - spread
    return (n_blocks - 1) * spread / rest if rest else inf


def _groups(names: tuple[str, ...], mean_ranks: tuple[float, ...], apart: float) -> tuple[tuple[str, ...], ...]:
    """Every run of methods, in the order of their ranks, that is closer than ``apart`` and part of no longer run."""
    order = sorted(range(len(names)), key=lambda i: mean_ranks[i])
    groups, reached = [], 0
    for start in range(len(order)):
        stop = start
        while stop < len(order) and mean_ranks[order[stop]] - mean_ranks[order[start]] < apart:
            stop += 1
        if stop > reached and stop - start > 1:
            groups.append(tuple(names[i] for i in order[start:stop]))
        reached = max(reached, stop)
    return tuple(groups)


def checked_table(values: Any, methods: Sequence[str] | None) -> tuple[Array, tuple[str, ...]]:
    """Blocks by methods as numbers, and the names of the methods."""
    table = np.asarray(values, dtype=float)
    if table.ndim != 2 or min(table.shape) < 2:
        raise DataError(
            f"values has the shape {table.shape}, but at least two blocks (rows) and two methods (columns) are needed."
        )
    if not np.isfinite(table).all():
        block, method = np.argwhere(~np.isfinite(table))[0].tolist()
        raise DataError(
            f"values has {int((~np.isfinite(table)).sum())} missing or infinite entries, the first in row {block}, "
            f"column {method}. Leave out the blocks (rows) in which a method has no value."
        )
    if methods is None:
        methods = getattr(values, "columns", [f"m{i + 1}" for i in range(table.shape[1])])
    names = tuple(str(name) for name in methods)
    if len(names) != table.shape[1] or len(set(names)) != len(names):
        raise ValueError(f"methods={list(names)} must be {table.shape[1]} different names, one per column of values.")
    return table, names


_LEVEL: Rule = real_number(above=0, at_most=0.5)


def check_level(level: Any) -> None:
    """Refuse what is no chance of a false alarm, above all the confidence 0.95."""
    if not _LEVEL.accepts(level):
        raise ValueError(f"level={level!r} is not allowed: it must be {_LEVEL.words}, such as 0.05.")


def _control(control: str, methods: tuple[str, ...]) -> str:
    if control not in methods:
        near = nearest(str(control), methods)
        raise ValueError(f"control={control!r} is none of the methods. Pass one of {', '.join(near or methods)}.")
    return control
