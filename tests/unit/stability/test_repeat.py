"""Everything here works with every selector of the registry, and members are read whoever wrote them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectFpr, SelectKBest, SelectorMixin, VarianceThreshold
from sklearn.pipeline import make_pipeline

import holdfast
from holdfast import EnsembleSelector, FTest, NothingSelected, StabilitySelector, TTest, selection_frequency
from holdfast.stability._repeat import chosen_by, label_of, members_of
from oracles import datasets

METHODS = holdfast.methods()
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


def _small(method, seed):
    data = datasets.bundle(method, seed)[0]
    return datasets.suited(method, datasets.Data(data.name, data.X[:, :8], data.y, data.is_discrete))


def _fitted(selector, data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return selector.fit(data.frame, data.y)


@every_method
def test_every_method_can_be_a_member_of_an_ensemble(method, seed):
    data = _small(method, seed)
    member = datasets.build(method, 3)
    fitted = _fitted(EnsembleSelector(3, selector=member, perturb="subsample", n_runs=2), data)
    assert len(fitted.lists_) == 2
    assert set(fitted.indices_) <= set(np.concatenate(fitted.lists_))
    moved = datasets.Data(data.name, data.X[::-1], None if data.y is None else data.y[::-1])
    again = _fitted(EnsembleSelector(3, selector=member, perturb="subsample", n_runs=2), moved)
    assert again.indices_.tolist() == fitted.indices_.tolist()
    np.testing.assert_allclose(again.scores_, fitted.scores_, rtol=1e-9)


@every_method
def test_every_method_can_be_repeated_for_stability_selection(method, seed):
    data = _small(method, seed)
    fitted = _fitted(StabilitySelector(2, selector=datasets.build(method, 3), perturb="subsample", n_runs=2), data)
    assert fitted.runs_.shape == (2, 8)
    assert len(fitted.indices_) == min(2, fitted.runs_.any(axis=0).sum())
    assert fitted.frequency_.tolist() == fitted.runs_.mean(axis=0).tolist()


@every_method
def test_every_method_can_be_a_member_by_name(method, seed):
    data = _small(method, seed)
    (member,) = members_of(method.name, 3) if not method.takes_prior else members_of(datasets.plain(method), 3)
    assert type(member) is method.selector_class
    assert member.n_features_to_select == 3
    assert _small(method, seed).X.shape == data.X.shape


def test_a_member_of_a_member_works(seed):
    data = datasets.continuous(seed)
    inner = EnsembleSelector(3, selector="t-test", n_runs=2)
    outer = StabilitySelector(2, selector=inner, n_runs=4).fit(data.X, data.y)
    assert len(outer.indices_) == 2
    assert len(EnsembleSelector(2, selector=[outer, inner], n_runs=2).fit(data.X, data.y).indices_) == 2


def test_labels_are_names_and_classes():
    assert label_of("mrmr+") == "mrmr+"
    assert label_of(TTest(3)) == "TTest"
    assert label_of(make_pipeline(VarianceThreshold(), FTest(3))) == "FTest"


def test_members_are_clones_told_how_many_features_to_keep():
    given = [TTest(7), make_pipeline(SelectKBest(k=9), FTest(8)), "relieff"]
    first, second, third = members_of(given, 4)
    assert (first.n_features_to_select, second[-1].n_features_to_select, third.n_features_to_select) == (4, 4, 4)
    assert given[0].n_features_to_select == 7
    assert members_of(TTest(7))[0].n_features_to_select == 7


def test_a_list_in_order_is_read_in_order(seed):
    data = datasets.continuous(seed)
    fitted = TTest(4).fit(data.X, data.y)
    chosen = chosen_by(fitted, data.X, complete=True)
    assert chosen.indices.tolist() == fitted.indices_.tolist()
    assert chosen.places.tolist() == [1, 2, 3, 4]
    assert chosen.ranking.tolist() == fitted.ranking_.tolist()
    best, worst = fitted.scores_.max(), fitted.scores_.min()
    np.testing.assert_allclose(chosen.weights, (fitted.scores_[fitted.indices_] - worst) / (best - worst))


def test_a_list_without_scores_for_all_is_weighed_by_place(seed):
    data = datasets.continuous(seed)
    fitted = holdfast.MRMR(4).fit(data.X, data.y)
    assert chosen_by(fitted, data.X).weights.tolist() == [1.0, 0.75, 0.5, 0.25]


def test_scores_of_scikit_learn_put_its_list_in_order(seed):
    data = datasets.continuous(seed)
    fitted = SelectKBest(k=4).fit(data.X, data.y)
    chosen = chosen_by(fitted, data.X)
    assert sorted(chosen.indices) == np.flatnonzero(fitted.get_support()).tolist()
    assert (np.diff(fitted.scores_[chosen.indices]) <= 0).all()


class Middle(SelectorMixin, BaseEstimator):
    """Chooses three columns, and says no more."""

    def fit(self, X, y=None):
        self.n_features_in_ = np.asarray(X).shape[1]
        return self

    def _get_support_mask(self):
        return np.isin(np.arange(self.n_features_in_), [1, 2, 3])


def test_a_set_without_order_shares_the_middle_place(seed):
    data = datasets.continuous(seed)
    chosen = chosen_by(Middle().fit(data.X), data.X)
    assert chosen.indices.tolist() == [1, 2, 3]
    assert chosen.places.tolist() == [2, 2, 2]
    assert chosen.weights.tolist() == [0.5, 0.5, 0.5]
    fitted = EnsembleSelector(selector=[Middle(), TTest(3)], n_runs=2).fit(data.X, data.y)
    assert [sorted(one) for one in fitted.lists_[:2]] == [[1, 2, 3]] * 2


def test_a_pipeline_is_read_in_columns_of_the_table(seed):
    data = datasets.continuous(seed)
    pipeline = make_pipeline(SelectKBest(k=6), FTest(3)).fit(data.X, data.y)
    chosen = chosen_by(pipeline, data.X)
    assert chosen.indices.tolist() == FTest(3).fit(data.X, data.y).indices_.tolist()


def test_a_choice_of_nothing_is_an_empty_list():
    X, y = np.random.default_rng(0).normal(size=(20, 4)), np.arange(20) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = SelectFpr(alpha=1e-12).fit(X, y)
    chosen = chosen_by(fitted, X)
    assert len(chosen.indices) == len(chosen.places) == len(chosen.weights) == 0


@pytest.mark.parametrize("perturb", ["half-samples", "bootstrap", "complementary-pairs", "folds", "feature-noise"])
def test_frequency_takes_every_perturbation(perturb, seed):
    data = datasets.continuous(seed, n_samples=40)
    found = selection_frequency(TTest(3), data.X, data.y, n_runs=4, perturb=perturb, random_state=seed)
    assert found.runs.shape == (4, 10)
    assert (found.runs.sum(axis=1) == 3).all()


def test_frequency_takes_groups_rows_and_names(seed):
    data = datasets.continuous(seed, n_samples=40)
    everyone = [np.arange(40)]
    for selector in ("t-test", TTest(50)):
        with pytest.raises(ValueError, match="50"):
            selection_frequency(selector, data.X, data.y, perturb=everyone)
    found = selection_frequency(TTest(3), data.X, data.y, perturb=everyone)
    assert np.flatnonzero(found.runs[0]).tolist() == sorted(TTest(3).fit(data.X, data.y).indices_)
    groups = np.where(data.y == 1, 100, 0) + np.arange(40) // 2
    grouped = selection_frequency(TTest(3), data.X, data.y, n_runs=3, perturb="subsample", groups=groups)
    assert grouped.runs.shape == (3, 10)


def test_frequency_refuses_a_perturbation_that_is_none(seed):
    data = datasets.continuous(seed)
    with pytest.raises(ValueError, match=r"^perturb="):
        selection_frequency(TTest(3), data.X, data.y, perturb="jackknife")
