"""Selectors on weighted samples: the worked numbers of Han 2012 (V4 to V6), the control arm, and errors."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectFromModel, SelectorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import holdfast
from holdfast import (
    MRMR,
    SURF,
    SVMRFE,
    DataError,
    InstanceWeightedSelector,
    InstanceWeighting,
    MultiSURF,
    Relief,
    ReliefF,
)
from oracles import datasets

CLEAN = np.array([[0, 0], [1, 0.5], [0.5, 2], [4, 4], [5, 3], [3, 5.5]])
OUTLIER = np.array([[0, 0], [1, 0.5], [3.5, 4.5], [4, 4], [5, 3], [3, 5.5]])
Y = np.array([0, 0, 0, 1, 1, 1])
RAW = InstanceWeighting(scale="none")

# Features 0 and 1 of V4: data, neighbours, plain, with normalised and with raw weights of the neighbours.
RELIEFF = [
    (CLEAN, 1, (2.583333, 1.666667), (2.574911, 1.685445), (0.480166, 0.327448)),
    (CLEAN, 2, (2.625, 1.291667), (2.616327, 1.470433), (0.959784, 0.556109)),
    (OUTLIER, 1, (0.416667, 0.416667), (0.686510, 0.876682), (0.104779, 0.129261)),
    (OUTLIER, 2, (0.541667, 0.041667), (1.384374, 1.186586), (0.480736, 0.379667)),
]


def _relieff(k, neighbour_weights="raw"):
    return ReliefF(2, n_neighbors=k, scale="none", ties="first", neighbour_weights=neighbour_weights)


def _iw(selector, weight_scale="sum"):
    return InstanceWeightedSelector(selector=selector, weighting=RAW, weight_scale=weight_scale)


@pytest.mark.parametrize(("X", "k", "plain", "normalized", "raw"), RELIEFF)
def test_worked_scores_of_iw_relieff(X, k, plain, normalized, raw):
    np.testing.assert_allclose(_relieff(k).fit(X, Y).scores_, plain, atol=6e-7)
    by_share = _iw(_relieff(k, "normalized")).fit(X, Y)
    np.testing.assert_allclose(by_share.scores_, normalized, atol=6e-7)
    np.testing.assert_allclose(_iw(_relieff(k)).fit(X, Y).scores_, raw, atol=6e-7)


@pytest.mark.parametrize("weight_scale", ["sum", "mean"])
@pytest.mark.parametrize("neighbour_weights", ["raw", "normalized"])
def test_the_scale_of_the_weights_changes_no_list_of_relieff(weight_scale, neighbour_weights, seed):
    data = datasets.continuous(seed)
    base = ReliefF(5, neighbour_weights=neighbour_weights)
    plain = InstanceWeightedSelector(selector=base).fit(data.X, data.y)
    other = InstanceWeightedSelector(selector=base, weight_scale=weight_scale).fit(data.X, data.y)
    assert other.indices_.tolist() == plain.indices_.tolist()


WEIGHTS = {
    "mean": (OUTLIER, [0.375, 0.25]),
    "sum": (OUTLIER, [0.320157, 0.297009]),
    "uniform": (OUTLIER, [0.333333, 0.266667]),
}


@pytest.mark.parametrize("weight_scale", WEIGHTS)
def test_worked_weights_of_the_weighted_machine(weight_scale):
    """The first round's share of |w|, in which the size of w cannot be seen but its direction can."""
    X, w = WEIGHTS[weight_scale]
    fitted = _iw(SVMRFE(2, scale="none", keep_path=True), weight_scale).fit(X, Y)
    np.testing.assert_allclose(fitted.weight_path_[0], np.array(w) / sum(w), atol=2e-6)
    clean = _iw(SVMRFE(2, scale="none", keep_path=True), weight_scale).fit(CLEAN, Y)
    np.testing.assert_allclose(clean.weight_path_[0], np.array([0.413793, 0.275862]) / 0.689655, atol=2e-6)


V6 = np.array([
    [1, 0.2, 3, 0.5], [2, 1.1, 2.5, 0.1], [1.5, 0.4, 4, 0.9], [2.5, 0.8, 3.5, 0.3],
    [3, 0.3, 1, 0.7], [4, 0.9, 0.5, 0.2], [3.5, 0.6, 2, 0.8], [2.2, 0.1, 1.5, 0.4],
])  # fmt: skip
V6_Y = np.repeat([0, 1], 4)


