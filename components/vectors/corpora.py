"""Small corpora for word2vec: a learner's own sentences, or those of a grammar that the learner can read and edit.

A grammar has three kinds of lines: `king: royal male` gives a word its features, `the [male] trims his beard` is a
sentence whose slots are filled with words of that feature, and `king - man + woman = queen` is an analogy to test.
"""

import random
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import regex

from components.base.field_types import quote

DATA = Path(__file__).parents[1] / "data"
GRAMMAR = (DATA / "grammar.txt").read_text("utf-8")
MAX_GRAMMAR_CHARS = 3_000
SLOT = re.compile(r"\[([^\[\]\s]+)\]")
WORD = regex.compile(r"[\p{L}\p{N}]\w*(?:['’]\w+)*")  # with apostrophes inside; \w of `regex` has combining marks
SENTENCE_END = re.compile(r"[.!?。！？।؟۔\n]+")
QUESTION = re.compile(r"(\S+) - (\S+) \+ (\S+) = (\S+)")


class AnalogyQuestion(NamedTuple):
    """An analogy a - b + c = answer; without an answer if none is expected."""

    a: str
    b: str
    c: str
    answer: str = ""

    def __str__(self) -> str:
        return f"{self.a} - {self.b} + {self.c}" + (f" = {self.answer}" if self.answer else "")


_listed = tomllib.loads((DATA / "analogies.toml").read_text("utf-8"))
ANALOGIES = {name: tuple(AnalogyQuestion(*words) for words in questions) for name, questions in _listed.items()}


@dataclass(frozen=True)
class Grammar:
    """Words by feature, sentences as lists of words and slots, and the analogies to test."""

    words: dict[str, list[str]]
    sentences: list[list[str]]
    questions: list[AnalogyQuestion]


def read_grammar(text: str) -> Grammar:
    """Return the grammar in `text`.

    Raises ValueError if a line is invalid or the text is too long. The message names the line and is shown to learners.

    >>> grammar = read_grammar("king: royal male\\nthe [royal] wears a crown\\nking - man + woman = queen")
    >>> grammar.words["male"], grammar.sentences, str(grammar.questions[0])
    (['king'], [['the', '[royal]', 'wears', 'a', 'crown']], 'king - man + woman = queen')
    """
    if len(text) > MAX_GRAMMAR_CHARS:
        raise ValueError(f"The grammar has {len(text):,} characters; {MAX_GRAMMAR_CHARS:,} is the limit: shorten it.")
    words: dict[str, list[str]] = {}
    sentences, questions = [], []
    for number, line in enumerate(text.lower().splitlines(), 1):
        if question := QUESTION.fullmatch(line.strip()):
            questions.append(AnalogyQuestion(*question.groups()))
        elif ":" in line:
            word, _, features = line.partition(":")
            if len(word.split()) != 1 or not features.split():
                problem = f"Line {number}, {quote(line.strip())}, is not a word with features"
                raise ValueError(f"{problem}: write for example king: royal male.")
            for feature in features.split():
                words.setdefault(feature, []).append(word.strip())
        elif "=" in line.split():
            problem = f"Line {number}, {quote(line.strip())}, is not an analogy"
            raise ValueError(f"{problem}: write for example king - man + woman = queen.")
        elif line.strip():
            sentences.append((number, line.split()))
    for number, sentence in sentences:
        word, *others = sentence
        if others and words.keys() >= {*others}:
            problem = f"Line {number}, {quote(' '.join(sentence))}, has only features after its first word"
            raise ValueError(f"{problem}. Write a colon after it: {word}: {' '.join(others)}.")
        for part in (part for part in sentence if {*part} & {*"[]"}):
            if not (slot := SLOT.fullmatch(part)):
                problem = f"Line {number}: {quote(part)} is neither a word nor a feature in brackets"
                raise ValueError(f"{problem}. Write one feature, with spaces around the brackets: [royal].")
            if slot[1] not in words:
                problem = f"Line {number}: no word has the feature {quote(slot[1])}"
                raise ValueError(f"{problem}. Give it to a word, as in king: {slot[1]}, or change the feature.")
    if not sentences:
        raise ValueError("The grammar has no sentences: write for example the [royal] wears a crown.")
    return Grammar(words, [sentence for _, sentence in sentences], questions)


def write_sentences(grammar: Grammar, count: int, seed: int) -> list[list[str]]:
    """Return `count` random sentences of the grammar, their slots filled with random words.

    >>> write_sentences(read_grammar("king: royal\\na [royal] rules"), count=2, seed=1)
    [['a', 'king', 'rules'], ['a', 'king', 'rules']]
    """
    rng = random.Random(seed)

    def fill(part: str) -> str:
        slot = SLOT.fullmatch(part)
        return rng.choice(grammar.words[slot[1]]) if slot else part

    return [[fill(part) for part in rng.choice(grammar.sentences)] for _ in range(count)]


def text_sentences(text: str) -> list[list[str]]:
    """Return the words of each sentence of a text, in lower case; a sentence ends at . ! ? or at the end of a line.

    >>> text_sentences("She left. It's late!")
    [['she', 'left'], ["it's", 'late']]
    >>> text_sentences("राजा है। 👩‍👩‍👧")
    [['राजा', 'है']]
    """
    return [words for part in SENTENCE_END.split(text.lower()) if (words := WORD.findall(part))]
