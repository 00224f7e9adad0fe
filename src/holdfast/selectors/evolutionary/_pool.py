"""Stage one: the features that a filter takes first, in blocks until a classifier can tell the classes by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._parameters import Rule
from holdfast._progress import report
from holdfast._registry import CLASSES, find
from holdfast.measures.wrapper_score import WrapperScore
from holdfast.search.fitness import slack_of
from holdfast.search.forward import forward, never
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Problem, Selector
from holdfast.selectors._wrapper import class_separation, varies
from holdfast.selectors.pairwise.mrmr import MRMR

Array = npt.NDArray[Any]

FILTER = Rule(
    lambda value: isinstance(value, (str, Selector)),
    "the name of a method such as 'mrmr+', or a selector of Holdfast's",
    (object(), 0, MRMR),
)


class Ranked:
    """Features in the order in which a filter takes them, as many as are asked for.

    MRMR goes on where it was, and what it has taken so far is known even if it is stopped; any other filter is fitted
    again.
    """

    def __init__(self, given: Any, problem: Problem, labels: Array) -> None:
        self._filter = _made(given)
        self._problem = problem
        self._labels = labels
        self.features: list[int] = []
        self.merits: list[float] = []
        self._n_pairs = 0
        self.relevance: Array
        self.precedence: Precedence
        if isinstance(self._filter, MRMR):
            self.relevance, self._candidates, self.precedence = self._filter._begin(problem)
        else:
            self.relevance = class_separation(problem)
            self.precedence = problem.precedence(self.relevance)

    @property
    def n_pairs(self) -> int:
        """Pairs of features measured."""
        return self._candidates.n_pairs if isinstance(self._filter, MRMR) else self._n_pairs

    def first(self, n_features: int) -> Array:
        """The first features; fewer if the filter takes no more, or if some do not vary."""
        n_features = min(n_features, self._problem.n_features)
        if isinstance(self._filter, MRMR):
            forward(self._candidates, self.precedence, n_features, never, (self.features, self.merits))
        else:
            self._refit(n_features)
        return self.taken

    @property
    def taken(self) -> Array:
        """What was taken so far, without features that do not vary."""
        taken = np.array(self.features, dtype=np.int64)
        return taken[varies(self._problem, taken)] if len(taken) else taken

    def taken_or_relevant(self, n_features: int) -> Array:
        """What was taken so far, or else the features that say most by themselves, of those that vary."""
        if len(self.taken):
            return self.taken
        every = np.arange(self._problem.n_features)
        alive = every[varies(self._problem, every)]
        if len(alive) == 0:
            return alive
        return self.precedence.sort_some(alive, self.relevance[alive], min(n_features, len(alive)))

    def _refit(self, n_features: int) -> None:
        model = clone(self._filter).set_params(n_features_to_select=n_features)
        names = self._problem.names
        fitted = model.named_for_ties(names).in_a_loop().fit(self._problem.given, self._labels)
        self.features, self._n_pairs = fitted.indices_.tolist(), fitted.n_evaluations_.pair


def _made(given: Any) -> Selector:
    if isinstance(given, Selector):
        check: Selector = clone(given)
        return check
    try:
        row = find(given)
    except ValueError as error:
        raise ValueError(f"filter={given!r} is no method. {error}") from error
    if not set(CLASSES) & set(row.takes):
        raise ValueError(f"filter={given!r} does not look at classes. Use 'mrmr+', or another method that does.")
    made: Selector = row.build()
    return made


@dataclass(frozen=True)
class Pool:
    """What stage two searches: columns of the table, best first, the judge of their sets, and their value together."""

    columns: Array
    judge: WrapperScore
    value: float


@dataclass(frozen=True)
class Blocks:
    """How a pool grows: by ``size`` features at a time, ``most`` times, until their value together is ``enough``."""

    size: int
    most: int
    enough: float


def grow_pool(
    ranked: Ranked,
    blocks: Blocks,
    judge: Callable[[Array], WrapperScore],
    is_late: Callable[[], bool],
    best: list[Pool],
) -> None:
    """Grow a pool until it is worth enough, adding to ``best`` each that is better than those before it.

    So the last one is the best of those looked at, the smallest of equal ones, even if the work is stopped; there is
    none if the filter takes nothing.
    """
    for number in range(1, blocks.most + 1):
        columns = ranked.first(number * blocks.size)
        if best and len(columns) == len(best[-1].columns):
            break
        if len(columns) == 0:
            break
        judged = judge(columns)
        value = float("nan") if blocks.most == 1 else judged.score(range(len(columns)))
        report(f"Pool of {len(columns)} features, fitness {value:.4g}", number, blocks.most)
        if not best or value > best[-1].value + slack_of(best[-1].value):
            best.append(Pool(columns, judged, value))
        if value >= blocks.enough - slack_of(blocks.enough) or len(columns) < number * blocks.size or is_late():
            break
