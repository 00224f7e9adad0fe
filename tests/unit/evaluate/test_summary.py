"""The one dictionary about a study: its form, and every number in it from its definition."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from sklearn.feature_selection import SelectKBest
from sklearn.neighbors import NearestCentroid

import holdfast
from oracles.comparisons import front
from oracles.studies import planned, small_table, told_study

SCHEMA = json.loads((Path(holdfast.__file__).parent / "report" / "study" / "schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
SMALL = {"methods": ["f-test", "mrmr+"], "sizes": [2, 5], "classifiers": ["nb"], "protocol": "3cv"}


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 50)


def _study(seed=0, n_samples=36, n_classes=2, n_missing=0, **asked):
    frame, y = small_table(seed, n_samples, 24, n_classes, n_missing)
    return holdfast.compare(frame, asked.pop("y", y), **{**SMALL, **asked})


KINDS = {
    "two classes": {},
    "three classes": {"n_classes": 3, "classifiers": ["nb", "svm"]},
    "many classes": {"n_classes": 6, "protocol": "2cv"},
    "one method": {"methods": ["f-test"], "sizes": [3]},
    "three methods": {"methods": ["f-test", "mrmr+", "relieff"]},
    "one split": {"protocol": "holdout"},
    "leave one out": {"protocol": "loocv", "n_samples": 16},
    "bootstrap": {"protocol": "bootstrapx3"},
    "given splits": {"protocol": [(np.arange(20), np.arange(20, 36))]},
    "tuned": {"tune_size": True},
    "tuned to a size of its own": {"methods": ["cfs"], "sizes": [24, "own"], "tune_size": True},
    "own": {"methods": ["cfs", "fcbf"], "sizes": ["own"]},
    "groups": {"groups": np.arange(36) // 3},
    "missing values": {"n_missing": 50, "impute": "median"},
    "no scores": {"classifiers": {"centre": NearestCentroid()}},
    "other people's selectors": {"methods": {"best <b>": SelectKBest()}},
    "unbalanced": {"y": (np.arange(36) < 8).astype(int), "protocol": "4cv"},
    "odd names": {"y": np.where(np.arange(36) % 2 == 0, 'a "b" & <c>', "ü, ŷ"), "positive": "ü, ŷ"},
    "settings": {"methods": ["svm-rfe(C=0.1)", "f-test"], "classifiers": ["knn(n_neighbors=3)"]},
}  # fmt: skip


def assert_is_valid(summary):
    errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in VALID.iter_errors(summary)]
    assert not errors, errors[:3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_summary_follows_the_schema_and_survives_json(kind):
    summary = _study(**KINDS[kind]).summary()
    assert_is_valid(summary)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


def test_the_name_of_the_classes_is_text_whatever_it_was():
    frame, y = small_table(0)
    summary = holdfast.compare(frame, pd.Series(y, name=0), **SMALL).summary()
    assert summary["plan"]["data"]["target"] == "0"


def test_a_study_that_is_not_finished_follows_the_schema_and_says_so():
    study = _told(left_out=[(1, 2), (0, "all")])
    summary = study.summary()
    assert_is_valid(summary)
    assert summary["progress"] == {"n_cells": 8, "n_done": 6, "is_complete": False}
    # Only splits that every method has done count.
    assert all(row["accuracy"]["n"] == 2 for row in summary["results"])


def test_changing_a_summary_does_not_change_the_study():
    study = _study()
    study.summary()["results"].clear()
    study.results[0]["accuracy"]["mean"] = 7
    study.recommendation["doubts"].append("none")
    assert len(study.summary()["results"]) == 4
    assert study.summary()["results"][0]["accuracy"]["mean"] <= 1
    assert "none" not in study.summary()["recommendation"]["doubts"]


def test_results_are_one_row_per_method_size_and_classifier_in_order():
    summary = _study(classifiers=["nb", "knn"], tune_size=True).summary()
    expected = [(m, s, c) for m in ("f-test", "mrmr+") for s in (2, 5, "tuned") for c in ("nb", "knn")]
    assert [(row["method"], row["size"], row["classifier"]) for row in summary["results"]] == expected
    shown = [(row["method"], row["size"], row["classifier"]) for row in summary["selections"]]
    sizes = [(2, None), (5, None), ("tuned", "nb"), ("tuned", "knn")]
    assert shown == [(m, s, c) for m in ("f-test", "mrmr+") for s, c in sizes]


def test_the_plan_is_told():
    frame, y = small_table(0)
    table = holdfast.Table(frame.to_numpy(), frame.columns, frame.index, y, "state", "/some/where/genes.csv")
    plan = holdfast.compare(table, groups=np.arange(36) // 2, seed=4, **SMALL).summary()["plan"]
    data = plan["data"]
    assert data["source"] == "genes.csv"
    assert (data["n_samples"], data["n_features"], data["target"], data["n_groups"]) == (36, 24, "state", 18)
    assert (data["classes"], data["positive"], data["imputed"]) == ({"0": 18, "1": 18}, "1", None)
    assert plan["sizes"] == [2, 5]
    assert plan["seed"] == 4
    assert plan["protocol"] == {
        "name": "3cv", "words": "3-fold cross-validation", "n_splits": 3, "n_train": 24.0, "n_test": 12.0,
    }  # fmt: skip
    assert plan["classifiers"] == [{"name": "nb", "words": "Gaussian naive Bayes"}]


def test_parameters_are_told_without_those_that_the_study_varies():
    methods = _study(methods=["en-relieff(n_runs=3)", SelectKBest(), "svm-rfe(C=0.1)"]).summary()["plan"]["methods"]
    assert [one["name"] for one in methods] == ["en-relieff(n_runs=3)", "SelectKBest", "svm-rfe(C=0.1)"]
    assert methods[0]["parameters"]["n_runs"] == 3
    assert methods[2]["parameters"]["C"] == 0.1
    for one in methods:
        assert not {"n_features_to_select", "k", "random_state", "n_jobs"} & set(one["parameters"])


def _told(n_features=24, choose=None, left_out=(), wrong=lambda *_: 0, **asked):
    """Two methods on three splits: lists and mistakes of our own making."""
    frame, y = small_table(0, 36, n_features)
    plan = planned(frame, y, **{"methods": ["f-test", "mrmr+"], "sizes": [4], **asked})

    def predicted(method, size, classifier, split):
        truth = plan.classes[plan.splits[split].test]
        n_wrong = wrong(method, size, classifier, split)
        return [*(1 - truth[:n_wrong]), *truth[n_wrong:]]

    return told_study(plan, choose or (lambda method, size, split: range(size)), predicted, left_out=left_out)


LISTS = {
    (0, 0): [0, 1, 2, 3], (0, 1): [1, 2, 3, 4], (0, 2): [1, 9, 8, 7], (0, "all"): [9, 1, 2, 3],
    (1, 0): [0, 1, 2, 3], (1, 1): [5, 6, 7, 8], (1, 2): [1, 9, 5, 6], (1, "all"): [5, 6, 7, 8],
}  # fmt: skip


def test_frequencies_are_shares_of_the_splits_and_features_come_most_frequent_first():
    study = _told(choose=lambda method, size, split: LISTS[method, split])
    features = study.selections[0]["features"]
    names = study.plan.table.feature_names
    counts = {j: sum(j in LISTS[0, split] for split in range(3)) for j in range(24)}
    rank = {9: 1, 1: 2, 2: 3, 3: 4}
    expected = sorted((j for j in range(24) if counts[j]), key=lambda j: (-counts[j], rank.get(j, 99), names[j]))
    assert [one["index"] for one in features] == expected
    for one in features:
        assert one["name"] == names[one["index"]]
        assert one["frequency"] == pytest.approx(counts[one["index"]] / 3)
        assert one["rank"] == rank.get(one["index"])
        assert one["score"] == (None if one["rank"] is None else 5.0 - one["rank"])


def test_a_feature_chosen_from_all_samples_only_is_listed_with_frequency_zero():
    features = _told(choose=lambda method, size, split: [20] if split == "all" else [3]).selections[0]["features"]
    assert [(one["index"], one["frequency"], one["rank"]) for one in features] == [(3, 1.0, None), (20, 0.0, 1)]


def test_five_hundred_features_are_listed_and_those_chosen_from_all_samples():
    study = _told(n_features=900, choose=lambda method, size, split: [899, 3] if split == "all" else range(600))
    features = study.selections[0]["features"]
    assert len(features) == 501
    assert (features[0]["index"], features[0]["rank"]) == (3, 2)
    assert (features[-1]["index"], features[-1]["frequency"], features[-1]["rank"]) == (899, 0.0, 1)
    assert_is_valid(study.summary())


def test_numbers_of_features_are_told_as_mean_least_and_most():
    selection = _told(choose=lambda method, size, split: range({0: 2, 1: 4, 2: 9, "all": 3}[split])).selections[0]
    assert selection["n_selected"] == {"mean": 5.0, "least": 2, "most": 9}


def test_agreement_is_the_mean_jaccard_index_of_two_methods_on_the_same_split():
    agreement = _told(choose=lambda method, size, split: LISTS[method, split]).summary()["agreement"]

    def jaccard(a, b):
        return len(set(a) & set(b)) / len(set(a) | set(b))

    mean = np.mean([jaccard(LISTS[0, split], LISTS[1, split]) for split in range(3)])
    assert (agreement["size"], agreement["index"], agreement["methods"]) == (4, "jaccard", ["f-test", "mrmr+"])
    np.testing.assert_allclose(agreement["values"], [[1, mean], [mean, 1]], rtol=0, atol=1e-12)


def test_empty_lists_agree_with_each_other_and_with_nothing_else():
    agreement = _told(choose=lambda method, size, split: [] if method == 0 or split == 1 else [3]).summary()[
        "agreement"
    ]
    np.testing.assert_allclose(agreement["values"], [[1, 1 / 3], [1 / 3, 1]], rtol=0, atol=1e-12)


def test_one_method_agrees_with_nobody():
    assert _study(methods=["f-test"]).summary()["agreement"] is None


def test_on_the_front_is_what_no_other_beats_in_accuracy_and_stability(seed):
    summary = _study(seed, methods=["f-test", "mrmr+", "relieff"], classifiers=["nb", "knn"], tune_size=True).summary()
    stability = {
        (one["method"], one["size"], one["classifier"]): one["stability"]["nogueira"]["value"]
        for one in summary["selections"]
    }
    rows = summary["results"]
    points = [
        (
            row["accuracy"]["mean"],
            stability[row["method"], row["size"], row["classifier"] if row["size"] == "tuned" else None],
        )
        for row in rows
    ]
    assert [row["on_front"] for row in rows] == front(points)


def test_without_a_stability_nothing_is_on_the_front():
    assert not any(row["on_front"] for row in _study(protocol="holdout").results)


def test_the_baseline_names_the_most_frequent_training_class():
    frame, _ = small_table(0)
    y = (np.arange(36) < 13).astype(int)
    study = holdfast.compare(frame, y, **SMALL)
    shares = [np.mean(study.plan.classes[split.test] == 0) for split in study.plan.splits]
    assert study.summary()["baseline"] == {
        "accuracy": pytest.approx(np.mean(shares)),
        "words": "always the most frequent class",
    }


def test_the_baseline_of_leaving_one_out_of_equal_classes_is_always_wrong():
    study = _study(n_samples=16, protocol="loocv", methods=["f-test"])
    assert study.summary()["baseline"]["accuracy"] == 0.0


def test_the_heat_map_shows_the_recommended_features_in_units_of_their_spread_by_class():
    study = _study()
    summary, table = study.summary(), study.plan.table
    shown = summary["heat_map"]
    assert shown["features"] == summary["recommendation"]["features"]
    assert shown["classes"] == sorted(shown["classes"])
    frame = pd.DataFrame(table.X, index=table.sample_names, columns=table.feature_names)
    scaled = (frame - frame.mean()) / frame.std(ddof=0)
    expected = scaled.loc[shown["samples"], shown["features"]].to_numpy().T
    np.testing.assert_allclose(shown["values"], expected, rtol=0, atol=0.00051)
    own = dict(zip(table.sample_names, (study.plan.class_names[code] for code in study.plan.classes), strict=True))
    assert [own[name] for name in shown["samples"]] == shown["classes"]


def test_the_heat_map_leaves_missing_values_out():
    study = _study(n_missing=200, impute="median")
    shown, table = study.summary()["heat_map"], study.plan.table
    frame = pd.DataFrame(table.X, index=table.sample_names, columns=table.feature_names)
    is_missing = frame.loc[shown["samples"], shown["features"]].isna().to_numpy().T
    assert [[value is None for value in row] for row in shown["values"]] == is_missing.tolist()
    assert is_missing.any()


def test_the_heat_map_of_features_with_one_name_shows_the_chosen_ones():
    frame, y = small_table(0)
    frame.columns = ["a", "b"] * 12
    study = holdfast.compare(frame, y, **SMALL)
    summary = study.summary()
    advice = summary["recommendation"]
    method = SMALL["methods"].index(advice["method"])
    columns = study.on_all_samples(method, advice["size"])[0]
    order = np.argsort(study.plan.classes, kind="stable")
    X = study.plan.table.X[np.ix_(order, columns)]
    np.testing.assert_allclose(summary["heat_map"]["values"], ((X - X.mean(0)) / X.std(0)).T, rtol=0, atol=0.00051)


def test_an_empty_recommendation_has_no_heat_map():
    assert _told(choose=lambda *_: []).summary()["heat_map"] is None


def test_sixty_features_at_most_are_in_the_heat_map():
    shown = _told(n_features=100, choose=lambda *_: range(80)).summary()["heat_map"]
    assert len(shown["features"]) == len(shown["values"]) == 60


def test_tuned_sizes_are_counted():
    frame, y = small_table(0)
    plan = planned(frame, y, sizes=[2, 5], tune_size=True, protocol="4cv")
    picked = [5, 2, 5, 5]
    study = told_study(
        plan,
        lambda method, size, split: range(size),
        lambda method, size, classifier, split: plan.classes[plan.splits[split].test] ^ (size == 2),
        tuned=lambda method, classifier, split: picked[split],
    )
    row = study.results[-1]
    assert row["sizes_chosen"] == {"2": 1, "5": 3}
    # Right with five features, wrong with two.
    assert row["accuracy"]["mean"] == 0.75
    assert study.selections[-1]["n_selected"] == {"mean": 4.25, "least": 2, "most": 5}
    assert "sizes_chosen" not in study.results[0]


def test_a_metric_has_mean_spread_number_and_two_intervals():
    row = _told(wrong=lambda method, size, classifier, split: split).results[0]
    accuracy = [1.0, 11 / 12, 10 / 12]
    assert row["accuracy"]["mean"] == pytest.approx(np.mean(accuracy))
    assert row["accuracy"]["sd"] == pytest.approx(np.std(accuracy, ddof=1))
    assert row["accuracy"]["n"] == 3
    for low, high in (("low", "high"), ("bootstrap_low", "bootstrap_high")):
        assert row["accuracy"][low] <= row["accuracy"]["mean"] <= row["accuracy"][high]
    assert row["auc"] is None
    assert row["brier"] is None


def test_costs_are_of_the_selection_on_each_split():
    summary = _study().summary()
    assert [one["method"] for one in summary["costs"]] == ["f-test", "mrmr+"]
    for one in summary["costs"]:
        assert one["seconds"]["n"] == 3
        assert 0 < one["seconds"]["least"] <= one["seconds"]["mean"] <= one["seconds"]["most"]
        assert one["peak_megabytes"] >= 0
    assert [one["classifier"] for one in summary["classifier_seconds"]] == ["nb"]
    assert summary["classifier_seconds"][0]["mean"] > 0


def test_costs_that_were_not_kept_are_unknown():
    summary = _told().summary()
    assert summary["costs"][0]["seconds"] == {"mean": None, "least": None, "most": None, "n": 0}
    assert summary["costs"][0]["peak_megabytes"] is None
    assert summary["classifier_seconds"] == [{"classifier": "nb", "mean": None}]
    assert_is_valid(summary)


def test_small_classes_odd_names_and_missing_prior_knowledge_are_warned_about():
    frame, _ = small_table(0)
    frame.columns = ["a", "b"] * 12
    y = (np.arange(36) < 9).astype(int)
    warnings = holdfast.compare(frame, y, **{**SMALL, "methods": ["pk-mrmr"]}).summary()["warnings"]
    assert any("only 6 samples of a class" in text for text in warnings)
    assert any("2 names are carried by more than one feature" in text for text in warnings)
    assert any("no prior knowledge" in text for text in warnings)


def test_a_clean_study_warns_of_nothing():
    assert _study(protocol="4cv").summary()["warnings"] == []
