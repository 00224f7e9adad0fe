"""Selection frequencies as curves and as bars."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from holdfast.report import frequency_bars, frequency_curve
from holdfast.stability import Frequency


def _curves(figure):
    return [trace for trace in figure.data if trace.hoverinfo != "skip"]


def test_a_curve_falls_and_holds_every_chosen_feature():
    (curve,) = _curves(frequency_curve([0.2, 1.0, 0.0, 0.5, 0.0]))
    assert list(curve.y) == [1.0, 0.5, 0.2, 0.0]
    assert list(curve.x) == [1, 2, 3, 4]


def test_the_text_under_the_pointer_names_the_feature_of_each_rank():
    (curve,) = _curves(frequency_curve([0.2, 1.0, 0.5], names=["a", "b", "c"]))
    assert list(curve.customdata) == ["b", "c", "a"]


def test_the_legend_counts_the_features_above_each_line():
    frequency = np.array([1.0, 0.86, 0.85, 0.6, 0.5, 0.1])
    (curve,) = _curves(frequency_curve({"mrmr": frequency}))
    assert curve.name == "mrmr (4 over 50%, 2 over 85%)"


def test_the_rectangle_is_as_wide_as_the_runs_are_long():
    runs = np.zeros((10, 40), dtype=bool)
    runs[:, :7] = True
    rectangle = frequency_curve({"same": Frequency(runs)}).data[0]
    assert max(rectangle.x) == 7.5
    assert rectangle.name == "same 7 features in every run"


def test_methods_that_choose_equally_many_share_one_rectangle():
    figure = frequency_curve({"one": [1.0, 1.0, 0.0], "two": [1.0, 0.5, 0.5], "three": [1.0, 0.0, 0.0]})
    assert len(figure.data) - len(_curves(figure)) == 2


def test_the_title_names_the_method_closest_to_perfect_stability():
    even = np.full(20, 0.25)
    sure = np.r_[np.ones(4), np.full(16, 1 / 16)]
    assert "sure comes closest" in frequency_curve({"even": even, "sure": sure}).layout.title.text


@pytest.mark.parametrize(("n_tail", "kind"), [(5, "-"), (500, "log")])
def test_a_long_tail_is_drawn_on_a_logarithmic_axis(n_tail, kind):
    frequency = np.r_[np.ones(10), np.full(n_tail, 0.01)]
    assert (frequency_curve(frequency).layout.xaxis.type or "-") == kind
    assert frequency_curve(frequency, log_x=True).layout.xaxis.type == "log"
    assert frequency_curve(frequency, log_x=False).layout.xaxis.type is None


def test_fitted_selectors_are_read_by_their_frequency():
    fitted = SimpleNamespace(frequency_=np.array([0.5, 0.25]))
    assert list(_curves(frequency_curve({"fitted": fitted}))[0].y) == [0.5, 0.25]
    assert list(frequency_bars(fitted).data[0].x) == [0.5, 0.25]


@pytest.mark.parametrize(
    ("frequencies", "message"),
    [
        ({}, "at least one method"),
        ([], "empty"),
        ([0.5, np.nan], "missing or infinite, the first at 1"),
        ([3, 7], "Divide counts"),
        ([-0.1, 0.5], "from 0 to 1"),
        ([[0.5]], "a list of numbers"),
        ({"cfs": [0.0, 0.0]}, "cfs: no feature was chosen"),
    ],
    ids=["no-method", "no-feature", "gap", "counts", "negative", "table", "nothing-chosen"],
)
def test_a_curve_of_unusable_frequencies_is_refused(frequencies, message):
    with pytest.raises(ValueError, match=message):
        frequency_curve(frequencies)


def test_frequencies_that_are_no_numbers_are_refused():
    with pytest.raises(TypeError, match="must be numbers"):
        frequency_curve({"cfs": ["often", "seldom"]})


@pytest.mark.parametrize("parameter", [{"lines": [1.5]}, {"n_selected": 0}, {"theme": "blue"}, {"names": ["a"]}])
def test_a_wrong_setting_of_a_curve_is_refused_by_name(parameter):
    with pytest.raises(ValueError, match=next(iter(parameter))):
        frequency_curve([0.5, 0.2], **parameter)


def test_bars_are_in_decreasing_order_with_their_names():
    figure = frequency_bars([0.2, 1.0, 0.0, 0.5], names=["a", "b", "c", "d"])
    assert list(figure.data[0].x) == [1.0, 0.5, 0.2]
    assert list(figure.layout.yaxis.ticktext) == ["b", "d", "a"]


def test_near_misses_stand_apart_from_what_is_kept():
    kept, missed = frequency_bars([0.9, 0.6, 0.59], threshold=0.6).data
    assert list(kept.x) == [0.9, 0.6]
    assert list(missed.x) == [0.59]
    assert kept.marker.color != missed.marker.color
    assert missed.name == "below the cut"


def test_a_share_that_rounding_puts_below_the_cut_is_kept():
    (kept,) = frequency_bars([0.1 + 0.2 + 0.3 - 1e-16, 0.7], threshold=0.6).data
    assert len(kept.x) == 2


def test_no_more_than_the_top_is_shown_while_the_title_counts_all():
    figure = frequency_bars(np.full(50, 0.9), n_top=10, threshold=0.5)
    assert len(figure.data[0].x) == 10
    assert "50 features were chosen in at least 50%" in figure.layout.title.text


def test_features_of_one_name_keep_a_bar_each():
    figure = frequency_bars([0.5, 0.4], names=["same", "same"])
    assert list(figure.data[0].y) == [0, 1]


def test_a_long_name_is_cut_on_the_axis_and_whole_under_the_pointer():
    name = "a probe with a very long description"
    figure = frequency_bars([0.5], names=[name])
    assert figure.layout.yaxis.ticktext[0].endswith("…")
    assert figure.data[0].customdata[0] == name


def test_markup_in_a_name_is_shown_as_it_is():
    assert frequency_bars([0.5], names=["<b>x</b>"]).layout.yaxis.ticktext[0] == "&lt;b&gt;x&lt;/b&gt;"


@pytest.mark.parametrize(("n_kept", "words"), [(0, "No feature was"), (1, "1 feature was"), (2, "2 features were")])
def test_the_title_of_bars_counts_in_good_english(n_kept, words):
    figure = frequency_bars(np.r_[np.ones(n_kept), 0.1], threshold=0.5)
    assert figure.layout.title.text == f"<b>{words} chosen in at least 50% of the runs.</b>"


@pytest.mark.parametrize(
    "parameter", [{"n_top": 0}, {"n_top": 2.5}, {"threshold": 0}, {"threshold": 60}, {"theme": None}, {"names": ["a"]}]
)
def test_a_wrong_setting_of_bars_is_refused_by_name(parameter):
    with pytest.raises(ValueError, match=next(iter(parameter))):
        frequency_bars([0.5, 0.2], **parameter)


def test_bars_without_any_choice_are_refused():
    with pytest.raises(ValueError, match="No feature was chosen"):
        frequency_bars([0.0, 0.0])


def test_one_name_instead_of_a_list_is_refused():
    with pytest.raises(TypeError, match="a list of names"):
        frequency_bars([0.5], names="TP53")
