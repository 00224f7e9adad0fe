"""D²CORFS: rounds and their ends by hand, the planted features, any selector in the bins, any place to work at."""

from __future__ import annotations

from itertools import combinations

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectKBest, SelectorMixin, SelectPercentile
from sklearn.naive_bayes import GaussianNB

import holdfast
from holdfast import D2CORFS, DCORFS, NothingSelected
from holdfast._progress import watching
from holdfast.measures import distance_correlation
from holdfast.selectors.distance._bins import Local, Rounds, partition
from oracles import datasets
from oracles.distance import d2corfs as slow_d2corfs
from oracles.distance import rounds as slow_rounds

# Specification of Hosseini 2018, §6.6: six features by number, three bins, the best subset of each by value.
WEIGHTS = {1: 0.30, 2: 0.05, 3: 0.25, 4: 0.02, 5: 0.10, 6: 0.04}
BINS = [np.array([1, 2]), np.array([3, 4]), np.array([5, 6])]


def worth(features):
    return sum(WEIGHTS[int(f)] - 0.06 for f in features)


def exhaustive(features):
    sets = [s for size in range(1, len(features) + 1) for s in combinations(features, size)]
    best = max(sets, key=worth)
    return Local(np.array(sorted(best)), worth(best))


def by_hand(bins, answers=None, **options):
    """Rounds over stub bins; ``answers`` replaces what some of them say."""
    answers = answers or {}

    def search(number, contents):
        for b, features in enumerate(contents):
            yield answers[b] if b in answers else exhaustive(features)

    return Rounds(bins, search, **options).run()


EMPTY = Local(np.zeros(0, dtype=np.int64), 0.0)


@pytest.mark.parametrize(
    ("answers", "options", "features", "values", "stop", "n_searches"),
    [
        ({}, {}, [1, 3, 5], [0.24, 0.43, 0.47, 0.47], "agreement", 12),
        ({2: Local(np.array([6]), -0.02)}, {}, [1, 3], [0.24, 0.43, 0.43, 0.43], "stall", 12),
        ({2: Local(np.array([6]), -0.02)}, {"max_rounds": 3}, [1, 3], [0.24, 0.43, 0.43], "rounds", 9),
        ({1: Local(np.array([3]), 1.0)}, {}, [3], [1.0], "perfect", 2),
        ({0: EMPTY, 1: EMPTY, 2: EMPTY}, {}, [], [0.0], "agreement", 3),
    ],
    ids=["agreement", "stall", "rounds", "perfect", "empty"],
)
def test_rounds_end_as_the_worked_examples_do(answers, options, features, values, stop, n_searches):
    found = by_hand(BINS, answers, **options)
    assert found.best.features.tolist() == features
    assert [row[0] for row in found.history] == pytest.approx(values, abs=1e-12)
    assert found.stop == stop
    assert len(found.searched) == n_searches


def test_more_rounds_without_a_better_set_can_be_waited_for():
    stubborn = {2: Local(np.array([6]), -0.02)}
    assert len(by_hand(BINS, stubborn, patience=2).history) == 3
    assert len(by_hand(BINS, stubborn, patience=4, max_rounds=9).history) == 5


def test_the_first_bin_keeps_its_set_against_an_equal_one():
    first, second = Local(np.array([1]), 0.5), Local(np.array([5]), 0.5 + 1e-14)
    assert by_hand(BINS, {0: first, 1: EMPTY, 2: second}, max_rounds=1).best is first


@pytest.mark.parametrize("share_top", [1, 2, 3])
def test_bins_get_the_best_set_or_the_best_few_of_the_round_before(share_top):
    seen = []

    def search(number, contents):
        seen.append([set(map(int, features)) for features in contents])
        yield from map(exhaustive, contents)

    Rounds(BINS, search, share_top=share_top, max_rounds=2).run()
    shared = {1: {1}, 2: {1, 3}, 3: {1, 3, 5}}[share_top]
    assert seen[1] == [{1, 2} | shared, {3, 4} | shared, {5, 6} | shared]


