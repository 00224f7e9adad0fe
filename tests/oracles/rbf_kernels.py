"""Slow twins of the kernels under radial machines, and the comparisons.

The machines are LIBSVM's, through scikit-learn. Where one is at a loss, its decision being nothing but rounding, either
class is right: such a test sample is left out.
"""

from __future__ import annotations

from itertools import combinations, product
from math import exp

import numpy as np
from sklearn import config_context
from sklearn.svm import SVC

from holdfast.kernels import rbf
from holdfast.measures._folds import Folds

STEP = 2.0**-18
UNTOUCHED = -7.0
LOSS = 3e-5
# Multipliers so near to a bound, as a share of the cost, are at it.
NOTHING = 1e-7


def decay(distances, gamma):
    """exp(-gamma · distance), but never below exp(-708)."""
    return [exp(max(-gamma * d, -708.0)) for d in distances]


def compare_decay(rng):
    n = int(rng.choice([1, 3, 8, 33]))
    distances = rng.random(n) * 10.0 ** rng.integers(-18, 7, size=n)
    distances[rng.random(n) < 0.2] = 0.0
    gamma = float(rng.choice([0.01, 1 / 3, 1.0, 7.0]))
    slow = decay(distances.tolist(), gamma)
    rbf.decay(distances, gamma)
    return distances / slow, np.ones(n)


def laid_out(column, centre, factor, is_rounded):
    """(value - centre) · factor of every sample; rounded half to even and cut at 2²⁵ if asked."""
    values = [(v - centre) * factor for v in column]
    return [float(min(max(round(v), -(2**25)), 2**25)) for v in values] if is_rounded else values


def squared_distances(columns, units, train, test):
    """Rows for training and test samples, columns for training samples."""
    values = np.array([laid_out(column, *unit) for column, unit in zip(columns, units, strict=True)])
    return ((values[:, [*train, *test], np.newaxis] - values[:, np.newaxis, train]) ** 2).sum(axis=0)


def _splits(rng, y, n_classes):
    """Training parts of two classes at least, their samples by class; some miss a class, some repeat samples."""
    splits, n_splits = [], int(rng.integers(1, 3))
    while len(splits) < n_splits:
        rows = rng.permutation(len(y))
        # Machines mirror their matrices in tiles of 32.
        n_train = int(rng.integers(34, 50) if rng.random() < 0.1 else rng.integers(5, 20))
        train = rng.choice(rows[:n_train], size=n_train) if rng.random() < 0.3 else rows[:n_train]
        if n_classes == 3 and rng.random() < 0.4:
            train = train[y[train] != rng.integers(3)]
        if len(set(y[train].tolist())) > 1:
            splits.append((train[np.argsort(y[train], kind="stable")], rows[n_train:]))
    return splits


def _joined(splits):
    """As the kernels read them: training samples stay in their order."""
    parts = Folds.of(splits)
    return np.concatenate([train for train, _ in splits]), parts.train_starts, parts.test, parts.test_starts


class _Case:
    """Measured, tied and constant features of two or three classes, copies among samples, splits, and units."""

    def __init__(self, rng):
        self.n_classes = int(rng.choice([2, 3, 3]))
        # Distances add up over four features at a time.
        n_samples, n_features = int(rng.integers(60, 90)), int(rng.integers(2, 10))
        self.y = rng.permutation(np.arange(n_samples) % self.n_classes)
        # Eighths, so that distances of values as they are have no rounding either.
        self.columns = np.round(8 * rng.normal(size=(n_features, n_samples)) + rng.choice([0, 0, 4, 12]) * self.y) / 8
        is_tied = rng.random(n_features) < 0.3
        self.columns[is_tied] = rng.integers(0, 3, size=(int(is_tied.sum()), n_samples))
        self.columns[:, rng.random(n_samples) < 0.1] = self.columns[:, :1]
        self.columns += rng.choice([0.0, 3.0], size=(n_features, 1))
        self.splits = [(train, np.sort(test)) for train, test in _splits(rng, self.y, self.n_classes)]
        if rng.random() < 0.3:
            self.columns[0, self.splits[0][0]] = 0.125
        self.is_rounded = bool(rng.random() < 0.6)
        if self.is_rounded and rng.random() < 0.3:
            self.columns[1, self.splits[0][1][0]] = 1e6
        parts = [self.columns[:, train] for train, _ in self.splits]
        deviations = np.array([part.std(axis=1) for part in parts])
        deviations[deviations < 1e-12] = 1.0
        centres = np.array([part.mean(axis=1) for part in parts])
        self.centres = centres if self.is_rounded else np.round(centres)
        self.factors = 1.0 / (deviations * STEP) if self.is_rounded else np.ones(centres.shape)

    @property
    def arrays(self):
        return self.centres, self.factors, self.is_rounded

    def distances(self, s, features):
        """Squared distances in a split."""
        units = [(self.centres[s, f], self.factors[s, f], self.is_rounded) for f in features]
        train, test = (part.tolist() for part in self.splits[s])
        return squared_distances(self.columns[features].tolist(), units, train, test)

    def kept(self, features):
        """Distances of all splits one after the other; those before the diagonal are not written."""
        found = [self.distances(s, features) for s in range(len(self.splits))]
        starts = np.cumsum([0, *(rows.size for rows in found)])
        for rows in found:
            rows[np.tril_indices(rows.shape[1], -1)] = UNTOUCHED
        return starts, np.concatenate([rows.ravel() for rows in found])


