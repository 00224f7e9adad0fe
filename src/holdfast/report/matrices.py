"""Matrices as colours: which feature is added at which step (Michel's colour matrix), and which methods agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from holdfast.report._inputs import labels, numbers, shares, whole
from holdfast.report._style import canvas, colour_bar, look, plain, scale, short

Array = npt.NDArray[Any]
_MOST_NUMBERS = 12
_MOST_GAPS = 40


def colour_matrix(
    matrix: Any,
    names: Any = None,
    *,
    max_rows: int = 60,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """Which features were added at which step of a search, over repeated runs.

    Use it to see where a search is sure of itself: a dark cell means that most runs added the same feature at that
    step, and a clean diagonal that they all followed one order. A faded column is a step at which runs part.

    Parameters
    ----------
    matrix : array-like of shape (n_features, n_steps), or OrderStability
        Share of runs that added each feature (row) at each step (column); or what ``stability.by_size`` found, which
        brings names along.
    names : list of str, default=None
        Names of the features; None numbers the rows: x0, x1 and so on.
    max_rows : int, default=60
        Most features to show, those added in most runs; the others are summed in one last row.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        Rows in the order of the mean step at which runs added the feature.

    Examples
    --------
    >>> from holdfast.report import colour_matrix
    >>> figure = colour_matrix([[0.0, 0.9], [1.0, 0.0], [0.0, 0.1]], names=["MYC", "TP53", "ACTB"])
    >>> list(figure.layout.yaxis.ticktext)
    ['TP53', 'MYC', 'ACTB']
    """
    colours = look(theme)
    if hasattr(matrix, "colours"):
        names = [str(name) for name in matrix.features] if names is None else names
        matrix = matrix.colours
    found = shares(matrix, "matrix", dimensions=2)
    known = labels(names, len(found), "features", prefix="x")
    if not found.any():
        raise ValueError("matrix is zero everywhere: no run added a feature, so there is nothing to draw.")
    if found.sum(axis=0).max() > 1 + 1e-6:
        raise ValueError(
            f"Column {int(found.sum(axis=0).argmax())} of matrix sums to {found.sum(axis=0).max():g}, but a run adds "
            "one feature at each step, so columns sum to 1 at most. Rows are features and columns are steps."
        )
    cells, rows, hover, n_other = _rows_to_show(found, known, whole(max_rows, "max_rows"))
    n_steps = found.shape[1]
    figure = canvas(
        colours,
        title=_steps_title(found) if title is None else title,
        x_title="Step at which the feature was added",
        height=max(360, 170 + 15 * len(rows)),
    )
    gap = 1 if n_steps <= _MOST_GAPS else 0
    figure.add_trace(
        go.Heatmap(
            z=cells,
            x=np.arange(1, n_steps + 1),
            y=np.arange(len(rows)),
            zmin=0,
            zmax=1,
            # Small shares get more of the scale, so that scattered choices stay visible beside certain ones.
            colorscale=scale(colours.sequential, power=2),
            xgap=gap,
            ygap=1,
            customdata=np.repeat(np.array(hover, dtype=object)[:, None], n_steps, axis=1),
            hovertemplate="<b>%{customdata}</b><br>added at step %{x} in %{z:.1%} of runs<extra></extra>",
            colorbar=colour_bar(colours, "Share of runs", tickformat=".0%", tickvals=[0, 0.25, 0.5, 1]),
        )
    )
    if n_other:
        line = {"color": colours.muted, "width": 1}
        edge = len(rows) - 1.5
        figure.add_shape(type="line", x0=0, x1=1, xref="paper", y0=edge, y1=edge, line=line)
    figure.update_xaxes(range=[0.5, n_steps + 0.5], showgrid=False, ticks="outside")
    if n_steps <= 10:
        figure.update_xaxes(dtick=1)
    figure.update_yaxes(
        range=[len(rows) - 0.5, -0.5],
        tickvals=np.arange(len(rows)),
        ticktext=rows,
        tickfont={"size": 11, "color": colours.text},
        showgrid=False,
    )
    return figure


def _rows_to_show(matrix: Array, names: list[str], max_rows: int) -> tuple[Array, list[str], list[str], int]:
    """Cells, labels and full names of the rows, earliest first, and how many features the last row sums up."""
    totals = matrix.sum(axis=1)
    n_ever = int((totals > 0).sum())
    kept = np.argsort(-totals, kind="stable")[: min(max_rows, n_ever)]
    steps = np.arange(1, matrix.shape[1] + 1)
    kept = kept[np.argsort((matrix[kept] @ steps) / totals[kept], kind="stable")]
    cells, full = matrix[kept], [names[i] for i in kept]
    n_other = n_ever - len(kept)
    rows = [short(name) for name in full]
    hover = [plain(name) for name in full]
    if n_other:
        cells = np.vstack([cells, np.clip(matrix.sum(axis=0) - cells.sum(axis=0), 0, 1)])
        rows.append(f"<i>{n_other} other{'s' if n_other > 1 else ''}</i>")
        hover.append(f"{n_other} other feature{'s' if n_other > 1 else ''} together")
    return cells, rows, hover, n_other


def _steps_title(matrix: Array) -> str:
    n_sure, n_steps = int((matrix.max(axis=0) > 0.5).sum()), matrix.shape[1]
    if n_sure == 0:
        return "At no step did most runs add the same feature."
    return f"At {n_sure} of {n_steps} steps, most runs added the same feature."


def agreement(
    matrix: Any,
    names: Any,
    *,
    limits: tuple[float, float] | None = None,
    measure: str = "Agreement",
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How far each pair of methods agrees, with like methods side by side.

    Use it to see which methods tell the same story and which stand alone, before you join them in an ensemble.

    Parameters
    ----------
    matrix : array-like of shape (n_methods, n_methods)
        A symmetric measure of agreement, higher for more alike.
    names : list of str
        Names of the methods.
    limits : tuple of two floats, default=None
        Range of the measure. None takes 0 to 1, or -1 to 1 where values are negative; a range on both sides of 0 is
        coloured from 0 in two directions.
    measure : str, default="Agreement"
        Name of the measure, for the scale of colours.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        Methods in the order of a hierarchical clustering, with numbers in the cells of up to 12 methods.

    Examples
    --------
    >>> from holdfast.report import agreement
    >>> figure = agreement([[1, 0.1, 0.8], [0.1, 1, 0.2], [0.8, 0.2, 1]], ["t-test", "cfs", "f-test"])
    >>> figure.layout.title.text
    '<b>t-test and f-test agree most (0.80), t-test and cfs least (0.10).</b>'
    """
    colours = look(theme)
    found = numbers(matrix, "matrix", dimensions=2)
    n_methods = len(found)
    if found.shape != (n_methods, n_methods) or n_methods < 2:
        raise ValueError(f"matrix must be square, for at least 2 methods, but has the shape {found.shape}.")
    if not np.allclose(found, found.T, atol=1e-8):
        raise ValueError("matrix is not symmetric: how far a agrees with b must be how far b agrees with a.")
    known = labels(names, n_methods, "methods", prefix="method ")
    has_numbers = n_methods <= _MOST_NUMBERS
    bottom, top = _limits(found, limits)
    order = _like_beside_like(found)
    cells = found[np.ix_(order, order)]
    ordered = [plain(known[i]) for i in order]
    figure = canvas(
        colours,
        title=_pairs_title(found, known) if title is None else title,
        height=min(1000, (180 + 46 * n_methods) if has_numbers else (240 + 24 * n_methods)),
    )
    furthest = max(top, -bottom)
    is_two_sided = bottom < 0 < top
    figure.add_trace(
        go.Heatmap(
            z=cells,
            zmin=-furthest if is_two_sided else bottom,
            zmax=furthest if is_two_sided else top,
            colorscale=scale(colours.diverging if is_two_sided else colours.sequential),
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}" if has_numbers else None,
            customdata=[[f"{one} and {other}" for other in ordered] for one in ordered],
            hovertemplate=f"<b>%{{customdata}}</b><br>{plain(measure)} %{{z:.3f}}<extra></extra>",
            showscale=not has_numbers,
            colorbar=colour_bar(colours, measure),
        )
    )
    ticks = {"tickvals": np.arange(n_methods), "ticktext": [short(known[i]) for i in order], "showgrid": False}
    figure.update_xaxes(**ticks, showline=False, ticks="")
    figure.update_yaxes(**ticks, range=[n_methods - 0.5, -0.5])
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        axis.tickfont = {"color": colours.text, "size": 12 if has_numbers else 10}
    return figure


