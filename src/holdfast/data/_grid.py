"""Grid: a file as numbers framed by names, before it is known which way round it is."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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
