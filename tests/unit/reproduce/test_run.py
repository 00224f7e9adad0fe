"""A plan is run in parts that are kept, and becomes one dictionary."""

import json
from dataclasses import replace

import numpy as np
import pytest

from holdfast import PlanMismatch
from holdfast._progress import watching
from holdfast.reproduce import run as module
from holdfast.reproduce.cells import VERDICTS, Cell, Key, Ours, Printed
from holdfast.reproduce.plan import Judgement, Part
from holdfast.reproduce.run import beside, reproduce, summary
from holdfast.reproduce.shelf import Shelf
from unit.reproduce import made_up


def _cells(found):
    return {(one["table"], one["data"]): one for one in found["cells"]}


def _timeless(found):
    return {key: value for key, value in found.items() if key != "seconds"}


def test_every_printed_number_has_a_verdict(row, folder):
    found = reproduce(row, data=folder)
    verdicts = {key: one["verdict"] for key, one in _cells(found).items()}
    assert verdicts == {
        ("1.1", "One"): "agrees",
        ("1.1", "Two"): "better",
        ("1.1", "Three"): "not run",
        ("1.2", "One"): "agrees",
        ("1.2", "Two"): "printed value impossible",
    }


def test_a_missing_set_is_said_to_be_missing(row, folder):
    found = reproduce(row, data=folder)
    assert _cells(found)["1.1", "Three"]["remark"].startswith("no three.npz in the folder")
    assert [one["name"] for one in found["data"] if not one["found"]] == ["Three"]


def test_the_summary_counts_by_table_and_in_all(row, folder):
    found = reproduce(row, data=folder)["summary"]
    assert [one["table"] for one in found["tables"]] == ["1.1", "1.2"]
    assert found["tables"][0] == {
        "table": "1.1", "agrees": 1, "better": 1, "worse": 0, "differs": 0, "printed value impossible": 0, "not run": 1,
        "apart": 0,
    }  # fmt: skip
    assert found["total"]["agrees"] == 2
    assert found["claims"] == {"holds": 1, "holds in part": 0, "does not hold": 0, "not tested": 0}


def test_what_says_little_is_counted_apart():
    plan = made_up.PLAN
    plain = {key: Ours(20.0, 2, apart="other data") for key in made_up.PRINTED if key.table == "1.1"}
    cells = beside(plan, Shelf(plan.sets, {}), Judgement(plain), made_up.PRINTED)
    counts = summary(cells, Judgement())
    assert counts["tables"][0] == {"table": "1.1", **dict.fromkeys(VERDICTS, 0), "apart": 3}
    assert counts["tables"][1]["apart"] == 0
    assert counts["apart"] == {**dict.fromkeys(VERDICTS, 0), "agrees": 2, "better": 1}
    assert counts["total"] == {**dict.fromkeys(VERDICTS, 0), "printed value impossible": 1, "not run": 1}


def test_what_is_impossible_or_not_run_is_not_counted_apart():
    impossible = Cell(Key("1", "", "", "", ""), Printed(1.0, impossible="never"), Ours(1.0, apart="other data"))
    absent = Cell(Key("1", "", "", "", ""), Printed(1.0), Ours(1.0, not_run="no data", apart="other data"))
    assert not impossible.is_apart
    assert not absent.is_apart


def test_a_cell_has_the_interval_and_the_figure_without_the_leak(row, folder):
    cell = _cells(reproduce(row, data=folder))["1.1", "One"]
    assert (cell["printed"], cell["ours"], cell["low"], cell["high"], cell["honest"]) == (21, 20, 18, 22, 1)


def test_the_dictionary_is_json(row, folder):
    found = reproduce(row, data=folder)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_without_any_data_everything_is_not_run(row):
    total = reproduce(row)["summary"]["total"]
    assert total["not run"] == 4
    assert total["printed value impossible"] == 1


def test_workers_change_nothing_but_the_time(row, folder):
    assert _timeless(reproduce(row, data=folder, workers=2)) == _timeless(reproduce(row, data=folder))


def test_parts_that_are_done_are_not_made_again(row, folder, tmp_path, monkeypatch):
    first = reproduce(row, data=folder, out=tmp_path / "run")
    monkeypatch.setattr(module, "_timed", None)
    assert reproduce(row, data=folder, out=tmp_path / "run") == first


def test_a_run_that_was_stopped_goes_on_with_the_parts_that_are_left(row, folder, tmp_path, monkeypatch):
    made = []

    def stopping(part, shelf):
        made.append(part.key)
        if len(made) == 2:
            raise KeyboardInterrupt
        return {"key": part.key, "result": part.call(shelf), "seconds": 0.0}

    monkeypatch.setattr(module, "_timed", stopping)
    with pytest.raises(KeyboardInterrupt):
        reproduce(row, data=folder, out=tmp_path / "run")
    reproduce(row, data=folder, out=tmp_path / "run")
    assert made == ["shape-One", "shape-Two", "shape-Two"]


