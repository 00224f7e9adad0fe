"""The experiments of chapter 2: test errors by number of features, for filters, baselines and wrappers.

Ten stratified folds; features are chosen on nine, a classifier is trained on nine with the first 1, 2, … of them and
tried on the tenth.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.neighbors import KNeighborsClassifier

from holdfast._registry import selector
from holdfast.reproduce.ben_brahim._sets import prepared
from holdfast.reproduce.protocol import Fold, folds, predict_1nn, predict_svm
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.stability import kuncheva

Array = npt.NDArray[Any]

SEED = 0
ONE_NN, SVM = "1-NN", "linear SVM"
OF_FOLDS, POOLED = "mean of folds", "pooled"
CLASSIFIERS = {ONE_NN: predict_1nn, SVM: predict_svm}

INSTANCE_BASED = ("IB-OF", "IB-WMA", "IB-RA", "IB-RedE")
BASELINES = {"Relief": "relief", "mRMR": "mrmr+", "t-test": "t-test", "Entropy": "entropy"}
HYBRIDS = ("HIB-SBS", "HIB-CSS")
SEQUENTIAL, RANDOMIZED = "Hyb-Seq", "Randomized"
WRAPPERS = (*HYBRIDS, SEQUENTIAL, RANDOMIZED)


@dataclass(frozen=True)
class Scale:
    """How much is run: folds, numbers of features, and lengths of the candidate lists of filters and of hybrids."""

    n_folds: int
    sizes: tuple[int, ...]
    lengths: tuple[int, ...]
    hybrid_lengths: tuple[int, ...]


FULL = Scale(10, (*range(1, 41), *range(45, 101, 5)), tuple(range(1, 16)), tuple(range(1, 11)))
FEW = Scale(3, (1, 2, 5, 10, 20, 50), (2, 10), (2, 5))


@dataclass(frozen=True)
class Reading:
    """How to fill what the thesis does not say: the candidate lists, and whether 1-NN sees standardised features."""

    lists: Mapping[str, str]
    scales_1nn: bool

    @property
    def estimator(self) -> KNeighborsClassifier | None:
        """The classifier inside the wrappers; None is their own, on standardised features."""
        return None if self.scales_1nn else KNeighborsClassifier(1)


DEFAULT, LITERAL = "default", "literal"
READINGS = {
    DEFAULT: Reading({}, scales_1nn=True),
    LITERAL: Reading({"scale": "none", "neighbours": "feature"}, scales_1nn=False),
}


@dataclass(frozen=True)
class Curve:
    """Test errors of one method by number of features, in every fold, and the stability of the features."""

    sizes: Array
    n_wrong: Array
    n_tested: Array
    stability: Array

    def mce(self, average: str) -> Array:
        """Misclassification error of every size: errors of all folds together, or the mean of the folds' errors."""
        if average == POOLED:
            pooled: Array = self.n_wrong.sum(axis=0) / self.n_tested.sum()
            return pooled
        return as_fractions((self.n_wrong / self.n_tested[:, np.newaxis]).mean(axis=0))

    def place(self, size: int) -> int | None:
        """Where a number of features stands, if it was tried."""
        found = np.flatnonzero(self.sizes == size)
        return int(found[0]) if len(found) else None

    def as_json(self) -> dict[str, Any]:
        """What JSON can hold."""
        return {name: getattr(self, name).tolist() for name in ("sizes", "n_wrong", "n_tested", "stability")}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> Curve:
        """The curve again."""
        return cls(**{name: np.array(values) for name, values in kept.items()})


def as_fractions(sums: Array) -> Array:
    """Sums of fractions without their last bits, which would decide between equal ones."""
    rounded: Array = np.round(sums, 12)
    return rounded


