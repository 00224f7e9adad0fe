"""Data sets are found in a folder or on OpenML, and said to be missing otherwise."""

import pickle
from urllib.error import URLError

import numpy as np
import pytest

from holdfast import DataError
from holdfast._progress import watching
from holdfast.reproduce import shelf as module
from holdfast.reproduce.shelf import Set, known_shapes, stocked
from unit.reproduce.made_up import SETS


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    module._loaded.cache_clear()
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)


def _online(monkeypatch, tmp_path, answer):
    """OpenML gives a copy with these arrays, or fails so; the numbers of the sets that it was asked for."""
    asked = []

    def copy_of(number):
        asked.append(number)
        if isinstance(answer, Exception):
            raise answer
        place = tmp_path / f"openml-{number}.npz"
        np.savez(place, **answer)
        return place

    monkeypatch.setattr(module, "copy_of", copy_of)
    monkeypatch.setattr(module, "is_kept", lambda number: False)
    return asked


def test_what_is_in_the_folder_is_found_and_the_rest_is_named(folder):
    found = stocked(SETS, folder)
    assert found.there == ["One", "Two"]
    assert found.absent == ["Three"]
    assert found.load("Two").X.shape == (30, 4)
    with pytest.raises(DataError, match=r"^Three is not there: no three\.npz in the folder"):
        found.load("Three")


def test_the_environment_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("HOLDFAST_DATA", str(folder))
    assert stocked(SETS, None).there == ["One", "Two"]
    monkeypatch.setenv("HOLDFAST_DATA", str(folder / "elsewhere"))
    with pytest.raises(ValueError, match=r"HOLDFAST_DATA=.*elsewhere is no folder"):
        stocked(SETS, None)
    assert stocked({}, None).there == []


def test_without_a_folder_nothing_is_there():
    assert stocked(SETS, None).there == []


def test_what_else_a_file_holds_comes_along(tmp_path):
    np.savez(tmp_path / "one.npz", X=np.eye(3), y=[0, 1, 0], split=["train", "test", "train"], feature_names=["a"] * 3)
    table = stocked({"One": Set("one")}, tmp_path).load("One")
    assert table.more["split"].tolist() == ["train", "test", "train"]
    assert table.feature_names.tolist() == ["a"] * 3


def test_a_table_cannot_be_changed_by_a_part(folder):
    with pytest.raises(ValueError, match="read-only"):
        stocked(SETS, folder).load("One").X[0, 0] = 1.0


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.eye(3)}, r"one\.npz holds X, but must hold X and y"),
        ({"X": np.eye(3), "y": [0, 1]}, r"X is of shape \(3, 3\) and y of \(2,\)"),
        ({"X": np.arange(3), "y": [0, 1, 0]}, r"X is of shape \(3,\)"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "one.npz", **arrays)
    with pytest.raises(DataError, match=message):
        stocked({"One": Set("one")}, tmp_path).load("One")


def test_a_damaged_file_is_refused_by_name(tmp_path):
    (tmp_path / "one.npz").write_bytes(b"PK damaged")
    with pytest.raises(DataError, match=r"one\.npz cannot be read"):
        stocked({"One": Set("one")}, tmp_path).load("One")


def test_looking_for_sets_shows_how_far_it_is(folder):
    told = []
    with watching(lambda what, done, total: told.append((what, done, total))):
        stocked(SETS, folder)
    assert told == [(f"Looking for the data sets, now {name}", done, 3) for done, name in enumerate(SETS)]


def test_a_shelf_can_be_sent_to_another_process(folder):
    found = pickle.loads(pickle.dumps(stocked(SETS, folder)))
    assert found.load("One").X.shape == (20, 4)


def test_digests_differ_when_tables_do(folder):
    found = stocked(SETS, folder)
    assert found.digest("One") == found.digest("One") != found.digest("Two")


def test_another_table_of_the_same_name_is_refused_with_both_sizes(tmp_path):
    np.savez(tmp_path / "wine.npz", X=np.zeros((240, 13)), y=np.arange(240) % 3)
    shelf = stocked({"Wine": Set("wine")}, tmp_path)
    assert shelf.there == []
    assert shelf.absence("Wine") == "wine.npz in the folder of data sets is 240 × 13, but the table meant is 178 × 13"


