"""The larger tokenizers come from the internet; where it is out of reach, pages say so and go on."""

import pytest
from lab import WITH_SETTINGS, Lab

from components.core import tokenizers


@pytest.fixture(autouse=True)
def _out_of_reach(monkeypatch):
    def refused(name):
        raise ConnectionError(f"{name} is out of reach")

    monkeypatch.setattr(tokenizers.tiktoken, "get_encoding", refused)
    monkeypatch.setattr(tokenizers, "_asked", {})


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_every_page_that_needs_it_says_that_it_is_out_of_reach_and_what_to_do(name):
    lab = Lab().open().set(setting_tokenizer=name)
    for page in WITH_SETTINGS[:-1]:
        sentences = lab.open(page).errors()
        assert len(sentences) == 1, page
        for part in (name, "could not be downloaded", "TIKTOKEN_CACHE_DIR", "gpt2"):
            assert part in sentences[0]


def test_the_tokens_page_shows_gpt2_instead():
    lab = Lab().open("tokens", tokenizer="cl100k_base", text="Hello, world!")
    assert lab.widget("piece_chip").label == "Tokens in gpt2"
    assert len(lab.widget("piece_chip").options) == 4


def test_another_tokenizer_brings_the_pages_back():
    lab = Lab().open("lookup", tokenizer="o200k_base")
    assert lab.errors()
    assert not lab.set(setting_tokenizer="gpt2").errors()


def test_the_table_is_shown_while_its_ids_are_out_of_reach():
    assert "W[0, 0]" in Lab().open("lookup", V=6, D=3, tokenizer="o200k_base").cells()


@pytest.mark.parametrize("page", ["lookup", "positions", "combine"])
def test_typed_ids_need_no_tokenizer(page):
    assert not Lab().open(page, V=6, D=3, ids="2 3 5 1", tokenizer="o200k_base").errors()
