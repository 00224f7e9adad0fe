"""ForwardSearch: what it finds in every direction, rules while it walks and afterwards, targets, estimators, errors."""

from __future__ import annotations

import warnings

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import (
    SFSLW,
    ClassicStop,
    DataError,
    ForwardSearch,
    HoeffdingStop,
    InformationStop,
    NothingSelected,
    PermutationStop,
    hoeffding_bound,
    permutation_level,
)
from holdfast._progress import watching
from holdfast._random import child
from holdfast.search.stop_rules import stop_rule
from oracles import datasets, sequential

CRITERIA = ["cv", "train", "delta", "delta-cv", "dcor", "mi", "cfs", "lw"]
RULES = ["none", "cw", "wm", "h", "h2s", "hp", "p", "mi"]


def planted(seed, n_samples=60, n_features=8):
    """Features 1 and 6 make the class together."""
    rng = np.random.default_rng([seed, 81])
    X = rng.normal(size=(n_samples, n_features))
    return X, (X[:, 1] + X[:, 6] > 0).astype(int)


def numbers(seed, n_samples=60, n_features=8):
    """Features 1 and 6 make the target together, not along a line."""
    rng = np.random.default_rng([seed, 82])
    X = rng.normal(size=(n_samples, n_features))
    return X, 2 * np.abs(X[:, 1]) + X[:, 6] + 0.1 * rng.normal(size=n_samples)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_what_makes_the_class_is_found_first(criterion, seed):
    X, y = planted(seed, n_samples=200)
    own = {"n_neighbors": [5]} if criterion in ("cv", "train") else {}
    search = ForwardSearch(2, criterion=criterion, radius="mean", **own).fit(X, y)
    assert set(search.indices_) == {1, 6}


@pytest.mark.parametrize("criterion", ["cv", "train", "delta", "delta-cv"])
def test_what_makes_a_number_is_found_first(criterion, seed):
    X, y = numbers(seed, n_samples=200)
    own = {"n_neighbors": [5]} if criterion in ("cv", "train") else {}
    search = ForwardSearch(2, criterion=criterion, y_is="numbers", **own).fit(X, y)
    assert set(search.indices_) == {1, 6}


def test_a_function_says_what_a_set_is_worth(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, criterion=lambda values, target: -float(values.mean()) * (1 + len(target))).fit(X, y)
    assert set(search.indices_) == set(np.argsort(X.mean(axis=0))[:3]) or search.value_ == search.path_["score"][2]
    assert search.indices_[0] == np.argmin(X.mean(axis=0))


def slow_walk(data, score_of, is_backward):
    """Forward or backward by the slow twin's definitions; the order and the score of its first k features."""
    order = list(data.columns) if is_backward else []
    gone, scores = [], []
    while len(order) > 1 if is_backward else len(order) < len(data.columns):
        moves = order if is_backward else [f for f in data.columns if f not in order]
        preferred = [f for f in moves if (len(set(data.table[f])) > 1) is not is_backward] or moves
        value = {}
        for f in preferred:
            rest = [g for g in order if g != f] if is_backward else [*order, f]
            value[f] = score_of([data.columns[g] for g in rest])
        tied = sequential.tied_best(preferred, value.get)
        if is_backward:
            last = _sorted_by_precedence(tied, data)[-1]
            order.remove(last)
            gone.append(last)
        else:
            last = _sorted_by_precedence(tied, data)[0]
            order.append(last)
        scores.append(value[last])
    return ([*order, *gone[::-1]], scores) if is_backward else (order, scores)


