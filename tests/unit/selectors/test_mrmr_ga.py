"""MRMRGA: its names, its pool, the same search behind MRMR and MRMR+, what it tells, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import holdfast
from holdfast import MRMR, MRMRGA, DataError, FTest, NothingSelected
from holdfast.measures.wrapper_score import WrapperScore
from oracles import datasets

SMALL = {"population": 6, "n_generations": 4, "cv": 3, "outer_cv": None, "pool_size": 10}
KINDS = [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed]


def _fit(data, *args, **parameters):
    return MRMRGA(*args, **{**SMALL, **parameters}).fit(data.X, data.y)


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=36, n_features=20)


def test_it_has_the_settings_of_the_specification():
    made = holdfast.selector("mrmr-ga").get_params()
    assert made == MRMRGA().get_params()
    expected = {
        "filter": "mrmr+", "pool_size": 50, "population": 40, "n_generations": 50, "tournament": 2, "crossover": 0.8,
        "mutation": None, "elite": 1, "start_share": 0.5, "target_fitness": None, "patience": None,
    }  # fmt: skip
    assert {name: made[name] for name in expected} == expected


@pytest.mark.parametrize("alias", ["mrmr-ga+", "genetic", "MRMR-GA", "mrmr_ga"])
def test_aliases_are_the_same_method(alias):
    assert holdfast.selector(alias).get_params() == holdfast.selector("mrmr-ga").get_params()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_mrmr_and_mrmr_plus_leave_the_same_pool_and_all_that_follows_is_the_same(kind, seed):
    data = kind(seed)
    slow, fast = (_fit(data, filter=name) for name in ("mrmr", "mrmr+"))
    assert slow.pool_.tolist() == fast.pool_.tolist()
    assert slow.indices_.tolist() == fast.indices_.tolist()
    for name in ("scores_", "population_", "population_fitness_", "queens_", "queen_trace_", "history_"):
        assert getattr(slow, name).tobytes() == getattr(fast, name).tobytes()
    assert slow.n_evaluations_.pair >= fast.n_evaluations_.pair
    assert slow.n_evaluations_.subset == fast.n_evaluations_.subset


def test_the_look_up_changes_counts_only(data):
    known, again = (_fit(data, look_up=look_up, n_generations=8) for look_up in (True, False))
    assert known.indices_.tolist() == again.indices_.tolist()
    assert known.population_.tobytes() == again.population_.tobytes()
    assert known.n_requests_ == again.n_requests_ == again.n_evaluations_.subset
    assert (again.n_cache_hits_, known.n_cache_hits_) == (0, known.n_requests_ - known.n_evaluations_.subset)
    # The elite aside a generation has as many sets as the first; without a look-up each is judged.
    assert again.history_["n_evaluations"].tolist() == [6 * (i + 1) for i in range(9)]
    assert known.history_["n_evaluations"][-1] < again.history_["n_evaluations"][-1]


@pytest.mark.parametrize("pool_size", [3, 10, 99])
def test_the_pool_is_what_mrmr_takes_first_and_costs_no_evaluation(data, pool_size):
    fitted = _fit(data, pool_size=pool_size, look_up=False, n_generations=0)
    assert fitted.pool_.tolist() == MRMR(min(pool_size, 20)).fit(data.X, data.y).indices_.tolist()
    assert np.isnan(fitted.pool_fitness_)
    assert fitted.history_["n_evaluations"].tolist() == [6]


def test_any_filter_leaves_the_pool(data):
    fitted = _fit(data, filter=FTest(), pool_size=7)
    assert fitted.pool_.tolist() == FTest(7).fit(data.X, data.y).indices_.tolist()
    assert fitted.pool_.tolist() == _fit(data, filter="f-test", pool_size=7).pool_.tolist()


def test_features_that_do_not_vary_are_not_in_the_pool(seed):
    data = datasets.copied(seed)
    fitted = _fit(data, pool_size=50)
    assert len(fitted.pool_) == (np.ptp(data.X, axis=0) > 0).sum() < data.X.shape[1]


def test_where_nothing_varies_nothing_is_chosen_and_that_is_said():
    with pytest.warns(NothingSelected, match="MRMRGA kept none of 3 features"):
        fitted = MRMRGA(**SMALL).fit(np.ones((12, 3)), np.arange(12) % 2)
    assert (len(fitted.indices_), len(fitted.pool_), len(fitted.history_)) == (0, 0, 0)


@pytest.mark.parametrize("n_asked", [1, 3, 0.1])
def test_no_set_larger_than_asked_for_is_looked_at(data, n_asked):
    fitted = _fit(data, n_asked, mutation=0.5, start_share=1.0)
    most = 2 if n_asked == 0.1 else n_asked
    assert 1 <= len(fitted.indices_) <= most
    assert fitted.population_.sum(axis=1).max() <= most
    assert fitted.population_.sum(axis=1).min() >= 1


def test_what_is_told_about_a_search_fits_together(data):
    splits = list(StratifiedKFold(3).split(data.X, data.y))
    fitted = _fit(data, cv=splits, elite=0, mutation=0.3)
    judged = WrapperScore(data.X[:, fitted.pool_], data.y, estimator="svm", scoring="accuracy", cv=splits)
    trace, history = fitted.queen_trace_, fitted.history_
    assert fitted.inner_fitness_ == trace["fitness"][-1] == history["best"][-1] == trace["fitness"].max()
    assert set(fitted.pool_[fitted.queens_[-1]]) == set(fitted.indices_)
    assert [judged.score(np.flatnonzero(one)) for one in fitted.queens_] == trace["fitness"].tolist()
    assert [judged.score(np.flatnonzero(one)) for one in fitted.population_] == fitted.population_fitness_.tolist()
    assert history["mean"][-1] == pytest.approx(fitted.population_fitness_.mean())
    assert (history["cycle"].tolist(), history["n_renewed"].tolist()) == ([0, 1, 2, 3, 4], [0] * 5)
    assert history["n_requests"].tolist() == [6, 12, 18, 24, 30]
    assert fitted.n_evaluations_.classifier == 3 * fitted.n_evaluations_.subset
    assert fitted.scores_[fitted.indices_].sum() == pytest.approx(fitted.inner_fitness_)


def test_the_best_is_kept_where_the_elite_is_and_may_be_lost_from_a_population_without(data):
    kept = _fit(data, elite=1, mutation=0.5)
    assert kept.population_fitness_.max() == kept.inner_fitness_
    all_kept = _fit(data, elite=99, mutation=0.5)
    assert (np.diff(all_kept.history_["mean"]) >= -1e-12).all()


def test_a_search_ends_at_its_target_or_when_patience_is_over_or_after_all_generations(data):
    assert _fit(data).ended_ == "rounds"
    assert _fit(data, target_fitness=0.3).ended_ == "target_fitness"
    late = _fit(data, patience=2, n_generations=99)
    assert late.ended_ == "patience"
    assert late.history_["cycle"][-1] == late.queen_trace_["cycle"][-1] + 2
    assert "the best set stayed the same for as many generations as patience allows" in late._notes[2]


def test_a_generation_without_breeding_is_the_first(data):
    first, later = (_fit(data, n_generations=n, crossover=0.0, mutation=0.0, elite=0) for n in (0, 3))
    assert {one.tobytes() for one in later.population_} <= {one.tobytes() for one in first.population_}
    assert later.inner_fitness_ == first.inner_fitness_


def test_of_sets_as_good_the_smaller_one_is_chosen_where_that_is_asked_for(data):
    plain, small = (
        _fit(data, estimator=GaussianNB(), prefer_smaller=prefers, n_generations=10) for prefers in (False, True)
    )
    assert small.inner_fitness_ == pytest.approx(plain.inner_fitness_)
    assert len(small.indices_) <= len(plain.indices_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"population": 1}, r"^population=1 is not allowed for MRMRGA.* at least 2"),
        ({"pool_size": 0}, r"^pool_size=0 "),
        ({"n_generations": -1}, r"^n_generations=-1 "),
        ({"tournament": 0}, r"^tournament=0 "),
        ({"crossover": 1.1}, r"^crossover=1\.1 "),
        ({"mutation": -0.1}, r"^mutation=-0\.1 "),
        ({"elite": -1}, r"^elite=-1 "),
        ({"start_share": 0.0}, r"^start_share=0\.0 "),
        ({"filter": "fish"}, r"^filter.*'fish'"),
        ({"filter": None}, r"^filter=None "),
        ({"look_up": "yes"}, r"^look_up='yes' "),
        ({"prefer_smaller": 1}, r"^prefer_smaller=1 "),
        ({"target_fitness": "good"}, r"^target_fitness='good' "),
        ({"max_time": -2}, r"^max_time=-2 "),
        ({"n_jobs": 0}, r"^n_jobs=0 "),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused_by_name(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        _fit(data, **parameters)


def test_a_class_of_one_sample_is_refused_by_name(data):
    with pytest.raises(DataError, match="'odd' has 1 sample"):
        MRMRGA(**SMALL).fit(data.X, np.where(np.arange(36) == 7, "odd", "even"))
