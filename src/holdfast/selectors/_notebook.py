"""What a fitted selector shows in a notebook under scikit-learn's diagram: the chosen features as a small table.

Colours are those of the page, so that the table reads on light and on dark ones.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

_MOST_ROWS = 30
_LINE = "border-bottom:1px solid rgba(128,128,128,0.4)"
_CELL = f"padding:0.15em 0.9em 0.15em 0;{_LINE};color:inherit;background:transparent"
_NUMBER = f"{_CELL};text-align:right;font-variant-numeric:tabular-nums"
_TEXT = f"{_CELL};text-align:left;font-weight:normal;overflow-wrap:anywhere"
_BLOCK = "margin:0.75em 0;color:inherit;max-width:60em"
_TABLE = "border-collapse:collapse;margin:0;color:inherit;background:transparent"
_CAPTION = "caption-side:top;text-align:left;padding:0.25em 0;color:inherit;font-weight:bold"


class ShowsChosen:
    """Adds the table of chosen features to what scikit-learn shows; the option ``display`` of set_config rules both."""

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + chosen_html(self)  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += chosen_html(self)
        return bundle


def chosen_html(selector: Any) -> str:
    """The chosen features of a selector, best first, as HTML; nothing if it is not fitted."""
    if not hasattr(selector, "indices_"):
        return ""
    n_chosen, n_features = len(selector.indices_), selector.n_features_in_
    means, notes = _words(selector)
    heading = f"{type(selector).__name__} chose {n_chosen} of {n_features} feature{'s' if n_features != 1 else ''}"
    below = [f"and {n_chosen - _MOST_ROWS} more"] if n_chosen > _MOST_ROWS else []
    below += [f"Score: {means}."] if means and n_chosen else []
    below += _stability(selector) + notes
    table = _table(selector, heading) if n_chosen else f'<p style="{_CAPTION}">{escape(heading)}</p>'
    lines = "".join(f'<p style="margin:0.4em 0 0 0">{escape(line)}</p>' for line in below)
    return f'<div class="holdfast-chosen" style="{_BLOCK}">{table}{lines}</div>'


def _table(selector: Any, heading: str) -> str:
    names = getattr(selector, "feature_names_in_", None)
    frequency = getattr(selector, "frequency_", None)
    columns = [("Rank", _NUMBER), ("Feature", _TEXT), ("Score", _NUMBER)]
    if frequency is not None:
        columns.append(("Share of runs", _NUMBER))
    head = "".join(f'<th scope="col" style="{style};font-weight:bold">{title}</th>' for title, style in columns)
    rows = []
    for rank, j in enumerate(selector.indices_[:_MOST_ROWS].tolist(), start=1):
        name = f"x{j}" if names is None else str(names[j])
        cells = f'<td style="{_NUMBER}">{rank}</td><th scope="row" style="{_TEXT}">{escape(name)}</th>'
        cells += f'<td style="{_NUMBER}">{_number(selector.scores_[j])}</td>'
        if frequency is not None:
            cells += f'<td style="{_NUMBER}">{100 * float(frequency[j]):.0f} %</td>'
        rows.append(f"<tr>{cells}</tr>")
    return (
        f'<table style="{_TABLE}"><caption style="{_CAPTION}">{escape(heading)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4g}"


def _stability(selector: Any) -> list[str]:
    """How far the runs agree, if there are runs and they tell."""
    value = getattr(selector, "stability_", math.nan)
    if math.isnan(value):
        return []
    low, high = getattr(selector, "stability_interval_", (math.nan, math.nan))
    interval = "" if math.isnan(low) else f" (95 % interval {low:.2f} to {high:.2f})"
    return [f"Stability {value:.2f}{interval}: 1 for runs that all choose the same, about 0 for chance."]


def _words(selector: Any) -> tuple[str, list[str]]:
    """What a score says, and notes; none where parameters were set to something else after fit and make no sense."""
    try:
        return str(selector._score_means), [str(note) for note in selector._notes]
    except (AttributeError, KeyError, TypeError, ValueError):
        return "", []
