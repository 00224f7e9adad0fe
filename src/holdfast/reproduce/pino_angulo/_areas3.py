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
        """Of features chosen on all samples; known ones are not judged again."""
        columns = np.sort(columns)
        key = classifier, columns.tobytes()
        if key not in self._known:
            self._known[key] = self.of_each(classifier, [columns] * len(self.split))
        return self._known[key]

    def of_each(self, classifier: str, subsets: Sequence[Array]) -> float:
        """Of features by fold."""
        scores = np.empty((len(self.task.y), self.task.n_classes))
        for (train, test), columns in zip(self.split, subsets, strict=True):
            scores[test] = self._scores(classifier, train, test, np.sort(columns))
        return weighted_area(self.task.y, scores)

    def _scores(self, classifier: str, train: Array, test: Array, columns: Array) -> Array:
        y, n_classes = self.task.y, self.task.n_classes
        if len(columns) == 0:
            return np.full((len(test), n_classes), 1 / n_classes)
        if classifier == "NB":
            by_kind = naive_bayes if self.task.is_discrete else gaussian_bayes
            return by_kind(self.task.X[:, columns], y, n_classes, train, test)
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
    """Chance of each class for the test samples from levels, each counted once more than it was seen."""
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


def gaussian_bayes(values: Array, y: Array, n_classes: int, train: Array, test: Array) -> Array:
    """Chance of each class for the test samples from numbers, a bell curve for each feature and class.

    No curve is narrower than a sixth of the mean gap between the values of a feature, as in Weka.
    """
    known, y_known = values[train], y[train]
    n_distinct = (np.diff(np.sort(known, axis=0), axis=0) > 0).sum(axis=0)
    # A feature without two values tells nothing, however wide its curves.
    narrowest = np.where(n_distinct > 0, np.ptp(known, axis=0) / (6 * np.maximum(n_distinct, 1)), 1.0)
    joint = np.full((len(test), n_classes), -np.inf)
    for c in np.unique(y_known):
        own = known[y_known == c]
        spread = np.maximum(own.std(axis=0), narrowest)
        away = (values[test] - own.mean(axis=0)) / spread
        joint[:, c] = np.log(len(own) / len(known)) - (away**2 / 2 + np.log(spread)).sum(axis=1)
    chances: Array = softmax(joint, axis=1)
    return chances


def _by_class(values: Array, known: Array, n_classes: int, least: float) -> Array:
    scores = np.full((len(values), n_classes), least)
    scores[:, known] = values
    return scores
