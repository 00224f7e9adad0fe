"""Slow twins of the methods that ask who is near whom: every difference, distance and mean from its definition.

Distances that differ by less than 1e-10 of the largest are equal. A constant feature scores -inf and is in no list. A
missing value is any known value of its class, all equally likely, or any known value at all if its class has none;
where features tie it is the median of the known values.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, fsum, inf, sqrt
from statistics import median

from holdfast._random import generator
from oracles import information
from oracles.discretize import columns_of
from oracles.ranking import n_to_select
from oracles.ties import TIE, best_first_order, first_of, tied_best

EQUAL = 1e-10
RELIEFF = {
    "n_neighbors": 10,
    "sigma": None,
    "miss_weights": "prior",
    "neighbour_weights": "raw",
    "metric": "manhattan",
    "scale": "range",
    "nominal": None,
    "ties": "share",
    "n_samples": None,
    "random_state": 0,
}


def _mean(values):
    values = list(values)
    return fsum(values) / len(values)


def is_nominal(nominal, names, n_features):
    """True or False for every feature, whether it was named, numbered, marked, or 'all' were meant."""
    if nominal is None or isinstance(nominal, str):
        return [nominal == "all"] * n_features
    if all(isinstance(entry, bool) for entry in nominal):
        return list(nominal)
    listed = {list(names).index(entry) if isinstance(entry, str) else entry % n_features for entry in nominal}
    return [f in listed for f in range(n_features)]


def differences(column, y, *, scale="range", nominal=False):
    """What every two samples differ by in one feature; None for a constant feature."""
    known = [v for v in column if v == v]
    if len(set(known)) < 2:
        return None
    unit = max(known) - min(known) if scale == "range" and not nominal else 1.0

    def values_of(sample):
        value = column[sample]
        own = [v for v, c in zip(column, y, strict=True) if c == y[sample] and v == v]
        return [value] if value == value else own or known

    def expected(i, t):
        pairs = [(a, b) for a in values_of(i) for b in values_of(t)]
        return _mean(float(a != b) if nominal else abs(a - b) / unit for a, b in pairs)

    n = len(column)
    return [[expected(i, t) if i != t else 0.0 for t in range(n)] for i in range(n)]


def varying(X, y, scale, nominal):
    """Differences of every feature that is not constant, by feature."""
    columns = [[float(v) for v in column] for column in zip(*X, strict=True)]
    found = {
        f: differences(column, y, scale=scale, nominal=is_name)
        for f, (column, is_name) in enumerate(zip(columns, nominal, strict=True))
    }
    return {f: apart for f, apart in found.items() if apart is not None}


def distances(apart, n_samples, metric):
    """Sum of the differences of all features, or the root of the sum of squares; and how much equal ones may differ."""
    power, root = (1, float) if metric == "manhattan" else (2, sqrt)
    D = [[root(fsum(a[i][t] ** power for a in apart.values())) for t in range(n_samples)] for i in range(n_samples)]
    return D, EQUAL * max(map(max, D))


def nearest(distance, members, k, equal, *, ties="share", sigma=None):
    """What each of the k nearest counts: 1, or exp(-(r / sigma)²) for the r-th, from 0.

    Tied samples share alike what their places count, also those beyond the k-th; or the first row takes the place.
    """
    left = sorted(members)
    by_place = [exp(-((r / sigma) ** 2)) if sigma else 1.0 for r in range(min(k, len(left)))]
    counts, place = {}, 0
    while left and place < k:
        least = min(distance[t] for t in left)
        tied = [t for t in left if distance[t] - least <= equal][: 1 if ties == "first" else None]
        counts.update(dict.fromkeys(tied, fsum(by_place[place : place + len(tied)]) / len(tied)))
        place += len(tied)
        left = [t for t in left if t not in tied]
    return counts


def _others(y, i, *, pooled):
    """Groups of samples other than i: its own class first, then every other class, or all of them together."""
    hits = [t for t in range(len(y)) if t != i and y[t] == y[i]]
    misses = [t for t in range(len(y)) if y[t] != y[i]]
    return [hits, misses] if pooled else [hits, *([t for t in misses if y[t] == c] for c in sorted(set(y) - {y[i]}))]


def near_by_number(D, equal, y, parameters):
    """The k nearest of every class."""
    found = []
    for i in range(len(y)):
        counts = {}
        for group in _others(y, i, pooled=parameters["miss_weights"] == "pooled"):
            k = parameters["n_neighbors"]
            counts |= nearest(D[i], group, k, equal, ties=parameters["ties"], sigma=parameters["sigma"])
        found.append(counts)
    return found


def near_by_mean(D, equal, *, far=False):
    """Samples closer than the mean distance of all pairs, or farther."""
    n = len(D)
    mean = _mean(D[i][t] for i in range(n) for t in range(n) if i != t)
    return [_beyond(D[i], i, mean, 0.0, equal, far) for i in range(n)]


def near_by_own_mean(D, equal, *, far=False):
    """Samples half a standard deviation closer than a sample's own mean distance to the others, or farther."""
    found = []
    for i, row in enumerate(D):
        others = [d for t, d in enumerate(row) if t != i]
        mean = _mean(others)
        deviation = sqrt(_mean((d - mean) ** 2 for d in others))
        found.append(_beyond(row, i, mean, deviation / 2, equal, far))
    return found


