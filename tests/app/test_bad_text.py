"""Texts that no lesson can do much with: every page shows a plain error."""

import random
import string

import pytest
from driver import PAGES, AppDriver

WITH_BATCH = ["windows", "lookup", "positions", "combine"]
LIMIT = 100_000


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        ("words", ""),
        ("gpt2", ""),
        ("words", " "),
        ("gpt2", "\n\t "),
        ("words", "x"),
        ("gpt2", "\0"),
        ("gpt2", "a\u202eb"),
    ],
)
def test_every_page_opens_with_next_to_no_text(tokenizer, text):
    app = AppDriver().open().set(all_tokenizer=tokenizer, text=text)
    assert app.state.text == text
    for page in PAGES[:-1]:
        app.open(page)
        if page in WITH_BATCH:
            (sentence,) = app.errors()
            assert sentence.startswith("Your text has ")


@pytest.mark.parametrize("page", WITH_BATCH)
@pytest.mark.parametrize(("words", "T"), [(0, 4), (1, 1), (3, 8)])
def test_too_short_a_text_shows_how_many_tokens_are_missing(page, words, T):
    app = AppDriver().open(page, tokenizer="words", T=T, text=" ".join("abcdefgh"[:words]))
    (sentence,) = app.errors()
    assert f"{T + 1 - words:,}" in sentence.split("missing")[0].split(":")[-1]
    assert f"T = {T}" in sentence
    enough = app.set(text=" ".join("abcdefghijk"[: T + 1]))
    assert not enough.errors()


@pytest.mark.parametrize("page", ["lookup", "one_hot", "positions", "combine"])
def test_an_id_out_of_range_is_named_and_the_button_fixes_it(page):
    app = AppDriver().open(page, V=1000, text="the cat in the hat")
    (sentence,) = app.errors()
    for part in ("ID 1,169", "position 0", "V = 1,000", "V = 3,798"):
        assert part in sentence
    app.press("Set V to 3,798")
    assert not app.errors()
    assert app.state.settings.vocab_size == 3_798
    assert app.charts()


def test_a_fix_that_would_be_too_large_is_rejected():
    app = AppDriver().open("lookup", V=1000, D=1024, ids="50256")
    app.press("Set V to 50,257")
    assert any("limit" in warning for warning in app.warnings())
    assert (app.state.settings.vocab_size, app.state.settings.dim) == (1000, 1024)


def test_a_text_above_the_limit_is_cut_with_a_warning():
    app = AppDriver().open().set(text="a " * LIMIT)
    assert app.state.text == ("a " * LIMIT)[:LIMIT] == app.widget("text").value
    (sentence,) = app.warnings()
    assert "200,000" in sentence
    assert "100,000" in sentence


@pytest.mark.parametrize(
    "text", ["مرحبا بالعالم كيف حالك", "👩‍👩‍👧‍👦 🇩🇪 e\u0301 ☕ 你好", "\r\n\t\x0b<|endoftext|>\u2028"]
)
def test_every_page_shows_every_script(text):
    app = AppDriver().open().set(text=text)
    for page in PAGES[1:]:
        app.open(page)
    assert app.open("tokens").widget("text").value == app.state.text == text


def test_a_text_too_long_for_a_link_stays_in_the_session():
    text = "".join(random.Random(1).choices(string.ascii_letters, k=10_000))
    app = AppDriver().open().set(text=text)
    assert "This text (10,000 characters) is too long for a link" in app.words
    assert "text" not in app.at.query_params
    assert app.open("lookup").state.text == text
