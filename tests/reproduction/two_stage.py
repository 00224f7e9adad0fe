"""The experiments of Pino Angulo 2019, §4.5.3 and chapter 5, on tables at hand: GBC, GBC+ and what lies between.

Every search is kept in a file of its own, so that none is made twice; seconds are those of the processor.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from holdfast import BeeColony, selector
from reproduction.protocol import FOLDER, Table, load_plain
from reproduction.protocol import load as load_named
from reproduction.runs_hosseini import kept

FILES = {
    "Colon": "colon",
    "Leukemia": "leukemia",
    "SRBCT": "srbct",
    "DLBCL": "dlbcl_shipp",
    "CNS": "cns",
    "Prostate": "prostate",
    "Breast": "breast_vantveer",
    "Glioma": "glioma",
    "Nine tumours": "nine_tumors",
    "St Jude": "yeoh_filtered",
}
# Large and slow; for two cells of Table 5.2 only.
ASIDE = "St Jude"
SETS = tuple(name for name in FILES if name != ASIDE)
# Too few samples of a class to leave any out.
INSEPARABLE = ("Nine tumours",)
N_SEEDS, N_SEEDS_ASIDE, N_SEEDS_SAME = 10, 2, 3
N_PARTITIONS, N_FOLDS = 3, 5
BUDGETS = (250, 500, 1000, 2000, 5000)

GBC: Mapping[str, Any] = {
    "filter": "mrmr", "start": "uniform", "intensify": "mutation", "target_fitness": None, "patience": None,
    "look_up": False,
}  # fmt: skip
FILTER, RANKED, GREEDY = {"filter": "mrmr+"}, {"start": "ranked"}, {"intensify": "greedy"}
TARGET, PATIENCE, LOOK_UP = {"target_fitness": 1.0}, {"patience": 10}, {"look_up": True}
MINOR = {**TARGET, **PATIENCE, **LOOK_UP}
# What each search changes in GBC.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "GBC": {},
    "MRMR+": FILTER,
    "ranked start": RANKED,
    "greedy queen": GREEDY,
    "stop i": TARGET,
    "stop ii": PATIENCE,
    "look-up": LOOK_UP,
    "minor": MINOR,
    "GBC+": {**FILTER, **RANKED, **GREEDY, **MINOR},
    "GBC+ unstopped": {**FILTER, **RANKED, **GREEDY, **LOOK_UP},
}
# Searches with the look-up table for which other numbers were chosen: the thesis gives none.
OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    "400 cycles": {"n_cycles": 400},
    "limit 100": {"limit": 100},
    "one position": {"positions": "one"},
    "one position, limit 100": {"positions": "one", "limit": 100},
}
# MRMR-GA is run as the library has it.
GA: Mapping[str, Any] = {}
# The result of GBC, sooner.
SOONER = {**FILTER, **LOOK_UP}


@lru_cache(maxsize=2)
def load(name: str, folder: Path = FOLDER) -> Table | None:
    """A table, if it is there; of Prostate the part of one laboratory. Features with a missing value are left out."""
    table = load_named(name, folder) if name == "Prostate" else load_plain(name, FILES[name], folder)
    return None if table is None else replace(table, X=table.X[:, ~np.isnan(table.X).any(axis=0)])


def colony(options: Mapping[str, Any], seed: int, **more: Any) -> BeeColony:
    """GBC with some options changed."""
    return BeeColony(**{**GBC, **options, "outer_cv": None, "random_state": seed, **more})


@dataclass(frozen=True)
class Search:
    """One search on all samples; counts are those of bees and queen, without what puts the list in order.

    ``queens`` are (cycle, phase, fitness, size, requests, evaluations), ``cycles`` requests and evaluations so far.
    """

    data: str
    variant: str
    seed: int
    seconds: float
    n_pairs: int
    n_pool: int
    pool_fitness: float
    fitness: float
    features: tuple[int, ...]
    ended: str
    queens: tuple[tuple[int, str, float, int, int, int], ...]
    cycles: tuple[tuple[int, int], ...]

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Search:
        """Lists back into tuples."""
        rows = {name: tuple(map(tuple, found[name])) for name in ("queens", "cycles")}
        return cls(**{**found, **rows, "features": tuple(found["features"])})

    @property
    def size(self) -> int:
        return len(self.features)

    @property
    def n_requests(self) -> int:
        return self.cycles[-1][0]

    @property
    def n_evaluations(self) -> int:
        return self.cycles[-1][1]

    def queen_at(self, budget: int, *, requests: bool = False) -> tuple[float, float]:
        """Fitness and size of the queen when so many sets were evaluated, or asked for; NaN before there is one."""
        at = 4 if requests else 5
        queens = [queen for queen in self.queens if queen[at] <= budget]
        return queens[-1][2:4] if queens else (np.nan, np.nan)

    def best_at(self, budget: int, *, requests: bool = False) -> float:
        """Its fitness."""
        return self.queen_at(budget, requests=requests)[0]


def search(table: Table, variant: str, seed: int, **more: Any) -> Search:
    """Run one search and write down how it went."""
    start = time.process_time()
    found = colony(VARIANTS[variant], seed, **more).fit(table.X, table.y)
    seconds = time.process_time() - start
    return Search(
        table.name,
        variant,
        seed,
        seconds,
        found.n_evaluations_.pair,
        len(found.pool_),
        float(found.pool_fitness_),
        float(found.inner_fitness_),
        tuple(sorted(found.indices_.tolist())),
        found.ended_,
        tuple((int(c), str(p), float(v), int(n), int(r), int(e)) for c, p, v, n, r, e in found.queen_trace_),
        tuple((int(one["n_requests"]), int(one["n_evaluations"])) for one in found.history_),
    )


def with_target(table: Table, plain: Search) -> Search:
    """GBC with stop i; where GBC did not reach the target the rule never applies and nothing can differ."""
    if plain.fitness < TARGET["target_fitness"] and plain.seed > 0:
        return replace(plain, variant="stop i")
    return search(table, "stop i", plain.seed)


def first_bees(table: Table, start: str, seed: int) -> dict[str, Any]:
    """Fitness and size of the first bees, the best first (Figure 5.4)."""
    found = colony({**SOONER, "start": start}, seed, n_cycles=0).fit(table.X, table.y)
    order = np.argsort(-found.population_fitness_, kind="stable")
    return {
        "fitness": found.population_fitness_[order].tolist(),
        "sizes": found.population_.sum(axis=1)[order].tolist(),
        "requests": int(found.history_["n_requests"][-1]),
    }


def filter_seconds(table: Table, n_ranked: int, n_times: int = 3) -> dict[str, Any]:
    """The least seconds of MRMR and of MRMR+ for a block of 50 and for all that GBC ranks, and pairs measured."""
    found: dict[str, Any] = {"n_ranked": n_ranked}
    for name in ("mrmr", "mrmr+"):
        for n_features in {50, n_ranked}:
            seconds = []
            for _ in range(n_times):
                start = time.process_time()
                fitted = selector(name, n_features_to_select=n_features).fit(table.X, table.y)
                seconds.append(time.process_time() - start)
            found[f"{name} {n_features}"] = {"seconds": min(seconds), "pairs": fitted.n_evaluations_.pair}
    return found


def machine() -> Any:
    """The classifier of the search: radial kernel of width one over the number of features, C = 1, standardised."""
    return make_pipeline(StandardScaler(), SVC(gamma="auto"))


def splits(table: Table, partition: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Stratified folds; leave-one-out for partition -1."""
    folds = LeaveOneOut() if partition < 0 else StratifiedKFold(N_FOLDS, shuffle=True, random_state=partition)
    return list(folds.split(table.X, table.y))


