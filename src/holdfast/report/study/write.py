"""A report as files: written whole, or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast.report._summary import summary_of
from holdfast.report.study.page import page
from holdfast.report.study.tables import tables
from holdfast.report.study.text import text


def write(study: Any, folder: str | Path, *, theme: str = "auto") -> list[Path]:
    """Write the report of a study into a folder.

    Use it to keep and share what a study found. Files of an earlier report are replaced together: an error before the
    last file is ready leaves them as they were.

    Parameters
    ----------
    study : Study or dict
        A study, or what its ``summary()`` gives.
    folder : str or Path
        Where to write; made if it is not there.
    theme : {"auto", "light", "dark"}, default="auto"
        Look of the page; "auto" follows the reader's system.

    Returns
    -------
    paths : list of Path
        report.html, report.json, report.txt, results.csv, stability.csv, features.csv and comparisons.csv.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> from holdfast.report.study import write
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> study = holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="5cv")
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write(study, folder)][:3]
    ['report.html', 'report.json', 'report.txt']
    """
    summary = summary_of(study)
    place = Path(folder)
    require_folder(place)
    texts = {
        "report.html": page(summary, theme=theme),
        "report.json": json.dumps(summary, indent=1, allow_nan=False) + "\n",
        "report.txt": text(summary),
        **tables(summary),
    }
    return write_all(place, texts)


def require_folder(place: Path) -> None:
    """Refuse a place that cannot become a folder, before any work is done."""
    for part in (place, *place.parents):
        if part.exists() and not part.is_dir():
            raise ValueError(f"{place}: {part} is a file, but a folder is needed. Choose another name.")


def write_all(place: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write every file as a draft, then rename them all; an error leaves the old files as they were."""
    place.mkdir(parents=True, exist_ok=True)
    for name in texts:
        if (place / name).is_dir():
            raise ValueError(f"{place / name} is a folder, but a file of this name is to be written. Move it away.")
    drafts = {name: place / f".{name}.{os.getpid()}.draft" for name in texts}
    try:
        for name, content in texts.items():
            # Names may hold what no encoding has, such as halves of a character.
            with open(drafts[name], "w", encoding="utf-8", errors="backslashreplace", newline="") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
        for name, draft in drafts.items():
            os.replace(draft, place / name)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
    return [place / name for name in texts]