def test_a_file_and_its_copy_on_openml_may_have_other_columns():
    splice = Set("dna_splice", openml=46, shape=(3190, 60))
    assert splice.meant(as_file=True) == known_shapes()["dna_splice"] == (3186, 180)
    assert splice.meant(as_file=False) == (3190, 60)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.array([[1.0, np.inf], [0.0, 1.0]]), np.array([0, 1]), "infinite"),
        (np.eye(2), np.array([1, 1]), "the same for all samples"),
        (np.eye(2), np.array([0.5, np.nan]), "finite number"),
        (np.eye(2), np.array(["a", "b"]), "number of a class"),
        (np.array([["a", "b"], ["c", "d"]]), np.array([0, 1]), "no number"),
    ],
)
def test_what_no_plan_can_use_is_refused_by_the_name_of_its_file(tmp_path, X, y, words):
    np.savez(tmp_path / "one.npz", X=X, y=y)
    with pytest.raises(DataError, match=rf"one\.npz.*{words}"):
        stocked({"One": Set("one")}, tmp_path)


def test_half_a_file_is_refused_by_its_name(tmp_path):
    np.savez(tmp_path / "one.npz", X=np.eye(20), y=np.arange(20))
    whole = (tmp_path / "one.npz").read_bytes()
    (tmp_path / "one.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"one\.npz cannot be read"):
        stocked({"One": Set("one")}, tmp_path)


@pytest.mark.parametrize("changed", ["X", "y", "split", "feature_names", "class_names"])
def test_the_digest_changes_with_whatever_is_in_the_table(tmp_path, changed):
    parts = {"X": np.eye(3), "y": np.array([0, 1, 0]), "split": np.array(["train", "test", "train"])}
    parts |= {"feature_names": np.array(["a", "b", "c"]), "class_names": np.array(["no", "yes"])}
    digests = []
    for at in range(2):
        folder = tmp_path / str(at)
        folder.mkdir()
        np.savez(folder / "one.npz", **parts)
        digests.append(stocked({"One": Set("one")}, folder).digest("One"))
        parts[changed] = np.roll(parts[changed], 1, axis=0)
    assert digests[0] != digests[1]


def test_openml_is_asked_for_what_is_not_there(folder, monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, {"X": np.eye(5, 2), "y": [0, 1, 1, 0, 1]})
    found = stocked(SETS, folder, fetch=True)
    assert asked[0] == 3
    assert found.there == ["One", "Two", "Three"]
    assert found.load("Three").y.tolist() == [0, 1, 1, 0, 1]


def test_openml_is_not_asked_unless_wanted(folder, monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, URLError("no network"))
    assert stocked(SETS, folder).absent == ["Three"]
    assert asked == []


def test_without_a_network_openml_is_asked_once_and_copies_are_used_all_the_same(monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, URLError("no network"))
    sets = {"A": Set("a", openml=1), "B": Set("b", openml=2), "C": Set("c", openml=3)}
    assert stocked(sets, None, fetch=True).there == []
    assert asked == [1]
    np.savez(tmp_path / "kept.npz", X=np.eye(3), y=[0, 1, 0])
    monkeypatch.setattr(module, "is_kept", lambda number: number == 3)
    monkeypatch.setattr(module, "copy_of", lambda number: {3: tmp_path / "kept.npz"}.get(number) or _no_network())
    assert stocked(sets, None, fetch=True).there == ["C"]


def _no_network():
    raise URLError("no network")


def test_a_set_that_openml_cannot_give_is_told_and_the_next_is_asked_for(monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, DataError("OpenML answered 404 (Not Found)"))
    shelf = stocked({"A": Set("a", openml=3), "B": Set("b", openml=4)}, None, fetch=True)
    assert shelf.absence("A") == "set 3 of OpenML cannot be used: OpenML answered 404 (Not Found)"
    assert asked == [3, 4]


def test_a_copy_that_no_plan_can_use_is_told_and_skipped(folder, monkeypatch, tmp_path):
    _online(monkeypatch, tmp_path, {"X": np.eye(5, 2), "y": np.zeros(5)})
    assert "y is the same for all samples" in stocked(SETS, folder, fetch=True).absence("Three")


def test_a_copy_of_another_size_on_openml_is_told(folder, monkeypatch, tmp_path):
    _online(monkeypatch, tmp_path, {"X": np.zeros((4, 2)), "y": np.arange(4)})
    shelf = stocked(SETS, folder, fetch=True)
    assert shelf.absence("Three") == "set 3 of OpenML is 4 × 2, but the table meant is 5 × 2"


def test_large_copies_are_not_fetched_for_few_runs_unless_they_are_there(monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, {"X": np.eye(5, 2), "y": [0, 1, 1, 0, 1]})
    assert stocked(SETS, None, fetch=True, most_fetched=10).there == ["Three"]
    asked.clear()
    shelf = stocked(SETS, None, fetch=True, most_fetched=9)
    assert asked == []
    assert shelf.absence("Three") == (
        "no three.npz in the folder of data sets, and set 3 of OpenML is large: not fetched for few runs"
    )
    monkeypatch.setattr(module, "is_kept", lambda number: True)
    assert stocked(SETS, None, fetch=True, most_fetched=9).there == ["Three"]
