"""Stability against the number of chosen features."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.report import stability_by_size


def test_a_line_goes_by_increasing_size():
    (line,) = stability_by_size([20, 5, 10], [0.3, 0.1, 0.2]).data
    assert list(line.x) == [5, 10, 20]
    assert list(line.y) == [0.1, 0.2, 0.3]


def test_the_band_goes_around_the_interval():
    band, line = stability_by_size([5, 10], [0.3, 0.5], [0.2, 0.4], [0.4, 0.7]).data
    assert list(band.x) == [5, 10, 10, 5]
    assert list(band.y) == [0.2, 0.4, 0.7, 0.4]
    assert np.asarray(line.customdata).tolist() == [[0.2, 0.4], [0.4, 0.7]]


def test_several_methods_have_a_line_each_and_a_legend():
    figure = stability_by_size([5, 10], {"cfs": [0.3, 0.5], "mrmr": [0.4, 0.6]})
    assert [line.name for line in figure.data] == ["cfs", "mrmr"]
    assert figure.data[0].line.color != figure.data[1].line.color
    assert figure.layout.showlegend


def test_methods_may_have_sizes_of_their_own_and_some_no_interval():
    figure = stability_by_size(
        {"cfs": [5, 10], "mrmr": [3]}, {"cfs": [0.3, 0.5], "mrmr": [0.4]}, {"cfs": [0.2, 0.4]}, {"cfs": [0.4, 0.6]}
    )
    assert len(figure.data) == 3
    assert figure.layout.title.text == "<b>Stability of 2 methods, each at sizes of its own.</b>"


def test_more_lines_than_colours_differ_by_their_dashes():
    lines = stability_by_size([5, 10], {f"m{i}": [0.1, 0.2] for i in range(20)}).data
    assert len({(line.line.color, line.line.dash) for line in lines}) == 20


def test_the_title_tells_who_leads_at_how_many_sizes():
    figure = stability_by_size([1, 2, 3], {"a": [0.1, 0.5, 0.6], "b": [0.2, 0.4, 0.5]}, measure="Stability (Kuncheva)")
    assert figure.layout.title.text == "<b>a has the highest stability (Kuncheva) at 2 of 3 sizes.</b>"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0.9, 0.2], "Entropy is highest with 1 feature (0.90) and lowest with 4 (0.20)."),
        ([0.5, 0.5], "is 0.50 at every size"),
    ],
)
def test_the_title_of_one_line_tells_its_ends(values, words):
    assert words in stability_by_size([1, 4], values, measure="Entropy").layout.title.text


@pytest.mark.parametrize("chance", [None, 0.0, -0.3])
def test_zero_and_chance_are_on_the_axis(chance):
    bottom, top = stability_by_size([1, 4], [0.9, 0.2], chance=chance).layout.yaxis.range
    assert bottom <= min(0.0, chance or 0.0)
    assert top > 0.9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([5, 10], [0.1]), "2 sizes but 1 values of stability"),
        (([5, 10], [0.1, 0.2], [0.1]), "needs both ends"),
        (([5, 10], [0.1, 0.2], [0.1], [0.2, 0.3]), "2 sizes but 1 values of low"),
        (([5, 10], [0.1, np.nan]), "stability has 1 value"),
        (([5, 10], {"cfs": [0.1, np.inf]}), "stability of cfs has 1 value"),
        (([], []), "sizes is empty"),
        (([5, 5], [0.1, 0.2]), "different numbers above 0"),
        (([0, 5], [0.1, 0.2]), "different numbers above 0"),
        (([5, 10], [0.1, 0.2], [0.1, 0.3], [0.2, 0.2]), "low is above high at size 10"),
        (({"mrmr": [5]}, {"cfs": [0.1]}), "sizes has no entry 'cfs'"),
        (([5], {}), "at least one method"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_unusable_values_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        stability_by_size(*arguments)
