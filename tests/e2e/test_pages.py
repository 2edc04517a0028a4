"""Every page on a large, a small and a phone's screen, in light and in dark: whole, labelled, its console clean."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .learner import LESSONS, drawn, no_traceback, visit, watch_console
from .machines import ROOT
from .sight import in_colours, too_wide

SCREENSHOTS = Path(os.environ.get("SCREENSHOTS") or ROOT / "artefacts" / "screenshots")
SIZES = {"large": (1440, 900), "small": (1280, 720), "phone": (390, 844)}
CHARTS = {"windows": 2, "lookup": 2, "positions": 4, "combine": 1}


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_page_fits_every_screen_in_light_and_in_dark(page, server, lesson):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    errors = watch_console(page, server)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if size != "small":  # a window made smaller stays open; a phone opens the page for itself
            visit(page, server, lesson)
        for colours in ("light", "dark"):
            in_colours(page, colours)
            drawn(page, lesson)
            no_traceback(page)
            charts_have_a_reading(page, CHARTS.get(lesson, 0))
            page.screenshot(path=SCREENSHOTS / f"{lesson}-{size}-{colours}.png")
            assert too_wide(page) == [], f"{size}: these stand out of the main area"
    assert errors == []


def charts_have_a_reading(page: Page, at_least: int) -> None:
    """Check that there are the charts that the page is known for, and that each says in words what it shows."""
    charts = page.get_by_test_id("stVegaLiteChart")
    if at_least:
        expect(charts.nth(at_least - 1)).to_be_attached()
    for chart in charts.all():
        expect(chart).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))
