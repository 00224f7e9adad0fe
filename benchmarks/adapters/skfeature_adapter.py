"""scikit-feature (the skfeature-chappers fork): pure Python loops over pairs."""

from _run import range_scaled, serve, top
from skfeature.function.information_theoretical_based import FCBF, LCSI
from skfeature.function.similarity_based import reliefF
from skfeature.function.statistical_based import CFS
from skfeature.utility.mutual_information import information_gain


def mrmr_mi(problem):
    # Its own mrmr() hands back ranks cut short, so the search below it is called.
    return lambda: LCSI.lcsi(
        problem.codes,
        problem.y,
        mode="index",
        gamma=0,
        function_name="MRMR",
        n_selected_features=problem.n_select,
    )


def cfs(problem):
    return lambda: CFS.cfs(problem.codes, problem.y, mode="index")


def fcbf(problem):
    return lambda: FCBF.fcbf(problem.codes, problem.y, mode="index")


def mi_ranking(problem):
    return lambda: top([information_gain(column, problem.y) for column in problem.codes.T], problem.n_select)


def relieff(problem):
    X = range_scaled(problem.X)
    return lambda: top(reliefF.reliefF(X, problem.y, mode="raw", k=10), problem.n_select)


if __name__ == "__main__":
    methods = {"mrmr-mi": mrmr_mi, "cfs": cfs, "fcbf": fcbf, "mi-ranking": mi_ranking, "relieff": relieff}
    serve("skfeature-chappers", methods)
