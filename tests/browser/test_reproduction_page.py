"""The page of a rerun in a real browser: it fits every window, needs no network, and has colours for both themes."""

from __future__ import annotations

import pytest

from holdfast.report.reproduction import overview_page, page
from holdfast.reproduce import reproduce
from unit.reproduce.conftest import folder, row

__all__ = ["folder", "row"]

pytestmark = pytest.mark.slow


@pytest.fixture
def open_in(browser, tmp_path):
    """Show a page in a window, and gather what the browser complains of."""
    opened = []

    def show(html, width, scheme):
        place = tmp_path / "report.html"
        place.write_text(html, encoding="utf-8")
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


@pytest.fixture
def found(row, folder):
    """A rerun with a claim beside which much is told."""
    made = reproduce(row, data=folder)
    long = {"printed": "IB-RedE 0.1073, IB-OF 0.1080, " * 4, "evidence": "SVM-RFE 0.325 to 0.478 ± 0.010, " * 20}
    return {**made, "claims": [*made["claims"], {**made["claims"][0], "verdict": "does not hold", **long}]}


@pytest.fixture
def shown(open_in, found):
    """The page of a rerun."""
    return lambda width=1000, scheme="light": open_in(page(found), width, scheme)


@pytest.fixture
def several(open_in, found):
    """The page of two reruns with many of everything."""
    many = {part: dict.fromkeys(counts, 1234) for part, counts in found["summary"].items() if part != "tables"}
    runs = [
        {**found, "plan": f"pino-angulo-{n}", "title": "instance-based filters and hybrid wrappers"}
        | {"summary": {**found["summary"], **many}}
        for n in (1, 2)
    ]
    return lambda width: open_in(overview_page(runs, lambda plan: plan), width, "light")


@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
def test_the_page_fits_the_window_without_complaints(shown, width):
    tab, troubles = shown(width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert troubles == []


def test_every_printed_number_is_there(shown):
    tab, _ = shown()
    assert tab.locator("#numbers tbody tr").count() == 5
    assert tab.locator("#numbers td.verdict").all_text_contents().count("agrees") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_of_a_bar_looks_like_the_square_beside_its_word(shown, scheme):
    tab, _ = shown(scheme=scheme)
    bars, squares = (
        tab.evaluate(
            "where => Object.fromEntries([...document.querySelectorAll(where)].map(one => [one.className, "
            "getComputedStyle(one).backgroundColor + getComputedStyle(one).backgroundImage]))",
            where,
        )
        for where in (".bars .part", ".legend .part")
    )
    assert bars == squares
    assert len(bars) == len(set(bars.values())) == 4


@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
def test_claims_are_seen_whole_without_scrolling_sideways(shown, width):
    tab, _ = shown(width)
    sides = tab.evaluate(
        "[...document.querySelectorAll('.claims tbody :is(th, td)')].map(one => one.getBoundingClientRect())"
        ".map(box => [box.left, box.right])"
    )
    assert len(sides) == 8
    assert all(0 <= left < right <= width for left, right in sides)


def test_the_verdict_of_a_claim_has_a_column_in_a_wide_window_and_the_line_above_it_in_a_narrow_one(shown):
    above = []
    for width in (1000, 390):
        tab, _ = shown(width)
        claim, verdict = (tab.locator(f".claims tbody {name}").first.bounding_box() for name in ("th", ".verdict"))
        above.append(verdict["y"] + verdict["height"] <= claim["y"] + 1)
    assert above == [False, True]


@pytest.mark.parametrize("width", [1280, 1100, 390])
def test_the_tables_of_several_plans_fit_the_window(several, width):
    tab, troubles = several(width)
    wide = tab.evaluate("[...document.querySelectorAll('.scroll')].map(one => one.scrollWidth - one.clientWidth)")
    assert wide == [0, 0]
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert troubles == []


def test_the_page_follows_the_system_to_dark_colours(shown):
    light, dark = (
        shown(scheme=scheme)[0].evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    )
    assert light != dark
