"""The experiments of Hosseini 2018, chapter 4, on small data: classifiers, units, searches and folds."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from holdfast._errors import DataError
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, predicted, rates
from holdfast.reproduce.hosseini._experiments import diverse, resplit_inside, times_of_bins, times_of_pools
from holdfast.reproduce.hosseini._fixed import (
    ALL,
    class_ranges,
    counts,
    dcor_of,
    each_dropped,
    held_out,
    left_out,
    other_splits,
    resplit,
    screened,
)
from holdfast.reproduce.hosseini._searches import (
    OUTSIDE,
    folds,
    judged,
    over_folds,
    right_in_fold,
    search,
    searched,
    searched_inside,
    timed_in_turn,
)
from holdfast.reproduce.hosseini._tables import (
    BY_TRAIN,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    PER_SET,
    POOLED,
    SETS,
    Data,
    by_range,
    load,
    scaled_parts,
)
from unit.reproduce.shelves import as_found

# Scaled samples of the worked example of the specification, section 8.2, and a query.
WORKED = np.array([[0, 0.4], [0.125, 0], [0.375, 0.2], [0.5, 1], [1, 0.8]])
CLASSES = np.array([0, 0, 0, 1, 1])


def small(n_samples=40, n_features=30, seed=0):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n_samples // 2)
    X = rng.normal(size=(n_samples, n_features))
    X[:, :3] += 2 * y[:, np.newaxis]
    return Data("Lung", X, y, np.arange(n_samples) < n_samples // 2)


@pytest.fixture
def shelf(tmp_path):
    """Lung and Leukemia in small."""
    for file, names in (("lung_gordon", ["mesothelioma", "adenocarcinoma"]), ("leukemia", ["ALL", "AML"])):
        data = small()
        split = np.where(data.is_train, "train", "test")
        np.savez(tmp_path / f"{file}.npz", X=data.X, y=1 - data.y, class_names=np.array(names), split=split)
    return as_found(SETS, tmp_path)


def test_rates_are_those_of_the_specification():
    truth = np.repeat([1, 0], [25, 9])
    answers = truth.copy()
    answers[0] = 0
    assert rates(truth, answers) == pytest.approx((0.970588, 0.96, 1, 0.979796, 0.979592), abs=1e-6)
    assert rates(truth, np.ones_like(truth))[2:] == (0, 0, 0)


@pytest.mark.parametrize("classifier", ["NB", "LDA", "kNN"])
def test_classifiers_answer_as_in_the_worked_example(classifier):
    assert predicted(classifier, WORKED, CLASSES, np.array([[0.6, 0.5]])) == 0


def test_without_features_the_class_of_most_is_the_answer():
    assert predicted("SVM", WORKED[:, :0], CLASSES, np.zeros((2, 0))).tolist() == [0, 0]
    assert predicted("SVM", WORKED[:, :0], 1 - CLASSES, np.zeros((1, 0))).tolist() == [1]


@pytest.mark.parametrize("classifier", list(CLASSIFIERS))
def test_clear_classes_are_told_apart_and_a_constant_feature_does_no_harm(classifier):
    data = small()
    X = np.column_stack([data.X[:, :3] + 3 * data.y[:, np.newaxis], np.zeros(len(data.y))])
    assert (predicted(classifier, X[:20], data.y[:20], X[20:]) == data.y[20:]).mean() >= 0.95


def test_logistic_regression_is_the_maximum_of_the_likelihood():
    data = small()
    X = data.X[:, 5:7] + 0.3 * data.y[:, np.newaxis]
    grid = np.linspace(-3, 3, 601)
    others = np.column_stack([grid, 0 * grid])
    expected = LogisticRegression(C=1e8, tol=1e-10, max_iter=1000).fit(X, data.y).predict(others)
    assert (predicted("LogReg", X, data.y, others) != expected).sum() <= 1


def test_each_way_of_scaling_uses_its_own_samples():
    train, test = np.array([[0.0], [10.0]]), np.array([[5.0], [25.0]])
    found = {how: [part.ravel().tolist() for part in scaled_parts(train, test, how)] for how in (PER_SET, BY_TRAIN)}
    assert found == {PER_SET: [[0, 1], [0, 1]], BY_TRAIN: [[0, 1], [0.5, 2.5]]}
    assert [part.ravel().tolist() for part in scaled_parts(train, test, POOLED)] == [[0, 0.4], [0.2, 1]]
    assert by_range(np.ones((3, 1))).tolist() == [[0], [0], [0]]


def test_the_positive_class_is_that_of_the_thesis(shelf):
    data = load(shelf, "Lung")
    assert data.y.tolist() == small().y.tolist()
    assert data.rows(HOLD_OUT).tolist() == list(range(20))
    assert len(data.rows(LEAVE_ONE_OUT)) == 40


def test_a_copy_with_other_classes_is_refused(tmp_path):
    np.savez(tmp_path / "colon.npz", X=np.ones((4, 2)), y=np.array([0, 0, 1, 1]), class_names=np.array(["a", "b"]))
    with pytest.raises(DataError, match="Colon must have class_names, one of them normal"):
        load(as_found(SETS, tmp_path), "Colon")


def test_a_copy_without_the_nominal_split_is_refused(tmp_path):
    names = np.array(["ALL", "AML"])
    np.savez(tmp_path / "leukemia.npz", X=np.ones((4, 2)), y=np.array([0, 0, 1, 1]), class_names=names)
    with pytest.raises(DataError, match="Leukemia must have split"):
        load(as_found(SETS, tmp_path), "Leukemia")


def test_a_missing_value_is_100_in_a_published_model_and_a_constant_feature_is_counted_apart():
    data = small()
    X = data.X.copy()
    X[:, 7] = np.nan
    found = screened(Data("Breast", X, data.y, data.is_train), LEAVE_ONE_OUT, 0.95)
    assert found["n_constant"] == 1
    assert 3 <= found["n_kept"] < 10
    assert found["between"][0] < 0.05 <= found["between"][1]


def test_models_without_a_feature_have_both_test_accuracies():
    data = small()
    found = each_dropped(data, (1, 2, 9), "kNN")
    assert list(found) == [ALL, "without 1", "without 2", "without 9"]
    assert found["without 9"]["dCor"] == pytest.approx(dcor_of(data.X[:20, :2], data.y[:20]), abs=1e-12)
    assert found["without 9"]["dCor"] > found["without 1"]["dCor"]
    assert found[ALL]["J_te, training range"] == held_out(data, (1, 2, 9), "kNN", BY_TRAIN)["J_te"]


def test_other_splits_have_the_nominal_sizes_and_are_drawn_from_the_seed():
    data = small()
    found = resplit(data, (1, 2), "NB", 3, 4)
    assert len(found) == 4
    assert (found * 20).round(9).tolist() == (found * 20).round().tolist()
    assert found.tolist() == resplit(data, (1, 2), "NB", 3, 4).tolist()


def test_features_are_counted_from_1_in_the_whole_file_also_if_some_miss_values():
    data = small()
    X = np.insert(data.X, [0, 2], np.nan, axis=1)
    with_gaps = Data("Lung", X, data.y, np.ones(40, dtype=bool))
    found = search(with_gaps, np.arange(40), 0.9, 10, 0)
    assert set(found["model"]) <= {2, 3, 5}
    assert found["value"] == pytest.approx(dcor_of(X[:, np.array(found["model"]) - 1], data.y), abs=1e-12)


def test_a_run_with_the_same_seed_is_the_same_but_for_its_time():
    data = small()
    runs = [search(data, data.rows(HOLD_OUT), 0.9, 10, 5) for _ in range(2)]
    assert {key: value for key, value in runs[0].items() if key != "seconds"} == {
        key: value for key, value in runs[1].items() if key != "seconds"
    }


def test_a_model_is_judged_on_the_test_part_or_on_samples_left_out():
    data = small()
    held = judged(data, HOLD_OUT, (1, 2), 0, 2)
    assert held[BY_TRAIN]["NB"] == held_out(data, (1, 2), "NB", BY_TRAIN)["J_te"]
    left = judged(data, LEAVE_ONE_OUT, (1, 2), 0, 2)
    assert left[LEAVE_ONE_OUT]["kNN"] == left_out(data, (1, 2), "kNN")
    assert left[OUTSIDE] == over_folds(data, [(1, 2)] * 2, 0, POOLED)


def test_folds_never_share_samples_and_add_up_to_all():
    data = small()
    every = folds(data, 3, 10)
    assert all(not set(train) & set(test) for train, test in every)
    assert sorted(np.concatenate([test for _, test in every])) == list(range(40))


def test_choosing_on_all_samples_finds_something_in_noise_and_choosing_inside_does_not():
    noise = np.random.default_rng(1).normal(size=(60, 4000))
    plain = Data("Lung", noise, np.tile([0, 1], 30), np.ones(60, dtype=bool))
    strength = [abs(noise[train].T @ (plain.y[train] - 0.5)) for train, _ in folds(plain, 0, 10)]
    inside = [tuple(np.argsort(-one)[:20] + 1) for one in strength]
    outside = tuple(np.argsort(-abs(noise.T @ (plain.y - 0.5)))[:20] + 1)
    assert over_folds(plain, inside, 0, BY_TRAIN)["LDA"] < 0.7
    assert over_folds(plain, [outside] * 10, 0, POOLED)["LDA"] > 0.9


def test_a_part_on_all_samples_has_its_run_and_what_classifiers_make_of_it(shelf):
    found = searched(LEAVE_ONE_OUT, "Leukemia", 10, 0, 2, shelf)
    assert set(found["model"]) <= {1, 2, 3}
    assert found["n_judged"] == 40
    assert found["accuracy"][LEAVE_ONE_OUT]["NB"] == left_out(load(shelf, "Leukemia"), found["model"], "NB")
    assert searched(HOLD_OUT, "Leukemia", 10, 0, 2, shelf)["n_judged"] == 20


def test_a_part_inside_a_fold_is_chosen_without_it(shelf):
    data = load(shelf, "Leukemia")
    train, test = folds(data, 1, 4)[2]
    found = searched_inside("Leukemia", 10, 1, 2, 4, shelf)
    assert found["model"] == search(data, train, 0.95, 10, 1)["model"]
    assert found["right"] == right_in_fold(data, found["model"], (train, test), BY_TRAIN)
    assert found["n_judged"] == len(test) == 10


def test_runs_in_turn_are_of_both_tables_on_their_training_parts(shelf):
    found = timed_in_turn(10, 0, shelf)
    assert list(found) == ["Lung", "Leukemia"]
    lung = load(shelf, "Lung")
    assert found["Lung"]["model"] == search(lung, lung.rows(HOLD_OUT), 0.95, 10, 0)["model"]
    assert all(run["seconds"] > 0 for run in found.values())


def test_logistic_regression_keeps_the_likelier_coefficients_when_a_step_overshoots():
    X = np.array([[1.0, -8], [-6, 2], [14, 55], [-3, -6], [-6, 12], [-24, 0], [99, -6]])
    y = np.array([1, 0, 0, 0, 0, 0, 1])
    assert predicted("LogReg", X, y, X).tolist() == y.tolist()


def test_a_gap_of_a_tested_sample_is_the_mean_of_the_training_samples():
    data = small()
    X = data.X.copy()
    X[30, 0] = np.nan
    gaps = Data("Breast", X, data.y, data.is_train)
    assert gaps.model([1])[30, 0] == 100
    train = np.arange(20)
    assert gaps.model([1], train)[30, 0] == pytest.approx(data.X[:20, 0].mean())
    filled = X.copy()
    filled[30, 0] = data.X[:20, 0].mean()
    fold = (train, np.arange(20, 40))
    expected = right_in_fold(Data("Breast", filled, data.y, data.is_train), [1, 2], fold, BY_TRAIN)
    assert right_in_fold(gaps, [1, 2], fold, BY_TRAIN) == expected
    assert judged(gaps, HOLD_OUT, [1, 2], 0, 2) == judged(
        Data("Breast", filled, data.y, data.is_train), HOLD_OUT, [1, 2], 0, 2
    )


def test_a_run_on_the_nominal_split_has_all_measures_by_the_training_range(shelf):
    found = searched(HOLD_OUT, "Leukemia", 10, 0, 2, shelf)
    data = load(shelf, "Leukemia")
    assert found["measures"]["NB"] == held_out(data, found["model"], "NB", BY_TRAIN)
    assert "measures" not in searched(LEAVE_ONE_OUT, "Leukemia", 10, 0, 2, shelf)


def test_counts_are_of_the_positive_class_and_of_both_parts(shelf):
    assert counts("Lung", shelf) == {"features": 30, "samples": {"train": [10, 10], "test": [10, 10]}}


def test_ranges_of_classes_that_meet_share_a_length_and_its_samples():
    X = np.array([[0.0], [6.0], [4.0], [10.0], [0.0], [1.0], [3.0], [4.0]])
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1])
    train, test = class_ranges(Data("Lung", X, y, np.arange(8) < 4), [1])
    assert (train["part"], train["overlap"], train["n_within"]) == ("train", pytest.approx(0.2), 2)
    assert (test["overlap"], test["n_within"], test["n_samples"]) == (0.0, 0, 4)
    assert train["quantiles"][0][0] == pytest.approx(0.4)


def test_a_search_inside_another_split_sees_its_training_part_only(shelf):
    data = load(shelf, "Leukemia")
    splits = other_splits(data, 0, 3)
    assert [len(train) for train, _ in splits] == [20, 20, 20]
    train, test = splits[2]
    found = resplit_inside("Leukemia", 10, 2, shelf)
    assert found["model"] == search(data, train, 0.95, 10, 2)["model"]
    assert found["right"] == right_in_fold(data, found["model"], (train, test), BY_TRAIN)


def test_features_left_out_of_a_search_are_not_found(shelf):
    data = load(shelf, "Leukemia")
    whole = search(data, np.arange(40), 0.9, 10, 0)["model"]
    assert whole[0] not in search(data, np.arange(40), 0.9, 10, 0, [whole[0]])["model"]


def test_searches_without_a_feature_never_find_it_again_and_stop_when_told(shelf):
    found = diverse("Leukemia", 10, 4, shelf)
    assert found["first"]["without"] == []
    assert 1 <= len(found["others"]) <= 4
    assert all(not set(one["without"]) & set(one["model"]) for one in found["others"])
    assert len({tuple(one["without"]) for one in found["others"]}) == len(found["others"])
    errors = round(40 * (1 - left_out(load(shelf, "Leukemia"), found["first"]["model"], "NB")))
    assert found["first"]["errors"] == errors


@pytest.fixture
def colon(tmp_path):
    data = small()
    np.savez(tmp_path / "colon.npz", X=data.X, y=1 - data.y, class_names=np.array(["normal", "tumor"]))
    return as_found(SETS, tmp_path)


def test_times_are_of_every_size_limit_and_number_of_bins(colon):
    bins = times_of_bins(1, colon)
    assert len({(run["size"], run["limit"]) for run in bins}) == len(bins) == 24
    assert all(run["iterations"] <= run["limit"] for run in bins)
    assert all(run["converged"] for run in bins if run["iterations"] < run["limit"])
    pools = times_of_pools(20, 0, (1, 4), colon)
    assert [run["n_bins"] for run in pools] == [1, 4]
    assert all(run["seconds"] > 0 and run["evaluations"] > 0 for run in pools)
