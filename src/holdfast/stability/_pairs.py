"""How many features each two runs share, for all pairs at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Array = npt.NDArray[Any]

_BLOCK = 4096
# Above this share of set cells a column costs less in a dense product than in a sparse one.
_DENSE_SHARE = 1 / 16
_EXACT_IN_FLOAT32 = 2**24


def shared_features(left: Array, right: Array | None = None) -> Array:
    """Number of columns that are set both in row i of ``left`` and in row j of ``right`` (of ``left``, if None).

    Rare columns are multiplied as sparse matrices, common ones as dense blocks; every sum is a whole number that
    floating point holds exactly.
    """
    other = left if right is None else right
    counts, other_counts = left.sum(axis=0), other.sum(axis=0)
    is_common = counts * other_counts > _DENSE_SHARE**2 * len(left) * len(other)
    is_rare = (counts > 0) & (other_counts > 0) & ~is_common
    shared = np.zeros((len(left), len(other)))
    common = np.flatnonzero(is_common)
    dtype = np.float32 if len(common) < _EXACT_IN_FLOAT32 else np.float64
    for start in range(0, len(common), _BLOCK):
        columns = common[start : start + _BLOCK]
        block = _some_columns(left, columns, dtype)
        shared += block @ (block if right is None else _some_columns(right, columns, dtype)).T
    if is_rare.any():
        rare = as_sparse(left[:, is_rare])
        others = rare if right is None else as_sparse(right[:, is_rare])
        shared += (rare @ others.T).toarray()
    return shared


def _some_columns(matrix: Array, columns: Array, dtype: Any) -> Array:
    first, last = columns[0], columns[-1] + 1
    some: Array = matrix[:, first:last] if last - first == len(columns) else matrix[:, columns]
    return some.astype(dtype)


def as_sparse(matrix: Array) -> Any:
    """A sparse matrix of ones from a boolean one; much faster than scipy's own way."""
    cells = np.flatnonzero(matrix)
    starts = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))])
    return sparse.csr_matrix((np.ones(len(cells)), cells % matrix.shape[1], starts), shape=matrix.shape)


def mean_over_pairs(values: Array) -> float:
    """Mean over all ordered pairs of different runs; a symmetric matrix counts each pair twice."""
    n_runs = len(values)
    return float((values.sum() - np.trace(values)) / (n_runs * (n_runs - 1)))
