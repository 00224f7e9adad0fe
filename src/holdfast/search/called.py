"""Backward searches on a measure that is any function: those of ``search.counted``, the plain way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.lazy import TIE
from holdfast.prepare.codes import Codes
from holdfast.search import removal
from holdfast.search.removal import Removal
from holdfast.search.ties import Precedence

Array = npt.NDArray[Any]
Measure = Callable[[Array, Array], float]


class CalledSubsets:
    """Values of subsets of features of one table by a function of their levels and the class.

    The function must never fall as features go; it is called for every value asked for.
    """

    scale = 1.0
    slack = TIE

    def __init__(self, codes: Codes, target: Codes, relevance: Array, precedence: Precedence, measure: Measure) -> None:
        self.n_features = len(codes)
        self._columns = precedence.sort(relevance, len(codes))[::-1]
        self._relevance = np.maximum.accumulate(relevance[self._columns])
        self._levels = codes.as_bytes().T
        self._y = target.as_bytes()[0].copy()
        self._y.flags.writeable = False
        self._measure = measure
        self.value_of_all = self.value_of(np.arange(len(codes)))

    def interact(self, threshold: float) -> Removal:
        """INTERACT, with the loss allowed to each feature."""
        return self._of_columns(removal.interact(self._value, self.n_features, threshold))

    def linear(self, limit: float) -> Removal:
        """LCC."""
        return self._of_columns(removal.linear(self._value, self.n_features, limit))

    def binary(self, limit: float) -> Removal:
        """SUPER-LCC."""
        return self._of_columns(removal.binary(self._value, self.n_features, limit))

    def steepest(self, limit: float, scan: Array | None = None) -> Removal:
        """SDCC; ``scan`` is the order in which places in increasing relevance are looked at."""
        return self._of_columns(removal.steepest(self._value, self.n_features, limit, scan))

    def lazy(self, limit: float, delta: float, alpha: float = 0.0) -> Removal:
        """FSDCC (alpha = 0) and ASDCC."""
        return self._of_columns(removal.lazy(self._value, self._relevance, limit, delta, alpha))

    def windowed(self, limit: float, delta: float, alpha: float, window: float, growth: float) -> Removal:
        """SWCFS."""
        return self._of_columns(removal.windowed(self._value, self._relevance, limit, delta, alpha, window, growth))

    @property
    def resolution(self) -> float:
        """Differences below this are none."""
        return 4 * self.slack

    def most_allowed(self, delta: float) -> float:
        """The largest value that a threshold allows."""
        return delta

    def shown(self, value: Any) -> Any:
        """A value, or several, as the measure is said."""
        return value

    def places_in_table(self) -> Array:
        """Places in increasing relevance, in the order of the columns."""
        return np.argsort(self._columns)

    def best_columns(self) -> Array:
        """All columns, most relevant first."""
        return self._columns[::-1]

    def value_of(self, columns: Array) -> float:
        """Value of any subset, its features in the order of the table."""
        value = self._measure(self._levels[:, np.sort(columns)], self._y)
        if not isinstance(value, (Real, np.number, np.bool_)) or not np.isfinite(value):
            raise ValueError(
                f"measure gave {value!r} for {len(columns)} feature(s); it must give one finite number for every "
                "subset. The empty subset has levels of shape (n_samples, 0)."
            )
        return float(value)

    def contributions(self, columns: Array) -> tuple[float, Array]:
        """Value of a subset, and what it loses without each of its features."""
        value = self.value_of(columns)
        return value, np.array([self.value_of(columns[columns != f]) - value for f in columns])

    def _value(self, kept: Sequence[int]) -> float:
        return self.value_of(self._columns[list(kept)])

    def _of_columns(self, found: Removal) -> Removal:
        return Removal(tuple(self._columns[list(found.kept)].tolist()), found.value, found.n_evaluations)
