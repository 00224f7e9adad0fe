"""``--set``: any parameter of a method from the command line."""

import json

import numpy as np
import pytest

import holdfast as package
from holdfast.cli._settings import settings
from unit.cli.conftest import MADE


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n_neighbors=5", 5),
        ("sigma=2.5", 2.5),
        ("sigma=none", None),
        ("star=True", True),
        ("star=false", False),
        ("metric=euclidean", "euclidean"),
        ("nominal=a,b", ["a", "b"]),
        ("nominal=3,", [3]),
        ("n_neighbors=[1,3]", [1, 3]),
        ("nominal='7'", "7"),
        ("name=__import__('os')", "__import__('os')"),
    ],
)
def test_a_setting_is_read_as_it_is_meant(text, value):
    assert settings([text]) == {text.partition("=")[0]: value}


@pytest.mark.parametrize("text", ["n_neighbors", "=5", "5=n", "n neighbors=5"])
def test_what_is_no_setting_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="NAME=VALUE"):
        settings([text])


def test_a_setting_said_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        settings(["sigma=1", "sigma=2"])


def test_settings_reach_the_method_and_the_result(holdfast, table):
    result = holdfast(
        "select", table, "--target", "state", "-m", "relieff", "-k", 4, "--repeats", 0, "--json",
        "--set", "n_neighbors=3", "--set", "metric=euclidean",
    )  # fmt: skip
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert (found["parameters"]["n_neighbors"], found["parameters"]["metric"]) == (3, "euclidean")
    fitted = package.ReliefF(4, n_neighbors=3, metric="euclidean").fit(MADE.X, MADE.y)
    assert [feature["index"] for feature in found["selected"]] == fitted.indices_.tolist()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--set", "n_neighbours=3"), "n_neighbors"),
        (("-k", 3, "--set", "n_neighbors=0"), "at least 1"),
        (("-k", 3, "--set", "n_features_to_select=3"), "-k"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(holdfast, table, options, words):
    result = holdfast("select", table, "--target", "state", "-m", "relieff", *options)
    assert result.exit_code == 2
    assert words in result.stderr


def test_missing_values_go_to_methods_that_take_them_and_to_no_others(holdfast, tmp_path):
    X = MADE.X.copy()
    X[3, 5] = np.nan
    lines = [",".join([*map(str, row), str(label)]) for row, label in zip(X, MADE.y, strict=True)]
    header = ",".join([*(f"g{i}" for i in range(X.shape[1])), "state"])
    path = tmp_path / "gaps.csv"
    path.write_text("\n".join([header, *lines]).replace("nan", "") + "\n")
    taken = holdfast("select", path, "--target", "state", "-m", "relieff", "-k", 4, "--repeats", 3, "--json")
    assert taken.exit_code == 0
    assert "g5" in taken.stderr
    fitted = package.ReliefF(4).fit(X, MADE.y)
    assert [feature["index"] for feature in json.loads(taken.stdout)["selected"]] == fitted.indices_.tolist()
    assert holdfast("select", path, "--target", "state", "-m", "f-test", "-k", 4).exit_code == 3


def test_a_method_that_keeps_nothing_says_its_own_reason(holdfast, table):
    result = holdfast("select", table, "--target", "state", "-m", "lcc", "--set", "delta=0.9", "--repeats", 0)
    assert result.exit_code == 4
    said = " ".join(result.stderr.split())
    assert "up to 0.9" in said
    assert "Lower delta: all features together come to" in said
    assert "f-test" not in said
