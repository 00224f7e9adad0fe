"""Intervals over samples and over runs, against doing it sample by sample, and how often they cover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from holdfast.evaluate import _bootstrap
from holdfast.evaluate._bootstrap import (
    Predictions,
    bootstrap_weights,
    intervals,
    jackknife_interval,
    jackknife_intervals,
)
from holdfast.evaluate.metrics import METRICS, weighted_metrics
from oracles import comparisons


def a_study(rng, n=40, n_classes=2, n_parts=4, n_repeats=2):
    """Repeated cross-validation of a classifier that is better than chance."""
    truth = rng.integers(n_classes, size=n)
    scores = rng.normal(size=(n, n_classes))
    scores[np.arange(n), truth] += 1
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    predicted = probabilities.argmax(axis=1)
    given = probabilities[:, 1] if n_classes == 2 else probabilities
    parts = [rows for _ in range(n_repeats) for rows in np.array_split(rng.permutation(n), n_parts)]
    return [Predictions(rows, truth[rows], predicted[rows], given[rows], True) for rows in parts]


def only(split, kept):
    """The test part with each sample as often as it is kept."""
    rows = np.repeat(np.arange(len(split.rows)), kept[split.rows])
    return Predictions(split.rows[rows], split.truth[rows], split.predicted[rows], split.scores[rows], True)


def mean_metric(splits, n_classes, name):
    values = [
        weighted_metrics(s.truth, s.predicted, s.scores, True, n_classes, np.ones((1, len(s.rows))))[name][0]
        for s in splits
    ]
    return np.mean([value for value in values if not np.isnan(value)])


def test_every_draw_has_as_many_samples_as_there_are():
    weights = bootstrap_weights(17, n_draws=50)
    assert weights.shape == (50, 17)
    assert (weights.sum(axis=1) == 17).all()
    assert weights.dtype.kind == "i"


def test_draws_depend_on_the_seed_and_on_their_number_only():
    weights = bootstrap_weights(10, n_draws=100, seed=3)
    assert (bootstrap_weights(10, n_draws=100, seed=3) == weights).all()
    assert (bootstrap_weights(10, n_draws=30, seed=3) == weights[:30]).all()
    assert (bootstrap_weights(10, n_draws=100, seed=4) != weights).any()


def test_multiplicities_are_those_of_draws_with_replacement(seed):
    weights = bootstrap_weights(20, n_draws=5000, seed=seed)
    assert weights.mean(axis=0) == pytest.approx(np.ones(20), abs=0.08)
    assert (weights == 0).mean() == pytest.approx((1 - 1 / 20) ** 20, abs=0.01)


def test_groups_are_drawn_whole_and_as_many_as_there_are():
    groups = np.array(["a", "b", "a", "c", "b", "a"])
    weights = bootstrap_weights(6, n_draws=200, groups=groups)
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 0] == weights[:, 5]).all()
    assert (weights[:, 1] == weights[:, 4]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()


def test_renamed_groups_are_drawn_alike_and_groups_of_one_as_samples():
    one = bootstrap_weights(4, groups=["a", "b", "a", "c"])
    assert (one == bootstrap_weights(4, groups=["z", "y", "z", "x"])).all()
    assert (bootstrap_weights(4, groups=[9, 5, 7, 1]) == bootstrap_weights(4)).all()


def test_no_draws_give_no_rows():
    assert bootstrap_weights(5, n_draws=0).shape == (0, 5)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_intervals_are_those_of_judging_the_drawn_samples_one_draw_after_the_other(n_classes, seed):
    splits = a_study(np.random.default_rng([seed, 77]), n_classes=n_classes)
    weights = bootstrap_weights(40, n_draws=25, seed=seed)
    found = intervals(splits, n_classes, weights, level=0.8)
    for name in METRICS:
        draws = [mean_metric([only(split, kept) for split in splits], n_classes, name) for kept in weights]
        assert found[name].value == pytest.approx(mean_metric(splits, n_classes, name), rel=1e-12)
        assert [found[name].low, found[name].high] == pytest.approx(np.quantile(draws, [0.1, 0.9]), rel=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("is_grouped", [False, True])
def test_the_jackknife_is_that_of_leaving_out_one_unit_after_the_other(n_classes, is_grouped, seed):
    rng = np.random.default_rng([seed, 78])
    splits = a_study(rng, n_classes=n_classes)
    groups = rng.permutation(np.arange(40) // 3) if is_grouped else np.arange(40)
    found = jackknife_intervals(splits, n_classes, 40, groups=groups if is_grouped else None, level=0.9)
    for name in METRICS:
        without = np.array(
            [
                mean_metric([only(split, (groups != unit).astype(int)) for split in splits], n_classes, name)
                for unit in np.unique(groups)
            ]
        )
        n = len(without)
        reach = t.ppf(0.95, n - 1) * np.sqrt((n - 1) * np.var(without))
        value = mean_metric(splits, n_classes, name)
        assert found[name].value == pytest.approx(value, rel=1e-12)
        assert found[name].low == pytest.approx(max(0.0, value - reach), rel=1e-9)
        assert found[name].high == pytest.approx(min(1.0, value + reach), rel=1e-9)


def test_both_kinds_of_intervals_give_the_plain_metric_of_every_split(seed):
    splits = a_study(np.random.default_rng([seed, 79]), n=12, n_parts=6)
    drawn, left_out = intervals(splits, 2, bootstrap_weights(12, 10)), jackknife_intervals(splits, 2, 12)
    for name in METRICS:
        expected = [
            weighted_metrics(s.truth, s.predicted, s.scores, True, 2, np.ones((1, len(s.rows))))[name][0]
            for s in splits
        ]
        assert drawn[name].per_split.tolist() == pytest.approx(expected, nan_ok=True)
        assert left_out[name].per_split.tolist() == pytest.approx(expected, nan_ok=True)


def test_draws_in_small_blocks_give_the_same_bits(seed, monkeypatch):
    splits, weights = a_study(np.random.default_rng([seed, 80])), bootstrap_weights(40, 30)
    whole = intervals(splits, 2, weights)
    monkeypatch.setattr(_bootstrap, "_ENTRIES_AT_ONCE", 1)
    parts = intervals(splits, 2, weights)
    assert all((whole[m].low, whole[m].high) == (parts[m].low, parts[m].high) for m in METRICS)


def test_splits_in_which_a_metric_is_undefined_are_left_out():
    one_class = Predictions(np.array([0, 1]), np.array([1, 1]), np.array([1, 0]), np.array([0.8, 0.4]), True)
    both = Predictions(np.array([2, 3]), np.array([0, 1]), np.array([0, 1]), np.array([0.3, 0.9]), True)
    found = intervals([one_class, both], 2, bootstrap_weights(4))
    assert found["auc"].value == found["auc"].low == found["auc"].high == 1.0
    assert np.isnan(found["auc"].per_split[0])
    assert found["accuracy"].value == 0.75


def test_a_metric_that_no_split_defines_is_undefined():
    split = Predictions(np.array([0, 1]), np.array([1, 1]), np.array([1, 0]))
    for found in (intervals([split], 2, bootstrap_weights(2)), jackknife_intervals([split], 2, 2)):
        assert np.isnan([found["auc"].value, found["auc"].low, found["auc"].high]).all()


def test_without_draws_there_are_values_and_no_ends(seed):
    found = intervals(a_study(np.random.default_rng([seed, 81])), 2, bootstrap_weights(40, n_draws=0))
    assert all(not np.isnan(one.value) and np.isnan([one.low, one.high]).all() for one in found.values())


def test_a_metric_that_hangs_on_one_sample_has_no_jackknife_interval():
    split = Predictions(np.arange(4), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))
    found = jackknife_intervals([split], 2, 4)
    assert found["sensitivity"].value == 1.0
    assert np.isnan([found["sensitivity"].low, found["sensitivity"].high]).all()
    assert not np.isnan(found["accuracy"].low)


def test_samples_that_are_never_tested_do_not_count(seed):
    splits = a_study(np.random.default_rng([seed, 82]), n=20)
    few, many = jackknife_intervals(splits, 2, 20), jackknife_intervals(splits, 2, 500)
    assert all(few[name].low == many[name].low for name in METRICS)


def test_no_splits_have_no_metrics():
    for found in (intervals([], 2, bootstrap_weights(3, 5)), jackknife_intervals([], 2, 3)):
        assert all(np.isnan([one.value, one.low, one.high]).all() and len(one.per_split) == 0 for one in found.values())


def test_a_pooled_test_part_may_hold_a_sample_twice():
    rows = np.array([0, 1, 2, 0, 1, 2])
    split = Predictions(rows, np.array([0, 1, 1, 0, 1, 1]), np.array([0, 1, 0, 0, 1, 1]))
    found = jackknife_intervals([split], 2, 3)["accuracy"]
    without = np.array([3 / 4, 3 / 4, 1.0])
    reach = t.ppf(0.975, 2) * np.sqrt(2 * np.var(without))
    assert found.low == pytest.approx(max(0, 5 / 6 - reach))
    assert intervals([split], 2, np.array([[1, 0, 0], [0, 0, 1]]), level=0.5)["accuracy"].low == pytest.approx(0.625)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_jackknife_covers_about_as_often_as_it_says(n_classes, seed):
    rng = np.random.default_rng([seed, 83])
    population = a_study(rng, n=40000, n_classes=n_classes, n_parts=4000, n_repeats=1)
    truth = {name: one.value for name, one in intervals(population, n_classes, bootstrap_weights(40000, 0)).items()}
    n_studies = 200
    covers = dict.fromkeys(METRICS, 0)
    for _ in range(n_studies):
        found = jackknife_intervals(a_study(rng, n=80, n_classes=n_classes, n_parts=8, n_repeats=3), n_classes, 80)
        for name in METRICS:
            covers[name] += found[name].low <= truth[name] <= found[name].high
    assert all(0.87 <= times / n_studies <= 1.0 for times in covers.values())
    assert 0.91 <= np.mean(list(covers.values())) / n_studies <= 0.98


def test_the_interval_of_agreement_is_that_of_leaving_out_one_run_after_the_other(seed):
    rng = np.random.default_rng([seed, 84])
    n = 9
    agreement = rng.random((n, n))
    agreement = (agreement + agreement.T) / 2
    mean = comparisons.mean_over_pairs(agreement, range(n))
    without = [comparisons.mean_over_pairs(agreement, [run for run in range(n) if run != left]) for left in range(n)]
    reach = t.ppf(0.95, n - 1) * np.sqrt((n - 1) * np.var(without))
    assert jackknife_interval(agreement, level=0.9) == pytest.approx((mean - reach, mean + reach), rel=1e-12)


def test_runs_that_agree_alike_have_an_interval_of_no_length():
    assert jackknife_interval(np.full((5, 5), 0.5)) == (0.5, 0.5)


def test_the_diagonal_does_not_matter(seed):
    agreement = np.random.default_rng([seed, 85]).random((6, 6))
    other = agreement.copy()
    np.fill_diagonal(other, np.nan)
    assert jackknife_interval(agreement) == jackknife_interval(other)
    assert np.isnan(np.diag(other)).all()


@pytest.mark.parametrize("n_runs", [0, 1, 2])
def test_fewer_than_three_runs_have_no_interval(n_runs):
    assert np.isnan(jackknife_interval(np.ones((n_runs, n_runs)))).all()


def test_an_undefined_agreement_leaves_the_interval_undefined():
    agreement = np.ones((5, 5))
    agreement[1, 3] = agreement[3, 1] = np.nan
    assert np.isnan(jackknife_interval(agreement)).all()


def jaccard(chosen):
    shared = chosen.astype(float) @ chosen.T
    sizes = chosen.sum(axis=1)
    return shared / (sizes[:, None] + sizes - shared)


def test_the_interval_covers_the_mean_jaccard_of_independent_runs_about_as_often_as_it_says(seed):
    rng = np.random.default_rng([seed, 86])
    chance = np.concatenate([np.full(10, 0.8), np.full(10, 0.4), np.full(80, 0.05)])
    many = jaccard(rng.random((1500, 100)) < chance)
    truth = (many.sum() - np.trace(many)) / (1500 * 1499)
    covered = 0
    for _ in range(500):
        low, high = jackknife_interval(jaccard(rng.random((25, 100)) < chance))
        covered += low <= truth <= high
    assert 0.91 <= covered / 500 <= 0.985


def test_random_selections_of_one_size_are_covered_more_often_than_promised(seed):
    """Their agreement does not hang on any single run, and the jackknife then errs to the safe side."""
    rng = np.random.default_rng([seed, 87])
    runs = rng.random((300 * 20, 30)).argsort(axis=1) < 6
    truth = np.mean(
        [jaccard(runs[start : start + 200])[~np.eye(200, dtype=bool)].mean() for start in range(0, 6000, 200)]
    )
    covered = 0
    for start in range(0, 6000, 20):
        low, high = jackknife_interval(jaccard(runs[start : start + 20]))
        covered += low <= truth <= high
    assert covered / 300 >= 0.95


@pytest.mark.parametrize("level", [0.05, 1.0, "high"])
def test_what_is_no_confidence_is_refused(level):
    for make in (
        lambda: intervals([], 2, bootstrap_weights(3, 5), level=level),
        lambda: jackknife_intervals([], 2, 3, level=level),
        lambda: jackknife_interval(np.ones((3, 3)), level),
    ):
        with pytest.raises(ValueError, match="level="):
            make()


@pytest.mark.parametrize("agreement", [[1, 2, 3], [[1, 2, 3], [1, 2, 3]]])
def test_what_is_no_square_table_is_refused(agreement):
    with pytest.raises(ValueError, match="one row and one column per run"):
        jackknife_interval(agreement)
