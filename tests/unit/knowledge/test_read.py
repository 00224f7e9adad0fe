"""Names and weights from files, as people have them."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import DataError, knowledge


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_list_has_one_name_a_line_and_remarks(file):
    known = knowledge.read(file("genes.txt", "# of 2015\n\nTP53\n  MYC  \nBAX # pro-apoptotic\nTP53\nHG#1\n"))
    assert dict(known) == {"TP53": 10.0, "MYC": 10.0, "BAX": 10.0, "HG#1": 10.0}


def test_the_weight_of_a_list_can_be_chosen(file):
    assert dict(knowledge.read(file("genes.txt", "TP53\n"), weight=3)) == {"TP53": 3.0}


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf"), True, "10"])
def test_a_weight_that_is_no_positive_number_is_refused(file, weight):
    with pytest.raises(ValueError, match="weight="):
        knowledge.read(file("genes.txt", "TP53\n"), weight=weight)


@pytest.mark.parametrize(
    "raw",
    [
        "\ufeffTP53\nMYC\n".encode(),
        b"TP53\r\nMYC\r\n",
        b"TP53\rMYC",
        "TP53\nMYC".encode("utf-16"),
        b'"TP53"\n"MYC"\n',
        b"gene\nTP53\nMYC\n",
        b"\n\n  TP53\n\nMYC\n\n",
    ],
)
@pytest.mark.parametrize("name", ["genes.txt", "genes.grp", "genes", "genes.csv", "genes.tsv"])
def test_marks_line_ends_quotes_and_a_title_are_no_part_of_a_name(file, raw, name):
    assert list(knowledge.read(file(name, raw))) == ["TP53", "MYC"]


def test_a_packed_file_is_read_as_it_is(file):
    for name, text in (("a.txt", "TP53\n"), ("a.csv", "gene,weight\nTP53,10\n"), ("a.gmt", "S\tna\tTP53\n")):
        assert list(knowledge.read(file(f"{name}.gz", gzip.compress(text.encode(), mtime=0)))) == ["TP53"]


GMT = "APOPTOSIS\thttp://x\tTP53\tBAX\t\t\nCELL_CYCLE\tna\tCCND1\tTP53\nEMPTY\tna\n"


def test_all_gene_sets_are_taken_unless_some_are_chosen(file):
    path = file("sets.gmt", GMT)
    assert list(knowledge.read(path)) == ["TP53", "BAX", "CCND1"]
    assert list(knowledge.read(path, "CELL_CYCLE")) == ["CCND1", "TP53"]
    assert knowledge.read(path, ["cell_cycle", "APOPTOSIS"]).sets == ("CELL_CYCLE", "APOPTOSIS")


def test_an_unknown_gene_set_is_answered_with_the_nearest(file):
    with pytest.raises(ValueError, match=r"'CELLCYCLE' is none of the 3 sets.*'CELL_CYCLE'"):
        knowledge.read(file("sets.gmt", GMT), ["CELLCYCLE"])


@pytest.mark.parametrize("sets", [[], "", [3]])
def test_no_set_at_all_is_refused(file, sets):
    with pytest.raises(ValueError, match="sets="):
        knowledge.read(file("sets.gmt", GMT), sets)


def test_a_set_without_genes_is_refused(file):
    with pytest.raises(DataError, match=r"'EMPTY'.*without any gene"):
        knowledge.read(file("sets.gmt", GMT), "EMPTY")


def test_sets_of_a_file_that_has_none_are_refused(file):
    with pytest.raises(ValueError, match="no GMT file"):
        knowledge.read(file("genes.txt", "TP53\n"), "APOPTOSIS")


def test_a_set_that_is_there_twice_is_refused_with_its_line(file):
    with pytest.raises(DataError, match="line 2: the set 'A' is there twice"):
        knowledge.read(file("sets.gmt", "A\tna\tx\nA\tna\ty\n"))


def test_a_list_called_gmt_is_refused_with_its_line(file):
    with pytest.raises(DataError, match=r"line 1 has no tab.*\.txt"):
        knowledge.read(file("sets.gmt", "TP53\nMYC\n"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "gene,weight\nTP53,10\nMYC,2.5\n"),
        ("a.csv", "TP53,10\nMYC,2.5\n"),
        ("a.csv", "# of 2015\nTP53,10\n\nMYC,2.5\n"),
        ("a.csv", "\n" * 60 + "# of 2015\n" * 60 + "TP53,10\nMYC,2.5\n"),
        ("a.csv", 'x,y\n"TP53","10"\n"MYC"," 2.5 "\n'),
        ("a.csv", '"","gene","weight"\n"1","TP53",10\n"2","MYC",2.5\n'),
        ("a.csv", "p,weight,Gene Symbol\n0.1,10,TP53\n0.2,2.5,MYC\n"),
        ("a.csv", "beta,gene\n10,TP53\n2.5,MYC\n"),
        ("a.csv", "gene;weight\nTP53;10\nMYC;2,5\n"),
        ("a.tsv", "TP53\t10\nMYC\t2.5\n"),
        ("a.txt", "TP53\t10\nMYC\t2.5\n"),
        ("a.txt", "TP53,10\nMYC,2.5\n"),
    ],
)
def test_a_table_has_names_and_weights_with_or_without_titles(file, name, text):
    assert dict(knowledge.read(file(name, text))) == {"TP53": 10.0, "MYC": 2.5}


def test_names_that_are_numbers_stay_names(file):
    assert dict(knowledge.read(file("a.csv", "7157,10\n4609,2\n"))) == {"7157": 10.0, "4609": 2.0}
    assert list(knowledge.read(file("a.txt", "7157\n1e5\n"))) == ["7157", "1e5"]


@pytest.mark.parametrize("cell", ["0", "-1", "nan", "inf", "", "NA", "high", "1_000", "1e999"])
def test_a_weight_in_a_file_that_is_no_positive_number_is_refused_with_its_line(file, cell):
    with pytest.raises(DataError, match=r"line 3: the weight of 'MYC' is"):
        knowledge.read(file("a.csv", f"gene,weight\nTP53,10\nMYC,{cell}\n"))


def test_the_same_name_with_the_same_weight_is_fine_and_with_another_is_not(file):
    assert dict(knowledge.read(file("a.csv", "TP53,10\nTP53,10.0\n"))) == {"TP53": 10.0}
    with pytest.raises(DataError, match="'TP53' has the weight 10 in line 1 and 3 in line 2"):
        knowledge.read(file("b.csv", "TP53,10\nTP53,3\n"))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.txt", "", "empty"),
        ("a.txt", " \n\n", "empty"),
        ("a.txt", "# nothing\n", "remarks only"),
        ("a.gmt", "# nothing\n", "remarks only"),
        ("a.csv", "# nothing\n", "remarks only"),
        ("a.csv", "gene,weight\n", "no name"),
        ("a.csv", "TP53,10\n,3\n", "line 2 has no name"),
        ("a.csv", "a,b,c\nTP53,1,2\n", "3 columns"),
        ("a.csv", "TP53,1,2\nMYC,1,2\n", "3 columns and no header"),
        ("a.csv", "TP53,10\nMYC,10,3\n", "line 2 has 3 cells"),
        ("a.txt", "A\tna\tTP53\tMYC\nB\tna\tBAX\n", r"\.gmt"),
        ("a.txt", "TP53, MYC, BAX\n", "one name a line"),
        ("a.txt", b"TP53\0\n", "NUL"),
        ("a.txt", b"TP53\n\xff\xfa\n", "UTF-8"),
        ("a.csv", 'TP53,"10\n', "quote"),
        ("a.xlsx", "TP53\n", "Excel"),
        ("a.gmx", "TP53\n", "gmt"),
        ("a.txt.gz", b"\x1f\x8b123", "gzip"),
    ],
)
def test_a_file_that_says_nothing_is_refused_with_the_way_out(file, name, text, words):
    with pytest.raises(DataError, match=words) as error:
        knowledge.read(file(name, text))
    assert name in str(error.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(DataError, match=str(path)):
            knowledge.read(path)


def test_a_list_of_many_names_is_read_at_once(file):
    assert len(knowledge.read(file("a.txt", "\n".join(f"gene{i}" for i in range(200_000))))) == 200_000


cells = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=8)


@given(
    lines=st.lists(st.lists(cells, min_size=1, max_size=4), max_size=6),
    mark=st.sampled_from([",", "\t", ";", "\n", '"']),
    name=st.sampled_from(["a.txt", "a.csv", "a.tsv", "a.gmt", "a"]),
)
def test_any_text_gives_names_with_weights_or_an_error_that_says_why(tmp_path_factory, lines, mark, name):
    path = tmp_path_factory.mktemp("odd") / name
    path.write_text("\n".join(mark.join(line) for line in lines), encoding="utf-8", newline="")
    try:
        known = knowledge.read(path)
    except DataError as error:
        assert name in str(error)  # noqa: PT017
    else:
        assert all(name.strip() and weight > 0 for name, weight in known.items())


@pytest.mark.parametrize("wrong", [{"": 1.0}, {"a": 0}, {"a": True}, {3: 1.0}, [], {}, [" "]])
def test_names_made_in_python_are_checked_too(wrong):
    with pytest.raises(ValueError, match=r"name|weight"):
        knowledge.Known(wrong)


def test_a_single_name_is_no_list():
    with pytest.raises(TypeError, match="list"):
        knowledge.Known("TP53")
