"""Slow twins of distance correlation, DCORFS and D²CORFS: every matrix written out, every set judged anew.

The random numbers are numpy's, drawn as the repaired algorithms of Hosseini 2018 say; the rest is their definitions.
"""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist

import numpy as np

from holdfast._random import generators, seed_sequence
from oracles.ranking import _halves, n_to_select
from oracles.ties import TIE, best_first_order, first_of, tied_best

NOTHING = 1e-14


def distances(points):
    """Euclidean distances between points."""
    return [[sqrt(sum((a - b) ** 2 for a, b in zip(p, q, strict=True))) for q in points] for p in points]


def target_distances(y, kind):
    """Distances of one between classes, and between numbers."""
    return [[float(a != b) if kind == "classes" else abs(float(a) - float(b)) for b in y] for a in y]


def centred(matrix, unbiased):
    """Double-centred distances (2.29), or U-centred ones with a diagonal of zeros."""
    n = len(matrix)
    rows, total = [sum(row) for row in matrix], sum(map(sum, matrix))
    if not unbiased:
        return [[matrix[k][m] - rows[k] / n - rows[m] / n + total / n**2 for m in range(n)] for k in range(n)]
    return [
        [
            0.0 if k == m else matrix[k][m] - (rows[k] + rows[m]) / (n - 2) + total / ((n - 1) * (n - 2))
            for m in range(n)
        ]
        for k in range(n)
    ]


def _product(first, second):
    return sum(a * b for own, other in zip(first, second, strict=True) for a, b in zip(own, other, strict=True))


def index_of(points, y, index="biased", kind="classes"):
    """Distance correlation of points with a target, (2.30) or (2.36); what is rounding is nothing."""
    apart, apart_in_y = distances(points), target_distances(y, kind)
    A, B = (centred(matrix, index == "unbiased") for matrix in (apart, apart_in_y))
    own, other = _product(A, A), _product(B, B)
    if own <= NOTHING * _product(apart, apart) or other <= NOTHING * _product(apart_in_y, apart_in_y):
        return 0.0
    product = _product(A, B)
    if abs(product) <= NOTHING * sqrt(_product(apart, apart) * _product(apart_in_y, apart_in_y)):
        return 0.0
    ratio = product / sqrt(own * other)
    if index == "unbiased":
        return ratio
    return sqrt(max(ratio, 0.0)) if index == "biased" else max(ratio, 0.0)


def statistic_of(column, y, kind):
    """N dCov² over the product of the mean distances (2.37)."""
    apart, apart_in_y = distances([(v,) for v in column]), target_distances(y, kind)
    n = len(y)
    means = [sum(map(sum, matrix)) / n**2 for matrix in (apart, apart_in_y)]
    if means[0] * means[1] == 0:
        return 0.0
    covariance = _product(centred(apart, False), centred(apart_in_y, False)) / n**2
    return n * covariance / (means[0] * means[1])


def dcor(X, y, parameters, names=None):
    return _ranked(X, y, y, parameters, names)


def dcor_regression(X, y, parameters, names=None):
    return _ranked(X, y, _halves(y), parameters, names)


def _ranked(X, y, classes, parameters, names):
    columns = list(zip(*X, strict=True))
    scores = [
        index_of([(v,) for v in column], y, parameters["index"], parameters["y_is"]) if len(set(column)) > 1 else -inf
        for column in columns
    ]
    order = best_first_order(scores, n_to_select(parameters, len(columns)), columns, classes, scores, names)
    return order, [scores[f] for f in order]


def scaled(column, scale):
    """A column by its range or deviation."""
    low = min(column)
    if scale == "range":
        width = max(column) - low
    elif scale == "standard":
        mean = sum(column) / len(column)
        width = sqrt(sum((v - mean) ** 2 for v in column) / len(column))
    else:
        low, width = 0.0, 1.0
    return [(v - low) / (width or 1.0) for v in column]


class Sets:
    """Values of sets of columns, each computed once."""

    def __init__(self, columns, y, parameters):
        self.columns = [scaled(column, parameters["scale"]) for column in columns]
        self.y, self.parameters, self.known = y, parameters, {(): 0.0}

    def __call__(self, features):
        key = tuple(sorted(features))
        if key not in self.known:
            points = list(zip(*(self.columns[f] for f in key), strict=True))
            self.known[key] = index_of(points, self.y, self.parameters["index"], self.parameters["y_is"])
        return self.known[key]


def sampled(value, start, parameters, rng):
    """Algorithm 2: the features whose probabilities pass the threshold, and the best set drawn."""
    low, high = parameters["bounds"]
    mu = [min(max(m, low), high) for m in start]
    n, n_subsets = len(mu), parameters["n_subsets"]
    best, best_value = (), -inf
    for _ in range(parameters["n_iterations"] if n else 0):
        before = list(mu)
        population = [{j for j, u in enumerate(rng.random(n)) if u < mu[j]} for _ in range(n_subsets)]
        if parameters["empty"] == "resample":
            for p, drawn in enumerate(population):
                while not drawn and any(mu):
                    drawn = {j for j, u in enumerate(rng.random(n)) if u < mu[j]}
                population[p] = drawn
        values = [value(drawn) for drawn in population]
        for drawn, worth in sorted(zip(population, values, strict=True), key=lambda pair: len(pair[0])):
            if drawn and worth > best_value + TIE:
                best, best_value = drawn, worth
            elif drawn and abs(worth - best_value) <= TIE and len(drawn) < len(best):
                best = drawn
        gamma = 1 / (parameters["step"] * (max(values) - sum(values) / n_subsets) + 0.1)
        for j in range(n):
            with_j = [worth for drawn, worth in zip(population, values, strict=True) if j in drawn]
            without = [worth for drawn, worth in zip(population, values, strict=True) if j not in drawn]
            if parameters["zero_count"] == "skip" and not (with_j and without):
                continue
            importance = sum(with_j) / max(len(with_j), 1) - sum(without) / max(len(without), 1)
            mu[j] = min(max(mu[j] + gamma * importance, low), high)
        if max(abs(a - b) for a, b in zip(mu, before, strict=True)) <= parameters["tolerance"]:
            break
    kept = {j for j in range(n) if mu[j] >= parameters["threshold"]}
    return set(best) if parameters["elitist"] and best and (not kept or best_value > value(kept)) else kept


