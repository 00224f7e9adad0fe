"""Weighted metrics against scikit-learn, with ties, weights and absent classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    brier_score_loss,
    f1_score,
    recall_score,
    roc_auc_score,
)

from holdfast import DataError
from holdfast.evaluate._bootstrap import Predictions, jackknife_intervals
from holdfast.evaluate.metrics import METRICS, larger_is_better, weighted_metrics
from oracles import comparisons


def plain(truth, predicted, scores=None, is_probability=True, n_classes=2):
    found = weighted_metrics(truth, predicted, scores, is_probability, n_classes, np.ones((1, len(truth))))
    return {name: float(value[0]) for name, value in found.items()}


def drawn(seed, n_classes, n=40):
    rng = np.random.default_rng([seed, 74, n_classes])
    truth = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)])
    probabilities = np.round(rng.dirichlet(np.ones(n_classes), size=n), 1)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return truth, rng.permutation(truth), probabilities, rng.integers(1, 4, size=(3, n)).astype(float)


def by_sklearn(truth, predicted, probabilities, weight):
    n_classes = probabilities.shape[1]
    several = {"average": "macro"} if n_classes > 2 else {}
    found = {
        "accuracy": accuracy_score(truth, predicted, sample_weight=weight),
        "balanced_accuracy": balanced_accuracy_score(truth, predicted, sample_weight=weight),
        "error": 1 - accuracy_score(truth, predicted, sample_weight=weight),
        "auc": np.mean(
            [
                roc_auc_score(truth == c, probabilities[:, c], sample_weight=weight)
                for c in ([1] if n_classes == 2 else range(n_classes))
            ]
        ),
        "sensitivity": recall_score(truth, predicted, sample_weight=weight, **several),
        "specificity": np.mean(
            [
                recall_score(truth != c, predicted != c, sample_weight=weight)
                for c in ([1] if n_classes == 2 else range(n_classes))
            ]
        ),
        "f1": f1_score(truth, predicted, sample_weight=weight, **several),
    }
    miss = ((probabilities - np.eye(n_classes)[truth]) ** 2).sum(axis=1) / 2
    found["brier"] = np.average(miss, weights=weight)
    return found


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_metrics_are_those_of_scikit_learn_for_every_row_of_weights(n_classes, seed):
    truth, predicted, probabilities, weights = drawn(seed, n_classes)
    scores = probabilities[:, 1] if n_classes == 2 else probabilities
    found = weighted_metrics(truth, predicted, scores, True, n_classes, weights)
    for row, weight in enumerate(weights):
        expected = by_sklearn(truth, predicted, probabilities, weight)
        assert {name: found[name][row] for name in METRICS} == pytest.approx(expected, rel=1e-12)


def test_the_auc_of_several_classes_is_the_one_against_rest_mean_of_scikit_learn(seed):
    truth, predicted, probabilities, weights = drawn(seed, 4)
    found = weighted_metrics(truth, predicted, probabilities, True, 4, weights)["auc"]
    expected = [roc_auc_score(truth, probabilities, multi_class="ovr", sample_weight=weight) for weight in weights]
    assert found.tolist() == pytest.approx(expected, rel=1e-12)


def test_the_brier_score_of_two_classes_is_that_of_scikit_learn(seed):
    truth, predicted, probabilities, weights = drawn(seed, 2)
    found = weighted_metrics(truth, predicted, probabilities[:, 1], True, 2, weights)["brier"]
    expected = [brier_score_loss(truth, probabilities[:, 1], sample_weight=weight) for weight in weights]
    assert found.tolist() == pytest.approx(expected, rel=1e-12)


def test_the_auc_counts_pairs_with_ties_as_halves(seed):
    rng = np.random.default_rng([seed, 75])
    for n in (2, 5, 30):
        truth, scores = rng.integers(2, size=n), rng.integers(-2, 3, size=n)
        expected = comparisons.area(truth.tolist(), scores.tolist())
        assert plain(truth, truth, scores, False)["auc"] == pytest.approx(expected, rel=1e-14, nan_ok=True)


def test_a_weight_of_two_is_the_sample_twice_and_of_none_no_sample(seed):
    truth, predicted, probabilities, _ = drawn(seed, 3)
    times = np.random.default_rng([seed, 76]).integers(0, 3, size=len(truth))
    weighted = weighted_metrics(truth, predicted, probabilities, True, 3, times[None, :])
    rows = np.repeat(np.arange(len(truth)), times)
    repeated = plain(truth[rows], predicted[rows], probabilities[rows], n_classes=3)
    assert {name: value[0] for name, value in weighted.items()} == pytest.approx(repeated, rel=1e-12)


def test_two_columns_of_scores_say_the_same_as_one_of_the_positive_class(seed):
    truth, predicted, probabilities, weights = drawn(seed, 2)
    one = weighted_metrics(truth, predicted, probabilities[:, 1], True, 2, weights)
    two = weighted_metrics(truth, predicted, probabilities, True, 2, weights)
    assert all((one[name] == two[name]).all() for name in METRICS)


def test_without_scores_there_is_neither_auc_nor_brier_score():
    found = plain([0, 1, 1], [0, 1, 0])
    assert {name for name in METRICS if np.isnan(found[name])} == {"auc", "brier"}


def test_scores_that_are_no_probabilities_have_an_auc_and_no_brier_score():
    found = plain([0, 1, 1], [0, 1, 0], [-3.0, 2.0, -1.0], is_probability=False)
    assert found["auc"] == 1.0
    assert np.isnan(found["brier"])


def test_infinite_scores_are_above_and_below_all_others():
    assert plain([0, 0, 1, 1], [0, 0, 1, 1], [-np.inf, -np.inf, 0.0, np.inf], False)["auc"] == 1.0
    assert plain([0, 1], [0, 1], [-np.inf, -np.inf], False)["auc"] == 0.5
    assert plain([0, 1], [0, 1], [np.inf, np.inf], False)["auc"] == 0.5


def test_missing_scores_leave_the_auc_undefined():
    assert np.isnan(plain([0, 1], [0, 1], [np.nan, 1.0])["auc"])


@pytest.mark.parametrize(
    ("truth", "predicted", "expected"),
    [
        ([0, 0], [0, 1], {"sensitivity": np.nan, "specificity": 0.5, "f1": 0.0, "balanced_accuracy": np.nan}),
        ([0, 0], [0, 0], {"sensitivity": np.nan, "specificity": 1.0, "f1": np.nan, "accuracy": 1.0}),
        ([1, 1], [0, 1], {"sensitivity": 0.5, "specificity": np.nan, "f1": 2 / 3, "error": 0.5}),
        ([1, 0], [0, 0], {"sensitivity": 0.0, "specificity": 1.0, "f1": 0.0, "balanced_accuracy": 0.5}),
    ],
)
def test_what_an_absent_class_leaves_undefined(truth, predicted, expected):
    found = plain(truth, predicted)
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("present", [0, 1])
def test_one_class_alone_has_no_auc(present):
    assert np.isnan(plain([present] * 3, [0, 1, 1], [0.1, 0.2, 0.3])["auc"])


def test_classes_that_are_absent_are_left_out_of_means_over_classes(seed):
    truth, predicted, probabilities, weights = drawn(seed, 3)
    found = weighted_metrics(truth, predicted, probabilities, True, 3, weights)
    wider = np.column_stack([probabilities, np.zeros(len(truth))])
    padded = weighted_metrics(truth, predicted, wider, True, 4, weights)
    for name in ("sensitivity", "balanced_accuracy"):
        assert np.isnan(padded[name]).all()
    for name in set(METRICS) - {"sensitivity", "balanced_accuracy", "specificity"}:
        assert padded[name].tolist() == pytest.approx(found[name].tolist(), rel=1e-12)


def test_f1_of_several_classes_leaves_out_those_neither_there_nor_predicted(seed):
    truth, predicted, _, _ = drawn(seed, 3)
    expected = f1_score(truth, predicted, average="macro", labels=[0, 1, 2, 3], zero_division=np.nan)
    assert plain(truth, predicted, n_classes=4)["f1"] == pytest.approx(expected)


def test_a_draw_without_any_sample_is_undefined_throughout():
    found = weighted_metrics([0, 1], [0, 1], [0.1, 0.9], True, 2, [[0, 0], [1, 1]])
    assert all(np.isnan(found[name][0]) and not np.isnan(found[name][1]) for name in METRICS)


def test_every_metric_has_a_direction_and_a_place():
    assert tuple(weighted_metrics([0], [0], None, False, 2, [[1]])) == METRICS == tuple(larger_is_better)
    assert {name for name in METRICS if not larger_is_better[name]} == {"error", "brier"}


@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.3], np.ones((3, 2)), np.ones((2, 3)), 0.5])
def test_scores_that_do_not_fit_the_classes_are_refused(scores):
    with pytest.raises(DataError, match="one column per class"):
        weighted_metrics([0, 1, 2], [0, 1, 2], scores, False, 3, np.ones((1, 3)))


@pytest.mark.parametrize(("predicted", "weights"), [([0], [[1, 1]]), ([0, 1], [[1]]), ([0, 1], [1, 1])])
def test_entries_that_are_not_one_per_sample_are_refused(predicted, weights):
    with pytest.raises(DataError, match="one column of weights per test sample"):
        weighted_metrics([0, 1], predicted, None, False, 2, weights)


def test_who_names_the_larger_class_gains_nothing_from_test_parts_without_the_smaller():
    larger = np.zeros(3, dtype=np.int64)
    mixed = Predictions(np.arange(3), np.array([0, 0, 1]), larger)
    lacking = Predictions(np.arange(3, 6), larger, larger)
    assert jackknife_intervals([mixed, lacking], 2, 6)["balanced_accuracy"].value == 0.5
