"""Hosseini 2018, Tables 4.1 to 4.7: the printed numbers, and what is said of made-up results."""

import numpy as np
import pytest

from holdfast.reproduce.cells import AGREES, BETTER, IMPOSSIBLE, NOT_RUN, WORSE, Key, read_printed, read_said
from holdfast.reproduce.hosseini._cells4 import DATA, METHOD, SCREENING, of_best, of_mean
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, MEASURES, THREE
from holdfast.reproduce.hosseini._experiments import BIN_SIZES, N_BINS, N_ITERATIONS
from holdfast.reproduce.hosseini._results import BINS_KEY, DIVERSE_KEY, inside_key, pools_key, resplit_key, search_key
from holdfast.reproduce.hosseini._searches import OUTSIDE
from holdfast.reproduce.hosseini._tables import (
    BY_TRAIN,
    CONFIDENCE,
    HOLD_OUT,
    LEAVE_ONE_OUT,
    PER_SET,
    SETS,
    SPLIT,
    published_model,
    published_models,
)
from holdfast.reproduce.hosseini._verdicts import fastest, on_tables
from holdfast.reproduce.hosseini.chapter4 import PLAN
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.run import beside
from holdfast.reproduce.shelf import Shelf

# Positive and negative test samples of Table 4.1; those of Leukemia are not in the public table.
TESTED = {"Breast": (12, 7), "Leukemia": (10, 24), "Lung": (15, 134), "Prostate": (25, 9)}
EVERYTHING = Shelf(SETS, dict.fromkeys(SETS, "somewhere"))
PRINTED = read_printed("hosseini-4")


def number(table, data, setting, quantity, method=METHOD):
    return PRINTED[Key(table, data, method, setting, quantity)].value


def a_run(model=(1, 2, 3), value=0.9, seconds=1.0):
    flat = dict.fromkeys(CLASSIFIERS, 0.9)
    accuracy = dict.fromkeys((PER_SET, BY_TRAIN, LEAVE_ONE_OUT, OUTSIDE), flat)
    found = {"model": list(model), "value": value, "n_pool": 100, "n_bins": 10, "seconds": seconds}
    measures = {one: dict.fromkeys(MEASURES, 0.7) for one in CLASSIFIERS}
    return {**found, "n_judged": 100, "accuracy": accuracy, "measures": measures}


def published_split(name):
    """A published model that does as in print, but for its test accuracy in units of the training part."""
    scores = {one: {measure: number("4.2", name, one, measure) for measure in MEASURES} for one in CLASSIFIERS}
    settings = dict.fromkeys(key.setting for key in PRINTED if (key.table, key.data) == ("4.3", name))
    dropped = {
        setting: {
            **{quantity: number("4.3", name, setting, quantity) for quantity in ("dCor", "J_tr", "J_te")},
            "J_te, training range": 0.6,
        }
        for setting in settings
    }
    honest = {one: dict.fromkeys(MEASURES, 0.7) for one in CLASSIFIERS}
    return {
        "scores": {PER_SET: scores, BY_TRAIN: honest},
        "dropped": dropped,
        "unbiased dCor": 0.5,
        "resplit": [0.9, 1.0],
        "ranges": [
            {
                "feature": 1,
                "part": part,
                "quantiles": [[0, 0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8, 1.0]],
                "overlap": overlap + (0.0 if name in ("Lung", "Leukemia") else 0.1),
                "n_within": 0,
                "n_samples": 10,
            }
            for part, overlap in (("train", 0.1), ("test", 0.3))
        ],
    }


