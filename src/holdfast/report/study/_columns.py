"""Plain text that lines up in a terminal: folded paragraphs and tables, without control characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from textwrap import fill

_GAP = "  "


def clean(text: object) -> str:
    """A name such that it cannot move the cursor, turn the text around or start a new line."""
    found = str(text)
    is_odd = [unicodedata.category(mark) in ("Cc", "Cf", "Cs", "Zl", "Zp") for mark in found]
    if not any(is_odd):
        return found
    pairs = zip(found, is_odd, strict=True)
    return "".join(mark.encode("unicode_escape").decode("ascii") if odd else mark for mark, odd in pairs)


def breadth(text: str) -> int:
    """Columns of a terminal that a text takes."""
    marks = (mark for mark in text if not unicodedata.combining(mark))
    return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in marks)


def cut(text: str, most: int) -> str:
    """A text of at most that many columns."""
    if breadth(text) <= most:
        return text
    while text and breadth(text) > most - 1:
        text = text[:-1]
    return text + "…"


def paragraph(text: str, width: int, *, indent: str = "", mark: str = "", hang: str = "") -> str:
    """Text broken at word ends, never inside a name; later lines stand under the first word, or further in."""
    first, later = indent + mark, indent + " " * len(mark) + hang
    return fill(
        clean(text),
        max(width, len(first) + 1),
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def aligned(heading: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Lines of a table; the numbers of the columns to the right are in ``right``."""
    widths = [max(breadth(line[i]) for line in [heading, *rows]) for i in range(len(heading))]
    return [
        _GAP.join(_padded(cell, widths[i], i in right) for i, cell in enumerate(line)).rstrip()
        for line in [heading, *rows]
    ]


def _padded(cell: str, width: int, to_the_right: bool) -> str:
    spare = " " * (width - breadth(cell))
    return spare + cell if to_the_right else cell + spare
