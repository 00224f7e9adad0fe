"""Finding things in a summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.report.study._words import METRICS

Row = dict[str, Any]
# A summary lists no more features of a selection.
LONGEST_LIST = 500


class Lookup:
    """Rows of a summary by method, size and classifier."""

    def __init__(self, summary: Row) -> None:
        self.summary = summary
        self._selections = {(s["method"], s["size"], s["classifier"]): s for s in summary["selections"]}
        self._costs = {cost["method"]: cost for cost in summary["costs"]}

    def selection(self, found: Row) -> Row | None:
        """The selection behind a result or a recommendation."""
        method, size = found["method"], found["size"]
        return self._selections.get((method, size, found["classifier"])) or self._selections.get((method, size, None))

    def stability(self, found: Row, index: str = "nogueira") -> Row | None:
        """A stability index of the lists behind a result; None where it is undefined."""
        selection = self.selection(found)
        value: Row | None = None if selection is None else selection["stability"].get(index)
        return None if value is None or value["value"] is None else value

    def seconds(self, method: str) -> float | None:
        """Mean time of one selection."""
        mean: float | None = self._costs[method]["seconds"]["mean"] if method in self._costs else None
        return mean

    def often(self, found: Row) -> Callable[[str], float | None]:
        """How often a feature was chosen, for a result or a recommendation; None where it is not known."""
        selection = self.selection(found)
        if selection is None:
            return lambda name: None
        shares = {feature["name"]: feature["frequency"] for feature in selection["features"]}
        # A feature that is missing from a whole list was never chosen; from a list cut short, that is not known.
        return lambda name: shares.get(name, None if len(shares) >= LONGEST_LIST else 0.0)


def mean_of(row: Row, metric: str) -> float | None:
    """The mean of a score; None where it is undefined."""
    return None if row[metric] is None else float(row[metric]["mean"])


def size_order(size: int | str) -> tuple[int, int]:
    """Numbers first, then what the method or an inner search decided."""
    return (1, ("own", "tuned").index(size)) if isinstance(size, str) else (0, size)


def main_metric(summary: Row) -> str:
    """The score that the study was decided by."""
    found = summary["recommendation"]
    return "accuracy" if found is None else str(found["metric"])


def best_first(summary: Row) -> list[Row]:
    """Results by falling score, those without one at the end; ties as they came."""
    metric = main_metric(summary)
    return sorted(summary["results"], key=lambda row: -(-1.0 if (mean := mean_of(row, metric)) is None else mean))


def sizes_of(summary: Row) -> list[int | str]:
    """Every size that was looked at, in order."""
    return sorted({s["size"] for s in summary["selections"]} | {r["size"] for r in summary["results"]}, key=size_order)


def indices_of(summary: Row) -> list[str]:
    """Every stability index that has a value, in the order of the first selection that names it."""
    named = dict.fromkeys(name for selection in summary["selections"] for name in selection["stability"])
    return [name for name in named if any(_has(s["stability"].get(name)) for s in summary["selections"])]


def _has(index: Row | None) -> bool:
    return index is not None and index["value"] is not None


def metrics_of(summary: Row) -> list[str]:
    """Scores that at least one result has."""
    return [name for name in METRICS if any(row[name] is not None for row in summary["results"])]
