"""What consistency searches are measured by: seconds, memory, evaluations, and slow twins that must agree."""

import time
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

import holdfast
from benchmarks.methods import peak_megabytes, reset_peak
from holdfast.data import Table
from holdfast.measures import symmetrical_uncertainty
from holdfast.selectors._base import Problem
from holdfast.selectors._codes import codes_and_target

METHODS = ("super-lcc", "lcc", "fsdcc", "asdcc", "swcfs")
COUNTED = ("sdcc", "corrected-sdcc", "fsdcc", "asdcc", "lcc", "super-lcc")
DELTA = 0.01
N_ORDERS = 10
BINNED = "binned by MDL"
GOAL_SIZE, GOAL_SECONDS, GOAL_RATIO = (800, 100_000), 10.0, 20.0
ENOUGH_SECONDS, REPEATS = 4.0, 3

Array = np.ndarray


def cpu_seconds(call: Callable[[], object]) -> float:
    """Seconds of the processor: the best of a few runs, one alone when it is long."""
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < ENOUGH_SECONDS:
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def reading_seconds(X: Array) -> float:
    """One look at every byte of a table: no selection can do with less."""
    words = X.reshape(-1).view(np.uint8)
    words = words[: len(words) // 8 * 8].view(np.uint64)
    return cpu_seconds(lambda: np.bitwise_or.reduce(words))


def cost(name: str, X: Array | Table, y: Array, names: Array | None = None, **parameters) -> dict:
    """One selection: seconds, memory, what it kept and how often it asked."""
    chosen = holdfast.selector(name, **parameters).named_for_ties(names)
    can_reset = reset_peak()
    seconds = cpu_seconds(lambda: chosen.fit(X, y))
    return {
        "method": name,
        "seconds": seconds,
        "peak_megabytes": peak_megabytes() if can_reset else None,
        "n_kept": len(chosen.indices_),
        "evaluations": chosen.n_evaluations_.subset,
        "risk_of_all": chosen.risk_of_all_,
        "picks": chosen.indices_.tolist(),
    }


def increasing_relevance(X: Array, y: Array) -> Array:
    """Columns as the searches see them, least relevant first."""
    problem = Problem(X, y, None)
    relevance = symmetrical_uncertainty(*codes_and_target(problem, None))
    return problem.precedence(relevance).sort(relevance, X.shape[1])[::-1]


def plain_value(X: Array, y: Array, order: Array) -> Callable[[Sequence[int]], int]:
    """The count of a subset of places, as people write it."""
    rows, labels = X[:, order].tolist(), y.tolist()
    return lambda kept: by_dict(rows, labels, kept)


def same(what: str, where: object, one: list[int], other: list[int]) -> None:
    """Refuse selections, or counts, that should be the same and are not."""
    if one != other:
        raise SystemExit(f"{what} on {where} should be the same and is not: {one} and {other}.")


def by_dict(rows: list[list[int]], labels: list[int], kept: Sequence[int]) -> int:
    """A dict of tuples, each with the classes counted."""
    groups: dict[tuple[int, ...], Counter] = {}
    for row, label in zip(rows, labels, strict=True):
        groups.setdefault(tuple([row[f] for f in kept]), Counter())[label] += 1
    return len(labels) - sum(max(counts.values()) for counts in groups.values())
