"""Selectors whose samples may count differently."""

from __future__ import annotations

from typing import Any, Self

from holdfast.selectors._base import Selector


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
