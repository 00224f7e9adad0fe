"""Cross-validated support vector machines with a radial kernel by compiled counting instead of fitting.

Squared distances add over features. What many sets have in common is summed once, and each set adds or takes away the
rest; values are rounded to 2**-18 of a standard deviation, so that this changes no bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_class_weight

from holdfast._errors import DataError
from holdfast.kernels.rbf import count_hits, keep_distances
from holdfast.measures._folds import Folds
from holdfast.measures._threads import in_threads, joined

Array = npt.NDArray[Any]

STEP = 2.0**-18
_TOLERANCE = 1e-6
# Pairs of duals improved for each sample before less will do.
_PATIENCE = 40
# Distances of what sets have in common are kept up to this many numbers (400 MB).
_MOST_KEPT = 50_000_000


@dataclass(frozen=True)
class Machine:
    """A support vector machine with a radial kernel, on features as they are or standardised by the training part.

    ``gamma`` is "auto" (one over the number of features), "scale" (that over the variance of all values) or a number.
    """

    C: float = 1.0
    gamma: float | str = "auto"
    class_weight: Any = None
    is_scaled: bool = True

    @classmethod
    def behind(cls, estimator: Any) -> Machine | None:
        """The machine that an estimator of scikit-learn is; None if it does anything else."""
        is_scaled = False
        if type(estimator) is Pipeline:
            *before, estimator = (step for _, step in estimator.steps)
            if len(before) != 1 or type(before[0]) is not StandardScaler or not before[0].with_std:
                return None
            is_scaled = True
        if type(estimator) is not SVC or estimator.kernel != "rbf" or estimator.max_iter != -1 or estimator.break_ties:
            return None
        if not _is_positive(estimator.C) or not (estimator.gamma in ("auto", "scale") or _is_positive(estimator.gamma)):
            return None
        return cls(float(estimator.C), estimator.gamma, estimator.class_weight, is_scaled)

    def as_estimator(self) -> Any:
        """The same in scikit-learn's form."""
        machine = SVC(C=self.C, gamma=self.gamma, class_weight=self.class_weight)
        return Pipeline([("scale", StandardScaler()), ("machine", machine)]) if self.is_scaled else machine


