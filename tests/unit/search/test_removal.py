"""The searches that take features away, on TOY12 and on tables of values, step by step (features count from 1)."""

from __future__ import annotations

from itertools import islice

import pytest

from holdfast.search import removal
from oracles.consistency import inconsistency_count
from oracles.information import symmetrical_uncertainty
from oracles.worked import TOY12

X, y = TOY12
BY_INDEX = (1, 2, 3, 4, 5, 6)
BY_RELEVANCE = (6, 4, 2, 1, 5, 3)
RELEVANCE = [symmetrical_uncertainty(X[:, f - 1].tolist(), y.tolist()) for f in BY_RELEVANCE]


class Recorded:
    """A measure of features in some order that remembers which sets it was asked for."""

    def __init__(self, measure, order):
        self.measure = measure
        self.order = order
        self.asked = []

    def __call__(self, kept):
        assert list(kept) == sorted(set(kept))
        self.asked.append(self.features(kept))
        return self.measure(self.features(kept))

    def features(self, kept):
        return frozenset(self.order[i] for i in kept)


def count(features):
    """E of some features of TOY12."""
    return inconsistency_count(X[:, [f - 1 for f in sorted(features)]].tolist(), y.tolist())


def search(name, limit, order=BY_RELEVANCE, measure=count, relevance=RELEVANCE, delta=None):
    value = Recorded(measure, order)
    delta = limit if delta is None else delta
    found = {
        "interact": lambda: removal.interact(value, len(order), limit),
        "linear": lambda: removal.linear(value, len(order), limit),
        "binary": lambda: removal.binary(value, len(order), limit),
        "steepest": lambda: removal.steepest(value, len(order), limit),
        "lazy": lambda: removal.lazy(value, relevance, limit, delta),
        "accurate 0.5": lambda: removal.lazy(value, relevance, limit, delta, 0.5),
        "accurate 0.75": lambda: removal.lazy(value, relevance, limit, delta, 0.75),
        "accurate 1": lambda: removal.lazy(value, relevance, limit, delta, 1.0),
        "windowed": lambda: removal.windowed(value, relevance, limit, delta, 0.5, 0.5, 1.0),
    }[name]()
    return found, value


# The table of expected outputs: the set and the number of evaluations at δ = 0, 1/12, 2/12 and 3/12.
EXPECTED = {
    ("interact", BY_RELEVANCE): [({1, 2}, 6), (set(), 6), (set(), 6), (set(), 6)],
    ("linear", BY_RELEVANCE): [({1, 2}, 6), ({1, 3, 5}, 6), ({3, 5}, 6), ({3}, 6)],
    ("binary", BY_RELEVANCE): [({1, 2}, 7), ({1, 3, 5}, 5), ({3, 5}, 4), ({3}, 3)],
    ("steepest", BY_INDEX): [({3, 4, 5, 6}, 15), ({4, 5, 6}, 18), ({5, 6}, 20), ({5}, 21)],
    ("steepest", BY_RELEVANCE): [({1, 2}, 20), ({1, 2}, 20), ({1, 2}, 20), ({1, 2}, 20)],
    ("lazy", BY_RELEVANCE): [({1, 2}, 6), ({1, 2}, 7), ({1, 2}, 9), ({1, 2}, 9)],
    ("accurate 0.5", BY_RELEVANCE): [({1, 2}, 6), ({1, 2}, 7), ({1, 2}, 9), ({1, 2}, 9)],
    ("accurate 0.75", BY_RELEVANCE): [({1, 2}, 6), ({1, 2}, 7), ({1, 3}, 9), ({3}, 10)],
    ("accurate 1", BY_RELEVANCE): [({1, 2}, 6), ({1, 3, 5}, 7), ({3, 5}, 9), ({3}, 10)],
    ("windowed", BY_RELEVANCE): [({1, 2}, 7), ({1, 2}, 8), ({1, 3}, 9), ({3}, 10)],
}
CASES = [
    pytest.param(*key, limit, *expected, id=f"{key[0]} {'index' if key[1] == BY_INDEX else 'relevance'} {limit}")
    for key, row in EXPECTED.items()
    for limit, expected in enumerate(row)
]


