"""The page of the lesson on word2vec: the vectors, figure, prediction, what to notice, training, and views."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import streamlit as st
import torch
from gensim.models import KeyedVectors

from components.base.export import NamedArray
from components.base.field_types import quote
from components.base.limits import MAX_WORDS_DRAWN
from components.base.link import State
from components.base.text_format import series
from components.embedding.gpt2 import mean_cosine
from components.figures.cells import number
from components.lessons.word2vec.choices import HERE, SCENES, VECTORS, VIEWS, Choices
from components.lessons.word2vec.figure import analogy_figure
from components.lessons.word2vec.page_files import published_or_offer, session_vectors, vectors_from_uploader
from components.lessons.word2vec.page_film import show_film
from components.lessons.word2vec.page_step import show_step, step_controls
from components.lessons.word2vec.page_training import show_training, too_few, train_here
from components.lessons.word2vec.page_views import drawn_words, show_views, suggest_words
from components.lessons.word2vec.steps import step_scene
from components.lessons.word2vec.trained import chosen_vectors, known_inputs, min_count, training_key
from components.questions.quiz import Question
from components.ui.blocks import notice, option_buttons, option_list, show_error
from components.ui.download_registry import Table, register
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.presentation import enlarged, step_through
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice
from components.ui.waiting import shown_waits
from components.vectors.analogies import TIE_TOLERANCE, Ranked, analogy, unanswerable, unknown_word
from components.vectors.analogy_gallery import PEOPLE, POPULAR_ANALOGIES, answerable
from components.vectors.analogy_space import analogy_space
from components.vectors.corpora import GRAMMAR
from components.vectors.sources import SOURCES
from components.vectors.word2vec import TrainedVectors

INPUTS = {"word_a": "a", "word_b": "− b", "word_c": "+ c"}
MAX_PAIRED = 1_000  # words whose pairs are averaged
NEAREST = 10  # of them at most three are inputs
WORD_WIDTH = 72  # pixels
# Cells of the program.
OF_SCENE = {
    "step": "Single steps",
    "film": "The training once more, epoch by epoch",
    "analogy": "The analogy a - b + c",
}
OF_CORPUS = "The analogies of the corpus"
OTHER_CHOICES = [{"sentence": number} for number in range(3, 8)]  # of single steps; and other words of an analogy
OTHER_CHOICES += [{"word_a": "paris", "word_b": "france", "word_c": "italy"}]


def program_opening(state: State) -> Path | None:
    kind = "published" if state.choices.vectors in SOURCES else state.choices.vectors
    return None if kind == "grammar" else Path(__file__).with_name(f"program_{kind}.py")


def left_out(state: State, for_page: bool) -> set[str]:
    """Return the titles of the cells of the program that belong to what the page does not show."""
    choices, vectors = state.choices, vectors_of(state)
    view = VIEWS[choices.view] if choices.view == choices.shown_view else ""
    if vectors is not None and lacks_words(vectors, choices):
        view = ""
    others = {*OF_SCENE.values(), *VIEWS.values()} - {OF_SCENE[choices.shown], view}
    if choices.shown == "film" and vectors is not None:
        a, b, _ = known_inputs(vectors, choices)
        others |= {OF_SCENE["film"]} if a == b else set()
    if choices.shown != "analogy":
        others |= {OF_CORPUS} if choices.view == "gallery" else {OF_CORPUS, "Analogies"}
    return others if choices.vectors in HERE else {*others, OF_CORPUS, "Sentences"}


def vectors_of(state: State) -> KeyedVectors | None:
    return session_vectors().vectors if state.choices.vectors == "upload" else chosen_vectors(state)


def lacks_words(vectors: KeyedVectors, choices: Choices) -> bool:
    """Return whether the view has no numbers, since its word is unknown, or too few are known."""
    if choices.view == "neighbors":
        return unknown_word(vectors, [choices.near.strip()]) is not None
    return choices.view == "map" and len(drawn_words(vectors, choices)) < 2


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program; words are checked if the vectors are here, as those of the figure are.

    Raises ValueError if the vectors cannot be made, or if the page has no step or no answer.
    """
    choices, vectors = state.choices, vectors_of(state)
    expected, near = choices.expected.strip(), choices.near.strip()
    a, b, c = choices.inputs
    words, gallery = choices.word_list[:MAX_WORDS_DRAWN], [*POPULAR_ANALOGIES, *PEOPLE]
    if vectors is not None:
        a, b, c = known_inputs(vectors, choices)
        words, gallery = drawn_words(vectors, choices), answerable(vectors, gallery)
        problem = choices.shown != "step" and unanswerable(vectors, a, b, c)
        if choices.shown == "step" and step_scene(state, a) is None:
            problem = f"{a} has no neighbor to learn from."
        if problem:
            raise ValueError(problem)
    values = {"a": a, "b": b, "c": c, "expected": expected, "near": near, "several": " ".join(words)}
    values |= {"gallery": "\n".join(map(str, gallery)), "grammar": choices.grammar or GRAMMAR}
    values |= {"n_sentences": choices.sentences, "dim": choices.vector_size, "n_negative": choices.negative}
    values |= {"seed": choices.train_seed, "min_count": min_count(choices)}
    return values | file_values(choices, vectors)


