"""A rerun as lines for a terminal."""

from __future__ import annotations

import textwrap

from holdfast.report.reproduction._words import (
    CLAIMS,
    NONE,
    SHORT,
    VERDICTS,
    Row,
    counts,
    in_short,
    run_facts,
    set_words,
    title,
)


def text(found: Row, *, width: int | None = None) -> str:
    """What came out, table by table; the pages have every number.

    Parameters
    ----------
    found : dict
        What ``holdfast.reproduce.reproduce`` gives.
    width : int or None, default=None
        Width to fold at; None for 100.

    Returns
    -------
    text : str
        Lines.
    """
    width = width or 100
    lines = [title(found), "", *_counted(found)]
    lines += textwrap.wrap(f"{found['thesis']['label']}, {found['plan']}: {in_short(found['summary'])}", width)
    claims = found["summary"]["claims"]
    if sum(claims.values()):
        lines += ["", f"Claims: {counts(claims, CLAIMS)}"]
        for claim in found["claims"]:
            lines += textwrap.wrap(
                f"{claim['source']}: {claim['text']} – {claim['verdict']}", width, initial_indent="  ",
                subsequent_indent="    ",
            )  # fmt: skip
    absent = [set_words(one) for one in found["data"] if not one["found"]]
    if absent:
        lines += ["", *(line for one in absent for line in textwrap.wrap(one, width, subsequent_indent="  "))]
    return "\n".join([*lines, "", *textwrap.wrap(run_facts(found).replace("`", ""), width)]) + "\n"


def _counted(found: Row) -> list[str]:
    """Verdicts by table, if any number is printed."""
    if not found["summary"]["tables"]:
        return []
    heads = [SHORT.get(kind, kind) for kind in VERDICTS]
    total, apart = found["summary"]["total"], found["summary"]["apart"]
    n_apart = sum(apart.values())
    rows = [
        *(
            [f"{found['kind']} {row['table']}", *_told(row), str(row["apart"] or NONE)]
            for row in found["summary"]["tables"]
        ),
        ["all", *_told(total), str(n_apart)],
        ["those apart", *_told(apart), ""],
    ]
    if n_apart:
        heads.append("apart")
    else:
        rows = [row[:-1] for row in rows[:-1]]
    widths = [max(map(len, column)) for column in zip(["", *heads], *rows, strict=True)]
    return [_row(["", *heads], widths), *(_row(row, widths) for row in rows), ""]


def _told(row: Row) -> list[str]:
    return [str(row[kind] or NONE) for kind in VERDICTS]


def _row(cells: list[str], widths: list[int]) -> str:
    first, *others = cells
    return "  ".join([first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(others, widths[1:], strict=True))]).rstrip()
