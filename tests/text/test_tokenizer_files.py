"""The larger tokenizers: which files they need, and that tiktoken finds a downloaded one without a network."""

import os

import pytest
import tiktoken
from tiktoken_ext import openai_public

from components.base.downloads import Download, start
from components.text.tokenizers import TOKENIZER_FILES, TokenizerUnavailable, get_tokenizer
from tests.toy_tokenizer import NAME, TABLE, toy_tokenizer


@pytest.fixture
def server(monkeypatch, cache):
    with toy_tokenizer(monkeypatch) as server:
        yield server


def run(name: str = NAME) -> Download:
    download = start(TOKENIZER_FILES[name])
    assert download.wait(15.0), download.progress
    return download


@pytest.mark.parametrize("name", TOKENIZER_FILES)
def test_url_and_checksum_are_those_of_tiktoken(name, monkeypatch):
    asked = []
    monkeypatch.setattr(
        openai_public, "load_tiktoken_bpe", lambda url, expected_hash: asked.extend([url, expected_hash])
    )
    openai_public.ENCODING_CONSTRUCTORS[name]()
    file = TOKENIZER_FILES[name]
    assert asked == [file.url, file.checksum.removeprefix("sha256:")]


def test_file_sizes_are_the_published_ones():
    assert {name: file.bytes for name, file in TOKENIZER_FILES.items()} == {
        "cl100k_base": 1_681_126,
        "o200k_base": 3_613_922,
    }


@pytest.mark.parametrize("name", TOKENIZER_FILES)
def test_missing_tokenizer_is_unavailable_and_not_downloaded(server, cache, name):
    with pytest.raises(TokenizerUnavailable) as caught:
        get_tokenizer(name)
    assert caught.value.file is TOKENIZER_FILES[name]
    for part in (f"The vocabulary of {name} (", "is not on this machine", "TIKTOKEN_CACHE_DIR", "choose gpt2"):
        assert part in str(caught.value)
    assert list(cache.iterdir()) == []


def test_downloaded_tokenizer_is_used_without_a_network(server):
    assert run().progress.state == "ready"
    server.shutdown()
    tokenizer = get_tokenizer(NAME)
    assert (tokenizer.name, tokenizer.encode("hi"), tokenizer.decode([104]), tokenizer.token_bytes(105)) == (
        NAME,
        [104, 105],
        "h",
        b"i",
    )
    assert tokenizer.n_vocab == 100_277
    assert get_tokenizer(NAME) is tokenizer


def test_folder_filled_by_tiktoken_is_used(server, cache, monkeypatch):
    monkeypatch.setattr(tiktoken.load, "read_file", lambda path: TABLE)
    tiktoken.get_encoding(NAME)
    assert [path.name for path in cache.iterdir()] == [TOKENIZER_FILES[NAME].target.name]
    assert get_tokenizer(NAME).encode("hi") == [104, 105]


def test_damaged_file_is_downloaded_again(server):
    target = TOKENIZER_FILES[NAME].target
    target.write_bytes(TABLE[:-1])
    with pytest.raises(TokenizerUnavailable):
        get_tokenizer(NAME)
    assert run().progress.state == "ready"
    assert target.read_bytes() == TABLE


def test_folder_is_the_one_that_tiktoken_uses(monkeypatch, tmp_path):
    file = TOKENIZER_FILES[NAME]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "tables")
    assert file.target == tmp_path / "tables/9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "gym"))
    assert file.target.parent == tmp_path / "gym"
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    assert file.target.parent.name == "data-gym-cache"


def test_tiktoken_without_a_folder_blocks_the_download(monkeypatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    file = TOKENIZER_FILES[NAME]
    assert not file.ready
    assert file.blocking_reason() == (
        f"cl100k_base (tokenizer) cannot be stored, because '{os.devnull}' cannot be written: set the "
        "environment variable TIKTOKEN_CACHE_DIR to another folder."
    )


@pytest.mark.parametrize("name", ["", "GPT2", "p50k_base"])
def test_unknown_tokenizer_is_an_error(name):
    with pytest.raises(ValueError, match=f"There is no tokenizer '{name}': choose gpt2, cl100k_base or o200k_base"):
        get_tokenizer(name)
