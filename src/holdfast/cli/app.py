"""The `holdfast` command. Only typer is imported here, so that help is there at once; commands import their work."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from holdfast.cli._errors import exit_code, sentence, trace
from holdfast.cli._options import (
    DEBUG,
    Aliases,
    Cluster,
    Debug,
    Discretizer,
    File,
    Genes,
    Impute,
    Jobs,
    Json,
    Labels,
    Out,
    PriorFile,
    PriorSets,
    Probes,
    Quiet,
    Repeats,
    Seed,
    Target,
    Workers,
    how_many,
    not_zero,
)


class _Commands(TyperGroup):
    """Commands whose errors become one sentence on stderr and an exit code."""

    def make_context(self, *arguments: Any, **extra: Any) -> Any:
        try:
            return super().make_context(*arguments, **extra)
        except BrokenPipeError:
            # Help is printed here.
            _close_stdout()
            raise typer.Exit(0) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort):
            raise
        except BrokenPipeError:
            # The reader has seen enough, as in `holdfast methods | head`.
            _close_stdout()
            raise typer.Exit(0) from None
        except (Exception, KeyboardInterrupt) as error:
            if hasattr(error, "format_message"):
                raise
            if ctx.meta.get(DEBUG):
                typer.echo(trace(error), err=True, nl=False)
            typer.echo(sentence(error), err=True)
            raise typer.Exit(exit_code(error)) from None
        return result


def _version(value: bool) -> None:
    if value:
        from holdfast import __version__

        typer.echo(f"holdfast {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    # Locals in a traceback would print a patient's values.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


@app.callback()
def holdfast(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the features that hold, in tables with far more columns than rows.

    \b
    Examples:
      holdfast demo
      holdfast select blood.csv --target diagnosis -k 20
      holdfast compare blood.csv --target diagnosis --out study

    Results go to stdout, everything else to stderr. Exit codes: 0 done, 2 wrong
    parameter, 3 unusable data or disk, 4 nothing selected, 5 folder of another
    study, 130 stopped, 1 a bug of ours.
    """  # noqa: D301


