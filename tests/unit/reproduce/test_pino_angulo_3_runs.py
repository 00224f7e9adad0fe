"""The experiments of chapter 3 of Pino Angulo 2019 on made-up tables."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from holdfast.measures._tree import decision_tree
from holdfast.reproduce.pino_angulo._areas3 import MOST_FOR_SVM, Areas, gaussian_bayes, naive_bayes
from holdfast.reproduce.pino_angulo._runs3 import (
    FILTERS,
    N_TIMED,
    Effort,
    annealed_inside_task,
    annealed_task,
    chosen,
    filtered_task,
    n_removable,
    removed_task,
    swept_task,
)
from holdfast.reproduce.pino_angulo._tables3 import BY_CLASS, SETS, TEN_BINS, Task, load, split_of, with_gaps_as_values
from unit.reproduce.shelves import as_found


def made(n_features=12, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], [22, 20, 3])
    X = rng.normal(size=(len(y), n_features))
    X[:, :4] += 1.5 * (y[:, np.newaxis] == [0, 0, 1, 1])
    return Task("made", X, y)


def test_naive_bayes_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    levels, y = rng.integers(0, 4, size=(60, 5)), np.arange(60) % 3
    for train, test in split_of(Task("small", levels.astype(float), y), 0):
        plain = CategoricalNB(alpha=1.0, min_categories=levels.max(axis=0) + 1).fit(levels[train], y[train])
        np.testing.assert_allclose(
            naive_bayes(levels, y, 3, train, test), plain.predict_proba(levels[test]), atol=1e-12
        )


def test_naive_bayes_on_numbers_is_that_of_scikit_learn():
    task = made()
    for train, test in split_of(task, 0):
        plain = GaussianNB(var_smoothing=0.0).fit(task.X[train], task.y[train])
        np.testing.assert_allclose(
            gaussian_bayes(task.X, task.y, 3, train, test), plain.predict_proba(task.X[test]), atol=1e-9
        )


def test_naive_bayes_on_numbers_stands_a_value_that_a_class_always_has_and_a_class_that_is_not_there():
    values = np.column_stack([[0.0, 0, 0, 3, 4, 5, 0, 9], np.full(8, 7.0)])
    y = np.array([0, 0, 0, 1, 1, 1, 0, 1])
    chances = gaussian_bayes(values, y, 3, np.arange(6), np.array([6, 7]))
    assert np.isfinite(chances).all()
    assert chances[0].argmax() == 0
    assert chances[1].argmax() == 1
    assert (chances[:, 2] == 0).all()


def test_naive_bayes_sees_numbers_and_not_the_levels_that_all_samples_made():
    task = made()
    split = split_of(task, 0)
    scores = cross_val_predict(GaussianNB(), task.X[:, :3], task.y, cv=split, method="predict_proba")
    area = roc_auc_score(task.y, scores, multi_class="ovr", average="weighted")
    assert Areas(task, split).of_one("NB", np.arange(3)) == pytest.approx(area, abs=0.01)


def test_the_area_is_over_all_folds_together_and_weighted_by_class():
    task = made()
    split = split_of(task, 0)
    columns = np.array([0, 2, 7])
    scores = cross_val_predict(decision_tree(), task.X[:, columns], task.y, cv=split, method="predict_proba")
    area = roc_auc_score(task.y, scores, multi_class="ovr", average="weighted")
    assert Areas(task, split).of_one("tree", columns[::-1]) == pytest.approx(area)


@pytest.mark.parametrize("classifier", ["NB", "tree", "SVM"])
def test_no_feature_at_all_has_an_area_of_one_half(classifier):
    task = made()
    assert Areas(task, split_of(task, 0)).of_one(classifier, np.array([], dtype=int)) == pytest.approx(0.5)


def test_a_choice_inside_the_folds_does_not_see_the_test_samples():
    task = made()
    train, test = split_of(task, 0)[0]
    other = replace(task, X=task.X.copy(), y=task.y.copy())
    other.X[test] = 99.0
    other.y[test] = 1
    for method in FILTERS:
        picks = [chosen(one, method, one.levels_by(train), train).tolist() for one in (task, other)]
        assert picks[0] == picks[1], method


def test_relief_keeps_what_is_above_the_cut_and_one_feature_at_least():
    task = made()
    everything = np.arange(len(task.y))
    assert 0 < len(chosen(task, "RF", task.levels, everything)) < 12
    noise = replace(task, X=np.random.default_rng(0).normal(size=(45, 3)))
    assert len(chosen(noise, "RF", noise.levels, everything)) == 1


def test_nominal_features_are_indicators_to_tree_and_machine():
    task = Task("bases", np.array([[0.0, 3.0], [1.0, 2.0]]), np.array([0, 1]), is_discrete=True, n_indicators=3)
    assert task.values(np.array([0, 1])).tolist() == [[0, 0, 0, 0, 0, 1], [1, 0, 0, 0, 1, 0]]
    assert task.levels.tolist() == [[0, 3], [1, 2]]


def test_a_gap_in_numbers_has_a_bin_of_its_own():
    X = np.array([[0.0], [np.nan], [0.01], [9.0], [4.0]])
    filled = with_gaps_as_values(X, is_discrete=False)
    assert filled[1, 0] == -1.125
    levels = Task("gap", filled, np.array([0, 1, 0, 1, 0]), n_bins=10).levels[:, 0]
    assert (levels == levels[1]).tolist() == [False, True, False, False, False]


def test_a_gap_among_levels_is_one_more_level_and_a_feature_of_gaps_is_constant():
    X = np.array([[0.0, np.nan], [2.0, np.nan], [np.nan, np.nan]])
    filled = with_gaps_as_values(X, is_discrete=True)
    assert filled[:, 0].tolist() == [0, 2, 3]
    assert np.ptp(filled[:, 1]) == 0


def test_a_table_without_gaps_stays_as_it_is():
    X = np.arange(6.0).reshape(3, 2)
    assert with_gaps_as_values(X, is_discrete=False) is X


@pytest.fixture
def shelf(tmp_path):
    rng = np.random.default_rng(0)
    bases = rng.integers(0, 4, size=(30, 60))
    indicators = (bases[:, :, np.newaxis] == [1, 2, 3]).reshape(30, 180)
    np.savez(tmp_path / "dna_splice.npz", X=indicators.astype(np.uint8), y=np.arange(30) % 3)
    np.savez(tmp_path / "satimage.npz", X=rng.normal(size=(2400, 2)), y=np.arange(2400) % 6)
    np.savez(tmp_path / "wdbc.npz", X=rng.normal(size=(30, 2)), y=2.0 * (np.arange(30) % 2))
    np.savez(
        tmp_path / "prostate.npz", X=rng.normal(size=(30, 2)), y=np.arange(30) % 2, split=["train"] * 20 + ["test"] * 10
    )
    found = as_found(SETS, tmp_path)
    return found, bases


def test_three_indicators_make_a_base_again(shelf):
    task = load("Splice", shelf[0])
    np.testing.assert_array_equal(task.X, shelf[1])
    assert (task.is_discrete, task.n_indicators) == (True, 3)


def test_of_a_large_stand_in_two_thousand_samples_are_drawn_each_class_by_its_share(shelf):
    n_of_class = np.bincount(load("Satimage", shelf[0]).y)
    assert n_of_class.sum() == 2000
    assert set(n_of_class) <= {333, 334}


def test_classes_are_numbered_from_0_and_samples_of_another_laboratory_left_out(shelf):
    assert set(load("WDBC", shelf[0]).y) == {0, 1}
    assert len(load("prostate", shelf[0]).y) == 20


def test_numbers_are_cut_by_class_or_into_ten_bins(shelf):
    assert load("WDBC", shelf[0], BY_CLASS).n_bins is None
    assert load("WDBC", shelf[0], TEN_BINS).n_bins == 10


@pytest.fixture(scope="module", params=[12, 104])
def swept(request):
    task = made(request.param)
    return task, swept_task(task, Effort((0.0, 0.01, 0.1), 2, {"NB": 2, "tree": 1}))


def test_searches_keep_to_the_threshold(swept):
    _, found = swept
    risk_of_all = next(one["risks"][0] for one in found if one["delta"] == 0.0)
    for one in found:
        assert (np.array(one["risks"]) >= risk_of_all).all()
        assert (np.array(one["risks"]) <= risk_of_all + one["delta"] + 1e-9).all()


def test_evaluations_are_as_many_as_the_search_needs(swept):
    task, found = swept
    n = task.X.shape[1]
    for one in found:
        k, evaluations = np.array(one["sizes"]), np.array(one["n_evaluations"])
        all_pairs = (n + k) * (n - k + 1) // 2
        if one["method"] == "SDCC":
            np.testing.assert_array_equal(evaluations, all_pairs)
        elif one["method"] == "LCC":
            assert evaluations.tolist() == [n]
        else:
            assert n <= evaluations[0] <= all_pairs[0]


def test_at_threshold_0_all_but_sdcc_keep_the_same(swept):
    kept = [one["subsets"] for one in swept[1] if one["delta"] == 0.0 and one["method"] != "SDCC"]
    assert kept[0] == kept[1] == kept[2]


def test_only_sdcc_has_several_orders_but_all_are_timed_several_times(swept):
    for one in swept[1]:
        is_drawn = one["method"] == "SDCC"
        assert len(one["sizes"]) == len(one["subsets"]) == (2 if is_drawn else 1)
        assert len(one["seconds"]) == (2 if is_drawn else N_TIMED)


def test_a_table_too_large_for_a_machine_is_judged_by_the_others():
    task = made(4)
    n = MOST_FOR_SVM // len(task.y) + 1
    large = replace(task, X=np.tile(task.X, (n, 1)), y=np.tile(task.y, n))
    found = filtered_task(large, ("FCBF",), ("NB", "SVM"))
    assert set(found["FCBF"]["auc"]) == set(found["FCBF"]["auc_inside"]) == {"NB"}


def test_filters_are_judged_on_all_samples_and_inside_the_folds():
    found = filtered_task(made(), FILTERS, ("NB", "tree", "SVM"))
    json.dumps(found)
    assert list(found) == list(FILTERS)
    for one in found.values():
        assert one["size"] > 0
        assert len(one["sizes_inside"]) == 10
        assert all(0 <= area <= 1 for area in (*one["auc"].values(), *one["auc_inside"].values()))


def test_constant_features_are_among_those_that_go_at_once():
    task = made()
    X = task.X.copy()
    X[:, 5] = 1.0
    one = removed_task(replace(task, X=X))
    assert 1 <= one["n_constant"] <= one["n_removed"] <= one["n_features"] == 12


def test_equally_relevant_features_that_can_go_are_counted_too():
    y = np.array([0, 0, 1, 1])
    levels = np.column_stack([y, y, y])
    # Each tells all, so two of the three go though none is less relevant than the one that stays.
    assert n_removable(levels, y, np.ones(3)) == 2
    assert n_removable(np.zeros((4, 3), dtype=int), y, np.zeros(3)) == 3


def test_salcc_goes_no_higher_than_its_largest_threshold_and_not_beyond_what_all_features_leave():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    task = Task("noise", rng.integers(0, 2, size=(60, 2)).astype(float), y, is_discrete=True)
    one = annealed_task(task)
    assert one["delta"] >= 0.4
    easy = annealed_task(made())
    assert easy["delta"] <= 0.4 + 1e-9


@pytest.mark.parametrize("is_nominal", [False, True])
def test_salcc_is_between_lcc_and_the_best_of_all_sets(is_nominal):
    task = made()
    if is_nominal:
        task = replace(task, X=np.clip(np.round(task.X), 0, 2), is_discrete=True, n_indicators=2)
    one = annealed_task(task)
    json.dumps(one)
    assert one["lcc_score"] <= one["salcc_score"] <= one["best_score"]
    assert one["slcc_score"] <= one["best_score"]
    assert 0 < one["n_judged"] <= one["n_all"]
    assert 0 <= one["delta"] <= 0.4 + 1e-9


def test_salcc_inside_the_folds_has_a_choice_for_each():
    one = annealed_inside_task(made())
    json.dumps(one)
    assert len(one["sizes"]) == len(one["n_judged"]) == len(one["lcc_sizes"]) == 10
    assert all(0 <= area <= 1 for area in one["auc"].values())
