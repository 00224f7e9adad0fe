"""Reading the summary of a study, and what all its figures have in common."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from holdfast.report._summary import numbered, reach, results_of, size_words, summary_of, words
from holdfast.report.by_size import score_by_size, stability_across_sizes
from holdfast.report.choices import agreement_of_methods, chosen_features
from holdfast.report.costs import times
from holdfast.report.heat_maps import heat_map
from holdfast.report.ranks import critical_difference
from holdfast.report.trade_offs import trade_off

FIGURES = [
    trade_off,
    score_by_size,
    stability_across_sizes,
    heat_map,
    critical_difference,
    times,
    chosen_features,
    agreement_of_methods,
]


def _texts(node):
    """All texts of a figure but the templates, which hold no names."""
    if isinstance(node, dict):
        return [text for key, value in node.items() if key not in ("legendgroup", "type") for text in _texts(value)]
    if isinstance(node, list):
        return [text for value in node for text in _texts(value)]
    return [node] if isinstance(node, str) else []


@pytest.mark.parametrize("draw", FIGURES)
def test_a_study_and_its_summary_give_the_same_figure(draw, made_study):
    assert draw(SimpleNamespace(summary=lambda: made_study)).to_json() == draw(made_study).to_json()


@pytest.mark.parametrize("draw", FIGURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_that_look_like_markup_are_escaped_everywhere(draw, theme, made_study):
    texts = _texts(json.loads(draw(made_study, theme=theme).to_json()))
    assert any("se &lt;b&gt;x" in text for text in texts)
    assert not any("<b>x" in text for text in texts)


@pytest.mark.parametrize("draw", FIGURES)
def test_no_name_gets_into_a_template(draw, made_study):
    templates = re.findall(r'"hovertemplate":"((?:[^"\\]|\\.)*)"', draw(made_study).to_json())
    assert templates
    assert not any("se " in template for template in templates)


@pytest.mark.parametrize("draw", FIGURES)
def test_a_given_title_is_taken_and_an_empty_one_leaves_none(draw, made_study):
    assert draw(made_study, title="Mine & yours").layout.title.text == "<b>Mine &amp; yours</b>"
    assert draw(made_study, title="").layout.title.text is None


@pytest.mark.parametrize("draw", FIGURES)
def test_the_summary_is_left_as_it_was(draw, made_study):
    before = json.dumps(made_study)
    draw(made_study)
    assert json.dumps(made_study) == before


@pytest.mark.parametrize("draw", FIGURES)
def test_an_unknown_theme_is_refused(draw, made_study):
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        draw(made_study, theme="blue")


@pytest.mark.parametrize(
    ("study", "error", "message"),
    [
        ([1, 2], TypeError, "a Study or its summary, but list came"),
        ({"results": []}, ValueError, "its 'schema' is None, not 'holdfast.study'"),
        ({"schema": "holdfast.study", "schema_version": 2}, ValueError, "schema version 2"),
    ],
    ids=["list", "other", "newer"],
)
def test_what_is_not_a_study_is_refused(study, error, message):
    with pytest.raises(error, match=message):
        summary_of(study)


def test_a_method_has_the_number_of_its_place_in_the_plan(made_study):
    assert list(numbered(made_study).values()) == [0, 1, 2, 3]
    assert numbered(made_study)["mrmr"] == 1


def test_the_best_classifier_is_taken_for_each_method_and_size(made_study):
    found = {(one.method, one.size): one.classifier for one in results_of(made_study, "accuracy", None)}
    assert found["mrmr", 10] == "svm"
    assert found["mrmr", "tuned"] == "knn"


def test_of_errors_the_smallest_is_best(made_study):
    found = {(one.method, one.size): one for one in results_of(made_study, "error", None)}
    assert found["mrmr", 10].classifier == "svm"
    assert found["mrmr", 10].score.at == pytest.approx(0.1)


def test_a_classifier_without_a_value_is_passed_over(made_study):
    assert {one.classifier for one in results_of(made_study, "brier", None)} == {"knn"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("auc", None), "metric='auc' is not in the study. There is: 'accuracy', 'error', 'brier'"),
        (("accuracy", "nb"), "classifier='nb' is not in the study. There is: 'svm', 'knn'"),
        (("brier", "svm"), "No result of svm has a value of brier"),
    ],
)
def test_what_the_study_does_not_hold_is_refused_with_what_it_has(arguments, message, made_study):
    with pytest.raises(ValueError, match=re.escape(message)):
        results_of(made_study, *arguments)


def test_sizes_and_metrics_are_put_in_words():
    assert [size_words(size) for size in (1, 20)] == ["1 feature", "20 features"]
    assert [words(name) for name in ("auc", "balanced_accuracy", "nogueira")] == [
        "AUC",
        "Balanced accuracy",
        "Nogueira",
    ]


@pytest.mark.parametrize("numbers", [[0.5], [0.2, 0.9], [-3.0, -3.0]])
def test_an_axis_has_room_around_its_numbers(numbers):
    bottom, top = reach(numbers)
    assert bottom < min(numbers) <= max(numbers) < top
