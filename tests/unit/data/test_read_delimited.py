"""csv, tsv and txt files: what they may look like, and which way round they are."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast._errors import DataError
from holdfast.data import read

WIDE = "sample,TP53,MYC,state\na,1.5,2,sick\nb,3,,well\n"
TALL = "gene,a,b\nTP53,1.5,3\nMYC,2,NA\nstate,sick,well\n"


def write(folder, text, name="t.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def assert_same_table(one, other):
    np.testing.assert_array_equal(one.X, other.X)
    assert one.feature_names == other.feature_names
    assert one.sample_names == other.sample_names
    assert (one.target is None) == (other.target is None)
    if one.target is not None:
        assert one.target.dtype.kind == other.target.dtype.kind
        np.testing.assert_array_equal(one.target, other.target)


def assert_is_the_small_table(table):
    np.testing.assert_array_equal(table.X, [[1.5, 2], [3, np.nan]])
    assert table.feature_names == ("TP53", "MYC")
    assert table.sample_names == ("a", "b")
    assert table.target.tolist() == ["sick", "well"]
    assert table.target_name == "state"


@pytest.mark.parametrize("text", [WIDE, TALL], ids=["genes in columns", "genes in rows"])
def test_the_target_shows_where_the_genes_are(tmp_path, text):
    assert_is_the_small_table(read(write(tmp_path, text), target="state"))


@pytest.mark.parametrize("token", ["", "NA", "NaN", "nan", "null", "?", "N/A", " NA "])
def test_every_missing_token_is_read_as_missing(tmp_path, token):
    table = read(write(tmp_path, f"sample,TP53,MYC,state\na,1.5,2,sick\nb,3,{token},well\n"), target="state")
    assert_is_the_small_table(table)


@pytest.mark.parametrize(
    ("text", "name", "encoding"),
    [
        (WIDE.replace(",", "\t"), "t.tsv", "utf-8"),
        (WIDE.replace(",", "\t"), "t.txt", "utf-16"),
        (WIDE.replace(",", "\t"), "t.csv", "utf-8"),
        (WIDE.replace(",", ";"), "t.csv", "utf-8"),
        (WIDE.replace(",", ";").replace("1.5", "1,5"), "t.csv", "utf-8-sig"),
        (WIDE.replace("\n", "\r\n"), "t.csv", "utf-8-sig"),
        (WIDE.replace("\n", "\r"), "t.csv", "utf-8"),
        (WIDE.replace("TP53", '"TP53"').replace("a,", '"a",'), "T.CSV", "utf-8"),
        (WIDE.replace(",", ", "), "t.csv", "utf-8"),
        ("\n" + WIDE + "\n\n", "t.csv", "utf-8"),
        (WIDE.removesuffix("\n"), "t.csv", "utf-8"),
        # R's write.table leaves the corner out.
        (WIDE.removeprefix("sample,"), "t.csv", "utf-8"),
        ("state,sample,TP53,MYC\nsick,a,1.5,2\nwell,b,3,\n", "t.csv", "utf-8"),
    ],
)
def test_other_spellings_of_the_same_file_give_the_same_table(tmp_path, text, name, encoding):
    table = read(write(tmp_path, text, name, encoding), target="state", genes_in="columns")
    assert_is_the_small_table(table)


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv"])
def test_gzip_is_recognised_by_its_content(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(WIDE.encode(), mtime=0))
    assert_is_the_small_table(read(path, target="state"))


def test_quoted_names_may_hold_delimiters_quotes_and_line_ends(tmp_path):
    text = 'sample,"TP53, long","a ""b""","two\nlines"\nx,1,2,3\n'
    table = read(write(tmp_path, text), genes_in="columns")
    assert table.feature_names == ("TP53, long", 'a "b"', "two\nlines")
    assert table.X.tolist() == [[1, 2, 3]]


def test_decimal_commas_reach_the_first_column_and_the_target(tmp_path):
    table = read(write(tmp_path, "TP53;MYC;y\n1,5;2,5;0,5\n3,5;4;1\n"), target="y", genes_in="columns")
    assert table.X.tolist() == [[1.5, 2.5], [3.5, 4]]
    assert table.target.tolist() == [0.5, 1]


def test_mixed_decimal_marks_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"line 3.*decimal comma.*decimal point"):
        read(write(tmp_path, "sample;TP53\na;1,5\nb;2.5\n"), genes_in="columns")


def test_a_numeric_first_column_is_a_feature(tmp_path):
    table = read(write(tmp_path, "TP53,MYC\n1,2\n3,4\n"), genes_in="columns")
    assert table.feature_names == ("TP53", "MYC")
    assert table.sample_names == ("s1", "s2")
    assert table.X.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("name", ["", "id", "Sample_ID", "Unnamed: 0", "index"])
