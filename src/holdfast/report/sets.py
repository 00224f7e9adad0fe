"""What is in a set of features: what each adds to it, and which other sets do as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from holdfast.report._results import require_result
from holdfast.report._style import Theme, canvas, clipped, look, plain, see_through, short
from holdfast.report._summary import reach

if TYPE_CHECKING:
    from holdfast.evaluate.diversity import Diversity
    from holdfast.evaluate.redundancy import Redundancy

WHOLE = "the whole set"
_ADDS = "adds to the set"
# Columns whose headings a phone has room for, with their values or alone.
_MOST_VALUES, _MOST_HEADINGS = 5, 6


def redundancy_bars(result: Redundancy, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """What a set is worth without each of its features, as a way from what the whole set is worth.

    Use it to see which feature carries a set, and whether one could go: a bar to the right is a gain without it.

    Parameters
    ----------
    result : Redundancy
        What ``evaluate.redundancy`` gave.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One bar for each feature, in the order of the set, and beside it accuracies without the feature.

    Examples
    --------
    >>> from holdfast.evaluate.redundancy import redundancy
    >>> from holdfast.report import redundancy_bars
    >>> X, names = [[0, 2], [1, 0], [3, 1], [4, 5], [8, 4]], ["MYC", "TP53"]
    >>> result = redundancy(X, [0, 0, 0, 1, 1], [0, 1], feature_names=names)
    >>> redundancy_bars(result).layout.title.text
    '<b>1 feature is redundant: without MYC the set is worth 0.945, with it 0.941.</b>'
    """
    colours = look(theme)
    require_result(result, "Redundancy", "evaluate.redundancy")
    rows = result.table()
    figure = canvas(
        colours,
        title=_redundancy_title(result) if title is None else title,
        x_title=f"Value without the feature<br>({plain(clipped(result.measure))})",
        height=max(260, 170 + 34 * len(rows)),
    )
    figure.add_shape(
        type="line", x0=result.value, x1=result.value, y0=0, y1=1, yref="paper",
        line={"color": colours.text, "width": 1.5, "dash": "dash"},
    )  # fmt: skip
    for is_redundant, colour, legend in ((False, colours.series[0], _ADDS), (True, colours.series[1], "redundant")):
        here = [i for i, row in enumerate(rows) if row["is_redundant"] is is_redundant]
        if here:
            _add_ways(figure, rows, here, result.value, colour, legend)
    figure.add_trace(
        go.Scatter(
            x=[result.value],
            y=[0],
            mode="markers",
            marker={"color": colours.text, "size": 11, "symbol": "diamond"},
            showlegend=False,
            hovertemplate=f"<b>{WHOLE}</b><br>{_told(rows[0])}<extra></extra>",
        )
    )
    figure.update_xaxes(range=reach([row["value"] for row in rows], room=0.08), nticks=4, tickangle=0)
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[WHOLE, *(short(name) for name in result.features)],
        tickfont={"color": colours.text},
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
    )
    figure.update_layout(bargap=0.55, showlegend=bool(result.is_redundant.any()))
    _add_accuracies(figure, colours, rows)
    return figure


def _redundancy_title(result: Redundancy) -> str:
    n_spare = int(result.is_redundant.sum())
    if n_spare:
        best = int(np.argmax(result.value_without))
        some = "1 feature is" if n_spare == 1 else f"{n_spare} features are"
        name, value = clipped(result.features[best]), result.value_without[best]
        return f"{some} redundant: without {name} the set is worth {value:.3f}, with it {result.value:.3f}."
    most = int(np.argmin(result.value_without))
    name, value = clipped(result.features[most]), result.value_without[most]
    if len(result.features) == 1:
        return f"{name} alone is worth {result.value:.3f}."
    return f"No feature is redundant; without {name} the value falls furthest, from {result.value:.3f} to {value:.3f}."


def _told(row: dict[str, Any]) -> str:
    lines = [f"value {row['value']:.4f}"]
    for key, where in (("train_accuracy", "the samples trained on"), ("test_accuracy", "the test samples")):
        if key in row:
            lines.append(f"accuracy {row[key]:.4f} on {where}")
    return "<br>".join(lines)


def _add_ways(
    figure: go.Figure, rows: list[dict[str, Any]], here: list[int], value: float, colour: str, legend: str
) -> None:
    """Bars from the value of the whole set to that without a feature, with a point at the end."""
    figure.add_trace(
        go.Bar(
            x=[rows[i]["value"] - value for i in here],
            base=value,
            y=here,
            orientation="h",
            marker={"color": see_through(colour, 0.6), "line": {"width": 0}},
            showlegend=False,
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[rows[i]["value"] for i in here],
            y=here,
            mode="markers",
            marker={"color": colour, "size": 11, "symbol": "circle" if legend == _ADDS else "square"},
            name=legend,
            customdata=[f"<b>without {plain(rows[i]['without'])}</b><br>{_told(rows[i])}" for i in here],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_accuracies(figure: go.Figure, theme: Theme, rows: list[dict[str, Any]]) -> None:
    """Columns of numbers right of the bars."""
    columns = [(key, name) for key, name in (("train_accuracy", "train"), ("test_accuracy", "test")) if key in rows[0]]
    if not columns:
        return
    figure.update_layout(margin_r=20 + 48 * len(columns))
    style: dict[str, Any] = {"x": 1, "xref": "paper", "xanchor": "left", "showarrow": False}
    for number, (key, name) in enumerate(columns):
        style["xshift"] = 8 + 48 * number
        figure.add_annotation(
            **style, y=1, yref="paper", yanchor="bottom", text=f"<b>{name}</b>", font={"size": 12, "color": theme.muted}
        )
        best = max(row[key] for row in rows)
        for y, row in enumerate(rows):
            font = {"size": 12, "color": theme.text if row[key] == best else theme.muted}
            figure.add_annotation(**style, y=y, yanchor="middle", text=f"{row[key]:.3f}", font=font)


def diversity_matrix(result: Diversity, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """Which features are in which of several sets that do as well.

    Use it to see what sets agree on: a row that is filled throughout cannot be replaced, and sets without a common row
    tell the target by quite different features.

    Parameters
    ----------
    result : Diversity
        What ``evaluate.diversity`` gave.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One row for each feature, those of most sets at the top, and one column for each set, with a cross where the
        feature was left out on the way to the set.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate.diversity import diversity
    >>> from holdfast.report import diversity_matrix
    >>> made = copies(n_samples=60, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = diversity("f-test(n_features_to_select=2)", made.X, made.y, slack=0.3, max_models=5)
    >>> diversity_matrix(result).layout.title.text
    '<b>5 sets do about as well: x13 is in 3, and 2 of 10 pairs share no feature.</b>'
    """
    colours = look(theme)
    require_result(result, "Diversity", "evaluate.diversity")
    n_rows, n_models = result.incidence.shape
    headings = range(0, n_models, -(-n_models // _MOST_HEADINGS))
    figure = canvas(
        colours,
        title=_diversity_title(result) if title is None else title,
        x_title="Sets as they were found<br>(× left out on the way)",
        height=max(320, 210 + 24 * n_rows),
    )
    left_out = [[name in model.excluded for model in result.models] for name in result.features]
    figure.add_trace(
        go.Heatmap(
            z=result.incidence.astype(int),
            x=list(range(n_models)),
            y=list(range(n_rows)),
            zmin=0,
            zmax=1,
            colorscale=[[0.0, colours.shade], [1.0, colours.series[0]]],
            showscale=False,
            xgap=3,
            ygap=3,
            text=[["×" if is_out else "" for is_out in row] for row in left_out],
            texttemplate="%{text}",
            textfont={"color": colours.muted, "size": 15 if n_models <= 2 * _MOST_VALUES else 9},
            customdata=_cells(result, left_out),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    figure.update_xaxes(
        tickvals=list(headings),
        ticktext=[_heading(result, number) for number in headings],
        tickfont={"color": colours.text, "size": 12},
        tickangle=0,
        showgrid=False,
        showline=False,
        ticks="",
        side="top",
        title_standoff=8,
    )
    figure.update_yaxes(
        range=[n_rows - 0.5, -0.5],
        tickvals=list(range(n_rows)),
        ticktext=[short(name) for name in result.features],
        tickfont={"color": colours.text},
        showgrid=False,
    )
    return figure


def _heading(result: Diversity, number: int) -> str:
    """Name of a set, with its value where there is room."""
    name = f"<b>{result.names[number]}</b>"
    return name if len(result.models) > _MOST_VALUES else f"{name}<br>value {result.models[number].value:.2f}"


def _cells(result: Diversity, left_out: list[list[bool]]) -> list[list[str]]:
    columns = []
    for name, model in zip(result.names, result.models, strict=True):
        lines = [f"value {model.value:.4f}"]
        if model.errors is not None:
            lines.append(f"{model.errors} error{'' if model.errors == 1 else 's'} in cross-validation")
        if model.excluded:
            lines.append(f"without {plain(clipped(', '.join(model.excluded), 60))}")
        columns.append((name, "<br>".join(lines)))
    return [
        [
            f"<b>{plain(feature)}</b> {'is in' if is_in else 'was left out on the way to' if is_out else 'is not in'} "
            f"{name}<br>{lines}"
            for is_in, is_out, (name, lines) in zip(row, out, columns, strict=True)
        ]
        for feature, row, out in zip(result.features, result.incidence, left_out, strict=True)
    ]


def _diversity_title(result: Diversity) -> str:
    n_models = len(result.models)
    if n_models == 1:
        return f"No other set did as well in {result.n_searches} search{'' if result.n_searches == 1 else 'es'}."
    often = int(result.incidence[0].sum())
    name = clipped(result.features[0])
    pairs = result.pairs()
    n_apart = sum(pair["shared"] == 0 for pair in pairs)
    apart = "every two share a feature" if n_apart == 0 else f"{n_apart} of {len(pairs)} pairs share no feature"
    in_all = f"all have {name}" if often == n_models else f"{name} is in {often}"
    return f"{n_models} sets do about as well: {in_all}, and {apart}."