def _limits(matrix: Array, limits: tuple[float, float] | None) -> tuple[float, float]:
    if limits is None:
        limits = (-1.0 if matrix.min() < 0 else 0.0, 1.0)
    bottom, top = (float(end) for end in limits)
    if not bottom < top:
        raise ValueError(f"limits={limits!r} is not allowed. Pass the lower and the upper end, such as (0, 1).")
    if matrix.min() < bottom - 1e-9 or matrix.max() > top + 1e-9:
        raise ValueError(
            f"matrix goes from {matrix.min():g} to {matrix.max():g}, outside of limits={limits!r}. "
            "Pass the range of the measure as limits."
        )
    return bottom, top


def _like_beside_like(matrix: Array) -> Array:
    """The order of the leaves of an average-linkage tree, neighbours as alike as the tree allows."""
    if len(matrix) < 3:
        return np.arange(len(matrix))
    between = np.clip(matrix.max() - matrix, 0, None)
    np.fill_diagonal(between, 0)
    tree = linkage(squareform((between + between.T) / 2, checks=False), method="average", optimal_ordering=True)
    order: Array = leaves_list(tree)
    return order


def _pairs_title(matrix: Array, names: list[str]) -> str:
    first, second = np.triu_indices(len(matrix), k=1)
    values = matrix[first, second]
    most, least = int(values.argmax()), int(values.argmin())

    def pair(k: int) -> str:
        return f"{names[first[k]]} and {names[second[k]]}"

    if values[most] == values[least]:
        return f"All pairs agree alike ({values[most]:.2f})."
    return f"{pair(most)} agree most ({values[most]:.2f}), {pair(least)} least ({values[least]:.2f})."
