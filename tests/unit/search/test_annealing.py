"""Annealing over thresholds: the numbers of the specification, what intervals save, draws, ties, and the sweep."""

from __future__ import annotations

from itertools import combinations
from math import log, log2

import numpy as np
import pytest

from holdfast._progress import watching
from holdfast.search import removal
from holdfast.search.annealing import (
    State,
    Thresholds,
    acceptance,
    anneal,
    better_of,
    n_cooling_steps,
    scored,
    sweep,
    temperature_at,
)
from oracles.worked import TOY12

# What LCC keeps on TOY12, by the risk it achieves (features count from 1).
SETS = {0: (1, 2), 1: (1, 3, 5), 2: (3, 5), 3: (3,), 4: ()}
AREAS = {(1, 2): 0.8, (1, 3, 5): 0.7, (3, 5): 0.75, (3,): 0.9, (): 0.5}
PRINTED = {"step": 0.1, "gap": 0.001, "temperature": 0.1, "min_temperature": 0.02, "max_steps": None}


class Toy:
    """LCC on TOY12 from the table above; remembers which thresholds it was asked for."""

    def __init__(self):
        self.asked = []

    def __call__(self, threshold):
        self.asked.append(threshold)
        n_wrong = min(int(threshold * 12 + 1e-9), 4)
        return SETS[n_wrong], n_wrong / 12


