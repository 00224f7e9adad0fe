"""Nogueira's stability with its interval and its test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from holdfast.stability.index import kuncheva
from holdfast.stability.nogueira import nogueira, nogueira_interval, nogueira_test
from oracles import agreement as twins


def _sets(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


@pytest.fixture
def runs(seed):
    rng = np.random.default_rng([seed, 21])
    return rng.random((12, 40)) < rng.beta(0.4, 1.0, size=40)


def test_it_is_its_definition(seed):
    rng = np.random.default_rng([seed, 22])
    for n_runs, n_features, share in [(2, 4, 0.5), (9, 30, 0.1), (20, 15, 0.8), (3, 60, 0.02)]:
        drawn = rng.random((n_runs, n_features)) < share
        assert nogueira(drawn) == pytest.approx(twins.nogueira(_sets(drawn), n_features), abs=1e-12, nan_ok=True)


def test_runs_of_one_size_give_the_very_value_of_kuncheva(seed):
    rng = np.random.default_rng([seed, 23])
    for n_features, size in [(10, 3), (7129, 50), (33, 32), (64, 1)]:
        drawn = [rng.choice(n_features, size, replace=False) for _ in range(11)]
        assert nogueira(drawn, n_features=n_features) == kuncheva(drawn, n_features=n_features)


def test_identical_runs_are_perfectly_stable_and_surely_so():
    found = nogueira_interval(np.tile(np.arange(9) < 4, (5, 1)))
    assert (found.value, found.low, found.high, found.std_error) == (1.0, 1.0, 1.0, 0.0)


def test_runs_that_share_nothing_reach_the_lower_end():
    assert nogueira(np.eye(4, dtype=bool)) == pytest.approx(-1 / 3)


def test_it_is_undefined_without_a_choice():
    for none in (np.zeros((3, 5), dtype=bool), np.ones((3, 5), dtype=bool)):
        found = nogueira_interval(none)
        assert math.isnan(nogueira(none))
        assert all(math.isnan(value) for value in (found.value, found.low, found.high, found.std_error))
        assert math.isnan(nogueira_test(none, np.eye(5, dtype=bool)).p_value)


def test_the_standard_error_is_that_of_the_theorem(runs):
    found = nogueira_interval(runs)
    assert found.std_error**2 == pytest.approx(twins.nogueira_variance(_sets(runs), 40), rel=1e-10)
    assert found.value == nogueira(runs)
    assert found.n_runs == 12


def test_the_standard_error_holds_for_more_runs_than_one_block(seed):
    many = np.random.default_rng([seed, 24]).random((150, 20)) < 0.3
    assert nogueira_interval(many).std_error ** 2 == pytest.approx(twins.nogueira_variance(_sets(many), 20), rel=1e-10)


def test_the_interval_reaches_as_far_as_its_level_says(runs):
    found = nogueira_interval(runs, level=0.8)
    assert found.high - found.value == pytest.approx(norm.ppf(0.9) * found.std_error)
    assert found.value - found.low == pytest.approx(norm.ppf(0.9) * found.std_error)
    assert found.level == 0.8


def test_the_interval_is_cut_at_the_ends_of_the_range():
    high = nogueira_interval([{0, 1, 2}, {0, 1, 2}, {0, 1, 3}], n_features=50, level=0.9999)
    assert high.high == 1.0
    low = nogueira_interval([{0, 1}, {2, 3}, {4, 5}, {0, 6}], n_features=50, level=1 - 1e-12)
    assert low.low == -1 / 3


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1])
def test_a_level_that_is_no_confidence_is_refused(runs, level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        nogueira_interval(runs, level=level)


def test_neither_runs_nor_features_in_another_order_change_it(runs, seed):
    rng = np.random.default_rng([seed, 25])
    moved = nogueira_interval(runs[rng.permutation(12)][:, rng.permutation(40)])
    found = nogueira_interval(runs)
    assert moved.value == found.value
    assert moved.std_error == pytest.approx(found.std_error, rel=1e-12)


def test_the_test_divides_the_difference_by_its_standard_error(runs, seed):
    other = np.random.default_rng([seed, 26]).random((9, 40)) < 0.3
    first, second = nogueira_interval(runs), nogueira_interval(other)
    found = nogueira_test(runs, other)
    assert found.difference == first.value - second.value
    assert found.z == pytest.approx(found.difference / math.hypot(first.std_error, second.std_error))
    assert found.p_value == pytest.approx(2 * (1 - norm.cdf(abs(found.z))), abs=1e-12)
    assert (found.first, found.second) == (first, second)


def test_the_test_in_the_other_direction_has_the_same_p_value(runs, seed):
    other = np.random.default_rng([seed, 27]).random((9, 40)) < 0.3
    there, back = nogueira_test(runs, other), nogueira_test(other, runs)
    assert there.p_value == back.p_value
    assert there.difference == -back.difference


def test_without_spread_any_difference_is_beyond_doubt_and_none_is_not():
    same = np.tile(np.arange(9) < 4, (5, 1))
    apart = np.eye(6, dtype=bool)
    assert nogueira_test(same, same).p_value == 1.0
    assert nogueira_test(same, apart).z == math.inf
    assert nogueira_test(apart, same).z == -math.inf
    assert nogueira_test(same, apart).p_value == 0.0
