"""Consistency search in evaluations, seconds and memory: ``python -m benchmarks.consistency``.

Sparse tables up to a million features; the sizes the literature measured; the counting loops that people write, and
Weka's; and what annealing asks of a classifier. Fast ways must keep what slow ones do: a difference is an error. Times
are of the processor, in one thread, the best of a few warm runs, unless a column says otherwise.
"""

import argparse
import datetime as dt
import json
import math
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

import holdfast
from benchmarks import machine
from benchmarks.consistency_cost import (
    BINNED,
    COUNTED,
    DELTA,
    GOAL_SIZE,
    METHODS,
    N_ORDERS,
    Array,
    cost,
    increasing_relevance,
    plain_value,
    reading_seconds,
    same,
)
from benchmarks.consistency_data import SIGNALS, SIXTEEN, Size, blocked_table, real_table, sparse_table
from benchmarks.consistency_others import others
from benchmarks.consistency_report import markdown
from benchmarks.data import three_levels
from benchmarks.report import RESULTS
from holdfast.data import Table
from holdfast.measures import symmetrical_uncertainty
from holdfast.measures.wrapper_score import WrapperScore
from holdfast.prepare.encode import encode
from holdfast.search import removal
from holdfast.search.counted import CountedSubsets
from holdfast.selectors._codes import codes_and_target

SPARSE = ((800, 1_000, 78), (800, 10_000, 78), (800, 100_000, 78), (500, 1_000_000, 49))
NEEDS_GIGABYTES = 8.0
REAL = ("arrhythmia", "segment", "dna_splice", "digits", "satimage", "spambase", "musk1", "madelon")
ANNEALED = ("colon", "arrhythmia", "segment")
PLAIN_CELLS = 2e7


def sparse(say: Callable[[str], None], largest: int) -> list[dict]:
    """Every size, signal and threshold."""
    tables = []
    for n_samples, n_features, n_rare in SPARSE:
        if n_features > largest:
            continue
        for signal in SIGNALS:
            say(f"sparse, {signal}: {n_samples:,} × {n_features:,}")
            X, y = sparse_table(n_samples, n_features, n_rare, signal)
            table = {"size": (n_samples, n_features), "signal": signal, "density": float(X.mean())}
            table |= {"megabytes": X.nbytes / 2**20, "reading_seconds": reading_seconds(X), "results": []}
            for delta in (0.0, DELTA):
                rows = [cost(name, X, y, delta=delta, discretizer=None) for name in METHODS]
                same("SUPER-LCC", table["size"], rows[0]["picks"], rows[1]["picks"])
                assert rows[0]["evaluations"] <= (rows[0]["n_kept"] + 1) * math.ceil(math.log2(n_features + 1))
                table["results"] += [row | {"delta": delta} for row in rows]
            table["steps"] = steps(X, y)
            table["forms"] = forms(X, y)
            tables.append(table)
            del X
    return tables


def steps(X: Array, y: Array) -> dict[str, float]:
    """Where the seconds of SUPER-LCC go, by calling its parts one after the other."""
    chooser = holdfast.LCC(delta=0.0, discretizer=None)
    marks = [("", time.process_time())]

    def done(step: str) -> None:
        marks.append((step, time.process_time()))

    problem = chooser._check(X, y)
    codes, target = codes_and_target(problem, None)
    done("checking and packing")
    relevance = symmetrical_uncertainty(codes, target)
    done("relevance")
    subsets = CountedSubsets(codes, target, relevance, problem.precedence(relevance), "bayesian-risk")
    done("splitting by the most relevant")
    subsets.best_columns()
    done("settling ties")
    subsets.binary(chooser._limit(subsets).value)
    done("search")
    return {step: end - start for (_, start), (step, end) in pairwise(marks)}


def forms(X: Array, y: Array) -> dict[str, float]:
    """Seconds of SUPER-LCC on the same values in other forms."""
    names = np.array([f"f{column:07d}" for column in range(X.shape[1])], dtype=object)
    found = {"whole numbers, named": cost("super-lcc", X, y, names, delta=0.0, discretizer=None)["seconds"]}
    if X.size <= math.prod(GOAL_SIZE):
        table = Table(X, names.tolist(), target=y)
        found["a Table of float64, named"] = cost("super-lcc", table, y, delta=0.0, discretizer=None)["seconds"]
        found[BINNED] = cost("super-lcc", X, y, delta=0.0)["seconds"]
    return found


def sixteen(say: Callable[[str], None]) -> list[dict]:
    """Evaluations on generated tables of the sizes of Table 3.1, every fast search beside its slow twin."""
    rows = []
    for size in SIXTEEN:
        say(f"{size.name}: {size.n_samples:,} × {size.n_features:,}")
        X, y = blocked_table(size)
        row = effort(size.name, X, y)
        if size.n_samples * size.n_features**2 <= PLAIN_CELLS:
            against_plain(size, X, y, row["picks"])
        rows.append(row | {"n_classes": size.n_classes, "thesis_ratio": size.seconds[0] / size.seconds[2]})
    return rows


def real(say: Callable[[str], None]) -> list[dict]:
    """The same on real tables, those that are there."""
    rows = []
    for name in REAL:
        table = real_table(name)
        if table is not None:
            say(f"real: {name}, {table[0].shape[0]:,} × {table[0].shape[1]:,}")
            X, y = table
            codes = encode(np.ascontiguousarray(X, dtype=np.float64), y, "mdl", None)
            rows.append(effort(name, np.ascontiguousarray(codes.as_bytes().T), y))
    return rows


