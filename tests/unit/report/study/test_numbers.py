"""Numbers and names as readers see them."""

from __future__ import annotations

import pytest

from holdfast.report.study._columns import aligned, clean, cut
from holdfast.report.study._grid import shown
from holdfast.report.study._numbers import count, estimate, p_value


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"mean": 0.9123, "low": 0.881, "high": 0.939}, "0.912 [0.88, 0.94]"),
        ({"value": -0.05, "low": None, "high": None}, "-0.050"),
        ({"value": None, "low": None, "high": None}, "–"),
        (None, "–"),
    ],
)
def test_an_estimate_has_its_interval_where_there_is_one(found, expected):
    assert estimate(found) == expected


@pytest.mark.parametrize(("value", "expected"), [(0.0002, "<0.001"), (0.0412, "0.041"), (0.55, "0.55"), (None, "–")])
def test_a_p_value_has_no_false_precision(value, expected):
    assert p_value(value) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, "0 splits"), (1, "1 split"), (1200, "1,200 splits")])
def test_a_count_is_one_or_more(number, expected):
    assert count(number, "split") == expected


@pytest.mark.parametrize(
    ("kind", "cell", "expected"),
    [
        ("difference", [0.01, -0.02, 0.04], "+0.010 [-0.02, 0.04]"),
        ("estimate", [0.5, None, None], "0.500"),
        ("share", 0.96, "96%"),
        ("flag", True, "yes"),
        ("flag", False, ""),
        ("size", "own", "own"),
        ("number", 1500, "1,500"),
        ("score", 0.123456, "0.123"),
        ("p", None, "–"),
    ],
)
def test_a_cell_is_shown_by_its_kind(kind, cell, expected):
    assert shown(kind, cell) == expected


def test_control_characters_are_spelled_out():
    assert clean("a\x1b[1mb\u202ec\nd") == "a\\x1b[1mb\\u202ec\\nd"


@pytest.mark.parametrize(("name", "expected"), [("short", "short"), ("too long", "too l…"), ("グルタミル", "グル…")])
def test_a_long_name_is_cut_to_its_columns(name, expected):
    assert cut(name, 6) == expected


def test_columns_line_up():
    assert aligned(["a", "n"], [["x", "10"], ["yy", "5"]], right=frozenset({1})) == ["a    n", "x   10", "yy   5"]
