"""Slow twins of the sequential searches: every set judged anew, by Michel 2018 and Pino Angulo 2019.

The folds are scikit-learn's; samples and features go by the orders that make a search blind to those of the table.
"""

from __future__ import annotations

from math import fsum, sqrt

import numpy as np
from sklearn.model_selection import KFold

from holdfast._random import child, generator, seed_sequence
from oracles import separation
from oracles.ranking import _halves, n_to_select
from oracles.ties import best_first_order, first_of, tied_best
from oracles.wrappers import EQUAL, sample_order, scale, stratified_splits


def nearest(distances, n_near):
    """Places of the nearest, nearest first; of those within 1e-10 of the nearest, the first."""
    left, found = list(range(len(distances))), []
    for _ in range(n_near):
        least = min(distances[i] for i in left)
        found.append(next(i for i in left if distances[i] <= least * (1 + EQUAL)))
        left.remove(found[-1])
    return found


def squared(columns, factors, one, other):
    """Squared distance of two samples."""
    return sum(((column[one] - column[other]) * factor) ** 2 for column, factor in zip(columns, factors, strict=True))


def voted(labels):
    """Class of most; the smaller class if two have as many."""
    return min(set(labels), key=lambda c: (-labels.count(c), c))


def right_with(columns, y, splits, k, kind, is_scaled=True):
    """Accuracy, or R², of k nearest neighbours over all test samples together."""
    wrong, truths = [], []
    for train, test in splits:
        factors = [scale([column[r] for r in train]) if is_scaled else 1.0 for column in columns]
        for t in test:
            near = nearest([squared(columns, factors, t, r) for r in train], k)
            labels = [y[train[i]] for i in near]
            said = voted(labels) if kind == "classes" else sum(labels) / k
            wrong.append(float(said != y[t]) if kind == "classes" else (y[t] - said) ** 2)
            truths.append(y[t])
    if kind == "classes":
        return 1 - sum(wrong) / len(wrong)
    mean = fsum(truths) / len(truths)
    return 1 - fsum(wrong) / fsum((truth - mean) ** 2 for truth in truths)


def neighbour_score(columns, y, splits, grid, kind, in_training, is_scaled=True):
    """Score of the number of neighbours that does best in cross-validation, the smallest if several do."""
    right = {k: right_with(columns, y, splits, k, kind, is_scaled) for k in sorted(grid)}
    k = tied_best(sorted(grid), right.get)[0]
    everything = list(range(len(y)))
    return right_with(columns, y, [(everything, everything)], k, kind, is_scaled) if in_training else right[k]


def delta(columns, y, samples, pool=None):
    """Half the mean squared difference between samples and their nearest neighbours (2.1, 2.2) among a pool."""
    errors = []
    for i in samples:
        others = [j for j in (samples if pool is None else pool) if j != i]
        (near,) = nearest([squared(columns, [1.0] * len(columns), i, j) for j in others], 1)
        errors.append((y[i] - y[others[near]]) ** 2)
    return fsum(errors) / (2 * len(errors))


def delta_in_parts(columns, y, splits, part):
    """Mean of the delta test without each part, inside each part, or with neighbours outside of it."""
    values = {
        "complement": lambda train, test: delta(columns, y, train),
        "fold": lambda train, test: delta(columns, y, test),
        "cross": lambda train, test: delta(columns, y, test, train),
    }
    return fsum(values[part](train, test) for train, test in splits) / len(splits)


def lw_index(columns, y, radius="max"):
    """Mean over the classes of the least distance to another centroid, less both radii (2.15, 2.16)."""
    rows = list(zip(*columns, strict=True))
    classes = sorted(set(y))
    own = {c: [row for row, label in zip(rows, y, strict=True) if label == c] for c in classes}
    centre = {c: [fsum(values) / len(own[c]) for values in zip(*own[c], strict=True)] for c in classes}
    apart = {c: [_distance(row, centre[c]) for row in own[c]] for c in classes}
    radii = {
        "max": {c: max(apart[c]) for c in classes},
        "mean": {c: fsum(apart[c]) / len(apart[c]) for c in classes},
        "rms": {c: sqrt(fsum(d * d for d in apart[c]) / len(apart[c])) for c in classes},
    }[radius]
    least = [min(_distance(centre[a], centre[b]) - (radii[a] + radii[b]) for b in classes if b != a) for a in classes]
    return fsum(least) / len(least)


