"""compare: what it takes, what it refuses and with which words, and what it gives."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR

import holdfast
from holdfast import DataError, PlanMismatch
from holdfast.data import Table
from oracles.studies import small_table, without_costs

FRAME, CLASSES = small_table(0, 36, 20)
ARRAY = FRAME.to_numpy()
ASKED = {"methods": ["f-test"], "sizes": [3], "classifiers": ["nb"], "protocol": "3cv"}


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 20)


def _compare(X=FRAME, y=CLASSES, **asked):
    return holdfast.compare(X, y, **{**ASKED, **asked})


def _with(value, row=0, column=0):
    X = ARRAY.copy()
    X[row, column] = value
    return X


REFUSED = {
    # The data.
    "no classes": ({"y": None}, DataError, r"needs the class of each sample\. Pass y, or read the file with target="),
    "one class": (
        {"y": np.zeros(36, int)},
        DataError,
        "Every sample has the label '0', so there is nothing to tell apart",
    ),
    "a measured target": (
        {"y": ARRAY[:, 0]},
        ValueError,
        "the target has 36 different values, as a measured quantity has",
    ),
    "missing classes": ({"y": [None, *CLASSES[1:]]}, DataError, "1 sample has no label"),
    "too few classes": ({"y": CLASSES[:-1]}, DataError, "target has 35 labels, but X has 36 rows"),
    "a class of one": ({"y": [2, *CLASSES[1:]]}, DataError, "1 sample of a class; 2 of each are needed"),
    "missing values": (
        {"X": _with(np.nan)},
        DataError,
        r"1 feature has missing values \(1 cell, .*'x0'.*impute='median'",
    ),
    "infinite values": ({"X": _with(np.inf)}, DataError, "1 feature has infinite values"),
    "one dimension": ({"X": ARRAY[:, 0]}, DataError, r"X has shape \(36,\), but samples in rows"),
    "no features": ({"X": ARRAY[:, :0]}, DataError, "at least one of each"),
    "rows of different length": ({"X": [[1, 2], [3]], "y": [0, 1]}, DataError, "rows differ in length"),
    "text": ({"X": [["a", "b"]] * 36}, DataError, "X holds values that are not numbers"),
    "complex numbers": ({"X": ARRAY + 1j}, DataError, "X holds values that are not numbers"),
    # Sizes.
    "size 0": ({"sizes": [0]}, ValueError, "sizes: 0 is no number of features"),
    "a negative size": (
        {"sizes": [-3]},
        ValueError,
        "sizes: -3 is no number of features. Pass whole numbers such as 10",
    ),
    "a size too large": ({"sizes": [5, 21]}, ValueError, "sizes: 21 asks for more than the 20 features of the table"),
    "more than all": ({"sizes": [1.5]}, ValueError, "sizes: 1.5 is no whole number of features"),
    "a size in words": ({"sizes": ["ten"]}, ValueError, "sizes: 'ten' is no number of features"),
    "a number in quotes": ({"sizes": "5"}, ValueError, "sizes: '5' is no number of features"),
    "no sizes": ({"sizes": []}, ValueError, "sizes is empty"),
    "an infinite size": ({"sizes": [float("inf")]}, ValueError, "sizes: inf is no number of features"),
    "no number": ({"sizes": [float("nan")]}, ValueError, "sizes: nan is no number of features"),
    "none for a size": ({"sizes": [None]}, ValueError, "sizes: None is no number of features"),
    "true for a size": ({"sizes": [True]}, ValueError, "sizes: True is no number of features"),
    # Methods.
    "an unknown method": ({"methods": ["f-tset"]}, ValueError, "no method called 'f-tset'. The nearest are 'f-test'"),
    "a number for a method": ({"methods": 3}, TypeError, "methods: 3 is no selector"),
    "a class for a method": ({"methods": [SelectKBest]}, TypeError, "is no selector"),
    "no methods": ({"methods": []}, ValueError, "methods is empty"),
    "a method twice": ({"methods": ["f-test", "anova"]}, ValueError, "methods has 'f-test' more than once"),
    "a setting unknown": (
        {"methods": ["f-test(C=3)"]},
        ValueError,
        "methods: 'f-test' has no parameter 'C'. It takes no settings",
    ),
    "a setting wrong": ({"methods": ["svm-rfe(C=-1)"]}, ValueError, "C=-1 is not allowed for svm-rfe"),
    "no parameter for the size": (
        {"methods": [VarianceThreshold()]},
        ValueError,
        "has no parameter for the number of feat",
    ),
    "own too long": ({"sizes": ["own"]}, ValueError, "f-test keeps 50 features unless told otherwise"),
    "three classes for two": (
        {"y": np.arange(36) % 3, "methods": ["t-test"]},
        ValueError,
        "t-test takes two classes, but the target has 3",
    ),
    # Classifiers.
    "an unknown classifier": ({"classifiers": ["svn"]}, ValueError, "no classifier called 'svn'. Did you mean 'svm'"),
    "a class for a classifier": ({"classifiers": [SVC]}, TypeError, "is no classifier. Pass a name"),
    "a regressor": ({"classifiers": [SVR()]}, TypeError, r"SVR\(\) is no classifier"),
    "no classifiers": ({"classifiers": []}, ValueError, "classifiers is empty"),
    "a classifier twice": ({"classifiers": ["nb", "nb"]}, ValueError, "classifiers has 'nb' more than once"),
    "a setting of a classifier": ({"classifiers": ["knn(n_neighbors=0)"]}, ValueError, "The 'n_neighbors' parameter"),
    "too many neighbours": (
        {"classifiers": ["knn(n_neighbors=30)"]},
        ValueError,
        r"classifiers: knn\(n_neighbors=30\)",
    ),
    # Protocol and groups.
    "an unknown protocol": ({"protocol": "10fold"}, ValueError, "protocol='10fold' is not known. Write it as one of"),
    "a number for a protocol": ({"protocol": 5}, ValueError, "protocol=5 gives no split"),
    "no protocol": ({"protocol": None}, ValueError, "protocol=None gives no split"),
    "too many folds": ({"protocol": "40cv"}, DataError, "40 folds of 36 samples cannot be made"),
    "groups too short": ({"groups": [1, 2]}, ValueError, r"groups has shape \(2,\), but there are 36 samples"),
    "groups missing": ({"groups": [None, *range(35)]}, DataError, "Some groups are missing"),
    "one group": ({"groups": ["all"] * 36}, DataError, "All samples are of one group"),
    "a name for groups": ({"groups": "patient"}, ValueError, "groups has shape"),
    # The rest.
    "a positive class unknown": ({"positive": "sick"}, ValueError, "positive='sick' is no class.*The classes are 0, 1"),
    "a positive class of three": (
        {"y": np.arange(36) % 3, "positive": 1},
        ValueError,
        "positive='1' is for two classes, but there are 3",
    ),
    "tuning one size": (
        {"tune_size": True},
        ValueError,
        r"tune_size chooses between sizes, but sizes=\[3\] is only one",
    ),
    "tuning by a word": (
        {"tune_size": "yes", "sizes": [2, 3]},
        ValueError,
        "tune_size='yes' is not allowed for compare",
    ),
    "filling by zero": (
        {"impute": "zero"},
        ValueError,
        "impute='zero' is not allowed.*'median', 'mean', 'most_frequent'",
    ),
    "no workers": ({"workers": 0}, ValueError, "workers=0 is not allowed for compare"),
    "half a worker": ({"workers": 1.5}, ValueError, "workers=1.5 is not allowed for compare"),
    "a negative seed": ({"seed": -1}, ValueError, "seed=-1 is not allowed for compare"),
    "no seed": ({"seed": None}, ValueError, "seed=None is not allowed for compare"),
    "so far without a folder": ({"so_far": True}, ValueError, "so_far=True .*needs out=, the folder of that study"),
    "no address": ({"cluster": "nowhere"}, ValueError, "cluster='nowhere' is no address of a Dask scheduler"),
    "nobody there": (
        {"cluster": "tcp://127.0.0.1:1"},
        ValueError,
        r"nothing answers there \(.*\)\. Start a scheduler with `dask",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_in_plain_words_before_anything_is_written(case, tmp_path):
    asked, kind, message = REFUSED[case]
    asked = {"out": tmp_path / "study", **asked}
    if "so_far" in asked:
        del asked["out"]
    with pytest.raises(kind, match=message):
        _compare(**asked)
    assert not (tmp_path / "study").exists()


def test_all_that_is_wrong_with_a_table_is_told_with_its_source():
    X = _with(np.nan)
    X[3, 4] = np.inf
    table = Table(X, FRAME.columns, FRAME.index, CLASSES, source="genes.csv")
    with pytest.raises(
        DataError, match=r"^genes\.csv cannot be used yet\. .*missing values.*infinite values"
    ) as refused:
        _compare(table, None)
    assert FRAME.columns[0] in str(refused.value)


def test_a_cluster_without_dask_is_refused_with_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"needs Dask, which is not installed\. Run: pip install 'holdfast\[dask\]'"):
        _compare(cluster="tcp://127.0.0.1:8786")


def test_missing_prior_knowledge_is_a_remark_and_no_warning():
    study = _compare(methods=["pk-mrmr"])
    assert any("prior knowledge" in remark for remark in study.plan.remarks)


SAME = {
    "an array": (ARRAY, CLASSES),
    "lists": (ARRAY.tolist(), CLASSES.tolist()),
    "a sparse matrix": (sparse.csr_matrix(ARRAY), CLASSES),
    "a sparse array": (sparse.csc_array(ARRAY), CLASSES),
    "32 bits of the same values": (ARRAY.astype(np.float32).astype(np.float64), CLASSES),
    "a column of classes": (ARRAY, CLASSES[:, None]),
    "true and false": (ARRAY, CLASSES.astype(bool)),
    "words": (ARRAY, np.where(CLASSES == 1, "relapse", "cure")),
    "categories": (ARRAY, pd.Series(pd.Categorical(np.where(CLASSES == 1, "relapse", "cure")))),
    "whole numbers as floats": (ARRAY, CLASSES.astype(float)),
}  # fmt: skip


@pytest.mark.parametrize("form", SAME)
def test_data_may_come_as(form):
    X, y = SAME[form]
    expected = _compare(ARRAY if "32" not in form else X, CLASSES)
    study = _compare(X, y)
    assert study.results == expected.results
    assert study.plan.table.feature_names[:2] == ("x0", "x1")
    assert study.plan.table.sample_names[0].startswith("s")


def test_names_of_data_frames_are_kept():
    for frame in (FRAME, pl.DataFrame({name: FRAME[name].to_numpy() for name in FRAME})):
        assert _compare(frame).plan.table.feature_names == tuple(FRAME.columns)
    assert set(_compare(FRAME).plan.table.sample_names) == set(FRAME.index)
    numbered = _compare(pd.DataFrame(ARRAY))
    assert numbered.plan.table.feature_names[:2] == ("0", "1")


def test_a_table_brings_its_classes_and_takes_others():
    table = Table(ARRAY, FRAME.columns, FRAME.index, CLASSES, "state")
    assert _compare(table, None).results == _compare().results
    turned = _compare(table, 1 - CLASSES)
    assert turned.results[0]["sensitivity"] == _compare(positive="0").results[0]["sensitivity"]


def test_names_that_repeat_are_allowed_and_warned_about():
    frame = FRAME.copy()
    frame.columns = ["a", "b"] * 10
    assert any("carried by more than one feature" in text for text in _compare(frame).summary()["warnings"])


def test_sizes_are_numbers_shares_and_own_in_ascending_order():
    assert _compare(sizes=[0.25, 3, 0.0001, np.int64(7), 5.0, 3]).plan.sizes == (1, 3, 5, 7)
    assert _compare(sizes=3).plan.sizes == (3,)
    assert _compare(sizes=np.int64(3)).plan.sizes == (3,)
    assert _compare(sizes=0.5).plan.sizes == (10,)
    assert _compare(sizes=np.array([5, 2])).plan.sizes == (2, 5)
    assert _compare(methods=["cfs"], sizes=[" OWN ", 2]).plan.sizes == (2, "own")
    assert _compare(methods=["cfs"], sizes="own").plan.sizes == ("own",)


def test_sizes_by_default_are_those_the_table_has():
    assert _compare(sizes=None).plan.sizes == (5, 10, 20)
    assert _compare(FRAME.iloc[:, :4], sizes=None).plan.sizes == (4,)


def test_the_default_asks_four_methods_and_three_classifiers():
    frame, y = small_table(0, 30, 8)
    study = holdfast.compare(frame, y, protocol="2cv")
    assert [one.name for one in study.plan.methods] == ["mrmr+", "svm-rfe", "relieff", "f-test"]
    assert [one.name for one in study.plan.classifiers] == ["svm", "knn", "nb"]
    assert study.plan.sizes == (5,)


def test_the_positive_class_is_the_second_by_name_unless_said_otherwise():
    assert _compare().plan.positive == "1"
    assert _compare(positive=0).plan.positive == "0"
    assert _compare(y=np.arange(36) % 3).plan.positive is None


def test_a_classifier_that_needs_as_many_features_as_there_are_is_taken():
    judge = {"pca": make_pipeline(PCA(5, random_state=0), SVC())}
    assert _compare(sizes=[10], classifiers=judge).results[0]["accuracy"] is not None


def test_too_many_neighbours_for_the_training_parts_of_inner_folds_are_refused_by_name():
    # Training parts have 24 samples, those of inner folds 19.
    with pytest.raises(ValueError, match=r"classifiers: knn\(n_neighbors=22\)"):
        _compare(classifiers=["knn(n_neighbors=22)"], sizes=[2, 3], tune_size=True)
    assert _compare(classifiers=["knn(n_neighbors=22)"], sizes=[2, 3]).is_complete


def test_progress_is_told_cell_by_cell():
    told = []
    _compare(methods=["f-test", "mrmr+"], progress=lambda *one: told.append(one))
    assert [done for _, done, _ in told] == list(range(9))
    assert {total for _, _, total in told} == {8}
    assert told[0][0] == "Parts"


def test_a_study_in_a_folder_is_the_study_in_memory_and_is_not_worked_on_twice(tmp_path, monkeypatch):
    asked = {"methods": ["f-test", "relieff"], "sizes": [2, 5], "tune_size": True}
    memory, stored = _compare(**asked), _compare(out=tmp_path / "a study", **asked)
    assert without_costs(memory) == without_costs(stored)

    def refuse(*_):
        raise AssertionError("worked again")

    monkeypatch.setattr("holdfast.evaluate.run.evaluate_cell", refuse)
    assert without_costs(_compare(out=str(tmp_path / "a study"), **asked)) == without_costs(stored)
    assert without_costs(_compare(out=tmp_path / "a study", so_far=True, **asked)) == without_costs(stored)


def test_what_is_done_so_far_can_be_looked_at(tmp_path):
    stop = []

    def stopping(what, done, total):
        stop.append(done)
        if done == 6:
            raise KeyboardInterrupt

    asked = {"methods": ["f-test", "mrmr+"], "out": tmp_path / "study"}
    with pytest.raises(holdfast.StudyStopped, match=r"6 of 8 parts are done and kept in .*run the same again to go on"):
        _compare(progress=stopping, **asked)
    study = _compare(so_far=True, **asked)
    assert not study.is_complete
    assert study.summary()["progress"] == {"n_cells": 8, "n_done": 6, "is_complete": False}
    assert without_costs(_compare(**asked)) == without_costs(_compare(methods=["f-test", "mrmr+"]))


def test_nothing_done_so_far_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no study yet"):
        _compare(out=tmp_path / "new", so_far=True)
    assert not (tmp_path / "new").exists()


def test_a_study_stopped_in_memory_says_that_it_is_lost():
    def stopping(what, done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(holdfast.StudyStopped, match="2 of 4 parts are done and lost: pass out= next time"):
        _compare(progress=stopping)


def test_another_study_in_the_folder_is_refused(tmp_path):
    _compare(out=tmp_path / "study")
    with pytest.raises(PlanMismatch, match=r"another seed \(seed: 0 there, 1 here\)"):
        _compare(out=tmp_path / "study", seed=1)
