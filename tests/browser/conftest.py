"""A real browser for the tests of this folder; they are skipped where there is none."""

from __future__ import annotations

import os
import shutil

import pytest


def program():
    known = [os.environ.get("BROWSER_PATH", ""), "chromium", "chromium-browser", "google-chrome", "chrome"]
    return next((place for name in known if name and (place := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("playwright is not installed: pip install 'holdfast[browser]'")
    found = program()
    if found is None:
        pytest.skip("no Chromium or Chrome was found: install one, or name it in BROWSER_PATH")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield started
        started.close()
