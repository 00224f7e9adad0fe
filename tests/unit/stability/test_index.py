"""Indices of pairs of selections: values of the literature, their definitions, what they must not depend on."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.stability import index as indices
from holdfast.stability._pairs import shared_features
from holdfast.stability.index import dice, jaccard, kuncheva, lustgarten, ochiai, pairwise, percentage_overlap
from oracles import agreement as twins

FREE_SIZES = ("jaccard", "dice", "ochiai", "percentage_overlap", "lustgarten")


def _sets(matrix):
    return [set(np.flatnonzero(row).tolist()) for row in matrix]


def _random_runs(rng, n_runs, n_features, size):
    runs = np.zeros((n_runs, n_features), dtype=bool)
    for row in runs:
        row[rng.choice(n_features, size, replace=False)] = True
    return runs


@pytest.mark.parametrize(
    ("runs", "value"),
    [
        pytest.param([{0, 1, 2}, {0, 1, 3}], 0.523810, id="two of three"),
        pytest.param([{0, 1, 2}, {3, 4, 5}], -0.428571, id="none"),
        pytest.param([{0, 1, 2}, {0, 1, 2}], 1.0, id="all"),
        pytest.param([{0, 1, 2}, {0, 1, 3}, {0, 4, 5}], 0.206349, id="Han"),
        pytest.param([{1, 2, 3}, {2, 3, 4}, {1, 5, 6}], 0.047619, id="Ben Brahim"),
    ],
)
def test_kuncheva_of_the_worked_examples(runs, value):
    assert kuncheva(runs, n_features=10) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize(("times", "printed"), [((6, 3, 1), 0.3999), ((8, 1, 1), 0.6222)])
def test_kuncheva_of_single_genes_on_cns_as_ben_brahim_prints_it(times, printed):
    runs = [[feature] for feature, n_times in enumerate(times) for _ in range(n_times)]
    assert round(kuncheva(runs, n_features=7129), 4) == printed


def test_kuncheva_refuses_sizes_that_differ_and_offers_another_index():
    with pytest.raises(ValueError, match=r"from 1 to 2 features\. Use nogueira"):
        kuncheva([[0], [0, 1]], n_features=5)
    with pytest.raises(ValueError, match="Use nogueira"):
        pairwise([[0], [0, 1]], n_features=5)


def test_kuncheva_where_it_is_undefined():
    assert np.isnan(kuncheva([[], []], n_features=5))
    assert kuncheva(np.ones((3, 4), dtype=bool)) == 0.0
    assert kuncheva(np.ones((3, 4), dtype=bool), when_all_chosen=1.0) == 1.0
    assert np.isnan(pairwise([[], []], n_features=5)).all()
    assert (pairwise(np.ones((3, 4), dtype=bool)) == 0.0).all()


def test_empty_selections_agree_with_each_other_only():
    for index in (jaccard, dice, ochiai, percentage_overlap):
        assert index([[], []]) == 1.0
        assert index([[], ["a"]]) == 0.0


def test_lustgarten_is_undefined_if_a_run_chooses_nothing_or_everything():
    assert np.isnan(lustgarten([[], [0]], n_features=4))
    assert np.isnan(lustgarten([[0, 1, 2, 3], [0]], n_features=4))


def test_lustgarten_of_identical_selections_is_below_one_by_the_share_chosen():
    assert lustgarten([[0, 1], [0, 1]], n_features=10) == pytest.approx(0.8)


@pytest.mark.parametrize("name", FREE_SIZES)
def test_an_index_is_its_definition_over_all_pairs(name, seed):
    rng = np.random.default_rng([seed, 11])
    for n_runs, n_features, share in [(2, 5, 0.5), (7, 40, 0.2), (30, 90, 0.03), (5, 12, 0.9), (4, 30, 0.0)]:
        runs = rng.random((n_runs, n_features)) < share
        expected = twins.mean_over_pairs(getattr(twins, name), _sets(runs), n_features)
        assert getattr(indices, name)(runs) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_kuncheva_is_its_definition_over_all_pairs(seed):
    rng = np.random.default_rng([seed, 12])
    for n_runs, n_features, size in [(2, 5, 1), (7, 40, 13), (25, 60, 59), (5, 12, 6)]:
        runs = _random_runs(rng, n_runs, n_features, size)
        expected = twins.mean_over_pairs(twins.kuncheva, _sets(runs), n_features)
        assert kuncheva(runs) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["kuncheva", *FREE_SIZES])
def test_the_mean_over_pairs_of_the_matrix_is_the_index(name, seed):
    runs = _random_runs(np.random.default_rng([seed, 13]), 8, 30, 6)
    matrix = pairwise(runs, index=name)
    assert matrix[np.triu_indices(8, k=1)].mean() == pytest.approx(getattr(indices, name)(runs), abs=1e-12)
    assert np.allclose(matrix, matrix.T)


def test_the_matrix_of_one_way_overlap_is_read_along_rows():
    assert pairwise([["a"], ["a", "b"]], index="percentage_overlap").tolist() == [[1.0, 1.0], [0.5, 1.0]]


def test_the_matrix_of_nogueira_is_that_of_two_runs_each(seed):
    runs = np.random.default_rng([seed, 14]).random((6, 20)) < 0.4
    matrix = pairwise(runs, index="nogueira")
    sets = _sets(runs)
    for i in range(6):
        for j in range(6):
            assert matrix[i, j] == pytest.approx(twins.nogueira([sets[i], sets[j]], 20), abs=1e-12)


def test_an_unknown_index_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match="Pass one of kuncheva, jaccard"):
        pairwise([[0], [1]], index="tanimoto", n_features=3)


@pytest.mark.parametrize("name", ["kuncheva", *FREE_SIZES])
def test_the_order_of_runs_and_features_does_not_matter(name, seed):
    rng = np.random.default_rng([seed, 15])
    runs = _random_runs(rng, 9, 50, 10)
    shuffled = runs[rng.permutation(9)][:, rng.permutation(50)]
    assert getattr(indices, name)(shuffled) == pytest.approx(getattr(indices, name)(runs), abs=1e-12)


@pytest.mark.parametrize("name", ["kuncheva", "jaccard", "dice", "ochiai", "percentage_overlap"])
def test_identical_runs_are_perfectly_stable(name):
    runs = np.tile(np.arange(30) < 7, (6, 1))
    assert getattr(indices, name)(runs) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", ["kuncheva", *FREE_SIZES])
def test_all_forms_of_runs_give_one_value(name, seed):
    runs = _random_runs(np.random.default_rng([seed, 16]), 5, 20, 4)
    index = getattr(indices, name)
    numbers = [np.flatnonzero(row) for row in runs]
    names = [[f"g{i}" for i in row] for row in numbers]
    values = [index(runs), index(runs.tolist()), index(numbers, n_features=20), index(names, n_features=20)]
    assert np.ptp(values) < 1e-15


def test_features_that_two_runs_share_are_counted_exactly_in_rare_and_common_columns(seed):
    rng = np.random.default_rng([seed, 17])
    # Columns of all frequencies, more of them than one block of the dense product holds.
    share = np.r_[rng.random(4300), np.full(900, 0.01), np.zeros(50)]
    left, right = rng.random((40, len(share))) < share, rng.random((30, len(share))) < share
    assert (shared_features(left) == left.astype(int) @ left.T.astype(int)).all()
    assert (shared_features(left, right) == left.astype(int) @ right.T.astype(int)).all()
