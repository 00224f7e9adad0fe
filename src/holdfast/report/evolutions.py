"""How searches by populations went: inner fitness, which was maximised, beside the outer score, which was not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from holdfast.report._fitted import names_of, require
from holdfast.report._style import Theme, canvas, clipped, look, many_names, marker_style, plain, see_through, short
from holdfast.report._summary import Value, ends, reach, size_words, whiskers, words

Array = npt.NDArray[Any]
INNER, OUTER = "inner fitness (maximised)", "outer score (honest)"
BEST, MEAN = f"{INNER}, best so far", f"{INNER}, mean"
_PHASES = {
    "start": "one of the first sets",
    "employed": "a bee flew by another one",
    "onlooker": "a bee was crossed with the queen",
    "scout": "a bee started anew",
    "mutation": "features of the queen mutated",
    "forward": "a feature joined the queen",
    "backward": "a feature left the queen",
    "breeding": "a child of the generation before",
    "cut off": "met in the phase that was cut off",
}
# The strip for outer scores at the right, as a share of the width, for the first search and for every further one.
_STRIP, _WIDER, _WIDEST = 0.13, 0.03, 0.3
_GAP = 0.015
_MOST_NAMES = 8


class Queen(NamedTuple):
    """A best set so far: when it came, by what, and who is in it."""

    cycle: int
    phase: str
    fitness: float
    n_evaluations: int
    columns: Array


class Course(NamedTuple):
    """One search, ready to be drawn."""

    name: str
    search: Any
    queens: list[Queen]
    outer: Value | None

    @property
    def inner(self) -> float:
        """What the search maximised, at its end."""
        return float(self.search.inner_fitness_)

    @property
    def last(self) -> int:
        """Sets evaluated at the end."""
        done = self.search.history_["n_evaluations"]
        return max(self.queens[-1].n_evaluations, int(done[-1]) if len(done) else 0)

    @property
    def round_word(self) -> str:
        """What a round of this search is called."""
        return str(self.search.rounds).removesuffix("s")


def evolution(searches: Any, *, title: str | None = None, theme: str = "light") -> go.Figure:
    """How a search by bees or by a genetic algorithm went, and how far what it maximised is above what to expect.

    Use it to see whether more evaluations would have paid, where new best sets came from, and not to take the inner
    fitness for the truth: the best of some thousand cross-validated scores is too good, and the outer score is not.

    Parameters
    ----------
    searches : BeeColony, MRMRGA or dict of str to such
        Fitted; several by name to compare them.
    title : str, default=None
        Title; None for a sentence about what is seen, "" for none.
    theme : {"light", "dark"}, default="light"
        Background.

    Returns
    -------
    figure : plotly.graph_objects.Figure
        Over the sets evaluated, for each search: a line of the best inner fitness so far with a mark for every new best
        set, a dotted one of the mean of the population, and a dashed one of the outer score. The strip on the right has
        the outer score with its interval, below the inner fitness at the end (open circle).

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import BeeColony
    >>> from holdfast.report import evolution
    >>> X = np.random.default_rng(0).standard_normal((60, 30))
    >>> search = BeeColony(n_bees=10, n_cycles=5, outer_cv=3).fit(X, X[:, 3] + X[:, 11] > 0)
    >>> list(dict.fromkeys(line.name for line in evolution(search).data if line.showlegend))[-1]
    'outer score (honest)'
    """
    colours = look(theme)
    courses = _courses(searches)
    figure = canvas(
        colours,
        title=_title(courses) if title is None else title,
        x_title="Sets evaluated",
        y_title=_score_axis(courses),
    )
    strip = min(_STRIP + _WIDER * (len(courses) - 1), _WIDEST)
    last = max(course.last for course in courses)
    for number, course in enumerate(courses):
        style, outer_style = _styles(colours, number, len(courses))
        if len(courses) == 1:
            _add_band(figure, course, last, outer_style["color"])
        _add_mean(figure, course, style["color"])
        _add_best(figure, course, style)
        _add_outer(figure, colours, course, (number, last), outer_style)
    _name_lines(figure, colours, courses)
    figure.update_layout(
        xaxis={"domain": [0, 1 - strip - _GAP], "range": [0, 1.01 * last], "nticks": 6, "tickangle": 0},
        xaxis2={
            "domain": [1 - strip, 1], "anchor": "y", "range": [-0.75, len(courses) - 0.25], "showticklabels": False,
            "showgrid": False, "zeroline": False, "showline": True, "linecolor": colours.muted,
            "title": {"text": OUTER.replace(" ", "<br>"), "font": {"size": 14, "color": colours.text}, "standoff": 18},
        },
        yaxis={"range": reach(_drawn(courses), room=0.08)},
        hoverlabel={"align": "left"},
    )  # fmt: skip
    many_names(figure, len(courses) + 3)
    return figure


def _courses(searches: Any) -> list[Course]:
    """The searches by name; a single one has none."""
    if isinstance(searches, Mapping):
        if not searches:
            raise ValueError("No search came. Pass a fitted BeeColony or MRMRGA, or several by name.")
        found = [_course(str(name), search) for name, search in searches.items()]
    else:
        found = [_course("", searches)]
    scores = {_score_axis([course]) for course in found}
    if len(scores) > 1:
        raise ValueError(
            f"The searches were judged by different scores ({', '.join(sorted(scores))}), which have no axis in "
            "common. Draw them one by one."
        )
    return found


def _course(name: str, search: Any) -> Course:
    require(search, "queen_trace_", "BeeColony or MRMRGA")
    queens = [
        Queen(int(row["cycle"]), str(row["phase"]), float(row["fitness"]), int(row["n_evaluations"]), search.pool_[has])
        for row, has in zip(search.queen_trace_, search.queens_, strict=True)
    ]
    known = search.indices_
    if not queens or set(queens[-1].columns.tolist()) != set(known.tolist()):
        # What a search was cut off with may be of no round that was written down.
        if not np.isfinite(search.inner_fitness_):
            of = f"The search {name!r}" if name else "The search"
            raise ValueError(
                f"{of} evaluated no set, so there is nothing to draw. Give it more time, or other features."
            )
        n_rounds = len(search.history_)
        n_evaluations = int(search.n_evaluations_.subset)
        queens.append(Queen(n_rounds, "cut off", float(search.inner_fitness_), n_evaluations, known))
    outer = None
    if np.isfinite(search.outer_score_):
        low, high = (float(end) if np.isfinite(end) else None for end in search.outer_interval_)
        outer = Value(float(search.outer_score_), low, high)
    return Course(name, search, queens, outer)


def _score_axis(courses: list[Course]) -> str:
    scoring = courses[0].search.scoring
    return words(scoring.replace("-", " ")) if isinstance(scoring, str) else "Score"


def _drawn(courses: list[Course]) -> list[float]:
    numbers = ends(course.outer for course in courses if course.outer is not None)
    for course in courses:
        numbers += [queen.fitness for queen in course.queens]
        numbers += course.search.history_["mean"].tolist()
    return numbers


def _title(courses: list[Course]) -> str:
    known = [course for course in courses if course.outer is not None]
    if len(courses) == 1:
        inner = f"Maximised over {courses[0].last:,} sets, inner fitness came to {courses[0].inner:.3f}"
    else:
        low, high = (end(course.inner for course in courses) for end in (min, max))
        inner = f"Inner fitness, which was maximised, came to {low:.3f}{'' if low == high else f' to {high:.3f}'}"
    if not known:
        return f"{inner}; what to expect of new samples is not known, for there is no outer score."
    if len(courses) == 1:
        return f"{inner}; of new samples expect the outer score, {_outer_of(known[0]).words()}."
    known = sorted(known, key=lambda course: _outer_of(course).at)
    ends_of = [known[0], known[-1]] if len(known) > 1 else known
    told = " to ".join(f"{_outer_of(course).at:.3f} ({clipped(course.name, 30)})" for course in ends_of)
    return f"{inner}; of new samples expect the outer score, {told}."


def _styles(theme: Theme, number: int, n_courses: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of inner fitness and of the outer score: two colours if there is one search, or that of the search."""
    style = marker_style(theme, number)
    return style, marker_style(theme, 1) if n_courses == 1 else style