OUTER = ("GBC", "GBC+", "MRMR-GA", "MRMR+ as many", "MRMR+ 50")


def without(table: Table, partition: int, fold: int, methods: Sequence[str] = OUTER) -> dict[str, Any]:
    """Choose without a fold, and judge the choice on it: by method size, inner fitness, and answers to the fold.

    Answers are (sample, right or not, score of the second class; only where there are two). MRMR+ has as many features
    as GBC+ found, or 50.
    """
    train, test = splits(table, partition)[fold]
    X, y = table.X[train], table.y[train]
    seed = max(partition, 0)
    made = {
        "GBC": lambda: colony({**GBC, **SOONER}, seed),
        "GBC+": lambda: colony(VARIANTS["GBC+"], seed),
        "MRMR-GA": lambda: selector("mrmr-ga", outer_cv=None, random_state=seed, **GA),
    }
    chosen: dict[str, tuple[list[int], float]] = {}
    for method in methods:
        if method in made:
            found = made[method]().fit(X, y)
            chosen[method] = found.indices_.tolist(), float(found.inner_fitness_)
            if method == "GBC+":
                pool = found.pool_.tolist()
        else:
            n_features = 50 if method == "MRMR+ 50" else len(chosen["GBC+"][0])
            chosen[method] = pool[:n_features], np.nan
    return {
        method: {"size": len(features), "fitness": fitness, "answers": answers(table, features, train, test)}
        for method, (features, fitness) in chosen.items()
    }


