"""Displays: the data they hold, what they draw with matplotlib, and the plotly figures of the same."""

from __future__ import annotations

import builtins
import inspect
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast import EnsembleSelector, FTest, StabilitySelector, compare, selection_frequency
from holdfast.report.displays import FrequencyDisplay, StabilityDisplay, TradeOffDisplay
from holdfast.stability import nogueira_interval

pytest.importorskip("matplotlib").use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

DISPLAYS = (FrequencyDisplay, StabilityDisplay, TradeOffDisplay)
STEADY, SHAKY = [{0, 1}, {0, 1}, {0, 2}], [{0, 1}, {2, 3}, {0, 4}]


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


@pytest.fixture
def wide(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 30))
    X[:, :4] += 2 * y[:, np.newaxis]
    return pd.DataFrame(X, columns=[f"gene{j}" for j in range(30)]), y


@pytest.fixture
def fitted(wide):
    return StabilitySelector(selector="f-test", list_size=4, n_runs=20).fit(*wide)


def value(at, width=0.03):
    return {"mean": at, "value": at, "low": at - width, "high": at + width}


@pytest.fixture
def study():
    """Two methods at two sizes with two classifiers, one method also at a size of its own."""
    scores = {
        ("relieff", 5): 0.92,
        ("relieff", 10): 0.9,
        ("f-test", 5): 0.8,
        ("f-test", 10): 0.85,
        ("f-test", "own"): 0.7,
    }
    stable = {
        ("relieff", 5): 0.3,
        ("relieff", 10): 0.4,
        ("f-test", 5): 0.5,
        ("f-test", 10): 0.6,
        ("f-test", "own"): 0.55,
    }
    results, selections = [], []
    for method, size in scores:
        for classifier, less in (("svm", 0.0), ("knn", 0.01)):
            at = scores[method, size] - less
            results.append(
                {
                    "method": method,
                    "size": size,
                    "classifier": classifier,
                    "accuracy": value(at),
                    "error": value(1 - at),
                }
            )
        selections.append(
            {
                "method": method,
                "size": size,
                "classifier": None,
                "n_selected": {"mean": 7.5 if size == "own" else float(size)},
                "stability": {"nogueira": value(stable[method, size]), "jaccard": value(0.2)},
            }
        )
    return {
        "schema": "holdfast.study",
        "schema_version": 1,
        "results": results,
        "selections": selections,
        "recommendation": {"method": "f-test", "size": 10, "classifier": "svm"},
    }


def drawn(container):
    """The places of the marks of an error bar, and the ends of its intervals."""
    line, _, (bars,) = container.lines
    return np.column_stack(line.get_data()), np.array(bars.get_segments())


@pytest.mark.parametrize("display", DISPLAYS)
def test_a_display_follows_the_manner_of_scikit_learn(display):
    assert display.__name__.endswith("Display")
    makers = [name for name in dir(display) if name.startswith("from_")]
    assert makers
    for name in (*makers, "plot"):
        parameters = inspect.signature(getattr(display, name)).parameters
        assert parameters["ax"].default is None
        assert parameters["kwargs"].kind is inspect.Parameter.VAR_KEYWORD


def test_bars_hold_the_frequencies_most_often_chosen_first():
    display = FrequencyDisplay([0.2, 0.9, 0.0, 0.7], ["a", "b", "c", "d"])
    assert display.plot() is display
    assert [bar.get_width() for bar in display.bars_] == [0.9, 0.7, 0.2]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["b", "d", "a"]
    assert display.figure_ is display.ax_.figure
    assert display.line_ is None


def test_the_most_often_chosen_feature_is_at_the_top():
    display = FrequencyDisplay([0.2, 0.9]).plot()
    bottom, top = display.ax_.get_ylim()
    assert bottom > top


def test_no_more_bars_are_drawn_than_asked_for():
    display = FrequencyDisplay(np.linspace(0.1, 1, 50))
    assert len(display.plot().bars_) == 30
    assert len(display.plot(n_top=5).bars_) == 5


def test_a_threshold_is_a_line_and_bars_below_it_are_faint():
    display = FrequencyDisplay([0.2, 0.9, 0.6], threshold=0.6).plot()
    assert list(display.line_.get_xdata()) == [0.6, 0.6]
    assert [bar.get_alpha() for bar in display.bars_] == [None, None, 0.4]


