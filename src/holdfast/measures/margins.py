"""Margins: how much farther each feature puts a sample's nearest miss than its nearest hit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.margins import feature_margins, sample_margins
from holdfast.measures.neighbours import Distances, Space
from holdfast.measures.relief import nearest
from holdfast.prepare.ranks import sorted_blocks

Array = npt.NDArray[Any]

NEIGHBOURS = ("sample", "feature")
_COLUMNS = 256


@dataclass(frozen=True)
class Margins:
    """Margins of all samples in all features, given block by block because the whole table may not fit.

    Neighbours are sought over all features together ("sample") or in each feature by itself ("feature"). Samples
    equally near share the place. A sample alone in its class has no margin.
    """

    space: Space
    neighbours: str
    metric: str

    @property
    def samples(self) -> Array:
        """Samples that have margins: those not alone in their class."""
        return np.flatnonzero(np.bincount(self.space.target)[self.space.target] > 1)

    def blocks(self) -> Iterator[tuple[slice, Array]]:
        """Runs of features with the margins of all samples (samples × features of the run)."""
        space = self.space
        n_samples, n_features = space.X.shape
        if self.neighbours == "feature":
            classes = int(space.target.max()) + 1
            scratch = np.empty((3, max(n_samples, classes)))
            for run, columns, order in sorted_blocks(space.X):
                margins = np.empty((n_samples, len(columns)))
                feature_margins(columns, order, space.target, space.factor[run], scratch, margins)
                yield run, margins
            return
        starts, others, counts = self._listed
        margins = np.empty((n_samples, _COLUMNS))
        for first in range(0, n_features, _COLUMNS):
            last = min(first + _COLUMNS, n_features)
            sample_margins(space.X, first, last, starts, others, counts, space.factor, margins)
            yield slice(first, last), margins[:, : last - first]

    @cached_property
    def _listed(self) -> tuple[Array, Array, Array]:
        """The nearest hits and misses of every sample, and what they count."""
        target = self.space.target
        near = nearest(Distances.of(self.space, self.metric), target, 1, pooled=True)
        rows, others = np.nonzero(near)
        starts = np.searchsorted(rows, np.arange(len(target) + 1))
        counts = np.where(target[rows] == target[others], -1.0, 1.0) * near[rows, others]
        return starts, others, counts
