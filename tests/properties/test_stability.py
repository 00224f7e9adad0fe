"""Generated tables: what selectors around selectors promise whatever the data, and what draws promise."""

from __future__ import annotations

import warnings

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdfast import EnsembleSelector, InstanceWeighting, NothingSelected, StabilitySelector
from holdfast.stability import bootstraps, complementary_pairs, folds, leave_one_out, nogueira, subsamples
from oracles import stability

FEW = settings(max_examples=settings.default.max_examples // 3)
RANK_RULES = ("cla", "borda", "median", "exponential", "wma", "wra", "ofa", "rra", "intersection")


@st.composite
def tables(draw, least=8, most=20):
    """Few-valued or measured tables of two or three classes, with constant and repeated columns among them."""
    n_classes = draw(st.integers(2, 3))
    n_samples = draw(st.integers(least, most))
    n_features = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    y = rng.permutation(np.arange(n_samples) % n_classes)
    kind = draw(st.sampled_from(["measured", "few", "binary"]))
    X = rng.normal(size=(n_samples, n_features)) if kind == "measured" else None
    X = rng.integers(0, 2 if kind == "binary" else 4, size=(n_samples, n_features)).astype(float) if X is None else X
    if draw(st.booleans()):
        X[:, 0] = 1.0
    if n_features > 2 and draw(st.booleans()):
        X[:, 2] = X[:, 1]
    return X, y


def fit(selector, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        return selector.fit(X, y)


@FEW
@given(tables(), st.sampled_from(["all", "nearest", "inverse-distance"]), st.sampled_from(["sum", "mean"]))
def test_weights_of_samples_are_those_of_the_definition(table, neighbours, aggregate):
    X, y = table
    found = InstanceWeighting(neighbours, aggregate=aggregate).fit_transform(X, y)
    twin = stability.instance_weights(
        stability.ranges_to_one(X.tolist()), y.tolist(), neighbours=neighbours, aggregate=aggregate
    )
    assert (found > 0).all()
    np.testing.assert_allclose(found, twin, rtol=1e-8)


@FEW
@given(tables(), st.sampled_from(RANK_RULES), st.booleans(), st.sampled_from(["f-test", "relieff", "fcbf"]))
def test_an_ensemble_keeps_to_its_lists(table, rule, is_complete, member):
    X, y = table
    is_complete = is_complete and rule not in ("ofa", "intersection")
    k = max(1, X.shape[1] // 2)
    fitted = fit(EnsembleSelector(k, selector=member, n_runs=3, rule=rule, complete_ranks=is_complete), X, y)
    assert len(fitted.indices_) <= k
    assert len(set(fitted.indices_)) == len(fitted.indices_)
    assert fitted.ranking_[fitted.indices_].tolist() == list(range(1, len(fitted.indices_) + 1))
    assert not np.isnan(fitted.scores_[fitted.indices_]).any()
    np.testing.assert_allclose(fitted.frequency_.sum() * 3, sum(map(len, fitted.lists_)))
    if rule == "intersection":
        assert (fitted.frequency_[fitted.indices_] == 1).all()
    # The next feature is no better by the rule than the last chosen one.
    sign = 1 if rule in ("cla", "median", "rra") else -1
    rest = np.setdiff1d(np.flatnonzero(~np.isnan(fitted.scores_)), fitted.indices_)
    if rule != "intersection" and len(rest) and len(fitted.indices_):
        values = sign * fitted.scores_
        assert values[fitted.indices_].max() <= values[rest].min() + 1e-9


@FEW
@given(tables(), st.integers(0, 2**32), st.sampled_from(["f-test", "mrmr+", "relieff"]))
def test_the_order_of_samples_and_features_changes_no_frequency(table, seed, member):
    X, y = table
    # A table that is its own mirror image has no order of its own; measured values beside it give it one.
    X = np.column_stack([X, np.random.default_rng([seed, 1]).normal(size=(len(y), 3))])
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    options = {"selector": member, "list_size": 2, "threshold": 0.3, "n_runs": 4}
    plain = fit(StabilitySelector(**options), X, y)
    moved = fit(StabilitySelector(**options), X[rows][:, columns], y[rows])
    by_content = sorted(zip(X.T.tolist(), plain.frequency_, strict=True))
    again = sorted(zip(X[:, columns].T.tolist(), moved.frequency_, strict=True))
    assert by_content == again


@FEW
@given(tables(), st.floats(0.05, 1.0), st.integers(1, 4))
def test_stability_selection_keeps_what_reaches_the_threshold(table, threshold, n_pairs):
    X, y = table
    size = max(1, X.shape[1] // 2)
    fitted = fit(StabilitySelector(selector="f-test", list_size=size, threshold=threshold, n_runs=2 * n_pairs), X, y)
    assert sorted(fitted.indices_) == np.flatnonzero(fitted.frequency_ >= threshold - 1e-9).tolist()
    assert fitted.frequency_.tolist() == fitted.runs_.mean(axis=0).tolist()
    assert not set(fitted.near_misses_) & set(fitted.indices_)
    assert 0 <= fitted.expected_false_ <= X.shape[1] or np.isnan(fitted.expected_false_)
    if 0 < size < X.shape[1]:
        np.testing.assert_allclose(fitted.stability_, nogueira(fitted.runs_))


classes = st.lists(st.integers(0, 3), min_size=2, max_size=40)


@given(classes, st.integers(0, 2**32), st.integers(1, 6))
def test_draws_are_ascending_rows_that_repeat_from_their_seed(target, seed, n_runs):
    for draw in (bootstraps, subsamples):
        drawn = draw(target, n_runs, seed)
        assert len(drawn) == n_runs
        for rows, again in zip(drawn, draw(target, n_runs + 2, seed), strict=False):
            assert rows.tolist() == again.tolist() == sorted(rows)
            assert 0 <= rows[0] <= rows[-1] < len(target)
            assert {target[row] for row in rows} == set(target)


@given(classes, st.integers(0, 2**32), st.integers(1, 4))
def test_halves_of_a_pair_are_each_others_rest(target, seed, n_pairs):
    drawn = complementary_pairs(target, 2 * n_pairs, seed)
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(len(target)))
        assert abs(len(first) - len(second)) <= 1


@given(classes, st.lists(st.integers(0, 9), min_size=40, max_size=40), st.integers(0, 2**32))
def test_groups_are_drawn_whole(target, groups, seed):
    groups = np.array(groups[: len(target)])
    assume(len(set(groups)) > 1)
    lists = [*bootstraps(target, 3, seed, groups=groups), *subsamples(target, 3, seed, groups=groups)]
    lists += [*folds(target, 2, seed, groups=groups), *leave_one_out(target, groups=groups)]
    lists += complementary_pairs(target, 2, seed, groups=groups)
    for rows in lists:
        counts = np.bincount(rows, minlength=len(target))
        assert all(len(set(counts[groups == group])) == 1 for group in set(groups))
