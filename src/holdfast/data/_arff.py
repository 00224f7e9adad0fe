"""Weka's ARFF files, dense and sparse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast._errors import DataError
from holdfast.data._cells import is_missing, is_numeric, numbers
from holdfast.data._files import read_text
from holdfast.data._target import labels_from_text
from holdfast.data._wording import counted, listed, shown
from holdfast.data.table import Table

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{'\"][^\s{{]*)\s*(.*)", re.IGNORECASE)
_CELL = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")
_PAIR = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,]*?)\s*(?:,|$)")


@dataclass(frozen=True)
class _Attribute:
    name: str
    kind: str
    levels: tuple[str, ...] = ()

    @property
    def first_level(self) -> str:
        """What a sparse row means by leaving this attribute out."""
        return self.levels[0] if self.kind == "nominal" else "0"

    def code(self, cell: str) -> str | None:
        """Return a nominal cell as a number: itself, or the place of its level in the declaration."""
        if is_missing(cell) or self.kind == "number":
            return cell
        if cell not in self.levels:
            return None
        return cell if all(is_numeric(level) for level in self.levels) else str(self.levels.index(cell))


def read_arff(path: Path, target: str | None) -> Table:
    """Read numeric attributes as they are, nominal ones as the place of the level, one as the target."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    attributes = _declared(lines, path)
    goal = _target_place(attributes, target, path)
    ids = _id_place(attributes, goal, path)
    apart = [j for j in (goal, ids) if j is not None]
    is_feature = ~np.isin(np.arange(len(attributes)), apart)
    nominal = [j for j in np.flatnonzero(is_feature).tolist() if attributes[j].kind == "nominal"]
    defaults = [attribute.first_level for attribute in attributes]
    rows, kept = [], []
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        cells = _row(line.strip(), defaults, number, path)
        kept.append([cells[j] for j in apart])
        for j in apart:
            cells[j] = "0"
        rows.append(_values(cells, attributes, nominal, number, path)[is_feature])
    if not rows or not is_feature.any():
        raise DataError(
            f"{path} has {counted(len(rows), 'sample')} and {counted(int(is_feature.sum()), 'feature')}, "
            "but at least one of each is needed. Check the file."
        )
    columns = dict(zip(apart, zip(*kept, strict=True), strict=True))
    return Table(
        np.array(rows),
        [attribute.name for attribute, used in zip(attributes, is_feature, strict=True) if used],
        None if ids is None else columns[ids],
        None if goal is None else labels_from_text(columns[goal]),
        None if goal is None else attributes[goal].name,
        str(path),
    )


def _declared(lines: Iterator[tuple[int, str]], path: Path) -> list[_Attribute]:
    attributes = []
    for number, line in lines:
        word = line.strip().lower()
        if word.startswith("@attribute"):
            attributes.append(_attribute(line.strip(), number, path))
        elif word.startswith("@data"):
            break
    else:
        raise DataError(f"{path} has no @data line, so it is not a whole ARFF file. Check its extension.")
    if not attributes:
        raise DataError(f"{path} declares no @attribute before @data. Check the file.")
    return attributes


def _attribute(line: str, number: int, path: Path) -> _Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise DataError(f"{path}, line {number}: {shown(line)} is not an attribute. Write @attribute name type.")
    name, kind = _unquoted(match[1]), match[2].strip()
    if kind.startswith("{") and kind.endswith("}") and kind[1:-1].strip():
        return _Attribute(name, "nominal", tuple(_cells(kind[1:-1])))
    word = (kind.split() or [""])[0].lower()
    if word in ("numeric", "real", "integer"):
        return _Attribute(name, "number")
    if word == "string":
        return _Attribute(name, "text")
    raise DataError(
        f"{path}, line {number}: attribute {shown(name)} has the type {shown(kind)}. "
        "Allowed are numeric, real, integer, string and {level, level, …}; remove the attribute or change "
        "its type."
    )


def _target_place(attributes: list[_Attribute], target: str | None, path: Path) -> int | None:
    names = [attribute.name for attribute in attributes]
    if target is not None:
        if names.count(target) != 1:
            raise DataError(
                f"{path} has {names.count(target)} attributes named {shown(target)}, but one is needed. "
                f"The last ones are {listed(names[-3:])}."
            )
        return names.index(target)
    classes = [j for j, name in enumerate(names) if name.lower() == "class"]
    nominal = [j for j, attribute in enumerate(attributes) if attribute.kind == "nominal"]
    if len(classes) == 1:
        return classes[0]
    if nominal == [len(names) - 1]:
        return nominal[0]
    if nominal:
        raise DataError(
            f"{path} has {counted(len(nominal), 'nominal attribute')} "
            f"({listed([names[j] for j in nominal])}) and none "
            "is named class, so the label is not certain. Name it with target=…"
        )
    return None


def _id_place(attributes: list[_Attribute], goal: int | None, path: Path) -> int | None:
    text = [j for j, attribute in enumerate(attributes) if attribute.kind == "text" and j != goal]
    if len(text) > 1:
        raise DataError(
            f"{path} has {len(text)} string attributes ({listed([attributes[j].name for j in text])}), "
            "but only one, the sample name, can be used. Remove the others."
        )
    return text[0] if text else None


def _values(
    cells: list[str], attributes: list[_Attribute], nominal: list[int], number: int, path: Path
) -> NDArray[np.float64]:
    for j in nominal:
        code = attributes[j].code(cells[j])
        if code is None:
            raise DataError(
                f"{path}, line {number}: {shown(cells[j])} is not a declared level of attribute "
                f"{shown(attributes[j].name)} ({listed(attributes[j].levels)}). "
                "Correct the line or the declaration."
            )
        cells[j] = code
    values, strays = numbers(cells)
    if strays:
        raise DataError(
            f"{path}, line {number}: {shown(cells[strays[0]])} is not a number, in feature "
            f"{shown(attributes[strays[0]].name)} ({counted(len(strays), 'such cell')} on this line). "
            "Correct it, or write ? where the value is missing."
        )
    return values


def _row(line: str, defaults: list[str], number: int, path: Path) -> list[str]:
    if line.startswith("{"):
        cells = defaults.copy()
        inside = line[1:].rstrip().removesuffix("}").strip()
        pairs = _PAIR.findall(inside) if inside else []
        is_whole = line.endswith("}") and len(pairs) == len([cell for cell in _cells(inside) if cell])
        if not is_whole or any(int(place) >= len(cells) for place, _ in pairs):
            raise DataError(
                f"{path}, line {number}: {shown(line)} is not a sparse row. "
                f"Write {{place value, …}} with places from 0 to {len(cells) - 1}."
            )
        for place, cell in pairs:
            cells[int(place)] = _unquoted(cell)
        return cells
    cells = _cells(line)
    if len(cells) != len(defaults):
        raise DataError(
            f"{path}, line {number} has {counted(len(cells), 'value')}, but {len(defaults)} attributes are "
            "declared. "
            "Correct the line; a missing value is a question mark."
        )
    return cells


def _cells(line: str) -> list[str]:
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in line.split(",")]
    # An end anchor lets the pattern match once more, emptily, after a last cell.
    cells = [_unquoted(match[1]) for match in _CELL.finditer(line) if match.start() < len(line)]
    return [*cells, ""] if line.rstrip().endswith(",") else cells


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text
