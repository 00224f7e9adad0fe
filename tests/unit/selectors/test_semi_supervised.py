"""Semi-supervised AROM: relevance that spreads to near features, rounds until the choice stays, and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from holdfast import AROM, DataError, SemiSupervisedAROM
from holdfast.measures.likeness import surrounded
from oracles import linear

# Five features of three samples, of Ben Brahim 2015 as specified; the first two are known.
LINE = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 3, 0), (10, 10, 10)], dtype=float).T
KNOWN = [True, True, False, False, False]


def noise(n_samples=16, n_features=40, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = np.arange(n_samples) % n_classes
    X[:, :6] += np.outer(y, rng.normal(size=6))
    return X, y


def known(n_features=40, n_known=4):
    return np.arange(n_features) < n_known


# Relevance that spreads


@pytest.mark.parametrize(("k", "found"), [(1, {0, 1, 2}), (2, {0, 1, 2}), (3, {0, 1})])
def test_features_whose_neighbours_are_all_relevant_become_relevant(k, found):
    assert linear.ssrl(LINE, {0, 1}, k, "none") == found
    assert set(np.flatnonzero(surrounded(LINE.T.copy(), np.array(KNOWN), k) | KNOWN)) == found


@pytest.mark.parametrize(
    ("start", "end"), [({0, 1}, {0, 1, 2}), ({0, 1, 2}, {0, 1, 2, 3}), ({0, 1, 2, 3}, {0, 1, 2, 3, 4})]
)
def test_relevance_spreads_by_one_step_at_a_time(start, end):
    assert linear.ssrl(LINE, start, 2, "none") == end
    is_relevant = np.isin(np.arange(5), list(start))
    assert set(np.flatnonzero(surrounded(LINE.T.copy(), is_relevant, 2) | is_relevant)) == end


def test_a_feature_as_near_as_the_last_neighbour_is_a_neighbour_too():
    # From the feature at 0 those at 1 and -1 are equally near; only one of them is known.
    X = np.array([[0.0, 1.0, -1.0, 0.0], [3.0, 3.0, 3.0, 3.0], [0.0, 0.0, 0.0, 9.0]])
    for prior, n_relevant in (([False, True, False, False], 1), ([False, True, True, False], 3)):
        fitted = SemiSupervisedAROM(4, prior=prior, n_neighbors=1, distance="none", max_iter=1).fit(X, [0, 1, 1])
        assert fitted.n_relevant_.tolist() == [n_relevant]


def test_correlated_features_are_near_and_mirror_images_are_far():
    base = np.array([0.0, 1, 2, 3, 4, 5, 6, 7])
    bump = np.array([1.0, -1, 0, 0, 0, 0, 1, -1])
    X = np.column_stack([base, 2 * base + 3, 5 * base + bump, -base, bump, bump + base / 9, bump - base / 9])
    prior = np.arange(7) < 2
    fitted = SemiSupervisedAROM(5, prior=prior, max_iter=1).fit(X, np.arange(8) % 2)
    assert linear.ssrl(X, {0, 1}, 2) == {0, 1, 2}
    assert fitted.n_relevant_.tolist() == [3]


def test_the_unit_of_a_feature_matters_only_if_it_is_not_scaled_away():
    X, y = noise()
    unit = 10.0 ** np.random.default_rng(2).integers(-3, 4, size=40)
    plain, other = (SemiSupervisedAROM(10, prior=known()).fit(Z, y) for Z in (X, X * unit + unit))
    assert plain.indices_.tolist() == other.indices_.tolist()
    assert plain.n_relevant_.tolist() == other.n_relevant_.tolist()


# Rounds


def test_the_agreement_of_two_sets_is_what_they_share_of_all_they_have():
    assert linear.conv({1, 2, 3, 4}, {2, 3, 4, 5}) == 0.6
    hundred = set(range(100))
    assert linear.conv(hundred, set(range(25, 125))) == 0.6
    assert linear.conv(hundred, set(range(1, 101))) == pytest.approx(0.980198, abs=5e-7)


def test_rounds_of_the_slow_twin_are_those_of_the_worked_example():
    sizes = []

    def learn(X, relevant, k, distance):
        return relevant | {2} if relevant == {0, 1} else relevant

    def choose(grown, size):
        sizes.append((set(grown), size))
        return dict.fromkeys([0, 2, 3, 4], 1.0)

    options = {"n_features_to_select": 4, "prior": [10, 10, 1, 1, 1], "growth": 0.1, "fixed_size": False, "tol": 0.01}
    options |= {"n_neighbors": 2, "distance": "none", "max_iter": 50, "keep_prior": False}
    options |= {"C": 1e4, "scale": "none", "multiclass": "ovo"}
    X = np.random.default_rng(0).normal(size=(6, 5))
    y = [0, 1] * 3
    found = list(linear.ss_l2arom_rounds(X, y, options, learn=learn, choose=choose))
    assert [agreement for _, _, agreement in found] == [0.0, 1.0]
    assert sizes == [({0, 1, 2}, 4), ({0, 2, 3, 4}, 4)]


@pytest.mark.parametrize("fixed_size", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_rounds_are_those_of_the_slow_twin(fixed_size, n_classes, seed):
    X, y = noise(n_classes=n_classes, n_features=25, seed=seed)
    selector = SemiSupervisedAROM(8, prior=known(25), fixed_size=fixed_size)
    rounds = list(linear.ss_l2arom_rounds(X.tolist(), y.tolist(), selector.get_params()))
    fitted = selector.fit(X, y)
    assert fitted.n_relevant_.tolist() == [n_relevant for n_relevant, _, _ in rounds]
    assert fitted.convergence_.tolist() == pytest.approx([agreement for _, _, agreement in rounds], abs=1e-12)
    assert fitted.indices_.tolist() == list(rounds[-1][1])
    assert fitted.n_iter_ == len(rounds)


def test_the_first_agreement_is_zero_and_the_last_is_one(seed):
    X, y = noise(seed=seed)
    fitted = SemiSupervisedAROM(10, prior=known()).fit(X, y)
    assert fitted.convergence_[0] == 0.0
    assert fitted.convergence_[-1] == 1.0
    assert len(fitted.convergence_) == len(fitted.n_relevant_) == fitted.n_iter_ < 50
    assert len(fitted.indices_) == 10


def test_a_loose_tolerance_stops_early():
    X, y = noise()
    exact, loose = (SemiSupervisedAROM(10, prior=known(), tol=tol).fit(X, y) for tol in (0.01, 0.99))
    assert loose.n_iter_ <= exact.n_iter_
    assert loose.convergence_[-1] >= 0.01


def test_a_choice_that_does_not_settle_stops_after_the_rounds_allowed():
    X, y = noise()
    fitted = SemiSupervisedAROM(10, prior=known(), max_iter=1).fit(X, y)
    assert fitted.n_iter_ == 1
    assert fitted.convergence_.tolist() == [0.0]


def test_a_fixed_size_is_the_number_asked_for_from_the_start():
    X, y = noise()
    grown, fixed = (SemiSupervisedAROM(20, prior=known(), fixed_size=f, max_iter=1).fit(X, y) for f in (False, True))
    assert len(fixed.indices_) == 20
    assert grown.n_relevant_.tolist() == fixed.n_relevant_.tolist()
    prior = np.where(known(), 10.0, 1.0)
    if fixed.n_relevant_[0] == 4:
        assert fixed.indices_.tolist() == AROM(20, prior=prior).fit(X, y).indices_.tolist()


def test_known_features_stay_if_they_must():
    rng = np.random.default_rng(5)
    X, y = noise()
    X[:, :4] = rng.normal(size=(16, 4)) / 1e3
    kept = SemiSupervisedAROM(10, prior=known(), keep_prior=True).fit(X, y)
    assert set(range(4)) <= set(kept.indices_.tolist())
    assert len(kept.indices_) == 10


def test_names_marks_and_weights_say_the_same():
    X, y = noise()
    frame = pd.DataFrame(X, columns=[f"g{i}" for i in range(40)])
    expected = SemiSupervisedAROM(10, prior=known()).fit(X, y)
    for prior in (["g0", "g1", "g2", "g3"], {f"g{i}": 10 for i in range(4)}, np.where(known(), 10.0, 1.0)):
        fitted = SemiSupervisedAROM(10, prior=prior).fit(frame, y)
        assert fitted.indices_.tolist() == expected.indices_.tolist()
        assert fitted.n_relevant_.tolist() == expected.n_relevant_.tolist()


@pytest.mark.parametrize("column", [[2, 2, 2, 2], [0, 1, 0, 1]], ids=["constant", "useless"])
def test_a_known_feature_that_says_nothing_has_no_weight(column):
    fitted = SemiSupervisedAROM(1, prior=[10.0]).fit(np.array(column)[:, np.newaxis], [0, 0, 1, 1])
    assert fitted.scores_.tolist() == [0.0]
    assert fitted.indices_.tolist() == [0]


def test_without_a_prior_relevance_has_nothing_to_spread_from():
    X, y = noise()
    fitted = SemiSupervisedAROM(10, max_iter=1).fit(X, y)
    assert fitted.n_relevant_.tolist() == [0]
    assert fitted.indices_.tolist() == AROM(10).fit(X, y).indices_.tolist()


# Errors


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"n_neighbors": 1.5}, r"n_neighbors=1\.5"),
        ({"distance": "raw"}, "distance='raw'"),
        ({"growth": -0.1}, r"growth=-0\.1"),
        ({"tol": -0.1}, r"tol=-0\.1"),
        ({"fixed_size": 1}, "fixed_size=1"),
        ({"keep_prior": "no"}, "keep_prior='no'"),
        ({"C": 0}, "C=0"),
        ({"scale": "minmax"}, "scale='minmax'"),
        ({"multiclass": "both"}, "multiclass='both'"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"prior": [1.0, 2.0]}, "prior has 2 numbers, but X has 40 features"),
        ({"prior": "TP53"}, "prior='TP53'"),
        ({"n_features_to_select": 41}, "n_features_to_select=41 but X has 40"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        SemiSupervisedAROM(**{"n_features_to_select": 5, "prior": known(), **parameters}).fit(*noise())


def test_classes_that_cannot_be_separated_have_no_hard_margin():
    X, y = noise(n_samples=60, n_features=10)
    with pytest.raises(DataError, match="separate"):
        SemiSupervisedAROM(5, prior=known(10), C=None).fit(X, np.random.default_rng(0).permutation(y))
