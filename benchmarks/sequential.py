"""Forward search beside scikit-learn, mlxtend and direct implementations: ``python -m benchmarks.sequential``.

Others are run in the same process with the same estimator, folds and data, and must pick the same features.
scikit-learn and mlxtend give ties to the first column and count folds alike, so they get columns in the order in which
ties are settled here, and a scorer that counts whole samples, whose mean no rounding can change. Times are of the
processor, in one thread.
"""

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Callable

import numpy as np
from mlxtend.feature_selection import SequentialFeatureSelector as MlxtendSelector
from scipy.spatial import cKDTree
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.metrics import make_scorer
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from threadpoolctl import threadpool_limits

import holdfast
from benchmarks import machine
from benchmarks.data import wide_table
from benchmarks.limits import cpu_seconds
from benchmarks.report import RESULTS
from holdfast import ForwardSearch
from holdfast.kernels.near import join

GOAL = 100.0
N_SAMPLES, N_FEATURES, N_PICKED = 100, 2_000, 20
# So many are picked where others take minutes; the first of a longer list are the same.
N_SHORT = 5
SEED = 9
PARTS = ("wrapper", "delta", "own")
OWN = (
    ("fs-cv", {"n_features_to_select": 20}),
    ("fs-cv", {"n_features_to_select": 20, "stop": "p"}),
    ("fs-train", {"n_features_to_select": 20}),
    ("dt", {"n_features_to_select": 20}),
    ("dt-cv", {"n_features_to_select": 20}),
    ("sfs-lw", {"n_features_to_select": 50}),
    ("s3f", {"discretizer": "mean-sigma"}),
)
SIZES = ((100, 2_000), (100, 10_000), (500, 2_000))


