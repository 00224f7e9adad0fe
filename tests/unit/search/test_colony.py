"""The numbers of the bee colony: steps, roulette, probabilities by rank, and how good a feature is."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.search.colony import flown, goodness, moved, ranked_probabilities, roulette

# The population of the specification, its features counted from 0.
COLONY = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]], dtype=bool)
VALUES = np.array([0.95, 0.90, 0.70, 0.65])


def test_a_step_is_that_of_the_specification():
    own, other = np.array([12, 45, 3]), np.array([20, 5, 20])
    assert moved(own, other, np.full(3, 0.5), 50).tolist() == [8, 25, 0]


def test_a_step_beyond_the_last_place_goes_the_other_way_or_stays_at_it():
    # 40 + 8 is a place; 49 + 49 is none and becomes 49 - 49; 25 + 24.9 rounds to a place that does not exist.
    assert moved(np.array([40, 49, 25]), np.array([20, 0, 0]), np.array([0.4, 1.0, 0.996]), 50).tolist() == [48, 0, 49]


def test_steps_lead_to_places_of_the_pool(seed):
    rng = np.random.default_rng(seed)
    for n_pool in (1, 2, 7, 50):
        own, other = rng.integers(n_pool, size=(2, 500))
        places = moved(own, other, rng.uniform(-1, 1, 500), n_pool)
        assert places.dtype == np.int64
        assert places.min() >= 0
        assert places.max() < n_pool
        assert (places[own == other] == own[own == other]).all()


def test_a_bee_flies_with_every_feature_and_reads_a_shorter_one_again_from_its_start():
    own, half = np.array([12, 30, 45]), np.full(3, 0.5)
    # To 8, 30 + 12.5 and 45 - 12.5.
    assert flown(own, np.array([20, 5]), half, 50).tolist() == [8, 32, 42]
    assert flown(own, np.array([20]), half, 50).tolist() == [8, 32, 35]
    assert flown(own, np.array([20, 5, 20, 7]), half, 50).tolist() == [8, 32, 42]


def test_a_bee_may_change_some_of_its_features():
    own = np.array([12, 30, 45])
    assert flown(own, np.array([20]), np.array([0.5]), 50, np.array([1])).tolist() == [12, 35, 45]
    assert flown(own, np.array([20, 5]), np.array([0.5]), 50, np.array([2])).tolist() == [12, 30, 32]
    assert own.tolist() == [12, 30, 45]


def test_features_that_land_on_one_place_are_one_feature():
    assert flown(np.array([3, 4, 9]), np.array([20, 20, 9]), np.full(3, 0.5), 50).tolist() == [0, 9]


def test_the_roulette_is_that_of_the_specification():
    assert roulette(VALUES).tolist() == pytest.approx([0.296875, 0.28125, 0.21875, 0.203125])


def test_a_roulette_with_negative_values_counts_from_the_lowest_on():
    assert roulette(np.array([-1.0, 0.0, 1.0])).tolist() == pytest.approx([0, 1 / 3, 2 / 3])


@pytest.mark.parametrize("value", [0.0, -0.4, 0.7])
def test_a_roulette_of_equal_values_is_even(value):
    assert roulette(np.full(4, value)).tolist() == pytest.approx([0.25] * 4)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, [0.516129, 0.258065, 0.129032, 0.064516, 0.032258]),
        (2, [0.383886, 0.255924, 0.170616, 0.113744, 0.075829]),
        (3, [0.327785, 0.245839, 0.184379, 0.138284, 0.103713]),
    ],
)
def test_probabilities_by_rank_are_those_of_the_specification(number, expected):
    assert ranked_probabilities(5, number).tolist() == pytest.approx(expected, abs=5e-7)


def test_probabilities_by_rank_fall_sum_to_one_and_get_flatter_with_every_bee():
    for n_pool in (1, 2, 5, 50, 500):
        ratios = []
        for number in (1, 2, 3, 10, 40, 80, 1000):
            probabilities = ranked_probabilities(n_pool, number)
            assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
            assert (np.diff(probabilities) < 0).all()
            ratios.append(probabilities[0] / probabilities[-1])
        assert ratios == sorted(ratios, reverse=True)


def test_late_bees_draw_almost_evenly_only_if_they_are_many_more_than_features():
    first, last = ranked_probabilities(50, 40)[[0, -1]]
    assert first / last == pytest.approx(3.353, abs=5e-4)
    first, last = ranked_probabilities(50, 80)[[0, -1]]
    assert first / last == pytest.approx(1.838, abs=5e-4)
    assert ranked_probabilities(50, 10**6) == pytest.approx(np.full(50, 1 / 50), rel=1e-4)


def test_goodness_is_that_of_the_specification():
    assert goodness(COLONY, VALUES).tolist() == pytest.approx([1.0, -0.005005, 0.005005, -1.0], abs=5e-7)


def test_goodness_is_one_for_what_all_good_bees_have_and_no_other_and_minus_one_for_the_reverse():
    sets = np.array([[1, 0, 1, 0, 1], [1, 0, 0, 0, 1], [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]], dtype=bool)
    told = goodness(sets, np.array([0.9, 0.8, 0.3, 0.1]))
    assert told[[0, 1]].tolist() == pytest.approx([1.0, -1.0])
    assert told[3:].tolist() == pytest.approx([0.0, 0.0])


def test_a_bee_as_good_as_the_mean_is_not_a_good_one():
    told = goodness(np.eye(3, dtype=bool), np.array([0.9, 0.5, 0.1]))
    assert told.tolist() == pytest.approx([1.0, -0.5 / 0.6, -0.1 / 0.6])


@pytest.mark.parametrize("value", [0.7, 0.1 + 0.2])
def test_among_bees_that_are_all_as_good_no_feature_is_good(value):
    told = goodness(COLONY[:3], np.full(3, value))
    assert told.tolist() == pytest.approx([-2 / 3, -2 / 3, -1 / 3, -1 / 3])


def test_bees_without_any_fitness_say_nothing():
    assert goodness(COLONY, np.zeros(4)).tolist() == [0.0] * 4


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.5, 0.6), (-1.0, 1.0), (-3.0, -1.0)])
def test_goodness_lies_between_minus_one_and_one(seed, low, high):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        told = goodness(rng.random((6, 8)) < 0.5, rng.uniform(low, high, size=6))
        assert np.abs(told).max() <= 1 + 1e-12
