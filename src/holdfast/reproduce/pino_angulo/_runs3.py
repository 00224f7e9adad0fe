"""The experiments of chapter 3: consistency search over thresholds, beside other filters, in effort.

The thesis chooses features on all samples and then cross-validates a classifier on them, which is optimistic. So do
``swept`` and ``filtered``; ``filtered`` also gives the figures of features chosen inside the folds, and
``annealed_inside`` those of SALCC.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from holdfast import SALCC, NothingSelected, selector
from holdfast.measures import bayesian_risk, inconsistency_count
from holdfast.measures._tree import decision_tree
from holdfast.prepare import EqualWidthDiscretizer
from holdfast.reproduce.pino_angulo._areas3 import CLASSIFIERS, MOST_FOR_SVM, Areas
from holdfast.reproduce.pino_angulo._tables3 import READINGS, Split, Task, load, split_of
from holdfast.reproduce.shelf import Shelf

Array = npt.NDArray[Any]

SEED = 0
N_INNER = 5
# A search that draws nothing is run so often for its seconds.
N_TIMED = 3
DELTA = 0.01
SEARCHES = {"SDCC": "sdcc", "LCC": "lcc", "FSDCC": "fsdcc", "ASDCC": "asdcc"}
FILTERS = ("RF", "CFS", "FCBF", "SLCC", "ASDCC", "SWCFS")
# The thesis does not say where it cuts the weights of RELIEFF; this fits its numbers of features.
RELIEF_CUT = 0.1
# SALCC goes no higher than this.
DELTA_MAX = 0.4


@dataclass(frozen=True)
class Effort:
    """How much is run: thresholds, orders of SDCC, and how many of its orders each classifier judges."""

    deltas: Sequence[float]
    n_orders: int
    n_judged: Mapping[str, int]
    classifiers: Sequence[str] = CLASSIFIERS


# Machines take long, so they judge fewer orders.
FULL = Effort(tuple(round(0.01 * step, 2) for step in range(11)), 10, {"NB": 10, "tree": 10, "SVM": 3})


def swept(name: str, reading: str, effort: Effort, shelf: Shelf) -> list[dict[str, Any]]:
    """P1: every search at some thresholds, chosen and judged on the same samples."""
    return swept_task(load(name, shelf, reading), effort)


def swept_task(task: Task, effort: Effort) -> list[dict[str, Any]]:
    """The same on a table that is there already."""
    areas = Areas(task, split_of(task, SEED))
    judged = {name: n for name, n in effort.n_judged.items() if _is_judged(name, task)}
    for name in SEARCHES.values():
        # What is compiled at the first call must not be timed.
        _fitted(selector(name, delta=DELTA, discretizer=None), task.levels[:, :3], task.y)
    found = []
    for delta in effort.deltas:
        for method, name in SEARCHES.items():
            is_drawn = method == "SDCC"
            orders = [{"random_state": order} for order in range(effort.n_orders)] if is_drawn else [{}] * N_TIMED
            seconds, fitted = [], []
            for order in orders:
                start = time.process_time()
                fitted.append(_fitted(selector(name, delta=delta, discretizer=None, **order), task.levels, task.y))
                seconds.append(time.process_time() - start)
            fitted = fitted if is_drawn else fitted[:1]
            subsets = [one.indices_ for one in fitted]
            found.append(
                {
                    "method": method,
                    "delta": delta,
                    "sizes": [len(one) for one in subsets],
                    "risks": [float(one.risk_) for one in fitted],
                    "n_evaluations": [int(one.n_evaluations_.subset) for one in fitted],
                    "seconds": seconds,
                    "subsets": [sorted(one.tolist()) for one in subsets],
                    "auc": {by: [areas.of_one(by, one) for one in subsets[:n]] for by, n in judged.items()},
                }
            )
    return found


def removed(name: str, shelf: Shelf) -> dict[str, dict[str, Any]]:
    """P4: how many of the least relevant features can go at once without any loss, by reading; and the table's size."""
    return {reading: removed_task(load(name, shelf, reading)) for reading in READINGS}


def removed_task(task: Task) -> dict[str, Any]:
    """The mass removal of SWCFS: all that comes, in rising relevance, before the first that LCC keeps at no loss."""
    found = _fitted(selector("super-lcc", delta=0.0, discretizer=None), task.levels, task.y)
    return {
        "n_samples": len(task.y),
        "n_features": task.X.shape[1],
        "n_classes": task.n_classes,
        "n_constant": int((np.ptp(task.levels, axis=0) == 0).sum()),
        "n_removed": n_removable(task.levels, task.y, found.relevance_),
        "risk_of_all": float(found.risk_of_all_),
    }


def n_removable(levels: Array, y: Array, relevance: Array) -> int:
    """How many of the least relevant features go at once without loss; among equally relevant ones the first does."""
    order = np.argsort(relevance, kind="stable")
    least = inconsistency_count(levels, y)
    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        rest = levels[:, order[middle:]] if middle < len(order) else np.zeros((len(y), 1), dtype=np.uint8)
        low, high = (middle, high) if inconsistency_count(rest, y) == least else (low, middle - 1)
    return low


def filtered(
    name: str, reading: str, methods: Sequence[str], classifiers: Sequence[str], shelf: Shelf
) -> dict[str, dict[str, Any]]:
    """P5: filters, chosen on all samples as in the thesis, and inside the folds."""
    return filtered_task(load(name, shelf, reading), methods, classifiers)


