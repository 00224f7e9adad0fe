"""What selections of a study cost: time and memory."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from holdfast.report._style import Theme, canvas, clipped, look, plain, see_through
from holdfast.report._summary import Value, summary_of, whiskers

_WIDE = 30
# Named marks of the axis, as many as a phone has room for beside long names.
_MOST_TICKS = 3


class Cost(NamedTuple):
    """Seconds of one selection by a method, and the most memory in megabytes where it was measured."""

    method: str
    seconds: Value
    n_runs: int | None
    megabytes: float | None


def times(study: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """How long one selection takes with each method, and how much memory.

    Use it to see what a method would cost on more data, before you run it many times.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One bar for each method, fastest at the top: the mean, with a line from the least to the most, and the memory
        beside it. The axis goes by the logarithm where means span more than 30 times.

    Examples
    --------
    >>> from holdfast.report import times
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "costs": [
    ...         {"method": "relieff", "seconds": {"mean": 1.5, "least": 1.2, "most": 2.0}},
    ...         {"method": "t-test", "seconds": {"mean": 0.01, "least": 0.01, "most": 0.02}},
    ...     ],
    ... }
    >>> times(study).layout.title.text
    '<b>t-test is fastest with 10 ms for a selection, relieff slowest with 1.5 s.</b>'
    """
    colours = look(theme)
    costs = _costs(summary_of(study))
    is_log = costs[0].seconds.at > 0 and costs[-1].seconds.at > _WIDE * costs[0].seconds.at
    has_memory = any(cost.megabytes is not None for cost in costs)
    figure = canvas(
        colours,
        title=_title(costs) if title is None else title,
        x_title="Time for one selection",
        height=max(260, 150 + 26 * len(costs)),
    )
    figure.add_trace(
        go.Bar(
            x=[cost.seconds.at for cost in costs],
            y=list(range(len(costs))),
            orientation="h",
            marker={"color": see_through(colours.series[0], 0.75), "line": {"width": 0}},
            error_x=whiskers([cost.seconds for cost in costs], colours.text, width=4),
            customdata=[_hover(cost) for cost in costs],
            hovertemplate="%{customdata}<extra></extra>",
            showlegend=False,
        )
    )
    _spread(figure, costs, is_log)
    figure.update_yaxes(
        tickvals=list(range(len(costs))),
        ticktext=[plain(clipped(cost.method, 16)) for cost in costs],
        tickfont={"color": colours.text},
        range=[len(costs) - 0.4, -0.6],
        showgrid=False,
    )
    figure.update_layout(bargap=0.35)
    if has_memory:
        _add_memory(figure, colours, costs)
    return figure


def _costs(summary: dict[str, Any]) -> list[Cost]:
    found = []
    for row in summary.get("costs") or []:
        seconds = row.get("seconds") or {}
        if seconds.get("mean") is not None:
            value = Value(float(seconds["mean"]), seconds.get("least"), seconds.get("most"))
            found.append(Cost(row["method"], value, seconds.get("n"), row.get("peak_megabytes")))
    if not found:
        raise ValueError("The study holds no times of selections, so there are no bars to draw.")
    return sorted(found, key=lambda cost: cost.seconds.at)


def duration(seconds: float) -> str:
    """Seconds in the unit a reader would use."""
    for least, unit, word in ((3600, 3600, "h"), (60, 60, "min"), (1, 1, "s"), (1e-3, 1e-3, "ms")):
        # What would be rounded up to the next unit belongs there.
        if seconds >= 0.9995 * least:
            return f"{seconds / unit:.3g} {word}"
    return f"{seconds * 1e6:.3g} µs" if seconds > 0 else "0 s"


def memory(megabytes: float) -> str:
    """Megabytes in the unit a reader would use."""
    return f"{megabytes / 1000:.3g} GB" if megabytes >= 999.5 else f"{megabytes:.3g} MB"


def _title(costs: list[Cost]) -> str:
    fast, slow = costs[0], costs[-1]
    if len(costs) == 1:
        return f"A selection by {clipped(fast.method)} takes {duration(fast.seconds.at)}."
    if fast.seconds.at == slow.seconds.at:
        return f"A selection takes {duration(fast.seconds.at)} with every method."
    return (
        f"{clipped(fast.method)} is fastest with {duration(fast.seconds.at)} for a selection, "
        f"{clipped(slow.method)} slowest with {duration(slow.seconds.at)}."
    )


def _hover(cost: Cost) -> str:
    value = cost.seconds
    lines = [f"<b>{plain(cost.method)}</b>", f"{duration(value.at)} on average"]
    if value.low is not None and value.high is not None:
        lines.append(f"{duration(value.low)} to {duration(value.high)}")
    if cost.n_runs is not None:
        lines[-1] += f" in {cost.n_runs} selections"
    if cost.megabytes is not None:
        lines.append(f"{memory(cost.megabytes)} at most")
    return "<br>".join(lines)


def _spread(figure: go.Figure, costs: list[Cost], is_log: bool) -> None:
    top = max(cost.seconds.at if cost.seconds.high is None else cost.seconds.high for cost in costs)
    if not is_log:
        # Multiples of 1, 2 or 5 in the unit of the longest, so that marks read as times.
        unit = next(unit for unit in (3600, 60, 1, 1e-3, 1e-6) if top >= unit or unit == 1e-6)
        steps = [step * 10.0**power * unit for power in range(-1, 4) for step in (1, 2, 5)]
        step = next((step for step in steps if top / step <= _MOST_TICKS), steps[-1])
        ticks = [step * i for i in range(int(top / step) + 1)]
        figure.update_xaxes(range=[0, top * 1.04 or 1.0])
    else:
        lowest = [cost.seconds.at if not cost.seconds.low else cost.seconds.low for cost in costs]
        bottom = float(np.log10(min(lowest))) - 0.3
        figure.update_xaxes(type="log", range=[bottom, float(np.log10(top)) + 0.1])
        powers = [power for power in range(-7, 7) if bottom <= power <= np.log10(top) + 0.1]
        ticks = [10.0**power for power in powers]
    every = -(-len(ticks) // _MOST_TICKS)
    texts = [duration(tick) if place % every == 0 else "" for place, tick in enumerate(ticks)]
    figure.update_xaxes(tickvals=ticks, ticktext=texts, tickangle=0)


def _add_memory(figure: go.Figure, theme: Theme, costs: list[Cost]) -> None:
    """A column of numbers right of the bars."""
    places: list[dict[str, Any]] = [{"y": 1, "yref": "paper", "yanchor": "bottom", "text": "memory"}]
    for y, cost in enumerate(costs):
        if cost.megabytes is not None:
            places.append({"y": y, "yanchor": "middle", "text": memory(cost.megabytes)})
    figure.update_layout(margin_r=70)
    for place in places:
        figure.add_annotation(
            **place,
            x=1,
            xref="paper",
            xanchor="left",
            xshift=6,
            showarrow=False,
            font={"size": 12, "color": theme.muted},
        )
