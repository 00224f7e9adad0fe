"""Which features are like known ones: those whose nearest features are all known (Ben Brahim 2015, Algorithm 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

_BLOCK = 2048
_FIRST = 32
# Squared distances this close, as a share of the squared lengths involved, are equal.
_TIE = 1e-12


def surrounded(features: Array, is_known: Array, n_neighbors: int) -> Array:
    """Find the unknown features whose nearest features are all known.

    A feature equally near as the last neighbour is a neighbour too, so the order of the features does not matter.

    Parameters
    ----------
    features : ndarray of shape (n_features, n_samples)
        Values by feature.
    is_known : ndarray of shape (n_features,), dtype=bool
        Which features are known.
    n_neighbors : int
        How many nearest features to look at.

    Returns
    -------
    is_surrounded : ndarray of shape (n_features,), dtype=bool
        True for unknown features among known ones.

    Examples
    --------
    >>> import numpy as np
    >>> features = np.array([[0.0, 0], [1, 0], [0, 1], [0, 3], [10, 10]])
    >>> surrounded(features, np.array([True, True, False, False, False]), n_neighbors=2)
    array([False, False,  True, False, False])
    """
    is_surrounded = np.zeros(len(features), dtype=bool)
    known, unknown = np.flatnonzero(is_known), np.flatnonzero(~is_known)
    if len(known) < n_neighbors:
        return is_surrounded
    squares = np.einsum("ij,ij->i", features, features)
    for start in range(0, len(unknown), _BLOCK):
        block = unknown[start : start + _BLOCK]
        reach = np.partition(_squared(features, squares, block, known), n_neighbors - 1, axis=1)[:, n_neighbors - 1]
        is_surrounded[_without_nearer(features, squares, block, reach, unknown)] = True
    return is_surrounded


def _without_nearer(features: Array, squares: Array, candidates: Array, reach: Array, others: Array) -> Array:
    """Candidates with none of the others within reach; most have one among the first few."""
    start, size = 0, _FIRST
    while start < len(others) and len(candidates):
        block = others[start : start + size]
        start, size = start + size, min(2 * size, _BLOCK)
        distances = _squared(features, squares, candidates, block)
        tie = _TIE * (squares[candidates][:, None] + squares[block])
        is_within = (distances <= reach[:, None] + tie) & (candidates[:, None] != block)
        is_free = ~is_within.any(axis=1)
        candidates, reach = candidates[is_free], reach[is_free]
    return candidates


def _squared(features: Array, squares: Array, some: Array, others: Array) -> Array:
    distances: Array = squares[some][:, None] + squares[others] - 2.0 * (features[some] @ features[others].T)
    return distances
