"""Every page on a large, a small and a phone's screen, light and dark: complete, with alternative texts."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .page_actions import LESSONS, drawn, no_traceback, visit, watch_console
from .server_processes import ROOT
from .visual_checks import in_colors, too_wide

SCREENSHOTS = Path(os.environ.get("SCREENSHOTS") or ROOT / "artefacts" / "screenshots")
SIZES = {"large": (1440, 900), "small": (1280, 720), "phone": (390, 844)}
CHARTS = {"windows": 2, "lookup": 2, "positions": 4, "combine": 1}


@pytest.mark.parametrize("lesson", LESSONS)
def test_page_fits_every_screen_in_light_and_dark(page, server, lesson):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    errors = watch_console(page, server)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if size != "small":  # a desktop window is resized; a phone loads the page
            visit(page, server, lesson)
        for colors in ("light", "dark"):
            in_colors(page, colors)
            drawn(page, lesson)
            no_traceback(page)
            charts_have_alt_texts(page, CHARTS.get(lesson, 0))
            page.screenshot(path=SCREENSHOTS / f"{lesson}-{size}-{colors}.png")
            assert too_wide(page) == [], f"{size}: these overflow the main area"
    assert errors == []


def charts_have_alt_texts(page: Page, at_least: int) -> None:
    """Check that the page has its charts, and each an alternative text."""
    charts = page.get_by_test_id("stVegaLiteChart")
    if at_least:
        expect(charts.nth(at_least - 1)).to_be_attached()
    for chart in charts.all():
        expect(chart).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))
