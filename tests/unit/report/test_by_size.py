"""Scores and stability of a study against the number of features."""

from __future__ import annotations

import copy

import pytest

from holdfast.report.by_size import score_by_size, stability_across_sizes


def _curves(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.mode == "lines+markers"}


def _marks(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.mode == "markers" and trace.legendgroup}


def _bands(figure):
    return {trace.legendgroup: trace for trace in figure.data if trace.fill == "toself"}


def _with_more_methods(study, n_methods):
    more = copy.deepcopy(study)
    for number in range(n_methods):
        for part in ("results", "selections"):
            own = [row for row in study[part] if row["method"] == "mrmr"]
            more[part] += [{**row, "method": f"m{number}"} for row in own]
    return more


def test_curves_have_the_numbers_of_the_study(made_study):
    curve = _curves(score_by_size(made_study))["mrmr"]
    assert list(curve.x) == [5, 10, 50]
    assert list(curve.y) == [0.8, 0.9, 0.95]


def test_bands_go_around_the_intervals(made_study):
    band = _bands(score_by_size(made_study))["mrmr"]
    assert list(band.x) == [5, 10, 50, 50, 10, 5]
    assert list(band.y) == pytest.approx([0.78, 0.88, 0.93, 0.98, 0.93, 0.83])


def test_a_size_of_its_own_is_a_mark_at_the_mean_number_of_features(made_study):
    mark = _marks(score_by_size(made_study))["cfs"]
    assert (mark.x, mark.y) == ((12.5,), (0.72,))
    assert "its own number of features (12.5 on average)" in mark.customdata[0]
    assert mark.showlegend


def test_a_tuned_size_is_a_mark_of_the_best_classifier(made_study):
    mark = _marks(score_by_size(made_study))["mrmr"]
    assert (mark.x, mark.y) == ((9.0,), (0.89,))
    assert not mark.showlegend


def test_stability_of_a_tuned_size_has_a_mark_for_each_classifier(made_study):
    mark = _marks(stability_across_sizes(made_study))["mrmr"]
    assert list(zip(mark.x, mark.y, strict=True)) == [(8.0, 0.35), (9.0, 0.45)]
    assert "tuned for knn" in mark.customdata[1]


def test_an_undefined_stability_is_left_out(made_study):
    assert list(_curves(stability_across_sizes(made_study))["mrmr"].x) == [5, 10]


def test_another_index_can_be_drawn(made_study):
    figure = stability_across_sizes(made_study, index="jaccard")
    assert set(_curves(figure)["mrmr"].y) == {0.2}
    assert figure.layout.yaxis.title.text == "Stability (Jaccard)"


@pytest.mark.parametrize(("n_more", "has_bands"), [(3, True), (4, False), (12, False)])
def test_more_than_six_methods_have_no_bands_but_tell_intervals(n_more, has_bands, made_study):
    figure = score_by_size(_with_more_methods(made_study, n_more))
    assert bool(_bands(figure)) == has_bands
    assert "(0.780 to 0.830)" in _curves(figure)["mrmr"].customdata[0]


def test_fifteen_curves_can_be_told_apart(made_study):
    curves = _curves(score_by_size(_with_more_methods(made_study, 13))).values()
    assert len({(curve.line.color, curve.line.dash) for curve in curves}) == 15


@pytest.mark.parametrize(("last", "kind"), [(40, "linear"), (50, "log")])
def test_sizes_that_span_more_than_eight_times_go_by_their_logarithm(last, kind, made_study):
    made_study["results"] = [
        {**row, "size": last if row["size"] == 50 else row["size"]} for row in made_study["results"]
    ]
    assert score_by_size(made_study).layout.xaxis.type == kind


def test_the_axis_is_marked_at_the_sizes(made_study):
    assert list(score_by_size(made_study).layout.xaxis.ticktext) == ["5", "10", "50"]


@pytest.mark.parametrize(("metric", "level"), [("accuracy", 0.6), ("error", 0.4)])
def test_what_needs_no_features_is_a_dashed_line(metric, level, made_study):
    figure = score_by_size(made_study, metric=metric)
    (line,) = figure.layout.shapes
    assert line.y0 == line.y1 == pytest.approx(level)
    assert figure.layout.yaxis.range[0] < level < figure.layout.yaxis.range[1]
    assert figure.layout.annotations[0].text == "always the larger class"


def test_a_baseline_far_from_the_curves_is_a_note_at_the_edge(made_study):
    made_study["baseline"]["accuracy"] = 0.05
    figure = score_by_size(made_study)
    assert not figure.layout.shapes
    assert figure.layout.annotations[0].text == "↓ always the larger class: 0.05"
    assert figure.layout.yaxis.range[0] > 0.5


@pytest.mark.parametrize("baseline", [None, {"accuracy": None}])
def test_there_is_no_line_without_a_baseline(baseline, made_study):
    made_study["baseline"] = baseline
    assert not score_by_size(made_study).layout.shapes


def test_a_metric_without_a_baseline_has_no_line(made_study):
    assert not score_by_size(made_study, metric="brier").layout.shapes


def test_the_title_tells_who_leads_at_how_many_sizes(made_study):
    assert score_by_size(made_study).layout.title.text == "<b>mrmr has the best accuracy at 3 of 3 sizes.</b>"


def test_of_errors_the_smallest_leads(made_study):
    assert (
        score_by_size(made_study, metric="error").layout.title.text == "<b>mrmr has the best error at 3 of 3 sizes.</b>"
    )


def test_the_title_of_one_method_tells_its_ends(made_study):
    made_study["results"] = [row for row in made_study["results"] if row["method"] == "mrmr"]
    figure = score_by_size(made_study, metric="error")
    assert (
        figure.layout.title.text == "<b>The error of mrmr is best with 50 features (0.05) and worst with 5 (0.20).</b>"
    )


def test_methods_without_a_common_size_are_not_ranked(made_study):
    made_study["results"] = [row for row in made_study["results"] if (row["method"], row["size"]) != ("mrmr", "tuned")]
    made_study["results"] = [row for row in made_study["results"] if row["method"] in ("mrmr", "cfs")]
    assert "2 methods, each at a size of its own" in score_by_size(made_study).layout.title.text


def test_one_method_at_one_size_has_whiskers(made_study):
    made_study["results"] = made_study["results"][:1]
    figure = score_by_size(made_study)
    assert _curves(figure)["mrmr"].error_y.array == pytest.approx((0.03,))
    assert not figure.layout.showlegend
    assert figure.layout.title.text == "<b>The accuracy of mrmr is 0.80 with 5 features.</b>"


def test_the_axis_tells_whose_score_it_is(made_study):
    assert score_by_size(made_study).layout.yaxis.title.text == "Accuracy (best classifier each)"
    assert score_by_size(made_study, classifier="knn").layout.yaxis.title.text == "Accuracy (knn)"


@pytest.mark.parametrize(
    ("draw", "arguments", "message"),
    [
        (score_by_size, {"metric": "kappa"}, "metric='kappa' is not in the study. There is: 'accuracy'"),
        (score_by_size, {"classifier": "nb"}, "classifier='nb' is not in the study. There is: 'svm', 'knn'"),
        (stability_across_sizes, {"index": "dice"}, "index='dice' is not in the study. There is: 'nogueira'"),
    ],
)
def test_unknown_choices_are_refused_with_what_there_is(draw, arguments, message, made_study):
    with pytest.raises(ValueError, match=message):
        draw(made_study, **arguments)
