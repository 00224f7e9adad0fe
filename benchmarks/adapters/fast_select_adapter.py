"""fast-select: numba; MRMR (difference) and CFS (best first) from full pair matrices; ReliefF, MultiSURF."""

import numpy as np
from _run import serve, top
from fast_select import CFS, MultiSURF, ReliefF, calculate_mi_single_pair, mRMR


def mrmr_mi(problem):
    codes = problem.codes.astype(np.int32)
    return lambda: mRMR(problem.n_select, method="MID", backend="cpu").fit(codes, problem.y).top_features_


def cfs(problem):
    codes = problem.codes.astype(np.int32)
    return lambda: CFS(backend="cpu", n_jobs=1).fit(codes, problem.y).selected_indices_


def mi_ranking(problem):
    columns = np.ascontiguousarray(problem.codes.T.astype(np.int32))
    target = problem.y.astype(np.int32)
    return lambda: top([calculate_mi_single_pair(column, target) for column in columns], problem.n_select)


def relieff(problem):
    options = {"n_neighbors": 10, "backend": "cpu", "n_jobs": -1}  # -1: as many threads as numba was given
    return lambda: ReliefF(problem.n_select, **options).fit(problem.X, problem.y).top_features_


def multisurf(problem):
    options = {"backend": "cpu", "n_jobs": -1}
    return lambda: MultiSURF(problem.n_select, **options).fit(problem.X, problem.y).top_features_


if __name__ == "__main__":
    methods = {"mrmr-mi": mrmr_mi, "cfs": cfs, "mi-ranking": mi_ranking, "relieff": relieff, "multisurf": multisurf}
    serve("fast-select", methods)