def curve(
    table: Table, split: Sequence[Fold], orders: Sequence[Array], classifier: str, sizes: Iterable[int], reading: str
) -> Curve:
    """Errors with the first features of the order found in each fold; only sizes that every fold has."""
    shortest = min(map(len, orders))
    kept = [size for size in sizes if size <= shortest]
    is_scaled = classifier == SVM or READINGS[reading].scales_1nn
    n_wrong = np.zeros((len(split), len(kept)), dtype=np.int64)
    for row, fold, order in zip(n_wrong, split, orders, strict=True):
        runs = (order[start:stop] for start, stop in pairwise((0, *kept)))
        predicted = CLASSIFIERS[classifier](fold.Z if is_scaled else table.X, table.y, fold, runs)
        row[:] = [(labels != table.y[fold.test]).sum() for labels in predicted]
    n_features = table.X.shape[1]
    stable = [
        kuncheva([order[:size].tolist() for order in orders], n_features=n_features, when_all_chosen=1.0)
        for size in kept
    ]
    n_tested = np.array([len(fold.test) for fold in split])
    return Curve(np.array(kept, dtype=np.int64), n_wrong, n_tested, np.array(stable))


def joined(curves: Sequence[Curve]) -> Curve:
    """One curve of several that have different sizes."""
    sizes = np.concatenate([one.sizes for one in curves])
    order = np.argsort(sizes, kind="stable")
    return Curve(
        sizes[order],
        np.hstack([one.n_wrong for one in curves])[:, order],
        curves[0].n_tested,
        np.concatenate([one.stability for one in curves])[order],
    )


def orders_of(table: Table, split: Sequence[Fold], name: str, **parameters: Any) -> list[Array]:
    """Features in the order a method gives them, chosen on the training part of each fold."""
    return [selector(name, **parameters).fit(table.X[fold.train], table.y[fold.train]).indices_ for fold in split]


def run(data: str, method: str, reading: str, scale: Scale, sizes: Sequence[int], shelf: Shelf) -> dict[str, Any]:
    """One method on one table, by every classifier that it is tried with, and the seconds of its selections.

    ``sizes`` are the numbers of features to try; the sequential search and the hybrids have more.
    """
    table = prepared(shelf, data)
    split = folds(table, SEED, scale.n_folds)
    start = time.process_time()
    found = _selected(table, split, method, reading, scale, sizes)
    seconds = time.process_time() - start
    tried = _tried(method, sizes, table.X.shape[1])
    curves = {}
    for classifier in _classifiers(method, reading):
        if method == RANDOMIZED:
            walks = [curve(table, split, walk, classifier, [size], reading) for size, walk in found.items()]
            by_length = {"": joined(walks)}
        else:
            by_length = {
                str(length or ""): curve(table, split, orders, classifier, tried, reading)
                for length, orders in found.items()
            }
        curves[classifier] = {length: one.as_json() for length, one in by_length.items()}
    return {"data": data, "method": method, "reading": reading, "seconds": seconds, "curves": curves}


def _selected(
    table: Table, split: Sequence[Fold], method: str, reading: str, scale: Scale, sizes: Sequence[int]
) -> dict[int, list[Array]]:
    """Orders by length of the candidate lists (0 without such lists), or by size where each has a walk of its own."""
    lists, inner = READINGS[reading].lists, {"estimator": READINGS[reading].estimator}
    most = min(max(sizes), table.X.shape[1])
    name = method.lower()
    if method in INSTANCE_BASED:
        return {n: orders_of(table, split, name, candidate_size=n, **lists) for n in scale.lengths}
    if method in HYBRIDS:
        return {n: orders_of(table, split, name, candidate_size=n, **lists, **inner) for n in scale.hybrid_lengths}
    if method in BASELINES:
        return {0: orders_of(table, split, BASELINES[method], n_features_to_select=most)}
    if method == SEQUENTIAL:
        return {0: orders_of(table, split, name, n_features_to_select=most, **inner)}
    return {size: orders_of(table, split, name, n_features_to_select=size, **inner) for size in sizes}


def _tried(method: str, sizes: Sequence[int], n_features: int) -> Iterable[int]:
    """The hybrids are tried with all that they find, the sequential search with every number up to the last."""
    if method in HYBRIDS:
        return range(1, n_features + 1)
    return range(1, max(sizes) + 1) if method == SEQUENTIAL else sizes


def _classifiers(method: str, reading: str) -> tuple[str, ...]:
    """The wrappers have 1-NN only; with the SVM the baselines have one reading."""
    if method in WRAPPERS or (method in BASELINES and reading != DEFAULT):
        return (ONE_NN,)
    return tuple(CLASSIFIERS)
