"""Our own curves over p and over n, as data and as a plot: ``python -m benchmarks.scaling``."""

import argparse
import dataclasses
import datetime as dt
import json
import sys
from pathlib import Path

from benchmarks import machine
from benchmarks.race import TooSlow, race
from benchmarks.report import RESULTS
from benchmarks.runner import Bounds
from benchmarks.tasks import TASKS

OVER_FEATURES = [(100, p) for p in (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)]
OVER_SAMPLES = [(n, 2_000) for n in (50, 100, 200, 500, 1_000, 2_000, 5_000)]


def measure(sizes: list[tuple[int, int]], bounds: Bounds) -> list[dict]:
    """One point per entry and size: seconds, or the reason there are none."""
    points = []
    for task in TASKS:
        task = dataclasses.replace(task, entries=tuple(e for e in task.entries if e.peer == "holdfast"))
        too_slow: TooSlow = {}
        for size in sizes:
            print(f"{task.name}: {size[0]:,} × {size[1]:,}", file=sys.stderr)
            for result in race(task, size, bounds, too_slow, say=lambda line: print(line, file=sys.stderr)):
                point = {"task": task.name, "label": result["label"], "size": size}
                if "seconds" in result:
                    point |= {"seconds": min(result["seconds"]), "peak_megabytes": result["peak_megabytes"]}
                else:
                    point["reason"] = result["reason"]
                points.append(point)
    return points


def plot(curves: dict[str, list[dict]], path: Path) -> None:
    """Two panels, seconds against features and against samples, on logarithmic axes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(13, 5.5), sharey=True)
    named = (("over_features", 1, "features (100 samples)"), ("over_samples", 0, "samples (2,000 features)"))
    for panel, (curve, axis, label) in zip(panels, named, strict=True):
        panel.set_prop_cycle(color=plt.get_cmap("tab20").colors)
        lines: dict[str, list[tuple[int, float]]] = {}
        for point in curves[curve]:
            if "seconds" in point:
                name = f"{point['task']}: {point['label']}"
                lines.setdefault(name, []).append((point["size"][axis], point["seconds"]))
        for name, places in lines.items():
            panel.plot(*zip(*places, strict=True), marker="o", markersize=3, label=name)
        panel.set(xscale="log", yscale="log", xlabel=label)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("seconds")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="center right", fontsize="small")
    figure.tight_layout(rect=(0, 0, 0.76, 1))
    figure.savefig(path, dpi=130)


def main() -> None:
    """Measure both curves and write scaling.json and scaling.png."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="bound of one run")
    parser.add_argument("--quick", action="store_true", help="three points a curve")
    asked = parser.parse_args()
    bounds = Bounds(seconds=asked.seconds, worth_seconds=0.5)
    step = 2 if asked.quick else 1
    curves = {
        "over_features": measure(OVER_FEATURES[: 5 if asked.quick else None : step], bounds),
        "over_samples": measure(OVER_SAMPLES[: 5 if asked.quick else None : step], bounds),
    }
    RESULTS.mkdir(exist_ok=True)
    document = {"date": dt.date.today().isoformat(), "machine": machine.describe(), **curves}
    (RESULTS / "scaling.json").write_text(json.dumps(document, indent=1) + "\n")
    plot(curves, RESULTS / "scaling.png")


if __name__ == "__main__":
    main()
