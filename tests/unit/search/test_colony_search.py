"""The bee colony at work: what each kind of bee does, the queen, the limit, what is told, and when it ends."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast._progress import watching
from holdfast.search.colony import BeeSearch, Habits, ranked_probabilities
from holdfast.search.evolution import HISTORY, TRACE, Ending, listed
from holdfast.search.fitness import Fitness, OutOfTime

PHASES = {
    "greedy": ["start", "employed", "onlooker", "scout", "forward", "backward"],
    "mutation": ["start", "employed", "onlooker", "scout", "mutation"],
}
both = pytest.mark.parametrize("intensify", ["greedy", "mutation"])


class Asked:
    """A judge that remembers what it was asked; ``worth`` is a function of a set, or a value for all of them."""

    def __init__(self, worth):
        self.worth = worth
        self.batches = []

    def __call__(self, sets):
        self.batches.append([tuple(one.tolist()) for one in sets])
        return [float(self.worth(one)) if callable(self.worth) else self.worth for one in self.batches[-1]]

    @property
    def sets(self):
        return [one for batch in self.batches for one in batch]


def _rugged(seed):
    """A landscape without a slope: every set has a number of its own, from 0 to 1."""
    return lambda one: np.random.default_rng([seed, 99, *one]).random()


def _search(worth, n_pool=12, max_features=12, seed=0, n_rounds=8, prefer_smaller=False, **ending):
    asked = worth if isinstance(worth, Asked) else Asked(worth)
    fitness = Fitness(asked, prefer_smaller=prefer_smaller)
    # So that a batch is a phase, from the first on.
    fitness._at_once = 128
    rng = np.random.default_rng([seed, 5])
    return BeeSearch(fitness, n_pool, max_features, Ending(n_rounds, **ending), rng, lambda: len(set(asked.sets)))


def _settled(search, sets, values, queen=0):
    """A search with this population, one of which is the queen."""
    search.sets = np.zeros((len(sets), search.n_pool), dtype=bool)
    for row, one in zip(search.sets, sets, strict=True):
        row[list(one)] = True
    search.values = np.array(values, dtype=float)
    search.crown(search.sets[queen : queen + 1], search.values[queen : queen + 1], 0, "start")
    return search


def _told(search):
    return np.array(search.history, dtype=HISTORY), np.array(search.trace, dtype=TRACE)


@both
def test_the_queen_never_gets_worse_and_is_the_best_set_of_all(seed, intensify):
    asked = Asked(_rugged(seed))
    search = _search(asked, seed=seed)
    search.run(Habits(n_bees=6, limit=2, intensify=intensify, mutation=0.3))
    history, trace = _told(search)
    assert (np.diff(trace["fitness"]) > 0).all()
    assert (np.diff(history["best"]) >= 0).all()
    assert search.queen_value == search.fitness.best_value == max(map(asked.worth, asked.sets))
    assert asked.worth(np.flatnonzero(search.queen).tolist()) == search.queen_value


@both
def test_history_trace_queens_and_population_tell_the_same(seed, intensify):
    asked = Asked(_rugged(seed))
    search = _search(asked, seed=seed)
    search.run(Habits(n_bees=6, limit=2, intensify=intensify, mutation=0.3))
    history, trace = _told(search)
    assert history["cycle"].tolist() == list(range(9))
    for row in history:
        last = trace[trace["cycle"] <= row["cycle"]][-1]
        assert (row["best"], row["n_features"]) == (last["fitness"], last["n_features"])
    assert [queen.sum() for queen in search.queens] == trace["n_features"].tolist()
    assert [asked.worth(one.tolist()) for one in listed(np.array(search.queens))] == trace["fitness"].tolist()
    assert search.values.tolist() == [asked.worth(one.tolist()) for one in listed(search.sets)]
    assert history["mean"][-1] == pytest.approx(search.values.mean())
    assert history["n_requests"][-1] == len(asked.sets) == search.fitness.n_requests
    assert history["n_evaluations"][-1] == len(set(asked.sets))
    for column in ("n_requests", "n_evaluations"):
        assert (np.diff(trace[column]) >= 0).all()
        assert trace[column][0] > 0
        assert (trace[column] <= history[column][trace["cycle"]]).all()


@both
def test_phases_come_in_their_order(seed, intensify):
    ranks = []
    for number in range(5):
        weights = np.random.default_rng([seed, number]).normal(size=20)
        rugged = _rugged(seed)
        search = _search(lambda one, w=weights, r=rugged: w[list(one)].sum() + 3 * r(one), n_pool=20, seed=seed)
        search.run(Habits(n_bees=5, limit=0, intensify=intensify, mutation=0.5))
        _, trace = _told(search)
        ranks += [(cycle, PHASES[intensify].index(phase)) for cycle, phase in trace[["cycle", "phase"]].tolist()]
        assert ranks[-len(trace) :] == sorted(ranks[-len(trace) :])
    assert len({rank for _, rank in ranks}) >= 3


def test_employed_bees_fly_first_then_onlookers_then_scouts_then_the_queen(seed):
    asked = Asked(0.5)
    search = _search(asked, seed=seed, n_rounds=1)
    search.run(Habits(n_bees=4, limit=0, intensify="mutation", mutation=1.0))
    # Of the first bees, and of those that started anew, nobody found a second feature that helps.
    assert [len(batch) for batch in asked.batches] == [4, 4, 4, 4, 4, 4, 1]


@pytest.mark.parametrize(
    ("ending", "why", "n_done"),
    [
        ({"n_rounds": 0}, "rounds", 0),
        ({"n_rounds": 3}, "rounds", 3),
        ({"target": 0.5}, "target_fitness", 0),
        ({"target": 0.5 + 1e-13}, "target_fitness", 0),
        ({"target": 0.6}, "rounds", 8),
        ({"patience": 1}, "patience", 1),
        ({"patience": 5, "target": 0.6}, "patience", 5),
        ({"patience": 8, "n_rounds": 8}, "patience", 8),
        ({"patience": 9}, "rounds", 8),
    ],
    ids=str,
)
def test_a_search_says_why_it_ended(seed, ending, why, n_done):
    search = _search(0.5, seed=seed, **ending)
    search.run(Habits(n_bees=3))
    assert (search.ended, search.history[-1][0]) == (why, n_done)


def test_patience_starts_anew_with_every_queen(seed):
    search = _search(_rugged(seed), n_pool=30, max_features=30, seed=seed, n_rounds=200, patience=4)
    search.run(Habits(n_bees=4, limit=1))
    assert search.ended == "patience"
    _, trace = _told(search)
    assert search.history[-1][0] == trace["cycle"][-1] + 4
    assert np.diff(trace["cycle"]).max(initial=0) <= 4


def test_new_bees_take_features_for_as_long_as_each_helps(seed):
    weights = np.random.default_rng(seed).choice([-1.0, 1.0], size=12)
    asked = Asked(lambda one: weights[list(one)].sum())
    search = _search(asked, seed=seed)
    sets, values = search._new_bees(np.arange(30), Habits(start="uniform"))
    assert values.tolist() == [weights[one].sum() for one in sets]
    # The first feature is there whatever it is worth, and every further one has helped.
    assert all((weights[one] < 0).sum() <= 1 for one in sets)
    tried = [set(one) for one in asked.sets]
    for one in listed(sets):
        is_all = len(one) == 12
        assert is_all or any(set(one.tolist()) < other and len(other) == len(one) + 1 for other in tried)


def test_new_bees_that_nothing_helps_have_one_feature_and_others_no_more_than_allowed(seed):
    alone, _ = _search(0.5, seed=seed)._new_bees(np.arange(30), Habits())
    assert alone.sum(axis=1).tolist() == [1] * 30
    for start in ("ranked", "uniform"):
        full, _ = _search(len, seed=seed, max_features=5)._new_bees(np.arange(30), Habits(start=start))
        assert full.sum(axis=1).tolist() == [5] * 30


def test_new_bees_draw_by_rank_each_with_a_number_of_its_own_or_evenly(seed):
    n = 3000
    for number in (0, 2):
        drawn, _ = _search(0.5, n_pool=5, seed=seed)._new_bees(np.full(n, number), Habits(start="ranked"))
        assert drawn.mean(axis=0) == pytest.approx(ranked_probabilities(5, number + 1), abs=0.04)
    drawn, _ = _search(0.5, n_pool=5, seed=seed)._new_bees(np.zeros(n, dtype=int), Habits(start="uniform"))
    assert drawn.mean(axis=0) == pytest.approx(np.full(5, 0.2), abs=0.04)


def test_a_feature_that_a_bee_has_is_not_drawn_again_however_far_down_the_ranking_it_is(seed):
    search = _search(0.5, n_pool=1200, seed=seed)
    has = np.arange(1200) < 1190
    has[1192] = True
    assert search._drawn(has, 0, Habits()) == 1190
    for start in ("ranked", "uniform"):
        assert {search._drawn(has, 200, Habits(start=start)) for _ in range(300)} == {1190, 1191, *range(1193, 1200)}


def test_an_employed_bee_flies_by_another_bee(seed):
    n_moved = 0
    search = _settled(_search(0.5, n_pool=50, seed=seed), [[0], [49]], [0.5, 0.5])
    for _ in range(300):
        search._employed(Habits(), np.zeros(2, dtype=int))
        n_moved += search.fitness._judge.batches[-1][0] != (0,)
    # One half of the steps lead below the first place; by itself it would move nowhere.
    assert n_moved > 110


def test_a_bee_that_changes_one_position_keeps_the_others(seed):
    rng = np.random.default_rng(seed)
    sets = [np.sort(rng.permutation(40)[:6]) for _ in range(10)]
    kept = {}
    for positions in ("one", "all"):
        asked = Asked(0.1)
        search = _settled(_search(asked, n_pool=40, seed=seed), sets, np.full(10, 0.5))
        search._employed(Habits(positions=positions), np.zeros(10, dtype=int))
        kept[positions] = [len(set(one) & set(own.tolist())) for one, own in zip(asked.sets, sets, strict=True)]
    assert min(kept["one"]) >= 5
    assert np.mean(kept["all"]) < 4


def test_onlookers_go_to_good_bees_and_cross_them_with_the_queen(seed):
    sets = [[0, 1, 2, 3], [2, 3, 4, 5], [6], [7]]
    asked = Asked(0.0)
    search = _settled(_search(asked, seed=seed), sets, [0.9, 0.8, 0.0, 0.0])
    in_vain = np.zeros(4, dtype=int)
    for _ in range(20):
        search._onlookers(in_vain)
    assert in_vain[2:].tolist() == [0, 0]
    assert in_vain.sum() == 80
    assert in_vain[:2].min() > 20
    assert all({2, 3} <= set(one) <= {0, 1, 2, 3, 4, 5} for one in asked.sets)
    assert len(set(asked.sets)) > 6


def test_a_better_set_takes_the_place_of_the_bee_and_ends_its_count(seed):
    search = _settled(_search(0.5, seed=seed), [[0], [1], [2]], [0.5, 0.5, 0.5])
    tried = np.zeros((4, 12), dtype=bool)
    tried[[0, 1, 2, 3], [3, 4, 5, 6]] = True
    in_vain = np.array([4, 4, 4])
    search._replace(np.array([0, 1, 2, 2]), tried, np.array([0.6, 0.5, 0.7, 0.6]), in_vain)
    assert in_vain.tolist() == [0, 5, 1]
    assert [one.tolist() for one in listed(search.sets)] == [[3], [1], [5]]
    assert search.values.tolist() == [0.6, 0.5, 0.7]


def test_bees_that_tried_in_vain_more_often_than_the_limit_start_anew(seed):
    search = _settled(_search(0.5, seed=seed), [[0, 1], [2, 3], [4, 5], [6, 7]], [0.9] * 4)
    in_vain = np.array([0, 5, 6, 11])
    assert search._scouts(Habits(limit=5), in_vain) == 2
    assert in_vain.tolist() == [0, 5, 0, 0]
    assert search.values.tolist() == [0.9, 0.9, 0.5, 0.5]
    assert search.sets.sum(axis=1).tolist() == [2, 2, 1, 1]
    assert search._scouts(Habits(limit=5), in_vain) == 0


def test_every_cycle_says_how_many_bees_started_anew(seed):
    renewed = {}
    for limit in (0, 10**6):
        search = _search(0.5, seed=seed, n_rounds=3)
        search.run(Habits(n_bees=5, limit=limit))
        renewed[limit] = [row[-1] for row in search.history]
    assert renewed == {0: [0, 5, 5, 5], 10**6: [0, 0, 0, 0]}


@both
@pytest.mark.parametrize("positions", ["all", "one"])
def test_no_set_is_empty_or_larger_than_the_limit(seed, intensify, positions):
    asked = Asked(lambda one: len(one) + _rugged(seed)(one))
    search = _search(asked, seed=seed, max_features=3)
    search.run(Habits(n_bees=6, limit=1, intensify=intensify, mutation=0.5, positions=positions))
    assert {len(one) for one in asked.sets} == {1, 2, 3}
    assert search.queen.sum() == 3


# Two good bees that each have what the other lacks; feature 3 only harms.
BEES = {(0, 3): 0.7, (1, 2): 0.69, (3,): 0.15, (3, 4): 0.1}
HIDDEN = {(0, 2, 3): 0.8, (0, 1, 2, 3): 0.9, (0, 1, 2): 1.0}


def _hidden(seed=0, **options):
    asked = Asked(lambda one: HIDDEN.get(tuple(one), 0.0))
    return _settled(_search(asked, n_pool=5, seed=seed, **options), list(BEES), list(BEES.values())), asked


def test_the_greedy_queen_finds_what_good_bees_have_and_drops_what_others_have():
    search, asked = _hidden()
    search._improve_queen(7)
    assert np.flatnonzero(search.queen).tolist() == [0, 1, 2]
    assert [row[:4] for row in search.trace[1:]] == [
        (7, "forward", 0.8, 3), (7, "forward", 0.9, 4), (7, "backward", 1.0, 3)
    ]  # fmt: skip
    # Only what good bees have joins, and only what they have less often goes.
    assert asked.batches == [[(0, 1, 3), (0, 2, 3)], [(0, 1, 2, 3)], [(0, 1, 2)]]


def test_the_mutating_queen_does_not_find_it(seed):
    for number in range(30):
        search, _ = _hidden(seed * 100 + number)
        search._mutate_queen(Habits(mutation=1.0), 1)
        assert search.queen_value == 0.7


def test_a_greedy_queen_grows_no_larger_than_allowed_and_never_empty():
    search, asked = _hidden(max_features=2)
    search._improve_queen(1)
    assert max(map(len, asked.sets)) <= 2
    asked = Asked(lambda one: 1.0 - len(one) / 10)
    # Among bees that are all as good no feature is good, so that any may go.
    search = _settled(_search(asked, n_pool=3), [(0, 1, 2)] * 3, [0.7] * 3)
    search._improve_queen(1)
    assert search.queen.sum() == 1
    assert min(map(len, asked.sets)) == 1


def test_of_equal_gains_the_best_feature_joins_and_the_worst_one_goes():
    # Features 1 and 2 help as much, 2 is in more good bees; 3 and 4 harm as much, 4 is in more of the others.
    bees = [(0, 3, 4), (1, 2), (2,), (3, 4), (4,)]
    worth = {(0, 3, 4): 0.8, (0, 2, 3, 4): 0.9, (0, 1, 3, 4): 0.9, (0, 2, 3): 0.95, (0, 2, 4): 0.95}
    search = _settled(_search(lambda one: worth.get(one, 0.0), n_pool=5), bees, [0.8, 0.6, 0.6, 0.1, 0.1])
    search._improve_queen(1)
    assert [one.tolist() for one in listed(np.array(search.queens))] == [[0, 3, 4], [0, 2, 3, 4], [0, 2, 3]]


def test_a_queen_mutates_as_often_as_the_probability_says(seed):
    asked = Asked(0.1)
    search = _settled(_search(asked, n_pool=1000, seed=seed), [range(0, 100, 10), range(900, 910)], [0.9, 0.2])
    for _ in range(400):
        search._mutate_queen(Habits(mutation=0.02), 1)
    # Ten features, each with this probability; without any that flies nothing is asked.
    assert len(asked.sets) / 400 == pytest.approx(1 - 0.98**10, abs=0.08)
    search._mutate_queen(Habits(mutation=0.0), 1)
    assert all(len(batch) == 1 for batch in asked.batches)


def test_a_mutation_is_kept_if_it_is_better(seed):
    search = _settled(_search(1.0, n_pool=50, seed=seed), [[20], [40]], [0.9, 0.2])
    for _ in range(5):
        search._mutate_queen(Habits(mutation=1.0), 3)
    assert search.queen_value == 1.0
    assert search.trace[-1][:2] == (3, "mutation")
    assert search.sets[0, 20]


def test_of_sets_as_good_a_smaller_one_becomes_queen_where_that_is_asked_for(seed):
    sizes = {}
    for prefers in (False, True):
        search = _settled(_search(0.5, seed=seed, prefer_smaller=prefers), [[0, 1, 2], [3], [4]], [0.5] * 3)
        search.crown(search.sets, search.values, 1, "employed")
        sizes[prefers] = (search.queen.sum(), np.flatnonzero(search.queen)[0])
    assert sizes == {False: (3, 0), True: (1, 3)}


def test_the_same_seed_flies_the_same(seed):
    runs = []
    for number in (seed, seed, seed + 1000):
        search = _search(_rugged(seed), seed=number)
        search.run(Habits(n_bees=6))
        runs.append((search.sets.tobytes(), search.trace, search.history))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_a_pool_of_one_feature_is_searched_too(seed):
    search = _search(0.5, n_pool=1, seed=seed, n_rounds=3)
    search.run(Habits(n_bees=2, limit=0, mutation=1.0))
    assert search.queen.tolist() == [True]


def test_cycles_are_reported_with_the_best_fitness(seed):
    seen = []
    search = _search(_rugged(seed), seed=seed, n_rounds=2)
    with watching(lambda what, done, total: seen.append((what, done, total))):
        search.run(Habits(n_bees=4))
    assert seen[0] == ("Bees, first ones", 0, 2)
    assert seen[1:] == [(f"Bee cycles, best inner fitness {search.history[i][1]:.4g}", i, 2) for i in range(3)]


def test_a_search_that_is_stopped_keeps_what_it_had(seed):
    worth = _rugged(seed)
    for n_batches in range(1, 12):
        asked = Asked(worth)

        def judge(sets, asked=asked, n_batches=n_batches):
            if len(asked.batches) == n_batches:
                raise OutOfTime
            return asked(sets)

        search = _search(worth, seed=seed)
        search.fitness = Fitness(judge)
        with pytest.raises(OutOfTime):
            search.run(Habits(n_bees=4, limit=0))
        assert search.values.tolist() == [worth(one.tolist()) for one in listed(search.sets)]
        assert search.ended == ""
        assert search.fitness.best_value == max(map(worth, asked.sets)) >= search.queen_value


def test_the_queen_loses_a_feature_that_no_bee_has(seed):
    # Good and other bees are alike in 7, which has a goodness of 0, and nobody has it.
    search = _search(lambda one: 1.0 - 0.1 * (7 in one), seed=seed)
    _settled(search, [(0, 7), (1,), (2,), (3,)], [0.5, 0.9, 0.4, 0.3])
    search.sets[0, 7] = False
    search._improve_queen(1)
    assert not search.queen[7]
    assert search.trace[-1][1] == "backward"


def test_a_bee_that_starts_anew_draws_by_its_own_number(monkeypatch, seed):
    search = _search(0.5, n_pool=30, max_features=30, seed=seed)
    _settled(search, [(0,)] * 40, [0.5] * 40)
    numbers = []
    drawn = BeeSearch._drawn

    def noted(self, has, number, habits):
        numbers.append(number)
        return drawn(self, has, number, habits)

    monkeypatch.setattr(BeeSearch, "_drawn", noted)
    in_vain = np.zeros(40, dtype=np.int64)
    in_vain[[4, 30]] = 6
    assert search._scouts(Habits(n_bees=40, limit=5), in_vain) == 2
    assert set(numbers) == {4, 30}
    assert in_vain.sum() == 0