@pytest.mark.parametrize(("name", "order", "limit", "kept", "n_evaluations"), CASES)
def test_toy12_is_searched_as_the_specification_says(name, order, limit, kept, n_evaluations):
    found, value = search(name, limit, order)
    assert value.features(found.kept) == kept
    assert found.n_evaluations == n_evaluations
    assert found.value == count(kept)
    assert list(found.kept) == sorted(found.kept)


@pytest.mark.parametrize(("name", "order", "limit", "kept", "n_evaluations"), CASES)
def test_what_is_counted_is_what_was_asked(name, order, limit, kept, n_evaluations):
    """One value is not counted: that of all features or, where this one is not needed, that of those kept."""
    _, value = search(name, limit, order)
    assert len(value.asked) - 1 == n_evaluations
    assert value.asked[-1] == kept if name == "binary" else value.asked[0] == set(order)


def test_the_order_of_relevance_is_the_published_one():
    assert sorted(RELEVANCE) == RELEVANCE
    assert pytest.approx(RELEVANCE, abs=5e-7) == [0.0, 0.010796, 0.012611, 0.097258, 0.177635, 0.362012]


def _asked(name, limit):
    """The sets of TOY12 that a search asks for, as the features left out and the count."""
    _, value = search(name, limit)
    counted = value.asked[:-1] if name == "binary" else value.asked[1:]
    return [(set(BY_RELEVANCE) - features, count(features)) for features in counted]


def test_fast_descent_takes_the_published_steps():
    assert _asked("lazy", 2) == [
        ({6}, 0),
        ({6, 4}, 0),
        ({6, 4, 2}, 1), ({6, 4, 1}, 2), ({6, 4, 5}, 0),
        ({6, 4, 5, 2}, 2), ({6, 4, 5, 3}, 0),
        ({6, 4, 5, 3, 2}, 4), ({6, 4, 5, 3, 1}, 4),
    ]  # fmt: skip


def test_accurate_descent_takes_the_published_steps():
    """Feature 3 is useless in round 4 and yet stays: it is too relevant."""
    assert _asked("accurate 0.75", 2) == [
        ({6}, 0),
        ({6, 4}, 0),
        ({6, 4, 2}, 1), ({6, 4, 1}, 2), ({6, 4, 5}, 0),
        ({6, 4, 5, 2}, 2), ({6, 4, 5, 3}, 0),
        ({6, 4, 5, 2, 1}, 3), ({6, 4, 5, 2, 3}, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0])
def test_accurate_descent_gives_the_published_sets_as_relevance_weighs_more(alpha):
    value = Recorded(count, BY_RELEVANCE)
    found = removal.lazy(value, RELEVANCE, 2, 2.0, alpha)
    assert value.features(found.kept) == ({1, 2} if alpha <= 0.7 else {1, 3} if alpha == 0.75 else {3, 5})


def test_the_window_takes_the_published_steps():
    """A binary search in 3 steps takes features 6 and 4 away; feature 1 is known to be needed from round 2 on."""
    steps = _asked("windowed", 2)
    assert len(steps) == 9
    assert all(left_out in [set(BY_RELEVANCE[:i]) for i in range(1, 7)] for left_out, _ in steps[:3])
    assert steps[3:] == [
        ({6, 4, 2}, 1), ({6, 4, 1}, 2), ({6, 4, 5}, 0),
        ({6, 4, 5, 2}, 2), ({6, 4, 5, 1}, 3),
        ({6, 4, 5, 2, 3}, 4),
    ]  # fmt: skip


def test_the_window_has_the_published_edges():
    edges = removal.window_edges(RELEVANCE[2:], 0.5, 1.0)
    assert list(islice(edges, 4)) == pytest.approx([0.187312, 0.303779, 0.362012, 0.362012], abs=5e-7)


def test_a_window_that_cannot_grow_opens_at_once():
    assert list(islice(removal.window_edges([0.1, 0.3, 0.3], 0.5, 1e-300), 2)) == pytest.approx([0.2, 0.3])
    assert list(islice(removal.window_edges([0.3, 0.3], 0.5, 1.0), 2)) == [0.3, 0.3]
    assert list(islice(removal.window_edges([0.3], 0.5, 1.0), 2)) == [0.3, 0.3]


