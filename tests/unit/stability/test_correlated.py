"""Significantly correlated pairs, and similarity by correlation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from holdfast import DataError
from holdfast.stability import correlated
from holdfast.stability.correlated import correlated_pairs, similarity
from oracles import agreement as twins


@pytest.fixture
def X(seed):
    rng = np.random.default_rng([seed, 61])
    signals = rng.normal(size=(25, 4))
    loads = 3.0 * rng.normal(size=(4, 30)) * (rng.random((4, 30)) < 0.4)
    return signals @ loads + rng.normal(size=(25, 30))


def _by_definition(X, rate):
    pairs = list(combinations(range(X.shape[1]), 2))
    tests = [pearsonr(X[:, i], X[:, j]) for i, j in pairs]
    kept = twins.benjamini_hochberg([test.pvalue for test in tests], rate)
    expected = np.zeros((X.shape[1], X.shape[1]), dtype=bool)
    for (i, j), test, is_kept in zip(pairs, tests, kept, strict=True):
        expected[i, j] = expected[j, i] = is_kept and test.statistic > 0
    return expected


@pytest.mark.parametrize("rate", [0.001, 0.05, 0.4])
def test_pairs_are_those_of_all_tests_one_by_one(X, rate):
    expected = _by_definition(X, rate)
    found = correlated_pairs(X, fdr=rate)
    assert expected.any()
    assert (found.toarray() == expected).all()
    assert found.dtype == bool


@pytest.mark.parametrize("n_bins", [1, 2, 7, 50])
def test_neither_tiles_nor_bins_change_the_pairs(X, monkeypatch, n_bins):
    whole = correlated_pairs(X, fdr=0.05).toarray()
    monkeypatch.setattr(correlated, "_TILE", 7)
    monkeypatch.setattr(correlated, "_N_BINS", n_bins)
    monkeypatch.setattr(correlated, "_AT_ONCE", 5)
    assert (correlated_pairs(X, fdr=0.05).toarray() == whole).all()


def test_equal_correlations_are_kept_or_dropped_together():
    rng = np.random.default_rng(3)
    a = rng.normal(size=12)
    b = 0.9 * a + rng.normal(size=12)
    # The same pair of columns three times: any cut keeps all of the equal correlations.
    found = correlated_pairs(np.column_stack([a, b, a, b, a, b]), fdr=0.3).toarray()
    expected = ~np.eye(6, dtype=bool)
    assert (found == expected).all()


def test_independent_columns_have_no_pairs(seed):
    rng = np.random.default_rng([seed, 62])
    assert correlated_pairs(rng.normal(size=(30, 40)), fdr=1e-6).nnz == 0


def test_opposite_columns_are_significant_but_no_pair():
    a = np.arange(12.0)
    assert correlated_pairs(np.column_stack([a, -a])).nnz == 0
    assert correlated_pairs(np.column_stack([a, a])).nnz == 2


def test_a_constant_feature_is_correlated_with_none():
    a = np.arange(12.0)
    found = correlated_pairs(np.column_stack([a, np.full(12, 0.1), a + 1e-9, np.zeros(12)])).toarray()
    assert np.argwhere(found).tolist() == [[0, 2], [2, 0]]


def test_scale_and_shift_do_not_matter(X):
    factors = 10.0 ** np.linspace(-120, 120, 30)
    assert (correlated_pairs(X * factors).toarray() == correlated_pairs(X).toarray()).all()


def test_a_data_frame_is_its_values(X):
    assert (correlated_pairs(pd.DataFrame(X)) != correlated_pairs(X)).nnz == 0


@pytest.mark.parametrize("rate", [0.0, 1.0, -1])
def test_a_rate_outside_of_0_and_1_is_refused(X, rate):
    with pytest.raises(ValueError, match="between 0 and 1"):
        correlated_pairs(X, fdr=rate)


def test_tables_without_correlations_are_refused(X):
    with pytest.raises(DataError, match="at least 3 samples"):
        correlated_pairs(X[:2])
    with pytest.raises(DataError, match="missing or infinite"):
        correlated_pairs(np.where(X > 2, np.nan, X))


def test_similarity_is_the_size_of_the_correlation(X):
    size = np.abs(np.corrcoef(X.T))
    found = similarity(X)
    assert np.allclose(found.among(np.arange(30)), size)
    assert np.allclose(found.among([4, 2]), size[np.ix_([4, 2], [4, 2])])
    assert found.total == pytest.approx(size.sum())
    assert found.n_features == 30


def test_similarity_below_the_threshold_is_none(X, monkeypatch):
    size = np.abs(np.corrcoef(X.T))
    size[size < 0.4] = 0.0
    monkeypatch.setattr(correlated, "_TILE", 8)
    found = similarity(X, threshold=0.4)
    assert np.allclose(found.among(np.arange(30)), size)
    assert found.total == pytest.approx(size.sum())


def test_a_constant_feature_is_like_itself_only():
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    assert similarity(X).among([0, 1]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert similarity(X).total == 2.0


def test_a_threshold_that_no_correlation_has_is_refused(X):
    with pytest.raises(ValueError, match="from 0 to 1"):
        similarity(X, threshold=1.5)