def made_of(key):
    """A result for a part, of the right shape, without work."""
    kind, *names = key.split("-")
    if kind == "counts":
        return {"features": 7, "samples": {"train": [4, 2], **({"test": [1, 5]} if names[0] in SPLIT else {})}}
    if kind == "times":
        return times_of(names)
    if kind == "diverse":
        others = [{"without": [3], "model": [1, 2, 4], "errors": 2}, {"without": [2], "model": [7, 8], "errors": 1}]
        return {"first": {"without": [], "model": [1, 2, 3], "errors": 1}, "others": others, "n_samples": 72}
    if kind == "screening":
        return {"confidence": CONFIDENCE[names[1], names[0]], "n_kept": 10, "n_constant": 2, "between": [0.01, 0.02]}
    if kind == "published" and names[0] == HOLD_OUT:
        return published_split(names[1])
    if kind == "published":
        errors = {label: 3 for table, data, label in published_models() if (table, data) == ("4.5", names[1])}
        accuracy = {one: number("4.4", names[1], one, "best J") for one in CLASSIFIERS}
        return {"accuracy": accuracy, "dCor": 0.9, "n_samples": 72, "errors": errors}
    if kind in ("inside", "resplit"):
        return {**a_run(), "n_judged": 10, "right": dict.fromkeys(CLASSIFIERS, 7)}
    if kind == "in":
        return {"Lung": a_run(), "Leukemia": a_run(seconds=2.0)}
    return a_run(value=0.9 + int(key.partition("seed")[2]) / 1000)


def times_of(names):
    """Bins that converge up to a size that grows with the limit; pools whose best number of bins is in the middle."""
    if names == ["bins"]:
        return [
            {"size": size, "limit": limit, "seconds": size * limit / 1e4, "iterations": 20, "converged": size < limit}
            for size in BIN_SIZES
            for limit in N_ITERATIONS
        ]
    n_features = int(names[0].removeprefix("pool"))
    return [
        {"n_features": n_features, "n_bins": n, "seconds": abs(n - 20) / 10, "rounds": 5, "evaluations": 1000}
        for n in N_BINS
    ]


@pytest.fixture
def made():
    return {part.key: made_of(part.key) for part in PLAN.parts(EVERYTHING, False)}


def judged(made, shelf=EVERYTHING):
    return PLAN.judge(made, shelf, False)


def claim(made, text):
    return next(one for one in judged(made).claims if text in one.text)


@pytest.mark.parametrize("name", SPLIT)
def test_printed_accuracies_are_those_of_the_printed_rates(name):
    n_positive, n_negative = TESTED[name]
    for classifier in CLASSIFIERS:
        of = {measure: number("4.2", name, classifier, measure) for measure in MEASURES}
        right = round(of["TPR"] * n_positive) + round(of["TNR"] * n_negative)
        assert of["J_te"] == pytest.approx(right / (n_positive + n_negative), abs=1.5e-4)
        assert of["G"] == pytest.approx((of["TPR"] * of["TNR"]) ** 0.5, abs=1.5e-4)
        harmonic = 2 * of["TPR"] * of["TNR"] / (of["TPR"] + of["TNR"]) if of["TNR"] else 0
        assert of["F"] == pytest.approx(harmonic, abs=1.5e-4)


@pytest.mark.parametrize("name", [key.data for key in PRINTED if key[:1] + key[2:] == ("4.7", METHOD, "", "mean J")])
def test_printed_means_of_table_4_7_are_those_of_three_classifiers_of_table_4_4(name):
    mean = np.mean([number("4.4", name, one, "mean J") for one in THREE])
    is_impossible = bool(PRINTED[Key("4.7", name, METHOD, "", "mean J")].impossible)
    assert (abs(mean - number("4.7", name, "", "mean J")) > 0.005) == is_impossible


def test_every_printed_table_is_there():
    tables = [key.table for key in PRINTED]
    sizes = {"4.1": 54, "4.2": 172, "4.3": 57, "4.4": 119, "4.5": 6, "4.6": 64, "4.7": 104}
    assert {table: tables.count(table) for table in sizes} == sizes
    assert len(PRINTED) == sum(sizes.values())


def test_rows_of_table_4_3_are_the_published_model_without_each_of_its_features():
    for name in SPLIT:
        settings = dict.fromkeys(key.setting for key in PRINTED if (key.table, key.data) == ("4.3", name))
        expected = ["all", *(f"without {feature}" for feature in published_model(name, HOLD_OUT))]
        assert list(settings) == expected


def test_published_models_are_as_large_as_the_tables_say():
    for table, protocol in (("4.6", HOLD_OUT), ("4.7", LEAVE_ONE_OUT)):
        for name in SETS:
            model = published_model(name, protocol)
            key = Key(table, name, METHOD, "", "best size")
            if model is not None:
                assert (len(model) != PRINTED[key].value) == bool(PRINTED[key].impossible)
    assert published_model("DLBCL", LEAVE_ONE_OUT) is None