def _some(rng, n_features):
    return rng.permutation(n_features)[: int(rng.integers(1, n_features + 1))].tolist()


def compare_keep_distances(rng):
    case = _Case(rng)
    features = _some(rng, len(case.columns))
    starts, slow = case.kept(features)
    fast = np.full(starts[-1], UNTOUCHED)
    values = np.empty((len(features), case.columns.shape[1]))
    rbf.keep_distances(case.columns, *case.arrays, *_joined(case.splits), np.array(features), starts, fast, values)
    return fast.tolist(), slow.tolist()


def trained(gram, sides, costs):
    """Signed multipliers at the optimum, and the intercept: halfway between the least and the largest that is allowed.

    A multiplier off its bounds allows one only. What rounding leaves of a multiplier that is at its bound does not.
    """
    with config_context(assume_finite=True, skip_parameter_validation=True):
        machine = SVC(kernel="precomputed", tol=1e-8, shrinking=False).fit(gram, sides, sample_weight=costs)
    dual = np.zeros(len(sides))
    dual[machine.support_] = machine.dual_coef_[0]
    dual[np.abs(dual) < NOTHING * costs] = 0.0
    is_full = np.abs(dual) > (1 - NOTHING) * costs
    slack = sides - gram @ dual
    may_rise, may_fall = (np.where(sides == side, ~is_full, dual != 0) for side in (1, -1))
    return dual, (slack[may_rise].max() + slack[may_fall].min()) / 2


def decisions(gram, labels, n_classes, costs):
    """Decision of every pair of classes on every test sample, above 0 for the first of the two."""
    labels, found = np.array(labels), {}
    for pair in combinations(range(n_classes), 2):
        rows = np.flatnonzero(np.isin(labels, pair))
        sides = np.where(labels[rows] == pair[0], 1, -1)
        if abs(sides.sum()) < len(rows):
            dual, intercept = trained(gram[np.ix_(rows, rows)], sides, costs[labels[rows]])
            found[pair] = gram[len(labels) :, rows] @ dual + intercept
    return found


def voted(found, t, n_classes):
    """Class of most votes for a test sample, the first of several; more than one class if a machine is at a loss."""
    sides = [
        pair if abs(values[t]) <= LOSS else (pair[0] if values[t] > 0 else pair[1],) for pair, values in found.items()
    ]
    return {max(range(n_classes), key=lambda c: (votes.count(c), -c)) for votes in product(*sides)}


