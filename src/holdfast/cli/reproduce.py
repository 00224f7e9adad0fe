"""`holdfast reproduce`: the tables of the theses, by name."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import typer

from holdfast._errors import StudyStopped
from holdfast._files import require_folder
from holdfast._progress import Tick, watching
from holdfast.cli._terminal import Messages, stopping_kept, text_width
from holdfast.report.reproduction import overview_lines, text, write, write_overview
from holdfast.reproduce import ROWS, THESES, Row, find, reproduce
from holdfast.reproduce.store import claim_for_several


def list_plans(*, as_json: bool) -> None:
    """Every plan, by thesis."""
    if as_json:
        rows = [
            {
                "name": row.name,
                "thesis": row.thesis.label,
                "title": row.title,
                "tables": list(row.tables),
                "more_chapters": list(row.more_chapters),
                "minutes": row.minutes,
            }
            for row in ROWS
        ]
        typer.echo(json.dumps(rows, indent=1))
        return
    width = max(len(row.name) for row in ROWS)
    for thesis in THESES:
        typer.echo(f"{thesis.label}: {thesis.title}")
        for row in ROWS:
            if row.thesis is thesis:
                typer.echo(f"  {row.name:{width}}  {row.title}")
                tables = f"printed in {', '.join(row.tables)}" if row.tables else "claims on figures"
                more = f"; claims of chapters {', '.join(row.more_chapters)}" if row.more_chapters else ""
                typer.echo(f"  {'':{width}}  {tables}{more}; about {row.minutes} min on two cores")
        typer.echo("")
    typer.echo(
        "Run one with `holdfast reproduce NAME --data DIR --out DIR`; NAME may also be a thesis, a chapter or a table "
        "of one, or all. Minutes are those of the sets that we had; with more of them from OpenML it takes longer, "
        "and --offline leaves those out."
    )


def reproduce_by_name(
    name: str,
    *,
    data: Path | None,
    offline: bool,
    quick: bool,
    out: Path | None,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run every plan that is meant, write and print what came out."""
    rows = find(name)
    if data is not None and not data.is_dir():
        raise ValueError(f"--data {data} is no folder. Name a folder of npz files with X and y.")
    if out is not None:
        require_folder(out, "--out")
        if len(rows) > 1:
            claim_for_several(out)
    messages = Messages(quiet=quiet)
    every: list[dict[str, Any]] = []
    for row in rows:
        folder = out if out is None or len(rows) == 1 else out / row.name
        try:
            with stopping_kept(), messages.progress() as tick, watching(_named(row.name, tick)):
                found = reproduce(
                    row, data=data, fetch=not offline, quick=quick, out=folder, workers=workers,
                    command=_command(row, quick),
                )  # fmt: skip
        except KeyboardInterrupt as error:
            raise StudyStopped(
                "Stopped. With --out DIR the parts that are done would be kept." if folder is None else
                f"Stopped. Parts that are done are kept in {folder}; the same command goes on with the others."
            ) from error  # fmt: skip
        every.append(found)
        if found["data"] and not any(one["found"] for one in found["data"]):
            messages.say(
                "warning",
                f"{row.name}: none of its data sets is there. Name a folder of npz files with --data or HOLDFAST_DATA.",
            )
        if folder is not None:
            write(found, folder)
        if not as_json:
            typer.echo(text(found, width=text_width()))
    if as_json:
        typer.echo(json.dumps(every[0] if len(every) == 1 else every, indent=1))
    elif len(every) > 1:
        for line in overview_lines(every):
            typer.echo(line)
    if out is not None:
        if len(every) > 1:
            write_overview(every, out)
        messages.say("", f"The report is {out / 'report.html'}; open it in a browser.")


def _named(name: str, tick: Tick) -> Tick:
    return lambda what, done, total: tick(f"{name}: {what}", done, total)


def _command(row: Row, quick: bool) -> str:
    needs_data = ["--data", "DIR"] if row.load().sets else []
    return shlex.join(["holdfast", "reproduce", row.name, *needs_data, *(["--quick"] if quick else [])])
