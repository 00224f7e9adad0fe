"""An ensemble of classifiers on features of their own: how votes are joined, and how it is trained."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from holdfast import FCBF, FTest, TTest
from holdfast.data import Table, copies
from holdfast.stability._votes import VOTES, combined, decided
from holdfast.stability.classify import ClassifierEnsemble

WORKED = np.array([[[0.9, 0.1]], [[0.4, 0.6]], [[0.45, 0.55]]])
WORKED_WEIGHTS = np.array([0.9, 0.3, 0.4])


def joined(vote, supports, weights=None, labels=None):
    supports = np.asarray(supports, dtype=float)
    labels = supports.argmax(axis=2) if labels is None else np.asarray(labels)
    weights = np.ones(len(supports)) if weights is None else weights
    return combined(vote, supports, labels, weights)


def winner(vote, supports, class_sizes=(1, 1), **more):
    supports = np.asarray(supports, dtype=float)
    return decided(joined(vote, supports, **more), supports, np.array(class_sizes)).tolist()


@pytest.mark.parametrize(
    ("vote", "shares", "best"),
    [
        ("majority", [1, 2], 1),
        ("weighted", [0.9, 0.7], 0),
        ("average", [0.583333, 0.416667], 0),
        ("max", [0.9, 0.6], 0),
        ("min", [0.4, 0.1], 0),
        ("sum", [1.75, 1.25], 0),
    ],
)
def test_votes_are_the_worked_ones(vote, shares, best):
    np.testing.assert_allclose(joined(vote, WORKED, WORKED_WEIGHTS), [shares], atol=5e-7)
    assert winner(vote, WORKED, weights=WORKED_WEIGHTS) == [best]


def test_the_product_is_the_worked_one_up_to_a_factor():
    found = joined("product", WORKED)[0]
    np.testing.assert_allclose(found / found.sum(), [0.162 / 0.195, 0.033 / 0.195])
    assert winner("product", WORKED) == [0]


def test_many_small_factors_of_a_product_do_not_vanish():
    supports = np.tile([[[1e-9, 2e-9, 1 - 3e-9]]], (60, 1, 1))
    supports[0, 0] = [0.6, 0.4, 0.0]
    assert winner("product", supports, (1, 1, 1)) == [1]


@pytest.mark.parametrize("vote", ["product", "min"])
def test_the_average_decides_where_sure_members_contradict_each_other(vote):
    supports = [[[1.0, 0.0]], [[0.0, 1.0]], [[0.0, 1.0]]]
    np.testing.assert_allclose(joined(vote, supports), [[1 / 3, 2 / 3]])
    assert winner(vote, supports) == [1]


def test_the_average_decides_where_all_weights_are_zero():
    np.testing.assert_allclose(joined("weighted", WORKED, np.zeros(3)), [[0.583333, 0.416667]], atol=5e-7)


def test_a_tie_goes_to_the_higher_average_support():
    assert winner("majority", [[[0.55, 0.45]], [[0.1, 0.9]]]) == [1]


def test_a_tie_of_supports_goes_to_the_larger_class():
    assert winner("majority", [[[0.6, 0.4]], [[0.4, 0.6]]], class_sizes=(4, 9)) == [1]


def test_a_tie_of_everything_goes_to_the_smaller_label():
    assert winner("majority", [[[0.6, 0.4]], [[0.4, 0.6]]], class_sizes=(5, 5)) == [0]


def test_rounding_does_not_break_a_tie():
    supports = [[[1.0, 0.0]], [[1.0, 0.0]], [[0.0, 1.0]]]
    assert winner("weighted", supports, class_sizes=(1, 9), weights=np.array([0.1, 0.2, 0.3])) == [0]
    assert 0.1 + 0.2 > 0.3


def test_a_vote_counts_what_members_predict_and_not_their_supports():
    supports = [[[0.9, 0.1]], [[0.9, 0.1]], [[0.9, 0.1]]]
    assert winner("majority", supports, labels=[[1], [1], [0]]) == [1]


class Parrot(ClassifierMixin, BaseEstimator):
    """Says what its only feature says: the support of class 0."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([X[:, 0], 1 - X[:, 0]])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Column(SelectKBest):
    """Chooses the column it is told to."""

    def __init__(self, column=0):
        super().__init__(k=1)
        self.column = column

    def fit(self, X, y=None):
        super().fit(X, y)
        self.scores_ = (np.arange(X.shape[1]) == self.column).astype(float)
        return self


