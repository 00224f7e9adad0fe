"""What DCORFS and its distributed form share: which features take part, and the form of what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import nothing, one_of, real_number
from holdfast.measures._distances import KINDS, NUMBERS, Distances, check_fewest
from holdfast.measures._folds import draw_folds, sample_order
from holdfast.prepare.scaling import Ranges
from holdfast.search.elimination import ordered_by_loss
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors.distance._judge import Measuring, SetJudge, is_classifier

Array = npt.NDArray[Any]

KIND = one_of(*KINDS)
# The test is valid up to a significance of 0.215 (Székely, Rizzo and Bakirov 2007, Theorem 6).
CONFIDENCE = real_number(at_least=0.785, below=1.0) | nothing()


@dataclass(frozen=True)
class Field:
    """Features that take part, in an order of their own, and how they and their sets are judged."""

    pool: Array
    relevance: Array
    precedence: Precedence
    measuring: Measuring
    target: Array
    labels: Array

    def names_for_ties(self, places: Array) -> Array:
        """Names of some features of the pool, by their places in it; stand-ins in its order where there are none."""
        if self.precedence.names is not None:
            return self.precedence.names[self.pool[places]]
        return np.array([f"{place:09d}" for place in places], dtype=object)

    def judge(self, X: Array) -> SetJudge:
        """Judge of sets of the columns of X."""
        return self.measuring.judge(X, self.target, self.labels)


class DistanceSelector(Selector):
    """Base of selectors that look for the set of features of the largest distance correlation."""

    measure: Any
    index: str
    scale: str
    confidence: float | None
    y_is: str
    scoring: Any
    cv: Any
    n_jobs: int | None
    value_of_nothing: float

    @property
    def _takes(self) -> str:  # type: ignore[override]
        return "measures" if self.y_is == NUMBERS else "classes"

    @property
    def _score_means(self) -> str:
        what = "the distance correlation" if self.measure == "dcor" else "the value"
        return f"what {what} of the set lost when the feature went, each time the one of the least loss"

    @property
    def _details(self) -> dict[str, Any]:
        return {"value": self.value_, "screened_out": self.n_screened_out_}

    def _field(self, problem: Problem, folds: Any) -> Field:
        """Features that vary and give a sign of dependence, most relevant first."""
        is_measured = self.y_is == NUMBERS
        target = problem.measured_target if is_measured else problem.target
        if target is None:
            raise DataError("y is missing; distance correlation needs a target.")
        if is_measured and is_classifier(self.measure):
            raise ValueError("measure is a classifier, but y_is='numbers'. Pass a function (X, y) -> number instead.")
        check_fewest(len(target), self.index)
        relevance, dependence = Distances(target, self.y_is).each_with_dependence(problem.X, self.index)
        precedence = problem.precedence(relevance)
        if self.confidence is None:
            candidates = np.arange(problem.n_features)
        else:
            candidates = np.flatnonzero(dependence.p_value < 1.0 - self.confidence)
        # Looked at in place: a copy of the candidates may be as large as the table.
        candidates = candidates[Ranges.of(problem.X).width[candidates] > 0]
        pool = (
            precedence.sort_some(candidates, relevance[candidates], len(candidates)) if len(candidates) else candidates
        )
        labels = target if is_measured else self.classes_[problem.target]
        measuring = Measuring(
            self.measure, self.index, self.scale, self.scoring, None, self.y_is, self.n_jobs, self.value_of_nothing
        )  # fmt: skip
        if is_classifier(self.measure) and len(pool):
            measuring = _with_splits(measuring, problem.X[:, pool], labels, self.cv, folds)
        return Field(pool, relevance, precedence, measuring, target, labels)

    def _found(
        self,
        problem: Problem,
        field: Field,
        judge: SetJudge,
        columns: Array,
        kept: Array,
        extra: dict[str, Any],
        spent: Evaluations | None = None,
        n_cache_hits: int = 0,
    ) -> Found:
        """The result: of the columns that the judge knows those ``kept``, in order; others may have spent something."""
        spent = Evaluations() if spent is None else spent
        n_select = self._n_select(problem.n_features)
        order, losses = ordered_by_loss(judge, kept, columns, field.precedence)
        order = order[:n_select]
        indices = columns[order]
        scores = np.full(problem.n_features, np.nan)
        scores[indices] = losses[: len(indices)]
        value = judge.of(order)
        return Found(
            indices,
            scores,
            ranking_of(indices, problem.n_features),
            Evaluations(
                relevance=problem.n_features + spent.relevance,
                pair=spent.pair,
                subset=judge.n_subsets + spent.subset,
                classifier=judge.n_trained + spent.classifier,
            ),
            field.precedence.n_ties,
            {
                "value_": value,
                "relevance_": field.relevance,
                "n_screened_out_": problem.n_features - len(field.pool),
                "n_cache_hits_": judge.n_cache_hits + n_cache_hits,
                **extra,
            },
        )

    def _why_nothing(self) -> str:
        if self.n_screened_out_ == self.n_features_in_:
            if self.confidence is None:
                return "none of them varies."
            return (
                f"none passed the test of dependence on y at confidence={self.confidence:g}. Lower it (0.8), or "
                "pass None to search among all features."
            )
        return self._why_none_kept()

    def _why_none_kept(self) -> str:
        raise NotImplementedError


def _with_splits(measuring: Measuring, X: Array, labels: Array, cv: Any, folds: Any) -> Measuring:
    """Splits drawn once, as rows."""
    _, codes = np.unique(labels, return_inverse=True)
    order = sample_order(X, codes)
    splits = [(order[train], order[test]) for train, test in draw_folds(X, labels, order, cv, folds)]
    return replace(measuring, cv=splits)
