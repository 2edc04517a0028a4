import base64
import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from components.text import gpt2
from components.text.gpt2 import gpt2_encoding, gpt2_ranks, ranks_in
from components.text.tokenizers import get_tokenizer

PACKED = gpt2.MERGES.read_bytes()


def test_gpt2_ranks_as_file_have_the_checksum_tiktoken_expects(monkeypatch):
    """tiktoken has the checksum of a file with all tokens of GPT-2 in the order of their IDs, one in each line."""
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda url, expected_hash: expected_hash)
    lines = [base64.b64encode(token) + b" %d\n" % i for token, i in gpt2_ranks().items()]
    assert hashlib.sha256(b"".join(lines)).hexdigest() == openai_public.r50k_base()["mergeable_ranks"]


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(gzip.decompress(PACKED).replace(b"h e\n", b"e h\n", 1)),
        gzip.decompress(PACKED),
        PACKED[:-100],
        PACKED[:99] + b"\xff\x00" + PACKED[101:],
    ],
    ids=["a line changed", "not packed", "cut short", "bytes changed"],
)
def test_gpt2_ranks_of_a_damaged_merge_list_are_refused(monkeypatch, tmp_path, content):
    damaged = tmp_path / "merges.bpe.gz"
    damaged.write_bytes(content)
    monkeypatch.setattr(gpt2, "MERGES", damaged)
    with pytest.raises(ValueError, match=r"^merges\.bpe\.gz is not GPT-2's published merge list: install the app agai"):
        gpt2_ranks.__wrapped__()  # without its cache


@given(st.text(min_size=1, max_size=40) | st.text("ethr 'sA1é猫\n", min_size=1, max_size=40))
def test_ranks_in_any_text_encode_it_as_all_ranks_do(text):
    ranks = ranks_in(text)
    assert gpt2_encoding(ranks).encode_ordinary(text) == get_tokenizer("gpt2").encode(text)
