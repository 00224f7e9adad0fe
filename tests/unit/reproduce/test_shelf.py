"""Data sets are found in a folder or on OpenML, and said to be missing otherwise."""

import pickle
import warnings
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pytest

from holdfast import DataError
from holdfast.reproduce import shelf as module
from holdfast.reproduce.shelf import Set, stocked
from unit.reproduce.made_up import SETS


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    module._loaded.cache_clear()
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)


def _online(monkeypatch, answer):
    asked = []

    def fetch(data_id, **options):
        asked.append(data_id)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    return asked


def test_what_is_in_the_folder_is_found_and_the_rest_is_named(folder):
    found = stocked(SETS, folder)
    assert found.there == ["One", "Two"]
    assert found.absent == ["Three"]
    assert found.load("Two").X.shape == (30, 4)
    with pytest.raises(DataError, match=r"^Three is not there: no three\.npz in the folder"):
        found.load("Three")


def test_a_network_that_does_not_answer_is_no_warning_of_its_own(folder, monkeypatch):
    def fetch(data_id, **options):
        warnings.warn("Retrying...", stacklevel=1)
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    assert stocked(SETS, folder, fetch=True).absent == ["Three"]


def test_the_environment_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv("HOLDFAST_DATA", str(folder))
    assert stocked(SETS, None).there == ["One", "Two"]
    monkeypatch.setenv("HOLDFAST_DATA", str(folder / "elsewhere"))
    with pytest.raises(DataError, match=r"HOLDFAST_DATA=.*elsewhere is no folder"):
        stocked(SETS, None)


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


def test_openml_is_asked_for_what_is_not_there(folder, monkeypatch):
    answer = SimpleNamespace(data=np.ones((5, 2)), target=np.array(list("abbab")), feature_names=["x", "y"])
    asked = _online(monkeypatch, answer)
    found = stocked(SETS, folder, fetch=True)
    assert asked == [3]
    assert found.load("Three").y.tolist() == [0, 1, 1, 0, 1]
    assert found.load("Three").class_names.tolist() == ["a", "b"]


def test_openml_is_not_asked_unless_wanted(folder, monkeypatch):
    asked = _online(monkeypatch, URLError("no network"))
    assert stocked(SETS, folder).absent == ["Three"]
    assert asked == []


def test_another_table_of_the_same_number_is_not_taken(folder, monkeypatch):
    _online(monkeypatch, SimpleNamespace(data=np.ones((6, 2)), target=np.arange(6.0), feature_names=["x", "y"]))
    assert stocked(SETS, folder, fetch=True).absent == ["Three"]


def test_without_a_network_openml_is_asked_once(monkeypatch):
    asked = _online(monkeypatch, URLError("no network"))
    sets = {"A": Set("a", openml=1), "B": Set("b", openml=2)}
    assert stocked(sets, None, fetch=True).there == []
    assert asked == [1]


def test_a_shelf_can_be_sent_to_another_process(folder):
    found = pickle.loads(pickle.dumps(stocked(SETS, folder)))
    assert found.load("One").X.shape == (20, 4)


def test_digests_differ_when_tables_do(folder):
    found = stocked(SETS, folder)
    assert found.digest("One") == found.digest("One") != found.digest("Two")
