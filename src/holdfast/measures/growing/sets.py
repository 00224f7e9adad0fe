"""Scores that look at every set anew: distance correlation, an estimator of scikit-learn's kind, a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from holdfast._errors import DataError
from holdfast._progress import report
from holdfast.measures._asked import asked
from holdfast.measures._distances import BIASED, SubsetDistances
from holdfast.measures._folds import Folds
from holdfast.measures._refits import Judge, Refits
from holdfast.measures._scoring import scoring_by
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.neighbours import POOLED

Array = npt.NDArray[Any]
_AT_ONCE = 128


class SetScore(GrowingScore):
    """Scores of sets of columns, which are handed over in the order of the table."""

    def __init__(self, X: Array) -> None:
        super().__init__()
        self._X = X

    def _scores(self, X: Array, sets: Sequence[Array]) -> Array:
        """Score of each set of columns of X."""
        raise NotImplementedError

    def _with_each(self, features: Array) -> Array:
        return self._scores(self._X, [np.sort([*self.members, feature]) for feature in features])

    def _without_each(self, features: Array) -> Array:
        members = np.sort(self.members)
        return self._scores(self._X, [members[members != feature] for feature in features])

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        members = np.sort([*self.members, feature])
        place = int(np.flatnonzero(members == feature)[0])
        X = np.column_stack([self._X[:, members], self._X[:, feature][orders].T])
        own = np.arange(len(members))
        return self._scores(X, [np.where(own == place, len(members) + i, own) for i in range(len(orders))])

    def _permuted(self, orders: Array) -> Array:
        members = np.sort(self.members)
        own = np.arange(len(members))
        return np.concatenate([self._scores(self._X[order][:, members], [own]) for order in orders])


class DistanceScore(SetScore):
    """Distance correlation of a set with the target.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features in comparable units.
    target : ndarray of shape (n_samples,)
        Codes of classes, or numbers.
    kind : {"classes", "numbers"}
        What the target is.
    """

    of_nothing = 0.0

    def __init__(self, X: Array, target: Array, kind: str) -> None:
        super().__init__(X)
        self._of = partial(SubsetDistances, target=target, kind=kind, index=BIASED)
        self._whole = self._of(X)

    def _scores(self, X: Array, sets: Sequence[Array]) -> Array:
        distances = self._whole if X is self._X else self._of(X)
        starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
        return distances.of(np.concatenate(sets).astype(np.int64), starts)


class FunctionScore(SetScore):
    """What a function says of the values of a set and the target.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features.
    labels : ndarray of shape (n_samples,)
        The target as the user gave it.
    function : callable
        From (X, y) to a number; more is better.
    n_jobs : int or None
        Parallel jobs, as in joblib.
    """

    def __init__(
        self, X: Array, labels: Array, function: Callable[[Array, Array], Any], n_jobs: int | None = None
    ) -> None:
        super().__init__(X)
        self._labels = labels
        self._function = function
        self._n_jobs = n_jobs

    def _scores(self, X: Array, sets: Sequence[Array]) -> Array:
        answer = np.empty(len(sets))
        for first in range(0, len(sets), _AT_ONCE):
            part = sets[first : first + _AT_ONCE]
            answer[first : first + len(part)] = Parallel(n_jobs=self._n_jobs)(
                delayed(asked)(self._function, X[:, one], self._labels, "criterion") for one in part
            )
            if len(sets) > _AT_ONCE:
                report("Sets judged", first + len(part), len(sets))
        return answer


class EstimatorScore(SetScore):
    """What an estimator makes of a set, on the test parts of splits.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features.
    labels : ndarray of shape (n_samples,)
        The target as the user gave it.
    folds : Folds
        Splits; one that trains and tests on everything for a score in training.
    estimator : classifier or regressor
        Cloned and fitted for every set and split.
    kind : {"classes", "numbers"}
        What the target is.
    scoring : str, callable or None
        None for accuracy or R²; a name as in ``WrapperScore``; or a scorer, whose answers on the splits are averaged.
    aggregate : {"pooled", "mean"}
        Whether all test samples count alike, or all splits.
    n_jobs : int or None
        Parallel jobs, as in joblib.
    """

    def __init__(
        self,
        X: Array,
        labels: Array,
        folds: Folds,
        estimator: Any,
        kind: str,
        *,
        scoring: Any = None,
        aggregate: str = POOLED,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(X)
        self._refits = partial(Refits, y=labels, folds=folds, estimator=estimator, n_jobs=n_jobs)
        self._whole = self._refits(X)
        self.n_per_set = len(folds)
        self._judge: Judge
        truths = [labels[test] for _, test in folds]
        if callable(scoring):
            mean = scoring_by(scoring, labels, labels)
            self._judge, self._score = mean.judge, mean.score
        elif kind == "numbers":
            self._judge = _predicted
            self._score = partial(_r_squared, truths=truths, is_pooled=aggregate == POOLED)
            self.of_nothing = 0.0
        else:
            classes, target = np.unique(labels, return_inverse=True)
            name = "accuracy" if scoring is None else scoring
            if aggregate == POOLED:
                pooled = scoring_by(name, classes, target[folds.test])
                self._judge, self._score = pooled.judge, pooled.score
                self.of_nothing = -np.inf if pooled.of_nothing is None else pooled.of_nothing
            else:
                parts = [scoring_by(name, classes, target[test]) for _, test in folds]
                self._judge = parts[0].judge
                self._score = lambda answers: (
                    fsum(part.score([answer]) for part, answer in zip(parts, answers, strict=True)) / len(parts)
                )
                self.of_nothing = scoring_by(name, classes, target).of_nothing or 0.0

    def _scores(self, X: Array, sets: Sequence[Array]) -> Array:
        refits = self._whole if X is self._X else self._refits(X)
        answer = np.empty(len(sets))
        for first in range(0, len(sets), _AT_ONCE):
            part = sets[first : first + _AT_ONCE]
            judged = refits.judged(part, self._judge)
            answer[first : first + len(part)] = [self._score(answers) for answers in judged]
            if len(sets) > _AT_ONCE:
                report("Sets judged", first + len(part), len(sets))
        return answer


def _predicted(fitted: Any, X: Array, y: Array) -> Array:
    predicted = np.asarray(fitted.predict(X))
    if predicted.shape != (len(X),) or predicted.dtype.kind not in "iuf" or not np.isfinite(predicted).all():
        raise DataError(
            f"estimator: {type(fitted).__name__} gave predictions of shape {predicted.shape} and type "
            f"{predicted.dtype} for {len(X)} samples, where one finite number each is needed. Pass a regressor, such "
            "as KNeighborsRegressor(5)."
        )
    return predicted.astype(np.float64)


def _r_squared(answers: list[Array], truths: list[Array], is_pooled: bool) -> float:
    if is_pooled:
        answers, truths = [np.concatenate(answers)], [np.concatenate(truths)]
    shares = []
    unit = max(float(np.abs(truth).max()) for truth in truths)
    for given, known in zip(answers, truths, strict=True):
        answer, truth = given / unit, known / unit
        missed, whole = ((truth - answer) ** 2).sum(), ((truth - truth.mean()) ** 2).sum()
        # As scikit-learn has it: a part that does not vary is foreseen or not.
        shares.append(1.0 - missed / whole if whole > 0 else float(missed == 0))
    return fsum(shares) / len(shares)
