"""Distances between samples, who is near whom, and the rankings made of them: by definition, and blind to order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from holdfast import SURF, InstanceBased, MultiSURF, Relief, ReliefF, TuRF
from holdfast.measures.margins import Margins
from holdfast.measures.neighbours import METRICS, Distances, Space, weighted_differences
from holdfast.measures.relief import MISS_WEIGHTS, nearest, relief_weights, spread_over
from oracles import neighbours as oracle

FAMILY = [Relief, ReliefF, SURF, MultiSURF]
every_ranker = pytest.mark.parametrize("kind", FAMILY, ids=lambda kind: kind.__name__)


@st.composite
def tables(draw, *, kinds=("levels", "fractions", "measured"), most_features=12, gaps=False):
    """Samples in two or three classes, one of them of two samples or more; whole numbers, thirds or measured values."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_samples, n_features = draw(st.integers(4, 24)), draw(st.integers(1, most_features))
    kind = draw(st.sampled_from(kinds))
    if kind == "measured":
        X = rng.normal(size=(n_samples, n_features)) * 10.0 ** rng.integers(-3, 4, size=n_features)
    else:
        X = rng.integers(0, rng.integers(2, 9, size=n_features), size=(n_samples, n_features)).astype(float)
    if kind == "fractions":
        X = X / 3 + 1
    if draw(st.booleans()):
        X = np.column_stack([X, X[:, 0], np.ones(n_samples)])
    if gaps:
        X = with_gaps(X, rng, draw(st.sampled_from([0.05, 0.3])))
    y = rng.permutation(np.resize(np.arange(draw(st.integers(2, 3))), n_samples))
    return X, y, rng


def with_gaps(X, rng, share=0.2):
    return np.where(rng.random(X.shape) < share, np.nan, X)


def space_of(X, y, rng=None, **options):
    """A space in which some features are nominal if a generator says which."""
    is_nominal = None if rng is None else rng.random(X.shape[1]) < 0.4
    return Space.of(X, y, is_nominal=is_nominal, **options)


def scores(selector, X, y, **options):
    return selector.fit(X, y, **options).scores_


# Distances


@pytest.mark.parametrize("scale", ["range", "none"])
@given(table=tables())
def test_distances_are_those_of_scipy(scale, table):
    X, y, _ = table
    unit = np.ptp(X, axis=0) if scale == "range" else np.ones(X.shape[1])
    Z = X / np.where(unit > 0, unit, 1.0)
    for metric, name in (("manhattan", "cityblock"), ("euclidean", "euclidean")):
        D = Distances.of(space_of(X, y, scale=scale), metric).matrix
        expected = cdist(Z, Z, name)
        np.testing.assert_allclose(D, expected, rtol=1e-9, atol=1e-9 * max(1.0, expected.max()))
        assert np.array_equal(D, D.T)
        assert not np.diagonal(D).any()


@given(table=tables(kinds=["levels"]))
def test_names_differ_or_do_not(table):
    X, y, _ = table
    varies = np.ptp(X, axis=0) > 0
    n_different = (X[:, np.newaxis, varies] != X[np.newaxis, :, varies]).sum(axis=2)
    space = Space.of(X, y, is_nominal=np.ones(X.shape[1], dtype=bool))
    assert np.array_equal(Distances.of(space).matrix, n_different)
    np.testing.assert_allclose(Distances.of(space, "euclidean").matrix, np.sqrt(n_different), atol=1e-9)


