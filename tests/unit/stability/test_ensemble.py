"""Ensembles: members of every kind, perturbations of data and of functions, rules, and what must not change them."""

from __future__ import annotations

import pickle
import re
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import (
    FCBF,
    MRMR,
    SVMRFE,
    Correlation,
    DataError,
    EnsembleSelector,
    FTest,
    LaplacianScore,
    NothingSelected,
    ReliefF,
    TTest,
)
from holdfast.data import Table
from holdfast.stability import FeatureNoise, aggregate, bootstraps, nogueira
from holdfast.stability.aggregate import RULES
from oracles import datasets

ALL = [np.arange(24)]
every_rule = pytest.mark.parametrize("rule", RULES)


def few(*arguments, n_runs=3, **parameters):
    return EnsembleSelector(*arguments, n_runs=n_runs, **parameters)


@pytest.fixture
def data(seed):
    return datasets.continuous(seed)


def assert_same(first, second):
    assert first.indices_.tolist() == second.indices_.tolist()
    assert first.ranking_.tolist() == second.ranking_.tolist()
    np.testing.assert_allclose(first.scores_, second.scores_, rtol=1e-12)


LIST_RULES = ("gaa-spearman", "gaa-kendall", "ofa", "caa", "raa", "intersection")


def shown(value):
    """A name of a test that no address in memory is part of."""
    return re.sub(r" at 0x[0-9a-f]+|\s+", " ", str(value))[:80]


@pytest.mark.parametrize("base", [SVMRFE(4), ReliefF(4), TTest(4), MRMR(4)], ids=lambda b: type(b).__name__)
@pytest.mark.parametrize("rule", ["cla", "borda", "median", "exponential", "wma", "wra", "ofa", "rra", "intersection"])
def test_one_run_of_all_samples_is_the_selector_itself(base, rule, data):
    plain = clone(base).fit(data.X, data.y)
    for perturb in (ALL, None):
        fitted = EnsembleSelector(selector=base, perturb=perturb, rule=rule).fit(data.X, data.y)
        assert fitted.indices_.tolist() == plain.indices_.tolist()
        assert fitted.lists_[0].tolist() == plain.indices_.tolist()


@pytest.mark.parametrize("base", [SVMRFE(4), ReliefF(4)], ids=lambda b: type(b).__name__)
def test_complete_ranks_of_one_run_are_those_of_the_selector(base, data):
    plain = clone(base).fit(data.X, data.y)
    fitted = EnsembleSelector(selector=base, perturb=ALL, complete_ranks=True).fit(data.X, data.y)
    assert fitted.scores_.tolist() == plain.ranking_.tolist()
    assert fitted.ranking_.tolist() == plain.ranking_.tolist()


@every_rule
@pytest.mark.parametrize("selector", ["relieff", ["relieff", "t-test"]], ids=["one", "two"])
@pytest.mark.parametrize("perturb", ["bootstrap", None], ids=["resamples", "all"])
def test_every_rule_joins_lists_of_resamples_of_methods_and_of_both(rule, selector, perturb, data):
    fitted = few(4, selector=selector, perturb=perturb, rule=rule).fit(data.X, data.y)
    n_selectors = 1 if isinstance(selector, str) else 2
    n_lists = n_selectors * (1 if perturb is None else 3)
    assert len(fitted.lists_) == len(fitted.members_) == n_lists
    assert all(len(one) == 4 for one in fitted.lists_)
    assert set(fitted.indices_) <= set(np.concatenate(fitted.lists_))
    assert len(fitted.indices_) == 4 or rule == "intersection"
    runs = np.array([np.isin(np.arange(data.X.shape[1]), one) for one in fitted.lists_])
    assert fitted.frequency_.tolist() == runs.mean(axis=0).tolist()
    if n_lists > 1:
        np.testing.assert_allclose(fitted.stability_, nogueira(runs))
        low, high = fitted.stability_interval_
        # Two lists tell nothing about their spread.
        assert np.isnan([low, high]).all() if n_lists == 2 else low <= fitted.stability_ <= high
    else:
        assert np.isnan(fitted.stability_)


