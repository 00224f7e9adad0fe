"""Slow twins of the kernels under linear machines, and the comparisons; sums of whole numbers and eighths are exact."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from holdfast.kernels import svm
from oracles.svm import DIGITS, decimals, multipliers


def lay_out_features(X, shift, factor):
    """(x - shift) · factor, a row for each feature."""
    return [[(row[f] - shift[f]) * factor[f] for row in X] for f in range(len(shift))]


def compare_lay_out_features(rng):
    n_samples, n_features = int(rng.choice([1, 7, 33])), int(rng.choice([1, 7, 64, 65, 130]))
    X = rng.integers(-9, 10, size=(n_samples, n_features)).astype(rng.choice([np.float32, np.float64]))
    X.flags.writeable = False
    shift, factor = rng.integers(-3, 4, size=n_features) / 4, rng.choice([0.0, 0.5, 1.0, 8.0], size=n_features)
    fast = np.full((n_features, n_samples), np.nan)
    svm.lay_out_features(X, shift, factor, fast)
    return fast.tolist(), lay_out_features(X.tolist(), shift.tolist(), factor.tolist())


def compare_project(rng):
    n_samples, n_features = int(rng.choice([1, 7, 8, 9, 16, 33])), 9
    features = rng.integers(-9, 10, size=(n_features, n_samples)).astype(float)
    dual = rng.integers(-16, 17, size=n_samples) / 8
    chosen = rng.permutation(n_features)[: int(rng.integers(1, n_features + 1))]
    fast = np.full(len(chosen), np.nan)
    svm.project(features, chosen, dual, np.empty(svm.LANES), fast)
    answer = [sum(v * d for v, d in zip(features[f].tolist(), dual.tolist(), strict=True)) for f in chosen]
    return fast.tolist(), answer


def compare_optimise(rng):
    """Decision values at the optimum, which are unique where the multipliers are not, and that all is kept in step."""
    n_samples = int(rng.choice([2, 5, 12]))
    X = rng.integers(-3, 4, size=(n_samples, int(rng.choice([1, 3, 20])))).astype(float)
    gram = X @ X.T
    side = rng.permutation(np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0))
    box = rng.choice([0.125, 1.0, 4.0]) * rng.integers(1, 4, size=n_samples)
    lowest, highest = np.where(side > 0, 0.0, -box), np.where(side > 0, box, 0.0)
    dual, slack = np.zeros(n_samples), side.copy()
    steps, gap = svm.optimise(gram, lowest, highest, dual, slack, 1e-10, 1_000_000)
    with localcontext() as context:
        context.prec = DIGITS
        exact = multipliers(decimals(gram), decimals(side), [Decimal(b) for b in box.tolist()])
        values = (decimals(gram) @ (decimals(side) * exact)).astype(float)
    inside = bool((dual >= lowest).all() and (dual <= highest).all() and gap <= 1e-10 and steps < 1_000_000)
    fast = [*(gram @ dual), *(side - slack), dual.sum(), inside]
    return fast, [*values, *(gram @ dual), 0.0, True]


COMPARISONS = {
    "svm.lay_out_features": (compare_lay_out_features, 0.0),
    "svm.optimise": (compare_optimise, 1e-7),
    "svm.project": (compare_project, 0.0),
}
