"""Chapter 3 of Ben Brahim 2015: rules that join lists, claims on them, and the whole plan on a small table."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from sklearn.impute import KNNImputer

from holdfast import EnsembleSelector
from holdfast.reproduce.ben_brahim import _ensembles, chapter3
from holdfast.reproduce.ben_brahim._claims3 import MCE, PRINTED_RULES, STABILITY, Counting, claims, doubts, printed_of
from holdfast.reproduce.ben_brahim._ensembles import (
    ABSENT_IS_0,
    ECA,
    FEW,
    FILTERS,
    RULES,
    SETTINGS,
    UNSCALED,
    Distances,
    Outcome,
    outcomes,
)
from holdfast.reproduce.ben_brahim._sets import SETS, WITH_GAPS, filled_by, prepared
from holdfast.reproduce.cells import AGREES, BETTER, NOT_RUN, WORSE, Cell, Key, read_printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.protocol import folds, predict_svm
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.stability import bootstraps
from unit.reproduce.ben_brahim_checks import assert_outcomes_are_sound

SIZES = (5, 10)
PRINTED = read_printed(chapter3.PRINTED)


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [24, 20])
    X = rng.normal(size=(44, 120))
    X[:, :12] += 1.5 * y[:, np.newaxis]
    return Table("CNS", X, y)


@pytest.fixture(scope="module")
def shelf(small, tmp_path_factory):
    place = tmp_path_factory.mktemp("data") / "cns.npz"
    np.savez(place, X=small.X, y=small.y)
    return Shelf(chapter3.PLAN.sets, {"CNS": str(place)})


@pytest.fixture(scope="module")
def made(shelf):
    return {part.key: part.call(shelf) for part in chapter3.parts(shelf, True)}


def test_every_method_is_run_in_every_setting(made):
    results = outcomes(made.values())
    together = (ECA, *RULES, ABSENT_IS_0)
    expected = [("FP", method) for method in (*FILTERS, *together)]
    expected += [(f"DP-{name}", method) for name in FILTERS for method in (name, *together)]
    expected += [(UNSCALED, method) for method in ("Relief", *together)]
    assert sorted((one.setting, one.method) for one in results) == sorted(expected)
    assert_outcomes_are_sound(results, 44, FEW.sizes)


@pytest.mark.parametrize("rule", ["WMA", "CLA", "WRA", "RRA", "OFA"])
def test_lists_cut_to_a_size_are_joined_as_by_an_ensemble_of_that_size(small, rule):
    drawn = bootstraps(small.y, 6, 0)
    for name, selector in FILTERS.items():
        members = _ensembles.lists_from(selector, small.X, small.y, drawn)
        columns = _ensembles.ordered(_ensembles.gathered(members, 10, 120, np.zeros(6)), rule, 44)
        ensemble = EnsembleSelector(10, selector=selector, perturb=drawn, rule=rule.lower()).fit(small.X, small.y)
        scores = np.where(np.isnan(ensemble.scores_), -np.inf, ensemble.scores_)
        if rule in ("CLA", "RRA"):
            scores = -np.where(np.isnan(ensemble.scores_), np.inf, ensemble.scores_)
        # Only ties may be settled in another way.
        assert sorted(scores[columns[:10]]) == pytest.approx(sorted(scores[ensemble.indices_])), name


def test_with_rank_0_for_absent_features_the_rarest_win(small):
    members = _ensembles.lists_from(FILTERS["t-test"], small.X, small.y, bootstraps(small.y, 6, 0))
    together = _ensembles.gathered(members, 10, 120, np.zeros(6))
    n_lists = dict(zip(together.features.tolist(), together.is_listed.sum(axis=0).tolist(), strict=True))
    rare, common = (_ensembles.ordered(together, rule, 44)[:3] for rule in (ABSENT_IS_0, "CLA"))
    assert max(n_lists[column] for column in rare) < min(n_lists[column] for column in common)


def test_errors_of_growing_lists_are_those_of_a_nearest_neighbour_in_other_parts(small):
    fold = folds(small, seed=0)[0]
    y = small.y[fold.train]
    distances = Distances.of(fold, y, 0)
    Z = fold.Z[fold.train]
    for size, found in zip(SIZES, distances.errors(np.arange(10), SIZES), strict=True):
        wrong = 0
        for row in range(len(y)):
            others = np.flatnonzero(~distances.is_same_part[row])
            apart = ((Z[others][:, :size] - Z[row, :size]) ** 2).sum(axis=1)
            wrong += y[others[apart.argmin()]] != y[row]
        assert found == pytest.approx(wrong / len(y))


def test_votes_are_those_of_machines_one_by_one(small):
    fold = folds(small, seed=0)[0]
    members = _ensembles.lists_from(FILTERS["t-test"], small.X, small.y, bootstraps(small.y, 3, 0))
    found = _ensembles.voted(small, fold, members, SIZES)
    for size in SIZES:
        labels = [next(predict_svm(fold.Z, small.y, fold, iter([one.indices[:size]]))) for one in members]
        assert found[size][1].tolist() == (np.mean(labels, axis=0) > 0.5).astype(int).tolist()


def test_gaps_are_filled_without_the_classes(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 30))
    X[3, 4] = X[5, 6] = np.nan
    X[:, 9] = np.nan
    for name in ("Breast", "Lymphoma"):
        filled = []
        for number, y in enumerate((np.arange(12) % 2, np.arange(12) // 6)):
            place = tmp_path / f"{name}{number}.npz"
            np.savez(place, X=X, y=y)
            filled.append(prepared(Shelf(SETS, {name: str(place)}), name).X)
        assert filled[0].shape == (12, 29)
        assert not np.isnan(filled[0]).any()
        assert filled[0].tolist() == filled[1].tolist()
    assert np.isclose(X[:, :9][~np.isnan(X[:, :9])], filled[0][:, :9][~np.isnan(X[:, :9])]).all()


def test_printed_cells_are_counted_by_table():
    assert Counter(key.table for key in PRINTED) == {"3.5": 105, "3.6": 105, "3.7": 105, "3.8": 133, "A": 280}
    assert {key.data for key in PRINTED} == set(SETS)
    impossible = [key for key, one in PRINTED.items() if one.impossible]
    assert impossible == [Key("3.5", "Breast", "CLA", "DP-Relief", MCE)]


def test_printed_numbers_that_are_no_target_are_judged_and_counted_apart():
    ours = chapter3._beside(printed_as_results(), PRINTED)
    told = [key for key, one in ours.items() if "no target" in one.apart]
    assert {key.data for key in told} == {"Breast"}
    assert {(key.table, key.method) for key in told if key.table != "A"} == {
        *(("3.7", method) for method in ("t-test", ECA, *PRINTED_RULES)),
        *(("3.8", method) for method in ("t-test", "RAA", "CLA", "CAA", "RRA")),
    }
    marked = {key.setting.partition(",")[0] for key, one in PRINTED.items() if one.remark == "6" and key.table == "A"}
    assert marked == {"FP", "DP-t-test"}


def test_printed_numbers_are_errors_and_stabilities_of_every_table_setting_and_method():
    there = printed_of(PRINTED)
    for data in SETS:
        for setting in SETTINGS:
            assert all(0 <= there[data, setting, method, MCE] < 0.6 for method in (ECA, *RULES))
            assert all(-0.1 < there[data, setting, rule, STABILITY] <= 1 for rule in PRINTED_RULES)


def test_the_mean_of_what_the_appendix_prints_stands_for_wra():
    there = printed_of(PRINTED)
    assert there["DLBCL", "FP", "WRA", MCE] == pytest.approx(0.0780, abs=5e-5)
    assert there["Lung", "DP-t-test", "WRA", MCE] == pytest.approx(0.0516, abs=5e-5)


def test_verdicts_compare_each_number_with_the_printed_one(made, shelf):
    judged = chapter3.judge(made, shelf, True)
    cells = beside(chapter3.PLAN, shelf, judged, PRINTED)
    ran = [cell for cell in cells if cell.key.data == "CNS" and cell.verdict != NOT_RUN]
    # Two sizes of ten are run, so of the appendix two for each setting.
    assert Counter(cell.key.table for cell in ran) == {"3.5": 15, "3.6": 15, "3.7": 15, "3.8": 19, "A": 8}
    for cell in ran:
        difference = cell.ours.value - cell.printed.value
        if cell.key.quantity == STABILITY:
            assert cell.verdict == (AGREES if abs(difference) <= 0.1 else BETTER if difference > 0 else WORSE)
        elif cell.verdict != AGREES:
            assert cell.verdict == (BETTER if difference < 0 else WORSE)


def test_errors_by_size_are_beside_those_of_the_appendix(made, shelf):
    judged = chapter3.judge(made, shelf, True)
    wra = next(one for one in outcomes(made.values()) if (one.setting, one.method) == ("FP", "WRA"))
    for size in FEW.sizes:
        assert judged.ours[Key("A", "CNS", "WRA", f"FP, N = {size}", MCE)].value == wra.errors[size]


def test_all_other_tables_are_told(made, shelf):
    judged = chapter3.judge(made, shelf, True)
    rows = {one.title: one.rows for one in judged.sections}
    assert len(rows["Errors by size"]) == len(outcomes(made.values())) - len(SETTINGS) - 1
    assert len(rows["WRA over all sizes"]) == len(rows["CLA with rank 0 for absent features"]) == len(SETTINGS) + 1
    assert len(rows["Relief without scaling, beside Table 3.5"]) == len(("Relief", ECA, *RULES))
    assert len(rows["Relief without scaling: claims"]) == 3
    assert all(len(row) == len(one.header) for one in judged.sections for row in one.rows)
    json.dumps([[one.evidence, one.printed] for one in judged.claims])


@pytest.fixture
def with_gaps(small):
    rng = np.random.default_rng(1)
    return replace(small, X=np.where(rng.random(small.X.shape) < 0.05, np.nan, small.X))


@pytest.mark.parametrize("name", WITH_GAPS)
def test_gaps_are_filled_without_the_other_test_samples(with_gaps, name):
    """Another value of a test sample changes nothing but this sample."""
    table, train = replace(with_gaps, name=name), np.arange(40)
    changed = table.X.copy()
    changed[41] += 100
    before, after = (filled_by(replace(table, X=X), train).X for X in (table.X, changed))
    assert not np.isnan(before).any()
    np.testing.assert_array_equal(np.delete(before, 41, axis=0), np.delete(after, 41, axis=0))
    is_known = ~np.isnan(table.X)
    np.testing.assert_array_equal(before[is_known], table.X[is_known])


def test_gaps_of_breast_are_means_of_the_training_part_and_of_lymphoma_from_near_genes(with_gaps):
    column = with_gaps.X[:, 3].copy()
    column[0] = np.nan
    X = with_gaps.X.copy()
    X[:, 3] = column
    train = np.arange(40)
    assert filled_by(replace(with_gaps, name="Breast", X=X), train).X[0, 3] == pytest.approx(np.nanmean(column[:40]))
    everything = np.arange(len(X))
    near = filled_by(replace(with_gaps, name="Lymphoma", X=X), everything).X
    expected = KNNImputer(n_neighbors=10, weights="distance").fit_transform(X.T).T
    np.testing.assert_array_equal(near, expected)


def test_a_feature_without_a_value_in_the_training_part_is_0_there(with_gaps):
    X = with_gaps.X.copy()
    X[:40, 3] = np.nan
    X[40:, 3] = 5.0
    assert filled_by(replace(with_gaps, name="Breast", X=X), np.arange(40)).X[:, 3].tolist() == [0] * 40 + [5] * 4


@pytest.fixture(scope="module")
def gappy_shelf(small, tmp_path_factory):
    place = tmp_path_factory.mktemp("gaps") / "breast_vantveer.npz"
    rng = np.random.default_rng(2)
    np.savez(place, X=np.where(rng.random(small.X.shape) < 0.2, np.nan, small.X), y=small.y)
    return Shelf(chapter3.PLAN.sets, {"Breast": str(place)})


def test_only_tables_with_gaps_have_parts_without_the_leak(shelf):
    everything = Shelf(chapter3.PLAN.sets, dict.fromkeys(SETS, "nowhere"))
    keys = [part.key for part in chapter3.parts(everything, False)]
    honest = [key for key in keys if key.endswith(chapter3.BY_FOLD)]
    assert honest == [f"{data}-{setting}{chapter3.BY_FOLD}" for data in WITH_GAPS for setting in SETTINGS]
    assert keys[: -len(honest)] == [f"{data}-{setting}" for data in SETS for setting in (*SETTINGS, UNSCALED)]


def test_the_figure_without_the_leak_stands_beside_and_changes_nothing_else(gappy_shelf):
    keys = ("Breast-FP", f"Breast-FP{chapter3.BY_FOLD}")
    calls = {"Breast-FP": _ensembles.run, keys[1]: _ensembles.run_filled_by_fold}
    made = {key: calls[key]("Breast", "FP", FEW, gappy_shelf) for key in keys}
    assert made[keys[0]].keys() == made[keys[1]].keys()
    ours = chapter3._beside(outcomes([made[keys[0]]]), PRINTED)
    inside = {one.method: one for one in outcomes([made[keys[1]]])}
    found = chapter3._with_honest(ours, made)
    assert {key: replace(one, honest=None) for key, one in found.items()} == ours
    error = Key("3.8", "Breast", "OFA", "FP", MCE)
    assert found[error].honest == inside["OFA"].mce
    assert found[error._replace(quantity=STABILITY)].honest == inside["OFA"].stability
    assert found[Key("A", "Breast", "WRA", "FP, N = 10", MCE)].honest == inside["WRA"].errors[10]


def test_the_leak_is_told_of_the_two_sets_that_it_touches():
    for told in chapter3.PLAN.leaks.values():
        assert "Only these two sets are touched" in told
        assert "There is no figure without it" not in told


def test_results_come_back_from_json_as_they_were(made):
    assert outcomes(json.loads(json.dumps(list(made.values())))) == outcomes(made.values())


def counting(here, in_print):
    """A statement that is true where the number is 1."""
    sets = [f"set {i}" for i in range(len(here))]
    values = [
        {(data, "FP", "OFA", MCE): value for data, value in zip(sets, some, strict=True)} for some in (here, in_print)
    ]
    found = Counting(*values, sets).claim("all is 1", lambda v, data: v[data, "FP", "OFA", MCE] == 1, lambda data: "so")
    return found.verdict, found.printed


@pytest.mark.parametrize(
    ("here", "in_print", "verdict"),
    [
        ([1, 1, 1], [1, 1, 1], HOLDS),
        ([1, 1, 0], [1, 1, 0], HOLDS),
        ([1, 1, 0], [0, 0, 1], HOLDS),
        ([1, 1, 0], [1, 1, 1], IN_PART),
        ([1, 0, 0], [1, 0, 0], IN_PART),
        ([1, 0], [1, 1], IN_PART),
        ([0, 0], [1, 1], FAILS),
    ],
)
def test_a_claim_is_about_all_tables_if_it_is_true_of_all_in_print_and_else_about_most(here, in_print, verdict):
    assert counting(here, in_print) == (verdict, f"{sum(in_print)} of {len(in_print)}")


def printed_as_results(**stability):
    """Results that are what is printed, with stabilities of ours for some rules under DP-Relief."""
    there = printed_of(PRINTED)
    there |= {(data, setting, ABSENT_IS_0, STABILITY): 0.1 for data in SETS for setting in SETTINGS}
    there |= {(data, setting, ABSENT_IS_0, MCE): 0.1 for data in SETS for setting in SETTINGS}
    there |= {(data, "DP-Relief", rule, STABILITY): value for rule, value in stability.items() for data in SETS}
    return [
        Outcome(
            data,
            setting,
            method,
            60,
            {10: value},
            {10: there[data, setting, method, STABILITY]} if (data, setting, method, STABILITY) in there else {},
        )
        for (data, setting, method, quantity), value in there.items()
        if quantity == MCE
    ]


def test_what_is_printed_is_counted_alike_on_both_sides():
    found = [one for one in claims(printed_as_results(), PRINTED) if one.verdict != NOT_TESTED]
    assert len(found) == 15
    for one in found:
        assert one.evidence.startswith(f"{one.printed}: ")


def test_what_was_not_rerun_is_claimed_but_not_tested():
    found = [one for one in claims(printed_as_results(), PRINTED) if one.verdict == NOT_TESTED]
    assert [one.text.partition(":")[0] for one in found] == ["Credit", "CNS", "Leukemia"]
    assert all("best F with the SVM" in one.printed and "not rerun" in one.evidence for one in found)


def test_data_perturbation_must_have_the_most_stable_rule():
    def verdict(results):
        return next(one.verdict for one in claims(results, PRINTED) if "algorithm perturbation" in one.text)

    there = printed_as_results()
    assert verdict(there) == HOLDS
    steady = [replace(one, stabilities={10: 0.99}) if one.setting == "FP" and one.stabilities else one for one in there]
    assert verdict(steady) == FAILS


def test_doubts_of_ours_are_no_claims_of_the_thesis():
    assert not any("WRA has the error of Relief" in one.text for one in claims(printed_as_results(), PRINTED))
    assert "WRA has the error of Relief" in doubts(printed_as_results(), PRINTED)[0].text


def test_a_rule_that_leads_by_a_hair_does_not_lead():
    def verdict(**stability):
        return claims(printed_as_results(**stability), PRINTED)[0].verdict

    assert verdict(RAA=0.95, WMA=0.9) == HOLDS
    assert verdict(RAA=0.95, WMA=0.9, OFA=0.94) == FAILS


def test_a_cell_of_the_stand_in_is_counted_apart():
    results = [one for one in printed_as_results() if one.data == "Bladder"]
    ours = chapter3._beside(results, PRINTED)
    assert {one.apart for one in ours.values()} == {"other genes than in print"}
    key = Key("3.5", "Bladder", "RAA", "DP-Relief", MCE)
    assert Cell(key, PRINTED[key], ours[key], False).verdict == AGREES
