"""The profile of instance weights."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from holdfast.report import weight_profile


def _points(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_weights_are_shown_in_multiples_of_their_mean_heaviest_first(seed):
    weights = np.random.default_rng(seed).gamma(3, size=30)
    (points,) = _points(weight_profile(weights))
    assert np.allclose(points.y, np.sort(weights)[::-1] / weights.mean())
    assert list(points.x) == list(range(1, 31))


def test_the_scale_of_the_weights_does_not_matter(seed):
    weights = np.random.default_rng(seed).gamma(3, size=30)
    one, other = (_points(weight_profile(weights * factor))[0] for factor in (1, 1000))
    assert np.allclose(one.y, other.y)


def test_classes_have_colours_and_symbols_of_their_own():
    figure = weight_profile([1, 2, 3, 4], y=["well", "sick", "well", "sick"])
    sick, well = _points(figure)
    assert (sick.name, well.name) == ("sick (2 samples)", "well (2 samples)")
    assert list(sick.x) == [1, 3]
    assert sick.marker.color != well.marker.color
    assert sick.marker.symbol != well.marker.symbol


def test_many_classes_stay_apart():
    points = _points(weight_profile(np.ones(30), y=np.arange(30) % 15))
    assert len({(trace.marker.color, trace.marker.symbol) for trace in points}) == 15


def test_a_measured_target_is_a_scale_of_colours(seed):
    target = np.random.default_rng(seed).normal(size=40)
    (points,) = _points(weight_profile(np.ones(40), y=target))
    assert np.array_equal(points.marker.color, target)


def test_the_text_under_the_pointer_names_the_sample():
    (points,) = _points(weight_profile([1, 3, 2], names=["a", "b", "c"]))
    assert [row[0] for row in points.customdata] == ["b", "c", "a"]


def test_a_fitted_weighting_is_read_by_its_weights():
    (points,) = _points(weight_profile(SimpleNamespace(weights_=np.array([1.0, 3.0]))))
    assert list(points.y) == [1.5, 0.5]


def test_equal_weights_are_said_to_be():
    assert weight_profile([2, 2, 2]).layout.title.text == "<b>All samples count alike.</b>"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "weights is empty"),
        (([1, np.nan],), "missing or infinite"),
        (([1, -1],), "0 or more"),
        (([0, 0],), "one above 0"),
        (([1, 2], ["a"]), r"2 weights but y has the shape \(1,\)"),
        (([1, 2], None, ["a"]), "2 samples but 1 names"),
    ],
    ids=["empty", "gap", "negative", "zero", "labels", "names"],
)
def test_unusable_weights_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        weight_profile(*arguments)