PLAIN_RULES = [rule for rule in RULES if rule not in ("caa", "raa", "gaa-spearman", "gaa-kendall")]


@pytest.mark.parametrize("rule", PLAIN_RULES)
def test_a_rule_gives_what_it_gives_to_the_same_lists_in_hand(rule, data):
    # SVM-RFE has no opinion but the place, as have lists in hand.
    fitted = few(4, selector="svm-rfe", rule=rule, n_runs=5).fit(data.frame, data.y)
    names = [data.names[one].tolist() for one in fitted.lists_]
    joined = aggregate(names, rule, n_features=data.X.shape[1])
    scores = dict(zip(joined.features, joined.scores, strict=True))
    chosen = data.names[fitted.indices_].tolist()
    np.testing.assert_allclose(fitted.scores_[fitted.indices_], [scores[name] for name in chosen])
    if rule != "intersection":
        assert set(scores) == set(data.names[np.flatnonzero(fitted.frequency_)])


def test_features_outside_all_lists_have_no_score_and_rank_last(data):
    fitted = few(2, selector="t-test").fit(data.X, data.y)
    is_listed = fitted.frequency_ > 0
    assert np.isnan(fitted.scores_[~is_listed]).all()
    assert (fitted.ranking_[~is_listed] > fitted.ranking_[is_listed].max()).all()
    assert sorted(fitted.listed_) == np.flatnonzero(is_listed).tolist()


def test_members_are_named_selector_after_selector(data):
    fitted = few(2, selector=["t-test", FTest(3)], n_runs=2).fit(data.X, data.y)
    assert fitted.members_ == ["t-test", "t-test", "FTest", "FTest"]


def test_the_length_of_the_lists_may_differ_from_that_of_the_result(data):
    fitted = few(2, selector="t-test", list_size=5).fit(data.X, data.y)
    assert [len(one) for one in fitted.lists_] == [5, 5, 5]
    assert len(fitted.indices_) == 2
    by_share = few(2, selector="t-test", list_size=0.5).fit(data.X, data.y)
    assert by_share.indices_.tolist() == fitted.indices_.tolist()


def test_more_features_than_the_lists_hold_gives_all_that_they_hold(data):
    fitted = few(9, selector="t-test", list_size=2).fit(data.X, data.y)
    assert len(fitted.indices_) == (fitted.frequency_ > 0).sum() < 9


def test_without_a_number_the_longest_list_decides(data):
    fitted = few(selector=[TTest(3), FTest(6)]).fit(data.X, data.y)
    assert len(fitted.indices_) == 6


@pytest.mark.parametrize("rule", ["caa", "raa"])
def test_rules_of_accuracy_say_the_errors_of_the_lists(rule, data):
    fitted = few(3, selector=["t-test", "relieff"], rule=rule, cv=3).fit(data.X, data.y)
    assert fitted.errors_.shape == (6,)
    assert ((fitted.errors_ >= 0) & (fitted.errors_ <= 1)).all()
    assert fitted.n_evaluations_.classifier > 0
    again = few(3, selector=["t-test", "relieff"], rule=rule, cv=3, estimator=DummyClassifier()).fit(data.X, data.y)
    assert again.errors_.tolist() != fitted.errors_.tolist()


def test_raa_exposes_confidence_conflict_and_reliability(data):
    fitted = few(3, selector=["t-test", "relieff"], rule="raa").fit(data.X, data.y)
    shape = (6, len(fitted.listed_))
    assert fitted.confidence_.shape == fitted.conflict_.shape == fitted.reliability_.shape == shape
    assert few(3, rule="rra").fit(data.X, data.y).p_values_.min() >= 0


def test_another_fit_forgets_what_another_rule_exposed(data):
    selector = few(3, rule="raa").fit(data.X, data.y)
    selector.set_params(rule="cla").fit(data.X, data.y)
    assert not hasattr(selector, "errors_")
    assert not hasattr(selector, "confidence_")