def _beyond(row, i, mean, band, equal, far):
    sign = 1 if far else -1
    return {t: 1.0 for t, d in enumerate(row) if t != i and sign * (d - mean) - band > equal}


def relief_scores(apart, near, y, *, visited=None, sample_weight=None, n_neighbors=1, **rules):
    """Mean over the samples of the difference to near misses less that to near hits, for every feature.

    The misses of a class count by its share of all others ("prior"), alike ("equal") or without regard to class
    ("pooled"). Weights of samples, which sum to 1, take the place of 1/n. Those of the neighbours are divided by their
    sum ("normalized"), or as they are, summed as if there were ``n_neighbors`` ("raw"). ``visited`` are the samples
    looked at, all if None.
    """
    n, pooled = len(y), rules["miss_weights"] == "pooled"
    visited = range(n) if visited is None else visited
    weight = [w / fsum(sample_weight) for w in sample_weight] if sample_weight else [1 / n] * n
    is_raw = sample_weight is not None and rules["neighbour_weights"] == "raw"
    terms = {f: [] for f in apart}
    for i in visited:
        for place, group in enumerate(_others(y, i, pooled=pooled)):
            own = {t: near[i][t] for t in group if t in near[i]}
            counts = {t: count * weight[t] for t, count in own.items()}
            total = fsum(own.values()) / n_neighbors if is_raw else fsum(counts.values())
            if total == 0:
                continue
            n_misses = n - y.count(y[i])
            by_rule = {"prior": len(group) / n_misses, "equal": 1 / (len(set(y)) - 1), "pooled": 1.0}
            sign = -1.0 if place == 0 else by_rule[rules["miss_weights"]]
            factor = weight[i] * n / len(visited) * sign / total
            for f, a in apart.items():
                terms[f].append(factor * fsum(count * a[i][t] for t, count in counts.items()))
    return {f: fsum(own) for f, own in terms.items()}


def _drawn(parameters, D, equal):
    """Samples drawn from those ordered by their distance from all others, equally far ones by row; None for all."""
    asked = parameters.get("n_samples")
    if asked is None:
        return None
    left, order = list(range(len(D))), []
    while left:
        least = min(fsum(D[i]) for i in left)
        order += [i for i in left if fsum(D[i]) - least <= len(D) * equal]
        left = [i for i in left if i not in order]
    return [order[place] for place in generator(parameters["random_state"]).choice(len(D), asked, replace=False)]


