"""How often features are chosen: as curves over all features (Han 2012, Figure 7.7), and as bars with names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._inputs import by_name, frequency_of, labels, percent, share, whole
from holdfast.report._style import Theme, canvas, dashed, line_style, look, plain, short

Array = npt.NDArray[Any]
# Shares are sums of runs divided by their number, so that 0.6 may come a hair below 0.6.
_HAIR = 1e-9


def frequency_curve(
    frequencies: Any,
    *,
    names: Any = None,
    n_selected: int | None = None,
    lines: Sequence[float] = (0.5, 0.85),
    log_x: bool | None = None,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How often features are chosen, in decreasing order, for one method or several.

    Use it to see at a glance how stable methods are: one that always chose the same features would fill the shaded
    rectangle, and what lies right of it is the tail of features that came and went.

    Parameters
    ----------
    frequencies : dict of str to array-like of shape (n_features,), or one of them
        Share of runs that chose each feature, for each method; objects with ``frequency`` or ``frequency_`` will do.
    names : list of str, default=None
        Names of the features, for the text under the pointer.
    n_selected : int, default=None
        Width of the rectangle: how many features a run chooses. None takes the mean of the runs of each method.
    lines : sequence of float, default=(0.5, 0.85)
        Shares of runs to mark; the legend counts the features above each.
    log_x : bool, default=None
        Whether ranks are spaced by their logarithm; None does so where the tail is more than 4 times as long as the
        rectangle is wide.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One curve for each method.

    Examples
    --------
    >>> from holdfast.report import frequency_curve
    >>> figure = frequency_curve({"mrmr": [1.0, 0.9, 0.1, 0.0], "t-test": [1.0, 0.4, 0.4, 0.2]})
    >>> figure.layout.title.text
    '<b>mrmr comes closest to choosing the same features in every run.</b>'
    """
    colours = look(theme)
    curves = {name: frequency_of(values, name) for name, values in by_name(frequencies, "selection").items()}
    marks = [share(mark, "lines") for mark in lines]
    sizes = {}
    for name, frequency in curves.items():
        if not frequency.any():
            raise ValueError(f"{name}: no feature was chosen in any run, so there is no curve to draw.")
        sizes[name] = max(1, round(float(frequency.sum()))) if n_selected is None else whole(n_selected, "n_selected")
    figure = canvas(
        colours,
        title=_curve_title(curves, sizes) if title is None else title,
        x_title="Features, most often chosen first",
        y_title="Share of runs that chose the feature",
    )
    _add_rectangles(figure, colours, sorted(set(sizes.values())))
    for number, (name, frequency) in enumerate(curves.items()):
        _add_curve(figure, colours, number, name, frequency, names, marks)
    for mark in marks:
        dashed(figure, colours, y=mark, label=percent(mark))
    longest = max(int((frequency > 0).sum()) for frequency in curves.values())
    last = max(longest, *sizes.values()) + 1
    if last > 4 * max(sizes.values()) if log_x is None else log_x:
        # Written out, since plotly would label 20 as 2.
        at = [step * 10**power for power in range(7) for step in (1, 2, 5) if step * 10**power <= last]
        at = at if last < 1000 else [tick for tick in at if str(tick).startswith("1")]
        reach = [0, float(np.log10(last * 1.03))]
        figure.update_xaxes(type="log", range=reach, tickvals=at, ticktext=[f"{tick:,}" for tick in at])
    else:
        figure.update_xaxes(range=[0, last * 1.02])
    figure.update_yaxes(range=[0, 1.04], tickformat=".0%")
    return figure


def _curve_title(curves: dict[str, Array], sizes: dict[str, int]) -> str:
    covered = {name: float(np.sort(f)[::-1][: sizes[name]].sum()) / sizes[name] for name, f in curves.items()}
    best = max(covered, key=lambda name: covered[name])
    if len(curves) > 1:
        return f"{best} comes closest to choosing the same features in every run."
    n_often, n_ever = int((curves[best] > 0.5 + _HAIR).sum()), int((curves[best] > 0).sum())
    return f"Of {n_ever} features chosen at least once, {n_often} came back in more than half of the runs."


def _add_rectangles(figure: go.Figure, theme: Theme, widths: list[int]) -> None:
    """What perfect stability would look like; one rectangle when all methods choose as many features."""
    for width in widths:
        figure.add_trace(
            go.Scatter(
                x=[0.5, width + 0.5, width + 0.5],
                y=[1, 1, 0],
                mode="lines",
                line={"color": theme.muted, "width": 1},
                fill="tozeroy",
                fillcolor=theme.shade,
                name=f"same {width} features in every run",
                hoverinfo="skip",
            )
        )