def _sorted_by_precedence(tied, data):
    left, order = list(tied), []
    while left:
        order.append(sequential.first_of(left, data.table, data.tie_target, data.relevance, data.names))
        left.remove(order[-1])
    return order


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("criterion", ["cv", "train", "delta"])
def test_both_directions_go_where_the_slow_twin_goes(criterion, direction, seed):
    data = datasets.continuous(seed, n_samples=18, n_features=6)
    own = {} if criterion == "delta" else {"n_neighbors": [1, 3]}
    search = ForwardSearch(criterion=criterion, direction=direction, cv=3, **own).fit(data.X, data.y)
    ordered = sequential.Ordered(data.X.tolist(), data.y.tolist(), search.get_params(), None)
    splits = ordered.splits()
    if criterion == "delta":
        ordered.columns = {f: [v * sequential.scale(c) for v in c] for f, c in ordered.columns.items()}
    order, scores = slow_walk(
        ordered,
        lambda columns: (
            -sequential.delta(columns, ordered.codes, range(18))
            if criterion == "delta"
            else sequential.neighbour_score(columns, ordered.codes, splits, [1, 3], "classes", criterion == "train")
        ),
        direction == "backward",
    )
    assert search.indices_.tolist() == order
    np.testing.assert_allclose(search.path_["score"], scores, rtol=1e-9)


def test_backward_begins_with_all_features_and_drops_what_costs_least(seed):
    X, y = planted(seed)
    search = ForwardSearch(direction="backward", criterion="dcor").fit(X, y)
    assert search.path_["size"].tolist() == [7, 6, 5, 4, 3, 2, 1]
    assert sorted(search.indices_) == list(range(8))
    assert search.scores_[search.indices_[-1]] == search.path_["previous"][0]
    assert set(ForwardSearch(2, direction="backward", criterion="dcor").fit(X, y).indices_) == set(search.indices_[:2])


def _xor(seed):
    """Two features that only speak together, and one that says a little by itself."""
    rng = np.random.default_rng([seed, 83])
    X = rng.normal(size=(120, 5))
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)
    X[:, 4] = 0.8 * y + rng.normal(size=120)
    return X, y


def test_a_floating_search_drops_what_a_better_set_can_do_without(seed):
    X, y = _xor(seed)
    options = {"criterion": "cv", "n_neighbors": [3]}
    floating = ForwardSearch(direction="floating", **options).fit(X, y)
    forward = ForwardSearch(**options).fit(X, y)
    assert len(floating.sets_) == 5
    assert [len(one) for one in floating.sets_] == [1, 2, 3, 4, 5]
    assert (floating.path_["score"] >= forward.path_["score"] - 1e-12)[0]
    assert set(floating.sets_[1]) == {0, 1}
    assert floating.path_["score"][1] >= forward.path_["score"][1]


def test_the_scores_of_a_floating_search_say_what_the_set_loses_without_each_feature(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, criterion="dcor", direction="floating").fit(X, y)
    again = ForwardSearch(criterion="dcor", direction="floating").fit(X, y)
    assert search.indices_.tolist() == again.sets_[2].tolist()
    assert search.value_ == again.path_["score"][2]
    assert np.isfinite(search.scores_[search.indices_]).all()


@pytest.mark.parametrize("direction", ["forward", "backward", "floating"])
def test_every_rule_can_be_asked_afterwards_and_stops_where_it_stops_in_a_search(direction, seed):
    X, y = planted(seed)
    options = {"direction": direction, "n_neighbors": [1, 3], "cv": 4}
    found = ForwardSearch(**options).fit(X, y).compare_stops(X, y)
    assert list(found) == RULES
    for rule in RULES[1:]:
        alone = ForwardSearch(stop=rule, **options).fit(X, y)
        assert len(alone.indices_) == found[rule].n_features, rule
        seen = alone.stopping_.trace
        for name in ("size", "feature", "score", "goes_on", "gap"):
            assert np.array_equal(seen[name], found[rule].trace[name][: len(seen)], equal_nan=True), (rule, name)
        assert len(seen) <= len(found[rule].trace)


def test_no_rule_keeps_more_than_was_asked_for(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, criterion="dcor", direction="backward", stop="h").fit(X, y)
    assert len(search.indices_) == search.stopping_.n_features == search.stop_at("h").n_features == 3


