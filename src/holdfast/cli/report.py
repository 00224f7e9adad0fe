"""`holdfast report`: the report of a study again, from its report.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from holdfast._errors import DataError
from holdfast.cli._files import require_folder
from holdfast.cli._json import to_json
from holdfast.cli._terminal import Messages, text_width
from holdfast.evaluate.store import PLAN
from holdfast.report._summary import summary_of
from holdfast.report.study import text, write

_REPORT = "report.json"


def report_again(place: Path, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Read report.json, write every other form of it, and print the text."""
    if out is not None:
        require_folder(out)
    summary = read_report(place)
    folder = out if out is not None else place if place.is_dir() else place.parent
    written = write(summary, folder)
    Messages(quiet=quiet).say("", f"Wrote {', '.join(map(str, written))}")
    typer.echo(to_json(summary) if as_json else text(summary, width=text_width()), nl=False)


def read_report(place: Path) -> dict[str, Any]:
    """The dictionary of a study, from its folder or from the file itself."""
    file = place / _REPORT if place.is_dir() else place
    if not file.exists():
        if (place / PLAN).exists():
            raise DataError(
                f"{place} holds a study without a report yet. Run the same `holdfast compare` again to go on with it, "
                "or with --so-far for a report on what is done."
            )
        raise DataError(f"{file} does not exist. Name the folder of a study, or its report.json.")
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(
            f"{file} is no JSON ({error}). Run the same `holdfast compare` again to make it anew."
        ) from error
    try:
        return summary_of(found)
    except (TypeError, ValueError) as error:
        raise DataError(f"{file} is no report of a study: {error}") from error
