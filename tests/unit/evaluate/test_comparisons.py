"""Tests between methods: each number is that of the public function on the values of the splits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import holdfast
from holdfast.evaluate import corrected_resampled_t, friedman, holm, mcnemar, wilcoxon_holm
from holdfast.evaluate.comparisons import compared, per_split, sizes_of_parts
from oracles.studies import planned, small_table, told_study

NAMES = ["f-test", "mrmr+", "relieff", "svm-rfe"]


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 20)


def _told(seed, names=NAMES, protocol="2x4cv", y=None, right=0.7, left_out=()):
    """Predictions that are right by chance, the more often the later the method."""
    rng = np.random.default_rng([seed, 51])
    frame, classes = small_table(0, 40, 20)
    plan = planned(frame, classes if y is None else y, methods=names, sizes=[3], protocol=protocol)

    def predicted(method, size, classifier, split):
        truth = plan.classes[plan.splits[split].test]
        return np.where(rng.random(len(truth)) < right + 0.07 * method, truth, 1 - truth)

    return told_study(plan, lambda method, size, split: range(size), predicted, left_out=left_out)


def _values(study, metric="accuracy"):
    """The metric of every split (rows) and method (columns), from the predictions."""
    found = []
    for number in range(len(study.plan.methods)):
        per_method = []
        for split in study.splits:
            cell = study.found[number, split]
            truth, answer = study.plan.classes[cell["test"]], np.array(cell["predictions"]["nb"]["3"]["predicted"])
            right = truth == answer
            if metric == "accuracy":
                per_method.append(right.mean())
            else:
                per_method.append(np.mean([right[truth == code].mean() for code in np.unique(truth)]))
        found.append(per_method)
    return np.array(found).T


def _first_tests(study):
    """Whether each sample was named right the first time it was tested, by method."""
    first = {}
    for split in study.splits:
        for place, row in enumerate(study.plan.splits[split].test):
            first.setdefault(int(row), (split, place))
    return [
        [
            study.found[number, split]["predictions"]["nb"]["3"]["predicted"][place] == study.plan.classes[row]
            for row, (split, place) in first.items()
        ]
        for number in range(len(study.plan.methods))
    ]


def test_ranks_are_those_of_friedmans_test_with_the_recommended_method_as_control(seed):
    study = _told(seed)
    found, values = study.summary()["comparisons"], _values(study)
    control = study.recommendation["method"]
    expected = friedman(values, NAMES, control=control)
    assert (found["metric"], found["size"], found["classifier"]) == ("accuracy", 3, "nb")
    assert found["friedman"]["n_blocks"] == 8
    assert found["friedman"]["methods"] == NAMES
    np.testing.assert_allclose(found["friedman"]["mean_ranks"], expected.mean_ranks)
    for name in ("statistic", "p_value", "f_statistic", "f_p_value"):
        assert found["friedman"][name] == pytest.approx(getattr(expected, name)), name
    assert found["nemenyi"] == {
        "level": 0.05,
        "critical_difference": pytest.approx(expected.nemenyi_difference),
        "groups": [list(group) for group in expected.groups],
    }
    assert found["bonferroni_dunn"] == {
        "level": 0.05,
        "control": control,
        "critical_difference": pytest.approx(expected.bonferroni_dunn_difference),
        "different": list(expected.different_from(control)),
    }


def test_pairs_have_the_corrected_t_wilcoxons_and_mcnemars_test(seed):
    study = _told(seed)
    found, values, right = study.summary()["comparisons"]["pairs"], _values(study), _first_tests(study)
    pairs = list(combinations(range(4), 2))
    resampled = [corrected_resampled_t(values[:, a] - values[:, b], n_train=30, n_test=10) for a, b in pairs]
    ranked = wilcoxon_holm(values, NAMES)
    counted = [mcnemar(right[a], right[b]) for a, b in pairs]
    t_holm, m_holm = (holm([one.p_value for one in tests]) for tests in (resampled, counted))
    for i, (a, b) in enumerate(pairs):
        one = found[i]
        assert (one["a"], one["b"]) == (NAMES[a], NAMES[b])
        assert one["difference"] == pytest.approx((values[:, a] - values[:, b]).mean(), abs=1e-12)
        assert (one["low"], one["high"]) == (pytest.approx(resampled[i].low), pytest.approx(resampled[i].high))
        assert one["corrected_t"] == {
            "statistic": pytest.approx(resampled[i].statistic),
            "p_value": pytest.approx(resampled[i].p_value),
            "p_holm": pytest.approx(t_holm[i]),
        }
        assert one["wilcoxon"] == {
            "statistic": pytest.approx(ranked[i].statistic),
            "p_value": pytest.approx(ranked[i].p_value),
            "p_holm": pytest.approx(ranked[i].p_holm),
        }
        assert one["mcnemar"] == {
            "n01": counted[i].n01,
            "n10": counted[i].n10,
            "p_value": pytest.approx(counted[i].p_value),
            "p_holm": pytest.approx(m_holm[i]),
        }


def test_mcnemars_counts_are_of_samples_that_only_one_of_two_named_right(seed):
    study = _told(seed)
    right = np.array(_first_tests(study))
    pair = study.summary()["comparisons"]["pairs"][0]
    assert pair["mcnemar"]["n10"] == int((right[0] & ~right[1]).sum())
    assert pair["mcnemar"]["n01"] == int((~right[0] & right[1]).sum())
    assert right.shape[1] == 40


def test_bootstraps_test_each_sample_once_and_train_on_different_ones(seed):
    study = _told(seed, protocol="bootstrapx5")
    splits = study.plan.splits
    n_train = np.mean([len(set(split.train.tolist())) for split in splits])
    n_test = np.mean([len(split.test) for split in splits])
    assert sizes_of_parts(study) == (pytest.approx(n_train), pytest.approx(n_test))
    values = _values(study)
    expected = corrected_resampled_t(values[:, 0] - values[:, 1], n_train, n_test)
    assert study.summary()["comparisons"]["pairs"][0]["corrected_t"]["p_value"] == pytest.approx(expected.p_value)
    assert len(_first_tests(study)[0]) == len(np.unique(np.concatenate([split.test for split in splits])))


def test_shared_samples_are_noted():
    notes = _told(0).summary()["comparisons"]["notes"]
    assert len(notes) == 1
    assert "The splits share samples, so the p-values of Friedman's and Wilcoxon's tests are smaller" in notes[0]


def test_two_methods_have_pairs_but_no_ranks(seed):
    study = _told(seed, names=NAMES[:2])
    found = study.summary()["comparisons"]
    assert (found["friedman"], found["nemenyi"], found["bonferroni_dunn"]) == (None, None, None)
    assert len(found["pairs"]) == 1
    pair = found["pairs"][0]
    assert pair["corrected_t"]["p_holm"] == pair["corrected_t"]["p_value"]


def test_one_method_is_compared_with_nobody():
    assert _told(0, names=NAMES[:1]).summary()["comparisons"] is None


def test_one_split_leaves_mcnemars_test_only(seed):
    study = _told(seed, protocol="holdout")
    found = study.summary()["comparisons"]
    assert found["friedman"] is None
    assert found["notes"] == []
    values = _values(study)
    for one, (a, b) in zip(found["pairs"], combinations(range(4), 2), strict=True):
        assert one["difference"] == pytest.approx(values[0, a] - values[0, b])
        assert (one["low"], one["high"], one["corrected_t"], one["wilcoxon"]) == (None, None, None, None)
        assert one["mcnemar"]["p_value"] <= 1


def test_equal_methods_differ_in_nothing():
    study = _told(0, right=1.0)
    for pair in study.summary()["comparisons"]["pairs"]:
        assert (pair["difference"], pair["low"], pair["high"]) == (0.0, 0.0, 0.0)
        assert pair["corrected_t"]["p_value"] == 1.0
        assert pair["wilcoxon"]["p_value"] == 1.0
        assert pair["mcnemar"] == {"n01": 0, "n10": 0, "p_value": 1.0, "p_holm": 1.0}


def test_leaving_one_out_compares_samples_named_right(seed):
    frame, y = small_table(seed, 16, 12)
    study = holdfast.compare(
        frame, y, methods=["f-test", "relieff", "laplacian"], sizes=[3], classifiers=["nb"], protocol="loocv"
    )
    found = study.summary()["comparisons"]
    values = np.column_stack([np.concatenate(study.is_right(number, 3, "nb")) for number in range(3)]).astype(float)
    assert values.shape == (16, 3)
    for number in range(3):
        assert per_split(study, number, 3, "nb", "accuracy").tolist() == values[:, number].tolist()
    assert found["metric"] == "accuracy"
    assert found["friedman"]["n_blocks"] == 16
    np.testing.assert_allclose(found["friedman"]["mean_ranks"], friedman(values).mean_ranks)
    for one, (a, b) in zip(found["pairs"], combinations(range(3), 2), strict=True):
        expected = corrected_resampled_t(values[:, a] - values[:, b], n_train=15, n_test=1)
        assert one["corrected_t"]["p_value"] == pytest.approx(expected.p_value)
        assert one["mcnemar"]["n10"] == int(((values[:, a] == 1) & (values[:, b] == 0)).sum())


def test_leaving_one_out_of_unbalanced_classes_weighs_samples_so_that_their_mean_is_balanced_accuracy(seed):
    study = _told(seed, names=NAMES[:3], protocol="loocv", y=(np.arange(40) < 10).astype(int))
    found = study.summary()["comparisons"]
    assert study.recommendation["metric"] == found["metric"] == "balanced_accuracy"
    right = _values(study)
    # A quarter of the samples is half of the balanced accuracy, and so counts twice.
    weights = np.where(study.plan.classes == 1, 2.0, 2 / 3)
    values = right * weights[:, None]
    for number in range(3):
        whole = study.metrics[number, 3, "nb"]["balanced_accuracy"].value
        assert values[:, number].mean() == pytest.approx(whole)
        np.testing.assert_allclose(per_split(study, number, 3, "nb", "balanced_accuracy"), values[:, number])
    assert found["pairs"][0]["difference"] == pytest.approx((values[:, 0] - values[:, 1]).mean())
    expected = corrected_resampled_t(values[:, 0] - values[:, 1], n_train=39, n_test=1)
    assert found["pairs"][0]["corrected_t"]["p_value"] == pytest.approx(expected.p_value)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy"])
def test_leaving_one_group_out_gives_parts_whose_mean_is_the_metric(metric, seed):
    rng = np.random.default_rng([seed, 52])
    frame, _ = small_table(0, 40, 20)
    # Groups of one to seven samples.
    plan = planned(
        frame, (np.arange(40) < 12).astype(int), groups=rng.integers(0, 10, size=40), sizes=[3], protocol="loocv"
    )
    study = told_study(
        plan,
        lambda method, size, split: range(size),
        lambda method, size, classifier, split: rng.integers(0, 2, size=len(plan.splits[split].test)),
    )
    values = per_split(study, 0, 3, "nb", metric)
    assert len(values) == len(plan.splits)
    assert values.mean() == pytest.approx(study.metrics[0, 3, "nb"][metric].value)


def test_unbalanced_classes_are_compared_by_balanced_accuracy(seed):
    study = _told(seed, y=(np.arange(40) < 10).astype(int))
    found = study.summary()["comparisons"]
    assert found["metric"] == "balanced_accuracy"
    values = _values(study, "balanced_accuracy")
    np.testing.assert_allclose(found["friedman"]["mean_ranks"], friedman(values).mean_ranks)


def test_splits_without_a_value_are_left_out_and_noted(seed):
    # Test parts of one class have no area under the curve.
    frame, y = small_table(seed, 40, 12)
    ones, zeros = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    tests = [ones[:6], np.r_[ones[6:9], zeros[:3]], np.r_[ones[9:12], zeros[3:6]], zeros[6:12]]
    given = [(np.setdiff1d(np.arange(40), test), test) for test in tests]
    study = holdfast.compare(
        frame, y, methods=["f-test", "relieff", "laplacian"], sizes=[3], classifiers=["nb"], protocol=given
    )
    found = compared(study, 3, "nb", "auc", "f-test")
    assert found["friedman"]["n_blocks"] == 2
    assert found["notes"][1] == "2 of 4 splits have no auc and are left out of the tests."
    values = np.column_stack([study.metrics[number, 3, "nb"]["auc"].per_split for number in range(3)])[1:3]
    expected = corrected_resampled_t(values[:, 0] - values[:, 1], *sizes_of_parts(study))
    assert found["pairs"][0]["difference"] == pytest.approx(values[:, 0].mean() - values[:, 1].mean())
    assert found["pairs"][0]["corrected_t"]["p_value"] == pytest.approx(expected.p_value)


def test_small_values_of_an_error_rank_first(seed):
    study = _told(seed, names=NAMES[:3])
    by_error = compared(study, 3, "nb", "error", NAMES[0])["friedman"]["mean_ranks"]
    by_accuracy = compared(study, 3, "nb", "accuracy", NAMES[0])["friedman"]["mean_ranks"]
    np.testing.assert_allclose(by_error, by_accuracy)


def test_methods_are_compared_on_the_splits_that_all_have_done(seed):
    study = _told(seed, left_out=[(1, 2), (3, 5)])
    assert study.splits == (0, 1, 3, 4, 6, 7)
    found = study.summary()["comparisons"]
    assert found["friedman"]["n_blocks"] == 6
    values = _values(study)
    assert found["pairs"][0]["difference"] == pytest.approx((values[:, 0] - values[:, 1]).mean())