@app.command()
def select(
    file: File,
    target: Target = None,
    method: Annotated[str, typer.Option("--method", "-m", metavar="NAME", help="See `holdfast methods`.")] = "mrmr+",
    k: Annotated[
        float | None,
        typer.Option(
            "-k",
            metavar="N",
            parser=how_many,
            help="How many features to keep, or which share of them (0.05). Left out: as the method does by default.",
        ),
    ] = None,
    labels: Labels = None,
    genes_in: Genes = None,
    impute: Annotated[
        Impute | None,
        typer.Option(
            metavar="median",
            help="Fill missing values inside each selection. Left out: refuse them, unless the method takes them.",
        ),
    ] = None,
    discretizer: Annotated[
        Discretizer | None,
        typer.Option(
            metavar="NAME",
            help="How values become levels, for methods that count: mdl, mean-sigma, equal-width, equal-frequency, "
            "or none if they are levels already. Left out: as the method does by default.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter of the method, such as n_neighbors=5; repeat it for more. `holdfast methods NAME` lists "
            "them.",
        ),
    ] = None,
    prior: PriorFile = None,
    prior_sets: PriorSets = None,
    aliases: Aliases = None,
    probes: Probes = None,
    repeats: Repeats = 50,
    seed: Seed = 0,
    workers: Workers = 1,
    cluster: Cluster = None,
    json: Json = False,
    out: Out = None,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Choose features from a table; show how far the choice holds.

    \b
    Examples:
      holdfast select blood.csv --target diagnosis -k 20
      holdfast select genes.tsv --labels patients.csv --target relapse --method cfs+
      holdfast select blood.csv --target diagnosis -m relieff --set n_neighbors=5
      holdfast select blood.csv --target diagnosis -m pk-mrmr --prior genes.txt
      holdfast select blood.csv --target diagnosis --json > selection.json
      holdfast select blood.csv --target diagnosis --cluster tcp://10.0.0.1:8786
    """  # noqa: D301
    from holdfast.cli._prior import PriorFiles
    from holdfast.cli._selection import Request
    from holdfast.cli._settings import settings as parsed
    from holdfast.cli.select import select_from_file

    request = Request(
        method=method,
        k=k,
        impute=impute.value if impute else None,
        discretizer=discretizer.value if discretizer else None,
        settings=parsed(settings or ()),
        n_repeats=repeats,
        seed=seed,
        n_jobs=workers,
    )
    select_from_file(
        file,
        request,
        cluster=cluster,
        target=target,
        labels=labels,
        genes_in=genes_in.value if genes_in else None,
        prior=PriorFiles(prior, prior_sets, aliases, probes),
        as_json=json,
        out=out,
        quiet=quiet,
    )


@app.command()
def compare(
    file: File,
    target: Target = None,
    methods: Annotated[
        str | None,
        typer.Option(
            "--methods",
            "-m",
            metavar="A,B",
            help="Names from `holdfast methods`, with settings if need be: mrmr+,svm-rfe(C=0.01). "
            "Left out: mrmr+,svm-rfe,relieff,f-test.",
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option(
            "--sizes",
            "-k",
            metavar="5,10",
            help="How many features to keep, or which shares of them; own lets each method decide. "
            "Left out: 5,10,20,50.",
        ),
    ] = None,
    classifiers: Annotated[
        str | None,
        typer.Option(
            metavar="A,B",
            help="What judges the lists: svm, svm-rbf, knn, 1nn, nb, logistic, lda, tree, forest. "
            "Left out: svm,knn,nb.",
        ),
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How samples are split: 10x10cv, 5cv, loocv, bootstrap, bootstrapx200, holdout, holdout-0.7 or "
            "random-2/3x100.",
        ),
    ] = "10x10cv",
    labels: Labels = None,
    genes_in: Genes = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Samples that belong together, such as those of one patient: sample names, then groups.",
        ),
    ] = None,
    groups_column: Annotated[
        str | None, typer.Option(metavar="COL", help="Column of --groups, if it has more than one.")
    ] = None,
    impute: Annotated[
        Impute | None,
        typer.Option(metavar="median", help="Fill missing values inside each training part. Left out: refuse them."),
    ] = None,
    tune_size: Annotated[
        bool, typer.Option("--tune-size", help="Also choose the size inside each training part, by cross-validation.")
    ] = False,
    positive: Annotated[
        str | None, typer.Option(metavar="CLASS", help="Of two classes the one that sensitivity speaks of.")
    ] = None,
    prior: PriorFile = None,
    prior_sets: PriorSets = None,
    aliases: Aliases = None,
    probes: Probes = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of every draw.")] = 0,
    workers: Annotated[
        int,
        typer.Option(metavar="N", callback=not_zero, help="Cells worked on at a time, -1 for one per core."),
    ] = 1,
    cluster: Cluster = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="STUDY", help="Keep the study in this folder: stopped, the same command goes on with it."),
    ] = None,
    so_far: Annotated[
        bool, typer.Option("--so-far", help="Work on nothing, report on what the study in --out has already.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Compare methods: which one, how many features, how sure.

    \b
    Examples:
      holdfast compare blood.csv --target diagnosis --out study
      holdfast compare blood.csv --target diagnosis --methods mrmr+,iw-svm-rfe,relieff --sizes 5,10,20,50 --out study
      holdfast compare blood.csv --target diagnosis --protocol random-2/3x100 --workers 2 --out study
      holdfast compare genes.tsv --labels patients.csv --target relapse --protocol loocv --tune-size
    """  # noqa: D301
    from holdfast.cli._prior import PriorFiles
    from holdfast.cli.compare import StudyRequest, compare_from_file

    compare_from_file(
        file,
        StudyRequest(
            methods=methods,
            sizes=sizes,
            classifiers=classifiers,
            protocol=protocol,
            groups=groups,
            groups_column=groups_column,
            impute=impute.value if impute else None,
            tune_size=tune_size,
            positive=positive,
            seed=seed,
            workers=workers,
            cluster=cluster,
            so_far=so_far,
        ),
        target=target,
        labels=labels,
        genes_in=genes_in.value if genes_in else None,
        prior=PriorFiles(prior, prior_sets, aliases, probes),
        out=out,
        as_json=json,
        quiet=quiet,
    )


@app.command()
def report(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="Folder of a study, or its report.json.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the report here. Left out: beside report.json.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write and print the report of a study again.

    \b
    Examples:
      holdfast report study
      holdfast report study/report.json --out for-a-colleague
    """  # noqa: D301
    from holdfast.cli.report import report_again

    report_again(study, out=out, as_json=json, quiet=quiet)


@app.command()
def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="The table to look over.")] = None,
    target: Target = None,
    labels: Labels = None,
    genes_in: Genes = None,
    json: Json = False,
    versions: Annotated[bool, typer.Option("--versions", help="Show versions for a bug report and exit.")] = False,
    debug: Debug = False,
) -> None:
    """Look a table over before selecting from it.

    \b
    Examples:
      holdfast check blood.csv --target diagnosis
      holdfast check --versions
    """  # noqa: D301
    from holdfast.cli.check import check_file, show_versions

    if versions:
        show_versions(as_json=json)
        return
    if file is None:
        raise typer.BadParameter("Name the file to check, or pass --versions.")
    check_file(file, target=target, labels=labels, genes_in=genes_in.value if genes_in else None, as_json=json)


@app.command()
def methods(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A method or one of its other names.")] = None,
    cite: Annotated[bool, typer.Option("--cite", help="Print BibTeX and nothing else.")] = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """List the methods, or tell all about one of them.

    \b
    Examples:
      holdfast methods
      holdfast methods mrmr+
      holdfast methods mrmr+ --cite >> references.bib
    """  # noqa: D301
    from holdfast.cli.methods import list_methods, print_citations, tell_about

    if cite:
        print_citations(name)
    elif name is None:
        list_methods(as_json=json)
    else:
        tell_about(name, as_json=json)


@app.command()
def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A plan, a thesis, a table such as michel-10.14, or all.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of data sets (npz with X and y). Left out: $HOLDFAST_DATA."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few runs: to see that it works, not for verdicts.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask OpenML for sets that are not there.")] = False,
    workers: Annotated[
        int, typer.Option(metavar="N", callback=not_zero, help="Parts worked on at a time, -1 for one per core.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep parts and report here: stopped, the same command goes on with it."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Rerun tables of the literature: ours beside print, with verdicts.

    \b
    Examples:
      holdfast reproduce
      holdfast reproduce michel-10 --data datasets --out michel-10 --workers 2
      holdfast reproduce hosseini-2 --quick
    """  # noqa: D301
    from holdfast.cli.reproduce import list_plans, reproduce_by_name

    if name is None:
        if quick or data is not None or out is not None:
            raise ValueError(
                "Name what to rerun: a plan, a thesis, a chapter or table, or all. Without any option: the list."
            )
        list_plans(as_json=json)
    else:
        reproduce_by_name(
            name, data=data, offline=offline, quick=quick, out=out, workers=workers, as_json=json, quiet=quiet
        )


@app.command()
def demo(
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the results and the data set into this folder.")
    ] = None,
    jobs: Jobs = 1,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """See a selection on made-up data with known truth.

    \b
    Example:
      holdfast demo --out demo-output
    """  # noqa: D301
    from holdfast.cli.demo import show_demo

    show_demo(out=out, n_jobs=jobs, quiet=quiet)


def _close_stdout() -> None:
    """Point stdout at nothing, so that flushing it at exit cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _open_what_is_closed() -> None:
    """Point stdout and stderr at nothing where the caller closed them (`>&-`); Python then has None for them."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def main() -> None:
    """Run the command line."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        # A gene called β-actin must not stop a terminal that knows ASCII only.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        try:
            app(prog_name="holdfast")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
        sys.exit(0)
    except SystemExit as end:
        _leave_threads(end.code)
        raise


def _leave_threads(code: Any) -> None:
    """End at once if threads are still at work, which the interpreter cannot wait for or stop."""
    run = sys.modules.get("holdfast.evaluate.run")
    if run is not None and run.under_way:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code if isinstance(code, int) else 1)
