"""Distances between samples by features meet those by the target: distance correlation from sums over pairs.

Székely, Rizzo and Bakirov 2007 (V-statistic), Székely and Rizzo 2014 (U-centred); Hosseini 2018, §2.3.9. A constant has
the index 0, and so has whatever differs from 0 by rounding only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from holdfast._errors import DataError
from holdfast.kernels.distance import (
    class_distance_sums,
    index_from_sums,
    number_distance_sums,
    subset_distance_sums,
)
from holdfast.prepare.ranks import sorted_blocks

Array = npt.NDArray[Any]

BIASED, SQUARED, UNBIASED = INDICES = ("biased", "biased-squared", "unbiased")
CLASSES, NUMBERS = KINDS = ("classes", "numbers")
# What is smaller than this share of the sums it is a difference of is rounding.
_ROUNDING = 1e-14
# Below this share so many digits are gone that distances are centred one by one: one far sample among others.
_FEW_DIGITS = 1e-5
_NONE = np.zeros(0, dtype=np.int64)
_FEWEST = {BIASED: 2, SQUARED: 2, UNBIASED: 4}


class Constants(NamedTuple):
    """What an index is made with besides the sums of a set."""

    rows: float
    all_: float
    variance: float
    squares: float
    rounding: float = _ROUNDING
    few_digits: float = _FEW_DIGITS


class Dependence(NamedTuple):
    """A test of independence for every feature."""

    statistic: Array
    p_value: Array


class Distances:
    """Distances of the samples with respect to the target, met by those with respect to features.

    Parameters
    ----------
    target : ndarray of shape (n_samples,)
        Codes of classes from 0 on, or numbers.
    kind : {"classes", "numbers"}
        What the target is. Classes are all equally far apart.
    """

    def __init__(self, target: Array, kind: str) -> None:
        self.n_samples = len(target)
        self.kind = kind
        self._known: dict[str, Constants] = {}
        if kind == CLASSES:
            self._target = target.astype(np.int64)
            self._sizes = np.bincount(self._target)
            self._row_sums = (self.n_samples - self._sizes[self._target]).astype(np.float64)
            self._squares = float(self._row_sums.sum())
        else:
            centred = target.astype(np.float64) - np.median(target)
            _, places = np.unique(centred, return_inverse=True)
            self._target, self._places = centred, places.astype(np.int64) + 1
            self._row_sums = _row_sums(centred)
            self._squares = float(2 * (self.n_samples * (centred @ centred) - centred.sum() ** 2))

    def each(self, X: Array, index: str = BIASED) -> Array:
        """Index of every column, in O(n log n) for each."""
        return self._each(X, self._sums(X), index)

    def dependence(self, X: Array) -> Dependence:
        """Test of every column (Hosseini 2018, Eq. 2.37): n · dCov² over the product of mean distances."""
        return self._dependence(self._sums(X))

    def each_with_dependence(self, X: Array, index: str) -> tuple[Array, Dependence]:
        """Both, from the same sums."""
        sums = self._sums(X)
        dependence = self._dependence(sums)
        return self._each(X, sums, index), dependence

    def _each(self, X: Array, sums: Array, index: str) -> Array:
        sums[:, 1] = self._product(sums, index)
        answer = self._index(sums[:, 1:], index)
        for f in self._uncertain(answer, sums[:, 4], index):
            answer[f] = self._written_out(X[:, [f]])
        return answer

    def _dependence(self, sums: Array) -> Dependence:
        product = self._product(sums, BIASED)
        below = sums[:, 2] * self._row_sums.sum()
        varies = product > _ROUNDING * np.sqrt(sums[:, 4] * self._squares)
        statistic = np.divide(self.n_samples**3 * product, below, out=np.zeros(len(sums)), where=varies)
        return Dependence(statistic, 2.0 * ndtr(-np.sqrt(statistic)))

    def _sums(self, X: Array) -> Array:
        sums = np.empty((X.shape[1], 5))
        if self.kind == CLASSES:
            scratch = np.empty((2, len(self._sizes)))
            for block, columns, order in sorted_blocks(X):
                class_distance_sums(columns, order, self._target, self._sizes, scratch, sums[block])
        else:
            scratch = np.empty((4, self.n_samples + 1))
            given = (self._target, self._places, self._row_sums, scratch)
            for block, columns, order in sorted_blocks(X):
                number_distance_sums(columns, order, *given, sums[block])
        return sums

    def _product(self, sums: Array, index: str) -> Array:
        """Sum of products of centred distances."""
        rows, all_ = _centring(self.n_samples, index)
        product: Array = sums[:, 0] - 2 * rows * sums[:, 1] + all_ * self._row_sums.sum() * sums[:, 2]
        return product

    def _index(self, sums: Array, index: str) -> Array:
        """From sums of products, distances, squared row sums and squares to the index."""
        answer = np.empty(len(sums))
        index_from_sums(sums, *self._constants(index), index == UNBIASED, index == BIASED, answer)
        return answer

    def _constants(self, index: str) -> Constants:
        if index not in self._known:
            rows, all_ = _centring(self.n_samples, index)
            total, squared = self._row_sums.sum(), self._row_sums @ self._row_sums
            variance = self._squares - 2 * rows * squared + all_ * total**2
            is_some = variance > _ROUNDING * self._squares
            self._known[index] = Constants(rows, all_, float(variance) if is_some else 0.0, self._squares)
        return self._known[index]

    def _uncertain(self, answer: Array, squares: Array, index: str) -> Array:
        """Which unbiased indices have lost too many digits, since what is centred away is much larger than the rest."""
        if index != UNBIASED:
            return _NONE
        if self._constants(index).variance < _FEW_DIGITS * self._squares:
            return np.flatnonzero(squares > 0)
        return np.flatnonzero(np.isnan(answer))

    def _written_out(self, points: Array) -> float:
        """The unbiased index of one set of features, distance by distance."""
        apart = np.sqrt(((points[:, np.newaxis] - points) ** 2).sum(axis=2))
        (own, variance), (other, of_target) = (_u_centred(matrix) for matrix in (apart, self._apart()))
        return float((own * other).sum() / np.sqrt(variance * of_target)) if variance * of_target > 0 else 0.0

    def _apart(self) -> Array:
        """Distances of the target."""
        y = self._target
        distances: Array = np.abs(y[:, np.newaxis] - y)
        return np.minimum(distances, 1) if self.kind == CLASSES else distances


class SubsetDistances(Distances):
    """The same for sets of features together, whose squared distances add up.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features in units that make them comparable.
    target : ndarray of shape (n_samples,)
        Codes of classes from 0 on, or numbers.
    kind : {"classes", "numbers"}
        What the target is.
    index : {"biased", "biased-squared", "unbiased"}
        Which form of distance correlation.

    Notes
    -----
    No matrix of pairs is kept for any feature: memory is that of the table and of one matrix of pairs for the target.
    A set of k features costs O(n² k).
    """

    def __init__(self, X: Array, target: Array, kind: str, index: str = BIASED) -> None:
        super().__init__(target, kind)
        self.index = index
        self._values = np.ascontiguousarray(X.T, dtype=np.float64)
        self._values -= self._values.mean(axis=1, keepdims=True)
        centred = self._values
        self._spread = 2 * (self.n_samples * np.einsum("ij,ij->i", centred, centred) - np.einsum("ij->i", centred) ** 2)
        self._by_lag = _by_lag(self._centred_target())

    def of(self, members: Array, starts: Array) -> Array:
        """Index of every set; set s has the features ``members[starts[s]:starts[s + 1]]``. 0 for an empty one."""
        sums = np.empty((len(starts) - 1, 4))
        n = self.n_samples
        largest = int((starts[1:] - starts[:-1]).max(initial=0))
        subset_distance_sums(
            self._values, self._spread, members, starts, self._by_lag,
            np.empty((largest, 2 * n)), np.empty(n), np.empty((3, 2 * n)), sums,
        )  # fmt: skip
        answer = self._index(sums, self.index)
        for s in self._uncertain(answer, sums[:, 3], self.index):
            answer[s] = self._written_out(self._values[members[starts[s] : starts[s + 1]]].T)
        return answer

    def of_lists(self, subsets: Iterable[Sequence[int] | Array]) -> Array:
        """Index of every list of features."""
        lists = [np.asarray(subset, dtype=np.int64) for subset in subsets]
        starts = np.concatenate([[0], np.cumsum([len(subset) for subset in lists])]).astype(np.int64)
        return self.of(np.concatenate([np.zeros(0, dtype=np.int64), *lists]), starts)

    def _centred_target(self) -> Array:
        """Centred distances of the target; what they are on the diagonal does not matter."""
        return _centred(self._apart(), self._row_sums, self.index)


def _centring(n_samples: int, index: str) -> tuple[float, float]:
    """What row sums, and the sum of all, are multiplied with to centre distances."""
    if index == UNBIASED:
        return 1.0 / (n_samples - 2), 1.0 / ((n_samples - 1) * (n_samples - 2))
    return 1.0 / n_samples, 1.0 / n_samples**2


def _centred(apart: Array, row_sums: Array, index: str) -> Array:
    rows, all_ = _centring(len(apart), index)
    centred: Array = apart - rows * (row_sums[:, np.newaxis] + row_sums) + all_ * row_sums.sum()
    return centred


def _u_centred(apart: Array) -> tuple[Array, float]:
    """U-centred distances and the sum of their squares, 0 where that is rounding."""
    centred = _centred(apart, apart.sum(axis=1), UNBIASED)
    np.fill_diagonal(centred, 0.0)
    variance = float((centred**2).sum())
    return centred, variance if variance > (_ROUNDING * apart.max()) ** 2 * len(apart) ** 2 else 0.0


def _row_sums(values: Array) -> Array:
    """Sum of the distances of each number to all, in O(n log n)."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    before = np.concatenate([[0.0], np.cumsum(ordered)])
    n = len(values)
    sums = np.empty(n)
    sums[order] = ordered * (2 * np.arange(n) - n + 1) - before[:-1] + (before[-1] - before[1:])
    return sums


def _by_lag(matrix: Array) -> Array:
    """A symmetric matrix by how far apart row and column are: row d - 1 has the cells (k, k + d), going round."""
    n = len(matrix)
    k = np.arange(n)
    return np.ascontiguousarray([matrix[k, (k + d) % n] for d in range(1, n // 2 + 1)]).reshape(-1, n)


def check_fewest(n_samples: int, index: str) -> None:
    """Refuse fewer samples than an index needs."""
    if n_samples < _FEWEST[index]:
        raise DataError(
            f"There are {n_samples} samples, but the {index} distance correlation needs at least {_FEWEST[index]}."
            + (" The biased one needs 2." if index == UNBIASED and n_samples >= 2 else "")
        )
