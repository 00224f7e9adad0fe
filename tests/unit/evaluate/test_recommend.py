"""The recommendation: its rule from the definition, its sentence, its reasons and its doubts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import holdfast
from holdfast.evaluate import corrected_resampled_t, mcnemar
from holdfast.stability import nogueira
from oracles.studies import planned, small_table, told_study


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 20)


def _told(
    wrong, chosen=lambda method, size, split: range(size), y=None, tuned=None, left_out=(), n_samples=40, **asked
):
    """A study in which each configuration names so many of the first test samples of a split wrong."""
    frame, classes = small_table(0, n_samples, 20)
    plan = planned(frame, classes if y is None else y, **{"sizes": [3], "protocol": "4cv", **asked})

    def predicted(method, size, classifier, split):
        truth = plan.classes[plan.splits[split].test]
        n_wrong = int(wrong(method, size, classifier, split))
        return [*(1 - truth[:n_wrong]), *truth[n_wrong:]]

    return told_study(plan, chosen, predicted, tuned, left_out)


def _rule(study, metric="accuracy"):
    """What is recommended: of those at most a standard error of the difference behind the best, the most stable, then
    the shortest, then the best."""
    plan = study.plan
    rows = []
    for number, contestant in enumerate(plan.methods):
        for size in plan.sizes:
            for judge in plan.classifiers:
                values = study.metrics[number, size, judge.name][metric].per_split
                runs = study.runs(number, size)
                rows.append((contestant.name, size, judge.name, values, nogueira(runs), runs.sum(axis=1).mean()))
    n_test = np.mean([len(split.test) for split in plan.splits])
    n_train = np.mean([len(set(split.train)) for split in plan.splits])
    best = max(rows, key=lambda row: (row[3].mean(), -row[5]))

    def is_close(row):
        differences = best[3] - row[3]
        error = math.sqrt((1 / len(differences) + n_test / n_train) * differences.var(ddof=1))
        return differences.mean() <= error + 1e-15

    close = [row for row in rows if row is best or is_close(row)]
    return min(close, key=lambda row: (-round(row[4], 3), row[5], -row[3].mean())), len(close), len(rows)


def test_the_rule_is_the_one_of_the_definition(seed):
    rng = np.random.default_rng([seed, 41])
    n_not_best = 0
    for _ in range(8):
        lists = {}
        errors = {}

        def chosen(method, size, split, lists=lists):
            # The first method is the most stable one.
            reach = size + 1 if method == 0 else 20
            return lists.setdefault((method, size, split), rng.choice(reach, size, replace=False))

        def wrong(method, size, classifier, split, errors=errors):
            return errors.setdefault((method, size, classifier, split), rng.integers(0, 4))

        study = _told(wrong, chosen, methods=["f-test", "mrmr+", "relieff"], sizes=[2, 5], classifiers=["nb", "svm"])
        taken, n_close, n_all = _rule(study)
        advice = study.recommendation
        assert (advice["method"], advice["size"], advice["classifier"]) == taken[:3]
        assert advice["metric"] == "accuracy"
        is_best = advice["reasons"][0].startswith("It has the highest accuracy of 12")
        n_not_best += not is_best
        if n_close > 1:
            assert advice["reasons"][1].startswith(f"Of the {n_close} configurations that come so close")
        assert n_all == 12
    assert n_not_best > 0


def test_bootstraps_count_each_training_sample_once_in_the_rule(seed):
    rng = np.random.default_rng([seed, 42])
    errors = rng.integers(0, 4, size=(2, 6))
    lists = rng.integers(0, 10, size=(2, 7))
    study = _told(
        lambda method, size, classifier, split: errors[method, split],
        lambda method, size, split: [lists[method, 6 if split == "all" else split], 12, 13],
        methods=["f-test", "mrmr+"], protocol="bootstrapx6",
    )  # fmt: skip
    assert study.recommendation["method"] == _rule(study)[0][0]


def test_a_small_lead_does_not_outweigh_stability():
    # The second method is one sample ahead and changes its list every time.
    study = _told(
        lambda method, size, classifier, split: 1 if method == 0 and split == 0 else 0,
        lambda method, size, split: [0, 1, 2] if method == 0 or split == "all" else range(3 * split, 3 * split + 3),
        methods=["f-test", "mrmr+"],
    )
    advice = study.recommendation
    assert advice["method"] == "f-test"
    assert advice["reasons"] == [
        "The highest accuracy of 2 configurations, 1.000, is that of mrmr+ with 3 features and nb; this one has 0.975, "
        "which is within one standard error of the difference.",
        "Of the 2 configurations that come so close, none is more stable.",
        "Stability 1.00: nearly the same list every time.",
    ]


def test_a_large_lead_outweighs_stability():
    study = _told(
        lambda method, size, classifier, split: 4 + split % 2 if method == 0 else 0,
        lambda method, size, split: [0, 1, 2] if method == 0 or split == "all" else range(3 * split, 3 * split + 3),
        methods=["f-test", "mrmr+"],
    )
    advice = study.recommendation
    assert advice["method"] == "mrmr+"
    assert advice["reasons"] == ["It has the highest accuracy of 2 configurations."]
    assert advice["within_noise"] == []


def test_of_equally_stable_ones_the_shortest_is_taken_and_of_equals_the_first():
    study = _told(lambda *_: 0, methods=["f-test", "mrmr+"], sizes=[2, 5], classifiers=["nb", "svm"])
    advice = study.recommendation
    assert (advice["method"], advice["size"], advice["classifier"]) == ("f-test", 2, "nb")
    assert len(advice["within_noise"]) == 7
    assert advice["within_noise"][0] == {"method": "f-test", "size": 2, "classifier": "svm"}


def test_of_equally_stable_and_short_ones_the_most_accurate_is_taken():
    study = _told(
        lambda method, size, classifier, split: (classifier == "nb") * (split == 0), classifiers=["nb", "svm"]
    )
    assert study.recommendation["classifier"] == "svm"


@pytest.mark.slow
def test_stability_is_compared_to_three_digits():
    def chosen(method, size, split):
        # One of 1000 lists of the first method has another feature; the second always takes one feature more.
        return range(11) if method == 1 else [*range(9), 19 if split == 7 else 9]

    study = _told(lambda *_: 0, chosen, methods=["cfs", "fcbf"], sizes=["own"], protocol="random-1/2x1000")
    assert 0.9995 < study.selections[0]["stability"]["nogueira"]["value"] < 1
    assert study.recommendation["method"] == "cfs"


def test_what_cannot_be_told_apart_is_within_noise(seed):
    rng = np.random.default_rng([seed, 43])
    errors = rng.integers(0, 5, size=(4, 8)) + np.array([0, 0, 1, 4])[:, None]
    study = _told(
        lambda method, size, classifier, split: errors[method, split],
        methods=["f-test", "mrmr+", "relieff", "svm-rfe"], protocol="2x4cv",
    )  # fmt: skip
    advice = study.recommendation
    names = ["f-test", "mrmr+", "relieff", "svm-rfe"]
    taken = names.index(advice["method"])
    expected = [
        name
        for number, name in enumerate(names)
        if number != taken
        and corrected_resampled_t((errors[number] - errors[taken]) / 10, n_train=30, n_test=10).p_value >= 0.05
    ]
    assert [one["method"] for one in advice["within_noise"]] == expected


def test_the_sentence_has_accuracy_and_stability_with_what_is_unsure():
    study = _told(lambda method, size, classifier, split: split == 0, methods=["f-test"], sizes=[3])
    accuracy, stability = study.results[0]["accuracy"], study.selections[0]["stability"]["nogueira"]
    assert study.recommendation["sentence"] == (
        f"f-test with 3 features and nb: accuracy 0.97 [{accuracy['low']:.2f}, 1.00], stability 1.00 "
        f"[{stability['low']:.2f}, {stability['high']:.2f}]."
    )


@pytest.mark.parametrize(
    ("n_others", "words"),
    [
        (1, "; mrmr+ is within noise."),
        (2, "; mrmr+ and relieff are within noise."),
        (4, "; mrmr+, relieff, svm-rfe and jmi are within noise."),
        (6, "; f-test, mrmr+, relieff and 3 more are within noise."),
    ],
)
def test_the_sentence_names_other_methods_within_noise(n_others, words):
    names = ["f-test", "mrmr+", "relieff", "svm-rfe", "jmi", "cmim", "su"][: n_others + 1]
    assert _told(lambda *_: 0, methods=names).recommendation["sentence"].endswith(words)


def test_the_sentence_says_one_feature_and_features_of_its_own_choice():
    one = _told(lambda *_: 0, sizes=[1]).recommendation["sentence"]
    assert one.startswith("f-test with 1 feature and nb: accuracy 1.00 [0.")
    own = _told(lambda *_: 0, lambda method, size, split: range(4), methods=["cfs"], sizes=["own"])
    assert own.recommendation["sentence"].startswith("cfs with about 4.0 features of its own choice and nb:")


def test_one_configuration_is_recommended_because_it_is_alone():
    advice = _told(lambda *_: 0).recommendation
    assert advice["reasons"][0] == "It is the only configuration of the study."
    assert advice["within_noise"] == []
    assert not any("configurations" in doubt for doubt in advice["doubts"])


def test_the_features_are_those_chosen_from_all_samples_best_first():
    study = _told(lambda *_: 0, lambda method, size, split: [7, 3, 5] if split == "all" else [1, 2, 3])
    names = study.plan.table.feature_names
    assert study.recommendation["features"] == [names[7], names[3], names[5]]


def test_a_tuned_size_is_no_candidate_but_says_what_is_honest():
    study = _told(
        lambda method, size, classifier, split: 0 if size == 2 else 2,
        tuned=lambda method, classifier, split: 2 if split else 3,
        sizes=[2, 3], tune_size=True,
    )  # fmt: skip
    advice = study.recommendation
    assert advice["size"] == 2
    tuned = study.results[-1]["accuracy"]
    assert tuned["high"] == 1.0
    assert (
        "It was picked among 2 configurations on the same samples, so expect a little less on new ones: with the size "
        f"chosen inside each training part, f-test and nb have 0.95 [{tuned['low']:.2f}, 1.00]."
    ) in advice["doubts"]


def test_one_pick_among_many_is_a_doubt():
    doubts = _told(lambda *_: 0, methods=["f-test", "mrmr+"], sizes=[2, 3]).recommendation["doubts"]
    assert "It was picked among 4 configurations on the same samples, so expect a little less on new ones." in doubts


def test_an_accuracy_that_chance_would_reach_is_a_doubt():
    study = _told(lambda *_: 5)
    low = study.results[0]["accuracy"]["low"]
    assert (
        f"The interval of its accuracy reaches down to {low:.2f}, and naming the most frequent class would give 0.50: "
        "it may have learned nothing."
    ) in study.recommendation["doubts"]
    assert not any("learned nothing" in doubt for doubt in _told(lambda *_: 0).recommendation["doubts"])


@pytest.mark.parametrize(
    ("n_others", "words"),
    [
        (0, "Stability 1.00: nearly the same list every time."),
        (1, "most of the list comes back with other samples, some does not."),
        (2, "much of the list changes with the samples; trust the frequent names only."),
        (4, "most of the list changes with the samples, so trust single names little."),
    ],
)
def test_how_stable_it_is_is_put_in_words_as_a_reason_or_a_doubt(n_others, words):
    def chosen(method, size, split):
        return [*range(4 - n_others), *(4 + n_others * (split if split != "all" else 0) + i for i in range(n_others))]

    study = _told(lambda *_: 0, chosen, sizes=[4], protocol="3cv")
    value = study.selections[0]["stability"]["nogueira"]["value"]
    advice = study.recommendation
    said = advice["reasons"] if value >= 0.6 else advice["doubts"]
    (found,) = [text for text in (*advice["reasons"], *advice["doubts"]) if text.startswith("Stability")]
    assert found in said
    assert found.startswith(f"Stability {value:.2f}: ")
    assert found.endswith(words.removeprefix("Stability 1.00: "))


def test_training_parts_that_share_most_samples_are_a_doubt():
    shared = "Two training parts share 89 % of their samples; lists from other samples would agree less"
    assert any(doubt.startswith(shared) for doubt in _told(lambda *_: 0, protocol="10cv").recommendation["doubts"])
    assert not any("share" in doubt for doubt in _told(lambda *_: 0, protocol="2cv").recommendation["doubts"])


def test_an_unfinished_study_is_a_doubt():
    advice = _told(lambda *_: 0, left_out=[(0, 3)]).recommendation
    assert "The study is not finished: 4 of 5 parts are done." in advice["doubts"]


def test_unbalanced_classes_are_judged_by_balanced_accuracy():
    y = (np.arange(40) < 12).astype(int)
    # The first method names all of the larger class right and misses most of the smaller one.
    frame, _ = small_table(0, 40, 20)
    plan = planned(frame, y, methods=["f-test", "mrmr+"], sizes=[3], protocol="4cv")

    def predicted(method, size, classifier, split):
        truth = plan.classes[plan.splits[split].test]
        return np.zeros_like(truth) if method == 0 else np.where(np.cumsum(truth == 0) <= 4, 1, truth)

    study = told_study(plan, lambda method, size, split: range(size), predicted)
    one, other = study.results
    assert one["accuracy"]["mean"] > other["accuracy"]["mean"]
    advice = study.recommendation
    assert (advice["metric"], advice["method"]) == ("balanced_accuracy", "mrmr+")
    assert "balanced accuracy 0.71" in advice["sentence"]
    assert study.summary()["comparisons"]["metric"] == "balanced_accuracy"


def test_three_fifths_of_one_class_are_still_judged_by_accuracy():
    y = (np.arange(40) < 16).astype(int)
    assert _told(lambda *_: 0, y=y).recommendation["metric"] == "accuracy"


def test_chance_is_one_of_the_classes_where_balanced_accuracy_counts():
    y = (np.arange(40) < 12).astype(int)
    frame, _ = small_table(0, 40, 20)
    plan = planned(frame, y, sizes=[3], protocol="4cv")
    study = told_study(
        plan, lambda method, size, split: range(size), lambda m, s, c, split: np.zeros(len(plan.splits[split].test))
    )
    assert any("would give 0.50: it may have learned nothing" in doubt for doubt in study.recommendation["doubts"])


def test_chance_in_leave_one_out_is_the_share_of_the_largest_class():
    # Every other sample is named wrong; naming the most frequent training class would name all of them wrong.
    study = _told(lambda method, size, classifier, split: split % 2, protocol="loocv")
    assert study.results[0]["accuracy"]["mean"] == 0.5
    assert any("it may have learned nothing" in doubt for doubt in study.recommendation["doubts"])


def test_one_split_is_judged_by_its_samples():
    names, n_wrong = ["f-test", "mrmr+", "relieff"], (3, 1, 12)
    study = _told(lambda method, size, classifier, split: n_wrong[method], methods=names, protocol="holdout")
    advice = study.recommendation
    # Two samples of 14 apart: more than the standard error of the difference, which is 0.094.
    assert len(study.plan.splits[0].test) == 14
    assert advice["method"] == "mrmr+"
    right = [study.is_right(number, 3, "nb")[0] for number in range(3)]
    expected = [name for name, one in zip(names, right, strict=True) if mcnemar(right[1], one).p_value >= 0.05]
    assert (
        [one["method"] for one in advice["within_noise"]]
        == [name for name in expected if name != "mrmr+"]
        == ["f-test"]
    )
    assert "stability unknown" in advice["sentence"]
    assert not any(text.startswith("Stability") for text in (*advice["reasons"], *advice["doubts"]))
    assert not any("share" in doubt for doubt in advice["doubts"])


def test_a_lead_of_one_sample_in_one_split_is_no_lead():
    study = _told(
        lambda method, size, classifier, split: 1 - method,
        lambda method, size, split: range(2 + 3 * method),
        methods=["cfs", "fcbf"], sizes=["own"], protocol="holdout",
    )  # fmt: skip
    # One of 14 is about its standard error, 0.069 against 0.071: the longer list stays ahead by a hair.
    assert study.recommendation["method"] == "fcbf"


def test_lists_of_nothing_have_no_stability_and_are_still_judged():
    study = _told(lambda method, size, classifier, split: method, lambda *_: [], methods=["cfs", "fcbf"], sizes=["own"])
    advice = study.recommendation
    assert advice["method"] == "cfs"
    assert advice["features"] == []
    assert "cfs with about 0.0 features of its own choice and nb: accuracy 1.00" in advice["sentence"]
    assert "stability unknown" in advice["sentence"]
    assert advice["doubts"][-2:] == [
        "In 4 of 4 splits cfs kept no feature at all; the most frequent class is named then.",
        "From all samples cfs keeps no feature, so there is no list to use.",
    ]


def test_some_lists_of_nothing_are_a_doubt_and_none_are_not():
    study = _told(
        lambda *_: 0, lambda method, size, split: [] if split == 2 else [0, 1], methods=["cfs"], sizes=["own"]
    )
    said = [doubt for doubt in study.recommendation["doubts"] if "no feature" in doubt]
    assert said == ["In 1 of 4 splits cfs kept no feature at all; the most frequent class is named then."]
    assert not any("no feature" in doubt for doubt in _told(lambda *_: 0).recommendation["doubts"])


def test_a_defined_stability_beats_an_unknown_one():
    study = _told(
        lambda *_: 0,
        lambda method, size, split: [] if method == 0 else [0 if split == "all" else split],
        methods=["cfs", "fcbf"], sizes=["own"],
    )  # fmt: skip
    assert study.selections[1]["stability"]["nogueira"]["value"] < 0
    assert study.recommendation["method"] == "fcbf"


def test_leaving_one_out_is_judged_by_samples_named_right():
    frame, y = small_table(0, 16, 20)
    study = holdfast.compare(
        frame, y, methods=["f-test", "relieff"], sizes=[2, 4], classifiers=["nb"], protocol="loocv"
    )
    advice = study.recommendation
    rows = {}
    for method, name in enumerate(("f-test", "relieff")):
        for size in (2, 4):
            rows[name, size] = (
                np.concatenate(study.is_right(method, size, "nb")).astype(float),
                nogueira(study.runs(method, size)),
            )
    best = max(rows, key=lambda key: (rows[key][0].mean(), -key[1]))

    def behind(key):
        differences = rows[best][0] - rows[key][0]
        error = math.sqrt((1 / 16 + 1 / 15) * differences.var(ddof=1)) if np.ptp(differences) else 0.0
        return differences.mean() - error

    close = [key for key in rows if behind(key) <= 1e-15]
    expected = min(close, key=lambda key: (-round(rows[key][1], 3), key[1], -rows[key][0].mean()))
    assert (advice["method"], advice["size"]) == expected
    assert any("share 93 %" in doubt for doubt in advice["doubts"])


def test_a_study_of_one_of_everything_can_be_recommended():
    frame, y = small_table(0)
    study = holdfast.compare(
        frame, y, methods="f-test", sizes=3, classifiers=KNeighborsClassifier(3), protocol="holdout"
    )
    advice = study.recommendation
    assert (advice["method"], advice["size"], advice["classifier"]) == ("f-test", 3, "KNeighborsClassifier")
    assert study.summary()["comparisons"] is None