def example(seed, n_classes=2, n_samples=60):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, 12))
    X[:, :4] += 1.5 * y[:, None]
    return X, y


@pytest.mark.parametrize(("vote", "label"), [(vote, "sick" if vote == "majority" else "healthy") for vote in VOTES])
def test_members_that_say_the_worked_supports_give_the_worked_answer(vote, label):
    X = np.array([[0.9, 0.4, 0.45], [0.9, 0.4, 0.45], [0.1, 0.1, 0.1], [0.9, 0.9, 0.9]])
    y = np.array(["healthy", "healthy", "sick", "sick"])
    ensemble = ClassifierEnsemble(
        [Column(0), Column(1), Column(2)], estimator=Parrot(), vote=vote, perturb=None, cv=[([0, 2], [1, 3])]
    )
    found = ensemble.fit(X, y)
    assert found.subsets_.tolist() == np.eye(3, dtype=bool).tolist()
    found.weights_ = WORKED_WEIGHTS
    assert found.predict(X[:1]).tolist() == [label]


def test_weights_are_accuracies_in_cross_validation(seed):
    X, y = example(seed)
    splits = [(np.arange(60)[np.arange(60) % 5 != f], np.arange(60)[np.arange(60) % 5 == f]) for f in range(5)]
    found = ClassifierEnsemble([FTest(3), TTest(5)], vote="weighted", perturb=None, cv=splits, estimator=GaussianNB())
    found.fit(X, y)
    expected = [cross_val_score(GaussianNB(), X[:, subset], y, cv=splits).mean() for subset in found.subsets_]
    np.testing.assert_allclose(found.weights_, expected)


@pytest.mark.parametrize("vote", VOTES)
def test_every_vote_predicts_better_than_chance(vote, seed):
    X, y = example(seed, n_classes=3, n_samples=150)
    found = ClassifierEnsemble(FTest(4), vote=vote, n_runs=5, estimator=GaussianNB()).fit(X[:90], y[:90])
    assert found.score(X[90:], y[90:]) > 0.6
    np.testing.assert_allclose(found.predict_proba(X).sum(axis=1), 1.0)


def test_every_member_trains_on_all_samples_with_its_own_features(seed):
    X, y = example(seed)
    found = ClassifierEnsemble(FTest(4), n_runs=3, estimator=KNeighborsClassifier(1)).fit(X, y)
    for member, subset in zip(found.estimators_, found.subsets_, strict=True):
        assert subset.sum() == 4
        assert member.predict(X[:, subset]).tolist() == y.tolist()


def test_without_an_estimator_a_linear_svm_on_standardised_features_votes(seed):
    X, y = example(seed)
    plain = ClassifierEnsemble(FTest(4), n_runs=3).fit(X, y)
    same = clone(plain).set_params(estimator=make_pipeline(StandardScaler(), SVC(kernel="linear"))).fit(X, y)
    assert plain.predict_proba(X).tolist() == same.predict_proba(X).tolist()
    assert set(np.round(3 * plain.predict_proba(X)).ravel()) <= {0, 1, 2, 3}


def test_function_and_data_perturbation_multiply(seed):
    X, y = example(seed)
    selectors = [FTest(3), TTest(3)]
    assert len(ClassifierEnsemble(selectors, perturb=None).fit(X, y).estimators_) == 2
    assert len(ClassifierEnsemble(selectors, n_runs=3).fit(X, y).estimators_) == 6


