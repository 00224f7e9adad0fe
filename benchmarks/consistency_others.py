"""Consistency search beside the loops that people write, and beside Weka: the same codes, and the same result."""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks import peers
from benchmarks.consistency_cost import Array, by_dict, cost, cpu_seconds, increasing_relevance, plain_value, same
from benchmarks.consistency_data import SIXTEEN, Size, blocked_table
from benchmarks.data import three_levels, wide_table
from holdfast.measures import inconsistency_count, symmetrical_uncertainty
from holdfast.prepare import Codes
from holdfast.search import removal
from holdfast.search.counted import CountedSubsets
from holdfast.selectors._base import Problem
from holdfast.selectors._codes import codes_and_target

EVALUATED, DESCENDED = ("Semeion", "Waveform"), ("Mfeat-Zernike", "Mfeat-Fourier")
N_SUBSETS = 40
SEED = 7


def others(say: Callable[[str], None]) -> list[dict]:
    """One evaluation, then whole searches."""
    tables = []
    for size in SIXTEEN:
        if size.name in EVALUATED:
            say(f"one evaluation: {size.name}")
            tables.append(evaluation(size))
    say("whole searches")
    return [*tables, *whole_searches()]


def by_unique(X: Array, y: Array, n_classes: int, kept: Sequence[int]) -> int:
    """Distinct rows by numpy."""
    _, number = np.unique(X[:, kept], axis=0, return_inverse=True)
    counts = np.zeros((int(number.max()) + 1, n_classes), dtype=np.int64)
    np.add.at(counts, (number.ravel(), y), 1)
    return int(len(y) - counts.max(axis=1).sum())


def ways(X: Array, y: Array) -> Iterator[tuple[str, Callable[[list[int]], int] | None]]:
    """Ways to count what a subset leaves undecided, ours first; None for one that is not installed."""
    problem = Problem(X, y, None)
    codes, target = codes_and_target(problem, None)
    relevance = symmetrical_uncertainty(codes, target)
    subsets = CountedSubsets(codes, target, relevance, problem.precedence(relevance), "bayesian-risk")
    tail = subsets._whole()
    place = np.argsort(tail.columns)
    rows, labels, n_classes = X.tolist(), y.tolist(), int(y.max()) + 1
    yield "holdfast, in a search", lambda kept: tail._value_of(np.sort(place[kept])[::-1], -1)
    yield "holdfast, inconsistency_count", lambda kept: inconsistency_count(X[:, kept], y)
    yield "dict of tuples", lambda kept: by_dict(rows, labels, kept)
    yield "numpy unique", lambda kept: by_unique(X, y, n_classes, kept)
    try:
        import pandas as pd
    except ImportError:
        yield "pandas groupby", None
        return
    frame = pd.DataFrame(X, columns=[f"f{f}" for f in range(X.shape[1])]).assign(y=y)

    def by_pandas(kept: list[int]) -> int:
        names = [f"f{f}" for f in kept]
        counts = frame.groupby([*names, "y"], sort=False).size()
        return int(len(frame) - counts.groupby(level=names, sort=False).max().sum())

    yield "pandas groupby", by_pandas


def evaluation(size: Size) -> dict:
    """Seconds of one evaluation on drawn subsets, more of them small than large, by everybody."""
    X, y = blocked_table(size)
    rng = np.random.default_rng(SEED)
    shares = rng.random(N_SUBSETS) ** 2
    subsets = [np.sort(rng.permutation(X.shape[1])[: 1 + int(s * X.shape[1])]).tolist() for s in shares]
    results: list[dict] = []
    expected = None
    for name, count in ways(X, y):
        if count is None:
            results.append({"program": name, "reason": "not installed"})
            continue
        got = [count(kept) for kept in subsets]
        expected = got if expected is None else expected
        same(f"The count by {name}", size.name, got, expected)
        seconds = cpu_seconds(lambda count=count: [count(kept) for kept in subsets]) / N_SUBSETS
        results.append({"program": name, "seconds": seconds})
    assert expected is not None
    results.append({"program": "Weka, ConsistencySubsetEval"} | weka("evaluate", X, y, subsets))
    values = results[-1].pop("values", None)
    if values is not None:
        same("Weka's value", size.name, [round((1.0 - value) * len(y)) for value in values], expected)
    return compared({"task": "one evaluation", "table": size.name, "size": X.shape, "results": results})


