import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.base.learner_text import clean_text
from components.base.presets import PUBLISHED
from components.text.tokenizers import Tokenizer, get_tokenizer

GPT2 = get_tokenizer("gpt2")
STORY = PUBLISHED["story_batch"]


@pytest.mark.parametrize(
    ("text", "token_ids"),
    [
        ("", []),
        ("Hello world", [15496, 995]),
        ("Hello, world!", [15496, 11, 995, 0]),
        ("hello world", [31373, 995]),
        ("the", [1169]),
        (" the", [262]),
        (" ", [220]),
        ("\n", [198]),
        ("\n\n", [628]),
        (" café", [40304]),
        ("你好", [19526, 254, 25001, 121]),
        ("Hello, I'm a language model,", [15496, 11, 314, 1101, 257, 3303, 2746, 11]),
        ("Every effort moves you", [6109, 3626, 6100, 345]),
        ("Akwirw ier", [33901, 86, 343, 86, 220, 959]),
        ("someunknownPlace.", [11246, 34680, 27271, 13]),
        ("<|endoftext|>", [27, 91, 437, 1659, 5239, 91, 29]),
    ],
)
def test_gpt2_gives_its_published_ids(text, token_ids):
    assert GPT2.encode(text) == token_ids
    assert GPT2.decode(token_ids) == text


def test_the_opening_of_the_story_gives_the_published_ids():
    opening = "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow enough--"
    assert GPT2.encode(opening) == [token_id for row in STORY["inputs"][:5] for token_id in row]


def test_the_whole_story_gives_the_published_number_of_tokens_and_comes_back(story):
    token_ids = GPT2.encode(story)
    assert (len(story), len(token_ids)) == (STORY["characters"], STORY["gpt2_tokens"])
    assert GPT2.decode(token_ids) == story


@given(st.text())
def test_every_text_comes_back_from_its_ids_and_no_byte_is_lost(text):
    token_ids = GPT2.encode(text)
    assert GPT2.decode(token_ids) == text
    assert b"".join(map(GPT2.token_bytes, token_ids)) == text.encode("utf-8")
    assert all(0 <= token_id < 50_256 for token_id in token_ids)


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "שלום \u202eabc\u202c مرحبا",
        "e\u0301\u0323\u0308",
        "a\x00b",
        "\r\n\r\n",
        "\ufeff",
        "￿\U0010ffff",
        "<pad>",
    ],
)
def test_difficult_text_comes_back(text):
    assert GPT2.decode(GPT2.encode(text)) == text


def test_a_lone_surrogate_is_encoded_once_it_is_cleaned():
    clean, _ = clean_text("a\ud800b")
    assert GPT2.decode(GPT2.encode(clean)) == "a\ufffdb"


@pytest.mark.parametrize("unit", ["a", " ", "\n", "^", "ab ", "👩\u200d"])
def test_the_longest_text_of_one_kind_comes_back(unit):
    text = (unit * 100_000)[:100_000]
    assert GPT2.decode(GPT2.encode(text)) == text


def test_the_last_row_is_the_special_token_that_no_text_reaches():
    assert (GPT2.name, GPT2.n_vocab, GPT2.token_bytes(50_256)) == ("gpt2", 50_257, b"<|endoftext|>")
    assert GPT2.decode([50_256]) == "<|endoftext|>"
    with pytest.raises(KeyError):
        GPT2.token_bytes(50_257)
    assert isinstance(GPT2, Tokenizer)
