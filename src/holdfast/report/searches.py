"""How searches by distance correlation went: probabilities over populations, and the best set over rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._fitted import names_of, require
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
from holdfast.report._summary import reach, size_words
from holdfast.selectors.distance._bins import AGREEMENT, PERFECT, ROUNDS, STALL

Array = npt.NDArray[Any]
_WHY_ENDED = {
    PERFECT: "its value cannot be higher",
    AGREEMENT: "all bins found the same set",
    ROUNDS: "no round was left",
    STALL: "rounds brought nothing better",
}


def inclusion_trace(search: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """How the probability of each feature to be drawn changed over the populations of a DCORFS.

    Use it to see whether a search had come to rest: lines of chosen features end at the top and all others at the
    bottom. Lines that are still on their way want more iterations, lines that jump want a larger ``step``.

    Parameters
    ----------
    search : DCORFS
        Fitted; it keeps the lines of the ``n_traced`` features that came highest.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line for each traced feature, those of chosen ones in colour, and the threshold.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import DCORFS
    >>> from holdfast.report import inclusion_trace
    >>> X = np.random.default_rng(42).standard_normal((40, 20))
    >>> search = DCORFS(confidence=None).fit(X, X[:, 3] + X[:, 11] > 0)
    >>> inclusion_trace(search).layout.title.text
    '<b>2 features came to a probability of 0.98; the search came to rest after 50 populations.</b>'
    """
    colours = look(theme)
    require(search, "trace_", "DCORFS")
    if search.trace_.shape[1] == 0:
        raise ValueError("The search has traced no feature. Fit it with n_traced=20, and with features that take part.")
    names = names_of(search, search.traced_)
    is_chosen = search.support_[search.traced_]
    figure = canvas(
        colours,
        title=_trace_title(search) if title is None else title,
        x_title="Populations drawn",
        y_title="Probability of being drawn",
    )
    for number, line in enumerate(np.flatnonzero(~is_chosen).tolist()):
        _add_other(figure, colours, search, line, names[line], is_first=number == 0)
    # The one that comes to the threshold first has the first colour.
    arrival = [_arrival(search.trace_[:, line], search.threshold) for line in range(len(names))]
    chosen = sorted(np.flatnonzero(is_chosen).tolist(), key=lambda line: arrival[line])
    for number, line in enumerate(chosen):
        _add_line(figure, search, line, names[line], short(names[line]), line_style(colours, number))
    dashed(figure, colours, y=search.threshold, label=f"chosen from {search.threshold:g} on")
    # Lines come to the threshold on the right.
    figure.layout.annotations[-1].update(x=0, xanchor="left", yanchor="top")
    figure.update_xaxes(range=[0, 1.02 * search.n_iterations_], rangemode="nonnegative")
    figure.update_yaxes(range=[-0.02, 1.06])
    many_names(figure, len(chosen))
    return figure


def _arrival(line: Array, threshold: float) -> float:
    """Population after which a line is at the threshold for good."""
    below = np.flatnonzero(line < threshold)
    last = int(below[-1]) + 1 if len(below) else 0
    return float(last) if last < len(line) else np.inf


def _trace_title(search: Any) -> str:
    n_drawn = f"{search.n_iterations_} population{'' if search.n_iterations_ == 1 else 's'}"
    reached = search.inclusion_ >= search.threshold
    n_reached, n_kept = int(reached.sum()), len(search.indices_)
    if not reached[search.support_].all():
        return (
            f"The best set drawn in {n_drawn} has {size_words(n_kept)}; they were chosen, whatever their probability."
        )
    if n_reached == 0:
        top = int(np.argmax(search.trace_[-1]))
        name = clipped(names_of(search, search.traced_)[top])
        return (
            f"No feature came to a probability of {search.threshold:g} in {n_drawn}; {name} is highest with "
            f"{search.trace_[-1, top]:.2f}."
        )
    kept = "" if n_kept == n_reached else f", of which {n_kept} {'was' if n_kept == 1 else 'were'} kept"
    rest = "came to rest" if search.converged_ else "was cut off"
    came = f"{size_words(n_reached)} came to a probability of {search.threshold:g}{kept}"
    return f"{came}; the search {rest} after {n_drawn}."


def _add_other(figure: go.Figure, theme: Theme, search: Any, line: int, name: str, *, is_first: bool) -> None:
    style = {"color": see_through(theme.muted, 0.55), "width": 1}
    _add_line(figure, search, line, name, "not chosen", style)
    figure.data[-1].update(legendgroup="not chosen", showlegend=is_first, legendrank=2000)


def _add_line(figure: go.Figure, search: Any, line: int, name: str, legend: str, style: dict[str, Any]) -> None:
    told = ["at the start", *(f"best set {row['best']:.3f}, mean {row['mean']:.3f}" for row in search.history_)]
    figure.add_trace(
        go.Scatter(
            x=np.arange(len(search.trace_)),
            y=search.trace_[:, line],
            mode="lines",
            line=style,
            name=legend,
            showlegend=True,
            customdata=[[plain(name), words] for words in told],
            hovertemplate="<b>%{customdata[0]}</b>: %{y:.3f}<br>population %{x}, %{customdata[1]}<extra></extra>",
        )
    )


def rounds(search: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """What the best set was worth after each round of a D2CORFS, how many features it had, and why the search ended.

    Use it to see whether another round would have paid, and whether bins gained from what others had found.

    Parameters
    ----------
    search : D2CORFS
        Fitted.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        One line, with the number of features at every point.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import D2CORFS
    >>> from holdfast.report import rounds
    >>> X = np.random.default_rng(7).standard_normal((60, 300))
    >>> search = D2CORFS(confidence=None).fit(X, X[:, 10] + X[:, 150] + X[:, 290] > 0)
    >>> list(rounds(search).data[0].text)
    ['1', '2', '3', '3']
    """
    colours = look(theme)
    require(search, "rounds_", "D2CORFS")
    if search.n_rounds_ == 0:
        raise ValueError("No feature took part in the search, so there was no round. Lower confidence, or pass None.")
    done = search.rounds_
    at = np.arange(1, len(done) + 1)
    figure = canvas(
        colours,
        title=_rounds_title(search) if title is None else title,
        x_title=f"Rounds over {_bins(search.n_bins_)}<br>(numbers: features of the set)",
        y_title="Value of the best set so far",
    )
    figure.add_trace(
        go.Scatter(
            x=at,
            y=done["value"],
            mode="lines+markers+text",
            line={**line_style(colours, 0), "shape": "hv"},
            marker={**marker_style(colours, 0), "size": 11},
            text=[str(number) for number in done["n_features"]],
            textposition="top center",
            textfont={"color": colours.text, "size": 13},
            cliponaxis=False,
            showlegend=False,
            customdata=[_round_words(row) for row in done],
            hovertemplate="<b>round %{x}</b>: %{y:.4f}<br>%{customdata}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[0.6, len(done) + 0.4], dtick=1)
    figure.update_yaxes(range=reach(done["value"].tolist(), room=0.2))
    return figure


def _bins(number: int) -> str:
    return f"{number} bin{'' if number == 1 else 's'}"


def _round_words(row: Any) -> str:
    n_sets, n_empty = int(row["n_sets"]), int(row["n_empty"])
    found = f"bins found {n_sets} different set{'' if n_sets == 1 else 's'}"
    empty = f", {n_empty} of them nothing" if n_empty else ""
    n_features, n_shared = size_words(int(row["n_features"])), size_words(int(row["n_shared"]))
    return f"{n_features}<br>{found}{empty}<br>{n_shared} shared before it"


def _rounds_title(search: Any) -> str:
    last = search.rounds_[-1]
    after = f"After {search.n_rounds_} round{'' if search.n_rounds_ == 1 else 's'}"
    return (
        f"{after} the best set has {size_words(int(last['n_features']))} and a value of {last['value']:.3f}; the "
        f"search ended since {_WHY_ENDED[search.stop_]}."
    )
