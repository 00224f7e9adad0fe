"""The solutions of a penalised linear model along falling penalties, each exact to rounding.

For a target t and features z the model minimises, over intercept b and coefficients β,

    mean loss(t, b + zβ) + penalty · (l1_ratio · Σ|β| + (1 - l1_ratio)/2 · Σβ²),

which is the model of scikit-learn's ElasticNet (squared loss) and LogisticRegression (logistic loss, C = 1/(n penalty),
intercept free). Coordinate descent and stochastic solvers stop at a tolerance, and what is not quite zero by then
depends on the order of samples and columns. Here the few coefficients in play are settled by Newton steps, others join
one at a time as long as their gradient exceeds the penalty, and a coefficient that reaches zero leaves: at the end the
conditions of optimality hold to rounding for every feature.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

from holdfast._progress import report
from holdfast.kernels.penalised import FLAT, SETTLED, newton

Array = npt.NDArray[Any]
# Mean loss, residual and curvature at given predictions.
Loss: TypeAlias = Callable[[Array, Array], tuple[float, Array, Array]]
First: TypeAlias = Callable[[Array], int]

# A gradient exceeds the penalty only by more than this share of it; less is rounding.
_SLACK = 1e-9
# Newton converges quadratically: behind a step of this relative size lies an error of its square.
_SMALL_STEP = 1e-8
_NO_CURVATURE = 1e-10
_MOST_STEPS = 200


def logistic(predicted: Array, target: Array) -> tuple[float, Array, Array]:
    """Loss of log-odds for a target of 0 and 1."""
    chance = expit(predicted)
    value = float(np.mean(np.logaddexp(0.0, predicted) - target * predicted))
    return value, target - chance, chance * (1.0 - chance)


def squared(predicted: Array, target: Array) -> tuple[float, Array, Array]:
    """Half the squared error."""
    residual = target - predicted
    return float(np.mean(residual**2)) / 2, residual, np.ones_like(target)


@dataclass
class Fit:
    """The solution of one target at one penalty, which the next smaller penalty starts from."""

    features: Array
    target: Array
    loss: Loss
    intercept: float
    active: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    coefficients: Array = field(default_factory=lambda: np.empty(0))
    signs: Array = field(default_factory=lambda: np.empty(0))

    @property
    def residual(self) -> Array:
        """What the gradient of the mean loss is made of."""
        return self.loss(self.intercept + self.coefficients @ self.features[self.active], self.target)[1]

    def solve(self, candidates: Array, l1: float, l2: float, first: First) -> None:
        """Minimise over some features (ascending, the active ones among them).

        ``first`` settles who joins among equals.
        """
        columns = self.features[candidates]
        self._settle(l1, l2)
        for _ in range(10 * len(candidates) + 100):
            gradient = columns @ self.residual / len(self.target)
            size = np.round(np.abs(gradient) / l1, 9)
            size[np.searchsorted(candidates, self.active)] = 0.0
            largest = size.max(initial=0.0)
            if largest <= 1.0 + _SLACK:
                return
            tied = np.flatnonzero(size == largest)
            joins = candidates[tied[0]] if len(tied) == 1 else first(candidates[tied])
            self.active = np.append(self.active, joins)
            self.coefficients = np.append(self.coefficients, 0.0)
            self.signs = np.append(self.signs, np.sign(gradient[candidates == joins]))
            self._settle(l1, l2)
        self._warn()

    def _settle(self, l1: float, l2: float) -> None:
        """Minimise over the active features by Newton steps, dropping those whose coefficient reaches zero."""
        for _ in range(10 * len(self.active) + 100):
            answer = self._step(l1, l2)
            if answer == SETTLED:
                return
            if answer == FLAT and self._step_where_flat(l1, l2):
                return
        self._warn()

    def _step(self, l1: float, l2: float) -> int:
        """Newton steps until the end, until a coefficient reaches zero and leaves, or until there is no curvature."""
        k, n = len(self.active) + 1, len(self.target)
        rows = np.empty((k, n))
        rows[0] = 1.0
        rows[1:] = self.features[self.active]
        at = np.append(self.intercept, self.coefficients)
        leaves = np.zeros(k - 1, dtype=bool)
        by_sample, by_row = np.empty((4, n)), np.empty((3, k))
        arguments: tuple[Any, ...] = (
            rows, self.target, self.loss is logistic, l1, l2, self.signs, at, *by_sample, np.empty((k, k)), *by_row,
            leaves, _MOST_STEPS, _SMALL_STEP, _NO_CURVATURE,
        )  # fmt: skip
        answer = newton(*arguments)
        self._take(at, leaves)
        return answer

    def _take(self, at: Array, leaves: Array) -> None:
        """Intercept and coefficients as they are now, without those that have come to zero."""
        self.intercept, self.coefficients = float(at[0]), at[1:]
        if leaves.any():
            self.active, self.coefficients = self.active[~leaves], self.coefficients[~leaves]
            self.signs = self.signs[~leaves]

    def _step_where_flat(self, l1: float, l2: float) -> bool:
        """One step where features depend on each other; whether it was the last."""
        rows = np.vstack([np.ones_like(self.target), self.features[self.active]])
        at = np.append(self.intercept, self.coefficients)
        penalty = np.append(0.0, l1 * self.signs)
        ridge = np.append(0.0, np.full(len(self.active), l2))

        def objective(point: Array, rows: Array = rows, penalty: Array = penalty, ridge: Array = ridge) -> float:
            value = self.loss(point @ rows, self.target)[0]
            return float(value + penalty @ point + ridge @ point**2 / 2)

        _, residual, curvature = self.loss(at @ rows, self.target)
        slope = penalty + ridge * at - rows @ residual / len(residual)
        hessian = (rows * curvature) @ rows.T / len(residual) + np.diag(ridge)
        direction, is_bounded = _newton_direction(hessian, slope, l1)
        room = self._room(direction[1:])
        least = room.min(initial=np.inf)
        step = min(1.0, least) if is_bounded or not np.isfinite(least) else least
        descent = float(slope @ direction)
        here = objective(at)
        slack = 1e-14 * (1.0 + abs(here))
        while step > 1e-10 and objective(at + step * direction) > here + 1e-4 * step * descent + slack:
            step /= 2
        at = at + step * direction
        leaves = room <= step
        self._take(at, leaves)
        return not leaves.any() and bool(np.abs(direction).max() <= _SMALL_STEP * max(np.abs(at).max(), _SMALL_STEP))

    def _room(self, direction: Array) -> Array:
        """How long a step each coefficient can go before it is zero."""
        is_shrinking = self.signs * direction < 0
        room = np.full(len(direction), np.inf)
        room[is_shrinking] = np.abs(self.coefficients[is_shrinking] / direction[is_shrinking])
        return room

    def _warn(self) -> None:
        warnings.warn(
            f"The path of penalties stopped short of its exact solution with {len(self.active)} features in the model. "
            "Raise smallest_penalty, or lower l1_ratio if features repeat each other almost exactly.",
            ConvergenceWarning,
            stacklevel=2,
        )


def _newton_direction(hessian: Array, slope: Array, l1: float) -> tuple[Array, bool]:
    """Where to go, and whether the minimum lies one step ahead; it does not where the features depend on each other."""
    scale = np.sqrt(np.diag(hessian))
    scale[scale == 0.0] = 1.0
    scaled, down = hessian / np.outer(scale, scale), -slope / scale
    try:
        factor = cho_factor(scaled, check_finite=False)
        if np.diag(factor[0]).min() ** 2 > _NO_CURVATURE:
            return cho_solve(factor, down, check_finite=False) / scale, True
    except LinAlgError:
        pass
    curvature, axes = np.linalg.eigh(scaled)
    along = axes.T @ down
    is_flat = curvature <= _NO_CURVATURE * curvature[-1]
    if np.abs(along[is_flat]).max(initial=0.0) > 1e-7 * l1 / scale.max():
        return axes[:, is_flat] @ along[is_flat] / scale, False
    return axes[:, ~is_flat] @ (along[~is_flat] / curvature[~is_flat]) / scale, True


@dataclass(frozen=True)
class Path:
    """Where along the penalties each feature entered.

    ``step`` is the place of the penalty (-1: never), ``size`` the largest coefficient there, ``gradient`` the largest
    gradient at the last penalty.
    """

    penalties: Array
    step: Array
    size: Array
    gradient: Array


def walk(
    features: Array,
    targets: Array,
    loss: Loss,
    starts: Array,
    shares: Array,
    l1_ratio: float,
    n_wanted: int,
    copies: Array,
    first: First,
) -> Path:
    """Go down the penalties until ``n_wanted`` features have entered for any of the targets.

    ``features`` has one per row, and each stands for ``copies`` equal ones. ``starts`` are the intercepts of the empty
    models, ``shares`` the penalties as shares of the largest, 1 first.
    """
    fits = [Fit(features, t, loss, float(b)) for t, b in zip(targets, starts, strict=True)]
    gradients = _gradients(features, fits)
    penalties = shares * gradients.max(initial=0.0) / l1_ratio
    step = np.full(len(features), -1)
    size = np.zeros(len(features))
    if not penalties[0] > 0:
        return Path(penalties[:1], step, size, gradients.max(axis=1))
    n_done = 1
    for before, penalty in pairwise(penalties):
        l1, l2 = l1_ratio * penalty, (1 - l1_ratio) * penalty
        # The strong rule: a gradient seldom grows faster than the penalty falls (Tibshirani et al. 2012).
        may_enter = gradients >= l1_ratio * (2 * penalty - before)
        for fit, column in zip(fits, may_enter.T, strict=True):
            column[fit.active] = True
        is_open = np.ones(len(fits), dtype=bool)
        while is_open.any():
            for i in np.flatnonzero(is_open):
                fits[i].solve(np.flatnonzero(may_enter[:, i]), l1, l2, first)
            gradients = _gradients(features, fits)
            overlooked = (gradients > l1 * (1 + _SLACK)) & ~may_enter
            may_enter |= overlooked
            is_open = overlooked.any(axis=0)
        is_new = step < 0
        for fit in fits:
            here = np.abs(fit.coefficients)
            # A coefficient may end at zero but for rounding, with a gradient that just equals the penalty.
            enters = is_new[fit.active] & (here > _SLACK * here.max(initial=0.0))
            entering = fit.active[enters]
            step[entering] = n_done
            size[entering] = np.maximum(size[entering], here[enters] / copies[entering])
        n_done += 1
        n_entered = int(copies[step >= 0].sum())
        report("Features entered", min(n_entered, n_wanted), n_wanted)
        if n_entered >= n_wanted:
            break
    return Path(penalties[:n_done], step, size, gradients.max(axis=1))


def _gradients(features: Array, fits: list[Fit]) -> Array:
    """Size of the gradient of every feature for every target."""
    residuals = np.column_stack([fit.residual for fit in fits])
    gradients: Array = np.abs(features @ residuals) / features.shape[1]
    return gradients
