"""Data sets are found in a folder or on OpenML, and said to be missing otherwise."""

import pickle
from socket import gaierror
from urllib.error import URLError

import numpy as np
import pytest

from holdfast import DataError
from holdfast._progress import watching
from holdfast.reproduce import shelf as module
from holdfast.reproduce.shelf import Set, known_shapes, stocked
from holdfast.reproduce.store import PartStore
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
        (np.eye(2) * 1j, np.array([0, 1]), "X holds values of type complex128, but must hold real numbers"),
        (np.eye(2).astype("M8[D]"), np.array([0, 1]), "must hold real numbers"),
    ],
)
def test_what_no_plan_can_use_is_refused_by_the_name_of_its_file(tmp_path, X, y, words):
    np.savez(tmp_path / "one.npz", X=X, y=y)
    with pytest.raises(DataError, match=rf"one\.npz.*{words}"):
        stocked({"One": Set("one")}, tmp_path)


@pytest.mark.parametrize(
    ("split", "came"),
    [
        (["train", "test"], r"is of shape \(2,\) for 3 samples"),
        ([0, 1, 0], "holds '0', '1'"),
        (["train", "test", "Test"], "holds 'Test', 'test', 'train'"),
        ([b"train", b"test", b"test"], "holds"),
        (["test", "test", "test"], "holds test only"),
    ],
)
def test_a_split_that_does_not_say_train_or_test_of_every_sample_is_refused(tmp_path, split, came):
    np.savez(tmp_path / "one.npz", X=np.eye(3), y=[0, 1, 0], split=split)
    message = rf"one\.npz: split {came}.*, but must say of every sample train or test, and of some train\. Mend it"
    with pytest.raises(DataError, match=message):
        stocked({"One": Set("one")}, tmp_path)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"feature_names": ["a", "b"]}, r"feature_names is of shape \(2,\), but must be \(3,\)"),
        ({"class_names": ["no", "yes"]}, "y runs from 0 to 2, but class_names has 2 names"),
    ],
)
def test_names_that_do_not_fit_are_refused(tmp_path, more, message):
    np.savez(tmp_path / "one.npz", X=np.eye(3), y=[0, 1, 2], **more)
    with pytest.raises(DataError, match=rf"one\.npz: {message}"):
        stocked({"One": Set("one")}, tmp_path)


def test_a_target_that_is_a_number_needs_no_names_of_classes(tmp_path):
    np.savez(tmp_path / "one.npz", X=np.eye(3), y=[0, 1, 2], class_names=np.array([], dtype=str))
    assert stocked({"One": Set("one")}, tmp_path).there == ["One"]


def test_one_array_under_the_name_of_an_archive_is_refused(tmp_path):
    with open(tmp_path / "one.npz", "wb") as file:
        np.save(file, np.eye(3))
    with pytest.raises(DataError, match=r"one\.npz cannot be read \(it is one array"):
        stocked({"One": Set("one")}, tmp_path)


def _wine(folder, *, gaps=0, **changed):
    """The shape and the classes of wine; the shelf of a folder that has such a file."""
    arrays = {"X": np.zeros((178, 13)), "y": np.repeat([0, 1, 2], [59, 71, 48])} | changed
    arrays["X"][:gaps, :2] = np.nan
    np.savez(folder / "wine.npz", **arrays)
    return stocked({"Wine": Set("wine")}, folder)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"y": np.arange(178) % 2}, "wine.npz in the folder of data sets has 2 classes, but the table meant has 3"),
        (
            {"y": np.repeat([0, 1, 2], [88, 89, 1])},
            "the smallest class of wine.npz in the folder of data sets has 1 sample, "
            "but that of the table meant has 48",
        ),
        (
            {"y": np.repeat([0.0, 1.5, 2.0], [59, 71, 48])},
            "y of wine.npz in the folder of data sets holds 1.5, "
            "but in the table meant it holds the numbers of 3 classes",
        ),
        (
            {"gaps": 1},
            "X of wine.npz in the folder of data sets has 2 missing values (sample 1), but the table meant has none",
        ),
        (
            {"gaps": 6},
            "X of wine.npz in the folder of data sets has 12 missing values (samples 1, 2, 3, 4, 5, …), "
            "but the table meant has none",
        ),
    ],
)
def test_other_contents_than_those_of_the_table_meant_are_refused(tmp_path, changed, why):
    shelf = _wine(tmp_path, **changed)
    assert shelf.there == []
    assert shelf.absence("Wine") == why


