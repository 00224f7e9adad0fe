"""The experiments of Hosseini 2018, chapters 2 and 4: distance correlation, and D²CORFS on gene expression.

Leave-one-out as published chooses features once, on all samples, so the sample left out has had its say. ``over_folds``
is for models chosen inside the folds.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import expit
from sklearn import config_context
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from holdfast import D2CORFS, DCORFS, NothingSelected
from holdfast.measures import distance_correlation, distance_dependence
from reproduction.protocol import FOLDER

# Files by the names of the thesis, with its class 1, which is the positive one.
SETS: Mapping[str, tuple[str, str]] = {
    "Lung": ("lung_gordon", "mesothelioma"),
    "Leukemia": ("leukemia", "ALL"),
    "Prostate": ("prostate", "Tumor"),
    "Breast": ("breast_vantveer", "relapse"),
    "Colon": ("colon", "normal"),
    "CNS": ("cns", "failure"),
    "DLBCL": ("dlbcl_shipp", "DLBCL"),
}
HOLD_OUT, LEAVE_ONE_OUT = "HOCV", "LOOCV"
SPLIT = ("Lung", "Leukemia", "Prostate", "Breast")
# Samples that judge a model: of the nominal test part, and all.
N_JUDGED: Mapping[str, Mapping[str, int]] = {
    HOLD_OUT: {"Lung": 149, "Leukemia": 34, "Prostate": 34, "Breast": 19},
    LEAVE_ONE_OUT: {
        **{"Lung": 181, "Leukemia": 72, "Prostate": 136, "Breast": 97},
        **{"Colon": 62, "CNS": 60, "DLBCL": 77},
    },
}
# Confidence of the screening: the round values that give the printed counts. Leukemia has none; Colon and DLBCL had no
# screening.
CONFIDENCE: Mapping[tuple[str, str], float | None] = {
    ("Lung", HOLD_OUT): 0.95,
    ("Lung", LEAVE_ONE_OUT): 0.995,
    ("Prostate", HOLD_OUT): 0.97,
    ("Prostate", LEAVE_ONE_OUT): 0.97,
    ("Breast", HOLD_OUT): 0.85,
    ("Breast", LEAVE_ONE_OUT): 0.93,
    ("CNS", LEAVE_ONE_OUT): 0.785,
    ("Leukemia", HOLD_OUT): 0.95,
    ("Leukemia", LEAVE_ONE_OUT): 0.95,
    ("Colon", LEAVE_ONE_OUT): None,
    ("DLBCL", LEAVE_ONE_OUT): None,
}
# Published models, features counted from 1 in the whole file; that of DLBCL counts in a file of another study.
MODELS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("Breast", HOLD_OUT): (512, 3224, 5377, 10889),
    ("Leukemia", HOLD_OUT): (1924, 3252, 4847, 5039),
    ("Lung", HOLD_OUT): (3334, 6571, 11841),
    ("Prostate", HOLD_OUT): (4282, 6185, 8965, 10494),
    ("Breast", LEAVE_ONE_OUT): (
        *(512, 1205, 1872, 3232, 3773, 4382, 5098, 6859, 7127, 7997, 8776, 10827),
        *(10889, 12275, 12437, 12572, 13800, 17881, 19694, 19906, 20437, 22422, 23322),
    ),
    ("CNS", LEAVE_ONE_OUT): (320, 1054, 2496, 2513, 3320, 3731, 4484, 4509),
    ("Colon", LEAVE_ONE_OUT): (249, 377, 765, 1482, 1644, 1772),
    ("Leukemia", LEAVE_ONE_OUT): (2288, 6041),
    ("Lung", LEAVE_ONE_OUT): (3334, 4336, 7200, 8370),
    ("Prostate", LEAVE_ONE_OUT): (5314, 6185, 9850, 11052),
}
# Table 4.5: models of Leukemia that make no error in print.
DIVERSE = {
    "S*": (2288, 6041),
    "S1": (4052, 4167, 6041),
    "S2": (4052, 4328, 6041),
    "S3": (4052, 4230, 6041),
    "S4": (4052, 4167, 4847),
    "S5": (2288, 4847),
}
# Classifier of each model in Table 4.3.
OWN = {"Breast": "NB", "Leukemia": "NB", "Lung": "kNN", "Prostate": "SVM"}
PER_SET, BY_TRAIN, POOLED = "per set", "train", "pooled"
# How Kent Ridge writes a missing value.
MISSING = 100.0


@dataclass(frozen=True)
class Data:
    """A table by the thesis's name; ``y`` is 1 for the positive class, ``is_train`` is None without a nominal split."""

    name: str
    X: np.ndarray
    y: np.ndarray
    is_train: np.ndarray | None

    def rows(self, protocol: str) -> np.ndarray:
        """Samples that features are chosen from."""
        return np.flatnonzero(self.is_train) if protocol == HOLD_OUT else np.arange(len(self.y))

    @cached_property
    def filled(self) -> np.ndarray:
        """Values as in the file that the thesis had, where a missing one is 100."""
        return np.where(np.isnan(self.X), MISSING, self.X)


