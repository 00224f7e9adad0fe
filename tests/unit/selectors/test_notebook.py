"""What a selector shows in a notebook."""

from __future__ import annotations

import warnings
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import holdfast
from holdfast import EnsembleSelector, FTest, NothingSelected, StabilitySelector
from holdfast.selectors._notebook import chosen_html
from oracles import datasets
from oracles.datasets import build, fit

every_method = pytest.mark.parametrize("method", holdfast.methods(), ids=lambda method: method.name)
_EMPTY = ("br", "img", "input", "hr", "meta", "link", "path", "circle", "line", "polyline")


class _Page(HTMLParser):
    """Rows of the tables, the text of the rest, and whether all that opens closes."""

    def __init__(self, html):
        super().__init__()
        self.open, self.rows, self.text, self.scopes = [], [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in _EMPTY:
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.scopes.append(dict(attrs).get("scope"))

    def handle_endtag(self, tag):
        if tag not in _EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        else:
            self.text.append(data)


def page_of(selector):
    page = _Page(chosen_html(selector))
    assert page.open == []
    return page


@pytest.fixture
def wide(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 60))
    X[:, :3] += 3 * y[:, np.newaxis]
    return pd.DataFrame(X, columns=[f"gene{j}" for j in range(60)]), y


@every_method
def test_every_method_shows_what_it_chose_in_its_order(method, seed):
    data = datasets.suited(method, datasets.continuous(seed))
    fitted = fit(build(method, 4), data.frame, data.y)
    rows = page_of(fitted).rows[1:]
    assert [row[1] for row in rows] == data.names[fitted.indices_].tolist()
    assert [row[0] for row in rows] == [str(rank) for rank in range(1, len(rows) + 1)]


@every_method
def test_a_selector_without_a_fit_shows_the_diagram_alone(method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        selector = method.build()
    assert chosen_html(selector) == ""
    assert "holdfast-chosen" not in selector._repr_mimebundle_()["text/html"]
    assert "holdfast-chosen" not in selector._repr_html_()


def test_the_table_comes_once_after_the_diagram_in_both_ways_of_asking(wide):
    fitted = FTest(3).fit(*wide)
    for html in (fitted._repr_html_(), fitted._repr_mimebundle_()["text/html"]):
        diagram, _, table = html.partition('<div class="holdfast-chosen"')
        assert "sk-container" in diagram
        assert table.count("<caption") == 1
        assert "holdfast-chosen" not in table


def test_the_text_of_the_bundle_is_that_of_scikit_learn(wide):
    assert FTest(3).fit(*wide)._repr_mimebundle_()["text/plain"] == "FTest(n_features_to_select=3)"


def test_a_display_of_text_leaves_out_all_html(wide):
    fitted = FTest(3).fit(*wide)
    with sklearn.config_context(display="text"):
        assert list(fitted._repr_mimebundle_()) == ["text/plain"]
        assert not hasattr(fitted, "_repr_html_")


def test_a_long_list_stops_at_thirty_and_says_how_many_more(wide):
    page = page_of(FTest(50).fit(*wide))
    assert len(page.rows) == 1 + 30
    assert "and 20 more" in page.text


@pytest.mark.parametrize("n_chosen", [1, 30])
def test_a_list_that_fits_says_nothing_of_more(wide, n_chosen):
    page = page_of(FTest(n_chosen).fit(*wide))
    assert len(page.rows) == 1 + n_chosen
    assert not any("more" in text for text in page.text)


def test_the_heading_counts_the_features(wide):
    assert "FTest chose 3 of 60 features" in page_of(FTest(3).fit(*wide)).text


def test_names_of_features_are_escaped(wide):
    X, y = wide
    names = ["<script>alert(1)</script>", 'a"b&c', *X.columns[2:]]
    fitted = FTest(60).fit(X.set_axis(names, axis=1), y)
    html = chosen_html(fitted)
    assert "<script" not in html
    shown = [row[1] for row in page_of(fitted).rows]
    assert names[0] in shown
    assert names[1] in shown


def test_columns_without_names_are_numbered_as_scikit_learn_does(wide):
    X, y = wide
    fitted = FTest(3).fit(X.to_numpy(), y)
    assert [row[1] for row in page_of(fitted).rows[1:]] == [f"x{j}" for j in fitted.indices_]


def test_scores_are_those_of_the_fit(wide):
    fitted = FTest(3).fit(*wide)
    assert [row[2] for row in page_of(fitted).rows[1:]] == [f"{v:.4g}" for v in fitted.scores_[fitted.indices_]]


def test_runs_show_how_often_each_feature_came_and_how_far_they_agree(wide):
    fitted = StabilitySelector(selector="f-test", list_size=4, n_runs=10).fit(*wide)
    page = page_of(fitted)
    assert page.rows[0] == ["Rank", "Feature", "Score", "Share of runs"]
    assert [row[3] for row in page.rows[1:]] == [f"{100 * v:.0f} %" for v in fitted.frequency_[fitted.indices_]]
    low, high = fitted.stability_interval_
    assert any(f"Stability {fitted.stability_:.2f} (95 % interval {low:.2f} to {high:.2f})" in t for t in page.text)


def test_a_single_run_shows_no_stability(wide):
    fitted = EnsembleSelector(3, selector="f-test", perturb=None).fit(*wide)
    assert not any("Stability" in text for text in page_of(fitted).text)


def test_notes_and_the_meaning_of_scores_are_under_the_table(wide):
    fitted = StabilitySelector(selector="f-test", list_size=4, n_runs=10).fit(*wide)
    text = page_of(fitted).text
    assert "Score: share of the runs that chose the feature." in text
    assert all(note in text for note in fitted._notes)


def test_parameters_set_to_nonsense_after_the_fit_leave_the_table(wide):
    fitted = EnsembleSelector(3, selector="f-test", n_runs=4).fit(*wide)
    fitted.set_params(rule="none such", selector="none such")
    assert len(page_of(fitted).rows) == 1 + 3


def test_an_empty_choice_has_a_heading_and_no_table(seed):
    noise, y = np.random.default_rng(seed).normal(size=(40, 57)), np.arange(40) % 2
    with pytest.warns(NothingSelected):
        fitted = StabilitySelector(selector="f-test", list_size=1, threshold=1.0, n_runs=30).fit(noise, y)
    page = page_of(fitted)
    assert page.rows == []
    assert "StabilitySelector chose 0 of 57 features" in page.text


def test_the_table_is_accessible_and_takes_the_colours_of_the_page(wide):
    html = chosen_html(FTest(3).fit(*wide))
    assert page_of(FTest(3).fit(*wide)).scopes == ["col"] * 3 + [None, "row", None] * 3
    assert "color:inherit" in html
    assert "#" not in html


def test_a_pipeline_shows_its_diagram_as_before(wide):
    pipeline = make_pipeline(StandardScaler(), FTest(3)).fit(*wide)
    assert isinstance(pipeline, BaseEstimator)
    assert "holdfast-chosen" not in pipeline._repr_html_()


def test_showing_leaves_a_selector_as_it_was(wide):
    fitted = StabilitySelector(selector="f-test", list_size=4, n_runs=10).fit(*wide)
    before = set(vars(fitted))
    fitted._repr_html_()
    assert set(vars(fitted)) == before
