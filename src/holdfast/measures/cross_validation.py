"""Share of test samples that a classifier gets wrong with a subset of features, each subset evaluated once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.measures._cached import CachedSubsets
from holdfast.measures._folds import draw_folds, sample_order
from holdfast.measures._neighbour_votes import NeighbourVotes, Rule
from holdfast.measures._refits import Refits

Array = npt.NDArray[Any]


class CrossValidation(CachedSubsets[int]):
    """Error of a classifier on subsets of features: misclassified over classified, over all test parts together.

    Use it as the objective of a wrapper. The splits are drawn once; a subset that was evaluated before costs nothing.
    Nearest neighbours are counted by a compiled kernel, any other classifier is cloned and fitted. All errors
    have one denominator, so two are equal exactly when as many samples were misclassified.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The features to draw subsets from. Their order is the order in which samples are sorted and classifiers see
        them: give columns an order of their own (``Precedence.sort``) and the errors do not depend on the table's.
    y : ndarray of shape (n_samples,)
        Classes.
    estimator : classifier or None, default=None
        None for the nearest neighbour on features standardised by the training part.
    cv : int, splitter, list of (train, test) or None, default=10
        So many stratified folds, but no more than the smallest class has samples; None for 10.
    random_state : int, Generator or None, default=None
        Seed of the folds.
    n_jobs : int or None, default=None
        Parallel jobs, as in joblib; no result depends on it.

    Attributes
    ----------
    n_requests : int
        Errors asked for.
    n_cache_hits : int
        Of these, subsets that were known already.
    n_trained : int
        Classifiers trained: one per new subset and split.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 4.0], [8.0, 3.0], [9.0, 5.0], [7.0, 4.0]])
    >>> validation = CrossValidation(X, np.array([0, 0, 0, 1, 1, 1]), cv=3, random_state=0)
    >>> validation.errors([[0], [1, 0], [0, 1]]).tolist()
    [0.0, 0.0, 0.0]
    >>> validation.n_requests, validation.n_cache_hits, validation.n_trained
    (3, 1, 6)
    """

    def __init__(
        self,
        X: Array,
        y: Array,
        *,
        estimator: Any = None,
        cv: Any = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        _, target = np.unique(y, return_inverse=True)
        order = sample_order(X, target)
        folds = draw_folds(X, y, order, cv, random_state)
        rule = Rule.behind(estimator)
        self._method: NeighbourVotes | Refits
        if rule is not None:
            self._method = NeighbourVotes(X[order], target[order], folds, rule, n_jobs)
        else:
            self._method = Refits(X[order], y[order], folds, estimator, n_jobs)
        self._n_classified = len(folds.test)
        super().__init__(len(folds))

    def errors(self, subsets: Iterable[Iterable[int]]) -> Array:
        """Error with each subset; the order and repetition of its features do not matter."""
        n_wrong: Array = np.array(self._verdicts(subsets, self._count_wrong))
        return n_wrong / self._n_classified

    def growing(self) -> GrowingSubset:
        """Start a subset without features, to which one is added at a time."""
        return GrowingSubset(self)

    def _count_wrong(self, subsets: list[Array]) -> list[int]:
        if any(len(features) == 0 for features in subsets):
            raise ValueError("A subset without features has no classifier, so no error.")
        counts: list[int] = self._method.count_wrong(subsets).tolist()
        return counts


class GrowingSubset:
    """A subset that grows; errors with one more feature are those of the larger subset evaluated by itself.

    Nearest neighbours carry their distances along and only add the new feature's.
    """

    def __init__(self, validation: CrossValidation) -> None:
        self._validation = validation
        self._features: list[int] = []
        method = validation._method
        self._votes = method if isinstance(method, NeighbourVotes) and method.can_keep_distances else None
        self._near = self._votes.near_set() if self._votes else None

    def errors_with(self, candidates: Array) -> Array:
        """Error with each candidate added."""
        if self._votes is None or self._near is None:
            return self._validation.errors([*self._features, int(candidate)] for candidate in candidates)
        self._validation._count(len(candidates), len(candidates), len(candidates))
        return self._votes.count_wrong_extended(self._near, candidates) / self._validation._n_classified

    def add(self, feature: int) -> None:
        """Let a feature join."""
        self._features.append(int(feature))
        if self._votes is not None and self._near is not None:
            self._near.add(self._votes.column(int(feature)))
