"""The whole state of a lesson, and how it travels in the address of the page."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from urllib.parse import quote_plus
from zlib import crc32

from components.core.choices import Choices
from components.core.kinds import read_values, write_query
from components.core.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES
from components.core.packed import pack, unpack
from components.core.presets import PRESETS, SAMPLE_TEXT, Preset
from components.core.settings import Settings, read_settings
from components.core.text import clean_text

UNCHOSEN = write_query(Choices())


@dataclass(frozen=True)
class State:
    """Settings, choices and text: all that a page needs to draw itself."""

    settings: Settings = field(default_factory=Settings)
    choices: Choices = field(default_factory=Choices)
    text: str = SAMPLE_TEXT


def text_key(text: str) -> str:
    """Return the name under which a link mentions a text that is too long for it: its length and its CRC-32.

    >>> text_key("abc")
    '3-352441c2'
    """
    return f"{len(text)}-{crc32(text.encode('utf-8')):08x}"


def fits_link(text: str) -> bool:
    """Return whether the text is short enough to travel in a link, as it stands or compressed."""
    return _fits_as_it_stands(text) or len(pack(text)) <= MAX_LINK_PACKED_CHARS


def _fits_as_it_stands(text: str) -> bool:
    return len(text) <= MAX_LINK_TEXT_BYTES and len(quote_plus(text)) <= MAX_LINK_TEXT_BYTES


def cut_to_link(text: str) -> str:
    """Return as much of the text, from its start, as a link carries.

    >>> len(cut_to_link("x" * 9_000)), len(cut_to_link("é" * 9_000))
    (3000, 500)
    """
    text = text[:MAX_LINK_TEXT_BYTES]
    room = accumulate(len(quote_plus(character)) for character in text)
    return text[: sum(used <= MAX_LINK_TEXT_BYTES for used in room)]


def to_query(state: State) -> dict[str, str]:
    """Return the state as the parameters of a link.

    A long text is compressed; one that is too long even then is only mentioned, by its key.

    >>> to_query(State(text="hi"))["text"], len(to_query(State(text="x" * 9_000))["packed_text"]) < 40
    ('hi', True)
    """
    if _fits_as_it_stands(state.text):
        text = {"text": state.text}
    elif fits_link(state.text):
        text = {"packed_text": pack(state.text)}
    else:
        text = {"long_text": text_key(state.text)}
    choices = {name: value for name, value in write_query(state.choices).items() if value != UNCHOSEN[name]}
    return write_query(state.settings) | choices | text


def read_query(before: State, query: Mapping[str, str], long_text: str = "") -> tuple[State, list[str]]:
    """Return `before` changed by what `query` names, and a sentence for each value that had to be replaced.

    A link that mentions a long text gets it back where `long_text`, the last one of this session, is the one meant.

    >>> read_query(State(), {"V": "abc"})[1]
    ["V = 'abc' is not a whole number from 1 to 200,019: using 50,257."]
    """
    settings, problems = read_settings(before.settings, query)
    values, wrong = read_values(before.choices, dict(query))
    problems += wrong
    # A full link leaves out the choices that stand at their default.
    choices = replace(Choices() if "vocab_size" in query else before.choices, **values)
    text = before.text
    if "packed_text" in query:
        try:
            text, problem = clean_text(unpack(query["packed_text"]))
        except ValueError as error:
            problem = str(error)
        problems += [problem] if problem else []
    elif "text" in query:
        text, problem = clean_text(query["text"])
        if not fits_link(text):
            size, text = len(quote_plus(query["text"], errors="replace")), cut_to_link(text)
            problem = (
                f"The link's text takes {size:,} bytes; a link carries at most {MAX_LINK_TEXT_BYTES:,} as it is, or "
                f"{MAX_LINK_PACKED_CHARS:,} compressed, so its first {len(text):,} characters are kept. Paste longer "
                "texts on the tokens page."
            )
        problems += [problem] if problem else []
    elif "long_text" in query and query["long_text"] != text_key(text):
        if long_text and query["long_text"] == text_key(long_text):
            text = long_text
        else:
            problems.append(
                "The link's own text was too long to travel in it: paste it again. Another text is shown until then."
            )
    return State(settings, choices, text), problems


def apply_preset(state: State, preset: Preset) -> State:
    """Return the state with a preset's settings and IDs; the learner's own text stays."""
    return State(preset.settings, Choices(ids=preset.ids), state.text)


def preset_of(state: State) -> str | None:
    """Return the name of the preset that has these settings and IDs, or None.

    >>> preset_of(State()), preset_of(apply_preset(State(), PRESETS["Toy table"]))
    ('My text', 'Toy table')
    """
    return next(
        (name for name, p in PRESETS.items() if (p.settings, p.ids) == (state.settings, state.choices.ids)), None
    )
