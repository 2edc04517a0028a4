"""The state of the app, and how a link contains it.

A link contains what differs from the defaults, and `v`, the version of its names and defaults. A long text
is compressed: DEFLATE (RFC 1951), written in the URL-safe base64 of RFC 4648.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any
from urllib.parse import quote_plus
from zlib import crc32

from components.base.field_types import BooleanField, quote, read_values, write_query
from components.base.learner_text import clean_text
from components.base.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES, MAX_TEXT_CHARS
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import Settings, read_settings

VERSION = "2"
OTHER_VERSION = (
    "This link was made by another version of Embedding Lab: what it does not name has today's defaults, "
    "and names that this version lacks are left out."
)
TEXT_MISSING = "The text was too long for the link: paste it again. Until then another text is used."
RAW_DEFLATE = -15  # window bits: no header and no checksum, 6 bytes less
MAX_UNPACKED_BYTES = 4 * MAX_TEXT_CHARS  # a character takes at most 4 bytes in UTF-8


@dataclass(frozen=True)
class State:
    """What one lesson is rendered from: the shared settings, its own choices and the text."""

    settings: Settings = field(default_factory=Settings)
    choices: Any = None
    text: str = SAMPLE_TEXT


@dataclass(frozen=True)
class AppState:
    """The state of the whole app; `lessons` maps a lesson's name to its choices."""

    lessons: Mapping[str, Any]
    settings: Settings = field(default_factory=Settings)
    text: str = SAMPLE_TEXT
    present: bool = False  # presentation mode

    def lesson(self, name: str) -> State:
        return State(self.settings, self.lessons[name], self.text)


def text_key(text: str) -> str:
    """Return the key of a text that is too long for a link: its length and its CRC-32."""
    return f"{len(text)}-{crc32(text.encode('utf-8')):08x}"


def fits_link(text: str) -> bool:
    """Return whether the text is short enough for a link, as it is or compressed."""
    return _fits_uncompressed(text) or len(pack(text)) <= MAX_LINK_PACKED_CHARS


def _fits_uncompressed(text: str) -> bool:
    return len(text) <= MAX_LINK_TEXT_BYTES and len(quote_plus(text)) <= MAX_LINK_TEXT_BYTES


def cut_to_link(text: str) -> str:
    """Return the longest beginning of the text that fits into a link."""
    text = text[:MAX_LINK_TEXT_BYTES]
    used_bytes = accumulate(len(quote_plus(character)) for character in text)
    return text[: sum(used <= MAX_LINK_TEXT_BYTES for used in used_bytes)]


def to_query(state: AppState) -> dict[str, str]:
    """Return what differs from the defaults as the parameters of a link.

    A long text is compressed; if it is still too long, only its key is included.
    """
    found = {"v": VERSION}
    for own in (state.settings, *state.lessons.values()):
        defaults = _default_query(type(own))
        found |= {name: value for name, value in write_query(own).items() if value != defaults[name]}
    found |= {"present": "1"} if state.present else {}
    if state.text == SAMPLE_TEXT:
        return found
    if _fits_uncompressed(state.text):
        return found | {"text": state.text}
    return found | ({"packed_text": pack(state.text)} if fits_link(state.text) else {"long_text": text_key(state.text)})


@cache
def _default_query(values: type) -> dict[str, str]:
    return write_query(values())


def read_query(state: AppState, query: Mapping[str, str], long_text: str = "") -> tuple[AppState, list[str]]:
    """Return the state of a link, and a message for each value that was replaced; one more for another version.

    What the link does not name has its default. A link that contains the key of a long text restores it if the key is
    that of the text of `state` or of `long_text`, the last long text of this session; else the text of `state` stays.
    """
    settings, problems = read_settings(Settings(), query)
    if query.get("v", VERSION) != VERSION:
        problems.insert(0, OTHER_VERSION)
    lessons = {}
    for name, own in state.lessons.items():
        values, wrong = read_values(type(own)(), query)
        lessons[name] = type(own)(**values)
        problems += wrong
    present, wrong = BooleanField("present").read(query.get("present", "0"), False)
    problems += [wrong] if wrong else []
    text, wrong = _read_text(state.text, query, long_text)
    problems += [wrong] if wrong else []
    return AppState(lessons, settings, text, present), problems


def _read_text(current: str, query: Mapping[str, str], long_text: str) -> tuple[str, str | None]:
    """Return the text of a link, or `current` if it cannot be read, and a message if it was replaced or cut."""
    if "packed_text" in query:
        try:
            return clean_text(unpack(query["packed_text"]))
        except ValueError as error:
            return current, str(error)
    if "text" in query:
        text, problem = clean_text(query["text"])
        if fits_link(text):
            return text, problem
        size, text = len(quote_plus(query["text"], errors="replace")), cut_to_link(text)
        return text, (
            f"The link's text takes {size:,} bytes; the limit is {MAX_LINK_TEXT_BYTES:,}, or {MAX_LINK_PACKED_CHARS:,} "
            f"compressed: using its first {len(text):,} characters. Paste longer texts into the text field."
        )
    if "long_text" in query:
        named = next((text for text in (current, long_text) if text_key(text) == query["long_text"]), None)
        return (current, TEXT_MISSING) if named is None else (named, None)
    return SAMPLE_TEXT, None


def preset_of(settings: Settings) -> str | None:
    """Return the name of the preset with these settings, or None; the choice of the batch does not count."""
    first_batch = replace(settings, batch=0, shuffle=False, drop_last=False)
    return next((name for name, preset in PRESETS.items() if preset.settings == first_batch), None)


@lru_cache(16)
def pack(text: str) -> str:
    """Return a text compressed to letters, digits, - and _, which need no escaping in a link."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, RAW_DEFLATE)
    packed = compressor.compress(text.encode("utf-8", "replace")) + compressor.flush()
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def unpack(packed: str) -> str:
    """Return the text that `pack` compressed. Raises ValueError if it cannot be unpacked. Learners see the message.

    Unpacking stops one byte after the size of the longest text, so a small link cannot fill the memory.
    """
    try:
        content = base64.b64decode(packed.encode("ascii") + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        decompressor = zlib.decompressobj(RAW_DEFLATE)
        text = decompressor.decompress(content, MAX_UNPACKED_BYTES + 1)
        if decompressor.eof or len(text) > MAX_UNPACKED_BYTES:
            return text.decode("utf-8", "replace")
    except (binascii.Error, UnicodeEncodeError, zlib.error):
        pass
    raise ValueError(f"The link's compressed text {quote(packed, 20)} cannot be read: copy the whole link again.")
