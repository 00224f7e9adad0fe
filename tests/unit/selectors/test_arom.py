"""AROM by both norms, with and without a prior: closed forms of the specification, its properties, and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from holdfast import AROM, DataError
from oracles import linear
from oracles.svm import scaled

# Two samples that differ by (2, 1, 0.5), of Ben Brahim 2015 as specified; and two a class, told apart by the first.
TWO, TWO_CLASSES = np.array([[2, 1, 0.5], [0, 0, 0]]), [1, 0]
FOUR, FOUR_CLASSES = np.array([[1, 0], [2, 1], [-1, 0], [-2, -1]]), [1, 1, 0, 0]


def to_six_digits(values):
    return pytest.approx(values, abs=5.1e-7)


def noise(n_samples=16, n_features=30, n_classes=2, seed=0):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features))
    return X, np.arange(n_samples) % n_classes


# Closed forms


@pytest.mark.parametrize("C", [1e4, None])
@pytest.mark.parametrize(
    ("prior", "iterates"),
    [
        ([1, 1, 10], [(0.133333, 0.066667, 33.333333), (0.000256, 0.000032, 39.989123)]),
        (
            None,
            [(0.761905, 0.380952, 0.190476), (0.937729, 0.117216, 0.014652), (0.996094, 0.007782, 0.000061)],
        ),
    ],
    ids=["known", "plain"],
)
def test_iterates_of_two_samples(prior, iterates, C):
    for number, expected in enumerate(iterates, start=1):
        fitted = AROM(3, C=C, prior=prior, scale="none", tol=1e-300, max_iter=number).fit(TWO, TWO_CLASSES)
        assert fitted.scores_.tolist() == to_six_digits(expected)
        assert fitted.n_iter_ == number
        assert fitted.n_survivors_.tolist() == [3] * (number + 1)
        assert not fitted.converged_


@pytest.mark.parametrize("C", [1e4, None])
@pytest.mark.parametrize(("prior", "limit"), [([1, 1, 10], [0, 0, 40]), (None, [1, 0, 0]), ([1, 1, 1], [1, 0, 0])])
def test_limit_of_two_samples(prior, limit, C):
    fitted = AROM(None, C=C, prior=prior, scale="none", tol=1e-9).fit(TWO, TWO_CLASSES)
    assert fitted.scores_.tolist() == to_six_digits(limit)
    assert fitted.indices_.tolist() == [int(np.argmax(limit))]
    assert fitted.converged_
    assert fitted.n_survivors_[-1] == 1


@pytest.mark.parametrize("prior", [None, [1, 10], [1, 1e3]])
@pytest.mark.parametrize("C", [1e4, None])
def test_a_feature_of_weight_zero_is_gone_after_one_iteration_whatever_its_prior(prior, C):
    fitted = AROM(1, C=C, prior=prior, scale="none").fit(FOUR, FOUR_CLASSES)
    assert fitted.indices_.tolist() == [0]
    assert fitted.scores_.tolist() == pytest.approx([1.0, 0.0], abs=1e-12)
    assert fitted.n_survivors_[:2].tolist() == [2, 1]


def test_the_hard_margin_of_four_samples_needs_the_first_feature_only():
    fitted = AROM(1, C=None, scale="none", max_iter=1).fit(FOUR, FOUR_CLASSES)
    assert fitted.scores_.tolist() == pytest.approx([1.0, 0.0], abs=1e-12)
    assert fitted.n_survivors_.tolist() == [2, 1]


@pytest.mark.parametrize("C", [1e4, None])
@pytest.mark.parametrize(("prior", "weights"), [(None, [1, 0, 0]), ([1, 1, 10], [0, 0, 40])])
def test_the_absolute_norm_takes_one_feature_of_two_samples_at_once(prior, weights, C):
    fitted = AROM(1, norm="l1", C=C, prior=prior, scale="none").fit(TWO, TWO_CLASSES)
    assert fitted.scores_.tolist() == to_six_digits(weights)
    assert fitted.indices_.tolist() == [int(np.argmax(weights))]
    assert fitted.n_survivors_[1] == 1


# Properties


@pytest.mark.parametrize("n_iter", [1, 2, 5, 20])
@pytest.mark.parametrize("prior", [None, "known"])
def test_weights_times_weights_keep_the_margins_of_the_table_as_it_is(n_iter, prior):
    X, y = noise()
    known = np.where(np.arange(30) % 7 == 0, 10.0, 1.0)
    fitted = AROM(1, C=None, prior=known if prior else None, tol=1e-300, max_iter=n_iter).fit(X, y)
    size = fitted.scores_ / (known if prior else 1.0)
    Z = scaled(X, "standard")
    iterates = linear.arom_iterates(Z, y, known if prior else np.ones(30), {"multiclass": "ovo", "C": None})
    for _ in range(n_iter):
        _, u, _ = next(iterates)
    u = np.sign(u[0].astype(float)) * size
    value = Z.astype(float) @ u
    gap = (value[y == 0].min() - value[y == 1].max()) / 2
    assert gap == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_prior_of_ones_changes_nothing(norm, n_classes):
    X, y = noise(n_classes=n_classes)
    plain, ones = AROM(8, norm=norm).fit(X, y), AROM(8, norm=norm, prior=np.ones(30)).fit(X, y)
    assert plain.indices_.tolist() == ones.indices_.tolist()
    assert plain.scores_.tolist() == ones.scores_.tolist()


def test_a_prior_of_one_number_for_all_changes_the_size_of_the_weights_only():
    X, y = noise()
    plain, same = AROM(8, C=None).fit(X, y), AROM(8, C=None, prior=np.full(30, 5.0)).fit(X, y)
    assert plain.indices_.tolist() == same.indices_.tolist()
    np.testing.assert_allclose(same.scores_, 5 * plain.scores_, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_known_feature_is_chosen_before_its_copy(norm):
    X, y = noise(n_features=10)
    for known in range(10):
        prior = np.where(np.arange(20) == 10 + known, 10.0, 1.0)
        fitted = AROM(10, norm=norm, prior=prior).fit(np.hstack([X, X]), y)
        assert fitted.ranking_[10 + known] <= fitted.ranking_[known]
        assert fitted.scores_[10 + known] >= fitted.scores_[known]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_hard_margin_is_a_soft_one_of_a_high_cost(n_classes):
    X, y = noise(n_classes=n_classes)
    hard, soft = AROM(10, C=None).fit(X, y), AROM(10, C=1e7).fit(X, y)
    assert hard.indices_.tolist() == soft.indices_.tolist()
    np.testing.assert_allclose(hard.scores_, soft.scores_, rtol=1e-6, atol=1e-12)


def test_a_sparse_solution_is_found_where_there_is_one():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 40))
    y = (X[:, 7] - X[:, 21] > 0).astype(int)
    X[:, 7] += np.sign(y - 0.5)
    for norm in ("l1", "l2"):
        fitted = AROM(2, norm=norm, C=100.0).fit(X, y)
        assert sorted(fitted.indices_) == [7, 21]


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_features_kept_without_a_number_are_the_survivors(norm):
    X, y = noise()
    fitted = AROM(None, norm=norm).fit(X, y)
    survives = fitted.scores_ > 1e-12 * fitted.scores_.max()
    assert fitted.converged_
    assert np.array_equal(fitted.support_, survives)
    assert fitted.n_survivors_[-1] == survives.sum() < 16


def test_more_features_than_survive_are_taken_from_an_earlier_iterate():
    X, y = noise()
    fitted = AROM(20).fit(X, y)
    assert (fitted.n_survivors_[:-1] >= 20).all()
    assert fitted.n_survivors_[-1] < 20
    assert (fitted.scores_ > 1e-12 * fitted.scores_.max()).sum() >= 20
    # One iteration less leaves the same weights.
    short = AROM(20, max_iter=fitted.n_iter_ - 1).fit(X, y)
    assert short.scores_.tolist() == fitted.scores_.tolist()


def test_all_features_are_ranked_by_the_iterate_used():
    X, y = noise()
    fitted = AROM(12).fit(X, y)
    assert fitted.indices_.tolist() == np.argsort(-fitted.scores_)[:12].tolist()


@pytest.mark.parametrize("scale", ["range", "standard"])
def test_the_unit_of_a_feature_does_not_matter_when_scaled(scale):
    X, y = noise(n_classes=3)
    unit = 10.0 ** np.random.default_rng(1).integers(-5, 6, size=30)
    plain, other = AROM(12, scale=scale).fit(X, y), AROM(12, scale=scale).fit(X * unit + unit, y)
    assert plain.indices_.tolist() == other.indices_.tolist()


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_constant_features_have_no_weight(norm):
    X, y = noise(n_features=8)
    fitted = AROM(3, norm=norm).fit(np.column_stack([X, np.full(16, 0.1), np.zeros(16)]), y)
    assert fitted.scores_[[8, 9]].tolist() == [0.0, 0.0]
    assert fitted.scores_[:8].tolist() == pytest.approx(AROM(3, norm=norm).fit(X, y).scores_.tolist(), abs=1e-9)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("n_features", [1, 3])
def test_nothing_but_constants_has_no_weight(norm, n_features):
    fitted = AROM(1, norm=norm).fit(np.ones((4, n_features)), [0, 1, 0, 1])
    assert fitted.scores_.tolist() == [0.0] * n_features
    assert len(fitted.indices_) == 1


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_useless_feature_has_no_weight(norm):
    fitted = AROM(1, norm=norm).fit([[0], [1], [0], [1]], [0, 0, 1, 1])
    assert fitted.scores_.tolist() == [0.0]
    assert fitted.indices_.tolist() == [0]


def test_a_weight_counts_how_often_a_sample_was_seen():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(30, 5)), np.arange(30) % 2
    counts = rng.integers(0, 4, size=30)
    weighted = AROM(2, C=0.5, scale="none").fit(X, y, sample_weight=counts)
    repeated = AROM(2, C=0.5, scale="none").fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.indices_.tolist() == repeated.indices_.tolist()
    np.testing.assert_allclose(weighted.scores_, repeated.scores_, rtol=1e-7, atol=1e-9)


def test_names_of_known_features_are_a_prior_of_ten():
    X, y = noise(n_features=6)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    expected = AROM(2, prior=[1, 1, 10, 1, 1, 10]).fit(X, y)
    for prior in (["c", "f"], {"c": 10, "f": 10.0}, [False, False, True, False, False, True]):
        fitted = AROM(2, prior=prior).fit(frame, y)
        assert fitted.scores_.tolist() == expected.scores_.tolist()


# The absolute norm against the whole linear programme


@pytest.mark.parametrize("C", [0.05, 1.0, 1e4, None])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_absolute_norm_keeps_what_a_linear_programme_keeps(C, n_classes, seed):
    X, y = noise(n_classes=n_classes, seed=seed + 10)
    selector = AROM(None, norm="l1", C=C, max_iter=1)
    _, expected = next(linear.l1_iterates(X, y, selector.get_params()))
    fitted = selector.fit(X, y)
    assert np.array_equal(fitted.support_, expected > 0) or not expected.any()
    np.testing.assert_allclose(fitted.scores_, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("C", [1.0, None])
def test_the_absolute_norm_converges_to_what_linear_programmes_converge_to(C, seed):
    X, y = noise(seed=seed + 20)
    selector = AROM(None, norm="l1", C=C)
    order, scores = linear.l1_arom(X.tolist(), y.tolist(), selector.get_params())
    fitted = selector.fit(X, y)
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-6)


# Errors


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_classes_that_cannot_be_separated_have_no_hard_margin(norm):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 2.0]]), [0, 0, 1, 1]
    with pytest.raises(DataError, match="separate"):
        AROM(1, norm=norm, C=None).fit(X, y)
    assert len(AROM(1, norm=norm).fit(X, y).indices_) == 1


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("n_samples", [20, 60])
def test_overlapping_classes_have_no_hard_margin(norm, n_samples):
    X, y = noise(n_samples=n_samples, n_features=3)
    with pytest.raises(DataError, match="separate"):
        AROM(1, norm=norm, C=None).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"norm": "l0"}, "norm='l0'"),
        ({"norm": 2}, "norm=2"),
        ({"C": 0}, "C=0"),
        ({"C": float("inf")}, "C=inf"),
        ({"tol": 0}, "tol=0"),
        ({"tol": -1.0}, r"tol=-1\.0"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"max_iter": 2.5}, r"max_iter=2\.5"),
        ({"multiclass": "all"}, "multiclass='all'"),
        ({"scale": "minmax"}, "scale='minmax'"),
        ({"prior": [0.0] * 30}, r"prior has the weight 0\.0"),
        ({"n_features_to_select": 31}, "n_features_to_select=31 but X has 30"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        AROM(**{"n_features_to_select": 2, **parameters}).fit(*noise())
