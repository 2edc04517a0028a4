"""A small classroom screen at twice the size, and a learner who wants nothing to move."""

import re

import pytest
from playwright.sync_api import Page, expect

from .learner import (
    LESSONS,
    drawn,
    entry,
    in_address,
    no_traceback,
    sidebar_link,
    tab,
    type_number,
    visit,
    watch_console,
)
from .sight import cut_off, settled, too_wide

# 1280 x 720 at 200 % is drawn as 640 x 360, each of its pixels as four.
DOUBLED = {"viewport": {"width": 640, "height": 360}, "device_scale_factor": 2, "reduced_motion": "reduce"}
ONWARDS = "() => document.getAnimations().filter(a => a.playState === 'running').map(a => a.animationName || 'moves')"


@pytest.fixture(scope="module")
def zoomed_browser(browser):
    """A browser at 200 % whose learner has asked for less motion."""
    context = browser.new_context(**DOUBLED)
    context.set_default_timeout(15_000)
    context.add_init_script("localStorage.clear()")  # else a sidebar once opened lies over the page of the next test
    yield context
    context.close()


@pytest.fixture
def zoomed(zoomed_browser) -> Page:
    """A page at 200 %."""
    with tab(zoomed_browser) as page:
        yield page


def open_sidebar(page: Page):
    page.get_by_test_id("stExpandSidebarButton").click()
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    return sidebar


@pytest.mark.parametrize("lesson", LESSONS)
def test_at_200_percent_nothing_stands_out_is_cut_off_or_moves(zoomed, server, lesson):
    errors = watch_console(zoomed, server)
    visit(zoomed, server, lesson)
    settled(zoomed)
    assert too_wide(zoomed) == []
    assert cut_off(zoomed) == []
    assert zoomed.evaluate(ONWARDS) == []
    no_traceback(zoomed)
    assert errors == []


def test_the_sidebar_can_be_used_at_200_percent(zoomed, server):
    visit(zoomed, server)
    sidebar = open_sidebar(zoomed)
    type_number(zoomed, "V", 60)
    in_address(zoomed, vocab_size="60")
    last = sidebar.get_by_text("Scale tokens by √D")
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    sidebar_link(zoomed, "lookup").click()
    drawn(zoomed, "lookup")
    in_address(zoomed, vocab_size="60")
    expect(entry(zoomed, "V")).to_have_value("60")
    sidebar.get_by_role("button", name="Collapse sidebar").click()
    expect(sidebar).not_to_be_in_viewport()
    zoomed.get_by_test_id("stMain").get_by_role("link", name=re.compile("Next:")).click()
    drawn(zoomed, "one_hot")


def test_training_and_its_film_work_without_motion(zoomed, server):
    visit(zoomed, server, "training")
    zoomed.get_by_test_id("stMain").get_by_role("button", name=re.compile("Train 200 steps")).click()
    expect(zoomed.get_by_text("Step 200 of 200")).to_be_visible()
    film = zoomed.locator(".vega-bind input[type=range]")
    expect(film).to_have_value("200")
    film.focus()
    zoomed.keyboard.press("Home")
    expect(zoomed.locator("[aria-label*='after step 0']").first).to_be_attached()
    expect(zoomed.locator("[aria-label*='after step 200']")).to_have_count(0)
    no_traceback(zoomed)


def test_on_a_phone_the_opened_sidebar_leaves_the_page_in_sight(new_learner, server):
    page = new_learner(is_mobile=True, has_touch=True)
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, server, "tokens")
    sidebar = open_sidebar(page)
    sidebar_link(page, "lookup").tap()
    drawn(page, "lookup")
    title = page.get_by_role("heading", name="Lookup", level=1)
    for _ in range(2):
        expect(title).to_be_in_viewport(ratio=1)
        assert page.get_by_test_id("stMain").bounding_box()["height"] == sidebar.bounding_box()["y"] > 400
        page.reload()  # the browser keeps the sidebar open
        drawn(page, "lookup")
        expect(sidebar).to_have_attribute("data-collapsed", "false")
    expect(page.locator("kbd").first).to_be_hidden()
    title.tap()
    expect(sidebar).not_to_be_in_viewport()
    page.get_by_role("button", name="Share").tap()
    expect(page.get_by_role("dialog")).to_contain_text("others cannot open it")
