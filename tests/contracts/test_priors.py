"""What every method named after prior knowledge promises: order and form of the prior do not matter, weights do."""

from __future__ import annotations

import numpy as np
import pytest

import holdfast
from holdfast import selection_frequency
from oracles import datasets
from oracles.datasets import build, fit
from oracles.index import ORACLES

METHODS = [method for method in holdfast.methods() if method.takes_prior]
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
# A part that all features have in common cannot change a difference or a sum.
EQUAL_IS_NONE = ("pk-mrmr", "pk-relief")


def _weights(data, seed):
    return np.random.default_rng([seed, 50]).choice([1.0, 1.5, 3.0, 10.0], data.X.shape[1])


def _k(data):
    return max(2, data.X.shape[1] // 2)


def _with_prior(method, data, prior, n=None):
    return build(method, n or _k(data), prior=prior)


def assert_same_choice(plain, other):
    assert plain.indices_.tolist() == other.indices_.tolist()
    assert plain.ranking_.tolist() == other.ranking_.tolist()


def test_there_are_methods_named_after_prior_knowledge():
    assert {"pk-mrmr", "pk-relief"} <= {method.name for method in METHODS}


@every_method
def test_columns_shuffled_with_their_weights_give_the_same_columns(method, seed):
    for data in datasets.bundle(method, seed):
        prior = _weights(data, seed)
        order = np.random.default_rng([seed, 51]).permutation(data.X.shape[1])
        plain = fit(_with_prior(method, data, prior), data.X, data.y)
        moved = fit(_with_prior(method, data, prior[order]), data.X[:, order], data.y)
        assert np.array_equal(data.X[:, plain.indices_], data.X[:, order[moved.indices_]]), data.name
        assert np.array_equal(prior[plain.indices_], prior[order][moved.indices_]), data.name


@every_method
def test_shuffled_named_columns_give_the_same_names_for_weights_by_name(method, seed):
    for data in datasets.bundle(method, seed):
        prior = dict(zip(data.names, _weights(data, seed).tolist(), strict=True))
        order = np.random.default_rng([seed, 52]).permutation(data.X.shape[1])
        plain = fit(_with_prior(method, data, prior), data.frame, data.y)
        moved = fit(_with_prior(method, data, prior), data.frame.iloc[:, order], data.y)
        assert plain.feature_names_in_[plain.indices_].tolist() == moved.feature_names_in_[moved.indices_].tolist()


@every_method
def test_shuffled_samples_and_renamed_classes_give_the_same_choice(method, seed):
    for data in datasets.bundle(method, seed):
        prior = _weights(data, seed)
        rows = np.random.default_rng([seed, 53]).permutation(len(data.X))
        plain = fit(_with_prior(method, data, prior), data.X, data.y)
        names = np.array(["z", "m", "a"], dtype=object)[data.y[rows]]
        assert_same_choice(plain, fit(_with_prior(method, data, prior), data.X[rows], names))


@every_method
def test_names_marks_weights_and_a_mapping_that_mean_the_same_give_the_same(method, seed):
    for data in datasets.bundle(method, seed):
        is_known = _weights(data, seed) > 1
        known = data.names[is_known].tolist()
        plain = fit(_with_prior(method, data, np.where(is_known, 10.0, 1.0)), data.frame, data.y)
        for said in (known, is_known, is_known.tolist(), dict.fromkeys(known, 10.0), np.array(known)):
            other = fit(_with_prior(method, data, said), data.frame, data.y)
            assert_same_choice(plain, other)
            assert np.array_equal(plain.scores_, other.scores_, equal_nan=True), data.name


@pytest.mark.parametrize("method", [m for m in METHODS if m.name in EQUAL_IS_NONE], ids=lambda m: m.name)
@pytest.mark.parametrize("weight", [1.0, 0.3, 7.5])
def test_a_prior_equal_for_all_is_no_prior(method, weight, seed):
    for data in datasets.bundle(method, seed):
        plain = fit(build(method, _k(data)), data.X, data.y)
        equal = fit(_with_prior(method, data, [weight] * data.X.shape[1]), data.X, data.y)
        assert plain.indices_.tolist() == equal.indices_.tolist(), data.name


@every_method
def test_a_feature_of_a_huge_weight_is_chosen(method, seed):
    data = datasets.suited(method, datasets.continuous(seed))
    for feature in range(data.X.shape[1]):
        prior = np.where(np.arange(data.X.shape[1]) == feature, 1e3, 1.0)
        assert feature in fit(_with_prior(method, data, prior, 3), data.X, data.y).indices_


@every_method
def test_a_constant_feature_is_not_chosen_for_its_weight(method, seed):
    data = datasets.suited(method, datasets.mixed(seed))
    is_constant = np.ptp(data.X, axis=0) == 0
    chosen = fit(_with_prior(method, data, np.where(is_constant, 10.0, 1.0), 4), data.X, data.y).indices_
    assert not is_constant[chosen].any()


@pytest.mark.parametrize("method", [m for m in METHODS if m.is_prefix], ids=lambda method: method.name)
def test_the_first_k_of_a_longer_list_is_the_list_for_k(method, seed):
    for data in datasets.bundle(method, seed):
        prior = _weights(data, seed)
        longest = fit(_with_prior(method, data, prior, data.X.shape[1]), data.X, data.y).indices_.tolist()
        for k in (1, 3, 5):
            assert fit(_with_prior(method, data, prior, k), data.X, data.y).indices_.tolist() == longest[:k]


@every_method
def test_a_method_with_a_prior_picks_what_its_slow_twin_picks(method, seed):
    for data in datasets.bundle(method, seed):
        selector = _with_prior(method, data, _weights(data, seed).tolist())
        fitted = fit(selector, data.X, data.y)
        order, scores = ORACLES[method.oracle](data.X.tolist(), data.y.tolist(), selector.get_params(), None)
        assert fitted.indices_.tolist() == order, data.name
        np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-9, atol=1e-9)


@every_method
def test_neither_the_prior_nor_its_like_on_halves_depends_on_the_number_of_jobs(method, seed):
    data = datasets.suited(method, datasets.continuous(seed, n_samples=40))
    prior = _weights(data, seed)
    before = prior.copy()
    selector = _with_prior(method, data, prior, 4)
    alone, both = (selection_frequency(selector, data.X, data.y, n_runs=4, n_jobs=n).runs for n in (1, 2))
    assert np.array_equal(alone, both)
    assert np.array_equal(prior, before)


@every_method
def test_the_weights_used_are_kept(method, seed):
    data = datasets.suited(method, datasets.continuous(seed))
    fitted = fit(_with_prior(method, data, data.names[:2].tolist()), data.frame, data.y)
    assert fitted.prior_.tolist() == [10, 10] + [1] * (data.X.shape[1] - 2)


@every_method
def test_a_prior_of_the_wrong_length_is_refused(method, seed):
    data = datasets.suited(method, datasets.continuous(seed))
    with pytest.raises(ValueError, match="prior has 3 numbers, but X has 10 features"):
        _with_prior(method, data, [1, 2, 3]).fit(data.X, data.y)
