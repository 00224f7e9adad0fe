"""DCORFS: the planted features, every switch, other measures, and what a reader is told."""

from __future__ import annotations

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import holdfast
from holdfast import DCORFS, DataError, NothingSelected
from holdfast._progress import watching
from holdfast.measures import bayesian_risk, distance_correlation, f_statistic
from oracles import datasets
from oracles.distance import dcorfs as slow_dcorfs


def planted():
    """Two of twenty features make the class (specification of Hosseini 2018, §5.6)."""
    X = np.random.default_rng(42).standard_normal((40, 20))
    return X, (X[:, 3] + X[:, 11] > 0).astype(int)


def scaled(X):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


@pytest.mark.parametrize(("index", "value"), [("biased", 0.6561), ("unbiased", 0.4127), ("biased-squared", 0.6561**2)])
@pytest.mark.parametrize("random_state", range(5))
def test_the_planted_features_are_found_by_every_index_and_seed(index, value, random_state):
    X, y = planted()
    assert y.sum() == 15
    found = DCORFS(index=index, confidence=None, random_state=random_state).fit(X, y)
    assert sorted(found.indices_) == [3, 11]
    assert found.value_ == pytest.approx(value, abs=1e-4)
    assert found.converged_


def test_no_set_of_up_to_four_features_is_worth_more_than_the_planted_ones():
    X, y = planted()
    sets = [s for size in (1, 2, 3, 4) for s in combinations(range(20), size)]
    values = distance_correlation(scaled(X), y, subsets=sets)
    assert sets[values.argmax()] == (3, 11)
    by_set = dict(zip(sets, values, strict=True))
    assert by_set[11,] == pytest.approx(0.6434, abs=1e-4)
    assert by_set[3, 10, 11] == pytest.approx(0.6541, abs=1e-4)


def test_scores_are_what_the_set_loses_and_add_up_to_its_value():
    X, y = planted()
    found = DCORFS(confidence=None).fit(X, y)
    single, both = (distance_correlation(scaled(X), y, subsets=[s])[0] for s in ([11], [3, 11]))
    assert found.indices_.tolist() == [11, 3]
    np.testing.assert_allclose(found.scores_[[11, 3]], [single, both - single], atol=1e-12)
    assert np.isnan(np.delete(found.scores_, [3, 11])).all()
    np.testing.assert_allclose(found.relevance_, distance_correlation(X, y), atol=1e-12)


def test_fewer_features_than_found_are_those_that_go_last():
    X, y = planted()
    one = DCORFS(1, confidence=None).fit(X, y)
    assert one.indices_.tolist() == [11]
    assert one.value_ == pytest.approx(0.6434, abs=1e-4)
    assert DCORFS(20, confidence=None).fit(X, y).indices_.tolist() == [11, 3]


def test_the_trace_leads_from_the_start_to_the_end():
    X, y = planted()
    found = DCORFS(confidence=None, n_traced=5).fit(X, y)
    assert found.trace_.shape == (found.n_iterations_ + 1, 5)
    assert found.trace_[0].tolist() == [0.05] * 5
    assert found.trace_[-1].tolist() == found.inclusion_[found.traced_].tolist()
    assert set(found.traced_) >= {3, 11}
    assert len(found.history_) == found.n_iterations_
    assert found.history_["expected_size"][-1] == pytest.approx(found.inclusion_.sum())


def test_counts_are_sets_drawn_and_sets_judged():
    X, y = planted()
    found = DCORFS(confidence=None, n_subsets=60).fit(X, y)
    # Three more sets put the two features in order.
    n_asked = found.n_evaluations_.subset + found.n_cache_hits_
    assert 60 * found.n_iterations_ <= n_asked <= 60 * found.n_iterations_ + 8
    assert found.n_evaluations_.relevance == 20
    assert 100 < found.n_evaluations_.subset < 60 * found.n_iterations_ / 2


SWITCHES = [
    {"step": 70.0},
    {"empty": "resample"},
    {"zero_count": "parent"},
    {"zero_count": "parent", "empty": "resample"},
    {"bounds": (np.float64(0.01), 0.99)},
    {"start": 0.3},
    {"threshold": 0.5},
    {"elitist": True, "n_iterations": 4},
    {"scale": "standard"},
    {"scale": "none"},
    {"tolerance": 0.05},
    {"confidence": 0.9},
    {"index": "unbiased", "elitist": True},
    {"index": "biased-squared"},
]


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_every_switch_does_what_its_slow_twin_does(switch, seed):
    data = datasets.continuous(seed, n_samples=20, n_features=12, n_classes=3)
    selector = DCORFS(**{"confidence": None, "n_iterations": 25, "n_subsets": 30, **switch})
    fitted = datasets.fit(selector, data.X, data.y)
    order, losses = slow_dcorfs(data.X.tolist(), data.y.tolist(), selector.get_params(), None)
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], losses, atol=1e-9)