@lru_cache
def load(name: str, folder: Path = FOLDER) -> Data | None:
    """A table by the thesis's name."""
    file, positive = SETS[name]
    path = folder / f"{file}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"].astype(np.float64), data["y"]
        is_train = data["split"] == "train" if name in SPLIT else None
        return Data(name, X, (data["class_names"][y] == positive).astype(np.int64), is_train)


def by_range(X: np.ndarray, among: np.ndarray | None = None) -> np.ndarray:
    """Values from 0 to 1 by the least and the largest of some samples, its own unless told; a constant is 0."""
    among = X if among is None else among
    low, width = among.min(axis=0), np.ptp(among, axis=0)
    return (X - low) / np.where(width > 0, width, np.inf)


def scaled(train: np.ndarray, test: np.ndarray, scaling: str) -> tuple[np.ndarray, np.ndarray]:
    """Both parts by their own ranges (as published), by that of the training part, or by that of all samples."""
    if scaling == PER_SET:
        return by_range(train), by_range(test)
    among = train if scaling == BY_TRAIN else np.concatenate([train, test])
    return by_range(train, among), by_range(test, among)


# Tables 2.11 and 2.12.

DISTRIBUTIONS: Mapping[str, Callable[[np.random.Generator, tuple[int, int]], np.ndarray]] = {
    "Normal": lambda rng, shape: rng.normal(size=shape),
    "Poisson": lambda rng, shape: rng.poisson(2.0, size=shape).astype(np.float64),
    "Lognormal": lambda rng, shape: rng.lognormal(size=shape),
}
RESPONSES = {"2.11": lambda x: 3 * x, "2.12": lambda x: 3 * x**2}
MOST_REDUNDANT = 5


def redundancy(seed: int, n_repetitions: int = 1000, n_samples: int = 100) -> dict[tuple[str, str], np.ndarray]:
    """Mean dCor of 3 x1 with 0, 1, … columns that have nothing to do with y, by table and distribution."""
    sets = [list(range(1 + k)) for k in range(MOST_REDUNDANT + 1)]
    found = {}
    for at, (table, response) in enumerate(RESPONSES.items()):
        for number, (name, draw) in enumerate(DISTRIBUTIONS.items()):
            rng = np.random.default_rng([seed, at, number])
            total = np.zeros(len(sets))
            for _ in range(n_repetitions):
                X = draw(rng, (n_samples, MOST_REDUNDANT + 1))
                y = response(X[:, 0])
                X[:, 0] *= 3
                total += distance_correlation(X, y, subsets=sets, y_is="numbers")
            found[table, name] = total / n_repetitions
    return found


# Screening.


@dataclass(frozen=True)
class Screened:
    """Features that the test of dependence keeps; constant ones are counted apart.

    ``between`` are the p-values of the last feature kept and the first one dropped: any significance from above the one
    to the other keeps as many.
    """

    confidence: float
    n_kept: int
    n_constant: int
    between: tuple[float, float]


def screened(data: Data, protocol: str, confidence: float) -> Screened:
    """How many features are kept, with missing values as the thesis had them."""
    rows = data.rows(protocol)
    X = data.filled[rows]
    p_values = np.sort(distance_dependence(X, data.y[rows]).p_value)
    n_kept = int((p_values < 1 - confidence).sum())
    between = (float(p_values[n_kept - 1]), float(p_values[n_kept]))
    return Screened(confidence, n_kept, int((np.ptp(X, axis=0) == 0).sum()), between)


# Classifiers, set as reproduces most of the published numbers; each fits and says the class of other samples.


