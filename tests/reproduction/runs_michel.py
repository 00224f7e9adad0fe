"""Runs behind the page of Michel 2018, kept so that none is made twice, and the printed numbers beside their means.

The remarks A19 and A20 are of our specification, section 11.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from holdfast.stability import by_size, nogueira_by_size
from reproduction.michel import CLASSIFIED, CRITERIA, CV, N_REPETITIONS, RULES, SETS, Run, load, run
from reproduction.printed import AGREES, IMPOSSIBLE, NOT_PRINTED, Printed, read_numbers

SEED = 0
# Repetitions that are kept together.
BLOCK = 10
ENTROPY, PAIRING, MAXIMUM = MEASURES = ("entropy", "pairing", "max")
PRINTED = Path(__file__).with_name("printed_michel.csv")
COLUMNS = ("figure", "subject", "rule")
SIZE, VARIANCE = "size", "variance"
FIGURES = {SIZE: "10.14", VARIANCE: "10.15", ENTROPY: "10.16", PAIRING: "10.17", MAXIMUM: "10.18"}
NEAR, NO_TARGET, ABSENT = "near", "no target", "not run: data absent"
# What the specification asks of a reproduction (section 12).
SIZE_TOLERANCE, BREAST_TOLERANCE, PAIRING_TOLERANCE = 2.0, 4.0, 0.05
# A printed size is a whole number: a mean that was rounded, or cut off.
ROUNDED_UP, CUT_OFF = 0.5, 1.0

Key = tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """Some repetitions of a search."""

    name: str
    criterion: str
    first: int

    @property
    def key(self) -> str:
        return f"{self.name}-{self.criterion}-{self.first}".replace(" ", "")


def plan(n_repetitions: int = N_REPETITIONS) -> list[Task]:
    """All runs."""
    return [
        Task(name, criterion, first)
        for name, criteria in CRITERIA.items()
        for criterion in criteria
        for first in range(0, n_repetitions, BLOCK)
    ]


def work(task: Task, folder: Path) -> tuple[list[Run], float]:
    """Runs of a task and how many seconds they took, from a file if they are there: whole or not at all."""
    path = folder / f"{task.key}.json"
    if not path.exists():
        start = time.perf_counter()
        data = load(task.name)
        runs = [run(data, task.criterion, SEED, task.first + i).as_json() for i in range(BLOCK)]
        draft = path.with_suffix(f".{os.getpid()}.tmp")
        draft.write_text(json.dumps({"runs": runs, "seconds": time.perf_counter() - start}))
        draft.replace(path)
        print(f"{task.key}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    kept = json.loads(path.read_text())
    return [Run.from_json(one) for one in kept["runs"]], kept["seconds"]


@dataclass
class Arm:
    """All repetitions of one search on one table."""

    name: str
    criterion: str
    runs: Sequence[Run]
    seconds: float = 0.0

    @property
    def n_features(self) -> int:
        return len(self.runs[0].order)

    @cached_property
    def scores(self) -> np.ndarray:
        """Mean score of every size."""
        return np.mean([one.scores for one in self.runs], axis=0)

    @cached_property
    def tests(self) -> np.ndarray:
        """Mean accuracy or R² on the test part, of every size."""
        return np.mean([one.tests for one in self.runs], axis=0)

    @cached_property
    def stability(self) -> Mapping[str, np.ndarray]:
        """Entropy, pairing and max of every size."""
        found = by_size([one.order for one in self.runs], n_features=self.n_features)
        return {ENTROPY: found.entropy, PAIRING: found.pairing, MAXIMUM: found.maximum}

    @cached_property
    def errors(self) -> Mapping[str, np.ndarray]:
        """Standard errors of these; that of the entropy by the delta method."""
        orders = [one.order for one in self.runs]
        found = by_size(orders, n_features=self.n_features)
        share = found.colours
        logs = np.log(np.where(share > 0, share, 1.0))
        spread = np.sqrt(np.maximum((share * logs**2).sum(axis=0) - (share * logs).sum(axis=0) ** 2, 0.0))
        root = np.sqrt(len(orders))
        pairing = np.nan_to_num(nogueira_by_size(orders, n_features=self.n_features).std_error)
        largest = np.sqrt(found.maximum * (1 - found.maximum)) / root
        return {ENTROPY: found.entropy * spread / root, PAIRING: pairing, MAXIMUM: largest}

    def sizes(self, reading: str, least: int = 0) -> np.ndarray:
        """Size that a reading keeps in every repetition, at least so many."""
        return np.maximum([one.sizes[reading] for one in self.runs], least)

    def stop_tests(self, reading: str) -> np.ndarray:
        """Accuracy or R² on the test part where a reading stops, in every repetition; with at least one feature."""
        sizes = self.sizes(reading, least=1)
        return np.array([one.tests[size - 1] for one, size in zip(self.runs, sizes, strict=True)])

    def kept(self, reading: str) -> int:
        """Mean size, rounded, where stability is read; at least one feature."""
        return max(1, int(np.floor(self.sizes(reading).mean() + 0.5)))

    def read(self, measure: str, size: int) -> float:
        """Stability at a size."""
        return float(self.stability[measure][size - 1])


Results = Mapping[tuple[str, str], Arm]


def run_all(folder: Path, tasks: Sequence[Task], n_jobs: int = 1) -> Results:
    """All searches on the tables that are there, by table and criterion."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [task for task in tasks if load(task.name) is not None]
    found = Parallel(n_jobs=n_jobs)(delayed(work)(task, folder) for task in tasks)
    arms: dict[tuple[str, str], Arm] = {}
    for task, (runs, seconds) in zip(tasks, found, strict=True):
        arm = arms.setdefault((task.name, task.criterion), Arm(task.name, task.criterion, []))
        arm.runs = [*arm.runs, *runs]
        arm.seconds += seconds
    return arms