FOREIGN = [
    SelectKBest(k=3),
    RFE(LogisticRegression(), n_features_to_select=3),
    SelectFromModel(LogisticRegression(), max_features=3),
    make_pipeline(StandardScaler(), SelectKBest(k=3)),
    make_pipeline(SelectKBest(k=6), TTest(3)),
    make_pipeline(SimpleImputer(), StandardScaler(), SVMRFE(3)),
]


@pytest.mark.parametrize("member", FOREIGN, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("container", ["array", "frame", "Table"])
def test_selectors_of_scikit_learn_and_pipelines_are_members(member, container, data):
    X = {"array": data.X, "frame": data.frame, "Table": Table(data.X, data.names)}[container]
    fitted = few(selector=[member, "t-test"], n_runs=2, list_size=None).set_params(n_features_to_select=None)
    fitted.set_params(selector=[member, TTest(3)]).fit(X, data.y)
    for rows, one in zip(_rows_of(fitted, data), fitted.lists_[:2], strict=True):
        plain = clone(member).fit(data.X[rows], data.y[rows])
        names = plain.get_feature_names_out() if hasattr(plain, "steps") else None
        expected = [int(n[1:]) for n in names] if names is not None else np.flatnonzero(plain.get_support())
        assert sorted(one) == sorted(expected)


def _rows_of(fitted, data):
    """Rows of the runs of an ensemble, seen by a member that says them."""
    seen = []

    class Says(TTest):
        def fit(self, X, y=None):
            values = X.X if isinstance(X, Table) else np.asarray(X)
            seen.append([int(np.flatnonzero((data.frame.to_numpy() == row).all(axis=1))[0]) for row in values])
            return super().fit(X, y)

    own = clone(fitted).set_params(selector=Says(3))
    own.fit(data.frame, data.y)
    return seen


def test_places_in_the_table_keep_their_meaning_for_members(data):
    """A prior and a list of nominal features go by place, names or not."""
    prior = np.ones(data.X.shape[1])
    prior[3] = 900.0
    for X in (data.X, data.frame):
        fitted = few(1, selector=SVMRFE(prior=prior)).fit(X, data.y)
        assert fitted.indices_.tolist() == [3]
    levels = data.X.copy()
    levels[:, 2] = np.round(np.abs(levels[:, 2]))
    member = ReliefF(10, nominal=[2], n_neighbors=3, scale="none")
    fitted = EnsembleSelector(10, selector=member, perturb=ALL).fit(levels, data.y)
    assert fitted.lists_[0].tolist() == clone(member).fit(levels, data.y).indices_.tolist()


def test_priors_by_name_reach_members(data):
    known = str(data.names[4])
    fitted = few(2, selector=[SVMRFE(prior={known: 900}), MRMR(prior=[known], prior_scale=1e3)]).fit(data.frame, data.y)
    assert all(4 in one for one in fitted.lists_)


def test_a_measured_target_is_for_members_that_take_measures(seed):
    data = datasets.measured(seed)
    for member in ("pearson", Correlation(4)):
        fitted = few(4, selector=member).fit(data.X, data.y)
        plain = Correlation(4).fit(data.X, data.y)
        assert fitted.indices_[0] == plain.indices_[0]
    alone = EnsembleSelector(4, selector="spearman", perturb=None).fit(data.X, data.y)
    assert (
        alone.indices_.tolist()
        == holdfast.selector("spearman", n_features_to_select=4).fit(data.X, data.y).indices_.tolist()
    )


def test_members_without_a_target_need_none(data):
    fitted = few(4, selector=LaplacianScore(4)).fit(data.X)
    assert len(fitted.indices_) == 4
    alone = EnsembleSelector(4, selector=LaplacianScore(4), perturb=None).fit(data.X)
    assert alone.indices_.tolist() == LaplacianScore(4).fit(data.X).indices_.tolist()
    assert len(few(4, selector=[LaplacianScore(4), "t-test"]).fit(data.X, data.y).indices_) == 4


def test_three_classes_are_no_measures(seed):
    data = datasets.continuous(seed, n_classes=3)
    with pytest.raises(ValueError, match=r"classes.*measures"):
        few(2, selector=["pearson", "f-test"]).fit(data.X, data.y)


def test_missing_values_reach_members_that_take_them(data):
    frame = data.frame
    frame.iloc[::5, 2] = np.nan
    assert len(few(4, selector="relieff").fit(frame, data.y).indices_) == 4
    assert len(few(4, selector=make_pipeline(SimpleImputer(), TTest(4))).fit(frame, data.y).indices_) == 4
    with pytest.raises(DataError, match=str(data.names[2])):
        few(4, selector=["relieff", "t-test"]).fit(frame, data.y)


def test_groups_stay_together(seed):
    data = datasets.continuous(seed, n_samples=40)
    groups = np.where(data.y == 1, 100, 0) + np.arange(40) // 4
    seen = []

    class Says(TTest):
        def fit(self, X, y=None):
            seen.append(np.asarray(X))
            return super().fit(X, y)

    few(2, selector=Says(2), n_runs=6, perturb="half-samples").fit(data.X, data.y, groups=groups)
    assert len(seen) == 6
    for values in seen:
        # Columns may stand in another order, so samples are known by their sorted values.
        held = {tuple(sorted(row)) for row in values}
        is_held = np.array([tuple(sorted(row)) in held for row in data.X])
        for group in np.unique(groups):
            assert len(set(is_held[groups == group])) == 1


@pytest.mark.parametrize(
    ("perturb", "n_lists"),
    [("folds", 3), ("leave-one-out", 24), ("subsample", 3), ("half-samples", 3), ("feature-noise", 3),
     (FeatureNoise(0.5), 3), (ShuffleSplit(5, random_state=0), 5), (StratifiedKFold(4), 4),
     (lambda target, n_runs, seed: bootstraps(target, n_runs + 1, seed), 4), ([np.arange(20), np.arange(4, 24)], 2)],
    ids=shown,
)  # fmt: skip
def test_a_perturbation_of_any_kind_is_taken(perturb, n_lists, data):
    fitted = few(2, selector="f-test", perturb=perturb).fit(data.X, data.y)
    assert len(fitted.lists_) == n_lists


def test_a_number_of_halves_that_is_odd_is_refused(data):
    with pytest.raises(ValueError, match="odd"):
        few(2, perturb="complementary-pairs").fit(data.X, data.y)


@pytest.mark.parametrize("perturb", ["bootstrap", "half-samples", "subsample", "feature-noise"])
def test_run_i_depends_on_the_seed_and_on_i_only(perturb, data):
    short, long = (few(4, selector="t-test", n_runs=n, perturb=perturb).fit(data.X, data.y).lists_ for n in (3, 6))
    assert [one.tolist() for one in short] == [one.tolist() for one in long[:3]]


def test_another_member_leaves_the_resamples_as_they_are(data):
    alone = few(4, selector="t-test").fit(data.X, data.y).lists_
    both = few(4, selector=["relieff", "t-test"]).fit(data.X, data.y).lists_
    assert [one.tolist() for one in both[3:]] == [one.tolist() for one in alone]


BLIND = {
    "one": {"selector": "t-test"},
    "complete": {"selector": "relieff", "complete_ranks": True},
    "svm": {"selector": "svm-rfe", "rule": "borda"},
    "two": {"selector": ["mrmr+", "f-test"], "rule": "wma"},
    "halves": {"selector": "f-test", "perturb": "half-samples", "rule": "exponential"},
    "noise": {"selector": "f-test", "perturb": "feature-noise", "rule": "median"},
    "errors": {"selector": "relieff", "rule": "raa", "cv": 3},
    "genetic": {"selector": ["relieff", "f-test"], "rule": "gaa-kendall"},
    "robust": {"selector": "f-test", "rule": "rra"},
}
every_blind = pytest.mark.parametrize("options", BLIND.values(), ids=BLIND.keys())


@every_blind
@pytest.mark.parametrize("kind", ["continuous", "tied"])
def test_order_of_rows_and_columns_changes_nothing(options, kind, seed):
    data = getattr(datasets, kind)(seed)
    rng = np.random.default_rng([seed, 70])
    rows, columns = rng.permutation(len(data.y)), rng.permutation(data.X.shape[1])
    plain = few(4, **options).fit(data.X, data.y)
    moved = few(4, **options).fit(data.X[rows][:, columns], data.y[rows])
    assert columns[moved.indices_].tolist() == plain.indices_.tolist()
    np.testing.assert_allclose(moved.scores_, plain.scores_[columns], rtol=1e-9)
    np.testing.assert_allclose(moved.frequency_, plain.frequency_[columns])


@pytest.mark.parametrize("perturb", ["bootstrap", "half-samples", "complementary-pairs", "subsample", "folds"])
@pytest.mark.parametrize("shape", ["balanced", "one feature", "few values"])
def test_order_of_rows_changes_nothing_where_samples_are_hard_to_tell_apart(perturb, shape, seed):
    """Columns of as many zeros as ones, a single column: samples on both sides of the middle rank look alike."""
    rng = np.random.default_rng([seed, 71])
    y = np.arange(16) % 2
    X = {
        "balanced": np.column_stack([rng.permutation(np.repeat([0.0, 1.0], 8)) for _ in range(12)]),
        "one feature": rng.normal(size=(16, 1)),
        "few values": rng.integers(0, 2, size=(16, 3)).astype(float),
    }[shape]
    k = 1 if X.shape[1] == 1 else 2
    plain = few(k, selector="t-test", n_runs=4, perturb=perturb).fit(X, y)
    for _ in range(4):
        rows = rng.permutation(16)
        moved = few(k, selector="t-test", n_runs=4, perturb=perturb).fit(X[rows], y[rows])
        assert_same(moved, plain)


@every_blind
def test_names_of_classes_change_nothing(options, seed):
    n_classes = 2 if options["selector"] == "t-test" else 3
    data = datasets.tied(seed, n_classes=n_classes)
    plain = few(4, **options).fit(data.X, data.y)
    for names in (["z", "b", "k"], [3, 1, 2], [7.0, 5.0, 6.0]):
        assert_same(few(4, **options).fit(data.X, np.array(names)[data.y]), plain)


@every_blind
def test_jobs_change_nothing(options, data):
    plain = few(4, **options).fit(data.X, data.y)
    assert_same(few(4, n_jobs=2, **options).fit(data.X, data.y), plain)


@pytest.mark.slow
@every_blind
def test_processes_change_nothing(options, data):
    plain = few(4, **options).fit(data.X, data.y)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert_same(few(4, **options).fit(data.X, data.y), plain)


def test_frames_tables_and_arrays_of_any_kind_agree(data):
    polars = pytest.importorskip("polars")
    names = [str(name) for name in data.names]
    plain = few(4, selector=["f-test", "relieff"]).fit(data.frame, data.y)
    for X in (Table(data.X, names), polars.DataFrame(dict(zip(names, data.X.T, strict=True)))):
        other = few(4, selector=["f-test", "relieff"]).fit(X, data.y)
        assert_same(other, plain)
        assert other.feature_names_in_.tolist() == names
    assert_same(few(4, selector=["f-test", "relieff"]).fit(data.frame.astype(np.float32), data.y), plain)
    own = Table(data.X, names, target=data.y)
    assert_same(few(4, selector=["f-test", "relieff"]).fit(own), plain)


def test_a_pickle_and_a_clone_keep_what_they_should(data):
    fitted = few(4, selector=["f-test", ReliefF(3)], rule="raa").fit(data.X, data.y)
    again = pickle.loads(pickle.dumps(fitted))
    assert_same(again, fitted)
    assert [one.tolist() for one in again.lists_] == [one.tolist() for one in fitted.lists_]
    assert not hasattr(clone(fitted), "lists_")
    assert_same(clone(fitted).fit(data.X, data.y), fitted)


def test_parameters_of_a_member_can_be_set_and_tuned(data):
    selector = few(3, selector=SVMRFE(), n_runs=2)
    assert selector.set_params(selector__C=0.5).get_params()["selector__C"] == 0.5
    pipeline = make_pipeline(selector, KNeighborsClassifier(3))
    search = GridSearchCV(pipeline, {"ensembleselector__selector__C": [0.01, 10.0]}, cv=2, error_score="raise")
    assert search.fit(data.X, data.y).predict(data.X).shape == data.y.shape


def test_the_given_members_stay_as_they_are(data):
    members = [TTest(7), make_pipeline(StandardScaler(), FTest(7))]
    few(3, selector=members).fit(data.X, data.y)
    assert members[0].n_features_to_select == members[1][-1].n_features_to_select == 7
    assert not hasattr(members[0], "indices_")


@pytest.mark.parametrize("rule", RULES)
def test_lists_without_features_are_lists(rule, seed):
    rng = np.random.default_rng([seed, 72])
    X, y = rng.normal(size=(24, 3)), np.arange(24) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        fitted = few(selector=FCBF(), rule=rule, complete_ranks=rule not in LIST_RULES).fit(X, y)
    assert len(fitted.lists_) == 3
    assert set(fitted.indices_) <= {0, 1, 2}


@every_rule
def test_constant_features_in_no_list_at_all_give_an_empty_choice(rule):
    X, y = np.ones((12, 3)), np.arange(12) % 2
    with pytest.warns(NothingSelected):
        fitted = few(selector=FCBF(), rule=rule, complete_ranks=rule not in LIST_RULES).fit(X, y)
    assert len(fitted.indices_) == 0


def test_a_feature_that_separates_without_error_has_the_full_weight(data):
    X = data.X.copy()
    X[:, 5] = data.y
    for rule in ("wma", "wra", "raa", "ofa"):
        assert few(4, selector="t-test", rule=rule).fit(X, data.y).indices_[0] == 5


@every_rule
def test_features_that_never_vary_are_in_no_list(rule, seed):
    rng = np.random.default_rng([seed, 73])
    X, y = np.zeros((20, 10)), np.arange(20) % 2
    X[:, [7, 9]] = rng.normal(size=(20, 2))
    fitted = few(4, selector=["f-test", "mrmr+", "relieff", "svm-rfe"], rule=rule).fit(X, y)
    assert set(fitted.indices_) <= {7, 9}
    assert np.flatnonzero(fitted.frequency_).tolist() == [7, 9]


@pytest.mark.parametrize("rule", LIST_RULES)
def test_complete_ranks_are_refused_where_they_would_change_nothing(rule, data):
    with pytest.raises(ValueError, match=rf"changes nothing for rule='{rule}'"):
        few(3, selector="relieff", rule=rule, complete_ranks=True).fit(data.X, data.y)


def test_complete_ranks_are_refused_of_a_selector_that_ranks_only_its_list(data):
    with pytest.raises(ValueError, match="rank for every feature, which SelectKBest does not give"):
        few(3, selector=SelectKBest(k=3), complete_ranks=True).fit(data.X, data.y)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"selector": StandardScaler()}, "^selector="),
        ({"selector": make_pipeline(StandardScaler())}, "^selector="),
        ({"selector": []}, "^selector="),
        ({"selector": "nonsense"}, "nonsense"),
        ({"perturb": lambda *_: []}, "gives no run"),
        ({"perturb": [[0, 99]]}, "row 99"),
        ({"perturb": [[True, False]]}, "run 0"),
        ({"perturb": "folds", "n_runs": 40}, "n_runs=40.*24"),
        ({"n_features_to_select": None, "selector": "t-test"}, r"keeps 50 features.*list_size="),
        ({"list_size": 30}, "list_size=30.*10 feature"),
        ({"selector": SelectFromModel(LogisticRegression()), "list_size": 3}, "list_size=3.*SelectFromModel"),
        ({"perturb": lambda target: []}, "could not be called with"),
        ({"perturb": lambda *_: None}, "could not be called with"),
        ({"perturb": [(np.arange(4), np.arange(4, 8))]}, r"pair, as a splitter's \(train, test\)"),
        ({"rule": "best"}, "^rule="),
        ({"selector": "pearson", "rule": "caa"}, "'caa'.*classes"),
    ],
    ids=shown,
)
def test_what_cannot_be_is_refused_with_a_reason(options, says, data):
    selector = few(2).set_params(**options)
    with pytest.raises(ValueError, match=says):
        selector.fit(data.X, data.y)


