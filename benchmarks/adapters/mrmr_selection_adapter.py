"""mrmr_selection: pandas; F over mean absolute Pearson."""

import pandas as pd
from _frames import columns_of, named
from _run import over_halves, serve
from mrmr import mrmr_classif


def mrmr_f(problem):
    frame, target = named(problem.X), pd.Series(problem.y)
    return lambda: columns_of(mrmr_classif(X=frame, y=target, K=problem.n_select, n_jobs=1, show_progress=False))


if __name__ == "__main__":
    serve("mrmr_selection", {"mrmr-f": mrmr_f, "stable-mrmr-f": over_halves(mrmr_f)})
