"""The page of the lesson on word2vec: the vectors, figure, prediction, what to notice, training, and views."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.base.export import NamedArray
from components.base.limits import MAX_WORDS_DRAWN
from components.base.link import State
from components.failures.words import WORD_CHARS
from components.lessons.word2vec.choices import VECTORS, Choices
from components.lessons.word2vec.figure import analogy_figure
from components.lessons.word2vec.page_files import published_or_offer, session_vectors, vectors_from_uploader
from components.lessons.word2vec.page_training import show_training, train_here
from components.lessons.word2vec.page_views import drawn_words, show_views, suggest_words
from components.lessons.word2vec.trained import chosen_vectors, min_count, training_key
from components.questions.quiz import MIN_OPTIONS
from components.ui.blocks import notice, section, show_error
from components.ui.download_registry import Table, register
from components.ui.figure import show_figure
from components.ui.presentation import enlarged
from components.ui.quiz import first_question, is_masked, predict
from components.ui.state import bind_choice, bind_options
from components.vectors.analogies import Ranked, analogy, unanswerable, unknown_word
from components.vectors.analogy_gallery import PEOPLE, POPULAR_ANALOGIES, answerable
from components.vectors.analogy_space import analogy_space
from components.vectors.corpora import GRAMMAR
from components.vectors.sources import SOURCES

INPUTS = {"word_a": "a", "word_b": "− b", "word_c": "+ c"}
NEAREST = 10  # of them at most three are inputs
OPENINGS = {"grammar": None, "news": "program_news.py", "upload": "program_upload.py"}


def program_opening(state: State) -> Path | None:
    name = OPENINGS.get(state.choices.vectors, "program_published.py")
    return name and Path(__file__).with_name(name)


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program; words are checked if the vectors are here.

    Raises ValueError if the vectors cannot be made, or if a word of the analogy or the neighbors has none.
    """
    choices = state.choices
    vectors = session_vectors().vectors if choices.vectors == "upload" else chosen_vectors(choices)
    a, b, c = choices.inputs
    expected, near = choices.expected.strip(), choices.near.strip()
    words, gallery = choices.word_list[:MAX_WORDS_DRAWN], [*POPULAR_ANALOGIES, *PEOPLE]
    if vectors is not None:
        problem = unanswerable(vectors, a, b, c)
        if choices.view == "neighbors":
            problem = problem or unknown_word(vectors, [near])
        if problem:
            raise ValueError(problem)
        words, gallery = drawn_words(vectors, choices), answerable(vectors, gallery)
    values = {"a": a, "b": b, "c": c, "expected": expected, "near": near, "words": " ".join(words)}
    values |= {"gallery": "\n".join(map(str, gallery)), "grammar": choices.grammar or GRAMMAR}
    values |= {"n_sentences": choices.sentences, "dim": choices.vector_size, "n_negative": choices.negative}
    values |= {"seed": choices.train_seed, "min_count": min_count(choices)}
    return values | file_values(choices, vectors)


def file_values(choices: Choices, vectors: KeyedVectors | None) -> dict[str, Any]:
    """Return the name or the address of the file that the program reads, and its format."""
    if source := SOURCES.get(choices.vectors):
        return {"url": source.url, "binary": source.binary}
    if choices.vectors != "upload" or vectors is None:
        return {"path": "vectors.txt", "binary": False, "no_header": False}
    layout = vectors.layout
    return {"path": session_vectors().name, "binary": layout.binary, "no_header": layout.words is None}


def render(state: State) -> None:
    choices = state.choices
    row = st.container(horizontal=True, vertical_alignment="bottom", key="own_controls")
    with row:
        bound = bind_options(list(VECTORS), bind_choice("vectors"))
        st.selectbox("Vectors", list(VECTORS), format_func=VECTORS.get, width=enlarged(226), **bound)
    here = choices.vectors in ("grammar", "news")
    trained = train_here(choices) if here else None
    if choices.vectors in SOURCES:
        vectors = published_or_offer(choices.vectors)
    elif choices.vectors == "upload":
        vectors = vectors_from_uploader()
    else:
        vectors = trained and trained.vectors
    if vectors is not None:
        with row:
            for name, label in INPUTS.items():
                st.text_input(label, max_chars=WORD_CHARS, width=enlarged(104), **bind_choice(name))
            st.toggle("Exclude the input words", width=enlarged(214), **bind_choice("exclude"))
        masked = show_analogy(vectors, choices)
    if here and (part := section("**Training** these vectors", "training")):
        with part:
            show_training(trained, choices)
    if vectors is None:
        return
    shown = ref(vectors)  # a weak reference: evicted vectors are freed
    register(lambda: word_export(shown()))
    title = "**These vectors**: neighbors, similarity, tests, other methods"
    if part := section(title, "views", opened=choices.view != "analogy"):
        with part:
            show_views(vectors, choices, masked)


def show_analogy(vectors: KeyedVectors, choices: Choices) -> bool:
    """Show the figure, the prediction and what to notice, or why there is no answer; return whether it is masked."""
    a, b, c = words = choices.inputs
    if problem := unanswerable(vectors, *words):
        show_error(problem)
        for (name, label), word in zip(INPUTS.items(), words, strict=True):
            suggest_words(label, name, vectors, word)
        return False
    included = analogy(vectors, [a, c], [b], NEAREST, include_inputs=True)
    answer = next(word for word, _ in included if word not in words)
    # The question cannot be about these vectors if they are a learner's file, or if too few words differ.
    can_ask = choices.vectors != "upload" and len({*words, answer, included[0][0]}) >= MIN_OPTIONS
    question = first_question() if can_ask else None
    masked = is_masked(question)
    show_figure(analogy_figure(vectors, words, included, choices.exclude, masked))
    predict(question)
    notice([observation(vectors, choices, words, included, masked)])
    return masked


def observation(
    vectors: KeyedVectors, choices: Choices, words: tuple[str, str, str], included: Ranked, masked: bool
) -> str:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    (first, cosine), (answer, own) = included[0], next(each for each in included if each[0] not in words)
    text = f"{len(vectors):,} words, each a vector of {vectors.vector_size} numbers."
    if not masked and first in words:
        text = (
            f"With nothing excluded {first} is nearest ({cosine:.3f}): {answer} ({own:.3f}) is the answer only because "
            "the input words are excluded."
        )
        space = analogy_space(vectors, *words, answer)
        height, flat = space.height, space.distance(space.foot)
        if flat < min(space.distance(point) for point in (space.a, space.b, space.c)):
            text += f" Without its height of {height:.2f} {answer} would be {flat:.2f} from the sum, nearer than any "
            text += "input word: distances in a 2-D map are not those of the vectors."
    elif not masked:
        text = f"{first} is nearest ({cosine:.3f}) whether the input words are excluded or not."
    if not masked and training_key(choices) == training_key(Choices()):
        text += " This corpus and this training were picked, because here the switch matters."
    else:
        text += " An analogy reflects one corpus; it is not a fact of the language."
    return text


def word_export(vectors: KeyedVectors | None) -> dict[str, NamedArray | Table]:
    if vectors is None:
        return {}
    words = [{"row": row, "word": word} for row, word in enumerate(vectors.index_to_key)]
    return {"vectors": NamedArray(np.asarray(vectors.vectors), ("row", "d")), "words": words}
