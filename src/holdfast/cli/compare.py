"""`holdfast compare`: from a file to a study and its report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import typer

from holdfast._errors import StoreError
from holdfast._files import require_folder
from holdfast._registry import find
from holdfast.cli._prior import PriorFiles, takes_prior
from holdfast.cli._terminal import Messages, stopping_kept, text_width
from holdfast.data import Table, read
from holdfast.data._labels import read_groups
from holdfast.evaluate import Study, compare
from holdfast.evaluate._named import listed_names, name_and_settings
from holdfast.evaluate.compare import CLASSIFIERS, METHODS
from holdfast.evaluate.store import shared
from holdfast.report.study import text, write
from holdfast.report.study.write import as_json as as_json_text

_WHOLE, _SHARE = re.compile(r"[0-9]{1,9}"), re.compile(r"0?\.[0-9]+")
_SIZES = "Write numbers such as 5,10,20,50, shares such as 0.01, or own."


@dataclass(frozen=True)
class StudyRequest:
    """What the user asked for, as typed."""

    methods: str | None = None
    sizes: str | None = None
    classifiers: str | None = None
    protocol: str = "10x10cv"
    groups: Path | None = None
    groups_column: str | None = None
    impute: str | None = None
    tune_size: bool = False
    positive: str | None = None
    seed: int = 0
    workers: int = 1
    cluster: str | None = None
    so_far: bool = False


def compare_from_file(
    file: Path,
    request: StudyRequest,
    *,
    target: str | None,
    labels: Path | None,
    genes_in: str | None,
    prior: PriorFiles,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Read, compare, write and print."""
    methods = METHODS if request.methods is None else tuple(listed_names(request.methods))
    _check_prior(prior, methods)
    messages = Messages(quiet=quiet)
    if out is not None:
        require_folder(out, "--out")
    with stopping_kept(), messages.progress() as tick:
        tick(f"Reading {file.name}", 0, None)
        table = read(file, target=target, labels=labels, genes_in=cast(Literal["rows", "columns"] | None, genes_in))
        matched = prior.match(table.feature_names)
        if matched is not None:
            messages.say("prior", str(matched))
        study = compare(
            table,
            methods=list(methods),
            sizes=None if request.sizes is None else sizes(request.sizes),
            classifiers=list(CLASSIFIERS) if request.classifiers is None else listed_names(request.classifiers),
            protocol=request.protocol,
            groups=_groups(request, table),
            seed=request.seed,
            impute=request.impute,
            tune_size=request.tune_size,
            positive=request.positive,
            prior=None if matched is None else matched.weights,
            out=out,
            workers=request.workers,
            cluster=request.cluster,
            progress=tick,
            so_far=request.so_far,
        )
        tick("Putting results together", 0, None)
        study.summary()
    show_study(study, out, messages, as_json=as_json)


def show_study(study: Study, out: Path | None, messages: Messages, *, as_json: bool = False) -> None:
    """Write the report where the study is kept, and print it."""
    summary = study.summary()
    for warning in summary["warnings"]:
        messages.say("warning", warning)
    if out is not None:
        _write(summary, out)
    typer.echo(as_json_text(summary) if as_json else text(summary, width=text_width()), nl=False)
    if out is not None:
        messages.say("", f"\nThe report is {out / 'report.html'}; open it in a browser.")


def _write(summary: dict[str, Any], out: Path) -> None:
    try:
        with shared(out):
            write(summary, out)
    except OSError as error:
        raise StoreError(
            f"The report could not be written to {out}: {error.strerror or error}. The study is done and kept: mend "
            "that (space, rights) and run the same again, which works on nothing and writes the report."
        ) from error


def sizes(given: str) -> list[int | float | str]:
    """Numbers of features as typed."""
    found: list[int | float | str] = []
    for part in (part.strip() for part in given.split(",")):
        if not part:
            continue
        if part.lower() == "own":
            found.append(part)
        elif _WHOLE.fullmatch(part) and int(part) > 0:
            found.append(int(part))
        elif _SHARE.fullmatch(part) and float(part) > 0:
            found.append(float(part))
        else:
            raise ValueError(f"--sizes {given}: {part} is no number of features. {_SIZES}")
    if not found:
        raise ValueError(f"--sizes {given!r} names no number of features. {_SIZES}")
    return found


def _groups(request: StudyRequest, table: Table) -> Any:
    if request.groups is None:
        if request.groups_column is not None:
            raise ValueError(
                f"--groups-column {request.groups_column} says how to read --groups, which is missing. Add it."
            )
        return None
    return read_groups(request.groups, table, request.groups_column)


def _check_prior(prior: PriorFiles, methods: Sequence[str]) -> None:
    """Refuse prior knowledge that no method takes, before any work is done."""
    if not methods:
        raise ValueError("--methods is empty. Name at least one, such as mrmr+.")
    rows = [find(name_and_settings(one)[0]) for one in methods]
    takers = [row for row in rows if takes_prior(row)]
    prior.check(takers[0] if takers else rows[0])
