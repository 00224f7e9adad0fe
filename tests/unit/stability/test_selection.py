"""Stability selection: the three numbers of which two decide, bounds, near misses, and members of every kind."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import (
    SVMRFE,
    Correlation,
    DataError,
    FTest,
    LaplacianScore,
    NothingSelected,
    ReliefF,
    StabilitySelector,
    TTest,
)
from holdfast.data import Table
from holdfast.selectors._base import Problem
from holdfast.stability import expected_false, list_size_for, nogueira, nogueira_interval, threshold_for
from holdfast.stability._doubt import drawn_for
from oracles import datasets


def stable(*arguments, n_runs=10, selector="t-test", **parameters):
    return StabilitySelector(*arguments, selector=selector, n_runs=n_runs, **parameters)


@pytest.fixture
def data(seed):
    """Twenty features, of which some follow the class."""
    return datasets.continuous(seed, n_samples=32, n_features=20)


def assert_same(first, second):
    assert first.indices_.tolist() == second.indices_.tolist()
    assert first.frequency_.tolist() == second.frequency_.tolist()
    assert first.near_misses_.tolist() == second.near_misses_.tolist()
    assert first.ranking_.tolist() == second.ranking_.tolist()


@pytest.mark.parametrize("perturb", ["complementary-pairs", "half-samples", "bootstrap", "subsample", "folds"])
@pytest.mark.parametrize("selector", ["f-test", "relieff", "svm-rfe", "mrmr+"])
def test_runs_are_what_the_selector_chooses_from_each_resample(perturb, selector, data):
    fitted = stable(selector=selector, list_size=3, threshold=0.3, perturb=perturb, n_runs=4).fit(data.frame, data.y)
    problem = Problem(data.X, data.y.astype(np.int64), data.names, data.y)
    drawn = drawn_for(perturb, problem, 4, 0)
    assert fitted.runs_.shape == (4, 20)
    ranges = np.ptp(data.X, axis=0)
    for run, rows in zip(fitted.runs_, drawn, strict=True):
        # These two are on the scales of all samples.
        options = {"scale": "none"} if selector in ("relieff", "svm-rfe") else {}
        plain = holdfast.selector(selector, n_features_to_select=3, **options)
        frame = (data.frame / ranges if options else data.frame).iloc[rows]
        assert np.flatnonzero(run).tolist() == sorted(plain.fit(frame, data.y[rows]).indices_)


def test_frequency_stability_and_list_size_follow_from_the_runs(data):
    fitted = stable(list_size=3, threshold=0.5).fit(data.X, data.y)
    assert fitted.frequency_.tolist() == fitted.runs_.mean(axis=0).tolist() == fitted.scores_.tolist()
    np.testing.assert_allclose(fitted.stability_, nogueira(fitted.runs_))
    agreement = nogueira_interval(fitted.runs_)
    np.testing.assert_allclose(fitted.stability_interval_, (agreement.low, agreement.high))
    assert fitted.list_size_ == 3


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.6, 0.9, 1.0])
def test_features_at_or_above_the_threshold_are_chosen_the_most_frequent_first(threshold, data):
    fitted = stable(list_size=4, threshold=threshold).fit(data.X, data.y)
    assert sorted(fitted.indices_) == np.flatnonzero(fitted.frequency_ >= threshold - 1e-9).tolist()
    shares = fitted.frequency_[fitted.indices_]
    assert (np.diff(shares) <= 0).all()
    assert fitted.threshold_ == threshold


def test_the_threshold_is_three_quarters_unless_said(data):
    assert stable(list_size=4).fit(data.X, data.y).threshold_ == 0.75


def test_a_number_of_features_keeps_the_most_frequent(data):
    for k in (1, 4, 20):
        fitted = stable(k, list_size=4).fit(data.X, data.y)
        assert len(fitted.indices_) == min(k, fitted.runs_.any(axis=0).sum())
        assert fitted.threshold_ == fitted.frequency_[fitted.indices_[-1]]
        assert fitted.frequency_[fitted.indices_].min() >= np.delete(fitted.frequency_, fitted.indices_).max(initial=0)
    assert len(stable(0.25, list_size=4).fit(data.X, data.y).indices_) == 5


def test_the_length_of_the_lists_is_said_here_or_by_the_selector(data):
    assert stable(list_size=4, threshold=0.9).fit(data.X, data.y).list_size_ == 4
    assert stable(5).fit(data.X, data.y).list_size_ == 5
    assert stable(selector=TTest(7)).fit(data.X, data.y).list_size_ == 7
    assert stable(selector=make_pipeline(StandardScaler(), FTest(6))).fit(data.X, data.y).list_size_ == 6


BOUNDS = ["worst-case", "unimodal", "r-concave"]


@pytest.mark.parametrize("bound", [None, *BOUNDS])
def test_the_bound_on_false_features_is_that_of_the_settings(bound, data):
    fitted = stable(list_size=3, threshold=0.8, bound=bound).fit(data.X, data.y)
    assert fitted.expected_false_ == expected_false(20, 3, 0.8, n_runs=10, bound=bound or "r-concave")


def test_half_samples_have_the_bound_of_meinshausen_and_buhlmann(data):
    fitted = stable(list_size=3, threshold=0.8, perturb="half-samples").fit(data.X, data.y)
    assert fitted.expected_false_ == pytest.approx(9 / 20 / 0.6)
    with pytest.raises(ValueError, match=r"bound='unimodal'.*complementary pairs only"):
        stable(list_size=3, perturb="half-samples", bound="unimodal").fit(data.X, data.y)


def test_the_bound_falls_as_the_threshold_rises(data):
    found = [stable(list_size=3, threshold=t).fit(data.X, data.y).expected_false_ for t in (0.6, 0.7, 0.8, 0.9, 1.0)]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


@pytest.mark.parametrize("perturb", ["bootstrap", "subsample", ShuffleSplit(4, random_state=0)], ids=str)
def test_other_resamples_have_no_bound(perturb, data):
    assert np.isnan(stable(list_size=3, threshold=0.8, perturb=perturb).fit(data.X, data.y).expected_false_)
    with pytest.raises(ValueError, match=r"max_false=1.*complementary-pairs"):
        stable(list_size=3, max_false=1, perturb=perturb).fit(data.X, data.y)


def test_a_low_threshold_has_no_bound_that_needs_more_than_half(data):
    fitted = stable(list_size=3, threshold=0.4, bound="worst-case").fit(data.X, data.y)
    assert np.isnan(fitted.expected_false_)
    assert not np.isnan(stable(list_size=3, threshold=0.4).fit(data.X, data.y).expected_false_)


def test_a_limit_on_false_features_and_a_list_size_give_the_threshold(data):
    fitted = stable(list_size=3, max_false=0.5).fit(data.X, data.y)
    assert fitted.threshold_ == threshold_for(20, 3, 0.5, n_runs=10)
    assert fitted.expected_false_ <= 0.5
    own = stable(selector=TTest(3), max_false=0.5).fit(data.X, data.y)
    assert own.threshold_ == fitted.threshold_
    in_pipeline = stable(selector=make_pipeline(StandardScaler(), TTest(3)), max_false=0.5).fit(data.X, data.y)
    assert in_pipeline.threshold_ == fitted.threshold_
    by_share = stable(selector=TTest(0.15), max_false=0.5).fit(data.X, data.y)
    assert by_share.threshold_ == fitted.threshold_


def test_a_limit_on_false_features_and_a_threshold_give_the_list_size(data):
    fitted = stable(threshold=0.8, max_false=0.7).fit(data.X, data.y)
    assert fitted.list_size_ == list_size_for(20, 0.8, 0.7, n_runs=10)
    assert fitted.expected_false_ <= 0.7
    halves = stable(threshold=0.8, max_false=0.7, perturb="half-samples").fit(data.X, data.y)
    assert halves.list_size_ == list_size_for(20, 0.8, 0.7, n_runs=10, bound="meinshausen-buhlmann")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"threshold": 0.8, "list_size": 3, "max_false": 1}, r"(?s)threshold=0.8.*list_size=3.*max_false=1.*None"),
        ({"n_features_to_select": 3, "max_false": 1}, "n_features_to_select=3.*max_false=1"),
        ({"selector": SelectFromModel(LogisticRegression()), "max_false": 1}, "SelectFromModel does not say"),
        ({"selector": SelectFromModel(LogisticRegression()), "list_size": 3}, "list_size=3.*SelectFromModel"),
        ({"n_features_to_select": 3, "threshold": 0.6, "list_size": 3}, "Leave one of them None"),
        ({"list_size": 3, "perturb": "bootstrap", "bound": "unimodal"}, "bound='unimodal' holds for"),
        ({"list_size": 3, "max_false": 1e-9}, "(?i)max_false"),
        ({"selector": ["t-test", "f-test"]}, "^selector="),
        ({"selector": StandardScaler()}, "^selector="),
        ({"list_size": 21}, "list_size=21.*20 feature"),
        ({}, "keeps 50 features.*list_size="),
        ({"list_size": 3, "n_runs": 7}, "odd"),
        ({"list_size": 3, "threshold": 0}, "^threshold="),
        ({"list_size": 3, "perturb": "jackknife"}, "^perturb="),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_with_a_reason(options, says, data):
    with pytest.raises(ValueError, match=says):
        stable().set_params(**options).fit(data.X, data.y)


def wilson_upper(share, n):
    z = 1.959963984540054
    return (share + z * z / (2 * n) + z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))) / (1 + z * z / n)


@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.9, 1.0])
def test_near_misses_are_those_below_the_cut_whose_interval_reaches_it(threshold, data):
    fitted = stable(list_size=4, threshold=threshold, n_runs=20).fit(data.X, data.y)
    frequency = fitted.frequency_
    near = [f for f in range(20) if 0 < frequency[f] < threshold - 1e-9 and wilson_upper(frequency[f], 20) >= threshold]
    assert sorted(fitted.near_misses_) == near
    assert (np.diff(frequency[fitted.near_misses_]) <= 0).all()


def test_nothing_above_the_threshold_is_a_warning_and_near_misses_go_by_content(seed):
    rng = np.random.default_rng([seed, 80])
    X, y = rng.normal(size=(24, 12)), np.arange(24) % 2
    columns = rng.permutation(12)
    with pytest.warns(NothingSelected):
        plain = stable(list_size=2, threshold=1.0, n_runs=6).fit(X, y)
    with pytest.warns(NothingSelected):
        moved = stable(list_size=2, threshold=1.0, n_runs=6).fit(X[:, columns], y)
    assert len(plain.indices_) == 0
    assert columns[moved.near_misses_].tolist() == plain.near_misses_.tolist()


def test_lists_of_all_features_have_no_stability(data):
    fitted = stable(list_size=20).fit(data.X, data.y)
    assert len(fitted.indices_) == 20
    assert np.isnan(fitted.stability_)
    assert fitted.expected_false_ == 20


def test_a_run_by_itself_has_no_stability(data):
    fitted = stable(list_size=3, perturb=[np.arange(32)]).fit(data.X, data.y)
    assert np.isnan(fitted.stability_)
    assert sorted(fitted.indices_) == sorted(TTest(3).fit(data.X, data.y).indices_)


def test_an_unfitted_one_has_no_runs():
    with pytest.raises(NotFittedError):
        _ = StabilitySelector().runs_


MEMBERS = [
    SelectKBest(k=3),
    RFE(LogisticRegression(), n_features_to_select=3),
    make_pipeline(StandardScaler(), SelectKBest(k=3)),
    make_pipeline(SelectKBest(k=6), ReliefF(3)),
]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda m: type(m).__name__)
def test_selectors_of_scikit_learn_and_pipelines_are_members(member, data):
    plain = stable(selector=member, threshold=0.5, n_runs=4).fit(data.X, data.y)
    assert plain.list_size_ == 3
    for X in (data.frame, Table(data.X, data.names)):
        assert np.array_equal(stable(selector=member, threshold=0.5, n_runs=4).fit(X, data.y).runs_, plain.runs_)


def test_places_in_the_table_keep_their_meaning_for_the_member(data):
    prior = np.ones(20)
    prior[3] = 900.0
    for X in (data.X, data.frame):
        fitted = stable(selector=SVMRFE(1, prior=prior), n_runs=4).fit(X, data.y)
        assert fitted.indices_.tolist() == [3]


def test_measured_and_absent_targets_are_for_members_that_take_them(seed):
    data = datasets.measured(seed)
    fitted = stable(selector=Correlation(3), threshold=0.5).fit(data.X, data.y)
    assert Correlation(1).fit(data.X, data.y).indices_[0] in fitted.indices_
    assert len(stable(3, selector=LaplacianScore(3)).fit(data.X).indices_) == 3


def test_groups_stay_in_one_half(data):
    groups = np.where(data.y == 1, 100, 0) + np.arange(32) // 4
    seen = []

    class Says(TTest):
        def fit(self, X, y=None):
            seen.append({tuple(sorted(row)) for row in np.asarray(X)})
            return super().fit(X, y)

    stable(1, selector=Says(2), n_runs=4).fit(data.X, data.y, groups=groups)
    for first, second in zip(seen[::2], seen[1::2], strict=True):
        assert not first & second
        for group in np.unique(groups):
            rows = {tuple(sorted(row)) for row in data.X[groups == group]}
            assert rows <= first or rows <= second


def test_a_half_without_a_class_is_refused_naming_the_run(data):
    with pytest.raises(DataError, match=r"(?i)run 0 has samples of one class"):
        stable(list_size=2).fit(data.X, data.y, groups=data.y)


@pytest.mark.parametrize("selector", ["f-test", "relieff", "svm-rfe", "mrmr+", "fcbf"])
@pytest.mark.parametrize("kind", ["continuous", "tied", "copied"])
def test_order_of_rows_and_columns_names_and_jobs_change_nothing(selector, kind, seed):
    data = getattr(datasets, kind)(seed, n_classes=3)
    rng = np.random.default_rng([seed, 81])
    rows, columns = rng.permutation(len(data.y)), rng.permutation(data.X.shape[1])
    options = {"selector": selector, "list_size": 3, "threshold": 0.2, "n_runs": 6}
    plain = datasets.fit(stable(**options), data.frame, data.y)
    moved = datasets.fit(stable(**options), data.frame.iloc[rows, columns], np.array(["z", "b", "k"])[data.y[rows]])
    assert columns[moved.indices_].tolist() == plain.indices_.tolist()
    assert columns[moved.near_misses_].tolist() == plain.near_misses_.tolist()
    assert moved.frequency_.tolist() == plain.frequency_[columns].tolist()
    assert_same(datasets.fit(stable(**options, n_jobs=2), data.frame, data.y), plain)


@pytest.mark.parametrize("selector", ["f-test", "relieff", "svm-rfe", "mrmr+"])
def test_columns_that_only_a_half_cannot_tell_apart_do_not_go_by_place(selector, seed):
    """Zeros and ones on few samples: columns that differ in the table are equal in a half of it."""
    rng = np.random.default_rng([seed, 82])
    y = np.arange(14) % 2
    X = (rng.random((14, 40)) < 0.3 + 0.4 * y[:, np.newaxis]).astype(float)
    X = np.unique(X, axis=1)
    columns = rng.permutation(X.shape[1])
    plain = stable(8, selector=selector).fit(X, y)
    moved = stable(8, selector=selector).fit(X[:, columns], y)
    assert columns[moved.indices_].tolist() == plain.indices_.tolist()
    assert moved.frequency_.tolist() == plain.frequency_[columns].tolist()


def test_samples_that_differ_in_the_measured_target_only_do_not_go_by_row(seed):
    rng = np.random.default_rng([seed, 84])
    X = np.tile(rng.normal(size=(13, 6)), (2, 1))
    y = rng.permutation(np.resize([0.0, 50.0, 60.0, 1000.0], 26))
    plain = stable(4, selector="pearson", list_size=3).fit(X, y)
    for _ in range(5):
        rows = rng.permutation(26)
        assert_same(stable(4, selector="pearson", list_size=3).fit(X[rows], y[rows]), plain)


def test_columns_that_fingerprints_cannot_tell_apart_go_by_what_they_say_of_the_classes():
    X = np.array([[1, 0, 0, 1, 1], [0, 1, 0, 0, 0], [0, 1, 1, 1, 0], [1, 1, 1, 0, 0]], dtype=float)
    y = np.array([1, 0, 0, 1])
    for first in ([0, 1, 2, 3, 4], [3, 1, 2, 0, 4], [4, 3, 2, 1, 0]):
        fitted = stable(1, list_size=1, n_runs=2, perturb=[[0, 1], [2, 3]], selector="mrmr+").fit(X[:, first], y)
        assert first[fitted.indices_[0]] == 0


def test_a_pickle_and_a_clone_keep_what_they_should(data):
    fitted = stable(list_size=3, threshold=0.5).fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_same(again, fitted)
    assert np.array_equal(again.runs_, fitted.runs_)
    assert not hasattr(clone(fitted), "frequency_")


def test_parameters_of_the_member_can_be_set_and_tuned(data):
    selector = stable(3, selector=SVMRFE(), n_runs=2)
    assert selector.set_params(selector__C=0.5).get_params()["selector__C"] == 0.5
    search = GridSearchCV(
        make_pipeline(selector, KNeighborsClassifier(3)),
        {"stabilityselector__selector__C": [0.01, 10.0]},
        cv=2,
        error_score="raise",
    )
    assert search.fit(data.X, data.y).predict(data.X).shape == data.y.shape


def test_the_given_selector_stays_as_it_is(data):
    member = TTest(7)
    stable(selector=member, list_size=2).fit(data.X, data.y)
    assert member.n_features_to_select == 7
    assert not hasattr(member, "indices_")


def test_strong_features_are_found_and_noise_is_within_the_bound(seed):
    rng = np.random.default_rng([seed, 83])
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 100))
    X[:, :3] += 3.0 * y[:, np.newaxis]
    fitted = stable(list_size=5, max_false=1, n_runs=50).fit(X, y)
    assert {0, 1, 2} <= set(fitted.indices_)
    assert len(fitted.indices_) <= 5


@pytest.mark.parametrize("selector", ["t-test", "mrmr+", "relieff", "svm-rfe"])
def test_features_that_never_vary_are_never_chosen(selector, seed):
    rng = np.random.default_rng([seed, 74])
    X, y = np.zeros((24, 10)), np.arange(24) % 2
    X[:, [7, 9]] = rng.normal(size=(24, 2))
    fitted = StabilitySelector(selector=selector, list_size=4, n_runs=6).fit(X, y)
    assert fitted.indices_.tolist() in ([7, 9], [9, 7])
    with pytest.warns(NothingSelected, match="0 % of the runs"):
        StabilitySelector(selector=selector, list_size=4, n_runs=6).fit(np.ones((24, 10)), y)


def test_a_share_of_the_features_can_be_the_list(seed):
    X, y = np.random.default_rng([seed, 75]).normal(size=(24, 20)), np.arange(24) % 2
    assert StabilitySelector(2, selector="t-test", list_size=0.25, n_runs=4).fit(X, y).list_size_ == 5


def test_a_number_of_features_takes_none_that_no_run_chose(seed):
    X, y = np.zeros((24, 10)), np.arange(24) % 2
    X[:, [7, 9]] = np.random.default_rng([seed, 76]).normal(size=(24, 2))
    fitted = StabilitySelector(5, selector="t-test", n_runs=6).fit(X, y)
    assert sorted(fitted.indices_) == [7, 9]
    assert np.isnan(fitted.expected_false_)


@pytest.mark.parametrize(
    "groups", [[None] * 24, [0.0, np.nan] * 12, ["a"] * 24, [1, 2]], ids=["none", "nan", "one", "few"]
)
def test_groups_that_say_nothing_are_refused(groups):
    X, y = np.random.default_rng(0).normal(size=(24, 5)), np.arange(24) % 2
    with pytest.raises(ValueError, match="group"):
        StabilitySelector(selector="t-test", list_size=2, n_runs=4).fit(X, y, groups=groups)
