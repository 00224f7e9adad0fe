"""Runs behind the page of Hosseini 2018: which are made, and how they are kept so that none is made twice."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from holdfast.measures import distance_correlation
from reproduction.hosseini import (
    BY_TRAIN,
    CLASSIFIERS,
    CONFIDENCE,
    DIVERSE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    MODELS,
    N_FOLDS,
    OWN,
    PER_SET,
    SPLIT,
    Data,
    Judged,
    Run,
    Scores,
    Screened,
    Without,
    by_range,
    dcor_of,
    each_dropped,
    folds,
    held_out,
    judged,
    left_out,
    load,
    over_folds,
    redundancy,
    resplit,
    screened,
    search,
)

N_RUNS = 10
# The default, and one that gives models of about the published sizes.
STEPS = (10, 70)
# Leave-one-out with the larger step shows the sizes; so many runs do.
N_RUNS_LATER = 3
POOLED_SETS = tuple(name for name, protocol in CONFIDENCE if protocol == LEAVE_ONE_OUT)
NESTED = ("Colon", "Leukemia", "CNS")
# Partitions into folds, each with a seed of its own.
N_PARTITIONS = 5
# Keeps as many features of Leukemia as in print; not a round value, so for the comparison of times only, which is made
# with both tables in turn as the load of the machine changes.
AS_MANY = 0.8235
TIMED = {"Lung": CONFIDENCE["Lung", HOLD_OUT], "Leukemia": AS_MANY}
MEASURES = ("J_tr", "J_te", "TPR", "TNR", "G", "F")


@dataclass(frozen=True)
class Task:
    """One run to make; ``fold`` is -1 if it is given all samples of its protocol."""

    protocol: str
    name: str
    step: int
    seed: int
    fold: int = -1
    confidence: float | None = None

    @property
    def key(self) -> str:
        within = f"-fold{self.fold}" if self.fold >= 0 else ""
        kept_by = "" if self.confidence is None else f"-confidence{self.confidence:g}"
        return f"{self.protocol}-{self.name}-step{self.step}-seed{self.seed}{within}{kept_by}"


def plan() -> list[Task]:
    """All runs, those that matter most first."""
    return [
        *(Task(HOLD_OUT, name, STEPS[0], seed) for name in SPLIT for seed in range(N_RUNS)),
        *(Task(LEAVE_ONE_OUT, name, STEPS[0], seed) for name in POOLED_SETS for seed in range(N_RUNS)),
        *(
            Task(LEAVE_ONE_OUT, name, STEPS[0], seed, fold)
            for name in NESTED
            for seed in range(N_PARTITIONS)
            for fold in range(N_FOLDS)
        ),
        *(Task(HOLD_OUT, name, STEPS[0], seed, -1, one) for seed in range(N_RUNS) for name, one in TIMED.items()),
        *(Task(HOLD_OUT, name, STEPS[1], seed) for name in SPLIT for seed in range(N_RUNS)),
        *(Task(LEAVE_ONE_OUT, name, STEPS[1], seed) for name in POOLED_SETS for seed in range(N_RUNS_LATER)),
    ]


def kept(path: Path, make: Callable[[], object]) -> object:
    """What a file says, or what is made now and kept there: whole or not at all."""
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps(make()))
        draft.replace(path)
    return json.loads(path.read_text())


def work(task: Task, folder: Path) -> tuple[Run, Judged] | None:
    """A run and, unless it is one of a fold, what the classifiers make of it."""
    data = load(task.name)
    if data is None:
        return None
    rows = folds(data, task.seed)[task.fold][0] if task.fold >= 0 else None
    path = folder / f"{task.key}.json"
    is_new = not path.exists()
    run = Run.from_json(kept(path, lambda: _searched(data, task, rows)))
    if is_new:
        print(f"{task.key}: {run.seconds:.0f} s", file=sys.stderr, flush=True)
    if task.fold >= 0 or task.confidence is not None:
        return run, {}
    return run, kept(folder / f"{task.key}.judged.json", lambda: judged(data, task.protocol, run.model, task.seed))


def _searched(data: Data, task: Task, rows: np.ndarray | None) -> dict[str, object]:
    return search(data, task.protocol, task.step, task.seed, rows, task.confidence).as_json()


@dataclass
class Results:
    """Everything that was computed, for the tables that are there."""

    runs: Mapping[Task, Run] = field(default_factory=dict)
    judged: Mapping[Task, Judged] = field(default_factory=dict)
    measure: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)
    screened: Mapping[tuple[str, str], Screened] = field(default_factory=dict)
    dropped: Mapping[str, Sequence[Without]] = field(default_factory=dict)
    unbiased: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[tuple[str, str, str], Scores] = field(default_factory=dict)
    published_loo: Mapping[tuple[str, str], float] = field(default_factory=dict)
    published_dcor: Mapping[str, float] = field(default_factory=dict)
    resplit: Mapping[str, np.ndarray] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    nested: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)
    timed: Mapping[str, Sequence[Run]] = field(default_factory=dict)

    def of(self, protocol: str, name: str, step: int) -> list[Run]:
        """Runs on all samples of a protocol, by seed."""
        return [self.runs[task] for task in self._tasks(protocol, name, step)]

    def accuracy(self, protocol: str, name: str, step: int, scaling: str) -> np.ndarray:
        """Accuracy by run and classifier."""
        tasks = self._tasks(protocol, name, step)
        return np.array([[self.judged[task][scaling][one] for one in CLASSIFIERS] for task in tasks])

    def _tasks(self, protocol: str, name: str, step: int) -> list[Task]:
        return [task for task in self.runs if task == Task(protocol, name, step, task.seed)]


def run_all(folder: Path, tasks: Sequence[Task]) -> Results:
    """All experiments; runs two at a time, each on one core."""
    folder.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    found = Parallel(n_jobs=2)(delayed(work)(task, folder) for task in tasks)
    print(f"runs: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    runs = {task: one[0] for task, one in zip(tasks, found, strict=True) if one is not None}
    there = [name for name in POOLED_SETS if load(name) is not None]
    split = [name for name in there if name in SPLIT]
    models = {name: MODELS[name, LEAVE_ONE_OUT] for name in there if (name, LEAVE_ONE_OUT) in MODELS}
    keys = [(name, protocol) for (name, protocol), one in CONFIDENCE.items() if one is not None and name in there]
    measure = kept(folder / "measure.json", lambda: [[*key, values.tolist()] for key, values in redundancy(0).items()])
    loo = kept(
        folder / "published.json",
        lambda: [
            [name, one, left_out(load(name), model, one)] for name, model in models.items() for one in CLASSIFIERS
        ],
    )
    return Results(
        runs=runs,
        judged={task: one[1] for task, one in zip(tasks, found, strict=True) if one is not None},
        measure={(table, name): np.array(values) for table, name, values in measure},
        screened={key: screened(load(key[0]), key[1], CONFIDENCE[key]) for key in keys},
        dropped={name: each_dropped(load(name), MODELS[name, HOLD_OUT], OWN[name]) for name in split},
        unbiased={name: _unbiased(name) for name in split},
        published={
            (name, one, scaling): held_out(load(name), MODELS[name, HOLD_OUT], one, scaling)
            for name in split
            for one in CLASSIFIERS
            for scaling in (PER_SET, BY_TRAIN)
        },
        published_loo={(name, one): value for name, one, value in loo},
        published_dcor={
            name: dcor_of(load(name).filled[:, np.array(model) - 1], load(name).y) for name, model in models.items()
        },
        resplit={name: resplit(load(name), MODELS[name, HOLD_OUT], OWN[name], 0) for name in split},
        errors={
            label: round(len(load("Leukemia").y) * (1 - left_out(load("Leukemia"), model, "NB")))
            for label, model in DIVERSE.items()
            if "Leukemia" in there
        },
        nested={
            (name, one): np.array(
                [over_folds(load(name), models_of(runs, name, seed), one, seed) for seed in range(N_PARTITIONS)]
            )
            for name in NESTED
            if name in there
            for one in CLASSIFIERS
        },
        timed={
            name: [run for task, run in runs.items() if task.name == name and task.confidence is not None]
            for name in TIMED
        },
    )


def models_of(runs: Mapping[Task, Run], name: str, seed: int) -> list[tuple[int, ...]]:
    """Models chosen inside the folds of a partition, in order."""
    return [run.model for task, run in runs.items() if (task.name, task.seed) == (name, seed) and task.fold >= 0]


def _unbiased(name: str) -> float:
    data = load(name)
    X = data.X[data.is_train][:, np.array(MODELS[name, HOLD_OUT]) - 1]
    return float(distance_correlation(by_range(X), data.y[data.is_train], subsets="all", unbiased=True))
