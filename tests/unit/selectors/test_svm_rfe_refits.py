"""SVM-RFE picks what machines refitted from scratch in every round pick: scikit-learn's, and exact ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

from holdfast import SVMRFE
from oracles.linear import best_of
from oracles.svm import float_weights, machines


def wide(seed, n_samples=30, n_features=120, n_classes=2, strength=1.0, *, n_of_first=None):
    """Multiples of 1/8: scikit-learn's machine keeps products of samples in 32 bits, which hold theirs exactly."""
    rng = np.random.default_rng([seed, 41])
    y = rng.permutation(np.arange(n_samples) % n_classes)
    if n_of_first is not None:
        y = rng.permutation((np.arange(n_samples) >= n_of_first).astype(int))
    X = rng.normal(size=(n_samples, n_features))
    X[:, ::10] += strength * y[:, np.newaxis] * rng.choice([-1, 1], size=X[:, ::10].shape[1])
    return np.round(X * 8) / 8, y


def svc_weights(X, y, multiclass, C, sample_weight=None, tol=1e-9):
    """Root of the sum of squares of the weights of scikit-learn's machines."""
    total = np.zeros(X.shape[1])
    for rows, signs in machines(y, multiclass):
        weight = None if sample_weight is None else sample_weight[rows]
        model = SVC(kernel="linear", C=C, tol=tol, cache_size=50).fit(X[rows], signs, sample_weight=weight)
        total += model.coef_[0] ** 2
    return np.sqrt(total)


def refitted(weights_of, X, y, multiclass, C, *, step=0.1, **options):
    """All features, best first: the share of least weight goes in every round; what differs by rounding ties."""
    columns, left, ranked = X.T.tolist(), list(range(X.shape[1])), []
    while left:
        weights = weights_of(X[:, left], y, multiclass, C, **options)
        values = np.round(weights / max(weights.max(), 1e-300), 8).tolist()
        order = best_of(left, values, len(left), columns, y.tolist(), None)
        n_keep = int((1 - Fraction(str(step))) * len(left))
        ranked = order[n_keep:] + ranked
        left = sorted(order[:n_keep])
    return ranked


def assert_picks_what_refits_pick(weights_of, X, y, multiclass="ovo", C=1.0, sample_weight=None, **options):
    step = 0.3
    own = {} if sample_weight is None else {"sample_weight": sample_weight}
    expected = refitted(weights_of, X, y, multiclass, C, step=step, **own, **options)
    selector = SVMRFE(X.shape[1], C=C, step=step, multiclass=multiclass, scale="none")
    assert selector.fit(X, y, sample_weight=sample_weight).indices_.tolist() == expected


# scikit-learn's machine


@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_picks_are_those_of_scikit_learns_machine_for_any_number_of_classes(n_classes, multiclass, seed):
    assert_picks_what_refits_pick(svc_weights, *wide(seed, n_classes=n_classes), multiclass)


@pytest.mark.parametrize("C", [1e-3, 1e-2, 0.1, 1.0, 1e2, 1e4])
@pytest.mark.parametrize("strength", [0.0, 5.0])
def test_picks_are_those_of_scikit_learns_machine_for_any_cost(C, strength, seed):
    assert_picks_what_refits_pick(svc_weights, *wide(seed, strength=strength), C=C)


@pytest.mark.parametrize("n_of_first", [1, 2, 5, 28, 29])
def test_picks_are_those_of_scikit_learns_machine_for_classes_of_different_size(n_of_first, seed):
    for C in (0.01, 1.0):
        assert_picks_what_refits_pick(svc_weights, *wide(seed, n_of_first=n_of_first), C=C)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_picks_are_those_of_scikit_learns_machine_for_weighted_samples(n_classes, seed):
    X, y = wide(seed, n_classes=n_classes)
    rng = np.random.default_rng([seed, 42])
    for weights in (rng.random(30), rng.integers(0, 3, size=30).astype(float), np.full(30, 1 / 30)):
        assert_picks_what_refits_pick(svc_weights, X, y, sample_weight=weights)


