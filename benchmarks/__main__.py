"""``python -m benchmarks``: every task at every size, ours and the peers in one run."""

import argparse
import dataclasses
import sys

from benchmarks import report
from benchmarks.data import SIZES
from benchmarks.race import TooSlow, race
from benchmarks.runner import Bounds
from benchmarks.tasks import TASKS


def _size(text: str) -> tuple[int, int]:
    try:
        n_samples, n_features = (int(part.replace(",", "")) for part in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 100x2000") from None
    return n_samples, n_features


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes, 10 s a run")
    parser.add_argument("--task", action="append", choices=[task.name for task in TASKS], help="may be repeated")
    parser.add_argument("--size", action="append", type=_size, metavar="NxP", help="such as 100x2000; may be repeated")
    parser.add_argument("--only", action="append", metavar="PEER", help="race only these peers (and holdfast)")
    parser.add_argument("--seconds", type=float, help="bound of one run (default 60)")
    parser.add_argument("--gigabytes", type=float, default=8.0, help="memory bound of one peer")
    parser.add_argument("--threads", type=int, default=1, help="threads each program may use")
    parser.add_argument("--name", help="results/<name>.json and .md (default: peers, or quick)")
    return parser.parse_args()


def main() -> None:
    """Race, then save after every table, so that an interrupted run leaves what it has."""
    asked = _arguments()
    sizes = asked.size or (SIZES[:2] if asked.quick else SIZES)
    seconds = asked.seconds or (10.0 if asked.quick else 60.0)
    bounds = Bounds(seconds=seconds, gigabytes=asked.gigabytes, n_threads=asked.threads)
    tables: list[dict] = []
    for task in TASKS:
        if asked.task and task.name not in asked.task:
            continue
        if asked.only:
            kept = tuple(entry for entry in task.entries if entry.peer in {"holdfast", *asked.only})
            task = dataclasses.replace(task, entries=kept)
        too_slow: TooSlow = {}
        for size in sizes:
            print(f"{task.title}: {size[0]:,} × {size[1]:,}", file=sys.stderr)
            results = race(task, size, bounds, too_slow, say=lambda line: print(line, file=sys.stderr))
            report.compare(results)
            tables.append({"task": task.name, "title": task.title, "size": size, "results": results})
            path = report.save(asked.name or ("quick" if asked.quick else "peers"), tables, dataclasses.asdict(bounds))
    print(path.read_text())
    differing = report.disagreements(tables)
    if differing:
        raise SystemExit("\n".join(["Same objective, other picks:", *differing]))


if __name__ == "__main__":
    main()
