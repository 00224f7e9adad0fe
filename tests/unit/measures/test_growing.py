"""Scores of growing sets are those of the same sets judged anew, by scikit-learn where it has them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import make_scorer, max_error
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from holdfast import SFSLW, measures
from holdfast.measures._folds import Folds
from holdfast.measures._near import NearSet
from holdfast.measures.growing.centroids import SeparationScore
from holdfast.measures.growing.counts import InformationScore, MeritScore
from holdfast.measures.growing.neighbours import DeltaTest, NeighbourScore
from holdfast.measures.growing.sets import DistanceScore, EstimatorScore, FunctionScore
from holdfast.prepare.encode import encode
from oracles import sequential

GRID = (1, 2, 3, 5)


def data(seed, n_samples=40, n_features=6, kind="classes"):
    rng = np.random.default_rng([seed, 71])
    X = rng.normal(size=(n_samples, n_features))
    X[:, 0] *= 5.0
    signal = X[:, 1] + 0.5 * X[:, 3] + rng.normal(size=n_samples)
    y = np.digitize(signal, [-0.5, 0.5]) if kind == "classes" else signal
    return X, y.astype(np.int64) if kind == "classes" else y


def splits_of(kind):
    return StratifiedKFold(4) if kind == "classes" else KFold(4)


def neighbours(X, y, kind, **options):
    folds = Folds.of(list(splits_of(kind).split(X, y)))
    return NeighbourScore(np.ascontiguousarray(X.T), y, folds, options.pop("grid", GRID), **options)


def scores(seed, other=None):
    """A score of every kind on the same features, or on others with the same target."""
    X, y = data(seed)
    _, numbers = data(seed, kind="numbers")
    X = X if other is None else other
    columns, folds = np.ascontiguousarray(X.T), Folds.of(list(StratifiedKFold(4).split(X, y)))

    def coded(values):
        return encode(values, y, "equal-frequency", None)

    yield "cv", NeighbourScore(columns, y, folds, GRID)
    yield "cv mean", NeighbourScore(columns, y, folds, GRID, aggregate="mean")
    yield "train", NeighbourScore(columns, y, folds, (2, 3), in_training=True, scale="none")
    yield "regression", NeighbourScore(columns, numbers, folds, GRID, scale="range")
    for part in ("whole", "complement", "fold", "cross"):
        yield f"delta {part}", DeltaTest(columns, numbers, folds, part)
    yield "delta of classes", DeltaTest(columns, y, folds, "complement")
    yield "dcor", DistanceScore(X, y, "classes")
    yield "mi", InformationScore(X, y, coded)
    yield "cfs", MeritScore(X, y, coded)
    for radius in ("max", "mean", "rms"):
        yield f"lw {radius}", SeparationScore(columns, y, radius)
    yield "tree", EstimatorScore(X, y, folds, DecisionTreeClassifier(max_depth=2, random_state=0), "classes")
    yield "function", FunctionScore(X, numbers, lambda values, target: float(np.abs(values.T @ target).sum()))


NAMES = [name for name, _ in scores(0)]


def score_of(name, seed, other=None):
    return next(score for known, score in scores(seed, other) if known == name)


@pytest.mark.parametrize("name", NAMES)
def test_a_feature_that_joins_or_leaves_gives_the_score_of_that_set(name, seed):
    score, fresh = score_of(name, seed), score_of(name, seed)
    for feature in (4, 1, 2):
        score.add(feature)
    more, less = score.with_each(np.array([0, 3, 5])), score.without_each(np.array([1, 4, 2]))
    np.testing.assert_allclose(more, [fresh.value([4, 1, 2, f]) for f in (0, 3, 5)], rtol=1e-12)
    np.testing.assert_allclose(less, [fresh.value(s) for s in ([4, 2], [1, 2], [4, 1])], rtol=1e-12)
    score.drop(1)
    np.testing.assert_allclose(score.with_each(np.array([5])), fresh.value([4, 2, 5]), rtol=1e-12)
    assert score.members == [4, 2]


@pytest.mark.parametrize("name", NAMES)
def test_some_members_may_be_asked_for_and_the_only_one_leaves_nothing(name, seed):
    score, fresh = score_of(name, seed), score_of(name, seed)
    for feature in (0, 3, 5, 2):
        score.add(feature)
    np.testing.assert_allclose(score.without_each(np.array([5])), fresh.value([0, 3, 2]), rtol=1e-12)
    score.value([3])
    assert score.without_each(np.array([3])).tolist() == [score.of_nothing]


@pytest.mark.parametrize("name", NAMES)
def test_permuted_copies_have_the_score_of_permuted_columns(name, seed):
    X, _ = data(seed)
    orders = np.array([np.random.default_rng([seed, i]).permutation(len(X)) for i in range(3)])
    score = score_of(name, seed)
    for feature in (2, 5):
        score.add(feature)
    last, whole = score.with_permuted(3, orders), score.permuted(orders)
    for i, order in enumerate(orders):
        changed = X.copy()
        changed[:, 3] = X[order, 3]
        assert last[i] == pytest.approx(score_of(name, seed, changed).value([2, 5, 3]), rel=1e-12)
        assert whole[i] == pytest.approx(score_of(name, seed, X[order]).value([2, 5]), rel=1e-12)
    assert score.members == [2, 5]


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("scale", ["standard", "none"])
def test_a_fold_by_fold_score_is_that_of_scikit_learns_grid_search(kind, scale, seed):
    X, y = data(seed, kind=kind)
    model = KNeighborsClassifier() if kind == "classes" else KNeighborsRegressor()
    chain = make_pipeline(StandardScaler() if scale == "standard" else StandardScaler(with_std=False), model)
    name = f"{type(model).__name__.lower()}__n_neighbors"
    score = neighbours(X, y, kind, aggregate="mean", scale=scale)
    for features in ([1], [0, 2], [5, 3, 1, 0]):
        search = GridSearchCV(chain, {name: list(GRID)}, cv=splits_of(kind)).fit(X[:, features], y)
        assert score.value(features) == pytest.approx(search.best_score_, abs=1e-12)
        score.value(features[:-1] or features)
        if features[:-1]:
            # Means of folds may differ in the last digit where they are equal, so the smallest of the best is asked.
            means = search.cv_results_["mean_test_score"]
            smallest = GRID[int(np.argmax(means >= means.max() - 1e-12))]
            assert score.n_neighbors_with(features[-1]) == smallest


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_pooled_score_counts_all_test_samples_alike(kind, seed):
    X, y = data(seed, kind=kind)
    model = KNeighborsClassifier(3) if kind == "classes" else KNeighborsRegressor(3)
    said = cross_val_predict(model, X[:, [0, 4]], y, cv=splits_of(kind))
    expected = (said == y).mean() if kind == "classes" else 1 - ((y - said) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert neighbours(X, y, kind, grid=(3,), scale="none").value([0, 4]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_leaving_one_out_is_cross_validation_with_as_many_folds_as_samples(kind, seed):
    X, y = data(seed, kind=kind)
    model = KNeighborsClassifier(3) if kind == "classes" else KNeighborsRegressor(3)
    said = cross_val_predict(model, X, y, cv=LeaveOneOut())
    expected = (said == y).mean() if kind == "classes" else 1 - ((y - said) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    folds = Folds.of(list(LeaveOneOut().split(X)))
    score = NeighbourScore(np.ascontiguousarray(X.T), y, folds, (3,), scale="none")
    assert score.value(range(X.shape[1])) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_score_in_training_is_that_of_the_refitted_grid_search_on_its_own_samples(kind, seed):
    X, y = data(seed, kind=kind)
    model = KNeighborsClassifier() if kind == "classes" else KNeighborsRegressor()
    search = GridSearchCV(model, {"n_neighbors": [2, 3, 5]}, cv=splits_of(kind)).fit(X[:, [1, 3]], y)
    score = neighbours(X, y, kind, grid=(2, 3, 5), scale="none", aggregate="mean", in_training=True)
    assert score.value([1, 3]) == pytest.approx(search.score(X[:, [1, 3]], y), abs=1e-12)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("n_samples", [30, 90])
def test_many_features_side_by_side_are_judged_as_one_by_one(kind, n_samples, seed):
    """Some are copies of one another, some have three values, so that many distances are equal."""
    rng = np.random.default_rng([seed, n_samples])
    X, y = data(seed, n_samples=n_samples, n_features=75, kind=kind)
    X[:, 20:40] = rng.integers(0, 3, size=(n_samples, 20))
    X[:, 40:50] = X[:, :10]
    together, alone = (neighbours(X, y, kind, scale=scale) for scale in ("standard", "standard"))
    for space in alone._spaces:
        space.worth_sorting = 999
    everyone = np.arange(75)
    for member in (21, 3, 43, 60):
        assert together.with_each(everyone).tolist() == alone.with_each(everyone).tolist()
        together.add(member)
        alone.add(member)


@pytest.mark.parametrize("n_near", [1, 2])
def test_of_distances_that_only_rounding_tells_apart_the_first_sample_is_nearest(n_near, seed):
    """One sample is as far away in one feature as another is in two together, up to the last digit."""
    rng = np.random.default_rng([seed, 72])
    folds = Folds.of([(np.array([1, 2, 3]), np.array([0]))])
    target, n_misled = np.array([0.0, 1.0, 5.0, 9.0]), 0
    for a, b in rng.random((200, 2)):
        one, two = np.array([0, np.sqrt(a + b), np.sqrt(a), 7]), np.array([0, 0, np.sqrt(b), 7])
        near = NearSet(target, folds, n_near, scale="none")
        near.add(one)
        errors = near.errors_with(np.array([two]), np.zeros(8, dtype=np.int64), np.ones((1, 1)))
        assert errors[:, 0, 0].tolist() == [1.0] * 8
        squared = one**2 + two**2
        n_misled += bool(squared[2] < squared[1])
    assert n_misled > 0


def test_splits_that_overlap_or_leave_samples_out_are_followed(seed):
    X, y = data(seed)
    splits = list(ShuffleSplit(5, test_size=0.3, random_state=seed).split(X))
    expected = cross_val_score(KNeighborsClassifier(3), X[:, [2, 3]], y, cv=splits).mean()
    folds = Folds.of(splits)
    score = NeighbourScore(np.ascontiguousarray(X.T), y, folds, (3,), scale="none", aggregate="mean")
    assert score.value([2, 3]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (LogisticRegression(C=0.1), "classes"),
        (DecisionTreeClassifier(random_state=0), "classes"),
        (LinearRegression(), "numbers"),
    ],
)
def test_an_estimator_is_judged_as_scikit_learn_judges_it(estimator, kind, seed):
    X, y = data(seed, kind=kind)
    cv = splits_of(kind)
    folds = Folds.of(list(cv.split(X, y)))
    by_fold = EstimatorScore(X, y, folds, estimator, kind, aggregate="mean")
    assert by_fold.value([1, 3]) == pytest.approx(cross_val_score(estimator, X[:, [1, 3]], y, cv=cv).mean(), abs=1e-12)
    said = cross_val_predict(clone(estimator), X[:, [1, 3]], y, cv=cv)
    pooled = (said == y).mean() if kind == "classes" else 1 - ((y - said) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert EstimatorScore(X, y, folds, estimator, kind).value([1, 3]) == pytest.approx(pooled, abs=1e-12)


def test_a_scorer_is_asked_on_every_fold(seed):
    X, y = data(seed, kind="numbers")
    scorer = make_scorer(max_error, greater_is_better=False)
    folds = Folds.of(list(KFold(4).split(X)))
    score = EstimatorScore(X, y, folds, LinearRegression(), "numbers", scoring=scorer)
    expected = cross_val_score(LinearRegression(), X[:, [0, 2]], y, cv=KFold(4), scoring=scorer).mean()
    assert score.value([0, 2]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["auc", "accuracy", "balanced-accuracy"])
@pytest.mark.parametrize("aggregate", ["pooled", "mean"])
def test_scores_by_name_lie_between_0_and_1_and_nothing_is_worse_than_what_helps(name, aggregate, seed):
    X, y = data(seed)
    X[:, 5] = y
    folds = Folds.of(list(StratifiedKFold(3).split(X, y)))
    score = EstimatorScore(
        X, y, folds, DecisionTreeClassifier(random_state=0), "classes", scoring=name, aggregate=aggregate
    )
    assert score.of_nothing < score.value([5]) == 1.0


@pytest.mark.parametrize("part", ["complement", "fold", "cross"])
def test_the_delta_test_in_parts_is_written_out(part, seed):
    X, y = data(seed, kind="numbers", n_samples=24)
    splits = [(train.tolist(), test.tolist()) for train, test in KFold(4).split(X)]
    slow = sequential.delta_in_parts(X.T.tolist(), y.tolist(), splits, part)
    assert measures.delta_test(X, y, cv=KFold(4), part=part) == pytest.approx(slow, rel=1e-12)
    whole = sequential.delta(X.T.tolist(), y.tolist(), range(len(y)))
    assert measures.delta_test(X, y) == pytest.approx(whole, rel=1e-12)


def test_the_delta_test_of_classes_is_half_the_share_of_neighbours_of_another_class(seed):
    X, y = data(seed)
    near = KNeighborsClassifier(2).fit(X, y).kneighbors(X, return_distance=False)[:, 1]
    assert measures.delta_test(X, y, y_is="classes") == pytest.approx((y[near] != y).mean() / 2, rel=1e-12)


def test_the_delta_test_estimates_the_variance_of_the_noise():
    rng = np.random.default_rng(5)
    X = rng.uniform(size=(4000, 2))
    y = np.sin(6 * X[:, 0]) + X[:, 1] + rng.normal(scale=0.3, size=4000)
    assert measures.delta_test(X, y) == pytest.approx(0.09, rel=0.06)
    assert measures.delta_test(X[:, :1], y) > 0.15


def test_a_nearer_copy_of_a_sample_is_its_neighbour_and_it_is_never_its_own():
    assert measures.delta_test([[0.0], [0.0], [5.0], [9.0]], [1.0, 3.0, 3.0, 3.0]) == (4 + 4 + 0 + 0) / 8


NUM6 = np.array([[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]], dtype=float)


@pytest.mark.parametrize(
    ("features", "radius", "value"),
    [
        ([0], "max", 4.0), ([1], "max", -2.0), ([2], "max", -1.0), ([0, 1], "max", 3.171573), ([0, 2], "max", 3.901067),
        ([0, 1, 2], "max", 3.103319), ([0], "mean", 4.666667), ([1], "mean", -1.333333), ([2], "mean", -0.555556),
    ],
)  # fmt: skip
def test_the_lw_index_of_the_worked_example(features, radius, value):
    y = [0, 0, 0, 1, 1, 1]
    assert measures.lw_index(NUM6[:, features], y, radius=radius) == pytest.approx(value, abs=1e-6)


def test_forward_search_by_the_lw_index_keeps_one_feature_of_the_worked_example():
    search = SFSLW(None, scale="none", stop="cw:strict_decrease=False").fit(NUM6, [0, 0, 0, 1, 1, 1])
    assert search.indices_.tolist() == [0]
    assert search.path_["score"].round(6).tolist() == [4.0, 3.901067]


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: measures.delta_test([1, 2, 3], [1, 2, 3], part="half"), "part='half' is not allowed"),
        (lambda: measures.delta_test([1, 2, 3, 4], [1, 2, 3, 4], cv=4, part="fold"), "has 0 other"),
        (lambda: measures.delta_test([1, 2, 3], [1, 2, 3], cv=[([0], [0]), ([1], [1])], part="cross"), "has 0 other"),
        (lambda: measures.delta_test([1, 2, 3], [1, 2, 3], cv=[([0, 0], [1])]), "has 0 other"),
        (lambda: measures.delta_test([1, 2], [1, 2, 3]), "one value a sample"),
        (lambda: measures.lw_index([1, 2, 3], [0, 0, 1], radius="least"), "radius='least' is not allowed"),
        (lambda: measures.lw_index([1, 2, 3], [1, 1, 1]), "one class only"),
        (lambda: measures.lw_index([1, 2, np.nan], [1, 1, 2]), "NaN or infinity"),
    ],
)
def test_bad_input_is_told(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()