def test_rounds_are_those_of_the_slow_twin(seed):
    rng = np.random.default_rng([seed, 101])
    for _ in range(60):
        weights = dict(enumerate(rng.choice([0.0, 0.05, 0.1, 0.3], size=8).tolist()))
        answers = {}

        def value(features, weights=weights):
            return round(sum(weights[int(f)] - 0.06 for f in features), 12)

        def search(number, b, features, answers=answers, value=value):
            # Some bins are of an opinion of their own, always the same one.
            sets = [s for size in range(4) for s in combinations(sorted(features), size)]
            return answers.setdefault(b, set(sets[rng.integers(len(sets))])) if b == 1 else set(max(sets, key=value))

        bins = [np.sort(part) for part in np.array_split(rng.permutation(8), 3)]
        options = {"max_rounds": int(rng.integers(1, 6)), "patience": int(rng.integers(2, 5)),
                   "share_top": int(rng.integers(1, 4))}  # fmt: skip
        expected = slow_rounds([set(map(int, part)) for part in bins], search, value, **options)

        def searched(number, contents, search=search, value=value):
            for b, features in enumerate(contents):
                found = search(number, b, set(map(int, features)))
                yield Local(np.array(sorted(found), dtype=np.int64), value(found))

        found = Rounds(bins, searched, **options).run()
        assert (set(found.best.features.tolist()), found.stop, len(found.searched)) == (
            expected[0], expected[2], expected[3],
        )  # fmt: skip
        assert [row[0] for row in found.history] == pytest.approx(expected[1])


@pytest.mark.parametrize(
    ("n_features", "n_samples", "n_bins", "sizes"),
    [
        (4990, 78, 128, {38, 39}), (2688, 38, 141, {19, 20}), (1872, 32, 117, {16}), (2053, 102, 40, {51, 52}),
        (2132, 97, 44, {48, 49}), (1415, 60, 47, {30, 31}), (2000, 62, 65, {30, 31}), (4026, 77, 105, {38, 39}),
        (2812, 72, 78, {36, 37}), (2585, 181, 29, {89, 90}), (3368, 253, 27, {124, 125}), (2472, 136, 36, {68, 69}),
        (3, 100, 1, {3}),
    ],
)  # fmt: skip
def test_bins_are_as_many_and_as_large_as_published(n_features, n_samples, n_bins, sizes, seed):
    assert D2CORFS()._n_bins(n_features, n_samples) == n_bins
    bins = partition(n_features, n_bins, np.random.default_rng(seed))
    assert {len(part) for part in bins} == sizes
    assert sorted(np.concatenate(bins).tolist()) == list(range(n_features))


def planted():
    """Three of 300 features make the class (specification of Hosseini 2018, §6.6)."""
    X = np.random.default_rng(7).standard_normal((60, 300))
    return X, (X[:, 10] + X[:, 150] + X[:, 290] > 0).astype(int)


@pytest.mark.parametrize(("index", "value"), [("biased", 0.685613), ("unbiased", 0.462458)])
@pytest.mark.parametrize("random_state", range(3))
def test_the_planted_features_meet_from_different_bins(index, value, random_state):
    X, y = planted()
    found = D2CORFS(index=index, confidence=None, n_bins=10, random_state=random_state).fit(X, y)
    assert sorted(found.indices_) == [10, 150, 290]
    assert found.value_ == pytest.approx(value, abs=1e-6)
    assert found.stop_ == "agreement"
    assert found.n_searches_ == 10 * found.n_rounds_
    assert found.rounds_["value"][-1] == pytest.approx(found.value_)
    assert (np.diff(found.rounds_["value"]) >= 0).all()
    assert np.bincount(found.bin_).tolist() == [30] * 10