def test_worked_ranking_of_svm_rfe_and_of_the_control_arm():
    assert SVMRFE(4, scale="none").fit(V6, V6_Y).indices_.tolist() == [2, 1, 0, 3]
    control = _iw(SVMRFE(4, scale="none", keep_path=True), "uniform").fit(V6, V6_Y)
    assert control.indices_.tolist() == [2, 0, 1, 3]
    np.testing.assert_allclose(control.weight_path_[0], np.array([0.4, 0.1375, 0.5625, 0.125]) / 1.225, atol=1e-6)
    assert control.weights_.tolist() == [1 / 8] * 8


class Equal(InstanceWeighting):
    """All samples alike."""

    def weigh(self, X, target):
        found = super().weigh(X, target)
        return type(found)(np.full(len(X), 1 / len(X)), 1, True)


@pytest.mark.parametrize("kind", ["continuous", "tied", "mixed"])
@pytest.mark.parametrize(
    "base", [SVMRFE(5), ReliefF(5), Relief(5), SURF(5), MultiSURF(5)], ids=lambda b: type(b).__name__
)
def test_equal_weights_of_mean_one_change_nothing(base, kind, seed):
    data = getattr(datasets, kind)(seed)
    plain = clone(base).fit(data.X, data.y)
    equal = InstanceWeightedSelector(selector=base, weighting=Equal(), weight_scale="mean").fit(data.X, data.y)
    assert equal.indices_.tolist() == plain.indices_.tolist()
    assert equal.ranking_.tolist() == plain.ranking_.tolist()
    is_known = np.isfinite(plain.scores_)
    assert np.array_equal(is_known, np.isfinite(equal.scores_))
    # Raw weights of k neighbours sum to k / n.
    k = {"ReliefF": 10, "Relief": 1}.get(type(base).__name__)
    factor = 1.0 if k is None else k / len(data.y)
    np.testing.assert_allclose(equal.scores_[is_known], factor * plain.scores_[is_known], rtol=1e-9, atol=1e-12)