def _knn(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    nearest = cdist(others, X, "sqeuclidean").argsort(axis=1, kind="stable")[:, :5]
    return (y[nearest].sum(axis=1) >= 3).astype(np.int64)


def _linear_svm(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    return SVC(kernel="linear", C=1.0).fit(X, y).predict(others)


def _rbf_svm(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    mean, spread = X.mean(axis=0), X.std(axis=0, ddof=1)
    spread = np.where(spread > 0, spread, 1.0)
    return SVC(kernel="rbf", gamma=0.5, C=1.0).fit((X - mean) / spread, y).predict((others - mean) / spread)


def _logistic(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Maximum likelihood by Newton's steps, which end when the likelihood does not change or after 100."""
    A = np.column_stack([np.ones(len(X)), X])
    beta, before = np.zeros(A.shape[1]), -np.inf
    for _ in range(100):
        share = expit(A @ beta)
        likelihood = float(np.log(np.where(y == 1, share, 1 - share) + 1e-300).sum())
        if likelihood - before < 1e-8:
            break
        before = likelihood
        weight = share * (1 - share)
        beta = beta + np.linalg.lstsq((A.T * weight) @ A, A.T @ (y - share), rcond=1e-12)[0]
    return (np.column_stack([np.ones(len(others)), others]) @ beta > 0).astype(np.int64)


def _diagonal_lda(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    variance = ((X - means[y]) ** 2).sum(axis=0) / (len(X) - 2)
    variance = np.where(variance > 0, variance, np.inf)
    return _likelier(others, y, means, np.array([variance, variance]))


def _naive_bayes(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    variances = np.array([X[y == c].var(axis=0, ddof=1) for c in (0, 1)])
    # A feature that is constant in a class says nothing here.
    return _likelier(others, y, means, np.where((variances > 0).all(axis=0), variances, np.inf))


def _likelier(others: np.ndarray, y: np.ndarray, means: np.ndarray, variances: np.ndarray) -> np.ndarray:
    """Class by normal densities of independent features and the shares of the classes."""
    tells = np.isfinite(variances[0])
    scores = []
    for c in (0, 1):
        off = (others[:, tells] - means[c, tells]) ** 2 / variances[c, tells]
        scores.append(np.log(np.mean(y == c)) - 0.5 * (np.log(variances[c, tells]) + off).sum(axis=1))
    return (scores[1] > scores[0]).astype(np.int64)


def _tree(X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    return DecisionTreeClassifier(min_samples_split=10, random_state=0).fit(X, y).predict(others)


CLASSIFIERS: Mapping[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "SVM": _linear_svm,
    "SVMn": _rbf_svm,
    "kNN": _knn,
    "LogReg": _logistic,
    "LDA": _diagonal_lda,
    "NB": _naive_bayes,
    "Tree": _tree,
}
# Tables 4.6 and 4.7 are about these.
THREE = ("SVM", "kNN", "NB")


def predicted(classifier: str, X: np.ndarray, y: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Class of other samples; without features, that of most."""
    if X.shape[1] == 0:
        return np.full(len(others), int(2 * y.sum() > len(y)))
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return CLASSIFIERS[classifier](X, y, others)


@dataclass(frozen=True)
class Scores:
    """Table 4.2; ``F`` is twice TPR times TNR over their sum, as in chapter 4."""

    J_tr: float
    J_te: float
    TPR: float
    TNR: float
    G: float
    F: float


def rates(truth: np.ndarray, answers: np.ndarray) -> tuple[float, float, float, float, float]:
    """Accuracy, TPR, TNR, their geometric and their harmonic mean."""
    is_right = truth == answers
    tpr, tnr = float(is_right[truth == 1].mean()), float(is_right[truth == 0].mean())
    return float(is_right.mean()), tpr, tnr, (tpr * tnr) ** 0.5, 2 * tpr * tnr / (tpr + tnr) if tpr + tnr else 0.0


def held_out(data: Data, model: Sequence[int], classifier: str, scaling: str) -> Scores:
    """A model on the nominal split."""
    X = data.filled[:, np.array(model, dtype=np.int64) - 1]
    train, test = scaled(X[data.is_train], X[~data.is_train], scaling)
    y, truth = data.y[data.is_train], data.y[~data.is_train]
    answers = predicted(classifier, train, y, np.concatenate([train, test]))
    return Scores(float((answers[: len(y)] == y).mean()), *rates(truth, answers[len(y) :]))


def left_out(data: Data, model: Sequence[int], classifier: str) -> float:
    """Accuracy of leave-one-out around the classifier alone: the model, and the ranges, are of all samples."""
    X = by_range(data.filled[:, np.array(model, dtype=np.int64) - 1])
    is_right = []
    for i, rest in enumerate(~np.eye(len(X), dtype=bool)):
        is_right.append(predicted(classifier, X[rest], data.y[rest], X[i : i + 1])[0] == data.y[i])
    return float(np.mean(is_right))


# Table 4.3.


@dataclass(frozen=True)
class Without:
    """A model without a feature (0: with all), on the nominal split."""

    dropped: int
    dcor: float
    J_tr: float
    J_te: float


def dcor_of(X: np.ndarray, y: np.ndarray) -> float:
    """Biased distance correlation with the root, of features in units of their ranges."""
    return float(distance_correlation(by_range(X), y, subsets="all"))


def each_dropped(data: Data, model: Sequence[int], classifier: str) -> list[Without]:
    """Distance correlation on the training part and accuracies, of a model and without each of its features."""
    found = []
    for dropped in (0, *model):
        rest = [feature for feature in model if feature != dropped]
        X = data.filled[data.is_train][:, np.array(rest) - 1]
        scores = held_out(data, rest, classifier, PER_SET)
        found.append(Without(dropped, dcor_of(X, data.y[data.is_train]), scores.J_tr, scores.J_te))
    return found


# Figure 4.2.


def resplit(data: Data, model: Sequence[int], classifier: str, seed: int, n_splits: int = 1000) -> np.ndarray:
    """Test accuracy of a model on random splits of the nominal sizes and class counts; scaled once, on all samples."""
    X = by_range(data.filled[:, np.array(model) - 1])
    members = [np.flatnonzero(data.y == c) for c in (0, 1)]
    n_train = [int(data.is_train[rows].sum()) for rows in members]
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_splits):
        train = np.concatenate([rng.permutation(rows)[:n] for rows, n in zip(members, n_train, strict=True)])
        test = np.setdiff1d(np.arange(len(data.y)), train)
        found.append(np.mean(predicted(classifier, X[train], data.y[train], X[test]) == data.y[test]))
    return np.array(found)


# Our own runs.


@dataclass(frozen=True)
class Run:
    """What D²CORFS found on some samples: features counted from 1 in the whole file, and what it took."""

    model: tuple[int, ...]
    value: float
    n_pool: int
    n_bins: int
    n_rounds: int
    stop: str
    n_subsets: int
    seconds: float
    cpu_seconds: float

    def as_json(self) -> dict[str, object]:
        """The run as plain data."""
        return {**asdict(self), "model": list(self.model)}

    @staticmethod
    def from_json(read: Mapping[str, object]) -> Run:
        """A run from plain data."""
        return Run(**{**read, "model": tuple(read["model"])})


def search(
    data: Data,
    protocol: str,
    step: float,
    seed: int,
    rows: np.ndarray | None = None,
    confidence: float | None = None,
) -> Run:
    """One run of D²CORFS; features that miss a value among its samples take no part."""
    rows = data.rows(protocol) if rows is None else rows
    confidence = CONFIDENCE[data.name, protocol] if confidence is None else confidence
    X = data.X[rows]
    columns = np.flatnonzero(~np.isnan(X).any(axis=0))
    selector = D2CORFS(selector=DCORFS(step=step), confidence=confidence, random_state=seed, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        start, cpu_start = time.perf_counter(), time.process_time()
        found = selector.fit(X[:, columns], data.y[rows])
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    return Run(
        tuple(sorted((columns[found.indices_] + 1).tolist())),
        float(found.value_),
        int(len(columns) - found.n_screened_out_),
        int(found.n_bins_),
        int(found.n_rounds_),
        found.stop_,
        int(found.n_evaluations_.subset),
        seconds,
        cpu_seconds,
    )


N_FOLDS = 10


def folds(data: Data, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Stratified folds of all samples."""
    return list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(data.X, data.y))


OUTSIDE = "10 folds"
Judged = dict[str, dict[str, float]]


def judged(data: Data, protocol: str, model: Sequence[int], seed: int) -> Judged:
    """Accuracy of a model by classifier: on the test part, or (leaky) over samples or folds left out."""
    if protocol == HOLD_OUT:
        return {
            scaling: {name: held_out(data, model, name, scaling).J_te for name in CLASSIFIERS}
            for scaling in (PER_SET, BY_TRAIN)
        }
    every = [model] * N_FOLDS
    return {
        LEAVE_ONE_OUT: {name: left_out(data, model, name) for name in CLASSIFIERS},
        OUTSIDE: {name: over_folds(data, every, name, seed, POOLED) for name in CLASSIFIERS},
    }


def over_folds(
    data: Data, models: Sequence[Sequence[int]], classifier: str, seed: int, scaling: str = BY_TRAIN
) -> float:
    """Accuracy over folds, with a model for each; sound if each was chosen, and is scaled, on the other folds."""
    is_right = []
    for model, (train, test) in zip(models, folds(data, seed), strict=True):
        X = data.filled[:, np.array(model, dtype=np.int64) - 1]
        before, after = scaled(X[train], X[test], scaling)
        is_right.append(predicted(classifier, before, data.y[train], after) == data.y[test])
    return float(np.concatenate(is_right).mean())
