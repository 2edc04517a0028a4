"""A learner's text is shown as typed: Markdown, HTML, formulas and directives in it have no effect."""

import re

import pytest
from driver import PAGES, AppDriver

HOSTILE = "<script>alert(1)</script> :red[x] $y$ [a](http://b) **bold** `code` ~~s~~ :material/home: | --- | # h"
OBEYED = ["<script", "</script", ":red[", "$y$", "](http", "**bold**", "`code`", "~~s~~", ":material/home:"]
SHOWN_AS_TYPED = {"TextArea", "TextInput", "Code", "ArrowVegaLiteChart", "PageLink"}  # these do not read Markdown


def markdown_of(message):
    """Yield every text of a message that Streamlit may read as Markdown."""
    for field, value in message.ListFields():
        if field.name in ("id", "alt", "raw_values", "icon"):
            continue
        for item in value if field.is_repeated else [value]:
            if field.type == field.TYPE_MESSAGE:
                yield from markdown_of(item)
            elif field.type == field.TYPE_STRING:
                yield item


def bodies(app):
    protos = [element.proto for element in app.at.main if hasattr(getattr(element, "proto", None), "ListFields")]
    inputs = {"TextArea", "TextInput"}
    kept = [proto for proto in protos if type(proto).__name__ not in SHOWN_AS_TYPED]
    labels = [proto.label for proto in protos if type(proto).__name__ in inputs | {"PageLink"}]
    return labels + [body for proto in kept for body in markdown_of(proto)]


def unescaped(body):
    """Return what Markdown would interpret: the text without everything behind a backslash."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "", body)


def test_unescaped_finds_what_is_not_escaped():
    assert "<script" in unescaped("a <script> b")
    assert "<script" not in unescaped("a \\<script\\> b")


@pytest.mark.parametrize("tokenizer", ["words", "gpt2"])
@pytest.mark.parametrize("page", PAGES)
def test_no_markup_in_a_text_has_an_effect(page, tokenizer):
    typed = {"text": HOSTILE, "probe": HOSTILE, "term": HOSTILE, "search": "<script"}
    app = AppDriver().open(page, T=16, tokenizer=tokenizer, step=0, **typed)
    obeyed = [mark for mark in OBEYED if page != "glossary" or mark != "](http"]  # which has links of its own
    wrong = [(mark, body) for body in bodies(app) for mark in obeyed if mark in unescaped(body)]
    # The pages' own texts may contain <|endoftext|> or **bold**, but none of these.
    assert wrong == []


@pytest.mark.parametrize(
    ("page", "mark"), [("tokens", "\\<script\\>"), ("combine", "script\\>"), ("windows", "script\\>")]
)
def test_a_text_is_quoted_with_its_markup(page, mark):
    app = AppDriver().open(page, T=4, text=HOSTILE, tokenizer="words")
    assert any(mark in body for body in bodies(app))


@pytest.mark.parametrize("page", ["positions", "combine"])
def test_every_token_is_quoted_with_its_markup(page):
    app = AppDriver().open(page, T=12, text="$y$ :red[x] <b>now</b> " * 6, tokenizer="words")
    assert any("\\$y\\$" in body and "\\:red\\[x\\]" in body for body in bodies(app))


@pytest.mark.parametrize("typed", ["<b>1", ":red[1]", "$1$", "`1`"])
def test_markup_in_typed_ids_has_no_effect(typed):
    app = AppDriver().open("lookup", ids=typed)
    assert app.errors()
    assert not [body for body in bodies(app) if typed in unescaped(body)]


def test_markup_in_a_link_has_no_effect():
    app = AppDriver().open("lookup", V=":red[x]", position="<script>", seed="$y$")
    assert len(app.warnings()) == 3
    assert not [body for body in bodies(app) for mark in OBEYED if mark in unescaped(body)]


def test_charts_contain_the_text_as_it_is():
    app = AppDriver().open("windows", T=4, text=HOSTILE + " end", tokenizer="words")
    rows = app.drawn("token")[0]
    assert "<script>alert(1)</script>" in {row["token"] for row in rows}
