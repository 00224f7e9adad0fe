"""scikit-lego: F over summed absolute Pearson, the same order as over the mean."""

from _run import serve
from sklego.feature_selection import MaximumRelevanceMinimumRedundancy


def mrmr_f(problem):
    return lambda: (
        MaximumRelevanceMinimumRedundancy(k=problem.n_select, kind="classification")
        .fit(problem.X, problem.y)
        .selected_features_
    )


if __name__ == "__main__":
    serve("scikit-lego", {"mrmr-f": mrmr_f})
