"""Time and memory of the selections of a study."""

from __future__ import annotations

import pytest

from holdfast.report.costs import duration, memory, times


def test_bars_have_the_means_of_the_study_fastest_first(made_study):
    figure = times(made_study)
    assert list(figure.data[0].x) == [0.002, 0.5]
    assert figure.layout.yaxis.ticktext[1] == "mrmr"


def test_whiskers_go_from_the_least_to_the_most(made_study):
    reach = times(made_study).data[0].error_x
    assert list(reach.arrayminus) == pytest.approx([0.002, 0.1])
    assert list(reach.array) == pytest.approx([0.001, 0.4])


@pytest.mark.parametrize(("slowest", "kind"), [(0.06, None), (0.061, "log")])
def test_times_that_span_more_than_thirty_times_go_by_their_logarithm(slowest, kind, made_study):
    made_study["costs"][0]["seconds"]["mean"] = slowest
    assert times(made_study).layout.xaxis.type == kind


def test_the_axis_holds_all_whiskers(made_study):
    bottom, top = times(made_study).layout.xaxis.range
    assert 10**bottom < 0.002
    assert 10**top > 0.9


def test_memory_stands_beside_the_bars_where_it_is_known(made_study):
    figure = times(made_study)
    assert [note.text for note in figure.layout.annotations] == ["memory", "12.5 MB"]
    assert "12.5 MB at most" in figure.data[0].customdata[1]


def test_nothing_is_said_of_memory_that_no_one_measured(made_study):
    for cost in made_study["costs"]:
        cost["peak_megabytes"] = None
    assert not times(made_study).layout.annotations


def test_the_pointer_tells_the_range_and_how_many_selections(made_study):
    assert "500 ms on average<br>400 ms to 900 ms in 7 selections" in times(made_study).data[0].customdata[1]


def test_the_title_names_the_fastest_and_the_slowest(made_study):
    title = times(made_study).layout.title.text
    assert "is fastest with 2 ms for a selection, mrmr slowest with 500 ms." in title.replace("<br>", " ")


def test_one_method_is_not_compared(made_study):
    made_study["costs"] = made_study["costs"][:1]
    assert times(made_study).layout.title.text == "<b>A selection by mrmr takes 500 ms.</b>"


def test_times_of_zero_can_be_drawn(made_study):
    for cost in made_study["costs"]:
        cost["seconds"] = {"mean": 0.0, "least": 0.0, "most": 0.0}
    figure = times(made_study)
    assert figure.layout.xaxis.range[1] > 0
    assert "takes 0 s with every method" in figure.layout.title.text


@pytest.mark.parametrize("costs", [None, [], [{"method": "mrmr", "seconds": None}]])
def test_a_study_without_times_is_refused(costs, made_study):
    made_study["costs"] = costs
    with pytest.raises(ValueError, match="no times of selections"):
        times(made_study)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 s"), (2e-5, "20 µs"), (0.0125, "12.5 ms"), (0.9996, "1 s"), (59, "59 s"), (90, "1.5 min"), (7200, "2 h")],
)
def test_times_are_told_in_a_fitting_unit(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(("megabytes", "words"), [(0.5, "0.5 MB"), (512.4, "512 MB"), (2500, "2.5 GB")])
def test_memory_is_told_in_a_fitting_unit(megabytes, words):
    assert memory(megabytes) == words
