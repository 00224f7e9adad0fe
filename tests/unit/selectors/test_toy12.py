"""The pairwise filters on TOY12, with the numbers and counts of the specification (features count from 1 there)."""

from __future__ import annotations

import pytest

from holdfast import CFS, CMIM, DISR, FCBF, JMI, MRMR, InformationGain, SymmetricalUncertainty
from oracles.worked import TOY12

X, y = TOY12
WINNING_MID = [0.343579, 0.072564, 0.018561, -0.041049]


def _picks(fitted):
    return (fitted.indices_ + 1).tolist()


def _merits(fitted):
    return pytest.approx(fitted.scores_[fitted.indices_].tolist(), abs=5e-7)


def test_class_is_the_exclusive_or_of_the_first_two_features():
    assert (X[:, 0] ^ X[:, 1]).tolist() == y.tolist()


@pytest.mark.parametrize("search", ["lazy", "exhaustive"])
@pytest.mark.parametrize("q", [1, 2, 3, 4])
def test_mrmr_picks_3_1_5_6(search, q):
    fitted = MRMR(q, search=search, discretizer=None).fit(X, y)
    assert _picks(fitted) == [3, 1, 5, 6][:q]
    assert _merits(fitted) == WINNING_MID[:q]


@pytest.mark.parametrize(("q", "lazy", "cached"), [(1, 0, 0), (2, 2, 5), (3, 3, 9), (4, 10, 12)])
def test_mrmr_plus_measures_the_pairs_of_the_published_trace(q, lazy, cached):
    plus = MRMR(q, search="lazy", discretizer=None).fit(X, y).n_evaluations_
    original = MRMR(q, search="exhaustive", discretizer=None).fit(X, y).n_evaluations_
    assert (plus.relevance, plus.pair) == (6, lazy)
    assert (original.relevance, original.pair) == (6, cached)


@pytest.mark.parametrize("search", ["lazy", "exhaustive"])
def test_mrmr_by_quotient_picks_3_1_5_2(search):
    fitted = MRMR(4, objective="miq", search=search, discretizer=None).fit(X, y)
    assert _picks(fitted) == [3, 1, 5, 2]
    assert _merits(fitted) == [0.343579, 4.501971, 1.123718, 0.127669]


def test_mrmr_without_redundancy_is_the_ranking_by_information():
    ranked = InformationGain(6, discretizer=None).fit(X, y)
    fitted = MRMR(6, alpha=0.0, discretizer=None).fit(X, y)
    assert _picks(fitted) == _picks(ranked) == [3, 5, 1, 2, 4, 6]


@pytest.mark.parametrize("search", ["lazy", "incremental", "naive", "best-first"])
def test_cfs_picks_3_and_5(search):
    fitted = CFS(search=search, discretizer=None).fit(X, y)
    assert _picks(fitted) == [3, 5]
    assert _merits(fitted) == [0.362012, 0.362761]


def test_naive_cfs_computes_15_merits_from_45_uncertainties():
    cost = CFS(search="naive", discretizer=None).fit(X, y).n_evaluations_
    assert cost.subset == 15
    assert cost.relevance + cost.pair == 45


def test_fcfs_measures_9_pairs():
    assert CFS(search="incremental", discretizer=None).fit(X, y).n_evaluations_.pair == 9


def test_cfs_plus_measures_3_pairs():
    assert CFS(search="lazy", discretizer=None).fit(X, y).n_evaluations_.pair == 3


def test_cfs_stops_at_the_number_asked_for():
    fitted = CFS(1, discretizer=None).fit(X, y)
    assert _picks(fitted) == [3]
    assert fitted.n_evaluations_.pair == 0


def test_fcbf_keeps_3_and_5_after_7_pairs():
    fitted = FCBF(discretizer=None).fit(X, y)
    assert _picks(fitted) == [3, 5]
    assert _merits(fitted) == [0.362012, 0.177635]
    assert fitted.n_evaluations_.pair == 7


def test_fcbf_looks_only_at_features_above_min_su():
    fitted = FCBF(min_su=0.2, discretizer=None).fit(X, y)
    assert _picks(fitted) == [3]
    assert fitted.n_evaluations_.pair == 0


def test_rankings_by_information_and_uncertainty_agree():
    assert _picks(SymmetricalUncertainty(6, discretizer=None).fit(X, y)) == [3, 5, 1, 2, 4, 6]


@pytest.mark.parametrize(
    "selector",
    [FCBF(discretizer=None), CFS(discretizer=None), MRMR(2, discretizer=None)],
    ids=lambda s: type(s).__name__,
)
def test_filters_on_single_features_and_pairs_miss_the_exclusive_or(selector):
    assert set(_picks(selector.fit(X, y))) != {1, 2}


@pytest.mark.parametrize("kind", [JMI, CMIM, DISR], ids=lambda kind: kind.__name__)
def test_three_way_filters_see_a_partner_that_completes_an_exclusive_or(kind):
    """Given one input of an exclusive or, the other tells all; alone it tells nothing."""
    table = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] + [[1, 0, 0], [0, 0, 0]]
    target = [a ^ b for a, b, _ in table]
    fitted = kind(2, discretizer=None).fit(table, target)
    assert fitted.relevance_[1] == 0
    assert fitted.indices_.tolist() == [0, 1]
