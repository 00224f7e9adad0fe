"""Result files: written whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def require_folder(place: Path) -> None:
    """Refuse a place that cannot become a folder, before any work is done."""
    for part in (place, *place.parents):
        if part.exists() and not part.is_dir():
            raise ValueError(f"--out {place}: {part} is a file, but a folder is needed. Choose another name.")


def write_all(place: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write every file as a draft, then rename them all; an error leaves the old files as they were."""
    place.mkdir(parents=True, exist_ok=True)
    drafts = {name: place / f".{name}.{os.getpid()}.draft" for name in texts}
    try:
        for name, text in texts.items():
            with open(drafts[name], "w", encoding="utf-8", newline="") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
        for name, draft in drafts.items():
            os.replace(draft, place / name)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
    return [place / name for name in texts]
