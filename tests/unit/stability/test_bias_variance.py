"""Bias and variance of feature weights: the specification's numbers (V1), and training sets with a known truth."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_selection import VarianceThreshold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from holdfast import MRMR, SVMRFE, DataError, FTest, LaplacianScore, ReliefF
from holdfast._progress import watching
from holdfast._random import generators
from holdfast.data import blocks, copies
from holdfast.stability import InstanceWeightedSelector
from holdfast.stability.bias_variance import bias_variance, bias_variance_on, normalised

SMALL = partial(blocks, n_features=40, n_relevant=10, block_size=5)
WORKED = [[0.6, 0.4, 0], [0.4, 0.5, 0.1], [0.5, 0.3, 0.2], [0.7, 0.2, 0.1]]


def on_han(**weights):
    """Weights on Han's synthetic features, and the truth: 50 relevant ones of 1000."""
    row, truth = np.full(1000, weights.get("elsewhere", 0.0)), np.zeros(1000)
    row[: weights["n"]] = weights["each"]
    truth[:50] = 0.02
    return np.tile(row, (3, 1)), truth


def test_the_worked_example_of_the_specification():
    found = bias_variance(WORKED, truth=[0.5, 0.5, 0])
    np.testing.assert_allclose(found.mean, [0.55, 0.35, 0.10])
    np.testing.assert_allclose(found.feature_bias, [0.0025, 0.0225, 0.01])
    np.testing.assert_allclose(found.feature_variance, [0.0125, 0.0125, 0.005])
    np.testing.assert_allclose(found.feature_error, [0.015, 0.035, 0.015])
    assert found.bias == pytest.approx(0.0116666667)
    assert found.variance == pytest.approx(0.01)
    assert found.error == pytest.approx(0.0216666667)


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ({"n": 1000, "each": 0.001}, 1.9e-5),
        ({"n": 48, "each": 1 / 48}, 8.3333e-7),
        ({"n": 10, "each": 0.1}, 8.0e-5),
        ({"n": 1, "each": 1.0}, 9.8e-4),
    ],
    ids=["uniform", "48 relevant", "10 relevant", "one relevant"],
)
def test_weights_that_never_change_have_the_known_error_and_no_variance(weights, error):
    rows, truth = on_han(**weights)
    found = bias_variance(rows, truth)
    assert found.error == pytest.approx(error, rel=1e-4)
    assert found.variance == pytest.approx(0.0, abs=1e-30)


def test_error_by_its_definition_is_bias_plus_variance(seed):
    rng = np.random.default_rng([seed, 81])
    rows, truth = normalised(rng.normal(size=(30, 12))), normalised(rng.normal(size=12))
    found = bias_variance(rows, truth)
    np.testing.assert_allclose(found.feature_error, ((rows - truth) ** 2).mean(axis=0), rtol=1e-12)
    assert found.error == pytest.approx(found.bias + found.variance, rel=1e-12)


def test_without_a_truth_there_is_only_variance():
    found = bias_variance(WORKED)
    assert found.variance == pytest.approx(0.01)
    assert found.error is found.bias is found.feature_bias is found.feature_error is None


