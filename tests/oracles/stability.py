"""Slow twins of the selectors around selectors: weights of samples, sums of ranks and shares of runs by definition.

Which samples a run sees is an input: it is drawn by the library from samples in the order that is theirs by content.
Resamples are on the scales of all samples.
"""

from __future__ import annotations

from itertools import pairwise
from math import fsum, isfinite, sqrt

from holdfast._random import generators
from holdfast._registry import find
from holdfast.stability import bootstraps, complementary_pairs
from oracles import linear, neighbours
from oracles import pairwise as pairs
from oracles.ranking import n_to_select
from oracles.separation import mid_ranks
from oracles.ties import TIE, best_first_order, fingerprints, first_of, joined


def ranges_to_one(X):
    """Every feature over its range; a constant one as it is."""
    units = [float(max(column) - min(column)) or 1.0 for column in zip(*X, strict=True)]
    return [[v / unit for v, unit in zip(row, units, strict=True)] for row in X]


def distance(first, second, metric="euclidean"):
    """How far apart two rows are."""
    apart = [abs(a - b) for a, b in zip(first, second, strict=True)]
    return fsum(apart) if metric == "manhattan" else sqrt(fsum(a * a for a in apart))


def shares_of_neighbours(X, y, i, neighbours="all", aggregate="sum", metric="manhattan"):
    """What every other sample counts in the margin vector of a sample: misses above 0, hits below (Eq. 4.1 to 4.5)."""
    counts = {}
    for sign in (1, -1):
        side = [t for t in range(len(y)) if t != i and (y[t] == y[i]) == (sign < 0)]
        far = {t: distance(X[i], X[t], metric) for t in side}
        if neighbours == "nearest":
            near = [t for t in side if far[t] <= min(far.values()) + 1e-10]
            share = {t: 1 / len(near) for t in near}
        elif neighbours == "inverse-distance":
            same = [t for t in side if far[t] == 0]
            inverse = dict.fromkeys(same, 1.0) if same else {t: 1 / far[t] for t in side}
            share = {t: v / fsum(inverse.values()) for t, v in inverse.items()}
        else:
            share = dict.fromkeys(side, 1.0 if aggregate == "sum" else 1 / max(len(side), 1))
        counts |= {t: sign * v for t, v in share.items()}
    return counts


def margin_vectors(X, y, weights=None, **form):
    """How much farther each feature puts misses than hits, sample by sample."""
    found = []
    for i in range(len(y)):
        counts = shares_of_neighbours(X, y, i, **form)
        if weights is not None:
            counts = {t: count * weights[t] for t, count in counts.items()}
        found.append([fsum(c * abs(X[i][f] - X[t][f]) for t, c in counts.items()) for f in range(len(X[0]))])
    return found


def typicality(vectors):
    """One over the mean distance to all other vectors, the sum 1 (Eq. 4.6); all alike if all vectors are equal."""
    n = len(vectors)
    means = [fsum(distance(v, other) for other in vectors) / (n - 1) for v in vectors]
    if not any(means):
        return [1 / n] * n
    total = fsum(1 / mean for mean in means)
    return [1 / mean / total for mean in means]


def instance_weights(X, y, n_rounds=1, **form):
    """Algorithm 1, or so many rounds of its iterative version (Eq. 4.7)."""
    weights = None
    for _ in range(n_rounds):
        weights = typicality(margin_vectors(X, y, weights, **form))
    return weights


def _own(name, n_select):
    return {**find(name).build().get_params(), "n_features_to_select": n_select}


def _weighted(name, twin):
    def oracle(X, y, parameters, names=None):
        weights = instance_weights(ranges_to_one(X), y)
        return twin(X, y, _own(name, n_to_select(parameters, len(X[0]))), names, weights)

    return oracle


iw_svm_rfe = _weighted("svm-rfe", linear.svm_rfe)
iw_relieff = _weighted("relieff", neighbours.relieff)


def order_of_samples(X, y):
    """Samples in an order by content, and classes by numbers of their own.

    A sample is known by the size of its class and by how far from the middle rank it lies in features that are known
    by the samples in turn; if that tells not all apart, by how far it is from which others; a class by its samples.
    """
    n = len(y)
    ranks = [mid_ranks(column) for column in zip(*X, strict=True)]
    words = [[abs(2 * r - (n + 1)) for r in column] for column in ranks]
    rows = list(zip(*words, strict=True))
    first = joined([list(y).count(c) for c in y], rows, [0] * len(words))
    keys = joined(first, rows, joined([0] * len(words), words, first))
    if len(set(keys)) < n:
        keys = keys_by_pairs(keys, ranks, joined([0] * len(words), words, keys), y)
    classes = sorted(set(y), key=lambda c: sorted(key for key, label in zip(keys, y, strict=True) if label == c))
    numbers = [classes.index(label) for label in y]
    return sorted(range(n), key=lambda i: (keys[i], numbers[i])), numbers


def keys_by_pairs(keys, ranks, of_columns, y):
    """Three rounds in which every sample takes in what it is apart from the others, each known by its key."""
    apart = []
    for i, label in enumerate(y):
        rows = zip(*([abs(r - column[i]) for r in column] for column in ranks), strict=True)
        apart.append(joined([int(c == label) for c in y], rows, of_columns))
    for _ in range(3):
        keys = [(k + sum(map(stirred, row, keys))) % 2**64 for k, row in zip(keys, apart, strict=True)]
    return keys


def stirred(word, key):
    """SplitMix64 of a word, started from a key."""
    word = (word + key + 0x9E3779B97F4A7C15) % 2**64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = (word ^ (word >> shift)) * factor % 2**64
    return word ^ (word >> 31)


