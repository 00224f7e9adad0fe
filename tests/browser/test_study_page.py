"""The page of a study, opened in a real browser; skipped where there is none."""

from __future__ import annotations

import csv
import io

import pytest

from holdfast.report.study import page
from unit.report.study import examples

pytestmark = pytest.mark.slow

# What plotly draws data with: paths of lines, bars and points, or the image of a heat map.
DATA = ".mlayer path, .mlayer image, .shapelayer path"
BACKGROUND = "getComputedStyle(document.querySelector('[data-chart=NAME] .main-svg')).backgroundColor"
CHARTS = (
    "trade_off",
    "score_by_size",
    "stability_across_sizes",
    "chosen_features",
    "heat_map",
    "agreement_of_methods",
    "critical_difference",
    "times",
)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Pages of examples, each made once."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def file_of(name):
        if name not in made:
            made[name] = folder / f"{name}.html"
            made[name].write_text(page(examples.ALL[name]()), encoding="utf-8")
        return made[name]

    return file_of


@pytest.fixture
def visit(browser, files):
    """Open the page of an example; gives it and what went wrong on it."""
    contexts = []

    def open_page(name="usual", *, width=1200, is_ready=True, before=None, **context):
        opened = browser.new_context(viewport={"width": width, "height": 900}, **context)
        contexts.append(opened)
        page, troubles = opened.new_page(), []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        path = files(name)
        own = (path.as_uri(), "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(own) or troubles.append(request.url))
        if before:
            page.add_init_script(before)
        page.goto(path.as_uri(), timeout=60_000)
        if is_ready:
            page.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)
        return page, troubles

    yield open_page
    for context in contexts:
        context.close()


def _draw_all(page):
    for place in page.locator(".drawing").all():
        place.scroll_into_view_if_needed()
        place.locator(".main-svg, .missing").first.wait_for(state="attached", timeout=60_000)


def _rows(page, table):
    return page.locator(f"[data-table={table}] tbody tr")


def _column(page, table, place):
    return page.locator(f"[data-table={table}] tbody tr > :nth-child({place})").all_text_contents()


def _background(page, chart):
    return page.evaluate(BACKGROUND.replace("NAME", chart))


