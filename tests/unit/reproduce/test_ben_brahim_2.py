"""Chapter 2 of Ben Brahim 2015: numbers of ours for its cells, and the whole plan on a small table."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from holdfast.reproduce.ben_brahim import chapter2
from holdfast.reproduce.ben_brahim._beside2 import (
    AVERAGE,
    CLASSIFIER_OF,
    FEATURES,
    LENGTH,
    MCE,
    SAME_TEST,
    STABILITY,
    InPrint,
    averages,
    beside,
    in_print,
    ours_beside,
)
from holdfast.reproduce.ben_brahim._best import all_best, best
from holdfast.reproduce.ben_brahim._claims2 import claims
from holdfast.reproduce.ben_brahim._claims2_places import on_places
from holdfast.reproduce.ben_brahim._curves import (
    BASELINES,
    CLASSIFIERS,
    INSTANCE_BASED,
    ONE_NN,
    READINGS,
    SVM,
    WRAPPERS,
    Curve,
    joined,
)
from holdfast.reproduce.ben_brahim._sets import SETS, prepared
from holdfast.reproduce.cells import (
    AGREES,
    BETTER,
    DIFFERS,
    NOT_RUN,
    WORSE,
    Cell,
    Key,
    Printed,
    noise,
    read_printed,
    read_said,
)
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.protocol import folds
from holdfast.reproduce.run import beside as all_cells
from holdfast.reproduce.shelf import Shelf
from unit.reproduce.ben_brahim_checks import assert_best_is_sound

FILTERS = (*INSTANCE_BASED, *BASELINES)
PRINTED = read_printed(chapter2.PRINTED)
SAID = read_said(chapter2.PRINTED)
# Ten folds of 77 samples; three of them hold one error each.
N_TESTED = np.array([7, 8, 7, 8, 8, 8, 8, 8, 8, 7])


def a_curve(n_wrong, stability=0.5, sizes=None):
    """Errors by size in the first fold, none in the others."""
    n_wrong = np.array(n_wrong)
    of_folds = np.zeros((len(N_TESTED), len(n_wrong)), dtype=int)
    of_folds[0] = n_wrong
    sizes = np.arange(1, len(n_wrong) + 1) if sizes is None else np.array(sizes)
    return Curve(sizes, of_folds, N_TESTED, np.full(len(n_wrong), stability))


def a_best(method="IB-OF", curves=None, data="DLBCL", seconds=1.0):
    return best(data, method, ONE_NN, "default", curves or {2: a_curve([5, 1, 3])}, seconds)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A small table with six features that tell the classes apart, in the place of Bladder."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [24, 20, 3])
    X = rng.normal(size=(47, 60))
    X[:, :6] += 2.0 * (y == 1)[:, np.newaxis]
    place = tmp_path_factory.mktemp("data") / "bladder.npz"
    np.savez(place, X=X, y=y)
    return Shelf(chapter2.PLAN.sets, {"Bladder": str(place)})


@pytest.fixture(scope="module")
def made(shelf):
    return {part.key: part.call(shelf) for part in chapter2.parts(shelf, True)}


@pytest.mark.parametrize(
    ("classifier", "plain"), [(ONE_NN, KNeighborsClassifier(1)), (SVM, SVC(kernel="linear", C=1.0))]
)
def test_growing_classifiers_predict_what_plain_ones_predict(shelf, classifier, plain):
    table = prepared(shelf, "Bladder")
    for fold in folds(table, seed=0):
        runs = [np.array([3]), np.array([0, 40]), np.array([7, 1, 59])]
        for n_runs, predicted in enumerate(CLASSIFIERS[classifier](fold.Z, table.y, fold, iter(runs)), start=1):
            columns = np.concatenate(runs[:n_runs])
            plain.fit(fold.Z[np.ix_(fold.train, columns)], table.y[fold.train])
            assert predicted.tolist() == plain.predict(fold.Z[np.ix_(fold.test, columns)]).tolist()


def test_both_averages_of_the_error_are_those_of_the_thesis():
    n_wrong = np.zeros((10, 1), dtype=int)
    n_wrong[:3] = 1
    curve = Curve(np.array([1]), n_wrong, N_TESTED, np.ones(1))
    assert curve.mce("mean of folds")[0] == pytest.approx(0.041071, abs=1e-6)
    assert curve.mce("pooled")[0] == pytest.approx(3 / 77)


def test_own_methods_are_averaged_over_folds_and_others_pooled():
    curves = {None: a_curve([5, 1])}
    assert a_best("HIB-CSS", curves).mce == pytest.approx(1 / 7 / 10)
    assert a_best("Relief", curves).mce == pytest.approx(1 / 77)


def test_the_best_point_is_the_smallest_error_of_all_lists_and_the_first_of_equal_ones():
    found = a_best(curves={3: a_curve([4, 2, 2]), 5: a_curve([2, 4, 4]), 7: a_curve([3, 3, 3])})
    assert (found.length, found.size) == (3, 2)


def test_the_last_bit_of_a_sum_does_not_decide_between_equal_errors():
    # The same errors in other folds; added up in this order the second sum is the smaller one.
    n_wrong = np.array([[3, 1, 0, 1, 1, 2, 4, 1, 2, 5], [0, 3, 4, 5, 1, 2, 1, 1, 2, 1]]).T
    n_tested = np.full(10, 6)
    of_folds = (n_wrong / 6).mean(axis=0)
    assert of_folds[1] < of_folds[0]
    assert a_best(curves={2: Curve(np.array([4, 9]), n_wrong, n_tested, np.ones(2))}).size == 4


def test_figures_set_beforehand_are_those_of_lists_of_ten_and_fifty_features_or_the_nearest():
    ten, other = a_curve([0, 7, 3], 0.1, [1, 45, 60]), a_curve([0, 0, 0], 0.9, [1, 45, 60])
    found = a_best(curves={9: other, 10: ten})
    assert (found.fixed_size, found.fixed_mce, found.fixed_stability) == (45, pytest.approx(0.1), 0.1)
    hybrid = a_best("HIB-CSS", {4: other, 5: ten, 10: other})
    assert hybrid.fixed_mce == pytest.approx(0.1)


def test_a_place_chosen_by_the_other_folds_is_paid_for_in_the_fold_it_was_not_chosen_by():
    # Without the first fold the first size has no error; that fold pays with its own seven.
    of_folds = np.zeros((10, 2), dtype=int)
    of_folds[0] = [7, 0]
    of_folds[1] = [0, 1]
    found = a_best("Relief", {None: Curve(np.array([1, 2]), of_folds, N_TESTED, np.ones(2))})
    assert found.mce == pytest.approx(1 / 77)
    assert found.mce_chosen == pytest.approx((7 + 1) / 77)


def test_walks_that_were_run_apart_are_one_curve_in_the_order_of_sizes():
    found = joined([a_curve([3, 1], 0.2, [1, 5]), a_curve([2], 0.4, [3])])
    assert found.sizes.tolist() == [1, 3, 5]
    assert found.n_wrong[0].tolist() == [3, 2, 1]
    assert found.stability.tolist() == [0.2, 0.4, 0.2]


def test_a_curve_comes_back_from_json_as_it_was():
    there = a_curve([3, 1])
    back = Curve.of_json(json.loads(json.dumps(there.as_json())))
    for name in ("sizes", "n_wrong", "n_tested", "stability"):
        assert getattr(back, name).tolist() == getattr(there, name).tolist()


def verdicts(one, **printed):
    """What is said of made-up printed numbers."""
    names = {"mce": MCE, "features": FEATURES, "length": LENGTH, "stability": STABILITY}
    values = {names[name]: value for name, value in printed.items()}
    keys = {quantity: [Key("2.5", one.data, one.method, ONE_NN, quantity)] for quantity in values}
    return {
        quantity: Cell(keys[quantity][0], Printed(values[quantity]), ours, chapter2.BETTER[quantity]).verdict
        for quantity, ours in beside(one, InPrint(keys, values)).items()
    }


def test_an_error_within_noise_agrees_and_a_larger_printed_one_makes_ours_better():
    one = a_best()
    same = {"features": one.size, "length": one.length, "stability": one.stability}
    assert verdicts(one, mce=one.mce, **same) == dict.fromkeys((MCE, FEATURES, LENGTH, STABILITY), AGREES)
    assert verdicts(one, mce=0.9, **same)[MCE] == BETTER


def test_a_stability_agrees_within_a_tenth():
    one = a_best()
    at = {"mce": one.mce, "features": one.size, "length": one.length}
    assert verdicts(one, stability=one.stability + 0.099, **at)[STABILITY] == AGREES
    assert verdicts(one, stability=one.stability + 0.101, **at)[STABILITY] == WORSE


def spread(*n_wrong):
    """By size so many errors, one in each of the first folds."""
    of_folds = np.array([[fold < n for n in n_wrong] for fold in range(len(N_TESTED))], dtype=int)
    return Curve(np.arange(1, len(n_wrong) + 1), of_folds, N_TESTED, np.full(len(n_wrong), 0.5))


def test_a_place_on_the_flat_of_our_curve_agrees_and_one_on_its_slope_differs():
    one = a_best(curves={2: spread(9, 1, 1, 3), 4: spread(9, 9, 9, 9)})
    flat = verdicts(one, mce=one.mce, features=4, length=2, stability=0.5)
    assert (flat[FEATURES], flat[LENGTH]) == (AGREES, AGREES)
    steep = verdicts(one, mce=one.mce, features=4, length=4, stability=0.5)
    assert (steep[FEATURES], steep[LENGTH]) == (DIFFERS, DIFFERS)


def test_a_slope_that_many_folds_share_is_none_of_chance_although_shares_of_so_few_samples_are_uncertain():
    curve = spread(0, 5)
    one = a_best("Relief", {None: replace(curve, n_wrong=curve.n_wrong + 1)})
    assert one.gap(None, 2)[0] == pytest.approx(5 / 77)
    assert noise(10 / 77, 15 / 77, 77) > 5 / 77
    assert verdicts(one, mce=one.mce, features=2, stability=0.5)[FEATURES] == DIFFERS


def test_a_place_that_the_folds_do_not_reach_differs_and_has_no_stability():
    one = a_best(curves={2: a_curve([5, 1, 3], stability=0.8)})
    found = verdicts(one, mce=one.mce, features=99, length=2, stability=0.75)
    assert found == {FEATURES: DIFFERS, LENGTH: AGREES, MCE: AGREES, STABILITY: NOT_RUN}


def test_a_place_that_was_not_tried_has_no_verdict():
    one = a_best(curves={2: a_curve([5, 1, 3], sizes=[1, 10, 20])})
    for place in ({"features": 15, "length": 2}, {"features": 10, "length": 3}):
        found = verdicts(one, mce=one.mce, stability=0.5, **place)
        assert found == {FEATURES: NOT_RUN, LENGTH: NOT_RUN, MCE: AGREES, STABILITY: NOT_RUN}


def test_stability_is_compared_at_the_printed_place():
    curve = replace(a_curve([5, 1, 3]), stability=np.array([0.2, 0.6, 0.9]))
    found = verdicts(a_best(curves={2: curve}), mce=0.0, features=3, length=2, stability=0.95)
    assert found[STABILITY] == AGREES


def test_the_figure_without_the_leak_stands_beside_error_and_stability():
    one = a_best()
    values = {MCE: 0.1, FEATURES: 2.0, LENGTH: 2.0, STABILITY: 0.5}
    found = beside(one, InPrint({}, values))
    assert (found[MCE].honest, found[STABILITY].honest) == (one.fixed_mce, one.fixed_stability)
    assert (found[FEATURES].honest, found[LENGTH].honest) == (None, None)


def test_printed_cells_are_counted_by_table():
    assert Counter(key.table for key in PRINTED) == {
        "2.3": 32, "2.4": 32, "2.5": 192, "2.6": 192, "2.7": 42, "2.8": 126, "2.9": 42,
    }  # fmt: skip
    impossible = [key for key, one in PRINTED.items() if one.impossible and key.data != AVERAGE]
    assert impossible == [Key("2.5", "DLBCL", "Relief", ONE_NN, FEATURES)]


def test_printed_averages_are_those_of_their_rows_or_are_called_impossible():
    called = {key for key, one in PRINTED.items() if one.impossible and key.data == AVERAGE}
    wrong = set()
    for key, one in PRINTED.items():
        if key.data == AVERAGE:
            rows = [PRINTED[key._replace(data=data)].value for data in SETS]
            # Counts are cut to two decimals, and two averages of Entropy are printed with two.
            digits = 0.01 if key.quantity in (FEATURES, LENGTH) else 2e-4
            if key.method == "Entropy" and key.quantity == "stability":
                digits = 0.005
            if abs(np.mean(rows) - one.value) > digits:
                wrong.add(key)
    assert called == wrong
    assert len(called) == 2


def everywhere():
    """The default reading of all methods on all sets, with curves alike."""
    found = []
    for data in SETS:
        for classifier in CLASSIFIERS:
            for method in (*FILTERS, *WRAPPERS) if classifier == ONE_NN else FILTERS:
                is_listed = method in INSTANCE_BASED or method.startswith("HIB")
                lengths = range(1, 16) if is_listed else [None]
                curves = {length: a_curve([3] * 130) for length in lengths}
                found.append(best(data, method, classifier, "default", curves, 1.0))
    return found


def test_an_average_is_that_of_all_sets_and_counted_apart_since_one_is_a_stand_in():
    ours = ours_beside(everywhere(), PRINTED)
    found = averages(ours, PRINTED)
    key = Key("2.5", AVERAGE, "mRMR", ONE_NN, MCE)
    one = found[key]
    assert one.value == pytest.approx(3 / 77)
    each = ours[key._replace(data="CNS")].within
    assert one.within < each
    assert one.apart == "Bladder in the mean: counted apart"
    lacking = averages({at: some for at, some in ours.items() if at.data != "CNS"}, PRINTED)
    assert {some.not_run for some in lacking.values()} == {"no number of ours for CNS"}


def test_a_test_or_a_number_that_is_printed_twice_is_counted_once():
    ours = ours_beside(everywhere(), PRINTED)
    assert ours[Key("2.3", "CNS", "IB-OF", ONE_NN, LENGTH)].apart == SAME_TEST
    assert not ours[Key("2.5", "CNS", "IB-OF", ONE_NN, FEATURES)].apart
    for method, table in (("HIB-CSS", "2.7"), ("Relief", "2.5"), ("t-test", "2.5")):
        for quantity in (MCE, FEATURES):
            assert not ours[Key(table, "CNS", method, ONE_NN, quantity)].apart
            repeated = ours[Key("2.8", "CNS", method, ONE_NN, quantity)].apart
            assert repeated == f"the same number as in Table {table}"
    assert not ours[Key("2.8", "CNS", "HIB-CSS", ONE_NN, STABILITY)].apart
    assert not ours[Key("2.8", "DLBCL", "Relief", ONE_NN, FEATURES)].apart


def test_stability_stands_beside_the_possible_one_of_two_printed_numbers_of_features():
    there = in_print(PRINTED, next(iter(CLASSIFIER_OF)))["DLBCL", "Relief"]
    assert there.place == (None, 65)


def test_cells_that_are_no_target_are_judged_and_counted_apart():
    ours = ours_beside(everywhere(), PRINTED)
    told = {(key.table, key.method) for key, one in ours.items() if "no target" in one.apart}
    assert told == {
        *(("2.5", method) for method in ("t-test", "Entropy")),
        *(("2.6", method) for method in ("t-test", "Entropy")),
        *(("2.8", method) for method in ("t-test", "Hyb-Seq")),
    }
    assert {key.data for key, one in ours.items() if "no target" in one.apart} == {"Breast"}
    lost = {key.data for key, one in ours.items() if "lost an exponent" in one.apart}
    assert lost == {"Prostate", "Lung"}
    assert "the sum over 130 walks" in ours[Key("2.9", "CNS", "Randomized", ONE_NN, "seconds")].remark


def test_every_method_is_run_in_both_readings_and_finds_what_is_planted(made, shelf):
    results = all_best(made.values())
    expected = set(product(INSTANCE_BASED, CLASSIFIERS, READINGS))
    expected |= set(product(BASELINES, CLASSIFIERS, ["default"]))
    expected |= set(product((*BASELINES, *WRAPPERS), [ONE_NN], READINGS))
    assert {(one.method, one.classifier, one.reading) for one in results} == expected
    for one in results:
        assert_best_is_sound(one, n_samples=44, n_in_smaller_class=20)
    assert max(one.mce for one in results if one.method in FILTERS) < 0.25


def test_a_part_depends_on_nothing_but_its_key(made, shelf):
    part = next(part for part in chapter2.parts(shelf, True) if part.key == "Bladder-default-IB-OF")
    again = part.call(shelf)
    assert again["curves"] == made[part.key]["curves"]


def test_the_plan_judges_the_table_that_is_there_and_no_other(made, shelf):
    judged = chapter2.judge(made, shelf, True)
    cells = all_cells(chapter2.PLAN, shelf, judged, PRINTED)
    ran = [cell for cell in cells if cell.verdict not in (NOT_RUN, "printed value impossible")]
    assert {cell.key.data for cell in ran} == {"Bladder"}
    assert {cell.key.table for cell in ran} >= {"2.5", "2.6", "2.7", "2.8"}
    assert all("other genes" in cell.ours.apart and cell.is_apart for cell in ran)
    assert all("another machine" in cell.ours.remark for cell in ran if cell.key.table == "2.9")
    assert len(judged.claims) == 16


def test_the_literal_reading_has_tables_of_its_own(made, shelf):
    sections = {one.title: one for one in chapter2.judge(made, shelf, True).sections}
    counts = sections["Verdicts in the literal reading"].rows
    assert [row[0] for row in counts] == [*(f"Table 2.{number}" for number in range(3, 9)), "all"]
    for experiment in CLASSIFIER_OF:
        assert sections[f"{experiment}: the literal reading beside the print"].rows
        labels = {row[1] for row in sections[f"{experiment}: without looking at the test folds"].rows}
        assert any(label.endswith(", literal") for label in labels)
    assert all(len(row) == len(one.header) for one in sections.values() for row in one.rows)


def made_up_results(**changes):
    """All methods alike on two tables, but for the errors, stabilities and seconds given."""
    found = []
    for data in ("DLBCL", "CNS"):
        for classifier in CLASSIFIERS:
            for method in (*FILTERS, *WRAPPERS) if classifier == ONE_NN else FILTERS:
                length = 2 if method.startswith(("IB", "HIB")) else None
                one = best(data, method, classifier, "default", {length: a_curve([3, 4])}, 1.0)
                found.append(replace(one, **changes.get(method, {})))
    return found


def verdict_on(words, **changes):
    changes = {name.replace("_", "-"): values for name, values in changes.items()}
    return [one.verdict for one in claims(made_up_results(**changes), PRINTED) if words in one.text]


def test_the_lowest_average_errors_must_be_those_of_both_named_filters():
    low = {"mce": 0.001}
    assert verdict_on("lowest average MCE", IB_OF=low, IB_RedE=low) == [HOLDS, HOLDS]
    assert verdict_on("lowest average MCE", IB_OF=low, mRMR=low) == [FAILS, FAILS]


def test_both_named_filters_must_be_more_stable_than_both_others():
    assert verdict_on("(1-NN, each", IB_WMA={"stability": 0.9}, IB_RA={"stability": 0.8}) == [HOLDS]
    assert verdict_on("(1-NN, each", IB_WMA={"stability": 0.9}) == [FAILS]


def test_a_claim_on_every_set_holds_in_part_if_most_sets_are_so():
    on_three = [
        replace(one, data=data, stability=stable if one.method == "HIB-CSS" else 0.5)
        for data, stable in (("DLBCL", 0.9), ("CNS", 0.9), ("Lung", 0.1))
        for one in made_up_results()
        if one.data == "DLBCL"
    ]
    verdict = {one.text: one.verdict for one in claims(on_three, PRINTED)}
    assert verdict["HIB-CSS is more stable than HIB-SBS on every set"] == IN_PART
    assert verdict["HIB-CSS has a lower MCE than HIB-SBS on every set"] == FAILS


def test_times_decide_what_is_slow():
    slow = {"seconds": 50.0}
    assert verdict_on("much slower", HIB_CSS=slow, HIB_SBS=slow) == [HOLDS]
    assert verdict_on("much slower", HIB_CSS=slow) == [FAILS]
    assert verdict_on("much slower", HIB_CSS=slow, HIB_SBS=slow, Relief={"seconds": 20.0}) == [FAILS]
    assert verdict_on("faster than Randomized", Randomized={"seconds": 60.0}, HIB_CSS=slow) == [HOLDS]
    assert verdict_on("faster than Randomized", HIB_CSS=slow) == [FAILS]


def test_all_named_filters_must_be_more_stable_than_relief_and_mrmr():
    high = {name: {"stability": 0.9} for name in ("IB_OF", "IB_WMA", "IB_RA", "IB_RedE")}
    assert verdict_on("than Relief and mRMR", **high) == [HOLDS]
    assert verdict_on("than Relief and mRMR", **high, mRMR={"stability": 0.95}) == [FAILS]


def test_a_wide_margin_is_one_on_as_many_sets_as_in_print():
    assert verdict_on("by a wide margin", HIB_CSS={"stability": 0.8}) == [HOLDS]
    assert verdict_on("by a wide margin", HIB_CSS={"stability": 0.6}) == [FAILS]


def test_the_two_best_errors_are_two_values_whoever_has_them():
    low, own = {"mce": 0.001}, {"mce": 0.003}
    assert verdict_on("among the two best", HIB_CSS=own, Relief=low, Randomized=low) == [HOLDS]
    assert verdict_on("among the two best", HIB_CSS=own, Relief=low, Randomized={"mce": 0.002}) == [FAILS]


def test_single_places_that_stand_in_words_are_looked_up():
    sizes = [*range(1, 41), 45, 50]
    errors = [0 if size == 27 else 3 for size in sizes]
    one = a_best(curves={2: a_curve(errors, sizes=sizes), 4: a_curve([3] * 42, sizes=sizes)})
    found = on_places([one], SAID)
    assert [claim.verdict for claim in found] == [HOLDS, NOT_TESTED, NOT_TESTED]
    assert "2; 50; 27" in found[0].printed
    lung = best("Lung", "HIB-CSS", ONE_NN, "default", {1: a_curve([9] * 10 + [0])}, 1.0)
    assert on_places([lung], SAID)[-1].verdict == HOLDS
    short = best("Lung", "HIB-CSS", ONE_NN, "default", {1: a_curve([9] * 10)}, 1.0)
    assert on_places([short], SAID)[-1].verdict == FAILS


def test_a_table_that_is_not_in_the_thesis_has_no_part_in_the_claims():
    assert claims([replace(one, data="Colon") for one in made_up_results()], PRINTED) == []
