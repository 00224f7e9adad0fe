"""A study is what its slow twin is, and nothing of a test part reaches what is trained."""

from __future__ import annotations

import math
from itertools import chain, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, SelectorMixin, VarianceThreshold, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

import holdfast
from holdfast.data import Table
from holdfast.evaluate import classifier
from oracles.datasets import plain
from oracles.studies import METRICS, slow_study, small_table

PLAIN = {"methods": ["f-test", "relieff"], "sizes": [2, 5], "classifiers": ["nb", "knn"], "protocol": "3cv"}


def _maker(name):
    """A function of a size and a seed that builds what a name in a study stands for."""

    def make(size, seed):
        row = next(row for row in holdfast.methods() if row.name == name.partition("(")[0])
        settings = dict(part.split("=") for part in name.partition("(")[2].rstrip(")").split(",") if part)
        settings = {key: int(value) for key, value in settings.items()}
        if "random_state" in row.selector_class._get_param_names():
            settings["random_state"] = seed
        return plain(row, **settings, **({} if size == "own" else {"n_features_to_select": size}))

    return make


def assert_is_its_twin(study, frame, y, methods, classifiers, *, groups=None):
    plan = study.plan
    # The study has the samples in an order of its own; names tell which is which.
    rows = [frame.index.get_loc(name) for name in plan.table.sample_names]
    found = slow_study(
        frame.iloc[rows],
        np.searchsorted(np.unique(y), y[rows]),
        [(split.train, split.test) for split in plan.splits],
        methods,
        list(plan.sizes),
        classifiers,
        seed=plan.seed,
        groups=None if groups is None else groups[rows],
        impute=plan.impute,
        tune=plan.tune_size,
        pool=plan.protocol == "loocv",
    )
    assert_same_lists_and_predictions(study, found)
    results = {(row["method"], row["size"], row["classifier"]): row for row in study.summary()["results"]}
    assert results.keys() == found.metrics.keys()
    for key, row in results.items():
        for name in METRICS:
            assert_same_metric(row[name], found.metrics[key][name], (key, name))
    for (method, judge), sizes in found.tuned.items():
        counted = {str(size): sizes.count(size) for size in sizes}
        assert results[method, "tuned", judge]["sizes_chosen"] == counted


def assert_same_lists_and_predictions(study, found):
    for number, contestant in enumerate(study.plan.methods):
        cells = [study.found[number, split] for split in range(len(study.plan.splits))]
        for size in study.plan.sizes:
            key = contestant.name, size
            assert [cell["chosen"][str(size)] for cell in cells] == found.lists[key], key
            for judge in study.plan.classifiers:
                predicted = [cell["predictions"][judge.name][str(size)]["predicted"] for cell in cells]
                assert predicted == [one.tolist() for one in found.predicted[*key, judge.name]], (key, judge.name)


def assert_same_metric(shown, per_split, where):
    known = [value for value in per_split if not math.isnan(value)]
    if not known:
        assert shown is None, where
        return
    assert shown["mean"] == pytest.approx(np.mean(known), rel=0, abs=1e-12), where
    assert shown["n"] == len(known), where
    if len(known) > 1:
        assert shown["sd"] == pytest.approx(np.std(known, ddof=1), rel=0, abs=1e-12), where
    else:
        assert shown["sd"] is None, where


def _models(names):
    return {name: classifier(name).model for name in names}


def assert_study_is_its_twin(frame, y, **asked):
    """The same for methods and classifiers by name."""
    settings = {**PLAIN, **asked}
    study = holdfast.compare(frame, y, **settings)
    assert_is_its_twin(
        study,
        frame,
        y,
        {name: _maker(name) for name in settings["methods"]},
        _models(settings["classifiers"]),
        groups=settings.get("groups"),
    )
    return study


