"""What each feature of a set adds to it: the set without it, one at a time (Hosseini 2018, §4.3, Table 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.data._wording import listed
from holdfast.evaluate._sets import ChosenSet, chosen_set, require, same_set
from holdfast.evaluate._trained import SCALED_BY, in_units, right
from holdfast.evaluate.cell import alone
from holdfast.evaluate.classifiers import Classifier
from holdfast.evaluate.classifiers import classifier as as_classifier
from holdfast.kernels.lazy import TIE
from holdfast.measures._distances import CLASSES
from holdfast.selectors.distance._base import KIND
from holdfast.selectors.distance._judge import INDEX, MEASURE, SCALE, Measuring, is_classifier

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Redundancy:
    """What a set is worth, and what it is worth without each of its features.

    Use ``redundancy`` to make one, and ``report.redundancy_bars`` to see it.

    Parameters
    ----------
    features : tuple of str
        Names of the set, in the order in which it was given.
    columns : ndarray of shape (n_features,)
        Their columns.
    value : float
        What the whole set is worth.
    value_without : ndarray of shape (n_features,)
        What it is worth without each feature.
    is_redundant : ndarray of shape (n_features,), dtype=bool
        Where the set is worth no less without the feature.
    measure : str
        How sets were valued.
    classifier : str or None
        Name of the classifier.
    train_accuracy : float or None
        Accuracy with the whole set on the samples it was trained on.
    train_accuracy_without : ndarray of shape (n_features,) or None
        The same without each feature.
    test_accuracy : float or None
        Accuracy with the whole set on the test samples.
    test_accuracy_without : ndarray of shape (n_features,) or None
        The same without each feature.

    Examples
    --------
    >>> from holdfast.evaluate.redundancy import redundancy
    >>> result = redundancy([[0, 2], [1, 0], [3, 1], [4, 5], [8, 4]], [0, 0, 0, 1, 1], [0, 1])
    >>> round(result.value, 4), result.value_without.round(4).tolist(), result.is_redundant.tolist()
    (0.9413, [0.9445, 0.8237], [True, False])
    """

    features: tuple[str, ...]
    columns: Array
    value: float
    value_without: Array
    is_redundant: Array
    measure: str
    classifier: str | None = None
    train_accuracy: float | None = None
    train_accuracy_without: Array | None = None
    test_accuracy: float | None = None
    test_accuracy_without: Array | None = None

    @property
    def loss(self) -> Array:
        """What the set loses with each feature; below 0 where it gains."""
        loss: Array = self.value - self.value_without
        return loss

    def table(self) -> list[dict[str, Any]]:
        """One row for the whole set and one for the set without each feature; accuracies where there are any."""
        rows: list[dict[str, Any]] = [
            {"without": None, "n_features": len(self.features), "value": self.value, "is_redundant": None}
        ]
        rows += [
            {
                "without": name,
                "n_features": len(self.features) - 1,
                "value": float(self.value_without[i]),
                "is_redundant": bool(self.is_redundant[i]),
            }
            for i, name in enumerate(self.features)
        ]
        for key, whole, parts in (
            ("train_accuracy", self.train_accuracy, self.train_accuracy_without),
            ("test_accuracy", self.test_accuracy, self.test_accuracy_without),
        ):
            if parts is not None:
                for row, accuracy in zip(rows, [whole, *parts.tolist()], strict=True):
                    row[key] = accuracy
        return rows


def redundancy(
    X: Any,
    y: Any,
    features: Any,
    *,
    measure: Any = "dcor",
    index: str = "biased",
    scale: str = "range",
    y_is: str = "classes",
    classifier: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    scaled_by: str = "train",
    feature_names: Any = None,
) -> Redundancy:
    """What each feature of a set adds: the value of the set, and of the set without each feature.

    Use it to see whether a chosen set could do with fewer features. A feature is redundant if the set is worth no less
    without it. Accuracies on few samples come in coarse steps: go by the value, and see in the accuracies what follows.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The training samples.
    y : array-like of shape (n_samples,) or None
        The target; a Table brings its own.
    features : list of str or int, mask, or fitted selector
        The set: names, columns numbered from 0, or what a selector chose.
    measure : "dcor" or callable, default="dcor"
        What a set is worth: its distance correlation with the target, or a function of the values of a set, of shape
        (n_samples, n_features), and of y; more is better, and the empty set is worth 0.
    index : {"biased", "biased-squared", "unbiased"}, default="biased"
        Form of the distance correlation.
    scale : {"range", "standard", "none"}, default="range"
        Units of the features, for distances and for the classifier. A function sees values as they came.
    y_is : {"classes", "numbers"}, default="classes"
        What the target holds; a classifier needs classes.
    classifier : str, classifier or None, default=None
        Also judge each set by the accuracy of this one: a name such as "nb" or "knn", or any of scikit-learn's. It sees
        scaled features; a pipeline sees them as they came.
    X_test : Table, data frame or array-like of shape (n_test, n_features), default=None
        Other samples to test the classifier on.
    y_test : array-like of shape (n_test,), default=None
        Their classes.
    scaled_by : {"train", "per-set", "pooled"}, default="train"
        Whose units the classifier's features have: those of the training samples; for test samples their own, which
        evens out another laboratory but needs all of them at once; or those of all samples together.
    feature_names : list of str, default=None
        Names of all columns, where X has none.

    Returns
    -------
    result : Redundancy
        Values, verdicts and accuracies; ``result.table()`` has them as rows.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate.redundancy import redundancy
    >>> made = copies(n_samples=60, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = redundancy(made.X, made.y, made.relevant[:2], classifier="nb", feature_names=made.feature_names)
    >>> [(row["without"], round(row["value"], 3), row["is_redundant"]) for row in result.table()]
    [(None, 0.454, None), ('f1', 0.475, True), ('f8', 0.326, False)]
    """
    require("redundancy", _ALLOWED, measure=measure, index=index, scale=scale, y_is=y_is, scaled_by=scaled_by)
    if is_classifier(measure):
        raise ValueError("measure is a classifier. Pass it as classifier=, which tells accuracies beside the values.")
    judged = None if classifier is None else as_classifier(classifier)
    if judged is not None and y_is != CLASSES:
        raise ValueError(f"A classifier needs classes, but y_is={y_is!r}. Leave the classifier out.")
    chosen = chosen_set("redundancy", X, y, features, feature_names, of_classes=y_is == CLASSES)
    tested = _tested(chosen, judged, X_test, y_test)
    whole = np.arange(len(chosen.names))
    sets = [whole, *(np.delete(whole, i) for i in whole)]
    target = chosen.codes if y_is == CLASSES else chosen.labels.astype(np.float64)
    judge = Measuring(measure, index, scale, kind=y_is).judge(chosen.X, target, chosen.labels)
    value, *without = (judge.of(one) for one in sets)
    told = {} if judged is None else _accuracies(judged, chosen, tested, sets, scaled_by, scale)
    return Redundancy(
        features=chosen.names,
        columns=chosen.columns,
        value=value,
        value_without=np.array(without),
        is_redundant=np.array(without) >= value - TIE,
        measure=f"distance correlation, {index}" if isinstance(measure, str) else _called(measure),
        classifier=None if judged is None else judged.name,
        **told,
    )


_ALLOWED = {"measure": MEASURE, "index": INDEX, "scale": SCALE, "y_is": KIND, "scaled_by": SCALED_BY}


def _called(measure: Any) -> str:
    return str(getattr(measure, "__name__", type(measure).__name__))


def _tested(chosen: ChosenSet, judged: Classifier | None, X_test: Any, y_test: Any) -> ChosenSet | None:
    """The set in the test samples, if there are any."""
    if X_test is None:
        if y_test is not None:
            raise ValueError("y_test came without X_test. Pass both, or neither.")
        return None
    if judged is None:
        raise ValueError("X_test is for a classifier, and none came. Pass classifier='nb', or leave X_test out.")
    tested = same_set("redundancy with X_test", chosen, X_test, y_test)
    unknown = [label for label in tested.classes if label not in chosen.classes]
    if unknown:
        raise DataError(
            f"y_test has the class {unknown[0]!r}, which no training sample has; there are {listed(chosen.classes)}. "
            "Call classes the same in both, or leave these samples out."
        )
    return tested


def _accuracies(
    judged: Classifier, chosen: ChosenSet, tested: ChosenSet | None, sets: list[Array], scaled_by: str, scale: str
) -> dict[str, Any]:
    codes, train = chosen.codes, chosen.X
    asked, truth = train[:0], codes[:0]
    if tested is not None:
        asked, truth = tested.X, np.searchsorted(np.array(chosen.classes), tested.labels)
    if not judged.scales_itself:
        train, asked = in_units(train, asked, scaled_by, scale)
    with alone():
        hits = [
            right(judged, train[:, one], codes, [(train[:, one], codes), (asked[:, one], truth)], seed=0)
            for one in sets
        ]
    found = np.array(hits, dtype=np.float64)
    accuracy = found[:, 0] / len(codes)
    told: dict[str, Any] = {"train_accuracy": float(accuracy[0]), "train_accuracy_without": accuracy[1:]}
    if tested is not None:
        accuracy = found[:, 1] / len(truth)
        told |= {"test_accuracy": float(accuracy[0]), "test_accuracy_without": accuracy[1:]}
    return told
