"""Screening finds what is odd and says it in a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast._errors import DataError
from holdfast.data import Finding, Table, require_usable, screen


@pytest.fixture
def clean():
    rng = np.random.default_rng(0)
    return rng.normal(size=(20, 12)), np.arange(20) % 2


def only(findings, kind):
    (found,) = [finding for finding in findings if finding.kind == kind]
    return found


def test_a_clean_table_has_no_findings(clean):
    assert screen(*clean) == ()


def test_a_table_and_its_arrays_give_the_same_findings(clean):
    X, y = clean
    X[:, 0] = 1
    names, samples = [f"g{j}" for j in range(12)], [f"p{i}" for i in range(20)]
    assert screen(Table(X, names, samples, y)) == screen(X, y, names, samples)
    assert only(screen(X, y, names, samples), "constant").names == ("g0",)


def test_missing_values_are_an_error_that_offers_imputation_in_the_fold(clean):
    X, y = clean
    X[3, :7] = np.nan
    X[:, 9] = np.nan
    finding = only(screen(X, y), "missing")
    assert finding.severity == "error"
    assert finding.names == (*(f"f{j}" for j in range(1, 8)), "f10")
    assert "8 features have missing values (27 cells, 11 %" in finding.message
    assert "'f5' and 3 more" in finding.message
    assert "1 of them was not measured" in finding.message
    assert "SimpleImputer" in finding.message
    assert "--impute median" in finding.message


def test_infinite_values_are_an_error(clean):
    X, y = clean
    X[0, 4] = -np.inf
    finding = only(screen(X, y), "infinite")
    assert (finding.severity, finding.names) == ("error", ("f5",))


def test_a_constant_feature_is_one_even_with_gaps(clean):
    X, y = clean
    X[:, 2] = 3
    X[0, 2] = np.nan
    assert only(screen(X, y), "constant").names == ("f3",)


def test_exact_copies_are_found_across_blocks_of_columns():
    X = np.random.default_rng(1).normal(size=(12, 5000))
    X[:, 4999] = X[:, 3]
    X[:, 2500] = X[:, 3]
    X[:, 10] = X[:, 11] * (1 + 1e-15) + 1e-16
    finding = only(screen(X), "duplicate")
    assert finding.severity == "warning"
    assert finding.names == ("f2501", "f5000")
    assert "'f2501' (of 'f4'), 'f5000' (of 'f4')" in finding.message


def test_copies_are_equal_whatever_the_bits_of_zero_and_nan():
    odd_nan = np.array([0x7FF8000000000001], dtype=np.uint64).view(np.float64)[0]
    X = np.array([[0.0, -0.0], [np.nan, odd_nan], [1.0, 1.0]])
    assert only(screen(X), "duplicate").names == ("f2",)


def test_constant_and_empty_features_are_not_called_copies(clean):
    X, y = clean
    X[:, :2] = 1
    X[:, 2:4] = np.nan
    assert "duplicate" not in [finding.kind for finding in screen(X, y)]


def test_a_column_that_counts_the_samples_is_found(clean):
    X, y = clean
    X[:, 7] = np.arange(100, 120)
    finding = only(screen(X, y), "row-number")
    assert finding.names == ("f8",)


def test_copied_samples_are_found(clean):
    X, y = clean
    X[4] = X[1]
    assert only(screen(X, y), "duplicate-sample").names == ("s5",)


def test_more_samples_than_features_by_far_asks_about_the_direction():
    X = np.random.default_rng(0).normal(size=(1001, 3))
    assert "genes_in='rows'" in only(screen(X), "orientation").message


@pytest.mark.parametrize(
    "name",
    [
        "2-Sep",
        "Sep-02",
        "01-Mar",
        "1-Dec",
        "9-Sept",
        "2024-09-02",
        "2024-03-01 00:00:00",
        "2.31E+19",
        "Mar-01",
    ],
)
def test_names_that_excel_turned_into_dates_are_found(clean, name):
    X, y = clean
    finding = only(screen(X, y, [name, *(f"g{j}" for j in range(11))]), "excel-name")
    assert (finding.severity, finding.names) == ("warning", (name,))


@pytest.mark.parametrize("name", ["SEPT2", "MARCH1", "DEC1", "HLA-DRA", "1007_s_at", "Sep-other", "12-LOX", "117.5"])
def test_honest_names_are_left_alone(clean, name):
    X, y = clean
    assert screen(X, y, [name, *(f"g{j}" for j in range(11))]) == ()


def test_repeated_empty_and_numeric_names_are_found(clean):
    X, y = clean
    names = ["TP53", "", "TP53", " ", *(f"g{j}" for j in range(8))]
    findings = screen(X, y, names, ["p"] * 2 + [f"q{i}" for i in range(18)])
    assert only(findings, "duplicate-name").names == ("TP53",)
    assert "column 2, 4 of the table" in only(findings, "empty-name").message
    assert only(findings, "duplicate-sample-name").names == ("p",)
    assert only(screen(X, y, [f"{j}.5" for j in range(12)]), "number-name").severity == "note"


@pytest.mark.parametrize(
    ("labels", "kind", "severity", "names"),
    [
        (["u"] * 20, "one-class", "error", ("u",)),
        ([""] * 20, "one-class", "error", ()),
        ([1.5] * 20, "one-class", "error", ("1.5",)),
        (["u"] * 10 + ["v"] * 9 + [""], "missing-label", "error", ("s20",)),
        ([1, 0] * 9 + [np.nan, 1], "missing-label", "error", ("s19",)),
        (["u"] * 13 + ["v"] * 7, "tiny-class", "warning", ("v",)),
        ([1, 0] * 9 + [2, 1], "single-sample", "warning", ("2",)),
    ],
)
def test_labels_that_cannot_carry_a_selection_are_found(clean, labels, kind, severity, names):
    finding = only(screen(clean[0], labels), kind)
    assert (finding.severity, finding.names) == (severity, names)


def test_a_target_of_names_looks_like_an_identifier(clean):
    X, _ = clean
    names = [f"patient{i}" for i in range(11)] + ["u"] * 9
    finding = only(screen(Table(X, [f"g{j}" for j in range(12)], target=names, target_name="who")), "identifier")
    assert finding.severity == "error"
    assert finding.names == tuple(sorted(names[:11]))
    assert "'who' looks like an identifier, not a class: 11 of 20 samples" in finding.message


@pytest.mark.parametrize(
    "labels",
    [[f"patient{i}" for i in range(10)] + ["u"] * 10, list(range(15)) + [15] * 5],
    ids=["half of them single", "whole numbers"],
)
def test_a_target_that_may_be_a_class_or_a_measure_is_no_identifier(clean, labels):
    assert "identifier" not in [finding.kind for finding in screen(clean[0], labels)]


def test_two_samples_of_two_classes_are_no_identifiers():
    assert "identifier" not in [finding.kind for finding in screen([[1.0], [2.0]], ["sick", "well"])]


def test_findings_offer_only_what_there_is(clean):
    X, y = clean
    X[:, 1] = X[:, 0]
    findings = screen(X, y, sample_names=["p"] * 2 + [f"q{i}" for i in range(18)])
    assert "groups" not in only(findings, "duplicate-sample-name").message
    assert "arbitrary" not in only(findings, "duplicate").message
    assert "goes by name" in only(findings, "duplicate").message


def test_a_class_of_eight_is_not_tiny(clean):
    assert screen(clean[0], ["u"] * 12 + ["v"] * 8) == ()


def test_a_measured_target_has_no_classes(clean):
    assert screen(clean[0], np.linspace(0, 1, 20)) == ()


def test_errors_come_first_and_all_of_them_are_raised_at_once(clean):
    X, _ = clean
    X[0, 0], X[0, 1], X[:, 2] = np.nan, np.inf, 1
    table = Table(X, [f"g{j}" for j in range(12)], [f"p{i}" for i in range(20)], ["u"] * 20, source="a.csv")
    severities = [finding.severity for finding in screen(table)]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    with pytest.raises(DataError, match=r"a\.csv cannot be used") as caught:
        require_usable(table)
    for words in ("missing values", "infinite values", "Every sample has the label 'u'"):
        assert words in str(caught.value)
    assert "same value in every sample" not in str(caught.value)


def test_warnings_do_not_stop_a_table(clean):
    X, y = clean
    X[:, 1] = X[:, 0]
    require_usable(Table(X, [f"g{j}" for j in range(12)], [f"p{i}" for i in range(20)], y))


def test_a_finding_cannot_be_changed():
    with pytest.raises(AttributeError):
        Finding("constant", "note", "text").kind = "other"
