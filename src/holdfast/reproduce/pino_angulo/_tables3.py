"""The tables of chapter 3: those of the thesis, and others that stand in where the thesis's are not to be had."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from holdfast.prepare import EqualWidthDiscretizer, MDLDiscretizer
from holdfast.reproduce.protocol import training_part
from holdfast.reproduce.shelf import Set, Shelf
from holdfast.reproduce.table import Table

Array = npt.NDArray[Any]
Split = Sequence[tuple[Array, Array]]

NUMBERS, LEVELS, NOMINAL = "numbers", "levels", "nominal"
BY_CLASS, TEN_BINS = "cuts by class", "ten bins"
READINGS: Mapping[str, int | None] = {BY_CLASS: None, TEN_BINS: 10}
# Numbers stand beside print in the one reading under which the printed thresholds can be met on every set at hand.
JUDGED, BESIDE = TEN_BINS, BY_CLASS
N_FOLDS = 10
SIXTEEN = 16
# Parts of tables with as many samples are cut finer.
LARGE = 1000


@dataclass(frozen=True)
class Source:
    """Where a table comes from, what it is to the thesis, and how its values are read.

    ``kind`` is numbers, levels (which a tree sees as numbers all the same) or nominal (which it sees as indicators).
    Of more than ``most`` samples so many are drawn, each class by its share. ``copy`` is how our copy differs.
    """

    set: Set
    remark: str
    kind: str = NUMBERS
    most: int | None = None
    copy: str = ""

    @property
    def is_cut(self) -> bool:
        """Whether its values are numbers, which each reading cuts in its own way."""
        return self.kind == NUMBERS

    @property
    def n_samples(self) -> int:
        """How many samples are used; 0 if that is not known beforehand."""
        n = self.set.shape[0] if self.set.shape else 0
        return n if self.most is None else min(n, self.most)


def _thesis(
    file: str, shape: tuple[int, int], openml: int | None = None, kind: str = NUMBERS, remark: str = "", copy: str = ""
) -> Source:
    told = f"of the thesis{remark}" + (f"; {copy}" if copy else "")
    return Source(Set(file, openml, shape), told, kind, copy=copy)


# Names as in Table 3.1; the other tables abbreviate them, each in its own way.
THESIS = {
    "Dermatology": _thesis("dermatology", (366, 34), 35),
    "Arrhythmia": _thesis("arrhythmia", (452, 279), 5, copy="in our folder gaps are filled by means"),
    "Kr-vs-Kp": _thesis("kr_vs_kp", (3196, 36), 3, NOMINAL),
    "Pendigits": _thesis("pendigits", (10992, 16), 32),
    "Mushroom": _thesis("mushroom", (8124, 22), 24, NOMINAL),
    "Optdigits": _thesis("optdigits", (5620, 64), 28),
    "Nursery": _thesis("nursery", (12960, 8), 26, NOMINAL),
    "Waveform": _thesis("waveform_5000", (5000, 40), 60),
    "Spectrometer": _thesis("spectrometer", (531, 100), 313),
    "Mfeat-Factor": _thesis("mfeat_factors", (2000, 216), 12),
    "Mfeat-Fourier": _thesis("mfeat_fourier", (2000, 76), 14),
    "Mfeat-Karhunen": _thesis("mfeat_karhunen", (2000, 64), 16),
    "Mfeat-Pixel": _thesis("mfeat_pixel", (2000, 240), 20, NOMINAL),
    "Mfeat-Zernike": _thesis("mfeat_zernike", (2000, 47), 22),
    "Segment": _thesis("segment", (2310, 19), 36),
    "Semeion": _thesis("semeion", (1593, 256), 1501),
    "Madelon": _thesis("madelon", (2600, 500), 1485, remark=": training and validation part"),
    "Mfeat": _thesis("mfeat", (2000, 649), remark=": all six views"),
    "Audiology": _thesis("audiology", (226, 69), 7, NOMINAL),
    "Mfeat-Morphological": _thesis("mfeat_morphological", (2000, 6), 18),
    "Splice": _thesis(
        "dna_splice", (3190, 60), 46, NOMINAL, copy="in our folder without the 4 samples that have undecided bases"
    ),
    "Hepatitis": _thesis("hepatitis", (155, 19), 55),
    "Advertisements": _thesis("internet_advertisements", (3279, 1558), 40978),
}
TEXTS = {
    "tr21": _thesis("tr21", (336, 7902), 384),
    "tr41": _thesis("tr41", (878, 7454), 400),
    "tr45": _thesis("tr45", (690, 8261), 383),
    "wap": _thesis("wap", (1560, 8460), 398),
    "tr31": _thesis("tr31", (927, 10128), 385),
    "fbis": _thesis("fbis", (2463, 2000), 389),
    "la2s": _thesis("la2s", (3075, 12432), 393),
    "la1s": _thesis("la1s", (3204, 13195), 396),
}
DIGITS = "Optdigits, test part"
STAND_INS = {
    "Satimage": Source(Set("satimage", shape=(6435, 36)), "stand-in; 2,000 of 6,435 samples", most=2000),
    "Spambase": Source(Set("spambase", 44, (4601, 57)), "stand-in; 2,000 of 4,601 samples", most=2000),
    "Promise PC4": Source(Set("promise_pc4", shape=(1287, 37)), "stand-in"),
    "Vehicle": Source(Set("vehicle", 54, (846, 18)), "stand-in"),
    "WDBC": Source(Set("wdbc", 1510, (569, 30)), "stand-in"),
    "Musk1": Source(Set("musk1", shape=(476, 166)), "stand-in"),
    "Ionosphere": Source(Set("ionosphere", 59, (351, 34)), "stand-in"),
    "Heart": Source(Set("heart_statlog", 53, (270, 13)), "stand-in"),
    "Sonar": Source(Set("sonar", 40, (208, 60)), "stand-in"),
    "Lymphography": Source(Set("lymphography", 10, (148, 18)), "stand-in, nominal", LEVELS),
    "Zoo": Source(Set("zoo", 62, (101, 16)), "stand-in, nominal", LEVELS),
    DIGITS: Source(Set("digits", shape=(1797, 64)), "stand-in; 1,797 of the 5,620 samples of Optdigits"),
}
WIDE = {
    "Colon": Source(Set("colon", 45087, (62, 2000)), "not of the thesis, gene expression"),
    "SRBCT": Source(Set("srbct", 45101, (83, 2308)), "not of the thesis, gene expression"),
    "warpPIE10P": Source(Set("warpPIE10P", shape=(210, 2420)), "not of the thesis, faces"),
    "Leukemia": Source(Set("leukemia", 1104, (72, 7129)), "not of the thesis, gene expression"),
}
# For the share of features that go at once only; none shares samples with another.
ALSO = {
    file: Source(Set(file), "not of the thesis")
    for file in (
        "glass", "pima_diabetes", "wine", "winequality_red", "promise_cm1", "promise_mc2", "promise_kc2",
        "warpAR10P", "orlraws10P", "pixraw10P", "arcene", "cns", "dlbcl_shipp", "lymphoma", "glioma",
        "bladder", "all_chiaretti", "lung_gordon", "mll", "prostate",
    )
}  # fmt: skip
SOURCES = {**THESIS, **TEXTS, **STAND_INS, **WIDE, **ALSO}
SETS = {name: source.set for name, source in SOURCES.items()}

# The sixteen of Table 3.1 (and so of 3.2 and Figures 3.4 to 3.7), of Table 3.3 and of Table 3.5.
SWEPT = tuple(THESIS)[:SIXTEEN]
FILTERED = (
    "Optdigits", "Arrhythmia", "Madelon", "Mfeat", "Semeion", "Audiology", "Kr-vs-Kp", "Mfeat-Factor", "Mfeat-Fourier",
    "Mfeat-Karhunen", "Mfeat-Morphological", "Mfeat-Pixel", "Mfeat-Zernike", "Pendigits", "Splice", "Waveform",
)  # fmt: skip
ANNEALED = (
    "Hepatitis", "Dermatology", "Optdigits", "Arrhythmia", "Madelon", "Mfeat", "Advertisements", "Kr-vs-Kp",
    "Mfeat-Factor", "Mfeat-Fourier", "Mfeat-Karhunen", "Mfeat-Morphological", "Mfeat-Pixel", "Mfeat-Zernike", "Semeion",
    "Waveform",
)  # fmt: skip
_FILL = ("Segment", "Splice", "Madelon", *STAND_INS)


def sixteen(own: Sequence[str], shelf: Shelf) -> list[str]:
    """The thesis's sixteen tables that are there, filled up with others to as many."""
    there = [name for name in own if name in shelf]
    fill = [name for name in _FILL if name in shelf and name not in there]
    if "Optdigits" in there:
        fill = [name for name in fill if name != DIGITS]
    return (there + fill)[:SIXTEEN]


