"""A study in a notebook: the recommendation and a small table, without scripts."""

from __future__ import annotations

from html import escape
from typing import Any

_STYLE = "border-collapse:collapse;font-size:0.95em"
_CELL = "padding:0.2em 0.8em;text-align:{};border-bottom:1px solid rgba(128,128,128,0.4)"
_MOST = 12


def study_html(summary: dict[str, Any], heading: str) -> str:
    """HTML that takes its colours from the notebook."""
    advice = summary["recommendation"]
    best = _best_rows(summary)
    rows = "".join(_row(summary, row, is_taken=_is(row, advice)) for row in best[:_MOST])
    more = f"<p>and {len(best) - _MOST} more in <code>study.results</code></p>" if len(best) > _MOST else ""
    doubts = "".join(f"<li>{escape(doubt)}</li>" for doubt in advice["doubts"])
    head = "".join(
        f'<th scope="col" style="{_CELL.format(align)}">{name}</th>'
        for name, align in (
            ("method", "left"), ("features", "right"), ("classifier", "left"), ("accuracy", "right"), ("AUC", "right"),
            ("stability", "right"),
        )
    )  # fmt: skip
    return (
        f"<div><p><strong>{escape(advice['sentence'])}</strong></p><ul>{doubts}</ul>"
        f'<table style="{_STYLE}"><caption style="text-align:left">{heading}; the best classifier of each method and '
        f"size</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}</div>"
    )


def _best_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """The most accurate classifier of each method and size, best first."""
    best: dict[tuple[str, Any], dict[str, Any]] = {}
    for row in summary["results"]:
        key = row["method"], row["size"]
        if key not in best or _accuracy(row) > _accuracy(best[key]):
            best[key] = row
    return sorted(best.values(), key=_accuracy, reverse=True)


def _accuracy(row: dict[str, Any]) -> float:
    return float(row["accuracy"]["mean"]) if row["accuracy"] else -1.0


def _is(row: dict[str, Any], advice: dict[str, Any]) -> bool:
    return bool(row["method"] == advice["method"] and row["size"] == advice["size"])


def _row(summary: dict[str, Any], row: dict[str, Any], *, is_taken: bool) -> str:
    of = row["classifier"] if row["size"] == "tuned" else None
    stability = next(
        one["stability"]["nogueira"]
        for one in summary["selections"]
        if (one["method"], one["size"], one["classifier"]) == (row["method"], row["size"], of)
    )
    cells = (
        (escape(row["method"]), "left"),
        (escape(str(row["size"])), "right"),
        (escape(row["classifier"]), "left"),
        (_shown(row["accuracy"], "mean"), "right"),
        (_shown(row["auc"], "mean"), "right"),
        (_shown(stability, "value"), "right"),
    )
    weight = ";font-weight:bold" if is_taken else ""
    return "<tr>" + "".join(f'<td style="{_CELL.format(align)}{weight}">{text}</td>' for text, align in cells) + "</tr>"


def _shown(value: dict[str, Any] | None, name: str) -> str:
    if value is None or value[name] is None:
        return "–"
    if value["low"] is None:
        return f"{value[name]:.3f}"
    return f"{value[name]:.3f} [{value['low']:.2f}, {value['high']:.2f}]"
