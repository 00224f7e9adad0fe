"""Where the data sets of a plan come from: a folder of npz files, or OpenML."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.error import URLError

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._progress import report
from holdfast.data._wording import counted
from holdfast.reproduce.openml import copy_of, is_kept
from holdfast.reproduce.table import Table, read_table

Array = npt.NDArray[Any]

VARIABLE = "HOLDFAST_DATA"
_KEPT_IN_MEMORY = 2
# After so many sets that did not come in time OpenML is asked for no others.
_MOST_LATE = 2


@dataclass(frozen=True)
class Known:
    """What ``tables.csv`` says of a table: its shape, classes and samples of the smallest, and whether it has gaps.

    ``n_classes`` and ``smallest`` are None where the target is a number.
    """

    shape: tuple[int, int]
    n_classes: int | None
    smallest: int | None
    has_gaps: bool


@dataclass(frozen=True)
class Set:
    """A data set: its file in the folder, and its number on OpenML if it is there.

    ``shape`` is (samples, features) of the copy on OpenML, if that is known. Those of files are in ``tables.csv``: no
    other table of the same name is taken for the one meant.
    """

    file: str
    openml: int | None = None
    shape: tuple[int, int] | None = None

    def meant(self, *, as_file: bool) -> tuple[int, int] | None:
        """Shape of the copy meant, if it is known."""
        in_file = known_shapes().get(self.file)
        return in_file or self.shape if as_file else self.shape or in_file

    def known(self, *, as_file: bool) -> Known | None:
        """What else is known of the copy meant; nothing of one on OpenML whose shape is not that of the file."""
        known = _known_tables().get(self.file)
        return known if known is not None and known.shape == self.meant(as_file=as_file) else None

    @property
    def n_values(self) -> int:
        """Samples times features of the copy on OpenML, 0 if that is not known."""
        n_samples, n_features = self.meant(as_file=False) or (0, 0)
        return n_samples * n_features


@dataclass(frozen=True)
class Shelf:
    """Data sets by the names that a plan has for them; which there are is known from the start.

    ``found`` says of each where it is: a file, or ``openml:NUMBER``; ``refused`` why a table was not taken for one.
    It can be sent to another process.
    """

    sets: Mapping[str, Set]
    found: Mapping[str, str]
    refused: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.found

    @property
    def there(self) -> list[str]:
        """Names of the sets that were found, in the plan's order."""
        return [name for name in self.sets if name in self.found]

    @property
    def absent(self) -> list[str]:
        """Names of the others."""
        return [name for name in self.sets if name not in self.found]

    def load(self, name: str) -> Table:
        """A table; it must not be changed."""
        if name not in self.found:
            raise DataError(f"{name} is not there: {self.absence(name)}.")
        return _current(name, self.sets[name], self.found[name])

    def absence(self, name: str) -> str:
        """Why a set is missing."""
        if name in self.refused:
            return self.refused[name]
        one = self.sets[name]
        fetched = f", and set {one.openml} of OpenML was not fetched" if one.openml else ""
        return f"{_not_in_folder(one)}{fetched}"

    def digest(self, name: str) -> str:
        """Letters that differ when anything in the table does."""
        table = self.load(name)
        named = {"X": table.X, "y": table.y, "feature_names": table.feature_names, "class_names": table.class_names}
        text = hashlib.sha256()
        for key, part in sorted((named | dict(table.more)).items()):
            if part is not None:
                text.update(repr((key, part.shape, part.dtype.str)).encode())
                text.update(np.ascontiguousarray(part).tobytes())
        return text.hexdigest()[:16]


@cache
def known_shapes() -> Mapping[str, tuple[int, int]]:
    """(samples, features) of the tables meant, by file."""
    return {file: known.shape for file, known in _known_tables().items()}


@cache
def _known_tables() -> Mapping[str, Known]:
    place = files("holdfast.reproduce") / "tables.csv"
    return {
        row["file"]: Known(
            (int(row["samples"]), int(row["features"])),
            int(row["classes"]) if row["classes"] else None,
            int(row["smallest"]) if row["smallest"] else None,
            row["gaps"] == "yes",
        )
        for row in csv.DictReader(place.read_text(encoding="utf-8").splitlines())
    }


