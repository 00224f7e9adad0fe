"""pymrmre: C++ from mRMRe; Gaussian mutual information from Pearson, as a difference."""

import pandas as pd
from _frames import columns_of, named
from _run import serve
from pymrmre import mrmr


def mrmr_f(problem):
    frame = named(problem.X)
    target = pd.DataFrame({"class": problem.y.astype(float)})

    def call():
        found = mrmr.mrmr_ensemble(features=frame, targets=target, solution_length=problem.n_select, solution_count=1)
        return columns_of(found.iloc[0][0])

    return call


if __name__ == "__main__":
    serve("pymrmre", {"mrmr-f": mrmr_f})
