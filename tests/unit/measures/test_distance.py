"""Distance correlation: worked numbers, the packages of others, what must not change it, and what is refused."""

from __future__ import annotations

from itertools import combinations

import dcor
import numpy as np
import pytest

from holdfast import DataError
from holdfast.measures import distance_correlation, distance_dependence
from oracles.distance import index_of

# Hosseini 2018, worked example of the specification, §3.7.
F = np.array([[0, 1, 3, 4, 8], [2, 0, 1, 5, 4], [5, 2, 2, 1, 3]], dtype=float).T
C = np.array([0, 0, 0, 1, 1])
SCALED = (F - F.min(axis=0)) / np.ptp(F, axis=0)
SUBSETS = [subset for size in (1, 2, 3) for subset in combinations(range(3), size)]


def test_the_worked_example_of_one_feature_comes_out_to_nine_digits():
    assert distance_correlation(F[:, 0], C) == pytest.approx(0.8236507302, abs=1e-9)
    assert distance_correlation(F[:, 0], C, squared=True) == pytest.approx(0.6784005253, abs=1e-9)
    assert distance_correlation(F[:, 0], C, unbiased=True) == pytest.approx(0.6622661785, abs=1e-9)


def test_the_worked_example_of_all_subsets_has_another_winner_for_each_index():
    biased = distance_correlation(SCALED, C, subsets=SUBSETS)
    unbiased = distance_correlation(SCALED, C, unbiased=True, subsets=SUBSETS)
    np.testing.assert_allclose(
        biased, [0.823651, 0.944545, 0.484005, 0.941270, 0.732190, 0.838106, 0.875502], atol=1e-6
    )
    np.testing.assert_allclose(
        unbiased, [0.662266, 0.927173, -0.333333, 0.949296, 0.417504, 0.695215, 0.878929], atol=1e-6
    )
    assert SUBSETS[biased.argmax()] == (1,)
    assert SUBSETS[unbiased.argmax()] == (0, 1)


def test_the_worked_example_of_the_test_of_dependence():
    found = distance_dependence(F, C)
    np.testing.assert_allclose(found.statistic[:2], [2.3684211, 3.2371795], atol=1e-7)
    np.testing.assert_allclose(found.p_value[:2], [0.12381, 0.07198], atol=1e-5)


@pytest.mark.parametrize(
    ("confidence", "threshold"),
    [(0.95, 3.841459), (0.995, 7.879439), (0.97, 4.709292), (0.9, 2.705543), (0.99, 6.634897)],
)
def test_a_p_value_is_below_what_confidence_leaves_just_where_the_statistic_is_above_the_threshold(
    confidence, threshold, seed
):
    rng = np.random.default_rng([seed, 71])
    y = np.arange(40) % 2
    found = distance_dependence(rng.normal(size=(40, 300)) + np.outer(y, rng.random(300) * 1.5), y)
    assert ((found.p_value < 1 - confidence) == (found.statistic > threshold)).all()
    assert 0 < (found.p_value < 1 - confidence).sum() < 300


def _problems(seed, n_draws=25):
    for draw in range(n_draws):
        rng = np.random.default_rng([seed, 72, draw])
        n = int(rng.integers(4, 50))
        X = rng.normal(size=(n, 6)) if draw % 2 else rng.integers(0, 4, size=(n, 6)).astype(float)
        classes = rng.permutation(np.arange(n) % int(rng.integers(2, 5)))
        numbers = rng.normal(size=n) if draw % 3 else rng.integers(0, 5, size=n) + 0.5
        one_hot = (classes[:, np.newaxis] == np.unique(classes)).astype(float)
        yield X, classes, one_hot, rng
        yield X, numbers, numbers[:, np.newaxis], rng


def test_each_feature_has_the_biased_index_of_dcor(seed):
    for X, y, columns, _ in _problems(seed):
        expected = [dcor.distance_correlation(X[:, [j]], columns) for j in range(6)]
        np.testing.assert_allclose(distance_correlation(X, y), expected, atol=1e-10)
        squared = distance_correlation(X, y, squared=True)
        np.testing.assert_allclose(squared, np.square(expected), atol=1e-10)


def _u_indices(X, columns):
    """dcor's, and 0 where a variance is nothing but rounding, of which dcor makes anything."""
    if dcor.u_distance_covariance_sqr(columns, columns) < 1e-12:
        return np.zeros(X.shape[1])
    return np.array([
        dcor.u_distance_correlation_sqr(X[:, [j]], columns)
        if dcor.u_distance_covariance_sqr(X[:, [j]], X[:, [j]]) > 1e-12 else 0.0
        for j in range(X.shape[1])
    ])  # fmt: skip


def test_each_feature_has_the_unbiased_index_of_dcor(seed):
    for X, y, columns, _ in _problems(seed):
        np.testing.assert_allclose(distance_correlation(X, y, unbiased=True), _u_indices(X, columns), atol=1e-10)


