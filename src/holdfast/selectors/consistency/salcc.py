"""SALCC: simulated annealing over the threshold of LCC (Pino Angulo 2019, §3.7, Algorithms 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, real_number, seed, whole_number
from holdfast._random import generators
from holdfast.measures.wrapper_score import SCORING, WrapperScore
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.annealing import Features, Walk, anneal, scored, sweep
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS
from holdfast.selectors.consistency._base import DELTA, DELTA_MODE, MEASURE, ConsistencySelector

Array = npt.NDArray[Any]

_TRACE = np.dtype([
    ("proposed", float), ("risk", float), ("n_features", np.int64), ("score", float), ("temperature", float),
    ("accepted", bool),
])  # fmt: skip
_SCORES = {"auc": "AUC", "accuracy": "accuracy", "balanced-accuracy": "balanced accuracy"}


class SALCC(ConsistencySelector):
    """Look for the threshold at which what LCC keeps serves a classifier best.

    Use it when the right ``delta`` of LCC is unknown and a classifier is to judge. It walks over thresholds by
    simulated annealing, or sweeps over all of them; they lead to few sets of features, and each is judged once.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: the most relevant of those found. None keeps them all.
    delta_max : float, default=0.4
        Largest threshold: how much may stay undecided.
    delta_mode : {"relative", "absolute"}, default="relative"
        Whether ``delta_max`` comes on top of what all features leave undecided together, or stands for itself; then
        it may be too small for the data, which is an error that names the smallest possible.
    step : float, default=0.1
        A step goes at most half of this up or down. The walk then stands at the risk achieved under the new threshold,
        so a step up leads back to where it began unless it reaches the next risk that can be achieved.
    gap : float, default=0.001
        A risk that is known, and at most so far below a threshold, stands for it; LCC is not run.
    temperature : float, default=0.1
        How readily a worse score is accepted: step t does so with chance exp(loss · log(t + 1) / temperature).
    min_temperature : float, default=0.02
        The walk ends when temperature / log(t + 1) is no longer above this; by default after 147 steps.
    max_steps : int or None, default=None
        Steps at most.
    search : {"annealing", "sweep"}, default="annealing"
        Whether to walk, or to judge every set of features that LCC keeps under some threshold.
    keep : {"best", "current"}, default="best"
        Whether the best set met is chosen, or the one where the walk ends; a sweep always takes the best.
    estimator : classifier or None, default=None
        Any scikit-learn classifier, which sees the values as they came; None for a decision tree by information gain
        with two samples in a leaf at least, the nearest that scikit-learn has to C4.5.
    cv : int, splitter, list of (train, test) or None, default=10
        How scores are estimated: so many stratified folds (at most the size of the smallest class), or any splits.
    scoring : {"auc", "accuracy", "balanced-accuracy"} or callable, default="auc"
        "auc" is the area under the ROC curve over all test samples together, each class against the rest, weighted by
        its size. A scorer ``(estimator, X, y)`` is asked on every test part, and the mean counts. With no features,
        "auc" is 0.5 and accuracy that of always naming the largest class.
    measure : {"bayesian-risk", "conditional-entropy", "binary"} or callable, default="bayesian-risk"
        What the threshold is on. A function of the levels of a subset, of shape (n_samples, n_features), and of the
        class is asked for every subset; it must never fall as features go.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.
    random_state : int, Generator or None, default=0
        Seed of the folds and of the walk.
    n_jobs : int or None, default=None
        Parallel jobs for the folds of a set, or for the sets of a sweep, as in joblib; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, most relevant first.
    scores_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each chosen feature with the class; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        The same for every feature.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of relevance; the others share the rank behind.
    score_ : float
        Score of the classifier with the chosen features, cross-validated on the samples they were chosen on, and the
        best of many: expect less on new samples.
    trace_ : ndarray of shape (n_steps + 1,)
        The start and every step, with the fields ``proposed`` (threshold), ``risk`` (achieved), ``n_features``,
        ``score``, ``temperature`` and ``accepted``. In a sweep, every set, accepted if it was the best so far.
    risk_ : float
        What the chosen features leave undecided.
    risk_of_all_ : float
        What all features together leave undecided, which is the smallest threshold.
    delta_ : float
        The largest threshold, ``risk_of_all_`` included.
    limit_ : float
        ``delta_``, rounded down to whole samples where those are counted.
    contributions_ : ndarray of shape (n_features,)
        How much ``risk_`` would rise without each chosen feature; NaN for the others.
    n_lcc_runs_ : int
        How often LCC was run.
    n_sets_ : int
        Different sets judged.
    n_cache_hits_ : int
        Sets met again, whose score was known.
    n_evaluations_ : Evaluations
        ``subset`` counts the risks that LCC asked for, ``classifier`` the classifiers trained.

    Examples
    --------
    >>> from holdfast import SALCC
    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 0]] * 3
    >>> found = SALCC(discretizer=None, cv=3).fit(X, [0, 1, 1, 0, 0, 0, 1, 1] * 3)
    >>> found.indices_, found.score_
    (array([0, 1]), 1.0)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "delta_max": DELTA,
        "delta_mode": DELTA_MODE,
        "step": real_number(above=0.0),
        "gap": real_number(at_least=0.0),
        "temperature": real_number(above=0.0),
        "min_temperature": real_number(above=0.0),
        "max_steps": whole_number(at_least=1) | nothing(),
        "search": one_of("annealing", "sweep"),
        "keep": one_of("best", "current"),
        "estimator": CLASSIFIER,
        "cv": SPLITS,
        "scoring": SCORING,
        "measure": MEASURE,
        "discretizer": DISCRETIZER,
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        delta_max: float = 0.4,
        delta_mode: str = "relative",
        step: float = 0.1,
        gap: float = 0.001,
        temperature: float = 0.1,
        min_temperature: float = 0.02,
        max_steps: int | None = None,
        search: str = "annealing",
        keep: str = "best",
        estimator: Any = None,
        cv: Any = 10,
        scoring: Any = "auc",
        measure: Any = "bayesian-risk",
        discretizer: Any = "mdl",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.delta_max = delta_max
        self.delta_mode = delta_mode
        self.step = step
        self.gap = gap
        self.temperature = temperature
        self.min_temperature = min_temperature
        self.max_steps = max_steps
        self.search = search
        self.keep = keep
        self.estimator = estimator
        self.cv = cv
        self.scoring = scoring
        self.measure = measure
        self.discretizer = discretizer
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        subsets, relevance, precedence = self._prepared(problem)
        limit = self._limit(subsets, "delta_max")
        lcc = _LCC(subsets)
        folds, draws = generators(self.random_state, 2)
        judged = WrapperScore(
            np.ascontiguousarray(problem.given[:, lcc.pool], dtype=np.float64),
            self.classes_[problem.target],
            estimator=self.estimator,
            scoring=self.scoring,
            cv=self.cv,
            random_state=folds,
            n_jobs=self.n_jobs,
        )
        walk = self._walk(lcc, judged, max(limit.shown, lcc.low), draws)
        end = walk.best if self.keep == "best" else walk.current
        places = end.features[:n_select]
        score = end.score if places == end.features else judged.score(places)
        chosen = lcc.pool[list(places)]
        found = self._found(chosen, relevance, subsets, limit, lcc.n_evaluations, precedence.n_ties)
        return replace(
            found,
            evaluations=replace(found.evaluations, classifier=judged.n_trained),
            extra={
                **found.extra,
                "score_": score,
                "trace_": np.array(list(walk.steps), dtype=_TRACE),
                "n_lcc_runs_": walk.n_found,
                "n_sets_": judged.n_subsets,
                "n_cache_hits_": judged.n_cache_hits,
            },
        )

    def _walk(self, lcc: _LCC, judged: WrapperScore, high: float, draws: np.random.Generator) -> Walk:
        if self.search == "sweep":
            kept = sweep(lcc.find, lcc.low, high, lcc.resolution)
            return scored(kept, judged.scores(one.features for one in kept))
        return anneal(
            lcc.find,
            judged.score,
            lcc.low,
            high,
            step=self.step,
            gap=self.gap,
            temperature=self.temperature,
            min_temperature=self.min_temperature,
            max_steps=self.max_steps,
            rng=draws,
        )

    @property
    def _notes(self) -> list[str]:
        name = _SCORES[self.scoring] if isinstance(self.scoring, str) else "score"
        notes = [
            *super()._notes,
            f"The {name} of {self.score_:.4g} is cross-validated on the samples the features were chosen on and is the "
            "best of many: expect less on new samples. Hold samples back, or nest the selection in a Pipeline.",
        ]
        if self.search == "annealing" and self._n_met == 1:
            notes.append(
                f"The walk never left its start: no other set is within half a step (step={self.step:g}) of it. Raise "
                "step, or use search='sweep'."
            )
        return notes

    @property
    def _n_met(self) -> int:
        """Sets that were met: each achieves a risk of its own."""
        return len(np.unique(self.trace_["risk"]))

    @property
    def _details(self) -> dict[str, Any]:
        return {**super()._details, "score": self.score_}

    def _why_nothing(self) -> str:
        if not self.trace_["n_features"].any():
            return (
                f"at this binning all features leave as much undecided together as none (a {self._measure_words} of "
                f"{self.risk_:.4g}). Try discretizer='equal-frequency', or a ranking method such as 'f-test'."
            )
        if self.score_ < self.trace_["score"].max():
            return "the walk ended where LCC keeps nothing. Use keep='best', or a lower delta_max."
        return (
            f"the classifier does no better with any set of features tried ({self._n_met - 1}) than without features. "
            "Try another estimator, or a lower delta_max."
        )


class _LCC:
    """What LCC keeps under a threshold, as places among the features that can be kept, the most relevant first.

    Under the smallest threshold the least relevant features go at once; under a larger one they go as well.
    """

    def __init__(self, subsets: Any) -> None:
        self.pool: Array = subsets.best_columns()
        self.low = float(subsets.shown(subsets.value_of_all))
        self.resolution: float = subsets.resolution
        self.n_evaluations = 0
        self._subsets = subsets
        self._place = {int(column): place for place, column in enumerate(self.pool)}

    def find(self, threshold: float) -> tuple[Features, float]:
        """Places kept, ascending, and the risk they achieve."""
        found = self._subsets.binary(self._subsets.most_allowed(threshold))
        self.n_evaluations += found.n_evaluations
        return tuple(sorted(self._place[column] for column in found.kept)), float(self._subsets.shown(found.value))
