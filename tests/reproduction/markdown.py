"""Pages: a part that is written anew, and behind it a part written by hand that is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

BY_HAND = "<!-- What follows is written by hand and kept. -->"


def write_page(path: Path, text: str) -> None:
    """Write a page and keep what was written by hand."""
    by_hand = path.read_text(encoding="utf-8").partition(BY_HAND)[2] if path.exists() else "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n{BY_HAND}{by_hand}", encoding="utf-8")


def rows_of(header: Sequence[str], rows: Iterable[Sequence[str]], n_words: int = 1) -> list[str]:
    """A table; the first columns hold words, the others numbers."""
    rule = "|" + "---|" * n_words + "---:|" * (len(header) - n_words)
    return [_line(header), rule, *map(_line, rows)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
