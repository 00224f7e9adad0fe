"""What pairs of features share, and forward candidates whose merit weighs relevance against it.

``ExhaustiveCandidates`` measures every candidate against every pick; ``LazyCandidates`` only those that can still win.
Both add the same terms in the same order, so their merits are equal to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast.kernels import information, lazy
from holdfast.measures.correlation import Standardised
from holdfast.measures.information import information_with, uncertainty_with
from holdfast.prepare.codes import Codes
from holdfast.search.forward import ScoredCandidates

Array = npt.NDArray[Any]

_NO_CODES = (
    np.zeros((1, 1, 1), np.uint64), np.zeros((1, 1), np.uint64), np.zeros(1, np.int64), np.empty((0, 0), np.uint8),
    np.zeros(1, np.int64), np.zeros(2, np.int64), 0.0, np.zeros(1, np.int64),
)  # fmt: skip
_NO_COLUMNS = (np.empty((0, 0)), np.empty(8))


@dataclass(frozen=True)
class Formula:
    """How relevance and shared information become a merit.

    ``weight`` multiplies the mean in the difference; ``floor`` is the least that a pair is taken to share.
    """

    kind: int
    weight: float = 1.0
    floor: float = 0.0

    def merits(self, relevance: Array, shared: Array, n_chosen: int, chosen: tuple[float, float]) -> Array:
        """Merit of every candidate next to the chosen features, as the compiled twin computes it."""
        if self.kind == lazy.DIFFERENCE:
            return relevance - self.weight * shared / n_chosen
        if self.kind == lazy.QUOTIENT:
            mean = shared / n_chosen
            at_zero = np.where(relevance > 0, np.inf, relevance)
            return np.divide(relevance, mean, out=at_zero, where=mean > 0)
        merits: Array = (chosen[0] + relevance) / np.sqrt(n_chosen + 1 + 2.0 * (chosen[1] + shared))
        return merits


class SharedBy(Protocol):
    """A way to measure what two features share."""

    kind: int

    def with_feature(self, feature: int) -> Array:
        """What every feature shares with one."""

    def kernel_arrays(self) -> tuple[Any, ...]:
        """The arrays the compiled search takes."""


class SharedInformation:
    """Mutual information of binned features, or their symmetrical uncertainty."""

    def __init__(self, codes: Codes, *, scaled: bool) -> None:
        self.codes = codes
        self.kind = lazy.SYMMETRICAL_UNCERTAINTY if scaled else lazy.MUTUAL_INFORMATION

    def with_feature(self, feature: int, candidates: Array | None = None) -> Array:
        """What every candidate (all features, if none are given) shares with one feature."""
        measure = uncertainty_with if self.kind == lazy.SYMMETRICAL_UNCERTAINTY else information_with
        return measure(self.codes, self.codes.one(feature), candidates)

    def kernel_arrays(self) -> tuple[Any, ...]:
        """The arrays the compiled search takes."""
        table, unit = information.log_table(self.codes.n_samples)
        return (
            *self.codes.arrays,
            self.codes.margins,
            table,
            unit,
            information.joint_scratch(),
            *_NO_COLUMNS,
        )


class SharedCorrelation:
    """Absolute correlation of measured features, at least ``floor``."""

    kind = lazy.CORRELATION

    def __init__(self, X: Array, floor: float) -> None:
        self.standardised = Standardised(X)
        self.floor = floor

    def with_feature(self, feature: int) -> Array:
        """What every feature shares with one."""
        return np.maximum(np.abs(self.standardised.with_column(self.standardised.column(feature))), self.floor)

    def kernel_arrays(self) -> tuple[Any, ...]:
        """The arrays the compiled search takes."""
        return (*_NO_CODES, self.standardised.all_columns(), np.empty(8))


class ExhaustiveCandidates(ScoredCandidates):
    """Every candidate measured against every pick."""

    def __init__(self, relevance: Array, shared_by: SharedBy, formula: Formula) -> None:
        super().__init__(relevance)
        self.relevance = relevance
        self.shared_by = shared_by
        self.formula = formula
        self.shared = np.zeros(len(relevance))
        self.chosen = (0.0, 0.0)
        self.n_chosen = 0
        self.n_pairs = 0

    def best(self) -> tuple[Array, float]:
        """Give the open features of the best merit, and that merit."""
        # The last pick is paired with the others only when another pick is asked for.
        if self.n_chosen:
            self.n_pairs += int(self.is_open.sum())
            self.shared += self.shared_by.with_feature(self.last)
            self.merits = self.formula.merits(self.relevance, self.shared, self.n_chosen, self.chosen)
        return super().best()

    def update(self, feature: int) -> None:
        """Remember the pick."""
        self.last = feature
        self.n_chosen += 1
        if self.formula.kind == lazy.SUBSET:
            self.chosen = (self.chosen[0] + self.relevance[feature], self.chosen[1] + self.shared[feature])


class LazyCandidates:
    """Candidates measured against the picks only while they can still win."""

    def __init__(self, relevance: Array, shared_by: SharedBy, formula: Formula) -> None:
        n_features = len(relevance)
        self.relevance = np.ascontiguousarray(relevance, dtype=np.float64)
        self.shared_by = shared_by
        self.formula = formula
        self.by_relevance = np.argsort(-relevance, kind="stable")
        self.chosen_features = np.empty(n_features, dtype=np.int64)
        self.chosen = (0.0, 0.0)
        self.n_chosen = 0
        self.shared = np.zeros(n_features)
        self.n_summed = np.zeros(n_features, dtype=np.int64)
        self.opened = np.empty(n_features, dtype=np.int64)
        self.tied = np.empty(n_features, dtype=np.int64)
        self.bounds = np.empty(n_features)
        self.counters = np.zeros(4, dtype=np.int64)
        self.merit = np.empty(1)
        self.arrays = shared_by.kernel_arrays()

    @property
    def n_pairs(self) -> int:
        """Pairs measured so far."""
        return int(self.counters[2])

    def best(self) -> tuple[Array, float]:
        """Give the open features of the best merit, and that merit."""
        if self.n_chosen == 0:
            return ScoredCandidates(self.relevance).best()
        if self.n_chosen == 1 and self.formula.kind == lazy.QUOTIENT:
            self._open_all()
        lazy.lazy_round(
            self.shared_by.kind, self.formula.kind, self.formula.weight, self.formula.floor,
            self.relevance, self.by_relevance, self.chosen_features, self.n_chosen, *self.chosen,
            self.shared, self.n_summed, self.opened, self.bounds, self.counters, self.tied, self.merit, *self.arrays,
        )  # fmt: skip
        return self.tied[: self.counters[3]].copy(), float(self.merit[0])

    def take(self, feature: int) -> None:
        """Move a candidate to the chosen features."""
        self.chosen_features[self.n_chosen] = feature
        self.n_chosen += 1
        self.n_summed[feature] = -1
        if self.formula.kind == lazy.SUBSET:
            self.chosen = (self.chosen[0] + self.relevance[feature], self.chosen[1] + self.shared[feature])

    def _open_all(self) -> None:
        """Pair every candidate with the first pick: before its first term the bound of a quotient excludes nobody."""
        others = np.flatnonzero(self.n_summed == 0)
        self.shared = self.shared_by.with_feature(int(self.chosen_features[0]))
        self.n_summed[others] = 1
        self.opened[: len(others)] = others
        self.counters[:3] = len(others), len(self.relevance), len(others)
