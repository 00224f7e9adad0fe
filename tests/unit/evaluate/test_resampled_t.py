"""The corrected resampled t test against its formula, the plain t test, and its size on splits that share samples."""

from __future__ import annotations

from math import inf, isnan, sqrt

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from holdfast import DataError
from holdfast.evaluate.resampled_t import corrected_resampled_t, resampled_interval

DIFFERENCES = [0.02, 0.05, -0.01, 0.04, 0.03, 0.00, 0.06, 0.01, 0.02, 0.03]


def test_the_statistic_is_that_of_the_formula():
    result = corrected_resampled_t(DIFFERENCES, n_train=90, n_test=10)
    mean, variance = np.mean(DIFFERENCES), np.var(DIFFERENCES, ddof=1)
    statistic = mean / sqrt((1 / 10 + 1 / 9) * variance)
    assert result.statistic == pytest.approx(statistic, rel=1e-12)
    assert result.p_value == pytest.approx(2 * (1 - t.cdf(statistic, 9)), rel=1e-9)
    assert (result.difference, result.degrees_of_freedom) == (pytest.approx(mean), 9)


def test_next_to_no_test_samples_it_is_the_plain_t_test():
    result = corrected_resampled_t(DIFFERENCES, n_train=1e15, n_test=1)
    expected = ttest_1samp(DIFFERENCES, 0)
    assert (result.statistic, result.p_value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    plain = expected.confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
def test_the_interval_ends_where_the_test_turns(level):
    result = corrected_resampled_t(DIFFERENCES, 90, 10, level=level)
    for end in (result.low, result.high):
        moved = corrected_resampled_t(np.array(DIFFERENCES) - end, 90, 10)
        assert moved.p_value == pytest.approx(level, rel=1e-9)
    assert result.level == level


def test_the_interval_of_a_mean_is_that_of_a_difference():
    result = corrected_resampled_t(DIFFERENCES, 90.5, 9.5, level=0.1)
    assert resampled_interval(DIFFERENCES, 90.5, 9.5, 0.1) == (result.low, result.high)


def test_changing_places_changes_only_signs():
    one = corrected_resampled_t(DIFFERENCES, 90, 10)
    other = corrected_resampled_t(-np.array(DIFFERENCES), 90, 10)
    assert one.statistic == -other.statistic
    assert one.p_value == other.p_value
    assert (one.low, one.high) == (-other.high, -other.low)


def test_no_difference_in_any_split_has_a_p_value_of_one():
    result = corrected_resampled_t([0.0, 0.0, 0.0], 20, 10)
    assert (result.statistic, result.p_value, result.low, result.high) == (0.0, 1.0, 0.0, 0.0)


@pytest.mark.parametrize(("difference", "statistic"), [(0.1, inf), (-0.1, -inf)])
def test_the_same_difference_in_every_split_has_a_p_value_of_zero(difference, statistic):
    result = corrected_resampled_t([difference] * 3, 20, 10)
    assert (result.statistic, result.p_value) == (statistic, 0.0)
    assert result.low == result.high == pytest.approx(difference)


def test_a_single_split_tells_nothing():
    result = corrected_resampled_t([0.1], 20, 10)
    assert all(map(isnan, (result.statistic, result.p_value, result.low, result.high)))
    assert (result.difference, result.degrees_of_freedom) == (0.1, 0)
    assert all(map(isnan, resampled_interval([0.1], 20, 10)))


@pytest.mark.slow
def test_equal_methods_over_shared_samples_are_seldom_called_different(seed):
    """Two coins of equal chance judged on 10 times 10 folds: the plain test cries wolf, this one does not."""
    rng = np.random.default_rng([seed, 70])
    corrected, plain = 0, 0
    for _ in range(400):
        right = rng.integers(0, 2, size=(100, 2))
        folds = np.concatenate([np.array_split(rng.permutation(100), 10) for _ in range(10)])
        differences = (right[folds, 0] - right[folds, 1]).mean(axis=1)
        corrected += corrected_resampled_t(differences, 90, 10).p_value < 0.05
        plain += ttest_1samp(differences, 0).pvalue < 0.05
    assert corrected / 400 < 0.1
    assert plain / 400 > 0.3


@pytest.mark.parametrize(
    ("differences", "says"),
    [
        ([], r"shape \(0,\)"),
        ([[0.1, 0.2]], r"shape \(1, 2\)"),
        ([0.1, np.nan], "differences has 1 missing or infinite entries"),
    ],
)
def test_lists_that_cannot_be_tested_are_refused(differences, says):
    with pytest.raises(DataError, match=says):
        corrected_resampled_t(differences, 20, 10)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"n_train": 0}, "n_train=0"),
        ({"n_test": -1}, "n_test=-1"),
        ({"n_test": float("nan")}, "n_test=nan"),
        ({"level": 0.95}, "level=0.95"),
    ],
)
def test_wrong_options_are_refused_by_name(parameters, says):
    with pytest.raises(ValueError, match=says):
        corrected_resampled_t([0.1, 0.2], **{"n_train": 20, "n_test": 10} | parameters)
    with pytest.raises(ValueError, match=says):
        resampled_interval([0.1, 0.2], **{"n_train": 20, "n_test": 10} | parameters)
