"""A selection as a page to read."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from holdfast.cli._selection import Feature, Selection, known_among_chosen
from holdfast.cli._terminal import paragraph_width

_BAR = 10


def page(
    selection: Selection,
    console: Console,
    *,
    extra: tuple[str, Callable[[Feature], str]] | None = None,
    with_findings: bool = False,
) -> RenderableType:
    """Headline, table, and what the reader should know before believing it."""
    width = paragraph_width(console)
    notes = _notes(selection)
    if with_findings:
        notes += [f"{finding.severity}: {finding.message}" for finding in selection.findings]
        notes += [f"warning: {remark}" for remark in selection.remarks]
    return Group(
        Text(_headline(selection), style="bold"),
        paragraph(samples_of(selection.n_samples, selection.classes, selection.target_name), width),
        Text(),
        table_of(selection, extra),
        Text(),
        *(paragraph(note, width, indent="  ") for note in notes),
    )


def paragraph(text: str, width: int, *, indent: str = "", style: str = "") -> Text:
    """Text broken at word ends, never inside a name."""
    lines = textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return Text(lines, style=style, overflow="fold")


def table_of(selection: Selection, extra: tuple[str, Callable[[Feature], str]] | None = None) -> Table:
    """One line per chosen feature."""
    has_relevance = _shows_relevance(selection)
    runs = selection.n_repeats
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rank", justify="right")
    table.add_column("feature", overflow="fold")
    table.add_column("score", justify="right")
    if has_relevance:
        table.add_column("relevance", justify="right")
    if runs:
        table.add_column("chosen in", justify="right")
        table.add_column("", no_wrap=True)
    if extra:
        table.add_column(extra[0])
    score = number_format([feature.score for feature in selection.chosen])
    relevance = number_format([feature.relevance for feature in selection.chosen])
    for feature in selection.chosen:
        row = [Text(str(feature.rank)), Text(feature.name, style="bold"), Text(score(feature.score))]
        if has_relevance:
            row.append(Text(relevance(feature.relevance)))
        if runs:
            times = feature.times or 0
            row += [Text(f"{times} of {runs}"), _bar(times / runs)]
        if extra:
            row.append(Text(extra[1](feature)))
        table.add_row(*row)
    return table


def number_format(values: Sequence[float | None]) -> Callable[[float | None], str]:
    """One number of decimals for a whole column, about four figures in its middle."""
    sizes = sorted(abs(value) for value in values if value is not None and 0 < abs(value) < float("inf"))
    middle = sizes[len(sizes) // 2] if sizes else 1.0
    decimals = 1 if middle >= 1000 else 2 if middle >= 10 else 3 if middle >= 1 else 4
    if middle < 0.001 or middle >= 1e7:
        return lambda value: "–" if value is None else f"{value:.3g}"
    return lambda value: "–" if value is None else f"{value:.{decimals}f}"


def _shows_relevance(selection: Selection) -> bool:
    return any(feature.relevance is not None and feature.relevance != feature.score for feature in selection.chosen)


def _bar(share: float) -> Text:
    full = round(share * _BAR)
    style = "green" if share >= 0.8 else "yellow" if share >= 0.5 else "red"
    return Text.assemble(("■" * full, style), ("·" * (_BAR - full), "dim"))


def _headline(selection: Selection) -> str:
    return (
        f"{selection.method.name} chose {len(selection.chosen):,} of {selection.n_features:,} features "
        f"in {selection.source}"
    )


def samples_of(n_samples: int, classes: dict[str, int] | None, target_name: str | None) -> str:
    """How many samples there are, and of which classes."""
    if classes is None:
        return f"{n_samples:,} samples"
    counts = [f"{name} ({count})" for name, count in classes.items()]
    shown = ", ".join(counts[:6]) + (f" and {len(counts) - 6} more" if len(counts) > 6 else "")
    return f"{n_samples:,} samples; {target_name or 'classes'}: {shown}"


def _notes(selection: Selection) -> list[str]:
    notes = []
    runs = selection.n_repeats
    means = selection.score_means
    if all(feature.score is None for feature in selection.chosen):
        notes += ["Relevance: the feature by itself."] if _shows_relevance(selection) else []
    elif _shows_relevance(selection):
        means = means or "merit at the moment of the pick, beside the features above it"
        notes.append(f"Score: {means}. Relevance: the feature by itself.")
    elif means:
        notes.append(f"Score: {means}.")
    prior = selection.request.prior
    if prior is not None:
        notes.append(
            f"Prior knowledge: {prior.n_matched:,} of {len(prior.known):,} names in "
            f"{Path(prior.known.source or '').name} speak for {len(prior.features):,} of the features, "
            f"{len(known_among_chosen(selection)):,} of them listed."
        )
    notes += selection.notes
    repeats = selection.repeats
    if repeats is not None:
        shares = [(feature.times or 0) / runs for feature in selection.chosen]
        notes.append(
            f"Chosen in: of {runs} selections, each on {repeats.words}. "
            f"On average a listed feature was chosen in {100 * mean(shares):.0f} % of them: {_verdict(mean(shares))}."
        )
    found = None if repeats is None else repeats.stability
    if repeats is not None and found is not None:
        which = "the single lists, before they are joined" if repeats.is_own else "these selections"
        notes.append(
            f"Stability of {which}: {found.value:.2f} ({100 * found.level:.0f} % interval {found.low:.2f} to "
            f"{found.high:.2f}); 1 is the same list every time, 0 no better than drawing lots."
        )
    if selection.n_ties:
        times = "once" if selection.n_ties == 1 else f"{selection.n_ties} times"
        notes.append(
            f"Ties: {times} features had equal scores. A fixed rule settled it (relevance, then how far apart "
            "the classes sit), never the order of the columns."
        )
    notes += _at_the_cut(selection)
    if selection.often:
        names = ", ".join(f"{feature.name} ({feature.times} of {runs})" for feature in selection.often[:5])
        more = f" and {len(selection.often) - 5} more" if len(selection.often) > 5 else ""
        notes.append(f"Not listed, yet chosen more often than half of the list: {names}{more}.")
    return notes


def _verdict(share: float) -> str:
    """Say in words how far a list holds."""
    if share >= 0.8:
        return "the list holds when the samples change"
    if share >= 0.5:
        return "much of the list holds when the samples change, much does not"
    return "most of the list changes with the samples, so trust single names little"


def _at_the_cut(selection: Selection) -> list[str]:
    """What came next, or why nothing did."""
    name, asked = selection.method.name, selection.request.k
    if selection.below:
        score = number_format([feature.score for feature in selection.chosen])
        names = ", ".join(_with_doubt(feature, score, selection.n_repeats) for feature in selection.below)
        lead = "The next picks would be" if _shows_relevance(selection) else "Just below the cut"
        tied = " The first of them scores as the last one listed." if selection.is_tied_at_cut else ""
        return [f"{lead}: {names}.{tied}"]
    if asked is not None and len(selection.chosen) < (selection.n_asked or 0):
        return [f"{name} stopped before -k {asked}: by its own measure more features do not help."]
    if asked is None:
        return [f"How many is {name}'s own choice; -k sets a limit."]
    return []


def _with_doubt(feature: Feature, score: Callable[[float | None], str], runs: int) -> str:
    chosen = f", {feature.times} of {runs}" if runs else ""
    return f"{feature.name} ({score(feature.score)}{chosen})"
