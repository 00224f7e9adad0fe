"""Genetic search: tournaments, crossover, mutation, sizes, the elite, and what a search does with them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from holdfast._progress import watching
from holdfast.search.evolution import HISTORY, TRACE, Ending, listed
from holdfast.search.fitness import Fitness, OutOfTime
from holdfast.search.genetic import Breeding, GeneticSearch, flip, tournament, uniform_cross, within_size


class Given:
    """A generator that gives the numbers it was given."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def integers(self, high, size=None):
        drawn = np.array(self.numbers.pop(0))
        assert drawn.max() < high
        assert size is None or drawn.shape == tuple(size)
        return drawn

    def random(self, size):
        drawn = np.array(self.numbers.pop(0), dtype=float)
        assert drawn.shape == (tuple(size) if isinstance(size, tuple) else (size,))
        return drawn


def _random_sets(rng, n=30, n_pool=12, share=0.5):
    return rng.random((n, n_pool)) < share


def _worth(n_pool, seed):
    """A stub fitness: the sum of a weight for each feature, so that no two sets are equal."""
    weights = np.random.default_rng([seed, 1]).normal(size=n_pool)
    return lambda sets: [float(weights[one].sum()) for one in sets]


def _searched(seed, worth, n_pool=12, breeding=None, max_features=12, n_rounds=8, prefer_smaller=False, **ending):
    fitness = Fitness(worth, prefer_smaller=prefer_smaller)
    # So that a batch is a generation, from the first on.
    fitness._at_once = 128
    search = GeneticSearch(
        fitness, n_pool, max_features, Ending(n_rounds, **ending), np.random.default_rng(seed),
        lambda: fitness.n_requests,
    )  # fmt: skip
    search.run(breeding or Breeding(population=10))
    return search


def test_the_better_of_two_drawn_wins_and_of_equal_ones_the_first_drawn():
    values = np.array([0.1, 0.9, 0.5, 0.9])
    draws = Given([[0, 2, 3, 1, 0], [1, 0, 1, 3, 0]])
    assert tournament(values, 5, draws).tolist() == [1, 2, 3, 1, 0]


def test_of_more_drawn_the_best_wins_and_of_one_itself():
    values = np.array([0.1, 0.9, 0.5])
    assert tournament(values, 2, Given([[0, 0], [2, 0], [1, 2]]), size=3).tolist() == [1, 2]
    assert tournament(values, 3, Given([[0, 2, 1]]), size=1).tolist() == [0, 2, 1]


def test_a_tournament_takes_each_rank_as_often_as_chance_says(seed):
    values = np.arange(4.0)
    winners = tournament(values, 40_000, np.random.default_rng(seed))
    # The best of two draws out of four is the i-th with probability (2 i - 1) / 16.
    assert np.bincount(winners) / 40_000 == pytest.approx(np.array([1, 3, 5, 7]) / 16, abs=0.015)


def test_a_child_has_what_both_parents_have_and_nothing_that_neither_has(seed):
    rng = np.random.default_rng(seed)
    parents, mates = _random_sets(rng), _random_sets(rng)
    children = uniform_cross(parents, mates, rng)
    assert children[parents & mates].all()
    assert not children[~parents & ~mates].any()


def test_a_child_has_half_of_what_one_parent_has(seed):
    rng = np.random.default_rng(seed)
    parents, mates = _random_sets(rng, n=2000), _random_sets(rng, n=2000)
    children = uniform_cross(parents, mates, rng)
    assert children[parents & ~mates].mean() == pytest.approx(0.5, abs=0.04)
    assert children[~parents & mates].mean() == pytest.approx(0.5, abs=0.04)


def test_without_crossover_a_child_is_its_first_parent(seed):
    rng = np.random.default_rng(seed)
    parents, mates = _random_sets(rng), _random_sets(rng)
    assert (uniform_cross(parents, mates, rng, probability=0.0) == parents).all()


def test_as_many_children_are_copies_as_the_probability_leaves(seed):
    rng = np.random.default_rng(seed)
    parents, mates = np.ones((4000, 12), dtype=bool), np.zeros((4000, 12), dtype=bool)
    is_copy = uniform_cross(parents, mates, rng, probability=0.8).all(axis=1)
    assert is_copy.mean() == pytest.approx(0.2, abs=0.04)


