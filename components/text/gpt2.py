"""GPT-2's byte-pair encoding (BPE), made from its published merge list.

Follows Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.2.
"""

import gzip
import hashlib
import zlib
from functools import cache
from operator import itemgetter
from pathlib import Path

import regex  # a dependency of tiktoken: Python's re does not support \p{L}
import tiktoken
from tiktoken_ext.openai_public import r50k_pat_str

MERGES = Path(__file__).parents[1] / "data" / "gpt2_merges.bpe.gz"
MERGES_SHA256 = "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"


def gpt2_pieces(text: str) -> list[str]:
    """Return the pieces into which GPT-2's pattern cuts a text before any merge; no merge crosses their borders.

    >>> gpt2_pieces("She can't wait 24 hours.")
    ['She', ' can', "'t", ' wait', ' 24', ' hours', '.']
    """
    return regex.findall(r50k_pat_str, text)


def gpt2_encoding(ranks: dict[bytes, int]) -> tiktoken.Encoding:
    """Return GPT-2's byte-pair encoding with all its tokens, or with those that a text can contain.

    >>> gpt2_encoding({b"t": 83, b"h": 71, b"e": 68, b"th": 400, b"the": 1169}).encode("the")
    [1169]
    """
    special_tokens = {"<|endoftext|>": 50_256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)


@cache
def gpt2_ranks() -> dict[bytes, int]:
    """Return GPT-2's 50,256 tokens with their IDs: 256 single bytes, then one token for each published merge.

    Raises ValueError if the installed list is not the published one.
    """
    try:
        merges = gzip.decompress(MERGES.read_bytes())
    except (OSError, EOFError, zlib.error):
        merges = b""
    if hashlib.sha256(merges).hexdigest() != MERGES_SHA256:
        raise ValueError(f"{MERGES.name} is not GPT-2's published merge list: install the app again.")
    printable = [b for b in range(256) if chr(b).isprintable() and chr(b) != " "]
    order = printable + [b for b in range(256) if b not in printable]
    # The list writes the 188 printable bytes as themselves and the others as the characters from U+0100 on.
    byte_of = {chr(b) if i < len(printable) else chr(256 + i - len(printable)): b for i, b in enumerate(order)}
    ranks = {bytes([b]): i for i, b in enumerate(order)}
    for pair in merges.decode("utf-8").splitlines()[1:]:
        ranks[bytes(byte_of[c] for c in pair.replace(" ", "", 1))] = len(ranks)
    return ranks


def ranks_in(piece: str) -> dict[bytes, int]:
    """Return those of GPT-2's tokens whose bytes occur within a piece, with their IDs in ascending order.

    Encoding the piece with these tokens gives the same IDs as with all of them. There are n (n + 1) / 2 candidates in n
    bytes, so that only short pieces take little time.
    """
    ranks, text = gpt2_ranks(), piece.encode()
    within = {text[start:end] for start in range(len(text)) for end in range(start + 1, len(text) + 1)}
    return dict(sorted(((token, ranks[token]) for token in within & ranks.keys()), key=itemgetter(1)))
