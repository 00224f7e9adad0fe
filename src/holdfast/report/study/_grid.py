"""Tables of the page: the same cells for readers without scripts and for the script that sorts them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from holdfast.report._summary import inside
from holdfast.report.study import _numbers as n
from holdfast.report.study._compared import TESTS, verdict
from holdfast.report.study._lookup import Lookup, Row, best_first, main_metric, metrics_of
from holdfast.report.study._words import METRICS, score_label, scores_in

_MAIN = ("accuracy", "balanced_accuracy", "auc")
# Lines of features in the page: more would make it slow to open; the CSV file has them all.
_MOST_LINES = 30_000
_TEST_LABELS = {"corrected_t": "Corrected t", "wilcoxon": "Wilcoxon", "mcnemar": "McNemar"}


@dataclass(frozen=True)
class Column:
    """A column: its kind says how its cells look and sort, and whether it belongs to the short table."""

    key: str
    label: str
    kind: str
    is_more: bool = False
    meaning: str = ""


@dataclass(frozen=True)
class Grid:
    """A table, its lines in the order they are shown at first."""

    name: str
    caption: str
    file: str
    columns: list[Column]
    rows: list[list[Any]]
    n_static: int
    filters: list[str] = field(default_factory=list)
    search: str = ""
    is_cut: bool = False
    marked: int | None = None

    def static(self) -> list[list[str]]:
        """The first lines as text."""
        return [
            [shown(c.kind, cell) for c, cell in zip(self.columns, row, strict=True)]
            for row in self.rows[: self.n_static]
        ]

    def data(self) -> dict[str, Any]:
        """All that the script needs."""
        columns = [{"key": c.key, "label": c.label, "kind": c.kind, "more": c.is_more} for c in self.columns]
        return {
            "file": self.file,
            "columns": columns,
            "rows": self.rows,
            "filters": self.filters,
            "search": self.search,
            "marked": self.marked,
        }


def shown(kind: str, cell: Any) -> str:
    """A cell as text."""
    if cell is None:
        return n.NONE
    if kind in ("estimate", "difference"):
        number = n.share(cell[0]) if kind == "estimate" else n.signed(cell[0])
        return f"{number} {n.interval(cell[1], cell[2])}".rstrip()
    if kind == "flag":
        return "yes" if cell else ""
    if kind == "score":
        return f"{cell:.3g}"
    if kind in ("share", "p"):
        return n.percent(cell) if kind == "share" else n.p_value(cell)
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def results(summary: Row) -> Grid:
    """Every configuration with all its scores, the most accurate first."""
    lookup, there = Lookup(summary), metrics_of(summary)
    scores = [name for name in METRICS if name in there]
    meanings = scores_in(summary)
    columns = [
        Column("method", "Method", "text"),
        Column("size", "Size", "size", meaning="Number of features asked for"),
        Column("classifier", "Classifier", "text"),
        *(Column(m, score_label(m), "estimate", m not in _MAIN, meanings[m].meaning) for m in scores if m in _MAIN),
        Column("stability", "Stability", "estimate", meaning="Nogueira's index: 1 for identical lists, 0 for chance"),
        Column("n_selected", "Features", "number", True, "Mean number of features chosen"),
        *(Column(m, score_label(m), "estimate", True, meanings[m].meaning) for m in scores if m not in _MAIN),
        Column("on_front", "On the front", "flag", True, "No other is both more accurate and more stable"),
    ]
    rows = []
    for row in best_first(summary):
        selection, stability = lookup.selection(row), lookup.stability(row)
        length = None if selection is None else selection["n_selected"]["mean"]
        known = {
            **{m: None if row[m] is None else [row[m]["mean"], row[m]["low"], row[m]["high"]] for m in scores},
            **{key: row[key] for key in ("method", "size", "classifier", "on_front")},
            "stability": None if stability is None else [stability["value"], stability["low"], stability["high"]],
            "n_selected": None if length is None else int(length) if length == int(length) else round(length, 1),
        }
        rows.append([known[column.key] for column in columns])
    found = summary["recommendation"]
    wanted = None if found is None else [found[key] for key in ("method", "size", "classifier")]
    marked = next((i for i, row in enumerate(rows) if row[:3] == wanted), None)
    best = f"best {inside(main_metric(summary))} first"
    caption = f"Scores on the test parts and stability of the lists, in brackets 95% intervals; {best}"
    filters = ["method", "size", "classifier"]
    return Grid("results", caption, "results-shown.csv", columns, rows, 200, filters, marked=marked)


def features(summary: Row) -> Grid:
    """Features of every selection, those of the recommended one first."""
    has_classifier = any(row["classifier"] is not None for row in summary["selections"])
    columns = [
        Column("feature", "Feature", "text"),
        Column("method", "Method", "text"),
        Column("size", "Size", "size"),
        *([Column("classifier", "Classifier", "text", meaning="Tuned for this classifier")] if has_classifier else []),
        Column("frequency", "Chosen in", "share", meaning="Share of the splits that chose it"),
        Column("rank", "Rank", "number", meaning="Its place in the list chosen on all samples, 1 is best"),
        Column("score", "Score", "score", meaning="Its score in the selection on all samples; scales differ by method"),
    ]
    found = summary["recommendation"]
    first = None if found is None else Lookup(summary).selection(found)
    ordered = sorted(summary["selections"], key=lambda row: row is not first)
    most = max(20, _MOST_LINES // max(1, len(ordered)))
    rows = [
        [
            feature["name"],
            row["method"],
            row["size"],
            *([row["classifier"]] if has_classifier else []),
            feature["frequency"],
            feature["rank"],
            feature["score"],
        ]
        for row in ordered
        for feature in row["features"][:most]
    ]
    caption = "Every feature that was chosen in at least one split, by method and size"
    is_cut = any(len(row["features"]) > most for row in ordered)
    filters = ["method", "size", *(["classifier"] if has_classifier else [])]
    return Grid("features", caption, "features-shown.csv", columns, rows, 100, filters, "feature", is_cut)


def pairs(summary: Row) -> Grid | None:
    """Every two methods, tested."""
    found = summary["comparisons"]
    if found is None or not found["pairs"]:
        return None
    tests = [name for name in TESTS if any(pair[name] for pair in found["pairs"])]
    columns = [
        Column("a", "First", "text"),
        Column("b", "Second", "text"),
        Column("verdict", "In words", "text"),
        Column("difference", "First minus second", "difference"),
        *(
            Column(name, f"{_TEST_LABELS[name]}, p", "p", meaning="Corrected by Holm for the number of pairs")
            for name in tests
        ),
    ]
    rows = [
        [
            pair["a"],
            pair["b"],
            verdict(pair, found),
            None if pair["difference"] is None else [pair["difference"], pair["low"], pair["high"]],
            *(pair[name]["p_holm"] if pair[name] else None for name in tests),
        ]
        for pair in found["pairs"]
    ]
    caption = "Every two methods; in brackets the 95% interval of the difference, p-values corrected by Holm"
    return Grid("pairs", caption, "comparisons-shown.csv", columns, rows, 100)