def test_shares_ignore_signs_and_scale():
    assert normalised([3, -1, 0]).tolist() == [0.75, 0.25, 0.0]
    np.testing.assert_allclose(normalised([[1e308, 1e308], [5e-324, 0]]), [[0.5, 0.5], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("weights", "truth", "says"),
    [
        ([0.5, 0.5], None, r"shape \(2,\)"),
        (np.zeros((0, 3)), None, r"shape \(0, 3\)"),
        (WORKED, [0.5, 0.5], r"truth has shape \(2,\), but there are 3 features"),
        ([[0.5, np.nan]], None, "NaN or infinite"),
        (WORKED, [0.5, 0.5, np.inf], "NaN or infinite"),
    ],
)
def test_values_that_cannot_be_are_named(weights, truth, says):
    with pytest.raises(ValueError, match=says):
        bias_variance(weights, truth)


def test_shares_of_missing_weights_are_refused():
    with pytest.raises(DataError, match="NaN or infinite"):
        normalised([1.0, np.inf])


def test_the_truth_is_equal_on_the_relevant_features_and_they_come_first():
    found = bias_variance_on(FTest(5), n_sets=3, n_samples=30, data=SMALL)
    assert found.truth.tolist() == [0.1] * 10 + [0.0] * 30


def test_weights_of_a_set_go_back_to_the_places_before_the_shuffle(seed):
    found = bias_variance_on(FTest(5), n_sets=4, n_samples=60, data=SMALL, random_state=seed, keep=True)
    made = SMALL(n_samples=60, random_state=generators(seed, 4)[2])
    scores = FTest(5).fit(made.X, made.y).scores_
    for column, place in enumerate(made.origin):
        assert found.weights[2, 0, place] == pytest.approx(scores[column] / scores.sum())


def test_relevant_features_have_most_of_the_weight(seed):
    found = bias_variance_on(FTest(5), n_sets=10, n_samples=80, data=SMALL, random_state=seed)
    assert found.rounds[0].mean[:10].sum() > 0.8


@pytest.mark.parametrize("selector", [SVMRFE(8), ReliefF(5), MRMR(5)], ids=lambda selector: type(selector).__name__)
def test_sums_over_sets_agree_with_the_definition_on_all_weights(selector, seed):
    found = bias_variance_on(selector, n_sets=6, n_samples=40, data=SMALL, random_state=seed, keep=True)
    assert found.weights.shape == (6, len(found.rounds), 40)
    np.testing.assert_allclose(found.weights.sum(axis=2), 1.0)
    for number, one in enumerate(found.rounds):
        slow = bias_variance(found.weights[:, number], found.truth)
        np.testing.assert_allclose(one.mean, slow.mean, atol=1e-15)
        np.testing.assert_allclose(one.feature_variance, slow.feature_variance, atol=1e-15)
        assert one.error == pytest.approx(slow.error)
    np.testing.assert_allclose(found.error, found.bias + found.variance)


def test_elimination_has_a_round_for_every_size():
    found = bias_variance_on(SVMRFE(8), n_sets=3, n_samples=40, data=SMALL)
    sizes = SVMRFE(8).fit(*_xy()).sizes_
    assert found.sizes.tolist() == sizes.tolist()
    assert np.allclose(found.frequency.sum(axis=1), sizes)
    assert found.weights is None


def _xy():
    made = SMALL(n_samples=40, random_state=0)
    return made.X, made.y


def test_the_number_of_threads_changes_nothing(seed):
    one, two = (
        bias_variance_on(SVMRFE(8), n_sets=5, n_samples=30, data=SMALL, random_state=seed, n_jobs=n) for n in (1, 2)
    )
    assert np.array_equal(one.variance, two.variance)
    assert np.array_equal(one.bias, two.bias)


def test_a_set_depends_on_the_seed_and_its_number_only(seed):
    few, many = (
        bias_variance_on(FTest(5), n_sets=n, n_samples=30, data=SMALL, random_state=seed, keep=True) for n in (3, 40)
    )
    assert np.array_equal(few.weights, many.weights[:3])


def test_the_selector_stays_as_it_is():
    selector = SVMRFE(8)
    bias_variance_on(selector, n_sets=2, n_samples=30, data=SMALL)
    assert not selector.keep_path
    assert not hasattr(selector, "scores_")


def test_other_weights_can_be_read():
    found = bias_variance_on(
        FTest(5), n_sets=3, n_samples=30, data=SMALL, weights_of=lambda fitted: fitted.get_support(), keep=True
    )
    assert sorted(set(found.weights.ravel().round(6))) == [0.0, 0.2]
    assert found.sizes.tolist() == [5.0]


def test_a_selector_around_elimination_has_its_rounds():
    around = InstanceWeightedSelector(8, weight_scale="uniform")
    by_name = bias_variance_on(around, n_sets=3, n_samples=40, data=SMALL)
    by_object = bias_variance_on(clone(around).set_params(selector=SVMRFE(8)), n_sets=3, n_samples=40, data=SMALL)
    plain = bias_variance_on(SVMRFE(8, C=1 / 40), n_sets=3, n_samples=40, data=SMALL)
    np.testing.assert_allclose(by_name.variance, plain.variance)
    np.testing.assert_allclose(by_object.variance, plain.variance)
    assert len(plain.rounds) > 10


def test_a_method_may_be_given_by_name():
    data = partial(SMALL, n_features=60)
    by_name, plain = (bias_variance_on(one, n_sets=3, n_samples=30, data=data) for one in ("f-test", FTest(5)))
    assert np.array_equal(by_name.variance, plain.variance)


def test_a_scaler_may_come_first():
    plain = bias_variance_on(FTest(5), n_sets=3, n_samples=30, data=SMALL)
    scaled = bias_variance_on(make_pipeline(StandardScaler(), FTest(5)), n_sets=3, n_samples=30, data=SMALL)
    assert scaled.variance == pytest.approx(plain.variance)


def test_other_distributions_have_their_own_truth():
    data = partial(copies, n_features=30, n_relevant=2, n_copies=3)
    assert bias_variance_on(FTest(5), n_sets=2, n_samples=30, data=data).truth.tolist() == [0.5, 0.5] + [0.0] * 28


def test_progress_counts_the_training_sets():
    heard = []
    with watching(lambda what, done, total: heard.append((what, done, total))):
        bias_variance_on(FTest(5), n_sets=34, n_samples=20, data=SMALL)
    assert heard == [("Training sets", done, 34) for done in range(1, 35)]


def test_scores_that_are_better_when_small_are_no_weights():
    with pytest.raises(ValueError, match="LaplacianScore are better the smaller"):
        bias_variance_on(LaplacianScore(5), n_sets=2, n_samples=30, data=SMALL)


def test_a_selector_that_weighs_some_features_only_is_refused():
    with pytest.raises(ValueError, match="gives 20 weights for 40 features"):
        bias_variance_on(make_pipeline(FTest(20), FTest(5)), n_sets=2, n_samples=30, data=SMALL)


def test_a_selector_without_weights_is_refused():
    with pytest.raises(ValueError, match="VarianceThreshold has neither"):
        bias_variance_on(VarianceThreshold(), n_sets=2, n_samples=30, data=SMALL)


def test_sets_without_a_common_truth_are_refused():
    def changing(n_samples, random_state):
        return SMALL(n_samples=n_samples, n_relevant=int(random_state.integers(2, 30)), random_state=random_state)

    with pytest.raises(ValueError, match="no common truth"):
        bias_variance_on(FTest(5), n_sets=8, n_samples=30, data=changing)


@pytest.mark.parametrize("options", [{"n_sets": 1}, {"n_samples": 1}, {"n_jobs": 0}])
def test_counts_that_cannot_be_are_named(options):
    name, value = next(iter(options.items()))
    with pytest.raises(ValueError, match=f"{name}={value}"):
        bias_variance_on(FTest(5), data=SMALL, **options)
