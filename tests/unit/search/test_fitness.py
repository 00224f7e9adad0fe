"""What sets are worth to a search that may be stopped: the best is kept, ties, the clock, and what is counted."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.search import fitness
from holdfast.search.fitness import Fitness, OutOfTime, slack_of


def _sets(*sizes):
    return [np.arange(size) for size in sizes]


def _by_size(worth):
    """A judge that knows a set by its size."""
    return lambda sets: [worth[len(one)] for one in sets]


class Clock:
    """A clock that goes on by one second whenever it is looked at."""

    def __init__(self, now=0.0):
        self.now = now

    def monotonic(self):
        self.now += 1.0
        return self.now


def test_values_come_in_the_order_of_the_sets():
    judged = Fitness(_by_size({1: 0.3, 2: 0.9, 3: 0.1}), at_once=2)
    values = judged(_sets(3, 1, 2, 1, 3))
    assert values.tolist() == [0.1, 0.3, 0.9, 0.3, 0.1]
    assert values.dtype == np.float64


def test_the_best_set_of_all_calls_is_kept():
    judged = Fitness(_by_size({1: 0.3, 2: 0.9, 3: 0.1}))
    judged(_sets(1))
    assert (judged.best.tolist(), judged.best_value) == ([0], 0.3)
    judged(_sets(3, 2, 1))
    assert (judged.best.tolist(), judged.best_value) == ([0, 1], 0.9)
    judged(_sets(3))
    assert (judged.best.tolist(), judged.best_value) == ([0, 1], 0.9)


def test_nothing_is_best_before_anything_was_judged():
    judged = Fitness(_by_size({}))
    assert len(judged([])) == 0
    assert judged.best is None
    assert judged.n_requests == 0


def test_any_first_set_is_best_however_bad():
    judged = Fitness(_by_size({1: -np.inf}))
    judged(_sets(1))
    assert judged.best.tolist() == [0]


def test_of_equal_sets_the_first_one_stays():
    judged = Fitness(lambda sets: [0.5] * len(sets))
    judged([np.array([4, 7]), np.array([2]), np.array([1, 2, 3])])
    assert judged.best.tolist() == [4, 7]


def test_of_equal_sets_the_smaller_one_is_best_where_that_is_asked_for():
    judged = Fitness(lambda sets: [0.5] * len(sets), prefer_smaller=True)
    judged([np.array([4, 7]), np.array([2]), np.array([9]), np.array([1, 2, 3])])
    assert judged.best.tolist() == [2]


def test_a_smaller_set_that_is_worse_is_not_best():
    judged = Fitness(_by_size({1: 0.8999, 2: 0.9}), prefer_smaller=True)
    judged(_sets(2, 1))
    assert len(judged.best) == 2


@pytest.mark.parametrize("prefers", [False, True])
def test_values_that_differ_by_rounding_are_equal(prefers):
    judged = Fitness(lambda sets: [0.5], prefer_smaller=prefers)
    more, less = 0.5 + 1e-13, 0.5 - 1e-13
    assert not judged.is_better(more, 3, 0.5, 3)
    assert not judged.is_better(more, 4, 0.5, 3)
    assert judged.is_better(less, 2, 0.5, 3) == prefers
    assert judged.is_better(0.5 + 1e-11, 4, 0.5, 3)
    assert not judged.is_better(0.5 - 1e-11, 2, 0.5, 3)


def test_what_counts_as_equal_grows_with_the_values():
    assert slack_of(1e6) == pytest.approx(1e6 * slack_of(0.5))
    assert slack_of(-1e6) == slack_of(1e6)
    assert slack_of(0.0) == slack_of(0.9) > 0
    assert slack_of(-np.inf) == 0.0
    large = Fitness(lambda sets: [])
    assert not large.is_better(1e6 + 1e-7, 1, 1e6, 1)
    assert large.is_better(-1e300, 1, -np.inf, 0)


def test_sets_asked_for_are_counted():
    judged = Fitness(_by_size({1: 0.3, 2: 0.9}), at_once=2)
    judged(_sets(1, 2, 1))
    judged(_sets(1))
    assert judged.n_requests == 4


@pytest.mark.parametrize(("at_once", "parts"), [(1, [1] * 5), (2, [2, 2, 1]), (5, [5]), (128, [5])])
def test_sets_are_asked_for_in_parts(at_once, parts):
    asked = []

    def judge(sets):
        asked.append(len(sets))
        return [0.0] * len(sets)

    Fitness(judge, at_once=at_once)(_sets(1, 2, 1, 2, 1))
    assert asked == parts


def test_no_clock_is_looked_at_without_a_deadline(monkeypatch):
    monkeypatch.setattr(fitness, "time", None)
    assert len(Fitness(_by_size({1: 0.5}))(_sets(1, 1))) == 2


def test_a_deadline_ends_a_search_between_two_parts(monkeypatch):
    monkeypatch.setattr(fitness, "time", Clock())
    judged = Fitness(_by_size({1: 0.1, 2: 0.2, 3: 0.3, 4: 0.4}), deadline=2.5, at_once=1)
    with pytest.raises(OutOfTime):
        judged(_sets(1, 2, 3, 4))
    # The clock is looked at from the second part on: at 1, at 2, and at 3, which is too late.
    assert judged.n_requests == 3
    assert judged.best_value == 0.3


def test_something_is_evaluated_however_late_it_is(monkeypatch):
    monkeypatch.setattr(fitness, "time", Clock(1000.0))
    judged = Fitness(_by_size({1: 0.1, 2: 0.2}), deadline=0.0, at_once=1)
    with pytest.raises(OutOfTime):
        judged(_sets(1, 2))
    assert (judged.best.tolist(), judged.n_requests) == ([0], 1)
    with pytest.raises(OutOfTime):
        judged(_sets(2))
    assert judged.n_requests == 1


def test_a_deadline_far_away_changes_nothing():
    sets = _sets(3, 1, 2)
    plain, timed = (
        Fitness(_by_size({1: 0.3, 2: 0.9, 3: 0.1}), deadline=deadline, at_once=1) for deadline in (None, np.inf)
    )
    assert plain(sets).tolist() == timed(sets).tolist()


def test_a_judge_that_forgets_a_set_is_not_believed():
    with pytest.raises(ValueError, match="zip"):
        Fitness(lambda sets: [0.5])(_sets(1, 2))
