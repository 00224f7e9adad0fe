"""Rules that make one list of several: worked examples, slow twins, and what must not matter."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest

from holdfast import FTest
from holdfast.stability._rules import has_complete_ranks
from holdfast.stability.aggregate import RULES, Aggregation, aggregate, combine, score_means
from holdfast.stability.lists import Lists
from oracles import aggregation as slow

WORKED = [{"f1": 1.0, "f2": 0.8, "f3": 0.5}, {"f2": 1.0, "f1": 0.7, "f4": 0.4}, {"f1": 1.0, "f4": 0.9, "f2": 0.6}]
WORKED_ERRORS = [0.1, 0.2, 0.3]
NEEDS_ERRORS = ("caa", "raa")
EXACT = tuple(rule for rule in RULES if not rule.startswith("gaa"))


def drawn_lists(rng, *, n_lists=None, n_features=12, size=5, ties=True):
    """Lists of unequal lengths as the slow twins read them; weights of few values tie."""
    n_lists = int(rng.integers(1, 7)) if n_lists is None else n_lists
    lengths = rng.integers(1, size + 1, size=n_lists)
    lists = []
    for length in lengths:
        chosen = rng.permutation(n_features)[:length]
        weights = rng.integers(1, 5, size=length) / 4 if ties else rng.random(length)
        lists.append(
            {int(f): (r, float(w)) for r, (f, w) in enumerate(zip(chosen, -np.sort(-weights), strict=True), 1)}
        )
    return lists


def gathered(lists, n_features=12, errors=None):
    features, size = slow.features_of(lists), slow.size_of(lists)
    ranks = np.array([[slow.rank(one, f, size) for f in features] for one in lists], dtype=float)
    weights = np.array([[slow.weight(one, f) for f in features] for one in lists])
    is_listed = np.array([[f in one for f in features] for one in lists])
    return Lists(np.array(features), ranks, weights, is_listed, size, n_features, errors)


def complete(rng, n_lists=4, n_features=9, size=3):
    ranks = np.array([rng.permutation(n_features) + 1 for _ in range(n_lists)])
    is_listed = ranks <= size
    weights = np.where(is_listed, 1 - (ranks - 1) / size, 0.0)
    return Lists(np.arange(n_features), ranks, weights, is_listed, size, n_features, rng.uniform(0.1, 0.4, n_lists))


def options_for(rule, n_lists=3):
    return {"errors": WORKED_ERRORS[:n_lists]} if rule in NEEDS_ERRORS else {}


@pytest.mark.parametrize(
    ("rule", "scores"),
    [
        ("wma", [0.9, 0.8, 0.433333, 0.166667]),
        ("cla", [4, 6, 9, 11]),
        ("wra", [0.675, 0.4, 0.144444, 0.045455]),
        ("ofa", [3, 3, 2, 1]),
        ("borda", [8, 6, 3, 1]),
        ("median", [1, 2, 3, 4]),
        ("raa", [1.792334, 1.348597, 0.323002, 0.202903]),
        ("caa", [2.4, 2.4, 1.5, 0.9]),
    ],
)
def test_a_rule_gives_the_worked_scores_in_the_worked_order(rule, scores):
    found = aggregate(WORKED, rule, **options_for(rule))
    assert found.features == ("f1", "f2", "f4", "f3")
    np.testing.assert_allclose(found.scores, scores, atol=6e-7)


def test_only_common_features_are_left_by_the_intersection():
    assert aggregate(WORKED, "intersection").features == ("f1", "f2")


@pytest.mark.parametrize(
    ("n_features", "scores"), [(10, [0.024, 0.081, 0.648, 1.0]), (4, [0.375, 1.0, 1.0, 1.0])], ids=["of-10", "of-4"]
)
def test_robust_ranks_give_the_worked_scores(n_features, scores):
    found = aggregate(WORKED, "rra", n_features=n_features)
    assert found.features == ("f1", "f2", "f4", "f3")
    np.testing.assert_allclose(found.scores, scores, atol=1e-12)


@pytest.mark.parametrize("rule", ["gaa-spearman", "gaa-kendall"])
def test_the_genetic_search_finds_the_worked_optimum(rule, seed):
    found = aggregate(WORKED, rule, random_state=seed)
    assert found.features == ("f1", "f2", "f4", "f3")
    assert found.extra["objective_"] == {"gaa-spearman": 6, "gaa-kendall": 3}[rule]


@pytest.mark.parametrize("rule", EXACT)
def test_a_rule_scores_as_its_slow_twin_does(rule, seed):
    for draw in range(25):
        rng = np.random.default_rng([seed, draw])
        lists = drawn_lists(rng, ties=draw % 2 == 0)
        errors = rng.uniform(0.01, 1.0, len(lists))
        fast = combine(gathered(lists, errors=errors), rule)
        np.testing.assert_allclose(fast.scores, slow.SIMPLE[rule](lists, errors=errors, n_features=12), atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_the_order_of_the_lists_does_not_change_a_digit(rule, seed):
    rng = np.random.default_rng(seed)
    lists = drawn_lists(rng, n_lists=7, ties=False)
    errors = rng.uniform(0.05, 0.5, 7)
    plain = combine(gathered(lists, errors=errors), rule, random_state=seed)
    for _ in range(3):
        order = rng.permutation(7)
        moved = combine(gathered([lists[k] for k in order], errors=errors[order]), rule, random_state=seed)
        assert moved.scores.tolist() == plain.scores.tolist()
        assert moved.levels.tolist() == plain.levels.tolist()


@pytest.mark.parametrize("rule", RULES)
def test_a_single_list_keeps_its_order(rule, seed):
    order = np.random.default_rng(seed).permutation(30)[:8].tolist()
    found = aggregate([order], rule, n_features=30, **options_for(rule, 1))
    assert list(found.features) == order


@pytest.mark.parametrize("rule", RULES)
def test_lists_that_agree_are_the_result(rule, seed):
    order = np.random.default_rng(seed).permutation(30)[:6].tolist()
    found = aggregate([order] * 3, rule, n_features=30, **options_for(rule))
    assert list(found.features) == order


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_takes_complete_ranks(rule, seed):
    lists = complete(np.random.default_rng(seed))
    found = combine(lists, rule)
    assert has_complete_ranks(lists)
    assert found.scores.shape == found.second.shape == found.is_kept.shape == (9,)
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_of_no_features_gives_none(rule):
    nothing = np.empty((2, 0))
    lists = Lists(np.empty(0, dtype=int), nothing, nothing, nothing.astype(bool), 0, 10, np.array([0.1, 0.2]))
    assert combine(lists, rule).levels.tolist() == []


def test_rules_of_complete_ranks_count_all_places(seed):
    lists = complete(np.random.default_rng(seed))
    total = lists.ranks.sum(axis=0)
    assert combine(lists, "cla").scores.tolist() == total.tolist()
    assert combine(lists, "borda").scores.tolist() == (4 * 9 - total).tolist()
    assert combine(lists, "rra").scores.tolist() == combine(
        Lists(lists.features, lists.ranks, lists.weights, lists.ranks > 0, 9, 9), "rra"
    ).scores.tolist()  # fmt: skip


def test_levels_go_by_score_then_by_the_second_criterion():
    lists = [["a", "b"], ["b", "a"], ["c", "d"]]
    ranked = gathered([{f: (r, 1 / r) for r, f in enumerate(one, 1)} for one in lists])
    assert combine(ranked, "ofa").levels.tolist() == [0, 0, 1, 2]


def test_robust_ranks_beyond_all_rounding_are_still_ordered(seed):
    lists = [["a", "b", "c"]] * 30
    found = aggregate(lists, "rra", n_features=25_000)
    assert found.features == ("a", "b", "c")
    assert found.scores.max() < 1e-90


def test_equal_robust_ranks_go_by_the_sum_of_ranks():
    fillers = [f"x{i:02}" for i in range(14)]
    found = aggregate([["p", "q"], ["q", "p"], [*fillers, "q"]], "rra", n_features=20)
    score = dict(zip(found.features, found.scores, strict=True))
    assert score["p"] == score["q"]
    assert found.features[:2] == ("q", "p")


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_says_that_smaller_scores_are_better_where_they_are(rule, seed):
    rng = np.random.default_rng([seed, 60])
    lists = [rng.permutation(8)[:4].tolist() for _ in range(5)]
    errors = [0.1] * 5 if rule in ("caa", "raa") else None
    found = aggregate(lists, rule, n_features=8, errors=errors)
    is_falling = len(found.scores) < 2 or found.scores[0] >= found.scores[-1]
    is_rising = len(found.scores) < 2 or found.scores[0] <= found.scores[-1]
    assert is_rising if "smaller is better" in score_means(rule) else is_falling


def test_ties_go_by_name_or_number():
    assert aggregate([["b", "a"], ["a", "b"]]).features == ("a", "b")
    assert aggregate([[10, 9], [9, 10]]).features == (9, 10)


def test_every_way_to_write_a_list_gives_the_same():
    names = aggregate([["a", "b"], ["c", "a"]], "wma")
    weights = aggregate([{"b": 0.5, "a": 1.0}, {"c": 1.0, "a": 0.5}], "wma")
    apart = aggregate([["a", "b"], ["c", "a"]], "wma", weights=[[1.0, 0.5], [1.0, 0.5]])
    numbers = aggregate(np.array([[0, 1], [2, 0]]), "wma")
    assert names.features == weights.features == apart.features == ("a", "c", "b")
    assert numbers.features == (0, 2, 1)
    for other in (weights, apart, numbers):
        assert other.scores.tolist() == names.scores.tolist()


def test_fitted_selectors_bring_their_features_and_their_number(seed):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 6)), np.arange(30) % 2
    fitted = [FTest(n_features_to_select=3).fit(X[rows], y[rows]) for rows in (np.arange(20), np.arange(10, 30))]
    plain = aggregate([one.indices_ for one in fitted], "rra", n_features=6)
    assert aggregate(fitted, "rra").scores.tolist() == plain.scores.tolist()
    named = FTest(n_features_to_select=3).fit(pandas.DataFrame(X, columns=list("abcdef")), y)
    assert aggregate([named]).features == tuple("abcdef"[i] for i in named.indices_)


def test_only_the_first_features_of_each_list_count_if_asked():
    assert aggregate([["a", "b", "c"], ["b", "a", "d"]], list_size=2).features == ("a", "b")


def test_what_a_rule_found_besides_is_in_the_order_of_the_features():
    found = aggregate(WORKED, "raa", errors=WORKED_ERRORS)
    np.testing.assert_allclose(found.extra["confidence_"][0], [1, 0.8, 0, 0.5])
    p_values = aggregate(WORKED, "rra", n_features=10).extra["p_values_"]
    assert isinstance(found, Aggregation)
    assert sorted(p_values) == p_values.tolist()


def test_blocks_of_orders_leave_the_nearest_list_in_place():
    lists = [list(order) for order in permutations("abc")]
    assert aggregate(lists).features == ("a", "b", "c")


@pytest.mark.parametrize(
    ("lists", "options", "kind", "words"),
    [
        ([], {}, ValueError, "nothing to aggregate"),
        ("abc", {}, TypeError, "not several lists"),
        (7, {}, TypeError, "not several lists"),
        (["abc"], {}, TypeError, "List 0 is 'abc'"),
        ([["a"], []], {}, ValueError, "List 1 is empty"),
        ([["a", "a"]], {}, ValueError, "names 'a' twice"),
        ([["a"], [1]], {}, TypeError, "one or the other"),
        ([[1.5]], {}, TypeError, "not a feature"),
        ([[True]], {}, TypeError, "not a feature"),
        ([[-1, 2]], {}, ValueError, "numbered from 0"),
        ([[3, 5]], {"n_features": 5}, ValueError, "column 5, but n_features=5"),
        ([["a", "b"]], {"n_features": 1}, ValueError, "2 different features"),
        ([["a"]], {"n_features": 0.5}, ValueError, "n_features=0.5"),
        ([["a"]], {"list_size": 0}, ValueError, "list_size=0"),
        ([{"a": 3.0}], {}, ValueError, "not all from 0 to 1"),
        ([{"a": float("nan")}], {}, ValueError, "not all from 0 to 1"),
        ([["a", "b"]], {"weights": [[1.0]]}, ValueError, "one weight for each feature"),
        ([["a"]], {"rule": "intersect"}, ValueError, "Did you mean 'intersection'"),
        ([["a"]], {"rule": 3}, TypeError, "named by a text"),
        ([["a"]], {"rule": "cla", "patience": 3}, TypeError, "no option 'patience'. It takes none"),
        ([["a"]], {"rule": "raa", "errors": [0.1], "patience": 3}, TypeError, "It takes n_samples, beta"),
        ([["a"]], {"rule": "gaa-kendall", "distance": "x"}, TypeError, "no option 'distance'"),
        ([["a"]], {"rule": "caa"}, ValueError, "there are no errors"),
        ([["a"]], {"rule": "raa"}, ValueError, "there are no errors"),
        ([["a"]], {"rule": "caa", "errors": [0.1, 0.2]}, ValueError, "for each of 1 list"),
        ([["a"]], {"rule": "caa", "errors": [1.2]}, ValueError, "from 0 to 1"),
        ([SelectKBest(k=1).fit([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 1])], {}, TypeError, "it has no indices_"),
    ],
)
def test_lists_that_cannot_be_used_are_refused_with_the_reason(lists, options, kind, words):
    with pytest.raises(kind, match=words):
        aggregate(lists, **options)
