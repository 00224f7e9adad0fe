"""Greedy forward search: add the feature of the best merit until enough are chosen or nothing helps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.kernels import lazy
from holdfast.search.ties import Precedence, best_tied

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Path:
    """The chosen features in order, and the merit each had when it was chosen."""

    features: Array
    merits: Array


class Candidates(Protocol):
    """What a forward search needs of its candidates."""

    def best(self) -> tuple[Array, float]:
        """Give the features of the best merit next to those taken so far, and that merit."""

    def take(self, feature: int) -> None:
        """Move a candidate to the chosen features."""


def forward(
    candidates: Candidates,
    precedence: Precedence,
    n_select: int,
    stops: Callable[[float, list[float]], bool],
    begun: tuple[list[int], list[float]] | None = None,
) -> Path:
    """Take the best candidate, ties settled by precedence, until ``n_select`` are taken or the rule stops.

    ``begun`` holds the features taken so far and their merits; it grows as the search goes on.
    """
    features, merits = ([], []) if begun is None else begun
    while len(features) < n_select:
        tied, merit = candidates.best()
        if len(tied) == 0 or stops(merit, merits):
            break
        feature = precedence.first(tied)
        candidates.take(feature)
        features.append(feature)
        merits.append(merit)
        report("Features chosen", len(features), n_select)
    return Path(np.array(features, dtype=np.int64), np.array(merits))


def never(merit: float, merits: list[float]) -> bool:
    """Go on to the asked number of features."""
    return False


def when_merit_stops_rising(merit: float, merits: list[float]) -> bool:
    """Stop before a feature that does not raise the merit, or at once when nothing has any."""
    best = merits[-1] if merits else 0.0
    return merit <= best + lazy.TIE * max(1.0, abs(best))


class ScoredCandidates:
    """Candidates whose merits are all known at every round; a subclass updates them when one is taken."""

    def __init__(self, relevance: Array) -> None:
        self.merits = relevance.astype(np.float64)
        self.is_open = np.ones(len(relevance), dtype=bool)

    def best(self) -> tuple[Array, float]:
        """Give the open features of the best merit, and that merit."""
        merits = np.where(self.is_open, self.merits, -np.inf)
        tied = best_tied(merits)
        tied = tied[self.is_open[tied]]
        return tied, float(merits.max())

    def take(self, feature: int) -> None:
        """Close a candidate and update the merits of the others."""
        self.is_open[feature] = False
        self.update(feature)

    def update(self, feature: int) -> None:
        """Set ``merits`` to what they are next to the chosen features and this new one."""
        raise NotImplementedError