def names_in_runs(X, y, names):
    """Names of the features, or their places in an order by content, for features that a resample cannot tell apart."""
    if names is not None:
        return names
    columns = list(zip(*X, strict=True))
    known_by, order = fingerprints(columns, y), []
    for key in sorted(set(known_by)):
        left = [f for f, own in enumerate(known_by) if own == key]
        while left:
            order.append(first_of(left, columns, y, [0.0] * len(columns), None))
            left.remove(order[-1])
    return [f"{order.index(f):09d}" for f in range(len(columns))]


def drawn_rows(draw, X, y, n_runs, random_state):
    """Rows of every run."""
    order, numbers = order_of_samples(X, y)
    return [sorted(order[place] for place in run) for run in draw([numbers[i] for i in order], n_runs, random_state)]


def ties(value, following):
    """Whether the next value in a falling order belongs to the same group."""
    return value == following or (isfinite(value) and value - following <= TIE * max(1.0, abs(value)))


def places(order, values, n_chosen):
    """Rank of each feature of a full order: chosen ones have their own, others of equal value share the best of them.

    Values are tuples of which the last part may differ by rounding.
    """
    rank = {order[0]: 1}
    for place, (before, f) in enumerate(pairwise(order), start=2):
        *group, value = values[before]
        *next_group, following = values[f]
        rank[f] = rank[before] if group == next_group and ties(value, following) else place
    rank = {f: max(r, n_chosen + 1) for f, r in rank.items()}
    return rank | {f: place for place, f in enumerate(order[:n_chosen], start=1)}


def svm_ranks(X, y, rows, names, n_select):
    """Order of elimination on some rows, and what the list thinks of its features."""
    some = sorted(set(rows))
    counts = [float(rows.count(row)) for row in some]
    X, y = [X[row] for row in some], [y[row] for row in some]
    parameters = {**_own("svm-rfe", n_select), "scale": "none"}
    ranked, values = [], {}
    for number, (order, share, n_keep) in enumerate(linear.svm_rfe_rounds(X, y, parameters, names, counts)):
        largest = max(share.values()) or 1.0
        is_constant = {f: len({row[f] for row in X}) == 1 for f in order}
        values |= {f: (number, -1.0 if is_constant[f] else share[f] / largest) for f in order}
        ranked = order[n_keep:] + ranked
    return places(ranked, values, n_select), {f: 1 - place / n_select for place, f in enumerate(ranked[:n_select])}


def relieff_ranks(X, y, rows, names, n_select):
    """Ranking on some rows, and where the scores of its list lie between the worst and the best of all."""
    X, y = [X[row] for row in rows], [y[row] for row in rows]
    parameters = {**_own("relieff", n_select), "scale": "none"}
    scores = neighbours.scores_of("ReliefF", X, y, parameters, names)
    order, _ = neighbours.relieff(X, y, {**parameters, "n_features_to_select": len(scores)}, names)
    known = [s for s in scores if isfinite(s)]
    listed = order[:n_select]
    if not known or min(known) == max(known):
        opinions = {f: 1 - place / n_select for place, f in enumerate(listed)}
    else:
        span = max(known) - min(known)
        opinions = {f: (scores[f] - min(known)) / span if isfinite(scores[f]) else 0.0 for f in listed}
    return places(order, {f: (s,) for f, s in enumerate(scores)}, n_select), opinions


def _summed(ranks_of):
    """20 bootstraps, the ranks of all features added; the smallest sum first, then the largest mean weight."""

    def oracle(X, y, parameters, names=None):
        y, columns = list(y), list(zip(*X, strict=True))
        n_features = len(columns)
        n_select = n_to_select(parameters, n_features)
        draws = generators(parameters["random_state"], 3)[0]
        runs = drawn_rows(bootstraps, X, y, parameters["n_runs"], draws)
        scaled, own_names = ranges_to_one(X), names_in_runs(X, y, names)
        lists = [ranks_of(scaled, y, rows, own_names, n_select) for rows in runs]
        sums = [sum(ranks[f] for ranks, _ in lists) for f in range(n_features)]
        weights = [fsum(opinions.get(f, 0.0) for _, opinions in lists) / len(lists) for f in range(n_features)]
        order = best_first_order([-s for s in sums], n_select, columns, y, weights, names)
        return order, [sums[f] for f in order]

    return oracle


en_svm_rfe = _summed(svm_ranks)
en_relieff = _summed(relieff_ranks)


def stability_selection(X, y, parameters, names=None):
    """Share of the runs that choose each feature; those of a share of at least the threshold, or the largest shares."""
    y, columns = list(y), list(zip(*X, strict=True))
    n_features = len(columns)
    asked = parameters["n_features_to_select"]
    size = parameters["list_size"] or n_to_select(parameters, n_features)
    runs = drawn_rows(complementary_pairs, X, y, parameters["n_runs"], parameters["random_state"])
    own, own_names = _own("mrmr+", size), names_in_runs(X, y, names)
    counts = [0] * n_features
    for rows in runs:
        for f in pairs.mrmr_mid([X[row] for row in rows], [y[row] for row in rows], own, own_names)[0]:
            counts[f] += 1
    threshold = 0.75 if parameters["threshold"] is None else parameters["threshold"]
    frequency = [count / len(runs) for count in counts]
    n_select = sum(share >= threshold - 1e-9 for share in frequency)
    n_select = n_select if asked is None else min(n_to_select(parameters, n_features), sum(map(bool, counts)))
    order = best_first_order(frequency, n_select, columns, y, frequency, names)
    return order, [frequency[f] for f in order]
