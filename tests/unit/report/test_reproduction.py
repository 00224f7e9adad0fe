"""A rerun in words: Markdown, HTML, lines and CSV from one dictionary."""

import csv
import re

import pytest

from holdfast.report.reproduction import _words as words
from holdfast.report.reproduction import markdown, overview_lines, overview_markdown, overview_page, page, text, write
from holdfast.report.reproduction.page import look_of, marked
from holdfast.reproduce import cells, plan
from holdfast.reproduce.run import reproduce
from unit.reproduce.conftest import folder, row

__all__ = ["folder", "row"]


@pytest.fixture
def found(row, folder):
    return reproduce(row, data=folder, command="holdfast reproduce made-up")


def test_the_page_tells_what_when_and_by_which_command(found):
    for whole in (markdown(found), page(found), text(found)):
        assert "Han 2012: means of tables, rerun" in whole
        assert "holdfast reproduce made-up" in whole
        assert found["date"] in whole


def test_every_number_stands_beside_the_printed_one(found):
    lines = markdown(found).splitlines()
    assert "| One | table | samples | 21 | 20 | 18 … 22 | 1 | agrees | (a) |" in lines
    assert "| One | table | all | features | 4 | 4 | exact | agrees |  |" in lines
    assert "| Two | table | all | features | -4 | 4 | exact | printed value impossible | less than nothing |" in lines


@pytest.mark.parametrize(
    ("value", "told"),
    [(6.3664, "6.3664"), (569.0, "569"), (0.00001, "0.00001"), (1234.5678, "1234.5678"), (-4.0, "-4"), (0.0, "0")],
)
def test_printed_numbers_keep_all_of_their_digits(value, told):
    assert words.as_printed(value) == told


@pytest.mark.parametrize(
    ("low", "high", "printed", "told"),
    [
        (0.512344, 0.899962, 0.9, "0.5123 … 0.89996"),
        (0.512344, 0.89, 0.9, "0.5123 … 0.89"),
        (0.50000004, 0.6, 0.5, "0.50000004 … 0.6"),
        (0.899999999999999, 1.0, 0.9, "0.9 … 1"),
        (1000.4, 1200.0, 1000.0, "1000.4 … 1200"),
        (0.1, 0.1, 0.1, "exact"),
        (None, None, 0.1, "–"),
    ],
)
def test_no_printed_number_seems_to_lie_where_it_does_not(low, high, printed, told):
    assert words.interval({"low": low, "high": high, "printed": printed}) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [(6.3664, "6.366"), (81.93548, "81.94"), (12345.0, "12345"), (1234.5678, "1235"), (0.99999, "1"), (None, "–")],
)
def test_numbers_of_ours_have_at_most_four_significant_digits(value, told):
    assert words.number(value) == told


def test_a_printed_number_is_not_rounded_like_ours(found):
    found["cells"][0] |= {"printed": 20.12345, "ours": 20.12345}
    for whole in (markdown(found), re.sub("<[^>]+>", " | ", page(found))):
        assert re.search(r"\| 20\.12345 [| ]*\| 20\.12 ", whole)


def test_verdicts_and_claims_have_the_words_of_the_runs():
    assert words.VERDICTS == cells.VERDICTS
    assert words.CLAIMS == (plan.HOLDS, plan.IN_PART, plan.FAILS, plan.NOT_TESTED)
    assert tuple(words.MEANINGS) == cells.VERDICTS


def test_every_verdict_of_a_bar_has_its_square_beside_its_meaning(found):
    bars = re.findall(r'<span class="(part [a-z-]+)" style', page(found))
    squares = re.findall(r'<li><span class="(part [a-z-]+)" aria-hidden="true"></span>', page(found))
    assert squares == ["part agrees", "part better", "part impossible", "part not-run"]
    assert set(bars) == set(squares)