def effort(name: str, X: Array, y: Array) -> dict:
    """Evaluations and features kept by every search; the original SDCC in several orders."""
    found: dict[str, dict] = {}
    for method in COUNTED:
        seeds = range(N_ORDERS) if method == "sdcc" else (None,)
        by_seed = [{} if seed is None else {"random_state": seed} for seed in seeds]
        runs = [cost(method, X, y, delta=DELTA, discretizer=None, **seed) for seed in by_seed]
        found[method] = {
            key: statistics.fmean(run[key] for run in runs) for key in ("evaluations", "n_kept", "seconds")
        }
        found[method]["picks"] = runs[0]["picks"]
    same("FSDCC", name, found["corrected-sdcc"]["picks"], found["fsdcc"]["picks"])
    same("SUPER-LCC", name, found["lcc"]["picks"], found["super-lcc"]["picks"])
    return {
        "table": name,
        "size": X.shape,
        "n_features": X.shape[1],
        "risk_of_all": runs[0]["risk_of_all"],
        "picks": {method: found[method].pop("picks") for method in found},
        "searches": found,
        "ratio": found["sdcc"]["evaluations"] / found["fsdcc"]["evaluations"],
    }


def against_plain(size: Size, X: Array, y: Array, picks: dict[str, list[int]]) -> None:
    """The plain searches over a dict of tuples keep the same features."""
    order = increasing_relevance(X, y)
    value = plain_value(X, y, order)
    n = len(order)
    allowed = math.floor(DELTA * len(y) + 1e-9)
    least = value(tuple(range(n)))
    for name, found in (
        ("lcc", removal.linear(value, n, least + allowed)),
        ("fsdcc", removal.lazy(value, np.zeros(n), least + allowed, least + DELTA * len(y))),
    ):
        same(f"{name} in plain Python", size.name, [int(order[f]) for f in found.kept[::-1]], picks[name])


@contextmanager
def classifier_clock() -> Iterator[list[float]]:
    """How long classifiers are trained and asked."""
    spent = [0.0]
    judge = WrapperScore._judge

    def timed(self: WrapperScore, subsets: list[Array]) -> list[float]:
        start = time.process_time()
        answers = judge(self, subsets)
        spent[0] += time.process_time() - start
        return answers

    with patch.object(WrapperScore, "_judge", timed):
        yield spent


def annealing(say: Callable[[str], None]) -> list[dict]:
    """What SALCC asks of the classifier, and how many sets there are to judge at all."""
    rows = []
    for name in ANNEALED:
        table = real_table(name)
        size = SIXTEEN[ANNEALED.index(name)]
        shown = name if table else f"{size.name}, generated"
        say(f"annealing: {shown}")
        X, y = table or blocked_table(size)
        for search in ("annealing", "sweep"):
            chosen = holdfast.SALCC(search=search, discretizer="mdl" if table else None)
            with classifier_clock() as spent:
                start = time.process_time()
                chosen.fit(X, y)
                seconds = time.process_time() - start
            rows.append({
                "table": shown,
                "size": X.shape,
                "search": search,
                "seconds": seconds,
                "classifier_share": spent[0] / seconds,
                "lcc_runs": chosen.n_lcc_runs_,
                "risks": chosen.n_evaluations_.subset,
                "steps": len(chosen.trace_),
                "cache_hits": chosen.n_cache_hits_,
                "classifiers": chosen.n_evaluations_.classifier,
                "sets": len(np.unique(chosen.trace_["risk"])),
                "score": chosen.score_,
                "n_kept": len(chosen.indices_),
            })  # fmt: skip
    return rows


def warm_up() -> None:
    """Compile everything on small tables."""
    X, y = sparse_table(100, 200, 20, "weak")
    for name in dict.fromkeys((*METHODS, *COUNTED)):
        for table in (X, three_levels(X.astype(float)), X + np.random.default_rng(0).random(X.shape)):
            holdfast.selector(name, delta=0.0, discretizer=None if table.dtype != float else "mdl").fit(table, y)


PARTS: dict[str, Callable[[Callable[[str], None], int], list[dict]]] = {
    "sparse": sparse,
    "sixteen": lambda say, _: sixteen(say),
    "real": lambda say, _: real(say),
    "others": lambda say, _: others(say),
    "annealing": lambda say, _: annealing(say),
}


def main() -> None:
    """Measure and write consistency.json and consistency.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.consistency", description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=PARTS, help="print only this; may be repeated")
    parser.add_argument("--largest", type=int, help="most features of a sparse table (default: what memory allows)")
    asked = parser.parse_args()
    available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") / 2**30
    largest = asked.largest or (SPARSE[-1][1] if available >= NEEDS_GIGABYTES else SPARSE[-2][1])
    warnings.simplefilter("ignore")

    def say(line: str) -> None:
        print(line, file=sys.stderr)

    began = os.getloadavg()[0]
    with threadpool_limits(1):
        warm_up()
        document = {
            "date": dt.date.today().isoformat(),
            "machine": machine.describe(),
            **{part: PARTS[part](say, largest) for part in asked.part or PARTS},
        }
    document["load"] = (began, os.getloadavg()[0])
    text = markdown(document)
    if asked.part is None:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "consistency.json").write_text(json.dumps(document, indent=1) + "\n")
        (RESULTS / "consistency.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
