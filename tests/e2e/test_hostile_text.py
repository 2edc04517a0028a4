"""Texts that could break a page: each is shown as typed or refused with a message, never interpreted."""

import time

import pytest
from playwright.sync_api import expect

from components.base.learner_text import visible
from components.base.limits import MAX_TEXT_CHARS
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary

from .page_actions import (
    LESSONS,
    WITHOUT_TEXT,
    at_rest,
    drawn,
    in_address,
    no_traceback,
    sentence,
    text_area,
    type_text,
    visit,
    watch_console,
)

TEXTS = {
    "empty": "",
    "spaces": "     ",
    "one character": "a",
    "shorter than a window": "one two three",
    "emoji": "👩‍👩‍👧 and 🏳️‍🌈 and ☕ go by the river",
    "right to left": "שלום עולם مرحبا بالعالم and English again",
    "combining marks": "Z̷͔̎a̸l̵g̶o é e\u0301 o\u0308 by the river bank",
    "control characters": "a\x01b\x07c\u200bd\u202ee\u00a0f by the river",
    "special token": "<|endoftext|> is <pad> and <unk> like any other",
    "script": "<script>alert(1)</script> <img src=x onerror=alert(2)> by the river",
    "directives": "a :red[x] $y$ **b** :material/home: [l](http://x) `c` :smile: # h ~d~ $$z$$ -> <- --",
    "quotes and slashes": "\\ \\\\ ' \" {row} {{x}} %s & &amp; | 0|0 \n---\n# title\n> quote by the river",
}


def pills(page, name: str) -> list[str]:
    """Return the chips of a tokenizer as they stand on the page: the token, and its ID behind a space."""
    group = page.get_by_role("radiogroup", name=f"Tokens in {name}")
    labels = group.get_by_role("radio").all_inner_texts()
    # Invisible characters keep a right-to-left token before its ID and prevent Markdown from joining characters.
    return [" ".join(label.replace("\u200e", "").replace("\u2060", "").split()) for label in labels]


def enter(page, text: str) -> None:
    """Type a text and wait until it is applied."""
    type_text(page, text)
    in_address(page, text=text)


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson not in WITHOUT_TEXT])
def test_every_page_renders_every_text(page, server, lesson):
    errors = watch_console(page, server)
    page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
    visit(page, server, lesson)
    for name, text in TEXTS.items():
        enter(page, text)
        drawn(page, lesson)
        no_traceback(page)
        assert errors == [], f"{name}: {errors}"


def test_chips_show_every_token_as_typed(page, server):
    visit(page, server, "tokens")
    changed = {}
    for text in filter(str.strip, TEXTS.values()):
        enter(page, text)
        for kind in (Vocabulary.from_text(text), get_tokenizer("gpt2")):
            wanted = [f"{visible(kind.token_bytes(i))} {i}" for i in kind.encode(text)]
            shown = pills(page, kind.name)
            assert len(shown) == len(wanted)
            changed |= {typed: drawn for typed, drawn in zip(wanted, shown, strict=True) if typed != drawn}
        assert page.get_by_test_id("stMain").locator("script, img[src=x], a[href='http://x']").count() == 0
    assert changed == {}


def test_megabyte_of_text_is_cut_with_a_message(page, server):
    visit(page, server, "tokens")
    started = time.monotonic()
    text_area(page).fill("river bank " * 95_000)
    text_area(page).press("Control+Enter")
    sentence(page, f"the limit is {MAX_TEXT_CHARS:,}")
    assert time.monotonic() - started < 10
    at_rest(page)
    assert len(text_area(page).input_value()) == MAX_TEXT_CHARS
    no_traceback(page)


def upload(page, name: str, content: bytes) -> None:
    page.get_by_role("button", name="Upload a text file").click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})


def test_uploaded_picture_is_refused_with_a_message(page, server):
    visit(page, server, "tokens")
    before = text_area(page).input_value()
    upload(page, "picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(64))
    sentence(page, "The file is not text in UTF-8: byte 0 is 0x89.")
    expect(text_area(page)).to_have_value(before)
    no_traceback(page)


def test_uploaded_text_replaces_the_text(page, server):
    visit(page, server, "tokens")
    upload(page, "café.txt", "\ufeffUn café au bord de la rivière".encode())
    expect(text_area(page)).to_have_value("Un café au bord de la rivière")
    in_address(page, text="Un café au bord de la rivière")


def test_ids_out_of_range_are_named_and_fixed(page, server):
    visit(page, server, "lookup", "vocab_size=6&dim=3&ids=2+3+9+1")
    sentence(page, "ID 9 at position 2 is out of range for V = 6 (valid: 0 to 5). V = 10 would fit all IDs here.")
    no_traceback(page)
    page.get_by_role("button", name="Set V to 10").click()
    in_address(page, vocab_size="10")
    expect(page.get_by_text("is out of range")).to_have_count(0)
    sentence(page, "The first is row 2 of the table")
