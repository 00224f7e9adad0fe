"""Nearest neighbours: their score in training and cross-validation, and the delta test (Michel 2018, §2.2, §2.3, §4.1).

The squared distances of the set are kept, and a feature adds its own: no neighbour is looked for in a tree, and no
model is fitted. Answers are those of scikit-learn's KNeighborsClassifier and KNeighborsRegressor.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE
from holdfast.measures._folds import Folds
from holdfast.measures._near import NearSet
from holdfast.measures.growing._base import GrowingScore, without_each

Array = npt.NDArray[Any]

POOLED, MEAN = AGGREGATES = ("pooled", "mean")


def everything(n_samples: int) -> Folds:
    """One split that trains and tests on all samples."""
    rows = np.arange(n_samples)
    return Folds.of([(rows, rows)])


class _NearScore(GrowingScore):
    """Scores from the errors of neighbours in one or more groups of splits."""

    def __init__(self, columns: Array, spaces: list[NearSet]) -> None:
        super().__init__()
        self._columns = columns
        self._spaces = spaces
        self._factors = [space.factors(columns) for space in spaces]

    def _score(self, errors: list[Array]) -> Array:
        raise NotImplementedError

    def clear(self) -> None:
        """Begin with no feature."""
        super().clear()
        for space in self._spaces:
            space.clear()

    def add(self, feature: int) -> None:
        """Let a feature join."""
        super().add(feature)
        for space in self._spaces:
            space.add(self._columns[feature])

    def _with_each(self, features: Array) -> Array:
        asked = zip(self._spaces, self._factors, strict=True)
        return self._score([space.errors_with(self._columns, features, factors) for space, factors in asked])

    def _without_each(self, features: Array) -> Array:
        return without_each(
            self.members,
            features,
            [space.empty() for space in self._spaces],
            lambda spaces, more: [space.extended(self._columns[more]) for space in spaces],
            lambda spaces: float(self._score([space.errors()[np.newaxis] for space in spaces])[0]),
        )

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        columns = self._columns[feature][orders]
        return self._score([_joined(space, columns) for space in self._spaces])

    def _permuted(self, orders: Array) -> Array:
        *first, last = self.members
        answer = np.empty(len(orders))
        for i, order in enumerate(orders):
            errors = []
            for space in self._spaces:
                other = space.empty()
                for member in first:
                    other.add(self._columns[member][order])
                errors.append(_joined(other, self._columns[last][order][np.newaxis]))
            answer[i] = self._score(errors)[0]
        return answer


def _joined(space: NearSet, columns: Array) -> Array:
    return space.errors_with(columns, np.arange(len(columns)), space.factors(columns))


class NeighbourScore(_NearScore):
    """Accuracy or R² of nearest neighbours, their number chosen from a grid for each set by cross-validation.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples)
        Features, their samples in an order that decides between equal distances.
    target : ndarray of shape (n_samples,)
        Classes as numbers from 0, or measures.
    folds : Folds
        Splits of the cross-validation.
    grid : sequence of int
        Numbers of neighbours to choose from; the smallest of the best is taken.
    in_training : bool
        Whether the score is that of the chosen number on the samples it was trained with.
    aggregate : {"pooled", "mean"}
        Whether all test samples count alike, or all splits.
    scale : {"standard", "range", "none"}
        How features are measured, by the training part of each split.
    n_jobs : int or None
        Threads, as in joblib.
    """

    def __init__(
        self,
        columns: Array,
        target: Array,
        folds: Folds,
        grid: tuple[int, ...],
        *,
        in_training: bool = False,
        aggregate: str = POOLED,
        scale: str = "standard",
        n_jobs: int | None = None,
    ) -> None:
        grid = tuple(sorted(set(grid)))
        common: dict[str, Any] = {"scale": scale, "n_jobs": n_jobs}
        spaces, shares = [], []
        if not in_training or len(grid) > 1:
            spaces.append(NearSet(target, folds, max(grid), **common))
            shares.append(_Shares(target, folds, aggregate))
        if in_training:
            all_in_all = everything(len(target))
            spaces.append(NearSet(target, all_in_all, max(grid), **common))
            shares.append(_Shares(target, all_in_all, aggregate))
        super().__init__(columns, spaces)
        self._shares = shares
        self._grid = np.array(grid) - 1
        self.of_nothing = shares[-1].of_nothing
        self.n_per_set = len(grid) * len(folds) * (not in_training or len(grid) > 1) + in_training

    def n_neighbors_with(self, feature: int) -> int:
        """Number of neighbours chosen for the set when a feature joins."""
        features = np.array([feature])
        asked = zip(self._spaces, self._factors, strict=True)
        errors = [space.errors_with(self._columns, features, factors) for space, factors in asked]
        return int(self._grid[self._chosen(self._right(errors))[0]]) + 1

    def _score(self, errors: list[Array]) -> Array:
        right = self._right(errors)
        answer: Array = right[-1][np.arange(len(right[-1])), self._chosen(right)]
        return answer

    def _right(self, errors: list[Array]) -> list[Array]:
        return [shares.right(wrong[:, :, self._grid]) for shares, wrong in zip(self._shares, errors, strict=True)]

    @staticmethod
    def _chosen(right: list[Array]) -> Array:
        """Place in the grid of the smallest number of neighbours that does best in the first group of splits."""
        best = right[0].max(axis=1, keepdims=True)
        chosen: Array = np.argmax(right[0] >= best - TIE * np.maximum(1.0, np.abs(best)), axis=1)
        return chosen


class _Shares:
    """From errors by split to what was right: accuracy of classes, R² of measures."""

    def __init__(self, target: Array, folds: Folds, aggregate: str) -> None:
        self._is_pooled = aggregate == POOLED
        truths = [target[test] for _, test in folds]
        if target.dtype.kind in "iu":
            self._whole = np.array([len(truth) for truth in truths], dtype=float)
            self._pooled = self._whole.sum()
            self.of_nothing = float(np.bincount(target[folds.test]).max() / self._pooled)
        else:
            self._whole = np.array([((truth - truth.mean()) ** 2).sum() for truth in truths])
            together = target[folds.test]
            self._pooled = float(((together - together.mean()) ** 2).sum())
            self.of_nothing = 0.0

    def right(self, wrong: Array) -> Array:
        """From errors of shape (n, n_splits, n_grid) to scores of shape (n, n_grid)."""
        if self._is_pooled:
            pooled: Array = 1.0 - wrong.sum(axis=1) / self._pooled
            return pooled
        whole = self._whole[:, np.newaxis]
        # As scikit-learn has it: a part that does not vary is foreseen or not.
        missed = np.where(whole > 0, wrong / np.where(whole > 0, whole, 1.0), (wrong > 0).astype(float))
        mean: Array = 1.0 - missed.mean(axis=1)
        return mean


WHOLE, COMPLEMENT, FOLD, CROSS = PARTS = ("whole", "complement", "fold", "cross")


class DeltaTest(_NearScore):
    """Half the mean squared difference of the target between nearest neighbours, negative: less noise is better.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples)
        Features in comparable units, their samples in an order that decides between equal distances.
    target : ndarray of shape (n_samples,)
        Classes as numbers from 0, which differ by 1 or not at all; or measures.
    folds : Folds
        Parts of the samples, whose values are averaged, and what is left without each.
    part : {"whole", "complement", "fold", "cross"}
        All samples at once; what is left without each part; each part alone; or the samples of each part with
        neighbours among the others.
    n_jobs : int or None
        Threads, as in joblib.
    """

    def __init__(
        self, columns: Array, target: Array, folds: Folds | None, part: str = WHOLE, *, n_jobs: int | None = None
    ) -> None:
        asked = everything(len(target))
        if part != WHOLE and folds is not None:
            asked = folds if part == CROSS else Folds.of([(rows, rows) for rows in _parts(folds, part)])
        space = NearSet(target, asked, 1, scale="none", knows_itself=False, n_jobs=n_jobs)
        super().__init__(columns, [space])
        self._weights = 0.5 / np.diff(asked.test_starts) / len(asked)
        if target.dtype.kind in "iu":
            sizes = np.bincount(target)
            self.of_nothing = -0.5 * float(1 - (sizes @ (sizes - 1)) / (len(target) * (len(target) - 1)))
        else:
            self.of_nothing = -float(np.var(target, ddof=1))

    def _score(self, errors: list[Array]) -> Array:
        return -(errors[0][:, :, 0] @ self._weights)


def _parts(folds: Folds, part: str) -> list[Array]:
    return [train if part == COMPLEMENT else test for train, test in folds]