def test_crossover_on_given_numbers_takes_what_they_say():
    parents, mates = np.array([[1, 1, 0, 0], [1, 1, 0, 0]], bool), np.array([[1, 0, 1, 0], [1, 0, 1, 0]], bool)
    draws = Given([[0.1, 0.49, 0.5, 0.2], [0.1, 0.49, 0.1, 0.2]], [0.79, 0.8])
    assert uniform_cross(parents, mates, draws, 0.8).astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0]]


def test_crossover_and_mutation_are_the_same_for_the_same_seed():
    rng = np.random.default_rng(7)
    parents, mates = _random_sets(rng, 2, 8), _random_sets(rng, 2, 8)
    children = uniform_cross(parents, mates, rng)
    assert children.astype(int).tolist() == [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 0]]
    mutants = flip(children, rng, 0.25)
    assert mutants.astype(int).tolist() == [[0, 0, 1, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 0, 1, 1]]


def test_a_mutation_lets_features_come_and_go_as_often_as_the_probability_says(seed):
    rng = np.random.default_rng(seed)
    sets = _random_sets(rng, n=3000)
    is_changed = flip(sets, rng, 0.1) != sets
    assert is_changed[sets].mean() == pytest.approx(0.1, abs=0.02)
    assert is_changed[~sets].mean() == pytest.approx(0.1, abs=0.02)


def test_a_mutation_of_probability_zero_or_one_leaves_or_turns_everything(seed):
    rng = np.random.default_rng(seed)
    sets = _random_sets(rng)
    assert (flip(sets, rng, 0.0) == sets).all()
    assert (flip(sets, rng, 1.0) == ~sets).all()


def test_sets_of_a_fit_size_stay_as_they_are_and_cost_no_draw(seed):
    sets = np.array([[1, 0, 0], [1, 1, 0]], dtype=bool)
    assert within_size(sets, 2, Given()) is sets


def test_a_set_without_features_gets_one_and_a_set_with_too_many_loses_some_of_its_own(seed):
    rng = np.random.default_rng(seed)
    sets = _random_sets(rng, n=200, share=0.3)
    sets[:5] = False
    before = sets.copy()
    kept = within_size(sets, 3, rng)
    sizes = sets.sum(axis=1)
    assert kept.sum(axis=1).tolist() == np.clip(sizes, 1, 3).tolist()
    assert not (kept & ~sets)[sizes > 0].any()
    assert (sets == before).all()


def test_which_features_go_is_drawn_evenly(seed):
    rng = np.random.default_rng(seed)
    kept = within_size(np.ones((6000, 6), dtype=bool), 2, rng)
    assert kept.mean(axis=0) == pytest.approx(np.full(6, 1 / 3), abs=0.04)
    filled = within_size(np.zeros((6000, 6), dtype=bool), 2, rng)
    assert filled.mean(axis=0) == pytest.approx(np.full(6, 1 / 6), abs=0.03)


def test_a_search_finds_the_best_of_all_sets(seed):
    worth = _worth(8, seed)
    search = _searched(seed, worth, 8, Breeding(population=40), n_rounds=60)
    best = max(worth([one])[0] for size in range(1, 9) for one in map(np.array, combinations(range(8), size)))
    assert search.queen_value == search.fitness.best_value == pytest.approx(best)


@pytest.mark.parametrize("elite", [0, 1, 3, 10])
def test_the_elite_is_carried_over(seed, elite):
    worth = _worth(12, seed)
    seen = []

    def judge(sets):
        seen.append(worth(sets))
        return seen[-1]

    search = _searched(seed, judge, breeding=Breeding(population=10, elite=elite, mutation=0.4), n_rounds=5)
    survivors = np.array(seen[0])
    for children in seen[1:]:
        parents = survivors
        survivors = np.sort(np.concatenate([np.sort(children)[elite:], np.sort(parents)[10 - elite :]]))
    assert np.sort(search.values).tolist() == pytest.approx(survivors.tolist())
    assert search.values.tolist() == pytest.approx(worth(listed(search.sets)))


