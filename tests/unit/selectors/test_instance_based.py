"""Instance-based filters: the worked example of the specification, cases by hand, and errors."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from holdfast import DataError, InstanceBased
from holdfast.measures.information import information_about_itself, information_with_others
from holdfast.prepare import Codes
from oracles.worked import TOY

X, y = TOY


def to_six_digits(values):
    return pytest.approx(values, abs=5.1e-7)


def exactly(values):
    return pytest.approx(values, abs=1e-12)


def lists(fitted):
    return (fitted.candidates_ + 1).tolist()


def test_every_sample_of_toy_proposes_the_published_list():
    fitted = InstanceBased(candidate_size=2).fit(X, y)
    assert lists(fitted) == [[3, 4], [5, 2], [3, 4], [2, 4], [2, 4], [3, 5]]
    second = [0.8, 6 / 7, 4 / 7, 0.75, 11 / 13, 10 / 11]
    assert fitted.candidate_weights_.tolist() == [exactly([1.0, w]) for w in second]
    assert fitted.candidate_samples_.tolist() == list(range(6))


def test_weights_of_toy_run_from_the_smallest_margin_to_the_largest():
    fitted = InstanceBased(candidate_size=5).fit(X, y)
    by_feature = np.empty((6, 5))
    np.put_along_axis(by_feature, fitted.candidates_, fitted.candidate_weights_, axis=1)
    expected = [
        [0, 8 / 15, 1, 0.8, 2 / 3],
        [5 / 7, 6 / 7, 0, 3 / 7, 1],
        [2 / 7, 1 / 7, 1, 4 / 7, 0],
        [0.375, 1, 0.5, 0.75, 0],
        [1 / 13, 1, 0, 11 / 13, 3 / 13],
        [0, 1 / 11, 1, 4 / 11, 10 / 11],
    ]
    assert by_feature.tolist() == [exactly(row) for row in expected]


def test_lists_of_toy_with_neighbours_sought_in_each_feature():
    """The published lists, but equal margins go to the larger sum of margins, not to the lower number: 4 before 3."""
    fitted = InstanceBased(candidate_size=2, neighbours="feature").fit(X, y)
    assert lists(fitted) == [[4, 3], [2, 1], [4, 3], [2, 4], [2, 4], [3, 5]]
    assert fitted.candidate_weights_[1].tolist() == exactly([1, 7 / 8])


@pytest.mark.parametrize(
    ("aggregate", "expected", "order"),
    [
        ("occurrence", [nan, 3, 3, 4, 2], [4, 3, 2, 5]),
        ("mean_weight", [nan, 0.476190, 0.5, 0.494597, 0.318182], [3, 4, 2, 5]),
        # The published sums of places 13, 12, 14 and 15, taken from 6 lists · 3.
        ("rank", [nan, 18 - 13, 18 - 12, 18 - 14, 18 - 15], [3, 2, 4, 5]),
        ("redundancy", [nan, 1.886967, 2.113158, 1.997407, 1.116610], [3, 4, 2, 5]),
    ],
)
def test_lists_of_toy_merge_as_published(aggregate, expected, order):
    fitted = InstanceBased(candidate_size=2, aggregate=aggregate).fit(X, y)
    assert (fitted.indices_ + 1).tolist() == order
    assert fitted.scores_.tolist() == pytest.approx(expected, abs=5.1e-7, nan_ok=True)
    assert fitted.n_evaluations_.pair == (6 if aggregate == "redundancy" else 0)


def test_redundancy_of_toy_without_the_feature_itself():
    fitted = InstanceBased(candidate_size=2, aggregate="redundancy", include_self=False).fit(X, y)
    assert fitted.scores_[1:].tolist() == to_six_digits([2.091896, 2.345865, 2.202336, 1.338832])


def test_redundancy_counts_as_much_as_asked():
    plain, none, double = (
        InstanceBased(candidate_size=2, aggregate="redundancy", redundancy_weight=w).fit(X, y).scores_[1:]
        for w in (1.0, 0.0, 2.0)
    )
    assert none.tolist() == to_six_digits([2.857143, 3.0, 2.967582, 1.909091])
    assert (none - plain).tolist() == to_six_digits([0.970176, 0.886842, 0.970176, 0.792481])
    assert (none - double).tolist() == exactly((2 * (none - plain)).tolist())


A, C = [0, 0, 1, 1], [0, 1, 0, 1]


def test_a_redundant_feature_drops_behind_one_that_shares_nothing():
    """The first worked example of IB-RedE, with its relevances given."""
    codes = Codes.of(np.array([A, A, C]))
    redundancy = (information_with_others(codes) + information_about_itself(codes)) / 3
    assert redundancy.tolist() == exactly([2 / 3, 2 / 3, 1 / 3])
    score = np.array([0.9, 0.8, 0.5]) - redundancy
    assert score.tolist() == pytest.approx([0.2333, 0.1333, 0.1667], abs=5.1e-5)
    assert np.argsort(-score).tolist() == [0, 2, 1]


def test_redundancy_of_levels_by_hand():
    """Every sample has margin 1 in a and its copy, and -1 in c: relevances 4, 4 and 0."""
    fitted = InstanceBased(candidate_size=3, aggregate="redundancy", discretizer=None).fit(np.transpose([A, A, C]), A)
    assert fitted.scores_.tolist() == exactly([4 - 2 / 3, 4 - 2 / 3, -1 / 3])


@pytest.mark.parametrize("neighbours", ["sample", "feature"])
def test_lists_of_one_feature_are_ranked_alike_by_place_and_by_number(neighbours):
    noise, halves = np.random.default_rng(0).normal(size=(30, 12)), np.arange(30) % 2
    by_place, by_number = (
        InstanceBased(candidate_size=1, aggregate=aggregate, neighbours=neighbours).fit(noise, halves)
        for aggregate in ("rank", "occurrence")
    )
    assert by_place.indices_.tolist() == by_number.indices_.tolist()
    np.testing.assert_array_equal(by_place.scores_, by_number.scores_)


def test_a_common_factor_of_all_features_changes_no_list():
    for scale in ("none", "range"):
        plain, tripled = (InstanceBased(candidate_size=2, scale=scale).fit(f * X, y) for f in (1, 3))
        assert plain.candidates_.tolist() == tripled.candidates_.tolist()


def test_a_constant_feature_is_in_no_list_however_long():
    fitted = InstanceBased(candidate_size=10).fit(np.insert(X, 2, 7, axis=1), y)
    assert fitted.candidates_.shape == (6, 5)
    assert 2 not in fitted.candidates_
    assert np.isnan(fitted.scores_[2])


@pytest.mark.parametrize("neighbours", ["sample", "feature"])
def test_a_sample_alone_in_its_class_proposes_nothing(neighbours):
    fitted = InstanceBased(candidate_size=2, neighbours=neighbours).fit(X, [0, 0, 0, 2, 1, 1])
    assert fitted.candidate_samples_.tolist() == [0, 1, 2, 4, 5]
    assert fitted.candidates_.shape == fitted.candidate_weights_.shape == (5, 2)


def test_no_more_features_are_kept_than_are_in_a_list():
    assert len(InstanceBased(5, candidate_size=2).fit(X, y).indices_) == 4
    assert (InstanceBased(2, candidate_size=2).fit(X, y).indices_ + 1).tolist() == [4, 3]


def test_lists_need_a_feature_that_varies():
    with pytest.raises(DataError, match="Every feature of X is constant"):
        InstanceBased().fit(np.ones((6, 3)), y)


def test_margins_that_are_rounding_alone_have_no_weight():
    # Three misses share the place of the nearest to the second sample, and 1/3 + 1/3 - 1 + 1/3 is not quite 0.
    fitted = InstanceBased(candidate_size=1).fit([[0, 0], [1, 1], [0, 0], [0, 2], [0, 0]], [0, 1, 0, 1, 0])
    assert fitted.candidate_weights_.ravel().tolist() == [1, 0, 1, 1, 1]


def test_margins_that_differ_by_rounding_alone_have_no_weight():
    x = np.array([[6.0], [0.0], [1.0], [1.0], [1.0]])
    fitted = InstanceBased(candidate_size=1).fit(np.hstack([x, 3 * x]), [0, 0, 1, 1, 1])
    assert not fitted.candidate_weights_.any()
    assert fitted.candidates_.ravel().tolist() == [fitted.indices_[0]] * 5
