import csv
import json
import os

import pytest

from holdfast._files import write_all

FILES = ["selection.csv", "selection.json", "selection.txt"]


def select(holdfast, table, *more):
    return holdfast("select", table, "--target", "state", "-k", 3, "--repeats", 4, *more)


def test_out_writes_three_files_that_agree(holdfast, table, tmp_path):
    result = select(holdfast, table, "--out", tmp_path / "deep" / "out", "--json")
    assert result.exit_code == 0
    place = tmp_path / "deep" / "out"
    assert sorted(os.listdir(place)) == FILES
    assert (place / "selection.json").read_text() == result.stdout
    found = json.loads(result.stdout)["selected"]
    with open(place / "selection.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["feature", "rank", "score", "frequency"]
    assert [row["feature"] for row in rows] == [feature["name"] for feature in found]
    assert [float(row["score"]) for row in rows] == [feature["score"] for feature in found]
    assert [float(row["frequency"]) for row in rows] == [feature["frequency"] for feature in found]
    assert found[0]["name"] in (place / "selection.txt").read_text()


def test_out_refuses_a_file_in_place_of_a_folder(holdfast, table, tmp_path):
    (tmp_path / "taken").write_text("mine")
    result = select(holdfast, table, "--out", tmp_path / "taken")
    assert result.exit_code == 2
    assert "is a file, but a folder is needed" in result.stderr
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_failed_selection_leaves_no_folder(holdfast, table, tmp_path):
    assert select(holdfast, table, "-k", 99, "--out", tmp_path / "out").exit_code == 2
    assert not (tmp_path / "out").exists()


def test_a_full_disk_leaves_the_old_files_and_no_drafts(holdfast, table, tmp_path, monkeypatch):
    place = tmp_path / "out"
    assert select(holdfast, table, "--out", place).exit_code == 0
    old = {name: (place / name).read_text() for name in FILES}
    n_synced = []

    def full(descriptor):
        n_synced.append(descriptor)
        if len(n_synced) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = select(holdfast, table, "-k", 2, "--out", place)
    assert result.exit_code == 3
    assert "No space left on device" in result.stderr
    assert result.stdout == ""
    assert {name: (place / name).read_text() for name in os.listdir(place)} == old


def test_an_interrupted_write_leaves_no_drafts(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_all(tmp_path / "out", {"a.txt": "a"})
    assert os.listdir(tmp_path / "out") == []
