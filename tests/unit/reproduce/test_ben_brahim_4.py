"""Chapter 4 of Ben Brahim 2015: the runs on a small table, and verdicts, claims and tables on what they give."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from holdfast.evaluate import McNemarResult
from holdfast.reproduce.ben_brahim import _prior_runs as runs
from holdfast.reproduce.ben_brahim._prior_claims import claims
from holdfast.reproduce.ben_brahim._prior_runs import (
    KNOWN,
    METHODS,
    N_DRAWS,
    SCALED,
    SIZES,
    UNSCALED,
    Job,
    Result,
    chosen,
    controls,
    drawn_prior,
    gathered,
    jobs_on,
)
from holdfast.reproduce.ben_brahim._prior_tables import printed_traces, share_at
from holdfast.reproduce.ben_brahim.chapter4 import (
    NO_PRIOR,
    PLAN,
    QUICK_SIZES,
    beside,
    p_value,
    stand_in,
    statistic,
)
from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, IMPOSSIBLE, NOT_RUN, WORSE, Cell, Key, read_printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.protocol import folds
from holdfast.reproduce.run import beside as with_print
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.table import Table
from holdfast.selectors.linear import SVMRFE

N_SAMPLES = {"Bladder": 31, "DLBCL": 77, "Lung": 181}
PRINTED = read_printed("ben-brahim-4")
KNOWN_GENES = ("g1", "g2", "g7", "g30", "g31", "g32")
SHELF = Shelf(PLAN.sets, {"DLBCL": "nowhere"})


def small_table():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [24, 20])
    X = rng.normal(size=(44, 60))
    X[:, :8] += 2.5 * y[:, np.newaxis]
    return Table("DLBCL", X, y, np.array([f"g{number}" for number in range(60)]))


@pytest.fixture(scope="module")
def made():
    """What the parts of a small table give, sizes 6 and 10, by key."""
    table = small_table()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "prepared", lambda shelf, name: table)
        patch.setitem(runs.PRIORS, "DLBCL", {gene: gene for gene in KNOWN_GENES})
        return {job.key: json.loads(json.dumps(runs.run(job, 10, None))) for job in jobs_on("DLBCL", (6, 10), 2)}


@pytest.fixture(scope="module")
def results(made):
    return gathered(made.values())


def test_every_method_is_run_in_both_readings_and_with_priors_at_random(results):
    kinds = {(one.method, one.reading, one.prior) for one in results}
    with_prior = {method for method, way in METHODS.items() if way.takes_prior}
    assert kinds == {
        *((method, SCALED, KNOWN) for method in METHODS),
        *((method, UNSCALED, KNOWN) for method in METHODS if "mRMR" not in method),
        *((method, SCALED, drawn_prior(draw)) for method in with_prior for draw in range(2)),
    }
    assert all(10 in one.subsets for one in results)


def test_every_fold_chooses_as_many_features_as_asked_for(results):
    for one in results:
        for size, subsets in one.subsets.items():
            assert [len(set(columns)) for columns in subsets] == [size] * 10


def test_without_a_list_of_known_features_plain_methods_are_run():
    assert {job.method for job in jobs_on("Bladder", SIZES)} == {"Relief", "mRMR", "SVM-RFE"}


def test_slow_methods_have_few_sizes_without_scaling_and_controls_have_all():
    asked = {(job.method, job.reading, job.prior): [] for job in jobs_on("Lung", SIZES)}
    for job in jobs_on("Lung", SIZES):
        asked[job.method, job.reading, job.prior] += job.sizes
    assert asked["SS-l2AROM", SCALED, KNOWN] == list(SIZES)
    assert asked["SS-l2AROM", UNSCALED, KNOWN] == [10, 50, 100]
    with_prior = {method for method, way in METHODS.items() if way.takes_prior}
    drawn = {(method, prior): sizes for (method, _, prior), sizes in asked.items() if prior != KNOWN}
    assert set(drawn) == {(method, drawn_prior(draw)) for method in with_prior for draw in range(N_DRAWS)}
    assert all(sizes == list(SIZES) for sizes in drawn.values())


def test_priors_at_random_are_drawn_anew_and_the_same_every_time():
    table = small_table()
    masks = [runs.at_random(table, 6, draw) for draw in (0, 1, 0)]
    assert [mask.sum() for mask in masks] == [6, 6, 6]
    assert masks[0].tolist() == masks[2].tolist() != masks[1].tolist()


def test_lists_that_are_nested_are_those_of_a_selection_of_every_size():
    table = small_table()
    prior = runs.known(table, KNOWN_GENES)
    for way in METHODS.values():
        if way.is_nested:
            options = {"scale": None} | ({"prior": prior} if way.takes_prior else {})
            longest = way.build(10, **options).fit(table.X, table.y).indices_
            for size in (1, 4, 6):
                assert way.build(size, **options).fit(table.X, table.y).indices_.tolist() == longest[:size].tolist()


def test_features_and_classes_are_those_of_plain_code_in_every_fold():
    table = small_table()
    job = Job("DLBCL", "SVM-RFE", SCALED, KNOWN, (5,))
    (result,) = gathered([runs.chosen_and_tried(table, job, {"scale": None}, 10)])
    for fold, columns in zip(folds(table, 0), result.subsets[5], strict=True):
        X, y = table.X[fold.train], table.y[fold.train]
        expected = SVMRFE(5, step=0.1, one_by_one_below=200, scale="standard").fit(X, y).indices_
        assert columns == expected.tolist()
        scaled = (table.X[:, columns] - X[:, columns].mean(axis=0)) / X[:, columns].std(axis=0)
        machine = SVC(kernel="linear").fit(scaled[fold.train], y)
        right = machine.predict(scaled[fold.test]) == table.y[fold.test]
        assert result.is_right[5][fold.test].tolist() == right.tolist()


def test_ten_times_the_relevance_puts_known_features_first_and_makes_lists_of_them_alone_perfectly_stable(results):
    mask = runs.known(small_table(), KNOWN_GENES)
    by = chosen(results, SCALED)
    assert by["DLBCL", "PK-mRMR"].stability(6) == 1.0
    assert all(mask[one].all() for one in by["DLBCL", "PK-mRMR"].subsets[6])
    assert all(mask[one].sum() == 6 for one in by["DLBCL", "PK-mRMR"].subsets[10])
    assert by["DLBCL", "PK-mRMR"].stability(6) > by["DLBCL", "mRMR"].stability(6)


def test_traces_are_those_of_the_longest_list_and_end_at_rest(results):
    for one in results:
        if one.method == "SS-l2AROM":
            assert len(one.traces) == 10
            assert all(trace[0] == 0 and trace[-1] == 1 for trace in one.traces)
        else:
            assert not one.traces


def test_a_gene_that_is_not_in_the_table_is_an_error():
    with pytest.raises(ValueError, match="DLBCL has no features g60"):
        runs.known(small_table(), ["g1", "g60"])


def test_every_printed_number_is_there():
    count = Counter((key.table, key.data) for key in read_printed("ben-brahim-4"))
    assert count == {
        ("4.2", "Bladder"): 120, ("4.3", "DLBCL"): 120, ("4.4", "Lung"): 120,
        ("4.5", "Bladder"): 39, ("4.6", "DLBCL"): 73, ("4.7", "Lung"): 67,
        ("4.8", "Bladder"): 60, ("4.8", "DLBCL"): 60, ("4.8", "Lung"): 60,
        ("4.9", "Bladder"): 6, ("4.9", "DLBCL"): 6, ("4.9", "Lung"): 6,
    }  # fmt: skip


def possible_statistics(n_wrong_a, n_wrong_b):
    """All values of McNemar's corrected statistic that two classifiers with so many errors can have."""
    found = set()
    for n_both in range(min(n_wrong_a, n_wrong_b) + 1):
        only_a, only_b = n_wrong_a - n_both, n_wrong_b - n_both
        found.add((abs(only_a - only_b) - 1) ** 2 / (only_a + only_b) if only_a + only_b else 0.0)
    return found


