"""Wilcoxon's test against all signings of the ranks and scipy; Holm's correction against its steps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wilcoxon

from holdfast import DataError
from holdfast.evaluate.pairs import holm, wilcoxon_holm
from oracles import comparisons


def one_pair(differences):
    (pair,) = wilcoxon_holm(np.column_stack([differences, np.zeros(len(differences))]))
    return pair


def test_p_values_are_those_of_all_signings_of_the_ranks_with_ties_and_zeros(seed):
    rng = np.random.default_rng([seed, 63])
    for _ in range(20):
        differences = rng.integers(-4, 7, size=rng.integers(2, 11))
        assert one_pair(differences).p_value == pytest.approx(
            comparisons.signed_rank_p(differences.tolist()), rel=1e-12
        )


@pytest.mark.parametrize("n", [5, 20, 50])
def test_without_ties_and_zeros_the_test_is_scipys_exact_one(n, seed):
    differences = np.random.default_rng([seed, 64]).normal(0.3, 1, size=n)
    expected = wilcoxon(differences, method="exact")
    pair = one_pair(differences)
    assert pair.statistic == pytest.approx(expected.statistic)
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_many_blocks_with_ties_and_zeros_are_tested_as_scipy_does_with_pratts_zeros(seed):
    differences = np.random.default_rng([seed, 65]).integers(-5, 7, size=400).astype(float)
    expected = wilcoxon(differences, zero_method="pratt", correction=True)
    pair = one_pair(differences)
    assert pair.statistic == pytest.approx(expected.statistic)
    assert pair.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_the_exact_p_value_meets_the_approximate_one_where_it_takes_over(seed):
    differences = np.random.default_rng([seed, 66]).integers(1, 9, size=100) * np.tile([1, 1, -1, 1, -1], 20)
    expected = wilcoxon(differences, zero_method="pratt", correction=True).pvalue
    assert one_pair(differences).p_value == pytest.approx(expected, rel=0.1, abs=1e-3)


def test_methods_that_never_differ_have_a_p_value_of_one():
    pair = one_pair([0.0, 0.0, 0.0])
    assert (pair.statistic, pair.p_value, pair.p_holm, pair.difference) == (0.0, 1.0, 1.0, 0.0)


def test_differences_that_only_rounding_tells_apart_are_tied():
    a, b = np.array([0.9, 0.8, 0.3, 0.6]), np.array([0.8, 0.7, 0.4, 0.5])
    assert len(set(np.abs(a - b))) > 1
    (pair,) = wilcoxon_holm(np.column_stack([a, b]))
    assert (pair.statistic, pair.p_value) == (2.5, comparisons.signed_rank_p([1, 1, -1, 1]))


def test_a_difference_that_only_rounding_makes_is_none():
    (pair,) = wilcoxon_holm([[0.1 + 0.2, 0.3], [0.5, 0.5]])
    assert pair.p_value == 1.0


def test_every_pair_is_tested_once_in_the_order_of_the_columns(seed):
    values = np.random.default_rng([seed, 67]).random((8, 4))
    pairs = wilcoxon_holm(values, ["w", "x", "y", "z"])
    assert [pair.a + pair.b for pair in pairs] == ["wx", "wy", "wz", "xy", "xz", "yz"]
    assert [pair.difference for pair in pairs][3] == pytest.approx((values[:, 1] - values[:, 2]).mean())
    assert [pair.p_holm for pair in pairs] == holm([pair.p_value for pair in pairs]).tolist()


def test_changing_places_changes_only_the_sign_of_the_difference(seed):
    values = np.random.default_rng([seed, 68]).integers(0, 8, size=(12, 2))
    (one,), (other,) = wilcoxon_holm(values), wilcoxon_holm(values[:, ::-1])
    assert (one.statistic, one.p_value, one.difference) == (other.statistic, other.p_value, -other.difference)


def test_missing_values_are_refused():
    with pytest.raises(DataError, match="row 0, column 1"):
        wilcoxon_holm([[1.0, np.nan], [1.0, 2.0]])


def test_corrected_p_values_are_those_of_a_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_a_test_is_rejected_exactly_when_holms_steps_reject_it(seed):
    p = np.random.default_rng([seed, 69]).random(12) ** 3
    for level in (0.01, 0.05, 0.2, 0.5):
        assert set(np.flatnonzero(holm(p) <= level).tolist()) == comparisons.holm_rejects(p.tolist(), level)


def test_corrected_p_values_are_at_most_one_and_equal_for_equal_ones():
    assert holm([0.9, 0.8, 0.8]).tolist() == [1.0, 1.0, 1.0]
    assert holm([0.01, 0.01]).tolist() == [0.02, 0.02]


def test_tests_that_could_not_be_done_do_not_count():
    found = holm([0.01, np.nan, 0.02])
    assert np.isnan(found[1])
    assert found[[0, 2]].tolist() == [0.02, 0.02]


def test_no_tests_and_no_defined_tests_have_nothing_to_correct():
    assert holm([]).tolist() == []
    assert np.isnan(holm([np.nan, np.nan])).all()


@pytest.mark.parametrize("p_values", [[0.5, 1.1], [-0.1], [[0.1, 0.2]], 0.5])
def test_what_is_no_list_of_p_values_is_refused(p_values):
    with pytest.raises(ValueError, match="p_values must be a list of numbers from 0 to 1"):
        holm(p_values)
