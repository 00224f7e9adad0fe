"""Slow twins of the kernels that cluster features around medoids, and the comparisons."""

from __future__ import annotations

import numpy as np

from holdfast.kernels import medoids
from holdfast.measures import _pairs
from holdfast.prepare import Codes
from oracles import information
from oracles.ties import TIE


def compare_fill_uncertainties(rng):
    n_samples = int(rng.choice([2, 20, 63, 64, 65, 130]))
    n_levels = rng.integers(1, int(rng.choice([2, 3, 6, 16, 40])) + 1, size=int(rng.choice([1, 7, 70])))
    levels = np.array([rng.integers(0, k, size=n_samples) for k in n_levels], dtype=np.uint8)
    variables = rng.permutation(len(levels))[: max(1, len(levels) - 2)]
    table = _pairs.uncertainty_of_pairs(Codes.of(levels), variables)
    rows = levels[variables].tolist()
    slow = [
        [0.0 if i == j else information.symmetrical_uncertainty(x, z) for j, z in enumerate(rows)]
        for i, x in enumerate(rows)
    ]
    return table.entries * table.unit, slow


def _table(rng, n_features):
    """A symmetrical table with few different values, so that distances tie, in either kind of whole numbers."""
    shared = np.triu(rng.integers(0, int(rng.choice([4, 1000])), size=(n_features, n_features)), 1)
    kind = rng.choice([np.int64, np.uint32])
    return (shared + shared.T).astype(kind), 1.0 / 1024


def distance(entries, unit, relevance, f, g):
    return 0.0 if f == g else 0.5 * (1.0 - int(entries[f, g]) * unit + abs(relevance[f] - relevance[g]))


def nearest_medoids(entries, unit, relevance, chosen, numbers):
    """Label and distances of every feature, one by one, and how many had a choice."""
    labels, own, other, n_ties = [], [], [], 0
    for f in range(len(entries)):
        by_place = [distance(entries, unit, relevance, f, m) for m in chosen]
        tied = [c for c, d in enumerate(by_place) if d <= min(by_place) + TIE]
        place = chosen.index(f) if f in chosen else tied[0]
        n_ties += f not in chosen and len(tied) > 1
        labels.append(numbers[place])
        own.append(by_place[place])
        other.append(min((d for c, d in enumerate(by_place) if c != place), default=float("inf")))
    return [labels, own, other, n_ties]


def compare_nearest_medoids(rng):
    n_features = int(rng.choice([1, 5, 40]))
    entries, unit = _table(rng, n_features)
    relevance = rng.choice([0.0, 0.125, 0.25, 0.75], size=n_features)
    n_medoids = int(rng.integers(1, n_features + 1))
    chosen = np.sort(rng.choice(n_features, size=n_medoids, replace=False))
    numbers = rng.permutation(n_medoids)
    labels, own, other = np.empty(n_features, dtype=np.int16), np.empty(n_features), np.empty(n_features)
    n_ties = medoids.nearest_medoids(entries, unit, relevance, chosen, numbers, labels, own, other)
    fast = [labels.tolist(), own.tolist(), other.tolist(), n_ties]
    return fast, nearest_medoids(entries, unit, relevance.tolist(), chosen.tolist(), numbers.tolist())


def compare_share_in_clusters(rng):
    n_features, n_clusters = int(rng.choice([2, 9, 40])), int(rng.integers(1, 5))
    entries, _ = _table(rng, n_features)
    before = rng.integers(0, n_clusters + int(rng.integers(0, 3)), size=n_features).astype(np.int16)
    after = rng.integers(0, n_clusters, size=n_features).astype(np.int16)
    stays = (rng.random(n_features) < rng.random()) & (before < n_clusters)
    after[stays] = before[stays]
    if rng.random() < 0.2:
        before[:] = -1

    def shared(labels):
        return [sum(int(entries[f, g]) for g in np.flatnonzero(labels == labels[f])) for f in range(n_features)]

    by_cluster = [[f for f in range(n_features) if after[f] == c] for c in range(n_clusters)]
    members, starts = np.array([f for own in by_cluster for f in own]), np.cumsum([0, *map(len, by_cluster)])
    sums = np.array(shared(before))
    medoids.share_in_clusters(entries, before, after, members, starts, sums)
    return sums.tolist(), shared(after)


COMPARISONS = {
    "medoids.fill_uncertainties": (compare_fill_uncertainties, 1e-12),
    "medoids.nearest_medoids": (compare_nearest_medoids, 0.0),
    "medoids.share_in_clusters": (compare_share_in_clusters, 0.0),
}
