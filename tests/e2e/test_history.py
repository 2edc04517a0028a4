"""Browser back and forward beyond the trials: to the address without parameters, and to a text too long for a link."""

import random
import string

from playwright.sync_api import Page, expect

from .page_actions import (
    at_rest,
    drawn,
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

LONG_TEXT = "".join(random.Random(1).choices(string.ascii_letters, k=9_000))  # random letters cannot be compressed


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
    sentence(page, "A reload or a shared link will not restore it")
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
    sentence(page, "The text of this link is too long for a link: paste it again")
    no_traceback(page)


def go_back_to_the_bare_address(page: Page) -> None:
    """Go back at once to the entry that the learner opened, which has no parameters."""
    steps = page.evaluate("history.length") - 2  # the first is the browser's own blank page
    arrived = "new Promise(done => addEventListener('popstate', () => done(location.search), {once: true}))"
    assert page.evaluate(f"steps => {{ const there = {arrived}; history.go(-steps); return there }}", steps) == ""
