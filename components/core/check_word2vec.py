"""What a learner may think about word2vec: that it reads letters, knows opposites, and that analogies are facts.

The numbers are those of the thousand words of a well-known demonstration (word2vecjson), measured with gensim.
"""

from random import Random
from typing import NamedTuple

from components.core.checks import Check, Ids, Option, ask, dice
from components.core.choices import Choices
from components.core.corpora import GRAMMAR, Grammar, Question, read_grammar
from components.core.link import State
from components.core.text import visible

DEMONSTRATION = "the thousand words of a well-known demonstration (word2vecjson)"


class Measured(NamedTuple):
    """An analogy, and the two words nearest to a - b + c with nothing struck out, with their cosines."""

    question: Question
    nearest: str
    cosine: float
    second: str
    second_cosine: float


MEASURED = [
    Measured(Question("king", "man", "woman", "queen"), "king", 0.80, "queen", 0.55),
    Measured(Question("father", "man", "woman", "mother"), "mother", 0.85, "father", 0.81),
    Measured(Question("good", "better", "worse", "bad"), "bad", 0.73, "good", 0.66),
    Measured(Question("better", "good", "bad", "worse"), "better", 0.75, "worse", 0.73),
    Measured(Question("daughter", "son", "boy", "girl"), "girl", 0.92, "boy", 0.86),
    Measured(Question("said", "saying", "running", "ran"), "running", 0.70, "ran", 0.49),
    Measured(Question("women", "woman", "man", "men"), "men", 0.85, "women", 0.76),
]
OPPOSITES = {
    ("good", "bad"): 0.72,
    ("man", "woman"): 0.77,
    ("black", "white"): 0.81,
    ("buy", "sell"): 0.83,
    ("early", "late"): 0.81,
    ("love", "hate"): 0.60,
    ("up", "down"): 0.64,
}
LOWEST = ("started", "cannot", -0.20)  # of all pairs


def questions(state: State, token_ids: Ids) -> list[Check]:
    """Return the checks of the lesson on word2vec.

    >>> [check.name for check in questions(State(), [])]
    ['nearest', 'opposites', 'letters', 'corpus']
    """
    choices, choose = state.choices, dice(state, f"word2vec {state.choices.train_seed}")
    grammar = _grammar(choices)
    return [
        *_nearest(choices, choose),
        *_opposites(*choose.choice([*OPPOSITES])),
        *_letters(choices, grammar),
        *_corpus(choose.choice(grammar.questions or read_grammar(GRAMMAR).questions)),
    ]


def _grammar(choices: Choices) -> Grammar:
    try:
        return read_grammar(choices.grammar or GRAMMAR)
    except ValueError:
        return read_grammar(GRAMMAR)


def _nearest(choices: Choices, choose: Random) -> list[Check]:
    """Ask what is nearest to an analogy with nothing struck out: the learner's own, or one that was measured."""
    words = (choices.word_a, choices.word_b, choices.word_c)
    own = [one for one in MEASURED if (one.question.a, one.question.b, one.question.c) == words]
    asked, first, cosine, second, second_cosine = (own or [choose.choice(MEASURED)])[0]
    a, b, c, answer = asked.a, asked.b, asked.c, asked.answer
    return ask(
        "nearest",
        f"In {DEMONSTRATION}: which word is nearest to {a} - {b} + {c}, when nothing is struck out?",
        first,
        [
            Option(
                answer,
                f"{a} - {b} + {c} is nearest to {answer}",
                f"{answer} has {second_cosine:.2f}. Demonstrations strike out {a}, {b} and {c}, and do not say so.",
            ),
            Option(a, "the first word is nearest in any case", f"Often it is; here it is not: {first} is nearer."),
            Option(c, "the word that is added wins", f"{c} is one part of three, and not the nearest word."),
            Option(b, "the word that is taken away wins", f"{b} is taken away, which leads away from it."),
        ],
        f"{first} has a cosine of {cosine:.2f}, {second} of {second_cosine:.2f}. Some analogies hold with their inputs "
        "kept, others only once those are struck out.",
    )


def _opposites(one: str, other: str) -> list[Check]:
    """Ask for the cosine of two words that mean opposite things."""
    cosine = OPPOSITES[one, other]
    return ask(
        "opposites",
        f"In {DEMONSTRATION}: about what cosine have {one} and {other}?",
        f"{cosine:.2f}",
        [
            Option(
                f"{-cosine:.2f}",
                "a negative cosine means the opposite",
                f"Opposites have the same neighbours. The cosine furthest below 0 there is {LOWEST[2]:.2f}, of "
                f"{LOWEST[0]} and {LOWEST[1]}: no opposites.",
            ),
            Option(
                "0.00", "opposites have nothing in common", f"{one} and {other} stand in the same kinds of sentences."
            ),
            Option(
                "1.00", "words in the same sentences have equal vectors", "Only near, not equal: some sentences differ."
            ),
        ],
        f"It is {cosine:.2f}: where {one} can stand, {other} can stand as well, so their vectors are near.",
    )


def _letters(choices: Choices, grammar: Grammar) -> list[Check]:
    """Ask for the vector of a word that is spelled almost like a known one."""
    lists = [*grammar.words.values(), *grammar.sentences]
    known = {word for words in lists for word in words}
    word = (choices.near.split() or ["king"])[0].lower()
    other = word + "s"
    while other in known:
        other += "s"
    word, other = (visible(one.encode("utf-8", "replace")) for one in (word, other))
    return ask(
        "letters",
        f"Suppose word2vec has learned from sentences with “{word}” in them, and none with “{other}”. What vector does "
        f"it have for “{other}”?",
        "none: asking for it raises KeyError",
        [
            Option(
                f"one close to that of “{word}”",
                "word2vec reads letters",
                f"To word2vec both are names without parts: “{other}” is another one, however alike they look.",
            ),
            Option(
                f"that of “{word}” plus one for the ending",
                "word2vec puts words together from pieces",
                "That is how fastText does it; word2vec has whole words only.",
            ),
            Option("one of zeros only", "unknown words have a row of zeros", "There is no row at all for such a word."),
        ],
        f"word2vec has one row for each word of its sentences. “{other}” is not among them, so there is no row.",
    )


def _corpus(question: Question) -> list[Check]:
    """Ask whether an analogy holds in other vectors."""
    shown = visible(str(question).encode("utf-8", "replace"))
    a, answer = (visible(word.encode("utf-8", "replace")) for word in (question.a, question.answer))
    return ask(
        "corpus",
        f"“{shown.replace('␣', ' ')}” comes out of vectors trained on one text. Does it come out of vectors trained on "
        "another?",
        "it may or may not: that depends on the other text",
        [
            Option(
                "yes: it is true of these words",
                "analogies are facts",
                f"word2vec knows nothing of {a} or {answer} but what stands next to them in its own text.",
            ),
            Option(
                "yes, with the same D, window and seed",
                "settings make analogies",
                "Settings decide how well a text is learned, and not what it says.",
            ),
            Option(
                "no: vectors of two texts have nothing in common",
                "analogies are chance",
                "Texts that use words alike give vectors that stand to each other alike.",
            ),
        ],
        "An analogy is a habit of one text: where the words are used alike it comes out again, elsewhere it does not.",
    )
