"""What the consistency searches promise, on thousands of small discrete tables with copies and contradictions.

The plain searches take any value that never falls when a feature goes; the selectors run them compiled. Both are held
against the definitions: all subsets where there are few, every feature in every round, the slow twins.
"""

from __future__ import annotations

from functools import cache, cached_property
from itertools import combinations, product
from math import ceil, floor, inf, log2

import numpy as np
import pytest

from holdfast import LCC, SDCC, SWCFS, DataError, Focus, Interact
from holdfast.measures import bayesian_risk, binary_consistency, conditional_entropy, inconsistency_count
from holdfast.search import removal
from oracles import consistency as slow
from oracles.datasets import fit, precedence
from oracles.information import symmetrical_uncertainty

TIE = 1e-12
MEASURES = ("bayesian-risk", "conditional-entropy", "binary")
ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw(rng, most_features=7, most_samples=24, most_levels=4, most_classes=3, density=1.0):
    """A table of whole numbers: some columns copied, renumbered or constant, some rows met again in another class."""
    n_own, m = rng.integers(1, most_features + 1), rng.integers(4, most_samples + 1)
    n_classes = rng.integers(2, most_classes + 1)
    X = np.column_stack([rng.integers(0, rng.integers(2, most_levels + 1), m) for _ in range(n_own)])
    X *= rng.random(X.shape) < density
    while X.shape[1] < most_features and rng.random() < 0.5:
        f = X[:, rng.integers(X.shape[1])]
        X = np.column_stack([X, (f, f.max() - f, np.ones_like(f))[rng.choice(3, p=[0.7, 0.2, 0.1])]])
    told_by = rng.choice(X.shape[1], rng.integers(1, min(4, X.shape[1]) + 1), replace=False)
    y = X[:, told_by].sum(axis=1) % n_classes
    is_noise = rng.random(m) < rng.choice([0.0, 0.1, 0.3, 1.0])
    y = np.where(is_noise, rng.integers(0, n_classes, m), y)
    if rng.random() < 0.5:
        again = rng.integers(0, m, rng.integers(1, m + 1))
        X, y = np.vstack([X, X[again]]), np.concatenate([y, rng.integers(0, n_classes, len(again))])
    y[:2] = 0, 1
    return rng.permutation(X, axis=1), y


class Case:
    """Positions of features in increasing relevance, a value for every set of them, and the relevances."""

    def __init__(self, relevance, measure):
        self.relevance = relevance
        self.n = len(relevance)
        self.measure = measure
        self.known = {}

    def value(self, kept):
        """The value of some positions, ascending."""
        if kept not in self.known:
            self.known[kept] = self.measure(kept)
        return self.known[kept]

    @cached_property
    def of_all(self):
        return self.value(tuple(range(self.n)))

    def is_feasible(self, kept, limit):
        return self.value(kept) <= limit + TIE

    def assert_feasible_and_minimal(self, found, limit):
        assert found.value == pytest.approx(self.value(found.kept), abs=TIE), self
        assert self.is_feasible(found.kept, limit), self
        for left_out in found.kept:
            assert not self.is_feasible(tuple(f for f in found.kept if f != left_out), limit), self

    def limits(self, rng):
        """Limits with the thresholds they come from: the least, one that some subset attains, one in between."""
        none = self.value(())
        some = self.value(tuple(np.flatnonzero(rng.random(self.n) < 0.6).tolist()))
        between = self.of_all + rng.random() * (none - self.of_all)
        if isinstance(none, int):
            return [(self.of_all, self.of_all), (some, some + 0.4), (floor(between), between)]
        return [(self.of_all, self.of_all), (some, some), (between, between)]


