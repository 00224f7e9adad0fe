"""Stopping rules, nearest neighbours and the delta test on the worked examples of the specification of Michel 2018."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.measures._folds import Folds
from holdfast.measures.growing.neighbours import COMPLEMENT, CROSS, DeltaTest, NeighbourScore
from holdfast.search.sequential import Choice, forward_steps
from holdfast.search.stop_rules import (
    ClassicStop,
    HoeffdingStop,
    MarginStop,
    PermutationStop,
    hoeffding_bound,
    hoeffding_p_value,
    permutation_level,
)
from holdfast.search.stopping import Follower, Step

# Data set D: y is the sum of the first two columns; the third has nothing to do with it.
D = np.array(
    [
        [0.637, 0.270, 0.041],
        [0.017, 0.813, 0.913],
        [0.607, 0.729, 0.544],
        [0.935, 0.816, 0.003],
        [0.857, 0.034, 0.730],
        [0.176, 0.863, 0.541],
        [0.300, 0.423, 0.028],
        [0.124, 0.671, 0.647],
        [0.615, 0.384, 0.997],
        [0.981, 0.686, 0.650],
    ]
)
COLUMNS = np.ascontiguousarray(D.T)
SUM = D[:, 0] + D[:, 1]
LABELS = np.array([0, 0, 1, 1, 0, 1, 0, 0, 1, 1])
ROWS = np.arange(10)
FIVE = Folds.of([(np.delete(ROWS, part), part) for part in ROWS.reshape(5, 2)])

SCORES = (0.80, 0.90, 0.93, 0.93, 0.925, 0.94, 0.91, 0.90)
RUNNERS_UP = (0.76, 0.88, 0.925, 0.93, 0.92, 0.938, 0.905, -inf)


@dataclass(frozen=True)
class Asked:
    """Says what permuted copies score."""

    n_samples: int = 400
    others: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def permuted_feature(self, first, last):
        return self.others[first:last]

    permuted_set = permuted_feature


def by_index(n_features):
    """The thesis takes the first of features that do as well."""
    return Choice(first=lambda tied: int(min(tied)), last=lambda tied: int(max(tied)), varies=np.ones(n_features, bool))


def walked(score, n_features):
    """Scores of all candidates at every step, and the order."""
    said, order = [], []
    for step in forward_steps(score, by_index(n_features), n_features):
        said.append(score.with_each(np.setdiff1d(np.arange(n_features), order)).tolist())
        order.append(step.feature)
        score.add(step.feature)
    return said, order


def followed(rule, scores=SCORES, runners_up=RUNNERS_UP, n_samples=400):
    follower = Follower(rule, n_samples)
    for size, (score, runner_up) in enumerate(zip(scores, runners_up, strict=True), 1):
        previous = scores[size - 2] if size > 1 else 0.0
        follower.sees(Step(size, size - 1, score, previous, runner_up), Asked(n_samples))
    return follower.stopping()


def nearly(values):
    return [pytest.approx(one, abs=5.1e-9) for one in values]


def test_v1_delta_test_of_one_column():
    columns, target = np.array([[0.0, 1, 3, 7, 8]]), np.array([1.0, 2, 2, 5, 7])
    assert DeltaTest(columns, target, None).with_each(np.array([0])).tolist() == [-1.0]


def test_v2_forward_search_by_the_delta_test():
    said, order = walked(DeltaTest(COLUMNS, SUM, None), 3)
    assert said[0] == nearly([-0.06047335, -0.19974135, -0.17404900])
    assert said[1] == nearly([-0.01486460, -0.14964330])
    assert said[2] == nearly([-0.05713975])
    assert order == [0, 1, 2]


@pytest.mark.parametrize(
    ("part", "first", "later"),
    [
        (COMPLEMENT, [0.07553337, 0.16701937, 0.17390757], [0.02370159, 0.06781950]),
        (CROSS, [0.06047335, 0.19974135, 0.17404900], [0.01548140, 0.05713975]),
    ],
)
def test_v2_delta_test_over_five_parts(part, first, later):
    said, order = walked(DeltaTest(COLUMNS, SUM, FIVE, part), 3)
    assert said[0] == nearly(-np.array(first))
    assert [said[1][0], said[2][0]] == nearly(-np.array(later))
    assert order == [0, 1, 2]


@pytest.mark.parametrize(
    ("grid", "in_training", "scores", "order"),
    [
        ((1,), False, [[0.5, 0.3, 0.4], [0.5, 0.2], [0.5]], [0, 1, 2]),
        ((3,), False, [[0.1, 0.4, 0.3], [0.5, 0.3], [0.2]], [1, 0, 2]),
        ((1,), True, [[1.0, 1.0, 1.0], [1.0, 1.0], [1.0]], [0, 1, 2]),
        ((3,), True, [[0.7, 0.7, 0.7], [0.8, 0.8], [0.8]], [0, 1, 2]),
    ],
)
def test_v3_wrapper_around_nearest_neighbours(grid, in_training, scores, order):
    score = NeighbourScore(COLUMNS, LABELS, FIVE, grid, in_training=in_training, scale="none")
    said, taken = walked(score, 3)
    assert said == [pytest.approx(one, abs=1e-12) for one in scores]
    assert taken == order


def test_v5_hoeffding_bound_and_p_values():
    for n, delta, bound in [(100, 0.05, 0.122387), (398, 0.05, 0.061347), (124, 0.05, 0.109907), (398, 1e-7, 0.142299)]:
        assert hoeffding_bound(n, delta) == pytest.approx(bound, abs=5.1e-7)
    for gap, p_value in [(0.15, 0.011109), (0.05, 0.606531), (0.0, 1.0)]:
        assert hoeffding_p_value(gap, 100) == pytest.approx(p_value, abs=5.1e-7)
    assert min(n for n in range(1, 400) if hoeffding_bound(n) < 0.1) == 150


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        (ClassicStop(), 4),
        (ClassicStop(strict_decrease=False), 3),
        (MarginStop(0.01), 6),
        (MarginStop(0.005), 6),
        (HoeffdingStop("runner-up", delta=0.5), 1),
        (HoeffdingStop("previous", delta=0.5, start=0), 3),
        (HoeffdingStop("runner-up"), 0),
        (HoeffdingStop("previous", start=0), 2),
        (HoeffdingStop("runner-up", epsilon=0), 3),
        (HoeffdingStop("previous", epsilon=0, start=0), 3),
    ],
)
def test_v6_where_rules_stop(rule, size):
    assert followed(rule).n_features == size


def test_v6_p_values_of_every_step():
    assert HoeffdingStop(delta=0.5).bound(400) == pytest.approx(0.029435, abs=5.1e-7)
    assert HoeffdingStop().bound(400) == pytest.approx(0.061194, abs=5.1e-7)
    by_second = followed(HoeffdingStop("runner-up")).trace["p_value"]
    by_previous = followed(HoeffdingStop("previous", start=0)).trace["p_value"]
    assert by_second[:7] == pytest.approx([0.2780, 0.7261, 0.9802, 1, 0.9802, 0.9968, 0.9802], abs=5.1e-5)
    assert by_previous == pytest.approx([0, 0.0003, 0.4868, 1, 1, 0.8353, 1, 1], abs=5.1e-5)


@pytest.mark.parametrize(
    ("options", "p_value"),
    [({"count_ties": False}, 0.08), ({}, 0.20), ({"correction": True}, 0.215686)],
)
def test_v7_permutation_test(options, p_value):
    others = np.repeat([0.88, 0.90, 0.91, 0.92], [40, 6, 3, 1])
    step = Step(1, 0, 0.90, 0.5, -inf)
    said = PermutationStop(complete=True, **options).judge(step, Asked(others=others))
    assert said.p_value == pytest.approx(p_value, abs=5.1e-7)
    assert not said.goes_on
    assert not PermutationStop(**options).judge(step, Asked(others=others)).goes_on


def test_v7_level_from_few_permutations():
    for n_permutations, level in [(50, -0.010411), (100, 0.007283), (1000, 0.036492)]:
        assert permutation_level(0.05, n_permutations) == pytest.approx(level, abs=5.1e-7)


def test_v9_votes_of_three_and_of_five_neighbours():
    columns, classes = np.arange(6.0)[np.newaxis], np.array([0, 0, 1, 0, 1, 1])
    split = Folds.of([(np.arange(1, 6), np.array([0]))])
    for k, accuracy in ((3, 1.0), (5, 0.0)):
        score = NeighbourScore(columns, classes, split, (k,), scale="none")
        assert score.with_each(np.array([0])).tolist() == [accuracy]


def test_training_accuracy_with_one_neighbour_in_the_grid_takes_features_in_the_order_of_the_table(seed):
    rng = np.random.default_rng(seed)
    columns, classes = rng.normal(size=(6, 30)), rng.integers(3, size=30)
    folds = Folds.of([(np.delete(np.arange(30), part), part) for part in np.arange(30).reshape(5, 6)])
    _, order = walked(NeighbourScore(columns, classes, folds, (1,), in_training=True, scale="none"), 6)
    assert order == list(range(6))


SEQUENCES = st.lists(st.integers(1, 40).map(lambda n: n / 40), min_size=1, max_size=12)


@given(SEQUENCES)
def test_any_gap_to_the_set_before_is_the_classic_rule_that_stops_at_an_equal_score(scores):
    none = [-inf] * len(scores)
    by_gap = followed(HoeffdingStop("previous", epsilon=0, start=0), scores, none)
    classic = followed(ClassicStop(strict_decrease=False), scores, none)
    assert by_gap.n_features == classic.n_features
    assert by_gap.trace["goes_on"].tolist() == classic.trace["goes_on"].tolist()


@given(SEQUENCES, st.sampled_from([0.0, 0.005, 0.01, 0.05, 0.1]))
def test_a_margin_never_stops_sooner(scores, margin):
    none = [-inf] * len(scores)
    assert followed(MarginStop(margin), scores, none).n_features >= followed(ClassicStop(), scores, none).n_features


@given(st.integers(0, 1000), st.integers(1, 2000), st.sampled_from([0.01, 0.05, 0.5, 0.95]))
def test_a_gap_exceeds_the_bound_just_when_its_p_value_is_below_the_risk(gap, n_samples, delta):
    rule = HoeffdingStop("previous", delta=delta)
    if abs(gap / 1000 - rule.bound(n_samples)) > 1e-9:
        said = rule.judge(Step(2, 0, gap / 1000, 0.0, -inf), Asked(n_samples))
        assert said.goes_on == (said.p_value < delta)
