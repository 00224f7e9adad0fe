"""A rerun as files: written whole, or not at all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from holdfast._files import require_folder, write_all
from holdfast.report.reproduction._words import Row
from holdfast.report.reproduction.markdown import markdown
from holdfast.report.reproduction.overview import overview_markdown, overview_page
from holdfast.report.reproduction.page import page
from holdfast.report.reproduction.text import text

# Columns of cells.csv, which a run without printed numbers has too.
CELLS = (
    "table", "data", "method", "setting", "quantity", "printed", "ours", "low", "high", "verdict", "honest", "mark",
    "impossible", "apart", "remark",
)  # fmt: skip


def write(found: Row, folder: str | Path) -> list[Path]:
    """Write every form of a rerun into a folder.

    Parameters
    ----------
    found : dict
        What ``holdfast.reproduce.reproduce`` gives.
    folder : str or Path
        Where to write; made if it is not there.

    Returns
    -------
    paths : list of Path
        report.html, report.md, report.txt, report.json and cells.csv.
    """
    place = Path(folder)
    require_folder(place)
    return write_all(
        place,
        {
            "report.html": page(found),
            "report.md": markdown(found),
            "report.txt": text(found),
            "report.json": as_json(found),
            "cells.csv": _cells(found),
        },
    )


def write_overview(every: Sequence[Row], folder: str | Path) -> list[Path]:
    """Write report.html and report.md of several reruns, each of which lies in a folder of the name of its plan."""
    return write_all(
        Path(folder),
        {
            "report.html": overview_page(every, lambda plan: f"{plan}/report.html"),
            "report.md": overview_markdown(every, lambda plan: f"{plan}/report.md"),
        },
    )


def as_json(found: Row) -> str:
    """The dictionary as the text of report.json."""
    return json.dumps(found, indent=1, allow_nan=False) + "\n"


def _cells(found: Row) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, CELLS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(found["cells"])
    return out.getvalue()