def test_named_selectors_keep_as_many_features_as_asked(seed):
    X, y = example(seed)
    found = ClassifierEnsemble(["t-test", "f-test"], list_size=5, n_runs=2).fit(X, y)
    assert found.subsets_.sum(axis=1).tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize("vote", ["majority", "weighted"])
def test_shuffled_samples_give_the_same_ensemble(vote, seed):
    X, y = example(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    ensemble = ClassifierEnsemble(FTest(4), n_runs=4, vote=vote)
    plain, moved = clone(ensemble).fit(X, y), clone(ensemble).fit(X[order], y[order])
    assert moved.subsets_.tolist() == plain.subsets_.tolist()
    assert moved.weights_.tolist() == plain.weights_.tolist()
    assert moved.predict_proba(X).tolist() == plain.predict_proba(X).tolist()


def test_renamed_classes_give_the_same_ensemble(seed):
    X, y = example(seed, n_classes=3)
    names = np.array(["gamma", "alpha", "beta"])
    ensemble = ClassifierEnsemble(FTest(4), n_runs=4, vote="average", estimator=GaussianNB())
    plain, named = clone(ensemble).fit(X, y), clone(ensemble).fit(X, names[y])
    assert named.predict(X).tolist() == names[plain.predict(X)].tolist()


def test_the_number_of_jobs_changes_nothing(seed):
    X, y = example(seed)
    alone, together = (ClassifierEnsemble(FTest(4), n_runs=4, n_jobs=n).fit(X, y) for n in (1, 2))
    assert alone.predict_proba(X).tolist() == together.predict_proba(X).tolist()


def test_a_table_and_a_data_frame_bring_names(seed):
    pandas = pytest.importorskip("pandas")
    X, y = example(seed)
    names = [f"g{i}" for i in range(12)]
    frame = pandas.DataFrame(X, columns=names)
    ensemble = ClassifierEnsemble(FTest(4), n_runs=2)
    by_frame, by_table = clone(ensemble).fit(frame, y), clone(ensemble).fit(Table(X, names, target=y))
    assert by_frame.feature_names_in_.tolist() == by_table.feature_names_in_.tolist() == names
    assert by_frame.predict(frame).tolist() == by_table.predict(Table(X, names)).tolist()
    with pytest.raises(ValueError, match="other features"):
        by_table.predict(Table(X, names[::-1]))


@pytest.mark.filterwarnings("ignore::holdfast.NothingSelected")
@pytest.mark.parametrize("vote", ["majority", "weighted"])
def test_a_list_without_features_votes_for_the_larger_class(vote):
    X = np.zeros((20, 3))
    y = np.array([0] * 8 + [1] * 12)
    found = ClassifierEnsemble([FCBF()], perturb=None, vote=vote).fit(X, y)
    assert not found.subsets_.any()
    assert found.predict(X).tolist() == [1] * 20


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="one class only"):
        ClassifierEnsemble(FTest(1)).fit([[1.0], [2.0]], ["a", "a"])


@pytest.mark.parametrize(("name", "rule"), list(ClassifierEnsemble.allowed.items()))
def test_values_outside_what_is_allowed_are_refused(name, rule):
    X, y = example(0)
    for value in rule.refused:
        with pytest.raises(ValueError, match=name):
            ClassifierEnsemble(**{name: value}).fit(X, y)


def test_correlated_copies_are_spread_over_members(seed):
    made = copies(n_samples=80, n_features=30, n_relevant=2, n_copies=3, random_state=seed)
    found = ClassifierEnsemble("relieff", list_size=2, n_runs=8, estimator=RandomForestClassifier(5, random_state=0))
    assert len(np.unique(found.fit(made.X, made.y).subsets_, axis=0)) > 1


# The checks train on two features and expect a good classifier, which needs both.
@parametrize_with_checks(
    [
        ClassifierEnsemble(FTest(0.99), n_runs=3),
        ClassifierEnsemble(FTest(0.99), n_runs=3, vote="average", estimator=GaussianNB()),
    ]
)
def test_scikit_learn_check(estimator, check):
    check(estimator)
