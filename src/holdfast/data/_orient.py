"""Which way round a grid is, and the Table that comes of it."""

from __future__ import annotations

import difflib
from collections import Counter

import numpy as np

from holdfast._errors import DataError
from holdfast.data._cells import are_truth_values, is_missing, is_numeric, numbers, truth_numbers
from holdfast.data._grid import ID_NAME, GenesIn, Grid
from holdfast.data._target import labels_from_text
from holdfast.data._wording import counted, listed, shown
from holdfast.data.table import Table


def oriented(grid: Grid, target: str | None, label_ids: set[str] | None, source: str) -> Table:
    """Return the grid as a Table, with samples in rows, or a refusal when that is not certain."""
    genes_in = grid.genes_in or _certain_side(grid, target, label_ids, source)
    labels = grid.target_column if genes_in == "columns" else grid.target_row
    if target is not None and labels is None:
        raise _no_target(grid, target, genes_in, source)
    grid.truths.settle(grid.values, grid.strays, genes_in)
    if genes_in == "columns":
        names, ids, values = grid.top, grid.left, grid.values
        places = [(row, column, text) for row, column, text in grid.strays.first]
        stray_counts = grid.strays.by_column
    else:
        names, ids, values = grid.left, grid.top, grid.values.T
        places = [(column, row, text) for row, column, text in grid.strays.first]
        stray_counts = grid.strays.by_row
    corner_is_feature = not _holds_ids(grid.corner, ids, genes_in, label_ids, source)
    samples = [f"s{i}" for i in range(1, len(ids) + 1)] if corner_is_feature else ids
    if places:
        raise _strays_error(places, stray_counts, names, samples, source)
    if corner_is_feature:
        names = [grid.corner, *names]
        first = truth_numbers(ids) if are_truth_values(ids) else numbers(ids)[0]
        values = np.column_stack([first, values])
    if not names:
        raise DataError(f"{source} holds sample names and no features. Export it again with its values.")
    X = np.ascontiguousarray(values)
    X.flags.writeable = False
    return Table(X, names, samples, None if labels is None else labels_from_text(labels), target, source)


def _certain_side(grid: Grid, target: str | None, label_ids: set[str] | None, source: str) -> GenesIn:
    ask = "Say it with genes_in='rows' or genes_in='columns' (on the command line --genes-in)."
    if target is not None:
        in_top, in_left = grid.target_column is not None, grid.target_row is not None
        if in_top and in_left:
            raise DataError(
                f"{source}: {shown(target)} is the name of a column and of a row, so the genes may be in either. {ask}"
            )
        if in_top or in_left:
            return "columns" if in_top else "rows"
        raise _no_target(grid, target, None, source)
    if label_ids is not None:
        n_top, n_left = len(label_ids.intersection(grid.top)), len(label_ids.intersection(grid.left))
        if n_top and n_left:
            raise DataError(
                f"{source}: the labels file names {counted(n_top, 'column')} and {counted(n_left, 'row')}, "
                f"so the genes may be in either. {ask}"
            )
        if n_top or n_left:
            return "rows" if n_top else "columns"
        raise DataError(
            f"{source}: no sample of the labels file ({listed(sorted(label_ids), 3)}) is found among the "
            "columns "
            f"({listed(grid.top, 3)}) or the rows ({listed(grid.left, 3)}). Use the same sample names in "
            "both files."
        )
    raise DataError(
        f"{source} has {counted(len(grid.left), 'row')} ({listed(grid.left, 2)}) and "
        f"{counted(len(grid.top), 'column')} "
        f"({listed(grid.top, 2)}); whether the genes are in rows or in columns cannot be told without a "
        f"target. {ask}"
    )


def _no_target(grid: Grid, target: str, genes_in: GenesIn | None, source: str) -> DataError:
    places = {"columns": [*grid.top, grid.corner], "rows": grid.left}
    known = places[genes_in] if genes_in else places["columns"] + places["rows"]
    where = genes_in or "columns and rows"
    close = [name for name in known if name.casefold() == target.casefold()]
    if not close:
        # Comparing with 60,000 names would take seconds; a slip rarely changes the first letter.
        alike = [name for name in known if name[:1].casefold() == target[:1].casefold()]
        alike = [name for name in alike if abs(len(name) - len(target)) <= 2] if len(known) > 2000 else known
        close = difflib.get_close_matches(target, alike[:2000], n=3)
    hint = f"Did you mean {listed(close)}?" if close else f"The {where} are named {listed(known, 3)}."
    if genes_in == "columns":
        hint += " If the genes are in rows, pass genes_in='rows'." if target in grid.left else ""
    elif genes_in == "rows" and target in grid.top:
        hint += " If the genes are in columns, pass genes_in='columns'."
    return DataError(f"{source}: the target {shown(target)} is not among the {where}. {hint}")


def _holds_ids(corner: str, cells: list[str], genes_in: GenesIn, label_ids: set[str] | None, source: str) -> bool:
    """Whether the first column (genes in rows: the first line) names the samples and is no feature."""
    if ID_NAME.fullmatch(corner) or (label_ids is not None and not label_ids.isdisjoint(cells)):
        return True
    if are_truth_values(cells):
        return False
    n_text = sum(not (is_missing(cell) or is_numeric(cell)) for cell in cells)
    if n_text == 0:
        # A header line of whole numbers is how samples are numbered; one with decimals is data.
        return genes_in == "rows" and all(cell.strip().isdecimal() for cell in cells)
    if genes_in == "columns" and n_text * 2 < len(cells):
        stray = next(cell for cell in cells if not (is_missing(cell) or is_numeric(cell)))
        raise DataError(
            f"{source}: the first column, {shown(corner)}, holds numbers and {counted(n_text, 'text')} "
            "such as "
            f"{shown(stray)}. Correct the file, or name the column 'sample' if it holds sample names."
        )
    if genes_in == "columns" and len(set(cells)) < len(cells):
        repeated = [cell for cell, count in Counter(cells).items() if count > 1]
        raise DataError(
            f"{source}: the first column, {shown(corner)}, holds text that repeats "
            f"({listed(repeated, 3)}), so it "
            f"is neither sample names nor a feature. If it is the label, pass target={corner!r}; else "
            "remove it."
        )
    return True


def _strays_error(
    places: list[tuple[int, int, str]],
    counts: Counter[int],
    names: list[str],
    samples: list[str],
    source: str,
) -> DataError:
    text_columns = [j for j, count in counts.most_common() if count * 2 > len(samples)]
    if text_columns and sum(counts.values()) > 1:
        row, _, text = next((place for place in places if place[1] in text_columns), places[0])
        return DataError(
            f"{source}: {counted(len(text_columns), 'feature holds', 'features hold')} text instead of "
            f"numbers: {listed([names[j] for j in text_columns])}, such as {shown(text)} in sample "
            f"{shown(samples[row])}. Remove them, turn them into numbers, or name the one that is the label "
            "as the target."
        )
    row, column, text = places[0]
    hint = " Write numbers with a decimal point and without thousands separators." if "," in text else ""
    n_strays = counted(sum(counts.values()), "cell is not a number", "cells are not numbers")
    return DataError(
        f"{source}: {n_strays}, first {shown(text)} in sample {shown(samples[row])}, feature "
        f"{shown(names[column])}. Correct the file, or leave the cell empty (or NA) where the value is "
        f"missing.{hint}"
    )
