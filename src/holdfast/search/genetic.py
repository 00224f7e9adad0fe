"""Genetic search over sets of features, and the operators that other searches by populations share with it.

A set is a row of True and False, one for each feature of a pool. The search is stage two of MRMR-GA (El Akadi et al.
2011; Pino Angulo 2019, §4.5.3, which gives no settings).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.search.evolution import Evolution, listed

Array = npt.NDArray[Any]


def tournament(values: Array, n_winners: int, rng: np.random.Generator, size: int = 2) -> Array:
    """The best of ``size`` drawn at a time, the first drawn of equal ones, once for each winner."""
    drawn = rng.integers(len(values), size=(size, n_winners))
    winners: Array = drawn[np.argmax(values[drawn], axis=0), np.arange(n_winners)]
    return winners


def uniform_cross(parents: Array, mates: Array, rng: np.random.Generator, probability: float = 1.0) -> Array:
    """Every feature from either parent: what both have stays, of the rest one half. Others are copies of the parent."""
    takes_mate = (rng.random(parents.shape) < 0.5) & (rng.random(len(parents)) < probability)[:, np.newaxis]
    children: Array = np.where(takes_mate, mates, parents)
    return children


def flip(sets: Array, rng: np.random.Generator, probability: float) -> Array:
    """Let each feature come or go with this probability."""
    flipped: Array = sets ^ (rng.random(sets.shape) < probability)
    return flipped


def within_size(sets: Array, max_features: int, rng: np.random.Generator) -> Array:
    """A drawn feature for sets without any, and drawn features gone from sets with too many."""
    sizes = sets.sum(axis=1)
    if sizes.min(initial=1) > 0 and sizes.max(initial=0) <= max_features:
        return sets
    sets = sets.copy()
    for row in np.flatnonzero((sizes == 0) | (sizes > max_features)):
        if sizes[row] == 0:
            sets[row, rng.integers(sets.shape[1])] = True
        else:
            has = np.flatnonzero(sets[row])
            sets[row, rng.permutation(has)[max_features:]] = False
    return sets


@dataclass(frozen=True)
class Breeding:
    """How a generation follows from the one before."""

    population: int = 40
    crossover: float = 0.8
    mutation: float | None = None
    tournament: int = 2
    elite: int = 1
    start: float = 0.5


class GeneticSearch(Evolution):
    """Tournaments, uniform crossover and mutation, with the best carried over."""

    def run(self, breeding: Breeding) -> None:
        """Breed until the stopping rule ends it."""
        rng, n = self.rng, breeding.population
        mutation = 1.0 / self.n_pool if breeding.mutation is None else breeding.mutation
        report("Generations, first one", 0, self.ending.n_rounds)
        first = within_size(rng.random((n, self.n_pool)) < breeding.start, self.max_features, rng)
        self.values = self.fitness(listed(first))
        self.sets = first
        self.crown(self.sets, self.values, 0, "start")
        generation = 0
        while not self.is_over(generation, "Generations"):
            generation += 1
            parents, mates = (self.sets[tournament(self.values, n, rng, breeding.tournament)] for _ in range(2))
            children = flip(uniform_cross(parents, mates, rng, breeding.crossover), rng, mutation)
            children = within_size(children, self.max_features, rng)
            values = self.fitness(listed(children))
            self.crown(children, values, generation, "breeding")
            self._follow(children, values, breeding.elite)

    def _follow(self, children: Array, values: Array, n_elite: int) -> None:
        """Let the children take over, the best of their parents in the places of the worst of them."""
        elite = np.argsort(-self.values, kind="stable")[:n_elite]
        worst = np.argsort(values, kind="stable")[: len(elite)]
        children[worst], values[worst] = self.sets[elite], self.values[elite]
        self.sets, self.values = children, values
