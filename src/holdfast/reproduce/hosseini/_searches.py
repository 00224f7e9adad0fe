"""Our own runs of D²CORFS: on the nominal training part, on all samples, and inside folds."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from holdfast import D2CORFS, DCORFS, NothingSelected
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, predicted
from holdfast.reproduce.hosseini._fixed import held_out, left_out
from holdfast.reproduce.hosseini._tables import (
    BY_TRAIN,
    CONFIDENCE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    PER_SET,
    POOLED,
    Array,
    Data,
    load,
    scaled_parts,
)
from holdfast.reproduce.shelf import Shelf

# Keeps as many features of Leukemia as in print; not a round value, so for the comparison of times only.
AS_MANY = 0.8235
OUTSIDE = "folds"


def search(
    data: Data, rows: Array, confidence: float | None, step: float, seed: int, without: Sequence[int] = ()
) -> dict[str, Any]:
    """One run of D²CORFS on some samples; features that miss a value among them, or are left out, take no part.

    Features are counted from 1 in the whole file.
    """
    X = data.X[rows]
    columns = np.setdiff1d(np.flatnonzero(~np.isnan(X).any(axis=0)), np.array(without, dtype=np.int64) - 1)
    selector = D2CORFS(selector=DCORFS(step=step), confidence=confidence, random_state=seed, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        start = time.process_time()
        found = selector.fit(X[:, columns], data.y[rows])
        seconds = time.process_time() - start
    return {
        "model": sorted((columns[found.indices_] + 1).tolist()),
        "value": float(found.value_),
        "n_pool": int(len(columns) - found.n_screened_out_),
        "n_bins": int(found.n_bins_),
        "seconds": seconds,
    }


def folds(data: Data, seed: int, n_folds: int) -> list[tuple[Array, Array]]:
    """Stratified folds of all samples."""
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(data.X, data.y))


def right_in_fold(data: Data, model: Sequence[int], fold: tuple[Array, Array], scaling: str) -> dict[str, int]:
    """How many samples of a fold each classifier gets right, trained on the others."""
    train, test = fold
    X = data.model(model, train)
    before, after = scaled_parts(X[train], X[test], scaling)
    return {one: int((predicted(one, before, data.y[train], after) == data.y[test]).sum()) for one in CLASSIFIERS}


def over_folds(data: Data, models: Sequence[Sequence[int]], seed: int, scaling: str) -> dict[str, float]:
    """Accuracy over folds, with a model for each; sound if each was chosen, and is scaled, on the other folds."""
    every = folds(data, seed, len(models))
    right = [right_in_fold(data, model, fold, scaling) for model, fold in zip(models, every, strict=True)]
    return {one: sum(count[one] for count in right) / len(data.y) for one in CLASSIFIERS}


def judged(data: Data, protocol: str, model: Sequence[int], seed: int, n_folds: int) -> dict[str, dict[str, float]]:
    """Accuracy of a model by classifier: on the test part, or (leaky) over samples or folds left out."""
    if protocol == HOLD_OUT:
        return {
            scaling: {one: test["J_te"] for one, test in measured(data, model, scaling).items()}
            for scaling in (PER_SET, BY_TRAIN)
        }
    return {
        LEAVE_ONE_OUT: {one: left_out(data, model, one) for one in CLASSIFIERS},
        OUTSIDE: over_folds(data, [model] * n_folds, seed, POOLED),
    }


def measured(data: Data, model: Sequence[int], scaling: str) -> dict[str, dict[str, float]]:
    """All measures of Table 4.2 by classifier; gaps of the test part are means of the training part."""
    return {one: held_out(data, model, one, scaling, data.rows(HOLD_OUT)) for one in CLASSIFIERS}


def searched(protocol: str, name: str, step: float, seed: int, n_folds: int, shelf: Shelf) -> dict[str, Any]:
    """A run on all samples of a protocol, and what the classifiers make of it."""
    data = load(shelf, name)
    run = search(data, data.rows(protocol), CONFIDENCE[name, protocol], step, seed)
    n_judged = int((~data.is_train).sum()) if protocol == HOLD_OUT else len(data.y)
    found = {**run, "n_judged": n_judged, "accuracy": judged(data, protocol, run["model"], seed, n_folds)}
    return found | ({"measures": measured(data, run["model"], BY_TRAIN)} if protocol == HOLD_OUT else {})


def searched_inside(name: str, step: float, seed: int, fold: int, n_folds: int, shelf: Shelf) -> dict[str, Any]:
    """A run on all folds but one of a partition, and how many samples of that one come out right."""
    data = load(shelf, name)
    train, test = folds(data, seed, n_folds)[fold]
    run = search(data, train, CONFIDENCE[name, LEAVE_ONE_OUT], step, seed)
    return {
        **run,
        "n_judged": len(test),
        "right": right_in_fold(data, run["model"], (train, test), BY_TRAIN),
    }


def timed_in_turn(step: float, seed: int, shelf: Shelf) -> dict[str, Any]:
    """Runs on Lung and on Leukemia, with as many features as in print, one after the other: machines get busier."""
    found = {}
    for name, confidence in (("Lung", CONFIDENCE["Lung", HOLD_OUT]), ("Leukemia", AS_MANY)):
        data = load(shelf, name)
        found[name] = search(data, data.rows(HOLD_OUT), confidence, step, seed)
    return found
