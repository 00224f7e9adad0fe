"""What consistency methods share: features by relevance, a limit on what may stay undecided, the form of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._parameters import Rule, one_of, real_number
from holdfast.kernels.lazy import TIE
from holdfast.measures.consistency import COUNTED
from holdfast.measures.information import symmetrical_uncertainty
from holdfast.search.called import CalledSubsets
from holdfast.search.counted import CountedSubsets
from holdfast.search.removal import Removal
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors._codes import codes_and_target

Array = npt.NDArray[Any]

DELTA = real_number(at_least=0.0)
DELTA_MODE = one_of("relative", "absolute")
MEASURE = one_of(*COUNTED) | Rule(
    lambda value: callable(value) and not isinstance(value, type), "a function of (levels, y)", (object(),)
)
_WORDS = {
    "bayesian-risk": "Bayesian risk",
    "conditional-entropy": "conditional entropy",
    "binary": "inconsistency (0 or 1)",
}


@dataclass(frozen=True)
class Limit:
    """The largest value allowed, the threshold before it was rounded down to it, and the same as the user reads it."""

    value: Any
    delta: float
    shown: float


class ConsistencySelector(Selector):
    """Base of the methods that take features away while the rest still determine the class well enough."""

    _score_means = "symmetrical uncertainty with the class"
    _counted: ClassVar[type[CountedSubsets]] = CountedSubsets
    _called: ClassVar[type[CalledSubsets]] = CalledSubsets

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        subsets, relevance, precedence = self._prepared(problem)
        limit = self._limit(subsets)
        found = self._search(subsets, limit)
        chosen = np.array(found.kept[::-1], dtype=np.int64)[:n_select]
        return self._found(chosen, relevance, subsets, limit, found.n_evaluations, precedence.n_ties)

    def _prepared(self, problem: Problem) -> tuple[Any, Array, Precedence]:
        """Subsets to ask for, the relevance of every feature, and who goes first among the tied."""
        codes, target = codes_and_target(problem, self.discretizer)
        relevance = symmetrical_uncertainty(codes, target)
        precedence = problem.precedence(relevance)
        kind: Any = self._called if callable(self.measure) else self._counted
        return kind(codes, target, relevance, precedence, self.measure), relevance, precedence

    def _search(self, subsets: Any, limit: Limit) -> Removal:
        raise NotImplementedError

    def _limit(self, subsets: Any, parameter: str = "delta") -> Limit:
        """What ``delta`` allows; refuses what not even all features reach."""
        scale, least = subsets.scale, subsets.value_of_all
        shown = subsets.shown(least)
        delta = getattr(self, parameter)
        rounded = self._rounded(subsets, parameter)
        if self.delta_mode == "relative":
            return Limit(rounded + least, delta * scale + least, delta + shown)
        if least > rounded + subsets.slack:
            pass_it = "" if self.measure == "binary" else f"{parameter}={shown!r} or more, or "
            keep_apart = "; or keep more values apart with another discretizer, such as 'equal-frequency'"
            raise DataError(
                f"{parameter}={delta:g} cannot be met: the {self._measure_words} of all {subsets.n_features} features "
                f"together is {shown!r}, so that is the smallest possible. Pass {pass_it}delta_mode='relative', which "
                f"adds {parameter} to it{'' if self.discretizer is None else keep_apart}."
            )
        return Limit(rounded, delta * scale, delta)

    def _rounded(self, subsets: Any, parameter: str = "delta") -> Any:
        """The largest value that ``delta`` itself allows."""
        delta = getattr(self, parameter)
        if delta >= 1.0 and isinstance(self.measure, str) and self.measure != "conditional-entropy":
            raise ValueError(
                f"{parameter}={delta!r} is not allowed for {type(self).__name__}: it is a share of the "
                "samples, a number of at least 0 and below 1, such as 0.01."
            )
        return subsets.most_allowed(delta)

    def _found(
        self, chosen: Array, relevance: Array, subsets: Any, limit: Limit, n_evaluations: int, n_ties: int
    ) -> Found:
        n_features = len(relevance)
        value, losses = subsets.contributions(chosen)
        scores, contributions = np.full(n_features, np.nan), np.full(n_features, np.nan)
        scores[chosen] = relevance[chosen]
        contributions[chosen] = subsets.shown(losses)
        return Found(
            chosen,
            scores,
            ranking_of(chosen, n_features),
            Evaluations(relevance=n_features, subset=n_evaluations),
            n_ties,
            {
                "relevance_": relevance,
                "risk_": float(subsets.shown(value)),
                "risk_of_all_": float(subsets.shown(subsets.value_of_all)),
                "delta_": float(limit.shown),
                "limit_": float(subsets.shown(limit.value)),
                "contributions_": contributions,
            },
        )

    @property
    def _measure_words(self) -> str:
        return _WORDS.get(self.measure, "value") if isinstance(self.measure, str) else "value"

    @property
    def _notes(self) -> list[str]:
        return [
            f"The {self._measure_words} of the chosen features is {self.risk_:.4g}; that of all "
            f"{self.n_features_in_:,} together is {self.risk_of_all_:.4g}, and {self._allowance}."
        ]

    @property
    def _allowance(self) -> str:
        broken = ": the limit on the number of features broke this one" if self.risk_ > self.limit_ + TIE else ""
        return f"up to {self.limit_:.4g} was allowed{self._rounding}{broken}"

    @property
    def _rounding(self) -> str:
        """That only whole samples can be left undecided, where it matters."""
        return f" (delta {self.delta_:.4g}, in whole samples)" if self.limit_ < self.delta_ - TIE else ""

    @property
    def _details(self) -> dict[str, Any]:
        return {"risk": self.risk_, "risk_of_all": self.risk_of_all_, "delta": self.delta_, "limit": self.limit_}

    def _why_nothing(self) -> str:
        if self.risk_of_all_ < self.risk_ - TIE:
            return (
                f"without any feature the {self._measure_words} is {self.risk_:.4g}, and up to {self.limit_:.4g} is "
                f"allowed. Lower delta: all features together come to {self.risk_of_all_:.4g}."
            )
        return (
            "all of them together tell no more about y than none at this binning. Try discretizer='equal-frequency', "
            "or a ranking method such as 'f-test'."
        )
