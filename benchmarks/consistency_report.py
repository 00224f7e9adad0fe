"""What was found about consistency search, for people."""

import math
from collections.abc import Sequence

from benchmarks import machine
from benchmarks.consistency_cost import BINNED, COUNTED, DELTA, GOAL_RATIO, GOAL_SECONDS, GOAL_SIZE, N_ORDERS
from benchmarks.consistency_data import SIXTEEN

CACHED_MEGABYTES = 64


def markdown(document: dict) -> str:
    """The findings for people; parts that were not asked for are left out."""
    load, cores = document["load"], document["machine"]["cores"]
    busy = ": a busy machine, on which seconds come out too high." if min(load) > 0.75 * cores else "."
    lines = [
        "# Consistency search",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        "One thread; seconds are of the processor, the best of a few warm runs (Weka's without its compiler "
        f"and collector). The load on {cores} cores was {load[0]:.1f} at the start and {load[1]:.1f} at the end{busy}",
    ]
    for part, shown in _PARTS.items():
        if part in document:
            lines += ["", *shown(document[part])]
    return "\n".join(lines) + "\n"


def _rows(heads: Sequence[str], rows: Sequence[Sequence[object]], n_text: int = 1) -> list[str]:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * n_text + "---:|" * (len(heads) - n_text)]
    return ["", *lines, *("| " + " | ".join(map(_shown, row)) + " |" for row in rows)]


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else "" if value is None else str(value)


def _by(size: Sequence[int]) -> str:
    return f"{size[0]:,} × {size[1]:,}"


def _sparse(tables: list[dict]) -> list[str]:
    heads = ["samples × features", "signal", "method", "delta", "kept", "evaluations", "per kept", "⌈log2(p + 1)⌉", "s",
             "× reading", "peak MB"]  # fmt: skip
    rows = []
    for table in tables:
        for found in table["results"]:
            per_kept = found["evaluations"] / (found["n_kept"] + 1)
            bound = math.ceil(math.log2(table["size"][1] + 1)) if found["method"] == "super-lcc" else None
            times = found["seconds"] / table["reading_seconds"] if table["megabytes"] > CACHED_MEGABYTES else None
            rows.append([
                _by(table["size"]), table["signal"], found["method"], found["delta"], found["n_kept"],
                found["evaluations"], per_kept, bound, found["seconds"], times, found["peak_megabytes"],
            ])  # fmt: skip
    return [
        "## Sparse tables like Dorothea",
        "",
        "Binary features, most of them set in a few samples only, a tenth of the samples in the rare class, columns "
        "shuffled; no binning, no names. In scarce tables most are set in no sample or one, so that thousands tie. Per "
        "kept: evaluations over features kept and one, of which SUPER-LCC may use ⌈log2(p + 1)⌉. × reading: seconds "
        "over one look at every byte, for tables that no cache holds. Peak: the whole process.",
        *_rows(heads, rows, n_text=3),
        *_growth(tables),
        "",
        "Where the seconds of SUPER-LCC at delta = 0 go, and what it takes on the same values in other forms:",
        *_steps(tables),
        *_goal_of_seconds(tables),
    ]


def _steps(tables: list[dict]) -> list[str]:
    parts = list(tables[0]["steps"]) if tables else []
    forms = list(tables[0]["forms"]) if tables else []
    rows = [
        [_by(table["size"]), table["signal"], table["megabytes"], table["reading_seconds"]]
        + [table["steps"][part] for part in parts]
        + [table["forms"].get(form) for form in forms]
        for table in tables
    ]
    return _rows(["samples × features", "signal", "table, MB", "reading", *parts, *forms], rows, n_text=2)


def _growth(tables: list[dict]) -> list[str]:
    """Evaluations a feature kept, size by size."""
    by_size: dict[str, list[float]] = {}
    for table in tables:
        by_size.setdefault(_by(table["size"]), []).extend(
            row["evaluations"] / (row["n_kept"] + 1) for row in table["results"] if row["method"] == "super-lcc"
        )
    ranges = ", ".join(f"{min(found):.1f}–{max(found):.1f} at {size}" for size, found in by_size.items())
    return [
        "",
        f"SUPER-LCC asks per feature kept: {ranges}. Only the first halving is over all features; the later ones are "
        "over those behind the first one kept. LCC asks p times.",
    ]


def _goal_of_seconds(tables: list[dict]) -> list[str]:
    judged = [table for table in tables if tuple(table["size"]) == GOAL_SIZE]
    if not judged:
        return []
    discrete = [row["seconds"] for table in judged for row in table["results"] if row["method"] == "super-lcc"]
    discrete += [table["forms"][form] for table in judged for form in table["forms"] if form != BINNED]
    binned = max(table["forms"][BINNED] for table in judged)
    state = "met" if max(discrete) < GOAL_SECONDS else "**not met**"
    return [
        "",
        f"Goal: SUPER-LCC at {_by(GOAL_SIZE)} under {GOAL_SECONDS:g} s: {state}, {min(discrete):.2g} to "
        f"{max(discrete):.2g} s on data taken as discrete; up to {binned:.2g} s if first binned by MDL, the default, "
        "which 0 and 1 do not need.",
    ]


