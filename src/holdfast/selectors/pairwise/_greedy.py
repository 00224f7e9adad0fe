"""What the greedy pairwise filters have in common: relevance to search by, and the form of their result."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.search.forward import Path
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Evaluations, Found, ranking_of

Array = npt.NDArray[Any]


def open_relevance(relevance: Array, is_constant: Array) -> Array:
    """Relevance to search by: a constant feature shares nothing with any other and must not profit from it."""
    return np.where(is_constant, -np.inf, relevance)


def found_on(path: Path, relevance: Array, precedence: Precedence, evaluations: Evaluations) -> Found:
    """The result of a search: merits for the chosen features, NaN for those never chosen."""
    scores = np.full(len(relevance), np.nan)
    scores[path.features] = path.merits
    return Found(
        path.features,
        scores,
        ranking_of(path.features, len(relevance)),
        evaluations,
        precedence.n_ties,
        {"relevance_": relevance},
    )
