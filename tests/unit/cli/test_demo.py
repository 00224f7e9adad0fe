import json
import os

import pytest

from holdfast.cli.demo import METHODS, embedded, role, run_demo


@pytest.fixture(scope="module")
def demo():
    return run_demo()


def test_the_recommended_list_holds_most_of_the_truth(demo):
    advice = demo.study.recommendation
    number = METHODS.index(advice["method"])
    picks = demo.study.on_all_samples(number, advice["size"])[0]
    assert len({int(demo.made.groups[j]) for j in picks} - {-1}) >= 8


def test_the_demo_prints_the_recommendation_its_features_and_the_truth(holdfast, demo):
    result = holdfast("demo", "-q")
    assert (result.exit_code, result.stderr) == (0, "")
    words = " ".join(result.stdout.split())
    assert demo.study.recommendation["sentence"] in words
    assert all(f" {name}\n" in result.stdout for name in demo.study.recommendation["features"])
    assert "The truth: of the 10 signals" in words
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_the_written_data_give_the_same_study(holdfast, tmp_path, demo):
    out = tmp_path / "out"
    result = holdfast("demo", "--out", out)
    assert result.exit_code == 0
    assert "report.html" in result.stderr
    assert sorted(os.listdir(out)) == [
        "comparisons.csv", "data.csv", "features.csv", "report.html", "report.json", "report.txt", "results.csv",
        "stability.csv", "truth.csv",
    ]  # fmt: skip
    again = holdfast("compare", out / "data.csv", "--target", "class", "--protocol", "5x10cv", "--json", "-q")
    assert json.loads(again.stdout)["recommendation"] == demo.study.recommendation


def test_an_older_demo_in_the_folder_is_replaced(holdfast, tmp_path, monkeypatch):
    (tmp_path / "report.html").write_text("old", encoding="utf-8")
    monkeypatch.setattr("holdfast.cli.demo.PROTOCOL", "2cv")
    monkeypatch.setattr("holdfast.cli.demo.SIZES", (20,))
    assert holdfast("demo", "--out", tmp_path, "-q").exit_code == 0
    assert (tmp_path / "report.html").stat().st_size > 1000


def test_the_truth_of_a_gene_is_told():
    made, table = embedded()
    assert role(made, table, int(made.relevant[0])) == "true"
    assert role(made, table, int(made.redundant[0])).startswith("copy of GENE")
    noise = next(j for j in range(table.n_features) if j not in {*made.relevant, *made.redundant})
    assert role(made, table, noise) == "noise"


def test_the_names_give_nothing_away():
    made, _ = embedded()
    assert made.relevant.min() > 10
    assert made.relevant.max() > 1000
