"""A ranking by what features differ by between a sample and its neighbours; a subclass says what each pair counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, check_parameters, jobs, nothing, one_of, seed, whole_number
from holdfast._random import generator
from holdfast.measures.neighbours import METRICS, SCALES, Distances, Space, weighted_differences
from holdfast.measures.relief import spread_over
from holdfast.selectors._base import Found, Problem
from holdfast.selectors._prior import PRIOR, PRIOR_SCALE, prior_gain, prior_weights
from holdfast.selectors._ranker import Ranker
from holdfast.selectors._resampling import Rows, without_gaps
from holdfast.selectors._weighted import WeightedSelector
from holdfast.selectors.neighbours._nominal import NOMINAL, nominal_mask

Array = npt.NDArray[Any]


class NeighbourRanker(WeightedSelector, Ranker):
    """Base of the Relief family."""

    allowed: ClassVar[Mapping[str, Rule]] = {
        **Ranker.allowed,
        "metric": one_of(*METRICS),
        "scale": one_of(*SCALES),
        "nominal": NOMINAL,
        "n_jobs": jobs(),
    }
    _takes_missing: ClassVar[bool] = True

    def pair_weights(self, distances: Distances, target: Array, sample_weight: Array | None) -> Array:
        """What the difference between every two samples counts; a subclass says so."""
        raise NotImplementedError

    def take_prior(self, problem: Problem) -> Array | None:
        """Weight of each feature in what is known beforehand; None, unless a subclass takes a prior."""
        return None

    def gain(self, prior: Array | None, n_rows: int) -> Array | float:
        """What the prior adds to the scores of so many samples."""
        return 0.0

    def space_of(self, problem: Problem) -> Space:
        """The samples, and what a difference in each feature counts."""
        is_nominal = nominal_mask(self.nominal, problem.names, problem.n_features)
        return Space.of(problem.rows, problem.target, scale=self.scale, is_nominal=is_nominal, n_jobs=self.n_jobs)

    def resampler(self, X: Any, y: Any) -> _Resampler | None:
        """A function from rows to the features chosen from them; distances are measured once, on ranges of all samples.

        None if values are missing: what stands for them depends on the classes, and is for each resample to find.
        """
        check_parameters(self)
        problem = self._check(X, y)
        space = self.space_of(problem)
        if space.has_missing.any():
            return None
        prior = self.take_prior(problem)
        return _Resampler(self, problem, space, Distances.of(space, self.metric), prior)

    def _score(self, problem: Problem) -> Array:
        gain = self.gain(self.take_prior(problem), len(problem.target))
        space = self.space_of(problem)
        distances = Distances.of(space, self.metric)
        return weighted_differences(space, self.pair_weights(distances, problem.target, problem.sample_weight)) + gain


class PriorRanker(NeighbourRanker):
    """Base of those that take a prior: it is added to the sum over the samples looked at (Ben Brahim 2015, Alg. 3)."""

    allowed: ClassVar[Mapping[str, Rule]] = {
        **NeighbourRanker.allowed,
        "n_samples": whole_number(at_least=1) | nothing(),
        "random_state": seed(),
        "prior": PRIOR,
        "prior_scale": PRIOR_SCALE,
    }

    def take_prior(self, problem: Problem) -> Array | None:
        """Weight of each feature in what is known beforehand, also kept as ``prior_``."""
        self.prior_ = prior_weights(self.prior, problem.names, problem.n_features)
        return self.prior_

    def gain(self, prior: Array | None, n_rows: int) -> Array | float:
        """What the prior adds to scores, which are means over the samples looked at and not sums."""
        n_visited = n_rows if self.n_samples is None else self.n_samples
        return prior_gain(prior, self.prior_scale) / n_visited


@dataclass(frozen=True)
class _Resampler:
    selector: NeighbourRanker
    problem: Problem
    space: Space
    distances: Distances
    prior: Array | None

    def __call__(self, rows: Array) -> Array:
        """Whether each feature is chosen."""
        support = np.zeros(self.problem.n_features, dtype=bool)
        support[self.found(rows).indices] = True
        return support

    def found(self, rows: Array) -> Found:
        """What is chosen, with scores and ranks."""
        target = without_gaps(self.problem.target[rows])
        weights = self.selector.pair_weights(self.distances.take(rows), target, None)
        scores = weighted_differences(self.space, spread_over(rows, weights, len(self.space.X)))
        scores += self.selector.gain(self.prior, len(rows))
        scores[~self.space.varies_among(rows)] = -np.inf
        return self.selector.rank(scores, Rows(self.problem, rows), target, self.problem.names)


def visits(n_samples: int | None, random_state: Any, distances: Distances) -> Array | None:
    """How often each sample is looked at if that many are drawn, none twice; None if all are.

    Drawn from samples ordered by how far they are from all others, the same seed draws the same from shuffled rows (but
    for samples equally far, which go by row).
    """
    n_rows = len(distances.matrix)
    if n_samples is None:
        return None
    if n_samples > n_rows:
        raise ValueError(
            f"n_samples={n_samples} but there are {n_rows} sample(s) to draw from (a resample has fewer than X). "
            "Lower it, or leave it out to use all."
        )
    total = np.sort(distances.matrix, axis=1).sum(axis=1)
    by_total = np.argsort(total, kind="stable")
    group = np.cumsum(np.diff(total[by_total], prepend=0.0) > n_rows * distances.tie)
    order = by_total[np.lexsort((by_total, group))]
    drawn = order[generator(random_state).choice(n_rows, n_samples, replace=False)]
    return np.bincount(drawn, minlength=n_rows)
