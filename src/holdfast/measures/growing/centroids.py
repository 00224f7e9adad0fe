"""The LW index: how far apart the classes lie, beyond their radii (Pino Angulo 2019, Eq. 2.15 and 2.16)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.centroids import class_means, separations
from holdfast.measures.growing._base import GrowingScore, without_each

Array = npt.NDArray[Any]

RADII = ("max", "mean", "rms")


class SeparationScore(GrowingScore):
    """Mean over the classes of the distance to the nearest other centroid, less both radii.

    Squared distances from and between centroids are kept, and a feature adds its own.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples)
        Features in comparable units.
    target : ndarray of shape (n_samples,)
        Classes as numbers from 0.
    radius : {"max", "mean", "rms"}
        Distance of a class's samples from its centroid: of the farthest, on average, or the root of the mean square.
    """

    of_nothing = 0.0

    def __init__(self, columns: Array, target: Array, radius: str = "max") -> None:
        super().__init__()
        self._columns = columns
        self._target = target
        self._radius = RADII.index(radius)
        self._sizes = np.bincount(target)
        self._means = self._means_of(columns)
        self.clear()

    def clear(self) -> None:
        """Begin with no feature."""
        super().clear()
        self._own = np.zeros(len(self._target))
        self._apart = np.zeros((len(self._sizes), len(self._sizes)))

    def add(self, feature: int) -> None:
        """Let a feature join."""
        super().add(feature)
        self._own, self._apart = self._joined(self._own, self._apart, self._columns[feature], self._means[feature])

    def _joined(self, own: Array, apart: Array, column: Array, means: Array) -> tuple[Array, Array]:
        steps = column - means[self._target]
        return own + steps * steps, apart + (means[:, np.newaxis] - means) ** 2

    def _with_each(self, features: Array) -> Array:
        return self._changed(self._columns, self._means, features, self._own, self._apart)

    def _without_each(self, features: Array) -> Array:
        column, means = np.zeros((1, len(self._target))), np.zeros((1, len(self._sizes)))
        return without_each(
            self.members,
            features,
            (np.zeros_like(self._own), np.zeros_like(self._apart)),
            self._extended,
            lambda state: float(self._changed(column, means, np.array([0]), *state)[0]),
        )

    def _extended(self, state: tuple[Array, Array], more: list[int]) -> tuple[Array, Array]:
        for feature in more:
            state = self._joined(*state, self._columns[feature], self._means[feature])
        return state

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        columns = self._columns[feature][orders]
        return self._changed(columns, self._means_of(columns), np.arange(len(orders)), self._own, self._apart)

    def _permuted(self, orders: Array) -> Array:
        answer = np.empty(len(orders))
        for i, order in enumerate(orders):
            columns = self._columns[self.members][:, order]
            means = self._means_of(columns)
            own, apart = np.zeros_like(self._own), np.zeros_like(self._apart)
            for column, mean in zip(columns[:-1], means[:-1], strict=True):
                own, apart = self._joined(own, apart, column, mean)
            answer[i] = self._changed(columns, means, np.array([len(columns) - 1]), own, apart)[0]
        return answer

    def _means_of(self, columns: Array) -> Array:
        means = np.empty((len(columns), len(self._sizes)))
        class_means(columns, self._target, self._sizes, means)
        return means

    def _changed(self, columns: Array, means: Array, features: Array, own: Array, apart: Array) -> Array:
        answer = np.empty(len(features))
        radii = np.empty(len(self._sizes))
        separations(columns, means, features, self._target, self._sizes, own, apart, self._radius, radii, answer)
        return answer