class TableCase(Case):
    """Features of a table of data."""

    def __init__(self, X, y, measure="bayesian-risk"):
        self.X, self.y = X, y
        relevance = np.array([symmetrical_uncertainty(column, y.tolist()) for column in X.T.tolist()])
        self.best_first = precedence(X, y, relevance).sort(relevance, len(relevance)).tolist()
        self.features = self.best_first[::-1]
        merged = slow.one_value_each_tie(relevance.tolist(), self.best_first)
        self.columns = X.T.tolist()
        self.labels = y.tolist()
        # What users give as a share of the samples is counted; the other measures are in their own units.
        self.per_unit = len(y) if measure == "bayesian-risk" else 1
        self.of_rows = slow.MEASURES[measure]
        super().__init__([merged[f] for f in self.features], self.of_positions)

    def of_positions(self, kept):
        rows = [()] * len(self.y)
        if kept:
            rows = zip(*(self.columns[self.features[i]] for i in kept), strict=True)
        return self.of_rows(rows, self.labels)

    def __repr__(self):
        return f"X = {self.X.tolist()}\ny = {self.labels}\nmeasure = {self.of_rows.__name__}"


class MonotoneCase(Case):
    """Any value that never falls when a feature goes: the largest of the random numbers of a set's supersets."""

    def __init__(self, rng, most_features=6):
        n = int(rng.integers(1, most_features + 1))
        numbers = rng.integers(0, rng.integers(2, 6), 2**n)
        numbers[-1] = 0
        for f, mask in product(range(n), range(2**n)):
            numbers[mask & ~(1 << f)] = max(numbers[mask & ~(1 << f)], numbers[mask])
        for f, mask in product(range(n), reversed(range(2**n))):
            numbers[mask & ~(1 << f)] = max(numbers[mask & ~(1 << f)], numbers[mask])
        # Values need be neither 0 for all features nor above 0.
        self.numbers = numbers = numbers + int(rng.integers(-4, 3))
        relevance = np.sort(np.round(rng.random(n) * rng.choice([3, 1000])) / 1000)
        super().__init__(relevance.tolist(), lambda kept: int(numbers[sum(1 << f for f in kept)]))

    def __repr__(self):
        return f"numbers = {self.numbers.tolist()}\nrelevance = {self.relevance}"


@cache
def cases(seed, n_cases=1200):
    """Tables under each measure and values of no table, each with limits to search under."""
    rng = np.random.default_rng([seed, 7])
    found = []
    for i in range(n_cases):
        kind = ("bayesian-risk", "conditional-entropy", "bayesian-risk", "binary", "bayesian-risk", "any")[i % 6]
        case = MonotoneCase(rng) if kind == "any" else TableCase(*draw(rng), kind)
        found += [(case, limit, delta) for limit, delta in case.limits(rng)]
    return found


def descend(case, limit, score):
    """Steepest descent from its definition: in every round the first feature of the least score among all allowed."""
    kept = tuple(range(case.n))
    while True:
        best, least = None, inf
        for f in kept:
            rest = tuple(g for g in kept if g != f)
            if case.is_feasible(rest, limit):
                own = score(f, case.value(rest), case.value(kept))
                if own < least - TIE:
                    best, least = rest, own
        if best is None:
            return kept
        kept = best


def rounds_of(n, k):
    """(n + k)(n - k + 1) / 2: every feature in every round, the failing one included."""
    return (n + k) * (n - k + 1) // 2


def test_monotone_cases_never_fall_when_a_feature_goes(seed):
    rng = np.random.default_rng([seed, 8])
    for case in [MonotoneCase(rng) for _ in range(50)]:
        for kept in [tuple(np.flatnonzero(rng.random(case.n) < 0.7).tolist()) for _ in range(20)]:
            assert all(case.value(tuple(g for g in kept if g != f)) >= case.value(kept) for f in kept)


def test_super_lcc_keeps_what_lcc_keeps(seed):
    for case, limit, _ in cases(seed):
        halved, linear = removal.binary(case.value, case.n, limit), removal.linear(case.value, case.n, limit)
        assert halved.kept == linear.kept, case
        assert halved.value == linear.value, case
        assert linear.n_evaluations == case.n
        assert halved.n_evaluations <= (len(halved.kept) + 1) * ceil(log2(case.n + 1)), case


