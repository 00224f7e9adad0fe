"""What a sequential search asks of a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
State = TypeVar("State")


class GrowingScore:
    """A set of features, and its score with one more feature or one less.

    Features are known by their places among the columns that the score was made with. ``of_nothing`` is the score
    without features; -infinity where nothing is known of it.
    """

    of_nothing: float = -np.inf
    n_per_set: int = 0

    def __init__(self) -> None:
        self.members: list[int] = []
        self.n_sets = 0

    @property
    def n_trained(self) -> int:
        """Estimators trained so far."""
        return self.n_sets * self.n_per_set

    def clear(self) -> None:
        """Begin with no feature."""
        self.members = []

    def add(self, feature: int) -> None:
        """Let a feature join."""
        self.members.append(feature)

    def drop(self, feature: int) -> None:
        """Let a feature leave."""
        kept = [member for member in self.members if member != feature]
        self.clear()
        for member in kept:
            self.add(member)

    def value(self, features: Iterable[int]) -> float:
        """Score of a set, which is then the one that grows and shrinks."""
        self.clear()
        *first, last = (int(feature) for feature in features)
        for feature in first:
            self.add(feature)
        score = float(self.with_each(np.array([last]))[0])
        self.add(last)
        return score

    def with_each(self, features: Array) -> Array:
        """Score when each of some features joins."""
        self.n_sets += len(features)
        return self._with_each(features)

    def without_each(self, features: Array) -> Array:
        """Score when each of some members leaves; of no features if it is the only one."""
        self.n_sets += len(features)
        if len(self.members) == 1:
            return np.full(len(features), self.of_nothing)
        return self._without_each(features)

    def with_permuted(self, feature: int, orders: Array) -> Array:
        """Score when a feature joins whose samples come in other orders, one score for each order."""
        self.n_sets += len(orders)
        return self._with_permuted(feature, orders)

    def permuted(self, orders: Array) -> Array:
        """Score of the set when its samples come in other orders, the target staying where it is."""
        self.n_sets += len(orders)
        return self._permuted(orders)

    def _with_each(self, features: Array) -> Array:
        raise NotImplementedError

    def _without_each(self, features: Array) -> Array:
        raise NotImplementedError

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        raise NotImplementedError

    def _permuted(self, orders: Array) -> Array:
        raise NotImplementedError


def without_each(
    members: list[int],
    features: Array,
    state: State,
    joined: Callable[[State, list[int]], State],
    score_of: Callable[[State], float],
) -> Array:
    """Score of the set without each of some members, by sums only: what is taken out again leaves its rounding behind.

    Halves of the features join one another's states, so that each state is made with few joins.
    """
    answer = np.empty(len(features))

    def part(first: int, last: int, state: State) -> None:
        if last - first == 1:
            answer[first] = score_of(state)
            return
        middle = (first + last) // 2
        part(first, middle, joined(state, features[middle:last].tolist()))
        part(middle, last, joined(state, features[first:middle].tolist()))

    asked = set(features.tolist())
    part(0, len(features), joined(state, [member for member in members if member not in asked]))
    return answer
