"""Results of the parts of chapter 4 by what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from holdfast.reproduce.pino_angulo._left_out import JUDGED_METHODS, METHODS, area
from holdfast.reproduce.pino_angulo._pairwise import JUDGED


@dataclass(frozen=True)
class LeftOut:
    """Of one table: by method the area, with all samples in the choice too, mean seconds and mean size."""

    n_samples: int
    areas: Mapping[str, float]
    areas_with_all: Mapping[str, float]
    seconds: Mapping[str, float]
    sizes: Mapping[str, float]
    n_other_picks: int


@dataclass(frozen=True)
class Results:
    """By table; ``counts`` by table and reading."""

    counts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    naive: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    orders: Mapping[str, Any] = field(default_factory=dict)
    thought: list[dict[str, float]] = field(default_factory=list)
    left_out: Mapping[str, LeftOut] = field(default_factory=dict)

    @property
    def judged(self) -> dict[str, Any]:
        """Counts by the reading that cells are judged by."""
        return {data: by[JUDGED] for data, by in self.counts.items() if JUDGED in by}

    def avoided(self, method: str) -> dict[str, float]:
        """By table, the share of pairs that the saving does not measure, in the order of print."""
        return {
            data: 1 - one[method]["pairs_in_print_order"] / one[method]["pairs"] for data, one in self.judged.items()
        }

    def times_faster(self, slow: str, fast: str) -> dict[str, float]:
        """By table."""
        return {data: one[slow] / one[fast] for data, one in self.seconds.items()}

    def times_faster_in_pairs(self, slow: str, fast: str) -> dict[str, float]:
        """The same without the seconds for levels and relevances; NaN where the clock is too coarse for the rest."""
        found = {}
        for data, one in self.seconds.items():
            rest = {method: one[method] - one[f"{slow} of one"] for method in (slow, fast)}
            found[data] = rest[slow] / rest[fast] if min(rest.values()) > 0 else np.nan
        return found

    @property
    def naive_ratio(self) -> dict[str, float]:
        """By table, how many times as long the CFS takes that computes every sum anew."""
        return {
            data: one["seconds"] / self.seconds[data]["FCFS"]
            for data, one in self.naive.items()
            if data in self.seconds
        }


def gathered(made: Mapping[str, Any]) -> Results:
    """From parts by key: kind/table/what."""
    by_kind: dict[str, dict[str, dict[str, Any]]] = {}
    for key, result in made.items():
        kind, data, what = key.split("/")
        by_kind.setdefault(kind, {}).setdefault(data, {})[what] = result
    only = {kind: {data: next(iter(by.values())) for data, by in of.items()} for kind, of in by_kind.items()}
    return Results(
        counts=by_kind.get("counts", {}),
        seconds=only.get("seconds", {}),
        naive=only.get("naive", {}),
        orders=only.get("orders", {}),
        thought=only.get("thought", {}).get("none", []),
        left_out={data: _left_out(list(of.values())) for data, of in by_kind.get("left-out", {}).items()},
    )


def _left_out(shares: list[dict[str, Any]]) -> LeftOut:
    classes = [one for share in shares for one in share["classes"]]

    def joined(method: str, what: str) -> list[Any]:
        return [one for share in shares for one in share["methods"][method][what]]

    return LeftOut(
        n_samples=len(classes),
        areas={method: area(classes, joined(method, "scores")) for method in JUDGED_METHODS},
        areas_with_all={method: area(classes, joined(method, "scores_with_all")) for method in JUDGED_METHODS},
        seconds={method: float(np.mean(joined(method, "seconds"))) for method in METHODS},
        sizes={method: float(np.mean(joined(method, "sizes"))) for method in METHODS},
        n_other_picks=sum(share["n_other_picks"] for share in shares),
    )
