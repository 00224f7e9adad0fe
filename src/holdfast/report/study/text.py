"""A study as plain text, for a terminal and for a file."""

from __future__ import annotations

from typing import Any

from holdfast.report._summary import inside, size_words, summary_of
from holdfast.report.study import _numbers as n
from holdfast.report.study._columns import aligned, breadth, clean, cut, paragraph
from holdfast.report.study._compared import overall, pair_sentences, setting
from holdfast.report.study._done import facts
from holdfast.report.study._lookup import Lookup, Row, best_first, main_metric
from holdfast.report.study._words import rivals

_WIDTH = 100
_LONGEST_NAME = 24
_MOST_ROWS = 40
_MOST_OTHERS = 8
_MOST_FEATURES = 100
# Columns that go first where the lines are short.
_LEAST_NEEDED = ("AUC", "seconds", "classifier", "size")


def text(study: Any, width: int | None = None) -> str:
    """A study as text: what to use, how sure that is, and what was done.

    Use it for a terminal, a log or a mail. Nothing but names is longer than the width.

    Parameters
    ----------
    study : Study or dict
        A study, or what its ``summary()`` gives.
    width : int, default=None
        Columns to fold at; None for 100.

    Returns
    -------
    text : str
        Lines, each with its end.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> from holdfast.report.study import text
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> study = holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="5cv")
    >>> text(study).startswith("f-test with 3 features and nb: accuracy")
    True
    """
    summary = summary_of(study)
    columns = _WIDTH if width is None else width
    parts = [_recommendation, _warnings, _results, _comparisons, _features, _done]
    blocks = [block for part in parts if (block := part(summary, columns))]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _recommendation(summary: Row, width: int) -> list[str]:
    lines = [paragraph(not_finished(summary), width), ""] if not summary["progress"]["is_complete"] else []
    found = summary["recommendation"]
    if found is None:
        return [*lines, paragraph("There is no recommendation: there are no results yet.", width)]
    lines.append(paragraph(found["sentence"], width))
    for heading, sentences in (("Why", found["reasons"]), ("Doubts", found["doubts"])):
        lines += _listed(heading, sentences, width)
    others = rivals(found["within_noise"])
    if len(others) > _MOST_OTHERS:
        others[_MOST_OTHERS:] = [f"and {len(others) - _MOST_OTHERS:,} more: see report.json"]
    return lines + _listed("Within noise of it", others, width)


def not_finished(summary: Row) -> str:
    """A sentence about how far the study has come."""
    progress = summary["progress"]
    done = f"{progress['n_done']:,} of {n.count(progress['n_cells'], 'part')} are done"
    return f"This study is not finished: {done}. All numbers below are about these and will change."


def _listed(heading: str, sentences: list[str], width: int) -> list[str]:
    lines = [paragraph(sentence, width, indent="  ", mark="- ") for sentence in sentences]
    return [paragraph(f"{heading}:", width), *lines] if lines else []


def _warnings(summary: Row, width: int) -> list[str]:
    return _listed("Warnings", summary["warnings"], width)


def _results(summary: Row, width: int) -> list[str]:
    best: dict[tuple[str, Any], Row] = {}
    for row in best_first(summary):
        best.setdefault((row["method"], row["size"]), row)
    if not best:
        return []
    lookup = Lookup(summary)
    metric = main_metric(summary)
    heading = ["method", "size", "classifier", inside(metric), "AUC", "stability", "seconds"]
    shown = [_line(row, metric, lookup) for row in list(best.values())[:_MOST_ROWS]]
    unknown = "seconds" if all(row[-1] == n.NONE for row in shown) else ""
    for name in (unknown, *_LEAST_NEEDED):
        if name in heading:
            place = heading.index(name)
            heading, shown = _without(heading, place), [_without(row, place) for row in shown]
        right = frozenset(i for i, label in enumerate(heading) if label in ("size", "seconds"))
        lines = aligned(heading, shown, right=right)
        if max(map(breadth, lines)) <= width:
            break
    title = "Each method and size with its best classifier; stability by Nogueira's index, in brackets 95% intervals:"
    rest = [f"… and {len(best) - _MOST_ROWS:,} more: see results.csv."] if len(best) > _MOST_ROWS else []
    return [paragraph(title, width), *lines, *rest]


def _line(row: Row, metric: str, lookup: Lookup) -> list[str]:
    time = lookup.seconds(row["method"])
    return [
        cut(clean(row["method"]), _LONGEST_NAME),
        str(row["size"]),
        cut(clean(row["classifier"]), _LONGEST_NAME),
        n.estimate(row[metric]),
        n.share(None if row["auc"] is None else row["auc"]["mean"]),
        n.estimate(lookup.stability(row)),
        n.NONE if time is None else f"{time:.3g}",
    ]


def _without(row: list[str], place: int) -> list[str]:
    return row[:place] + row[place + 1 :]


def _comparisons(summary: Row, width: int) -> list[str]:
    found = summary["comparisons"]
    if found is None:
        return []
    said = [*overall(found), *pair_sentences(found), *found["notes"]]
    return _listed(f"Differences between methods, {setting(found)}", said, width)


def _features(summary: Row, width: int) -> list[str]:
    found = summary["recommendation"]
    if found is None or not found["features"]:
        return []
    often = Lookup(summary).often(found)
    chosen = f"Features that {found['method']} chooses on all samples ({size_words(found['size'])}), best first"
    lines = [f"{n.percent(often(name)):>6}  {clean(name)}" for name in found["features"][:_MOST_FEATURES]]
    spare = len(found["features"]) - _MOST_FEATURES
    rest = [f"… and {spare:,} more: see features.csv."] if spare > 0 else []
    return [paragraph(f"{chosen}; with the share of the splits that chose each:", width), *lines, *rest]


def _done(summary: Row, width: int) -> list[str]:
    lines = [
        paragraph(f"{label}: {'; '.join(values)}", width, indent="  ", hang="  ") for label, values in facts(summary)
    ]
    return ["What was done:", *lines]
