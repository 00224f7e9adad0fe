"""Search by sampling: every feature has a probability of being drawn, which what is drawn with it raises or lowers.

Falsone, Piroddi and Prandini 2015; Brankovic et al. 2018; Hosseini 2018, §3.2, Algorithm 2, read as its repaired form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels.lazy import TIE
from holdfast.kernels.sampling import draw_sets, move_probabilities
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

# What is told of every population.
_TOLD = ("best", "mean", "step", "expected_size", "change")
HISTORY = np.dtype([(name, float) for name in _TOLD])
_CHANGE = _TOLD.index("change")


@dataclass(frozen=True)
class Population:
    """Sets of features: set s has ``members[starts[s]:starts[s + 1]]``."""

    members: Array
    starts: Array

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Array:
        return self.members[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True)
class Law:
    """How probabilities move.

    ``step`` is the coefficient λ of the step size; ``empty`` says what becomes of an empty set ("zero": it is worth
    nothing, "resample": it is drawn anew), ``zero_count`` what becomes of a feature in no set or in all ("skip": it
    stays, "parent": the mean of no sets is 0, as in the parent methods).
    """

    n_iterations: int = 100
    n_subsets: int = 100
    step: float = 10.0
    tolerance: float = 0.001
    bounds: tuple[float, float] = (0.0, 1.0)
    empty: str = "zero"
    zero_count: str = "skip"

    def moved(self, inclusion: Array, population: Population, values: Array) -> tuple[Array, Array]:
        """Probabilities after one population, and what ``HISTORY`` says of it."""
        moved, told = inclusion.copy(), np.empty(len(_TOLD))
        low, high = self.bounds
        counts, sums = np.empty(len(moved), dtype=np.int64), np.empty(len(moved))
        move_probabilities(
            population.members, population.starts, values, moved, float(self.step), _LEAST, float(low), float(high),
            self.zero_count == "skip", counts, sums, told,
        )  # fmt: skip
        return moved, told


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
    parts = []
    for first in range(0, n_subsets, at_once):
        uniforms = rng.random((min(at_once, n_subsets - first), n_features))
        members, starts = np.empty(4 * len(uniforms), dtype=np.int64), np.empty(len(uniforms) + 1, dtype=np.int64)
        n_members = draw_sets(uniforms, inclusion, members, starts)
        if n_members > len(members):
            members = np.empty(n_members, dtype=np.int64)
            draw_sets(uniforms, inclusion, members, starts)
        parts.append(Population(members[:n_members], starts))
    population = parts[0] if len(parts) == 1 else _joined([one[s] for one in parts for s in range(len(one))])
    if empty == "resample" and inclusion.any() and (population.starts[1:] == population.starts[:-1]).any():
        return _filled(population, inclusion, rng)
    return population


def _joined(sets: Sequence[Array]) -> Population:
    return Population(np.concatenate(sets), np.cumsum([0, *map(len, sets)]))


def _filled(population: Population, inclusion: Array, rng: np.random.Generator) -> Population:
    """Draw empty sets anew, the first one first, until they have a feature."""
    sets = [population[s] for s in range(len(population))]
    for s, drawn in enumerate(sets):
        for _ in range(0 if len(drawn) else _MOST_REDRAWN):
            sets[s] = np.flatnonzero(rng.random(len(inclusion)) < inclusion)
            if len(sets[s]):
                break
    return _joined(sets)


def _better(best: Array, value: float, population: Population, values: Array) -> tuple[Array, float]:
    """The best set so far: the highest value, of equal ones the smallest set, then the first."""
    sizes = np.diff(population.starts)
    filled = np.flatnonzero(sizes)
    if len(filled) == 0:
        return best, value
    top = filled[best_tied(values[filled])]
    s = int(top[np.argmin(sizes[top])])
    slack = TIE * max(1.0, abs(values[s]))
    if values[s] > value + slack or (values[s] > value - slack and sizes[s] < len(best)):
        return population[s], float(values[s])
    return best, value


def sample(judge: Judge, start: Array, law: Law, rng: np.random.Generator, *, keep_best: bool = False) -> Sampled:
    """Draw populations and move probabilities until they stay where they are, or no iteration is left."""
    inclusion = np.clip(start, *law.bounds)
    changes = Changes(inclusion)
    history = np.zeros((law.n_iterations if len(start) else 0, len(_TOLD)))
    best, best_value = np.zeros(0, dtype=np.int64), -np.inf
    for iteration in range(len(history)):
        population = draw(inclusion, law.n_subsets, rng, law.empty)
        values = judge(population.members, population.starts)
        if keep_best:
            best, best_value = _better(best, best_value, population, values)
        moved, history[iteration] = law.moved(inclusion, population, values)
        changes.add(inclusion, moved)
        inclusion = moved
        report("Populations drawn", iteration + 1, law.n_iterations)
        if history[iteration, _CHANGE] <= law.tolerance:
            history = history[: iteration + 1]
            break
    converged = len(history) == 0 or bool(history[-1, _CHANGE] <= law.tolerance)
    told = np.array([tuple(row) for row in history], dtype=HISTORY)
    return Sampled(inclusion, best, best_value, converged, told, changes)
