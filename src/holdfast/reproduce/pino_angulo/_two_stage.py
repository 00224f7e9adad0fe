"""The experiments of §4.5.3 and chapter 5: GBC, GBC+ and what lies between, inside and outside the samples judged on.

Seconds are those of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import LeaveOneOut, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from holdfast._registry import selector
from holdfast.measures._tree import decision_tree
from holdfast.reproduce.pino_angulo._searched import BY_ONE, Search, accuracy_and_area
from holdfast.reproduce.protocol import complete_features, training_part
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.selectors.evolutionary import BeeColony

Array = npt.NDArray[Any]

# From one laboratory only.
PROSTATE = "Prostate"
N_FOLDS = 5
N_TIMES = 3
BLOCK = 50

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
# The result of GBC in less time.
SOONER = {**FILTER, **LOOK_UP}
# Searches with the look-up table for which other numbers were chosen: the thesis gives none.
OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    "400 cycles": {"n_cycles": 400},
    "limit 100": {"limit": 100},
    "one position": {"positions": "one"},
    "one position, limit 100": {"positions": "one", "limit": 100},
}
OUTER = ("GBC", "GBC+", "MRMR-GA", "MRMR+ as many", "MRMR+ 50")
WITHOUT_GA = tuple(method for method in OUTER if method != "MRMR-GA")
# What the thesis trains on the reduced training data; C4.5 is not at hand, and its place has a tree that is not pruned.
SVM, TREE = "SVM", "tree"


@dataclass(frozen=True)
class Effort:
    """How much is run.

    ``n_seeds_of`` are the seeds of searches that no verdict rests on, or that cannot differ; ``colony`` and ``genetic``
    replace defaults of the library; ``n_left_out`` samples are left out one by one (None: all) in ``n_chunks`` parts.
    """

    n_seeds: int = 10
    n_seeds_of: Mapping[str, int] = field(default_factory=lambda: {"MRMR+": 3, "ranked start": 5, "GBC+ unstopped": 5})
    n_seeds_by_one: int = 3
    n_partitions: int = 3
    n_left_out: int | None = None
    n_chunks: int = 12
    colony: Mapping[str, Any] = field(default_factory=dict)
    genetic: Mapping[str, Any] = field(default_factory=dict)
    otherwise: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: OTHERWISE)


FULL = Effort()


def load(shelf: Shelf, name: str) -> Table:
    """A table without the features that miss a value; of Prostate the part of one laboratory."""
    table = shelf.load(name)
    return complete_features(training_part(table) if name == PROSTATE else table)


def colony(options: Mapping[str, Any], seed: int, effort: Effort = FULL, **more: Any) -> BeeColony:
    """GBC with some options changed."""
    return BeeColony(**{**GBC, **effort.colony, **options, "outer_cv": None, "random_state": seed, **more})


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Have everything compiled before anything is timed."""
    X = np.random.default_rng(0).standard_normal((60, 600))
    for n_classes in (2, 4):
        for variant in ("GBC", "GBC+"):
            colony(VARIANTS[variant], 0, n_cycles=2).fit(X, np.arange(60) % n_classes)


def search(
    table: Table, variant: str, options: Mapping[str, Any], seed: int, effort: Effort = FULL, **more: Any
) -> Search:
    """Run one search and write down how it went."""
    start = time.process_time()
    found = colony(options, seed, effort, **more).fit(table.X, table.y)
    seconds = time.process_time() - start
    return Search(
        table.name,
        variant,
        seed,
        seconds,
        int(found.n_evaluations_.pair),
        len(found.pool_),
        float(found.pool_fitness_),
        float(found.inner_fitness_),
        tuple(sorted(found.indices_.tolist())),
        found.ended_,
        tuple((int(c), str(p), float(v), int(n), int(r), int(e)) for c, p, v, n, r, e in found.queen_trace_),
        tuple((int(one["n_requests"]), int(one["n_evaluations"])) for one in found.history_),
    )


def with_target(table: Table, plain: Search, effort: Effort = FULL) -> Search:
    """GBC with stop i; where GBC did not reach the target the rule never applies and nothing can differ."""
    if plain.fitness < TARGET["target_fitness"] and plain.seed > 0:
        return replace(plain, variant="stop i")
    return search(table, "stop i", TARGET, plain.seed, effort)


def first_bees(table: Table, start: str, seed: int, effort: Effort = FULL) -> dict[str, Any]:
    """Fitness and size of the first bees, the best first (Figure 5.4)."""
    found = colony({**SOONER, "start": start}, seed, effort, n_cycles=0).fit(table.X, table.y)
    order = np.argsort(-found.population_fitness_, kind="stable")
    return {
        "fitness": found.population_fitness_[order].tolist(),
        "sizes": found.population_.sum(axis=1)[order].tolist(),
        "requests": int(found.history_["n_requests"][-1]),
    }


