"""Evolutionary search beside genetic wrappers around scikit-learn's SVM: ``python -m benchmarks.evolutionary``.

Others are run in the same process, in turns, with the same machine, folds and data. Scores are compared as counts of
samples that are right: LIBSVM stops at a tolerance of 1e-3 unless told otherwise, which may leave a sample at the
border on the other side, so that counts must be the same when it is told 1e-8. Times are of the processor, in one
thread.
"""

import argparse
import datetime as dt
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd
from numba import njit  # noqa: TID251  (ours never reorders a sum; the floor is of those that may)
from sklearn.model_selection import LeaveOneOut, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, _libsvm
from sklearn_genetic import GAFeatureSelectionCV
from threadpoolctl import threadpool_limits
from zoofs import GeneticOptimization, ParticleSwarmOptimization

import holdfast
from benchmarks import machine
from benchmarks.data import wide_table
from benchmarks.limits import arithmetic, cpu_seconds
from benchmarks.report import RESULTS
from holdfast._progress import watching
from holdfast.kernels.rbf import decay, keep_distances
from holdfast.measures._folds import Folds
from holdfast.measures._svm_votes import Machine, SvmVotes
from holdfast.measures.wrapper_score import WrapperScore

GOAL = 10.0
SEED = 13
PARTS = ("fitness", "wrappers", "own", "floor")
N_FEATURES, N_POOL, N_SETS, LARGEST, N_COMMON = 250, 50, 200, 25, 15
# Samples, classes, cost of an error, whether each sample is left out once instead of five folds.
TABLES = (
    (60, 2, 1.0, False), (100, 2, 1.0, False), (300, 2, 1.0, False),
    (60, 4, 1.0, False), (100, 4, 1.0, False), (300, 4, 1.0, False),
    (100, 2, 100.0, False), (300, 2, 100.0, False),
    (60, 2, 1.0, True), (60, 4, 1.0, True),
)  # fmt: skip
# So many of the sets are given to those who take milliseconds, and so few of so many with one sample left out.
N_TIMED, N_TIMED_LOO, N_SETS_LOO = 25, 5, 50
ROUNDS = 2
# Fewer generations where sets of a thousand features take others long.
POPULATION, GENERATIONS = 40, (10, 5)
OWN = ((100, 2_000, 2), (100, 10_000, 2), (300, 2_000, 2), (100, 2_000, 5))
METHODS = ("gbc", "gbc+", "mrmr-ga")
FLOORS = ((60, 13), (100, 13), (300, 13), (100, 1))
LOOSE, STRICT, OURS = 1e-3, 1e-8, 1e-6
CANNOT = (
    "sklearn-genetic 0.6.0 does not import with scikit-learn 1.9 (No module named 'sklearn.utils._joblib', and "
    "`cross_val_score` no longer takes `fit_params`); it calls `cross_val_score` for every set, as the plain genetic "
    "search here does."
)

Subsets = Sequence[np.ndarray]
Splits = list[tuple[np.ndarray, np.ndarray]]


def once(call: Callable[[], object]) -> tuple[float, object]:
    """One run of somebody who takes long."""
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def told(row: dict) -> dict:
    print(row, file=sys.stderr, flush=True)
    return row


