"""The smaller experiments of chapter 4: a search in every split, searches without a feature, and times."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from holdfast import D2CORFS, DCORFS, NothingSelected
from holdfast.reproduce.hosseini._fixed import left_out, other_splits
from holdfast.reproduce.hosseini._searches import right_in_fold, search
from holdfast.reproduce.hosseini._tables import BY_TRAIN, CONFIDENCE, HOLD_OUT, LEAVE_ONE_OUT, Array, Data, load
from holdfast.reproduce.shelf import Shelf

# Figure 4.3 does not say its sizes, nor its table: these are ours.
TIMED = "Colon"
BIN_SIZES, N_ITERATIONS = (10, 20, 40, 80, 160, 320), (25, 50, 100, 200)
N_BINS, POOLS = (1, 2, 5, 10, 20, 50, 100, 200), (500, 1000, 2000)


def resplit_inside(name: str, step: float, split: int, shelf: Shelf) -> dict[str, Any]:
    """Figure 4.2 without its leaks: on one of the splits, screening, search and ranges are of the training part."""
    data = load(shelf, name)
    train, test = other_splits(data, 0, split + 1)[split]
    run = search(data, train, CONFIDENCE[name, HOLD_OUT], step, split)
    return {**run, "n_judged": len(test), "right": right_in_fold(data, run["model"], (train, test), BY_TRAIN)}


def diverse(name: str, step: float, n_searches: int, shelf: Shelf) -> dict[str, Any]:
    """Table 4.5: search again without a feature of a model found before, as long as errors do not grow.

    What is left out adds up along a path of models, as in print. Errors are of NB under leave-one-out.
    """
    data = load(shelf, name)
    first = _without(data, step, ())
    queue: list[tuple[list[int], list[int]]] = [(first["model"], [])]
    found: list[dict[str, Any]] = []
    while queue and len(found) < n_searches:
        model, left = queue.pop(0)
        for feature in model:
            without = sorted([*left, feature])
            if len(found) == n_searches or any(one["without"] == without for one in found):
                continue
            other = _without(data, step, without)
            known = [first["model"], *(one["model"] for one in found)]
            found.append(other)
            if other["errors"] <= first["errors"] and other["model"] not in known:
                queue.append((other["model"], without))
    return {"first": first, "others": found, "n_samples": len(data.y)}


def _without(data: Data, step: float, without: Sequence[int]) -> dict[str, Any]:
    rows = data.rows(LEAVE_ONE_OUT)
    model = search(data, rows, CONFIDENCE[data.name, LEAVE_ONE_OUT], step, 0, without)["model"]
    errors = round(len(rows) * (1 - left_out(data, model, "NB")))
    return {"without": list(without), "model": model, "errors": errors}


def times_of_bins(n_runs: int, shelf: Shelf) -> list[dict[str, Any]]:
    """Figure 4.3, top: DCORFS on bins of several sizes, with several limits of iterations; features drawn every run."""
    data = load(shelf, TIMED)
    # The first fit of a process is slower.
    _fit(DCORFS(confidence=None), data.X[:, : BIN_SIZES[0]], data.y)
    found = []
    for seed in range(n_runs):
        order = np.random.default_rng(seed).permutation(data.X.shape[1])
        for size in BIN_SIZES:
            for limit in N_ITERATIONS:
                selector = DCORFS(confidence=None, n_iterations=limit, random_state=seed)
                seconds = _fit(selector, data.X[:, order[:size]], data.y)
                found.append(
                    {
                        "size": size,
                        "limit": limit,
                        "seconds": seconds,
                        "iterations": int(selector.n_iterations_),
                        "converged": bool(selector.converged_),
                    }
                )
    return found


def times_of_pools(n_features: int, seed: int, every_n_bins: Sequence[int], shelf: Shelf) -> list[dict[str, Any]]:
    """Figure 4.3, bottom: D²CORFS on some features, dealt to few bins or to many."""
    data = load(shelf, TIMED)
    X = data.X[:, np.random.default_rng(seed).permutation(data.X.shape[1])[:n_features]]
    _fit(D2CORFS(confidence=None, n_bins=2, n_jobs=1), X[:, : BIN_SIZES[0]], data.y)
    found = []
    for n_bins in every_n_bins:
        selector = D2CORFS(confidence=None, n_bins=n_bins, random_state=seed, n_jobs=1)
        seconds = _fit(selector, X, data.y)
        found.append(
            {
                "n_features": n_features,
                "n_bins": n_bins,
                "seconds": seconds,
                "rounds": int(selector.n_rounds_),
                "evaluations": int(selector.n_evaluations_.subset),
            }
        )
    return found


def _fit(selector: D2CORFS | DCORFS, X: Array, y: Array) -> float:
    """Seconds of the processor."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        start = time.process_time()
        selector.fit(X, y)
        return time.process_time() - start
