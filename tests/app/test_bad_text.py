"""Texts that no lesson can do much with: every page says so in a sentence."""

import random
import string

import pytest
from lab import PAGES, Lab

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
    lab = Lab().open().set(setting_tokenizer=tokenizer, text=text)
    assert lab.state.text == text
    for page in PAGES[:-1]:
        lab.open(page)
        if page in WITH_BATCH:
            (sentence,) = lab.errors()
            assert sentence.startswith("Your text has ")


@pytest.mark.parametrize("page", WITH_BATCH)
@pytest.mark.parametrize(("words", "T"), [(0, 4), (1, 1), (3, 8)])
def test_a_text_too_short_for_a_window_is_told_how_many_tokens_are_missing(page, words, T):
    lab = Lab().open(page, tokenizer="words", T=T, text=" ".join("abcdefgh"[:words]))
    (sentence,) = lab.errors()
    assert f"{T + 1 - words:,}" in sentence.split("missing")[0].split(":")[-1]
    assert f"T = {T}" in sentence
    enough = lab.set(text=" ".join("abcdefghijk"[: T + 1]))
    assert not enough.errors()


@pytest.mark.parametrize("page", ["lookup", "positions", "combine"])
def test_an_id_without_a_row_is_named_with_its_place_and_the_button_repairs_it(page):
    lab = Lab().open(page, V=1000, text="the cat in the hat")
    (sentence,) = lab.errors()
    for part in ("ID 1,169", "place 0", "V = 1,000", "V = 3,798"):
        assert part in sentence
    lab.press("Set V to 3,798")
    assert not lab.errors()
    assert lab.state.settings.vocab_size == lab.widget("setting_vocab_size").value == 3_798
    assert lab.charts()


def test_a_repair_that_would_be_too_large_is_refused_in_a_sentence_and_changes_nothing():
    lab = Lab().open("lookup", V=1000, D=1024, ids="50256")
    lab.press("Set V to 50,257")
    assert any("limit" in warning for warning in lab.warnings())
    assert (lab.state.settings.vocab_size, lab.state.settings.dim) == (1000, 1024)


def test_a_text_above_the_limit_is_cut_and_the_cut_is_said():
    lab = Lab().open().set(text="a " * LIMIT)
    assert lab.state.text == ("a " * LIMIT)[:LIMIT] == lab.widget("text").value
    (sentence,) = lab.warnings()
    assert "200,000" in sentence
    assert "100,000" in sentence


@pytest.mark.parametrize(
    "text", ["مرحبا بالعالم كيف حالك", "👩‍👩‍👧‍👦 🇩🇪 e\u0301 ☕ 你好", "\r\n\t\x0b<|endoftext|>\u2028"]
)
def test_every_page_shows_every_script(text):
    lab = Lab().open().set(text=text)
    for page in PAGES[1:]:
        lab.open(page)
    assert lab.open("tokens").run().widget("text").value == lab.state.text == text


def test_a_text_that_a_link_cannot_carry_says_so_and_stays_in_the_session():
    text = "".join(random.Random(1).choices(string.ascii_letters, k=10_000))
    lab = Lab().open().set(text=text)
    assert "10,000 characters stays in this session" in lab.words
    assert "text" not in lab.at.query_params
    assert lab.open("lookup").state.text == text
