"""Data sets are found in a folder or on OpenML, and said to be missing otherwise."""

import pickle
import warnings
from types import SimpleNamespace
from urllib.error import HTTPError, URLError

import numpy as np
import pytest
from scipy.sparse import csr_array

from holdfast import DataError
from holdfast._errors import StoreError
from holdfast._progress import watching
from holdfast.reproduce import shelf as module
from holdfast.reproduce.shelf import Set, known_shapes, stocked
from unit.reproduce.made_up import SETS


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch, tmp_path_factory):
    module._loaded.cache_clear()
    monkeypatch.delenv("HOLDFAST_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path_factory.mktemp("kept")))


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


def test_openml_is_asked_for_what_is_not_there(folder, monkeypatch):
    answer = SimpleNamespace(data=np.ones((5, 2)), target=np.array(list("abbab")), feature_names=["x", "y"])
    asked = _online(monkeypatch, answer)
    found = stocked(SETS, folder, fetch=True)
    assert asked == [3]
    assert found.load("Three").y.tolist() == [0, 1, 1, 0, 1]
    assert found.load("Three").class_names.tolist() == ["a", "b"]


def test_what_openml_gave_is_kept_and_not_asked_for_again(folder, monkeypatch):
    answer = SimpleNamespace(data=csr_array(np.eye(5, 2)), target=np.array(list("abbab")), feature_names=["x", "y"])
    asked = _online(monkeypatch, answer)
    before = stocked(SETS, folder, fetch=True)
    assert before.load("Three").X.tolist() == np.eye(5, 2).tolist()
    module._loaded.cache_clear()
    assert before.load("Three").feature_names.tolist() == ["x", "y"]
    assert asked == [3]
    # A network that is gone by then takes nothing away.
    _online(monkeypatch, URLError("no network"))
    after = stocked({"Elsewhere": Set("elsewhere", openml=4), **SETS}, folder, fetch=True)
    assert after.there == ["One", "Two", "Three"]
    assert after.digest("Three") == before.digest("Three")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (HTTPError("u", 404, "Not Found", None, None), "OpenML answered 404 (Not Found)"),
        (ValueError("Dataset with data_id 3 not found."), "Dataset with data_id 3 not found"),
        (
            SimpleNamespace(data=np.array([["a"], ["b"]]), target=[0, 1], feature_names=["x"]),
            "its values are no numbers",
        ),
    ],
)
def test_a_set_that_openml_cannot_give_is_told_and_the_next_is_asked_for(monkeypatch, answer, words):
    asked = _online(monkeypatch, answer)
    shelf = stocked({"A": Set("a", openml=3), "B": Set("b", openml=4)}, None, fetch=True)
    assert shelf.absence("A") == f"set 3 of OpenML cannot be used: {words}"
    assert asked == [3, 4]


def test_a_copy_that_cannot_be_kept_is_no_missing_network(monkeypatch, tmp_path):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    (tmp_path / "holdfast").write_text("in the way")
    _online(monkeypatch, SimpleNamespace(data=np.eye(5, 2), target=np.arange(5), feature_names=["x", "y"]))
    with pytest.raises(StoreError, match=r"openml-3\.npz, a copy from OpenML, could not be written: .*--offline"):
        stocked({"Three": SETS["Three"]}, None, fetch=True)


def test_without_a_place_for_copies_the_others_are_found(folder, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(folder / "one.npz"))
    found = stocked({"Elsewhere": Set("elsewhere", openml=4), **SETS}, folder, fetch=True)
    assert found.there == ["One", "Two"]


def test_a_copy_that_no_plan_can_use_is_told_and_skipped(folder, monkeypatch):
    _online(monkeypatch, SimpleNamespace(data=np.eye(5, 2), target=np.zeros(5), feature_names=["x", "y"]))
    assert "y is the same for all samples" in stocked(SETS, folder, fetch=True).absence("Three")


def test_looking_for_sets_shows_how_far_it_is(folder):
    told = []
    with watching(lambda what, done, total: told.append((what, done, total))):
        stocked(SETS, folder)
    assert told == [("Looking for the data sets", done, 3) for done in range(3)]


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


def test_another_table_of_the_same_name_is_refused_with_both_sizes(tmp_path):
    np.savez(tmp_path / "wine.npz", X=np.zeros((240, 13)), y=np.arange(240) % 3)
    shelf = stocked({"Wine": Set("wine")}, tmp_path)
    assert shelf.there == []
    assert shelf.absence("Wine") == "wine.npz in the folder of data sets is 240 × 13, but the table meant is 178 × 13"


def test_a_file_and_its_copy_on_openml_may_have_other_columns():
    splice = Set("dna_splice", openml=46, shape=(3190, 60))
    assert splice.meant(as_file=True) == known_shapes()["dna_splice"] == (3186, 180)
    assert splice.meant(as_file=False) == (3190, 60)


def test_a_copy_of_another_size_on_openml_is_told(folder, monkeypatch):
    _online(monkeypatch, SimpleNamespace(data=np.zeros((4, 2)), target=np.arange(4), feature_names=["a", "b"]))
    shelf = stocked(SETS, folder, fetch=True)
    assert shelf.absence("Three") == "set 3 of OpenML is 4 × 2, but the table meant is 5 × 2"


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
