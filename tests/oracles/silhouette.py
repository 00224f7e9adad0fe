"""Slow twin of S³F: distances, clusters, medoids, companions and silhouettes, each from its definition."""

from __future__ import annotations

from math import ceil, inf, sqrt

from oracles import information
from oracles.discretize import columns_of
from oracles.ranking import n_to_select
from oracles.ties import TIE, best_first_order, tied_best


class Features:
    """Features by what they share with each other and the class, and who goes first."""

    def __init__(self, X, y, parameters, names=None):
        columns, y = list(zip(*X, strict=True)), list(y)
        levels = columns_of(X, y, parameters["discretizer"])
        self.relevance = [information.symmetrical_uncertainty(own, y) for own in levels]
        varying = [f for f in range(len(columns)) if len(set(levels[f])) > 1]
        searched = [self.relevance[f] if f in varying else -inf for f in range(len(columns))]
        n_part = min(len(varying), parameters["prefilter_size"] or len(varying))
        self.part = best_first_order(searched, n_part, columns, y, self.relevance, names)
        self.shared = {
            (f, g): information.symmetrical_uncertainty(levels[f], levels[g]) for f in self.part for g in self.part
        }

    def best(self, features, merit):
        """The feature of the best merit; of tied ones the one that goes first."""
        return min(tied_best(features, merit), key=self.part.index)

    def distance(self, f, g):
        """SU_S, and 0 from a feature to itself."""
        if f == g:
            return 0.0
        return (1 - self.shared[f, g] + abs(self.relevance[f] - self.relevance[g])) / 2

    def medoid_merit(self, f, cluster):
        """Eq. 2.18."""
        others = [self.shared[f, g] for g in cluster if g != f]
        return ((sum(others) / len(others) if others else 0.0) + self.relevance[f]) / 2

    def companion_merit(self, f, medoid):
        """Eq. 2.19."""
        return (1 - self.shared[f, medoid] + self.relevance[f]) / 2

    def medoid(self, cluster):
        return self.best(cluster, lambda f: self.medoid_merit(f, cluster))

    def companion(self, cluster, medoid):
        """None for a cluster of one."""
        rest = [f for f in cluster if f != medoid]
        return self.best(rest, lambda f: self.companion_merit(f, medoid)) if rest else None

    def seeds(self, k, start):
        """The most relevant; or the most relevant one and those farthest from all before."""
        if start == "relevant":
            return self.part[:k]
        seeds = self.part[:1]
        while len(seeds) < k:
            rest = [f for f in self.part if f not in seeds]
            seeds.append(self.best(rest, lambda f: min(self.distance(f, s) for s in seeds)))
        return seeds[:k]

    def assigned(self, medoids):
        """Members of each medoid's cluster."""
        clusters = {m: [] for m in medoids}
        for f in self.part:
            clusters[f if f in medoids else self.best(medoids, lambda m, f=f: -self.distance(f, m))].append(f)
        return clusters

    def clusters(self, k, start, max_rounds):
        """Members by medoid, when none moves any more or the rounds are over."""
        clusters = self.assigned(self.seeds(k, start))
        for _ in range(max_rounds):
            before = sorted(clusters.values())
            clusters = self.assigned([self.medoid(members) for members in clusters.values()])
            if sorted(clusters.values()) == before:
                break
        return clusters

    def silhouette(self, clusters):
        """Mean of (b - a) / max(a, b); 0 for a cluster of one, where both are 0, and without another cluster."""
        values = []
        for medoid, members in clusters.items():
            for f in members:
                a = self.distance(f, medoid)
                b = min((self.distance(f, m) for m in clusters if m != medoid), default=0.0)
                is_plain = len(members) > 1 and len(clusters) > 1 and max(a, b) > TIE
                values.append((b - a) / max(a, b) if is_plain else 0.0)
        return sum(values) / len(values)


def chosen_clusters(features, parameters):
    """The clusters of the largest silhouette, the fewer of tied ones, and the silhouette for every number tried."""
    n_part = len(features.part)
    tried = list(range(2, ceil(sqrt(n_part)) + 1)) or [n_part]
    if parameters["n_clusters"] is not None:
        tried = [min(parameters["n_clusters"], n_part)]
    found = {k: features.clusters(k, parameters["start"], parameters["max_rounds"]) for k in tried}
    silhouette = {k: features.silhouette(found[k]) for k in tried}
    return found[min(tied_best(tried, silhouette.get))], silhouette


def s3f(X, y, parameters, names=None):
    """Medoids by relevance, then companions by theirs."""
    features = Features(X, y, parameters, names)
    if not features.part:
        return [], []
    clusters, _ = chosen_clusters(features, parameters)
    companions = [features.companion(members, medoid) for medoid, members in clusters.items()]
    order = [f for f in features.part if f in clusters] + [f for f in features.part if f in companions]
    order = order[: n_to_select(parameters, len(features.relevance))]
    return order, [features.relevance[f] for f in order]
