"""Predictions in the browser: answered by keyboard, judged with the misconception, counted on Home; no barrier."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from .learner import LESSONS, at_rest, follow, no_traceback, open_expander, sentence, type_number, visit

# What Streamlit's own widgets bring: (rule, part of the element's HTML).
OF_STREAMLIT = (
    ("scrollable-region-focusable", "<pre"),  # st.code, where a line is longer than the box
    ("color-contrast", 'class="token'),  # the colours of st.code
)


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
    sentence(page, "rows and columns are the same?")
    rows.get_by_text("50,257", exact=True).click()
    at_rest(page)
    sentence(page, "Right.")
    follow(page, "home")
    sentence(page, "1 prediction, 0 right at the first try")
    with page.expect_download() as download:
        page.get_by_role("button", name="Take the summary with you").click()
    assert "0 of 1 right at the first try" in download.value.path().read_text("utf-8")
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


@pytest.mark.parametrize("lesson", LESSONS)
def test_axe_finds_no_serious_barrier(page, server, lesson):
    visit(page, server, lesson)
    for summary in page.locator("[data-testid=stMain] summary").all():
        if summary.locator("xpath=..").get_attribute("open") is None:
            summary.click()
    at_rest(page)
    page.wait_for_timeout(600)  # parts open slowly, and half open they have other colours
    found = Axe().run(page).response["violations"]
    serious = [
        f"{rule['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
        if not any(rule["id"] == known and part in node["html"] for known, part in OF_STREAMLIT)
    ]
    assert serious == []
