"""The keyboard alone: links, sliders, chips, and the arrow keys that step through the walk."""

import re

import pytest
from playwright.sync_api import Page, expect

from .learner import at_rest, drawn, entry, in_address, slider, text_area, type_number, visit

FOCUSED = "document.activeElement.innerText || document.activeElement.ariaLabel || ''"


def tab_to(page: Page, words: str, most: int = 40) -> None:
    """Press Tab until what is in focus carries these words."""
    seen = []
    for _ in range(most):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if words in seen[-1]:
            return
    pytest.fail(f"Tab does not reach {words!r}; it goes through {seen}")


def step_is(page: Page, name: str, number: int) -> None:
    expect(page.get_by_role("radiogroup", name="Step").get_by_role("radio", checked=True)).to_have_text(name)
    in_address(page, **({"step": str(number)} if number else {}))


def test_tab_and_enter_open_a_lesson(page, server):
    visit(page, server)
    tab_to(page, "Lookup")
    page.keyboard.press("Enter")
    drawn(page, "lookup")


def test_the_first_tab_offers_to_skip_the_sidebar(page, server):
    visit(page, server, "lookup")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to main content"


def test_arrow_keys_move_the_slider_of_V(page, server):
    visit(page, server, "lookup", "vocab_size=6&dim=3&ids=2+3+5+1")
    slider(page, "V").focus()
    page.keyboard.press("ArrowRight")
    in_address(page, vocab_size="7")
    expect(entry(page, "V")).to_have_value("7")
    expect(page.get_by_test_id("stMain")).to_contain_text("7 of 7 rows")
    page.keyboard.press("ArrowLeft")
    in_address(page, vocab_size="6")
    expect(page.get_by_test_id("stMain")).to_contain_text("6 of 6 rows")


def test_focus_stays_in_an_entry_after_enter(page, server):
    visit(page, server, "lookup")
    type_number(page, "V", 60)  # leaves the preset, whose note goes
    in_address(page, vocab_size="60")
    expect(entry(page, "V")).to_be_focused()


def test_arrow_keys_step_through_the_walk(page, server):
    visit(page, server, "combine")
    step_is(page, "ids", 0)
    page.keyboard.press("ArrowRight")
    step_is(page, "token", 1)
    page.keyboard.press("ArrowRight")
    step_is(page, "position", 2)
    page.keyboard.press("ArrowLeft")
    step_is(page, "token", 1)


def test_quick_arrow_keys_all_count(page, server):
    visit(page, server, "combine")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)  # the rhythm of a learner who does not wait for the page
    step_is(page, "combined", 5)


def test_arrow_keys_in_a_text_move_the_caret_only(page, server):
    visit(page, server, "combine", "step=2")
    page.get_by_test_id("stExpander").first.locator("summary").click()
    text_area(page).click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert text_area(page).evaluate("area => area.selectionStart") == 2
    stays_at_two(page)


def test_arrow_keys_on_a_slider_move_the_slider_only(page, server):
    visit(page, server, "combine", "step=2&dim=8")
    slider(page, "D").focus()
    page.keyboard.press("ArrowRight")
    in_address(page, dim="10")
    stays_at_two(page)


def test_arrow_keys_on_a_choice_do_not_step(page, server):
    visit(page, server, "combine", "step=2")
    page.get_by_role("radiogroup", name="Positions").get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowRight")
    at_rest(page)
    stays_at_two(page)


def stays_at_two(page: Page) -> None:
    """Check that the walk stands where it stood, once one more change has come back from the server."""
    type_number(page, "Seed", 5)
    in_address(page, seed="5", step="2")
    step_is(page, "position", 2)


def test_chips_are_chosen_with_the_keyboard(page, server):
    visit(page, server, "tokens")
    chips = page.get_by_role("radiogroup", name="Tokens in gpt2")
    chips.get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowRight")
    if not page.evaluate("document.activeElement.checked || document.activeElement.ariaChecked === 'true'"):
        page.keyboard.press("Space")
    in_address(page, piece="1")
    expect(chips.get_by_role("radio", checked=True)).to_have_text(re.compile("river"))
    expect(page.get_by_test_id("stMain")).to_contain_text("ID 7,850")


def test_both_ways_are_timed_by_the_keyboard(page, server):
    visit(page, server, "one_hot", "vocab_size=60&dim=4&ids=2+3")
    tab_to(page, "Link to heading")
    tab_to(page, "Measure both as V grows")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain")).to_contain_text("the product took")
    assert "Measure both as V grows" in page.evaluate(FOCUSED)  # the focus has not been lost
