"""How the cost of a search grows with features, iterations and bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._results import require_result
from holdfast.report._style import Theme, canvas, line_style, look, many_names, marker_style, see_through
from holdfast.report._summary import Value, ends, one_of, whiskers
from holdfast.report.costs import duration

if TYPE_CHECKING:
    from holdfast.evaluate.scaling import SearchCosts

Array = npt.NDArray[Any]
_WIDE = 30
# Share of the axis by which neighbouring lines are drawn apart.
_APART = 0.012
_WORDS = {"n_features": "features", "n_iterations": "iterations", "n_bins": "bins"}
_AXES = {"n_features": "Number of features", "n_iterations": "Number of iterations", "n_bins": "Number of bins"}


def cost_curves(
    result: SearchCosts,
    *,
    measure: str = "seconds",
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """What a search costs, by the number of features and of iterations or bins.

    Use it to choose the size or the number of bins. Seconds are those of the machine that measured them; evaluations
    are the same everywhere.

    Parameters
    ----------
    result : SearchCosts
        What ``evaluate.search_cost`` or ``evaluate.bin_cost`` gave.
    measure : {"seconds", "evaluations"}, default="seconds"
        Time, or how many sets were judged.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        Over the number of features a line for each number of iterations, or over the number of bins a line for each
        number of features: means, with lines from the least to the most.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate import search_cost
    >>> from holdfast.report import cost_curves
    >>> made = copies(n_samples=30, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = search_cost(made.X, made.y, n_features=[5, 20], n_iterations=[2, 4], n_repeats=2)
    >>> [line.name for line in cost_curves(result, measure="evaluations").data]
    ['2 iterations', '4 iterations']
    """
    colours = look(theme)
    require_result(result, "SearchCosts", "search_cost or bin_cost")
    one_of(measure, ("seconds", "evaluations"), "measure", where="allowed")
    along, of_lines, cost = _turned(result, measure)
    at, levels = (result.levels, result.n_features) if along == "n_bins" else (result.n_features, result.levels)
    figure = canvas(
        colours,
        title=_title(result, measure) if title is None else title,
        x_title=_AXES[along],
        y_title="Time of a search" if measure == "seconds" else "Sets judged",
    )
    values = [[Value(float(one.mean()), float(one.min()), float(one.max())) for one in line] for line in cost]
    # Side by side, since lines may have the same values.
    apart = _APART * (np.arange(len(levels)) - (len(levels) - 1) / 2) * np.log10(at[-1] / at[0])
    for number, (level, line) in enumerate(zip(levels, values, strict=True)):
        _add_line(figure, colours, number, at, line, f"{level:,} {_WORDS[of_lines]}", (_WORDS[along], measure))
        figure.data[-1].x = (np.array(at) * 10 ** apart[number]).tolist()
    _spread(figure, at)
    _measure(figure, ends(value for line in values for value in line), measure)
    figure.update_layout(showlegend=True)
    many_names(figure, len(levels))
    return figure


def _turned(result: SearchCosts, measure: str) -> tuple[str, str, Array]:
    """What goes along the axis, what tells lines apart, and the cost by line, place and repeat."""
    cost: Array = result.seconds if measure == "seconds" else result.evaluations
    if result.setting == "n_bins":
        return "n_bins", "n_features", cost
    return "n_features", "n_iterations", np.swapaxes(cost, 0, 1)


def _said(cost: float, measure: str) -> str:
    return duration(cost) if measure == "seconds" else f"{cost:,.0f} sets"


def _title(result: SearchCosts, measure: str) -> str:
    rows = sorted(result.table(), key=lambda row: row[measure])
    verb = "takes" if measure == "seconds" else "judges"
    word = _WORDS[result.setting]

    def where(row: dict[str, Any]) -> str:
        n = row[result.setting]
        return f"{row['n_features']:,} features and {n:,} {word if n != 1 else word[:-1]}"

    least, most = rows[0], rows[-1]
    if least[measure] == most[measure]:
        return f"{result.selector} {verb} {_said(least[measure], measure)} throughout."
    return (
        f"{result.selector} {verb} {_said(least[measure], measure)} with {where(least)}, and "
        f"{_said(most[measure], measure)} with {where(most)}."
    )


def _add_line(
    figure: go.Figure, theme: Theme, number: int, at: Any, line: list[Value], name: str, words: tuple[str, str]
) -> None:
    along, measure = words
    style = marker_style(theme, number)
    told = [
        f"<b>{name}, {place:,} {along}</b><br>{_said(value.at, measure)} on average"
        f"<br>from {_said(value.low or 0.0, measure)} to {_said(value.high or 0.0, measure)}"
        for place, value in zip(at, line, strict=True)
    ]
    figure.add_trace(
        go.Scatter(
            x=list(at),
            y=[value.at for value in line],
            error_y=whiskers(line, see_through(style["color"], 0.5), width=4),
            mode="lines+markers",
            line={**line_style(theme, number), "width": 2},
            marker={**style, "size": 8},
            name=name,
            customdata=told,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _spread(figure: go.Figure, at: tuple[int, ...]) -> None:
    """The axis of sizes, by logarithm, with marks at those that were tried as far as there is room."""
    places = np.log10(at)
    room = 0.05 * float(places[-1] - places[0]) or 0.1
    bottom, top = float(places[0]) - room, float(places[-1]) + room
    ticks: list[int] = []
    for size in reversed(at):
        if not ticks or np.log10(ticks[-1]) - np.log10(size) >= 0.1 * (top - bottom):
            ticks.append(size)
    texts = [f"{tick:,}" for tick in ticks[::-1]]
    figure.update_xaxes(type="log", range=[bottom, top], tickvals=ticks[::-1], ticktext=texts, tickangle=0)


def _measure(figure: go.Figure, drawn: list[float], measure: str) -> None:
    """The axis of costs, by logarithm where they span much, with marks that read as times or counts."""
    low, high = min(drawn), max(drawn)
    if low > 0 and high > _WIDE * low:
        powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
        figure.update_yaxes(type="log", range=[float(np.log10(low)) - 0.15, float(np.log10(high)) + 0.15])
        ticks = [step * 10.0**power for power in powers for step in ((1, 3) if len(powers) < 5 else (1,))]
    else:
        steps = [step * 10.0**power for power in range(-7, 9) for step in (1, 2, 5)]
        step = next((step for step in steps if high / step <= 6), steps[-1])
        ticks = [step * i for i in range(int(high / step) + 2)]
        figure.update_yaxes(range=[0, 1.06 * high or 1.0])
    texts = [duration(tick) if measure == "seconds" else f"{tick:,.0f}" for tick in ticks]
    figure.update_yaxes(tickvals=ticks, ticktext=texts)
