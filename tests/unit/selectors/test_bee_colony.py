"""BeeColony: names and switches, the pool, filters, what is told about a search, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import MRMR, BeeColony, DataError, FTest, NothingSelected, ReliefF
from holdfast.measures.wrapper_score import WrapperScore
from oracles import datasets

SMALL = {"n_bees": 5, "n_cycles": 3, "cv": 3, "outer_cv": None, "block_size": 10}
SWITCHES = {
    "filter": "mrmr", "start": "uniform", "intensify": "mutation", "target_fitness": None, "patience": None,
    "look_up": False,
}  # fmt: skip
KINDS = [datasets.continuous, datasets.tied, datasets.copied, datasets.mixed]


def _fit(data, *args, **parameters):
    return BeeColony(*args, **{**SMALL, **parameters}).fit(data.X, data.y)


def _splits(data, n_folds=3):
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=1).split(data.X, data.y))


def _judge(data, columns, **options):
    return WrapperScore(
        data.X[:, columns], data.y, **{"estimator": "svm", "scoring": "accuracy", "cv": _splits(data), **options}
    )


def _course(fitted, *, counts=True):
    """All that a search did, as bytes; ``counts`` are those of evaluations."""
    told = ["cycle", "best", "mean", "n_features", "n_requests", "n_renewed"] + ["n_evaluations"] * counts
    traced = ["cycle", "phase", "fitness", "n_features", "n_requests"] + ["n_evaluations"] * counts
    return (
        fitted.inner_fitness_,
        fitted.history_[told].tolist(),
        fitted.queen_trace_[traced].tolist(),
        fitted.population_.tobytes(),
        fitted.population_fitness_.tobytes(),
        fitted.queens_.tobytes(),
    )


@pytest.fixture
def data(seed):
    return datasets.continuous(seed, n_samples=36, n_features=20)


def test_gbc_has_all_improvements_off_and_gbc_plus_all_on():
    plain, plus = (holdfast.selector(name).get_params() for name in ("gbc", "gbc+"))
    assert plus == BeeColony().get_params()
    assert {name: plain[name] for name in plain if plain[name] != plus[name]} == SWITCHES
    assert {name: plus[name] for name in SWITCHES} == {
        "filter": "mrmr+", "start": "ranked", "intensify": "greedy", "target_fitness": 1.0, "patience": 10,
        "look_up": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("alias", "name"),
    [("genetic-bee-colony", "gbc"), ("GBC", "gbc"), ("gbc-plus", "gbc+"), ("bee-colony", "gbc+"), ("GBC+", "gbc+")],
)
def test_aliases_are_the_same_methods(alias, name):
    assert holdfast.selector(alias).get_params() == holdfast.selector(name).get_params()


@pytest.mark.parametrize(("name", "value"), [*SWITCHES.items()], ids=str)
def test_what_contradicts_a_name_is_refused(name, value):
    with pytest.raises(ValueError, match=rf"{name}=.* contradicts the method 'gbc'"):
        holdfast.selector("gbc", **{name: BeeColony().get_params()[name]})
    if name in ("start", "intensify", "look_up"):
        with pytest.raises(ValueError, match=rf"{name}=.* contradicts the method 'gbc\+'"):
            holdfast.selector("gbc+", **{name: value})


@pytest.mark.parametrize("name", list(SWITCHES))
def test_every_improvement_may_be_switched_off_alone(data, name):
    fitted = _fit(data, **{name: SWITCHES[name]})
    assert 0 < len(fitted.indices_) <= 20
    assert fitted.ended_ in ("rounds", "target_fitness", "patience")


def test_bees_by_rank_take_earlier_features_than_bees_by_chance(seed):
    data = datasets.Data("noise", np.random.default_rng(seed).normal(size=(30, 40)), np.arange(30) % 2)
    places = {
        start: _fit(data, start=start, n_cycles=0, n_bees=15, block_size=40).population_.nonzero()[1].mean()
        for start in ("ranked", "uniform")
    }
    assert places["ranked"] < places["uniform"] - 2


def test_the_queen_improves_greedily_or_mutates(seed):
    phases = {"greedy": set(), "mutation": set()}
    for number in range(3):
        data = datasets.continuous(seed * 10 + number, n_samples=50, n_features=20)
        for intensify, seen in phases.items():
            fitted = _fit(data, intensify=intensify, mutation=0.5, n_bees=4, n_cycles=6, target_fitness=None)
            seen |= set(fitted.queen_trace_["phase"].tolist())
    assert phases["greedy"] <= {"start", "employed", "onlooker", "scout", "forward", "backward"}
    assert phases["mutation"] <= {"start", "employed", "onlooker", "scout", "mutation"}


def test_a_search_ends_at_its_target_or_when_patience_is_over_or_after_all_cycles(data):
    assert _fit(data, target_fitness=0.5).ended_ == "target_fitness"
    assert len(_fit(data, target_fitness=0.5).history_) == 1
    late = _fit(data, target_fitness=None, patience=2, n_cycles=60)
    assert late.ended_ == "patience"
    assert late.history_["cycle"][-1] == late.queen_trace_["cycle"][-1] + 2
    assert _fit(data, target_fitness=None, patience=None).ended_ == "rounds"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_mrmr_and_mrmr_plus_leave_the_same_pool_and_all_that_follows_is_the_same(kind, seed):
    data = kind(seed)
    slow, fast = (_fit(data, filter=name) for name in ("mrmr", "mrmr+"))
    assert slow.pool_.tolist() == fast.pool_.tolist()
    assert slow.pool_fitness_ == fast.pool_fitness_
    assert slow.indices_.tolist() == fast.indices_.tolist()
    assert slow.scores_.tobytes() == fast.scores_.tobytes()
    assert _course(slow) == _course(fast)
    assert slow.n_evaluations_.pair >= fast.n_evaluations_.pair
    assert slow.n_evaluations_.subset == fast.n_evaluations_.subset


@pytest.mark.parametrize("name", ["gbc", "gbc+"])
def test_the_look_up_changes_counts_only(data, name):
    known, again = (
        BeeColony(**{**(SWITCHES if name == "gbc" else {}), **SMALL, "look_up": look_up}).fit(data.X, data.y)
        for look_up in (True, False)
    )
    assert known.indices_.tolist() == again.indices_.tolist()
    assert known.scores_.tobytes() == again.scores_.tobytes()
    assert _course(known, counts=False) == _course(again, counts=False)
    assert known.n_requests_ == again.n_requests_ == again.n_evaluations_.subset
    assert again.n_cache_hits_ == 0
    assert known.n_cache_hits_ > 0
    assert known.n_evaluations_.subset == known.n_requests_ - known.n_cache_hits_


def test_the_pool_grows_by_blocks_to_the_best_of_those_looked_at(data):
    fitted = _fit(data, block_size=4, max_blocks=3, pool_fitness=2.0, cv=_splits(data))
    ranked = MRMR(12).fit(data.X, data.y).indices_
    values = [_judge(data, ranked[:size]).score(range(size)) for size in (4, 8, 12)]
    assert fitted.pool_fitness_ == max(values)
    assert fitted.pool_.tolist() == ranked[: 4 * (1 + values.index(max(values)))].tolist()


def test_the_pool_stops_growing_when_it_is_good_enough(data):
    fitted = _fit(data, block_size=4, max_blocks=3, pool_fitness=0.1)
    assert len(fitted.pool_) == 4
    assert set(fitted.indices_) <= set(fitted.pool_)


def test_a_pool_takes_all_features_there_are_and_no_more(data):
    fitted = _fit(data, block_size=15, max_blocks=99, pool_fitness=2.0)
    assert len(fitted.pool_) in (15, 20)
    assert fitted.n_evaluations_.pair == MRMR(20).fit(data.X, data.y).n_evaluations_.pair


def test_features_that_do_not_vary_are_not_in_the_pool(seed):
    data = datasets.mixed(seed)
    fitted = _fit(data, block_size=50)
    assert len(fitted.pool_) == (np.ptp(data.X, axis=0) > 0).sum() < data.X.shape[1]


@pytest.mark.parametrize(
    "given", ["f-test", "relieff", "su", FTest(), ReliefF(n_neighbors=3), MRMR(objective="fcq")], ids=str
)
def test_any_filter_leaves_its_first_features(data, given):
    fitted = _fit(data, filter=given, block_size=6, max_blocks=2, pool_fitness=2.0)
    made = holdfast.selector(given) if isinstance(given, str) else clone(given)
    order = made.set_params(n_features_to_select=12).fit(data.X, data.y).indices_
    assert fitted.pool_.tolist() in (order[:6].tolist(), order.tolist())
    assert not hasattr(given, "indices_")


def test_a_filter_that_finds_its_own_number_leaves_what_it_finds(data):
    fitted = _fit(data, filter="cfs+", block_size=20)
    own = holdfast.selector("cfs+", n_features_to_select=None).fit(data.X, data.y)
    assert fitted.pool_.tolist() == own.indices_.tolist()


def test_where_the_filter_leaves_nothing_nothing_is_chosen_and_that_is_said():
    X, y = np.ones((12, 3)), np.arange(12) % 2
    with pytest.warns(NothingSelected, match=r"BeeColony kept none of 3 features: the filter, 'mrmr\+', left none"):
        fitted = BeeColony(**{**SMALL, "outer_cv": 2}).fit(X, y)
    assert (len(fitted.indices_), fitted.population_.shape, fitted.n_evaluations_.classifier) == (0, (0, 0), 0)
    assert "nothing to test" in fitted._notes[1]


@pytest.mark.parametrize("n_asked", [1, 3, 0.1])
def test_no_set_larger_than_asked_for_is_looked_at(data, n_asked):
    fitted = _fit(data, n_asked, target_fitness=None)
    most = 2 if n_asked == 0.1 else n_asked
    assert 1 <= len(fitted.indices_) <= most
    assert fitted.population_.sum(axis=1).max() <= most
    assert fitted.queens_.sum(axis=1).max() <= most


def test_what_is_told_about_a_search_fits_together(data):
    fitted = _fit(data, cv=_splits(data), target_fitness=None)
    trace, history, judged = fitted.queen_trace_, fitted.history_, _judge(data, fitted.pool_)
    assert fitted.inner_fitness_ == trace["fitness"][-1] == history["best"][-1] == trace["fitness"].max()
    assert set(fitted.pool_[fitted.queens_[-1]]) == set(fitted.indices_)
    assert fitted.queens_.sum(axis=1).tolist() == trace["n_features"].tolist()
    assert [judged.score(np.flatnonzero(one)) for one in fitted.queens_] == trace["fitness"].tolist()
    assert [judged.score(np.flatnonzero(one)) for one in fitted.population_] == fitted.population_fitness_.tolist()
    assert history["mean"][-1] == pytest.approx(fitted.population_fitness_.mean())
    assert history["cycle"].tolist() == [0, 1, 2, 3]
    assert fitted.population_.shape == (5, len(fitted.pool_))
    assert history["n_requests"][-1] <= fitted.n_requests_
    assert history["n_evaluations"][-1] <= fitted.n_evaluations_.subset == fitted.n_requests_ - fitted.n_cache_hits_
    assert fitted.n_evaluations_.classifier == 3 * fitted.n_evaluations_.subset


def test_scores_are_what_the_fitness_loses_as_features_go_the_first_one_last(data):
    fitted = _fit(data, cv=_splits(data))
    judged = _judge(data, np.arange(20))
    values = [judged.score(fitted.indices_[: size + 1]) for size in range(len(fitted.indices_))]
    assert fitted.scores_[fitted.indices_].tolist() == pytest.approx(np.diff([0.0, *values]).tolist())
    assert np.isnan(np.delete(fitted.scores_, fitted.indices_)).all()
    assert fitted.ranking_[fitted.indices_].tolist() == list(range(1, len(values) + 1))


class Counted(GaussianNB):
    """Naive Bayes that counts how often it is trained."""

    n_fits = 0

    def fit(self, X, y):
        Counted.n_fits += 1
        return super().fit(X, y)


@pytest.mark.parametrize("look_up", [True, False])
def test_every_classifier_that_is_trained_is_counted(data, look_up):
    Counted.n_fits = 0
    fitted = _fit(data, estimator=Counted(), look_up=look_up)
    assert Counted.n_fits == fitted.n_evaluations_.classifier


def test_of_sets_as_good_the_smaller_one_is_chosen_where_that_is_asked_for(data):
    fitted = _fit(data, prefer_smaller=True, target_fitness=None)
    same = fitted.population_[fitted.population_fitness_ >= fitted.inner_fitness_ - 1e-12]
    assert all(one.sum() >= len(fitted.indices_) for one in same)
    steps = np.diff(fitted.queen_trace_["fitness"])
    assert ((steps > 0) | (np.diff(fitted.queen_trace_["n_features"]) < 0)).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_bees": 1}, r"^n_bees=1 is not allowed for BeeColony.* at least 2"),
        ({"filter": "mrnr"}, r"^filter.*'mrnr'"),
        ({"filter": 3}, r"^filter=3 "),
        ({"filter": MRMR}, r"^filter="),
        ({"filter": StandardScaler()}, r"^filter=StandardScaler\(\)"),
        ({"start": "random"}, r"^start='random'.*'ranked', 'uniform'"),
        ({"intensify": "local"}, r"^intensify='local'"),
        ({"positions": "two"}, r"^positions='two'"),
        ({"estimator": StandardScaler()}, r"^estimator=StandardScaler\(\) .*fit and predict"),
        ({"scoring": "roc_auc"}, r"^scoring='roc_auc' "),
        ({"cv": 1}, r"^cv=1 "),
        ({"outer_cv": 1}, r"^outer_cv=1 "),
        ({"outer_cv": GroupKFold(3)}, r"^outer_cv=GroupKFold.*needs groups"),
        ({"outer_cv": [([0, 1], [99])]}, r"^outer_cv: the test part of split 0 names row 99"),
        ({"max_time": 0}, r"^max_time=0 "),
        ({"mutation": 1.5}, r"^mutation=1\.5 "),
        ({"limit": -1}, r"^limit=-1 "),
        ({"block_size": 0}, r"^block_size=0 "),
        ({"patience": 0}, r"^patience=0 "),
        ({"n_features_to_select": 99}, r"^n_features_to_select=99 but X has 20"),
        ({"random_state": -1}, r"^random_state=-1 "),
    ],
    ids=str,
)
def test_wrong_parameters_are_refused_by_name(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        _fit(data, **parameters)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (X, np.zeros(36)), "y has one class only, '0.0'"),
        (lambda X, y: (np.where(np.eye(36, 20), np.nan, X), y), r"contains NaN: 20 value\(s\) in 20 feature"),
        (lambda X, y: (X, np.where(np.arange(36) == 0, "odd", "even")), "'odd' has 1 sample.*at least 2 samples"),
    ],
    ids=["one class", "NaN", "one sample"],
)
def test_tables_that_cannot_be_used_are_refused_with_a_reason(data, change, message):
    X, y = change(data.X, data.y)
    with pytest.raises(DataError, match=message):
        BeeColony(**SMALL).fit(X, y)
