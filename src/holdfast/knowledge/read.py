"""read: names and weights from plain lists, gene-set files and tables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from holdfast._errors import DataError
from holdfast._parameters import nearest
from holdfast.data._cells import is_numeric
from holdfast.data._csv import records_in
from holdfast.data._files import existing_file, read_text
from holdfast.data._wording import counted, listed, shown
from holdfast.knowledge._header import GENE, PROBE, WEIGHTS, column_named, is_header
from holdfast.knowledge.known import WEIGHT, Known, is_weight

_DELIMITED = (".csv", ".tsv", ".tab")
_OTHERS = {
    ".gmx": "Save it as gmt, one set a line.",
    ".xlsx": "In Excel, save it as 'CSV UTF-8'.",
    ".xls": "In Excel, save it as 'CSV UTF-8'.",
    ".xml": "Save it as gmt, or as a list with one name a line.",
    ".json": "Save it as gmt, or as a list with one name a line.",
}
_REMARK = re.compile(r"(?:^|\s)#.*")


def read(path: str | os.PathLike[str], sets: str | Iterable[str] | None = None, *, weight: float = WEIGHT) -> Known:
    r"""Read names that are known to be relevant from a file.

    Use it for a list with one name a line (``#`` starts a remark), a GMT file of gene sets, or a CSV or TSV file with a
    name and a weight a line; any of them may be packed (.gz). `match` then finds the features that are meant.

    Parameters
    ----------
    path : str or path
        The file; .gmt has gene sets, .csv and .tsv have columns, and any other extension is a list, unless all of its
        lines have columns too.
    sets : str or iterable of str, default=None
        Names of the gene sets to take; None takes all of them.
    weight : float, default=10.0
        Weight of every name in a list or a gene set; features not named have 1.

    Returns
    -------
    known : Known
        Names and weights.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from holdfast import knowledge
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "pathways.gmt"
    ...     _ = file.write_text("APOPTOSIS\tna\tTP53\tBAX\nCYCLE\tna\tCCND1\tTP53\n")
    ...     known = knowledge.read(file, sets="CYCLE")
    >>> dict(known)
    {'CCND1': 10.0, 'TP53': 10.0}
    """
    if not is_weight(weight):
        raise ValueError(f"weight={weight!r}, but it must be a positive number, such as 10.")
    file = existing_file(Path(path).expanduser())
    kind = Path(file.name.lower().removesuffix(".gz")).suffix
    if kind in _OTHERS:
        raise DataError(f"{file}: {kind} files are not read as prior knowledge. {_OTHERS[kind]}")
    text = read_text(file)
    if kind == ".gmt":
        return _from_sets(text, file, sets, weight)
    if sets is not None:
        raise ValueError(
            f"sets={sets!r} chooses gene sets, but {file.name} is no GMT file. Leave it out, or give the file the "
            "extension .gmt if it holds gene sets."
        )
    text = without_remarks(text)
    if not text.strip():
        raise DataError(f"{file} holds remarks only, no name. Write one name a line.")
    if kind in _DELIMITED or _has_columns(text):
        return _from_table(text, file, weight)
    return _from_list(text, file, weight)


def without_remarks(text: str) -> str:
    """The same lines, blank where they are remarks."""
    if "#" not in text:
        return text
    return "\n".join("" if line.lstrip().startswith("#") else line for line in text.split("\n"))


def _has_columns(text: str) -> bool:
    """Whether a file without a telling extension has tabs, or the same number of commas or semicolons in every line."""
    lines = [line for line in text.split("\n") if line.strip()]
    if any("\t" in line.strip() for line in lines):
        return True
    counts = [{line.count(mark) for line in lines} for mark in ",;"]
    return len(lines) > 1 and any(len(count) == 1 and 0 not in count for count in counts)


def _from_list(text: str, file: Path, weight: float) -> Known:
    names = []
    for line in text.split("\n"):
        name = _REMARK.sub("", line).strip()
        if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
            name = name[1:-1].strip()
        if name:
            names.append(name)
    if len(names) == 1 and any(mark in names[0] for mark in ",;"):
        raise DataError(
            f"{file} has a single line with several names or columns: {shown(names[0])}. Write one name a line, or "
            "give a file with columns the extension .csv."
        )
    if len(names) > 1 and is_header([names[0]]):
        del names[0]
    return Known(dict.fromkeys(names, weight), str(file))


def _from_sets(text: str, file: Path, sets: str | Iterable[str] | None, weight: float) -> Known:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip().strip('"') for cell in line.split("\t")]
        if len(cells) < 2:
            raise DataError(
                f"{file}, line {number} has no tab: {shown(line)}. A line of a GMT file is the name of a set, a "
                "description and the genes, separated by tabs. Give a plain list the extension .txt."
            )
        if cells[0] in found:
            raise DataError(f"{file}, line {number}: the set {shown(cells[0])} is there twice. Rename one of them.")
        found[cells[0]] = [gene for gene in cells[2:] if gene]
    if not found:
        raise DataError(f"{file} holds remarks only, no gene set. Download it again.")
    chosen = list(found) if sets is None else _chosen(sets, list(found), file)
    names = dict.fromkeys(gene for name in chosen for gene in found[name])
    if not names:
        raise DataError(
            f"{file}: {counted(len(chosen), 'set')} ({listed(chosen, 3)}) without any gene. Choose another."
        )
    return Known(dict.fromkeys(names, weight), str(file), chosen)


def _chosen(sets: str | Iterable[str], there: list[str], file: Path) -> list[str]:
    asked = [sets] if isinstance(sets, str) else list(sets)
    if not asked or not all(isinstance(name, str) for name in asked):
        raise ValueError(f"sets={sets!r} names no set. Name at least one, or leave it out to take all of {file.name}.")
    by_case = {name.casefold(): name for name in there}
    chosen = []
    for name in asked:
        match = name if name in there else by_case.get(name.strip().casefold())
        if match is None:
            near = [by_case[close] for close in nearest(name.casefold(), by_case)]
            offer = f"The nearest are {listed(near)}." if near else f"It has {listed(there, 3)}."
            raise ValueError(f"sets={name!r} is none of the {counted(len(there), 'set')} in {file.name}. {offer}")
        chosen.append(match)
    return list(dict.fromkeys(chosen))


def _from_table(text: str, file: Path, weight: float) -> Known:
    lines = list(_lines(text, file))
    top = [cell.strip() for cell in lines[0][1]]
    has_header = is_header(top) or (len(top) > 1 and not any(map(_is_number, top)))
    names, weights = _columns(top if has_header else None, len(top), file)
    given: dict[str, tuple[float, int]] = {}
    for number, cells in lines[1 if has_header else 0 :]:
        if len(cells) != len(top):
            raise DataError(
                f"{file}, line {number} has {counted(len(cells), 'cell')}, but the first line has {len(top)}. "
                "Write a name and a weight on each line. A file of gene sets has the extension .gmt."
            )
        name = cells[names].strip()
        if not name:
            raise DataError(f"{file}, line {number} has no name. Fill or remove the line.")
        value = weight if weights is None else _weight(cells[weights], name, number, file)
        if name in given and given[name][0] != value:
            raise DataError(
                f"{file}: {shown(name)} has the weight {given[name][0]:g} in line {given[name][1]} and {value:g} in "
                f"line {number}. Keep one of them."
            )
        given.setdefault(name, (value, number))
    if not given:
        raise DataError(f"{file} holds a header line and no name. Write a name and a weight on each line.")
    return Known({name: value for name, (value, _) in given.items()}, str(file))


def _lines(text: str, file: Path) -> Iterator[tuple[int, list[str]]]:
    """Each line that is not blank with its number, split into cells; decimal commas made points."""
    if not any(mark in text for mark in ",\t;"):
        rows = enumerate(text.split("\n"), start=1)
        yield from ((number, [line.strip().strip('"')]) for number, line in rows if line.strip())
        return
    delimiter, lines = records_in(text, file)
    for number, cells in lines:
        yield number, [_pointed(cell) for cell in cells] if delimiter == ";" else cells


def _pointed(cell: str) -> str:
    pointed = cell.replace(",", ".", 1)
    return pointed if _is_number(pointed) else cell


def _is_number(cell: str) -> bool:
    return is_numeric(cell.strip())


def _columns(header: list[str] | None, width: int, file: Path) -> tuple[int, int | None]:
    """Which column has the names, and which the weights if any has."""
    if header is None:
        if width > 2:
            raise DataError(
                f"{file} has {width} columns and no header line. Keep two, the name and its weight, or add a header "
                "line with 'gene' and 'weight'. A file of gene sets has the extension .gmt."
            )
        return 0, 1 if width == 2 else None
    weights = column_named(header, WEIGHTS)
    names = column_named(header, (*GENE, *PROBE))
    if names is None:
        names = 1 if weights == 0 else 0
    if weights is None and width > 1:
        if width > 2:
            raise DataError(
                f"{file} has {width} columns ({listed(header)}). Call the one with the weights 'weight', or keep two: "
                "the name and its weight. A file of gene sets has the extension .gmt."
            )
        weights = 1 - names
    return names, weights


def _weight(cell: str, name: str, number: int, file: Path) -> float:
    value = float(cell) if _is_number(cell) else float("nan")
    if not is_weight(value):
        raise DataError(
            f"{file}, line {number}: the weight of {shown(name)} is {shown(cell.strip())}, but it must be a positive "
            "number: 1 if nothing is known, 10 for a relevant feature."
        )
    return value
