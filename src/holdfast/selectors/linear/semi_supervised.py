"""SS-l2AROM (Ben Brahim 2015, Algorithms 4 and 5): known features spread to their likes, selection gives them back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, nothing, one_of, real_number, whole_number, yes_or_no
from holdfast._progress import report
from holdfast.measures.hyperplanes import MULTICLASS, Hyperplanes
from holdfast.measures.likeness import surrounded
from holdfast.prepare.features import FEATURE_SCALES, FeatureRows
from holdfast.selectors._base import COUNT_OR_SHARE, Found, Problem
from holdfast.selectors._prior import PRIOR, prior_factors
from holdfast.selectors._weighted import WeightedSelector, only_counted
from holdfast.selectors.linear._rescaling import SCALE, SoftMargins, found_by_rescaling, rescale, to_weights
from holdfast.selectors.linear.arom import costs

Array = npt.NDArray[Any]

_RELEVANT = 10.0
_AROM_TOLERANCE = 1e-4
_AROM_FITS = 100


class SemiSupervisedAROM(WeightedSelector):
    """Let known features spread to features like them, select with that as prior knowledge, and repeat.

    Use it when a few relevant features are known and more like them are looked for. Each round calls a feature relevant
    if all features nearest to it are, then selects by AROM with an advantage for the relevant ones; what is selected is
    relevant in the next round, until the selection stays the same.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    prior : None, array, mapping or list, default=None
        What is known beforehand: names of relevant features, {name: weight}, or a positive weight for every feature,
        of which those above 1 are known. Without any, the first selection is plain AROM.
    n_neighbors : int, default=2
        How many features nearest to one must be relevant to make it so.
    distance : {"standard", "none"}, default="standard"
        Euclidean distance between features after each is standardised (as the correlation goes), or as they are.
    growth : float, default=0.1
        Share by which a selection may outgrow what is relevant, up to ``n_features_to_select``.
    fixed_size : bool, default=False
        Whether every round selects ``n_features_to_select`` features at once.
    keep_prior : bool, default=False
        Whether the features known beforehand stay in every selection.
    tol : float, default=0.01
        Stop when two selections of the final size differ by at most this share of their union.
    C : float or None, default=1e4
        What an error costs; a sample's weight multiplies it. None allows no error at all.
    scale : {"standard", "range", "none"}, default="standard"
        Divide each feature by its standard deviation or its range for the selection, or take the values as they are.
    multiclass : {"ovo", "ovr"}, default="ovo"
        One hyperplane for every pair of classes, or for every class against the rest.
    max_iter : int, default=50
        Largest number of rounds.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Scale of each feature in the last selection.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scales share a rank.
    convergence_ : ndarray of shape (n_iter_,)
        What each selection has in common with the one before, as a share of their union; 0 for the first.
    n_relevant_ : ndarray of shape (n_iter_,)
        Number of relevant features each selection was made with.
    n_iter_ : int
        Number of rounds.
    converged_ : bool
        Whether the selection stopped changing; if not, it went in a circle or ``max_iter`` was too small.

    Examples
    --------
    >>> from holdfast import SemiSupervisedAROM
    >>> X = [[1, 5, 0, 1.1], [2, 3, 1, 2.3], [3, 4, 0, 2.9], [7, 5, 1, 7.4], [8, 3, 0, 7.8], [9, 4, 1, 9.2]]
    >>> prior = [True, False, False, False]
    >>> SemiSupervisedAROM(2, prior=prior, n_neighbors=1).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([3, 0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "prior": PRIOR,
        "n_neighbors": whole_number(at_least=1),
        "distance": one_of("standard", "none"),
        "growth": real_number(above=0.0),
        "fixed_size": yes_or_no(),
        "keep_prior": yes_or_no(),
        "tol": real_number(at_least=0.0, at_most=1.0),
        "C": real_number(above=0.0) | nothing(),
        "scale": one_of(*FEATURE_SCALES),
        "multiclass": one_of(*MULTICLASS),
        "max_iter": whole_number(at_least=1),
    }

    _score_means = SCALE

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        prior: Any = None,
        n_neighbors: int = 2,
        distance: str = "standard",
        growth: float = 0.1,
        fixed_size: bool = False,
        keep_prior: bool = False,
        tol: float = 0.01,
        C: float | None = 1e4,
        scale: str = "standard",
        multiclass: str = "ovo",
        max_iter: int = 50,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.prior = prior
        self.n_neighbors = n_neighbors
        self.distance = distance
        self.growth = growth
        self.fixed_size = fixed_size
        self.keep_prior = keep_prior
        self.tol = tol
        self.C = C
        self.scale = scale
        self.multiclass = multiclass
        self.max_iter = max_iter

    def _choose(self, problem: Problem) -> Found:
        problem = only_counted(problem)
        n_select = self._n_select(problem.n_features)
        prior = prior_factors(self.prior, problem.names, problem.n_features)
        weights = np.ones(problem.n_features) if prior is None else prior
        features = FeatureRows.of(problem.rows, self.scale)
        compared = self._compared(problem, features)
        fit = SoftMargins(Hyperplanes(problem.target, costs(self.C, problem), self.multiclass))
        known = np.flatnonzero((weights > 1.0) & ~features.is_constant)
        if self.keep_prior and len(known) > n_select:
            raise ValueError(
                f"keep_prior=True, but {len(known)} features are known beforehand and n_features_to_select={n_select}. "
                "Raise n_features_to_select, or leave keep_prior out."
            )
        always = known if self.keep_prior else known[:0]
        found: list[Found] = []

        def widen(relevant: Array) -> Array:
            is_relevant = np.zeros(problem.n_features, dtype=bool)
            is_relevant[relevant] = True
            is_new = surrounded(compared, is_relevant, self.n_neighbors) & ~features.is_constant
            return np.flatnonzero(is_relevant | is_new)

        def select(relevant: Array, size: int) -> Array:
            pull = np.ones(problem.n_features)
            pull[relevant] = np.where(weights[relevant] > 1.0, weights[relevant], _RELEVANT)
            size = max(size, len(always))
            rescaled = rescale(features, fit, pull, pull, size, to_weights(pull, _AROM_TOLERANCE), _AROM_FITS)
            selection = found_by_rescaling(rescaled, problem, features, fit.planes, size, prior, always)
            found.append(selection)
            return selection.indices

        rounds = alternate(known, widen, select, n_select, self.growth, self.tol, self.fixed_size, self.max_iter)
        return replace(
            found[-1],
            extra={
                **found[-1].extra,
                "convergence_": np.array(rounds.convergence),
                "n_relevant_": np.array(rounds.n_relevant),
                "n_iter_": len(rounds.convergence),
                "converged_": rounds.is_converged,
            },
        )

    def _compared(self, problem: Problem, features: FeatureRows) -> Array:
        """What features are compared by, a row for each."""
        if self.distance == "none":
            return np.ascontiguousarray(problem.X.T)
        return (features if self.scale == self.distance else FeatureRows.of(problem.rows, self.distance)).values


@dataclass(frozen=True)
class Rounds:
    """What the rounds of an alternation came to."""

    selected: Array
    convergence: list[float]
    n_relevant: list[int]
    is_converged: bool


def alternate(
    known: Array,
    widen: Callable[[Array], Array],
    select: Callable[[Array, int], Array],
    n_select: int,
    growth: float,
    tol: float,
    fixed_size: bool,
    max_iter: int,
) -> Rounds:
    """Widen what is relevant, select with it, and take the selection for relevant, until it stays the same.

    A selection may be larger than what is relevant by ``growth`` only, until it has the size asked for.
    """
    relevant, selected = known, known[:0]
    convergence: list[float] = []
    n_relevant: list[int] = []
    seen: set[frozenset[int]] = set()
    for number in range(max_iter):
        report("Rounds", number)
        wider = widen(relevant)
        n_relevant.append(len(wider))
        # The slack takes 1.1 · 10 for 11.
        is_full = fixed_size or len(wider) == 0 or number == max_iter - 1
        size = n_select if is_full else min(n_select, ceil((1 + growth) * len(wider) - 1e-9))
        before, selected = selected, select(wider, size)
        convergence.append(common_share(before, selected) if number else 0.0)
        if number and len(selected) >= n_select and 1.0 - convergence[-1] <= tol:
            return Rounds(selected, convergence, n_relevant, True)
        # What follows from a selection is always the same, so one that comes again begins a circle.
        if frozenset(selected.tolist()) in seen and len(selected) >= n_select:
            break
        seen.add(frozenset(selected.tolist()))
        relevant = selected
    return Rounds(selected, convergence, n_relevant, False)


def common_share(some: Array, others: Array) -> float:
    """Size of the intersection over size of the union (Eq. 4.7)."""
    n_common = len(np.intersect1d(some, others))
    return n_common / (len(some) + len(others) - n_common)
