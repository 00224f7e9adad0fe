"""The page of a rerun in a real browser: it fits every window, needs no network, and has colours for both themes."""

from __future__ import annotations

import pytest

from holdfast.report.reproduction import page
from holdfast.reproduce import reproduce
from unit.reproduce.conftest import folder, row

__all__ = ["folder", "row"]

pytestmark = pytest.mark.slow


@pytest.fixture
def shown(browser, tmp_path, row, folder):
    """Show the page, and gather what the browser complains of."""
    place = tmp_path / "report.html"
    place.write_text(page(reproduce(row, data=folder)), encoding="utf-8")
    opened = []

    def show(width=1000, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, offline=True)
        opened.append(context)
        tab = context.new_page()
        troubles = []
        tab.on("console", lambda message: troubles.append(message.text))
        tab.on("requestfailed", lambda request: troubles.append(request.url))
        tab.goto(place.as_uri())
        return tab, troubles

    yield show
    for context in opened:
        context.close()


@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
def test_the_page_fits_the_window_without_complaints(shown, width):
    tab, troubles = shown(width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert troubles == []


def test_every_printed_number_is_there(shown):
    tab, _ = shown()
    assert tab.locator("#numbers tbody tr").count() == 5
    assert tab.locator("#numbers td.verdict").all_text_contents().count("agrees") == 2


def test_the_bars_have_the_colours_of_the_verdicts(shown):
    tab, _ = shown()
    colours = tab.evaluate(
        "[...document.querySelectorAll('.bars span.good, li .good')].map(one => getComputedStyle(one).color)"
    )
    assert len(colours) > 2
    assert len(set(colours)) == 1


def test_the_page_follows_the_system_to_dark_colours(shown):
    light, dark = (
        shown(scheme=scheme)[0].evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    )
    assert light != dark
