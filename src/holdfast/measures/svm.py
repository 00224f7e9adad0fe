"""Linear support vector machines, solved to rounding: the hyperplane of the widest soft margin, with a free intercept.

A dual variable carries the sign of its class, so that the weights are Σ dual · sample and the duals add up to 0. A
first answer comes from improving pairs of duals, which is quick where there are more features than samples, or from
inside the box of the duals, which nothing slows down; then equations between the samples on the margin give the last
digits. The weights at the optimum are unique, so neither the order of samples nor the start changes them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from holdfast._errors import DataError
from holdfast.kernels.svm import approach, optimise
from holdfast.measures._interior import interior_dual
from holdfast.measures._products import Features, Gram, Products, keeps_matrix, products_of

Array = npt.NDArray[Any]

__all__ = ["Features", "Gram", "Margin", "keeps_matrix", "products_of", "widest_margin"]

_LOOSE = 1e-3
_EXACT = 1e-12
_ROUNDING = 4e-16
_VISIBLE = 1e-6
_DROWNED = 1e-3
_UNEQUAL = 1e-7
_PAIRS_PER_SAMPLE = 40
_MAX_CHANGES = 200
_NOT_SETTLED = -1.0
_MAX_REFINED = 8
# Costs, in units of the usual dual, that stand for an infinite one: duals that grow with them have no limit.
_HARD = (1e8, 1e12, 1e15)
_SMALL_ENOUGH = 4_000
# What the compiled solver takes, in its order.
SETTINGS: tuple[Any, ...] = (_LOOSE, _PAIRS_PER_SAMPLE, _EXACT, _ROUNDING, _MAX_CHANGES, _MAX_REFINED)
NOT_SEPARABLE = (
    "The classes cannot be separated by a hyperplane of these features, so a hard margin does not exist. "
    "Allow errors with a finite C, such as C=1e4."
)


@dataclass(frozen=True)
class Margin:
    """The widest margin between two classes.

    Each sample has a signed dual variable between its bounds, and a slack: what its label exceeds its decision value
    by, intercept aside.
    """

    dual: Array
    slack: Array
    lowest: Array
    highest: Array

    @property
    def intercept(self) -> float:
        """The common slack of the samples on the margin, or the middle of what the others allow."""
        is_free = (self.dual > self.lowest) & (self.dual < self.highest)
        if is_free.any():
            return float(self.slack[is_free].mean())
        return sum(_limits(self.dual, self.slack, self.lowest, self.highest)) / 2


def _limits(dual: Array, slack: Array, lowest: Array, highest: Array) -> tuple[float, float]:
    """The largest slack of duals that can rise, at least the intercept, and the smallest of those that can fall."""
    return float(slack[dual < highest].max(initial=-np.inf)), float(slack[dual > lowest].min(initial=np.inf))


def widest_margin(products: Products, side: Array, box: Array, start: Array | None = None) -> Margin:
    """Find the hyperplane of the widest soft margin.

    Parameters
    ----------
    products : Gram or Features
        Inner products between the samples.
    side : ndarray of shape (n_samples,)
        1.0 and -1.0 for the two classes, both present.
    box : ndarray of shape (n_samples,)
        What one unit on the wrong side of the margin costs for each sample (C, times a weight); above 0, inf for a
        hard margin.
    start : ndarray of shape (n_samples,), default=None
        Duals of a similar problem, which shorten the work and change nothing else.

    Returns
    -------
    margin : Margin
        The duals and the intercept.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [3.0], [4.0]])
    >>> margin = widest_margin(Gram(X @ X.T), np.array([-1.0, -1.0, 1.0, 1.0]), np.full(4, 10.0))
    >>> float(margin.dual @ X[:, 0]), margin.intercept
    (1.0, -2.0)
    """
    unit = 1.0 / products.mean_square if products.mean_square > 0 else 1.0
    if not np.isinf(box).any():
        return _Duals(products, side, np.minimum(box, _HARD[-1] * unit), unit).optimum(start)
    for cost in _HARD:
        margin = _Duals(products, side, np.minimum(box, cost * unit), unit, is_hard=True).optimum(start)
        if np.abs(margin.dual).max() < cost * unit / 100:
            return margin
    raise DataError(NOT_SEPARABLE)


def _by_features(features: Array, slack: Array, excess: float, far: float) -> Array:
    """Change of many duals of samples of few features: to equal slacks, or ``far`` where slacks cannot become equal.

    Only the weights and the intercept move slacks, so that the smallest change is found with as many equations as
    features. What no weights can make equal is gained from for ever, until a dual reaches its bound.
    """
    first = np.full(len(slack), -excess / len(slack))
    wanted = slack - (features @ first) @ features
    wanted -= wanted.mean()
    axes, size, _ = np.linalg.svd((features - features.mean(axis=1, keepdims=True)).T, full_matrices=False)
    axes, size = axes[:, size > 1e-10 * size.max()], size[size > 1e-10 * size.max()]
    along = axes.T @ wanted
    beyond = wanted - axes @ along
    largest = float(np.abs(beyond).max())
    if largest > _UNEQUAL * float(np.abs(slack).max()):
        far_away: Array = beyond * (far / largest)
        return far_away
    change: Array = first + axes @ (along / size**2)
    return change


def bounds_of(side: Array, box: Array) -> tuple[Array, Array, Array]:
    """Labels, and what duals lie between.

    Only differences of labels matter. Those of the costlier class are 0, so that small decisions are not added to them
    and lose digits: where errors cost little, only this class has samples on the margin.
    """
    offset = 1.0 if float(box @ side) > 0.0 else -1.0
    return side - offset, np.where(side > 0, 0.0, -box), np.where(side > 0, box, 0.0)


class _Duals:
    """The dual variables of one problem, and what makes them optimal."""

    def __init__(self, products: Products, side: Array, box: Array, unit: float, *, is_hard: bool = False) -> None:
        self.products = products
        self.label, self.lowest, self.highest = bounds_of(side, box)
        self.offset = float(side[0] - self.label[0])
        self.unit = unit
        self.is_hard = is_hard

    def optimum(self, start: Array | None) -> Margin:
        dual = np.zeros_like(self.label)
        if start is not None:
            dual = np.clip(start, self.lowest, self.highest)
            if abs(dual.sum()) > 1e-9 * np.abs(dual).sum():
                dual[:] = 0.0
        slack = np.empty_like(dual)
        gap = self._approach(dual, slack)
        if gap >= 0.0:
            return Margin(dual, slack + self.offset, self.lowest, self.highest)
        dual, gap = self._sharpened(self._from_inside(dual) if gap < _NOT_SETTLED else dual)
        slack = self._slack(dual)
        # Samples that repeat or lie on a grid, and errors that cost much, can leave equations without a single answer.
        for attempt in (self._from_inside, self._by_pairs):
            if gap <= self._tolerance(dual, slack) or len(dual) > _SMALL_ENOUGH or self._is_beyond_help(dual):
                break
            self.products = self.products.as_gram()
            tried, tried_gap = self._sharpened(attempt(dual, gap))
            if tried_gap < gap:
                dual, gap, slack = tried, tried_gap, self._slack(tried)
        visible = max(_VISIBLE * float(np.ptp(self.label - slack)), 1e3 * self._tolerance(dual, slack))
        if (gap > visible or self._rounding(dual) > _DROWNED) and not self.is_hard:
            warnings.warn(
                "A linear SVM could not be solved to more than a few digits: an error costs so much (C, or a sample's "
                "weight) that rounding takes over. Lower C, or scale the features.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return Margin(dual, slack + self.offset, self.lowest, self.highest)

    def _is_beyond_help(self, dual: Array) -> bool:
        """Whether duals grow without limit, or are so large that rounding hides what they add up to."""
        is_unlimited = self.is_hard and bool((np.abs(dual) * 100 > self.highest - self.lowest).any())
        return is_unlimited or self._rounding(dual) > _DROWNED

    def _slack(self, dual: Array) -> Array:
        """What the label of each sample exceeds its decision value by, intercept aside."""
        return self.label - self.products.times(dual)

    def _tolerance(self, dual: Array, slack: Array) -> float:
        """The gap that counts as none: a share of what decisions differ by, or rounding if that is more."""
        return max(_EXACT * float(np.ptp(self.label - slack)), self._rounding(dual))

    def _rounding(self, dual: Array) -> float:
        return _ROUNDING * float(np.abs(dual).sum()) / self.unit

    def _limits(self, dual: Array, slack: Array) -> tuple[float, float]:
        return _limits(dual, slack, self.lowest, self.highest)

    def _improve_pairs(self, dual: Array, tolerance: float, n_steps: int) -> bool:
        """Improve pairs of duals in place; whether the tolerance was met in the steps allowed."""
        if not isinstance(self.products, Gram):
            return False
        slack = self._slack(dual)
        steps, _ = optimise(self.products.matrix, self.lowest, self.highest, dual, slack, tolerance, n_steps)
        return steps < n_steps

    def _from_inside(self, dual: Array, gap: float = 0.0) -> Array:
        return interior_dual(self.products, self.label, self.lowest, self.highest, self.unit)

    def _by_pairs(self, dual: Array, gap: float) -> Array:
        tried = dual.copy()
        self._improve_pairs(tried, gap / 1e3, 1_000 * len(dual))
        return tried

    def _approach(self, dual: Array, slack: Array) -> float:
        """Go to the optimum in place, all compiled; below 0 if it stopped before."""
        if not isinstance(self.products, Gram):
            return 2 * _NOT_SETTLED
        n = len(dual)
        scratch = np.empty(n, dtype=np.int64), np.empty((n, n)), np.empty((2, n))
        return approach(
            self.products.matrix, self.label, self.lowest, self.highest, dual, slack, *scratch,
            _LOOSE, _PAIRS_PER_SAMPLE * n, _EXACT, _ROUNDING / self.unit, _MAX_CHANGES, _MAX_REFINED,
        )  # fmt: skip

    def _sharpened(self, dual: Array) -> tuple[Array, float]:
        """Go to the optimum from nearby: solve for the free duals, let one variable in or out, and solve again.

        ``kernels.svm.settle`` does the same, compiled, where the equations have a single answer.
        """
        best, least = dual, np.inf
        released, n_refined = -1, 0
        for _ in range(_MAX_CHANGES):
            slack = self._slack(dual)
            is_free = (dual > self.lowest) & (dual < self.highest)
            if released >= 0:
                is_free[released] = True
            free = np.flatnonzero(is_free)
            if len(free):
                change = self._to_common_slack(free, slack[free], float(dual.sum()))
                bound = np.where(change > 0, self.highest[free], self.lowest[free])
                room = np.divide(bound - dual[free], change, out=np.full(len(free), np.inf), where=change != 0)
                first = int(np.argmin(room))
                dual = dual.copy()
                dual[free] += min(1.0, room[first]) * change
                if room[first] < 1.0:
                    dual[free[first]] = bound[first]
                    released = -1 if released == free[first] else released
                    continue
                slack = self._slack(dual)
            reach, limit = self._limits(dual, slack)
            gap = max(reach - limit, 0.0)
            if gap < least:
                best, least = dual, gap
            if gap <= self._tolerance(dual, slack):
                break
            released = self._most_violating(dual, slack, is_free)
            if released < 0:
                n_refined += 1
                if n_refined > _MAX_REFINED:
                    break
        return best, least

    def _to_common_slack(self, free: Array, slack: Array, excess: float) -> Array:
        """Change of the free duals after which all their slacks are equal and the duals add up to 0."""
        n_free = len(free)
        features = self.products.fewer_features(free)
        if features is not None:
            return _by_features(features, slack, excess, 2.0 * float((self.highest - self.lowest).max()))
        matrix = np.ones((n_free + 1, n_free + 1))
        matrix[:n_free, :n_free] = self.products.between(free)
        matrix[n_free, n_free] = 0.0
        right = np.append(slack, -excess)
        try:
            found = np.linalg.solve(matrix, right)
            is_solved = np.abs(matrix @ found - right).max() <= 1e-9 * np.abs(right).max()
        except np.linalg.LinAlgError:
            is_solved = False
        if not is_solved:
            found = np.linalg.lstsq(matrix, right, rcond=None)[0]
        change: Array = found[:n_free]
        return change

    def _most_violating(self, dual: Array, slack: Array, is_free: Array) -> int:
        """The variable at a bound that gains most by leaving it; -1 if none gains beyond rounding."""
        intercept = slack[is_free].mean() if is_free.any() else sum(self._limits(dual, slack)) / 2
        gain = np.where(dual <= self.lowest, slack - intercept, intercept - slack)
        gain[is_free] = 0.0
        most = int(np.argmax(gain))
        return most if gain[most] > self._tolerance(dual, slack) / 2 else -1