def test_every_printed_number_of_a_set_at_hand_is_run_or_quoted(made):
    cells = beside(PLAN, EVERYTHING, judged(made), PRINTED)
    not_run = {cell.key: cell.ours.not_run for cell in cells if cell.verdict == NOT_RUN}
    assert not any(key.method in (METHOD, SCREENING, DATA) for key in not_run)
    assert set(not_run.values()) == {"quoted from another paper, there as here"}
    assert len(cells) - len(not_run) == 54 + 172 + 57 + 119 + 6 + 16 + 32


def test_published_models_that_do_as_in_print_agree_and_have_the_leak_free_figure_beside_them(made):
    cells = beside(PLAN, EVERYTHING, judged(made), PRINTED)
    fixed = [cell for cell in cells if cell.key.table in ("4.2", "4.3") and cell.key.quantity != "seconds"]
    assert {cell.verdict for cell in fixed} == {AGREES}
    honest = {(cell.key.table, cell.key.setting == "all", cell.key.quantity): cell.ours.honest for cell in fixed}
    assert honest["4.2", False, "TPR"] == honest["4.3", True, "J_te"] == 0.7
    assert honest["4.2", False, "J_tr"] is honest["4.3", True, "dCor"] is honest["4.3", False, "J_te"] is None


def test_the_leak_free_figure_of_table_4_2_is_that_of_the_run_of_the_highest_dcor(made):
    made[search_key(HOLD_OUT, "Lung", 10, 9)]["measures"] = {one: dict.fromkeys(MEASURES, 0.4) for one in CLASSIFIERS}
    ours = judged(made).ours
    assert ours[Key("4.2", "Lung", METHOD, "NB", "TNR")].honest == 0.4
    assert ours[Key("4.3", "Lung", METHOD, "all", "J_te")].honest == 0.4
    section = next(one for one in judged(made).sections if one.title.startswith("Published models with one range"))
    assert section.rows[2][1] == "0.9933; 0.9933; 0.7000"


def test_dcor_agrees_to_half_of_its_last_digit_and_shares_to_a_little_more(made):
    rows = made["published-HOCV-Lung"]["dropped"]["all"]
    for quantity in ("dCor", "J_te"):
        rows[quantity] += 1e-4
    cells = {cell.key: cell.verdict for cell in beside(PLAN, EVERYTHING, judged(made), PRINTED)}
    assert cells[Key("4.3", "Lung", METHOD, "all", "dCor")] != AGREES
    assert cells[Key("4.3", "Lung", METHOD, "all", "J_te")] == AGREES


def test_printed_numbers_that_contradict_the_print_or_the_samples_are_impossible(made):
    cells = beside(PLAN, EVERYTHING, judged(made), PRINTED)
    found = [(*cell.key[:2], *cell.key[3:]) for cell in cells if cell.verdict == IMPOSSIBLE]
    assert found == [
        ("4.7", "CNS", "", "mean J"),
        ("4.7", "Lung", "", "best size"),
    ]


def test_cells_whose_verdict_says_little_are_counted_apart(made):
    ours = {key: one.apart for key, one in judged(made).ours.items() if not one.not_run}
    assert all(ours[key] for key in ours if key.data in ("Leukemia", "DLBCL"))
    assert all(ours[key] for key in ours if key.method == SCREENING)
    assert all("solver" in ours[key] for key in ours if key.data == "Lung" and key.setting == "LogReg")
    rest = {key for key, why in ours.items() if why and key.data not in ("Leukemia", "DLBCL")}
    fitted = {key for key in rest if "was set by" in ours[key]}
    assert {(key.table, key.data) for key in fitted} == {("4.2", "Lung"), ("4.2", "Prostate"), ("4.3", "Prostate")}
    assert {key.setting for key in fitted if key.table == "4.2"} == {"SVM", "SVMn", "LDA", "LogReg", "Tree"}
    assert {key.quantity for key in fitted if key.table == "4.3"} == {"J_tr", "J_te"}
    assert {key.data for key in rest - fitted if key.setting == "LogReg"} == {"Lung"}
    assert {key.method for key in rest - fitted if key.setting != "LogReg"} == {SCREENING, DATA}
    assert not any(key.quantity == "skew" for key in rest)


