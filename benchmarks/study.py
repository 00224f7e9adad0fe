"""A whole study against the loop that people write: ``python -m benchmarks.study``.

The loop is scikit-learn's ``cross_val_predict`` over a pipeline of the same selector, scaler and classifier, once for
every size and classifier; both must name the same classes. Beside it: the same study on two workers, kept in a folder,
taken up again when it is complete, its summary, and its report.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from benchmarks import machine
from benchmarks.report import RESULTS
from holdfast import report
from holdfast.data import copies
from holdfast.evaluate import classifier

METHODS, CLASSIFIERS = ("mrmr+", "svm-rfe", "relieff", "f-test"), ("svm", "knn", "nb")
SIZES, PROTOCOL = (5, 10, 20, 50), "10cv"
TABLES = ((100, 2_000), (100, 10_000), (100, 25_000))


def timed(work) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def loop(plan) -> dict:
    """Predictions of every method, size and classifier, each a pipeline of its own, on the splits of the plan."""
    splits = [(split.train, split.test) for split in plan.splits]
    found = {}
    for method in METHODS:
        for size in SIZES:
            for name in CLASSIFIERS:
                chosen = holdfast.selector(method, n_features_to_select=size)
                model = make_pipeline(chosen, StandardScaler(), classifier(name).model)
                found[method, size, name] = cross_val_predict(model, plan.table.X, plan.classes, cv=splits)
    return found


def same_classes(study, by_loop) -> bool:
    for number, method in enumerate(METHODS):
        for size in SIZES:
            for name in CLASSIFIERS:
                ours = np.empty(len(study.plan.classes), dtype=np.int64)
                for part in study.predictions(number, size, name):
                    ours[part.rows] = part.predicted
                if not np.array_equal(ours, by_loop[method, size, name]):
                    return False
    return True


def measure(n_samples: int, n_features: int) -> dict:
    made = copies(n_samples, n_features, random_state=0)
    asked = {"methods": METHODS, "sizes": SIZES, "classifiers": CLASSIFIERS, "protocol": PROTOCOL}
    holdfast.compare(made.X[:, :200], made.y, **asked)
    alone, study = timed(lambda: holdfast.compare(made.X, made.y, **asked))
    two, _ = timed(lambda: holdfast.compare(made.X, made.y, **asked, workers=2))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "study"
        kept, _ = timed(lambda: holdfast.compare(made.X, made.y, **asked, out=place))
        again, _ = timed(lambda: holdfast.compare(made.X, made.y, **asked, out=place))
        summary, _ = timed(study.summary)
        page, _ = timed(lambda: report.write(study, place))
        megabytes = (place / "report.html").stat().st_size / 2**20
    by_loop, found = timed(lambda: loop(study.plan))
    return {
        "table": f"{n_samples} × {n_features:,}",
        "study": alone,
        "two workers": two,
        "kept in a folder": kept,
        "taken up again": again,
        "summary": summary,
        "report": page,
        "report megabytes": megabytes,
        "loop": by_loop,
        "loop / study": by_loop / alone,
        "same classes": same_classes(study, found),
    }


def markdown(rows: list[dict], facts: dict) -> str:
    names = [name for name in rows[0] if name not in ("table", "same classes")]
    lines = [
        "# A whole study",
        "",
        f"{len(METHODS)} methods ({', '.join(METHODS)}) × {len(SIZES)} sizes × {len(CLASSIFIERS)} classifiers on "
        f"{PROTOCOL}, seconds. The loop is scikit-learn's `cross_val_predict` over a pipeline of the same selector, "
        "scaler and classifier, for every size and classifier; all predicted classes are compared.",
        "",
        f"| samples × features | {' | '.join(names)} | same classes |",
        f"|---|{'---:|' * len(names)}---|",
    ]
    for row in rows:
        cells = " | ".join(f"{row[name]:.3g}" for name in names)
        lines.append(f"| {row['table']} | {cells} | {'all' if row['same classes'] else 'NO'} |")
    return "\n".join([*lines, "", f"{facts['date']}. {machine.sentence(facts['machine'])}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=25_000, help="largest number of features")
    asked = parser.parse_args()
    rows = [measure(*table) for table in TABLES if table[1] <= asked.largest]
    facts = {"date": dt.date.today().isoformat(), "machine": machine.describe()}
    (RESULTS / "study.json").write_text(json.dumps({**facts, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "study.md").write_text(markdown(rows, facts), encoding="utf-8")
    print(markdown(rows, facts))
    if not all(row["same classes"] for row in rows):
        raise SystemExit("The study and the loop name different classes.")


if __name__ == "__main__":
    main()
