"""Write docs/reproduction from runs: `python docs/make_reproduction.py FOLDER`.

FOLDER is what `holdfast reproduce all --out FOLDER` leaves. What was written by hand below the mark of a page is kept.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holdfast.report.reproduction import markdown
from holdfast.report.reproduction._words import CLAIMS, VERDICTS
from holdfast.reproduce import ROWS, THESES

PAGES = Path(__file__).resolve().parent / "reproduction"
BY_HAND = "<!-- What follows is written by hand and kept. -->"


def with_hand(place: Path, text: str) -> str:
    """A page with what was written by hand below it."""
    by_hand = place.read_text(encoding="utf-8").partition(BY_HAND)[2] if place.exists() else "\n"
    return f"{text}\n{BY_HAND}{by_hand}"


def index(every: Sequence[Mapping[str, Any]]) -> str:
    """Verdicts of all plans, and of every thesis."""
    lines = [
        "# Printed and rerun: all plans",
        "",
        "A line a plan, written from the runs by `python docs/make_reproduction.py`. Run any of them yourself: "
        "[`holdfast reproduce NAME`](../reproduce.md).",
        "",
        "| Plan | " + " | ".join((*VERDICTS, *CLAIMS)) + " | version | date |",
        "|---|" + "---:|" * (len(VERDICTS) + len(CLAIMS)) + "---|---|",
    ]
    for thesis in THESES:
        own = [found for found in every if found["thesis"]["name"] == thesis.name]
        lines += [
            f"| [{found['plan']}]({found['plan']}.md), {found['title']} | {_counts([found])} "
            f"| {found['holdfast_version']} | {found['date']} |"
            for found in own
        ]
        if own:
            lines.append(f"| **{thesis.label}** | {_counts(own, '**')} | | |")
    lines += [f"| **all** | {_counts(every, '**')} | | |", ""]
    return "\n".join(lines)


def _counts(every: Sequence[Mapping[str, Any]], mark: str = "") -> str:
    totals = [sum(found["summary"]["total"][kind] for found in every) for kind in VERDICTS]
    totals += [sum(found["summary"]["claims"][kind] for found in every) for kind in CLAIMS]
    return " | ".join(f"{mark}{total}{mark}" for total in totals)


def main() -> None:
    """Write a page for every plan that was run, and the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    PAGES.mkdir(exist_ok=True)
    every = []
    for row in ROWS:
        place = folder / row.name / "report.json"
        if not place.exists():
            continue
        found = json.loads(place.read_text(encoding="utf-8"))
        if found["is_quick"]:
            raise SystemExit(f"{place} is of a quick run, which is not for readers.")
        page = PAGES / f"{row.name}.md"
        page.write_text(with_hand(page, markdown(found)), encoding="utf-8")
        every.append(found)
    (PAGES / "README.md").write_text(index(every), encoding="utf-8")


if __name__ == "__main__":
    main()