def file_values(choices: Choices, vectors: KeyedVectors | None) -> dict[str, Any]:
    if source := SOURCES.get(choices.vectors):
        return {"url": source.url, "binary": source.binary}
    if choices.vectors != "upload" or vectors is None:
        return {"path": "vectors.txt", "binary": False, "header": True, "D": 4}
    layout = vectors.layout
    values = {"binary": layout.binary, "header": layout.words is not None, "D": layout.dim}
    return {"path": session_vectors().name} | values


def render(state: State) -> None:
    choices = state.choices
    alignment = "center" if choices.vectors in HERE else "bottom"  # its labels are hidden if it has buttons
    row = st.container(horizontal=True, vertical_alignment=alignment, gap="xsmall", key="own_controls")
    with row:
        width = 200 if choices.vectors in HERE else 310
        option_list("Vectors", list(VECTORS), bind_choice("vectors"), format_func=VECTORS.get, width=enlarged(width))
        if choices.vectors in HERE:
            option_buttons("Figure", "scene", SCENES, label_visibility="collapsed")
            step_through("scene", list(SCENES))
    with shown_waits():
        trained = train_here(state) if choices.vectors in HERE else None
        question = first_question()
    if choices.vectors in SOURCES:
        vectors = published_or_offer(choices.vectors)
    elif choices.vectors == "upload":
        vectors = vectors_from_uploader()
    else:
        vectors = trained and trained.vectors
    masked = vectors is not None and show_scene(state, vectors, trained, row, question)
    if choices.vectors in HERE:
        section("**Training** these vectors", show_training, trained, state)
    if vectors is None:
        return
    shown = ref(vectors)  # a weak reference: evicted vectors are freed
    register(lambda: word_export(shown()))
    title = "**These vectors**: neighbors, similarity, tests" + ", other methods" * (choices.shown == "analogy")
    section(title, show_views, vectors, choices, masked, opened=choices.view != "analogy")


def show_scene(
    state: State,
    vectors: KeyedVectors,
    trained: TrainedVectors | None,
    row: AbstractContextManager,
    question: Question | None,
) -> bool:
    """Show the controls of the scene, its figure with the prediction, and what to notice.

    Return whether the vectors of a film or an analogy are masked.
    """
    masked = False
    choices = state.choices
    fields = {"word_a": "Word"} if choices.shown == "step" else INPUTS
    with row:
        for name, label in fields.items():
            st.text_input(label, width=enlarged(WORD_WIDTH), **bind_choice(name))
        if choices.shown == "step":
            step_controls(choices)
        if choices.shown == "analogy":
            st.toggle("Exclude inputs", width="content", **bind_choice("exclude"))
    words = known_inputs(vectors, choices)
    problem = None if choices.shown == "step" else unanswerable(vectors, *words)
    no_figure = problem or (choices.shown == "step" and step_scene(state, words[0]) is None)
    offer_known_words(vectors, choices, list(fields), [] if no_figure else words)
    if choices.shown == "step":
        show_step(state, words[0], question)
    elif problem:
        show_error(problem)
        predict(question)
    elif choices.shown == "film":
        masked = show_film(state, vectors, words, question)
    else:
        masked = show_analogy(vectors, choices, words, question)
    if trained and choices.vectors == "text" and (problem := too_few(state, trained)):
        st.caption(escape_markdown(problem))
    return masked


