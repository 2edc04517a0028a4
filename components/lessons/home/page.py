"""The page of Home: the whole way from text to combined embeddings, the presets, and the learner's progress."""

import streamlit as st
from torch import Tensor

from components.base.limits import table_bytes
from components.base.link import State, preset_of
from components.base.presets import PRESETS
from components.base.text_format import pluralize, readable_bytes
from components.caches.encoding import ids_if_any
from components.caches.tables import tables
from components.embedding.walkthrough import walk
from components.figures.pager import shown_rows
from components.lessons.home.figure import journey_figure
from components.lessons.home.shown import journey_ids
from components.text.token_ids import out_of_range
from components.ui.batch import batch_or_show_error, token_names
from components.ui.blocks import notice
from components.ui.figure import show_figure
from components.ui.quiz import first_question, is_masked, predict, show_score
from components.ui.session import current
from components.ui.state import change_preset, register_widget


def render(state: State) -> None:
    batch = batch_or_show_error(state)
    ids = tokens_of_short_text(state) if batch is None else batch
    if ids is not None:
        masked = show_journey(state, ids)
        notice(observations(state, ids, batch is not None, masked))
    show_presets()
    show_progress()


def tokens_of_short_text(state: State) -> Tensor | None:
    """Return the tokens of a text that fills no window [1, T]; None if there is no token, or an ID out of range."""
    ids = journey_ids(ids_if_any(state.settings, state.text), state.settings)
    return None if ids is None or out_of_range(ids.flatten().tolist(), state.settings.vocab_size) else ids


def show_journey(state: State, ids: Tensor) -> str:
    """Show the figure of a batch [B, T] and its prediction; return the question whose answer is masked, if any."""
    settings, at = state.settings, state.choices.home_token
    question = first_question()
    masked = question.name if question and is_masked(question) else ""
    count = ids.numel() if settings.typed else len(ids_if_any(settings, state.text))
    names = token_names(state, ids, shown_rows(ids.numel(), at))
    steps = walk(ids, settings, tables(settings))
    show_figure(journey_figure(ids, names, count, steps, settings, masked, at, state.choices.home_column))
    predict(question)
    return masked


def observations(state: State, ids: Tensor, in_batch: bool, masked: str) -> list[str]:
    settings, (B, T) = state.settings, ids.shape
    V, D = settings.vocab_size, settings.dim
    length = pluralize(len(state.text), "character")
    sentences = [f"{pluralize(ids.numel(), 'ID')}, typed or of a preset, are in use instead of your {length}."]
    if not settings.typed:
        tokens = pluralize(len(ids_if_any(settings, state.text)), "token")
        used = f", and this batch has {B:,} × {T:,} of them" if in_batch else ""
        sentences = [f"Your {length} became {tokens}{used}."]
    rows = len(set(ids.flatten().tolist()))
    size = readable_bytes(table_bytes(V, D))
    used = f"The batch uses {pluralize(rows, 'row')} of the table, whose {V:,} × {D:,} numbers take {size}"
    are = "are random before training" if not settings.trained else "are GPT-2's, trained"
    sentences.append(f"{used} and {are}.")
    if masked != "numbers":
        sentences.append(f"The model reads no letter: it reads {B:,} × {T:,} × {D:,} = {B * T * D:,} numbers.")
    return sentences


def show_presets() -> None:
    """Render the presets as a choice, and what the chosen one shows."""
    chosen = preset_of(current().state.settings)  # not those in effect
    bound = register_widget("home_preset", chosen, lambda name: name and change_preset(name), default="default")
    st.pills("Or start from a preset", list(PRESETS), **bound)
    st.caption(
        PRESETS[chosen].note if chosen else "Your own settings. A preset changes settings and IDs; your text stays."
    )


def show_progress() -> None:
    """Show how many lessons this session has opened, and the score of its predictions."""
    lessons = [name for name in current().lessons if name not in ("home", "glossary")]
    done = [name for name in lessons if name in current().score.visited]
    st.progress(len(done) / len(lessons), text=f"{len(done)} of {len(lessons)} lessons opened in this session")
    show_score()
