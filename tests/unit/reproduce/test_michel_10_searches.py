"""The searches of Michel 2018 on small made-up tables."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from holdfast.reproduce.michel._arms import SEED, repeated
from holdfast.reproduce.michel._rules import RULES, TESTING
from holdfast.reproduce.michel._searches import CRITERIA, CV, DT, DT_CV, GRID, TRAIN, run
from holdfast.reproduce.michel._splits import SETS, SUBJECTS, Data, load, split
from unit.reproduce.shelves import as_found

N_FEATURES = {"Wine": 13, "Diabetes": 10, "Boston": 13}


def small(name="Wine", n_samples=60):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, N_FEATURES[name]))
    if not SUBJECTS[name].has_classes:
        return Data(name, X, X[:, 0] + X[:, 1])
    y = np.arange(n_samples) % 2
    X[:, 3] += 2 * y
    return Data(name, X, y)


@pytest.mark.parametrize("criterion", [CV, TRAIN])
def test_the_search_is_that_of_grid_searched_nearest_neighbours_with_ties_by_index(criterion):
    data = small()
    data = Data("Wine", data.X[:, 1:4], data.y)
    part = split(data, 0, 0)
    found = run(data, criterion, 0, 0)
    chosen = []
    for step in range(2):
        scores = {}
        for feature in set(range(3)) - set(chosen):
            X = part.X[:, [*chosen, feature]]
            folds = list(StratifiedKFold(10).split(X, part.y))
            searched = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": list(GRID)}, cv=folds, scoring="accuracy")
            weights = np.array([len(test) for _, test in folds]) / len(part.y)
            results = searched.fit(X, part.y).cv_results_
            pooled = sum(weights[s] * results[f"split{s}_test_score"] for s in range(10)).round(12)
            k = GRID[int(pooled.argmax())]
            trained = KNeighborsClassifier(k).fit(X, part.y).score(X, part.y)
            scores[feature] = float(pooled.max() if criterion == CV else trained)
        best = max(scores.values())
        chosen.append(min(feature for feature, one in scores.items() if one > best - 1e-9))
        assert found.scores[step] == pytest.approx(best)
    assert found.order[:2] == chosen


@pytest.mark.parametrize(
    ("name", "criterion"), [(name, one) for name in ("Wine", "Diabetes") for one in CRITERIA[name]]
)
def test_every_search_orders_all_features_and_every_reading_stops(name, criterion):
    found = run(small(name), criterion, 0, 1)
    d = N_FEATURES[name]
    assert sorted(found.order) == list(range(d))
    assert len(found.scores) == len(found.runners_up) == d
    assert set(RULES) <= set(found.sizes)
    assert all(0 <= size <= d for size in found.sizes.values())


@pytest.mark.parametrize(("name", "criterion"), [("Wine", CV), ("Diabetes", DT_CV)])
def test_a_repetition_depends_on_its_number_only(name, criterion):
    data = small(name)
    assert run(data, criterion, 0, 1) == run(data, criterion, 0, 1) != run(data, criterion, 0, 2)


@pytest.mark.parametrize(("name", "criterion"), [("Wine", CV), ("Diabetes", DT_CV)])
def test_p_values_of_every_size_are_kept_also_where_a_rule_has_stopped(name, criterion):
    found = run(small(name), criterion, 0, 1)
    d = N_FEATURES[name]
    assert {rule: len(values) for rule, values in found.p_values.items()} == dict.fromkeys(TESTING, d)
    assert found.sizes["P"] < d
    first_failed = next(at for at, p in enumerate(found.p_values["P"]) if p > 0.05)
    assert found.sizes["P"] == first_failed
    assert all(round(50 * p) == pytest.approx(50 * p) for p in found.p_values["P"])


def test_a_p_value_of_h2s_is_that_of_the_bound_for_the_gain_of_a_step():
    found = run(small(), CV, 0, 1)
    n_training = len(split(small(), 0, 1).y)
    gains = np.diff([0.0, *found.scores])
    expected = np.minimum(1.0, np.exp(-2 * n_training * np.maximum(gains, 0) ** 2))
    assert found.p_values["H2S"] == pytest.approx(expected)


def test_searches_without_such_a_figure_have_no_p_values():
    assert not run(small(), TRAIN, 0, 1).p_values
    assert not run(small("Diabetes"), DT, 0, 1).p_values


def test_splits_share_no_sample():
    data = small()
    part = split(Data("Breast", data.X, data.y), 0, 5)
    assert (len(part.y), len(part.truth)) == (42, 18)
    rows = {row.tobytes() for row in part.X}
    assert not any(row.tobytes() in rows for row in part.others)


def test_units_come_from_the_training_part():
    part = split(small(), 0, 5)
    assert part.X.mean(axis=0) == pytest.approx(np.zeros(13), abs=1e-12)
    assert not np.allclose(part.others.mean(axis=0), 0, atol=1e-3)


def test_a_mirrored_permutation_test_refuses_what_a_plain_one_takes():
    found = run(small("Boston"), DT_CV, 0, 0)
    assert found.sizes["P"] >= 1
    assert found.sizes["P, mirrored"] == 0


def test_classes_are_numbered_by_their_names(tmp_path):
    np.savez(tmp_path / "sonar.npz", X=np.eye(3), y=[0, 1, 1], class_names=["R", "M"])
    assert load(as_found(SETS, tmp_path), "Sonar").y.tolist() == [1, 0, 0]


def test_classes_without_names_are_numbered_by_their_numbers(tmp_path):
    np.savez(tmp_path / "sonar.npz", X=np.eye(3), y=[2, 1, 1])
    assert load(as_found(SETS, tmp_path), "Sonar").y.tolist() == [1, 0, 0]


def test_a_part_is_its_repetitions_one_by_one(tmp_path):
    data = small()
    np.savez(tmp_path / "wine.npz", X=data.X, y=data.y)
    found = repeated("Wine", CV, 3, 2, as_found(SETS, tmp_path))
    assert (found["data"], found["criterion"]) == ("Wine", CV)
    assert [one["order"] for one in found["runs"]] == [run(data, CV, SEED, i).order for i in (3, 4)]
