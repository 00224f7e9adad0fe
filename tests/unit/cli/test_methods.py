import json

import pytest

from holdfast import methods
from holdfast._citations import WORKS, bibtex, reference


def test_the_list_has_every_method_and_fits_into_80_columns(holdfast):
    lines = holdfast("methods").stdout.splitlines()
    listed = {line.split()[0] for line in lines if line.strip()}
    assert {row.name for row in methods()} <= listed
    assert max(map(len, lines)) <= 80


def test_the_list_as_json_has_every_method(holdfast):
    rows = json.loads(holdfast("methods", "--json").stdout)
    assert [row["name"] for row in rows] == [row.name for row in methods()]


@pytest.mark.parametrize("row", methods(), ids=lambda row: row.name)
def test_a_page_tells_what_when_cost_parameters_and_sources(holdfast, row):
    result = holdfast("methods", row.name)
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    for words in (row.summary, row.when, row.cost, *row.aliases, *row.selector_class.allowed):
        assert " ".join(words.split()) in said
    for key in row.references:
        assert WORKS[key].title in said


def test_an_alias_leads_to_its_method(holdfast):
    assert holdfast("methods", "ANOVA").stdout.startswith("f-test\n")


def test_an_unknown_name_offers_the_nearest(holdfast):
    result = holdfast("methods", "mrmrr")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'mrmr'" in result.stderr


def test_cite_prints_bibtex_and_nothing_else(holdfast):
    result = holdfast("methods", "mrmr+", "--cite")
    assert result.stdout == "\n\n".join(map(bibtex, ("pinoangulo2019", "peng2005"))) + "\n"


def test_cite_without_a_name_prints_each_work_once(holdfast):
    cited = holdfast("methods", "--cite").stdout
    keys = {key for row in methods() for key in row.references}
    assert all(cited.count(f"{{{key},") == 1 for key in keys)


def test_every_key_of_the_registry_has_its_work():
    assert {key for row in methods() for key in row.references} <= WORKS.keys()


@pytest.mark.parametrize("key", sorted(WORKS))
def test_a_work_is_complete(key):
    work = WORKS[key]
    assert key.rstrip("abc").endswith(str(work.year))
    assert all(work.authors)
    assert work.title in reference(key)
    entry = bibtex(key)
    assert entry.count("{") == entry.count("}")
    if work.kind == "article":
        assert work.volume
        assert work.pages
