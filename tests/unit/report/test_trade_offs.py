"""Stability against accuracy of a study."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.report.trade_offs import trade_off


def _points(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.mode == "markers+text"}


def _front(figure):
    (front,) = [trace for trace in figure.data if trace.name and trace.name.startswith("front")]
    return list(zip(front.x, front.y, strict=True))


def _ring(figure):
    return [trace for trace in figure.data if trace.name == "recommended"]


def test_points_have_the_numbers_of_the_study(made_study):
    points = _points(trade_off(made_study))["mrmr"]
    assert list(points.x) == [0.3, 0.4, 0.45]
    assert list(points.y) == [0.8, 0.9, 0.89]
    assert np.allclose(points.error_x.array, 0.03)
    assert np.allclose(points.error_y.arrayminus, 0.02)


def test_a_size_without_stability_has_no_point(made_study):
    assert not any("50 features" in text for text in _points(trade_off(made_study))["mrmr"].customdata)


def test_the_pointer_tells_size_classifier_and_intervals(made_study):
    text = _points(trade_off(made_study))["mrmr"].customdata[1]
    assert text.startswith("<b>mrmr</b>, 10 features<br>Accuracy 0.900 (0.880 to 0.930), by svm<br>")
    assert "Stability (Nogueira) 0.400 (0.380 to 0.430)" in text


def test_one_classifier_can_be_asked_for(made_study):
    points = _points(trade_off(made_study, classifier="knn"))["mrmr"]
    assert points.y[:2] == pytest.approx([0.79, 0.89])


def test_the_front_is_what_no_other_point_beats(made_study):
    assert _front(trade_off(made_study)) == [(0.4, 0.9), (0.45, 0.89), (0.7, 0.85), (0.8, 0.75)]


def test_the_front_of_errors_has_the_same_points(made_study):
    errors = _front(trade_off(made_study, metric="error"))
    assert errors == [(x, pytest.approx(1 - y)) for x, y in _front(trade_off(made_study))]


def test_points_on_the_front_are_outlined(made_study):
    points = _points(trade_off(made_study))["mrmr"]
    assert [text.endswith("on the front") for text in points.customdata] == [False, True, True]
    assert points.marker.line.color[0] != points.marker.line.color[1] == points.marker.line.color[2]


def test_the_title_names_the_ends_of_the_front(made_study):
    title = trade_off(made_study).layout.title.text.replace("<br>", " ")
    assert title.startswith("<b>mrmr with 10 features has the best accuracy (0.90), ")
    assert "with 10 features the best stability (0.80); 4 of 7 points are on the front." in title


def test_the_axis_of_an_error_says_that_less_is_better(made_study):
    assert trade_off(made_study, metric="error").layout.yaxis.title.text == "Error (less is better)"
    assert trade_off(made_study).layout.yaxis.title.text == "Accuracy"


def test_the_recommended_configuration_is_ringed_with_its_own_classifier(made_study):
    figure = trade_off(made_study)
    assert [(ring.x, ring.y) for ring in _ring(figure)] == [((0.4,), (0.89,))] * 2
    assert "by knn" in _ring(figure)[0].customdata[0]
    assert [note.text for note in figure.layout.annotations] == ["recommended"]


@pytest.mark.parametrize(
    "recommendation",
    [None, {"method": "mrmr", "size": 50, "classifier": "svm"}, {"method": "gone", "size": 5, "classifier": "svm"}],
    ids=["none", "undefined", "unknown"],
)
def test_there_is_no_ring_where_nothing_drawn_is_recommended(recommendation, made_study):
    made_study["recommendation"] = recommendation
    figure = trade_off(made_study)
    assert not _ring(figure)
    assert not figure.layout.annotations


def test_there_is_no_ring_in_a_figure_of_another_classifier(made_study):
    assert not _ring(trade_off(made_study, classifier="svm"))
    assert _ring(trade_off(made_study, classifier="knn"))


def test_lines_join_fixed_sizes_only(made_study):
    lines = {trace.legendgroup: trace for trace in trade_off(made_study).data if trace.mode == "lines"}
    assert list(lines["mrmr"].x) == [0.3, 0.4]
    assert "cfs" not in lines


def test_values_without_intervals_have_no_whiskers(made_study):
    for row in made_study["results"]:
        row["accuracy"] = {"mean": row["accuracy"]["mean"], "low": None, "high": None}
    assert set(_points(trade_off(made_study))["mrmr"].error_y.array) == {None}


def test_crowded_points_have_no_labels(made_study):
    for row in made_study["selections"]:
        row["stability"]["nogueira"] = {"value": 0.5}
    for row in made_study["results"]:
        row["accuracy"] = {"mean": 0.9}
    labels = [text for points in _points(trade_off(made_study)).values() for text in points.text]
    assert set(labels) == {""}


def test_points_far_apart_have_their_sizes_beside_them(made_study):
    assert list(_points(trade_off(made_study))["cfs"].text) == ["own"]


def test_methods_keep_colours_and_symbols_apart(made_study):
    styles = [(trace.marker.color, trace.marker.symbol) for trace in _points(trade_off(made_study)).values()]
    assert len(set(styles)) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "precision"}, "metric='precision' is not in the study. There is: 'accuracy'"),
        ({"index": "dice"}, "index='dice' is not in the study. There is: 'nogueira', 'jaccard'"),
        ({"classifier": "nb"}, "classifier='nb' is not in the study. There is: 'svm', 'knn'"),
    ],
)
def test_unknown_choices_are_refused_with_what_there_is(arguments, message, made_study):
    with pytest.raises(ValueError, match=message):
        trade_off(made_study, **arguments)


def test_a_study_without_stability_has_no_points(made_study):
    for row in made_study["selections"]:
        row["stability"]["nogueira"] = None
    with pytest.raises(ValueError, match="both a value of accuracy and of nogueira"):
        trade_off(made_study)


def test_one_point_is_told_with_both_values(made_study):
    made_study["results"] = made_study["results"][:1]
    title = trade_off(made_study).layout.title.text
    assert title == "<b>mrmr with 5 features has accuracy 0.80 and stability 0.30.</b>"
