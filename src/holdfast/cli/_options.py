"""What commands share on the command line: options, the words they take, and how a text becomes a value."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

DEBUG = "holdfast.debug"


class GenesIn(StrEnum):
    """Where a file has its features."""

    rows = "rows"
    columns = "columns"


class Discretizer(StrEnum):
    """How values become levels."""

    mdl = "mdl"
    mean_sigma = "mean-sigma"
    equal_width = "equal-width"
    equal_frequency = "equal-frequency"
    none = "none"


class Impute(StrEnum):
    """How missing values are filled."""

    median = "median"


def remember_debug(ctx: typer.Context, value: bool) -> bool:
    """Keep whether a traceback is wanted where the error will be met."""
    ctx.meta[DEBUG] = value
    return value


def how_many(text: str) -> float:
    """A number of features, or a share of them."""
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise typer.BadParameter(
            f"{text} is no number of features. Pass 1, 2, … or, for a share of the features, a fraction such as 0.05."
        )
    return share


def not_zero(value: int) -> int:
    """Refuse no core at all."""
    if value == 0:
        raise typer.BadParameter("0 is no number of cores. Pass 1, 2, … or -1 for all of them.")
    return value


File = Annotated[
    Path, typer.Argument(metavar="FILE", help="csv, tsv, txt (also .gz), parquet, arff, mat, npz or h5ad.")
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COL", help="Column (with genes in rows: row) that holds the class. With --labels, its column."
    ),
]
Labels = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Second file with the classes: sample names first, then the class.")
]
Genes = Annotated[
    GenesIn | None, typer.Option(metavar="rows|columns", help="Where the features are, if the target does not tell.")
]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Write selection.json, .csv and .txt into this folder.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, warnings or notes; errors only.")]
Jobs = Annotated[
    int, typer.Option(metavar="N", callback=not_zero, help="Cores to use, -1 for all; never changes the result.")
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        "--jobs",
        metavar="N",
        callback=not_zero,
        help="Workers on this machine, -1 for one per core; never changes the result.",
    ),
]
Cluster = Annotated[str | None, typer.Option(metavar="tcp://…", help="Address of a Dask scheduler to work on instead.")]
Debug = Annotated[bool, typer.Option("--debug", callback=remember_debug, help="Show where an error came from.")]
PriorFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Features known to be relevant, for methods such as pk-mrmr: a list with one name a line, a GMT file "
        "of gene sets, or a csv or tsv file with name and weight.",
    ),
]
PriorSets = Annotated[str | None, typer.Option(metavar="A,B", help="Gene sets of a GMT file to take. Left out: all.")]
Aliases = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Other names of genes, to match --prior by: columns symbol and aliases."),
]
Probes = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Genes of probes, to match --prior by: columns probe and gene."),
]
Repeats = Annotated[
    int,
    typer.Option(
        metavar="N",
        min=0,
        help="Half-samples behind the column 'chosen in'; 0 leaves it out. Methods that repeat themselves do without.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="Seed of the half-samples, or of the resamples that a method draws itself."),
]
