"""Selection by rescaling: fit, multiply every feature by its weight, and fit again, until most features are gone.

AROM (Weston et al. 2003) and PK-RFE (Ben Brahim 2015) differ in what follows a fit and in when they stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.measures.hyperplanes import Hyperplanes
from holdfast.measures.svm import products_of
from holdfast.prepare.features import FeatureRows, copies_of
from holdfast.search.ties import tied_together
from holdfast.selectors._base import Evaluations, Found, Problem, ranking_by

Array = npt.NDArray[Any]

SCALE = "scale of the feature in the last fit that left enough features"
# A scale below this share of the largest is as good as 0.
_VANISHED = 1e-12
# Orders of magnitude this close are equal.
_ALIKE = 1e-9


class Fit(Protocol):
    """A linear model of rescaled features."""

    n_fits: int

    def __call__(self, left: Array, scaled: Array, alike: Array) -> Array:
        """Absolute weights of the features that are left; copies of one another have the same number in ``alike``."""


class SoftMargins:
    """Support vector machines as the model: the l2 norm of the weights is smallest.

    Copies of a feature (of the same prior) share its weight evenly. Left to rounding, one of them would win in the end.
    """

    def __init__(self, planes: Hyperplanes) -> None:
        self.planes = planes
        self.n_fits = 0

    def __call__(self, left: Array, scaled: Array, alike: Array) -> Array:
        """Absolute weights of the features that are left; copies of one another have the same number in ``alike``."""
        self.n_fits += len(self.planes.planes)
        self.planes.solve(products_of(scaled))
        weights = self.planes.weights(scaled, np.arange(len(scaled)))
        shared: Array = (np.bincount(alike, weights) / np.maximum(np.bincount(alike), 1))[alike]
        return shared


# From scales and weights of the features that are left to their next scales, and whether nothing changes any more.
Follow: TypeAlias = Callable[[Array, Array, Array], tuple[Array, bool]]


@dataclass(frozen=True)
class Rescaled:
    """Scales of all features in the last iterate that left enough of them, and how it came to it."""

    scales: Array
    n_left: list[int]
    is_converged: bool
    n_fits: int


def rescale(
    features: FeatureRows, fit: Fit, start: Array, prior: Array, n_least: int, follow: Follow, max_iter: int
) -> Rescaled:
    """Fit and rescale until nothing changes, or until fewer than ``n_least`` features are left."""
    scales = np.where(features.is_constant, 0.0, start)
    _, alike = np.unique(np.column_stack([copies_of(features.values), prior]), axis=0, return_inverse=True)
    n_left = [len(_left(scales))]
    is_converged = False
    for number in range(max_iter):
        left = _left(scales)
        if len(left) == 0:
            break
        report("Fits", number)
        weights = fit(left, features.values[left] * scales[left, None], alike[left])
        following = np.zeros_like(scales)
        following[left], is_converged = follow(left, scales[left], weights)
        n_left.append(len(_left(following)))
        # The first fit is kept whatever it leaves: before it, all features are alike.
        if n_left[-1] < n_least and number > 0:
            break
        scales = following
        if is_converged:
            break
    return Rescaled(scales, n_left, is_converged, fit.n_fits)


def to_unit_norm(prior: Array) -> Follow:
    """PK-RFE: rescale by weight times prior, brought to unit norm, until that hardly changes."""
    last: Array | None = None

    def follow(left: Array, scales: Array, weights: Array) -> tuple[Array, bool]:
        nonlocal last
        pull = weights * prior[left]
        pull = pull / max(float(np.linalg.norm(pull)), np.finfo(float).tiny)
        spread = np.zeros_like(prior)
        spread[left] = pull
        is_done = last is not None and bool(np.abs(spread - last).max() < 1e-6)
        last = spread
        following = scales * pull
        # Only ratios matter to a hard margin; the largest is 1 so that a soft one does not soften further.
        return following / max(float(following.max()), np.finfo(float).tiny), is_done

    return follow


def to_weights(prior: Array, tolerance: float) -> Follow:
    """AROM: rescale by weight times prior, until the weights of the unscaled features hardly change."""
    last: Array | None = None

    def follow(left: Array, scales: Array, weights: Array) -> tuple[Array, bool]:
        nonlocal last
        unscaled = np.zeros_like(prior)
        unscaled[left] = scales * weights
        is_done = last is not None and bool(np.abs(unscaled - last).max() < tolerance * np.abs(unscaled).max())
        last = unscaled
        return unscaled[left] * prior[left], is_done

    return follow


def found_by_rescaling(
    rescaled: Rescaled,
    problem: Problem,
    features: FeatureRows,
    planes: Hyperplanes,
    n_select: int | None,
    prior: Array | None,
    always: Array | None = None,
    least_share: float = _VANISHED,
) -> Found:
    """The features of the largest scales, and some in any case.

    A number of None takes all whose scale is more than some share of the largest.
    """
    share = rescaled.scales / max(float(rescaled.scales.max()), np.finfo(float).tiny)
    has_vanished = share <= _VANISHED
    if n_select is None:
        n_select = max(1, int((share > least_share).sum()))
    # By their order of magnitude, from 1 for the largest to 0; what has vanished follows by how far apart classes lie.
    strength = 1.0 - np.log(np.maximum(share, _VANISHED)) / np.log(_VANISHED)
    apart = planes.apart(features.values)
    strength[has_vanished] = apart[has_vanished] / max(float(apart.max()), np.finfo(float).tiny) - 2.0
    # The iterates converge to some digits only, and rounding grows with them.
    strength = tied_together(strength, _ALIKE)
    strength[features.is_constant] = -3.0
    precedence = problem.precedence(strength if prior is None else prior)
    if always is None or len(always) == 0:
        chosen = precedence.sort(strength, n_select)
    else:
        raised = strength.copy()
        raised[always] += 8.0
        chosen = precedence.sort(raised, n_select)
        chosen = precedence.sort_some(chosen, strength[chosen], n_select)
    extra: dict[str, Any] = {
        "n_iter_": len(rescaled.n_left) - 1,
        "n_survivors_": np.array(rescaled.n_left),
        "converged_": rescaled.is_converged,
        "prior_": prior,
    }
    return Found(
        chosen,
        rescaled.scales,
        ranking_by(strength, chosen),
        Evaluations(relevance=int(sum(rescaled.n_left[:-1])), classifier=rescaled.n_fits),
        precedence.n_ties,
        extra,
    )


def _left(scales: Array) -> Array:
    return np.flatnonzero(scales > _VANISHED * scales.max(initial=0.0))
