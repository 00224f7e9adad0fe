"""A ranking filter is a measure and a cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule
from holdfast.search.ties import HasRows, Precedence, tie_groups
from holdfast.selectors._base import COUNT_OR_SHARE, Evaluations, Found, Problem, Selector

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
        # Beyond the cut, features of the same score share the best rank among them.
        groups = tie_groups(relevance)
        ranking = (np.concatenate([[0], np.cumsum(np.bincount(groups))]) + 1)[groups]
        is_tied_across = ranking <= n_select
        ranking[is_tied_across] = n_select + 1
        ranking[chosen] = np.arange(1, n_select + 1)
        return Found(chosen, scores, ranking, Evaluations(relevance=n_features), precedence.n_ties)
