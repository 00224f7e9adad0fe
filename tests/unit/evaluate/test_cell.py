"""The work of a cell: a method on a split."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info

import holdfast
from holdfast.evaluate import cell as cells
from holdfast.evaluate.cell import alone, evaluate_alone, evaluate_cell
from oracles.studies import inner_training_parts, planned, seed_of, small_table


def _plan(X, y, **asked):
    return planned(X, y, **{"sizes": [2, 5], **asked})


@pytest.fixture(params=[2, 3], ids=["two classes", "three classes"])
def data(request, seed):
    return small_table(seed, n_classes=request.param)


def test_a_cell_is_plain_json_and_the_same_every_time(data):
    plan = _plan(
        *data, methods=["en-relieff(n_runs=3)"], classifiers=["nb", "svm", "forest(n_estimators=5)"], protocol="2cv"
    )
    result, _ = evaluate_alone(plan, 0, 1)
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert evaluate_alone(plan, 0, 1)[0] == result


def test_a_cell_on_all_samples_has_lists_and_scores_and_predicts_nothing(data):
    plan = _plan(*data)
    result, cost = evaluate_alone(plan, 0, "all")
    assert set(result) == {"method", "split", "chosen", "scores"}
    assert set(cost) == {"select_seconds", "seconds"}
    frame, y = data
    fitted = holdfast.selector("f-test", n_features_to_select=5).fit(frame, y)
    assert result["chosen"] == {"2": fitted.indices_[:2].tolist(), "5": fitted.indices_.tolist()}
    assert result["scores"]["5"] == pytest.approx(fitted.scores_[fitted.indices_].tolist(), rel=1e-12)


def test_a_cell_tells_what_it_took(data):
    _, cost = evaluate_alone(_plan(*data, classifiers=["nb", "knn"], tune_size=True), 0, 0)
    assert set(cost) == {"select_seconds", "classify_seconds", "tune_seconds", "seconds"}
    assert set(cost["classify_seconds"]) == {"nb", "knn"}
    assert 0 < cost["select_seconds"] < cost["seconds"]


def test_one_long_list_is_made_once_for_all_sizes(monkeypatch, data):
    built = []
    plan = _plan(*data, methods=["f-test", "turf"], sizes=[1, 2, 5])
    build = cells.Contestant.build
    monkeypatch.setattr(
        cells.Contestant, "build", lambda self, size, seed: built.append(size) or build(self, size, seed)
    )
    evaluate_alone(plan, 0, 0)
    assert built == [5]
    built.clear()
    evaluate_alone(plan, 1, 0)
    assert sorted(built) == [1, 2, 5]


def test_probabilities_come_before_distances_and_scores_have_a_column_per_class(data):
    n_classes = len(np.unique(data[1]))
    plan = _plan(*data, classifiers=["nb", "svm"])
    answers = evaluate_alone(plan, 0, 0)[0]["predictions"]
    assert answers["nb"]["2"]["is_probability"] is True
    assert answers["svm"]["2"]["is_probability"] is False
    shape = (12,) if n_classes == 2 else (12, n_classes)
    assert np.shape(answers["nb"]["2"]["scores"]) == np.shape(answers["svm"]["2"]["scores"]) == shape


def test_scores_of_pairs_of_classes_are_not_taken_for_scores_of_classes(seed):
    plan = _plan(*small_table(seed, n_classes=3), classifiers=["svm(decision_function_shape=ovo)"])
    answers = evaluate_alone(plan, 0, 0)[0]["predictions"]
    assert answers["svm(decision_function_shape=ovo)"]["2"]["scores"] is None


@pytest.mark.parametrize("n_neighbors", [2, 4])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_neighbours_that_disagree_are_counted_as_scikit_learn_does(n_neighbors, weights, seed):
    rng = np.random.default_rng([seed, 8])
    # An even number of neighbours of three classes often votes evenly.
    X, y = rng.normal(size=(36, 6)), np.arange(36) % 3
    model = KNeighborsClassifier(n_neighbors, weights=weights)
    plan = _plan(X, y, classifiers={"near": model}, sizes=[2])
    result = evaluate_alone(plan, 0, 0)[0]
    split, columns = plan.splits[0], result["chosen"]["2"]
    inside, outside = (plan.table.X[np.ix_(rows, columns)] for rows in (split.train, split.test))
    fitted = make_pipeline(StandardScaler(), model).fit(inside, plan.classes[split.train])
    assert result["predictions"]["near"]["2"]["predicted"] == fitted.predict(outside).tolist()


def test_a_feature_without_a_value_in_the_training_part_is_never_chosen(seed):
    frame, y = small_table(seed)
    plan = _plan(frame, y, impute="median")
    X = plan.table.X.copy()
    best = evaluate_alone(plan, 0, 0)[0]["chosen"]["2"][0]
    X[plan.splits[0].train, best] = np.nan
    table = holdfast.Table(X, plan.table.feature_names, plan.table.sample_names, plan.table.target)
    chosen = evaluate_alone(replace(plan, table=table), 0, 0)[0]["chosen"]
    assert best not in chosen["5"]
    assert len(chosen["5"]) == 5


def test_a_constant_feature_is_never_in_a_list(seed):
    _, y = small_table(seed)
    X = np.zeros((36, 4))
    X[:, 2] = np.random.default_rng([seed, 9]).normal(size=36)
    plan = _plan(X, y, methods=["f-test", SelectKBest()], sizes=[3])
    for method in (0, 1):
        assert evaluate_alone(plan, method, 0)[0]["chosen"]["3"] == [2]


def test_scores_that_are_undefined_are_none(seed):
    frame, y = small_table(seed)
    plan = _plan(frame, y, methods=[RFE(RandomForestClassifier(3, random_state=0), step=0.5)], sizes=[3])
    assert evaluate_alone(plan, 0, "all")[0]["scores"] == {"3": [None] * 3}


def test_own_is_what_the_method_keeps_when_left_alone(data):
    frame, y = data
    plan = _plan(frame, y, methods=["cfs"], sizes=["own", 2])
    chosen = evaluate_alone(plan, 0, "all")[0]["chosen"]
    assert chosen["own"] == holdfast.selector("cfs").fit(frame, y).indices_.tolist()
    assert chosen["2"] == holdfast.selector("cfs", n_features_to_select=2).fit(frame, y).indices_.tolist()


def test_the_tuned_size_is_the_smallest_of_those_most_often_right_in_inner_folds(data):
    frame, y = data
    plan = _plan(frame, y, sizes=[1, 3, 9], classifiers=["nb", "1nn"], tune_size=True)
    result, split = evaluate_alone(plan, 0, 0)[0], plan.splits[0]
    train, classes = plan.table.X[split.train], plan.classes[split.train]
    right = {name: dict.fromkeys((1, 3, 9), 0) for name in ("nb", "1nn")}
    for part in inner_training_parts(classes, split.train, seed_of(0, 0)):
        rest = np.setdiff1d(np.arange(len(classes)), part)
        best = holdfast.selector("f-test", n_features_to_select=9).fit(train[part], classes[part]).indices_
        for one in plan.classifiers:
            for size in (1, 3, 9):
                model = make_pipeline(StandardScaler(), one.unfitted()).fit(train[part][:, best[:size]], classes[part])
                right[one.name][size] += (model.predict(train[rest][:, best[:size]]) == classes[rest]).sum()
    for name, counts in right.items():
        most = max(counts.values())
        assert result["tuned"][name] == min(size for size, count in counts.items() if count == most)


def test_where_no_inner_fold_can_be_made_the_smallest_size_is_taken(seed):
    frame, y = small_table(seed, n_samples=32)
    # Each training part has one group, which no inner fold can part.
    plan = _plan(frame, y, groups=np.arange(32) // 16, protocol="loocv", tune_size=True)
    assert evaluate_alone(plan, 0, 0)[0]["tuned"] == {"nb": 2}


def test_a_class_of_two_training_samples_leaves_nothing_to_tune_on(seed):
    frame, _ = small_table(seed)
    y = np.repeat([0, 1], [33, 3])
    plan = _plan(frame, y, protocol="3cv", tune_size=True)
    assert evaluate_alone(plan, 0, 0)[0]["tuned"] == {"nb": 2}


def test_one_group_of_samples_is_drawn_from_as_if_there_were_none(seed):
    frame, y = small_table(seed, n_samples=32)
    plan = _plan(frame, y, methods=["en-relieff(n_runs=3)"], groups=np.arange(32) // 16, protocol="loocv")
    assert len(evaluate_alone(plan, 0, 0)[0]["chosen"]["5"]) == 5


@pytest.mark.parametrize("what", ["classifier", "inner estimator", "selector"])
def test_draws_that_nobody_fixed_follow_the_seed_of_the_study(what, data):
    forest = RandomForestClassifier(3)
    asked = {
        "classifier": {"classifiers": {"forest": forest}},
        "inner estimator": {"methods": [RFE(forest, step=0.5)]},
        "selector": {"methods": [holdfast.EnsembleSelector(selector="f-test", n_runs=2, random_state=None)]},
    }[what]
    plan = _plan(*data, **asked)
    assert evaluate_alone(plan, 0, 0)[0] == evaluate_alone(plan, 0, 0)[0]


class Picky(ClassifierMixin, BaseEstimator):
    """Refuses more than two features, and tells so."""

    def fit(self, X, y):
        if X.shape[1] > 3:
            raise ValueError("too many for me")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def test_a_classifier_that_cannot_be_fitted_is_named(data):
    with pytest.raises(ValueError, match=r"classifiers: picky failed on 24 samples \(ValueError: too many for me\)"):
        evaluate_alone(_plan(*data, classifiers={"picky": Picky()}), 0, 0)


def test_matrix_products_take_one_thread_and_nothing_warns_inside():
    with alone():
        assert all(pool["num_threads"] == 1 for pool in threadpool_info())


def test_a_warning_of_a_classifier_is_kept_to_itself(data):
    # Far from converged.
    plan = _plan(*data, classifiers=["logistic(max_iter=1)"])
    with alone():
        result, _ = evaluate_cell(plan, 0, 0)
    assert result["predictions"]["logistic(max_iter=1)"]["5"]["predicted"]
