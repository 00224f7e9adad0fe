"""Write docs/reproduction from runs: `python docs/make_reproduction.py FOLDER`.

FOLDER is what `holdfast reproduce all --out FOLDER` leaves, or some of its plans. What was written by hand below the
mark of a page is kept, and so are the lines of plans that FOLDER does not have.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdfast.report.reproduction import markdown, overview_markdown
from holdfast.reproduce import ROWS

PAGES = Path(__file__).resolve().parent / "reproduction"
SUMMARY = PAGES / "summary.json"
# What the page of all plans needs of a run.
KEPT = ("plan", "title", "thesis", "holdfast_version", "date", "is_quick", "summary")
BY_HAND = "<!-- What follows is written by hand and kept. -->"
ABOUT = (
    "Written from the runs by `python docs/make_reproduction.py`. [What five theses claimed, and what "
    "holds](../theses.md), in plain words; [how to run any of it yourself](../reproduce.md)."
)


def with_hand(place: Path, text: str) -> str:
    """A page with what was written by hand below it."""
    by_hand = place.read_text(encoding="utf-8").partition(BY_HAND)[2] if place.exists() else "\n"
    return f"{text}\n{BY_HAND}{by_hand}"


def overview(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """The page of all plans."""
    every = [runs[row.name] for row in ROWS if row.name in runs]
    text = overview_markdown(every, lambda plan: f"{plan}.md", title="Printed and rerun: all plans")
    heading, _, rest = text.partition("\n\n")
    return f"{heading}\n\n{ABOUT}\n\n{rest}"


def main() -> None:
    """Write a page for every plan that was run, and the page of all plans."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    PAGES.mkdir(exist_ok=True)
    runs = json.loads(SUMMARY.read_text(encoding="utf-8")) if SUMMARY.exists() else {}
    for row in ROWS:
        place = folder / row.name / "report.json"
        if not place.exists():
            continue
        found = json.loads(place.read_text(encoding="utf-8"))
        if found["is_quick"]:
            raise SystemExit(f"{place} is of a quick run, which is not for readers.")
        page = PAGES / f"{row.name}.md"
        page.write_text(with_hand(page, markdown(found)), encoding="utf-8")
        runs[row.name] = {name: found[name] for name in KEPT}
    SUMMARY.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    (PAGES / "README.md").write_text(overview(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
