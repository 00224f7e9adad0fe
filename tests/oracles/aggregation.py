"""Slow twins of the rules that make one list of several, in plain Python from the formulas.

A set of lists is a list of {feature: (rank, weight)}; features that a list does not hold are absent from it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, exp, fsum, log
from statistics import median as middle


def features_of(lists):
    return sorted({feature for one in lists for feature in one})


def size_of(lists):
    return max(map(len, lists))


def rank(one, feature, size):
    return one[feature][0] if feature in one else size + 1


def weight(one, feature):
    return one[feature][1] if feature in one else 0.0


def _each(lists, score):
    return [score(feature) for feature in features_of(lists)]


def wma(lists, **_):
    return _each(lists, lambda f: fsum(weight(one, f) for one in lists) / len(lists))


def cla(lists, **_):
    return _each(lists, lambda f: sum(rank(one, f, size_of(lists)) for one in lists))


def wra(lists, **_):
    sums = zip(wma(lists), cla(lists), strict=True)
    return [mean * len(lists) / total for mean, total in sums]


def ofa(lists, **_):
    return _each(lists, lambda f: sum(f in one for one in lists))


def intersection(lists, **_):
    return _each(lists, lambda f: 1 if all(f in one for one in lists) else 0)


def borda(lists, **_):
    return _each(lists, lambda f: sum(size_of(lists) + 1 - one[f][0] for one in lists if f in one))


def median(lists, **_):
    return _each(lists, lambda f: middle(rank(one, f, size_of(lists)) for one in lists))


def exponential(lists, **_):
    return _each(lists, lambda f: fsum(exp(-rank(one, f, size_of(lists)) / size_of(lists)) for one in lists))


def caa(lists, *, errors, **_):
    return _each(lists, lambda f: fsum(1 - e for one, e in zip(lists, errors, strict=True) if f in one))


def beta_cdf(u, k, n):
    """The chance that at least k of n uniform numbers are at most u."""
    return sum(comb(n, j) * u**j * (1 - u) ** (n - j) for j in range(k, n + 1))


def least_beta(lists, feature, n_features):
    """Smallest chance over k, as a fraction."""
    places = sorted(Fraction(one[feature][0], n_features) if feature in one else Fraction(1) for one in lists)
    return min(beta_cdf(u, k, len(places)) for k, u in enumerate(places, 1))


def rra(lists, *, n_features, **_):
    return _each(lists, lambda f: float(min(1, len(lists) * least_beta(lists, f, n_features))))


def crossing_chance(boundaries):
    """The chance that for some k the k-th smallest of uniform numbers is at most the k-th boundary, as a fraction.

    The chance that none is, for the last numbers alone, follows from all ways in which a last one could be.
    """
    n = len(boundaries)
    none_from = [Fraction(0)] * n + [Fraction(1)]
    for k in range(n - 1, -1, -1):
        crossed = (comb(n - k, j - k) * boundaries[j - 1] ** (j - k) * none_from[j] for j in range(k + 1, n + 1))
        none_from[k] = 1 - sum(crossed)
    return 1 - none_from[0]


def footrule(candidate, one, size):
    """Spearman's footrule of an ordered list and a list, with one rank behind for what is absent."""
    place = {f: i for i, f in enumerate(candidate, 1)}
    return sum(abs(place.get(f, size + 1) - rank(one, f, size)) for f in set(place) | set(one))


def kendall(candidate, one, size):
    """Pairs that the two order differently; a pair that either does not order costs nothing."""
    place = {f: i for i, f in enumerate(candidate, 1)}
    n_discordant = 0
    for a, b in combinations(sorted(set(place) | set(one)), 2):
        here = place.get(a, size + 1) - place.get(b, size + 1)
        there = rank(one, a, size) - rank(one, b, size)
        n_discordant += here * there < 0
    return n_discordant


def total_distance(candidate, lists, distance):
    return sum(distance(candidate, one, size_of(lists)) for one in lists)


def nearest_lists(lists, distance):
    """All ordered lists of smallest total distance, and that distance."""
    candidates = list(permutations(features_of(lists), size_of(lists)))
    totals = [total_distance(candidate, lists, distance) for candidate in candidates]
    return [c for c, total in zip(candidates, totals, strict=True) if total == min(totals)], min(totals)


def reliability(lists, *, errors, n_samples=None, beta="error", rel_norm="global", over_lists="sum", **_):
    """Scores, confidence, conflict and reliability of RAA, Eq. 3.12 to 3.15."""
    features, n = features_of(lists), len(lists)
    if n_samples is not None:
        errors = [max(e, 1 / (2 * n_samples)) for e in errors]
    if beta == "odds":
        evidence = [0.0 if e == 1 else max(0.0, log((1 - e) / e)) for e in errors]
    else:
        evidence = [log(1 / e) for e in errors]
    opinion = [[weight(one, f) for f in features] for one in lists]
    confidence = _over_largest([[w * v for w in row] for row, v in zip(opinion, evidence, strict=True)])

    def similar(table, k, j):
        others = [abs(table[k][j] - table[t][j]) for t in range(n) if t != k]
        return 1 - fsum(others) / (n - 1) if others else 1

    cells = [[(k, j) for j in range(len(features))] for k in range(n)]
    conflict = [[similar(confidence, k, j) * (1 - similar(opinion, k, j)) for k, j in row] for row in cells]
    reliable = [[confidence[k][j] * (1 - conflict[k][j]) for k, j in row] for row in cells]
    if rel_norm == "global":
        reliable = _over_largest(reliable)
    else:
        sums = [fsum(column) for column in zip(*reliable, strict=True)]
        reliable = [[v / s if s else 0.0 for v, s in zip(row, sums, strict=True)] for row in reliable]
    adjusted = [[opinion[k][j] * reliable[k][j] for k in range(n)] for j in range(len(features))]
    scores = [fsum(column) if over_lists == "sum" else max(column) for column in adjusted]
    return scores, confidence, conflict, reliable


def raa(lists, **options):
    return reliability(lists, **options)[0]


def _over_largest(table):
    largest = max(max(row) for row in table)
    return [[v / largest for v in row] for row in table] if largest > 0 else table


SIMPLE = {
    "wma": wma, "cla": cla, "wra": wra, "ofa": ofa, "intersection": intersection, "borda": borda, "median": median,
    "exponential": exponential, "caa": caa, "rra": rra, "raa": raa,
}  # fmt: skip