def test_printed_statistics_are_called_impossible_where_no_two_classifiers_can_have_them():
    printed = read_printed("ben-brahim-4")
    called = {key for key, one in printed.items() if key.quantity == "chi2" and one.impossible}
    impossible = set()
    for key, one in printed.items():
        if key.quantity == "chi2":
            table = "4.8" if key.table == "4.9" else key.table
            accuracy = [
                printed[Key(table, key.data, method, key.setting, "accuracy")].value
                for method in key.method.split(" vs ")
            ]
            n_wrong = [round((1 - share) * N_SAMPLES[key.data]) for share in accuracy]
            if not any(abs(one.value - value) < 6e-4 for value in possible_statistics(*n_wrong)):
                impossible.add(key)
    assert called == impossible
    assert len([key for key in impossible if key.table == "4.9"]) == 8
    assert len(impossible) == 17


def test_p_is_impossible_where_the_statistic_is_and_in_all_of_table_4_9():
    printed = read_printed("ben-brahim-4")
    for key, one in printed.items():
        if key.quantity == "p":
            of_statistic = printed[key._replace(quantity="chi2")].impossible
            assert bool(one.impossible) == (bool(of_statistic) or key.table == "4.9")


def test_printed_overlaps_are_those_of_sets_of_a_hundred():
    shares = {one.value for key, one in read_printed("ben-brahim-4").items() if key.quantity == "conv"}
    possible = np.array([common / (200 - common) for common in range(101)])
    assert all(np.abs(possible - share).min() < 6e-4 for share in shares)


