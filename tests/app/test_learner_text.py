"""A learner's text is shown as typed: Markdown, HTML, formulas and directives in it are never obeyed."""

import re

import pytest
from lab import PAGES, Lab

HOSTILE = "<script>alert(1)</script> :red[x] $y$ [a](http://b) **bold** `code` ~~s~~ :material/home: | --- | # h"
OBEYED = ["<script", "</script", ":red[", "$y$", "](http", "**bold**", "`code`", "~~s~~", ":material/home:"]
SHOWN_AS_TYPED = {"TextArea", "TextInput", "Code", "ArrowVegaLiteChart", "PageLink"}  # these do not read Markdown


def markdown_of(message):
    """Every text of a message that Streamlit may read as Markdown."""
    for field, value in message.ListFields():
        if field.name in ("id", "alt", "raw_values", "icon"):
            continue
        for item in value if field.is_repeated else [value]:
            if field.type == field.TYPE_MESSAGE:
                yield from markdown_of(item)
            elif field.type == field.TYPE_STRING:
                yield item


def bodies(lab):
    protos = [element.proto for element in lab.elements() if hasattr(getattr(element, "proto", None), "ListFields")]
    inputs = {"TextArea", "TextInput"}
    kept = [proto for proto in protos if type(proto).__name__ not in SHOWN_AS_TYPED]
    labels = [proto.label for proto in protos if type(proto).__name__ in inputs | {"PageLink"}]
    return labels + [body for proto in kept for body in markdown_of(proto)]


def unescaped(body):
    """What is left for Markdown to obey: the text without everything behind a backslash."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "", body)


def test_the_check_itself_finds_what_is_not_escaped():
    assert "<script" in unescaped("a <script> b")
    assert "<script" not in unescaped("a \\<script\\> b")


@pytest.mark.parametrize("tokenizer", ["words", "gpt2"])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_in_a_text_is_obeyed_on_any_page(page, tokenizer):
    typed = {"text": HOSTILE, "probe": HOSTILE, "term": HOSTILE, "search": "<script"}
    lab = Lab().open(page, T=16, tokenizer=tokenizer, step=0, **typed)
    obeyed = [mark for mark in OBEYED if page != "glossary" or mark != "](http"]  # which has links of its own
    wrong = [(mark, body) for body in bodies(lab) for mark in obeyed if mark in unescaped(body)]
    # The pages' own words may say <|endoftext|> or **bold**, but none of these.
    assert wrong == []


@pytest.mark.parametrize(
    ("page", "mark"), [("tokens", "\\<script\\>"), ("combine", "script\\>"), ("windows", "script\\>")]
)
def test_a_text_is_quoted_with_its_marks(page, mark):
    lab = Lab().open(page, T=4, text=HOSTILE, tokenizer="words")
    assert any(mark in body for body in bodies(lab))


@pytest.mark.parametrize("page", ["positions", "combine"])
def test_every_token_is_quoted_with_its_marks(page):
    lab = Lab().open(page, T=12, text="$y$ :red[x] <b>now</b> " * 6, tokenizer="words")
    assert any("\\$y\\$" in body and "\\:red\\[x\\]" in body for body in bodies(lab))


@pytest.mark.parametrize("typed", ["<b>1", ":red[1]", "$1$", "`1`"])
def test_typed_ids_are_quoted_and_not_obeyed(typed):
    lab = Lab().open("lookup", ids=typed)
    assert lab.errors()
    assert not [body for body in bodies(lab) if typed in unescaped(body)]


def test_values_of_a_link_are_quoted_and_not_obeyed():
    lab = Lab().open("lookup", V=":red[x]", position="<script>", seed="$y$")
    assert len(lab.warnings()) == 3
    assert not [body for body in bodies(lab) for mark in OBEYED if mark in unescaped(body)]


def test_charts_hold_the_text_as_it_is():
    lab = Lab().open("windows", T=4, text=HOSTILE + " end", tokenizer="words")
    (rows,) = lab.drawn("role")
    assert "<script>alert(1)</script>" in {row["token"] for row in rows}
