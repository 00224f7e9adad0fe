"""Stability against accuracy: which configurations of a study no other beats in both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import plotly.graph_objects as go

from holdfast.evaluate.pareto import pareto_front
from holdfast.report._style import Theme, canvas, clipped, look, many_names, marker_style, plain, see_through, short
from holdfast.report._summary import (
    SMALLER_IS_BETTER,
    Result,
    Value,
    check_index,
    ends,
    inside,
    numbered,
    reach,
    results_of,
    selection_of,
    size_words,
    stability_of,
    summary_of,
    value_of,
    whiskers,
    words,
)

# Labels are placed as on a phone; a wider plot has more room for the same places.
_PHONE_PLOT = (290.0, 360.0)
_MOST_WHISKERS = 80
_SIDES = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
_CORNERS = ((-60, 36), (60, 36), (-60, -36), (60, -36), (-60, 62), (60, 62), (-60, -62), (60, -62))


class Point(NamedTuple):
    """A configuration in the plane of stability and score."""

    result: Result
    stability: Value


def trade_off(
    study: Any,
    *,
    metric: str = "accuracy",
    index: str = "nogueira",
    classifier: str | None = None,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How accurate and how stable each method is at each size, and which no other beats in both.

    Use it to choose a method and a size: points on the front cannot be left for a more accurate one without losing
    stability. Where intervals overlap widely, take the more stable one.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    metric : str, default="accuracy"
        What the classifiers reached: any metric of the study. Of error and brier, less is better.
    index : str, default="nogueira"
        Index of stability: any that the study holds.
    classifier : str, default=None
        Name of the classifier; None takes the one with the best mean for each point and tells it under the pointer.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One point for each method and size that has both values, with intervals, the front as a stepped line, and a
        ring around what the study recommends, if it is with the classifiers shown.

    Examples
    --------
    >>> from holdfast.report import trade_off
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "results": [
    ...         {"method": "t-test", "size": 10, "classifier": "svm", "accuracy": {"mean": 0.91}},
    ...         {"method": "relieff", "size": 10, "classifier": "svm", "accuracy": {"mean": 0.88}},
    ...     ],
    ...     "selections": [
    ...         {"method": "t-test", "size": 10, "stability": {"nogueira": {"value": 0.7}}},
    ...         {"method": "relieff", "size": 10, "stability": {"nogueira": {"value": 0.4}}},
    ...     ],
    ... }
    >>> trade_off(study).layout.title.text
    '<b>t-test with 10 features has both the best accuracy (0.91) and the best stability (0.70).</b>'
    """
    colours = look(theme)
    summary = summary_of(study)
    check_index(summary, index)
    points = _points(summary, results_of(summary, metric, classifier), index)
    if not points:
        raise ValueError(
            f"No method and size has both a value of {metric} and of {index}, so there is no point to draw."
        )
    sign = -1 if metric in SMALLER_IS_BETTER else 1
    front = _front(points, sign)
    chosen = _recommended(summary, metric, index, classifier)
    numbers = {
        name: number for name, number in numbered(summary).items() if any(p.result.method == name for p in points)
    }
    figure = canvas(
        colours,
        title=_title(points, front, metric, sign) if title is None else title,
        x_title=f"Stability ({plain(words(index))})",
        y_title=plain(words(metric)) + (" (less is better)" if sign < 0 else ""),
    )
    drawn = [*points, *([chosen] if chosen else [])]
    x_reach = reach(ends(point.stability for point in drawn), room=0.08)
    y_reach = reach(ends(point.result.score for point in drawn), room=0.08)
    sides = _sides(points, chosen, x_reach, y_reach)
    for name, number in numbers.items():
        _add_line(figure, colours, number, [p for p in points if p.result.method == name])
    _add_front(figure, colours, front)
    for name, number in numbers.items():
        own = [p for p in points if p.result.method == name]
        _add_points(figure, colours, number, own, front, sides, metric, index)
        if len(points) <= _MOST_WHISKERS:
            _add_whiskers(figure.data[-1], own, marker_style(colours, number)["color"])
    if chosen:
        _add_ring(figure, colours, numbered(summary)[chosen.result.method], chosen, metric, index)
        _say_recommended(figure, colours, chosen, points, x_reach, y_reach)
    figure.update_xaxes(range=x_reach)
    figure.update_yaxes(range=y_reach)
    many_names(figure, len(numbers) + 2)
    return figure


