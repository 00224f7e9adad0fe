"""Counted nearest neighbours are scikit-learn's where no distances tie, and blind to order and scale where they do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast.measures._folds import sample_order
from holdfast.measures._neighbour_votes import Rule
from holdfast.measures.cross_validation import CrossValidation
from oracles import wrappers


@st.composite
def cases(draw, *, tied=False):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_samples, n_features = draw(st.integers(12, 60)), draw(st.integers(1, 12))
    y = rng.permutation(np.arange(n_samples) % draw(st.integers(2, 3)))
    X = rng.normal(size=(n_samples, n_features)) * 10.0 ** rng.integers(-3, 4, size=n_features) + rng.normal() * 10
    if tied:
        X = rng.integers(0, 3, size=X.shape).astype(float)
    else:
        X += 0.5 * X.std(axis=0) * y[:, np.newaxis]
    return X, y, rng


def _split(kind, rng, X, y):
    seed = int(rng.integers(2**31))
    splitter = {
        "stratified": StratifiedKFold(4, shuffle=True, random_state=seed),
        "repeated": RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=seed),
        "shuffled": ShuffleSplit(3, test_size=0.25, random_state=seed),
    }[kind]
    return list(splitter.split(X, y))


def _wrong(estimator, X, y, splits):
    return sum(int((estimator.fit(X[a], y[a]).predict(X[b]) != y[b]).sum()) for a, b in splits)


@pytest.mark.parametrize("n_neighbors", [1, 3, 5])
@pytest.mark.parametrize("is_scaled", [True, False])
@given(case=cases(), kind=st.sampled_from(["stratified", "repeated", "shuffled"]))
def test_errors_equal_those_of_fitted_classifiers(n_neighbors, is_scaled, case, kind):
    X, y, rng = case
    splits = _split(kind, rng, X, y)
    # A tree, because brute force would start threads for every fit.
    estimator = KNeighborsClassifier(n_neighbors, algorithm="kd_tree")
    if is_scaled:
        estimator = make_pipeline(StandardScaler(), estimator)
    validation = CrossValidation(X, y, estimator=estimator, cv=splits)
    n_classified = sum(len(test) for _, test in splits)
    subset = rng.permutation(X.shape[1])[: rng.integers(1, X.shape[1] + 1)]
    assert validation.errors([subset])[0] == _wrong(estimator, X[:, np.sort(subset)], y, splits) / n_classified


@given(case=cases())
def test_votes_that_tie_go_to_the_class_that_scikit_learn_takes(case):
    X, y, rng = case
    splits = _split("stratified", rng, X, y)
    estimator = KNeighborsClassifier(2, algorithm="kd_tree")
    predicted = cross_val_predict(estimator, X, y, cv=splits)
    assert (
        CrossValidation(X, y, estimator=estimator, cv=splits).errors([range(X.shape[1])])[0] == (predicted != y).mean()
    )


@given(case=cases(tied=True))
def test_a_subset_that_grows_has_the_errors_of_the_larger_subset_also_when_distances_tie(case):
    X, y, rng = case
    growing = CrossValidation(X, y, cv=3, random_state=0).growing()
    chosen = []
    for feature in rng.permutation(X.shape[1])[:4].tolist():
        rest = np.setdiff1d(np.arange(X.shape[1]), chosen)
        whole = CrossValidation(X, y, cv=3, random_state=0).errors([*chosen, f] for f in rest)
        assert growing.errors_with(rest).tolist() == whole.tolist()
        growing.add(feature)
        chosen.append(feature)


@given(case=st.booleans().flatmap(lambda tied: cases(tied=tied)), is_far=st.booleans())
def test_subsets_that_lack_little_of_a_large_one_have_the_errors_they_have_alone(case, is_far):
    X, y, rng = case
    X = np.hstack([X, X[:, :1] * X**2, rng.permutation(X)])
    if is_far:
        X[0, 1] = 1e9
    everything = np.arange(X.shape[1])
    rests = [np.setdiff1d(everything, rng.choice(everything, size=2)) for _ in range(8)]
    rests = [rest for rest in rests if len(rest)]
    together, alone = (CrossValidation(X, y, cv=3, random_state=0) for _ in range(2))
    assert together.errors(rests).tolist() == [float(alone.errors([rest])[0]) for rest in rests]


@given(case=cases(tied=True))
def test_errors_do_not_depend_on_the_order_of_the_samples(case):
    X, y, rng = case
    rows = rng.permutation(len(X))
    subsets = [[f] for f in range(X.shape[1])] + [list(range(X.shape[1]))]
    plain = CrossValidation(X, y, cv=3, random_state=1).errors(subsets)
    assert plain.tolist() == CrossValidation(X[rows], y[rows], cv=3, random_state=1).errors(subsets).tolist()


@given(case=cases(tied=True))
def test_errors_do_not_depend_on_the_names_of_the_classes_or_the_scale_of_a_feature(case):
    X, y, rng = case
    subsets = [[f] for f in range(X.shape[1])] + [list(range(X.shape[1]))]
    plain = CrossValidation(X, y, cv=3, random_state=1).errors(subsets)
    moved = X * rng.choice([-4.0, 0.5, 3.0], X.shape[1]) + rng.choice([-100.0, 0.0, 0.1], X.shape[1])
    assert plain.tolist() == CrossValidation(moved, 10 - 3 * y, cv=3, random_state=1).errors(subsets).tolist()


@given(case=cases(tied=True))
def test_samples_are_sorted_as_the_definition_says(case):
    X, y, _ = case
    # Samples that are equal in everything may stand for each other.
    rows = np.column_stack([X, y])
    assert rows[sample_order(X, y)].tolist() == rows[wrappers.sample_order(X.T.tolist(), y.tolist())].tolist()


@pytest.mark.parametrize(
    "estimator",
    [
        KNeighborsClassifier(3, weights="distance"),
        KNeighborsClassifier(3, metric="manhattan"),
        KNeighborsClassifier(3, p=1),
        KNeighborsClassifier(0),
        make_pipeline(StandardScaler(), StandardScaler(), KNeighborsClassifier(3)),
        make_pipeline(KNeighborsClassifier(3)),
        StandardScaler(),
    ],
    ids=lambda estimator: str(estimator).replace("\n", ""),
)
def test_what_is_not_plain_nearest_neighbours_is_not_taken_for_it(estimator):
    assert Rule.behind(estimator) is None


def test_a_scaler_that_only_centres_scales_nothing():
    assert Rule.behind(make_pipeline(StandardScaler(with_std=False), KNeighborsClassifier(3))) == Rule(3, False)
    assert Rule.behind(make_pipeline(StandardScaler(), KNeighborsClassifier(3, algorithm="brute"))) == Rule(3, True)
    assert Rule.behind(None) == Rule(1, True)