def test_features_that_take_no_part_are_in_no_bin(seed):
    X, y = planted()
    X[:, 4] = 0.5
    found = D2CORFS(confidence=0.9, max_rounds=1).fit(X, y)
    assert found.bin_[4] == -1
    assert (found.bin_ < 0).sum() == found.n_screened_out_
    assert found.n_bins_ == max(1, round(2 * (300 - found.n_screened_out_) / 60))


@pytest.mark.parametrize(
    "options", [{"share_top": 3}, {"n_bins": 1}, {"patience": 2}, {"n_bins": 500}, {"scale": "none"}], ids=str
)
def test_every_option_does_what_the_slow_twin_does(options, seed):
    data = datasets.continuous(seed, n_samples=18, n_features=14)
    selector = D2CORFS(**{"confidence": None, "n_bins": 3, "max_rounds": 3, **options})
    fitted = datasets.fit(selector, data.X, data.y)
    order, _ = slow_d2corfs(data.X.tolist(), data.y.tolist(), selector.get_params(), None)
    assert fitted.indices_.tolist() == order


LOCAL = {"confidence": None, "n_bins": 4, "list_size": 3, "max_rounds": 3}


@pytest.mark.parametrize(
    "method", [m for m in holdfast.methods() if "binary" in m.takes and m.name != "d2corfs"], ids=lambda m: m.name
)
def test_every_method_of_the_registry_can_search_the_bins(method, seed):
    data = datasets.suited(method, datasets.continuous(seed, n_samples=40, n_features=24))
    small = {name: value for name, value in method.test_parameters.items() if name != "n_features_to_select"}
    found = datasets.fit(D2CORFS(selector=datasets.plain(method, **small), **LOCAL), data.X, data.y)
    each = distance_correlation(data.X, data.y)
    assert len(found.indices_) >= 1
    assert found.value_ >= 0.8 * each.max()
    again = datasets.fit(D2CORFS(selector=datasets.plain(method, **small), **LOCAL), data.X, data.y)
    assert again.indices_.tolist() == found.indices_.tolist()


def test_selectors_of_others_can_search_the_bins():
    X, y = planted()
    found = D2CORFS(selector=SelectKBest(k=2), confidence=None, n_bins=10).fit(X, y)
    assert {10, 150, 290} & set(found.indices_.tolist())
    assert len(found.indices_) == 2


def test_a_method_that_must_be_told_a_number_asks_for_it():
    X, y = planted()
    with pytest.raises(ValueError, match=r"selector='mrmr' keeps 50 features.*list_size=5"):
        D2CORFS(selector="mrmr").fit(X, y)
    assert len(D2CORFS(selector="mrmr", list_size=2, confidence=None).fit(X, y).indices_) == 2


def test_a_number_larger_than_a_bin_takes_all_of_it():
    X, y = planted()
    found = D2CORFS(selector=holdfast.MRMR(50), confidence=None, n_bins=30, max_rounds=1).fit(X, y)
    assert len(found.indices_) == 10


def test_settings_of_the_search_in_a_bin_can_be_given_by_name():
    X, y = planted()
    by_row = holdfast.selector("d2corfs", n_iterations=7, confidence=None, max_rounds=1)
    assert by_row.selector.n_iterations == 7
    by_hand = D2CORFS(selector=DCORFS(n_iterations=7), confidence=None, max_rounds=1)
    by_name = D2CORFS(confidence=None, max_rounds=1).set_params(selector__n_iterations=7)
    fits = [datasets.fit(one, X, y).rounds_.tolist() for one in (by_row, by_hand, by_name)]
    assert fits[0] == fits[1] == fits[2]
    with pytest.raises(TypeError, match="no parameter 'n_iteration'"):
        holdfast.selector("d2corfs", n_iteration=7)


def test_another_method_in_the_bins_takes_its_own_settings_by_name():
    by_row = holdfast.selector("d2corfs", selector="relieff", n_neighbors=4, list_size=5)
    assert type(by_row.selector) is holdfast.ReliefF
    assert by_row.selector.n_neighbors == 4


