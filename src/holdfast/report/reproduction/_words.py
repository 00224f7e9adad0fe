"""What all forms of a rerun say in the same words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

Row = Mapping[str, Any]

VERDICTS = ("agrees", "better", "worse", "differs", "printed value impossible", "not run")
MEANINGS = {
    "agrees": "the printed number lies in our interval",
    "better": "it lies outside, and ours is the better one",
    "worse": "it lies outside, and the printed one is better",
    "differs": "it lies outside, and neither more nor less of the quantity is better",
    "printed value impossible": "it cannot be right, whatever was run; the reason stands beside it",
    "not run": "there is no number of ours; the reason stands beside it",
}
# For the heads of narrow columns.
SHORT = {"printed value impossible": "impossible"}
CLAIMS = ("holds", "holds in part", "does not hold", "not tested")
NONE = "–"


def title(found: Row) -> str:
    """What was rerun."""
    return f"{found['thesis']['label']}: {found['title']}, rerun"


def counts(row: Row, kinds: Iterable[str] = VERDICTS) -> str:
    """Counts that are not 0, in words."""
    told = [f"{kind} {row[kind]:,}" for kind in kinds if row[kind]]
    return ", ".join(told) or "nothing"


def together(every: Iterable[Row]) -> Row:
    """The verdicts of several runs, counted as one summary."""
    every = list(every)
    return {
        part: {kind: sum(found["summary"][part][kind] for found in every) for kind in kinds}
        for part, kinds in (("total", VERDICTS), ("apart", VERDICTS), ("claims", CLAIMS))
    }


def in_short(summary: Row) -> str:
    """Verdicts on printed numbers and on claims in a line."""
    any_counted = bool(_sum(summary["total"]))
    told = [
        (f"Printed numbers, {_sum(summary['total']):,}", summary["total"], VERDICTS),
        (f"Counted apart, {_sum(summary['apart']):,}{' more' * any_counted}", summary["apart"], VERDICTS),
        (f"Claims, {_sum(summary['claims'])}", summary["claims"], CLAIMS),
    ]
    return " ".join(f"{head}: {counts(row, kinds)}." for head, row, kinds in told if _sum(row))


def _sum(row: Row) -> int:
    return sum(row.values())


def meanings(summary: Row) -> dict[str, str]:
    """Every verdict that was given, and what it says."""
    return {kind: words for kind, words in MEANINGS.items() if summary["total"][kind] or summary["apart"][kind]}


def run_facts(found: Row) -> str:
    """Command, version, date and effort."""
    command = f"`{found['command']}`, " if found["command"] else ""
    return (
        f"{command}Holdfast {found['holdfast_version']}, {found['date']}; {duration(found['seconds'])} of one "
        f"core{', few runs (--quick): to see that it works, not for verdicts' if found['is_quick'] else ''}."
    )


def duration(seconds: float) -> str:
    """Seconds or minutes."""
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def number(value: float | None) -> str:
    """A number of ours: whole from 1000 on and where it is whole, else at most four significant digits."""
    if value is None:
        return NONE
    is_whole = float(value).is_integer() or abs(value) >= 1000
    return f"{value:.0f}" if is_whole else f"{value:.4g}"


def as_printed(value: float) -> str:
    """A printed number with all of its digits; zeros at its end are not kept, since a float has none."""
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")


def interval(row: Row) -> str:
    """What may be printed and agree."""
    if row["low"] is None or row["high"] is None:
        return NONE
    if row["low"] == row["high"]:
        return "exact"
    return " … ".join(_end(row[name], row["printed"]) for name in ("low", "high"))


def _end(value: float, printed: float) -> str:
    """An end of an interval, with more digits than other numbers have if the printed one would seem to be at it."""
    texts = [number(value), *(f"{value:.{digits}g}" for digits in range(5, 13))]
    is_told = ((float(text) < printed, float(text) > printed) == (value < printed, value > printed) for text in texts)
    return next((text for text, one in zip(texts, is_told, strict=True) if one), texts[0])


def remark(row: Row) -> str:
    """All that is said of a cell besides its numbers."""
    mark = f"({row['mark']})" if row["mark"] else ""
    apart = f"counted apart: {row['apart']}" if row["apart"] else ""
    return "; ".join(part for part in (mark, row["impossible"], apart, row["remark"]) if part)


def set_words(one: Row) -> str:
    """A data set, or why it is missing."""
    if not one["found"]:
        return f"{one['name']}: not run, {one['why']}"
    classes = "" if one["n_classes"] is None else f", {one['n_classes']} classes"
    return f"{one['name']}: {one['n_samples']:,} × {one['n_features']:,}{classes}"


def columns_of(cells: Iterable[Row]) -> list[str]:
    """Columns of a printed table that say anything."""
    cells = list(cells)
    names = ["data", "method"]
    if any(cell["setting"] for cell in cells):
        names.append("setting")
    return [*names, "quantity"]