@dataclass(frozen=True)
class Task(Table):
    """A table whose features may be levels; with ``n_indicators`` above 1 a tree sees each as so many indicators.

    Numbers are cut where the classes change, or into ``n_bins`` bins of equal width.
    """

    is_discrete: bool = False
    n_indicators: int = 1
    n_bins: int | None = None

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return int(self.y.max()) + 1

    @cached_property
    def levels(self) -> Array:
        """Levels of every feature; cuts are learnt from all samples."""
        return self.levels_by(np.arange(len(self.y)))

    def levels_by(self, rows: Array) -> Array:
        """Levels of every feature; cuts are learnt from some samples."""
        if self.is_discrete:
            return self.X.astype(np.uint8)
        cuts = MDLDiscretizer() if self.n_bins is None else EqualWidthDiscretizer(self.n_bins)
        levels: Array = cuts.fit(self.X[rows], self.y[rows]).transform(self.X)
        return levels

    def values(self, columns: Array) -> Array:
        """What a tree or a machine sees: numbers as they came, nominal features as indicators."""
        X: Array = self.X[:, columns]
        if self.n_indicators == 1:
            return X
        is_level = X[:, :, np.newaxis] == np.arange(1, self.n_indicators + 1)
        indicators: Array = is_level.reshape(len(X), -1).astype(float)
        return indicators