def test_switches_matter():
    X, y = planted()
    plain = {"confidence": None, "n_iterations": 25, "n_subsets": 30, "n_traced": 20}
    traces = {
        str(switch): datasets.fit(DCORFS(**{**plain, **switch}), X, y).trace_.tobytes()
        for switch in [{}, *SWITCHES]
        if not {"elitist", "threshold"} & set(switch)
    }
    assert len(set(traces.values())) == len(traces)


def test_a_measured_target_is_followed_beyond_lines(seed):
    rng = np.random.default_rng([seed, 91])
    X = rng.normal(size=(60, 15))
    y = X[:, 4] ** 2 + 0.1 * rng.normal(size=60)
    found = DCORFS(y_is="numbers").fit(X, y)
    assert found.indices_[0] == 4
    order, _ = slow_dcorfs(X.tolist(), y.tolist(), found.get_params(), None)
    assert found.indices_.tolist() == order


def test_what_is_known_beforehand_can_be_where_the_search_begins():
    X, y = planted()
    X[:, 5] = X[:, 3]
    start = np.full(20, 0.05)
    start[5], start[3] = 0.9, 0.0
    found = DCORFS(confidence=None, start=start).fit(X, y)
    assert sorted(found.indices_) == [5, 11]
    assert found.inclusion_[3] == 0.0


def test_a_classifier_takes_the_place_of_the_measure(seed):
    X, y = planted()
    found = DCORFS(
        measure=GaussianNB(), cv=4, confidence=None, n_iterations=12, n_subsets=15, random_state=seed, elitist=True
    ).fit(X, y)
    assert {3, 11} & set(found.indices_.tolist())
    assert found.value_ > 0.8
    assert found.n_evaluations_.classifier == 4 * found.n_evaluations_.subset
    again = DCORFS(
        measure=GaussianNB(), cv=4, confidence=None, n_iterations=12, n_subsets=15, random_state=seed, elitist=True,
        n_jobs=2,
    ).fit(X, y)  # fmt: skip
    assert again.indices_.tolist() == found.indices_.tolist()
    assert again.scores_.tobytes() == found.scores_.tobytes()


def test_a_classifier_is_asked_for_the_score_of_choice():
    X, y = planted()
    splits = [(np.arange(0, 40, 2), np.arange(1, 40, 2))]
    options = {"cv": splits, "confidence": None, "n_iterations": 3, "n_subsets": 6, "elitist": True}
    found = DCORFS(measure=KNeighborsClassifier(3), **options).fit(X, y)
    fitted = KNeighborsClassifier(3).fit(X[::2][:, found.support_], y[::2])
    assert found.value_ == pytest.approx(fitted.score(X[1::2][:, found.support_], y[1::2]))
    assert DCORFS(measure=KNeighborsClassifier(3), scoring="auc", **options).fit(X, y).value_ != found.value_


def test_a_function_takes_the_place_of_the_measure():
    X, y = planted()
    levels = (X > 0).astype(int)

    def determined(values, classes):
        return 1 - bayesian_risk(values, classes) - 0.02 * values.shape[1]

    found = DCORFS(measure=determined, confidence=None).fit(levels, y)
    assert {3, 11} <= set(found.indices_.tolist())
    assert found.value_ == pytest.approx(determined(levels[:, found.support_], y))


def test_a_function_sees_names_of_classes_and_values_as_they_came():
    X, y = planted()
    seen = []

    def measure(values, classes):
        seen.append((values.max(), set(classes.tolist())))
        return 0.0

    with pytest.warns(NothingSelected):
        DCORFS(measure=measure, confidence=None, n_iterations=1).fit(100 * X, np.where(y, "ill", "well"))
    assert max(value for value, _ in seen) > 100
    assert all(classes == {"ill", "well"} for _, classes in seen)


def test_a_function_that_gives_no_number_is_named():
    X, y = planted()
    for given, words in (
        (np.nan, "nan"),
        (None, "None"),
        (np.zeros(2), r"an array of shape \(2,\)"),
        ("much", "'much'"),
    ):
        with pytest.raises(DataError, match=rf"measure gave {words} for a set of \d+ feature"):
            DCORFS(measure=lambda values, classes, given=given: given, confidence=None).fit(X, y)


def test_features_that_give_no_sign_of_dependence_take_no_part(seed):
    rng = np.random.default_rng([seed, 92])
    y = np.arange(50) % 2
    X = rng.normal(size=(50, 200))
    X[:, 17] += 2 * y
    X[:, 3] = 1.0
    found = DCORFS(confidence=0.99).fit(X, y)
    assert 17 in found.indices_
    assert found.n_screened_out_ > 190
    assert found.inclusion_[3] == 0.0
    assert DCORFS(confidence=None, elitist=True, n_iterations=1).fit(X, y).n_screened_out_ == 1


def test_a_table_without_signs_of_dependence_is_told_so(seed):
    X = np.random.default_rng([seed, 93]).normal(size=(30, 5))
    y = np.arange(30) % 2
    with pytest.warns(NothingSelected, match=r"test of dependence on y at confidence=0.99999.*Lower it"):
        found = DCORFS(confidence=0.99999).fit(X, y)
    assert found.value_ == 0.0
    assert found.n_iterations_ == 0
    assert found.trace_.shape == (1, 0)


