"""Cross-validated nearest neighbours by compiled counting instead of fitting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.kernels.knn import add_feature, count_wrong, count_wrong_without, training_scales
from holdfast.measures._folds import Folds
from holdfast.measures._near import NearSet
from holdfast.measures._threads import in_threads, joined

Array = npt.NDArray[Any]
# Distances of a subset are kept up to this many numbers (400 MB); beyond, every change of it is summed anew.
_MOST_KEPT = 50_000_000
# Taking features out of larger (standardised) distances than this would leave too much of their rounding.
_FARTHEST = 1e5


@dataclass(frozen=True)
class Rule:
    """Euclidean nearest neighbours with one vote each, on features as they are or standardised by the training part."""

    n_neighbors: int = 1
    is_scaled: bool = True

    @classmethod
    def behind(cls, estimator: Any, kind: Any = KNeighborsClassifier) -> Rule | None:
        """The rule that an estimator of scikit-learn follows; None if it does anything else, or is of another kind."""
        if estimator is None:
            return cls()
        is_scaled = False
        if type(estimator) is Pipeline:
            *before, estimator = (step for _, step in estimator.steps)
            if len(before) != 1 or type(before[0]) is not StandardScaler:
                return None
            is_scaled = bool(before[0].with_std)
        if type(estimator) is not kind or not isinstance(estimator.n_neighbors, (int, np.integer)):
            return None
        is_euclidean = estimator.metric in ("euclidean", "l2") or (estimator.metric == "minkowski" and estimator.p == 2)
        is_plain = estimator.weights in ("uniform", None) and estimator.metric_params is None
        if not is_euclidean or not is_plain or estimator.n_neighbors < 1:
            return None
        return cls(int(estimator.n_neighbors), is_scaled)


class NeighbourVotes:
    """Counts what the rule misclassifies; samples must come in an order that decides between equal distances."""

    def __init__(self, X: Array, target: Array, folds: Folds, rule: Rule, n_jobs: int | None) -> None:
        if rule.n_neighbors > folds.smallest_training_part:
            raise ValueError(
                f"estimator: n_neighbors={rule.n_neighbors}, but the smallest training part of the cross-validation "
                f"has {folds.smallest_training_part} samples. Lower n_neighbors, or raise the number of folds."
            )
        self._columns = np.ascontiguousarray(X.T)
        self._target = target
        self._folds = folds
        self._n_neighbors = rule.n_neighbors
        self._is_scaled = rule.is_scaled
        self._n_jobs = n_jobs
        self._scales = np.ones((len(folds), len(self._columns)))
        if rule.is_scaled:
            training_scales(self._columns, folds.train, folds.train_starts, self._scales)

    def count_wrong(self, subsets: Sequence[Array]) -> Array:
        """Test samples misclassified with each subset, over all splits."""
        union = np.unique(np.concatenate(subsets))
        n_present = sum(map(len, subsets))
        n_absent = len(subsets) * len(union) - n_present
        if self._is_scaled and len(union) + n_absent < n_present / 2 and self.can_keep_distances:
            whole = self.distances(union)
            if whole.max() <= _FARTHEST:
                absent = [np.setdiff1d(union, subset, True) for subset in subsets]
                return self._in_parts(lambda part: self._wrong_without(whole, part), absent)
        return self._in_parts(self._wrong_with, subsets)

    def near_set(self) -> NearSet:
        """A set without features that grows under the same rule."""
        scale = "standard" if self._is_scaled else "none"
        return NearSet(self._target, self._folds, self._n_neighbors, scale=scale, n_jobs=self._n_jobs)

    def count_wrong_extended(self, near: NearSet, candidates: Array) -> Array:
        """Test samples misclassified when each candidate joins a set made by ``near_set``."""
        errors = near.errors_with(self._columns, candidates, self._scales * self._scales)
        count: Array = errors[:, :, -1].sum(axis=1)
        return count

    def column(self, feature: int) -> Array:
        """Values of a feature."""
        values: Array = self._columns[feature]
        return values

    @property
    def can_keep_distances(self) -> bool:
        """Whether the distances of a subset are few enough to be kept."""
        return len(self._folds.test) * len(self._target) <= _MOST_KEPT

    def distances(self, subset: Iterable[int]) -> Array:
        """Squared distances of a subset from every test sample to all samples."""
        whole = np.zeros((len(self._folds.test), self._columns.shape[1]))
        for feature in subset:
            add_feature(self._columns, self._scales, self._folds.test, self._folds.test_starts, feature, whole)
        return whole

    def _in_parts(self, count: Callable[[Any], Array], subsets: Any) -> Array:
        """Count in as many threads as are worth their start."""
        n_steps = sum(map(len, subsets)) * self._columns.shape[1] * len(self._folds.test)
        return in_threads(count, subsets, n_steps, self._n_jobs)

    def _wrong_with(self, subsets: Sequence[Array]) -> Array:
        wrong = np.empty(len(subsets), dtype=np.int64)
        count_wrong(*self._arrays, *joined(subsets), wrong, *self._scratch())
        return wrong

    def _wrong_without(self, whole: Array, absent: Sequence[Array]) -> Array:
        wrong = np.empty(len(absent), dtype=np.int64)
        count_wrong_without(*self._arrays, whole, *joined(absent), wrong, *self._scratch())
        return wrong

    @property
    def _arrays(self) -> tuple[Array, Array, Array, Array, Array, Array, Array, int]:
        return self._columns, self._target, self._scales, *self._folds.arrays, self._n_neighbors

    def _scratch(self) -> tuple[Array, Array, Array]:
        n_samples, longest = self._columns.shape[1], int(np.diff(self._folds.train_starts).max())
        return np.empty(n_samples), np.empty(longest), np.empty(self._target.max() + 1, dtype=np.int64)
