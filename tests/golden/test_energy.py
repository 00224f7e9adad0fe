"""R's energy gives the same distance correlations, of features and of subsets, with classes and with numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from golden.make_energy import MAKERS
from holdfast.measures import distance_correlation

GOLDEN = json.loads((Path(__file__).parent / "energy.json").read_text())["data"]
TWO_CLASSES = [name for name, golden in GOLDEN.items() if "classes_as_0_and_1" in golden]
TARGETS = ["classes", "first_column"]
# R's name of the number: how to ask for it here.
KINDS = {"dcor": {"unbiased": False}, "bcdcor": {"unbiased": True}}

each_table = pytest.mark.parametrize("name", list(GOLDEN))
each_target = pytest.mark.parametrize("target", TARGETS)
each_kind = pytest.mark.parametrize("kind", list(KINDS))


def load(name, target="classes"):
    """The columns R saw, the target with what it is, R's numbers for the table and those for this target."""
    data = MAKERS[name]()
    golden = GOLDEN[name]
    assert data.fingerprint == golden["fingerprint"]
    X = data.X[:, : golden["n_columns"]]
    y, y_is = (data.y, "classes") if target == "classes" else (X[:, 0], "numbers")
    return X, y, y_is, golden, golden[target]


def assert_same(ours, expected):
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-10)


@each_table
@each_target
@each_kind
def test_each_feature_has_the_index_of_energy(name, target, kind):
    X, y, y_is, _, expected = load(name, target)
    assert_same(distance_correlation(X, y, y_is=y_is, **KINDS[kind]), expected[kind])


@each_table
@each_target
@each_kind
def test_each_subset_has_the_index_of_energy(name, target, kind):
    X, y, y_is, golden, expected = load(name, target)
    ours = distance_correlation(X, y, subsets=golden["subsets"], y_is=y_is, **KINDS[kind])
    assert_same(ours, expected[f"{kind}_of_subsets"])


@each_table
@each_target
@each_kind
def test_weights_count_as_columns_multiplied_by_their_roots_in_energy(name, target, kind):
    X, y, y_is, golden, expected = load(name, target)
    weights = np.array(golden["feature_weights"])
    ours = distance_correlation(X, y, subsets=golden["subsets"], feature_weights=weights, y_is=y_is, **KINDS[kind])
    assert_same(ours, expected[f"{kind}_of_weighted_subsets"])


@each_table
@each_target
@each_kind
def test_all_columns_together_have_the_index_of_energy(name, target, kind):
    X, y, y_is, golden, expected = load(name, target)
    assert golden["subsets"][-1] == list(range(X.shape[1]))
    ours = distance_correlation(X, y, subsets="all", y_is=y_is, **KINDS[kind])
    assert_same(ours, expected[f"{kind}_of_subsets"][-1])


@each_table
@each_kind
def test_subsets_may_be_rows_of_true_and_false(name, kind):
    X, y, y_is, golden, expected = load(name)
    masks = np.array([np.isin(np.arange(X.shape[1]), subset) for subset in golden["subsets"]])
    ours = distance_correlation(X, y, subsets=masks, y_is=y_is, **KINDS[kind])
    assert_same(ours, expected[f"{kind}_of_subsets"])


@each_table
@each_target
def test_the_squared_index_is_energys_covariance_over_the_root_of_its_variances(name, target):
    X, y, y_is, golden, expected = load(name, target)
    scale = np.sqrt(np.array(golden["dvar_squared"]) * expected["dvar_squared_of_target"])
    ratio = np.divide(expected["dcov_squared"], scale, out=np.zeros_like(scale), where=scale > 0)
    assert_same(distance_correlation(X, y, y_is=y_is, squared=True), ratio)


@pytest.mark.parametrize("name", TWO_CLASSES)
@each_kind
def test_two_classes_taken_as_0_and_1_have_the_index_of_energy(name, kind):
    X, y, _, golden, _ = load(name)
    ours = distance_correlation(X, y, y_is="numbers", **KINDS[kind])
    assert_same(ours, golden["classes_as_0_and_1"][kind])


@each_table
@each_kind
def test_classes_given_by_name_are_taken_as_classes(name, kind):
    X, y, _, _, expected = load(name)
    names = np.array(["pear", "apple", "quince"])[y]
    assert_same(distance_correlation(X, names, **KINDS[kind]), expected[kind])


@each_table
@each_kind
def test_whole_numbers_are_taken_as_classes(name, kind):
    X, y, _, _, expected = load(name)
    assert_same(distance_correlation(X, y, **KINDS[kind]), expected[kind])


@pytest.mark.parametrize("name", ["continuous_two_class", "continuous_three_class", "continuous_ties"])
@each_kind
def test_a_target_with_fractions_is_taken_as_numbers(name, kind):
    X, y, _, _, expected = load(name, "first_column")
    assert_same(distance_correlation(X, y, **KINDS[kind]), expected[kind])


@each_kind
def test_a_constant_column_has_exactly_no_correlation(kind):
    X, y, y_is, _, expected = load("discrete_duplicates")
    constant = np.flatnonzero(np.ptp(X, axis=0) == 0)
    assert [expected[kind][column] for column in constant] == [0.0]
    assert distance_correlation(X[:, constant], y, y_is=y_is, **KINDS[kind]).tolist() == [0.0]


def test_a_column_with_one_sample_apart_has_no_unbiased_variance_and_so_exactly_no_correlation():
    X, y, y_is, _, expected = load("lone_samples", "first_column")
    assert (expected["bcdcor"][4], expected["dcor"][4] > 0.1) == (0.0, True)
    assert distance_correlation(X, y, True, y_is=y_is)[4] == 0.0


def test_a_class_of_one_sample_has_no_unbiased_variance_and_so_exactly_no_correlation():
    X, y, y_is, _, expected = load("lone_samples")
    assert not np.any(expected["bcdcor"])
    assert not distance_correlation(X, y, True, y_is=y_is).any()


@pytest.mark.parametrize("name", TWO_CLASSES)
def test_the_golden_covariances_with_one_hot_classes_are_those_with_0_and_1_times_the_root_of_two(name):
    golden = GOLDEN[name]
    halves = np.array(golden["classes_as_0_and_1"]["dcov_squared"])
    assert_same(golden["classes"]["dcov_squared"], np.sqrt(2) * halves)


def test_the_golden_numbers_hold_negative_indices_weights_of_nothing_and_many_sizes():
    for golden in GOLDEN.values():
        assert min(golden["first_column"]["bcdcor"]) < 0
        assert 0 in golden["feature_weights"]
    assert {len(subset) for subset in GOLDEN["continuous_two_class"]["subsets"]} >= {2, 3, 10, 20, 30}
