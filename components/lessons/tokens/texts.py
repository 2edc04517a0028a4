"""Texts to try, each with what it shows."""

from typing import NamedTuple


class Example(NamedTuple):
    text: str
    about: str


TEXTS = {
    "Riverbank": Example(
        "She left the bank for the riverbank.",
        "the frequent words are one token each; the rare one is two, and its bank has another ID than the word bank",
    ),
    "Toucan": Example(
        "A toucan can outsmart a hedgehog",
        "three words are split, and the end of toucan is another token than the word can",
    ),
    "German compound": Example(
        "Donaudampfschifffahrtsgesellschaft",
        "one word, made of parts that are not those of the language, since GPT-2's merges come mostly from English",
    ),
    "Emoji": Example(
        "At home 👩‍👩‍👧‍👦",
        "one symbol to a reader is seven characters, four of them emoji, and no token has a whole one",
    ),
    "Number": Example(
        "Pi is 3.14159265358979",
        "the digits are cut into groups of one to three, which need not be those of thousands and millions",
    ),
    "Code": Example(
        "def add(a, b):\n    return a + b",
        "GPT-2 makes a token of every space of an indentation but the last, which belongs to the word",
    ),
}


def label_of(text: str) -> str | None:
    """Return the label of a text to try, None for any other text."""
    return next((label for label, example in TEXTS.items() if example.text == text), None)
