"""Pino Angulo 2019, chapter 4: printed numbers, verdicts, claims and tables, on results that nothing was run for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from holdfast.reproduce.cells import AGREES, DIFFERS, IMPOSSIBLE, NOT_RUN, WORSE, Key, read_printed
from holdfast.reproduce.pino_angulo._cells4 import NOT_THE_SAME
from holdfast.reproduce.pino_angulo._claims4 import growth
from holdfast.reproduce.pino_angulo._left_out import METHODS, area
from holdfast.reproduce.pino_angulo._left_out_claims import is_best
from holdfast.reproduce.pino_angulo._pair_counts import (
    COUNT,
    cfs_pairs,
    in_thousands,
    kept,
    kept_in_print,
    left_by_averages,
    mrmr_pairs,
    mrmr_values,
    naive_values,
    printed_avoided,
    printed_counts,
    printed_seconds,
    ratios,
    sizes,
)
from holdfast.reproduce.pino_angulo._pairwise import READINGS
from holdfast.reproduce.pino_angulo._results4 import gathered
from holdfast.reproduce.pino_angulo._sets4 import AT_HAND, FILES, OF_THE_THESIS
from holdfast.reproduce.pino_angulo._verdicts import around, at_least, between, by_set, p_of_gains
from holdfast.reproduce.pino_angulo.chapter4 import LEFT_OUT, PLAN
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf

PRINTED = read_printed(PLAN.printed)
SHELF = Shelf(PLAN.sets, dict.fromkeys(PLAN.sets, "nowhere"))
N_FEATURES = {"LEU": 7129, "CNS": 7129, "MLL": 12582, "ARC": 10000, "DEX": 20000, "BRE": 24481}


def counts_of(data, n_kept, share=0.05):
    n = N_FEATURES[data]
    every = {"MRMR": (mrmr_pairs(n), 50), "CFS": (cfs_pairs(n, n_kept), n_kept)}
    found = {"n_features": n, "n_varying": n}
    for method, (pairs, n_chosen) in every.items():
        few = int(share * pairs)
        found[method] = {
            "pairs": pairs, "pairs_lazy": few - 1, "is_same": True, "pairs_in_print_order": few,
            "cumulative": np.linspace(0, few, n_chosen).astype(int).tolist(),
        }  # fmt: skip
    found["CFS"]["n_kept"] = n_kept
    return found


def left_out_of(n_samples, good=0.0):
    """Samples of two classes in turn; every fourth is scored wrongly unless ``good``, and every eighth with all."""
    classes = [i % 2 for i in range(n_samples)]
    signs = [1 if label else -1 for label in classes]
    few_wrong = [s if i % 8 else -s for i, s in enumerate(signs)]
    wrong = [s if i % 4 else s * (2 * good - 1) for i, s in enumerate(signs)]
    method = {
        "scores": [[-s, s] for s in wrong], "scores_with_all": [[-s, s] for s in few_wrong],
        "sizes": [50] * n_samples, "seconds": [0.1] * n_samples,
    }  # fmt: skip
    methods = {name: dict(method) for name in METHODS}
    methods["MRMR+"]["seconds"] = [0.01] * n_samples
    return {"rows": list(range(n_samples)), "classes": classes, "n_other_picks": 0, "methods": methods}


def made_up(names=tuple(AT_HAND)):
    """Results of all parts for some tables, as if print had been met on all but CNS."""
    made = {"thought/none/all": [{"n_features": 100, "mean": 182.0, "sd": 18.0}]}
    in_print = kept(PRINTED)
    for number, data in enumerate(names):
        n_kept = 36 if data == "CNS" else in_print.get(data, 58)
        made |= {f"counts/{data}/{reading}": counts_of(data, n_kept) for reading in READINGS}
        made[f"seconds/{data}/all"] = {
            "MRMR": 0.3, "MRMR+": 0.1, "FCFS": 0.3, "CFS+": 0.1, "MRMR of one": 0.05, "FCFS of one": 0.05,
            "rounds": [0.01] * (n_kept - 1),
        }  # fmt: skip
        made[f"naive/{data}/all"] = {
            "seconds": 50.0 + 4 * number, "rounds": np.linspace(0.01, 3, n_kept - 1).tolist(),
            "n_features": N_FEATURES[data], "n_kept": n_kept, "is_same": True,
            "values": naive_values(N_FEATURES[data], n_kept + 1),
        }  # fmt: skip
    if "CNS" in names:
        made["orders/CNS/all"] = {"MRMR": [9000, 11000], "CFS": [80000, 90000]}
    if "BRE" in names:
        made |= {"left-out/BRE/0": left_out_of(48), "left-out/BRE/1": left_out_of(48)}
    return made


@pytest.fixture(scope="module")
def judged():
    return PLAN.judge(made_up(), SHELF, False)


@pytest.fixture(scope="module")
def cells(judged):
    return {cell.key: cell for cell in beside(PLAN, SHELF, judged, PRINTED)}


def claim(judged, words):
    found = [one for one in judged.claims if words in one.text]
    assert len(found) == 1
    return found[0]


def test_all_printed_numbers_of_the_three_tables_are_there():
    assert Counter(key.table for key in PRINTED) == {"4.2": 40, "4.4": 240, "4.5": 138}


def test_what_cannot_be_right_is_the_column_that_repeats_another_and_the_count_of_pems():
    wrong = [(key.table, key.data, key.method) for key, one in PRINTED.items() if one.impossible]
    assert wrong == [("4.2", "BRE", "FCFS"), ("4.2", "BRE", "CFS"), ("4.4", "PEM", "MRMR")]


@pytest.mark.parametrize(("method", "left"), [("FCFS", 15.32), ("CFS", 4732.1)])
def test_the_printed_averages_leave_other_seconds_to_the_repeated_column(method, left):
    average = PRINTED[Key("4.2", "AVE", method, "", "seconds")].value
    with_seconds = printed_seconds(PRINTED, "4.2", "CFS")
    others = sum(printed_seconds(PRINTED, "4.2", method)[data] for data in with_seconds)
    assert len(with_seconds) == 14
    assert 15 * average - others == pytest.approx(left, rel=0.01)
    assert left_by_averages(PRINTED) == pytest.approx(308.9, abs=0.1)


def test_printed_counts_of_mrmr_are_the_closed_form_on_all_sets_but_one():
    counts = printed_counts(PRINTED, "MRMR")
    wrong = [d for d, c in counts.items() if in_thousands(mrmr_pairs(sizes()["4.3", d].n_features), c) != c]
    assert len(counts) == 30
    assert wrong == ["PEM"]


def test_printed_counts_of_cfs_are_the_closed_form_of_a_whole_number_of_features_on_all_sets():
    found = kept(PRINTED)
    assert len(found) == 30
    assert [found[d] for d in ("LEU", "CNS", "TUM", "DEX", "ARC", "BRE", "OHS", "DOR", "PEM")] == [
        55, 58, 58, 88, 75, 98, 1497, 212, 2,
    ]  # fmt: skip


@pytest.mark.parametrize("method", ["MRMR", "CFS"])
def test_printed_counts_of_the_savings_are_between_their_bounds(method):
    # The winner of a round needs all terms of the round; a count that was cut off may be up to a unit larger.
    for data, saved in printed_counts(PRINTED, method + "+").items():
        n_kept = kept(PRINTED)[data] if method == "CFS" else 49
        assert n_kept * (n_kept + 1) // 2 < saved * 1000 + 10
        if not PRINTED[Key("4.4", data, method, "", COUNT)].impossible:
            assert saved < printed_counts(PRINTED, method)[data]


def test_printed_ratios_and_shares_are_those_of_the_audit():
    times = {
        method: np.mean(
            list(
                ratios(printed_seconds(PRINTED, "4.4", method), printed_seconds(PRINTED, "4.4", method + "+")).values()
            )
        )
        for method in ("MRMR", "CFS")
    }
    assert times == pytest.approx({"MRMR": 14.83, "CFS": 4.08}, abs=0.005)
    avoided = printed_avoided(PRINTED, "CFS")
    assert np.mean(list(avoided.values())) == pytest.approx(0.7304, abs=5e-5)
    assert min(avoided, key=avoided.__getitem__) == "ECM"


def test_mrmr_is_printed_best_or_equal_on_twelve_sets():
    areas = {key.data: {} for key in PRINTED if key.quantity == "AUC"}
    for key, one in PRINTED.items():
        if key.quantity == "AUC":
            areas[key.data][key.method] = one.value
    assert (sum(map(is_best, areas.values())), len(areas)) == (12, 20)


def test_closed_forms_are_the_sums_they_stand_for():
    assert mrmr_pairs(100, 10) == sum(100 - k for k in range(1, 10))
    assert cfs_pairs(100, 10) == sum(100 - k for k in range(1, 11))
    assert naive_values(100, 10) == sum((101 - k) * (k + k * (k - 1) // 2) for k in range(1, 11))
    assert mrmr_values(100, 10) == 5170


@pytest.mark.parametrize(("count", "like", "found"), [(348096, 348.0, 348.0), (1225, 1.22, 1.22), (37255, 37.2, 37.2)])
def test_a_count_is_cut_off_where_the_printed_one_is(count, like, found):
    assert in_thousands(count, like) == found


def test_a_count_of_no_whole_number_of_features_is_told():
    assert kept_in_print(7129, 390.0) == 55
    assert kept_in_print(7129, 400.0) is None


def test_our_tables_have_the_printed_numbers_of_features():
    printed = {data: sizes()["4.1", data].n_features for data in AT_HAND}
    assert printed == N_FEATURES


def test_every_printed_set_has_a_name_and_those_not_at_hand_their_printed_shape():
    assert {key.data for key in PRINTED} - {"AVE"} == set(OF_THE_THESIS)
    for data in FILES:
        size = sizes().get(("4.3", data)) or sizes()["4.1", data]
        assert PLAN.sets[data].shape == (size.n_samples, size.n_features)


def test_a_set_that_is_not_there_is_told_by_the_file_that_it_would_have():
    judged = PLAN.judge({}, Shelf(PLAN.sets, {}), False)
    cells = {cell.key: cell for cell in beside(PLAN, Shelf(PLAN.sets, {}), judged, PRINTED)}
    reasons = {cell.ours.not_run for key, cell in cells.items() if key.data == "WAP" and cell.verdict == NOT_RUN}
    assert reasons == {"no wap.npz in the folder of data sets, and set 398 of OpenML was not fetched"}
    assert not any("not to be had" in cell.ours.not_run for cell in cells.values())
    assert {cell.verdict for cell in cells.values()} == {NOT_RUN, IMPOSSIBLE}


def test_the_count_of_mrmr_on_a_set_that_is_not_there_is_arithmetic_and_counted_apart(cells):
    cell = cells[Key("4.4", "OHS", "MRMR", "", COUNT)]
    assert (cell.ours.value, cell.verdict) == (560.0, AGREES)
    assert cell.is_apart
    assert "closed form" in cell.ours.remark
    assert not cells[Key("4.4", "LEU", "MRMR", "", COUNT)].is_apart
    assert cells[Key("4.4", "PEM", "MRMR", "", COUNT)].verdict == IMPOSSIBLE


def test_counts_of_cfs_are_apart_since_levels_were_chosen_for_them(cells):
    apart = {key.method for key, cell in cells.items() if key.quantity == COUNT and key.data == "DEX" and cell.is_apart}
    assert apart == {"CFS", "CFS+"}


def test_seconds_on_other_features_of_breast_cancer_are_apart_but_areas_only_say_so(cells):
    assert cells[Key("4.5", "BRE", "MRMR", "", "seconds")].is_apart
    assert not cells[Key("4.4", "BRE", "MRMR", "", "seconds")].is_apart
    area_cell = cells[Key("4.5", "BRE", "MRMR", "RBF C-SVM", "AUC")]
    assert not area_cell.is_apart
    assert "13,547" in area_cell.ours.remark


def test_a_difference_that_the_clock_cannot_tell_is_a_dash_and_no_ratio():
    made = made_up(["LEU"])
    made["seconds/LEU/all"]["MRMR+"] = 0.04
    assert by_set(gathered(made).times_faster_in_pairs("MRMR", "MRMR+")) == "LEU –"


def test_counts_of_mrmr_and_of_cfs_agree_only_when_they_are_the_printed_ones(cells):
    at = {data: cells[Key("4.4", data, "CFS", "", COUNT)].verdict for data in ("LEU", "CNS", "DEX", "ARC", "BRE")}
    assert at == {"LEU": AGREES, "CNS": DIFFERS, "DEX": AGREES, "ARC": AGREES, "BRE": AGREES}
    assert all(cells[Key("4.4", data, "MRMR", "", COUNT)].verdict == AGREES for data in at)


def test_counts_of_the_savings_differ_beyond_a_tenth(cells):
    # 0.05 of 390 thousand is 19.5, not 106.
    assert cells[Key("4.4", "LEU", "CFS+", "", COUNT)].verdict == DIFFERS
    # 0.05 of 1,756 thousand is 87.8, not 112, and of 747 it is 37.3, not 236.
    assert cells[Key("4.4", "DEX", "CFS+", "", COUNT)].verdict == DIFFERS


def test_seconds_agree_within_a_factor_of_two_and_are_neither_better_nor_worse(cells):
    verdicts = {
        method: cells[Key("4.4", "CNS", method, "", "seconds")].verdict for method in ("MRMR", "MRMR+", "CFS", "CFS+")
    }
    assert set(verdicts.values()) == {DIFFERS}
    assert cells[Key("4.4", "LEU", "MRMR+", "", "seconds")].ours.interval == (0.05, 0.2)


def test_areas_are_judged_without_the_leak_and_say_what_it_is_worth(cells):
    cell = cells[Key("4.5", "BRE", "MRMR", "RBF C-SVM", "AUC")]
    assert cell.verdict == WORSE
    assert "0.875 if the sample asked for takes part" in cell.ours.remark


def test_sets_that_only_look_like_ours_are_not_run_and_say_why(cells):
    for key, cell in cells.items():
        if key.data in NOT_THE_SAME and not cell.is_apart:
            assert (cell.verdict, cell.ours.not_run) == (NOT_RUN, NOT_THE_SAME[key.data])


def test_arcene_has_other_samples_in_table_4_1(cells):
    assert cells[Key("4.2", "ARC", "FCFS", "", "seconds")].verdict == NOT_RUN
    assert cells[Key("4.4", "ARC", "CFS", "", "seconds")].verdict == DIFFERS


def test_the_repeated_column_stays_impossible_whatever_we_find(cells):
    assert cells[Key("4.2", "BRE", "CFS", "", "seconds")].verdict == IMPOSSIBLE


def test_claims_follow_the_results(judged):
    assert claim(judged, "FCFS gives what CFS gives").verdict == HOLDS
    assert claim(judged, "values for k rounds").verdict == HOLDS
    assert claim(judged, "around 180 times").verdict == HOLDS
    assert claim(judged, "on BRE and GCM FCFS").verdict == IN_PART
    assert "GCM: not at hand" in claim(judged, "on BRE and GCM FCFS").evidence
    assert claim(judged, "on BRE and GCM FCFS").printed.startswith("BRE 309, GCM 347")
    assert claim(judged, "on DA3 and ECM FCFS").verdict == NOT_TESTED
    assert claim(judged, "had not ended after 72 hours").verdict == NOT_TESTED
    assert claim(judged, "on LA2, LA1, OHS, NEW").verdict == NOT_TESTED
    assert claim(judged, "CFS+ is 3 times as fast as its original").verdict == HOLDS
    assert claim(judged, "MRMR+ is 14 times as fast as its original").verdict == FAILS
    assert claim(judged, "around 30 to 40 times").verdict == FAILS
    assert claim(judged, "(q + 1) pairs").printed == "Table 4.4 has (n − q/2)(q − 1) on 29 of 30 sets"
    assert claim(judged, "(q + 1) pairs").verdict == FAILS
    assert claim(judged, "more than 10 times").verdict == FAILS
    assert "without levels and relevances, which both need: LEU 5" in claim(judged, "more than 10 times").evidence
    assert claim(judged, "around 2 to 5 times").verdict == HOLDS
    assert claim(judged, "a few percent").verdict == HOLDS
    assert claim(judged, "more than 40% of").verdict == HOLDS
    assert claim(judged, "share nothing").verdict == HOLDS
    assert claim(judged, "less than 3 minutes").verdict == NOT_TESTED


def test_areas_that_only_a_choice_from_all_samples_comes_near_to_are_told(judged):
    found = claim(judged, "chosen without the sample")
    assert found.verdict == FAILS
    assert "0 of 3 if chosen without the sample" in found.evidence


def test_without_results_no_claim_is_tested_and_nothing_is_shown_but_print():
    judged = PLAN.judge({}, Shelf(PLAN.sets, {}), False)
    assert {one.verdict for one in judged.claims} == {NOT_TESTED}
    assert [section.title for section in judged.sections] == ["What the print says by itself"]


def test_one_table_is_enough_for_a_judgement():
    judged = PLAN.judge(made_up(["LEU"]), SHELF, True)
    assert claim(judged, "the more features").verdict == NOT_TESTED
    assert claim(judged, "best AUC").verdict == NOT_TESTED
    assert {key.data for key, one in judged.ours.items() if not one.not_run and not one.apart} == {"LEU"}


def test_every_table_of_our_own_is_as_wide_as_its_header(judged):
    assert len(judged.sections) == 9
    for section in judged.sections:
        assert {len(row) for row in section.rows} <= {len(section.header)}


def test_a_claim_about_a_number_holds_in_part_in_its_direction():
    assert [around(value, 16) for value in (11.0, 23.0, 25.0, 4.1, 3.9, None)] == [
        HOLDS, HOLDS, IN_PART, IN_PART, FAILS, NOT_TESTED,
    ]  # fmt: skip
    assert [between(value, 20, 30) for value in (14.0, 45.0, 13.0, 46.0, 4.4)] == [
        HOLDS, HOLDS, IN_PART, IN_PART, FAILS,
    ]  # fmt: skip
    assert [at_least(value, 16) for value in (16.1, 15.9, 4.1, 3.9)] == [HOLDS, IN_PART, IN_PART, FAILS]


def test_gains_need_several_tables_to_be_significant():
    assert p_of_gains([0.1] * 6) < 0.05 < p_of_gains([0.1] * 3)
    assert p_of_gains([0.0, 0.0]) == 1.0


def test_growth_compares_the_last_rounds_with_the_first():
    assert growth([1.0, 1.0, 2.0, 2.0, 4.0, 4.0]) == 4.0


def test_shares_of_left_out_samples_are_judged_together():
    one = gathered({"left-out/BRE/0": left_out_of(48), "left-out/BRE/1": left_out_of(48, good=1.0)}).left_out["BRE"]
    assert one.n_samples == 96
    assert one.areas["MRMR"] == pytest.approx(area(*_joined(left_out_of(48), left_out_of(48, good=1.0))))


def _joined(*shares):
    return (
        [label for share in shares for label in share["classes"]],
        [score for share in shares for score in share["methods"]["MRMR"]["scores"]],
    )


def test_parts_cover_every_table_that_is_there_once():
    keys = [part.key for part in PLAN.parts(SHELF, False)]
    assert len(keys) == len(set(keys))
    assert {key.split("/")[1] for key in keys if key.startswith("counts/")} == set(OF_THE_THESIS)
    naive = {key.split("/")[1] for key in keys if key.startswith("naive/")}
    # Nothing is run for days.
    assert naive == {key.data for key in PRINTED if (key.table, key.method) == ("4.2", "CFS")} - {"AVE"}
    assert Counter(key.split("/")[1] for key in keys if key.startswith("left-out/")) == LEFT_OUT


def test_a_quick_run_has_every_kind_of_part():
    kinds = [{part.key.split("/")[0] for part in PLAN.parts(SHELF, quick)} for quick in (True, False)]
    assert kinds[0] == kinds[1]
