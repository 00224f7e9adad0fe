"""Several lists of features side by side, as rules of aggregation read them (Ben Brahim 2015, section 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Lists:
    """K lists over the features that any of them holds.

    Parameters
    ----------
    features : ndarray of shape (n_listed,)
        Columns that any list holds (all columns, if ranks are complete), in an order that depends on their content
        and not on their places in the table.
    ranks : ndarray of shape (n_lists, n_listed)
        Rank of each feature in each list, 1 = best; one behind the last for a feature that a list does not hold,
        unless ranks are complete.
    weights : ndarray of shape (n_lists, n_listed)
        What each list thinks of each feature, from 0 to 1; 0 for a feature that it does not hold.
    is_listed : ndarray of shape (n_lists, n_listed), dtype=bool
        Whether a list holds the feature.
    list_size : int
        Length of the longest list.
    n_features : int
        Number of columns of the table.
    errors : ndarray of shape (n_lists,) or None
        Share of samples that a classifier on the features of each list gets wrong.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = np.array([[1, 2, 3], [2, 1, 3]])
    >>> Lists(np.array([4, 7, 9]), ranks, 1.0 / ranks, ranks < 3, list_size=2, n_features=20).n_lists
    2
    """

    features: Array
    ranks: Array
    weights: Array
    is_listed: Array
    list_size: int
    n_features: int
    errors: Array | None = None

    @property
    def n_lists(self) -> int:
        """Number of lists."""
        return len(self.ranks)
