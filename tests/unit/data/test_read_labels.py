"""Labels in a second file find their samples by name."""

from __future__ import annotations

import pytest

from holdfast._errors import DataError
from holdfast.data import read

WIDE = "sample,TP53,MYC\na,1,2\nb,3,4\nc,5,6\n"
TALL = "gene,a,b,c\nTP53,1,3,5\nMYC,2,4,6\n"


@pytest.fixture
def files(tmp_path):
    def write(table, labels):
        (tmp_path / "table.csv").write_text(table)
        (tmp_path / "labels.tsv").write_text(labels)
        return {"path": tmp_path / "table.csv", "labels": tmp_path / "labels.tsv"}

    return write


@pytest.mark.parametrize("table", [WIDE, TALL], ids=["genes in columns", "genes in rows"])
@pytest.mark.parametrize(
    ("labels", "name"),
    [("c,well\na,sick\nb,well\n", None), ("id\tstate\nb\twell\nc\twell\na\tsick\n", "state")],
    ids=["no header", "header"],
)
def test_labels_in_any_order_show_the_direction_and_are_matched(files, table, labels, name):
    read_table = read(**files(table, labels))
    assert read_table.sample_names == ("a", "b", "c")
    assert read_table.feature_names == ("TP53", "MYC")
    assert read_table.target.tolist() == ["sick", "well", "well"]
    assert read_table.target_name == name


def test_the_target_names_a_column_of_the_labels_file(files):
    table = read(**files(WIDE, "id,age,state\nb,40,well\nc,50,well\na,60,sick\n"), target="age")
    assert table.target.tolist() == [60, 40, 50]
    assert table.target_name == "age"


def test_numbered_samples_are_known_by_the_labels(files):
    table = read(**files("nr,TP53\n7,1.5\n8,2.5\n", "8,x\n7,y\n"))
    assert table.sample_names == ("7", "8")
    assert table.feature_names == ("TP53",)
    assert table.target.tolist() == ["y", "x"]


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("a,x\nb,y\n", r"1 sample of .*table.csv without a label \('c'\)"),
        ("a,x\nb,y\nc,y\nd,x\ne,x\n", r"2 labels of .*labels.tsv without a sample \('d', 'e'\)"),
        ("a,x\nb,y\nd,x\n", r"without a label \('c'\) and .*without a sample \('d'\)"),
        ("a,x\nb,y\nb,x\nc,x\n", "labels.tsv names samples more than once: 'b'"),
        ("P,x\nQ,y\n", "no sample of the labels file .*'P', 'Q'.*'TP53', 'MYC'.*'a', 'b', 'c'"),
        ("a,x\nb\nc,y\n", "line 2 has 1 cell"),
        ("id,age,state\na,1,x\nb,1,y\nc,1,y\n", "3 columns.*'state'.*target="),
        ("a\nb\nc\n", "single column"),
    ],
)
def test_labels_that_do_not_match_show_both_sides(files, labels, says):
    with pytest.raises(DataError, match=says):
        read(**files(WIDE, labels))


def test_a_target_that_the_labels_file_lacks_is_named(files):
    with pytest.raises(DataError, match=r"target 'sex' is not among .*'state'"):
        read(**files(WIDE, "id,state\na,x\nb,y\nc,y\n"), target="sex")


def test_labels_that_fit_rows_and_columns_are_refused(files):
    with pytest.raises(DataError, match="2 columns and 1 row"):
        read(**files("x,a,b\nb,1,2\nd,3,4\n", "a,x\nb,y\n"))


def test_repeated_sample_names_cannot_find_labels(files):
    with pytest.raises(DataError, match=r"table.csv names samples more than once: 'a'"):
        read(**files("sample,g\na,1\na,2\n", "a,x\nb,y\n"), genes_in="columns")


def test_labels_come_from_text_files_only(files, tmp_path):
    paths = files(WIDE, "a,x\n")
    (tmp_path / "labels.npz").write_bytes(b"x")
    with pytest.raises(DataError, match="csv, tsv or txt"):
        read(paths["path"], labels=tmp_path / "labels.npz")
