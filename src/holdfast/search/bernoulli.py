"""Search by sampling: every feature has a probability of being drawn, which what is drawn with it raises or lowers.

Falsone, Piroddi and Prandini 2015; Brankovic et al. 2018; Hosseini 2018, §3.2, Algorithm 2, read as its repaired form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels.lazy import TIE
from holdfast.search.ties import best_tied

Array = npt.NDArray[Any]
# Sets one after the other, and where each begins, to the value of each.
Judge: TypeAlias = Callable[[Array, Array], Array]

# Numbers drawn at a time, so that memory does not grow with features times sets.
_DRAWN = 1 << 20
# Draws of one set in vain, after which it stays empty.
_MOST_REDRAWN = 1000
# Keeps the step finite where all sets have one value.
_LEAST = 0.1

HISTORY = np.dtype([("best", float), ("mean", float), ("step", float), ("expected_size", float), ("change", float)])


@dataclass(frozen=True)
class Population:
    """Sets of features: set s has ``members[starts[s]:starts[s + 1]]``."""

    members: Array
    starts: Array

    @property
    def sizes(self) -> Array:
        """Features in each set."""
        return np.diff(self.starts)

    def __getitem__(self, number: int) -> Array:
        return self.members[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True)
class Law:
    """How probabilities move.

    ``step`` is the coefficient λ of the step size; ``empty`` says what becomes of an empty set ("zero": its value is
    0, "resample": it is drawn anew), ``zero_count`` what becomes of a feature in no set or in all ("skip": it stays,
    "parent": the mean of no sets is 0, as in the parent methods).
    """

    n_iterations: int = 100
    n_subsets: int = 100
    step: float = 10.0
    tolerance: float = 0.001
    bounds: tuple[float, float] = (0.0, 1.0)
    empty: str = "zero"
    zero_count: str = "skip"

    def step_size(self, values: Array) -> float:
        """Smaller steps the farther the best set of a population is above the mean."""
        return float(1.0 / (self.step * (values.max() - values.mean()) + _LEAST))

    def importance(self, population: Population, values: Array, n_features: int) -> Array:
        """Mean value of the sets with a feature less that of the sets without it."""
        n_with = np.bincount(population.members, minlength=n_features)
        sum_with = np.bincount(population.members, weights=np.repeat(values, population.sizes), minlength=n_features)
        n_without = len(values) - n_with
        means: Array = sum_with / np.maximum(n_with, 1) - (values.sum() - sum_with) / np.maximum(n_without, 1)
        if self.zero_count == "skip":
            means[(n_with == 0) | (n_without == 0)] = 0.0
        return means

    def moved(self, inclusion: Array, population: Population, values: Array) -> Array:
        """Probabilities after one population."""
        importance = self.importance(population, values, len(inclusion))
        return np.clip(inclusion + self.step_size(values) * importance, *self.bounds)


class Changes:
    """Probabilities over time, kept as what changed, since few features are drawn at a time."""

    def __init__(self, start: Array) -> None:
        self._start = start
        self._highest = start.copy()
        self._changes: list[tuple[Array, Array]] = []

    def add(self, before: Array, after: Array) -> None:
        """Keep one more point in time."""
        changed = np.flatnonzero(before != after)
        self._changes.append((changed, after[changed]))
        np.maximum(self._highest, after, out=self._highest)

    def of_highest(self, n_traced: int) -> tuple[Array, Array]:
        """The features that came highest, and their probabilities at the start and after every population."""
        n_traced = min(n_traced, len(self._start))
        traced = np.sort(np.argsort(-self._highest, kind="stable")[:n_traced])
        now = self._start.copy()
        rows = [now[traced]]
        for changed, values in self._changes:
            now[changed] = values
            rows.append(now[traced])
        return traced, np.array(rows)


@dataclass(frozen=True)
class Sampled:
    """How a search by sampling ended: probabilities, the best set drawn, and the way there."""

    inclusion: Array
    best: Array
    best_value: float
    converged: bool
    history: Array
    changes: Changes


def draw(inclusion: Array, n_subsets: int, rng: np.random.Generator, empty: str = "zero") -> Population:
    """Sets in which every feature is with its probability; set s takes the numbers s · n_features … of the stream."""
    n_features = len(inclusion)
    at_once = max(1, min(n_subsets, _DRAWN // n_features))
    rows, members = [], []
    for first in range(0, n_subsets, at_once):
        number = min(at_once, n_subsets - first)
        in_row, column = np.nonzero(rng.random((number, n_features)) < inclusion)
        rows.append(in_row + first)
        members.append(column)
    sizes = np.bincount(np.concatenate(rows), minlength=n_subsets)
    population = Population(np.concatenate(members), np.concatenate([[0], np.cumsum(sizes)]))
    if empty == "resample" and not sizes.all() and inclusion.any():
        return _filled(population, inclusion, rng)
    return population


def _filled(population: Population, inclusion: Array, rng: np.random.Generator) -> Population:
    """Draw empty sets anew, the first one first, until they have a feature."""
    sets = [population[s] for s in range(len(population.sizes))]
    for s in np.flatnonzero(population.sizes == 0):
        for _ in range(_MOST_REDRAWN):
            sets[s] = np.flatnonzero(rng.random(len(inclusion)) < inclusion)
            if len(sets[s]):
                break
    return Population(np.concatenate(sets), np.concatenate([[0], np.cumsum([len(one) for one in sets])]))


def _better(best: Array, value: float, population: Population, values: Array) -> tuple[Array, float]:
    """The best set so far: the highest value, of equal ones the smallest set, then the first."""
    filled = np.flatnonzero(population.sizes)
    if len(filled) == 0:
        return best, value
    top = filled[best_tied(values[filled])]
    s = int(top[np.argmin(population.sizes[top])])
    slack = TIE * max(1.0, abs(values[s]))
    if values[s] > value + slack or (values[s] > value - slack and population.sizes[s] < len(best)):
        return population[s], float(values[s])
    return best, value


def sample(judge: Judge, start: Array, law: Law, rng: np.random.Generator) -> Sampled:
    """Draw populations and move probabilities until they stay where they are, or no iteration is left."""
    inclusion = np.clip(start, *law.bounds)
    n_iterations = law.n_iterations if len(start) else 0
    changes = Changes(inclusion)
    history: list[tuple[float, ...]] = []
    best, best_value = np.zeros(0, dtype=np.int64), -np.inf
    converged = len(start) == 0
    for iteration in range(1, n_iterations + 1):
        population = draw(inclusion, law.n_subsets, rng, law.empty)
        values = judge(population.members, population.starts)
        best, best_value = _better(best, best_value, population, values)
        moved = law.moved(inclusion, population, values)
        changes.add(inclusion, moved)
        change = float(np.abs(moved - inclusion).max())
        inclusion = moved
        history.append((values.max(), values.mean(), law.step_size(values), inclusion.sum(), change))
        report("Populations drawn", iteration, n_iterations)
        if change <= law.tolerance:
            converged = True
            break
    return Sampled(inclusion, best, best_value, converged, np.array(history, dtype=HISTORY), changes)
