"""Parts that are done, a file each, whole or absent: a stopped run goes on where it was."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast._errors import PlanMismatch, StoreError
from holdfast._files import require_folder, write_all

PLAN, PARTS = "plan.json", "parts"


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
        if there != json.loads(text):
            changed = [key for key in self._claim if not isinstance(there, dict) or there.get(key) != self._claim[key]]
            raise PlanMismatch(
                f"{self._folder} holds a run with another {' and '.join(changed) or 'plan'}. Choose a new --out, or "
                "delete that folder."
            )

    def get(self, key: str) -> dict[str, Any] | None:
        """What a part gave and took, or None if it has to be made."""
        found = _read(self._place(key))
        return found if isinstance(found, dict) and set(found) == {"key", "result", "seconds"} else None

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


def _read(place: Path) -> Any:
    try:
        return json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
