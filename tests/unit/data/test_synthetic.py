"""The generators keep the facts they promise; bands are five standard errors or wider."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.data import blocks, copies, many_classes, xor_pair

GENERATORS = [blocks, copies, xor_pair, many_classes]


@pytest.fixture(params=[0, 1, 2])
def seed(request):
    return request.param


@pytest.mark.parametrize("make", GENERATORS)
def test_the_same_seed_gives_the_same_data_and_another_one_other_data(make):
    one, again, other = make(random_state=3), make(random_state=3), make(random_state=4)
    np.testing.assert_array_equal(one.X, again.X)
    np.testing.assert_array_equal(one.relevant, again.relevant)
    assert not np.array_equal(one.X, other.X)
    assert not np.array_equal(one.relevant, other.relevant)


@pytest.mark.parametrize("make", GENERATORS)
def test_columns_are_shuffled_and_names_follow_the_position(make):
    made = make(random_state=0)
    assert made.feature_names.tolist() == [f"f{j}" for j in range(1, 1001)]
    assert made.relevant.max() > 500
    assert np.all(np.diff(made.relevant) > 0)
    assert not set(made.relevant) & set(made.redundant)
    assert made.X.shape == (100, 1000)
    assert made.X.dtype == np.float64


@pytest.mark.parametrize("make", GENERATORS)
def test_columns_put_back_to_their_origin_are_the_same_features_in_every_draw(make):
    one, other = make(random_state=0), make(random_state=1)
    assert sorted(one.origin) == list(range(1000))
    assert sorted(one.origin[one.relevant]) == sorted(other.origin[other.relevant])
    assert sorted(one.origin[one.redundant]) == sorted(other.origin[other.redundant])
    assert np.array_equal(one.groups[np.argsort(one.origin)], other.groups[np.argsort(other.origin)])


def test_relevant_features_come_first_before_the_shuffle():
    made = blocks(n_features=60, n_relevant=20, random_state=0)
    assert sorted(made.origin[made.relevant]) == list(range(20))


@pytest.mark.parametrize("make", GENERATORS)
def test_there_are_always_two_classes(make):
    assert len(np.unique(make(random_state=0).y)) >= 2


def test_a_draw_with_one_class_is_refused():
    # With full correlation and no shift both samples fall on one side half of the time, as with this seed.
    with pytest.raises(ValueError, match="one class"):
        blocks(n_samples=2, n_features=5, n_relevant=5, correlation=1.0, shift=0.0, random_state=1)


def test_block_labels_are_the_sign_of_the_mean_of_the_relevant_features(seed):
    made = blocks(random_state=seed)
    np.testing.assert_array_equal(made.y, np.sign(made.X[:, made.relevant].mean(axis=1)))


def test_block_projection_has_the_published_mean_and_spread(seed):
    # r*x is normal with mean +-0.5 and variance 0.164; with n = 4000 a half has 2000 rows.
    made = blocks(n_samples=4000, n_features=60, random_state=seed)
    projection = made.X[:, made.relevant].mean(axis=1)
    sd = np.sqrt(0.164)
    for component, mean in ((projection[::2], 0.5), (projection[1::2], -0.5)):
        assert abs(component.mean() - mean) < 5 * sd / np.sqrt(2000)
        assert abs(component.std() - sd) < 5 * sd / np.sqrt(2 * 2000)


def test_block_labels_differ_from_the_component_as_published(seed):
    made = blocks(n_samples=20_000, n_features=50, random_state=seed)
    differs = made.y != np.where(np.arange(20_000) % 2 == 0, 1, -1)
    expected = 0.10848
    assert abs(differs.mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000)


def test_block_correlations_are_as_published(seed):
    n = 4000
    made = blocks(n_samples=n, n_features=80, random_state=seed)
    correlation = np.corrcoef(made.X, rowvar=False)
    is_relevant = np.isin(np.arange(80), made.relevant)
    same = made.groups[:, None] == made.groups
    off = ~np.eye(80, dtype=bool)
    both = is_relevant[:, None] & is_relevant
    neither = ~is_relevant[:, None] & ~is_relevant
    # A sample correlation has standard error (1 - r^2) / sqrt(n); the mean over pairs is no worse.
    for mask, expected in (
        (both & same & off, 0.84),
        (both & ~same, 0.20),
        (neither & same & off, 0.80),
        (neither & ~same, 0.0),
    ):
        assert abs(correlation[mask].mean() - expected) < 5 * (1 - expected**2) / np.sqrt(n)
    # Variance 1.25 with kurtosis below 3, so its standard error is below 1.25 * sqrt(2 / n).
    assert abs(made.X[:, made.relevant].var(axis=0).mean() - 1.25) < 5 * 1.25 * np.sqrt(2 / n)
    assert np.bincount(made.groups).tolist() == [10] * 8


def test_exact_copies_equal_their_original(seed):
    made = copies(n_features=40, n_relevant=4, n_copies=3, noise=0.0, random_state=seed)
    for group in range(4):
        columns = np.flatnonzero(made.groups == group)
        assert len(columns) == 4
        assert len(set(columns) & set(made.relevant)) == 1
        assert len(set(columns) & set(made.redundant)) == 3
        np.testing.assert_array_equal(made.X[:, columns], made.X[:, columns[:1]].repeat(4, axis=1))
    assert len(np.unique(made.X, axis=1).T) == 28


def test_noisy_copies_differ_from_their_original_by_the_noise(seed):
    made = copies(n_samples=2000, n_features=30, n_relevant=3, n_copies=2, noise=0.3, random_state=seed)
    for copy in made.redundant:
        original = next(j for j in made.relevant if made.groups[j] == made.groups[copy])
        assert abs((made.X[:, copy] - made.X[:, original]).std() - 0.3) < 5 * 0.3 / np.sqrt(2 * 2000)


def test_relevant_features_of_copies_are_shifted_between_the_classes(seed):
    made = copies(n_samples=2000, n_features=30, n_relevant=3, n_copies=2, shift=1.0, random_state=seed)
    difference = made.X[made.y == 1].mean(axis=0) - made.X[made.y == 0].mean(axis=0)
    error = 5 * np.sqrt(2 * 1.01 / 1000)
    informed = np.union1d(made.relevant, made.redundant)
    assert np.all(np.abs(difference[informed] - 1) < error)
    assert np.all(np.abs(np.delete(difference, informed)) < error)


def test_the_xor_pair_tells_the_class_together_but_not_alone(seed):
    made = xor_pair(n_samples=2000, n_features=30, random_state=seed)
    pair = np.flatnonzero(made.groups == 0)
    assert set(pair) < set(made.relevant)
    difference = made.X[made.y == 1].mean(axis=0) - made.X[made.y == 0].mean(axis=0)
    # Corners are balanced, so only the spread of 0.5 around them is left by chance.
    assert np.all(np.abs(difference[pair]) < 5 * 0.5 * np.sqrt(2 / 1000))
    guess = made.X[:, pair[0]] * made.X[:, pair[1]] < 0
    # Each coordinate keeps its sign with probability Phi(2) = 0.97725; both or neither: 0.9555.
    assert abs((guess == made.y).mean() - 0.9555) < 5 * np.sqrt(0.9555 * 0.0445 / 2000)
    weak = np.setdiff1d(made.relevant, pair)
    assert len(weak) == 5
    assert np.all(np.abs(difference[weak] - 0.5) < 5 * np.sqrt(2 / 1000))


def test_each_class_has_its_own_markers(seed):
    made = many_classes(4, n_samples=2000, n_features=40, n_markers=3, shift=1.5, random_state=seed)
    assert np.bincount(made.y).tolist() == [500] * 4
    for label in range(4):
        inside = made.X[made.y == label].mean(axis=0) - made.X[made.y != label].mean(axis=0)
        marks = made.groups == label
        assert marks.sum() == 3
        assert set(np.flatnonzero(marks)) <= set(made.relevant)
        error = 5 * np.sqrt(1 / 500 + 1 / 1500)
        assert np.all(np.abs(inside[marks] - 1.5) < error)
        assert np.all(np.abs(inside[made.groups == -1]) < error)


@pytest.mark.parametrize(
    ("make", "options", "says"),
    [
        (blocks, {"n_relevant": 2000}, "n_relevant=2000 needs 2000 features, but n_features=1000"),
        (blocks, {"correlation": 1.5}, "correlation=1.5"),
        (blocks, {"n_samples": 1}, "n_samples=1"),
        (blocks, {"block_size": 0}, "block_size=0"),
        (copies, {"n_copies": 200}, "n_copies=200 each needs 2010"),
        (copies, {"noise": -1}, "noise=-1"),
        (xor_pair, {"n_samples": 3}, "n_samples=3"),
        (xor_pair, {"n_features": 4}, "n_weak=5 needs 7"),
        (many_classes, {"n_classes": 1}, "n_classes=1"),
        (many_classes, {"n_classes": 101}, "n_samples=100. Pass at least 101"),
        (many_classes, {"random_state": "x"}, "random_state='x'"),
    ],
)
def test_parameters_that_do_not_fit_are_named(make, options, says):
    with pytest.raises(ValueError, match=says):
        make(**options)
