"""Parquet files as a Grid, so that the rules for text files hold for them too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from holdfast._errors import DataError
from holdfast.data._cells import numbers
from holdfast.data._files import reading
from holdfast.data._grid import GenesIn, Grid, Strays
from holdfast.data._wording import shown


def read_grid(path: Path, target: str | None, genes_in: GenesIn | None) -> Grid:
    """All cells of the file; the first column (or the pandas index) may name the rows."""
    with reading(path, "a parquet file"), path.open("rb") as stream:
        import pyarrow.parquet as pq

        table = pq.ParquetFile(stream).read()
        names = [str(name) for name in table.column_names]
        index = _pandas_index(table.schema.metadata or {})
        columns = [table.column(j) for j in range(table.num_columns)]
    if not columns or table.num_rows == 0:
        raise DataError(f"{path} has {table.num_rows} rows and {len(columns)} columns. Export it again with its data.")
    if index in names:
        place = names.index(index)
        columns.insert(0, columns.pop(place))
        names = ["", *names[:place], *names[place + 1 :]]
    target_column = None
    if target in names and genes_in != "rows":
        if names.count(target) > 1:
            raise DataError(f"{path} has {names.count(target)} columns named {shown(target)}. Keep one of them.")
        place = names.index(target)
        target_column = _texts(columns.pop(place))
        del names[place]
    if not names:
        raise DataError(f"{path} holds nothing but the target {shown(target)}. Export it again with its features.")
    left = [text.strip() for text in _texts(columns[0])]
    target_row = left.index(target) if target in left and genes_in != "columns" else None
    is_kept = np.arange(table.num_rows) != target_row
    values = np.empty((int(is_kept.sum()), len(columns) - 1))
    strays = Strays()
    target_cells = []
    for j, column in enumerate(columns[1:]):
        parsed, bad = _floats(column, is_kept)
        values[:, j] = parsed
        for row, text in bad:
            strays.add(row, [j], [text])
        if target_row is not None:
            target_cells.append(_texts(column.slice(target_row, 1))[0])
    return Grid(
        corner=names[0],
        top=names[1:],
        left=[name for name, kept in zip(left, is_kept, strict=True) if kept],
        values=values,
        strays=strays,
        target_column=target_column,
        target_row=target_cells if target_row is not None else None,
        genes_in=genes_in,
    )


def _pandas_index(metadata: dict[bytes, bytes]) -> str | None:
    """Return the column that pandas wrote its index to, if it did."""
    if b"pandas" not in metadata:
        return None
    written = json.loads(metadata[b"pandas"]).get("index_columns", [])
    return written[0] if len(written) == 1 and isinstance(written[0], str) else None


def _texts(column: Any) -> list[str]:
    return ["" if value is None or value != value else str(value) for value in column.to_pylist()]


def _floats(column: Any, is_kept: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[Any, list[tuple[int, str]]]:
    import pyarrow as pa

    if pa.types.is_floating(column.type) or pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        parsed = column.to_numpy()
        if parsed.dtype.kind == "O":
            parsed = np.array([np.nan if value is None else value for value in parsed], dtype=np.float64)
        return parsed[is_kept], []
    cells = [cell for cell, kept in zip(_texts(column), is_kept, strict=True) if kept]
    parsed, bad = numbers(cells)
    return parsed, [(row, cells[row]) for row in bad]
