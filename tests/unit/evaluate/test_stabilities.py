"""Stability indices of a study: the public functions on its lists, each with an interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from holdfast import stability
from holdfast.data import Table
from holdfast.evaluate._bootstrap import jackknife_interval
from holdfast.evaluate._stabilities import INDICES, PAIRWISE, StabilityIndices

UNDEFINED = {"value": None, "low": None, "high": None}


def _table(seed, n_samples=30, n_features=20):
    """Features of which every other one is much like the one before."""
    rng = np.random.default_rng([seed, 31])
    X = rng.normal(size=(n_samples, n_features))
    X[:, 1::2] = X[:, ::2] + 0.3 * rng.normal(size=(n_samples, n_features // 2))
    return Table(X, [f"g{j}" for j in range(n_features)])


def _runs(seed, n_runs=7, n_features=20, size=None):
    rng = np.random.default_rng([seed, 32])
    runs = np.zeros((n_runs, n_features), dtype=bool)
    for run in runs:
        run[rng.choice(n_features, size or rng.integers(1, 9), replace=False)] = True
    return runs


def _left_out(index, runs, value):
    """Ends of Student's interval from the index without each run in turn, the upper one cut at 1."""
    n = len(runs)
    without = np.array([index(np.delete(runs, i, axis=0)) for i in range(n)])
    error = math.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    reach = t.ppf(0.975, n - 1) * error
    return value - reach, min(1.0, value + reach)


def assert_found(found, value, low, high):
    assert found["value"] == pytest.approx(value, abs=1e-10)
    assert found["low"] == pytest.approx(low, abs=1e-10)
    assert found["high"] == pytest.approx(high, abs=1e-10)


@pytest.mark.parametrize("size", [None, 4], ids=["many sizes", "one size"])
def test_every_index_is_the_public_function_of_that_name(size, seed):
    table, runs = _table(seed), _runs(seed, size=size)
    found = StabilityIndices(table).of(runs)
    assert tuple(found) == INDICES
    pairs = stability.correlated_pairs(table.X)
    alike = stability.similarity(table.X, threshold=0.5)
    for name in PAIRWISE:
        if name == "kuncheva" and size is None:
            assert found[name] == UNDEFINED
        else:
            assert found[name]["value"] == pytest.approx(getattr(stability, name)(runs), abs=1e-12), name
    whole = stability.nogueira_interval(runs)
    assert_found(found["nogueira"], whole.value, whole.low, whole.high)
    assert found["nogueira_adjusted"]["value"] == pytest.approx(stability.nogueira_adjusted(runs, alike), abs=1e-12)
    assert found["pogr"]["value"] == pytest.approx(stability.pogr(runs, pairs), abs=1e-12)
    assert found["npogr"]["value"] == pytest.approx(stability.npogr(runs, pairs), abs=1e-12)
    # Else it would not tell these apart from the plain ones.
    assert pairs.nnz > 0
    assert found["pogr"]["value"] > found["percentage_overlap"]["value"]


def test_intervals_of_means_over_pairs_leave_out_each_run_in_turn(seed):
    runs = _runs(seed, size=4)
    found = StabilityIndices(_table(seed)).of(runs)
    for name in PAIRWISE:
        value = getattr(stability, name)(runs)
        assert_found(found[name], value, *_left_out(getattr(stability, name), runs, value))
        low, high = jackknife_interval(stability.pairwise(runs, index=name))
        assert found[name]["low"] == pytest.approx(low, abs=1e-12)
        assert found[name]["high"] == pytest.approx(min(high, 1.0), abs=1e-12)


@pytest.mark.parametrize("name", ["nogueira_adjusted", "pogr", "npogr"])
@pytest.mark.parametrize("size", [None, 4], ids=["many sizes", "one size"])
def test_intervals_of_indices_that_know_correlated_features_leave_out_each_run_in_turn(name, size, seed):
    table, runs = _table(seed), _runs(seed, size=size)
    known = (
        stability.similarity(table.X, threshold=0.5)
        if name == "nogueira_adjusted"
        else stability.correlated_pairs(table.X)
    )

    def index(some):
        return getattr(stability, name)(some, known)

    assert_found(StabilityIndices(table).of(runs)[name], index(runs), *_left_out(index, runs, index(runs)))


