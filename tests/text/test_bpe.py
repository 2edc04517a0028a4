from collections import Counter
from itertools import pairwise

import regex
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken_ext.openai_public import r50k_pat_str

from components.text.bpe import count_merges, encode_with, gpt2_pieces, merge_steps
from components.text.tokenizers import get_tokenizer


@given(st.text(max_size=120))
@example("She left the bank for the riverbank. 👩‍👩‍👧‍👦 ဘာသာစကား\n\n  \t")
@example("a" * 300)
def test_merge_steps_of_any_text_end_with_gpt2s_tokens(text):
    gpt2 = get_tokenizer("gpt2")
    steps = [merge_steps(piece) for piece in gpt2_pieces(text)]
    assert [part for each in steps for part in each[-1][0]] == [gpt2.token_bytes(i) for i in gpt2.encode(text)]
    for each in steps:
        for (parts, merged_id), (after, _) in pairwise(each):
            assert (len(after), gpt2.token_bytes(merged_id) in after) == (len(parts) - 1, True)
        assert each[-1][1] is None


def by_hand(text: str, n_merges: int) -> tuple[list[tuple[tuple[bytes, bytes], int]], list[bytes]]:
    """Learn merges as in Sennrich et al.'s listing: all pieces of the text, one after the other, counted again."""
    pieces = [[bytes([b]) for b in found[0].encode()] for found in regex.finditer(r50k_pat_str, text)]
    merges = []
    for _ in range(n_merges):
        seen = [pair for piece in pieces for pair in pairwise(piece)]
        if not seen:
            break
        most = max(Counter(seen).values())
        a, b = next(pair for pair in seen if seen.count(pair) == most)
        merges.append(((a, b), most))
        for piece in pieces:
            at = 0
            while at < len(piece) - 1:
                if piece[at] == a and piece[at + 1] == b:
                    piece[at : at + 2] = [a + b]
                at += 1
    return merges, [part for piece in pieces for part in piece]


@given(st.text(max_size=60), st.integers(0, 30))
@example("the river bank, the bank in town: the bank of the river", 40)
def test_count_merges_and_encode_with_equal_a_plain_reference(text, n_merges):
    merges, tokens = by_hand(text, n_merges)
    assert count_merges(text, n_merges) == merges
    assert encode_with([pair for pair, _ in merges], text) == tokens
