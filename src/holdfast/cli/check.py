"""`holdfast check`: a table looked over, or the versions for a bug report."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, cast

import typer
from rich.console import Group

from holdfast import __version__
from holdfast.cli._errors import UNUSABLE_DATA, in_flags
from holdfast.cli._json import to_json
from holdfast.cli._target import class_counts
from holdfast.cli._terminal import paragraph_width, show
from holdfast.cli._text import paragraph, samples_of
from holdfast.data import read, screen

_BUILT_ON = ("numpy", "scipy", "scikit-learn", "numba", "joblib", "pyarrow", "typer", "rich", "anndata")


def check_file(file: Path, *, target: str | None, labels: Path | None, genes_in: str | None, as_json: bool) -> None:
    """Print what screening finds; exit 3 if a selection is impossible."""
    table = read(file, target=target, labels=labels, genes_in=cast(Literal["rows", "columns"] | None, genes_in))
    findings = screen(table)
    is_usable = all(finding.severity != "error" for finding in findings)
    if as_json:
        found = [{"kind": f.kind, "severity": f.severity, "message": f.message, "names": f.names} for f in findings]
        summary = {
            "schema": "holdfast.check",
            "schema_version": 1,
            "source": file.name,
            "n_samples": table.n_samples,
            "n_features": table.n_features,
            "classes": class_counts(table),
            "is_usable": is_usable,
            "findings": found,
        }
        typer.echo(to_json(summary), nl=False)
    else:
        verdict = "Not usable yet." if not is_usable else "Usable." if findings else "Usable; nothing odd was found."
        lines = [
            f"{file.name}: {table.n_features:,} features, {samples_of(table.n_samples, class_counts(table), target)}",
            *(f"{finding.severity}: {in_flags(finding.message)}" for finding in findings),
            verdict,
        ]
        show(lambda console: Group(*(paragraph(line, paragraph_width(console)) for line in lines)))
    if not is_usable:
        raise typer.Exit(UNUSABLE_DATA)


def show_versions(*, as_json: bool) -> None:
    """Print what a bug report needs."""
    found = {"holdfast": __version__, "python": platform.python_version(), "system": platform.platform()}
    for name in _BUILT_ON:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    if as_json:
        typer.echo(to_json(found), nl=False)
    else:
        typer.echo("\n".join(f"{name:14}{what}" for name, what in found.items()))
