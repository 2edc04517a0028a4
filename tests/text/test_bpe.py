from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from components.text.bpe import gpt2_pieces, merge_steps
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
