"""The experiments of Han 2012, chapters 6 and 7: does weighing samples steady SVM-RFE, and is it the weights that do?

Four arms: SVM-RFE (C = 1), IW SVM-RFE with weights that sum to 1 ("IW sum", as published) or of mean 1 ("IW mean"),
and the control, SVM-RFE with C / n and no weights ("C/n"). All keep floor(0.9 n) features a round, on features divided
by their range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from sklearn import config_context
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import SVC

from holdfast import SVMRFE, InstanceWeightedSelector, TTest
from holdfast._registry import find
from holdfast.data import blocks
from holdfast.stability import (
    bias_variance,
    consensus,
    correlated_pairs,
    kuncheva,
    nogueira_interval,
    subsamples,
    symmetric_npogr,
)
from reproduction.protocol import Table, load_plain
from reproduction.protocol import load as load_shared

# Iterations of the elimination from 1,000 features; the 28th has 48 features, the 40th 10.
ITERATIONS = tuple(range(0, 41, 4))
NEAREST_50 = 28
# How many training sets of each size: 500 as published where that is quick.
N_SETS: Mapping[int, int] = {50: 200, 100: 500, 200: 100, 500: 24, 1000: 10}
N_TEST = 5000
SETS: Mapping[str, str] = {"Colon": "colon", "Leukemia": "leukemia", "Prostate": "prostate", "Lung": "lung_gordon"}
AUC_SIZES = (10, 50, 100, 150, 200)
SIGNATURE = 50


def _rfe(**options: object) -> SVMRFE:
    return SVMRFE(SIGNATURE, keep_path=True, **options)


ARMS: Mapping[str, object] = {
    "SVM-RFE": _rfe(),
    "IW sum": InstanceWeightedSelector(selector=_rfe(), weight_scale="sum"),
    "IW mean": InstanceWeightedSelector(selector=_rfe(), weight_scale="mean"),
    "C/n": InstanceWeightedSelector(selector=_rfe(), weight_scale="uniform"),
}


@dataclass(frozen=True)
class Value:
    """A mean over random training sets, and its standard error by the scatter between them."""

    value: float
    se: float

    def __format__(self, spec: str) -> str:
        return f"{self.value:{spec}} ± {2 * self.se:{spec}}"


@dataclass(frozen=True)
class Round:
    """One arm in one iteration of the elimination, over all training sets; KI is NaN while all features are left."""

    size: int
    error: Value
    bias: Value
    variance: Value
    ki: Value
    accuracy: Value
    n_relevant: Value


@dataclass(frozen=True)
class Synthetic:
    """All arms on training sets of one size; ``weights`` is the range of n times the weight of a sample."""

    n_samples: int
    n_sets: int
    n_rounds: int
    arms: Mapping[str, Mapping[int, Round]]
    weights: tuple[float, float, float]


def synthetic(
    n_samples: int, n_sets: int, seed: int, *, iterations: Sequence[int] = ITERATIONS, **options
) -> Synthetic:
    """Weights, subsets and accuracy of every arm on so many training sets (section 6.1), and one test set."""
    *draws, last = map(np.random.default_rng, np.random.SeedSequence([seed, n_samples]).spawn(n_sets + 1))
    tests = _in_place(blocks(N_TEST, random_state=last, **options))
    found = Parallel(n_jobs=2)(
        delayed(_on_one_set)(blocks(n_samples, random_state=rng, **options), tests, iterations) for rng in draws
    )
    truth = np.zeros(tests[0].shape[1])
    truth[: tests[2]] = 1.0 / tests[2]
    arms = {}
    for arm in ARMS:
        paths, active, accuracy = (np.array([one[arm][part] for one in found]) for part in range(3))
        arms[arm] = {
            iteration: _round(paths[:, at], active[:, at], accuracy[:, at], truth)
            for at, iteration in enumerate(iterations)
        }
    weights = np.concatenate([one["weights"] for one in found]) * n_samples
    spread = (float(weights.min()), float(weights.max()), float(weights.std()))
    return Synthetic(n_samples, n_sets, len(iterations), arms, spread)


def _in_place(made) -> tuple[np.ndarray, np.ndarray, int]:
    """Values in the order before the columns were shuffled, in which the relevant features come first."""
    X = np.empty_like(made.X)
    X[:, made.origin] = made.X
    return X, made.y, len(made.relevant)


def _on_one_set(made, tests, iterations: Sequence[int]) -> dict[str, object]:
    X, y, _ = _in_place(made)
    low, spread = X.min(axis=0), np.ptp(X, axis=0)
    Z = (X - low) / spread
    found: dict[str, object] = {}
    planes, offsets = [], []
    for arm, selector in ARMS.items():
        fitted = clone(selector).fit(made.X, made.y)
        if arm == "IW sum":
            found["weights"] = fitted.weights_
        path = np.zeros((len(iterations), X.shape[1]))
        active = np.zeros(path.shape, dtype=bool)
        path[:, made.origin] = fitted.weight_path_[list(iterations)]
        active[:, made.origin] = fitted.rounds_ > np.array(iterations)[:, np.newaxis]
        found[arm] = [path, active]
        for is_left in active:
            w, b = _plane(Z[:, is_left], y)
            plane = np.zeros(X.shape[1])
            plane[is_left] = w / spread[is_left]
            planes.append(plane)
            offsets.append(b - plane @ low)
    decisions = tests[0] @ np.array(planes).T + np.array(offsets)
    right = ((decisions > 0) == (tests[1] > 0)[:, np.newaxis]).mean(axis=0).reshape(len(ARMS), -1)
    for arm, accuracy in zip(ARMS, right, strict=True):
        found[arm].append(accuracy)
    return found


def _plane(Z: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and offset of a linear support vector machine, C = 1."""
    with config_context(assume_finite=True, skip_parameter_validation=True):
        machine = SVC(kernel="precomputed", C=1.0).fit(Z @ Z.T, y)
    return machine.dual_coef_[0] @ Z[machine.support_], float(machine.intercept_[0])


