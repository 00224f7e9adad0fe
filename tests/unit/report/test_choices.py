"""What the methods of a study chose."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.report.choices import agreement_of_methods, chosen_features


def _bars(figure):
    return {trace.name: trace for trace in figure.data}


def test_features_chosen_on_all_samples_have_the_strong_colour(made_study):
    bars = _bars(chosen_features(made_study))
    assert list(bars["chosen on all samples"].x) == [0.9, 0.3]
    assert list(bars["not chosen on all samples"].x) == [0.6]
    assert len({trace.marker.color for trace in bars.values()}) == 2


def test_bars_stand_at_their_names(made_study):
    figure = chosen_features(made_study)
    names = figure.layout.yaxis.ticktext
    assert [names[place] for place in _bars(figure)["chosen on all samples"].y] == ["MYC", "ACTB"]
    assert _bars(figure)["chosen on all samples"].customdata[1].startswith("<b>ACTB</b><br>chosen in 30.0% of splits")


def test_features_go_by_how_often_they_were_chosen_however_they_are_listed(made_study):
    for row in made_study["selections"]:
        row["features"] = row["features"][::-1]
    figure = chosen_features(made_study)
    assert [figure.layout.yaxis.ticktext[i] for i in (0, 2)] == ["MYC", "ACTB"]
    assert _bars(figure)["chosen on all samples"].customdata[0].startswith("<b>MYC</b>")


def test_only_the_top_is_shown_but_the_title_counts_all(made_study):
    figure = chosen_features(made_study, n_top=1)
    assert list(figure.layout.yaxis.ticktext) == ["MYC"]
    assert figure.layout.title.text.replace("<br>", " ") == (
        "<b>Of 2 features that mrmr chose on all samples, 1 came back in most splits.</b>"
    )


def _mark(study, method, size, classifier, name):
    for row in study["selections"]:
        if (row["method"], row["size"], row["classifier"]) == (method, size, classifier):
            row["features"] = [{"name": name, "frequency": 1.0, "rank": 1, "score": None}]
    return study


@pytest.mark.parametrize(
    ("place", "arguments"),
    [
        (("mrmr", 10, None), {}),
        (("mrmr", 5, None), {"size": 5}),
        (("cfs", "own", None), {"method": "cfs"}),
        (("mrmr", "tuned", "knn"), {"size": "tuned"}),
        (("mrmr", "tuned", "svm"), {"size": "tuned", "classifier": "svm"}),
    ],
    ids=["recommended", "size", "method", "tuned", "judge"],
)
def test_the_selection_asked_for_is_drawn(place, arguments, made_study):
    figure = chosen_features(_mark(made_study, *place, "here"), **arguments)
    assert list(figure.layout.yaxis.ticktext) == ["here"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "lasso"}, "method='lasso' is not in the study. There is: 'mrmr'"),
        ({"size": 7}, "size=7 is not in the study for mrmr. There is: 5, 10, 50, 'tuned'"),
        ({"size": "tuned", "classifier": "nb"}, "classifier='nb' is not in the study. There is: 'svm', 'knn'"),
        ({"n_top": 0}, "n_top=0 is not allowed"),
    ],
)
def test_unknown_choices_are_refused_with_what_there_is(arguments, message, made_study):
    with pytest.raises(ValueError, match=message):
        chosen_features(made_study, **arguments)


def test_without_a_recommendation_a_method_is_asked_for(made_study):
    made_study["recommendation"] = None
    with pytest.raises(ValueError, match="pass one of those it has: 'mrmr'"):
        chosen_features(made_study)
    assert chosen_features(made_study, method="cfs").data


def test_an_empty_selection_is_refused(made_study):
    for row in made_study["selections"]:
        row["features"] = []
    with pytest.raises(ValueError, match="mrmr with 10 features chose no feature"):
        chosen_features(made_study)


def test_features_of_splits_only_are_said_to_be(made_study):
    for row in made_study["selections"]:
        row["features"] = [{**feature, "rank": None} for feature in row["features"]]
    figure = chosen_features(made_study)
    assert "None of the features" in figure.layout.title.text
    assert list(_bars(figure)) == ["not chosen on all samples"]


def test_agreement_keeps_the_values_of_each_pair(made_study):
    figure = agreement_of_methods(made_study)
    order = ["mrmr", 'se &lt;b&gt;x&lt;/b&gt; &amp; "…', "cfs"]
    places = [order.index(name) for name in figure.layout.yaxis.ticktext]
    values = np.array(made_study["agreement"]["values"])
    assert np.array_equal(np.asarray(figure.data[0].z), values[np.ix_(places, places)])
    assert figure.layout.xaxis.title.text == "Jaccard,<br>selections of 10 features"


def test_a_method_without_agreement_is_left_out(made_study):
    values = made_study["agreement"]["values"]
    for other in range(3):
        values[1][other] = values[other][1] = None
    assert set(agreement_of_methods(made_study).layout.yaxis.ticktext) == {"mrmr", "cfs"}


def test_many_methods_are_named_on_one_side_only(made_study):
    names = [f"m{i}" for i in range(40)]
    made_study["agreement"] |= {"methods": names, "values": np.eye(40).tolist()}
    assert not agreement_of_methods(made_study).layout.xaxis.showticklabels


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "needs at least two"),
        ({"size": 5, "index": "jaccard", "methods": ["a", "b"], "values": [[1, None], [None, 1]]}, "not defined"),
    ],
    ids=["none", "undefined"],
)
def test_a_study_without_agreement_is_refused(source, message, made_study):
    made_study["agreement"] = source
    with pytest.raises(ValueError, match=message):
        agreement_of_methods(made_study)
