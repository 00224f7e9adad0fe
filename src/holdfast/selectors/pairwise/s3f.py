"""Supervised simplified silhouette filter (Covões and Hruschka 2011; Pino Angulo 2019, Eq. 2.17–2.19)."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import Rule, nothing, one_of, whole_number
from holdfast._progress import report
from holdfast.measures._pairs import MOST, uncertainty_of_pairs
from holdfast.measures.information import symmetrical_uncertainty
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.medoids import Medoids
from holdfast.search.ties import Precedence, best_tied
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors.pairwise._greedy import open_relevance

Array = npt.NDArray[Any]


class S3F(Selector):
    """Group features that share much and are equally relevant; keep two of every group, its medoid and a companion.

    Use it when features come in groups that should all be represented, and to see the groups. The medoid shares most
    with its cluster and the class, the companion least with the medoid for its relevance.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them; None keeps two of every cluster, or one of a cluster of one.
        The clusters do not depend on it.
    n_clusters : int or None, default=None
        So many clusters, or as many as there are features that take part; None tries 2, 3, … up to the square root of
        their number and keeps the clusters of the largest silhouette, the fewer where two are equal.
    start : {"spread", "relevant"}, default="spread"
        The first medoids: the most relevant feature, then again and again the one farthest from those before; or the
        most relevant ones, which may all be of one group.
    prefilter_size : int or None, default=None
        Only so many of the most relevant features take part; None for all that vary.
    max_rounds : int, default=100
        So many rounds of moving features to the nearest medoid, unless none moves any more.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns: the medoids by falling relevance, then the companions by theirs.
    scores_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each chosen feature with the class; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each feature with the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in the order of ``indices_``; the others share the rank behind.
    labels_ : ndarray of shape (n_features,)
        Cluster of each feature, 0 for that of the most relevant medoid; -1 for a feature that took no part.
    medoids_ : ndarray of shape (n_clusters,)
        Column of the medoid of each cluster, also where fewer features were asked for.
    n_clusters_ : int
        Number of clusters.
    silhouette_ : float
        Mean simplified silhouette of the clusters, from -1 to 1: (b - a) / max(a, b) with the distances a and b of a
        feature to its own and the nearest other medoid, 0 for a cluster of one.
    silhouettes_ : ndarray of shape (n_tried,)
        The same of every number of clusters that was tried: 2, 3, …, or ``n_clusters`` alone.
    n_rounds_ : int
        Rounds until no feature moved, or ``max_rounds``.

    Examples
    --------
    >>> from holdfast import S3F
    >>> X = [[0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    >>> found = S3F(n_clusters=2, discretizer=None).fit(X, [0, 0, 0, 1, 1, 1])
    >>> found.labels_, found.indices_
    (array([0, 0, 1, 1]), array([0, 3, 1, 2]))
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "n_clusters": whole_number(at_least=1) | nothing(),
        "start": one_of("spread", "relevant"),
        "prefilter_size": whole_number(at_least=1) | nothing(),
        "max_rounds": whole_number(at_least=1),
        "discretizer": DISCRETIZER,
    }
    _score_means = "symmetrical uncertainty with the class"

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_clusters: int | None = None,
        start: str = "spread",
        prefilter_size: int | None = None,
        max_rounds: int = 100,
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.start = start
        self.prefilter_size = prefilter_size
        self.max_rounds = max_rounds
        self.discretizer = discretizer

    def _choose(self, problem: Problem) -> Found:
        n_features = problem.n_features
        n_select = self._n_select(n_features)
        self._refuse_too_many_clusters(n_features)
        codes, target = codes_and_target(problem, self.discretizer)
        relevance = symmetrical_uncertainty(codes, target)
        precedence = problem.precedence(relevance)
        part = self._taking_part(open_relevance(relevance, codes.is_constant), precedence)
        tried = self._numbers_tried(len(part))
        search = Medoids(
            uncertainty_of_pairs(codes, part),
            relevance[part],
            n_seeds=tried[-1],
            are_spread=self.start == "spread",
            max_rounds=self.max_rounds,
        )
        found = []
        for number in tried:
            found.append(search.clusters(number))
            report("Numbers of clusters tried", len(found), len(tried))
        silhouettes = np.array([clusters.silhouette for clusters in found])
        best = found[int(best_tied(silhouettes)[0])]
        labels = np.full(n_features, -1, dtype=np.int64)
        labels[part] = best.labels
        chosen = part[np.concatenate([best.medoids, np.sort(search.companions(best))])[:n_select]]
        scores = np.full(n_features, np.nan)
        scores[chosen] = relevance[chosen]
        return Found(
            chosen,
            scores,
            ranking_of(chosen, n_features),
            Evaluations(relevance=n_features, pair=len(part) * (len(part) - 1) // 2),
            precedence.n_ties + search.n_ties,
            {
                "relevance_": relevance,
                "labels_": labels,
                "medoids_": part[best.medoids],
                "n_clusters_": len(best.medoids),
                "silhouette_": best.silhouette,
                "silhouettes_": silhouettes,
                "n_rounds_": best.n_rounds,
            },
        )

    def _refuse_too_many_clusters(self, n_features: int) -> None:
        if self.n_clusters is not None and self.n_clusters > n_features:
            raise ValueError(
                f"n_clusters={self.n_clusters} but X has {n_features} feature(s). Lower it, or leave the number to the "
                "method with n_clusters=None."
            )

    def _taking_part(self, searched: Array, precedence: Precedence) -> Array:
        """Columns that are clustered, the first to go first; a constant one never is."""
        n_varying = int((searched >= 0).sum())
        n_part = n_varying if self.prefilter_size is None else min(self.prefilter_size, n_varying)
        if n_part > MOST:
            raise DataError(
                f"{n_part:,} features would be clustered, but the table of all their pairs holds at most {MOST:,}. "
                "Let only the most relevant take part, for example with prefilter_size=10000."
            )
        return precedence.sort(searched, n_part) if n_part else np.empty(0, dtype=np.int64)

    def _numbers_tried(self, n_part: int) -> list[int]:
        """Numbers of clusters to try: 2 … the square root, rounded up, unless one is given."""
        if self.n_clusters is not None:
            return [min(self.n_clusters, n_part)]
        return list(range(2, isqrt(max(n_part - 1, 0)) + 2)) or [n_part]

    @property
    def _notes(self) -> list[str]:
        return [
            f"{(self.labels_ >= 0).sum():,} of {self.n_features_in_:,} features are in {self.n_clusters_:,} "
            f"cluster(s), with a mean silhouette of {self.silhouette_:.4g}. Their medoids come first, then companions."
        ]

    @property
    def _details(self) -> dict[str, Any]:
        return {"clusters": self.n_clusters_, "silhouette": self.silhouette_}

    def _why_nothing(self) -> str:
        return (
            "none has more than one level at this binning. Try discretizer='equal-frequency', or a ranking method such "
            "as 'f-test'."
        )