CASES = {
    "two classes": {"classifiers": ["svm", "svm-rbf", "knn", "1nn", "nb", "logistic", "lda", "tree"],
                    "methods": ["f-test"]},
    "three classes": {"n_classes": 3, "classifiers": ["svm", "nb", "lda"]},
    "missing values by the median": {"n_missing": 60, "impute": "median"},
    "bootstrap": {"protocol": "bootstrapx3"},
    "leave one out": {"protocol": "loocv", "n_samples": 18, "methods": ["f-test"]},
    "hold-out": {"protocol": "holdout", "n_classes": 3},
    "sizes of their own": {"methods": ["cfs", "fcbf"], "sizes": ["own", 3]},
    "draws of their own": {"methods": ["en-relieff(n_runs=3)"], "protocol": "2cv", "seed": 7},
    "tuned": {"tune_size": True, "sizes": [1, 4, 24], "protocol": "2cv", "methods": ["relieff"]},
    "tuned in bootstraps": {"tune_size": True, "protocol": "bootstrapx2", "methods": ["f-test"]},
    "test parts without a class": {"protocol": "9cv", "n_samples": 27, "n_classes": 3, "methods": ["f-test"]},
}  # fmt: skip
SLOW_CASES = {
    "many classifiers on three classes": {
        "n_classes": 3, "classifiers": ["svm", "svm-rbf", "knn", "1nn", "nb", "logistic", "lda", "tree", "forest"]},
    "missing values by the mean": {"n_missing": 60, "impute": "mean", "n_classes": 3},
    "missing values by what is most frequent": {"n_missing": 60, "impute": "most_frequent"},
    "leave one out of three classes": {"protocol": "loocv", "n_samples": 27, "n_classes": 3},
    "random splits": {"protocol": "random-70%x8", "seed": 5},
    "tuned with missing values": {"tune_size": True, "n_missing": 60, "impute": "median", "n_classes": 3},
    "tuned and of their own size": {"tune_size": True, "sizes": [2, 6, "own"], "methods": ["cfs", "mrmr+"],
                                    "n_features": 60},
    "many methods": {"methods": ["f-test", "mrmr+", "cfs", "svm-rfe", "relieff", "turf", "lasso", "jmi", "l2-arom",
                                 "en-relieff(n_runs=4)", "iw-svm-rfe", "ps-l2-arom"], "protocol": "5cv"},
    "ten times ten folds": {"protocol": "10x10cv", "methods": ["f-test"]},
}  # fmt: skip


def assert_case_is_its_twin(asked, seed):
    asked = dict(asked)
    made = {name: asked.pop(name) for name in ("n_samples", "n_features", "n_classes", "n_missing") if name in asked}
    frame, y = small_table(seed, **made)
    assert_study_is_its_twin(frame, y, **asked)


@pytest.mark.parametrize("case", CASES)
def test_a_study_is_its_slow_twin(case, seed):
    assert_case_is_its_twin(CASES[case], seed)


@pytest.mark.slow
@pytest.mark.parametrize("case", SLOW_CASES)
def test_a_larger_study_is_its_slow_twin(case, seed):
    assert_case_is_its_twin(SLOW_CASES[case], seed)


@pytest.mark.parametrize("case", ["plain", "tuned", "bootstrap", "leave one out"])
def test_a_study_by_groups_is_its_slow_twin(case, seed):
    frame, y = small_table(seed)
    # Three samples each, of the same class or not.
    groups = np.random.default_rng([seed, 1]).permutation(np.arange(36) % 12)
    asked = {
        "plain": {"methods": ["f-test", "en-relieff(n_runs=3)"]},
        "tuned": {"tune_size": True, "methods": ["f-test"]},
        "bootstrap": {"protocol": "bootstrapx3"},
        "leave one out": {"protocol": "loocv", "methods": ["f-test"]},
    }[case]
    assert_study_is_its_twin(frame, y, groups=groups, **asked)


