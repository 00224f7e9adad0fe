"""Cross-validation of any classifier: fitted anew for every subset and split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import clone

from holdfast.measures._folds import Folds

Array = npt.NDArray[Any]


class Refits:
    """Counts what a classifier misclassifies; other people's Python runs in processes, unless joblib is told else."""

    def __init__(self, X: Array, y: Array, folds: Folds, estimator: Any, n_jobs: int | None) -> None:
        self._X = X
        self._y = y
        self._folds = folds
        self._estimator = estimator
        self._n_jobs = n_jobs

    def count_wrong(self, subsets: Sequence[Array]) -> Array:
        """Test samples misclassified with each subset, over all splits."""
        splits = list(self._folds)
        # Few subsets are shared out split by split; of many, each is one task, since handing over a task has its price.
        shares = [splits] if len(subsets) >= effective_n_jobs(self._n_jobs) else [[split] for split in splits]
        tasks = (
            delayed(_count_wrong)(self._estimator, self._X[:, subset], self._y, share)
            for subset in subsets
            for share in shares
        )
        wrong = np.array(Parallel(n_jobs=self._n_jobs)(tasks), dtype=np.int64)
        total: Array = wrong.reshape(len(subsets), len(shares)).sum(axis=1)
        return total


def _count_wrong(estimator: Any, X: Array, y: Array, splits: Sequence[tuple[Array, Array]]) -> int:
    return sum(_count_wrong_in(estimator, X, y, train, test) for train, test in splits)


def _count_wrong_in(estimator: Any, X: Array, y: Array, train: Array, test: Array) -> int:
    predicted = np.asarray(clone(estimator).fit(X[train], y[train]).predict(X[test]))
    is_class = np.isin(predicted, y)
    if predicted.shape != test.shape or not is_class.all():
        came = f"an array of shape {predicted.shape}" if predicted.shape != test.shape else predicted[~is_class][0]
        raise ValueError(
            f"estimator: {type(estimator).__name__} predicted {came}, which is none of the classes "
            f"({', '.join(map(str, np.unique(y)[:5]))}). Pass a classifier, such as KNeighborsClassifier(3)."
        )
    return int((predicted != y[test]).sum())
