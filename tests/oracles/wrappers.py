"""Slow twins of the wrappers and of the cross-validated nearest neighbour behind them, in plain Python.

The folds are scikit-learn's and the random draws numpy's; everything else is stated from the definitions. Distances
within 1e-10 of each other (relative) are equal, and the training sample that comes first is nearest.
"""

from __future__ import annotations

from functools import cache
from math import fsum, inf, sqrt

import numpy as np
from sklearn.model_selection import StratifiedKFold

from holdfast._random import generator, generators
from holdfast.kernels import knn
from holdfast.measures._folds import Folds
from oracles import neighbours, separation
from oracles.ranking import n_to_select
from oracles.ties import best_first_order, first_of, tied_best

EQUAL = 1e-10


def sample_order(columns, y):
    """Samples by distance from the middle rank in every feature, then by side; equal ones by class.

    Sides are read in the direction in which the first group of samples not told apart so far, and not balanced around
    the middle, lies above it. A class goes before another if it has more of the first group in which the two differ.
    """
    n = len(y)
    places = [[int(2 * r) - (n + 1) for r in separation.mid_ranks(column)] for column in columns]
    key = [[abs(place[i]) for place in places] for i in range(n)]
    for place in places:
        balances = [sum(place[i] for i in range(n) if key[i] == k) for k in sorted(map(list, set(map(tuple, key))))]
        sign = -1 if next(filter(None, balances), 0) < 0 else 1
        key = [[*key[i], sign * place[i]] for i in range(n)]
    groups = sorted(set(map(tuple, key)))
    group = [groups.index(tuple(k)) for k in key]
    profile = {c: [-sum(group[i] == g and y[i] == c for i in range(n)) for g in range(len(groups))] for c in set(y)}
    return sorted(range(n), key=lambda i: (group[i], profile[y[i]]))


def stratified_splits(y, n_folds, random_state):
    """Stratified folds of samples in the given order, no more than the smallest class has samples."""
    n_folds = min(n_folds, *(list(y).count(c) for c in set(y)))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=int(generator(random_state).integers(2**31)))
    return [(train.tolist(), test.tolist()) for train, test in folds.split(np.zeros(len(y)), y)]


def scale(values):
    """One over the population standard deviation; 0 for a constant."""
    if len(set(values)) == 1:
        return 0.0
    mean = fsum(values) / len(values)
    return 1 / sqrt(fsum((v - mean) ** 2 for v in values) / len(values))


def vote(distances, labels, n_neighbors):
    """Class of most of the nearest samples, the smaller class if two have as many."""
    left, voters = list(range(len(labels))), []
    for _ in range(n_neighbors):
        least = min(distances[i] for i in left)
        nearest = next(i for i in left if distances[i] <= least * (1 + EQUAL))
        voters.append(labels[nearest])
        left.remove(nearest)
    return min(set(voters), key=lambda c: (-voters.count(c), c))


def misclassified(columns, y, splits, n_neighbors=1, is_scaled=True):
    """A function from a subset of features to the number of test samples that nearest neighbours get wrong."""

    @cache
    def steps(feature, split):
        """Squared scaled difference of every test sample (rows) to every training sample."""
        train, test = splits[split]
        column = columns[feature]
        factor = scale([column[r] for r in train]) if is_scaled else 1.0
        return [[((column[r] - column[t]) * factor) ** 2 for r in train] for t in test]

    def count(subset):
        wrong = 0
        for s, (train, test) in enumerate(splits):
            labels = [y[r] for r in train]
            by_feature = [steps(f, s) for f in subset]
            for i, t in enumerate(test):
                distances = list(map(sum, zip(*(rows[i] for rows in by_feature), strict=True)))
                wrong += vote(distances, labels, n_neighbors) != y[t]
        return wrong

    return count


def subset_error(columns, y, n_folds, random_state):
    """Error of the default classifier on subsets of these columns, in their order."""
    order = sample_order(columns, y)
    columns, y = [[column[i] for i in order] for column in columns], [y[i] for i in order]
    splits = stratified_splits(y, n_folds, random_state)
    count = misclassified(columns, y, splits)
    n_classified = sum(len(test) for _, test in splits)
    return cache(lambda subset: count(sorted(subset)) / n_classified)


def _class_separation(columns, y):
    statistic = separation.t_test if len(set(y)) == 2 else separation.f_test
    return [statistic(column, y) for column in columns]


def _is_varying(column):
    return len(set(column)) > 1


