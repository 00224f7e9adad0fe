"""What sets of features are worth to a search that may be stopped: the best of them is kept whatever happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE

Array = npt.NDArray[Any]

# Seconds that a part may take, and sets that it may hold: so much is lost at most when the user stops the search.
_SECONDS = 0.2
_MOST = 128


class OutOfTime(Exception):
    """The time that was allowed is over."""


def slack_of(value: float) -> float:
    """What two values of this size may differ by and still be equal."""
    return TIE * max(1.0, abs(value)) if np.isfinite(value) else 0.0


class Fitness:
    """Asks a judge about sets, in parts: the clock is looked at in between, and the best of those done is kept.

    The first part is one set; how long it took says how many the next one holds.

    Parameters
    ----------
    judge : callable
        From a list of sets (places, ascending) to their values.
    prefer_smaller : bool
        Whether of two sets of one value the smaller one is better.
    deadline : float or None
        Time, by ``time.monotonic``, after which nothing more is asked, except for the very first set.
    n_judged : callable or None
        How many sets the judge has judged so far, if it looks some of them up, which takes no time.
    """

    def __init__(
        self,
        judge: Callable[[list[Array]], Sequence[float]],
        *,
        prefer_smaller: bool = False,
        deadline: float | None = None,
        n_judged: Callable[[], int] | None = None,
    ) -> None:
        self._judge = judge
        self._prefer_smaller = prefer_smaller
        self._deadline = deadline
        self._n_judged = n_judged
        self._at_once = 1
        self.best: Array | None = None
        self.best_value = -np.inf
        self.n_requests = 0

    def __call__(self, sets: Sequence[Array]) -> Array:
        """Value of every set."""
        values: list[float] = []
        start = time.monotonic()
        while len(values) < len(sets):
            if self._deadline is not None and self.best is not None and start > self._deadline:
                raise OutOfTime
            some = list(sets[len(values) : len(values) + self._at_once])
            before = 0 if self._n_judged is None else self._n_judged()
            found = self._judge(some)
            n_judged = len(some) if self._n_judged is None else self._n_judged() - before
            self.n_requests += len(some)
            for one, value in zip(some, found, strict=True):
                if self.best is None or self.is_better(value, len(one), self.best_value, len(self.best)):
                    self.best, self.best_value = one, float(value)
            values.extend(found)
            end = time.monotonic()
            if n_judged:
                self._at_once = _as_many(n_judged, end - start)
            start = end
        return np.array(values, dtype=np.float64)

    def is_better(self, value: float, size: int, than: float, than_size: int) -> bool:
        """Whether a set is better than another."""
        slack = slack_of(than)
        return value > than + slack or (self._prefer_smaller and value >= than - slack and size < than_size)


def _as_many(n_sets: int, seconds: float) -> int:
    """How many sets the next part holds, if so many took so long."""
    if seconds * _MOST <= n_sets * _SECONDS:
        return _MOST
    return max(1, int(n_sets * _SECONDS / seconds))
