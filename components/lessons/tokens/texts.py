"""Texts to try, each with what to look for in its tokens."""

import tomllib
from pathlib import Path
from typing import NamedTuple


class Example(NamedTuple):
    text: str
    about: str


_FILE = Path(__file__).with_suffix(".toml")
TEXTS = {label: Example(**each) for label, each in tomllib.loads(_FILE.read_text("utf-8")).items()}


def label_of(text: str) -> str | None:
    """Return the label of a text to try, None for any other text."""
    return next((label for label, example in TEXTS.items() if example.text == text), None)
