"""A Table brings names and classes along, in fit and in transform."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast
from holdfast import DataError, Table


@pytest.fixture
def table(seed):
    rng = np.random.default_rng([seed, 45])
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 5)) + np.outer(y, [0, 3, 0, 2, 0])
    return Table(X, list("abcde"), [f"s{i}" for i in range(30)], y)


def test_fit_takes_names_and_classes_from_a_table(table):
    fitted = holdfast.selector("f-test", n_features_to_select=2).fit(table)
    assert sorted(fitted.get_feature_names_out()) == ["b", "d"]


def test_transform_keeps_the_chosen_columns_of_a_table(table):
    selector = holdfast.selector("f-test", n_features_to_select=2)
    assert np.array_equal(selector.fit_transform(table), table.X[:, [1, 3]])
    assert np.array_equal(selector.transform(table), table.X[:, [1, 3]])


def test_transform_refuses_a_table_of_other_features(table):
    fitted = holdfast.selector("f-test", n_features_to_select=2).fit(table)
    other = Table(table.X, list("abced"), table.sample_names)
    with pytest.raises(DataError, match="another order"):
        fitted.transform(other)


def test_a_class_of_one_sample_is_refused_where_its_spread_is_needed(table):
    alone = np.r_[1, np.zeros(29)]
    for name in ("t-test", "entropy"):
        with pytest.raises(DataError, match="at least 2 samples of each class, but one class has 1"):
            holdfast.selector(name, n_features_to_select=2).fit(table.X, alone)
    assert np.isfinite(holdfast.selector("pooled-t", n_features_to_select=2).fit(table.X, alone).scores_).all()


@pytest.mark.parametrize(("factor", "says"), [(1e200, "too large to square"), (1e-200, "too small to square")])
def test_values_that_cannot_be_squared_are_refused(table, factor, says):
    with pytest.raises(DataError, match=f"{says}.*'a'"):
        holdfast.selector("f-test", n_features_to_select=2).fit(
            Table(table.X * factor, table.feature_names, table.sample_names), table.target
        )
