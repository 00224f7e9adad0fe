"""What the measures of stability promise: 0 by chance, intervals that hold the truth, a test of its level."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.stability.adjusted import nogueira_adjusted
from holdfast.stability.correlated import correlated_pairs, similarity
from holdfast.stability.index import jaccard, kuncheva, lustgarten, percentage_overlap
from holdfast.stability.nogueira import nogueira, nogueira_interval, nogueira_test
from holdfast.stability.orders import entropy, pairing
from holdfast.stability.overlap import npogr, pogr
from holdfast.stability.weights import pearson, spearman

N_FEATURES = 60
# In standard errors: so far off once in 1.7 million draws.
FAR = 5.0


def _subsets(rng, sizes, n_features=N_FEATURES):
    runs = np.zeros((len(sizes), n_features), dtype=bool)
    for row, size in zip(runs, sizes, strict=True):
        row[rng.choice(n_features, size, replace=False)] = True
    return runs


def assert_mean(values, expected):
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert np.mean(values) == pytest.approx(expected, abs=FAR * error)


@pytest.fixture
def rng(seed):
    return np.random.default_rng([seed, 91])


@pytest.fixture
def table(rng):
    return rng.normal(size=(40, 6)) @ rng.normal(size=(6, N_FEATURES)) + rng.normal(size=(40, N_FEATURES))


@pytest.mark.parametrize("index", [kuncheva, nogueira, lustgarten])
@pytest.mark.parametrize("size", [1, 12, 30, 55])
def test_random_selections_of_one_size_agree_by_chance(index, size, rng):
    assert_mean([index(_subsets(rng, [size] * 5)) for _ in range(300)], 0.0)


def test_random_selections_of_several_sizes_agree_by_chance_by_lustgarten(rng):
    assert_mean([lustgarten(_subsets(rng, rng.integers(1, 59, size=5))) for _ in range(400)], 0.0)


@pytest.mark.parametrize("index", [pogr, npogr])
def test_random_selections_cover_each_other_by_chance(index, rng, table):
    pairs = correlated_pairs(table)
    assert pairs.nnz > 0
    values = [index(_subsets(rng, [3, 8, 8, 20]), pairs) for _ in range(200)]
    if index is npogr:
        assert_mean(values, 0.0)
    else:
        assert np.mean(values) > percentage_overlap(_subsets(rng, [3, 8, 8, 20]))


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_random_selections_agree_by_chance_where_features_are_alike(rng, table, threshold):
    alike = similarity(table, threshold=threshold)
    assert_mean([nogueira_adjusted(_subsets(rng, [9] * 6), alike) for _ in range(300)], 0.0)


@pytest.mark.parametrize(("n_times", "level"), [(1, -0.026), (17, -0.001)])
def test_sizes_that_differ_take_nogueira_a_little_below_0_by_chance(n_times, level, rng):
    sizes = np.array([5, 15, 25] * n_times)
    expected = -sizes.var() / (len(sizes) - 1) / (15 * (100 - 15))
    assert round(expected, 3) == level
    assert_mean([nogueira(_subsets(rng, sizes, 100)) for _ in range(400)], expected)


def test_plain_overlap_by_chance_grows_with_the_size(rng):
    levels = [np.mean([jaccard(_subsets(rng, [size] * 5)) for _ in range(50)]) for size in (3, 12, 30, 55)]
    assert (np.diff(levels) > 0.05).all()
    overlaps = [percentage_overlap(_subsets(rng, [12] * 5)) for _ in range(200)]
    assert_mean(overlaps, 12 / N_FEATURES)


@pytest.mark.parametrize("measure", [pearson, spearman])
def test_random_weights_agree_by_chance(measure, rng):
    assert_mean([measure(rng.exponential(size=(5, 30))) for _ in range(300)], 0.0)


def test_random_orders_agree_by_chance_at_every_size(rng):
    values = np.array(
        [pairing(rng.permuted(np.tile(np.arange(12), (4, 1)), axis=1), n_features=12) for _ in range(500)]
    )
    for size in range(1, 12):
        assert_mean(values[:, size - 1], 0.0)


def test_random_orders_leave_almost_as_many_features_competing_as_there_are(rng):
    orders = rng.permuted(np.tile(np.arange(10), (2000, 1)), axis=1)
    assert (entropy(orders) > 9.9).all()


def _true_stability(shares):
    return 1 - np.mean(shares * (1 - shares)) / (shares.mean() * (1 - shares.mean()))


@pytest.fixture
def shares():
    """How often a selector chooses each of 100 features: few often, most hardly ever; a stability of 0.27."""
    return np.random.default_rng(5).beta(0.3, 2.0, size=100)


def test_the_interval_of_95_percent_holds_the_truth_about_as_often_with_100_runs(rng, shares):
    truth = _true_stability(shares)
    found = [nogueira_interval(rng.random((100, 100)) < shares) for _ in range(600)]
    assert 0.91 <= np.mean([one.low <= truth <= one.high for one in found]) <= 0.99


def test_the_interval_of_95_percent_holds_the_truth_less_often_with_5_runs(rng, shares):
    truth = _true_stability(shares)
    found = [nogueira_interval(rng.random((5, 100)) < shares) for _ in range(600)]
    assert 0.71 <= np.mean([one.low <= truth <= one.high for one in found]) <= 0.93


def test_the_interval_holds_for_a_selector_that_takes_the_best_of_noisy_scores(rng):
    signal = np.r_[np.linspace(3, 0, 30), np.zeros(70)]

    def choose(n_runs):
        order = np.argsort(-(signal + 0.7 * rng.normal(size=(n_runs, 100))), axis=1)
        runs = np.zeros((n_runs, 100), dtype=bool)
        np.put_along_axis(runs, order[:, :10], True, axis=1)
        return runs

    truth = _true_stability(choose(40_000).mean(axis=0))
    found = [nogueira_interval(choose(100)) for _ in range(500)]
    assert 0.90 <= np.mean([one.low <= truth <= one.high for one in found]) <= 0.99


def test_the_standard_error_is_the_spread_of_the_value(rng, shares):
    found = [nogueira_interval(rng.random((60, 100)) < shares) for _ in range(600)]
    spread = np.std([one.value for one in found], ddof=1)
    assert np.mean([one.std_error for one in found]) == pytest.approx(spread, rel=0.15)


def test_the_test_of_5_percent_rejects_equal_selectors_about_as_often(rng, shares):
    p_values = [
        nogueira_test(rng.random((50, 100)) < shares, rng.random((40, 100)) < shares).p_value for _ in range(500)
    ]
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.10


def test_the_test_finds_a_selector_that_is_clearly_less_stable(rng, shares):
    duller = 0.7 * shares + 0.3 * shares.mean()
    p_values = [
        nogueira_test(rng.random((50, 100)) < shares, rng.random((50, 100)) < duller).p_value for _ in range(50)
    ]
    assert np.mean(np.array(p_values) < 0.05) > 0.9
