"""Inner products between samples: as a matrix of them, or as the features they come from, whichever is smaller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve

Array = npt.NDArray[Any]

FEW_SAMPLES = 1_000


class Products(Protocol):
    """Inner products between samples, however they are kept."""

    n_samples: int
    n_features: int
    mean_square: float

    def times(self, dual: Array) -> Array:
        """Multiply the n × n matrix of inner products with a vector."""

    def between(self, rows: Array) -> Array:
        """Inner products between some samples."""

    def fewer_features(self, rows: Array) -> Array | None:
        """Features of some samples (features × samples) if they are fewer than these samples, else None."""

    def take(self, rows: Array) -> Products:
        """The same for some samples."""

    def as_gram(self) -> Gram:
        """The same as a matrix."""

    def plus_diagonal(self, diagonal: Array) -> Callable[[Array], Array]:
        """A function that solves equations whose matrix is the inner products plus a positive diagonal."""


class Gram:
    """Inner products kept as the n × n matrix, for few samples; ``features`` gives the fewer features it is of."""

    def __init__(self, matrix: Array, n_features: int = 1, features: Callable[[], Array] | None = None) -> None:
        self.matrix = matrix
        self.n_samples = len(matrix)
        self.n_features = n_features
        self._features = features
        self.mean_square = float(np.trace(matrix)) / len(matrix)

    def times(self, dual: Array) -> Array:
        """Multiply the matrix with a vector."""
        product: Array = self.matrix @ dual
        return product

    def between(self, rows: Array) -> Array:
        """Inner products between some samples."""
        block: Array = self.matrix[rows[:, None], rows]
        return block

    def fewer_features(self, rows: Array) -> Array | None:
        """Features of some samples if they are fewer than these samples."""
        if self._features is None or self.n_features >= len(rows):
            return None
        some: Array = self._features()[:, rows]
        return some

    def take(self, rows: Array) -> Gram:
        """The sub-matrix of some samples."""
        give = self._features
        features = None if give is None or self.n_features >= len(rows) else lambda: give()[:, rows]
        return Gram(self.between(rows), self.n_features, features)

    def as_gram(self) -> Gram:
        """The matrix itself."""
        return self

    def plus_diagonal(self, diagonal: Array) -> Callable[[Array], Array]:
        """Solve with the matrix plus a diagonal, or with fewer equations if there are fewer features."""
        if self._features is not None:
            return Features(self._features()).plus_diagonal(diagonal)
        matrix = self.matrix.copy()
        matrix.flat[:: self.n_samples + 1] += diagonal
        factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        return lambda right: np.asarray(cho_solve(factor, right, check_finite=False))


class Features:
    """Inner products kept as the features (features × samples) they come from: for more samples than features."""

    def __init__(self, features: Array) -> None:
        self.features = features
        self.n_features, self.n_samples = features.shape
        self.mean_square = float(np.einsum("ij,ij->", features, features)) / features.shape[1]

    def times(self, dual: Array) -> Array:
        """Multiply the matrix of inner products with a vector, without forming it."""
        product: Array = (self.features @ dual) @ self.features
        return product

    def between(self, rows: Array) -> Array:
        """Inner products between some samples."""
        some = self.features[:, rows]
        block: Array = some.T @ some
        return block

    def fewer_features(self, rows: Array) -> Array | None:
        """Features of some samples if they are fewer than these samples."""
        return None if self.n_features >= len(rows) else self.features[:, rows]

    def take(self, rows: Array) -> Features:
        """The features of some samples."""
        return Features(np.ascontiguousarray(self.features[:, rows]))

    def as_gram(self) -> Gram:
        """The n × n matrix."""
        return Gram(self.features.T @ self.features, self.n_features, lambda: self.features)

    def plus_diagonal(self, diagonal: Array) -> Callable[[Array], Array]:
        """Solve with as many equations as features."""
        root = np.sqrt(diagonal)
        halfway = self.features / root
        matrix = halfway @ halfway.T
        matrix.flat[:: len(matrix) + 1] += 1.0
        scaled = np.divide(halfway, root, out=halfway)
        factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        return lambda right: np.asarray(
            right / diagonal - cho_solve(factor, scaled @ right, check_finite=False) @ scaled
        )


def keeps_matrix(n_features: int, n_samples: int) -> bool:
    """Whether inner products are kept as a matrix: it is the smaller form, or small enough to be the quicker one."""
    return n_samples <= max(n_features, FEW_SAMPLES)


def products_of(features: Array) -> Products:
    """Inner products of samples given as features × samples."""
    n_features, n_samples = features.shape
    if not keeps_matrix(n_features, n_samples):
        return Features(features)
    return Gram(features.T @ features, n_features, None if n_features >= n_samples else lambda: features)
