"""Single controls by keyboard: links, sliders, fields, steps, chips; the focus is where it was afterwards."""

import re

import pytest
from playwright.sync_api import Page, expect

from .page_actions import at_rest, drawn, entry, in_address, main_of, slider, type_number, visit

# The body, and the main part, which scrolls, contain the text of all controls.
FOCUSED = """document.activeElement.querySelector('a, button, input') ? ''
    : document.activeElement.innerText || document.activeElement.ariaLabel || ''"""


def tab_to(page: Page, words: str, most: int = 40) -> None:
    """Press Tab until the focused element contains these words."""
    seen = []
    for _ in range(most):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if words in seen[-1] and not seen[-1].startswith("Help for"):  # a tooltip is named after its control
            return
    pytest.fail(f"Tab does not reach {words!r}; it goes through {seen}")


def press_arrow(page: Page, key: str) -> None:
    """Press an arrow key in a row of choices; Space chooses what the arrow has only moved the focus to."""
    page.keyboard.press(key)
    if not page.evaluate("document.activeElement.checked || document.activeElement.ariaChecked === 'true'"):
        page.keyboard.press("Space")


def step_is(page: Page, name: str, number: int) -> None:
    """Wait until this step of Combine is chosen and in the address."""
    expect(page.get_by_role("radiogroup", name="Step").get_by_role("radio", checked=True)).to_have_text(name)
    in_address(page, step=str(number))


def test_tab_and_enter_open_a_lesson(page, server):
    visit(page, server)
    tab_to(page, "Lookup")
    page.keyboard.press("Enter")
    drawn(page, "lookup")


def test_first_tab_offers_to_skip_the_sidebar(page, server):
    visit(page, server, "lookup")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to main content"


def test_arrow_keys_move_the_slider_of_V(page, server):
    visit(page, server, "lookup", "vocab_size=6&dim=3&ids=2+3+5+1")
    slider(page, "V").focus()
    for key, rows in (("ArrowRight", "7"), ("ArrowLeft", "6")):
        page.keyboard.press(key)
        in_address(page, vocab_size=rows)
        expect(main_of(page)).to_contain_text(f"{rows} of {rows} rows")
        expect(slider(page, "V")).to_be_focused()


def test_focus_stays_in_a_field_after_enter(page, server):
    visit(page, server, "lookup")
    type_number(page, "V", 60)  # ends the preset, whose note disappears
    in_address(page, vocab_size="60")
    expect(entry(page, "V")).to_be_focused()


@pytest.mark.parametrize(("button", "label"), [("All settings", "V, exact"), ("The river", "Your text")])
def test_panel_opens_and_closes_with_the_keyboard(page, server, button, label):
    visit(page, server, "lookup")
    tab_to(page, "Link to heading")
    tab_to(page, button)
    field = main_of(page).get_by_label(label, exact=True)
    for count in (1, 0):
        page.keyboard.press("Enter")
        expect(field).to_have_count(count)
        at_rest(page)
        assert button in page.evaluate(FOCUSED)


def test_arrow_keys_go_through_the_steps_of_combine(page, server):
    visit(page, server, "combine")
    page.get_by_role("radiogroup", name="Step").get_by_role("radio", checked=True).focus()
    for key, name, number in (("ArrowRight", "token", 1), ("ArrowRight", "position", 2), ("ArrowLeft", "token", 1)):
        press_arrow(page, key)
        step_is(page, name, number)


def test_chips_are_chosen_with_the_keyboard(page, server):
    visit(page, server, "tokens")
    chips = page.get_by_role("radiogroup", name="Tokens in gpt2")
    chips.get_by_role("radio", checked=True).focus()
    press_arrow(page, "ArrowRight")
    in_address(page, piece="1")
    expect(chips.get_by_role("radio", checked=True)).to_have_text(re.compile("river"))
    expect(main_of(page)).to_contain_text("ID 7,850")


def test_focus_stays_on_the_button_that_times_both_ways(page, server):
    visit(page, server, "one_hot", "vocab_size=60&dim=4&ids=2+3")
    tab_to(page, "Link to heading")
    tab_to(page, "Time both as V grows")
    page.keyboard.press("Enter")
    expect(main_of(page)).to_contain_text("the product took")
    assert "Time both as V grows" in page.evaluate(FOCUSED)