def test_a_numbered_first_column_with_the_name_of_an_index_names_the_samples(tmp_path, name):
    table = read(write(tmp_path, f"{name},MYC\n1,2\n2,4\n"), genes_in="columns")
    assert table.feature_names == ("MYC",)
    assert table.sample_names == ("1", "2")


@pytest.mark.parametrize(
    ("labels", "expected", "kind"),
    [
        ("1 0", [1, 0], "i"),
        ("+1 -1", [1, -1], "i"),
        ("0.5 2", [0.5, 2], "f"),
        ("01 02", ["01", "02"], "U"),
        ("1 b", ["1", "b"], "U"),
        ("1_0 2", ["1_0", "2"], "U"),
        ("x NA", ["x", ""], "U"),
    ],
)
def test_labels_are_numbers_only_if_all_are_plain_numbers(tmp_path, labels, expected, kind):
    first, second = labels.split()
    table = read(write(tmp_path, f"sample,MYC,y\na,1,{first}\nb,2,{second}\n"), target="y")
    assert table.target.dtype.kind == kind
    assert table.target.tolist() == expected


names = st.text("abcXYZ019_.-", min_size=1, max_size=6).map(lambda text: "n" + text)
cells = st.one_of(st.floats(-1e6, 1e6), st.just(float("nan")))


@st.composite
def tables(draw):
    genes = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    samples = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    values = [[draw(cells) for _ in genes] for _ in samples]
    labels = [draw(st.sampled_from(["sick", "well", "1"])) for _ in samples]
    return genes, samples, values, labels, draw(st.integers(0, len(genes)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=tables(), first=st.sampled_from(["sample", "", "whatever", "the target"]))
def test_a_transposed_file_gives_the_same_table(tmp_path, made, first):
    genes, samples, values, labels, place = made
    lines = [
        ["id" if first == "the target" else first, *genes],
        *([s, *v] for s, v in zip(samples, values, strict=True)),
    ]
    at = 0 if first == "the target" else place + 1
    for line, label in zip(lines, ["THE CLASS", *labels], strict=True):
        line.insert(at, label)
    texts = [["" if cell != cell else str(cell) for cell in line] for line in lines]
    wide = write(tmp_path, "\n".join(map(",".join, texts)), "wide.csv")
    tall = write(tmp_path, "\n".join(map(",".join, zip(*texts, strict=True))), "tall.csv")
    one = read(wide, target="THE CLASS", genes_in="columns")
    assert_same_table(one, read(tall, target="THE CLASS", genes_in="rows"))
    assert one.feature_names == tuple(genes)
    np.testing.assert_array_equal(one.X, values)


def test_a_transposed_file_without_sample_names_gives_the_same_table(tmp_path):
    wide = read(write(tmp_path, "g,h\n1.5,2\n3,4\n5,6\n"), genes_in="columns")
    assert_same_table(wide, read(write(tmp_path, "g,1.5,3,5\nh,2,4,6\n"), genes_in="rows"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y,g,h\nsick,1,2\nsick,3,4\nwell,5,6\n", ("g", "h")),
        ("y,g,h\n0.1,1,2\n0.2,3,4\n0.3,5,6\n", ("g", "h")),
        ("y,sick,sick,well\nid,a,b,c\ng,1,2,3\nh,4,5,6\n", ("g", "h")),
    ],
)
def test_a_target_in_the_first_cell_is_told_apart_by_its_labels(tmp_path, text, expected):
    table = read(write(tmp_path, text), target="y")
    assert table.feature_names == expected
    assert len(table) == 3


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (WIDE, {}, "2 rows .*'a'.*3 columns .*genes_in='rows'"),
        ("x,y,b\ny,1,2\nc,3,4\n", {"target": "y"}, "a column and of a row"),
        ("y,g,h\na,1,2\nb,3,4\n", {"target": "y"}, "very first cell"),
        (WIDE, {"target": "State"}, "target 'State' is not among the columns and rows. Did you mean 'state'"),
        (TALL, {"target": "state", "genes_in": "columns"}, "not among the columns.*genes_in='rows'"),
        (WIDE, {"target": "state", "genes_in": "rows"}, "not among the rows.*genes_in='columns'"),
        ("s,y,y\na,1,2\n", {"target": "y"}, "2 columns named 'y'"),
        ("s,a,b\ny,1,2\ny,3,4\n", {"target": "y"}, "two rows named 'y'"),
    ],
)
def test_doubt_about_the_direction_is_an_error(tmp_path, text, options, says):
    with pytest.raises(DataError, match=says):
        read(write(tmp_path, text), **options)


