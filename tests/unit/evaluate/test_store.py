"""The folder of a study: cells whole or absent, one plan, words for what a disk refuses."""

from __future__ import annotations

import errno
import json
import os

import pytest

import holdfast
from holdfast import DataError
from holdfast._errors import PlanMismatch, StoreError
from holdfast.data import copies
from holdfast.evaluate.plan import ALL
from holdfast.evaluate.store import Store


def planned(**options):
    made = copies(n_samples=30, n_features=60, random_state=0)
    asked = {"methods": ["f-test", "mrmr+"], "sizes": [3], "classifiers": ["nb"], "protocol": "3cv", **options}
    return holdfast.compare(made.X, made.y, **asked)


@pytest.fixture(scope="module")
def study():
    return planned()


@pytest.fixture
def store(study, tmp_path):
    store = Store(tmp_path / "study", study.plan)
    store.begin()
    return store


COST = {"seconds": 1.5, "select_seconds": 1.0}


def names_in(folder):
    return sorted(str(place.relative_to(folder)) for place in folder.rglob("*") if place.is_file())


def refusing(monkeypatch, name, code, only=""):
    """Have the system refuse a call for files whose place holds some word."""
    allowed = getattr(os, name)

    def refused(*arguments, **options):
        if only in str(arguments[-1]):
            raise OSError(code, os.strerror(code))
        return allowed(*arguments, **options)

    monkeypatch.setattr(os, name, refused)


def test_a_folder_is_begun_with_the_plan_and_nothing_else(store, study):
    assert names_in(store.folder) == ["plan.json"]
    assert (store.folder / "plan.json").read_text(encoding="utf-8") == study.plan.text


def test_a_folder_can_be_begun_again(store):
    before = names_in(store.folder)
    store.begin()
    assert names_in(store.folder) == before


def test_a_cell_comes_back_as_it_was_put(store, study):
    for cell, result in study.found.items():
        assert not store.has(cell)
        store.put(cell, result, COST)
        assert store.has(cell)
        assert store.get(cell) == result
        assert store.cost(cell)["seconds"] == 1.5
    assert len(study.found) == 8


def test_a_cell_has_a_file_that_a_reader_finds(store, study):
    store.put((0, ALL), study.found[0, ALL], COST)
    store.put((1, 2), study.found[1, 2], COST)
    assert names_in(store.folder) == [
        "cells/01-f-test/all.json",
        "cells/02-mrmr+/00003.json",
        "costs/01-f-test/all.json",
        "costs/02-mrmr+/00003.json",
        "plan.json",
    ]


def test_the_memory_that_a_selection_took_is_kept(store, study):
    store.put((0, ALL), study.found[0, ALL], {**COST, "peak_megabytes": 12.5})
    assert store.cost((0, ALL)).get("peak_megabytes") == 12.5


def test_equal_cells_are_equal_bytes(store, study):
    result = study.found[0, 0]
    store.put((0, 0), result, COST)
    first = (store.folder / "cells/01-f-test/00001.json").read_bytes()
    store.put((0, 0), dict(reversed(result.items())), {**COST, "seconds": 9.0})
    assert (store.folder / "cells/01-f-test/00001.json").read_bytes() == first


def test_a_cell_that_is_not_there_is_none_and_costs_nothing(store):
    assert store.get((0, 0)) is None
    assert store.cost((0, 0)) == {}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"{}", bytes(range(256)), b'{"chosen": {"3": [1]}}'])
def test_a_damaged_cell_is_none_until_it_is_made_again(store, study, content):
    place = store.folder / "cells/01-f-test/00001.json"
    place.write_bytes(content)
    assert store.get((0, 0)) is None
    store.drop((0, 0))
    assert not store.has((0, 0))
    store.put((0, 0), study.found[0, 0], COST)
    assert store.get((0, 0)) == study.found[0, 0]


@pytest.mark.parametrize("other", [(1, 0), (0, 1), (0, ALL)])
def test_the_result_of_another_cell_is_not_taken_for_this_one(store, study, other):
    store.put((0, 0), study.found[other], COST)
    assert store.get((0, 0)) is None


@pytest.mark.parametrize(
    "content", [b"", b"rubbish", b"[1]", b'{"seconds": 1}', b'{"seconds": "x", "select_seconds": 1}']
)
def test_damaged_costs_are_not_known(store, content):
    (store.folder / "costs/01-f-test/00001.json").write_bytes(content)
    assert store.cost((0, 0)) == {}


def test_a_result_that_json_does_not_have_is_refused_and_leaves_no_cell(store, study):
    with pytest.raises(ValueError, match="JSON"):
        store.put((0, 0), {**study.found[0, 0], "scores": float("nan")}, COST)
    assert not store.has((0, 0))
    assert [name for name in names_in(store.folder) if name.endswith(".draft")] == []


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_what_the_disk_refuses_is_said_in_words_and_leaves_no_draft(store, study, monkeypatch, call):
    store.put((0, 0), study.found[0, 0], COST)
    refusing(monkeypatch, call, errno.ENOSPC)
    with pytest.raises(StoreError, match=r"No space left on device.*kept.*run the same again"):
        store.put((0, 1), study.found[0, 1], COST)
    assert store.has((0, 0))
    assert not store.has((0, 1))
    assert [name for name in names_in(store.folder) if name.endswith(".draft")] == []