def _distance(one, other):
    return sqrt(fsum((a - b) ** 2 for a, b in zip(one, other, strict=True)))


class Ordered:
    """Features by relevance and samples by content, as all searches see them."""

    def __init__(self, X, y, parameters, names):
        self.table = [list(map(float, column)) for column in zip(*X, strict=True)]
        self.kind = parameters.get("y_is", "classes")
        self.given, self.names, self.parameters = list(y), names, parameters
        if self.kind == "classes":
            statistic = separation.t_test if len(set(y)) == 2 else separation.f_test
            self.relevance = [statistic(column, y) for column in self.table]
        else:
            self.relevance = [abs(separation.pearson(column, y)) for column in self.table]
        self.tie_target = self.given if self.kind == "classes" else _halves(y)
        pool = best_first_order(self.relevance, len(self.table), self.table, self.tie_target, self.relevance, names)
        order = sample_order([self.table[f] for f in pool], self.given)
        self.y = [self.given[i] for i in order]
        self.columns = {f: [self.table[f][i] for i in order] for f in pool}
        numbers = {label: number for number, label in enumerate(dict.fromkeys(self.y))}
        self.codes = [numbers[label] for label in self.y] if self.kind == "classes" else self.y
        self.folds, _ = (child(seed_sequence(parameters.get("random_state", 0)), i) for i in (0, 1))

    def splits(self):
        """Folds of the samples as they are sorted."""
        n_folds, rng = self.parameters["cv"], np.random.default_rng(self.folds)
        if self.kind == "classes":
            return stratified_splits(self.y, n_folds, rng)
        seed = int(generator(rng).integers(2**31))
        folds = KFold(min(n_folds, len(self.y)), shuffle=True, random_state=seed)
        return [(train.tolist(), test.tolist()) for train, test in folds.split(np.zeros(len(self.y)))]

    def walk(self, score_of):
        """Forward: whichever feature makes the best set; constants when nothing else is open."""
        order, scores = [], []
        while len(order) < n_to_select(self.parameters, len(self.table)):
            rest = [f for f in self.columns if f not in order]
            rest = [f for f in rest if len(set(self.table[f])) > 1] or rest
            value = {f: score_of([self.columns[g] for g in [*order, f]]) for f in rest}
            tied = tied_best(rest, value.get)
            order.append(first_of(tied, self.table, self.tie_target, self.relevance, self.names))
            scores.append(value[order[-1]])
        return order, scores


def _neighbours(in_training):
    def oracle(X, y, parameters, names=None):
        data = Ordered(X, y, parameters, names)
        splits, grid = data.splits(), parameters["n_neighbors"]
        return data.walk(lambda columns: neighbour_score(columns, data.codes, splits, grid, data.kind, in_training))

    return oracle


def _delta_of(data):
    columns = data.columns
    data.columns = {f: [v * scale(column) for v in column] for f, column in columns.items()}
    width = max(data.codes) - min(data.codes)
    return [(v - min(data.codes)) / width for v in data.codes]


def dt(X, y, parameters, names=None):
    """Least delta test on all samples."""
    data = Ordered(X, y, parameters, names)
    target = _delta_of(data)
    return data.walk(lambda columns: -delta(columns, target, range(len(target))))


def dt_cv(X, y, parameters, names=None):
    """Least delta test on average over parts."""
    data = Ordered(X, y, parameters, names)
    target, splits = _delta_of(data), data.splits()
    return data.walk(lambda columns: -delta_in_parts(columns, target, splits, parameters["delta_part"]))


def sfs_lw(X, y, parameters, names=None):
    """Largest LW index of features in units of their ranges."""
    data = Ordered(X, y, parameters, names)
    for f, column in data.columns.items():
        width = (max(column) - min(column)) or 1.0
        data.columns[f] = [v / width for v in column]
    return data.walk(lambda columns: lw_index(columns, data.codes, parameters["radius"]))


fs_cv = _neighbours(in_training=False)
fs_train = _neighbours(in_training=True)
