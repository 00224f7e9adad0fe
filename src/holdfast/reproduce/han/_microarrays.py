"""The four tables of chapter 7, and the selectors that are compared on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.han._weighing import CONTROL, ENSEMBLE, MEAN, PLAIN, WEIGHTED, svm_rfe
from holdfast.reproduce.protocol import training_part
from holdfast.reproduce.shelf import Set, Shelf
from holdfast.reproduce.table import Table
from holdfast.selectors.neighbours import ReliefF
from holdfast.selectors.ranking import TTest
from holdfast.stability import EnsembleSelector, InstanceWeightedSelector, bootstraps

Array = npt.NDArray[Any]

SETS: Mapping[str, Set] = {
    "Colon": Set("colon"),
    "Leukemia": Set("leukemia"),
    "Prostate": Set("prostate"),
    "Lung": Set("lung_gordon"),
}
LUNG = "Lung"
LUNG_GENES = 5000

RELIEFF, EN_RELIEFF, IW_RELIEFF = "ReliefF", "En ReliefF", "IW ReliefF"
IW_NORMALISED = "normalised IW ReliefF"
SVM_ARMS = (PLAIN, ENSEMBLE, WEIGHTED, MEAN, CONTROL)
RELIEFF_ARMS = (RELIEFF, EN_RELIEFF, IW_RELIEFF, IW_NORMALISED)
ARMS = (*SVM_ARMS, *RELIEFF_ARMS)
PRINTED_ARMS = (PLAIN, ENSEMBLE, WEIGHTED, RELIEFF, EN_RELIEFF, IW_RELIEFF)
ENSEMBLES = (ENSEMBLE, EN_RELIEFF)
N_BOOTSTRAPS = 20


def selector(arm: str, n_features_to_select: int, *, keep_path: bool = False) -> Any:
    """The selector of an arm; neighbours have the weights of Algorithm 1, in the last arm divided by their sum."""
    if arm in ENSEMBLES:
        return EnsembleSelector(
            n_features_to_select,
            selector="svm-rfe" if arm == ENSEMBLE else "relieff",
            rule="cla",
            complete_ranks=True,
            n_runs=N_BOOTSTRAPS,
            perturb=partial(bootstraps, stratified=False),
        )
    if arm in SVM_ARMS:
        return svm_rfe(arm, n_features_to_select, keep_path=keep_path)
    plain = ReliefF(n_features_to_select, neighbour_weights="normalized" if arm == IW_NORMALISED else "raw")
    return plain if arm == RELIEFF else InstanceWeightedSelector(n_features_to_select, selector=plain)


def prepared(shelf: Shelf, name: str) -> Table:
    """A table as the dissertation counts it, but for the genes of Lung."""
    table = shelf.load(name)
    if name != "Prostate":
        return table
    singh = training_part(table)
    return replace(singh, X=filtered(singh.X), feature_names=None)


def filtered(X: Array) -> Array:
    """Arrays of Singh et al. as they are often used: these thresholds leave the 6,034 genes that Han 2012 counts.

    Logarithms and standardised arrays, which go with them elsewhere, are our guess.
    """
    clipped = np.clip(X, 10, 16000)
    low, high = clipped.min(axis=0), clipped.max(axis=0)
    logs = np.log10(clipped[:, (high / low >= 5) & (high - low >= 50)])
    standardised: Array = (logs - logs.mean(axis=1, keepdims=True)) / logs.std(axis=1, keepdims=True)
    return standardised


def best_by_t_test(X: Array, y: Array, n_genes: int = LUNG_GENES) -> Array:
    """Columns of so many genes, in the order of the table."""
    best: Array = np.sort(TTest(n_genes).fit(X, y).indices_)
    return best
