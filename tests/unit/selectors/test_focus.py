"""FOCUS: the worked example, every subset that a plain loop would find, what is counted, the limit and its error."""

from __future__ import annotations

import re
from itertools import combinations
from math import comb

import numpy as np
import pytest

from holdfast import DataError, Focus
from holdfast._progress import watching
from holdfast.measures import bayesian_risk, binary_consistency, conditional_entropy
from holdfast.search import exhaustive
from oracles.worked import TOY12

MEASURES = {
    "bayesian-risk": bayesian_risk,
    "conditional-entropy": conditional_entropy,
    "binary": lambda levels, y: float(binary_consistency(levels, y)),
}


def drawn(rng, n_features=8):
    """Codes with constants, copies and copies under other names, and a class that two of them nearly determine."""
    n_samples = int(rng.choice([12, 40, 70, 150]))
    X = rng.integers(0, rng.integers(1, 5, size=n_features), size=(n_samples, n_features))
    X[:, n_features - 1] = X[:, 0]
    X[:, n_features - 2] = (X[:, 1] + 1) % 4
    y = (X[:, 2] + 2 * X[:, 3] + (rng.random(n_samples) < 0.1)) % int(rng.integers(2, 5))
    y[:2] = 0, 1
    order = rng.permutation(n_features)
    return X[:, order], y


def best_first(X, y):
    """Columns by falling relevance, as an unlimited fit orders them."""
    everything = Focus(discretizer=None, measure=lambda levels, _: float(X.shape[1] - levels.shape[1])).fit(X, y)
    assert len(everything.indices_) == X.shape[1]
    return everything.indices_


def partition(column):
    first = {}
    return tuple(first.setdefault(level, len(first)) for level in column.tolist())


def looked_for(X, y, value, limit, columns):
    """The first subset of the fewest columns, and how many were looked at."""
    n_tried = 0
    for size in range(len(columns) + 1):
        for subset in combinations(columns, size):
            n_tried += 1
            if value(X[:, list(subset)], y) <= limit + 1e-12:
                return list(subset), n_tried
    raise AssertionError("all columns together are within the limit")


def toy(**parameters):
    return Focus(discretizer=None, **parameters).fit(*TOY12)


def test_toy12_is_determined_by_its_first_two_features():
    found = toy()
    assert (found.indices_ + 1).tolist() == [1, 2]
    assert (found.risk_, found.risk_of_all_, found.delta_) == (0.0, 0.0, 0.0)
    np.testing.assert_allclose(found.contributions_[:2], [4 / 12, 4 / 12])
    # None, six alone, and of the pairs by falling relevance (3, 5, 1, 2, 4, 6) the tenth.
    assert (found.n_evaluations_.relevance, found.n_evaluations_.subset) == (6, 1 + 6 + 10)


@pytest.mark.parametrize("mode", ["relative", "absolute"])
@pytest.mark.parametrize(("undecided", "chosen"), [(1, [1, 2]), (2, [3, 5]), (3, [3])])
def test_toy12_with_samples_left_undecided(undecided, chosen, mode):
    assert (toy(delta=undecided / 12, delta_mode=mode).indices_ + 1).tolist() == chosen


def test_no_feature_where_none_is_needed():
    with pytest.warns(UserWarning, match="kept none of 6 features"):
        found = toy(delta=4 / 12)
    assert found.n_evaluations_.subset == 1
    assert found.risk_ == pytest.approx(4 / 12)


@pytest.mark.parametrize("most_masks", [exhaustive._MOST_MASKS, 0], ids=["by masks", "by samples"])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.filterwarnings("ignore:Focus kept none")
def test_it_finds_and_counts_what_a_plain_loop_does(measure, most_masks, monkeypatch):
    monkeypatch.setattr(exhaustive, "_MOST_MASKS", most_masks)
    rng = np.random.default_rng([11, len(measure)])
    for _ in range(20):
        X, y = drawn(rng)
        delta = float(rng.choice([0.0, 0.05, 0.2])) if measure != "binary" else 0.0
        value = MEASURES[measure]
        limit = value(X, y) + delta
        if measure == "bayesian-risk":
            limit = value(X, y) + np.floor(delta * len(y) + 1e-9) / len(y)
        columns = best_first(X, y)
        first = {partition(X[:, column]): column for column in columns[::-1] if np.ptp(X[:, column]) > 0}
        distinct = [column for column in columns if column in first.values()]
        found = Focus(delta=delta, measure=measure, discretizer=None).fit(X, y)
        expected, n_tried = looked_for(X, y, value, limit, distinct)
        assert found.indices_.tolist() == expected == looked_for(X, y, value, limit, columns)[0]
        assert found.n_evaluations_.subset == n_tried
        assert found.risk_ == pytest.approx(value(X[:, expected], y), abs=1e-12)
        called = Focus(delta=limit, delta_mode="absolute", measure=value, discretizer=None).fit(X, y)
        assert called.indices_.tolist() == expected
        assert called.n_evaluations_.subset == looked_for(X, y, value, limit, columns)[1]


