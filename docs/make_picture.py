"""Take the picture of the report in README.md: `python docs/make_picture.py`, with Playwright and a Chromium."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from holdfast.cli.demo import run_demo
from holdfast.report import write

ROOT = Path(__file__).resolve().parent.parent
SIZE = {"width": 1100, "height": 1720}


def main() -> None:
    """Draw the report and write docs/report.png."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = next(path for path in write(run_demo().study, folder) if path.name == "report.html")
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(page_file.as_uri())
        page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=30_000)
        page.wait_for_timeout(500)
        page.screenshot(path=ROOT / "docs" / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
