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
from holdfast.reproduce.ben_brahim._beside2 import CLASSIFIER_OF, FEATURES, LENGTH, MCE, STABILITY, InPrint, beside
from holdfast.reproduce.ben_brahim._best import all_best, best
from holdfast.reproduce.ben_brahim._claims2 import claims
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
from holdfast.reproduce.ben_brahim._sets import prepared
from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, NOT_RUN, Cell, Key, Printed, read_printed
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART
from holdfast.reproduce.protocol import folds
from holdfast.reproduce.run import beside as all_cells
from holdfast.reproduce.shelf import Shelf
from unit.reproduce.ben_brahim_checks import assert_best_is_sound

FILTERS = (*INSTANCE_BASED, *BASELINES)
PRINTED = read_printed(chapter2.PRINTED)
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


def test_a_place_on_the_flat_of_our_curve_agrees_and_one_on_its_slope_differs():
    one = a_best(curves={2: a_curve([7, 1, 1, 2]), 4: a_curve([7, 7, 7, 7])})
    flat = verdicts(one, mce=one.mce, features=4, length=2, stability=0.5)
    assert (flat[FEATURES], flat[LENGTH]) == (AGREES, AGREES)
    steep = verdicts(replace(one, n_samples=1000), mce=one.mce, features=4, length=4, stability=0.5)
    assert (steep[FEATURES], steep[LENGTH]) == (DIFFERS, DIFFERS)


def test_a_place_that_was_not_reached_has_no_verdict_and_stability_is_that_of_our_place():
    one = a_best(curves={2: a_curve([5, 1, 3], stability=0.8)})
    found = verdicts(one, mce=one.mce, features=99, length=2, stability=0.75)
    assert found == {FEATURES: NOT_RUN, LENGTH: NOT_RUN, MCE: AGREES, STABILITY: AGREES}


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
        "2.3": 28, "2.4": 28, "2.5": 168, "2.6": 168, "2.7": 42, "2.8": 126, "2.9": 42,
    }  # fmt: skip
    impossible = Counter((key.table, key.data, key.method) for key, one in PRINTED.items() if one.impossible)
    assert impossible == {
        ("2.5", "DLBCL", "Relief"): 1,
        **{(table, "Breast", method): 3 for table in ("2.5", "2.6") for method in ("t-test", "Entropy")},
        **{("2.8", "Breast", method): 3 for method in ("Hyb-Seq", "t-test")},
    }


@pytest.mark.parametrize(
    ("classifier", "method", "average"),
    [
        (ONE_NN, "IB-OF", 0.1081),
        (ONE_NN, "mRMR", 0.1149),
        (SVM, "IB-RedE", 0.0898),
        (SVM, "Entropy", 0.1715),
    ],
)
def test_printed_rows_have_the_printed_average(classifier, method, average):
    wanted = (method, classifier, MCE)
    rows = [
        one.value
        for key, one in PRINTED.items()
        if key.table in ("2.5", "2.6") and (key.method, key.setting, key.quantity) == wanted
    ]
    assert len(rows) == 7
    assert np.mean(rows) == pytest.approx(average, abs=2e-4)


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
    assert all("other genes" in cell.ours.remark for cell in ran if cell.key.table != "2.9")
    assert all("another machine" in cell.ours.remark for cell in ran if cell.key.table == "2.9")
    assert len(judged.claims) == 10


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
    assert verdict_on("much slower", HIB_CSS=slow) == [HOLDS]
    assert verdict_on("much slower") == [FAILS]
    assert verdict_on("faster than Randomized", Randomized={"seconds": 60.0}, HIB_CSS=slow) == [HOLDS]
    assert verdict_on("faster than Randomized", HIB_CSS=slow) == [FAILS]


def test_a_table_that_is_not_in_the_thesis_has_no_part_in_the_claims():
    assert claims([replace(one, data="Colon") for one in made_up_results()], PRINTED) == []
