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
    judged = Fitness(_by_size({1: 0.3, 2: 0.9, 3: 0.1}))
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
    judged = Fitness(_by_size({1: 0.3, 2: 0.9}))
    judged(_sets(1, 2, 1))
    judged(_sets(1))
    assert judged.n_requests == 4


class Slow:
    """A judge that takes so many seconds a set, on a clock that only it moves."""

    def __init__(self, seconds):
        self.now, self.seconds, self.asked = 0.0, seconds, []

    def monotonic(self):
        return self.now

    def __call__(self, sets):
        self.now += self.seconds * len(sets)
        self.asked.append(len(sets))
        return [0.0] * len(sets)


@pytest.mark.parametrize(
    ("seconds", "parts"), [(0.0, [1, 128, 71]), (0.001, [1, 128, 71]), (0.004, [1, 50, 50, 50, 49]), (3.0, [1] * 200)]
)
def test_parts_hold_as_many_sets_as_take_a_fifth_of_a_second(monkeypatch, seconds, parts):
    slow = Slow(seconds)
    monkeypatch.setattr(fitness, "time", slow)
    Fitness(slow)([np.arange(1)] * 200)
    assert slow.asked == parts


def test_what_was_learnt_of_the_time_is_known_to_the_next_call(monkeypatch):
    slow = Slow(0.05)
    monkeypatch.setattr(fitness, "time", slow)
    judged = Fitness(slow)
    for _ in range(3):
        judged([np.arange(1)] * 4)
    assert slow.asked == [1, 3, 4, 4]


def test_sets_that_are_looked_up_say_nothing_about_the_time(monkeypatch):
    slow = Slow(1.0)
    monkeypatch.setattr(fitness, "time", slow)
    asked = []

    def judge(sets):
        asked.append(len(sets))
        return slow(sets) if len(asked) > 3 else [0.0] * len(sets)

    Fitness(judge, n_judged=lambda: sum(slow.asked))([np.arange(1)] * 6)
    assert asked == [1] * 6


def test_what_was_judged_before_a_stop_is_kept(monkeypatch):
    slow = Slow(1.0)
    monkeypatch.setattr(fitness, "time", slow)

    def judge(sets):
        if len(slow.asked) == 3:
            raise KeyboardInterrupt
        return [float(len(sets[0]))] * len(slow(sets))

    judged = Fitness(judge)
    with pytest.raises(KeyboardInterrupt):
        judged(_sets(1, 2, 3, 4))
    assert judged.best.tolist() == [0, 1, 2]


def test_a_deadline_ends_a_search_between_two_parts(monkeypatch):
    monkeypatch.setattr(fitness, "time", Clock())
    judged = Fitness(_by_size({1: 0.1, 2: 0.2, 3: 0.3, 4: 0.4}), deadline=2.5)
    with pytest.raises(OutOfTime):
        judged(_sets(1, 2, 3, 4))
    # The clock says 1 at first, 2 after the first part, and 3 after the second, which is too late.
    assert judged.n_requests == 2
    assert judged.best_value == 0.2


def test_something_is_evaluated_however_late_it_is(monkeypatch):
    monkeypatch.setattr(fitness, "time", Clock(1000.0))
    judged = Fitness(_by_size({1: 0.1, 2: 0.2}), deadline=0.0)
    with pytest.raises(OutOfTime):
        judged(_sets(1, 2))
    assert (judged.best.tolist(), judged.n_requests) == ([0], 1)
    with pytest.raises(OutOfTime):
        judged(_sets(2))
    assert judged.n_requests == 1


def test_a_deadline_far_away_changes_nothing():
    sets = _sets(3, 1, 2)
    plain, timed = (Fitness(_by_size({1: 0.3, 2: 0.9, 3: 0.1}), deadline=deadline) for deadline in (None, np.inf))
    assert plain(sets).tolist() == timed(sets).tolist()


def test_a_judge_that_forgets_a_set_is_not_believed():
    with pytest.raises(ValueError, match="zip"):
        Fitness(lambda sets: [])(_sets(1, 2))
