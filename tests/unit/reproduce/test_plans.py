"""Contracts that every plan signs, and the names that lead to plans."""

import csv
from importlib.resources import files

import pytest

from golden.printed_numbers import HEADER, PLACE, digests
from holdfast._citations import WORKS
from holdfast.reproduce import ROWS, THESES, find
from holdfast.reproduce.cells import NOT_RUN, read_printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf

every_plan = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@every_plan
def test_the_list_names_the_tables_that_have_printed_numbers(row):
    assert sorted({key.table for key in read_printed(row.load().printed)}) == sorted(row.tables)


@every_plan
def test_every_printed_quantity_has_a_direction_and_every_mark_a_meaning(row):
    plan = row.load()
    printed = read_printed(plan.printed)
    assert {key.quantity for key in printed} == set(plan.better)
    assert {one.remark for one in printed.values()} - {""} == set(plan.remarks)
    assert set(plan.leaks) <= set(row.tables)


@every_plan
def test_seconds_of_another_machine_are_neither_better_nor_worse(row):
    assert row.load().better.get("seconds") is None


@every_plan
def test_printed_numbers_have_the_columns_of_all_plans(row):
    text = (files("holdfast.reproduce") / "printed" / f"{row.load().printed}.csv").read_text(encoding="utf-8")
    assert next(csv.reader(text.splitlines())) == [
        "table", "data", "method", "setting", "quantity", "value", "remark", "impossible",
    ]  # fmt: skip


@every_plan
def test_without_data_a_plan_says_so_of_every_number_that_needs_some(row):
    plan = row.load()
    shelf = Shelf(plan.sets, {})
    parts = plan.parts(shelf, True)
    if parts and not plan.sets:
        pytest.skip("this plan draws its own data")
    judged = plan.judge({part.key: part.call(shelf) for part in parts}, shelf, True)
    cells = beside(plan, shelf, judged, read_printed(plan.printed))
    of_sets = [cell for cell in cells if cell.key.data in plan.sets and not cell.printed.impossible]
    assert all(cell.verdict == NOT_RUN and cell.ours.not_run for cell in of_sets)
    assert {claim.verdict for claim in judged.claims} <= {HOLDS, IN_PART, FAILS, NOT_TESTED}


def test_names_are_of_plans_theses_tables_or_all():
    assert [row.name for row in find("hosseini-2")] == ["hosseini-2"]
    assert [row.name for row in find("Hosseini")] == ["hosseini-2", "hosseini-4"]
    assert [row.name for row in find("hosseini-2.12")] == ["hosseini-2"]
    assert [row.name for row in find("ben-brahim-A")] == ["ben-brahim-3"]
    assert [[row.name for row in find(f"michel-{chapter}")] for chapter in (4, 5, 10, 11)] == [["michel-10"]] * 4
    assert find("all") == list(ROWS)


def test_a_name_that_is_none_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"no plan 'hossein-2'\. Did you mean hosseini-2\?.*ben-brahim-2.*all"):
        find("hossein-2")


def test_plans_have_names_of_their_own_and_theses_citations():
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert {row.thesis for row in ROWS} == set(THESES)
    assert all(thesis.cite in WORKS for thesis in THESES)


def test_a_set_has_one_number_on_openml_and_a_size_by_which_another_is_told_from_it():
    fetched = {one for row in ROWS for one in row.load().sets.values() if one.openml is not None}
    numbers = {(one.file, one.openml) for one in fetched}
    assert len(numbers) == len(dict(numbers)) == len({number for _, number in numbers})
    assert all(one.meant(as_file=False) for one in fetched)


def test_no_printed_number_has_changed_since_it_was_compared_with_the_print():
    with open(PLACE, newline="", encoding="utf-8") as lines:
        header, *rows = map(tuple, csv.reader(lines))
    assert header == HEADER
    assert rows == list(digests())
