"""Random states of the app with values that lessons treat differently: the same number gives the same state."""

from collections.abc import Sequence
from random import Random
from typing import Any

from components.base.field_types import BooleanField, FieldType, field_types_of
from components.base.link import AppState
from components.base.presets import SAMPLE_TEXT
from components.base.settings import Settings
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
VALUES = {
    "vocab_size": (50_257, 50_257, 2_000, 260, 60, 12, 7, 1),
    "dim": (1, 2, 3, 5, 8, 16, 17, 33, 64),
    "seed": (0, 1, 123, 2**32 - 1),
    "context_length": (1, 2, 3, 4, 5, 8, 13),
    "stride": (1, 2, 3, 4, 5, 9),
    "batch_size": (1, 2, 3, 8),
    "tokenizer": ("words", "gpt2"),
    "ids": ("", "", "", "2 3 5 1", "[[1, 5], [2, 0]]", "0 0 1; 1 2 2", "4 99999 1", "not ids"),
    "batch": (0, 0, 1, 9),
    "word": (0, 3, 150),
    "piece": (0, 7, 130, 10_000),
    "probe": ("", 'the dog\'s "bank" \\'),
    "opened": (-1, 2, 500),
    "merge": (0, 3, 99),
    "learned": (10, 0, 50),
    "second": ("the riverside", "", "<b> 猫 _x_"),
    "window_index": (0, 1, 10**5),
    "row": (0, 5, 10**5),
    "column": (0, 9, 999),
    "home_token": (0, 9, 10**4),
    "lookup_token": (0, 9, 10**4),
    "one_hot_token": (0, 9, 10**4),
    "position_column": (0, 9, 999),
    "one_hot_column": (0, 4, 999),
    "wave": (0, 1, 12),
    "shuffle_seed": (1, 7, 42),
    "b": (0, 1, 7),
    "t": (0, 2, 14),
    "d": (0, 3, 40),
    "first_token": (0, 0, 4, 10**5),
    "order_seed": (1, 0, 7),
    "query": (7, 0, 2),
    "key": (3, 0, 8),
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
    "train_seed": (1, 7),
    "word_a": ("king", "king", "better", "x"),
    "word_c": ("woman", "queen", "xyz"),
    "near": ("king", " man ", "xyz"),
    "words": ("king queen man woman", "king, xyz; queen queen", "king", "a hat the well's"),
}


def options_of(name: str, kind: FieldType) -> Sequence[Any]:
    """Return the values to choose from: those above, or all of a field that has few."""
    return VALUES.get(name) or getattr(kind, "options", (False, True) if isinstance(kind, BooleanField) else ())


def varied_state(number: int) -> AppState:
    """Return a state in which every value that lessons treat differently is chosen at random."""
    kinds = {name: kind for each in (Settings, *CHOICES.values()) for name, kind in field_types_of(each).items()}
    options = {name: found for name, kind in kinds.items() if (found := options_of(name, kind))}
    # Each is drawn by its own name, so that a new choice does not change the others.
    values = {name: Random(f"{number} {name}").choice(each) for name, each in options.items()}
    settings = Settings(**{name: values.pop(name) for name in field_types_of(Settings)})
    return app_state(settings, Random(f"{number} text").choice(TEXTS), **values)
