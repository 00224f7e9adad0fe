"""Features and samples of a sequential search in orders of their own, so that the table's do not choose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.measures._distances import NUMBERS
from holdfast.measures._folds import Folds, draw_folds, sample_order
from holdfast.measures._tree import numbered_by_appearance
from holdfast.measures.correlation import pearson
from holdfast.prepare.scaling import Ranges
from holdfast.search.sequential import Choice
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Problem
from holdfast.selectors._wrapper import class_separation

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Field:
    """Checked data of a search.

    ``pool`` lists the features, most relevant first, and ``order`` the samples, sorted by content; ``X`` has both in
    these orders, and a score knows features by their places in the pool. ``labels`` holds what the user called the
    classes of the samples, or measures.
    """

    problem: Problem
    kind: str
    labels: Array
    relevance: Array
    precedence: Precedence
    pool: Array
    order: Array
    X: Array

    @classmethod
    def of(cls, problem: Problem, kind: str, labels: Array) -> Field:
        """Sort features by relevance and samples by content."""
        is_measured = kind == NUMBERS
        relevance = np.abs(pearson(problem.X, _in_own_range(labels))) if is_measured else class_separation(problem)
        precedence = problem.precedence(relevance)
        pool = precedence.sort(relevance, problem.n_features)
        X = problem.X[:, pool]
        order = sample_order(X, np.unique(labels, return_inverse=True)[1])
        return cls(problem, kind, labels[order], relevance, precedence, pool, order, X[order])

    @property
    def is_measured(self) -> bool:
        """Whether the target holds numbers."""
        return self.kind == NUMBERS

    @property
    def target(self) -> Array:
        """The target as scores take it: numbers of classes, or measures in units of their range.

        So no unit overflows, R² is what it was, and a gap between two values of the delta test is below 1.
        """
        return _in_own_range(self.labels) if self.is_measured else self.classes

    @cached_property
    def classes(self) -> Array:
        """Classes numbered as they appear among the sorted samples, so that their names do not matter."""
        return numbered_by_appearance(self.labels)

    def folds(self, cv: Any, random_state: Any) -> Folds:
        """Splits as places in the order of the samples; a splitter sees them as they came."""
        labels = np.empty_like(self.labels)
        labels[self.order] = self.labels
        return draw_folds(self.problem.X, labels, self.order, cv, random_state, measured=self.is_measured)

    def choice(self) -> Choice:
        """Who goes first among features that a score cannot tell apart."""
        place = np.empty(len(self.pool), dtype=np.int64)
        place[self.pool] = np.arange(len(self.pool))
        return Choice(
            first=lambda tied: int(place[self.precedence.first(self.pool[tied])]),
            last=lambda tied: int(place[self.precedence.order(self.pool[tied])[-1]]),
            varies=Ranges.of(self.problem.X).width[self.pool] > 0,
        )


def _in_own_range(values: Array) -> Array:
    """Numbers from 0 to 1, without a square that could overflow on the way."""
    values = values.astype(np.float64) / np.abs(values).max()
    scaled: Array = (values - values.min()) / np.ptp(values)
    return scaled
