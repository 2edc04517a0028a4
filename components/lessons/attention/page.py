"""The page of the lesson on attention: one head that is trained here on a task, or an untrained one on the text."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from components.base.link import State
from components.lessons.attention.choices import FRUITS, HEADS, PAIRS, Choices
from components.lessons.attention.page_gpt2 import gpt2_controls, gpt2_values, show_gpt2
from components.lessons.attention.page_text import show_text, text_controls, text_values
from components.lessons.attention.page_trained import show_trained, trained_controls, trained_values
from components.lessons.attention.reading import sequence_if_any
from components.ui.blocks import option_buttons


class Head(NamedTuple):
    """What the page has for a head: its controls, all that is below them, its program, and the values of that."""

    controls: Callable[[Choices], None]
    show: Callable[[State], None]
    program: str
    values: Callable[[State, Sequence[int]], dict[str, Any]]


TRAINED = Head(trained_controls, show_trained, "program.py", trained_values)
PAGES = {
    "order": TRAINED,
    "meaning": TRAINED,
    "text": Head(text_controls, show_text, "program_text.py", text_values),
    "gpt2": Head(gpt2_controls, show_gpt2, "program_heads.py", gpt2_values),
}
rows_shown = sequence_if_any  # of GPT-2's table
OTHER_CHOICES = [{"fruits": "kiwi melon peach grape", "pairs": PAIRS.rpartition(",")[0]}]
OTHER_CHOICES += [{"fruits": FRUITS, "pairs": PAIRS}]  # if those of the class differ


def uses_gpt2(state: State) -> bool:
    """Return whether the chosen head reads rows of GPT-2: its own always, the untrained one if they are chosen."""
    head = state.choices.head
    return head == "gpt2" or (head == "text" and state.settings.table == "gpt2")


def program_path(state: State) -> Path:
    return Path(__file__).with_name(PAGES[state.choices.head].program)


def program_values(state: State, token_ids: Sequence[int]) -> dict[str, Any]:
    """Return the values of the program. Raises ValueError if the page shows no numbers."""
    return PAGES[state.choices.head].values(state, token_ids)


def render(state: State) -> None:
    page = PAGES[state.choices.head]
    with st.container(horizontal=True, vertical_alignment="center", key="own_controls"):
        option_buttons("What is read", "head", HEADS, label_visibility="collapsed")
        page.controls(state.choices)
    page.show(state)
