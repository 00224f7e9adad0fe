"""The work of one cell: a method on a split. All that looks at data happens inside the training part."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn import config_context
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from holdfast._errors import DataError
from holdfast._registry import UNLABELLED
from holdfast.data import Table
from holdfast.evaluate._contestants import OWN, Contestant
from holdfast.evaluate.classifiers import Classifier
from holdfast.evaluate.plan import ALL, Plan
from holdfast.stability._members import RepeatedSelector
from holdfast.stability._repeat import chosen_by, takes_table, vary
from holdfast.stability.perturb import folds

Array = npt.NDArray[Any]

N_INNER_FOLDS = 5
# What other people's code raises when it cannot go on.
_FAILURES = (ValueError, TypeError, ArithmeticError, RuntimeError, LookupError, AttributeError, NotImplementedError)
# What these predict is the class of the largest probability, which need not be computed twice.
_PREDICT_BY_PROBABILITY = (KNeighborsClassifier, GaussianNB)


@dataclass(frozen=True)
class Part:
    """Training samples as a method may see them: filled where values were missing, classes as codes."""

    rows: Array
    table: Table
    classes: Array
    groups: Array | None


@contextmanager
def alone() -> Iterator[None]:
    """One thread for matrix products, whose rounding may depend on their number, and no warnings.

    Both belong to the process: set it around all cells of a process, not in the threads that share it.
    """
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def evaluate_alone(plan: Plan, method: int, split: int | str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A cell in a process of its own."""
    with alone():
        return evaluate_cell(plan, method, split)


