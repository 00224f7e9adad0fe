"""The experiments E1 and E2 of Ben Brahim 2015, chapter 2, on real tables.

Ten stratified folds; features are chosen on nine, a classifier is trained on nine with the first 1, 2, … of them and
tried on the tenth. As in the thesis the smallest error over all numbers of features (and lengths of candidate lists) is
reported, which is optimistic; two figures that are not stand beside it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from holdfast import selector
from reproduction.protocol import Fold, Table, kuncheva, predict_1nn, predict_svm

SIZES = (*range(1, 41), *range(45, 101, 5))
CANDIDATE_SIZES = range(1, 16)
HYBRID_CANDIDATE_SIZES = range(1, 11)
FIXED_SIZE, FIXED_CANDIDATE_SIZE, FIXED_HYBRID_CANDIDATE_SIZE = 50, 10, 5

INSTANCE_BASED = ("IB-OF", "IB-WMA", "IB-RA", "IB-RedE")
BASELINES = {"Relief": "relief", "mRMR": "mrmr+", "t-test": "t-test", "Entropy": "entropy"}
HYBRIDS = ("HIB-SBS", "HIB-CSS")
WRAPPERS = (*HYBRIDS, "Hyb-Seq", "Randomized")


@dataclass(frozen=True)
class Reading:
    """How to fill what the thesis does not say: the candidate lists, and whether 1-NN sees standardised features."""

    lists: Mapping[str, object]
    scales_1nn: bool

    @property
    def estimator(self) -> KNeighborsClassifier | None:
        """The classifier inside the wrappers; None is their own, on standardised features."""
        return None if self.scales_1nn else KNeighborsClassifier(1)


READINGS = {
    "default": Reading({}, scales_1nn=True),
    "literal": Reading({"scale": "none", "neighbours": "feature"}, scales_1nn=False),
}


@dataclass(frozen=True)
class Curve:
    """Test errors of one method by number of features, in every fold, and the features."""

    sizes: np.ndarray
    n_wrong: np.ndarray
    n_tested: np.ndarray
    subsets: Mapping[int, list[np.ndarray]]
    n_features: int

    def mce(self, average: str) -> np.ndarray:
        """Misclassification error of every size: errors of all folds together, or the mean of the folds' errors."""
        if average == "pooled":
            return self.n_wrong.sum(axis=0) / self.n_tested.sum()
        return (self.n_wrong / self.n_tested[:, np.newaxis]).mean(axis=0)


@dataclass(frozen=True)
class Result:
    """What is reported of a method: its best point, and two figures that the test folds did not choose.

    ``at_fixed`` is the error and the stability with 50 features and lists of 10 (hybrids 5), or with as many features
    as there are; ``mce_chosen`` lets for every fold the other nine choose size and list length.
    """

    data: str
    method: str
    classifier: str
    average: str
    candidate_size: int | None
    size: int
    mce: float
    fold_mean: float
    pooled: float
    stability: float
    fixed_size: int
    fixed_mce: float
    fixed_stability: float
    mce_chosen: float
    seconds: float
    n_samples: int
    reading: str
    curves: Mapping[int | None, Curve] = field(repr=False)

    @property
    def label(self) -> str:
        """The method, and the reading if it is not the default."""
        return self.method if self.reading == "default" else f"{self.method}, {self.reading}"


CLASSIFIERS = {"1-nn": predict_1nn, "svm": predict_svm}


def curve(
    table: Table,
    split: list[Fold],
    orders: list[np.ndarray],
    classifier: str,
    sizes: Sequence[int],
    reading: str = "default",
) -> Curve:
    """Errors with the first features of the order found in each fold; only sizes that every fold has."""
    shortest = min(map(len, orders))
    kept = [size for size in sizes if size <= shortest]
    is_scaled = classifier == "svm" or READINGS[reading].scales_1nn
    n_wrong = np.zeros((len(split), len(kept)), dtype=np.int64)
    for row, fold, order in zip(n_wrong, split, orders, strict=True):
        runs = (order[start:stop] for start, stop in pairwise((0, *kept)))
        predicted = CLASSIFIERS[classifier](fold.Z if is_scaled else table.X, table.y, fold, runs)
        row[:] = [(labels != table.y[fold.test]).sum() for labels in predicted]
    subsets = {size: [order[:size] for order in orders] for size in kept}
    return Curve(np.array(kept), n_wrong, _n_tested(split), subsets, table.X.shape[1])


def join(curves: Sequence[Curve]) -> Curve:
    """One curve of several that have different sizes."""
    return Curve(
        np.concatenate([one.sizes for one in curves]),
        np.hstack([one.n_wrong for one in curves]),
        curves[0].n_tested,
        {size: found for one in curves for size, found in one.subsets.items()},
        curves[0].n_features,
    )


def _n_tested(split: list[Fold]) -> np.ndarray:
    return np.array([len(fold.test) for fold in split])


