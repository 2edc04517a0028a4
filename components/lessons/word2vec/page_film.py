"""The second scene of the lesson: a training as a film."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from gensim.models import KeyedVectors

from components.base.learner_text import visible_text
from components.base.link import State
from components.base.text_format import series
from components.caches.shared import shared
from components.embedding.projection import project
from components.figures.cells import number
from components.figures.drawing import Figure
from components.lessons.word2vec.figure_film import UNLIKE, cosine, film_figure, has_changed, nearest_of, parallel
from components.lessons.word2vec.trained import film, film_words, frequent_neighbors, training_key
from components.questions.quiz import Question
from components.ui.blocks import notice
from components.ui.figure import show_figure
from components.ui.quiz import is_masked, predict

NAMED = 3
MAX_FIGURE_BYTES = 2 * 10**6  # about 35 figures, all sessions together


@shared(
    MAX_FIGURE_BYTES,
    lambda figure: len(figure.drawing),
    key=lambda state, words, frames, masked: (*training_key(state), words, masked),
)
def drawn_film(state: State, words: tuple[str, ...], frames: np.ndarray, masked: bool) -> Figure:
    """Return the figure of the film, drawn once: it takes longer than the rest of a run."""
    nearest, common = nearest_and_common(state, words, frames)
    both = f"{visible_text(words[0])} and {visible_text(words[nearest])} both"
    why = f"{both} occur beside {common}" if common and not masked and has_changed(frames, nearest) else ""
    return film_figure(words, frames, masked, why)


def nearest_and_common(state: State, words: Sequence[str], frames: np.ndarray) -> tuple[int, str]:
    """Return which of the words ends nearest to the first, and the frequent neighbors that both have."""
    nearest = nearest_of(words, frames[-1])
    common = [f"“{visible_text(word)}”" for word in shared_neighbors(state, (words[0], words[nearest]))[:NAMED]]
    return nearest, series(common)


def shared_neighbors(state: State, words: Sequence[str]) -> list[str]:
    """Return the frequent neighbors of the first word that the others have as well."""
    own, *others = (frequent_neighbors(state, word) for word in words)
    return [word for word in own if all(word in other for other in others)]


def show_film(state: State, vectors: KeyedVectors, words: tuple[str, str, str], question: Question | None) -> bool:
    """Show the film, the prediction and what to notice; return whether it is masked."""
    shown = film_words(state, vectors, words)
    frames = film(state, shown)
    masked = is_masked(question, "film", about=["film"])
    show_figure(drawn_film(state, shown, frames, masked))
    predict(question, case="film")
    notice(observations(state, shown, frames, masked))
    caption = (
        "The film shows the training of the vectors of the analogy and of “These vectors”: its start, and the end of "
        "each epoch."
    )
    if frames.shape[-1] > 2:
        caption += (
            " Arrows that are parallel in this projection need not be parallel in the full space: cosine similarities "
            "are computed from the whole vectors."
        )
    st.caption(caption)
    return masked


def observations(state: State, words: Sequence[str], frames: np.ndarray, masked: bool) -> list[str]:
    a, b, c, answer = (f"“{visible_text(word)}”" for word in words[:4])
    if masked:
        return [
            f"Training begins with random rows, and the film shows how they change: {a} and {answer} have a "
            f"cosine similarity of {number(cosine(frames[0][0], frames[0][3]))} at first."
        ]
    nearest, common = nearest_and_common(state, words, frames)
    start, end = (cosine(frame[0], frame[nearest]) for frame in (frames[0], frames[-1]))
    reason = f": both occur beside {common}" if common else ", though they share no frequent neighbor"
    of_all, of_both = (shared_neighbors(state, each) for each in (words[:4], (words[0], words[nearest])))
    if not has_changed(frames, nearest):
        reason = ": this training hardly changed it"
    elif common and len({*words[:4]}) > 2 and of_all == of_both:
        reason += ", as all words of the analogy do: chance decides between them, as other seeds show"
    found = [
        f"Of these words, “{visible_text(words[nearest])}” ends nearest to {a}, with a cosine similarity of "
        f"{number(end)}; it was {number(start)} at the start{reason}."
    ]
    on_map = project(frames[-1]).points
    apart = {n: float(np.linalg.norm(on_map[n] - on_map[0])) for n, word in enumerate(words) if word != words[0]}
    own = frequent_neighbors(state, words[0])
    beside = next((n for n, word in enumerate(words) if n > 3 and word in own), None)
    if (shown := min(apart, key=apart.get)) != nearest:
        found.append(
            f"On the map “{visible_text(words[shown])}” is nearer: cosine similarities are of the angle between whole "
            "vectors, not of the distance on a projection."
        )
    elif beside is not None and words[nearest] not in own and (alike := cosine(*frames[-1][[0, beside]])) < UNLIKE:
        found.append(
            f"“{visible_text(words[beside])}”, a neighbor of {a}, ends at {number(alike)}: words with the same "
            "neighbors become alike, not words that are neighbors."
        )
    if words[0] == words[1]:
        return found
    one, other = (number(parallel(frame)) for frame in (frames[0], frames[-1]))
    goes = f"goes from {one} to {other}" if one != other else f"is {one} at the start and at the end"
    found.append(f"The cosine of the arrows {b} → {a} and {c} → {answer} {goes}.")
    return found