def test_skew_is_as_the_text_defines_it_and_by_print_it_is_the_inverse(made):
    ours = judged(made).ours[Key("4.1", "Lung", DATA, "train", "skew")]
    assert (ours.value, ours.remark) == (2.0, "NP / NN, as the text says; NN / NP is 0.50")
    found = claim({}, "skew is NP / NN")
    assert found.verdict == IN_PART
    assert found.evidence == "1 of 12; NN / NP is what 11 are; neither: Ovarian train 0.57 for 1.78 or 0.56"


def test_a_leak_free_figure_stands_only_where_the_leak_is_named(made):
    assert {key.table for key, one in judged(made).ours.items() if one.honest is not None} == {
        "4.2", "4.3", "4.4", "4.5", "4.6", "4.7",
    }  # fmt: skip
    assert set(PLAN.leaks) == {"4.2", "4.3", "4.4", "4.5", "4.6", "4.7"}


def test_a_kept_count_has_constant_features_in_it(made):
    ours = judged(made).ours[Key("4.1", "Breast", "screening", HOLD_OUT, "features kept")]
    assert ours.value == 12
    assert ours.remark == "confidence 0.85, 2 of them constant"


def test_leave_one_out_is_the_mean_and_the_best_of_runs_beside_runs_inside_folds(made):
    made[search_key(LEAVE_ONE_OUT, "CNS", 10, 4)]["accuracy"] = {
        LEAVE_ONE_OUT: dict.fromkeys(CLASSIFIERS, 1.0), OUTSIDE: dict.fromkeys(CLASSIFIERS, 0.9),
    }  # fmt: skip
    ours = judged(made).ours
    mean, best = (ours[Key("4.4", "CNS", METHOD, "NB", quantity)] for quantity in ("mean J", "best J"))
    assert (mean.value, best.value) == pytest.approx((0.91, 1.0))
    assert mean.honest == best.honest == pytest.approx(0.7)
    three = ours[Key("4.7", "CNS", METHOD, "", "best J")]
    assert (three.value, three.honest) == pytest.approx((1.0, 0.7))


def test_an_accuracy_that_the_spread_of_runs_cannot_explain_is_better_or_worse(made):
    for seed in range(10):
        run = made[search_key(LEAVE_ONE_OUT, "Prostate", 10, seed)]
        run["accuracy"] = {**run["accuracy"], LEAVE_ONE_OUT: dict.fromkeys(CLASSIFIERS, 0.86 + 0.01 * (seed % 2))}
    cells = {cell.key: cell.verdict for cell in beside(PLAN, EVERYTHING, judged(made), PRINTED)}
    assert cells[Key("4.4", "Lung", METHOD, "SVM", "mean J")] == WORSE
    assert cells[Key("4.4", "Lung", METHOD, "LogReg", "mean J")] == BETTER
    assert cells[Key("4.4", "Prostate", METHOD, "kNN", "mean J")] == WORSE
    assert cells[Key("4.4", "Breast", METHOD, "SVM", "best J")] == AGREES


def test_a_printed_accuracy_may_be_off_by_the_spread_of_runs_or_by_one_sample():
    runs = np.array([0.8, 0.9] * 5)
    spread = np.sqrt(10 * 0.05**2 / 9)
    assert of_mean(runs, 5, 60) == pytest.approx(2 * spread * np.sqrt(1 / 10 + 1 / 5))
    assert of_best(runs, 60) == pytest.approx(2 * spread)
    assert of_mean(np.full(10, 0.9), 10, 60) == of_best(np.array([0.9]), 60) == 1 / 60


def test_table_4_6_has_as_many_runs_as_in_print(made):
    for seed in range(5, 10):
        run = made[search_key(HOLD_OUT, "Breast", 10, seed)]
        run["model"], run["accuracy"] = [1], {**run["accuracy"], PER_SET: dict.fromkeys(CLASSIFIERS, 1.0)}
    ours = judged(made).ours
    found = {quantity: ours[Key("4.6", "Breast", METHOD, "", quantity)].value for quantity in ("mean J", "best J")}
    assert found == pytest.approx({"mean J": 0.9, "best J": 0.9})
    assert ours[Key("4.6", "Breast", METHOD, "", "mean size")].value == 3


