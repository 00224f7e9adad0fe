"""Every method of the registry, warm, with its default parameters: ``python -m benchmarks.methods``.

Each row runs on 100 samples and as many features as its ``bench_features`` allows, on the common data.
"""

import argparse
import datetime as dt
import json
import sys
import time
from functools import lru_cache

import numpy as np

import holdfast
from benchmarks import machine
from benchmarks.data import three_levels, wide_table
from benchmarks.report import RESULTS
from holdfast._registry import Method, find

N_SAMPLES, N_FEATURES = 100, 25_000
REPEATS = 3
ENOUGH_SECONDS = 2.0


@lru_cache(maxsize=2)
def problem(n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, its three levels and the classes."""
    X, y = wide_table(N_SAMPLES, n_features)
    return X, three_levels(X).astype(np.float64), y


def measure(row: Method, at_most: int) -> dict:
    """Best time of a few warm fits, how many features were chosen and what it cost."""
    n_features = min(row.bench_features, at_most)
    X, codes, y = problem(n_features)
    if row.name == "chi2":
        X = codes  # the one method that takes no negative values
    few = X[:, :200]
    row.build(**known(row, few)).fit(few, y)
    selector = row.build(**known(row, X))
    seconds: list[float] = []
    can_reset = reset_peak()
    while len(seconds) < REPEATS and sum(seconds) < ENOUGH_SECONDS:
        start = time.perf_counter()
        selector.fit(X, y)
        seconds.append(time.perf_counter() - start)
    return {
        "method": row.name,
        "n_features": n_features,
        "seconds": round(min(seconds), 5),
        "n_selected": len(selector.indices_),
        "pairs": selector.n_evaluations_.pair,
        "peak_megabytes": peak_megabytes() if can_reset else None,
    }


def known(row: Method, X: np.ndarray) -> dict:
    """Every hundredth feature as prior knowledge, for methods named after it."""
    return {"prior": np.arange(X.shape[1]) % 100 == 0} if row.takes_prior else {}


def reset_peak() -> bool:
    """Let the peak of this process start anew; Linux only."""
    try:
        with open("/proc/self/clear_refs", "w") as switch:
            switch.write("5")
    except OSError:
        return False
    return True


def peak_megabytes() -> int:
    with open("/proc/self/status") as status:
        return round(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024)


def markdown(document: dict) -> str:
    """The table for people."""
    lines = [
        "# Every method",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"{N_SAMPLES} samples, default parameters, the best of at most {REPEATS} warm fits. Peak: the whole process.",
        "",
        "| method | features | seconds | chosen | pairs | peak MB |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in document["methods"]:
        peak = "" if row["peak_megabytes"] is None else row["peak_megabytes"]
        lines.append(
            f"| {row['method']} | {row['n_features']:,} | {row['seconds']:.3g} | {row['n_selected']:,} | "
            f"{row['pairs']:,} | {peak} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure every row and write methods.json and methods.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.methods", description=__doc__.splitlines()[0])
    parser.add_argument("--method", action="append", help="only this method; may be repeated")
    parser.add_argument("--features", type=int, default=N_FEATURES, help="at most this many features a method")
    asked = parser.parse_args()
    rows = [find(name) for name in asked.method] if asked.method else list(holdfast.methods())
    found = []
    for row in rows:
        found.append(measure(row, asked.features))
        print(found[-1], file=sys.stderr)
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe(), "methods": found}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "methods.json").write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / "methods.md").write_text(markdown(document))
    print(markdown(document))


if __name__ == "__main__":
    main()
