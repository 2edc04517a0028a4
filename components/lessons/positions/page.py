"""The page of the lesson on positions: figure, prediction, what to notice; page_sections.py has the rest."""

import streamlit as st
import torch
from torch import Tensor

from components.base.link import State
from components.base.settings import Settings
from components.caches.tables import shared_learned_positions, tables
from components.embedding.positions import similarity, sinusoidal_positions
from components.lessons.positions.figure import SHOWN, positions_figure
from components.lessons.positions.page_sections import show_sections
from components.programs.lesson_values import batch_values
from components.ui.blocks import notice
from components.ui.figure import show_figure
from components.ui.quiz import first_question, is_masked, predict

WITHOUT_POSITIONS = """Without positions the sum is the token embedding. Attention without a mask then does not depend \
on the order of the tokens; with a causal mask an output still depends on which tokens come before it."""

program_values = batch_values


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings = state.settings
    position = tables(settings).position
    question = first_question()
    if position is None:
        st.info("Position embeddings are off: a token has the same vector at every position.", icon=":material/block:")
    else:
        rows = shown_positions(position, settings)
        cosines = similarity(rows)
        masked = is_masked(question)
        show_figure(positions_figure(rows, cosines, len(position), settings, state.choices.at, masked))
    predict(question)
    notice([WITHOUT_POSITIONS] if position is None else observations(cosines, settings, masked))
    show_sections(state, position)


def shown_positions(position: Tensor, settings: Settings) -> Tensor:
    """Return the 128 rows of the figure [128, D]: those of the batch, and below them the ones of a longer table."""
    T, D = position.shape
    if settings.position == "sinusoidal":
        return sinusoidal_positions(SHOWN, D, settings.layout)
    longer = shared_learned_positions(max(T, SHOWN), D, settings.vocab_size, settings.seed)
    return torch.cat([position, longer[T:]])[:SHOWN]


def observations(cosines: Tensor, settings: Settings, masked: bool) -> list[str]:
    """Return what the figure has in numbers, without the answer as long as it is masked."""
    D, T = settings.dim, settings.context_length
    about = "that neighbors become alike is learned"
    if settings.position == "sinusoidal":
        text = f"The formula gives a row for any position, not only for the first T = {T}."
        about = "it depends on the distance alone, and " * (D % 2 == 0) + "it does not fall steadily"
    else:
        text = (
            f"A learned table has T = {T} rows, sampled here from N(0, 1); GPT-2's began with a standard deviation of "
            "0.01, its token embeddings with 0.02."
        )
    if not masked:
        alike = ", ".join(f"{cosines[5, other]:.3f} with {other}" for other in (6, 8, 15, 55))
        text += f" Position 5 has these cosine similarities: {alike}; {about}."
    added = "The first Transformer added sinusoidal rows, GPT-2 adds learned ones"
    return [text, f"{added}; most recent models rotate queries and keys instead."]
