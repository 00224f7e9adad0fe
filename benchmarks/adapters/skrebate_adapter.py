"""scikit-rebate: numpy inside Python loops over samples and features; distances by scipy."""

from _run import serve
from skrebate import MultiSURF, ReliefF


def relieff(problem):
    return lambda: ReliefF(n_neighbors=10).fit(problem.X, problem.y).top_features_[: problem.n_select]


def multisurf(problem):
    return lambda: MultiSURF().fit(problem.X, problem.y).top_features_[: problem.n_select]


if __name__ == "__main__":
    serve("skrebate", {"relieff": relieff, "multisurf": multisurf})