def test_features_of_many_levels():
    rng = np.random.default_rng(12)
    X = rng.integers(0, 60, size=(300, 9))
    y = (X[:, 4] + X[:, 7]) % 3
    found = Focus(discretizer=None).fit(X, y)
    assert found.indices_.tolist() == looked_for(X, y, bayesian_risk, 0.0, best_first(X, y))[0]
    assert len(found.indices_) == 2


def test_measured_values_are_binned_first():
    rng = np.random.default_rng(13)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 12))
    X[:, 5] += 6 * y
    assert Focus().fit(X, y).indices_.tolist() == [5]


@pytest.mark.filterwarnings("ignore:Focus kept none")
def test_neither_the_order_of_columns_nor_that_of_samples_matters():
    rng = np.random.default_rng(14)
    for _ in range(20):
        X, y = drawn(rng)
        found = Focus(discretizer=None).fit(X, y)
        columns, rows = rng.permutation(X.shape[1]), rng.permutation(len(y))
        shuffled = Focus(discretizer=None).fit(X[rows][:, columns], y[rows])
        same = [
            X[:, a].tolist() == X[:, columns[b]].tolist()
            for a, b in zip(found.indices_, shuffled.indices_, strict=True)
        ]
        assert all(same)
        assert shuffled.n_evaluations_ == found.n_evaluations_


def test_a_cut_keeps_the_most_relevant_of_the_subset():
    found = toy(n_features_to_select=1)
    assert (found.indices_ + 1).tolist() == [1]
    assert found.risk_ == pytest.approx(4 / 12)


def test_a_size_that_would_exceed_the_limit_is_not_begun():
    with pytest.raises(DataError) as caught:
        toy(max_subsets=1 + 6 + comb(6, 2) - 1)
    said = str(caught.value)
    assert "all 7 subsets of up to 1" in said
    assert "the lowest Bayesian risk is 0.25, and up to 0 is allowed" in said
    assert "The 15 subsets of 2 were not tried" in said
    assert "'fsdcc' or 'super-lcc'" in said
    enough = int(re.search(r"Pass max_subsets=(\d+)", said)[1])
    assert toy(max_subsets=enough).n_evaluations_.subset == 17


def test_the_limit_counts_subsets_of_features_that_differ():
    X, y = TOY12
    wide = np.column_stack([X, np.zeros((12, 50), dtype=int), 1 - X, X])
    found = Focus(discretizer=None, max_subsets=22).fit(wide, y)
    assert found.n_evaluations_.subset == 17
    assert found.risk_ == 0.0
    assert len(found.indices_) == 2


def test_not_even_one_feature_is_tried():
    with pytest.raises(DataError, match=r"The empty set will not do: the lowest Bayesian risk is 0\.3333"):
        toy(max_subsets=1)


def test_the_lowest_value_is_that_of_a_plain_loop():
    rng = np.random.default_rng(15)
    X, y = rng.integers(0, 3, size=(80, 9)), rng.integers(0, 3, size=80)
    for measure, value in MEASURES.items():
        with pytest.raises(DataError) as caught:
            Focus(discretizer=None, measure=measure, max_subsets=1 + 9 + 36).fit(X, y)
        lowest = min(value(X[:, list(pair)], y) for pair in combinations(range(9), 2))
        assert f"is {lowest:.4g}, and up to" in str(caught.value)


def test_a_limit_below_what_all_features_leave_undecided_names_the_smallest():
    X = np.array([[0, 0], [0, 0], [1, 0], [1, 1]])
    with pytest.raises(DataError, match=r"0\.25"):
        Focus(delta_mode="absolute", discretizer=None).fit(X, [0, 1, 1, 1])


def test_a_measure_that_changes_its_mind_is_told_so():
    calls = iter(range(100))
    with pytest.raises(ValueError, match="must depend on its arguments only"):
        Focus(measure=lambda levels, y: float(next(calls)), discretizer=None).fit(*TOY12)


def test_progress_is_reported_and_work_can_be_interrupted(monkeypatch):
    monkeypatch.setattr(exhaustive, "_REPORTED", 12)
    seen = []
    with watching(lambda *told: seen.append(told)):
        toy()
    assert seen[-1] == ("Subsets tried", 17, 22)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
    assert len(seen) > 3

    def stop(what, done, total):
        raise KeyboardInterrupt

    with watching(stop), pytest.raises(KeyboardInterrupt):
        toy()
