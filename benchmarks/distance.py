"""Distance correlation beside dcor, sets of features, D²CORFS on real tables: ``python -m benchmarks.distance``.

Others are run in the same process, in turns, and must give the same numbers to ten digits. Times of single features and
of sets are of the processor, in one thread; those of D²CORFS are of the clock, as the published ones.
"""

import argparse
import datetime as dt
import json
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable

import dcor
import numpy as np
from threadpoolctl import threadpool_limits

import holdfast
from benchmarks import machine
from benchmarks.consistency_data import FOLDER
from benchmarks.data import wide_table
from benchmarks.limits import bandwidth, cpu_seconds
from benchmarks.report import RESULTS
from holdfast.measures import distance_correlation
from holdfast.measures._distances import SubsetDistances

SIZES = ((100, 2_000), (100, 10_000), (100, 25_000), (1_000, 2_000))
GOAL_EACH, GOAL_SETS = 20.0, 10.0
N_SETS = 100
SEED = 11
PARTS = ("each", "sets", "memory", "real")
# Name, samples used, confidence of the test beforehand (the one that gives the published count, where one does),
# seconds printed in Hosseini 2018, Tables 4.2 and 4.4, and the goal for two cores.
REAL = (
    ("lung_gordon", "train", 0.95, 51.72, None),
    ("leukemia", "train", 0.95, 154.01, 15.0),
    ("leukemia", "all", 0.95, 170.02, 15.0),
    ("prostate", "train", 0.97, 295.78, None),
    ("breast_vantveer", "train", 0.95, 386.29, 300.0),
    ("prostate", "all", 0.97, 4042.18, None),
    ("breast_vantveer", "all", 0.95, 8137.83, 300.0),
)


def rival_seconds(call: Callable[[], object]) -> tuple[float, object]:
    """The best of two runs of somebody else, who may take long, after one that compiles."""
    call()
    times, answer = [], None
    for _ in range(2):
        start = time.process_time()
        answer = call()
        times.append(time.process_time() - start)
    return min(times), answer


