"""Chapter 4 of Ben Brahim 2015 rerun on real tables, and the harness on a small one so that it cannot rot.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

from holdfast import SVMRFE
from reproduction import chapter4
from reproduction.chapter4 import CONTROL, E5_PAIRS, LITERAL, METHODS, PRIORS, SETS, Result
from reproduction.page_chapter4 import page
from reproduction.protocol import FILES, Table, folds, load
from reproduction.verdicts_chapter4 import E5_TABLES, beside, chosen, possible_statistics, read_printed

N_SAMPLES = {"Bladder": 31, "DLBCL": 77, "Lung": 181}
KNOWN = ("g1", "g2", "g7", "g30", "g31", "g32")


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [24, 20])
    X = rng.normal(size=(44, 60))
    X[:, :8] += 2.5 * y[:, np.newaxis]
    return Table("DLBCL", X, y, np.array([f"g{number}" for number in range(60)]))


@pytest.fixture(scope="module")
def small_results(small):
    return chapter4.experiments(small, folds(small, seed=0), KNOWN, 0, sizes=(6, 10))


def test_every_method_is_run_in_both_readings_and_with_a_random_prior(small_results):
    assert [(one.method, one.reading, one.prior) for one in small_results] == [
        *((method, "default", "known") for method in METHODS),
        *((method, "literal", "known") for method in LITERAL),
        *((method, "default", "random") for method in CONTROL),
    ]
    check(small_results, 44)


def test_lists_that_are_nested_are_those_of_a_selection_of_every_size(small):
    prior = chapter4.known(small, KNOWN)
    for way in METHODS.values():
        if way.is_nested:
            options = {"scale": None} | ({"prior": prior} if way.takes_prior else {})
            longest = way.build(10, **options).fit(small.X, small.y).indices_
            for size in (1, 4, 6):
                assert way.build(size, **options).fit(small.X, small.y).indices_.tolist() == longest[:size].tolist()


def test_features_and_classes_are_those_of_plain_code_in_every_fold(small):
    split = folds(small, seed=0)
    result = chapter4.run(small, split, "SVM-RFE", chapter4.known(small, KNOWN), sizes=(5,))
    for fold, columns in zip(split, result.subsets[5], strict=True):
        X, y = small.X[fold.train], small.y[fold.train]
        chosen = SVMRFE(5, step=0.1, one_by_one_below=200, scale="standard").fit(X, y).indices_
        assert columns.tolist() == chosen.tolist()
        scaled = (small.X[:, columns] - X[:, columns].mean(axis=0)) / X[:, columns].std(axis=0)
        machine = SVC(kernel="linear").fit(scaled[fold.train], y)
        right = machine.predict(scaled[fold.test]) == small.y[fold.test]
        assert result.is_right[5][fold.test].tolist() == right.tolist()


def test_ten_times_the_relevance_puts_known_features_first_and_makes_lists_of_them_alone_perfectly_stable(
    small, small_results
):
    mask = chapter4.known(small, KNOWN)
    by = chosen(small_results, "default")
    assert by["DLBCL", "PK-mRMR"].stability(6) == 1.0
    assert all(mask[one].all() for one in by["DLBCL", "PK-mRMR"].subsets[6])
    assert all(mask[one].sum() == 6 for one in by["DLBCL", "PK-mRMR"].subsets[10])
    assert by["DLBCL", "PK-mRMR"].stability(6) > by["DLBCL", "mRMR"].stability(6)


def test_a_gene_that_is_not_in_the_table_is_an_error(small):
    with pytest.raises(ValueError, match="has no features g60"):
        chapter4.known(small, ["g1", "g60"])


def test_the_page_has_a_row_for_every_cell(small_results):
    text = page(small_results, 1.0, 0, {1: small_results})
    for _, method in E5_PAIRS:
        assert f"| DLBCL | {method}" in text
    assert "| DLBCL | SS-l2AROM, literal | 10 | 0.9221 |" in text
    assert "held with" in text


def test_verdicts_compare_each_number_with_the_printed_one(small_results):
    printed = read_printed()
    cells = beside(small_results, printed)
    kinds = {(one.table, one.quantity) for one in cells}
    assert kinds == {("4.3", "accuracy"), ("4.3", "p"), ("4.8", "accuracy"), ("4.8", "stability")}
    for cell in cells:
        if cell.quantity == "stability":
            difference = cell.ours - cell.printed.value
            expected = "agrees" if abs(difference) <= 0.1 else "better" if difference > 0 else "worse"
            assert cell.verdict.endswith(expected)
    mrmr = next(one for one in cells if one.method == "PK-mRMR vs mRMR" and one.size == 10)
    assert mrmr.verdict.startswith("printed value impossible (10): ")


def test_printed_tests_are_marked_where_no_two_classifiers_can_have_them():
    printed = read_printed()
    tables = {*E5_TABLES.values(), "4.9"}
    marked = {key[:4] for key, one in printed.items() if key[4] == "chi2" and one.audit}
    impossible = set()
    for (table, data, size, method, quantity), one in printed.items():
        if quantity == "chi2" and table in tables:
            source = "4.8" if table == "4.9" else table
            accuracy = [printed[source, data, size, name, "accuracy"].value for name in method.split(" vs ")]
            n_wrong = [round((1 - share) * N_SAMPLES[data]) for share in accuracy]
            if not any(abs(one.value - value) < 6e-4 for value in possible_statistics(*n_wrong)):
                impossible.add((table, data, size, method))
    # One statistic of Table 4.9 is possible, but its p-value belongs to another.
    assert marked - impossible == {("4.9", "Bladder", "100", "SS-l2AROM vs SVM-RFE")}
    assert impossible <= marked
    assert len([key for key in impossible if key[0] == "4.9"]) == 8
    assert len(impossible) == 17


def test_printed_overlaps_are_those_of_sets_of_a_hundred():
    shares = {one.value for key, one in read_printed().items() if key[4].startswith("conv")}
    possible = np.array([common / (200 - common) for common in range(101)])
    assert all(np.abs(possible - share).min() < 6e-4 for share in shares)


def check(results, n_samples):
    """Facts that hold whatever the numbers are."""
    for result in results:
        assert isinstance(result, Result)
        assert result.n_samples == n_samples
        for size, found in result.subsets.items():
            assert len(found) == 10
            assert all(len(np.unique(one)) == len(one) == size for one in found)
            assert -1 < result.stability(size) <= 1
            assert 0.5 < result.accuracy(size) <= 1
        if result.method == "SS-l2AROM":
            assert len(result.traces) == 10
            assert all(trace[0] == 0 and trace[-1] == 1 for trace in result.traces)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_chapter_4_on_real_tables_beside_the_printed_numbers(name, tmp_path):
    table = load(name)
    if table is None:
        pytest.skip(f"no table {FILES[name]}: set HOLDFAST_DATA to a folder that has it")
    results = chapter4.experiments(table, folds(table, seed=0), list(PRIORS[name].values()), 0)
    check(results, N_SAMPLES[name])
    cells = beside(results, read_printed())
    accuracies = [cell.verdict for cell in cells if cell.quantity == "accuracy" and not cell.printed.audit]
    assert sum(verdict != "worse" for verdict in accuracies) >= 0.8 * len(accuracies)
    by = chosen(results, "default")
    for pk, plain in E5_PAIRS:
        assert by[name, pk].stability(10) > by[name, plain].stability(10)
    (tmp_path / "chapter4.md").write_text(page(results, 0.0, 0, {}), encoding="utf-8")