@pytest.mark.parametrize("width", [1200, 390], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_chart_is_drawn_without_complaints_or_requests_and_fits_the_window(visit, scheme, width):
    page, troubles = visit(width=width, color_scheme=scheme)
    _draw_all(page)
    for name in CHARTS:
        assert page.locator(f"[data-chart={name}]").locator(DATA).count() > 0, name
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.getElementById('trouble').hidden")
    assert troubles == []


@pytest.mark.parametrize("name", ["hostile", "minimal", "tuned", "incomplete", "empty", "many_classes"])
def test_an_odd_study_is_drawn_without_complaints_and_fits_a_phone(visit, name):
    page, troubles = visit(name, width=390)
    _draw_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert troubles == []


def test_charts_below_the_window_wait_until_they_are_near(visit):
    page, _ = visit()
    page.locator("[data-chart=trade_off] .main-svg").first.wait_for(state="attached", timeout=60_000)
    assert page.locator("[data-chart=times] .main-svg").count() == 0


def test_a_choice_draws_another_view_with_its_words(visit):
    page, _ = visit()
    _draw_all(page)
    assert "mrmr+" not in page.locator("#caption-chosen_features").text_content()
    page.locator("[data-chart=chosen_features] select[data-key=method]").select_option("mrmr+")
    page.locator("#caption-chosen_features", has_text="mrmr+").wait_for()
    first = examples.usual()["selections"][2]["features"][0]["name"]
    assert page.locator("[data-chart=chosen_features] .ytick text").first.text_content() == first


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_heading_sorts_the_table_and_says_so(visit, by):
    page, _ = visit()
    head = page.locator("[data-table=results] thead th", has_text="Stability")
    button = head.locator("button")

    def press():
        if by == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")

    assert head.get_attribute("aria-sort") == "none"
    press()
    assert head.get_attribute("aria-sort") == "descending"
    found = _column(page, "results", 7)
    assert found == sorted(found, reverse=True)
    press()
    assert head.get_attribute("aria-sort") == "ascending"
    found = _column(page, "results", 7)
    assert found == sorted(found)
    assert page.locator("[data-table=results] thead th:not([aria-sort=none])").count() == 1


def test_undefined_values_stay_at_the_end_whichever_way_the_rest_is_sorted(visit):
    page, _ = visit()
    page.locator("[data-table=results] [data-more]").check()
    page.locator("[data-table=results] [data-next]").click()
    button = page.locator("[data-table=results] thead th", has_text="Brier").locator("button")
    at = 1 + page.locator("[data-table=results] thead th").all_text_contents().index("Brier score")
    for _ in range(2):
        button.click()
        found = _column(page, "results", at)
        n_none = found.count("–")
        assert n_none > 0
        assert set(found[-n_none:]) == {"–"}


def test_all_scores_are_shown_on_request(visit):
    page, _ = visit()
    head = page.locator("[data-table=results] thead th", has_text="Specificity")
    assert not head.is_visible()
    page.locator("[data-table=results] [data-more]").check()
    assert head.is_visible()


def test_search_by_keyboard_finds_features_by_part_of_their_name(visit):
    page, _ = visit()
    search = page.locator("[data-table=features] input[type=search]")
    search.focus()
    page.keyboard.type("gene00")
    everything = [f["name"] for row in examples.usual()["selections"] for f in row["features"]]
    n_fit = sum("gene00" in name.lower() for name in everything)
    assert f"25 of {n_fit} lines (of 2,400)" in page.locator("[data-table=features] .status").text_content()
    assert all(name.startswith("GENE00") for name in _column(page, "features", 1))
    page.keyboard.type("zzz")
    assert _rows(page, "features").count() == 0
    assert "No line fits" in page.locator("[data-table=features] .status").text_content()


def test_filters_and_the_download_give_the_same_lines(visit):
    page, _ = visit()
    page.locator("[data-table=features] [data-filter=method]").select_option("relieff")
    page.locator("[data-table=features] [data-filter=size]").select_option("50")
    page.locator("[data-table=features] input[type=search]").fill("1")
    with page.expect_download() as waiting:
        page.locator("[data-table=features] [data-export]").click()
    assert waiting.value.suggested_filename == "features-shown.csv"
    text = waiting.value.path().read_bytes().decode("utf-8")
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    selection = next(r for r in examples.usual()["selections"] if (r["method"], r["size"]) == ("relieff", 50))
    expected = [f for f in selection["features"] if "1" in f["name"]]
    assert [line["feature"] for line in lines] == [f["name"] for f in expected]
    assert [float(line["frequency"]) for line in lines] == [f["frequency"] for f in expected]
    assert {(line["method"], line["size"]) for line in lines} == {("relieff", "50")}


def test_the_download_of_results_has_every_score_with_its_interval(visit):
    page, _ = visit()
    with page.expect_download() as waiting:
        page.locator("[data-table=results] [data-export]").click()
    lines = list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"), newline="")))
    assert len(lines) == 48
    row = next(
        r for r in examples.usual()["results"] if (r["method"], r["size"], r["classifier"]) == ("f-test", 50, "svm")
    )
    assert [float(lines[0][key]) for key in ("auc", "auc_low", "auc_high")] == [
        row["auc"][key] for key in ("mean", "low", "high")
    ]


def test_names_that_need_quotes_come_back_from_the_download(visit):
    page, _ = visit("hostile")
    with page.expect_download() as waiting:
        page.locator("[data-table=features] [data-export]").click()
    text = waiting.value.path().read_bytes().decode("utf-8")
    names = {line["feature"] for line in csv.DictReader(io.StringIO(text, newline=""))}
    assert set(examples.HOSTILE) <= names


def test_names_can_be_copied(visit):
    page, _ = visit(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#copy-chips").click()
    page.locator("#said", has_text="20 names copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()").split() == examples.usual()["recommendation"]["features"]


def test_more_lines_are_shown_on_request(visit):
    page, _ = visit()
    assert _rows(page, "results").count() == 25
    page.locator("[data-table=results] [data-next]").click()
    assert _rows(page, "results").count() == 48
    assert not page.locator("[data-table=results] [data-next]").is_visible()


def test_the_switch_of_colours_redraws_the_charts_and_is_kept(visit):
    page, troubles = visit(color_scheme="light")
    page.locator("[data-chart=trade_off] .main-svg").first.wait_for(state="attached", timeout=60_000)
    page.locator("#theme").click()
    page.locator("[data-chart=trade_off] .main-svg[style*='rgb(20, 23, 28)']").first.wait_for(state="attached")
    assert _background(page, "trade_off") == "rgb(20, 23, 28)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)"
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)"
    assert troubles == []


def test_the_page_works_where_storage_is_forbidden(visit):
    forbid = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    page, troubles = visit(before=forbid, color_scheme="light")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 28)"
    assert troubles == []


