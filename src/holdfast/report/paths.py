"""Where a sequential search could have stopped: its path, and the stops of rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._fitted import names_of, require
from holdfast.report._stops import MOST_MARKERS, axis_of_sizes, by_rule
from holdfast.report._style import (
    HEIGHT,
    Theme,
    canvas,
    clipped,
    line_style,
    look,
    plain,
    see_through,
    short,
)
from holdfast.report._summary import reach, size_words

if TYPE_CHECKING:
    from holdfast.search.stopping import Stopping

Array = npt.NDArray[Any]
_NEVER = "none"
_MOST_NAMES, _MOST_RULES = 8, 3
# Height of the row of a rule and of the curve below, in pixels, and the longest name that fits beside a mark.
_ROW, _CURVE = 24, 430
_LONGEST_NAME = 18


class Mark(NamedTuple):
    """Where a rule stops, in which row it is drawn, and on which side its name has room."""

    rule: str
    stopping: Stopping
    row: int
    is_left: bool

    @property
    def size(self) -> int:
        """Number of features that the rule keeps."""
        return self.stopping.n_features

    @property
    def has_stopped(self) -> bool:
        """Whether there was a step that the rule did not go along with."""
        return not bool(self.stopping.trace["goes_on"].all())


def search_path(
    search: Any,
    stops: Mapping[str, Stopping] | Stopping | None = None,
    *,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """The score along the path of a sequential search, and where stopping rules would have stopped it.

    Use it to see how many features a search needs, and how far rules differ about that. The score is that of the
    samples the features were chosen on, and the line of the second best features shows how close others came.

    Parameters
    ----------
    search : ForwardSearch or SFSLW
        Fitted, in any direction.
    stops : dict of str to Stopping, Stopping or None, default=None
        What ``compare_stops`` or ``stop_at`` gave; None for the rules that need no samples, and for the rule that the
        search itself went by. "none" is no rule and is not drawn.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        A line of scores, a faint one of the second best features, and above them a row for each rule with a mark at
        its size; the mark of a rule that goes along with every step is open.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import ForwardSearch
    >>> from holdfast.report import search_path
    >>> X = np.random.default_rng(0).normal(size=(40, 6))
    >>> search = ForwardSearch(criterion="dcor").fit(X, X[:, 2] + X[:, 4] > 0)
    >>> search_path(search).layout.title.text
    '<b>Highest score with 2 features (0.700); rules stop between 1 (h, h2s) and 2 (cw, wm).</b>'
    """
    colours = look(theme)
    require(search, "stopping_", "ForwardSearch or SFSLW")
    path = _by_size(search)
    marks = _in_rows(_rules_of(search, stops), path["size"])
    figure = canvas(
        colours,
        title=_path_title(path, marks) if title is None else title,
        x_title=_sizes_axis(search),
        y_title=f"{_score_axis(search)}<br>(of the samples that chose)",
        height=HEIGHT + _ROW * len(marks),
    )
    _add_runner_up(figure, colours, path)
    _add_scores(figure, colours, search, path)
    _add_marks(figure, colours, search, marks)
    axis_of_sizes(figure, [*path["size"].tolist(), *(mark.size for mark in marks)])
    figure.update_xaxes(showgrid=False)
    figure.layout.yaxis.range = reach([*path["score"], *path["runner_up"][np.isfinite(path["runner_up"])]])
    return figure


def _by_size(search: Any) -> Array:
    """The steps by rising size; a backward search begins with a set that no step led to."""
    path: Array = search.path_
    if search.direction_ == "backward":
        start = np.zeros(1, dtype=path.dtype)
        start["size"], start["feature"] = search.n_features_in_, -1
        start["score"] = path["previous"][0] if len(path) else search.value_
        start["runner_up"] = -np.inf
        path = np.concatenate([start, path])[::-1]
    return path


def _rules_of(search: Any, stops: Any) -> dict[str, Stopping]:
    """Rules by name, if they were asked about this search."""
    if stops is None:
        stops = {**search.compare_stops(), **_own(search)}
    found = {name: one for name, one in by_rule(stops).items() if one.rule != _NEVER}
    for name, one in found.items():
        n_seen = len(one.trace)
        if not np.array_equal(one.trace["feature"], search.path_["feature"][:n_seen]):
            raise ValueError(
                f"The rule {name!r} was asked about another search. Pass what compare_stops of this one gave."
            )
    return found


def _own(search: Any) -> dict[str, Stopping]:
    """The rule that the search itself went by."""
    own = search.stopping_
    name = search.stop if isinstance(search.stop, str) else own.rule
    return {name: replace(own, n_features=max(own.n_features, search.min_features))}


def _in_rows(rules: dict[str, Stopping], sizes: Array) -> list[Mark]:
    """Rules from the top down, such that no line from a mark to the curve runs through the name of another.

    Names stand to the right of marks in the left half and to the left of the others.
    """
    middle = (sizes.min(initial=0) + sizes.max(initial=1)) / 2
    low = sorted((item for item in rules.items() if item[1].n_features <= middle), key=lambda it: it[1].n_features)
    high = sorted((item for item in rules.items() if item[1].n_features > middle), key=lambda it: -it[1].n_features)
    return [Mark(name, one, row, row >= len(low)) for row, (name, one) in enumerate([*low, *high])]


def _sizes_axis(search: Any) -> str:
    how = {"backward": "<br>(dropped one by one, from right to left)", "floating": "<br>(the best set of each size)"}
    return f"Number of features{how.get(search.direction_, '')}"


def _score_axis(search: Any) -> str:
    name: str = search._score_name
    return name[0].upper() + name[1:]


def _add_runner_up(figure: go.Figure, theme: Theme, path: Array) -> None:
    known = np.where(np.isfinite(path["runner_up"]), path["runner_up"], np.nan)
    if np.isnan(known).all():
        return
    figure.add_trace(
        go.Scatter(
            x=path["size"],
            y=known,
            mode="lines+markers" if len(path) == 1 else "lines",
            line={"color": see_through(theme.muted, 0.6), "width": 1.5, "dash": "dot"},
            name="second best feature instead",
            legendrank=1001,
            hoverinfo="skip",
        )
    )


def _add_scores(figure: go.Figure, theme: Theme, search: Any, path: Array) -> None:
    style = line_style(theme, 0)
    figure.add_trace(
        go.Scatter(
            x=path["size"],
            y=path["score"],
            mode="lines+markers" if len(path) <= MOST_MARKERS else "lines",
            line=style,
            marker={"color": style["color"], "size": 7},
            name="the search",
            legendrank=999,
            cliponaxis=False,
            customdata=_told_of_steps(search, path),
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _told_of_steps(search: Any, path: Array) -> list[str]:
    told = []
    for number, step in enumerate(path):
        lines = [f"<b>{size_words(int(step['size']))}</b>: {step['score']:.4f}", _who(search, number, step)]
        if np.isfinite(step["runner_up"]):
            lines.append(f"second best instead: {step['runner_up']:.4f}")
        told.append("<br>".join(line for line in lines if line))
    return told


def _who(search: Any, number: int, step: Any) -> str:
    """Who came, who went, or who is in the set."""
    if step["feature"] < 0:
        return "all features"
    if search.sets_ is not None:
        names = names_of(search, search.sets_[number])
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return ", ".join(short(name) for name in names[:_MOST_NAMES]) + more
    (name,) = names_of(search, [step["feature"]])
    return f"{'without' if search.direction_ == 'backward' else 'with'} {plain(name)}"


def _add_marks(figure: go.Figure, theme: Theme, search: Any, marks: list[Mark]) -> None:
    if not marks:
        return
    rows = _ROW * len(marks)
    bottom = _CURVE / (_CURVE + rows)
    figure.update_layout(
        yaxis={"domain": [0, bottom]},
        yaxis2={"domain": [bottom, 1], "range": [len(marks) - 0.2, -0.5], "visible": False, "fixedrange": True},
    )
    for size in sorted({mark.size for mark in marks}):
        highest = min(mark.row for mark in marks if mark.size == size)
        top = bottom + (1 - bottom) * (len(marks) - 0.2 - highest) / (len(marks) + 0.3)
        line = {"color": see_through(theme.text, 0.45), "width": 1, "dash": "dash"}
        figure.add_shape(type="line", x0=size, x1=size, y0=0, y1=top, yref="paper", line=line, layer="below")
    for mark in marks:
        _add_name(figure, theme, mark)
    for has_stopped, legend in ((True, "a rule stops"), (False, "no step stops a rule")):
        here = [mark for mark in marks if mark.has_stopped is has_stopped]
        if here:
            _add_symbols(figure, theme, search, here, legend)


def _add_symbols(figure: go.Figure, theme: Theme, search: Any, marks: list[Mark], legend: str) -> None:
    colour = theme.series[1]
    figure.add_trace(
        go.Scatter(
            x=[mark.size for mark in marks],
            y=[mark.row for mark in marks],
            yaxis="y2",
            mode="markers",
            marker={
                "color": colour if marks[0].has_stopped else theme.background,
                "size": 9,
                "symbol": "diamond",
                "line": {"color": colour, "width": 2},
            },
            name=legend,
            cliponaxis=False,
            customdata=[_told_of(search, mark) for mark in marks],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_name(figure: go.Figure, theme: Theme, mark: Mark) -> None:
    name = plain(clipped(mark.rule, _LONGEST_NAME))
    figure.add_annotation(
        text=f"{name}: {mark.size if mark.has_stopped else 'does not stop'}",
        x=mark.size,
        y=mark.row,
        yref="y2",
        xanchor="right" if mark.is_left else "left",
        xshift=-8 if mark.is_left else 8,
        showarrow=False,
        bgcolor=theme.background,
        borderpad=1,
        font={"color": theme.text, "size": 12},
    )


def _told_of(search: Any, mark: Mark) -> str:
    """What a rule said of the step that it did not go along with."""
    head = f"<b>{plain(mark.rule)}</b>"
    if not mark.has_stopped:
        return f"{head} goes along with every step"
    trace = mark.stopping.trace
    step = trace[np.argmin(trace["goes_on"])]
    (name,) = names_of(search, [step["feature"]])
    found = {"gap": step["gap"], "bound": mark.stopping.bound, "p-value": step["p_value"]}
    said = ", ".join(f"{what} {value:.3g}" for what, value in found.items() if np.isfinite(value))
    verb = "dropped" if search.direction_ == "backward" else "added"
    return f"{head} keeps {size_words(mark.size)}<br>next {verb}: {plain(name)}<br>{said}"


def _path_title(path: Array, marks: list[Mark]) -> str:
    best = int(np.argmax(path["score"]))
    top = f"Highest score with {size_words(int(path['size'][best]))} ({path['score'][best]:.3f})"
    stopped = [mark for mark in marks if mark.has_stopped]
    if not marks:
        return f"{top}."
    if not stopped:
        return f"{top}; {'the rule does not stop' if len(marks) == 1 else 'no rule stops'}."
    least, most = min(mark.size for mark in stopped), max(mark.size for mark in stopped)
    if least == most:
        return f"{top}; {_listed(stopped, least)} {'stops' if len(stopped) == 1 else 'stop'} at {least}."
    return f"{top}; rules stop between {least} ({_listed(stopped, least)}) and {most} ({_listed(stopped, most)})."


def _listed(marks: list[Mark], size: int) -> str:
    names = [clipped(mark.rule, _LONGEST_NAME) for mark in marks if mark.size == size]
    more = f" and {len(names) - _MOST_RULES} more" if len(names) > _MOST_RULES else ""
    return ", ".join(names[:_MOST_RULES]) + more