def test_bars_of_a_selector_have_its_frequencies_names_and_threshold(fitted):
    display = FrequencyDisplay.from_estimator(fitted)
    assert np.array_equal(display.frequency, fitted.frequency_)
    assert display.names == fitted.feature_names_in_.tolist()
    assert display.threshold == fitted.threshold_
    assert max(bar.get_width() for bar in display.bars_) == fitted.frequency_.max()


def test_names_come_through_a_pipeline(wide):
    pipeline = make_pipeline(StandardScaler(), StabilitySelector(selector="f-test", list_size=4, n_runs=10)).fit(*wide)
    assert FrequencyDisplay.from_estimator(pipeline).names == wide[0].columns.tolist()


def test_names_can_be_given_with_a_selector(fitted):
    names = [f"protein{j}" for j in range(30)]
    assert FrequencyDisplay.from_estimator(fitted, names=names, draw=False).names == names


def test_bars_can_be_made_of_what_selection_frequency_found(wide):
    found = selection_frequency(FTest(4), *wide, n_runs=10)
    display = FrequencyDisplay.from_frequency(found, wide[0].columns, threshold=0.5)
    assert np.array_equal(display.frequency, found.frequency)
    assert display.threshold == 0.5


@pytest.mark.parametrize("display", [FrequencyDisplay, StabilityDisplay])
def test_a_selector_that_is_not_fitted_is_refused(display):
    with pytest.raises(NotFittedError):
        display.from_estimator(StabilitySelector())


@pytest.mark.parametrize("display", [FrequencyDisplay, StabilityDisplay])
def test_a_selector_that_selects_once_is_refused_with_the_way_out(display, wide):
    with pytest.raises(ValueError, match=r"FTest has no \w+_, since it does not repeat.*selection_frequency"):
        display.from_estimator(FTest(3).fit(*wide))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"frequency": [0.0, 0.0]}, "no bars to draw"),
        ({"frequency": [3, 5]}, "shares of runs"),
        ({"frequency": [0.5, 0.5], "names": ["a"]}, "2 features but 1 names"),
        ({"frequency": [0.5, 0.5], "threshold": 2}, "threshold=2 is not allowed"),
        ({"frequency": [0.5, 0.5], "n_top": 0}, "n_top=0 is not allowed"),
    ],
)
def test_bars_of_nonsense_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        FrequencyDisplay.from_frequency(**given)


def test_the_plotly_figure_has_the_same_bars():
    display = FrequencyDisplay([0.2, 0.9, 0.7], ["a", "b", "c"], threshold=0.6)
    bars = [x for trace in display.figure(theme="dark").data for x in trace.x]
    assert bars == [bar.get_width() for bar in display.plot().bars_]


def test_one_set_of_runs_is_one_point_with_its_interval():
    display = StabilityDisplay.from_runs(STEADY, n_features=20)
    found = nogueira_interval(STEADY, n_features=20)
    points, ends = drawn(display.errorbars_[0])
    assert points.tolist() == [[found.value, 0]]
    assert np.allclose(ends[0, :, 0], [found.low, found.high])
    assert (display.sizes, display.n_selected.tolist()) == ([2], [2.0])


def test_methods_with_one_value_each_stand_under_each_other():
    display = StabilityDisplay.from_runs({"steady": STEADY, "shaky": SHAKY}, n_features=20)
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["steady", "shaky"]
    assert [drawn(one)[0][0, 1] for one in display.errorbars_] == [0, 1]
    assert display.lines_ == []


def test_runs_by_size_are_a_line_over_the_sizes():
    runs = {3: [{0, 1, 2}, {0, 1, 3}, {0, 1, 2}], 1: [{0}, {0}, {1}]}
    display = StabilityDisplay.from_runs(runs, n_features=20)
    (line,) = display.lines_
    assert list(line.get_xdata()) == [1, 3]
    assert np.allclose(line.get_ydata(), [nogueira_interval(runs[size], n_features=20).value for size in (1, 3)])