def test_lcc_keeps_the_lexicographically_smallest_feasible_set(seed):
    """As a string of 0 and 1, the least relevant feature first."""
    for case, limit, _ in cases(seed):
        strings = product((0, 1), repeat=case.n)
        first = next(s for s in strings if case.is_feasible(tuple(np.flatnonzero(s).tolist()), limit))
        assert removal.linear(case.value, case.n, limit).kept == tuple(np.flatnonzero(first)), case


def test_lcc_does_not_change_from_its_risk_up_to_its_limit(seed):
    rng = np.random.default_rng([seed, 9])
    for case, limit, _ in cases(seed):
        found = removal.linear(case.value, case.n, limit)
        for part in (0.0, rng.random(), 1.0):
            between = found.value + part * (limit - found.value)
            assert removal.linear(case.value, case.n, between).kept == found.kept, case
        below = max((v for v in case.known.values() if v < found.value - 1e-9), default=None)
        if below is not None and below >= case.of_all:
            assert removal.linear(case.value, case.n, below).kept != found.kept, case


def test_the_first_feature_lcc_keeps_is_more_relevant_under_a_higher_limit(seed):
    for case, _, _ in cases(seed)[::3]:
        limits = sorted({v for v in (*case.known.values(), case.value(())) if v >= case.of_all - TIE})
        kept = [removal.linear(case.value, case.n, limit).kept for limit in limits]
        first = [positions[0] if positions else case.n for positions in kept]
        assert first == sorted(first), case


def test_useless_features_up_to_the_border_change_nothing_for_lcc(seed):
    for case, limit, _ in cases(seed):
        border = max(b for b in range(case.n + 1) if case.is_feasible(tuple(range(b, case.n)), case.of_all))

        def behind(kept, case=case, border=border):
            return case.value(tuple(f + border for f in kept))

        short = removal.linear(behind, case.n - border, limit)
        assert tuple(f + border for f in short.kept) == removal.linear(case.value, case.n, limit).kept, case


def test_steepest_descent_looks_at_every_feature_in_every_round(seed):
    rng = np.random.default_rng([seed, 10])
    for case, limit, _ in cases(seed):
        for scan in (None, rng.permutation(case.n).tolist()):
            found = removal.steepest(case.value, case.n, limit, scan)
            assert found.n_evaluations == rounds_of(case.n, len(found.kept)), case


def test_steepest_descent_takes_the_least_relevant_of_the_cheapest(seed):
    for case, limit, _ in cases(seed):
        expected = descend(case, limit, lambda f, without, current: without)
        assert removal.steepest(case.value, case.n, limit).kept == expected, case


def test_fsdcc_keeps_what_the_corrected_sdcc_keeps(seed):
    for case, limit, delta in cases(seed):
        fast, full = removal.lazy(case.value, case.relevance, limit, delta), removal.steepest(case.value, case.n, limit)
        assert fast.kept == full.kept, case
        assert fast.value == pytest.approx(full.value, abs=TIE), case
        assert case.n <= fast.n_evaluations <= full.n_evaluations, case


def test_asdcc_keeps_what_the_unpruned_descent_keeps(seed):
    rng = np.random.default_rng([seed, 11])
    for case, limit, delta in cases(seed):
        for alpha in (0.5, 0.75, rng.random()):

            def score(f, without, current, case=case, alpha=alpha, delta=delta):
                return slow.theta(case.relevance[f], without, current, delta, alpha)

            found = removal.lazy(case.value, case.relevance, limit, delta, alpha)
            assert found.kept == descend(case, limit, score), (alpha, limit, delta, case)
            assert case.n <= found.n_evaluations <= rounds_of(case.n, len(found.kept)), case


def test_asdcc_by_consistency_alone_is_fsdcc(seed):
    """However the useless are told apart by hand: the same rule without ϑ, as FSDCC is printed (and put right)."""
    for case, limit, delta in cases(seed):
        assert removal.lazy(case.value, case.relevance, limit, delta, 0.0) == fast_descent(case, limit), case


