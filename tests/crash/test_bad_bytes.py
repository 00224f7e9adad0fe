"""A good table with anything changed, through the commands: a result, or one sentence."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from crash import _bad_files as bad
from crash._bad_files import put, tree
from crash._commands import SETTINGS, assert_refused, run

ODD_TEXTS = st.sampled_from(
    ["", " ", "NA", "nan", "inf", "-1e308", "1e999", "1,5", "1.5.2", "0x1F", "TRUE", "sick", "well", "state", "p01",
     "#N/A", "2-Sep", '"', '""', "'", ",", ";", "\t", "\n", "\r\n", "\0", "\ufeff", "\u2212", "\u00b5", "\u202e",
     "9" * 400]
)  # fmt: skip
# What is put in the place of the first letter, wherever it stands.
REPLACED = st.sampled_from([",;", ",\t", "., ", "sick", "\n\r", "p", "0"])
CHANGES = st.one_of(
    st.tuples(st.just("cell"), st.integers(0, 12), st.integers(0, 5), ODD_TEXTS),
    st.tuples(st.just("column"), st.integers(0, 5), st.just(0), ODD_TEXTS),
    st.tuples(st.just("line"), st.integers(0, 12), st.integers(0, 3), ODD_TEXTS),
    st.tuples(st.just("put in"), st.integers(0, 400), st.just(0), ODD_TEXTS),
    st.tuples(st.just("take out"), st.integers(0, 400), st.integers(1, 40), st.just("")),
    st.tuples(st.just("everywhere"), st.just(0), st.just(0), REPLACED),
)


def changed(text, how, where, extent, piece):
    """A table with one thing changed."""
    rows = [line.split(",") for line in text.split("\n")]
    if how == "cell" and where < len(rows) and extent < len(rows[where]):
        rows[where][extent] = piece
    elif how == "column":
        rows = [[*row[:where], piece, *row[where + 1 :]] if number > 0 else row for number, row in enumerate(rows)]
    elif how == "line":
        rows[where : where + 1] = [rows[min(where, len(rows) - 1)]] * extent
    elif how == "put in":
        return text[:where] + piece + text[where:]
    elif how == "take out":
        return text[:where] + text[where + extent :]
    elif how == "everywhere":
        return text.replace(piece[0], piece[1:])
    return "\n".join(",".join(row) for row in rows)


def assert_taken_or_refused(folder, content):
    path = put(folder, "t.csv", content)
    before = tree(folder)
    for command, rest in SETTINGS.items():
        started = perf_counter()
        result = run(command, path, "--target", "state", *rest)
        assert perf_counter() - started < 30
        if result.exit_code == 0:
            assert result.stdout
            assert "error: " not in result.stderr
        elif command == "check" and not result.stderr:
            assert result.exit_code == 3
            assert "Not usable yet." in result.stdout
        else:
            assert result.exit_code in (2, 3, 4)
            assert_refused(result, result.exit_code, typed=[path])
    assert tree(folder) == before


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGES, min_size=1, max_size=4))
@example(changes=[("column", 2, 0, "9" * 400)])
@example(changes=[("column", 1, 0, "\ufeff")])
@example(changes=[("cell", 1, 2, "-1e308")])
def test_a_table_with_anything_changed_is_taken_or_refused(tmp_path, changes):
    text = bad.GOOD
    for change in changes:
        text = changed(text, *change)
    assert_taken_or_refused(tmp_path, text.encode())


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    places=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=5), utf16=st.booleans()
)
def test_a_table_with_any_bytes_changed_is_taken_or_refused(tmp_path, places, utf16):
    content = bytearray(bad.GOOD.encode("utf-16" if utf16 else "utf-8"))
    for place, value in places:
        content[place % len(content)] = value
    assert_taken_or_refused(tmp_path, bytes(content))


@pytest.mark.slow
@settings(max_examples=600, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGES, min_size=1, max_size=8))
def test_a_table_with_much_changed_is_taken_or_refused(tmp_path, changes):
    text = bad.GOOD
    for change in changes:
        text = changed(text, *change)
    assert_taken_or_refused(tmp_path, text.encode())