def test_runs_by_name_and_size_are_a_line_for_each_name():
    runs = {"steady": {2: STEADY, 3: [{0, 1, 2}] * 3}, "shaky": {2: SHAKY, 3: [{0, 1, 2}, {3, 4, 5}, {0, 1, 2}]}}
    display = StabilityDisplay.from_runs(runs, n_features=20)
    assert len(display.lines_) == len(display.errorbars_) == 2
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["steady", "shaky"]
    assert display.errorbars_[0].lines[0].get_color() == display.lines_[0].get_color()
    assert display.errorbars_[0].lines[0].get_marker() != display.errorbars_[1].lines[0].get_marker()


def test_runs_of_different_sizes_have_a_size_of_their_own():
    display = StabilityDisplay.from_runs([{0, 1}, {0}, {0, 2}], n_features=20, draw=False)
    assert display.sizes == ["own"]
    assert np.allclose(display.n_selected, [5 / 3])


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ({}, "mapping is empty"),
        ([set(), set(), set()], "undefined"),
        ({0: STEADY}, "A size among runs=0"),
        ({"a": {0.5: STEADY}}, "A size among runs of a=0.5"),
        ([{0, 1}], "at least 2 runs"),
    ],
)
def test_runs_without_a_stability_are_refused(runs, words):
    with pytest.raises(ValueError, match=words):
        StabilityDisplay.from_runs(runs, n_features=20)


def test_selectors_show_their_own_stability(wide, fitted):
    other = EnsembleSelector(5, selector="f-test", n_runs=8).fit(*wide)
    display = StabilityDisplay.from_estimator({"one": fitted, "other": other})
    assert display.methods == ["one", "other"]
    assert display.stability.tolist() == [fitted.stability_, other.stability_]
    assert (display.low[1], display.high[1]) == other.stability_interval_
    assert display.sizes == [4, 5]


def test_a_single_selector_goes_by_its_class(fitted):
    assert StabilityDisplay.from_estimator(fitted).methods == ["StabilitySelector"]


def test_a_single_list_has_no_stability_to_draw(wide):
    single = EnsembleSelector(5, selector="f-test", perturb=None).fit(*wide)
    with pytest.raises(ValueError, match="EnsembleSelector is undefined: it has one run"):
        StabilityDisplay.from_estimator(single)


def test_a_study_gives_every_method_at_every_size(study):
    display = StabilityDisplay.from_study(study)
    points, ends = drawn(display.errorbars_[1])
    assert points.tolist() == [[5.0, 0.5], [7.5, 0.55], [10.0, 0.6]]
    assert np.allclose(ends[:, :, 1], [[0.47, 0.53], [0.52, 0.58], [0.57, 0.63]])
    assert list(display.lines_[1].get_xdata()) == [5.0, 10.0]


def test_a_study_may_be_an_object_with_a_summary(study):
    class Study:
        def summary(self):
            return study

    assert StabilityDisplay.from_study(Study(), draw=False).stability.tolist() == [0.3, 0.4, 0.5, 0.6, 0.55]
    assert TradeOffDisplay.from_study(Study(), draw=False).methods[0] == "relieff"


def test_values_that_a_study_could_not_define_are_left_out(study):
    study["selections"][0]["stability"]["nogueira"] = None
    study["selections"][1]["stability"]["nogueira"] |= {"low": None, "high": None}
    display = StabilityDisplay.from_study(study)
    assert len(display.stability) == 4
    assert np.isnan(display.low[0])
    assert len(TradeOffDisplay.from_study(study).methods) == 4


@pytest.mark.parametrize("display", [StabilityDisplay, TradeOffDisplay])
@pytest.mark.parametrize("given", [{"schema": "other"}, 3])
def test_what_is_no_study_is_refused(display, given):
    with pytest.raises((ValueError, TypeError), match="study"):
        display.from_study(given)


@pytest.mark.parametrize("display", [StabilityDisplay, TradeOffDisplay])
def test_an_index_that_the_study_does_not_have_is_refused(display, study):
    with pytest.raises(ValueError, match=r"index='kappa' is not in the study\. There is: 'nogueira', 'jaccard'"):
        display.from_study(study, index="kappa")


