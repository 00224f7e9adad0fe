"""Grid: a file as numbers framed by names, before it is known which way round it is."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import compress
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from holdfast.data._cells import truth_value

GenesIn = Literal["rows", "columns"]

# A first column under one of these names holds sample names even when they are numbers.
ID_NAME = re.compile(
    r"|ids?|samples?([_ ]?(id|name))?|index|unnamed: 0|patient([_ ]?id)?|barcode|cell|obs|(row)?names?|id_ref"
    r"|genes?([_ ]?(id|name|symbol))?|symbol|probe([_ ]?id|set)?|features?",
    re.IGNORECASE,
)


@dataclass
class Strays:
    """Cells that should be numbers and are not: the first few, and how many a row and a column."""

    first: list[tuple[int, int, str]] = field(default_factory=list)
    by_row: Counter[int] = field(default_factory=Counter)
    by_column: Counter[int] = field(default_factory=Counter)

    def add(self, row: int, columns: list[int], texts: list[str]) -> None:
        """Note the stray cells of one row."""
        if columns:
            self.by_row[row] += len(columns)
            self.by_column.update(columns)
            self.first.extend((row, j, text.strip()) for j, text in zip(columns, texts, strict=True))
            del self.first[20:]


@dataclass
class Truths:
    """Cells that say TRUE or FALSE: numbers if their whole feature does, strays if it does not."""

    rows: list[tuple[int, list[int], list[str]]] = field(default_factory=list)

    def add(self, row: int, columns: list[int], texts: list[str]) -> None:
        """Note the truth values of one row."""
        if columns:
            # A table of truth values would otherwise hold millions of equal texts.
            self.rows.append((row, columns, [sys.intern(text.strip()) for text in texts]))

    def settle(self, values: NDArray[np.float64], strays: Strays, genes_in: GenesIn) -> None:
        """Write 1 and 0 where all of a feature is TRUE or FALSE, and call the other cells strays."""
        if not self.rows:
            return
        is_mixed = np.asarray(~np.isnan(values).all(axis=0 if genes_in == "columns" else 1))
        is_mixed[list(strays.by_column if genes_in == "columns" else strays.by_row)] = True
        before = list(strays.first)
        strays.first.clear()
        for row, columns, texts in self.rows:
            is_stray = [is_mixed[j if genes_in == "columns" else row] for j in columns]
            for j, text, stray in zip(columns, texts, is_stray, strict=True):
                if not stray:
                    values[row, j] = truth_value(text)
            strays.add(row, list(compress(columns, is_stray)), list(compress(texts, is_stray)))
        strays.first[:] = sorted(before + strays.first)[:20]


@dataclass
class Grid:
    """Names on the left and on top, numbers inside, the cells of the target apart."""

    corner: str
    top: list[str]
    left: list[str]
    values: NDArray[np.float64]
    strays: Strays
    target_column: list[str] | None = None
    target_row: list[str] | None = None
    genes_in: GenesIn | None = None
    truths: Truths = field(default_factory=Truths)
