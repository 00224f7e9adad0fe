"""How a measure of stability changes with the number of chosen features."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._inputs import by_name, numbers
from holdfast.report._style import Theme, canvas, dashed, line_style, look, plain, see_through

Array = npt.NDArray[Any]
_MOST_MARKERS = 40


def stability_by_size(
    sizes: Any,
    stability: Any = None,
    low: Any = None,
    high: Any = None,
    *,
    measure: str = "Stability",
    chance: float | None = None,
    log_x: bool = False,
    title: str | None = None,
    theme: str = "light",
) -> go.Figure:
    """A measure of stability against the number of chosen features, with intervals.

    Use it to choose how many features to keep, and to compare methods over all sizes. Any measure that has a value for
    each size can be drawn, such as the entropy, the pairing and the share of the most chosen feature.

    Parameters
    ----------
    sizes : array-like of shape (n_sizes,), dict of str to array-like, or StabilityBySize
        Numbers of chosen features; or what ``nogueira_by_size`` found, for several methods in a dict, which brings
        values and intervals along.
    stability : array-like of shape (n_sizes,), or dict of str to array-like, default=None
        Value of the measure at each size; a dict for several methods.
    low : array-like of shape (n_sizes,), or dict of str to array-like, default=None
        Lower ends of the intervals; a dict need not hold all methods.
    high : array-like of shape (n_sizes,), or dict of str to array-like, default=None
        Upper ends of the intervals.
    measure : str, default="Stability"
        Name of the measure, for the axis.
    chance : float, default=None
        What random choices would give; drawn as a line.
    log_x : bool, default=False
        Whether sizes are spaced by their logarithm.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line with a band for each method.

    Examples
    --------
    >>> from holdfast.report import stability_by_size
    >>> figure = stability_by_size([10, 20, 50], [0.42, 0.5, 0.61], [0.38, 0.46, 0.58], [0.46, 0.54, 0.64], chance=0)
    >>> figure.layout.title.text
    '<b>Stability is highest with 50 features (0.61) and lowest with 10 (0.42).</b>'
    """
    colours = look(theme)
    if stability is None:
        sizes, stability, low, high = _taken_apart(sizes)
    curves = {}
    for name, values in by_name(stability, "").items():
        curves[name] = _checked(
            name, _one_of(sizes, name, "sizes"), values, _one_of(low, name, "low"), _one_of(high, name, "high")
        )
    figure = canvas(
        colours,
        title=_title(curves, measure) if title is None else title,
        x_title="Number of chosen features",
        y_title=plain(measure),
    )
    for number, (name, (at, value, ends)) in enumerate(curves.items()):
        if ends is not None:
            _add_band(figure, colours, number, name, at, ends)
        _add_line(figure, colours, number, name, at, value, ends, measure)
    if chance is not None:
        dashed(figure, colours, y=float(numbers([chance], "chance")[0]), label="chance")
    figure.update_yaxes(range=_reach(curves, chance))
    if log_x:
        figure.update_xaxes(type="log", dtick="D2")
    figure.update_layout(showlegend=len(curves) > 1)
    return figure


def _taken_apart(found: Any) -> tuple[Any, Any, Any, Any]:
    """Sizes, values and ends of intervals from results of ``nogueira_by_size``, where they are defined."""
    results = found if isinstance(found, dict) else {"": found}
    if not all(hasattr(one, "sizes") and hasattr(one, "value") for one in results.values()):
        raise ValueError("stability is missing: pass a value for each of the sizes, or what nogueira_by_size found.")
    parts: list[dict[str, Array]] = [
        {name: getattr(one, part)[np.isfinite(one.value)] for name, one in results.items()}
        for part in ("sizes", "value", "low", "high")
    ]
    if isinstance(found, dict):
        return parts[0], parts[1], parts[2], parts[3]
    return parts[0][""], parts[1][""], parts[2][""], parts[3][""]


def _one_of(source: Any, name: str, what: str) -> Any:
    """What belongs to one method: its entry of a dict, or what serves all."""
    if not isinstance(source, dict):
        return source
    if name not in source and what == "sizes":
        raise ValueError(f"sizes has no entry {name!r}; give one list of sizes, or one for each method.")
    return source.get(name)


def _checked(name: str, sizes: Any, value: Any, low: Any, high: Any) -> tuple[Array, Array, Array | None]:
    """Sizes in increasing order, values and interval ends (two rows) of one method."""
    of = f" of {name}" if name else ""
    at, found = numbers(sizes, f"sizes{of}"), numbers(value, f"stability{of}")
    if (low is None) != (high is None):
        raise ValueError(f"An interval{of} needs both ends: pass low and high, or neither.")
    columns = {"stability": found}
    if low is not None:
        columns |= {"low": numbers(low, f"low{of}"), "high": numbers(high, f"high{of}")}
    for what, column in columns.items():
        if len(column) != len(at):
            raise ValueError(f"There are {len(at)} sizes{of} but {len(column)} values of {what}; give one for each.")
    if at.min() <= 0 or len(np.unique(at)) < len(at):
        raise ValueError(f"sizes{of} must be different numbers above 0, but {at.tolist()} came.")
    order = np.argsort(at)
    if low is None:
        return at[order], found[order], None
    ends = np.stack([columns["low"], columns["high"]])[:, order]
    if (ends[0] > ends[1]).any():
        where = int(np.flatnonzero(ends[0] > ends[1])[0])
        raise ValueError(f"low is above high{of} at size {at[order][where]:g}. Swap the two.")
    return at[order], found[order], ends


def _title(curves: dict[str, tuple[Array, Array, Array | None]], measure: str) -> str:
    if len(curves) == 1:
        ((at, value, _),) = curves.values()
        top, bottom = int(value.argmax()), int(value.argmin())
        if value[top] == value[bottom]:
            return f"{measure} is {value[0]:.2f} at every size."
        return (
            f"{measure} is highest with {at[top]:g} feature{'s' if at[top] != 1 else ''} ({value[top]:.2f}) "
            f"and lowest with {at[bottom]:g} ({value[bottom]:.2f})."
        )
    common = sorted(set.intersection(*(set(at.tolist()) for at, _, _ in curves.values())))
    if not common:
        return f"{measure} of {len(curves)} methods, each at sizes of its own."
    table = np.array([value[np.isin(at, common)] for at, value, _ in curves.values()])
    wins = (table == table.max(axis=0)).sum(axis=1)
    winner = list(curves)[int(wins.argmax())]
    lower = measure[:1].lower() + measure[1:]
    return f"{winner} has the highest {lower} at {wins.max()} of {len(common)} size{'s' if len(common) > 1 else ''}."


def _reach(curves: dict[str, tuple[Array, Array, Array | None]], chance: float | None) -> list[float]:
    """Ends of the axis: 0 is on it, and a line at its lower end stays visible."""
    drawn = [value if ends is None else np.append(value, ends) for _, value, ends in curves.values()]
    marks = [0.0] if chance is None else [0.0, float(chance)]
    bottom, top = (float(end(np.concatenate([*drawn, marks]))) for end in (np.min, np.max))
    room = 0.05 * ((top - bottom) or 1.0)
    return [bottom - room if bottom < 0 or chance is not None else bottom, top + room]


def _add_band(figure: go.Figure, theme: Theme, number: int, name: str, at: Array, ends: Array) -> None:
    style = line_style(theme, number)
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([at, at[::-1]]),
            y=np.concatenate([ends[0], ends[1][::-1]]),
            fill="toself",
            fillcolor=see_through(style["color"], 0.18),
            line={"width": 0},
            mode="lines",
            legendgroup=name,
            showlegend=False,
            hoverinfo="skip",
        )
    )


def _add_line(
    figure: go.Figure,
    theme: Theme,
    number: int,
    name: str,
    at: Array,
    value: Array,
    ends: Array | None,
    measure: str,
) -> None:
    heading = f"<b>{plain(name)}</b><br>" if name else ""
    interval = "" if ends is None else "<br>interval %{customdata[0]:.3f} to %{customdata[1]:.3f}"
    figure.add_trace(
        go.Scatter(
            x=at,
            y=value,
            mode="lines+markers" if len(at) <= _MOST_MARKERS else "lines",
            line=line_style(theme, number),
            marker={"size": 7, "color": line_style(theme, number)["color"]},
            name=plain(name),
            legendgroup=name,
            customdata=None if ends is None else ends.T,
            hovertemplate=f"{heading}%{{x}} features<br>{plain(measure)} %{{y:.3f}}{interval}<extra></extra>",
        )
    )
