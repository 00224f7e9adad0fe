"""Rankings by entry into a lasso or an elastic net: against scikit-learn, the slow twin, and where solvers stumble."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import enet_path

from holdfast import DataError
from holdfast._progress import watching
from holdfast.prepare.features import copies_of
from holdfast.selectors.linear import ElasticNet
from oracles import datasets, penalised

LOSSES = ("logistic", "squared")


def _wide(seed, n_samples=100, n_features=5000, n_classes=2):
    rng = np.random.default_rng([seed, 50])
    y = rng.permutation(np.arange(n_samples) % n_classes)
    X = rng.standard_normal((n_samples, n_features))
    X[:, :60] += 0.5 * y[:, np.newaxis]
    return X, y


def _by_twin(selector, X, y):
    return penalised.elastic_net(X.tolist(), y.tolist(), selector.get_params())[0]


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
def test_features_enter_where_they_do_in_the_path_of_scikit_learn(l1_ratio, seed):
    X, y = _wide(seed)
    fitted = ElasticNet(30, loss="squared", l1_ratio=l1_ratio).fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    penalties, coefficients, _ = enet_path(
        Z, (2.0 * y - 1) / np.std(2 * y - 1), l1_ratio=l1_ratio, alphas=fitted.penalties_, tol=1e-12, max_iter=100_000
    )
    is_in = np.abs(coefficients) > 1e-6
    step = np.where(is_in.any(axis=1), is_in.argmax(axis=1), len(penalties))
    size = np.abs(coefficients)[np.arange(len(step)), np.minimum(step, len(penalties) - 1)]
    assert fitted.n_entered_ == is_in.any(axis=1).sum()
    assert fitted.indices_.tolist() == np.lexsort([-size, step])[:30].tolist()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("l1_ratio", [1.0, 0.9, 0.2])
@pytest.mark.parametrize("scale", ["standard", "none"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_setting_picks_what_its_slow_twin_picks(loss, l1_ratio, scale, n_classes, seed):
    data = datasets.continuous(seed, n_classes=n_classes)
    X = data.X * np.resize([1.0, 4.0, 0.5], data.X.shape[1])
    selector = ElasticNet(10, loss=loss, l1_ratio=l1_ratio, scale=scale, n_penalties=15, smallest_penalty=0.05)
    fitted = selector.fit(X, data.y)
    order, scores = penalised.elastic_net(X.tolist(), data.y.tolist(), selector.get_params())
    assert fitted.indices_.tolist() == order
    np.testing.assert_allclose(fitted.scores_[order], scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_wide_data_in_another_order_give_the_same_list(loss, seed):
    X, y = _wide(seed, n_classes=3)
    rng = np.random.default_rng([seed, 51])
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    plain = ElasticNet(40, loss=loss).fit(X, y)
    moved = ElasticNet(40, loss=loss).fit(X[rows][:, columns] * -2 + 3, 2 - y[rows])
    assert columns[moved.indices_].tolist() == plain.indices_.tolist()
    np.testing.assert_allclose(moved.scores_, plain.scores_[columns], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
def test_copies_and_mirror_images_enter_together(l1_ratio, seed):
    X, y = _wide(seed, n_features=200)
    X = np.column_stack([X, X[:, :60], 5 - 2 * X[:, :60]])
    fitted = ElasticNet(90, l1_ratio=l1_ratio).fit(X, y)
    assert fitted.n_entered_ >= 90
    for original in range(60):
        assert len(set(np.round(fitted.scores_[[original, 200 + original, 260 + original]], 9))) == 1
    chosen = set(fitted.indices_[:30])
    families = {f if f < 200 else (f - 200) % 60 for f in chosen}
    assert len(families) < len(chosen)


def test_copies_do_not_change_which_features_a_lasso_takes(seed):
    X, y = _wide(seed, n_features=200)
    plain = ElasticNet(200).fit(X, y)
    copied = ElasticNet(200).fit(np.column_stack([X, X[:, :10]]), y)
    np.testing.assert_allclose(copied.scores_[:200], plain.scores_, rtol=1e-9, atol=1e-9)


def test_groups_of_copies_are_numbered_by_their_first():
    features = np.array([[1.0, 2.0, -3.0], [0.0, 1.0, -1.0], [-1.0, -2.0, 3.0], [1.0, 2.0, -3.0], [2.0, 4.0, -6.0]])
    assert copies_of(features).tolist() == [0, 1, 0, 0, 4]


@pytest.mark.parametrize("l1_ratio", [1.0, 0.5])
@pytest.mark.parametrize("loss", LOSSES)
def test_classes_that_a_feature_separates_leave_a_finite_path(loss, l1_ratio, seed):
    X, y = _wide(seed, n_samples=40, n_features=300)
    X[:, 7] = 3.0 * y + 0.1 * X[:, 7]
    fitted = ElasticNet(300, loss=loss, l1_ratio=l1_ratio, smallest_penalty=1e-4).fit(X, y)
    assert fitted.indices_[0] == 7
    assert len(fitted.penalties_) == 100
    assert np.isfinite(fitted.scores_).all()


def test_a_lasso_of_few_samples_still_ranks_every_feature(seed):
    X, y = _wide(seed, n_samples=12, n_features=80)
    fitted = ElasticNet(80, smallest_penalty=1e-3).fit(X, y)
    assert fitted.n_entered_ < 80
    assert sorted(fitted.indices_) == list(range(80))
    assert (np.diff(fitted.scores_[fitted.indices_]) <= 0).all()
    never = fitted.indices_[fitted.n_entered_ :]
    assert (fitted.scores_[never] <= fitted.penalties_[-1] / fitted.penalties_[0]).all()


def test_features_that_depend_on_each_other_are_no_obstacle(seed):
    """Indicators of a letter add up to one, so the coefficients of a lasso have flat directions."""
    rng = np.random.default_rng([seed, 52])
    letters = rng.integers(0, 4, size=(30, 6))
    X = (letters[:, :, np.newaxis] == np.arange(4)).reshape(30, 24).astype(float)
    y = (letters[:, 0] < 2).astype(int)
    y[:3] = 1 - y[:3]
    order = rng.permutation(24)
    for loss in LOSSES:
        plain = ElasticNet(24, loss=loss, smallest_penalty=1e-4).fit(X, y)
        moved = ElasticNet(24, loss=loss, smallest_penalty=1e-4).fit(X[:, order], y)
        assert np.array_equal(X[:, plain.indices_], X[:, order[moved.indices_]])


def test_near_copies_are_told_apart(seed):
    X, y = _wide(seed, n_features=50)
    X = np.column_stack([X, X[:, :20] + 1e-6 * np.random.default_rng([seed, 53]).standard_normal((100, 20))])
    fitted = ElasticNet(70).fit(X, y)
    assert len(fitted.penalties_) == 100
    assert sorted(fitted.indices_) == list(range(70))


@pytest.mark.parametrize("loss", LOSSES)
def test_a_class_of_one_sample_can_be_set_against_the_rest(loss, seed):
    X, y = _wide(seed, n_samples=20, n_features=12)
    y[0], X[0, 5] = 2, 30.0
    selector = ElasticNet(12, loss=loss, n_penalties=15)
    assert selector.fit(X, y).indices_.tolist() == _by_twin(selector, X, y)


def test_a_feature_counts_from_its_first_entry_for_any_class(seed):
    X, y = _wide(seed, n_features=400, n_classes=3)
    together = ElasticNet(400, n_penalties=30, smallest_penalty=0.1).fit(X, y)
    entries = np.zeros(400)
    for c in range(3):
        alone = ElasticNet(400, n_penalties=200, smallest_penalty=0.05).fit(X, y == c)
        has_entered = alone.scores_ >= alone.penalties_[-1] / alone.penalties_[0]
        entries = np.maximum(entries, np.where(has_entered, alone.scores_ * alone.penalties_[0], 0.0))
    # The first penalty of the coarser grid at or below the entry for the earliest class.
    found = np.flatnonzero(together.scores_ >= 0.1 - 1e-12)
    coarse = together.scores_[found] * together.penalties_[0]
    assert (coarse <= entries[found] * 1.03).all()
    assert (coarse >= entries[found] * 0.90).all()


def test_constants_come_last_and_never_enter(seed):
    X, y = _wide(seed, n_samples=30, n_features=20)
    X[:, [3, 9]] = [0.1, -4.0]
    fitted = ElasticNet(20, smallest_penalty=1e-3).fit(X, y)
    assert set(fitted.indices_[-2:]) == {3, 9}
    assert np.isneginf(fitted.scores_[[3, 9]]).all()


@pytest.mark.parametrize("X", [np.ones((6, 3)), np.tile([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0]], (2, 1))])
def test_features_that_say_nothing_are_ranked_without_a_path(X):
    fitted = ElasticNet(1).fit(X, [0, 0, 0, 1, 1, 1])
    assert fitted.n_entered_ == 0
    assert len(fitted.indices_) == 1


def test_the_path_ends_once_enough_features_have_entered(seed):
    X, y = _wide(seed, n_features=500)
    few, many = ElasticNet(5).fit(X, y), ElasticNet(500).fit(X, y)
    assert 5 <= few.n_entered_ < many.n_entered_
    assert len(few.penalties_) < len(many.penalties_) == 100
    assert few.indices_.tolist() == many.indices_[:5].tolist()
    assert many.penalties_[-1] == pytest.approx(0.01 * many.penalties_[0])


def test_progress_counts_the_features_that_entered(seed):
    X, y = _wide(seed, n_features=200)
    seen = []
    with watching(lambda what, done, total: seen.append((what, done, total))):
        ElasticNet(10).fit(X, y)
    assert {what for what, _, _ in seen} == {"Features entered"}
    assert seen[-1][1:] == (10, 10)


def test_a_measured_target_is_refused(seed):
    X, _ = _wide(seed, n_samples=20, n_features=5)
    with pytest.raises(ValueError, match="continuous"):
        ElasticNet(2, loss="squared").fit(X, X[:, 0])


def test_a_missing_value_is_refused(seed):
    X, y = _wide(seed, n_samples=20, n_features=5)
    X[2, 3] = np.nan
    with pytest.raises(DataError, match="NaN"):
        ElasticNet(2).fit(X, y)
