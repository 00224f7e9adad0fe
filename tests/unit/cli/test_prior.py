"""Prior knowledge on the command line."""

import json

import pytest

import holdfast as package
from unit.cli.conftest import GENES, MADE

COMMON = ("--target", "state", "-k", 4, "--repeats", 3)


@pytest.fixture
def known(tmp_path):
    path = tmp_path / "known.txt"
    path.write_text("# of 2015\nGENE05\ngene07\nTP53\n")
    return path


def selected(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("method", ["pk-mrmr", "pk-relief", "mrmr+", "relieff"])
def test_the_list_is_the_one_the_library_gives(holdfast, table, known, method):
    found = selected(holdfast("select", table, *COMMON, "-m", method, "--prior", known, "--json"))
    selector = package.selector(method, n_features_to_select=4, prior=["gene05", "gene07"])
    read = package.read(table, target="state")
    assert [feature["index"] for feature in found["selected"]] == selector.fit(read).indices_.tolist()
    frequency = package.selection_frequency(selector, read, n_runs=3).frequency[selector.indices_]
    assert [feature["frequency"] for feature in found["selected"]] == frequency.tolist()


def test_what_matched_and_what_did_not_is_said_beside_the_result(holdfast, table, known):
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", known)
    assert result.exit_code == 0
    assert "prior: 2 of 3 names match 2 of 30 features (1 as written, 1 but for case). Not found: 'TP53'." in (
        result.stderr
    )
    said = " ".join(result.stdout.split())
    assert "Prior knowledge: 2 of 3 names in known.txt speak for 2 of the features, 2 of them listed." in said
    assert "prior" not in holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", known, "-q").stderr


def test_the_json_says_what_was_known(holdfast, table, known):
    found = selected(holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", known, "--json"))
    assert found["prior"] == {
        "source": "known.txt",
        "sets": [],
        "n_names": 3,
        "n_names_matched": 2,
        "unmatched": ["TP53"],
        "n_features": 2,
        "n_selected": 2,
    }
    assert found["parameters"]["prior"] == {"gene05": 10.0, "gene07": 10.0}
    assert selected(holdfast("select", table, *COMMON, "--json"))["prior"] is None


def test_gene_sets_aliases_and_probes_are_used(holdfast, table, tmp_path):
    sets, aliases, probes = tmp_path / "s.gmt", tmp_path / "a.csv", tmp_path / "p.csv"
    sets.write_text("ONE\tna\tTP53\nTWO\tna\tMYC\tOLD\nREST\tna\tgene20\n")
    aliases.write_text("symbol,aliases\nNEW,OLD|OLDER\n")
    probes.write_text("probe,gene\ngene03,TP53 /// X\ngene04,MYC\ngene06,MYC\ngene08,NEW\n")
    options = ("-m", "pk-mrmr", "--prior", sets, "--aliases", aliases, "--probes", probes, "--json")
    found = selected(holdfast("select", table, *COMMON, *options, "--prior-sets", "ONE, two"))
    assert sorted(found["parameters"]["prior"]) == ["gene03", "gene04", "gene06", "gene08"]
    assert found["prior"]["sets"] == ["ONE", "TWO"]


def test_missing_values_can_be_filled_with_a_prior(holdfast, make_table, known):
    X = MADE.X.copy()
    X[3, 5] = float("nan")
    table = make_table(X=X)
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", known, "--impute", "median", "--json")
    assert selected(result)["selected"][0]["name"] in ("gene05", "gene07")


def test_a_method_that_takes_none_is_refused_with_those_that_do(holdfast, table, known):
    result = holdfast("select", table, *COMMON, "-m", "f-test", "--prior", known)
    assert result.exit_code == 2
    assert "f-test takes no prior knowledge" in result.stderr
    assert "pk-mrmr" in result.stderr


@pytest.mark.parametrize("flag", ["--prior-sets", "--aliases", "--probes"])
def test_a_flag_about_the_prior_without_one_is_refused(holdfast, table, known, flag):
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", flag, known)
    assert result.exit_code == 2
    assert f"{flag} {known} says how to read --prior, which is missing" in result.stderr


def test_a_name_of_prior_knowledge_without_any_warns_and_goes_on(holdfast, table):
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--json")
    assert result.stderr.count("no prior knowledge") == 1
    assert "Pass --prior FILE." in result.stderr
    plain = selected(holdfast("select", table, *COMMON, "-m", "mrmr+", "--json"))
    assert selected(result)["selected"] == plain["selected"]


def test_the_prior_is_said_once(holdfast, table, known):
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", known, "--set", "prior=gene01")
    assert result.exit_code == 2
    assert "--set prior says again what --prior says" in result.stderr


def test_a_prior_can_be_set_by_names_alone(holdfast, table):
    found = selected(holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--set", "prior=gene01,gene02", "--json"))
    assert {feature["name"] for feature in found["selected"][:2]} == {"gene01", "gene02"}


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("TP53\nMYC\n", 3, "'TP53', 'MYC'"),
        ("# nothing\n", 3, "remarks only"),
        ("1007_s_at\n201746_at\n", 3, "'gene00'"),
    ],
)
def test_a_list_that_names_no_feature_is_refused(holdfast, table, tmp_path, text, code, words):
    path = tmp_path / "other.txt"
    path.write_text(text)
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", path)
    assert result.exit_code == code
    assert words in result.stderr
    assert "--debug" not in result.stderr


def test_an_unknown_set_is_answered_with_the_nearest_in_flags(holdfast, table, tmp_path):
    path = tmp_path / "s.gmt"
    path.write_text(f"APOPTOSIS\tna\t{GENES[0]}\n")
    result = holdfast("select", table, *COMMON, "-m", "pk-mrmr", "--prior", path, "--prior-sets", "APOPTOSE")
    assert result.exit_code == 2
    assert "--prior-sets 'APOPTOSE' is none of the 1 set in s.gmt. The nearest are 'APOPTOSIS'." in result.stderr
