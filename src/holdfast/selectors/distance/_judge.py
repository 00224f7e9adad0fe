"""What sets of features are worth: distance correlation, a classifier by cross-validation, or a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, one_of
from holdfast.measures._asked import asked
from holdfast.measures._distances import INDICES, SubsetDistances, check_fewest
from holdfast.measures.wrapper_score import WrapperScore
from holdfast.prepare.scaling import scaled
from holdfast.search.known_sets import KnownSets

Array = npt.NDArray[Any]
Values: TypeAlias = Callable[[Array, Array], Array]


def is_classifier(measure: Any) -> bool:
    """Whether sets are judged by what a classifier makes of them."""
    return callable(getattr(measure, "fit", None)) and callable(getattr(measure, "predict", None))


DCOR = "dcor"
INDEX = one_of(*INDICES)
SCALE = one_of("range", "standard", "none")
MEASURE = one_of(DCOR) | Rule(
    lambda value: not isinstance(value, (str, type)) and (callable(value) or is_classifier(value)),
    "a classifier with fit and predict, or a function (X, y) -> number",
    (object(), dict),
)


class SetJudge:
    """Values of sets of features, each asked for once.

    Parameters
    ----------
    values : callable
        From sets one after the other, and where each begins, to the value of each.
    of_nothing : float
        Value of the empty set.
    n_classifiers : int
        Classifiers trained for a set.
    """

    def __init__(self, values: Values, of_nothing: float, n_classifiers: int = 0) -> None:
        self._values = values
        self.of_nothing = of_nothing
        self._sets = KnownSets()
        self._known = np.array([of_nothing])
        self._n_classifiers = n_classifiers
        self.n_requests = 0

    @property
    def n_subsets(self) -> int:
        """Sets judged, each counted once; the empty one is not."""
        return len(self._sets) - 1

    @property
    def n_cache_hits(self) -> int:
        """Sets met again, whose value was known, and empty ones."""
        return self.n_requests - self.n_subsets

    @property
    def n_trained(self) -> int:
        """Classifiers trained."""
        return self.n_subsets * self._n_classifiers

    def __call__(self, members: Array, starts: Array) -> Array:
        """Value of every set, whose features ascend."""
        before = len(self._sets)
        which = self._sets.numbers(members, starts)
        if len(self._sets) > before:
            self._known = np.concatenate([self._known, self._values(*self._sets.since(before))])
        self.n_requests += len(which)
        return self._known[which]

    def of(self, features: Array) -> float:
        """Value of one set."""
        return float(self(np.sort(features), np.array([0, len(features)]))[0])


@dataclass(frozen=True)
class Measuring:
    """How sets of features are judged; it goes to whoever has the samples.

    ``kind`` says whether the target is classes or numbers; ``cv`` is for classifiers and holds splits, not a number, so
    that all who judge do so by the same.
    """

    measure: Any = DCOR
    index: str = "biased"
    scale: str = "range"
    scoring: Any = "accuracy"
    cv: Any = None
    kind: str = "classes"
    n_jobs: int | None = None
    of_nothing: float = 0.0

    @property
    def most(self) -> float:
        """What no set can be worth more than: there is no such number for a function or a scorer."""
        is_bounded = isinstance(self.measure, str) or (is_classifier(self.measure) and isinstance(self.scoring, str))
        return 1.0 if is_bounded else np.inf

    def judge(self, X: Array, target: Array, labels: Array) -> SetJudge:
        """Judge of the columns of X; ``target`` holds codes or numbers, ``labels`` what the user called them."""
        if is_classifier(self.measure):
            score = WrapperScore(
                X, labels, estimator=self.measure, scoring=self.scoring, cv=self.cv, n_jobs=self.n_jobs
            )
            of_sets = _by_lists(lambda sets: np.array(score.scores(sets)))
            return SetJudge(of_sets, score.score(()), len(self.cv))
        if callable(self.measure):
            return SetJudge(_by_lists(lambda sets: self._asked(X, labels, sets)), float(self.of_nothing))
        check_fewest(len(X), self.index)
        return SetJudge(SubsetDistances(scaled(X, self.scale), target, self.kind, self.index).of, 0.0)

    def _asked(self, X: Array, labels: Array, sets: list[Array]) -> Array:
        return np.array([asked(self.measure, X[:, features], labels, "measure") for features in sets])


def _by_lists(values: Callable[[list[Array]], Array]) -> Values:
    return lambda members, starts: values(np.split(members, starts[1:-1]))
