"""Cross-validated scores: scikit-learn's on the same splits, blind to orders and names, each subset evaluated once."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, make_scorer, roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB

from holdfast import DataError
from holdfast.measures._pooled import weighted_area
from holdfast.measures.wrapper_score import WrapperScore
from oracles import datasets

SUBSETS = [[0], [1, 3], [0, 1, 2, 3, 4]]


@pytest.fixture(params=[2, 3])
def data(seed, request):
    return datasets.continuous(seed, n_samples=36, n_classes=request.param)


def _judged(data, **options):
    return WrapperScore(data.X, data.y, **{"cv": 4, "random_state": 0, **options})


def _area(y, scores):
    classes = np.unique(y)
    if len(classes) == 2:
        return roc_auc_score(y, scores if scores.ndim == 1 else scores[:, 1])
    return np.average([roc_auc_score(y == c, scores[:, i]) for i, c in enumerate(classes)], weights=np.bincount(y))


@pytest.mark.parametrize(
    ("estimator", "method"),
    [
        (GaussianNB(), "predict_proba"),
        (RidgeClassifier(), "decision_function"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value,
)
def test_areas_are_those_of_scikit_learn_over_all_test_samples(data, estimator, method):
    # No two samples are equal, so that rounding settles no tie between their scores.
    X = data.X + np.random.default_rng(1).normal(size=data.X.shape)
    splits = list(StratifiedKFold(4, shuffle=True, random_state=1).split(X, data.y))
    found = WrapperScore(X, data.y, estimator=estimator, cv=splits).scores(SUBSETS)
    for subset, area in zip(SUBSETS, found, strict=True):
        scores = cross_val_predict(estimator, X[:, subset], data.y, cv=splits, method=method)
        assert area == pytest.approx(_area(data.y, scores), abs=1e-12)


def test_the_area_is_scikit_learns_for_probabilities_of_many_classes(seed):
    rng = np.random.default_rng(seed)
    for n_classes in (2, 3, 5):
        truth = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, size=60)])
        scores = rng.integers(1, 6, size=(len(truth), n_classes)).astype(float)
        scores[np.arange(len(truth)), truth] += 2
        scores /= scores.sum(axis=1, keepdims=True)
        if n_classes == 2:
            expected = roc_auc_score(truth, scores[:, 1])
        else:
            expected = roc_auc_score(truth, scores, multi_class="ovr", average="weighted")
        assert weighted_area(truth, scores) == pytest.approx(expected, abs=1e-12)


def test_the_area_is_that_of_pairs_counted_one_by_one(seed):
    rng = np.random.default_rng(seed)
    for n_classes in (2, 3, 4):
        truth = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, size=25)])
        scores = rng.integers(0, 4, size=(len(truth), n_classes)).astype(float)
        scores[scores == 0] = -np.inf
        area = Fraction(0)
        for c in range(n_classes):
            own, others = scores[truth == c, c], scores[truth != c, c]
            won = sum(Fraction(int(a > b) * 2 + int(a == b), 2) for a in own for b in others)
            area += Fraction(len(own), len(truth)) * won / (len(own) * len(others))
        assert weighted_area(truth, scores) == float(area)


@pytest.mark.parametrize(
    ("scoring", "metric"), [("accuracy", accuracy_score), ("balanced-accuracy", balanced_accuracy_score)]
)
def test_accuracies_are_those_of_scikit_learn_over_all_test_samples(data, scoring, metric):
    splits = list(StratifiedKFold(4, shuffle=True, random_state=1).split(data.X, data.y))
    found = _judged(data, estimator=GaussianNB(), scoring=scoring, cv=splits).scores(SUBSETS)
    for subset, score in zip(SUBSETS, found, strict=True):
        predicted = cross_val_predict(GaussianNB(), data.X[:, subset], data.y, cv=splits)
        assert score == pytest.approx(metric(data.y, predicted), abs=1e-12)


def test_a_scorer_is_asked_on_every_test_part_and_the_mean_counts(data):
    scorer = make_scorer(f1_score, average="macro")
    splits = list(StratifiedKFold(4).split(data.X, data.y))
    found = _judged(data, estimator=GaussianNB(), scoring=scorer, cv=splits).scores(SUBSETS)
    for subset, score in zip(SUBSETS, found, strict=True):
        expected = cross_val_score(GaussianNB(), data.X[:, subset], data.y, cv=splits, scoring=scorer).mean()
        assert score == pytest.approx(expected, abs=1e-12)


def test_a_subset_is_evaluated_once_in_whatever_order_its_features_come(data):
    judged = _judged(data)
    first = judged.scores([[0, 1], [1, 0], [1, 0, 1], [2], []])
    again = judged.scores([[2], [0, 1], []])
    assert first[0] == first[1] == first[2] == again[1]
    assert (first[3], first[4]) == (again[0], again[2])
    assert (judged.n_requests, judged.n_cache_hits, judged.n_subsets) == (8, 5, 3)
    assert judged.n_trained == 2 * 4
    assert judged.score([2]) == first[3]


@pytest.mark.parametrize("scoring", ["auc", "accuracy", "balanced-accuracy", make_scorer(f1_score, average="macro")])
@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["tree", "bayes"])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_neither_jobs_nor_backend_change_a_score(data, estimator, scoring, backend):
    subsets = [[f, (f + 3) % 10] for f in range(4)]
    alone = _judged(data, estimator=estimator, scoring=scoring).scores(subsets)
    assert _judged(data, estimator=estimator, scoring=scoring, n_jobs=2).scores(subsets) == alone
    with joblib.parallel_config(backend=backend, n_jobs=2):
        judged = _judged(data, estimator=estimator, scoring=scoring)
        assert [judged.score(subset) for subset in subsets] == alone


KINDS = [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed]


@pytest.mark.parametrize("scoring", ["auc", "accuracy"])
@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["tree", "bayes"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_neither_order_of_samples_nor_names_of_classes_change_a_bit(kind, n_classes, estimator, scoring, seed):
    data = kind(seed, n_classes=n_classes)
    rng = np.random.default_rng([seed, 5])
    subsets = [rng.permutation(data.X.shape[1])[:3] for _ in range(5)]
    plain = _judged(data, estimator=estimator, scoring=scoring).scores(subsets)
    rows = rng.permutation(len(data.y))
    moved = datasets.Data("moved", data.X[rows], data.y[rows])
    assert _judged(moved, estimator=estimator, scoring=scoring).scores(subsets) == plain
    if estimator is not None:
        # Naive Bayes names the first of two classes that are equally likely.
        return
    for names in (np.array([2, 1, 0]), np.array([1, 2, 0]), np.array(["b", "c", "a"])):
        renamed = datasets.Data("renamed", data.X, names[data.y])
        assert _judged(renamed, estimator=estimator, scoring=scoring).scores(subsets) == plain


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_neither_scale_nor_direction_of_a_feature_matters_to_the_tree(kind, n_classes, seed):
    data = kind(seed, n_classes=n_classes)
    X = np.round(data.X * 8) / 8
    rng = np.random.default_rng([seed, 6])
    n_features = X.shape[1]
    subsets = [rng.permutation(n_features)[:3] for _ in range(5)]
    plain = WrapperScore(X, data.y, cv=4, random_state=0).scores(subsets)
    for factor, shift in ((-1.0, 0.0), (4.0, 64.0), (-0.25, 5.0), (2.0**-60, 0.0), (2.0**60, 0.0), (1.0, 2.0**30)):
        assert WrapperScore(X * factor + shift, data.y, cv=4, random_state=0).scores(subsets) == plain
    factors, shifts = rng.choice([-4.0, -1.0, -0.5, 0.25, 2.0], n_features), rng.choice([-16.0, 0.0, 64.0], n_features)
    assert WrapperScore(X * factors + shifts, data.y, cv=4, random_state=0).scores(subsets) == plain


class Seeing(ClassifierMixin, BaseEstimator):
    """A classifier that writes down what it is given."""

    seen: ClassVar[list] = []

    def fit(self, X, y):
        self.seen.append((X, y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_classifier_sees_values_and_labels_as_they_came(data):
    names = np.array(["control", "case", "other"])[data.y]
    Seeing.seen = []
    WrapperScore(data.X, names, estimator=Seeing(), scoring="accuracy", cv=4, random_state=0).scores([[4, 2]])
    X, y = (np.concatenate(parts) for parts in zip(*Seeing.seen, strict=True))
    rows = set(zip(*data.X[:, [2, 4]].T.tolist(), names.tolist(), strict=True))
    assert set(zip(*X.T.tolist(), y.tolist(), strict=True)) == rows


def test_a_constant_answer_of_the_users_scores_the_share_of_its_class(data):
    always = DummyClassifier(strategy="constant", constant=1)
    judged = _judged(data, estimator=always, scoring="accuracy")
    assert judged.score([0]) == (data.y == 1).mean()


@pytest.mark.parametrize("sizes", [(12, 12), (20, 8), (10, 8, 6)])
def test_without_features_a_score_is_that_of_knowing_nothing(sizes, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    X = np.random.default_rng(seed).normal(size=(len(y), 2))
    scores = {s: WrapperScore(X, y, cv=4, scoring=s).score([]) for s in ("auc", "accuracy", "balanced-accuracy")}
    assert scores == {"auc": 0.5, "accuracy": max(sizes) / sum(sizes), "balanced-accuracy": 1 / len(sizes)}
    judged = WrapperScore(X, y, cv=4, scoring=make_scorer(accuracy_score))
    assert judged.score([]) == pytest.approx(max(sizes) / sum(sizes), abs=0.05)
    assert judged.n_trained == 0


def test_a_table_without_features_scores_as_a_subset_without_any(data):
    assert WrapperScore(data.X[:, :0], data.y, cv=3).score([]) == 0.5


def test_a_class_that_was_not_trained_on_gets_the_least_score(data):
    y = data.y.copy()
    y[:2] = 7
    splits = [(np.arange(2, 20), np.r_[0, 20:36]), (np.r_[1, 20:36], np.arange(2, 20))]
    for estimator in (GaussianNB(), LogisticRegression(), RidgeClassifier()):
        assert 0 <= WrapperScore(data.X, y, estimator=estimator, cv=splits).score([0, 1]) <= 1


def test_a_class_that_is_not_tested_does_not_count(data):
    y = data.y.copy()
    y[:2] = 7
    splits = [(np.arange(24), np.arange(24, 36))]
    for scoring in ("auc", "balanced-accuracy"):
        assert 0 <= WrapperScore(data.X, y, cv=splits, scoring=scoring).score([0, 1]) <= 1


def test_an_area_over_one_class_is_refused(data):
    splits = [(np.arange(len(data.y)), np.flatnonzero(data.y == 0))]
    with pytest.raises(DataError, match=r"all test samples are of one class, '0'.*scoring='accuracy'"):
        _judged(data, estimator=GaussianNB(), cv=splits)
    assert _judged(data, estimator=GaussianNB(), cv=splits, scoring="accuracy").score([0]) <= 1


def test_a_classifier_without_scores_is_refused_for_the_area(data):
    with pytest.raises(ValueError, match=r"Seeing has neither predict_proba nor decision_function.*'accuracy'"):
        _judged(data, estimator=Seeing()).score([0])


class Odd(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are of no use."""

    def __init__(self, answer=None):
        self.answer = answer

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), np.nan)

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_) + (self.answer == "wide")), np.nan)


