"""What is known beforehand: as a user says it, and what MRMR and Relief make of it."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import holdfast
from holdfast import MRMR, DataError, PriorWarning, Relief, ReliefF, TuRF, selection_frequency
from holdfast._registry import find
from holdfast.data import Table
from holdfast.kernels import lazy
from holdfast.knowledge import Known
from holdfast.search.forward import forward, never
from holdfast.search.shared import ExhaustiveCandidates, Formula
from holdfast.selectors._prior import prior_gain, prior_weights
from holdfast.stability import half_samples
from oracles import datasets, prior
from oracles.datasets import precedence
from oracles.worked import TOY

NAMES = np.array(["a", "b", "c", "d"], dtype=object)


@pytest.mark.parametrize(
    "said",
    [
        [1, 10, 1, 10],
        (1.0, 10.0, 1.0, 10.0),
        np.array([1, 10, 1, 10]),
        np.array([1, 10, 1, 10], dtype=np.float32),
        pd.Series([1.0, 10.0, 1.0, 10.0]),
        [False, True, False, True],
        np.array([False, True, False, True]),
        ["b", "d"],
        ("d", "b", "b"),
        {"b", "d"},
        np.array(["b", "d"]),
        np.array(["b", "d"], dtype=object),
        pd.Index(["b", "d"]),
        {"b": 10, "d": np.float64(10)},
        {"a": 1, "b": 10.0, "d": np.int64(10)},
        pd.Series({"d": 10.0, "b": 10.0}),
        Known(["b", "d"]),
    ],
    ids=lambda said: type(said).__name__,
)
def test_the_same_knowledge_gives_the_same_weights_however_it_is_said(said):
    assert prior_weights(said, NAMES, 4).tolist() == [1, 10, 1, 10]


def test_nothing_known_is_no_prior():
    assert prior_weights(None, NAMES, 4) is None


def test_features_of_one_name_share_its_weight():
    assert prior_weights({"b": 3.0}, np.array(["b", "a", "b"], dtype=object), 3).tolist() == [3, 1, 3]


WRONG = [
    ([1, 2], "2 numbers, but X has 4 features"),
    ([True, False], "2 values of True and False, but X has 4 features"),
    ([1, 2, np.nan, 1], "weight nan for 'c'"),
    ([1, 0, 1, 1], "weight 0 for 'b'"),
    ([1, -2, 0, 1], r"weight -2 for 'b' \(and 1 more\)"),
    ([1, np.inf, 1, 1], "weight inf for 'b'"),
    ([1, 10**400, 1, 1], "for 'b'"),
    ([True, 2.0, 1.0, 1.0], "place 1 while those before it are True and False"),
    ([1.0, "b", 1.0, 1.0], "place 1 while those before it are numbers"),
    (["a", None], "place 1 while those before it are names"),
    ([1j, 1, 1, 1], "place 0"),
    ([None] * 4, "place 0"),
    ({"a": 0}, "weight 0 for 'a'"),
    ({"a": True}, "weight True for 'a'"),
    ({"a": "10"}, "weight '10' for 'a'"),
    ({"a": np.nan}, "weight nan for 'a'"),
    ({0: 10.0}, "names are texts"),
    ({1.0, 2.0, 3.0, 4.0}, "a set has no order"),
]


@pytest.mark.parametrize(("said", "words"), WRONG)
def test_what_cannot_be_a_prior_is_refused_by_what_came(said, words):
    with pytest.raises(ValueError, match=f"^prior .*{words}"):
        prior_weights(said, NAMES, 4)


@pytest.mark.parametrize("said", ["a", 3, True, [], {}, b"ab", np.ones((2, 2)), np.array(3.0)])
def test_what_is_no_list_at_all_is_refused_as_a_parameter(said):
    X, y = np.eye(4), [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"^prior="):
        MRMR(2, prior=said).fit(X, y)


def test_a_wrong_column_is_named_by_number_where_there_are_no_names():
    with pytest.raises(ValueError, match="column 2"):
        prior_weights([1, 1, 0, 1], None, 4)


def test_names_for_a_table_without_names_are_refused_saying_what_to_pass():
    with pytest.raises(ValueError, match=r"X has no names.*data frame or a Table.*each of the 4 columns"):
        prior_weights(["a"], None, 4)


def test_names_that_the_table_does_not_have_are_warned_about_with_their_number():
    said = ["a", *(f"gene{i}" for i in range(7))]
    with pytest.warns(PriorWarning, match=r"7 features that X does not have, out of 8: 'gene0'.* and 2 more"):
        assert prior_weights(said, NAMES, 4).tolist() == [10, 1, 1, 1]


def test_no_name_in_common_is_an_error_with_examples_of_both_sides():
    with pytest.raises(DataError, match=r"'TP53', 'MYC'.*'a', 'b', 'c' and 1 more.*knowledge\.match"):
        prior_weights(["TP53", "MYC"], NAMES, 4)
    with pytest.raises(DataError, match="but for case: 'A' and 'a'"):
        prior_weights(["A", "Q"], NAMES, 4)


# Relevance, and what each pair shares.
RELEVANCE = np.array([0.60, 0.55, 0.30])
SHARED = np.array([[1.0, 0.50, 0.05], [0.50, 1.0, 0.10], [0.05, 0.10, 1.0]])


class _SharedAsPrinted:
    kind = lazy.MUTUAL_INFORMATION

    def with_feature(self, feature):
        return SHARED[feature]


@pytest.mark.parametrize(
    ("weights", "order", "merits"),
    [(None, [0, 2, 1], [0.6, 0.25, 0.25]), ([1.0, 10.0, 1.0], [1, 2, 0], [10.55, 1.2, 1.325])],
)
def test_mrmr_adds_the_prior_to_the_relevance_as_in_the_worked_example(weights, order, merits):
    gain = prior_gain(prior_weights(weights, None, 3), 1.0)
    candidates = ExhaustiveCandidates(RELEVANCE + gain, _SharedAsPrinted(), Formula(lazy.DIFFERENCE))
    path = forward(candidates, precedence(np.eye(3), np.array([0, 1, 1]), RELEVANCE), 3, never)
    assert path.features.tolist() == order
    np.testing.assert_allclose(path.merits, merits)


@pytest.mark.parametrize(
    ("scale", "sums", "order"),
    [("none", [-10, 12, 8, 13, -3], [3, 1, 2, 4, 0]), ("range", [8.0, 2.1, 1.7, 2.2, 0.6], [0, 3, 1, 2, 4])],
)
def test_relief_adds_the_prior_to_the_sum_as_in_the_worked_example(scale, sums, order):
    X, y = TOY
    fitted = Relief(5, scale=scale, prior=[10, 1, 1, 1, 1]).fit(X, y)
    np.testing.assert_allclose(fitted.scores_ * len(y), sums)
    assert fitted.indices_.tolist() == order


SELECTORS = [
    *(MRMR(4, objective=o, search=s) for o in ("mid", "miq", "fcd", "fcq") for s in ("lazy", "exhaustive")),
    Relief(4),
    Relief(4, n_samples=9),
    ReliefF(4, n_neighbors=3),
    ReliefF(4, n_neighbors=3, n_samples=11),
]
every_selector = pytest.mark.parametrize("selector", SELECTORS, ids=str)


def _oracle(selector):
    return {MRMR: prior.pk_mrmr, Relief: prior.pk_relief, ReliefF: prior.pk_relieff}[type(selector)]


@every_selector
@pytest.mark.parametrize("scale", [0.0, 0.05, 1.0])
def test_a_selector_picks_what_its_slow_twin_picks(selector, scale, seed):
    for data in datasets.bundle(find("pk-relief"), seed):
        rng = np.random.default_rng([seed, 40])
        for said in (rng.uniform(0.1, 10, data.X.shape[1]).tolist(), data.names[::3].tolist()):
            X = data.frame if isinstance(said[0], str) else data.X
            names = data.names if isinstance(said[0], str) else None
            ready = clone(selector).set_params(prior=said, prior_scale=scale)
            fitted = ready.fit(X, data.y)
            order, scores = _oracle(selector)(data.X.tolist(), data.y.tolist(), ready.get_params(), names)
            assert fitted.indices_.tolist() == order, data.name
            np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("objective", ["mid", "miq", "fcd", "fcq"])
def test_both_searches_pick_the_same(objective, seed):
    for data in datasets.bundle(find("pk-mrmr"), seed):
        for spread in (0.01, 1.0, 100.0):
            said = np.random.default_rng([seed, 41]).exponential(spread, data.X.shape[1]) + 1e-3
            lazily, fully = (
                MRMR(data.X.shape[1], objective=objective, search=search, prior=said).fit(data.X, data.y)
                for search in ("lazy", "exhaustive")
            )
            assert lazily.indices_.tolist() == fully.indices_.tolist(), data.name
            assert np.array_equal(lazily.scores_, fully.scores_)


@every_selector
def test_a_constant_feature_stays_last_whatever_is_known_about_it(selector, seed):
    data = datasets.mixed(seed)
    is_constant = np.ptp(data.X, axis=0) == 0
    fitted = clone(selector).set_params(n_features_to_select=data.X.shape[1], prior=np.where(is_constant, 1e6, 1.0))
    chosen = fitted.fit(data.X, data.y).indices_
    assert set(chosen[-is_constant.sum() :]) == set(np.flatnonzero(is_constant))


@every_selector
def test_a_fitted_selector_keeps_the_weights_it_used_and_forgets_them_when_there_are_none(selector, seed):
    data = datasets.continuous(seed)
    fitted = clone(selector).set_params(prior=data.names[:2].tolist()).fit(data.frame, data.y)
    assert fitted.prior_.tolist() == [10, 10] + [1] * 8
    again = pickle.loads(pickle.dumps(fitted))
    assert again.prior_.tolist() == fitted.prior_.tolist()
    assert fitted.set_params(prior=None).fit(data.frame, data.y).prior_ is None


@every_selector
def test_a_prior_of_any_kind_survives_clone_and_a_second_fit(selector, seed):
    data = datasets.continuous(seed)
    for said in (np.arange(1.0, 11.0), list(data.names[:3]), {data.names[0]: 4.0}, np.arange(10) < 2):
        ready = clone(selector).set_params(prior=said)
        first = ready.fit(data.frame, data.y).indices_.tolist()
        assert ready.prior is said
        assert clone(ready).fit(data.frame, data.y).indices_.tolist() == first
        assert ready.fit(data.frame, data.y).indices_.tolist() == first
        assert type(selector).__name__ in repr(ready)


def test_a_prior_too_large_to_add_is_refused():
    X, y = TOY
    with pytest.raises(ValueError, match="prior_scale=1e"):
        Relief(2, prior=[1e300] * 5, prior_scale=1e300).fit(X, y)


def test_a_table_has_names_to_go_by():
    X, y = TOY
    table = Table(X, list("abcde"), target=y)
    assert Relief(1, prior=["a"]).fit(table).indices_.tolist() == [0]


def test_a_prior_is_divided_by_the_samples_that_were_drawn(seed):
    data = datasets.continuous(seed)
    for n_samples in (None, 6):
        with_prior = Relief(3, n_samples=n_samples, prior=[3.0] * 10).fit(data.X, data.y).scores_
        without = Relief(3, n_samples=n_samples).fit(data.X, data.y).scores_
        np.testing.assert_allclose(with_prior - without, 3.0 / (n_samples or len(data.y)))


@pytest.mark.parametrize("selector", [Relief(3, scale="none"), ReliefF(3, n_neighbors=3, scale="none")], ids=str)
def test_halves_that_share_distances_honour_the_prior_as_halves_that_do_not(selector, seed):
    data = datasets.continuous(seed, n_samples=40)
    said = np.random.default_rng([seed, 42]).uniform(1, 60, 10)
    ready = clone(selector).set_params(prior=said)
    runs = selection_frequency(ready, data.X, data.y, n_runs=8, random_state=seed).runs
    for rows, chosen in zip(half_samples(data.y, 8, seed), runs, strict=True):
        assert np.array_equal(clone(ready).fit(data.X[rows], data.y[rows]).get_support(), chosen)


def test_names_that_halves_do_not_have_are_warned_about_once(seed):
    data = datasets.continuous(seed, n_samples=40)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selection_frequency(Relief(3, prior=[data.names[0], "q"]), data.frame, data.y, n_runs=5)
    assert sum(issubclass(warning.category, PriorWarning) for warning in caught) == 1


def test_turf_honours_the_prior_of_its_ranker(seed):
    data = datasets.continuous(seed)
    worst = int(Relief(10).fit(data.X, data.y).indices_[-1])
    said = np.where(np.arange(10) == worst, 1000.0, 1.0)
    assert TuRF(1, estimator=Relief(prior=said)).fit(data.X, data.y).indices_.tolist() == [worst]


@pytest.mark.parametrize("name", ["pk-mrmr", "PK_Relief", "prior-relief"])
def test_a_name_of_prior_knowledge_without_any_is_the_plain_method_with_a_warning(name):
    with pytest.warns(PriorWarning, match=r"no prior knowledge.*Pass prior="):
        selector = holdfast.selector(name)
    assert selector.prior is None
    assert holdfast.selector(name, prior=None).get_params() == selector.get_params()
    assert holdfast.selector(name, prior=["a"]).prior == ["a"]