def by_numpy(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What simple care already buys: sums over the distances of one feature after the other."""
    n = len(y)
    apart = (y[:, np.newaxis] != y).astype(float)
    centred = apart - apart.mean(axis=0) - apart.mean(axis=1)[:, np.newaxis] + apart.mean()
    own = (centred**2).sum()
    answer = np.empty(X.shape[1])
    for j, x in enumerate(X.T):
        a = np.abs(x[:, np.newaxis] - x)
        rows = a.sum(axis=1)
        variance = (a**2).sum() - 2 / n * (rows**2).sum() + rows.sum() ** 2 / n**2
        answer[j] = np.sqrt((a * centred).sum() / np.sqrt(variance * own))
    return answer


def each(size: tuple[int, int]) -> list[dict]:
    """Every feature with the class, and with a measured target."""
    X, y = wide_table(*size)
    columns, labels = np.ascontiguousarray(X.T), y.astype(float)
    dose = np.random.default_rng(SEED).normal(size=len(y)) + y

    def loop(target: np.ndarray, method: str) -> np.ndarray:
        return np.array([dcor.distance_correlation(column, target, method=method) for column in columns])

    rows = []
    targets = (("class", y, labels), ("number", dose, dose))
    for target, ours, theirs in targets:
        seconds = cpu_seconds(lambda ours=ours: distance_correlation(X, ours))
        found = distance_correlation(X, ours)
        others = {f"dcor, {m}": rival_seconds(lambda m=m, t=theirs: loop(t, m)) for m in ("mergesort", "avl")}
        if len(y) <= 100:
            others["dcor, naive"] = rival_seconds(lambda t=theirs: loop(t, "naive"))
            if target == "class":
                others["plain numpy"] = rival_seconds(lambda: by_numpy(X, y))
        same = all(np.allclose(found, answer, atol=1e-10, rtol=0) for _, answer in others.values())
        fastest = min(taken for name, (taken, _) in others.items() if name.startswith("dcor"))
        rows.append({
            "size": size, "target": target, "seconds": seconds,
            "others": {name: taken / seconds for name, (taken, _) in others.items()},
            "ratio": fastest / seconds, "is_within": fastest / seconds >= GOAL_EACH, "is_same": same,
            "sorting_seconds": cpu_seconds(lambda: np.argsort(columns, axis=1)),
        })  # fmt: skip
    return rows


def by_product(masks: np.ndarray, squares: np.ndarray, lower: tuple, pairs: list, y: np.ndarray) -> np.ndarray:
    """A population as one matrix product over squared differences, the rest in numpy."""
    n = len(y)
    distances = np.sqrt(masks @ squares)
    apart = (y[:, np.newaxis] != y).astype(float)
    centred = apart - apart.mean(axis=0) - apart.mean(axis=1)[:, np.newaxis] + apart.mean()
    product = 2 * distances @ centred[lower]
    rows = np.zeros((len(masks), n))
    for place, own in enumerate(pairs):
        rows[:, place] = distances[:, own].sum(axis=1)
    total = rows.sum(axis=1)
    variance = 2 * (masks @ squares).sum(axis=1) - 2 / n * (rows**2).sum(axis=1) + total**2 / n**2
    return np.sqrt(np.maximum(product, 0) / np.sqrt(variance * (centred**2).sum()))


def sets(n_samples: int, n_features: int, size: int) -> dict:
    """A population of sets."""
    X, y = wide_table(n_samples, n_features)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    rng = np.random.default_rng([SEED, size])
    chosen = [np.sort(rng.choice(n_features, size=size, replace=False)) for _ in range(N_SETS)]
    judge = SubsetDistances(X, y, "classes")
    seconds = cpu_seconds(lambda: judge.of_lists(chosen))
    found = judge.of_lists(chosen)
    labels = y.astype(float)[:, np.newaxis]
    taken, theirs = rival_seconds(lambda: np.array([dcor.distance_correlation(X[:, s], labels) for s in chosen]))
    lower = np.triu_indices(n_samples, 1)
    pairs = [np.flatnonzero((lower[0] == k) | (lower[1] == k)) for k in range(n_samples)]
    masks = np.zeros((N_SETS, n_features))
    for row, s in zip(masks, chosen, strict=True):
        row[s] = 1
    squares = np.ascontiguousarray(((X[lower[0]] - X[lower[1]]) ** 2).T)
    product, by_one = rival_seconds(lambda: by_product(masks, squares, lower, pairs, y))
    only = cpu_seconds(lambda: masks @ squares)
    same = np.allclose(found, theirs, atol=1e-10, rtol=0) and np.allclose(found, by_one, atol=1e-10, rtol=0)
    return {
        "n_samples": n_samples, "n_features": n_features, "set_size": size, "seconds": seconds,
        "microseconds_a_set": seconds / N_SETS * 1e6, "ratio": taken / seconds, "product_ratio": product / seconds,
        "product_only_ratio": only / seconds, "is_within": taken / seconds >= GOAL_SETS, "is_same": bool(same),
    }  # fmt: skip


def memory(n_features: int) -> dict:
    """What a search of one round takes beyond the table, in one thread."""
    X, y = wide_table(100, n_features)
    X = np.ascontiguousarray(X)
    selector = holdfast.D2CORFS(selector=holdfast.DCORFS(n_iterations=5), confidence=None, max_rounds=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", holdfast.NothingSelected)
        selector.fit(X[:, :200], y)
        tracemalloc.start()
        selector.fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return {
        "n_features": n_features, "peak_megabytes": peak / 1e6, "table_megabytes": X.nbytes / 1e6,
        "bytes_a_feature": peak / n_features, "pairs_megabytes": n_features * 100 * 99 / 2 * 8 / 1e6,
    }  # fmt: skip


def real(name: str, used: str, confidence: float, published: float, goal: float | None) -> dict | None:
    """D²CORFS on a public table, on one core and on two; the picks must be the same."""
    path = FOLDER / f"{name}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"], data["y"]
        if used == "train":
            X, y = X[data["split"] == "train"], y[data["split"] == "train"]
    X = X[:, ~np.isnan(X).any(axis=0)].astype(float)
    times, fits = [], []
    for n_jobs in (2, 1):
        start = time.perf_counter()
        fits.append(holdfast.D2CORFS(confidence=confidence, n_jobs=n_jobs).fit(X, y))
        times.append(time.perf_counter() - start)
    two, one = fits
    return {
        "table": name, "samples": used, "n_samples": len(y), "n_features": X.shape[1],
        "n_searched": X.shape[1] - two.n_screened_out_, "n_bins": two.n_bins_, "n_rounds": two.n_rounds_,
        "n_selected": len(two.indices_), "value": two.value_, "n_sets": two.n_evaluations_.subset,
        "n_known": two.n_cache_hits_, "seconds_on_two": times[0], "seconds_on_one": times[1], "published": published,
        "goal": goal, "is_within": goal is None or times[0] < goal,
        "is_same": one.scores_.tobytes() == two.scores_.tobytes(),
    }  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = ["# Distance correlation", "", f"{document['date']}. {machine.sentence(document['machine'])}", ""]
    if "each" in document:
        lines += [
            "## Each feature with the target",
            "",
            f"`holdfast.measures.distance_correlation(X, y)`, checks included; others in multiples of our "
            f"seconds. Goal: {GOAL_EACH:g} × "
            "dcor's fastest loop. Sorting is `numpy.argsort` of the same columns, which no way in O(n log n) "
            "does without; reading the "
            f"largest table once takes {document['reading_seconds']:.2g} s.",
            "",
            "| samples × features | target | ours, s | sorting, s | × dcor, merge sort | × dcor, AVL tree | × "
            "dcor, pairs | × plain numpy | same numbers | goal met |",
            "|---|---|---:|---:|---:|---:|---:|---:|---|---|",
        ]
        for row in document["each"]:
            others = [row["others"].get(k) for k in ("dcor, mergesort", "dcor, avl", "dcor, naive", "plain numpy")]
            shown = " | ".join("–" if ratio is None else f"{ratio:.0f}" for ratio in others)
            goal = _yes(row["is_within"]) if row["target"] == "class" else "–"
            lines.append(
                f"| {row['size'][0]:,} × {row['size'][1]:,} | {row['target']} | {row['seconds']:.2g} | "
                f"{row['sorting_seconds']:.2g} | "
                f"{shown} | {_yes(row['is_same'])} | {goal} |"
            )
    if "sets" in document:
        lines += [
            "",
            "## A population of 100 sets",
            "",
            f"Two classes. Goal: {GOAL_SETS:g} × a loop over dcor. The matrix product takes squared differences "
            f"of all features as given, which "
            "ours makes as it goes; its second column is the product alone, without roots and sums.",
            "",
            "| samples | features | in a set | ours, s | a set, µs | × loop over dcor | × matrix product, numpy "
            "| × product alone | same numbers | goal met |",
            "|---:|---:|---:|---:|---:|---:|---:|---:|---|---|",
        ]
        lines += [
            f"| {row['n_samples']} | {row['n_features']} | {row['set_size']} | {row['seconds']:.2g} | "
            f"{row['microseconds_a_set']:.0f} | "
            f"{row['ratio']:.0f} | {row['product_ratio']:.1f} | {row['product_only_ratio']:.2f} | "
            f"{_yes(row['is_same'])} | "
            f"{_yes(row['is_within']) if row['set_size'] == 50 else '–'} |"
            for row in document["sets"]
        ]
    if "memory" in document:
        lines += [
            "",
            "## Memory",
            "",
            "D²CORFS on 100 samples, one round over all features, one thread: what Python and numpy hold at most "
            "beyond the table, and what "
            "squared differences of all pairs would take.",
            "",
            "| features | table, MB | peak, MB | bytes a feature | all pairs, MB |",
            "|---:|---:|---:|---:|---:|",
        ]
        lines += [
            f"| {row['n_features']:,} | {row['table_megabytes']:.0f} | {row['peak_megabytes']:.1f} | "
            f"{row['bytes_a_feature']:.0f} | "
            f"{row['pairs_megabytes']:.0f} |"
            for row in document["memory"]
        ]
    if document.get("real"):
        lines += [
            "",
            "## D²CORFS on public tables",
            "",
            "Default settings, seed 0, seconds of the clock with everything from the test of dependence on, "
            "beside those that Hosseini 2018 "
            "prints (Matlab, another machine; features that were searched differ where our copy of the data "
            "does). Features with missing "
            "values are left out. Sets are those judged; known ones were met again.",
            "",
            "| table | samples | features searched | bins | rounds | chosen | value | sets | known | on two "
            "cores, s | on one, s | printed, s | "
            "goal, s | same picks |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
        ]
        lines += [
            f"| {row['table']}, {row['samples']} | {row['n_samples']} | {row['n_searched']:,} of "
            f"{row['n_features']:,} | {row['n_bins']} | "
            f"{row['n_rounds']} | {row['n_selected']} | {row['value']:.4f} | {row['n_sets']:,} | "
            f"{row['n_known']:,} | "
            f"{row['seconds_on_two']:.1f} | {row['seconds_on_one']:.1f} | {row['published']:g} | "
            + ("–" if row["goal"] is None else f"{row['goal']:g}, {'met' if row['is_within'] else '**missed**'}")
            + f" | {_yes(row['is_same'])} |"
            for row in document["real"]
        ]
    return "\n".join(lines) + "\n"


def measure(parts: list[str]) -> dict:
    """Every part asked for."""
    document: dict = {"date": dt.date.today().isoformat(), "machine": machine.describe()}

    def told(row: dict) -> dict:
        print(row, file=sys.stderr)
        return row

    with threadpool_limits(1):
        if "each" in parts:
            document["reading_seconds"] = 100 * 25_000 * 8 / bandwidth() / 1e9
            document["each"] = [told(row) for size in SIZES for row in each(size)]
        if "sets" in parts:
            document["sets"] = [told(sets(100, 100, size)) for size in (1, 5, 20, 50)]
        if "memory" in parts:
            document["memory"] = [told(memory(n_features)) for n_features in (5_000, 20_000, 80_000)]
        if "real" in parts:
            document["real"] = [told(row) for given in REAL if (row := real(*given)) is not None]
    return document


def main() -> None:
    """Measure, and write distance.json and distance.md unless only a part was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distance", description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated; printed and not written")
    asked = parser.parse_args()
    document = measure(list(asked.part or PARTS))
    print(markdown(document))
    if not asked.part:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "distance.json").write_text(json.dumps(document, indent=1) + "\n")
        (RESULTS / "distance.md").write_text(markdown(document))
    rows = [row for part in ("each", "sets", "real") for row in document.get(part, [])]
    if not all(row["is_same"] for row in rows):
        raise SystemExit("Somebody's numbers differ.")


if __name__ == "__main__":
    main()
