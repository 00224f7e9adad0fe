"""Chapter 6 of Han 2012: parts on small data, how they are joined, and claims on made-up curves."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from holdfast.data import blocks
from holdfast.reproduce.han import _synthetic as synthetic
from holdfast.reproduce.han._claims6 import on_iterations, on_sizes
from holdfast.reproduce.han._synthetic import ARMS, ITERATIONS, NEAREST_50, Round, Synthetic, gathered
from holdfast.reproduce.han._weighing import CONTROL, MEAN, PLAIN, SIGNATURE, WEIGHTED, Value, svm_rfe, with_conclusion
from holdfast.reproduce.han.chapter6 import IN_A_PART, N_QUICK, N_SETS, PLAN
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART
from holdfast.reproduce.shelf import Shelf
from holdfast.selectors.linear import SVMRFE
from holdfast.stability import bias_variance, kuncheva, nogueira_interval

SMALL = {"n_features": 60, "n_relevant": 10}
SMALL_ITERATIONS = (0, 6, 10)
NOWHERE = Shelf({}, {})


def drawn(first, stop):
    """A part of five training sets of 30 samples, as it comes from the store."""
    return json.loads(json.dumps(synthetic.on_block(30, 5, first, stop, SMALL_ITERATIONS, NOWHERE, **SMALL)))


@pytest.fixture(scope="module")
def in_two_parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(synthetic, "N_TEST", 50)
        patch.setattr(synthetic, "NEAREST_50", 10)
        return gathered([drawn(0, 2), drawn(2, 5)]), gathered([drawn(0, 5)])


@pytest.fixture(scope="module")
def by_definition():
    """Weights and subsets of the same five training sets, by arm."""
    seeds = np.random.SeedSequence([0, 30]).spawn(6)
    tests = synthetic.in_place(blocks(50, random_state=np.random.default_rng(seeds[-1]), **SMALL))
    found = [
        synthetic.on_one_set(blocks(30, random_state=np.random.default_rng(seed), **SMALL), tests, SMALL_ITERATIONS)
        for seed in seeds[:-1]
    ]
    return {arm: [np.array(part) for part in zip(*(one[arm] for one in found), strict=True)] for arm in ARMS}


def test_the_schedule_has_48_features_after_28_rounds_and_10_after_40():
    sizes = SVMRFE(10).sizes(1000, 10)
    assert sizes[NEAREST_50] == 48
    assert sizes[ITERATIONS[-1]] == 10


def test_results_do_not_depend_on_how_training_sets_are_cut_into_parts(in_two_parts):
    two, one = in_two_parts
    assert two.n_sets == one.n_sets == 5
    assert two.weights == pytest.approx(one.weights)
    for arm in ARMS:
        for at in SMALL_ITERATIONS:
            for name in ("error", "bias", "variance", "ki", "accuracy", "n_relevant"):
                a, b = (getattr(found.arms[arm][at], name) for found in in_two_parts)
                assert (a.value, a.se) == pytest.approx((b.value, b.se), nan_ok=True)


def test_numbers_of_a_round_are_those_of_their_definitions(in_two_parts, by_definition):
    truth = np.repeat([0.1, 0.0], [10, 50])
    for arm, rounds in in_two_parts[0].arms.items():
        paths, active, accuracy = by_definition[arm]
        for at, one in enumerate(rounds.values()):
            split = bias_variance(paths[:, at], truth)
            assert one.error.value == pytest.approx(split.error)
            assert one.bias.value == pytest.approx(split.bias)
            assert one.variance.value == pytest.approx(split.variance)
            assert one.accuracy.value == pytest.approx(accuracy[:, at].mean())
            assert one.n_relevant.value == active[:, at, :10].sum(axis=1).mean()
            if one.size < 60:
                assert one.ki.value == pytest.approx(kuncheva(active[:, at]))
                assert one.ki.se == pytest.approx(nogueira_interval(active[:, at]).std_error)


def test_errors_of_bias_and_variance_near_50_features_are_those_of_their_definitions(in_two_parts, by_definition):
    truth = np.repeat([0.1, 0.0], [10, 50])
    for arm, rounds in in_two_parts[0].arms.items():
        weights = by_definition[arm][0][:, -1]
        mean = weights.mean(axis=0)
        of_bias = 2 * ((weights - mean) * (mean - truth)).mean(axis=1)
        of_variance = ((weights - mean) ** 2).mean(axis=1)
        near = rounds[SMALL_ITERATIONS[-1]]
        assert near.bias.se == pytest.approx(of_bias.std(ddof=1) / np.sqrt(5))
        assert near.variance.se == pytest.approx(of_variance.std(ddof=1) / np.sqrt(5))
        assert np.isnan(rounds[0].bias.se)


def test_accuracy_is_that_of_a_machine_on_the_features_left():
    made, tests = blocks(30, random_state=0, **SMALL), blocks(40, random_state=1, **SMALL)
    there = synthetic.in_place(tests)
    found = synthetic.on_one_set(made, there, (0, 6))
    here = synthetic.in_place(made)
    for arm in ARMS:
        _, active, accuracy = found[arm]
        for is_left, share in zip(active, accuracy, strict=True):
            machine = make_pipeline(MinMaxScaler(), SVC(kernel="linear")).fit(here.X[:, is_left], here.y)
            assert share == pytest.approx(machine.score(there.X[:, is_left], there.y))


def test_the_control_is_svm_rfe_with_c_over_n():
    made = blocks(30, random_state=0, **SMALL)
    control = svm_rfe(CONTROL, SIGNATURE, keep_path=True).fit(made.X, made.y)
    plain = SVMRFE(SIGNATURE, C=1 / 30, keep_path=True).fit(made.X, made.y)
    np.testing.assert_allclose(control.weight_path_, plain.weight_path_, atol=1e-9)


@pytest.mark.parametrize("n_sets", [N_SETS, N_QUICK], ids=["all", "quick"])
def test_parts_hold_every_training_set_once(n_sets):
    held = dict.fromkeys(n_sets, 0)
    for part in PLAN.parts(NOWHERE, n_sets is N_QUICK):
        n_samples, of, first, stop, _ = part.call.args
        assert (of, first) == (n_sets[n_samples], held[n_samples])
        assert stop - first <= IN_A_PART[n_samples]
        held[n_samples] = stop
    assert held == n_sets


def a_round(size, ki, bias, variance, accuracy, se=0.001):
    values = (bias + variance, bias, variance, ki, accuracy, 40.0)
    return Round(size, *(Value(value, abs(value) * se) for value in values))


def made_up(weighted, control, n_samples=100):
    """Curves in which an arm has little error and is stable (True), or is as SVM-RFE is (False)."""
    good = {at: a_round(48, 0.9 if at else np.nan, 1e-5 if at < 28 else 1e-8, 1e-7, 0.96) for at in ITERATIONS}
    poor = {
        at: replace(
            one,
            ki=Value(n_samples / 2e3, 1e-3),
            accuracy=Value(0.9 + n_samples / 2e4, 1e-3),
            bias=Value(one.bias.value * 50 / n_samples, 1e-9),
            variance=Value(one.variance.value * 50 / n_samples, 1e-9),
            error=Value(one.error.value * 50 / n_samples, 1e-9),
        )
        for at, one in {at: a_round(48, 0.2, 2e-5 - at * 4e-7, at * 1e-6, 0.9) for at in ITERATIONS}.items()
    }
    choice = {PLAIN: False, WEIGHTED: weighted, MEAN: False, CONTROL: control}
    arms = {arm: good if is_good else poor for arm, is_good in choice.items()}
    return Synthetic(n_samples, 5, arms, (0.9, 1.1, 0.05))


STABLER = "clearly more stable as the size comes near 50"


@pytest.mark.parametrize(("weighted", "expected"), [(True, HOLDS), (False, FAILS)])
def test_claims_on_iterations_are_judged_by_the_weighted_arm(weighted, expected):
    verdicts = {one.claim.text: one.claim.verdict for one in on_iterations(made_up(weighted, False))}
    assert verdicts["clearly less bias and less variance near 50 features"] == expected
    assert verdicts[STABLER] == expected
    assert verdicts["error = bias + variance in every iteration"] == HOLDS


@pytest.mark.parametrize(("control", "words"), [(True, "So it is for C / n"), (False, "Not so for C / n")])
def test_evidence_says_whether_the_control_has_it_too(control, words):
    found = {one.claim.text: one.claim.evidence for one in on_iterations(made_up(True, control))}
    assert found[STABLER].endswith(words)


def test_an_error_that_is_not_the_sum_of_its_parts_is_found():
    found = made_up(True, True)
    wrong = replace(found.arms[PLAIN][0], error=Value(1.0, 0.0))
    broken = replace(found, arms={**found.arms, PLAIN: {**found.arms[PLAIN], 0: wrong}})
    assert on_iterations(broken)[0].claim.verdict == FAILS


@pytest.mark.parametrize(
    ("weighted", "control", "expected"), [(True, True, FAILS), (True, False, HOLDS), (False, False, None)]
)
def test_what_the_control_has_too_is_no_effect_of_weights(weighted, control, expected):
    found = [*on_iterations(made_up(weighted, control)), *on_sizes({n: made_up(weighted, control, n) for n in N_SETS})]
    conclusions = [
        one.verdict for one in with_conclusion(found, "chapter 6") if one.text.startswith("it is the weights")
    ]
    assert conclusions == ([] if expected is None else [expected])


def test_a_control_that_has_some_of_it_leaves_the_rest_to_weights():
    found = [*on_iterations(made_up(True, True)), *on_sizes({n: made_up(True, False, n) for n in N_SETS})]
    assert with_conclusion(found, "chapter 6")[-1].verdict == IN_PART


def test_200_samples_with_weights_are_compared_with_1000_without():
    text = "clearly more stable with 200 samples than SVM-RFE with 1,000"
    for weighted, expected in ((True, HOLDS), (False, FAILS)):
        verdicts = {
            one.claim.text: one.claim.verdict for one in on_sizes({n: made_up(weighted, False, n) for n in N_SETS})
        }
        assert verdicts[text] == expected
        assert verdicts["SVM-RFE: stability and accuracy grow steadily with n"] == HOLDS
        assert verdicts["SVM-RFE: bias and variance fall steadily with n"] == HOLDS


ONLY_BIAS = "nearly only bias in every iteration before 28"


@pytest.mark.parametrize("at", [0, 16, 24])
def test_every_iteration_before_28_must_be_nearly_only_bias(at):
    found = made_up(True, False)
    one = found.arms[WEIGHTED][at]
    mixed = replace(one, variance=one.bias, error=Value(2 * one.bias.value, 0.0))
    changed = replace(found, arms={**found.arms, WEIGHTED: {**found.arms[WEIGHTED], at: mixed}})
    for where, expected in ((found, HOLDS), (changed, FAILS)):
        verdicts = {tested.claim.text: tested.claim.verdict for tested in on_iterations(where)}
        assert next(verdict for text, verdict in verdicts.items() if text.startswith(ONLY_BIAS)) == expected


def test_the_bias_itself_is_without_what_the_variance_adds(by_definition):
    """Of five drawn vectors of noise around the truth, the mean of the squared offsets is all variance."""
    rng = np.random.default_rng(0)
    n_sets, truth = 5, 0.3
    excess = []
    for _ in range(400):
        values = truth + rng.normal(size=(n_sets, 50))
        bias, variance = ((values.mean(axis=0) - truth) ** 2).mean(), values.var(axis=0).mean()
        one = replace(a_round(48, 0.5, bias, variance, 0.9), bias=Value(bias, 0.0), variance=Value(variance, 0.0))
        excess.append(Synthetic(100, n_sets, {PLAIN: {NEAREST_50: one}}, (1, 1, 0)).bias_itself(PLAIN, NEAREST_50))
    assert np.mean(excess) == pytest.approx(0.0, abs=0.01)


def test_a_bias_that_is_only_noise_of_few_sets_does_not_count_as_bias():
    """With 1,000 samples and few sets the raw bias is above that with 500, the bias itself is not."""
    found = {n: replace(made_up(True, False, n), n_sets=500) for n in N_SETS}
    last = found[1000].arms[PLAIN][NEAREST_50]
    before = found[500].arms[PLAIN][NEAREST_50]
    raised = replace(last, bias=Value(before.bias.value + 1e-12, 0.0), variance=Value(before.variance.value / 1.5, 0.0))
    for n_sets, expected in ((10, HOLDS), (500, IN_PART)):
        found[1000] = replace(
            found[1000],
            n_sets=n_sets,
            arms={**found[1000].arms, PLAIN: {**found[1000].arms[PLAIN], NEAREST_50: raised}},
        )
        verdicts = {one.claim.text: one.claim.verdict for one in on_sizes(found)}
        assert verdicts["SVM-RFE: bias and variance fall steadily with n"] == expected


def with_accuracy(found, arm, n, value, se=0.001):
    one = replace(found[n].arms[arm][NEAREST_50], accuracy=Value(value, se))
    return {**found, n: replace(found[n], arms={**found[n].arms, arm: {**found[n].arms[arm], NEAREST_50: one}})}


def test_almost_perfect_is_asked_of_accuracy_too():
    found = {n: made_up(True, False, n) for n in N_SETS}
    poor = with_accuracy(found, WEIGHTED, 500, 0.9)
    for where, expected in ((found, HOLDS), (poor, FAILS)):
        verdicts = {one.claim.text: one.claim.verdict for one in on_sizes(where)}
        assert verdicts["almost perfectly accurate from n = 200 on (over 0.95)"] == expected
        assert next(v for text, v in verdicts.items() if text.startswith("almost perfectly stable")) == FAILS


def test_clearly_better_at_200_needs_more_than_noise_of_accuracy():
    found = {n: made_up(True, False, n) for n in N_SETS}
    alike = with_accuracy(found, WEIGHTED, 200, found[1000].arms[PLAIN][NEAREST_50].accuracy.value + 0.001)
    verdicts = {one.claim.text: one.claim.verdict for one in on_sizes(alike)}
    assert verdicts["clearly more stable with 200 samples than SVM-RFE with 1,000"] == HOLDS
    assert verdicts["clearly more accurate with 200 samples than SVM-RFE with 1,000"] == FAILS


def test_the_protocol_tells_how_many_sets_are_drawn_and_how_many_were_published():
    assert "500, 500, 500, 200, 100 of them (500 of each published" in PLAN.protocol[0]
