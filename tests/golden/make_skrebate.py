"""Makes skrebate.json: the Relief family of scikit-rebate on the data sets of this folder.

Runs in the environment of the benchmark (``make bench-peers``), which has numpy and scikit-rebate::

    PYTHONPATH=tests .bench/skrebate/bin/python -m golden.make_skrebate
"""

from importlib.metadata import version

import numpy as np

from golden import _store, datasets

UNTIED = {("relieff_3", "discrete_apart_two_class"), ("relieff_3", "discrete_apart_three_class")}


def scores_of(data):
    """Every method on one data set, all features as codes or none."""
    import skrebate

    methods = {
        "relieff_10": skrebate.ReliefF(n_neighbors=10),
        "relieff_3": skrebate.ReliefF(n_neighbors=3),
        "surf": skrebate.SURF(),
        "surf*": skrebate.SURFstar(),
        "multisurf": skrebate.MultiSURF(),
        "multisurf*": skrebate.MultiSURFstar(),
    }
    scores = {}
    for name, method in methods.items():
        if name.startswith("relieff") and data.is_discrete and (name, data.name) not in UNTIED:
            continue  # tied neighbours, which it takes in the order of an unstable sort
        method.categorical_features = data.nominal
        scores[name] = method.fit(data.X.copy(), data.y).feature_importances_.tolist()
    return scores


def main():
    """Write skrebate.json."""
    data_sets = {
        data.name: {"fingerprint": data.fingerprint} | scores_of(data)
        for data in (make() for make in datasets.FOR_NEIGHBOURS)
        if data.name != "mixed"  # it scores mixed tables by a rule of its own
    }
    versions = {"skrebate": version("skrebate"), "numpy": np.__version__}
    _store.save("skrebate", versions, "tests/golden/make_skrebate.py", data_sets)


if __name__ == "__main__":
    main()
