"""Sets that do as well, found by leaving out features."""

from __future__ import annotations

from collections import deque

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest, SelectorMixin
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB

from holdfast import DCORFS, MRMR, DataError
from holdfast._progress import watching
from holdfast.data import Table
from holdfast.evaluate.diversity import diversity
from holdfast.measures import distance_correlation

NAMES = ["TP53", "MYC", "ACTB", "EGFR", "KRAS", "BRAF", "ABL1", "JAK2"]


@pytest.fixture
def made(seed):
    rng = np.random.default_rng([seed, 403])
    y = np.repeat([0, 1], [16, 14])
    X = rng.normal(size=(30, 8))
    X[:, :5] += np.outer(y, [2.0, 1.8, 1.6, 1.4, 1.2])
    return X, y


class _Apart(SelectorMixin, BaseEstimator):
    """Takes the features whose means lie farthest apart: a selector of someone else's."""

    def __init__(self, n_features_to_select=2):
        self.n_features_to_select = n_features_to_select

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        apart = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0))
        self.indices_ = np.argsort(-apart, kind="stable")[: self.n_features_to_select]
        self.scores_, self.ranking_ = apart, np.argsort(np.argsort(-apart)) + 1
        return self

    def _get_support_mask(self):
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.indices_] = True
        return mask


def _value(X, y, columns):
    return distance_correlation((X - X.min(axis=0)) / np.ptp(X, axis=0), y, subsets=[columns])[0]


def _twin(X, y, n_select, is_good, max_models=20, max_searches=50):
    """The walk, set by set, as lists of columns and of what was left out."""

    def select(excluded):
        left = [j for j in range(X.shape[1]) if j not in excluded]
        apart = {j: abs(X[y == 1, j].mean() - X[y == 0, j].mean()) for j in left}
        return sorted(left, key=lambda j: -apart[j])[:n_select] if len(left) >= n_select else []

    first = select(())
    found, met, tried, queue, n_searches = [(first, ())], [set(first)], [], deque([(first, ())]), 0
    while queue:
        columns, path = queue.popleft()
        for column in columns:
            excluded = (*path, column)
            if set(excluded) in tried:
                continue
            if n_searches == max_searches or len(found) == max_models:
                return found, n_searches
            tried.append(set(excluded))
            n_searches += 1
            new = select(excluded)
            if new and set(new) not in met:
                met.append(set(new))
                if is_good(new):
                    found.append((new, excluded))
                    queue.append((new, excluded))
    return found, n_searches


@pytest.mark.parametrize(("max_models", "max_searches"), [(20, 50), (4, 50), (20, 5)])
@pytest.mark.parametrize("slack", [0.0, 0.1, 0.4])
def test_sets_are_those_of_a_walk_over_exclusions_breadth_first(made, slack, max_models, max_searches):
    X, y = made
    limits = {"max_models": max_models, "max_searches": max_searches}
    found = diversity(_Apart(2), X, y, slack=slack, **limits)
    least = (1 - slack) * _value(X, y, found.models[0].columns)
    expected, n_searches = _twin(X, y, 2, lambda columns: _value(X, y, columns) >= least - 1e-12, **limits)
    got = [(m.columns.tolist(), tuple(int(name[1:]) for name in m.excluded)) for m in found.models]
    assert got == expected
    assert found.n_searches == n_searches


def test_values_are_those_of_the_measure(made):
    X, y = made
    for model in diversity(_Apart(2), X, y, slack=0.4).models:
        assert model.value == pytest.approx(_value(X, y, model.columns), abs=1e-12)


def test_with_a_classifier_sets_with_no_more_errors_are_kept(made):
    X, y = made
    found = diversity(_Apart(2), X, y, classifier="nb", cv="loocv")
    errors = []
    for model in found.models:
        wrong = 0
        for train, test in LeaveOneOut().split(X):
            Z = X[:, model.columns]
            Z = (Z - Z[train].min(axis=0)) / np.ptp(Z[train], axis=0)
            wrong += int((GaussianNB().fit(Z[train], y[train]).predict(Z[test]) != y[test]).sum())
        errors.append(wrong)
    assert [model.errors for model in found.models] == errors
    assert max(errors) == errors[0]


