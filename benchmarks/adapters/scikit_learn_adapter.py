"""scikit-learn's own rankings."""

from _run import serve, top
from sklearn.feature_selection import f_classif, mutual_info_classif


def mi_ranking(problem):
    return lambda: top(mutual_info_classif(problem.codes, problem.y, discrete_features=True), problem.n_select)


def f_ranking(problem):
    return lambda: top(f_classif(problem.X, problem.y)[0], problem.n_select)


if __name__ == "__main__":
    serve("scikit-learn", {"mi-ranking": mi_ranking, "f-ranking": f_ranking})