def fast_descent(case, limit):
    """FSDCC as section 7.2 of the specification states it."""
    kept, current, bound, n_asked = list(range(case.n)), case.of_all, [min(0.0, case.of_all)] * case.n, 0
    while True:
        best, least = None, limit
        for f in kept:
            if bound[f] < least - TIE or (best is None and bound[f] <= limit + TIE):
                bound[f] = case.value(tuple(g for g in kept if g != f))
                n_asked += 1
                if bound[f] <= current + TIE:
                    best, least = f, current
                    break
                if bound[f] < least - TIE or (best is None and bound[f] <= limit + TIE):
                    best, least = f, bound[f]
        if best is None:
            return removal.Removal(tuple(kept), case.value(tuple(kept)), n_asked)
        kept.remove(best)
        current = least


def test_asdcc_by_relevance_alone_is_lcc(seed):
    for case, limit, delta in cases(seed):
        found = removal.lazy(case.value, case.relevance, limit, delta, 1.0)
        assert found.kept == removal.linear(case.value, case.n, limit).kept, case


def test_where_nothing_may_be_lost_fast_descents_are_lcc_in_one_pass(seed):
    for case, _, _ in cases(seed)[::3]:
        linear = removal.linear(case.value, case.n, case.of_all)
        for alpha in ALPHAS:
            found = removal.lazy(case.value, case.relevance, case.of_all, case.of_all, alpha)
            assert found.kept == linear.kept, case
            assert found.n_evaluations == case.n, case


def test_every_search_under_a_limit_ends_feasible_and_minimal(seed):
    rng = np.random.default_rng([seed, 12])
    for case, limit, delta in cases(seed):
        case.assert_feasible_and_minimal(removal.linear(case.value, case.n, limit), limit)
        case.assert_feasible_and_minimal(removal.binary(case.value, case.n, limit), limit)
        scan = rng.permutation(case.n).tolist()
        case.assert_feasible_and_minimal(removal.steepest(case.value, case.n, limit, scan), limit)
        case.assert_feasible_and_minimal(removal.lazy(case.value, case.relevance, limit, delta), limit)
        case.assert_feasible_and_minimal(removal.lazy(case.value, case.relevance, limit, delta, rng.random()), limit)


def test_the_sliding_window_ends_feasible_and_minimal_within_its_cost(seed):
    rng = np.random.default_rng([seed, 13])
    for case, limit, delta in cases(seed):
        window, growth = rng.choice([0.01, 0.5, 1.0, rng.random()]), rng.choice([1e-3, 1.0, 3.0, 10 * rng.random()])
        found = removal.windowed(case.value, case.relevance, limit, delta, rng.choice(ALPHAS), window, growth)
        case.assert_feasible_and_minimal(found, limit)
        assert found.n_evaluations <= ceil(log2(case.n + 1)) + rounds_of(case.n, len(found.kept)), case


def test_interact_takes_away_what_loses_at_most_delta_next_to_those_left(seed):
    for case, limit, _ in cases(seed):
        delta = (limit - case.of_all) / 3
        kept = tuple(range(case.n))
        for f in range(case.n):
            rest = tuple(g for g in kept if g != f)
            kept = rest if case.value(rest) - case.value(kept) <= delta + TIE else kept
        found = removal.interact(case.value, case.n, delta)
        assert found.kept == kept, case
        assert found.n_evaluations == case.n
        assert found.value == pytest.approx(case.value(kept), abs=TIE)
        assert found.value <= case.of_all + (case.n - len(kept)) * delta + 1e-9, case


def user_delta(case, rng):
    """A threshold as users give it, often one that a subset attains exactly."""
    none = case.value(())
    room = min(none - case.of_all, 0.95 * case.per_unit)
    share = rng.choice([0.0, rng.random(), rng.random() ** 3])
    amount = share * room
    if rng.random() < 0.5:
        attained = [v - case.of_all for v in case.known.values() if 0 <= v - case.of_all <= room]
        amount = attained[rng.integers(len(attained))]
    return amount / case.per_unit


