"""Delimited text (csv, tsv, txt): delimiter, records, and the cells as a Grid."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast._errors import DataError
from holdfast.data._cells import is_missing, is_numeric, numbers, truth_value
from holdfast.data._files import read_text
from holdfast.data._grid import ID_NAME, GenesIn, Grid, Strays, Truths
from holdfast.data._wording import counted, listed, shown

_DELIMITERS = (",", "\t", ";")
_NAMED = {",": "comma", "\t": "tab", ";": "semicolon"}


def records(path: Path) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """Return the delimiter, and each line that is not blank with its number, split into cells."""
    return records_in(read_text(path), path)


def records_in(text: str, path: Path) -> tuple[str, Iterator[tuple[int, list[str]]]]:
    """The same, of text that was read from the file already and may begin with blank lines."""
    delimiter = _sniffed(text.lstrip("\n"), path)
    return delimiter, _split(text, delimiter, path)


def _split(text: str, delimiter: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    lines = enumerate(text.split("\n"), start=1)
    for number, line in lines:
        if '"' in line:
            # A quoted cell may run over several lines; the csv reader takes as many as it needs.
            following = (part + "\n" for part in chain([line], (later for _, later in lines)))
            try:
                yield number, next(csv.reader(following, delimiter=delimiter, strict=True))
            except csv.Error as error:
                raise DataError(
                    f'{path}, line {number}: a quote (") is opened and not closed properly ({error}). '
                    "Close it, or remove the quotes from that line."
                ) from error
        elif line and not line.isspace():
            yield number, line.split(delimiter)


def _sniffed(text: str, path: Path) -> str:
    """Return the delimiter that gives the first two lines the same number of cells, the more the better."""
    head = [line for line in text[:10_000_000].split("\n")[:50] if line.strip()][:2]
    best, most = "", 1
    for delimiter in _DELIMITERS:
        try:
            widths = [len(next(csv.reader([line], delimiter=delimiter))) for line in head]
        except csv.Error:
            widths = [line.count(delimiter) + 1 for line in head]
        if widths[-1] in (widths[0], widths[0] + 1) and widths[0] > most:
            best, most = delimiter, widths[0]
    if best:
        return best
    # No agreement: take the most frequent one, so that the ragged line can be named.
    best = max(_DELIMITERS, key=head[0].count)
    if best in head[0]:
        return best
    raise DataError(
        f"{path} has a single column: the first line, {shown(head[0])}, holds no comma, tab or semicolon. "
        "Separate the columns with one of these."
    )


def read_grid(path: Path, target: str | None, genes_in: GenesIn | None) -> Grid:
    """Return all cells of the file; those of the target, wherever it lies, are kept as text."""
    delimiter, lines = records(path)
    top, body = _header(lines, delimiter, path)
    if target is not None and top[0] == target and genes_in is None:
        genes_in = _side_of_corner_target(path, top)
    target_row: list[str] | None = None
    target_column: list[str] | None = None
    if genes_in == "rows" and top[0] == target:
        target_row = top[1:]
        top = [cell.strip() for cell in next(body)[1]]
    place = _only_place(top, target, path) if genes_in != "rows" else None
    if place is not None:
        target_column = []
        del top[place]
    row_name = target if genes_in != "columns" else None
    decimal = _Decimal(path) if delimiter == ";" else None
    left: list[str] = []
    rows: list[NDArray[np.float64]] = []
    strays, truths = Strays(), Truths()
    for number, cells in body:
        if place is not None and target_column is not None:
            target_column.append(cells.pop(place))
        name = cells.pop(0).strip() if cells else ""
        if row_name is not None and name == row_name:
            if target_row is not None:
                raise DataError(f"{path} has two rows named {shown(target)}. Rename or remove one of them.")
            target_row = cells
            continue
        values, bad = numbers(decimal.pointed(cells, number) if decimal else cells)
        said = [j for j in bad if truth_value(cells[j]) is not None]
        truths.add(len(rows), said, [cells[j] for j in said])
        bad = [j for j in bad if truth_value(cells[j]) is None] if said else bad
        strays.add(len(rows), bad, [cells[j] for j in bad])
        left.append(name)
        rows.append(values)
    if not rows or not top:
        raise DataError(f"{path} holds nothing but the target {shown(target)}. Export it again with its features.")
    if decimal:
        top[1:], left = _pointed_numbers(top[1:]), _pointed_numbers(left)
        target_column = target_column and _pointed_numbers(target_column)
        target_row = target_row and _pointed_numbers(target_row)
    return Grid(top[0], top[1:], left, np.array(rows), strays, target_column, target_row, genes_in, truths)


def _header(
    lines: Iterator[tuple[int, list[str]]], delimiter: str, path: Path
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the first line, and the others, each checked to be as long."""
    top = [cell.strip() for cell in next(lines)[1]]
    start = list(islice(lines, 2))
    if not start:
        raise DataError(f"{path} holds a single line. Export it again, a header line and its data.")
    # R's write.table leaves the corner out; a header that names its first column has it.
    if all(len(cells) == len(top) + 1 for _, cells in start) and not ID_NAME.fullmatch(top[0]):
        top.insert(0, "")
    return top, _same_width(chain(start, lines), len(top), _NAMED[delimiter], path)


