"""The consistency methods on TOY12 with the numbers of the specification (features count from 1); results, errors."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import holdfast
from holdfast import CFS, FCBF, LCC, MRMR, SDCC, SWCFS, DataError, Focus, Interact, NothingSelected
from holdfast.measures import bayesian_risk
from oracles import consistency as slow
from oracles.datasets import continuous, fit
from oracles.worked import TOY12

X, y = TOY12
RELEVANCE = [0.097258, 0.012611, 0.362012, 0.010796, 0.177635, 0.0]
METHODS = [
    Focus(), Interact(), LCC(search="linear"), LCC(search="binary"), SWCFS(),
    *(SDCC(variant=variant) for variant in ("original", "corrected", "fast", "accurate")),
]  # fmt: skip
LIMITED = [method for method in METHODS if not isinstance(method, Interact)]


def name_of(method):
    return " ".join(map(str, [type(method).__name__, *(getattr(method, p, "") for p in ("search", "variant"))])).strip()


def copy_of(method, **parameters):
    return type(method)(**{**method.get_params(), "discretizer": None, **parameters})


def chosen_by(selector, rows=X, target=y):
    return set((fit(selector, rows, target).indices_ + 1).tolist())


# TOY12


# The table of expected outputs: the set and the number of risks asked for at δ = 0, 1/12, 2/12 and 3/12.
EXPECTED = [
    (Interact(), [({1, 2}, 6), (set(), 6), (set(), 6), (set(), 6)]),
    (LCC(search="linear"), [({1, 2}, 6), ({1, 3, 5}, 6), ({3, 5}, 6), ({3}, 6)]),
    (LCC(), [({1, 2}, 7), ({1, 3, 5}, 5), ({3, 5}, 4), ({3}, 3)]),
    (SDCC(variant="original", order="table"), [({3, 4, 5, 6}, 15), ({4, 5, 6}, 18), ({5, 6}, 20), ({5}, 21)]),
    (SDCC(variant="corrected"), [({1, 2}, 20), ({1, 2}, 20), ({1, 2}, 20), ({1, 2}, 20)]),
    (SDCC(), [({1, 2}, 6), ({1, 2}, 7), ({1, 2}, 9), ({1, 2}, 9)]),
    (SDCC(variant="accurate", alpha=0.5), [({1, 2}, 6), ({1, 2}, 7), ({1, 2}, 9), ({1, 2}, 9)]),
    (SDCC(variant="accurate"), [({1, 2}, 6), ({1, 2}, 7), ({1, 3}, 9), ({3}, 10)]),
    (SDCC(variant="accurate", alpha=1.0), [({1, 2}, 6), ({1, 3, 5}, 7), ({3, 5}, 9), ({3}, 10)]),
    (SWCFS(), [({1, 2}, 7), ({1, 2}, 8), ({1, 3}, 9), ({3}, 10)]),
]


@pytest.mark.parametrize("mode", ["relative", "absolute"])
@pytest.mark.parametrize(
    ("method", "count", "chosen", "n_evaluations"),
    [
        pytest.param(method, count, *expected, id=f"{name_of(method)} {getattr(method, 'alpha', '')} {count}")
        for method, row in EXPECTED
        for count, expected in enumerate(row)
    ],
)
def test_toy12_is_searched_as_the_specification_says(method, count, chosen, n_evaluations, mode):
    selector = copy_of(method, delta=count / 12, **({} if isinstance(method, Interact) else {"delta_mode": mode}))
    assert chosen_by(selector) == chosen
    assert (selector.n_evaluations_.relevance, selector.n_evaluations_.subset) == (6, n_evaluations)


@pytest.mark.parametrize(("count", "size"), [(0, 4), (1, 3), (2, 2), (3, 1)])
def test_steepest_descent_in_a_random_order_costs_what_its_result_says(count, size):
    """Index order leaves so many features; another order may leave another number."""
    found = [SDCC(variant="original", delta=count / 12, discretizer=None, random_state=s).fit(X, y) for s in range(20)]
    sizes = [len(fitted.indices_) for fitted in found]
    assert [fitted.n_evaluations_.subset for fitted in found] == [(6 + k) * (7 - k) // 2 for k in sizes]
    assert size in sizes
    assert len({frozenset(fitted.indices_.tolist()) for fitted in found}) > 1


def test_steepest_descent_looks_in_the_order_of_its_seed():
    for random_state in range(10):
        parameters = {"delta": 2 / 12, "random_state": random_state, "discretizer": None, "variant": "original"}
        fitted = SDCC(**parameters).fit(X, y)
        assert fitted.indices_.tolist() == slow.sdcc(X.tolist(), y.tolist(), fitted.get_params())[0]


@pytest.mark.parametrize("count", range(4))
def test_focus_finds_a_smallest_set(count):
    assert chosen_by(Focus(delta=count / 12, discretizer=None)) == [{1, 2}, {1, 2}, {3, 5}, {3}][count]


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.3, 0.5, 0.7, 0.75, 0.8, 0.9, 1.0])
def test_the_weight_of_relevance_moves_the_choice_as_published(alpha):
    selector = SDCC(variant="accurate", delta=2 / 12, alpha=alpha, discretizer=None)
    assert chosen_by(selector) == ({1, 2} if alpha <= 0.7 else {1, 3} if alpha == 0.75 else {3, 5})


@pytest.mark.parametrize(("window", "chosen"), [(0.01, {3, 5}), (0.5, {1, 3}), (1.0, {1, 2})])
def test_the_window_moves_the_choice_as_published(window, chosen):
    assert chosen_by(SWCFS(delta=2 / 12, window=window, discretizer=None)) == chosen


@pytest.mark.parametrize("delta", [0.0, 0.05, 1 / 12, 0.1, 2 / 12, 0.2, 3 / 12])
def test_fsdcc_finds_the_exclusive_or_that_pairwise_filters_miss(delta):
    assert chosen_by(SDCC(delta=delta, discretizer=None)) == {1, 2}
    for filter_on_pairs in (FCBF(discretizer=None), CFS(discretizer=None), MRMR(2, discretizer=None)):
        assert chosen_by(filter_on_pairs) != {1, 2}


@pytest.mark.parametrize(
    ("name", "chosen", "n_evaluations"),
    [
        ("lcc", {3, 5}, 6), ("super-lcc", {3, 5}, 4), ("slcc", {3, 5}, 4),
        ("corrected-sdcc", {1, 2}, 20), ("fsdcc", {1, 2}, 9), ("asdcc", {1, 3}, 9),
        ("swcfs", {1, 3}, 9), ("swsdcc", {1, 3}, 9),
    ],
)  # fmt: skip
def test_names_of_the_literature_build_their_variant(name, chosen, n_evaluations):
    selector = holdfast.selector(name, delta=2 / 12, discretizer=None)
    assert chosen_by(selector) == chosen
    assert selector.n_evaluations_.subset == n_evaluations


def test_the_original_descent_and_focus_and_interact_have_names():
    assert holdfast.selector("sdcc").variant == "original"
    assert isinstance(holdfast.selector("focus"), Focus)
    assert isinstance(holdfast.selector("interact"), Interact)


# Thresholds


def test_the_usual_thresholds():
    assert [LCC().delta, SDCC().delta, SWCFS().delta, Interact().delta, Focus().delta] == [
        0.01,
        0.01,
        0.01,
        0.0001,
        0.0,
    ]
    assert {method.delta_mode for method in LIMITED} == {"relative"}


# Equal rows of both classes: 3 of 8 samples are in the minority of theirs whatever is chosen; feature 2 is noise.
TOLD = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [1, 1]])
HALF_TOLD = [0, 1, 0, 1, 0, 1, 1, 1]


@pytest.mark.parametrize("method", LIMITED, ids=name_of)
def test_a_threshold_that_all_features_miss_is_refused_with_the_least_that_works(method):
    selector = copy_of(method, delta=0.1, delta_mode="absolute")
    with pytest.raises(DataError, match=r"delta=0\.1 cannot be met") as caught:
        selector.fit(TOLD, HALF_TOLD)
    assert "Bayesian risk" in str(caught.value)
    assert "0.375" in str(caught.value)
    assert "delta_mode='relative'" in str(caught.value)
    assert "2 features" in str(caught.value)
    chosen_by(selector.set_params(delta=0.375), TOLD, HALF_TOLD)
    assert selector.risk_ == selector.delta_ == 0.375


@pytest.mark.parametrize("measure", ["bayesian-risk", "conditional-entropy"])
@pytest.mark.parametrize("m", [7, 11, 13, 21, 49, 97])
def test_the_threshold_that_an_error_names_works(m, measure):
    """Thirds, sevenths and entropies have no exact number; what is printed must do all the same."""
    rng = np.random.default_rng(m)
    rows, target = rng.integers(0, 2, size=(m, 2)), rng.permutation(np.arange(m) % 3)
    selector = LCC(delta=0.0, delta_mode="absolute", measure=measure, discretizer=None)
    with pytest.raises(DataError) as caught:
        selector.fit(rows, target)
    least = float(re.search(r"Pass delta=(\d\.\d+)", str(caught.value)).group(1))
    chosen_by(selector.set_params(delta=least), rows, target)
    assert selector.risk_ == pytest.approx(least, abs=1e-12)
    assert selector.risk_of_all_ == pytest.approx(least, abs=1e-12)
    with pytest.raises(DataError, match="cannot be met"):
        selector.set_params(delta=least - 1e-6).fit(rows, target)


@pytest.mark.parametrize("method", LIMITED, ids=name_of)
def test_a_relative_threshold_is_on_top_of_what_all_features_leave(method):
    selector = copy_of(method, delta=0.01)
    chosen_by(selector, TOLD, HALF_TOLD)
    assert selector.delta_ == pytest.approx(0.385)
    assert selector.risk_of_all_ == 0.375
    same = copy_of(method, delta=0.385, delta_mode="absolute")
    assert chosen_by(same, TOLD, HALF_TOLD) == chosen_by(selector, TOLD, HALF_TOLD)
    assert same.delta_ == 0.385


@pytest.mark.parametrize(("n_others", "m"), [(15, 22), (13, 23), (31, 39), (7, 100)])
def test_a_threshold_is_met_exactly_where_its_number_is_not_exact(n_others, m):
    """22 · (15/22) is below 15 in the machine, 100 · 0.07 above 7."""
    target = np.concatenate([np.zeros(m - n_others, dtype=int), np.arange(n_others) % 5 + 1])
    assert chosen_by(LCC(delta=n_others / m, discretizer=None), target[:, np.newaxis], target) == set()
    assert chosen_by(LCC(delta=(n_others - 0.001) / m, discretizer=None), target[:, np.newaxis], target) == {1}


@pytest.mark.parametrize(
    ("alpha", "count", "chosen"),
    [(0.7, 2.0, {1, 2}), (0.7, 2.5, {1, 3}), (0.7, 2.9, {3, 5}), (0.75, 2.0, {1, 3}), (0.75, 2.5, {3, 5})],
)
@pytest.mark.parametrize("mode", ["relative", "absolute"])
def test_the_cost_of_a_removal_knows_the_threshold_before_it_is_rounded(alpha, count, chosen, mode):
    """2.5 of 12 samples allow 2, yet a loss of 1 uses up less of the room than it does of 2."""
    options = {"variant": "accurate", "alpha": alpha, "delta_mode": mode, "discretizer": None}
    assert chosen_by(SDCC(delta=count / 12, **options)) == chosen


def test_interact_knows_no_limit_in_all():
    """Every feature may lose 1/12, so nothing is left, with a risk of 4/12."""
    selector = Interact(delta=1 / 12, discretizer=None)
    with pytest.warns(NothingSelected, match="Lower delta"):
        selector.fit(X, y)
    assert selector.risk_ == pytest.approx(4 / 12)
    assert selector.delta_ == pytest.approx(1 / 12)


@pytest.mark.parametrize("method", LIMITED, ids=name_of)
def test_a_threshold_that_nothing_meets_too_leaves_nothing(method):
    selector = copy_of(method, delta=4 / 12)
    with pytest.warns(NothingSelected, match="without any feature"):
        selector.fit(X, y)
    assert selector.risk_ == pytest.approx(4 / 12)
    assert np.isnan(selector.contributions_).all()


def test_relevances_that_differ_by_rounding_are_one_value():
    """Both features have the same relevance on paper and cost the same: the rule for ties decides, not the last bit."""
    rows = np.array([[1, 0], [2, 0], [3, 0], [0, 1], [4, 1], [2, 1], [0, 1], [2, 1], [1, 1], [4, 0], [3, 0], [0, 0]])
    target = [2, 0, 1, 0, 1, 0, 1, 0, 1, 2, 2, 2]
    for order in ([0, 1], [1, 0]):
        fitted = SWCFS(delta=3 / 12, window=1.0, discretizer=None).fit(rows[:, order], target)
        assert np.ptp(fitted.relevance_) < 1e-15
        assert [order[f] for f in fitted.indices_] == [1]


# Results


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_result_tells_what_it_is_worth(method):
    selector = fit(copy_of(method, delta=0.0), X, y)
    chosen = selector.indices_
    assert selector.relevance_ == pytest.approx(RELEVANCE, abs=5e-7)
    assert (np.diff(selector.relevance_[chosen]) <= 0).all()
    assert np.array_equal(selector.scores_[chosen], selector.relevance_[chosen])
    assert np.isnan(np.delete(selector.scores_, chosen)).all()
    assert np.isnan(np.delete(selector.contributions_, chosen)).all()
    assert selector.risk_ == selector.risk_of_all_ == selector.delta_ == 0.0
    for f in chosen:
        assert selector.contributions_[f] == pytest.approx(bayesian_risk(X[:, chosen[chosen != f]], y))
    assert selector.ranking_[chosen].tolist() == list(range(1, len(chosen) + 1))
    assert (np.delete(selector.ranking_, chosen) == len(chosen) + 1).all()
    assert selector.n_evaluations_.relevance == 6


def test_contributions_are_what_the_risk_of_the_chosen_would_rise_by():
    fitted = LCC(delta=1 / 12, discretizer=None).fit(X, y)
    assert (fitted.indices_ + 1).tolist() == [3, 5, 1]
    assert fitted.risk_ == pytest.approx(1 / 12)
    assert fitted.delta_ == pytest.approx(1 / 12)
    expected = [1 / 12, np.nan, 2 / 12, np.nan, 1 / 12, np.nan]
    assert fitted.contributions_ == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("n_features_to_select", [1, 2, 3, 5])
def test_a_number_of_features_cuts_the_result_by_relevance(n_features_to_select):
    fitted = LCC(n_features_to_select, delta=1 / 12, discretizer=None).fit(X, y)
    chosen = fitted.indices_
    assert (chosen + 1).tolist() == [3, 5, 1][:n_features_to_select]
    assert fitted.risk_ == pytest.approx(bayesian_risk(X[:, chosen], y))
    assert fitted.n_evaluations_.subset == 5
    for f in chosen:
        contribution = bayesian_risk(X[:, chosen[chosen != f]], y) - fitted.risk_
        assert fitted.contributions_[f] == pytest.approx(contribution)


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_share_of_features_cuts_the_result_too(method):
    whole, cut = copy_of(method), copy_of(method, n_features_to_select=1 / 6)
    assert fit(cut, X, y).indices_.tolist() == fit(whole, X, y).indices_[:1].tolist()
    assert cut.n_evaluations_ == whole.n_evaluations_


def test_a_refit_forgets_the_result_before():
    selector = LCC(delta=1 / 12, discretizer=None).fit(X, y)
    selector.set_params(delta=0.0).fit(X[:, :4], y)
    assert selector.contributions_.shape == selector.relevance_.shape == (4,)
    assert selector.delta_ == 0.0


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_copies_of_a_feature_are_chosen_once(method):
    doubled = np.column_stack([X[:, [0, 1]], X[:, [0, 1]]])
    chosen = fit(copy_of(method), doubled, y).indices_
    assert sorted(chosen % 2) == [0, 1]


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_neither_names_nor_the_kind_of_numbers_matter(method):
    frame = pd.DataFrame(X.astype(np.int8), columns=list("abcdef"))
    words = np.where(y == 1, "ill", "healthy")
    by_number, by_name = fit(copy_of(method), X.astype(float), y), fit(copy_of(method), frame, words)
    assert by_number.indices_.tolist() == by_name.indices_.tolist()
    assert by_name.get_feature_names_out().tolist() == [c for i, c in enumerate("abcdef") if i in by_name.indices_]


# Measures


def as_callable(measure):
    return lambda levels, classes: getattr(holdfast.measures, measure)(levels, classes)


@pytest.mark.parametrize("delta", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("method", METHODS, ids=name_of)
@pytest.mark.parametrize("measure", ["bayesian-risk", "conditional-entropy", "binary"])
def test_a_function_that_computes_a_measure_is_as_good_as_its_name(measure, method, delta):
    function = {"binary": "binary_consistency"}.get(measure, measure.replace("-", "_"))
    by_name = fit(copy_of(method, measure=measure, delta=delta), X, y)
    called = fit(copy_of(method, measure=as_callable(function), delta=delta), X, y)
    assert called.indices_.tolist() == by_name.indices_.tolist()
    assert called.risk_ == pytest.approx(by_name.risk_, abs=1e-12)
    assert called.risk_of_all_ == pytest.approx(by_name.risk_of_all_, abs=1e-12)
    assert called.delta_ == pytest.approx(by_name.delta_, abs=1e-12)
    assert called.contributions_ == pytest.approx(by_name.contributions_, abs=1e-12, nan_ok=True)
    if not isinstance(method, Focus):
        assert called.n_evaluations_ == by_name.n_evaluations_


def test_a_function_gets_levels_of_a_subset_and_the_numbers_of_the_classes():
    seen = []

    def measure(levels, classes):
        seen.append((levels.shape, sorted(set(classes.tolist()))))
        return bayesian_risk(levels, classes)

    fitted = LCC(measure=measure, search="linear", discretizer=None, delta=0.0).fit(X, np.where(y == 1, "b", "a"))
    assert (fitted.indices_ + 1).tolist() == [1, 2]
    assert {shape[0] for shape, _ in seen} == {12}
    assert {shape[1] for shape, _ in seen} <= set(range(7))
    assert {tuple(classes) for _, classes in seen} == {(0, 1)}


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_function_may_go_below_zero(method):
    """Only that it never falls as features go is asked of it."""
    shifted = copy_of(method, measure=lambda levels, target: bayesian_risk(levels, target) - 1)
    assert chosen_by(shifted) == chosen_by(copy_of(method))
    assert shifted.risk_ == pytest.approx(fit(copy_of(method), X, y).risk_ - 1)


@pytest.mark.parametrize("given", [None, "0.1", np.zeros(2), 1j])
def test_a_function_must_give_one_number(given):
    with pytest.raises(ValueError, match="measure gave"):
        LCC(measure=lambda levels, target: given, discretizer=None).fit(X, y)


def test_a_function_cannot_change_the_classes():
    def spoil(levels, target):
        target[:] = 0
        return 0.0

    with pytest.raises(ValueError, match="read-only"):
        LCC(measure=spoil, discretizer=None).fit(X, y)


def test_whole_samples_are_what_a_threshold_allows():
    found = LCC(delta=0.2, discretizer=None).fit(X, y)
    assert (found.delta_, found.limit_) == (0.2, 2 / 12)
    assert "up to 0.1667 was allowed (delta 0.2, in whole samples)" in found._notes[0]
    assert "in whole samples" not in LCC(delta=2 / 12, discretizer=None).fit(X, y)._notes[0]
    cut = LCC(1, delta=2 / 12, discretizer=None).fit(X, y)
    assert "the limit on the number of features broke this one" in cut._notes[0]


def test_losses_that_add_up_are_no_broken_limit():
    found = Interact(5, delta=1 / 12, discretizer=None)
    with pytest.warns(NothingSelected):
        found.fit(X, y)
    assert found.risk_ > found.limit_
    assert "broke" not in found._notes[0]


def test_full_consistency_that_cannot_be_had_leaves_one_way_out():
    with pytest.raises(DataError, match=r"Pass delta_mode='relative', which adds delta to it\.$"):
        LCC(measure="binary", delta_mode="absolute", discretizer=None).fit([[0], [0], [1]], [0, 1, 1])


def test_a_function_that_gives_no_number_is_refused():
    with pytest.raises(ValueError, match="measure gave nan"):
        LCC(measure=lambda levels, classes: float("nan"), discretizer=None).fit(X, y)


def test_conditional_entropy_is_stricter_than_risk():
    """At δ = 3/12 the entropy of {3} is far above what its risk is."""
    options = {"delta": 3 / 12, "discretizer": None}
    by_risk = LCC(**options).fit(X, y)
    by_entropy = LCC(measure="conditional-entropy", **options).fit(X, y)
    assert (by_risk.indices_ + 1).tolist() == [3]
    assert (by_entropy.indices_ + 1).tolist() == [3, 5, 1]
    rows = X[:, by_entropy.indices_].tolist()
    assert by_entropy.risk_ == pytest.approx(slow.conditional_entropy(rows, y.tolist()), abs=1e-12)
    assert by_entropy.risk_ <= by_entropy.delta_ == pytest.approx(0.25)


def test_binary_consistency_allows_nothing_below_one():
    for delta in (0.0, 0.3, 0.9):
        assert chosen_by(LCC(delta=delta, measure="binary", discretizer=None)) == {1, 2}


# Levels


@pytest.mark.parametrize("method", METHODS, ids=name_of)
@pytest.mark.parametrize("discretizer", ["mdl", "equal-frequency", "mean-sigma"])
def test_measured_values_are_binned_first(method, discretizer):
    data = continuous(3, n_samples=40)
    selector = fit(copy_of(method, discretizer=discretizer), data.X, data.y)
    oracle = {
        Focus: slow.focus, Interact: slow.interact, LCC: slow.lcc, SDCC: slow.sdcc, SWCFS: slow.swcfs
    }[type(method)]  # fmt: skip
    order, scores = oracle(data.X.tolist(), data.y.tolist(), selector.get_params())
    assert selector.indices_.tolist() == order
    assert selector.scores_[order] == pytest.approx(scores, abs=1e-9)


def test_measured_values_are_refused_as_levels():
    data = continuous(3, n_samples=40)
    with pytest.raises(DataError, match="discretizer"):
        LCC(discretizer=None).fit(data.X + np.random.default_rng(0).normal(size=data.X.shape), data.y)


# Parameters


@pytest.mark.parametrize("method", METHODS, ids=name_of)
@pytest.mark.parametrize("delta", [-0.1, "much", None, float("nan")], ids=str)
def test_thresholds_that_are_none_are_refused(method, delta):
    with pytest.raises(ValueError, match="delta"):
        copy_of(method, delta=delta).fit(X, y)


@pytest.mark.parametrize("measure", ["bayesian-risk", "binary"])
@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_a_threshold_is_a_share_below_one(method, measure):
    with pytest.raises(ValueError, match=r"delta=1\.0.*below 1"):
        copy_of(method, delta=1.0, measure=measure).fit(X, y)


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (LCC(delta_mode="additional"), "delta_mode='additional'"),
        (LCC(search="quick"), "search='quick'"),
        (LCC(measure="gini"), "measure='gini'"),
        (LCC(0), "n_features_to_select=0"),
        (LCC(discretizer="bins"), "discretizer='bins'"),
        (SDCC(variant="faster"), "variant='faster'"),
        (SDCC(alpha=1.5), r"alpha=1\.5"),
        (SDCC(variant="accurate", alpha=-0.1), r"alpha=-0\.1"),
        (SDCC(variant="original", random_state=-1), "random_state=-1"),
        (SWCFS(alpha=2.0), r"alpha=2\.0"),
        (SWCFS(window=0.0), r"window=0\.0"),
        (SWCFS(window=1.5), r"window=1\.5"),
        (SWCFS(growth=0.0), r"growth=0\.0"),
        (Interact(measure=3), "measure=3"),
        (Focus(max_subsets=0), "max_subsets=0"),
    ],
    ids=lambda case: case if isinstance(case, str) else "",
)
def test_wrong_parameters_are_named(selector, message):
    with pytest.raises(ValueError, match=message):
        selector.set_params(**({} if selector.discretizer == "bins" else {"discretizer": None})).fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(DataError, match="one class"):
        LCC(discretizer=None).fit(X, np.zeros(12, dtype=int))


def test_focus_says_how_far_it_came_when_there_are_too_many_subsets():
    with pytest.raises(DataError, match="max_subsets=10") as caught:
        Focus(max_subsets=10, discretizer=None).fit(X, y)
    needed = int(re.search(r"Pass max_subsets=(\d+)", str(caught.value)).group(1))
    assert needed == 1 + 6 + 15
    assert chosen_by(Focus(max_subsets=needed, discretizer=None)) == {1, 2}
