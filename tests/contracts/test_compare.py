"""What every method of the registry promises inside a study: lists of the training part alone, whatever the order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest

import holdfast
from holdfast.data import Table
from holdfast.evaluate.cell import evaluate_alone
from oracles.datasets import plain
from oracles.studies import chosen_columns, planned, seed_of, small_table, without_costs

METHODS = holdfast.methods()
FAMILIES = list(dict.fromkeys(method.family for method in METHODS))
# Some of each family for the quick tier; the long one has them all.
SOME = ["f-test", "mrmr+", "relieff", "svm-rfe", "en-relieff(n_runs=4)", "cfs"]
EVERY = [
    f"{method.name}({', '.join(small)})" if small else method.name
    for method in METHODS
    for small in [[f"{key}={value}" for key, value in method.test_parameters.items() if key != "n_features_to_select"]]
]
SETS = [pytest.param(SOME, id="some"), pytest.param(EVERY, id="every", marks=pytest.mark.slow)]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
every_family = pytest.mark.parametrize("family", FAMILIES)


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 50)


def _table(seed, n_classes=2):
    """Small, and without negative values, which some methods do not take."""
    frame, y = small_table(seed, 24, 12, n_classes)
    return frame - frame.min(), y


def _name(method):
    """A method as a user names it, in the small settings of its row."""
    return EVERY[METHODS.index(method)]


def _names(family, n_classes=2):
    kind = "binary" if n_classes == 2 else "multi-class"
    return [_name(method) for method in METHODS if method.family == family and kind in method.takes]


def _study(frame, y, methods, **asked):
    asked = {"sizes": [3], "classifiers": ["nb"], "protocol": "2cv", **asked}
    return holdfast.compare(frame, y, methods=methods, **asked)


def _by_name(study):
    """What each method chose on each split and on all samples, by name, and what was predicted from it."""
    names = study.plan.table.feature_names
    return {
        cell: (
            {size: [names[j] for j in columns] for size, columns in result["chosen"].items()},
            result.get("predictions"),
        )
        for cell, result in study.found.items()
    }


@every_method
def test_a_study_has_the_lists_that_the_method_gives_for_each_size(method, seed):
    frame, y = _table(seed)
    # Settings would have every size fitted by itself.
    study = _study(frame, y, [method.name if method.is_prefix else _name(method)], sizes=[2, 5])
    rows = [frame.index.get_loc(name) for name in study.plan.table.sample_names]
    ordered, codes = frame.iloc[rows], y[rows]
    for number, split in enumerate(study.plan.splits):
        for size in (2, 5):
            small = {} if method.is_prefix else method.test_parameters
            selector = plain(method, **{**small, "n_features_to_select": size})
            if "random_state" in selector.get_params():
                selector.set_params(random_state=seed_of(0, number))
            classes = None if method.name == "laplacian" else codes[split.train]
            expected = chosen_columns(selector, ordered.iloc[split.train], classes)
            assert study.found[0, number]["chosen"][str(size)] == expected, size


@every_method
def test_nothing_of_the_test_samples_reaches_a_list_or_another_prediction(method, seed):
    frame, y = _table(seed)
    plan = planned(frame, y, methods=[_name(method)], sizes=[3], classifiers=["nb", "knn"], protocol="2cv")
    expected, _ = evaluate_alone(plan, 0, 1)
    first, *others = plan.splits[1].test
    far, target = plan.table.X.copy(), np.array(plan.table.target)
    far[first] = 1e6 * (1 + np.arange(far.shape[1]))
    target[plan.splits[1].test] = 1 - target[plan.splits[1].test]
    mislabelled = Table(plan.table.X, plan.table.feature_names, plan.table.sample_names, target)
    assert evaluate_alone(replace(plan, table=mislabelled), 0, 1)[0] == expected
    moved = Table(far, plan.table.feature_names, plan.table.sample_names, plan.table.target)
    found, _ = evaluate_alone(replace(plan, table=moved), 0, 1)
    assert found["chosen"] == expected["chosen"]
    assert len(others) > 5
    for judge in ("nb", "knn"):
        one, other = (result["predictions"][judge]["3"] for result in (found, expected))
        assert one["predicted"][1:] == other["predicted"][1:]
        assert one["scores"][1:] == other["scores"][1:]


@pytest.mark.parametrize("asked", [{"impute": "median"}, {"tune_size": True, "sizes": [2, 5]}], ids=["filled", "tuned"])
def test_nothing_of_the_test_samples_reaches_what_is_filled_or_tuned(asked, seed):
    frame, y = small_table(seed, n_missing=80 if "impute" in asked else 0)
    plan = planned(frame, y, **asked)
    expected, _ = evaluate_alone(plan, 0, 2)
    first = plan.splits[2].test[0]
    far, target = plan.table.X.copy(), np.array(plan.table.target)
    far[first], target[plan.splits[2].test] = 1e9, 1 - target[plan.splits[2].test]
    moved = Table(far, plan.table.feature_names, plan.table.sample_names, target)
    found, _ = evaluate_alone(replace(plan, table=moved), 0, 2)
    assert found["chosen"] == expected["chosen"]
    assert found.get("tuned") == expected.get("tuned")
    for size, answers in found["predictions"]["nb"].items():
        assert answers["predicted"][1:] == expected["predictions"]["nb"][size]["predicted"][1:]
        assert answers["scores"][1:] == expected["predictions"]["nb"][size]["scores"][1:]


@every_family
def test_shuffled_rows_give_the_same_lists_and_predictions_to_the_last_digit(family, seed):
    frame, y = _table(seed)
    order = np.random.default_rng([seed, 21]).permutation(len(y))
    study, moved = _study(frame, y, _names(family)), _study(frame.iloc[order], y[order], _names(family))
    assert study.found == moved.found
    assert study.plan.digest == moved.plan.digest


@pytest.mark.parametrize("methods", SETS)
def test_shuffled_rows_give_the_same_summary_to_the_last_digit(methods, seed):
    frame, y = _table(seed)
    order = np.random.default_rng([seed, 21]).permutation(len(y))
    study, moved = _study(frame, y, methods), _study(frame.iloc[order], y[order], methods)
    assert without_costs(study) == without_costs(moved)


def test_shuffled_rows_with_groups_and_missing_values_give_the_same_summary(seed):
    frame, y = small_table(seed, n_missing=40, n_classes=3)
    groups = np.array([f"family {i // 2}" for i in range(36)])
    order = np.random.default_rng([seed, 22]).permutation(36)
    asked = {"impute": "mean", "protocol": "bootstrapx3", "tune_size": True, "sizes": [2, 5]}
    study = _study(frame, y, ["f-test", "relieff"], groups=groups, **asked)
    moved = _study(frame.iloc[order], y[order], ["f-test", "relieff"], groups=groups[order], **asked)
    assert without_costs(study) == without_costs(moved)


def test_shuffled_rows_of_which_some_are_copies_give_the_same_summary(seed):
    rng = np.random.default_rng([seed, 25])
    # Three values only, and every sample twice: most ties and all equal samples are told apart by name.
    X, y = np.repeat(rng.integers(0, 3, size=(12, 12)), 2, axis=0), np.repeat(np.arange(12) % 2, 2)
    frame = pd.DataFrame(X.astype(float), index=[f"patient {i}" for i in range(24)]).add_prefix("gene")
    order = rng.permutation(24)
    study, moved = (_study(frame.iloc[rows], y[rows], SOME) for rows in (np.arange(24), order))
    assert without_costs(study) == without_costs(moved)


def test_shuffled_rows_without_names_give_the_same_numbers(seed):
    # Without names a sample is called by its row, so only names of samples may differ.
    frame, y = small_table(seed)
    order = np.random.default_rng([seed, 23]).permutation(36)
    study, moved = (_study(frame.to_numpy()[rows], y[rows], ["f-test", "mrmr+"]) for rows in (np.arange(36), order))
    one, other = study.summary(), moved.summary()
    for part in ("results", "selections", "comparisons", "agreement", "recommendation"):
        assert one[part] == other[part], part


@every_family
def test_shuffled_columns_give_the_same_names_and_predictions_to_the_last_digit(family, seed):
    frame, y = _table(seed)
    order = np.random.default_rng([seed, 24]).permutation(frame.shape[1])
    study, moved = _study(frame, y, _names(family)), _study(frame.iloc[:, order], y, _names(family))
    assert _by_name(study) == _by_name(moved)


@pytest.mark.parametrize("methods", SETS)
def test_shuffled_columns_give_the_same_metrics_and_the_same_recommendation(methods, seed):
    frame, y = _table(seed)
    order = np.random.default_rng([seed, 24]).permutation(frame.shape[1])
    study, moved = _study(frame, y, methods), _study(frame.iloc[:, order], y, methods)
    assert study.results == moved.results
    assert study.recommendation == moved.recommendation
    assert study.plan.digest != moved.plan.digest


def _renamed(y):
    """Classes of which the positive one now comes first in the order of names."""
    return np.where(y == 1, "aches", "no pain")


@every_family
def test_renamed_classes_give_the_same_lists_and_predictions_to_the_last_digit(family, seed):
    frame, y = _table(seed)
    study, renamed = _study(frame, y, _names(family)), _study(frame, _renamed(y), _names(family), positive="aches")
    assert study.found == renamed.found


@pytest.mark.parametrize("methods", SETS)
def test_renamed_classes_give_the_same_metrics_and_the_same_recommendation(methods, seed):
    frame, y = _table(seed)
    study, renamed = _study(frame, y, methods), _study(frame, _renamed(y), methods, positive="aches")
    assert study.results == renamed.results
    assert study.recommendation == renamed.recommendation


@pytest.mark.slow
@every_family
def test_renamed_classes_of_three_give_the_same_lists_and_the_same_accuracy(family, seed):
    frame, y = _table(seed, 3)
    study, renamed = (
        _study(frame, labels, _names(family, 3)) for labels in (y, np.array(["mild", "severe", "healthy"])[y])
    )
    found, found_renamed = _by_name(study), _by_name(renamed)
    assert {cell: lists for cell, (lists, _) in found.items()} == {
        cell: lists for cell, (lists, _) in found_renamed.items()
    }
    # Without features, of classes of one size the one is foretold whose name comes first.
    has_empty = {study.plan.methods[method].name for (method, _), (lists, _) in found.items() if [] in lists.values()}
    for one, other in zip(study.results, renamed.results, strict=True):
        if one["method"] not in has_empty:
            assert one["accuracy"] == other["accuracy"]


@every_family
def test_every_method_runs_on_several_classes_and_leaves_its_input_alone(family, seed):
    frame, y = _table(seed, 3)
    X, target = frame.to_numpy().copy(), y.copy()
    X.flags.writeable = target.flags.writeable = False
    before, labels = X.copy(), target.copy()
    study = _study(X, target, _names(family, 3))
    assert study.is_complete
    assert len(study.found) == 3 * len(_names(family, 3))
    assert np.array_equal(X, before)
    assert np.array_equal(target, labels)


def test_a_data_frame_is_left_alone(seed):
    frame, y = small_table(seed, n_missing=10)
    before = frame.copy()
    _study(frame, y, ["f-test"], impute="median")
    assert frame.equals(before)


@pytest.mark.parametrize("workers", [2, -1])
def test_two_threads_give_the_same_summary_to_the_last_digit(workers, seed):
    frame, y = _table(seed)
    alone, both = (_study(frame, y, SOME, classifiers=["nb", "svm"], workers=number) for number in (1, workers))
    assert without_costs(alone) == without_costs(both)


@pytest.mark.slow
@every_family
def test_two_threads_give_every_method_the_same_summary_to_the_last_digit(family, seed):
    frame, y = _table(seed)
    alone, both = (_study(frame, y, _names(family), workers=workers) for workers in (1, 2))
    assert without_costs(alone) == without_costs(both)


@pytest.mark.slow
@pytest.mark.parametrize("methods", [["f-test", "mrmr+", "svm-rfe", "en-relieff(n_runs=4)"], ["f-test", SelectKBest()]])
def test_two_processes_give_the_same_summary_to_the_last_digit(methods, monkeypatch, seed):
    frame, y = _table(seed)
    asked = {"classifiers": ["nb", "svm", "logistic"], "protocol": "3cv", "tune_size": True, "sizes": [2, 5]}
    alone = _study(frame, y, methods, **asked)
    # However little is left, processes are taken.
    monkeypatch.setattr("holdfast.evaluate.run._WORTH_PROCESSES", 0.0)
    monkeypatch.setattr("holdfast.evaluate.run._MOSTLY", 2.0)
    both = _study(frame, y, methods, workers=2, **asked)
    assert without_costs(alone) == without_costs(both)


def test_the_same_study_twice_is_the_same_and_another_seed_is_another(seed):
    frame, y = small_table(seed)
    one, again, other = (_study(frame, y, ["f-test", "turf"], seed=draw, protocol="3cv") for draw in (3, 3, 4))
    assert without_costs(one) == without_costs(again)
    assert one.plan.digest != other.plan.digest
    assert [split.train.tolist() for split in one.plan.splits] != [split.train.tolist() for split in other.plan.splits]