def test_what_was_left_out_stays_out_along_a_path(made):
    found = diversity(_Apart(2), *made, slack=0.6)
    for model in found.models[1:]:
        parent = found.models[model.parent]
        assert model.excluded[:-1] == parent.excluded
        assert model.excluded[-1] in parent.features
        assert not set(model.excluded) & set(model.features)


def test_a_rule_of_ones_own_decides(made):
    asked = []

    def has_column_0(model):
        asked.append(model.columns.tolist())
        return 0 in model.columns

    found = diversity(_Apart(2), *made, accept=has_column_0)
    assert all(0 in model.columns for model in found.models[1:])
    assert found.n_rejected == sum(0 not in columns for columns in asked) > 0


def test_no_set_comes_twice(made):
    sets = [frozenset(model.columns.tolist()) for model in diversity(_Apart(3), *made, slack=0.9).models]
    assert len(set(sets)) == len(sets) > 1


def test_incidence_and_overlaps_follow_from_the_sets(made):
    found = diversity(_Apart(3), *made, slack=0.5)
    sets = [set(model.features) for model in found.models]
    for i, name in enumerate(found.features):
        assert found.incidence[i].tolist() == [name in one for one in sets]
    for a, one in enumerate(sets):
        for b, other in enumerate(sets):
            assert found.shared[a, b] == len(one & other)
            assert found.jaccard[a, b] == pytest.approx(len(one & other) / len(one | other))
    assert {(row["model"], row["other"]): row["shared"] for row in found.pairs()} == {
        (f"S{a}", f"S{b}"): len(sets[a] & sets[b]) for a in range(len(sets)) for b in range(a + 1, len(sets))
    }


def test_features_of_most_sets_come_first(made):
    found = diversity(_Apart(3), *made, slack=0.5)
    often = found.incidence.sum(axis=1)
    assert (np.diff(often) <= 0).all()
    assert often.min() >= 1


@pytest.mark.parametrize(
    ("more", "stop"),
    [({"max_models": 2}, "max_models"), ({"max_searches": 1}, "max_searches"), ({"slack": 0.0}, "all tried")],
)
def test_the_result_says_why_it_ended(made, more, stop):
    assert diversity(_Apart(2), *made, **{"slack": 0.6, **more}).stop == stop


def test_no_search_beyond_the_first_gives_one_set(made):
    found = diversity(_Apart(2), *made, max_searches=0)
    assert (len(found.models), found.n_searches, found.models[0].parent) == (1, 0, None)


def test_it_ends_when_too_few_features_are_left(made):
    X, y = made
    found = diversity(_Apart(3), X[:, :4], y, slack=0.99)
    assert {frozenset(model.columns.tolist()) for model in found.models} == {
        frozenset(one) for one in ([0, 1, 2], [1, 2, 3], [0, 2, 3], [0, 1, 3])
    }
    assert found.stop == "all tried"


@pytest.mark.parametrize(
    "selector", ["dcorfs(confidence=none)", DCORFS(confidence=None, random_state=None), "mrmr+(n_features_to_select=2)"]
)
def test_the_same_call_gives_the_same_sets(made, selector):
    one, two = (diversity(selector, *made, slack=0.3, max_searches=8, classifier="nb") for _ in range(2))
    assert one.table() == two.table()


def test_the_value_of_the_first_set_is_that_of_dcorfs(made):
    search = DCORFS(confidence=None).fit(*made)
    found = diversity(search, *made, max_searches=0)
    assert found.models[0].columns.tolist() == search.indices_.tolist()
    assert found.models[0].value == pytest.approx(search.value_, abs=1e-12)


