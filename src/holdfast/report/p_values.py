"""The p-values of stopping rules along the path of a sequential search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._inputs import share
from holdfast.report._stops import MOST_MARKERS, axis_of_sizes, by_rule
from holdfast.report._style import Theme, canvas, clipped, line_style, look, marker_style, plain, short
from holdfast.report._summary import size_words

if TYPE_CHECKING:
    from holdfast.search.stopping import Stopping

Array = npt.NDArray[Any]
# How far apart the points of rules are set at one size, since many have a p-value of 0 or 1.
_APART = 0.5


def stop_p_values(
    stops: Mapping[str, Stopping] | Stopping,
    *,
    level: float | None = 0.05,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """The p-value of every step of a search by the stopping rules that have one.

    Use it to see whether a rule stopped by a hair or for good: h, h2s and hp (the smallest risk at which Hoeffding's
    bound lets the step pass), p and mi (the share of permuted copies that do as well).

    Parameters
    ----------
    stops : dict of str to Stopping, or Stopping
        What ``compare_stops`` or ``stop_at`` gave, or the ``stopping_`` of a search.
    level : float or None, default=0.05
        Level to draw a line at, that of rules without other options; None for no line.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line for each rule; points at steps that the rule does not go along with are open. Whiskers go from where to
        where a p-value can lie of which not all permutations were drawn.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import ForwardSearch
    >>> from holdfast.report import stop_p_values
    >>> X = np.random.default_rng(0).normal(size=(40, 6))
    >>> y = X[:, 2] + X[:, 4] > 0
    >>> search = ForwardSearch(criterion="dcor").fit(X, y)
    >>> stop_p_values(search.compare_stops(X, y)).layout.title.text
    '<b>Features that rules keep: h 1, h2s 1, mi 2, p 3, hp 6.</b>'
    """
    colours = look(theme)
    given = by_rule(stops)
    rules = {name: one for name, one in given.items() if np.isfinite(one.trace["p_value"]).any()}
    if not rules:
        raise ValueError(
            f"None of these rules has p-values: {', '.join(given) or 'there is none'}. Ask h, h2s, hp, p or mi; the "
            "last three need the data: compare_stops(X, y)."
        )
    figure = canvas(
        colours,
        title=_title(rules) if title is None else title,
        x_title="Number of features after the step",
        y_title="p-value<br>(open: the rule does not go along)",
    )
    for number, (name, one) in enumerate(rules.items()):
        beside = _APART * ((number + 0.5) / len(rules) - 0.5)
        _add_line(figure, colours, number, name, one.trace, beside)
        if len(one.trace) <= MOST_MARKERS:
            _add_open(figure, colours, number, name, one.trace[~one.trace["goes_on"]], beside)
    axis_of_sizes(figure, [size for one in rules.values() for size in one.trace["size"].tolist()])
    if level is not None:
        _add_level(figure, colours, share(level, "level"))
    figure.update_yaxes(range=[-0.04, 1.06])
    figure.update_layout(showlegend=True)
    return figure


def _add_line(figure: go.Figure, theme: Theme, number: int, name: str, trace: Array, beside: float) -> None:
    low, high = (np.where(np.isfinite(trace[end]), trace[end], trace["p_value"]) for end in ("p_low", "p_high"))
    figure.add_trace(
        go.Scatter(
            x=trace["size"] + beside,
            y=trace["p_value"],
            mode="lines+markers" if len(trace) <= MOST_MARKERS else "lines",
            line={**line_style(theme, number), "width": 1.5},
            marker=marker_style(theme, number),
            error_y={
                "array": high - trace["p_value"],
                "arrayminus": trace["p_value"] - low,
                "symmetric": False,
                "visible": bool((high > low).any()),
                "width": 3,
                "thickness": 1,
            },
            name=short(name),
            legendgroup=name,
            cliponaxis=False,
            customdata=[_told_of(name, step) for step in trace],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_open(figure: go.Figure, theme: Theme, number: int, name: str, trace: Array, beside: float) -> None:
    """Open points over those of steps that the rule does not go along with."""
    style = marker_style(theme, number)
    figure.add_trace(
        go.Scatter(
            x=trace["size"] + beside,
            y=trace["p_value"],
            mode="markers",
            marker={**style, "color": theme.background, "line": {"color": style["color"], "width": 1.5}},
            legendgroup=name,
            showlegend=False,
            cliponaxis=False,
            hoverinfo="skip",
        )
    )


def _add_level(figure: go.Figure, theme: Theme, level: float) -> None:
    """A line of the level, named in the legend: beside the line, points would lie on the name."""
    figure.add_trace(
        go.Scatter(
            x=figure.layout.xaxis.range,
            y=[level, level],
            mode="lines",
            line={"color": theme.muted, "width": 1.5, "dash": "dash"},
            name=f"level {level:g}",
            hoverinfo="skip",
        )
    )


def _told_of(name: str, step: Any) -> str:
    says = "goes on" if step["goes_on"] else "does not go along"
    lines = [f"<b>{plain(name)}</b> at {size_words(int(step['size']))}: p {step['p_value']:.3g}, {says}"]
    if step["p_high"] > step["p_low"]:
        lines.append(f"between {step['p_low']:.3g} and {step['p_high']:.3g}")
    if step["n_permutations"] > 1:
        lines.append(f"{step['n_permutations']} permuted copies")
    elif np.isfinite(step["gap"]):
        lines.append(f"gap {step['gap']:.3g}")
    return "<br>".join(lines)


def _title(rules: Mapping[str, Stopping]) -> str:
    kept = sorted(rules.items(), key=lambda item: (item[1].n_features, item[0]))
    if len(kept) == 1:
        return f"{clipped(kept[0][0])} keeps {size_words(kept[0][1].n_features)}."
    return f"Features that rules keep: {', '.join(f'{clipped(name, 20)} {one.n_features}' for name, one in kept)}."
