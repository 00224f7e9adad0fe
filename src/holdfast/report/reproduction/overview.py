"""Several reruns on one page: a line a plan, and one for every thesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from holdfast.report.reproduction._tables import Grid
from holdfast.report.reproduction._words import CLAIMS, SHORT, VERDICTS, Row, in_short, meanings, together
from holdfast.report.reproduction.markdown import grid, listed
from holdfast.report.reproduction.page import rendered, shares

TITLE = "Printed and rerun"
Link = Callable[[str], str]


def by_thesis(every: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Runs by the label of their thesis; those of one thesis lie side by side."""
    return [(label, list(own)) for label, own in groupby(every, key=lambda found: found["thesis"]["label"])]


def overview_lines(every: Sequence[Row]) -> list[str]:
    """A line a thesis, for a terminal."""
    return [f"{label}: {in_short(together(own))}" for label, own in by_thesis(every)]


def overview_markdown(every: Sequence[Row], link: Link, *, title: str = TITLE) -> str:
    """The page in Markdown.

    Parameters
    ----------
    every : sequence of dict
        What ``holdfast.reproduce.reproduce`` gives, in the order of the plans.
    link : callable
        From the name of a plan to where its page lies.
    title : str, default="Printed and rerun"
        The heading.

    Returns
    -------
    text : str
        Markdown.
    """
    summary = together(every)
    parts = [
        f"# {title}",
        f"{facts(every)}.",
        f"**{in_short(summary)}**",
        listed([f"**{kind}**: {words}." for kind, words in meanings(summary).items()]),
        listed([f"**{label}**: {in_short(together(own))}" for label, own in by_thesis(every)]),
        *grid(_table(every, link)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def facts(every: Sequence[Row]) -> str:
    """How many plans, of which version and day, and whether they had few runs."""
    few = "; few runs (--quick): to see that it works, not for verdicts"
    return (
        f"{len(every)} plans, Holdfast {every[0]['holdfast_version']}, {max(found['date'] for found in every)}"
        f"{few if any(found['is_quick'] for found in every) else ''}"
    )


def overview_page(every: Sequence[Row], link: Link) -> str:
    """The page as one HTML file; parameters as those of ``overview_markdown``."""
    summary = together(every)
    first, table = every[0], _table(every, link)
    return rendered(
        "overview.html.j2",
        version=first["holdfast_version"],
        is_quick=any(found["is_quick"] for found in every),
        title=TITLE,
        facts=facts(every),
        in_short=in_short(summary),
        meanings=meanings(summary),
        theses=[(label, in_short(together(own))) for label, own in by_thesis(every)],
        shares=[(found["plan"], parts) for found in every if (parts := shares(found["summary"]["total"]))],
        counted=[_columns(table, _NUMBERS), _columns(table, _CLAIMS)],
    )


def _table(every: Sequence[Row], link: Link) -> Grid:
    rows = []
    for label, own in by_thesis(every):
        rows += [
            [f"[{found['plan']}]({link(found['plan'])})", found["title"], *map(_told, _counts(found))] for found in own
        ]
        rows.append([f"**{label}**", "", *(f"**{_told(n)}**" for n in _counts({"summary": together(own)}))])
    header = ["Plan", "About", *(SHORT.get(kind, kind) for kind in VERDICTS), "counted apart", *CLAIMS]
    text = (
        "*Counted apart*, and in no other column, are numbers on which a verdict says little: ours are other data, or "
        "a setting was fitted to them, or a convention fixes them. The page of the plan says which."
    )
    return Grid("By thesis and plan", text, header, rows, n_words=_N_WORDS)


# Words of a line, and where the counts behind them lie.
_N_WORDS = 2
_NUMBERS = ("Printed numbers", slice(_N_WORDS, _N_WORDS + len(VERDICTS) + 1))
_CLAIMS = ("Claims", slice(_N_WORDS + len(VERDICTS) + 1, None))


def _columns(table: Grid, chosen: tuple[str, slice]) -> Grid:
    """Some of the counts, in a table that fits a window."""
    title, part = chosen
    header, *rows = ([*row[:_N_WORDS], *row[part]] for row in (table.header, *table.rows))
    return Grid(title, table.text, header, rows, table.n_words)


def _counts(found: Row) -> list[int]:
    summary = found["summary"]
    return [
        *(summary["total"][kind] for kind in VERDICTS),
        sum(summary["apart"].values()),
        *(summary["claims"][kind] for kind in CLAIMS),
    ]


def _told(count: int) -> str:
    return f"{count:,}" if count else "–"