@pytest.mark.parametrize(("window", "kept"), [(0.01, {3, 5}), (0.5, {1, 3}), (1.0, {1, 2})])
def test_a_wider_window_spares_more(window, kept):
    value = Recorded(count, BY_RELEVANCE)
    found = removal.windowed(value, RELEVANCE, 2, 2.0, 0.5, window, 1.0)
    assert value.features(found.kept) == kept


def test_binary_search_halves_what_is_left_to_take_away():
    """The middle is floor((lo + hi + 1) / 2) of the number of features taken away."""
    assert _asked("binary", 0) == [
        ({6, 4, 2}, 1), ({6}, 0), ({6, 4}, 0),
        ({6, 4, 1, 5}, 3), ({6, 4, 1}, 2),
        ({6, 4, 5}, 0), ({6, 4, 5, 3}, 0),
    ]  # fmt: skip


# Figure 3.8: consistent with features 1 and 4, or with 2 and 4.
FIGURE = {1: 0.3, 2: 0.2, 3: 0.1, 4: 0.2}
INCREASING = (3, 2, 4, 1)


def table(features):
    return 0.0 if features >= {1, 4} or features >= {2, 4} else 0.1


def test_steepest_descent_by_index_keeps_the_less_relevant_pair():
    found, value = search("steepest", 0.0, (1, 2, 3, 4), table)
    assert value.features(found.kept) == {2, 4}


@pytest.mark.parametrize(
    "name", ["steepest", "lazy", "accurate 0.5", "accurate 0.75", "accurate 1", "linear", "binary"]
)
def test_searches_that_look_at_relevance_keep_the_more_relevant_pair(name):
    found, value = search(name, 0.0, INCREASING, table, [FIGURE[f] for f in INCREASING])
    assert value.features(found.kept) == {1, 4}
    assert found.value == 0.0


def test_the_figure_goes_feature_3_first_and_feature_2_next():
    _, value = search("lazy", 0.0, INCREASING, table, [FIGURE[f] for f in INCREASING])
    assert value.asked[1:3] == [{1, 2, 4}, {1, 4}]


def test_steepest_descent_looks_in_the_order_asked_for():
    """Where nothing costs anything, the first one looked at goes in every round."""
    value = Recorded(lambda features: 0 if 3 in features else 1, (1, 2, 3))
    found = removal.steepest(value, 3, 0, scan=[2, 1, 0])
    assert value.features(found.kept) == {3}
    assert value.asked[1:3] == [{1, 2}, {1, 3}]
    assert value.asked[4:6] == [{1}, {3}]


@pytest.mark.parametrize("name", ["interact", "linear", "binary", "steepest", "lazy", "accurate 0.75", "windowed"])
def test_features_that_say_nothing_all_go(name):
    found, _ = search(name, 0, BY_RELEVANCE, lambda features: 0)
    assert found.kept == ()
    assert found.value == 0


@pytest.mark.parametrize("name", ["interact", "linear", "binary", "steepest", "lazy", "accurate 0.75", "windowed"])
def test_features_of_which_none_can_be_spared_all_stay(name):
    found, _ = search(name, 0, BY_RELEVANCE, lambda features: 6 - len(features))
    assert found.kept == (0, 1, 2, 3, 4, 5)
    assert found.value == 0


@pytest.mark.parametrize("name", ["interact", "linear", "binary", "steepest", "lazy", "accurate 0.75", "windowed"])
@pytest.mark.parametrize(("limit", "kept"), [(0, (0,)), (1, ())])
def test_a_single_feature_stays_only_if_it_is_needed(name, limit, kept):
    found, _ = search(name, limit, (1,), lambda features: 1 - len(features), [0.5])
    assert found.kept == kept
    assert found.n_evaluations in ((1, 2) if name == "windowed" else (1,))


@pytest.mark.parametrize("name", ["linear", "binary", "steepest", "lazy", "accurate 0.75", "windowed"])
def test_a_set_exactly_at_the_limit_is_allowed(name):
    """The printed figure of FSDCC never takes the last feature that the threshold allows."""
    found, _ = search(name, 3, BY_RELEVANCE, lambda features: 6 - len(features))
    assert len(found.kept) == 3
    assert found.value == 3
