"""Every page on a large, a small and a phone's screen, in light and in dark: whole, readable and labelled."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .learner import LESSONS, drawn, no_traceback, visit

SIZES = {"large": (1440, 900), "small": (1280, 720), "phone": (390, 844)}
OUTSIDE = """main => main.scrollWidth <= main.clientWidth ? [] : [...main.querySelectorAll('*')]
    .filter(e => e.getBoundingClientRect().right > main.getBoundingClientRect().right + 1)
    .map(e => (e.dataset.testid || e.tagName) + ' ' + (e.innerText || '').slice(0, 40))"""
CHARTS = {"windows": 2, "lookup": 2, "positions": 4, "combine": 1}


@pytest.fixture(scope="module", params=["light", "dark"])
def coloured_browser(request, browser):
    """A browser whose learner prefers light or dark pages."""
    context = browser.new_context(color_scheme=request.param)
    context.set_default_timeout(15_000)
    yield request.param, context
    context.close()


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_page_fits_every_screen(coloured_browser, server, tmp_path, lesson):
    colours, context = coloured_browser
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    page = context.new_page()
    try:
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            if size != "small":  # a window made smaller stays open; a phone opens the page for itself
                visit(page, server, lesson)
            drawn(page, lesson)
            no_traceback(page)
            charts_have_a_reading(page, CHARTS.get(lesson, 0))
            page.screenshot(path=folder / f"{lesson}-{size}-{colours}.png")
            assert brightness(page) < 80 if colours == "dark" else brightness(page) > 200
            assert too_wide(page) == [], f"{size}: these stand out of the main area"
    finally:
        page.close()


def brightness(page) -> float:
    """Return how bright the background is, from 0 to 255."""
    colour = page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


def charts_have_a_reading(page, at_least: int) -> None:
    """Check that there are the charts that the page is known for, and that each says in words what it shows."""
    charts = page.get_by_test_id("stVegaLiteChart")
    if at_least:
        expect(charts.nth(at_least - 1)).to_be_attached()
    for chart in charts.all():
        expect(chart).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))


def too_wide(page) -> list[str]:
    """Return what stands out of the main area to the right, once the page had the time to fit itself."""
    for _ in range(20):
        outside = page.get_by_test_id("stMain").evaluate(OUTSIDE)
        if not outside:
            break
        page.wait_for_timeout(100)
    return outside[:8]
