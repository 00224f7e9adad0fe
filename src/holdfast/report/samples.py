"""How much each sample counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.data import is_measured
from holdfast.report._inputs import labels, numbers
from holdfast.report._style import Theme, canvas, colour_bar, dashed, look, marker_style, plain, scale, see_through

Array = npt.NDArray[Any]
_MOST_STEMS = 150


def weight_profile(
    weights: Any,
    y: Any = None,
    names: Any = None,
    *,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How much each sample counts, in multiples of its fair share.

    Use it after instance weighting, to see which samples were turned down as untypical, whether they all come from
    one class, and whether the weights differ enough to matter.

    Parameters
    ----------
    weights : array-like of shape (n_samples,)
        Weight of each sample, on any scale; an object with ``weights_`` will do.
    y : array-like of shape (n_samples,), default=None
        Class of each sample, or a measured target, shown by colour.
    names : list of str, default=None
        Names of the samples, for the text under the pointer; None numbers the rows.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One point for each sample, heaviest first, and a line at 1.

    Examples
    --------
    >>> from holdfast.report import weight_profile
    >>> figure = weight_profile([0.1, 0.2, 0.3, 0.4], y=["sick", "sick", "well", "well"])
    >>> figure.layout.title.text
    '<b>The heaviest sample counts 1.60 times its fair share, the lightest 0.40 times.</b>'
    """
    colours = look(theme)
    found = numbers(getattr(weights, "weights_", weights), "weights")
    n_samples = len(found)
    if found.min() < 0 or found.sum() == 0:
        raise ValueError("weights must be 0 or more, with one above 0.")
    known = labels(names, n_samples, "samples", prefix="row ")
    target = None if y is None else np.asarray(y)
    if target is not None and target.shape != (n_samples,):
        raise ValueError(f"There are {n_samples} weights but y has the shape {target.shape}; give one label for each.")
    relative = found * (n_samples / found.sum())
    order = np.argsort(-relative, kind="stable")
    figure = canvas(
        colours,
        title=_title(relative) if title is None else title,
        x_title="Samples, heaviest first",
        y_title="Weight, in multiples of the mean",
    )
    place = np.empty(n_samples, dtype=np.int64)
    place[order] = np.arange(1, n_samples + 1)
    dashed(figure, colours, y=1.0, label="equal weights")
    if target is not None and is_measured(target):
        _add_measured(figure, colours, place, relative, known, target)
    else:
        _add_classes(figure, colours, place, relative, known, target)
    figure.update_xaxes(range=[0, n_samples + 1], showgrid=False)
    figure.update_yaxes(range=[0, max(1.1, float(relative.max()) * 1.05)])
    return figure


def _title(relative: Array) -> str:
    if np.allclose(relative, 1):
        return "All samples count alike."
    most, least = float(relative.max()), float(relative.min())
    return f"The heaviest sample counts {most:.2f} times its fair share, the lightest {least:.2f} times."


def _hover(what: str) -> str:
    return f"<b>%{{customdata[0]}}</b>{what}<br>counts %{{y:.2f}} times<extra></extra>"


def _add_classes(
    figure: go.Figure, theme: Theme, place: Array, relative: Array, names: list[str], target: Array | None
) -> None:
    classes = [None] if target is None else np.unique(target).tolist()
    for number, label in enumerate(classes):
        here = np.flatnonzero(np.ones(len(place), dtype=bool) if target is None else target == label)
        here = here[np.argsort(place[here])]
        style = marker_style(theme, number)
        if len(place) <= _MOST_STEMS:
            _add_stems(figure, place[here], relative[here], see_through(style["color"], 0.45), str(label))
        what = "" if target is None else f"<br>class {plain(label)}"
        figure.add_trace(
            go.Scatter(
                x=place[here],
                y=relative[here],
                mode="markers",
                marker=style,
                name=plain(f"{label} ({len(here)} samples)"),
                legendgroup=str(label),
                showlegend=target is not None,
                customdata=[[plain(names[i])] for i in here],
                hovertemplate=_hover(what),
            )
        )


def _add_stems(figure: go.Figure, x: Array, y: Array, colour: str, group: str) -> None:
    """A line from each point to 1, as one trace with breaks."""
    gap = np.full(len(x), np.nan)
    figure.add_trace(
        go.Scatter(
            x=np.column_stack([x, x, gap]).ravel(),
            y=np.column_stack([np.ones(len(x)), y, gap]).ravel(),
            mode="lines",
            line={"color": colour, "width": 1.5},
            legendgroup=group,
            showlegend=False,
            hoverinfo="skip",
        )
    )


def _add_measured(
    figure: go.Figure, theme: Theme, place: Array, relative: Array, names: list[str], target: Array
) -> None:
    figure.add_trace(
        go.Scatter(
            x=place,
            y=relative,
            mode="markers",
            marker={
                "size": 9,
                "color": numbers(target, "y"),
                # The faint end of the scale would vanish in the background.
                "colorscale": scale(theme.sequential[1:]),
                "line": {"color": theme.muted, "width": 0.5},
                "colorbar": colour_bar(theme, "target"),
            },
            showlegend=False,
            customdata=[[plain(name), value] for name, value in zip(names, target.tolist(), strict=True)],
            hovertemplate=_hover("<br>target %{customdata[1]:.3g}"),
        )
    )
