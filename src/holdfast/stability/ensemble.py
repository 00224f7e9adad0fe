"""Ensembles of selectors: lists from resamples or from several methods, joined (Ben Brahim 2015, chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, seed, whole_number, yes_or_no
from holdfast._progress import report
from holdfast._random import generators
from holdfast.search.ties import Precedence
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector, ranking_by
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS, cross_validation
from holdfast.stability._doubt import doubt_about, drawn_for, smallest_class
from holdfast.stability._draw import PERTURB
from holdfast.stability._members import RepeatedSelector, names_for_ties
from holdfast.stability._repeat import SELECTORS, Chosen, label_of, lists
from holdfast.stability.aggregate import RULES, combine, score_means
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]

_NEEDS_ERRORS = ("caa", "raa")
_HAS_NO_COMPLETE_FORM = ("caa", "raa", "gaa-spearman", "gaa-kendall", "ofa", "intersection")


class EnsembleSelector(RepeatedSelector):
    """Let several selections vote: one method on many resamples, several methods, or both.

    Use it for a list that hangs less on which samples happened to be measured, or on the choice of one method.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to keep, or which share of them, fewer if the lists hold fewer; None keeps as many as the
        longest list holds.
    selector : str, estimator or list of these, default="relieff"
        A method's name, a selector, a Pipeline that ends in one, or several of them.
    perturb : str, splitter, function, list or None, default="bootstrap"
        What each run sees: "bootstrap", "half-samples", "complementary-pairs", "subsample", "folds",
        "leave-one-out" or "feature-noise"; a splitter, whose training parts are taken; a function of (target, n_runs,
        random_state); lists of rows; or None, with which every selector sees all samples once.
    n_runs : int, default=40
        Resamples for each selector.
    rule : str, default="cla"
        How lists become one: "cla" (sum of ranks), "borda", "median", "exponential" (sum of exp(-rank / list size)),
        "wma" (mean weight), "wra" (weights over ranks), "ofa" (how many lists), "intersection" (in all lists),
        "rra" (robust ranks), "gaa-spearman" and "gaa-kendall" (genetic search for the nearest list), "caa" (accuracy
        of the lists) or "raa" (reliability).
    list_size : int, float or None, default=None
        How many features each list holds; None is as many as are kept in the end.
    complete_ranks : bool, default=False
        Whether rules of ranks count the rank of every feature, as the selector gives it, instead of one shared rank
        behind the list.
    estimator : classifier or None, default=None
        Classifier whose errors "caa" and "raa" count; None is the nearest neighbour.
    cv : int, splitter, list or None, default=None
        Its cross-validation; None has 10 parts.
    random_state : int, Generator or None, default=0
        Seed of all draws; run i depends on it and on i only.
    n_jobs : int or None, default=None
        Parallel threads; no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        What the rule gives each feature (sums of ranks are better the smaller they are); NaN for a feature that no
        list holds.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 = best; beyond the cut equal scores share a rank.
    frequency_ : ndarray of shape (n_features,)
        Share of the lists that hold each feature.
    stability_ : float
        How far the lists agree beyond chance (Nogueira), 1 for identical ones; NaN for a single list.
    stability_interval_ : tuple of float
        95 % interval of it.
    lists_ : list of ndarray
        Columns of every list, best first.
    members_ : list of str
        Which selector gave each list.
    errors_ : ndarray of shape (n_lists,)
        Share of samples misclassified with the features of each list; "caa" and "raa" only.
    listed_ : ndarray of shape (n_listed,)
        Columns that any list holds: those of what a rule exposes, such as ``confidence_``, ``conflict_`` and
        ``reliability_`` (lists × these columns) of "raa" or ``p_values_`` of "rra".

    Examples
    --------
    >>> from holdfast import EnsembleSelector
    >>> from holdfast.data import copies
    >>> made = copies(n_samples=60, n_features=30, n_relevant=2, n_copies=2, random_state=0)
    >>> found = EnsembleSelector(6, selector=["relieff", "t-test"], n_runs=5, rule="raa").fit(made.X, made.y)
    >>> len(found.lists_), round(found.stability_, 2)
    (10, 0.34)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "selector": SELECTORS,
        "perturb": PERTURB | nothing(),
        "n_runs": whole_number(at_least=1),
        "rule": one_of(*RULES),
        "list_size": COUNT_SHARE_OR_NONE,
        "complete_ranks": yes_or_no(),
        "estimator": CLASSIFIER,
        "cv": SPLITS,
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        selector: Any = "relieff",
        perturb: Any = "bootstrap",
        n_runs: int = 40,
        rule: str = "cla",
        list_size: int | float | None = None,
        complete_ranks: bool = False,
        estimator: Any = None,
        cv: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selector = selector
        self.perturb = perturb
        self.n_runs = n_runs
        self.rule = rule
        self.list_size = list_size
        self.complete_ranks = complete_ranks
        self.estimator = estimator
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _score_means(self) -> str:
        return score_means(self.rule)

    def _choose(self, problem: Problem) -> Found:
        self._require_ranks()
        draws, splits, search = generators(self.random_state, 3)
        drawn = [np.arange(len(problem.target))]
        if self.perturb is not None:
            drawn = drawn_for(self.perturb, problem, self.n_runs, draws, self._groups)
        chosen, labels = self._lists(problem, drawn)
        n_select = max(len(one.indices) for one in chosen)
        if self.n_features_to_select is not None:
            n_select = self._n_select(problem.n_features)
        doubt = doubt_about([one.indices for one in chosen], problem.n_features)
        union = _union(chosen, problem, np.asarray(doubt["frequency_"]))
        is_complete = self.complete_ranks and self.rule not in _HAS_NO_COMPLETE_FORM
        features = np.arange(problem.n_features) if is_complete else union
        gathered = _gathered(chosen, features, problem.n_features, is_complete=is_complete)
        extra: dict[str, Any] = {**doubt, "lists_": [one.indices for one in chosen], "members_": labels}
        extra["_smallest_class"] = smallest_class(problem, drawn)
        n_trained = 0
        if self.rule in _NEEDS_ERRORS:
            gathered, n_trained = self._with_errors(gathered, problem, splits)
            extra["errors_"] = gathered.errors
        options = {"n_samples": len(problem.target)} if self.rule == "raa" else {}
        joined = combine(gathered, self.rule, random_state=search, **options)
        scores = np.full(problem.n_features, np.nan)
        scores[gathered.features] = joined.scores
        indices, ranking, n_ties = _cut(joined, gathered.features, problem, n_select)
        if not is_complete:
            extra["listed_"] = gathered.features
        evaluations = Evaluations(
            relevance=problem.n_features * len(chosen), subset=len(chosen) if n_trained else 0, classifier=n_trained
        )
        return Found(indices, scores, ranking, evaluations, n_ties, {**extra, **joined.extra})

    def _require_ranks(self) -> None:
        """Refuse complete ranks where there are none, or where they change nothing."""
        if not self.complete_ranks:
            return
        if self.rule in _HAS_NO_COMPLETE_FORM:
            raise ValueError(
                f"complete_ranks=True changes nothing for rule={self.rule!r}, which counts lists. Leave it out, or "
                "take a rule of ranks such as 'cla'."
            )
        for member in self.members():
            if not isinstance(member, Selector):
                raise ValueError(
                    f"complete_ranks=True needs a rank for every feature, which {label_of(member)} does not give. "
                    "Leave it out; features outside a list then share the rank behind it."
                )

    def _why_nothing(self) -> str:
        if self.rule == "intersection":
            return "no feature is in all lists. Take a rule such as 'ofa', or longer lists (list_size=)."
        return "the lists are all empty. Try another selector, or a ranking method such as 'f-test'."

    def _lists(self, problem: Problem, drawn: list[Any]) -> tuple[list[Chosen], list[str]]:
        """What every selector chooses from every resample, selector after selector."""
        given = self.selector if isinstance(self.selector, (list, tuple)) else [self.selector]
        X, y = self.samples(problem)
        tie_names = names_for_ties(problem)
        found: list[Chosen] = []
        total = len(given) * len(drawn)
        self._require_one_kind(problem)
        for member in self.fitting_members(problem.n_features):
            tick = partial(_report, len(found), total)
            found += lists(
                member, X, y, drawn, complete=self.complete_ranks, tie_names=tie_names, n_jobs=self.n_jobs, tick=tick
            )
        return found, [label_of(one) for one in given for _ in drawn]

    def _with_errors(self, gathered: Lists, problem: Problem, splits: Any) -> tuple[Lists, int]:
        """Lists with the error of a classifier on each, by cross-validation on the training data."""
        if self._takes != "classes":
            raise ValueError(
                f"rule={self.rule!r} counts errors of a classifier, but the selectors take no classes. Use 'cla'."
            )
        validation = cross_validation(self, problem, gathered.features, splits)
        held = [np.flatnonzero(is_listed) for is_listed in gathered.is_listed]
        # Without features there is nothing but to guess the largest class.
        errors = np.full(len(held), 1.0 - np.bincount(problem.target).max() / len(problem.target))
        is_empty = np.array([len(columns) == 0 for columns in held])
        if not is_empty.all():
            errors[~is_empty] = validation.errors([columns for columns in held if len(columns)])
        with_errors = Lists(
            gathered.features, gathered.ranks, gathered.weights, gathered.is_listed, gathered.list_size,
            gathered.n_features, errors,
        )  # fmt: skip
        return with_errors, validation.n_trained


