"""A study where it is shown: one line in a console, a small table in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

import holdfast
from oracles.studies import planned, small_table, told_study


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch):
    """Intervals from fewer draws, which other tests judge."""
    monkeypatch.setattr("holdfast.evaluate.study._N_DRAWS", 20)


class Reader(HTMLParser):
    """Collects rows of cells, bold ones with a star, other text, and tags that are left open."""

    def __init__(self):
        super().__init__()
        self.rows, self.open, self.text, self.tags = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("*" if "bold" in dict(attributes).get("style", "") else "")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        else:
            self.text.append(data)


def _read(study):
    reader = Reader()
    reader.feed(study._repr_html_())
    assert reader.open == []
    return reader


def _told(methods=("f-test",), sizes=(2,), wrong=lambda *_: 0, **asked):
    frame, y = small_table(0)
    plan = planned(frame, y, methods=methods, sizes=list(sizes), **asked)

    def predicted(method, size, classifier, split):
        truth = plan.classes[plan.splits[split].test]
        n_wrong = wrong(method, size, classifier)
        return [*(1 - truth[:n_wrong]), *truth[n_wrong:]]

    return told_study(plan, lambda method, size, split: range(size), predicted, lambda *_: sizes[0])


def test_one_line_says_what_was_compared():
    frame, y = small_table(0)
    study = holdfast.compare(
        frame, y, methods=["f-test"], sizes=[2, 3], classifiers=["nb"], protocol="2x3cv", tune_size=True
    )
    assert repr(study) == "Study(1 method x 3 sizes x 1 classifier, 2x3cv, 36 samples x 24 features)"


def test_the_table_has_the_best_classifier_of_each_method_and_size_best_first():
    mistakes = {(0, 2, "nb"): 3, (0, 2, "svm"): 1, (0, 4, "nb"): 2, (0, 4, "svm"): 6}
    study = _told(sizes=(2, 4), classifiers=["nb", "svm"], wrong=lambda *key: mistakes[key])
    head, *rows = _read(study).rows
    assert head == ["method", "features", "classifier", "accuracy", "AUC", "stability"]
    assert [[cell.removeprefix("*") for cell in row[:3]] for row in rows] == [
        ["f-test", "2", "svm"],
        ["f-test", "4", "nb"],
    ]
    assert rows[0][3].removeprefix("*").startswith("0.917 [")
    assert [row[4].removeprefix("*") for row in rows] == ["–", "–"]
    assert rows[0][5].removeprefix("*") == "1.000 [1.00, 1.00]"


def test_the_recommended_row_is_bold_and_the_sentence_and_doubts_are_shown():
    study = _told(["f-test", "mrmr+"], wrong=lambda method, size, classifier: 4 * method)
    page = _read(study)
    _, *rows = page.rows
    assert all(cell.startswith("*") for cell in rows[0])
    assert not any(cell.startswith("*") for cell in rows[1])
    text = " ".join(page.text)
    assert study.recommendation["sentence"] in text
    for doubt in study.recommendation["doubts"]:
        assert doubt in text
    assert repr(study) in text


def test_names_are_shown_as_they_are_and_never_as_markup():
    study = _told({"<script>alert(1)</script>": "f-test", 'a & "b"': "mrmr+"}, classifiers={"<i>": "nb"})
    page = _read(study)
    assert "script" not in page.tags
    assert "i" not in page.tags
    assert {row[0].removeprefix("*") for row in page.rows[1:]} == {"<script>alert(1)</script>", 'a & "b"'}


def test_no_more_than_twelve_rows_are_shown_and_the_rest_is_counted():
    study = _told(["f-test", "mrmr+"], sizes=range(1, 9))
    page = _read(study)
    assert len(page.rows) == 13
    assert "and 4 more in " in "".join(page.text)
    assert len(_read(_told(["f-test", "mrmr+"], sizes=range(1, 7))).rows) == 13
    assert "more in" not in "".join(_read(_told(["f-test"], sizes=range(1, 7))).text)


def test_tuned_sizes_and_one_split_are_shown_too():
    study = _told(sizes=(2, 4), tune_size=True, protocol="holdout")
    rows = _read(study).rows[1:]
    assert [row[1].removeprefix("*") for row in rows] == ["2", "4", "tuned"]
    assert {row[5].removeprefix("*") for row in rows} == {"–"}


def test_the_page_needs_no_script_and_no_colour_of_its_own():
    html = _told()._repr_html_()
    assert "<script" not in html
    assert "background" not in html
    assert 'scope="col"' in html
    assert "<caption" in html


def test_a_real_study_is_shown(seed):
    frame, y = small_table(seed, n_classes=3)
    study = holdfast.compare(frame, y, methods=["f-test", "relieff"], sizes=[3], classifiers=["nb"], protocol="3cv")
    rows = _read(study).rows[1:]
    shown = [float(row[3].removeprefix("*").split()[0]) for row in rows]
    expected = sorted((row["accuracy"]["mean"] for row in study.results), reverse=True)
    np.testing.assert_allclose(shown, expected, atol=0.0005)
