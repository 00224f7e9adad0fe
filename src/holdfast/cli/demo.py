"""`holdfast demo`: the main job on made-up data whose true genes are known."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.text import Text

from holdfast._progress import Tick, silent
from holdfast.cli._files import require_folder, write_all
from holdfast.cli._selection import Feature, Request, Selection, choose
from holdfast.cli._terminal import Messages, as_text, paragraph_width, show
from holdfast.cli._text import page, paragraph
from holdfast.cli.select import files_of
from holdfast.data import Synthetic, Table, copies

N_PICKS = 15
_DATA = "data.csv"


@dataclass(frozen=True)
class Demo:
    """The data with its truth, and what two methods chose."""

    made: Synthetic
    table: Table
    ours: Selection
    plain: Selection


def show_demo(*, out: Path | None, n_jobs: int, quiet: bool) -> None:
    """Select from the embedded data set and compare with the truth."""
    messages = Messages(quiet=quiet)
    if out is not None:
        require_folder(out)
    started = perf_counter()
    with messages.progress() as tick:
        demo = run_demo(n_jobs, tick)
    seconds = perf_counter() - started
    if out is not None:
        write_all(out, _files(demo))
    show(lambda console: report(demo, console))
    messages.say("", f"\n2 methods, each once on all samples and 50 times on half of them: {seconds:.1f} s.")
    if out is not None:
        messages.say("", f"Results and data are in {out}/")
        messages.say("", f"Try it yourself: holdfast select {out / _DATA} --target class -k {N_PICKS}")


def run_demo(n_jobs: int = 1, tick: Tick = silent) -> Demo:
    """Choose by mrmr+, and by f-test for comparison."""
    made, table = embedded()
    ours, plain = (choose(table, Request(name, k=N_PICKS, n_jobs=n_jobs), tick) for name in ("mrmr+", "f-test"))
    return Demo(made, table, ours, plain)


def embedded() -> tuple[Synthetic, Table]:
    """The data set: always the same, columns shuffled, 10 true genes with 2 noisy copies each."""
    made = copies(100, 2000, n_relevant=10, n_copies=2, noise=0.5, shift=1.5, random_state=0)
    genes = [f"GENE{j:04d}" for j in range(1, made.X.shape[1] + 1)]
    samples = [f"patient{i:03d}" for i in range(1, len(made.y) + 1)]
    classes = np.where(made.y == 1, "tumor", "normal")
    # Three decimals, as the file has them, so that the file gives the same list.
    return made, Table(np.round(made.X, 3), genes, samples, classes, "class", "the demo data")


def report(demo: Demo, console: Console) -> RenderableType:
    """What the demo prints."""
    made, table = demo.made, demo.table
    width = paragraph_width(console)
    n_true, n_copies = len(made.relevant), len(made.redundant)
    said = (
        f"A made-up study: {table.n_samples} patients, {table.n_features:,} genes in shuffled order. {n_true} genes "
        f"differ between the classes, {n_copies} more are noisy copies of them, the rest is noise."
    )

    def truth(feature: Feature) -> str:
        return _role(made, table, feature.index)

    return Group(
        paragraph(said, width),
        Text(),
        page(demo.ours, console, extra=("truth", truth)),
        Text(),
        paragraph(f"mrmr+ found {_found(made, demo.ours)}.", width, style="bold"),
        paragraph(f"f-test, which looks at each gene alone, found {_found(made, demo.plain)}.", width),
    )


def _files(demo: Demo) -> dict[str, str]:
    return {
        **files_of(demo.ours),
        "demo.txt": as_text(lambda console: report(demo, console)),
        _DATA: _as_csv(demo.table),
        "truth.csv": _truth(demo.made, demo.table),
    }


def _role(made: Synthetic, table: Table, index: int) -> str:
    if index in made.relevant:
        return "true"
    if index in made.redundant:
        original = next(j for j in made.relevant if made.groups[j] == made.groups[index])
        return f"copy of {table.feature_names[original]}"
    return "noise"


def _found(made: Synthetic, selection: Selection) -> str:
    picks = {feature.index for feature in selection.chosen}
    n_true = len(picks.intersection(made.relevant.tolist()))
    n_signals = len({int(made.groups[j]) for j in picks} - {-1})
    return f"{n_signals} of {len(made.relevant)} signals, {n_true} by the true gene and {n_signals - n_true} by a copy"


def _as_csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sample", "class", *table.feature_names])
    for name, label, row in zip(table.sample_names, np.asarray(table.target), table.X, strict=True):
        writer.writerow([name, label, *(f"{value:.3f}" for value in row)])
    return out.getvalue()


def _truth(made: Synthetic, table: Table) -> str:
    rows = [
        f"{table.feature_names[j]},{_role(made, table, j)}"
        for j in sorted([*made.relevant.tolist(), *made.redundant.tolist()])
    ]
    return "\n".join(["feature,truth", *rows]) + "\n"
