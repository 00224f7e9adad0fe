"""The genetic search for the nearest list: its distances, and how near to the optimum it comes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from holdfast.stability._genetic import _cross, _mutate, footrule, gaa, kendall
from holdfast.stability.aggregate import aggregate, combine
from holdfast.stability.lists import Lists
from oracles import aggregation as slow

DISTANCES = {"spearman": (footrule, slow.footrule), "kendall": (kendall, slow.kendall)}
both = pytest.mark.parametrize("distance", list(DISTANCES))


def noisy_lists(rng, *, n_lists, size, n_features, noise):
    """The best features of one order, seen through noise."""
    seen = 2 * rng.normal(size=n_features) + noise * rng.normal(size=(n_lists, n_features))
    ranks = np.argsort(np.argsort(-seen, axis=1), axis=1) + 1
    features = np.flatnonzero((ranks <= size).any(axis=0))
    ranks = np.minimum(ranks[:, features], size + 1)
    weights = 1 - (ranks - 1) / (size + 1)
    return Lists(features, ranks, np.where(ranks <= size, weights, 0.0), ranks <= size, size, n_features)


def as_slow(lists):
    return [{j: (r, 1.0) for j, r in enumerate(row) if r <= lists.list_size} for row in lists.ranks.tolist()]


def smallest_footrule(lists):
    """The exact optimum: which feature gets which place is an assignment problem."""
    places = np.arange(1, lists.list_size + 1)
    cost = np.abs(places - lists.ranks[:, :, None]).sum(axis=0)
    left_out = (lists.list_size + 1 - lists.ranks).sum(axis=0)
    gain = cost - left_out[:, None]
    rows, columns = linear_sum_assignment(gain)
    return left_out.sum() + gain[rows, columns].sum()


@both
def test_a_population_has_the_distances_of_the_definition(distance, seed):
    fast, by_definition = DISTANCES[distance]
    rng = np.random.default_rng(seed)
    lists = noisy_lists(rng, n_lists=5, size=4, n_features=12, noise=1.5)
    n_pool = len(lists.features)
    candidates = np.array([rng.permutation(n_pool)[:4] for _ in range(30)])
    expected = [slow.total_distance(candidate, as_slow(lists), by_definition) for candidate in candidates.tolist()]
    assert fast(lists.ranks, 4)(candidates).tolist() == expected


def test_the_first_worked_list_has_the_worked_distances_to_all():
    lists = [{"f1": (1, 1), "f2": (2, 1), "f3": (3, 1)}, {"f2": (1, 1), "f1": (2, 1), "f4": (3, 1)},
             {"f1": (1, 1), "f4": (2, 1), "f2": (3, 1)}]  # fmt: skip
    assert [slow.footrule(["f1", "f2", "f3"], one, 3) for one in lists] == [0, 4, 4]
    assert [slow.kendall(["f1", "f2", "f3"], one, 3) for one in lists] == [0, 2, 2]
    assert slow.nearest_lists(lists, slow.footrule) == ([("f1", "f2", "f4")], 6)
    assert slow.nearest_lists(lists, slow.kendall) == ([("f1", "f2", "f4")], 3)


@both
def test_the_search_finds_the_optimum_of_small_problems(distance, seed):
    for draw in range(3):
        lists = noisy_lists(np.random.default_rng([seed, draw]), n_lists=3, size=3, n_features=7, noise=2.0)
        found = gaa(lists, distance, random_state=seed)
        optima, smallest = slow.nearest_lists(as_slow(lists), DISTANCES[distance][1])
        assert found.extra["objective_"] == smallest
        assert tuple(np.argsort(found.scores)[:3].tolist()) in optima


def test_the_search_comes_near_the_exact_footrule_of_long_lists(seed):
    lists = noisy_lists(np.random.default_rng(seed), n_lists=20, size=30, n_features=600, noise=1.0)
    found = combine(lists, "gaa-spearman", random_state=seed).extra["objective_"]
    smallest = smallest_footrule(lists)
    assert smallest <= found <= 1.01 * smallest


@both
def test_the_result_is_no_worse_than_any_list_or_the_sum_of_ranks(distance, seed):
    lists = noisy_lists(np.random.default_rng(seed), n_lists=6, size=10, n_features=60, noise=1.0)
    orders = np.argsort(np.vstack([lists.ranks, lists.ranks.sum(axis=0)]), axis=1, kind="stable")[:, :10]
    known = DISTANCES[distance][0](lists.ranks, 10)(orders)
    assert gaa(lists, distance, max_generations=1).extra["objective_"] <= known.min()


@both
def test_the_same_seed_gives_the_same_list(distance, seed):
    lists = noisy_lists(np.random.default_rng(seed), n_lists=6, size=10, n_features=60, noise=2.0)
    first, second = (gaa(lists, distance, random_state=seed) for _ in range(2))
    assert first.scores.tolist() == second.scores.tolist()
    assert first.extra == second.extra


def test_places_beyond_the_list_are_ordered_by_the_sum_of_ranks():
    found = aggregate([["a", "b"], ["a", "c"], ["a", "c"], ["b", "d"]], "gaa-spearman")
    assert found.scores.tolist() == [1, 2, 3, 3]
    assert len(found) == 4


def test_shared_places_cost_half_numbers():
    ranks = np.array([[1.5, 1.5, 3.0], [1.0, 2.0, 3.0]])
    lists = Lists(np.arange(3), ranks, np.zeros((2, 3)), ranks < 3, 2, 10)
    assert gaa(lists, "spearman").extra["objective_"] == 1.0
    assert gaa(lists, "kendall").extra["objective_"] == 0.0


def test_complete_ranks_count_as_far_as_a_list_reaches():
    ranks = np.array([[1, 2, 3, 4, 5], [2, 1, 5, 4, 3]])
    whole = Lists(np.arange(5), ranks, np.zeros((2, 5)), ranks <= 2, 2, 5)
    cut = Lists(np.arange(5), np.minimum(ranks, 3), np.zeros((2, 5)), ranks <= 2, 2, 5)
    assert gaa(whole, "spearman").scores.tolist() == gaa(cut, "spearman").scores.tolist()


def test_a_child_has_no_feature_twice(seed):
    rng = np.random.default_rng(seed)
    parents, mates = (np.array([rng.permutation(9)[:5] for _ in range(200)]) for _ in range(2))
    children = _cross(parents, mates, rng, 1.0)
    _mutate(children, 9, rng, 0.5)
    assert all(len(set(child)) == 5 for child in children.tolist())


def test_without_crossing_children_are_their_parents(seed):
    rng = np.random.default_rng(seed)
    parents = np.array([rng.permutation(9)[:5] for _ in range(20)])
    assert _cross(parents, parents[::-1], rng, 0.0).tolist() == parents.tolist()


@pytest.mark.parametrize(
    "options", [{"population": 1}, {"crossover": 1.5}, {"mutation": -0.1}, {"patience": 0}, {"max_generations": 0}]
)
def test_settings_that_cannot_be_used_are_refused(options):
    with pytest.raises(ValueError, match="is not allowed for a genetic search"):
        aggregate([["a", "b"]], "gaa-kendall", **options)
