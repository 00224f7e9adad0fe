"""DCORFS: features by sampled sets of large distance correlation (Hosseini 2018, §3.2, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, real_number, seed, whole_number, yes_or_no
from holdfast._random import generators
from holdfast.measures.wrapper_score import SCORING
from holdfast.search.bernoulli import Law, sample
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem
from holdfast.selectors._wrapper import SPLITS
from holdfast.selectors.distance._base import CONFIDENCE, KIND, DistanceSelector
from holdfast.selectors.distance._judge import INDEX, MEASURE, SCALE

Array = npt.NDArray[Any]

PROBABILITY = real_number(above=0.0, below=1.0)
START = PROBABILITY | nothing() | Rule(
    lambda value: not isinstance(value, str) and np.ndim(value) == 1 and np.asarray(value).dtype.kind in "iuf",
    "one probability for each feature", (),
)  # fmt: skip
BOUNDS = Rule(
    lambda value: (
        isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(v, Real) for v in value)
        and 0.0 <= value[0] < value[1] <= 1.0
    ),
    "a pair of numbers (lowest, highest) from 0 to 1",
    ((0.5, 0.5), (-1, 1), 1.0),
)  # fmt: skip


class DCORFS(DistanceSelector):
    """Draw sets of features, and draw those features more often whose sets depend most on the target.

    Use it for a few features that tell the target together, in any way and not just along a line. Every feature has a
    probability of being drawn; sets with it are compared with sets without it, again and again, until a few features
    are drawn always and all others never. Other seeds may find other sets of about the same value. For many features
    use D2CORFS, which runs it on bins.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: those whose loss would cost most. None keeps all found.
    measure : "dcor", classifier or callable, default="dcor"
        What a set is worth: its distance correlation with the target, the cross-validated score of a classifier (the
        parent method RFSC, without its test of single coefficients), or a function of the values of a set, of shape
        (n_samples, n_features), and of y; more is better.
    index : {"biased", "biased-squared", "unbiased"}, default="biased"
        Form of the distance correlation. The biased one has given all published numbers.
    scale : {"range", "standard", "none"}, default="range"
        Units in which distances are measured: each feature by its range or standard deviation among the samples given,
        or as it is. Classifiers and functions see values as they came.
    confidence : float or None, default=0.95
        Leave out features that a test of dependence on the target does not find at this confidence, from 0.785 on. None
        searches among all, also for features that tell something only together.
    n_iterations : int, default=100
        Populations drawn at most.
    n_subsets : int, default=100
        Sets in a population.
    start : float, array of shape (n_features,) or None, default=None
        Probabilities to begin with; None for 1 over the number of features that take part, which makes sets of one
        feature on average. An array may hold what is known beforehand.
    threshold : float, default=0.98
        A feature is chosen whose probability has come so far.
    step : float, default=10.0
        Coefficient of the step size, 1 / (step · (best - mean) + 0.1). More makes smaller steps, and so fewer features
        within the iterations: 70 to 100 gives sets of the published sizes.
    tolerance : float, default=0.001
        The search ends when no probability changes by more.
    bounds : tuple of two floats, default=(0.0, 1.0)
        Probabilities stay between these. A feature at 0 never comes back, nor does one at 1 leave.
    empty : {"zero", "resample"}, default="zero"
        Whether an empty set is worth 0 (for a classifier: what it does without features), or is drawn anew.
    zero_count : {"skip", "parent"}, default="skip"
        Whether a feature that is in no set of a population, or in all, stays where it is, or the missing mean is taken
        for 0, as in the parent methods, which throws out features that nobody has looked at.
    elitist : bool, default=False
        Choose the best set drawn, if it is better than the features that came to the threshold, or if none did.
    n_traced : int, default=20
        Features of which ``trace_`` is kept.
    scoring : {"auc", "accuracy", "balanced-accuracy"} or callable, default="accuracy"
        What of a classifier counts.
    cv : int, splitter, list of (train, test) or None, default=10
        How a classifier is judged: so many stratified folds (at most the size of the smallest class), or any splits.
    y_is : {"classes", "numbers"}, default="classes"
        What the target holds.
    value_of_nothing : float, default=0.0
        What a function as measure would say of no features, to which sets are compared; below all its values for one
        that is always negative.
    random_state : int, Generator or None, default=0
        Seed of the draws and folds.
    n_jobs : int or None, default=None
        Parallel jobs for a classifier that has to be fitted, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, the one whose loss costs most first.
    scores_ : ndarray of shape (n_features,)
        What the set lost when each chosen feature went, as they went one by one with the least loss; they add up to
        the value of all found. NaN for the others.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features; the others share the rank behind.
    value_ : float
        What the chosen features are worth together.
    relevance_ : ndarray of shape (n_features,)
        Distance correlation of each feature alone.
    inclusion_ : ndarray of shape (n_features,)
        Probability of being drawn at the end; 0 for features that did not take part.
    traced_ : ndarray of shape (n_traced,)
        The features whose probabilities came highest.
    trace_ : ndarray of shape (n_iterations_ + 1, n_traced)
        Their probabilities at the start and after every population.
    history_ : ndarray of shape (n_iterations_,)
        Every population: ``best`` and ``mean`` value, ``step`` size, and after it the ``expected_size`` of a set and
        the largest ``change`` of a probability.
    n_iterations_ : int
        Populations drawn.
    converged_ : bool
        Whether the search ended because probabilities did not change any more.
    n_screened_out_ : int
        Features that did not take part.
    n_evaluations_ : Evaluations
        ``subset`` counts sets judged, each once, ``classifier`` the classifiers trained for them.
    n_cache_hits_ : int
        Sets met again, whose value was known, and empty ones.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import DCORFS
    >>> X = np.random.default_rng(42).standard_normal((40, 20))
    >>> found = DCORFS(confidence=None).fit(X, X[:, 3] + X[:, 11] > 0)
    >>> sorted(found.indices_.tolist()), round(found.value_, 4)
    ([3, 11], 0.6561)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "measure": MEASURE,
        "index": INDEX,
        "scale": SCALE,
        "confidence": CONFIDENCE,
        "n_iterations": whole_number(at_least=1),
        "n_subsets": whole_number(at_least=2),
        "start": START,
        "threshold": real_number(above=0.0, at_most=1.0),
        "step": real_number(above=0.0),
        "tolerance": real_number(above=0.0),
        "bounds": BOUNDS,
        "empty": one_of("zero", "resample"),
        "zero_count": one_of("skip", "parent"),
        "elitist": yes_or_no(),
        "n_traced": whole_number(at_least=0),
        "scoring": SCORING,
        "cv": SPLITS,
        "y_is": KIND,
        "value_of_nothing": real_number(),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        measure: Any = "dcor",
        index: str = "biased",
        scale: str = "range",
        confidence: float | None = 0.95,
        n_iterations: int = 100,
        n_subsets: int = 100,
        start: Any = None,
        threshold: float = 0.98,
        step: float = 10.0,
        tolerance: float = 0.001,
        bounds: tuple[float, float] = (0.0, 1.0),
        empty: str = "zero",
        zero_count: str = "skip",
        elitist: bool = False,
        n_traced: int = 20,
        scoring: Any = "accuracy",
        cv: Any = 10,
        y_is: str = "classes",
        value_of_nothing: float = 0.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.measure = measure
        self.index = index
        self.scale = scale
        self.confidence = confidence
        self.n_iterations = n_iterations
        self.n_subsets = n_subsets
        self.start = start
        self.threshold = threshold
        self.step = step
        self.tolerance = tolerance
        self.bounds = bounds
        self.empty = empty
        self.zero_count = zero_count
        self.elitist = elitist
        self.n_traced = n_traced
        self.scoring = scoring
        self.cv = cv
        self.y_is = y_is
        self.value_of_nothing = value_of_nothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        self._n_select(problem.n_features)
        if self.threshold > self.bounds[1]:
            raise ValueError(
                f"threshold={self.threshold:g} lies above the highest of bounds={self.bounds}, so no feature could be "
                "chosen. Lower it, or widen the bounds."
            )
        start = self._start(problem.n_features)
        folds, draws = generators(self.random_state, 2)
        field = self._field(problem, folds)
        pool = field.pool
        judge = field.judge(np.ascontiguousarray(problem.X[:, pool]))
        begun = np.full(len(pool), 1.0 / max(1, len(pool))) if start is None else start[pool]
        sampled = sample(judge, begun, self._law(), draws, keep_best=self.elitist)
        kept = np.flatnonzero(sampled.inclusion >= self.threshold)
        if self.elitist and len(sampled.best) and (len(kept) == 0 or sampled.best_value > judge.of(kept)):
            kept = sampled.best
        inclusion = np.zeros(problem.n_features)
        inclusion[pool] = sampled.inclusion
        traced, trace = sampled.changes.of_highest(self.n_traced)
        extra = {
            "inclusion_": inclusion,
            "traced_": pool[traced],
            "trace_": trace,
            "history_": sampled.history,
            "n_iterations_": len(sampled.history),
            "converged_": sampled.converged,
        }
        return self._found(problem, field, judge, pool, kept, extra)

    def _law(self) -> Law:
        low, high = self.bounds
        return Law(
            n_iterations=self.n_iterations,
            n_subsets=self.n_subsets,
            step=self.step,
            tolerance=self.tolerance,
            bounds=(low, high),
            empty=self.empty,
            zero_count=self.zero_count,
        )

    def _start(self, n_features: int) -> Array | None:
        """Probabilities to begin with, if any were given."""
        if self.start is None:
            return None
        start: Array = np.array(self.start, dtype=np.float64)
        if start.ndim == 0:
            return np.full(n_features, start)
        if start.shape != (n_features,):
            raise ValueError(f"start holds {len(start)} value(s), but X has {n_features} features: one for each.")
        if not ((start >= 0) & (start <= 1)).all():
            raise ValueError("start holds values that are no probabilities. Each must be from 0 to 1.")
        return start

    @property
    def _notes(self) -> list[str]:
        if self.converged_:
            return []
        highest = self.inclusion_[~self.support_].max(initial=0.0)
        return [
            f"The search ended after {self.n_iterations_} populations without having come to rest: the highest "
            f"probability below the threshold is {highest:.2f}. More n_iterations, or a smaller step, lets it go on."
        ]

    def _why_none_kept(self) -> str:
        return (
            f"no probability came to threshold={self.threshold:g} in {self.n_iterations_} populations; the highest is "
            f"{self.inclusion_.max():.2g}. Raise n_iterations, lower step, or pass elitist=True for the best set drawn."
            if not self.elitist
            else f"no set that was drawn in {self.n_iterations_} populations had a feature. Raise start."
        )
