"""The tie rule: one total order that no column position, direction, class name or sample order can change."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import holdfast
from holdfast.search.ties import best_tied, tie_groups
from oracles import ties as oracle
from oracles.datasets import precedence


@st.composite
def tied_tables(draw):
    """A few columns of small whole numbers, two or three classes, and names."""
    n_samples = draw(st.integers(3, 12))
    n_features = draw(st.integers(2, 6))
    X = draw(arrays(np.int64, (n_samples, n_features), elements=st.integers(0, 3)))
    if draw(st.booleans()):
        X = np.column_stack([X, 3 - X[:, 0], X[:, -1]])
    y = draw(arrays(np.int64, n_samples, elements=st.integers(0, draw(st.integers(1, 2)))))
    _, y = np.unique(y, return_inverse=True)
    assume(y.max() > 0)
    names = np.array(draw(st.permutations([f"g{i}" for i in range(X.shape[1])])), dtype=object)
    return X.astype(float), y, names


# Both columns are alike in relevance and rank separation, and both classes in mean rank, size and first value.
MIRRORED_CLASSES = (
    np.column_stack([[0, 0, 0, 1, 1, 2, 2, 2], [0, 0, 1, 0, 2, 2, 1, 2]]).astype(float),
    np.array([0, 1, 1, 0, 0, 0, 1, 1]),
    np.array(["g0", "g1"], dtype=object),
)


def _order(X, y, names):
    """All columns in the order in which the rule puts them, with nothing else to tell them apart."""
    return precedence(X, y, np.zeros(X.shape[1]), names).order(np.arange(X.shape[1])).tolist()


@example(MIRRORED_CLASSES)
@given(tied_tables())
def test_the_order_is_that_of_the_slow_twin(table):
    X, y, names = table
    columns, target = X.T.tolist(), y.tolist()
    nothing = [0.0] * X.shape[1]
    for given_names in (names, None):
        expected = oracle.best_first_order(nothing, X.shape[1], columns, target, nothing, given_names)
        assert _order(X, y, given_names) == expected


@given(tied_tables())
def test_the_first_of_all_is_the_first_of_the_order(table):
    X, y, names = table
    rule = precedence(X, y, np.zeros(X.shape[1]), names)
    assert rule.first(np.arange(X.shape[1])) == _order(X, y, names)[0]


@given(tied_tables(), st.randoms(use_true_random=False))
def test_shuffled_columns_keep_the_order(table, random):
    X, y, names = table
    moved = random.sample(range(X.shape[1]), X.shape[1])
    by_name = names[_order(X, y, names)].tolist()
    assert names[moved][_order(X[:, moved], y, names[moved])].tolist() == by_name


@given(tied_tables(), st.randoms(use_true_random=False))
def test_shuffled_unnamed_columns_keep_the_order(table, random):
    X, y, _ = table
    # Samples with a value of their own: otherwise two columns can be mirror images of each other, samples and all.
    X = np.column_stack([X, 10.0 + np.arange(len(X)) ** 2])
    moved = random.sample(range(X.shape[1]), X.shape[1])
    rows = random.sample(range(len(X)), len(X))
    there = X[:, moved][:, _order(X[:, moved], y, None)]
    assert np.array_equal(there, X[:, _order(X, y, None)])
    assert np.array_equal(there, X[:, moved][:, _order(X[rows][:, moved], y[rows], None)])


@given(tied_tables(), st.randoms(use_true_random=False))
def test_shuffled_samples_keep_the_order(table, random):
    X, y, names = table
    rows = random.sample(range(len(X)), len(X))
    assert _order(X[rows], y[rows], names) == _order(X, y, names)


@example(MIRRORED_CLASSES, [])
@given(tied_tables(), st.lists(st.integers(0, 5)))
def test_negated_features_keep_the_order(table, negated):
    X, y, names = table
    signs = np.where(np.isin(np.arange(X.shape[1]), negated), -1, 1)
    assert _order(X * signs, y, names) == _order(X, y, names)


@example(MIRRORED_CLASSES)
@given(tied_tables())
def test_renamed_classes_keep_the_order(table):
    X, y, names = table
    assert _order(X, y.max() - y, names) == _order(X, y, names)
    assert _order(X, (y + 1) % (y.max() + 1), names) == _order(X, y, names)


@given(tied_tables())
def test_increasing_maps_keep_the_order(table):
    X, y, names = table
    assert _order(np.exp(X) * 3 - 1, y, names) == _order(X, y, names)


@given(tied_tables())
def test_relevance_comes_before_everything_else(table):
    X, y, names = table
    relevance = np.arange(X.shape[1]) * 1e-9
    assert precedence(X, y, relevance, names).order(np.arange(X.shape[1])).tolist() == list(range(X.shape[1]))[::-1]


@given(tied_tables())
def test_a_constant_column_comes_last(table):
    X, y, names = table
    assume((np.ptp(X, axis=0) > 0).all())
    X[:, 0] = 2.0
    assert _order(X, y, names)[-1] == 0


@given(
    st.lists(
        st.sampled_from([0.0, 1e-13, 1.0, 1 + 1e-13, 1 - 1e-13, 5.0, np.inf, -np.inf, 1e9, 1e9 + 1e-4]), min_size=1
    )
)
def test_the_best_values_and_their_ties_form_the_first_group(values):
    values = np.array(values)
    assert best_tied(values).tolist() == oracle.tied_best(range(len(values)), values.tolist().__getitem__)
    assert np.flatnonzero(tie_groups(values) == 0).tolist() == best_tied(values).tolist()


@given(tied_tables(), st.integers(1, 6))
def test_the_best_few_are_the_beginning_of_the_whole_order(table, n_best):
    X, y, names = table
    values = np.round(X.mean(axis=0), 1)
    whole = precedence(X, y, values, names).sort(values, X.shape[1]).tolist()
    assert precedence(X, y, values, names).sort(values, min(n_best, X.shape[1])).tolist() == whole[:n_best]


def test_equal_names_leave_the_choice_to_the_content(seed):
    rng = np.random.default_rng([seed, 46])
    X, y = rng.integers(0, 2, (20, 120)).astype(float), np.arange(20) % 2
    names = [f"g{i % 100}" for i in range(120)]
    samples = [f"s{i}" for i in range(20)]
    chosen = holdfast.FTest(10).fit(holdfast.Table(X, names, samples, y)).indices_
    for _ in range(10):
        order = rng.permutation(120)
        moved = holdfast.FTest(10).fit(holdfast.Table(X[:, order], [names[i] for i in order], samples, y)).indices_
        assert np.array_equal(X[:, chosen], X[:, order[moved]])


@pytest.mark.parametrize("name", ["f-test", "information-gain", "su", "mrmr+", "cmim"])
def test_negated_features_without_names_are_the_same_features(name, seed):
    rng = np.random.default_rng([seed, 47])
    X, y = rng.integers(0, 2, (20, 200)).astype(float), np.arange(20) % 2
    _, first = np.unique(np.abs(X - X[0]), axis=1, return_index=True)
    X = X[:, np.sort(first)]
    signs = rng.choice([-1.0, 1.0], X.shape[1])
    selector = holdfast.selector(name, n_features_to_select=10)
    assert selector.fit(X, y).indices_.tolist() == selector.fit(X * signs, y).indices_.tolist()


@pytest.mark.parametrize("n_above", [0, 3, 40])
def test_no_position_or_direction_chooses_where_most_features_are_equally_relevant(n_above, seed):
    """Wide tables: samples are known by the few most relevant features first, and by all only if those do not do."""
    rng = np.random.default_rng([seed, n_above])
    y = np.arange(30) % 2
    X = (rng.random((30, 1500)) < 0.2).astype(float)
    X[:, 7], X[:, 11] = X[:, 3], 1 - X[:, 5]
    relevance = np.zeros(1500)
    relevance[:n_above] = 1.0
    rule = precedence(X, y, relevance)
    assert len(rule._reference_sets) == (2 if n_above else 1)
    order = rule.order(np.arange(1500))
    columns, rows = rng.permutation(1500), rng.permutation(30)
    moved = precedence(X[np.ix_(rows, columns)], y[rows], relevance[columns]).order(np.arange(1500))
    assert np.array_equal(X[:, order], X[:, columns[moved]])
    turned = np.where(rng.random(1500) < 0.5, 1 - X, X)
    again = precedence(turned, y, relevance).order(np.arange(1500))
    # Which samples differ from the first is the same in either direction.
    assert np.array_equal(np.abs(X - X[:1])[:, order], np.abs(turned - turned[:1])[:, again])
