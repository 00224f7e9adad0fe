"""What all chapters of Ben Brahim 2015 share: tables, stratified folds, classifiers and Kuncheva's index."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
FILES = {"Colon": "colon", "DLBCL": "dlbcl_shipp", "Lung": "lung_gordon", "CNS": "cns", "Prostate": "prostate"}


@dataclass(frozen=True)
class Table:
    """A table of two classes under the name the thesis gives it, with the names of its features if need be."""

    name: str
    X: np.ndarray
    y: np.ndarray
    features: np.ndarray | None = None


@dataclass(frozen=True)
class Fold:
    """Rows for training and for testing; ``Z`` are all rows, standardised by the training ones."""

    train: np.ndarray
    test: np.ndarray
    Z: np.ndarray


def load(name: str, folder: Path = FOLDER) -> Table | None:
    """A table by the thesis's name; of one with a test part from elsewhere (Prostate) the training part."""
    path = folder / f"{FILES[name]}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"].astype(np.float64), data["y"]
        rows = data["split"] == "train" if name == "Prostate" else np.ones(len(y), dtype=bool)
        features = data.get("feature_names")
    return Table(name, X[rows], y[rows], features)


def load_plain(name: str, file: str, folder: Path = FOLDER) -> Table | None:
    """All samples of a table, under the name that a source gives it; gaps are NaN."""
    path = folder / f"{file}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        return Table(name, data["X"].astype(np.float64), data["y"])


def folds(table: Table, seed: int, n_folds: int = 10) -> list[Fold]:
    """Stratified folds, with the table standardised for each."""
    found = []
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(table.X, table.y):
        spread = table.X[train].std(axis=0)
        Z = (table.X - table.X[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        found.append(Fold(train, test, Z))
    return found


def kuncheva(subsets: Sequence[np.ndarray], n_features: int) -> float:
    """Kuncheva's index of subsets of one size, averaged over all pairs."""
    size = len(subsets[0])
    if size == n_features:
        return 1.0
    by_chance = size**2 / n_features
    shared = [len(np.intersect1d(a, b)) for a, b in combinations(subsets, 2)]
    return float((np.mean(shared) - by_chance) / (size - by_chance))


def predict_1nn(Z: np.ndarray, y: np.ndarray, fold: Fold, runs: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """Class of the nearest training row, after each run of columns; the smaller class if two are equally near."""
    train = fold.train[np.argsort(y[fold.train], kind="stable")]
    distance = np.zeros((len(fold.test), len(train)))
    for columns in runs:
        distance += cdist(Z[np.ix_(fold.test, columns)], Z[np.ix_(train, columns)], "sqeuclidean")
        yield y[train[distance.argmin(axis=1)]]


def predict_svm(Z: np.ndarray, y: np.ndarray, fold: Fold, runs: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    """Class by a linear support vector machine, C = 1, after each run of columns."""
    gram = np.zeros((len(Z), len(Z)))
    machine = SVC(kernel="precomputed", C=1.0)
    for columns in runs:
        gram += Z[:, columns] @ Z[:, columns].T
        machine.fit(gram[np.ix_(fold.train, fold.train)], y[fold.train])
        yield machine.predict(gram[np.ix_(fold.test, fold.train)])