def stocked(
    sets: Mapping[str, Set], folder: Path | None, *, fetch: bool = False, most_fetched: float = np.inf
) -> Shelf:
    """Look for sets in a folder and, if asked to, on OpenML.

    Parameters
    ----------
    sets : mapping
        Sets by name.
    folder : Path or None
        Folder of npz files with X and y; None for what HOLDFAST_DATA names, if it names one.
    fetch : bool, default=False
        Whether to ask OpenML for what is not there.
    most_fetched : float, default=inf
        Tables with more values are not fetched.
    """
    folder = folder if folder is not None or not sets else _from_environment()
    found: dict[str, str] = {}
    refused: dict[str, str] = {}
    is_online, n_late = fetch, 0
    for n_done, (name, one) in enumerate(sets.items()):
        report(f"Looking for the data sets, now {name}", n_done, len(sets))
        place = None if folder is None else folder / f"{one.file}.npz"
        if place is not None and place.is_file():
            where = str(place)
        elif fetch and one.openml is not None and (is_online or is_kept(one.openml)):
            where = f"openml:{one.openml}"
            if one.n_values > most_fetched and not is_kept(one.openml):
                refused[name] = (
                    f"{_not_in_folder(one)}, and set {one.openml} of OpenML is large: not fetched for few runs"
                )
                continue
        else:
            continue
        is_file = where == str(place)
        try:
            table = _current(name, one, where)
        except DataError as error:
            if is_file:
                raise
            refused[name] = f"set {one.openml} of OpenML cannot be used: {error}"
            continue
        except OSError as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, TimeoutError):
                refused[name] = f"set {one.openml} of OpenML did not come in time"
                n_late += 1
                is_online = n_late < _MOST_LATE
            elif isinstance(error, URLError):
                # No network for this one is no network for the others.
                is_online = False
            else:
                refused[name] = f"set {one.openml} of OpenML did not come ({error})"
            continue
        told = f"{one.file}.npz in the folder of data sets" if is_file else f"set {one.openml} of OpenML"
        other = _other(table, told, one.meant(as_file=is_file), one.known(as_file=is_file))
        if other:
            refused[name] = other
        else:
            found[name] = where
    return Shelf(sets, found, refused)


def _other(table: Table, told: str, shape: tuple[int, int] | None, known: Known | None) -> str:
    """In what a table is not the one meant, or nothing."""
    if shape is not None and table.X.shape != shape:
        return f"{told} is {_times(table.X.shape)}, but the table meant is {_times(shape)}"
    if known is None:
        return ""
    gaps = np.isnan(table.X)
    if gaps.any() and not known.has_gaps:
        rows = [str(row) for row in np.flatnonzero(gaps.any(axis=1)) + 1]
        some = f"{'sample' if len(rows) == 1 else 'samples'} {', '.join([*rows[:5], *(['…'] if rows[5:] else [])])}"
        return f"X of {told} has {counted(int(gaps.sum()), 'missing value')} ({some}), but the table meant has none"
    if known.n_classes is None:
        return ""
    if table.y.dtype.kind == "f":
        broken = table.y[table.y != np.rint(table.y)][0]
        return f"y of {told} holds {broken:g}, but in the table meant it holds the numbers of {known.n_classes} classes"
    sizes = np.unique(table.y, return_counts=True)[1]
    if len(sizes) != known.n_classes:
        return f"{told} has {len(sizes)} classes, but the table meant has {known.n_classes}"
    if sizes.min() != known.smallest:
        smallest = counted(int(sizes.min()), "sample")
        return f"the smallest class of {told} has {smallest}, but that of the table meant has {known.smallest}"
    return ""


def _not_in_folder(one: Set) -> str:
    return f"no {one.file}.npz in the folder of data sets"


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{size:,}" for size in shape)


def _from_environment() -> Path | None:
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        raise ValueError(f"{VARIABLE}={named} is no folder. Let it name a folder of npz files, or unset it.")
    return Path(named)


def _current(name: str, one: Set, where: str) -> Table:
    """A table, from memory if it was read just before and its file has not changed since."""
    is_file = not where.startswith("openml:")
    known = one.known(as_file=is_file)
    now = os.stat(where) if is_file else None
    state = () if now is None else (now.st_mtime_ns, now.st_size)
    return _loaded(name, where, known is not None and known.n_classes is not None, state)


@lru_cache(maxsize=_KEPT_IN_MEMORY)
def _loaded(name: str, where: str, is_of_classes: bool, state: tuple[int, ...]) -> Table:
    place = copy_of(int(where.partition(":")[2])) if where.startswith("openml:") else Path(where)
    table = read_table(name, place, is_of_classes)
    for part in (table.X, table.y):
        part.flags.writeable = False
    return table
