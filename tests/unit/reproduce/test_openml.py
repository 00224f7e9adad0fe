"""Copies from OpenML: what is asked for, how files are read, and what is said of those that cannot be had."""

import gzip
import hashlib
import io
import json
from http.client import IncompleteRead
from urllib.error import HTTPError, URLError

import numpy as np
import pytest

from holdfast import DataError
from holdfast._errors import StoreError
from holdfast.reproduce import openml
from holdfast.reproduce.openml import copy_of, is_kept

DENSE = """@relation made
@attribute id numeric
@attribute gene numeric
@attribute rad {24, 3}
@attribute base {a, c, t}
@attribute class {well, sick}
@data
1, 0.5, 24, a, well
2, ?, 3, t, sick
3, 2.5, 24, c, well
"""
# Weka leaves out what is zero, which for a nominal attribute is its first level.
SPARSE = """@relation made
@attribute word numeric
@attribute other numeric
@attribute class {well, sick}
@data
{1 4, 2 sick}
{0 2}
{0 1, 1 3, 2 sick}
{}
"""
TEXT = """@relation made
@attribute gene numeric
@attribute class string
@data
0.5, tumour
1.5, normal
2.5, tumour
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def online(monkeypatch):
    """Let OpenML hold a file; gives the addresses that it was asked for."""

    def holds(text, *, body=None, **about):
        asked = []
        body = text.encode() if body is None else body
        told = {"url": "https://made.up/3.arff", "md5_checksum": hashlib.md5(body).hexdigest()}
        told = {**told, "default_target_attribute": "class", **about}

        def urlopen(address, timeout):
            asked.append(address)
            return io.BytesIO(body if address == told["url"] else json.dumps({"data_set_description": told}).encode())

        monkeypatch.setattr(openml, "urlopen", urlopen)
        return asked

    return holds


def _fails(monkeypatch, error):
    def urlopen(address, timeout):
        raise error

    monkeypatch.setattr(openml, "urlopen", urlopen)


def test_numbers_stay_levels_are_numbered_and_gaps_are_gaps(online):
    asked = online(DENSE, row_id_attribute="id")
    made = np.load(copy_of(3))
    assert asked == ["https://www.openml.org/api/v1/json/data/3", "https://made.up/3.arff"]
    assert made["feature_names"].tolist() == ["gene", "rad", "base"]
    np.testing.assert_array_equal(made["X"], [[0.5, 24, 0], [np.nan, 3, 2], [2.5, 24, 1]])
    assert made["class_names"].tolist() == ["sick", "well"]
    assert made["y"].tolist() == [1, 0, 1]


@pytest.mark.parametrize("ignored", [["id", "rad"], "id, rad"])
def test_columns_that_openml_ignores_are_no_features(online, ignored):
    online(DENSE, ignore_attribute=ignored)
    assert np.load(copy_of(3))["feature_names"].tolist() == ["gene", "base"]


def test_a_sparse_row_without_its_class_is_of_the_first_one(online):
    online(SPARSE)
    made = np.load(copy_of(3))
    np.testing.assert_array_equal(made["X"], [[0, 4], [2, 0], [1, 3], [0, 0]])
    assert made["class_names"][made["y"]].tolist() == ["sick", "well", "sick", "well"]


def test_classes_may_be_text(online):
    online(TEXT)
    made = np.load(copy_of(3))
    assert made["class_names"][made["y"]].tolist() == ["tumour", "normal", "tumour"]


def test_a_target_with_decimals_is_no_class(online):
    online(TEXT.replace("string", "numeric").replace("tumour", "0.25").replace("normal", "7"))
    made = np.load(copy_of(3))
    assert "class_names" not in made
    assert made["y"].tolist() == [0.25, 7.0, 0.25]


def test_a_packed_file_is_unpacked(online):
    online("", body=gzip.compress(TEXT.encode(), mtime=0))
    assert np.load(copy_of(3))["X"].shape == (3, 1)


def test_a_copy_is_kept_and_openml_not_asked_again(online, monkeypatch, folder):
    online(DENSE)
    assert not is_kept(3)
    place = copy_of(3)
    assert is_kept(3)
    assert folder in place.parents
    _fails(monkeypatch, URLError("no network"))
    assert copy_of(3) == place
    with pytest.raises(OSError, match="no network"):
        copy_of(4)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (HTTPError("u", 404, "Not Found", None, None), r"^OpenML answered 404 \(Not Found\)$"),
        (IncompleteRead(b"half"), r"^OpenML broke off \(IncompleteRead\)$"),
    ],
)
def test_what_openml_does_not_give_is_told(monkeypatch, error, words):
    _fails(monkeypatch, error)
    with pytest.raises(DataError, match=words):
        copy_of(3)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ({"md5_checksum": "another"}, "not what OpenML says"),
        ({"default_target_attribute": None}, "names no column of it as the class"),
        ({"default_target_attribute": "a,b"}, "^its file has 0 attributes named 'a,b'"),
    ],
)
def test_a_set_that_cannot_be_used_is_not_kept(online, about, words):
    online(DENSE, **about)
    with pytest.raises(DataError, match=words):
        copy_of(3)
    assert not is_kept(3)


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>Log in to this network</html>",
        b'{"error": {"code": "111"}}',
        b"[]",
        b"\xff\xfe",
        b'{"data_set_description": null}',
        b'{"data_set_description": {}}',
        b'{"data_set_description": {"url": 3}}',
        b'{"data_set_description": {"url": "file:///etc/passwd"}}',
    ],
)
def test_an_answer_that_describes_no_set_is_told(monkeypatch, answer):
    monkeypatch.setattr(openml, "urlopen", lambda address, timeout: io.BytesIO(answer))
    with pytest.raises(DataError, match=r"^what was answered is no description of a set$"):
        copy_of(3)


def test_a_copy_that_cannot_be_written_is_no_missing_network(online, folder):
    (folder / "holdfast").write_text("in the way")
    online(DENSE)
    with pytest.raises(StoreError, match=r"openml-3\.npz, a copy from OpenML, could not be written: .*--offline"):
        copy_of(3)


def test_without_a_place_for_copies_there_are_none(monkeypatch, folder):
    (folder / "file").write_text("in the way")
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(folder / "file"))
    assert not is_kept(3)
