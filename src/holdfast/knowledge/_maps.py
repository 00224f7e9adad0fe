"""Maps between names: the aliases of a gene, the genes of a probe; from a file or from Python."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from holdfast._errors import DataError
from holdfast.data._cells import is_missing
from holdfast.data._csv import records_in
from holdfast.data._files import existing_file, read_text
from holdfast.data._wording import counted, listed
from holdfast.knowledge._header import ALIASES, GENE, PROBE, column_named, plain

_BETWEEN = re.compile(r"\s*(?:///|//|[|;,])\s*")
# Affymetrix writes --- and NCBI - where there is nothing.
_NONE = re.compile(r"-+")
# Annotations of chips begin with lines of their own kind.
_PREAMBLE = ("#", "!", "^")


def names_in(cell: Any) -> list[str]:
    """The names in a cell such as 'DDR1 /// MIR4640' or 'P53|LFS1', or in a list of them."""
    if isinstance(cell, str):
        parts = _BETWEEN.split(cell.strip())
        return [part for part in parts if part and not is_missing(part) and not _NONE.fullmatch(part)]
    if cell is None or cell != cell:
        return []
    if not isinstance(cell, Iterable):
        return [str(cell)]
    return [name for part in cell for name in names_in(part)]


def aliases_of(given: Any) -> dict[str, list[str]]:
    """Other names of every symbol."""
    return _mapping(given, "aliases", ("symbol", GENE), ("aliases", ALIASES))


def genes_of(given: Any) -> dict[str, list[str]]:
    """Genes of every probe."""
    return _mapping(given, "probes", ("probe", PROBE), ("gene", GENE))


_Titles = tuple[str, tuple[str, ...]]


def _mapping(given: Any, what: str, keys: _Titles, values: _Titles) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    if given is None:
        return found
    if isinstance(given, (str, os.PathLike)):
        pairs = _pairs_in(existing_file(Path(given).expanduser()), keys, values)
    elif isinstance(given, Mapping) or hasattr(given, "items"):
        pairs = ((str(key), value) for key, value in given.items())
    else:
        raise TypeError(
            f"{what} is a {type(given).__name__}, but it must be a file with the columns {keys[0]!r} and "
            f"{values[0]!r}, or a mapping from one to the other."
        )
    for key, value in pairs:
        own = found.setdefault(key.strip(), [])
        own += [name for name in names_in(value) if name not in own]
    return found


def _pairs_in(file: Path, keys: _Titles, values: _Titles) -> Iterator[tuple[str, list[str]]]:
    """Each line's key, and its value; several columns of values count together."""
    _, lines = records_in(_without_preamble(read_text(file)), file)
    number, top = next(lines)
    key, columns = column_named(top, keys[1]), _columns_named(top, values[1])
    if columns and key in columns:
        columns.remove(key)
    if key is None or not columns:
        if len(top) != 2 or key is not None or columns:
            raise DataError(
                f"{file} has the columns {listed(top, 8)}, but one called {keys[0]!r} and one called {values[0]!r} are "
                "needed. Rename them in the first line."
            )
        key, columns = 0, [1]
        yield top[0], [top[1]]
    for number, cells in lines:
        if len(cells) != len(top):
            raise DataError(
                f"{file}, line {number} has {counted(len(cells), 'cell')}, but the first line has {len(top)}. Fill or "
                "remove the line; cells that hold a delimiter need quotes."
            )
        yield cells[key], [cells[column] for column in columns]


def _columns_named(header: list[str], titles: tuple[str, ...]) -> list[int]:
    """All columns of aliases; of genes the one whose title says most plainly that it has symbols."""
    if titles is ALIASES:
        return [column for column, title in enumerate(header) if plain(title) in titles]
    first = column_named(header, titles)
    return [] if first is None else [first]


def _without_preamble(text: str) -> str:
    """The same lines, blank where they say something about the file; a header that begins with # stays."""
    lines = text.split("\n")
    start = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith(_PREAMBLE)), len(lines))
    first = start
    if 0 < start < len(lines) and lines[start].count("\t") == lines[start - 1].count("\t") > 0:
        first = start - 1
        lines[first] = lines[first].lstrip("#")
    return "\n".join(["" for _ in range(first)] + lines[first:])
