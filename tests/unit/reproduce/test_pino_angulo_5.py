"""Pino Angulo 2019, chapter 5: printed numbers, verdicts, claims and tables, on results that were not searched for."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

import numpy as np
import pytest

from holdfast.reproduce.cells import AGREES, NOT_RUN, WORSE, Key, read_printed
from holdfast.reproduce.pino_angulo._cells5 import (
    LABELS,
    OTHER_TABLES,
    STAND_IN,
    honest,
    left_out_areas,
    ours_beside,
    protocol_claim,
)
from holdfast.reproduce.pino_angulo._claims5 import SAVINGS, SPENT, claims, printed_row
from holdfast.reproduce.pino_angulo._filter_claims5 import filter_claims
from holdfast.reproduce.pino_angulo._searched import BY_ONE, Search, accuracy_and_area, counted, gathered, over_sets
from holdfast.reproduce.pino_angulo._sections5 import sections
from holdfast.reproduce.pino_angulo._sets5 import ABLATION, LARGE, OWN
from holdfast.reproduce.pino_angulo._two_stage import OUTER, VARIANTS, WITHOUT_GA
from holdfast.reproduce.pino_angulo.chapter5 import PLAN, QUICK_SETS
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf

PRINTED = read_printed(PLAN.printed)
SHELF = Shelf(PLAN.sets, dict.fromkeys(PLAN.sets, "nowhere"))
N_SAMPLES = 100


def one_search(data, variant, seed):
    """GBC takes 1,000 evaluations and 10 s, each minor switch a quarter of them; GBC+ is a little better and larger."""
    is_less = variant in (*SAVINGS, "GBC+")
    spent = 250 if is_less else 1000
    is_plus = variant.startswith("GBC+")
    fitness = 0.95 if is_plus else 0.94
    last = "forward" if variant == "greedy queen" or is_plus else "employed"
    queens = ((0, "start", 0.8, 2, 10, 11), (1, last, fitness, 3, 40, 41))
    features = tuple(range(12 if is_plus else 7))
    return Search(
        data, variant, seed, spent / 100, 500 if variant in ("MRMR+", "GBC+") else 1000, 50, 0.9, fitness, features,
        "patience" if is_less else "rounds", queens, ((10, 11), (spent if not is_less else 300, spent)),
    )  # fmt: skip


def judged_part(n_right, samples, size=7):
    answers = [[i, int(i < n_right), 0.5 if i % 2 else -0.5, i % 2] for i in samples]
    return {"size": size, "fitness": 0.95, "answers": answers}


def chosen_without(sample, n_right, size=7, seconds=2.0):
    """A choice without one sample; whoever answers rightly scores the right class higher."""
    label = sample % 2
    score = 1.0 if (sample < n_right) == bool(label) else -1.0
    scores = {by: [-score, score] for by in ("SVM", "tree")}
    more = {"seconds": seconds, "class": label, "scores": scores}
    return {m: judged_part(n_right, [sample], size) | (more if m.startswith("GBC") else {}) for m in WITHOUT_GA}


def made_up(names=("Colon", "BRE"), n_seeds=3):
    """Results of all parts for some tables."""
    made = {}
    for data in names:
        for seed in range(n_seeds):
            bees = {
                start: {"fitness": [0.8 + gain, 0.7 + gain], "sizes": [2, 3], "requests": 20}
                for start, gain in (("uniform", 0.0), ("ranked", 0.05))
            }
            made[f"ablation/{data}/{seed}"] = {
                "shape": [N_SAMPLES, 2000, 2],
                "searches": {variant: asdict(one_search(data, variant, seed)) for variant in VARIANTS},
                "bees": bees,
                "leaky": {variant: [0.9, 0.92] for variant in ("GBC", "GBC+")} if data == "BRE" else {},
            }
        made[f"otherwise/{data}/0"] = {"400 cycles": asdict(one_search(data, "look-up", 0))}
        times = {"n_ranked": 500, "is_same_set": True}
        for name, seconds in (("mrmr", 8.0), ("mrmr+", 1.0)):
            times |= {f"{name} {n}": {"seconds": [seconds, seconds + 0.1], "pairs": 10 * seconds} for n in (50, 500)}
            times[f"genetic {name}"] = {"seconds": [seconds + 1, seconds + 1.1]}
        made[f"filters/{data}/0"] = times
        made[f"outer/{data}/0"] = [
            {method: judged_part(70, range(fold, N_SAMPLES, 5)) for method in OUTER} for fold in range(5)
        ]
    if "BRE" in names:
        for at in (0, 1):
            made[f"without-one/BRE/{at}"] = [chosen_without(i, 70) for i in range(at, N_SAMPLES, 2)]
        made["by-one/BRE/0"] = asdict(one_search("BRE", "GBC+", 0))
    return made


def results(**changes):
    return gathered(made_up(**changes), ABLATION)


def changed(found, data, variant, seed, **more):
    one = replace(found.searches[data, variant, seed], **more)
    return replace(found, searches={**found.searches, (data, variant, seed): one})


def verdict_of(found, text):
    """The verdict of the one claim that starts so."""
    said = [*claims(found, PRINTED), *filter_claims(found, PRINTED)]
    (claim,) = [one for one in said if one.text.startswith(text)]
    return claim.verdict


def cells_of(made):
    return {cell.key: cell for cell in beside(PLAN, SHELF, PLAN.judge(made, SHELF, False), PRINTED)}


def test_tables_have_as_many_numbers_as_in_print():
    assert Counter(key.table for key in PRINTED) == {"4.6": 156, "5.1": 46, "5.2": 31, "5.3": 31, "5.4": 31}


@pytest.mark.parametrize("method", SAVINGS)
@pytest.mark.parametrize("quantity", SPENT)
def test_printed_averages_are_those_of_the_printed_rows(method, quantity):
    mean = np.mean(list(printed_row(PRINTED, "5.1", method, quantity).values()))
    assert mean == pytest.approx(PRINTED[Key("5.1", "AVE", method, "", quantity)].value, abs=0.51)


@pytest.mark.parametrize(("method", "of_means"), [("GBC", 3.23), ("MRMR-GA", 2.89)])
def test_printed_times_of_table_4_6_have_the_mean_ratios_of_the_specification(method, of_means):
    before, after = (printed_row(PRINTED, "4.6", name, "seconds") for name in (method, f"{method} with MRMR+"))
    assert np.mean([before[data] / after[data] for data in before]) == pytest.approx(of_means, abs=0.005)


def test_printed_times_of_table_5_3_have_the_ratios_of_the_specification():
    before, after = (printed_row(PRINTED, "5.3", method, "seconds") for method in ("GBC", "GBC+"))
    ratios = [before[data] / after[data] for data in before]
    found = [sum(before.values()) / sum(after[data] for data in before), np.mean(ratios), np.median(ratios)]
    assert found == pytest.approx([4.17, 9.72, 3.34], abs=0.005)


@pytest.mark.parametrize(
    ("table", "quantity", "is_as_said"), [("5.2", "accuracy", np.greater_equal), ("5.4", "genes", np.greater)]
)
def test_printed_gbc_plus_is_never_less_accurate_and_always_larger(table, quantity, is_as_said):
    plain, plus = (printed_row(PRINTED, table, method, quantity) for method in ("GBC", "GBC+"))
    assert len(plain) == 15
    assert all(is_as_said(plus[data], value) for data, value in plain.items())


def test_what_saves_less_than_a_part_of_it_is_marked():
    for key, one in PRINTED.items():
        if key.table == "5.1" and key.method == "minor":
            alone = PRINTED[key._replace(method="look-up")].value
            assert (one.remark == "less than one alone") == (one.value < alone)


def test_counts_and_sign_test():
    assert counted([1.0, 0.5, 0.5, 0.9], [0.5, 0.5, 0.7, 0.1])[:3] == (2, 1, 1)
    assert counted([1.0] * 6, [0.0] * 6)[3] == pytest.approx(2 / 2**6)
    assert counted([0.3], [0.3]) == (0, 1, 0, 1.0)


def test_differences_that_are_none_have_a_p_of_1():
    assert over_sets([0.0, 1e-12]) == "mean +0.0000 over 2 tables, p = 1"


def test_an_area_needs_two_classes_and_a_score():
    given = [[0, 1, -1.0, 0], [1, 1, 1.0, 1], [2, 0, 0.5, 0]]
    assert accuracy_and_area(given) == (pytest.approx(2 / 3), 1.0)
    assert np.isnan(accuracy_and_area(given[:1])[1])
    assert np.isnan(accuracy_and_area([[0, 1, np.nan, 0], [1, 1, np.nan, 1]])[1])


def test_parts_have_keys_of_their_own_and_cover_every_kind_also_in_a_quick_run():
    kinds = []
    for quick in (False, True):
        keys = [part.key for part in PLAN.parts(SHELF, quick)]
        assert len(set(keys)) == len(keys)
        kinds.append({key.split("/")[0] for key in keys})
    assert kinds[0] == kinds[1]
    assert {part.key.split("/")[1] for part in PLAN.parts(SHELF, True)} == set(QUICK_SETS)


def test_a_table_with_a_class_of_two_has_no_outer_folds():
    outer = {part.key.split("/")[1] for part in PLAN.parts(SHELF, False) if part.key.startswith("outer/")}
    assert outer == set(ABLATION) - {"Nine tumours"}


def test_table_5_2_is_judged_by_leave_one_out_and_not_by_the_fitness_of_the_search():
    cell = cells_of(made_up())[Key("5.2", "BRE", "GBC", "", "accuracy")]
    # The fitness of 0.94 is that of print; the areas of choices without the sample are not.
    assert (cell.ours.value, cell.verdict) == (pytest.approx(0.7), WORSE)
    assert cell.ours.honest is None
    assert "its accuracy 0.700; AUC of a tree that is not pruned 0.700" in cell.ours.remark
    assert "5.2" not in PLAN.leaks


def test_an_area_near_the_printed_accuracy_agrees():
    made = made_up()
    for at in (0, 1):
        made[f"without-one/BRE/{at}"] = [chosen_without(i, 95) for i in range(at, N_SAMPLES, 2)]
    assert cells_of(made)[Key("5.2", "BRE", "GBC", "", "accuracy")].verdict == AGREES


def test_an_area_agrees_within_two_standard_errors_of_a_share():
    made = made_up()
    for at in (0, 1):
        made[f"without-one/BRE/{at}"] = [chosen_without(i, 95) for i in range(at, N_SAMPLES, 2)]
    cell = cells_of(made)[Key("5.2", "BRE", "GBC", "", "accuracy")]
    share = (cell.ours.value + cell.printed.value) / 2
    assert cell.ours.within == pytest.approx(2 * np.sqrt(share * (1 - share) / N_SAMPLES), abs=0.006)


def test_genes_and_seconds_are_means_over_the_choices_without_a_sample():
    made = made_up()
    for at in (0, 1):
        made[f"without-one/BRE/{at}"] = [
            chosen_without(i, 70, size=10 + i % 3, seconds=30.0) for i in range(at, N_SAMPLES, 2)
        ]
    cells = cells_of(made)
    genes = cells[Key("5.4", "BRE", "GBC+", "", "genes")]
    assert genes.ours.value == pytest.approx(10.99)
    assert genes.ours.interval[1] == pytest.approx(10.99 + 0.5 + 2 * 0.8227 * np.sqrt(2 / 100), abs=0.01)
    assert cells[Key("5.3", "BRE", "GBC", "", "seconds")].ours.value == pytest.approx(30.0)


def test_areas_of_several_classes_are_weighted_and_one_class_has_none():
    found = results()
    assert left_out_areas(found, "BRE", "GBC") == {"SVM": pytest.approx(0.7), "tree": pytest.approx(0.7)}
    few = {**found.outer, ("BRE", BY_ONE): [one for one in found.outer["BRE", BY_ONE] if one["GBC"]["class"] == 0]}
    one_class = replace(found, outer=few)
    assert np.isnan(left_out_areas(one_class, "BRE", "GBC")["SVM"])
    assert ours_beside(one_class, PRINTED)[Key("5.2", "BRE", "GBC", "", "accuracy")].not_run


def test_every_set_of_the_thesis_has_a_name_and_those_absent_are_told_by_their_file():
    absent = Shelf(PLAN.sets, {})
    assert {key.data for key in PRINTED if key.table != "5.1"} <= set(PLAN.sets)
    cells = beside(PLAN, absent, PLAN.judge({}, absent, False), PRINTED)
    told = {cell.key.data: cell.ours.not_run for cell in cells}
    assert told["HEP"] == "no hepatitis_c.npz in the folder of data sets"
    assert told["OVA"] == "no ovarian_tumor.npz in the folder of data sets, and set 1086 of OpenML was not fetched"
    assert not any("not to be had" in words for words in told.values())


def test_sets_of_the_thesis_that_are_there_are_run_but_for_the_largest():
    keys = [part.key.split("/") for part in PLAN.parts(SHELF, False)]
    assert {data for kind, data, _ in keys if kind == "without-one"} == set(OWN)
    assert not {data for _, data, _ in keys} & set(LARGE)


def test_seconds_are_told_with_the_machine_in_mind():
    cells = [cell for key, cell in cells_of(made_up()).items() if "seconds" in key.quantity and key.data == "BRE"]
    assert len(cells) == 10
    assert {cell.ours.remark for cell in cells} == {"another machine and program"}
    # Features with a gap are left out, so they are of another table.
    assert all(cell.is_apart and "13,547" in cell.ours.apart for cell in cells)
    assert all(cell.ours.interval == (cell.ours.value / 2, 2 * cell.ours.value) for cell in cells)


def test_seconds_of_table_4_6_are_those_of_filter_and_whole():
    ours = ours_beside(results(), PRINTED)
    found = {
        (method, quantity): ours[Key("4.6", "BRE", method, "", quantity)].value
        for method in ("GBC", "GBC with MRMR+", "MRMR-GA with MRMR+")
        for quantity in ("seconds of the filter", "seconds")
    }
    assert found == {
        ("GBC", "seconds of the filter"): pytest.approx(8.05),
        ("GBC", "seconds"): pytest.approx(10.0),
        ("GBC with MRMR+", "seconds of the filter"): pytest.approx(1.05),
        ("GBC with MRMR+", "seconds"): pytest.approx(10.0),
        ("MRMR-GA with MRMR+", "seconds of the filter"): pytest.approx(1.05),
        ("MRMR-GA with MRMR+", "seconds"): pytest.approx(2.05),
    }


def test_averages_over_other_tables_are_not_compared_with_those_of_table_5_1():
    cells = {key: cell for key, cell in cells_of(made_up()).items() if key.table == "5.1"}
    assert {cell.verdict for cell in cells.values()} == {NOT_RUN}
    assert {cell.ours.not_run for key, cell in cells.items() if key.data != "AVE"} == {LABELS}
    assert {cell.ours.not_run for key, cell in cells.items() if key.data == "AVE"} == {OTHER_TABLES}


def test_a_part_of_a_table_is_not_compared_with_the_whole():
    cells = [cell for key, cell in cells_of(made_up()).items() if key.data == "STJ"]
    assert len(cells) == 14
    assert {(cell.verdict, cell.ours.not_run) for cell in cells} == {(NOT_RUN, STAND_IN)}


def test_without_breast_its_cells_are_not_run():
    cells = cells_of(made_up(names=("Colon", "SRBCT")))
    assert {cell.verdict for key, cell in cells.items() if key.data == "BRE"} == {NOT_RUN}


def test_samples_left_out_are_put_together_from_all_parts():
    found = results()
    assert len(found.outer["BRE", BY_ONE]) == N_SAMPLES
    assert honest(found, "GBC")[0] == pytest.approx(0.7)


def test_outer_accuracy_is_over_all_samples_of_a_partition():
    accuracy, fitness, size = results().outer_mean("Colon", "GBC")
    assert (accuracy, fitness, size) == pytest.approx((0.7, 0.95, 7))


def test_savings_compare_searches_of_the_same_seeds():
    found = results()
    assert found.saved("Colon", "look-up", "n_evaluations") == pytest.approx(75)
    del found.searches["Colon", "look-up", 2]
    other = changed(found, "Colon", "GBC", 2, cycles=((10, 11), (9, 9)))
    assert other.saved("Colon", "look-up", "n_evaluations") == pytest.approx(75)


def test_gains_are_told_by_the_phase_in_which_they_came():
    number, gain, n_runs = results().phases("greedy queen")
    assert n_runs == 6
    assert number == {"forward": 6}
    assert gain == {"forward": pytest.approx(6 * 0.14)}


def test_a_claim_of_sameness_holds_only_if_all_searches_agree():
    found, text = results(), "the look-up table changes nothing"
    assert verdict_of(found, text) == HOLDS
    one = changed(found, "BRE", "look-up", 0, fitness=0.1)
    assert verdict_of(one, text) == IN_PART
    assert verdict_of(changed(one, "Colon", "look-up", 0, fitness=0.1), text) == FAILS


def test_a_saving_holds_near_the_print_in_part_below_it_and_not_without_any():
    found, text = results(), "look-up table saves"
    near = found
    for key in [key for key in found.searches if key[1] == "look-up"]:
        near = changed(near, *key, seconds=4.5)
    assert verdict_of(near, text) == HOLDS
    assert verdict_of(found, text) == IN_PART
    slow = found
    for key in [key for key in found.searches if key[1] == "look-up"]:
        slow = changed(slow, *key, seconds=11.0)
    assert verdict_of(slow, text) == FAILS


def test_gbc_plus_must_be_as_accurate_on_every_table():
    found, text = results(), "GBC+ is at least as accurate as GBC on every table, by the fitness"
    assert verdict_of(found, text) == HOLDS
    lower = found
    for seed in range(3):
        lower = changed(lower, "BRE", "GBC+", seed, fitness=0.935)
    assert verdict_of(lower, text) == IN_PART
    for seed in range(3):
        lower = changed(lower, "Colon", "GBC+", seed, fitness=0.1)
    assert verdict_of(lower, text) == FAILS


def test_claims_that_need_outer_folds_are_not_tested_without_them():
    found = replace(results(), outer={})
    assert verdict_of(found, "GBC+ is at least as accurate as GBC on every table, on samples") == NOT_TESTED
    assert verdict_of(found, "GBC+ chooses more genes than GBC on every table, chosen without") == NOT_TESTED


def test_gbc_is_looked_at_after_as_many_evaluations_as_gbc_plus_took():
    found = changed(
        results(), "Colon", "GBC", 0, queens=((0, "start", 0.8, 2, 10, 11), (9, "scout", 0.99, 5, 270, 300))
    )
    assert found.at_stop("Colon")[0].tolist() == [0.95, 0.8, 2]
    assert found.at_stop("Colon", requests=True)[0].tolist() == [0.95, 0.99, 5]


def test_a_search_that_ends_before_gbc_has_a_queen_is_not_compared_with_it():
    found, text = results(), "GBC+ is ahead of GBC when it stops"
    for key in [key for key in found.searches if key[1] == "GBC+"]:
        found = changed(found, *key, cycles=((9, 9),))
    assert len(found.at_stop("Colon")) == 0
    assert verdict_of(found, text) == NOT_TESTED
    some = changed(found, "BRE", "GBC+", 0, cycles=((30, 30),))
    assert len(some.at_stop("BRE")) == 1
    (claim,) = [one for one in claims(some, PRINTED) if one.text.startswith(text)]
    assert "5 left out" in claim.evidence
    assert "nan" not in str(sections(some, PRINTED))


def test_the_filter_must_have_half_of_the_time_of_both_searches():
    found, text = results(), "on most sets MRMR takes more than 50%"
    assert verdict_of(found, text) == HOLDS
    quick = {**found.filters["Colon"], "mrmr 500": {"seconds": [0.1], "pairs": 1}}
    assert verdict_of(replace(found, filters={"Colon": quick, "BRE": quick}), text) == IN_PART
    quick |= {"genetic mrmr": {"seconds": [50.0, 50.0]}}
    assert verdict_of(replace(found, filters={"Colon": quick, "BRE": quick}), text) == FAILS


def test_the_filter_has_nearly_half_of_the_time_with_fewer_genes_and_more_with_more():
    found, text = results(), "MRMR takes nearly 50%"
    assert verdict_of(found, text) == IN_PART
    found.shapes["Colon"][1] = 100
    half = {**found.filters["Colon"], "mrmr 500": {"seconds": [5.0], "pairs": 1}}
    assert verdict_of(replace(found, filters={**found.filters, "Colon": half}), text) == HOLDS
    assert verdict_of(results(names=("Colon",)), text) == NOT_TESTED


def test_what_is_said_of_the_largest_sets_is_listed_but_not_tested():
    said = [one for one in filter_claims(results(), PRINTED) if "DOR" in one.text]
    assert [one.verdict for one in said] == [NOT_TESTED] * 2
    assert said[0].printed.startswith("DOR 11.2, PEM 3.5")


@pytest.mark.parametrize(("seconds", "verdict"), [(2.5, HOLDS), (1.2, IN_PART), (4.5, IN_PART), (8.0, FAILS)])
def test_about_four_times_as_fast_has_two_sides(seconds, verdict):
    found = results()
    for key in [key for key in found.searches if key[1] == "GBC+"]:
        found = changed(found, *key, seconds=seconds)
    assert verdict_of(found, "GBC+ is around 4 times as fast") == verdict


def test_a_small_gain_is_not_a_part_of_a_large_one():
    found, text = results(), "on average GBC is about 3 times as fast with MRMR+"
    assert verdict_of(found, text) == HOLDS
    for slow, verdict in ((5.5, IN_PART), (4.0, FAILS)):
        times = {**found.filters["Colon"], "mrmr 500": {"seconds": [slow], "pairs": 1}}
        assert verdict_of(replace(found, filters={"Colon": times, "BRE": times}), text) == verdict


def test_another_result_of_the_genetic_search_with_mrmr_plus_refutes_the_claim():
    found, text = results(), "MRMR-GA is around 4 times as fast"
    assert verdict_of(found, text) == HOLDS
    other = {**found.filters["Colon"], "is_same_set": False}
    assert verdict_of(replace(found, filters={**found.filters, "Colon": other}), text) == IN_PART


def test_what_is_said_of_the_draws_by_rank_is_arithmetic():
    assert verdict_of(results(), "with each further bee") == IN_PART
    assert verdict_of(results(), "the second half of the bees") == FAILS


def test_the_protocol_of_the_text_is_refuted_by_honest_figures_far_below_the_print():
    (claim,) = protocol_claim(results(), PRINTED)
    assert claim.verdict == FAILS
    assert "lets one guess, but not know" in claim.evidence
    made = made_up()
    for at in (0, 1):
        made[f"without-one/BRE/{at}"] = [chosen_without(i, 95) for i in range(at, N_SAMPLES, 2)]
    (claim,) = protocol_claim(gathered(made, ABLATION), PRINTED)
    assert claim.verdict == HOLDS


def test_every_table_that_was_run_is_shown():
    found = results(names=("Colon", "SRBCT", "BRE"))
    shown = sections(found, PRINTED)
    assert len({one.title for one in shown}) == len(shown)
    for one in shown:
        assert all(len(row) == len(one.header) for row in one.rows)
    by_table = next(one for one in shown if one.title == "Each switch alone, by table")
    assert [row[0] for row in by_table.rows] == ["Colon", "SRBCT", "BRE"]


def test_a_stand_in_has_a_table_of_its_own_and_no_part_in_the_claims():
    made = made_up(names=("Colon",))
    made["aside/St Jude/0"] = {
        "shape": [248, 2526, 6],
        "searches": {variant: asdict(one_search("St Jude", variant, 0)) for variant in ("GBC", "GBC+")},
    }
    for fold in range(5):
        part = {m: judged_part(200, range(fold, 248, 5)) for m in WITHOUT_GA}
        made[f"outer-fold/St Jude/{fold}"] = [part]
    found = gathered(made, ABLATION)
    assert found.sets == found.judged_sets == ["Colon"]
    (section,) = [one for one in sections(found, PRINTED) if one.title == "A stand-in for STJ"]
    assert section.rows[0] == ["GBC", "accuracy", "five folds, choice inside", "0.76", f"{200 / 248:.3f}"]


def test_with_no_table_at_all_only_arithmetic_is_left():
    judged = PLAN.judge({}, SHELF, False)
    assert [claim.source for claim in judged.claims] == ["Eq. 5.7", "Eq. 5.8"]
    assert all(one.not_run for one in judged.ours.values())
    assert judged.sections == []
