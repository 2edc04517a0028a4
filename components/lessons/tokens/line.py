"""The upper half of the figure: words, GPT-2's pieces and tokens of one line, and which of them belong together."""

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from components.base.learner_text import isolated, visible, whole_character
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer, vocabulary
from components.figures.cells import CHARACTER, text_columns
from components.text.gpt2 import gpt2_pieces

RIGHT = 820  # units
SHEET = 420  # units: the longest part of the line on a narrow screen
MAX_CHARS, MAX_NAMED = 40, 8  # characters of a word or piece, tokens of a piece
ROOM, ROOM_WITH_ARROWS = 692, 628  # units for the tokens in one line
ARROWS = (RIGHT - ROOM, RIGHT - (ROOM - ROOM_WITH_ARROWS) // 2 + 6)  # left edges
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


@dataclass
class Item:
    """A word (w), piece (p) or token (t): its bytes, left edge and width, text and ID, and what a click on it chooses.

    `parts` names what it is lit with, and `name` describes it with its numbers.
    """

    kind: str
    number: int
    start: int
    end: int
    x: float
    width: float
    text: str
    id: int | None = None
    whole: bool = True
    parts: str = ""
    name: str = ""
    choose: str = ""

    @property
    def part(self) -> str:
        return f"{self.kind}{self.number}"

    @property
    def n_bytes(self) -> str:
        return pluralize(self.end - self.start, "byte")

    @property
    def isolated(self) -> str:
        """The text of a token; bytes are written from left to right, also if a character beside them is not."""
        return isolated(self.text) if self.whole else isolated(self.text, "\u2066")

    @property
    def size(self) -> int:
        """The size of the text of a token."""
        return SIZE if self.whole else SMALL

    def meets(self, other: "Item") -> bool:
        """Return whether two items share a byte."""
        return self.start < other.end and other.start < self.end


class Line(NamedTuple):
    """What is shown of a text in one line, and the choices that lead to the tokens before and after, if any.

    On a narrow screen the line is broken into sheets, each from one left edge to the next.
    """

    words: list[Item]
    pieces: list[Item]
    tokens: list[Item]
    before: str
    after: str
    sheets: list[float]


def make_line(found: Spans, position: int, masked: bool) -> Line:
    """Return the line with the token at a position of the text; nothing names the tokens if they are masked."""
    positions, data, word_ids = found.page(position), found.text.encode(), vocabulary(found.text).word_ids
    tokens = _tokens(found, data, positions)
    words, pieces = (
        [_above(kind, n, *spans[n].tolist(), data, tokens) for n in overlapping(spans, tokens[0].start, tokens[-1].end)]
        for kind, spans in (("w", found.words), ("p", found.pieces))
    )
    for word in words:
        word.id = word_ids[data[word.start : word.end].decode()]
        word.name = f"word {isolated(word.text)}: ID {word.id} in the word vocabulary of your text"
    for piece in pieces:
        piece.name = f"piece {isolated(piece.text)}: {piece.n_bytes}"
        if not masked:
            own = [f"{token.isolated} {token.id}" for token in tokens if token.meets(piece)][:MAX_NAMED]
            count = len(overlapping(found.tokens, piece.start, piece.end))  # some may be in the line before or after
            more = " + …" if count > len(own) else ""
            number, *own = (each.replace(" ", "\xa0") for each in (pluralize(count, "token"), *own))  # on one line
            piece.name += f", {number}: {' + '.join(own)}{more}"
    for item in (*words, *pieces, *tokens):
        others = [each for each in (*words, *pieces, *tokens) if each.kind != item.kind and each.meets(item)]
        item.parts = " ".join(each.part for each in (item, *others))
        item.choose = _choose(*(next(each.number for each in (item, *others) if each.kind == kind) for kind in "pt"))
    before = _choose(-1, positions.start - 1) if positions.start else ""
    after = _choose(-1, positions.stop) if positions.stop < len(found.tokens) else ""
    return Line(words, pieces, tokens, before, after, _sheets(words, pieces, tokens))


def _sheets(words: Sequence[Item], pieces: Sequence[Item], tokens: Sequence[Item]) -> list[float]:
    """Return the left edge of each sheet; one begins with a word, else with a piece, if that fills half of the last."""
    sheets = [0]
    while True:
        left = tokens[sheets[-1]].x
        if tokens[-1].x + tokens[-1].width - left <= SHEET:
            return [tokens[n].x for n in sheets]
        breaks = [n for n in range(sheets[-1] + 1, len(tokens)) if tokens[n].x - left <= SHEET]
        for others in (pieces, words):
            inside = [n for n in breaks if not any(each.start < tokens[n].start < each.end for each in others)]
            if inside and tokens[inside[-1]].x - left > SHEET / 2:
                breaks = inside
        sheets.append(breaks[-1])


def _choose(opened: int, position: int) -> str:
    return json.dumps({"opened": opened, "merge": 0, "piece": position})


def _tokens(found: Spans, data: bytes, positions: range) -> list[Item]:
    """Return tokens side by side, in the room that the labels of the line leave."""
    x = RIGHT - (ROOM if len(positions) == len(found.ids) else (ROOM + ROOM_WITH_ARROWS) / 2)
    piece_ends = {*found.pieces[:, 1].tolist()} if len(found.pages) == 1 else found.pieces[:, 1]
    items = []
    for position in positions:
        start, end = found.tokens[position].tolist()
        token, token_id, width = data[start:end], int(found.ids[position]), float(found.widths[position])
        item = Item("t", position, start, end, x, width, token_text(token), token_id, whole_character(token))
        beside = "" if item.whole else characters_around(data, start, end)
        item.text += f" {beside}" if beside and not beside.startswith("‹") else ""  # a code has no room
        kind = "token" if item.whole else "incomplete character, token of the bytes"
        item.name = f"{kind} {item.isolated}: ID {token_id}, {item.n_bytes}"
        items.append(item)
        x += width + (PIECE_GAP if end in piece_ends else GAP)
    return items


def characters_around(data: bytes, start: int, end: int) -> str:
    """Return the characters that some bytes of a text are a part of, as visible text."""
    while data[start] & 0xC0 == 0x80:  # a continuation byte of UTF-8
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return visible(data[start:end].lstrip())


def _above(kind: str, number: int, start: int, end: int, data: bytes, tokens: Sequence[Item]) -> Item:
    """Return a word or piece above its tokens; if it shares a token with others, above its part of that."""

    def edge(offset: int, token: Item) -> float:
        inside = min(max(offset, token.start), token.end) - token.start
        return token.x + token.width * inside / (token.end - token.start)

    first = next(token for token in tokens if token.end > start)
    last = next(token for token in reversed(tokens) if token.start < end)
    left, right = edge(start, first), edge(end, last)
    return Item(kind, number, start, end, left, right - left, shortened(data[start:end]))


def shortened(text: bytes) -> str:
    """Return the beginning of a word or piece as visible text.

    >>> [len(shortened(b"a" * n)) for n in (40, 41)], shortened(b"a" * 41)[-2:]
    ([40, 41], 'a…')
    """
    shown = visible(text[: 4 * MAX_CHARS + 4].decode("utf-8", "ignore").encode())
    return shown if len(shown) <= MAX_CHARS else f"{shown[:MAX_CHARS]}…"


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