def test_printed_traces_have_a_list_for_each_fold():
    printed = read_printed("ben-brahim-4")
    assert printed_traces(printed, "4.6")[0] == [0, 0.626, 0.77, 0.942, 0.923, 0.961, 1]
    assert [len(printed_traces(printed, table)) for table in ("4.5", "4.6", "4.7")] == [7, 10, 10]


def test_a_selection_at_rest_shares_everything():
    assert [share_at([0.0, 0.5, 1.0], turn) for turn in (1, 2, 3, 4)] == [0, 0.5, 1, 1]


def test_cells_compare_accuracy_with_noise_and_stability_with_a_tenth(results):
    printed = read_printed("ben-brahim-4")
    ours = dict(beside(results, SCALED, printed))
    by = chosen(results, SCALED)
    stability = ours[Key("4.8", "DLBCL", "SVM-RFE", "N = 10", "stability")]
    assert (stability.value, stability.within) == (by["DLBCL", "SVM-RFE"].stability(10), 0.1)
    accuracy = ours[Key("4.3", "DLBCL", "Relief", "N = 10", "accuracy")]
    share = (accuracy.value + 0.831) / 2
    assert accuracy.within == pytest.approx(2 * np.sqrt(share * (1 - share) / 44))


def test_the_figure_beside_ours_is_the_mean_of_priors_at_random(results):
    ours = dict(beside(results, SCALED, PRINTED))
    for table, method, quantity in (("4.3", "PK-RFE", "accuracy"), ("4.8", "SS-l2AROM", "stability")):
        drawn = [getattr(one, quantity)(10) for one in controls(results)["DLBCL", method]]
        assert len(drawn) == 2
        assert ours[Key(table, "DLBCL", method, "N = 10", quantity)].honest == pytest.approx(np.mean(drawn))
    assert ours[Key("4.3", "DLBCL", "SVM-RFE", "N = 10", "accuracy")].honest is None
    shares = [share_at(trace, 2) for one in controls(results)["DLBCL", "SS-l2AROM"] for trace in one.traces]
    assert ours[Key("4.6", "DLBCL", "SS-l2AROM", "fold 3, round 2", "conv")].honest == np.median(shares)


def test_tables_of_methods_with_a_prior_are_called_leaky_and_the_control_by_its_name():
    assert set(PLAN.leaks) == {"4.3", "4.4", "4.6", "4.7", "4.8", "4.9"}
    assert all("negative control" in PLAN.leaks[table] for table in set(PLAN.leaks) - {"4.9"})


def test_a_reading_gives_only_cells_of_its_own(results):
    methods = {key.method for key, _ in beside(results, UNSCALED, read_printed("ben-brahim-4"))}
    assert "PK-Relief vs Relief" in methods
    assert not any("mRMR" in method for method in methods)


def of_counts(n01, n10):
    return McNemarResult.from_counts(n01, n10, method="chi2")


@pytest.mark.parametrize("number", [p_value, statistic])
def test_tests_agree_if_both_or_neither_find_a_difference(number):
    quantity = "p" if number is p_value else "chi2"
    printed = read_printed("ben-brahim-4")
    significant = Key("4.3", "DLBCL", "PK-RFE vs SVM-RFE", "N = 10", quantity)
    other = significant._replace(setting="N = 20")
    for key, counts, verdict in (
        (significant, (0, 8), AGREES),
        (significant, (3, 4), DIFFERS),
        (other, (3, 4), AGREES),
        (other, (0, 8), DIFFERS),
    ):
        assert Cell(key, printed[key], number(of_counts(*counts))).verdict == verdict


