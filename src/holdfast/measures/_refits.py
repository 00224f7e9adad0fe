"""Cross-validation of any classifier: fitted anew for every subset and split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import clone

from holdfast.measures._folds import Folds

Array = npt.NDArray[Any]
#: Given a fitted classifier, test samples and their classes.
Judge: TypeAlias = Callable[[Any, Array, Array], Any]


class Refits:
    """Fits a classifier and has it judged; other people's Python runs in processes, unless joblib is told else."""

    def __init__(self, X: Array, y: Array, folds: Folds, estimator: Any, n_jobs: int | None) -> None:
        self._X = X
        self._y = y
        self._folds = folds
        self._estimator = estimator
        self._n_jobs = n_jobs

    def judged(self, subsets: Sequence[Array], judge: Judge) -> list[list[Any]]:
        """What ``judge`` says of each subset, split by split."""
        splits = list(self._folds)
        # Few subsets are shared out split by split; of many, each is one task, since handing over a task has its price.
        shares = [splits] if len(subsets) >= effective_n_jobs(self._n_jobs) else [[split] for split in splits]
        tasks = (
            delayed(_judged)(judge, self._estimator, self._X[:, subset], self._y, share)
            for subset in subsets
            for share in shares
        )
        found = Parallel(n_jobs=self._n_jobs)(tasks)
        return [list(chain(*found[i : i + len(shares)])) for i in range(0, len(found), len(shares))]

    def count_wrong(self, subsets: Sequence[Array]) -> Array:
        """Test samples misclassified with each subset, over all splits."""
        judge = partial(_count_wrong, classes=np.unique(self._y))
        return np.array([sum(wrong) for wrong in self.judged(subsets, judge)], dtype=np.int64)


def _judged(judge: Judge, estimator: Any, X: Array, y: Array, splits: Sequence[tuple[Array, Array]]) -> list[Any]:
    return [judge(clone(estimator).fit(X[train], y[train]), X[test], y[test]) for train, test in splits]


def _count_wrong(fitted: Any, X: Array, y: Array, classes: Array) -> int:
    return int((predicted_classes(fitted, X, classes) != y).sum())


def predicted_classes(fitted: Any, X: Array, classes: Array) -> Array:
    """The class that a classifier gives each sample, refused if it is none."""
    predicted = np.asarray(fitted.predict(X))
    is_class = np.isin(predicted, classes)
    if predicted.shape != (len(X),) or not is_class.all():
        came = f"an array of shape {predicted.shape}" if predicted.shape != (len(X),) else predicted[~is_class][0]
        raise ValueError(
            f"estimator: {type(fitted).__name__} predicted {came}, which is none of the classes "
            f"({', '.join(map(str, classes[:5]))}). Pass a classifier, such as KNeighborsClassifier(3)."
        )
    return predicted
