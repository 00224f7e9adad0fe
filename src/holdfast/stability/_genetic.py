"""Genetic search for the ordered list nearest to all lists (Pihur et al. 2009; Ben Brahim 2015, Eq. 3.9 and 3.10).

A candidate is an ordered list as long as the longest list. Features that a list does not hold share the rank behind
its last place. Both distances are sums of whole and half numbers, hence exact, and are looked up for a whole population
at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import real_number, whole_number
from holdfast._random import generator
from holdfast.search.genetic import tournament
from holdfast.stability._rules import Aggregated, in_turn, mean_weight
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]
Objective = Callable[[Array], Array]

_PAIRS = 4096
_ALLOWED = {
    "population": whole_number(at_least=2),
    "crossover": real_number(at_least=0.0, at_most=1.0),
    "mutation": real_number(at_least=0.0, at_most=1.0),
    "patience": whole_number(at_least=1),
    "max_generations": whole_number(at_least=1),
}


def gaa(
    lists: Lists,
    distance: str,
    *,
    random_state: Any = 0,
    population: int = 100,
    crossover: float = 0.4,
    mutation: float = 0.01,
    patience: int = 30,
    max_generations: int = 1000,
) -> Aggregated:
    """Places in the ordered list of smallest total distance to all lists that a genetic search finds."""
    options = {
        "population": population,
        "crossover": crossover,
        "mutation": mutation,
        "patience": patience,
        "max_generations": max_generations,
    }
    for name, value in options.items():
        if not _ALLOWED[name].accepts(value):
            raise ValueError(
                f"{name}={value!r} is not allowed for a genetic search: it must be {_ALLOWED[name].words}."
            )
    size = lists.list_size
    # Complete ranks count as far as a list reaches.
    ranks = np.minimum(lists.ranks, size + 1.0)
    pool = np.flatnonzero((ranks <= size).any(axis=0))
    objective = _OBJECTIVES[distance](ranks[:, pool], size)
    rng = generator(random_state)
    candidates = _first_candidates(ranks[:, pool], size, population, objective, rng)
    best, cost, n_generations = _search(candidates, objective, len(pool), rng, crossover, mutation, patience,
                                        max_generations)  # fmt: skip
    scores = np.full(len(lists.features), size + 1.0)
    scores[pool[best]] = np.arange(1, size + 1)
    second = in_turn(-np.sort(lists.ranks, axis=0).sum(axis=0), mean_weight(lists))
    extra = {"objective_": cost, "n_generations_": n_generations}
    return Aggregated(scores, True, second, np.ones(len(scores), dtype=bool), extra)


def footrule(ranks: Array, size: int) -> Objective:
    """Sum over lists of Spearman's footrule: each place of a candidate has a cost of its own."""
    places = np.arange(1, size + 1)
    cost = np.zeros((ranks.shape[1], size))
    for of_list in ranks:
        cost += np.abs(places - of_list[:, None])
    left_out = (size + 1 - ranks).sum(axis=0)
    gain = cost - left_out[:, None]
    of_none = left_out.sum()

    def total(candidates: Array) -> Array:
        value: Array = of_none + gain[candidates, np.arange(size)].sum(axis=1)
        return value

    return total


def kendall(ranks: Array, size: int) -> Objective:
    """Sum over lists of the pairs that a candidate orders the other way; pairs that either does not order are free."""
    n_pool = ranks.shape[1]
    n_prefer = np.zeros((n_pool, n_pool), dtype=np.int32)
    for of_list in ranks:
        n_prefer += of_list[:, None] < of_list[None, :]
    n_before = n_prefer.sum(axis=0)
    flat = n_prefer.ravel()
    upper, lower = np.triu_indices(size, k=1)

    def total(candidates: Array) -> Array:
        value: Array = n_before[candidates].sum(axis=1)
        by_place = np.ascontiguousarray(candidates.T)
        for first in range(0, len(upper), _PAIRS):
            some = slice(first, first + _PAIRS)
            value -= flat.take(by_place[upper[some]] * n_pool + by_place[lower[some]]).sum(axis=0)
        return value

    return total


_OBJECTIVES: dict[str, Callable[[Array, int], Objective]] = {"spearman": footrule, "kendall": kendall}


def _first_candidates(ranks: Array, size: int, n: int, objective: Objective, rng: np.random.Generator) -> Array:
    """The lists themselves and the one by sums of ranks, as far as there is room, and random lists."""
    by_sum = ranks.sum(axis=0)
    whole = np.concatenate([by_sum[None], ranks * (by_sum.max() + 1) + by_sum])
    known = np.unique(np.argsort(whole, axis=1, kind="stable")[:, :size], axis=0)
    known = known[np.argsort(objective(known), kind="stable")][:n]
    drawn = np.argsort(rng.random((n, ranks.shape[1])), axis=1, kind="stable")[:, :size]
    return np.concatenate([known, drawn[len(known) :]])


def _search(
    candidates: Array,
    objective: Objective,
    n_pool: int,
    rng: np.random.Generator,
    crossover: float,
    mutation: float,
    patience: int,
    max_generations: int,
) -> tuple[Array, float, int]:
    """The best candidate, its cost and the number of generations; the best so far is never lost."""
    costs = objective(candidates)
    best, best_cost = candidates[costs.argmin()].copy(), float(costs.min())
    n_idle = generation = 0
    while n_idle < patience and generation < max_generations and best_cost > 0:
        generation += 1
        parents, mates = (candidates[tournament(-costs, len(costs), rng)] for _ in range(2))
        candidates = _cross(parents, mates, rng, crossover)
        _mutate(candidates, n_pool, rng, mutation)
        costs = objective(candidates)
        n_idle += 1
        if costs.min() < best_cost:
            best, best_cost, n_idle = candidates[costs.argmin()].copy(), float(costs.min()), 0
        worst = costs.argmax()
        candidates[worst], costs[worst] = best, best_cost
    return best, best_cost, generation


def _cross(parents: Array, mates: Array, rng: np.random.Generator, probability: float) -> Array:
    """The first places of a parent, then features of its mate that are not among them, in the mate's order."""
    n, size = parents.shape
    cut = np.where(rng.random(n) < probability, rng.integers(1, size + 1, size=n), size)
    is_head = np.arange(size) < cut[:, None]
    rows = np.arange(n)[:, None]
    in_head = np.zeros((n, max(parents.max(), mates.max()) + 1), dtype=bool)
    in_head[rows, parents] = is_head
    both = np.concatenate([parents, mates], axis=1)
    is_dropped = np.concatenate([~is_head, in_head[rows, mates]], axis=1)
    return both[rows, np.argsort(is_dropped, axis=1, kind="stable")[:, :size]]


def _mutate(candidates: Array, n_pool: int, rng: np.random.Generator, probability: float) -> None:
    """Exchange some features, half of them with another place of the list and half with any feature."""
    size = candidates.shape[1]
    rows, places = np.nonzero(rng.random(candidates.shape) < probability)
    others = rng.integers(size, size=len(rows))
    newcomers = np.where(rng.random(len(rows)) < 0.5, candidates[rows, others], rng.integers(n_pool, size=len(rows)))
    for row, place, newcomer in zip(rows.tolist(), places.tolist(), newcomers.tolist(), strict=True):
        candidate = candidates[row]
        candidate[candidate == newcomer] = candidate[place]
        candidate[place] = newcomer