def test_one_test_is_counted_once_and_says_if_neither_is_significant(results):
    ours = dict(beside(results, SCALED, PRINTED))
    p = Key("4.3", "DLBCL", "PK-Relief vs Relief", "N = 10", "p")
    assert not ours[p].apart
    assert "neither is significant" in ours[p].remark
    assert ours[p._replace(quantity="chi2")].apart == "the same test as its p"


def test_shares_that_are_fixed_beforehand_are_counted_apart(results):
    ours = dict(beside(results, SCALED, PRINTED))
    key = Key("4.6", "DLBCL", "SS-l2AROM", "fold 1, round 1", "conv")
    assert ours[key].apart == "0 by convention"
    assert ours[key._replace(setting="fold 1, round 7")].apart == "the rule that ends a fold wants 1"
    assert not ours[key._replace(setting="fold 3, round 7")].apart


def test_classifiers_that_never_differ_say_so():
    assert p_value(of_counts(0, 0)).remark == "every sample classified alike"
    assert p_value(of_counts(1, 0)).remark == ""


def test_cells_of_other_genes_or_priors_are_counted_apart():
    found = [
        result("SVM-RFE", SCALED, {10: 0}, data="Bladder"),
        *(result(method, SCALED, {10: 0}) for method in ("SVM-RFE", "PK-RFE")),
    ]
    ours = dict(beside(found, SCALED, PRINTED))
    apart = {(key.data, key.method): one.apart for key, one in ours.items() if key.quantity == "accuracy"}
    assert apart == {
        ("Bladder", "SVM-RFE"): "other genes than in print",
        ("Lung", "SVM-RFE"): "",
        ("Lung", "PK-RFE"): "other known genes than in print",
    }
    assert "other known genes" in ours[Key("4.4", "Lung", "PK-RFE vs SVM-RFE", "N = 10", "p")].apart


def test_cells_say_what_is_not_as_in_print():
    assert stand_in("Lung", "PK-RFE vs SVM-RFE") == "other known genes than in print"
    assert stand_in("Lung", "SVM-RFE") == stand_in("DLBCL", "PK-RFE") == ""
    assert stand_in("Bladder", "SVM-RFE") == "other genes than in print"


def test_shared_selections_agree_if_the_printed_share_is_among_our_folds(results):
    ours = dict(beside(results, SCALED, read_printed("ben-brahim-4")))
    shares = [share_at(trace, 2) for trace in chosen(results, SCALED)["DLBCL", "SS-l2AROM"].traces]
    second = ours[Key("4.6", "DLBCL", "SS-l2AROM", "fold 3, round 2", "conv")]
    assert second.interval == (min(shares), max(shares))
    assert second.value == np.median(shares)


def test_the_plan_compares_what_is_there_and_says_what_is_not(made):
    judged = PLAN.judge(made, SHELF, False)
    cells = with_print(PLAN, SHELF, judged, read_printed("ben-brahim-4"))
    verdicts = {cell.key: cell.verdict for cell in cells}
    assert verdicts[Key("4.3", "DLBCL", "mRMR", "N = 10", "accuracy")] in (AGREES, BETTER, WORSE)
    assert verdicts[Key("4.3", "DLBCL", "PK-mRMR vs mRMR", "N = 10", "chi2")] == IMPOSSIBLE
    assert verdicts[Key("4.4", "Lung", "mRMR", "N = 10", "accuracy")] == NOT_RUN
    titles = [section.title for section in judged.sections]
    assert titles[0] == "Without scaling"
    assert all(len(row) == len(one.header) for one in judged.sections for row in one.rows)
    assert len(titles) == 6


def test_bladder_without_its_known_features_says_why():
    judged = PLAN.judge({}, Shelf(PLAN.sets, {"Bladder": "nowhere"}), False)
    assert judged.ours[Key("4.2", "Bladder", "PK-RFE", "N = 10", "accuracy")].not_run == NO_PRIOR
    assert Key("4.2", "Bladder", "SVM-RFE", "N = 10", "accuracy") not in judged.ours


def result(method, reading, by_size, data="Lung"):
    """Subsets of ten folds that share everything (1), or nothing at all (0)."""
    subsets = {
        size: [list(range(size)) if stable else list(range(size * fold, size * (fold + 1))) for fold in range(10)]
        for size, stable in by_size.items()
    }
    traces = [[0.0, 1.0]] * 10 if method == "SS-l2AROM" else []
    return Result(data, method, reading, KNOWN, 2000, {size: np.ones(20, bool) for size in by_size}, subsets, traces)


