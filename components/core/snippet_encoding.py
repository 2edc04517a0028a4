"""A byte-pair encoding in a program: the part of the text that is drawn, and those tokens that it can use.

GPT-2's table of 50,257 tokens would have to be downloaded.
"""

from functools import lru_cache

import tiktoken

from components.core.snippet import MAX_INLINE, MAX_INLINE_CHARS
from components.core.snippet_literals import LINE, encode_call, text_literal, wrapped
from components.core.tokenizers import TokenizerUnavailable, get_tokenizer

CHIPS_SHOWN = 120
LONGEST_TOKEN = 128  # bytes, in all encodings offered here
MAX_PIECE_CHARS = 2_000  # of the text in a program with byte pairs


def first_chip(selected: int, tokens: int) -> tuple[int, int]:
    """Return the chosen token, and the first of those that are drawn with it.

    >>> first_chip(300, tokens=250)
    (249, 240)
    """
    selected = min(selected, tokens - 1)
    return selected, selected - selected % CHIPS_SHOWN


def encoding_for(tokenizer: str) -> tuple[str, tiktoken.Encoding]:
    """Return the byte-pair encoding that the page shows, with its name: GPT-2's where another is not here.

    >>> encoding_for("words")[0]
    'gpt2'
    """
    name = "gpt2" if tokenizer == "words" else tokenizer
    try:
        return name, get_tokenizer(name, timeout=0.0).encoding
    except TokenizerUnavailable:
        return "gpt2", get_tokenizer("gpt2").encoding


@lru_cache(16)
def pieces_of(name: str, text: str) -> tuple[str, ...]:
    """Return the pieces into which a tokenizer cuts a text before it looks for byte pairs.

    >>> pieces_of("gpt2", "It's a café, 12 €")
    ('It', "'s", ' a', ' café', ',', ' 12', ' €')
    """
    import regex  # tiktoken's own dependency: Python's re knows no \p{L}

    return tuple(match[0] for match in regex.finditer(encoding_for(name)[1]._pat_str, text) if match[0])


@lru_cache(16)
def part_shown(name: str, text: str, selected: int) -> tuple[str, int, int, str]:
    """Return the part of a text whose tokens are drawn, the place of its first token, the chosen place, and a note.

    >>> part_shown("gpt2", "the river bank", selected=9)
    ('the river bank', 0, 2, '')
    """
    encoding = encoding_for(name)[1]
    if len(text) <= 4 * CHIPS_SHOWN:
        tokens = len(encoding.encode_ordinary(text))
        if tokens <= CHIPS_SHOWN:
            return text, 0, min(selected, tokens - 1), ""
    selected, first = first_chip(selected, len(encoding.encode_ordinary(text)))
    kept: list[str] = []
    start = place = 0
    for piece in pieces_of(name, text):
        tokens = len(encoding.encode_ordinary(piece))
        if place + tokens > first:
            kept.append(piece)
        else:
            start = place + tokens
        place += tokens
        # What follows may change how whitespace is cut, so the part ends with something else.
        if place >= first + CHIPS_SHOWN and not piece.isspace():
            break
    part = "".join(kept)
    while len(part) > MAX_PIECE_CHARS or not _fits(ranks_for(name, part)):
        part = part[: min(MAX_PIECE_CHARS, max(1, len(part) * 3 // 4))]
    tokens = len(encoding.encode_ordinary(part))
    note = f"Only the part around the chosen token stands in it: {len(part):,} of {len(text):,} characters"
    return part, start, min(selected, start + tokens - 1), "" if part == text else f"{note}, from token {start:,} on."


def _fits(ranks: dict[bytes, int]) -> bool:
    return len(ranks) <= MAX_INLINE and sum(len(f"{token!r}: {i}, ") for token, i in ranks.items()) <= MAX_INLINE_CHARS


@lru_cache(16)
def ranks_for(name: str, text: str) -> dict[bytes, int]:
    """Return those tokens of an encoding, with their IDs, whose bytes occur within a piece of the text.

    With these alone the text is encoded as with all of them.

    >>> ranks_for("gpt2", "the the")
    {b'e': 68, b'h': 71, b't': 83, b' ': 220, b' t': 256, b'he': 258, b' the': 262,
     b' th': 294, b'th': 400, b'the': 1169}
    """
    ranks = encoding_for(name)[1]._mergeable_ranks
    found = {}
    for piece in {piece.encode() for piece in pieces_of(name, text)}:
        for start in range(len(piece)):
            for end in range(start + 1, min(start + LONGEST_TOKEN, len(piece)) + 1):
                if (token := piece[start:end]) in ranks:
                    found[token] = ranks[token]
    return dict(sorted(found.items(), key=lambda item: item[1]))


def encoding_code(name: str, text: str) -> str:
    """Return the lines that build an encoding for a text, `encoding`, and encode the text with it, as `ids`.

    >>> print(encoding_code("gpt2", "the"), end="")
    import tiktoken
    <BLANKLINE>
    text = 'the'
    ranks = {
        b'e': 68, b'h': 71, b't': 83, b'he': 258, b'th': 400, b'the': 1169,
    }  # those of the 50,257 that this text can use
    encoding = tiktoken.Encoding(
        "gpt2",
        pat_str=r"'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s",
        mergeable_ranks=ranks,
        special_tokens={},
    )
    ids = encoding.encode(text)  # the same as tiktoken.get_encoding("gpt2").encode(text)
    """
    encoding = encoding_for(name)[1]
    lines = encoding._pat_str.split("|")
    pattern = [lines[0]]
    for alternative in lines[1:]:
        if len(pattern[-1]) + len(alternative) < LINE:
            pattern[-1] += f"|{alternative}"
        else:
            pattern.append(f"|{alternative}")
    literal = (
        f'r"{pattern[0]}"' if len(pattern) == 1 else "(\n" + "".join(f'        r"{p}"\n' for p in pattern) + "    )"
    )
    entries = [f"{token!r}: {i}" for token, i in ranks_for(name, text).items()]
    return (
        f"import tiktoken\n\n{text_literal('text', text)}"
        f"ranks = {{\n{wrapped(entries)}}}  # those of the {encoding.n_vocab:,} that this text can use\n"
        f'encoding = tiktoken.Encoding(\n    "{name}",\n    pat_str={literal},\n'
        "    mergeable_ranks=ranks,\n    special_tokens={},\n)\n"
        f"ids = encoding.encode(text)  # the same as {encode_call(name, text)}\n"
    )
