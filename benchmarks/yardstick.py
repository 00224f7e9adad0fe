"""MultiSURF on three classes, 2,350 samples and 230,000 features: ``python -m benchmarks.yardstick``.

A user of scikit-rebate reports 32 hours on 64 cores for a table of this size. The goal is ten minutes on two cores.
The data are made up, in 32 bit: noise, and features whose mean rises from class to class, which must be found.
"""

import argparse
import datetime as dt
import json
import sys
import time

import numpy as np

import holdfast
from benchmarks import machine
from benchmarks.methods import peak_megabytes, reset_peak
from benchmarks.report import RESULTS

N_SAMPLES, N_FEATURES, N_CLASSES = 2_350, 230_000, 3
N_PLANTED, SHIFT = 50, 0.5
BLOCK = 1_000
SEED = 230_000
GOAL_SECONDS = 600.0


def generate(n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, y and the planted columns; made a block of columns at a time, so that nothing but X is large."""
    rng = np.random.default_rng([SEED, n_features])
    y = rng.permutation(np.arange(N_SAMPLES) % N_CLASSES)
    planted = np.sort(rng.choice(n_features, N_PLANTED, replace=False))
    X = np.empty((N_SAMPLES, n_features), dtype=np.float32)
    for first in range(0, n_features, BLOCK):
        last = min(first + BLOCK, n_features)
        X[:, first:last] = rng.standard_normal((N_SAMPLES, last - first), dtype=np.float32)
    X[:, planted] += np.float32(SHIFT) * y[:, None]
    return X, y, planted


def measure(n_features: int, n_jobs: int) -> dict:
    """One fit, after a warm-up on a corner of the table that compiles what is to be compiled."""
    X, y, planted = generate(n_features)
    selector = holdfast.selector("multisurf", n_features_to_select=N_PLANTED, n_jobs=n_jobs)
    selector.fit(X[:200, :500], y[:200])
    can_reset = reset_peak()
    start, start_cpu = time.perf_counter(), time.process_time()
    selector.fit(X, y)
    return {
        "size": [N_SAMPLES, n_features],
        "n_classes": N_CLASSES,
        "n_jobs": n_jobs,
        "seconds": round(time.perf_counter() - start, 1),
        "cpu_seconds": round(time.process_time() - start_cpu, 1),
        "table_megabytes": round(X.nbytes / 2**20),
        "peak_megabytes": peak_megabytes() if can_reset else None,
        "n_planted": N_PLANTED,
        "n_found": int(np.isin(planted, selector.indices_).sum()),
    }


def markdown(document: dict) -> str:
    """The finding for people."""
    found = document["found"]
    n_samples, n_features = found["size"]
    return "\n".join(
        [
            "# The users' yardstick: MultiSURF",
            "",
            f"{document['date']}. {machine.sentence(document['machine'])}",
            "",
            f"{n_samples:,} samples × {n_features:,} features, {found['n_classes']} classes, 32-bit numbers "
            f"({found['table_megabytes']:,} MB), {found['n_jobs']} threads, one run: **{found['seconds']:,} s** "
            f"({found['cpu_seconds']:,} s of processor time; goal {GOAL_SECONDS:g} s at {N_FEATURES:,} features), peak "
            f"memory {found['peak_megabytes']:,} MB with the table. Of {found['n_planted']} planted features "
            f"{found['n_found']} are among the best {found['n_planted']}.",
            "",
        ]
    )


def main() -> None:
    """Run once and write yardstick.json and yardstick.md; a smaller table is shown and not written."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yardstick", description=__doc__.splitlines()[0])
    parser.add_argument("--features", type=int, default=N_FEATURES)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    found = measure(asked.features, asked.jobs)
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe(), "found": found}
    print(markdown(document))
    if asked.features < N_FEATURES:
        print("A trial: nothing is written.", file=sys.stderr)
        return
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "yardstick.json").write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / "yardstick.md").write_text(markdown(document))


if __name__ == "__main__":
    main()
