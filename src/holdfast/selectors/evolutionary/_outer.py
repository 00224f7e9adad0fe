"""An honest estimate: the whole selection is repeated without the samples on which its list is then tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import delayed
from scipy.stats import binomtest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

from holdfast._errors import DataError
from holdfast._parallel import in_order
from holdfast._progress import report, silent, watching
from holdfast.measures._folds import Folds, checked_splits, draw_folds, sample_order
from holdfast.measures._refits import Refits
from holdfast.measures._scoring import scoring_by
from holdfast.measures._svm_votes import Machine
from holdfast.measures._tree import numbered_by_appearance

Array = npt.NDArray[Any]
STOPPED = "it was interrupted"


@dataclass(frozen=True)
class Outer:
    """What came of it: the score over all test parts together, and what was chosen for each of them.

    ``why_not`` says why there is no score, or why it is not of all splits.
    """

    score: float
    interval: tuple[float, float]
    runs: Array
    n_splits: int
    why_not: str = ""

    @classmethod
    def none(cls, n_features: int, why_not: str, n_splits: int = 0) -> Outer:
        """No estimate."""
        return cls(np.nan, (np.nan, np.nan), np.zeros((0, n_features), dtype=bool), n_splits, why_not)


def outer_estimate(
    selector: Any, X: Array, labels: Array, names: Array | None, by: Array, cv: Any,
    seeds: np.random.SeedSequence, *, max_time: float | None,
) -> Outer:  # fmt: skip
    """Select anew in every training part and test the list on the rest.

    ``by`` are the columns that samples are known by, so that their order does not matter.
    """
    fold_seed, parts_seed = seeds.spawn(2)
    _, codes = np.unique(labels, return_inverse=True)
    order = sample_order(X[:, by], codes)
    try:
        folds = draw_folds(X, labels, order, cv, np.random.default_rng(fold_seed))
    except DataError as error:
        return Outer.none(X.shape[1], str(error))
    n_splits = len(folds)
    tasks = (
        delayed(_chosen_without)(selector, X, labels, names, order[train], int(seed.generate_state(1)[0]), max_time)
        for (train, _), seed in zip(folds, parts_seed.spawn(n_splits), strict=True)
    )
    chosen: list[Array] = []
    why_not = ""
    report("Outer splits", 0, n_splits)
    try:
        for features in in_order(tasks, selector.n_jobs):
            chosen.append(features)
            report("Outer splits", len(chosen), n_splits)
    except ValueError as error:
        # An outer part is smaller than the table, and may be too small for a classifier.
        return Outer.none(X.shape[1], f"an outer search failed: {error}", n_splits)
    except KeyboardInterrupt:
        why_not = STOPPED
        if not chosen:
            return Outer.none(X.shape[1], why_not, n_splits)
    runs = np.zeros((len(chosen), X.shape[1]), dtype=bool)
    for run, features in zip(runs, chosen, strict=True):
        run[features] = True
    try:
        score, interval = _judged(selector, X[order], labels[order], folds, chosen)
    except ValueError as error:
        return Outer.none(X.shape[1], f"an outer test failed: {error}", n_splits)
    return Outer(score, interval, runs, n_splits, why_not)


def _chosen_without(
    selector: Any, X: Array, labels: Array, names: Array | None, rows: Array, seed: int, max_time: float | None
) -> Array:
    """What is chosen from one training part."""
    part = clone(selector).set_params(outer_cv=None, random_state=seed, max_time=max_time, n_jobs=None)
    if isinstance(selector.cv, (list, tuple)):
        part.set_params(cv=_within(checked_splits(selector.cv, X, labels), rows))
    with watching(silent):
        chosen: Array = part.named_for_ties(names).in_a_loop().fit(X[rows], labels[rows]).indices_
    return chosen


def _within(splits: list[tuple[Array, Array]], rows: Array) -> list[tuple[Array, Array]]:
    """What is left of splits among some rows, as places in these."""
    left = [(np.flatnonzero(np.isin(rows, train)), np.flatnonzero(np.isin(rows, test))) for train, test in splits]
    left = [(train, test) for train, test in left if len(train) and len(test)]
    if not left:
        raise DataError("no split of cv has samples to train and to test on in the training part of an outer split")
    return left


def _judged(
    selector: Any, X: Array, labels: Array, folds: Folds, chosen: list[Array]
) -> tuple[float, tuple[float, float]]:
    """Score of the classifier of the search on all test parts, each with the list that was chosen without it."""
    estimator, y = selector.estimator, labels
    if estimator is None:
        estimator, y = Machine().as_estimator(), numbered_by_appearance(labels)
    classes, codes = np.unique(y, return_inverse=True)
    splits = list(folds)[: len(chosen)]
    scoring = scoring_by(selector.scoring, classes, np.concatenate([codes[test] for _, test in splits]))
    answers = []
    for split, features in zip(splits, chosen, strict=True):
        values, model = X[:, np.sort(features)], estimator
        if len(features) == 0:
            values, model = np.zeros((len(y), 1)), DummyClassifier(strategy="prior")
        refits = Refits(values, y, Folds.of([split]), model, None)
        answers += refits.judged([np.arange(values.shape[1])], scoring.judge)[0]
    score = scoring.score(answers)
    if selector.scoring != "accuracy":
        return score, (np.nan, np.nan)
    # A sample that is tested again is no new one.
    n_tested = len(np.unique(np.concatenate([test for _, test in splits])))
    interval = binomtest(round(score * n_tested), n_tested).proportion_ci(method="wilson")
    return score, (float(interval.low), float(interval.high))