def table(n_samples: int, n_features: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """The common data; with more than two classes, each has a mean of its own in every fifth feature."""
    X, y = wide_table(n_samples, n_features)
    if n_classes == 2:
        return X, y
    rng = np.random.default_rng([SEED, n_samples, n_features, n_classes])
    y = rng.permutation(np.arange(n_samples) % n_classes)
    X[:, ::5] += rng.normal(scale=0.5, size=(n_classes, len(range(0, n_features, 5))))[y]
    return X, y


def svm(C: float = 1.0) -> object:
    return make_pipeline(StandardScaler(), SVC(C=C, gamma="auto"))


def ours(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float) -> list[int]:
    judge = WrapperScore(X, y, estimator=svm(C), scoring="accuracy", cv=folds)
    return [round(score * len(y)) for score in judge.scores(sets)]


def ours_one_by_one(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float) -> list[int]:
    judge = WrapperScore(X, y, estimator=svm(C), scoring="accuracy", cv=folds)
    return [round(judge.score(subset) * len(y)) for subset in sets]


def plain(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float) -> list[int]:
    """A loop over the folds."""
    model, counts = svm(C), []
    for subset in sets:
        part = X[:, subset]
        counts.append(
            sum(int((model.fit(part[a], y[a]).predict(part[b]) == y[b]).sum()) for a, b in folds)
        )  # fmt: skip
    return counts


def by_cross_val_score(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float) -> list[int]:
    """What wrappers call."""
    model, sizes = svm(C), np.array([len(test) for _, test in folds])
    return [round(float(cross_val_score(model, X[:, s], y, cv=folds) @ sizes)) for s in sets]


def kernels(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets) -> Iterator[Iterator[tuple]]:
    """Kernels of all sets, split by split, by matrix products; features are standardised once."""
    splits = []
    for train, test in folds:
        Z = StandardScaler().fit(X[train]).transform(X)
        splits.append((Z[train], Z[test], y[train], y[test]))

    def of_set(subset: np.ndarray) -> Iterator[tuple]:
        for a, b, target, tested in splits:
            train, test = a[:, subset], b[:, subset]
            own, other = (train * train).sum(axis=1), (test * test).sum(axis=1)
            inner = np.exp((2 * train @ train.T - own[:, np.newaxis] - own) / len(subset))
            cross = np.exp((2 * test @ train.T - other[:, np.newaxis] - own) / len(subset))
            yield inner, cross, target, tested

    return map(of_set, sets)


def precomputed(X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float) -> list[int]:
    """The best that scikit-learn's public names allow."""
    model = SVC(C=C, kernel="precomputed")
    return [
        sum(int((model.fit(a, c).predict(b) == d).sum()) for a, b, c, d in splits)
        for splits in kernels(X, y, folds, sets)
    ]


def bare(
    X: np.ndarray, y: np.ndarray, folds: Splits, sets: Subsets, C: float, tol: float = LOOSE
) -> list[int]:  # fmt: skip
    """LIBSVM by scikit-learn's private binding, which checks nothing."""
    _libsvm.set_verbosity_wrap(0)
    counts = []
    for splits in kernels(X, y, folds, sets):
        right = 0
        for a, b, c, d in splits:
            fitted = _libsvm.fit(a, c.astype(float), kernel="precomputed", C=C, tol=tol)
            right += int((_libsvm.predict(b, *fitted[:7], kernel="precomputed") == d).sum())
        counts.append(right)
    return counts


OTHERS = {"plain": plain, "cross_val_score": by_cross_val_score, "precomputed": precomputed, "bare": bare}


def families(rng: np.random.Generator) -> dict[str, Subsets]:
    """Sets as they come up in searches: any, single features, and the neighbours of one set."""
    # Sizes follow each other so that the first few have them all.
    sizes = [1 + 8 * i % LARGEST for i in range(N_SETS)]
    any_set = [np.sort(rng.choice(N_POOL, size=size, replace=False)) for size in sizes]
    order = rng.permutation(N_FEATURES)
    common, rest = order[:N_COMMON], order[N_COMMON : N_COMMON + N_SETS]
    neighbours = [np.sort(np.append(common, f)) for f in rest] + [
        np.sort(np.delete(common, i)) for i in range(N_COMMON)
    ]
    return {
        "any": any_set,
        "single": [np.array([f]) for f in range(N_SETS)],
        "neighbours": [neighbours[i] for i in rng.permutation(len(neighbours))],
    }


def apart(gaps: np.ndarray) -> tuple[int, int]:
    """Sets whose counts differ, and by how many samples at most."""
    return int(np.count_nonzero(gaps)), int(np.abs(gaps).max(initial=0))


def border_of(X: np.ndarray, y: np.ndarray, folds: Splits, subset: np.ndarray, C: float, n_closest: int) -> float:
    """How far the closest samples, so many of them, lie from a border between two classes."""
    model = make_pipeline(StandardScaler(), SVC(C=C, gamma="auto", tol=STRICT, decision_function_shape="ovo"))
    part, decisions = X[:, subset], []
    for train, test in folds:
        values = np.abs(model.fit(part[train], y[train]).decision_function(part[test]))
        decisions.append(values.reshape(len(test), -1).min(axis=1))
    return float(np.sort(np.concatenate(decisions))[n_closest - 1])


def fitness(n_samples: int, n_classes: int, C: float, leaves_one_out: bool) -> Iterator[dict]:
    """Evaluations of the same sets, and what came of them."""
    X, y = table(n_samples, N_FEATURES, n_classes)
    splitter = LeaveOneOut() if leaves_one_out else StratifiedKFold(5, shuffle=True, random_state=SEED)
    folds = list(splitter.split(X, y))
    for kind, sets in families(np.random.default_rng(SEED)).items():
        sets, some = (sets[:N_SETS_LOO], sets[:N_TIMED_LOO]) if leaves_one_out else (sets, sets[:N_TIMED])
        ours(X, y, folds, sets[:2], C)
        seconds = dict.fromkeys(("ours", "one by one", *OTHERS), np.inf)
        for _ in range(ROUNDS):
            taken, found = once(lambda sets=sets: ours(X, y, folds, sets, C))
            alone, found_alone = once(lambda sets=sets: ours_one_by_one(X, y, folds, sets, C))
            seconds["ours"] = min(seconds["ours"], taken / len(sets))
            seconds["one by one"] = min(seconds["one by one"], alone / len(sets))
            answers = {}
            for name, call in OTHERS.items():
                taken, answers[name] = once(lambda call=call, some=some: call(X, y, folds, some, C))
                seconds[name] = min(seconds[name], taken / len(some))
        ratios = {name: seconds[name] / seconds["ours"] for name in OTHERS}
        loose, strict = (np.subtract(found, bare(X, y, folds, sets, C, tol)) for tol in (LOOSE, STRICT))
        border = max((border_of(X, y, folds, sets[i], C, abs(strict[i])) for i in np.flatnonzero(strict)), default=0.0)
        yield told({
            "n_samples": n_samples, "n_classes": n_classes, "C": C, "n_splits": len(folds), "kind": kind,
            "n_sets": len(sets), "n_timed": len(some), "microseconds": seconds["ours"] * 1e6,
            "microseconds_one_by_one": seconds["one by one"] * 1e6, "ratios": ratios,
            "is_within": {name: ratio >= GOAL for name, ratio in ratios.items()},
            "accuracy": float(np.mean(found) / n_samples), "loose": apart(loose), "strict": apart(strict),
            "border": border,
            "of_others": {name: apart(np.subtract(found[: len(some)], counts)) for name, counts in answers.items()},
            "is_same": found == found_alone and (border < OURS or C > 1.0),
        })  # fmt: skip


class Counted:
    """Accuracy that knows how often it was asked for; a wrapper asks once a fold."""

    def __init__(self) -> None:
        self.n_folds = 0

    def __call__(self, model: object, X: np.ndarray, y: np.ndarray) -> float:
        self.n_folds += 1
        return float((model.predict(X) == y).mean())


def genetic_opt(X: np.ndarray, y: np.ndarray, folds: Splits, count: Counted, n_generations: int) -> np.ndarray:
    random.seed(SEED)
    search = GAFeatureSelectionCV(
        svm(), cv=folds, scoring=count, population_size=POPULATION, generations=n_generations, verbose=False
    )
    return np.flatnonzero(search.fit(X, y).support_)


def zoofs(kind: type) -> Callable[..., np.ndarray]:
    def run(X: np.ndarray, y: np.ndarray, folds: Splits, count: Counted, n_generations: int) -> np.ndarray:
        def score(model: object, X: pd.DataFrame, y: pd.Series, *_: object) -> float:
            return cross_val_score(model, X, y, cv=folds, scoring=count).mean()

        np.random.seed(SEED)  # noqa: NPY002, TID251  (zoofs draws from the global generator)
        frame, target = pd.DataFrame(X, columns=[str(f) for f in range(X.shape[1])]), pd.Series(y)
        search = kind(score, n_iteration=n_generations, population_size=POPULATION, minimize=False)
        return np.sort([int(name) for name in search.fit(svm(), frame, target, frame, target, verbose=False)])

    return run


def plain_genetic(X: np.ndarray, y: np.ndarray, folds: Splits, count: Counted, n_generations: int) -> np.ndarray:
    """Tournaments of two, uniform crossover, one flip a child, the best carried over, sets looked up."""
    rng, known = np.random.default_rng(SEED), {}

    def value(one: np.ndarray) -> float:
        key = one.tobytes()
        if key not in known:
            known[key] = cross_val_score(svm(), X[:, one], y, cv=folds, scoring=count).mean() if one.any() else 0.0
        return known[key]

    sets = rng.random((POPULATION, X.shape[1])) < 0.5
    for _ in range(n_generations):
        values = np.array([value(one) for one in sets])
        drawn = rng.integers(POPULATION, size=(2, 2, POPULATION))
        parents, mates = (np.where(values[a] >= values[b], a, b) for a, b in drawn)
        children = np.where(rng.random(sets.shape) < 0.5, sets[parents], sets[mates])
        children ^= rng.random(sets.shape) < 1 / X.shape[1]
        children[0] = sets[values.argmax()]
        sets = children
    return np.flatnonzero(max(sets, key=value))


RIVALS = {
    "sklearn-genetic-opt, GAFeatureSelectionCV": genetic_opt,
    "zoofs, GeneticOptimization": zoofs(GeneticOptimization),
    "zoofs, ParticleSwarmOptimization": zoofs(ParticleSwarmOptimization),
    "plain genetic search": plain_genetic,
}


def our_search(name: str, folds: Splits, n_generations: int) -> object:
    sizes = (
        {"population": POPULATION, "n_generations": n_generations}
        if name == "mrmr-ga"
        else {"n_bees": POPULATION, "n_cycles": n_generations, "target_fitness": None, "patience": None}
    )
    return holdfast.selector(name, cv=folds, outer_cv=None, **sizes)


def searches(X: np.ndarray, y: np.ndarray, folds: Splits, n_generations: int) -> list[dict]:
    """Whole searches with the same machine, folds, population and number of generations."""
    ran = []
    for name in METHODS:
        seconds, search = once(lambda name=name: our_search(name, folds, n_generations).fit(X, y))
        ran.append((name, True, seconds, search.n_evaluations_.subset, np.sort(search.indices_)))
    for name, run in RIVALS.items():
        count = Counted()
        seconds, chosen = once(lambda run=run, count=count: run(X, y, folds, count, n_generations))
        ran.append((name, False, seconds, count.n_folds / len(folds), chosen))
        print(ran[-1][:4], file=sys.stderr, flush=True)
    rates = {name: n_evaluations / seconds for name, _, seconds, n_evaluations, _ in ran}
    rows = []
    for name, is_ours, seconds, n_evaluations, chosen in ran:
        ratios = None if is_ours else {method: rates[method] / rates[name] for method in METHODS}
        (right,) = bare(X, y, folds, [chosen], 1.0, STRICT)
        rows.append({
            "n_features": X.shape[1], "n_generations": n_generations, "who": name, "is_ours": is_ours,
            "seconds": seconds, "n_evaluations": n_evaluations, "rate": rates[name], "ratios": ratios,
            "is_within": is_ours or min(ratios.values()) >= GOAL, "fitness": right / len(y), "n_selected": len(chosen),
        })  # fmt: skip
    return rows


def wrappers() -> list[dict]:
    """Searches of a pool and of a whole table."""
    X, y = wide_table(100, 2_000)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y))
    best = holdfast.selector("mrmr+", n_features_to_select=N_POOL).fit(X, y).indices_
    for name in METHODS:
        our_search(name, folds, 2).fit(X[:, best[:10]], y)
    in_pool, in_all = GENERATIONS
    return searches(X[:, best], y, folds, in_pool) + searches(X, y, folds, in_all)


