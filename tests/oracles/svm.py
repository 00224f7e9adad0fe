"""The soft-margin support vector machine of a definition: |w|²/2 + Σ cost·slack, its intercept free, to 50 digits.

The dual is solved by an active set in decimal arithmetic: go to the optimum of the multipliers between their bounds,
leave out one that meets a bound on the way, let in the one that breaks its condition most, until none does. Every step
is exact up to the last digits, so that features that tie do tie, whatever the condition of the data.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import inf
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

DIGITS = 80
ZERO = Decimal("1e-40")
BROKEN = Decimal("1e-30")
ROUNDING = Decimal("1e-13")
MANY = 20


class NotSeparable(Exception):
    """A hard margin is asked of classes that no hyperplane separates."""


def decimals(values):
    """Numbers as an array of decimals, digit by digit what the floats hold."""
    values = np.asarray(values, dtype=float)
    return np.array([Decimal(float(v)) for v in values.flat], dtype=object).reshape(values.shape)


def solve(matrix, right):
    """Solution of a system of equations and None, or None and a vector that the singular matrix maps to zero."""
    M = np.column_stack([matrix, right])
    n = len(matrix)
    least = ZERO * max(1, max(abs(v) for v in matrix.flat))
    pivots = []
    for column in range(n):
        free = [row for row in range(n) if row not in pivots]
        row = max(free, key=lambda r: abs(M[r, column]))
        if abs(M[row, column]) <= least:
            null = np.array([Decimal(0)] * n, dtype=object)
            null[column] = Decimal(1)
            for known, pivot in enumerate(pivots):
                null[known] = -M[pivot, column]
            return None, null
        M[row] = M[row] / M[row, column]
        for other in range(n):
            if other != row:
                M[other] = M[other] - M[other, column] * M[row]
        pivots.append(row)
    return np.array([M[row, -1] for row in pivots], dtype=object), None


def _saddle(Q, y, free):
    M = np.full((len(free) + 1, len(free) + 1), Decimal(0), dtype=object)
    M[:-1, :-1] = Q[np.ix_(free, free)]
    M[:-1, -1] = M[-1, :-1] = y[free]
    return M


def _first_pair(gradient, y, at_top):
    """Two multipliers at their bounds that break the conditions most; none if an intercept suits all."""
    wish = -y * gradient
    rises = [i for i in range(len(y)) if (y[i] > 0) != at_top[i]]
    falls = [i for i in range(len(y)) if (y[i] > 0) == at_top[i]]
    if not rises or not falls:
        return []
    i, j = max(rises, key=lambda r: wish[r]), min(falls, key=lambda r: wish[r])
    return [i, j] if wish[i] - wish[j] > BROKEN else []


def _reach(values, step, tops):
    """How far one may go along a step until a multiplier meets a bound, and which does."""
    reach, meets = inf, None
    for place, (value, change, top) in enumerate(zip(values, step, tops, strict=True)):
        if abs(change) <= ZERO:
            continue
        room = value if change < 0 else inf if top is None else top - value
        if room != inf and room / abs(change) < reach:
            reach, meets = room / abs(change), place
    return reach, meets


def _on_bounds(a, cost):
    """Multipliers, those that lie beside a bound by the last digits put on it."""
    found = [
        Decimal(0) if v <= ZERO else c if c is not None and v >= c - ZERO else v for v, c in zip(a, cost, strict=True)
    ]
    return np.array(found, dtype=object)


def multipliers(K, y, cost, start=None):
    """The dual's solution: between 0 and the cost of each sample (None for no limit), balanced over the classes."""
    n = len(y)
    Q = y[:, np.newaxis] * y * K
    a = np.array([Decimal(0)] * n, dtype=object) if start is None else _on_bounds(start, cost)
    free = [i for i in range(n) if a[i] > 0 and (cost[i] is None or a[i] < cost[i])]
    for turn in range(1000 * n):
        gradient = Q @ a - 1
        at_top = [cost[i] is not None and a[i] == cost[i] for i in range(n)]
        if not free:
            free = _first_pair(gradient, y, at_top)
            if not free:
                return a
        found, null = solve(_saddle(Q, y, free), np.append(-gradient[free], Decimal(0)))
        step, limit = (found[:-1], 1) if null is None else (null[:-1], inf)
        if null is not None and gradient[free] @ step > 0:
            step = -step
        tops = [cost[i] for i in free]
        reach, meets = _reach(a[free], step, tops)
        if reach == inf and null is not None:
            if abs(gradient[free] @ step) > BROKEN:
                raise NotSeparable
            step = -step
            reach, meets = _reach(a[free], step, tops)
        length = min(reach, limit)
        a[free] = a[free] + Decimal(length) * step
        if reach < limit or null is not None:
            left = free.pop(meets)
            a[left] = Decimal(0) if step[meets] < 0 else cost[left]
            continue
        slack = Q @ a - 1 + found[-1] * y
        broken = {i: slack[i] if at_top[i] else -slack[i] for i in range(n) if i not in free}
        broken = {i: size for i, size in broken.items() if size > BROKEN}
        if not broken:
            return a
        free = [*free, max(broken, key=broken.get) if turn < MANY * n else min(broken)]
    raise AssertionError("the active set goes in circles")


