"""Files written whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

DRAFT = ".draft"


def require_folder(place: Path, name: str = "") -> None:
    """Refuse a place that cannot become a folder, before any work is done; ``name`` is what the user calls it."""
    asked = f"{name} {place}".strip()
    for part in (place, *place.parents):
        if part.is_symlink() and not part.exists():
            raise ValueError(
                f"{asked}: {part} is a link that leads nowhere, but a folder is needed. Choose another name."
            )
        if part.exists() and not part.is_dir():
            raise ValueError(f"{asked}: {part} is a file, but a folder is needed. Choose another name.")
    nearest = next(part for part in (place, *place.absolute().parents) if part.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise PermissionError(13, "There is no right to write there", str(nearest))


def write_all(place: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write every file as a draft, then rename them all; an error leaves the old files as they were."""
    place.mkdir(parents=True, exist_ok=True)
    for name in texts:
        if (place / name).is_dir():
            raise ValueError(f"{place / name} is a folder, but a file of this name is to be written. Move it away.")
    drafts = {name: draft_of(place / name) for name in texts}
    try:
        for name, text in texts.items():
            write_flushed(drafts[name], text)
        for name, draft in drafts.items():
            os.replace(draft, place / name)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
    return [place / name for name in texts]


def draft_of(place: Path) -> Path:
    """A name beside a file that no other process has, on this machine or another."""
    return place.with_name(f".{place.name}.{uuid4().hex}{DRAFT}")


def write_flushed(place: Path, text: str) -> None:
    """Write a text and wait until the disk has it."""
    # Names may hold what no encoding has, such as halves of a character.
    with open(place, "w", encoding="utf-8", errors="backslashreplace", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
