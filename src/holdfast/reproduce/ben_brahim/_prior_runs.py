"""Selection with prior knowledge (E5 and E6 of chapter 4): the methods, what is known, and one run of one method.

Features are chosen on the training part of every fold; a linear support vector machine (C = 1) is trained there with
10, 20 … 100 of them and tried on the rest. Errors of all folds are pooled, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate import McNemarResult, mcnemar
from holdfast.reproduce.ben_brahim._sets import prepared
from holdfast.reproduce.protocol import folds, predict_svm
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.selectors.linear import AROM, SVMRFE, SemiSupervisedAROM
from holdfast.selectors.neighbours import Relief
from holdfast.selectors.pairwise import MRMR
from holdfast.stability import kuncheva

Array = npt.NDArray[Any]

SEED = 0
SIZES = tuple(range(10, 101, 10))
FEW_SIZES = (10, 50, 100)
KNOWN, RANDOM = "known", "random"
# Draws of a prior without knowledge.
N_DRAWS = 5

# DLBCL: the two genes that the thesis names; probes of the Hu6800 chip as described in the data of Golub et al. 1999.
# Lung: the thesis does not list its eight genes (Guan et al. 2009). These stand in for them: the genes of the ratio
# test of Gordon et al. 2002; probes from the table hgu95Asym of the Bioconductor package annotate 1.76, of two probes
# of a gene (PTGIS, TITF1) the one with the larger values.
PRIORS: Mapping[str, Mapping[str, str]] = {
    "DLBCL": {"TFRC": "X01060_at", "LDHA": "X02152_at"},
    "Lung": {
        "CALB2": "37157_at",
        "ANXA8": "37954_at",
        "MOX2": "37716_at",
        "PTGIS": "36533_at",
        "KIAA0977": "41755_at",
        "CLDN7": "38482_at",
        "TITF1": "33754_at",
        "TACSTD1": "575_s_at",
    },
}

E5_TABLES = {"Bladder": "4.2", "DLBCL": "4.3", "Lung": "4.4"}
E5_PAIRS = (("PK-Relief", "Relief"), ("PK-mRMR", "mRMR"), ("PK-RFE", "SVM-RFE"))
E6_PAIRS = (("SS-l2AROM", "PS-l2-AROM"), ("SS-l2AROM", "SVM-RFE"), ("PS-l2-AROM", "SVM-RFE"))
E6_METHODS = ("SS-l2AROM", "PS-l2-AROM", "SVM-RFE")


@dataclass(frozen=True)
class Method:
    """How to build a selector of so many features; whether it takes a prior, and whether a longer list begins so."""

    build: Callable[..., Any]
    takes_prior: bool
    is_nested: bool


METHODS: Mapping[str, Method] = {
    "Relief": Method(lambda size, scale: Relief(size, scale=scale or "range"), False, True),
    "PK-Relief": Method(lambda size, scale, prior: Relief(size, scale=scale or "range", prior=prior), True, True),
    "mRMR": Method(lambda size, scale: MRMR(size), False, True),
    "PK-mRMR": Method(lambda size, scale, prior: MRMR(size, prior=prior), True, True),
    "SVM-RFE": Method(
        lambda size, scale: SVMRFE(size, step=0.1, one_by_one_below=200, scale=scale or "standard"), False, True
    ),
    "PK-RFE": Method(
        lambda size, scale, prior: SVMRFE(size, C=1e4, scale=scale or "standard", prior=prior), True, False
    ),
    "PS-l2-AROM": Method(lambda size, scale, prior: AROM(size, scale=scale or "standard", prior=prior), True, False),
    "SS-l2AROM": Method(
        lambda size, scale, prior: SemiSupervisedAROM(
            size, fixed_size=True, scale=scale or "standard", distance=scale or "standard", prior=prior
        ),
        True,
        False,
    ),
}
SCALED, UNSCALED = "scaled", "unscaled"
READINGS: Mapping[str, str | None] = {SCALED: None, UNSCALED: "none"}


@dataclass(frozen=True)
class Job:
    """One method on one table, with the numbers of features that it is run with."""

    data: str
    method: str
    reading: str
    prior: str
    sizes: tuple[int, ...]

    @property
    def key(self) -> str:
        """Its name among the parts of the plan."""
        return f"{self.data} {self.method} {self.reading} {self.prior} {'-'.join(map(str, self.sizes))}"


@dataclass(frozen=True)
class Result:
    """One method on one table: which samples are classified rightly with each number of features, and the features.

    ``traces`` are the shares that successive selections have in common, for each fold, with the most features.
    """

    data: str
    method: str
    reading: str
    prior: str
    n_features: int
    is_right: Mapping[int, Array] = field(repr=False)
    subsets: Mapping[int, list[list[int]]] = field(repr=False)
    traces: Sequence[Sequence[float]] = field(default=(), repr=False)

    @property
    def n_samples(self) -> int:
        """Samples that were classified."""
        return len(next(iter(self.is_right.values())))

    def accuracy(self, size: int) -> float:
        """Share of all samples classified rightly."""
        return float(self.is_right[size].mean())

    def stability(self, size: int) -> float:
        """Kuncheva's index over the folds."""
        return kuncheva(self.subsets[size], n_features=self.n_features, when_all_chosen=1.0)

    def against(self, other: Result, size: int) -> McNemarResult:
        """McNemar's test of the two, as in the thesis: χ² with the correction for continuity."""
        return mcnemar(self.is_right[size], other.is_right[size], method="chi2")


