"""What searches by distance correlation cost as features, populations and bins grow (Hosseini 2018, §4.7, Fig. 4.3)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._errors import NothingSelected
from holdfast._parameters import seed, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast.data import Table
from holdfast.data._wording import counted
from holdfast.evaluate._sets import require, table_for
from holdfast.selectors._base import refuse_unusable
from holdfast.selectors.distance import D2CORFS, DCORFS

Array = npt.NDArray[Any]

BIN_SIZES = (10, 20, 40, 80, 160, 320)
ITERATIONS = (25, 50, 100, 200)
TABLE_SIZES = (500, 1000, 2000, 4000)
BINS = (1, 2, 5, 10, 20, 50, 100, 200)
_ALLOWED = {"n_repeats": whole_number(at_least=1), "random_state": seed()}


@dataclass(frozen=True, eq=False)
class SearchCosts:
    """Time and evaluations of a search, over numbers of features and levels of one setting.

    Use ``search_cost`` or ``bin_cost`` to make one, and ``report.cost_curves`` to see it.

    Parameters
    ----------
    selector : str
        What was timed.
    setting : {"n_iterations", "n_bins"}
        What was varied beside the number of features.
    n_features : tuple of int
        Numbers of features.
    levels : tuple of int
        Values of the setting.
    seconds : ndarray of shape (n_sizes, n_levels, n_repeats)
        Time of each search, which is that of this machine.
    evaluations : ndarray of shape (n_sizes, n_levels, n_repeats)
        Sets judged, each once, which is the same on every machine; with those that put the result in order.
    steps : ndarray of shape (n_sizes, n_levels, n_repeats)
        Populations drawn, or rounds worked on.
    bound : ndarray of shape (n_sizes, n_levels)
        Sets that can be drawn at most: populations times sets in each, for ``bin_cost`` times bins and rounds. NaN
        where bins are searched by something that draws no sets.
    n_samples : int
        Samples of the table.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import search_cost
    >>> made = copies(n_samples=30, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = search_cost(made.X, made.y, n_features=[5, 10], n_iterations=[3], n_repeats=2)
    >>> result.evaluations.shape, result.bound.tolist()
    ((2, 1, 2), [[300.0], [300.0]])
    """

    selector: str
    setting: str
    n_features: tuple[int, ...]
    levels: tuple[int, ...]
    seconds: Array
    evaluations: Array
    steps: Array
    bound: Array
    n_samples: int

    def table(self) -> list[dict[str, Any]]:
        """One row for each number of features and level of the setting, with means over the repeats."""
        steps = "populations" if self.setting == "n_iterations" else "rounds"
        return [
            {
                "n_features": size,
                self.setting: level,
                "seconds": float(self.seconds[i, j].mean()),
                "evaluations": float(self.evaluations[i, j].mean()),
                steps: float(self.steps[i, j].mean()),
                "bound": float(self.bound[i, j]),
            }
            for i, size in enumerate(self.n_features)
            for j, level in enumerate(self.levels)
        ]


def search_cost(
    X: Any,
    y: Any = None,
    *,
    n_features: Sequence[int] | None = None,
    n_iterations: Sequence[int] = ITERATIONS,
    selector: Any = None,
    n_repeats: int = 3,
    random_state: Any = 0,
) -> SearchCosts:
    """What DCORFS costs by the number of features, for several numbers of iterations.

    Use it to choose the size of bins: cost rises with the features, until the iterations end the search before it has
    come to rest.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The samples; features are drawn from it anew in every repeat.
    y : array-like of shape (n_samples,), default=None
        The classes; a Table brings its own.
    n_features : list of int or None, default=None
        Numbers of features to search among; None for 10, 20, 40, 80, 160 and 320, as far as X has so many.
    n_iterations : list of int, default=(25, 50, 100, 200)
        Populations at most.
    selector : DCORFS or None, default=None
        The search; None for one without a test of features beforehand, so that all take part.
    n_repeats : int, default=3
        Searches for each number of features and iterations.
    random_state : int, Generator or None, default=0
        Seed; the features and draws of repeat r depend on it and on r only, and are the same for all iterations.

    Returns
    -------
    result : SearchCosts
        Seconds and evaluations; ``result.table()`` has their means as rows.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import search_cost
    >>> made = copies(n_samples=30, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = search_cost(made.X, made.y, n_features=[5, 20], n_iterations=[2, 50], n_repeats=2)
    >>> few, many = result.table()[:2]
    >>> few["evaluations"] <= few["bound"], few["populations"], many["populations"] > 2
    (True, 2.0, True)
    """
    timed = DCORFS(confidence=None) if selector is None else selector
    _require_kind(timed, DCORFS, "DCORFS", "bin_cost")

    def most_drawn(fitted: Any) -> float:
        return float(fitted.n_iterations * fitted.n_subsets)

    return _costs(
        _Timing("search_cost", timed, "n_iterations", "n_iterations_", most_drawn, {"n_iterations": 1}),
        table_for("search_cost", X, y, None),
        _sizes(n_features, BIN_SIZES),
        _levels(n_iterations, "n_iterations"),
        n_repeats,
        random_state,
    )


def bin_cost(
    X: Any,
    y: Any = None,
    *,
    n_features: Sequence[int] | None = None,
    n_bins: Sequence[int] = BINS,
    selector: Any = None,
    n_repeats: int = 3,
    random_state: Any = 0,
) -> SearchCosts:
    """What D2CORFS costs by the number of features and of bins.

    Use it to choose the number of bins: the search of a small bin comes to rest sooner, but there are more of them, in
    more rounds. A single bin agrees with itself and so has one round.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The samples; features are drawn from it anew in every repeat.
    y : array-like of shape (n_samples,), default=None
        The classes; a Table brings its own.
    n_features : list of int or None, default=None
        Numbers of features to search among; None for 500, 1000, 2000 and 4000, as far as X has so many.
    n_bins : list of int, default=(1, 2, 5, 10, 20, 50, 100, 200)
        Numbers of bins; of fewer features each has a bin of its own.
    selector : D2CORFS or None, default=None
        The search; None for one without a test of features beforehand, so that all take part.
    n_repeats : int, default=3
        Searches for each number of features and bins.
    random_state : int, Generator or None, default=0
        Seed; the features and draws of repeat r depend on it and on r only, and are the same for all bins.

    Returns
    -------
    result : SearchCosts
        Seconds and evaluations; ``result.table()`` has their means as rows.

    Examples
    --------
    >>> from holdfast import D2CORFS, DCORFS
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import bin_cost
    >>> made = copies(n_samples=30, n_features=40, n_relevant=2, n_copies=2, random_state=0)
    >>> short = D2CORFS(selector=DCORFS(n_iterations=5), confidence=None, max_rounds=2)
    >>> result = bin_cost(made.X, made.y, n_features=[40], n_bins=[1, 4], selector=short, n_repeats=1)
    >>> [(row["n_bins"], row["bound"]) for row in result.table()]
    [(1, 1000.0), (4, 4000.0)]
    """
    timed = D2CORFS(confidence=None) if selector is None else selector
    _require_kind(timed, D2CORFS, "D2CORFS", "search_cost")

    def most_drawn(fitted: Any) -> float:
        inner = DCORFS() if fitted.selector == "dcorfs" else fitted.selector
        if not isinstance(inner, DCORFS):
            return float("nan")
        return float(fitted.max_rounds * fitted.n_bins_ * inner.n_iterations * inner.n_subsets)

    return _costs(
        _Timing("bin_cost", timed, "n_bins", "n_rounds_", most_drawn, {"max_rounds": 1}),
        table_for("bin_cost", X, y, None),
        _sizes(n_features, TABLE_SIZES),
        _levels(n_bins, "n_bins"),
        n_repeats,
        random_state,
    )


@dataclass(frozen=True)
class _Timing:
    """What is timed, what is varied, and how its cost is read; ``brief`` makes a search that only warms up."""

    function: str
    selector: Any
    setting: str
    steps: str
    most_drawn: Callable[[Any], float]
    brief: dict[str, Any]

    def fit(self, table: Table, columns: Array, level: int, drawn: int, **more: Any) -> tuple[Any, float]:
        """A fitted selector and the seconds it took."""
        names = np.array(table.feature_names, dtype=object)
        some = Table(table.X[:, columns], names[columns], target=table.target)
        made = clone(self.selector).set_params(**{self.setting: level, "random_state": drawn, **more})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NothingSelected)
            began = perf_counter()
            made.fit(some)
            return made, perf_counter() - began


def _costs(
    timing: _Timing,
    table: Table,
    sizes: tuple[tuple[int, ...], bool],
    levels: tuple[int, ...],
    n_repeats: int,
    random_state: Any,
) -> SearchCosts:
    require(timing.function, _ALLOWED, n_repeats=n_repeats, random_state=random_state)
    refuse_unusable(table.X, np.array(table.feature_names, dtype=object), nan_is_allowed=False)
    fitting = _fitting(*sizes, table.n_features)
    shape = (len(fitting), len(levels), n_repeats)
    seconds, evaluations, steps = np.zeros(shape), np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    bound = np.zeros(shape[:2])
    # Nothing that happens on the first call only is to be timed.
    timing.fit(table, np.arange(fitting[0]), levels[0], 0, **timing.brief)
    done = 0
    for repeat, rng in enumerate(generators(random_state, n_repeats)):
        order, drawn = rng.permutation(table.n_features), int(rng.integers(2**31))
        for i, size in enumerate(fitting):
            for j, level in enumerate(levels):
                fitted, took = timing.fit(table, order[:size], level, drawn)
                seconds[i, j, repeat] = took
                evaluations[i, j, repeat] = fitted.n_evaluations_.subset
                steps[i, j, repeat] = getattr(fitted, timing.steps)
                bound[i, j] = timing.most_drawn(fitted)
                done += 1
                report("Searches timed", done, seconds.size)
    name = type(timing.selector).__name__
    return SearchCosts(name, timing.setting, fitting, levels, seconds, evaluations, steps, bound, table.n_samples)


def _require_kind(selector: Any, kind: type, name: str, other: str) -> None:
    if not isinstance(selector, kind):
        raise TypeError(f"selector={selector!r} is not allowed: it must be {name}(…) or None. See also {other}.")


def _sizes(given: Sequence[int] | None, usual: tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    """Numbers of features, and whether the caller has asked for them."""
    return (usual, False) if given is None else (_levels(given, "n_features"), True)


def _levels(given: Sequence[int], name: str) -> tuple[int, ...]:
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise TypeError(f"{name}={given!r} is not allowed. Pass a list of whole numbers, such as [10, 20].")
    rule, found = whole_number(at_least=1), list(given)
    wrong = [value for value in found if not rule.accepts(value)]
    if wrong or not found:
        raise ValueError(f"{name}={given!r} is not allowed. Pass at least one number, each {rule.words}.")
    if len(set(found)) < len(found):
        raise ValueError(f"{name}={given!r} has a number twice. Pass each once.")
    return tuple(sorted(int(value) for value in found))


def _fitting(sizes: tuple[int, ...], were_asked: bool, n_features: int) -> tuple[int, ...]:
    too_large = [size for size in sizes if size > n_features]
    if were_asked and too_large:
        raise ValueError(
            f"n_features asks for {too_large[0]} features, but X has {counted(n_features, 'feature')}. Lower it."
        )
    return tuple(size for size in sizes if size <= n_features) or (n_features,)