def report(
    table: Table,
    method: str,
    classifier: str,
    curves: Mapping[int | None, Curve],
    seconds: float,
    fixed_length: int | None = None,
    reading: str = "default",
) -> Result:
    """The best point of a method over its curves, one per length of the candidate lists, and the other figures.

    The thesis averages over folds for its own methods and pools the errors for the others (spec 12.3); the error is
    minimised in the same form. Of equal errors the shortest lists and the fewest features win.
    """
    average = "fold_mean" if method.startswith(("IB-", "HIB-")) else "pooled"
    best = min(curves, key=lambda length: (curves[length].mce(average).min(), length or 0))
    at = int(curves[best].mce(average).argmin())
    size = int(curves[best].sizes[at])
    set_before = curves[fixed_length if fixed_length in curves else max(curves)]
    here = int(np.abs(set_before.sizes - FIXED_SIZE).argmin())
    fixed_size = int(set_before.sizes[here])
    return Result(
        table.name,
        method,
        classifier,
        average,
        best,
        size,
        mce=float(curves[best].mce(average)[at]),
        fold_mean=float(curves[best].mce("fold_mean")[at]),
        pooled=float(curves[best].mce("pooled")[at]),
        stability=kuncheva(curves[best].subsets[size], curves[best].n_features),
        fixed_size=fixed_size,
        fixed_mce=float(set_before.mce(average)[here]),
        fixed_stability=kuncheva(set_before.subsets[fixed_size], set_before.n_features),
        mce_chosen=_chosen_by_others(list(curves.values()), average),
        seconds=seconds,
        n_samples=len(table.y),
        reading=reading,
        curves=curves,
    )


def _chosen_by_others(curves: Sequence[Curve], average: str) -> float:
    """Error when the point used in each fold is the best of the other folds."""
    n_wrong = np.hstack([one.n_wrong for one in curves])
    n_tested = curves[0].n_tested[:, np.newaxis]
    parts = n_wrong if average == "pooled" else n_wrong / n_tested
    others = parts.sum(axis=0) - parts
    taken = parts[np.arange(len(parts)), others.argmin(axis=1)]
    return float(taken.sum() / n_tested.sum() if average == "pooled" else taken.mean())


def orders_of(table: Table, split: list[Fold], name: str, **parameters: object) -> tuple[list[np.ndarray], float]:
    """Features in the order a method gives them, chosen on the training part of each fold; and the seconds."""
    start = time.perf_counter()
    orders = [selector(name, **parameters).fit(table.X[fold.train], table.y[fold.train]).indices_ for fold in split]
    return orders, time.perf_counter() - start


def candidates_of(
    table: Table, split: list[Fold], method: str, lengths: Sequence[int], **parameters: object
) -> dict[int, tuple[list[np.ndarray], float]]:
    """The orders of a method for every length of the candidate lists."""
    return {n: orders_of(table, split, method.lower(), candidate_size=n, **parameters) for n in lengths}


def e1(
    table: Table,
    split: list[Fold],
    *,
    candidate_sizes: Sequence[int] = CANDIDATE_SIZES,
    sizes: Sequence[int] = SIZES,
    reading: str = "default",
) -> list[Result]:
    """Instance-based filters and baselines by both classifiers; with the SVM the baselines have one reading."""
    results = []
    for method in INSTANCE_BASED:
        found = candidates_of(table, split, method, candidate_sizes, **READINGS[reading].lists)
        for classifier in CLASSIFIERS:
            curves = {n: curve(table, split, orders, classifier, sizes, reading) for n, (orders, _) in found.items()}
            results.append(report(table, method, classifier, curves, _total(found), FIXED_CANDIDATE_SIZE, reading))
    limit = min(max(sizes), table.X.shape[1])
    for method, name in BASELINES.items():
        orders, seconds = orders_of(table, split, name, n_features_to_select=limit)
        for classifier in CLASSIFIERS if reading == "default" else ("1-nn",):
            curves = {None: curve(table, split, orders, classifier, sizes, reading)}
            results.append(report(table, method, classifier, curves, seconds, reading=reading))
    return results


def e2(
    table: Table,
    split: list[Fold],
    *,
    candidate_sizes: Sequence[int] = HYBRID_CANDIDATE_SIZES,
    sizes: Sequence[int] = SIZES,
    reading: str = "default",
) -> list[Result]:
    """The wrappers by the nearest neighbour; the hybrids at all sizes they find, the walk anew for every size."""
    results = []
    inner = {"estimator": READINGS[reading].estimator}
    for method in HYBRIDS:
        found = candidates_of(table, split, method, candidate_sizes, **READINGS[reading].lists, **inner)
        every_size = range(1, table.X.shape[1] + 1)
        curves = {n: curve(table, split, orders, "1-nn", every_size, reading) for n, (orders, _) in found.items()}
        results.append(report(table, method, "1-nn", curves, _total(found), FIXED_HYBRID_CANDIDATE_SIZE, reading))
    orders, seconds = orders_of(table, split, "hyb-seq", n_features_to_select=max(sizes), **inner)
    curves = {None: curve(table, split, orders, "1-nn", range(1, max(sizes) + 1), reading)}
    results.append(report(table, "Hyb-Seq", "1-nn", curves, seconds, reading=reading))
    walks = {size: orders_of(table, split, "randomized", n_features_to_select=size, **inner) for size in sizes}
    parts = [curve(table, split, orders, "1-nn", [size], reading) for size, (orders, _) in walks.items()]
    results.append(report(table, "Randomized", "1-nn", {None: join(parts)}, _total(walks), reading=reading))
    return results


def _total(found: Mapping[int, tuple[list[np.ndarray], float]]) -> float:
    return sum(seconds for _, seconds in found.values())