def own(n_samples: int, n_features: int, n_classes: int) -> Iterator[dict]:
    """Every method of the family by itself."""
    X, y = table(n_samples, n_features, n_classes)
    for name in METHODS:
        stage_one = []

        def tick(what: str, *_: object, stage_one: list[float] = stage_one) -> None:
            if what in ("Bees, first ones", "Generations, first one"):
                stage_one.append(time.process_time())

        holdfast.selector(name, outer_cv=2).fit(X[:, :30], y)
        start = time.process_time()
        with watching(tick):
            seconds, search = once(lambda name=name: holdfast.selector(name, outer_cv=None).fit(X, y))
        everything, honest = once(lambda name=name: holdfast.selector(name).fit(X, y))
        n_sets, before = search.n_evaluations_.subset, stage_one[0] - start
        yield told({
            "n_samples": n_samples, "n_features": n_features, "n_classes": n_classes, "method": name,
            "seconds": seconds, "stage_one_seconds": before, "stage_one_share": before / seconds,
            "n_pool": len(search.pool_), "n_rounds": len(search.history_) - 1, "ended": search.ended_,
            "n_requests": search.n_requests_, "n_cache_hits": search.n_cache_hits_, "n_evaluations": n_sets,
            "microseconds_an_evaluation": (seconds - before) / n_sets * 1e6, "seconds_for_outer": everything - seconds,
            "n_selected": len(search.indices_), "inner": search.inner_fitness_, "outer": honest.outer_score_,
        })  # fmt: skip