def evaluate_cell(plan: Plan, method: int, split: int | str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Result of a cell, the same whenever and wherever it is made, and what it took."""
    began = perf_counter()
    contestant = plan.methods[method]
    every = np.arange(plan.table.n_samples)
    train = every if split == ALL else plan.splits[int(split)].train
    test = every[:0] if split == ALL else plan.splits[int(split)].test
    filled = _filled(plan, train)
    part = _part(plan, filled, train)
    seed = plan.seed_of(split)
    started = perf_counter()
    lists, scores = select(contestant, part, plan.sizes, seed)
    cost: dict[str, Any] = {"select_seconds": perf_counter() - started}
    result: dict[str, Any] = {
        "method": contestant.name,
        "split": split,
        "chosen": {str(size): chosen.tolist() for size, chosen in lists.items()},
    }
    if split == ALL:
        result["scores"] = {str(size): scores[size] for size in lists}
        return result, {**cost, "seconds": perf_counter() - began}
    result["test"] = test.tolist()
    result["predictions"], cost["classify_seconds"] = _predictions(plan, filled, part, test, lists, seed)
    if plan.tune_size:
        started = perf_counter()
        result["tuned"] = _tuned(plan, contestant, part, seed)
        cost["tune_seconds"] = perf_counter() - started
    return result, {**cost, "seconds": perf_counter() - began}


def select(
    contestant: Contestant, part: Part, sizes: tuple[int | str, ...], seed: int
) -> tuple[dict[int | str, Array], dict[int | str, list[float | None]]]:
    """Features of each size, best first, and their scores; one long list serves all sizes where it can."""
    lists: dict[int | str, Array] = {}
    scores: dict[int | str, list[float | None]] = {}
    longest = max((int(size) for size in sizes if size != OWN), default=0)
    for size in sorted(sizes, key=lambda size: 0 if size == OWN else -int(size)):
        if size != OWN and contestant.is_prefix and longest in lists:
            lists[size], scores[size] = lists[longest][: int(size)], scores[longest][: int(size)]
        else:
            lists[size], scores[size] = _named(contestant, size, part, seed)
    return {size: lists[size] for size in sizes}, {size: scores[size] for size in sizes}


def _named(contestant: Contestant, size: int | str, part: Part, seed: int) -> tuple[Array, list[float | None]]:
    """A selection, or an error that says whose it was."""
    try:
        return _selected(contestant.build(size, seed), contestant, part)
    except DataError as error:
        raise DataError(f"{contestant.name} cannot choose from these samples. {error}") from error
    except _FAILURES as error:
        raise _failed(f"methods: {contestant.name}", len(part.rows), error) from error


def _failed(who: str, n_samples: int, error: Exception) -> ValueError:
    reason = f"{type(error).__name__}: {str(error).rstrip('.')}"
    return ValueError(f"{who} failed on {n_samples} samples ({reason}). Leave it out, or mend it.")


def _selected(selector: Any, contestant: Contestant, part: Part) -> tuple[Array, list[float | None]]:
    data: Any = part.table if takes_table(selector) else part.table.X
    is_unlabelled = contestant.method is not None and UNLABELLED in contestant.method.takes
    y = None if is_unlabelled else part.classes
    if isinstance(selector, RepeatedSelector) and part.groups is not None and len(np.unique(part.groups)) > 1:
        fitted = selector.fit(data, y, groups=part.groups)
    else:
        fitted = selector.fit(data, y)
    chosen = chosen_by(fitted, data)
    chosen = chosen.only(vary(data, None, chosen.indices))
    order = chosen.indices[np.argsort(chosen.places, kind="stable")]
    known = np.asarray(getattr(fitted, "scores_", np.full(part.table.n_features, np.nan)), dtype=np.float64)
    if known.shape != (part.table.n_features,):
        known = np.full(part.table.n_features, np.nan)
    return order, [float(score) if np.isfinite(score) else None for score in known[order]]


def _predictions(
    plan: Plan, filled: Array, part: Part, test: Array, lists: dict[int | str, Array], seed: int
) -> tuple[dict[str, Any], dict[str, float]]:
    found: dict[str, Any] = {one.name: {} for one in plan.classifiers}
    seconds = dict.fromkeys(found, 0.0)
    views = _Views(part, filled[test], lists, seed)
    for size, chosen in lists.items():
        for one in plan.classifiers:
            started = perf_counter()
            found[one.name][str(size)] = _answers(one, views, chosen)
            seconds[one.name] += perf_counter() - started
    return found, {name: total / len(lists) for name, total in seconds.items()}


class _Views:
    """Training and test samples in the chosen features, plain and standardised by the training part, scaled once."""

    def __init__(self, part: Part, X_test: Array, lists: dict[int | str, Array], seed: int) -> None:
        self.classes = part.classes
        self.seed = seed
        self._columns = np.unique(np.concatenate(list(lists.values())))
        self._train, self._test = part.table.X[:, self._columns], X_test[:, self._columns]
        if len(self._columns):
            scaler = StandardScaler().fit(self._train)
            self._scaled_train, self._scaled_test = scaler.transform(self._train), scaler.transform(self._test)

    def of(self, chosen: Array, *, scaled: bool) -> tuple[Array, Array]:
        """Training and test samples, columns in the order chosen."""
        if len(chosen) == 0:
            return np.zeros((len(self._train), 1)), np.zeros((len(self._test), 1))
        places = np.searchsorted(self._columns, chosen)
        train, test = (self._scaled_train, self._scaled_test) if scaled else (self._train, self._test)
        return train[:, places], test[:, places]


def _answers(classifier: Classifier, views: _Views, chosen: Array) -> dict[str, Any]:
    """Predicted classes, and scores: of the positive class if there are two, or of each class."""
    X, X_test = views.of(chosen, scaled=not classifier.scales_itself)
    # Of no features a classifier knows only how frequent the classes are.
    model = classifier.unfitted(views.seed) if len(chosen) else DummyClassifier(strategy="prior")
    try:
        with config_context(assume_finite=True, skip_parameter_validation=True):
            predicted, scores, is_probability = _predicted(model.fit(X, views.classes), X_test)
    except _FAILURES as error:
        raise _failed(f"classifiers: {classifier.name}", len(X), error) from error
    if scores is not None:
        scores = _of_classes(scores, model, int(views.classes.max()) + 1)
    return {"predicted": predicted, "scores": scores, "is_probability": is_probability}


def _predicted(model: Any, X: Array) -> tuple[list[int], Any, bool]:
    """Classes, scores if there are any, and whether these are probabilities."""
    scores: Any = None
    is_probability = hasattr(model, "predict_proba")
    if is_probability:
        scores = model.predict_proba(X)
    elif hasattr(model, "decision_function"):
        scores = model.decision_function(X)
    if type(model) in _PREDICT_BY_PROBABILITY:
        return model.classes_[scores.argmax(axis=1)].tolist(), scores, True
    return model.predict(X).tolist(), scores, is_probability


def _of_classes(scores: Array, model: Any, n_classes: int) -> list[Any] | None:
    """Scores of the positive class, or of every class; None if they are of something else, such as pairs of classes."""
    found: list[Any]
    if n_classes == 2:
        found = (scores[:, 1] if scores.ndim == 2 else scores).tolist()
        return found
    found = scores.tolist()
    is_of_pairs = getattr(model, "decision_function_shape", None) == "ovo" and not hasattr(model, "predict_proba")
    return None if is_of_pairs or scores.shape[1:] != (n_classes,) else found


def _tuned(plan: Plan, contestant: Contestant, part: Part, seed: int) -> dict[str, int | str]:
    """The size that each classifier does best with in folds of the training part; of equals the smallest."""
    n_classes = len(plan.class_names)
    right = {one.name: {size: np.zeros(n_classes) for size in plan.sizes} for one in plan.classifiers}
    tested = np.zeros(n_classes)
    for inner in _inner_folds(part, seed):
        outside = np.setdiff1d(np.arange(len(part.classes)), inner)
        truth = part.classes[outside]
        tested += np.bincount(truth, minlength=n_classes)
        some = Part(
            part.rows[inner],
            part.table.take(inner),
            part.classes[inner],
            None if part.groups is None else part.groups[inner],
        )
        lists, _ = select(contestant, some, plan.sizes, seed)
        views = _Views(some, part.table.X[outside], lists, seed)
        for size, chosen in lists.items():
            for one in plan.classifiers:
                is_right = np.array(_answers(one, views, chosen)["predicted"]) == truth
                right[one.name][size] += np.bincount(truth[is_right], minlength=n_classes)
    # By what the study judges: the share of all samples, or that of each class.
    whole = np.maximum(tested, 1) if plan.judged_by == "balanced_accuracy" else np.ones(n_classes)
    # Sizes ascend and max takes the first of equals.
    return {
        name: max(plan.sizes, key=lambda size: round(float((of_size[size] / whole).sum()), 12))
        for name, of_size in right.items()
    }


def _inner_folds(part: Part, seed: int) -> list[Array]:
    """Folds that leave two samples of every class to train on; a sample drawn twice stays in one of them."""
    groups = part.rows if part.groups is None else part.groups
    if len(np.unique(groups)) < 2:
        return []
    smallest = min(len(np.unique(groups[part.classes == code])) for code in np.unique(part.classes))
    n_folds = min(N_INNER_FOLDS, max(2, smallest), len(np.unique(groups)))
    drawn = folds(part.classes, n_folds, seed, groups=groups)
    return [rows for rows in drawn if _has_two_of_each(part.classes[rows], int(part.classes.max()) + 1)]


def _has_two_of_each(classes: Array, n_classes: int) -> bool:
    return bool(np.bincount(classes, minlength=n_classes).min() >= 2)


def _part(plan: Plan, filled: Array, train: Array) -> Part:
    table = Table(filled[train], plan.table.feature_names, [plan.table.sample_names[row] for row in train])
    return Part(train, table, plan.classes[train], None if plan.groups is None else plan.groups[train])


def _filled(plan: Plan, train: Array) -> Array:
    """All samples, missing values filled by what the training part tells of the feature."""
    X = plan.table.X
    if plan.impute is None:
        return X
    # A feature that no training sample has measured stays as a constant, so that columns keep their places.
    imputer = SimpleImputer(strategy=plan.impute, keep_empty_features=True).fit(X[train])
    filled: Array = imputer.transform(X)
    return filled
