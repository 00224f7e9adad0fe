"""Weights of samples: the worked numbers of Han 2012 (V3), its variants, and what must not change them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from holdfast import DataError, InstanceWeighting
from holdfast.data import Table
from oracles import datasets, stability

CLEAN = np.array([[0, 0], [1, 0.5], [0.5, 2], [4, 4], [5, 3], [3, 5.5]])
OUTLIER = np.array([[0, 0], [1, 0.5], [3.5, 4.5], [4, 4], [5, 3], [3, 5.5]])
Y = np.array([0, 0, 0, 1, 1, 1])


def weights(X, **form):
    return InstanceWeighting(scale="none", **form).fit_transform(X, Y)


WORKED = {
    "all": ({}, [0.156311, 0.194282, 0.154685, 0.215838, 0.147719, 0.131165]),
    "mean": ({"aggregate": "mean"}, [0.154111, 0.188716, 0.155637, 0.214360, 0.155637, 0.131539]),
    "inverse L1": (
        {"neighbours": "inverse-distance"},
        [0.151200, 0.189348, 0.150617, 0.213905, 0.157697, 0.137233],
    ),
    "inverse L2": (
        {"neighbours": "inverse-distance", "metric": "euclidean"},
        [0.149237, 0.190262, 0.151767, 0.214373, 0.157494, 0.136867],
    ),
}


@pytest.mark.parametrize(("form", "expected"), WORKED.values(), ids=WORKED.keys())
def test_worked_weights(form, expected):
    np.testing.assert_allclose(weights(CLEAN, **form), expected, atol=6e-7)


def test_an_outlier_weighs_little():
    expected = [0.169828, 0.211191, 0.070622, 0.215754, 0.170069, 0.162536]
    np.testing.assert_allclose(weights(OUTLIER), expected, atol=6e-7)


def test_worked_margin_vectors_of_the_twin():
    expected = [[10.5, 10], [7.5, 9], [9.5, 3], [8.5, 7], [10.5, 3], [4.5, 10]]
    assert stability.margin_vectors(CLEAN.tolist(), Y.tolist()) == expected
    outlying = [[7.5, 7.5], [5.5, 6.5], [-3.5, -5.5], [5.5, 5.5], [7.5, 3.5], [2.5, 7.5]]
    assert stability.margin_vectors(OUTLIER.tolist(), Y.tolist()) == outlying


ITERATED = {
    2: [0.165753, 0.199380, 0.141812, 0.217385, 0.148861, 0.126809],
    3: [0.167984, 0.201120, 0.136091, 0.217706, 0.150103, 0.126995],
}


@pytest.mark.parametrize("n_rounds", ITERATED)
def test_worked_rounds_of_iteration(n_rounds):
    selector = InstanceWeighting(scale="none", iterate=True, max_iter=n_rounds)
    with pytest.warns(ConvergenceWarning, match=f"max_iter={n_rounds}"):
        found = selector.fit_transform(CLEAN, Y)
    np.testing.assert_allclose(found, ITERATED[n_rounds], atol=6e-7)
    assert selector.n_iter_ == n_rounds
    assert not selector.converged_


def test_the_first_round_is_the_weighing_without_iteration():
    with pytest.warns(ConvergenceWarning):
        once = weights(CLEAN, iterate=True, max_iter=1)
    assert np.array_equal(once, weights(CLEAN))


def test_iteration_reaches_the_worked_limit_after_as_many_rounds():
    selector = InstanceWeighting(scale="none", iterate=True, tol=1e-10).fit(CLEAN, Y)
    limit = [0.163874, 0.200837, 0.137988, 0.218032, 0.152140, 0.127130]
    np.testing.assert_allclose(selector.weights_, limit, atol=6e-7)
    assert selector.n_iter_ == 29
    assert selector.converged_


def test_without_iteration_there_is_one_round():
    selector = InstanceWeighting().fit(CLEAN, Y)
    assert selector.n_iter_ == 1
    assert selector.converged_
    assert selector.classes_.tolist() == [0, 1]


FORMS = [
    {},
    {"aggregate": "mean"},
    {"neighbours": "nearest"},
    {"neighbours": "nearest", "metric": "euclidean"},
    {"neighbours": "inverse-distance"},
    {"neighbours": "inverse-distance", "metric": "euclidean"},
]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()) or "all")


@every_form
@pytest.mark.parametrize("make", [datasets.continuous, datasets.tied, datasets.mixed])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_those_of_the_slow_twin(form, make, n_classes, seed):
    data = make(seed, n_classes=n_classes)
    twin = stability.instance_weights(stability.ranges_to_one(data.X.tolist()), data.y.tolist(), **form)
    np.testing.assert_allclose(InstanceWeighting(**form).fit(data.X, data.y).weights_, twin, rtol=1e-9)
    raw = stability.instance_weights(data.X.tolist(), data.y.tolist(), **form)
    np.testing.assert_allclose(InstanceWeighting(scale="none", **form).fit(data.X, data.y).weights_, raw, rtol=1e-9)


@every_form
def test_rounds_are_those_of_the_slow_twin(form, seed):
    data = datasets.continuous(seed)
    twin = stability.instance_weights(stability.ranges_to_one(data.X.tolist()), data.y.tolist(), n_rounds=3, **form)
    with pytest.warns(ConvergenceWarning):
        selector = InstanceWeighting(**form, iterate=True, max_iter=3, tol=1e-300).fit(data.X, data.y)
    np.testing.assert_allclose(selector.weights_, twin, rtol=1e-9)


@every_form
def test_equal_samples_of_one_class_take_all_of_their_side(form, seed):
    """Duplicates lie at no distance; weights stay finite, above 0, and those of equal samples are equal."""
    data = datasets.continuous(seed)
    X, y = np.vstack([data.X, data.X[:4]]), np.append(data.y, data.y[:4])
    found = InstanceWeighting(**form).fit(X, y).weights_
    assert (found > 0).all()
    np.testing.assert_allclose(found[-4:], found[:4], rtol=1e-12)
    twin = stability.instance_weights(stability.ranges_to_one(X.tolist()), y.tolist(), **form)
    np.testing.assert_allclose(found, twin, rtol=1e-9)


@every_form
def test_equal_samples_of_different_classes_have_weights(form, seed):
    data = datasets.continuous(seed)
    X, y = np.vstack([data.X, data.X[:4]]), np.append(data.y, 1 - data.y[:4])
    found = InstanceWeighting(**form).fit(X, y).weights_
    assert (found > 0).all()
    np.testing.assert_allclose(found.sum(), 1)


@every_form
def test_samples_that_are_all_equal_weigh_alike(form):
    found = InstanceWeighting(**form).fit(np.ones((6, 3)), Y).weights_
    np.testing.assert_allclose(found, 1 / 6)


@every_form
def test_weights_sum_to_one_and_are_positive(form, seed):
    data = datasets.continuous(seed)
    found = InstanceWeighting(**form).fit_transform(data.X, data.y)
    np.testing.assert_allclose(found.sum(), 1, rtol=1e-14)
    assert (found > 0).all()


@every_form
def test_a_common_shift_and_scale_changes_no_weight(form):
    np.testing.assert_allclose(weights(3 * CLEAN + 1, **form), weights(CLEAN, **form), rtol=1e-12)


def test_scales_of_single_features_change_no_weight_unless_values_are_taken_as_they_are(seed):
    data = datasets.continuous(seed)
    scaled = data.X * 2.0 ** np.arange(data.X.shape[1])
    plain = InstanceWeighting().fit(data.X, data.y).weights_
    assert np.array_equal(InstanceWeighting().fit(scaled, data.y).weights_, plain)
    raw = InstanceWeighting(scale="none").fit(scaled, data.y).weights_
    assert not np.allclose(raw, plain, rtol=1e-3)


@every_form
def test_order_of_rows_and_columns_names_and_jobs_change_no_weight(form, seed):
    data = datasets.tied(seed, n_classes=3)
    rng = np.random.default_rng([seed, 60])
    rows, columns = rng.permutation(len(data.y)), rng.permutation(data.X.shape[1])
    plain = InstanceWeighting(**form).fit(data.X, data.y).weights_
    moved = InstanceWeighting(**form).fit(data.X[rows], data.y[rows]).weights_
    np.testing.assert_allclose(moved, plain[rows], rtol=1e-12)
    other = InstanceWeighting(**form).fit(data.X[:, columns], np.array(["z", "b", "k"])[data.y]).weights_
    np.testing.assert_allclose(other, plain, rtol=1e-12)
    assert np.array_equal(InstanceWeighting(**form, n_jobs=2).fit(data.X, data.y).weights_, plain)


def test_many_features_in_threads_give_the_same_bits(seed):
    rng = np.random.default_rng([seed, 61])
    X, y = rng.normal(size=(12, 1500)), np.arange(12) % 2
    alone = InstanceWeighting(n_jobs=1).fit(X, y).weights_
    assert np.array_equal(InstanceWeighting(n_jobs=2).fit(X, y).weights_, alone)


def test_tables_frames_and_arrays_weigh_alike(seed):
    data = datasets.continuous(seed)
    plain = InstanceWeighting().fit(data.X, data.y).weights_
    table = Table(data.X, [str(name) for name in data.names], target=data.y)
    assert np.array_equal(InstanceWeighting().fit_transform(table), plain)
    assert np.array_equal(InstanceWeighting().fit_transform(data.frame, pd.Series(data.y)), plain)
    # Eighths of this size are exact in float32.
    assert np.array_equal(InstanceWeighting().fit_transform(data.X.astype(np.float32), data.y), plain)


def test_a_sample_alone_in_its_class_has_a_weight(seed):
    data = datasets.continuous(seed)
    y = np.zeros(len(data.y), dtype=int)
    y[3] = 1
    for form in FORMS:
        found = InstanceWeighting(**form).fit(data.X, y).weights_
        assert np.isfinite(found).all()
        np.testing.assert_allclose(found.sum(), 1)


def test_two_samples_of_a_class_each_are_enough():
    found = InstanceWeighting().fit_transform([[0.0], [1.0], [5.0], [6.0]], ["a", "a", "b", "b"])
    np.testing.assert_allclose(found, 0.25)


def test_classes_of_one_sample_each_are_refused():
    with pytest.raises(DataError, match="one sample only"):
        InstanceWeighting().fit([[0.0, 1.0], [2.0, 5.0]], [0, 1])


def test_a_pickle_and_a_clone_keep_what_they_should(seed):
    data = datasets.continuous(seed)
    fitted = InstanceWeighting(neighbours="nearest", tol=1e-3).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.weights_, fitted.weights_)
    assert clone(fitted).get_params() == fitted.get_params()
    assert not hasattr(clone(fitted), "weights_")


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, rule in InstanceWeighting.allowed.items() for value in rule.refused],
    ids=str,
)
def test_a_wrong_parameter_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name}="):
        InstanceWeighting().set_params(**{name: value}).fit(CLEAN, Y)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="one class only"):
        InstanceWeighting().fit(CLEAN, np.zeros(6))


@pytest.mark.parametrize("hole", [np.nan, np.inf])
def test_missing_and_infinite_values_are_refused(hole):
    X = CLEAN.copy()
    X[0, 1] = hole
    with pytest.raises(ValueError, match=r"(?i)nan|inf"):
        InstanceWeighting().fit(X, Y)


def test_a_measured_target_is_refused():
    with pytest.raises(ValueError, match=r"(?i)continuous|class"):
        InstanceWeighting().fit(CLEAN, np.linspace(0, 1, 6))


def test_the_input_is_left_as_it_was():
    X, y = CLEAN.copy(), Y.copy()
    InstanceWeighting().fit(X, y)
    assert np.array_equal(X, CLEAN)
    assert np.array_equal(y, Y)
    X[0, 0] = 9.0
