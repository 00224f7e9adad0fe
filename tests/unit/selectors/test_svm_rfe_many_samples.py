"""More samples than features: inner products are not kept, and the picks are the same."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast import SVMRFE
from holdfast.measures import _products
from holdfast.selectors.linear._elimination import Elimination


def _overlapping(n_samples, n_features, n_classes, seed):
    rng = np.random.default_rng([seed, 71])
    y = np.arange(n_samples) % n_classes
    return rng.normal(size=(n_samples, n_features)) + 0.3 * np.outer(y, np.arange(n_features) < 4), y


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("C", [0.01, 1.0, 1000.0])
def test_both_ways_to_keep_inner_products_pick_the_same(C, n_classes, monkeypatch, seed):
    X, y = _overlapping(120, 25, n_classes, seed)
    kept = SVMRFE(10, C=C).fit(X, y)
    rows = np.random.default_rng(seed).integers(0, 120, 120)
    resampled = SVMRFE(10, C=C).resampler(X, y)(rows)
    monkeypatch.setattr(_products, "FEW_SAMPLES", 0)
    made = SVMRFE(10, C=C).fit(X, y)
    assert made.indices_.tolist() == kept.indices_.tolist()
    assert made.ranking_.tolist() == kept.ranking_.tolist()
    np.testing.assert_allclose(made.scores_, kept.scores_, rtol=1e-8, atol=1e-12)
    assert np.array_equal(SVMRFE(10, C=C).resampler(X, y)(rows), resampled)


@pytest.mark.parametrize("kind", ["measured", "levels", "copies"])
def test_rounds_in_one_call_choose_what_rounds_one_by_one_choose(kind, monkeypatch, seed):
    rng = np.random.default_rng([seed, 74])
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 150)) if kind == "measured" else rng.integers(0, 3, size=(40, 150)).astype(float)
    X[:, :5] += 0.5 * y[:, None]
    if kind == "copies":
        X[:, 100:] = X[:, :50]
        X[:, 99] = 1.0
    rows = [np.r_[0, 1, rng.integers(0, 40, 38)] for _ in range(4)]
    choose = SVMRFE(12).resampler(X, y)
    at_once = [choose(drawn) for drawn in rows]
    monkeypatch.setattr(Elimination, "_go_on", lambda self, sizes: 0)
    for drawn, chosen in zip(rows, at_once, strict=True):
        assert np.array_equal(choose(drawn), chosen)


def test_many_samples_are_solved_by_as_many_equations_as_features():
    """A matrix of 20,000 × 20,000 inner products would take 3.2 GB."""
    X, y = _overlapping(20_000, 8, 2, 0)
    fitted = SVMRFE(4).fit(X, y)
    assert sorted(fitted.indices_.tolist()) == [0, 1, 2, 3]
