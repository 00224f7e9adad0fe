"""Every form in which users have repeated selections becomes the same matrix."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectKBest

from holdfast import FTest
from holdfast.stability import Frequency
from holdfast.stability._runs import as_runs
from holdfast.stability.nogueira import nogueira

MATRIX = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 0]])
LISTS = [[0, 1], [1, 2], [0]]


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(MATRIX, id="whole numbers"),
        pytest.param(MATRIX.astype(bool), id="truth values"),
        pytest.param(MATRIX.astype(float), id="fractions"),
        pytest.param(MATRIX.astype(np.uint8), id="small numbers"),
        pytest.param(MATRIX.tolist(), id="nested lists"),
        pytest.param(MATRIX.astype(bool).tolist(), id="nested truth values"),
        pytest.param(list(MATRIX.astype(bool)), id="list of arrays"),
        pytest.param(np.asfortranarray(MATRIX.astype(bool)), id="column order"),
        pytest.param(sparse.csr_matrix(MATRIX), id="sparse"),
        pytest.param(pd.DataFrame(MATRIX), id="pandas"),
        pytest.param(pd.DataFrame(MATRIX.astype(bool)).astype("boolean"), id="pandas nullable"),
        pytest.param(pl.DataFrame(MATRIX.astype(bool), schema=list("abcde"), orient="row"), id="polars"),
        pytest.param(Frequency(MATRIX.astype(bool)), id="Frequency"),
    ],
)
def test_a_matrix_in_any_form_is_the_same_runs(form):
    found = as_runs(form)
    assert found.chosen.dtype == bool
    assert found.chosen.tolist() == MATRIX.astype(bool).tolist()
    assert found.n_features == 5
    assert as_runs(form, n_features=5).chosen.tolist() == MATRIX.astype(bool).tolist()


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(LISTS, id="lists"),
        pytest.param([set(run) for run in LISTS], id="sets"),
        pytest.param([np.array(run) for run in LISTS], id="arrays"),
        pytest.param([tuple(run) for run in LISTS], id="tuples"),
        pytest.param(tuple(LISTS), id="tuple of lists"),
    ],
)
def test_column_numbers_in_any_form_are_the_same_runs(form):
    assert as_runs(form, n_features=5).chosen.tolist() == MATRIX.astype(bool).tolist()


def test_names_keep_the_features_that_any_run_chose():
    found = as_runs([["b", "a"], ["b", "c"], []], n_features=5)
    assert found.names.tolist() == ["a", "b", "c"]
    assert found.chosen.astype(int).tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
    assert found.n_features == 5


def test_an_array_of_names_is_one_run_per_row():
    assert as_runs(np.array([["a", "b"], ["b", "c"]])).chosen.astype(int).tolist() == [[1, 1, 0], [0, 1, 1]]


def test_an_array_of_column_numbers_is_one_run_per_row():
    found = as_runs(np.array([[3, 1], [1, 0]]), n_features=4)
    assert found.chosen.astype(int).tolist() == [[0, 1, 0, 1], [1, 1, 0, 0]]


def test_zeros_and_ones_are_column_numbers_if_there_are_more_features():
    assert as_runs([[0, 1], [1, 0]], n_features=9).chosen.sum(axis=0).tolist() == [2, 2, 0, 0, 0, 0, 0, 0, 0]


def test_zeros_and_ones_are_column_numbers_in_sets():
    assert as_runs([{0, 1}, {0, 1}], n_features=2).chosen.all()


def test_runs_that_all_chose_nothing_are_runs():
    assert as_runs([[], []], n_features=4).chosen.shape == (2, 4)


@pytest.fixture
def data(seed):
    rng = np.random.default_rng([seed, 7])
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 6)) + np.outer(y, np.r_[3.0, 2.0, np.zeros(4)])
    return pd.DataFrame(X, columns=list("uvwxyz")), y


def test_selectors_give_their_support(data):
    X, y = data
    fitted = [FTest(k).fit(X, y) for k in (1, 2, 3)]
    found = as_runs(fitted)
    assert found.chosen.tolist() == [selector.get_support().tolist() for selector in fitted]
    assert found.names.tolist() == list("uvwxyz")
    assert nogueira(fitted) == nogueira(found.chosen)


def test_selectors_of_scikit_learn_are_taken_too(data):
    X, y = data
    assert as_runs([SelectKBest(k=2).fit(X.to_numpy(), y), SelectKBest(k=3).fit(X.to_numpy(), y)]).sizes.tolist() == [
        2,
        3,
    ]


def test_selectors_that_saw_the_columns_in_another_order_are_matched_by_name(data):
    X, y = data
    fitted = [FTest(2).fit(X, y), FTest(2).fit(X[list("zyxwvu")], y)]
    assert nogueira(fitted) == 1.0
    assert as_runs(fitted).chosen.tolist() == [fitted[0].get_support().tolist()] * 2


def test_selectors_that_saw_other_columns_are_refused(data):
    X, y = data
    whole = FTest(2).fit(X, y)
    with pytest.raises(ValueError, match="different numbers of features"):
        as_runs([whole, FTest(2).fit(X[list("uvw")], y)])
    with pytest.raises(ValueError, match="'q', which the first has not"):
        as_runs([whole, FTest(2).fit(X.rename(columns={"u": "q"}), y)])
    with pytest.raises(ValueError, match="with names of features and some without"):
        as_runs([whole, FTest(2).fit(X.to_numpy(), y)])


@pytest.mark.parametrize(
    ("runs", "n_features", "kind", "words"),
    [
        pytest.param([[1, 0, 1]], None, ValueError, "at least 2 runs", id="one run"),
        pytest.param([], None, ValueError, "at least 2 runs", id="no run"),
        pytest.param([[True, False], [True]], None, ValueError, "lengths differ", id="ragged"),
        pytest.param([[1.0, 0.0], [1.0, 0.5]], None, ValueError, "only 0 and 1", id="another value"),
        pytest.param([[1.0, 0.0], [1.0, np.nan]], None, ValueError, "missing values", id="missing"),
        pytest.param(pd.DataFrame({"a": [1, 2], "b": [0, 1]}), None, ValueError, "only 0 and 1", id="frame"),
        pytest.param(pd.DataFrame({"a": ["x", "y"]}), None, ValueError, "no numbers", id="frame of words"),
        pytest.param(sparse.csr_matrix([[2, 0], [1, 1]]), None, ValueError, "only 0 and 1", id="sparse counts"),
        pytest.param([[1, 0, 2], [1, 0, 1]], None, ValueError, "Run 1 holds 1 twice", id="a two among ones"),
        pytest.param([["a", 1], ["a"]], None, TypeError, "names and whole numbers", id="mixed kinds"),
        pytest.param([["a", "b", "a"], ["a"]], None, ValueError, "'a' twice", id="repeated name"),
        pytest.param([[0, 9], [1]], 9, ValueError, "only columns 0 to 8", id="number too large"),
        pytest.param([[0, -1], [1]], 9, ValueError, "counted from 0", id="negative number"),
        pytest.param([["a", "b"], ["c"]], 2, ValueError, "more than n_features=2", id="too many names"),
        pytest.param(MATRIX.astype(bool), 9, ValueError, "choose from 5 features", id="matrix of another width"),
        pytest.param([["a"], ["a"]], 0, ValueError, "at least 1", id="no features"),
        pytest.param([["a"], ["a"]], 2.5, ValueError, "whole number", id="half a feature"),
        pytest.param([["a"], ["a"]], True, ValueError, "whole number", id="truth as a number"),
        pytest.param(["ab", "cd"], None, TypeError, "list of its own", id="words instead of lists"),
        pytest.param("abc", None, TypeError, "one run per row", id="a word"),
        pytest.param(7, None, TypeError, "one run per row", id="a number"),
        pytest.param(np.ones(4), None, ValueError, "1 dimension", id="a vector"),
        pytest.param([[None], [None]], None, TypeError, "NoneType", id="nothing"),
    ],
)
def test_what_cannot_be_runs_is_refused_with_the_reason(runs, n_features, kind, words):
    with pytest.raises(kind, match=words):
        as_runs(runs, n_features)


def test_a_measure_that_needs_the_number_of_features_asks_for_it():
    with pytest.raises(ValueError, match=r"nogueira needs to know how many features.*Pass n_features"):
        nogueira([["a", "b"], ["a", "c"]])


def test_the_users_matrix_is_not_changed():
    given = MATRIX.copy()
    as_runs(given)
    assert (given == MATRIX).all()
