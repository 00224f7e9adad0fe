"""The experiments of §4.3 to §4.5.1: pairs that CFS and MRMR measure, and seconds, with and without the savings."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast import CFS, MRMR
from holdfast._progress import watching
from holdfast.measures.information import mutual_information, symmetrical_uncertainty
from holdfast.prepare.codes import Codes
from holdfast.prepare.discretize import (
    Discretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
)
from holdfast.reproduce.pino_angulo._buckets import Walk, walk
from holdfast.reproduce.pino_angulo._pair_counts import N_PICKED
from holdfast.reproduce.protocol import training_part
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.search.shared import SharedInformation

Array = npt.NDArray[Any]

# Kent Ridge's files, from which the copies that went round were made, have this where nothing was measured.
NOT_MEASURED = 100.0
SEED = 0


@dataclass(frozen=True)
class Reading:
    """A way to make levels of values, since the thesis names none."""

    label: str
    discretizer: Callable[[], Discretizer]


READINGS: Mapping[str, Reading] = {
    "width-2": Reading("two bins of equal width", lambda: EqualWidthDiscretizer(n_bins=2)),
    "mdl": Reading("cuts by class (MDL)", MDLDiscretizer),
    "mean-sigma": Reading("mean ± σ/2", MeanSigmaDiscretizer),
    "width-5": Reading("five bins of equal width", lambda: EqualWidthDiscretizer(n_bins=5)),
    "frequency-5": Reading("five bins of equal frequency", lambda: EqualFrequencyDiscretizer(n_bins=5)),
}
# By which cells are judged: its numbers of features are the nearest to those in print.
JUDGED = "width-2"


@dataclass(frozen=True)
class Effort:
    """How much of everything is run."""

    n_times: int
    n_orders: int
    n_draws: int
    sizes: tuple[int, ...]


FULL = Effort(n_times=6, n_orders=10, n_draws=500, sizes=(10, 20, 50, 100))
QUICK = Effort(n_times=2, n_orders=2, n_draws=50, sizes=(10, 100))


def load(shelf: Shelf, name: str) -> Table:
    """A table with all its features, the training part where there is a test part of a challenge."""
    table = shelf.load(name)
    if name == "ARC":
        table = training_part(table)
    if np.isnan(table.X).any():
        table = replace(table, X=np.where(np.isnan(table.X), NOT_MEASURED, table.X))
    return table


def counts(name: str, reading: str, shelf: Shelf) -> dict[str, Any]:
    """Pairs of the originals, of the library's savings, and of the savings in the order of print."""
    table = load(shelf, name)
    discretizer = READINGS[reading].discretizer()
    codes, target = _coded(table, discretizer)
    mrmr = {search: MRMR(N_PICKED, search=search, discretizer=discretizer) for search in ("exhaustive", "lazy")}
    cfs = {search: CFS(search=search, discretizer=discretizer) for search in ("incremental", "lazy")}
    for selector in (*mrmr.values(), *cfs.values()):
        selector.fit(table.X, table.y)
    return {
        "n_features": table.X.shape[1],
        "n_varying": int((~codes.is_constant).sum()),
        "MRMR": {
            "pairs": mrmr["exhaustive"].n_evaluations_.pair,
            "pairs_lazy": mrmr["lazy"].n_evaluations_.pair,
            "is_same": mrmr["exhaustive"].indices_.tolist() == mrmr["lazy"].indices_.tolist(),
            **_as_json(_mrmr_walk(codes, target)),
        },
        "CFS": {
            "pairs": cfs["incremental"].n_evaluations_.pair,
            "pairs_lazy": cfs["lazy"].n_evaluations_.pair,
            "n_kept": len(cfs["incremental"].indices_),
            "is_same": cfs["incremental"].indices_.tolist() == cfs["lazy"].indices_.tolist(),
            **_as_json(_cfs_walk(codes, target)),
        },
    }


def orders(name: str, effort: Effort, shelf: Shelf) -> dict[str, list[int]]:
    """Pairs in the order of print when the columns stand in other orders."""
    table = load(shelf, name)
    codes, target = _coded(table, READINGS[JUDGED].discretizer())
    levels = codes.as_bytes()
    rng = np.random.default_rng(SEED)
    found: dict[str, list[int]] = {"MRMR": [], "CFS": []}
    for _ in range(effort.n_orders):
        moved = Codes.of(np.ascontiguousarray(levels[rng.permutation(len(levels))]))
        found["MRMR"].append(_mrmr_walk(moved, target).n_pairs)
        found["CFS"].append(_cfs_walk(moved, target).n_pairs)
    return found


