"""POGR and nPOGR: overlap that counts correlated features."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from holdfast.stability.index import kuncheva, percentage_overlap
from holdfast.stability.overlap import _expected_cover, npogr, pogr, symmetric_npogr
from oracles import agreement as twins

TOY = np.zeros((6, 6), dtype=bool)
TOY[[0, 3, 1, 4], [3, 0, 4, 1]] = True


def _links(rng, n_features, share):
    upper = np.triu(rng.random((n_features, n_features)) < share, k=1)
    return upper | upper.T


def _sets(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


def test_the_worked_example_with_full_agreement_through_correlation():
    runs = [{0, 1, 2}, {2, 3, 4}]
    assert pogr(runs, TOY) == 1.0
    assert npogr(runs, TOY) == 1.0
    assert symmetric_npogr(runs, TOY) == 1.0
    assert kuncheva(runs, n_features=6) == pytest.approx(-1 / 3)


def test_the_worked_example_with_less_than_chance():
    runs = [{0, 1, 2}, {0, 3, 5}]
    assert symmetric_npogr(runs, TOY) == pytest.approx(-2 / 3)
    assert pogr(runs, TOY) == pytest.approx((1 / 3 + 2 / 3) / 2)


def test_the_closed_form_of_the_chance_overlap_is_the_mean_over_all_subsets():
    # E(r) = 1.5 and E(O) = 0.6 for subsets of 3.
    assert 3 / 6 * _expected_cover(sparse.csr_matrix(TOY), 3) == pytest.approx(2.1)


def test_the_closed_form_holds_for_all_sizes_and_any_links(seed):
    links = _links(np.random.default_rng([seed, 71]), 6, 0.4)
    for own, other in [(1, 1), (2, 3), (3, 2), (1, 5), (6, 2), (2, 6), (4, 0)]:
        closed = own / 6 * _expected_cover(sparse.csr_matrix(links), other)
        assert closed == pytest.approx(twins.expected_cover(own, other, links), abs=1e-12)


def test_pogr_is_its_definition(seed):
    rng = np.random.default_rng([seed, 72])
    for n_runs, n_features, share, linked in [
        (6, 20, 0.2, 0.1),
        (5, 12, 0.5, 0.3),
        (9, 60, 0.03, 0.05),
        (4, 9, 0, 0.2),
    ]:
        runs, links = rng.random((n_runs, n_features)) < share, _links(rng, n_features, linked)
        assert pogr(runs, links) == pytest.approx(twins.pogr(_sets(runs), links), abs=1e-12)


def test_npogr_of_runs_of_several_sizes_is_its_definition(seed):
    rng = np.random.default_rng([seed, 73])
    links = _links(rng, 7, 0.2)
    runs = [set(rng.choice(7, size, replace=False).tolist()) for size in (2, 3, 3, 4)]
    assert npogr(runs, links) == pytest.approx(twins.npogr(runs, links), abs=1e-10)


def test_without_correlated_pairs_they_are_plain_overlap(seed):
    rng = np.random.default_rng([seed, 74])
    none = sparse.csr_matrix((30, 30), dtype=bool)
    runs = [rng.choice(30, 5, replace=False) for _ in range(6)]
    assert pogr(runs, none) == pytest.approx(percentage_overlap(runs, n_features=30), abs=1e-12)
    assert symmetric_npogr(runs, none) == pytest.approx(kuncheva(runs, n_features=30), abs=1e-12)


def test_the_simulated_expectation_is_close_to_the_exact_one(seed):
    rng = np.random.default_rng([seed, 75])
    links = _links(rng, 80, 0.05)
    runs = [rng.choice(80, size, replace=False) for size in (4, 6, 6, 9)]
    exact = npogr(runs, links)
    simulated = npogr(runs, links, expectation="simulated", n_random_subsets=4000, random_state=seed)
    assert simulated != exact
    assert simulated == pytest.approx(exact, abs=0.02)


def test_the_same_seed_gives_the_same_simulation(seed):
    rng = np.random.default_rng([seed, 76])
    links, runs = _links(rng, 20, 0.1), [rng.choice(20, 4, replace=False) for _ in range(3)]
    drawn = [
        npogr(runs, links, expectation="simulated", n_random_subsets=50, random_state=state)
        for state in (seed, seed, *range(seed + 1, seed + 6))
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_identical_runs_agree_fully(seed):
    links = _links(np.random.default_rng([seed, 77]), 20, 0.05)
    runs = [[1, 4, 7]] * 4
    assert pogr(runs, links) == npogr(runs, links) == symmetric_npogr(runs, links) == 1.0


def test_the_order_of_runs_and_features_does_not_matter(seed):
    rng = np.random.default_rng([seed, 78])
    runs, links = rng.random((7, 25)) < 0.3, _links(rng, 25, 0.1)
    order = rng.permutation(25)
    moved = runs[rng.permutation(7)][:, order], links[np.ix_(order, order)]
    assert pogr(*moved) == pytest.approx(pogr(runs, links), abs=1e-12)
    assert npogr(*moved) == pytest.approx(npogr(runs, links), abs=1e-12)


def test_few_and_many_chosen_features_are_counted_alike(seed):
    rng = np.random.default_rng([seed, 79])
    links = _links(rng, 300, 0.01)
    for share in (0.01, 0.5):
        runs = rng.random((6, 300)) < share
        assert pogr(runs, links) == pytest.approx(twins.pogr(_sets(runs), links), abs=1e-12)


def test_empty_runs_have_no_overlap_beyond_chance():
    assert np.isnan(npogr([set(), {0}], TOY))
    assert pogr([set(), set()], TOY) == 1.0
    assert pogr([set(), {0}], TOY) == 0.0


def test_runs_so_large_that_they_cover_all_are_undefined():
    full = ~np.eye(4, dtype=bool)
    assert np.isnan(npogr([{0}, {1}], full))
    assert np.isnan(npogr([{0, 1, 2, 3}, {0, 1, 2, 3}], np.zeros((4, 4), dtype=bool)))


def test_a_feature_paired_with_itself_changes_nothing():
    runs = [{0, 1, 2}, {0, 3, 5}]
    assert npogr(runs, TOY | np.eye(6, dtype=bool)) == npogr(runs, TOY)


def test_pairs_given_as_sparse_matrix_are_not_changed():
    given = sparse.csr_matrix(TOY | np.eye(6, dtype=bool))
    pogr([{0, 1, 2}, {0, 3, 5}], given)
    assert given.nnz == 10


@pytest.mark.parametrize("measure", [pogr, npogr, symmetric_npogr])
def test_what_does_not_fit_is_refused(measure):
    runs = [{0, 1, 2}, {0, 3, 5}]
    with pytest.raises(ValueError, match="row and a column for each feature"):
        measure(runs, TOY[:, :3])
    with pytest.raises(ValueError, match="not symmetric"):
        measure(runs, np.triu(TOY))
    with pytest.raises(ValueError, match="choose from 5 features"):
        measure(np.ones((2, 5), dtype=bool), TOY)
    with pytest.raises(ValueError, match="by name cannot be matched"):
        measure([["a"], ["b"]], TOY)


def test_the_symmetric_form_refuses_sizes_that_differ():
    with pytest.raises(ValueError, match=r"from 1 to 2 features\. Use npogr"):
        symmetric_npogr([{0}, {0, 1}], TOY)


def test_an_unknown_expectation_is_refused():
    runs = [{0, 1, 2}, {0, 3, 5}]
    with pytest.raises(ValueError, match="'exact' or 'simulated'"):
        npogr(runs, TOY, expectation="guess")
    with pytest.raises(ValueError, match="at least 1"):
        npogr(runs, TOY, expectation="simulated", n_random_subsets=0)


def test_the_mean_over_all_pairs_of_subsets_is_exactly_chance():
    everyone = [set(subset) for subset in combinations(range(6), 2)]
    values = [npogr([a, b], TOY) for a in everyone for b in everyone]
    assert np.mean(values) == pytest.approx(0.0, abs=1e-12)
