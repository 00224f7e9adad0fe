"""`holdfast select`: from a file to a list."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

import typer

from holdfast._files import require_folder, write_all
from holdfast._registry import find
from holdfast.cli._forms import as_dictionary, to_csv
from holdfast.cli._json import to_json
from holdfast.cli._prior import PriorFiles
from holdfast.cli._selection import Request, Selection, choose
from holdfast.cli._terminal import Messages, as_text, show
from holdfast.cli._text import page
from holdfast.data import read


def select_from_file(
    file: Path,
    request: Request,
    *,
    cluster: str | None,
    target: str | None,
    labels: Path | None,
    genes_in: str | None,
    prior: PriorFiles,
    as_json: bool,
    out: Path | None,
    quiet: bool,
) -> None:
    """Read, select, write and print."""
    prior.check(find(request.method))
    messages = Messages(quiet=quiet)
    if out is not None:
        require_folder(out, "--out")
    if cluster is not None:
        request = _for_cluster(request, cluster)
    with _workers(cluster), messages.progress() as tick:
        tick(f"Reading {file.name}", 0, None)
        table = read(file, target=target, labels=labels, genes_in=cast(Literal["rows", "columns"] | None, genes_in))
        matched = prior.match(table.feature_names)
        selection = choose(table, replace(request, prior=matched), tick)
    say_findings(selection, messages)
    if out is not None:
        written = write_all(out, files_of(selection))
        messages.say("", f"Wrote {', '.join(map(str, written))}")
    if as_json:
        typer.echo(to_json(as_dictionary(selection)), nl=False)
    else:
        show(lambda console: page(selection, console))


def _for_cluster(request: Request, address: str) -> Request:
    """Leave it to the cluster how many work at a time."""
    if request.n_jobs != 1:
        raise ValueError(
            f"--workers {request.n_jobs} asks for workers on this machine and --cluster {address} for those of a "
            "cluster, however many it has. Leave one of them out."
        )
    return replace(request, n_jobs=None)


def _workers(cluster: str | None) -> AbstractContextManager[None]:
    """Where loops are worked on, reached before anything is read."""
    if cluster is None:
        return nullcontext()
    from holdfast.evaluate._joblib_cluster import loops_on

    return loops_on(cluster)


def files_of(selection: Selection) -> dict[str, str]:
    """Every result file by name."""
    return {
        "selection.json": to_json(as_dictionary(selection)),
        "selection.csv": to_csv(selection),
        "selection.txt": as_text(lambda console: page(selection, console, with_findings=True)),
    }


def say_findings(selection: Selection, messages: Messages) -> None:
    """Tell what screening and the selection remarked."""
    for finding in selection.findings:
        messages.say(finding.severity, finding.message)
    if selection.request.prior is not None:
        messages.say("prior", str(selection.request.prior))
    for remark in selection.remarks:
        messages.say("warning", remark)
