"""ITMO_FS: MRMR and FCBF for discrete data, ReliefF."""

import numpy as np
from _run import range_scaled, serve, top
from ITMO_FS.filters.multivariate import FCBFDiscreteFilter, MultivariateFilter
from ITMO_FS.filters.univariate import reliefF_measure


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


def relieff(problem):
    X = range_scaled(problem.X)
    return lambda: top(reliefF_measure(X, problem.y, 10), problem.n_select)


if __name__ == "__main__":
    serve("ITMO_FS", {"mrmr-mi": mrmr_mi, "fcbf": fcbf, "relieff": relieff})
