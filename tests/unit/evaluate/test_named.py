"""Names with settings, as a user types them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.evaluate._named import listed_names, name_and_settings, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3), (" -2 ", -2), ("0.01", 0.01), ("1e-3", 0.001), ("none", None), ("None", None), ("TRUE", True),
        ("false", False), ("mdl", "mdl"), ("'3'", "3"), ("[1, 2]", [1, 2]), ("", ""), ("a b", "a b"),
    ],
)  # fmt: skip
def test_a_value_is_a_number_a_word_or_what_python_calls_it(text, value):
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "name", "settings"),
    [
        ("fs-cv(n_neighbors=[1, 3], cv=5)", "fs-cv", {"n_neighbors": [1, 3], "cv": 5}),
        ("fs-cv(n_neighbors=[])", "fs-cv", {"n_neighbors": []}),
        ("mrmr+", "mrmr+", {}),
        ("  mrmr+  ", "mrmr+", {}),
        ("svm-rfe(C=0.01)", "svm-rfe", {"C": 0.01}),
        ("svm-rfe (C=0.01, step=0.1)", "svm-rfe", {"C": 0.01, "step": 0.1}),
        ("knn( n_neighbors = 3 )", "knn", {"n_neighbors": 3}),
        ("mrmr+(discretizer=mdl,)", "mrmr+", {"discretizer": "mdl"}),
        ("cfs()", "cfs", {}),
        ("tree(max_depth=None)", "tree", {"max_depth": None}),
    ],
)
def test_settings_stand_in_parentheses_behind_a_name(text, name, settings):
    assert name_and_settings(text) == (name, settings)


@pytest.mark.parametrize("text", ["", "(C=1)", "svm(C=1", "svm C=1)", "svm(C=1)x", "svm(C=1)(C=2)", "a)b("])
def test_what_has_no_form_is_refused_with_an_example(text):
    with pytest.raises(
        ValueError, match=re.escape(f"{text!r} is no name with settings. Write it as in svm-rfe(C=0.01")
    ):
        name_and_settings(text)


@pytest.mark.parametrize(
    ("text", "part"), [("svm(3)", "3"), ("svm(=3)", "=3"), ("svm(C=1, 2)", "2"), ("svm(a-b=1)", "a-b=1")]
)
def test_what_is_no_setting_is_named(text, part):
    with pytest.raises(ValueError, match=re.escape(f"{part!r} is no setting. Write NAME=VALUE")):
        name_and_settings(text)


def test_a_setting_twice_is_refused():
    with pytest.raises(ValueError, match=re.escape("'svm(C=1, C=2)' sets C twice. Say it once.")):
        name_and_settings("svm(C=1, C=2)")


def test_commas_inside_parentheses_do_not_part_a_list():
    assert listed_names("mrmr+, svm-rfe(C=0.01, step=0.1) ,f-test,,") == [
        "mrmr+",
        "svm-rfe(C=0.01, step=0.1)",
        "f-test",
    ]
    assert listed_names("") == []


@given(
    st.from_regex(r"[a-z][a-z+-]{0,8}", fullmatch=True),
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,6}", fullmatch=True), st.integers() | st.booleans() | st.none(), max_size=3
    ),
)
def test_what_is_written_out_is_read_back(name, settings):
    settings = {key: value for key, value in settings.items() if key.isidentifier()}
    text = f"{name}({', '.join(f'{key}={value}' for key, value in settings.items())})"
    assert name_and_settings(text) == (name, settings)
    assert listed_names(f"{text},{text}") == [text, text]