def test_parts_of_a_display_must_be_equally_long():
    with pytest.raises(ValueError, match="2 values of stability but 1 of methods"):
        StabilityDisplay([0.1, 0.2], [0, 0], [1, 1], methods=["a"], sizes=[1, 2], n_selected=[1, 2])
    with pytest.raises(ValueError, match="1 values of stability but 2 of score"):
        TradeOffDisplay([[0.1, 0, 1]], [[0.1, 0, 1]] * 2, methods=["a"], sizes=[1], classifiers=["b"])
    with pytest.raises(ValueError, match="score has the shape"):
        TradeOffDisplay([[0.1, 0, 1]], [0.1], methods=["a"], sizes=[1], classifiers=["b"])


def test_the_plotly_figure_has_the_same_stabilities(study):
    display = StabilityDisplay.from_study(study, draw=False)
    drawn_there = {y for trace in display.figure().data if trace.hoverinfo != "skip" for y in trace.y}
    assert drawn_there == set(display.stability.tolist())


def test_runs_have_a_plotly_figure_too():
    figure = StabilityDisplay.from_runs({"steady": STEADY, "shaky": SHAKY}, n_features=20, draw=False).figure()
    assert "steady has the best stability" in figure.layout.title.text


def test_points_of_a_study_are_stability_and_the_score_of_the_best_classifier(study):
    display = TradeOffDisplay.from_study(study)
    assert display.points_[0].get_offsets().tolist() == [[0.3, 0.92], [0.4, 0.9]]
    assert display.points_[1].get_offsets().tolist() == [[0.5, 0.8], [0.6, 0.85], [0.55, 0.7]]
    assert set(display.classifiers) == {"svm"}


def test_the_front_is_what_no_other_point_beats_in_both(study):
    display = TradeOffDisplay.from_study(study)
    assert display.is_front.tolist() == [True, True, False, True, False]
    assert np.column_stack(display.line_.get_data(orig=True)).tolist() == [[0.3, 0.92], [0.4, 0.9], [0.6, 0.85]]
    assert [text.get_text() for text in display.texts_] == ["5", "10", "10"]


def test_less_error_is_better(study):
    display = TradeOffDisplay.from_study(study, metric="error")
    assert display.is_front.tolist() == [True, True, False, True, False]
    assert "less is better" in display.ax_.get_ylabel()


def test_a_classifier_can_be_asked_for(study):
    display = TradeOffDisplay.from_study(study, classifier="knn")
    assert np.allclose(display.score[:, 0], [0.91, 0.89, 0.79, 0.84, 0.69])
    assert display.recommended is None
    assert display.ring_ is None


def test_a_ring_is_around_what_is_recommended(study):
    display = TradeOffDisplay.from_study(study)
    assert display.ring_.get_offsets().tolist() == [[0.6, 0.85]]


def test_a_recommendation_by_a_weaker_classifier_is_a_point_of_its_own(study):
    study["recommendation"]["classifier"] = "knn"
    display = TradeOffDisplay.from_study(study)
    assert display.classifiers[display.recommended] == "knn"
    assert np.allclose(display.ring_.get_offsets(), [[0.6, 0.84]])
    assert not display.is_front[display.recommended]


def test_the_plotly_figure_has_the_same_points(study):
    display = TradeOffDisplay.from_study(study, draw=False)
    figure = display.figure()
    points = {(x, y) for t in figure.data if t.hoverinfo != "skip" for x, y in zip(t.x, t.y, strict=True)}
    assert points == set(zip(display.stability[:, 0].tolist(), display.score[:, 0].tolist(), strict=True))
    assert any(trace.name == "recommended" for trace in figure.data)


def test_a_study_without_a_common_point_is_refused(study):
    for row in study["selections"]:
        row["stability"]["nogueira"] = None
    study["selections"][0]["stability"]["nogueira"] = value(0.5)
    study["results"] = study["results"][2:]
    with pytest.raises(ValueError, match="no point to draw"):
        TradeOffDisplay.from_study(study)


def makers(fitted, study):
    return (
        lambda **more: FrequencyDisplay.from_estimator(fitted, **more),
        lambda **more: StabilityDisplay.from_runs({2: STEADY, 3: SHAKY}, n_features=20, **more),
        lambda **more: StabilityDisplay.from_estimator(fitted, **more),
        lambda **more: TradeOffDisplay.from_study(study, **more),
    )