def test_equal_weights_of_neighbours_divided_by_their_sum_are_plain_relieff(seed):
    data = datasets.continuous(seed, n_classes=3)
    base = ReliefF(5, neighbour_weights="normalized")
    equal = InstanceWeightedSelector(selector=base, weighting=Equal()).fit(data.X, data.y)
    np.testing.assert_allclose(equal.scores_, clone(base).fit(data.X, data.y).scores_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("C", [0.5, 1.0, 20.0])
def test_the_control_arm_of_svm_rfe_has_c_over_n_and_no_weights(C, seed):
    data = datasets.continuous(seed, n_classes=3)
    plain = SVMRFE(6, C=C / len(data.y)).fit(data.X, data.y)
    control = InstanceWeightedSelector(selector=SVMRFE(6, C=C), weight_scale="uniform").fit(data.X, data.y)
    assert control.indices_.tolist() == plain.indices_.tolist()
    np.testing.assert_allclose(control.scores_, plain.scores_, rtol=1e-9, atol=1e-12)


def test_the_weights_used_are_kept(seed):
    data = datasets.continuous(seed)
    own = InstanceWeighting().fit_transform(data.X, data.y)
    n = len(data.y)
    for scale, expected in (("sum", own), ("mean", n * own), ("uniform", np.full(n, 1 / n))):
        fitted = InstanceWeightedSelector(3, weight_scale=scale).fit(data.X, data.y)
        np.testing.assert_allclose(fitted.weights_, expected, rtol=1e-14)
        assert fitted.selector_.indices_.tolist() == fitted.indices_.tolist()


@pytest.mark.parametrize("name", ["svm-rfe", "relieff", "relief", "surf", "multisurf"])
def test_a_selector_by_name_is_that_selector_with_the_weights(name, seed):
    data = datasets.continuous(seed)
    weights = InstanceWeighting().fit_transform(data.X, data.y)
    plain = holdfast.selector(name, n_features_to_select=4).fit(data.X, data.y, sample_weight=weights)
    fitted = InstanceWeightedSelector(4, selector=name).fit(data.X, data.y)
    assert fitted.indices_.tolist() == plain.indices_.tolist()
    assert np.array_equal(fitted.scores_, plain.scores_)
    assert fitted.ranking_.tolist() == plain.ranking_.tolist()


def test_the_number_of_features_is_left_to_the_selector_or_said_here(seed):
    data = datasets.continuous(seed)
    assert len(InstanceWeightedSelector(selector=ReliefF(7)).fit(data.X, data.y).indices_) == 7
    assert len(InstanceWeightedSelector(2, selector=ReliefF(7)).fit(data.X, data.y).indices_) == 2
    assert len(InstanceWeightedSelector(0.3, selector=ReliefF(7)).fit(data.X, data.y).indices_) == 3


def test_the_given_selector_and_weighting_stay_as_they_are(seed):
    data = datasets.continuous(seed)
    base, weighting = ReliefF(7), InstanceWeighting()
    InstanceWeightedSelector(2, selector=base, weighting=weighting).fit(data.X, data.y)
    assert base.n_features_to_select == 7
    assert not hasattr(base, "indices_")
    assert not hasattr(weighting, "weights_")


@pytest.mark.parametrize("selector", ["mrmr+", "t-test", MRMR(3)], ids=str)
def test_a_selector_without_weights_is_refused(selector):
    with pytest.raises(ValueError, match=r"takes no sample_weight.*svm-rfe"):
        InstanceWeightedSelector(1, selector=selector).fit(CLEAN, Y)


def test_a_selector_that_passes_weights_on_gets_them():
    weighted = InstanceWeightedSelector(selector=SelectFromModel(LogisticRegression())).fit(CLEAN, Y)
    plain = SelectFromModel(LogisticRegression()).fit(CLEAN, Y)
    assert not np.array_equal(weighted.selector_.estimator_.coef_, plain.estimator_.coef_)


def test_the_name_takes_parameters_of_the_selector_inside():
    assert holdfast.selector("iw-svm-rfe", C=0.1).selector.C == 0.1
    assert holdfast.selector("iw-svm-rfe", selector__C=0.2, n_features_to_select=3).selector.C == 0.2
    with pytest.raises(TypeError, match="no parameter 'nonsense'"):
        holdfast.selector("iw-svm-rfe", nonsense=1)


class FirstTwo(SelectorMixin, BaseEstimator):
    """A selector of another house that takes weights."""

    def fit(self, X, y, sample_weight=None):
        self.n_features_in_ = np.asarray(X).shape[1]
        self.seen_ = sample_weight
        return self

    def _get_support_mask(self):
        return np.arange(self.n_features_in_) < 2


def test_a_selector_of_another_house_gets_the_weights(seed):
    data = datasets.continuous(seed)
    for X in (data.X, data.frame):
        fitted = InstanceWeightedSelector(selector=FirstTwo()).fit(X, data.y)
        assert sorted(fitted.indices_) == [0, 1]
        np.testing.assert_allclose(fitted.selector_.seen_, InstanceWeighting().fit_transform(data.X, data.y))


@pytest.mark.parametrize("name", ["svm-rfe", "relieff"])
def test_missing_values_are_refused_naming_the_feature(name, seed):
    data = datasets.continuous(seed)
    frame = data.frame
    frame.iloc[1, 2] = np.nan
    with pytest.raises(DataError, match=str(data.names[2])):
        InstanceWeightedSelector(2, selector=name).fit(frame, data.y)


def test_parameters_of_the_parts_can_be_set_and_tuned(seed):
    data = datasets.continuous(seed, n_samples=36)
    selector = InstanceWeightedSelector(3, selector=SVMRFE(), weighting=InstanceWeighting())
    selector.set_params(selector__C=0.25, weighting__neighbours="nearest")
    assert selector.get_params()["selector__C"] == 0.25
    search = GridSearchCV(
        make_pipeline(selector, KNeighborsClassifier(3)),
        {
            "instanceweightedselector__selector__C": [0.01, 1.0],
            "instanceweightedselector__weight_scale": ["sum", "mean"],
        },
        cv=3,
        error_score="raise",
    ).fit(data.X, data.y)
    assert search.best_params_["instanceweightedselector__selector__C"] in (0.01, 1.0)
    again = pickle.loads(pickle.dumps(search.best_estimator_[0]))
    assert again.indices_.tolist() == search.best_estimator_[0].indices_.tolist()


def test_names_reach_the_selector(seed):
    data = datasets.continuous(seed)
    known = str(data.names[4])
    fitted = InstanceWeightedSelector(3, selector=SVMRFE(prior={known: 900})).fit(data.frame, data.y)
    assert 4 in fitted.indices_


@pytest.mark.parametrize("name", ["iw-svm-rfe", "iw-relieff"])
def test_rows_columns_names_of_classes_and_frames_change_nothing(name, seed):
    data = datasets.continuous(seed, n_classes=3)
    rng = np.random.default_rng([seed, 62])
    rows, columns = rng.permutation(len(data.y)), rng.permutation(data.X.shape[1])
    plain = holdfast.selector(name, n_features_to_select=5).fit(data.X, data.y)
    moved = holdfast.selector(name, n_features_to_select=5).fit(
        data.X[rows][:, columns], np.array(["z", "b", "k"])[data.y[rows]]
    )
    assert columns[moved.indices_].tolist() == plain.indices_.tolist()
    np.testing.assert_allclose(moved.weights_, plain.weights_[rows], rtol=1e-12)
