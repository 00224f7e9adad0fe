"""What is counted for a claim of chapter 4 in one reading, and words for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holdfast.reproduce.ben_brahim._prior_runs import E5_TABLES, Result
from holdfast.reproduce.cells import Key, Printed

LEVEL = 0.05
NOT_PRINTED = "–"

ByMethod = Mapping[tuple[str, str], Result]


@dataclass(frozen=True)
class Finding:
    """The verdict on a statement in one reading, and the numbers."""

    source: str
    text: str
    verdict: str
    evidence: str
    printed: str


@dataclass(frozen=True)
class InPrint:
    """Printed numbers of the tables that compare methods."""

    numbers: Mapping[Key, Printed]

    def value(self, table: str, data: str, method: str, size: int, quantity: str) -> float | None:
        """One of them, if it is there."""
        one = self.numbers.get(Key(table, data, method, f"N = {size}", quantity))
        return None if one is None else one.value

    def shown(self, table: str, data: str, method: str, size: int, quantity: str) -> str:
        """The same in words."""
        value = self.value(table, data, method, size, quantity)
        return NOT_PRINTED if value is None else f"{value:g}"

    def p_values(self, sets: Sequence[str]) -> list[float]:
        """Those of E5, with and without a prior."""
        tables = {E5_TABLES[data] for data in sets}
        return [one.value for key, one in self.numbers.items() if key.table in tables and key.quantity == "p"]

    def best(self, data: str, method: str) -> float:
        """The largest accuracy of a method in E5."""
        wanted = (E5_TABLES[data], data, method, "accuracy")
        return max(
            one.value for key, one in self.numbers.items() if (key.table, key.data, key.method, key.quantity) == wanted
        )


def gains(one: Result, other: Result) -> dict[int, float]:
    """How much more stable one is than the other, by number of features."""
    return {size: one.stability(size) - other.stability(size) for size in sorted(one.subsets) if size in other.subsets}


def listed(by_size: Mapping[int, float]) -> str:
    """Gains with few, some and many features, and their mean."""
    some = [by_size[size] for size in (10, 50, 100) if size in by_size] or list(by_size.values())
    return f"{', '.join(f'{gain:+.2f}' for gain in some)} (mean {np.mean(list(by_size.values())):+.2f})"
