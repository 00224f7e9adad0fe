"""The diagram of mean ranks and the critical difference."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.report.ranks import critical_difference


def _dots(figure):
    (dots,) = [trace for trace in figure.data if trace.mode == "markers"]
    return dots


def _bars(figure):
    return [tuple(trace.x) for trace in figure.data if trace.name == "do not differ"]


def _drawn(ranks, difference, **more):
    return critical_difference(mean_ranks=ranks, methods=[f"m{r}" for r in ranks], difference=difference, **more)


def test_a_study_brings_ranks_names_and_groups(made_study):
    figure = critical_difference(made_study)
    assert list(_dots(figure).x) == [1.4, 2.0, 2.6]
    assert _dots(figure).customdata[0] == "<b>cfs</b><br>mean rank 1.40"
    assert _bars(figure) == [(1.4, 2.0), (2.0, 2.6)]


def test_methods_within_the_difference_are_joined():
    assert _bars(_drawn([1.0, 1.4, 2.0, 3.9], 1.0)) == [(1.0, 2.0)]


def test_bars_that_others_cover_are_left_out(seed):
    ranks = np.sort(np.random.default_rng(seed).uniform(1, 15, size=15)).tolist()
    bars = _bars(_drawn(ranks, 2.0))
    assert all(high - low <= 2 + 1e-9 for low, high in bars)
    assert not any(a != b and a[0] <= b[0] and b[1] <= a[1] for a in bars for b in bars)


def test_bars_at_one_height_do_not_touch(seed):
    ranks = np.sort(np.random.default_rng(seed).uniform(1, 30, size=30)).tolist()
    by_height = {}
    for trace in _drawn(ranks, 4.0).data:
        if trace.name == "do not differ":
            by_height.setdefault(trace.y[0], []).append(sorted(trace.x))
    for bars in by_height.values():
        assert all(a[1] < b[0] for a, b in zip(sorted(bars), sorted(bars)[1:], strict=False))


def test_given_groups_are_drawn_as_given():
    figure = critical_difference(mean_ranks=[3, 1, 2], methods=list("abc"), difference=5, groups=[["a", "c"], ["b"]])
    assert _bars(figure) == [(2.0, 3.0)]


def test_the_length_of_the_difference_stands_above_the_axis():
    figure = _drawn([1.2, 2.9], 0.8)
    (length,) = [trace for trace in figure.data if trace.name == "critical difference"]
    assert max(length.x) - min(length.x) == pytest.approx(0.8)
    assert min(length.y) > 0
    assert "critical difference 0.80" in [note.text for note in figure.layout.annotations]


def test_a_long_difference_fits_on_the_axis():
    assert _drawn([1.2, 1.9, 2.9], 4.5).layout.xaxis.range[1] >= 1 + 4.5


def test_better_methods_have_their_names_on_the_left():
    notes = {note.text: note.x for note in _drawn([4.0, 1.0, 2.0, 3.0], 0.5).layout.annotations}
    assert [notes[f"m{rank}"] for rank in (1.0, 2.0, 3.0, 4.0)] == [0, 0, 1, 1]


@pytest.mark.parametrize("n_methods", [2, 3, 40])
def test_every_name_has_a_row_of_its_own_on_its_side(n_methods):
    figure = _drawn([1 + i / 2 for i in range(n_methods)], 0.6)
    places = [(note.x, note.y) for note in figure.layout.annotations if note.hovertext]
    assert len(places) == len(set(places)) == n_methods


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (0.5, "m1.0 ranks best (1.00) and differs from all 2 others."),
        (1.0, "m1.0 ranks best (1.00) and differs from 1 of 2 others."),
        (2.0, "m1.0 ranks best (1.00), but does not differ significantly from any other."),
    ],
)
def test_the_title_counts_what_the_best_differs_from(difference, words):
    assert words in _drawn([1.0, 2.0, 3.0], difference).layout.title.text


def test_a_study_without_any_difference_says_so(made_study):
    made_study["comparisons"]["friedman"]["p_value"] = 0.4
    title = critical_difference(made_study).layout.title.text
    assert "Friedman's test finds no difference between the 3 methods (p = 0.4)" in title


@pytest.mark.parametrize("comparisons", [None, {"friedman": None, "nemenyi": None}])
def test_a_study_without_ranks_is_refused(comparisons, made_study):
    made_study["comparisons"] = comparisons
    with pytest.raises(ValueError, match="at least three methods"):
        critical_difference(made_study)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Pass a study, or mean_ranks"),
        ({"mean_ranks": [1, 2]}, "difference is missing"),
        ({"mean_ranks": [0, 2], "difference": 1}, "the lowest is 0"),
        ({"mean_ranks": [1, 2], "difference": 0}, "must be above 0"),
        ({"mean_ranks": [1, 2], "difference": 1, "methods": ["a"]}, "2 mean ranks but 1 names"),
        ({"mean_ranks": [1, 2], "difference": 1, "methods": ["a", "a"]}, "the same name"),
        (
            {"mean_ranks": [1, 2], "difference": 1, "methods": ["a", "b"], "groups": [["a", "c"]]},
            "groups='c' is not one of the methods. There is: 'a', 'b'",
        ),
    ],
    ids=["nothing", "alone", "zero", "no-length", "names", "twins", "stranger"],
)
def test_unusable_ranks_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        critical_difference(**arguments)


def test_a_study_and_ranks_together_are_refused(made_study):
    with pytest.raises(ValueError, match="not both"):
        critical_difference(made_study, mean_ranks=[1, 2], difference=1)
