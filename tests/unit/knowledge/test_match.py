"""Which features are meant by names that are written differently."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import DataError
from holdfast.data import Table
from holdfast.knowledge import Known, match

PROBES = {"1007_s_at": "DDR1 /// MIR4640", "201746_at": "TP53", "211300_s_at": "TP53", "AFFX-x_at": "---"}
ALIASES = {"TP53": "P53|LFS1", "CDKN1A": "P21; CIP1", "TCEB1": "P21, SIII", "MYC": ["c-Myc"]}


def test_a_name_as_written_goes_before_one_of_another_case():
    matched = match({"TP53": 5, "tp53": 2, "myc": 3}, ["tp53", "TP53", "MYC"])
    assert matched.prior.tolist() == [2, 5, 3]
    assert matched.ways == {"as written": 2, "but for case": 1}


def test_case_counts_if_it_is_asked_to():
    matched = match(["tp53", "MYC"], ["TP53", "MYC"], ignore_case=False)
    assert matched.features == ("MYC",)
    assert matched.unmatched == ("tp53",)


def test_features_that_are_not_named_have_the_weight_1():
    assert match(["b"], ["a", "b", "c"]).prior.tolist() == [1, 10, 1]


def test_all_probes_of_a_gene_are_meant():
    matched = match(["tp53"], list(PROBES), probes=PROBES)
    assert matched.features == ("201746_at", "211300_s_at")


def test_a_probe_of_several_genes_has_the_largest_of_their_weights():
    assert match({"DDR1": 3, "MIR4640": 7}, list(PROBES), probes=PROBES).prior.tolist() == [7, 1, 1, 1]
    assert match({"DDR1": 7, "MIR4640": 3}, ["DDR1 /// MIR4640", "x"]).prior.tolist() == [7, 1]


def test_probes_that_are_known_are_found_among_genes():
    assert match(["201746_at"], ["TP53", "MYC"], probes=PROBES).features == ("TP53",)


@pytest.mark.parametrize("known", ["P53", "lfs1", "TP53"])
@pytest.mark.parametrize("feature", ["TP53", "LFS1", "p53"])
def test_a_gene_is_found_under_any_of_its_names(known, feature):
    assert match([known], ["x", feature], aliases=ALIASES).prior.tolist() == [1, 10]


def test_an_alias_of_several_genes_is_not_used_and_said_so():
    matched = match(["P21", "TP53"], ["CDKN1A", "TCEB1", "P53"], aliases=ALIASES)
    assert matched.features == ("P53",)
    assert matched.ambiguous == matched.unmatched == ("P21",)
    assert "alias of several genes: 'P21'" in str(matched)
    with pytest.raises(DataError, match="alias of several genes"):
        match(["P21"], ["CDKN1A", "TCEB1"], aliases=ALIASES)


def test_a_symbol_is_not_taken_for_the_alias_of_another_gene():
    aliases = {"A": "B", "B": "C"}
    assert match(["A", "C"], ["B", "x"], aliases=aliases).unmatched == ("A",)


def test_probes_named_by_alias_are_meant_beside_those_named_by_symbol():
    probes = {"1_at": "TP53", "2_at": "P53", "3_at": "MYC"}
    assert match(["TP53"], list(probes), aliases=ALIASES, probes=probes).features == ("1_at", "2_at")


@pytest.mark.parametrize(
    "text",
    [
        "symbol,aliases\nTP53,P53|LFS1\n",
        "TP53,P53;LFS1\n",
        'symbol,aliases\nTP53,"P53, LFS1"\n',
        "aliases,Approved Symbol,x\nP53|LFS1,TP53,1\n",
        "hgnc_id\tsymbol\talias_symbol\tprev_symbol\n1\tTP53\tP53\tLFS1\n",
        "#tax_id\tSymbol\tSynonyms\n9606\tTP53\tP53|LFS1\n9606\tX\t-\n",
        "symbol,alias\nTP53,P53\nTP53,LFS1\n",
        "\ufeffsymbol,aliases\r\nTP53,P53|LFS1\r\n",
    ],
)
def test_aliases_are_read_from_the_tables_people_have(tmp_path, text):
    path = tmp_path / "aliases.csv"
    path.write_text(text, newline="")
    for name in ("P53", "LFS1"):
        assert match([name], ["TP53"], aliases=path).features == ("TP53",)


@pytest.mark.parametrize(
    "text",
    [
        "probe,gene\n201746_at,TP53\n1_at,DDR1 /// MIR4640\n",
        "201746_at,TP53\n1_at,DDR1\n",
        '#%create=2016\n#%x="a,b"\n"Probe Set ID","Title","Gene Symbol"\n"201746_at","t, p","TP53"\n"1_at","","---"\n',
        "^Annotation\n!Annotation_date = 2016\n#ID = x\nID\tGene title\tGene symbol\n201746_at\tt\tTP53\n",
    ],
)
def test_probes_are_read_from_the_annotations_people_have(tmp_path, text):
    path = tmp_path / "chip.csv"
    path.write_text(text)
    assert match(["TP53"], ["1_at", "201746_at"], probes=str(path)).features == ("201746_at",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,c\n1,2,3\n", "one called 'probe' and one called 'gene'"),
        ("probe,x\n1,2\n", "one called 'probe' and one called 'gene'"),
        ("probe,gene\n1_at,TP53,x\n", "line 2 has 3 cells"),
        ("probe\n1_at\n", "single column"),
    ],
)
def test_a_map_without_its_columns_is_refused(tmp_path, text, words):
    path = tmp_path / "chip.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        match(["TP53"], ["1_at"], probes=path)


def test_a_map_that_is_none_is_refused():
    with pytest.raises(TypeError, match="aliases is a list"):
        match(["a"], ["a"], aliases=["a"])


def test_gaps_in_a_map_are_no_genes():
    probes = pd.Series({"1_at": None, "2_at": np.nan, "3_at": "NA", "4_at": "TP53", "5_at": 7157})
    assert match(["TP53", "7157"], list(probes.index), probes=probes).features == ("4_at", "5_at")


@pytest.mark.parametrize(
    ("known", "features", "words"),
    [
        (["TP53", "MYC"], ["1007_s_at", "201746_at"], r"gene symbols.*Affymetrix probes.*probes="),
        (["TP53", "MYC"], ["ILMN_1", "ILMN_2"], r"Illumina probes.*probes="),
        (["1007_s_at"], ["TP53", "MYC"], r"Affymetrix probes.*gene symbols.*probes="),
        (["TP53", "MYC"], ["ENSG00000141510", "ENSG00000136997"], "Ensembl genes.*Translate"),
        (["ENSG00000141510"], ["ENSG00000141510.16", "ENSG00000136997.3"], "version"),
        (["HLA-A"], ["HLA.A", "x"], "marks"),
        (["1007_s_at"], ["X1007_s_at", "y"], "X that R puts"),
        (["a b"], ["c d"], "aliases=.*probes="),
    ],
)
def test_nothing_in_common_is_an_error_with_examples_of_both_and_a_reason(known, features, words):
    with pytest.raises(DataError, match=words) as error:
        match(known, features)
    assert repr(known[0]) in str(error.value)
    assert repr(features[0]) in str(error.value)


def test_case_is_the_reason_if_it_was_to_count():
    with pytest.raises(DataError, match="but for case"):
        match(["tp53"], ["TP53"], ignore_case=False)


def test_the_summary_says_in_words_what_matched():
    matched = match(Known(["TP53", "MYC", "q"], "genes.txt"), ["TP53", "myc", "x"])
    assert str(matched) == "2 of 3 names match 2 of 3 features (1 as written, 1 but for case). Not found: 'q'."
    assert repr(matched) == "Matched(2 of 3 names, 2 of 3 features)"
    assert matched.weights == {"TP53": 10.0, "myc": 10.0}


def test_features_can_be_a_table_or_a_data_frame():
    X = np.eye(2)
    for features in (Table(X, ["TP53", "b"]), pd.DataFrame(X, columns=["TP53", "b"]), np.array(["TP53", "b"])):
        assert match(["TP53"], features).prior.tolist() == [10, 1]


@pytest.mark.parametrize("features", ["TP53", 3, []])
def test_features_without_names_are_refused(features):
    with pytest.raises((TypeError, ValueError), match="feature_names"):
        match(["TP53"], features)


def test_features_of_the_same_name_are_all_meant():
    assert match(["a"], ["a", "b", "a"]).prior.tolist() == [10, 1, 10]


def test_many_names_and_features_are_matched_at_once():
    names = [f"gene{i}" for i in range(60_000)]
    matched = match(names[::2], [name.upper() for name in names], aliases={name: name + "x" for name in names})
    assert len(matched.features) == 30_000


words = st.text("abAB/ |;_1", min_size=1, max_size=4).filter(str.strip)


@given(
    known=st.dictionaries(words, st.floats(0.1, 20), min_size=1, max_size=5),
    features=st.lists(words, min_size=1, max_size=6),
    aliases=st.dictionaries(words, words, max_size=3),
    probes=st.dictionaries(words, words, max_size=3),
)
def test_every_weight_is_that_of_a_known_name_and_every_name_is_found_or_not(known, features, aliases, probes):
    try:
        matched = match(known, features, aliases, probes)
    except DataError:
        assert not set(known) & set(features)
        return
    assert set(matched.prior[matched.indices]) <= set(known.values())
    assert (np.delete(matched.prior, matched.indices) == 1).all()
    assert matched.n_matched == sum(matched.ways.values()) == len(known) - len(matched.unmatched)
    for column, name in enumerate(features):
        if name in known:
            assert matched.prior[column] == known[name]
