"""sklearn-relief: Python loops, one pair of samples and one feature at a time."""

from _run import range_scaled, serve, top
from sklearn_relief import ReliefF


def relieff(problem):
    X = range_scaled(problem.X)
    options = {"k": 10, "n_iterations": len(problem.y), "n_jobs": 1, "random_state": 0}
    return lambda: top(ReliefF(**options).fit(X, problem.y).w_, problem.n_select)


if __name__ == "__main__":
    serve("sklearn-relief", {"relieff": relieff})
