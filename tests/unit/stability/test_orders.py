"""Stability of orders, step by step and size by size."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from holdfast import CFS, FTest
from holdfast.stability.index import kuncheva
from holdfast.stability.nogueira import nogueira_interval
from holdfast.stability.orders import by_size, colour_matrix, entropy, maximum, nogueira_by_size, pairing

WORKED = [(0, 1, 2, 3), (0, 2, 1, 3), (1, 0, 2, 3), (0, 1, 3, 2)]


@pytest.fixture
def orders(seed):
    rng = np.random.default_rng([seed, 51])
    # Noisy values of a common order, so that some steps agree and some do not.
    return np.argsort(np.arange(30) + rng.normal(scale=4.0, size=(9, 30)), axis=1)[:, :20]


def test_the_colour_matrix_of_the_worked_example():
    columns = [[0.75, 0.25, 0, 0], [0.25, 0.5, 0.25, 0], [0, 0.25, 0.5, 0.25], [0, 0, 0.25, 0.75]]
    assert colour_matrix(WORKED, n_features=4).T.tolist() == columns


def test_the_measures_of_the_worked_example():
    found = by_size(WORKED, n_features=4)
    assert found.entropy == pytest.approx([1.754765, 2.828427, 2.828427, 1.754765], abs=5e-7)
    assert found.maximum.tolist() == [0.75, 0.5, 0.5, 0.75]
    assert found.pairing == pytest.approx([1 / 3, 0.5, 1 / 3, 0.0], abs=1e-12)
    assert found.sizes.tolist() == [1, 2, 3, 4]


def test_each_measure_by_itself_is_that_of_all_sizes(orders):
    found = by_size(orders, n_features=30)
    assert (found.entropy == entropy(orders)).all()
    assert (found.maximum == maximum(orders)).all()
    assert (found.pairing == pairing(orders, n_features=30)).all()


def test_the_measures_are_their_definitions(orders):
    n_runs, n_steps = orders.shape
    effective, largest, agreement = entropy(orders), maximum(orders), pairing(orders, n_features=30)
    for k in range(n_steps):
        shares = [np.mean(orders[:, k] == j) for j in range(30)]
        assert effective[k] == pytest.approx(math.exp(sum(-p * math.log(p) for p in shares if p)), abs=1e-12)
        assert largest[k] == max(shares)
        size = k + 1
        values = []
        for a, b in combinations(range(n_runs), 2):
            r = len(set(orders[a, :size]) & set(orders[b, :size]))
            values.append((r * 30 - size**2) / (size * (30 - size)))
        assert agreement[k] == pytest.approx(np.mean(values), abs=1e-12)


def test_pairing_is_kuncheva_of_the_first_features(orders):
    firsts = [kuncheva(list(orders[:, :k]), n_features=30) for k in range(1, 21)]
    assert pairing(orders, n_features=30) == pytest.approx(firsts, abs=1e-12)


def test_columns_of_the_colour_matrix_add_up_to_one(orders):
    colours = colour_matrix(orders, n_features=30)
    assert colours.shape == (30, 20)
    assert colours.sum(axis=0) == pytest.approx(np.ones(20))


def test_the_effective_number_lies_between_its_bounds(orders):
    assert (entropy(orders) >= 1 / maximum(orders) - 1e-12).all()
    assert (entropy(orders) <= 9 + 1e-12).all()


def test_one_order_is_perfectly_stable():
    found = by_size([[4, 2, 0]] * 5, n_features=9)
    assert found.entropy.tolist() == found.maximum.tolist() == found.pairing.tolist() == [1.0, 1.0, 1.0]


def test_all_features_taken_give_the_value_that_is_asked_for():
    assert pairing([[0, 1], [1, 0]], n_features=2, when_all_chosen=1.0).tolist() == [-1.0, 1.0]
    assert pairing([[0, 1], [1, 0]], n_features=2).tolist() == [-1.0, 0.0]


def test_the_order_of_the_runs_and_the_numbers_of_the_columns_do_not_matter(orders, seed):
    rng = np.random.default_rng([seed, 52])
    moved = rng.permutation(30)[orders][rng.permutation(9)]
    found, other = by_size(orders, n_features=30), by_size(moved, n_features=30)
    assert other.entropy == pytest.approx(found.entropy, abs=1e-12)
    assert other.pairing == pytest.approx(found.pairing, abs=1e-12)
    assert (other.maximum == found.maximum).all()


def test_colours_to_plot_start_with_the_features_of_the_first_steps(orders):
    found = by_size(orders, n_features=30)
    assert (colour_matrix(orders, n_features=30)[found.features] == found.colours).all()
    assert set(found.features) == set(orders.ravel())
    early = found.colours @ (20 - np.arange(20))
    assert (np.diff(early) <= 0).all()


def test_the_interval_of_each_size_is_that_of_the_sets(orders):
    found = nogueira_by_size(orders, n_features=30, level=0.9)
    for k in range(1, 21):
        single = nogueira_interval(list(orders[:, :k]), n_features=30, level=0.9)
        assert found.value[k - 1] == pytest.approx(single.value, abs=1e-12)
        assert found.std_error[k - 1] == pytest.approx(single.std_error, abs=1e-12)
        assert found.low[k - 1] == pytest.approx(single.low, abs=1e-12)
        assert found.high[k - 1] == pytest.approx(single.high, abs=1e-12)
    assert (found.level, found.n_runs) == (0.9, 9)


def test_stability_is_undefined_at_the_size_that_takes_every_feature():
    found = nogueira_by_size(WORKED, n_features=4)
    assert np.isnan(found.value).tolist() == [False, False, False, True]
    assert np.isnan(found.std_error).tolist() == [False, False, False, True]


def test_names_give_what_numbers_give(orders):
    names = [[f"gene{i:02d}" for i in row] for row in orders]
    found, named = by_size(orders, n_features=30), by_size(names, n_features=30)
    assert (named.pairing == found.pairing).all()
    assert (named.entropy == found.entropy).all()
    assert named.features.tolist() == [f"gene{i:02d}" for i in found.features]
    assert (colour_matrix(names) == colour_matrix(orders, n_features=30)[np.unique(orders)]).all()


@pytest.fixture
def data(seed):
    rng = np.random.default_rng([seed, 53])
    y = np.arange(40) % 2
    return pd.DataFrame(rng.normal(size=(40, 8)) + np.outer(y, np.linspace(3, 0, 8)), columns=list("abcdefgh")), y


def test_selectors_give_their_order(data):
    X, y = data
    fitted = [FTest(4).fit(X[:24], y[:24]), FTest(4).fit(X[16:], y[16:])]
    expected = pairing([selector.indices_ for selector in fitted], n_features=8)
    assert pairing(fitted).tolist() == expected.tolist()


def test_selectors_that_saw_the_columns_in_another_order_are_matched_by_name(data):
    X, y = data
    fitted = [FTest(4).fit(X, y), FTest(4).fit(X[list("hgfedcba")], y)]
    assert pairing(fitted).tolist() == [1.0] * 4
    assert colour_matrix(fitted).argmax(axis=0).tolist() == fitted[0].indices_.tolist()


@pytest.mark.parametrize(
    ("given", "n_features", "words"),
    [
        pytest.param([[0, 1]], 4, "at least 2", id="one order"),
        pytest.param([[0, 1], [0]], 4, r"from 1 to 2 steps.*Cut them to their first 1", id="lengths"),
        pytest.param([[], []], 4, "at least one", id="no steps"),
        pytest.param([[0, 0], [0, 1]], 4, "Order 0 takes a feature twice", id="twice"),
        pytest.param([[0, 4], [0, 1]], 4, "need at least 5 features", id="too large"),
        pytest.param([[0, -1], [0, 1]], 4, "counted from 0", id="negative"),
        pytest.param([[0.5, 1.0], [0.0, 1.0]], 4, "column numbers or names", id="fractions"),
        pytest.param([[0, 1], [0, 1]], None, "Pass n_features", id="no total"),
    ],
)
def test_what_cannot_be_orders_is_refused_with_the_reason(given, n_features, words):
    with pytest.raises(ValueError, match=words):
        pairing(given, n_features=n_features)


def test_selectors_on_other_columns_or_of_other_lengths_are_refused(data):
    X, y = data
    whole = FTest(4).fit(X, y)
    with pytest.raises(ValueError, match="same columns"):
        entropy([whole, FTest(4).fit(X[list("abcdef")], y)])
    with pytest.raises(ValueError, match="different names"):
        entropy([whole, FTest(4).fit(X.rename(columns={"a": "q"}), y)])
    with pytest.raises(ValueError, match="some without"):
        entropy([whole, FTest(4).fit(X.to_numpy(), y)])
    with pytest.raises(ValueError, match="all must have the same number"):
        entropy([whole, FTest(3).fit(X, y)])
    with pytest.raises(ValueError, match="have indices_"):
        entropy([whole, CFS()])


def test_a_level_that_is_no_confidence_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        nogueira_by_size(WORKED, n_features=9, level=95)
