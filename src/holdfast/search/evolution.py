"""A population of sets under way: the best so far, the way there, and when it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._progress import report
from holdfast.search.fitness import Fitness, slack_of

Array = npt.NDArray[Any]

HISTORY = np.dtype([
    ("cycle", np.int64), ("best", np.float64), ("mean", np.float64), ("n_features", np.int64),
    ("n_requests", np.int64), ("n_evaluations", np.int64), ("n_renewed", np.int64),
])  # fmt: skip
TRACE = np.dtype([
    ("cycle", np.int64), ("phase", "U8"), ("fitness", np.float64), ("n_features", np.int64),
    ("n_requests", np.int64), ("n_evaluations", np.int64),
])  # fmt: skip


def listed(sets: Array) -> list[Array]:
    """The features of each set, ascending."""
    return [np.flatnonzero(one) for one in sets]


@dataclass(frozen=True)
class Ending:
    """When a search ends: after so many rounds, at this fitness, or when the best stays as it is for so many rounds."""

    n_rounds: int
    target: float | None = None
    patience: int | None = None


class Evolution:
    """A population under way: its sets, the best so far (the queen), and the way there.

    Whoever catches an interruption finds the state as it was; ``ended`` says why a search ended by itself.
    """

    def __init__(
        self,
        fitness: Fitness,
        n_pool: int,
        max_features: int,
        ending: Ending,
        rng: np.random.Generator,
        n_evaluations: Callable[[], int],
    ) -> None:
        self.fitness = fitness
        self.n_pool = n_pool
        self.max_features = min(max_features, n_pool)
        self.ending = ending
        self.rng = rng
        self.sets = np.zeros((0, n_pool), dtype=bool)
        self.values = np.zeros(0)
        self.queen = np.zeros(n_pool, dtype=bool)
        self.queen_value = -np.inf
        self.queens: list[Array] = []
        self.trace: list[tuple[Any, ...]] = []
        self.history: list[tuple[Any, ...]] = []
        self.ended = ""
        self._n_evaluations = n_evaluations
        self._crowned_in = 0

    def run(self, manner: Any) -> None:
        """Search until the stopping rule ends it."""
        raise NotImplementedError

    def crown(self, sets: Array, values: Array, cycle: int, phase: str) -> None:
        """Make the best of some sets the queen, if it is better."""
        if len(values) == 0:
            return
        best = 0
        for i in range(1, len(values)):
            if self.fitness.is_better(values[i], sets[i].sum(), values[best], sets[best].sum()):
                best = i
        if not self.fitness.is_better(values[best], sets[best].sum(), self.queen_value, self.queen.sum()):
            return
        self.queen, self.queen_value, self._crowned_in = sets[best].copy(), float(values[best]), cycle
        self.queens.append(self.queen)
        counts = self.fitness.n_requests, self._n_evaluations()
        self.trace.append((cycle, phase, self.queen_value, int(self.queen.sum()), *counts))

    def is_over(self, cycle: int, what: str, n_renewed: int = 0) -> bool:
        """Write the round down, and say whether it was the last."""
        counts = self.fitness.n_requests, self._n_evaluations()
        mean = float(self.values.mean())
        self.history.append((cycle, self.queen_value, mean, int(self.queen.sum()), *counts, n_renewed))
        report(f"{what}, best inner fitness {self.queen_value:.4g}", cycle, self.ending.n_rounds)
        target, patience = self.ending.target, self.ending.patience
        if target is not None and self.queen_value >= target - slack_of(target):
            self.ended = "target_fitness"
        elif patience is not None and cycle - self._crowned_in >= patience:
            self.ended = "patience"
        elif cycle >= self.ending.n_rounds:
            self.ended = "rounds"
        return bool(self.ended)