def _add_band(figure: go.Figure, course: Course, last: int, colour: str) -> None:
    if course.outer is None or course.outer.low is None or course.outer.high is None:
        return
    figure.add_shape(
        type="rect", layer="below", x0=0, x1=1.01 * last, y0=course.outer.low, y1=course.outer.high,
        fillcolor=see_through(colour, 0.10), line={"width": 0},
    )  # fmt: skip


def _add_mean(figure: go.Figure, course: Course, colour: str) -> None:
    rows = course.search.history_
    figure.add_trace(
        go.Scatter(
            x=rows["n_evaluations"],
            y=rows["mean"],
            mode="lines" if len(rows) > 1 else "markers",
            line={"color": colour, "width": 1.5, "dash": "dot"},
            marker={"color": colour, "size": 6, "symbol": "line-ew-open"},
            name=MEAN,
            legendgroup=course.name,
            showlegend=False,
            customdata=[_told_of_round(course, row) for row in rows],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_best(figure: go.Figure, course: Course, style: dict[str, Any]) -> None:
    queens = course.queens
    figure.add_trace(
        go.Scatter(
            x=[*(queen.n_evaluations for queen in queens), course.last],
            y=[*(queen.fitness for queen in queens), queens[-1].fitness],
            mode="lines",
            line={"color": style["color"], "width": 2.5, "shape": "hv"},
            name=BEST,
            legendgroup=course.name,
            showlegend=False,
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[queen.n_evaluations for queen in queens],
            y=[queen.fitness for queen in queens],
            mode="markers",
            marker={**style, "size": 9},
            name="a new best set",
            legendgroup=course.name,
            showlegend=False,
            cliponaxis=False,
            customdata=[_told_of(course, number) for number in range(len(queens))],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_outer(figure: go.Figure, theme: Theme, course: Course, place: tuple[int, int], style: dict[str, Any]) -> None:
    slot, last = place
    shared = {"legendgroup": course.name, "showlegend": False, "hovertemplate": "%{customdata}<extra></extra>"}
    if course.outer is None:
        figure.add_annotation(
            text="not known", x=slot, xref="x2", y=0.5, yref="paper", textangle=-90, showarrow=False,
            font={"color": style["color"], "size": 12},
        )  # fmt: skip
        return
    at, told = course.outer.at, _told_of_outer(course)
    figure.add_trace(
        go.Scatter(
            x=[0, 1.01 * last], y=[at, at], mode="lines", line={"color": style["color"], "width": 2, "dash": "dash"},
            name=OUTER, customdata=[told, told], **shared,
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[slot, slot], y=[course.inner, at], xaxis="x2", mode="lines+markers",
            line={"color": see_through(theme.muted, 0.7), "width": 1, "dash": "dot"},
            marker={"color": theme.muted, "size": [10, 0], "symbol": "circle-open"},
            name=INNER, customdata=[told, told], **shared,
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[slot], y=[at], xaxis="x2", mode="markers", marker={**style, "size": 12},
            error_y={**whiskers([course.outer], style["color"], width=6), "thickness": 2},
            name=OUTER, cliponaxis=False, customdata=[told], **shared,
        )
    )  # fmt: skip


def _name_lines(figure: go.Figure, theme: Theme, courses: list[Course]) -> None:
    """The legend: what lines mean, and whose colour is whose."""
    is_alone = len(courses) == 1
    inner, outer = (style["color"] if is_alone else theme.muted for style in _styles(theme, 0, len(courses)))
    lines = {
        BEST: {"color": inner, "width": 2.5},
        MEAN: {"color": inner, "width": 1.5, "dash": "dot"},
        OUTER: {"color": outer, "width": 2, "dash": "dash"},
    }
    for number, (name, line) in enumerate(lines.items()):
        figure.add_trace(
            go.Scatter(
                x=[None], y=[None], mode="lines", line=line, name=name, showlegend=True,
                legendrank=2000 + number, hoverinfo="skip",
            )
        )  # fmt: skip
    if is_alone:
        _label_lines(figure, courses[0], inner, outer)
        return
    for number, course in enumerate(courses):
        figure.add_trace(
            go.Scatter(
                x=[None], y=[None], mode="markers", marker={**marker_style(theme, number), "size": 11},
                name=short(course.name), legendgroup=course.name, showlegend=True, hoverinfo="skip",
            )
        )  # fmt: skip


def _label_lines(figure: go.Figure, course: Course, inner: str, outer: str) -> None:
    """Names at the lines themselves, so that nobody has to look them up."""
    text = {"showarrow": False, "yanchor": "bottom", "borderpad": 1}
    figure.add_annotation(
        text=f"{INNER}: {course.inner:.3f}", x=1.01 * course.last, xanchor="right", y=course.inner, yshift=4,
        font={"color": inner, "size": 13}, **text,
    )  # fmt: skip
    if course.outer is not None:
        figure.add_annotation(
            text=f"{OUTER}: {course.outer.at:.3f}", x=0, xanchor="left", xshift=4, y=course.outer.at,
            font={"color": outer, "size": 13}, **text,
        )  # fmt: skip


def _outer_of(course: Course) -> Value:
    """The outer score of a search that has one."""
    if course.outer is None:
        raise ValueError(f"{course.name} has no outer score.")
    return course.outer


def _heading(course: Course) -> str:
    return f"<b>{plain(course.name)}</b><br>" if course.name else ""


def _told_of_round(course: Course, row: Any) -> str:
    return (
        f"{_heading(course)}{course.round_word} {row['cycle']}: mean of the population <b>{row['mean']:.4f}</b>"
        f"<br>best {row['best']:.4f} with {size_words(int(row['n_features']))}"
        f"<br>{row['n_evaluations']:,} sets evaluated, {row['n_requests']:,} asked for"
    )


def _told_of(course: Course, number: int) -> str:
    queen = course.queens[number]
    who = [short(name) for name in names_of(course.search, queen.columns[:_MOST_NAMES])]
    more = f" and {len(queen.columns) - _MOST_NAMES} more" if len(queen.columns) > _MOST_NAMES else ""
    return (
        f"{_heading(course)}{INNER} <b>{queen.fitness:.4f}</b>, {size_words(len(queen.columns))}"
        f"<br>{course.round_word} {queen.cycle}, phase {queen.phase}: {_PHASES.get(queen.phase, '')}"
        f"<br>{queen.n_evaluations:,} sets evaluated<br>{', '.join(who)}{more}"
    )


def _told_of_outer(course: Course) -> str:
    outer = _outer_of(course)
    gap = course.inner - outer.at
    between = "" if outer.low is None else f"<br>95 % interval {outer.low:.3f} to {outer.high:.3f}"
    return (
        f"{_heading(course)}{OUTER} <b>{outer.at:.4f}</b>: what to expect of new samples{between}"
        f"<br>filter and search repeated without the test samples, {course.search.n_outer_splits_} times"
        f"<br>{INNER} {course.inner:.4f}: {abs(gap):.4f} {'above' if gap >= 0 else 'below'} it"
    )