def seconds(name: str, effort: Effort, shelf: Shelf) -> dict[str, Any]:
    """Mean processor seconds of whole fits, levels included, and of the rounds of FCFS."""
    table = load(shelf, name)
    discretizer = READINGS[JUDGED].discretizer()
    timed = {
        "MRMR": MRMR(N_PICKED, search="exhaustive", discretizer=discretizer),
        "MRMR+": MRMR(N_PICKED, search="lazy", discretizer=discretizer),
        "FCFS": CFS(search="incremental", discretizer=discretizer),
        "CFS+": CFS(search="lazy", discretizer=discretizer),
        # Levels and relevances, which nothing saves: one feature needs no pair.
        "MRMR of one": MRMR(1, search="exhaustive", discretizer=discretizer),
        "FCFS of one": CFS(1, search="incremental", discretizer=discretizer),
    }
    found: dict[str, Any] = {}
    for method, selector in timed.items():
        _compile(selector, table)
        runs = [_rounds(selector, table) for _ in range(effort.n_times)]
        found[method] = float(np.mean([total for total, _ in runs]))
        if method == "FCFS":
            found["rounds"] = np.mean([each for _, each in runs], axis=0).tolist()
    return found


def naive(name: str, shelf: Shelf) -> dict[str, Any]:
    """The CFS that computes every sum anew: seconds, rounds, values, and whether FCFS keeps the same."""
    table = load(shelf, name)
    discretizer = READINGS[JUDGED].discretizer()
    selector = CFS(search="naive", discretizer=discretizer)
    _compile(selector, table)
    total, rounds = _rounds(selector, table)
    fast = CFS(search="incremental", discretizer=discretizer).fit(table.X, table.y)
    counted = selector.n_evaluations_
    return {
        "seconds": total,
        "rounds": rounds,
        "n_features": table.X.shape[1],
        "n_kept": len(selector.indices_),
        "values": counted.relevance + counted.pair,
        "is_same": selector.indices_.tolist() == fast.indices_.tolist(),
    }


def thought(effort: Effort, shelf: Shelf) -> list[dict[str, float]]:
    """Features that share nothing, in random order: what MRMR+ computes for ten of them (§4.4.1.3)."""
    rng = np.random.default_rng(SEED)
    found = []
    for n_features in effort.sizes:
        drawn = [
            n_features
            + walk(rng.permutation(n_features) + 1.0, _nothing_shared(n_features), 10, is_subset=False).n_pairs
            for _ in range(effort.n_draws)
        ]
        found.append({"n_features": n_features, "mean": float(np.mean(drawn)), "sd": float(np.std(drawn, ddof=1))})
    return found


def thought_bound(n_features: int, n_picked: int = 10) -> float:
    """The bound of the same, with the number of records of a random order as it is (the printed recursion is not)."""
    records = np.cumsum(1.0 / np.arange(1, n_features + 1))
    return float(n_features + sum(k * records[n_features - k - 1] for k in range(1, n_picked) if k < n_features))


def _nothing_shared(n_features: int) -> Callable[[int], Array]:
    nothing = np.zeros(n_features)
    return lambda feature: nothing


def _coded(table: Table, discretizer: Discretizer) -> tuple[Codes, Codes]:
    _, target = np.unique(table.y, return_inverse=True)
    return discretizer.codes(np.ascontiguousarray(table.X), target), Codes.of(target[np.newaxis, :])


def _mrmr_walk(codes: Codes, target: Codes) -> Walk:
    relevance = np.where(codes.is_constant, -np.inf, mutual_information(codes, target))
    return walk(relevance, SharedInformation(codes, scaled=False).with_feature, N_PICKED, is_subset=False)


def _cfs_walk(codes: Codes, target: Codes) -> Walk:
    relevance = np.where(codes.is_constant, -np.inf, symmetrical_uncertainty(codes, target))
    return walk(relevance, SharedInformation(codes, scaled=True).with_feature, len(relevance), is_subset=True)


def _as_json(walked: Walk) -> dict[str, Any]:
    return {"pairs_in_print_order": walked.n_pairs, "cumulative": walked.pairs}


def _compile(selector: Any, table: Table) -> None:
    """Compilation is no part of anybody's seconds."""
    selector.fit(table.X[:, :100], table.y)


def _rounds(selector: Any, table: Table) -> tuple[float, list[float]]:
    """Seconds of a fit, and from one pick to the next; what comes before the first pick is no round."""
    ticks: list[float] = []

    def tick(what: str, done: int, total: int | None) -> None:
        if what == "Features chosen":
            ticks.append(time.process_time())

    start = time.process_time()
    with watching(tick):
        selector.fit(table.X, table.y)
    return time.process_time() - start, np.diff(ticks).tolist()
