"""Run a plan: its parts, on as many processes as wanted, then cells, claims and tables in one dictionary."""

from __future__ import annotations

import datetime as dt
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from holdfast._progress import report
from holdfast.reproduce.cells import Cell, Key, Ours, Printed, counted, missing, read_printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Judgement, Part, Plan
from holdfast.reproduce.plans import Row
from holdfast.reproduce.shelf import Shelf, stocked
from holdfast.reproduce.store import PartStore

SCHEMA, VERSION = "holdfast.reproduction", 1
# Values of a table that can be had within seconds, for runs that are meant to be short.
QUICKLY_FETCHED = 1_000_000


def reproduce(
    row: Row,
    *,
    data: Path | None = None,
    fetch: bool = False,
    quick: bool = False,
    out: Path | None = None,
    workers: int = 1,
    command: str = "",
) -> dict[str, Any]:
    """Rerun the tables of a plan and compare them with the print.

    Parameters
    ----------
    row : Row
        The plan, from ``holdfast.reproduce.find``.
    data : Path or None, default=None
        Folder of npz files with X and y; None for what HOLDFAST_DATA names.
    fetch : bool, default=False
        Whether to ask OpenML for sets that are not there.
    quick : bool, default=False
        Few splits and few runs: to see that a plan works, not for verdicts.
    out : Path or None, default=None
        Folder that keeps every part that is done; the same call goes on with it.
    workers : int, default=1
        Parts worked on at a time, -1 for one per core; no result but times depends on it.
    command : str, default=""
        What the reader would type to have the same, for the report.

    Returns
    -------
    found : dict
        Everything that a report shows (docs/reproduce.md).
    """
    from holdfast import __version__

    plan = row.load()
    shelf = stocked(plan.sets, data, fetch=fetch, most_fetched=QUICKLY_FETCHED if quick else np.inf)
    sets = _sets(shelf)
    parts = list(plan.parts(shelf, quick))
    store = None
    if out is not None:
        claim = {
            "plan": row.name,
            "quick": quick,
            "holdfast": __version__,
            "data": {one["name"]: one["digest"] for one in sets if one["found"]},
        }
        store = PartStore(out, claim)
        store.begin()
    made, seconds = _made(parts, shelf, store, workers)
    judged = plan.judge(made, shelf, quick)
    cells = beside(plan, shelf, judged, read_printed(plan.printed))
    return {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "holdfast_version": __version__,
        "date": dt.date.today().isoformat(),
        "command": command,
        "plan": row.name,
        "thesis": {
            "name": row.thesis.name,
            "label": row.thesis.label,
            "title": row.thesis.title,
            "cite": row.thesis.cite,
        },
        "title": row.title,
        "kind": plan.kind,
        "is_quick": quick,
        "seconds": seconds,
        "protocol": list(plan.protocol),
        "leaks": dict(plan.leaks),
        "remarks": dict(plan.remarks),
        "data": sets,
        "summary": summary(cells, judged),
        "cells": [_as_row(cell) for cell in cells],
        "claims": [asdict(claim) for claim in judged.claims],
        "sections": [asdict(section) for section in judged.sections],
    }


def beside(plan: Plan, shelf: Shelf, judged: Judgement, printed: Mapping[Key, Printed]) -> list[Cell]:
    """Every printed number in the order of print, with ours or with the reason why there is none."""
    unknown = [key for key in judged.ours if key not in printed]
    if unknown:
        raise ValueError(f"{plan.printed}.csv has no {', '.join(unknown[0])}, but the plan gives a number for it.")
    return [
        Cell(key, one, judged.ours.get(key) or _why_not(key, shelf), plan.better[key.quantity])
        for key, one in printed.items()
    ]


def _why_not(key: Key, shelf: Shelf) -> Ours:
    if key.data in shelf.sets and key.data not in shelf:
        return missing(shelf.absence(key.data))
    if key.data not in shelf.sets and shelf.sets:
        return missing(f"no copy of {key.data} is known to this plan")
    return missing("not part of this run")


