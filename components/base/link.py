"""The state of the app, and how a link contains it.

A link contains every shared setting, every choice of its own lesson, the choices of other lessons that differ from
their default, and `v`, the version of the names and defaults. What a link of an earlier version does not name has the
defaults of that version; a link without `v` is of the first, whose defaults data/link_v1.json contains.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus
from zlib import crc32

from components.base.field_types import BooleanField, read_values, write_query
from components.base.learner_text import clean_text
from components.base.limits import MAX_LINK_PACKED_CHARS, MAX_LINK_TEXT_BYTES
from components.base.packed_text import pack, unpack
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import SYMBOLS, Settings, read_settings

VERSION = "3"
TEXT_MISSING = "The text of this link is too long for a link: paste it again. Until then another text is used."
_V1 = json.loads((Path(__file__).parents[1] / "data" / "link_v1.json").read_text("utf-8"))
V2_DEFAULTS = {  # those that have changed since then
    **{"t": "0", "d": "0", "train_more": "200", "token_std": "1", "one_window": "0"},
    **{"sentences": "600", "vector_size": "32", "window": "5", "epochs": "15", "negative": "10", "train_seed": "1"},
}
V1_DEFAULTS: dict[str, str] = _V1["defaults"]
V1_NAMES: dict[str, str] = _V1["names"]  # the name of today: the name in a link of the first version


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
        """Return the state of one lesson."""
        return State(self.settings, self.lessons[name], self.text)


def text_key(text: str) -> str:
    """Return the key of a text that is too long for a link: its length and its CRC-32.

    >>> text_key("abc")
    '3-352441c2'
    """
    return f"{len(text)}-{crc32(text.encode('utf-8')):08x}"


def fits_link(text: str) -> bool:
    """Return whether the text is short enough for a link, as it is or compressed.

    >>> fits_link("x" * 9_000)
    True
    """
    return _fits_uncompressed(text) or len(pack(text)) <= MAX_LINK_PACKED_CHARS


def _fits_uncompressed(text: str) -> bool:
    return len(text) <= MAX_LINK_TEXT_BYTES and len(quote_plus(text)) <= MAX_LINK_TEXT_BYTES


def cut_to_link(text: str) -> str:
    """Return the longest beginning of the text that fits into a link.

    >>> len(cut_to_link("x" * 9_000)), len(cut_to_link("é" * 9_000))
    (3000, 500)
    """
    text = text[:MAX_LINK_TEXT_BYTES]
    used_bytes = accumulate(len(quote_plus(character)) for character in text)
    return text[: sum(used <= MAX_LINK_TEXT_BYTES for used in used_bytes)]


def to_query(state: AppState, page: str = "") -> dict[str, str]:
    """Return the state as the parameters of a link to `page`, with all choices of that lesson.

    Of other lessons, or of all without a `page`, only choices that differ from their default are included. A long text
    is compressed; if it is still too long, only its key is included.

    >>> to_query(AppState({}, text="hi"))["text"], len(to_query(AppState({}, text="x" * 9_000))["packed_text"]) < 40
    ('hi', True)
    """
    choices: dict[str, str] = {}
    for name, own in state.lessons.items():
        defaults = {} if name == page else _default_query(type(own))
        choices |= {key: value for key, value in write_query(own).items() if defaults.get(key) != value}
    if _fits_uncompressed(state.text):
        text = {"text": state.text}
    elif fits_link(state.text):
        text = {"packed_text": pack(state.text)}
    else:
        text = {"long_text": text_key(state.text)}
    return {"v": VERSION} | write_query(state.settings) | {"present": str(int(state.present))} | choices | text


@cache
def _default_query(choices: type) -> dict[str, str]:
    """Return the parameters of a lesson's default choices."""
    return write_query(choices())


def read_query(state: AppState, query: Mapping[str, str], long_text: str = "") -> tuple[AppState, list[str]]:
    """Return `state` changed by the values that `query` names, and a message for each value that was replaced.

    Choices that the link does not name have their defaults. A link that contains the key of a long text restores it if
    the key is that of `long_text`, the last long text of this session.

    >>> read_query(AppState({}), {"v": "3", "V": "abc"})[1]
    ["V = 'abc' is not a whole number from 1 to 200,019: using 50,257."]
    """
    if "v" not in query:
        query = _of_version_1(query)
    elif query["v"] == "2":
        query = V2_DEFAULTS | dict(query)
    settings, problems = read_settings(state.settings, query)
    lessons = {}
    for name, own in state.lessons.items():
        defaults = type(own)()
        values, wrong = read_values(defaults, query)
        lessons[name] = replace(defaults, **values)
        problems += wrong
    present, wrong = BooleanField("present").read(query.get("present", "0"), False)
    problems += [wrong] if wrong else []
    text, wrong = _read_text(state.text, query, long_text)
    problems += [wrong] if wrong else []
    return AppState(lessons, settings, text, present), problems


def _of_version_1(query: Mapping[str, str]) -> dict[str, str]:
    """Return a link of the first version with the names of today, completed by the defaults of that version.

    A query that names nothing of the app, such as `embed=true`, is no such link.
    """
    if not query.keys() & {*V1_DEFAULTS, *SYMBOLS, "packed_text", "long_text"}:
        return dict(query)
    renamed = {new: query[old] for new, old in V1_NAMES.items() if old in query}
    own_text = {"packed_text", "long_text"} & query.keys()
    defaults = {name: value for name, value in V1_DEFAULTS.items() if not (name == "text" and own_text)}
    by_symbol = {name for symbol, name in SYMBOLS.items() if symbol in query}
    return {name: value for name, value in defaults.items() if name not in by_symbol} | dict(query) | renamed


def _read_text(current: str, query: Mapping[str, str], long_text: str) -> tuple[str, str | None]:
    """Return the text that a link contains, or `current`, and a message if it was replaced or cut."""
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
    if "long_text" in query and query["long_text"] != text_key(current):
        if long_text and query["long_text"] == text_key(long_text):
            return long_text, None
        return current, TEXT_MISSING
    return current, None


def preset_of(settings: Settings) -> str | None:
    """Return the name of the preset with these settings, or None; the choice of the batch does not count.

    >>> preset_of(Settings()), preset_of(PRESETS["Toy table"].settings), preset_of(Settings(seed=9))
    ('My text', 'Toy table', None)
    """
    first_batch = replace(settings, batch=0, shuffle=False, drop_last=False)
    return next((name for name, preset in PRESETS.items() if preset.settings == first_batch), None)