def test_weighted_features_together_have_the_index_of_dcor(seed):
    for X, y, columns, rng in _problems(seed):
        weights = rng.random(6)
        together = X * np.sqrt(weights)
        found = distance_correlation(X, y, subsets="all", feature_weights=weights)
        assert found == pytest.approx(dcor.distance_correlation(together, columns), abs=1e-10)
        if dcor.u_distance_covariance_sqr(columns, columns) > 1e-12:
            unbiased = distance_correlation(X, y, unbiased=True, subsets="all", feature_weights=weights)
            assert unbiased == pytest.approx(dcor.u_distance_correlation_sqr(together, columns), abs=1e-10)


def test_a_set_of_one_feature_has_the_index_of_the_feature(seed):
    for X, y, _, _ in _problems(seed):
        for unbiased in (False, True):
            each = distance_correlation(X, y, unbiased)
            np.testing.assert_allclose(
                distance_correlation(X, y, unbiased, subsets=[[j] for j in range(6)]), each, atol=1e-12
            )


def test_lists_masks_and_all_are_ways_to_say_the_same(seed):
    X, y, _, _ = next(_problems(seed))
    by_list = distance_correlation(X, y, subsets=[[4, 0], [], range(6), [1, 1]])
    masks = np.zeros((4, 6), dtype=bool)
    masks[0, [0, 4]] = masks[2] = masks[3, 1] = True
    assert by_list.tolist() == distance_correlation(X, y, subsets=masks).tolist()
    assert by_list.tolist() == distance_correlation(X, y, subsets=masks.tolist()).tolist()
    assert by_list[1] == 0.0
    assert by_list[2] == distance_correlation(X, y, subsets="all")


@pytest.mark.parametrize("unbiased", [False, True])
def test_shifting_turning_and_scaling_all_together_changes_nothing(unbiased, seed):
    rng = np.random.default_rng([seed, 73])
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    turn, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    plain = distance_correlation(X, y, unbiased, subsets="all")
    assert distance_correlation(-3 * X @ turn + 7, 5 - 2 * y, unbiased, subsets="all") == pytest.approx(
        plain, abs=1e-12
    )
    assert distance_correlation(X * [1, 1, 9, 1], y, unbiased, subsets="all") != pytest.approx(plain, abs=1e-6)


def test_the_index_is_one_for_a_turned_copy_and_between_zero_and_one_otherwise(seed):
    rng = np.random.default_rng([seed, 74])
    x = rng.normal(size=25)
    assert distance_correlation(x, 4 - 3 * x) == pytest.approx(1.0, abs=1e-12)
    values = distance_correlation(rng.normal(size=(12, 400)), rng.normal(size=12))
    assert 0 <= values.min() < values.max() <= 1


def test_constants_and_weights_of_zero_have_the_index_zero():
    X = np.column_stack([np.full(6, 0.1), np.arange(6.0), np.arange(6.0)])
    y = [0, 0, 0, 1, 1, 1]
    for unbiased in (False, True):
        found = distance_correlation(X, y, unbiased, feature_weights=[1, 1, 0])
        assert found[0] == found[2] == 0.0
        assert found[1] > 0.5
    assert distance_correlation(np.arange(6.0), np.zeros(6), y_is="numbers") == 0.0


def test_features_that_are_balanced_over_the_classes_have_exactly_nothing():
    X = np.array([[0, 1, 2, 0, 1, 2], [5, 5, 9, 9, 5, 5]], dtype=float).T[[0, 1, 2, 3, 4, 5]]
    assert distance_correlation(X[:, :1], [0, 0, 0, 1, 1, 1])[0] == 0.0


def test_a_far_sample_costs_the_unbiased_index_no_digits(seed):
    rng = np.random.default_rng([seed, 75])
    x, y = rng.normal(size=40), np.arange(40) % 2
    x[7] = 1e6
    exact = index_of([(float(v),) for v in x], y.tolist(), "unbiased")
    assert exact != 0
    assert distance_correlation(x, y, unbiased=True) == pytest.approx(exact, abs=1e-9)
    assert distance_correlation(x[:, np.newaxis], y, unbiased=True, subsets="all") == pytest.approx(exact, abs=1e-9)


def test_a_large_common_offset_costs_no_digits(seed):
    rng = np.random.default_rng([seed, 76])
    X, y = np.round(rng.normal(size=(30, 5)) * 1024) / 1024, np.arange(30) % 3
    for unbiased in (False, True):
        plain = distance_correlation(X, y, unbiased)
        np.testing.assert_allclose(distance_correlation(X + 2.0**20, y, unbiased), plain, atol=1e-10)


def test_classes_are_equally_far_apart_whatever_they_are_called():
    x = np.array([1.0, 2.0, 5.0, 6.0, 9.0, 3.0])
    by_number = distance_correlation(x, [0, 0, 1, 1, 2, 2])
    assert by_number == distance_correlation(x, [7, 7, 3, 3, 100, 100])
    assert by_number == distance_correlation(x, list("bbaacc"))
    assert by_number != distance_correlation(x, [0, 0, 1, 1, 2, 2], y_is="numbers")


