"""`holdfast methods`: what there is, and what each method is."""

from __future__ import annotations

import inspect
from typing import Any

import typer
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from holdfast._citations import bibtex, reference
from holdfast._registry import Method, find, methods
from holdfast.cli._json import to_json
from holdfast.cli._takes import takes_in_words
from holdfast.cli._terminal import paragraph_width, show

FAMILIES = {
    "ranking": "Ranking: each feature by itself",
    "pairwise": "Pairwise: features that tell about the class and repeat each other little",
    "consistency": "Consistency: features that determine the class together",
    "neighbours": "Neighbours: features that set samples apart from those near them",
    "sequential": "Sequential: one feature at a time, judged by the set it makes",
    "linear": "Linear: features of a linear model, judged together",
    "distance": "Distance: sets of features that the target depends on, in any way",
    "stability": "Stability: another method, made to hold",
}


def list_methods(*, as_json: bool) -> None:
    """Print all methods by family."""
    if as_json:
        typer.echo(to_json([_summary(row) for row in methods()]), nl=False)
        return
    show(_listing)


def tell_about(name: str, *, as_json: bool) -> None:
    """Print everything about one method."""
    row = find(name)
    if as_json:
        typer.echo(to_json({**_summary(row), "parameters": parameters_of(row)}), nl=False)
        return
    show(lambda console: _about(row, paragraph_width(console)))


def print_citations(name: str | None) -> None:
    """Print BibTeX of the works behind one method, or behind all."""
    rows = methods() if name is None else (find(name),)
    keys = dict.fromkeys(key for row in rows for key in row.references)
    typer.echo("\n\n".join(bibtex(key) for key in keys))


def parameters_of(row: Method) -> list[dict[str, Any]]:
    """Each constructor parameter with its value in this method and what it may be."""
    signature = inspect.signature(row.selector_class.__init__).parameters
    allowed = row.selector_class.allowed
    return [
        {
            "name": name,
            "default": repr({**row.defaults, **row.parameters}.get(name, signature[name].default)),
            "is_fixed": name in row.parameters,
            "allowed": allowed[name].words,
        }
        for name in list(signature)[1:]
    ]


def _summary(row: Method) -> dict[str, Any]:
    return {
        "name": row.name,
        "aliases": row.aliases,
        "family": row.family,
        "summary": row.summary,
        "when": row.when,
        "takes": row.takes,
        "cost": row.cost,
        "source": row.source,
        "references": [reference(key) for key in row.references],
    }


def _listing(console: Console) -> RenderableType:
    width = paragraph_width(console)
    parts: list[RenderableType] = []
    for family in dict.fromkeys(row.family for row in methods()):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), width=width)
        table.add_column("name", no_wrap=True)
        table.add_column("takes", no_wrap=True)
        table.add_column("what it does", ratio=1)
        for row in methods(family):
            table.add_row(Text(row.name, style="bold"), takes_in_words(row), Text(row.summary))
        parts += [Text(FAMILIES.get(family, family.capitalize()), style="bold"), table, Text()]
    return Group(*parts, "One in full: holdfast methods NAME. Its BibTeX: holdfast methods NAME --cite")


def _about(row: Method, width: int) -> RenderableType:
    facts = [
        ("What", row.summary),
        ("When", row.when),
        ("Takes", takes_in_words(row)),
        ("Cost", f"{row.cost} (n samples, p features, k chosen)"),
        ("Source", row.source),
        ("Also", ", ".join(row.aliases) or "no other name"),
        ("Python", f"holdfast.selector({row.name!r})"),
    ]
    parameters = [
        (
            parameter["name"],
            f"{parameter['default']}{', fixed by this method' if parameter['is_fixed'] else ''}. "
            f"May be {parameter['allowed']}.",
        )
        for parameter in parameters_of(row)
    ]
    return Group(
        Text(row.name, style="bold"),
        _entries(facts, width),
        Text(),
        Text("Parameters", style="bold"),
        _entries(parameters, width),
        Text(),
        Text("Cite", style="bold"),
        _entries([("", reference(key)) for key in row.references], width),
    )


def _entries(entries: list[tuple[str, str]], width: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.width = width
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    for label, text in entries:
        table.add_row(Text(f"  {label}" if label else ""), Text(text))
    return table
