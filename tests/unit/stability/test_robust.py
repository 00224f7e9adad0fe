"""Exact p-values of robust rank aggregation: exact arithmetic, simulation, and both ways of computing them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import betaincinv, expit

from holdfast.stability._robust import _crossing, exact_p_values, least_beta
from oracles import aggregation as slow


def exact(least, n_lists):
    boundaries = [Fraction(float(betaincinv(k, n_lists - k + 1, least))) for k in range(1, n_lists + 1)]
    return float(slow.crossing_chance(boundaries))


@pytest.mark.parametrize("n_lists", [1, 2, 3, 5, 12, 30])
@pytest.mark.parametrize("least", [1e-40, 1e-9, 0.001, 0.1, 0.5, 0.95])
def test_a_p_value_is_that_of_exact_arithmetic(n_lists, least):
    np.testing.assert_allclose(exact_p_values(np.array([least]), n_lists), exact(least, n_lists), rtol=1e-11)


def test_the_worked_beta_of_the_first_feature_is_found():
    np.testing.assert_allclose(least_beta(np.array([[0.2], [0.1], [0.1]])), [0.008], atol=1e-15)


def test_the_p_value_of_two_lists_is_known_in_closed_form():
    least = np.array([0.01, 0.3])
    first, second = 1 - np.sqrt(1 - least), np.sqrt(least)
    neither = (1 - second) ** 2 + 2 * (second - first) * (1 - second)
    np.testing.assert_allclose(exact_p_values(least, 2), 1 - neither, rtol=1e-12)


@pytest.mark.parametrize("n_lists", [3, 10, 40])
def test_a_p_value_is_the_share_of_random_places_that_do_as_well(n_lists, seed):
    rng = np.random.default_rng(seed)
    n_draws = 20_000
    at_random = least_beta(rng.random((n_lists, n_draws)))
    p_values = exact_p_values(at_random, n_lists)
    for level in (0.01, 0.1, 0.5, 0.9):
        error = 5 * np.sqrt(level * (1 - level) / n_draws)
        assert abs((p_values <= level).mean() - level) < error


@pytest.mark.parametrize("n_lists", [2, 7, 40, 100])
def test_many_p_values_are_those_computed_one_by_one(n_lists, seed):
    rng = np.random.default_rng(seed)
    least = expit(np.concatenate([rng.uniform(-180, 35, 700), rng.normal(scale=3, size=700)]))
    least = np.unique(least[least < 1])
    some = np.sort(rng.choice(len(least), 150, replace=False))
    np.testing.assert_allclose(exact_p_values(least, n_lists)[some], _crossing(least[some], n_lists), rtol=2e-12)


def test_a_p_value_lies_between_the_smallest_beta_and_the_bound_for_all(seed):
    least = np.random.default_rng(seed).random(500) ** 3
    p_values = exact_p_values(least, 20)
    assert (p_values >= least).all()
    assert (p_values <= np.minimum(1.0, 20 * least)).all()


def test_p_values_order_features_as_the_smallest_beta_does(seed):
    least = np.sort(np.random.default_rng(seed).random(3000)) * 0.99
    assert (np.diff(exact_p_values(least, 25)) > 0).all()


def test_what_is_too_small_to_compute_gets_the_bound():
    np.testing.assert_allclose(exact_p_values(np.array([0.0, 1e-200, 1.0]), 10), [0.0, 1e-199, 1.0])