class Given:
    """A generator that gives the numbers it was given."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def _value_of(levels, y, measure):
    """A value of kept positions: samples outside the majority of their group, or the entropy of the class in it."""

    def value(kept):
        groups = {}
        for row, c in zip(levels.tolist(), y.tolist(), strict=True):
            groups.setdefault(tuple(row[f] for f in kept), []).append(c)
        if measure == "risk":
            return sum(len(g) - max(map(g.count, g)) for g in groups.values()) / len(y)
        return sum(-log2(g.count(c) / len(g)) for g in groups.values() for c in g) / len(y)

    return value


def _lcc(value, n, slack=1e-12):
    def find(threshold):
        found = removal.linear(value, n, threshold + slack)
        return found.kept, found.value

    return find


@pytest.fixture(params=["risk", "entropy"])
def measure(request):
    return request.param


def _random_lcc(seed, number, measure):
    rng = np.random.default_rng([seed, number])
    n_samples, n = int(rng.integers(8, 40)), int(rng.integers(1, 8))
    y = rng.integers(0, 3, size=n_samples)
    levels = rng.integers(0, 3, size=(n_samples, n))
    levels[:, 0] = np.where(rng.random(n_samples) < 0.5, y, levels[:, 0])
    value = _value_of(levels, y, measure)
    return _lcc(value, n), value, n, rng


def test_the_table_is_what_lcc_keeps():
    X, y = TOY12
    order = [5, 3, 1, 0, 4, 2]
    find, toy = _lcc(_value_of(X[:, order], y, "risk"), 6, 1e-9), Toy()
    for threshold in (0.0, 0.05, 1 / 12, 0.1, 2 / 12, 0.2, 3 / 12, 0.3, 4 / 12, 0.4):
        kept, risk = find(threshold)
        assert (tuple(sorted(order[f] + 1 for f in kept)), pytest.approx(risk)) == toy(threshold)


def test_the_next_threshold_is_that_of_the_specification():
    toy = Toy()
    thresholds = Thresholds(toy, 0.0, 0.4, 0.001)
    up, down = (thresholds.near(1 / 12, 0.1, uniform) for uniform in (0.9, 0.1))
    assert up == pytest.approx(0.123333, abs=5e-7)
    assert down == pytest.approx(0.043333, abs=5e-7)
    assert thresholds.risk_under(up) == 1 / 12
    assert thresholds.features(1 / 12) == (1, 3, 5)
    assert thresholds.risk_under(down) == 0
    assert thresholds.features(0) == (1, 2)


def test_thresholds_stay_between_the_least_and_the_largest():
    thresholds = Thresholds(Toy(), 0.1, 0.4, 0.001)
    assert thresholds.near(0.12, 0.1, 0.0) == 0.1
    assert thresholds.near(0.38, 0.1, 0.999) == 0.4


def test_a_known_risk_within_the_gap_stands_for_a_threshold():
    toy = Toy()
    thresholds = Thresholds(toy, 0.0, 0.4, 0.05)
    assert thresholds.risk_under(1 / 12) == 1 / 12
    # LCC would keep other features under 2/12, which is further away than the gap; under 0.13 it is not asked.
    assert thresholds.risk_under(0.13) == 1 / 12
    assert toy.asked == [1 / 12]
    assert thresholds.risk_under(2 / 12) == 2 / 12
    assert thresholds.n_found == 2


def test_a_threshold_inside_what_a_search_covered_needs_no_search():
    toy = Toy()
    thresholds = Thresholds(toy, 0.0, 0.4, 0.0)
    assert thresholds.risk_under(0.16) == 1 / 12
    assert [thresholds.risk_under(d) for d in (1 / 12, 0.1, 0.16)] == [1 / 12] * 3
    assert toy.asked == [0.16]
    assert thresholds.risk_under(0.165) == 1 / 12
    assert toy.asked == [0.16, 0.165]


def _next_as_printed(find, gap):
    """Algorithm 6 with the direction of its test set right, searching whenever the gap is exceeded."""
    stored = []

    def risk_under(threshold):
        below = [b for b in stored if b <= threshold]
        if below and threshold - max(below) <= gap:
            return max(below)
        stored.append(find(threshold)[1])
        return stored[-1]

    return risk_under


def test_intervals_change_no_answer(seed, measure):
    n_saved = 0
    for number in range(40):
        find, value, n, rng = _random_lcc(seed, number, measure)
        low = value(tuple(range(n)))
        for gap in (0.0, 0.001, 0.1):
            thresholds, printed = Thresholds(find, low, low + 0.5, gap), _next_as_printed(find, gap)
            for threshold in low + 0.5 * rng.random(30):
                assert thresholds.risk_under(threshold) == printed(threshold)
            n_saved += 30 - thresholds.n_found
    assert n_saved > 0


def test_the_temperature_falls_with_the_logarithm():
    assert temperature_at(1, 0.1) == pytest.approx(0.1443, abs=5e-5)
    assert temperature_at(147, 0.1) == pytest.approx(0.020011, abs=5e-7)
    assert temperature_at(148, 0.1) == pytest.approx(0.019984, abs=5e-7)


@pytest.mark.parametrize(
    ("temperature", "least", "max_steps", "expected"),
    [(0.1, 0.02, None, 147), (1.0, 0.2, None, 147), (0.1, 0.02, 10, 10), (0.1, 0.02, 147, 147), (0.1, 0.02, 500, 147),
     (0.1, 0.144, None, 1), (5.0, 0.001, 3, 3)],
)  # fmt: skip
def test_the_walk_ends_when_it_is_cold_or_long_enough(temperature, least, max_steps, expected):
    assert n_cooling_steps(temperature, least, max_steps) == expected


def test_steps_are_those_that_are_still_warm(seed):
    rng = np.random.default_rng(seed)
    for temperature, ratio in zip(10 ** rng.uniform(-3, 3, 200), rng.uniform(0.7, 7, 200), strict=True):
        n = n_cooling_steps(temperature, temperature / ratio, None)
        assert temperature_at(n, temperature) > temperature / ratio >= temperature_at(n + 1, temperature)


def test_a_walk_without_a_step_is_refused():
    with pytest.raises(ValueError, match=r"min_temperature=0\.2 is not below the first temperature, 0\.1443"):
        n_cooling_steps(0.1, 0.2, None)


def test_a_walk_without_end_is_refused():
    with pytest.raises(ValueError, match=r"temperature=1 down to min_temperature=0\.01 .*100,000 steps.*max_steps"):
        n_cooling_steps(1.0, 0.01, None)


def test_a_worse_score_is_accepted_by_chance():
    assert acceptance(0.85, 0.9, temperature_at(1, 0.1)) == pytest.approx(0.707107, abs=5e-7)
    assert acceptance(0.9, 0.9, 0.1) == acceptance(0.91, 0.9, 0.1) == acceptance(1e6, 0.9, 1e-9) == 1.0


def test_a_walk_draws_where_to_go_and_then_whether_to_stay():
    # To 1/12, worse, accepted with chance 1/2; to 2/12, better; back to 1/12, refused with chance 1/2; to 3/12, best.
    draws = Given(0.95, 0.49, 0.95, 0.999, 0.1, 0.51, 0.95, 0.999)
    toy = Toy()
    walk = anneal(toy, AREAS.get, 0.0, 0.4, **{**PRINTED, "step": 0.2, "max_steps": 4}, rng=draws)
    assert draws.numbers == []
    assert [s.proposed for s in walk.steps] == pytest.approx([0, 0.09, 1 / 12 + 0.09, 2 / 12 - 0.08, 2 / 12 + 0.09])
    assert [s.risk for s in walk.steps] == [0, 1 / 12, 2 / 12, 1 / 12, 3 / 12]
    assert [s.n_features for s in walk.steps] == [2, 3, 2, 3, 1]
    assert [s.score for s in walk.steps] == [0.8, 0.7, 0.75, 0.7, 0.9]
    assert [s.temperature for s in walk.steps[1:]] == [0.1 / log(t + 1) for t in (1, 2, 3, 4)]
    assert np.isnan(walk.steps[0].temperature)
    assert [s.accepted for s in walk.steps] == [True, True, True, False, True]
    assert walk.best == walk.current == State((3,), 3 / 12, 0.9)
    assert walk.n_found == len(toy.asked) == 4


def test_an_acceptance_is_drawn_also_where_nothing_gets_worse():
    draws = Given(0.5, 0.0, 0.5, 0.999)
    anneal(Toy(), AREAS.get, 0.0, 0.4, **{**PRINTED, "max_steps": 2}, rng=draws)
    assert draws.numbers == []


def test_a_walk_may_end_elsewhere_than_at_the_best():
    walk = anneal(Toy(), AREAS.get, 0.0, 0.4, **{**PRINTED, "step": 0.2, "max_steps": 1}, rng=Given(0.95, 0.1))
    assert walk.best.features == (1, 2)
    assert walk.current.features == (1, 3, 5)


def test_a_walk_over_toy12_ends_at_a_set_of_lcc_and_judges_each_once(seed):
    states = [State(SETS[n_wrong], n_wrong / 12, AREAS[SETS[n_wrong]]) for n_wrong in SETS]
    for number in range(30):
        judged = set()

        def score(features, judged=judged):
            judged.add(features)
            return AREAS[features]

        rng = np.random.default_rng([seed, number])
        walk = anneal(Toy(), score, 0.0, 0.4, **{**PRINTED, "step": 0.3}, rng=rng)
        assert walk.best in states
        assert walk.current in states
        assert len(judged) <= len(SETS)
        assert len(walk.steps) == 148
        assert walk.best.score == max(s.score for s in walk.steps)


def test_a_step_smaller_than_the_next_risk_leads_back():
    """Upward moves of less than 1/12 end where they began: the achieved risk is where a walk stands."""
    walk = anneal(Toy(), AREAS.get, 0.0, 0.4, **PRINTED, rng=np.random.default_rng(0))
    assert {s.risk for s in walk.steps} == {0}


@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        (State((1, 2), 0.1, 0.8), State((1, 2, 3), 0.0, 0.9), 1),
        (State((1, 2, 3), 0.0, 0.8), State((1, 2), 0.1, 0.8), 1),
        (State((1, 2), 0.1, 0.8), State((1, 3), 0.0, 0.8), 1),
        (State((1, 2), 0.1, 0.8), State((1, 3), 0.1, 0.8), 0),
        (State((1, 2), 0.1, 0.8), State((1, 3), 0.0, 0.7), 0),
    ],
    ids=["score", "size", "risk", "first", "worse"],
)
def test_the_better_has_the_better_score_then_fewer_features_then_the_smaller_risk(first, second, best):
    assert better_of(first, second) is (first, second)[best]


def test_a_sweep_over_toy12_finds_its_five_sets():
    toy = Toy()
    kept = sweep(toy, 0.0, 0.4, 1 / 12)
    assert [one.features for one in kept] == [(), (3,), (3, 5), (1, 3, 5), (1, 2)]
    assert [one.risk for one in kept] == [4 / 12, 3 / 12, 2 / 12, 1 / 12, 0]
    assert len(toy.asked) == 5


def test_a_sweep_finds_every_set_once(seed, measure):
    resolution = 4e-12
    n_sets = 0
    for number in range(40):
        find, value, n, _ = _random_lcc(seed, number, measure)
        low = value(tuple(range(n)))
        found = sweep(find, low, low + 0.5, resolution)
        # LCC keeps the same features between two values that subsets can have.
        values = [value(kept) for size in range(n + 1) for kept in combinations(range(n), size)]
        expected = {find(v)[0] for v in values if low <= v <= low + 0.5}
        assert len(found) == len(expected)
        assert {one.features for one in found} == expected
        n_sets += len(found)
    assert n_sets > 60


def test_a_sweep_ends_though_a_large_risk_swallows_the_resolution():
    def find(threshold):
        risk = float(int(threshold / 1e17) * 1e17)
        return (int(threshold / 1e17),), risk

    assert [one.features for one in sweep(find, 1e17, 5e17, 1e-12)] == [(5,), (4,), (3,), (2,), (1,)]


def test_a_sweep_over_one_threshold_searches_once():
    assert len(sweep(Toy(), 1 / 12, 1 / 12, 1 / 12)) == 1


def test_the_best_of_a_sweep_is_chosen_and_the_best_so_far_are_marked():
    kept = sweep(Toy(), 0.0, 0.4, 1 / 12)
    walk = scored(kept, [AREAS[one.features] for one in kept])
    assert walk.best == walk.current == State((3,), 3 / 12, 0.9)
    assert [s.accepted for s in walk.steps] == [True, True, False, False, False]
    assert walk.n_found == 5


def test_every_step_is_reported():
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        anneal(Toy(), AREAS.get, 0.0, 0.4, **{**PRINTED, "max_steps": 2}, rng=np.random.default_rng(0))
        sweep(Toy(), 0.0, 0.1, 1 / 12)
    assert seen == [
        ("Annealing steps", 1, 2),
        ("Annealing steps", 2, 2),
        ("Thresholds swept", 1, None),
        ("Thresholds swept", 2, None),
    ]
