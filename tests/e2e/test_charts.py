"""Every chart has its numbers in its alternative text; and hostile texts are drawn as they are typed."""

import math
import re

import pytest
from playwright.sync_api import expect

from components.base.learner_text import visible
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary

# The lesson, the parameters of its link, the number of charts, and words of an alternative text with a mark's number.
STATES = (
    ("windows", "stride=6&shuffle=1&drop_last=1", 2, ""),
    ("lookup", "vocab_size=6&dim=3&seed=123&ids=2+3+5+1", 2, r"(W\[\d+, \d+\] = -?\d\.\d{4})\."),
    ("one_hot", "vocab_size=60&dim=4&ids=2+3", 3, ""),
    ("positions", "position=learned", 4, r"(P\[\d+, \d+\] = -?\d\.\d{4})\."),
    ("positions", "position=sinusoidal&wave=3", 4, ""),
    ("combine", "step=9&scale=1", 2, ""),
    ("errors", "experiment=past_position_table&ran=1", 2, ""),
    ("training", "train_steps=20", 5, ""),
    ("word2vec", "view=neighbours", 3, r"Nearest to king: (\w+ -?\d\.\d{4}),"),
    ("word2vec", "view=map", 3, ""),
)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
MARKS = """chart => [...chart.querySelectorAll('svg [aria-label]')].map(mark => mark.getAttribute('aria-label'))
    .concat([...chart.querySelectorAll('svg text')].map(text => text.textContent))"""
TEXTS = (
    "👩‍👩‍👧 and 🏳️‍🌈 שלום עולם مرحبا Z̷͔̎a̸l̵g̶o e\u0301 o\u0308 by the river",
    "a\x01b\x07c\u200bd\u202ee\u00a0f <|endoftext|> is <pad> and <unk> by the river",
    "<script>alert(1)</script> <img src=x onerror=alert(2)> & &amp; ' \" \\ {row} %s by the river",
    "a :red[x] $y$ **b** :material/home: [l](http://x) `c` :smile: # h ~d~ $$z$$ -> <- -- | 0|0 \n---\n# t\n> q",
)
INTERPRETED = "script, img[src=x], a[href='http://x']"


def numbers(words: str) -> set[str]:
    """Return the numbers in a text as they are written, without sign and thousands separators."""
    return {number.replace(",", "") for number in NUMBER.findall(words)}


@pytest.mark.parametrize(("lesson", "query", "count", "reading"), STATES)
def test_alt_text_of_a_chart_has_numbers_of_its_marks(page, server, lesson, query, count, reading):
    page.visit(server, lesson, query)
    charts = page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(count)
    exact = []
    for chart in charts.all():
        expect(chart.locator("svg.marks")).to_be_attached()
        text, marks = chart.get_attribute("aria-label"), chart.evaluate(MARKS)
        shown = [float(number) for number in numbers(" ".join(marks))]
        found = [each for each in numbers(text) if any(math.isclose(float(each), x, abs_tol=0.005) for x in shown)]
        # The rest is what no mark shows: a share of the variance, a sum over all that is not drawn.
        assert len(found) >= max(1, len(numbers(text)) / 3), f"{text}: too little of it among {marks[:12]}"
        caption = chart.locator("xpath=following::*[@data-testid='stCaptionContainer'][1]")
        assert numbers(caption.inner_text()) == numbers(text)
        if reading and (match := re.search(reading, text)):
            exact.append(match[1] if "=" in match[1] else "1. " + match[1].replace(" ", ", "))
            assert exact[-1] in marks
    assert len(exact) == bool(reading)


@pytest.mark.parametrize("lesson", ["windows", "lookup", "training"])
def test_page_with_a_hostile_text_draws_it_and_runs_nothing(page, server, lesson):
    errors = page.watch_console(server)
    page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
    page.visit(server, lesson)
    for text in (*TEXTS, " "):
        page.type_text(text)
        page.in_address(text=text)
        page.drawn(lesson)
        page.no_traceback()
        assert page.main.locator(INTERPRETED).count() == 0
    assert errors == []


def test_chips_show_every_token_as_typed(page, server):
    page.visit(server, "tokens")
    for text in TEXTS:
        page.type_text(text)
        page.in_address(text=text)
        for tokenizer in (Vocabulary.from_text(text), get_tokenizer("gpt2")):
            chips = page.get_by_role("radiogroup", name=f"Tokens in {tokenizer.name}").get_by_role("radio")
            wanted = [f"{visible(tokenizer.token_bytes(i))} {i}" for i in tokenizer.encode(text)]
            # Invisible characters keep a right-to-left token before its ID and stop Markdown from joining characters.
            shown = [re.sub("[\u200e\u2060]", "", label) for label in chips.all_inner_texts()]
            assert [" ".join(label.split()) for label in shown] == wanted
        assert page.main.locator(INTERPRETED).count() == 0
