"""Cross-validated nearest neighbours by compiled counting instead of fitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.kernels.knn import count_wrong, count_wrong_extended, grow, training_scales
from holdfast.measures._folds import Folds

Array = npt.NDArray[Any]
# Distances of a growing subset are kept up to this many numbers (400 MB); beyond, every extension is summed anew.
_MOST_KEPT = 50_000_000


@dataclass(frozen=True)
class Rule:
    """Euclidean nearest neighbours with one vote each, on features as they are or standardised by the training part."""

    n_neighbors: int = 1
    is_scaled: bool = True

    @classmethod
    def behind(cls, estimator: Any) -> Rule | None:
        """The rule that an estimator of scikit-learn follows; None if it does anything else."""
        if estimator is None:
            return cls()
        is_scaled = False
        if type(estimator) is Pipeline:
            *before, estimator = (step for _, step in estimator.steps)
            if len(before) != 1 or type(before[0]) is not StandardScaler:
                return None
            is_scaled = bool(before[0].with_std)
        if type(estimator) is not KNeighborsClassifier or not isinstance(estimator.n_neighbors, (int, np.integer)):
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
        self._n_jobs = n_jobs
        self._scales = np.ones((len(folds), len(self._columns)))
        if rule.is_scaled:
            training_scales(self._columns, folds.train, folds.train_starts, self._scales)

    def count_wrong(self, subsets: Sequence[Array]) -> Array:
        """Test samples misclassified with each subset, over all splits."""
        return self._in_parts(self._wrong_with, subsets)

    def growth(self) -> Growth | None:
        """A subset that grows from nothing; None if its distances would not fit."""
        shape = (len(self._folds.test), self._columns.shape[1])
        return Growth(self, np.zeros(shape)) if shape[0] * shape[1] <= _MOST_KEPT else None

    def count_wrong_extended(self, grown: Array, candidates: Array) -> Array:
        """Test samples misclassified with one more feature, for every candidate."""
        return self._in_parts(lambda part: self._wrong_extended(grown, part), candidates)

    def grow(self, grown: Array, feature: int) -> None:
        """Add a feature to the distances of a growing subset."""
        grow(self._columns, self._scales, self._folds.test, self._folds.test_starts, feature, grown)

    def _in_parts(self, count: Callable[[Any], Array], work: Any) -> Array:
        n_parts = min(effective_n_jobs(self._n_jobs), len(work))
        if n_parts <= 1:
            return count(work)
        bounds = np.linspace(0, len(work), n_parts + 1).astype(int)
        parts = (work[first:last] for first, last in pairwise(bounds))
        return np.concatenate(Parallel(n_jobs=self._n_jobs, prefer="threads")(delayed(count)(part) for part in parts))

    def _wrong_with(self, subsets: Sequence[Array]) -> Array:
        starts = np.concatenate([[0], np.cumsum([len(subset) for subset in subsets])]).astype(np.int64)
        wrong = np.empty(len(subsets), dtype=np.int64)
        count_wrong(*self._arrays, np.concatenate(subsets), starts, wrong, *self._scratch())
        return wrong

    def _wrong_extended(self, grown: Array, candidates: Array) -> Array:
        wrong = np.empty(len(candidates), dtype=np.int64)
        count_wrong_extended(*self._arrays, grown, candidates, wrong, *self._scratch())
        return wrong

    @property
    def _arrays(self) -> tuple[Array, Array, Array, Array, Array, Array, Array, int]:
        return self._columns, self._target, self._scales, *self._folds.arrays, self._n_neighbors

    def _scratch(self) -> tuple[Array, Array, Array]:
        n_samples, longest = self._columns.shape[1], int(np.diff(self._folds.train_starts).max())
        return np.empty(n_samples), np.empty(longest), np.empty(self._target.max() + 1, dtype=np.int64)


class Growth:
    """Squared distances of a subset that grows feature by feature."""

    def __init__(self, votes: NeighbourVotes, distances: Array) -> None:
        self._votes = votes
        self._distances = distances

    def count_wrong(self, candidates: Array) -> Array:
        """Test samples misclassified when one candidate joins the subset."""
        return self._votes.count_wrong_extended(self._distances, candidates)

    def add(self, feature: int) -> None:
        """Let a feature join."""
        self._votes.grow(self._distances, feature)