def known(table: Table, probes: Iterable[str]) -> Array:
    """A mask of the features known beforehand; all must be in the table."""
    asked = list(probes)
    names = np.array([]) if table.feature_names is None else table.feature_names
    mask: Array = np.isin(names, asked)
    if mask.sum() != len(set(asked)):
        raise ValueError(f"{table.name} has no features {', '.join(sorted(set(asked) - set(names[mask].tolist())))}.")
    return mask


def at_random(table: Table, n_known: int, draw: int) -> Array:
    """A mask of as many features drawn at random: a prior without any knowledge."""
    mask = np.zeros(table.X.shape[1], dtype=bool)
    mask[np.random.default_rng([SEED, draw]).choice(len(mask), n_known, replace=False)] = True
    return mask


def drawn_prior(draw: int) -> str:
    """The name of a prior drawn at random."""
    return f"{RANDOM} {draw}"


def jobs_on(data: str, sizes: Sequence[int], n_draws: int = N_DRAWS) -> list[Job]:
    """E5 and E6 in both readings, and with priors drawn at random; without a list of known features the plain methods.

    Without scaling mRMR is the same, and what is slow is run with few sizes. Methods whose lists are not nested have a
    job for each size.
    """
    has_prior = data in PRIORS
    methods = [method for method, way in METHODS.items() if has_prior or not way.takes_prior]
    asked = [(method, SCALED, KNOWN, sizes) for method in methods]
    few = [size for size in sizes if size in FEW_SIZES] or list(sizes)
    asked += [
        (method, UNSCALED, KNOWN, few if method == "SS-l2AROM" else sizes) for method in methods if "mRMR" not in method
    ]
    asked += [
        (method, SCALED, drawn_prior(draw), sizes)
        for draw in range(n_draws)
        for method in methods
        if METHODS[method].takes_prior
    ]
    return [
        Job(data, method, reading, prior, some)
        for method, reading, prior, taken in asked
        for some in ([tuple(taken)] if METHODS[method].is_nested else [(size,) for size in taken])
    ]


def run(job: Job, n_folds: int, shelf: Shelf) -> dict[str, Any]:
    """Choose and classify in every fold; one selection is enough for all sizes if the lists are nested."""
    table = prepared(shelf, job.data)
    way = METHODS[job.method]
    options: dict[str, Any] = {"scale": READINGS[job.reading]}
    if way.takes_prior:
        probes = PRIORS[job.data].values()
        draw = job.prior.removeprefix(RANDOM)
        options["prior"] = known(table, probes) if job.prior == KNOWN else at_random(table, len(probes), int(draw))
    return chosen_and_tried(table, job, options, n_folds)


def chosen_and_tried(table: Table, job: Job, options: Mapping[str, Any], n_folds: int) -> dict[str, Any]:
    """The same on a table at hand."""
    way = METHODS[job.method]
    largest = max(job.sizes)
    is_right = {size: np.zeros(len(table.y), dtype=int) for size in job.sizes}
    subsets: dict[int, list[list[int]]] = {size: [] for size in job.sizes}
    traces = []
    for fold in folds(table, SEED, n_folds):
        X, y = table.X[fold.train], table.y[fold.train]
        fitted = {size: way.build(size, **options).fit(X, y) for size in ([largest] if way.is_nested else job.sizes)}
        for size in job.sizes:
            columns = fitted[largest].indices_[:size] if way.is_nested else fitted[size].indices_
            predicted = next(predict_svm(fold.Z, table.y, fold, iter([columns])))
            is_right[size][fold.test] = predicted == table.y[fold.test]
            subsets[size].append(columns.tolist())
        if hasattr(fitted[largest], "convergence_"):
            traces.append([float(share) for share in fitted[largest].convergence_])
    return {
        "data": job.data,
        "method": job.method,
        "reading": job.reading,
        "prior": job.prior,
        "n_features": table.X.shape[1],
        "is_right": {str(size): right.tolist() for size, right in is_right.items()},
        "subsets": {str(size): lists for size, lists in subsets.items()},
        "traces": traces,
    }


def gathered(parts: Iterable[Mapping[str, Any]]) -> list[Result]:
    """Results of all jobs, those that differ by the number of features in one; traces are those of the most."""
    same: dict[tuple[str, str, str, str], list[Mapping[str, Any]]] = {}
    for part in parts:
        same.setdefault((part["data"], part["method"], part["reading"], part["prior"]), []).append(part)
    results = []
    for about, some in same.items():
        by_size = {int(size): part for part in some for size in part["is_right"]}
        sizes = sorted(by_size)
        results.append(
            Result(
                *about,
                some[0]["n_features"],
                {size: np.array(by_size[size]["is_right"][str(size)], dtype=bool) for size in sizes},
                {size: by_size[size]["subsets"][str(size)] for size in sizes},
                by_size[sizes[-1]]["traces"],
            )
        )
    return results


def chosen(results: Iterable[Result], reading: str) -> dict[tuple[str, str], Result]:
    """Results of a reading by data set and method; what the reading leaves alone is that with scaling."""
    taken = [one for one in results if one.prior == KNOWN and one.reading in (SCALED, reading)]
    return {(one.data, one.method): one for one in sorted(taken, key=lambda one: one.reading == reading)}


def controls(results: Iterable[Result]) -> dict[tuple[str, str], list[Result]]:
    """Results with priors drawn at random, by data set and method."""
    found: dict[tuple[str, str], list[Result]] = {}
    for one in results:
        if one.prior.startswith(RANDOM):
            found.setdefault((one.data, one.method), []).append(one)
    return found
