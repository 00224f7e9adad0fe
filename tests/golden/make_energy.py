"""Makes energy.json: distance correlations by R's package energy.

Run with R and energy installed (Debian: ``apt-get install r-cran-energy``)::

    PYTHONPATH=tests python -m golden.make_energy
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from golden import _store, datasets

SCRIPT = _store.HERE / "energy_numbers.R"
N_COLUMNS, N_SUBSETS, LARGEST_SUBSET = 30, 12, 20
SEED = 20250
PRINTED = ("dcor", "bcdcor", "dcov_squared", "dvar_squared", "dvar_squared_of_target")


def lone_samples():
    """24 x 6: a class of one sample, a constant column (3) and one in which a single sample is apart (4)."""
    rng = np.random.default_rng(110)
    X = np.round(rng.standard_normal((24, 6)), 6)
    X[:, 3], X[:, 4] = 0.1, 0.3
    X[7, 4] = 0.7
    return datasets.GoldenData("lone_samples", X, (np.arange(24) == 11).astype(int), False)


MAKERS = {
    make.__name__: make
    for make in (
        datasets.continuous_two_class,
        datasets.continuous_three_class,
        datasets.continuous_ties,
        datasets.discrete_duplicates,
        datasets.repeated_samples,
        lone_samples,
    )
}


def run(*given):
    """What the script prints."""
    return subprocess.run(["Rscript", SCRIPT, *map(str, given)], check=True, capture_output=True, text=True).stdout


def one_hot(y):
    """A column of 0 and 1 per class."""
    return (y[:, None] == np.unique(y)).astype(float)


def draw(n_features, seed):
    """Subsets without the first column (a target), all columns as the last of them, and weights, a fifth of them 0."""
    rng = np.random.default_rng(seed)
    sizes = np.unique(np.linspace(2, min(LARGEST_SUBSET, n_features - 1), N_SUBSETS).astype(int))
    subsets = [sorted((1 + rng.permutation(n_features - 1)[:size]).tolist()) for size in sizes]
    weights = np.round(rng.gamma(1.0, size=n_features), 3)
    weights[rng.permutation(n_features)[: n_features // 5]] = 0
    return [*subsets, list(range(n_features))], weights.tolist()


def numbers(X, target, subsets, weights=None):
    """The script's columns, each with a number per subset."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("x.csv", "target.csv", "subsets.csv", "weights.csv", "out.csv")]
        np.savetxt(paths[0], X, delimiter=",", fmt="%.17g")
        np.savetxt(paths[1], target, delimiter=",", fmt="%.17g")
        paths[2].write_text("".join(",".join(str(column + 1) for column in subset) + "\n" for subset in subsets))
        np.savetxt(paths[3], np.ones(X.shape[1]) if weights is None else weights, fmt="%.17g")
        run(*paths)
        found = np.loadtxt(paths[4], delimiter=",", ndmin=2)
    return dict(zip(PRINTED, found.T.tolist(), strict=True))


def of_features(X, target):
    """Every feature alone with the target."""
    found = numbers(X, target, [[column] for column in range(X.shape[1])])
    return {key: found[key] for key in PRINTED[:3]} | {PRINTED[4]: found[PRINTED[4]][0]}


def of_subsets(X, target, subsets, weights):
    """Every subset as a whole with the target, as it is and with weighted columns."""
    plain, weighted = numbers(X, target, subsets), numbers(X, target, subsets, weights)
    return {
        "dcor_of_subsets": plain["dcor"],
        "bcdcor_of_subsets": plain["bcdcor"],
        "dcor_of_weighted_subsets": weighted["dcor"],
        "bcdcor_of_weighted_subsets": weighted["bcdcor"],
    }


def main():
    """Write energy.json."""
    package, language = run().split("\n")[:2]
    answers = {}
    for number, (name, make) in enumerate(MAKERS.items()):
        data = make()
        X = data.X[:, :N_COLUMNS]
        subsets, weights = draw(X.shape[1], SEED + number)
        answer = {"fingerprint": data.fingerprint, "n_columns": X.shape[1], "seed": SEED + number}
        answer |= {"subsets": subsets, "feature_weights": weights}
        answer["dvar_squared"] = numbers(X, X[:, 0], [[column] for column in range(X.shape[1])])["dvar_squared"]
        for key, target in (("classes", one_hot(data.y)), ("first_column", X[:, 0])):
            answer[key] = of_features(X, target) | of_subsets(X, target, subsets, weights)
        if len(np.unique(data.y)) == 2:
            answer["classes_as_0_and_1"] = of_features(X, data.y)
        answers[name] = answer
    _store.save("energy", {"energy": package, "R": language}, "tests/golden/make_energy.py", answers)


if __name__ == "__main__":
    main()
