"""Which features say the same: significantly correlated pairs, and similarity by correlation.

Tables of 25,000 features have 300 million pairs, so correlations are made a block at a time and never all kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import betainc, betaincinv

from holdfast._errors import DataError

Array = npt.NDArray[Any]

# A tile of this many features squared stays in the processor's cache.
_TILE = 512
_N_BINS = 2**16
_AT_ONCE = 2**12


def correlated_pairs(X: Any, *, fdr: float = 0.001) -> Any:
    """Pairs of features whose positive correlation is significant.

    Use it once per table, and give the result to ``pogr`` and ``npogr``. Pearson correlation, two-sided by the t
    distribution, false discovery rate over all pairs by Benjamini and Hochberg; of the significant pairs the positive
    ones are kept. A constant feature is correlated with none.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or data frame
        Data, at least 3 samples, no missing values.
    fdr : float, default=0.001
        False discovery rate, between 0 and 1.

    Returns
    -------
    pairs : scipy.sparse.csr_matrix of shape (n_features, n_features), dtype=bool
        Symmetric; true where two different features are significantly positively correlated.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.arange(20.0)
    >>> b = np.tile([1.0, -1.0], 10)
    >>> correlated_pairs(np.column_stack([a, 2 * a + b, b])).toarray().astype(int)
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]])
    """
    if not 0.0 < fdr < 1.0:
        raise ValueError(f"fdr={fdr!r} is no rate. Pass a number between 0 and 1, such as 0.001.")
    columns = standardised_columns(X)
    n_features, n_samples = columns.shape
    if n_features < 2:
        return sparse.csr_matrix((n_features, n_features), dtype=bool)
    freedom = n_samples - 2
    least = float(np.sqrt(1.0 - betaincinv(freedom / 2, 0.5, fdr)))
    n_in_bin = _histogram(columns, least)
    rows, others, r = _candidates(columns, least, _first_bin(n_in_bin, least, freedom, fdr, n_features))
    is_kept = (np.abs(r) >= _threshold(np.abs(r), freedom, fdr, n_features)) & (r > 0)
    rows, others = rows[is_kept], others[is_kept]
    shape = (n_features, n_features)
    half = sparse.csr_matrix((np.ones(len(rows), dtype=bool), (rows, others)), shape=shape)
    return (half + half.T).tocsr()


def standardised_columns(X: Any) -> Array:
    """Columns of X as rows of mean 0 and length 1; zeros for a constant one."""
    if hasattr(X, "toarray"):
        raise TypeError("X is sparse, but correlations take a dense table. Convert it with X.toarray().")
    try:
        values = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"X holds values that are not numbers ({error}). Encode or remove them.") from error
    if values.ndim != 2 or values.shape[0] < 3:
        raise DataError(f"X has the shape {values.shape}; correlations need rows of features of at least 3 samples.")
    if not np.isfinite(values).all():
        raise DataError("X has missing or infinite values. Impute them, or drop their features, before correlating.")
    columns = np.ascontiguousarray(values.T)
    is_constant = columns.max(axis=1) == columns.min(axis=1)
    # Divided by the largest first, so that squares neither overflow nor vanish.
    largest = np.abs(columns).max(axis=1, keepdims=True)
    columns = columns / np.where(largest > 0.0, largest, 1.0)
    columns -= columns.mean(axis=1, keepdims=True)
    length = np.linalg.norm(columns, axis=1)
    length[is_constant | (length == 0.0)] = np.inf
    columns /= length[:, None]
    return columns


def _correlations(columns: Array) -> Iterator[tuple[int, int, Array]]:
    """First row, first column and correlations of each tile above the diagonal; 0 on and below the diagonal.

    The same tiles every time give the same bits, so that a second pass meets the values of the first.
    """
    for row in range(0, len(columns), _TILE):
        rows = columns[row : row + _TILE]
        for column in range(row, len(columns), _TILE):
            tile = rows @ columns[column : column + _TILE].T
            if column == row:
                tile = np.triu(tile, k=1)
            yield row, column, tile


def _bins(size: Array, least: float) -> Array:
    """Bin of each absolute correlation, from ``least`` to 1."""
    place = ((size - least) * (_N_BINS / (1.0 - least))).astype(np.int64)
    return np.minimum(place, _N_BINS - 1)


def _histogram(columns: Array, least: float) -> Array:
    n_in_bin = np.zeros(_N_BINS, dtype=np.int64)
    for _, _, tile in _correlations(columns):
        size = np.abs(tile, out=tile)
        large = size[size >= least]
        if len(large):
            np.add.at(n_in_bin, _bins(large, least), 1)
    return n_in_bin


def _p_value(size: Array, freedom: int) -> Array:
    """Two-sided p of an absolute correlation, by the t distribution."""
    size = np.minimum(size, 1.0)
    p: Array = betainc(freedom / 2, 0.5, (1.0 - size) * (1.0 + size))
    return p


def _n_pairs(n_features: int) -> int:
    return n_features * (n_features - 1) // 2


def _first_bin(n_in_bin: Array, least: float, freedom: int, fdr: float, n_features: int) -> int:
    """The lowest bin that can hold a correlation which is small enough in p for its rank; beyond all, if none can."""
    n_from_here = np.cumsum(n_in_bin[::-1])[::-1]
    upper = np.minimum(least + (np.arange(_N_BINS) + 2) * ((1.0 - least) / _N_BINS), 1.0)
    can_hold = (n_in_bin > 0) & (_p_value(upper, freedom) <= fdr * n_from_here / _n_pairs(n_features))
    return int(np.argmax(can_hold)) if can_hold.any() else _N_BINS


def _candidates(columns: Array, least: float, first_bin: int) -> tuple[Array, Array, Array]:
    """Pairs of the bins from ``first_bin`` on, with their correlations."""
    rows, others, values = [], [], []
    if first_bin < _N_BINS:
        # A shade lower than the bin, whose edge is rounded; the bin itself decides.
        lowest = max(least, least + (first_bin - 1) * (1.0 - least) / _N_BINS)
        for row, column, tile in _correlations(columns):
            cells = np.flatnonzero(np.abs(tile) >= lowest)
            r = tile.ravel()[cells]
            is_in = _bins(np.abs(r), least) >= first_bin
            i, j = np.divmod(cells[is_in], tile.shape[1])
            rows.append((i + row).astype(np.int32))
            others.append((j + column).astype(np.int32))
            values.append(r[is_in])
    if not rows:
        return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0)
    return np.concatenate(rows), np.concatenate(others), np.concatenate(values)


def _threshold(size: Array, freedom: int, fdr: float, n_features: int) -> float:
    """The smallest absolute correlation that Benjamini and Hochberg keep; all larger ones are among the given."""
    rising = np.sort(size)
    for start in range(0, len(rising), _AT_ONCE):
        some = rising[start : start + _AT_ONCE]
        # Equal values share the rank of the last of them.
        rank = len(rising) - np.searchsorted(rising, some, side="left")
        is_small = _p_value(some, freedom) <= fdr * rank / _n_pairs(n_features)
        if is_small.any():
            return float(some[np.argmax(is_small)])
    return np.inf


@dataclass(frozen=True)
class Similarity:
    """How alike the features of a table are, made only for those that are asked for.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples)
        Features as rows of mean 0 and length 1.
    threshold : float
        Correlations below it in size count as 0.

    Examples
    --------
    >>> import numpy as np
    >>> similarity(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0]])).among([0, 1]).round(3)
    array([[1.   , 0.655],
           [0.655, 1.   ]])
    """

    columns: Array
    threshold: float

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.columns)

    def among(self, features: Any) -> Array:
        """Similarities of some features, as a dense matrix."""
        some = self.columns[np.asarray(features)]
        values = self._alike(some @ some.T)
        np.fill_diagonal(values, 1.0)
        return values

    @cached_property
    def total(self) -> float:
        """Sum over all pairs of features in both directions, and over each feature with itself."""
        later = sum(float(self._alike(tile).sum()) for _, _, tile in _correlations(self.columns))
        return 2.0 * later + self.n_features

    def _alike(self, r: Array) -> Array:
        size = np.minimum(np.abs(r, out=r), 1.0, out=r)
        if self.threshold > 0.0:
            size[size < self.threshold] = 0.0
        return size


def similarity(X: Any, *, threshold: float = 0.0) -> Similarity:
    """Similarity of features by the size of their correlation, for ``nogueira_adjusted``.

    Use it when features of one pathway, or copies of one gene, should count as agreement. A constant feature is like
    none but itself.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or data frame
        Data, at least 3 samples, no missing values.
    threshold : float, default=0.0
        Correlations below it in size count as 0. With few samples, correlations by chance are many; 0.5 or more keeps
        them out.

    Returns
    -------
    similarity : Similarity
        With ``among(features)``, ``total`` and ``n_features``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> similarity(X, threshold=0.9).among([0, 2])
    array([[1., 0.],
           [0., 1.]])
    """
    if not 0.0 <= threshold <= 1.0:
        raise ValueError(f"threshold={threshold!r} is no size of a correlation. Pass a number from 0 to 1.")
    return Similarity(standardised_columns(X), float(threshold))
