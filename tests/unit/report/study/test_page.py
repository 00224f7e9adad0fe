"""A study as a page: what its HTML holds, without a browser."""

from __future__ import annotations

import base64
import gzip
import json
import re
from functools import cache
from hashlib import sha256
from html import unescape

import pytest

from holdfast.report.study import page
from unit.report.study.examples import ALL, HOSTILE, empty, usual


def _data(html):
    packed = re.search(r'id="data">([^<]*)<', html).group(1)
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def _without_packed(html):
    return re.sub(r'(id="(data|plotly)">)[^<]*', r"\1", html)


@cache
def _page(name):
    return page(ALL[name]())


@pytest.fixture(scope="module")
def html():
    return _page("usual")


@pytest.fixture(scope="module")
def data(html):
    return _data(html)


def test_the_page_of_a_usual_study_is_small_enough_to_mail(html):
    assert len(html.encode()) < 2_500_000


def test_nothing_in_the_page_points_outside(html):
    body = _without_packed(html)
    assert "default-src 'none'" in body
    assert not re.search(r"(src|href)=\"(?!#)", body)
    assert "http://" not in body
    assert "https://" not in body
    assert "unsafe-inline'; img-src" in body


def test_the_policy_lets_only_the_scripts_of_the_page_run(html):
    allowed = re.search(r"script-src ([^;]*);", html).group(1).split()
    scripts = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    library = gzip.decompress(base64.b64decode(re.search(r'id="plotly">([^<]*)<', html).group(1)))
    hashes = [base64.b64encode(sha256(code).digest()).decode() for code in [*(s.encode() for s in scripts), library]]
    assert allowed == [f"'sha256-{found}'" for found in hashes]


@pytest.mark.parametrize("name", ["hostile", "incomplete", "empty", "tuned", "minimal"])
def test_every_study_becomes_a_page(name):
    found = _page(name)
    assert found.startswith("<!doctype html>")
    assert found.rstrip().endswith("</html>")
    assert ">None<" not in found


def test_every_chart_has_a_view_for_each_choice_on_both_backgrounds(data):
    charts = data["charts"]
    assert {name: len(chart["views"]) for name, chart in charts.items()} == {
        "trade_off": 12,
        "score_by_size": 12,
        "stability_across_sizes": 7,
        "chosen_features": 16,
        "heat_map": 1,
        "agreement_of_methods": 1,
        "times": 1,
        "critical_difference": 1,
    }
    for chart in charts.values():
        for view in chart["views"].values():
            assert view["caption"]
            assert view["light"]["layout"]["paper_bgcolor"] != view["dark"]["layout"]["paper_bgcolor"]
            assert "title" not in view["light"]["layout"]


def test_the_first_view_of_the_features_is_the_recommended_list(html):
    methods, sizes = (
        re.search(r'data-chart="chosen_features".*?<div class="drawing', html, re.DOTALL)
        .group(0)
        .split("</select>")[:2]
    )
    assert re.findall(r"<option>(.*?)</option>", methods) == ["f-test", "mrmr+", "svm-rfe", "relieff"]
    assert re.findall(r"<option>(.*?)</option>", sizes) == ["20", "5", "10", "50"]


def test_the_results_are_there_without_scripts(html):
    study = usual()
    table = re.search(r'data-table="results".*?</table>', html, re.DOTALL).group(0)
    assert table.count("<tr") == 1 + len(study["results"])
    best = max(study["results"], key=lambda row: row["accuracy"]["mean"])["accuracy"]
    first = re.search(r"<tbody>\s*(<tr.*?</tr>)", table, re.DOTALL).group(1)
    assert f"{best['mean']:.3f} [{best['low']:.2f}, {best['high']:.2f}]" in first
    assert '<tr class="marked"><th scope="row" class="text">f-test</th><td class="size">20</td>' in table


def test_tables_tell_their_parts_to_a_screen_reader(html):
    tables = re.findall(r"<table>.*?</table>", html, re.DOTALL)
    assert len(tables) == 4
    for table in tables:
        assert re.search(r"<caption><span>[^<]+", table)
        assert 'scope="col"' in table
        assert 'scope="row"' in table


def test_the_feature_table_starts_with_the_recommended_list(data):
    rows = data["tables"]["features"]["rows"]
    assert len(rows) == 16 * 150
    assert [row[0] for row in rows[:20]] == usual()["recommendation"]["features"]
    assert rows[0][1:3] == ["f-test", 20]


def test_a_study_that_is_not_finished_says_so_before_the_recommendation():
    found = _page("incomplete")
    assert found.index("120 of 404 parts are done") < found.index('id="recommendation"')


def test_warnings_stand_before_the_recommendation(html):
    assert html.index("only 7 samples of the class") < html.index('id="recommendation"')


def test_a_study_without_results_says_that_there_is_no_recommendation():
    assert "There is no recommendation" in _page("empty")


def test_parts_a_study_does_not_have_are_left_out():
    found = _page("minimal")
    for part in ("heat-map", "agreement", "tests", "sizes"):
        assert f'id="{part}"' not in found
        assert f'href="#{part}"' not in found


def test_a_chart_that_cannot_be_drawn_says_why():
    view = _data(_page("minimal"))["charts"]["trade_off"]["views"]["0,0"]
    assert "light" not in view
    assert "stability" in view["caption"] or "nogueira" in view["caption"]


def test_a_tuned_size_has_a_list_for_each_classifier():
    table = _data(_page("tuned"))["tables"]["features"]
    at = [column["key"] for column in table["columns"]].index("classifier")
    assert {row[at] for row in table["rows"]} == {None, "svm", "knn", "nb"}


def test_names_are_text_and_never_markup():
    body = _without_packed(_page("hostile"))
    assert body.count("<script") == 4
    assert "<img" not in body
    assert unescape(body).count(HOSTILE[0]) > 3


@pytest.mark.parametrize(("theme", "mark"), [("auto", "auto"), ("light", "light"), ("dark", "dark")])
def test_the_theme_is_written_on_the_page(theme, mark):
    assert f'<html lang="en" data-theme="{mark}">' in page(empty(), theme=theme)


def test_an_unknown_theme_is_refused_with_what_is_allowed():
    with pytest.raises(ValueError, match=r"theme='pink' is not known\. Allowed: 'auto', 'light', 'dark'"):
        page(empty(), theme="pink")


@pytest.mark.slow
def test_the_largest_study_still_gives_a_page_below_five_megabytes():
    assert len(page(ALL["many_methods"]()).encode()) < 5_000_000