def answers(table: Table, features: Sequence[int], train: np.ndarray, test: np.ndarray) -> list[list[float]]:
    """What the machine says of some samples, trained on others with these features."""
    Z = table.X[:, np.sort(features)]
    model = machine().fit(Z[train], table.y[train])
    is_right = model.predict(Z[test]) == table.y[test]
    scores = model.decision_function(Z[test]) if len(model.classes_) == 2 else np.full(len(test), np.nan)
    return [[int(i), int(right), float(score)] for i, right, score in zip(test, is_right, scores, strict=True)]


def accuracy_and_area(table: Table, given: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Over all answers together; the area is NaN with more than two classes."""
    samples, is_right, scores = np.array(given, dtype=float).T
    area = np.nan if np.isnan(scores).any() else roc_auc_score(table.y[samples.astype(int)], scores)
    return float(is_right.mean()), float(area)


def first_of(table: Table, n_features: int) -> np.ndarray:
    """What MRMR+ takes first, of all samples."""
    return selector("mrmr+", n_features_to_select=n_features).fit(table.X, table.y).indices_


def left_out(table: Table, features: Sequence[int]) -> tuple[float, float]:
    """Leave-one-out with features that were chosen on all samples: accuracy and area."""
    given = [one for train, test in splits(table, -1) for one in answers(table, features, train, test)]
    return accuracy_and_area(table, given)


@dataclass
class Results:
    """Everything that was run, for the tables that are there."""

    tables: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    searches: dict[tuple[str, str, int], Search] = field(default_factory=dict)
    bees: dict[tuple[str, str, int], dict[str, Any]] = field(default_factory=dict)
    otherwise: dict[tuple[str, str], Search] = field(default_factory=dict)
    filters: dict[str, dict[str, Any]] = field(default_factory=dict)
    outer: dict[tuple[str, int], list[dict[str, Any]]] = field(default_factory=dict)
    leaky: dict[tuple[str, str, int], tuple[float, float]] = field(default_factory=dict)
    by_one: dict[tuple[str, int], Search] = field(default_factory=dict)

    def of(self, data: str, variant: str) -> list[Search]:
        """Searches by seed."""
        return [one for (name, by, _), one in self.searches.items() if (name, by) == (data, variant)]

    def mean(self, data: str, variant: str, what: str) -> float:
        """Mean over seeds of an attribute of searches."""
        return float(np.mean([getattr(one, what) for one in self.of(data, variant)]))

    @property
    def sets(self) -> list[str]:
        """Tables of the ablation, in order."""
        return [name for name in SETS if name in self.tables]

    @property
    def judged_sets(self) -> list[str]:
        """Tables with partitions into folds."""
        return [name for name in self.tables if (name, 0) in self.outer]

    def partitions(self, data: str) -> list[int]:
        return sorted(partition for name, partition in self.outer if name == data and partition >= 0)


class Kept:
    """A folder of results: whatever is in it is read and not made again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def __call__(self, key: str, make: Any) -> Any:
        path = self._folder / f"{key}.json"
        is_new = not path.exists()
        start = time.process_time()
        found = kept(path, make)
        if is_new:
            print(f"{key}: {time.process_time() - start:.1f} s", file=sys.stderr, flush=True)
        return found

    def search(self, key: str, make: Any) -> Search:
        return Search.from_json(self(key, lambda: asdict(make())))


def searched(table: Table, seed: int, keep: Kept) -> Iterator[Search]:
    """All variants with one seed, one right after the other, as the load of a machine changes."""
    plain = keep.search(f"{table.name}-GBC-{seed}", lambda: search(table, "GBC", seed))
    for variant in VARIANTS:
        if variant == "GBC":
            yield plain
        elif variant == "stop i":
            yield keep.search(f"{table.name}-stop i-{seed}", lambda: with_target(table, plain))
        elif variant != "MRMR+" or seed < N_SEEDS_SAME:
            yield keep.search(f"{table.name}-{variant}-{seed}", lambda by=variant: search(table, by, seed))


def run_set(table: Table, keep: Kept, n_seeds: int = N_SEEDS, n_partitions: int = N_PARTITIONS) -> Results:
    """All experiments on one table of the ablation."""
    found, name = Results(), table.name
    found.tables[name] = (*table.X.shape, len(np.unique(table.y)))
    for seed in range(n_seeds):
        for one in searched(table, seed, keep):
            found.searches[name, one.variant, seed] = one
        for start in ("uniform", "ranked"):
            key = f"{name}-first bees {start}-{seed}"
            found.bees[name, start, seed] = keep(key, lambda start=start, seed=seed: first_bees(table, start, seed))
    for label, more in OTHERWISE.items():
        found.otherwise[name, label] = keep.search(
            f"{name}-{label}-0", lambda more=more: search(table, "look-up", 0, filter="mrmr+", **more)
        )
    first = found.searches[name, "GBC", 0]
    n_ranked = first.n_pool if first.pool_fitness >= 1.0 else min(500, table.X.shape[1])
    found.filters[name] = keep(f"{name}-filter", lambda: filter_seconds(table, n_ranked))
    if name not in INSEPARABLE:
        found.outer |= run_outer(table, keep, range(n_partitions), OUTER)
    return found


def run_outer(
    table: Table, keep: Kept, partitions: Sequence[int], methods: Sequence[str]
) -> dict[tuple[str, int], list[dict[str, Any]]]:
    """Choices without each fold of some partitions."""
    return {
        (table.name, partition): [
            keep(
                f"{table.name}-without-{partition}-{fold}",
                lambda partition=partition, fold=fold: without(table, partition, fold, methods),
            )
            for fold in range(len(splits(table, partition)))
        ]
        for partition in partitions
    }


def run_breast(table: Table, keep: Kept, done: Results) -> Results:
    """Beside Table 5.2: leave-one-out, honest and with features chosen on all samples, or as the fitness itself."""
    found = Results(outer=run_outer(table, keep, [-1], [method for method in OUTER if method != "MRMR-GA"]))
    for variant in ("GBC", "GBC+"):
        for one in done.of(table.name, variant):
            key = f"{table.name}-leaky-{variant}-{one.seed}"
            values = keep(key, lambda one=one: left_out(table, one.features))
            found.leaky[table.name, variant, one.seed] = values[0], values[1]
    values = keep(f"{table.name}-leaky-MRMR+ 50", lambda: left_out(table, first_of(table, 50)))
    found.leaky[table.name, "MRMR+ 50", 0] = values[0], values[1]
    for seed in range(N_SEEDS_SAME):
        key = f"{table.name}-by one-{seed}"
        found.by_one[table.name, seed] = keep.search(
            key, lambda seed=seed: search(table, "GBC+", seed, cv=LeaveOneOut())
        )
    return found


def run_aside(table: Table, keep: Kept) -> Results:
    """Two cells of Table 5.2: a few searches and one partition."""
    found = Results(outer=run_outer(table, keep, [0], [method for method in OUTER if method != "MRMR-GA"]))
    found.tables[table.name] = (*table.X.shape, len(np.unique(table.y)))
    for seed in range(N_SEEDS_ASIDE):
        for variant, more in (("GBC", SOONER), ("GBC+", {})):
            found.searches[table.name, variant, seed] = keep.search(
                f"{table.name}-{variant}-{seed}",
                lambda variant=variant, seed=seed, more=more: search(table, variant, seed, **more),
            )
    return found


def join(all_of: Results, part: Results) -> None:
    """Put results of a table to those of others."""
    for name in Results.__dataclass_fields__:
        getattr(all_of, name).update(getattr(part, name))


def run_all(folder: Path) -> Results:
    """All experiments on the tables that are there, on one core."""
    keep, found = Kept(folder), Results()
    warm_up()
    for name in SETS:
        table = load(name)
        if table is not None:
            join(found, run_set(table, keep))
            if name == "Breast":
                join(found, run_breast(table, keep, found))
    table = load(ASIDE)
    if table is not None:
        join(found, run_aside(table, keep))
    return found


def warm_up() -> None:
    """Have everything compiled before anything is timed."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 600))
    for n_classes in (2, 4):
        for variant in ("GBC", "GBC+"):
            colony(VARIANTS[variant], 0, n_cycles=2).fit(X, np.arange(60) % n_classes)
