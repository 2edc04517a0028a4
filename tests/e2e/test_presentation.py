"""Presentation mode: larger text, no sidebar, lessons turned by key or button, and nothing cut off."""

import pytest
from playwright.sync_api import Page, expect

from .page_actions import LESSONS, at_rest, drawn, in_address, main_of, no_traceback, text_area, visit

CUT = """() => [...document.querySelectorAll('[data-testid=stMain] *')].filter(e => {
    const box = e.getBoundingClientRect();
    const scrolls = e.closest('pre, [data-testid=stMarkdownContainer] table, textarea');
    return box.width && box.right > innerWidth + 1 && !scrolls && getComputedStyle(e).visibility !== 'hidden';
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_cut_off_on_a_classroom_screen(page, server, lesson):
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, server, lesson, "present=1")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 20
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
    no_traceback(page)


def press_button(page: Page, name: str) -> None:
    main_of(page).get_by_role("button", name=name).first.click()


@pytest.mark.parametrize("how", ["key", "button"])
def test_lessons_are_turned_by_clicker_and_by_button(page, server, how):
    visit(page, server, "lookup", "present=1&vocab_size=60")
    for key, button, lesson in (("PageDown", "Next", "one_hot"), ("PageUp", "Previous", "lookup")):
        page.keyboard.press(key) if how == "key" else press_button(page, button)
        drawn(page, lesson)
        in_address(page, present="1", vocab_size="60")
        expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


@pytest.mark.parametrize("how", ["key", "button"])
def test_mode_is_entered_and_left_by_key_and_by_button(page, server, how):
    visit(page, server, "combine", "step=2")
    page.keyboard.press("Shift+P") if how == "key" else press_button(page, "Present")
    in_address(page, present="1", step="2")
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    page.keyboard.press("Shift+P") if how == "key" else press_button(page, "Exit")
    in_address(page, present="0", step="2")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(main_of(page).get_by_role("button", name="Exit")).to_have_count(0)


def test_letters_typed_into_the_text_do_not_leave_the_mode(page, server):
    visit(page, server, "tokens", "present=1")
    text_area(page).click()
    page.keyboard.type("SPP")
    at_rest(page)
    expect(page.get_by_role("button", name="Exit")).to_be_visible()


def test_charts_have_larger_letters_in_the_mode(page, server):
    def letters() -> float:
        cell = page.locator("[data-testid=stVegaLiteChart] .mark-text text").first
        expect(cell).to_be_attached()
        return float(cell.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))

    visit(page, server, "lookup")
    before = letters()
    visit(page, server, "lookup", "present=1")
    assert letters() == pytest.approx(1.3 * before)
