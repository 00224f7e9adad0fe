"""The area under the ROC curve of a set of features, by three classifiers, over the test samples of all folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from sklearn.svm import SVC

from holdfast.measures._pooled import weighted_area
from holdfast.measures._tree import decision_tree
from holdfast.reproduce.pino_angulo._tables3 import Split, Task

Array = npt.NDArray[Any]

CLASSIFIERS = ("NB", "tree", "SVM")
# On larger tables a machine takes hours.
MOST_FOR_SVM = 3200


class Areas:
    """Areas under the curve, each class against the rest by its size."""

    def __init__(self, task: Task, split: Split) -> None:
        self.task = task
        self.split = split
        self._known: dict[tuple[str, bytes], float] = {}

    def of_one(self, classifier: str, columns: Array) -> float:
        """Of features chosen on all samples, with levels from all samples; known ones are not judged again."""
        columns = np.sort(columns)
        key = classifier, columns.tobytes()
        if key not in self._known:
            n = len(self.split)
            self._known[key] = self.of_each(classifier, [columns] * n, [self.task.levels] * n)
        return self._known[key]

    def of_each(self, classifier: str, subsets: Sequence[Array], levels: Sequence[Array]) -> float:
        """Of features and levels by fold."""
        scores = np.empty((len(self.task.y), self.task.n_classes))
        for (train, test), columns, found in zip(self.split, subsets, levels, strict=True):
            scores[test] = self._scores(classifier, train, test, np.sort(columns), found)
        return weighted_area(self.task.y, scores)

    def _scores(self, classifier: str, train: Array, test: Array, columns: Array, levels: Array) -> Array:
        y, n_classes = self.task.y, self.task.n_classes
        if len(columns) == 0:
            return np.full((len(test), n_classes), 1 / n_classes)
        if classifier == "NB":
            return naive_bayes(levels[:, columns], y, n_classes, train, test)
        values = self.task.values(columns)
        if classifier == "tree":
            tree = decision_tree().fit(values[train], y[train])
            return _by_class(tree.predict_proba(values[test]), tree.classes_, n_classes, 0.0)
        spread = values[train].std(axis=0)
        values = (values - values[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        machine = SVC(C=1.0, kernel="rbf", gamma="auto").fit(values[train], y[train])
        far = machine.decision_function(values[test])
        far = np.column_stack([-far, far]) if far.ndim == 1 else far
        return _by_class(far, machine.classes_, n_classes, -np.inf)


def naive_bayes(levels: Array, y: Array, n_classes: int, train: Array, test: Array) -> Array:
    """Chance of each class for the test samples, every level counted once more than it was seen."""
    n_of_class = np.bincount(y[train], minlength=n_classes)
    with np.errstate(divide="ignore"):
        joint = np.tile(np.log(n_of_class / n_of_class.sum()), (len(test), 1))
    for column in levels.T.astype(np.int64):
        n_levels = int(column.max()) + 1
        pairs = np.bincount(column[train] * n_classes + y[train], minlength=n_levels * n_classes)
        share = (pairs.reshape(n_levels, n_classes) + 1) / (n_of_class + n_levels)
        joint += np.log(share)[column[test]]
    chances: Array = softmax(joint, axis=1)
    return chances


def _by_class(values: Array, known: Array, n_classes: int, least: float) -> Array:
    scores = np.full((len(values), n_classes), least)
    scores[:, known] = values
    return scores
