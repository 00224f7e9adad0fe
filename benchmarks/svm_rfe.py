"""SVM-RFE beside the limits of the machine, and twenty bootstraps beside one run: ``python -m benchmarks.svm_rfe``.

No elimination that starts from all features can do less than read the table once and form one matrix of inner products:
half of n² · p multiply-adds, as fast as ``dsyrk`` does them on a table of the same size, measured here. Times are of
the processor, in one thread.
"""

import argparse
import datetime as dt
import json
import sys
import timeit

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg.blas import dsyrk
from threadpoolctl import threadpool_limits

import holdfast
from benchmarks import machine
from benchmarks.data import wide_table
from benchmarks.limits import bandwidth, cpu_seconds
from benchmarks.report import RESULTS

SIZES = ((100, 2_000), (100, 10_000), (100, 25_000))
N_SELECT, N_BOOTSTRAPS = 50, 20
GOAL = 8.0
SEED = 8


def bootstraps(y: np.ndarray) -> list[np.ndarray]:
    """Rows drawn with replacement, all classes among them."""
    rng = np.random.default_rng(SEED)
    drawn: list[np.ndarray] = []
    while len(drawn) < N_BOOTSTRAPS:
        rows = rng.integers(0, len(y), len(y))
        if len(np.unique(y[rows])) == len(np.unique(y)):
            drawn.append(rows)
    return drawn


def ensemble_on_two(selector: holdfast.SVMRFE, X: np.ndarray, y: np.ndarray, drawn: list[np.ndarray]) -> None:
    """The bootstraps in two threads."""
    choose = selector.resampler(X, y)
    Parallel(n_jobs=2, prefer="threads")(delayed(choose)(rows) for rows in drawn)


def measure(size: tuple[int, int], gigabytes: float) -> dict:
    """One run, twenty bootstraps through the shared matrix and twenty runs on copies, and the limits."""
    X, y = wide_table(*size)
    values = np.asfortranarray(X)
    drawn = bootstraps(y)
    selector = holdfast.SVMRFE(N_SELECT)

    def ensemble() -> None:
        choose = selector.resampler(X, y)
        for rows in drawn:
            choose(rows)

    def copies() -> None:
        for rows in drawn:
            selector.fit(X[rows], y[rows])

    one, twenty, apart = cpu_seconds(lambda: selector.fit(X, y)), cpu_seconds(ensemble), cpu_seconds(copies)
    clock = min(timeit.repeat(lambda: selector.fit(X, y), number=1, repeat=5))
    on_two = min(timeit.repeat(lambda: ensemble_on_two(selector, X, y, drawn), number=1, repeat=5))
    product, reading = cpu_seconds(lambda: dsyrk(1.0, values)), X.nbytes / gigabytes / 1e9
    return {
        "size": size,
        "fit_seconds": one,
        "bootstrap_seconds": twenty,
        "copies_seconds": apart,
        "ratio": round(twenty / one, 2),
        "ratio_on_two_cores": round(on_two / clock, 2),
        "is_within": on_two < GOAL * clock,
        "product_seconds": product,
        "reading_seconds": reading,
        "over_limit": round(one / max(product, reading), 1),
    }


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = [
        "# SVM-RFE: the limits of the machine, and bootstraps",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"10 % of the remaining features a round, the best {N_SELECT}; scaling and checks included. One thread, "
        f"processor time. Bootstraps: {N_BOOTSTRAPS}, through `resampler`, which scales and forms the matrix of inner "
        f"products once; goal: under {GOAL:g} × one run, by the clock on two cores. The limit is the slower of reading "
        f"the table once ({document['gigabytes_a_second']:.1f} GB a second) and one `dsyrk`.",
        "",
        "| samples × features | one run, s | reading, s | dsyrk, s | × limit | bootstraps, s | × one run | "
        "× one run on two cores | within | "
        "as runs on copies, s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|---:|",
    ]
    lines += [
        f"| {row['size'][0]:,} × {row['size'][1]:,} | {row['fit_seconds']:.3g} | {row['reading_seconds']:.3g} | "
        f"{row['product_seconds']:.3g} | {row['over_limit']:g} | {row['bootstrap_seconds']:.3g} | {row['ratio']:.2f} | "
        f"{row['ratio_on_two_cores']:.2f} | {row['is_within']} | {row['copies_seconds']:.3g} |"
        for row in document["tables"]
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure every size and write svm_rfe.json and svm_rfe.md."""
    argparse.ArgumentParser(prog="python -m benchmarks.svm_rfe", description=__doc__.splitlines()[0]).parse_args()
    with threadpool_limits(1):
        gigabytes = bandwidth()
        tables = []
        for size in SIZES:
            tables.append(measure(size, gigabytes))
            print(tables[-1], file=sys.stderr)
    document = {
        "date": dt.date.today().isoformat(),
        "machine": machine.describe(),
        "gigabytes_a_second": gigabytes,
        "tables": tables,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "svm_rfe.json").write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / "svm_rfe.md").write_text(markdown(document))
    print(markdown(document))


if __name__ == "__main__":
    main()
