"""A study as CSV."""

from __future__ import annotations

import csv
import io

import pytest

from holdfast.report.study import tables
from unit.report.study.examples import ALL, HOSTILE, hostile, minimal, tuned, usual

NAMES = ["results.csv", "stability.csv", "features.csv", "comparisons.csv"]


def _read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("name", ALL)
def test_every_study_gives_four_tables_of_even_lines(name):
    found = tables(ALL[name]())
    assert list(found) == NAMES
    for text in found.values():
        assert len({len(line) for line in csv.reader(io.StringIO(text, newline=""))}) == 1


def test_results_have_a_line_for_each_configuration_with_every_digit():
    study = usual()
    lines = _read(tables(study)["results.csv"])
    assert len(lines) == len(study["results"])
    for line, row in zip(lines, study["results"], strict=True):
        assert (line["method"], line["size"], line["classifier"]) == (
            row["method"],
            str(row["size"]),
            row["classifier"],
        )
        assert line["on_front"] == str(row["on_front"]).lower()
        assert [float(line[f"auc_{part}"]) for part in ("mean", "low", "high", "sd")] == [
            row["auc"][part] for part in ("mean", "low", "high", "sd")
        ]


def test_what_is_undefined_is_empty():
    line = _read(tables(minimal())["results.csv"])[0]
    assert (line["accuracy_mean"], line["accuracy_low"], line["brier_mean"]) == ("0.5", "", "")


def test_stability_has_every_index_and_how_many_were_chosen():
    study = usual()
    lines = _read(tables(study)["stability.csv"])
    assert len(lines) == 16
    assert float(lines[5]["kuncheva_high"]) == study["selections"][5]["stability"]["kuncheva"]["high"]
    assert lines[5]["n_selected_most"] == "10"


def test_an_index_that_only_some_selections_have_has_a_column():
    study = usual()
    study["selections"][1]["stability"]["npogr"] = {"value": 0.25, "low": None, "high": None}
    lines = _read(tables(study)["stability.csv"])
    assert [line["npogr_value"] for line in lines[:3]] == ["", "0.25", ""]


def test_features_have_a_line_for_each_selection_they_are_in():
    study = tuned()
    lines = _read(tables(study)["features.csv"])
    assert len(lines) == sum(len(row["features"]) for row in study["selections"])
    first = study["selections"][0]["features"][0]
    assert lines[0]["feature"] == first["name"]
    assert (float(lines[0]["frequency"]), int(lines[0]["rank"])) == (first["frequency"], first["rank"])
    assert {line["classifier"] for line in lines if line["size"] == "tuned"} == {"svm", "knn", "nb"}


def test_comparisons_have_a_line_for_each_pair_with_all_p_values():
    lines = _read(tables(usual())["comparisons.csv"])
    assert len(lines) == 6
    assert (lines[0]["corrected_t_p_holm"], lines[0]["wilcoxon_p_value"], lines[0]["mcnemar_p_holm"]) == (
        "0.4",
        "0.04",
        "1.0",
    )
    assert lines[1]["mcnemar_p_value"] == ""


def test_names_come_back_as_they_were():
    study = hostile()
    features = study["selections"][0]["features"]
    features[:] = [features[0] | {"name": name} for name in [*HOSTILE, " spaced ", "", "tab\there", "cr\rhere"]]
    lines = _read(tables(study)["features.csv"])
    assert [line["feature"] for line in lines[: len(features)]] == [feature["name"] for feature in features]
