"""Selectors whose samples may count differently."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from holdfast._errors import DataError
from holdfast.selectors._base import Problem, Selector


class WeightedSelector(Selector):
    """Base of selectors that take weights of samples."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Measured values, or whatever the method takes. A data frame or a Table brings names along.
        y : array-like of shape (n_samples,), default=None
            The classes; a Table brings its own.
        sample_weight : array-like of shape (n_samples,), default=None
            How much each sample counts: for methods that go by neighbours, both as the one looked at and as a
            neighbour (Han 2012, Eq. 5.3), without changing who is near whom; for linear models it multiplies what an
            error of the sample costs (Eq. 5.2).

        Returns
        -------
        self : Selector
            The fitted selector.
        """
        return self._fit(X, y, sample_weight)


def only_counted(problem: Problem) -> Problem:
    """The samples of a weight above 0: others are as good as absent."""
    if problem.sample_weight is None or problem.sample_weight.all():
        return problem
    rows = np.flatnonzero(problem.sample_weight)
    present, target = np.unique(problem.target[rows], return_inverse=True)
    if len(present) < 2:
        raise DataError(
            "Only one class has samples of a weight above 0. Give samples of at least two classes a sample_weight "
            "above 0."
        )
    measured = None if problem.measured_target is None else problem.measured_target[rows]
    return replace(
        problem,
        given=problem.given[rows],
        target=target,
        measured_target=measured,
        sample_weight=problem.sample_weight[rows],
    )
