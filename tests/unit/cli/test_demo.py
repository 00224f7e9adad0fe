import json
import os

import pytest

from holdfast.cli.demo import N_PICKS, embedded, run_demo


@pytest.fixture(scope="module")
def demo():
    return run_demo()


def test_the_demo_finds_most_of_the_truth(demo):
    groups = {int(demo.made.groups[feature.index]) for feature in demo.ours.chosen} - {-1}
    assert len(groups) >= 8


def test_the_demo_prints_the_truth_beside_each_pick(holdfast, demo):
    result = holdfast("demo", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    for feature in demo.ours.chosen:
        line = next(line for line in lines if f" {feature.name} " in line)
        assert ("true" if feature.index in demo.made.relevant else "copy of") in line
        assert f"{feature.times} of 50" in line
    assert "of 10 signals" in result.stdout
    assert max(map(len, lines)) <= 80


def test_the_written_data_give_the_same_list(holdfast, tmp_path, demo):
    assert holdfast("demo", "--out", tmp_path / "out").exit_code == 0
    assert sorted(os.listdir(tmp_path / "out")) == [
        "data.csv", "demo.txt", "selection.csv", "selection.json", "selection.txt", "truth.csv",
    ]  # fmt: skip
    again = holdfast("select", tmp_path / "out" / "data.csv", "--target", "class", "-k", N_PICKS, "--json")
    found = json.loads(again.stdout)["selected"]
    assert [feature["name"] for feature in found] == [feature.name for feature in demo.ours.chosen]


def test_the_names_give_nothing_away():
    made, _ = embedded()
    assert made.relevant.min() > 10
    assert made.relevant.max() > 1000
