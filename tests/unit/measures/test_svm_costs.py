"""Costs of errors at both ends: so small that decisions are small, and so large that only errors count."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from holdfast import SVMRFE
from holdfast.measures.svm import Features, Gram, widest_margin


def _noise(n_samples, n_features, share, seed):
    rng = np.random.default_rng([seed, 72])
    side = np.where(np.arange(n_samples) < share * n_samples, 1.0, -1.0)
    return rng.normal(size=(n_samples, n_features)), side


def _least_errors(X, side):
    """Weights of the smallest sum of errors, whatever their size, by linear programming."""
    n_samples, n_features = X.shape
    rows = -np.hstack([side[:, None] * X, side[:, None], np.eye(n_samples)])
    costs = np.r_[np.zeros(n_features + 1), np.ones(n_samples)]
    bounds = [(None, None)] * (n_features + 1) + [(0, None)] * n_samples
    return linprog(costs, A_ub=rows, b_ub=-np.ones(n_samples), bounds=bounds).x[:n_features]


FORMS = {"matrix": lambda X: Gram(X @ X.T, X.shape[1]), "features": lambda X: Features(np.ascontiguousarray(X.T))}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("C", [1e3, 1e4, 1e6, 1e8])
def test_where_classes_overlap_and_errors_cost_much_they_are_fewest(form, C, seed):
    X, side = _noise(200, 6, 0.5, seed)
    margin = widest_margin(FORMS[form](X), side, np.full(200, C))
    expected = _least_errors(X, side)
    np.testing.assert_allclose(margin.dual @ X, expected, atol=1e-13 * C * np.abs(expected).max())


@pytest.mark.parametrize("form", FORMS)
def test_weights_are_proportional_to_small_costs(form, seed):
    X, side = _noise(40, 60, 0.35, seed)
    found = [widest_margin(FORMS[form](X), side, np.full(40, C)).dual @ X / C for C in (1e-5, 1e-8, 1e-12)]
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-6, atol=1e-6)


def test_a_cost_beyond_rounding_is_told_of(seed):
    X, side = _noise(200, 6, 0.5, seed)
    with pytest.warns(ConvergenceWarning, match="Lower C"):
        widest_margin(FORMS["matrix"](X), side, np.full(200, 1e12))


def test_no_weights_at_all_are_no_reason_to_warn():
    X, side = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([1.0, 1.0, -1.0, -1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        margin = widest_margin(Gram(X @ X.T), side, np.full(4, 10.0))
    assert margin.dual @ X == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_weights_that_are_only_rounding_are_none(C, seed):
    """The same samples in both classes: nothing separates them, so that every weight is exactly 0."""
    Z = np.random.default_rng([seed, 75]).normal(size=(9, 5))
    fitted = SVMRFE(2, C=C).fit(np.vstack([Z, Z[::-1]]), np.repeat([0, 1], 9))
    assert fitted.scores_.tolist() == [0.0] * 5