def test_a_study_of_other_peoples_selectors_is_its_slow_twin(seed):
    frame, y = small_table(seed)
    # A feature that a training part may have without any spread.
    frame.iloc[:, 0] = (np.arange(36) == 3).astype(float)
    made = {
        "best": lambda size, seed: SelectKBest(f_classif, k=size),
        "piped": lambda size, seed: make_pipeline(StandardScaler(), VarianceThreshold(1e-9), SelectKBest(k=size)),
        "eliminated": lambda size, seed: RFE(LogisticRegression(C=0.1), n_features_to_select=size, step=8),
    }
    given = {name: make(10, 0) for name, make in made.items()}
    study = holdfast.compare(frame, y, **{**PLAIN, "methods": given})
    assert_is_its_twin(study, frame, y, made, _models(PLAIN["classifiers"]))


def test_a_study_of_a_selector_that_decides_itself_is_its_slow_twin(seed):
    frame, y = small_table(seed)
    model = SelectFromModel(LogisticRegression(C=0.1))
    study = holdfast.compare(frame, y, **{**PLAIN, "methods": {"model": model}, "sizes": ["own"]})
    assert_is_its_twin(study, frame, y, {"model": lambda size, seed: model}, _models(PLAIN["classifiers"]))


def test_a_study_with_other_peoples_classifiers_is_its_slow_twin(seed):
    frame, y = small_table(seed)
    judges = {
        "no scores": NearestCentroid(),
        "as it is": make_pipeline(MinMaxScaler(), SVC(kernel="linear")),
        "smooth": GaussianNB(var_smoothing=0.1),
    }
    study = holdfast.compare(frame, y, **{**PLAIN, "classifiers": judges})
    assert_is_its_twin(study, frame, y, {name: _maker(name) for name in PLAIN["methods"]}, judges)


def test_lists_without_any_feature_are_judged_by_how_frequent_the_classes_are(seed):
    rng = np.random.default_rng([seed, 2])
    # Nothing but noise: the method keeps no feature of most training parts.
    frame = pd.DataFrame(rng.normal(size=(31, 5)), index=[f"p{i}" for i in range(31)]).add_prefix("g")
    y = (np.arange(31) < 19).astype(int)
    study = assert_study_is_its_twin(frame, y, methods=["fcbf"], sizes=["own"], protocol="2x3cv")
    assert any(not study.found[0, split]["chosen"]["own"] for split in range(6))


def test_given_splits_are_taken_as_rows_of_the_table_that_came(seed):
    frame, y = small_table(seed)
    given = list(ShuffleSplit(3, test_size=10, random_state=seed).split(frame))
    study = assert_study_is_its_twin(frame, y, protocol=given)
    for (train, test), split in zip(given, study.plan.splits, strict=True):
        names = np.array(study.plan.table.sample_names)
        assert set(names[split.train]) == set(frame.index[train])
        assert set(names[split.test]) == set(frame.index[test])


def test_the_other_class_as_positive_turns_sensitivity_into_specificity(seed):
    frame, y = small_table(seed)
    classes = np.where(y == 1, "well", "ill")
    plain, turned = (holdfast.compare(frame, classes, positive=one, **PLAIN) for one in ("well", "ill"))
    for one, other in zip(plain.results, turned.results, strict=True):
        assert one["sensitivity"]["mean"] == pytest.approx(other["specificity"]["mean"], abs=1e-12)
        assert one["auc"]["mean"] == pytest.approx(other["auc"]["mean"], abs=1e-12)


SEEN = []


class Seer(SelectorMixin, BaseEstimator):
    """Keeps the first k features and tells which samples it saw, of which the first feature is the number."""

    def __init__(self, k=2):
        self.k = k

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        SEEN.append(("select", X[:, 0].astype(int), y.copy()))
        return self

    def _get_support_mask(self):
        return np.arange(self.n_features_in_) < self.k


