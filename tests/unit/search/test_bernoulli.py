"""Search by sampling: one update in numbers, expectations, draws, and how it ends."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from holdfast._progress import watching
from holdfast.measures._distances import SubsetDistances
from holdfast.search.bernoulli import Changes, Law, Population, _better, draw, sample
from holdfast.search.known_sets import KnownSets

F = np.array([[0, 1, 3, 4, 8], [2, 0, 1, 5, 4], [5, 2, 2, 1, 3]], dtype=float).T
C = np.array([0, 0, 0, 1, 1])
SCALED = (F - F.min(axis=0)) / np.ptp(F, axis=0)


def population(*sets):
    return Population(np.array([j for one in sets for j in one], dtype=np.int64), np.cumsum([0, *map(len, sets)]))


@pytest.mark.parametrize(
    ("zero_count", "expected"),
    [
        ("skip", [0.3953901, 0.3244681, 0.1595745, 0.25]),
        ("parent", [0.3953901, 0.3244681, 0.1595745, 0.1563830]),
    ],
)
def test_one_update_is_that_of_the_worked_example(zero_count, expected):
    drawn, values = population([0], [0, 1], [1], [2], []), np.array([0.80, 0.90, 0.40, 0.10, 0.0])
    moved, told = Law(zero_count=zero_count).moved(np.full(4, 0.25), drawn, values)
    np.testing.assert_allclose(moved, expected, atol=1e-7)
    best, mean, step, expected_size, change = told
    assert (best, mean) == (0.9, pytest.approx(0.44))
    assert step == pytest.approx(0.2127659574, abs=1e-10)
    assert expected_size == pytest.approx(sum(expected), abs=1e-6)
    assert change == pytest.approx(0.1453901, abs=1e-7)


@pytest.mark.parametrize(
    ("index", "importance", "mean", "step"),
    [
        ("biased", [0.4246466, 0.5405482, 0.1638279], 0.5521272, 0.2484981),
        ("unbiased", [0.4865222, 0.7556969, -0.2619046], 0.3713845, 0.1700935),
    ],
)
def test_many_draws_come_to_the_exact_expectations(index, importance, mean, step, seed):
    judge = SubsetDistances(SCALED, C, "classes", index).of
    inclusion = np.full(3, 1 / 3)
    drawn = draw(inclusion, 100_000, np.random.default_rng([seed, 81]))
    moved, told = Law(bounds=(-9.0, 9.0)).moved(inclusion, drawn, judge(drawn.members, drawn.starts))
    assert told[1] == pytest.approx(mean, abs=0.01)
    assert told[2] == pytest.approx(step, abs=0.005)
    np.testing.assert_allclose((moved - inclusion) / told[2], importance, atol=0.01)


def test_a_population_takes_its_numbers_set_by_set_however_many_are_drawn_at_a_time(monkeypatch, seed):
    inclusion = np.random.default_rng(seed).random(7)
    numbers = np.random.default_rng([seed, 82]).random((9, 7))
    expected = [np.flatnonzero(row < inclusion).tolist() for row in numbers]
    for at_once in (1, 15, 1 << 20):
        monkeypatch.setattr("holdfast.search.bernoulli._DRAWN", at_once)
        drawn = draw(inclusion, 9, np.random.default_rng([seed, 82]))
        assert [drawn[s].tolist() for s in range(9)] == expected


def test_probabilities_of_one_and_zero_draw_always_and_never(seed):
    drawn = draw(np.array([1.0, 0.0, 0.5]), 200, np.random.default_rng([seed, 83]))
    sets = [drawn[s].tolist() for s in range(200)]
    assert all(0 in one and 1 not in one for one in sets)
    assert 50 < sum(2 in one for one in sets) < 150


def test_empty_sets_are_drawn_anew_if_so_asked(seed):
    inclusion = np.full(20, 1 / 20)
    plain = draw(inclusion, 100, np.random.default_rng([seed, 84]))
    filled = draw(inclusion, 100, np.random.default_rng([seed, 84]), "resample")
    empty = np.diff(plain.starts) == 0
    assert 20 < empty.sum() < 55
    assert (np.diff(filled.starts) > 0).all()
    for s in np.flatnonzero(~empty):
        assert plain[s].tolist() == filled[s].tolist()


def test_sets_that_can_only_be_empty_are_not_drawn_for_ever(monkeypatch, seed):
    monkeypatch.setattr("holdfast.search.bernoulli._MOST_REDRAWN", 5)
    drawn = draw(np.array([1e-300, 0.0]), 3, np.random.default_rng(seed), "resample")
    assert np.diff(drawn.starts).tolist() == [0, 0, 0]


def _worth(weights, costs=0.06):
    def judge(members, starts):
        return np.array([sum(weights[j] - costs for j in members[a:b]) for a, b in pairwise(starts)])

    return judge


def test_it_finds_the_features_that_are_worth_more_than_they_cost(seed):
    found = sample(_worth([0.3, 0.05, 0.25, 0.02, 0.1]), np.full(5, 0.2), Law(), np.random.default_rng([seed, 85]))
    assert found.converged
    assert (found.inclusion >= 0.98).tolist() == [True, False, True, False, True]
    assert found.inclusion.min() >= 0
    assert found.inclusion.max() <= 1


def test_it_ends_when_nothing_moves_and_not_before(seed):
    found = sample(_worth([0.3, 0.05]), np.full(2, 0.5), Law(tolerance=0.001), np.random.default_rng([seed, 86]))
    assert found.history["change"][-1] <= 0.001
    assert (found.history["change"][:-1] > 0.001).all()
    shorter = sample(_worth([0.3, 0.05]), np.full(2, 0.5), Law(n_iterations=2), np.random.default_rng([seed, 86]))
    assert len(shorter.history) == 2
    assert not shorter.converged
    assert shorter.history.tolist() == found.history[:2].tolist()


def test_equal_values_take_the_largest_step_and_move_nothing(seed):
    found = sample(
        lambda members, starts: np.ones(len(starts) - 1), np.full(4, 0.5), Law(), np.random.default_rng(seed)
    )
    assert found.history["step"].tolist() == [10.0]
    assert found.converged
    assert found.inclusion.tolist() == [0.5] * 4


def test_probabilities_stay_within_their_bounds(seed):
    law = Law(bounds=(0.1, 0.9), n_iterations=40)
    found = sample(_worth([0.9, 0.01]), np.full(2, 0.5), law, np.random.default_rng([seed, 87]))
    _, trace = found.changes.of_highest(2)
    assert found.inclusion[0] == trace.max() == 0.9
    assert trace.min() >= 0.1


def test_the_best_set_drawn_is_kept_if_so_asked_and_of_equals_the_smallest(seed):
    judge = _worth([0.3, 0.05, 0.06], costs=0.06)
    found = sample(judge, np.full(3, 0.5), Law(n_iterations=3), np.random.default_rng([seed, 88]), keep_best=True)
    assert found.best.tolist() == [0]
    assert found.best_value == pytest.approx(0.24)
    # Feature 2 costs what it is worth: sets with it are as good, and larger.
    drawn, values = population([0, 2], [0], [0, 1]), np.array([0.24, 0.24, 0.23])
    assert _better(np.array([0, 2]), 0.24, drawn, values)[0].tolist() == [0]
    assert _better(np.array([1]), 0.24, drawn, values)[0].tolist() == [1]
    assert _better(np.array([1]), 0.25, drawn, values)[0].tolist() == [1]


def test_no_features_are_no_search():
    found = sample(_worth([]), np.zeros(0), Law(), np.random.default_rng(0))
    assert found.converged
    assert len(found.history) == len(found.inclusion) == 0


def test_the_trace_has_the_probabilities_of_every_time(seed):
    rng = np.random.default_rng([seed, 89])
    times = [rng.random(6)]
    changes = Changes(times[0])
    for _ in range(5):
        after = np.where(rng.random(6) < 0.5, rng.random(6), times[-1])
        changes.add(times[-1], after)
        times.append(after)
    traced, trace = changes.of_highest(3)
    assert np.array_equal(trace, np.array(times)[:, traced])
    highest = np.max(times, axis=0)
    assert set(traced) == set(np.argsort(-highest)[:3])
    assert changes.of_highest(99)[1].shape == (6, 6)


def test_it_tells_how_far_it_is(seed):
    told = []
    with watching(lambda *what: told.append(what)):
        sample(_worth([0.3, 0.05]), np.full(2, 0.5), Law(n_iterations=3), np.random.default_rng([seed, 86]))
    assert told == [("Populations drawn", i, 3) for i in (1, 2, 3)]


def test_sets_are_numbered_as_they_come_and_known_again():
    sets = KnownSets()
    for first in range(0, 9000, 3000):
        members = np.arange(first, first + 3000)
        assert sets.numbers(members, np.arange(3001)).tolist() == list(range(first + 1, first + 3001))
    assert sets.numbers(np.array([4, 8, 4, 8999]), np.array([0, 0, 2, 3, 4])).tolist() == [0, 9001, 5, 9000]
    assert len(sets) == 9002
