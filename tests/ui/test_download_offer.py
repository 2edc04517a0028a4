"""The larger tokenizers are offered as downloads; without them pages go on, and their choice stays."""

import re

import pytest

from components.downloads import download as downloads
from components.downloads.download import last_download
from components.entry import LESSONS
from components.text.tokenizers import TOKENIZER_FILES
from tests.app_driver import AppDriver
from tests.toy_tokenizer import NAME

pytestmark = pytest.mark.usefixtures("toy_tokenizer")


def ended() -> bool:
    return last_download(TOKENIZER_FILES[NAME]).wait(60.0)


def test_offer_is_on_every_page_that_needs_the_tokenizer():
    app = AppDriver().open().set(all_tokenizer="o200k_base")
    for page, lesson in LESSONS.items():
        if lesson.controls is not None and page != "reproduce":  # its published results are of GPT-2's tokenizer
            app.open(page, **({"head": "text"} if page == "attention" else {}))  # other heads read words of a task
            assert not app.button("Download (3.6 MB)").disabled, page
            assert " is not on this server yet: 3.6 MB to download, once for everyone" in app.words
            assert "Until then use GPT-2's tokens, which need no download." in app.words
            assert not app.errors()
            assert app.state.settings.tokenizer == "o200k_base"
    assert downloads._downloads == {}
    assert app.open("tokens").open_sections().widget("piece_chip").label == "Tokens in gpt2"
    assert "W[0, 0]" in app.open("lookup", V=6, D=3).open_sections().cells()
    app.press("Use GPT-2's tokens")
    assert app.state.settings.tokenizer == "gpt2"
    for page in ("lookup", "positions", "combine"):
        assert "is not on this server" not in app.open(page, ids="2 3 5 1", tokenizer="o200k_base").words


def test_tokenizer_is_used_by_all_after_failure_and_cancellation(toy_tokenizer, cache):
    app, other = (AppDriver().open("tokens", tokenizer=NAME, text="hi") for _ in range(2))
    third = AppDriver().open("tokens", tokenizer="o200k_base")
    toy_tokenizer.mode = "missing"
    app.press("Download (")
    assert ended()
    assert "127.0.0.1 answered with error 404" in app.run().errors()[0]
    toy_tokenizer.mode = "stalled"
    app.press("Download (")
    assert "cl100k" in other.run().at.get("progress")[0].proto.text
    assert "only one download runs at a time" in third.press("Download (").warnings()[0]
    other.press("Cancel for everyone")
    assert ended()
    assert app.run().errors() == ["The download of cl100k_base (tokenizer) was cancelled, and its files are deleted."]
    assert list(cache.iterdir()) == []
    toy_tokenizer.mode = "good"
    app.press("Download (")
    assert ended()
    for each in (app, other):
        assert each.run().open_sections().widget("piece_chip").label == "Tokens in cl100k_base"
        assert len(each.widget("piece_chip").options) == 2
    figure = app.learner.outputs.figure.drawing
    assert "GPT-2’s merges, not those of cl100k_base" in figure
    assert "cl100k_base, in use" in figure
    assert re.findall(r'aria-label="token (\S+): ID (\d+)', figure) == [("h", "104"), ("i", "105")]
    assert not re.search(r'data-part="[bm]\d+[^"]* t\d', figure)  # GPT-2's merges do not make these tokens
