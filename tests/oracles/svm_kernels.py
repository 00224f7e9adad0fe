"""Slow twins of the kernels under linear machines, and the comparisons; sums of whole numbers and eighths are exact."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from holdfast.kernels import elimination, svm
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


def _problem(rng, *, is_full, costs=(0.125, 1.0, 4.0, 1e4)):
    """Inner products of a few samples, their signs and the bounds of their signed multipliers; full: of full rank."""
    n_samples = int(rng.choice([2, 5, 12]))
    n_features = n_samples + 3 if is_full else int(rng.choice([1, 3, 20]))
    X = rng.integers(-3, 4, size=(n_samples, n_features)).astype(float)
    gram = X @ X.T + (np.eye(n_samples) / 8 if is_full else 0.0)
    side = rng.permutation(np.where(np.arange(n_samples) % 2 == 0, 1.0, -1.0))
    box = rng.choice(costs) * rng.integers(1, 4, size=n_samples)
    return gram, side, np.where(side > 0, 0.0, -box), np.where(side > 0, box, 0.0)


def decision_values(gram, side, lowest, highest):
    """At the optimum, intercept aside: unique where the multipliers are not."""
    with localcontext() as context:
        context.prec = DIGITS
        exact = multipliers(decimals(gram), decimals(side), [Decimal(b) for b in (highest - lowest).tolist()])
        return (decimals(gram) @ (decimals(side) * exact)).astype(float)


def _is_allowed(dual, lowest, highest, off_balance=1e-10):
    is_balanced = abs(dual.sum()) <= off_balance * np.abs(dual).sum()
    return bool((dual >= lowest).all() and (dual <= highest).all() and is_balanced)


def compare_optimise(rng):
    gram, side, lowest, highest = _problem(rng, is_full=False, costs=(0.125, 1.0, 4.0))
    dual, slack = np.zeros(len(side)), side.copy()
    steps, gap = svm.optimise(gram, lowest, highest, dual, slack, 1e-10, 1_000_000)
    is_done = _is_allowed(dual, lowest, highest) and gap <= 1e-10 and steps < 1_000_000
    return [*(gram @ dual), *(side - slack), is_done], [
        *decision_values(gram, side, lowest, highest),
        *(gram @ dual),
        True,
    ]


def _at_the_optimum(is_full, found, problem, dual, slack):
    """The optimum, or that the kernel says it did not come to it, which it may where products are not of full rank.

    Then others go on from the multipliers, which have to be in their bounds and balanced but for what is put right.
    """
    gram, side, lowest, highest = problem
    legal = [_is_allowed(dual, lowest, highest, 1e-10 if found >= 0 else 1e-6), found >= 0 or not is_full]
    if found < 0:
        return legal, [True, True]
    slow = [*decision_values(*problem), *(gram @ dual)]
    return [*(gram @ dual), *(side - slack), *legal], [*slow, True, True]


def _scratch(n):
    return np.empty(n, dtype=np.int64), np.empty((n, n)), np.empty((2, n))


def compare_settle(rng):
    is_full = bool(rng.random() < 0.7)
    problem = gram, side, lowest, highest = _problem(rng, is_full=is_full)
    dual, slack = np.zeros(len(side)), side.copy()
    svm.optimise(gram, lowest, highest, dual, slack, float(rng.choice([1e-6, 1e-3, 0.1])), 1_000_000)
    slack[:] = np.nan
    found = svm.settle(gram, side, lowest, highest, dual, slack, *_scratch(len(side)), 1e-12, 4e-16, 200, 8)
    return _at_the_optimum(is_full, found, problem, dual, slack)


def compare_approach(rng):
    """From nothing, or from what suits another problem of the same samples."""
    is_full = bool(rng.random() < 0.7)
    problem = gram, side, lowest, highest = _problem(rng, is_full=is_full)
    dual, slack = np.zeros(len(side)), side.copy()
    if rng.random() < 0.5:
        other = gram + np.diag(rng.integers(0, 3, size=len(side)))
        svm.optimise(other, lowest, highest, dual, slack, 1e-3, 1_000_000)
    slack[:] = np.nan
    allowed = (1e-3, 1_000_000, 1e-12, 4e-16, 200, 8)
    found = svm.approach(gram, side, lowest, highest, dual, slack, *_scratch(len(side)), *allowed)
    return _at_the_optimum(is_full, found, problem, dual, slack)


def _rows(rng):
    """Features × samples in eighths, and some of the features."""
    values = rng.integers(-16, 17, size=(int(rng.integers(3, 12)), int(rng.choice([1, 7, 8, 9, 20])))) / 8
    return values, rng.permutation(len(values))[: int(rng.integers(1, len(values) + 1))]


def compare_weigh(rng):
    values, left = _rows(rng)
    dual, fast = rng.integers(-8, 9, size=values.shape[1]) / 4, np.full(len(left), np.nan)
    elimination.weigh(values, left, len(left), dual, np.empty(elimination.LANES), fast)
    return fast.tolist(), [abs(sum(v * d for v, d in zip(values[f], dual, strict=True))) for f in left]


def compare_nth_largest(rng):
    values = rng.integers(0, int(rng.choice([2, 5, 1000])), size=int(rng.integers(1, 40))).astype(float)
    n = int(rng.integers(1, len(values) + 1))
    return elimination.nth_largest(values, len(values), n, np.empty(len(values))), sorted(values, reverse=True)[n - 1]


def compare_add_products(rng):
    values, some = _rows(rng)
    sign, n_samples = float(rng.choice([-1.0, 1.0])), values.shape[1]
    gram = rng.integers(-4, 5, size=(n_samples, n_samples)).astype(float)
    fast = gram.copy()
    elimination.add_products(values, some, len(some), sign, fast)
    slow = [
        [gram[i, j] + sign * sum(values[f, i] * values[f, j] for f in some) for j in range(n_samples)]
        for i in range(n_samples)
    ]
    return fast.tolist(), slow


def compare_eliminate(rng):
    """Rounds in one call against an exact machine fitted anew in each: who is left, and the inner products of these."""
    values = rng.normal(size=(30, 9))
    side = np.where(np.arange(9) % 2 == 0, 1.0, -1.0)
    box = np.full(9, float(rng.choice([0.01, 1.0, 100.0])))
    sizes = np.array([30, 22, 15, 11])
    gram, dual, left = values.T @ values, np.zeros(9), np.arange(30)
    lowest, highest = np.where(side > 0, 0.0, -box), np.where(side > 0, box, 0.0)
    scratch = np.empty(9), np.empty(9, dtype=np.int64), np.empty((9, 9)), np.empty((2, 9)), np.empty(8)
    by_feature = np.empty(30), np.empty(30), np.empty(30, dtype=np.int64)
    done = np.zeros(1, dtype=np.int64)
    strength, rounds, notes = np.zeros(30), np.zeros(30, dtype=np.int64), np.zeros((3, 2))
    elimination.eliminate(
        values, np.zeros(30, dtype=bool), gram, side, lowest, highest, dual, left, sizes, *scratch, *by_feature,
        done, np.array([np.trace(gram)]), strength, rounds, notes, 1e-3, 40, 1e-12, 4e-16, 200, 8, 1e-13, 1e-12, 16.0,
    )  # fmt: skip
    kept = np.arange(30)
    expected_strength, expected_rounds, shares = np.zeros(30), np.zeros(30), np.zeros(3)
    for number, n_keep in enumerate(sizes[1 : 1 + done[0]]):
        with localcontext() as context:
            context.prec = DIGITS
            exact = multipliers(decimals(values[kept].T @ values[kept]), decimals(side), [Decimal(b) for b in box])
        weights = np.abs(values[kept] @ (side * exact.astype(float)))
        expected_strength[kept] = weights / weights.max()
        expected_rounds[kept] += 1
        shares[number] = weights.max() / weights.sum()
        kept = np.sort(kept[np.argsort(-weights)[:n_keep]])
    expected = values[kept].T @ values[kept]
    fast = [*left[: sizes[done[0]]], *gram.ravel(), *strength, *rounds, *notes[:, 1]]
    return fast, [*kept, *expected.ravel(), *expected_strength, *expected_rounds, *shares]


COMPARISONS = {
    "elimination.add_products": (compare_add_products, 0.0),
    "elimination.eliminate": (compare_eliminate, 1e-9),
    "elimination.nth_largest": (compare_nth_largest, 0.0),
    "elimination.weigh": (compare_weigh, 0.0),
    "svm.approach": (compare_approach, 1e-9),
    "svm.lay_out_features": (compare_lay_out_features, 0.0),
    "svm.optimise": (compare_optimise, 1e-7),
    "svm.settle": (compare_settle, 1e-9),
}
