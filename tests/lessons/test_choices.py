from collections import Counter
from dataclasses import astuple

from components.base.field_types import field_types_of
from components.base.limits import MAX_TEXT_CHARS
from components.base.settings import SYMBOLS, Settings
from tests.states import CHOICES

OWN = [(lesson, name) for lesson, own in CHOICES.items() for name in field_types_of(own)]


def test_names_in_a_link_have_one_meaning_each():
    names = [*field_types_of(Settings), *(name for _, name in OWN), *SYMBOLS]
    names += ["v", "present", "text", "packed_text", "long_text"]
    assert [name for name, times in Counter(names).items() if times > 1] == []


DEFAULTS = {  # a link leaves them out: another default would change what the links show that were shared before
    "settings": (50257, 16, 123, 4, 4, 2, "gpt2", "sinusoidal", "interleaved", False, "", 0, False, False, "random"),
    "home": (0, 0),
    "tokens": (0, 0, "", "", -1, 0, 10, "the riverside"),
    "windows": (0,),
    "lookup": ("batch", "int64", True, 0, 0, 0, 0),
    "one_hot": ("product", 0, 0),
    "positions": (0, 0, 5, 1),
    "combine": (0, 0, 1, 2, "1", 0, 1),
    "attention": (
        *("order", True, "0.1", "apple pear plum fig cherry lemon"),
        "captain ship, farmer field, pilot plane, baker bread, painter picture",
        *("", "", 1, True, "added", "weights", 0, False, 1, 7, 3),
    ),
    "errors": (
        *(6, 3, 1_000_000, 1, 4, 1, 2, 256, "float32", "dog", "kings", 300, "Once upon a time", 1, "é", "as typed"),
        *("2 3 6 1", "id_equals_v"),
    ),
    "training": (0, 200, "sgd", 0.3, 0.1, False, True, "0.02", True, ""),
    "word2vec": (
        *("grammar", "step", 2, 0.5, "analogy", "", 1000, 16, 1, 12, 1, 40, "king", "man", "woman", "queen", True),
        *("add", "king", "king queen man woman prince princess"),
    ),
    "reproduce": (),
    "glossary": ("",),
}


def test_defaults_are_those_of_links_that_were_shared():
    assert {name: astuple(own()) for name, own in {"settings": Settings, **CHOICES}.items()} == DEFAULTS


def test_choices_of_a_position_reach_the_end_of_the_longest_text():
    assert CHOICES["tokens"](word=MAX_TEXT_CHARS, piece=4 * MAX_TEXT_CHARS).word == MAX_TEXT_CHARS
    last = 4 * MAX_TEXT_CHARS
    assert CHOICES["windows"](window_index=last).window_index == Settings(batch=last).batch


def test_states_of_all_sessions_can_be_keys_of_caches():
    assert [own for own in (Settings, *CHOICES.values()) if own.__hash__ is None] == []