class Judge(ClassifierMixin, BaseEstimator):
    """Says 0, and tells which samples it was trained on and asked about."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.samples_ = X[:, 0].astype(int)
        return self

    def predict(self, X):
        SEEN.append(("train", self.samples_, None))
        SEEN.append(("test", X[:, 0].astype(int), None))
        return np.zeros(len(X), dtype=int)


def _seen(n_samples, groups=None, **asked):
    """What a selector and a classifier saw, one after the other, and the study."""
    SEEN.clear()
    rng = np.random.default_rng(n_samples)
    X = np.column_stack([np.arange(n_samples), rng.normal(size=(n_samples, 3))])
    y = rng.permutation(np.arange(n_samples) % 2)
    study = holdfast.compare(
        X, y, methods=[Seer()], classifiers={"judge": make_pipeline(Judge())}, groups=groups, **asked
    )
    # Before it begins, a study may try the classifiers on noise.
    began = next(i for i, one in enumerate(SEEN) if one[0] == "select")
    return SEEN[began:], study, y


PROTOCOLS = ["4cv", "2x3cv", "loocv", "bootstrapx3", "holdout", "random-1/2x3"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_selector_sees_the_training_part_and_the_classifier_is_asked_about_the_rest(protocol):
    seen, study, y = _seen(20, protocol=protocol, sizes=[2])
    number = study.plan.table.X[:, 0].astype(int)
    # First comes the selection on all samples, once or, to measure it, more often.
    n_all = next(i for i, one in enumerate(seen) if one[0] == "train") - 1
    assert n_all > 0
    for kind, rows, _ in seen[:n_all]:
        assert kind == "select"
        assert sorted(rows) == list(range(20))
    seen = seen[n_all:]
    assert len(seen) == 3 * len(study.plan.splits)
    for i, split in enumerate(study.plan.splits):
        select, train, test = seen[3 * i : 3 * i + 3]
        assert [select[0], train[0], test[0]] == ["select", "train", "test"]
        assert select[1].tolist() == train[1].tolist() == number[split.train].tolist()
        assert select[2].tolist() == y[select[1]].tolist()
        assert test[1].tolist() == number[split.test].tolist()
        assert not set(train[1]) & set(test[1])


@pytest.mark.parametrize("protocol", ["3cv", "bootstrapx4", "holdout-0.7"])
@pytest.mark.parametrize("is_grouped", [False, True])
def test_inner_folds_lie_in_the_training_part_and_keep_copies_and_groups_together(protocol, is_grouped):
    groups = np.arange(30) // 3 if is_grouped else np.arange(30)
    seen, study, _ = _seen(30, groups if is_grouped else None, protocol=protocol, sizes=[2, 3], tune_size=True)
    number = study.plan.table.X[:, 0].astype(int)
    outer = [set(number[split.train]) for split in study.plan.splits]
    # Everything from here to the next split's own selection belongs to a split.
    current, n_inner = -1, 0
    pairs = [(a[1], b[1]) for a, b in pairwise(seen) if (a[0], b[0]) == ("train", "test")]
    whole = [sorted(number[split.train]) for split in study.plan.splits]
    for train, test in pairs:
        assert not set(groups[train]) & set(groups[test])
        if sorted(train) in whole:
            current = whole.index(sorted(train))
            continue
        n_inner += 1
        assert set(train) <= outer[current]
        assert set(test) <= outer[current]
    assert n_inner > 0


def test_inner_folds_of_a_split_test_every_training_sample_once():
    seen, study, _ = _seen(30, protocol="holdout", sizes=[2, 3], tune_size=True)
    number = study.plan.table.X[:, 0].astype(int)
    train = sorted(number[study.plan.splits[0].train])
    tested = [rows.tolist() for kind, rows, _ in seen if kind == "test"]
    # Two sizes of the split itself, then two sizes of each of five folds.
    assert len(tested) == 2 + 2 * 5
    assert sorted(chain(*tested[2::2])) == train


def _noise(seed, number, n_missing=0, n_features=200):
    rng = np.random.default_rng([seed, number, 77])
    X = rng.normal(size=(24, n_features))
    X[rng.integers(24, size=n_missing), rng.integers(200, size=n_missing)] = np.nan
    return X, rng.permutation(np.arange(24) % 2)


def _accuracies_on_noise(seed, n_tables, size=5, n_missing=0, **asked):
    """Accuracy on each of some tables in which no feature tells anything."""
    found = []
    for number in range(n_tables):
        X, y = _noise(seed, number, n_missing)
        # Both classes as likely, or leaving one out would tell the class that is left out.
        judge = {"nb": GaussianNB(priors=[0.5, 0.5])}
        asked = {"methods": ["f-test"], "sizes": [5], "seed": number, **asked}
        study = holdfast.compare(X, y, classifiers=judge, **asked)
        found.append(study.metrics[0, size, "nb"]["accuracy"].value)
    return np.array(found)


def assert_is_chance(accuracies, n_errors):
    error = accuracies.std(ddof=1) / math.sqrt(len(accuracies))
    assert abs(accuracies.mean() - 0.5) < n_errors * error
    # So small an error would not hide a leak.
    assert n_errors * error < 0.3


@pytest.mark.parametrize(("protocol", "n_tables"), [("4cv", 15), ("loocv", 20), ("bootstrapx3", 15), ("holdout", 25)])
def test_noise_is_told_apart_as_by_chance(protocol, n_tables, seed):
    assert_is_chance(_accuracies_on_noise(seed, n_tables, protocol=protocol), 5)


def test_noise_is_told_apart_as_by_chance_with_a_tuned_size_and_filled_values(seed):
    accuracies = _accuracies_on_noise(
        seed, 15, "tuned", n_missing=200, sizes=[2, 10], tune_size=True, impute="mean", protocol="2cv"
    )
    assert_is_chance(accuracies, 5)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("method", ["mrmr+", "relieff", "svm-rfe"])
def test_noise_is_told_apart_as_by_chance_on_many_tables(protocol, method, seed):
    assert_is_chance(_accuracies_on_noise(seed, 100, protocol=protocol, methods=[method]), 4)


def test_features_chosen_outside_the_splits_would_tell_noise_apart(seed):
    found = []
    for number in range(8):
        X, y = _noise(seed, number, n_features=2000)
        leaky = X[:, SelectKBest(k=5).fit(X, y).get_support()]
        study = holdfast.compare(leaky, y, methods=["f-test"], sizes=[5], classifiers=["nb"], protocol="4cv")
        found.append(study.metrics[0, 5, "nb"]["accuracy"].value)
    assert np.mean(found) > 0.8


@settings(max_examples=25)
@given(
    st.lists(st.integers(0, 11), min_size=30, max_size=30),
    st.sampled_from(["3cv", "2x2cv", "loocv", "bootstrapx3", "holdout", "random-1/2x2"]),
    st.integers(0, 2**31),
)
def test_a_group_never_straddles_a_split(numbers, protocol, draw):
    groups = np.array([0, 1, 2, 3, *numbers[4:]])
    classes = np.array([0, 0, 1, 1, *np.arange(26) % 2])
    table = Table(np.random.default_rng(draw).normal(size=(30, 2)), ["a", "b"], target=classes)
    try:
        study = holdfast.compare(
            table, protocol=protocol, groups=groups, seed=draw, methods=["f-test"], sizes=[1], classifiers=["nb"]
        )
    except holdfast.DataError as error:
        # Groups may leave a training part without a class, or a test part without a sample.
        refused = str(error)
        assert "of a class" in refused or "no sample to test on" in refused
        return
    own = [groups[int(name[1:]) - 1] for name in study.plan.table.sample_names]
    for split in study.plan.splits:
        assert not {own[i] for i in split.train} & {own[i] for i in split.test}
        assert len(split.test)