@pytest.mark.parametrize("member", ["svm-rfe", "relieff", "t-test"])
def test_a_run_of_one_class_is_refused_naming_the_run(member, data):
    everyone, one_class = np.arange(24), np.flatnonzero(data.y == 0)
    with pytest.raises(DataError, match=r"(?i)run 1 has samples of one class"):
        few(2, selector=member, perturb=[everyone, one_class]).fit(data.X, data.y)
    with pytest.raises(DataError, match=r"(?i)one class"):
        few(2, selector=member, perturb="complementary-pairs", n_runs=2).fit(data.X, data.y, groups=data.y)


def test_groups_of_another_length_are_refused(data):
    with pytest.raises(ValueError, match=r"groups has shape \(2,\).*24 samples"):
        few(2).fit(data.X, data.y, groups=[0, 1])


def test_noise_of_copies_goes_by_name_and_not_by_place(data):
    frame = data.frame
    frame["copy"] = frame.iloc[:, 0]
    plain, moved = (
        few(5, selector="f-test", perturb=FeatureNoise(0.7), n_runs=8).fit(X, data.y)
        for X in (frame, frame.iloc[:, ::-1])
    )
    names, other = frame.columns.to_numpy(), frame.columns.to_numpy()[::-1]
    assert [other[one].tolist() for one in moved.lists_] == [names[one].tolist() for one in plain.lists_]