def made_up(reading, *, with_prior):
    """All methods of one reading; a prior makes lists of ten perfectly stable, or nothing is stable."""
    found = [result(method, reading, {10: 0, 100: 0}) for method in ("Relief", "mRMR", "SVM-RFE", "PK-Relief")]
    found += [result(method, reading, {10: with_prior, 100: 0}) for method in ("PK-mRMR", "PK-RFE", "PS-l2-AROM")]
    return [*found, result("SS-l2AROM", reading, {10: with_prior, 100: 0})]


@pytest.mark.parametrize(("scaled", "unscaled", "expected"), [(1, 1, HOLDS), (1, 0, IN_PART), (0, 0, FAILS)])
def test_a_claim_that_holds_in_one_reading_only_holds_in_part(scaled, unscaled, expected):
    found = claims([*made_up(SCALED, with_prior=scaled), *made_up(UNSCALED, with_prior=unscaled)], PRINTED)
    verdicts = {one.text: one.verdict for one in found}
    assert verdicts["PK-RFE is more stable than SVM-RFE with 10 features"] == expected
    assert verdicts["the gain of PK-mRMR shrinks as N grows"] == expected
    assert verdicts["PK-Relief is about as stable as Relief (within 0.05)"] == HOLDS
    assert verdicts["SS-l2AROM is more stable than PS-l2-AROM in almost all cells"] == FAILS


def both_readings(**changes):
    """Claims on all methods alike in both readings, but for the results changed."""
    found = made_up(SCALED, with_prior=1) + made_up(UNSCALED, with_prior=1)
    return claims([replace(one, **changes.get(one.method, {})) for one in found], PRINTED)


def verdict_on(words, **changes):
    changes = {name.replace("_", "-"): values for name, values in changes.items()}
    (verdict,) = [one.verdict for one in both_readings(**changes) if words in one.text]
    return verdict


def right(n_wrong):
    """So many of twenty samples wrong, with each number of features."""
    return {"is_right": {size: np.arange(20) >= n_wrong for size in (10, 100)}}


def test_a_significant_difference_must_be_one():
    assert verdict_on("SS-l2AROM is significantly more accurate", SVM_RFE=right(8)) == HOLDS
    assert verdict_on("SS-l2AROM is significantly more accurate", SVM_RFE=right(3)) == FAILS
    assert verdict_on("SS-l2AROM is more accurate than SVM-RFE", SVM_RFE=right(3)) == HOLDS
    assert verdict_on("do not differ significantly", PS_l2_AROM=right(3)) == HOLDS
    assert verdict_on("do not differ significantly", PS_l2_AROM=right(8)) == FAILS


def test_rounds_are_counted_against_those_of_each_set():
    def within(n_rounds):
        return verdict_on("fold of Lung within 8 rounds", SS_l2AROM={"traces": [[0.0] * (n_rounds - 1) + [1.0]] * 10})

    assert within(8) == HOLDS
    assert within(9) == FAILS
    assert verdict_on("fold of Bladder within 6 rounds") == NOT_TESTED


def test_the_best_accuracy_must_be_that_of_a_prior():
    assert verdict_on("best accuracy") == HOLDS
    with_prior = {name: right(1) for name in ("PK_Relief", "PK_mRMR", "PK_RFE")}
    assert verdict_on("best accuracy", **with_prior) == FAILS


def test_every_claim_shows_what_is_printed():
    assert all(one.printed for one in both_readings())
    text = {one.text: one.printed for one in both_readings()}
    assert text["the prior changes accuracy significantly in few cells"] == "in 1 of 30 on Lung"
    assert text["SS-l2AROM is more stable than PS-l2-AROM in almost all cells"] == "in 2 of 2"


def test_stabilities_told_in_words_are_claims_too():
    found = {one.text: one for one in both_readings()}
    assert found["with 10 features on Lung PK-RFE has 0.95 and SVM-RFE has 0.68"].verdict == IN_PART
    assert found["with 10 features on Bladder PK-mRMR has 1.0 and mRMR has 0.3"].verdict == NOT_TESTED
    assert all(one.printed.startswith("about PK-") for text, one in found.items() if text.startswith("with 10"))


def test_few_runs_have_both_ends_of_the_sizes():
    keys = [part.key for part in PLAN.parts(Shelf(PLAN.sets, dict.fromkeys(PLAN.sets, "nowhere")), True)]
    assert QUICK_SIZES == (10, 100)
    assert "DLBCL SS-l2AROM unscaled known 100" in keys
    assert not any(key.startswith("Lung") for key in keys)