def test_equal_lists_are_stable_without_doubt(seed):
    runs = np.tile(_runs(seed, n_runs=1), (5, 1))
    found = StabilityIndices(_table(seed)).of(runs)
    for name in INDICES:
        # These two need not be 1 by their definitions.
        if name not in ("npogr", "lustgarten"):
            assert found[name] == {
                "value": pytest.approx(1.0),
                "low": pytest.approx(1.0),
                "high": pytest.approx(1.0),
            }, name


def test_a_value_lies_in_its_interval(seed):
    rng = np.random.default_rng([seed, 33])
    for size in range(1, 10):
        runs = np.tile(_runs(int(rng.integers(1000)), n_runs=1, size=size), (int(rng.integers(3, 9)), 1))
        for name, found in StabilityIndices(_table(seed)).of(runs).items():
            if found["low"] is not None:
                assert found["low"] <= found["value"] <= found["high"], name


@pytest.mark.parametrize("n_runs", [0, 1])
def test_fewer_than_two_lists_have_no_stability(n_runs, seed):
    found = StabilityIndices(_table(seed)).of(_runs(seed, n_runs))
    assert found == dict.fromkeys(INDICES, UNDEFINED)


def test_two_lists_have_a_value_and_intervals_only_where_the_index_has_a_formula(seed):
    runs = _runs(seed, 2, size=4)
    found = StabilityIndices(_table(seed)).of(runs)
    for name in INDICES:
        assert found[name]["value"] is not None, name
        if name != "nogueira":
            assert (found[name]["low"], found[name]["high"]) == (None, None), name


@pytest.mark.parametrize("runs", [np.zeros((4, 20), dtype=bool), np.ones((4, 20), dtype=bool)], ids=["nothing", "all"])
def test_lists_of_nothing_or_of_everything_give_no_nogueira_index(runs, seed):
    found = StabilityIndices(_table(seed)).of(runs)
    assert math.isnan(stability.nogueira(runs)) == (found["nogueira"]["value"] is None)
    for values in found.values():
        assert all(value is None or math.isfinite(value) for value in values.values())


def test_one_empty_list_among_others_is_counted_as_the_public_functions_count_it(seed):
    runs = _runs(seed)
    runs[2] = False
    table = _table(seed)
    found = StabilityIndices(table).of(runs)
    for name in PAIRWISE[1:]:
        expected = getattr(stability, name)(runs)
        assert found[name]["value"] == (None if math.isnan(expected) else pytest.approx(expected, abs=1e-12)), name
    expected = stability.nogueira_adjusted(runs, stability.similarity(table.X, threshold=0.5))
    assert found["nogueira_adjusted"]["value"] == pytest.approx(expected, abs=1e-12)


def test_missing_values_few_samples_and_many_features_leave_correlations_out(seed):
    runs = _runs(seed, size=4)
    X = _table(seed).X.copy()
    X[0, 0] = np.nan
    wide = Table(np.zeros((5, 30_001)), [f"g{j}" for j in range(30_001)])
    many = np.zeros((4, 30_001), dtype=bool)
    many[:, :3] = True
    for table, given in (
        (Table(X, list("abcdefghijklmnopqrst")), runs),
        (_table(seed, n_samples=3), runs),
        (wide, many),
    ):
        indices = StabilityIndices(table)
        found = indices.of(given)
        for name in ("nogueira_adjusted", "pogr", "npogr"):
            assert found[name] == UNDEFINED
        assert found["jaccard"]["value"] is not None


def test_constant_features_correlate_with_nothing(seed):
    X = _table(seed).X.copy()
    X[:, :2] = 1.0
    runs = _runs(seed, size=4)
    found = StabilityIndices(Table(X, [f"g{j}" for j in range(20)])).of(runs)
    assert found["pogr"]["value"] == pytest.approx(stability.pogr(runs, stability.correlated_pairs(X)), abs=1e-12)