@pytest.mark.parametrize("number", range(4))
def test_given_axes_are_drawn_on_and_no_others_made(number, fitted, study):
    _, axes = plt.subplots(1, 2)
    before = plt.get_fignums()
    assert makers(fitted, study)[number](ax=axes[1]).ax_ is axes[1]
    assert plt.get_fignums() == before


@pytest.mark.parametrize("number", range(4))
def test_what_is_no_axes_is_refused(number, fitted, study):
    with pytest.raises(TypeError, match="ax must be matplotlib axes, but int came"):
        makers(fitted, study)[number](ax=3)


@pytest.mark.parametrize("number", range(4))
def test_nothing_is_shown(number, fitted, study, monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("a display must not show itself"))
    assert makers(fitted, study)[number]().figure_.number in plt.get_fignums()


@pytest.mark.parametrize("number", range(4))
def test_further_settings_reach_matplotlib(number, fitted, study):
    display = makers(fitted, study)[number](alpha=0.25)
    bars = getattr(display, "bars_", None)
    artists = getattr(display, "points_", None) or (bars and [bars[0]]) or [display.errorbars_[0].lines[0]]
    assert {artist.get_alpha() for artist in artists} == {0.25}


@pytest.mark.parametrize("number", range(4))
def test_a_display_can_wait_with_drawing(number, fitted, study, monkeypatch):
    hide_matplotlib(monkeypatch)
    display = makers(fitted, study)[number](draw=False)
    assert not hasattr(display, "ax_")
    assert display.figure().data


def hide_matplotlib(monkeypatch):
    """Make ``import matplotlib`` fail as if it were not installed."""
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)


@pytest.mark.parametrize("number", range(4))
def test_a_missing_package_is_named_with_its_extra(number, fitted, study, monkeypatch):
    hide_matplotlib(monkeypatch)
    with pytest.raises(ImportError, match=r"Display\.plot needs .*matplotlib.*pip install 'holdfast\[plots\]'"):
        makers(fitted, study)[number]()


def test_a_dollar_in_a_name_is_no_formula():
    FrequencyDisplay([0.5, 0.7], [r"$\frac$", "b"]).plot().figure_.canvas.draw()
    display = StabilityDisplay.from_runs({r"$\frac$": {2: STEADY, 3: SHAKY}, "b": {2: STEADY}}, n_features=20)
    display.figure_.canvas.draw()
    assert display.ax_.get_legend().get_texts()[0].get_text() == r"$\frac$"


def test_long_names_leave_room_for_the_plot():
    display = FrequencyDisplay([0.5], ["n" * 200]).plot()
    assert len(display.ax_.get_yticklabels()[0].get_text()) == 30
    assert display.names == ["n" * 200]


def test_forty_methods_are_drawn(study):
    study["selections"] = [
        {"method": f"m{i}", "size": size, "stability": {"nogueira": value(0.01 * i)}}
        for i in range(40)
        for size in (5, 9)
    ]
    study["results"] = [
        {"method": f"m{i}", "size": size, "classifier": "svm", "accuracy": value(0.5 + 0.01 * i)}
        for i in range(40)
        for size in (5, 9)
    ]
    for display in (StabilityDisplay.from_study(study), TradeOffDisplay.from_study(study)):
        display.figure_.canvas.draw()
        assert len(display.ax_.get_legend().get_texts()) >= 40


def test_an_interval_that_does_not_hold_its_value_is_drawn():
    display = StabilityDisplay([0.5], [0.6], [0.7], methods=["a"], sizes=[3], n_selected=[3]).plot()
    assert np.allclose(drawn(display.errorbars_[0])[1][0, :, 0], [0.5, 0.7])


def test_displays_load_neither_matplotlib_nor_plotly():
    code = "import sys, holdfast.report.displays as d; sys.exit(bool({'matplotlib', 'plotly'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_study_that_was_run_is_drawn(wide):
    ran = compare(*wide, methods=["f-test", "mrmr+"], sizes=[2, 4], classifiers=["nb", "knn"], protocol="3cv")
    stability, trade_off = StabilityDisplay.from_study(ran), TradeOffDisplay.from_study(ran)
    assert stability.sizes == [2, 4, 2, 4]
    assert trade_off.recommended is not None
    for display in (stability, trade_off):
        display.figure_.canvas.draw()
        assert display.figure(theme="dark").data
