"""Tables for the experiments of Pino Angulo 2019, chapter 3, and the area under the curve of a subset of features.

Of the tables of the thesis five are at hand in some form; the others stand in for the rest and are no part of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.special import softmax
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.svm import SVC

from holdfast.measures._pooled import weighted_area
from holdfast.measures._tree import decision_tree
from holdfast.prepare import EqualWidthDiscretizer, MDLDiscretizer
from reproduction.protocol import FOLDER, Fold, Table, folds

CLASSIFIERS = ("NB", "tree", "SVM")


@dataclass(frozen=True)
class Source:
    """Where a table comes from: its file, what it is to the thesis, and how its values are read.

    ``is_discrete`` are values taken as levels; ``n_indicators`` columns of the file make one nominal feature; of more
    than ``most`` samples so many are drawn, each class by its share.
    """

    file: str
    remark: str
    is_discrete: bool = False
    n_indicators: int = 1
    most: int | None = None


THESIS = {
    "Arrhythmia": Source("arrhythmia", "Tables 3.1, 3.3, 3.5 (ARR); gaps filled by means of the features"),
    "Segment": Source("segment", "Table 3.1"),
    "Optdigits": Source("digits", "Tables 3.1, 3.3, 3.5 (OPT), but only its test part, 1,797 of 5,620 samples"),
    "Splice": Source(
        "dna_splice", "Table 3.3 (SPL): 60 bases put together again from 180 indicators; 3,186 of 3,190", True, 3
    ),
    "Madelon": Source("madelon", "Tables 3.3, 3.5 (MAD): training and validation part"),
}
STAND_INS = {
    "Satimage": Source("satimage", "stand-in; 2,000 of 6,435 samples", most=2000),
    "Spambase": Source("spambase", "stand-in; 2,000 of 4,601 samples", most=2000),
    "Promise PC4": Source("promise_pc4", "stand-in"),
    "Vehicle": Source("vehicle", "stand-in"),
    "WDBC": Source("wdbc", "stand-in"),
    "Musk1": Source("musk1", "stand-in"),
    "Ionosphere": Source("ionosphere", "stand-in"),
    "Heart": Source("heart_statlog", "stand-in"),
    "Sonar": Source("sonar", "stand-in"),
    "Lymphography": Source("lymphography", "stand-in, nominal", True),
    "Zoo": Source("zoo", "stand-in, nominal", True),
}
WIDE = {
    "Colon": Source("colon", "not of the thesis, gene expression"),
    "SRBCT": Source("srbct", "not of the thesis, gene expression"),
    "warpPIE10P": Source("warpPIE10P", "not of the thesis, faces"),
    "Leukemia": Source("leukemia", "not of the thesis, gene expression"),
}
# For the share of features that go at once only; none shares samples with another.
ALSO = {
    file: Source(file, "not of the thesis")
    for file in (
        "glass", "pima_diabetes", "wine", "winequality_red", "promise_cm1", "promise_mc2", "promise_kc2",
        "warpAR10P", "orlraws10P", "pixraw10P", "arcene", "cns", "dlbcl_shipp", "lymphoma", "glioma",
        "bladder", "all_chiaretti", "lung_gordon", "mll", "prostate",
    )
}  # fmt: skip
# Sixteen, as many as in Tables 3.1, 3.3 and 3.5; the wide ones stand beside them and in no test of ranks.
RANKED = {**THESIS, **STAND_INS}
SOURCES = {**RANKED, **WIDE, **ALSO}


@dataclass(frozen=True)
class Task(Table):
    """A table whose features may be nominal; of such a one ``X`` holds the levels, and ``n_indicators`` make it.

    Numbers are cut where the classes change, or into ``n_bins`` bins of equal width.
    """

    is_discrete: bool = False
    n_indicators: int = 1
    n_bins: int | None = None

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1

    @cached_property
    def levels(self) -> np.ndarray:
        """Levels of every feature; cuts are learnt from all samples."""
        return self.levels_by(np.arange(len(self.y)))

    def levels_by(self, rows: np.ndarray) -> np.ndarray:
        """Levels of every feature; cuts are learnt from some samples."""
        if self.is_discrete:
            return self.X.astype(np.uint8)
        cuts = MDLDiscretizer() if self.n_bins is None else EqualWidthDiscretizer(self.n_bins)
        return cuts.fit(self.X[rows], self.y[rows]).transform(self.X)

    def values(self, columns: np.ndarray) -> np.ndarray:
        """What a tree or a machine sees: numbers as they came, nominal features as indicators."""
        X = self.X[:, columns]
        if self.n_indicators == 1:
            return X
        is_level = X[:, :, np.newaxis] == np.arange(1, self.n_indicators + 1)
        return is_level.reshape(len(X), -1).astype(float)


def load(name: str, folder: Path = FOLDER) -> Task | None:
    """A table by its name here; None if it is not there."""
    source = SOURCES[name]
    path = folder / f"{source.file}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"].astype(np.float64), data["y"].astype(np.int64)
        if name == "prostate":
            # Its test part comes from another laboratory.
            X, y = X[data["split"] == "train"], y[data["split"] == "train"]
    if source.n_indicators > 1:
        X = X.reshape(len(X), -1, source.n_indicators) @ np.arange(1.0, source.n_indicators + 1)
    task = Task(name, X, y, None, source.is_discrete, source.n_indicators)
    return task if source.most is None else _part(task, source.most)


def _part(task: Task, n_samples: int) -> Task:
    rows = next(StratifiedShuffleSplit(1, train_size=n_samples, random_state=0).split(task.X, task.y))[0]
    return replace(task, X=task.X[np.sort(rows)], y=task.y[np.sort(rows)])


def split_of(task: Task, seed: int, n_folds: int = 10) -> list[Fold]:
    """Stratified folds; classes with fewer samples than folds are in some of them only."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return folds(task, seed, n_folds)


