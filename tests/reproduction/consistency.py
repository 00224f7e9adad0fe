"""The experiments of Pino Angulo 2019, chapter 3: consistency search over thresholds, beside other filters, in effort.

The thesis chooses features on all samples and then cross-validates a classifier on them, which is optimistic. So do
``swept`` and ``compared``; ``compared`` also gives the figures of features chosen inside the folds.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from holdfast import SALCC, NothingSelected, selector
from holdfast.measures._tree import decision_tree
from holdfast.selectors._base import Selector
from reproduction.consistency_tables import CLASSIFIERS, Judge, Task, split_of
from reproduction.protocol import Fold

DELTAS = tuple(round(0.01 * step, 2) for step in range(11))
DELTA = 0.01
N_ORDERS = 10
N_INNER = 5
# Orders of SDCC whose subsets a classifier judges; machines take long.
N_JUDGED = {"NB": 10, "tree": 10, "SVM": 3}
SEARCHES = {"SDCC": "sdcc", "LCC": "lcc", "FSDCC": "fsdcc", "ASDCC": "asdcc"}
FILTERS = ("RF", "CFS", "FCBF", "SLCC", "ASDCC", "SWCFS")
# The thesis does not say where it cuts the weights of RELIEFF; this fits its numbers of features, see the page.
RELIEF_CUT = 0.1


@dataclass(frozen=True)
class Swept:
    """One search at one threshold, for each order in which features were looked at (only SDCC has several)."""

    data: str
    n_features: int
    method: str
    delta: float
    sizes: tuple[int, ...]
    risks: tuple[float, ...]
    n_evaluations: tuple[int, ...]
    seconds: tuple[float, ...]
    subsets: tuple[frozenset[int], ...]
    auc: Mapping[str, tuple[float, ...]]

    def mean(self, quantity: str) -> float:
        """Mean over orders of "size", "risk", "evaluations", "seconds", or of the AUC of a classifier."""
        values = {
            "size": self.sizes,
            "risk": self.risks,
            "evaluations": self.n_evaluations,
            "seconds": self.seconds,
            **self.auc,
        }[quantity]
        return float(np.mean(values))


def swept(
    task: Task,
    split: Sequence[Fold],
    deltas: Sequence[float] = DELTAS,
    n_orders: int = N_ORDERS,
    n_judged: Mapping[str, int] = N_JUDGED,
) -> list[Swept]:
    """P1: every search at every threshold, chosen and judged on the same samples."""
    judge = Judge(task, split)
    found = []
    for delta in deltas:
        for method, name in SEARCHES.items():
            orders = [{"random_state": order} for order in range(n_orders)] if method == "SDCC" else [{}]
            seconds, fitted = [], []
            for order in orders:
                start = time.perf_counter()
                fitted.append(_fitted(selector(name, delta=delta, discretizer=None, **order), task.levels, task.y))
                seconds.append(time.perf_counter() - start)
            subsets = [one.indices_ for one in fitted]
            found.append(
                Swept(
                    task.name,
                    task.X.shape[1],
                    method,
                    delta,
                    tuple(map(len, subsets)),
                    tuple(one.risk_ for one in fitted),
                    tuple(one.n_evaluations_.subset for one in fitted),
                    tuple(seconds),
                    tuple(frozenset(one.tolist()) for one in subsets),
                    {name: tuple(judge.of_one(name, one) for one in subsets[:n]) for name, n in n_judged.items()},
                )
            )
    return found


def _fitted(given: Selector, X: np.ndarray, y: np.ndarray) -> Selector:
    """A selector that may choose nothing: a large threshold can allow that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return given.fit(X, y)


@dataclass(frozen=True)
class Removed:
    """P4: how many of the least relevant features can go at once without any loss; constant ones are among them."""

    data: str
    n_features: int
    n_constant: int
    n_removed: int
    risk_of_all: float

    @property
    def share(self) -> float:
        return self.n_removed / self.n_features


def removed(task: Task) -> Removed:
    """The mass removal of SWCFS: everything less relevant than all that LCC keeps with nothing lost."""
    found = _fitted(selector("super-lcc", delta=0.0, discretizer=None), task.levels, task.y)
    least = found.relevance_[found.indices_].min(initial=np.inf)
    n_constant = int((np.ptp(task.levels, axis=0) == 0).sum())
    n_removed = int((found.relevance_ < least - 1e-12).sum())
    return Removed(task.name, task.X.shape[1], n_constant, n_removed, found.risk_of_all_)