def ablation(data: str, seed: int, effort: Effort, is_beside: bool, shelf: Shelf) -> dict[str, Any]:
    """All variants with one seed, one right after the other, as the load of a machine changes; and the first bees.

    ``is_beside``: also how leave-one-out judges the features of GBC and GBC+, which all samples have chosen.
    """
    warm_up()
    table = load(shelf, data)
    plain = search(table, "GBC", VARIANTS["GBC"], seed, effort)
    found = {"GBC": plain}
    for variant, options in VARIANTS.items():
        if variant == "stop i":
            found[variant] = with_target(table, plain, effort)
        elif variant != "GBC" and seed < effort.n_seeds_of.get(variant, effort.n_seeds):
            found[variant] = search(table, variant, options, seed, effort)
    judged = [name for name in ("GBC", "GBC+") if is_beside]
    return {
        "shape": shape(table),
        "searches": {variant: asdict(one) for variant, one in found.items()},
        "bees": {start: first_bees(table, start, seed, effort) for start in ("uniform", "ranked")},
        "leaky": {variant: list(left_out(table, found[variant].features, effort)) for variant in judged},
    }


def aside(data: str, seed: int, effort: Effort, shelf: Shelf) -> dict[str, Any]:
    """GBC, as soon as its result can be had, and GBC+ on a table that takes long."""
    warm_up()
    table = load(shelf, data)
    ones = (search(table, "GBC", SOONER, seed, effort), search(table, "GBC+", VARIANTS["GBC+"], seed, effort))
    return {"shape": shape(table), "searches": {one.variant: asdict(one) for one in ones}}


def otherwise(data: str, effort: Effort, shelf: Shelf) -> dict[str, Any]:
    """Searches with the look-up table and other numbers, seed 0."""
    table = load(shelf, data)
    return {
        label: asdict(search(table, "look-up", {**SOONER, **more}, 0, effort))
        for label, more in effort.otherwise.items()
    }


def by_one(data: str, seed: int, effort: Effort, shelf: Shelf) -> dict[str, Any]:
    """GBC+ whose fitness is leave-one-out itself."""
    return asdict(search(load(shelf, data), "GBC+", VARIANTS["GBC+"], seed, effort, cv=LeaveOneOut()))


def filters(data: str, effort: Effort, shelf: Shelf) -> dict[str, Any]:
    """Seconds of MRMR and of MRMR+ for a block of 50 and for all that GBC ranks, and pairs measured; and of MRMR-GA."""
    warm_up()
    table = load(shelf, data)
    pool = colony(SOONER, 0, effort, n_cycles=0).fit(table.X, table.y)
    at_most = effort.colony.get("max_blocks", 10) * BLOCK
    n_ranked = len(pool.pool_) if pool.pool_fitness_ >= 1.0 else min(at_most, table.X.shape[1])
    found: dict[str, Any] = {"n_ranked": n_ranked}
    chosen: dict[str, list[list[int]]] = {"mrmr": [], "mrmr+": []}
    for name, sets in chosen.items():
        for n_features in sorted({BLOCK, n_ranked}):
            seconds = []
            for _ in range(N_TIMES):
                start = time.process_time()
                fitted = selector(name, n_features_to_select=n_features).fit(table.X, table.y)
                seconds.append(time.process_time() - start)
            found[f"{name} {n_features}"] = {"seconds": seconds, "pairs": int(fitted.n_evaluations_.pair)}
        seconds = []
        for seed in range(N_TIMES):
            genetic = selector("mrmr-ga", filter=name, outer_cv=None, random_state=seed, **effort.genetic)
            start = time.process_time()
            sets.append(genetic.fit(table.X, table.y).indices_.tolist())
            seconds.append(time.process_time() - start)
        found[f"genetic {name}"] = {"seconds": seconds}
    return {**found, "is_same_set": chosen["mrmr"] == chosen["mrmr+"]}


def machine() -> Any:
    """The classifier of the search: radial kernel of width one over the number of features, C = 1, standardised."""
    return make_pipeline(StandardScaler(), SVC(gamma="auto"))


def splits(table: Table, partition: int) -> list[tuple[Array, Array]]:
    """Stratified folds; leave-one-out for ``BY_ONE``."""
    folds = LeaveOneOut() if partition == BY_ONE else StratifiedKFold(N_FOLDS, shuffle=True, random_state=partition)
    return list(folds.split(table.X, table.y))


