"""Facts for the questions on word2vec.

The numbers are those of the thousand words of a well-known demonstration (word2vecjson), measured with gensim.
"""

from typing import NamedTuple

from components.base.link import State
from components.questions.own_ids import question_rng, visible_text
from components.questions.quiz import Facts, Ids
from components.vectors.corpora import GRAMMAR, AnalogyQuestion, Grammar, read_grammar


class Measured(NamedTuple):
    """An analogy, and the two words nearest to a - b + c with the input words included, with their cosines."""

    analogy: AnalogyQuestion
    nearest: str
    cosine: float
    second: str
    second_cosine: float


MEASURED = [
    Measured(AnalogyQuestion("king", "man", "woman", "queen"), "king", 0.80, "queen", 0.55),
    Measured(AnalogyQuestion("father", "man", "woman", "mother"), "mother", 0.85, "father", 0.81),
    Measured(AnalogyQuestion("good", "better", "worse", "bad"), "bad", 0.73, "good", 0.66),
    Measured(AnalogyQuestion("better", "good", "bad", "worse"), "better", 0.75, "worse", 0.73),
    Measured(AnalogyQuestion("daughter", "son", "boy", "girl"), "girl", 0.92, "boy", 0.86),
    Measured(AnalogyQuestion("said", "saying", "running", "ran"), "running", 0.70, "ran", 0.49),
    Measured(AnalogyQuestion("women", "woman", "man", "men"), "men", 0.85, "women", 0.76),
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


def nearest(state: State, token_ids: Ids) -> Facts:
    """Return the facts on the word nearest to an analogy: the learner's own if it was measured, or another.

    >>> from components.lessons.word2vec.choices import Choices
    >>> nearest(State(choices=Choices()), [])["nearest"]
    'king'
    """
    words = (state.choices.word_a, state.choices.word_b, state.choices.word_c)
    own = [each for each in MEASURED if (each.analogy.a, each.analogy.b, each.analogy.c) == words]
    measured = (own or [question_rng(state, "nearest").choice(MEASURED)])[0]
    analogy = measured.analogy
    return measured._asdict() | {"a": analogy.a, "b": analogy.b, "c": analogy.c, "expected": analogy.answer}


def opposites(state: State, token_ids: Ids) -> Facts:
    """Return the facts on the cosine similarity of two opposites."""
    one, other = question_rng(state, f"opposites {state.choices.train_seed}").choice([*OPPOSITES])
    facts = dict(zip(("lowest_one", "lowest_other", "lowest"), LOWEST, strict=True))
    cosine = OPPOSITES[one, other]
    return facts | {"one": one, "other": other, "cosine": cosine, "negative": -cosine}


def spelling(state: State, token_ids: Ids) -> Facts:
    """Return the facts on an unknown word that is spelled almost like a known one.

    >>> from components.lessons.word2vec.choices import Choices
    >>> spelling(State(choices=Choices(near="King")), [])
    {'word': 'king', 'unknown': 'kings'}
    """
    grammar = _grammar(state)
    known = {word for words in [*grammar.words.values(), *grammar.sentences] for word in words}
    word = (state.choices.near.split() or ["king"])[0].lower()
    unknown = word + "s"
    while unknown in known:
        unknown += "s"
    return {"word": visible_text(word), "unknown": visible_text(unknown)}


def corpus(state: State, token_ids: Ids) -> Facts:
    """Return the facts on an analogy of the learner's grammar."""
    analogies = _grammar(state).questions or read_grammar(GRAMMAR).questions
    chosen = question_rng(state, f"corpus {state.choices.train_seed}").choice(analogies)
    a, b, c, expected = map(visible_text, (chosen.a, chosen.b, chosen.c, chosen.answer))
    return {"analogy": str(AnalogyQuestion(a, b, c, expected)), "a": a, "expected": expected}


def _grammar(state: State) -> Grammar:
    """Return the learner's grammar, or that of the app if it cannot be read."""
    try:
        return read_grammar(state.choices.grammar or GRAMMAR)
    except ValueError:
        return read_grammar(GRAMMAR)
