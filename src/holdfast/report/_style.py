"""The one look of all figures: colours that colour-blind readers can tell apart, on white and on dark.

The colours of lines are those of Okabe and Ito, in an order that puts the strongest on each background first.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

WIDTH, HEIGHT = 1000, 600
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")
_LONGEST_LABEL = 20
_LONGEST_LINE = 90


@dataclass(frozen=True)
class Theme:
    """Colours on one background."""

    name: str
    background: str
    text: str
    muted: str
    grid: str
    shade: str
    series: tuple[str, ...]
    faint: str
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]


_THEMES = {
    "light": Theme(
        name="light",
        background="#ffffff",
        text="#1b1f24",
        muted="#57606a",
        grid="#e4e7eb",
        shade="rgba(87, 96, 106, 0.10)",
        series=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
        faint="#a9cbe2",
        sequential=("#ffffff", "#cfe1f2", "#7fb8da", "#2878b5", "#08306b"),
        diverging=("#8c2d04", "#d9743f", "#f2c5a5", "#ffffff", "#a8cde6", "#3a86bf", "#08306b"),
    ),
    "dark": Theme(
        name="dark",
        background="#14171c",
        text="#e8eaed",
        muted="#a3abb5",
        grid="#2b3038",
        shade="rgba(163, 171, 181, 0.14)",
        series=("#56B4E9", "#E69F00", "#2CC295", "#E39AC4", "#F0E442", "#FF7F32", "#ffffff"),
        faint="#2f5f7d",
        sequential=("#14171c", "#16384f", "#1f6c9c", "#5db4e6", "#eaf6ff"),
        diverging=("#ffb37a", "#c4612a", "#5a3120", "#14171c", "#17405c", "#2b86bf", "#a9dcff"),
    ),
}


def look(theme: Any) -> Theme:
    """The theme of that name."""
    if isinstance(theme, str) and theme in _THEMES:
        return _THEMES[theme]
    raise ValueError(f"theme={theme!r} is not known. Allowed: {' or '.join(repr(name) for name in _THEMES)}.")


def plain(text: Any) -> str:
    """Any text, such that plotly shows it as it is and not as markup."""
    return escape(str(text), quote=False)


def short(text: Any) -> str:
    """A label that leaves room for the plot on a phone; the whole text belongs into the hover."""
    return plain(clipped(text, _LONGEST_LABEL))


def clipped(text: Any, longest: int = 40) -> str:
    """A name of bearable length, for titles; not yet safe from being read as markup."""
    whole = str(text)
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def line_style(theme: Theme, number: int) -> dict[str, Any]:
    """Colour and dash of the curve of that number; no two of the first 28 are alike."""
    n_colours = len(theme.series)
    return {
        "color": theme.series[number % n_colours],
        "dash": _DASHES[number // n_colours % len(_DASHES)],
        "width": 2.5,
    }


def marker_style(theme: Theme, number: int) -> dict[str, Any]:
    """Colour and symbol of the class of that number: the symbol tells it in print without colours."""
    turn = number // len(theme.series)
    return {
        "color": theme.series[number % len(theme.series)],
        "symbol": _SYMBOLS[(number + turn) % len(_SYMBOLS)],
        "size": 9,
        "line": {"color": theme.background, "width": 1},
    }


def see_through(colour: str, share: float) -> str:
    """A colour of a series, mixed with what lies below it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {share:g})"


def scale(colours: tuple[str, ...], *, power: float = 1.0) -> list[list[Any]]:
    """A colour scale over these colours; a power above 1 gives small values more of it."""
    last = len(colours) - 1
    return [[(place / last) ** power, colour] for place, colour in enumerate(colours)]


def canvas(theme: Theme, *, title: str, x_title: str = "", y_title: str = "", height: int = HEIGHT) -> go.Figure:
    """An empty figure with the house's axes; the title is plain text."""
    lines = wrap(title, _LONGEST_LINE)
    heading = f"<b>{'<br>'.join(plain(line) for line in lines)}</b>" if lines else None
    axis = {
        "gridcolor": theme.grid,
        "linecolor": theme.muted,
        "tickcolor": theme.muted,
        "tickfont": {"color": theme.muted, "size": 12},
        "zeroline": False,
        "automargin": True,
    }
    axis_title = {"font": {"size": 14, "color": theme.text}, "standoff": 12}
    # Given at once, since plotly checks an update much more slowly.
    layout = {
        "template": "none",
        "height": height,
        "autosize": True,
        "paper_bgcolor": theme.background,
        "plot_bgcolor": theme.background,
        "font": {"family": FONT, "size": 13, "color": theme.text},
        "title": {
            "text": heading,
            "font": {"size": 18, "color": theme.text},
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"l": 20, "t": 20},
        },
        "margin": {"l": 20, "r": 24, "t": top_margin(len(lines)), "b": 20},
        "xaxis": {**axis, "showline": True, "ticks": "outside", "title": {"text": x_title, **axis_title}},
        "yaxis": {**axis, "title": {"text": y_title, **axis_title}},
        "legend": {
            "orientation": "h",
            "yref": "container",
            "y": 0.02,
            "yanchor": "bottom",
            "x": 0,
            "xanchor": "left",
            "bgcolor": "rgba(0,0,0,0)",
            "font": {"size": 13, "color": theme.text},
        },
        "hoverlabel": {
            "bgcolor": theme.background,
            "bordercolor": theme.muted,
            "font": {"family": FONT, "size": 13, "color": theme.text},
        },
    }
    return go.Figure(layout=layout)


def top_margin(n_lines: int) -> int:
    """Room above the plot for a title of that many lines."""
    return 30 if n_lines == 0 else 46 + 24 * n_lines


def colour_bar(theme: Theme, title: str, **more: Any) -> dict[str, Any]:
    """A bar under the plot, where it leaves a phone its width."""
    return {
        "title": {"text": plain(title), "side": "right", "font": {"color": theme.text, "size": 12}},
        "orientation": "h",
        "thickness": 12,
        "len": 1,
        "nticks": 5,
        "x": 0,
        "xanchor": "left",
        "y": 0.02,
        "yref": "container",
        "yanchor": "bottom",
        "outlinewidth": 0,
        "tickfont": {"color": theme.muted, "size": 11},
        "tickangle": 0,
        **more,
    }


def dashed(figure: go.Figure, theme: Theme, *, label: str, x: float | None = None, y: float | None = None) -> None:
    """A labelled line across the plot, at x (upright) or y (level)."""
    line = {"color": theme.muted if x is None else theme.text, "width": 1.5, "dash": "dash"}
    text = {"text": plain(label), "showarrow": False, "font": {"color": theme.muted, "size": 12}}
    if x is not None:
        figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=line)
        figure.add_annotation(x=x, y=1, yref="paper", yanchor="bottom", **text)
    else:
        figure.add_shape(type="line", y0=y, y1=y, x0=0, x1=1, xref="paper", line=line)
        figure.add_annotation(y=y, x=1, xref="paper", xanchor="right", yanchor="bottom", **text)


def many_names(figure: go.Figure, n_names: int) -> None:
    """Room for a long legend: on a phone two names share a line, and the plot is to keep its height."""
    if n_names > 8:
        figure.update_layout(height=figure.layout.height + 10 * (n_names - 8), legend_font_size=12)
