"""A rerun as one HTML file, which needs neither scripts nor a network."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from holdfast.report.reproduction._tables import printed_tables, sections, verdicts
from holdfast.report.reproduction._words import SHORT, VERDICTS, Row, in_short, meanings, run_facts, set_words, title

if TYPE_CHECKING:
    from jinja2 import Environment

_MARKED = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\(((?:https?://)?[A-Za-z0-9][^)\s:]*)\)"), r'<a href="\2">\1</a>'),
)
# Names of style classes; verdicts and claims share them.
_KINDS = {
    "agrees": "good", "better": "good", "holds": "good", "worse": "bad", "does not hold": "bad", "differs": "odd",
    "holds in part": "odd", "printed value impossible": "odd", "not run": "none", "not tested": "none",
}  # fmt: skip
# Closed until asked for: tables that would hide what comes after them.
LONG = 15


def page(found: Row) -> str:
    """The whole page: in short, verdicts, claims, every printed number, tables of our own.

    Parameters
    ----------
    found : dict
        What ``holdfast.reproduce.reproduce`` gives.

    Returns
    -------
    html : str
        The whole file.
    """
    return rendered(
        "page.html.j2",
        found=found,
        version=found["holdfast_version"],
        is_quick=found["is_quick"],
        title=title(found),
        in_short=in_short(found["summary"]),
        run_facts=run_facts(found),
        meanings=meanings(found["summary"]),
        sets=[set_words(one) for one in found["data"]],
        verdicts=verdicts(found),
        claims=found["claims"],
        printed=printed_tables(found),
        sections=sections(found),
        long=LONG,
        shares=[
            (f"{found['kind']} {row['table']}", parts) for row in found["summary"]["tables"] if (parts := shares(row))
        ],
    )


def rendered(template: str, **words: Any) -> str:
    """A page by its template, in the colours of all reports."""
    from holdfast.report._style import FONT, look

    html: str = (
        _environment()
        .get_template(template)
        .render(
            colours={name: look(name) for name in ("light", "dark")},
            font=FONT,
            css=_asset("holdfast.report.study", "page.css") + _asset("holdfast.report.reproduction", "page.css"),
            **words,
        )
    )
    return html


def shares(row: Row) -> list[tuple[str, int, float]]:
    """Parts of a bar by verdict: how many, and in per cent."""
    total = sum(row[kind] for kind in VERDICTS) or 1
    return [(kind, row[kind], 100 * row[kind] / total) for kind in VERDICTS if row[kind]]


@cache
def _environment() -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader("holdfast.report.reproduction"), PackageLoader("holdfast.report.study")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"marked": marked, "kind": lambda words: _KINDS.get(words, ""), "look": look_of, "short": short}
    return made


def short(words: str) -> str:
    """The head of a narrow column."""
    return SHORT.get(words, words)


def look_of(verdict: str) -> str:
    """The style class of a verdict's part of a bar, and of the square beside its word."""
    return f"part {short(verdict).replace(' ', '-')}"


def marked(text: str) -> Any:
    """Markdown of a line or a list as HTML."""
    from markupsafe import Markup, escape

    lines = str(text).split("\n")
    if all(line.startswith("- ") for line in lines):
        items = "".join(f"<li>{marked(line[2:])}</li>" for line in lines)
        return Markup(f"<ul>{items}</ul>")
    html = str(escape(text))
    for pattern, tags in _MARKED:
        html = pattern.sub(tags, html)
    return Markup(html)


@cache
def _asset(package: str, name: str) -> str:
    return (files(package) / "templates" / name).read_text(encoding="utf-8")
