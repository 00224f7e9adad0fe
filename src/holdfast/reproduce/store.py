"""Parts that are done, a file each, whole or absent: a stopped run goes on where it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast._errors import PlanMismatch, StoreError
from holdfast._files import require_folder, write_all

PLAN, PARTS, SEVERAL = "plan.json", "parts", "plans.json"


class PartStore:
    """Results of the parts of one plan, in a folder that is claimed for it first."""

    def __init__(self, folder: Path, claim: Mapping[str, Any]) -> None:
        self._folder = folder
        self._claim = dict(claim)

    def begin(self) -> None:
        """Make the folder this plan's, or find that it is."""
        require_folder(self._folder, "--out")
        place = self._folder / PLAN
        text = json.dumps(self._claim, indent=2, sort_keys=True) + "\n"
        if not place.exists():
            if self._folder.exists() and any(self._folder.iterdir()):
                raise ValueError(f"--out {self._folder} is not empty and holds no run of a plan. Choose a new folder.")
            self._write(self._folder, PLAN, text)
        there = _read(place)
        if not isinstance(there, dict):
            raise PlanMismatch(f"{place} cannot be read. Choose a new --out, or delete that folder.")
        other = _other(there, self._claim)
        if other:
            raise PlanMismatch(f"{self._folder} holds a run {other}. Choose a new --out, or delete that folder.")
        # Sets that were found since then are only more parts to make.
        known = {**there.get("data", {}), **self._claim["data"]}
        if known != there.get("data"):
            self._write(self._folder, PLAN, json.dumps(there | {"data": known}, indent=2, sort_keys=True) + "\n")

    def get(self, key: str) -> dict[str, Any] | None:
        """What a part gave and took, or None if it has to be made."""
        found = _read(self._place(key))
        if not isinstance(found, dict) or set(found) != {"key", "result", "seconds"} or found["key"] != key:
            return None
        # No part gives nothing, or takes no number of seconds.
        is_whole = found["result"] is not None and isinstance(found["seconds"], int | float)
        return found if is_whole else None

    def put(self, key: str, result: Any, seconds: float) -> None:
        """Keep a part."""
        place = self._place(key)
        self._write(place.parent, place.name, json.dumps({"key": key, "result": result, "seconds": seconds}) + "\n")

    def _place(self, key: str) -> Path:
        return self._folder / PARTS / f"{re.sub(r'[^A-Za-z0-9+._-]+', '_', key)}.json"

    def _write(self, folder: Path, name: str, text: str) -> None:
        try:
            write_all(folder, {name: text})
        except OSError as error:
            raise StoreError(
                f"{folder / name} could not be written: {error.strerror or error}. What was done is kept. Mend that "
                "(space, rights, a disk that is there) and run the same again to go on."
            ) from error


def claim_for_several(folder: Path) -> None:
    """Make a folder that of several plans, each of which has a folder in it, or find that it is."""
    require_folder(folder, "--out")
    if (folder / PLAN).exists():
        raise PlanMismatch(f"{folder} holds a run of one plan, not of several. Choose a new --out.")
    if (folder / SEVERAL).exists():
        return
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"--out {folder} is not empty and holds no runs of plans. Choose a new folder.")
    write_all(folder, {SEVERAL: json.dumps({"schema": "holdfast.reproductions"}) + "\n"})


def _other(there: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    """In what a claimed folder is not the one that is wanted; sets that only one of them has are no matter."""
    if there.get("plan") != claim["plan"]:
        return f"of another plan, {there.get('plan')}"
    if there.get("quick") != claim["quick"]:
        return "with few runs (--quick)" if there.get("quick") else "with all runs, not of --quick"
    if there.get("holdfast") != claim["holdfast"]:
        return f"of another version of Holdfast, {there.get('holdfast')}"
    before = there.get("data", {})
    changed = [name for name, digest in claim["data"].items() if before.get(name, digest) != digest]
    return f"on another table of {' and '.join(changed)}" if changed else ""


def _read(place: Path) -> Any:
    try:
        return json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
