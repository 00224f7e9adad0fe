"""CFS on van 't Veer's breast cancer table (97 × 24,481), whose times the literature prints.

``python -m benchmarks.vantveer FILE.npz`` with keys X (NaN where missing) and y. Missing cells take the median of their
gene (0 where a gene was never measured); MDL binning is part of every time. Printed times are from Pino Angulo 2019,
Tables 4.2 and 4.4, on a machine of that day.
"""

import argparse
import json
import time
import warnings

import numpy as np

import holdfast
from benchmarks import machine
from benchmarks.report import RESULTS

PRINTED = {"cfs": "about 4,700 s (implied; the cell is a misprint)", "fcfs": "24.3 s", "cfs+": "12.8 s"}
REPEATS = 5


def load(path: str) -> tuple[np.ndarray, np.ndarray]:
    """The table with its missing cells filled, and the classes."""
    with np.load(path) as data:
        X, y = data["X"].astype(np.float64), data["y"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        median = np.nan_to_num(np.nanmedian(X, axis=0))
    return np.where(np.isnan(X), median, X), y


def measure(name: str, X: np.ndarray, y: np.ndarray) -> dict:
    """Best time of a few warm runs, how many features were kept, and what it cost."""
    selector = holdfast.selector(name).fit(X, y)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        selector.fit(X, y)
        times.append(time.perf_counter() - start)
    return {
        "method": name,
        "seconds": min(times),
        "n_selected": len(selector.indices_),
        "pairs": selector.n_evaluations_.pair,
        "picks": selector.indices_.tolist(),
        "printed": PRINTED[name],
    }


def main() -> None:
    """Time FCFS and CFS+, check that they pick the same genes, and write results/vantveer.json."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vantveer", description=__doc__)
    parser.add_argument("file", help="npz file with X and y")
    X, y = load(parser.parse_args().file)
    rows = [measure(name, X, y) for name in ("cfs+", "fcfs")]
    if rows[0]["picks"] != rows[1]["picks"]:
        raise SystemExit("CFS+ and FCFS disagree")
    for row in rows:
        print(
            f"{row['method']:5} {row['seconds']:.3f} s, {row['n_selected']} genes, {row['pairs']:,} pairs; "
            f"printed: {row['printed']}"
        )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "vantveer.json").write_text(json.dumps({"machine": machine.describe(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
