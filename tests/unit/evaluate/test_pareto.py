"""The front of points that no other dominates, against a double loop."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import DataError
from holdfast.evaluate.pareto import pareto_front
from oracles import comparisons


@pytest.mark.parametrize("n_columns", [1, 2, 3, 4])
def test_the_front_is_that_of_the_double_loop(n_columns, seed):
    points = np.random.default_rng([seed, 71]).integers(0, 6, size=(60, n_columns))
    assert pareto_front(points).tolist() == comparisons.front(points.tolist())


@pytest.mark.parametrize("maximise", [[True, False], [False, False], [False, True]])
def test_each_column_has_its_own_direction(maximise, seed):
    points = np.random.default_rng([seed, 72]).integers(0, 9, size=(50, 2))
    signs = np.where(maximise, 1, -1)
    assert pareto_front(points, maximise=maximise).tolist() == comparisons.front((points * signs).tolist())


def test_one_direction_counts_for_all_columns():
    points = [[1, 2], [2, 1], [2, 2]]
    assert pareto_front(points).tolist() == [False, False, True]
    assert pareto_front(points, maximise=False).tolist() == [True, True, False]


def test_equal_points_are_on_the_front_together():
    assert pareto_front([[1, 2], [1, 2], [0, 2], [0, 3]]).tolist() == [True, True, False, True]


def test_a_point_with_a_missing_value_is_not_on_the_front_and_dominates_none():
    assert pareto_front([[np.nan, 9], [1, 1], [9, np.nan]]).tolist() == [False, True, False]


def test_infinite_values_are_the_best_and_the_worst():
    assert pareto_front([[np.inf, 0], [1, 1], [-np.inf, 1]]).tolist() == [True, True, False]


def test_shuffled_points_have_the_same_front(seed):
    rng = np.random.default_rng([seed, 73])
    points, order = rng.random((200, 3)), rng.permutation(200)
    assert (pareto_front(points)[order] == pareto_front(points[order])).all()


def test_the_points_are_left_as_they_are():
    points = np.array([[1.0, 2.0], [3.0, 4.0]])
    pareto_front(points, maximise=False)
    assert points.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_no_points_have_an_empty_front():
    assert pareto_front(np.empty((0, 2))).tolist() == []


@pytest.mark.parametrize("values", [[1, 2, 3], np.empty((3, 0))])
def test_what_is_no_table_of_points_is_refused(values):
    with pytest.raises(DataError, match="one row per point"):
        pareto_front(values)


@pytest.mark.parametrize("maximise", [[True], "yes", [1, 0], None, [True, False, True]])
def test_wrong_directions_are_refused(maximise):
    with pytest.raises(ValueError, match=r"maximise=.* is not allowed: .* a list of 2"):
        pareto_front([[1, 2]], maximise=maximise)
