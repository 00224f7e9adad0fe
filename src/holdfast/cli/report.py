"""`holdfast report`: the report of a study again, from its report.json."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import typer
from jinja2 import TemplateError

from holdfast._errors import DataError
from holdfast._files import require_folder, write_all
from holdfast.cli._terminal import Messages, text_width
from holdfast.report._summary import SCHEMA, VERSION
from holdfast.report.study import text
from holdfast.report.study.write import as_json as as_json_text
from holdfast.report.study.write import texts_of

_REPORT, PLAN = "report.json", "plan.json"
_AGAIN = "Run the same `holdfast compare` again to make it anew."


def report_again(place: Path, *, out: Path | None, as_json: bool, quiet: bool) -> None:
    """Read report.json, write every other form of it, and print the text."""
    if out is not None:
        require_folder(out, "--out")
    summary = read_report(place)
    folder = out if out is not None else place if place.is_dir() else place.parent
    try:
        said = as_json_text(summary) if as_json else text(summary, width=text_width())
        texts = texts_of(summary)
    except (LookupError, TypeError, AttributeError, ValueError, TemplateError) as error:
        raise DataError(f"{_file_of(place)} is no whole report of a study. {_AGAIN}") from error
    written = write_all(folder, texts)
    typer.echo(said, nl=False)
    Messages(quiet=quiet).say("", f"Wrote {', '.join(map(str, written))}")


def read_report(place: Path) -> dict[str, Any]:
    """The dictionary of a study, from its folder or from the file itself."""
    file = _file_of(place)
    if not file.exists():
        if (place / PLAN).exists():
            raise DataError(
                f"{place} holds a study without a report yet. Run the same `holdfast compare` again to go on with it, "
                "or with --so-far for a report on what is done."
            )
        raise DataError(f"{file} does not exist. Name the folder of a study, or its report.json.")
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{file} is damaged or cut short ({error}). {_AGAIN}") from error
    kind = found.get("schema") if isinstance(found, dict) else None
    if kind != SCHEMA:
        what = f"it is of the kind {kind!r}" if kind else "it is JSON of another kind"
        raise DataError(f"{file} is no report of a study ({what}). Name the folder of a study, or its report.json.")
    if found.get("schema_version") != VERSION:
        raise DataError(
            f"{file} was written in version {found.get('schema_version')} of its form, but this holdfast reads version "
            f"{VERSION}. Use the holdfast that wrote it ({found.get('holdfast_version', 'version not told')})."
        )
    missing = [key for key in _required() if key not in found]
    if missing:
        raise DataError(f"{file} is no whole report of a study ({missing[0]} is missing). {_AGAIN}")
    return dict(found)


def _file_of(place: Path) -> Path:
    return place / _REPORT if place.is_dir() else place


def _required() -> list[str]:
    schema = json.loads((files("holdfast.report.study") / "schema.json").read_text(encoding="utf-8"))
    return list(schema["required"])