def load(name: str, shelf: Shelf, reading: str = JUDGED) -> Task:
    """A table as chapter 3 needs it: no gaps, classes numbered from 0."""
    source, table = SOURCES[name], shelf.load(name)
    if name == "prostate":
        # Its test part comes from another laboratory.
        table = training_part(table)
    X, y = table.X, np.unique(table.y, return_inverse=True)[1].astype(np.int64)
    if name == "Splice" and X.shape[1] == 180:
        # Three indicators make a base again.
        X = X.reshape(len(X), -1, 3) @ np.arange(1.0, 4.0)
    is_discrete = source.kind != NUMBERS
    X = with_gaps_as_values(X, is_discrete)
    n_indicators = int(X.max()) if source.kind == NOMINAL else 1
    task = Task(name, X, y, is_discrete=is_discrete, n_indicators=n_indicators, n_bins=READINGS[reading])
    return task if source.most is None else _part(task, source.most)


def with_gaps_as_values(X: Array, is_discrete: bool) -> Array:
    """A gap is a value of its own: one more level, or a number below all others that has one of ten bins to itself."""
    is_gap = np.isnan(X)
    if not is_gap.any():
        return X
    low, high = (np.where(is_gap.all(axis=0), 0.0, extreme) for extreme in _extremes(X))
    below = low - np.where(high > low, (high - low) / 8, 1.0)
    return np.where(is_gap, high + 1 if is_discrete else below, X)


def _extremes(X: Array) -> tuple[Array, Array]:
    return np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)


def _part(task: Task, n_samples: int) -> Task:
    rows = next(StratifiedShuffleSplit(1, train_size=n_samples, random_state=0).split(task.X, task.y))[0]
    return replace(task, X=task.X[np.sort(rows)], y=task.y[np.sort(rows)])


def split_of(task: Task, seed: int, n_folds: int = N_FOLDS) -> list[tuple[Array, Array]]:
    """Training and test rows of stratified folds; classes with fewer samples than folds are in some of them only."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(task.X, task.y))
