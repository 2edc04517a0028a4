from dataclasses import astuple
from zlib import crc32

from components.base.limits import MAX_TEXT_CHARS
from components.base.link import VERSION
from components.base.settings import Settings
from tests.states import CHOICES


def test_defaults_are_those_of_links_that_were_shared():
    defaults = {name: astuple(own()) for name, own in {"settings": Settings, **CHOICES}.items()}
    shared = VERSION, crc32(repr(defaults).encode())  # a link leaves defaults out
    assert shared == ("2", 2_011_026_232), "older links would show something else: raise VERSION, but for a new choice"


def test_choices_of_a_position_reach_the_end_of_the_longest_text():
    assert CHOICES["tokens"](word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS).word == MAX_TEXT_CHARS
    last = 4 * MAX_TEXT_CHARS
    assert CHOICES["windows"](window_index=last).window_index == Settings(batch=last).batch


def test_states_of_all_sessions_can_be_keys_of_caches():
    assert [own for own in (Settings, *CHOICES.values()) if own.__hash__ is None] == []
