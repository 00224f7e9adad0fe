"""How searches by populations went, and what they maximised beside what to expect."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from holdfast import DCORFS, MRMRGA, BeeColony, NothingSelected, report
from holdfast.data import Table
from holdfast.report.evolutions import BEST, INNER, MEAN, OUTER

HOSTILE = 'se <b>x</b> & "y", %{x}'
NAMES = [HOSTILE, "TP53", "MYC", "ACTB", "EGFR", "KRAS", "BRAF", "ABL1", "JAK2", "a name that is far too long for it"]
NEW = "a new best set"


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 10))
    noise = 1.5 * rng.normal(size=40)
    return Table(X, NAMES, target=np.where(X[:, 0] + X[:, 1] + noise > 0, "sick", "well"))


@pytest.fixture(scope="module")
def bees(made):
    return BeeColony(n_bees=6, n_cycles=5, outer_cv=3, target_fitness=None).fit(made)


@pytest.fixture(scope="module")
def bred(made):
    return MRMRGA(population=6, n_generations=5, outer_cv=3).fit(made)


@pytest.fixture(params=["bees", "bred"])
def search(request):
    return request.getfixturevalue(request.param)


def _changed(search, **attributes):
    other = copy.copy(search)
    for name, value in attributes.items():
        setattr(other, name, value)
    return other


def _without_outer(search):
    return _changed(search, outer_score_=np.nan, outer_interval_=(np.nan, np.nan), n_outer_splits_=0)


def _title(figure):
    return figure.layout.title.text.replace("<br>", " ").removeprefix("<b>").removesuffix("</b>")


def _drawn(figure, name, axis=None):
    """The traces of that name in one part of the figure, without the entries of the legend."""
    return [trace for trace in figure.data if trace.name == name and trace.xaxis == axis and trace.x[0] is not None]


def _texts(figure):
    return [note.text for note in figure.layout.annotations]


def test_the_best_so_far_is_a_step_at_every_new_best_set(search):
    (line,) = _drawn(report.evolution(search), BEST)
    trace, last = search.queen_trace_, search.history_[-1]
    assert list(line.x) == [*trace["n_evaluations"], last["n_evaluations"]]
    assert list(line.y) == [*trace["fitness"], last["best"]]
    assert line.line.shape == "hv"


def test_the_mean_of_the_population_goes_over_all_rounds(search):
    (line,) = _drawn(report.evolution(search), MEAN)
    assert list(line.x) == search.history_["n_evaluations"].tolist()
    assert list(line.y) == search.history_["mean"].tolist()


def test_the_outer_score_is_a_line_a_band_and_a_point_with_its_interval(search):
    figure = report.evolution(search)
    (line,), (point,) = _drawn(figure, OUTER), _drawn(figure, OUTER, "x2")
    assert set(line.y) == set(point.y) == {search.outer_score_}
    low, high = search.outer_interval_
    assert (figure.layout.shapes[0].y0, figure.layout.shapes[0].y1) == (low, high)
    assert point.y[0] - point.error_y.arrayminus[0] == pytest.approx(low)
    assert point.y[0] + point.error_y.array[0] == pytest.approx(high)


def test_the_outer_score_stands_below_the_inner_fitness_of_the_end(search):
    (drop,) = _drawn(report.evolution(search), INNER, "x2")
    assert list(drop.y) == [search.inner_fitness_, search.outer_score_]


def test_names_leave_no_doubt_what_was_maximised_and_what_is_honest(bees):
    figure = report.evolution(bees)
    assert INNER == "inner fitness (maximised)"
    assert OUTER == "outer score (honest)"
    assert [trace.name for trace in figure.data if trace.showlegend] == [BEST, MEAN, OUTER]
    assert BEST.startswith(INNER)
    assert MEAN.startswith(INNER)
    assert _texts(figure) == [f"{INNER}: {bees.inner_fitness_:.3f}", f"{OUTER}: {bees.outer_score_:.3f}"]
    assert figure.layout.xaxis2.title.text.replace("<br>", " ") == OUTER


def test_the_two_have_different_colours(bees):
    figure = report.evolution(bees)
    (inner,), (outer,) = _drawn(figure, BEST), _drawn(figure, OUTER)
    assert inner.line.color != outer.line.color


def test_the_pointer_tells_phase_round_and_features_of_every_new_best_set(search):
    (marks,) = _drawn(report.evolution(search), NEW)
    assert len(marks.x) == len(search.queen_trace_)
    for told, row, has in zip(marks.customdata, search.queen_trace_, search.queens_, strict=True):
        n_features = int(row["n_features"])
        assert f"<b>{row['fitness']:.4f}</b>, {n_features} feature{'' if n_features == 1 else 's'}" in told
        assert f"{search.rounds[:-1]} {row['cycle']}, phase {row['phase']}: " in told
        shown = told.rpartition("<br>")[2]
        assert shown.count(", ") == min(has.sum(), 8) - 1 + shown.count('"y", ')


def test_every_phase_of_a_search_is_in_words(search):
    (marks,) = _drawn(report.evolution(search), NEW)
    assert not any(": <br>" in told for told in marks.customdata)


def test_features_without_names_are_numbered(made):
    found = BeeColony(n_bees=4, n_cycles=1, outer_cv=None).fit(made.X, made.target)
    (marks,) = _drawn(report.evolution(found), NEW)
    assert marks.customdata[-1].rpartition("<br>")[2].startswith("x")


def test_long_lists_of_features_are_cut(bees):
    wide = _changed(bees, queens_=np.ones_like(bees.queens_), indices_=bees.pool_)
    (marks,) = _drawn(report.evolution(wide), NEW)
    assert marks.customdata[0].endswith(" and 2 more")


def test_the_title_tells_both(search):
    title = _title(report.evolution(search))
    n_sets = search.history_["n_evaluations"][-1]
    low, high = search.outer_interval_
    assert title == (
        f"Maximised over {n_sets:,} sets, inner fitness came to {search.inner_fitness_:.3f}; of new samples expect the "
        f"outer score, {search.outer_score_:.3f} ({low:.3f} to {high:.3f})."
    )


def test_a_missing_outer_score_is_said_to_be_missing(bees):
    figure = report.evolution(_without_outer(bees))
    assert "what to expect of new samples is not known, for there is no outer score." in _title(figure)
    assert _texts(figure) == ["not known", f"{INNER}: {bees.inner_fitness_:.3f}"]
    assert not _drawn(figure, OUTER)
    assert not figure.layout.shapes


def test_an_outer_score_without_interval_has_no_band(made):
    found = BeeColony(n_bees=4, n_cycles=1, outer_cv=2, scoring="auc").fit(made)
    figure = report.evolution(found)
    assert not figure.layout.shapes
    assert _drawn(figure, OUTER, "x2")[0].error_y.array == (None,)
    assert _title(figure).endswith(f"expect the outer score, {found.outer_score_:.3f}.")
    assert figure.layout.yaxis.title.text == "AUC"


@pytest.mark.parametrize(
    ("scoring", "words"),
    [("accuracy", "Accuracy"), ("balanced-accuracy", "Balanced accuracy"), (lambda model, X, y: 0.0, "Score")],
    ids=["accuracy", "balanced", "callable"],
)
def test_the_axis_has_the_name_of_the_score(bees, scoring, words):
    assert report.evolution(_changed(bees, scoring=scoring)).layout.yaxis.title.text == words


def test_several_searches_have_a_colour_each_and_share_the_kinds_of_lines(bees, bred):
    figure = report.evolution({"gbc+": bees, HOSTILE: bred})
    legend = [trace.name for trace in figure.data if trace.showlegend]
    assert legend == [BEST, MEAN, OUTER, "gbc+", 'se &lt;b&gt;x&lt;/b&gt; &amp; "y", …']
    for name, axis in ((BEST, None), (MEAN, None), (OUTER, None)):
        one, other = _drawn(figure, name, axis)
        assert one.line.color != other.line.color
    assert [trace.y[0] for trace in _drawn(figure, OUTER, "x2")] == [bees.outer_score_, bred.outer_score_]
    assert [trace.x[0] for trace in _drawn(figure, OUTER, "x2")] == [0, 1]
    assert not figure.layout.shapes


def test_the_title_of_several_names_the_lowest_and_the_highest_outer_score(bees):
    low, high = _changed(bees, outer_score_=0.5), _changed(bees, outer_score_=0.75)
    title = _title(report.evolution({"a": high, "b": low, "c": _without_outer(bees)}))
    inner = f"Inner fitness, which was maximised, came to {bees.inner_fitness_:.3f}; "
    assert title == f"{inner}of new samples expect the outer score, 0.500 (b) to 0.750 (a)."
    worse = _changed(bees, inner_fitness_=0.25)
    title = _title(report.evolution({"a": bees, "b": _without_outer(worse)}))
    assert f"came to 0.250 to {bees.inner_fitness_:.3f}; of new samples expect the outer score" in title
    assert title.endswith(f"{bees.outer_score_:.3f} (a).")
    assert "not known" in _title(report.evolution({"a": _without_outer(bees), "b": _without_outer(bees)}))


@pytest.mark.parametrize("score", [0.3, 1.0])
def test_everything_lies_within_the_axis(bees, score):
    other = _changed(bees, outer_score_=score, outer_interval_=(score - 0.1, score))
    low, high = report.evolution({"one": bees, "other": other}).layout.yaxis.range
    drawn = [*bees.history_["mean"], *bees.queen_trace_["fitness"], *other.outer_interval_, *bees.outer_interval_]
    assert low < min(drawn) < max(drawn) < high


def test_an_outer_score_above_the_inner_fitness_is_told_as_such(bees):
    lucky = _changed(bees, outer_score_=bees.inner_fitness_ + 0.01)
    (line,) = _drawn(report.evolution(lucky), OUTER)
    assert line.customdata[0].endswith("0.0100 below it")


def test_a_search_that_was_cut_off_ends_with_what_it_returned(made, bees):
    other = np.array([j for j in bees.pool_ if j not in bees.indices_])
    better = bees.inner_fitness_ + 0.01
    cut = _changed(bees, indices_=other, inner_fitness_=better, ended_="max_time")
    (marks,), (line,) = (_drawn(report.evolution(cut), name) for name in (NEW, BEST))
    assert marks.y[-1] == line.y[-1] == better
    assert len(marks.x) == len(bees.queen_trace_) + 1
    assert "phase cut off: " in marks.customdata[-1]
    first = _changed(cut, queens_=bees.queens_[:0], queen_trace_=bees.queen_trace_[:0], history_=bees.history_[:0])
    assert len(_drawn(report.evolution(first), NEW)[0].x) == 1


def test_a_search_in_a_hurry_is_drawn(made):
    found = BeeColony(n_bees=4, max_time=1e-6, outer_cv=None).fit(made)
    assert found.ended_ == "max_time"
    assert _drawn(report.evolution(found), BEST)


def test_a_search_without_a_set_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        nothing = BeeColony(outer_cv=None).fit(np.zeros((20, 3)), np.arange(20) % 2)
    with pytest.raises(ValueError, match="The search evaluated no set"):
        report.evolution(nothing)
    with pytest.raises(ValueError, match="The search 'bees' evaluated no set"):
        report.evolution({"bees": nothing})


def test_searches_by_different_scores_are_not_drawn_together(bees):
    with pytest.raises(ValueError, match="different scores \\(AUC, Accuracy\\)"):
        report.evolution({"one": bees, "other": _changed(bees, scoring="auc")})


def test_something_else_is_refused(made):
    with pytest.raises(TypeError, match="a fitted BeeColony or MRMRGA, but list came"):
        report.evolution([])
    with pytest.raises(TypeError, match="DCORFS came, which has no queen_trace_"):
        report.evolution({"dcorfs": DCORFS(confidence=None, n_iterations=1, elitist=True).fit(made)})
    with pytest.raises(ValueError, match="No search came"):
        report.evolution({})
    with pytest.raises(NotFittedError):
        report.evolution(BeeColony())


def test_the_title_is_a_sentence_or_what_was_given(bees):
    assert _title(report.evolution(bees)).endswith(".")
    assert report.evolution(bees, title="<mine>").layout.title.text == "<b>&lt;mine&gt;</b>"
    assert report.evolution(bees, title="").layout.title.text is None


def test_both_themes_are_drawn_and_others_refused(bees):
    light, dark = (report.evolution(bees, theme=theme).layout.paper_bgcolor for theme in ("light", "dark"))
    assert light != dark
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        report.evolution(bees, theme="blue")


def test_names_are_never_read_as_markup(bees, bred):
    drawn = report.evolution({"gbc+": bees, HOSTILE: bred}).to_json()
    assert "<b>x</b>" not in drawn.replace("\\u003c", "<").replace("\\u003e", ">")


def test_the_name_stands_for_the_figure_after_its_module_is_loaded():
    import holdfast.report.evolutions

    assert callable(report.evolution)
    assert report.evolution is holdfast.report.evolutions.evolution
