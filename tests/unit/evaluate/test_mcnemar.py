"""McNemar's test against the numbers of the thesis, scipy's binomial test and its own symmetries."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2

from holdfast import DataError
from holdfast.evaluate import McNemarResult, mcnemar

COUNTS = [(n01, n10) for n01 in range(0, 13, 2) for n10 in range(0, 25, 3)]


@pytest.mark.parametrize(
    ("n01", "n10", "statistic", "p_value"),
    [
        (1, 8, 4.0, 0.0455),
        (1, 16, 11.5294, 0.0007),
        (4, 10, 1.7857, 0.1814),
        (2, 5, 0.5714, 0.4497),
        (0, 3, 1.3333, 0.2482),
        (1, 4, 0.8, 0.3711),
        (1, 1, 0.5, 0.4795),
        (0, 5, 3.2, 0.0736),
    ],
)
def test_the_corrected_statistic_is_that_of_the_thesis(n01, n10, statistic, p_value):
    result = McNemarResult.from_counts(n01, n10, method="chi2")
    assert result.statistic == pytest.approx(statistic, abs=5e-5)
    assert result.p_value == pytest.approx(p_value, abs=5e-5)


@pytest.mark.parametrize(
    ("statistic", "p_value"),
    [(0.25, 0.617), (0.5, 0.479), (0.8, 0.371), (0.571, 0.45), (0.167, 0.683), (4, 0.045), (1.786, 0.181), (0, 1)],
)
def test_every_printed_p_value_has_counts_that_give_it(statistic, p_value):
    """Tables 4.2 to 4.4: counts that give the printed statistic give the printed p, cut or rounded to three digits."""
    found = [
        McNemarResult.from_counts(n01, n10, method="chi2")
        for n01 in range(20)
        for n10 in range(n01, 20)
        if n10 and abs((n10 - n01 - 1) ** 2 / (n01 + n10) - statistic) < 0.001
    ]
    assert found
    assert all(abs(result.p_value - p_value) < 0.0015 for result in found)


def test_two_classifiers_that_never_differ_are_equal_by_every_method():
    for method in ("exact", "mid-p", "chi2"):
        for continuity in (True, False):
            result = McNemarResult.from_counts(0, 0, method=method, continuity=continuity)
            assert (result.statistic, result.p_value, result.better) == (0.0, 1.0, None)


@pytest.mark.parametrize(("n01", "n10"), COUNTS)
def test_the_exact_p_value_is_that_of_the_binomial_test(n01, n10):
    expected = binomtest(n01, n01 + n10, 0.5).pvalue if n01 + n10 else 1.0
    result = McNemarResult.from_counts(n01, n10)
    assert result.p_value == pytest.approx(expected, rel=1e-12)
    assert result.statistic == min(n01, n10)


@pytest.mark.parametrize(("n01", "n10"), COUNTS)
def test_the_mid_p_value_counts_outcomes_as_extreme_as_the_observed_one_half(n01, n10):
    n = n01 + n10
    share = np.array([comb(n, k) / 2**n for k in range(n + 1)])
    extreme = np.abs(2 * np.arange(n + 1) - n)
    expected = share[extreme > abs(n01 - n10)].sum() + share[extreme == abs(n01 - n10)].sum() / 2 if n else 1.0
    assert McNemarResult.from_counts(n01, n10, method="mid-p").p_value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("n01", "n10"), COUNTS[1:])
def test_without_continuity_the_statistic_is_the_squared_difference_over_the_sum(n01, n10):
    result = McNemarResult.from_counts(n01, n10, method="chi2", continuity=False)
    assert result.statistic == (n01 - n10) ** 2 / (n01 + n10)
    assert result.p_value == chi2.sf(result.statistic, 1)


def test_lists_of_right_and_wrong_are_counted(seed):
    rng = np.random.default_rng([seed, 40])
    a, b = rng.random(50) < 0.7, rng.random(50) < 0.5
    result = mcnemar(a, b)
    assert result.n00 == sum(not p and not q for p, q in zip(a, b, strict=True))
    assert result.n01 == sum(not p and q for p, q in zip(a, b, strict=True))
    assert result.n10 == sum(p and not q for p, q in zip(a, b, strict=True))
    assert result.n11 == sum(p and q for p, q in zip(a, b, strict=True))
    assert result.p_value == McNemarResult.from_counts(result.n01, result.n10).p_value


@pytest.mark.parametrize("method", ["exact", "mid-p", "chi2"])
def test_changing_places_changes_who_is_better_and_nothing_else(method, seed):
    rng = np.random.default_rng([seed, 41])
    a, b = rng.random(40) < 0.9, rng.random(40) < 0.4
    one, other = mcnemar(a, b, method=method), mcnemar(b, a, method=method)
    assert (one.better, other.better) == ("a", "b")
    assert (one.statistic, one.p_value) == (other.statistic, other.p_value)
    assert (one.n01, one.n10) == (other.n10, other.n01)


def test_predictions_are_compared_with_the_classes():
    truth = ["case", "case", "control", "control"]
    result = McNemarResult.from_predictions(
        pd.Series(truth), np.array(["case", "control", "control", "case"]), pd.Series(truth, dtype=object)
    )
    assert (result.n00, result.n01, result.n10, result.n11) == (0, 2, 0, 2)
    assert result.better == "b"


def test_ones_and_zeros_and_data_frame_columns_are_taken_for_right_and_wrong():
    plain = mcnemar([True, False, True], [True, True, False])
    assert plain == mcnemar([1, 0, 1], np.array([1.0, 1.0, 0.0]))
    assert plain == mcnemar(pd.Series([True, False, True]), pd.Series([True, True, False], dtype=object))


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ([True, False], [True], "correct_a has 2, correct_b has 1"),
        ([], [], "shape"),
        ([[True], [False]], [True, False], "correct_a has the shape"),
        (["yes", "no"], [True, False], "correct_a holds words"),
        ([0, 2], [True, False], "from_predictions"),
        ([True, None], [True, False], "missing"),
        ([1.0, float("nan")], [True, False], "missing"),
    ],
)
def test_lists_that_cannot_be_compared_are_refused(a, b, says):
    with pytest.raises(DataError, match=says):
        mcnemar(a, b)


def test_predictions_of_another_kind_than_the_classes_are_refused():
    with pytest.raises(DataError, match="y_true holds words and pred_b values"):
        McNemarResult.from_predictions(["a", "b"], ["a", "b"], [0, 1])


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"n01": -1, "n10": 2}, "n01=-1"),
        ({"n01": 1, "n10": 2.5}, "n10=2.5"),
        ({"n01": 1, "n10": 2, "n11": -3}, "n11=-3"),
        ({"n01": None, "n10": 2}, "n01=None"),
        ({"n01": 1, "n10": 2, "method": "chi"}, "Did you mean 'chi2'"),
        ({"n01": 1, "n10": 2, "continuity": "yes"}, "continuity='yes'"),
    ],
)
def test_wrong_counts_and_options_are_refused_by_name(parameters, says):
    with pytest.raises(ValueError, match=says):
        McNemarResult.from_counts(**parameters)
