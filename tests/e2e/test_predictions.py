"""Predictions in the browser: answered by keyboard, graded with the misconception, counted on Home."""

import re

from playwright.sync_api import Page, expect

from .page_actions import at_rest, follow, no_traceback, open_expander, sentence, type_number, visit


def question(page: Page, words: str):
    """Return the answers to the question that contains these words; the questions are opened first."""
    open_expander(page, "Check your understanding")
    return page.get_by_role("radiogroup", name=re.compile(words))


def test_prediction_by_keyboard_is_graded_and_counted(page, server):
    visit(page, server, "lookup")
    rows = question(page, "How many rows does the table have then")
    rows.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    at_rest(page)
    sentence(page, "Not quite:")
    sentence(page, "the answer is 50,257. Common misconception: “rows and columns are the same”.")
    rows.get_by_text("50,257", exact=True).click()
    at_rest(page)
    sentence(page, "Correct.")
    follow(page, "home")
    sentence(page, "1 prediction, 0 correct on the first attempt")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download summary").click()
    file = download.value.path().read_text("utf-8")
    assert "0 of 1 correct on the first attempt" in file
    assert "; the answer is 50\\,257\\. Common misconception\\: “rows and columns are the same”\\." in file
    follow(page, "lookup")
    expect(question(page, "How many rows").get_by_role("radio", checked=True)).to_have_count(1)
    no_traceback(page)


def test_other_numbers_make_a_new_question(page, server):
    visit(page, server, "lookup")
    question(page, "How many rows does the table have then").get_by_text("50,257", exact=True).click()
    sentence(page, "Correct.")
    type_number(page, "V", 60_000)
    at_rest(page)
    rows = question(page, "V = 60,000 rows")
    expect(rows).to_be_visible()
    expect(rows.get_by_role("radio", checked=True)).to_have_count(0)
    expect(page.get_by_text("Correct.", exact=True)).to_have_count(0)
