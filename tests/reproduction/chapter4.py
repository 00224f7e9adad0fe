"""The experiments E5 and E6 of Ben Brahim 2015, chapter 4: selection with prior knowledge, on real tables.

Ten stratified folds; features are chosen on nine, a linear support vector machine (C = 1) is trained on nine with 10,
20 … 100 of them and tried on the tenth. Errors of all folds are pooled, as in the thesis.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from holdfast import AROM, MRMR, SVMRFE, Relief, SemiSupervisedAROM
from holdfast.evaluate import McNemarResult, mcnemar
from reproduction.protocol import Fold, Table, kuncheva, predict_svm

SETS = ("DLBCL", "Lung")
SIZES = tuple(range(10, 101, 10))

# DLBCL: the two genes the thesis names; probes of the Hu6800 chip as described in the data of Golub et al. 1999.
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

E5_PAIRS = (("PK-Relief", "Relief"), ("PK-mRMR", "mRMR"), ("PK-RFE", "SVM-RFE"))
E6_PAIRS = (("SS-l2AROM", "PS-l2-AROM"), ("SS-l2AROM", "SVM-RFE"), ("PS-l2-AROM", "SVM-RFE"))


@dataclass(frozen=True)
class Method:
    """How to build a selector of so many features; whether it takes a prior, and whether a longer list begins so."""

    build: Callable[..., object]
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

READINGS: Mapping[str, str | None] = {"default": None, "literal": "none"}


@dataclass(frozen=True)
class Result:
    """One method on one table: which samples are classified rightly with each number of features, and the features.

    ``traces`` are the shares that successive selections have in common, for each fold, with the most features.
    """

    data: str
    method: str
    reading: str
    prior: str
    is_right: Mapping[int, np.ndarray] = field(repr=False)
    subsets: Mapping[int, list[np.ndarray]] = field(repr=False)
    n_features: int
    seconds: float
    traces: Sequence[np.ndarray] = field(default=(), repr=False)

    @property
    def n_samples(self) -> int:
        return len(next(iter(self.is_right.values())))

    def accuracy(self, size: int) -> float:
        """Share of all samples classified rightly."""
        return float(self.is_right[size].mean())

    def stability(self, size: int) -> float:
        """Kuncheva's index over the folds."""
        return kuncheva(self.subsets[size], self.n_features)

    def against(self, other: Result, size: int) -> McNemarResult:
        """McNemar's test of the two, as in the thesis: χ² with the correction for continuity."""
        return mcnemar(self.is_right[size], other.is_right[size], method="chi2")


def known(table: Table, probes: Sequence[str]) -> np.ndarray:
    """A mask of the features known beforehand; all must be in the table."""
    mask = np.isin(table.features, probes)
    if mask.sum() != len(set(probes)):
        missing = sorted(set(probes) - set(table.features[mask].tolist()))
        raise ValueError(f"{table.name} has no features {', '.join(missing)}")
    return mask


def at_random(table: Table, n_known: int, seed: int) -> np.ndarray:
    """A mask of as many features drawn at random: a prior without any knowledge."""
    mask = np.zeros(table.X.shape[1], dtype=bool)
    mask[np.random.default_rng(seed).choice(len(mask), n_known, replace=False)] = True
    return mask


def run(
    table: Table,
    split: Sequence[Fold],
    method: str,
    prior: np.ndarray,
    *,
    sizes: Sequence[int] = SIZES,
    reading: str = "default",
    prior_name: str = "known",
) -> Result:
    """Choose and classify in every fold; one selection is enough for all sizes if the lists are nested."""
    way = METHODS[method]
    options = {"scale": READINGS[reading]} | ({"prior": prior} if way.takes_prior else {})
    is_right = {size: np.zeros(len(table.y), dtype=bool) for size in sizes}
    subsets: dict[int, list[np.ndarray]] = {size: [] for size in sizes}
    traces = []
    seconds = 0.0
    for fold in split:
        start = time.perf_counter()
        X, y = table.X[fold.train], table.y[fold.train]
        fitted = {size: way.build(size, **options).fit(X, y) for size in (sizes[-1:] if way.is_nested else sizes)}
        seconds += time.perf_counter() - start
        for size in sizes:
            columns = fitted[sizes[-1]].indices_[:size] if way.is_nested else fitted[size].indices_
            predicted = next(predict_svm(fold.Z, table.y, fold, iter([columns])))
            is_right[size][fold.test] = predicted == table.y[fold.test]
            subsets[size].append(columns)
        if hasattr(fitted[sizes[-1]], "convergence_"):
            traces.append(fitted[sizes[-1]].convergence_)
    return Result(table.name, method, reading, prior_name, is_right, subsets, table.X.shape[1], seconds, tuple(traces))


PRIOR_METHODS = tuple(name for name, way in METHODS.items() if way.takes_prior)
# Without scaling mRMR is the same. What is slow or only a control is run with few sizes.
LITERAL = {method: SIZES for method in METHODS if "mRMR" not in method} | {"SS-l2AROM": (10, 50, 100)}
CONTROL = {method: (10, 50, 100) for method in PRIOR_METHODS if method != "SS-l2AROM"}


def experiments(
    table: Table, split: Sequence[Fold], probes: Sequence[str], seed: int, sizes: Sequence[int] = SIZES
) -> list[Result]:
    """E5 and E6 in both readings, and with a prior drawn at random."""
    prior = known(table, probes)
    results = [run(table, split, method, prior, sizes=sizes) for method in METHODS]
    for method, some in LITERAL.items():
        taken = [size for size in sizes if size in some] or sizes
        results.append(run(table, split, method, prior, sizes=taken, reading="literal"))
    drawn = at_random(table, len(probes), seed)
    for method, some in CONTROL.items():
        taken = [size for size in sizes if size in some] or sizes
        results.append(run(table, split, method, drawn, sizes=taken, prior_name="random"))
    return results