class _Judged:
    """A case with costs, a way to find gamma, and what machines say of sets."""

    def __init__(self, rng):
        self.case = case = _Case(rng)
        self.gamma = rng.choice(["auto", "scale", "number"])
        self.number = float(rng.choice([0.05, 0.3, 2.0]))
        self.costs = rng.choice([0.25, 1.0, 4.0], size=(len(case.splits), case.n_classes))
        for s, (train, _) in enumerate(case.splits):
            self.costs[s, [c for c in range(case.n_classes) if c not in case.y[train]]] = 0.0

    @property
    def sums(self):
        """Mean of each feature in each training part, and of its square; standardised they are 0 and 1 or 0."""
        parts = [self.case.columns[:, train] for train, _ in self.case.splits]
        shape = len(parts), len(self.case.columns)
        if self.gamma != "scale":
            return np.zeros(shape), np.ones(shape)
        if self.case.is_rounded:
            return np.zeros(shape), np.array([part.std(axis=1) > 1e-12 for part in parts], dtype=float)
        return np.array([part.mean(axis=1) for part in parts]), np.array([(part**2).mean(axis=1) for part in parts])

    def width(self, s, features):
        """The gamma of a set in a split, as scikit-learn defines it."""
        if self.gamma == "number":
            return self.number
        values = self.case.columns[features][:, self.case.splits[s][0]]
        if self.case.is_rounded:
            values = (values - values.mean(axis=1, keepdims=True)) * self.case.factors[s, features, np.newaxis] * STEP
        if self.gamma == "auto":
            return 1.0 / len(features)
        return 1.0 / (len(features) * values.var()) if values.var() > 1e-12 else 1.0

    def decisions(self, s, features):
        """What the machines of a split say of its test samples."""
        unit = STEP**2 if self.case.is_rounded else 1.0
        gram = np.exp(-self.width(s, features) * unit * self.case.distances(s, features))
        labels = self.case.y[self.case.splits[s][0]].tolist()
        return decisions(gram, labels, self.case.n_classes, self.costs[s])

    def hits(self, sets):
        """Test samples of each class that are right with each set; those that may be either drop out."""
        case = self.case
        found = [[self.decisions(s, features) for features in sets] for s in range(len(case.splits))]
        hits = [[0] * case.n_classes for _ in sets]
        for s, (train, test) in enumerate(case.splits):
            said = [[voted(own, t, case.n_classes) for t in range(len(test))] for own in found[s]]
            sure = [t for t in range(len(test)) if all(len(own[t]) == 1 for own in said)]
            for i, t in product(range(len(sets)), sure):
                c = int(case.y[test[t]])
                hits[i][c] += said[i][t] == {c}
            case.splits[s] = (train, test[sure])
        return hits


def _scratch(n_changed, n_samples, most, tested, n_classes):
    return (
        np.full((n_changed, n_samples), np.nan),
        np.full(most * (most + tested), np.nan),
        np.full(most * most, np.nan),
        *(np.full(most, np.nan) for _ in range(4)),
        *(np.full(most, 9) for _ in range(2)),
        np.full(n_classes + 1, 9),
        np.full(tested * n_classes, 9),
    )


def compare_count_hits(rng):
    judged = _Judged(rng)
    case, n_features = judged.case, len(judged.case.columns)
    base = _some(rng, n_features) if rng.random() < 0.6 else []
    sets = [_some(rng, n_features) for _ in range(2)] + [base] * (len(base) > 0)
    changes = [([f for f in one if f not in base], [f for f in base if f not in one]) for one in sets]
    slow = judged.hits(sets)
    base_starts, kept = (
        case.kept(base) if base else (np.zeros(len(case.splits) + 1, dtype=np.int64), np.full(1, UNTOUCHED))
    )
    means, squares = judged.sums
    starts = np.cumsum([0, *(len(added) + len(removed) for added, removed in changes)])
    most, tested = (max(len(split[side]) for split in case.splits) for side in (0, 1))
    fast = np.full((len(sets), case.n_classes), 9)
    tolerance, patience = ((1e-6, 40), (1e-9, 10_000))[rng.integers(2)]
    rbf.count_hits(
        case.columns, case.y, *case.arrays, means, squares, judged.number if judged.gamma == "number" else 0.0,
        STEP**2 if case.is_rounded else 1.0, judged.costs, *_joined(case.splits),
        len(base), means[:, base].sum(axis=1), squares[:, base].sum(axis=1), base_starts, kept,
        np.array([f for added, removed in changes for f in added + removed], dtype=np.int64), starts,
        np.array([len(added) for added, _ in changes]), tolerance, patience, fast,
        *_scratch(int(np.diff(starts).max()), case.columns.shape[1], most, tested, case.n_classes),
    )  # fmt: skip
    return fast.tolist(), slow


COMPARISONS = {
    "rbf.count_hits": (compare_count_hits,),
    "rbf.decay": (compare_decay, 5e-16),
    "rbf.keep_distances": (compare_keep_distances,),
}