def test_the_queen_never_gets_worse_and_the_trace_says_when_she_came(seed):
    search = _searched(seed, _worth(12, seed), breeding=Breeding(population=6, elite=0, mutation=0.5), n_rounds=12)
    history, trace = np.array(search.history, dtype=HISTORY), np.array(search.trace, dtype=TRACE)
    assert (np.diff(trace["fitness"]) > 0).all()
    assert (np.diff(history["best"]) >= 0).all()
    for row in history:
        assert row["best"] == trace["fitness"][trace["cycle"] <= row["cycle"]].max()
    assert trace["phase"].tolist() == ["start", *["breeding"] * (len(trace) - 1)]
    assert (trace["cycle"][0], history["cycle"].tolist()) == (0, list(range(13)))


def test_every_generation_costs_as_many_evaluations_as_it_has_sets(seed):
    search = _searched(seed, _worth(12, seed), breeding=Breeding(population=7), n_rounds=4)
    assert [row[4] for row in search.history] == [7, 14, 21, 28, 35]
    assert {row[-1] for row in search.history} == {0}


def test_the_mean_is_that_of_the_generation(seed):
    search = _searched(seed, _worth(12, seed), n_rounds=3)
    assert search.history[-1][2] == pytest.approx(search.values.mean())
    assert len(search.sets) == len(search.values) == 10


def test_the_first_generation_has_the_share_that_was_asked_for(seed):
    for share in (0.1, 0.5, 1.0):
        search = _searched(seed, _worth(50, seed), 50, Breeding(population=200, start=share), 50, n_rounds=0)
        assert search.sets.mean() == pytest.approx(share, abs=0.03)


def test_no_set_is_empty_or_larger_than_the_limit(seed):
    sizes = set()
    worth = _worth(12, seed)

    def judge(sets):
        sizes.update(len(one) for one in sets)
        return worth(sets)

    _searched(seed, judge, breeding=Breeding(population=10, mutation=0.6, start=0.05), max_features=3)
    _searched(seed, judge, breeding=Breeding(population=10, mutation=0.6, start=1.0), max_features=3)
    assert {1, 3} <= sizes <= {1, 2, 3}


def test_a_mutation_of_one_over_the_pool_is_the_default(seed):
    plain, told = (
        _searched(seed, _worth(12, seed), breeding=Breeding(population=10, mutation=mutation))
        for mutation in (None, 1 / 12)
    )
    assert (plain.sets == told.sets).all()


def test_without_mutation_and_crossover_nothing_new_comes(seed):
    search = _searched(seed, _worth(12, seed), breeding=Breeding(population=10, crossover=0.0, mutation=0.0))
    assert len(search.queens) == len(search.trace) == sum(row[1] == "start" for row in search.trace)


@pytest.mark.parametrize(
    ("ending", "why", "n_done"),
    [({}, "rounds", 8), ({"target": -1e9}, "target_fitness", 0), ({"patience": 2}, "patience", 2)],
)
def test_a_search_says_why_it_ended(seed, ending, why, n_done):
    same = Breeding(population=10, crossover=0.0, mutation=0.0)
    search = _searched(seed, _worth(12, seed), breeding=same, **ending)
    assert (search.ended, search.history[-1][0]) == (why, n_done)


def test_the_same_seed_breeds_the_same(seed):
    one, two = (_searched(seed, _worth(12, seed)) for _ in range(2))
    assert (one.sets == two.sets).all()
    assert one.trace == two.trace
    other = _searched(seed + 1000, _worth(12, seed))
    assert other.history != one.history


def test_generations_are_reported_with_the_best_fitness(seed):
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        search = _searched(seed, _worth(12, seed), n_rounds=2)
    assert seen[0] == ("Generations, first one", 0, 2)
    assert seen[1:] == [(f"Generations, best inner fitness {search.history[i][1]:.4g}", i, 2) for i in range(3)]


def test_a_search_that_is_stopped_keeps_what_it_had(seed):
    n_asked = 0
    worth = _worth(12, seed)

    def judge(sets):
        nonlocal n_asked
        n_asked += 1
        if n_asked == 4:
            raise OutOfTime
        return worth(sets)

    fitness = Fitness(judge)
    fitness._at_once = 128
    search = GeneticSearch(fitness, 12, 12, Ending(9), np.random.default_rng(seed), lambda: fitness.n_requests)
    with pytest.raises(OutOfTime):
        search.run(Breeding(population=10))
    assert (len(search.sets), len(search.history), search.ended) == (10, 3, "")
    assert search.values.tolist() == pytest.approx(worth(listed(search.sets)))
    assert search.queen_value == fitness.best_value