def _by_number(apart, y, parameters, sample_weight):
    D, equal = distances(apart, len(y), parameters["metric"])
    near = near_by_number(D, equal, y, parameters)
    rules = {key: parameters[key] for key in ("miss_weights", "neighbour_weights", "n_neighbors")}
    return relief_scores(apart, near, y, visited=_drawn(parameters, D, equal), sample_weight=sample_weight, **rules)


def _by_nearest(apart, y, parameters, sample_weight):
    """One nearest hit, and one nearest miss of any class."""
    own = {"n_neighbors": 1, "sigma": None, "miss_weights": "pooled", "neighbour_weights": "raw"}
    return _by_number(apart, y, {**parameters, **own}, sample_weight)


def _by_distance(near_by):
    def scores(apart, y, parameters, sample_weight):
        D, equal = distances(apart, len(y), parameters["metric"])
        rules = {key: parameters[key] for key in ("miss_weights", "neighbour_weights")}
        close, far = (
            relief_scores(apart, near_by(D, equal, far=far), y, sample_weight=sample_weight, **rules)
            for far in (False, True)
        )
        return {f: close[f] - (far[f] if parameters["star"] else 0.0) for f in apart}

    return scores


RULES = {
    "Relief": _by_nearest,
    "ReliefF": _by_number,
    "SURF": _by_distance(near_by_mean),
    "MultiSURF": _by_distance(near_by_own_mean),
}


def scores_of(rule, X, y, parameters, names=None, sample_weight=None):
    """Score of every feature."""
    y, n_features = list(y), len(X[0])
    apart = varying(X, y, parameters["scale"], is_nominal(parameters["nominal"], names, n_features))
    found = RULES[rule](apart, y, parameters, sample_weight)
    return [found.get(f, -inf) for f in range(n_features)]


def filled(X):
    """Columns in which a missing value is the median of the known ones, or 0."""
    columns = [[float(v) for v in column] for column in zip(*X, strict=True)]
    middle = [median([v for v in column if v == v] or [0.0]) for column in columns]
    return [[v if v == v else m for v in column] for column, m in zip(columns, middle, strict=True)]


def _ranked_by(rule):
    def oracle(X, y, parameters, names=None, sample_weight=None):
        scores = scores_of(rule, X, y, parameters, names, sample_weight)
        columns = filled(X)
        order = best_first_order(scores, n_to_select(parameters, len(columns)), columns, list(y), scores, names)
        return order, [scores[f] for f in order]

    return oracle


relief = _ranked_by("Relief")
relieff = _ranked_by("ReliefF")
surf = _ranked_by("SURF")
multisurf = _ranked_by("MultiSURF")


def turf(X, y, parameters, names=None, sample_weight=None):
    """Score, drop the worst share but at least one, and repeat on the rest until as many are left as are wanted."""
    base = parameters["estimator"]
    rule, own = ("ReliefF", RELIEFF) if base is None else (type(base).__name__, base.get_params())
    columns, y = filled(X), list(y)
    n_select = n_to_select(parameters, len(columns))
    apart = varying(X, y, own["scale"], is_nominal(own["nominal"], names, len(columns)))
    kept = list(range(len(columns)))
    while True:
        found = RULES[rule]({f: apart[f] for f in kept if f in apart}, y, own, sample_weight)
        scores = [found.get(f, -inf) for f in range(len(columns))]
        left = int((1 - Fraction(str(parameters["drop"]))) * len(kept))
        n_keep = max(n_select, min(len(kept) - 1, left))
        order = _best(kept, scores, n_keep, columns, y, names)
        if n_keep == len(kept):
            return order, [scores[f] for f in order]
        kept = sorted(order)


def _best(features, scores, n_best, columns, y, names):
    """The best of those features that still take part, one after the other."""
    left, order = list(features), []
    while len(order) < n_best:
        pick = first_of(tied_best(left, lambda f: scores[f]), columns, y, scores, names)
        order.append(pick)
        left.remove(pick)
    return order