@dataclass(frozen=True)
class Compared:
    """P5: one filter; ``auc`` of features chosen on all samples, ``auc_inside`` of features chosen on nine folds."""

    data: str
    method: str
    size: int
    auc: Mapping[str, float]
    size_inside: float
    auc_inside: Mapping[str, float]


def chosen(task: Task, method: str, levels: np.ndarray, rows: np.ndarray) -> np.ndarray:
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
    return _fitted(selector(name, discretizer=None, **options), levels[rows], y).indices_


def compared(
    task: Task, split: Sequence[Fold], methods: Sequence[str] = FILTERS, classifiers: Sequence[str] = CLASSIFIERS
) -> list[Compared]:
    """P5: filters, chosen on all samples as in the thesis, and inside the folds."""
    judge = Judge(task, split)
    everything = np.arange(len(task.y))
    by_fold = [task.levels_by(fold.train) for fold in split]
    found = []
    for method in methods:
        columns = chosen(task, method, task.levels, everything)
        inside = [chosen(task, method, levels, fold.train) for levels, fold in zip(by_fold, split, strict=True)]
        found.append(
            Compared(
                task.name,
                method,
                len(columns),
                {name: judge.of_one(name, columns) for name in classifiers},
                float(np.mean([len(one) for one in inside])),
                {name: judge.of_each(name, inside, by_fold) for name in classifiers},
            )
        )
    return found


@dataclass(frozen=True)
class Effort:
    """P6 to P8: SALCC beside LCC; scores are those of the tree that guided it, on the same samples.

    ``n_judged`` sets were judged (ESets) of ``n_all`` that LCC keeps under some threshold (TSets); ``best_score``
    is the best of these all. The figures inside are of a choice on nine folds, judged on the tenth.
    """

    data: str
    n_judged: int
    n_all: int
    n_lcc_runs: int
    lcc_size: int
    salcc_size: int
    delta: float
    lcc_score: float
    slcc_score: float
    salcc_score: float
    best_score: float
    size_inside: float
    auc_inside: Mapping[str, float]


def effort(task: Task, split: Sequence[Fold], inner_seed: int | None = None) -> Effort:
    """SALCC with the tree over the folds; with a seed, also chosen inside them, by five inner folds."""
    walk, every = (_salcc(task, search, split) for search in ("annealing", "sweep"))
    lcc, slcc = (
        _fitted(selector("super-lcc", delta=delta, discretizer=None), task.levels, task.y) for delta in (0.0, DELTA)
    )
    score_of = {round(step["risk"], 9): step["score"] for step in every.trace_}
    inside, areas = [], {}
    if inner_seed is not None:
        for fold in split:
            part = replace(task, X=task.X[fold.train], y=task.y[fold.train])
            inside.append(_salcc(part, "annealing", split_of(part, inner_seed, N_INNER)).indices_)
        judge, levels = Judge(task, split), [task.levels_by(fold.train) for fold in split]
        areas = {name: judge.of_each(name, inside, levels) for name in ("NB", "tree")}
    return Effort(
        task.name,
        n_judged=walk.n_evaluations_.classifier // len(split),
        n_all=len(every.trace_),
        n_lcc_runs=walk.n_lcc_runs_,
        lcc_size=len(lcc.indices_),
        salcc_size=len(walk.indices_),
        delta=walk.risk_ - walk.risk_of_all_,
        lcc_score=score_of[round(lcc.risk_, 9)],
        slcc_score=score_of[round(slcc.risk_, 9)],
        salcc_score=walk.score_,
        best_score=every.score_,
        size_inside=float(np.mean([len(one) for one in inside])) if inside else float("nan"),
        auc_inside=areas,
    )


def _salcc(task: Task, search: str, split: Sequence[Fold]) -> SALCC:
    """SALCC on some samples of a table; a nominal feature is indicators to the tree."""
    estimator = None
    if task.n_indicators > 1:
        estimator = make_pipeline(OneHotEncoder(handle_unknown="ignore"), decision_tree())
    discretizer = None if task.is_discrete else "mdl"
    cuts = [(fold.train, fold.test) for fold in split]
    return _fitted(SALCC(search=search, estimator=estimator, discretizer=discretizer, cv=cuts), task.X, task.y)
