"""A ranking by what features differ by between a sample and its neighbours; a subclass says what each pair counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, seed, whole_number
from holdfast._random import generator
from holdfast.measures.neighbours import METRICS, SCALES, Distances, Space, weighted_differences
from holdfast.selectors._base import Problem
from holdfast.selectors._ranker import Ranker
from holdfast.selectors.neighbours._nominal import NOMINAL, nominal_mask

Array = npt.NDArray[Any]


class NeighbourRanker(Ranker):
    """Base of the Relief family."""

    allowed: ClassVar[Mapping[str, Rule]] = {
        **Ranker.allowed,
        "metric": one_of(*METRICS),
        "scale": one_of(*SCALES),
        "nominal": NOMINAL,
        "n_jobs": jobs(),
    }
    _takes_missing: ClassVar[bool] = True

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Measured values, or codes of names (``nominal``); NaN is a missing value.
        y : array-like of shape (n_samples,), default=None
            The classes; a Table brings its own.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts, both as the one looked at and as a neighbour (Han 2012, Eq. 5.3). It does not
            change who is near whom.

        Returns
        -------
        self : Selector
            The fitted selector.
        """
        return self._fit(X, y, sample_weight)

    def pair_weights(self, distances: Distances, problem: Problem) -> Array:
        raise NotImplementedError

    def space_of(self, problem: Problem) -> Space:
        is_nominal = nominal_mask(self.nominal, problem.names, problem.n_features)
        return Space.of(problem.rows, problem.target, scale=self.scale, is_nominal=is_nominal, n_jobs=self.n_jobs)

    def _score(self, problem: Problem) -> Array:
        space = self.space_of(problem)
        return weighted_differences(space, self.pair_weights(Distances.of(space, self.metric), problem))


SAMPLED: Mapping[str, Rule] = {
    "n_samples": whole_number(at_least=1) | nothing(),
    "random_state": seed(),
}


def visits(n_samples: int | None, random_state: Any, n_rows: int) -> Array | None:
    """How often each sample is looked at if that many are drawn, none twice; None if all are."""
    if n_samples is None:
        return None
    if n_samples > n_rows:
        raise ValueError(f"n_samples={n_samples} but X has {n_rows} sample(s). Lower it, or leave it out to use all.")
    drawn = generator(random_state).choice(n_rows, n_samples, replace=False)
    return np.bincount(drawn, minlength=n_rows)