def _points(summary: Mapping[str, Any], results: Iterable[Result], index: str) -> list[Point]:
    points = []
    for result in results:
        selection = selection_of(summary, result.method, result.size, result.classifier)
        stability = stability_of(selection, index)
        if stability is not None:
            points.append(Point(result, stability))
    return points


def _recommended(summary: Mapping[str, Any], metric: str, index: str, classifier: str | None) -> Point | None:
    """The recommended configuration with its own classifier, unless figures of another one were asked for."""
    advice = summary.get("recommendation") or {}
    wanted = (advice.get("method"), advice.get("size"), advice.get("classifier"))
    if classifier not in (None, wanted[2]):
        return None
    for row in summary.get("results") or []:
        if (row["method"], row["size"], row["classifier"]) == wanted:
            score = value_of(row.get(metric), "mean")
            found = [] if score is None else _points(summary, [Result(*wanted, score)], index)
            return found[0] if found else None
    return None


def _front(points: list[Point], sign: int) -> list[Point]:
    """Points that no other beats, by increasing stability."""
    goals = [[point.stability.at, point.result.score.at] for point in points]
    on_front = pareto_front(goals, maximise=[True, sign > 0])
    front = [point for point, is_in in zip(points, on_front, strict=True) if is_in]
    return sorted(front, key=lambda point: point.stability.at)


def _title(points: list[Point], front: list[Point], metric: str, sign: int) -> str:
    score, stability = front[0].result, front[-1].result

    def named(result: Result) -> str:
        return f"{clipped(result.method)} with {size_words(result.size)}"

    first = f"{named(score)} has"
    if len(points) == 1:
        return f"{first} {inside(metric)} {score.score.at:.2f} and stability {front[0].stability.at:.2f}."
    reached = f"({score.score.at:.2f})"
    if score.score.at == stability.score.at:
        return (
            f"{first} both the best {inside(metric)} {reached} and the best stability ({front[-1].stability.at:.2f})."
        )
    return (
        f"{first} the best {inside(metric)} {reached}, {named(stability)} the best stability "
        f"({front[-1].stability.at:.2f}); {len(front)} of {len(points)} points are on the front."
    )


def _add_line(figure: go.Figure, theme: Theme, number: int, points: list[Point]) -> None:
    """Sizes of one method in increasing order; a size that the method or the data decide is on no line."""
    steps = sorted((p for p in points if not isinstance(p.result.size, str)), key=lambda p: p.result.size)
    if len(steps) > 1:
        figure.add_trace(
            go.Scatter(
                x=[p.stability.at for p in steps],
                y=[p.result.score.at for p in steps],
                mode="lines",
                line={"color": see_through(marker_style(theme, number)["color"], 0.5), "width": 1},
                legendgroup=steps[0].result.method,
                showlegend=False,
                hoverinfo="skip",
            )
        )


def _add_front(figure: go.Figure, theme: Theme, front: list[Point]) -> None:
    figure.add_trace(
        go.Scatter(
            x=[p.stability.at for p in front],
            y=[p.result.score.at for p in front],
            mode="lines+markers",
            line={"color": theme.muted, "width": 1.5, "dash": "dot", "shape": "vh"},
            marker={"symbol": "circle", "size": 14, "color": see_through(theme.muted, 0.35)},
            name="front: none is better in both",
            legendrank=2000,
            hoverinfo="skip",
        )
    )