def test_a_search_that_comes_to_nothing_says_how_far_it_came():
    X, y = planted()
    with pytest.warns(NothingSelected, match=r"threshold=0.98 in 5 populations; the highest is 0\.\d+.*elitist=True"):
        found = DCORFS(confidence=None, step=500.0, n_iterations=5).fit(X, y)
    assert not found.converged_
    assert "without having come to rest" in found._notes[0]
    best = DCORFS(confidence=None, step=500.0, n_iterations=5, elitist=True).fit(X, y)
    assert best.value_ > 0.6


def test_two_constant_features_are_none():
    with pytest.warns(NothingSelected, match="none of them varies"):
        DCORFS(confidence=None).fit(np.ones((10, 2)), np.arange(10) % 2)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"start": [0.1, 0.2]}, r"start holds 2 value\(s\), but X has 20"),
        ({"start": np.full(20, 1.5)}, "no probabilities"),
        ({"start": np.full(20, np.nan)}, "no probabilities"),
        ({"start": ["much"] * 20}, "start="),
        ({"bounds": (0.1, 0.9)}, r"threshold=0.98 lies above the highest of bounds=\(0.1, 0.9\)"),
        ({"confidence": 0.5}, "confidence=0.5.*at least 0.785"),
        ({"measure": "accuracy"}, "measure='accuracy'"),
        ({"bounds": (0.9, 0.1)}, "bounds"),
        ({"measure": GaussianNB(), "y_is": "numbers"}, "classifier, but y_is='numbers'"),
        ({"n_features_to_select": 21}, "n_features_to_select=21 but X has 20"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_words(parameters, words):
    X, y = planted()
    with pytest.raises(ValueError, match=words):
        DCORFS(**parameters).fit(X, y)


def test_the_unbiased_index_needs_four_samples():
    with pytest.raises(DataError, match="3 samples, but the unbiased distance correlation needs at least 4"):
        DCORFS(index="unbiased").fit([[1.0], [2.0], [4.0]], [0, 1, 1])


def test_the_same_seed_finds_the_same_and_draws_depend_on_it():
    X, y = planted()
    one, same, other = (DCORFS(confidence=None, random_state=s).fit(X, y) for s in (3, 3, 4))
    assert one.trace_.tobytes() == same.trace_.tobytes()
    assert one.trace_.tobytes() != other.trace_.tobytes()
    drawn = DCORFS(confidence=None, random_state=np.random.default_rng(5)).fit(X, y)
    assert sorted(drawn.indices_) == [3, 11]


def test_names_come_along_and_a_search_says_how_far_it_is():
    X, y = planted()
    told = []
    frame = pd.DataFrame(X, columns=[f"gene {i}" for i in range(20)])
    with watching(lambda *what: told.append(what)):
        found = DCORFS(confidence=None).fit(frame, y)
    assert found.get_feature_names_out().tolist() == ["gene 3", "gene 11"]
    assert told[0] == ("Populations drawn", 1, 100)


def test_the_ranking_by_distance_correlation_sees_what_differs_in_spread_only(seed):
    rng = np.random.default_rng([seed, 94])
    y = np.arange(160) % 2
    X = rng.normal(size=(160, 30))
    X[:, 8] *= np.where(y, 4.0, 0.3)
    assert holdfast.selector("dcor", n_features_to_select=1).fit(X, y).indices_.tolist() == [8]
    assert f_statistic(X, y)[8] < 15
    dose = rng.normal(size=160)
    X[:, 5] = np.abs(dose)
    assert holdfast.selector("dcor-regression", n_features_to_select=1).fit(X, dose).indices_.tolist() == [5]


def test_all_indices_rank_alike_where_there_is_something_to_find(seed):
    data = datasets.continuous(seed, n_samples=60)
    lists = []
    for index in ("biased", "biased-squared", "unbiased"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lists.append(holdfast.DistanceCorrelation(3, index=index).fit(data.X, data.y).indices_.tolist())
    assert lists[0] == lists[1] == lists[2]


def test_scores_add_up_also_where_several_features_go_at_a_time(seed):
    rng = np.random.default_rng([seed, 95])
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 150)) + np.outer(y, rng.random(150))
    found = DCORFS(start=np.ones(150), confidence=None, n_iterations=1).fit(X, y)
    assert len(found.indices_) == 150
    assert found.scores_.sum() == pytest.approx(found.value_)
    assert found.value_ == pytest.approx(distance_correlation(scaled(X), y, subsets="all"))


def test_the_best_set_drawn_is_taken_if_no_feature_came_to_the_threshold():
    X, y = planted()

    def loss(values, classes):
        return distance_correlation(values, classes, subsets="all") - 1

    found = DCORFS(measure=loss, elitist=True, confidence=None, n_iterations=3).fit(X, y)
    assert len(found.indices_) > 0
    assert -1 < found.value_ < 0
