import re
from urllib.parse import quote_plus

from playwright.sync_api import expect

from components.base.learner_text import visible
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary

TEXTS = (
    "👩‍👩‍👧 and 🏳️‍🌈 שלום עולם مرحبا Z̷͔̎a̸l̵g̶o e\u0301 o\u0308 by the river",
    "a\x01b\x07c\u200bd\u202ee\u00a0f <|endoftext|> is <pad> and <unk> by the river",
    "<script>alert(1)</script> <img src=x onerror=alert(2)> & &amp; ' \" \\ {row} %s by the river",
    "a :red[x] $y$ **b** :material/home: [l](http://x) `c` :smile: # h ~d~ $$z$$ -> <- -- | 0|0 \n---\n# t\n> q",
)
ENDS = """p => ['ש', 'so'].map(each => {
    const range = document.createRange(), texts = document.createTreeWalker(p, NodeFilter.SHOW_TEXT)
    while (!texts.nextNode().data.includes(each)) ;
    range.setStart(texts.currentNode, texts.currentNode.data.indexOf(each))
    range.setEnd(texts.currentNode, range.startOffset + 1)
    return range.getBoundingClientRect().left
})"""  # where a text has its first letter and one of its last word
INTERPRETED = "script, img[src=x], a[href='http://x']"


def test_hostile_texts_are_drawn_as_typed_and_run_nothing(page, server):
    errors = page.watch_console(server)
    page.on("dialog", lambda dialog: errors.append(f"a dialog opened: {dialog.message}"))
    page.visit(server, "tokens")
    page.reveal()
    page.open_section("Every token")
    for text in TEXTS:
        page.type_text(text)
        page.in_address(text=text)
        assert page.main.locator(INTERPRETED).count() == 0
        for tokenizer in (Vocabulary(text.split()), get_tokenizer("gpt2")):
            chips = page.get_by_role("radiogroup", name=f"Tokens in {tokenizer.name}").get_by_role("radio")
            wanted = [f"{visible(tokenizer.token_bytes(i))} {i}" for i in tokenizer.encode(text)]
            # Invisible characters keep a right-to-left token before its ID, and Markdown from joining characters.
            shown = [re.sub("[\u200e\u2060]", "", label) for label in chips.all_inner_texts()]
            assert [" ".join(label.split()) for label in shown] == wanted
    assert errors == []


def test_legend_of_heatmap_stays_when_the_address_changes(page, server):
    page.visit(server, "positions")
    page.open_section("The table")
    legend = page.main.locator(".role-legend").first
    expect(legend).to_be_visible()
    before = legend.screenshot()
    page.slider("Position").press("ArrowRight")
    page.in_address(at="6")
    assert legend.screenshot() == before


def test_text_written_from_right_to_left_begins_at_the_right(page, server):
    page.visit(server, query=f"text={quote_plus('שלום and so on')}")
    first, last = page.locator(".st-key-panel_text p").last.evaluate(ENDS)
    assert first > last
