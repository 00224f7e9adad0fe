"""Measures of stability as double loops over sets, written from their definitions."""

from __future__ import annotations

import math
from itertools import combinations, permutations


def kuncheva(a, b, d):
    k = len(a)
    return (len(a & b) * d - k * k) / (k * (d - k))


def jaccard(a, b, d):
    return len(a & b) / len(a | b) if a | b else 1.0


def dice(a, b, d):
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def ochiai(a, b, d):
    if not a or not b:
        return float(a == b)
    return len(a & b) / math.sqrt(len(a) * len(b))


def percentage_overlap(a, b, d):
    def one_way(a, b):
        return len(a & b) / len(a) if a else float(not b)

    return (one_way(a, b) + one_way(b, a)) / 2


def lustgarten(a, b, d):
    span = min(len(a), len(b)) - max(0, len(a) + len(b) - d)
    return (len(a & b) - len(a) * len(b) / d) / span if span else math.nan


def mean_over_pairs(index, runs, d):
    values = [index(a, b, d) for a, b in combinations(runs, 2)]
    return sum(values) / len(values)


def nogueira(runs, d):
    """One less the mean variance of a feature's choice over that of random choices of the same mean size."""
    n_runs = len(runs)
    mean_size = sum(map(len, runs)) / n_runs
    if mean_size in (0, d):
        return math.nan
    variances = []
    for feature in range(d):
        share = sum(feature in run for run in runs) / n_runs
        variances.append(n_runs / (n_runs - 1) * share * (1 - share))
    return 1 - (sum(variances) / d) / (mean_size / d * (1 - mean_size / d))


def nogueira_variance(runs, d):
    """Nogueira, Sechidis and Brown 2018: what each run adds, and the spread of that."""
    n_runs = len(runs)
    stability = nogueira(runs, d)
    mean_size = sum(map(len, runs)) / n_runs
    share = [sum(feature in run for run in runs) / n_runs for feature in range(d)]
    parts = []
    for run in runs:
        k = len(run)
        inner = sum(share[feature] for feature in run) / d - k * mean_size / d**2
        inner += stability / 2 * (2 * k * mean_size / d**2 - k / d - mean_size / d + 1)
        parts.append(inner / (mean_size / d * (1 - mean_size / d)))
    mean = sum(parts) / n_runs
    return 4 / n_runs**2 * sum((part - mean) ** 2 for part in parts)


def covered(a, b, linked):
    """Features of a that b holds, or that b holds a correlated one of."""
    return sum(g in b or any(linked[g][h] for h in b) for g in a)


def pogr(runs, linked):
    values = [covered(a, b, linked) / len(a) if a else float(not b) for a, b in permutations(runs, 2)]
    return sum(values) / len(values)


def expected_cover(own_size, other_size, linked):
    """Mean of r + O over all pairs of subsets of these sizes."""
    d = len(linked)
    values = [
        covered(a, b, linked)
        for a in map(set, combinations(range(d), own_size))
        for b in map(set, combinations(range(d), other_size))
    ]
    return sum(values) / len(values)


def npogr(runs, linked):
    values = []
    for a, b in permutations(runs, 2):
        chance = expected_cover(len(a), len(b), linked)
        values.append((covered(a, b, linked) - chance) / (len(a) - chance))
    return sum(values) / len(values)


def nogueira_adjusted(runs, d, similarity):
    """1 - tr(C S) / tr(C S0), with S the covariance of the choices and S0 that of random choices."""
    n_runs = len(runs)
    share = [sum(feature in run for run in runs) / n_runs for feature in range(d)]
    k = sum(map(len, runs)) / n_runs
    found = expected = 0.0
    for f in range(d):
        for g in range(d):
            spread = sum(((f in run) - share[f]) * ((g in run) - share[g]) for run in runs) / (n_runs - 1)
            random = k / d * (1 - k / d) if f == g else (k * k - k) / (d * d - d) - (k / d) ** 2
            found += similarity[f][g] * spread
            expected += similarity[f][g] * random
    return 1 - found / expected


def benjamini_hochberg(p_values, rate):
    """Which hypotheses are rejected."""
    m = len(p_values)
    passing = [p for rank, p in enumerate(sorted(p_values), start=1) if p <= rate * rank / m]
    return [bool(passing) and p <= max(passing) for p in p_values]