def _same_width(
    lines: Iterator[tuple[int, list[str]]], width: int, delimiter: str, path: Path
) -> Iterator[tuple[int, list[str]]]:
    for number, cells in lines:
        if len(cells) != width:
            raise DataError(
                f"{path}, line {number} has {counted(len(cells), 'cell')}, but the first line has {width} "
                f"(separated by {delimiter}). Fill or remove the line; names that hold a {delimiter} "
                "need quotes."
            )
        yield number, cells


def _only_place(top: list[str], target: str | None, path: Path) -> int | None:
    places = [j for j, name in enumerate(top) if name == target and target is not None]
    if len(places) > 1:
        raise DataError(f"{path} has {len(places)} columns named {shown(target)}. Rename or remove all but one.")
    return places[0] if places else None


def _side_of_corner_target(path: Path, top: list[str]) -> GenesIn:
    """Tell where the genes are when the first cell is the target: labels repeat or are numbers."""
    _, lines = records(path)
    left = [cells[0].strip() for _, cells in lines][1:]
    left_is_labels, top_is_labels = _looks_like_labels(left), _looks_like_labels(top[1:])
    if left_is_labels == top_is_labels:
        raise DataError(
            f"{path}: the target {shown(top[0])} is the very first cell, so its labels may be the first "
            "column "
            f"({listed(left, 2)}) or the first line ({listed(top[1:], 2)}). "
            "Say where the genes are with genes_in='rows' or genes_in='columns' (on the command line "
            "--genes-in)."
        )
    return "columns" if left_is_labels else "rows"


def _looks_like_labels(cells: list[str]) -> bool:
    return len(set(cells)) < len(cells) or all(is_numeric(cell) or is_missing(cell) for cell in cells)


def _pointed_numbers(cells: list[str]) -> list[str]:
    """Give the cells decimal points if that makes all of them numbers; otherwise they are names or labels."""
    pointed = [cell.replace(",", ".") for cell in cells]
    return pointed if all(is_numeric(cell) or is_missing(cell) for cell in pointed) else cells


class _Decimal:
    """Decimal commas of a semicolon file; a file that also has decimal points is refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mark = ""

    def pointed(self, cells: list[str], line: int) -> list[str]:
        """Return the cells with decimal points."""
        joined = " ".join(cells)
        for mark in ",.":
            if mark in joined:
                if self.mark and self.mark != mark:
                    raise DataError(
                        f"{self.path}, line {line}: numbers with a decimal comma and numbers with a "
                        "decimal point "
                        "are mixed. Export the file again with one of the two, and without thousands "
                        "separators."
                    )
                self.mark = mark
        return [cell.replace(",", ".") for cell in cells] if self.mark == "," else cells