def test_every_look_of_a_verdict_is_drawn(found):
    css = page(found).partition("</style>")[0]
    looks = [re.search(rf"\.{look_of(kind).replace(' ', '.')} {{ background: (.*?) }}", css) for kind in words.VERDICTS]
    assert len({look[1] for look in looks}) == len(words.VERDICTS)


def test_a_table_that_is_counted_apart_as_a_whole_has_no_bar(found):
    for kind in words.VERDICTS:
        found["summary"]["tables"][0][kind] = 0
    assert "<dt>Table 1.1</dt>" not in page(found)
    assert "<dt>Table 1.2</dt>" in page(found)


def test_what_a_claim_has_in_print_stands_with_its_numbers(found):
    assert "In print" not in page(found)
    found["claims"][0] |= {"printed": "3 of them"}
    told = " ".join(re.sub("<[^>]+>", " ", page(found)).split())
    assert "1 tables have rows holds In print: 3 of them Here: 2 of them" in told
    assert "| 1 | tables have rows | 3 of them | holds | 2 of them |" in markdown(found).splitlines()


@pytest.mark.parametrize(("n_rows", "is_open"), [(15, True), (16, False)])
def test_long_tables_are_closed_at_first(found, n_rows, is_open):
    found["sections"][0]["rows"] = [["One", "1"]] * n_rows
    assert ("<details open><summary>Rows | of ours</summary>" in page(found)) == is_open


def test_a_leak_is_labelled_and_marks_are_explained(found):
    for whole in (markdown(found), page(found)):
        assert "Leaky protocol, as in print" in whole
        assert "somebody looked." in whole
        assert "smudged." in whole


def test_missing_sets_are_named(found):
    for whole in (markdown(found), page(found), text(found)):
        assert "Three: not run, no three.npz" in whole


def test_verdicts_are_counted_in_words(found):
    line = "Printed numbers, 5: agrees 2, better 1, printed value impossible 1, not run 1. Claims, 1: holds 1."
    assert line in markdown(found)
    assert line in page(found)


def test_bars_in_a_cell_do_not_break_a_table(found):
    found["sections"][0]["rows"] = [["a | b", "1"]]
    assert "| a \\| b | 1 |" in markdown(found)


def test_the_page_loads_nothing_and_runs_nothing(found):
    html = page(found)
    assert "<script" not in html
    assert not re.search(r'(src|href)="http', html)
    assert "default-src 'none'" in html


def test_names_are_not_read_as_html(found):
    found["cells"][0]["data"] = "<b>One"
    assert "&lt;b&gt;One" in page(found)
    assert "<b>One" not in page(found)


@pytest.mark.parametrize(
    ("given", "html"),
    [
        ("a **b** `c` *d*", "a <strong>b</strong> <code>c</code> <em>d</em>"),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("1 < 2", "1 &lt; 2"),
        ("[a](b/c.html)", '<a href="b/c.html">a</a>'),
        ("[a](https://b.org/c)", '<a href="https://b.org/c">a</a>'),
        ("[a](javascript:b)", "[a](javascript:b)"),
    ],
)
def test_markdown_of_a_line_becomes_html(given, html):
    assert marked(given) == html


