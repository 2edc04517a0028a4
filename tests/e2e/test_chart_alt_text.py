"""Every chart has its numbers in its alternative text: on every page, and in states that need a choice."""

import math
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .page_actions import at_rest, no_traceback, visit

# The lesson, the parameters of its link, and the number of charts then.
STATES = (
    ("windows", "", 2),
    ("windows", "stride=6&shuffle=1&drop_last=1", 2),
    ("lookup", "vocab_size=60&dim=8&ids=2+3+5+1", 2),
    ("lookup", "input=single&rows_in_use=0&row=300", 2),
    ("one_hot", "vocab_size=60&dim=4&ids=2+3", 3),
    ("positions", "", 4),
    ("positions", "position=sinusoidal&wave=3", 4),
    ("positions", "position=none", 1),
    ("combine", "step=1", 2),
    ("combine", "step=9&scale=1", 2),
    ("errors", "experiment=id_equals_v&ran=1", 2),
    ("errors", "experiment=past_position_table&ran=1", 2),
    ("errors", "experiment=own&lab_ids=0+1+2&ran=1", 2),
    ("errors", "experiment=unknown_word&ran=1", 1),
    ("training", "", 3),
    ("training", "train_steps=20", 5),
    ("word2vec", "", 5),
    ("word2vec", "view=neighbours", 3),
    ("word2vec", "view=similarity", 3),
    ("word2vec", "view=map", 3),
)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
DRAWN = """chart => [...chart.querySelectorAll('svg [aria-label]')].map(mark => mark.getAttribute('aria-label'))
    .concat([...chart.querySelectorAll('svg text')].map(text => text.textContent))"""


def numbers(words: str) -> set[str]:
    """Return the numbers in a text as they are written, without sign and thousands separators."""
    return {number.replace(",", "") for number in NUMBER.findall(words)}


def is_drawn(number: str, shown: set[str]) -> bool:
    """Return whether a number is among those of the marks, which have fewer digits."""
    return any(math.isclose(float(number), float(each), abs_tol=0.005) for each in shown)


def alt_text(chart: Locator) -> str:
    return chart.get_attribute("aria-label") or ""


def charts_of(page: Page, count: int) -> list[Locator]:
    """Return the charts of a page, all of them rendered."""
    charts = page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(count)
    for chart in charts.all():
        expect(chart.locator("svg.marks")).to_be_attached()
    return charts.all()


@pytest.mark.parametrize(("lesson", "query", "count"), STATES)
def test_alt_text_of_a_chart_names_numbers_of_its_marks(page, server, lesson, query, count):
    visit(page, server, lesson, query)
    no_traceback(page)
    for chart in charts_of(page, count):
        text, marks = alt_text(chart), chart.evaluate(DRAWN)
        assert numbers(text), f"no number: {text}"
        shown = numbers(" ".join(marks))
        found = {number for number in numbers(text) if is_drawn(number, shown)}
        # The rest is what no mark shows: a share of the variance, a sum over all that is not drawn.
        assert len(found) >= len(numbers(text)) / 3, f"{text}: {numbers(text) - found} not among {marks[:12]}"
        caption = chart.locator("xpath=following::*[@data-testid='stCaptionContainer'][1]")
        assert numbers(caption.inner_text()) == numbers(text), "the caption has the same numbers"


def test_alt_text_of_a_measurement_names_its_numbers(page, server):
    visit(page, server, "one_hot", "vocab_size=60&dim=4&ids=2+3")
    page.get_by_role("button", name="Time both as V grows").click()
    chart = page.locator("[data-testid=stVegaLiteChart][aria-label*=µs]")
    expect(chart).to_be_visible()
    times = re.search(r"At V = ([\d,]+) the product took ([\d,]+) µs, the lookup ([\d,.]+) µs:", alt_text(chart))
    assert f"lookup, V = {times[1]}: {times[3]} microseconds" in chart.evaluate(DRAWN)


def test_alt_text_of_three_trainings_names_their_numbers(page, server):
    visit(page, server, "training", "train_more=20")
    page.get_by_role("button", name=re.compile("Train all three")).click()
    chart = page.locator("[data-testid=stVegaLiteChart][aria-label*='at the end']")
    expect(chart).to_have_attribute("aria-label", re.compile(r"none \d\.\d+.*learned \d\.\d+.*sinusoidal \d\.\d+"))
    at_rest(page)


@pytest.mark.parametrize(
    ("lesson", "query", "reading"),
    [
        ("lookup", "vocab_size=6&dim=3&seed=123&ids=2+3+5+1", r"(W\[\d+, \d+\] = -?\d\.\d{4})\."),
        ("positions", "position=learned", r"(P\[\d+, \d+\] = -?\d\.\d{4})\."),
        ("word2vec", "view=neighbours", r"Nearest to king: (\w+ -?\d\.\d{4}),"),
    ],
)
def test_number_in_an_alt_text_is_the_number_of_its_mark(page, server, lesson, query, reading):
    visit(page, server, lesson, query)
    chart = page.locator("[data-testid=stVegaLiteChart]").filter(has=page.locator("svg.marks"))
    texts = [(each, re.search(reading, alt_text(each))) for each in chart.all()]
    ((found, match),) = [(each, match) for each, match in texts if match]
    wanted = match[1] if "=" in match[1] else "1. " + match[1].replace(" ", ", ")
    assert wanted in found.evaluate(DRAWN)
