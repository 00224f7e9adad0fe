"""The values of a few features in every sample, class beside class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.evaluate._trained import PER_SET, POOLED, TRAIN
from holdfast.evaluate.values import WHOLE
from holdfast.report._results import require_result
from holdfast.report._style import Theme, canvas, clipped, look, marker_style, plain, see_through, short
from holdfast.report._summary import reach

if TYPE_CHECKING:
    from holdfast.evaluate.values import FeatureValues

Array = npt.NDArray[Any]
# Part of a row that its classes fill together, and part of a class's share over which its points are strewn.
_FILLED, _STREWN = 0.72, 0.7
_UNITS = {
    None: "Value",
    POOLED: "Value<br>(0 to 1 in all samples)",
    TRAIN: "Value<br>(0 to 1 in the training part)",
    PER_SET: "Value<br>(0 to 1 in each part)",
}
# Fractions of multiples of this are spread evenly, however many there are.
_GOLDEN = 0.6180339887498949


def value_strips(result: FeatureValues, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """The value of each feature of a set in every sample, with the range of each class.

    Use it to see what a set rests on: ranges that do not overlap in the training part but do so in the test part are
    the errors to come.

    Parameters
    ----------
    result : FeatureValues
        What ``evaluate.feature_values`` gave.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One row for each feature and part, and in it a strip for each class: its range, and a point for each sample.

    Examples
    --------
    >>> from holdfast.evaluate import feature_values
    >>> from holdfast.report import value_strips
    >>> X, y = [[0.0, 5.0], [2.0, 1.0], [3.0, 2.0], [4.0, 4.0]], ["sick", "sick", "well", "well"]
    >>> figure = value_strips(feature_values(X, y, [0, 1], feature_names=["MYC", "TP53"]))
    >>> figure.layout.title.text
    '<b>The classes do not overlap in 1 of 2 features.</b>'
    """
    colours = look(theme)
    require_result(result, "FeatureValues", "evaluate.feature_values")
    rows = [(i, part) for i in range(len(result.features)) for part in result.parts]
    n_classes = len(result.classes)
    figure = canvas(
        colours,
        title=_title(result) if title is None else title,
        x_title=_UNITS[result.scale],
        height=max(320, 190 + (14 + 16 * n_classes) * len(rows)),
    )
    for number, label in enumerate(result.classes):
        offset = _FILLED * ((number + 0.5) / n_classes - 0.5)
        _add_class(figure, colours, result, rows, number, label, offset)
    for edge in range(len(result.parts), len(rows), len(result.parts)):
        line = {"color": colours.grid, "width": 1}
        figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=edge - 0.5, y1=edge - 0.5, line=line)
    figure.update_xaxes(range=reach(result.values.ravel().tolist(), room=0.03))
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=list(range(len(rows))),
        ticktext=[_row_name(result, i, part) for i, part in rows],
        tickfont={"color": colours.text},
        showgrid=False,
    )
    return figure


def _row_name(result: FeatureValues, feature: int, part: str) -> str:
    name = short(result.features[feature])
    return name if result.parts == [WHOLE] else f"{name}<br>{short(part)}"


def _add_class(
    figure: go.Figure,
    theme: Theme,
    result: FeatureValues,
    rows: list[tuple[int, str]],
    number: int,
    label: Any,
    offset: float,
) -> None:
    style = marker_style(theme, number)
    spread = _FILLED / len(result.classes) * _STREWN
    x, y, told, ranges = [], [], [], []
    for row, (i, part) in enumerate(rows):
        here = np.flatnonzero((result.part == part) & (result.labels == label))
        if len(here) == 0:
            continue
        values = result.values[here, i]
        x += values.tolist()
        y += (row + offset + spread * ((np.arange(len(here)) * _GOLDEN) % 1.0 - 0.5)).tolist()
        told += [
            f"<b>{plain(result.samples[sample])}</b>, {plain(label)}<br>{plain(result.features[i])}" for sample in here
        ]
        ranges.append((float(values.min()), float(values.max()), row + offset))
    figure.add_trace(
        go.Scatter(
            x=[place for low, high, _ in ranges for place in (low, high, None)],
            y=[place for _, _, at in ranges for place in (at, at, None)],
            mode="lines",
            line={"color": see_through(style["color"], 0.25), "width": 11},
            legendgroup=str(label),
            showlegend=False,
            hoverinfo="skip",
        )
    )
    n_samples = int((result.labels == label).sum())
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={**style, "size": 6, "line": {"color": theme.background, "width": 0.5}},
            name=plain(f"{clipped(label, 30)} ({n_samples})"),
            legendgroup=str(label),
            customdata=told,
            hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
        )
    )


def _title(result: FeatureValues) -> str:
    overlaps = result.overlaps()
    apart = {part: [name for name in result.features if _are_apart(overlaps, name, part)] for part in result.parts}
    n_features = len(result.features)
    some = "1 feature" if n_features == 1 else f"{n_features} features"
    if any(apart.values()):
        places = "".join(
            f"{', and' if number else ''} in {len(names) or 'none'}{'' if number else f' of {some}'}{_in_part(part)}"
            for number, (part, names) in enumerate(apart.items())
        )
        return f"The classes do not overlap{places}."
    least = min(overlaps, key=lambda row: row["overlap"], default=None)
    if least is None:
        return f"The values of {some}."
    where = "" if least["part"] == WHOLE else f" in {clipped(least['part'], 20)}"
    return (
        f"The classes overlap in every feature, least in {clipped(least['feature'])}{where} ({least['overlap']:.2f})."
    )


def _are_apart(overlaps: list[dict[str, Any]], feature: str, part: str) -> bool:
    own = [row["is_apart"] for row in overlaps if row["feature"] == feature and row["part"] == part]
    return bool(own) and all(own)


def _in_part(part: str) -> str:
    return "" if part == WHOLE else f" in {clipped(part, 20)}"
