"""A set of features that grows and shrinks, and what nearest neighbours get wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs

from holdfast._errors import DataError
from holdfast.kernels.knn import training_scales
from holdfast.kernels.near import LANES, MOST_SAMPLES, join, mean_errors, vote_errors
from holdfast.measures._folds import Folds

Array = npt.NDArray[Any]
# Distances that a thread should have to look at, about 10 ms: below, starting it costs more than it gives.
_WORTH_A_THREAD = 5_000_000
# Distances between samples that are kept at most (1.2 GB a matrix, of which there are a few).
_MOST_KEPT = 150_000_000
# Fewer candidates are judged one by one: sorting the distances of a set, and lanes, pay for more.
_WORTH_SORTING = 4


class NearSet:
    """Distances between samples in a set of features; one more feature, or one less, is one step from them.

    Parameters
    ----------
    target : ndarray of shape (n_samples,)
        Classes as numbers from 0, of which neighbours vote for one; or measures, of which they take the mean.
    folds : Folds
        Which samples are judged by which; samples come in an order that decides between equal distances.
    n_near : int
        Most neighbours of interest.
    scale : {"standard", "range", "none"}
        Whether a feature is measured by its deviation or range in the training part of each split, or as it is.
    knows_itself : bool
        Whether a sample that is also among the training samples may be its own neighbour.
    n_jobs : int or None
        Threads, as in joblib; no result depends on it.

    Attributes
    ----------
    worth_sorting : int
        Fewer candidates are judged one by one; no result depends on it.
    """

    def __init__(
        self,
        target: Array,
        folds: Folds,
        n_near: int,
        *,
        scale: str,
        knows_itself: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self._target = target
        self._votes = target.dtype.kind in "iu"
        self._folds = folds
        self._n_near = n_near
        self._scale = scale
        self._n_jobs = n_jobs
        self.worth_sorting = _WORTH_SORTING
        self._longest = int(np.diff(folds.train_starts).max())
        if self._longest > MOST_SAMPLES:
            raise DataError(
                f"There are {self._longest} training samples, but nearest neighbours are found among {MOST_SAMPLES} at "
                "most. Use fewer samples, or another criterion."
            )
        if len(folds.test) * self._longest > _MOST_KEPT:
            raise DataError(
                f"Nearest neighbours of {len(folds.test)} test samples among {self._longest} training samples would "
                f"take {8 * len(folds.test) * self._longest / 1e9:.0f} GB a matrix of distances. Use fewer samples, "
                "fewer folds or parts, or an estimator that is fitted, such as GaussianNB()."
            )
        self._start = np.zeros((len(folds.test), self._longest))
        self._as_they_come = np.tile(np.arange(self._longest), (len(folds.test), 1))
        for position, (sample, rows) in enumerate(self._test_samples()):
            self._start[position, len(rows) :] = np.inf
            if not knows_itself:
                self._start[position, : len(rows)][rows == sample] = np.inf
        fewest = int(np.isfinite(self._start).sum(axis=1).min())
        if fewest < n_near:
            raise DataError(
                f"A sample has {fewest} other(s) that can be its neighbours in some split, but {n_near} are needed. "
                "Use fewer folds or parts, or fewer neighbours."
            )
        self.clear()

    def _test_samples(self) -> Any:
        for train, test in self._folds:
            for sample in test:
                yield sample, train

    def factors(self, columns: Array) -> Array:
        """Square of the factor by which each column (a row here) is measured in each split."""
        scales = np.ones((len(self._folds), len(columns)))
        if self._scale == "standard":
            training_scales(columns, self._folds.train, self._folds.train_starts, scales)
        elif self._scale == "range":
            for s, (rows, _) in enumerate(self._folds):
                width = np.ptp(columns[:, rows], axis=1)
                scales[s] = np.divide(1.0, width, out=np.zeros(len(columns)), where=width > 0)
        return scales * scales

    def clear(self) -> None:
        """Begin with no feature."""
        self._whole = self._start.copy()
        self._ranked: tuple[Array, Array] | None = None

    def empty(self) -> NearSet:
        """Another set of the same samples and splits, with no feature."""
        other = copy(self)
        other.clear()
        return other

    def extended(self, columns: Array) -> NearSet:
        """Another set, which more features have joined."""
        other = copy(self)
        other._whole = self._whole.copy()
        for column in columns:
            other.add(column)
        return other

    def add(self, column: Array) -> None:
        """Let a feature join."""
        join(column, self.factors(column[np.newaxis])[:, 0].copy(), *self._folds.arrays, self._whole)
        self._ranked = None

    def errors(self) -> Array:
        """Errors of the set as it is, by split and by number of neighbours."""
        nothing = np.zeros((1, len(self._target)))
        errors = self.errors_with(nothing, np.zeros(1, dtype=np.int64), np.zeros((len(self._folds), 1)))
        own: Array = errors[0]
        return own

    def errors_with(self, columns: Array, features: Array, factors: Array) -> Array:
        """Errors when each of some columns joins, by split and by number of neighbours."""
        answer = np.empty((len(features), len(self._folds), self._n_near), dtype=np.int64 if self._votes else float)

        def judge(first: int, last: int) -> None:
            if self._votes:
                votes = np.empty(int(self._target.max()) + 1, dtype=np.int64)
                self._run(
                    vote_errors,
                    columns,
                    features[first:last],
                    factors,
                    by_definition,
                    distances,
                    answer[first:last],
                    votes,
                )
            else:
                self._run(
                    mean_errors, columns, features[first:last], factors, by_definition, distances, answer[first:last]
                )

        by_definition = len(features) < self.worth_sorting
        distances = self._unsorted if by_definition else self._sorted
        n_worth = len(features) * self._whole.size // _WORTH_A_THREAD
        n_parts = min(effective_n_jobs(self._n_jobs), len(features), n_worth)
        if n_parts <= 1:
            judge(0, len(features))
        else:
            bounds = np.linspace(0, len(features), n_parts + 1).astype(int).tolist()
            Parallel(n_jobs=self._n_jobs, require="sharedmem")(delayed(judge)(*part) for part in pairwise(bounds))
        return answer

    def _run(
        self,
        kernel: Callable[..., None],
        columns: Array,
        features: Array,
        factors: Array,
        by_definition: bool,
        distances: tuple[Array, Array],
        answer: Array,
        *more: Array,
    ) -> None:
        whole, order = distances
        low = (1 << max(1, (self._longest - 1).bit_length())) - 1
        kernel(
            columns, features, factors, *self._folds.arrays, whole, order, by_definition, self._target, answer, low,
            np.empty((len(self._target), LANES)), np.empty(LANES), np.empty(LANES, dtype=np.int64),
            np.empty((self._n_near + 1, LANES), dtype=np.int64), np.empty(LANES, dtype=np.int64),
            np.empty(self._longest), np.empty(self._n_near, dtype=np.int64), *more,
        )  # fmt: skip

    @property
    def _unsorted(self) -> tuple[Array, Array]:
        """Distances and whose they are, as they come."""
        if self._ranked is not None:
            return self._ranked
        return self._whole, self._as_they_come

    @property
    def _sorted(self) -> tuple[Array, Array]:
        """Distances and whose they are, nearest first."""
        if self._ranked is None:
            order = np.argsort(self._whole, axis=1, kind="stable")
            self._ranked = np.take_along_axis(self._whole, order, axis=1), order
        return self._ranked
