"""Simulated annealing over a threshold, and a sweep over all of them (Pino Angulo 2019, §3.7, Algorithms 5 and 6).

A threshold stands for the features that a consistency search keeps under it. Found anew at any threshold between what
they achieve and what was allowed, they are the same; so a threshold inside such an interval needs no new search.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import exp, inf, log, nan, nextafter
from typing import NamedTuple, TypeAlias

import numpy as np

from holdfast._progress import report

Features: TypeAlias = tuple[int, ...]
Find: TypeAlias = Callable[[float], tuple[Features, float]]
Score: TypeAlias = Callable[[Features], float]

# The steps grow exponentially with the ratio of the temperatures; more than these are a slip.
_MOST_STEPS = 100_000


class Step(NamedTuple):
    """One threshold tried: what it led to, and whether the walk went there."""

    proposed: float
    risk: float
    n_features: int
    score: float
    temperature: float
    accepted: bool


class State(NamedTuple):
    """Features that a threshold leads to, the risk they achieve, and their score."""

    features: Features
    risk: float
    score: float


@dataclass(frozen=True)
class Walk:
    """Where a search ended, the best it met, every step from the start on, and how many searches it ran."""

    current: State
    best: State
    steps: tuple[Step, ...]
    n_found: int


class Thresholds:
    """What was found under which thresholds from ``low`` to ``high``, and the way from one to the next."""

    def __init__(self, find: Find, low: float, high: float, gap: float) -> None:
        self.n_found = 0
        self._find = find
        self._low = low
        self._high = high
        self._gap = gap
        self._risks: list[float] = []
        self._features: dict[float, Features] = {}
        self._largest: dict[float, float] = {}

    def features(self, risk: float) -> Features:
        """The features found that achieve a risk."""
        return self._features[risk]

    def near(self, risk: float, step: float, uniform: float) -> float:
        """A threshold at most half a step away, for a number drawn from 0 to 1."""
        return min(max(risk + step * (uniform - 0.5), self._low), self._high)

    def risk_under(self, threshold: float) -> float:
        """The largest known risk that a threshold allows; if it is more than the gap below, the one found anew."""
        place = bisect_right(self._risks, threshold)
        if place:
            known = self._risks[place - 1]
            if threshold - known <= self._gap or threshold <= self._largest[known]:
                return known
        features, risk = self._find(threshold)
        self.n_found += 1
        if risk not in self._features:
            insort(self._risks, risk)
        self._features[risk] = features
        self._largest[risk] = max(threshold, self._largest.get(risk, threshold))
        return risk


def temperature_at(step: int, temperature: float) -> float:
    """Temperature of a step, the first being 1: it falls with the logarithm."""
    return temperature / log(step + 1)


def n_cooling_steps(temperature: float, min_temperature: float, max_steps: int | None) -> int:
    """Steps until the temperature is no longer above the lowest, but no more than ``max_steps``."""
    first = temperature_at(1, temperature)
    if first <= min_temperature:
        raise ValueError(
            f"min_temperature={min_temperature:g} is not below the first temperature, {first:.4g} "
            f"(temperature={temperature:g} over log 2), so no step would be taken. Lower min_temperature."
        )
    most = _MOST_STEPS if max_steps is None else max_steps
    if temperature_at(most, temperature) > min_temperature:
        if max_steps is None:
            raise ValueError(
                f"From temperature={temperature:g} down to min_temperature={min_temperature:g} it takes more than "
                f"{_MOST_STEPS:,} steps. Raise min_temperature (a fifth of temperature takes 147), or set max_steps."
            )
        return most
    # The logarithm rounds, so the whole number next to its inverse is looked for.
    n_steps = int(exp(temperature / min_temperature)) + 1
    while temperature_at(n_steps, temperature) <= min_temperature:
        n_steps -= 1
    return n_steps


def acceptance(new: float, current: float, temperature: float) -> float:
    """Chance of going where the score is ``new``: 1 if it is no worse."""
    return exp(min(0.0, new - current) / temperature)


def anneal(
    find: Find,
    score: Score,
    low: float,
    high: float,
    *,
    step: float,
    gap: float,
    temperature: float,
    min_temperature: float,
    max_steps: int | None,
    rng: np.random.Generator,
) -> Walk:
    """Walk over thresholds from ``low`` on, to better scores always and to worse ones the less the colder it is.

    ``find`` gives the features kept under a threshold and the risk they achieve. Every step draws two numbers: where
    to go, and whether to stay there.
    """
    n_steps = n_cooling_steps(temperature, min_temperature, max_steps)
    thresholds = Thresholds(find, low, high, gap)

    def state(threshold: float) -> State:
        risk = thresholds.risk_under(threshold)
        features = thresholds.features(risk)
        return State(features, risk, score(features))

    current = best = state(low)
    steps = [_step(low, current, nan, True)]
    for number in range(1, n_steps + 1):
        proposed = thresholds.near(current.risk, step, rng.random())
        tried = state(proposed)
        heat = temperature_at(number, temperature)
        is_accepted = bool(rng.random() < acceptance(tried.score, current.score, heat))
        steps.append(_step(proposed, tried, heat, is_accepted))
        best = better_of(best, tried)
        current = tried if is_accepted else current
        report("Annealing steps", number, n_steps)
    return Walk(current, best, tuple(steps), thresholds.n_found)


class Kept(NamedTuple):
    """Features kept under a threshold and the risk they achieve."""

    threshold: float
    features: Features
    risk: float


def sweep(find: Find, low: float, high: float, resolution: float) -> list[Kept]:
    """Every set of features that a threshold from ``high`` down to ``low`` leads to, each once.

    ``low`` is a risk that can be achieved; risks closer than ``resolution`` are the same.
    """
    kept: list[Kept] = []
    threshold = high
    while True:
        features, risk = find(threshold)
        kept.append(Kept(threshold, features, risk))
        report("Thresholds swept", len(kept))
        if threshold <= low or risk - low < resolution / 2:
            return kept
        # A large risk may swallow the resolution.
        threshold = max(low, min(risk - resolution, nextafter(risk, -inf)))


def scored(kept: Iterable[Kept], scores: Iterable[float]) -> Walk:
    """A sweep as a walk: a step is accepted if nothing before it was better; the walk ends at the best."""
    best: State | None = None
    steps = []
    for found, score in zip(kept, scores, strict=True):
        tried = State(found.features, found.risk, score)
        best = tried if best is None else better_of(best, tried)
        steps.append(_step(found.threshold, tried, nan, best is tried))
    if best is None:
        raise ValueError("A sweep finds one set of features at least; none came.")
    return Walk(best, best, tuple(steps), len(steps))


def better_of(first: State, second: State) -> State:
    """The better score; among equal ones fewer features, then the smaller risk, then the first."""
    return max(first, second, key=lambda state: (state.score, -len(state.features), -state.risk))


def _step(proposed: float, state: State, temperature: float, is_accepted: bool) -> Step:
    return Step(proposed, state.risk, len(state.features), state.score, temperature, is_accepted)
