"""The path of a sequential search with the stops of rules, and their p-values."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest

from holdfast import SFSLW, ForwardSearch, HoeffdingStop, NothingSelected, report
from holdfast.data import Table

HOSTILE = 'se <b>x</b> & "y", %{x}'
SHOWN = 'se &lt;b&gt;x&lt;/b&gt; &amp; "y", %{x}'
NAMES = [HOSTILE, "TP53", "MYC", "ACTB", "EGFR", "KRAS", "BRAF", "ABL1"]
RULES = ["cw", "cw:strict_decrease=False", "wm", "h", "h2s", "h2s:epsilon=0", "hp", "p", "mi", "wm:margin=1"]


@pytest.fixture(scope="module")
def made():
    X = np.random.default_rng(5).normal(size=(50, 8))
    return Table(X, NAMES, target=np.where(X[:, 0] + X[:, 1] > 0, "sick", "well"))


@pytest.fixture(scope="module", params=["forward", "backward", "floating"])
def search(request, made):
    return ForwardSearch(criterion="dcor", direction=request.param).fit(made)


@pytest.fixture(scope="module")
def forward(made):
    return ForwardSearch(n_neighbors=[1, 3], cv=5).fit(made)


@pytest.fixture(scope="module")
def stops(made, forward):
    return forward.compare_stops(made, None, RULES)


def _title(figure):
    return figure.layout.title.text.removeprefix("<b>").removesuffix("</b>").replace("<br>", " ")


def _line(figure):
    return next(trace for trace in figure.data if trace.name == "the search")


def _marks(figure):
    return [(x, y) for trace in figure.data if trace.yaxis == "y2" for x, y in zip(trace.x, trace.y, strict=True)]


def test_the_line_goes_by_rising_size_in_every_direction(search):
    line = _line(report.search_path(search))
    expected = dict(zip(search.path_["size"].tolist(), search.path_["score"].tolist(), strict=True))
    if search.direction == "backward":
        expected[8] = search.path_["previous"][0]
    assert list(line.x) == sorted(expected)
    assert list(line.y) == [expected[size] for size in sorted(expected)]


def test_the_second_best_has_gaps_where_there_is_none(search):
    other = next(trace for trace in report.search_path(search).data if trace.name.startswith("second best"))
    known = {step["size"]: step["runner_up"] for step in search.path_ if np.isfinite(step["runner_up"])}
    assert {x: y for x, y in zip(other.x, other.y, strict=True) if np.isfinite(y)} == known


def test_the_pointer_tells_who_came_or_went(search):
    told = _line(report.search_path(search)).customdata
    whole = "<br>".join(told)
    assert SHOWN in whole or SHOWN.replace("%{x}", "…") in whole
    if search.direction == "floating":
        assert told[1].count(", ") >= 1
    else:
        assert told[0].startswith("<b>1 feature</b>: ")
        assert ("without " if search.direction == "backward" else "with ") in told[0]
    assert (told[-1].split("<br>")[1] == "all features") == (search.direction == "backward")


def test_features_without_names_are_numbered(made):
    told = _line(report.search_path(ForwardSearch(2, criterion="dcor").fit(made.X, made.target))).customdata
    assert "with x" in told[0]


def test_every_rule_has_a_row_of_its_own_with_its_name_and_size(forward, stops):
    figure = report.search_path(forward, stops)
    notes = [(note.x, note.y) for note in figure.layout.annotations]
    assert sorted(notes) == sorted(_marks(figure))
    assert sorted(note.y for note in figure.layout.annotations) == list(range(len(stops)))
    said = {note.text.split(": ")[0]: note for note in figure.layout.annotations}
    for name, one in stops.items():
        note = said[name if len(name) <= 18 else name[:17] + "…"]
        assert note.x == one.n_features
        assert note.text.endswith("does not stop" if one.trace["goes_on"].all() else f": {one.n_features}")


@pytest.mark.parametrize("sizes", [[1, 2, 3, 4, 4, 8], [8, 7, 6, 5, 1], [4, 5, 4, 5]])
def test_no_line_of_a_mark_runs_through_the_name_of_one_on_its_side(forward, sizes):
    stop = forward.stop_at("cw")
    figure = report.search_path(forward, {f"r{i}": _with_size(stop, size) for i, size in enumerate(sizes)})
    for one in figure.layout.annotations:
        for other in figure.layout.annotations:
            is_beyond = other.x > one.x if one.xanchor == "left" else other.x < one.x
            if one.xanchor == other.xanchor and is_beyond:
                assert one.y < other.y


def _with_size(stop, size):
    return type(stop)(stop.rule, size, stop.bound, stop.trace)


def test_rules_of_one_size_share_a_line(forward, stops):
    figure = report.search_path(forward, stops)
    assert sorted(shape.x0 for shape in figure.layout.shapes) == sorted({one.n_features for one in stops.values()})
    assert all(shape.y0 == 0 and figure.layout.yaxis.domain[1] < shape.y1 <= 1 for shape in figure.layout.shapes)


def test_rules_that_need_no_samples_are_asked_unless_others_are_given(forward):
    shown = {note.text.split(": ")[0] for note in report.search_path(forward).layout.annotations}
    assert shown == {"cw", "wm", "h", "h2s"}
    assert not report.search_path(forward, {}).layout.annotations
    (note,) = report.search_path(forward, forward.stop_at("cw")).layout.annotations
    assert note.text.startswith("cw: ")


@pytest.mark.parametrize("rule", ["p", "h2s:epsilon=0", HoeffdingStop("permuted")], ids=str)
def test_the_rule_of_the_search_itself_is_shown(made, rule):
    search = ForwardSearch(4, criterion="dcor", stop=rule).fit(made)
    (note,) = (
        note
        for note in report.search_path(search).layout.annotations
        if note.text.startswith(f"{rule if isinstance(rule, str) else 'hp'}: ")
    )
    assert note.x == search.stopping_.n_features


def test_a_rule_that_keeps_nothing_is_shown_at_what_is_kept_or_at_0(made):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        nothing = ForwardSearch(3, stop="h:epsilon=1", min_features=0, criterion="dcor").fit(made)
    one = ForwardSearch(3, stop="h:epsilon=1", criterion="dcor").fit(made)
    for search, size in ((nothing, 0), (one, 1)):
        notes = {note.text: note.x for note in report.search_path(search).layout.annotations}
        assert notes[f"h:epsilon=1: {size}"] == size
    assert report.search_path(nothing).layout.xaxis.range[0] < 0


def test_the_pointer_tells_why_a_rule_stopped(made, forward, stops):
    told = {}
    for trace in report.search_path(forward, stops).data:
        if trace.yaxis == "y2":
            told |= {text.split("</b>")[0][3:]: text for text in trace.customdata}
    assert "gap" in told["h"]
    assert f"bound {stops['h'].bound:.3g}" in told["h"]
    assert "next added: " in told["h"]
    assert "p-value" in told["p"]
    assert told["wm:margin=1"].endswith("goes along with every step")
    backward = ForwardSearch(criterion="dcor", direction="backward").fit(made)
    assert any("next dropped: " in text for text in report.search_path(backward).data[-1].customdata)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([], "Highest score with 2 features (0.980)."),
        (["wm:margin=1"], "Highest score with 2 features (0.980); the rule does not stop."),
        (["h2s:epsilon=0"], "Highest score with 2 features (0.980); h2s:epsilon=0 stops at 2."),
        (["cw", "h2s:epsilon=0"], "Highest score with 2 features (0.980); cw, h2s:epsilon=0 stop at 2."),
        (
            ["h", "wm:margin=1", "h2s", "hp"],
            "Highest score with 2 features (0.980); rules stop between 1 (h) and 5 (hp).",
        ),
    ],
)
def test_the_title_tells_the_top_and_where_rules_stop(made, forward, rules, words):
    assert _title(report.search_path(forward, forward.compare_stops(made, None, rules))) == words


def test_a_search_by_the_lw_index_has_a_path_too(made):
    figure = report.search_path(SFSLW(4).fit(made))
    assert figure.layout.yaxis.title.text.startswith("LW index")


def test_every_criterion_names_its_axis(made):
    def apart(values, target):
        return np.ptp(values.mean(axis=1))

    for criterion in ("cv", "train", "delta", "delta-cv", "dcor", "mi", "cfs", "lw", apart):
        search = ForwardSearch(2, criterion=criterion, cv=3).fit(made)
        assert report.search_path(search).layout.yaxis.title.text.endswith("<br>(of the samples that chose)")


def test_a_table_of_one_feature_is_drawn(made):
    for direction in ("forward", "backward", "floating"):
        search = ForwardSearch(criterion="dcor", direction=direction).fit(made.X[:, :1], made.target)
        assert list(_line(report.search_path(search)).x) == [1]


def test_what_cannot_be_drawn_is_refused(made, forward, stops):
    with pytest.raises(NotFittedError):
        report.search_path(ForwardSearch())
    with pytest.raises(TypeError, match="shows a fitted ForwardSearch or SFSLW, but SelectKBest came"):
        report.search_path(SelectKBest(k=2).fit(made.X, made.target))
    with pytest.raises(TypeError, match="stops must be what compare_stops or stop_at gave, but int came"):
        report.search_path(forward, {"cw": 3})
    other = ForwardSearch(criterion="mi").fit(made.X[:, ::-1], made.target)
    with pytest.raises(ValueError, match="The rule 'cw' was asked about another search"):
        report.search_path(other, stops)


def test_rules_with_p_values_have_a_line_each(stops):
    figure = report.stop_p_values(stops)
    lines = [trace for trace in figure.data if trace.name and not trace.name.startswith("level")]
    assert [line.name for line in lines] == ["h", "h2s", "h2s:epsilon=0", "hp", "p", "mi"]
    for line in lines:
        one = stops[line.legendgroup]
        assert np.array_equal(line.y, one.trace["p_value"])
        assert np.array_equal(np.round(line.x), one.trace["size"])
        assert np.abs(line.x - one.trace["size"]).max() < 0.25


def test_points_are_open_where_a_rule_does_not_go_along(stops):
    figure = report.stop_p_values(stops)
    for name, one in stops.items():
        own = [trace for trace in figure.data if trace.legendgroup == name]
        if own:
            assert np.array_equal(np.round(own[1].x), one.trace["size"][~one.trace["goes_on"]])


def test_whiskers_go_where_not_all_permutations_were_drawn(made):
    search = ForwardSearch(criterion="dcor", stop="p").fit(made)
    line = report.stop_p_values(search.stopping_).data[0]
    last = search.stopping_.trace[-1]
    assert last["p_high"] > last["p_low"]
    assert line.error_y.visible
    assert line.y[-1] + line.error_y.array[-1] == pytest.approx(last["p_high"])
    assert line.y[-1] - line.error_y.arrayminus[-1] == pytest.approx(last["p_low"])
    assert "between" in line.customdata[-1]
    assert not report.stop_p_values(search.stop_at("p", made)).data[0].error_y.visible


@pytest.mark.parametrize("level", [0.05, 0.2, None])
def test_the_level_is_drawn_and_named_in_the_legend(stops, level):
    lines = [trace for trace in report.stop_p_values(stops, level=level).data if trace.line.dash == "dash"]
    assert [(line.name, list(line.y)) for line in lines] == (
        [] if level is None else [(f"level {level:g}", [level] * 2)]
    )


def test_the_title_of_p_values_tells_what_rules_keep(stops):
    kept = {name: stops[name] for name in ("p", "h2s", "h")}
    assert _title(report.stop_p_values(kept)) == "Features that rules keep: h 1, h2s 2, p 2."
    assert _title(report.stop_p_values(stops["h"])) == "h keeps 1 feature."


def test_rules_without_p_values_are_refused(stops):
    with pytest.raises(ValueError, match=r"None of these rules has p-values: cw, wm. Ask h, h2s, hp, p or mi"):
        report.stop_p_values({"cw": stops["cw"], "wm": stops["wm"]})
    with pytest.raises(ValueError, match="there is none"):
        report.stop_p_values({})
    with pytest.raises(ValueError, match="level=2 is not allowed"):
        report.stop_p_values(stops, level=2)


@pytest.mark.parametrize("title", [None, "", "A title of mine"])
def test_a_title_may_be_given_or_left_out(forward, stops, title):
    for figure in (report.search_path(forward, title=title), report.stop_p_values(stops, title=title)):
        text = figure.layout.title.text
        assert text == {"": None, "A title of mine": "<b>A title of mine</b>"}.get(title, text)
