"""The larger tokenizers are downloaded; if the internet is out of reach, pages show an error and go on."""

import pytest
from driver import WITH_SETTINGS, AppDriver

from components.text import tokenizers


@pytest.fixture(autouse=True)
def _out_of_reach(monkeypatch):
    def refused(name):
        raise ConnectionError(f"{name} is out of reach")

    monkeypatch.setattr(tokenizers.tiktoken, "get_encoding", refused)
    monkeypatch.setattr(tokenizers, "_loading", {})


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_pages_that_need_the_tokenizer_show_what_to_do(name):
    app = AppDriver().open().set(all_tokenizer=name)
    for page in WITH_SETTINGS:
        if page == "reproduce":  # its published results are of GPT-2's tokenizer
            continue
        sentences = app.open(page).errors()
        assert len(sentences) == 1, page
        for part in (name, "could not be downloaded", "TIKTOKEN_CACHE_DIR", "gpt2"):
            assert part in sentences[0]


def test_tokens_shows_gpt2_instead():
    app = AppDriver().open("tokens", tokenizer="cl100k_base", text="Hello, world!")
    assert app.widget("piece_chip").label == "Tokens in gpt2"
    assert len(app.widget("piece_chip").options) == 4


def test_another_tokenizer_clears_the_error():
    app = AppDriver().open("lookup", tokenizer="o200k_base")
    assert app.errors()
    assert not app.set(all_tokenizer="gpt2").errors()


def test_the_table_is_shown_without_its_ids():
    assert "W[0, 0]" in AppDriver().open("lookup", V=6, D=3, tokenizer="o200k_base").cells()


@pytest.mark.parametrize("page", ["lookup", "positions", "combine"])
def test_typed_ids_need_no_tokenizer(page):
    assert not AppDriver().open(page, V=6, D=3, ids="2 3 5 1", tokenizer="o200k_base").errors()
