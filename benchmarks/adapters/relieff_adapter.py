"""The package ReliefF: a KD tree over the raw values, and equality in place of difference."""

from _run import serve, top
from ReliefF import ReliefF


def relieff(problem):
    def call():
        model = ReliefF(n_neighbors=10)
        model.fit(problem.X, problem.y)
        return top(model.feature_scores, problem.n_select)

    return call


if __name__ == "__main__":
    serve("ReliefF", {"relieff": relieff})
