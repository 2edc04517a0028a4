"""One sentence in several languages: how many tokens it becomes, beside published ratios."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from components.text.tokenizers import TOKENIZER_FILES, Tokenizer, TokenizerUnavailable, get_tokenizer

DATA = Path(__file__).parents[2] / "data" / "token_ratios.json"
NAMES = {"gpt2": "GPT-2"}


@cache
def ratios() -> dict[str, Any]:
    """Return the sentences, the published ratios and their source.

    >>> ratios()["languages"][0]["language"], ratios()["languages"][-1]["gpt2"]
    ('English', 16.9)
    """
    return json.loads(DATA.read_text("utf-8"))


def available() -> list[Tokenizer]:
    """Return the tokenizers that are on this machine, GPT-2's first."""
    found = []
    for name in ("gpt2", *TOKENIZER_FILES):
        try:
            found.append(get_tokenizer(name))
        except TokenizerUnavailable:
            continue
    return found


def language_rows(encoder: Tokenizer) -> list[dict[str, str]]:
    """Return the counts of a tokenizer for each language as rows of a table.

    A character is a Unicode code point. Words are counted only in languages that write spaces between them.
    """
    languages = ratios()["languages"]
    english = len(encoder.encode(languages[0]["sentence"]))
    rows = []
    for each in languages:
        sentence = each["sentence"]
        n, words = len(encoder.encode(sentence)), len(sentence.split())
        rows.append(
            {
                "language": each["language"],
                "sentence": sentence,
                "tokens": str(n),
                "per word": f"{n / words:.2f}" if each["words_apart"] else "–",
                "per character": f"{n / len(sentence):.2f}",
                "× English": f"{n / english:.2f}",
                "published": f"{each[encoder.name]:.1f}" if encoder.name in each else "–",
            }
        )
    return rows