def test_errors_without_the_leak_are_those_of_models_chosen_inside_folds(made):
    ours = judged(made).ours[Key("4.5", "Leukemia", METHOD, "S1", "errors")]
    assert (ours.value, ours.honest) == (3, pytest.approx(0.3 * 72))
    assert PLAN.better["errors"] is False
    assert PLAN.better["TNR"] is PLAN.better["G"] is True


def test_the_best_of_table_4_6_without_the_leak_is_the_run_of_the_highest_dcor(made):
    key = search_key(HOLD_OUT, "Breast", 10, 4)
    made[key]["accuracy"] = {PER_SET: dict.fromkeys(CLASSIFIERS, 0.5), BY_TRAIN: dict.fromkeys(CLASSIFIERS, 0.4)}
    ours = judged(made).ours[Key("4.6", "Breast", METHOD, "", "best J")]
    assert (ours.value, ours.honest) == pytest.approx((0.9, 0.4))


def test_sizes_are_those_of_the_runs_and_the_larger_step_is_told(made):
    for seed in range(10):
        made[search_key(HOLD_OUT, "Lung", 10, seed)]["model"] = list(range(1, 4 + seed % 2))
    ours = judged(made).ours
    mean, best = (ours[Key("4.6", "Lung", METHOD, "", quantity)] for quantity in ("mean size", "best size"))
    assert mean.value == 3.4
    assert mean.within == pytest.approx(2 * np.sqrt(5 * 0.24 / 4) * np.sqrt(1 / 5 + 1 / 5) + 0.05)
    assert best.value == 3
    assert best.interval == (3, 4)
    assert mean.remark == "step = 70: 3"


def test_seconds_are_told_with_the_machine_in_mind(made):
    made[search_key(LEAVE_ONE_OUT, "Colon", 10, 0)]["seconds"] = 11.0
    made[search_key(LEAVE_ONE_OUT, "Lung", 10, 0)]["n_pool"] = 2585
    ours = judged(made).ours
    colon, lung = (ours[Key("4.4", name, METHOD, "", "seconds")] for name in ("Colon", "Lung"))
    assert colon.value == 2.0
    assert colon.remark == "another machine and program; mean of 10 runs, among 100 features (print: 2000)"
    assert lung.remark == "another machine and program; mean of 10 runs"


def test_the_fastest_is_so_in_every_run_or_in_the_median_or_not():
    others = {"Breast": [2.0, 2.2]}
    found = [fastest("Lung", {**others, "Lung": lung}) for lung in ([1.0, 1.5], [1.0, 2.5], [3.0, 4.0])]
    assert found == [HOLDS, IN_PART, FAILS]
    assert fastest("Lung", others) == fastest("Lung", {"Lung": [1.0]}) == NOT_TESTED


def test_a_printed_number_of_the_unbiased_index_would_be_noticed(made):
    assert claim(made, "unbiased").verdict == FAILS
    for name in SPLIT:
        made[f"published-HOCV-{name}"]["unbiased dCor"] = number("4.3", name, "all", "dCor")
    assert claim(made, "unbiased").verdict == HOLDS


def test_a_feature_without_which_dcor_is_higher_does_not_count(made):
    assert claim(made, "every feature of a model counts").verdict == HOLDS
    made["published-HOCV-Lung"]["dropped"]["without 3334"]["dCor"] = 0.99
    assert claim(made, "every feature of a model counts").verdict == IN_PART


def test_by_the_printed_numbers_five_of_eight_holds(made):
    found = claim(made, "on most tables, by the printed numbers")
    assert "Ovarian 1.00 against nobody" in found.evidence
    assert (found.verdict, found.printed) == (HOLDS, "5 of 8")


def test_our_runs_are_compared_with_the_print_on_the_same_tables(made):
    text = "of those at hand, with our best runs (step = 10)"
    assert (claim(made, text).verdict, claim(made, text).evidence[:6]) == (IN_PART, "3 of 8")
    without = {key: one for key, one in made.items() if "Ovarian" not in key}
    assert claim(without, text).printed == "4 of the same 7: Breast, CNS, Leukemia, Lung"
    for name in ("Lung", "Leukemia"):
        run = without[search_key(LEAVE_ONE_OUT, name, 10, 0)]
        run["accuracy"] = {**run["accuracy"], LEAVE_ONE_OUT: dict.fromkeys(CLASSIFIERS, 1.0)}
    assert claim(without, text).verdict == HOLDS
    assert "DLBCL and Leukemia: not the print's data" in claim(without, text).evidence
    colon = {key: one for key, one in made.items() if "Colon" in key}
    assert claim(colon, text).printed == "none of those at hand"
    assert claim({}, text).verdict == NOT_TESTED


