"""BeeColony and MRMRGA stopped: by the clock or by Ctrl-C, in every phase, and inside of loops."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import holdfast
from holdfast import MRMRGA, BeeColony, EnsembleSelector
from holdfast._progress import watching
from holdfast.measures.wrapper_score import WrapperScore
from holdfast.search import fitness
from holdfast.selectors.evolutionary import _base
from oracles import datasets


class Stopped(GaussianNB):
    """Naive Bayes that counts how often it is trained, at the last of which the user has had enough."""

    n_fits = 0
    last = None

    def fit(self, X, y):
        Stopped.n_fits += 1
        if Stopped.n_fits == Stopped.last:
            raise KeyboardInterrupt
        return super().fit(X, y)


BEES = BeeColony(
    n_bees=3, n_cycles=3, block_size=6, max_blocks=2, pool_fitness=2.0, target_fitness=None, outer_cv=None, cv=2,
    estimator=Stopped(),
)  # fmt: skip
GENES = MRMRGA(population=4, n_generations=3, pool_size=6, outer_cv=None, cv=2, estimator=Stopped())


@pytest.fixture(params=[BEES, GENES], ids=["bees", "genes"])
def small(request):
    return request.param


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=30, n_features=14)


@pytest.fixture(autouse=True)
def _nobody_stops():
    yield
    Stopped.last = None


def _stopped(selector, data, last=None):
    """Fit, and be stopped at the last training."""
    Stopped.n_fits, Stopped.last = 0, last
    return clone(selector).fit(data.X, data.y)


def _marks(selector, data):
    """Trainings done before each report of an undisturbed search, and in all."""
    found = {}
    with watching(lambda what, done, total: found.setdefault((what.split(", best")[0], done), Stopped.n_fits)):
        _stopped(selector, data)
    return {name: n for name, n in found.items() if name[0] != "Features chosen"}, Stopped.n_fits


def _rounds(selector):
    return "Bee cycles" if isinstance(selector, BeeColony) else "Generations"


def test_an_interrupted_search_gives_the_best_so_far(small, data):
    cv = list(StratifiedKFold(2).split(data.X, data.y))
    selector = clone(small).set_params(cv=cv, outer_cv=3)
    marks, _ = _marks(selector, data)
    rounds = _rounds(small)
    undisturbed = _stopped(selector, data)
    for last in range(marks[rounds, 0] + 1, marks[rounds, 3] + 1):
        fitted = _stopped(selector, data, last)
        assert fitted.ended_ == "interrupted"
        judged = WrapperScore(data.X[:, fitted.pool_], data.y, estimator=GaussianNB(), scoring="accuracy", cv=cv)
        places = np.flatnonzero(np.isin(fitted.pool_, fitted.indices_))
        assert fitted.inner_fitness_ == judged.score(places) >= fitted.history_["best"][-1]
        assert fitted.indices_.tolist() == fitted.pool_[places].tolist()
        assert fitted.history_.tolist() == undisturbed.history_[: len(fitted.history_)].tolist()
        assert fitted.queens_.tolist() == undisturbed.queens_[: len(fitted.queens_)].tolist()
        assert np.isnan(fitted.scores_).all()


def test_an_interrupted_search_says_so_and_asks_for_no_more(small, data):
    selector = clone(small).set_params(outer_cv=3)
    marks, _ = _marks(selector, data)
    fitted = _stopped(selector, data, marks[_rounds(small), 0] + 1)
    assert Stopped.n_fits == Stopped.last
    assert "for the search was interrupted." in fitted._notes[1]
    assert fitted._notes[2].startswith("The search ended early, since it was interrupted: the list is the best so far")
    assert fitted._was_interrupted
    assert fitted._details["ended"] == "interrupted"
    assert fitted._score_means == ""
    assert not _stopped(selector, data)._was_interrupted


def test_the_first_sets_may_be_interrupted_too(small, data):
    marks, _ = _marks(small, data)
    first = "Bees, first ones" if isinstance(small, BeeColony) else "Generations, first one"
    for last in range(marks[first, 0] + 1, marks[_rounds(small), 0] + 1):
        fitted = _stopped(small, data, last)
        assert fitted.ended_ == "interrupted"
        assert 0 < len(fitted.indices_) <= 12
        assert set(fitted.indices_) <= set(fitted.pool_)


def test_putting_the_list_in_order_may_be_interrupted_too(small, data):
    marks, n_fits = _marks(small, data)
    undisturbed = _stopped(small, data)
    for last in range(marks[_rounds(small), 3] + 1, n_fits + 1):
        fitted = _stopped(small, data, last)
        assert set(fitted.indices_) == set(undisturbed.indices_)
        assert fitted.inner_fitness_ == undisturbed.inner_fitness_


def test_an_interruption_while_the_filter_chooses_gives_what_it_has_chosen(small, data):
    for n_chosen in (1, 4):

        def stop(what, done, total, n_chosen=n_chosen):
            if (what, done) == ("Features chosen", n_chosen):
                raise KeyboardInterrupt

        with watching(stop):
            fitted = clone(small).fit(data.X, data.y)
        assert fitted.ended_ == "interrupted"
        assert fitted.indices_.tolist() == holdfast.MRMR(n_chosen).fit(data.X, data.y).indices_.tolist()
        assert (len(fitted.history_), len(fitted.population_), len(fitted.queens_)) == (0, 0, 0)


def test_a_list_that_no_classifier_has_seen_has_no_inner_fitness_and_that_is_said():
    data = datasets.continuous(0, n_samples=30, n_features=14)
    fitted = _stopped(BEES, data, 1)
    assert len(fitted.indices_) == 6
    assert np.isnan(fitted.inner_fitness_)
    assert fitted._details["inner_fitness"] is None
    assert "nan" not in fitted._notes[0]


def test_an_interruption_while_the_pool_grows_gives_the_pool_that_is_known(data):
    ranked = holdfast.MRMR(6).fit(data.X, data.y).indices_
    alone = _stopped(clone(BEES).set_params(pool_fitness=0.0), data)
    # Two trainings for the first block; the second one is not known yet.
    fitted = _stopped(BEES, data, 3)
    assert fitted.ended_ == "interrupted"
    assert fitted.indices_.tolist() == fitted.pool_.tolist() == ranked.tolist()
    assert fitted.inner_fitness_ == fitted.pool_fitness_ == alone.pool_fitness_


def test_no_more_features_than_asked_for_are_listed_after_an_interruption(data):
    assert len(_stopped(clone(BEES).set_params(n_features_to_select=2), data, 1).indices_) == 2


class Impatient(holdfast.FTest):
    """A filter at which the user has had enough."""

    def fit(self, X, y=None):
        raise KeyboardInterrupt


def test_before_the_filter_has_taken_anything_an_interruption_gives_what_says_most_by_itself(data):
    fitted = clone(BEES).set_params(filter=Impatient(), outer_cv=3).fit(data.X, data.y)
    assert fitted.ended_ == "interrupted"
    order = np.argsort(-fitted.relevance_)
    assert fitted.indices_.tolist() == order[:6].tolist()
    assert fitted.n_evaluations_.subset == 0


@pytest.mark.parametrize(
    "place", ["holdfast.selectors.evolutionary._outer._judged", "holdfast.selectors.evolutionary._outer.draw_folds",
              "holdfast.selectors.evolutionary._outer.sample_order"],
)  # fmt: skip
def test_wherever_the_outer_estimate_is_interrupted_the_list_stays(small, data, place, monkeypatch):
    undisturbed = _stopped(small, data)

    def stop(*given, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, stop)
    fitted = clone(small).set_params(outer_cv=3).fit(data.X, data.y)
    assert fitted.indices_.tolist() == undisturbed.indices_.tolist()
    assert fitted.outer_note_ == "it was interrupted"
    assert fitted._was_interrupted


def test_an_interruption_just_before_the_search_gives_what_the_filter_took(small, data, monkeypatch):
    begin = type(small)._search
    calls = []

    def stop_first(self, *given):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return begin(self, *given)

    monkeypatch.setattr(type(small), "_search", stop_first)
    fitted = clone(small).fit(data.X, data.y)
    assert fitted.ended_ == "interrupted"
    assert fitted.indices_.tolist() == fitted.pool_.tolist()


def test_an_interrupted_outer_estimate_is_of_the_splits_that_were_done(small, data):
    cv = list(StratifiedKFold(3).split(data.X, data.y))
    selector = clone(small).set_params(outer_cv=cv)
    marks, _ = _marks(selector, data)
    undisturbed = _stopped(selector, data)
    early = _stopped(selector, data, marks["Outer splits", 0] + 1)
    assert np.isnan(early.outer_score_)
    assert "Outer score: not known, for it was interrupted." in early._notes[1]
    late = _stopped(selector, data, marks["Outer splits", 2] + 1)
    first = _stopped(clone(selector).set_params(outer_cv=cv[:2]), data)
    assert late.n_outer_splits_ == 2
    assert late.outer_score_ == first.outer_score_
    assert "in 2 of 3 outer splits, for it was interrupted." in late._notes[1]
    for fitted in (early, late):
        assert fitted.indices_.tolist() == undisturbed.indices_.tolist()
        assert (fitted.inner_fitness_, fitted.ended_) == (undisturbed.inner_fitness_, "rounds")


def test_after_an_interrupted_outer_estimate_nothing_more_should_be_done(small, data):
    selector = clone(small).set_params(outer_cv=3)
    marks, _ = _marks(selector, data)
    assert _stopped(selector, data, marks["Outer splits", 1] + 1)._was_interrupted


def _loops(selector, data):
    yield lambda: holdfast.selection_frequency(selector, data.X, data.y, n_runs=2)
    yield lambda: EnsembleSelector(3, selector=selector, n_runs=2).fit(data.X, data.y)
    yield lambda: holdfast.compare(
        data.X, data.y, methods={"own": selector}, sizes=["own"], classifiers=["nb"], protocol="2cv"
    )


@pytest.mark.parametrize("loop", range(3), ids=["selection_frequency", "ensemble", "compare"])
def test_in_a_loop_an_interruption_stops_the_loop(small, data, loop):
    selector = clone(small).set_params(outer_cv=2)
    run = list(_loops(selector, data))[loop]
    Stopped.n_fits = 0
    run()
    for last in (2, Stopped.n_fits // 2):
        Stopped.n_fits, Stopped.last = 0, last
        with pytest.raises(KeyboardInterrupt):
            run()
        assert Stopped.n_fits == last
        Stopped.last = None


@pytest.mark.parametrize("loop", range(3), ids=["selection_frequency", "ensemble", "compare"])
def test_in_a_loop_there_is_no_outer_estimate(small, data, loop):
    n_fits = []
    for outer_cv in (None, 3):
        Stopped.n_fits = 0
        list(_loops(clone(small).set_params(outer_cv=outer_cv), data))[loop]()
        n_fits.append(Stopped.n_fits)
    assert n_fits[0] == n_fits[1] > 0


def test_almost_no_time_still_gives_a_list(small, data):
    size = {"n_bees": 50} if isinstance(small, BeeColony) else {"population": 50}
    fitted = clone(small).set_params(max_time=1e-9, outer_cv=3, **size).fit(data.X, data.y)
    assert fitted.ended_ == "max_time"
    assert len(fitted.indices_) > 0
    # One block, and the one set that is asked for before the clock is looked at.
    assert len(fitted.pool_) == 6
    assert fitted.n_requests_ <= 2
    assert 0 < fitted.inner_fitness_ <= 1
    assert np.isnan(fitted.scores_).all()
    assert (fitted.n_outer_splits_, len(fitted.history_)) == (3, 0)
    assert fitted._notes[2].startswith("The search ended early, since max_time was over")
    assert not fitted._was_interrupted


def test_time_enough_changes_nothing(small, data):
    plain, timed = (clone(small).set_params(max_time=limit, outer_cv=2).fit(data.X, data.y) for limit in (None, 1e6))
    assert plain.indices_.tolist() == timed.indices_.tolist()
    assert plain.history_.tobytes() == timed.history_.tobytes()
    assert (plain.outer_score_, plain.ended_) == (timed.outer_score_, timed.ended_)


@pytest.mark.parametrize(
    ("outer_cv", "n_searches"), [(None, 1), (2, 3), (StratifiedKFold(4), 5), ([(np.arange(20), np.arange(20, 30))], 2)]
)
def test_outer_searches_share_the_time(small, data, outer_cv, n_searches, monkeypatch):
    asked = []
    begin = type(small)._search

    def noted(self, judged, *given):
        asked.append(judged._deadline)
        return begin(self, judged, *given)

    class Still:
        @staticmethod
        def monotonic():
            return 100.0

    monkeypatch.setattr(type(small), "_search", noted)
    monkeypatch.setattr(_base, "time", Still)
    monkeypatch.setattr(fitness, "time", Still)
    clone(small).set_params(max_time=30.0, outer_cv=outer_cv).fit(data.X, data.y)
    assert asked == pytest.approx([100.0 + 30.0 / n_searches] * n_searches)


class Clock:
    """A clock that moves by a second whenever a classifier is trained."""

    @staticmethod
    def monotonic():
        return float(Stopped.n_fits)


def test_a_list_that_there_is_no_time_to_order_comes_as_the_filter_had_it(small, data, monkeypatch):
    marks, n_fits = _marks(small, data)
    done = marks[_rounds(small), 3]
    undisturbed = _stopped(small, data)
    for module in (_base, fitness):
        monkeypatch.setattr(module, "time", Clock)
    selector = clone(small).set_params(max_time=done + 0.5)
    Stopped.n_fits, Stopped.last = 0, None
    fitted = selector.fit(data.X, data.y)
    # One set more than there was time for, in two folds.
    assert Stopped.n_fits <= done + 2
    assert done < n_fits
    assert fitted.ended_ == "rounds"
    assert set(fitted.indices_) == set(undisturbed.indices_)
    assert np.isnan(fitted.scores_).all()
    assert fitted._score_means == ""
    assert "no time left to put the list in order" in fitted._notes[-1]