def summary(cells: Sequence[Cell], judged: Judgement) -> dict[str, Any]:
    """Verdicts counted by table and in all, apart from them those that say little, and claims."""
    tables = dict.fromkeys(cell.key.table for cell in cells)
    verdicts = [claim.verdict for claim in judged.claims]
    same = [cell for cell in cells if not cell.is_apart]
    return {
        "tables": [
            {
                "table": table,
                **counted(cell for cell in same if cell.key.table == table),
                "apart": sum(cell.is_apart for cell in cells if cell.key.table == table),
            }
            for table in tables
        ],
        "total": dict(counted(same)),
        "apart": dict(counted(cell for cell in cells if cell.is_apart)),
        "claims": {word: verdicts.count(word) for word in (HOLDS, IN_PART, FAILS, NOT_TESTED)},
    }


def _made(parts: Sequence[Part], shelf: Shelf, store: PartStore | None, workers: int) -> tuple[dict[str, Any], float]:
    """Results of all parts, from the store where they are there; and the seconds of their making, summed."""
    found = {part.key: store.get(part.key) if store is not None else None for part in parts}
    if len(found) < len(parts):
        raise ValueError("Two parts of the plan have the same key.")
    todo = [part for part in parts if found[part.key] is None]
    report("Parts", len(parts) - len(todo), len(parts))
    for n_done, kept in enumerate(_worked(todo, shelf, workers), start=len(parts) - len(todo) + 1):
        if store is not None:
            store.put(kept["key"], kept["result"], kept["seconds"])
        found[kept["key"]] = kept
        report(f"Parts, last {kept['key']}", n_done, len(parts))
    kept_all = {key: one for key, one in found.items() if one is not None}
    return {key: one["result"] for key, one in kept_all.items()}, sum(one["seconds"] for one in kept_all.values())


def _worked(parts: Sequence[Part], shelf: Shelf, workers: int) -> Iterable[dict[str, Any]]:
    """Parts as they get done."""
    if not parts:
        return []
    if workers == 1:
        return (_timed(part, shelf) for part in parts)
    # More processes than parts would only be started.
    n_jobs = min(joblib.effective_n_jobs(workers), len(parts))
    made: Iterable[dict[str, Any]] = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        joblib.delayed(_timed)(part, shelf) for part in parts
    )
    return made


def _timed(part: Part, shelf: Shelf) -> dict[str, Any]:
    start = time.process_time()
    with warnings.catch_warnings():
        # What a rerun of others' protocols would be warned of is told on its page, not on the terminal.
        warnings.simplefilter("ignore")
        result = part.call(shelf)
    return {"key": part.key, "result": result, "seconds": time.process_time() - start}


def _sets(shelf: Shelf) -> list[dict[str, Any]]:
    rows = []
    for n_done, name in enumerate(shelf.sets):
        report("Looking at the data sets", n_done, len(shelf.sets))
        row: dict[str, Any] = {"name": name, "file": shelf.sets[name].file, "found": name in shelf}
        if name in shelf:
            table = shelf.load(name)
            is_classes = table.y.dtype.kind in "iu"
            row |= {
                "n_samples": len(table.X),
                "n_features": table.X.shape[1],
                "n_classes": len(np.unique(table.y)) if is_classes else None,
                "source": "OpenML" if shelf.found[name].startswith("openml:") else "folder",
                "digest": shelf.digest(name),
            }
        else:
            row |= {"n_samples": None, "n_features": None, "n_classes": None, "source": None, "digest": None}
            row["why"] = shelf.absence(name)
        rows.append(row)
    return rows


def _as_row(cell: Cell) -> dict[str, Any]:
    low, high = cell.ours.interval
    return {
        **cell.key._asdict(),
        "printed": cell.printed.value,
        "ours": _or_none(cell.ours.value),
        "low": _or_none(low),
        "high": _or_none(high),
        "verdict": cell.verdict,
        "honest": None if cell.ours.honest is None else _or_none(cell.ours.honest),
        "mark": cell.printed.remark,
        "impossible": cell.printed.impossible,
        "apart": cell.ours.apart if cell.is_apart else "",
        "remark": cell.ours.not_run or cell.ours.remark,
    }


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