def test_picks_are_those_of_scikit_learns_machine_for_repeated_samples(seed):
    X, y = wide(seed)
    rows = np.random.default_rng([seed, 43]).integers(0, 30, size=30)
    assert_picks_what_refits_pick(svc_weights, X[rows], y[rows])


# The exact machine: measured values, more samples than features, separable or not


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_picks_are_those_of_exact_machines_on_measured_values(C, n_classes, seed):
    rng = np.random.default_rng([seed, 44])
    X, y = rng.normal(size=(24, 80)), np.arange(24) % n_classes
    for multiclass in ("ovo", "ovr"):
        assert_picks_what_refits_pick(float_weights, X, y, multiclass, C)


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("strength", [0.0, 0.5])
def test_picks_are_those_of_exact_machines_when_there_are_more_samples_than_features(C, strength, seed):
    rng = np.random.default_rng([seed, 45])
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 10)) + np.outer(y, strength * rng.normal(size=10))
    assert_picks_what_refits_pick(float_weights, X, y, C=C)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
def test_picks_are_those_of_exact_machines_on_many_samples_of_overlapping_classes(n_classes, seed):
    rng = np.random.default_rng([seed, 46])
    y = np.arange(300) % n_classes
    X = rng.normal(size=(300, 10)) + np.outer(y, rng.normal(size=10)) / 3
    for C in (0.01, 1.0, 100.0):
        assert_picks_what_refits_pick(float_weights, X, y, C=C)


@pytest.mark.parametrize("n_features", [1, 2, 29, 30, 31, 60])
def test_picks_are_those_of_exact_machines_around_as_many_features_as_samples(n_features, seed):
    rng = np.random.default_rng([seed, 47])
    X, y = rng.normal(size=(30, n_features)), np.arange(30) % 2
    for C in (0.05, 10.0):
        assert_picks_what_refits_pick(float_weights, X, y, C=C)


# Ranks


