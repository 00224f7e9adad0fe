"""How accuracies vary over splits of the samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from holdfast.report._inputs import percent
from holdfast.report._results import require_result
from holdfast.report._style import canvas, clipped, dashed, look, see_through

if TYPE_CHECKING:
    from holdfast.evaluate.sensitivity import Sensitivity

# Shares that would be written over each other are left to the text under the pointer.
_MOST_NUMBERS = 9


def sensitivity_histogram(result: Sensitivity, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """How often each accuracy came up over random splits, with the same features.

    Use it beside an accuracy from one split, to see how lucky that split was.

    Parameters
    ----------
    result : Sensitivity
        What ``evaluate.split_sensitivity`` gave.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One bar for each accuracy that occurred, and a line at the mean.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import split_sensitivity
    >>> from holdfast.report import sensitivity_histogram
    >>> made = copies(n_samples=40, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = split_sensitivity(made.X, made.y, made.relevant, "nb", n_splits=100)
    >>> sensitivity_histogram(result).layout.title.text
    '<b>The accuracy of nb goes from 0.38 to 0.92 over 100 splits of the same samples.</b>'
    """
    colours = look(theme)
    require_result(result, "Sensitivity", "evaluate.split_sensitivity")
    rows, n_test = result.table(), sum(result.n_test.values())
    figure = canvas(
        colours,
        title=_title(result) if title is None else title,
        x_title=f"Accuracy on {n_test} test samples",
        y_title="Share of the splits",
    )
    has_numbers = len(rows) <= _MOST_NUMBERS
    figure.add_trace(
        go.Bar(
            x=[row["score"] for row in rows],
            y=[row["share"] for row in rows],
            width=0.8 / n_test,
            marker={"color": see_through(colours.series[0], 0.8), "line": {"width": 0}},
            text=[percent(row["share"]) for row in rows] if has_numbers else None,
            textposition="outside",
            textfont={"color": colours.muted, "size": 12},
            cliponaxis=False,
            showlegend=False,
            customdata=[
                f"{row['errors']} error{'' if row['errors'] == 1 else 's'}<br>{row['splits']:,} of "
                f"{result.n_splits:,} splits"
                for row in rows
            ],
            hovertemplate="<b>%{x:.4f}</b><br>%{customdata}<extra></extra>",
        )
    )
    dashed(figure, colours, x=result.mean, label=f"mean {result.mean:.3f}")
    # Above the bars, so that it does not cross their numbers.
    figure.layout.shapes[-1].update(y0=0.9)
    low, high = rows[0]["score"], rows[-1]["score"]
    ticks = [row["score"] for row in rows] if has_numbers else None
    figure.update_xaxes(range=[low - 1 / n_test, high + 1 / n_test], tickvals=ticks, tickformat=".2f", showgrid=False)
    figure.update_yaxes(range=[0, 1.25 * max(row["share"] for row in rows)], tickformat=".0%")
    return figure


def _title(result: Sensitivity) -> str:
    rows, name = result.table(), clipped(result.classifier, 20)
    if len(rows) == 1:
        return f"The accuracy of {name} is {rows[0]['score']:.2f} in every one of {result.n_splits:,} splits."
    low, high = rows[0]["score"], rows[-1]["score"]
    perfect = f"; {percent(result.perfect)} of them are without an error" if result.perfect else ""
    return (
        f"The accuracy of {name} goes from {low:.2f} to {high:.2f} over {result.n_splits:,} splits of the same "
        f"samples{perfect}."
    )
