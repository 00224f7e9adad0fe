"""What several plans share: training parts, stratified folds, and classifiers fed with more and more features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

from holdfast._errors import DataError
from holdfast.reproduce.table import Table

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Fold:
    """Rows for training and for testing; ``Z`` are all rows, standardised by the training ones."""

    train: Array
    test: Array
    Z: Array


def training_part(table: Table) -> Table:
    """Of a table with a test part, such as one from another laboratory, the training part."""
    if "split" not in table.more:
        raise DataError(f"{table.name} must have split, which says of every sample train or test. Is it another copy?")
    rows = table.more["split"] == "train"
    return replace(table, X=table.X[rows], y=table.y[rows])


def complete_features(table: Table) -> Table:
    """The features without a missing value."""
    is_whole = ~np.isnan(table.X).any(axis=0)
    names = None if table.feature_names is None else table.feature_names[is_whole]
    return replace(table, X=table.X[:, is_whole], feature_names=names)


def folds(table: Table, seed: int, n_folds: int = 10) -> list[Fold]:
    """Stratified folds, with the table standardised for each."""
    found = []
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(table.X, table.y):
        spread = table.X[train].std(axis=0)
        Z = (table.X - table.X[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        found.append(Fold(train, test, Z))
    return found


def predict_1nn(Z: Array, y: Array, fold: Fold, runs: Iterator[Array]) -> Iterator[Array]:
    """Class of the nearest training row, after each run of columns; the smaller class if two are equally near."""
    train = fold.train[np.argsort(y[fold.train], kind="stable")]
    distance = np.zeros((len(fold.test), len(train)))
    for columns in runs:
        distance += cdist(Z[np.ix_(fold.test, columns)], Z[np.ix_(train, columns)], "sqeuclidean")
        yield y[train[distance.argmin(axis=1)]]


def predict_svm(Z: Array, y: Array, fold: Fold, runs: Iterator[Array]) -> Iterator[Array]:
    """Class by a linear support vector machine, C = 1, after each run of columns."""
    gram = np.zeros((len(Z), len(Z)))
    machine = SVC(kernel="precomputed", C=1.0)
    for columns in runs:
        gram += Z[:, columns] @ Z[:, columns].T
        machine.fit(gram[np.ix_(fold.train, fold.train)], y[fold.train])
        yield machine.predict(gram[np.ix_(fold.test, fold.train)])
