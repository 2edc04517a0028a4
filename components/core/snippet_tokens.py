"""The programs of the tokens lesson: the learner's text cut into words, and into byte pairs.

GPT-2's table of 50,257 tokens would have to be downloaded; a program holds those of them that its text can use.
"""

import re
from bisect import bisect_right
from itertools import islice

from components.core.link import State
from components.core.snippet import MAX_INLINE_CHARS, Ids, Snippet
from components.core.snippet_encoding import CHIPS_SHOWN, encoding_code, encoding_for, first_chip, part_shown
from components.core.snippet_literals import text_literal, word_ids

SCREEN_CHARS = 2_000  # of a text that is written out although only some of its words are drawn


def snippets(state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of the lesson; none for an empty text.

    >>> [snippet.name for snippet in snippets(State(text="the river bank"), [])]
    ['words', 'byte_pairs']
    """
    found = [_words(state)] if head_of(state.text)[0].split() else []
    found += [_byte_pairs(state)] if state.text else []
    found += [_unknown(state)] if state.choices.probe.strip() else []
    return found


def _words(state: State) -> Snippet:
    _, first = first_chip(state.choices.word, len(state.text.split()))
    text, some = head_of(state.text, first + CHIPS_SHOWN)
    place, first = first_chip(state.choices.word, len(text.split()))
    times = "" if some else ", {ids.count(ids[place])} times"
    code = word_ids(text) + (
        'print(len(ids), "tokens,", len(set(ids)), "distinct")\n'
        f"for token, word in list(zip(ids, text.split()))[{first}:{first + CHIPS_SHOWN}]:\n"
        '    print(token, word, end="  ")\n'
        f"print()\nplace = {place}\n"
        f'print(f"place {{place}}: ID {{ids[place]}}{times},", end=" ")\n'
        'print(text.split()[place].encode().hex(" ").upper())\n'
    )
    about = (
        "A word vocabulary: whitespace cuts the text, and each new word gets the next number, behind four special "
        f"tokens. What is written beside a word belongs to it, as the full stop in *care.* does.{some}"
    )
    return Snippet("words", "Words of your text", about, code)


def head_of(text: str, words: int | None = None) -> tuple[str, str]:
    """Return the text, or the beginning of it that a program holds, and then a sentence that says so.

    Of a text that is longer than a screen, no more than so many `words` are kept.

    >>> head_of("abc")
    ('abc', '')
    >>> head_of("word " * 1_000, words=2)
    ('word word', ' Only the first 9 of your 5,000 characters stand in this program.')
    """
    whole = len(text)
    if words and whole > SCREEN_CHARS:
        text = text[: max(match.end() for match in islice(re.finditer(r"\S+", text), words))]
    if len(repr(text)) <= MAX_INLINE_CHARS:
        some = f" Only the first {len(text):,} of your {whole:,} characters stand in this program."
        return text, some if len(text) < whole else ""
    end = bisect_right(range(len(text)), MAX_INLINE_CHARS - 10, key=lambda n: len(repr(text[:n])))
    head = text[:end] if text[:end].isspace() else text[:end].rsplit(maxsplit=1)[0]  # no half word
    return head, f" Only the first {len(head):,} of your {whole:,} characters stand in this program."


def _byte_pairs(state: State) -> Snippet:
    name = encoding_for(state.settings.tokenizer)[0]
    text, start, selected, note = part_shown(name, state.text, state.choices.piece)
    some = f" {note}" if note else ""
    count = 'f"{ids.count(ids[place])} times,", ' if text == state.text else ""
    code = encoding_code(name, text) + (
        'print(len(ids), "tokens,", len(set(ids)), "distinct")\n'
        "for token in ids:\n"
        '    print(token, encoding.decode_single_token_bytes(token), end="  ")\n'
        f"print()\nplace = {selected - start}{f'  # place {selected} of the whole text' if start else ''}\n"
        "token = encoding.decode_single_token_bytes(ids[place])\n"
        f'print(f"place {{place}}: ID {{ids[place]}},", {count}token.hex(" ").upper(), end=" ")\n'
        'print([token.decode("utf-8", "replace")])\n'
    )
    about = (
        f"`tiktoken` cuts your text as {name} does. The whole table would have to be downloaded, so the program "
        "holds those of its tokens that can occur in this text; the IDs are the same. A token is bytes, and not "
        f"always a whole character.{some}"
    )
    return Snippet("byte_pairs", f"Byte pairs: {name}", about, code)


def _unknown(state: State) -> Snippet:
    text, some = head_of(state.text)
    code = (
        word_ids(text)
        + text_literal("probe", state.choices.probe)
        + (
            "ids = [word_ids.get(word, 1) for word in probe.split()]  # 1 is <unk>\n"
            "for word, token in zip(probe.split(), ids):\n    print(word, token)\n"
            'print(ids.count(1), "of", len(ids), "words are unknown")\n'
        )
    )
    about = f"Words that your text lacks have no row of their own: all of them share the row of `<unk>`.{some}"
    return Snippet("unknown", "Words that your text lacks", about, code)
