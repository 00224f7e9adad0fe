"""The experiment of §4.5.2: choose without a sample, train a machine on the others, and ask it about the sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from holdfast import MRMR, S3F, SFSLW
from holdfast.measures._pooled import weighted_area
from holdfast.reproduce.pino_angulo._pair_counts import N_PICKED
from holdfast.reproduce.protocol import complete_features, training_part
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table

Array = npt.NDArray[Any]

METHODS: Mapping[str, Callable[[], Any]] = {
    "S3F": S3F,
    "SFS-LW": lambda: SFSLW(N_PICKED),
    "MRMR": lambda: MRMR(N_PICKED, search="exhaustive"),
    "MRMR+": lambda: MRMR(N_PICKED, search="lazy"),
}
# MRMR+ picks what MRMR picks, so it is asked for its seconds only.
JUDGED_METHODS = ("S3F", "SFS-LW", "MRMR")
WITH_TEST_PART = ("ARC", "Prostate")


def load(shelf: Shelf, name: str) -> Table:
    """A table without the features that were not measured on all samples, and without a test part."""
    table = shelf.load(name)
    return complete_features(training_part(table) if name in WITH_TEST_PART else table)


def left_out_rows(table: Table, n_rows: int | None) -> list[int]:
    """All samples, or some of every class."""
    by_class = np.argsort(table.y, kind="stable")
    if n_rows is None or n_rows >= len(by_class):
        return list(range(len(by_class)))
    return sorted(by_class[np.linspace(0, len(by_class) - 1, n_rows).astype(int)].tolist())


def without(name: str, n_rows: int | None, part: tuple[int, int], shelf: Shelf) -> dict[str, Any]:
    """Scores of every class for some left-out samples: features chosen without them, and chosen with all samples.

    ``part`` is (which, of how many) shares of the samples that are left out.
    """
    table = load(shelf, name)
    which, n_parts = part
    rows = left_out_rows(table, n_rows)[which::n_parts]
    for make in METHODS.values():
        make().fit(table.X[:, :100], table.y)
    with_all = {method: METHODS[method]().fit(table.X, table.y).indices_ for method in JUDGED_METHODS}
    found: dict[str, Any] = {
        method: {"scores": [], "scores_with_all": [], "sizes": [], "seconds": []} for method in METHODS
    }
    n_other = 0
    for row in rows:
        train = np.delete(np.arange(len(table.y)), row)
        picks = {}
        for method, make in METHODS.items():
            start = time.process_time()
            picks[method] = make().fit(table.X[train], table.y[train]).indices_
            found[method]["seconds"].append(time.process_time() - start)
            found[method]["sizes"].append(len(picks[method]))
        n_other += picks["MRMR"].tolist() != picks["MRMR+"].tolist()
        for method in JUDGED_METHODS:
            found[method]["scores"].append(_asked(table, picks[method], train, row))
            found[method]["scores_with_all"].append(_asked(table, with_all[method], train, row))
    return {"rows": rows, "classes": table.y[rows].tolist(), "n_other_picks": n_other, "methods": found}


def _asked(table: Table, features: Array, train: Array, row: int) -> list[float]:
    """Scores of the classes for a sample: radial kernel of width one over the number of features, C = 1."""
    Z = table.X[:, features]
    machine = make_pipeline(StandardScaler(), SVC(gamma="auto")).fit(Z[train], table.y[train])
    scores = np.atleast_1d(machine.decision_function(Z[[row]])[0])
    return [-float(scores[0]), float(scores[0])] if len(scores) == 1 else [float(score) for score in scores]


def area(classes: Sequence[int], scores: Sequence[Sequence[float]]) -> float:
    """Over all left-out samples together; each class against the rest, weighted by its size."""
    return weighted_area(np.asarray(classes), np.asarray(scores))