def expected(case, name, selector):
    """What the plain searches find, as columns best first, and how many values they ask for."""
    parameters = selector.get_params()
    threshold = parameters["delta"] * case.per_unit
    limit = floor(threshold + 1e-9) if case.per_unit > 1 else threshold
    if parameters.get("delta_mode") == "relative":
        limit, threshold = limit + case.of_all, threshold + case.of_all
    limit += 0 if isinstance(case.of_all, int) else 1e-9
    scan = np.random.default_rng(parameters.get("random_state")).permutation(case.n)
    found = {
        "interact": lambda: removal.interact(case.value, case.n, limit),
        "lcc": lambda: removal.linear(case.value, case.n, limit),
        "super-lcc": lambda: removal.binary(case.value, case.n, limit),
        "sdcc": lambda: removal.steepest(case.value, case.n, limit, scan),
        "corrected-sdcc": lambda: removal.steepest(case.value, case.n, limit),
        "fsdcc": lambda: removal.lazy(case.value, case.relevance, limit, threshold),
        "asdcc": lambda: removal.lazy(case.value, case.relevance, limit, threshold, parameters["alpha"]),
        "swcfs": lambda: removal.windowed(
            case.value, case.relevance, limit, threshold, *(parameters[p] for p in ("alpha", "window", "growth"))
        ),
    }[name]()
    return found, [case.features[i] for i in found.kept][::-1], limit


def selectors(rng, delta, mode, measure):
    """Every method that takes features away, with settings of its own."""
    options = {"delta": delta, "delta_mode": mode, "measure": measure, "discretizer": None}
    return {
        "interact": Interact(delta=delta, measure=measure, discretizer=None),
        "lcc": LCC(search="linear", **options),
        "super-lcc": LCC(search="binary", **options),
        "sdcc": SDCC(variant="original", random_state=int(rng.integers(100)), **options),
        "corrected-sdcc": SDCC(variant="corrected", **options),
        "fsdcc": SDCC(variant="fast", **options),
        "asdcc": SDCC(variant="accurate", alpha=float(rng.choice(ALPHAS)), **options),
        "swcfs": SWCFS(
            alpha=float(rng.choice(ALPHAS)),
            window=float(rng.choice([0.01, 0.3, 0.5, 1.0])),
            growth=float(rng.choice([0.1, 1.0, 2.5])),
            **options,
        ),
    }