def test_scores_that_are_no_numbers_or_not_one_per_class_are_refused(data):
    with pytest.raises(ValueError, match="estimator: Odd gave NaN for 9 samples"):
        _judged(data, estimator=Odd()).score([0])
    with pytest.raises(ValueError, match=r"estimator: Odd gave an array of shape \(9, "):
        _judged(data, estimator=Odd("wide")).score([0])


@pytest.mark.parametrize("estimator", [Odd(), LinearRegression()], ids=["NaN", "regression"])
def test_predictions_that_are_no_classes_are_refused(data, estimator):
    with pytest.raises(ValueError, match=rf"{type(estimator).__name__} predicted .*none of the classes \(0, 1"):
        _judged(data, estimator=estimator, scoring="accuracy").score([0, 1])


@pytest.mark.parametrize("answer", [np.nan, np.inf, "good", None, np.ones(2)], ids=repr)
def test_a_scorer_that_gives_no_number_is_refused(data, answer):
    with pytest.raises(ValueError, match="scoring: the scorer gave"):
        _judged(data, scoring=lambda estimator, X, y: answer).score([0])


def test_a_class_of_one_sample_is_refused_by_name(data):
    y = np.where(data.y == 1, "case", "control")
    y[0] = "odd"
    with pytest.raises(DataError, match="'odd' has 1 sample"):
        WrapperScore(data.X, y)


def test_splits_of_ones_own_are_taken(data):
    assert 0 <= _judged(data, cv=KFold(5)).score([0, 1]) <= 1
