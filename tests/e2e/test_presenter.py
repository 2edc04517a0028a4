"""The presenter's view: larger, without the sidebar, turned by key, and nothing cut on a classroom's screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from .learner import LESSONS, at_rest, drawn, in_address, no_traceback, visit

CUT = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(e => {
    const box = e.getBoundingClientRect();
    const scrolls = e.closest('pre, [data-testid=stMarkdownContainer] table, textarea');
    return box.width && box.right > innerWidth + 1 && !scrolls && getComputedStyle(e).visibility !== 'hidden';
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_cut_on_a_classroom_screen(page, server, lesson):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, server, lesson, "present=1")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
    no_traceback(page)


def test_a_clicker_turns_the_lessons(page, server):
    visit(page, server, "lookup", "present=1&vocab_size=60")
    page.keyboard.press("PageDown")
    drawn(page, "one_hot")
    in_address(page, present="1", vocab_size="60")
    page.keyboard.press("PageUp")
    drawn(page, "lookup")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


def test_the_view_is_entered_and_left_by_key(page, server):
    visit(page, server, "combine")
    page.keyboard.press("Shift+P")
    in_address(page, present="1")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    step_on(page)
    page.keyboard.press("Shift+P")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_letters_typed_into_a_text_do_not_leave_it(page, server):
    visit(page, server, "tokens", "present=1")
    area = page.get_by_role("textbox", name="Your text", exact=True).first
    area.click()
    page.keyboard.type("SPP")
    at_rest(page)
    expect(page.get_by_role("button", name=re.compile("Leave this view"))).to_be_visible()


def step_on(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    in_address(page, step="1")


def test_charts_have_larger_letters_than_on_the_plain_page(page, server):
    def letters() -> float:
        cell = page.locator("[data-testid=stVegaLiteChart] .mark-text text").first
        expect(cell).to_be_attached()
        return float(cell.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))

    visit(page, server, "lookup")
    before = letters()
    visit(page, server, "lookup", "present=1")
    assert letters() == pytest.approx(1.3 * before)