def _add_points(
    figure: go.Figure,
    theme: Theme,
    number: int,
    points: list[Point],
    front: list[Point],
    sides: dict[Point, str],
    metric: str,
    index: str,
) -> None:
    style = marker_style(theme, number)
    is_front = [point in front for point in points]
    style["line"] = {"color": [theme.text if on else theme.background for on in is_front], "width": 1.5}
    figure.add_trace(
        go.Scatter(
            x=[p.stability.at for p in points],
            y=[p.result.score.at for p in points],
            mode="markers+text",
            marker=style,
            text=[str(p.result.size) if p in sides else "" for p in points],
            textposition=[sides.get(p, "top center") for p in points],
            textfont={"size": 11, "color": theme.muted},
            name=short(points[0].result.method),
            legendgroup=points[0].result.method,
            customdata=[
                _hover(p, metric, index) + ("<br>on the front" if on else "")
                for p, on in zip(points, is_front, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_whiskers(trace: go.Scatter, points: list[Point], colour: str) -> None:
    trace.error_x = whiskers([p.stability for p in points], see_through(colour, 0.35))
    trace.error_y = whiskers([p.result.score for p in points], see_through(colour, 0.35))


def _hover(point: Point, metric: str, index: str) -> str:
    result = point.result
    return (
        f"<b>{plain(result.method)}</b>, {plain(size_words(result.size))}<br>"
        f"{plain(words(metric))} {result.score.words()}, by {plain(result.classifier)}<br>"
        f"Stability ({plain(words(index))}) {point.stability.words()}"
    )


def _add_ring(figure: go.Figure, theme: Theme, number: int, chosen: Point, metric: str, index: str) -> None:
    """The recommended point once more, since another classifier may hold its place, and a ring around it."""
    for style in (
        marker_style(theme, number) | {"line": {"color": theme.text, "width": 1.5}},
        {"symbol": "circle-open", "size": 22, "color": theme.text, "line": {"color": theme.text, "width": 2}},
    ):
        figure.add_trace(
            go.Scatter(
                x=[chosen.stability.at],
                y=[chosen.result.score.at],
                mode="markers",
                marker=style,
                name="recommended",
                showlegend=False,
                customdata=[_hover(chosen, metric, index) + "<br>recommended"],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )


def _pixels(point: Point, x_reach: list[float], y_reach: list[float]) -> tuple[float, float]:
    return (
        (point.stability.at - x_reach[0]) / (x_reach[1] - x_reach[0]) * _PHONE_PLOT[0],
        (point.result.score.at - y_reach[0]) / (y_reach[1] - y_reach[0]) * _PHONE_PLOT[1],
    )


def _sides(points: list[Point], chosen: Point | None, x_reach: list[float], y_reach: list[float]) -> dict[Point, str]:
    """Where the size stands beside each point; points without a free side are not in it."""
    dots = [_pixels(point, x_reach, y_reach) for point in points]
    taken = [(x, y, 10.0) for x, y in dots]
    if chosen:
        taken.append((*_pixels(chosen, x_reach, y_reach), 24.0))
    sides = {}
    for point, (x, y) in zip(points, dots, strict=True):
        others = [one for one in taken if one[:2] != (x, y)]
        width = 4.0 + 7.0 * len(str(point.result.size))
        for side, (right, up) in _SIDES.items():
            spot = (x + right * (8 + width / 2), y + 12 * up)
            is_free = all(abs(spot[0] - a) > (width + b) / 2 or abs(spot[1] - c) > 12 for a, c, b in others)
            if is_free and dots.count((x, y)) == 1:
                sides[point] = side
                taken.append((*spot, width))
                break
    return sides


def _say_recommended(
    figure: go.Figure, theme: Theme, chosen: Point, points: list[Point], x_reach: list[float], y_reach: list[float]
) -> None:
    """The word, where it hides the fewest points and stays inside."""
    x, y = _pixels(chosen, x_reach, y_reach)
    dots = [_pixels(point, x_reach, y_reach) for point in points]

    def hidden(corner: tuple[int, int]) -> int:
        at = (x + corner[0], y + corner[1])
        is_out = not (55 < at[0] < _PHONE_PLOT[0] - 55 and 10 < at[1] < _PHONE_PLOT[1] - 10)
        return 1000 * is_out + sum(abs(at[0] - a) < 55 and abs(at[1] - b) < 16 for a, b in dots)

    right, up = min(_CORNERS, key=hidden)
    figure.add_annotation(
        x=chosen.stability.at,
        y=chosen.result.score.at,
        ax=right,
        ay=-up,
        text="recommended",
        font={"color": theme.text, "size": 12},
        bgcolor=see_through(theme.background, 0.8),
        arrowcolor=theme.text,
        arrowwidth=1,
        arrowhead=0,
        standoff=12,
    )
