"""A small classroom screen at 200 % and 400 %, a phone, and a learner who prefers reduced motion."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .page_actions import (
    LESSONS,
    drawn,
    entry,
    in_address,
    main_of,
    no_traceback,
    open_settings,
    sidebar_link,
    tab,
    text_area,
    type_number,
    visit,
    watch_console,
)
from .visual_checks import cut_off, settled, too_wide

SIZES = {200: {"width": 640, "height": 360}, 400: {"width": 320, "height": 180}}  # what is left of 1280 x 720
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36"
ONWARDS = "() => document.getAnimations().filter(a => a.playState === 'running').map(a => a.animationName || 'moves')"


@pytest.fixture(scope="module")
def zoomed_browser(browser):
    """A browser whose learner prefers reduced motion."""
    context = browser.new_context(viewport=SIZES[200], device_scale_factor=2, reduced_motion="reduce")
    context.set_default_timeout(15_000)
    context.add_init_script("localStorage.clear()")  # otherwise a sidebar once opened covers the page of the next test
    yield context
    context.close()


@pytest.fixture
def zoomed(zoomed_browser) -> Page:
    """A page at 200 %."""
    with tab(zoomed_browser) as page:
        yield page


def open_sidebar(page: Page) -> Locator:
    """Open the sidebar and return it."""
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    return sidebar


@pytest.mark.parametrize("percent", SIZES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_overflows_is_cut_off_or_moves_when_zoomed(zoomed, server, lesson, percent):
    zoomed.set_viewport_size(SIZES[percent])
    errors = watch_console(zoomed, server)
    visit(zoomed, server, lesson)
    settled(zoomed)
    assert too_wide(zoomed) == []
    assert cut_off(zoomed) == []
    assert zoomed.evaluate(ONWARDS) == []
    no_traceback(zoomed)
    assert errors == []


@pytest.mark.parametrize("percent", SIZES)
def test_panels_fit_when_zoomed(zoomed, server, percent):
    zoomed.set_viewport_size(SIZES[percent])
    visit(zoomed, server, "lookup", "position=sinusoidal")
    open_settings(zoomed)
    last = main_of(zoomed).get_by_text("Scale tokens by √D")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    assert too_wide(zoomed) == []
    assert cut_off(zoomed) == []
    type_number(zoomed, "V", 60)
    in_address(zoomed, vocab_size="60")
    expect(entry(zoomed, "V")).to_have_value("60")
    text_area(zoomed).scroll_into_view_if_needed()
    assert too_wide(zoomed) == []
    assert cut_off(zoomed) == []


def test_sidebar_can_be_used_at_200_percent(zoomed, server):
    visit(zoomed, server, "home", "vocab_size=60")
    sidebar = open_sidebar(zoomed)
    last = sidebar_link(zoomed, "glossary")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    sidebar_link(zoomed, "lookup").click()
    drawn(zoomed, "lookup")
    in_address(zoomed, vocab_size="60")
    sidebar.get_by_role("button", name="Collapse sidebar").click()
    expect(sidebar).not_to_be_in_viewport()
    main_of(zoomed).get_by_role("link", name=re.compile("Next:")).click()
    drawn(zoomed, "one_hot")


def test_training_animation_works_with_reduced_motion(zoomed, server):
    visit(zoomed, server, "training")
    main_of(zoomed).get_by_role("button", name=re.compile("Train 200 steps")).click()
    expect(zoomed.get_by_text("Step 200 of 200")).to_be_visible()
    slider = zoomed.locator(".vega-bind input[type=range]")
    expect(slider).to_have_value("200")
    slider.focus()
    zoomed.keyboard.press("Home")
    expect(zoomed.locator("[aria-label*='after step 0']").first).to_be_attached()
    expect(zoomed.locator("[aria-label*='after step 200']")).to_have_count(0)
    no_traceback(zoomed)


def test_lesson_tapped_on_a_phone_closes_the_sidebar(new_learner, server):
    page = new_learner(is_mobile=True, has_touch=True, user_agent=PHONE)  # Streamlit decides by the user agent
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server, "tokens")
    sidebar = open_sidebar(page)
    sidebar_link(page, "lookup").tap()
    drawn(page, "lookup")
    expect(sidebar).not_to_be_in_viewport()
    expect(page.get_by_role("heading", name="Lookup", level=1)).to_be_in_viewport(ratio=1)
    expect(page.locator("kbd").first).to_be_hidden()
    page.get_by_role("button", name="Share").tap()
    expect(page.get_by_role("dialog")).to_contain_text("works on this computer only")
