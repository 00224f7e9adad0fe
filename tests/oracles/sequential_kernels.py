"""Slow twins of the kernels behind the sequential searches, and the comparisons."""

from __future__ import annotations

from math import inf, log2

import numpy as np

from holdfast.kernels import centroids, joint, near
from holdfast.kernels.information import log_table
from holdfast.measures._folds import Folds
from holdfast.measures._near import NearSet
from oracles.sequential import lw_index, nearest, squared, voted
from oracles.wrappers import _splits_and_columns, scale


class _Case:
    """A set, and features that join it, in splits of which some repeat training samples."""

    def __init__(self, rng, target_of):
        self.columns, classes, self.splits = _splits_and_columns(rng)
        self.n_near = int(rng.choice([1, 2, 4]))
        self.knows_itself = bool(rng.random() < 0.7)
        if not self.knows_itself:
            rows = np.arange(self.columns.shape[1])
            self.splits = [(rows, rows)]
        self.target = target_of(classes)
        self.scale = str(rng.choice(["standard", "range", "none"]))
        self.space = NearSet(
            self.target, Folds.of(self.splits), self.n_near, scale=self.scale, knows_itself=self.knows_itself
        )
        self.space.worth_sorting = int(rng.choice([0, 99]))
        features = rng.permutation(len(self.columns)).tolist()
        n_inside = int(rng.integers(len(features)))
        self.inside, self.outside = features[:n_inside], features[n_inside:]
        for f in self.inside:
            self.space.add(self.columns[f])

    def errors(self):
        """What the kernel says."""
        return self.space.errors_with(self.columns, np.array(self.outside), self.space.factors(self.columns)).tolist()

    def slow(self, error):
        """The same with every distance summed anew; ``error`` judges what neighbours say."""
        answer = []
        for f in self.outside:
            columns = self.columns[[*self.inside, f]].tolist()
            answer.append([self._split(columns, train.tolist(), test.tolist(), error) for train, test in self.splits])
        return answer

    def _split(self, columns, train, test, error):
        factors = [self._factor([column[r] for r in train]) for column in columns]
        totals = [0.0] * self.n_near
        for t in test:
            distances = [inf if r == t and not self.knows_itself else squared(columns, factors, t, r) for r in train]
            said = [self.target[train[i]] for i in nearest(distances, self.n_near)]
            for k in range(self.n_near):
                totals[k] += error(said[: k + 1], self.target[t])
        return totals

    def _factor(self, values):
        if self.scale == "none":
            return 1.0
        if self.scale == "standard":
            return scale(values)
        width = max(values) - min(values)
        return 1 / width if width else 0.0


def compare_vote_errors(rng):
    case = _Case(rng, lambda classes: classes)
    return case.errors(), case.slow(lambda said, truth: int(voted(said) != truth))


def compare_mean_errors(rng):
    case = _Case(rng, lambda classes: classes * 1.5 + rng.normal(size=len(classes)).round(2))
    return case.errors(), case.slow(lambda said, truth: (truth - sum(said) / len(said)) ** 2)


def compare_join(rng):
    columns, _, splits = _splits_and_columns(rng)
    folds, factors = Folds.of(splits), rng.random(len(splits))
    longest = max(len(train) for train, _ in splits)
    whole = np.ones((len(folds.test), longest))
    near.join(columns[0], factors, *folds.arrays, whole)
    slow = []
    for (train, test), factor in zip(splits, factors, strict=True):
        for t in test:
            row = [1.0 + (columns[0][r] - columns[0][t]) ** 2 * factor for r in train]
            slow.append(row + [1.0] * (longest - len(row)))
    return whole.tolist(), slow


def compare_joint_information(rng):
    n, n_levels, n_classes = int(rng.integers(4, 40)), int(rng.integers(1, 6)), int(rng.integers(2, 4))
    labels, y = rng.integers(0, 5, size=n), rng.integers(0, n_classes, size=n)
    levels = rng.integers(0, n_levels, size=(3, n)).astype(np.uint8)
    table, unit = log_table(n)
    counts, both = np.zeros(5 * n_levels, dtype=np.int64), np.zeros(5 * n_levels * n_classes, dtype=np.int64)
    sums = np.empty(3, dtype=np.int64)
    joint.joint_information(labels, levels, n_levels, y, n_classes, table, counts, both, sums)
    slow = []
    for own in levels.tolist():
        pairs = list(zip(labels.tolist(), own, strict=True))
        triples = list(zip(pairs, y.tolist(), strict=True))
        slow.append(_sum_of_logs(triples) - _sum_of_logs(pairs))
    assert not counts.any()
    assert not both.any()
    return sums * unit * n, slow


def _sum_of_logs(values):
    return sum(values.count(v) * log2(values.count(v)) for v in set(values))


def _classes_and_columns(rng):
    n_classes = int(rng.integers(2, 4))
    y = rng.permutation(np.arange(int(rng.integers(2 * n_classes, 24))) % n_classes)
    return rng.normal(size=(int(rng.integers(1, 6)), len(y))), y, np.bincount(y)


def _means(columns, y, sizes):
    means = np.empty((len(columns), len(sizes)))
    centroids.class_means(columns, y, sizes, means)
    return means


def compare_class_means(rng):
    columns, y, sizes = _classes_and_columns(rng)
    slow = [[sum(column[y == c]) / sizes[c] for c in range(len(sizes))] for column in columns]
    return _means(columns, y, sizes).tolist(), slow


def compare_separations(rng):
    columns, y, sizes = _classes_and_columns(rng)
    means = _means(columns, y, sizes)
    features = rng.permutation(len(columns))
    inside = features[: int(rng.integers(len(features)))].tolist()
    movable = features[len(inside) :]
    own = sum(((columns[f] - means[f][y]) ** 2 for f in inside), np.zeros(len(y)))
    apart = sum(((means[f][:, None] - means[f]) ** 2 for f in inside), np.zeros((len(sizes), len(sizes))))
    radius, answer = int(rng.integers(3)), np.empty(len(movable))
    centroids.separations(columns, means, movable, y, sizes, own, apart, radius, np.empty(len(sizes)), answer)
    slow = [
        lw_index(columns[[*inside, f]].tolist(), y.tolist(), ("max", "mean", "rms")[radius]) for f in movable.tolist()
    ]
    return answer, slow


COMPARISONS = {
    "centroids.class_means": (compare_class_means, 1e-12),
    "centroids.separations": (compare_separations, 1e-9),
    "joint.joint_information": (compare_joint_information, 1e-9),
    "near.join": (compare_join, 1e-12),
    "near.mean_errors": (compare_mean_errors, 1e-9),
    "near.vote_errors": (compare_vote_errors,),
}