@njit(fastmath=True, error_model="numpy")
def _steps(slack, row, other, n_steps, change):
    """The three passes of a step; sums stand for extremes, of which the compiler does not take several at a time."""
    total = 0.0
    for _ in range(n_steps):
        most = least = gain = 0.0
        for i in range(slack.shape[0]):
            most += slack[i]
            least += slack[i] * slack[i]
        for i in range(slack.shape[0]):
            over = most - slack[i]
            gain += over * over / (1.5 - row[i])
        for i in range(slack.shape[0]):
            slack[i] -= change * (row[i] - other[i])
        change, total = -change, total + gain + least
    return total


def floor(n_samples: int, size: int, billions: float) -> dict:
    """What an evaluation consists of, how long each part takes alone, and what the machine could do."""
    X, y = table(n_samples, N_FEATURES, 2)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=SEED).split(X, y))
    rng = np.random.default_rng([SEED, size])
    sets = [np.sort(rng.choice(N_POOL, size=size, replace=False)) for _ in range(50)]
    votes = SvmVotes(X, y, np.unique(y), Folds.of(folds), Machine(), None)
    evaluation = cpu_seconds(lambda: votes.hits(sets)) / len(sets)
    steps = [
        SVC(kernel="precomputed", tol=OURS, shrinking=False).fit(inner, target).n_iter_[0]
        for splits in kernels(X, y, folds, sets)
        for inner, _, target, _ in splits
    ]
    # Parts are timed on one split, since an evaluation goes split by split and so stays in the caches; all are alike.
    n_train, n_test = (len(side) for side in folds[0])
    one = SvmVotes(X, y, np.unique(y), Folds.of(folds[:1]), Machine(), None)
    starts = np.array([0, n_train * (n_train + n_test)])
    given = one._columns, one._centres, one._factors, True, *one._rows, sets[0], starts
    kept, values = np.empty(starts[1]), np.empty((size, n_samples))
    distances = np.linspace(0.0, 20.0, n_train * (n_train + 1) // 2 + n_train * n_test)
    scratch = np.empty_like(distances)
    copying = cpu_seconds(lambda: np.copyto(scratch, distances))

    def decayed() -> None:
        np.copyto(scratch, distances)
        decay(scratch, 1.0)

    slack, row, other = (rng.random(n_train) for _ in range(3))
    step = cpu_seconds(lambda: _steps(slack, row, other, 1_000, 1e-3)) / 1_000
    n_pairs, n_steps = len(folds) * len(distances), float(np.sum(steps) / len(sets))
    parts = {
        "updates": len(folds) * cpu_seconds(lambda: keep_distances(*given, kept, values)),
        "exps": len(folds) * (cpu_seconds(decayed) - copying),
        "steps": n_steps * step,
    }
    return told({
        "n_samples": n_samples, "size": size, "microseconds": evaluation * 1e6, "n_updates": n_pairs * size,
        "n_exps": n_pairs, "n_steps": n_steps, "nanoseconds_a_step": step * 1e9,
        "parts_microseconds": {name: seconds * 1e6 for name, seconds in parts.items()},
        "updates_limit_microseconds": n_pairs * size / billions / 1e3,
        "numpy_exp_microseconds": len(folds) * cpu_seconds(lambda: np.exp(distances, out=scratch)) * 1e6,
        "ratio": evaluation / sum(parts.values()),
    })  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def _times(ratio: float) -> str:
    shown = f"{ratio:.0f}" if ratio >= GOAL else f"{ratio:.1f}"
    return shown if ratio >= GOAL else f"**{shown}**"


def _counted(differ: tuple[int, int], n_sets: int, border: float | None = None) -> str:
    if not differ[0]:
        return "none"
    return f"{differ[0]} of {n_sets}, by {differ[1]}" + ("" if border is None else f", at {border:.1g}")


def _fitness_lines(rows: list[dict]) -> list[str]:
    lines = [
        "## Evaluations of the same sets",
        "",
        f"A support vector machine with a radial kernel on standardised features; {N_FEATURES} features. Any: sets of "
        f"1 to {LARGEST} out of {N_POOL}. Single: one feature each. Neighbours: a set of {N_COMMON} with each of "
        f"{N_SETS} others, and without each of its own. Ours is `WrapperScore`, made anew and asked for all sets at "
        "once, or for one after the other. Others, in multiples of our time for all at once: a loop over the folds "
        "with `make_pipeline(StandardScaler(), SVC())`; `cross_val_score`, which wrappers call; `SVC` on kernels made "
        "by matrix products of features standardised once; and LIBSVM on the same kernels through scikit-learn's "
        f"private binding, without its checks. Goal: {GOAL:g} × `cross_val_score`; what stays below {GOAL:g} × is "
        "bold.",
        "",
        "Scores are compared over all sets with LIBSVM's: sets that differ and by how many samples at most, when it "
        f"stops at its tolerance of {LOOSE:g} and when it is told {STRICT:g}; of these also how far, in decision "
        "values, the samples in question lie from the border at most. Ours stops at a tolerance of "
        f"{OURS:g}, or after 40 steps for each training sample, which it reaches with C = 100, and rounds values to "
        f"four millionths of a standard deviation. With C = 1 a difference farther than {OURS:g} from the border is "
        "an error.",
        "",
        "| samples | classes | C | splits | sets | ours, µs | one by one, µs | × loop | × cross_val_score | × kernels, "
        "SVC | × kernels, LIBSVM | accuracy | differ, 1e-3 | differ, 1e-8 | goal met |",
        "|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---|---|---|",
    ]
    lines += [
        f"| {row['n_samples']} | {row['n_classes']} | {row['C']:g} | {row['n_splits']} | {row['kind']} | "
        f"{row['microseconds']:.0f} | {row['microseconds_one_by_one']:.0f} | "
        + " | ".join(_times(row["ratios"][name]) for name in OTHERS)
        + f" | {row['accuracy']:.2f} | {_counted(row['loose'], row['n_sets'])} | "
        f"{_counted(row['strict'], row['n_sets'], row['border'])} | {_yes(row['is_within']['cross_val_score'])} |"
        for row in rows
    ]
    n_sets, n_loose = sum(row["n_sets"] for row in rows), sum(row["loose"][0] for row in rows)
    n_strict, most = sum(row["strict"][0] for row in rows), max(row["loose"][1] for row in rows)
    missed = {name: sum(not row["is_within"][name] for row in rows) for name in OTHERS}
    return [
        *lines,
        "",
        f"Of {n_sets:,} sets {n_loose} differ from LIBSVM at {LOOSE:g}, by {most} samples at most, and {n_strict} at "
        f"{STRICT:g}. Rows below {GOAL:g} ×, of {len(rows)}: {missed['plain']} beside the loop, "
        f"{missed['cross_val_score']} beside `cross_val_score`, {missed['precomputed']} beside kernels and `SVC`, "
        f"{missed['bare']} beside kernels and bare LIBSVM.",
        "",
    ]


def _wrapper_lines(rows: list[dict]) -> list[str]:
    lines = [
        "## Whole searches",
        "",
        f"100 samples, two classes, the same machine and five folds, populations of {POPULATION}; of 2,000 features, "
        f"or of the {N_POOL} that MRMR takes first. Other settings are each one's own. Everything is in the time: "
        "filter, draws, looking up, and with ours the order of the chosen features, which takes evaluations as well. "
        "Evaluations are sets that classifiers were trained for (of others: calls of the scorer over folds); fitness "
        f"is that of the set each ended with, by LIBSVM told {STRICT:g}. Multiples are of evaluations a second. Goal: "
        f"{GOAL:g} × with each of ours. {CANNOT}",
        "",
        "| features | generations | search | s | evaluations | a second | "
        + " | ".join(f"× {name}" for name in METHODS)
        + " | fitness | in the set | goal met |",
        "|---:|---:|---|---:|---:|---:|" + "---:|" * len(METHODS) + "---:|---:|---|",
    ]
    for row in rows:
        ratios = [_times(row["ratios"][name]) for name in METHODS] if row["ratios"] else ["–"] * len(METHODS)
        who = f"`{row['who']}`" if row["is_ours"] else row["who"]
        lines.append(
            f"| {row['n_features']:,} | {row['n_generations']} | {who} | {row['seconds']:.2g} | "
            f"{row['n_evaluations']:,.0f} | {row['rate']:,.0f} | {' | '.join(ratios)} | "
            f"{row['fitness']:.2f} | {row['n_selected']} | {'–' if row['is_ours'] else _yes(row['is_within'])} |"
        )
    return [*lines, ""]


def _own_lines(rows: list[dict]) -> list[str]:
    lines = [
        "## The family",
        "",
        "Default settings, one thread, run beside other work. Stage one is the filter with the fitness of the pools it "
        "leaves; an evaluation is what the rest takes for each set that was not looked up, the draws of the search "
        "included. The outer score repeats everything five times on four fifths of the samples.",
        "",
        "| samples × features | classes | method | s | stage one, % | pool | rounds | ended by | asked | looked up | "
        "evaluations | an evaluation, µs | outer score, s | in the set | inner | outer |",
        "|---|---:|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['n_samples']:,} × {row['n_features']:,} | {row['n_classes']} | `{row['method']}` | "
        f"{row['seconds']:.2g} | {100 * row['stage_one_share']:.0f} | {row['n_pool']} | {row['n_rounds']} | "
        f"{row['ended']} | {row['n_requests']:,} | {row['n_cache_hits']:,} | {row['n_evaluations']:,} | "
        f"{row['microseconds_an_evaluation']:.0f} | {row['seconds_for_outer']:.2g} | {row['n_selected']} | "
        f"{row['inner']:.2f} | {row['outer']:.2f} |"
        for row in rows
    ]
    return [*lines, ""]


def _floor_lines(rows: list[dict], billions: float) -> list[str]:
    lines = [
        "## What an evaluation consists of",
        "",
        "Two classes, five folds, sets of one size without anything in common. Squared differences are added for "
        "each pair of samples and feature (`kernels.rbf.keep_distances` alone; its limit is "
        f"{billions:.1f} billion a second, half of the multiply-adds of a matrix product on this core), each pair "
        "takes an exponential (`kernels.rbf.decay` alone, and `numpy.exp`), and a step improves two duals in three "
        f"passes over the training samples (as many steps as LIBSVM takes at {OURS:g}, our tolerance; three such "
        "passes in a loop that may reorder). The floor is the sum of the three.",
        "",
        "| samples | in a set | an evaluation, µs | floor, µs | × | updates | µs | limit, µs | exponentials | µs | "
        "numpy, µs | steps | µs |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        parts = row["parts_microseconds"]
        lines.append(
            f"| {row['n_samples']} | {row['size']} | {row['microseconds']:.0f} | {sum(parts.values()):.0f} | "
            f"{row['ratio']:.1f} | {row['n_updates']:,} | {parts['updates']:.0f} | "
            f"{row['updates_limit_microseconds']:.0f} | {row['n_exps']:,} | {parts['exps']:.0f} | "
            f"{row['numpy_exp_microseconds']:.0f} | {row['n_steps']:.0f} | {parts['steps']:.0f} |"
        )
    return lines


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = ["# Evolutionary search", "", f"{document['date']}. {machine.sentence(document['machine'])}", ""]
    if "fitness" in document:
        lines += _fitness_lines(document["fitness"])
    if "wrappers" in document:
        lines += _wrapper_lines(document["wrappers"])
    if "own" in document:
        lines += _own_lines(document["own"])
    if "floor" in document:
        lines += _floor_lines(document["floor"], document["billion_differences_a_second"])
    return "\n".join(lines).rstrip() + "\n"


def measure(parts: list[str]) -> dict:
    """Measure what was asked for."""
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe()}
    with threadpool_limits(1):
        if "fitness" in parts:
            document["fitness"] = [row for given in TABLES for row in fitness(*given)]
        if "wrappers" in parts:
            document["wrappers"] = wrappers()
        if "own" in parts:
            document["own"] = [row for given in OWN for row in own(*given)]
        if "floor" in parts:
            billions = document["billion_differences_a_second"] = arithmetic()["matrix product / 2"]
            document["floor"] = [floor(*given, billions) for given in FLOORS]
    return document


def main() -> None:
    """Measure, and write evolutionary.json and evolutionary.md unless only a part was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evolutionary", description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated; printed and not written")
    asked = parser.parse_args()
    document = measure(list(asked.part or PARTS))
    print(markdown(document))
    if not asked.part:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "evolutionary.json").write_text(json.dumps(document, indent=1) + "\n")
        (RESULTS / "evolutionary.md").write_text(markdown(document))
    if not all(row["is_same"] for row in document.get("fitness", [])):
        raise SystemExit("Somebody's scores differ.")


if __name__ == "__main__":
    main()