@given(table=tables(), repeats=st.booleans())
def test_distances_within_a_resample_are_those_between_its_rows(table, repeats):
    X, y, rng = table
    rows = np.concatenate([[0, 0] if repeats else [], rng.permutation(len(X))[: len(X) // 2 + 1]]).astype(int)
    for metric in METRICS:
        space = space_of(X, y, rng)
        whole = Distances.of(space, metric)
        part = whole.take(rows)
        assert np.array_equal(part.matrix, whole.matrix[np.ix_(rows, rows)])
        again = replace(space, X=np.ascontiguousarray(X[rows]), target=y[rows])
        if metric == "manhattan":
            assert np.array_equal(part.matrix, Distances.of(again, unit=whole.unit).matrix)
        else:
            np.testing.assert_allclose(part.matrix, Distances.of(again, metric).matrix, atol=1e-6 * part.tie / 1e-10)


@given(table=tables(gaps=True))
def test_features_are_taken_out_of_distances_without_a_trace(table):
    X, y, rng = table
    space = space_of(X, y, rng)
    stays = rng.random(X.shape[1]) < 0.5
    whole = Distances.of(space)
    rest = Distances.of(space.take(np.flatnonzero(stays)), unit=whole.unit)
    assert np.array_equal(whole.without(space.take(np.flatnonzero(~stays))).matrix, rest.matrix)


@given(table=tables(gaps=True))
def test_the_order_of_features_changes_no_bit_of_a_manhattan_distance(table):
    X, y, rng = table
    space = space_of(X, y, rng)
    order = rng.permutation(X.shape[1])
    assert np.array_equal(Distances.of(space).matrix, Distances.of(space.take(order)).matrix)


@given(table=tables())
def test_the_order_of_samples_changes_no_bit_of_a_manhattan_distance(table):
    X, y, rng = table
    rows = rng.permutation(len(X))
    D, moved = (Distances.of(space_of(Z, y)).matrix for Z in (X, X[rows]))
    assert np.array_equal(D[np.ix_(rows, rows)], moved)


@pytest.mark.parametrize("n_features", [255, 256, 257, 1100])
def test_distances_over_many_blocks_of_features_are_the_sum_over_the_blocks(n_features, seed):
    rng = np.random.default_rng([seed, n_features])
    X, y = rng.integers(0, 5, size=(37, n_features)).astype(float), np.arange(37) % 2
    expected = cdist(X, X, "cityblock")
    assert np.array_equal(Distances.of(Space.of(X, y, scale="none")).matrix, expected)


@every_ranker
@pytest.mark.parametrize("metric", METRICS)
def test_the_number_of_threads_changes_no_bit(kind, metric, seed):
    """Threads share more than 256 features each."""
    rng = np.random.default_rng([seed, 1])
    X, y = rng.normal(size=(30, 1100)), np.arange(30) % 3
    nominal = list(range(0, 1100, 90))
    X[:, nominal] = np.round(X[:, nominal])
    alone, two, four = (scores(kind(1, metric=metric, nominal=nominal, n_jobs=n), X, y) for n in (1, 2, 4))
    assert np.array_equal(alone, two)
    assert np.array_equal(alone, four)


SELECTORS = [*(kind(1) for kind in FAMILY), Relief(1, metric="euclidean"), TuRF(1, drop=0.4)]
LISTS = [InstanceBased(candidate_size=2, aggregate="mean_weight", neighbours=n) for n in ("sample", "feature")]


@pytest.mark.parametrize("selector", [*SELECTORS, *LISTS], ids=str)
@given(table=tables(kinds=["measured"]))
def test_a_table_of_32_bits_is_the_same_numbers_in_64(selector, table):
    X, y, _ = table
    short = X.astype(np.float32)
    narrow, wide = scores(selector, short, y), scores(selector, short.astype(np.float64), y)
    assert np.array_equal(narrow, wide, equal_nan=True)


# Who is near whom


@given(table=tables(), k=st.integers(1, 30), ties=st.sampled_from(["share", "first"]), pooled=st.booleans())
def test_as_many_places_are_given_as_there_are(table, k, ties, pooled):
    X, y, _ = table
    near = nearest(Distances.of(space_of(X, y)), y, k, pooled=pooled, ties=ties)
    assert near.min() >= 0
    assert near.max() <= 1
    assert not np.diagonal(near).any()
    for i, own in enumerate(y):
        groups = [y == own, y != own] if pooled else [y == c for c in range(y.max() + 1)]
        for group in groups:
            n_members = group.sum() - group[i]
            assert near[i, group].sum() == pytest.approx(min(k, n_members))


@pytest.mark.parametrize("miss_weights", MISS_WEIGHTS)
@given(table=tables(), k=st.integers(1, 5))
def test_hits_and_misses_weigh_the_same(miss_weights, table, k):
    X, y, _ = table
    near = nearest(Distances.of(space_of(X, y)), y, k, pooled=miss_weights == "pooled")
    weights = relief_weights(near, y, miss_weights=miss_weights)
    for i, own in enumerate(y):
        assert weights[i, y != own].sum() == pytest.approx(1 / len(y))
        has_hits = (y == own).sum() > 1
        assert weights[i, y == own].sum() == pytest.approx(-1 / len(y) if has_hits else 0.0)


@given(table=tables(gaps=True))
def test_a_difference_counts_for_both_samples(table):
    """Only the sum of what i makes of t and t of i matters, since both differ by the same."""
    X, y, rng = table
    space = space_of(X, y, rng)
    weights = rng.normal(size=(len(y), len(y))) * (rng.random((len(y), len(y))) < 0.3)
    plain = weighted_differences(space, weights)
    for other in (weights.T, (weights + weights.T) / 2, np.triu(weights + weights.T)):
        np.testing.assert_allclose(weighted_differences(space, np.ascontiguousarray(other)), plain, atol=1e-9)


@given(table=tables())
def test_weights_of_a_resample_count_between_the_rows_it_was_drawn_from(table):
    X, y, rng = table
    space = space_of(X, y, rng)
    rows = rng.integers(0, len(y), size=len(y))
    weights = rng.normal(size=(len(rows), len(rows)))
    spread = spread_over(rows, weights, len(y))
    assert spread.sum() == pytest.approx(weights.sum())
    part = replace(space, X=np.ascontiguousarray(X[rows]), target=y[rows])
    np.testing.assert_allclose(weighted_differences(space, spread), weighted_differences(part, weights), atol=1e-9)


@pytest.mark.parametrize("metric", METRICS)
@given(table=tables())
def test_margins_add_up_to_relief(metric, table):
    X, y, _ = table
    totals = np.concatenate([block.sum(axis=0) for _, block in Margins(space_of(X, y), "sample", metric).blocks()])
    relief = scores(Relief(1, metric=metric), X, y)
    varies = relief > -np.inf
    np.testing.assert_allclose(totals[varies], relief[varies] * len(y), atol=1e-9)
    assert not totals[~varies].any()


# Rankings


@every_ranker
@given(table=tables(kinds=["levels"]))
def test_other_units_and_directions_leave_the_scores(kind, table):
    """Whole numbers times whole numbers are exact, so that only the ranking could tell."""
    X, y, rng = table
    factor, shift = rng.choice([-7, -1, 3, 11], size=X.shape[1]), rng.integers(-50, 50, size=X.shape[1])
    plain, changed = kind(1).fit(X, y), kind(1).fit(X * factor + shift, y)
    np.testing.assert_allclose(changed.scores_, plain.scores_, atol=1e-9)


@pytest.mark.parametrize("rule", ["Relief", "ReliefF", "SURF", "MultiSURF"])
@given(
    table=tables(kinds=["levels", "measured"], most_features=6),
    gaps=st.booleans(),
    weighted=st.booleans(),
    data=st.data(),
)
def test_scores_are_those_of_the_definition_whatever_is_asked(rule, table, gaps, weighted, data):
    X, y, rng = table
    largest = max(1.0, np.ptp(X, axis=0).max())
    X = with_gaps(X, rng) if gaps else X
    choices = {
        "metric": METRICS,
        "scale": ["range", "none"],
        "nominal": [None, "all", [f % 2 == 0 for f in range(X.shape[1])]],
        "ties": ["share", "first"],
        "n_neighbors": [1, 2, 3, 10],
        "sigma": [None, 1.0, 2.5],
        "miss_weights": MISS_WEIGHTS,
        "neighbour_weights": ["raw", "normalized"],
        "n_samples": [None, 3],
        "random_state": [0, 7],
        "star": [False, True],
    }
    kind = {kind.__name__: kind for kind in FAMILY}[rule]
    known = kind().get_params()
    asked = {name: data.draw(st.sampled_from(values), name) for name, values in choices.items() if name in known}
    if asked["nominal"] or len(np.unique(X)) < X.size:
        # A draw cannot tell samples apart that are as far from the others as each other.
        asked.pop("n_samples", None)
    weights = rng.integers(0, 4, size=len(y)) + np.eye(len(y))[0] if weighted else None
    found = scores(kind(1, **asked), X, y, sample_weight=weights)
    slow = oracle.scores_of(rule, X.tolist(), y.tolist(), asked, None, None if weights is None else weights.tolist())
    np.testing.assert_allclose(found, slow, rtol=1e-9, atol=1e-9 * largest)


@given(table=tables(kinds=["levels"], most_features=8), data=st.data())
def test_lists_and_their_merger_are_those_of_the_definition_whatever_is_asked(table, data):
    X, y, _ = table
    choices = {
        "candidate_size": [1, 2, 5],
        "aggregate": ["occurrence", "mean_weight", "rank", "redundancy"],
        "neighbours": ["sample", "feature"],
        "metric": METRICS,
        "scale": ["range", "none"],
        "redundancy_weight": [0.0, 1.0, 2.5],
        "include_self": [False, True],
    }
    asked = {name: data.draw(st.sampled_from(values), name) for name, values in choices.items()}
    if not np.ptp(X, axis=0).any():
        X[0] += 1
    selector = InstanceBased(**asked)
    fitted = selector.fit(X, y)
    order, values = oracle.instance_based(X.tolist(), y.tolist(), selector.get_params())
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], values, rtol=1e-9, atol=1e-9)
    lists = oracle.candidate_lists(X.tolist(), y.tolist(), selector.get_params())
    assert fitted.candidates_.tolist() == [list(own) for own in lists]
    np.testing.assert_allclose(fitted.candidate_weights_, [list(own.values()) for own in lists], atol=1e-9)


@pytest.mark.parametrize("kind", [None, *FAMILY], ids=lambda kind: getattr(kind, "__name__", "default"))
@given(table=tables(kinds=["levels"], most_features=8), drop=st.sampled_from([0.1, 0.3, 0.5, 0.8]), gaps=st.booleans())
def test_turf_is_that_of_the_definition(kind, table, drop, gaps):
    X, y, rng = table
    X = with_gaps(X, rng) if gaps else X
    names = [f"feature {f * 7 % 10}" for f in range(X.shape[1])]
    selector = TuRF(1, estimator=kind and kind(metric=str(rng.choice(METRICS))), drop=drop)
    fitted = selector.fit(pd.DataFrame(X, columns=names), y)
    order, values = oracle.turf(X.tolist(), y.tolist(), selector.get_params(), names)
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], values, rtol=1e-9, atol=1e-9)