def test_all_forms_are_written_together(found, tmp_path):
    written = write(found, tmp_path / "out")
    assert [path.name for path in written] == ["report.html", "report.md", "report.txt", "report.json", "cells.csv"]
    with open(tmp_path / "out" / "cells.csv", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 5
    assert rows[0]["verdict"] == "agrees"
    assert list(rows[0]) == list(found["cells"][0])


def test_a_run_without_printed_numbers_is_told_by_its_claims(found, tmp_path):
    found["cells"], found["summary"]["tables"] = [], []
    found["summary"]["total"] = dict.fromkeys(found["summary"]["total"], 0)
    write(found, tmp_path / "out")
    assert (tmp_path / "out" / "cells.csv").read_text().startswith("table,data,method,setting,quantity,printed,ours,")
    assert "Claims, 1: holds 1." in text(found)
    for whole in (text(found), markdown(found), page(found)):
        assert "Printed numbers" not in whole
        assert "printed value impossible" not in whole


def test_a_quick_run_says_that_it_is_one(found):
    found["is_quick"] = True
    assert "Few runs." in page(found)
    assert "--quick" in markdown(found)


@pytest.fixture
def several(found):
    """Two runs of one thesis and a run of another."""
    other = {**found, "plan": "other", "thesis": {**found["thesis"], "label": "Nobody 1900"}}
    return [found, {**found, "plan": "made-up-too"}, other]


def test_several_runs_are_counted_by_thesis(several):
    lines = overview_lines(several)
    assert lines[0].startswith("Han 2012: Printed numbers, 10: agrees 4, better 2,")
    assert lines[1].startswith("Nobody 1900: Printed numbers, 5: agrees 2, better 1,")


def test_several_runs_have_a_page_that_leads_to_each(several):
    told = overview_markdown(several, lambda plan: f"{plan}.md").splitlines()
    assert told[2].startswith(f"{len(several)} plans, Holdfast ")
    assert "few runs" not in told[2]
    assert "| [other](other.md) | means of tables | 2 | 1 | – | – | 1 | 1 | – | 1 | – | – | – |" in told
    assert (
        "| **Han 2012** |  | **4** | **2** | **–** | **–** | **2** | **2** | **–** | **2** | **–** | **–** | **–** |"
        in told
    )
    html = overview_page(several, lambda plan: f"{plan}/report.html")
    assert '<a href="other/report.html">other</a>' in html
    assert "Few runs." not in html


def test_the_page_of_several_runs_counts_numbers_and_claims_in_a_table_each(several):
    html = overview_page(several, lambda plan: f"{plan}/report.html")
    heads = [re.findall(r"<th scope=\"col\"[^>]*>([^<]+)<", table) for table in html.split("<table")[1:]]
    assert heads == [
        ["Plan", "About", "agrees", "better", "worse", "differs", "impossible", "not run", "counted apart"],
        ["Plan", "About", "holds", "holds in part", "does not hold", "not tested"],
    ]
    assert html.count('<td class="number" data-head="impossible">1</td>') == 3
    assert html.count('<td class="number" data-head="holds"><strong>2</strong></td>') == 1


def test_one_quick_run_among_several_is_told(several):
    several[1] = {**several[1], "is_quick": True}
    assert "Few runs." in overview_page(several, lambda plan: plan)
    assert "; few runs (--quick)" in overview_markdown(several, lambda plan: plan)


def test_numbers_on_which_a_verdict_says_little_are_counted_apart(found):
    cell = next(one for one in found["cells"] if one["verdict"] == "better")
    cell["apart"] = "half of the genes"
    found["summary"]["total"] = {**found["summary"]["total"], "better": 0}
    found["summary"]["apart"] = {**found["summary"]["apart"], "better": 1}
    found["summary"]["tables"][0]["apart"] = 1
    assert "counted apart: half of the genes" in markdown(found)
    lines = markdown(found).splitlines()
    assert "|  | agrees | better | worse | differs | printed value impossible | not run | counted apart |" in lines
    assert next(line for line in lines if line.startswith("| Table 1.1 ")).endswith(" | 1 |")
    assert next(line for line in lines if line.startswith("| All of made-up ")).endswith(" | 1 |")
    assert "| Those apart, for the reasons beside them | 0 | 1 | 0 | 0 | 0 | 0 |  |" in lines
    told = text(found, width=100).splitlines()
    assert told[next(at for at, line in enumerate(told) if "agrees" in line)].endswith("not run  apart")
    assert next(line for line in told if line.startswith("Table 1.1")).endswith("      1")
    for whole in (text(found), markdown(found), page(found)):
        assert "Counted apart, 1 more: better 1." in " ".join(whole.split())
