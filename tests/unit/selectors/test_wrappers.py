"""Wrappers: the worked examples of the specification, what is counted, any classifier and splitter, and the errors."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from holdfast import DataError, NothingSelected
from holdfast.measures.cross_validation import CrossValidation
from holdfast.search.lists import Pass, backward_by_lists, cooperate
from holdfast.selectors.neighbours.hybrid import HIBCSS, HIBSBS
from holdfast.selectors.sequential import HybridSequential, RandomizedWrapper
from oracles import datasets, wrappers

WRAPPERS = [HIBSBS(3), HIBCSS(3), RandomizedWrapper(3, max_steps=30), HybridSequential(3)]
every_wrapper = pytest.mark.parametrize("wrapper", WRAPPERS, ids=lambda wrapper: type(wrapper).__name__)


class Table:
    """An evaluator that looks errors up and remembers what it was asked."""

    def __init__(self, error_of):
        self.error_of = error_of
        self.asked = []

    def __call__(self, subsets):
        self.asked += [frozenset(map(int, subset)) for subset in subsets]
        return np.array([self.error_of[frozenset(map(int, subset))] for subset in subsets])


def _table(**error_of):
    return Table({frozenset(int(f) for f in features[1:]): error for features, error in error_of.items()})


LISTS = [np.array(features) for features in ([1, 2], [2, 3], [4, 5], [3, 6])]
WORKED = {
    "_123456": 0.30, "_3456": 0.35, "_1456": 0.25, "_1236": 0.20, "_1245": 0.30, "_36": 0.28, "_12": 0.20,
}  # fmt: skip


def test_backward_search_ends_where_the_worked_example_of_the_specification_does():
    errors = _table(**WORKED)
    walked = backward_by_lists(LISTS, errors)
    assert walked.kept.tolist() == [0, 3]
    assert walked.errors.tolist() == [0.28, 0.25, 0.20, 0.20]
    assert walked.passes == (Pass(4, 6, 0.30, 2), Pass(2, 4, 0.20, 0))
    assert len(errors.asked) == 7


def test_the_slow_twin_of_the_backward_search_ends_there_too():
    errors = _table(**WORKED)
    assert wrappers.backward_by_lists([list(own) for own in LISTS], lambda subset: float(errors([subset])[0])) == [0, 3]


def test_recomputing_compares_with_the_error_of_what_is_left():
    lists = [np.array([1]), np.array([2]), np.array([3])]
    errors = {"_123": 0.5, "_23": 0.2, "_13": 0.3, "_12": 0.6, "_3": 0.4}
    assert backward_by_lists(lists, _table(**errors)).passes[1].error == 0.2
    recomputed = backward_by_lists(lists, _table(**errors), recompute=True)
    assert recomputed.kept.tolist() == [2]
    assert recomputed.passes[1].error == 0.4


def test_if_every_list_should_go_only_the_one_whose_absence_helps_most_does():
    lists = [np.array([1]), np.array([2]), np.array([3])]
    errors = _table(_123=0.5, _23=0.3, _13=0.2, _12=0.2, _3=0.4, _1=0.3)
    walked = backward_by_lists(lists, errors)
    assert walked.kept.tolist() == [0, 2]
    assert walked.passes[0].n_removed == 1


def test_the_last_list_is_never_taken_away():
    errors = _table(_12=1.0)
    walked = backward_by_lists([np.array([1, 2])], errors)
    assert walked.kept.tolist() == [0]
    assert errors.asked == [frozenset({1, 2})]


CFS = np.array([[1, 2], [2, 3], [3, 4], [1, 5]])
CFS_WEIGHTS = np.array([[0.9, 0.6], [0.8, 0.5], [0.9, 0.7], [0.8, 0.9]])
CFS_ERRORS = np.array([0.10, 0.20, 0.25, 0.50])


def _largest(features, values, n_best):
    return features[np.argsort(-values, kind="stable")[:n_best]]


def _cooperate(errors, low, high, n_preselected):
    # Errors in twentieths: half a sample is 1/40.
    found, scores = cooperate(CFS, CFS_WEIGHTS, errors, errors < low, errors > high, 1 / 40, _largest, n_preselected)
    return dict(zip(found.tolist(), scores, strict=True))


def test_cooperation_ends_where_the_worked_example_of_the_specification_does():
    assert _cooperate(CFS_ERRORS, 0.15, 0.40, 3) == pytest.approx({1: 9.0, 2: 10.0, 3: 6.1})


def test_the_slow_twin_of_cooperation_ends_there_too():
    lists = [list(zip(f.tolist(), w.tolist(), strict=True)) for f, w in zip(CFS, CFS_WEIGHTS, strict=True)]
    found = wrappers.cooperate(lists, CFS_ERRORS, [0], [3], 20, 3, lambda s, n: sorted(s, key=lambda f: -s[f])[:n])
    assert found == pytest.approx({1: 9.0, 2: 10.0, 3: 6.1})


def test_without_preselection_cooperation_keeps_what_only_weak_lists_have():
    assert sorted(_cooperate(CFS_ERRORS, 0.15, 0.40, None)) == [1, 2, 3, 4]


def test_a_list_at_the_upper_threshold_is_not_bad():
    assert sorted(_cooperate(CFS_ERRORS, 0.15, 0.50, None)) == [1, 2, 3, 4, 5]


def test_a_list_without_error_counts_as_one_with_half_a_sample_wrong():
    errors = np.array([0.0, 0.20, 0.25, 0.50])
    assert _cooperate(errors, 0.15, 0.40, None)[1] == pytest.approx(0.9 * 40)


def test_features_of_a_good_list_stay_though_a_bad_list_has_them():
    assert 1 in _cooperate(CFS_ERRORS, 0.15, 0.40, None)
    assert 1 not in _cooperate(CFS_ERRORS, 0.05, 0.40, None)


def test_nothing_is_found_if_every_list_is_bad():
    assert _cooperate(CFS_ERRORS, 0.01, 0.05, 3) == {}


@pytest.fixture
def data(seed):
    return datasets.continuous(seed)


def _validation(data, **options):
    return CrossValidation(data.X, data.y, **{"cv": 4, "random_state": 0, **options})


def test_a_subset_is_evaluated_once_in_whatever_order_its_features_come(data):
    validation = _validation(data)
    first = validation.errors([[0, 1], [1, 0], [1, 0, 1], [2]])
    again = validation.errors([[2], [0, 1]])
    assert first[0] == first[1] == first[2] == again[1]
    assert first[3] == again[0]
    assert (validation.n_requests, validation.n_cache_hits, validation.n_subsets) == (6, 4, 2)
    assert validation.n_trained == 2 * 4


def test_a_subset_without_features_is_refused(data):
    with pytest.raises(ValueError, match="without features"):
        _validation(data).errors([[0], []])


@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["votes", "refits"])
def test_a_subset_that_grows_has_the_errors_of_the_larger_subsets(data, estimator):
    growing = _validation(data, estimator=estimator).growing()
    chosen = []
    for feature in (3, 0, 7):
        candidates = np.setdiff1d(np.arange(data.X.shape[1]), chosen)
        whole = _validation(data, estimator=estimator).errors([*chosen, c] for c in candidates)
        assert growing.errors_with(candidates).tolist() == whole.tolist()
        growing.add(feature)
        chosen.append(feature)


def test_a_growing_subset_too_large_to_keep_distances_of_gives_the_same_errors(data, monkeypatch):
    kept = _validation(data).growing()
    monkeypatch.setattr("holdfast.measures._neighbour_votes._MOST_KEPT", 1)
    summed = _validation(data).growing()
    for feature in (3, 0):
        kept.add(feature)
        summed.add(feature)
    assert kept.errors_with(np.array([1, 2])).tolist() == summed.errors_with(np.array([1, 2])).tolist()


@pytest.mark.parametrize("estimator", [None, GaussianNB()], ids=["votes", "refits"])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_neither_jobs_nor_backend_change_an_error(data, estimator, backend, monkeypatch):
    monkeypatch.setattr("holdfast.measures._threads._WORTH_A_THREAD", 1)
    subsets = [[f, (f + 3) % 10] for f in range(10)]
    alone = _validation(data, estimator=estimator).errors(subsets)
    assert _validation(data, estimator=estimator, n_jobs=2).errors(subsets).tolist() == alone.tolist()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert _validation(data, estimator=estimator).errors(subsets).tolist() == alone.tolist()


@every_wrapper
@pytest.mark.parametrize(
    "estimator", [None, DecisionTreeClassifier(max_depth=2, random_state=0)], ids=["votes", "tree"]
)
def test_the_number_of_jobs_changes_no_selection(wrapper, estimator, data, monkeypatch):
    monkeypatch.setattr("holdfast.measures._threads._WORTH_A_THREAD", 1)
    parameters = {**wrapper.get_params(deep=False), "estimator": estimator, "cv": 3}
    if isinstance(wrapper, RandomizedWrapper):
        parameters["max_steps"] = 5
    alone, together = (type(wrapper)(**{**parameters, "n_jobs": n}).fit(data.X, data.y) for n in (None, 2))
    assert alone.indices_.tolist() == together.indices_.tolist()
    assert np.array_equal(alone.scores_, together.scores_, equal_nan=True)
    assert alone.n_evaluations_ == together.n_evaluations_


SPLITTERS = [
    3,
    None,
    KFold(3),
    StratifiedKFold(4, shuffle=True, random_state=1),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0),
    ShuffleSplit(4, test_size=0.3, random_state=0),
    LeaveOneOut(),
    [(np.arange(12), np.arange(12, 24)), (np.arange(12, 24), np.arange(12))],
    [(np.arange(24) < 12, np.arange(24) >= 12)],
]


@every_wrapper
@pytest.mark.parametrize("cv", SPLITTERS, ids=lambda cv: type(cv).__name__)
def test_a_wrapper_takes_any_splits(wrapper, cv, data):
    fitted = type(wrapper)(**{**wrapper.get_params(deep=False), "cv": cv}).fit(data.X, data.y)
    assert 0 < len(fitted.indices_) <= 3
    assert 0 <= fitted.error_ <= 1


@pytest.mark.parametrize("cv", SPLITTERS[2:8], ids=lambda cv: type(cv).__name__)
@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
        KNeighborsClassifier(3),
        GaussianNB(),
    ],
    ids=lambda estimator: str(estimator).replace("\n", ""),
)
def test_errors_are_those_of_scikit_learn_on_the_same_splits(cv, estimator, seed):
    rng = np.random.default_rng([seed, 40])
    y = rng.permutation(np.repeat(["case", "control", "other"], 8))
    X = rng.normal(size=(24, 5)) + (y == "case")[:, np.newaxis]
    validation = CrossValidation(X, y, estimator=estimator, cv=cv)
    splits = cv if isinstance(cv, list) else list(cv.split(X, y))
    sizes = [len(test) for _, test in splits]
    for subset in ([0], [1, 3], [0, 1, 2, 3, 4]):
        accuracy = cross_val_score(estimator, X[:, subset], y, cv=splits)
        assert validation.errors([subset])[0] == pytest.approx(1 - np.average(accuracy, weights=sizes), abs=1e-12)


def test_splits_of_ones_own_do_not_depend_on_the_order_of_the_samples(data):
    order = np.random.default_rng(7).permutation(len(data.X))
    place = np.argsort(order)
    splits = list(StratifiedKFold(4).split(data.X, data.y))
    moved = [(place[train], place[test]) for train, test in splits]
    plain = CrossValidation(data.X, data.y, cv=splits)
    other = CrossValidation(data.X[order], data.y[order], cv=moved)
    subsets = [[f, f + 1] for f in range(9)]
    assert plain.errors(subsets).tolist() == other.errors(subsets).tolist()


def test_a_class_smaller_than_the_number_of_folds_lowers_it(seed):
    rng = np.random.default_rng([seed, 41])
    y = np.repeat([0, 1], [3, 20])
    validation = CrossValidation(rng.normal(size=(23, 2)), y, cv=10, random_state=0)
    validation.errors([[0]])
    assert validation.n_trained == 3


@every_wrapper
def test_a_class_of_one_sample_is_refused_by_name(wrapper, data):
    y = np.where(data.y == 1, "case", "control")
    y[0] = "odd"
    with pytest.raises(DataError, match="'odd' has 1 sample"):
        wrapper.fit(data.X, y)


@every_wrapper
def test_a_class_of_one_sample_is_fine_with_splits_of_ones_own(wrapper, data):
    y = np.where(data.y == 1, "case", "control")
    y[0] = "odd"
    fitted = type(wrapper)(**{**wrapper.get_params(deep=False), "cv": KFold(3)}).fit(data.X, y)
    assert len(fitted.indices_) > 0


@every_wrapper
def test_something_that_cannot_predict_is_refused(wrapper, data):
    broken = type(wrapper)(**{**wrapper.get_params(deep=False), "estimator": StandardScaler()})
    with pytest.raises(ValueError, match=r"estimator=StandardScaler.*fit and predict"):
        broken.fit(data.X, data.y)


def test_a_splitter_that_needs_groups_is_refused_with_the_way_out(data):
    with pytest.raises(ValueError, match=r"GroupKFold.*groups.*list\(splitter\.split\(X, y, groups\)\)"):
        HybridSequential(cv=GroupKFold(3)).fit(data.X, data.y)


def test_splits_made_with_groups_are_taken(data):
    splits = list(GroupKFold(3).split(data.X, data.y, np.arange(24) // 2))
    assert HybridSequential(cv=splits).fit(data.X, data.y).error_ <= 0.5


def test_more_neighbours_than_training_samples_are_refused(data):
    with pytest.raises(ValueError, match=r"n_neighbors=20.*has 16 samples"):
        _validation(data, estimator=KNeighborsClassifier(20), cv=3)


class _Unsure(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize("estimator", [_Unsure(), LinearRegression()], ids=["NaN", "regression"])
def test_predictions_that_are_no_classes_are_refused(data, estimator):
    with pytest.raises(ValueError, match=rf"{type(estimator).__name__} predicted .*none of the classes \(0, 1\)"):
        _validation(data, estimator=estimator).errors([[0, 1]])


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([(np.arange(5), np.arange(5, 40))], "test part of split 0 names row 24, but X has 24 samples"),
        ([(np.arange(5), np.arange(5, 9)), (np.array([-1]), np.arange(3))], "train part of split 1 names row -1"),
        ([(np.arange(5), [])], "test part of split 0 must be a list of row numbers"),
        ([(np.array([0.5]), np.arange(3))], "train part of split 0 must be a list of row numbers"),
        ([np.arange(5)], "split 0 is .* a pair"),
        ([3], "split 0 is 3, but a split is a pair"),
    ],
    ids=["outside", "negative", "empty", "fractions", "no pair", "a number"],
)
def test_broken_splits_are_refused_saying_where(data, cv, message):
    with pytest.raises(ValueError, match=message):
        HybridSequential(cv=cv).fit(data.X, data.y)


def test_a_classifier_sees_the_labels_as_they_came(data):
    y = np.where(data.y == 1, "case", "control")
    always = DummyClassifier(strategy="constant", constant="case")
    assert HybridSequential(1, estimator=always, cv=3).fit(data.X, y).error_ == pytest.approx((y == "control").mean())


VARIANTS = [
    (HIBSBS(candidate_size=1), wrappers.hib_sbs),
    (HIBSBS(candidate_size=3, recompute=True, cv=5), wrappers.hib_sbs),
    (HIBSBS(candidate_size=2, neighbours="feature", random_state=3), wrappers.hib_sbs),
    (HIBSBS(4, candidate_size=2, metric="euclidean", scale="none"), wrappers.hib_sbs),
    (HIBCSS(candidate_size=2, neighbours="feature"), wrappers.hib_css),
    (HIBCSS(candidate_size=3, preselect=2, low=0.1, high=0.6), wrappers.hib_css),
    (HIBCSS(candidate_size=2, thresholds="absolute", low=0.2, high=0.4, preselect=None), wrappers.hib_css),
    (HybridSequential(prefilter_size=5, max_features=3, cv=3, random_state=5), wrappers.hybrid_sequential),
    (RandomizedWrapper(0.3, cv=3, max_steps=25, patience=6, random_state=9), wrappers.randomized),
]


@pytest.mark.parametrize(("wrapper", "oracle"), VARIANTS, ids=lambda value: str(value) if hasattr(value, "fit") else "")
@pytest.mark.parametrize("make", [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed])
def test_a_wrapper_picks_what_its_slow_twin_picks_with_other_parameters(wrapper, oracle, make, seed):
    data = make(seed)
    fitted = datasets.fit(wrapper, data.X, data.y)
    order, scores = oracle(data.X.tolist(), data.y.tolist(), wrapper.get_params())
    assert fitted.indices_.tolist() == order
    assert fitted.scores_[order] == pytest.approx(scores, rel=1e-9, abs=1e-9)


def test_the_counts_of_a_backward_search_add_up(data):
    fitted = HIBSBS(candidate_size=2, cv=3).fit(data.X, data.y)
    evaluations = fitted.n_evaluations_
    assert evaluations.classifier == 3 * evaluations.subset
    # Each round asks for the union once or not at all, for every list, and the set found is asked for at the end.
    asked = 1 + sum(step.n_lists for step in fitted.trace_) + 1
    assert evaluations.subset + fitted.n_cache_hits_ == asked
    assert len(fitted.errors_) == len(fitted.candidates_) == fitted.trace_[0].n_lists


def test_cooperation_asks_for_one_error_per_list_and_that_of_the_result(data):
    fitted = HIBCSS(candidate_size=2, cv=3).fit(data.X, data.y)
    assert fitted.n_evaluations_.subset + fitted.n_cache_hits_ == len(fitted.candidates_) + 1


def test_errors_of_lists_are_in_the_order_of_the_samples(data):
    fitted = HIBCSS(candidate_size=2, cv=KFold(3)).fit(data.X, data.y)
    validation = CrossValidation(data.X, data.y, cv=KFold(3))
    assert fitted.errors_.tolist() == validation.errors(fitted.candidates_).tolist()
    assert fitted.candidate_samples_.tolist() == list(range(24))


def test_absolute_thresholds_are_errors(data):
    fitted = HIBCSS(low=0.1, high=0.3, thresholds="absolute").fit(data.X, data.y)
    assert fitted.thresholds_ == (0.1, 0.3)


def test_a_lower_threshold_that_is_not_lower_is_refused(data):
    with pytest.raises(ValueError, match=r"low=0\.5 must be below high=0\.5"):
        HIBCSS(low=0.5, high=0.5).fit(data.X, data.y)


def test_no_list_good_enough_is_said(data):
    y = np.random.default_rng(3).permutation(data.y)
    with pytest.warns(NothingSelected):
        fitted = HIBCSS(low=0.0, high=0.01, thresholds="absolute").fit(data.X, y)
    assert len(fitted.indices_) == 0
    assert np.isnan(fitted.error_)


def test_a_cut_keeps_the_order_and_ranks_of_the_features_found(data):
    whole, cut = HIBSBS().fit(data.X, data.y), HIBSBS(2).fit(data.X, data.y)
    assert cut.indices_.tolist() == whole.indices_[:2].tolist()
    assert cut.ranking_.tolist() == whole.ranking_.tolist()


def test_forward_search_keeps_the_smallest_size_of_the_smallest_error(data):
    fitted = HybridSequential().fit(data.X, data.y)
    assert len(fitted.errors_) == data.X.shape[1]
    assert len(fitted.indices_) == np.argmin(fitted.errors_) + 1
    assert fitted.error_ == fitted.errors_.min()


def test_forward_search_goes_no_further_than_asked(data):
    assert len(HybridSequential(max_features=4).fit(data.X, data.y).errors_) == 4
    assert len(HybridSequential(prefilter_size=6).fit(data.X, data.y).errors_) == 6


def test_forward_search_counts_every_candidate_of_every_round(data):
    fitted = HybridSequential(3, cv=3).fit(data.X, data.y)
    assert fitted.n_evaluations_.subset == 10 + 9 + 8
    assert fitted.n_evaluations_.classifier == 3 * 27


def test_only_features_that_pass_the_filter_are_searched(data):
    fitted = HybridSequential(3, prefilter_size=3).fit(data.X, data.y)
    assert set(fitted.indices_) == set(np.argsort(-fitted.relevance_)[:3])


def test_more_features_than_pass_the_filter_are_refused(data):
    with pytest.raises(ValueError, match=r"n_features_to_select=0\.5 comes to 5 features.*prefilter_size=3"):
        HybridSequential(0.5, prefilter_size=3).fit(data.X, data.y)


def test_a_random_walk_never_ends_worse_than_it_starts(seed):
    for n_classes in (2, 3):
        data = datasets.continuous(seed, n_classes=n_classes)
        fitted = RandomizedWrapper(2, max_steps=40).fit(data.X, data.y)
        assert fitted.error_ <= fitted.start_error_
        assert fitted.n_steps_ <= 40
        whole = RandomizedWrapper(10).fit(data.X, data.y)
        assert whole.n_steps_ == 0


def test_patience_ends_a_random_walk(data):
    fitted = RandomizedWrapper(2, patience=1, max_steps=500).fit(data.X, data.y)
    assert fitted.n_steps_ < 500


def test_another_seed_walks_elsewhere(seed):
    data = datasets.tied(seed)
    walks = {tuple(RandomizedWrapper(3, max_steps=5, random_state=s).fit(data.X, data.y).indices_) for s in range(5)}
    assert len(walks) > 1


def test_a_generator_gives_a_walk_of_its_own_each_time(data):
    rng = np.random.default_rng(0)
    walks = [RandomizedWrapper(3, max_steps=5, random_state=rng).fit(data.X, data.y).start_error_ for _ in range(6)]
    assert len(set(walks)) > 1
