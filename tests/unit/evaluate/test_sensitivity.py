"""Accuracies of a fixed set of features over random splits."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from holdfast import DataError, TTest
from holdfast._progress import watching
from holdfast.evaluate import split_sensitivity

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[4] / "shared" / "data"))


@pytest.fixture
def made(seed):
    rng = np.random.default_rng([seed, 402])
    y = np.repeat(["ALL", "AML"], [20, 12])
    X = rng.normal(size=(32, 5))
    X[:, 0] += 1.5 * (y == "AML")
    X[:, 1] *= 50
    return X, y


class _Recorder(ClassifierMixin, BaseEstimator):
    """Says of every sample that it is of class 0, and keeps what it has seen."""

    seen = []  # noqa: RUF012

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.train_ = X.copy(), y.copy()
        return self

    def predict(self, X):
        _Recorder.seen.append((*self.train_, X.copy()))
        return np.zeros(len(X), dtype=int)


@pytest.fixture
def recorder():
    _Recorder.seen = []
    return _Recorder()


def _plain_error(X, y, train, test):
    """Errors of Gaussian naive Bayes on features from 0 to 1 in the training part."""
    low, width = X[train].min(axis=0), np.ptp(X[train], axis=0)
    model = GaussianNB().fit((X[train] - low) / width, y[train])
    return int((model.predict((X[test] - low) / width) != y[test]).sum())


def test_errors_are_those_of_splits_drawn_from_the_seed_one_by_one(made, seed):
    X, y = made
    found = split_sensitivity(X, y, [0, 1], "nb", n_splits=30, train_size={"ALL": 12, "AML": 7}, random_state=seed)
    for i, child in enumerate(np.random.SeedSequence(seed).spawn(30)):
        rng = np.random.default_rng(child)
        shuffled = [rng.permutation(np.flatnonzero(y == label)) for label in ("ALL", "AML")]
        train = np.concatenate([shuffled[0][:12], shuffled[1][:7]])
        test = np.setdiff1d(np.arange(len(y)), train)
        assert found.errors[i] == _plain_error(X[:, :2], y, np.sort(train), test)


def test_a_split_depends_on_the_seed_and_its_number_only(made):
    few = split_sensitivity(*made, [0], "nb", n_splits=7)
    many = split_sensitivity(*made, [0], "nb", n_splits=60)
    other = split_sensitivity(*made, [0], "nb", n_splits=60, random_state=12345)
    assert many.errors[:7].tolist() == few.errors.tolist()
    assert many.errors.tolist() != other.errors.tolist()


@pytest.mark.parametrize("classifier", ["nb", "tree(max_features=1, random_state=none)"])
def test_the_number_of_jobs_changes_nothing(made, classifier):
    one, two = (split_sensitivity(*made, [0, 1], classifier, n_splits=60, n_jobs=n) for n in (1, 2))
    assert one.errors.tolist() == two.errors.tolist()


def test_every_split_has_the_classes_asked_for_and_tests_all_others(made, recorder):
    X, y = made
    found = split_sensitivity(X, y, [0], recorder, n_splits=20, train_size={"ALL": 13, "AML": 5}, scale=None)
    for train, codes, test in recorder.seen:
        assert np.bincount(codes).tolist() == [13, 5]
        assert sorted(np.concatenate([train, test]).ravel()) == sorted(X[:, 0])
    assert len({train.tobytes() for train, _, _ in recorder.seen}) > 1
    assert (dict(found.n_train), dict(found.n_test)) == ({"ALL": 13, "AML": 5}, {"ALL": 7, "AML": 7})
    assert set(found.errors) == {7}


@pytest.mark.parametrize("scale", ["train", "pooled", "per-set", None])
def test_the_classifier_sees_features_in_the_units_asked_for(made, recorder, scale):
    X, y = made
    split_sensitivity(X, y, [0, 1], recorder, n_splits=5, scale=scale)
    for train, _, test in recorder.seen:
        both = np.vstack([train, test])
        scaled = {"train": train, "pooled": both, "per-set": test, None: None}[scale]
        if scaled is None:
            assert sorted(both[:, 1]) == sorted(X[:, 1])
        else:
            assert scaled.min(axis=0).tolist() == [0, 0]
            assert scaled.max(axis=0) == pytest.approx([1, 1])


@pytest.mark.parametrize(
    ("train_size", "counts"),
    [(16, [10, 6]), (0.5, [10, 6]), (17, [11, 6]), (2 / 3, [13, 8]), (np.int64(24), [15, 9])],
)
def test_a_number_or_a_share_is_dealt_to_the_classes_by_their_shares(made, train_size, counts):
    found = split_sensitivity(*made, [0], "nb", n_splits=1, train_size=train_size)
    assert list(found.n_train.values()) == counts


def test_scores_summaries_and_table_tell_of_the_same_errors(made):
    found = split_sensitivity(*made, [0], "nb", n_splits=80)
    n_test = sum(found.n_test.values())
    scores = [(n_test - wrong) / n_test for wrong in found.errors.tolist()]
    assert found.scores == pytest.approx(scores)
    assert found.mean == pytest.approx(sum(scores) / 80)
    assert found.perfect == sum(wrong == 0 for wrong in found.errors) / 80
    assert found.quantiles[0.0] == min(found.scores)
    assert found.quantiles[0.5] == pytest.approx(np.median(scores))
    assert sum(found.counts.values()) == found.n_splits == 80
    rows = pd.DataFrame(found.table())
    assert rows["score"].is_monotonic_increasing
    assert rows["share"].sum() == pytest.approx(1)
    assert dict(zip(rows["errors"], rows["splits"], strict=True)) == {
        wrong: found.errors.tolist().count(wrong) for wrong in set(found.errors.tolist())
    }


def test_the_result_warns_of_features_chosen_on_the_same_samples(made):
    found = split_sensitivity(*made, TTest(2).fit(*made), "nb", n_splits=2)
    assert "took part in the choice, the accuracies are too high" in found.note


def test_names_are_carried_through(made):
    X, y = made
    found = split_sensitivity(pd.DataFrame(X, columns=list("abcde")), y, ["c", "a"], "knn", n_splits=2)
    assert (found.features, found.columns.tolist(), found.classifier) == (("c", "a"), [2, 0], "knn")


def test_classes_may_be_truth_values(made):
    X, y = made
    found = split_sensitivity(X, y == "AML", [0], "nb", n_splits=2, train_size={False: 10, True: 6})
    assert list(found.n_train.values()) == [10, 6]


def test_progress_is_reported(made):
    told = []
    with watching(lambda what, done, total: told.append((done, total))):
        split_sensitivity(*made, [0], "nb", n_splits=60)
    assert told == [(25, 60), (50, 60), (60, 60)]


@pytest.mark.parametrize(
    ("train_size", "message"),
    [
        (32, "train_size=32 but there are 32 samples"),
        (0, "train_size=0 but there are 32 samples"),
        (1.0, "train_size=1.0 is not allowed"),
        (True, "train_size=True is not allowed"),
        ("half", "train_size='half' is not allowed"),
        ({"ALL": 21, "AML": 5}, "asks for 21 samples of class 'ALL', which has 20"),
        ({"ALL": 12, "AML": 12}, "puts all 12 samples of class 'AML' into the training part"),
        ({"ALL": 12, "AML": 1}, "trains on 1 sample of class 'AML'"),
        ({"ALL": 12}, "does not say how many of class 'AML'"),
        ({"ALL": 12, "AML": 3, "CLL": 2}, "names the class 'CLL'"),
        ({"ALL": 12, "AML": 0.5}, "asks for 0.5 samples of class 'AML'"),
        (2, "trains on 1 sample of class"),
    ],
)
def test_training_parts_that_cannot_be_drawn_are_refused(made, train_size, message):
    with pytest.raises(ValueError, match=message):
        split_sensitivity(*made, [0], "nb", train_size=train_size)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"n_splits": 0}, "n_splits=0 is not allowed for split_sensitivity"),
        ({"scale": "range"}, "scale='range' is not allowed for split_sensitivity"),
        ({"random_state": -1}, "random_state=-1 is not allowed"),
        ({"n_jobs": 0}, "n_jobs=0 is not allowed"),
    ],
)
def test_wrong_settings_are_refused(made, more, message):
    with pytest.raises(ValueError, match=message):
        split_sensitivity(*made, [0], "nb", **more)


def test_an_unknown_feature_an_empty_set_and_a_single_class_are_refused(made):
    X, y = made
    with pytest.raises(ValueError, match="There is no feature called 'MYC'"):
        split_sensitivity(X, y, ["MYC"], "nb")
    with pytest.raises(ValueError, match="features is empty"):
        split_sensitivity(X, y, [], "nb")
    with pytest.raises(DataError, match="one class only"):
        split_sensitivity(X, ["ALL"] * 32, [0], "nb")


def test_something_that_is_no_classifier_is_refused(made):
    with pytest.raises(TypeError, match="is no classifier"):
        split_sensitivity(*made, [0], KNeighborsClassifier)


@pytest.mark.slow
def test_the_distribution_for_golubs_leukemia_is_the_known_one():
    path = FOLDER / "leukemia.npz"
    if not path.exists():
        pytest.skip("no table leukemia: set HOLDFAST_DATA to a folder that has it")
    with np.load(path) as data:
        X, y = data["X"].astype(float), data["class_names"][data["y"]]
    columns = np.array([1924, 3252, 4847, 5039]) - 1
    found = split_sensitivity(X, y, columns, "nb", train_size={"ALL": 27, "AML": 11}, scale="pooled", n_jobs=2)
    # Computed once with draws of another kind.
    assert found.mean == pytest.approx(0.9451, abs=0.005)
    assert found.perfect == pytest.approx(0.081, abs=0.03)
    assert (found.errors >= 3).mean() == pytest.approx(0.268, abs=0.05)
    assert sum(found.n_test.values()) == 34