def _is_positive(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < float(value) < np.inf


class SvmVotes:
    """Counts what a machine gets right; of classes that tie the one that is numbered first wins."""

    def __init__(
        self, X: Array, target: Array, classes: Array, folds: Folds, machine: Machine, n_jobs: int | None
    ) -> None:
        self._columns = np.ascontiguousarray(X.T)
        self._target = target.astype(np.int64)
        self._machine = machine
        self._n_jobs = n_jobs
        by_class = [rows[np.argsort(target[rows], kind="stable")] for rows, _ in folds]
        self._rows = np.concatenate(by_class), folds.train_starts, folds.test, folds.test_starts
        self._n_train, self._n_test = np.diff(folds.train_starts), np.diff(folds.test_starts)
        self._costs = np.array([_costs(machine, classes, target[rows], s) for s, rows in enumerate(by_class)])
        self._centres, self._factors, self._means, self._squares = (
            np.array(part) for part in zip(*(self._units(X[rows]) for rows in by_class), strict=True)
        )

    def hits(self, subsets: Sequence[Array]) -> Array:
        """Test samples of each class that are right with each subset, over all splits."""
        base = self._common(subsets)
        kept = self._kept(base)
        changes = [_change(base, subset) for subset in subsets]
        n_pairs = int((self._n_train * (self._n_train + self._n_test)).sum())
        # A pair of samples costs as much as some twenty features, whatever the features.
        n_steps = n_pairs * sum(20 + len(added) + len(removed) for added, removed in changes)
        return in_threads(partial(self._count, base, kept), changes, n_steps, self._n_jobs)

    def _units(self, X: Array) -> tuple[Array, Array, Array, Array]:
        """Centre and factor of every feature in one training part, and the sums that gamma needs."""
        n_features = X.shape[1]
        centre, factor = X.mean(axis=0), np.ones(n_features)
        if self._machine.is_scaled:
            scaler = StandardScaler().fit(X)
            centre, factor = scaler.mean_, 1.0 / (scaler.scale_ * STEP)
        if self._machine.gamma != "scale":
            return centre, factor, np.zeros(n_features), np.ones(n_features)
        if self._machine.is_scaled:
            return centre, factor, np.zeros(n_features), (scaler.var_ > 0).astype(np.float64)
        # From the middle of all values, so that a common offset does not drown what they differ by.
        means = centre - centre.mean()
        return centre, factor, means, X.var(axis=0) + means * means

    def _common(self, subsets: Sequence[Array]) -> Array:
        """The features of more than half of the subsets: no other base has fewer features to add or take away."""
        n_kept = int((self._n_train * (self._n_train + self._n_test)).sum())
        features, counts = np.unique(np.concatenate(subsets), return_counts=True)
        is_common = 2 * counts > len(subsets)
        n_steps = counts[~is_common].sum() + (len(subsets) - counts[is_common]).sum() + is_common.sum()
        if not self._machine.is_scaled or n_kept > _MOST_KEPT or n_steps >= counts.sum():
            return np.zeros(0, dtype=np.int64)
        return features[is_common]

    def _kept(self, base: Array) -> tuple[Array, Array]:
        """Distances of the base, and where those of each split begin."""
        if len(base) == 0:
            return np.zeros(len(self._n_train) + 1, dtype=np.int64), np.zeros(1)
        starts = np.concatenate([[0], np.cumsum(self._n_train * (self._n_train + self._n_test))])
        kept = np.empty(starts[-1])
        values = np.empty((len(base), self._columns.shape[1]))
        keep_distances(
            self._columns, self._centres, self._factors, self._machine.is_scaled, *self._rows,
            base, starts, kept, values,
        )  # fmt: skip
        return starts, kept

    def _count(self, base: Array, kept: tuple[Array, Array], changes: Sequence[tuple[Array, Array]]) -> Array:
        machine = self._machine
        hits = np.empty((len(changes), self._costs.shape[1]), dtype=np.int64)
        n_added = np.array([len(added) for added, _ in changes], dtype=np.int64)
        features, starts = joined([np.concatenate(change) for change in changes])
        gamma, unit = machine.gamma if isinstance(machine.gamma, Real) else 0.0, STEP**2 if machine.is_scaled else 1.0
        count_hits(
            self._columns, self._target, self._centres, self._factors, machine.is_scaled,
            self._means, self._squares, float(gamma), unit, self._costs, *self._rows,
            len(base), self._means[:, base].sum(axis=1), self._squares[:, base].sum(axis=1), *kept,
            features, starts, n_added, _TOLERANCE, _PATIENCE, hits, *self._scratch(int(np.diff(starts).max())),
        )  # fmt: skip
        return hits

    def _scratch(self, n_changed: int) -> tuple[Array, ...]:
        most, tested = int(self._n_train.max()), int(self._n_test.max())
        n_classes = self._costs.shape[1]
        return (
            np.empty((n_changed, self._columns.shape[1])),
            np.empty(int((self._n_train * (self._n_train + self._n_test)).max())),
            np.empty(most * most),
            *(np.empty(most) for _ in range(4)),
            *(np.empty(most, dtype=np.int64) for _ in range(2)),
            np.empty(n_classes + 1, dtype=np.int64),
            np.empty(tested * n_classes, dtype=np.int64),
        )


def _change(base: Array, subset: Array) -> tuple[Array, Array]:
    """Features that join the base and those that leave it."""
    if len(base) == 0:
        return subset, base
    return np.setdiff1d(subset, base, assume_unique=True), np.setdiff1d(base, subset, assume_unique=True)


def _costs(machine: Machine, classes: Array, target: Array, split: int) -> Array:
    """What an error costs in each class of one training part."""
    present = np.unique(target)
    if len(present) < 2:
        raise DataError(
            f"cv: all training samples of split {split} are of one class, {str(classes[present[0]])!r}, so that there "
            "is nothing to tell apart. Train on at least two classes."
        )
    costs: Array = np.zeros(len(classes))
    if isinstance(machine.class_weight, Mapping):
        # Weights by name do not hang on the samples, so that scikit-learn is asked about all classes.
        costs[present] = compute_class_weight(machine.class_weight, classes=classes, y=classes)[present]
    else:
        costs[present] = compute_class_weight(machine.class_weight, classes=classes[present], y=classes[target])
    return machine.C * costs
