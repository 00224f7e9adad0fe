"""The tables of Michel 2018, the units their columns are taken in, and random splits into 70 % and 30 %."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.shelf import Set, Shelf

Array = npt.NDArray[Any]

TEST_SHARE = 0.3
RAW, STANDARD = "none", "standard"


@dataclass(frozen=True)
class Subject:
    """Where a table is found, whether it holds classes, and in which units its columns are taken."""

    found_as: Set
    has_classes: bool
    units: str


# Raw or standardised columns as reproduces more; the thesis does not say. OpenML's Diabetes is scaled, so that it is
# another table.
SUBJECTS: Mapping[str, Subject] = {
    "Breast": Subject(Set("wdbc", 1510, (569, 30)), True, RAW),
    "Ionosphere": Subject(Set("ionosphere", 59, (351, 34)), True, RAW),
    "Parkinson": Subject(Set("parkinsons", 1488, (195, 22)), True, STANDARD),
    "Sonar": Subject(Set("sonar", 40, (208, 60)), True, RAW),
    "Wine": Subject(Set("wine", 187, (178, 13)), True, STANDARD),
    "Diabetes": Subject(Set("diabetes_regression"), False, STANDARD),
    "Boston": Subject(Set("boston_housing", 531), False, STANDARD),
}
SETS = {name: subject.found_as for name, subject in SUBJECTS.items()}
CLASSIFIED = tuple(name for name, subject in SUBJECTS.items() if subject.has_classes)
MEASURED = tuple(name for name, subject in SUBJECTS.items() if not subject.has_classes)


@dataclass(frozen=True)
class Data:
    """A table by the thesis's name."""

    name: str
    X: Array
    y: Array


def load(shelf: Shelf, name: str) -> Data:
    """A table by the thesis's name.

    Classes are numbered by their names, as those of the UCI files are in scikit-learn (B before M, M before R): of two
    that have as many votes the first wins.
    """
    table = shelf.load(name)
    if not SUBJECTS[name].has_classes:
        return Data(name, table.X, table.y.astype(np.float64))
    labels = table.y if table.class_names is None else table.class_names[table.y]
    return Data(name, table.X, np.unique(labels, return_inverse=True)[1].astype(np.int64))


@dataclass(frozen=True)
class Split:
    """The two parts of a repetition; ``X`` and ``others`` in the units of the table, by the training part."""

    X: Array
    y: Array
    others: Array
    truth: Array


def split(data: Data, seed: int, repetition: int) -> Split:
    """A random 70/30 split, not stratified."""
    order = np.random.default_rng([seed, repetition]).permutation(len(data.y))
    n_test = ceil(TEST_SHARE * len(data.y))
    test, train = order[:n_test], order[n_test:]
    X, others = data.X[train], data.X[test]
    if SUBJECTS[data.name].units == STANDARD:
        mean, spread = X.mean(axis=0), X.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        X, others = (X - mean) / spread, (others - mean) / spread
    return Split(X, data.y[train], others, data.y[test])
