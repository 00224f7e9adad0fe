"""What a fitted classifier is asked on a test part, and how the answers of all test parts make a score."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import fsum, inf, isfinite
from numbers import Real
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.measures._pooled import accuracy, balanced_accuracy, weighted_area
from holdfast.measures._refits import Judge, predicted_classes

Array = npt.NDArray[Any]


class Scoring(Protocol):
    """A score from what ``judge`` says of each test part."""

    judge: Judge
    #: Score without features; None if a classifier that knows the shares of the classes has to be asked.
    of_nothing: float | None

    def score(self, answers: list[Any]) -> float:
        """Score from the answers of all test parts."""


def scoring_by(given: Any, classes: Array, truth: Array) -> Scoring:
    """A score by name, or a scorer of scikit-learn's; ``truth`` numbers the classes of all test samples, in order."""
    if given == "auc":
        return Area(classes, truth)
    if given == "accuracy":
        return Hits(accuracy, classes, truth)
    if given == "balanced-accuracy":
        return Hits(balanced_accuracy, classes, truth)
    return Mean(given)


class Area:
    """Area under the ROC curve."""

    of_nothing: float | None = 0.5

    def __init__(self, classes: Array, truth: Array) -> None:
        if truth.min() == truth.max():
            raise DataError(
                f"cv: all test samples are of one class, {str(classes[truth[0]])!r}, so that there is no area under a "
                "curve. Test on all classes, or use scoring='accuracy'."
            )
        self.judge: Judge = partial(_class_scores, classes=classes)
        self._truth = truth

    def score(self, answers: list[Array]) -> float:
        """Area over all test samples together."""
        return weighted_area(self._truth, np.concatenate(answers))


class Hits:
    """A share of samples classified correctly."""

    def __init__(self, share: Callable[[Array, Array], float], classes: Array, truth: Array) -> None:
        self.judge: Judge = partial(_hits, classes=classes)
        self._share = share
        self._sizes = np.bincount(truth, minlength=len(classes))
        is_largest = np.arange(len(classes)) == self._sizes.argmax()
        self.of_nothing: float | None = share(self._sizes * is_largest, self._sizes)

    def score(self, answers: list[Array]) -> float:
        """Share over all test samples together."""
        return self._share(np.sum(answers, axis=0), self._sizes)


class Mean:
    """The mean of what a scorer says of each test part."""

    of_nothing: float | None = None

    def __init__(self, scorer: Callable[[Any, Array, Array], Any]) -> None:
        self.judge: Judge = partial(_asked, scorer=scorer)

    def score(self, answers: list[float]) -> float:
        """Mean, rounded once, so that the order of the splits does not matter."""
        return fsum(answers) / len(answers)


def _class_scores(fitted: Any, X: Array, y: Array, classes: Array) -> Array:
    """A column of scores per class, larger for what is more likely."""
    name = type(fitted).__name__
    if hasattr(fitted, "predict_proba"):
        values, least = np.asarray(fitted.predict_proba(X)), 0.0
    elif hasattr(fitted, "decision_function"):
        values, least = np.asarray(fitted.decision_function(X)), -inf
        if values.ndim == 1:
            values = np.column_stack([-values, values])
    else:
        raise ValueError(
            f"estimator: {name} has neither predict_proba nor decision_function, which scoring='auc' needs. Pass "
            "another classifier, or scoring='accuracy'."
        )
    known = np.asarray(getattr(fitted, "classes_", classes))
    if values.shape != (len(X), len(known)) or not np.isin(known, classes).all() or np.isnan(values).any():
        came = "NaN" if values.shape == (len(X), len(known)) else f"an array of shape {values.shape}"
        raise ValueError(
            f"estimator: {name} gave {came} for {len(X)} samples and {len(known)} classes, where one number per sample "
            "and class is needed. Pass a classifier, such as GaussianNB(), or scoring='accuracy'."
        )
    scores = np.full((len(X), len(classes)), least)
    scores[:, np.searchsorted(classes, known)] = values
    return scores


def _hits(fitted: Any, X: Array, y: Array, classes: Array) -> Array:
    """Samples of each class that are classified correctly."""
    is_hit = predicted_classes(fitted, X, classes) == y
    return np.bincount(np.searchsorted(classes, y[is_hit]), minlength=len(classes))


def _asked(fitted: Any, X: Array, y: Array, scorer: Callable[[Any, Array, Array], Any]) -> float:
    try:
        value = scorer(fitted, X, y)
    except TypeError as error:
        raise ValueError(
            f"scoring: {scorer!r} cannot be called as (estimator, X, y): {error}. Pass a scorer; make_scorer makes one "
            "of a metric, such as make_scorer(f1_score)."
        ) from error
    if not isinstance(value, (Real, np.number)) or not isfinite(value):
        raise ValueError(
            f"scoring: the scorer gave {value!r} for {type(fitted).__name__}, where a finite number is needed. Pass "
            "a function of (estimator, X, y), such as make_scorer(f1_score)."
        )
    return float(value)
