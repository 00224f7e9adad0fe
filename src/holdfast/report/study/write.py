"""A report as files: written whole, or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdfast._files import require_folder, write_all
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
    place = Path(folder)
    require_folder(place)
    return write_all(place, texts_of(study, theme=theme))


def texts_of(study: Any, *, theme: str = "auto") -> dict[str, str]:
    """Every file of the report by its name."""
    summary = summary_of(study)
    return {
        "report.html": page(summary, theme=theme),
        "report.json": as_json(summary),
        "report.txt": text(summary),
        **tables(summary),
    }


def as_json(study: Any) -> str:
    """The summary as the text of report.json."""
    return json.dumps(summary_of(study), indent=1, allow_nan=False) + "\n"