def _round(weights: np.ndarray, active: np.ndarray, accuracy: np.ndarray, truth: np.ndarray) -> Round:
    n_sets = len(weights)
    split = bias_variance(weights, truth)
    off = weights - split.mean
    return Round(
        int(active[0].sum()),
        Value(split.error, _se(((weights - truth) ** 2).mean(axis=1))),
        Value(split.bias, _se(2 * (off * (split.mean - truth)).mean(axis=1))),
        Value(split.variance, _se((off**2).mean(axis=1))),
        Value(np.nan, np.nan) if active.all() else _ki(active),
        Value(float(accuracy.mean()), _se(accuracy)),
        Value(float(active[:, truth > 0].sum() / n_sets), _se(active[:, truth > 0].sum(axis=1))),
    )


def _ki(runs: np.ndarray) -> Value:
    """Kuncheva's index; with subsets of one size Nogueira's measure, whose error is known, is the same."""
    return Value(kuncheva(runs), nogueira_interval(runs).std_error)


def _se(values: np.ndarray) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


REAL_ARMS: Mapping[str, object] = {
    "SVM-RFE": SVMRFE(max(AUC_SIZES)),
    "En": find("en-svm-rfe").build(n_features_to_select=max(AUC_SIZES)),
    "IW sum": InstanceWeightedSelector(max(AUC_SIZES), weight_scale="sum"),
    "IW mean": InstanceWeightedSelector(max(AUC_SIZES), weight_scale="mean"),
    "C/n": InstanceWeightedSelector(max(AUC_SIZES), weight_scale="uniform"),
}


def load(name: str) -> Table | None:
    """A table by the dissertation's name."""
    if name == "Prostate":
        raw = load_shared(name)
        return None if raw is None else Table(name, filtered(raw.X), raw.y)
    return load_plain(name, SETS[name])


def filtered(X: np.ndarray) -> np.ndarray:
    """Arrays of Singh et al. as they are often used: these thresholds leave the 6,034 genes that Han 2012 counts.

    Logarithms and standardised arrays, which go with them elsewhere, are our guess.
    """
    clipped = np.clip(X, 10, 16000)
    low, high = clipped.min(axis=0), clipped.max(axis=0)
    logs = np.log10(clipped[:, (high / low >= 5) & (high - low >= 50)])
    return (logs - logs.mean(axis=1, keepdims=True)) / logs.std(axis=1, keepdims=True)


@dataclass(frozen=True)
class Real:
    """One arm on one table, over splits: signatures of 50 genes and what they share, and AUC of hard labels by size."""

    data: str
    arm: str
    counts: tuple[int, int, int]
    ki: Value
    npogr: float
    auc: Mapping[int, tuple[float, float]]


def real(table: Table, seed: int, *, n_splits: int = 100, arms: Mapping[str, object] = REAL_ARMS) -> list[Real]:
    """Procedure B (section 7.1): stratified splits, two thirds to choose and to train, the rest to test."""
    if table.name == "Lung":
        kept = np.sort(TTest(5000).fit(table.X, table.y).indices_)
        table = Table(table.name, table.X[:, kept], table.y)
    splits = subsamples(table.y, n_splits, seed)
    pairs = correlated_pairs(table.X, fdr=0.001)
    found = []
    for arm, selector in arms.items():
        both = Parallel(n_jobs=2)(delayed(_on_one_split)(table, rows, selector) for rows in splits)
        chosen = [one for one, _ in both]
        auc = np.array([one for _, one in both])
        signatures = np.zeros((n_splits, table.X.shape[1]), dtype=bool)
        for signature, columns in zip(signatures, chosen, strict=True):
            signature[columns[:SIGNATURE]] = True
        found.append(
            Real(
                table.name,
                arm,
                tuple(consensus(signatures).table().values()),
                _ki(signatures),
                symmetric_npogr(signatures, pairs),
                {size: (auc[:, at].mean(), auc[:, at].std(ddof=1)) for at, size in enumerate(AUC_SIZES)},
            )
        )
    return found


def _on_one_split(table: Table, rows: np.ndarray, selector) -> tuple[np.ndarray, list[float]]:
    X, y = table.X[rows], table.y[rows]
    chosen = clone(selector).fit(X, y).indices_
    rest = np.setdiff1d(np.arange(len(table.y)), rows)
    low, spread = X.min(axis=0), np.ptp(X, axis=0)
    Z = (table.X[:, chosen] - low[chosen]) / np.where(spread > 0, spread, 1.0)[chosen]
    auc = []
    for size in AUC_SIZES:
        machine = SVC(kernel="linear", C=1.0).fit(Z[rows, :size], y)
        auc.append(100 * balanced_accuracy_score(table.y[rest], machine.predict(Z[rest, :size])))
    return chosen, auc