def test_models_are_comparable_to_the_best_competitor_and_compact_or_not(made):
    accuracy, size = (lambda: claim(made, "comparable to the best"), lambda: claim(made, "models are compact"))
    assert (accuracy().verdict, size().verdict) == (IN_PART, HOLDS)
    assert "Lung 0.90 against 0.99" in accuracy().evidence
    assert "Breast 0.89 against 0.84" in accuracy().printed
    for seed in range(5):
        made[search_key(HOLD_OUT, "Prostate", 10, seed)]["model"] = list(range(40))
    assert (size().verdict, "Prostate 40.0 against 30" in size().evidence) == (IN_PART, True)


def test_the_constant_of_the_screening_counts_only_where_it_gives_the_printed_count(made):
    found = claim(made, "constant of the screening")
    assert found.verdict == FAILS
    assert "Leukemia HOCV 0.95 (keeps 12 features, not 2688)" in found.evidence
    made["screening-HOCV-Lung"]["n_kept"] = 1870
    made["screening-HOCV-Breast"]["n_kept"] = 4988
    found = claim(made, "constant of the screening")
    assert (found.verdict, "Breast HOCV 0.85, Breast" in found.evidence) == (IN_PART, True)


def test_claims_on_leukemia_say_that_its_data_are_not_the_prints(made):
    words = [one for one in judged(made).claims if "Leukemia" in one.text + one.evidence]
    words = [one for one in words if "by the printed numbers" not in one.text]
    assert len(words) > 10
    assert all("Leukemia: not the print's data" in one.evidence for one in words)


def test_a_verdict_without_foreign_data_stands_beside_that_on_all():
    verdict, evidence = on_tables({"Lung": True, "Leukemia": False}, "numbers")
    assert (verdict, evidence) == (IN_PART, "numbers; Leukemia: not the print's data (without: holds)")
    assert on_tables({"Lung": True}, "numbers") == (HOLDS, "numbers")


def test_other_splits_are_judged_with_the_leak_and_without(made):
    text = "that is without error, on fewer than half"
    leaky, sound = (one for one in judged(made).claims if text in one.text)
    assert (leaky.verdict, "leaky" in leaky.text, "2 splits" in leaky.evidence) == (FAILS, True, True)
    assert (sound.verdict, "no leak" in sound.text, "50 splits" in sound.evidence) == (HOLDS, True, True)
    del made[resplit_key(0)]
    assert (
        "49 splits" in next(one for one in judged(made).claims if text in one.text and "no leak" in one.text).evidence
    )


def test_ranges_of_classes_overlap_less_where_training_has_no_error(made):
    text = "where some classifier makes no error in training"
    assert claim(made, text).verdict == HOLDS
    assert claim(made, "overlap more in the test part").verdict == HOLDS
    alone = {"published-HOCV-Lung": made["published-HOCV-Lung"]}
    assert claim(alone, text).verdict == NOT_TESTED
    made["published-HOCV-Lung"]["ranges"][0]["overlap"] = 0.5
    assert claim(made, text).verdict == IN_PART
    assert claim(made, "overlap more in the test part").verdict == IN_PART


def test_searches_without_a_feature_give_other_models_of_as_few_errors(made):
    text = "leaving out a feature at a time"
    assert (claim(made, text).verdict, claim(made, text).evidence[:8]) == (IN_PART, "2 models")
    assert claim(made, "have no feature in common").verdict == HOLDS
    made[DIVERSE_KEY]["others"][1]["errors"] = 2
    assert claim(made, text).verdict == claim(made, "have no feature in common").verdict == FAILS