def _add_curve(
    figure: go.Figure, theme: Theme, number: int, name: str, frequency: Array, names: Any, marks: list[float]
) -> None:
    known = labels(names, len(frequency), f"features of {name}", prefix="feature ")
    order = np.argsort(-frequency, kind="stable")[: int((frequency > 0).sum()) + 1]
    counts = ", ".join(f"{int((frequency > mark + _HAIR).sum())} over {percent(mark)}" for mark in marks)
    figure.add_trace(
        go.Scatter(
            x=np.arange(1, len(order) + 1),
            y=frequency[order],
            mode="lines",
            line={**line_style(theme, number), "shape": "hvh"},
            name=plain(f"{name} ({counts})" if counts else name),
            customdata=[plain(known[i]) for i in order],
            hovertemplate=f"<b>%{{customdata}}</b><br>chosen in %{{y:.0%}} of runs<br>rank %{{x}} of {plain(name)}"
            "<extra></extra>",
        )
    )


def frequency_bars(
    frequency: Any,
    names: Any = None,
    *,
    n_top: int = 30,
    threshold: float | None = None,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How often the most chosen features were chosen, with their names.

    Use it to read a signature, and with a threshold also what lies below it: features that a few more runs, or other
    samples, would have put on the other side.

    Parameters
    ----------
    frequency : array-like of shape (n_features,)
        Share of runs that chose each feature; an object with ``frequency`` or ``frequency_`` will do.
    names : list of str, default=None
        Names of the features; None numbers the columns: x0, x1 and so on.
    n_top : int, default=30
        Most features to show; features that were never chosen are left out.
    threshold : float, default=None
        Share of runs from which on a feature is kept; drawn as a line, with features below it in a lighter shade.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One bar for each feature, the most often chosen at the top.

    Examples
    --------
    >>> from holdfast.report import frequency_bars
    >>> figure = frequency_bars([0.2, 0.9, 0.7], names=["TP53", "MYC", "ACTB"], threshold=0.6)
    >>> figure.layout.title.text
    '<b>2 features were chosen in at least 60% of the runs.</b>'
    """
    colours = look(theme)
    found = frequency_of(frequency, "frequency")
    known = labels(names, len(found), "features", prefix="x")
    cut = None if threshold is None else share(threshold, "threshold")
    order = np.argsort(-found, kind="stable")[: min(whole(n_top, "n_top"), int((found > 0).sum()))]
    if len(order) == 0:
        raise ValueError("No feature was chosen in any run, so there are no bars to draw.")
    shown = found[order]
    figure = canvas(
        colours,
        title=_bars_title(found, known, order, cut) if title is None else title,
        x_title="Share of runs",
        height=max(300, 160 + 20 * len(order)),
    )
    is_kept = np.ones(len(order), dtype=bool) if cut is None else shown >= cut - _HAIR
    for kept, colour, words in (
        (True, colours.series[0], "at or above the cut"),
        (False, colours.faint, "below the cut"),
    ):
        here = np.flatnonzero(is_kept == kept)
        if len(here):
            figure.add_trace(
                go.Bar(
                    x=shown[here],
                    y=here,
                    orientation="h",
                    marker={"color": colour, "line": {"width": 0}},
                    name=words,
                    showlegend=cut is not None,
                    customdata=[plain(known[order[i]]) for i in here],
                    hovertemplate="<b>%{customdata}</b><br>chosen in %{x:.1%} of runs<extra></extra>",
                )
            )
    if cut is not None:
        dashed(figure, colours, x=cut, label=f"cut at {percent(cut)}")
    figure.update_layout(bargap=0.3)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(
        tickvals=np.arange(len(order)),
        ticktext=[short(known[i]) for i in order],
        tickfont={"color": colours.text},
        range=[len(order) - 0.4, -0.6],
        showgrid=False,
    )
    return figure


def _bars_title(frequency: Array, names: list[str], order: Array, cut: float | None) -> str:
    if cut is None:
        return f"{names[order[0]]} was chosen most often, in {percent(frequency[order[0]])} of the runs."
    n_kept = int((frequency >= cut - _HAIR).sum())
    some = "No feature was" if n_kept == 0 else "1 feature was" if n_kept == 1 else f"{n_kept} features were"
    return f"{some} chosen in at least {percent(cut)} of the runs."