def test_a_search_in_a_bin_looks_for_what_bins_are_compared_by():
    X, y = planted()
    local = D2CORFS(selector=DCORFS(index="biased", measure="dcor"), index="unbiased", confidence=None)
    plain = D2CORFS(index="unbiased", confidence=None)
    assert local.fit(X, y).rounds_.tolist() == plain.fit(X, y).rounds_.tolist()


def test_a_classifier_can_judge_all_bins_by_the_same_folds(seed):
    X, y = planted()
    X = X[:, [10, 150, 290, *range(20, 40)]]
    options = {"measure": GaussianNB(), "cv": 3, "confidence": None, "n_bins": 3, "max_rounds": 2, "random_state": seed}
    local = DCORFS(n_iterations=6, n_subsets=10, elitist=True)
    found = D2CORFS(selector=local, **options).fit(X, y)
    assert found.value_ > 0.7
    assert found.n_evaluations_.classifier >= 3 * found.n_evaluations_.subset > 0
    assert found.rounds_["value"][-1] == pytest.approx(found.value_)


class _Recording(SelectorMixin, BaseEstimator):
    """Takes the first column and notes what it was given."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y):
        self.seen.append(X.copy())
        self.n_ = X.shape[1]
        return self

    def _get_support_mask(self):
        return np.arange(self.n_) == 0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_bin_is_given_its_own_columns_and_no_others(n_jobs):
    X, y = planted()
    _Recording.seen.clear()
    found = D2CORFS(selector=_Recording(), confidence=None, n_bins=6, max_rounds=1, n_jobs=n_jobs).fit(X, y)
    given = sorted(_Recording.seen, key=lambda table: table[0].tolist())
    expected = [X[:, found.bin_ == b] for b in range(6)]
    columns = [{column.tobytes() for column in table.T} for table in given]
    assert sorted(map(sorted, columns)) == sorted(sorted(c.tobytes() for c in table.T) for table in expected)


def test_no_more_columns_are_copied_than_bins_are_under_way(monkeypatch):
    X, y = planted()
    begun, done = [], []
    columns_of = holdfast.selectors._base.Problem.columns

    def columns(problem, columns):
        begun.append(len(columns))
        return columns_of(problem, columns)

    class Watched(_Recording):
        def fit(self, X, y):
            done.append(len(begun))
            return super().fit(X, y)

    monkeypatch.setattr("holdfast.selectors._base.Problem.columns", columns)
    D2CORFS(selector=Watched(), confidence=None, n_bins=50, max_rounds=1).fit(X, y)
    ahead = [number - place for place, number in enumerate(done)]
    assert max(ahead) <= 2


def assert_same(one, other):
    assert one.indices_.tolist() == other.indices_.tolist()
    assert one.scores_.tobytes() == other.scores_.tobytes()
    assert one.rounds_.tobytes() == other.rounds_.tobytes()
    assert one.bin_.tobytes() == other.bin_.tobytes()
    assert (one.stop_, one.n_evaluations_, one.n_cache_hits_) == (
        other.stop_,
        other.n_evaluations_,
        other.n_cache_hits_,
    )


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing", "sequential"])
def test_threads_and_processes_change_no_bit(backend):
    X, y = planted()
    alone = D2CORFS(confidence=0.9).fit(X, y)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert_same(alone, D2CORFS(confidence=0.9).fit(X, y))
    assert_same(alone, D2CORFS(confidence=0.9, n_jobs=2).fit(X, y))


def test_a_perfect_set_ends_the_round_the_same_way_however_many_work():
    X, y = planted()
    X[:, 77] = y
    found = [D2CORFS(confidence=None, n_bins=10, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2, 3)]
    assert found[0].stop_ == "perfect"
    assert found[0].indices_.tolist() == [77]
    assert found[0].n_searches_ == found[0].bin_[77] + 1
    assert_same(found[0], found[1])
    assert_same(found[0], found[2])


def test_bins_that_find_nothing_are_told_once_and_in_words():
    X, y = planted()
    with pytest.warns(NothingSelected) as caught:
        found = D2CORFS(selector=DCORFS(n_iterations=1, step=900.0), confidence=None, n_bins=10, n_jobs=2).fit(X, y)
    assert len(caught) == 1
    assert "no bin found a set" in str(caught[0].message)
    assert found.stop_ == "agreement"
    assert found.rounds_["n_empty"].tolist() == [10]


def test_it_tells_how_far_it_is_and_how_it_ended():
    X, y = planted()
    told = []
    with watching(lambda *what: told.append(what)):
        found = D2CORFS(confidence=None, n_bins=10, n_jobs=2).fit(X, y)
    assert told[0] == ("Bins of round 1 of at most 5", 1, 10)
    assert [what[1] for what in told] == [*range(1, 11)] * found.n_rounds_
    assert found._notes == [f"10 bins, {found.n_rounds_} rounds; it ended because all bins found the same set."]
    assert found._details["stop"] == "agreement"


def test_an_error_in_a_bin_comes_through():
    X, y = planted()
    with pytest.raises(ValueError, match="n_neighbors"):
        D2CORFS(selector=holdfast.ReliefF(n_neighbors=0), list_size=2, n_jobs=2, confidence=None).fit(X, y)


def test_a_function_has_no_largest_value_that_would_end_the_search():
    X, y = planted()

    def hundredfold(values, classes):
        return 100 * distance_correlation(
            (values - values.min(axis=0)) / np.ptp(values, axis=0), classes, subsets="all"
        )

    options = {"confidence": None, "n_bins": 10, "max_rounds": 2}
    found = D2CORFS(measure=hundredfold, **options).fit(X, y)
    assert found.stop_ == "rounds"
    assert found.n_searches_ == 20
    plain = D2CORFS(**options).fit(X, y)
    assert plain.value_ > 0.6
    # Steps go by differences of values, so that only the bins are the same.
    assert found.bin_.tolist() == plain.bin_.tolist()


def test_a_score_that_is_never_above_zero_is_compared_with_that_of_no_features():
    X, y = planted()
    X = X[:, [10, 150, 290, *range(20, 40)]]

    def less_wrong(model, values, classes):
        return -float(np.mean(model.predict(values) != classes))

    local = DCORFS(n_iterations=6, n_subsets=10, elitist=True)
    options = {"measure": GaussianNB(), "cv": 3, "scoring": less_wrong, "n_bins": 3, "max_rounds": 2}
    found = D2CORFS(selector=local, confidence=None, **options).fit(X, y)
    assert -0.36 < found.value_ < 0
    assert len(found.indices_) > 0
    assert found.stop_ != "perfect"


def test_a_function_that_is_never_above_zero_is_compared_with_what_is_said_of_no_features():
    X, y = planted()

    def loss(values, classes):
        return distance_correlation(values, classes, subsets="all") - 1

    options = {"confidence": None, "n_bins": 4, "max_rounds": 1, "measure": loss}
    with pytest.warns(NothingSelected, match="value_of_nothing"):
        D2CORFS(**options).fit(X, y)
    assert D2CORFS(value_of_nothing=-1.0, **options).fit(X, y).value_ > -0.5


def test_a_number_for_selectors_that_take_none_is_refused():
    X, y = planted()
    with pytest.raises(ValueError, match="list_size=3, but SelectPercentile has no parameter n_features_to_select"):
        D2CORFS(selector=SelectPercentile(), list_size=3, confidence=None).fit(X, y)


def test_bins_can_be_searched_by_bins_that_look_for_the_same():
    X, y = planted()
    inner = D2CORFS(n_bins=2, max_rounds=2, index="biased")
    found = D2CORFS(selector=inner, index="unbiased", confidence=None, n_bins=3, max_rounds=2).fit(X, y)
    assert {10, 150, 290} & set(found.indices_.tolist())
    assert found.value_ < 0.5
