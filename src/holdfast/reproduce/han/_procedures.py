"""The two procedures of section 7.1, for one selector on one table.

A: ten times 10-fold cross-validation in random parts, with subsets of 10 to 50 genes. B: a hundred stratified splits,
two thirds to choose and to train, the rest to test, with 10 to 200 genes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from holdfast.reproduce.han._microarrays import ENSEMBLES, LUNG, SVM_ARMS, best_by_t_test, prepared, selector
from holdfast.reproduce.han._weighing import SEED, SIGNATURE, Value, ki
from holdfast.reproduce.protocol import Fold, predict_1nn
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.stability import (
    average_variance,
    consensus,
    correlated_pairs,
    kuncheva,
    subsamples,
    symmetric_npogr,
)

Array = npt.NDArray[Any]

CV_SIZES = (10, 20, 30, 40, 50)
AUC_SIZES = (10, 50, 100, 150, 200)
CLASSIFIERS = ("SVM", "1NN")
COUNTS = ("at least 1", "more than 50", "more than 85")
# Weights of SVM-RFE are followed from about 1,000 to about 10 features, every fourth of 40 iterations.
FOLLOWED_FROM, FOLLOWED, EVERY = 1000, 40, 4


@dataclass(frozen=True)
class Chosen:
    """What a selector found in a training part: genes, best first, its seconds, and itself."""

    genes: Array
    seconds: float
    fitted: Any


@dataclass(frozen=True)
class Repeated:
    """Procedure B: signatures of 50 genes and what they share, and AUC (× 100) of hard labels, a value a split."""

    data: str
    arm: str
    counts: Sequence[int]
    overlap: float
    ki: Value
    npogr: Mapping[int, float]
    auc: Mapping[tuple[str, int], Array]
    seconds: float


@dataclass(frozen=True)
class Crossed:
    """Procedure A: accuracy (%), KI and average variances of weights, a value a run."""

    data: str
    arm: str
    accuracy: Mapping[tuple[str, int], Array]
    ki: Mapping[int, Array]
    variance: Mapping[int, Array]


def random_splits(name: str, arm: str, n_splits: int, inside: bool, shelf: Shelf) -> dict[str, Any]:
    """A part: procedure B; ``inside`` has the genes of Lung filtered in the training part of each split."""
    table = _table(shelf, name, inside)
    n_genes = table.X.shape[1]
    lists, auc, seconds = [], [], []
    for rows in subsamples(table.y, n_splits, SEED):
        chosen = _chosen(table, rows, arm, max(AUC_SIZES), inside)
        rest = np.setdiff1d(np.arange(len(table.y)), rows)
        lists.append(chosen.genes)
        seconds.append(chosen.seconds)
        auc.append(
            {
                classifier: [100 * balanced_accuracy_score(table.y[rest], one) for one in predicted]
                for classifier, predicted in _predicted(table, rows, rest, chosen.genes, AUC_SIZES).items()
            }
        )
    signatures = _masks(lists, SIGNATURE, n_genes)
    agreed = consensus(signatures)
    stability = ki(signatures)
    pairs = None if inside else correlated_pairs(table.X, fdr=0.001)
    return {
        "procedure": "B",
        "data": name,
        "arm": arm,
        "inside": inside,
        "counts": [int(count) for count in agreed.table().values()],
        "overlap": agreed.overlap,
        "ki": [stability.value, stability.se],
        "npogr": {}
        if pairs is None
        else {str(size): symmetric_npogr(_masks(lists, size, n_genes), pairs) for size in AUC_SIZES},
        "auc": {classifier: [one[classifier] for one in auc] for classifier in CLASSIFIERS},
        "seconds": float(np.median(seconds)),
    }


def cross_validated(
    name: str, arm: str, first: int, stop: int, n_folds: int, inside: bool, shelf: Shelf
) -> dict[str, Any]:
    """A part: some of the runs of procedure A; weights of ensembles are not followed."""
    table = _table(shelf, name, inside)
    runs = []
    for run in range(first, stop):
        lists, weights = [], []
        right = {classifier: np.zeros(len(CV_SIZES)) for classifier in CLASSIFIERS}
        for train, test in KFold(n_folds, shuffle=True, random_state=run).split(table.X, table.y):
            chosen = _chosen(table, train, arm, max(CV_SIZES), inside, keep_path=not inside)
            lists.append(chosen.genes)
            for classifier, predicted in _predicted(table, train, test, chosen.genes, CV_SIZES).items():
                right[classifier] += [(one == table.y[test]).sum() for one in predicted]
            if arm not in ENSEMBLES and not inside:
                weights.append(_weights(chosen.fitted, arm))
        runs.append(
            {
                "accuracy": {one: (100 * count / len(table.y)).tolist() for one, count in right.items()},
                "ki": [kuncheva(_masks(lists, size, table.X.shape[1])) for size in CV_SIZES],
                "variance": {
                    str(size): average_variance([one[size] for one in weights])
                    for size in (weights[0] if weights else {})
                },
            }
        )
    return {"procedure": "A", "data": name, "arm": arm, "inside": inside, "first": first, "runs": runs}


def _table(shelf: Shelf, name: str, inside: bool) -> Table:
    table = prepared(shelf, name)
    if name != LUNG or inside:
        return table
    return replace(table, X=table.X[:, best_by_t_test(table.X, table.y)], feature_names=None)


def _chosen(table: Table, rows: Array, arm: str, n_genes: int, inside: bool, *, keep_path: bool = False) -> Chosen:
    X, y = table.X[rows], table.y[rows]
    kept = best_by_t_test(X, y) if inside else np.arange(X.shape[1])
    start = time.process_time()
    fitted = selector(arm, n_genes, keep_path=keep_path).fit(X[:, kept] if inside else X, y)
    return Chosen(kept[fitted.indices_], time.process_time() - start, fitted)


def _predicted(table: Table, train: Array, test: Array, genes: Array, sizes: Sequence[int]) -> dict[str, list[Array]]:
    """Classes of the test rows by both classifiers with the first genes; values are scaled by the training part."""
    low, spread = table.X[np.ix_(train, genes)].min(axis=0), np.ptp(table.X[np.ix_(train, genes)], axis=0)
    Z = (table.X[:, genes] - low) / np.where(spread > 0, spread, 1.0)
    y = table.y
    by_svm = [SVC(kernel="linear", C=1.0).fit(Z[train, :size], y[train]).predict(Z[test, :size]) for size in sizes]
    columns = np.split(np.arange(max(sizes)), sizes[:-1])
    return {"SVM": by_svm, "1NN": list(predict_1nn(Z, y, Fold(train, test, Z), iter(columns)))}


def _masks(lists: Sequence[Array], size: int, n_genes: int) -> Array:
    masks = np.zeros((len(lists), n_genes), dtype=bool)
    for mask, genes in zip(masks, lists, strict=True):
        mask[genes[:size]] = True
    return masks


def _weights(fitted: Any, arm: str) -> dict[int, Array]:
    """Shares of the features in the sum of absolute weights, by how many features are left; ReliefF has them all."""
    if arm in SVM_ARMS:
        first = int(np.argmax(fitted.sizes_ <= FOLLOWED_FROM))
        at = range(first, min(first + FOLLOWED + 1, len(fitted.sizes_)), EVERY)
        return {int(fitted.sizes_[one]): fitted.weight_path_[one] for one in at}
    finite = np.where(np.isfinite(fitted.scores_), fitted.scores_, 0.0)
    return {len(finite): finite / np.abs(finite).sum()}


def repeated(parts: Sequence[Mapping[str, Any]], inside: bool) -> dict[tuple[str, str], Repeated]:
    """Results of procedure B by table and arm."""
    return {
        (part["data"], part["arm"]): Repeated(
            part["data"],
            part["arm"],
            part["counts"],
            part["overlap"],
            Value(*part["ki"]),
            {int(size): value for size, value in part["npogr"].items()},
            {
                (classifier, size): np.array([split[at] for split in part["auc"][classifier]])
                for classifier in CLASSIFIERS
                for at, size in enumerate(AUC_SIZES)
            },
            part["seconds"],
        )
        for part in parts
        if part["procedure"] == "B" and part["inside"] == inside
    }


def crossed(parts: Sequence[Mapping[str, Any]], inside: bool) -> dict[tuple[str, str], Crossed]:
    """Results of procedure A by table and arm, over all runs."""
    runs: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for part in sorted((one for one in parts if one["procedure"] == "A"), key=lambda one: int(one["first"])):
        if part["inside"] == inside:
            runs.setdefault((part["data"], part["arm"]), []).extend(part["runs"])
    return {
        about: Crossed(
            *about,
            {
                (classifier, size): np.array([run["accuracy"][classifier][at] for run in some])
                for classifier in CLASSIFIERS
                for at, size in enumerate(CV_SIZES)
            },
            {size: np.array([run["ki"][at] for run in some]) for at, size in enumerate(CV_SIZES)},
            {int(size): np.array([run["variance"][size] for run in some]) for size in some[0]["variance"]},
        )
        for about, some in runs.items()
    }
