import os

import pytest
from tiktoken_ext import openai_public

from components.base.presets import PUBLISHED
from components.downloads.download import start
from components.text.tokenizers import TOKENIZER_FILES, TokenizerUnavailable, get_tokenizer
from tests.toy_tokenizer import NAME, TABLE

GPT2 = get_tokenizer("gpt2")
STORY = PUBLISHED["story_batch"]
FILE = TOKENIZER_FILES[NAME]


@pytest.mark.parametrize(
    ("text", "token_ids"),
    [
        ("Hello, world!", [15496, 11, 995, 0]),
        ("你好", [19526, 254, 25001, 121]),
        ("<|endoftext|>", [27, 91, 437, 1659, 5239, 91, 29]),
    ],
)
def test_gpt2_encode_gives_the_published_ids(text, token_ids):
    assert GPT2.encode(text) == token_ids


def test_gpt2_encode_of_the_story_gives_the_published_ids(story):
    token_ids = GPT2.encode(story)
    assert (len(story), len(token_ids)) == (STORY["characters"], STORY["gpt2_tokens"])
    assert token_ids[: 8 * 4] == [token_id for row in STORY["inputs"] for token_id in row]
    assert GPT2.decode(token_ids) == story


@pytest.mark.parametrize("unit", ["a", " ", "^", "👩\u200d"])
def test_gpt2_of_the_longest_text_returns_it(unit):
    text = (unit * 100_000)[:100_000]
    assert GPT2.decode(GPT2.encode(text)) == text


def test_gpt2_last_id_is_the_special_token():
    assert (GPT2.name, GPT2.n_vocab, GPT2.token_bytes(50_256)) == ("gpt2", 50_257, b"<|endoftext|>")
    with pytest.raises(KeyError):
        GPT2.token_bytes(50_257)
    with pytest.raises(ValueError, match=r"^There is no tokenizer 'GPT2': choose gpt2, cl100k_base or o200k_base\.$"):
        get_tokenizer("GPT2")


@pytest.mark.parametrize(("name", "size"), [("cl100k_base", 1_681_126), ("o200k_base", 3_613_922)])
def test_tokenizer_file_is_the_one_that_tiktoken_downloads(name, size, monkeypatch):
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda url, expected_hash: (url, expected_hash))
    file = TOKENIZER_FILES[name]
    published = openai_public.ENCODING_CONSTRUCTORS[name]()["mergeable_ranks"]
    assert (file.url, file.checksum.removeprefix("sha256:")) == published
    assert (file.bytes, file.title) == (size, f"{name} (tokenizer)")


@pytest.mark.parametrize("stored", [None, TABLE[:-1]])
def test_get_tokenizer_needs_undamaged_file_and_then_no_network(toy_tokenizer, cache, stored):
    file = TOKENIZER_FILES[NAME]
    if stored:
        file.target.write_bytes(stored)
    refusal = r"of cl100k_base \(.*TIKTOKEN_CACHE_DIR. Until then use"
    with pytest.raises(TokenizerUnavailable, match=refusal) as caught:
        get_tokenizer(NAME)
    assert caught.value.file is file
    assert [path.read_bytes() for path in cache.iterdir()] == ([stored] if stored else [])  # nothing was downloaded
    assert start(file).wait(60.0)
    toy_tokenizer.shutdown()
    tokenizer = get_tokenizer(NAME)
    assert (tokenizer.name, tokenizer.n_vocab, tokenizer.encode("hi")) == (NAME, 100_277, [104, 105])
    assert (tokenizer.decode([104]), tokenizer.token_bytes(105)) == ("h", b"i")
    assert get_tokenizer(NAME) is tokenizer


def test_tokenizer_file_folder_is_that_of_tiktoken(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "tables")
    monkeypatch.setenv("DATA_GYM_CACHE_DIR", str(tmp_path / "gym"))
    assert FILE.target == tmp_path / "tables/9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    assert FILE.target.parent == tmp_path / "gym"
    monkeypatch.delenv("DATA_GYM_CACHE_DIR")
    assert FILE.target.parent.name == "data-gym-cache"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert not FILE.ready
    problem = f"'{os.devnull}' cannot be written: set the environment variable TIKTOKEN_CACHE_DIR"
    assert problem in FILE.blocking_reason()