def _report(before: int, total: int, done: int) -> None:
    report("Lists", before + done, total)


def _union(chosen: list[Chosen], problem: Problem, frequency: Array) -> Array:
    """Features that any list holds, in an order of their own: by how many lists hold them, ties settled by content."""
    columns = np.flatnonzero(frequency)
    precedence = Precedence(problem, problem.target, frequency, problem.names)
    return precedence.sort_some(columns, frequency[columns], len(columns)) if len(columns) else columns


def _gathered(chosen: list[Chosen], features: Array, n_features: int, *, is_complete: bool) -> Lists:
    """Ranks and weights side by side; a feature outside a list has the rank behind it and no weight."""
    size = max(len(one.indices) for one in chosen)
    place_of = np.full(n_features, -1)
    place_of[features] = np.arange(len(features))
    ranks = np.full((len(chosen), len(features)), float(size + 1))
    weights = np.zeros(ranks.shape)
    is_listed = np.zeros(ranks.shape, dtype=bool)
    for number, one in enumerate(chosen):
        own = place_of[one.indices]
        if is_complete and one.ranking is not None:
            ranks[number] = one.ranking[features]
        else:
            ranks[number, own] = one.places
        weights[number, own] = one.weights
        is_listed[number, own] = True
    return Lists(features, ranks, weights, is_listed, size, n_features)


def _cut(joined: Any, features: Array, problem: Problem, n_select: int) -> tuple[Array, Array, int]:
    """The best features in order, a rank for every feature, and how many ties there were."""
    value = np.full(problem.n_features, -np.inf)
    second = np.full(problem.n_features, -np.inf)
    value[features] = -joined.scores if joined.smaller_is_better else joined.scores
    second[features] = joined.second
    open_ones = features[joined.is_kept]
    precedence = Precedence(problem, problem.target, second, problem.names)
    n_select = min(n_select, len(open_ones))
    chosen = precedence.sort_some(open_ones, value[open_ones], n_select) if n_select else np.zeros(0, dtype=np.int64)
    return chosen, ranking_by(value, chosen), precedence.n_ties
