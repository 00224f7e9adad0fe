"""SVM-RFE (Guyon et al. 2002): fit a linear SVM, drop the features of the smallest weights, and fit again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, check_parameters, one_of, real_number, whole_number, yes_or_no
from holdfast.kernels.neighbours import mark_varying
from holdfast.measures.hyperplanes import MULTICLASS, Hyperplanes
from holdfast.prepare.features import FEATURE_SCALES, FeatureRows
from holdfast.selectors._base import COUNT_OR_SHARE, Found, Problem
from holdfast.selectors._prior import PRIOR, prior_factors
from holdfast.selectors._resampling import Rows, without_gaps
from holdfast.selectors._weighted import WeightedSelector, only_counted
from holdfast.selectors.linear._elimination import Elimination, gram_of
from holdfast.selectors.linear._rescaling import SCALE, SoftMargins, found_by_rescaling, rescale, to_unit_norm
from holdfast.selectors.linear.arom import costs

Array = npt.NDArray[Any]

SHARE = "share of the feature in the sum of absolute weights, in the last round it took part in"


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

    def resampler(self, X: Any, y: Any) -> _Resampler | None:
        """A function from rows (repeated ones count twice) to the features chosen from them.

        Scales are those of all samples, and the matrix of inner products is formed once.
        """
        check_parameters(self)
        problem = self._check(X, y)
        prior = prior_factors(self.prior, problem.names, problem.n_features)
        if prior is not None and self.prior_by == "rescaling":
            return None
        features = FeatureRows.of(problem.rows, self.scale)
        return _Resampler(self, problem, features, gram_of(features), prior)

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
        elimination = Elimination(
            features, problem.target, box, gram_of(features), multiclass=self.multiclass, keep_path=self.keep_path
        )
        return elimination.found(problem, problem.names, n_select, prior, self.sizes(problem.n_features, n_select))

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


@dataclass(frozen=True)
class _Resampler:
    """Selections from some rows of a table; what all of them need is computed once."""

    selector: SVMRFE
    problem: Problem
    features: FeatureRows
    gram: Array | None
    prior: Array | None

    def __call__(self, rows: Array) -> Array:
        """Whether each feature is chosen from some rows; a row that comes twice counts twice."""
        columns, elimination = self._among(rows)
        n_select, sizes = self._sizes
        # Rounds among the chosen features would only put them in order.
        sizes = [size for size in sizes if size >= n_select]
        data = Rows(self.problem, columns)
        chosen = elimination.choose(data, self.problem.names, n_select, self.prior, sizes, in_order=False)
        support = np.zeros(self.problem.n_features, dtype=bool)
        support[chosen] = True
        return support

    def found(self, rows: Array) -> Found:
        """What is chosen from some rows, with scores and the order of elimination."""
        columns, elimination = self._among(rows)
        n_select, sizes = self._sizes
        return elimination.found(Rows(self.problem, columns), self.problem.names, n_select, self.prior, sizes)

    @property
    def _sizes(self) -> tuple[int, list[int]]:
        n_features = self.problem.n_features
        n_select = self.selector._n_select(n_features)
        return n_select, self.selector.sizes(n_features, n_select)

    def _among(self, rows: Array) -> tuple[Array, Elimination]:
        """The different rows, and an elimination among them."""
        columns, counts = np.unique(rows, return_counts=True)
        target = without_gaps(self.problem.target[columns])
        varies = np.zeros(self.problem.n_features, dtype=bool)
        mark_varying(self.problem.rows, columns, varies)
        features = FeatureRows(np.take(self.features.values, columns, axis=1), ~varies)
        gram = None if self.gram is None else self.gram[columns[:, None], columns]
        box = float(self.selector.C) * counts
        return columns, Elimination(features, target, box, gram, multiclass=self.selector.multiclass)