def intercept(K, y, cost, a):
    """The middle of all intercepts that suit the multipliers."""
    wish = y - K @ (y * a)
    is_low, is_top = a <= 0, np.array([c is not None and v >= c for v, c in zip(a, cost, strict=True)])
    at_least = [w for w, s, low, top in zip(wish, y, is_low, is_top, strict=True) if not (low if s < 0 else top)]
    at_most = [w for w, s, low, top in zip(wish, y, is_low, is_top, strict=True) if not (top if s < 0 else low)]
    return (max(at_least) + min(at_most)) / 2


def hyperplane(X, y, cost, start=None):
    """Weights, intercept and multipliers for samples of decimals, signs +1 and -1, and a cost for each sample."""
    with localcontext() as context:
        context.prec = DIGITS
        y = np.array([Decimal(int(v)) for v in y], dtype=object)
        K = X @ X.T
        a = multipliers(K, y, cost, start)
        parts = y * a
        # A weight this small beside the terms it is the sum of is the rounding of the table.
        size = (sum(K[i, i] for i in range(len(y))) / (len(y) * X.shape[1])).sqrt()
        least = ROUNDING * sum(a) * size
        w = [v if abs(v) > least else Decimal(0) for v in X.T @ parts]
        return np.array(w, dtype=object), intercept(K, y, cost, a), a


def scaled(X, scale):
    """Decimals between 0 and 1, or of mean 0 and deviation 1, a constant column 0; or as they are."""
    with localcontext() as context:
        context.prec = DIGITS
        X = decimals(X)
        if scale == "none":
            return X
        for column in X.T:
            low, high = min(column), max(column)
            if low == high:
                column[:] = column - low
            elif scale == "range":
                column[:] = (column - low) / (high - low)
            else:
                column[:] = column - sum(column) / len(column)
                column[:] = column / (column @ column / len(column)).sqrt()
        return X


def machines(y, multiclass):
    """Samples of each machine and their signs: every two classes, or every class against all others."""
    y = np.asarray(y)
    classes = sorted(set(y.tolist()))
    everyone = np.arange(len(y))
    if multiclass == "ovr" and len(classes) > 2:
        return [(everyone, np.where(y == c, 1, -1)) for c in classes]
    pairs = [(a, b) for i, a in enumerate(classes) for b in classes[i + 1 :]]
    return [(everyone[(y == a) | (y == b)], np.where(y[(y == a) | (y == b)] == a, 1, -1)) for a, b in pairs]


class Machines:
    """All machines of a table; they begin where the last fit ended, which changes nothing but the time."""

    def __init__(self, y, multiclass, C, sample_weight=None):
        self.parts = []
        for rows, signs in machines(y, multiclass):
            if sample_weight is not None:
                counts = [i for i, row in enumerate(rows) if sample_weight[row] > 0]
                rows, signs = rows[counts], signs[counts]
            # A product of floats, as a user would form it.
            weight = [1.0 if sample_weight is None else float(sample_weight[row]) for row in rows]
            cost = [None if C is None else Decimal(float(C) * v) for v in weight]
            if len(set(signs)) == 2:
                self.parts.append((rows, signs, cost))
        self.last = [None] * len(self.parts)

    def weights(self, X):
        """Weights of all hyperplanes, one row each."""
        found = []
        for number, (rows, signs, cost) in enumerate(self.parts):
            w, _, self.last[number] = hyperplane(X[rows], signs, cost, self.last[number])
            found.append(w)
        return np.array(found, dtype=object)

    def magnitude(self, X):
        """Root of the sum of squares over the hyperplanes, for every feature."""
        with localcontext() as context:
            context.prec = DIGITS
            return np.array([sum(w * w for w in column).sqrt() for column in self.weights(X).T], dtype=object)


def float_weights(X, y, multiclass, C, sample_weight=None):
    """Root of the sum of squares as floats, for wide tables: where features abound, products are of floats."""
    X = np.asarray(X, dtype=float)
    total = np.zeros(X.shape[1])
    for rows, signs, cost in Machines(y, multiclass, C, sample_weight).parts:
        with localcontext() as context:
            context.prec = DIGITS
            Z = X[rows]
            exact = decimals(Z) if Z.shape[1] < 2 * len(Z) else None
            K = decimals(Z @ Z.T) if exact is None else exact @ exact.T
            parts = decimals(signs) * multipliers(K, decimals(signs), cost, _near(Z, signs, cost))
            total += (Z.T @ parts.astype(float) if exact is None else (exact.T @ parts).astype(float)) ** 2
    return np.sqrt(total)


def _near(X, signs, cost):
    """Multipliers of scikit-learn's machine to begin with, balanced; what they are worth is found out later."""
    limits = np.array([1e6 if c is None else float(c) for c in cost])
    model = SVC(kernel="linear", C=1.0, tol=1e-6, max_iter=100_000)
    with catch_warnings():
        simplefilter("ignore", ConvergenceWarning)
        model.fit(X, signs, sample_weight=limits)
    found = np.zeros(len(signs))
    found[model.support_] = np.abs(model.dual_coef_[0])
    a = np.array([Decimal(float(v)) for v in found], dtype=object)
    for i, c in enumerate(cost):
        if c is not None and found[i] >= float(c):
            a[i] = c
    excess = sum(Decimal(int(s)) * v for s, v in zip(signs, a, strict=True))
    for i in sorted(range(len(a)), key=lambda r: -min(a[r], (cost[r] or Decimal("1e9")) - a[r])):
        change = -excess * int(signs[i])
        reached = max(Decimal(0), a[i] + change)
        reached = reached if cost[i] is None else min(cost[i], reached)
        excess += int(signs[i]) * (reached - a[i])
        a[i] = reached
        if not excess:
            break
    return a
