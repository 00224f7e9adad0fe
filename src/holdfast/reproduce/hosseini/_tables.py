"""The tables of chapter 4 by the thesis's names, its published models, and the units that features are measured in."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.reproduce.shelf import Set, Shelf

Array = npt.NDArray[Any]
Model = tuple[int, ...]

SETS: Mapping[str, Set] = {
    "Breast": Set("breast_vantveer"),
    "CNS": Set("cns"),
    "Colon": Set("colon"),
    "DLBCL": Set("dlbcl_shipp"),
    "Leukemia": Set("leukemia"),
    "Lung": Set("lung_gordon"),
    "Ovarian": Set("ovarian_petricoin", shape=(253, 15154)),
    "Prostate": Set("prostate"),
}
# Class 1 of the thesis, which is the positive one.
POSITIVE: Mapping[str, str] = {
    "Breast": "relapse",
    "CNS": "failure",
    "Colon": "normal",
    "DLBCL": "DLBCL",
    "Leukemia": "ALL",
    "Lung": "mesothelioma",
    "Ovarian": "Cancer",
    "Prostate": "Tumor",
}
HOLD_OUT, LEAVE_ONE_OUT = "HOCV", "LOOCV"
# Sets with a nominal test part.
SPLIT = ("Breast", "Leukemia", "Lung", "Prostate")
# Confidence of the screening: the round values that give the printed counts. Leukemia has none and Ovarian was never
# counted: these have the usual one. Colon and DLBCL had no screening.
CONFIDENCE: Mapping[tuple[str, str], float | None] = {
    ("Breast", HOLD_OUT): 0.85,
    ("Breast", LEAVE_ONE_OUT): 0.93,
    ("CNS", LEAVE_ONE_OUT): 0.785,
    ("Colon", LEAVE_ONE_OUT): None,
    ("DLBCL", LEAVE_ONE_OUT): None,
    ("Leukemia", HOLD_OUT): 0.95,
    ("Leukemia", LEAVE_ONE_OUT): 0.95,
    ("Lung", HOLD_OUT): 0.95,
    ("Lung", LEAVE_ONE_OUT): 0.995,
    ("Ovarian", LEAVE_ONE_OUT): 0.95,
    ("Prostate", HOLD_OUT): 0.97,
    ("Prostate", LEAVE_ONE_OUT): 0.97,
}
# Its published model counts features in a file of another study than the one that the samples are of.
OTHER_FILE = "DLBCL"
# Tables that are not those of the thesis, and why a verdict on them says little.
OTHER_DATA: Mapping[str, str] = {
    "Leukemia": "the public table is not the one of the thesis",
    "DLBCL": "the table is of another study than the one of the thesis",
}
# How Kent Ridge writes a missing value.
MISSING = 100.0
PER_SET, BY_TRAIN, POOLED = "per set", "train", "pooled"


@dataclass(frozen=True)
class Data:
    """A table; ``y`` is 1 for the positive class, ``is_train`` says which samples are in the nominal training part."""

    name: str
    X: Array
    y: Array
    is_train: Array

    def rows(self, protocol: str) -> Array:
        """Samples that features are chosen from."""
        return np.flatnonzero(self.is_train) if protocol == HOLD_OUT else np.arange(len(self.y))

    @cached_property
    def filled(self) -> Array:
        """Values as in the file that the thesis had, where a missing one is 100."""
        return np.where(np.isnan(self.X), MISSING, self.X)

    def model(self, features: Sequence[int], known: Array | None = None) -> Array:
        """Values of features that are counted from 1.

        A missing value is 100 as in the thesis, or, if some samples are known, the mean of the feature among them.
        """
        columns = np.array(features, dtype=np.int64) - 1
        if known is None:
            return self.filled[:, columns]
        X = self.X[:, columns]
        return np.where(np.isnan(X), X[known].mean(axis=0), X)


def load(shelf: Shelf, name: str) -> Data:
    """A table by the thesis's name; all samples train where there is no nominal split."""
    table = shelf.load(name)
    if table.class_names is None or POSITIVE[name] not in table.class_names:
        raise DataError(f"{name} must have class_names, one of them {POSITIVE[name]}. Is it another copy?")
    if name in SPLIT and "split" not in table.more:
        raise DataError(f"{name} must have split, which says of every sample train or test. Is it another copy?")
    y = (table.class_names[table.y] == POSITIVE[name]).astype(np.int64)
    is_train = table.more["split"] == "train" if name in SPLIT else np.ones(len(y), dtype=bool)
    return Data(name, table.X, y, is_train)


@cache
def published_models() -> Mapping[tuple[str, str, str], Model]:
    """Models by table, data set and name; features are counted from 1 in the whole file."""
    text = (files("holdfast.reproduce.hosseini") / "published_models.csv").read_text(encoding="utf-8")
    return {
        (row["table"], row["data"], row["model"]): tuple(map(int, row["features"].split()))
        for row in csv.DictReader(text.splitlines())
    }


def published_model(name: str, protocol: str) -> Model | None:
    """The published model of a set, if its features can be found in our copy."""
    if name == OTHER_FILE:
        return None
    return published_models().get(("4.2" if protocol == HOLD_OUT else "4.4", name, "S*"))


def by_range(X: Array, among: Array | None = None) -> Array:
    """Values from 0 to 1 by the least and the largest of some samples, its own unless told; a constant is 0."""
    among = X if among is None else among
    low, width = among.min(axis=0), np.ptp(among, axis=0)
    scaled: Array = (X - low) / np.where(width > 0, width, np.inf)
    return scaled


def scaled_parts(train: Array, test: Array, scaling: str) -> tuple[Array, Array]:
    """Both parts by their own ranges (as published), by that of the training part, or by that of all samples."""
    if scaling == PER_SET:
        return by_range(train), by_range(test)
    among = train if scaling == BY_TRAIN else np.concatenate([train, test])
    return by_range(train, among), by_range(test, among)
