"""Broken and odd files end in a Table or in a DataError that a person understands, and in nothing else."""

from __future__ import annotations

import gzip
import io

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from holdfast._errors import DataError
from holdfast.data import Table, read, screen

TABLE = "id,TP53,MYC,state\na,1.5,2,sick\nb,3,4,well\nc,5,6,sick\n"


UNCLOSED = TABLE.replace("b,", '"b,')
LOTS = 70_000
MANY_NAMES = ",".join(f"g{j}" for j in range(LOTS))


def packed(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def matlab(**variables):
    from scipy.io import savemat

    stream = io.BytesIO()
    savemat(stream, variables)
    return stream.getvalue()


def parquet(columns):
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


NPZ = packed(X=np.eye(3), y=np.arange(3))
MAT = matlab(X=np.eye(3), Y=np.arange(3.0))
PARQUET = parquet({"id": ["a", "b"], "g": [1.0, 2.0], "state": ["x", "y"]})
ARFF = "@relation r\n@attribute g real\n@attribute state {x,y}\n@data\n1,x\n2,y\n"
RUBBISH = bytes(np.random.default_rng(0).integers(0, 256, 4000, dtype=np.uint8))

# Name of the file, its content, and either the shape it is read as or words of the error.
ODD = {
    "byte order mark": ("t.csv", "\ufeff" + TABLE, (3, 2)),
    "old Mac line ends": ("t.csv", TABLE.replace("\n", "\r"), (3, 2)),
    "UTF-16 from Excel": ("t.txt", TABLE.replace(",", "\t").encode("utf-16"), (3, 2)),
    "decimal commas": ("t.csv", TABLE.replace(",", ";").replace(".", ","), (3, 2)),
    "decimal commas all over a comma file": ("t.csv", "id,state\na,1,5\nb,2,5\n", "line 2 has 3 cells"),
    "decimal commas in a comma file": ("t.csv", TABLE.replace("1.5", "1,5"), "line 2 has 5 cells"),
    "mixed decimal marks": ("t.csv", TABLE.replace(",", ";").replace("b;3", "b;3,5"), "decimal comma"),
    "thousands separators": ("t.tsv", TABLE.replace(",", "\t").replace("1.5", "1,500"), "thousands"),
    "short line": ("t.csv", TABLE.replace("b,3,4", "b,3"), "line 3 has 3 cells"),
    "long line": ("t.csv", TABLE.replace("b,3", "b,3,3"), "line 3 has 5 cells"),
    "blank lines": ("t.csv", TABLE.replace("\n", "\n\n"), (3, 2)),
    "trailing delimiters": ("t.csv", TABLE.replace("\n", ",\n"), (3, 3)),
    "duplicate names": ("t.csv", TABLE.replace("MYC", "TP53"), (3, 2)),
    "empty names": ("t.csv", TABLE.replace("MYC", ""), (3, 2)),
    "Excel names": ("t.csv", TABLE.replace("MYC", "2-Sep"), (3, 2)),
    "mixed types": ("t.csv", TABLE.replace("4", "four"), "'four' in sample 'b', feature 'MYC'"),
    "spreadsheet errors": ("t.csv", TABLE.replace("4", "#DIV/0!"), "'#DIV/0!'"),
    "a minus sign that is none": ("t.csv", TABLE.replace("4", "\u22124"), "sample 'b', feature 'MYC'"),
    "numbers with underscores": ("t.csv", TABLE.replace("4", "4_000"), "'4_000'"),
    "one sample": ("t.csv", "id,TP53,state\na,1,sick\n", (1, 1)),
    "one class": ("t.csv", TABLE.replace("well", "sick"), (3, 2)),
    "all missing": ("t.csv", "id,TP53,state\na,,x\nb,NA,y\n", (2, 1)),
    "no labels": ("t.csv", "id,TP53,state\na,1,\nb,2,\n", (2, 1)),
    "infinities": ("t.csv", TABLE.replace("4", "-Inf").replace("6", "1e999"), (3, 2)),
    "header only": ("t.csv", "id,TP53,state\n", "single line"),
    "empty": ("t.csv", "", "empty"),
    "white space": ("t.csv", " \n\t\n", "empty"),
    "one column": ("t.csv", "state\nsick\nwell\n", "single column"),
    "target only": ("t.csv", "id,state\na,sick\nb,well\n", "no features"),
    "delimiters only": ("t.csv", ",,,\n,,,\n", "target 'state' is not among"),
    "no target": ("t.csv", TABLE.replace("state", "stage"), "Did you mean 'stage'"),
    "two targets": ("t.csv", TABLE.replace("MYC", "state"), "2 columns named 'state'"),
    "target in both directions": ("t.csv", TABLE.replace("b,", "state,"), "column and of a row"),
    "unclosed quote": ("t.csv", TABLE.replace("b,", '"b,'), "line 3: a quote"),
    "unclosed quote in a long file": ("t.csv", UNCLOSED + "d,7,8,sick\n" * 20_000, "line 3: a quote"),
    "text after a quote": ("t.csv", TABLE.replace("b,", '"b"b,'), "line 3: a quote"),
    "NUL bytes": ("t.csv", TABLE.replace("4", "4\0"), "NUL"),
    "latin-1 bytes": ("t.csv", TABLE.replace("b", "\u00b5").encode("latin-1"), "line 3: byte 0xb5"),
    "half a UTF-16 character": ("t.csv", TABLE.encode("utf-16")[:-1], "UTF"),
    "gzip without saying so": ("t.csv", gzip.compress(TABLE.encode(), mtime=0), (3, 2)),
    "truncated gzip": ("t.csv.gz", gzip.compress(TABLE.encode(), mtime=0)[:-9], "damaged gzip"),
    "gzip with a wrong checksum": ("t.csv.gz", gzip.compress(TABLE.encode(), mtime=0)[:-8] + b"wrongsum", "damaged"),
    "gzip of rubbish": ("t.csv.gz", gzip.compress(RUBBISH, mtime=0), "t.csv.gz"),
    "gzip that is none": ("t.csv.gz", TABLE, (3, 2)),
    "rubbish as csv": ("t.csv", RUBBISH, "t.csv"),
    "rubbish as npz": ("t.npz", RUBBISH, "could not be read as a numpy archive"),
    "rubbish as mat": ("t.mat", RUBBISH, "could not be read as a MATLAB file"),
    "rubbish as parquet": ("t.parquet", RUBBISH, "could not be read as a parquet file"),
    "rubbish as h5ad": ("t.h5ad", RUBBISH, "h5ad"),
    "rubbish as arff": ("t.arff", RUBBISH, "t.arff"),
    "csv as npz": ("t.npz", TABLE, "numpy archive"),
    "csv as arff": ("t.arff", TABLE, "no @data"),
    "csv as mat": ("t.mat", TABLE, "MATLAB"),
    "npz as csv": ("t.csv", NPZ, "t.csv"),
    "pickle in npz": ("t.npz", packed(X=np.array([[{}]], dtype=object)), "Python objects"),
    "text in npz": ("t.npz", packed(X=np.array([["a"]]), state=np.array([1])), "not numbers"),
    "empty npz": ("t.npz", packed(X=np.zeros((0, 5)), state=np.zeros(0)), r"shape \(0, 5\)"),
    "truncated npz": ("t.npz", NPZ[:-30], "numpy archive"),
    "truncated mat": ("t.mat", MAT[:-30], "MATLAB"),
    "mat of cells": ("t.mat", matlab(X=np.array([["a", 1]], dtype=object), state=[1]), "t.mat"),
    "truncated parquet": ("t.parquet", PARQUET[:-30], "parquet"),
    "parquet without rows": ("t.parquet", parquet({"g": [], "state": []}), "0 rows"),
    "parquet of lists": ("t.parquet", parquet({"i": ["a"], "g": [[1]], "state": ["x"]}), "feature 'g'"),
    "arff without attributes": ("t.arff", "@relation r\n@data\n1\n", "no @attribute"),
    "arff without rows": ("t.arff", "@attribute g real\n@attribute state {x,y}\n@data\n", "0 samples"),
    "arff of classes only": ("t.arff", "@attribute state {x,y}\n@data\nx\n", "0 features"),
    "arff with an unclosed name": ("t.arff", ARFF.replace("g real", "'g real"), "t.arff"),
    "arff with a short row": ("t.arff", ARFF + "3\n", "line 7 has 1 value"),
    "arff with an empty level list": ("t.arff", ARFF.replace("{x,y}", "{}"), "type '{}'"),
    "other extension": ("t.xlsx", RUBBISH, "extension"),
    "no extension": ("table", TABLE, "extension"),
    "70,000 columns": ("t.csv", f"id,state,{MANY_NAMES}\na,x{',1' * LOTS}\nb,y{',2' * LOTS}\n", (2, LOTS)),
    "70,000 rows": ("t.csv", "id,a,b\nstate,x,y\n" + "".join(f"g{j},1,2\n" for j in range(LOTS)), (2, LOTS)),
    "a cell of a megabyte": ("t.csv", TABLE.replace("4", "4" * 1_000_000), (3, 2)),
    "a name of a megabyte": ("t.csv", TABLE.replace("MYC", "M" * 1_000_000), (3, 2)),
}  # fmt: skip


def outcome(path, **options):
    """The Table, screened, or the DataError; anything else fails the test by itself."""
    try:
        table = read(path, **options)
    except DataError as error:
        return error
    screen(table)
    return table


def assert_is_clear(error, path):
    message = str(error)
    assert path.name in message
    assert len(message) < 1500
    assert "\n" not in message
    assert "Traceback" not in message


@pytest.mark.parametrize("case", ODD)
def test_an_odd_file_is_read_or_refused_in_plain_words(tmp_path, case):
    name, content, expected = ODD[case]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    result = outcome(path, target="state")
    if isinstance(expected, tuple):
        assert isinstance(result, Table), result
        assert result.X.shape == expected
    else:
        assert isinstance(result, DataError), result
        assert_is_clear(result, path)
        assert result.args[0] == str(result)
        with pytest.raises(DataError, match=expected):
            raise result


@pytest.mark.parametrize(("name", "whole"), [("t.npz", NPZ), ("t.mat", MAT), ("t.parquet", PARQUET)])
def test_a_binary_file_cut_anywhere_is_read_or_refused(tmp_path, name, whole):
    path = tmp_path / name
    for length in range(1, len(whole), max(1, len(whole) // 25)):
        path.write_bytes(whole[:length])
        result = outcome(path, genes_in="columns")
        if isinstance(result, DataError):
            assert_is_clear(result, path)


pieces = st.lists(
    st.sampled_from(
        [",", ";", "\t", "\n", '"', "'", "state", "a", "b", "1", "2.5", "1,5", "NA", "{", "}", " ", "é", "-"]
    ),
    max_size=40,
).map("".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=pieces,
    options=st.sampled_from([{}, {"target": "state"}, {"genes_in": "rows"}, {"genes_in": "columns"}]),
)
@example(text="state,state\nstate,state\n", options={"target": "state"})
@example(text='""\n""\n', options={})
def test_any_scramble_of_a_table_is_read_or_refused(tmp_path, text, options):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    result = outcome(path, **options)
    if isinstance(result, DataError):
        assert_is_clear(result, path)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=pieces, head=st.sampled_from(["", "@data\n", ARFF, ARFF.partition("1,x")[0]]))
def test_any_scramble_of_an_arff_file_is_read_or_refused(tmp_path, body, head):
    path = tmp_path / "t.arff"
    path.write_text(head + body, encoding="utf-8")
    result = outcome(path)
    if isinstance(result, DataError):
        assert_is_clear(result, path)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(labels=pieces)
def test_any_scramble_of_a_labels_file_is_matched_or_refused(tmp_path, labels):
    (tmp_path / "t.csv").write_text("id,g\na,1\nb,2\n")
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    result = outcome(tmp_path / "t.csv", labels=tmp_path / "labels.csv")
    if isinstance(result, DataError):
        assert ".csv" in str(result)
