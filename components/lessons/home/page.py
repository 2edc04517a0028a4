"""The page of Home: the whole way from text to combined embeddings, the presets, and the learner's progress."""

import numpy as np
import streamlit as st
from torch import Tensor

from components.base.limits import table_bytes
from components.base.link import State, preset_of
from components.base.presets import PRESETS
from components.base.text_format import pluralize, readable_bytes
from components.caches.encoding import ids_if_any
from components.caches.tables import tables
from components.caches.trained import batch_rows
from components.embedding.walkthrough import walk
from components.figures.columns import shown_rows
from components.lessons.home.figure import journey_figure
from components.lessons.home.shown import Journey, journey
from components.ui.batch import batch_or_show_error, ids_or_show_error, token_names
from components.ui.blocks import notice
from components.ui.figure import show_widened
from components.ui.quiz import first_question, is_masked, predict, show_score
from components.ui.session import current
from components.ui.state import change_preset, register_widget

MINUTES = 3  # of a lesson


def rows_shown(state: State, token_ids: np.ndarray) -> list[int]:
    """Return the rows of the table that this page reads: those of the tokens shown, and of the batch."""
    used = batch_rows(state.settings, token_ids)
    try:
        followed = journey(token_ids, state.settings).sequences(state.choices.home_token)
    except ValueError:  # of typed IDs, which the page shows; of no text, whose journey is empty
        return used
    return [*used, *followed.flatten().tolist()]


def render(state: State) -> None:
    ids = ids_or_show_error(state, lambda tokens: journey(tokens, state.settings).ids)
    batch = None if ids is None else batch_or_show_error(state)  # some of the IDs that are followed
    if batch is not None:
        masked = show_journey(state, journey(ids[0].numpy(), state.settings))
        notice(observations(state, batch, masked))
        path = current().lessons["attention"].path
        st.page_link(path, label="See a head being trained: Attention", icon=":material/school:")
    show_presets(state)
    show_progress()


def show_journey(state: State, followed: Journey) -> str:
    """Show the figure of all tokens and its prediction; return the question whose answer is masked, if any."""
    settings, at = state.settings, state.choices.home_token
    question = first_question()
    masked = question.name if question and is_masked(question) else ""
    names = token_names(state, followed.ids, shown_rows(followed.ids.numel(), at))
    ids = followed.sequences(at)
    steps = walk(ids, settings, tables(settings, ids))
    show_widened(journey_figure, followed, names, steps, settings, masked, at, state.choices.home_column)
    predict(question)
    return masked


def observations(state: State, ids: Tensor, masked: str) -> list[str]:
    settings, (B, T) = state.settings, ids.shape
    V, D = settings.vocab_size, settings.dim
    read = f"{pluralize(D, 'number')} for each token"
    if masked != "numbers" and (settings.typed or settings.context_length == T):
        read = f"B × T × D = {pluralize(B * T * D, 'number')}"  # its factors are asked for in the next lessons
    length = pluralize(len(state.text), "character")
    source = f"In use instead of your {length}: {pluralize(ids.numel(), 'ID')}, typed or from a preset"
    if not settings.typed:
        count = len(ids_if_any(settings, state.text))
        shown = len(shown_rows(count, 0))
        them = "all of them" if shown == count else f"them, {shown} at a time"
        used = f"the figure follows {them}, in sequences of the context length T = {T:,}; the next lessons use batches"
        if count <= settings.context_length:
            needs = f"a window with its {'targets' if settings.context_length > 1 else 'target'} needs"
            used = f"the batch is one sequence: {needs} {settings.context_length + 1:,} tokens"
        source = f"Your {length} became {pluralize(count, 'token')}; {used}"
    rows = len(set(ids.flatten().tolist()))
    size = readable_bytes(table_bytes(V, D))
    used = f"The batch uses {pluralize(rows, 'row')} of the table, whose {V:,} × {D:,} numbers take {size}"
    are = "GPT-2's, trained" if settings.trained else "random: Training and Word2vec show what training makes of them"
    return [f"The model reads no letters: it reads {read}.", f"{source}.", f"{used} and are {are}."]


def show_presets(state: State) -> None:
    chosen = preset_of(current().state.settings)  # not those in effect
    bound = register_widget("home_preset", chosen, change_preset, default="default")
    st.pills("Or start from a preset", list(PRESETS), required=True, **bound)
    note = PRESETS[chosen].note if chosen else "Your own settings. A preset changes settings and IDs; your text stays."
    if state.settings.table == "gpt2" and not state.settings.trained:
        note = "GPT-2's rows have not been downloaded: the message at the top explains it. The rows shown are random."
    st.caption(note)


def show_progress() -> None:
    lessons = {name for name, lesson in current().lessons.items() if lesson.has_program}
    n_lessons, done = len(lessons), len(lessons & current().score.visited)
    text = f"{done} of {n_lessons} lessons opened, about {MINUTES} minutes each: text to IDs, IDs to vectors, what "
    st.progress(done / n_lessons, text=f"{text}breaks, what is learned, and how to check it.")
    show_score()
