"""`holdfast demo`: the main job on made-up data whose true genes are known."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import typer

from holdfast._files import require_folder, write_all
from holdfast._progress import Tick, silent
from holdfast.cli._terminal import Messages, text_width
from holdfast.data import Synthetic, Table, copies
from holdfast.evaluate import Study, compare
from holdfast.report.study import text, write
from holdfast.report.study._columns import paragraph

METHODS = ("mrmr+", "svm-rfe", "relieff", "f-test")
SIZES = (5, 10, 20, 50)
PROTOCOL = "5x10cv"
_DATA = "data.csv"
_WIDTH = 100


@dataclass(frozen=True)
class Demo:
    """The data with its truth, and what comparing four methods found."""

    made: Synthetic
    table: Table
    study: Study


def show_demo(*, out: Path | None, n_jobs: int, quiet: bool) -> None:
    """Compare methods on the embedded data set, and their lists with the truth."""
    messages = Messages(quiet=quiet)
    if out is not None:
        require_folder(out, "--out")
    started = perf_counter()
    with messages.progress() as tick:
        demo = run_demo(n_jobs, tick)
        tick("Putting results together", 0, None)
        summary = demo.study.summary()
    seconds = perf_counter() - started
    if out is not None:
        write(summary, out)
        write_all(out, {_DATA: _as_csv(demo.table), "truth.csv": _truth(demo.made, demo.table)})
    width = text_width() or _WIDTH
    typer.echo(paragraph(story(demo), width))
    typer.echo("\n" + text(summary, width), nl=False)
    typer.echo("\n" + paragraph(found(demo), width))
    messages.say("", f"\n{len(METHODS)} methods on {len(demo.study.plan.splits)} splits: {seconds:.1f} s.")
    if out is not None:
        messages.say("", f"The report is {out / 'report.html'}; open it in a browser.")
        messages.say("", f"Try it yourself: holdfast compare {out / _DATA} --target class --out study")


def run_demo(n_jobs: int = 1, tick: Tick = silent) -> Demo:
    """Compare four methods on the embedded data."""
    made, table = embedded()
    study = compare(table, methods=METHODS, sizes=SIZES, protocol=PROTOCOL, workers=n_jobs, progress=tick)
    return Demo(made, table, study)


def embedded() -> tuple[Synthetic, Table]:
    """The data set: always the same, columns shuffled, 10 true genes with 2 noisy copies each."""
    made = copies(100, 2000, n_relevant=10, n_copies=2, noise=0.5, shift=1.5, random_state=0)
    genes = [f"GENE{j:04d}" for j in range(1, made.X.shape[1] + 1)]
    samples = [f"patient{i:03d}" for i in range(1, len(made.y) + 1)]
    classes = np.where(made.y == 1, "tumor", "normal")
    # Three decimals, as the file has them, so that the file gives the same list.
    return made, Table(np.round(made.X, 3), genes, samples, classes, "class", "the demo data")


def story(demo: Demo) -> str:
    """What the data are."""
    made, table = demo.made, demo.table
    return (
        f"A made-up study: {table.n_samples} patients, {table.n_features:,} genes in shuffled order. "
        f"{len(made.relevant)} genes differ between the classes, {len(made.redundant)} more are noisy copies of them, "
        "the rest is noise."
    )


def found(demo: Demo) -> str:
    """How many of the true signals each method's list of the recommended size holds."""
    size = demo.study.recommendation["size"]
    said = []
    for number, method in enumerate(METHODS):
        picks = set(demo.study.on_all_samples(number, size)[0].tolist())
        n_signals = len({int(demo.made.groups[j]) for j in picks} - {-1})
        n_true = len(picks.intersection(demo.made.relevant.tolist()))
        said.append(f"{method} {n_signals} ({n_true} by the true gene)")
    return f"The truth: of the {len(demo.made.relevant)} signals, lists of {size} genes hold {', '.join(said)}."


def role(made: Synthetic, table: Table, index: int) -> str:
    """What a gene is in truth."""
    if index in made.relevant:
        return "true"
    if index in made.redundant:
        original = next(j for j in made.relevant if made.groups[j] == made.groups[index])
        return f"copy of {table.feature_names[original]}"
    return "noise"


def _as_csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sample", "class", *table.feature_names])
    for name, label, row in zip(table.sample_names, np.asarray(table.target), table.X, strict=True):
        writer.writerow([name, label, *(f"{value:.3f}" for value in row)])
    return out.getvalue()


def _truth(made: Synthetic, table: Table) -> str:
    rows = [
        f"{table.feature_names[j]},{role(made, table, j)}"
        for j in sorted([*made.relevant.tolist(), *made.redundant.tolist()])
    ]
    return "\n".join(["feature,truth", *rows]) + "\n"
