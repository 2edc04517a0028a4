"""States for which all programs are run: every preset, ten random ones, and some at the limits."""

import random
from dataclasses import replace

from components.base.link import AppState, apply_preset
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import Settings
from components.failures.catalogue import FAILURES
from components.training.optimizers import USUAL_RATES
from tests.states import app_state

TEXTS = [
    SAMPLE_TEXT,
    "one two one three one two",
    'She said "it\'s 5 o\'clock" \\ and left.\n\n  Then\ttabs\\n and {braces} %s f"{x}" # no comment',
    "emoji 🙂🧑‍🚀 and ☕ café naïve 猫 אבג \u202e right \u2028 line \x00 zero \u0301 mark",
    "<|endoftext|> is text <|endoftext|>, and ''' or \"\"\" too; \\'); import os #",
    "red cat red dog " * 12,
    "x",
    "",
    "   \n ",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbb",
    "日本語のテキストは空白で区切られていません。" * 6,
    "The quick brown fox jumps over the lazy dog, and the dog does not care at all about it. " * 14,
]
TYPED = ["", "", "", "2 3 5 1", "[[1, 5], [2, 0]]", "0 0 1; 1 2 2", "4 99999 1", "not ids", "7"]
GRAMMARS = [
    "",
    "king: royal male\nqueen: royal female\nman: grown male\nwoman: grown female\nthe [royal] rules '\"\\ well\n"
    "his [male] hat\nher [female] hat\na [grown] works []\nking - man + woman = queen\nking - man + xyz = queen",
]


def random_state(number: int) -> AppState:
    """Return a random state; the same number gives the same one."""
    draw = random.Random(number)
    tokenizer = draw.choice(["words", "gpt2"])
    ids = draw.choice(TYPED)
    V = draw.choice([50_257] if tokenizer == "gpt2" and not ids else [7, 60, 260, 1_000])
    D = draw.choice([1, 2, 3, 5, 8, 16, 17, 20, 33]) if V > 1_000 else draw.choice([1, 2, 7, 16, 50, 70])
    settings = Settings(
        V,
        D,
        draw.choice([0, 1, 123, 2**32 - 1]),
        draw.choice([1, 2, 3, 4, 5, 8, 13, 30]),
        draw.choice([1, 2, 3, 4, 5, 9]),
        draw.choice([1, 2, 3, 8]),
        tokenizer,
        draw.choice(["none", "learned", "sinusoidal"]),
        draw.choice(["interleaved", "halves"]),
        draw.random() < 0.4,
    )
    optimizer = draw.choice(["sgd", "momentum", "adam", "adamw"])
    choices = {
        "ids": ids,
        "word": draw.choice([0, 3, 150]),
        "piece": draw.choice([0, 7, 130, 10_000]),
        "probe": draw.choice(["", 'the dog\'s "bank" \\']),
        "shuffle": draw.random() < 0.5,
        "drop_last": draw.random() < 0.4,
        "batch": draw.choice([0, 0, 1, 9]),
        "start": draw.choice([0, 0, 80]),
        "input": draw.choice(["batch", "sequence", "single"]),
        "dtype": draw.choice(["int64", "int32"]),
        "rows_in_use": draw.random() < 0.5,
        "row": draw.choice([0, 5, 10**5]),
        "column": draw.choice([0, 0, 9, 999]),
        "wave": draw.choice([0, 1, 12]),
        "shuffle_seed": draw.randrange(100),
        "b": draw.choice([0, 1, 7]),
        "t": draw.choice([0, 2, 14]),
        "d": draw.choice([0, 3, 40]),
        "spread": draw.choice(["1", "D^-0.5", "0.02"]),
        "experiment": draw.choice([*FAILURES]),
        "lab_V": draw.choice([1, 6, 40]),
        "lab_ids": draw.choice(["2 3 6 1", "1 2; 3", "1.5 2", "", "-1", "((", "[[[0]]]"]),
        "lab_word": draw.choice(["dog", "cat", "\"'\\"]),
        "lab_key": draw.choice(["kings", "king", "'; import os"]),
        "lab_text": draw.choice(["Once", "🙂\"'\\\n"]),
        "lab_D": draw.choice([0, 3]),
        "train_steps": draw.choice([0, 1, 7, 60]),
        "optimizer": optimizer,
        "learning_rate": draw.choice([USUAL_RATES[optimizer]] * 4 + [1e-5, 1e6]),
        "weight_decay": draw.choice([0.1, 0.0]),
        "tied": draw.random() < 0.5,
        "padding_idx": draw.random() < 0.5,
        "prompt": draw.choice(["", "", "the bank", " the", "zzz 🙂", " "]),
        "view": draw.choice(["analogy", "neighbours", "similarity", "map", "gallery", "questions"]),
        "grammar": draw.choice(GRAMMARS),
        "sentences": draw.choice([50, 120, 300]),
        "vector_size": draw.choice([2, 8, 20]),
        "window": draw.choice([1, 3, 5]),
        "epochs": draw.choice([1, 2, 4]),
        "negative": draw.choice([1, 5]),
        "train_seed": draw.choice([1, 7]),
        "word_c": draw.choice(["woman", "queen", "xyz"]),
        "method": draw.choice(["add", "mul"]),
        "near": draw.choice(["king", "queen", " man ", "xyz"]),
        "words": draw.choice(["king queen man woman", "king, xyz; queen queen", "king", "a hat the well's"]),
    }
    choices["position_column"] = choices["column"]
    shared = {name: choices.pop(name) for name in ("ids", "shuffle", "drop_last", "batch")}
    return app_state(replace(settings, **shared), draw.choice(TEXTS), **choices)


LONG = "The quick brown fox, number 7, jumps over the lazy dog. " * 1_700  # 95,200 characters
STATES: dict[str, AppState] = {name: apply_preset(app_state(), preset) for name, preset in PRESETS.items()}
STATES |= {f"random {number}": random_state(number) for number in range(10)}
STATES |= {f"experiment {name}": app_state(experiment=name) for name in FAILURES}
STATES |= {
    "trained": app_state(train_steps=200),
    "trained words": app_state(
        Settings(tokenizer="words", position="sinusoidal"), LONG[:900], train_steps=200, prompt="bank"
    ),
    "a large batch": app_state(Settings(dim=4, context_length=64, batch_size=64, stride=16), LONG, b=40, t=30),
    "a long text": app_state(Settings(dim=2, stride=3, batch=77, shuffle=True), LONG, piece=5_000, train_steps=3),
    "long and words": app_state(Settings(dim=2, tokenizer="words"), LONG, word=500, probe="fox"),
    "one long piece": app_state(Settings(dim=2), "ab" * 9_000),
    "news": app_state(vectors="news", epochs=2, vector_size=10),
    "news, similarity": app_state(vectors="news", epochs=2, vector_size=10, view="similarity"),
    "questions": app_state(view="questions"),
    "gallery": app_state(view="gallery"),
    "map": app_state(view="map"),
    "mul": app_state(method="mul"),
}
# The page shows results of an experiment once it has run, and those of its fix once the fix is shown.
STATES = {
    name: replace(state, lessons={**state.lessons, "errors": replace(state.lessons["errors"], ran=True, repaired=True)})
    for name, state in STATES.items()
}
