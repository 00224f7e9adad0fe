"""Agreement of weights and of ranks."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr

from holdfast import MRMR, FTest, ReliefF
from holdfast.stability.weights import average_variance, pairwise_weights, pearson, spearman


@pytest.fixture
def weights(seed):
    rng = np.random.default_rng([seed, 31])
    return rng.normal(size=(7, 30)) + rng.normal(size=30)


def _mean_over_pairs(correlate, rows):
    return np.mean([correlate(a, b).statistic for a, b in combinations(rows, 2)])


def test_pearson_is_the_mean_over_all_pairs(weights):
    assert pearson(weights) == pytest.approx(_mean_over_pairs(pearsonr, weights), abs=1e-12)


def test_spearman_is_the_mean_over_all_pairs(weights):
    assert spearman(weights) == pytest.approx(_mean_over_pairs(spearmanr, weights), abs=1e-12)


def test_spearman_gives_ties_their_mean_rank(seed):
    tied = np.random.default_rng([seed, 32]).integers(0, 4, size=(6, 25))
    assert spearman(tied) == pytest.approx(_mean_over_pairs(spearmanr, tied), abs=1e-12)


def test_spearman_of_the_worked_example():
    assert spearman([[1, 2, 3, 4], [2, 1, 3, 4]]) == pytest.approx(0.8)


def test_more_runs_than_one_block_give_the_same(monkeypatch, weights):
    whole = pearson(weights), spearman(weights), average_variance(weights)
    monkeypatch.setattr("holdfast.stability.weights._CELLS_AT_ONCE", 70)
    assert (pearson(weights), spearman(weights), average_variance(weights)) == pytest.approx(whole, abs=1e-13)


@pytest.mark.parametrize("index", ["pearson", "spearman"])
def test_the_matrix_holds_the_correlation_of_each_pair(weights, index):
    correlate = {"pearson": pearsonr, "spearman": spearmanr}[index]
    matrix = pairwise_weights(weights, index=index)
    for i, j in combinations(range(7), 2):
        assert matrix[i, j] == matrix[j, i] == pytest.approx(correlate(weights[i], weights[j]).statistic, abs=1e-12)
    assert np.allclose(np.diag(matrix), 1.0)


def test_scale_and_shift_do_not_matter_for_pearson(weights):
    scaled = weights * np.array([1e-200, 1e200, 3.0, 1.0, 7.0, 0.1, 5.0])[:, None]
    assert pearson(scaled) == pytest.approx(pearson(weights), abs=1e-12)
    assert pearson(weights + 10.0) == pytest.approx(pearson(weights), abs=1e-12)


def test_identical_runs_agree_fully_and_opposite_ones_not_at_all(weights):
    assert pearson([weights[0], weights[0], weights[0]]) == pytest.approx(1.0)
    assert spearman([weights[0], np.exp(weights[0])]) == pytest.approx(1.0)
    assert pearson([weights[0], -weights[0]]) == pytest.approx(-1.0)


def test_a_run_that_weighs_all_features_alike_has_no_correlation():
    flat = [[0.1, 0.1, 0.1], [1.0, 2.0, 3.0]]
    assert math.isnan(pearson(flat))
    assert math.isnan(spearman(flat))
    assert math.isnan(pairwise_weights(flat)[0, 1])


def test_average_variance_of_the_worked_example():
    rows = [[0.6, 0.4, 0.0], [0.4, 0.5, 0.1], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]
    assert average_variance(rows) == pytest.approx(0.01)
    assert average_variance([rows[0]] * 3) == pytest.approx(0.0, abs=1e-30)


def test_infinite_weights_are_last_or_first_by_rank_and_refused_by_size():
    rows = [[3.0, 2.0, -np.inf], [3.0, 1.0, -np.inf]]
    assert spearman(rows) == pytest.approx(1.0)
    for measure in (pearson, average_variance):
        with pytest.raises(ValueError, match=r"Run 0 gives feature 2 an infinite weight.*use spearman"):
            measure(rows)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param([[1.0, np.nan], [1.0, 2.0]], "Run 0 has no weight for feature 1", id="missing"),
        pytest.param([[1.0, 2.0]], "at least 2 runs", id="one run"),
        pytest.param([1.0, 2.0], "must be", id="one dimension"),
        pytest.param([[1.0, 2.0], [1.0]], "cannot be read as numbers", id="ragged"),
        pytest.param([["a"], ["b"]], "cannot be read as numbers", id="words"),
    ],
)
def test_what_cannot_be_weights_is_refused_with_the_reason(given, words):
    for measure in (pearson, spearman, average_variance):
        with pytest.raises(ValueError, match=words):
            measure(given)


def test_an_unknown_kind_of_correlation_is_refused(weights):
    with pytest.raises(ValueError, match="'pearson' or 'spearman'"):
        pairwise_weights(weights, index="kendall")


@pytest.fixture
def data(seed):
    rng = np.random.default_rng([seed, 33])
    y = np.arange(40) % 2
    return pd.DataFrame(rng.normal(size=(40, 8)) + np.outer(y, np.linspace(3, 0, 8)), columns=list("abcdefgh")), y


def test_selectors_give_their_scores_and_ranks(data):
    X, y = data
    fitted = [FTest(3).fit(X[:24], y[:24]), FTest(3).fit(X[16:], y[16:])]
    assert pearson(fitted) == pytest.approx(pearson([selector.scores_ for selector in fitted]))
    assert spearman(fitted) == pytest.approx(spearman([selector.ranking_ for selector in fitted]))


def test_selectors_that_saw_the_columns_in_another_order_are_matched_by_name(data):
    X, y = data
    fitted = [FTest(3).fit(X, y), FTest(3).fit(X[list("hgfedcba")], y)]
    assert pearson(fitted) == pytest.approx(1.0)
    assert spearman(fitted) == pytest.approx(1.0)


def test_a_constant_feature_of_a_selector_is_ranked_last(data):
    X, y = data
    X = X.assign(a=1.0)
    fitted = [ReliefF(3).fit(X[:24], y[:24]), ReliefF(3).fit(X[16:], y[16:])]
    assert -1.0 <= spearman(fitted) <= 1.0
    with pytest.raises(ValueError, match="infinite weight"):
        pearson(fitted)


def test_selectors_that_score_only_what_they_choose_are_compared_by_rank(data):
    X, y = data
    fitted = [MRMR(3).fit(X[:24], y[:24]), MRMR(3).fit(X[16:], y[16:])]
    assert -1.0 <= spearman(fitted) <= 1.0
    with pytest.raises(ValueError, match="use spearman, which reads their ranks"):
        pearson(fitted)


def test_selectors_without_scores_are_refused():
    with pytest.raises(ValueError, match="Not all of the selectors have scores_"):
        pearson([FTest(3), FTest(3)])
