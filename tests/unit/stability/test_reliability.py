"""Reliability assessment: the worked tables, its slow twin, and its properties."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from holdfast.stability._reliability import raa, similarity
from holdfast.stability.aggregate import aggregate, combine
from holdfast.stability.lists import Lists
from oracles import aggregation as slow

OPINION = np.array([[1, 0.8, 0.5, 0], [0.7, 1, 0, 0.4], [1, 0.6, 0, 0.9]])
RANKS = np.array([[1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 4, 2]])
ERRORS = np.array([0.1, 0.2, 0.3])


def lists_of(opinion=OPINION, errors=ERRORS, ranks=RANKS):
    opinion = np.asarray(opinion, dtype=float)
    return Lists(np.arange(opinion.shape[1]), ranks, opinion, opinion > 0, 3, 10, errors)


def as_slow(opinion):
    return [{j: (1, w) for j, w in enumerate(row) if w > 0} for row in opinion.tolist()]


def drawn(rng):
    opinion = np.round(rng.random((int(rng.integers(1, 6)), 7)), 1) * (rng.random(7) < 0.7)
    opinion[0] = np.maximum(opinion[0], 0.1)  # every feature is in a list
    return opinion, rng.uniform(0.01, 1.0, len(opinion))


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("confidence_", [[1, 0.8, 0.5, 0], [0.489279, 0.698970, 0, 0.279588], [0.522879, 0.313727, 0, 0.470591]]),
        (
            "conflict_",
            [
                [0.075912, 0.141270, 0.25, 0.406192],
                [0.218352, 0.227059, 0.1875, 0.344117],
                [0.111696, 0.169273, 0.1875, 0.468442],
            ],
        ),
        (
            "reliability_",
            [[1, 0.743418, 0.405805, 0], [0.413861, 0.584644, 0, 0.198441], [0.502631, 0.282031, 0, 0.270695]],
        ),
    ],
)
def test_what_is_exposed_is_the_worked_table(name, table):
    np.testing.assert_allclose(raa(lists_of()).extra[name], table, atol=6e-7)


def test_similarities_are_the_worked_ones():
    expected = [[0.85, 0.8, 0.5, 0.35], [0.7, 0.7, 0.75, 0.55], [0.85, 0.7, 0.75, 0.3]]
    np.testing.assert_allclose(similarity(OPINION), expected, atol=1e-12)
    confidence = raa(lists_of()).extra["confidence_"]
    expected = [
        [0.506079, 0.706349, 0.5, 0.624911],
        [0.727840, 0.756864, 0.75, 0.764705],
        [0.744640, 0.564242, 0.75, 0.669203],
    ]
    np.testing.assert_allclose(similarity(confidence), expected, atol=6e-7)


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({}, [1.792334, 1.348597, 0.202903, 0.323002]),
        ({"over_lists": "max"}, [1, 0.594735, 0.202903, 0.243626]),
        ({"rel_norm": "per-feature"}, [0.935216, 0.837589, 0.5, 0.688504]),
    ],
    ids=["sum", "max", "per-feature"],
)
def test_scores_are_the_worked_ones(options, scores):
    np.testing.assert_allclose(raa(lists_of(), **options).scores, scores, atol=6e-7)


@pytest.mark.parametrize("beta", ["error", "odds"])
@pytest.mark.parametrize("rel_norm", ["global", "per-feature"])
@pytest.mark.parametrize("over_lists", ["sum", "max"])
def test_all_settings_give_what_the_slow_twin_gives(beta, rel_norm, over_lists, seed):
    options = {"beta": beta, "rel_norm": rel_norm, "over_lists": over_lists, "n_samples": 20}
    for draw in range(20):
        opinion, errors = drawn(np.random.default_rng([seed, draw]))
        found = raa(lists_of(opinion, errors, np.ones(opinion.shape)), **options)
        scores, confidence, conflict, reliable = slow.reliability(as_slow(opinion), errors=errors, **options)
        np.testing.assert_allclose(found.scores, scores, atol=1e-12)
        np.testing.assert_allclose(found.extra["confidence_"], confidence, atol=1e-12)
        np.testing.assert_allclose(found.extra["conflict_"], conflict, atol=1e-12)
        np.testing.assert_allclose(found.extra["reliability_"], reliable, atol=1e-12)


def test_identical_lists_are_not_in_conflict_and_go_by_mean_weight(seed):
    weights = np.random.default_rng(seed).permutation(7) / 7 + 0.1
    lists = lists_of(np.tile(np.minimum(weights, 1.0), (5, 1)), np.full(5, 0.3), np.ones((5, 7)))
    found = raa(lists)
    assert not found.extra["conflict_"].any()
    assert found.levels.tolist() == combine(lists, "wma").levels.tolist()


def test_a_factor_on_all_evidence_changes_nothing(seed):
    opinion, errors = drawn(np.random.default_rng(seed))
    ranks = np.ones(opinion.shape)
    plain = raa(lists_of(opinion, errors, ranks)).scores
    np.testing.assert_allclose(raa(lists_of(opinion, errors**1.7, ranks)).scores, plain, atol=1e-12)


def test_similarity_stays_between_0_and_1(seed):
    values = np.random.default_rng(seed).integers(0, 2, size=(9, 40)).astype(float)
    found = similarity(values)
    assert found.min() >= 0
    assert found.max() <= 1


def test_an_error_counts_at_least_half_a_sample():
    floored = raa(lists_of(errors=np.array([0.0, 0.2, 0.3])), n_samples=10)
    given = raa(lists_of(errors=np.array([0.05, 0.2, 0.3])))
    assert floored.scores.tolist() == given.scores.tolist()


def test_odds_of_a_list_worse_than_chance_give_it_no_confidence():
    found = raa(lists_of(errors=np.array([0.6, 0.2, 1.0])), beta="odds")
    assert not found.extra["confidence_"][[0, 2]].any()
    assert found.extra["confidence_"].max() == 1
    np.testing.assert_allclose(found.extra["confidence_"][1], OPINION[1] * log(4) / log(4))


def test_lists_that_are_always_wrong_leave_the_order_to_the_mean_weight():
    found = raa(lists_of(errors=np.ones(3)))
    assert found.scores.tolist() == [0, 0, 0, 0]
    assert found.levels.tolist() == combine(lists_of(), "wma").levels.tolist()


@pytest.mark.parametrize(
    ("errors", "options", "words"),
    [
        ([0.0, 0.1], {}, "Pass n_samples"),
        ([0.2, 0.1], {"beta": "x"}, "beta='x'"),
        ([0.2, 0.1], {"rel_norm": "x"}, "rel_norm='x'"),
        ([0.2, 0.1], {"over_lists": "x"}, "over_lists='x'"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_with_the_reason(errors, options, words):
    with pytest.raises(ValueError, match=words):
        aggregate([["a"], ["b"]], "raa", errors=errors, **options)


def test_weights_outside_0_to_1_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        raa(lists_of(3 * OPINION))
