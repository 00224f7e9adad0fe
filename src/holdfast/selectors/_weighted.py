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