def absent() -> list[str]:
    """Tables of the thesis that are not there."""
    return [name for name in SETS if load(name) is None]


def read_printed() -> dict[Key, Printed]:
    """Every number of Figures 10.14 to 10.18, by figure, table and rule."""
    return read_numbers(PRINTED, COLUMNS)


@dataclass(frozen=True)
class Cell:
    """A printed number, ours beside it and a verdict.

    Stability has two: at the mean size that the rule has here, and at the printed one.
    """

    name: str
    rule: str
    quantity: str
    printed: Printed | None
    ours: float | None
    verdict: str
    at_printed: float | None = None
    verdict_at_printed: str = ""


def cells(results: Results, printed: Mapping[Key, Printed]) -> list[Cell]:
    """Every cell of the five figures."""
    found = []
    for name in CLASSIFIED:
        arm = results.get((name, CV))
        for rule in RULES:
            there = {quantity: printed.get((figure, name, rule)) for quantity, figure in FIGURES.items()}
            if arm is None:
                found += [Cell(name, rule, one, value, None, _unrun(value)) for one, value in there.items()]
            else:
                found += [_size(arm, rule, there), _variance(arm, rule, there)]
                found += [_stability(arm, rule, measure, there) for measure in MEASURES]
    return found


def _unrun(printed: Printed | None) -> str:
    return NOT_PRINTED if printed is None else ABSENT


def _size(arm: Arm, rule: str, there: Mapping[str, Printed]) -> Cell:
    sizes = arm.sizes(rule)
    printed, spread = there[SIZE], there[VARIANCE].value
    tolerance = BREAST_TOLERANCE if arm.name == "Breast" and rule in ("CW", "WM") else SIZE_TOLERANCE
    verdict = judge_size(printed, sizes, spread, tolerance, arm.n_features)
    return Cell(arm.name, rule, SIZE, printed, float(sizes.mean()), verdict)


def judge_size(printed: Printed, sizes: np.ndarray, variance: float, tolerance: float, n_features: int) -> str:
    """Within two standard errors of both means and the rounding of the printed one, or within a tolerance."""
    ours = float(sizes.mean())
    if printed.audit == "A20":
        return AGREES if ours >= n_features - 1 else "fewer"
    noise = 2 * np.sqrt((sizes.var() + variance) / len(sizes))
    if printed.value - ROUNDED_UP - noise <= ours <= printed.value + CUT_OFF + noise:
        return AGREES
    if abs(ours - printed.value) <= tolerance:
        return NEAR
    return "more" if ours > printed.value else "fewer"


def _variance(arm: Arm, rule: str, there: Mapping[str, Printed]) -> Cell:
    sizes = arm.sizes(rule)
    printed = there[VARIANCE]
    verdict = judge_variance(printed, sizes)
    return Cell(arm.name, rule, VARIANCE, printed, float(sizes.var()), _marked(verdict, printed))


def judge_variance(printed: Printed, sizes: np.ndarray) -> str:
    """Within two standard errors of the difference of two such variances, by the fourth moment of ours."""
    ours = float(sizes.var())
    fourth = float(((sizes - sizes.mean()) ** 4).mean())
    noise = 2 * np.sqrt(2 * max(fourth - ours**2, 0.0) / len(sizes))
    if abs(ours - printed.value) <= noise + 0.005:
        return AGREES
    return "larger" if ours > printed.value else "smaller"


def _stability(arm: Arm, rule: str, measure: str, there: Mapping[str, Printed]) -> Cell:
    printed = there[measure]
    ours, at_printed = arm.kept(rule), int(there[SIZE].value)
    values = [arm.read(measure, size) for size in (ours, at_printed)]
    if printed is None:
        return Cell(arm.name, rule, measure, None, values[0], NOT_PRINTED, values[1])
    if measure == ENTROPY and is_impossible(printed.value, there[MAXIMUM].value):
        verdicts = [f"{IMPOSSIBLE} ({printed.audit})"] * 2
    else:
        verdicts = [judge_stability(arm, measure, printed, size) for size in (ours, at_printed)]
        verdicts = [_marked(one, printed) for one in verdicts]
    return Cell(arm.name, rule, measure, printed, values[0], verdicts[0], values[1], verdicts[1])


def is_impossible(entropy: float, largest: float) -> bool:
    """Whether fewer features compete than the share of the most frequent one allows; both rounded to two decimals."""
    return entropy + 0.005 < 1 / (largest + 0.005)


def judge_stability(arm: Arm, measure: str, printed: Printed, size: int) -> str:
    """Within two standard errors of the difference of two such runs; pairing also within the tolerance."""
    ours = arm.read(measure, size)
    noise = 2 * np.sqrt(2) * arm.errors[measure][size - 1] + 0.005
    difference = ours - printed.value
    if abs(difference) <= noise:
        return AGREES
    if measure == PAIRING and abs(difference) <= PAIRING_TOLERANCE + 0.005:
        return NEAR
    return "less stable" if (difference < 0) != (measure == ENTROPY) else "more stable"


def _marked(verdict: str, printed: Printed) -> str:
    return f"{NO_TARGET} ({printed.audit}): {verdict}" if printed.audit else verdict
