"""Which samples a run sees: sizes, classes, groups, and that run i depends on the seed and on i only."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, StratifiedKFold

from holdfast import DataError
from holdfast.stability import (
    bootstraps,
    complementary_pairs,
    feature_noise,
    folds,
    half_samples,
    leave_one_out,
    subsamples,
)
from holdfast.stability._draw import PERTURBATIONS, draw

ROWS = {
    "half-samples": half_samples,
    "subsample": subsamples,
    "complementary-pairs": complementary_pairs,
    "bootstrap": bootstraps,
    "bootstrap of all": lambda *a, **k: bootstraps(*a, stratified=False, **k),
    "subsample of all": lambda *a, **k: subsamples(*a, stratified=False, **k),
    "folds": folds,
}
every_draw = pytest.mark.parametrize("draw_rows", ROWS.values(), ids=ROWS.keys())
without_replacement = pytest.mark.parametrize(
    "draw_rows", [d for name, d in ROWS.items() if "bootstrap" not in name], ids=[n for n in ROWS if "boot" not in n]
)


@pytest.fixture
def target(seed):
    """Three classes of 17, 9 and 6 samples."""
    return np.random.default_rng([seed, 50]).permutation(np.repeat([0, 1, 2], [17, 9, 6]))


def as_lists(drawn):
    return [rows.tolist() for rows in drawn]


@every_draw
def test_rows_are_ascending_numbers_of_samples(draw_rows, target, seed):
    for rows in draw_rows(target, 8, seed):
        assert rows.tolist() == sorted(rows)
        assert 0 <= rows.min() <= rows.max() < len(target)


@without_replacement
def test_no_sample_comes_twice(draw_rows, target, seed):
    assert all(len(set(rows)) == len(rows) for rows in draw_rows(target, 8, seed))


@every_draw
def test_the_same_seed_draws_the_same_and_another_seed_does_not(draw_rows, target, seed):
    first = as_lists(draw_rows(target, 8, seed))
    assert first == as_lists(draw_rows(target, 8, seed))
    assert first != as_lists(draw_rows(target, 8, seed + 1000))


@pytest.mark.parametrize(
    "draw_rows", [d for n, d in ROWS.items() if n != "folds"], ids=[n for n in ROWS if n != "folds"]
)
def test_more_runs_leave_the_first_ones_as_they_are(draw_rows, target, seed):
    assert as_lists(draw_rows(target, 12, seed))[:4] == as_lists(draw_rows(target, 4, seed))


def test_more_repeats_leave_the_first_folds_as_they_are(target, seed):
    once, twice = (folds(target, 5, seed, n_repeats=n) for n in (1, 2))
    assert as_lists(once) == as_lists(twice)[:5]


@every_draw
def test_a_generator_is_advanced_and_draws_anew(draw_rows, target, seed):
    rng = np.random.default_rng(seed)
    assert as_lists(draw_rows(target, 8, rng)) != as_lists(draw_rows(target, 8, rng))


@every_draw
def test_names_of_classes_that_sort_alike_draw_alike(draw_rows, target, seed):
    named = np.array(["after", "before", "control"], dtype=object)[target]
    assert as_lists(draw_rows(target, 6, seed)) == as_lists(draw_rows(named, 6, seed))


@pytest.mark.parametrize("share", [0.2, 0.5, 2 / 3, 0.9])
def test_a_subsample_holds_the_share_of_every_class_and_at_least_two(share, target, seed):
    expected = [max(2, int(share * size + 0.5)) for size in (17, 9, 6)]
    for rows in subsamples(target, 5, seed, share=share):
        assert np.bincount(target[rows]).tolist() == expected


def test_a_subsample_of_all_has_the_share_of_the_samples(target, seed):
    assert {len(rows) for rows in subsamples(target, 5, seed, share=0.25, stratified=False)} == {8}


def test_half_samples_are_subsamples_of_a_half(target, seed):
    assert as_lists(half_samples(target, 4, seed)) == as_lists(subsamples(target, 4, seed, share=0.5))


def test_a_half_is_rounded_up():
    assert len(half_samples([0] * 5 + [1] * 4, 1, 0)[0]) == 3 + 2


@pytest.mark.parametrize("sizes", [(8, 8), (7, 5), (9, 4, 3), (5, 5, 5, 5)])
def test_pairs_share_no_sample_and_cover_all(sizes, seed):
    target = np.repeat(np.arange(len(sizes)), sizes)
    drawn = complementary_pairs(target, 10, seed)
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(len(target)))
        # Odd classes leave their single sample in turn, so that neither half gains more than one by it.
        assert abs(len(first) - len(second)) <= 1
        for c, size in enumerate(sizes):
            assert abs((target[first] == c).sum() - size / 2) <= 0.5


def test_an_odd_number_of_halves_is_refused(target):
    with pytest.raises(ValueError, match=r"n_runs=7 is odd.*even"):
        complementary_pairs(target, 7)


def test_a_bootstrap_by_class_keeps_the_sizes_of_the_classes(target, seed):
    for rows in bootstraps(target, 10, seed):
        assert np.bincount(target[rows]).tolist() == [17, 9, 6]


def test_a_bootstrap_leaves_out_about_a_third_of_the_samples(seed):
    target = np.repeat([0, 1], 200)
    left_out = [1 - len(set(rows)) / 400 for rows in bootstraps(target, 20, seed)]
    assert 0.33 < np.mean(left_out) < 0.41


@pytest.mark.parametrize("stratified", [True, False])
def test_a_bootstrap_holds_every_class_however_small(stratified, seed):
    target = np.repeat([0, 1, 2], [20, 2, 1])
    for rows in bootstraps(target, 40, seed, stratified=stratified):
        assert set(target[rows]) == {0, 1, 2}


def test_a_bootstrap_by_class_holds_two_different_samples_of_a_pair(seed):
    target = np.repeat([0, 1], [6, 2])
    assert all({6, 7} <= set(rows) for rows in bootstraps(target, 40, seed))


def test_classes_of_one_sample_are_refused_if_drawing_from_all_never_meets_them(seed):
    with pytest.raises(DataError, match=r"left out a class.*stratified=True"):
        bootstraps(np.arange(30).astype(str), 1, seed, stratified=False)


@pytest.mark.parametrize("n_folds", [2, 3, 10, 32])
def test_folds_leave_every_sample_out_once(n_folds, target, seed):
    left_out = [sorted(set(range(32)) - set(rows)) for rows in folds(target, n_folds, seed)]
    assert len(left_out) == n_folds
    assert sorted(row for part in left_out for row in part) == list(range(32))
    assert max(map(len, left_out)) - min(map(len, left_out)) <= 1


def test_folds_spread_every_class_evenly(target, seed):
    for c, size in enumerate((17, 9, 6)):
        counts = [size - (target[rows] == c).sum() for rows in folds(target, 3, seed)]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("n_folds", [1, 33])
def test_a_number_of_folds_that_cannot_be_is_refused(n_folds, target):
    with pytest.raises(ValueError, match=rf"{n_folds} .*32 samples"):
        folds(target, n_folds)


def test_leaving_one_out_leaves_each_out_in_turn(target):
    assert as_lists(leave_one_out(target)) == [[j for j in range(32) if j != i] for i in range(32)]


@pytest.fixture
def groups(target, seed):
    """Patients of one to three samples, each of one class."""
    rng = np.random.default_rng([seed, 51])
    patient = np.empty(len(target), dtype=object)
    for c in range(3):
        rows = np.flatnonzero(target == c)
        patient[rows] = [f"patient {c}-{i}" for i in rng.integers(0, len(rows) // 2 + 1, len(rows))]
    return patient


@every_draw
def test_a_group_is_never_split(draw_rows, target, groups, seed):
    for rows in draw_rows(target, 6, seed, groups=groups):
        counts = np.bincount(rows, minlength=len(target))
        for patient in set(groups):
            assert len(set(counts[groups == patient])) == 1


@every_draw
def test_groups_of_one_sample_each_are_no_groups(draw_rows, target, seed):
    alone = np.arange(len(target))
    assert as_lists(draw_rows(target, 6, seed, groups=alone)) == as_lists(draw_rows(target, 6, seed))


def test_pairs_of_groups_cover_all_and_share_none(target, groups, seed):
    drawn = complementary_pairs(target, 6, seed, groups=groups)
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(len(target)))
        assert not set(groups[first]) & set(groups[second])


def test_groups_are_left_out_together(target, groups):
    drawn = leave_one_out(target, groups=groups)
    assert len(drawn) == len(set(groups))
    assert all(len(set(groups) - set(groups[rows])) == 1 for rows in drawn)


def test_leaving_out_the_only_group_is_refused(target):
    for draw_rows in (
        leave_one_out,
        partial(bootstraps, n_runs=2),
        partial(half_samples, n_runs=2),
        partial(folds, n_folds=2),
    ):
        with pytest.raises(DataError, match="of one group"):
            draw_rows(target, groups=np.zeros(len(target)))


@pytest.mark.parametrize("missing", [None, np.nan])
def test_groups_that_are_missing_are_refused(target, missing):
    with pytest.raises(DataError, match="groups are missing"):
        half_samples(target, 2, groups=[missing, *range(len(target) - 1)])


def test_halving_the_only_group_is_refused(target):
    with pytest.raises(DataError, match=r"one (group|sample)"):
        complementary_pairs(target, 2, groups=np.zeros(len(target)))


def test_a_group_of_several_classes_counts_for_that_of_most_of_its_samples(seed):
    target = np.array([0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1])
    groups = np.repeat([0, 1, 2, 3], 3)
    for rows in half_samples(target, 5, seed, groups=groups):
        # Two groups stand for each class, and a half of two is both of them.
        assert set(groups[rows]) == {0, 1, 2, 3}


@every_draw
def test_groups_of_another_length_are_refused(draw_rows, target):
    with pytest.raises(ValueError, match=r"groups has shape \(2,\).*32 samples"):
        draw_rows(target, 4, 0, groups=[1, 2])


@every_draw
def test_a_target_that_is_no_list_of_labels_is_refused(draw_rows):
    with pytest.raises(ValueError, match=r"target has shape \(2, 2\)"):
        draw_rows([[0, 1], [1, 0]], 2, 0)


@every_draw
def test_a_measured_target_is_drawn_above_and_below_its_median(draw_rows, seed):
    measured = np.random.default_rng([seed, 52]).normal(size=21)
    above = (measured > np.median(measured)).astype(int)
    assert as_lists(draw_rows(measured, 4, seed)) == as_lists(draw_rows(above, 4, seed))


@pytest.mark.parametrize("draw_rows", [half_samples, subsamples, bootstraps, complementary_pairs])
def test_no_runs_are_refused(draw_rows, target):
    with pytest.raises(ValueError, match=r"n_runs=0 gives nothing.*at least 1"):
        draw_rows(target, 0)


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_a_share_that_is_none_is_refused(share, target):
    with pytest.raises(ValueError, match="share="):
        subsamples(target, 1, share=share)


def test_noise_has_the_asked_share_of_the_spread_of_each_feature(seed):
    X = np.random.default_rng([seed, 53]).normal(size=(500, 4)) * [1, 10, 0.1, 0] + [5, 0, 0, 3]
    for noisy in feature_noise(X, 3, seed, scale=0.2):
        np.testing.assert_allclose((noisy - X).std(axis=0), 0.2 * X.std(axis=0), rtol=0.15)
        assert np.array_equal(noisy[:, 3], X[:, 3])


def test_noise_of_a_run_depends_on_the_seed_and_its_number_only(seed):
    X = np.random.default_rng([seed, 54]).normal(size=(6, 3))
    few, many = list(feature_noise(X, 2, seed)), list(feature_noise(X, 5, seed))
    assert np.array_equal(few, many[:2])
    assert not np.array_equal(many[0], many[1])


def test_no_noise_is_the_table_itself():
    X = np.arange(6.0).reshape(3, 2)
    assert all(np.array_equal(noisy, X) for noisy in feature_noise(X, 2, 0, scale=0))


def test_noise_leaves_missing_values_missing_and_the_table_as_it_was(seed):
    X = np.arange(8.0).reshape(4, 2)
    X[1, 0] = np.nan
    before = X.copy()
    (noisy,) = feature_noise(X, 1, seed)
    assert np.array_equal(np.isnan(noisy), np.isnan(X))
    assert np.array_equal(X, before, equal_nan=True)


@pytest.mark.parametrize("scale", [-1, float("nan")])
def test_a_negative_spread_of_noise_is_refused(scale):
    with pytest.raises(ValueError, match="scale="):
        list(feature_noise(np.ones((2, 2)), 1, scale=scale))


NAMES = [name for name in PERTURBATIONS if name != "feature-noise"]


@pytest.mark.parametrize("name", NAMES)
def test_a_perturbation_by_name_is_its_function(name, target, seed):
    functions = {**ROWS, "leave-one-out": lambda target, n_runs, random_state: leave_one_out(target)}
    assert as_lists(draw(name, target, 4, seed)) == as_lists(functions[name](target, 4, seed))


@pytest.mark.parametrize("name", NAMES)
def test_a_perturbation_by_name_keeps_groups_together(name, target, groups, seed):
    for rows in draw(name, target, 4, seed, groups):
        counts = np.bincount(rows, minlength=len(target))
        assert all(len(set(counts[groups == patient])) == 1 for patient in set(groups))


def test_lists_of_rows_and_masks_are_taken_as_they_are():
    mask = np.array([True, False, True, True])
    drawn = draw([[3, 0, 0], mask, (1, 2)], np.array([0, 1, 0, 1]), 99, None)
    assert as_lists(drawn) == [[0, 0, 3], [0, 2, 3], [1, 2]]


def test_a_splitter_gives_its_training_parts(target):
    drawn = draw(StratifiedKFold(4), target, 99, None)
    assert as_lists(drawn) == [sorted(train) for train, _ in StratifiedKFold(4).split(np.zeros((32, 1)), target)]
    groups = np.arange(32) // 4
    for rows in draw(GroupKFold(4), target, 99, None, groups):
        assert len(set(groups[rows])) == 6


def test_a_function_is_asked_with_target_runs_and_seed(target):
    asked = []

    def rows(*arguments):
        asked.append(arguments)
        return [np.arange(5)]

    assert as_lists(draw(rows, target, 7, 3)) == [[0, 1, 2, 3, 4]]
    assert asked[0][0] is target
    assert asked[0][1:] == (7, 3)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([[]], "at least one"),
        ([[0, 1], [0, 4]], "names row 4, but there are 4 samples"),
        ([[-1]], "row -1"),
        ([[0.5, 1]], "row numbers"),
        ([["a"]], "row numbers"),
        ([[[0, 1]]], "row numbers"),
        ([np.ones(3, dtype=bool)], "mask of shape"),
    ],
)
def test_rows_that_are_none_are_refused_naming_the_run(rows, says):
    with pytest.raises(ValueError, match=rf"(?s)perturb: run \d.*{says}"):
        draw(rows, np.array([0, 1, 0, 1]), 1, None)
