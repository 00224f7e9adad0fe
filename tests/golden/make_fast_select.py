"""Makes fast_select.json: ReliefF of fast-select, which takes tied neighbours in the order of the rows.

Runs in the environment of the benchmark (``make bench-peers``), which has numpy and fast-select::

    PYTHONPATH=tests .bench/fast-select/bin/python -m golden.make_fast_select
"""

from importlib.metadata import version

import numpy as np

from golden import _store, datasets


def scores_of(data):
    """All columns as codes or none; the scores are 32-bit numbers."""
    from fast_select import MultiSURF, ReliefF

    limit = 10 if data.is_discrete else 0
    methods = {
        "relieff_10": ReliefF(discrete_limit=limit, n_neighbors=10, backend="cpu", n_jobs=1),
        "relieff_3": ReliefF(discrete_limit=limit, n_neighbors=3, backend="cpu", n_jobs=1),
        "multisurf": MultiSURF(discrete_limit=limit, backend="cpu", n_jobs=1),
    }
    return {name: method.fit(data.X, data.y).feature_importances_.tolist() for name, method in methods.items()}


def main():
    """Write fast_select.json."""
    data_sets = {
        data.name: {"fingerprint": data.fingerprint} | scores_of(data)
        for data in (make() for make in datasets.FOR_NEIGHBOURS)
        if data.name != "mixed"
    }
    versions = {"fast-select": version("fast-select"), "numpy": np.__version__}
    _store.save("fast_select", versions, "tests/golden/make_fast_select.py", data_sets)


if __name__ == "__main__":
    main()
