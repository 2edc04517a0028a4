"""Random states of the app with values that lessons treat differently: the same number gives the same state."""

from collections.abc import Sequence
from dataclasses import fields
from random import Random
from typing import Any

from components.base.field_types import BooleanField, ChoiceField, FieldType, NumberField, field_types_of
from components.base.link import AppState
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import Settings
from components.failures.catalogue import FAILURES
from tests.states import CHOICES, app_state

HOSTILE_TEXTS = [
    'She said "it\'s 5 o\'clock" \\ and left.\n\n  Then\ttabs\\n and {braces} %s f"{x}" # no comment',
    "emoji 🙂🧑‍🚀 and ☕ café naïve 猫 אבג \u202e right \u2028 line \x00 zero \u0301 mark",
    "<|endoftext|> is text <|endoftext|>, and ''' or \"\"\" too; \\'); import os #",
    "x",
    "",
    "   \n ",
    "a" * 60 + " " + "b" * 30,
    "日本語のテキストは空白で区切られていません。" * 6,
]
TEXTS = [SAMPLE_TEXT, "one two one three one two", "red cat red dog " * 12, *HOSTILE_TEXTS]
GRAMMAR = """king: royal male\nqueen: royal female\nman: grown male\nwoman: grown female\nthe [royal] rules '"\\ well
his [male] hat\nher [female] hat\nking - man + woman = queen\nking - man + xyz = queen"""
SHARED: dict[str, AppState] = {  # of the figures and the programs of all lessons
    "defaults": app_state(),
    "typed": app_state(PRESETS["Small vocabulary"].settings, head="text"),
    "scaled": app_state(PRESETS["Scaled"].settings, head="text"),
    "one token": app_state(text="Hi", head="text"),
    "one window": app_state(Settings(dim=1, context_length=1, batch_size=1), "Hi there", head="text"),
    "words": app_state(
        Settings(context_length=9, batch_size=3, dim=64, tokenizer="words", position="learned", scale=True, seed=7),
        "red cat red dog " * 9,
        **dict.fromkeys(("home_token", "lookup_token", "one_hot_token", "t", "window_index"), 11),
        **dict.fromkeys(("column", "one_hot_column", "d"), 9),
        query=5,
        step=2,
        head="text",
    ),
    "shuffled": app_state(
        Settings(context_length=3, stride=1, shuffle=True, drop_last=True, batch=1, position="none"),
        HOSTILE_TEXTS[0],
        head="text",
    ),
    "bytes": app_state(Settings(layout="halves", dim=5, stride=2), HOSTILE_TEXTS[1], head="text"),
}
OF_THEIR_OWN = ("reproduce", "word2vec")  # lessons that show the same in all of them
LARGE_SIZES = {"lab_V": 2_048, "lab_T": 1_024, "lab_width": 1_024, "lab_extra": 64, "lab_token_id": 1_000_000}
LARGE_SIZES |= {"lab_back": 1_000, "lab_beyond": 1_000}
MODES = {  # of lessons whose page depends on a choice
    "combine": [{}, *({"step": n} for n in range(1, 6))],
    "attention": [
        *({}, {"head": "meaning"}, {"head": "meaning", "head_positions": False}, {"head": "text"}),
        {"head": "text", "attention_view": "hands", "attention_positions": "rotary"},
    ],
    "errors": [{"experiment": name} | LARGE_SIZES for name in FAILURES],
    "lookup": [{}, {"input": "sequence"}, {"input": "single", "dtype": "int32"}],
    "training": [
        *({"train_steps": 3} | how for how in ({"tied": True}, {"optimizer": "adam"}, {"optimizer": "adamw"})),
        *({}, {"train_steps": 60, "learning_rate": 1e6}),
        {"train_steps": 3, "optimizer": "adamw", "weight_decay": 1e-9},
    ],
    "word2vec": [
        *({}, {"scene": "step", "vectors": "text"}, {"scene": "film"}),
        *({"scene": "analogy", "view": view} for view in ("analogy", "map", "neighbors", "similarity", "gallery")),
        *({"scene": "analogy", "vectors": name} for name in ("text", "news", "glove-wiki-gigaword-50", "upload")),
    ],
    "glossary": [{"term": "broadcasting"}],
}
VALUES = {  # of fields whose ends alone would train too long, be mostly invalid, or leave out a value that matters
    "vocab_size": (50_257, 50_257, 2_000, 260, 60, 12, 7, 1),
    "dim": (1, 2, 3, 5, 8, 16, 17, 33, 64),
    "seed": (0, 1, 123, 2**32 - 1),
    "context_length": (1, 2, 3, 4, 5, 8, 13),
    "stride": (1, 2, 3, 4, 5, 9),
    "batch_size": (1, 2, 3, 8),
    "tokenizer": ("words", "gpt2"),
    "ids": ("", "", "", "2 3 5 1", "[[1, 5], [2, 0]]", "0 0 1; 1 2 2", "4 99999 1", "not ids"),
    "second": ("the riverside", "", "<b> 猫 _x_"),
    "lab_V": (0, 1, 6, 40, 90),
    "lab_T": (0, 1, 2, 4),
    "lab_D": (0, 3),
    "lab_ids": ("2 3 6 1", "1 2; 3", "1.5 2", "", "-1", "((", "[[[0]]]"),
    "lab_key": ("kings", "king", "'; import os"),
    "lab_text": ("Once", "🙂\"'\\\n"),
    "train_steps": (0, 1, 7, 60),
    "learning_rate": (0.3, 0.1, 0.01, 1e6),
    "weight_decay": (0.1, 0.0),
    "prompt": ("", "", "the bank", " the", "zzz 🙂", " "),
    "vectors": ("grammar",),  # others need a file
    "grammar": ("", GRAMMAR),
    "sentences": (50, 120),
    "vector_size": (2, 8),
    "window": (1, 5),
    "epochs": (1, 2),
    "negative": (1, 5),
    "word_a": ("king", "king", "better", "x"),
    "word_c": ("woman", "queen", "xyz"),
    "near": ("king", " man ", "xyz"),
    "words": ("king queen man woman", "king, xyz; queen queen", "king", "a hat the well's"),
}


def long_state(mode: dict[str, Any]) -> AppState:
    """Return a state with more of everything than the figures show, in one mode of a lesson."""
    settings = Settings(dim=64, context_length=16, position="learned")
    return app_state(settings, "She left the bank for the riverbank. " * 40, **mode)


def options_of(name: str, kind: FieldType, default: Any) -> Sequence[Any]:
    """Return the values to choose from: those above, all of a field that has few, or the default and the limits."""
    if name in VALUES:
        return VALUES[name]
    match kind:
        case ChoiceField():
            return kind.options
        case BooleanField():
            return False, True
        case NumberField():
            return default, kind.low, min(default + 2, kind.high), kind.high
    return default, 'the dog\'s "bank" \\'


def varied_state(number: int) -> AppState:
    """Return a state in which every value that lessons treat differently is chosen at random."""
    declared = [field for each in (Settings, *CHOICES.values()) for field in fields(each)]
    options = {field.name: options_of(field.name, field.metadata["field_type"], field.default) for field in declared}
    # Each is sampled by its own name, so that a new choice does not change the others.
    values = {name: Random(f"{number} {name}").choice(each) for name, each in options.items()}
    settings = Settings(**{name: values.pop(name) for name in field_types_of(Settings)})
    return app_state(settings, Random(f"{number} text").choice(TEXTS), **values)