def test_one_rule_may_be_compared_with_no_other_and_says_what_is_unusual_about_it(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    assert list(search.compare_stops(rules="cw")) == ["cw"]
    assert list(search.compare_stops(rules=ClassicStop())) == ["ClassicStop()"]
    assert list(search.compare_stops(rules=[HoeffdingStop(epsilon=0.5)])) == ["HoeffdingStop(epsilon=0.5)"]


def test_rules_that_need_no_samples_are_compared_without_them(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    assert list(search.compare_stops()) == ["none", "cw", "wm", "h", "h2s"]
    with pytest.raises(ValueError, match=r"permutes samples, so it needs the data: stop_at\('p', X, y\)"):
        search.stop_at("p")
    with pytest.raises(DataError, match="not what the search was fitted on"):
        search.stop_at("p", X[::-1] * 2 + 1, y)


def test_a_search_whose_seed_was_a_generator_can_be_asked_again(seed):
    X, y = planted(seed)
    search = ForwardSearch(n_neighbors=[3], random_state=np.random.default_rng(seed)).fit(X, y)
    first, again = (search.stop_at("p", X, y).trace for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_permutations_end_when_the_decision_is_certain_and_the_bounds_hold_the_p_value(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    rule = PermutationStop(100, level=0.1)
    quick, whole = (search.stop_at(rule, X, y, complete=complete) for complete in (False, True))
    assert quick.n_features == whole.n_features
    assert (whole.trace["n_permutations"] == 100).all()
    assert quick.trace["n_permutations"].sum() < 100 * len(quick.trace)
    for early, complete in zip(quick.trace, whole.trace[: len(quick.trace)], strict=True):
        assert early["p_low"] - 1e-12 <= complete["p_value"] <= early["p_high"] + 1e-12
        assert early["goes_on"] == complete["goes_on"]
    assert len(quick.trace) == quick.n_features + 1 or quick.n_features == 8


def test_the_first_permutations_are_the_same_however_many_are_drawn(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, criterion="dcor").fit(X, y)
    few, many = (search.stop_at(PermutationStop(n, complete=True), X, y).trace["p_value"] for n in (10, 100))
    assert (np.round(few * 10) <= np.round(many * 100)).all()


def test_the_permutation_test_keeps_its_level_for_a_single_feature_of_noise():
    """With the correction the test of one feature is exact: it lets noise pass in at most one case in five at 0.2."""
    passed = 0
    for draw in range(200):
        rng = np.random.default_rng([draw, 84])
        X, y = rng.normal(size=(20, 1)), np.arange(20) % 2
        rule = PermutationStop(19, level=0.2, correction=True)
        search = ForwardSearch(criterion="dcor", stop=rule, min_features=0, random_state=draw)
        passed += len(datasets.fit(search, X, y).indices_)
    assert passed / 200 < 0.2 + 3 * np.sqrt(0.2 * 0.8 / 200)


def test_the_test_by_information_knows_a_feature_that_tells_nothing(seed):
    rng = np.random.default_rng([seed, 85])
    X = rng.normal(size=(100, 4))
    y = X[:, 2] + 0.1 * rng.normal(size=100)
    found = ForwardSearch(criterion="dcor", y_is="numbers", stop=InformationStop(200, level=0.01)).fit(X, y)
    assert found.indices_[0] == 2
    assert found.stopping_.trace["p_value"][0] == 0.0


@pytest.mark.parametrize("min_features", [0, 1, 3])
def test_a_rule_keeps_at_least_so_many(min_features, seed):
    X, y = planted(seed, n_samples=20)
    rule = HoeffdingStop("runner-up", epsilon=5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if min_features else "ignore", NothingSelected)
        search = ForwardSearch(stop=rule, min_features=min_features, criterion="dcor").fit(X, y)
    assert len(search.indices_) == search.stopping_.n_features == min_features
    assert search.stop_at(rule).n_features == min_features
    assert not search.stopping_.trace["goes_on"][0]


@pytest.mark.parametrize("direction", ["forward", "floating"])
def test_a_rule_may_keep_nothing_in_every_direction_that_adds(direction, seed):
    X, y = planted(seed)
    search = ForwardSearch(stop="h2s:epsilon=9", min_features=0, criterion="dcor", direction=direction)
    found = datasets.fit(search, X, y)
    assert len(found.indices_) == found.stopping_.n_features == 0
    assert found.value_ == 0.0
    assert np.isnan(found.scores_).all()


def test_an_empty_choice_says_which_rule_refused_the_first_feature(seed):
    X, y = planted(seed)
    with pytest.warns(NothingSelected, match="the rule 'h' did not go along with the first feature"):
        ForwardSearch(stop="h:epsilon=9", min_features=0, criterion="dcor").fit(X, y)


def test_options_of_a_rule_may_stand_behind_its_name(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    by_name, by_hand = search.stop_at("h2s:epsilon=0:start=0"), search.stop_at(HoeffdingStop(epsilon=0, start=0.0))
    assert by_name.trace.tobytes() == by_hand.trace.tobytes()
    assert search.stop_at("cw:strict_decrease=False").n_features == search.stop_at(ClassicStop(False)).n_features


def test_the_first_gap_of_h2s_is_to_no_features_at_all(seed):
    X, y = planted(seed)
    share = max(np.mean(y), 1 - np.mean(y))
    search = ForwardSearch(2, n_neighbors=[3]).fit(X, y)
    trace = search.stop_at("h2s").trace
    assert trace["gap"][0] == pytest.approx(search.path_["score"][0] - share)
    assert trace["gap"][1] == pytest.approx(np.diff(search.path_["score"][:2])[0])


def test_the_gap_of_h_is_to_the_second_best_feature(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    singles = [ForwardSearch(criterion="dcor").fit(X[:, [f]], y).value_ for f in range(8)]
    first, second = sorted(singles)[:-3:-1]
    trace = search.stop_at("h").trace
    assert trace["gap"][0] == pytest.approx(first - second)
    assert trace["gap"][-1] == np.inf


@pytest.mark.parametrize(
    "estimator", [KNeighborsClassifier(3), make_pipeline(StandardScaler(), KNeighborsClassifier(4))]
)
def test_nearest_neighbours_of_scikit_learn_are_counted_and_picked_as_it_would(estimator, seed):
    X, y = planted(seed)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    fast = ForwardSearch(4, estimator=estimator, cv=folds, aggregate="mean").fit(X, y)

    class Stranger(type(estimator)):
        """The same, not known for what it is."""

    other = Stranger(**estimator.get_params(deep=False))
    slow = ForwardSearch(4, estimator=other, cv=folds, aggregate="mean").fit(X, y)
    assert fast.indices_.tolist() == slow.indices_.tolist()
    np.testing.assert_allclose(fast.scores_, slow.scores_, rtol=1e-12)


def hits(truth, predicted):
    """Whole numbers, whose mean rounds nothing away."""
    return float(len(truth) * accuracy_score(truth, predicted))


def test_scikit_learns_own_forward_search_picks_the_same(seed):
    """Its ties go to the first column, so it gets columns in the order in which ties are settled here."""
    X, y = planted(seed, n_samples=40, n_features=12)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(X, y))
    ours = ForwardSearch(5, estimator=KNeighborsClassifier(3), cv=folds, aggregate="mean").fit(X, y)
    order = np.argsort(-ours.relevance_, kind="stable")
    theirs = SequentialFeatureSelector(
        KNeighborsClassifier(3), n_features_to_select=5, cv=folds, scoring=make_scorer(hits)
    ).fit(X[:, order], y)
    assert set(order[theirs.get_support()]) == set(ours.indices_)


def test_scikit_learns_own_forward_search_for_numbers_picks_the_same(seed):
    X, y = numbers(seed, n_samples=40, n_features=10)
    ours = ForwardSearch(4, estimator=KNeighborsRegressor(3), cv=KFold(5), aggregate="mean", y_is="numbers").fit(X, y)
    theirs = SequentialFeatureSelector(KNeighborsRegressor(3), n_features_to_select=4, cv=KFold(5)).fit(X, y)
    assert set(np.flatnonzero(theirs.get_support())) == set(ours.indices_)


def test_any_regressor_and_classifier_serves(seed):
    X, y = numbers(seed)
    assert 6 in ForwardSearch(2, estimator=Ridge(), y_is="numbers", cv=4).fit(X, y).indices_
    trained = ForwardSearch(criterion="train", estimator=LinearRegression(), y_is="numbers").fit(X, y)
    assert trained.value_ == pytest.approx(LinearRegression().fit(X, y).score(X, y))
    X, y = planted(seed)
    assert set(ForwardSearch(2, estimator=GaussianNB(), cv=4, scoring="auc").fit(X, y).indices_) == {1, 6}


def test_a_stranger_among_estimators_can_be_stopped_by_permutations_in_parallel(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, estimator=GaussianNB(), cv=3, stop="p:n_permutations=20").fit(X, y)
    with joblib.parallel_config("threading", n_jobs=2):
        again = clone(search).set_params(n_jobs=2).fit(X, y)
    assert search.indices_.tolist() == again.indices_.tolist()
    assert search.stopping_.trace.tobytes() == again.stopping_.trace.tobytes()


@pytest.mark.parametrize("stop", ["none", "p"])
def test_the_number_of_jobs_changes_no_bit(stop, seed, monkeypatch):
    monkeypatch.setattr("holdfast.measures._near._WORTH_A_THREAD", 100)
    X, y = planted(seed)
    alone, together = (ForwardSearch(4, stop=stop, n_jobs=n).fit(X, y) for n in (1, 2))
    assert alone.path_.tobytes() == together.path_.tobytes()
    assert alone.stopping_.trace.tobytes() == together.stopping_.trace.tobytes()


def test_a_training_score_of_one_neighbour_is_right_about_everything_so_that_relevance_decides(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="train", n_neighbors=1).fit(X, y)
    assert (search.path_["score"] == 1.0).all()
    assert search.indices_.tolist() == np.argsort(-search.relevance_).tolist()


def test_default_neighbours_are_as_many_as_the_training_part_allows(seed):
    X, y = planted(seed, n_samples=12)
    assert ForwardSearch(1, cv=2).fit(X, y).n_evaluations_.classifier == 8 * 2 * 6


def test_what_was_spent_is_counted(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, n_neighbors=[1, 2], cv=5).fit(X, y)
    assert search.n_evaluations_.subset == 8 + 7 + 6
    assert search.n_evaluations_.classifier == 21 * 5 * 2
    assert search.n_evaluations_.relevance == 8


def test_progress_is_reported_step_by_step(seed):
    X, y = planted(seed)
    seen = []
    with watching(lambda *what: seen.append(what)):
        ForwardSearch(3, criterion="dcor").fit(X, y)
        ForwardSearch(3, criterion="dcor", direction="backward").fit(X, y)
        ForwardSearch(1, criterion="dcor", stop=PermutationStop(30, complete=True)).fit(X, y)
    assert ("Features chosen", 2, 3) in seen
    assert ("Features dropped", 7, 7) in seen
    assert [done for what, done, _ in seen if what == "Permutations"] == [10, 20, 30]


def test_the_reason_for_stopping_is_put_in_words(seed):
    X, y = planted(seed)
    (note,) = ForwardSearch(stop="h2s:epsilon=0.5").fit(X, y)._notes
    assert "stopped the search at 1 feature(s) (min_features=1): the gap at the next step is" in note
    (note,) = ForwardSearch(stop="p", criterion="dcor").fit(X, y)._notes
    assert "permuted copies of the next feature do as well." in note
    assert "min_features" not in note
    assert ForwardSearch(2).fit(X, y)._notes == []


def test_lw_by_name_is_lw_by_criterion(seed):
    X, y = planted(seed)
    assert SFSLW(5).fit(X, y).indices_.tolist() == ForwardSearch(5, criterion="lw").fit(X, y).indices_.tolist()


def test_a_single_feature_is_found_in_every_direction(seed):
    X, y = planted(seed)
    for direction in ("forward", "backward", "floating"):
        search = ForwardSearch(direction=direction, criterion="dcor").fit(X[:, [1]], y)
        assert search.indices_.tolist() == [0]
        assert search.value_ > 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stop": "often"}, "stop='often' is not allowed for ForwardSearch: it must be one of 'none', 'cw'"),
        ({"stop": "h2s:delta"}, "'delta' is no option of 'h2s'. It takes delta"),
        ({"stop": "h2s:delta=2"}, "delta=2 is not allowed for HoeffdingStop"),
        ({"stop": "none:epsilon=2"}, "It takes none"),
        ({"criterion": "gini"}, "criterion='gini' is not allowed"),
        ({"criterion": "mi", "y_is": "numbers"}, "needs classes, but y_is='numbers'"),
        ({"scoring": "auc"}, "scoring='auc' needs an estimator"),
        ({"n_neighbors": [99]}, "n_neighbors=99, but the smallest training part"),
        ({"n_neighbors": []}, "n_neighbors=.* is not allowed"),
        ({"min_features": 9}, "min_features=9 is more than the 8"),
        ({"n_features_to_select": 9}, "X has 8 feature"),
        ({"criterion": "delta-cv", "delta_part": "fold", "cv": 60, "y_is": "numbers"}, "but 1 are needed"),
        ({"criterion": "delta", "estimator": Ridge()}, "does not count with criterion='delta'"),
        ({"criterion": "delta", "n_neighbors": 3}, "does not count with criterion='delta'"),
        ({"estimator": GaussianNB(), "n_neighbors": 3}, "does not count with an estimator of your own"),
        ({"estimator": Ridge(), "y_is": "numbers", "scoring": "auc"}, "scoring='auc' is for classes"),
        ({"cv": 60, "aggregate": "mean", "y_is": "numbers"}, "some part has one sample"),
        ({"stop": "mi:n_bins=50", "criterion": "dcor"}, "n_bins=50 for 60 samples"),
        ({"criterion": lambda X, y: np.nan}, "The criterion gave nan"),
        ({"estimator": KNeighborsClassifier}, "estimator=.* is not allowed"),
        ({"estimator": GaussianNB(), "y_is": "numbers"}, "is a classifier, but y_is='numbers'. Pass a regressor"),
        ({"estimator": Ridge()}, "is a regressor, but y_is='classes'. Pass a classifier"),
    ],
)
def test_bad_settings_are_told(options, words):
    X, y = planted(0)
    with pytest.raises(ValueError, match=words):
        ForwardSearch(**options).fit(X, y)


def test_numbers_for_classes_are_told_with_the_way_out():
    X, y = numbers(0)
    with pytest.raises(ValueError, match=r"y_is='classes'\. Pass y_is='numbers'"):
        ForwardSearch().fit(X, y)


def test_more_distances_than_can_be_kept_are_told(monkeypatch):
    monkeypatch.setattr("holdfast.measures._near._MOST_KEPT", 100)
    X, y = planted(0)
    with pytest.raises(DataError, match="Nearest neighbours of 60 test samples among 54 training samples would take"):
        ForwardSearch().fit(X, y)


@pytest.mark.parametrize("direction", ["forward", "backward", "floating"])
def test_the_number_of_neighbours_is_that_of_the_chosen_features(direction, seed):
    X, y = planted(seed)
    folds = list(StratifiedKFold(5).split(X, y))
    search = ForwardSearch(3, cv=folds, n_neighbors=[1, 3, 5, 7], direction=direction, scale="none").fit(X, y)
    correct = {}
    for k in (1, 3, 5, 7):
        said = cross_val_predict(KNeighborsClassifier(k), X[:, search.indices_], y, cv=folds)
        correct[k] = int((said == y).sum())
    assert search.n_neighbors_ == min(k for k in correct if correct[k] == max(correct.values()))
    assert search.value_ == pytest.approx(max(correct.values()) / len(y))
    assert not hasattr(ForwardSearch(2, criterion="dcor").fit(X, y), "n_neighbors_")


def test_the_rules_by_name_have_the_settings_of_the_specification():
    assert stop_rule("cw").strict_decrease
    assert stop_rule("wm").margin == 0.01
    for name, compares in (("h", "runner-up"), ("h2s", "previous"), ("hp", "permuted")):
        rule = stop_rule(name)
        assert (rule.compares, rule.delta, rule.value_range, rule.epsilon, rule.start) == (
            compares,
            0.05,
            1.0,
            None,
            None,
        )
        assert rule.permute == "subset"
    tested = stop_rule("p")
    assert (tested.n_permutations, tested.level, tested.count_ties, tested.permute) == (50, 0.05, True, "last")
    assert not tested.correction
    # "Reach a higher one": an equal one is none.
    assert not stop_rule("mi").count_ties


def _replayed(search, X, y):
    """The score of a fitted search, its data, and the permutations it has for a size."""
    other = clone(search)
    field = other._field(other._check(X, y))
    root = np.random.SeedSequence(search.seed_)

    def orders(size, n):
        seeds = [child(child(root, 1), size, i) for i in range(n)]
        return np.array([np.random.default_rng(one).permutation(len(y)) for one in seeds])

    place = {int(feature): i for i, feature in enumerate(field.pool)}
    return other._score_of(field, child(root, 0)), place, orders


def test_hp_permutes_the_whole_set_and_other_samples_at_every_size(seed):
    X, y = planted(seed)
    search = ForwardSearch(3, criterion="dcor").fit(X, y)
    score, place, orders = _replayed(search, X, y)
    gaps = []
    for size, step in enumerate(search.path_, start=1):
        score.add(place[step["feature"]])
        gaps.append(step["score"] - score.permuted(orders(size, 1))[0])
    np.testing.assert_allclose(search.stop_at("hp", X, y).trace["gap"], gaps, rtol=1e-9)
    assert not np.array_equal(orders(1, 1), orders(2, 1))
    last = search.stop_at("hp:permute=last", X, y).trace["gap"]
    assert last[0] == pytest.approx(gaps[0])
    assert last[2] != pytest.approx(gaps[2])


def test_a_removal_is_tested_by_permuting_what_goes_in_the_set_it_leaves(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor", direction="backward").fit(X, y)
    score, place, orders = _replayed(search, X, y)
    for feature in range(8):
        score.add(feature)
    found = search.stop_at(PermutationStop(20), X, y).trace
    for step, seen in zip(search.path_, found, strict=True):
        score.drop(place[step["feature"]])
        copies = score.with_permuted(place[step["feature"]], orders(step["size"], 20))
        assert seen["p_value"] == pytest.approx(np.mean(copies >= step["previous"] - 1e-12))
        assert seen["goes_on"] == (seen["p_value"] > 0.05)


def test_the_first_gap_of_h2s_may_be_to_a_score_of_choice(seed):
    X, y = planted(seed)
    search = ForwardSearch(2, criterion="dcor").fit(X, y)
    trace = search.stop_at(HoeffdingStop(start=0.3)).trace
    assert trace["gap"][0] == pytest.approx(search.path_["score"][0] - 0.3)
    assert trace["gap"][1] == pytest.approx(np.diff(search.path_["score"])[0])


def test_a_floating_path_compares_each_size_with_the_best_set_of_the_size_before(seed):
    X, y = _xor(seed)
    path = ForwardSearch(direction="floating", n_neighbors=[3]).fit(X, y).path_
    assert path["previous"][1:].tolist() == path["score"][:-1].tolist()


@pytest.mark.parametrize(
    ("fitted", "changed"),
    [
        ({"criterion": "dcor"}, {"criterion": "delta"}),
        ({"criterion": "dcor"}, {"scale": "none"}),
        ({"criterion": lambda X, y: float(X.sum())}, {"criterion": lambda X, y: float(X.min())}),
    ],
)
def test_a_rule_is_not_asked_with_other_settings_than_the_search_had(fitted, changed, seed):
    X, y = planted(seed)
    search = ForwardSearch(3, **fitted).fit(X, y).set_params(**changed)
    with pytest.raises(DataError, match="The data or the settings are others, or cv draws other splits"):
        search.stop_at("p", X, y)


def test_splits_that_are_drawn_anew_each_time_are_told(seed):
    X, y = numbers(seed)
    search = ForwardSearch(2, cv=ShuffleSplit(5), y_is="numbers", n_neighbors=[3]).fit(X, y)
    with pytest.raises(DataError, match="cv draws other splits each time: give it a random_state"):
        search.stop_at("p", X, y)
    kept = search.set_params(cv=ShuffleSplit(5, random_state=seed)).fit(X, y)
    assert len(kept.stop_at("p", X, y).trace) == 2


def test_another_direction_after_the_search_does_not_turn_its_path_round(seed):
    X, y = planted(seed)
    search = ForwardSearch(criterion="dcor").fit(X, y)
    before = search.compare_stops(X, y)
    search.set_params(direction="backward")
    assert {name: one.n_features for name, one in search.compare_stops(X, y).items()} == {
        name: one.n_features for name, one in before.items()
    }


def test_a_function_is_asked_in_parallel_with_the_same_answers(seed):
    X, y = planted(seed)
    alone, together = (ForwardSearch(2, criterion=_spread, n_jobs=n).fit(X, y) for n in (1, 2))
    assert alone.path_.tobytes() == together.path_.tobytes()


def _spread(X, y):
    return float(X[y == 1].std() - X[y == 0].std())


@pytest.mark.parametrize("unit", [1e-200, 1e160])
@pytest.mark.parametrize("own", [{"n_neighbors": [3]}, {"estimator": KNeighborsRegressor(3, weights="distance")}])
def test_the_unit_of_a_number_does_not_matter(unit, own, seed):
    X, y = numbers(seed)
    plain, other = (ForwardSearch(3, y_is="numbers", cv=4, **own).fit(X, values) for values in (y, y * unit))
    assert plain.indices_.tolist() == other.indices_.tolist()
    np.testing.assert_allclose(plain.scores_, other.scores_, rtol=1e-9)


def test_max_features_ends_a_search_that_was_not_told_how_many(seed):
    X, y = planted(seed)
    assert len(ForwardSearch(max_features=3, criterion="dcor").fit(X, y).indices_) == 3
    assert len(ForwardSearch(5, max_features=3, criterion="dcor").fit(X, y).indices_) == 5
    for method in ("fs-cv", "fs-train", "dt", "dt-cv", "sfs-lw"):
        assert len(holdfast.selector(method).fit(X, y).indices_) == 8, method


@pytest.mark.parametrize(
    "ask", [lambda: hoeffding_bound(0), lambda: hoeffding_bound(9, 2), lambda: permutation_level(5, 9)]
)
def test_levels_and_bounds_of_nothing_are_refused(ask):
    with pytest.raises(ValueError, match="between 0 and 1"):
        ask()


@pytest.mark.parametrize("rule", [3, None, ClassicStop])
def test_what_is_no_rule_is_refused(rule):
    X, y = planted(0)
    search = ForwardSearch(2, criterion="dcor").fit(X, y)
    with pytest.raises(ValueError, match="is no rule"):
        search.stop_at(rule)
