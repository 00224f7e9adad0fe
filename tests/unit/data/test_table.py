"""The Table is checked once and stays as it is."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast._errors import DataError
from holdfast.data import Table


def make(**changes):
    fields = {"X": [[1.0, 2.0], [3.0, np.nan]], "feature_names": ["a", "b"], "sample_names": ["s", "t"]}
    return Table(**{**fields, **changes})


def test_values_are_a_read_only_float_matrix_in_c_order():
    table = make(X=np.asfortranarray(np.array([[1, 2], [3, 4]], dtype=np.int8)))
    assert table.X.dtype == np.float64
    assert table.X.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        table.X[0, 0] = 5


def test_the_array_of_the_caller_stays_writable_and_apart():
    X = np.ones((2, 2))
    y = np.array([0, 1])
    table = make(X=X, target=y)
    X[0, 0] = 7
    y[0] = 7
    assert table.X[0, 0] == 1
    assert table.target[0] == 0


def test_a_read_only_array_is_not_copied():
    X = np.ones((2, 2))
    X.flags.writeable = False
    assert np.shares_memory(make(X=X).X, X)


def test_fields_cannot_be_replaced():
    with pytest.raises(AttributeError):
        make().X = np.zeros((2, 2))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"X": [1.0, 2.0]}, r"shape \(2,\)"),
        ({"X": np.zeros((0, 3))}, r"shape \(0, 3\)"),
        ({"X": [["x", "y"], ["z", "w"]]}, "not numbers"),
        ({"X": [[1j, 2], [3, 4]]}, "complex"),
        ({"feature_names": ["a"]}, "feature_names has 1 name .*2 columns"),
        ({"sample_names": ["a", "b", "c"]}, "sample_names has 3 names .*2 rows"),
        ({"target": [1, 2, 3]}, "target has 3 labels.*2 rows"),
        ({"target": np.zeros((2, 2))}, r"target has shape \(2, 2\)"),
    ],
)
def test_what_does_not_fit_is_named(changes, says):
    with pytest.raises(DataError, match=says):
        make(**changes)


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ([1.0, 2.0], "i"),
        ([1.5, 2.0], "f"),
        ([1.0, np.nan], "f"),
        (["x", "y"], "U"),
        ([True, False], "U"),
        (np.array([["1"], ["2"]], dtype=object), "i"),
        (np.array(["sick", None], dtype=object), "U"),
    ],
)
def test_labels_become_whole_numbers_numbers_or_text(given, kind):
    assert make(target=given).target.dtype.kind == kind


def test_a_label_of_none_is_empty_text():
    assert make(target=np.array(["sick", None], dtype=object)).target.tolist() == ["sick", ""]


def test_samples_without_names_are_numbered():
    assert Table([[1.0], [2.0]], ["TP53"], target=["sick", "well"]).sample_names == ("s1", "s2")


def test_the_table_tells_its_size():
    table = make(target=["x", "y"], target_name="state", source="a.csv")
    assert len(table) == table.n_samples == 2
    assert table.n_features == 2
    assert repr(table) == "Table(2 samples x 2 features, 2 classes in 'state', from a.csv)"
    assert repr(make()) == "Table(2 samples x 2 features, no target)"
