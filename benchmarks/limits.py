"""How far the distance kernel is from what the machine can do: ``python -m benchmarks.limits``.

A Manhattan distance of two samples needs, for each feature, a minimum (or a subtraction and a sign) and an addition.
How many of these one core can do in a second is measured in three ways, and the highest is the limit of arithmetic:

- two loops over 8 KB, one by ``min`` and one by ``abs``: each value is loaded once for four sums that stay in registers
  and may be reordered;
- a matrix product, whose multiply-adds are one vector instruction an element where a distance needs two.

The limit of memory is the table read once and the distances written once, at the speed of ``a = b + s · c`` over arrays
far larger than the caches. The limit for a table is the slower of the two. Times are of the processor, in one thread.
"""

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Callable

import numpy as np
from numba import njit  # noqa: TID251  (ours never reorders a sum; the limit is of those that may)
from threadpoolctl import threadpool_limits

from benchmarks import machine
from benchmarks.data import wide_table
from benchmarks.report import RESULTS
from holdfast.kernels.neighbours import LANES, TOGETHER, add_smaller
from holdfast.measures.neighbours import Distances, Space, aligned_zeros

SIZES = ((100, 2_000), (100, 25_000), (2_350, 5_000), (5_000, 1_000))
GOAL = 3.0
REPEATS = 5
LONG_ENOUGH = 0.05
N_VALUES, N_ROUNDS = 1_024, 50_000
N_PRODUCT = 1_500
N_TRIAD = 1 << 25
BLOCK = 256


@njit(fastmath=True)
def _sums_of_minima(values, n_rounds, a):
    b, c, d = 1.1 * a, 1.2 * a, 1.3 * a
    s = t = u = v = 0.0
    for _ in range(n_rounds):
        for i in range(values.shape[0]):
            x = values[i]
            s += min(a, x)
            t += min(b, x)
            u += min(c, x)
            v += min(d, x)
        a, b, c, d = a + 1e-9, b + 1e-9, c + 1e-9, d + 1e-9  # so that no round can be left out
    return s + t + u + v


@njit(fastmath=True)
def _sums_of_differences(values, n_rounds, a):
    b, c, d = 1.1 * a, 1.2 * a, 1.3 * a
    s = t = u = v = 0.0
    for _ in range(n_rounds):
        for i in range(values.shape[0]):
            x = values[i]
            s += abs(a - x)
            t += abs(b - x)
            u += abs(c - x)
            v += abs(d - x)
        a, b, c, d = a + 1e-9, b + 1e-9, c + 1e-9, d + 1e-9
    return s + t + u + v


@njit
def _triad(a, b, c, s):
    for i in range(a.shape[0]):
        a[i] = b[i] + s * c[i]


def cpu_seconds(call: Callable[[], object]) -> float:
    """The best of a few warm runs, each repeated until it is long enough to measure."""
    call()
    times = []
    for _ in range(REPEATS):
        start, n_calls = time.process_time(), 0
        while time.process_time() < start + LONG_ENOUGH:
            call()
            n_calls += 1
        times.append((time.process_time() - start) / n_calls)
    return min(times)


def arithmetic() -> dict[str, float]:
    """Differences a second, in billions, by each way of measuring."""
    values = np.random.default_rng(0).random(N_VALUES)
    square = np.ones((N_PRODUCT, N_PRODUCT))
    product = np.empty_like(square)
    n_differences = 4 * N_VALUES * N_ROUNDS
    return {
        "minima": n_differences / cpu_seconds(lambda: _sums_of_minima(values, N_ROUNDS, 0.5)) / 1e9,
        "differences": n_differences / cpu_seconds(lambda: _sums_of_differences(values, N_ROUNDS, 0.5)) / 1e9,
        "matrix product / 2": N_PRODUCT**3 / cpu_seconds(lambda: np.dot(square, square, out=product)) / 2 / 1e9,
    }


def bandwidth() -> float:
    """Gigabytes a second of two arrays read and one written."""
    a, b, c = np.zeros(N_TRIAD), np.ones(N_TRIAD), np.ones(N_TRIAD)
    return 3 * a.nbytes / cpu_seconds(lambda: _triad(a, b, c, 0.5)) / 1e9


def kernel_seconds(n_samples: int, n_features: int) -> float:
    """The kernel alone: one block of features, as it comes from the cache, for every block of the table."""
    n_padded = -(-n_samples // LANES) * LANES
    block = aligned_zeros(BLOCK // TOGETHER * TOGETHER, n_padded)
    block[:] = np.random.default_rng(0).random(block.shape)
    sums = aligned_zeros(n_padded, n_padded)
    n_blocks = -(-n_features // len(block))

    def call() -> None:
        for _ in range(n_blocks):
            add_smaller(block, sums)

    return cpu_seconds(call) * n_features / (n_blocks * len(block))


def measure(size: tuple[int, int], billions: float, gigabytes: float) -> dict:
    """The kernel, and all distances of one table, beside the limits."""
    n_samples, n_features = size
    X, y = wide_table(n_samples, n_features)
    n_differences = n_samples * (n_samples - 1) // 2 * n_features
    seconds = kernel_seconds(n_samples, n_features)
    limits = {
        "arithmetic": n_differences / billions / 1e9,
        "memory": (X.nbytes + 8 * n_samples**2) / gigabytes / 1e9,
    }
    limit = max(limits, key=lambda kind: limits[kind])
    return {
        "size": size,
        "kernel_seconds": seconds,
        "all_seconds": cpu_seconds(lambda: Distances.of(Space.of(X, y, n_jobs=1))),
        "limit_seconds": limits[limit],
        "limited_by": limit,
        "ratio": round(seconds / limits[limit], 2),
        "is_within": seconds < GOAL * limits[limit],
    }


def markdown(document: dict) -> str:
    """The findings for people."""
    rates = document["billion_differences_a_second"]
    ways = ", ".join(f"{value:.1f} by {way}" for way, value in rates.items())
    lines = [
        "# The distance kernel and the limits of the machine",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"One core does {max(rates.values()):.1f} billion differences a second ({ways}) and moves "
        f"{document['gigabytes_a_second']:.1f} GB a second. How these are measured is told at the top of "
        f"`benchmarks/limits.py`. One thread; goal: the kernel within {GOAL:g} ×.",
        "",
        "| samples × features | limit, s | set by | kernel, s | × | within | ranges, scaling and kernel, s |",
        "|---|---:|---|---:|---:|---|---:|",
    ]
    lines += [
        f"| {row['size'][0]:,} × {row['size'][1]:,} | {row['limit_seconds']:.3g} | {row['limited_by']} | "
        f"{row['kernel_seconds']:.3g} | {row['ratio']:.2f} | {row['is_within']} | {row['all_seconds']:.3g} |"
        for row in document["tables"]
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the machine, then the kernel, and write limits.json and limits.md."""
    argparse.ArgumentParser(prog="python -m benchmarks.limits", description=__doc__.splitlines()[0]).parse_args()
    with threadpool_limits(1):
        rates, gigabytes = arithmetic(), bandwidth()
    tables = []
    for size in SIZES:
        tables.append(measure(size, max(rates.values()), gigabytes))
        print(tables[-1], file=sys.stderr)
    document = {
        "date": dt.date.today().isoformat(),
        "machine": machine.describe(),
        "billion_differences_a_second": rates,
        "gigabytes_a_second": gigabytes,
        "tables": tables,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "limits.json").write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / "limits.md").write_text(markdown(document))
    print(markdown(document))


if __name__ == "__main__":
    main()
