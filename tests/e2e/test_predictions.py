"""Predictions in the browser: answered by keyboard, judged with the misconception, counted on Home; no barrier."""

import re

from playwright.sync_api import Page, expect

from .learner import at_rest, follow, no_traceback, open_expander, sentence, type_number, visit


def question(page: Page, words: str):
    """Return the answers to a question that has these words; the questions are opened first."""
    open_expander(page, "Predict, then reveal")
    return page.get_by_role("radiogroup", name=re.compile(words))


def test_a_prediction_by_keyboard_is_judged_and_counted(page, server):
    visit(page, server, "lookup")
    rows = question(page, "How many rows has the table then")
    rows.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    at_rest(page)
    sentence(page, "Not quite:")
    sentence(page, "the answer is 50,257. Perhaps you thought “rows and columns are the same”?")
    rows.get_by_text("50,257", exact=True).click()
    at_rest(page)
    sentence(page, "Right.")
    follow(page, "home")
    sentence(page, "1 prediction, 0 right at the first try")
    with page.expect_download() as download:
        page.get_by_role("button", name="Take the summary with you").click()
    told = download.value.path().read_text("utf-8")
    assert "0 of 1 right at the first try" in told
    assert "; the answer is 50\\,257\\. Perhaps you thought “rows and columns are the same”\\?" in told
    follow(page, "lookup")
    expect(question(page, "How many rows").get_by_role("radio", checked=True)).to_have_count(1)  # it stays answered
    no_traceback(page)


def test_other_numbers_ask_anew(page, server):
    visit(page, server, "lookup")
    question(page, "How many rows has the table then").get_by_text("50,257", exact=True).click()
    sentence(page, "Right.")
    type_number(page, "V", 60_000)
    at_rest(page)
    rows = question(page, "V = 60,000 rows")
    expect(rows).to_be_visible()
    expect(rows.get_by_role("radio", checked=True)).to_have_count(0)
    expect(page.get_by_text("Right.", exact=True)).to_have_count(0)
