"""Measures of consistency: the counts of TOY12, the published ϑ and IR, and the slow twins (features count from 1)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from holdfast import measures
from holdfast.prepare import Codes
from oracles import consistency as slow
from oracles.information import entropy, symmetrical_uncertainty
from oracles.worked import TOY12

X, y = TOY12
BY_RELEVANCE = (6, 4, 2, 1, 5, 3)
COUNTED = [
    ((), 4), ((1,), 4), ((2,), 4), ((3,), 3), ((4,), 4), ((5,), 3), ((6,), 4),
    ((1, 2), 0), ((3, 5), 2), ((1, 3), 2), ((1, 5), 3), ((1, 3, 5), 1), ((2, 3, 5), 2), ((1, 2, 3), 0), ((1, 2, 5), 0),
    ((2, 3, 4, 5, 6), 0), ((1, 3, 4, 5, 6), 0), ((1, 2, 4, 5, 6), 0), ((1, 2, 3, 5, 6), 0), ((1, 2, 3, 4, 6), 0),
    ((1, 2, 3, 4, 5), 0), ((1, 2, 3, 4, 5, 6), 0),
]  # fmt: skip


def of(features):
    """Some columns of TOY12."""
    return X[:, [f - 1 for f in features]]


def relevance_of(feature):
    return symmetrical_uncertainty(X[:, feature - 1].tolist(), y.tolist())


@pytest.mark.parametrize(("features", "count"), COUNTED, ids=str)
def test_toy12_has_the_published_counts(features, count):
    assert measures.inconsistency_count(of(features), y) == count
    assert measures.bayesian_risk(of(features), y) == pytest.approx(count / 12, abs=1e-15)
    assert measures.binary_consistency(of(features), y) == (count > 0)


@pytest.mark.parametrize(("n_removed", "count"), list(enumerate([0, 0, 0, 1, 2, 3, 4])))
def test_the_most_relevant_features_of_toy12_have_the_published_counts(n_removed, count):
    assert measures.inconsistency_count(of(BY_RELEVANCE[n_removed:]), y) == count


def test_counts_are_whole_numbers():
    assert type(measures.inconsistency_count(X, y)) is int
    assert type(measures.binary_consistency(X, y)) is int
    assert type(measures.bayesian_risk(X, y)) is float
    assert type(measures.conditional_entropy(X, y)) is float


@pytest.mark.parametrize("size", range(7))
def test_every_subset_of_toy12_has_the_values_of_its_slow_twins(size):
    for features in combinations(range(1, 7), size):
        rows = of(features).tolist()
        assert measures.inconsistency_count(of(features), y) == slow.inconsistency_count(rows, y.tolist())
        assert measures.binary_consistency(of(features), y) == slow.binary_consistency(rows, y.tolist())
        assert measures.conditional_entropy(of(features), y) == pytest.approx(
            slow.conditional_entropy(rows, y.tolist()), abs=1e-12
        )


def test_conditional_entropy_is_what_the_features_leave_of_the_entropy_of_the_class():
    assert measures.conditional_entropy(of(()), y) == pytest.approx(0.918296, abs=5e-7)
    for features in [(3,), (3, 5), (1, 2), (4, 6), (1, 3, 5)]:
        columns = of(features).T.tolist()
        expected = entropy(*columns, y.tolist()) - entropy(*columns)
        assert measures.conditional_entropy(of(features), y) == pytest.approx(expected, abs=1e-12)


def test_conditional_entropy_tells_apart_sets_of_equal_risk():
    two_of_three, nine_of_ten = [0, 0, 1], [0] * 9 + [1]
    assert measures.inconsistency_count(np.zeros((3, 1)), two_of_three) == 1
    assert measures.inconsistency_count(np.zeros((10, 1)), nine_of_ten) == 1
    assert measures.conditional_entropy(np.zeros((3, 1)), two_of_three) == pytest.approx(0.918296, abs=5e-7)
    assert measures.conditional_entropy(np.zeros((10, 1)), nine_of_ten) == pytest.approx(0.468996, abs=5e-7)


@pytest.mark.parametrize(
    "form",
    [
        lambda table: table.tolist(),
        lambda table: table.astype(float) - 7.5,
        lambda table: np.where(table == 1, "high", "low"),
        lambda table: table.astype(bool),
        lambda table: np.asfortranarray(table),
        lambda table: Codes.of(table.T),
    ],
    ids=["lists", "floats", "words", "booleans", "by column", "codes"],
)
def test_only_which_values_are_equal_matters(form):
    for features, count in COUNTED[7:15]:
        assert measures.inconsistency_count(form(of(features)), y) == count


@pytest.mark.parametrize("target", [["no", "yes"], [False, True], [5.5, -3.25]], ids=str)
def test_classes_may_have_any_names(target):
    assert measures.inconsistency_count(of((1, 3)), [target[c] for c in y]) == 2


def test_values_that_no_code_could_hold_in_one_number_are_told_apart():
    """As many value tuples as samples, of 200 levels and 12 features: more than 2⁶⁴ tuples are possible."""
    rng = np.random.default_rng(0)
    wide = rng.integers(0, 200, size=(300, 12))
    twice = np.vstack([wide, wide])
    target = np.concatenate([np.zeros(300, dtype=int), np.arange(300) % 3])
    assert measures.inconsistency_count(wide, np.arange(300) % 3) == 0
    assert measures.inconsistency_count(twice, target) == 200
    assert measures.conditional_entropy(twice, target) == pytest.approx(200 / 300, abs=1e-9)


def test_a_contribution_is_what_the_risk_rises_by():
    assert measures.consistency_contribution(of((1, 2)), y, 1) == pytest.approx(4 / 12, abs=1e-15)
    assert measures.consistency_contribution(of((1, 3, 5)), y, 2) == pytest.approx(1 / 12, abs=1e-15)
    assert measures.consistency_contribution(of((1, 2, 3)), y, 2) == 0
    assert measures.consistency_contribution(of((3,)), y, 0) == pytest.approx(1 / 12, abs=1e-15)


def test_feature_2_interacts_with_feature_1():
    assert measures.interacts(of((1, 2)), y, 1)
    assert measures.interacts(of((1, 2)), y, 1, delta=3 / 12)
    assert not measures.interacts(of((1, 2)), y, 1, delta=4 / 12)
    assert not measures.interacts(of((1, 2, 3)), y, 2)
    assert not measures.interacts(of((3, 5)), y, 1)


@pytest.mark.parametrize("delta", [0.0, 1 / 12, 1.9 / 12, 2 / 12, 3 / 12, 0.3, 0.9])
def test_contributions_and_interactions_are_those_of_the_slow_twins(delta):
    for features in [(3,), (1, 2), (3, 5), (1, 3, 5), (2, 3, 5), (1, 2, 3, 4, 5, 6)]:
        for place in range(len(features)):
            arguments = of(features), y, place
            plain = of(features).tolist(), y.tolist(), place
            assert measures.interacts(*arguments, delta) is slow.interacts(*plain, delta)
            contribution = measures.consistency_contribution(*arguments)
            assert contribution == pytest.approx(slow.consistency_contribution(*plain), abs=1e-15)


def test_a_feature_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="feature=2 but X has 2 feature"):
        measures.consistency_contribution(of((1, 2)), y, 2)
    with pytest.raises(ValueError, match="feature=5"):
        measures.interacts(of((1, 2)), y, 5)


@pytest.mark.parametrize(
    "measure",
    [measures.inconsistency_count, measures.bayesian_risk, measures.conditional_entropy],
    ids=lambda m: m.__name__,
)
def test_tables_that_do_not_fit_the_class_are_refused(measure):
    with pytest.raises(ValueError, match=r"12 samples.* 11"):
        measure(X, y[:-1])
    with pytest.raises(ValueError, match=r"shape \(12,\)"):
        measure(X[:, 0], y)


@pytest.mark.parametrize(
    ("left_out", "feature", "expected"),
    [
        ((), 6, 0.0), ((6,), 4, 0.008097),
        ((6, 4), 2, 0.134458), ((6, 4), 1, 0.322943), ((6, 4), 5, 0.133227),
        ((6, 4, 5), 2, 0.259458), ((6, 4, 5), 3, 0.271509),
    ],
)  # fmt: skip
def test_theta_has_the_published_values(left_out, feature, expected):
    current = [f for f in BY_RELEVANCE if f not in left_out]
    risk_without = measures.bayesian_risk(of([f for f in current if f != feature]), y)
    risk = measures.bayesian_risk(of(current), y)
    for theta in (measures.theta, slow.theta):
        assert theta(relevance_of(feature), risk_without, risk, 2 / 12) == pytest.approx(expected, abs=5e-7)


def test_theta_is_relevance_or_the_share_of_the_room_used_up():
    assert measures.theta(0.4, 0.06, 0.02, 0.1, alpha=1.0) == pytest.approx(0.4)
    assert measures.theta(0.4, 0.06, 0.02, 0.1, alpha=0.0) == pytest.approx(0.5)
    assert measures.theta(0.4, 0.1, 0.02, 0.1, alpha=0.5) == pytest.approx(0.7)


def test_theta_without_room_is_weighed_relevance():
    assert measures.theta(0.4, 0.1, 0.1, 0.1, alpha=0.75) == pytest.approx(0.3)
    assert measures.theta(0.4, 3 * 0.1, 3 * 0.1, 0.3, alpha=0.75) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("left_out", "feature", "expected"),
    [((6, 4), 2, 0.267418), ((6, 4), 1, 0.634329), ((6, 4, 5), 2, 0.517418)],
)
def test_inter_relevance_has_the_published_values(left_out, feature, expected):
    risk_without = measures.bayesian_risk(of([f for f in BY_RELEVANCE if f not in (*left_out, feature)]), y)
    for inter_relevance in (measures.inter_relevance, slow.inter_relevance):
        found = inter_relevance(relevance_of(feature), risk_without, 0.0, 2 / 12, relevance_of(6), relevance_of(3))
        assert found == pytest.approx(expected, abs=5e-7)


def test_inter_relevance_leaves_out_what_has_no_range():
    assert measures.inter_relevance(0.3, 0.05, 0.0, 0.1, 0.3, 0.3, alpha=0.5) == pytest.approx(0.25)
    assert measures.inter_relevance(0.3, 0.15, 0.1, 0.1, 0.1, 0.5, alpha=0.5) == pytest.approx(0.025 + 0.25)
