"""ITMO_FS: MRMR and FCBF for discrete data."""

import numpy as np
from _run import serve
from ITMO_FS.filters.multivariate import FCBFDiscreteFilter, MultivariateFilter


def mrmr_mi(problem):
    codes = problem.codes.astype(np.int64)

    def call():
        model = MultivariateFilter("MRMR", problem.n_select)
        model.fit(codes, problem.y)
        return model.selected_features

    return call


def fcbf(problem):
    codes = problem.codes.astype(np.int64)

    def call():
        model = FCBFDiscreteFilter()
        model.fit(codes, problem.y)
        return model.selected_features

    return call


if __name__ == "__main__":
    serve("ITMO_FS", {"mrmr-mi": mrmr_mi, "fcbf": fcbf})
