"""The page of the lesson on attention: figure, prediction, what to notice; page_sections.py has the rest."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from components.base.export import NamedArray
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids
from components.caches.tables import tables
from components.embedding.norm_ratio import shuffled_order
from components.figures.drawing import Slider
from components.lessons.attention.choices import KINDS, MAX_TOKENS, VIEWS, Choices
from components.lessons.attention.figure import weights_figure
from components.lessons.attention.hands import hands_figure, three_pairs
from components.lessons.attention.page_notice import notice_hands, notice_weights
from components.lessons.attention.page_sections import show_sections
from components.lessons.attention.reading import (
    Reading,
    changes,
    last_first,
    longer,
    read,
    sequence_of,
    shown_query,
)
from components.questions.quiz import Question
from components.text.token_ids import out_of_range
from components.text.window_counts import typed_batch
from components.ui.batch import checked_ids, token_names
from components.ui.download_registry import register
from components.ui.figure import show_figure
from components.ui.quiz import first_question, is_masked, predict
from components.ui.state import bind_choice

KIND_NAMES = {"none": "No positions", "added": "Added", "rotary": "Rotary"}
VIEW_NAMES = {"weights": "Weights", "hands": "Clock hands"}


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program. Raises ValueError if there is no sequence, or one with IDs out of range."""
    sequence = sequence_of(token_ids, state.settings, state.choices.first_token)
    if problem := out_of_range(sequence, state.settings.vocab_size):
        raise ValueError(problem)
    return {"typed_ids": typed_batch(state.settings)} if state.settings.typed else {}


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    show_controls(choices)
    ids = checked_ids(state, lambda tokens: torch.tensor([sequence_of(tokens, settings, choices.first_token)]))
    if ids is None:
        return
    reading = read(ids[0], tables(longer(settings, ids.shape[1])), settings, choices)
    names = names_of(state, reading)
    question = first_question()
    masked = question is not None and question.name == "shuffle" and is_masked(question)
    if choices.attention_positions == "rotary" and choices.attention_view == "hands":
        show_hands(reading, names, state, question)
    else:
        show_weights(reading, names, state, question, masked)
    register(lambda: export(reading))
    show_sections(reading, names, choices, masked)


def show_controls(choices: Choices) -> None:
    """Render the lesson's own controls: positions, the view of rotary ones, mask, and order."""
    options = {"attention_positions": ("Positions", KINDS, KIND_NAMES)}
    if choices.attention_positions == "rotary":
        options["attention_view"] = ("View", VIEWS, VIEW_NAMES)
    with st.container(horizontal=True, vertical_alignment="center", key="own_controls"):
        for name, (label, values, names) in options.items():
            bound = bind_choice(name, default="default")
            st.segmented_control(
                label, values, format_func=names.get, required=True, label_visibility="collapsed", **bound
            )
        st.toggle("Causal mask", width="content", **bind_choice("causal"))
        st.toggle("Shuffle the words", width="content", **bind_choice("shuffled"))


def names_of(state: State, reading: Reading) -> list[str]:
    """Return how each token is named, in the order in which the head reads them."""
    if state.settings.typed:
        return [f"ID {token_id}" for token_id in reading.ids.tolist()]
    return token_names(state, reading.ids)


def show_weights(reading: Reading, names: list[str], state: State, question: Question | None, masked: bool) -> None:
    """Show the weights and how an output is mixed, the prediction, and what to notice."""
    shuffled = changes_by_shuffle(reading, state.choices)
    which, slider = tokens_read(state, len(names))
    query = shown_query(reading.ids.tolist())
    show_figure(weights_figure(names, reading.steps, state.choices, query, which, shuffled, masked, slider))
    predict(question)
    notice_weights(reading, names, query, state.choices, None if masked else shuffled)


def show_hands(reading: Reading, names: list[str], state: State, question: Question | None) -> None:
    """Show the pairs of one query and one key as clock hands, the prediction, and what to notice."""
    m, n = (min(each, len(names) - 1) for each in (state.choices.query, state.choices.key))
    query, key = unrotated(reading, m, n)
    placed = three_pairs(query, key, m, n)
    show_figure(hands_figure(names, placed, query, key, tokens_read(state, len(names))[1]))
    predict(question)
    notice_hands(placed, state.choices.causal)


def tokens_read(state: State, n: int) -> tuple[str, Slider | None]:
    """Return which tokens the head reads, and a slider for the first one if the text has more."""
    if state.settings.typed:
        return f"The first sequence: {pluralize(n, 'ID')}, read by an untrained head", None
    total = len(token_ids(state.settings.tokenizer, state.text))
    if total <= MAX_TOKENS:
        return f"The whole text: {pluralize(n, 'token')}, read by an untrained head", None
    first = min(state.choices.first_token, last_first(total))
    which = f"Tokens {first:,} to {first + n - 1:,} of {total:,}, read by an untrained head"
    return which, Slider("first_token", "First token", first, last_first(total))


def unrotated(reading: Reading, m: int, n: int) -> tuple[Tensor, Tensor]:
    """Return the query of token m and the key of token n, each [d], before they are rotated."""
    return reading.x[m] @ reading.head.query, reading.x[n] @ reading.head.key


def changes_by_shuffle(reading: Reading, choices: Choices) -> tuple[float, float] | None:
    """Return the largest change of an output if the tokens are shuffled: without mask and positions, and as chosen."""
    n = len(reading.ids)
    if n < 2:
        return None
    order = shuffled_order(n, choices.order_seed)
    plain = changes(reading, "none", False, order)
    chosen = changes(reading, choices.attention_positions, choices.causal, order)
    return plain.max().item(), chosen.max().item()


def export(reading: Reading) -> dict[str, NamedArray]:
    """Return the tensors of the head, for files."""
    steps = reading.steps
    return {
        "sequence": NamedArray(reading.ids.numpy(), ("t",)),
        "x": NamedArray(reading.x.numpy(), ("t", "d")),
        **{name: NamedArray(getattr(steps, name).numpy(), ("t", "d")) for name in ("q", "k", "v", "out")},
        "weights": NamedArray(steps.weights.numpy(), ("query", "key")),
    }
