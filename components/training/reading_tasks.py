"""Two tasks for an attention head: the last word of a sentence depends on one word before it.

In Order that word is found by its position, in Meaning by what it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from random import Random

from components.base.field_types import quote

WORD_CHARS = 16
FRUITS, PAIRS = (3, 12), (2, 10)  # how many there may be
ASKED = ("first", "last")
ARTICLE, BEFORE, AFTER = "the", ((), ("old",), ("young",)), ((), ("often",), ("never",))
VERBS = ("loves", "leaves", "misses")


@dataclass(frozen=True)
class Order:
    """ "pear plum fig last" is followed by fig: two to four fruits, then the word that asks for one of them.

    >>> Order.read("apple pear plum").sentence(Random(1))
    ['plum', 'apple', 'last', 'apple']
    """

    fruits: tuple[str, ...] = ("apple", "pear", "plum", "fig", "cherry", "lemon")

    @classmethod
    def read(cls, text: str) -> "Order":
        """Return the task with the fruits of a text. Raises ValueError; the message is shown to learners."""
        fruits = tuple(re.sub("[,;]", " ", text).split())
        _check(fruits, "fruits", FRUITS, ASKED)
        return cls(fruits)

    def sentence(self, rng: Random) -> list[str]:
        shown = rng.sample(self.fruits, rng.choice([2, 3, 4][: len(self.fruits) - 1]))
        return self._filled(shown, rng.choice(ASKED))

    def tests(self) -> list[list[str]]:
        """Return every sentence with three fruits."""
        return [self._filled(*parts) for parts in product(permutations(self.fruits, 3), ASKED)]

    @staticmethod
    def _filled(shown: Sequence[str], asked: str) -> list[str]:
        return [*shown, asked, shown[0] if asked == "first" else shown[-1]]

    def source(self, prompt: list[str]) -> int:
        """Return the position of the word that answers a prompt.

        >>> Order().source(["pear", "plum", "last"])
        1
        """
        return 0 if prompt[-1] == "first" else len(prompt) - 2

    def answer(self, word: str) -> str:
        return word

    def vocabulary(self) -> tuple[str, ...]:
        return tuple(sorted({*self.fruits, *ASKED}))

    def longest(self) -> int:
        """Return the number of words in the longest prompt."""
        return min(4, len(self.fruits)) + 1

    def prompts(self, prompt: list[str]) -> dict[str, str]:
        """Return prompts to try, by the word in which they differ."""
        fruits = prompt[:-1] if prompt[-1] in ASKED else list(self.fruits[:3])
        return {asked: " ".join([*fruits, asked]) for asked in ASKED}

    def first_prompt(self) -> str:
        return " ".join([*[*self.fruits[1:], *self.fruits][:3], "first"])


@dataclass(frozen=True)
class Meaning:
    """ "the old captain often misses the" is followed by ship, whatever the words around the noun are.

    >>> Meaning.read("captain ship, farmer field").sentence(Random(1))
    ['the', 'young', 'captain', 'leaves', 'the', 'ship']
    """

    pairs: tuple[tuple[str, str], ...] = (
        ("captain", "ship"),
        ("farmer", "field"),
        ("pilot", "plane"),
        ("baker", "bread"),
        ("painter", "picture"),
    )

    @classmethod
    def read(cls, text: str) -> "Meaning":
        """Return the task with the pairs of a text. Raises ValueError; the message is shown to learners."""
        pairs = [tuple(pair.split()) for pair in re.split(r"[,;\n]+", text) if pair.strip()]
        for pair in pairs:
            if len(pair) != 2:
                raise ValueError(f"{quote(' '.join(pair))} is not a pair: write a noun and its word, then a comma.")
        _check([noun for noun, _ in pairs], "pairs", PAIRS, _FRAME)
        _check([word for _, word in pairs], "pairs", PAIRS, _FRAME)
        if both := {noun for noun, _ in pairs} & {word for _, word in pairs}:
            raise ValueError(f"{quote(min(both))} is on both sides of the pairs: use another word on one side.")
        return cls(tuple(pairs))

    def sentence(self, rng: Random) -> list[str]:
        return self._filled(*map(rng.choice, (self.pairs, BEFORE, AFTER, VERBS)))

    def tests(self) -> list[list[str]]:
        """Return every sentence there can be."""
        return [self._filled(*parts) for parts in product(self.pairs, BEFORE, AFTER, VERBS)]

    def tests_without_noun(self) -> list[list[str]]:
        """Return every prompt there can be, without its noun and the word before."""
        return [[ARTICLE, *after, verb, ARTICLE] for after, verb in product(AFTER, VERBS)]

    @staticmethod
    def _filled(pair: tuple[str, str], before: tuple[str, ...], after: tuple[str, ...], verb: str) -> list[str]:
        return [ARTICLE, *before, pair[0], *after, verb, ARTICLE, pair[1]]

    def source(self, prompt: list[str]) -> int | None:
        """Return the position of the only noun in a prompt; None if there is no answer.

        >>> Meaning().source("the old captain often misses the".split()), Meaning().source(["the"])
        (2, None)
        """
        nouns = dict(self.pairs)
        found = [at for at, word in enumerate(prompt) if word in nouns]
        return found[0] if len(found) == 1 and prompt[-1] == ARTICLE else None

    def answer(self, word: str) -> str:
        return dict(self.pairs)[word]

    def vocabulary(self) -> tuple[str, ...]:
        return tuple(sorted(_FRAME.union(*self.pairs)))

    def longest(self) -> int:
        """Return the number of words in the longest prompt."""
        return 6

    def prompts(self, prompt: list[str]) -> dict[str, str]:
        """Return prompts to try, by the word in which they differ.

        >>> [Meaning().prompts(prompt.split())["pilot"] for prompt in ("the young baker often sees the", "the")]
        ['the young pilot often sees the', 'the old pilot misses the']
        """
        source = self.source(prompt)
        words, at = (prompt, source) if source is not None else (self.first_prompt().split(), 2)
        return {noun: " ".join([*words[:at], noun, *words[at + 1 :]]) for noun, _ in self.pairs}

    def first_prompt(self) -> str:
        return " ".join(self._filled(self.pairs[0], BEFORE[1], AFTER[0], "misses")[:-1])


Task = Order | Meaning
_FRAME = {ARTICLE, *VERBS, *(word for words in (*BEFORE, *AFTER) for word in words)}


def read_prompt(text: str, vocabulary: tuple[str, ...], most: int) -> list[str]:
    """Return the words of a prompt. Raises ValueError for unknown words or too many; learners see the message.

    >>> read_prompt(" fig  last ", ("fig", "last"), most=5)
    ['fig', 'last']
    """
    words = text.split()
    if not 1 <= len(words) <= most:
        raise ValueError(f"The prompt has {len(words)} words: write 1 to {most}, as in the sentences of the training.")
    for word in words:
        if word not in vocabulary:
            known = ", ".join(vocabulary)
            raise ValueError(f"{quote(word)} is not in the vocabulary of this head: use {known}.")
    return words


def _check(words: list[str] | tuple[str, ...], name: str, limits: tuple[int, int], reserved: set[str] | tuple) -> None:
    low, high = limits
    if not low <= len(words) <= high:
        raise ValueError(f"The number of {name} is {len(words)}: enter {low} to {high}.")
    for word in words:
        if len(word) > WORD_CHARS:
            raise ValueError(f"{quote(word)} has {len(word)} characters: use words of at most {WORD_CHARS}.")
        if word in reserved:
            raise ValueError(f"{quote(word)} has another role in these sentences: use another word.")
        if words.count(word) > 1:
            raise ValueError(f"{quote(word)} is there more than once: use each word once.")
