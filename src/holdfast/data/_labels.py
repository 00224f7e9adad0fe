"""The labels in a second file, matched to the samples by name."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast._errors import DataError
from holdfast.data._csv import records
from holdfast.data._files import existing_file
from holdfast.data._target import labels_from_text, missing_labels
from holdfast.data._wording import counted, listed, shown
from holdfast.data.table import Table


@dataclasses.dataclass(frozen=True)
class LabelFile:
    """Sample names in the first column, labels in another; the first line may be a header."""

    path: Path
    lines: list[list[str]]

    @property
    def ids(self) -> set[str]:
        """Every entry of the first column."""
        return {line[0] for line in self.lines}


def read_labels(path: Path) -> LabelFile:
    """Return the cells of a labels file."""
    _, numbered = records(path)
    lines = []
    width = 0
    for number, cells in numbered:
        width = width or len(cells)
        if len(cells) != width:
            raise DataError(
                f"{path}, line {number} has {counted(len(cells), 'cell')}, but the first line has {width}. "
                "Write one sample name and its label on each line."
            )
        lines.append([cell.strip() for cell in cells])
    return LabelFile(path, lines)


def labelled(table: Table, labels: LabelFile, target: str | None) -> Table:
    """Return the table with the labels of the file, each found by its sample name."""
    lines, header = labels.lines, None
    if target is not None or lines[0][0] not in table.sample_names:
        header, lines = lines[0], lines[1:]
    column = _label_column(header, len(labels.lines[0]), target, labels.path)
    given = {line[0]: line[column] for line in lines}
    _check_ids([line[0] for line in lines], table, labels.path)
    return dataclasses.replace(
        table,
        target=labels_from_text([given[name] for name in table.sample_names]),
        target_name=header[column] if header else None,
    )


def read_groups(path: Path, table: Table, column: str | None = None) -> NDArray[Any]:
    """The group of each sample, from a file like that of labels: sample names first, then the group."""
    try:
        found = labelled(table, read_labels(existing_file(path)), column)
    except DataError as error:
        # The same words about another column.
        said = str(error).replace("the target ", "the column ").replace("as target", "as --groups-column")
        said = said.replace("target=…", "--groups-column").replace(" labels of", " groups of").replace("label", "group")
        raise DataError(said) from error
    is_missing = missing_labels(np.asarray(found.target))
    if is_missing.any():
        without = [table.sample_names[row] for row in np.flatnonzero(is_missing)]
        raise DataError(
            f"{path}: {counted(len(without), 'sample has', 'samples have')} no group: {listed(without, 3)}. Give every "
            "sample one, also those alone."
        )
    return np.asarray(found.target)


def _label_column(header: list[str] | None, width: int, target: str | None, path: Path) -> int:
    if target is not None and header is not None:
        if target not in header[1:]:
            raise DataError(
                f"{path}: the target {shown(target)} is not among the columns after the sample names "
                f"({listed(header[1:])}). Pass one of these as target."
            )
        return header.index(target, 1)
    if width > 2:
        raise DataError(
            f"{path} has {width} columns ({listed(header or [])}). Say which one is the label with target=…, "
            "or keep two: the sample name and its label."
        )
    return 1


def _check_ids(ids: list[str], table: Table, path: Path) -> None:
    source = table.source
    repeated = [name for name, count in Counter(ids).items() if count > 1]
    if repeated:
        raise DataError(f"{path} names samples more than once: {listed(repeated)}. Keep one line for each sample.")
    repeated = [name for name, count in Counter(table.sample_names).items() if count > 1]
    if repeated:
        raise DataError(
            f"{source} names samples more than once: {listed(repeated)}. Rename them, so that each finds its label."
        )
    unlabelled = [name for name in table.sample_names if name not in set(ids)]
    unknown = [name for name in ids if name not in set(table.sample_names)]
    complaints = []
    if unlabelled:
        complaints.append(f"{counted(len(unlabelled), 'sample')} of {source} without a label ({listed(unlabelled, 3)})")
    if unknown:
        complaints.append(f"{counted(len(unknown), 'label')} of {path} without a sample ({listed(unknown, 3)})")
    if complaints:
        raise DataError(f"{' and '.join(complaints)}. Use the same sample names in both files, each exactly once.")
