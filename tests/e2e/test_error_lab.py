"""The error lab: used with the keyboard alone, and opened from an error on another page."""

import pytest
from playwright.sync_api import expect

from .page_actions import at_rest, drawn, follow, in_address, no_traceback, sidebar_link, visit, watch_console
from .test_keyboard import FOCUSED, tab_to


def program(page):
    return page.get_by_test_id("stCode").first


def test_experiment_is_done_with_the_keyboard_alone(page, server):
    errors = watch_console(page, server)
    visit(page, server, "errors")
    tab_to(page, "Link to heading")
    tab_to(page, "Experiment")
    page.keyboard.type("longer than")
    page.keyboard.press("Enter")
    in_address(page, experiment="past_position_table")
    expect(program(page)).to_contain_text("position_table(positions)")
    tab_to(page, "IndexError")
    page.keyboard.press("Enter")
    in_address(page, guess="IndexError")
    tab_to(page, "Run")
    page.keyboard.press("Enter")
    in_address(page, ran="1")
    main = page.get_by_test_id("stMain")
    expect(main).to_contain_text("Error raised by this code and caught")
    expect(main).to_contain_text("Your guess, IndexError, is correct.")
    expect(main).to_contain_text("position_table has no row 4.")
    assert "Run" in page.evaluate(FOCUSED)
    tab_to(page, "Show the fix")
    page.keyboard.press("Enter")
    in_address(page, repaired="1")
    expect(main).to_contain_text("Changed: line 15.")
    expect(page.get_by_test_id("stCode").last).to_contain_text("shape [1, 4, 3]")
    assert "Show the fix" in page.evaluate(FOCUSED)
    no_traceback(page)
    assert errors == []


def test_error_on_a_page_opens_the_lab_with_that_case(page, server):
    visit(page, server, "lookup", "vocab_size=6&dim=3&ids=2+3+9")
    page.get_by_role("button", name="See what PyTorch raises here").click()
    drawn(page, "errors")
    in_address(page, experiment="own", lab_ids="[[2, 3, 9]]", vocab_size="6")
    expect(program(page)).to_contain_text("typed_ids = [[2, 3, 9]]")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_test_id("stMain")).to_contain_text("ids[0, 2] = 9: the token table has rows 0 to 5")
    follow(page, "lookup")
    expect(page.get_by_test_id("stMain")).to_contain_text("ID 9 at position 2")


def test_reload_restores_the_experiment(page, server):
    visit(page, server, "errors", "experiment=own&lab_ids=1.5&ran=1&repaired=1&guess=IndexError")
    for _ in range(2):
        expect(page.get_by_test_id("stMain")).to_contain_text("Your guess was IndexError; it is RuntimeError.")
        expect(page.get_by_test_id("stMain")).to_contain_text("ids[0] = 1.5: becomes a torch.float32")
        page.reload()
        drawn(page, "errors")


@pytest.mark.parametrize("width", [390, 1280])
def test_no_experiment_is_wider_than_the_page(page, server, width):
    page.set_viewport_size({"width": width, "height": 720})
    for experiment in ("own", "padding_idx_outside", "special_token", "dim_mismatch"):
        visit(page, server, "errors", f"experiment={experiment}&ran=1&repaired=1")
        at_rest(page)
        wide = "() => document.scrollingElement.scrollWidth - window.innerWidth"
        assert page.evaluate(wide) <= 0, experiment


def test_typed_code_is_shown_and_not_run(page, server):
    errors = watch_console(page, server)
    page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
    visit(page, server, "errors", "experiment=unknown_word&ran=1&repaired=1")
    for word in ("<img src=x onerror=alert(1)>", "'; import os; '", "$x$ :red[y] `z`", "‮猫🙂"):
        entry = page.get_by_role("textbox", name="Word")
        entry.fill(word)
        entry.press("Enter")
        in_address(page, lab_word=word)
        expect(page.get_by_test_id("stCode").nth(1)).to_contain_text("KeyError")
        no_traceback(page)
    assert sidebar_link(page, "errors").is_visible()
    assert errors == []
