"""The stability layer beside its peers, its goals and the machine: ``python -m benchmarks.stability``.

Repeated selections get the same halves of the samples, whoever repeats them. Ratios are to the first row of a table.
"""

import argparse
import dataclasses
import datetime as dt
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import holdfast
from benchmarks import machine, report
from benchmarks.data import three_levels, wide_table
from benchmarks.limits import arithmetic, bandwidth
from benchmarks.race import TooSlow, race
from benchmarks.runner import Bounds
from benchmarks.tasks import SAME, Entry, Task
from holdfast.stability import complementary_pairs

N_RUNS, N_CHOSEN = 100, 50
N_CORNER = 40  # columns of ``Problem.tiny``
SEED = 5
WIDE = ((100, 2_000), (100, 10_000), (100, 25_000))
LONGEST, LONGEST_INDEX = 60.0, 20.0
ENSEMBLE_REPEATS = 7
ENSEMBLES = {"en-svm-rfe": "svm-rfe", "iw-svm-rfe": "svm-rfe", "en-relieff": "relieff", "iw-relieff": "relieff"}
PUBLISHED = {"en": "about 20", "iw": "slightly above 1"}  # Han 2012, Figure 7.9
OWN_GRID = "another objective: coefficients other than 0 at any of ten penalties, intercept penalised"


class Sparing(Bounds):
    """Runs until they add up to a few seconds, nine at most: a long one is done once."""

    def wants_more(self, seconds: list[float]) -> bool:
        return not seconds or (len(seconds) < 9 and sum(seconds) < 3.0)


def save_halves(path: Path, n_samples: int, n_features: int, n_select: int) -> None:
    """A problem with the rows of every run: complementary halves of the samples, by class."""
    X, y = wide_table(n_samples, n_features)
    halves = np.array(complementary_pairs(y, N_RUNS, SEED))
    np.savez(path, X=X, codes=three_levels(X), y=y, n_select=n_select, halves=halves)


