"""Lazy, exhaustive, incremental and naive searches agree and cost what was proved (Pino Angulo 2019, T10–T14)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast import CFS, FCBF, MRMR
from holdfast.kernels import lazy
from holdfast.prepare import Codes
from holdfast.search.forward import forward, never
from holdfast.search.shared import Formula, LazyCandidates, SharedInformation
from oracles.datasets import fit, precedence
from oracles.information import symmetrical_uncertainty


@st.composite
def tables(draw, max_features=9, max_samples=24):
    """Small whole numbers with copied, reversed and constant columns: ties are the rule, not the exception."""
    n_samples = draw(st.integers(4, max_samples))
    n_features = draw(st.integers(1, max_features))
    X = draw(arrays(np.int64, (n_samples, n_features), elements=st.integers(0, draw(st.integers(1, 3)))))
    y = draw(arrays(np.int64, n_samples, elements=st.integers(0, draw(st.integers(1, 2)))))
    assume(1 < len(set(y.tolist())) < n_samples)
    if draw(st.booleans()):
        X = np.column_stack([X, X[:, draw(st.lists(st.integers(0, n_features - 1), min_size=1, max_size=3))]])
    if draw(st.booleans()):
        X = np.column_stack([X, 3 - X[:, 0], np.ones(n_samples, dtype=int)])
    if draw(st.booleans()):
        X[:, 0] = y
    return X.astype(float), y


def cached_pairs(n, q):
    """(n - q/2)(q - 1): every candidate once against every pick but the last."""
    return (2 * n - q) * (q - 1) // 2


def assert_same_picks_and_bits(one, other):
    assert one.indices_.tolist() == other.indices_.tolist()
    assert np.array_equal(one.scores_, other.scores_, equal_nan=True)


@pytest.mark.parametrize("objective", ["mid", "miq", "fcd", "fcq"])
@given(table=tables(), alpha=st.sampled_from([0.0, 0.25, 0.5, 1.0]), share=st.floats(0.01, 1))
def test_mrmr_plus_picks_what_mrmr_picks_to_the_last_bit(objective, table, alpha, share):
    X, y = table
    q = max(1, round(share * X.shape[1]))
    options = {"objective": objective, "alpha": alpha, "discretizer": None}
    plus = MRMR(q, search="lazy", **options).fit(X, y)
    original = MRMR(q, search="exhaustive", **options).fit(X, y)
    assert_same_picks_and_bits(plus, original)
    assert plus.n_ties_ == original.n_ties_


@pytest.mark.parametrize("objective", ["mid", "miq", "fcd", "fcq"])
@given(table=tables(), alpha=st.sampled_from([0.0, 0.25, 0.5, 1.0]), share=st.floats(0.01, 1))
def test_mrmr_measures_as_many_pairs_as_proved(objective, table, alpha, share):
    X, y = table
    n = X.shape[1]
    q = max(1, round(share * n))
    options = {"objective": objective, "alpha": alpha, "discretizer": None}
    original = MRMR(q, search="exhaustive", **options).fit(X, y).n_evaluations_
    plus = MRMR(q, search="lazy", **options).fit(X, y).n_evaluations_
    assert original.pair == cached_pairs(n, q)
    # A constant feature is taken last, but to be taken it too needs a sum over all picks: the lower bound holds.
    assert q * (q - 1) // 2 <= plus.pair <= cached_pairs(n, q)
    assert original.relevance == plus.relevance == n


@given(tables())
def test_cfs_plus_picks_what_fcfs_picks_to_the_last_bit(table):
    X, y = table
    plus = fit(CFS(search="lazy", discretizer=None), X, y)
    incremental = fit(CFS(search="incremental", discretizer=None), X, y)
    assert_same_picks_and_bits(plus, incremental)


@given(tables())
def test_fcfs_picks_what_naive_cfs_picks(table):
    X, y = table
    incremental = fit(CFS(search="incremental", discretizer=None), X, y)
    naive = fit(CFS(search="naive", discretizer=None), X, y)
    assert incremental.indices_.tolist() == naive.indices_.tolist()
    np.testing.assert_allclose(incremental.scores_, naive.scores_, rtol=0, atol=1e-12)


@given(tables())
def test_naive_cfs_computes_as_many_uncertainties_as_proved(table):
    X, y = table
    n = X.shape[1]
    fitted = fit(CFS(search="naive", discretizer=None), X, y)
    k = min(len(fitted.indices_) + 1, n)  # the round that fails counts
    cost = fitted.n_evaluations_
    assert 24 * (cost.relevance + cost.pair) == k * (k + 1) * (4 * n * k - 3 * k * k + 8 * n - 3 * k + 6)
    assert 2 * cost.subset == (2 * n - k + 1) * k


@given(tables())
def test_fcfs_measures_as_many_pairs_as_proved(table):
    X, y = table
    n = X.shape[1]
    fitted = fit(CFS(search="incremental", discretizer=None), X, y)
    K = len(fitted.indices_)
    assert fitted.n_evaluations_.pair == K * n - K * (K + 1) // 2
    assert fitted.n_evaluations_.relevance == n


@given(tables())
def test_cfs_plus_measures_as_many_pairs_as_proved(table):
    X, y = table
    n = X.shape[1]
    fitted = fit(CFS(search="lazy", discretizer=None), X, y)
    K = len(fitted.indices_)
    # With every feature taken there is no failing round, whose best candidate needs K sums too.
    least = K * (K + 1) // 2 if n > K else K * (K - 1) // 2
    assert least <= fitted.n_evaluations_.pair <= K * n - K * (K + 1) // 2


@given(tables())
def test_cfs_merits_rise_from_pick_to_pick(table):
    X, y = table
    fitted = fit(CFS(discretizer=None), X, y)
    merits = fitted.scores_[fitted.indices_]
    assert (np.diff(merits) > 1e-12).all()
    assert (merits > 0).all()


@given(tables())
def test_best_first_finds_a_merit_at_least_as_good_as_the_greedy_one(table):
    X, y = table
    greedy = fit(CFS(search="lazy", discretizer=None), X, y)
    wide = fit(CFS(search="best-first", discretizer=None), X, y)
    # Best-first passes over gains of 1e-5 and less, once per pick.
    best = greedy.scores_[greedy.indices_[-1]] if len(greedy.indices_) else 0.0
    found = wide.scores_[wide.indices_[-1]] if len(wide.indices_) else 0.0
    assert found >= best - 1e-5 * X.shape[1]


@pytest.mark.parametrize("objective", ["mid", "miq", "fcd", "fcq"])
@given(table=tables())
def test_the_first_picks_of_mrmr_do_not_depend_on_how_many_are_asked_for(objective, table):
    X, y = table
    whole = MRMR(X.shape[1], objective=objective, discretizer=None).fit(X, y).indices_.tolist()
    for q in range(1, X.shape[1]):
        assert MRMR(q, objective=objective, discretizer=None).fit(X, y).indices_.tolist() == whole[:q]


def _uncertainties(X, y, fitted):
    relevance = [symmetrical_uncertainty(column, y.tolist()) for column in X.T.tolist()]
    chosen = fitted.indices_.tolist()
    return relevance, chosen, lambda f, g: symmetrical_uncertainty(X[:, f].tolist(), X[:, g].tolist())


@given(tables())
def test_features_that_fcbf_keeps_share_no_more_with_a_better_one_than_with_the_class(table):
    X, y = table
    relevance, chosen, shared = _uncertainties(X, y, fit(FCBF(discretizer=None), X, y))
    for position, f in enumerate(chosen):
        assert all(shared(g, f) <= relevance[f] + 1e-11 for g in chosen[:position])


@given(tables())
def test_features_that_fcbf_drops_are_predicted_better_by_a_kept_one(table):
    X, y = table
    relevance, chosen, shared = _uncertainties(X, y, fit(FCBF(discretizer=None), X, y))
    varying = {f for f in range(X.shape[1]) if np.ptp(X[:, f]) > 0}
    for f in varying - set(chosen):
        assert any(shared(g, f) > relevance[f] - 1e-11 and relevance[g] >= relevance[f] - 1e-11 for g in chosen)


@given(tables())
def test_fcbf_that_drops_on_equality_keeps_no_more(table):
    X, y = table
    strict, loose = fit(FCBF(discretizer=None), X, y), fit(FCBF(strict=False, discretizer=None), X, y)
    assert len(loose.indices_) <= len(strict.indices_)
    relevance, chosen, shared = _uncertainties(X, y, loose)
    for position, f in enumerate(chosen):
        assert all(shared(g, f) < relevance[f] + 1e-13 for g in chosen[:position])


def _lazy_cost(n, q, rng):
    """Cost of MRMR+ where no two features share anything and relevances differ (the thought experiment of §4.4.1.3)."""
    relevance = rng.permutation(n) + 1.0
    candidates = LazyCandidates(
        relevance, SharedInformation(Codes.of(np.zeros((n, 4), dtype=int)), scaled=False), Formula(lazy.DIFFERENCE)
    )
    path = forward(candidates, precedence(np.zeros((4, n)), np.zeros(4, dtype=int), relevance), q, never)
    assert path.merits.tolist() == sorted(relevance, reverse=True)[:q]
    return n + candidates.n_pairs


def _cost_without_redundancy(n, q):
    """n + Σ_{k<q} k·H_{n-k}."""
    return n + sum(k * sum(1 / i for i in range(1, n - k + 1)) for k in range(1, q))


@pytest.mark.parametrize(("n", "expected"), [(100, 330.4906), (10, 93.593), (20, 164.746), (50, 246.379)])
def test_the_bound_without_redundancy_has_its_published_values(n, expected):
    assert _cost_without_redundancy(n, 10) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_mrmr_plus_costs_less_than_its_bound_where_nothing_is_redundant(n, seed):
    rng = np.random.default_rng([seed, n])
    mean = np.mean([_lazy_cost(n, 10, rng) for _ in range(20)])
    assert mean <= _cost_without_redundancy(n, 10)


@example(n=100, q=10)
@given(n=st.integers(1, 300), q=st.integers(1, 300))
def test_the_cached_count_is_the_sum_over_rounds(n, q):
    q = min(n, q)
    assert cached_pairs(n, q) == sum(n - k for k in range(1, q))


# Table 4.3 (features with the class), Table 4.4 (MRMR NEval in thousands; CFS NEval, K derived from it).
TABLE_4_4 = {
    "LEU": (7130, 348, 390, 55), "CNS": (7130, 348, 411, 58), "TUM": (7130, 348, 411, 58),
    "DEX": (20001, 978, 1756, 88), "ARC": (10001, 488, 747, 75), "T21": (7903, 385, 589, 75),
    "T41": (7455, 364, 37.2, 5), "T45": (8262, 403, 370, 45), "WAP": (8461, 413, 16.9, 2),
    "FBI": (2001, 96.7, 9.98, 5), "STJ": (12559, 614, 1636, 131), "BRE": (24482, 1198, 2394, 98),
    "ECM": (27680, 1355, 4690, 170), "HEP": (22278, 1090, 3728, 168), "BUR": (22284, 1090, 3220, 145),
    "LA2": (12433, 607, 49.7, 4), "LA1": (13196, 645, 52.7, 4), "OHS": (11466, 560, 16041, 1497),
    "NEW": (26833, 1313, 53.6, 2), "T31": (10129, 495, 20.2, 2), "DA1": (54676, 2677, 5789, 106),
    "DA4": (54676, 2677, 9334, 171), "DA5": (54614, 2674, 11065, 203), "DA6": (59005, 2889, 12603, 214),
    "ANT": (61360, 3005, 7845, 128), "MOU": (45102, 2208, 8865, 197), "OVA": (54622, 2675, 14384, 264),
    "VAR": (54676, 2677, 14997, 275), "DOR": (100001, 4898, 21177, 212), "PEM": (138673, 1724, 277.3, 2),
}  # fmt: skip


def _truncated(count, printed):
    digits = len(str(printed).partition(".")[2])
    return int(count / 1000 * 10**digits) / 10**digits


@pytest.mark.parametrize("name", sorted(set(TABLE_4_4) - {"PEM"}))
def test_the_pairs_of_mrmr_are_those_printed_in_table_4_4(name):
    features, printed, _, _ = TABLE_4_4[name]
    assert _truncated(cached_pairs(features - 1, 50), printed) == printed


def test_the_pairs_of_mrmr_on_pems_are_a_misprint_in_table_4_4():
    assert _truncated(cached_pairs(TABLE_4_4["PEM"][0] - 1, 50), 1724) == 6793


@pytest.mark.parametrize("name", sorted(TABLE_4_4))
def test_the_pairs_of_cfs_are_those_printed_in_table_4_4(name):
    features, _, printed, K = TABLE_4_4[name]
    n = features - 1
    assert _truncated(K * n - K * (K + 1) // 2, printed) == printed