def samples_left_out(table: Table, effort: Effort) -> Array:
    """Samples that are left out one by one: all, or some from the first to the last."""
    n_samples = len(table.y)
    if effort.n_left_out is None:
        return np.arange(n_samples)
    return np.unique(np.linspace(0, n_samples - 1, effort.n_left_out).astype(int))


def partitioned(
    data: str, partition: int, folds: Sequence[int], methods: Sequence[str], effort: Effort, shelf: Shelf
) -> list[dict[str, Any]]:
    """Choices without each of some folds of a partition."""
    table = load(shelf, data)
    return [without(table, partition, fold, methods, effort) for fold in folds]


def chosen_without_one(data: str, chunk: int, effort: Effort, shelf: Shelf) -> list[dict[str, Any]]:
    """Choices without each of some samples."""
    warm_up()
    table = load(shelf, data)
    samples = samples_left_out(table, effort)[chunk :: effort.n_chunks]
    return [without(table, BY_ONE, int(sample), WITHOUT_GA, effort) for sample in samples]


def without(
    table: Table, partition: int, fold: int, methods: Sequence[str] = OUTER, effort: Effort = FULL
) -> dict[str, Any]:
    """Choose without a fold, and judge the choice on it: by method size, inner fitness, and answers to the fold.

    MRMR+ has as many features as GBC+ found, or 50. Without one sample there are also the seconds of the choice, for
    which GBC is run as it is, and the scores that two classifiers give each class.
    """
    train, test = splits(table, partition)[fold]
    X, y = table.X[train], table.y[train]
    seed = max(partition, 0)
    chosen: dict[str, tuple[list[int], float]] = {}
    seconds: dict[str, float] = {}
    pool: list[int] = []
    for method in methods:
        start = time.process_time()
        if method in ("GBC", "GBC+"):
            is_sooner = method == "GBC" and partition != BY_ONE
            found = colony(SOONER if is_sooner else VARIANTS[method], seed, effort).fit(X, y)
            seconds[method] = time.process_time() - start
            pool = found.pool_.tolist()
        elif method == "MRMR-GA":
            found = selector("mrmr-ga", outer_cv=None, random_state=seed, **effort.genetic).fit(X, y)
        else:
            n_features = BLOCK if method == "MRMR+ 50" else len(chosen["GBC+"][0])
            chosen[method] = pool[:n_features], np.nan
            continue
        chosen[method] = found.indices_.tolist(), float(found.inner_fitness_)
    judged: dict[str, Any] = {
        method: {"size": len(features), "fitness": fitness, "answers": answers(table, features, train, test)}
        for method, (features, fitness) in chosen.items()
    }
    if partition == BY_ONE:
        for method, spent in seconds.items():
            asked = {by: class_scores(table, chosen[method][0], train, fold, by) for by in (SVM, TREE)}
            number = int(np.searchsorted(np.unique(table.y), table.y[fold]))
            judged[method] |= {"seconds": spent, "class": number, "scores": asked}
    return judged


def class_scores(table: Table, features: Sequence[int], train: Array, sample: int, by: str) -> list[float]:
    """What a classifier that was trained on the others gives each class of a sample; least to one that it never saw."""
    Z = table.X[:, np.sort(features)]
    model = (machine() if by == SVM else decision_tree()).fit(Z[train], table.y[train])
    given = (model.decision_function if by == SVM else model.predict_proba)(Z[[sample]])[0]
    by_class = [-float(given), float(given)] if np.ndim(given) == 0 else np.asarray(given, dtype=float).tolist()
    known = dict(zip(model.classes_.tolist(), by_class, strict=True))
    return [known.get(c, min(by_class)) for c in np.unique(table.y).tolist()]


def answers(table: Table, features: Sequence[int], train: Array, test: Array) -> list[list[float]]:
    """What the machine says of some samples, trained on others with these features.

    By sample its number, whether the answer is right, the score of the second class (only where there are two), and the
    class.
    """
    Z = table.X[:, np.sort(features)]
    model = machine().fit(Z[train], table.y[train])
    is_right = model.predict(Z[test]) == table.y[test]
    scores = model.decision_function(Z[test]) if len(model.classes_) == 2 else np.full(len(test), np.nan)
    rows = zip(test, is_right, scores, table.y[test], strict=True)
    return [[int(i), int(right), float(score), int(label)] for i, right, score, label in rows]


def left_out(table: Table, features: Sequence[int], effort: Effort = FULL) -> tuple[float, float]:
    """Leave-one-out with features that were chosen on all samples: accuracy and area."""
    folds = splits(table, BY_ONE)
    given = [one for i in samples_left_out(table, effort) for one in answers(table, features, *folds[i])]
    return accuracy_and_area(given)


def shape(table: Table) -> list[int]:
    """Samples, features and classes."""
    return [*table.X.shape, len(np.unique(table.y))]