def save_runs(share: float | None = None) -> Callable[[Path, int, int, int], None]:
    """Runs to measure, in place of X: all choose as many features, three in four of them from a pool of that size."""

    def save(path: Path, n_runs: int, n_features: int, n_select: int) -> None:
        n_chosen = n_select if share is None else int(share * n_features)
        n_stable = 3 * (n_chosen - N_CORNER // 2) // 4
        # The corner on which programs warm up has runs of one size, too.
        pools = {
            (0, N_CORNER): N_CORNER // 2,
            (N_CORNER, N_CORNER + n_chosen): n_stable,
            (N_CORNER + n_chosen, n_features): n_chosen - n_stable - N_CORNER // 2,
        }
        rng = np.random.default_rng(SEED)
        runs = np.zeros((n_runs, n_features), dtype=bool)
        for run in runs:
            for (start, stop), n_drawn in pools.items():
                run[start + rng.choice(stop - start, n_drawn, replace=False)] = True
        np.savez(path, X=runs, codes=runs[:, :N_CORNER].astype(np.int8), y=np.zeros(n_runs), n_select=n_select)

    return save


@dataclasses.dataclass(frozen=True)
class Heat:
    """A task at some sizes, and the seconds in which the row ``judged`` is to do one of them."""

    task: Task
    sizes: tuple[tuple[int, int], ...]
    save: Callable[[Path, int, int, int], None]
    goal: tuple[tuple[int, int], float] | None = None
    judged: str = "holdfast"
    longest: float = LONGEST


def _repeated(name: str, base: str, *rivals: Entry) -> Task:
    ours = (
        Entry("holdfast", f"stable-{name}", "StabilitySelector"),
        Entry("holdfast", f"stable-{name}/two threads", "n_jobs=2, on two cores"),
        Entry("holdfast", f"stable-{name}/plain loop", "a clone fitted to each half"),
    )
    return Task(
        f"stable-{name}", f"{N_RUNS} complementary halves, {base}, the {N_CHOSEN} chosen most often", ours + rivals
    )


def _indices(chosen: str, save: Callable[[Path, int, int, int], None]) -> list[Heat]:
    size = (1_000, 25_000)
    heats = []
    for name in ("kuncheva", "jaccard", "lustgarten", "nogueira"):
        plain = Entry("reference-numpy", f"index-{name}" + ("" if name == "nogueira" else "/pair by pair"), SAME)
        entries = (Entry("holdfast", f"index-{name}"), plain, Entry("pyensemblefs", f"index-{name}", SAME))
        task = Task(f"index-{name}", f"{name.title()}, {chosen} a run", entries)
        heats.append(Heat(task, (size,), save, (size, 1.0), longest=LONGEST_INDEX))
    return heats


HEATS = (
    Heat(
        _repeated("mrmr", "MRMR top 50", Entry("reference-numpy", "stable-mrmr", "same objective, ties aside")),
        WIDE,
        save_halves,
        ((100, 10_000), 3.0),
        judged="holdfast (two threads)",
    ),
    Heat(
        _repeated(
            "mrmr-f",
            "MRMR by F over correlation top 50",
            Entry("reference-numpy", "stable-mrmr-f", SAME),
            Entry("mrmrs", "stable-mrmr-f", SAME),
            Entry("mrmr-selection", "stable-mrmr-f", SAME),
        ),
        WIDE,
        save_halves,
    ),
    Heat(
        _repeated(
            "svm-rfe",
            "SVM-RFE top 50",
            Entry("reference-numpy", "stable-svm-rfe/Gram", "each half scaled by itself, solved to 1e-3"),
            Entry("scikit-learn", "stable-svm-rfe/loop over RFE of LinearSVC", "another objective: squared hinge"),
        ),
        WIDE,
        save_halves,
        ((100, 10_000), 30.0),
        judged="holdfast (two threads)",
    ),
    Heat(
        _repeated(
            "lasso",
            "the first 50 of the l1 path",
            Entry("scikit-learn", "stable-lasso/loop over l1 models", OWN_GRID),
            Entry("stability-selection", "stable-lasso", OWN_GRID),
            Entry("stabl", "stable-lasso", OWN_GRID),
        ),
        WIDE[:2],
        save_halves,
    ),
    *_indices("50 features", save_runs()),
    *_indices("half of the features", save_runs(share=0.5)),
    Heat(
        Task(
            "instance-weights",
            "Instance weights by margin vectors of all neighbours",
            (Entry("holdfast", "instance-weights"), Entry("reference-numpy", "instance-weights", SAME)),
        ),
        WIDE[1:],
        save_halves,
        ((100, 25_000), 0.2),
    ),
)


def limits() -> dict:
    """What the largest table of instance weights needs at least, if every pair is looked at and the table read once."""
    n_samples, n_features = WIDE[-1]
    with threadpool_limits(1):
        differences = n_samples * (n_samples - 1) / 2 * n_features / max(arithmetic().values()) / 1e9
        return {
            "size": WIDE[-1],
            "differences_seconds": differences,
            "reading_seconds": 8 * n_samples * n_features / bandwidth() / 1e9,
        }


def seconds(call: Callable[[], object]) -> float:
    """One run by the clock."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def ensembles(n_samples: int, n_features: int) -> list[dict]:
    """Ensembles and weighted selections as multiples of one run of their base, run in turns."""
    X, y = wide_table(n_samples, n_features)
    names = [*ENSEMBLES, *dict.fromkeys(ENSEMBLES.values())]
    made = {name: holdfast.selector(name, n_features_to_select=N_CHOSEN).fit(X, y) for name in names}
    taken: dict[str, list[float]] = {name: [] for name in names}
    with threadpool_limits(1):
        for _ in range(ENSEMBLE_REPEATS):
            for name in names:
                taken[name].append(seconds(lambda name=name: made[name].fit(X, y)))
    return [
        {
            "method": name,
            "size": (n_samples, n_features),
            "seconds": statistics.median(taken[name]),
            "base_seconds": statistics.median(taken[base]),
            "ratio": statistics.median(a / b for a, b in zip(taken[name], taken[base], strict=True)),
            "published": PUBLISHED[name[:2]],
        }
        for name, base in ENSEMBLES.items()
    ]


def run(heat: Heat, say: Callable[[str], None]) -> list[dict]:
    """The tables of one task, medians and the goal included."""
    tables = []
    too_slow: TooSlow = {}
    for size in heat.sizes:
        say(f"{heat.task.title}: {size[0]:,} × {size[1]:,}")
        results = race(heat.task, size, Sparing(seconds=heat.longest), too_slow, say=say, save=heat.save)
        report.compare(results)
        ran = [result for result in results if "seconds" in result]
        for result in ran:
            result["median_seconds"] = statistics.median(result["seconds"])
            result["ratio"] = result["median_seconds"] / ran[0]["median_seconds"]
        table = {"task": heat.task.name, "title": heat.task.title, "size": size, "results": results}
        if heat.goal and heat.goal[0] == size:
            judged = next(result for result in results if result["label"] == heat.judged)
            table["goal_seconds"], table["judged"] = heat.goal[1], heat.judged
            table["is_within"] = judged.get("median_seconds", np.inf) < heat.goal[1]
        tables.append(table)
    return tables


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = [
        "# The stability layer",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"Seconds are the median of warm runs in turns, each bounded to {LONGEST:g} s (an index to "
        f"{LONGEST_INDEX:g} s); × is the ratio to the first row that ran. One thread unless a row says two. Everybody "
        "repeats the selection on the same halves; taking the half and turning it into what a program wants is part of "
        "the run. Jaccard is with the picks of the first row, for instance weights with its weights in millionths.",
    ]
    for table in document["tables"]:
        lines += ["", f"## {table['title']}: {table['size'][0]:,} × {table['size'][1]:,}", "", *_table(table)]
    least = document["limits"]
    lines += [
        "",
        f"The differences of all pairs of samples take this machine at least {least['differences_seconds']:.3g} s at "
        f"{least['size'][0]:,} × {least['size'][1]:,} (as `benchmarks/limits.py` measures them), and reading the table "
        f"once {least['reading_seconds']:.3g} s.",
        "",
        "## Ensembles and weighted selections, as multiples of one run of their base",
        "",
        "| method | samples × features | seconds | base, s | × base | published × |",
        "|---|---|---:|---:|---:|---|",
    ]
    lines += [
        f"| {row['method']} | {row['size'][0]:,} × {row['size'][1]:,} | {row['seconds']:.3g} | "
        f"{row['base_seconds']:.3g} | {row['ratio']:.2f} | {row['published']} |"
        for row in document["ensembles"]
    ]
    return "\n".join(lines) + "\n"


def _table(table: dict) -> list[str]:
    is_index = table["task"].startswith("index")
    rows = [
        f"| program | version | seconds | × | {'value' if is_index else 'Jaccard'} | note |",
        "|---|---|---:|---:|---:|---|",
    ]
    for result in table["results"]:
        if "median_seconds" in result:
            agrees = result["picks"][0] / 1e6 if is_index else result["agreement"]["jaccard"]
            cells = [result["version"], f"{result['median_seconds']:.3g}", f"{result['ratio']:.3g}", agrees]
        else:
            cells = ["", result["reason"], "", ""]
        rows.append("| " + " | ".join(map(str, [result["label"], *cells, result["note"]])) + " |")
    if "goal_seconds" in table:
        state = "met" if table["is_within"] else "**not met**"
        rows += ["", f"Goal: {table['judged']} under {table['goal_seconds']:g} s: {state}."]
    return rows


def main() -> None:
    """Race, measure, and write stability.json and stability.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stability", description=__doc__.splitlines()[0])
    names = dict.fromkeys(heat.task.name for heat in HEATS)
    parser.add_argument("--task", action="append", choices=list(names), help="print only this; may be repeated")
    asked = parser.parse_args().task

    def say(line: str) -> None:
        print(line, file=sys.stderr)

    tables = [table for heat in HEATS if not asked or heat.task.name in asked for table in run(heat, say)]
    if asked:
        print("\n".join(line for table in tables for line in _table(table)))
        return
    document = {
        "date": dt.date.today().isoformat(),
        "machine": machine.describe(),
        "bounds": {"seconds": LONGEST, "index_seconds": LONGEST_INDEX},
        "tables": tables,
        "limits": limits(),
        "ensembles": [row for size in WIDE[:2] for row in ensembles(*size)],
    }
    report.RESULTS.mkdir(exist_ok=True)
    (report.RESULTS / "stability.json").write_text(json.dumps(document, indent=1) + "\n")
    (report.RESULTS / "stability.md").write_text(markdown(document))
    print(markdown(document))
    differing = report.disagreements(tables)
    if differing:
        raise SystemExit("\n".join(["Same objective, other answers:", *differing]))


if __name__ == "__main__":
    main()
