"""The upper half of the figure: words, GPT-2's pieces and tokens of one line, and which of them belong together."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from components.base.learner_text import isolated, visible, whole_character
from components.base.text_format import pluralize
from components.caches.encoding import vocabulary
from components.lessons.tokens.spans import (
    GAP,
    PIECE_GAP,
    ROOM,
    ROOM_WITH_ARROWS,
    SIZE,
    SMALL,
    Spans,
    overlapping,
    token_text,
)

RIGHT = 820  # units
ARROWS = (RIGHT - ROOM, RIGHT - (ROOM - ROOM_WITH_ARROWS) // 2 + 6)  # left edges
SHEET = 420  # units: the longest part of the line on a narrow screen
MAX_CHARS, MAX_NAMED = 40, 8  # characters of a word or piece, tokens of a piece


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
            piece.name += f", {pluralize(count, 'token')}: {' + '.join(own)}{more}"
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
        if not item.whole:
            item.text += f" {characters_around(data, start, end)}"
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
    """Return the beginning of a word or piece as visible text."""
    shown = visible(text[: 4 * MAX_CHARS + 4].decode("utf-8", "ignore").encode())
    return shown if len(shown) <= MAX_CHARS else f"{shown[:MAX_CHARS]}…"
