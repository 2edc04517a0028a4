"""Every chart says its numbers in words: on every page, and in the states that only a choice brings forth."""

import math
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .learner import at_rest, no_traceback, visit

# The lesson, what is in its address, and how many charts there are then.
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
    """Return the numbers in words as they are written, without sign and thousands."""
    return {number.replace(",", "") for number in NUMBER.findall(words)}


def is_drawn(number: str, shown: set[str]) -> bool:
    """Return whether a number stands among those of the marks, which have fewer digits."""
    return any(math.isclose(float(number), float(each), abs_tol=0.005) for each in shown)


def in_words(chart: Locator) -> str:
    return chart.get_attribute("aria-label") or ""


def charts_of(page: Page, count: int) -> list[Locator]:
    """Return the charts of a page, all of them drawn."""
    charts = page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(count)
    for chart in charts.all():
        expect(chart.locator("svg.marks")).to_be_attached()
    return charts.all()


@pytest.mark.parametrize(("lesson", "query", "count"), STATES)
def test_a_chart_says_its_numbers_and_those_of_its_marks_among_them(page, server, lesson, query, count):
    visit(page, server, lesson, query)
    no_traceback(page)
    for chart in charts_of(page, count):
        said, drawn = in_words(chart), chart.evaluate(DRAWN)
        assert numbers(said), f"no number: {said}"
        shown = numbers(" ".join(drawn))
        found = {number for number in numbers(said) if is_drawn(number, shown)}
        # The rest is what no mark can say: a share of the variance, a sum over all that is not drawn.
        assert len(found) >= len(numbers(said)) / 3, f"{said}: {numbers(said) - found} not among {drawn[:12]}"
        caption = chart.locator("xpath=following::*[@data-testid='stCaptionContainer'][1]")
        assert numbers(caption.inner_text()) == numbers(said), "what is read out stands beneath it as well"


def test_the_charts_of_a_measurement_say_its_numbers(page, server):
    visit(page, server, "one_hot", "vocab_size=60&dim=4&ids=2+3")
    page.get_by_role("button", name="Measure both as V grows").click()
    chart = page.locator("[data-testid=stVegaLiteChart][aria-label*=microseconds]")
    expect(chart).to_be_visible()
    said = re.search(r"At V = ([\d,]+) the product took ([\d,]+) microseconds, the lookup ([\d,.]+):", in_words(chart))
    readings = chart.evaluate(DRAWN)
    assert f"lookup, V = {said[1]}: {said[3]} microseconds" in readings


def test_the_charts_of_three_trainings_say_their_numbers(page, server):
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
def test_a_number_that_is_said_is_the_number_of_its_mark(page, server, lesson, query, reading):
    visit(page, server, lesson, query)
    chart = page.locator("[data-testid=stVegaLiteChart]").filter(has=page.locator("svg.marks"))
    said = [(each, re.search(reading, in_words(each))) for each in chart.all()]
    ((found, match),) = [(each, match) for each, match in said if match]
    wanted = match[1] if "=" in match[1] else "1. " + match[1].replace(" ", ", ")
    assert wanted in found.evaluate(DRAWN)