def once(call: Callable[[], object]) -> tuple[float, object]:
    """One run of somebody who takes long."""
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def hits(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Samples classified correctly."""
    return float((truth == predicted).sum())


def wrapper() -> list[dict]:
    """Nearest neighbours in ten folds."""
    X, y = wide_table(N_SAMPLES, N_FEATURES)
    folds = list(StratifiedKFold(10, shuffle=True, random_state=SEED).split(X, y))
    model = KNeighborsClassifier(5)
    long, ours = (ForwardSearch(n, estimator=model, cv=folds, aggregate="mean") for n in (N_PICKED, N_SHORT))
    seconds, seconds_long = cpu_seconds(lambda: ours.fit(X, y)), cpu_seconds(lambda: long.fit(X, y))
    order = np.argsort(-ours.relevance_, kind="stable")
    sorted_X, scorer = X[:, order], make_scorer(hits)

    def scikit() -> set[int]:
        search = SequentialFeatureSelector(model, n_features_to_select=N_SHORT, cv=folds, scoring=scorer)
        return set(order[search.fit(sorted_X, y).get_support()].tolist())

    def mlxtend() -> set[int]:
        search = MlxtendSelector(model, k_features=N_SHORT, scoring=scorer, cv=folds, n_jobs=1)
        return set(order[list(search.fit(sorted_X, y).k_feature_idx_)].tolist())

    rows = []
    for name, call in (("scikit-learn", scikit), ("mlxtend", mlxtend)):
        taken, picked = once(call)
        rows.append({
            "who": name, "n_picked": N_SHORT, "seconds": seconds, "seconds_for_all": seconds_long,
            "their_seconds": taken, "ratio": taken / seconds, "is_within": taken / seconds >= GOAL,
            "is_same": picked == set(ours.indices_.tolist()) and set(long.indices_[:N_SHORT]) == picked,
        })  # fmt: skip
    return rows


def by_tree(points: np.ndarray) -> np.ndarray:
    return cKDTree(points).query(points, k=2)[1][:, 1]


def by_neighbours(points: np.ndarray) -> np.ndarray:
    return NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]


def by_numpy(points: np.ndarray) -> np.ndarray:
    apart = ((points[:, np.newaxis] - points) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return apart.argmin(axis=1)


def direct(X: np.ndarray, y: np.ndarray, n_picked: int, nearest: Callable[[np.ndarray], np.ndarray]) -> list[int]:
    """The delta test of every candidate set written out."""
    chosen: list[int] = []
    while len(chosen) < n_picked:
        rest = [f for f in range(X.shape[1]) if f not in chosen]
        values = [((y - y[nearest(X[:, [*chosen, f]])]) ** 2).mean() / 2 for f in rest]
        chosen.append(rest[int(np.argmin(values))])
    return chosen


def delta() -> list[dict]:
    """The delta test with a measured target."""
    X, y = wide_table(N_SAMPLES, N_FEATURES)
    dose = X[:, 3] + np.abs(X[:, 70]) + np.random.default_rng(SEED).normal(scale=0.3, size=len(y))
    scaled = X / X.std(axis=0)
    ours = ForwardSearch(N_PICKED, criterion="delta", y_is="numbers")
    seconds = cpu_seconds(lambda: ours.fit(X, dose))
    rows = []
    for name, nearest in (
        ("scikit-learn's NearestNeighbors", by_neighbours), ("scipy's k-d tree", by_tree), ("plain numpy", by_numpy)
    ):  # fmt: skip
        taken, picked = once(lambda nearest=nearest: direct(scaled, dose, N_PICKED, nearest))
        rows.append({
            "who": name, "n_picked": N_PICKED, "seconds": seconds, "seconds_for_all": seconds, "their_seconds": taken,
            "ratio": taken / seconds, "is_within": taken / seconds >= GOAL, "is_same": picked == ours.indices_.tolist(),
        })  # fmt: skip
    return rows


def own() -> list[dict]:
    """Every method of the family by itself, and what adding the distances of all candidates alone takes."""
    rows = []
    for n_samples, n_features in SIZES:
        X, y = wide_table(n_samples, n_features)
        dose = y + np.random.default_rng(SEED).normal(size=len(y))
        columns, whole = np.ascontiguousarray(X.T), np.zeros((n_samples, n_samples))
        everyone = np.arange(n_samples), np.array([0, n_samples])

        def add_all(columns=columns, whole=whole, everyone=everyone) -> None:
            for column in columns:
                join(column, np.ones(1), *everyone, *everyone, whole)

        adding = cpu_seconds(add_all)
        for name, settings in OWN:
            method = holdfast.selector(name, **settings)
            target = dose if name.startswith("dt") else y
            seconds = cpu_seconds(lambda method=method, X=X, target=target: method.fit(X, target))
            n_sets = method.n_evaluations_.subset
            rows.append({
                "size": (n_samples, n_features), "method": name, "settings": settings, "seconds": seconds,
                "n_sets": n_sets, "microseconds_a_set": seconds / n_sets * 1e6 if n_sets else None,
                "n_selected": len(method.indices_), "adding_microseconds": adding / n_features * 1e6,
            })  # fmt: skip
            print(".", end="", file=sys.stderr, flush=True)
    return rows


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def _race(rows: list[dict], who: str) -> list[str]:
    lines = [
        f"| {who} | picked | ours, s | theirs, s | × | same picks | goal met | ours for {N_PICKED}, s |",
        "|---|---:|---:|---:|---:|---|---|---:|",
    ]
    lines += [
        f"| {row['who']} | {row['n_picked']} | {row['seconds']:.2g} | {row['their_seconds']:.0f} | "
        f"{row['ratio']:.0f} | {_yes(row['is_same'])} | {_yes(row['is_within'])} | {row['seconds_for_all']:.2g} |"
        for row in rows
    ]
    return lines


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = ["# Sequential search", "", f"{document['date']}. {machine.sentence(document['machine'])}", ""]
    what = f"{N_FEATURES:,} features, {N_SAMPLES} samples"
    if "wrapper" in document:
        lines += [
            "## Forward search with five nearest neighbours in ten folds",
            "",
            f"{what}, two classes, the same folds. Goal: {GOAL:g} ×.",
            "",
            *_race(document["wrapper"], "forward search of"),
            "",
        ]
    if "delta" in document:
        lines += [
            "## Forward search by the delta test",
            "",
            f"{what}, a measured target. Others look for the neighbours of every candidate set anew. Goal: {GOAL:g} ×.",
            "",
            *_race(document["delta"], "neighbours by"),
            "",
        ]
    if "own" in document:
        lines += [
            "## The family",
            "",
            "Everything included, one thread, run beside other work. Adding is what adding a feature's squared "
            "differences of all pairs to the kept distances takes; a candidate of `dt` costs less, as it is looked at "
            "only as far as its neighbours may lie. `fs-train` chooses the number of neighbours in ten folds as well.",
            "",
            "| samples × features | method | settings | s | features | sets | a set, µs | adding, µs |",
            "|---|---|---|---:|---:|---:|---:|---:|",
        ]
        for row in document["own"]:
            settings = ", ".join(f"{name}={value}" for name, value in row["settings"].items())
            each = f"{row['microseconds_a_set']:.1f}" if row["n_sets"] else "–"
            lines.append(
                f"| {row['size'][0]:,} × {row['size'][1]:,} | {row['method']} | {settings} | {row['seconds']:.2g} | "
                f"{row['n_selected']} | {row['n_sets']:,} | {each} | {row['adding_microseconds']:.1f} |"
            )
    return "\n".join(lines).rstrip() + "\n"


def measure(parts: list[str]) -> dict:
    """Measure what was asked for."""
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe()}
    with threadpool_limits(1):
        if "wrapper" in parts:
            document["wrapper"] = wrapper()
        if "delta" in parts:
            document["delta"] = delta()
        if "own" in parts:
            document["own"] = own()
    return document


def main() -> None:
    """Measure, and write sequential.json and sequential.md unless only a part was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sequential", description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="may be repeated; printed and not written")
    asked = parser.parse_args()
    document = measure(list(asked.part or PARTS))
    print(markdown(document))
    if not asked.part:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "sequential.json").write_text(json.dumps(document, indent=1) + "\n")
        (RESULTS / "sequential.md").write_text(markdown(document))
    rows = [row for part in ("wrapper", "delta") for row in document.get(part, [])]
    if not all(row["is_same"] for row in rows):
        raise SystemExit("Somebody picks other features.")


if __name__ == "__main__":
    main()
