"""A study as tables: texts of CSV files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdfast.report._summary import summary_of
from holdfast.report.study._compared import TESTS
from holdfast.report.study._lookup import Row
from holdfast.report.study._words import METRICS


def tables(study: Any) -> dict[str, str]:
    """Results, stability, features and tests of a study, as texts of CSV files.

    Use it to go on in a spreadsheet, R or pandas. Numbers have all their digits, missing ones are empty, and names
    stand as they came.

    Parameters
    ----------
    study : Study or dict
        A study, or what its ``summary()`` gives.

    Returns
    -------
    texts : dict of str to str
        By file name: "results.csv" (a line for each method, size and classifier), "stability.csv" (for each method and
        size), "features.csv" (for each feature of these) and "comparisons.csv" (for each pair of methods).

    Examples
    --------
    >>> from holdfast.report.study import tables
    >>> empty = {"results": [], "selections": [], "comparisons": None}
    >>> tables({"schema": "holdfast.study", "schema_version": 1, **empty})["features.csv"].strip()
    'method,size,classifier,feature,index,frequency,rank,score'
    """
    summary = summary_of(study)
    return {
        "results.csv": _results(summary),
        "stability.csv": _stability(summary),
        "features.csv": _features(summary),
        "comparisons.csv": _comparisons(summary),
    }


def _results(summary: Row) -> str:
    parts = ("mean", "low", "high", "sd")
    heading = ["method", "size", "classifier", "on_front", *(f"{name}_{part}" for name in METRICS for part in parts)]
    return _csv(
        heading,
        (
            [row["method"], row["size"], row["classifier"], row["on_front"], *_each(row, METRICS, parts)]
            for row in summary["results"]
        ),
    )


def _stability(summary: Row) -> str:
    indices = dict.fromkeys(name for selection in summary["selections"] for name in selection["stability"])
    parts, ends = ("value", "low", "high"), ("mean", "least", "most")
    heading = ["method", "size", "classifier", *(f"n_selected_{part}" for part in ends)]
    return _csv(
        [*heading, *(f"{name}_{part}" for name in indices for part in parts)],
        (
            [
                *(row[key] for key in ("method", "size", "classifier")),
                *(row["n_selected"][part] for part in ends),
                *_each(row["stability"], indices, parts),
            ]
            for row in summary["selections"]
        ),
    )


def _features(summary: Row) -> str:
    own = ("name", "index", "frequency", "rank", "score")
    return _csv(
        ["method", "size", "classifier", "feature", *own[1:]],
        (
            [row["method"], row["size"], row["classifier"], *(feature[key] for key in own)]
            for row in summary["selections"]
            for feature in row["features"]
        ),
    )


def _comparisons(summary: Row) -> str:
    found = summary["comparisons"] or {"pairs": []}
    setting, own = ("metric", "size", "classifier"), ("a", "b", "difference", "low", "high")
    parts = ("p_value", "p_holm")
    return _csv(
        [*setting, *own, *(f"{name}_{part}" for name in TESTS for part in parts)],
        (
            [*(found[key] for key in setting), *(pair[key] for key in own), *_each(pair, TESTS, parts)]
            for pair in found["pairs"]
        ),
    )


def _each(row: Row, names: Iterable[str], parts: tuple[str, ...]) -> list[Any]:
    """Numbers of some entries of a row, which may be missing."""
    return [(row.get(name) or {}).get(part) for name in names for part in parts]


def _csv(heading: list[str], rows: Iterable[list[Any]]) -> str:
    return "".join(",".join(map(_field, row)) + "\n" for row in [heading, *rows])


def _field(value: Any) -> str:
    """A field as RFC 4180 has it; None is empty, the empty text is quoted."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    is_safe = value and value == value.strip() and not any(mark in value for mark in ',"\r\n')
    return value if is_safe else '"' + value.replace('"', '""') + '"'