def randomized(X, y, parameters, names=None):
    """Replace a random feature by a random one for as long as the error does not rise."""
    columns = [list(map(float, column)) for column in zip(*X, strict=True)]
    k = n_to_select(parameters, len(columns))
    relevance = _class_separation(columns, y)
    pool = best_first_order(relevance, len(columns), columns, y, relevance, names)
    pool = pool[: max(k, sum(map(_is_varying, columns)))]
    folds, walk = generators(parameters["random_state"], 2)
    error = subset_error([columns[f] for f in pool], y, parameters["cv"], folds)
    chosen = walk.choice(len(pool), size=k, replace=False).tolist()
    left = [place for place in range(len(pool)) if place not in chosen]
    best, n_in_vain, n_steps = error(frozenset(chosen)), 0, 0
    while left and n_steps < parameters["max_steps"] and n_in_vain < parameters["patience"]:
        n_steps += 1
        out, new = walk.integers(k), walk.integers(len(left))
        value = error(frozenset(chosen) - {chosen[out]} | {left[new]})
        n_in_vain = 0 if value < best else n_in_vain + 1
        if value <= best:
            chosen[out], left[new], best = left[new], chosen[out], value
    order = [pool[place] for place in sorted(chosen)]
    return order, [relevance[f] for f in order]


def hybrid_sequential(X, y, parameters, names=None):
    """The features of the best t or F, then forward by the error; constants come last."""
    columns = [list(map(float, column)) for column in zip(*X, strict=True)]
    relevance = _class_separation(columns, y)
    n_pool = min(parameters["prefilter_size"], len(columns))
    pool = best_first_order(relevance, n_pool, columns, y, relevance, names)
    error = subset_error([columns[f] for f in pool], y, parameters["cv"], parameters["random_state"])
    is_open_ended = parameters["n_features_to_select"] is None
    longest = min(parameters["max_features"], n_pool) if is_open_ended else n_to_select(parameters, len(columns))
    order, errors = [], []
    while len(order) < longest:
        rest = [f for f in pool if f not in order]
        rest = [f for f in rest if _is_varying(columns[f])] or rest
        value = {f: error(frozenset(pool.index(g) for g in [*order, f])) for f in rest}
        least = min(value.values())
        order.append(first_of([f for f in rest if value[f] == least], columns, y, relevance, names))
        errors.append(least)
    if is_open_ended:
        order = order[: errors.index(min(errors)) + 1]
    return order, [1 - e for e in errors[: len(order)]]


def backward_by_lists(lists, error, recompute=False):
    """Algorithm 1: the numbers of the lists that stay."""
    kept = list(range(len(lists)))
    union = set().union(*lists)
    reference = error(frozenset(union))
    while True:
        without = {i: error(frozenset(union - set(lists[i]))) if union - set(lists[i]) else 1.0 for i in kept}
        bad = [i for i in kept if without[i] < reference]
        if not bad:
            return kept
        if len(bad) == len(kept):
            bad = [min(kept, key=without.get)]
        kept = [i for i in kept if i not in bad]
        union = set().union(*(lists[i] for i in kept))
        reference = error(frozenset(union)) if recompute else min(without.values())


def cooperate(weighted_lists, errors, good, bad, n_samples, n_preselected, best_first):
    """Algorithm 2: the score of every feature found; ``best_first(scores, n)`` gives the n features of the best."""
    scores = {}
    for k, weighted in enumerate(weighted_lists):
        for f, weight in weighted:
            if k not in bad:
                scores[f] = scores.get(f, 0.0) + weight / max(errors[k], 1 / (2 * n_samples))
    found = set(best_first(scores, len(scores) if n_preselected is None else min(n_preselected, len(scores))))
    found -= {f for k in bad for f, _ in weighted_lists[k]}
    found |= {f for k in good for f, _ in weighted_lists[k]}
    return {f: scores[f] for f in found}


def quantile(values, share):
    """Linear between the sorted values, the smallest at 0 and the largest at 1."""
    values, place = sorted(values), share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def _hybrid(search):
    def oracle(X, y, parameters, names=None):
        columns = [list(map(float, column)) for column in zip(*X, strict=True)]
        lists = [list(own.items()) for own in neighbours.candidate_lists(X, y, parameters, names)]
        found = neighbours.margins(X, y, parameters).values()
        totals = [fsum(margin.get(f, -inf) for margin in found) for f in range(len(columns))]

        def best_first(scores, n_best):
            left, order = sorted(scores), []
            while left and len(order) < n_best:
                order.append(first_of(tied_best(left, scores.get), columns, y, totals, names))
                left.remove(order[-1])
            return order

        pool = best_first(dict.fromkeys({f for weighted in lists for f, _ in weighted}, 0.0), len(columns))
        by_place = subset_error([columns[f] for f in pool], y, parameters["cv"], parameters["random_state"])
        lists.sort(key=lambda weighted: [pool.index(f) for f, _ in weighted] + [w for _, w in weighted])
        scores = search(lists, lambda subset: by_place(frozenset(map(pool.index, subset))), parameters, best_first)
        order = best_first(scores, n_to_select(parameters, len(columns)))
        return order, [scores[f] for f in order]

    return oracle


def _backward(lists, error, parameters, best_first):
    kept = backward_by_lists([[f for f, _ in weighted] for weighted in lists], error, parameters["recompute"])
    scores = {}
    for k in kept:
        for f, weight in lists[k]:
            scores[f] = scores.get(f, 0.0) + weight
    return scores


