"""The folder of a study: one small file per cell, whole or absent.

Files and not a database, because a rename is atomic on every file system that a study may lie on, also one shared by
machines, where a database in write-ahead mode cannot work; because any number of processes can add cells without
waiting for each other; and because a reader needs no tool to look inside. A cell is a method on a split, so that there
are hundreds to thousands of files, not millions.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from holdfast._errors import DataError, StoreError
from holdfast._files import DRAFT, draft_of, require_folder, write_flushed
from holdfast.evaluate.plan import ALL, Cell, Plan

try:
    import fcntl
except ImportError:
    # Windows: processes then do not know of each other, and may do some cells twice.
    fcntl = None  # type: ignore[assignment]

PLAN, CELLS, COSTS, LOCK = "plan.json", "cells", "costs", ".lock"
_KEPT = (
    "could not be written: {}. What was done is kept. Mend that (space, rights, a disk that is there) and "
    "run the same again to go on."
)


class Store:
    """Results of one plan, kept in a folder; the plan is claimed first, so that a folder cannot mix two studies."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan

    def begin(self) -> None:
        """Make the folder this plan's, or find that it is."""
        with self._writing(
            "could not be begun: {}. Mend that (space, rights, a disk that is there), or choose another."
        ):
            require_folder(self.folder)
            self._claim()
            for kind in (CELLS, COSTS):
                for place in {self._place(kind, *cell).parent for cell in self.plan.cells}:
                    place.mkdir(parents=True, exist_ok=True)

    def require_begun(self) -> None:
        """Refuse a folder that holds nothing of this plan; nothing is written."""
        place = self.folder / PLAN
        if not place.exists():
            raise DataError(f"{self.folder} holds no study yet, so there is nothing to report on. Run it first.")
        self.plan.require_same(_text(place), self.folder)

    @contextmanager
    def working(self) -> Iterator[bool]:
        """Work on the study; True for a process that began alone. Who begins or ends alone clears what was left."""
        with self._writing():
            lock = open(self.folder / LOCK, "a")  # noqa: SIM115
        try:
            is_alone = self._cleared(lock)
            _share(lock)
            yield is_alone
            # One that was killed in the meantime left its drafts too.
            self._cleared(lock)
        finally:
            lock.close()

    def _cleared(self, lock: Any) -> bool:
        """Whether nobody else is at work; then what killed processes left is gone."""
        is_alone = _locked(lock)
        if is_alone:
            for draft in self.folder.rglob(f".*{DRAFT}"):
                draft.unlink(missing_ok=True)
        return is_alone

    def has(self, cell: Cell) -> bool:
        """Whether a cell is done."""
        return self._place(CELLS, *cell).exists()

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """A cell's result; None if it is not there, or was damaged by something else and has to be made again."""
        found = _read(self._place(CELLS, *cell))
        return found if found is not None and _is_cell(found, cell, self.plan) else None

    def cost(self, cell: Cell) -> dict[str, Any]:
        """What a cell took; empty if that is not known."""
        found = _read(self._place(COSTS, *cell)) or {}
        return found if _is_number(found.get("seconds")) and _is_number(found.get("select_seconds")) else {}

    def put(self, cell: Cell, result: Mapping[str, Any], cost: Mapping[str, Any]) -> None:
        """Keep a cell: what it took, which differs from run to run, and then its result, which does not."""
        with self._writing():
            self._write(self._place(COSTS, *cell), json.dumps(cost, sort_keys=True) + "\n")
            self._write(self._place(CELLS, *cell), json.dumps(result, sort_keys=True, allow_nan=False) + "\n")

    def drop(self, cell: Cell) -> None:
        """Forget a cell that cannot be read."""
        with self._writing():
            self._place(CELLS, *cell).unlink(missing_ok=True)

    def _place(self, kind: str, method: int, split: int | str) -> Path:
        name = re.sub(r"[^A-Za-z0-9+._-]+", "_", self.plan.methods[method].name)[:40]
        cell = ALL if split == ALL else f"{int(split) + 1:05d}"
        return self.folder / kind / f"{method + 1:02d}-{name}" / f"{cell}.json"

    def _claim(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / PLAN
        if not place.exists():
            others = [entry.name for entry in self.folder.iterdir() if not entry.name.endswith(DRAFT)]
            if set(others) - {LOCK, PLAN}:
                raise ValueError(
                    f"{self.folder} is not empty and holds no study (there is {sorted(others)[0]!r}). Choose a new "
                    "folder, or one that a study was begun in."
                )
            self._write(place, self.plan.text, replace=False)
            _flush_names(self.folder)
        self.plan.require_same(_text(place), self.folder)

    def _write(self, place: Path, text: str, *, replace: bool = True) -> None:
        """Write a draft, flush it to the disk and give it its name: readers see all of it or none."""
        draft = draft_of(place)
        try:
            write_flushed(draft, text)
            if replace:
                os.replace(draft, place)
            else:
                _name_once(draft, place)
        finally:
            draft.unlink(missing_ok=True)

    @contextmanager
    def _writing(self, words: str = _KEPT) -> Iterator[None]:
        """Turn what a disk can refuse into words; what was kept before stays."""
        try:
            yield
        except OSError as error:
            raise StoreError(f"The study in {self.folder} {words.format(error.strerror or error)}") from error


def _text(place: Path) -> str:
    return place.read_text(encoding="utf-8", errors="replace")


def _is_cell(found: Mapping[str, Any], cell: Cell, plan: Plan) -> bool:
    """Whether a file holds what this cell must hold, so that nothing else is taken for it."""
    method, split = cell
    sizes = {str(size) for size in plan.sizes}
    chosen, predictions = found.get("chosen"), found.get("predictions")
    if not isinstance(chosen, dict) or set(chosen) != sizes or found.get("method") != plan.methods[method].name:
        return False
    if split == ALL:
        return isinstance(found.get("scores"), dict) and set(found["scores"]) == sizes
    is_whole = isinstance(predictions, dict) and set(predictions) == {one.name for one in plan.classifiers}
    return is_whole and found.get("split") == split and "test" in found and (not plan.tune_size or "tuned" in found)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _read(place: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _flush_names(folder: Path) -> None:
    """Have the disk know the files of a folder, so that a power cut cannot lose the plan and keep its cells."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _name_once(draft: Path, place: Path) -> None:
    """Give a draft its name unless another process was first."""
    try:
        os.link(draft, place)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links: two processes that start at the same moment write the same or are refused.
        if not place.exists():
            os.replace(draft, place)


@contextmanager
def shared(folder: Path) -> Iterator[None]:
    """Write into the folder of a study while nobody clears it."""
    place = folder / LOCK
    if not place.exists():
        yield
        return
    with open(place, "a") as lock:
        _share(lock)
        yield


def _locked(lock: Any) -> bool:
    """Whether no other process is at work; the system frees the lock however a process ends."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _share(lock: Any) -> None:
    """Be one of several at work; a file system without locks tells nobody of it."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_SH)
