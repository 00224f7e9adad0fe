"""Greedy and best-first search on merits made up for the purpose."""

from __future__ import annotations

import numpy as np

from holdfast.search.best_first import best_first
from holdfast.search.forward import ScoredCandidates, forward, never, when_merit_stops_rising
from oracles.datasets import precedence


class _Fixed(ScoredCandidates):
    """Merits that change by a fixed amount with every pick."""

    def __init__(self, merits, change=0.0):
        super().__init__(np.array(merits, dtype=float))
        self.change = change

    def update(self, feature):
        self.merits = self.merits + self.change


def _precedence(n_features):
    return precedence(np.zeros((4, n_features)), np.array([0, 0, 1, 1]), np.zeros(n_features))


def test_forward_takes_the_best_first():
    path = forward(_Fixed([1.0, 3.0, 2.0]), _precedence(3), 2, never)
    assert path.features.tolist() == [1, 2]
    assert path.merits.tolist() == [3.0, 2.0]


def test_forward_ends_when_nothing_is_left():
    assert forward(_Fixed([1.0, 3.0]), _precedence(2), 5, never).features.tolist() == [1, 0]


def test_forward_stops_before_a_merit_that_does_not_rise():
    assert forward(_Fixed([1.0, 3.0, 2.0]), _precedence(3), 3, when_merit_stops_rising).features.tolist() == [1]


def test_forward_goes_on_while_the_merit_rises():
    rising = _Fixed([1.0, 3.0, 2.0], change=5.0)
    assert forward(rising, _precedence(3), 3, when_merit_stops_rising).features.tolist() == [1, 2, 0]


def test_forward_takes_nothing_when_nothing_has_merit():
    path = forward(_Fixed([0.0, -1.0]), _precedence(2), 2, when_merit_stops_rising)
    assert path.features.tolist() == []


def test_a_rise_within_a_tie_is_no_rise():
    almost = _Fixed([1.0, 0.0], change=1.0 + 1e-13)
    assert len(forward(almost, _precedence(2), 2, when_merit_stops_rising).features) == 1


def test_forward_counts_the_ties_it_settled():
    rule = _precedence(4)
    forward(_Fixed([2.0, 2.0, 2.0, 1.0]), rule, 4, never)
    assert rule.n_ties == 2


def test_merits_that_differ_in_the_thirteenth_digit_are_ties():
    X = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=float)
    rule = precedence(X, np.array([0, 0, 1, 1]), np.zeros(2))
    # Column 1 separates the classes, so it goes first although column 0 is ahead by rounding noise.
    assert forward(_Fixed([1 + 1e-13, 1.0]), rule, 1, never).features.tolist() == [1]
    assert forward(_Fixed([1 + 1e-11, 1.0]), rule, 1, never).features.tolist() == [0]


def test_best_first_goes_back_to_a_subset_that_looked_worse():
    """Features 1 and 2 complement each other; feature 0 is the best alone and shares much with both."""
    relevance = np.array([0.62, 0.6, 0.6])
    shared = np.array([[1.0, 0.99, 0.99], [0.99, 1.0, 0.0], [0.99, 0.0, 1.0]])
    path, n_subsets, n_pairs = best_first(relevance, lambda f: shared[f], _precedence(3), 3, 5)
    assert sorted(path.features.tolist()) == [1, 2]
    np.testing.assert_allclose(path.merits[-1], 1.2 / np.sqrt(2))
    # Merits given, a subset that is reached again counting again.
    assert n_subsets == 13
    assert n_pairs == 6


def test_best_first_gives_up_after_one_stale_expansion_when_told_so():
    relevance = np.array([0.62, 0.6, 0.6])
    shared = np.array([[1.0, 0.99, 0.99], [0.99, 1.0, 0.0], [0.99, 0.0, 1.0]])
    path, _, _ = best_first(relevance, lambda f: shared[f], _precedence(3), 3, 1)
    assert path.features.tolist() == [0]


def test_best_first_never_takes_more_than_asked_for():
    relevance = np.full(5, 0.5)
    path, _, _ = best_first(relevance, lambda f: np.zeros(5), _precedence(5), 2, 5)
    assert len(path.features) == 2


def test_best_first_leaves_constants_out():
    relevance = np.array([0.5, -np.inf, 0.4])
    path, _, _ = best_first(relevance, lambda f: np.zeros(3), _precedence(3), 3, 5)
    assert sorted(path.features.tolist()) == [0, 2]


def _merit_just_above(gain):
    """Relevances of two features that share nothing, the second of which lifts the merit of the first by ``gain``."""
    return np.array([0.5, (0.5 + gain) * np.sqrt(2) - 0.5])


def test_best_first_is_not_content_with_a_gain_below_a_hundred_thousandth():
    path, _, _ = best_first(_merit_just_above(5e-6), lambda f: np.zeros(2), _precedence(2), 2, 5)
    assert path.features.tolist() == [0]
    path, _, _ = best_first(_merit_just_above(2e-5), lambda f: np.zeros(2), _precedence(2), 2, 5)
    assert path.features.tolist() == [0, 1]


def test_best_first_remembers_no_more_subsets_than_it_may_expand_in_vain():
    """With a longer memory it would come back to feature 4 alone and end with [4, 2]."""
    relevance = np.array([0.8, 0.6, 0.5, 0.5, 0.8])
    shared = np.array([
        [1.0, 0.4, 0.9, 0.2, 0.9],
        [0.4, 1.0, 0.8, 0.9, 0.6],
        [0.9, 0.8, 1.0, 0.4, 0.1],
        [0.2, 0.9, 0.4, 1.0, 0.9],
        [0.9, 0.6, 0.1, 0.9, 1.0],
    ])  # fmt: skip
    path, _, _ = best_first(relevance, lambda f: shared[f], _precedence(5), 5, 2)
    assert path.features.tolist() == [0, 1, 4]
