"""A ranking filter is a measure and a cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy.typing as npt

from holdfast._parameters import Rule
from holdfast.search.ties import HasRows, Precedence
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, Selector, ranking_by

Array = npt.NDArray[Any]


class Ranker(Selector):
    """Keep the features of the best scores; a subclass computes them."""

    allowed: ClassVar[Mapping[str, Rule]] = {"n_features_to_select": COUNT_OR_SHARE}
    _smaller_is_better: ClassVar[bool] = False

    def _score(self, problem: Problem) -> Array:
        raise NotImplementedError

    def _choose(self, problem: Problem) -> Found:
        self._n_select(problem.n_features)
        return self.rank(self._score(problem), problem, problem.target, problem.names)

    def rank(self, scores: Array, data: HasRows, target: Array, names: Array | None) -> Found:
        """Cut a ranking by scores; the samples settle ties."""
        n_features = len(scores)
        n_select = self._n_select(n_features)
        relevance = -scores if self._smaller_is_better else scores
        precedence = Precedence(data, target, relevance, names)
        chosen = precedence.sort(relevance, n_select)
        return Found(
            chosen, scores, ranking_by(relevance, chosen), Evaluations(relevance=n_features), precedence.n_ties
        )