def _pool(columns, y, classes, parameters, names):
    """Features that take part, most relevant first, and the relevance of all."""
    index, kind, confidence = (parameters[name] for name in ("index", "y_is", "confidence"))
    relevance = [index_of([(v,) for v in column], y, index, kind) for column in columns]
    order = best_first_order(relevance, len(columns), columns, classes, relevance, names)
    limit = -1.0 if confidence is None else NormalDist().inv_cdf(1 - (1 - confidence) / 2) ** 2
    kept = [f for f in order if len(set(columns[f])) > 1 and statistic_of(columns[f], y, kind) > limit]
    return kept, relevance


def _in_order(value, chosen, columns, classes, relevance, names):
    """The feature that goes last first, as the least loss goes first, and what each took along."""
    left, gone = sorted(chosen), []
    while left:
        losses = {f: value(left) - value([g for g in left if g != f]) for f in left}
        tied = tied_best(left, lambda f, losses=losses: -losses[f])
        while len(tied) > 1:
            tied.remove(first_of(tied, columns, classes, relevance, names))
        gone.append((tied[0], losses[tied[0]]))
        left.remove(tied[0])
    return gone[::-1]


def _found(chosen, columns, y, classes, relevance, parameters, names):
    value = Sets(columns, y, parameters)
    order = _in_order(value, chosen, columns, classes, relevance, names)
    order = order[: n_to_select(parameters, len(columns))]
    return [f for f, _ in order], [loss for _, loss in order]


def _classes(y, parameters):
    return y if parameters["y_is"] == "classes" else _halves(y)


def dcorfs(X, y, parameters, names=None):
    columns, classes = list(zip(*X, strict=True)), _classes(y, parameters)
    pool, relevance = _pool(columns, y, classes, parameters, names)
    chosen = _search(columns, y, pool, parameters, generators(parameters["random_state"], 2)[1])
    return _found(chosen, columns, y, classes, relevance, parameters, names)


def _search(columns, y, pool, parameters, rng):
    start = parameters["start"]
    start = [1 / len(pool)] * len(pool) if start is None else [np.broadcast_to(start, len(columns))[f] for f in pool]
    kept = sampled(Sets([columns[f] for f in pool], y, parameters), start, parameters, rng)
    return {pool[j] for j in kept}


def d2corfs(X, y, parameters, names=None):
    columns, classes = list(zip(*X, strict=True)), _classes(y, parameters)
    pool, relevance = _pool(columns, y, classes, parameters, names)
    deal, _, searches = seed_sequence(parameters["random_state"]).spawn(3)
    n_bins = parameters["n_bins"] or max(1, round(2 * len(pool) / len(y)))
    parts = np.array_split(np.random.default_rng(deal).permutation(len(pool)), min(n_bins, max(1, len(pool))))
    bins = [{pool[place] for place in part} for part in parts] if pool else []
    value = Sets(columns, y, parameters)
    local = {
        "bounds": (0, 1), "n_iterations": 100, "n_subsets": 100, "step": 10.0, "tolerance": 0.001, "threshold": 0.98,
        "empty": "zero", "zero_count": "skip", "elitist": False, "start": None, **parameters, "confidence": None,
    }  # fmt: skip

    def search(number, b, features):
        seed = np.random.SeedSequence(searches.entropy, spawn_key=(*searches.spawn_key, number, b))
        rng = generators(int(seed.generate_state(1)[0]), 2)[1]
        # A bin knows no more than its own columns; places in the pool stand for names that are missing.
        places = sorted(pool.index(f) for f in features)
        of_bin = [columns[pool[p]] for p in places]
        called = [f"{p:09d}" for p in places] if names is None else [names[pool[p]] for p in places]
        own, _ = _pool(of_bin, y, classes, local, called)
        return {pool[places[j]] for j in _search(of_bin, y, own, local, rng)}

    chosen = rounds(bins, search, value, parameters["max_rounds"], parameters["patience"], parameters["share_top"])[0]
    return _found(chosen, columns, y, classes, relevance, parameters, names)


def rounds(bins, search, value, max_rounds=5, patience=3, share_top=1):
    """Algorithm 1: the best set, its values round by round, why it ended, and how often a bin was searched."""
    best, best_value, shared, values, n_calls = set(), 0.0, set(), [], 0
    for number in range(max_rounds if bins else 0):
        found = []
        for b, own in enumerate(bins):
            found.append(search(number, b, own | shared))
            n_calls += 1
            if value(found[-1]) > best_value + TIE:
                best, best_value = found[-1], value(found[-1])
            if best_value >= 1 - TIE:
                return best, [*values, best_value], "perfect", n_calls
        values.append(best_value)
        if all(one == found[0] for one in found):
            return best, values, "agreement", n_calls
        if number + 1 == max_rounds:
            break
        if len(values) >= patience and len(set(values[-patience:])) == 1:
            return best, values, "stall", n_calls
        top = sorted(found, key=lambda one: -round(value(one), 12))[: share_top if share_top > 1 else 0]
        shared = best.union(*top)
    return best, values, "rounds", n_calls
