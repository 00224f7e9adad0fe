"""Every figure, opened in a real browser; skipped where there is none."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from browser.conftest import program
from holdfast import D2CORFS, DCORFS, MRMRGA, BeeColony, ForwardSearch, report
from holdfast.data import Table
from holdfast.evaluate import feature_values, search_cost, split_sensitivity
from holdfast.evaluate.diversity import diversity
from holdfast.evaluate.redundancy import redundancy

NAMES = ["TP53", "a name that is far too long for a phone", "<i>x</i>", "α & ω", "$x$"]
FREQUENCY = np.array([0.9, 0.7, 0.6, 0.3, 0.1])
AGREEMENT = [[1.0, 0.8, -0.1], [0.8, 1.0, 0.2], [-0.1, 0.2, 1.0]]


def _table():
    X = np.random.default_rng(0).normal(size=(40, 5))
    return Table(X, NAMES, target=np.where(X[:, 1] + X[:, 2] > 0, "sick", "well"))


TABLE = _table()
SEARCH = DCORFS(confidence=None)
BEES = BeeColony(n_bees=6, n_cycles=4, target_fitness=None)
RULES = ["cw", "cw:strict_decrease=False", "wm", "wm:margin=1", "h", "h2s", "h2s:epsilon=0", "hp", "p", "mi"]


def _path(theme, direction="forward"):
    search = ForwardSearch(n_neighbors=[1, 3], cv=5, direction=direction).fit(TABLE)
    return report.search_path(search, search.compare_stops(TABLE, None, RULES), theme=theme)


FIGURES = {
    "frequency_curve": lambda theme: report.frequency_curve({"a": FREQUENCY, "b": FREQUENCY[::-1]}, theme=theme),
    "frequency_bars": lambda theme: report.frequency_bars(FREQUENCY, NAMES, threshold=0.5, theme=theme),
    "stability_by_size": lambda theme: report.stability_by_size(
        [1, 5, 9], [0.2, 0.5, 0.4], [0.1, 0.4, 0.3], [0.3, 0.6, 0.5], chance=0, theme=theme
    ),
    "colour_matrix": lambda theme: report.colour_matrix(np.eye(5), NAMES, max_rows=4, theme=theme),
    "weight_profile": lambda theme: report.weight_profile(FREQUENCY, [0, 1, 0, 1, 0], NAMES, theme=theme),
    "agreement": lambda theme: report.agreement(AGREEMENT, NAMES[:3], theme=theme),
    "inclusion_trace": lambda theme: report.inclusion_trace(SEARCH.fit(TABLE), theme=theme),
    "rounds": lambda theme: report.rounds(D2CORFS(confidence=None, n_bins=2).fit(TABLE), theme=theme),
    "redundancy_bars": lambda theme: report.redundancy_bars(
        redundancy(TABLE, None, NAMES, classifier="nb", X_test=TABLE), theme=theme
    ),
    "sensitivity_histogram": lambda theme: report.sensitivity_histogram(
        split_sensitivity(TABLE, None, NAMES, "nb", n_splits=50), theme=theme
    ),
    "diversity_matrix": lambda theme: report.diversity_matrix(diversity(SEARCH, TABLE, slack=0.9), theme=theme),
    "cost_curves": lambda theme: report.cost_curves(
        search_cost(TABLE, n_features=[2, 5], n_iterations=[2, 9], n_repeats=2), theme=theme
    ),
    "evolution": lambda theme: report.evolution(BEES.fit(TABLE), theme=theme),
    "search_path": _path,
    "stop_p_values": lambda theme: report.stop_p_values(
        ForwardSearch(criterion="dcor").fit(TABLE).compare_stops(TABLE), theme=theme
    ),
    "value_strips": lambda theme: report.value_strips(
        feature_values(TABLE, None, NAMES, ["train"] * 25 + ["test"] * 15), theme=theme
    ),
}
# What plotly draws data with: paths of lines, bars and points, or the image of a heat map.
DATA = ".mlayer path, .mlayer image"


@pytest.fixture
def visit(browser, tmp_path):
    """Open a figure in a window of that width; gives the page and what went wrong on it."""
    pages = []

    def open_figure(figure, width):
        page = browser.new_page(viewport={"width": width, "height": 700})
        pages.append(page)
        troubles = []
        page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        path = report.save(figure, tmp_path / "figure.html")
        own = (path.as_uri(), "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(own) or troubles.append(request.url))
        page.goto(path.as_uri(), timeout=60_000)
        page.wait_for_selector(DATA, state="attached", timeout=60_000)
        return page, troubles

    yield open_figure
    for page in pages:
        page.close()


# Opened in the page of a study (test_study_page.py), or no pictures of a browser.
ELSEWHERE = {
    "FrequencyDisplay", "StabilityDisplay", "TradeOffDisplay", "agreement_of_methods", "chosen_features",
    "critical_difference", "heat_map", "page", "save", "score_by_size", "stability_across_sizes", "tables", "text",
    "times", "trade_off", "write",
}  # fmt: skip


def test_every_public_figure_is_opened_here_or_in_the_page_of_a_study():
    assert set(FIGURES) | ELSEWHERE == set(report.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", list(FIGURES))
def test_a_figure_is_drawn_without_errors_or_requests_and_fits_the_window(visit, name, theme, width):
    page, troubles = visit(FIGURES[name](theme), width)
    assert page.locator(DATA).count() > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert troubles == []


@pytest.mark.slow
def test_names_are_shown_as_they_were_given(visit):
    page, _ = visit(FIGURES["frequency_bars"]("light"), 1000)
    shown = page.locator(".ytick text").all_text_contents()
    assert shown == ["TP53", "a name that is far …", "<i>x</i>", "α & ω", "$x$"]


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
@pytest.mark.parametrize("direction", ["forward", "backward", "floating"])
def test_names_of_rules_do_not_overlap_and_lie_inside_the_window(visit, direction, width):
    page, _ = visit(_path("light", direction), width)
    boxes = [box.bounding_box() for box in page.locator(".annotation-text-g").all()]
    assert len(boxes) == len(RULES)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    by_height = sorted(boxes, key=lambda box: box["y"])
    assert all(one["y"] + one["height"] <= other["y"] + 0.5 for one, other in itertools.pairwise(by_height))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 390], ids=["wide", "phone"])
def test_several_searches_fit_the_window_and_have_their_names(visit, width):
    bred = MRMRGA(population=6, n_generations=4, outer_cv=None).fit(TABLE)
    figure = report.evolution({"bees": BEES.fit(TABLE), "a name that is far too long for a phone": bred})
    page, troubles = visit(figure, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".legendtext").all_text_contents()[:2] == ["bees", "a name that is far …"]
    boxes = [box.bounding_box() for box in page.locator(".legendtext, .annotation-text-g, .x2title").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert troubles == []


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "opening"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")])
def test_a_still_image_is_written(tmp_path, suffix, opening):
    pytest.importorskip("kaleido", reason="still images need the extra holdfast[static]")
    if program() is None:
        pytest.skip("no Chromium or Chrome was found: install one, or name it in BROWSER_PATH")
    path = report.save(FIGURES["frequency_bars"]("light"), tmp_path / f"bars.{suffix}")
    assert path.read_bytes().startswith(opening)
