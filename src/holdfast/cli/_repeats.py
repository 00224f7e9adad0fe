"""Selections on resamples that stand behind a list: on half-samples, or a method's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.stability import Frequency, Stability

Array = npt.NDArray[Any]

HALVES = "half-samples"
_WORDS = {
    HALVES: "a random half of the samples",
    "complementary-pairs": "a random half of the samples",
    "bootstrap": "as many samples as there are, drawn with replacement",
    "subsample": "two thirds of the samples",
    "folds": "all folds of the samples but one",
    "leave-one-out": "all samples but one",
    "feature-noise": "all samples with noise on the values",
}


@dataclass(frozen=True)
class Repeats:
    """How often each feature was chosen, by how many selections on what, and how far these agree.

    Own ones are those a method joins; others repeat the whole method.
    """

    kind: str
    times: Array
    n_runs: int
    stability: Stability | None
    is_own: bool

    @classmethod
    def of(cls, kind: str, runs: Array, *, is_own: bool) -> Repeats:
        """From what each selection chose."""
        stability = Frequency(runs).stability if len(runs) > 1 else None
        if stability is not None and np.isnan(stability.value):
            stability = None
        return cls(kind, runs.sum(axis=0), len(runs), stability, is_own)

    @property
    def words(self) -> str:
        """What each selection saw."""
        return _WORDS.get(self.kind, "resamples of its own")

    @property
    def n_halves(self) -> int:
        """How many of them were on halves of the samples."""
        return self.n_runs if self.kind in (HALVES, "complementary-pairs") else 0


def repeats_behind(core: Any, n_features: int, on_halves: Callable[[], Array] | None) -> Repeats | None:
    """The repeats that a method made itself, or else those on half-samples, if they are wanted."""
    if hasattr(core, "frequency_"):
        kind = core.perturb if isinstance(core.perturb, str) else "own"
        return Repeats.of(kind, _own_runs(core, n_features), is_own=True)
    return None if on_halves is None else Repeats.of(HALVES, on_halves(), is_own=False)


def _own_runs(core: Any, n_features: int) -> Array:
    if hasattr(core, "runs_"):
        runs: Array = core.runs_
        return runs
    runs = np.zeros((len(core.lists_), n_features), dtype=bool)
    for run, columns in zip(runs, core.lists_, strict=True):
        run[columns] = True
    return runs
