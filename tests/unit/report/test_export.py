"""Figures as files, and what loads plotly."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from holdfast.report import frequency_bars, save


@pytest.fixture(scope="module")
def figure():
    return frequency_bars([0.9, 0.4], names=["</script><b>x", "y"], threshold=0.6, theme="dark")


def test_a_page_carries_plotly_and_asks_for_nothing(figure, tmp_path):
    page = save(figure, tmp_path / "bars.html").read_text(encoding="utf-8")
    assert len(page) > 1_000_000
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=", page)


def test_a_page_has_its_title_as_text_and_fits_a_phone(figure, tmp_path):
    page = save(figure, str(tmp_path / "bars.HTML"))
    text = (tmp_path / "bars.HTML").read_text(encoding="utf-8")
    assert page == tmp_path / "bars.HTML"
    assert "<h1>1 feature was chosen in at least 60% of the runs.</h1>" in text
    assert 'name="viewport"' in text
    assert "background: #14171c" in text


def test_saving_a_page_leaves_the_figure_as_it_was(figure, tmp_path):
    before = figure.to_json()
    save(figure, tmp_path / "bars.html")
    assert figure.to_json() == before


def test_a_name_cannot_end_the_script_of_a_page(tmp_path, figure):
    text = save(figure, tmp_path / "bars.html").read_text(encoding="utf-8")
    assert "</script><b>x" not in text


def test_a_figure_without_a_title_has_no_heading(tmp_path):
    text = save(frequency_bars([0.9], title=""), tmp_path / "bars.html").read_text(encoding="utf-8")
    assert "<h1>" not in text


def test_json_holds_the_data_and_the_layout(figure, tmp_path):
    stored = json.loads(save(figure, tmp_path / "bars.json").read_text(encoding="utf-8"))
    assert len(stored["data"]) == 2
    assert stored["layout"]["xaxis"]["title"]["text"] == "Share of runs"


@pytest.mark.parametrize("name", ["bars", "bars.jpg", "bars.html.gz"])
def test_an_unknown_suffix_is_refused_with_what_is_allowed(figure, tmp_path, name):
    with pytest.raises(ValueError, match=r"\.html, \.json, \.png, \.svg, \.pdf"):
        save(figure, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(figure, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder .*nowhere"):
        save(figure, tmp_path / "nowhere" / "bars.html")


def test_what_is_no_figure_is_refused(tmp_path):
    with pytest.raises(TypeError, match="plotly figure, but dict came"):
        save({}, tmp_path / "bars.html")


def test_a_still_image_without_kaleido_says_what_to_install(figure, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kaleido", None)
    with pytest.raises(RuntimeError, match=re.escape("pip install 'holdfast[static]'")):
        save(figure, tmp_path / "bars.png")


def test_a_still_image_without_a_browser_says_what_to_install(figure, tmp_path, monkeypatch):
    kaleido = pytest.importorskip("kaleido", reason="still images need the extra holdfast[static]")
    from kaleido.errors import ChromeNotFoundError

    def no_browser(*_, **__):
        raise ChromeNotFoundError

    monkeypatch.setattr(kaleido, "calc_fig_sync", no_browser)
    with pytest.raises(RuntimeError, match="Chrome or Chromium, and none was found"):
        save(figure, tmp_path / "bars.svg")
    assert list(tmp_path.iterdir()) == []


def test_neither_holdfast_nor_its_report_loads_plotly_before_a_figure_is_asked_for():
    program = "import sys, holdfast, holdfast.report; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_names_of_the_package_are_listed_and_others_refused():
    import holdfast.report

    assert set(holdfast.report.__all__) == set(dir(holdfast.report))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = holdfast.report.nothing


@pytest.mark.parametrize("title", ["My own words", ""])
def test_a_title_of_ones_own_is_taken(title):
    text = frequency_bars([0.9], title=title).layout.title.text
    assert text == (f"<b>{title}</b>" if title else None)


def test_a_long_title_is_wrapped():
    text = frequency_bars([0.9], title="many words " * 20).layout.title.text
    assert max(len(line) for line in text.split("<br>")) < 100
