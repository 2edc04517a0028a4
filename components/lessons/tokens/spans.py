"""Where the words, GPT-2's pieces and the tokens of a text begin and end, and which tokens are shown together."""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from components.base.learner_text import visible, whole_character
from components.caches.encoding import token_ids, tokenizer
from components.figures.cells import CHARACTER, text_columns
from components.text.gpt2 import gpt2_pieces

ROOM, ROOM_WITH_ARROWS = 692, 628  # units for the tokens in one line
PAD, GAP, PIECE_GAP = 14, 3, 8
SIZE, SMALL = 17, 14  # units, of tokens, of IDs and of bytes
MAX_WIDTH = 360
CHARACTER_BESIDE = 3  # columns beside the bytes of an incomplete character

Offsets = Int[np.ndarray, "spans 2"]  # the first byte of each span, and the one after its last


class Spans(NamedTuple):
    """The words, the pieces and the tokens of a text, each token's ID and width, and the first token of each page."""

    text: str
    words: Offsets
    pieces: Offsets
    tokens: Offsets
    ids: Int[np.ndarray, " tokens"]
    widths: np.ndarray
    pages: list[int]

    def page(self, position: int) -> range:
        """Return the positions of the tokens that are shown together with one; beyond the last that is the last."""
        number = bisect_right(self.pages, position)
        return range(self.pages[number - 1], [*self.pages, len(self.tokens)][number])


def overlapping(spans: Offsets, first: int, last: int) -> range:
    """Return the numbers of the spans that share a byte with first to last - 1."""
    starts, ends = spans.T
    return range(int(np.searchsorted(ends, first, side="right")), int(np.searchsorted(starts, last, side="left")))


def token_text(token: bytes) -> str:
    """Return a token as a chip shows it: incomplete characters as bytes.

    >>> token_text(b" the"), token_text(b"\\xf0\\x9f")
    ('␣the', 'F0 9F')
    """
    return visible(token) if whole_character(token) else token.hex(" ").upper()


def token_width(token: bytes, token_id: int) -> float:
    """Return the width of a token's chip, which also has room for the ID below it."""
    whole = whole_character(token)
    columns = text_columns(token_text(token)) + (0 if whole else CHARACTER_BESIDE)
    wide = CHARACTER * (SIZE if whole else SMALL) * columns + PAD
    return min(MAX_WIDTH, max(wide, CHARACTER * SMALL * len(str(token_id)) + GAP))


@lru_cache(4)
def spans(text: str, bpe: str) -> Spans:
    """Return the spans of a text with at least one token in byte-pair encoding `bpe`."""
    encoder, ids = tokenizer(bpe, text), token_ids(bpe, text)
    distinct, of_token = np.unique(ids, return_inverse=True)
    known = [encoder.token_bytes(token_id) for token_id in distinct.tolist()]
    tokens = _side_by_side(np.array([len(token) for token in known])[of_token])
    pieces = _side_by_side(np.array([len(piece.encode()) for piece in gpt2_pieces(text)]))
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    offsets = np.append(0, np.cumsum(1 + (code_points[:, None] >= [0x80, 0x800, 0x10000]).sum(axis=1)))
    words = np.array([match.span() for match in re.finditer(r"\S+", text)], dtype=int).reshape(-1, 2)
    widths = np.array([token_width(*each) for each in zip(known, distinct.tolist(), strict=True)])[of_token]
    return Spans(text, offsets[words], pieces, tokens, ids, widths, _pages(widths, np.isin(tokens[:, 1], pieces[:, 1])))


def _side_by_side(lengths: np.ndarray) -> Offsets:
    ends = lengths.cumsum()
    return np.stack([ends - lengths, ends], axis=1)


def _pages(widths: np.ndarray, ends_piece: np.ndarray) -> list[int]:
    """Return the first token of each page; a page ends with a piece unless less than half of it would be filled."""
    ends = np.cumsum(widths + np.where(ends_piece, PIECE_GAP, GAP))
    if ends[-1] <= ROOM:
        return [0]
    starts_piece = np.append(0, np.flatnonzero(ends_piece) + 1)
    pages, before = [0], 0.0
    while ends[-1] - before > ROOM_WITH_ARROWS:
        fits = int(np.searchsorted(ends, before + ROOM_WITH_ARROWS, side="right"))
        whole = int(starts_piece[np.searchsorted(starts_piece, fits, side="right") - 1])
        half_full = whole > pages[-1] and ends[whole - 1] - before > ROOM_WITH_ARROWS / 2
        pages.append(whole if half_full else fits)
        before = ends[pages[-1] - 1]
    return pages
