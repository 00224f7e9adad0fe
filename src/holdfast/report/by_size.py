"""What the methods of a study reach at each number of features: curves of scores and of stability."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from holdfast.report._style import (
    Theme,
    canvas,
    clipped,
    dashed,
    line_style,
    look,
    many_names,
    marker_style,
    plain,
    see_through,
    short,
)
from holdfast.report._summary import (
    SMALLER_IS_BETTER,
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
    whiskers,
    words,
)

_MOST_BANDS = 6
_WIDE = 8
_SMALLEST_PART = 0.4


class Step(NamedTuple):
    """What a method reached at a size; ``at`` is the number of features, a mean where the size is not fixed."""

    method: str
    size: int | str
    at: float
    value: Value
    remark: str


def score_by_size(
    study: Any,
    *,
    metric: str = "accuracy",
    classifier: str | None = None,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """What the methods of a study reach at each number of features.

    Use it to see how many features it takes, and whether methods differ by more than their intervals.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    metric : str, default="accuracy"
        What the classifiers reached: any metric of the study. Of error and brier, less is better.
    classifier : str, default=None
        Name of the classifier; None takes the one with the best mean for each method and size.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line for each method, with a band for up to 6 methods; a single mark where the method or the data decide
        on the size; for accuracy and error also what needs no features at all.

    Examples
    --------
    >>> from holdfast.report import score_by_size
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "results": [
    ...         {"method": "t-test", "size": 5, "classifier": "svm", "accuracy": {"mean": 0.84}},
    ...         {"method": "t-test", "size": 10, "classifier": "svm", "accuracy": {"mean": 0.91}},
    ...     ],
    ... }
    >>> score_by_size(study).layout.title.text
    '<b>The accuracy of t-test is best with 10 features (0.91) and worst with 5 (0.84).</b>'
    """
    colours = look(theme)
    summary = summary_of(study)
    steps = []
    for result in results_of(summary, metric, classifier):
        at = _place(summary, result.method, result.size, result.classifier)
        if at is not None:
            steps.append(Step(result.method, result.size, at, result.score, f", by {plain(result.classifier)}"))
    if not steps:
        raise ValueError("No method of the study tells how many features it chose, so there is no size to draw at.")
    by = "best classifier each" if classifier is None else clipped(classifier, 20)
    axis = f"{words(metric)} ({by})" + (", less is better" if metric in SMALLER_IS_BETTER else "")
    level = _baseline(summary, metric)
    sign = -1 if metric in SMALLER_IS_BETTER else 1
    heading = _title(steps, inside(metric), sign) if title is None else title
    figure = _drawn(colours, numbered(summary), steps, heading, axis, words(metric))
    if level is not None:
        _add_baseline(figure, colours, level, clipped(summary["baseline"].get("words") or "no features", 50))
    return figure


def stability_across_sizes(
    study: Any,
    *,
    index: str = "nogueira",
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """How stable the selections of each method of a study are at each number of features.

    Use it beside ``score_by_size``: where the scores are level, the size with the more stable selection is the better
    choice.

    Parameters
    ----------
    study : Study or dict
        What ``compare`` gave, or its summary.
    index : str, default="nogueira"
        Index of stability: any that the study holds.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line for each method, with a band for up to 6 methods; a single mark where the method or the data decide
        on the size.

    Examples
    --------
    >>> from holdfast.report import stability_across_sizes
    >>> study = {
    ...     "schema": "holdfast.study",
    ...     "schema_version": 1,
    ...     "selections": [
    ...         {"method": "t-test", "size": 10, "stability": {"nogueira": {"value": 0.7}}},
    ...         {"method": "relieff", "size": 10, "stability": {"nogueira": {"value": 0.4}}},
    ...     ],
    ... }
    >>> stability_across_sizes(study).layout.title.text
    '<b>t-test has the best stability at the one size.</b>'
    """
    colours = look(theme)
    summary = summary_of(study)
    check_index(summary, index)
    steps = []
    for row in summary["selections"]:
        value, at = stability_of(row, index), _features(row)
        if value is not None and at is not None:
            tuned_for = row.get("classifier")
            remark = "" if tuned_for is None else f", tuned for {plain(tuned_for)}"
            steps.append(Step(row["method"], row["size"], at, value, remark))
    if not steps:
        raise ValueError(f"No selection of the study has a value of {index}. Pass another index.")
    label = f"Stability ({words(index)})"
    heading = _title(steps, "stability", 1) if title is None else title
    return _drawn(colours, numbered(summary), steps, heading, label, label)


def _features(selection: Mapping[str, Any] | None) -> float | None:
    """How many features were chosen, on average where that is not fixed."""
    if selection is None:
        return None
    if not isinstance(selection["size"], str):
        return float(selection["size"])
    mean = (selection.get("n_selected") or {}).get("mean")
    return None if mean is None else float(mean)


def _place(summary: Mapping[str, Any], method: str, size: int | str, classifier: str) -> float | None:
    return float(size) if not isinstance(size, str) else _features(selection_of(summary, method, size, classifier))


def _baseline(summary: Mapping[str, Any], metric: str) -> float | None:
    accuracy = (summary.get("baseline") or {}).get("accuracy")
    if accuracy is None or metric not in ("accuracy", "error"):
        return None
    return float(accuracy) if metric == "accuracy" else 1 - float(accuracy)


def _add_baseline(figure: go.Figure, theme: Theme, level: float, label: str) -> None:
    """A line, or a note at the edge where the line would press the curves into a strip."""
    bottom, top = figure.layout.yaxis.range
    wide = reach([bottom, top, level], room=0.03)
    if bottom <= level <= top or top - bottom >= _SMALLEST_PART * (wide[1] - wide[0]):
        figure.update_yaxes(range=[min(bottom, wide[0]) if level < bottom else bottom, wide[1] if level > top else top])
        dashed(figure, theme, y=level, label=label)
        return
    is_below = level < bottom
    figure.add_annotation(
        text=f"{'↓' if is_below else '↑'} {plain(label)}: {level:.2f}",
        x=1,
        xref="paper",
        xanchor="right",
        y=0 if is_below else 1,
        yref="paper",
        yanchor="bottom" if is_below else "top",
        showarrow=False,
        font={"color": theme.muted, "size": 12},
    )


def _drawn(theme: Theme, numbers: dict[str, int], steps: list[Step], title: str, axis: str, measure: str) -> go.Figure:
    figure = canvas(theme, title=title, x_title="Number of chosen features", y_title=plain(axis))
    shown = [name for name in numbers if any(step.method == name for step in steps)]
    has_room = len(shown) <= _MOST_BANDS
    for name in shown:
        own = sorted((step for step in steps if step.method == name), key=lambda step: step.at)
        curve = [step for step in own if not isinstance(step.size, str)]
        if has_room and len(curve) > 1:
            _add_band(figure, theme, numbers[name], curve)
        if curve:
            _add_steps(figure, theme, numbers[name], curve, measure, has_whiskers=has_room and len(curve) == 1)
        marks = [step for step in own if isinstance(step.size, str)]
        if marks:
            _add_steps(figure, theme, numbers[name], marks, measure, has_whiskers=has_room, is_curve=False)
            figure.data[-1].showlegend = not curve
    is_fixed = all(not isinstance(step.size, str) for step in steps)
    if not is_fixed:
        _explain_marks(figure, theme)
    _spread(figure, steps)
    figure.update_yaxes(range=reach(ends(step.value for step in steps)))
    figure.update_layout(showlegend=len(shown) > 1 or not is_fixed)
    many_names(figure, len(shown))
    return figure


def _title(steps: list[Step], what: str, sign: int) -> str:
    methods = list(dict.fromkeys(step.method for step in steps))
    if len(methods) == 1:
        own = sorted(steps, key=lambda step: sign * step.value.at)
        worst, best = own[0], own[-1]
        name = clipped(methods[0])
        if worst.value.at == best.value.at:
            return f"The {what} of {name} is {best.value.at:.2f} with {size_words(best.size)}" + (
                "." if len(own) == 1 else " and every other number."
            )
        again = worst.size if isinstance(worst.size, int) else size_words(worst.size)
        return (
            f"The {what} of {name} is best with {size_words(best.size)} ({best.value.at:.2f}) "
            f"and worst with {again} ({worst.value.at:.2f})."
        )
    table: dict[int, dict[str, float]] = {}
    for step in steps:
        if not isinstance(step.size, str):
            table.setdefault(step.size, {})[step.method] = sign * step.value.at
    contests = [values for values in table.values() if len(values) > 1]
    if not contests:
        return f"The {what} of {len(methods)} methods, each at a size of its own."
    wins = {name: sum(values.get(name) == max(values.values()) for values in contests) for name in methods}
    winner = max(wins, key=lambda name: wins[name])
    where = "at the one size" if len(contests) == 1 else f"at {wins[winner]} of {len(contests)} sizes"
    return f"{clipped(winner)} has the best {what} {where}."


def _add_band(figure: go.Figure, theme: Theme, number: int, curve: list[Step]) -> None:
    known = [step for step in curve if step.value.low is not None and step.value.high is not None]
    if known:
        figure.add_trace(
            go.Scatter(
                x=[step.at for step in known] + [step.at for step in known[::-1]],
                y=[step.value.low for step in known] + [step.value.high for step in known[::-1]],
                fill="toself",
                fillcolor=see_through(line_style(theme, number)["color"], 0.14),
                line={"width": 0},
                mode="lines",
                legendgroup=known[0].method,
                showlegend=False,
                hoverinfo="skip",
            )
        )


def _hover(step: Step, measure: str) -> str:
    many = size_words(step.size) + (f" ({step.at:.3g} on average)" if isinstance(step.size, str) else "")
    return f"<b>{plain(step.method)}</b>, {plain(many)}<br>{plain(measure)} {step.value.words()}{step.remark}"


def _add_steps(
    figure: go.Figure,
    theme: Theme,
    number: int,
    steps: list[Step],
    measure: str,
    *,
    has_whiskers: bool,
    is_curve: bool = True,
) -> None:
    """Fixed sizes on a line, or outlined marks at sizes that the method or the data decided on."""
    style = marker_style(theme, number)
    outline = style["line"] if is_curve else {"color": theme.text, "width": 1.5}
    colour = see_through(style["color"], 0.5)
    figure.add_trace(
        go.Scatter(
            x=[step.at for step in steps],
            y=[step.value.at for step in steps],
            error_y=whiskers([step.value for step in steps], colour, width=4) if has_whiskers else None,
            mode="lines+markers" if is_curve else "markers",
            line={**line_style(theme, number), "width": 2},
            marker={**style, "size": 8 if is_curve else 11, "line": outline},
            name=short(steps[0].method),
            legendgroup=steps[0].method,
            customdata=[_hover(step, measure) for step in steps],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _explain_marks(figure: go.Figure, theme: Theme) -> None:
    figure.add_trace(
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"size": 11, "color": theme.background, "line": {"color": theme.text, "width": 1.5}},
            name="outlined: size not fixed",
            legendrank=2000,
            hoverinfo="skip",
        )
    )


def _spread(figure: go.Figure, steps: list[Step]) -> None:
    """The axis of sizes, by logarithm where they span much, with marks at the sizes themselves."""
    at = sorted({step.at for step in steps})
    is_log = at[-1] > _WIDE * at[0]
    places = np.log10(at) if is_log else np.array(at)
    room = 0.05 * (places[-1] - places[0]) or (0.1 if is_log else 1.0)
    bottom, top = float(places[0] - room), float(places[-1] + 1.6 * room)
    fixed = sorted({step.at for step in steps if not isinstance(step.size, str)})
    ticks: list[float] = []
    for size in reversed(fixed):
        place = float(np.log10(size)) if is_log else size
        last = np.inf if not ticks else float(np.log10(ticks[-1])) if is_log else ticks[-1]
        # A tenth of a narrow plot holds a label of four digits.
        if last - place >= 0.1 * (top - bottom):
            ticks.append(size)
    figure.update_xaxes(type="log" if is_log else "linear", range=[bottom, top])
    if ticks:
        figure.update_xaxes(tickvals=ticks[::-1], ticktext=[f"{size:g}" for size in ticks[::-1]])