def _sixteen(rows: list[dict]) -> list[str]:
    total = _sums(rows)
    state = "met" if total["ratio"] >= GOAL_RATIO else "**not met**"
    missed = [row for row in rows if row["ratio"] < GOAL_RATIO]
    return [
        f"## Evaluations at delta = {DELTA}",
        "",
        "Generated tables of the sizes of Pino Angulo 2019, Table 3.1: discrete levels, blocks of features that share "
        "factors, one feature in four noise, some contradictions in tables of over 2,000 samples. Evaluations, and in "
        f"brackets features kept; SDCC is the mean of {N_ORDERS} orders. SDCC asks (p + k)(p − k + 1)/2 times and "
        "FSDCC at least p times, so no ratio can be above the column at most. In seconds: the same ratio of ours, "
        "whose SDCC knows most of what it asks. Thesis: its own ratio of seconds (Table 3.2).",
        *_effort_table([*rows, total]),
        "",
        f"Goal: {GOAL_RATIO:g} × fewer evaluations by FSDCC than by SDCC: {state} over all ({total['ratio']:.1f} ×). "
        f"One by one, {len(rows) - len(missed)} of {len(rows)} tables reach it; the others have up to "
        f"{max((row['size'][1] for row in missed), default=0)} features.",
    ]


def _real(rows: list[dict]) -> list[str]:
    if not rows:
        return ["Real tables: none in the folder `HOLDFAST_DATA`."]
    return ["The same on real tables, binned by MDL beforehand:", *_effort_table(rows)]


def _effort_table(rows: list[dict]) -> list[str]:
    def cell(row: dict, method: str) -> str:
        found = row["searches"][method]
        return f"{found['evaluations']:,.0f}" + (f" ({found['n_kept']:.3g})" if "n_kept" in found else "")

    heads = ["table", "samples × features", "risk of all", *COUNTED, "sdcc / fsdcc", "at most", "in seconds", "thesis"]
    shown = []
    for row in rows:
        by_name = row["searches"]
        ratios = [row["ratio"], by_name["sdcc"]["evaluations"] / row["n_features"]]
        ratios += [by_name["sdcc"]["seconds"] / by_name["fsdcc"]["seconds"], row.get("thesis_ratio")]
        size = _by(row["size"]) if "size" in row else ""
        shown.append([row["table"], size, row.get("risk_of_all"), *(cell(row, name) for name in COUNTED), *ratios])
    return _rows(heads, shown, n_text=2)


def _sums(rows: list[dict]) -> dict:
    sums = {
        method: {key: sum(row["searches"][method][key] for row in rows) for key in ("evaluations", "seconds")}
        for method in COUNTED
    }
    return {
        "table": "all",
        "n_features": sum(row["n_features"] for row in rows),
        "searches": sums,
        "ratio": sums["sdcc"]["evaluations"] / sums["fsdcc"]["evaluations"],
        "thesis_ratio": sum(size.seconds[0] for size in SIXTEEN) / sum(size.seconds[2] for size in SIXTEEN),
    }


def _others(tables: list[dict]) -> list[str]:
    lines = ["## Others", "", "The same codes, and the same result, or the run ends with an error."]
    for table in tables:
        rows = [
            [
                f"{row['program']} {row.get('version', '')}".strip(),
                row.get("seconds", row.get("reason")),
                row.get("ratio"),
            ]
            for row in table["results"]
        ]
        lines += ["", f"{table['task']}, {table['table']}, {_by(table['size'])}:"]
        lines += _rows(["program", "seconds", "×"], rows)
    return lines


def _annealing(rows: list[dict]) -> list[str]:
    heads = ["table", "samples × features", "search", "steps", "LCC runs", "risks", "sets", "cache hits", "classifiers",
             "s", "share of the classifier", "score", "kept"]  # fmt: skip
    keys = ["search", "steps", "lcc_runs", "risks", "sets", "cache_hits", "classifiers", "seconds", "classifier_share",
            "score", "n_kept"]  # fmt: skip
    return [
        "## Annealing over the threshold",
        "",
        "SALCC with its defaults: a decision tree, ten folds (fewer if a class is smaller). A set met is judged once, "
        "which trains a classifier a fold; a cache hit is a set met again. The sweep judges every set there is. On "
        "Arrhythmia the thesis met 35 sets of 78 (Table 3.5).",
        *_rows(heads, [[row["table"], _by(row["size"]), *(row[key] for key in keys)] for row in rows], n_text=3),
    ]


_PARTS = {"sparse": _sparse, "sixteen": _sixteen, "real": _real, "others": _others, "annealing": _annealing}