def _cooperative(lists, error, parameters, best_first):
    errors = [error([f for f, _ in weighted]) for weighted in lists]
    low, high = parameters["low"], parameters["high"]
    if parameters["thresholds"] == "quantile":
        low, high = quantile(errors, low), quantile(errors, high)
        good = [k for k, e in enumerate(errors) if e <= low]
    else:
        good = [k for k, e in enumerate(errors) if e < low]
    bad = [k for k, e in enumerate(errors) if e > high]
    return cooperate(lists, errors, good, bad, len(lists), parameters["preselect"], best_first)


hib_sbs = _hybrid(_backward)
hib_css = _hybrid(_cooperative)


def _splits_and_columns(rng):
    """Measured and tied columns, constants among them, and splits of which some repeat training samples."""
    n_samples, n_features = int(rng.integers(6, 24)), int(rng.integers(1, 7))
    columns = rng.normal(size=(n_features, n_samples)) * 10.0 ** rng.integers(-2, 3, size=(n_features, 1))
    is_tied = rng.random(n_features) < 0.5
    columns[is_tied] = rng.integers(0, 3, size=(int(is_tied.sum()), n_samples))
    columns[rng.random(n_features) < 0.15] = rng.choice([0.0, 0.1, 7.0])
    splits = []
    for _ in range(int(rng.integers(1, 5))):
        rows = rng.permutation(n_samples)
        n_train = int(rng.integers(5, n_samples))
        train = rng.choice(rows[:n_train], size=n_train) if rng.random() < 0.3 else rows[:n_train]
        splits.append((np.sort(train), np.sort(rows[n_train:])))
    return columns, rng.integers(0, 3, size=n_samples), splits


def _kernel_case(rng):
    columns, target, splits = _splits_and_columns(rng)
    folds = Folds.of(splits)
    is_scaled = bool(rng.random() < 0.7)
    scales = np.ones((len(splits), len(columns)))
    if is_scaled:
        knn.training_scales(columns, folds.train, folds.train_starts, scales)
    n_neighbors = int(rng.choice([1, 2, 3, 5]))
    splits = [(train.tolist(), test.tolist()) for train, test in splits]
    slow = misclassified(columns.tolist(), target.tolist(), splits, n_neighbors, is_scaled)
    arrays = (columns, target, scales, *folds.arrays, n_neighbors)
    scratch = np.empty(columns.shape[1]), np.empty(columns.shape[1]), np.empty(3, dtype=np.int64)
    return arrays, scratch, slow


def compare_training_scales(rng):
    columns, _, splits = _splits_and_columns(rng)
    folds = Folds.of(splits)
    scales = np.empty((len(splits), len(columns)))
    knn.training_scales(columns, folds.train, folds.train_starts, scales)
    size = np.abs(columns).max(axis=1) + 1.0
    slow = [[scale([column[r] for r in train]) for column in columns.tolist()] for train, _ in splits]
    return scales * size, slow * size


def compare_count_wrong(rng):
    arrays, scratch, slow = _kernel_case(rng)
    n_features = len(arrays[0])
    subsets = [rng.permutation(n_features)[: rng.integers(1, n_features + 1)] for _ in range(4)]
    wrong = np.empty(len(subsets), dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum([len(s) for s in subsets])])
    knn.count_wrong(*arrays, np.concatenate(subsets), starts, wrong, *scratch)
    return wrong.tolist(), [slow(sorted(s.tolist())) for s in subsets]


def _whole(arrays, features):
    columns, _, scales, _, _, test, test_starts, _ = arrays
    whole = np.zeros((len(test), columns.shape[1]))
    for f in features:
        knn.add_feature(columns, scales, test, test_starts, f, whole)
    return whole


def compare_count_wrong_without(rng):
    """Features leave a subset, and at least one stays."""
    arrays, scratch, slow = _kernel_case(rng)
    features = rng.permutation(len(arrays[0]))
    changes = [rng.permutation(features[1:])[: rng.integers(len(features))] for _ in range(4)]
    starts = np.concatenate([[0], np.cumsum([len(c) for c in changes])])
    wrong = np.empty(len(changes), dtype=np.int64)
    whole = _whole(arrays, features.tolist())
    knn.count_wrong_without(*arrays, whole, np.concatenate(changes), starts, wrong, *scratch)
    return wrong.tolist(), [slow(sorted(set(features.tolist()) - set(c.tolist()))) for c in changes]


def compare_add_feature(rng):
    arrays, _, _ = _kernel_case(rng)
    columns, _, scales, _, _, test, test_starts, _ = arrays
    features = rng.permutation(len(columns))[:3].tolist()
    slow = [
        [fsum(((x - columns[f, t]) * scales[s, f]) ** 2 for f, x in zip(features, sample, strict=True))
         for sample in columns[features].T.tolist()]
        for s in range(len(scales)) for t in test[test_starts[s] : test_starts[s + 1]]
    ]  # fmt: skip
    size = np.array(slow).max() + 1.0
    return _whole(arrays, features) / size, np.array(slow) / size
