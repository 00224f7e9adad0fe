"""The seven classifiers of chapter 4, set as reproduces most of the printed numbers, and its measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from scipy.special import expit
from sklearn import config_context
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

Array = npt.NDArray[Any]
# From training samples, their classes and other samples to the classes of these.
Classifier = Callable[[Array, Array, Array], Array]


def _knn(X: Array, y: Array, others: Array) -> Array:
    nearest = cdist(others, X, "sqeuclidean").argsort(axis=1, kind="stable")[:, :5]
    return np.asarray(y[nearest].sum(axis=1) >= 3, dtype=np.int64)


def _linear_svm(X: Array, y: Array, others: Array) -> Array:
    return np.asarray(SVC(kernel="linear", C=1.0).fit(X, y).predict(others))


def _rbf_svm(X: Array, y: Array, others: Array) -> Array:
    mean, spread = X.mean(axis=0), X.std(axis=0, ddof=1)
    spread = np.where(spread > 0, spread, 1.0)
    machine = SVC(kernel="rbf", gamma=0.5, C=1.0).fit((X - mean) / spread, y)
    return np.asarray(machine.predict((others - mean) / spread))


def _logistic(X: Array, y: Array, others: Array) -> Array:
    """Maximum likelihood by Newton's steps, which end when the likelihood grows no more or after 100."""
    A = np.column_stack([np.ones(len(X)), X])
    beta = likeliest = np.zeros(A.shape[1])
    before = -np.inf
    for _ in range(100):
        share = expit(A @ beta)
        likelihood = float(np.log(np.where(y == 1, share, 1 - share) + 1e-300).sum())
        if likelihood > before:
            likeliest = beta
        if likelihood - before < 1e-8:
            break
        before = likelihood
        weight = share * (1 - share)
        beta = beta + np.linalg.lstsq((A.T * weight) @ A, A.T @ (y - share), rcond=1e-12)[0]
    return np.asarray(np.column_stack([np.ones(len(others)), others]) @ likeliest > 0, dtype=np.int64)


def _diagonal_lda(X: Array, y: Array, others: Array) -> Array:
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    variance = ((X - means[y]) ** 2).sum(axis=0) / (len(X) - 2)
    variance = np.where(variance > 0, variance, np.inf)
    return _likelier(others, y, means, np.array([variance, variance]))


def _naive_bayes(X: Array, y: Array, others: Array) -> Array:
    means = np.array([X[y == c].mean(axis=0) for c in (0, 1)])
    variances = np.array([X[y == c].var(axis=0, ddof=1) for c in (0, 1)])
    # A feature that is constant in a class says nothing here.
    return _likelier(others, y, means, np.where((variances > 0).all(axis=0), variances, np.inf))


def _likelier(others: Array, y: Array, means: Array, variances: Array) -> Array:
    """Class by normal densities of independent features and the shares of the classes."""
    tells = np.isfinite(variances[0])
    scores = []
    for c in (0, 1):
        off = (others[:, tells] - means[c, tells]) ** 2 / variances[c, tells]
        scores.append(np.log(np.mean(y == c)) - 0.5 * (np.log(variances[c, tells]) + off).sum(axis=1))
    return np.asarray(scores[1] > scores[0], dtype=np.int64)


def _tree(X: Array, y: Array, others: Array) -> Array:
    return np.asarray(DecisionTreeClassifier(min_samples_split=10, random_state=0).fit(X, y).predict(others))


CLASSIFIERS: Mapping[str, Classifier] = {
    "SVM": _linear_svm,
    "SVMn": _rbf_svm,
    "kNN": _knn,
    "LogReg": _logistic,
    "LDA": _diagonal_lda,
    "NB": _naive_bayes,
    "Tree": _tree,
}
# Tables 4.6 and 4.7 are about these.
THREE = ("SVM", "kNN", "NB")
MEASURES = ("J_tr", "J_te", "TPR", "TNR", "G", "F")


def predicted(classifier: str, X: Array, y: Array, others: Array) -> Array:
    """Class of other samples; without features, that of most."""
    if X.shape[1] == 0:
        return np.full(len(others), int(2 * y.sum() > len(y)))
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return CLASSIFIERS[classifier](X, y, others)


def rates(truth: Array, answers: Array) -> tuple[float, float, float, float, float]:
    """Accuracy, TPR, TNR, their geometric and their harmonic mean, which is what chapter 4 calls F."""
    is_right = truth == answers
    tpr, tnr = float(is_right[truth == 1].mean()), float(is_right[truth == 0].mean())
    harmonic = 2 * tpr * tnr / (tpr + tnr) if tpr + tnr else 0.0
    return float(is_right.mean()), tpr, tnr, (tpr * tnr) ** 0.5, harmonic
