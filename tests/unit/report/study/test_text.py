"""A study as plain text."""

from __future__ import annotations

import subprocess
import sys

import pytest

from holdfast.report.study import text
from holdfast.report.study._columns import breadth
from unit.report.study.examples import ALL, HOSTILE, empty, hostile, incomplete, many_methods, minimal, tuned, usual


@pytest.mark.parametrize("name", ALL)
def test_every_study_can_be_told(name):
    found = text(ALL[name]())
    assert found.endswith("\n")
    assert "None" not in found


def test_the_recommendation_comes_first_with_reasons_and_doubts():
    lines = text(usual()).splitlines()
    assert lines[0].startswith("f-test with 20 features and svm: accuracy 0.91")
    assert lines[1:3] == ["Why:", "  - No configuration is significantly more accurate."]
    assert (
        lines[lines.index("Doubts:") + 1] == "  - Stability 0.62: about a third of the list changes with the samples."
    )
    assert lines[lines.index("Within noise of it:") + 1] == "  - mrmr+ with 20 features"


def test_a_study_that_is_not_finished_says_so_before_anything_else():
    assert text(incomplete()).startswith("This study is not finished: 120 of 404 parts are done.")


def test_a_study_without_results_has_no_recommendation():
    assert "There is no recommendation" in text(empty())


def test_each_method_and_size_has_one_line_with_its_best_classifier_and_the_best_first():
    study = usual()
    study["results"] = [row for row in study["results"] if row["method"] == "f-test" and row["size"] in (5, 10)]
    values = {(5, "svm"): 0.7, (5, "knn"): 0.9, (5, "nb"): 0.8, (10, "svm"): 0.6, (10, "knn"): 0.5, (10, "nb"): 0.4}
    for row in study["results"]:
        row["accuracy"] |= {"mean": values[row["size"], row["classifier"]], "low": 0.25, "high": 0.955}
    lines = text(study).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("method"))
    assert lines[start].split() == ["method", "size", "classifier", "accuracy", "AUC", "stability", "seconds"]
    assert lines[start + 1].split()[:6] == ["f-test", "5", "knn", "0.900", "[0.25,", "0.95]"]
    assert lines[start + 2].split()[:4] == ["f-test", "10", "svm", "0.600"]
    assert lines[start + 3] == ""


def test_an_unbalanced_study_is_told_by_its_balanced_accuracy():
    study = usual()
    study["recommendation"]["metric"] = "balanced_accuracy"
    best = max(study["results"], key=lambda row: row["balanced_accuracy"]["mean"])
    lines = text(study).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("method"))
    assert "balanced accuracy" in lines[start]
    assert f"{best['balanced_accuracy']['mean']:.3f}" in lines[start + 1]


def test_undefined_values_are_dashes():
    line = next(line for line in text(minimal()).splitlines() if line.startswith("f-test  "))
    assert line.split() == ["f-test", "5", "svm", "0.500", "–", "–"]


def test_the_tests_are_told_in_words():
    found = " ".join(text(usual()).split())
    assert "Differences between methods, accuracy of svm with 20 features:" in found
    assert "Friedman over 100 splits: the methods differ (p < 0.001)." in found
    assert "f-test is better than mrmr+ (corrected t test, p = 0.001)." in found
    assert "5 pairs of methods without a clear difference." in found


def test_of_an_error_less_is_better():
    study = usual()
    study["comparisons"]["metric"] = "error"
    assert "mrmr+ is better than f-test" in text(study)


def test_features_come_with_how_often_they_were_chosen():
    study = usual()
    first = study["recommendation"]["features"][0]
    assert f"   99%  {first}" in text(study).splitlines()


def test_a_tuned_recommendation_takes_the_frequencies_of_its_classifier():
    study = tuned()
    study["recommendation"] |= {"size": "tuned", "classifier": "knn", "features": ["GENE0001"]}
    for row in study["selections"]:
        if row["size"] == "tuned" and row["method"] == "mrmr":
            often = 0.77 if row["classifier"] == "knn" else 0.11
            row["features"] = [{"name": "GENE0001", "index": 1, "frequency": often, "rank": None, "score": None}]
    assert "   77%  GENE0001" in text(study).splitlines()


def test_what_was_done_ends_the_text():
    found = text(usual())
    done = found[found.index("What was done:") :]
    for words in ("10 times 10-fold cross-validation", "Seed: 0", "ab" * 32, "normal (50), tumor (50)", "n_bins=5"):
        assert words in done


@pytest.mark.parametrize("width", [50, 72, 100, 140])
@pytest.mark.parametrize("name", ["usual", "minimal", "tuned", "incomplete", "many_classes"])
def test_no_line_is_longer_than_the_width_but_for_digests(name, width):
    long = [line for line in text(ALL[name](), width).splitlines() if breadth(line) > width]
    assert [line for line in long if "abab" not in line and "cdcd" not in line] == []


def test_many_methods_give_a_short_table_that_says_where_the_rest_is():
    found = text(many_methods())
    assert "… and 760 more: see results.csv." in found
    assert len(found.splitlines()) < 220


def test_names_cannot_move_the_cursor_or_break_a_line():
    study = hostile()
    study["recommendation"]["features"] = HOSTILE
    found = text(study)
    assert "\x1b" not in found
    assert "line\\nbreak \\x1b[31mred" in found


def test_wide_letters_keep_the_columns_in_line():
    lines = text(hostile()).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("method"))
    at = lines[start].index("accuracy")
    for line in lines[start + 1 : start + 17]:
        before = line[: line.index("0.")]
        assert breadth(before) == at


@pytest.mark.parametrize(("given", "error"), [(3, TypeError), ({"schema": "x"}, ValueError)])
def test_what_is_no_study_is_refused(given, error):
    with pytest.raises(error, match=r"Study|study"):
        text(given)


def test_neither_plotly_nor_jinja_is_loaded_for_text_and_tables():
    code = (
        "import sys\nfrom holdfast.report.study import tables, text\n"
        "assert not {'plotly', 'jinja2', 'rich'} & set(sys.modules), 'loaded'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_configurations_within_noise_are_told_by_method():
    study = usual()
    sizes = [5, 10, "own", 10]
    study["recommendation"]["within_noise"] = [{"method": "a", "size": size, "classifier": "nb"} for size in sizes]
    assert "  - a with 5 or 10 features or its own number of features" in text(study).splitlines()


def test_many_methods_within_noise_are_counted():
    study = usual()
    rivals = [{"method": f"m{i}", "size": 10, "classifier": "nb"} for i in range(12)]
    study["recommendation"]["within_noise"] = rivals
    assert "  - and 4 more: see report.json" in text(study).splitlines()
