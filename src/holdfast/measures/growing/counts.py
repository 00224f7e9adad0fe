"""Scores by counting: what discrete features tell about the class together, and the merit of CFS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.information import log_table
from holdfast.kernels.joint import joint_information
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.information import uncertainty_with
from holdfast.prepare.codes import Codes

Array = npt.NDArray[Any]
Encode = Callable[[Array], Codes]


class _CountedScore(GrowingScore):
    """Scores of binned features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Features.
    target : ndarray of shape (n_samples,)
        Classes as numbers from 0.
    encode : callable
        From columns to Codes; what looks at the classes does so for permuted columns too.
    """

    of_nothing = 0.0

    def __init__(self, X: Array, target: Array, encode: Encode) -> None:
        super().__init__()
        self._X = X
        self._target = target
        self._encode = encode
        self._codes = encode(X)


class InformationScore(_CountedScore):
    """Mutual information of a set, its features taken together, with the class, in bits."""

    def __init__(self, X: Array, target: Array, encode: Encode) -> None:
        super().__init__(X, target, encode)
        self._levels = self._codes.as_bytes()
        self._labels = np.zeros(len(target), dtype=np.int64)

    def clear(self) -> None:
        """Begin with no feature."""
        super().clear()
        self._labels = np.zeros(len(self._target), dtype=np.int64)

    def add(self, feature: int) -> None:
        """Let a feature join."""
        super().add(feature)
        self._labels = _refined(self._labels, self._levels[feature])

    def _with_each(self, features: Array) -> Array:
        return self._joined(self._labels, self._levels[features])

    def _without_each(self, features: Array) -> Array:
        answer = np.empty(len(features))
        for i, feature in enumerate(features):
            labels = np.zeros(len(self._target), dtype=np.int64)
            *first, last = (member for member in self.members if member != feature)
            for member in first:
                labels = _refined(labels, self._levels[member])
            answer[i] = self._joined(labels, self._levels[[last]])[0]
        return answer

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        return self._joined(self._labels, self._encode(self._X[:, feature][orders].T).as_bytes())

    def _permuted(self, orders: Array) -> Array:
        answer = np.empty(len(orders))
        for i, order in enumerate(orders):
            levels = self._encode(self._X[order][:, self.members]).as_bytes()
            labels = np.zeros(len(self._target), dtype=np.int64)
            for own in levels[:-1]:
                labels = _refined(labels, own)
            answer[i] = self._joined(labels, levels[-1:])[0]
        return answer

    def _joined(self, labels: Array, levels: Array) -> Array:
        table, unit = log_table(len(labels))
        n_levels, n_classes = int(levels.max(initial=0)) + 1, int(self._target.max()) + 1
        counts = np.zeros((int(labels.max()) + 1) * n_levels, dtype=np.int64)
        both = np.zeros(len(counts) * n_classes, dtype=np.int64)
        sums = np.empty(len(levels), dtype=np.int64)
        joint_information(labels, levels, n_levels, self._target, n_classes, table, counts, both, sums)
        bits: Array = (table[-1] - table[np.bincount(self._target)].sum() + sums) * unit
        return np.maximum(bits, 0.0)


def _refined(labels: Array, levels: Array) -> Array:
    _, refined = np.unique(labels * 256 + levels, return_inverse=True)
    return refined.astype(np.int64)


class MeritScore(_CountedScore):
    """Merit of CFS: mean symmetrical uncertainty with the class over that among the features (Michel 2018, Eq. 2.3)."""

    def __init__(self, X: Array, target: Array, encode: Encode) -> None:
        super().__init__(X, target, encode)
        self._class = Codes.of(target[np.newaxis])
        self._relevance = uncertainty_with(self._codes, self._class)
        self._shared: dict[int, Array] = {}

    def clear(self) -> None:
        """Begin with no feature."""
        super().clear()
        self._shared = {}

    def add(self, feature: int) -> None:
        """Let a feature join."""
        super().add(feature)
        self._shared[feature] = uncertainty_with(self._codes, self._codes.one(feature))

    def drop(self, feature: int) -> None:
        """Let a feature leave."""
        self.members.remove(feature)
        del self._shared[feature]

    def _with_each(self, features: Array) -> Array:
        shared = sum((self._shared[member][features] for member in self.members), np.zeros(len(features)))
        return self._merit(self._relevance[self.members], self._inside(), self._relevance[features], shared, 1.0)

    def _without_each(self, features: Array) -> Array:
        shared = np.array([sum(self._shared[m][f] for m in self.members if m != f) for f in features])
        return self._merit(self._relevance[self.members], self._inside(), self._relevance[features], shared, -1.0)

    def _with_permuted(self, feature: int, orders: Array) -> Array:
        codes = self._encode(self._X[:, feature][orders].T)
        shared = sum((uncertainty_with(codes, self._codes.one(m)) for m in self.members), np.zeros(len(orders)))
        relevance = uncertainty_with(codes, self._class)
        return self._merit(self._relevance[self.members], self._inside(), relevance, shared, 1.0)

    def _permuted(self, orders: Array) -> Array:
        return np.array([self._of(self._encode(self._X[order][:, self.members])) for order in orders])

    def _of(self, codes: Codes) -> float:
        inside = sum(float(uncertainty_with(codes, codes.one(i))[:i].sum()) for i in range(len(codes)))
        return float(self._merit(uncertainty_with(codes, self._class), inside, np.zeros(1), np.zeros(1), 0.0)[0])

    def _inside(self) -> float:
        """What pairs of members share."""
        return sum(float(self._shared[a][b]) for i, a in enumerate(self.members) for b in self.members[:i])

    @staticmethod
    def _merit(relevance: Array, inside: float, changes: Array, shared: Array, sign: float) -> Array:
        size = len(relevance) + sign
        below = np.sqrt(np.maximum(size + 2.0 * (inside + sign * shared), 0.0))
        merit: Array = np.divide(relevance.sum() + sign * changes, below, out=np.zeros(len(changes)), where=below > 0)
        return merit
