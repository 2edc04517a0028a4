"""Byte-pair encoding (BPE), step by step: the merges that make GPT-2's tokens, and learning merges from a text.

Follows Sennrich et al. (2016), "Neural Machine Translation of Rare Words with Subword Units", algorithm 1, on bytes as
in Radford et al. (2019), section 2.2.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from components.text.gpt2 import gpt2_pieces, gpt2_ranks

Pair = tuple[bytes, bytes]
Step = tuple[list[bytes], int | None]


def merge_steps(piece: str) -> list[Step]:
    """Return each step by which GPT-2 encodes one piece: the parts before a merge, and the ID of the token it makes.

    Of all pairs of neighbors that are a token together, the one with the lowest rank is merged, the first one if it
    occurs several times; a rank is also the ID of the token. The last step has the final parts, and None.

    >>> for parts, merged_id in merge_steps(" the"):
    ...     print(parts, merged_id)
    [b' ', b't', b'h', b'e'] 256
    [b' t', b'h', b'e'] 258
    [b' t', b'he'] 262
    [b' the'] None
    """
    ranks = gpt2_ranks()
    parts = [bytes([byte]) for byte in piece.encode()]
    steps: list[Step] = []
    while True:
        found = pair_ranks(parts, ranks)
        lowest = min((rank for rank in found if rank is not None), default=None)
        steps.append((parts, lowest))
        if lowest is None:
            return steps
        at = found.index(lowest)
        parts = [*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]]


def pair_ranks(parts: Sequence[bytes], ranks: Mapping[bytes, int]) -> list[int | None]:
    """Return the rank of each pair of neighbors, None for a pair that is no token.

    >>> pair_ranks([b" t", b"h", b"e"], {b"he": 258, b"the": 1169})
    [None, 258]
    """
    return [ranks.get(first + second) for first, second in pairwise(parts)]


def count_merges(text: str, n_merges: int) -> list[tuple[Pair, int]]:
    """Return the first merges that byte-pair encoding learns from a text, each with how often its pair occurs then.

    The text is cut by GPT-2's pattern first. Each merge joins the pair of neighbors that occurs most often; among
    equals, the one that the text has first. There are fewer if every piece is one token before.

    >>> count_merges("low lower lowest", 3)
    [((b'l', b'o'), 3), ((b'lo', b'w'), 3), ((b' ', b'low'), 2)]
    """
    pieces = Counter(gpt2_pieces(text))
    parts = {piece: [bytes([byte]) for byte in piece.encode()] for piece in pieces}
    merges: list[tuple[Pair, int]] = []
    while len(merges) < n_merges:
        counts: Counter[Pair] = Counter()
        for piece, count in pieces.items():
            for pair in pairwise(parts[piece]):
                counts[pair] += count
        if not counts:
            break
        most = max(counts, key=counts.__getitem__)
        merges.append((most, counts[most]))
        parts = {piece: merge(each, most) for piece, each in parts.items()}
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
