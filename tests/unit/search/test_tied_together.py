"""Values known less well than to a tie: near ones become equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.search.ties import tie_groups, tied_together
from oracles import linear


@pytest.mark.parametrize(
    ("values", "together"),
    [
        ([], []),
        ([3.0], [3.0]),
        ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
        ([1.0, 1.0, 0.0], [1.0, 1.0, 0.0]),
        ([0.9, 1.0], [1.0, 1.0]),
        ([1.0, 0.9], [1.0, 1.0]),
        ([-1.0, -0.9, 5.0], [-0.9, -0.9, 5.0]),
        ([0.5, 1.0, 0.25, 1.25], [0.5, 1.25, 0.5, 1.25]),
    ],
    ids=str,
)
def test_values_within_a_tolerance_take_the_largest_of_them(values, together):
    assert tied_together(np.array(values, dtype=float), 0.25).tolist() == together


@pytest.mark.parametrize("turned", [False, True])
def test_a_chain_of_near_ties_is_one_tie(turned):
    values = 1.0 - np.arange(50) / 8
    values = values[::-1].copy() if turned else values
    assert tied_together(values, 0.125).tolist() == [1.0] * 50
    assert tied_together(values, 0.124).tolist() == values.tolist()


def test_a_gap_ends_a_chain():
    assert tied_together(np.array([0.0, 1.0, 3.0, 2.0, 5.0, 6.0]), 1.0).tolist() == [3.0, 3.0, 3.0, 3.0, 6.0, 6.0]


@pytest.mark.parametrize("tolerance", [0.0, 1e-13, 1e-12, float("nan")])
def test_a_tolerance_below_that_of_any_tie_changes_nothing(tolerance):
    values = np.array([1.0, 1.0 - 1e-13, 0.5])
    assert tied_together(values, tolerance).tolist() == values.tolist()


def test_the_values_given_stay_as_they_are():
    values = np.array([1.0, 0.9, 0.1])
    tied_together(values, 0.2)
    assert values.tolist() == [1.0, 0.9, 0.1]


@given(
    values=st.lists(st.integers(-20, 20), min_size=1, max_size=30),
    tolerance=st.sampled_from([0.25, 0.5, 1.0, 3.0]),
    order=st.randoms(use_true_random=False),
)
def test_together_is_what_the_slow_twin_says_in_any_order(values, tolerance, order):
    values = [v / 4 for v in values]
    fast = tied_together(np.array(values), tolerance)
    assert fast.tolist() == linear.tied_together(values, tolerance)
    places = order.sample(range(len(values)), len(values))
    assert tied_together(np.array(values)[places], tolerance).tolist() == fast[places].tolist()
    # Groups have gaps between them, so that a second time changes nothing.
    assert tied_together(fast, tolerance).tolist() == fast.tolist()
    assert (tie_groups(fast)[:, None] == tie_groups(fast)).tolist() == (fast[:, None] == fast).tolist()
