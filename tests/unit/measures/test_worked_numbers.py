"""Measures on the worked data of the specifications."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from holdfast import DataError
from holdfast.measures import (
    chi2,
    conditional_mutual_information,
    entropy,
    f_statistic,
    fisher_score,
    laplacian_score,
    mutual_information,
    pearson,
    relative_entropy,
    spearman,
    symmetrical_uncertainty,
    t_statistic,
)
from holdfast.prepare import Codes
from oracles.worked import NUM6, TOY12

X, y = TOY12
A, classes = NUM6
SIX = [[1], [2], [3], [5], [6], [9]]
HALVES = [0, 0, 0, 1, 1, 1]
PAIRS = list(combinations(range(6), 2))


def to_six_digits(values):
    return pytest.approx(values, abs=5.1e-7)


def test_entropies_of_toy12():
    assert entropy(y) == to_six_digits(0.918296)
    found = entropy(Codes.of(X.T)).tolist()
    assert found == to_six_digits([1.0, 0.918296, 0.979869, 0.979869, 0.979869, 1.0])


def test_information_of_toy12_features_about_the_class():
    found = [mutual_information(column, y) for column in X.T]
    assert found == to_six_digits([0.093285, 0.011580, 0.343579, 0.010246, 0.168591, 0.0])
    assert found[5] == 0.0
    assert (np.array(found) * np.log(2)).tolist() == to_six_digits(
        [0.064660, 0.008027, 0.238151, 0.007102, 0.116858, 0.0]
    )


def test_uncertainties_of_toy12_features_and_the_class():
    found = symmetrical_uncertainty(Codes.of(X.T), Codes.of(y[np.newaxis])).tolist()
    assert found == to_six_digits([0.097258, 0.012611, 0.362012, 0.010796, 0.177635, 0.0])


def test_uncertainties_of_toy12_pairs():
    expected = [
        0.097258, 0.020932, 0.020932, 0.197700, 0.081704, 0.010796, 0.045071, 0.177635, 0.478704, 0.486169, 0.106493,
        0.020932, 0.000602, 0.020932, 0.020932,
    ]  # fmt: skip
    assert [symmetrical_uncertainty(X[:, i], X[:, j]) for i, j in PAIRS] == to_six_digits(expected)


def test_information_of_toy12_pairs():
    expected = [
        0.093285, 0.020721, 0.020721, 0.195710, 0.081704, 0.010246, 0.042776, 0.168591, 0.459148, 0.476382, 0.104349,
        0.020721, 0.000590, 0.020721, 0.020721,
    ]  # fmt: skip
    assert [mutual_information(X[:, i], X[:, j]) for i, j in PAIRS] == to_six_digits(expected)


def test_two_features_of_toy12_determine_the_class():
    together = mutual_information(X[:, 0] * 2 + X[:, 1], y)
    assert together == pytest.approx(entropy(y), abs=1e-12)
    assert conditional_mutual_information(X[:, 0], y, given=X[:, 1]) == pytest.approx(together - 0.011580, abs=1e-6)


def test_information_gain_of_the_worked_example():
    target = [1, 1, 0, 0, 0, 0]
    assert entropy(target) == to_six_digits(0.918296)
    assert mutual_information(list("uuuvvv"), target) == to_six_digits(0.459148)


def test_fisher_scores_of_num6():
    assert fisher_score(A, classes).tolist() == pytest.approx([13.5, 0.0, 0.125], abs=1e-12)


def test_laplacian_scores_of_num6():
    assert laplacian_score(A, n_neighbors=2).tolist() == to_six_digits([0.193507, 2.756561, 2.844990])


def test_welch_t_of_three_against_three_is_3_5():
    assert t_statistic(SIX, HALVES)[0] == pytest.approx(3.5, abs=1e-12)


def test_pooled_t_squared_is_f():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(11, 4)), [0] * 4 + [1] * 7
    assert t_statistic(X, y, equal_var=True) ** 2 == pytest.approx(f_statistic(X, y), rel=1e-12)


def test_relative_entropy_of_three_against_three():
    assert relative_entropy(SIX, HALVES)[0] == to_six_digits(14.683761)


def test_fisher_score_of_three_against_three_uses_population_variances():
    assert fisher_score(SIX, HALVES)[0] == pytest.approx(3.0625, abs=1e-12)


def test_f_is_the_fisher_score_per_degree_of_freedom():
    assert f_statistic(SIX, HALVES)[0] == pytest.approx(3.0625 * 4, abs=1e-12)


@pytest.mark.parametrize("measure", [t_statistic, f_statistic, fisher_score, relative_entropy])
@pytest.mark.parametrize("constant", [0.0, 0.1, -1e6, 1 / 3])
def test_a_constant_feature_comes_last(measure, constant):
    assert measure([[constant]] * 7, [0, 0, 0, 1, 1, 1, 1])[0] == -np.inf


@pytest.mark.parametrize("measure", [t_statistic, f_statistic, fisher_score, relative_entropy])
def test_a_feature_that_varies_between_the_classes_only_comes_first(measure):
    assert measure([[0.1]] * 3 + [[0.3]] * 4, [0, 0, 0, 1, 1, 1, 1])[0] == np.inf


@pytest.mark.parametrize("measure", [t_statistic, relative_entropy])
def test_two_class_measures_refuse_three_classes(measure):
    with pytest.raises(DataError, match="two classes but y has 3"):
        measure(SIX, [0, 0, 1, 1, 2, 2])


def test_chi2_refuses_negative_values():
    with pytest.raises(DataError, match="smallest is -2"):
        chi2([[1.0], [-2.0]], [0, 1])


def test_chi2_of_a_feature_spread_as_the_samples_is_0():
    assert chi2([[2.0], [2.0], [2.0], [2.0], [2.0], [2.0]], [0, 0, 1, 1, 1, 1])[0] == pytest.approx(0.0, abs=1e-12)


def test_spearman_sees_order_only():
    x = np.array([3.0, 1.0, 2.0, 9.0])
    assert spearman(np.exp(x)[:, np.newaxis], x)[0] == pytest.approx(1.0, abs=1e-12)
    assert pearson(np.exp(x)[:, np.newaxis], x)[0] < 0.98


def test_correlation_of_a_constant_is_0():
    assert pearson([[0.1], [0.1], [0.1]], [1, 2, 3])[0] == 0
    assert spearman([[0.1], [0.1], [0.1]], [1, 2, 3])[0] == 0


def test_laplacian_score_of_a_constant_is_the_worst():
    scores = laplacian_score(np.column_stack([A, np.full(6, 0.1)]), n_neighbors=2)
    assert scores[3] == np.inf


def test_equal_samples_are_at_distance_0_for_the_laplacian_score():
    """Rounding in the distances must not reach the scores, whatever the order of the samples."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 3, size=(26, 5)).astype(float)
    rows = rng.permutation(26)
    assert laplacian_score(X).tolist() == pytest.approx(laplacian_score(X[rows]).tolist(), rel=1e-12)
