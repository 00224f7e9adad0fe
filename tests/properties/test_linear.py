"""Selection by linear machines picks what the slow twins pick, whatever ties, and is blind to order and units."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import AROM, SVMRFE, SemiSupervisedAROM
from oracles import linear
from oracles.svm import DIGITS, Decimal, hyperplane, localcontext, scaled

SCALES = ["range", "standard", "none"]
KINDS = ["levels", "thirds", "measured"]


@st.composite
def tables(draw, *, kinds=KINDS, most_samples=14, most_features=12, most_classes=4):
    """Few samples of whole numbers, thirds or measured values; copies, mirror images and constants among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_samples, n_features = draw(st.integers(4, most_samples)), draw(st.integers(1, most_features))
    kind = draw(st.sampled_from(kinds))
    if kind == "measured":
        X = rng.normal(size=(n_samples, n_features))
    else:
        X = rng.integers(0, rng.integers(2, 5, size=n_features), size=(n_samples, n_features)).astype(float)
    if kind == "thirds":
        X = X / 3 + 1
    if draw(st.booleans()):
        X = np.column_stack([X, X[:, 0], 2 - X[:, -1], np.ones(n_samples)])
    if draw(st.booleans()):
        X[-1] = X[0]
    n_classes = draw(st.integers(2, min(most_classes, n_samples)))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, size=n_samples - n_classes)])
    order = rng.permutation(X.shape[1])
    return np.ascontiguousarray(X[:, order]), rng.permutation(y), rng