def filtered_task(task: Task, methods: Sequence[str], classifiers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The same on a table that is there already."""
    split = split_of(task, SEED)
    areas = Areas(task, split)
    judges = [name for name in classifiers if _is_judged(name, task)]
    everything = np.arange(len(task.y))
    by_fold = [task.levels_by(train) for train, _ in split]
    found = {}
    for method in methods:
        columns = chosen(task, method, task.levels, everything)
        inside = [chosen(task, method, levels, train) for levels, (train, _) in zip(by_fold, split, strict=True)]
        found[method] = {
            "size": len(columns),
            "auc": {by: areas.of_one(by, columns) for by in judges},
            "sizes_inside": [len(one) for one in inside],
            "auc_inside": {by: areas.of_each(by, inside) for by in judges},
        }
    return found


def chosen(task: Task, method: str, levels: Array, rows: Array) -> Array:
    """Features that a filter chooses on some samples, whose values have these levels."""
    y = task.y[rows]
    if method == "RF":
        nominal = "all" if task.is_discrete else None
        scores = selector("relieff", n_features_to_select=1, nominal=nominal).fit(task.X[rows], y).scores_
        above = np.flatnonzero(scores > RELIEF_CUT)
        return above if len(above) else np.array([scores.argmax()])
    # FCFS finds what CFS finds, sooner.
    name = {"CFS": "fcfs"}.get(method, method.lower())
    options = {"delta": DELTA} if method in ("SLCC", "ASDCC", "SWCFS") else {}
    columns: Array = _fitted(selector(name, discretizer=None, **options), levels[rows], y).indices_
    return columns


def annealed(name: str, reading: str, shelf: Shelf) -> dict[str, Any]:
    """P6 to P8: SALCC beside LCC; scores are those of the tree that guided it, on the same samples."""
    return annealed_task(load(name, shelf, reading))


def annealed_task(task: Task) -> dict[str, Any]:
    """The same on a table that is there already.

    ``n_judged`` sets were judged (ESets) of ``n_all`` that LCC keeps under some threshold (TSets); ``best_score`` is
    the best of these all. ``delta`` is what the set that is kept leaves undecided.
    """
    split = split_of(task, SEED)
    walk, every = (_salcc(task, search, split) for search in ("annealing", "sweep"))
    lcc, slcc = (
        _fitted(selector("super-lcc", delta=delta, discretizer=None), task.levels, task.y) for delta in (0.0, DELTA)
    )
    score_of = {round(step["risk"], 9): step["score"] for step in every.trace_}
    areas = Areas(task, split)
    return {
        "n_judged": int(walk.n_evaluations_.classifier) // len(split),
        "n_all": len(every.trace_),
        "n_lcc_runs": int(walk.n_lcc_runs_),
        "lcc_size": len(lcc.indices_),
        "salcc_size": len(walk.indices_),
        "delta": float(walk.risk_),
        "lcc_score": float(score_of[round(lcc.risk_, 9)]),
        "slcc_score": float(score_of[round(slcc.risk_, 9)]),
        "salcc_score": float(walk.score_),
        "best_score": float(every.score_),
        "auc": {by: areas.of_one(by, walk.indices_) for by in ("NB", "tree")},
    }


def annealed_inside(name: str, reading: str, shelf: Shelf) -> dict[str, Any]:
    """SALCC chosen on nine folds, guided by five folds of these, and judged on the tenth."""
    return annealed_inside_task(load(name, shelf, reading))


def annealed_inside_task(task: Task) -> dict[str, Any]:
    """The same on a table that is there already; sizes of LCC on the nine folds beside it."""
    split = split_of(task, SEED)
    walks, lcc_sizes = [], []
    for train, _ in split:
        part = replace(task, X=task.X[train], y=task.y[train])
        walks.append(_salcc(part, "annealing", split_of(part, SEED, N_INNER)))
        lcc = _fitted(selector("super-lcc", delta=0.0, discretizer=None), part.levels, part.y)
        lcc_sizes.append(len(lcc.indices_))
    areas = Areas(task, split)
    subsets = [one.indices_ for one in walks]
    return {
        "sizes": [len(one) for one in subsets],
        "n_judged": [int(one.n_evaluations_.classifier) // N_INNER for one in walks],
        "lcc_sizes": lcc_sizes,
        "auc": {by: areas.of_each(by, subsets) for by in ("NB", "tree")},
    }


def _salcc(task: Task, search: str, split: Split) -> Any:
    """SALCC on some samples of a table, up to 0.4 or what LCC needs; a nominal feature is indicators to the tree."""
    estimator = None
    if task.n_indicators > 1:
        estimator = make_pipeline(OneHotEncoder(handle_unknown="ignore"), decision_tree())
    cuts: Any = None
    if not task.is_discrete:
        cuts = "mdl" if task.n_bins is None else EqualWidthDiscretizer(task.n_bins)
    walk = SALCC(
        search=search,
        estimator=estimator,
        discretizer=cuts,
        cv=split,
        delta_max=max(DELTA_MAX, bayesian_risk(task.levels, task.y) + DELTA),
        delta_mode="absolute",
    )
    return _fitted(walk, task.X, task.y)


def _is_judged(classifier: str, task: Task) -> bool:
    return classifier != "SVM" or len(task.y) <= MOST_FOR_SVM


def _fitted(given: Any, X: Array, y: Array) -> Any:
    """A selector that may choose nothing: a large threshold can allow that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return given.fit(X, y)
