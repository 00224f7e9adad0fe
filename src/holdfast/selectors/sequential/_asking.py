"""What a stopping rule may ask about a step: scores of permuted copies, drawn so that each can be drawn again alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._random import child
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.information import mutual_information
from holdfast.prepare.codes import Codes
from holdfast.prepare.discretize import EqualFrequencyDiscretizer
from holdfast.search.stopping import Step

Array = npt.NDArray[Any]


class StepAsked:
    """Answers about one step of a search, whose score stands before or after it.

    Parameters
    ----------
    score : GrowingScore
        Score whose set is that before the step; ``take`` leaves it at the set after it.
    step : Step
        The step.
    X : ndarray of shape (n_samples, n_features)
        Features as the score numbers them, samples in an order of their own.
    target : ndarray of shape (n_samples,)
        Classes as numbers, or measures.
    root : SeedSequence
        Seed of the permutations; permutation i of a step depends on it, on the size of the set and on i only.
    """

    def __init__(self, score: GrowingScore, step: Step, X: Array, target: Array, root: np.random.SeedSequence) -> None:
        self._score = score
        self._step = step
        self._X = X
        self._target = target
        self._root = root
        self.n_samples = len(target)

    def permuted_feature(self, first: int, last: int) -> Array:
        """Scores when the feature's samples come in other orders."""
        self._without()
        return self._score.with_permuted(self._step.feature, self._orders(first, last))

    def permuted_set(self, first: int, last: int) -> Array:
        """Scores of the set after the step when its samples come in other orders."""
        self.take()
        return self._score.permuted(self._orders(first, last))

    def information(self, n_bins: int, first: int, last: int) -> tuple[float, Array]:
        """Mutual information of the feature with the target, and of copies of it in other orders."""
        if n_bins > max(5, self.n_samples // 2):
            raise ValueError(
                f"n_bins={n_bins} for {self.n_samples} samples leaves bins of one sample, in which every copy tells as "
                f"much. Use at most {max(5, self.n_samples // 2)}."
            )
        levels = _binned(self._X[:, self._step.feature], n_bins)
        is_measured = self._target.dtype.kind not in "iu"
        target = Codes.of((_binned(self._target, n_bins) if is_measured else self._target)[np.newaxis])
        copies = Codes.of(np.concatenate([levels[np.newaxis], levels[self._orders(first, last)]]))
        values = mutual_information(copies, target)
        return float(values[0]), values[1:]

    def take(self) -> None:
        """Let the score stand at the set after the step."""
        if self._step.is_removal:
            self._without()
        elif self._step.feature not in self._score.members:
            self._score.add(self._step.feature)

    def _without(self) -> None:
        if self._step.feature in self._score.members:
            self._score.drop(self._step.feature)

    def _orders(self, first: int, last: int) -> Array:
        return np.array(
            [
                np.random.default_rng(child(self._root, self._step.size, i)).permutation(self.n_samples)
                for i in range(first, last)
            ]
        )


def _binned(values: Array, n_bins: int) -> Array:
    codes = EqualFrequencyDiscretizer(n_bins).codes(np.ascontiguousarray(values[:, np.newaxis], dtype=np.float64), None)
    levels: Array = codes.as_bytes()[0]
    return levels
