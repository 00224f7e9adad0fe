"""Hosseini 2018, chapter 4, on the real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from holdfast import D2CORFS, DCORFS
from holdfast.measures import distance_dependence
from holdfast.reproduce.cells import Key, read_printed
from holdfast.reproduce.hosseini._cells4 import DATA, LAST_DIGIT, LAST_OF_DCOR, METHOD, SCREENING
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, MEASURES
from holdfast.reproduce.hosseini._fixed import OWN, dcor_of, each_dropped, held_out, left_out, resplit, screened
from holdfast.reproduce.hosseini._searches import AS_MANY, folds, judged, over_folds, search
from holdfast.reproduce.hosseini._tables import (
    BY_TRAIN,
    CONFIDENCE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    OTHER_DATA,
    PER_SET,
    POOLED,
    SETS,
    SPLIT,
    Data,
    load,
    published_model,
    published_models,
)
from holdfast.reproduce.shelf import stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))
PRINTED = read_printed("hosseini-4")
# Samples, and positive and negative ones of the test part; those of Leukemia in print are not in the public table.
N_SAMPLES = {
    "Breast": 97,
    "CNS": 60,
    "Colon": 62,
    "DLBCL": 77,
    "Leukemia": 72,
    "Lung": 181,
    "Ovarian": 253,
    "Prostate": 136,
}
TESTED = {"Breast": (12, 7), "Leukemia": (20, 14), "Lung": (15, 134), "Prostate": (25, 9)}
# Cells of Table 4.2 that do not come out. Maximum likelihood is not what the thesis's solver found.
NOT_REACHED = {
    *((name, "LogReg", measure) for name in SPLIT for measure in MEASURES),
    *(("Prostate", "Tree", measure) for measure in MEASURES),
    *(("Breast", "SVMn", measure) for measure in MEASURES),
    ("Prostate", "SVM", "J_tr"),
}
REACHED = ("Breast", "Lung", "Prostate")

pytestmark = pytest.mark.slow


@lru_cache(maxsize=2)
def table_of(name: str) -> Data:
    shelf = stocked(SETS, FOLDER)
    if name not in shelf:
        pytest.skip(f"{shelf.absence(name)}: set HOLDFAST_DATA to a folder that has it")
    return load(shelf, name)


def printed(table: str, name: str, setting: str, quantity: str, method: str = METHOD) -> float:
    return PRINTED[Key(table, name, method, setting, quantity)].value


def run_on(data: Data, protocol: str, step: float, seed: int, rows: np.ndarray | None = None) -> dict:
    rows = data.rows(protocol) if rows is None else rows
    return search(data, rows, CONFIDENCE[data.name, protocol], step, seed)


@pytest.mark.parametrize("name", list(SETS))
def test_tables_have_as_many_samples_as_in_print(name):
    data = table_of(name)
    assert len(data.y) == N_SAMPLES[name]
    if name in SPLIT:
        assert tuple(np.bincount(data.y[~data.is_train])[::-1]) == TESTED[name]


@pytest.mark.parametrize("name", [name for name in SETS if name not in OTHER_DATA])
def test_tables_have_the_features_and_the_classes_of_the_print(name):
    data = table_of(name)
    assert data.X.shape[1] == printed("4.1", name, "", "features", DATA)
    train = [printed("4.1", name, "train", quantity, DATA) for quantity in ("NN", "NP")]
    assert np.bincount(data.y[data.is_train]).tolist() == train


@pytest.mark.parametrize(("name", "protocol"), [key for key, one in CONFIDENCE.items() if one is not None])
def test_the_screening_keeps_as_many_features_as_in_print(name, protocol):
    found = screened(table_of(name), protocol, CONFIDENCE[name, protocol])
    if name == "Leukemia":
        assert found["n_kept"] == {HOLD_OUT: 996, LEAVE_ONE_OUT: 1381}[protocol]
    else:
        there = printed("4.1", name, protocol, "features kept", SCREENING)
        assert found["n_kept"] + found["n_constant"] == there


def test_one_treatment_of_missing_values_gives_both_counts_of_breast_at_round_values():
    data = table_of("Breast")
    fits = {
        (treatment, keeps): [_round_values(data, protocol, treatment, keeps) for protocol in (HOLD_OUT, LEAVE_ONE_OUT)]
        for treatment in ("100", "0", "median", "mean", "drop")
        for keeps in (False, True)
    }
    assert [key for key, rows in fits.items() if any(rows)] == [("100", True)]
    assert fits["100", True] == [[0.15], [0.07]]


def _round_values(data: Data, protocol: str, treatment: str, keeps_constant: bool) -> list[float]:
    """Multiples of 0.005 that keep as many features as in print."""
    count = int(printed("4.1", "Breast", protocol, "features kept", SCREENING))
    rows = data.rows(protocol)
    X = data.X[rows]
    is_empty = np.isnan(X).all(axis=0)
    Z = X[:, ~is_empty]
    if treatment == "drop":
        Z = Z[:, ~np.isnan(Z).any(axis=0)]
    else:
        whole = {"median": np.nanmedian, "mean": np.nanmean}.get(treatment)
        Z = np.where(np.isnan(Z), float(treatment) if whole is None else whole(Z, axis=0), Z)
    p_values = np.sort(distance_dependence(Z, data.y[rows]).p_value)
    n_kept = count - (is_empty.sum() if keeps_constant else 0)
    return [
        one for one in np.arange(1, 50) * 5 / 1000 if p_values[n_kept - 1] < one - 1e-12 and one <= p_values[n_kept]
    ]


def test_leukemia_has_as_many_features_as_in_print_only_at_a_value_that_is_not_round():
    found = screened(table_of("Leukemia"), HOLD_OUT, AS_MANY)
    assert found["n_kept"] == 2688
    low, high = found["between"]
    assert not any(low < one <= high for one in np.arange(1, 50) * 5 / 1000)


@pytest.mark.parametrize("name", REACHED)
def test_published_models_without_a_feature_are_as_in_table_4_3(name):
    found = each_dropped(table_of(name), published_model(name, HOLD_OUT), OWN[name])
    for setting, one in found.items():
        assert one["dCor"] == pytest.approx(printed("4.3", name, setting, "dCor"), abs=LAST_OF_DCOR)
        assert one["J_te"] == pytest.approx(printed("4.3", name, setting, "J_te"), abs=LAST_DIGIT)
        if (name, setting) != ("Prostate", "all"):
            assert one["J_tr"] == pytest.approx(printed("4.3", name, setting, "J_tr"), abs=LAST_DIGIT)
    whole, *others = found.values()
    assert all(whole["dCor"] > one["dCor"] for one in others)


@pytest.mark.parametrize("name", REACHED)
def test_published_models_do_as_in_table_4_2(name):
    for classifier in CLASSIFIERS:
        scores = held_out(table_of(name), published_model(name, HOLD_OUT), classifier, PER_SET)
        for measure in MEASURES:
            if (name, classifier, measure) not in NOT_REACHED:
                there = printed("4.2", name, classifier, measure)
                assert scores[measure] == pytest.approx(there, abs=LAST_DIGIT), (classifier, measure)


def test_the_test_part_of_prostate_needs_a_range_of_its_own():
    model = published_model("Prostate", HOLD_OUT)
    for classifier in ("kNN", "NB"):
        scores = held_out(table_of("Prostate"), model, classifier, BY_TRAIN)
        assert (scores["TPR"], scores["TNR"]) == (1, 0)


def test_the_published_model_of_lung_under_leave_one_out():
    data, model = table_of("Lung"), published_model("Lung", LEAVE_ONE_OUT)
    found = [left_out(data, model, one) for one in ("SVM", "SVMn", "kNN", "NB")]
    assert found == pytest.approx([1, 1, 0.9945, 0.9779], abs=1e-4)
    assert dcor_of(data.model(model), data.y) == pytest.approx(0.9480, abs=5e-5)


def test_other_splits_of_leukemia_are_as_often_right_as_the_specification_says():
    accuracy = resplit(table_of("Leukemia"), published_model("Leukemia", HOLD_OUT), "NB", 0, 1000)
    _, counts = np.unique(accuracy.round(4), return_counts=True)
    assert counts.tolist() == [20, 35, 213, 336, 315, 81]


def test_no_diverse_model_of_leukemia_is_without_an_error():
    models = [model for (table, _, _), model in published_models().items() if table == "4.5"]
    assert len(models) == 6
    assert all(left_out(table_of("Leukemia"), model, "NB") < 1 for model in models)


@pytest.mark.parametrize("index", ["biased", "unbiased"])
def test_planted_features_are_found(index):
    X = np.random.default_rng(42).standard_normal((40, 20))
    for seed in range(5):
        found = DCORFS(index=index, confidence=None, random_state=seed).fit(X, X[:, 3] + X[:, 11] > 0)
        assert set(found.indices_) == {3, 11}
    X = np.random.default_rng(7).standard_normal((60, 300))
    y = X[:, 10] + X[:, 150] + X[:, 290] > 0
    for seed in range(3):
        found = D2CORFS(index=index, confidence=None, n_bins=10, random_state=seed).fit(X, y)
        assert set(found.indices_) == {10, 150, 290}
        assert found.value_ == pytest.approx({"biased": 0.685613, "unbiased": 0.462458}[index], abs=1e-6)


@pytest.mark.parametrize(
    ("name", "seeds", "most"), [("Lung", (0, 1), 10), ("Prostate", (0, 1), 10), ("Breast", (0,), 20)]
)
def test_the_search_reaches_the_dcor_of_the_published_model(name, seeds, most):
    data = table_of(name)
    y = data.y[data.is_train]
    published = dcor_of(data.model(published_model(name, HOLD_OUT))[data.is_train], y)
    for seed in seeds:
        run = run_on(data, HOLD_OUT, 10, seed)
        assert run["value"] >= published
        assert 1 <= len(run["model"]) <= most
        assert run["value"] == pytest.approx(dcor_of(data.model(run["model"])[data.is_train], y), abs=1e-9)
        assert run["n_bins"] == round(2 * run["n_pool"] / len(y))
    accuracy = judged(data, HOLD_OUT, run["model"], 0, 10)[PER_SET]
    assert max(accuracy.values()) > {"Lung": 0.93, "Prostate": 0.75, "Breast": 0.6}[name]


def test_a_larger_step_coefficient_gives_models_of_about_the_published_size():
    run = run_on(table_of("Prostate"), HOLD_OUT, 70, 0)
    assert 2 <= len(run["model"]) <= 5
    assert run["value"] == pytest.approx(0.8216, abs=0.02)


def test_choosing_on_all_samples_is_optimistic_on_cns():
    data = table_of("CNS")
    models = [run_on(data, LEAVE_ONE_OUT, 10, 0, train)["model"] for train, _ in folds(data, 0, 10)]
    whole = run_on(data, LEAVE_ONE_OUT, 10, 0)["model"]
    inside, outside = over_folds(data, models, 0, BY_TRAIN), over_folds(data, [whole] * 10, 0, POOLED)
    assert np.mean([outside[one] - inside[one] for one in CLASSIFIERS]) > 0.08