@pytest.mark.parametrize("genes_in", ["columns", "rows"])
def test_a_cell_that_is_no_number_is_named_with_sample_and_feature(tmp_path, genes_in):
    lines = [
        ["id", "g1", "g2", "g3"],
        ["s1", "1", "2", "3"],
        ["s2", "4", "high", "6"],
        ["s3", "7", "8", "1_0"],
    ]
    if genes_in == "rows":
        lines = list(zip(*lines, strict=True))
    path = write(tmp_path, "\n".join(map(",".join, lines)))
    with pytest.raises(DataError, match="2 cells are not numbers") as caught:
        read(path, genes_in=genes_in)
    first, sample, feature = ("'high'", "'s2'", "'g2'")
    assert f"{first} in sample {sample}, feature {feature}" in str(caught.value)
    assert "t.csv" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,batch,g\na,x,1\nb,y,2\nc,x,3\n", "1 feature holds text .*'batch'.*'x' in sample 'a'"),
        (
            "batch,g\nx,1\ny,2\nx,3\n",
            r"first column, 'batch', holds text that repeats \('x'\).*target='batch'",
        ),
        ("g,h\n1,1\n2,2\noops,3\n", "first column, 'g', holds numbers and 1 text such as 'oops'"),
        ("id,g\na,1\nb,2,3\n", "line 3 has 3 cells, but the first line has 2"),
        ('id,g\n"a,1\nb,2\n', "line 2: a quote"),
        ("id\na\n", "single column"),
        ("id,g\n", "single line"),
        ("\n\n", "empty"),
        ("id\tg\na\t1,5\nb\t2\nc\t3\n", "'1,5'.*decimal point"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path, text, says):
    with pytest.raises(DataError, match=says):
        read(write(tmp_path, text), genes_in="columns")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        pytest.param("none.csv", None, "does not exist", id="no file"),
        pytest.param(".", None, "is a folder", id="folder"),
        pytest.param("t.xlsx", b"abc", r"extension '.xlsx'.*\.csv", id="extension"),
        pytest.param("t.csv", b"", r"empty \(0 bytes\)", id="empty"),
        pytest.param("t.csv", b"id,g\na,\xb5\n", "line 2: byte 0xb5 is not UTF-8", id="latin-1"),
        pytest.param("t.csv", b"id,g\na,\x001\n", "NUL", id="NUL"),
        pytest.param("t.csv.gz", gzip.compress(b"id,g\na,1\n" * 99, mtime=0)[:-20], "damaged gzip", id="cut gzip"),
        pytest.param("t.npz.gz", b"abc", "extension", id="double extension"),
    ],
)
def test_a_file_that_cannot_be_opened_says_why(tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=says):
        read(tmp_path / name, genes_in="columns")


@pytest.mark.parametrize("genes_in", ["columns", "rows"])
def test_a_feature_of_nothing_but_true_and_false_is_read_as_one_and_zero(tmp_path, genes_in):
    lines = [["id", "smoker", "g"], ["a", "TRUE", "2.5"], ["b", "False", "3"], ["c", "NA", "4"], ["d", " true", "5"]]
    if genes_in == "rows":
        lines = list(zip(*lines, strict=True))
    table = read(write(tmp_path, "\n".join(map("\t".join, lines)), name="t.tsv"), genes_in=genes_in)
    np.testing.assert_array_equal(table.X, [[1, 2.5], [0, 3], [np.nan, 4], [1, 5]])
    assert table.feature_names == ("smoker", "g")


def test_a_first_column_of_true_and_false_is_a_feature(tmp_path):
    table = read(write(tmp_path, "smoker,g\nTRUE,1\nFALSE,2\nTRUE,3\n"), genes_in="columns")
    np.testing.assert_array_equal(table.X, [[1, 1], [0, 2], [1, 3]])


@pytest.mark.parametrize("genes_in", ["columns", "rows"])
@pytest.mark.parametrize("other", ["1", "maybe"])
def test_true_beside_anything_else_is_no_number(tmp_path, genes_in, other):
    lines = [["id", "g", "smoker"], ["a", "1", other], ["b", "2", "5"], ["c", "3", "True"], ["d", "4", "6"]]
    if genes_in == "rows":
        lines = list(zip(*lines, strict=True))
    first, sample = ("'True'", "'c'") if other == "1" else ("'maybe'", "'a'")
    with pytest.raises(DataError, match=f"first {first} in sample {sample}, feature 'smoker'"):
        read(write(tmp_path, "\n".join(map(",".join, lines))), genes_in=genes_in)


def test_a_target_of_true_and_false_stays_text(tmp_path):
    assert read(write(tmp_path, "id,g,y\na,1,TRUE\nb,2,FALSE\n"), target="y").target.tolist() == ["TRUE", "FALSE"]


def test_a_wrong_direction_is_a_parameter_error(tmp_path):
    with pytest.raises(ValueError, match="genes_in='both'") as caught:
        read(write(tmp_path, WIDE), genes_in="both")
    assert not isinstance(caught.value, DataError)
