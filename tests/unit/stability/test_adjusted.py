"""Nogueira's stability with similar features counted as partly the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

from holdfast.stability.adjusted import nogueira_adjusted
from holdfast.stability.correlated import similarity
from holdfast.stability.nogueira import nogueira
from oracles import agreement as twins


@pytest.fixture
def X(seed):
    rng = np.random.default_rng([seed, 81])
    return rng.normal(size=(20, 5)) @ rng.normal(size=(5, 25)) + rng.normal(size=(20, 25))


@pytest.fixture
def runs(seed):
    return np.random.default_rng([seed, 82]).random((8, 25)) < 0.3


def test_with_no_two_features_alike_it_is_nogueira(runs):
    assert nogueira_adjusted(runs, np.eye(25)) == pytest.approx(nogueira(runs), abs=1e-12)
    assert nogueira_adjusted(runs, sparse.eye(25)) == pytest.approx(nogueira(runs), abs=1e-12)


def test_it_is_its_definition(runs, X):
    alike = np.abs(np.corrcoef(X.T))
    sets = [set(np.flatnonzero(row).tolist()) for row in runs]
    assert nogueira_adjusted(runs, alike) == pytest.approx(twins.nogueira_adjusted(sets, 25, alike), abs=1e-10)


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_all_forms_of_similarity_give_one_value(runs, X, threshold):
    alike = np.abs(np.corrcoef(X.T))
    alike[alike < threshold] = 0.0
    dense = nogueira_adjusted(runs, alike)
    assert nogueira_adjusted(runs, sparse.csr_matrix(alike)) == pytest.approx(dense, abs=1e-10)
    assert nogueira_adjusted(runs, similarity(X, threshold=threshold)) == pytest.approx(dense, abs=1e-10)


def test_swapping_alike_features_counts_as_stable():
    alike = np.eye(20)
    alike[0, 1] = alike[1, 0] = 0.95
    swapped = [{0, 5}, {1, 5}, {0, 5}, {1, 5}]
    assert nogueira_adjusted(swapped, alike) > 0.95 > nogueira(swapped, n_features=20)


def test_identical_runs_are_perfectly_stable(X):
    assert nogueira_adjusted(np.tile(np.arange(25) < 6, (4, 1)), similarity(X)) == pytest.approx(1.0, abs=1e-12)


def test_it_is_undefined_without_a_choice(X):
    assert math.isnan(nogueira_adjusted(np.zeros((3, 25), dtype=bool), similarity(X)))
    assert math.isnan(nogueira_adjusted(np.ones((3, 25), dtype=bool), similarity(X)))
    assert math.isnan(nogueira_adjusted(np.eye(4, dtype=bool), np.ones((4, 4))))


def test_the_order_of_runs_and_features_does_not_matter(runs, X, seed):
    rng = np.random.default_rng([seed, 83])
    order = rng.permutation(25)
    moved = nogueira_adjusted(runs[rng.permutation(8)][:, order], similarity(X[:, order]))
    assert moved == pytest.approx(nogueira_adjusted(runs, similarity(X)), abs=1e-10)


@pytest.mark.parametrize(
    ("alike", "words"),
    [
        pytest.param(np.ones((3, 4)), "row and a column", id="not square"),
        pytest.param(np.zeros((4, 4)), "on the diagonal", id="diagonal"),
        pytest.param(np.eye(4) + np.diag([0.5] * 3, k=1), "not symmetric", id="one-sided"),
        pytest.param(sparse.csr_matrix(np.eye(4) + np.diag([0.5] * 3, k=1)), "not symmetric", id="one-sided sparse"),
        pytest.param(np.full((4, 4), np.nan), "missing", id="missing"),
        pytest.param(np.full((4, 4), "a"), "no numbers", id="words"),
        pytest.param(np.eye(5), "choose from 4 features", id="another table"),
    ],
)
def test_a_similarity_that_cannot_be_used_is_refused(alike, words):
    with pytest.raises(ValueError, match=words):
        nogueira_adjusted(np.eye(4, dtype=bool), alike)


def test_runs_given_by_name_are_refused():
    with pytest.raises(ValueError, match="by name cannot be matched with the columns of similarity"):
        nogueira_adjusted([["a"], ["b"]], np.eye(3))
