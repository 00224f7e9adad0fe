"""What a user waits for besides the work itself: ``python -m benchmarks.startup``.

The first call ever of each method (empty compilation cache), a later process against a bare
``import sklearn``, the help of the command line, and the peak memory of a fit against 3 × X + 300 MB; methods of
neighbours may also hold three tables of samples × samples.
"""

import argparse
import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import machine
from benchmarks.data import save_problem
from benchmarks.report import RESULTS
from benchmarks.runner import ADAPTERS

REPEATS = 3
BOUND_SECONDS = 120
FIRST_CALL_LIMIT, LATER_LIMIT, HELP_LIMIT, SPARE_MEGABYTES = 10.0, 1.0, 0.5, 300.0
NEIGHBOUR_METHODS = ("relieff", "multisurf")
MEMORY_METHODS = ("mrmr+", "fcq", "cfs+", "fcbf", "information-gain", "f-test", *NEIGHBOUR_METHODS)
MEMORY_SIZES = ((100, 25_000), (5_000, 1_000), (100, 200_000))

FIT = """
import json, sys, time
sys.path.insert(0, sys.argv[3])
from _run import peak_megabytes
import numpy as np
with np.load(sys.argv[2]) as stored:
    X, y = stored["codes" if sys.argv[1] == "chi2" else "X"], stored["y"]
start = time.perf_counter()
from holdfast import selector
model = selector(sys.argv[1]).fit(X, y)
seconds = time.perf_counter() - start
print(json.dumps({"fit_seconds": seconds, "peak_megabytes": peak_megabytes(), "x_megabytes": X.nbytes / 2**20}))
"""
HELP = "import sys; sys.argv = ['holdfast', '--help']; from holdfast.cli.app import main; main()"


def _run(cache: Path, code: str, *arguments: str | Path) -> tuple[float, str]:
    """Wall seconds and output of a fresh interpreter; raises RuntimeError with its last line of errors."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=BOUND_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"> {BOUND_SECONDS} s") from None
    seconds = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[-1][:160])
    return seconds, done.stdout


def _fastest(cache: Path, code: str, *arguments: str | Path) -> float:
    return min(_run(cache, code, *arguments)[0] for _ in range(REPEATS))


def method_names() -> list[str]:
    """Every row of the registry."""
    import holdfast

    return [row.name for row in holdfast.methods()]


def measure_method(name: str, problem: Path) -> dict:
    """First call in an empty cache, then later processes that find it filled, in turns with a bare import."""
    with tempfile.TemporaryDirectory() as cache:
        try:
            _, said = _run(Path(cache), FIT, name, problem, ADAPTERS)
            first = json.loads(said)["fit_seconds"]
            turns = [
                (_run(Path(cache), "import sklearn")[0], _run(Path(cache), FIT, name, problem, ADAPTERS)[0])
                for _ in range(REPEATS)
            ]
            bare, later = (min(column) for column in zip(*turns, strict=True))
        except RuntimeError as problem_seen:
            return {"method": name, "reason": str(problem_seen)}
    return {
        "method": name,
        "first_call_seconds": round(first, 2),
        "later_process_seconds": round(later, 2),
        "more_than_import_sklearn": round(later - bare, 2),
        "is_within": first < FIRST_CALL_LIMIT and later - bare < LATER_LIMIT,
    }


def measure_memory(name: str, problem: Path, size: tuple[int, int], cache: Path) -> dict:
    """Peak resident memory of one fit, interpreter and imports included."""
    try:
        found = json.loads(_run(cache, FIT, name, problem, ADAPTERS)[1])
    except RuntimeError as problem_seen:
        return {"method": name, "size": size, "reason": str(problem_seen)}
    limit = 3 * found["x_megabytes"] + SPARE_MEGABYTES
    if name in NEIGHBOUR_METHODS:
        limit += 3 * 8 * size[0] ** 2 / 2**20
    return {
        "method": name,
        "size": size,
        "peak_megabytes": round(found["peak_megabytes"]),
        "limit_megabytes": round(limit),
        "is_within": found["peak_megabytes"] < limit,
    }


def _measure_all(folder: Path, names: list[str]) -> dict:
    cache, problem = folder / "cache", folder / "problem.npz"
    save_problem(problem, 100, 2_000, 50)
    bare = _fastest(cache, "import sklearn")
    help_seconds = _fastest(cache, HELP)
    found: dict = {
        "bare_import_sklearn_seconds": round(bare, 3),
        "help_seconds": round(help_seconds, 3),
        "help_is_within": help_seconds < HELP_LIMIT,
        "methods": [],
        "memory": [],
    }
    for name in names:
        found["methods"].append(measure_method(name, problem))
        print(found["methods"][-1], file=sys.stderr)
    for size in MEMORY_SIZES:
        save_problem(problem, *size, 50)
        for name in [name for name in MEMORY_METHODS if name in names]:
            found["memory"].append(measure_memory(name, problem, size, cache))
            print(found["memory"][-1], file=sys.stderr)
    return found


def markdown(document: dict) -> str:
    """The findings for people."""
    lines = [
        "# Starting up",
        "",
        f"{document['date']}. {machine.sentence(document['machine'])}",
        "",
        f"`import sklearn` alone: {document['bare_import_sklearn_seconds']} s. "
        f"`holdfast --help`: {document['help_seconds']} s (limit {HELP_LIMIT} s).",
        "",
        "| method | first call ever, s | later process, s | more than `import sklearn`, s | within |",
        "|---|---:|---:|---:|---|",
    ]
    lines += [_row(row, ("first_call_seconds", "later_process_seconds", "more_than_import_sklearn"))
              for row in document["methods"]]  # fmt: skip
    lines += [
        "",
        "Limit of memory: 3 × X + 300 MB; for methods of neighbours also 3 × samples × samples.",
        "",
        "| method | size | peak MB | limit MB | within |",
        "|---|---|---:|---:|---|",
    ]
    for row in document["memory"]:
        shown = row | {"size": f"{row['size'][0]:,} × {row['size'][1]:,}"}
        lines.append(_row(shown, ("size", "peak_megabytes", "limit_megabytes")))
    return "\n".join(lines) + "\n"


def _row(row: dict, keys: tuple[str, ...]) -> str:
    cells = [str(row.get(key, "")) for key in keys]
    return f"| {row['method']} | " + " | ".join([*cells, str(row.get("reason", row.get("is_within")))]) + " |"


def main() -> None:
    """Measure everything and write startup.json and startup.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__.splitlines()[0])
    parser.add_argument("--method", action="append", help="only this method; may be repeated")
    names = parser.parse_args().method or method_names()
    with tempfile.TemporaryDirectory(prefix="holdfast-startup-") as folder:
        found = _measure_all(Path(folder), names)
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe(), **found}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "startup.json").write_text(json.dumps(document, indent=1) + "\n")
    (RESULTS / "startup.md").write_text(markdown(document))
    print(markdown(document))


if __name__ == "__main__":
    main()
