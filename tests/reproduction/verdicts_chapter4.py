"""Verdicts: our numbers beside the printed ones of Ben Brahim 2015, chapter 4, and what the thesis says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reproduction.chapter4 import E5_PAIRS, E6_PAIRS, SIZES, Result
from reproduction.printed import (
    AGREES,
    IMPOSSIBLE,
    NOT_PRINTED,
    Claim,
    Printed,
    judge,
    marked,
    noise,
    read_numbers,
)

PRINTED = Path(__file__).with_name("printed_chapter4.csv")
DIFFERS = "differs"
E5_TABLES = {"Bladder": "4.2", "DLBCL": "4.3", "Lung": "4.4"}
LEVEL = 0.05
# Stabilities nearer than this are called the same.
NEAR = 0.05
Key = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A quantity of a method (or of two) with some number of features: printed, ours, and the verdict."""

    table: str
    data: str
    size: int
    method: str
    reading: str
    quantity: str
    printed: Printed | None
    ours: float
    verdict: str


def read_printed(path: Path = PRINTED) -> dict[Key, Printed]:
    """Every printed number by table, data set, number of features, method and quantity."""
    return read_numbers(path, ("table", "data", "size", "method", "quantity"))


def chosen(results: Iterable[Result], reading: str, prior: str = "known") -> dict[tuple[str, str], Result]:
    """Results of a reading by data set and method; what the reading leaves alone is that of the default."""
    taken = [one for one in results if one.prior == prior and one.reading in ("default", reading)]
    return {(one.data, one.method): one for one in sorted(taken, key=lambda one: one.reading == reading)}


def beside(results: Sequence[Result], printed: Mapping[Key, Printed]) -> list[Cell]:
    """Compare accuracies, stabilities and tests with what is printed, in every reading.

    Accuracies agree within two standard errors, stabilities within 0.1. Two tests agree if both or neither find a
    difference at the level 0.05; the statistic itself hangs on two or three samples.
    """
    cells = []
    for reading in dict.fromkeys(one.reading for one in results):
        by = chosen(results, reading)
        for (data, method), result in by.items():
            if result.reading != reading:
                continue
            for size in result.subsets:
                for table in ("4.8", E5_TABLES.get(data, ""), "text"):
                    cells += _numbers(table, result, size, method, printed)
        for pairs, table_of in ((E5_PAIRS, E5_TABLES.get), (E6_PAIRS, lambda _: "4.9")):
            for data in dict.fromkeys(one.data for one in results):
                for one, other in pairs:
                    a, b = by.get((data, one)), by.get((data, other))
                    if a is None or b is None or reading not in (a.reading, b.reading):
                        continue
                    cells += [
                        _test(str(table_of(data)), a, b, size, reading, printed)
                        for size in a.subsets
                        if size in b.subsets and (pairs is E5_PAIRS or size == max(SIZES))
                    ]
    return cells


def _numbers(table: str, result: Result, size: int, method: str, printed: Mapping[Key, Printed]) -> list[Cell]:
    cells = []
    for quantity, ours in (("accuracy", result.accuracy(size)), ("stability", result.stability(size))):
        there = printed.get((table, result.data, str(size), method, quantity))
        if there is None:
            continue
        tolerance = noise(ours, there.value, result.n_samples) if quantity == "accuracy" else 0.1
        verdict = judge(there, ours - there.value, tolerance, smaller_is_better=False)
        cells.append(Cell(table, result.data, size, method, result.reading, quantity, there, ours, verdict))
    return cells


def _test(table: str, a: Result, b: Result, size: int, reading: str, printed: Mapping[Key, Printed]) -> Cell:
    ours = a.against(b, size)
    method = f"{a.method} vs {b.method}"
    there = printed.get((table, a.data, str(size), method, "p"))
    verdict = NOT_PRINTED
    if there is not None:
        is_same = (ours.p_value < LEVEL) == (there.value < LEVEL)
        verdict = marked(AGREES if is_same else DIFFERS, there, IMPOSSIBLE)
    return Cell(table, a.data, size, method, reading, "p", there, ours.p_value, verdict)


def possible_statistics(n_wrong_a: int, n_wrong_b: int) -> set[float]:
    """All values of McNemar's corrected statistic that two classifiers with so many errors can have."""
    found = set()
    for n_both in range(min(n_wrong_a, n_wrong_b) + 1):
        only_a, only_b = n_wrong_a - n_both, n_wrong_b - n_both
        found.add((abs(only_a - only_b) - 1) ** 2 / (only_a + only_b) if only_a + only_b else 0.0)
    return found


