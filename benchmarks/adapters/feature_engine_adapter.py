"""feature-engine: MRMR as MID (nearest-neighbour MI between features) and FCQ. It answers with a set."""

import pandas as pd
from _frames import columns_of, named
from _run import serve
from feature_engine.selection import MRMR


def _fit(frame, target, **options):
    dropped = set(MRMR(**options).fit(frame, target).features_to_drop_)
    return columns_of(name for name in frame.columns if name not in dropped)


def mrmr_mi(problem):
    frame, target = named(problem.codes.astype(float)), pd.Series(problem.y)
    options = {
        "method": "MID",
        "max_features": problem.n_select,
        "discrete_features": True,
        "random_state": 0,
    }
    return lambda: _fit(frame, target, **options)


def mrmr_f(problem):
    frame, target = named(problem.X), pd.Series(problem.y)
    return lambda: _fit(frame, target, method="FCQ", max_features=problem.n_select)


if __name__ == "__main__":
    serve("feature-engine", {"mrmr-mi": mrmr_mi, "mrmr-f": mrmr_f})
