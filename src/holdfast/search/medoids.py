"""Clusters of features around medoids (Covões and Hruschka 2011; Pino Angulo 2019, Eq. 2.17–2.19).

Features are numbered in the order in which they go first, the most relevant being 0, so that ties go to the lowest
number. Two features are far apart when they share little or differ in relevance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE
from holdfast.kernels.medoids import nearest_medoids, share_in_clusters
from holdfast.measures._pairs import PairTable
from holdfast.search.ties import best_tied

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Clusters:
    """Medoids in order of precedence, the cluster of each feature, and how well the clusters are set apart."""

    medoids: Array
    labels: Array
    silhouette: float
    n_rounds: int


class _Groups:
    """Features cluster by cluster, in order within each."""

    def __init__(self, labels: Array, n_clusters: int) -> None:
        self.members = np.argsort(labels, kind="stable")
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(labels, minlength=n_clusters))])


class _Sums:
    """What each feature shares with its cluster in all, kept as features move from cluster to cluster."""

    def __init__(self, entries: Array, labels: Array, values: Array) -> None:
        self.entries = entries
        self.labels = labels
        self.values = values

    @classmethod
    def of_none(cls, entries: Array) -> _Sums:
        """Before any feature is in a cluster."""
        return cls(entries, np.full(len(entries), -1, dtype=np.int16), np.zeros(len(entries), dtype=np.int64))

    def copy(self) -> _Sums:
        return _Sums(self.entries, self.labels, self.values.copy())

    def move_to(self, labels: Array, groups: _Groups) -> None:
        """Follow the features to other clusters."""
        share_in_clusters(self.entries, self.labels, labels, groups.members, groups.starts, self.values)
        self.labels = labels


class Medoids:
    """k-medoids for one k after the other, each begun with the first k of the same seeds."""

    def __init__(self, table: PairTable, relevance: Array, *, n_seeds: int, are_spread: bool, max_rounds: int) -> None:
        self.table = table
        self.relevance = relevance
        self.max_rounds = max_rounds
        self.n_ties = 0
        self.seeds = self._spread_seeds(n_seeds) if are_spread else np.arange(n_seeds)
        self._of_seeds = _Sums.of_none(table.entries)

    def clusters(self, n_clusters: int) -> Clusters:
        """Move features to their nearest medoid and choose medoids anew until no feature moves."""
        medoids = self.seeds[:n_clusters]
        labels, own, other = self._assign(medoids)
        groups = _Groups(labels, n_clusters)
        # The first clusters for one k differ little from those for the next larger one.
        self._of_seeds.move_to(labels, groups)
        sums = self._of_seeds.copy()
        n_rounds = 0
        met: dict[bytes, int] = {}
        while n_rounds < self.max_rounds:
            n_rounds += 1
            medoids = self._medoids(groups, sums)
            before = labels
            labels, own, other = self._assign(medoids)
            if np.array_equal(labels, before):
                break
            groups = _Groups(labels, n_clusters)
            sums.move_to(labels, groups)
            # Medoids that were met before will be met again: whole turns of such a circle need not be walked.
            period = n_rounds - met.setdefault(medoids.tobytes(), n_rounds)
            if period:
                n_rounds += (self.max_rounds - n_rounds) // period * period
        order = np.argsort(medoids)
        number = np.empty(n_clusters, dtype=np.int64)
        number[order] = np.arange(n_clusters)
        return Clusters(medoids[order], number[labels], _silhouette(labels, own, other), n_rounds)

    def _spread_seeds(self, n_seeds: int) -> Array:
        """The most relevant feature, then again and again the one farthest from all seeds so far."""
        seeds = np.zeros(n_seeds, dtype=np.int64)
        nearest = np.full(len(self.table), np.inf)
        for i in range(1, n_seeds):
            apart = 1.0 - self.table.entries[seeds[i - 1]] * self.table.unit
            nearest = np.minimum(nearest, 0.5 * (apart + np.abs(self.relevance - self.relevance[seeds[i - 1]])))
            nearest[seeds[i - 1]] = -np.inf
            tied = best_tied(nearest)
            self.n_ties += len(tied) > 1
            seeds[i] = tied[0]
        return seeds

    def companions(self, clusters: Clusters) -> Array:
        """The feature of each larger cluster that shares least with the medoid for its relevance (Eq. 2.19)."""
        of_feature = clusters.medoids[clusters.labels]
        numbers = np.arange(len(self.table))
        shared = self.table.entries[of_feature, numbers] * self.table.unit
        merits = np.where(of_feature == numbers, -np.inf, 0.5 * (1.0 - shared + self.relevance))
        best, is_alone = self._best_in(_Groups(clusters.labels, len(clusters.medoids)), merits)
        return best[~is_alone]

    def _assign(self, medoids: Array) -> tuple[Array, Array, Array]:
        n_features = len(self.table)
        labels = np.empty(n_features, dtype=np.int16)
        own, other = np.empty(n_features), np.empty(n_features)
        order = np.argsort(medoids)
        self.n_ties += nearest_medoids(
            self.table.entries, self.table.unit, self.relevance, medoids[order], order, labels, own, other
        )
        return labels, own, other

    def _medoids(self, groups: _Groups, sums: _Sums) -> Array:
        """The feature of each cluster that shares most with the others and the class (Eq. 2.18)."""
        sizes = np.diff(groups.starts)[sums.labels]
        mean = sums.values * self.table.unit / np.maximum(sizes - 1, 1)
        return self._best_in(groups, 0.5 * (mean + self.relevance))[0]

    def _best_in(self, groups: _Groups, merits: Array) -> tuple[Array, Array]:
        """The first feature of the best merit in every cluster, and where there is none that may be taken."""
        members, starts = groups.members, groups.starts[:-1]
        best = np.maximum.reduceat(merits[members], starts)
        is_tied = merits[members] >= np.repeat(best, np.diff(groups.starts)) - TIE
        self.n_ties += int((np.add.reduceat(is_tied, starts, dtype=np.int64) > 1).sum())
        return np.minimum.reduceat(np.where(is_tied, members, len(merits)), starts), np.isneginf(best)


def _silhouette(labels: Array, own: Array, other: Array) -> float:
    """Mean of (b - a) / max(a, b), a and b the distances to the own and the nearest other medoid.

    0 for a feature that is a cluster alone, where both are 0, and where there is no other cluster.
    """
    larger = np.maximum(own, other)
    counts = (np.bincount(labels)[labels] > 1) & (larger > TIE) & np.isfinite(larger)
    total = np.divide(other - own, larger, out=np.zeros(len(labels)), where=counts).sum()
    return float(total / max(len(labels), 1))
