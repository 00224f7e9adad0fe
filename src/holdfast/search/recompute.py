"""Forward candidates whose subset merit is computed from scratch for every candidate and round."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels import information
from holdfast.kernels.subset import subset_merits
from holdfast.prepare.codes import Codes
from holdfast.search.forward import ScoredCandidates

Array = npt.NDArray[Any]


class RecomputingCandidates(ScoredCandidates):
    """The original CFS, which recomputes all relevances and pairs of a subset to give it a merit."""

    def __init__(self, codes: Codes, target: Codes, relevance: Array) -> None:
        super().__init__(relevance)
        self.codes = codes
        self.target = target
        self.is_varying = np.isfinite(relevance)
        self.chosen: list[int] = []
        self.n_relevances = 0
        self.n_pairs = 0
        self.n_subsets = 0

    def best(self) -> tuple[Array, float]:
        """Give the open features of the best merit, and that merit."""
        candidates = np.flatnonzero(self.is_open)
        size = len(self.chosen) + 1
        self.n_subsets += len(candidates)
        self.n_relevances += len(candidates) * size
        self.n_pairs += len(candidates) * size * (size - 1) // 2
        table, unit = information.log_table(self.codes.n_samples)
        merits = np.empty(len(candidates))
        other = self.target
        if self.codes.levels.size and not other.levels.size:
            other = Codes.of(other.as_bytes(), other.n_levels)
        subset_merits(
            *self.codes.arrays, self.codes.margins, *other.arrays, other.margins[0],
            np.array([*self.chosen, 0], dtype=np.int64), candidates, table, unit, information.joint_scratch(), merits,
        )  # fmt: skip
        self.merits[candidates] = np.where(self.is_varying[candidates], merits, -np.inf)
        return super().best()

    def update(self, feature: int) -> None:
        """Remember the pick."""
        self.chosen.append(feature)
