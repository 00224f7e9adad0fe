"""Genetic bee colony over sets of ranked features (Alshamlan et al. 2015; Pino Angulo 2019, §2.2.4.1 and chapter 5).

A bee stands for a set; its i-th feature is the i-th best ranked one in it. All bees of a phase fly at once: what they
try follows from the colony as the phase began. Read as the repaired form of Eq. 2.20–2.23 and 5.4–5.9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.search.evolution import Evolution, listed
from holdfast.search.fitness import slack_of
from holdfast.search.genetic import uniform_cross, within_size

Array = npt.NDArray[Any]


def moved(own: Array, other: Array, uniform: Array, n_pool: int) -> Array:
    """Places after a step away from or towards other places, of a length drawn from -1 to 1 (Eq. 2.21)."""
    step = uniform * (own - other)
    place = np.where(n_pool - step > own, own + step, own - step)
    whole: Array = np.clip(np.rint(place), 0, n_pool - 1).astype(np.int64)
    return whole


def flown(own: Array, other: Array, uniform: Array, n_pool: int, chosen: Array | None = None) -> Array:
    """Places of a bee that flies by another, which is read again from its start if it is shorter; each place once.

    ``chosen`` are the positions that change, all unless given.
    """
    chosen = np.arange(len(own)) if chosen is None else chosen
    places = own.copy()
    places[chosen] = moved(own[chosen], other[chosen % len(other)], uniform, n_pool)
    return np.unique(places)


def _from_zero(values: Array) -> Array:
    """Values as they are, or from the lowest on if one is negative, as scores that are losses are."""
    shifted: Array = values - min(float(values.min()), 0.0)
    return shifted


def roulette(values: Array) -> Array:
    """Probabilities proportional to the values (Eq. 2.22)."""
    weights = _from_zero(values)
    total = weights.sum()
    shares: Array = weights / total if total > 0 else np.full(len(values), 1.0 / len(values))
    return shares


def ranked_probabilities(n_pool: int, number: int) -> Array:
    """Probability of every ranked feature to be drawn for a bee, the first being number 1 (Eq. 5.4 and 5.5)."""
    gamma = 1.0 - 1.0 / (number + 1)
    probabilities: Array = (1.0 - gamma) / (1.0 - gamma**n_pool) * gamma ** np.arange(n_pool)
    return probabilities


def goodness(sets: Array, values: Array) -> Array:
    """How much more often good bees have a feature than others do, from -1 to 1 (Eq. 5.9)."""
    mean = values.mean()
    is_good = values > mean + slack_of(mean)
    weights = _from_zero(values)
    told = np.zeros(sets.shape[1])
    for side, sign in ((is_good, 1.0), (~is_good, -1.0)):
        total = weights[side].sum()
        if total > 0:
            told += sign * (weights[side] @ sets[side]) / total
    return told


@dataclass(frozen=True)
class Habits:
    """What bees do.

    ``start`` draws features for new bees alike ("uniform") or by their rank ("ranked"); ``intensify`` is what the queen
    does in every cycle: "mutation", or "greedy" for adding good features and dropping others; ``positions`` is whether
    a bee that flies changes "all" of its features or "one".
    """

    n_bees: int = 40
    limit: int = 5
    mutation: float = 0.01
    positions: str = "all"
    start: str = "ranked"
    intensify: str = "greedy"


class BeeSearch(Evolution):
    """Employed, onlooker and scout bees around a queen, the best set so far."""

    def run(self, habits: Habits) -> None:
        """Fly until the stopping rule ends it."""
        report("Bees, first ones", 0, self.ending.n_rounds)
        self.sets, self.values = self._new_bees(np.arange(habits.n_bees), habits)
        in_vain = np.zeros(habits.n_bees, dtype=np.int64)
        self.crown(self.sets, self.values, 0, "start")
        cycle = n_renewed = 0
        while not self.is_over(cycle, "Bee cycles", n_renewed):
            cycle += 1
            self._employed(habits, in_vain)
            self.crown(self.sets, self.values, cycle, "employed")
            self._onlookers(in_vain)
            self.crown(self.sets, self.values, cycle, "onlooker")
            n_renewed = self._scouts(habits, in_vain)
            self.crown(self.sets, self.values, cycle, "scout")
            if habits.intensify == "greedy":
                self._improve_queen(cycle)
            else:
                self._mutate_queen(habits, cycle)

    def _new_bees(self, numbers: Array, habits: Habits) -> tuple[Array, Array]:
        """New bees: drawn features join one by one for as long as each makes the set better; the first always does."""
        sets, values = np.zeros((len(numbers), self.n_pool), dtype=bool), np.full(len(numbers), -np.inf)
        growing = np.arange(len(numbers))
        while len(growing):
            tried = sets[growing]
            for row, bee in enumerate(growing):
                tried[row, self._drawn(tried[row], int(numbers[bee]), habits)] = True
            found = self.fitness(listed(tried))
            is_better = found > values[growing] + np.array([slack_of(value) for value in values[growing]])
            growing, tried = growing[is_better], tried[is_better]
            sets[growing], values[growing] = tried, found[is_better]
            growing = growing[tried.sum(axis=1) < self.max_features]
        return sets, values

    def _drawn(self, has: Array, number: int, habits: Habits) -> int:
        """A feature that the bee does not have."""
        is_ranked = habits.start == "ranked"
        weights = ranked_probabilities(self.n_pool, number + 1) if is_ranked else np.ones(self.n_pool)
        bounds = np.cumsum(np.where(has, 0.0, weights))
        drawn = self.rng.random() * bounds[-1]
        if bounds[-1] == 0.0:  # so far down the ranking that no probability is left
            return int(np.argmin(has))
        # The last feature that may be drawn ends where the sum does, whatever rounding made of the number drawn.
        return int(min(np.searchsorted(bounds, drawn, side="right"), np.searchsorted(bounds, bounds[-1])))

    def _places(self) -> list[Array]:
        return listed(self.sets)

    def _employed(self, habits: Habits, in_vain: Array) -> None:
        """Every bee flies by another one."""
        n_bees, rng = len(self.sets), self.rng
        places = self._places()
        others = rng.integers(n_bees - 1, size=n_bees)
        others += others >= np.arange(n_bees)
        tried = np.zeros_like(self.sets)
        for bee, own in enumerate(places):
            chosen = None if habits.positions == "all" else rng.integers(len(own), size=1)
            uniform = rng.uniform(-1.0, 1.0, size=len(own) if chosen is None else 1)
            tried[bee, flown(own, places[others[bee]], uniform, self.n_pool, chosen)] = True
        self._replace(np.arange(n_bees), tried, self.fitness(listed(tried)), in_vain)

    def _onlookers(self, in_vain: Array) -> None:
        """Bees, the better the more often, are crossed with the queen."""
        n_bees = len(self.sets)
        drawn = self.rng.choice(n_bees, size=n_bees, p=roulette(self.values))
        queen = np.broadcast_to(self.queen, self.sets.shape)
        tried = within_size(uniform_cross(self.sets[drawn], queen, self.rng), self.max_features, self.rng)
        self._replace(drawn, tried, self.fitness(listed(tried)), in_vain)

    def _replace(self, bees: Array, tried: Array, values: Array, in_vain: Array) -> None:
        """What is better takes the place of the bee; others have tried in vain."""
        for bee, one, value in zip(bees, tried, values, strict=True):
            if self.fitness.is_better(value, one.sum(), self.values[bee], self.sets[bee].sum()):
                self.sets[bee], self.values[bee], in_vain[bee] = one, value, 0
            else:
                in_vain[bee] += 1

    def _scouts(self, habits: Habits, in_vain: Array) -> int:
        """Bees that have tried in vain too often start anew."""
        tired = np.flatnonzero(in_vain > habits.limit)
        if len(tired):
            self.sets[tired], self.values[tired] = self._new_bees(tired, habits)
            in_vain[tired] = 0
        return len(tired)

    def _mutate_queen(self, habits: Habits, cycle: int) -> None:
        """Some features of the queen fly by a bee."""
        own = np.flatnonzero(self.queen)
        other = np.flatnonzero(self.sets[self.rng.integers(len(self.sets))])
        chosen = np.flatnonzero(self.rng.random(len(own)) < habits.mutation)
        if len(chosen) == 0:
            return
        tried = np.zeros((1, self.n_pool), dtype=bool)
        tried[0, flown(own, other, self.rng.uniform(-1.0, 1.0, size=len(chosen)), self.n_pool, chosen)] = True
        self.crown(tried, self.fitness(listed(tried)), cycle, "mutation")

    def _improve_queen(self, cycle: int) -> None:
        """Add features that good bees have, the best each time, while the queen gets better; then drop others so."""
        told = goodness(self.sets, self.values)
        good = np.argsort(-told, kind="stable")
        good = good[told[good] > 0]
        while self.queen.sum() < self.max_features:
            if not self._changed_queen(good[~self.queen[good]], cycle, "forward"):
                break
        others = np.argsort(told, kind="stable")
        others = others[told[others] <= 0]
        while self.queen.sum() > 1:
            if not self._changed_queen(others[self.queen[others]], cycle, "backward"):
                break

    def _changed_queen(self, features: Sequence[int] | Array, cycle: int, phase: str) -> bool:
        """Whether one of these features, coming or going, makes a better queen; the first of the best does."""
        before = len(self.queens)
        tried = np.repeat(self.queen[np.newaxis], len(features), axis=0)
        tried[np.arange(len(features)), features] ^= True
        self.crown(tried, self.fitness(listed(tried)), cycle, phase)
        return len(self.queens) > before
