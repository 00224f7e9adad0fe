"""The values of chosen features in all samples, as colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._inputs import labels
from holdfast.report._style import Theme, canvas, clipped, colour_bar, look, plain, scale, see_through, short
from holdfast.report._summary import summary_of

Array = npt.NDArray[Any]
_FURTHEST = 2.5
_MOST_MEANS = 8
# A phone leaves the plot about this many characters of a line.
_PHONE_LINE = 38


def heat_map(study: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """The values of the recommended features in all samples, class by class.

    Use it to see what a signature rests on: features that differ between the classes change colour from block to
    block, and samples that look like another class stand out as stripes.

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
        One row for each feature and one column for each sample, as z-scores; values beyond 2.5 have the colour of
        2.5, and missing ones are grey.

    Examples
    --------
    >>> from holdfast.report import heat_map
    >>> values = {"features": ["MYC", "TP53"], "samples": ["a", "b"], "classes": ["sick", "well"]}
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "heat_map": {**values, "values": [[1.2, -1.2], [None, 0.1]]},
    ... }
    >>> heat_map(study).layout.title.text
    '<b>2 features in 2 samples: MYC differs most between the classes.</b>'
    """
    colours = look(theme)
    summary = summary_of(study)
    source = summary.get("heat_map")
    if not source or not source["features"] or not source["samples"]:
        raise ValueError("The study holds no values of samples, so there is no heat map to draw.")
    cells, features, samples, target = _checked(source)
    is_missing = ~np.isfinite(cells)
    classes = _classes(summary, target)
    blocks = [np.flatnonzero(target == name) for name in classes]
    means = np.column_stack([_mean(cells[:, rows]) for rows in blocks])
    gap = max(1.0, len(samples) / 70) if len(blocks) > 1 else 0.0
    starts = np.cumsum([0, *(len(rows) + gap for rows in blocks[:-1])])
    figure = canvas(
        colours,
        title=_title(features, samples, means) if title is None else title,
        x_title="Samples (grey: missing)" if is_missing.any() else "Samples",
        height=max(320, 190 + 17 * len(features)),
    )
    for rows, start, name in zip(blocks, starts, classes, strict=True):
        _add_block(figure, colours, cells[:, rows], float(start), name)
    ticks = np.concatenate([start + np.arange(len(rows)) for rows, start in zip(blocks, starts, strict=True)])
    width = float(starts[-1] + len(blocks[-1]))
    # Samples and means have no room on the axes, but plotly looks them up there for the text under the pointer: one
    # entry for each row and column takes a fraction of what one for each cell would.
    hidden = {"showticklabels": False, "showgrid": False, "showline": False, "ticks": ""}
    names = [plain(samples[i]) for rows in blocks for i in rows]
    figure.update_xaxes(range=[-0.5, width - 0.5], tickvals=ticks, ticktext=names, **hidden)
    axis = {"range": [len(features) - 0.5, -1.6], "tickvals": np.arange(len(features))}
    told = [_hover(feature, classes, mean) for feature, mean in zip(features, means, strict=True)]
    figure.update_layout(yaxis2={**axis, "overlaying": "y", "ticktext": told, "zeroline": False, **hidden})
    figure.update_yaxes(
        **axis,
        selector={"overlaying": None},
        ticktext=[short(name) for name in features],
        tickfont={"size": 11, "color": colours.text},
        showgrid=False,
        showline=False,
        ticks="",
        ticklabelstandoff=4,
    )
    # An axis that nothing is drawn on would not be shown.
    figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", showlegend=False, hoverinfo="skip"))
    _name_blocks(figure, colours, classes, blocks, starts, width)
    if is_missing.any():
        _add_grey(figure, colours, cells, blocks, starts)
    return figure


def _checked(source: Mapping[str, Any]) -> tuple[Array, list[str], list[str], Array]:
    rows = [[np.nan if value is None else value for value in row] for row in source["values"]]
    features = labels(source["features"], len(rows), "rows of values", prefix="")
    n_samples = len(source["samples"])
    if any(len(row) != n_samples for row in rows):
        raise ValueError(f"heat_map names {n_samples} samples, but not every row of its values has as many.")
    samples = labels(source["samples"], n_samples, "samples", prefix="")
    target = np.array(labels(source["classes"], n_samples, "samples", prefix=""), dtype=object)
    return np.array(rows, dtype=np.float64), features, samples, target


def _classes(summary: Mapping[str, Any], target: Array) -> list[str]:
    """Classes in the order of the plan; those that it does not name last."""
    plan = (summary.get("plan") or {}).get("data", {}).get("classes") or {}
    there = set(target.tolist())
    return [name for name in dict.fromkeys([*map(str, plan), *target.tolist()]) if name in there]


def _mean(cells: Array) -> Array:
    """Mean of each row, NaN where nothing was measured."""
    n_known = np.isfinite(cells).sum(axis=1)
    total = np.nansum(cells, axis=1)
    mean: Array = np.divide(total, n_known, out=np.full(len(cells), np.nan), where=n_known > 0)
    return mean


def _title(features: list[str], samples: list[str], means: Array) -> str:
    some = f"{len(features)} feature{'s' if len(features) > 1 else ''} in {len(samples)} samples"
    is_known = np.isfinite(means).all(axis=1)
    apart = np.where(is_known, np.ptp(np.nan_to_num(means), axis=1), 0.0)
    if len(features) < 2 or apart.max() == 0:
        return f"{some}."
    return f"{some}: {clipped(features[int(apart.argmax())])} differs most between the classes."


def _add_block(figure: go.Figure, theme: Theme, cells: Array, start: float, name: str) -> None:
    figure.add_trace(
        go.Heatmap(
            z=cells,
            x=start + np.arange(cells.shape[1]),
            y=np.arange(len(cells)),
            yaxis="y2",
            zmin=-_FURTHEST,
            zmax=_FURTHEST,
            # Warm for high, as heat maps of expression are read.
            colorscale=scale(theme.diverging[::-1]),
            name=plain(name),
            hovertemplate="%{y}<br>%{x}: %{z:.2f}<extra></extra>",
            hoverongaps=False,
            showscale=not figure.data,
            colorbar=colour_bar(
                theme,
                "z-score",
                tickvals=[-_FURTHEST, -1, 0, 1, _FURTHEST],
                ticktext=[f"≤ −{_FURTHEST}", "−1", "0", "1", f"≥ {_FURTHEST}"],
            ),
        )
    )


def _hover(feature: str, classes: list[str], means: Array) -> str:
    """Name and class means of a feature; of many classes only the ends."""
    shown = list(range(len(classes)))
    if len(classes) > _MOST_MEANS and np.isfinite(means).any():
        shown = sorted({int(np.nanargmin(means)), int(np.nanargmax(means))})
    lines = [f"mean of {plain(clipped(classes[i]))}: {_number(means[i])}" for i in shown]
    return "<br>".join([f"<b>{plain(feature)}</b>", *lines])


def _number(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "not known"


def _name_blocks(
    figure: go.Figure, theme: Theme, classes: list[str], blocks: list[Array], starts: Array, width: float
) -> None:
    """A strip of colour above each class with its name, or with a number where a name would not fit on a phone."""
    counted = [f"{clipped(name)} ({len(rows)})" for name, rows in zip(classes, blocks, strict=True)]
    room = [_PHONE_LINE * len(rows) / width for rows in blocks]
    has_room = all(len(text) <= place for text, place in zip(counted, room, strict=True))
    for number, (rows, start, text) in enumerate(zip(blocks, starts, counted, strict=True)):
        edges = {"x0": start - 0.5, "x1": start + len(rows) - 0.5, "y0": -1.45, "y1": -0.8}
        figure.add_shape(type="rect", yref="y", **edges, fillcolor=_colour(theme, number), line={"width": 0})
        figure.add_annotation(
            x=start + (len(rows) - 1) / 2,
            y=-1.6,
            yanchor="bottom",
            text=plain(text) if has_room else str(number + 1),
            showarrow=False,
            font={"size": 12, "color": theme.text},
        )
    if not has_room:
        _explain_numbers(figure, theme, counted)


def _colour(theme: Theme, number: int) -> str:
    return theme.series[number % len(theme.series)]


def _explain_numbers(figure: go.Figure, theme: Theme, names: list[str]) -> None:
    """What the numbers stand for, below the axis, in lines that a phone can show."""
    lines: list[str] = []
    used = _PHONE_LINE
    for number, name in enumerate(names):
        words = f'<span style="color:{_colour(theme, number)}">■</span> {number + 1} {plain(name)}'
        used += len(name) + 7
        if used > _PHONE_LINE:
            lines.append(words)
            used = len(name) + 7
        else:
            lines[-1] += f"&nbsp;&nbsp; {words}"
    below = "".join(f"<br>{line}" for line in lines)
    figure.update_xaxes(title_text=figure.layout.xaxis.title.text + f'<span style="font-size:12px">{below}</span>')
    figure.update_layout(height=figure.layout.height + 18 * len(lines))


def _add_grey(figure: go.Figure, theme: Theme, cells: Array, blocks: list[Array], starts: Array) -> None:
    """What shows through where a value is missing; the middle of the scale is the background itself."""
    grey = see_through(theme.muted, 0.45)
    for rows, start in zip(blocks, starts, strict=True):
        edges = {"x0": start - 0.5, "x1": start + len(rows) - 0.5, "y0": -0.5, "y1": len(cells) - 0.5}
        figure.add_shape(type="rect", **edges, fillcolor=grey, line={"width": 0}, layer="below")
