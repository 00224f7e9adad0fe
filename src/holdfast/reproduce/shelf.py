"""Where the data sets of a plan come from: a folder of npz files, or OpenML."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError

Array = npt.NDArray[Any]

VARIABLE = "HOLDFAST_DATA"
_KEPT_IN_MEMORY = 2


@dataclass(frozen=True)
class Set:
    """A data set: its file in the folder, and its number on OpenML if it is there.

    ``shape`` is (samples, features) of the copy meant, so that another one of the same name is not taken for it.
    """

    file: str
    openml: int | None = None
    shape: tuple[int, int] | None = None


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

    ``found`` says of each where it is: a file, or ``openml:NUMBER``. It can be sent to another process.
    """

    sets: Mapping[str, Set]
    found: Mapping[str, str]

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
            raise DataError(f"{name} is not there: {absence(self.sets[name])}.")
        return _loaded(name, self.found[name])

    def digest(self, name: str) -> str:
        """Letters that differ when the table does."""
        table = self.load(name)
        text = hashlib.sha256()
        for part in (table.X, table.y):
            text.update(repr((part.shape, part.dtype.str)).encode())
            text.update(np.ascontiguousarray(part).tobytes())
        return text.hexdigest()[:16]


def absence(one: Set) -> str:
    """What would help where a set is missing."""
    fetched = f", and set {one.openml} of OpenML was not fetched" if one.openml else ""
    return f"no {one.file}.npz in the folder of data sets{fetched}"


def stocked(sets: Mapping[str, Set], folder: Path | None, *, fetch: bool = False) -> Shelf:
    """Look for sets in a folder and, if asked to, on OpenML.

    Parameters
    ----------
    sets : mapping
        Sets by name.
    folder : Path or None
        Folder of npz files with X and y; None for what HOLDFAST_DATA names, if it names one.
    fetch : bool, default=False
        Whether to ask OpenML for what is not there.
    """
    folder = folder if folder is not None else _from_environment()
    found = {}
    is_online = fetch
    for name, one in sets.items():
        place = None if folder is None else folder / f"{one.file}.npz"
        if place is not None and place.is_file():
            found[name] = str(place)
        elif is_online and one.openml is not None:
            try:
                table = _loaded(name, f"openml:{one.openml}")
            except OSError:
                # No network for this one is no network for the others.
                is_online = False
                continue
            except (TypeError, ValueError):
                # Not the table that was meant: its values are no numbers.
                continue
            if one.shape is None or table.X.shape == one.shape:
                found[name] = f"openml:{one.openml}"
    return Shelf(sets, found)


def _from_environment() -> Path | None:
    named = os.environ.get(VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        raise DataError(f"{VARIABLE}={named} is no folder. Let it name a folder of npz files, or unset it.")
    return Path(named)


@lru_cache(maxsize=_KEPT_IN_MEMORY)
def _loaded(name: str, where: str) -> Table:
    table = _fetched(name, int(where.partition(":")[2])) if where.startswith("openml:") else _read(name, Path(where))
    for part in (table.X, table.y):
        part.flags.writeable = False
    return table


def _read(name: str, place: Path) -> Table:
    try:
        with np.load(place, allow_pickle=False) as data:
            arrays = {key: data[key] for key in data.files}
    except (OSError, ValueError) as error:
        raise DataError(f"{place} cannot be read ({error}). It must be an npz file with X and y.") from error
    if "X" not in arrays or "y" not in arrays:
        raise DataError(f"{place} holds {', '.join(arrays) or 'nothing'}, but must hold X and y.")
    X = np.asarray(arrays.pop("X"), dtype=np.float64)
    y = arrays.pop("y")
    if X.ndim != 2 or y.shape != (len(X),):
        raise DataError(f"{place}: X is of shape {X.shape} and y of {y.shape}, but must be (n, p) and (n,).")
    return Table(name, X, y, arrays.pop("feature_names", None), arrays.pop("class_names", None), arrays)


def _fetched(name: str, number: int) -> Table:
    from sklearn.datasets import fetch_openml

    with warnings.catch_warnings():
        # That there is no network is told in the report, in one place and in our own words.
        warnings.simplefilter("ignore", UserWarning)
        found = fetch_openml(data_id=number, as_frame=False, parser="liac-arff", n_retries=1)
    X = np.asarray(found.data.toarray() if hasattr(found.data, "toarray") else found.data, dtype=np.float64)
    y, class_names = np.asarray(found.target), None
    if y.dtype.kind not in "fiu":
        class_names, y = np.unique(y.astype(str), return_inverse=True)
    return Table(name, X, y, np.asarray(found.feature_names), class_names)
