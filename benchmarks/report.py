"""Results as JSON and as a Markdown table: seconds, ratios to ours, and whether the picks agree."""

import datetime as dt
import json
from pathlib import Path

from benchmarks import machine
from benchmarks.tasks import SAME

RESULTS = Path(__file__).parent / "results"


def agreement(picks: list[int], ours: list[int]) -> dict:
    """How far two selections agree: as sets, and up to which pick in order."""
    together = set(picks) | set(ours)
    same = next((at for at, (a, b) in enumerate(zip(picks, ours, strict=False)) if a != b), None)
    return {
        "jaccard": round(len(set(picks) & set(ours)) / len(together), 3) if together else 1.0,
        "first_difference": same if same is not None or len(picks) == len(ours) else min(len(picks), len(ours)),
    }


def compare(results: list[dict]) -> None:
    """Add ratio and agreement to each result, against the first entry that ran (ours when it did)."""
    base = next((result for result in results if "seconds" in result), None)
    for result in results:
        if base is None or "seconds" not in result:
            continue
        result["best_seconds"] = min(result["seconds"])
        result["ratio"] = round(min(result["seconds"]) / min(base["seconds"]), 3)
        result["against"] = base["label"]
        result["agreement"] = agreement(result["picks"], base["picks"])


def disagreements(tables: list[dict]) -> list[str]:
    """Programs that optimise what we do and yet choose other features than we do, a sentence each."""
    found = []
    for table in tables:
        ran = [result for result in table["results"] if "picks" in result]
        if not ran or ran[0]["peer"] != "holdfast":
            continue
        for result in ran[1:]:
            n_other = len(set(result["picks"]) - set(ran[0]["picks"]))
            if result["note"] == SAME and set(result["picks"]) != set(ran[0]["picks"]):
                found.append(
                    f"{table['task']} at {table['size'][0]:,} × {table['size'][1]:,}: {result['label']} has the same "
                    f"objective, but {n_other} of its {len(result['picks'])} picks are not among our "
                    f"{len(ran[0]['picks'])}."
                )
    return found


def save(name: str, tables: list[dict], bounds: dict) -> Path:
    """Write ``name.json`` and ``name.md``; gives back the second."""
    RESULTS.mkdir(exist_ok=True)
    document = {
        "date": dt.date.today().isoformat(),
        "machine": machine.describe(),
        "bounds": bounds,
        "tables": tables,
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
    path = RESULTS / f"{name}.md"
    path.write_text(markdown(document))
    return path


def markdown(document: dict) -> str:
    """The whole document for people."""
    bounds = document["bounds"]
    lines = [
        "# Holdfast beside its peers",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"Seconds are the minimum of at least {bounds['repeats']} warm runs in turns (one when a run is "
        f"long), {bounds['n_threads']} thread, each run bounded to {bounds['seconds']:g} s and "
        f"{bounds['gigabytes']:g} GB. × is the ratio to the first row that ran. Picks: Jaccard with "
        "that row, and the first place (from 0) at which the order differs (– for none).",
    ]
    for table in document["tables"]:
        n_samples, n_features = table["size"]
        lines += ["", f"## {table['title']}: {n_samples:,} × {n_features:,}", "", *_table(table["results"])]
    return "\n".join(lines) + "\n"


def _table(results: list[dict]) -> list[str]:
    rows = [
        "| program | version | seconds | × | peak MB | n | Jaccard | differs at | objective |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for result in results:
        if "best_seconds" in result:
            agrees = result["agreement"]
            differs = "a set" if result["is_set"] else agrees["first_difference"]
            cells = [
                result["version"],
                _digits(result["best_seconds"]),
                _digits(result["ratio"]),
                f"{result['peak_megabytes']:.0f}",
                len(result["picks"]),
                agrees["jaccard"],
                "–" if differs is None else differs,
            ]
        else:
            cells = ["", result["reason"], *[""] * 5]
        note = result["note"]
        if result.get("n_different_answers", 1) > 1:
            note = f"**{result['n_different_answers']} different answers over the repeats** {note}"
        rows.append("| " + " | ".join(map(str, [result["label"], *cells, note])) + " |")
    return rows


def _digits(value: float) -> str:
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"
