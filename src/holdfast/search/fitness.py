"""What sets of features are worth to a search that may be stopped: the best of them is kept whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE

Array = npt.NDArray[Any]


class OutOfTime(Exception):
    """The time that was allowed is over."""


def slack_of(value: float) -> float:
    """What two values of this size may differ by and still be equal."""
    return TIE * max(1.0, abs(value)) if np.isfinite(value) else 0.0


class Fitness:
    """Asks a judge about sets, in parts small enough to look at the clock in between.

    Parameters
    ----------
    judge : callable
        From a list of sets (places, ascending) to their values.
    prefer_smaller : bool
        Whether of two sets of one value the smaller one is better.
    deadline : float or None
        Time, by ``time.monotonic``, after which nothing more is asked.
    at_once : int
        Sets asked for between two looks at the clock.
    """

    def __init__(
        self,
        judge: Callable[[list[Array]], Sequence[float]],
        *,
        prefer_smaller: bool = False,
        deadline: float | None = None,
        at_once: int = 128,
    ) -> None:
        self._judge = judge
        self._prefer_smaller = prefer_smaller
        self._deadline = deadline
        self._at_once = at_once
        self.best: Array | None = None
        self.best_value = -np.inf
        self.n_requests = 0

    def __call__(self, sets: Sequence[Array]) -> Array:
        """Value of every set."""
        values: list[float] = []
        for first in range(0, len(sets), self._at_once):
            if self._deadline is not None and self.best is not None and time.monotonic() > self._deadline:
                raise OutOfTime
            some = list(sets[first : first + self._at_once])
            found = self._judge(some)
            self.n_requests += len(some)
            for one, value in zip(some, found, strict=True):
                if self.best is None or self.is_better(value, len(one), self.best_value, len(self.best)):
                    self.best, self.best_value = one, float(value)
            values.extend(found)
        return np.array(values, dtype=np.float64)

    def is_better(self, value: float, size: int, than: float, than_size: int) -> bool:
        """Whether a set is better than another."""
        slack = slack_of(than)
        return value > than + slack or (self._prefer_smaller and value >= than - slack and size < than_size)