def claims(results: Sequence[Result], reading: str) -> list[Claim]:
    """The statements on chapter 4 that can be tested in direction."""
    by = chosen(results, reading)
    sets = list(dict.fromkeys(data for data, _ in by))
    return [*_claims_on_extensions(by, sets), *_claims_on_l2arom(by, sets)]


def _claims_on_extensions(by: Mapping[tuple[str, str], Result], sets: Sequence[str]) -> list[Claim]:
    found = []
    for pk, plain in E5_PAIRS:
        gains = {data: _gains(by[data, pk], by[data, plain]) for data in sets}
        told = "; ".join(f"{data} {_listed(gains[data])}" for data in sets)
        first = [next(iter(gains[data].values())) for data in sets]
        last = [next(reversed(gains[data].values())) for data in sets]
        if pk == "PK-Relief":
            largest = max(abs(gain) for data in sets for gain in gains[data].values())
            found.append(Claim(f"{pk} is about as stable as {plain} (within {NEAR})", largest <= NEAR, f"gain {told}"))
            continue
        found.append(Claim(f"{pk} is more stable than {plain} with 10 features", min(first) > NEAR, f"gain {told}"))
        found.append(
            Claim(
                f"the gain of {pk} shrinks as N grows",
                all(later < sooner for sooner, later in zip(first, last, strict=True)),
                ", ".join(
                    f"{data} {sooner:+.3f} to {later:+.3f}"
                    for data, sooner, later in zip(sets, first, last, strict=True)
                ),
            )
        )
    tests = [
        by[data, pk].against(by[data, plain], size)
        for data in sets
        for pk, plain in E5_PAIRS
        for size in SIZES
        if size in by[data, pk].is_right
    ]
    n_different = sum(test.p_value < LEVEL for test in tests)
    found.append(
        Claim(
            "the prior changes accuracy significantly in few cells (printed: 2 of 60)",
            n_different <= 0.1 * len(tests),
            f"p < {LEVEL} in {n_different} of {len(tests)}",
        )
    )
    return found


def _claims_on_l2arom(by: Mapping[tuple[str, str], Result], sets: Sequence[str]) -> list[Claim]:
    found = []
    for other in ("PS-l2-AROM", "SVM-RFE"):
        gains = {data: _gains(by[data, "SS-l2AROM"], by[data, other]) for data in sets}
        n_more = sum(gain > 0 for data in sets for gain in gains[data].values())
        n_all = sum(map(len, gains.values()))
        found.append(
            Claim(
                f"SS-l2AROM is more stable than {other} in almost all cells",
                n_more >= 0.9 * n_all,
                f"in {n_more} of {n_all}; gain " + "; ".join(f"{data} {_listed(gains[data])}" for data in sets),
            )
        )
    size = max(by[sets[0], "SS-l2AROM"].is_right)
    for one in ("SS-l2AROM", "PS-l2-AROM"):
        tests = {data: by[data, one].against(by[data, "SVM-RFE"], size) for data in sets}
        found.append(
            Claim(
                f"{one} is more accurate than SVM-RFE at N = {size}",
                all(test.better == "a" for test in tests.values()),
                ", ".join(
                    f"{data} {by[data, one].accuracy(size):.3f} and {by[data, 'SVM-RFE'].accuracy(size):.3f} "
                    f"(p = {test.p_value:.2f})"
                    for data, test in tests.items()
                ),
            )
        )
    traces = {data: by[data, "SS-l2AROM"].traces for data in sets}
    found.append(
        Claim(
            f"SS-l2AROM comes to rest in every fold within ten rounds (N = {size})",
            all(trace[-1] == 1 and len(trace) <= 10 for rows in traces.values() for trace in rows),
            ", ".join(f"{data} {min(map(len, rows))} to {max(map(len, rows))} rounds" for data, rows in traces.items()),
        )
    )
    return found


def _gains(one: Result, other: Result) -> dict[int, float]:
    return {size: one.stability(size) - other.stability(size) for size in sorted(one.subsets) if size in other.subsets}


def _listed(gains: Mapping[int, float]) -> str:
    some = [gains[size] for size in (10, 50, 100) if size in gains] or list(gains.values())
    return f"{', '.join(f'{gain:+.2f}' for gain in some)} (mean {np.mean(list(gains.values())):+.2f})"
