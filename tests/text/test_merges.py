import gzip
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from components.text import gpt2
from components.text.gpt2 import gpt2_ranks
from components.text.tokenizers import get_tokenizer

GPT2 = get_tokenizer("gpt2")
WORDS = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
# Characters whose class all versions of Unicode agree on, and the boundaries that a splitter gets wrong.
PLAIN = st.text("abcxyzABÉéßñ 'stremvld.,!?;:-0123٣४字语日本אב\n\t\r\xa0\u3000é👋🏽👩\u200d\u0301\x00") | st.text(
    st.characters(max_codepoint=0x7F)
)


def merges_as_published() -> tuple[dict[int, str], dict[tuple[str, str], int]]:
    """The bytes as GPT-2's merge list spells them, in the order of their IDs, and the rank of every merge."""
    own = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [b for b in range(256) if b not in own]
    spelling = {b: chr(b) for b in own} | {b: chr(256 + n) for n, b in enumerate(others)}
    lines = gzip.decompress(gpt2.MERGES.read_bytes()).decode("utf-8").split("\n")[1:-1]
    return spelling, {tuple(line.split(" ")): rank for rank, line in enumerate(lines)}


SPELLING, MERGES = merges_as_published()
TOKEN_IDS = {token: n for n, token in enumerate([*SPELLING.values(), *map("".join, MERGES)])}


def encode_by_hand(text: str) -> list[int]:
    token_ids = []
    for word in WORDS.findall(text):
        parts = [SPELLING[b] for b in word.encode("utf-8")]
        while ranked := [(MERGES[pair], pair) for pair in pairwise(parts) if pair in MERGES]:
            (first, second), merged, n = min(ranked)[1], [], 0
            while n < len(parts):
                both = parts[n : n + 2] == [first, second]
                merged.append(first + second if both else parts[n])
                n += 2 if both else 1
            parts = merged
        token_ids += [TOKEN_IDS[part] for part in parts]
    return token_ids


@given(PLAIN)
def test_gpt2_merges_as_a_plain_loop_over_the_published_list_does(text):
    assert GPT2.encode(text) == encode_by_hand(text)


def test_the_whole_story_is_encoded_as_by_hand(story):
    assert GPT2.encode(story) == encode_by_hand(story)


def test_the_table_holds_50256_different_tokens_and_every_byte():
    ranks = gpt2_ranks()
    assert sorted(ranks.values()) == list(range(50_256))
    assert all(GPT2.token_bytes(token_id) == token for token, token_id in ranks.items())
    assert {bytes([b]) for b in range(256)} == {token for token, token_id in ranks.items() if token_id < 256}
    spelled = ["".join(SPELLING[b] for b in token) for token in ranks]
    assert spelled == list(TOKEN_IDS)


@pytest.mark.parametrize("damage", ["a line changed", "not unpacked", "cut short"])
def test_a_merge_list_that_is_not_the_published_one_is_refused(monkeypatch, tmp_path, damage):
    packed = gpt2.MERGES.read_bytes()
    plain = gzip.decompress(packed)
    contents = {
        "a line changed": gzip.compress(plain.replace(b"h e\n", b"e h\n", 1)),
        "not unpacked": plain,
        "cut short": packed[:-100],
    }
    changed = tmp_path / "merges.bpe.gz"
    changed.write_bytes(contents[damage])
    monkeypatch.setattr(gpt2, "MERGES", changed)
    with pytest.raises(ValueError, match=r"merges\.bpe\.gz is not GPT-2's published merge list"):
        gpt2_ranks.__wrapped__()  # without its cache
