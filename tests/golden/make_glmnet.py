"""Makes glmnet.json: where and how large features enter the paths of R's glmnet.

Run with R and glmnet installed (Debian: ``apt-get install r-cran-glmnet``)::

    PYTHONPATH=tests python -m golden.make_glmnet
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from golden import _store, datasets

SCRIPT = _store.HERE / "glmnet_paths.R"
N_PENALTIES, SMALLEST = 60, 0.02
SETS = (datasets.continuous_two_class, datasets.continuous_three_class, datasets.continuous_ties, datasets.discrete)
# Below this a coefficient is what glmnet's tolerance leaves of a zero.
ZERO = 1e-7


def run(*given):
    """What the script prints."""
    return subprocess.run(["Rscript", SCRIPT, *map(str, given)], check=True, capture_output=True, text=True).stdout


def targets_of(data, family):
    """One column per class, 0 and 1 or of unit spread; one column for two classes."""
    classes = np.unique(data.y)
    columns = [(data.y == c).astype(float) for c in (classes[1:] if len(classes) == 2 else classes)]
    if family == "gaussian":
        columns = [(t - t.mean()) / t.std() for t in columns]
    return np.column_stack(columns)


def entries(data, family, alpha):
    """For every feature the first penalty of a coefficient (null: none) and the largest coefficient there."""
    targets = targets_of(data, family)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    largest = np.abs(Z.T @ (targets - targets.mean(axis=0))).max() / len(Z) / alpha
    penalties = largest * SMALLEST ** (np.arange(N_PENALTIES) / (N_PENALTIES - 1))
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("x.csv", "targets.csv", "penalties.csv", "out.csv")]
        for path, values in zip(paths, (data.X, targets, penalties), strict=False):
            np.savetxt(path, values, delimiter=",", fmt="%.17g")
        run(paths[0], paths[1], family, alpha, paths[2], paths[3])
        found = np.abs(np.loadtxt(paths[3], delimiter=",").reshape(targets.shape[1], N_PENALTIES, -1)).max(axis=0)
    is_in = found > ZERO
    step = np.where(is_in.any(axis=0), is_in.argmax(axis=0), -1)
    size = found[step, np.arange(found.shape[1])]
    return {
        "step": [int(s) if s >= 0 else None for s in step],
        "size": [float(f"{v:.9g}") if s >= 0 else None for s, v in zip(step, size, strict=True)],
    }


def main():
    """Write glmnet.json."""
    package, language = run().split("\n")[:2]
    answers = {}
    for data in (make() for make in SETS):
        answers[data.name] = {"fingerprint": data.fingerprint}
        for family in ("binomial", "gaussian"):
            for alpha in (1.0, 0.5):
                answers[data.name][f"{family}_{alpha:g}"] = entries(data, family, alpha)
    _store.save("glmnet", {"glmnet": package, "R": language}, "tests/golden/make_glmnet.py", answers)


if __name__ == "__main__":
    main()