class Judge:
    """Area under the ROC curve over the test samples of all folds together, each class against the rest by its size."""

    def __init__(self, task: Task, split: Sequence[Fold]) -> None:
        self.task = task
        self.split = split
        self._known: dict[tuple[str, bytes], float] = {}

    def of_one(self, classifier: str, columns: np.ndarray) -> float:
        """Of features chosen on all samples, with levels from all samples; known ones are not judged again."""
        columns = np.sort(columns)
        key = classifier, columns.tobytes()
        if key not in self._known:
            n = len(self.split)
            self._known[key] = self.of_each(classifier, [columns] * n, [self.task.levels] * n)
        return self._known[key]

    def of_each(self, classifier: str, subsets: Sequence[np.ndarray], levels: Sequence[np.ndarray]) -> float:
        """Of features and levels by fold."""
        scores = np.empty((len(self.task.y), self.task.n_classes))
        for fold, columns, found in zip(self.split, subsets, levels, strict=True):
            scores[fold.test] = self._scores(classifier, fold, np.sort(columns), found)
        return weighted_area(self.task.y, scores)

    def _scores(self, classifier: str, fold: Fold, columns: np.ndarray, levels: np.ndarray) -> np.ndarray:
        y, n_classes = self.task.y, self.task.n_classes
        if len(columns) == 0:
            return np.full((len(fold.test), n_classes), 1 / n_classes)
        if classifier == "NB":
            return naive_bayes(levels[:, columns], y, n_classes, fold)
        values = self.task.values(columns)
        if classifier == "tree":
            tree = decision_tree().fit(values[fold.train], y[fold.train])
            return _by_class(tree.predict_proba(values[fold.test]), tree.classes_, n_classes, 0.0)
        spread = values[fold.train].std(axis=0)
        values = (values - values[fold.train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        machine = SVC(C=1.0, kernel="rbf", gamma="auto").fit(values[fold.train], y[fold.train])
        far = machine.decision_function(values[fold.test])
        far = np.column_stack([-far, far]) if far.ndim == 1 else far
        return _by_class(far, machine.classes_, n_classes, -np.inf)


def naive_bayes(levels: np.ndarray, y: np.ndarray, n_classes: int, fold: Fold) -> np.ndarray:
    """Chance of each class for the test samples, every level counted once more than it was seen."""
    n_of_class = np.bincount(y[fold.train], minlength=n_classes)
    with np.errstate(divide="ignore"):
        joint = np.tile(np.log(n_of_class / n_of_class.sum()), (len(fold.test), 1))
    for column in levels.T.astype(np.int64):
        n_levels = int(column.max()) + 1
        pairs = np.bincount(column[fold.train] * n_classes + y[fold.train], minlength=n_levels * n_classes)
        share = (pairs.reshape(n_levels, n_classes) + 1) / (n_of_class + n_levels)
        joint += np.log(share)[column[fold.test]]
    return softmax(joint, axis=1)


def _by_class(values: np.ndarray, known: np.ndarray, n_classes: int, least: float) -> np.ndarray:
    scores = np.full((len(values), n_classes), least)
    scores[:, known] = values
    return scores