def test_times_are_judged_by_their_shape(made):
    assert claim(made, "time of DCORFS rises").verdict == HOLDS
    assert claim(made, "a higher limit shifts").verdict == HOLDS
    assert claim(made, "time of D²CORFS falls").verdict == HOLDS
    for run in made[BINS_KEY]:
        run["seconds"], run["converged"] = 1 / run["size"], True
    for run in made[pools_key(500, 0)] + made[pools_key(500, 1)] + made[pools_key(500, 2)]:
        run["seconds"] = run["n_bins"]
    assert claim(made, "time of DCORFS rises").verdict == FAILS
    assert claim(made, "a higher limit shifts").verdict == FAILS
    assert claim(made, "time of D²CORFS falls").verdict == IN_PART


def test_tpr_and_tnr_of_leukemia_are_compared(made):
    assert claim(made, "TPR is better than TNR").verdict == HOLDS
    for one in made["published-HOCV-Leukemia"]["scores"][PER_SET].values():
        one["TPR"] = 0.0
    assert claim(made, "TPR is better than TNR").verdict == FAILS


def test_numbers_of_the_prose_are_shown_beside_the_claims(made):
    assert read_said("hosseini-4")["most features of a model"] == 4
    assert claim(made, "models are small").printed == "at most 4 features"
    assert all(one.printed for one in judged(made).claims)


def test_models_of_both_protocols_that_share_too_much_are_noticed(made):
    text = "share at most 2 features (step = 10)"
    assert claim(made, text).verdict == FAILS
    for seed in range(10):
        made[search_key(LEAVE_ONE_OUT, "Lung", 10, seed)]["model"] = [7, 8]
    assert claim(made, text).verdict == IN_PART
    assert "Lung 0 of 3 and 2" in claim(made, text).evidence
    assert claim(made, text).printed == "Breast 2, Leukemia 0, Lung 1, Prostate 1"


def test_errors_of_the_diverse_models_are_counted(made):
    found = claim(made, "published models make no error")
    assert found.verdict == FAILS
    assert found.evidence.startswith("errors of 72: S* 3, S1 3, S2 3, S3 3, S4 3, S5 3;")


def test_optimism_is_between_the_same_folds(made):
    for fold in range(10):
        made[inside_key("CNS", 0, fold)]["right"] = dict.fromkeys(CLASSIFIERS, 4)
    section = next(one for one in judged(made).sections if one.title.startswith("How optimistic"))
    row = next(row for row in section.rows if row[:2] == ["CNS", "Tree"])
    assert row[2:5] == ["5", "0.900", "0.900"]
    assert row[5].startswith("0.640 ± ")
    assert row[6] == "+0.260 (+0.200 … +0.500)"
    assert {row[0] for row in section.rows} == set(SETS)


def test_sections_have_as_many_columns_as_heads_and_no_gap(made):
    for section in judged(made).sections:
        assert section.rows
        assert {len(row) for row in section.rows} == {len(section.header)}
        assert not any("nan" in cell for row in section.rows for cell in row)


def test_without_any_result_nothing_is_said_but_by_print():
    found = judged({}, Shelf(SETS, {}))
    assert [one.text for one in found.claims if one.verdict != NOT_TESTED] == [
        "skew is NP / NN, by the printed numbers",
        "as good as or better than all others on most tables, by the printed numbers",
    ]
    assert all(one.not_run for one in found.ours.values())
    assert not any(section.rows for section in found.sections)


def test_a_missing_set_takes_its_parts_with_it_and_no_others():
    there = Shelf(SETS, {name: "somewhere" for name in SETS if name != "Lung"})
    every, fewer = ({part.key for part in PLAN.parts(shelf, False)} for shelf in (EVERYTHING, there))
    assert fewer < every
    assert all("Lung" in key or key.startswith("in-turn") for key in every - fewer)
    made = {key: made_of(key) for key in fewer}
    assert not any(key.data == "Lung" for key, one in judged(made, there).ours.items() if not one.not_run)
    assert claim(made, "Lung is the fastest").verdict == NOT_TESTED


def test_a_quick_run_has_every_kind_of_part_and_few_of_them():
    parts = [part.key for part in PLAN.parts(EVERYTHING, True)]
    kinds = {key.partition("-")[0] for key in parts}
    assert kinds == {part.key.partition("-")[0] for part in PLAN.parts(EVERYTHING, False)}
    assert len(parts) < 26
    assert PLAN.judge({key: made_of(key) for key in parts}, EVERYTHING, True).sections