costs = st.sampled_from([1e-3, 0.1, 1.0, 10.0, 1e4])
# Columns that a cheap machine multiplies shrink until nothing but rounding is left.
high_costs = st.sampled_from([100.0, 1e4])
# The twins are exact and slow.
few = settings(max_examples=max(8, settings.default.max_examples // 8))
fewer = settings(max_examples=max(4, settings.default.max_examples // 20))


@st.composite
def eliminations(draw):
    step_of = draw(st.sampled_from(["remaining", "all"]))
    return {
        "C": draw(costs),
        "step": draw(st.sampled_from([0.1, 0.3, 0.5, 0.9, 1, 2, 5])),
        "step_of": step_of,
        "one_by_one_below": draw(st.sampled_from([0, 0, 3, 100])),
        "multiclass": draw(st.sampled_from(["ovo", "ovr"])),
        "scale": draw(st.sampled_from(SCALES)),
    }


def drawn_prior(rng, n_features):
    return rng.choice([1.0, 1.0, 10.0], size=n_features)


def assert_agrees(selector, oracle, X, y, sample_weight=None, rtol=1e-9):
    parameters = selector.get_params()
    own = {} if sample_weight is None else {"sample_weight": sample_weight}
    order, scores = oracle(X.tolist(), y.tolist(), parameters, **own)
    fitted = selector.fit(X, y, **own)
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], scores, rtol=rtol, atol=1e-11 * max(scores))


# The twin itself


@few
@given(table=tables(most_classes=2), C=costs, scale=st.sampled_from(SCALES))
def test_the_exact_machine_meets_all_conditions_of_an_optimum(table, C, scale):
    X, y, _ = table
    Z, signs = scaled(X, scale), np.where(y == 1, 1, -1)
    cost = [Decimal(C)] * len(y)
    w, b, a = hyperplane(Z, signs, cost)
    with localcontext() as context:
        context.prec = DIGITS
        tiny = Decimal("1e-25")
        assert abs(sum(s * v for s, v in zip(signs.tolist(), a, strict=True))) < tiny
        for row, sign, value in zip(Z, signs.tolist(), a, strict=True):
            margin = sign * (row @ w + b)
            assert 0 <= value <= cost[0]
            assert margin >= 1 - tiny or value == cost[0]
            assert margin <= 1 + tiny or value == 0


# Elimination


@few
@given(table=tables(), parameters=eliminations(), share=st.floats(0.05, 1))
def test_elimination_picks_what_exact_machines_pick(table, parameters, share):
    X, y, _ = table
    n_select = max(1, int(share * X.shape[1]))
    assert_agrees(SVMRFE(n_select, **parameters), linear.svm_rfe, X, y)


@few
@given(table=tables(most_features=8), parameters=eliminations(), zeros=st.booleans())
def test_elimination_with_weighted_samples_picks_what_exact_machines_pick(table, parameters, zeros):
    X, y, rng = table
    weights = rng.integers(0 if zeros else 1, 4, size=len(y)) / rng.choice([1, 2, 7])
    for c in np.unique(y):
        weights[np.flatnonzero(y == c)[0]] += 1
    assert_agrees(SVMRFE(X.shape[1], **parameters), linear.svm_rfe, X, y, weights)


@few
@given(table=tables(most_features=8), parameters=eliminations())
def test_elimination_by_weight_times_prior_picks_what_exact_machines_pick(table, parameters):
    X, y, rng = table
    prior = drawn_prior(rng, X.shape[1])
    assert_agrees(SVMRFE(X.shape[1], prior=prior, prior_by="criterion", **parameters), linear.pk_rfe, X, y)


@few
@given(table=tables(most_features=8), C=high_costs, scale=st.sampled_from(SCALES), share=st.floats(0.05, 0.5))
def test_rescaling_by_weight_times_prior_picks_what_exact_machines_pick(table, C, scale, share):
    X, y, rng = table
    prior = drawn_prior(rng, X.shape[1])
    n_select = max(1, int(share * X.shape[1]))
    assert_agrees(SVMRFE(n_select, prior=prior, C=C, scale=scale), linear.pk_rfe, X, y, rtol=1e-6)


# Rescaling


@few
@given(table=tables(most_features=8), C=high_costs, scale=st.sampled_from(SCALES), n_iter=st.sampled_from([1, 2, 100]))
def test_arom_picks_what_exact_machines_pick(table, C, scale, n_iter):
    X, y, rng = table
    n_select = int(rng.integers(1, max(2, X.shape[1] // 2)))
    assert_agrees(AROM(n_select, C=C, scale=scale, max_iter=n_iter), linear.l2_arom, X, y, rtol=1e-6)


@few
@given(table=tables(most_features=8), C=high_costs, multiclass=st.sampled_from(["ovo", "ovr"]))
def test_arom_with_a_prior_picks_what_exact_machines_pick(table, C, multiclass):
    X, y, rng = table
    n_select = int(rng.integers(1, max(2, X.shape[1] // 2)))
    selector = AROM(n_select, C=C, prior=drawn_prior(rng, X.shape[1]), multiclass=multiclass)
    assert_agrees(selector, linear.ps_l2_arom, X, y, rtol=1e-6)


@fewer
@given(table=tables(kinds=["measured"], most_features=8), k=st.integers(1, 3), keep=st.booleans(), fixed=st.booleans())
def test_semi_supervised_arom_picks_what_exact_machines_pick(table, k, keep, fixed):
    X, y, rng = table
    n_known = 1 + X.shape[1] // 4
    n_select = int(rng.integers(n_known, max(n_known + 1, X.shape[1] // 2)))
    prior = np.where(np.arange(X.shape[1]) < n_known, 10.0, 1.0)
    selector = SemiSupervisedAROM(n_select, prior=prior, n_neighbors=k, keep_prior=keep, fixed_size=fixed)
    assert_agrees(selector, linear.ss_l2arom, X, y, rtol=1e-6)


# Order and units


def selectors(n_select, n_features):
    marks = np.arange(n_features) % 3 == 0
    return [
        SVMRFE(n_select),
        SVMRFE(n_select, step=1, multiclass="ovr", C=0.1),
        SVMRFE(n_select, step_of="all", scale="standard", C=100.0),
        AROM(n_select),
        AROM(n_select, C=10.0, multiclass="ovr"),
        SemiSupervisedAROM(n_select, prior=marks),
    ]


def with_prior(selector, order):
    """The same selector for columns in another order."""
    prior = selector.get_params().get("prior")
    return selector if prior is None else selector.set_params(prior=np.asarray(prior)[order])


every_selector = pytest.mark.parametrize("number", range(6), ids=lambda i: type(selectors(1, 1)[i]).__name__ + str(i))


def chosen(selector, X, y):
    return X[:, selector.fit(X, y).indices_]


@every_selector
@fewer
@given(table=tables())
def test_the_order_of_samples_and_names_of_classes_do_not_matter(number, table):
    X, y, rng = table
    n_select = 1 + X.shape[1] // 3
    plain = chosen(selectors(n_select, X.shape[1])[number], X, y)
    rows = rng.permutation(len(X))
    assert np.array_equal(chosen(selectors(n_select, X.shape[1])[number], X[rows], y[rows]), plain[rows])
    names = rng.permutation(["a", "b", "c", "d"])
    assert np.array_equal(chosen(selectors(n_select, X.shape[1])[number], X, names[y]), plain)


@every_selector
@fewer
@given(table=tables())
def test_the_order_of_features_does_not_matter(number, table):
    X, y, rng = table
    n_select = 1 + X.shape[1] // 3
    names = [f"g{i:02d}" for i in rng.permutation(X.shape[1])]
    plain = selectors(n_select, X.shape[1])[number].fit(pd.DataFrame(X, columns=names), y)
    columns = rng.permutation(X.shape[1])
    moved = with_prior(selectors(n_select, X.shape[1])[number], columns)
    moved.fit(pd.DataFrame(X, columns=names).iloc[:, columns], y)
    assert plain.get_feature_names_out().tolist() == sorted(moved.get_feature_names_out(), key=names.index)
    assert np.array(names)[plain.indices_].tolist() == np.array(names)[columns[moved.indices_]].tolist()
    np.testing.assert_allclose(plain.scores_[columns], moved.scores_, rtol=1e-7, atol=1e-9 * plain.scores_.max())


@every_selector
@fewer
@given(table=tables(kinds=["levels"]))
def test_single_precision_and_whole_numbers_do_not_matter(number, table):
    X, y, _ = table
    n_select = 1 + X.shape[1] // 3
    plain = selectors(n_select, X.shape[1])[number].fit(X, y)
    for kind in (np.float32, np.int8, np.int64):
        other = selectors(n_select, X.shape[1])[number].fit(X.astype(kind), y)
        assert plain.indices_.tolist() == other.indices_.tolist()
        assert plain.scores_.tolist() == other.scores_.tolist()


@every_selector
@fewer
@given(table=tables(kinds=["levels", "measured"]))
def test_the_unit_and_the_direction_of_a_feature_do_not_matter(number, table):
    X, y, rng = table
    n_select = 1 + X.shape[1] // 3
    names = [f"g{i:02d}" for i in range(X.shape[1])]
    plain = selectors(n_select, X.shape[1])[number].fit(pd.DataFrame(X, columns=names), y)
    unit = 2.0 ** rng.integers(-20, 20, size=X.shape[1])
    if type(plain) is not SemiSupervisedAROM:
        unit = unit * rng.choice([-1.0, 1.0], size=X.shape[1])
    other = selectors(n_select, X.shape[1])[number].fit(pd.DataFrame(X * unit, columns=names), y)
    assert plain.indices_.tolist() == other.indices_.tolist()
