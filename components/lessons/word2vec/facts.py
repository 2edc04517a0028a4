"""Facts for the questions on word2vec.

The numbers that are not the learner's are in measured.toml.
"""

import tomllib
from contextlib import suppress
from pathlib import Path

from gensim.models import KeyedVectors

from components.base.learner_text import visible_text
from components.base.link import State
from components.figures.cells import number
from components.lessons.word2vec import trained
from components.lessons.word2vec.figure_film import UNLIKE, cosine, has_changed, nearest_of
from components.lessons.word2vec.steps import step_scene
from components.lessons.word2vec.trained import chosen_vectors, film_words, frequent_neighbors, known_inputs
from components.questions.own_ids import question_rng
from components.questions.quiz import MIN_OPTIONS, Facts, Ids
from components.vectors.analogies import analogy, unanswerable
from components.vectors.corpora import GRAMMAR, Grammar, read_grammar

MEASURED = tomllib.loads(Path(__file__).with_name("measured.toml").read_text("utf-8"))
CLEARLY, SEEN = 1.1, 0.01  # times as much as another word; the least amount that is not shown as 0
DISTINCT = 0.001  # two cosine similarities as they are written
LOWEST = {"lowest_one": "started", "lowest_other": "cannot", "lowest": -0.20}  # of all pairs


def step(state: State, token_ids: Ids) -> Facts | None:
    """Return which word changes the row most in the step that is lit at first; None if the figure is another."""
    if state.choices.shown != "step" or (vectors := _vectors(state)) is None:
        return None
    scene = step_scene(state, known_inputs(vectors, state.choices)[0])
    if scene is None:
        return None
    each = scene.steps[scene.first]
    names = [visible_text(scene.names[row]) for row in each.others]
    amounts = (each.step.errors.abs() * each.other_rows.norm(dim=1)).tolist()
    most, second = sorted(amounts, reverse=True)[:2]
    if len({*names}) < len(names) or most < max(CLEARLY * second, SEEN):
        return None
    facts = {"number": scene.first + 1, "center": visible_text(scene.center(each))}
    facts |= dict(zip(("true", "sampled", "other"), names, strict=True)) | {"answer": names[amounts.index(most)]}
    return facts | dict(zip(("true_amount", "sampled_amount", "other_amount"), map(number, amounts), strict=True))


def film(state: State, token_ids: Ids) -> Facts | None:
    """Return which word of the film ends nearest to a; None if the figure is another, or if too few words differ."""
    if state.choices.shown != "film" or (vectors := _vectors(state)) is None:
        return None
    inputs = known_inputs(vectors, state.choices)
    if unanswerable(vectors, *inputs):
        return None
    words = film_words(state, vectors, inputs)
    frames = trained.film(state, words)
    cosines = {word: cosine(frames[-1][0], vector) for word, vector in zip(words, frames[-1], strict=True)}
    nearest = nearest_of(words, frames[-1])
    nearest_word, around = words[nearest], frequent_neighbors(state, words[0])
    beside = next((word for word in words[4:] if word in around), None)
    others = [word for word in cosines if word not in (words[0], nearest_word)]
    if beside is None or cosines[beside] >= UNLIKE or nearest_word in around or not has_changed(frames, nearest):
        return None  # the film does not show that the neighbors of the words make them alike
    if len(others) < MIN_OPTIONS - 1:
        return None
    far = min(others, key=cosines.get)
    asked = {"nearest": nearest_word, "beside": beside, "far": far}
    asked |= {"input": next((word for word in (words[2], words[1]) if word in others), far)}
    if number(cosines[nearest_word]) in [number(cosines[word]) for word in asked.values() if word != nearest_word]:
        return None  # as it is written, another word ends as near
    facts = {"a": visible_text(words[0])}
    for name, word in asked.items():
        facts |= {name: visible_text(word), f"{name}_cosine": cosines[word]}
    return facts


def nearest(state: State, token_ids: Ids) -> Facts | None:
    """Return the facts on the analogy; None if the figure is another, two words are equally near or too few differ."""
    if state.choices.shown != "analogy" or (vectors := _vectors(state)) is None:
        return None
    words = known_inputs(vectors, state.choices)
    if unanswerable(vectors, *words):
        return None
    a, b, c = words
    ranked = analogy(vectors, [a, c], [b], 4, include_inputs=True)  # one of four is no input
    expected = next(word for word, _ in ranked if word not in words)
    (best, cosine), (second, second_cosine), *_ = ranked
    if cosine <= second_cosine + DISTINCT or len({*words, best, expected}) < MIN_OPTIONS:
        return None
    facts = {"a": a, "b": b, "c": c, "expected": expected, "nearest": best, "second": second}
    facts = {name: visible_text(word) for name, word in facts.items()}
    return facts | {"cosine": cosine, "second_cosine": second_cosine}


def opposites(state: State, token_ids: Ids) -> Facts:
    rng = question_rng(state, f"opposites {state.choices.train_seed}")
    one, other, cosine = rng.choice(MEASURED["opposites"])
    return LOWEST | {"one": one, "other": other, "cosine": cosine, "negative": -cosine}


def tables(state: State, token_ids: Ids) -> Facts:
    return {"word": visible_text(state.choices.inputs[0] or "king")}


def spelling(state: State, token_ids: Ids) -> Facts:
    grammar = _grammar(state)
    known = {word for words in [*grammar.words.values(), *grammar.sentences] for word in words}
    word = (state.choices.near.split() or ["king"])[0].lower()
    unknown = word + "s"
    while unknown in known:
        unknown += "s"
    return {"word": visible_text(word), "unknown": visible_text(unknown)}


def corpus(state: State, token_ids: Ids) -> Facts:
    analogies = _grammar(state).questions or read_grammar(GRAMMAR).questions
    chosen = question_rng(state, f"corpus {state.choices.train_seed}").choice(analogies)
    a, b, c, expected = map(visible_text, chosen)
    return {"analogy": f"{a} − {b} + {c} = {expected}", "a": a, "expected": expected}


def _vectors(state: State) -> KeyedVectors | None:
    """Return the chosen vectors; None if they are a learner's file, not on this server, or cannot be made."""
    with suppress(ValueError):
        return chosen_vectors(state)
    return None


def _grammar(state: State) -> Grammar:
    try:
        return read_grammar(state.choices.grammar or GRAMMAR)
    except ValueError:
        return read_grammar(GRAMMAR)
