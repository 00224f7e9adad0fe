"""scikit-learn's own rankings, recursive elimination with its support vector machines, and plain loops over halves."""

import numpy as np
from _run import over_halves, range_scaled, serve, top
from sklearn.feature_selection import RFE, f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC

STEP = 0.1
N_PENALTIES, SMALLEST_PENALTY = 10, 0.1  # as holdfast_adapter.py has them


def mi_ranking(problem):
    return lambda: top(mutual_info_classif(problem.codes, problem.y, discrete_features=True), problem.n_select)


def f_ranking(problem):
    return lambda: top(f_classif(problem.X, problem.y)[0], problem.n_select)


def anew_each_round(**options):
    """A tenth of what is left goes each round, by a machine trained from scratch; RFE itself has no such rule."""

    def prepare(problem):
        def call():
            X, left = range_scaled(problem.X), np.arange(problem.X.shape[1])
            while True:
                weights = np.abs(SVC(kernel="linear", **options).fit(X[:, left], problem.y).coef_[0])
                n_kept = int(len(left) * (1 - STEP) + 1e-9)
                if n_kept < problem.n_select:
                    return left[top(weights, problem.n_select)]
                left = np.sort(left[top(weights, n_kept)])

        return call

    return prepare


def rfe(machine, is_scaled=True):
    """RFE at its own rule: a tenth of the original number goes each round."""

    def prepare(problem):
        def call():
            X = range_scaled(problem.X) if is_scaled else problem.X
            found = RFE(machine, n_features_to_select=problem.n_select, step=STEP)
            return np.flatnonzero(found.fit(X, problem.y).support_)

        return call

    return prepare


def l1_grid(problem):
    """l1 models over penalties on each half; of each feature the frequency at its best penalty counts."""

    def call():
        counts = np.zeros((N_PENALTIES, problem.X.shape[1]))
        for rows in problem.halves:
            X, y = problem.X[rows], problem.y[rows]
            X = (X - X.mean(axis=0)) / X.std(axis=0)
            largest = np.abs((y - y.mean()) @ X).max()
            for at, share in enumerate(np.geomspace(1, SMALLEST_PENALTY, N_PENALTIES)):
                model = LogisticRegression(l1_ratio=1, solver="liblinear", C=1 / (share * largest), tol=1e-4)
                counts[at] += model.fit(X, y).coef_[0] != 0
        return top(counts.max(axis=0), problem.n_select)

    return call


if __name__ == "__main__":
    methods = {
        "mi-ranking": mi_ranking,
        "f-ranking": f_ranking,
        "svm-rfe/SVC anew": anew_each_round(),
        "svm-rfe/SVC anew, to 1e-8": anew_each_round(tol=1e-8),
        "svm-rfe-original/RFE of LinearSVC": rfe(LinearSVC()),
        "svm-rfe-original/RFE of LinearSVC, not scaled": rfe(LinearSVC(), is_scaled=False),
        "svm-rfe-original/RFE of SVC": rfe(SVC(kernel="linear")),
        "svm-rfe-original/RFE of SVC, to 1e-8": rfe(SVC(kernel="linear", tol=1e-8)),
        "stable-svm-rfe/loop over RFE of LinearSVC": over_halves(rfe(LinearSVC())),
        "stable-lasso/loop over l1 models": l1_grid,
    }
    serve("scikit-learn", methods)
