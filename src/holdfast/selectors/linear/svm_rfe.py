"""SVM-RFE (Guyon et al. 2002): fit a linear SVM, drop the features of the smallest weights, and fit again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, check_parameters, one_of, real_number, whole_number, yes_or_no
from holdfast._progress import report
from holdfast.kernels.elimination import LANES, eliminate
from holdfast.kernels.lazy import TIE
from holdfast.kernels.neighbours import mark_varying
from holdfast.measures.hyperplanes import MULTICLASS, ROUNDING, Hyperplanes
from holdfast.measures.svm import SETTINGS, Features, Gram, bounds_of, keeps_matrix
from holdfast.prepare.features import FEATURE_SCALES, FeatureRows
from holdfast.search.ties import HasRows, Precedence, tied_together
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem
from holdfast.selectors._prior import PRIOR, prior_factors
from holdfast.selectors._resampling import Rows, without_gaps
from holdfast.selectors._weighted import WeightedSelector, only_counted
from holdfast.selectors.linear._rescaling import SCALE, SoftMargins, found_by_rescaling, rescale, to_unit_norm
from holdfast.selectors.linear.arom import costs

Array = npt.NDArray[Any]

SHARE = "share of the feature in the sum of absolute weights, in the last round it took part in"
# A Gram matrix that lost so much of itself is formed anew: what is left of it would be rounding too soon.
_FORM_ANEW = 16.0
# With a smaller share of them left, features are put together anew: what is dropped need not be read again.
_WORTH_READING = 0.6


class SVMRFE(WeightedSelector):
    """Fit a linear support vector machine, drop the features of the smallest weights, and repeat on the rest.

    Use it for features that separate the classes together: the weight of each is judged beside all that remain. The
    n × n matrix of inner products is formed once and every round subtracts what it drops, so a round costs no more
    than reading the features that are left. Small C holds the list more stable on few samples.

    Parameters
    ----------
    n_features_to_select : int or float, default=50
        How many features to keep, or which share of them.
    C : float, default=1.0
        What an error costs; a sample's weight multiplies it.
    step : float or int, default=0.1
        Share of the features that a round drops, or how many.
    step_of : {"remaining", "all"}, default="remaining"
        Whether the share is of the features that are left (and what is kept is rounded down), or of all, as in
        scikit-learn's RFE.
    one_by_one_below : int, default=0
        From so many features on, drop one at a time.
    multiclass : {"ovo", "ovr"}, default="ovo"
        One hyperplane for every pair of classes, or for every class against the rest; the squares of a feature's
        weights add up.
    scale : {"range", "standard", "none"}, default="range"
        Divide each feature by its range or its standard deviation first, or take the values as they are.
    prior : None, array, mapping or list, default=None
        What is known beforehand: a positive weight for every feature, {name: weight}, or names of relevant features.
    prior_by : {"rescaling", "criterion"}, default="rescaling"
        How it enters: features are rescaled again and again by weight times prior until few are left (PK-RFE; that
        is another way than elimination, also if all weights are equal, and steps do not matter), or rounds drop by
        weight times prior.
    keep_path : bool, default=False
        Whether to keep the weights of every round; rescaling has no rounds.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Share of each feature in the sum of absolute weights, in the last round it took part in.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature in the order of elimination, 1 = last; features dropped together at equal weights share a
        rank.
    rounds_ : ndarray of shape (n_features,)
        Number of rounds each feature took part in.
    sizes_ : ndarray of shape (n_rounds,)
        Number of features in each round.
    weight_path_ : ndarray of shape (n_rounds, n_features)
        Share of each feature in the sum of absolute weights in every round, 0 once it is dropped; with ``keep_path``.
    prior_ : ndarray of shape (n_features,) or None
        Weight of each feature in what was known beforehand. If features were rescaled by it (PK-RFE), ``scores_`` are
        their scales, ``n_iter_``, ``n_survivors_`` and ``converged_`` stand for the rounds, as in AROM.

    Examples
    --------
    >>> from holdfast import SVMRFE
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> SVMRFE(n_features_to_select=1).fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_OR_SHARE,
        "C": real_number(above=0.0),
        "step": COUNT_OR_SHARE,
        "step_of": one_of("remaining", "all"),
        "one_by_one_below": whole_number(at_least=0),
        "multiclass": one_of(*MULTICLASS),
        "scale": one_of(*FEATURE_SCALES),
        "prior": PRIOR,
        "prior_by": one_of("rescaling", "criterion"),
        "keep_path": yes_or_no(),
    }

    def __init__(
        self,
        n_features_to_select: int | float = 50,
        *,
        C: float = 1.0,
        step: int | float = 0.1,
        step_of: str = "remaining",
        one_by_one_below: int = 0,
        multiclass: str = "ovo",
        scale: str = "range",
        prior: Any = None,
        prior_by: str = "rescaling",
        keep_path: bool = False,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.C = C
        self.step = step
        self.step_of = step_of
        self.one_by_one_below = one_by_one_below
        self.multiclass = multiclass
        self.scale = scale
        self.prior = prior
        self.prior_by = prior_by
        self.keep_path = keep_path

    @property
    def _score_means(self) -> str:
        return SCALE if self.prior is not None and self.prior_by == "rescaling" else SHARE

    def resampler(self, X: Any, y: Any) -> Callable[[Array], Array] | None:
        """A function from rows (repeated ones count twice) to the features chosen from them.

        Scales are those of all samples, and the matrix of inner products is formed once.
        """
        check_parameters(self)
        problem = self._check(X, y)
        prior = prior_factors(self.prior, problem.names, problem.n_features)
        if prior is not None and self.prior_by == "rescaling":
            return None
        features = FeatureRows.of(problem.rows, self.scale)
        return _Resampler(self, problem, features, _gram_of(features), prior)

    def _choose(self, problem: Problem) -> Found:
        problem = only_counted(problem)
        n_select = self._n_select(problem.n_features)
        features = FeatureRows.of(problem.rows, self.scale)
        prior = prior_factors(self.prior, problem.names, problem.n_features)
        box = costs(self.C, problem)
        if prior is not None and self.prior_by == "rescaling":
            planes = Hyperplanes(problem.target, box, self.multiclass)
            start, follow = np.ones_like(prior), to_unit_norm(prior)
            rescaled = rescale(features, SoftMargins(planes), start, prior, n_select, follow, max_iter=100)
            return found_by_rescaling(rescaled, problem, features, planes, n_select, prior)
        elimination = _Elimination(self, features, problem.target, box, _gram_of(features))
        return elimination.found(problem, n_select, prior, self.sizes(problem.n_features, n_select))

    def sizes(self, n_features: int, n_select: int) -> list[int]:
        """Number of features in each round, down to the last round that is fitted."""
        sizes = [n_features]
        is_of_all = self.step_of == "all"
        last = n_select if is_of_all else 1
        while sizes[-1] > last:
            left = sizes[-1]
            if left <= self.one_by_one_below:
                keep = left - 1
            elif self.step >= 1:
                keep = left - int(self.step)
            elif is_of_all:
                keep = left - max(1, int(self.step * n_features))
            else:
                # The slack takes 0.7 · 10 for 7.
                keep = min(left - 1, floor((1.0 - self.step) * left + 1e-9))
            sizes.append(max(keep, last))
        return sizes


class _Elimination:
    """Rounds of fitting and dropping."""

    def __init__(self, selector: SVMRFE, features: FeatureRows, target: Array, box: Array, gram: Array | None) -> None:
        self.selector = selector
        self.is_constant = features.is_constant
        self.target = target
        self.gram = gram
        self.formed = 0.0 if gram is None else float(np.trace(gram))
        self.planes = Hyperplanes(target, box, selector.multiclass)
        self.left = np.arange(len(features.values))
        # Rows of features, and which of them belong to the features that are left.
        self.values = features.values
        self.inside = self.ids = self.left

    def choose(
        self,
        data: HasRows,
        names: Array | None,
        n_select: int,
        prior: Array | None,
        sizes: list[int],
        *,
        in_order: bool = True,
    ) -> Array:
        """Fit on so many features in every round; the chosen features, last survivors first, or in no order."""
        n_features = len(self.left)
        self.scores, self.strength = np.zeros(n_features), np.empty(n_features)
        self.rounds = np.zeros(n_features, dtype=np.int64)
        self.path: list[Array] = []
        self.n_ties = 0
        chosen: list[Array] = []
        number = -1
        while (number := number + 1) < len(sizes):
            if not in_order and prior is None:
                number += self._skip(sizes[number:])
            n_keep = [*sizes[1:], 0][number]
            left, strength = self.left, self.strength
            report("Features left", len(left), n_features)
            weights = self._weights()
            self.scores[left] = weights / max(weights.sum(), np.finfo(float).tiny)
            self.rounds[left] += 1
            if self.selector.keep_path:
                self.path.append(np.zeros(n_features))
                self.path[-1][left] = self.scores[left]
            criterion = weights if prior is None else weights * prior[left]
            largest = float(criterion.max()) or 1.0
            strength[left] = tied_together(criterion / largest, self.planes.noise / largest)
            strength[left[self.is_constant[left]]] = -1.0
            precedence = Precedence(data, self.target, strength, names)
            kept, ranked = _cut(precedence, left, strength[left], n_keep, n_select - n_keep)
            self.n_ties += precedence.n_ties
            chosen.append(ranked)
            if n_keep:
                self._keep(kept)
        return np.concatenate(chosen[::-1])

    def found(self, problem: Problem, n_select: int, prior: Array | None, sizes: list[int]) -> Found:
        """Choose, and say how it came to it."""
        chosen = self.choose(problem, problem.names, n_select, prior, sizes)
        extra: dict[str, Any] = {"rounds_": self.rounds, "sizes_": np.array(sizes), "prior_": prior}
        if self.path:
            extra["weight_path_"] = np.array(self.path)
        evaluations = Evaluations(relevance=sum(sizes), classifier=len(sizes) * len(self.planes.planes))
        ranking = _ranking(chosen, self.rounds, self.strength)
        return Found(chosen, self.scores, ranking, evaluations, self.n_ties, extra)

    def _skip(self, sizes: list[int]) -> int:
        """Do as many rounds as go in one compiled call: with two classes, until one has ties or is hard to solve."""
        if self.gram is None or len(self.planes.planes) > 1 or len(sizes) < 2:
            return 0
        plane = self.planes.planes[0]
        n_features, n = len(self.inside), len(self.target)
        places, formed, done = self.inside.copy(), np.array([self.formed]), np.zeros(1, dtype=np.int64)
        start = self.planes.duals[0]
        dual = np.zeros(n) if start is None else start.copy()
        self.gram = self.gram.copy()
        scratch = np.empty(n), np.empty(n, dtype=np.int64), np.empty((n, n)), np.empty((2, n)), np.empty(LANES)
        by_feature = np.empty(n_features), np.empty(n_features), np.empty(n_features, dtype=np.int64)
        arguments: tuple[Any, ...] = (
            self.values, self.is_constant[self.ids], self.gram, *bounds_of(plane.side, plane.box), dual,
            places, np.array(sizes), *scratch, *by_feature, done, formed, *SETTINGS, ROUNDING, TIE, _FORM_ANEW,
        )  # fmt: skip
        eliminate(*arguments)
        self.formed = float(formed[0])
        self.planes.duals[0] = dual
        self.inside = places[: sizes[done[0]]]
        self.left = self.ids[self.inside]
        return int(done[0])

    def _weights(self) -> Array:
        if self.gram is not None:
            give = None if len(self.left) >= len(self.gram) else lambda: self._rows(self.inside)
            self.planes.solve(Gram(self.gram, len(self.left), give))
            return self.planes.weights(self.values, self.inside)
        features = self._rows(self.inside)
        self.planes.solve(Features(features))
        return self.planes.weights(features, np.arange(len(features)))

    def _rows(self, places: Array) -> Array:
        return self.values if len(places) == len(self.values) else self.values[places]

    def _keep(self, kept: Array) -> None:
        """Drop all other features, also from the inner products."""
        is_kept = np.zeros(len(self.is_constant), dtype=bool)
        is_kept[kept] = True
        is_kept = is_kept[self.left]
        dropped, self.left, self.inside = self.inside[~is_kept], kept, self.inside[is_kept]
        if self.gram is not None:
            gone = self.values[dropped]
            self.gram = self.gram - gone.T @ gone
        if len(self.inside) < _WORTH_READING * len(self.values):
            self.values = self.values[self.inside]
            self.inside, self.ids = np.arange(len(self.values)), self.left
        if self.gram is not None and np.trace(self.gram) * _FORM_ANEW < self.formed:
            values = self._rows(self.inside)
            self.gram = values.T @ values
            self.formed = float(np.trace(self.gram))


def _cut(precedence: Precedence, left: Array, strength: Array, n_keep: int, n_ranked: int) -> tuple[Array, Array]:
    """The features to keep, and the best of the others in order, as many as belong to the chosen ones."""
    kept = np.sort(precedence.top(left, strength, n_keep)) if n_keep else left[:0]
    if n_ranked <= 0:
        return kept, left[:0]
    is_open = np.ones(len(precedence.relevance), dtype=bool)
    is_open[kept] = False
    dropped = left[is_open[left]]
    return kept, precedence.sort_some(dropped, precedence.relevance[dropped], n_ranked)


def _ranking(chosen: Array, rounds: Array, strength: Array) -> Array:
    """Places in the order of elimination, which equal weights of one round share; the chosen ones have their own."""
    order = np.lexsort((-strength, -rounds))
    starts = (np.diff(rounds[order]) != 0) | (np.diff(strength[order]) < -TIE)
    first_of_group = np.maximum.accumulate(np.where(np.concatenate([[True], starts]), np.arange(len(order)), 0))
    ranking = np.empty(len(order), dtype=np.int64)
    ranking[order] = first_of_group + 1
    ranking[ranking <= len(chosen)] = len(chosen) + 1
    ranking[chosen] = np.arange(1, len(chosen) + 1)
    return ranking


def _gram_of(features: FeatureRows) -> Array | None:
    """Inner products of all samples; None for many samples of fewer features, which then take less room."""
    values = features.values
    return values.T @ values if keeps_matrix(*values.shape) else None


@dataclass(frozen=True)
class _Resampler:
    """Selections from some rows of a table; what all of them need is computed once."""

    selector: SVMRFE
    problem: Problem
    features: FeatureRows
    gram: Array | None
    prior: Array | None

    def __call__(self, rows: Array) -> Array:
        """Which features are chosen from some rows; a row that comes twice counts twice."""
        columns, counts = np.unique(rows, return_counts=True)
        target = without_gaps(self.problem.target[columns])
        varies = np.zeros(self.problem.n_features, dtype=bool)
        mark_varying(self.problem.rows, columns, varies)
        features = FeatureRows(np.take(self.features.values, columns, axis=1), ~varies)
        gram = None if self.gram is None else self.gram[columns[:, None], columns]
        n_select = self.selector._n_select(self.problem.n_features)
        # Rounds among the chosen features would only put them in order.
        sizes = [size for size in self.selector.sizes(self.problem.n_features, n_select) if size >= n_select]
        elimination = _Elimination(self.selector, features, target, float(self.selector.C) * counts, gram)
        chosen = elimination.choose(
            Rows(self.problem, columns), self.problem.names, n_select, self.prior, sizes, in_order=False
        )
        support = np.zeros(self.problem.n_features, dtype=bool)
        support[chosen] = True
        return support