@pytest.mark.parametrize("kind", ["i1", "f8"])
def test_classes_are_whole_numbers_however_they_were_written(tmp_path, kind):
    y = np.repeat([1, 2, 3], [59, 71, 48])
    table = _wine(tmp_path, y=y.astype(kind)).load("Wine")
    assert table.y.dtype.kind == "i"
    assert table.y.tolist() == y.tolist()


def test_whole_numbers_that_no_name_of_a_class_belongs_to_are_refused(tmp_path):
    with pytest.raises(DataError, match="y runs from 1 to 3, but class_names has 3 names"):
        _wine(tmp_path, y=np.repeat([1.0, 2.0, 3.0], [59, 71, 48]), class_names=["a", "b", "c"])


def test_a_target_that_is_a_number_stays_so_and_may_be_whole(tmp_path):
    np.savez(tmp_path / "boston_housing.npz", X=np.zeros((506, 13)), y=np.arange(506.0))
    table = stocked({"Boston": Set("boston_housing")}, tmp_path).load("Boston")
    assert table.y.dtype.kind == "f"


def test_gaps_stay_where_the_table_meant_has_some(tmp_path):
    X = np.zeros((47, 4026))
    X[0, 0] = np.nan
    np.savez(tmp_path / "dlbcl_stanford.npz", X=X, y=np.repeat([0, 1], [23, 24]))
    assert stocked({"Lymphoma": Set("dlbcl_stanford")}, tmp_path).there == ["Lymphoma"]


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


def test_a_copy_of_other_classes_on_openml_is_told(monkeypatch, tmp_path):
    _online(monkeypatch, tmp_path, {"X": np.zeros((178, 13)), "y": np.arange(178) % 2})
    for one in (Set("wine", openml=187), Set("wine", openml=187, shape=(178, 13))):
        shelf = stocked({"Wine": one}, None, fetch=True)
        assert shelf.absence("Wine") == "set 187 of OpenML has 2 classes, but the table meant has 3"


def test_of_a_copy_on_openml_with_another_shape_than_the_file_no_classes_are_known(monkeypatch, tmp_path):
    X = np.zeros((20, 4))
    X[0, 0] = np.nan
    _online(monkeypatch, tmp_path, {"X": X, "y": np.arange(20) % 2})
    assert stocked({"Wine": Set("wine", openml=187, shape=(20, 4))}, None, fetch=True).there == ["Wine"]


@pytest.mark.parametrize("late", [TimeoutError("timed out"), URLError(TimeoutError("timed out"))])
def test_a_set_that_does_not_come_in_time_leaves_the_network_to_the_others(monkeypatch, tmp_path, late):
    asked = _online(monkeypatch, tmp_path, late)
    shelf = stocked({name: Set(name, openml=at) for at, name in enumerate("abcd")}, None, fetch=True)
    assert shelf.absence("a") == "set 0 of OpenML did not come in time"
    # Two that do not are a network that does not answer.
    assert asked == [0, 1]
    assert shelf.absence("d") == "no d.npz in the folder of data sets, and set 3 of OpenML was not fetched"


def test_a_set_that_breaks_off_leaves_the_network_to_the_others(monkeypatch, tmp_path):
    asked = _online(monkeypatch, tmp_path, ConnectionResetError("reset by peer"))
    shelf = stocked({"A": Set("a", openml=3), "B": Set("b", openml=4)}, None, fetch=True)
    assert asked == [3, 4]
    assert shelf.absence("A") == "set 3 of OpenML did not come (reset by peer)"


@pytest.mark.parametrize(
    "reason", [gaierror(-2, "Name or service not known"), ConnectionRefusedError(111, "Connection refused")]
)
def test_no_name_and_no_connection_are_no_network(monkeypatch, tmp_path, reason):
    asked = _online(monkeypatch, tmp_path, URLError(reason))
    shelf = stocked({"A": Set("a", openml=3), "B": Set("b", openml=4)}, None, fetch=True)
    assert asked == [3]
    assert shelf.absence("A") == "no a.npz in the folder of data sets, and set 3 of OpenML was not fetched"


@pytest.mark.parametrize(("result", "seconds"), [("null", "1.0"), ("{}", "null")])
def test_a_kept_part_without_a_result_or_its_seconds_is_made_again(tmp_path, result, seconds):
    store = PartStore(tmp_path, {"plan": "made-up", "data": {}})
    store.put("a", {"score": 1.0}, 2.0)
    assert store.get("a") == {"key": "a", "result": {"score": 1.0}, "seconds": 2.0}
    (tmp_path / "parts" / "a.json").write_text(f'{{"key": "a", "result": {result}, "seconds": {seconds}}}')
    assert store.get("a") is None


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
