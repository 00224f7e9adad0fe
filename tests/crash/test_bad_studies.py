"""Bad places, folders and reports: refused in a sentence, and left as they were."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from crash import _bad_files as bad
from crash._bad_files import put, tree
from crash._commands import SETTINGS, assert_refused, command_line, run


@pytest.fixture(autouse=True)
def _inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def brief_demo(monkeypatch):
    """The demo with less to do."""
    monkeypatch.setattr("holdfast.cli.demo.METHODS", ("f-test",))
    monkeypatch.setattr("holdfast.cli.demo.SIZES", (5,))
    monkeypatch.setattr("holdfast.cli.demo.PROTOCOL", "holdout")


# What lies where the results are to go: exit code and words of the answer.
def _file(place):
    place.write_text("mine")
    return place


def _below_a_file(place):
    return _file(place) / "deep"


def _long_name(place):
    return place.with_name("x" * 300)


def _broken_link(place):
    place.symlink_to(place)
    return place


PLACES = [(_file, 2, "is a file"), (_below_a_file, 2, "is a file"), (_long_name, 3, "too long"), (_broken_link, 2, "")]


@pytest.fixture
def writing(tmp_path, study, brief_demo):
    """The command lines of all commands that write, but for where to."""
    put(tmp_path, "t.csv", bad.GOOD)
    shutil.copy(study / "report.json", tmp_path / "report.json")
    table = ("t.csv", "--target", "state")
    return {
        "select": ("select", *table, *SETTINGS["select"]),
        "compare": ("compare", *table, *SETTINGS["compare"]),
        "report": ("report", "report.json"),
        "demo": ("demo",),
    }


@pytest.mark.parametrize("command", ["select", "compare", "report", "demo"])
@pytest.mark.parametrize(("make", "code", "words"), PLACES)
def test_a_place_that_cannot_become_a_folder_is_refused(tmp_path, writing, command, make, code, words):
    out = make(tmp_path / "out")
    before = tree(tmp_path)
    assert_refused(run(*writing[command], "--out", out), code, words)
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", ["select", "compare", "report", "demo"])
def test_a_place_without_the_right_to_write_is_refused(tmp_path, writing, command, monkeypatch):
    def refused(self, *_, **__):
        raise PermissionError(13, "Permission denied", str(self))

    before = tree(tmp_path)
    monkeypatch.setattr(Path, "mkdir", refused)
    assert_refused(run(*writing[command], "--out", "new"), 3, "Permission denied")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", ["select", "compare", "report", "demo"])
def test_a_full_disk_is_told_and_leaves_no_drafts(tmp_path, writing, command, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    before = tree(tmp_path)
    monkeypatch.setattr(os, "fsync", full)
    assert_refused(run(*writing[command], "--out", "new"), 3, "No space left on device")
    left = {name: content for name, content in tree(tmp_path).items() if content is not None}
    assert left == before


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A finished study of the good table, to be copied and spoiled."""
    folder = tmp_path_factory.mktemp("whole")
    path = put(folder, "t.csv", bad.GOOD)
    result = run("compare", path, "--target", "state", *SETTINGS["compare"], "--out", folder / "study", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    return folder / "study"


@pytest.fixture
def begun(study, tmp_path):
    """A copy of the study, and the table it is of."""
    put(tmp_path, "t.csv", bad.GOOD)
    shutil.copytree(study, tmp_path / "study")
    return tmp_path / "study"


def on_study(*flags):
    return run("compare", "t.csv", *command_line("compare", "--target", "state", "--out", "study", *flags))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--sizes", "2"), "other sizes"),
        (("--methods", "t-test"), "other methods"),
        (("--methods", "mrmr+(alpha=0.7)"), "other methods"),
        (("--classifiers", "1nn"), "other classifiers"),
        (("--protocol", "2cv"), "another protocol"),
        (("--seed", "1"), "another seed"),
        (("--impute", "median"), "missing values"),
        (("--positive", "well"), "well"),
        (("--sizes", "1,2", "--tune-size"), "other sizes"),
        (("--sizes", "2", "--so-far"), "other sizes"),
    ],
)
def test_the_folder_of_another_study_is_refused_and_left_alone(tmp_path, begun, flags, words):
    before = tree(tmp_path)
    assert_refused(on_study(*flags), 5, words, flags)
    assert tree(tmp_path) == before


def test_the_folder_of_a_study_on_other_data_is_refused_and_left_alone(tmp_path, begun):
    put(tmp_path, "t.csv", bad.with_cell(2, 2, 17))
    before = tree(tmp_path)
    assert_refused(on_study(), 5, "other data")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("content", ["", "{}", "[1]", "3", bad.RUBBISH, '{"schema": "holdfast.study"}'])
def test_a_folder_with_another_plan_file_is_refused_and_left_alone(tmp_path, content):
    put(tmp_path, "t.csv", bad.GOOD)
    (tmp_path / "study").mkdir()
    put(tmp_path, "study/plan.json", content)
    before = tree(tmp_path)
    assert_refused(on_study(), 5, "plan.json that is no plan of holdfast")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("name", ["thesis.doc", "report.html", "cells/01-f-test/all.json", ".hidden"])
def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path, name):
    put(tmp_path, "t.csv", bad.GOOD)
    (tmp_path / "study" / name).parent.mkdir(parents=True)
    put(tmp_path, f"study/{name}", "mine")
    before = tree(tmp_path)
    assert_refused(on_study(), 2, "is not empty and holds no study")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"chosen": 3}', None])
