"""Browser back and forward: one change at a time on a page, and nothing lost between pages."""

import random
import string

from playwright.sync_api import Page, expect

from .learner import (
    at_rest,
    drawn,
    entry,
    follow,
    in_address,
    no_traceback,
    sentence,
    set_three,
    text_area,
    three_are_set,
    type_text,
    visit,
)

LONG_TEXT = "".join(random.Random(1).choices(string.ascii_letters, k=9_000))  # nothing in it can be compressed away


def test_back_and_forward_across_pages_show_the_settings(page, server):
    visit(page, server, "lookup")
    set_three(page)
    follow(page, "windows")
    three_are_set(page)
    page.go_back()
    drawn(page, "lookup")
    three_are_set(page)
    page.go_forward()
    drawn(page, "windows")
    three_are_set(page)


def test_back_undoes_one_change_at_a_time(page, server):
    visit(page, server, "lookup")
    set_three(page)
    page.go_back()
    expect(entry(page, "Seed")).to_have_value("123")
    expect(entry(page, "D")).to_have_value("20")
    page.go_back()
    expect(entry(page, "D")).to_have_value("16")
    expect(entry(page, "V")).to_have_value("60")
    page.go_back()
    expect(entry(page, "V")).to_have_value("50257")
    page.go_forward()
    expect(entry(page, "V")).to_have_value("60")
    expect(entry(page, "D")).to_have_value("16")


def test_the_bare_first_entry_of_the_history_keeps_the_state(new_learner, server):
    page = new_learner()
    visit(page, server, "lookup")
    set_three(page)
    go_back_to_the_bare_address(page)
    at_rest(page)
    in_address(page, vocab_size="60", dim="20", seed="7")
    three_are_set(page)
    follow(page, "combine")
    three_are_set(page)


def test_a_text_too_long_for_a_link_lives_in_the_session(page, server):
    visit(page, server)
    type_text(page, LONG_TEXT)
    sentence(page, "neither a link nor a reload will bring it back")
    follow(page, "tokens")
    expect(text_area(page)).to_have_value(LONG_TEXT)
    page.go_back()
    drawn(page, "home")
    expect(text_area(page)).to_have_value(LONG_TEXT)
    type_text(page, "a short text in its place")
    in_address(page, text="a short text in its place")
    page.go_back()
    expect(text_area(page)).to_have_value(LONG_TEXT)
    page.reload()
    drawn(page, "home")
    sentence(page, "The link's own text was too long to travel in it")
    no_traceback(page)


def go_back_to_the_bare_address(page: Page) -> None:
    """Go back at once to the entry that the learner opened, which carries no parameters."""
    steps = page.evaluate("history.length") - 2  # before it there is the browser's own blank page
    arrived = "new Promise(done => addEventListener('popstate', () => done(location.search), {once: true}))"
    assert page.evaluate(f"steps => {{ const there = {arrived}; history.go(-steps); return there }}", steps) == ""
