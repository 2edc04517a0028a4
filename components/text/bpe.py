"""Byte-pair encoding (BPE), step by step: the merges that make GPT-2's tokens, and learning merges from a text.

Follows Sennrich et al. (2016), "Neural Machine Translation of Rare Words with Subword Units", algorithm 1, on bytes as
in Radford et al. (2019), section 2.2.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import regex  # a dependency of tiktoken: Python's re does not support \p{L}
from tiktoken_ext.openai_public import r50k_pat_str

from components.text.gpt2 import gpt2_ranks

Pair = tuple[bytes, bytes]


def gpt2_pieces(text: str) -> list[str]:
    """Return the pieces into which GPT-2's pattern cuts a text before any merge; no merge crosses their borders.

    >>> gpt2_pieces("She can't wait 24 hours.")
    ['She', ' can', "'t", ' wait', ' 24', ' hours', '.']
    """
    return regex.findall(r50k_pat_str, text)


def merge_steps(piece: str) -> list[tuple[list[bytes], int | None]]:
    """Return each step by which GPT-2 encodes one piece: the parts before a merge, and the ID of the token it makes.

    Of all pairs of neighbors that are a token together, the one with the lowest rank is merged, the first one if it
    occurs several times; GPT-2's ranks are its token IDs. The last step has the final parts, and None.

    >>> for parts, merged_id in merge_steps(" the"):
    ...     print(parts, merged_id)
    [b' ', b't', b'h', b'e'] 256
    [b' t', b'h', b'e'] 258
    [b' t', b'he'] 262
    [b' the'] None
    """
    ranks = gpt2_ranks()
    parts = [bytes([byte]) for byte in piece.encode()]
    steps: list[tuple[list[bytes], int | None]] = []
    while pairs := [rank for pair in _pairs(parts) if (rank := ranks.get(b"".join(pair))) is not None]:
        lowest = min(pairs)
        steps.append((parts, lowest))
        at = next(i for i, pair in enumerate(_pairs(parts)) if ranks.get(b"".join(pair)) == lowest)
        parts = [*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]]
    return [*steps, (parts, None)]


def train_bpe(text: str, n_merges: int) -> list[Pair]:
    """Return the first merges that byte-pair encoding learns from a text, fewer if every piece is one token before.

    The text is cut by GPT-2's pattern first. Each merge joins the pair of neighbors that occurs most often; among
    equals, the one that the text has first.

    >>> train_bpe("low lower lowest", 3)
    [(b'l', b'o'), (b'lo', b'w'), (b' ', b'low')]
    """
    pieces = Counter(gpt2_pieces(text))
    parts = {piece: [bytes([byte]) for byte in piece.encode()] for piece in pieces}
    merges: list[Pair] = []
    while len(merges) < n_merges:
        counts: Counter[Pair] = Counter()
        for piece, count in pieces.items():
            for pair in _pairs(parts[piece]):
                counts[pair] += count
        if not counts:
            break
        merges.append(max(counts, key=counts.__getitem__))
        parts = {piece: merge(each, merges[-1]) for piece, each in parts.items()}
    return merges


def encode_with(merges: Sequence[Pair], text: str) -> list[bytes]:
    """Return the tokens of a text under learned merges, applied in the order in which they were learned.

    >>> encode_with([(b"l", b"o"), (b"lo", b"w")], "lowlands")
    [b'low', b'l', b'a', b'n', b'd', b's']
    """
    found: list[bytes] = []
    for piece in gpt2_pieces(text):
        parts = [bytes([byte]) for byte in piece.encode()]
        for pair in merges:
            parts = merge(parts, pair)
        found += parts
    return found


def merge(parts: Sequence[bytes], pair: Pair) -> list[bytes]:
    """Return the parts with every occurrence of a pair joined, from left to right.

    >>> merge([b"a", b"a", b"a"], (b"a", b"a"))
    [b'aa', b'a']
    """
    merged: list[bytes] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def _pairs(parts: Sequence[bytes]) -> Iterable[Pair]:
    return pairwise(parts)
