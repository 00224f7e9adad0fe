"""Hyperplanes of the smallest sum of absolute weights: a linear programme with few features in it at a time.

Features enter when their reduced cost says that they would shorten the sum, so that the optimum over all of them is
reached without ever writing all of them down. Where several sets of features do equally well, costs that differ in
the sixth digit decide, in an order that no shuffling of columns changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from holdfast._errors import DataError
from holdfast.measures.hyperplanes import Hyperplanes
from holdfast.measures.svm import NOT_SEPARABLE
from holdfast.prepare.features import copies_of
from holdfast.selectors._base import Problem

Array = npt.NDArray[Any]

_AT_ONCE = 200
_MAX_ROUNDS = 200
_TOLERANCE = 1e-9
_NO_WEIGHT = 1e-9
_PREFERENCE = 1e-6
_GOLDEN = 0.6180339887498949
# What stands for an infinite cost of errors: weights of a margin this dear are not to be told from a hard one.
_HARD = 1e6


class AbsoluteMargins:
    """Linear models of the smallest l1 norm between the classes."""

    def __init__(self, planes: Hyperplanes, problem: Problem) -> None:
        self.planes = planes
        self.problem = problem
        self.n_fits = 0
        self._places: Array | None = None

    def __call__(self, left: Array, scaled: Array, alike: Array) -> Array:
        """Absolute weights of the features that are left; of copies the first takes part alone."""
        if self._places is None:
            self._places = self._in_order(left, scaled)
        places = self._places[left]
        costs = 1.0 + _PREFERENCE * ((places * _GOLDEN) % 1.0)
        first = _first_of_copies(scaled, places)
        squares = np.zeros(len(left))
        for plane in self.planes.planes:
            self.n_fits += 1
            signed = scaled[first][:, plane.rows] * plane.side
            weights = _smallest_sum(signed, plane.side, plane.box, costs[first])
            squares[first] += weights * weights
        return np.sqrt(squares)

    def _in_order(self, left: Array, scaled: Array) -> Array:
        """Places of the features by how far the classes are apart, which no order of the columns changes."""
        apart = np.zeros(self.problem.n_features)
        apart[left] = self.planes.apart(scaled)
        order = self.problem.precedence(apart).sort_some(left, apart[left], len(left))
        places = np.zeros(self.problem.n_features)
        places[order] = np.arange(len(order))
        return places


def _first_of_copies(scaled: Array, places: Array) -> Array:
    """The first of every set of features that are equal or opposite to each other."""
    by_place = np.argsort(places, kind="stable")
    return np.sort(by_place[np.unique(copies_of(scaled[by_place]))])


def _smallest_sum(signed: Array, side: Array, box: Array, costs: Array) -> Array:
    """Absolute weights of the smallest cost."""
    n_features = len(signed)
    is_hard = np.isinf(box)
    penalty = np.where(is_hard, _HARD, box)
    inside = np.sort(np.argsort(-np.abs(signed.sum(axis=1)), kind="stable")[:_AT_ONCE])
    for _ in range(_MAX_ROUNDS):
        weights, errors, duals = _solve(signed[inside], side, penalty, costs[inside])
        reduced = np.abs(signed @ duals) / costs
        reduced[inside] = 0.0
        entering = np.flatnonzero(reduced > 1.0 + _TOLERANCE)
        if len(entering) == 0:
            break
        entering = entering[np.argsort(-reduced[entering], kind="stable")[:_AT_ONCE]]
        inside = np.sort(np.concatenate([inside, entering]))
    if is_hard.any() and errors[is_hard].max() > 1e-6:
        raise DataError(NOT_SEPARABLE)
    spread = np.zeros(n_features)
    spread[inside] = weights
    spread[np.abs(spread) <= _NO_WEIGHT * np.abs(spread).max(initial=0.0)] = 0.0
    return np.abs(spread)


def _solve(signed: Array, side: Array, penalty: Array, costs: Array) -> tuple[Array, Array, Array]:
    """Weights, errors of the samples and their duals, all features at hand."""
    n_features, n_samples = signed.shape
    found = linprog(
        np.concatenate([costs, costs, [0.0, 0.0], penalty]),
        A_ub=np.hstack([-signed.T, signed.T, -side[:, None], side[:, None], -np.eye(n_samples)]),
        b_ub=-np.ones(n_samples),
        bounds=(0, None),
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise DataError(
            f"The linear programme of l1-AROM could not be solved: {found.message} "
            "Try scale='standard', a smaller C, or norm='l2'."
        )
    weights = found.x[:n_features] - found.x[n_features : 2 * n_features]
    return weights, found.x[2 * n_features + 2 :], -found.ineqlin.marginals