def test_a_cell_is_there_only_after_what_it_took(store, study, monkeypatch):
    """Else a study that was killed between the two would have a cell of unknown cost."""
    refusing(monkeypatch, "replace", errno.ENOSPC, only="cells")
    with pytest.raises(StoreError):
        store.put((0, 1), study.found[0, 1], COST)
    assert store.cost((0, 1))["seconds"] == 1.5
    assert not store.has((0, 1))


def test_odd_names_of_methods_make_plain_names_of_folders(tmp_path):
    study = planned(methods={"a/b: ü": "f-test", "a/b: ö": "mrmr+", "x" * 300: "t-test"})
    store = Store(tmp_path, study.plan)
    store.begin()
    for cell, result in study.found.items():
        store.put(cell, result, COST)
    folders = sorted(place.name for place in (tmp_path / "cells").iterdir())
    assert len(folders) == 3
    assert all(name.isascii() and "/" not in name and ":" not in name and len(name) < 60 for name in folders)
    assert all(store.get(cell) == result for cell, result in study.found.items())


def test_a_folder_of_another_plan_is_refused_with_what_differs(store, tmp_path):
    with pytest.raises(PlanMismatch, match=r"other sizes \(sizes: 3 there, 4 here\)"):
        Store(store.folder, planned(sizes=[4]).plan).begin()
    store.begin()


def test_a_folder_that_holds_something_else_is_refused(study, tmp_path):
    (tmp_path / "thesis.tex").write_text("words")
    with pytest.raises(ValueError, match=r"not empty and holds no study \(there is 'thesis.tex'\)"):
        Store(tmp_path, study.plan).begin()
    assert names_in(tmp_path) == ["thesis.tex"]


def test_a_file_in_the_place_of_the_folder_is_refused(study, tmp_path):
    (tmp_path / "study").write_text("words")
    for place in (tmp_path / "study", tmp_path / "study" / "deep"):
        with pytest.raises(ValueError, match="is a file"):
            Store(place, study.plan).begin()


def test_what_a_process_left_that_was_killed_before_it_had_a_plan_does_not_matter(study, tmp_path):
    (tmp_path / ".plan.json.123.draft").write_text("{")
    (tmp_path / ".lock").touch()
    store = Store(tmp_path, study.plan)
    store.begin()
    with store.working():
        assert names_in(tmp_path) == [".lock", "plan.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", bytes(range(256)), b'{"schema": "holdfast.plan"}'])
def test_a_damaged_plan_is_refused(store, content):
    (store.folder / "plan.json").write_bytes(content)
    with pytest.raises(PlanMismatch):
        store.begin()
    assert (store.folder / "plan.json").read_bytes() == content


def test_a_disk_without_hard_links_serves(study, tmp_path, monkeypatch):
    refusing(monkeypatch, "link", errno.EPERM)
    store = Store(tmp_path, study.plan)
    store.begin()
    assert names_in(tmp_path) == ["plan.json"]
    store.begin()


def test_a_plan_that_another_process_wrote_a_moment_before_stays(study, tmp_path, monkeypatch):
    other = planned(seed=5).plan
    link = os.link

    def late(draft, place):
        place.write_text(other.text, encoding="utf-8")
        link(draft, place)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(PlanMismatch, match="another seed"):
        Store(tmp_path, study.plan).begin()
    assert (tmp_path / "plan.json").read_text(encoding="utf-8") == other.text


def test_who_begins_alone_clears_what_was_left_and_others_do_not(store, study):
    left = store.folder / "cells/01-f-test/.00001.json.1.draft"
    left.write_text("{")
    with store.working() as is_alone:
        assert is_alone
        assert not left.exists()
        left.write_text("{")
        with Store(store.folder, study.plan).working() as is_alone_too:
            assert not is_alone_too
            assert left.exists()
        assert left.exists()


def test_who_ends_alone_clears_what_one_left_that_was_killed_meanwhile(store, study):
    left = store.folder / "cells/01-f-test/.00001.json.1.draft"
    with store.working():
        left.write_text("{")
    assert not left.exists()


def test_who_stays_is_not_disturbed_when_the_first_has_gone(store, study):
    first, second = store.working(), Store(store.folder, study.plan).working()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    with Store(store.folder, study.plan).working() as is_alone:
        assert not is_alone
    second.__exit__(None, None, None)


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.ENOLCK])
def test_a_disk_without_locks_serves(store, study, monkeypatch, code):
    fcntl = pytest.importorskip("fcntl", reason="Windows has no such locks")

    def refused(*arguments):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refused)
    with store.working():
        store.put((0, 0), study.found[0, 0], COST)
    assert store.has((0, 0))


def test_a_study_that_was_not_begun_is_told_and_nothing_is_made(study, tmp_path):
    with pytest.raises(DataError, match="holds no study yet"):
        Store(tmp_path / "study", study.plan).require_begun()
    assert list(tmp_path.iterdir()) == []


def test_files_hold_plain_json_that_ends_in_a_line(store, study):
    store.put((0, 0), study.found[0, 0], COST)
    for name in names_in(store.folder):
        text = (store.folder / name).read_text(encoding="utf-8")
        assert text.endswith("}\n")
        assert isinstance(json.loads(text), dict)