def test_other_peoples_selectors_will_do(made):
    X, y = made
    found = diversity(SelectKBest(k=2), X, y, slack=0.3, max_searches=4)
    assert set(found.models[0].columns) == set(np.flatnonzero(SelectKBest(k=2).fit(X, y).get_support()))


@pytest.mark.parametrize("cv", [5, "2x3cv", LeaveOneOut(), [([0, 1, 2, 17, 18, 19], [5, 20])]], ids=str)
def test_any_cross_validation_will_do(made, cv):
    found = diversity(_Apart(2), *made, classifier="nb", cv=cv, max_searches=2)
    assert found.models[0].errors >= 0


def test_names_are_carried_through(made):
    X, y = made
    plain = diversity(MRMR(2), X, y, slack=0.4)
    for found in (
        diversity(MRMR(2), X, y, slack=0.4, feature_names=NAMES),
        diversity(MRMR(2), pd.DataFrame(X, columns=NAMES), y, slack=0.4),
        diversity(MRMR(2), Table(X, NAMES, target=y), slack=0.4),
    ):
        assert [m.columns.tolist() for m in found.models] == [m.columns.tolist() for m in plain.models]
        assert list(found.features) == [NAMES[column] for column in found.columns]
        assert all(set(model.excluded) <= set(NAMES) for model in found.models)


def test_the_tables_are_ready_for_data_frames(made):
    found = diversity(_Apart(2), *made, slack=0.4, feature_names=NAMES)
    models, incidence = pd.DataFrame(found.table()), pd.DataFrame(found.incidence_table()).set_index("feature")
    assert models["model"].tolist() == [f"S{i}" for i in range(len(found.models))]
    assert np.array_equal(incidence.to_numpy(), found.incidence)
    assert models["n_features"].tolist() == incidence.sum(axis=0).tolist()
    assert models["parent"].tolist()[:2] == [None, "S0"]


def test_progress_is_reported(made):
    told = []
    with watching(lambda what, done, total: told.append((done, total))):
        diversity(_Apart(2), *made, slack=0.4, max_searches=3)
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_first_set_without_features_is_refused(made):
    X, y = made
    with pytest.raises(ValueError, match="DCORFS chose nothing from all 8 features"):
        diversity(DCORFS(n_iterations=1, step=100.0), X, y)


@pytest.mark.parametrize(
    ("selector", "error", "message"),
    [
        ("mrmrmr", ValueError, "There is no method called 'mrmrmr'"),
        (GaussianNB(), TypeError, "selector=GaussianNB.*a selector with fit and get_support"),
        (MRMR, TypeError, "selector=.*is not allowed"),
    ],
    ids=["name", "classifier", "class"],
)
def test_something_that_is_no_selector_is_refused(made, selector, error, message):
    with pytest.raises(error, match=message):
        diversity(selector, *made)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"accept": 0.5}, "accept=0.5 is not allowed for diversity"),
        ({"slack": 1.0}, "slack=1.0 is not allowed"),
        ({"max_models": 0}, "max_models=0 is not allowed"),
        ({"max_searches": -1}, "max_searches=-1 is not allowed"),
        ({"measure": GaussianNB()}, "measure is a classifier"),
        ({"classifier": "nb", "cv": "tenfold"}, "protocol='tenfold' is not known"),
        ({"cv": 1}, "cv=1 is not allowed"),
    ],
)
def test_wrong_settings_are_refused(made, more, message):
    with pytest.raises(ValueError, match=message):
        diversity(_Apart(2), *made, **more)


def test_unusable_tables_are_refused(made):
    X, y = made
    with pytest.raises(DataError, match="diversity needs the class of each sample"):
        diversity(_Apart(2), X)
    X[3, 4] = np.nan
    with pytest.raises(DataError, match="contains NaN"):
        diversity(_Apart(2), X, y)
