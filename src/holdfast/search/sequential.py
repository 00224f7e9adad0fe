"""One feature at a time: forward, backward and floating walks through the sets of features."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels.lazy import TIE
from holdfast.search.stopping import Step
from holdfast.search.ties import best_tied

Array = npt.NDArray[Any]


class Score(Protocol):
    """What a walk asks of a score."""

    of_nothing: float
    members: list[int]

    def clear(self) -> None:
        """Begin with no feature."""

    def add(self, feature: int) -> None:
        """Let a feature join."""

    def drop(self, feature: int) -> None:
        """Let a feature leave."""

    def with_each(self, features: Array) -> Array:
        """Score when each of some features joins."""

    def without_each(self, features: Array) -> Array:
        """Score when each of some members leaves."""


@dataclass(frozen=True)
class Choice:
    """How features are told apart that a score cannot tell apart.

    ``first`` and ``last`` name one of some; ``varies`` says which have more than one value: the others join when
    nothing else is open, and leave before all others.
    """

    first: Callable[[Array], int]
    last: Callable[[Array], int]
    varies: Array

    def joins(self, score: Score, previous: float) -> Step:
        """The feature that joins next."""
        is_open = np.ones(len(self.varies), dtype=bool)
        is_open[score.members] = False
        features = _preferred(np.flatnonzero(is_open), self.varies)
        scores = score.with_each(features)
        best = self.first(features[best_tied(scores)])
        return _step(features, scores, best, len(score.members) + 1, previous)

    def leaves(self, score: Score, previous: float) -> Step:
        """The feature that leaves next: of those that cost as little, the one that would be taken last."""
        features = _preferred(np.sort(score.members), ~self.varies)
        scores = score.without_each(features)
        best = self.last(features[best_tied(scores)])
        return replace(_step(features, scores, best, len(score.members) - 1, previous), is_removal=True)


def _preferred(features: Array, is_preferred: Array) -> Array:
    """Those features that go before the others, or all if there are none."""
    some = features[is_preferred[features]]
    return some if len(some) else features


def _step(features: Array, scores: Array, best: int, size: int, previous: float) -> Step:
    is_best = features == best
    return Step(size, best, float(scores[is_best][0]), previous, float(scores[~is_best].max(initial=-np.inf)))


def forward_steps(score: Score, choice: Choice, n_most: int) -> Iterator[Step]:
    """Steps that each add the best feature; who takes a step adds its feature before the next."""
    previous = score.of_nothing
    while len(score.members) < n_most:
        step = choice.joins(score, previous)
        report("Features chosen", step.size, n_most)
        yield step
        previous = step.score


def backward_steps(score: Score, choice: Choice) -> Iterator[Step]:
    """Steps that each drop the feature that costs least, from all down to one; who takes a step drops it."""
    n_features = len(choice.varies)
    for feature in range(n_features - 1):
        score.add(feature)
    previous = float(score.with_each(np.array([n_features - 1]))[0])
    score.add(n_features - 1)
    while len(score.members) > 1:
        step = choice.leaves(score, previous)
        report("Features dropped", n_features - step.size, n_features - 1)
        yield step
        previous = step.score


@dataclass(frozen=True)
class BestSet:
    """The best set of its size that a floating search met, in the order in which its features joined."""

    step: Step
    members: tuple[int, ...]


def floating_sets(score: Score, choice: Choice, n_most: int) -> list[BestSet]:
    """The best set met of every size: after each feature that joins, others leave as long as that makes a better set.

    Sequential forward floating selection (Pudil, Novovičová and Kittler 1994); a set that is worse than a known one of
    its size gives way to it.
    """
    best: dict[int, BestSet] = {}

    def keep(step: Step) -> bool:
        known = best.get(step.size)
        if known is not None and not is_better(step.score, known.step.score):
            return False
        best[step.size] = BestSet(step, tuple(score.members))
        return True

    while len(score.members) < n_most:
        step = choice.joins(score, _score_of(best, len(score.members), score.of_nothing))
        score.add(step.feature)
        report("Features chosen", step.size, n_most)
        if not keep(step):
            _set_to(score, best[step.size].members)
            continue
        newest = step.feature
        while len(score.members) > 2:
            removal = choice.leaves(score, step.score)
            if removal.feature == newest or not is_better(removal.score, best[removal.size].step.score):
                break
            score.drop(removal.feature)
            keep(replace(removal, feature=score.members[-1], is_removal=False))
    return [
        BestSet(replace(best[size].step, previous=_score_of(best, size - 1, score.of_nothing)), best[size].members)
        for size in sorted(best)
    ]


def is_better(score: float, other: float) -> bool:
    """Whether a score is larger than another by more than rounding."""
    return score > other + TIE * max(1.0, abs(other))


def _score_of(best: dict[int, BestSet], size: int, of_nothing: float) -> float:
    return best[size].step.score if size else of_nothing


def _set_to(score: Score, members: tuple[int, ...]) -> None:
    score.clear()
    for member in members:
        score.add(member)
