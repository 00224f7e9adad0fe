"""A rerun as a page in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.report.reproduction._tables import Grid, claims, printed_tables, sections, verdicts
from holdfast.report.reproduction._words import Row, in_short, meanings, run_facts, set_words, title


def markdown(found: Row) -> str:
    """The whole page: in short, how it was done, verdicts, claims, every printed number, tables of our own.

    Parameters
    ----------
    found : dict
        What ``holdfast.reproduce.reproduce`` gives.

    Returns
    -------
    text : str
        Markdown.
    """
    tested, judged = claims(found), verdicts(found)
    parts = [
        f"# {title(found)}",
        run_facts(found),
        f"**{in_short(found['summary'])}**",
        listed([f"**{kind}**: {words}." for kind, words in meanings(found["summary"]).items()]),
        *found["protocol"],
        "Data sets, as they were found:" if found["data"] else "",
        listed([set_words(one) for one in found["data"]]),
        listed([f"**({mark})** {meaning}" for mark, meaning in found["remarks"].items()]),
        *(grid(judged) if judged is not None else ()),
        *(grid(tested) if tested is not None else ()),
        *(part for one in (*printed_tables(found), *sections(found)) for part in grid(one)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def grid(one: Grid) -> list[str]:
    """A table below its heading, in blocks."""
    table = []
    if one.header:
        rule = "|" + "".join("---:|" if is_number else "---|" for is_number in one.is_number)
        table = ["\n".join([_line(one.header), rule, *map(_line, one.rows)])]
    return [f"## {one.title}", *([one.text] if one.text else []), *table]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def listed(lines: Sequence[str]) -> str:
    """Lines as a list."""
    return "\n".join(f"- {line}" for line in lines)
