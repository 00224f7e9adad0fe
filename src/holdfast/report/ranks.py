"""Mean ranks of methods with those that do not differ joined by a bar (Demšar 2006, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from holdfast.report._inputs import labels, numbers
from holdfast.report._style import Theme, canvas, clipped, look, plain, short
from holdfast.report._summary import one_of, summary_of

# Pixels: the height of the plot is fixed, so that one unit of its upright axis is one pixel.
_ROW, _BAR, _ABOVE = 24, 13, 62
_LETTER = 7.2
_HAIR = 1e-9


class Ranks(NamedTuple):
    """Methods, best first, and what joins them."""

    methods: list[str]
    mean_ranks: list[float]
    difference: float
    groups: list[list[int]]
    remark: str


def critical_difference(
    study: Any = None,
    *,
    mean_ranks: Any = None,
    methods: Any = None,
    difference: float | None = None,
    groups: Sequence[Sequence[str]] | None = None,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """Mean ranks of methods, with a bar over those that the test cannot tell apart.

    Use it to see at a glance which methods differ after a test over many data sets or splits. Rank 1 is best and stands
    on the left; methods under one bar do not differ significantly.

    Parameters
    ----------
    study : Study or dict, default=None
        What ``compare`` gave, or its summary; brings everything along. Or pass the numbers themselves:
    mean_ranks : array-like of shape (n_methods,), default=None
        Mean rank of each method, 1 for the best.
    methods : list of str, default=None
        Names of the methods; None numbers them.
    difference : float, default=None
        How far apart mean ranks must be to differ, such as Nemenyi's critical difference.
    groups : list of list of str, default=None
        Names of methods that do not differ; None joins those within the difference.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        An axis of mean ranks with a line from each method to its name.

    Examples
    --------
    >>> from holdfast.report import critical_difference
    >>> figure = critical_difference(mean_ranks=[1.2, 2.1, 2.7], methods=["mrmr", "t-test", "cfs"], difference=0.8)
    >>> figure.layout.title.text
    '<b>mrmr ranks best (1.20) and differs from all 2 others.</b>'
    """
    colours = look(theme)
    if (study is None) == (mean_ranks is None):
        raise ValueError("Pass a study, or mean_ranks with a difference, but not both.")
    found = _given(mean_ranks, methods, difference, groups) if study is None else _of_study(study)
    n_methods = len(found.methods)
    n_left = (n_methods + 1) // 2
    levels = _levels(found.groups)
    n_levels = max(levels, default=-1) + 1
    first_row = _BAR * n_levels + _ROW
    depth = first_row + _ROW * n_left
    ends = _ends(found)
    width = 16 + _LETTER * max(len(clipped(name, 16)) for name in found.methods)
    figure = canvas(
        colours,
        title=_title(found) if title is None else title,
        x_title="",
    )
    top = figure.layout.margin.t
    figure.update_layout(height=top + _ABOVE + depth + 44, margin={"l": width, "r": width, "b": 44}, showlegend=False)
    _add_lines(figure, colours, found, n_left, first_row, ends)
    for group, level in zip(found.groups, levels, strict=True):
        _add_bar(figure, colours, found, group, -_BAR * (level + 0.8))
    _add_difference(figure, colours, found.difference, ends[0])
    _draw_axis(figure, colours, ends, n_methods, _ABOVE, depth)
    return figure


def _given(mean_ranks: Any, methods: Any, difference: Any, groups: Any) -> Ranks:
    ranks = numbers(mean_ranks, "mean_ranks")
    names = labels(methods, len(ranks), "mean ranks", prefix="method ")
    if difference is None:
        raise ValueError("difference is missing: pass how far apart mean ranks must be to differ.")
    apart = float(numbers([difference], "difference")[0])
    if apart <= 0 or ranks.min() < 1:
        raise ValueError(
            f"difference={difference!r} must be above 0 and mean ranks 1 or more, but the lowest is {ranks.min():g}."
        )
    if len(set(names)) < len(names):
        raise ValueError("Two methods have the same name; give each its own.")
    order = np.argsort(ranks, kind="stable").tolist()
    ordered, values = [names[i] for i in order], [float(ranks[i]) for i in order]
    if groups is None:
        joined = _within(values, apart)
    else:
        for name in (name for group in groups for name in group):
            one_of(name, names, "groups", where="one of the methods")
        joined = [sorted(ordered.index(name) for name in group) for group in groups if len(group) > 1]
    return Ranks(ordered, values, apart, joined, "")


def _of_study(study: Any) -> Ranks:
    tests = summary_of(study).get("comparisons") or {}
    ranked, nemenyi = tests.get("friedman"), tests.get("nemenyi")
    if not ranked or not nemenyi:
        raise ValueError(
            "The study has no mean ranks to draw: they need at least three methods and two splits that all of them "
            "have finished."
        )
    found = _given(ranked["mean_ranks"], ranked["methods"], nemenyi["critical_difference"], nemenyi.get("groups"))
    p_value, level = ranked.get("f_p_value", ranked.get("p_value")), nemenyi.get("level", 0.05)
    if p_value is not None and p_value > level:
        remark = f"Friedman's test finds no difference between the {len(found.methods)} methods (p = {p_value:.2g})."
        return found._replace(remark=remark)
    return found


def _within(ranks: list[float], apart: float) -> list[list[int]]:
    """Largest runs of neighbours within the difference."""
    groups: list[list[int]] = []
    for first, rank in enumerate(ranks):
        group = [i for i in range(first, len(ranks)) if ranks[i] - rank <= apart + _HAIR]
        if len(group) > 1 and (not groups or group[-1] > groups[-1][-1]):
            groups.append(group)
    return groups


def _title(found: Ranks) -> str:
    if found.remark:
        return found.remark
    like = {i for group in found.groups if 0 in group for i in group} - {0}
    best, n_others = clipped(found.methods[0]), len(found.methods) - 1
    start = f"{best} ranks best ({found.mean_ranks[0]:.2f})"
    if n_others == 0:
        return f"{start}."
    if len(like) == n_others:
        return f"{start}, but does not differ significantly from any other."
    many = f"all {n_others} others" if not like else f"{n_others - len(like)} of {n_others} others"
    return f"{start} and differs from {many}."


def _ends(found: Ranks) -> tuple[float, float]:
    """Whole ranks around all mean ranks, with room for the difference."""
    low = float(np.floor(found.mean_ranks[0] + _HAIR))
    high = float(np.ceil(found.mean_ranks[-1] - _HAIR))
    return low, max(high, low + 1, low + found.difference)


def _levels(groups: list[list[int]]) -> list[int]:
    """A height for each bar, such that bars at one height do not touch."""
    levels: list[int] = []
    last_at: list[int] = []
    for group in groups:
        free = [level for level, last in enumerate(last_at) if last < group[0]]
        level = free[0] if free else len(last_at)
        if not free:
            last_at.append(0)
        last_at[level] = group[-1]
        levels.append(level)
    return levels


def _add_lines(
    figure: go.Figure, theme: Theme, found: Ranks, n_left: int, first_row: int, ends: tuple[float, float]
) -> None:
    """A line down from each mean rank and out to the name; the outermost has the first row."""
    n_methods = len(found.methods)
    for place, (name, rank) in enumerate(zip(found.methods, found.mean_ranks, strict=True)):
        is_left = place < n_left
        y = -(first_row + _ROW * (place if is_left else n_methods - 1 - place))
        figure.add_trace(
            go.Scatter(
                x=[rank, rank, ends[0] if is_left else ends[1]],
                y=[0, y, y],
                mode="lines",
                line={"color": theme.muted, "width": 1.2},
                hoverinfo="skip",
                cliponaxis=False,
            )
        )
        figure.add_annotation(
            x=0 if is_left else 1,
            xref="paper",
            xanchor="right" if is_left else "left",
            xshift=-5 if is_left else 5,
            y=y,
            text=plain(clipped(name, 16)),
            hovertext=f"{plain(name)}: {rank:.2f}",
            showarrow=False,
            font={"size": 12, "color": theme.text},
        )
    figure.add_trace(
        go.Scatter(
            x=found.mean_ranks,
            y=[0] * n_methods,
            mode="markers",
            marker={"size": 8, "color": theme.series[0], "line": {"color": theme.background, "width": 1}},
            customdata=[f"<b>{plain(name)}</b><br>mean rank {rank:.2f}" for name, rank in zip(*found[:2], strict=True)],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    )


def _add_bar(figure: go.Figure, theme: Theme, found: Ranks, group: list[int], y: float) -> None:
    names = ", ".join(short(found.methods[i]) for i in group[:8]) + (" …" if len(group) > 8 else "")
    figure.add_trace(
        go.Scatter(
            x=[found.mean_ranks[group[0]], found.mean_ranks[group[-1]]],
            y=[y, y],
            mode="lines",
            line={"color": theme.series[1], "width": 5},
            name="do not differ",
            customdata=[f"{len(group)} methods do not differ:<br>{names}"] * 2,
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )
    )


def _add_difference(figure: go.Figure, theme: Theme, difference: float, start: float) -> None:
    y, cap = 36, 5
    figure.add_trace(
        go.Scatter(
            x=[start, start, start, start + difference, start + difference, start + difference],
            y=[y - cap, y + cap, y, y, y + cap, y - cap],
            mode="lines",
            line={"color": theme.text, "width": 1.5},
            name="critical difference",
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    figure.add_annotation(
        x=start,
        y=y + cap,
        xanchor="left",
        yanchor="bottom",
        text=f"critical difference {difference:.2f}",
        showarrow=False,
        font={"size": 12, "color": theme.text},
    )


def _draw_axis(
    figure: go.Figure, theme: Theme, ends: tuple[float, float], n_methods: int, above: int, depth: int
) -> None:
    ticks = np.arange(ends[0], min(ends[1], n_methods) + _HAIR)
    step = next(s for s in (1, 2, 5, 10, 20) if len(ticks) / s <= 9)
    kept = [tick for tick in ticks if tick % step == 0 or tick == ticks[0] <= step * (tick // step + 0.5)]
    for tick in kept:
        figure.add_annotation(
            x=tick, y=5, yanchor="bottom", text=f"{tick:g}", showarrow=False, font={"size": 12, "color": theme.muted}
        )
    figure.add_trace(
        go.Scatter(
            x=[ends[0], ends[1]],
            y=[0, 0],
            mode="lines",
            line={"color": theme.text, "width": 1.5},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )
    # Drawn first, so that the marks of methods lie on the axis.
    figure.data = (figure.data[-1], *figure.data[:-1])
    for tick in kept:
        figure.add_shape(type="line", x0=tick, x1=tick, y0=0, y1=5, line={"color": theme.text, "width": 1.5})
    figure.update_xaxes(range=list(ends), visible=False, automargin=False)
    figure.update_yaxes(range=[-depth, above], visible=False, automargin=False)
    figure.add_annotation(
        x=0.5,
        xref="paper",
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-8,
        text="Mean rank, best on the left. A bar joins methods<br>that do not differ significantly.",
        showarrow=False,
        font={"size": 12, "color": theme.muted},
    )