@pytest.mark.parametrize("damage", ["", "{", '{"key": "shape-One"}'])
def test_a_damaged_part_is_made_again(row, folder, tmp_path, damage):
    first = reproduce(row, data=folder, out=tmp_path / "run")
    (tmp_path / "run" / "parts" / "shape-One.json").write_text(damage)
    assert _timeless(reproduce(row, data=folder, out=tmp_path / "run")) == _timeless(first)


def test_the_folder_of_another_run_is_refused(row, folder, tmp_path):
    reproduce(row, data=folder, out=tmp_path / "run")
    with pytest.raises(PlanMismatch, match=r"with all runs, not of --quick\. Choose a new --out"):
        reproduce(row, data=folder, quick=True, out=tmp_path / "run")
    with pytest.raises(PlanMismatch, match="of another plan, made-up"):
        reproduce(replace(row, name="made-up-too"), data=folder, out=tmp_path / "run")
    np.savez(folder / "two.npz", X=np.ones((30, 4)), y=np.arange(30) % 2)
    with pytest.raises(PlanMismatch, match="on another table of Two"):
        reproduce(row, data=folder, out=tmp_path / "run")


def test_sets_may_come_and_go_between_runs_in_one_folder(row, folder, tmp_path):
    away = tmp_path / "two.npz"
    (folder / "two.npz").rename(away)
    few = reproduce(row, data=folder, out=tmp_path / "run")
    assert [one["name"] for one in few["data"] if one["found"]] == ["One"]
    away.rename(folder / "two.npz")
    assert _timeless(reproduce(row, data=folder, out=tmp_path / "run")) == _timeless(reproduce(row, data=folder))
    (folder / "two.npz").rename(away)
    assert _timeless(reproduce(row, data=folder, out=tmp_path / "run")) == _timeless(few)


def test_a_part_under_the_name_of_another_is_made_anew(row, folder, tmp_path):
    first = reproduce(row, data=folder, out=tmp_path / "run")
    parts = tmp_path / "run" / "parts"
    (parts / "shape-One.json").write_text((parts / "shape-Two.json").read_text())
    assert _timeless(reproduce(row, data=folder, out=tmp_path / "run")) == _timeless(first)


def test_a_folder_with_something_else_in_it_is_refused(row, folder):
    with pytest.raises(ValueError, match="not empty and holds no run of a plan"):
        reproduce(row, data=folder, out=folder)


def test_quick_runs_have_fewer_parts(row, folder):
    found = reproduce(row, data=folder, quick=True)
    assert found["is_quick"]
    assert _cells(found)["1.1", "Two"]["remark"] == "not part of this run"


def test_progress_names_the_parts(row, folder):
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        reproduce(row, data=folder)
    assert ("Parts", 0, 2) in seen
    assert seen[-1] == ("Parts, last shape-Two", 2, 2)


def test_a_number_for_a_cell_that_is_not_printed_is_an_error(row, folder, monkeypatch):
    extra = {made_up.Key("9.9", "One", "table", "", "samples"): made_up.Ours(1.0)}
    monkeypatch.setattr(made_up.MadeUp, "load", lambda self: _replaced(judge=lambda *given: Judgement(extra)))
    with pytest.raises(ValueError, match=r"nowhere\.csv has no 9\.9, One"):
        reproduce(row, data=folder)


def test_two_parts_of_one_key_are_an_error(row, folder, monkeypatch):
    twice = [Part("same", made_up.measured)] * 2
    monkeypatch.setattr(made_up.MadeUp, "load", lambda self: _replaced(parts=lambda shelf, quick: twice))
    with pytest.raises(ValueError, match="same key"):
        reproduce(row, data=folder)


def _replaced(**changes):
    return made_up.Plan(**{**made_up.PLAN.__dict__, **changes})


@pytest.mark.parametrize(("quick", "most"), [(True, module.QUICKLY_FETCHED), (False, np.inf)])
def test_a_quick_run_fetches_no_large_set(row, folder, monkeypatch, quick, most):
    asked = []

    def stocked(sets, data, *, fetch, most_fetched):
        asked.append((fetch, most_fetched))
        return shelf_of(sets, data)

    shelf_of = module.stocked
    monkeypatch.setattr(module, "stocked", stocked)
    reproduce(row, data=folder, fetch=True, quick=quick)
    assert asked == [(True, most)]