def offer_known_words(vectors: KeyedVectors, choices: Choices, fields: Sequence[str], shown: Sequence[str]) -> None:
    """Name the first word that has no vector, what is shown until then, if anything, and words of similar spelling.

    Without any, the most frequent words are offered.
    """
    with st.container(horizontal=True, vertical_alignment="center"):  # always rendered: what is below keeps the focus
        for name, word in zip(fields, choices.inputs, strict=False):
            if problem := unknown_word(vectors, [word]):
                used = " ".join(f"{INPUTS[each][:-1]}{text}" for each, text in zip(fields, shown, strict=False))
                until = f" Until you choose another word, the figure shows {quote(used.strip(), 140)}." if shown else ""
                st.caption(escape_markdown(f"{problem}{until}"), width="content")
                suggest_words(INPUTS[name], name, vectors, word)
                return


def show_analogy(
    vectors: KeyedVectors, choices: Choices, words: tuple[str, str, str], question: Question | None
) -> bool:
    """Show the figure of an analogy, the prediction and what to notice; return whether it is masked."""
    a, b, c = words
    included = analogy(vectors, [a, c], [b], NEAREST, include_inputs=True)
    masked = is_masked(question, "analogy", about=["nearest"])
    show_figure(analogy_figure(vectors, words, included, choices.exclude, masked))
    predict(question, case="analogy")
    notice([observation(vectors, choices, words, included, masked)])
    return masked


def observation(
    vectors: KeyedVectors, choices: Choices, words: tuple[str, str, str], included: Ranked, masked: bool
) -> str:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    (first, cosine), (answer, own) = included[0], next(each for each in included if each[0] not in words)
    equal = [f"“{word}”" for word, score in included if cosine - score < TIE_TOLERANCE]
    if masked:
        text = f"{len(vectors):,} words, each a vector of {vectors.vector_size} numbers."
    elif equal[1:] and cosine - own < TIE_TOLERANCE:
        text = f"{series(equal)} are equally near ({number(cosine, 3)})."
    elif first not in words:
        text = f"“{first}” is nearest ({number(cosine, 3)}) whether the input words are excluded or not."
    else:
        nearest = f"{series(equal)} are equally near" if equal[1:] else f"“{first}” is nearest"
        answers = [f"“{word}”" for word, score in included if word not in words and own - score < TIE_TOLERANCE]
        be, noun = ("are", "answers") if answers[1:] else ("is", "the answer")
        only = f"{be} {noun} only because the input words are"
        if not choices.exclude:
            only = f"would be {noun} only if the input words were"
        text = f"With nothing excluded {nearest} ({number(cosine, 3)}): "
        text += f"{series(answers)} ({number(own, 3)}) {only} excluded."
        space = analogy_space(vectors, *words, answer)
        height, flat = space.height, space.distance(space.foot)
        if flat < min(space.distance(point) for point in (space.a, space.b, space.c)):
            text += (
                f" “{answer}” is {number(height)} above the plane of the three words; without this height it would be "
                f"{number(flat)} from the sum, nearer than any input word: distances in a 2-D map are not those of the "
                "vectors."
            )
    two = "two words" if len(vectors) <= MAX_PAIRED else f"two of the first {MAX_PAIRED:,} words"
    rows = vectors.vectors[:MAX_PAIRED]
    rows = torch.from_numpy(rows[rows.any(axis=1)])  # with a direction
    chosen = State(choices=Choices())
    note = "An analogy reflects one corpus and is not a fact of the language."
    if not masked and words == chosen.choices.inputs and training_key(State(choices=choices)) == training_key(chosen):
        note = "This corpus and these settings were chosen because excluding the input words changes the answer here."
    if len(rows) > 1:
        average = f"On average {two} have a cosine similarity of {number(mean_cosine(rows, rows.norm(dim=1)))} here"
        note = f"{average}; {note[0].lower()}{note[1:]}"
    return f"{text} {note}"


def word_export(vectors: KeyedVectors | None) -> dict[str, NamedArray | Table]:
    if vectors is None:
        return {}
    words = [{"row": row, "word": word} for row, word in enumerate(vectors.index_to_key)]
    return {"vectors": NamedArray(np.asarray(vectors.vectors), ("row", "d")), "words": words}
