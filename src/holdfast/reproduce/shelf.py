"""Where the data sets of a plan come from: a folder of npz files, or OpenML."""

from __future__ import annotations

import csv
import hashlib
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._progress import report
from holdfast.reproduce.openml import copy_of, is_kept

Array = npt.NDArray[Any]

VARIABLE = "HOLDFAST_DATA"
_KEPT_IN_MEMORY = 2


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

    @property
    def n_values(self) -> int:
        """Samples times features of the copy on OpenML, 0 if that is not known."""
        n_samples, n_features = self.meant(as_file=False) or (0, 0)
        return n_samples * n_features


@dataclass(frozen=True)
class Table:
    """A data set as it was found; gaps are NaN, ``y`` are the numbers of the classes, or the target itself.

    ``more`` holds what else is in the file, such as ``split``.
    """

    name: str
    X: Array
    y: Array
    feature_names: Array | None = None
    class_names: Array | None = None
    more: Mapping[str, Array] = field(default_factory=dict)


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
        return _current(name, self.found[name])

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
    place = files("holdfast.reproduce") / "tables.csv"
    rows = csv.DictReader(place.read_text(encoding="utf-8").splitlines())
    return {row["file"]: (int(row["samples"]), int(row["features"])) for row in rows}


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
    is_online = fetch
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
            shape = _current(name, where).X.shape
        except DataError as error:
            if is_file:
                raise
            refused[name] = f"set {one.openml} of OpenML cannot be used: {error}"
            continue
        except OSError:
            # No network for this one is no network for the others.
            is_online = False
            continue
        meant = one.meant(as_file=is_file)
        if meant is None or shape == meant:
            found[name] = where
        else:
            told = f"{one.file}.npz in the folder of data sets" if is_file else f"set {one.openml} of OpenML"
            refused[name] = f"{told} is {_times(shape)}, but the table meant is {_times(meant)}"
    return Shelf(sets, found, refused)


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


def _current(name: str, where: str) -> Table:
    """A table, from memory if it was read just before and its file has not changed since."""
    if where.startswith("openml:"):
        return _loaded(name, where, ())
    now = os.stat(where)
    return _loaded(name, where, (now.st_mtime_ns, now.st_size))


@lru_cache(maxsize=_KEPT_IN_MEMORY)
def _loaded(name: str, where: str, state: tuple[int, ...]) -> Table:
    table = _read(name, copy_of(int(where.partition(":")[2])) if where.startswith("openml:") else Path(where))
    for part in (table.X, table.y):
        part.flags.writeable = False
    return table


def _read(name: str, place: Path) -> Table:
    try:
        with open(place, "rb") as raw, np.load(raw, allow_pickle=False) as data:
            arrays = {key: data[key] for key in data.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(f"{place} cannot be read ({error}). It must be an npz file with X and y.") from error
    if "X" not in arrays or "y" not in arrays:
        raise DataError(f"{place} holds {', '.join(arrays) or 'nothing'}, but must hold X and y.")
    try:
        X = np.asarray(arrays.pop("X"), dtype=np.float64)
    except ValueError as error:
        raise DataError(f"{place}: X holds what is no number ({error}).") from error
    y = arrays.pop("y")
    if X.ndim != 2 or y.shape != (len(X),):
        raise DataError(f"{place}: X is of shape {X.shape} and y of {y.shape}, but must be (n, p) and (n,).")
    if np.isinf(X).any():
        raise DataError(f"{place}: X holds infinite values. Write what is missing as NaN, and nothing as infinite.")
    if y.dtype.kind not in "iuf" or (y.dtype.kind == "f" and not np.isfinite(y).all()):
        raise DataError(f"{place}: y must hold the number of a class, or a finite number, for every sample.")
    if len(np.unique(y)) < 2:
        raise DataError(f"{place}: y is the same for all samples, so there is nothing to choose features for.")
    return Table(name, X, y, arrays.pop("feature_names", None), arrays.pop("class_names", None), arrays)
