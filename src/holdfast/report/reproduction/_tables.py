"""The tables of a rerun, as words, for every form that shows tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.report.reproduction._words import VERDICTS, Row, as_printed, columns_of, interval, number, remark


@dataclass(frozen=True)
class Grid:
    """A table: a heading, words before it, the head and the rows; the first ``n_words`` columns hold words."""

    title: str
    text: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_words: int = 1

    @property
    def is_number(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [at >= self.n_words and name not in _WORDS for at, name in enumerate(self.header)]


# Columns of words behind those of numbers.
_WORDS = ("verdict", "remark")


def verdicts(found: Row) -> Grid | None:
    """Counts of verdicts by printed table, and of numbers that are counted apart if there are any."""
    if not found["summary"]["tables"]:
        return None
    total, apart = found["summary"]["total"], found["summary"]["apart"]
    n_apart = sum(apart.values())
    rows = [
        *(
            [f"{found['kind']} {row['table']}", *verdict_counts(row), str(row["apart"])]
            for row in found["summary"]["tables"]
        ),
        [f"All of {found['plan']}", *verdict_counts(total), str(n_apart)],
    ]
    if not n_apart:
        return Grid("Verdicts", "", ["", *VERDICTS], [row[:-1] for row in rows])
    rows.append(["Those apart, for the reasons beside them", *verdict_counts(apart), ""])
    return Grid("Verdicts", "", ["", *VERDICTS, "counted apart"], rows)


def verdict_counts(row: Row) -> list[str]:
    """How many numbers have each verdict."""
    return [str(row[kind]) for kind in VERDICTS]


def claims(found: Row) -> Grid | None:
    """What the thesis says, and whether it holds."""
    if not found["claims"]:
        return None
    is_printed = any(claim["printed"] for claim in found["claims"])
    header = ["Where", "Claim", *(["In print"] if is_printed else []), "Verdict", "Numbers"]
    rows = [
        [one["source"], one["text"], *([one["printed"]] if is_printed else []), one["verdict"], one["evidence"]]
        for one in found["claims"]
    ]
    return Grid("What the thesis says, tested", "", header, rows, n_words=len(header))


def printed_tables(found: Row) -> list[Grid]:
    """Every printed table, a line a number."""
    return [_printed(found, row["table"]) for row in found["summary"]["tables"]]


def _printed(found: Row, table: str) -> Grid:
    cells = [cell for cell in found["cells"] if cell["table"] == table]
    names = columns_of(cells)
    is_honest = any(cell["honest"] is not None for cell in cells)
    header = [
        *names,
        "printed",
        "ours",
        "agrees from … to",
        *(["without the leak"] if is_honest else []),
        "verdict",
        "remark",
    ]
    rows = [
        [
            *(cell[name] for name in names),
            as_printed(cell["printed"]),
            number(cell["ours"]),
            interval(cell),
            *([number(cell["honest"])] if is_honest else []),
            cell["verdict"],
            remark(cell),
        ]
        for cell in cells
    ]
    leak = found["leaks"].get(table, "")
    text = f"**Leaky protocol, as in print**: {leak}" if leak else ""
    return Grid(f"{found['kind']} {table}", text, header, rows, n_words=len(names))


def sections(found: Row) -> list[Grid]:
    """Tables of our own."""
    return [Grid(one["title"], one["text"], one["header"], one["rows"], one["n_words"]) for one in found["sections"]]
