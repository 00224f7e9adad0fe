"""Slow twin of the rankings by entry into a penalised linear model: each penalty by itself, from the inside.

A coefficient is the difference of two numbers that are not negative, and the method comes from the inside of their
range. In a lasso copies and mirror images count as one feature, which shares its coefficient evenly among them.
"""

from __future__ import annotations

from math import inf, log

import numpy as np

from oracles.ranking import n_to_select
from oracles.ties import best_first_order


def standardised(column, scale):
    """Centred values, with a mean square of 1 if asked for; None for a constant."""
    column = np.array([float(v) for v in column])
    if len(set(column.tolist())) == 1:
        return None
    column = column - column.mean()
    return column / np.sqrt(np.mean(column**2)) if scale == "standard" else column


def targets_of(y, loss):
    """For each class but one of two: 0 and 1, or two numbers of mean 0 and mean square 1."""
    classes = sorted(set(y))
    found = []
    for c in classes[1:] if len(classes) == 2 else classes:
        is_class = np.array([float(label == c) for label in y])
        found.append(is_class if loss == "logistic" else standardised(2 * is_class - 1, "standard"))
    return found


def _derivatives(loss, predicted, target):
    """Slope and curvature of the loss of each sample."""
    if loss == "squared":
        return predicted - target, np.ones(len(target))
    chance = 1 / (1 + np.exp(-predicted))
    return chance - target, chance * (1 - chance)


def coefficients(Z, target, loss, l1, l2):
    """Minimise mean loss + l1 Σ|β| + l2/2 Σβ² over intercept and β; also the gradients of the mean loss."""
    n, p = Z.shape
    design = np.column_stack([np.ones(n), Z, -Z])
    # Penalty on the squares of differences of the two parts.
    ridge = np.zeros((2 * p + 1, 2 * p + 1))
    for j in range(p):
        ridge[np.ix_([1 + j, 1 + p + j], [1 + j, 1 + p + j])] = [[l2, -l2], [-l2, l2]]
    point = np.append(0.0, np.ones(2 * p))
    if loss == "logistic":
        point[0] = log(target.mean() / (1 - target.mean()))
    dual = np.full(2 * p, l1)
    for _ in range(400):
        slope, curvature = _derivatives(loss, design @ point, target)
        gradient = design.T @ slope / n + ridge @ point + np.append(0.0, np.full(2 * p, l1))
        gap = point[1:] @ dual / (2 * p)
        unmet = np.abs(gradient - np.append(0.0, dual)).max()
        if gap < 1e-15 and unmet < 1e-13:
            break
        aim = max(0.1 * gap, 1e-16)
        system = (design * curvature[:, np.newaxis]).T @ design / n + ridge
        system[np.diag_indices(2 * p + 1)] += np.append(0.0, dual / point[1:])
        move = np.linalg.solve(system, -(gradient - np.append(0.0, aim / point[1:])))
        move_dual = aim / point[1:] - dual - dual / point[1:] * move[1:]
        step = min(1.0, *(0.95 * _reach(value, change) for value, change in ((point[1:], move[1:]), (dual, move_dual))))
        point, dual = point + step * move, dual + step * move_dual
    else:
        assert gap < 1e-13, (gap, unmet)
    slope, _ = _derivatives(loss, design @ point, target)
    return point[1 : p + 1] - point[p + 1 :], Z.T @ slope / n


def _reach(value, change):
    falls = change < 0
    return (value[falls] / -change[falls]).min(initial=inf)


def same(one, other):
    """Whether two features are copies or mirror images."""
    return min(np.abs(one - other).max(), np.abs(one + other).max()) < 1e-9 * np.abs(one).max()


def _path(columns, y, parameters, wanted):
    """Step of entry (or -1) and size there of every feature, the last gradients, and the penalties, as shares."""
    l1_ratio, loss = parameters["l1_ratio"], parameters["loss"]
    # Each feature's first copy.
    stands_for = [
        next(g for g in range(f + 1) if g == f or (l1_ratio == 1 and same(columns[g], columns[f])))
        for f in range(len(columns))
    ]
    kept = sorted(set(stands_for))
    Z = np.column_stack([columns[f] for f in kept])
    targets = targets_of(y, loss)
    largest = max(np.abs(Z.T @ (t - t.mean())).max() for t in targets) / len(y) / l1_ratio
    n_penalties = parameters["n_penalties"]
    shares = [parameters["smallest_penalty"] ** (i / (n_penalties - 1)) for i in range(n_penalties)]
    step, size = dict.fromkeys(kept, -1), dict.fromkeys(kept, 0.0)
    for i, share in list(enumerate(shares))[1:]:
        l1, l2 = l1_ratio * share * largest, (1 - l1_ratio) * share * largest
        fits = [coefficients(Z, t, loss, l1, l2) for t in targets]
        new = [f for f in kept if step[f] < 0]
        for beta, gradient in fits:
            slack = 1 - np.abs(gradient) / l1
            for f in new:
                place = kept.index(f)
                if abs(beta[place]) > max(slack[place], 1e-8):
                    step[f] = i
                    size[f] = max(size[f], abs(beta[place]) / stands_for.count(f))
        if sum(step[f] >= 0 for f in stands_for) >= wanted:
            break
    gradients = dict(zip(kept, np.max([np.abs(g) for _, g in fits], axis=0) / l1_ratio / largest, strict=True))
    return [[found[f] for f in stands_for] for found in (step, size, gradients)], shares


def elastic_net(X, y, parameters, names=None):
    """Order by step of entry, then size of the coefficient there; the others by gradient; constants last."""
    raw = list(zip(*X, strict=True))
    columns = [standardised(column, parameters["scale"]) for column in raw]
    varying = [f for f, column in enumerate(columns) if column is not None]
    n_select = n_to_select(parameters, len(columns))
    (step, size, gradients), shares = _path([columns[f] for f in varying], y, parameters, n_select)
    scores, keys = [-inf] * len(columns), [(inf, inf)] * len(columns)
    for f, entry, here, gradient in zip(varying, step, size, gradients, strict=True):
        if entry >= 0:
            largest = max(s for s, k in zip(size, step, strict=True) if k == entry)
            scores[f], keys[f] = shares[entry], (entry, -round(here / largest, 8))
        else:
            scores[f], keys[f] = gradient, (inf, -round(gradient, 9))
    merit = [-float(sorted(set(keys)).index(key)) for key in keys]
    order = best_first_order(merit, n_select, raw, y, merit, names)
    return order, [scores[f] for f in order]
