"""A report as files."""

from __future__ import annotations

import json
import os

import pytest

from holdfast.report.study import page, tables, text, write
from holdfast.report.study.write import write_all
from unit.report.study.examples import minimal

NAMES = ["report.html", "report.json", "report.txt", "results.csv", "stability.csv", "features.csv", "comparisons.csv"]


def test_the_files_hold_what_the_functions_give(tmp_path):
    study = minimal()
    paths = write(study, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == NAMES
    texts = {path.name: path.read_bytes().decode("utf-8") for path in paths}
    assert texts["report.html"] == page(study)
    assert texts["report.txt"] == text(study)
    assert texts["results.csv"] == tables(study)["results.csv"]
    assert json.loads(texts["report.json"]) == study
    assert texts["report.json"].isascii()
    assert list(json.loads(texts["report.json"])) == list(study)


def test_a_study_is_asked_for_its_summary(tmp_path):
    class Study:
        def summary(self):
            return minimal()

    assert json.loads(write(Study(), tmp_path)[1].read_text()) == minimal()


def test_the_same_study_gives_the_same_bytes(tmp_path):
    first, second = write(minimal(), tmp_path / "a"), write(minimal(), tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_nothing_but_the_files_is_left(tmp_path):
    write(minimal(), tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(NAMES)


def test_a_number_that_is_not_finite_is_refused_and_leaves_the_old_report(tmp_path):
    write_all(tmp_path, {"report.html": "old"})
    study = minimal()
    study["baseline"]["accuracy"] = float("nan")
    with pytest.raises(ValueError, match="JSON"):
        write(study, tmp_path)
    assert os.listdir(tmp_path) == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "old"


def test_a_failing_draft_leaves_the_old_files(tmp_path, monkeypatch):
    write_all(tmp_path, {"a.txt": "old", "b.txt": "old"})
    calls = []

    def fail_on_second(handle):
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail_on_second)
    with pytest.raises(OSError, match="No space"):
        write_all(tmp_path, {"a.txt": "new", "b.txt": "new"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "old", "b.txt": "old"}


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ValueError, match="is a file, but a folder is needed"):
        write(minimal(), tmp_path / "taken" / "deeper")


def test_a_folder_in_the_place_of_a_file_is_refused_before_any_is_replaced(tmp_path):
    (tmp_path / "b.txt").mkdir()
    write_all(tmp_path, {"a.txt": "old"})
    with pytest.raises(ValueError, match="is a folder"):
        write_all(tmp_path, {"a.txt": "new", "b.txt": "new"})
    assert (tmp_path / "a.txt").read_text() == "old"


def test_halves_of_characters_do_not_stop_the_report(tmp_path):
    path = write_all(tmp_path, {"a.txt": "name\udc80"})[0]
    assert path.read_text() == "name\\udc80"
