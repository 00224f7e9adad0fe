"""Bounds on false features: known values, the order of the bounds, their inverses, and the shapes behind them."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from holdfast.stability._tails import concave_tail, unimodal_tail
from holdfast.stability.bounds import BOUNDS, expected_false, list_size_for, threshold_for

PAIRS = BOUNDS[1:]


def unimodal_slow(mean, least, n_steps):
    """Linear programme over probabilities that rise to a mode and fall behind it, for each mode."""
    steps = np.arange(n_steps + 1)
    best = 0.0
    for mode in steps:
        falls = np.zeros((n_steps, n_steps + 1))
        for i in range(n_steps):
            falls[i, [i, i + 1]] = (1, -1) if i < mode else (-1, 1)
        found = linprog(
            -(steps >= least).astype(float),
            A_ub=np.vstack([falls, steps]),
            b_ub=np.r_[np.zeros(n_steps), mean],
            A_eq=np.ones((1, n_steps + 1)),
            b_eq=[1.0],
        )
        if found.success:
            best = max(best, -found.fun)
    return best


def concave_by_search(mean, least, first, last, r, slope):
    """The largest tail that a general optimiser finds on the steps from first to last.

    The r-th power is 1 at the first step, has any slope there, and no slope is below the one before.
    """
    steps = np.arange(first, last + 1)

    def powers(bends):
        return np.concatenate([[1.0], 1.0 + np.cumsum(np.cumsum(bends))])

    def chances(bends):
        raw = np.maximum(powers(bends), 1e-9) ** (1 / r)
        return raw / raw.sum()

    found = minimize(
        lambda bends: -chances(bends)[steps >= least].sum(),
        np.concatenate([[slope], np.full(last - first - 1, 0.1)]),
        constraints=[
            {"type": "ineq", "fun": lambda bends: mean - chances(bends) @ steps},
            {"type": "ineq", "fun": lambda bends: powers(bends) - 1e-6},
        ],
        bounds=[(-1e3, 1e3)] + [(0.0, 1e3)] * (last - first - 1),
        method="SLSQP",
        options={"maxiter": 150, "ftol": 1e-12},
    )
    is_legal = chances(found.x) @ steps < mean + 1e-8 and powers(found.x).min() > 0 and (found.x[1:] >= 0).all()
    return chances(found.x)[steps >= least].sum() if is_legal else 0.0


def random_concave(mean, n_steps, r, rng):
    """Probabilities whose r-th power is convex, of the given mean: a random convex rise, lifted until the mean fits."""
    last = rng.integers(int(2 * mean) + 1, n_steps + 1)
    rise = np.concatenate([[0.0], np.cumsum(np.sort(rng.exponential(size=last) ** 3))])
    steps = np.arange(last + 1)
    low, high = -40.0, 40.0
    for _ in range(80):
        lift = (low + high) / 2
        chance = (1 + rise * np.exp(-lift)) ** (1 / r)
        chance /= chance.sum()
        low, high = (lift, high) if chance @ steps < mean else (low, lift)
    return np.pad(chance, (0, n_steps - last))


@pytest.mark.parametrize(("n_features", "size", "threshold", "bound"), [(1000, 50, 0.6, 12.5), (100, 5, 0.75, 0.5)])
def test_the_first_bound_is_the_square_of_the_size_over_twice_the_threshold_less_one(
    n_features, size, threshold, bound
):
    assert expected_false(n_features, size, threshold, bound="meinshausen-buhlmann") == pytest.approx(bound)
    assert expected_false(n_features, size, threshold, bound="worst-case") == pytest.approx(bound)


@pytest.mark.parametrize("n_pairs", [10, 50])
def test_the_unimodal_bound_is_the_constant_of_theorem_2(n_pairs):
    share = 0.02
    for runs in range(n_pairs + 2, 2 * n_pairs + 1):
        threshold = runs / (2 * n_pairs)
        if threshold <= 0.75:
            constant = 1 / (2 * (2 * threshold - 1 - 1 / (2 * n_pairs)))
        else:
            constant = 4 * (1 - threshold + 1 / (2 * n_pairs)) / (1 + 1 / n_pairs)
        bound = expected_false(1000, 20, threshold, n_runs=2 * n_pairs, bound="unimodal")
        assert bound == pytest.approx(1000 * constant * share**2, rel=1e-9)


@pytest.mark.parametrize("mean", [0.2, 0.7, 1.6, 2.3, 3.5])
@pytest.mark.parametrize("least", [1, 3, 4, 6])
def test_the_unimodal_tail_is_the_optimum_of_linear_programmes(mean, least):
    assert unimodal_tail(mean, least, 6) == pytest.approx(unimodal_slow(mean, least, 6), abs=1e-9)


@pytest.mark.parametrize(
    ("mean", "least", "r"), [(0.4, 3, -1 / 2), (1.5, 3, -1 / 2), (1.2, 4, -1 / 4), (0.05, 2, -1 / 4)]
)
def test_no_r_concave_distribution_has_a_larger_tail_and_some_reach_it(mean, least, r):
    bound = concave_tail(mean, least, 5, r)
    tails = [concave_by_search(mean, least, 0, last, r, slope) for last in range(least, 6) for slope in (0.3, 4.0)]
    tails.append(concave_by_search(mean, least, 1, 5, r, 1.0))
    assert bound * 0.999 < max(tails) < bound + 1e-6


@pytest.mark.parametrize(("mean", "least", "n_steps", "r"), [(0.3, 6, 20, -1 / 2), (4.0, 12, 40, -1 / 4)])
def test_random_r_concave_distributions_stay_below_the_bound(mean, least, n_steps, r, seed):
    rng = np.random.default_rng([seed, 62])
    bound = concave_tail(mean, least, n_steps, r)
    for _ in range(300):
        chance = random_concave(mean, n_steps, r, rng)
        assert chance @ np.arange(n_steps + 1) == pytest.approx(mean, rel=1e-9)
        assert chance[least:].sum() <= bound * (1 + 1e-9)


def test_each_bound_is_no_larger_than_the_one_that_assumes_less():
    for size in (1, 7, 40, 150, 260):
        for threshold in (0.51, 0.6, 0.75, 0.9, 1.0):
            values = [expected_false(1000, size, threshold, bound=bound) for bound in reversed(BOUNDS)]
            assert all(low <= high * (1 + 1e-12) for low, high in pairwise(values))


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_higher_threshold_never_allows_more_false_features(bound):
    for size in (3, 60, 300, 600):
        values = [expected_false(1000, size, runs / 40, n_runs=40, bound=bound) for runs in range(21, 41)]
        assert all(np.diff(values) <= 1e-12)


@pytest.mark.parametrize("bound", BOUNDS)
def test_longer_lists_never_allow_fewer_false_features(bound):
    for threshold in (0.55, 0.6, 0.9):
        values = [expected_false(200, size, threshold, n_runs=20, bound=bound) for size in range(4, 201, 4)]
        assert all(np.diff(values) >= -1e-12)
        assert values[-1] == 200


@pytest.mark.parametrize("bound", PAIRS)
def test_a_threshold_between_two_numbers_of_runs_counts_as_the_larger(bound):
    assert expected_false(500, 20, 0.605, n_runs=100, bound=bound) == expected_false(500, 20, 0.61, bound=bound)


def test_the_smoothest_bound_holds_at_half_and_below():
    low, half, high = (expected_false(1000, 20, threshold) for threshold in (0.3, 0.5, 0.51))
    assert low > half > high
    assert expected_false(1000, 600, 0.5) == 1000


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize(("n_features", "size", "limit"), [(1000, 20, 1.0), (25_000, 50, 0.5), (200, 5, 0.3)])
def test_the_threshold_that_is_found_meets_the_limit_and_the_next_lower_does_not(bound, n_features, size, limit):
    threshold = threshold_for(n_features, size, limit, n_runs=50, bound=bound)
    assert expected_false(n_features, size, threshold, n_runs=50, bound=bound) <= limit
    lower = threshold - 1 / 50
    assert lower < 0.51 or expected_false(n_features, size, lower, n_runs=50, bound=bound) > limit


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("threshold", [0.6, 0.9])
def test_the_size_that_is_found_meets_the_limit_and_the_next_larger_does_not(bound, threshold):
    size = list_size_for(2000, threshold, 1.0, bound=bound)
    assert expected_false(2000, size, threshold, bound=bound) <= 1.0
    assert expected_false(2000, size + 1, threshold, bound=bound) > 1.0


def test_any_size_will_do_if_every_feature_may_be_false():
    assert list_size_for(30, 0.9, 30) == 30


def test_a_limit_that_no_threshold_meets_names_a_size_that_would():
    with pytest.raises(ValueError, match=r"even a threshold of 1 gives 90.*at most 31 would do") as caught:
        threshold_for(1000, 300, 1.0, bound="worst-case")
    assert "Lists of at most 31" in str(caught.value)
    assert list_size_for(1000, 1.0, 1.0, bound="worst-case") == 31


def test_a_limit_that_nothing_meets_is_refused():
    with pytest.raises(ValueError, match="no length of the lists would do"):
        threshold_for(10, 3, 0.01, bound="worst-case")
    with pytest.raises(ValueError, match="Even lists of one feature"):
        list_size_for(10, 0.9, 0.01, bound="worst-case")


@pytest.mark.parametrize(
    ("given", "options", "says"),
    [
        ((0, 1, 0.6), {}, "n_features=0"),
        ((10, 0, 0.6), {}, "list_size=0"),
        ((10, 11, 0.6), {}, "list_size=11 but there are 10 features"),
        ((10, 3, 1.2), {}, "threshold=1.2"),
        ((10, 3, float("nan")), {}, "threshold=nan"),
        ((10, 3, 0.5), {"bound": "unimodal"}, "holds above 0.5 only"),
        ((10, 3, 0.4), {"bound": "meinshausen-buhlmann"}, "holds above 0.5 only"),
        ((10, 3, 0.6), {"n_runs": 25}, "n_runs=25 is odd"),
        ((10, 3, 0.6), {"n_runs": 0}, "n_runs=0"),
        ((10, 3, 0.6), {"bound": "tight"}, "bound='tight' is not allowed: it must be one of 'meinshausen-buhlmann'"),
    ],
)
def test_values_that_cannot_be_are_named(given, options, says):
    with pytest.raises(ValueError, match=says):
        expected_false(*given, **options)


def test_an_odd_number_of_runs_is_fine_without_pairs():
    assert expected_false(100, 5, 0.75, n_runs=25, bound="meinshausen-buhlmann") == pytest.approx(0.5)


def test_a_bound_for_fifty_pairs_takes_a_moment_only():
    taken = []
    for size in (12, 55, 80, 120, 210):
        started = time.process_time()
        expected_false(1000, size + 0.123, 0.61)
        taken.append(time.process_time() - started)
    assert min(taken) < 0.05