def margins(X, y, parameters):
    """How much farther each varying feature puts the nearest miss than the nearest hit, by sample and feature.

    Neighbours are sought over all features or in each by itself; equally near ones share the place. A sample alone in
    its class has no margin.
    """
    apart = varying(X, y, parameters["scale"], [False] * len(X[0]))
    D, equal = distances(apart, len(y), parameters["metric"])
    found = {}
    for i in range(len(y)):
        hits, misses = _others(y, i, pooled=True)
        if not hits:
            continue
        if parameters["neighbours"] == "feature":
            found[i] = {f: min(a[i][t] for t in misses) - min(a[i][t] for t in hits) for f, a in apart.items()}
        else:
            near, far = nearest(D[i], hits, 1, equal), nearest(D[i], misses, 1, equal)
            found[i] = {
                f: fsum(share * a[i][t] for t, share in far.items()) - fsum(s * a[i][t] for t, s in near.items())
                for f, a in apart.items()
            }
    return found


def weights_of(margin, largest):
    """Margins of one sample from 0 for the smallest to 1 for the largest; all 0 if they are equal up to rounding."""
    low, high = min(margin.values()), max(margin.values())
    width = high - low if high - low > TIE * largest else inf
    return {f: (m - low) / width for f, m in margin.items()}


def candidate_lists(X, y, parameters, names=None):
    """For every sample not alone in its class the features of the largest weights, best first, with their weights.

    Features of equal weight go by the sum of their margins over all samples first.
    """
    columns, y = list(zip(*X, strict=True)), list(y)
    found = margins(X, y, parameters)
    features = sorted(next(iter(found.values())))
    totals = [fsum(m[f] for m in found.values()) if f in features else -inf for f in range(len(columns))]
    size = min(parameters["candidate_size"], len(features))
    widest = max(max(column) - min(column) for column in columns)
    lists = []
    for margin in found.values():
        weights = weights_of(margin, 1.0 if parameters["scale"] == "range" else widest)
        values = [weights.get(f, -inf) for f in range(len(columns))]
        order = best_first_order(values, size, columns, y, totals, names)
        lists.append({f: weights[f] for f in order})
    return lists


def instance_based(X, y, parameters, names=None):
    """Rank the features of all lists: by number of lists, mean weight, places, or weight less redundancy."""
    columns, y = list(zip(*X, strict=True)), list(y)
    lists = candidate_lists(X, y, parameters, names)
    listed = sorted(set().union(*lists))
    weight = {f: fsum(own.get(f, 0.0) for own in lists) for f in listed}
    aggregate = parameters["aggregate"]
    if aggregate == "occurrence":
        value = {f: sum(f in own for own in lists) for f in listed}
    elif aggregate == "mean_weight":
        value = {f: weight[f] / len(lists) for f in listed}
    elif aggregate == "rank":
        # The place of an absent feature is one behind the last; the smallest sum is best.
        behind = len(lists[0]) + 1
        value = {f: sum(behind - _place(f, own) for own in lists) for f in listed}
    else:
        redundancy = mean_shared_information(X, y, listed, parameters)
        value = {f: weight[f] - parameters["redundancy_weight"] * redundancy[f] for f in listed}
    scores = [value.get(f, -inf) for f in range(len(columns))]
    relevance = [weight.get(f, 0.0) / len(lists) for f in range(len(columns))]
    n_select = min(n_to_select(parameters, len(columns)), len(listed))
    order = best_first_order(scores, n_select, columns, y, relevance, names)
    return order, [scores[f] for f in order]


def _place(feature, own):
    return [*own, feature].index(feature) + 1


def mean_shared_information(X, y, listed, parameters):
    """Mean mutual information of each listed feature with all of them, or with all others."""
    levels = columns_of([[row[f] for f in listed] for row in X], y, parameters["discretizer"])
    levels = dict(zip(listed, levels, strict=True))
    found = {}
    for f in listed:
        others = [g for g in listed if g != f or parameters["include_self"]]
        found[f] = _mean(information.mutual_information(levels[f], levels[g]) for g in others) if others else 0.0
    return found