@pytest.mark.parametrize("step_of", ["remaining", "all"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_features_that_tie_when_they_are_dropped_share_a_rank(step_of, n_classes, seed):
    X, y = wide(seed, n_features=12, n_classes=n_classes)
    X = np.column_stack([X, X, 5 - X, np.ones((30, 3))])
    for scale in ("range", "standard"):
        fitted = SVMRFE(4, step=0.4, step_of=step_of, scale=scale, keep_path=True).fit(X, y)
        others = np.flatnonzero(~fitted.support_)
        last = fitted.weight_path_[fitted.rounds_ - 1, np.arange(39)]
        last[36:] = -1.0
        key = [(-fitted.rounds_[f], -round(last[f], 11)) for f in others]
        assert fitted.ranking_[others].tolist() == [5 + sum(k < own for k in key) for own in key]
        assert len(set(fitted.ranking_[36:])) == 1
        # Copies and mirror images that went in one round went together.
        for f in range(12):
            gone = [g for g in (f, f + 12, f + 24) if g in others]
            assert len({fitted.ranking_[g] for g in gone}) == len({fitted.rounds_[g] for g in gone})


# scikit-learn's RFE


@pytest.mark.parametrize("step", [0.1, 0.25, 1, 7, 1000])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("n_select", [1, 13, 120])
def test_picks_and_groups_are_those_of_scikit_learns_rfe(step, n_classes, n_select, seed):
    X, y = wide(seed, n_classes=n_classes)
    theirs = RFE(SVC(kernel="linear", tol=1e-9), n_features_to_select=n_select, step=step).fit(X, y)
    ours = SVMRFE(n_select, step=step, step_of="all", scale="none").fit(X, y)
    assert ours.support_.tolist() == theirs.support_.tolist()
    assert (ours.rounds_.max() - ours.rounds_ + 1).tolist() == theirs.ranking_.tolist()
    weights = np.sqrt((theirs.estimator_.coef_**2).sum(axis=0))
    assert ours.indices_.tolist() == np.flatnonzero(theirs.support_)[np.argsort(-weights)].tolist()
    np.testing.assert_allclose(ours.scores_[theirs.support_], weights / weights.sum(), rtol=1e-6, atol=1e-12)


def test_groups_of_scikit_learns_rfe_rank_alike(seed):
    X, y = wide(seed)
    theirs = RFE(SVC(kernel="linear", tol=1e-9), n_features_to_select=10, step=9).fit(X, y)
    ours = SVMRFE(10, step=9, step_of="all", scale="none").fit(X, y)
    others = ~ours.support_
    assert (np.diff(theirs.ranking_[others][np.argsort(ours.ranking_[others], kind="stable")]) >= 0).all()


# Resamples and repeated samples


def on_ranges(X, scale):
    if scale == "none":
        return X
    low, unit = (X.min(axis=0), np.ptp(X, axis=0)) if scale == "range" else (X.mean(axis=0), X.std(axis=0))
    return (X - low) / np.where(unit > 0, unit, 1.0)


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("scale", ["range", "standard", "none"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_resample_chooses_what_a_fit_on_its_rows_chooses(repeats, scale, n_classes, seed):
    X, y = wide(seed, n_features=60, n_classes=n_classes)
    rng = np.random.default_rng([seed, 48])
    choose = SVMRFE(12, scale=scale).resampler(X, y)
    Z = on_ranges(X, scale)
    for _ in range(5):
        rows = rng.choice(30, 20, replace=repeats)
        fitted = SVMRFE(12, scale="none").fit(Z[rows], y[rows])
        assert np.flatnonzero(choose(rows)).tolist() == np.flatnonzero(fitted.support_).tolist()


def test_resamples_do_not_depend_on_those_before(seed):
    X, y = wide(seed, n_features=60, n_classes=3)
    rng = np.random.default_rng([seed, 49])
    draws = [rng.integers(0, 30, size=30) for _ in range(6)]
    selector = SVMRFE(9, C=0.1)
    forward, backward = selector.resampler(X, y), selector.resampler(X, y)
    first = [forward(rows).tolist() for rows in draws]
    assert first == [backward(rows).tolist() for rows in draws[::-1]][::-1]
    assert first == [forward(rows).tolist() for rows in draws]


def test_a_resample_of_all_rows_is_a_fit(seed):
    X, y = wide(seed, n_features=60)
    rows = np.random.default_rng([seed, 50]).permutation(30)
    for parameters in (
        {},
        {"step_of": "all"},
        {"C": 0.01, "scale": "standard"},
        {"prior": np.arange(1, 61), "prior_by": "criterion"},
    ):
        selector = SVMRFE(9, **parameters)
        assert selector.resampler(X, y)(rows).tolist() == SVMRFE(9, **parameters).fit(X, y).support_.tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("multiclass", ["ovo", "ovr"])
def test_a_weight_counts_how_often_a_sample_was_seen(n_classes, multiclass, seed):
    X, y = wide(seed, n_features=50, n_classes=n_classes)
    rng = np.random.default_rng([seed, 51])
    for C in (0.01, 1.0):
        parameters = {"C": C, "multiclass": multiclass, "scale": "none"}
        counts = rng.integers(0, 4, size=30)
        weighted = SVMRFE(50, **parameters).fit(X, y, sample_weight=counts)
        repeated = SVMRFE(50, **parameters).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
        assert weighted.indices_.tolist() == repeated.indices_.tolist()
        np.testing.assert_allclose(weighted.scores_, repeated.scores_, rtol=1e-8)


def test_weights_of_one_and_more_leave_the_ranges(seed):
    X, y = wide(seed, n_features=50)
    counts = np.random.default_rng([seed, 52]).integers(1, 4, size=30)
    weighted = SVMRFE(50, C=0.05).fit(X, y, sample_weight=counts)
    repeated = SVMRFE(50, C=0.05).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.indices_.tolist() == repeated.indices_.tolist()


# Default tolerance


def test_scores_are_exact_where_those_of_a_default_machine_are_not(seed):
    X, y = wide(seed)
    exact = float_weights(X, y, "ovo", 1.0)
    ours = SVMRFE(1, scale="none", keep_path=True).fit(X, y).weight_path_[0]
    np.testing.assert_allclose(np.abs(ours) / np.abs(ours).sum(), exact / exact.sum(), rtol=0, atol=1e-13)
    default = svc_weights(X, y, "ovo", 1.0, tol=1e-3)
    assert np.abs(default / default.sum() - exact / exact.sum()).max() > 1e-9