def whole_searches() -> list[dict]:
    """LCC beside the loop that people write, and steepest descent beside Weka's."""
    X, y = wide_table(100, 1_000)
    X = three_levels(X).astype(np.uint8)
    order = increasing_relevance(X, y)
    value = plain_value(X, y, order)
    n = len(order)
    start = time.process_time()
    found = removal.linear(value, n, value(tuple(range(n))))
    plain = time.process_time() - start
    results = []
    for name in ("super-lcc", "lcc"):
        row = cost(name, X, y, delta=0.0, discretizer=None)
        same(name, X.shape, row["picks"], [int(order[f]) for f in found.kept[::-1]])
        results.append({"program": f"holdfast, {name}", "seconds": row["seconds"]})
    results.append({"program": "LCC over a dict of tuples", "seconds": plain})
    tables = [{"task": "LCC, delta = 0", "table": "three levels", "size": X.shape, "results": results}]
    tables += [steepest_descent(size) for size in SIXTEEN if size.name in DESCENDED]
    return [compared(table) for table in tables]


def steepest_descent(size: Size) -> dict:
    """Weka's backward search and ours in the order of its own, the last column first."""
    X, y = blocked_table(size)
    picks: list[int] = []

    def ours() -> None:
        codes, target = Codes.of(X.T), Codes.of(y[np.newaxis, :])
        relevance = -np.arange(X.shape[1], dtype=np.float64)
        subsets = CountedSubsets(codes, target, relevance, Problem(X, y, None).precedence(relevance), "bayesian-risk")
        picks[:] = sorted(subsets.steepest(subsets.value_of_all).kept)

    results: list[dict] = [{"program": "holdfast, steepest descent", "seconds": cpu_seconds(ours)}]
    results.append({"program": "Weka, GreedyStepwise backwards"} | weka("search", X, y))
    kept = results[-1].pop("values", None)
    if kept is not None:
        same("Weka's backward search", size.name, sorted(map(int, kept)), picks)
    return {"task": "steepest descent, delta = 0", "table": size.name, "size": X.shape, "results": results}


def weka(task: str, X: Array, y: Array, subsets: list[list[int]] | None = None) -> dict:
    """Seconds and values by Weka 3.6, the last whose core has the evaluator; Java keeps its own clock."""
    state = peers.installed()["weka-debian"]
    if "version" not in state:
        return state
    program = Path(__file__).parent / "adapters" / "WekaConsistencyBench.java"
    with tempfile.TemporaryDirectory() as folder:
        arff, listed = Path(folder) / "table.arff", Path(folder) / "subsets"
        header = [f"@attribute f{f} {{{','.join(map(str, range(X.max() + 1)))}}}" for f in range(X.shape[1])]
        header.append(f"@attribute class {{{','.join(map(str, range(y.max() + 1)))}}}")
        body = [",".join(map(str, row)) for row in np.column_stack([X, y]).tolist()]
        arff.write_text("\n".join(["@relation table", *header, "@data", *body]) + "\n")
        listed.write_text("\n".join(" ".join(map(str, kept)) for kept in subsets or []))
        command = ["java", "-Xmx4g", "-XX:+UseSerialGC", f"-Duser.home={folder}", "-Djava.awt.headless=true", "-cp",
                   peers.weka_classpath("weka-debian"), str(program), task, str(arff), str(listed)]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
        except (OSError, subprocess.SubprocessError) as problem:
            return {"reason": f"did not run: {type(problem).__name__}"}
    seconds, *values = map(float, done.stdout.split())
    return {"version": state["version"], "seconds": seconds, "values": values}


def compared(table: dict) -> dict:
    """The ratio of every row to the first."""
    for row in table["results"]:
        if "seconds" in row:
            row["ratio"] = row["seconds"] / table["results"][0]["seconds"]
    return table
