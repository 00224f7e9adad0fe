"""Write what README.md and docs/methods.md take from the program, the methods and the demo: `make docs`."""

from __future__ import annotations

from pathlib import Path

from holdfast._citations import reference
from holdfast._registry import Method, methods
from holdfast.cli._selection import Request, choose
from holdfast.cli._takes import takes_in_words
from holdfast.cli._terminal import as_text
from holdfast.cli._text import page
from holdfast.cli.demo import embedded, found, role, run_demo, story
from holdfast.cli.methods import FAMILIES, parameters_of
from holdfast.report.study import text
from holdfast.report.study._columns import paragraph

WIDTH = 100
ROOT = Path(__file__).resolve().parent.parent


def overview() -> str:
    """One line per method, by family."""
    lines = []
    for family in dict.fromkeys(row.family for row in methods()):
        lines += [
            f"**{FAMILIES.get(family, family.capitalize())}**",
            "",
            "| Name | Takes | What it does |",
            "|---|---|---|",
        ]
        lines += [f"| `{row.name}` | {takes_in_words(row)} | {row.summary} |" for row in methods(family)]
        lines.append("")
    return "\n".join(lines)


def section(row: Method) -> str:
    """Everything about one method."""
    also = f" Also called {', '.join(f'`{name}`' for name in row.aliases)}." if row.aliases else ""
    lines = [
        f"## {row.name}",
        "",
        f"{row.summary}{also}",
        "",
        f"- When: {row.when}",
        f"- Takes: {takes_in_words(row)}",
        f"- Cost: {row.cost}, with n samples, p features, k chosen",
        f"- Source: {row.source}",
        "",
        "| Parameter | Default | May be |",
        "|---|---|---|",
    ]
    for parameter in parameters_of(row):
        fixed = ", fixed" if parameter["is_fixed"] else ""
        lines.append(f"| `{parameter['name']}` | `{parameter['default']}`{fixed} | {parameter['allowed']} |")
    lines += ["", "Cite:", "", *(f"- {reference(key)}" for key in row.references), ""]
    return "\n".join(lines)


def methods_page() -> str:
    """The whole of docs/methods.md."""
    head = "# Methods\n\nWritten from the registry by `make docs`; do not edit by hand. Takes: what kind of target."
    return "\n".join([head, "", overview(), *(section(row) for row in methods())])


def demo() -> str:
    """How what `holdfast demo` prints begins and ends, without times, which differ from run to run."""
    made = run_demo()
    summary = {**made.study.summary(), "costs": []}
    said = text(summary, WIDTH).partition("\nDifferences between methods")[0]
    return "\n".join([paragraph(story(made), WIDTH), "", said, "…", "", paragraph(found(made), WIDTH), ""])


def selection() -> str:
    """What `holdfast select` prints for the same data, with the truth beside it."""
    made, table = embedded()
    chosen = choose(table, Request("mrmr+", k=15))
    return as_text(lambda console: page(chosen, console, extra=("truth", lambda one: role(made, table, one.index))))


def readme() -> str:
    """README.md with a current list of methods and a current demo."""
    written = (ROOT / "README.md").read_text(encoding="utf-8")
    written = _between(written, "<!-- methods: written by `make docs` -->", "<!-- end of methods -->", overview())
    written = _between(written, "<!-- demo: written by `make docs` -->", "<!-- end of demo -->", f"```\n{demo()}```\n")
    start, end = "<!-- selection: written by `make docs` -->", "<!-- end of selection -->"
    return _between(written, start, end, f"```\n{selection()}```\n")


def _between(text: str, start: str, end: str, new: str) -> str:
    head, _, rest = text.partition(start)
    _, _, tail = rest.partition(end)
    if not tail:
        raise ValueError(f"README.md has lost its mark {start!r} or {end!r}.")
    return f"{head}{start}\n\n{new}\n{end}{tail}"


if __name__ == "__main__":
    (ROOT / "docs" / "methods.md").write_text(methods_page(), encoding="utf-8")
    (ROOT / "README.md").write_text(readme(), encoding="utf-8")
