"""Slow twins of the kernels of penalised models."""

from __future__ import annotations

from math import exp, log1p

import numpy as np

from holdfast.kernels import penalised


def _loss(predicted, target, is_logistic):
    if not is_logistic:
        return sum((t - p) ** 2 for p, t in zip(predicted, target, strict=True)) / 2 / len(target)
    return sum(log1p(exp(-p)) if t else log1p(exp(p)) for p, t in zip(predicted, target, strict=True)) / len(target)


def compare_mean_loss(rng):
    """Log-odds of either class, or squares."""
    is_logistic = bool(rng.integers(2))
    predicted, target = rng.normal(size=7) * 5, rng.integers(0, 2, size=7).astype(float)
    return [penalised.mean_loss(predicted, target, is_logistic)], [_loss(predicted, target, is_logistic)]


def compare_solve_symmetric(rng):
    """A solution where the matrix has full rank, and none where two rows are equal."""
    factor = rng.normal(size=(5, 8))
    if is_flat := bool(rng.integers(2)):
        factor[3] = factor[1]
    matrix, right = factor @ factor.T, rng.normal(size=5)
    fast = right.copy()
    could = penalised.solve_symmetric(matrix.copy(), np.empty(5), fast, 1e-10)
    if is_flat:
        return [could], [False]
    return [could, *fast], [True, *np.linalg.solve(matrix, right)]


def compare_newton(rng):
    """The minimum has a slope of zero; a coefficient on the way to zero stops there and is marked."""
    n_samples, n_coefficients = 12, 3
    is_logistic = bool(rng.integers(2))
    rows = np.vstack([np.ones(n_samples), rng.normal(size=(n_coefficients, n_samples))])
    target = rng.integers(0, 2, size=n_samples).astype(float)
    l1, l2 = float(rng.choice([0.01, 0.3])), float(rng.choice([0.05, 1.0]))
    signs = rng.choice([-1.0, 1.0], size=n_coefficients)
    start = np.concatenate([[0.0], signs * rng.random(n_coefficients)])
    at, leaves = start.copy(), np.zeros(n_coefficients, dtype=bool)
    scratch = np.empty((4, n_samples)), np.empty((4, 4)), np.empty((3, 4))
    answer = penalised.newton(
        rows, target, is_logistic, l1, l2, signs, at, *scratch[0], scratch[1], *scratch[2], leaves, 100, 1e-9, 1e-10
    )

    def objective(point):
        penalty = l1 * signs @ point[1:] + l2 * point[1:] @ point[1:] / 2
        return _loss(point @ rows, target, is_logistic) + penalty

    went_down = objective(at) <= objective(start) + 1e-12
    kept_signs = (signs * at[1:] > -1e-12).all()
    if answer == penalised.LEAVING:
        return [went_down, kept_signs, *np.abs(at[1:][leaves])], [True, True, *np.zeros(leaves.sum())]
    chance = 1 / (1 + np.exp(-at @ rows)) if is_logistic else at @ rows
    slope = rows @ (chance - target) / n_samples + np.concatenate([[0.0], l1 * signs + l2 * at[1:]])
    return [answer, went_down, kept_signs, *slope], [penalised.SETTLED, True, True, *np.zeros(4)]


COMPARISONS = {
    "penalised.mean_loss": (compare_mean_loss, 1e-12),
    "penalised.newton": (compare_newton, 1e-9),
    "penalised.solve_symmetric": (compare_solve_symmetric, 1e-8),
}