ORACLES = {"interact": slow.interact, "lcc": slow.lcc, "super-lcc": slow.lcc, "swcfs": slow.swcfs} | dict.fromkeys(
    ("sdcc", "corrected-sdcc", "fsdcc", "asdcc"), slow.sdcc
)
SIZES = {
    "small": {},
    "many levels": {"most_features": 8, "most_samples": 60, "most_levels": 200, "most_classes": 5},
    "long": {"most_features": 9, "most_samples": 200, "most_levels": 3, "most_classes": 6},
    "wide": {"most_features": 40, "most_samples": 40},
    "sparse": {"most_features": 30, "most_samples": 50, "most_levels": 2, "density": 0.2},
}
N_TABLES = {"small": 200, "many levels": 40, "long": 40, "wide": 15, "sparse": 15}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("size", SIZES)
def test_compiled_searches_find_and_ask_what_the_plain_ones_do(size, measure, seed):
    rng = np.random.default_rng([seed, 14, len(size), len(measure)])
    for _ in range(N_TABLES[size] // (1 if measure == "bayesian-risk" else 2)):
        case = TableCase(*draw(rng, **SIZES[size]), measure)
        for name, selector in selectors(rng, user_delta(case, rng), "relative", measure).items():
            fitted = fit(selector, case.X, case.y)
            found, columns, limit = expected(case, name, selector)
            assert fitted.indices_.tolist() == columns, (selector, case)
            assert fitted.n_evaluations_.subset == found.n_evaluations, (selector, case)
            assert fitted.n_evaluations_.relevance == case.n
            assert fitted.risk_ == pytest.approx(found.value / case.per_unit, abs=1e-9), (selector, case)
            assert fitted.risk_of_all_ == pytest.approx(case.of_all / case.per_unit, abs=1e-9)
            if name != "interact":
                case.assert_feasible_and_minimal(found, limit)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_threshold_is_absolute_or_says_that_not_even_all_features_meet_it(measure, seed):
    rng = np.random.default_rng([seed, 15, len(measure)])
    n_refused = 0
    for _ in range(80):
        case = TableCase(*draw(rng), measure)
        delta = float(np.clip(case.of_all / case.per_unit + rng.choice([-0.1, 0.0, 0.1]), 0.0, 0.99))
        for name, selector in selectors(rng, delta, "absolute", measure).items():
            if name == "interact":
                continue
            if case.is_feasible(tuple(range(case.n)), delta * case.per_unit + 1e-9):
                _, columns, _ = expected(case, name, selector)
                assert fit(selector, case.X, case.y).indices_.tolist() == columns, (selector, case)
            else:
                n_refused += 1
                with pytest.raises(DataError, match="cannot be met"):
                    selector.fit(case.X, case.y)
    assert n_refused > 20


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("size", SIZES)
def test_selectors_choose_what_their_slow_twins_choose(size, measure, seed):
    rng = np.random.default_rng([seed, 16, len(size), len(measure)])
    for _ in range(max(4, N_TABLES[size] // 8)):
        case = TableCase(
            *draw(rng, **{**SIZES[size], **({"most_features": 14} if size in ("wide", "sparse") else {})}), measure
        )
        for name, selector in selectors(rng, user_delta(case, rng), "relative", measure).items():
            order, scores = ORACLES[name](case.X.tolist(), case.labels, selector.get_params())
            fitted = fit(selector, case.X, case.y)
            assert fitted.indices_.tolist() == order, (selector, case)
            np.testing.assert_allclose(fitted.scores_[order], scores, rtol=0, atol=1e-9)


@pytest.mark.parametrize("measure", MEASURES)
def test_focus_chooses_a_smallest_set_and_the_first_of_them(measure, seed):
    rng = np.random.default_rng([seed, 17, len(measure)])
    for _ in range(60):
        case = TableCase(*draw(rng), measure)
        selector = Focus(delta=user_delta(case, rng), measure=measure, discretizer=None)
        chosen = fit(selector, case.X, case.y).indices_.tolist()
        limit = case.of_all + selector.delta * case.per_unit + 1e-9
        places = [tuple(case.best_first.index(f) for f in chosen)]
        for subset in combinations(range(case.n), len(chosen)):
            if case.is_feasible(tuple(case.n - 1 - f for f in reversed(subset)), limit):
                places.append(subset)
                break
        assert places[0] == places[1], (selector, case)
        if chosen:
            smaller = combinations(range(case.n), len(chosen) - 1)
            assert not any(case.is_feasible(subset, limit) for subset in smaller), (selector, case)
        assert chosen == slow.focus(case.X.tolist(), case.labels, selector.get_params())[0], (selector, case)


def larger_tables(seed, n_tables=150):
    """Tables too large for the plain searches to be quick, with their thresholds."""
    rng = np.random.default_rng([seed, 18])
    for _ in range(n_tables):
        X, y = draw(rng, 60, 80, 3, 4)
        yield X, y, float(rng.choice([0.0, 0.01, 0.05, 0.2 * rng.random()]))


def test_compiled_searches_agree_with_each_other_within_the_stated_costs(seed):
    for X, y, delta in larger_tables(seed):
        n = X.shape[1]
        options = {"delta": delta, "discretizer": None}
        linear, halved = (fit(LCC(search=search, **options), X, y) for search in ("linear", "binary"))
        full, fast = (fit(SDCC(variant=variant, **options), X, y) for variant in ("corrected", "fast"))
        assert halved.indices_.tolist() == linear.indices_.tolist()
        assert fast.indices_.tolist() == full.indices_.tolist()
        by_alpha = {a: fit(SDCC(variant="accurate", alpha=a, **options), X, y) for a in ALPHAS}
        assert by_alpha[0.0].indices_.tolist() == fast.indices_.tolist()
        assert by_alpha[1.0].indices_.tolist() == linear.indices_.tolist()
        assert linear.n_evaluations_.subset == n
        assert halved.n_evaluations_.subset <= (len(halved.indices_) + 1) * ceil(log2(n + 1))
        assert full.n_evaluations_.subset == rounds_of(n, len(full.indices_))
        assert by_alpha[0.0].n_evaluations_ == fast.n_evaluations_
        assert n <= fast.n_evaluations_.subset <= full.n_evaluations_.subset
        for fitted in by_alpha.values():
            assert n <= fitted.n_evaluations_.subset <= rounds_of(n, len(fitted.indices_))
            if delta == 0:
                assert fitted.indices_.tolist() == linear.indices_.tolist()
                assert fitted.n_evaluations_.subset == n


def test_compiled_searches_end_feasible_and_minimal(seed):
    rng = np.random.default_rng([seed, 19])
    for X, y, delta in larger_tables(seed, 60):
        limit = inconsistency_count(X, y) + floor(delta * len(y) + 1e-9)
        for name, selector in selectors(rng, delta, "relative", "bayesian-risk").items():
            if name == "interact":
                continue
            chosen = fit(selector, X, y).indices_
            assert slow.inconsistency_count(X[:, chosen].tolist(), y.tolist()) <= limit
            rests = [slow.inconsistency_count(X[:, chosen[chosen != f]].tolist(), y.tolist()) for f in chosen]
            assert all(rest > limit for rest in rests), selector
            fitted_losses = selector.contributions_[chosen] * len(y)
            count = selector.risk_ * len(y)
            assert fitted_losses == pytest.approx([rest - count for rest in rests], abs=1e-9)


def test_interact_compiled_loses_at_most_delta_a_feature(seed):
    for X, y, delta in larger_tables(seed, 60):
        fitted = fit(Interact(delta=delta, discretizer=None), X, y)
        n_removed = X.shape[1] - len(fitted.indices_)
        assert fitted.risk_ <= fitted.risk_of_all_ + n_removed * delta + 1e-9
        assert fitted.n_evaluations_.subset == X.shape[1]


def test_measures_fall_as_features_join_and_are_0_only_when_the_class_is_told(seed):
    rng = np.random.default_rng([seed, 20])
    for _ in range(300):
        X, y = draw(rng, most_levels=6)
        columns = rng.permutation(X.shape[1])
        before = None
        for size in range(X.shape[1] + 1):
            part = X[:, columns[:size]]
            values = np.array(
                [measure(part, y) for measure in (bayesian_risk, conditional_entropy, binary_consistency)]
            )
            rows = part.tolist()
            assert inconsistency_count(part, y) == slow.inconsistency_count(rows, y.tolist())
            assert values[1] == pytest.approx(slow.conditional_entropy(rows, y.tolist()), abs=1e-9)
            is_told = len({tuple(row) for row in rows}) == len({(*row, c) for row, c in zip(rows, y, strict=True)})
            assert ((values == 0) == is_told).all()
            assert before is None or (values <= before + TIE).all()
            before = values


def test_many_sparse_features_cost_little_and_end_feasible_and_minimal(seed):
    rng = np.random.default_rng([seed, 21])
    n = 6000
    X = (rng.random((150, n)) < 0.04).astype(np.int8)
    y = X[:, :8].any(axis=1) ^ (rng.random(150) < 0.05)
    halved, linear = (LCC(search=search, discretizer=None).fit(X, y) for search in ("binary", "linear"))
    assert halved.indices_.tolist() == linear.indices_.tolist()
    assert halved.n_evaluations_.subset <= (len(halved.indices_) + 1) * 13 < n / 4
    assert linear.n_evaluations_.subset == n
    fast, full = (SDCC(variant=variant, discretizer=None).fit(X, y) for variant in ("fast", "corrected"))
    assert fast.indices_.tolist() == full.indices_.tolist()
    assert n <= fast.n_evaluations_.subset < full.n_evaluations_.subset / 20
    for chosen in (halved.indices_, fast.indices_):
        assert slow.inconsistency_count(X[:, chosen].tolist(), y.tolist()) <= 1
        assert all(slow.inconsistency_count(X[:, chosen[chosen != f]].tolist(), y.tolist()) > 1 for f in chosen)