def test_fractions_are_numbers_and_two_numbers_are_as_good_as_two_classes():
    x = np.array([1.0, 2.0, 5.0, 6.0, 9.0, 3.0])
    y = [0.5, 0.5, 1.5, 1.5, 1.5, 0.5]
    assert distance_correlation(x, y) == pytest.approx(distance_correlation(x, y, y_is="classes"), abs=1e-14)


def test_many_samples_cost_no_matrix_of_pairs(seed):
    rng = np.random.default_rng([seed, 77])
    X, y = rng.normal(size=(40_000, 1)), rng.normal(size=40_000)
    y += X[:, 0] ** 2
    # A matrix of pairs would take 12.8 GB.
    assert distance_correlation(X, y)[0] > 0.3
    assert distance_correlation(X, y > y.mean())[0] > 0.2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"X": [[1, 2], [3, 4]], "y": [0, 1, 1]}, r"shape \(2, 2\) and y \(3,\)"),
        ({"X": [[1.0, np.nan], [3, 4]], "y": [0, 1]}, "NaN or infinity"),
        ({"X": [[1.0], [3]], "y": [0.5, np.inf]}, "y contains NaN or infinity"),
        ({"X": [[1.0], [3]], "y": [0, 1], "y_is": "words"}, "y_is='words'.*'classes', 'numbers'"),
        ({"X": [[1.0], [3], [4]], "y": [0, 1, 0], "unbiased": True}, "3 samples.*at least 4.*The biased one needs 2"),
        ({"X": [[1.0]], "y": [0]}, "1 samples"),
        ({"X": [[1.0], [3]], "y": [0, 1], "subsets": "some"}, "subsets='some'"),
        ({"X": [[1.0], [3]], "y": [0, 1], "subsets": [[0, 4]]}, "column 4, but X has 1"),
        ({"X": [[1.0], [3]], "y": [0, 1], "subsets": [[-1]]}, "column -1"),
        ({"X": [[1.0], [3]], "y": [0, 1], "subsets": np.ones((1, 3), dtype=bool)}, "mask in subsets has 3 values"),
        ({"X": np.eye(4), "y": [0, 1, 0, 1], "subsets": np.eye(4, dtype=int)}, "row of 0 and 1.*True and False"),
        ({"X": np.eye(4), "y": [0, 1, 0, 1], "subsets": [[0.7, 1.9]]}, "list of column numbers or a mask"),
        ({"X": np.eye(4), "y": [0, 1, 0, 1], "subsets": [0, 1]}, "list of lists of columns"),
        ({"X": [[1e200], [3e200]], "y": [0, 1]}, "too large or too small to square"),
        ({"X": [[1e-200], [3e-200]], "y": [0, 1]}, "too large or too small to square"),
        ({"X": [[1.0], [3.0]], "y": [0.5, 1e200]}, "y contains values too large"),
        ({"X": [[1.0], [3]], "y": [0, 1], "feature_weights": [1, 2]}, r"1 numbers.*shape \(2,\)"),
        ({"X": [[1.0], [3]], "y": [0, 1], "feature_weights": [-1]}, "negative"),
        ({"X": [[1.0]] * 4, "y": [0, 1] * 2, "unbiased": True, "squared": True}, "squared=True goes with the biased"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_in_words(given, words):
    with pytest.raises(ValueError, match=words):
        distance_correlation(**given)


def test_missing_values_are_a_fault_of_the_data():
    with pytest.raises(DataError):
        distance_dependence([[np.nan], [1.0]], [0, 1])


def test_redundant_features_lower_the_index_and_more_do_so_further(seed):
    """Tables 2.11 and 2.12 of Hosseini 2018 in small: 40 repetitions, normal features, y = 3 x₁ and 3 x₁²."""
    rng = np.random.default_rng([seed, 78])
    means = np.zeros((2, 6))
    for _ in range(40):
        X = rng.normal(size=(100, 6))
        X[:, 0] *= 3
        for row, y in enumerate((X[:, 0], X[:, 0] ** 2)):
            means[row] += distance_correlation(X, y, subsets=[range(k + 1) for k in range(6)]) / 40
    np.testing.assert_allclose(means[0], [1.0, 0.9873, 0.9778, 0.9697, 0.9623, 0.9555], atol=0.004)
    np.testing.assert_allclose(means[1], [0.5731, 0.5447, 0.5261, 0.5120, 0.5008, 0.4916], atol=0.03)
    assert (np.diff(means) < 0).all()


def test_only_proportions_of_weights_count(seed):
    X, y, _, rng = next(_problems(seed))
    weights = rng.random(6)
    plain = distance_correlation(X, y, subsets="all", feature_weights=weights)
    assert distance_correlation(X, y, subsets="all", feature_weights=1e300 * weights) == pytest.approx(plain, abs=1e-12)
    assert distance_correlation(X, y, subsets="all", feature_weights=np.zeros(6)) == 0.0
