"""Texts to try, each with what to look for in its tokens."""

import tomllib
from pathlib import Path

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def label_of(text: str) -> str | None:
    """Return the label of a text to try, None for any other text."""
    return next((label for label, each in TEXTS.items() if each["text"] == text), None)
