"""Subsets of features judged once each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from holdfast._progress import report

Array = npt.NDArray[Any]
Verdict = TypeVar("Verdict")
_REPORTED = 128


class CachedSubsets(Generic[Verdict]):
    """What was said of which subset, and how often it was asked; without memory each is judged whenever it comes."""

    def __init__(self, n_splits: int, *, remembers: bool = True) -> None:
        self._n_splits = n_splits
        self._remembers = remembers
        self._verdict_of: dict[bytes, Verdict] = {}
        self.n_requests = 0
        self.n_cache_hits = 0
        self.n_trained = 0

    @property
    def n_subsets(self) -> int:
        """Subsets judged, each counted once."""
        return self.n_requests - self.n_cache_hits

    def _verdicts(
        self, subsets: Iterable[Iterable[int]], judge: Callable[[list[Array]], Iterable[Verdict]]
    ) -> list[Verdict]:
        """The verdict on each subset, ``judge`` being asked about new ones only, their features ascending."""
        sets = [np.unique(np.array(list(subset), dtype=np.int64)) for subset in subsets]
        if not self._remembers:
            self._count(len(sets), len(sets), sum(len(features) > 0 for features in sets))
            return list(judge(sets)) if sets else []
        keys = [features.tobytes() for features in sets]
        new = {key: features for key, features in zip(keys, sets, strict=True) if key not in self._verdict_of}
        for first in range(0, len(new), _REPORTED):
            some = list(new)[first : first + _REPORTED]
            self._verdict_of.update(zip(some, judge([new[key] for key in some]), strict=True))
            if len(new) > _REPORTED:
                report("Subsets judged", first + len(some), len(new))
        self._count(len(keys), len(new), sum(len(features) > 0 for features in new.values()))
        return [self._verdict_of[key] for key in keys]

    def _count(self, n_asked: int, n_new: int, n_fitted: int) -> None:
        """Count subsets asked for, those judged, and those that classifiers were trained for."""
        self.n_requests += n_asked
        self.n_cache_hits += n_asked - n_new
        self.n_trained += n_fitted * self._n_splits
