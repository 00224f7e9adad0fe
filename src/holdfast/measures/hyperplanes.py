"""The hyperplanes between classes, and what each feature weighs in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.measures._products import Products
from holdfast.measures.svm import widest_margin

Array = npt.NDArray[Any]

MULTICLASS = ("ovo", "ovr")
# A weight below this share of the terms it is the sum of is rounding.
ROUNDING = 1e-13


@dataclass(frozen=True)
class _Plane:
    """One two-class problem: its samples, their sides, and what their errors cost."""

    rows: Array
    side: Array
    box: Array


class Hyperplanes:
    """Linear support vector machines between the classes: one for each pair, or one for each class against the rest.

    Each solution is the start of the next, so asking again after a small change of the features is cheap.
    """

    def __init__(self, target: Array, box: Array, multiclass: str) -> None:
        self.planes = [
            _Plane(rows, np.where(target[rows] == first, -1.0, 1.0), box[rows])
            for first, rows in _two_sides(target, multiclass)
        ]
        self.duals: list[Array | None] = [None] * len(self.planes)
        self.noise = 0.0

    def apart(self, features: Array) -> Array:
        """How far apart the means of the two sides lie in each feature (rows of values), at most over the planes."""
        apart = np.zeros(len(features))
        for plane in self.planes:
            share = np.zeros(features.shape[1])
            share[plane.rows] = np.where(plane.side > 0, 1 / (plane.side > 0).sum(), -1 / (plane.side < 0).sum())
            np.maximum(apart, np.abs(features @ share), out=apart)
        return apart

    def solve(self, products: Products) -> None:
        """Find all hyperplanes for the samples' inner products; ``noise`` is what rounding leaves of the weights."""
        size = np.sqrt(products.mean_square)
        self.noise = 0.0
        for number, plane in enumerate(self.planes):
            is_whole = len(plane.rows) == products.n_samples
            own = products if is_whole else products.take(plane.rows)
            dual = widest_margin(own, plane.side, plane.box, self.duals[number]).dual
            self.duals[number] = dual
            terms = float(np.abs(dual).sum()) * size / np.sqrt(products.n_features)
            self.noise = max(self.noise, ROUNDING * terms)

    def weights(self, features: Array, chosen: Array) -> Array:
        """What some of the features (rows of values) weigh, as absolute values; 0 if it is only rounding.

        With several hyperplanes it is the root of the sum of squares.
        """
        squares = np.zeros(len(chosen))
        for plane, dual in zip(self.planes, self.duals, strict=True):
            spread = np.zeros(features.shape[1])
            spread[plane.rows] = dual
            weights = features @ spread
            if len(chosen) < len(weights):
                weights = weights[chosen]
            if len(self.planes) == 1:
                squares = np.abs(weights)
            else:
                squares += weights * weights
        weights = squares if len(self.planes) == 1 else np.sqrt(squares)
        weights[weights <= self.noise] = 0.0
        return weights


def _two_sides(target: Array, multiclass: str) -> list[tuple[int, Array]]:
    """The class on one side, and the samples of both, for each hyperplane."""
    classes, everyone = np.unique(target).tolist(), np.arange(len(target))
    if len(classes) == 2:
        return [(classes[0], everyone)]
    if multiclass == "ovr":
        return [(c, everyone) for c in classes]
    return [(a, np.flatnonzero((target == a) | (target == b))) for a, b in combinations(classes, 2)]