def test_noise_is_the_same_for_a_feature_wherever_it_stands(data):
    rng = np.random.default_rng(3)
    columns, rows = rng.permutation(data.X.shape[1]), rng.permutation(24)
    plain = few(5, selector="f-test", perturb=FeatureNoise(0.7), n_runs=8).fit(data.frame, data.y)
    moved = few(5, selector="f-test", perturb=FeatureNoise(0.7), n_runs=8).fit(
        data.frame.iloc[rows, columns], pd.Series(data.y).iloc[rows]
    )
    assert [columns[one].tolist() for one in moved.lists_] == [one.tolist() for one in plain.lists_]


def test_noise_without_spread_repeats_the_selection(data):
    fitted = few(5, selector="f-test", perturb=FeatureNoise(0.0)).fit(data.X, data.y)
    assert fitted.stability_ == 1
    assert fitted.indices_.tolist() == FTest(5).fit(data.X, data.y).indices_.tolist()


@pytest.mark.parametrize("scale", [-0.1, float("nan")])
def test_noise_of_a_spread_below_zero_is_refused(scale):
    with pytest.raises(ValueError, match="scale="):
        FeatureNoise(scale)


def test_the_number_of_features_of_a_selector_of_others_can_be_set(data):
    fitted = few(selector=SelectKBest(k=2), list_size=3).fit(data.X, data.y)
    assert {len(columns) for columns in fitted.lists_} == {3}


def test_parameters_of_a_named_selector_can_be_set(data):
    named = few(3, selector="svm-rfe").set_params(selector__C=0.01)
    given = few(3, selector=SVMRFE(C=0.01))
    assert_same(named.fit(data.X, data.y), given.fit(data.X, data.y))


@pytest.mark.parametrize("base", [TTest(4), ReliefF(4)], ids=lambda b: type(b).__name__)
def test_a_weight_is_the_place_of_a_score_between_the_worst_and_the_best(base, data):
    fitted = EnsembleSelector(selector=base, perturb=ALL, rule="wma").fit(data.X, data.y)
    scores = clone(base).fit(data.X, data.y).scores_
    expected = (scores - scores.min()) / (scores.max() - scores.min())
    np.testing.assert_allclose(fitted.scores_[fitted.indices_], expected[fitted.indices_])


def test_an_order_without_comparable_scores_weighs_by_place(data):
    fitted = EnsembleSelector(selector=MRMR(4), perturb=ALL, rule="wma").fit(data.X, data.y)
    np.testing.assert_allclose(fitted.scores_[fitted.indices_], [1.0, 0.75, 0.5, 0.25])