def test_a_browser_that_cannot_unpack_says_so_and_keeps_the_tables(visit):
    page, troubles = visit(before="delete window.DecompressionStream", is_ready=False)
    page.wait_for_selector("#trouble:not([hidden])")
    assert "too old" in page.locator("#trouble").text_content()
    assert _rows(page, "results").count() == 48
    assert troubles == []


def test_without_scripts_the_tables_can_be_read_and_no_dead_button_is_shown(visit):
    page, troubles = visit(java_script_enabled=False, is_ready=False, width=390)
    assert _rows(page, "results").count() == 48
    assert _rows(page, "features").count() == 100
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    assert page.locator("text=The chart needs JavaScript").first.is_visible()
    assert troubles == []


def test_hostile_names_are_shown_and_do_not_run(visit):
    page, troubles = visit("hostile")
    _draw_all(page)
    assert page.evaluate("window.hit") is None
    assert page.locator("h1").text_content().startswith(examples.HOSTILE[0])
    assert page.locator("main img, main b").count() == 0
    assert troubles == []


def test_a_print_has_every_chart_in_light_colours(visit):
    page, troubles = visit(color_scheme="dark")
    page.locator("[data-chart=trade_off] .main-svg").first.wait_for(state="attached", timeout=60_000)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for name in CHARTS:
        assert page.locator(f"[data-chart={name}] .main-svg").count() > 0
        assert _background(page, name) == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert _background(page, "times") == "rgb(20, 23, 28)"
    assert troubles == []


def test_the_first_stop_of_the_keyboard_skips_to_the_content(visit):
    page, _ = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_text_stands_out_from_its_background(visit):
    """At least 4.5 to 1 for every pair of colours that text is set in."""
    for scheme in ("light", "dark"):
        page, _ = visit(color_scheme=scheme)
        pairs = page.evaluate(
            """() => {
              const style = getComputedStyle(document.documentElement);
              const colour = (name) => style.getPropertyValue('--' + name).trim();
              const parse = (text) => {
                const probe = document.createElement('i');
                probe.style.color = text; document.body.append(probe);
                const found = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
                probe.remove();
                return found;
              };
              const back = parse(colour('background')), shade = parse(colour('shade'));
              const shaded = back.slice(0, 3).map((c, i) => c * (1 - shade[3]) + shade[i] * shade[3]);
              return ['text', 'muted', 'accent'].flatMap((n) => [[parse(colour(n)), back], [parse(colour(n)), shaded]]);
            }"""
        )
        for front, back in pairs:
            assert _contrast(front, back) >= 4.5, (scheme, front, back)


def _contrast(a, b):
    def light(colour):
        parts = [c / 255 for c in colour[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_file_of_a_usual_study_is_below_five_megabytes(files):
    assert files("usual").stat().st_size < 5_000_000