def test_a_cell_that_was_damaged_is_made_again(begun, content):
    before = tree(begun)
    cell = begun / "cells" / "01-f-test" / "00001.json"
    cell.unlink()
    put(cell.parent, cell.name, content)
    result = on_study("-q")
    assert result.exit_code == 0, result.stderr
    assert tree(begun)["cells/01-f-test/00001.json"] == before["cells/01-f-test/00001.json"]
    assert tree(begun)["results.csv"] == before["results.csv"]


@pytest.mark.parametrize("content", ["", "{}", '{"seconds": "soon"}'])
def test_a_cost_that_was_damaged_stops_nothing(begun, content):
    before = tree(begun)
    put(begun, "costs/01-f-test/00001.json", content)
    result = on_study("-q")
    assert result.exit_code == 0, result.stderr
    assert tree(begun)["results.csv"] == before["results.csv"]


@pytest.mark.parametrize("content", ["", "{}", '{"chosen": 3}', None])
def test_a_study_without_a_whole_cell_has_no_report_so_far(tmp_path, begun, content):
    cell = begun / "cells" / "01-f-test" / "00001.json"
    cell.unlink()
    put(cell.parent, cell.name, content)
    before = tree(tmp_path)
    assert_refused(on_study("--so-far"), 3, "No split of the study is done by every method yet")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("command", ["compare", "report"])
def test_a_folder_in_the_way_of_the_report_is_refused_and_nothing_printed(tmp_path, begun, command):
    (begun / "report.html").unlink()
    (begun / "report.html").mkdir()
    before = tree(tmp_path)
    result = on_study() if command == "compare" else run("report", "study")
    assert_refused(result, 2, "report.html is a folder")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("as_folder", [True, False])
@pytest.mark.parametrize("case", bad.REPORTS)
def test_a_report_that_is_none_is_refused(tmp_path, case, as_folder):
    content, words = bad.REPORTS[case]
    put(tmp_path, "report.json", content)
    before = tree(tmp_path)
    result = run("report", "." if as_folder else "report.json", *(("--out", "new") if as_folder else ()))
    assert_refused(result, 3, words)
    assert "report.json" in result.stderr
    assert tree(tmp_path) == before


def test_a_folder_without_a_report_is_refused(tmp_path, begun):
    (begun / "report.json").unlink()
    before = tree(tmp_path)
    assert_refused(run("report", "study"), 3, "holds a study without a report yet")
    assert_refused(run("report", "."), 3, "report.json does not exist")
    assert_refused(run("report", "t.csv"), 3, "t.csv is damaged or cut short")
    assert_refused(run("report", "t.csv/study"), 3, "does not exist")
    assert tree(tmp_path) == before


KEYS = ("holdfast_version", "plan", "progress", "baseline", "results", "selections", "agreement", "comparisons",
        "recommendation", "heat_map", "costs", "classifier_seconds", "warnings")  # fmt: skip
REPORT_FILES = ("report.html", "report.json", "report.txt", "results.csv", "stability.csv", "features.csv",
                "comparisons.csv")  # fmt: skip


def test_every_part_of_a_report_is_tried(study):
    assert set(json.loads((study / "report.json").read_text())) == {"schema", "schema_version", *KEYS}


@pytest.mark.parametrize("key", KEYS)
def test_a_report_with_a_part_missing_is_refused(tmp_path, study, key):
    whole = json.loads((study / "report.json").read_text())
    del whole[key]
    put(tmp_path, "report.json", json.dumps(whole))
    before = tree(tmp_path)
    assert_refused(run("report", "."), 3, "report.json")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("spoilt", ["words", None, [1]], ids=str)
@pytest.mark.parametrize("key", KEYS)
def test_a_report_with_a_part_spoilt_is_refused_or_written_whole(tmp_path, study, key, spoilt):
    whole = json.loads((study / "report.json").read_text())
    put(tmp_path, "report.json", json.dumps({**whole, key: spoilt}))
    before = tree(tmp_path)
    result = run("report", ".", "-q")
    if result.exit_code:
        assert_refused(result, 3, "report.json")
        assert tree(tmp_path) == before
    else:
        assert set(tree(tmp_path)) == set(tree(study)) & set(REPORT_FILES)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_report_cut_short_is_refused(tmp_path, study, share):
    whole = (study / "report.json").read_text()
    put(tmp_path, "report.json", whole[: int(share * len(whole))])
    before = tree(tmp_path)
    assert_refused(run("report", "."), 3, "damaged or cut short")
    assert tree(tmp_path) == before


@pytest.mark.slow
@pytest.mark.parametrize("closes", ["the reader", "the shell"])
@pytest.mark.parametrize("command", ["select", "compare", "report"])
def test_a_closed_stdout_ends_quietly_with_all_files_written(tmp_path, writing, command, closes):
    line = [sys.executable, "-c", "from holdfast.cli.app import main; main()", *writing[command], "-q", "--out", "new"]
    reader, writer = os.pipe()
    os.close(reader)
    before = (lambda: os.close(1)) if closes == "the shell" else None
    result = subprocess.run(line, stdout=writer, stderr=subprocess.PIPE, text=True, check=False, preexec_fn=before)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, "")
    names = {"selection.json"} if command == "select" else set(REPORT_FILES)
    assert names <= {path.name for path in (tmp_path / "new").iterdir()}
